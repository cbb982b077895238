// Baked acceleration noise of a bowl against direct simulation eight radii away, and the pressure around it as
// pictures.
// Run:  build/release/bin/pan_field compare OUT.json [cells per radius, 32]     some minutes and 4 GiB
//       build/release/bin/pan_field refined OUT.json [cells per radius, 64]     two motions; 64: some minutes and 8 GiB
//       build/release/bin/pan_field slice OUT.json                           seconds
// then  tools/pan_pictures.py compare.json slice.json docs/validation/img
//
// compare: a tilted bowl and points on the sphere of 8R in one octant, so that the grid need not hold the others. The
// direct run disperses over 8R; how much is told by a ball of the same R on the same cells, whose pressure is known in
// closed form. Since the grid's dispersion is known, it can also be taken off the direct run, over the way that the
// baked model does not go on the grid.
#include <clangor/radiation/acceleration/acceleration.hpp>
#include <clangor/signal/signal.hpp>

#include <fmt/core.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

using namespace clangor;

namespace {

constexpr double h = 24e-6, tau = 100e-6;

double half_sine(double t) { return t < 0 || t > tau ? 0 : pi / (2 * tau) * std::sin(pi * t / tau); }

/// Directions in the octant x, y, z > 0, in families by their angle to the grid's axes and diagonal.
struct Family {
    const char* name;
    std::vector<Vec3> directions;
};

std::vector<Family> families() {
    std::mt19937 generator(7);
    const auto uniform = [&] { return static_cast<double>(generator()) / 4294967296.0; };
    const auto random_direction = [&] {
        const double z = uniform(), phi = pi / 2 * uniform(), s = std::sqrt(1 - z * z);
        return Vec3(s * std::cos(phi), s * std::sin(phi), z);
    };
    const Vec3 diagonal = Vec3::Ones().normalized();
    std::vector<Family> all = {{"diagonal", {diagonal}}, {"random", {}}, {"axes", {}}};
    while (all[0].directions.size() < 6) {
        const Vec3 d = random_direction();
        if (d.dot(diagonal) > std::cos(10 * pi / 180)) all[0].directions.push_back(d);
    }
    while (all[1].directions.size() < 24) all[1].directions.push_back(random_direction());
    for (int axis = 0; axis < 3; ++axis) all[2].directions.push_back(Vec3::Unit(axis));
    return all;
}

/// Pressures of a run, one matrix (samples × points) a motion, for ψ and for the half-sine.
struct Heard {
    std::vector<int> motions;
    double start = 0, step = 0;
    std::vector<Eigen::MatrixXd> psi, click;
};

Heard direct(const Surface& surface, const Vec3& centre, const Points& points, double cell,
             const std::vector<int>& motions, double duration) {
    const WaveSolver solver(surface, points, Air{}, {.cell_size = cell});
    const std::array<Points, 6> rigid = rigid_motions(surface, centre);
    std::vector<WaveField> fields;
    for (const int m : motions) fields.push_back({{{rigid[m], [](double t) { return mitchell_pulse(t, h); }}}});
    for (const int m : motions) fields.push_back({{{rigid[m], half_sine}}});
    const WaveRecord record = solver.run(fields, {.start_time = -2 * h, .max_duration = duration});
    const auto [nx, ny, nz] = solver.report().cells;
    fmt::print("direct: {}×{}×{} cells of {:.2f} mm, {} steps\n", nx, ny, nz, 1e3 * cell, record.samples() - 1);
    Heard heard{.motions = motions, .start = record.start_time, .step = record.sample_step, .psi = {}, .click = {}};
    for (std::size_t m = 0; m < motions.size(); ++m) {
        heard.psi.push_back(record.pressure[m].cast<double>());
        heard.click.push_back(record.pressure[m + motions.size()].cast<double>());
    }
    return heard;
}

/// The model at the same points and times; its half-sine is a click, the way a scene makes it.
Heard modelled(const AccelerationNoise& noise, const Points& points, const Heard& like) {
    Heard heard{.motions = like.motions, .start = like.start, .step = like.step, .psi = {}, .click = {}};
    const long samples = like.psi.front().rows();
    const PreparedNoise prepared = prepare(noise, 1 / like.step);
    const long lead = prepared.lead_samples + 64;
    for (const int m : like.motions) {
        Eigen::MatrixXd psi(samples, points.rows()), click(samples, points.rows());
        parallel_for(points.rows(), [&](long i) {
            const Vec3 listener = points.row(i);
            const std::vector<double> p = pulse_pressure(noise, m, listener, like.start, like.step, samples);
            psi.col(i) = Eigen::Map<const Eigen::VectorXd>(p.data(), samples);
            // Emitted sample k + lead is heard with the record's sample k.
            const double delay = (listener - noise.centre).norm() / noise.air.speed_of_sound;
            Vec3 along = Vec3::Zero(), about = Vec3::Zero();
            (m < 3 ? along : about)[m % 3] = 1;
            std::vector<float> emitted(samples + lead);
            add_click(emitted, prepared,
                      {.time = delay - like.start + static_cast<double>(lead) * like.step,
                       .duration = tau,
                       .shape = PulseShape::HalfSine,
                       .velocity_change = along,
                       .spin_change = about,
                       .listener = listener});
            click.col(i) = Eigen::Map<const Eigen::VectorXf>(emitted.data() + lead, samples).cast<double>();
        });
        heard.psi.push_back(psi);
        heard.click.push_back(click);
    }
    return heard;
}

// Per family over columns [first, first + count): √(Σ|a − b|² / Σ|b|²), in percent.
double error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, long first, long count) {
    return 100 * (a.middleCols(first, count) - b.middleCols(first, count)).norm() / b.middleCols(first, count).norm();
}

void print_errors(const std::string& what, const std::vector<Family>& all, const Heard& a, const Heard& b) {
    long first = 0;
    for (const Family& family : all) {
        const auto count = static_cast<long>(family.directions.size());
        std::string psi, click;
        double worst = 0, level_db = 0;  // of one listener and motion; mostly where that motion is hardly heard
        for (std::size_t m = 0; m < a.psi.size(); ++m) {
            psi += fmt::format(" {:.1f}", error(a.psi[m], b.psi[m], first, count));
            click += fmt::format(" {:.1f}", error(a.click[m], b.click[m], first, count));
            const double mean = b.psi[m].middleCols(first, count).norm() / std::sqrt(double(count));
            for (long i = first; i < first + count; ++i)
                if (const double alone = error(a.psi[m], b.psi[m], i, 1); alone > worst) {
                    worst = alone;
                    level_db = 20 * std::log10(b.psi[m].col(i).norm() / mean);
                }
        }
        fmt::print("{:16} {:9} half-sine{} %   psi{} %, worst listener {:.1f} % at {:.0f} dB\n", what, family.name,
                   click, psi, worst, level_db);
        first += count;
    }
}

// A plane wave's k on the grid: sin(ωΔt/2)² = λ² Σ_i sin(k d_i Δx/2)²  (from docs/theory/wave-solver.md, Eq. 2), by
// bisection.
double grid_wave_number(double omega, const Vec3& d, double cell, double step) {
    const double target = square(std::sin(omega * step / 2) * cell / (Air{}.speed_of_sound * step));
    double low = 0, high = pi / cell;
    for (int i = 0; i < 50; ++i) {
        const double k = (low + high) / 2;
        const double reached = (k * cell / 2 * d).array().sin().square().sum();
        (reached < target ? low : high) = k;
    }
    return low;
}

/// The record without the delays that the grid adds over `way`. Beyond 0.8/h, where ψ has next to nothing, they are
/// kept constant.
Heard undispersed(const Heard& heard, const std::vector<Vec3>& directions, double cell, double way) {
    Heard result = heard;
    const RealFourier<double> fourier(power_of_two(1.5 * double(heard.psi.front().rows())));
    const double omega_step = 2 * pi / (heard.step * double(fourier.size())), last = 2 * pi * 0.8 / h;
    parallel_for(static_cast<long>(directions.size()), [&](long i) {
        Eigen::VectorXcd turn(fourier.bins());
        for (long j = 0; j < turn.size(); ++j) {
            const double omega = std::min(double(j) * omega_step, last);
            const double k = grid_wave_number(omega, directions[i], cell, heard.step);
            turn[j] = std::polar(1.0 / double(fourier.size()), (k - omega / Air{}.speed_of_sound) * way);
        }
        turn[turn.size() - 1] = 0;
        std::vector<std::complex<double>> spectrum(fourier.bins());
        for (std::vector<Eigen::MatrixXd>* all : {&result.psi, &result.click})
            for (Eigen::MatrixXd& pressure : *all) {
                std::vector<double> samples(fourier.size());
                Eigen::VectorXd::Map(samples.data(), pressure.rows()) = pressure.col(i);
                fourier.forward(samples, spectrum);
                Eigen::VectorXcd::Map(spectrum.data(), turn.size()).array() *= turn.array();
                fourier.inverse(spectrum, samples);
                pressure.col(i) = Eigen::VectorXd::Map(samples.data(), pressure.rows());
            }
    });
    return result;
}

// Of a ball: pushed along each direction in turn, so that no listener stands in the dipole's null.
Heard along_directions(const Heard& heard, const std::vector<Vec3>& directions) {
    Heard result = heard;
    for (std::vector<Eigen::MatrixXd>* all : {&result.psi, &result.click}) {
        Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(all->front().rows(), all->front().cols());
        for (long i = 0; i < sum.cols(); ++i)
            for (int axis = 0; axis < 3; ++axis) sum.col(i) += directions[i][axis] * (*all)[axis].col(i);
        *all = {sum};
    }
    return result;
}

Points at_distance(const std::vector<Vec3>& directions, const Vec3& centre, double r) {
    Points points(static_cast<long>(directions.size()), 3);
    for (long i = 0; i < points.rows(); ++i) points.row(i) = (centre + r * directions[i]).transpose();
    return points;
}

std::string json(const Eigen::VectorXd& values) {
    std::string text = "[";
    for (long k = 0; k < values.size(); ++k) text += fmt::format("{}{:.5g}", k ? "," : "", values[k]);
    return text + "]";
}

void compare(const std::string& path, double cells_per_radius, const std::vector<int>& motions) {
    Surface bowl = surface_of(Bowl{});
    const Eigen::AngleAxisd tilt(0.7, Vec3(0.3, 0.5, 0.81).normalized());
    bowl.vertices = (bowl.vertices * tilt.toRotationMatrix().transpose()).eval();
    const MassProperties body = mass_properties(bowl);
    const double R = (bowl.vertices.rowwise() - body.centre.transpose()).rowwise().norm().maxCoeff();
    const double cell = R / cells_per_radius, duration = 8 * R / Air{}.speed_of_sound + 2.5e-3;
    const std::vector<Family> all = families();
    std::vector<Vec3> directions;
    for (const Family& family : all)
        directions.insert(directions.end(), family.directions.begin(), family.directions.end());

    const Points points = at_distance(directions, body.centre, 8 * R);
    const Heard heard = direct(bowl, body.centre, points, cell, motions, duration);
    std::ofstream out(path);
    for (const auto& [theta, phi] : {std::pair(5, 10), std::pair(40, 80)}) {
        const AccelerationBake bake = bake_acceleration_noise(
            bowl, body, *find_material("ceramic"), Air{},
            {.theta_count = theta, .phi_count = phi, .pulse_scale = h, .cell_size = std::max(cell, R / 48)});
        const Heard model = modelled(bake.noise, points, heard);
        fmt::print("model {}×{}: {:.2f} MB, baked in {:.1f} s, fitted in {:.2f} s, residual {:.2f} %\n", theta, phi,
                   1e-6 * static_cast<double>(bake.noise.bytes()), bake.solve_seconds, bake.fit_seconds,
                   100 * bake.fit_residual);
        print_errors(fmt::format("bowl {}×{}", theta, phi), all, model, heard);
        print_errors("  undispersed", all, model,
                     undispersed(heard, directions, cell, 6.5 * R));  // spheres: about 1.5R
        if (theta == 5 && motions.size() == 6) {
            fmt::print(out, "{{\"start\": {}, \"step\": {}, \"radius\": {}, \"curves\": [", heard.start, heard.step, R);
            const std::pair<int, int> picked[] = {{0, 3}, {0, 12}, {4, 12}};  // motion, listener
            for (const auto& [m, i] : picked) {
                const Vec3 d = directions[i];
                fmt::print(out,
                           "{}\n{{\"motion\": {}, \"direction\": [{:.3f}, {:.3f}, {:.3f}], \"psi\": [{}, {}], "
                           "\"click\": [{}, {}]}}",
                           i == 3 ? "" : ",", m, d[0], d[1], d[2], json(heard.psi[m].col(i)), json(model.psi[m].col(i)),
                           json(heard.click[m].col(i)), json(model.click[m].col(i)));
            }
            fmt::print(out, "]}}\n");
        }
    }
    if (motions.size() < 6) return;
    const Surface ball = surface_of(Sphere{.radius = R});
    const Points around = at_distance(directions, Vec3::Zero(), 8 * R);
    const Heard ball_direct = direct(ball, Vec3::Zero(), around, cell, {0, 1, 2}, duration);
    const AccelerationNoise exact = sphere_noise(*ball_radius(ball, mass_properties(ball)), h, Air{});
    const Heard ball_exact = modelled(exact, around, ball_direct);
    const Heard pushed = along_directions(ball_direct, directions), expected = along_directions(ball_exact, directions);
    print_errors("ball, direct run", all, pushed, expected);
    print_errors("  undispersed", all, undispersed(pushed, directions, cell, 7 * R), expected);
}

// The plane z = 0 through an upright bowl that is pushed along x, 160 × 160 points over ±3R.
void slice(const std::string& path) {
    const Bowl shape;
    const Surface bowl = surface_of(shape);
    const MassProperties body = mass_properties(bowl);
    const double R = (bowl.vertices.rowwise() - body.centre.transpose()).rowwise().norm().maxCoeff();
    const double ball = (square(shape.radius) + square(shape.depth)) / (2 * shape.depth);
    const auto in_wall = [&](const Vec3& x) {  // with a millimetre to spare, since the solver refuses points inside
        const double off = std::abs((x - Vec3(0, ball, 0)).norm() - ball);
        return off < shape.thickness / 2 + 1e-3 && x.y() < shape.depth + shape.thickness;
    };
    constexpr int side = 160;
    const double half = 3 * R;
    std::vector<Vec3> free;
    std::vector<int> column(side * side, -1);
    for (int i = 0; i < side * side; ++i) {
        const Vec3 x(((i % side + 0.5) / side * 2 - 1) * half,
                     ((i / side + 0.5) / side * 2 - 1) * half + body.centre.y(), 0);
        if (in_wall(x)) continue;
        column[i] = static_cast<int>(free.size());
        free.push_back(x);
    }
    Points points(static_cast<long>(free.size()), 3);
    for (long i = 0; i < points.rows(); ++i) points.row(i) = free[i].transpose();
    const WaveSolver solver(bowl, points, Air{}, {.cell_size = R / 32});
    const WaveRecord record =
        solver.run({{{{rigid_motions(bowl, body.centre)[0], [](double t) { return mitchell_pulse(t, h); }}}}},
                   {.start_time = -2 * h, .max_duration = 1.1e-3});
    std::ofstream out(path);
    fmt::print(out, "{{\"half\": {}, \"centre\": {}, \"side\": {}, \"slices\": [", half, body.centre.y(), side);
    for (const double time : {0.08e-3, 0.3e-3, 0.7e-3}) {
        const long k = std::lround((time - record.start_time) / record.sample_step);
        fmt::print(out, "{}\n{{\"time\": {:.6g}, \"pressure\": [", time < 1e-4 ? "" : ",", record.time(k));
        for (std::size_t i = 0; i < column.size(); ++i)
            fmt::print(out, "{}{}", i ? "," : "",
                       column[i] < 0 ? std::string("null") : fmt::format("{:.4g}", record.pressure[0](k, column[i])));
        fmt::print(out, "]}}");
    }
    fmt::print(out, "]}}\n");
}

}  // namespace

int main(int count, char** arguments) {
    const std::string what = count > 2 ? arguments[1] : "";
    if (what == "compare")
        return compare(arguments[2], count > 3 ? std::atof(arguments[3]) : 32, {0, 1, 2, 3, 4, 5}), 0;
    if (what == "refined") return compare(arguments[2], count > 3 ? std::atof(arguments[3]) : 64, {0, 4}), 0;
    if (what == "slice") return slice(arguments[2]), 0;
    fmt::print("pan_field compare|refined|slice OUT.json [cells per radius]\n");
    return 2;
}
