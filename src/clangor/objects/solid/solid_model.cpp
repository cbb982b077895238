// Where the modes of a solid are kept.
#include <clangor/objects/solid/solid.hpp>

#include <cmath>

namespace clangor {
namespace {

// Whatever changes the numbers in a model must change this, or old cache entries would be taken for new ones.
constexpr std::string_view algorithm = "solid 7";

// Damping does not belong here, but for the band that it leaves.
std::string key_of(const Surface& surface, const Material& material, const scene::SolidOptions& options, bool is_hit) {
    const HeardBand band = heard_band(material.damping, options);
    io::Fingerprint inputs = body_fingerprint(algorithm, surface, material)
                                 .add("edge_length", options.edge_length)
                                 .add("refinement", options.refinement)
                                 .add("linear", options.elements == scene::Elements::Linear ? 1.0 : 0.0)
                                 .add("min_hz", options.min_hz)
                                 .add("max_hz", band.max_hz)
                                 .add("max_modes", double(options.max_modes))
                                 .add("parts", double(options.parts))
                                 .add("thickness", options.thickness);
    if (std::isfinite(band.dull_hz)) inputs.add("dull_hz", band.dull_hz);
    if (const HeardBand wider = contact_band(material.damping, options); is_hit && wider.max_hz > band.max_hz) {
        inputs.add("contact_hz", wider.max_hz);
        if (std::isfinite(wider.dull_hz)) inputs.add("contact_dull_hz", wider.dull_hz);
    }
    add_supports(inputs, options.supports);
    return inputs.hex();
}

}  // namespace

ModalModel solid_model(const scene::Solid& solid, const BakeContext& context) {
    return modal_model(solid, context, [&](const SceneMesh& mesh, const scene::SolidOptions& options) -> ModesBake {
        const SolidUse use{.is_hit = is_hit(solid, context), .memory = context.memory};
        return {.key = key_of(mesh.raw, solid.material, options, use.is_hit),
                .bake = [&, options, use](const Progress& progress) {
                    return bake_solid(solid.name, mesh.clean, solid.material, options, progress, use);
                }};
    });
}

}  // namespace clangor
