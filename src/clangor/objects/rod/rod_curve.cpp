// Control points at equal distances along a curve: docs/guide/rods.md, Where it is.
#include <clangor/objects/rod/rod_curve.hpp>

#include <clangor/io/file/file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace clangor {
namespace {

constexpr std::size_t largest_curve_file = std::size_t(1) << 28;

// Curves by their sizes are drawn with so many points a turn, each off by 2e-6 of the radius, and smoothed between.
constexpr double drawn_per_turn = 720;

// "x, y, z" in each line, apart by commas, semicolons, tabs or blanks; # begins a remark, and the first line may name
// the columns.
std::vector<Vec3> read_points(const std::filesystem::path& path) {
    const std::string text = io::read_text_file(path, largest_curve_file);
    std::vector<Vec3> points;
    bool may_be_names = true;
    int number = 0;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = std::string_view(text).substr(begin, end - begin);
        begin = end + 1;
        line = line.substr(0, line.find('#'));
        std::vector<double> values;
        bool good = true;
        for (std::size_t at = 0; good && (at = line.find_first_not_of(" \t\r,;", at)) != line.npos;) {
            const std::size_t stop = std::min(line.find_first_of(" \t\r,;", at), line.size());
            double value = 0;
            const auto [last, error] = std::from_chars(line.data() + at, line.data() + stop, value);
            good = error == std::errc() && last == line.data() + stop && std::isfinite(value);
            values.push_back(value);
            at = stop;
        }
        if (good && values.empty()) continue;
        if (good && values.size() == 3) points.emplace_back(values[0], values[1], values[2]);
        if ((!good || values.size() != 3) && !may_be_names)
            throw Error(fmt::format("{}:{}: a point of a rod is three numbers, x, y and z in metres", path.string(),
                                    number + 1));
        may_be_names = false;
    }
    return points;
}

Points as_rows(const std::vector<Vec3>& points) {
    Points rows(long(points.size()), 3);
    for (long i = 0; i < rows.rows(); ++i) rows.row(i) = points[size_t(i)].transpose();
    return rows;
}

template <class Place>
Points drawn(double turns, const Place& place) {
    const long count = std::clamp(std::lround(std::ceil(turns * drawn_per_turn)), 2L, 2'000'000L) + 1;
    Points points(count, 3);
    for (long i = 0; i < count; ++i) points.row(i) = place(2 * pi * turns * double(i) / double(count - 1)).transpose();
    return points;
}

Points drawn_curve(const scene::Rod& rod) {
    return std::visit(overloaded{[](const scene::PointsCurve& curve) {
                                     return as_rows(curve.file.empty() ? curve.points : read_points(curve.file));
                                 },
                                 [](const scene::StraightCurve& curve) {
                                     return as_rows({Vec3::Zero(), Vec3(curve.length, 0, 0)});
                                 },
                                 [](const scene::HelixCurve& curve) {
                                     return drawn(curve.turns, [&](double angle) {
                                         return Vec3(curve.pitch * angle / (2 * pi), curve.radius * std::cos(angle),
                                                     curve.radius * std::sin(angle));
                                     });
                                 },
                                 [](const scene::RingCurve& curve) {
                                     Points points = drawn(1, [&](double angle) {
                                         return Vec3(curve.radius * std::cos(angle), curve.radius * std::sin(angle), 0);
                                     });
                                     return Points(points.topRows(points.rows() - 1));
                                 },
                                 [](const scene::SpiralCurve& curve) {
                                     const double grows =
                                         (curve.outer_radius - curve.inner_radius) / (2 * pi * curve.turns);
                                     return drawn(curve.turns, [&](double angle) {
                                         const double r = curve.inner_radius + grows * angle;
                                         return Vec3(r * std::cos(angle), r * std::sin(angle), 0);
                                     });
                                 }},
                      rod.curve);
}

Eigen::VectorXd lengths_along(const Points& points, bool closed) {
    const long n = points.rows(), edges = closed ? n : n - 1;
    Eigen::VectorXd length = Eigen::VectorXd::Zero(edges + 1);
    for (long j = 0; j < edges; ++j) length[j + 1] = length[j] + (points.row((j + 1) % n) - points.row(j)).norm();
    return length;
}

void refuse_repeated(const Points& points, const Eigen::VectorXd& length) {
    const double whole = length[length.size() - 1];
    for (long j = 0; j + 1 < length.size(); ++j)
        if (!(length[j + 1] - length[j] > 1e-12 * whole))
            throw Error(
                fmt::format("points {} and {} of the rod are at the same place, ({:g}, {:g}, {:g}); leave one of "
                            "them out",
                            j + 1, (j + 1) % points.rows() + 1, points(j, 0), points(j, 1), points(j, 2)));
}

// Where no count is stated: eight points for each bending wave at this pitch, which are nearly six at 20 kHz.
constexpr double finest_hz = 10'000;
constexpr double points_per_wave = 8;
constexpr long fewest_points = 16;

// Of bending across the thin side: the frequency times the square of the wavelength, 2πκ√(E/ρ) [m²/s].
double dispersion_of(const scene::Rod& rod) {
    const SectionProperties section = properties_of(rod.section);
    return 2 * pi * std::sqrt(section.second_moments.minCoeff() / section.area) *
           std::sqrt(rod.material.young / rod.material.density);
}

long count_of(const scene::Rod& rod, double length) {
    if (rod.count > 0 && rod.count < 4)
        throw Error(fmt::format("a rod has at least 4 control points, but its count is {}", rod.count));
    if (rod.count > 0) return rod.count;
    const SectionProperties section = properties_of(rod.section);
    const double wave = std::sqrt(dispersion_of(rod) / finest_hz);
    const double thickness = std::sqrt(12 * section.second_moments.minCoeff() / section.area);
    const double spacing = std::max(wave / points_per_wave, thickness);
    return std::clamp(std::lround(std::min(length / spacing, 1e6)), fewest_points, most_points);
}

bool is_clamped(const scene::Rod& rod, double at, double tolerance) {
    return std::ranges::any_of(rod.supports, [&](const scene::RodHold& hold) {
        return hold.kind == scene::RodHoldKind::Clamped && std::abs(hold.at - at) <= tolerance;
    });
}

}  // namespace

double followed_hz(const scene::Rod& rod, double spacing) {
    return dispersion_of(rod) / square(points_per_wave * spacing);
}

Points resampled(const Points& points, bool closed, double from, double to, long count) {
    const Eigen::VectorXd length = lengths_along(points, closed);
    const long n = points.rows(), edges = length.size() - 1;
    Points out(count, 3);
    long j = 0;
    for (long i = 0; i < count; ++i) {
        const double s = from + (to - from) * double(i) / double(closed ? count : count - 1);
        while (j + 1 < edges && length[j + 1] < s) ++j;
        const double share = (s - length[j]) / (length[j + 1] - length[j]);  // beyond [0, 1] straight on
        out.row(i) = (1 - share) * points.row(j) + share * points.row((j + 1) % n);
    }
    return out;
}

CurvePoints curve_points(const scene::Rod& rod) {
    const Points drawn = drawn_curve(rod);
    CurvePoints curve{.points = {}, .closed = rod.closed || std::holds_alternative<scene::RingCurve>(rod.curve)};
    if (drawn.rows() < (curve.closed ? 3 : 2))
        throw Error(
            fmt::format("a rod has at least {} points, but this one has {}", curve.closed ? 3 : 2, drawn.rows()));
    const Eigen::VectorXd length = lengths_along(drawn, curve.closed);
    refuse_repeated(drawn, length);
    curve.length = length[length.size() - 1];
    const long count = count_of(rod, curve.length);
    const double near = 0.5 * curve.length / double(count);
    const bool at_start = !curve.closed && is_clamped(rod, 0, near);
    const bool at_end = !curve.closed && is_clamped(rod, curve.length, near);
    const double spacing = curve.length / (double(count) - 1 - 0.5 * (int(at_start) + int(at_end)));
    curve.before = at_start ? spacing / 2 : 0;
    curve.points = resampled(drawn, curve.closed, -curve.before, curve.length + (at_end ? spacing / 2 : 0), count);
    return curve;
}

}  // namespace clangor
