// From a model's modes to their sound fields.
#include <clangor/render/memory.hpp>
#include <clangor/render/render.hpp>

namespace clangor {
namespace {

// Whatever changes the numbers must change this, or old cache entries would be taken for new ones.
constexpr std::string_view algorithm = "transfer 3";

// Modes and surface are the model's, which its key stands for.
std::string key_of(const std::string& model_key, const Air& air, Quality quality) {
    return io::Fingerprint()
        .add("algorithm", algorithm)
        .add("model", model_key)
        .add("air density", air.density)
        .add("speed of sound", air.speed_of_sound)
        .add("boundary elements", quality == Quality::Reference ? 1.0 : 0.0)
        .hex();
}

TransferOptions options_of(Quality quality) {
    if (quality == Quality::Reference) return {.solver = TransferSolver::BoundaryElements};
    return {.solver = TransferSolver::Wave};
}

Points shape_of(const io::BakedSolid& model, long mode) {
    Points shape(model.skin.nodes.rows(), 3);
    for (long i = 0; i < shape.rows(); ++i)
        shape.row(i) = model.shapes.col(mode).segment<3>(3 * i).cast<double>().transpose();
    return shape;
}

}  // namespace

io::BakedTransfer bake_radiation(const io::BakedSolid& model, const Air& air, Quality quality,
                                 const TransferResume& resume, const Progress& progress, double memory) {
    VibratingSurface body{.surface = flat(model.skin), .omega = model.omega, .air = air};
    for (long mode = 0; mode < model.omega.size(); ++mode) body.shapes.push_back(shape_of(model, mode));
    const Progress part{[&](std::string_view, double fraction) { progress(model.name + ": sound fields", fraction); }};
    TransferOptions options = options_of(quality);
    options.memory_limit = limit_of(allowed_memory(memory));
    TransferBake bake = bake_transfer(body, options, resume, part);
    return {.name = model.name, .inputs_hash = {}, .transfer = std::move(bake.transfer), .messages = bake.warnings};
}

CachedRadiation cached_radiation(const io::BakedSolid& model, const Air& air, const BakeOptions& options,
                                 const Progress& progress) {
    const std::string key = key_of(model.inputs_hash, air, options.quality);
    io::TransferLookup found = io::load_transfer(options.cache, key);
    CachedRadiation result{.from_cache = found.transfer.has_value(), .cache_warning = found.warning};
    if (!found.transfer) {
        const auto keep = [&](const BegunTransfer& begun) {
            io::store_begun_transfer(options.cache, {model.name, key, begun});
        };
        found.transfer = bake_radiation(model, air, options.quality,
                                        {.begun = io::load_begun_transfer(options.cache, key), .keep = keep}, progress,
                                        options.memory);
        found.transfer->inputs_hash = key;
        if (const std::string warning = io::store_transfer(options.cache, key, *found.transfer); !warning.empty())
            result.cache_warning = warning;
    }
    result.messages = std::move(found.transfer->messages);
    result.transfer = std::make_shared<const ModalTransfer>(std::move(found.transfer->transfer));
    return result;
}

}  // namespace clangor
