// A bar that lands one end after the other: impacts on a body that rings from the one before, and is moved by it.
#include <clangor/render/followed_impacts.hpp>
#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tilted_bar_test {

using namespace clangor;

namespace {

constexpr double half_length = 0.1, half_height = 0.005, speed = 1;

// Nothing but contacts and modes: no weight, no friction, no losses.
Scene bar_over_stone() {
    Scene scene{.duration = 0.05};
    scene::Solid bar{.name = "bar", .mesh = Box{.size = {2 * half_length, 2 * half_height, 0.02}}};
    bar.material = *find_material("steel");
    bar.material.damping = {};
    bar.material.thermal = {};
    bar.velocity = {0, -speed, 0};
    bar.restitution = 1;
    scene.objects = {bar, scene::Ground{.name = "floor", .material = *find_material("granite"), .restitution = 1}};
    scene.motion.gravity = Vec3::Zero();
    scene.motion.contacts = {{.object = "bar", .other = "floor", .friction = 0}};
    scene.listeners = {{.name = "mic", .position = {0, 1, 1}}};
    return scene;
}

void tilt_by(Baked& baked, double angle) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.linear() = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
    pose.translation().y() = 0.005 + half_length * std::sin(angle) + half_height * std::cos(angle);
    baked.objects[0].path = [pose] { return io::ImportedPath{at_rest(pose), {}}; };
}

std::vector<ContactBody> bodies_of(const Baked& baked) {
    std::vector<ContactBody> bodies;
    for (const SoundingObject& object : baked.objects) bodies.push_back(contact_body(object));
    return bodies;
}

size_t side_of_bar(const Impact& impact) { return impact.sides[0].body == 0 ? 0 : 1; }

// Both ends in one loop, from the moment when the first touches until both have parted for good. The bar turns by
// 8 degrees until the second touches, at most: the levers stay.
ElasticResult both_ends_at_once(const Impact& first, const std::vector<ContactBody>& bodies, double angle,
                                double steps) {
    const Body& bar = *bodies[0].body;
    const ModalMobility& mobility = *bodies[0].mobility;
    const double density = bar.material.density;
    const size_t s = side_of_bar(first);
    ElasticImpact impact;
    impact.inverse_mass = Eigen::MatrixXd::Zero(2, 2);
    ImpactModes modes{.omega = mobility.omega,
                      .xi = Eigen::VectorXd::Zero(mobility.omega.size()),
                      .shapes = Eigen::MatrixXd::Zero(2, mobility.omega.size())};
    std::array<Vec3, 2> lever;
    for (int i = 0; i < 2; ++i) {
        std::array<ContactSide, 2> sides = first.sides;
        if (i == 1) sides[s].point.x() *= -1;
        const LocalContact local = local_contact(sides, bodies);
        impact.contacts.push_back({.stiffness = 4.0 / 3 * local.hertz.modulus / std::sqrt(local.hertz.curvature),
                                   .approach = speed,
                                   .gap = i * 2 * half_length * std::sin(angle),
                                   .mobility = plate_mobility(bar.material, wall_at(bar, local.at[s])),
                                   .corner = mobility.omega.maxCoeff()});
        modes.shapes.row(i) = mobility.modal_impulse(local.at[s], -sides[s].normal).transpose();
        lever[i] = (sides[s].point - bar.mass.centre).cross(sides[s].normal);
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            impact.inverse_mass(i, j) =
                1 / (bar.mass.volume * density) + lever[i].dot((bar.mass.inertia * density).ldlt().solve(lever[j]));
    impact.bodies = {modes};
    impact.longest = 0.05;
    impact.steps_per_contact = steps;
    return follow(impact);
}

/// Of the bar's modes after it has landed, and what was lost of its motion as a rigid body [J].
struct Landing {
    double tilt_deg = 0;
    double least = 0, energy = 0;           ///< as it is rendered; the least at any time
    double exact = 0, exact_with_half = 0;  ///< in one loop, and with half of its steps
    bool has_parted = false;
};

Landing landing(Baked& baked, const Scene& scene, double tilt_deg) {
    const double angle = tilt_deg * pi / 180;
    tilt_by(baked, angle);
    const std::vector<ContactBody> bodies = bodies_of(baked);
    const std::vector<Impact> impacts = motion_of(scene, baked).impacts;
    REQUIRE(impacts.size() >= 2);
    RingingBodies ringing(bodies.size());
    long cut = 0;
    Landing out{.tilt_deg = tilt_deg};
    for (const FollowedImpact& one : followed(impacts, bodies, {}, ringing, cut)) {
        out.energy += one.modal_energy[side_of_bar(impacts[0])];
        out.least = std::min(out.least, out.energy);
    }
    const ElasticResult exact = both_ends_at_once(impacts[0], bodies, angle, 40);
    out.exact = exact.modal_energy[0];
    out.has_parted = exact.has_parted;
    out.exact_with_half = both_ends_at_once(impacts[0], bodies, angle, 20).modal_energy[0];
    return out;
}

std::vector<Landing> landings(std::span<const double> tilts_deg) {
    const Scene scene = bar_over_stone();
    Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    std::vector<Landing> out;
    for (const double tilt_deg : tilts_deg) out.push_back(landing(baked, scene, tilt_deg));
    return out;
}

// Finer where the second end lands while the first is still in contact.
std::vector<double> tilts_from_0_to_5() {
    std::vector<double> tilts;
    for (int i = 0; i < 40; ++i) tilts.push_back(0.025 * i);
    for (int i = 0; i <= 40; ++i) tilts.push_back(1 + 0.1 * i);
    return tilts;
}

}  // namespace

TEST_CASE("a bar that lands tilted: its modes get what both ends in one loop give them") {
    const double had = 0.5 * 0.3144 * square(speed);
    const std::vector<Landing> all = landings(tilts_from_0_to_5());
    double error = 0, error_of_half = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        const Landing& one = all[i];
        CAPTURE(one.tilt_deg);
        CHECK(one.has_parted);
        CHECK(one.least == 0);
        CHECK(one.energy > 0);
        CHECK(one.energy < had);
        // What is a little different at the first touch grows from one to the next. The largest of 1001 tilts: 0.4 %,
        // 2.3 %, 10 % and 26 % of what the bar had; with half of its steps the loop is off by 2.7, 5.8, 13 and 29 %.
        const double tilt = one.tilt_deg;
        const double tolerance = (tilt < 0.5 ? 0.005 : tilt < 1 ? 0.025 : tilt < 2 ? 0.11 : 0.28) * had;
        CHECK(std::abs(one.energy - one.exact) < tolerance);
        error += square(one.energy - one.exact);
        error_of_half += square(one.exact_with_half - one.exact);
        if (i == 0) continue;
        const Landing& before = all[i - 1];
        CHECK(std::abs(one.energy - before.energy) < std::abs(one.exact - before.exact) + tolerance);
    }
    CHECK(error < error_of_half);
}

TEST_CASE("the energy of a tilted bar's modes has no steps: tilts ten times as near differ by a tenth") {
    const auto largest_step = [](double from, double step, int count) {
        std::vector<double> tilts;
        for (int i = 0; i <= count; ++i) tilts.push_back(from + i * step);
        const std::vector<Landing> all = landings(tilts);
        double largest = 0;
        for (size_t i = 1; i < all.size(); ++i)
            largest = std::max(largest, std::abs(all[i].energy - all[i - 1].energy));
        return largest;
    };
    // Where it is steepest: near 0.93° both ends touch at once, near 4.8° one long after the other.
    for (const double from : {0.93, 4.8}) {
        CAPTURE(from);
        CHECK(largest_step(from, 5e-5, 200) < 0.2 * largest_step(from, 5e-4, 20));
    }
}

TEST_CASE("table of a tilted bar's energies" * doctest::skip()) {
    std::vector<double> tilts;
    for (int i = 0; i <= 1000; ++i) tilts.push_back(0.005 * i);
    for (const Landing& one : landings(tilts))
        std::printf("%g,%.6g,%.6g,%.6g\n", one.tilt_deg, one.energy, one.exact, one.exact_with_half);
}

}  // namespace tilted_bar_test
