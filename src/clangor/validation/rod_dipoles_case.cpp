// How rods of several sections sound in the directions around them.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/free_bar.hpp>

#include <clangor/radiation/bem/bem.hpp>
#include <clangor/radiation/dipole/dipole.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <complex>

namespace clangor::validation {
namespace {

using Complex = std::complex<double>;

constexpr double dipole_rate_hz = 48000;

/// A straight rod along z, of which `fading(z)` of an acceleration of one moves across it.
struct VibratingRod {
    RadiatingRod rod;
    RodInstant instant;
};

VibratingRod vibrating_rod(const Section& section, double length, long points, const Vec3& direction,
                           const std::function<double(double)>& fading) {
    Eigen::VectorXd lengths = Eigen::VectorXd::Constant(points, length / double(points - 1));
    lengths[0] = lengths[points - 1] = lengths[0] / 2;
    VibratingRod made{radiating_rod(section, lengths),
                      {.positions = Eigen::MatrixX3d::Zero(points, 3),
                       .accelerations = Eigen::MatrixX3d::Zero(points, 3),
                       .d_1 = Vec3::UnitX().transpose().replicate(points, 1),
                       .d_2 = Vec3::UnitY().transpose().replicate(points, 1)}};
    for (long i = 0; i < points; ++i) {
        const double z = length * (double(i) / double(points - 1) - 0.5);
        made.instant.positions(i, 2) = z;
        made.instant.accelerations.row(i) = fading(z) * direction;
    }
    return made;
}

// The complex pressure for accelerations of Re e^{iωt}, by its product with e^{−iωt} under Hann's window.
Complex rod_pressure(const VibratingRod& vibrating, double omega, const Vec3& receiver, double thick_radius = 0) {
    constexpr long samples = 2048, first = 1024;
    const Air air;
    DipoleSum sum({.reach = 4, .thick_radius = thick_radius}, air);
    RodInstant instant = vibrating.instant;
    PointSources sources;
    for (long k = 0; sum.ready() < first + samples; ++k) {
        instant.accelerations = std::cos(omega * double(k) / dipole_rate_hz) * vibrating.instant.accelerations;
        sources = sources_of(vibrating.rod, instant, air, std::move(sources));
        sum.add(sources, {.receiver = receiver});
    }
    std::vector<float> pressure(first + samples);
    sum.take(pressure);
    Complex product = 0;
    for (long j = 0; j < samples; ++j) {
        const double window = 1 - std::cos(2 * pi * double(j) / double(samples));
        product +=
            window * double(pressure[size_t(first + j)]) * std::polar(1.0, -omega * double(first + j) / dipole_rate_hz);
    }
    return 2.0 / double(samples) * product;
}

/// Where a plain dipole of one would have its loudest pressure: patterns are measured against it.
double plain_dipole(double omega, double R) {
    const Air air;
    return air.density / (4 * pi) * std::abs(Complex(1 / (R * R), omega / (air.speed_of_sound * R)));
}

constexpr double pattern_length = 0.01, pattern_distance = 3;  // [m]
constexpr double pattern_omega = 2 * pi * 500;

VibratingRod short_rod(const Section& section, double push_angle) {
    return vibrating_rod(section, pattern_length, 5, {std::cos(push_angle), std::sin(push_angle), 0},
                         [](double) { return 1.0; });
}

// |r̂·D a| of the section at an angle around it, as it is heard [m²].
double heard_dipole(const VibratingRod& rod, double angle) {
    const Vec3 receiver = pattern_distance * Vec3(std::cos(angle), std::sin(angle), 0);
    return std::abs(rod_pressure(rod, pattern_omega, receiver)) /
           (plain_dipole(pattern_omega, pattern_distance) * pattern_length);
}

Plot pattern_plot(const std::string& title, const Section& section) {
    Plot plot{.title = title, .x_label = "x/r; of the patterns, |r̂·D a|/πr²a", .y_label = "y/r", .equal_axes = true};
    const SectionProperties properties = properties_of(section);
    Curve outline{.label = "section", .style = CurveStyle::Band};
    for (size_t i = 0; i <= properties.outline.size(); ++i) {
        const Eigen::Vector2d corner = properties.outline[i % properties.outline.size()] / properties.radius;
        outline.x.push_back(corner.x());
        outline.y.push_back(corner.y());
    }
    plot.curves.push_back(std::move(outline));
    const std::vector<std::pair<const char*, double>> pushes = {
        {"moves along x", 0}, {"along y", pi / 2}, {"along the diagonal", pi / 4}};
    for (const auto& [name, push] : pushes) {
        const VibratingRod rod = short_rod(section, push);
        Curve curve{.label = name};
        for (int i = 0; i <= 72; ++i) {
            const double angle = 2 * pi * i / 72;
            const double level = heard_dipole(rod, angle) / (pi * square(properties.radius));
            curve.x.push_back(level * std::cos(angle));
            curve.y.push_back(level * std::sin(angle));
        }
        plot.curves.push_back(std::move(curve));
    }
    return plot;
}

// D over the area along the two axes, from exterior conformal maps.
void add_matrices(Case& result) {
    struct Known {
        const char* name;
        double width, height, along, across;
    };
    for (const Known& known : {Known{"square", 1, 1, 2.188440, 2.188440},
                               {"2 : 1", 2, 1, 1.665831, 3.142064},
                               {"10 : 1", 10, 1, 1.174454, 9.958590},
                               {"32 : 1", 32, 1, 1.065206, 27.720193}}) {
        const double w = known.width / 2, h = known.height / 2, area = 4 * w * h;
        const Eigen::Matrix2d D = dipole_matrix(PolygonSection{{{-w, -h}, {w, -h}, {w, h}, {-w, h}}}) / area;
        result.rows.push_back(
            {fmt::format("rectangle {} as a polygon, D/area edge-on", known.name), known.along, D(0, 0), 5e-3, ""});
        result.rows.push_back(
            {fmt::format("rectangle {} as a polygon, D/area broadside", known.name), known.across, D(1, 1), 5e-3, ""});
    }
}

void add_patterns(Case& result) {
    const VibratingRod rod = short_rod(RectangleSection{0.02, 0.01}, pi / 4);
    for (const int degrees : {0, 30, 60, 90, 120}) {
        const double angle = degrees * pi / 180;
        const double expected = 1.665831 * std::cos(angle) + 3.142064 * std::sin(angle);
        result.rows.push_back({fmt::format("2 : 1 that moves along its diagonal, heard at {}°", degrees),
                               std::abs(expected) * 200 * std::sqrt(0.5), 1e6 * heard_dipole(rod, angle), 5e-3, "mm²"});
    }
}

// An infinite cylinder: p = −iρ0cU H₁⁽²⁾(kr)/H₁⁽²⁾′(ka), of an acceleration of one.
double exact_cylinder(double k, double a, double r) {
    const auto J = [](int n, double z) { return std::cyl_bessel_j(n, z); };
    const auto Y = [](int n, double z) { return std::cyl_neumann(n, z); };
    const Complex there(J(1, k * r), -Y(1, k * r));
    const double z = k * a;
    const Complex slope(J(0, z) - J(1, z) / z, -Y(0, z) + Y(1, z) / z);
    return Air{}.density / k * std::abs(there / slope);
}

void add_thick_cylinder(Case& result) {
    constexpr double a = 0.02, r = 0.4;
    // Its motion fades out so slowly that its ends are not heard.
    const VibratingRod rod = vibrating_rod(CircleSection{a}, 6, 401, Vec3::UnitX(), [](double z) {
        const double u = std::clamp((std::abs(z) - 1) / 2, 0.0, 1.0);
        return 1 - u * u * u * (10 - 15 * u + 6 * u * u);
    });
    for (const double ka : {0.1, 0.25, 0.5, 1.0, 2.0}) {
        const double k = ka / a, omega = k * Air{}.speed_of_sound, exact = exact_cylinder(k, a, r);
        result.rows.push_back({fmt::format("cylinder, ka = {}, corrected for its thickness", ka), 1e3 * exact,
                               1e3 * std::abs(rod_pressure(rod, omega, {r, 0, 0}, a)), 5e-3, "mPa"});
        if (ka <= 0.5)
            result.rows.push_back({fmt::format("cylinder, ka = {}, as a thin rod", ka), 1e3 * exact,
                                   1e3 * std::abs(rod_pressure(rod, omega, {r, 0, 0})), 0.035, "mPa"});
    }
}

const Vec3 bar_size = {0.0254, 0.0127, 0.3048};

// A bar that bends along y by a mode, as a solid: sections turn with it. Its acceleration is one at the end.
Complex solid_bar_pressure(size_t mode, double omega, const Vec3& receiver) {
    const Air air;
    const Surface bar = radiating_mesh(surface_of(Box{.size = bar_size}), 0.006).surface;
    CornerGradient gradient{Eigen::MatrixX3cd(bar.faces.rows(), 3)};
    for (long f = 0; f < bar.faces.rows(); ++f) {
        std::array<Vec3, 3> corners;
        for (int c = 0; c < 3; ++c) corners[size_t(c)] = bar.vertices.row(bar.faces(f, c));
        const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
        for (int c = 0; c < 3; ++c) {
            const Vec3& x = corners[size_t(c)];
            const double z = x.z() / bar_size.z();
            const Vec3 moves(0, bar_shape(mode, z), -x.y() * bar_slope(mode, z) / bar_size.z());
            gradient.corners(f, c) = -air.density * moves.dot(normal);
        }
    }
    Points point(1, 3);
    point.row(0) = receiver;
    return pressure_at(solve_radiation(bar, gradient, omega / air.speed_of_sound), point)[0];
}

// Free bending of 305 × 25.4 × 12.7 mm of aluminium along its shorter side [Hz].
void add_bar(Case& result) {
    const std::vector<double> frequencies = {709.84, 1956.70, 3835.92};
    const std::vector<std::pair<size_t, int>> heard = {{0, 90}, {0, 45}, {1, 60}, {1, 45}, {2, 45}};
    for (const auto& [mode, degrees] : heard) {
        const size_t m = mode;
        VibratingRod rod = vibrating_rod(RectangleSection{bar_size.x(), bar_size.y()}, bar_size.z(), 121, Vec3::UnitY(),
                                         [m](double z) { return bar_shape(m, z / bar_size.z()); });
        rod.rod = with_free_ends(rod.rod);
        const double omega = 2 * pi * frequencies[mode], angle = degrees * pi / 180;
        const Vec3 receiver(0, std::sin(angle), std::cos(angle));
        result.rows.push_back({fmt::format("bar, mode {}, at {}°, by boundary elements", mode + 1, degrees),
                               1e3 * std::abs(solid_bar_pressure(mode, omega, receiver)),
                               1e3 * std::abs(rod_pressure(rod, omega, receiver)), 0.12, "mPa"});
    }
}

}  // namespace

Case rod_dipoles_case(const Progress& progress) {
    Case result{
        .name = "rod-dipoles",
        .title = "Rods as dipoles. Drawn: pressure around sections that move in three directions",
        .source =
            "exterior conformal maps of rectangles; Hankel's functions for a cylinder; boundary elements for a bar",
        .settings =
            "rods of 1 cm at 500 Hz and 3 m for the patterns; a cylinder of 20 mm radius, which moves "
            "over 2 m and fades out over 2 m more, heard at 0.4 m; a bar of 305 × 25.4 × 12.7 mm that "
            "bends along its shortest side, heard at 1 m",
        .remark = "A flat section pushes air across its width wherever it is pushed itself"};
    add_matrices(result);
    add_patterns(result);
    progress("rod-dipoles", 0.2);
    add_thick_cylinder(result);
    add_bar(result);
    progress("rod-dipoles", 0.6);
    result.plots = {
        pattern_plot("circle", CircleSection{0.01}), pattern_plot("rectangle 2 : 1", RectangleSection{0.02, 0.01}),
        pattern_plot("strip 10 : 1", RectangleSection{0.02, 0.002}),
        pattern_plot("angle",
                     PolygonSection{{{0, 0}, {0.02, 0}, {0.02, 0.003}, {0.003, 0.003}, {0.003, 0.02}, {0, 0.02}}})};
    return result;
}

}  // namespace clangor::validation
