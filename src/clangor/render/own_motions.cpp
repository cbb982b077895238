#include <clangor/render/own_motions.hpp>

#include <clangor/render/move.hpp>

#include <algorithm>

namespace clangor {
namespace {

std::vector<Push> pushes_of(const OwnMotion& own) {
    std::vector<Push> pushes;
    for (const Impact& impact : own.impacts) {
        const ContactSide& side = impact.sides[0];
        pushes.push_back({side.body, impact.time, side.point, side.impulse});
    }
    for (const Touch& touch : own.touches) {
        const ContactSide& side = touch.sides[0];
        pushes.push_back({side.body, touch.time + touch.duration / 2, side.point, side.impulse});
    }
    return pushes;
}

bool gives_way(const SoundingObject& object) { return object.rigid && object.rigid->movement == Movement::Simulated; }

std::vector<Neighbour> neighbours_of(size_t self, const Baked& baked, const Motion& motion, const OwnMotion& felt) {
    std::vector<Neighbour> neighbours;
    for (size_t i = 0; i < baked.objects.size(); ++i) {
        const SoundingObject& object = baked.objects[i];
        if (i == self || object.move || !object.body) continue;
        neighbours.push_back(
            {.object = int(i), .sounding = &object, .path = &motion.bodies[i], .gives_way = gives_way(object)});
    }
    for (const Push& push : pushes_of(felt)) {
        const auto feels = std::ranges::find(neighbours, push.body, &Neighbour::object);
        if (feels != neighbours.end() && feels->gives_way) feels->felt.push_back(push);
    }
    return neighbours;
}

// Itself, and those behind it that it moves with; none where one before it moves all of them.
std::vector<MovedTogether> moved_by(size_t self, const Scene& scene, const Baked& baked) {
    const auto belongs = [&](const SoundingObject& other) {
        return other.move && !other.moves_with.empty() && other.moves_with == baked.objects[self].moves_with;
    };
    std::vector<MovedTogether> together;
    for (size_t i = 0; i < baked.objects.size(); ++i) {
        const SoundingObject& object = baked.objects[i];
        if (i != self && !belongs(object)) continue;
        if (i < self) return {};
        MovedTogether& one = together.emplace_back(MovedTogether{.object = int(i), .sounding = &object});
        for (const scene::Strike& strike : scene.strikes)
            if (strike.object == object.name) one.strikes.push_back(&strike);
    }
    return together;
}

}  // namespace

bool any_moves_by_itself(const Baked& baked) {
    return std::ranges::any_of(baked.objects, [](const SoundingObject& object) { return bool(object.move); });
}

std::optional<Surroundings> surroundings_of(size_t self, const Scene& scene, const Baked& baked, const Motion& motion,
                                            const OwnMotion& felt) {
    std::vector<MovedTogether> together = moved_by(self, scene, baked);
    if (together.empty()) return std::nullopt;
    return Surroundings{.self = int(self),
                        .together = std::move(together),
                        .neighbours = neighbours_of(self, baked, motion, felt),
                        .min_approach_speed = scene.motion.min_approach_speed,
                        .gravity = scene.motion.gravity,
                        .duration = scene.duration + lookahead,
                        .heard = scene.duration,
                        .sample_rate = scene.sample_rate,
                        .seed = scene.seed};
}

OwnPass own_pass(const Scene& scene, const Baked& baked, const Motion& motion, const OwnPass& felt,
                 const Progress& progress) {
    OwnPass pass{.of_object = std::vector<OwnMotion>(baked.objects.size())};
    const std::vector<RigidPair> pairs = pairs_of(scene);
    for (size_t i = 0; i < baked.objects.size(); ++i) {
        const SoundingObject& object = baked.objects[i];
        if (!object.move) continue;
        const OwnMotion before = felt.of_object.empty() ? OwnMotion{} : felt.of_object[i];
        std::optional<Surroundings> around = surroundings_of(i, scene, baked, motion, before);
        if (!around) continue;
        around->pairs = pairs;
        pass.of_object[i] = object.move(*around, progress);
    }
    return pass;
}

std::vector<Push> pushes_of(const OwnPass& pass) {
    std::vector<Push> pushes;
    for (const OwnMotion& own : pass.of_object) {
        const std::vector<Push> more = pushes_of(own);
        pushes.insert(pushes.end(), more.begin(), more.end());
    }
    return pushes;
}

void add_own(const OwnPass& pass, Motion& motion) {
    for (const OwnMotion& own : pass.of_object) {
        motion.impacts.insert(motion.impacts.end(), own.impacts.begin(), own.impacts.end());
        motion.touches.insert(motion.touches.end(), own.touches.begin(), own.touches.end());
        motion.warnings.insert(motion.warnings.end(), own.warnings.begin(), own.warnings.end());
    }
    std::ranges::stable_sort(motion.impacts, {}, &Impact::time);
    std::ranges::stable_sort(motion.touches, {}, &Touch::time);
}

}  // namespace clangor
