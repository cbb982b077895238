// Time, iterations, memory and error of the boundary element solver on balls, whose sound is known.
// Run:  build/release/bin/bem_bench
//
// Beside it: a dense factorisation of as many unknowns as there are elements, which constant elements would need.
#include "../tests/icosphere.hpp"

#include <clangor/radiation/bem/bem.hpp>
#include <clangor/radiation/bem/triangle_rules.hpp>

#include <fmt/core.h>
#include <sys/resource.h>

#include <Eigen/LU>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

using namespace clangor;

namespace {

using Complex = std::complex<double>;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double peak_megabytes() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1e3;
}

// Each face of an octahedron in cells² parts, pushed out onto the ball and then to its volume.
Surface ball(int cells) {
    std::vector<Vec3> points;
    std::map<std::array<long, 3>, int> index_of;
    std::vector<std::array<int, 3>> faces;
    const auto index = [&](const Vec3& p) {
        const std::array<long, 3> key = {std::lround(p[0] * cells), std::lround(p[1] * cells),
                                         std::lround(p[2] * cells)};
        const auto [at, is_new] = index_of.try_emplace(key, static_cast<int>(points.size()));
        // Equal angles rather than equal lengths along the edges: triangles of nearly one size.
        if (is_new)
            points.push_back((p.array().abs() * pi / 2).sin().matrix().cwiseProduct(p.cwiseSign()).normalized());
        return at->second;
    };
    for (int octant = 0; octant < 8; ++octant) {
        const Vec3 s(octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1);
        const bool turned = s.prod() < 0;
        const auto at = [&](int i, int j) { return index(s.cwiseProduct(Vec3(i, j, cells - i - j)) / cells); };
        const auto add = [&](int a, int b, int c) {
            faces.push_back(turned ? std::array{a, c, b} : std::array{a, b, c});
        };
        for (int i = 0; i < cells; ++i)
            for (int j = 0; i + j < cells; ++j) {
                add(at(i, j), at(i + 1, j), at(i, j + 1));
                if (i + j + 1 < cells) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            }
    }
    Surface surface{Points(static_cast<long>(points.size()), 3), Triangles(static_cast<long>(faces.size()), 3)};
    for (std::size_t i = 0; i < points.size(); ++i) surface.vertices.row(static_cast<long>(i)) = points[i];
    for (std::size_t i = 0; i < faces.size(); ++i)
        surface.faces.row(static_cast<long>(i)) << faces[i][0], faces[i][1], faces[i][2];
    surface.vertices *= std::cbrt(4 * pi / 3 / mass_properties(surface).volume);
    return surface;
}

double legendre(int n, double x) {
    double before = 0, p = 1;
    for (int i = 0; i < n; ++i) before = std::exchange(p, ((2 * i + 1) * x * p - i * before) / (i + 1));
    return p;
}

// h_n of the second kind.
Complex outgoing(int n, double z) {
    Complex before = std::polar(1.0, -z) / z, h = Complex(0, 1) * before;
    for (int i = 0; i < n; ++i) before = std::exchange(h, (2.0 * i + 1) / z * h - before);
    return h;
}

// p at r for ∂p/∂n = P_n at r = 1, without P_n.
Complex exact(int n, double k, double r) {
    const Complex slope = n == 0 ? -outgoing(1, k) : outgoing(n - 1, k) - (n + 1.0) / k * outgoing(n, k);
    return outgoing(n, k * r) / (k * slope);
}

Eigen::VectorXcd legendre_means(const Surface& surface, int n) {
    Eigen::VectorXcd means = Eigen::VectorXcd::Zero(surface.faces.rows());
    for (long f = 0; f < means.size(); ++f)
        for (const bem::RulePoint& point : bem::rule_of_degree_6()) {
            Vec3 x = Vec3::Zero();
            for (int i = 0; i < 3; ++i) x += point.at[i] * surface.vertices.row(surface.faces(f, i)).transpose();
            means[f] += point.weight * legendre(n, x.normalized().z());
        }
    return means;
}

Points points_around(int count) {
    Points points(count, 3);
    for (int i = 0; i < count; ++i) {
        const double r = 2 + 8.0 * i / count, golden = 0.6180339887498949 * i;
        const double z = 1 - 2 * (golden - std::floor(golden)), angle = 2.399963 * i, flat = std::sqrt(1 - z * z);
        points.row(i) << r * flat * std::cos(angle), r * flat * std::sin(angle), r * z;
    }
    return points;
}

void measure(const char* name, const Surface& surface, int n, double k, BemMethod method = BemMethod::Auto) {
    const Eigen::VectorXcd q = legendre_means(surface, n);
    const double begin = seconds();
    const BemSolution sound = solve_radiation(surface, q, k, {.method = method});
    const double solved = seconds();
    const Points points = points_around(10000);
    const double listening = seconds();
    const Eigen::VectorXcd p = pressure_at(sound, points);
    const double heard = seconds();
    Eigen::VectorXcd expected(points.rows());
    for (long i = 0; i < points.rows(); ++i) {
        const double r = points.row(i).norm();
        expected[i] = exact(n, k, r) * legendre(n, points(i, 2) / r);
    }
    const Eigen::VectorXcd on_surface = q * exact(n, k, 1);
    const double edge = std::sqrt(area_of(surface) / static_cast<double>(surface.faces.rows()) * 4 / std::sqrt(3.0));
    fmt::print("{:<12} {:>6} {:>8.4f} {:>2} {:>6.1f} {:>9.4f} {:>9.4f} {:>7.2f} {:>5} {:>7.0f} {:>7.0f} {:>8.2f}  {}\n",
               name, surface.faces.rows(), k, n, 2 * pi / k / edge, 100 * (p - expected).norm() / expected.norm(),
               100 * (sound.pressure - on_surface).norm() / on_surface.norm(), solved - begin, sound.iterations,
               static_cast<double>(sound.bytes) / 1e6, peak_megabytes(), heard - listening, sound.method);
}

}  // namespace

int main() {
    fmt::print("{:<12} {:>6} {:>8} {:>2} {:>6} {:>9} {:>9} {:>7} {:>5} {:>7} {:>7} {:>8}\n", "ball", "faces", "ka", "n",
               "per λ", "field/%", "surf./%", "s", "steps", "MB", "peak MB", "10⁴ pts");
    for (const double k : {0.1, 0.5, 1.0, 2.0, pi, 4.493409457909064, 5.0})
        for (int n = 0; n <= 4; ++n) measure("coarse", test::icosphere(1, 3, true), n, k);
    for (const int n : {0, 1, 4}) measure("ka = 20", ball(49), n, 20.0);
    measure("icosphere", test::icosphere(1, 4, true), 1, 5.0);
    measure("thin blocks", test::icosphere(1, 4, true), 1, 5.0, BemMethod::Hierarchical);
    measure("inscribed", test::icosphere(1, 4, false), 1, 5.0);
    measure("icosphere", test::icosphere(1, 5, true), 1, 10.0);
    measure("inscribed", test::icosphere(1, 5, false), 1, 10.0);

    const Eigen::MatrixXcf matrix = Eigen::MatrixXcf::Random(5120, 5120) + 100 * Eigen::MatrixXcf::Identity(5120, 5120);
    const double begin = seconds();
    const Eigen::PartialPivLU<Eigen::MatrixXcf> factors(matrix);
    fmt::print("dense LU of 5120 unknowns, one core: {:.2f} s ({:.1e})\n", seconds() - begin,
               static_cast<double>(std::abs(factors.matrixLU()(0, 0))));
}
