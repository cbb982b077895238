// Collisions become clicks, and impacts of what is hit   docs/theory/grain-sound.md, section 7.
#include <clangor/objects/grains/grain_recorder.hpp>

#include <clangor/radiation/spheres/spheres.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// A collision is left out if it stays below the threshold of hearing even so near [m], or if it is slower than any
// impact that is told from the jitter of rest [m/s].
constexpr double nearest_ear = 0.05, slowest = 2e-3;
constexpr double hearing_threshold = 2e-5;  // [Pa]

// Each takes half a kilobyte, and as much again for every 60 modes of what it hits.
constexpr long most_impacts = 300'000;

std::array<float, 3> small(const Vec3& v) { return {float(v[0]), float(v[1]), float(v[2])}; }

double mass_of(const GrainMeeting& meeting, size_t ball) {
    return 4 * pi / 3 * meeting.materials[ball]->density * cube(meeting.radii[ball]);
}

}  // namespace

double inverse_mass_of(const GrainMeeting& meeting) {
    double inverse = 0;
    for (const size_t ball : {0u, 1u})
        if (meeting.radii[ball] > 0) inverse += 1 / mass_of(meeting, ball);
    return inverse;
}

GrainContact contact_of(const Encounter& encounter, const GrainMeeting& meeting, const GrainSurface& surface) {
    const double e = restitution_at(surface, surface, encounter.speed);
    const double impulse = (1 + e) * encounter.speed / inverse_mass_of(meeting);
    return {.time = encounter.time,
            .point = encounter.point,
            .normal = encounter.normal,
            .impulse = impulse * (encounter.normal + encounter.friction),
            .speed = encounter.speed};
}

GrainRecorder::GrainRecorder(const GrainsHere& grains, const Surroundings& around, const Air& air, GrainRun& run,
                             OwnMotion& own)
    : grains_(grains), around_(around), air_(air), run_(run), own_(own), still_(around.neighbours.size()) {
    for (size_t w = 0; w < still_.size(); ++w)
        if (!moves(*around.neighbours[w].path)) still_[w] = pose_at(*around.neighbours[w].path, 0);
}

void GrainRecorder::add(const GrainMeeting& meeting, const GrainContact& contact) {
    if (meeting.wall >= 0 && contact.speed > slowest && answers(meeting.wall)) add_impact(meeting, contact);
    add_sound(meeting, contact);
}

bool GrainRecorder::answers(int wall) const {
    const Neighbour& neighbour = around_.neighbours[size_t(wall)];
    return neighbour.sounding->mobility || neighbour.sounding->hears_pulses || neighbour.gives_way;
}

Eigen::Isometry3d GrainRecorder::pose_of(int wall, double time) const {
    const std::optional<Eigen::Isometry3d>& still = still_[size_t(wall)];
    return still ? *still : pose_at(*around_.neighbours[size_t(wall)].path, time);
}

std::array<ContactSide, 2> GrainRecorder::sides_of(int wall, const GrainContact& contact) const {
    const Eigen::Isometry3d pose = pose_of(wall, contact.time);
    const Mat3 body_from_world = pose.linear().transpose();
    std::array<ContactSide, 2> sides;
    sides[0] = {.body = around_.neighbours[size_t(wall)].object,
                .point = body_from_world * (contact.point - pose.translation()),
                .normal = body_from_world * contact.normal,
                .impulse = -(body_from_world * contact.impulse)};
    sides[1] = {.body = grains_.object,  // about the centre of the grain
                .point = -grains_.grains->radius * contact.normal,
                .normal = -contact.normal,
                .impulse = contact.impulse};
    return sides;
}

void GrainRecorder::add_sound(const GrainMeeting& meeting, const GrainContact& contact) {
    SphereCollision collision{.time = contact.time,
                              .point = contact.point,
                              .normal = contact.normal,
                              .impulse = contact.impulse,
                              .radii = meeting.radii};
    HertzContact hertz{.inverse_mass = inverse_mass_of(meeting),
                       .modulus = contact_modulus(*meeting.materials[0], *meeting.materials[1])};
    for (const size_t ball : {0u, 1u}) {
        if (!(meeting.radii[ball] > 0)) continue;
        collision.masses[ball] = mass_of(meeting, ball);
        hertz.curvature += 1 / meeting.radii[ball];
    }
    collision.duration = std::min(hertz_time(hertz, contact.speed), longest_sphere_contact);
    const Vec3 ear = contact.point + (nearest_ear + collision.radii[0]) * contact.impulse.normalized();
    if (!(contact.speed > slowest / 10) ||
        loudest_pressure(collision, ear, air_, PulseShape::Hertz) < hearing_threshold) {
        ++run_.quiet;
        return;
    }
    run_.low = run_.record.size() == 0 ? contact.point : run_.low.cwiseMin(contact.point);
    run_.high = run_.record.size() == 0 ? contact.point : run_.high.cwiseMax(contact.point);
    RecordedCollision recorded{.time = contact.time,
                               .point = small(contact.point),
                               .normal = small(contact.normal),
                               .impulse = small(contact.impulse),
                               .duration = float(collision.duration)};
    for (const size_t ball : {0u, 1u}) {
        recorded.radii[ball] = float(collision.radii[ball]);
        recorded.masses[ball] = float(collision.masses[ball]);
        if (recorded.radii[ball] > 0) run_.radii.add(double(recorded.radii[ball]));
    }
    run_.record.add(recorded);
}

void GrainRecorder::add_impact(const GrainMeeting& meeting, const GrainContact& contact) {
    if (run_.wall_impacts++ >= most_impacts) return;
    own_.impacts.push_back({.time = contact.time,
                            .impulse = -contact.impulse,
                            .approach_speed = contact.speed,
                            .sides = sides_of(meeting.wall, contact)});
}

std::string warning_of_impacts(const GrainRun& run) {
    if (run.wall_impacts <= most_impacts) return {};
    return fmt::format(
        "{} impacts on other objects, of which only the first {} make them ring; take fewer or larger grains",
        run.wall_impacts, most_impacts);
}

}  // namespace clangor
