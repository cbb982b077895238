// From a surface to its model: plan a grid, listen on spheres, fit.
#include <clangor/radiation/acceleration/acceleration.hpp>
#include <clangor/radiation/acceleration/sphere_fit.hpp>

#include <Eigen/Eigenvalues>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>

namespace clangor {
namespace {

// Of the wave that a model must hold: what is heard at 48 kHz.
constexpr double audible_hz = 20e3;

// A map of directions needs at least three terms of Σ q_k/R^k where ours needs one signal a harmonic: for the same
// storage as that map.
constexpr int radial_terms = 3;

void check_options(const AccelerationOptions& options) {
    const auto fail = [](const std::string& what) { throw Error("acceleration noise: " + what); };
    if (options.theta_count < 1 || options.phi_count < 1)
        fail(fmt::format("a map of {} × {} directions holds nothing; use 5 × 10", options.theta_count,
                         options.phi_count));
    if (options.recording_radii.empty() || !(options.recording_radii.front() >= 1.2) ||
        !std::is_sorted(options.recording_radii.begin(), options.recording_radii.end()))
        fail("the spheres must ascend from at least 1.2 body radii; use 1.35, 1.7");
    if (options.cell_size < 0 || options.pulse_scale < 0 || options.max_duration < 0 || !(options.max_cells >= 1e4))
        fail("cell_size, pulse_scale and max_duration must not be negative, max_cells at least 10000");
}

double radius_about(const Surface& surface, const Vec3& centre) {
    return (surface.vertices.rowwise() - centre.transpose()).rowwise().norm().maxCoeff();
}

// Harmonics about the axis of a body of revolution: then only orders 0 and 1 are heard, 3 signals a degree in place of
// 2l + 1. The axis is that of the moment of inertia which stands apart from the other two.
Mat3 harmonic_frame(const MassProperties& body) {
    if (!(body.volume > 0)) return Mat3::Identity();
    const Eigen::SelfAdjointEigenSolver<Mat3> inertia(body.inertia);
    const Vec3 moments = inertia.eigenvalues();
    const double below = moments[1] - moments[0], above = moments[2] - moments[1];
    if (std::max(below, above) < 1e-3 * moments[2]) return Mat3::Identity();
    Vec3 axis = inertia.eigenvectors().col(below > above ? 0 : 2);
    Eigen::Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    if (axis[largest] < 0) axis = -axis;
    Mat3 frame;
    frame.col(2) = axis;
    frame.col(0) = axis.unitOrthogonal();
    frame.col(1) = axis.cross(frame.col(0));
    return frame;
}

double top_frequency(double h) { return std::min(0.5 / h, audible_hz); }

// A body of radius R radiates harmonics up to about l = kR; beyond that they die out over a few degrees.
constexpr int spare_degrees = 5, largest_degree = 50;

int recorded_degree(double radius, double h, const Air& air) {
    const double kR = 2 * pi * top_frequency(h) / air.speed_of_sound * radius;
    return std::clamp(static_cast<int>(std::ceil(kR)) + spare_degrees, 6, largest_degree);
}

// As fine as waves (8 cells per wavelength), the body (12 cells per radius) and its walls (volume/area: half a wall)
// ask for; walls no finer than R/40, because the solver sees thinner ones too, and never more than max_cells.
double planned_cell(const Surface& surface, const MassProperties& body, double radius, double h, const Air& air,
                    const AccelerationOptions& options) {
    if (options.cell_size > 0) return options.cell_size;
    const double by_wave = air.speed_of_sound / top_frequency(h) / 8, by_body = radius / 12;
    const double by_wall = body.volume > 0 ? std::max(body.volume / area_of(surface), radius / 40) : radius / 40;
    const double wanted = std::min({by_wave, by_body, by_wall});
    constexpr int border_cells = 26;  // absorbing layers and what the interpolation reads
    const double across = std::cbrt(options.max_cells) - border_cells;
    return std::max(wanted, 2 * options.recording_radii.back() * radius / std::max(across, 8.0));
}

std::vector<std::string> warnings_of(const Surface& surface, const acceleration::RecordingSpheres& setup,
                                     const WaveGridReport& grid, const std::vector<NoiseMotion>& heard) {
    std::vector<std::string> warnings;
    const double resolved_hz = (setup.degree - spare_degrees) * setup.air.speed_of_sound / (2 * pi * setup.radius);
    if (setup.degree == largest_degree && resolved_hz < 0.9 * top_frequency(setup.pulse_scale))
        warnings.push_back(
            fmt::format("the body is so large ({:.2g} m) that its sound above {:.2g} kHz has finer directions than "
                        "are recorded and is only roughly right",
                        2 * setup.radius, 1e-3 * resolved_hz));
    const double lost = grid.lost_area / area_of(surface);
    if (lost > 0.01)
        warnings.push_back(
            fmt::format("{:.0f} % of the surface lies in slots finer than the grid's cells of {:.3g} mm and makes "
                        "no sound; reference quality has finer ones",
                        100 * lost, 1e3 * grid.cell_size));
    const auto loudest_end = std::max_element(heard.begin(), heard.end(), [](const auto& a, const auto& b) {
        return (a.died_out ? -1e9 : a.residual_db) < (b.died_out ? -1e9 : b.residual_db);
    });
    if (loudest_end != heard.end() && !loudest_end->died_out)
        warnings.push_back(fmt::format("its click had only sunk by {:.0f} dB after {:.3g} ms and is faded out there",
                                       -loudest_end->residual_db, 1e3 * loudest_end->end_time));
    return warnings;
}

}  // namespace

AccelerationBake bake_acceleration_noise(const Surface& surface, const MassProperties& body, const Material& material,
                                         const Air& air, const AccelerationOptions& options,
                                         const AccelerationResume& resume, const Progress& progress) {
    check_options(options);
    constexpr double longest_h = 0.6 / audible_hz;
    const double h = options.pulse_scale > 0 ? options.pulse_scale : std::min(pulse_scale(body, material), longest_h);
    const double radius = radius_about(surface, body.centre);
    acceleration::RecordingSpheres setup{.centre = body.centre,
                                         .frame = harmonic_frame(body),
                                         .radius = radius,
                                         .recording_radii = {},
                                         .degree = recorded_degree(radius, h, air),
                                         .pulse_scale = h,
                                         .air = air};
    for (const double sphere : options.recording_radii) setup.recording_radii.push_back(sphere * radius);

    const Stopwatch watch;
    const WaveSolver solver(
        surface, acceleration::shell_points(setup), air,
        {.cell_size = planned_cell(surface, body, radius, h, air, options), .memory_limit = options.memory_limit});
    const double crossing = radius / air.speed_of_sound;
    WaveRunOptions run{
        .start_time = -2 * h,
        .max_duration = options.max_duration > 0 ? options.max_duration : std::max(160 * crossing, 50 * h),
        .decay_db = options.decay_db};
    run.record_every = std::max(1, static_cast<int>(h / 4 / solver.report().time_step));
    const std::array<Points, 6> rigid = rigid_motions(surface, body.centre);
    std::vector<NoiseMotion> motions = resume.begun;
    double fit_seconds = 0;
    std::mutex mutex;  // of what the motions, which run side by side as far as memory goes, have in common
    std::array<double, 6> done{};
    const double bytes = static_cast<double>(solver.report().bytes_per_field),
                 fit = options.memory_limit > 0 ? 0.5 * static_cast<double>(options.memory_limit) / bytes : 6;
    const AtMost together{static_cast<long>(std::clamp(fit, 1.0, 6.0))};
    parallel_for(6, together, [&](long m) {
        const auto is_known = [&](const NoiseMotion& known) { return known.motion == m; };
        if (std::any_of(resume.begun.begin(), resume.begun.end(), is_known)) return;
        const Progress part{[&](std::string_view stage, double x) {
            const std::lock_guard lock(mutex);
            done[m] = x;
            progress(stage, std::accumulate(done.begin(), done.end(), 0.0) / 6);
        }};
        const WaveField field = {{{rigid[m], [h](double t) { return mitchell_pulse(t, h); }}}};
        const WaveRecord record = solver.run({field}, run, part);
        const Stopwatch fitting;
        NoiseMotion fitted = acceleration::fit_motion(setup, record, static_cast<int>(m),
                                                      radial_terms * options.theta_count * options.phi_count);
        const std::lock_guard lock(mutex);
        fit_seconds += fitting.seconds();
        motions.push_back(std::move(fitted));
        if (resume.keep) resume.keep(motions);
    });
    std::sort(motions.begin(), motions.end(), [](const auto& a, const auto& b) { return a.motion < b.motion; });
    acceleration::SphereFit fitted = acceleration::assembled(setup, motions);
    std::erase_if(motions, [&](const NoiseMotion& motion) {
        return std::find(fitted.heard.begin(), fitted.heard.end(), motion.motion) == fitted.heard.end();
    });
    return {.noise = std::move(fitted.noise),
            .grid = solver.report(),
            .fit_residual = fitted.residual,
            .died_out = std::all_of(motions.begin(), motions.end(), [](const auto& m) { return m.died_out; }),
            .solve_seconds = watch.seconds() - fit_seconds,
            .fit_seconds = fit_seconds,
            .warnings = warnings_of(surface, setup, solver.report(), motions)};
}

}  // namespace clangor
