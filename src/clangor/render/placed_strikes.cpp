#include <clangor/render/placed_strikes.hpp>

#include <clangor/render/followed_impacts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace clangor {
namespace {

// Faces that meet at a smaller angle are one smooth surface.
const double cos_crease = std::cos(30 * pi / 180);

// A point this near to an edge, as part of its face, is on it.
constexpr double on_edge = 1e-6;

std::string text_of(const Vec3& v) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", v[0] + 0.0, v[1] + 0.0, v[2] + 0.0);  // no "-0"
}

Vec3 area_vector(const Surface& surface, long face) {
    const auto corner = [&](int k) { return Vec3(surface.vertices.row(surface.faces(face, k)).transpose()); };
    return (corner(1) - corner(0)).cross(corner(2) - corner(0)) / 2;
}

// Vertices of its face that a point is between, and how much each of them counts.
struct Weight {
    int vertex = 0;
    double share = 0;
};
std::vector<Weight> weights_of(const Surface& surface, const ContactPoint& at) {
    std::vector<Weight> weights;
    for (int k = 0; k < 3; ++k)
        if (at.barycentric[k] > on_edge) weights.push_back({surface.faces(at.face, k), at.barycentric[k]});
    return weights;
}

bool has_vertex(const Surface& surface, long face, int vertex) {
    return (surface.faces.row(face).array() == vertex).any();
}

// Of the smooth surface that a face is part of: between the normals of its corners, in which no face counts that lies
// beyond a crease.
Vec3 smooth_normal(const Surface& surface, long face, const std::vector<Weight>& weights) {
    const Vec3 flat = area_vector(surface, face).normalized();
    std::vector<Vec3> normals(weights.size(), Vec3::Zero());
    for (long f = 0; f < surface.faces.rows(); ++f)
        for (size_t k = 0; k < weights.size(); ++k) {
            if (!has_vertex(surface, f, weights[k].vertex)) continue;
            const Vec3 area = area_vector(surface, f);
            if (area.dot(flat) >= cos_crease * area.norm()) normals[k] += area;
        }
    Vec3 sum = Vec3::Zero();
    for (size_t k = 0; k < weights.size(); ++k) sum += weights[k].share * normals[k].normalized();
    return sum.normalized();
}

// Out of all smooth surfaces that meet at a point: one, and more on an edge or at a corner.
std::vector<Vec3> outward_normals(const Surface& surface, const ContactPoint& at) {
    const std::vector<Weight> weights = weights_of(surface, at);
    std::vector<Vec3> normals = {smooth_normal(surface, at.face, weights)};
    if (weights.size() == 3) return normals;
    for (long f = 0; f < surface.faces.rows(); ++f) {
        const auto touches = [&](const Weight& weight) { return has_vertex(surface, f, weight.vertex); };
        if (!std::ranges::all_of(weights, touches)) continue;
        const Vec3 normal = smooth_normal(surface, f, weights);
        const auto is_known = [&](const Vec3& other) { return other.dot(normal) >= cos_crease; };
        if (std::ranges::none_of(normals, is_known)) normals.push_back(normal);
    }
    return normals;
}

void refuse_missed(std::size_t index, const scene::Strike& strike, const Vec3& closest, double size) {
    const double distance = (closest - strike.at).norm();
    if (distance <= 0.1 * size) return;
    throw Error(fmt::format(
        "strike {} misses \"{}\": ({:g}, {:g}, {:g}) is {:.3g} m away from it, more than a tenth of its size "
        "({:.3g} m). The closest point of its surface is {}",
        index + 1, strike.object, strike.at[0], strike.at[1], strike.at[2], distance, size, text_of(closest)));
}

// Where a mallet pushes: along its way, or straight in, which on an edge is between the surfaces that meet there.
Vec3 direction_of(std::size_t index, const scene::Strike& strike, const std::vector<Vec3>& outward) {
    Vec3 inward = Vec3::Zero();
    for (const Vec3& normal : outward) inward -= normal;
    inward.normalize();
    if (!strike.mallet->direction) return inward;
    const Vec3 direction = strike.mallet->direction->normalized();
    const auto goes_in = [&](const Vec3& normal) { return direction.dot(normal) < 0; };
    if (std::ranges::any_of(outward, goes_in)) return direction;
    throw Error(
        fmt::format("strike {}: the mallet moves along {}, away from the surface of \"{}\" where it should meet it; "
                    "straight into it is {}, which holds where direction is left out",
                    index + 1, text_of(*strike.mallet->direction), strike.object, text_of(inward)));
}

ContactBody as_contact(const Body& mallet) {
    return {.body = &mallet, .restitution = mallet.material.restitution, .is_movable = true, .hears_pulses = true};
}

Impact impact_of(const scene::Strike& strike, const PlacedStrike& placed, int object, int mallet) {
    Impact impact{.time = strike.time, .approach_speed = strike.mallet->speed, .sides = {}};
    impact.sides[0] = {.body = object, .point = placed.at.point, .normal = placed.normal, .impulse = placed.impulse};
    impact.sides[1] = {.body = mallet,
                       .point = -placed.normal * placed.mallet->radius,
                       .normal = -placed.normal,
                       .impulse = -placed.impulse};
    return impact;
}

// By a mallet that meets nothing else than this object.
Vec3 impulse_alone(const scene::Strike& strike, const PlacedStrike& placed, const SoundingObject& struck) {
    const Impact impact = impact_of(strike, placed, 0, 1);
    RingingBodies silent(2);
    long cut = 0;
    const FollowedImpact alone =
        followed({&impact, 1}, {contact_body(struck), as_contact(*placed.mallet)}, {}, silent, cut).front();
    double impulse = 0;
    for (const ForcePulse& pulse : alone.pulses) impulse += pulse.impulse;
    return -impulse * placed.normal;
}

}  // namespace

PlacedStrike placed_strike(const Scene& scene, std::size_t index, const SoundingObject& struck) {
    const scene::Strike& strike = scene.strikes[index];
    const Body& body = *struck.body;
    PlacedStrike placed{.index = index, .at = (*body.finder)(strike.at)};
    refuse_missed(index, strike, placed.at.point, bounds_of(body.surface->vertices).diagonal());
    if (!strike.mallet) {
        placed.impulse = strike.impulse;
        placed.normal = -strike.impulse.normalized();
        return placed;
    }
    if (strike.mallet->radius > body.radius)
        throw Error(
            fmt::format("strike {}: the head of the mallet, with a radius of {:g} m, is larger than \"{}\" "
                        "({:.3g} m from its centre to its farthest point); give a smaller radius, in metres",
                        index + 1, strike.mallet->radius, strike.object, body.radius));
    placed.normal = -direction_of(index, strike, outward_normals(*body.surface, placed.at));
    const scene::Mallet& by = *strike.mallet;
    placed.mallet = std::make_shared<const Body>(ball_of(by.material, by.radius, by.mass / by.material.density));
    return placed;
}

std::vector<PlacedStrike> placed_strikes(const Scene& scene, const std::vector<SoundingObject>& objects) {
    std::vector<PlacedStrike> all;
    for (std::size_t i = 0; i < scene.strikes.size(); ++i) {
        const auto struck = std::ranges::find(objects, scene.strikes[i].object, &SoundingObject::name);
        if (struck == objects.end() || !struck->body || !struck->body->finder) continue;
        all.push_back(placed_strike(scene, i, *struck));
        all.back().object = int(struck - objects.begin());
    }
    parallel_for(std::ssize(all), [&](long k) {
        PlacedStrike& one = all[k];
        if (one.mallet) one.impulse = impulse_alone(scene.strikes[one.index], one, objects[size_t(one.object)]);
    });
    return all;
}

MalletImpacts mallet_impacts(const Scene& scene, const std::vector<PlacedStrike>& strikes, int object_count) {
    MalletImpacts out;
    for (const PlacedStrike& one : strikes) {
        if (!one.mallet) continue;
        out.impacts.push_back(
            impact_of(scene.strikes[one.index], one, one.object, object_count + int(out.mallets.size())));
        out.mallets.push_back(as_contact(*one.mallet));
    }
    return out;
}

void add_given(const Scene& scene, const std::vector<PlacedStrike>& strikes, const std::vector<SoundingObject>& objects,
               std::vector<Excitation>& excitations) {
    for (const PlacedStrike& one : strikes) {
        if (one.mallet) continue;
        const scene::Strike& strike = scene.strikes[one.index];
        const SoundingObject& object = objects[size_t(one.object)];
        Excitation& excitation = excitations[size_t(one.object)];
        if (object.mobility)
            excitation.impulses.push_back(
                {strike.time, strike.contact_time, strike.shape, object.mobility->modal_impulse(one.at, one.impulse)});
        if (object.hears_pulses)
            excitation.pulses.push_back({strike.time, strike.contact_time, strike.shape, one.at.point, one.impulse});
    }
    for (Excitation& excitation : excitations) std::ranges::stable_sort(excitation.pulses, {}, &ContactPulse::start);
}

}  // namespace clangor
