// What is wrong with a scene, as far as that can be told without baking: what a render would find out too late.
#include <clangor/render/hear.hpp>
#include <clangor/render/missed_strike.hpp>
#include <clangor/render/move.hpp>
#include <clangor/render/render.hpp>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <map>
#include <optional>

namespace clangor {
namespace {

using Part = SceneProblem::Part;

// A solid as it was read; without a surface where that was not possible.
struct Shaped {
    std::shared_ptr<const Surface> surface = {};
    bool closed = false;
};

// How often the surface winds around a point, 1 inside and 0 outside: the solid angle of all faces over 4π.
double winding_number(const Surface& surface, const Vec3& point) {
    double angle = 0;
    for (long f = 0; f < surface.faces.rows(); ++f) {
        Vec3 r[3];
        for (int k = 0; k < 3; ++k) r[k] = Vec3(surface.vertices.row(surface.faces(f, k)).transpose()) - point;
        const double a = r[0].norm(), b = r[1].norm(), c = r[2].norm();
        // tan(Ω/2) = r₀·(r₁×r₂) / (abc + (r₀·r₁)c + (r₁·r₂)a + (r₂·r₀)b)                    [VanOosterom1983, Eq. 8]
        angle += 2 * std::atan2(r[0].dot(r[1].cross(r[2])),
                                a * b * c + r[0].dot(r[1]) * c + r[1].dot(r[2]) * a + r[2].dot(r[0]) * b);
    }
    return angle / (4 * pi);
}

// Whether all of it lies in a plane: an open sheet like that cannot be made a solid. Others can, as far as their gaps
// can be closed.
bool is_flat(const Surface& surface) {
    const Points centred = surface.vertices.rowwise() - surface.vertices.colwise().mean();
    const Mat3 spread = centred.transpose() * centred / double(centred.rows());
    const Vec3 extents_sq = Eigen::SelfAdjointEigenSolver<Mat3>(spread, Eigen::EigenvaluesOnly).eigenvalues();
    return extents_sq[0] <= 1e-14 * extents_sq[2];
}

// From here on the click of a body is known: a ball's from its surface, others' from the first sphere that is recorded.
struct Clicking {
    Vec3 centre = Vec3::Zero();
    double known_from = 0;  // [m]
};

Clicking clicking(const Surface& surface) {
    const MassProperties mass = mass_properties(surface);
    const double radius = (surface.vertices.rowwise() - mass.centre.transpose()).rowwise().norm().maxCoeff();
    const std::optional<double> ball = ball_radius(surface, mass);
    return {mass.centre, ball ? *ball : AccelerationOptions{}.shells.front() * radius};
}

class Check {
public:
    Check(const Scene& scene, const Baked& known) : scene_(scene), known_(known), still_(scene::is_still(scene)) {}

    std::vector<SceneProblem> operator()() {
        for (size_t i = 0; i < scene_.objects.size(); ++i) shapes_.push_back(shaped(i));
        for (size_t i = 0; i < scene_.strikes.size(); ++i) check_strike(i);
        find_motion();
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

    const scene::Solid* solid(size_t i) const { return std::get_if<scene::Solid>(&scene_.objects[i]); }
    static std::string named(const scene::Solid& solid) { return fmt::format("object \"{}\": ", solid.name); }
    bool is_simulated() const { return !still_ && scene_.motion.impacts.empty(); }

    bool clicks(size_t i) const {
        return solid(i) && shapes_[i].closed && !solid(i)->silent && solid(i)->acceleration_noise && !still_ &&
               solid(i)->moves != scene::Moves::Fixed;
    }

    Surface cleaned(const scene::MeshSource& source, double scale) {
        const std::filesystem::path* const path = std::get_if<std::filesystem::path>(&source);
        if (!path) return surface_of_source(source, scale);  // shapes are clean
        const auto known = cleaned_.find({*path, scale});
        if (known != cleaned_.end()) return known->second;
        return cleaned_[{*path, scale}] = clean(surface_of_source(source, scale)).surface;
    }

    Shaped shaped(size_t i) {
        if (!solid(i)) return {};
        if (i < known_.objects.size() && known_.objects[i].model)
            return {std::make_shared<const Surface>(flat(known_.objects[i].model->skin)), true};
        Shaped shaped;
        found_wrong(Part::Object, i, named(*solid(i)), [&] {
            const auto surface = std::make_shared<const Surface>(cleaned(solid(i)->mesh, solid(i)->scale));
            const Topology topology = topology_of(*surface);
            shaped = {surface, topology.closed()};
            if (surface->faces.rows() == 0)
                throw Error("the surface has no faces, so that there is no body; check the mesh");
            if (topology.closed() ? !(mass_properties(*surface).volume > 0) : is_flat(*surface))
                throw Error("the surface encloses no volume; give it thickness");
            if (topology.closed() && topology.solids > 1 && !solid(i)->silent)
                throw Error(
                    fmt::format("the surface bounds {} separate bodies, and a ringing body must be in one piece; "
                                "join them, or make each an object of its own",
                                topology.solids));
            if (!topology.closed() && solid(i)->silent && is_simulated())
                throw Error(
                    fmt::format("a body that collides needs a closed surface, but this one has {} open and {} "
                                "tangled edges; close its holes first",
                                topology.open_edges, topology.nonmanifold_edges));
        });
        return shaped;
    }

    void check_strike(size_t index) {
        const scene::Strike& strike = scene_.strikes[index];
        const auto struck = std::ranges::find(scene_.objects, strike.object, scene::name_of);
        if (struck == scene_.objects.end()) return;  // the reader knows
        const size_t i = size_t(struck - scene_.objects.begin());
        if (!shapes_[i].surface || solid(i)->silent) return;
        auto& closest = closest_[i];
        if (!closest) closest = std::make_unique<ClosestPointQuery>(*shapes_[i].surface);
        const ClosestPoint hit = (*closest)(strike.at);
        found_wrong(Part::Strike, index, "", [&] {
            refuse_missed(index, strike, hit.point, bounds_of(shapes_[i].surface->vertices).diagonal());
        });
    }

    // Where everything is, as far as files say, and what hits what if a file says that too.
    void find_motion() {
        motion_ = motion_at_rest(scene_);
        bool complete = true;
        for (size_t i = 0; i < scene_.objects.size(); ++i) {
            if (!solid(i)) continue;
            complete = complete && shapes_[i].surface;
            const bool wrong =
                found_wrong(Part::Object, i, named(*solid(i)), [&] { motion_.bodies[i] = path_of(*solid(i)).path; });
            const bool refused = found_wrong(Part::Object, i, "", [&] { refuse_simulated(*solid(i), scene_); });
            complete = complete && !wrong && !refused;
        }
        if (scene_.motion.impacts.empty() || !complete) return;
        std::vector<ImportedBody> bodies;
        for (size_t i = 0; i < scene_.objects.size(); ++i)
            bodies.push_back({.name = scene::name_of(scene_.objects[i]),
                              .surface = shapes_[i].surface,
                              .path = motion_.bodies[i],
                              .ground = !solid(i)});
        found_wrong(Part::Motion, 0, "", [&] { motion_ = completed_motion(scene_, bodies); });
        for (const Impact& impact : motion_.impacts)
            for (const ContactSide& side : impact.sides)
                if (side.body >= 0) hit_at_[side.body].push_back(impact.time);
    }

    void check_listener(size_t index) {
        Scene alone = scene_;
        alone.listeners = {scene_.listeners[index]};
        std::vector<std::string> ignored;
        found_wrong(Part::Listener, index, fmt::format("listener \"{}\": ", scene_.listeners[index].name), [&] {
            const Ear ear = ears_of(alone, motion_, ignored).front();
            for (size_t i = 0; i < scene_.objects.size(); ++i) {
                check_outside(ear, i);
                if (clicks(i) && ear.listener->near_field == scene::NearField::Refuse) check_clicks(ear, i);
            }
        });
    }

    // Silent objects are left out: one of them may stand for the head of who listens.
    void check_outside(const Ear& ear, size_t i) {
        if (!shapes_[i].closed || solid(i)->silent) return;
        const Vec3 place = pose_at(motion_.bodies[i], 0).inverse() * pose_of(ear, 0).translation();
        const Bounds bounds = bounds_of(shapes_[i].surface->vertices);
        if ((place.array() < bounds.low.array()).any() || (place.array() > bounds.high.array()).any()) return;
        if (winding_number(*shapes_[i].surface, place) < 0.5) return;
        throw Error(fmt::format("is inside of object \"{}\", where there is no air; move one of them", solid(i)->name));
    }

    // When an object is hit is known where a file tells it; and a listener that rides on an object is as near at any
    // time.
    void check_clicks(const Ear& ear, size_t i) {
        const Clicking click = clicking(*shapes_[i].surface);
        const auto check_at = [&](double time, const char* when) {
            for (int capsule = 0; capsule < int(ear.post.capsules.rows()); ++capsule) {
                const Way way{ear, capsule, nullptr, motion_.bodies[i], click.centre, scene_.air};
                const double distance = (capsule_for(way, time) - click.centre).norm();
                if (distance >= click.known_from) continue;
                throw Error(fmt::format(
                    "is {:.2g} m from the centre of object \"{}\" {}, but the click of that is known from {:.2g} m "
                    "on. Move the listener, set \"near_field\": \"clamp\" for it to hear the click as at that "
                    "distance (too quiet by the ratio of the distances or more), or set \"acceleration_noise\": "
                    "false for the object",
                    distance, solid(i)->name, when, click.known_from));
            }
        };
        if (ear.listener->attached_to == solid(i)->name) check_at(0, "that it is attached to");
        for (const double time : hit_at_[i]) check_at(time, "when that is hit");
    }

    const Scene& scene_;
    const Baked& known_;
    bool still_;
    std::vector<Shaped> shapes_;
    std::map<std::pair<std::filesystem::path, double>, Surface> cleaned_;
    std::map<size_t, std::unique_ptr<ClosestPointQuery>> closest_;
    Motion motion_;
    std::map<size_t, std::vector<double>> hit_at_;  // by object [s]
    std::vector<SceneProblem> problems_;
};

}  // namespace

std::vector<SceneProblem> problems_of(const Scene& scene, const Baked& known) { return Check(scene, known)(); }

}  // namespace clangor
