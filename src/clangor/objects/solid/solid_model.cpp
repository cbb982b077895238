// All that is baked of a solid, and the cache around it.
#include <clangor/objects/solid/solid.hpp>

#include <clangor/objects/solid/heard_band.hpp>
#include <clangor/objects/solid/supports.hpp>

#include <fmt/format.h>

#include <cmath>
#include <mutex>

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

bool has_sound_fields(const scene::Solid& solid, const BakeContext& context) {
    if (solid.radiation == scene::Radiation::Auto) return settings_of(context.quality).sound_fields;
    return solid.radiation == scene::Radiation::Transfer;
}

// The clicks of one shape and material, by the scale at which each was baked.
struct KnownSizes {
    mutable std::vector<std::pair<double, std::shared_ptr<const AccelerationNoise>>> all;
};

// One object's bake, step by step.
class SolidBake {
public:
    SolidBake(const scene::Solid& solid, const BakeContext& context)
        : solid_(solid),
          context_(context),
          scale_(scale_of(solid, context.meshes)),
          mesh_(context.meshes(solid.mesh, scale_)) {}

    SolidModel operator()() {
        const Stopwatch watch;
        const std::string remark = unit_remark(mesh_->raw, scale_);
        if (!remark.empty()) warn({"it is " + remark});
        try {
            bake();
        } catch (const Error& error) {
            if (remark.empty()) throw;
            throw Error(fmt::format("{}. It is {}", error.what(), remark), error.blame());
        }
        model_.seconds = watch.seconds();
        return std::move(model_);
    }

private:
    void bake() {
        const bool has_clicks = clicks(solid_, context_), has_fields = has_sound_fields(solid_, context_);
        const double modes_share = 1 / (1 + (has_fields ? 1.5 : 0) + (has_clicks ? 0.7 : 0));
        const double click_from = has_clicks ? 0.7 : 1;
        add_modes(part(0, modes_share));
        const bool rings = model_.modes->omega.size() > 0;
        if (!rings && !has_clicks)
            warn({fmt::format("there is no mode between {} and {} Hz: the object will be silent", solid_.options.min_hz,
                              solid_.options.max_hz)});
        // Sound fields and clicks side by side. They have their say one after the other.
        std::vector<std::string> about_fields, about_clicks;
        double fields_done = has_fields && rings ? 0 : 1, clicks_done = 0;
        std::mutex mutex;
        const auto share = [&](double& done) {
            return Progress{[&, this](std::string_view stage, double x) {
                const std::lock_guard lock(mutex);
                done = x;
                context_.progress(
                    stage, modes_share + (click_from - modes_share) * fields_done + (1 - click_from) * clicks_done);
            }};
        };
        parallel_for(2, [&](long i) {
            if (i == 0 && has_fields && rings) add_transfer(share(fields_done), about_fields);
            if (i == 1 && has_clicks) model_.noise = noise(share(clicks_done), about_clicks);
        });
        pass_on(about_fields);
        pass_on(about_clicks);
    }

    Progress part(double from, double to) const {
        return {
            [this, from, to](std::string_view stage, double x) { context_.progress(stage, from + (to - from) * x); }};
    }

    std::vector<std::string> named(const std::vector<std::string>& messages) const {
        std::vector<std::string> warnings;
        for (const std::string& message : messages)
            warnings.push_back(fmt::format("{}: {}", object_named(solid_.name), message));
        return warnings;
    }
    void warn(const std::vector<std::string>& messages) { pass_on(named(messages)); }
    static void add(const std::vector<std::string>& more, std::vector<std::string>& to) {
        to.insert(to.end(), more.begin(), more.end());
    }
    void pass_on(const std::vector<std::string>& warnings) { add(warnings, model_.warnings); }

    // Of equal objects the first one bakes, and learns what the cache had to say; the others find it here.
    template <class Baked, class Bake>
    std::shared_ptr<const io::Cached<Baked>> shared(const std::string& key, const Bake& bake, bool& from_cache,
                                                    std::vector<std::string>& warnings) {
        bool is_first = false;
        const auto result = context_.shared.get<io::Cached<Baked>>(key, [&] {
            is_first = true;
            return std::make_shared<const io::Cached<Baked>>(bake());
        });
        if (is_first) add(result->warnings, warnings);
        from_cache = result->from_cache || !is_first;
        return result;
    }

    void add_modes(const Progress& progress) {
        scene::SolidOptions options = solid_.options;
        options.refinement *= settings_of(context_.quality).refinement;
        const SolidUse use{.is_hit = is_hit(solid_, context_), .memory = context_.memory};
        const std::string key = key_of(mesh_->raw, solid_.material, options, use.is_hit);
        const auto bake = [&] {
            return bake_solid(solid_.name, mesh_->clean, solid_.material, options, progress, use);
        };
        const auto modes = shared<ModalBody>(
            key, [&] { return io::cached<ModalBody>(context_.cache, key, bake); }, model_.from_cache, model_.warnings);
        model_.modes = {modes, &modes->value};
        warn(modes->value.messages);
    }

    void add_transfer(const Progress& progress, std::vector<std::string>& warnings) {
        bool from_cache = false;
        const auto fields = shared<BakedTransfer>(
            fmt::format("{}", fmt::ptr(model_.modes.get())),
            [&] { return cached_transfer(*model_.modes, context_, progress); }, from_cache, warnings);
        model_.from_cache = model_.from_cache && fields->from_cache;
        model_.transfer = {fields, &fields->value.transfer};
        add(named(fields->value.messages), warnings);
    }

    // One of the same shape and material, at most twice as large or half as small, serves too: lengths, times and the
    // pulse's scale all grow alike  (docs/theory/acceleration-noise.md).
    std::shared_ptr<const AccelerationNoise> noise(const Progress& progress, std::vector<std::string>& warnings) {
        const std::string shape =
            noise_key(context_.meshes(solid_.mesh, 1)->raw, solid_.material, context_.air, context_.quality);
        const auto known = context_.shared.get<KnownSizes>(shape, [] { return std::make_shared<const KnownSizes>(); });
        for (const auto& [scale, noise] : known->all) {
            const double ratio = scale_ / scale;
            if (!(ratio >= 0.5 && ratio <= 2)) continue;
            return ratio == 1 ? noise : std::make_shared<const AccelerationNoise>(scaled(*noise, ratio));
        }
        const Surface closed =
            bounds_all_of(*mesh_, model_.modes->mass.volume) ? mesh_->clean.surface : flat(model_.modes->skin);
        io::Cached<BakedNoise> baked = cached_noise(solid_.name, closed, solid_.material, context_, progress);
        add(baked.warnings, warnings);
        add(named(baked.value.messages), warnings);
        known->all.emplace_back(scale_, std::make_shared<const AccelerationNoise>(std::move(baked.value.noise)));
        return known->all.back().second;
    }

    const scene::Solid& solid_;
    const BakeContext& context_;
    double scale_;
    std::shared_ptr<const SceneMesh> mesh_;
    SolidModel model_;
};

}  // namespace

bool clicks(const scene::Solid& solid, const BakeContext& context) {
    const bool is_hit = !context.still || context.struck.contains(solid.name);
    return solid.acceleration_noise && !solid.silent && is_hit && !scene::is_fixed(solid);
}

bool is_hit(const scene::Solid& solid, const BakeContext& context) {
    return !context.still || context.by_mallets.contains(solid.name);
}

SolidModel solid_model(const scene::Solid& solid, const BakeContext& context) {
    return solid.silent ? SolidModel{} : SolidBake(solid, context)();
}

}  // namespace clangor
