// A spring that comes to rest on the ground: how loud it is meanwhile, with and without what takes its last motion.
#include <clangor/validation/cases.hpp>

#include <clangor/radiation/dipole/dipole.hpp>
#include <clangor/vibration/rod/rod.hpp>
#include <clangor/vibration/rod_contact/rod_contact.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::validation {
namespace {

constexpr double fall_step_hz = 96e3, fall_rate_hz = 48e3, fall_seconds = 0.5, window_seconds = 0.01;
constexpr double damped_below = 0.05;  // root mean square [m/s]
constexpr double coil_radius = 0.0325, coil_pitch = 0.002, wire_width = 0.95e-3, wire_height = 0.38e-3;
constexpr long rings = 4, points_a_ring = 12;

// Upright, its lowest point 1 mm above the ground, and leaning a little.
Points fallen_spring() {
    Points points(rings * points_a_ring + 1, 3);
    for (long i = 0; i < points.rows(); ++i) {
        const double turns = double(i) / double(points_a_ring);
        points.row(i) << coil_radius * std::cos(2 * pi * turns), coil_pitch * turns,
            coil_radius * std::sin(2 * pi * turns);
    }
    const Mat3 lean = Eigen::AngleAxisd(0.02, Vec3::UnitZ()).toRotationMatrix();
    points = Points(points * lean.transpose());
    points.col(1).array() += 0.001 - points.col(1).minCoeff();
    return points;
}

/// Levels in windows of 10 ms [dB SPL].
struct Fall {
    std::vector<double> levels_db;
};

Fall fall_of(bool is_damped, const Progress& progress) {
    const Material steel{.name = "steel", .density = 7850, .young = 205e9, .poisson = 0.29};
    const RodPlan plan = rod_plan(
        {.points = fallen_spring(), .section = flat_bar(wire_width, wire_height), .first_direction = Vec3::UnitX()},
        steel);
    RodStepper spring(plan, {.damping = {.alpha = 0, .beta = 2e-7}, .gravity = {0, -9.81, 0}});
    spring.balance();
    RodContactOptions options{.law = {.friction = 0.3, .restitution = 0.3}};
    options.damped_below = is_damped ? damped_below : 0;
    RodContacts world({{.rod = &spring, .radius = wire_height / 2}}, {RodObstacle{}}, options);
    const RadiatingRod radiating =
        radiating_rod(RectangleSection{wire_width, wire_height}, plan.share.head(plan.points));
    DipoleSum sum({.source_rate = fall_step_hz, .sample_rate = fall_rate_hz, .reach = 0.1}, Air{});
    const Vec3 ear(0.5, 0.3, 0);
    RodInstant instant;
    const long steps = std::lround(fall_seconds * fall_step_hz);
    for (long k = 0; k < steps; ++k) {
        if (k % 1024 == 0) progress("rod-rest", (is_damped ? 0.5 : 0.0) + 0.5 * double(k) / double(steps));
        world.step(1 / fall_step_hz);
        const RodState& state = spring.state();
        instant.positions = state.place.topRows(3).transpose();
        // Counted from free fall, which is no sound.
        instant.accelerations = state.heard.topRows(3).transpose();
        instant.accelerations.col(1).array() += 9.81;
        const RodFrames frames = material_frames(plan, state);
        const SectionFrames at_points = frames_at_points({frames.d_1, frames.d_2}, false);
        instant.d_1 = at_points.d_1;
        instant.d_2 = at_points.d_2;
        sum.add(sources_of(radiating, instant, Air{}), {.receiver = ear});
    }
    std::vector<float> samples(size_t(sum.ready()));
    sum.take(samples);
    Fall fall;
    const long window = std::lround(window_seconds * fall_rate_hz);
    for (long begin = 0; begin + window <= std::ssize(samples); begin += window) {
        double squares = 0, mean = 0;
        for (long j = begin; j < begin + window; ++j) {
            mean += double(samples[size_t(j)]) / double(window);
            squares += square(double(samples[size_t(j)])) / double(window);
        }
        fall.levels_db.push_back(10 * std::log10(std::max(squares - mean * mean, 1e-20) / square(2e-5)));
    }
    return fall;
}

Curve level_curve(const std::string& label, const Fall& fall) {
    Curve curve{.label = label};
    for (size_t w = 0; w < fall.levels_db.size(); ++w) {
        curve.x.push_back((double(w) + 0.5) * window_seconds);
        curve.y.push_back(std::max(fall.levels_db[w], -40.0));
    }
    return curve;
}

double last_below_loudest(const Fall& fall) {
    const double loudest = *std::max_element(fall.levels_db.begin(), fall.levels_db.end());
    return *std::max_element(fall.levels_db.end() - 5, fall.levels_db.end()) - loudest;
}

}  // namespace

Case rod_rest_case(const Progress& progress) {
    Case result{
        .name = "rod-rest",
        .title = "A spring of four rings that falls on the ground and comes to rest",
        .source = "nothing moves on that only rests",
        .settings = "49 points, steps at 96 kHz, rigid contacts, rms in windows of 10 ms at 0.6 m",
        .remark =
            "What rods that touch something do below 5 cm/s, beside moving as a whole, is taken from them within "
            "20 ms (scenes: below 1 mm/s); without that the spring rattles on under its own weight"};
    const Fall free = fall_of(false, progress), damped = fall_of(true, progress);
    result.bounds.push_back(
        {"last 50 ms against the loudest 10 ms, with the last motion taken [dB]", last_below_loudest(damped), -60});
    result.bounds.push_back({"the same, without [dB]", last_below_loudest(free), -60, true});
    result.plots.push_back({.title = "level over time",
                            .x_label = "time [s]",
                            .y_label = "level [dB SPL]",
                            .curves = {level_curve("without", free), level_curve("last motion taken", damped)}});
    return result;
}

}  // namespace clangor::validation
