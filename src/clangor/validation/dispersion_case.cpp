// A guy wire that is struck at one end: high frequencies arrive first.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/spectrogram.hpp>

#include <clangor/vibration/rod/rod.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <complex>

namespace clangor::validation {
namespace {

constexpr double wire_rate_hz = 176400, wire_length = 16, wire_radius = 0.00635;  // at rest [m]
constexpr double wire_stretch = 20.1 / 20, wire_heard_at = 6;                     // [m] along the wire at rest
constexpr double wire_young = 205e9, wire_density = 7850;                         // [Pa], [kg/m³]
constexpr long wire_points = 1601, wire_steps = 7500;
constexpr double wire_pulse = 5e-5;  // [s]

// ω² = (Tk² + EIk⁴)/μ, solved for k; dω/dk = (Tk + 2EIk³)/(μω).
double group_velocity(double hz) {
    const double a = wire_radius, area = pi * a * a, omega = 2 * pi * hz;
    const double T = wire_young * area * (wire_stretch - 1), mu = wire_density * area / wire_stretch;
    const double EI = wire_young * area * a * a / 4 * wire_stretch;  // curvature is per length at rest
    const double k_sq = (-T + std::sqrt(T * T + 4 * EI * mu * omega * omega)) / (2 * EI), k = std::sqrt(k_sq);
    return (T * k + 2 * EI * k * k_sq) / (mu * omega);
}

double expected_arrival(double hz, double distance) {
    return wire_pulse / 2 + distance * wire_stretch / group_velocity(hz);
}

// Accelerations across the wire at wire_heard_at. It is pinned at both ends and struck 2 cm from one of them.
std::vector<double> struck_wire(const Progress& progress) {
    const Material cable{"cable", wire_density, wire_young, 0.3, {}, ""};
    const RodShape shape{.points = straight_points({0, 0, 0}, {wire_length, 0, 0}, wire_points),
                         .section = round_wire(wire_radius)};
    const RodPlan plan =
        rod_plan(shape, cable, {.supports = {.points = {0, wire_points - 1}}, .mass = RodMass::AlongEdges});
    RodStepper rod(plan, {});
    RodRows place = plan.rest.place;
    place.row(0) *= wire_stretch;
    rod.set_state(moved(plan, plan.rest, place));
    rod.balance();
    rod.strike({.at = 0.02, .impulse = {0, 0.01, 0}, .duration = wire_pulse});
    const long heard_point = std::lround(wire_heard_at / wire_length * double(wire_points - 1));
    std::vector<double> heard;
    for (long k = 0; k < wire_steps; ++k) {
        rod.step(1 / wire_rate_hz);
        heard.push_back(rod.state().heard(1, heard_point));
        if (k % 200 == 0) progress("dispersion", double(k) / double(wire_steps));
    }
    return heard;
}

// When a packet of that frequency goes by: the time at which a Gaussian of four periods, all of it in the record, finds
// most of it. An end cut short would leak from the loud high frequencies into the low.
double packet_arrival(const std::vector<double>& heard, double hz) {
    const double sigma = 2 / hz, omega = 2 * pi * hz;
    const auto strength = [&](double time) {
        std::complex<double> sum = 0;
        const long from = std::max(0L, long((time - 5 * sigma) * wire_rate_hz)),
                   to = std::min(std::ssize(heard) - 1, long((time + 5 * sigma) * wire_rate_hz));
        for (long k = from; k <= to; ++k) {
            const double t = double(k + 1) / wire_rate_hz - time;
            sum += heard[size_t(k)] * std::polar(std::exp(-0.5 * square(t / sigma)), -omega * t);
        }
        return std::abs(sum);
    };
    double best = 0, time = 0;
    for (double t = 0; t < double(heard.size()) / wire_rate_hz - 5 * sigma; t += 0.05 / hz)
        if (const double s = strength(t); s > best) best = s, time = t;
    return time;
}

// The spectrogram from time 0 on, with silence before it.
Plot wire_spectrogram(const std::vector<double>& heard) {
    constexpr long window = 512;
    std::vector<double> padded(window / 2, 0.0);
    padded.insert(padded.end(), heard.begin(), heard.end());
    Plot plot{.title = "acceleration after 6 m", .x_label = "time [ms]", .y_label = "frequency [kHz]"};
    plot.map = spectrogram(padded, {.rate_hz = wire_rate_hz, .window = window, .hop = 32, .max_hz = 20e3});
    for (double& x : plot.map->x) x = 1e3 * (x - window / 2 / wire_rate_hz);
    for (double& y : plot.map->y) y /= 1e3;
    const double longest = plot.map->x.back();
    for (const auto& [label, distance] :
         {std::pair{"dispersion relation", wire_heard_at},
          std::pair{"… of what the far end throws back", 2 * wire_length - wire_heard_at}}) {
        Curve curve{.label = label};
        for (double hz = 300; hz < 20e3; hz *= 1.02) {
            const double ms = 1e3 * expected_arrival(hz, distance);
            if (ms > longest) continue;
            curve.x.push_back(ms);
            curve.y.push_back(hz / 1e3);
        }
        plot.curves.push_back(std::move(curve));
    }
    return plot;
}

}  // namespace

Case dispersion_case(const Progress& progress) {
    Case result{.name = "dispersion",
                .title = "A guy wire that is struck at one end: when each frequency arrives",
                .source = "ω² = (Tk² + EIk⁴)/μ of a stretched bar, by its group velocity dω/dk",
                .settings =
                    "steel of 12.7 mm diameter, 16 m at rest, stretched by 0.5 %, pinned, struck for 50 µs 2 cm "
                    "from one end, heard at 6 m; 1601 points, mass along edges, 176 400 steps a second",
                .remark =
                    "Stiffness carries high frequencies ahead; low ones come with the speed of a string. Steps take "
                    "5(ωΔt)²/24 off the group velocity of stiff waves, 1.7 % at 8 kHz"};
    const std::vector<double> heard = struck_wire(progress);
    Curve theory{.label = "dispersion relation"}, found{.label = "the wire", .style = CurveStyle::Marks};
    for (double hz = 400; hz < 12e3; hz *= 1.05) {
        theory.x.push_back(hz / 1e3);
        theory.y.push_back(1e3 * expected_arrival(hz, wire_heard_at));
    }
    for (const double hz : {500., 700., 1000., 1400., 2000., 2800., 4000., 5600., 8000.}) {
        const double arrival = packet_arrival(heard, hz);
        found.x.push_back(hz / 1e3);
        found.y.push_back(1e3 * arrival);
        result.rows.push_back({fmt::format("arrival of {:g} Hz", hz), 1e3 * expected_arrival(hz, wire_heard_at),
                               1e3 * arrival, 0.03, "ms"});
    }
    result.plots = {wire_spectrogram(heard),
                    {.title = "packets of four periods",
                     .x_label = "frequency [kHz]",
                     .y_label = "arrival [ms]",
                     .log_x = true,
                     .log_y = true,
                     .curves = {theory, found}}};
    return result;
}

}  // namespace clangor::validation
