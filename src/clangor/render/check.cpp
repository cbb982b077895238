// What is wrong with a scene, as far as that can be told without baking: what a render would find out too late.
#include <clangor/render/move.hpp>
#include <clangor/render/own_motions.hpp>
#include <clangor/render/placed_listeners.hpp>
#include <clangor/render/placed_strikes.hpp>
#include <clangor/render/render.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace clangor {
namespace {

using Part = SceneProblem::Part;

class Check {
public:
    Check(const Scene& scene, const Baked& known) : scene_(scene), known_(known), context_(bake_context(scene, {})) {
        context_.check_only = true;
    }

    std::vector<SceneProblem> operator()() {
        for (size_t i = 0; i < scene_.objects.size(); ++i) objects_.push_back(object(i));
        for (size_t i = 0; i < scene_.strikes.size(); ++i) check_strike(i);
        find_motion();
        check_starts();
        for (size_t i = 0; i < scene_.listeners.size(); ++i) check_listener(i);
        return std::move(problems_);
    }

private:
    template <class Work>
    bool found_wrong(Part part, size_t index, const std::string& context, const Work& work) {
        try {
            work();
            return false;
        } catch (const Error& error) {
            problems_.push_back({part, index, context + error.what()});
            return true;
        }
    }

    std::string named(size_t i) const { return object_named(scene::name_of(scene_.objects[i])) + ": "; }

    SoundingObject object(size_t i) {
        if (i < known_.objects.size()) return known_.objects[i];
        SoundingObject object;
        object.name = scene::name_of(scene_.objects[i]);
        const bool wrong = found_wrong(Part::Object, i, named(i), [&] {
            object = std::visit([&](const auto& kind) { return sounding(kind, context_); }, scene_.objects[i]);
        });
        for (const std::string& problem : object.problems) problems_.push_back({Part::Object, i, named(i) + problem});
        is_whole_ = is_whole_ && !wrong;
        return object;
    }

    void check_strike(size_t index) {
        const scene::Strike& strike = scene_.strikes[index];
        const auto struck = std::ranges::find(objects_, strike.object, &SoundingObject::name);
        if (struck == objects_.end()) return;  // the reader knows
        if (struck->check_strike)
            found_wrong(Part::Strike, index, fmt::format("strike {}: {}: ", index + 1, object_named(struck->name)),
                        [&] { struck->check_strike(strike); });
        if (!struck->body || !struck->body->finder) return;
        found_wrong(Part::Strike, index, "", [&] { placed_strike(scene_, index, *struck); });
        if (context_.still) hit_at_[size_t(struck - objects_.begin())].push_back(strike.time);
    }

    // Where everything is, as far as files say, and what hits what if a file says that too.
    void find_motion() {
        for (size_t i = 0; i < objects_.size(); ++i) {
            motion_.bodies.push_back(at_rest(Eigen::Isometry3d::Identity()));
            const bool wrong =
                found_wrong(Part::Object, i, named(i), [&] { motion_.bodies.back() = path_of(objects_[i]).path; });
            const bool refused = found_wrong(Part::Object, i, "", [&] { refuse_simulated(objects_[i], scene_); });
            is_whole_ = is_whole_ && !wrong && !refused;
        }
        if (scene_.motion.impacts.empty() || !is_whole_) return;
        found_wrong(Part::Motion, 0, "",
                    [&] { motion_ = completed_motion(scene_, imported_bodies(objects_, motion_.bodies)); });
        for (const Impact& impact : motion_.impacts)
            for (const ContactSide& side : impact.sides)
                if (side.body >= 0) hit_at_[size_t(side.body)].push_back(impact.time);
    }

    // What moves by itself, where it is placed.
    void check_starts() {
        if (!is_whole_) return;
        const Baked baked{.objects = objects_, .warnings = {}};
        for (size_t i = 0; i < objects_.size(); ++i) {
            if (!objects_[i].check_start) continue;
            const std::optional<Surroundings> around = surroundings_of(i, scene_, baked, motion_);
            if (!around) continue;
            for (const std::string& problem : objects_[i].check_start(*around))
                problems_.push_back({Part::Object, i, problem});
        }
    }

    void check_listener(size_t index) {
        Scene alone = scene_;
        alone.listeners = {scene_.listeners[index]};
        std::vector<std::string> ignored;
        found_wrong(Part::Listener, index, fmt::format("listener \"{}\": ", scene_.listeners[index].name), [&] {
            const PlacedListener listener = placed_listeners(alone, motion_, ignored).front();
            for (size_t i = 0; i < objects_.size(); ++i) {
                check_outside(listener, i);
                if (objects_[i].near_limit && listener.listener->near_field == scene::NearField::Refuse)
                    check_near(listener, i);
            }
        });
    }

    // Silent objects are left out: one of them may stand for the head of who listens.
    void check_outside(const PlacedListener& listener, size_t i) {
        const SoundingObject& object = objects_[i];
        if (!object.mobility || !object.body || !object.body->surface || !object.body->is_closed) return;
        const Surface& surface = *object.body->surface;
        const Vec3 place = pose_at(motion_.bodies[i], 0).inverse() * pose_of(listener, 0).translation();
        const Bounds bounds = bounds_of(surface.vertices);
        if ((place.array() < bounds.low.array()).any() || (place.array() > bounds.high.array()).any()) return;
        if (!is_inside(surface, place)) return;
        throw Error(fmt::format("is inside of object \"{}\", where there is no air; move one of them", object.name));
    }

    // When an object is hit is known where a file tells it; and a listener that rides on an object is as near at any
    // time.
    void check_near(const PlacedListener& listener, size_t i) {
        const NearLimit& limit = *objects_[i].near_limit;
        const auto check_at = [&](double time, const char* when) {
            for (int capsule = 0; capsule < int(listener.array.capsules.rows()); ++capsule) {
                const SoundPath path{listener, capsule, nullptr, motion_.bodies[i], limit.centre, scene_.air};
                const double distance = (capsule_for(path, time) - limit.centre).norm();
                if (distance >= limit.known_from) continue;
                throw Error(fmt::format(
                    "is {:.2g} m from the centre of object \"{}\" {}, but the {} of that is known from {:.2g} m "
                    "on. {}",
                    distance, objects_[i].name, when, limit.sound, limit.known_from, limit.advice));
            }
        };
        if (listener.listener->attached_to == objects_[i].name) check_at(0, "that it is attached to");
        for (const double time : hit_at_[i]) check_at(time, "when that is hit");
    }

    const Scene& scene_;
    const Baked& known_;
    BakeContext context_;
    std::vector<SoundingObject> objects_;
    bool is_whole_ = true;  // every object could be read
    Motion motion_;
    std::map<size_t, std::vector<double>> hit_at_;  // by object [s]
    std::vector<SceneProblem> problems_;
};

}  // namespace

std::vector<SceneProblem> problems_of(const Scene& scene, const Baked& known) { return Check(scene, known)(); }

}  // namespace clangor
