// All that is baked of a body that rings, and the cache around it.
#include <clangor/objects/modal/modal.hpp>

#include <fmt/format.h>

#include <mutex>

namespace clangor {
namespace {

bool has_sound_fields(const scene::Solid& body, const BakeContext& context) {
    if (body.radiation == scene::Radiation::Auto) return settings_of(context.quality).sound_fields;
    return body.radiation == scene::Radiation::Transfer;
}

// The clicks of one shape and material, by the scale at which each was baked.
struct KnownSizes {
    mutable std::vector<std::pair<double, std::shared_ptr<const AccelerationNoise>>> all;
};

// One object's bake, step by step.
class ModelBake {
public:
    ModelBake(const scene::Solid& body, const BakeContext& context, const ModesOf& modes_of)
        : body_(body),
          context_(context),
          modes_of_(modes_of),
          scale_(scale_of(body, context.meshes)),
          mesh_(context.meshes(body.mesh, scale_)) {}

    ModalModel operator()() {
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
        const bool has_clicks = clicks(body_, context_), has_fields = has_sound_fields(body_, context_);
        const double modes_share = 1 / (1 + (has_fields ? 1.5 : 0) + (has_clicks ? 0.7 : 0));
        const double click_from = has_clicks ? 0.7 : 1;
        add_modes(part(0, modes_share));
        const bool rings = model_.modes->omega.size() > 0;
        if (!rings && !has_clicks)
            warn({fmt::format("there is no mode between {} and {} Hz: the object will be silent", body_.options.min_hz,
                              body_.options.max_hz)});
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
            warnings.push_back(fmt::format("{}: {}", object_named(body_.name), message));
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
        scene::SolidOptions options = body_.options;
        options.refinement *= settings_of(context_.quality).refinement;
        modes_ = modes_of_(*mesh_, options);
        const auto bake = [&] { return modes_.bake(progress); };
        const auto modes = shared<ModalBody>(
            modes_.key, [&] { return io::cached<ModalBody>(context_.cache, modes_.key, bake); }, model_.from_cache,
            model_.warnings);
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
        const Surface closed = modes_.scales && bounds_all_of(*mesh_, model_.modes->mass.volume)
                                   ? mesh_->clean.surface
                                   : flat(model_.modes->skin);
        const std::string shape = noise_key(modes_.scales ? context_.meshes(body_.mesh, 1)->raw : closed,
                                            body_.material, context_.air, context_.quality);
        const auto known = context_.shared.get<KnownSizes>(shape, [] { return std::make_shared<const KnownSizes>(); });
        for (const auto& [scale, noise] : known->all) {
            const double ratio = scale_ / scale;
            if (!(ratio >= 0.5 && ratio <= 2)) continue;
            return ratio == 1 ? noise : std::make_shared<const AccelerationNoise>(scaled(*noise, ratio));
        }
        io::Cached<BakedNoise> baked = cached_noise(body_.name, closed, body_.material, context_, progress);
        add(baked.warnings, warnings);
        add(named(baked.value.messages), warnings);
        known->all.emplace_back(scale_, std::make_shared<const AccelerationNoise>(std::move(baked.value.noise)));
        return known->all.back().second;
    }

    const scene::Solid& body_;
    const BakeContext& context_;
    const ModesOf& modes_of_;
    double scale_;
    std::shared_ptr<const SceneMesh> mesh_;
    ModesBake modes_;
    ModalModel model_;
};

}  // namespace

bool clicks(const scene::Solid& body, const BakeContext& context) {
    const bool is_hit = !context.still || context.struck.contains(body.name);
    return body.acceleration_noise && !body.silent && is_hit && !scene::is_fixed(body);
}

bool is_hit(const scene::Solid& body, const BakeContext& context) {
    return !context.still || context.by_mallets.contains(body.name);
}

ModalModel modal_model(const scene::Solid& body, const BakeContext& context, const ModesOf& modes_of) {
    return body.silent ? ModalModel{} : ModelBake(body, context, modes_of)();
}

}  // namespace clangor
