// The click of a ball: solved on a grid, and made of its closed form by add_click, against the exact solution.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/exact_ball.hpp>

#include <clangor/motion/contact/contact.hpp>
#include <clangor/radiation/acceleration/acceleration.hpp>
#include <clangor/radiation/bem/bem.hpp>
#include <clangor/radiation/wave/wave.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clangor::validation {
namespace {

const Air air;
constexpr double push = 1000;  // the peak acceleration of a pulse, nearly [m/s²]

/// Two waveforms at the same times.
struct Comparison {
    std::vector<double> times, exact, found;

    void add(double time, double expected, double actual) {
        times.push_back(time);
        exact.push_back(expected);
        found.push_back(actual);
    }
    static double peak(const std::vector<double>& wave) {
        double largest = 0;
        for (const double p : wave) largest = worse(largest, std::abs(p));
        return largest;
    }
    double relative_error() const {  ///< ‖found − exact‖/‖exact‖
        double error = 0, power = 0;
        for (size_t i = 0; i < exact.size(); ++i) {
            error += square(found[i] - exact[i]);
            power += square(exact[i]);
        }
        return std::sqrt(error / power);
    }
};

struct GridRun {
    std::vector<Comparison> points;
    double turning_db = 0;  ///< loudest sample of a ball that turns, as fast at its equator, over that of the push
};

// A ball bearing on a grid, pushed along x by 1000 m/s² · ψ(t;h) and, apart from that, turned about z.
GridRun on_grid(double cells_per_radius, double h_radii, const std::vector<Vec3>& points_radii,
                const Progress& progress) {
    const double a = 0.0075, h = h_radii * a / air.speed_of_sound;
    const auto pulse = [h](double t) { return push * mitchell_pulse(t, h); };
    Points points(long(points_radii.size()), 3);
    double furthest = 0;
    for (size_t i = 0; i < points_radii.size(); ++i) {
        points.row(long(i)) = a * points_radii[i];
        furthest = std::max(furthest, points_radii[i].norm());
    }
    const double duration = 4 * h + (furthest + 4) * a / air.speed_of_sound;
    const Surface ball = surface_of(Sphere{a});
    const std::array<Points, 6> rigid = rigid_motions(ball, Vec3::Zero());
    const Points turning = rigid[5] / a;
    const WaveSolver solver(ball, points, air, {.cell_size = a / cells_per_radius});
    const WaveRecord record = solver.run({{{{rigid[0], pulse}}}, {{{turning, pulse}}}},
                                         {.start_time = -2 * h, .max_duration = duration}, progress);
    const ExactBall exact(a, air, pulse, {-2 * h, duration, h / 400});
    GridRun result;
    for (long i = 0; i < points.rows(); ++i) {
        Comparison& at = result.points.emplace_back();
        for (long k = 0; k < record.samples(); ++k)
            at.add(record.time(k), exact.pressure(points.row(i), record.time(k)), double(record.pressure[0](k, i)));
    }
    result.turning_db = 20 * std::log10(double(record.pressure[1].cwiseAbs().maxCoeff()) /
                                        double(record.pressure[0].cwiseAbs().maxCoeff()));
    return result;
}

// Loud and smooth: 1.5 a/c, what a grid of ten cells per radius carries well.
void add_soft_pulse(Case& result, const Progress& progress) {
    const std::vector<std::pair<std::string, Vec3>> directions = {
        {"0°", Vec3(1, 0, 0)}, {"45°", Vec3(1, 1, 0).normalized()}, {"55°", Vec3(1, 1, 1).normalized()}};
    std::vector<Vec3> points;
    for (const double r : {2.0, 3.0})
        for (const auto& [name, direction] : directions) points.push_back(r * direction);
    const GridRun run = on_grid(10, 1.5, points, progress);
    double worst = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        const Comparison& at = run.points[i];
        result.rows.push_back({fmt::format("grid: peak at {} a, {}", i < 3 ? 2 : 3, directions[i % 3].first),
                               Comparison::peak(at.exact), Comparison::peak(at.found), 0.01, "Pa"});
        worst = worse(worst, at.relative_error());
    }
    result.bounds.push_back({"grid, h = 1.5 a/c, 10 cells per radius: worst error of a waveform (L2)", worst, 0.01});
    result.bounds.push_back({"grid: level of a ball that turns, over one that is pushed [dB]", run.turning_db, -50});
}

// As short as a ball bearing's own: 0.34 a/c.
void add_hard_pulse(Case& result, const Progress& progress) {
    const std::vector<Vec3> points = {{2.5, 0, 0}, 2.5 * Vec3(1, 1, 0).normalized(), 2.5 * Vec3(1, 1, 1).normalized()};
    const GridRun run = on_grid(20, 0.34, points, progress);
    double worst = 0;
    for (const Comparison& at : run.points) worst = worse(worst, at.relative_error());
    result.bounds.push_back({"grid, h = 0.34 a/c, 20 cells per radius: worst error of a waveform (L2)", worst, 0.04});
    std::vector<double> microseconds;
    for (const double t : run.points[0].times) microseconds.push_back(1e6 * t);
    result.plots = {{.x_label = "time [µs]",
                     .y_label = "pressure [Pa]",
                     .curves = {{"exact", microseconds, run.points[0].exact, CurveStyle::Band},
                                {"grid of 20 cells per radius", microseconds, run.points[0].found}}}};
}

// Two steel balls meet at 1 m/s and part at 1 m/s, heard 0.4 m from where they touch; neither is in the other's way.
void add_collision(Case& result) {
    const double a = 0.01905, rate = 192000;
    const Material steel{"steel", 7850, 200e9, 0.29, {}, ""};
    const double mass = 4 * pi / 3 * cube(a) * steel.density;
    const double tau = hertz_time({2 / mass, 2 / a, contact_modulus(steel, steel)}, 1);
    const double h = pulse_scale({.volume = 4 * pi / 3 * cube(a)}, steel);
    const PreparedNoise noise = prepare(sphere_noise(a, h, air), rate);
    const ExactBall exact(a, air, [tau](double t) { return unit_pulse(PulseShape::Hertz, t / tau) / tau; },
                          {0, 4e-3, tau / 4000});
    double worst = 0;
    for (const double theta_deg : {0.0, 45.0, 90.0}) {
        const double theta = theta_deg * pi / 180;
        const Vec3 listener = 0.4 * Vec3(std::cos(theta), std::sin(theta), 0);
        std::vector<float> heard(512);
        for (const double side : {1.0, -1.0}) {  // a click is over its time of emission: its delay is put into its time
            const Vec3 arm = listener - Vec3(side * a, 0, 0);
            add_click(heard, noise,
                      {.time = arm.norm() / air.speed_of_sound,
                       .duration = tau,
                       .velocity_change = {side, 0, 0},
                       .listener = arm});
        }
        Comparison at;
        for (size_t k = 0; k < heard.size(); ++k) {
            const double t = double(k) / rate;
            at.add(t, exact.pressure(listener - Vec3(a, 0, 0), t) - exact.pressure(listener + Vec3(a, 0, 0), t),
                   double(heard[k]));
        }
        result.rows.push_back({fmt::format("two balls: peak at {:g}°", theta_deg), Comparison::peak(at.exact),
                               Comparison::peak(at.found), 0.01, "Pa"});
        worst = worse(worst, at.relative_error());
    }
    result.bounds.push_back({"two balls: worst error of a waveform (L2)", worst, 0.01});
}

// A ball bearing as a standard render would bake a body that it did not know for a ball, heard eight radii away.
void add_far_ball(Case& result, const Progress& progress) {
    const double a = 0.0075;
    const Surface ball = surface_of(Sphere{a});
    const Material steel{"steel", 7850, 200e9, 0.29, {}, ""};
    const AccelerationNoise noise = bake_acceleration_noise(ball, mass_properties(ball), steel, air,
                                                            settings_of(Quality::Standard).clicks, {}, progress)
                                        .noise;
    const double h = noise.pulse_scale, from = 6.5 * a / air.speed_of_sound - 2 * h, step = h / 20;
    const ExactBall exact(a, air, [h](double t) { return mitchell_pulse(t, h); }, {-2 * h, 1e-3, h / 400});
    double worst = 0;
    for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(1, 1, 1), Vec3(2, 1, -0.5)}) {
        const Vec3 listener = 8 * a * direction.normalized();
        Comparison at;
        const std::vector<double> found = pulse_pressure(noise, 0, listener, from, step, 400);
        for (std::size_t k = 0; k < found.size(); ++k) {
            const double t = from + step * double(k);
            at.add(t, exact.pressure(listener, t), found[k]);
        }
        worst = worse(worst, at.relative_error());
    }
    result.bounds.push_back(
        {"ball bearing baked at standard quality, at 8 a: worst error of a waveform (L2)", worst, 0.05});
}

// Σ p(t) e^{−iωt} Δt/(h ψ̂): the pressure for an acceleration of 1 at this frequency.
std::complex<double> baked_pressure(const AccelerationNoise& noise, int motion, const Vec3& listener, double hz) {
    const double h = noise.pulse_scale, step = noise.sample_step / 2;
    const double start = (listener - noise.centre).norm() / air.speed_of_sound - 4 * noise.radius / air.speed_of_sound;
    const long count = long(noise.fields[std::size_t(motion)].pressure.rows()) * 2 +
                       long(6 * noise.radius / air.speed_of_sound / step);
    const std::vector<double> p = pulse_pressure(noise, motion, listener, start, step, count);
    std::complex<double> sum = 0;
    for (std::size_t k = 0; k < p.size(); ++k)
        sum += p[k] * step * std::polar(1.0, -2 * pi * hz * (start + step * double(k)));
    return sum / (h * mitchell_spectrum(hz * h));
}

// A block, which is no ball: pushed along x and turned about y, as a standard render bakes it, against boundary
// elements that know only its surface and the frequency. What is left at 10 kHz is the grid of half a million cells,
// and less than the decibel that sound fields of this quality are allowed; cells of 2.4 and 1.6 mm are 4.7 and
// 1.8 % off.
void add_block(Case& result, const Progress& progress) {
    const Surface block = surface_of(Box{{0.06, 0.04, 0.03}});
    const Material steel{"steel", 7850, 200e9, 0.29, {}, ""};
    const MassProperties body = mass_properties(block);
    const AccelerationNoise noise =
        bake_acceleration_noise(block, body, steel, air, settings_of(Quality::Standard).clicks, {}, progress).noise;
    Points listeners(24, 3);
    for (long i = 0; i < listeners.rows(); ++i) {  // a spiral, from 2 to 8 radii
        const double z = 1 - (2.0 * double(i) + 1) / 24, phi = 2.4 * double(i), s = std::sqrt(1 - z * z);
        listeners.row(i) =
            noise.radius * (2 + double(i % 7)) * Vec3(s * std::cos(phi), s * std::sin(phi), z).transpose();
    }
    for (const double hz : {1000.0, 4000.0, 10000.0}) {
        const double k = 2 * pi * hz / air.speed_of_sound;
        const Surface mesh = radiating_mesh(block, std::min(2 * pi / k / 12, 0.003)).surface;
        double error = 0, norm = 0;
        for (const int motion : {0, 4}) {
            Eigen::VectorXcd q(mesh.faces.rows());
            for (long f = 0; f < q.size(); ++f) {
                const Vec3 a = mesh.vertices.row(mesh.faces(f, 0)), b = mesh.vertices.row(mesh.faces(f, 1)),
                           c = mesh.vertices.row(mesh.faces(f, 2));
                const Vec3 push_at = motion < 3 ? Vec3(Vec3::Unit(motion))
                                                : Vec3(Vec3::Unit(motion - 3).cross((a + b + c) / 3 - body.centre));
                q[f] = -air.density * (b - a).cross(c - a).normalized().dot(push_at);
            }
            const Eigen::VectorXcd exact = pressure_at(solve_radiation(mesh, q, k), listeners);
            const double weight = 1 / exact.squaredNorm();  // both motions count alike
            for (long i = 0; i < exact.size(); ++i)
                error += weight * std::norm(baked_pressure(noise, motion, listeners.row(i), hz) - exact[i]);
            norm += 1;
        }
        result.bounds.push_back(
            {fmt::format(
                 "a block of 60 × 40 × 30 mm, pushed and turned, against boundary elements at {:g} kHz (L2, 2 to 8 R)",
                 1e-3 * hz),
             std::sqrt(error / norm), hz > 5000 ? 0.1 : 0.03});
    }
}

}  // namespace

Case click_case(const Progress& progress) {
    Case result{
        .name = "click",
        .title = "The click of a ball. Drawn: a = 7.5 mm, pushed by ψ(t; 0.34 a/c), heard at 2.5 a",
        .source =
            "the sound of a translating rigid sphere in closed form (docs/theory/acceleration-noise.md); for the "
            "block, boundary elements",
        .settings =
            "\"grid\": cells as stated; the collision by the closed form, as renders do; the ball at 8 a and "
            "the block: the bake of standard quality, half a million cells and 30 dB of decay"};
    add_soft_pulse(result, progress);
    add_hard_pulse(result, progress);
    add_collision(result);
    add_far_ball(result, progress);
    add_block(result, progress);
    return result;
}

}  // namespace clangor::validation
