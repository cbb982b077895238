// Collisions that another simulator has found.
#include <clangor/objects/grains/grain_recorder.hpp>
#include <clangor/objects/grains/known_grains.hpp>
#include <clangor/objects/grains/sampler.hpp>
#include <clangor/objects/grains/wall_surfaces.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace clangor {
namespace {

// Farther from the surface than this part of the object's size, and than a grain: a mistake.
constexpr double far = 0.05;

/// What a name of the list stands for.
struct Named {
    int wall = -1;                 ///< a neighbour …
    std::optional<Material> ball;  ///< … or what a ball is made of
};

Named meaning_of(const std::string& name, const scene::Grains& grains, const Surroundings& around) {
    for (size_t w = 0; w < around.neighbours.size(); ++w)
        if (around.neighbours[w].sounding->name == name) return {int(w), {}};
    if (name.empty() || name == grains.name || name == grains.material.name) return {-1, grains.material};
    if (const std::optional<Material> material = find_material(name)) return {-1, material};
    std::vector<std::string> known = {grains.name, grains.material.name};
    for (const Neighbour& neighbour : around.neighbours) known.push_back(neighbour.sounding->name);
    throw Error(fmt::format("{} says that \"{}\" is hit, which is no object that grains can touch, nor a material; {}",
                            grains.collisions.string(), name, suggestion(name, known)));
}

class List {
public:
    List(const GrainsHere& grains, const io::CollisionList& list, const Surroundings& around)
        : grains_(grains), list_(list), around_(around), surfaces_(around) {
        for (const auto& [first, second] : list.kinds)
            kinds_.push_back({meaning_of(first, *grains.grains, around), meaning_of(second, *grains.grains, around)});
        for (size_t i = 0; i < kinds_.size(); ++i)
            if (kinds_[i][0].wall >= 0 && kinds_[i][1].wall >= 0)
                throw Error(fmt::format("{} says that \"{}\" hits \"{}\": neither of them is a grain",
                                        grains.grains->collisions.string(), list.kinds[i][0], list.kinds[i][1]));
    }

    // With the second on the wall, if any of them is.
    Encounter turned(Encounter encounter) const {
        if (kinds_[size_t(encounter.kind)][0].wall < 0) return encounter;
        encounter.normal = -encounter.normal;
        encounter.friction = -encounter.friction;
        return encounter;
    }

    GrainMeeting meeting(int kind, std::array<float, 2> radii) const {
        const std::array<Named, 2>& both = kinds_[size_t(kind)];
        const size_t ball = both[0].wall >= 0 ? 1 : 0, other = 1 - ball;
        GrainMeeting meeting{.wall = both[other].wall};
        meeting.materials[0] = &*both[ball].ball;
        meeting.materials[1] =
            meeting.wall >= 0 ? &around_.neighbours[size_t(meeting.wall)].sounding->body->material : &*both[other].ball;
        meeting.radii = {double(radii[ball]), meeting.wall >= 0 ? 0 : double(radii[other])};
        if (meeting.wall < 0 && !(meeting.radii[0] > 0)) std::swap(meeting.radii[0], meeting.radii[1]);
        if (!(meeting.radii[0] > 0)) meeting.radii[0] = grains_.grains->radius;
        return meeting;
    }

    std::array<float, 2> radii(size_t row) const {
        const float usual = float(grains_.grains->radius);
        return list_.radii.empty() ? std::array{usual, usual} : list_.radii[row];
    }

    GrainSurface surface(const GrainMeeting& meeting) const {
        return meeting.wall < 0 ? surface_within(grains_, around_)
                                : surface_on(grains_, around_.neighbours[size_t(meeting.wall)], around_);
    }

    // On the surface of what is hit.
    void place(Encounter& encounter, const GrainMeeting& meeting, double allowed) {
        if (meeting.wall < 0) return;
        const Vec3 point = surfaces_.nearest_in_world(meeting.wall, encounter.point, encounter.time);
        const double off = (point - encounter.point).norm();
        if (off > std::max(allowed, far * surfaces_.size_of(meeting.wall)))
            throw Error(
                fmt::format("{}: at {:.6g} s a grain hits \"{}\" at ({:.4g}, {:.4g}, {:.4g}), which is {:.3g} "
                            "m from it; see whether unit and axes are right, and where the object stands",
                            grains_.grains->collisions.string(), encounter.time,
                            around_.neighbours[size_t(meeting.wall)].sounding->name, encounter.point.x(),
                            encounter.point.y(), encounter.point.z(), off));
        encounter.point = point;
    }

private:
    GrainsHere grains_;
    const io::CollisionList& list_;
    const Surroundings& around_;
    WallSurfaces surfaces_;
    std::vector<std::array<Named, 2>> kinds_ = {};
};

}  // namespace

void follow_list(const GrainsHere& grains, const io::CollisionList& list, const Surroundings& around, const Air& air,
                 GrainRun& run, OwnMotion& own) {
    List meaning(grains, list, around);
    GrainRecorder recorder(grains, around, air, run, own);
    const auto take = [&](const Encounter& encounter, const std::array<float, 2>& radii, double allowed) {
        const GrainMeeting meeting = meaning.meeting(encounter.kind, radii);
        Encounter placed = meaning.turned(encounter);
        meaning.place(placed, meeting, allowed);
        (meeting.wall < 0 ? run.report.between_grains : run.report.with_walls)++;
        recorder.add(meeting, contact_of(placed, meeting, meaning.surface(meeting)));
    };
    std::vector<size_t> order;
    for (size_t i = 0; i < list.encounters.size(); ++i)
        if (list.encounters[i].time >= 0 && list.encounters[i].time <= around.duration) order.push_back(i);
    if (order.size() < list.encounters.size())
        own.warnings.push_back(fmt::format(
            "{}: {} of {} collisions are before time 0 or after the end, and are left out",
            object_named(grains.grains->name), list.encounters.size() - order.size(), list.encounters.size()));
    std::ranges::stable_sort(order, {}, [&](size_t i) { return list.encounters[i].time; });
    if (!grains.grains->sampled) {
        for (const size_t i : order) take(list.encounters[i], meaning.radii(i), 2 * grains.grains->radius);
        return;
    }
    // Places are those of a cell then; of the radii, those of some collision of the same kind.
    constexpr double within_cell = 0.05;
    std::map<int, std::vector<std::array<float, 2>>> radii;
    Sampler sampler(Random(around.seed).child(std::uint64_t(grains.object)).bits());
    for (const size_t i : order) {
        sampler.add(list.encounters[i]);
        radii[list.encounters[i].kind].push_back(meaning.radii(i));
    }
    for (const DrawnEncounter& drawn : sampler.take_before(std::numeric_limits<double>::infinity())) {
        const std::vector<std::array<float, 2>>& some = radii[drawn.encounter.kind];
        take(drawn.encounter, some[std::min(some.size() - 1, size_t(drawn.random[0] * double(some.size())))],
             within_cell);
    }
}

void follow_known(const GrainsHere& grains, const GrainSource& source, const Surroundings& around, const Air& air,
                  GrainRun& run, OwnMotion& own, const Progress& progress) {
    try {
        if (const KnownCollisions* const list = std::get_if<KnownCollisions>(&source))
            follow_list(grains, **list, around, air, run, own);
        else
            follow_animation(grains, *std::get<AnimatedPtr>(source), around, air, run, own, progress);
    } catch (const Error& error) {
        throw Error(fmt::format("{}: {}", object_named(grains.grains->name), error.what()), error.blame());
    }
}

}  // namespace clangor
