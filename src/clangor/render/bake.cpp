// All models of a scene, and the cache around them.
#include <clangor/render/heard_band.hpp>
#include <clangor/render/render.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>

namespace clangor {
namespace {

// Whatever changes the numbers in a model must change this, or old cache entries would be taken for new ones.
constexpr std::string_view algorithm = "solid 1", noise_algorithm = "acceleration 3";

// What a body is, whatever is baked of it. Damping and the material's name are applied when rendering: they do not
// belong here, but for the band that damping leaves.
io::Fingerprint fingerprint_of(std::string_view what, const Surface& surface, const Material& material) {
    return io::Fingerprint()
        .add("algorithm", what)
        .add("vertices", surface.vertices)
        .add("faces", surface.faces)
        .add("density", material.density)
        .add("young", material.young)
        .add("poisson", material.poisson);
}

std::string key_of(const Surface& surface, const Material& material, const scene::SolidOptions& options) {
    const HeardBand band = heard_band(material.damping, options);
    io::Fingerprint inputs = fingerprint_of(algorithm, surface, material)
                                 .add("edge_length", options.edge_length)
                                 .add("refinement", options.refinement)
                                 .add("linear", options.elements == scene::Elements::Linear ? 1.0 : 0.0)
                                 .add("min_hz", options.min_hz)
                                 .add("max_hz", band.max_hz)
                                 .add("max_modes", double(options.max_modes));
    if (std::isfinite(band.dull_hz)) inputs.add("dull_hz", band.dull_hz);
    return inputs.hex();
}

double refinement_of(Quality quality) {
    switch (quality) {
        case Quality::Draft:
            return 0.75;
        case Quality::Standard:
            return 1;
        case Quality::Reference:
            return 1.4;
    }
    return 1;
}

std::string noise_key_of(const Surface& surface, const Material& material, const Air& air, Quality quality) {
    return fingerprint_of(noise_algorithm, surface, material)
        .add("air density", air.density)
        .add("speed of sound", air.speed_of_sound)
        .add("quality", double(static_cast<int>(quality)))
        .hex();
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Models that several objects may share.
class Baker {
public:
    Baker(const Scene& scene, const BakeOptions& options, Baked& baked)
        : scene_(scene), options_(options), baked_(baked), still_(scene::is_still(scene)) {}

    BakedObject operator()(const scene::Solid& solid, const Progress& progress) {
        const Surface surface = surface_of_source(solid.mesh, solid.scale);
        const std::string remark = unit_remark(surface, solid.scale);
        if (remark.empty()) return baked_object(solid, surface, progress);
        warn(solid, {"it is " + remark});
        try {
            return baked_object(solid, surface, progress);
        } catch (const Error& error) {
            throw Error(fmt::format("{}. It is {}", error.what(), remark), error.blame());
        }
    }

private:
    BakedObject baked_object(const scene::Solid& solid, const Surface& surface, const Progress& progress) {
        const auto start = std::chrono::steady_clock::now();
        const bool clicks = clicks_of(solid), waves = waves_of(solid);
        const double modes_share = 1 / (1 + (waves ? 1.5 : 0) + (clicks ? 0.7 : 0)), click_from = clicks ? 0.7 : 1;
        BakedObject object;
        add_model(solid, surface, object,
                  {[&](std::string_view stage, double x) { progress(stage, modes_share * x); }});
        if (waves && object.model->omega.size() > 0)
            add_transfer(solid, object, {[&](std::string_view stage, double x) {
                             progress(stage, modes_share + (click_from - modes_share) * x);
                         }});
        if (object.model->omega.size() == 0 && !clicks)
            warn(solid, {fmt::format("there is no mode between {} and {} Hz: the object will be silent",
                                     solid.options.min_hz, solid.options.max_hz)});
        if (clicks)
            object.noise = noise_of(solid, surface, object, {[&](std::string_view stage, double x) {
                                        progress(stage, click_from + (1 - click_from) * x);
                                    }});
        object.seconds = seconds_since(start);
        return object;
    }

    // Whoever is held does not accelerate.
    bool clicks_of(const scene::Solid& solid) const {
        return solid.acceleration_noise && !still_ && solid.moves != scene::Moves::Fixed;
    }

    bool waves_of(const scene::Solid& solid) const {
        if (solid.radiation == scene::Radiation::Auto) return options_.quality != Quality::Draft;
        return solid.radiation == scene::Radiation::Transfer;
    }

    void warn(const scene::Solid& solid, const std::vector<std::string>& messages) {
        for (const std::string& message : messages)
            baked_.warnings.push_back(fmt::format("object \"{}\": {}", solid.name, message));
    }
    void warn(const std::string& warning) {
        if (!warning.empty()) baked_.warnings.push_back(warning);
    }

    void add_model(const scene::Solid& solid, const Surface& surface, BakedObject& object, const Progress& progress) {
        scene::SolidOptions options = solid.options;
        options.refinement *= refinement_of(options_.quality);
        const std::string key = key_of(surface, solid.material, options);
        auto& model = models_[key];
        object.from_cache = model != nullptr;
        if (!model) {
            io::CacheLookup found = io::load(options_.cache, key);
            warn(found.warning);
            object.from_cache = found.model.has_value();
            if (!found.model) {
                found.model = bake_solid(solid.name, surface, solid.material, options, progress, options_.memory);
                found.model->inputs_hash = key;
                warn(io::store(options_.cache, key, *found.model));
            }
            model = std::make_shared<const io::BakedSolid>(std::move(*found.model));
        }
        object.model = model;
        warn(solid, model->messages);
    }

    void add_transfer(const scene::Solid& solid, BakedObject& object, const Progress& progress) {
        auto& known = transfers_[object.model.get()];
        if (!known.transfer) known = cached_radiation(*object.model, scene_.air, options_, progress);
        object.from_cache = object.from_cache && known.from_cache;
        object.transfer = known.transfer;
        warn(known.cache_warning);
        warn(solid, known.messages);
        known.cache_warning.clear();
    }

    // One of the same shape and material, at most twice as large or half as small, serves too: lengths, times and the
    // pulse's scale all grow alike  (docs/theory/acceleration-noise.md).
    std::shared_ptr<const AccelerationNoise> noise_of(const scene::Solid& solid, const Surface& surface,
                                                      const BakedObject& object, const Progress& progress) {
        const std::string shape =
            noise_key_of(surface_of_source(solid.mesh, 1), solid.material, scene_.air, options_.quality);
        for (const Noise& known : noises_) {
            const double ratio = solid.scale / known.scale;
            if (known.shape != shape || !(ratio >= 0.5 && ratio <= 2)) continue;
            return ratio == 1 ? known.noise : std::make_shared<const AccelerationNoise>(scaled(*known.noise, ratio));
        }
        const Surface cleaned = clean(surface).surface;
        const Surface closed = topology_of(cleaned).closed() ? cleaned : flat(object.model->skin);
        const std::string key = noise_key_of(closed, solid.material, scene_.air, options_.quality);
        io::NoiseLookup found = io::load_noise(options_.cache, key);
        warn(found.warning);
        if (!found.noise) {
            const AccelerationResume resume{.begun = io::load_begun_noise(options_.cache, key),
                                            .keep = [&](const std::vector<NoiseMotion>& motions) {
                                                io::store_begun_noise(options_.cache, {solid.name, key, motions});
                                            }};
            found.noise = bake_noise(solid.name, closed, solid.material, scene_.air, options_.quality, resume, progress,
                                     options_.memory);
            found.noise->inputs_hash = key;
            warn(io::store_noise(options_.cache, key, *found.noise));
        }
        warn(solid, found.noise->messages);
        noises_.push_back(
            {shape, solid.scale, std::make_shared<const AccelerationNoise>(std::move(found.noise->noise))});
        return noises_.back().noise;
    }

    struct Noise {
        std::string shape;
        double scale;
        std::shared_ptr<const AccelerationNoise> noise;
    };
    const Scene& scene_;
    const BakeOptions& options_;
    Baked& baked_;
    bool still_;
    std::map<std::string, std::shared_ptr<const io::BakedSolid>> models_;
    std::map<const io::BakedSolid*, CachedRadiation> transfers_;
    std::vector<Noise> noises_;
};

}  // namespace

Surface surface_of_source(const scene::MeshSource& source, double scale) {
    Surface surface = std::visit(overloaded{
                                     [](const std::filesystem::path& path) { return io::read_mesh(path); },
                                     [](const Shape& shape) { return surface_of(shape); },
                                 },
                                 source);
    surface.vertices *= scale;
    return surface;
}

Baked bake(const Scene& scene, const BakeOptions& options, const Progress& progress) {
    Baked baked;
    Baker baker(scene, options, baked);
    const double share = 1.0 / double(scene.objects.size());
    const auto bake_one = [&](const scene::Solid& solid) {
        const double from = double(baked.objects.size()) * share;
        const Progress part{[&](std::string_view stage, double fraction) { progress(stage, from + share * fraction); }};
        try {
            return solid.silent ? BakedObject{} : baker(solid, part);
        } catch (const Error& error) {
            throw Error(fmt::format("object \"{}\": {}", solid.name, error.what()), error.blame());
        }
    };
    for (const scene::Object& object : scene.objects)
        baked.objects.push_back(std::visit(overloaded{
                                               [&](const scene::Solid& solid) { return bake_one(solid); },
                                               [](const scene::Ground&) { return BakedObject{}; },
                                           },
                                           object));
    return baked;
}

}  // namespace clangor
