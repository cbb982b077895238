// Transfer in all directions, found where it is needed.
#include <clangor/radiation/compact/compact.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <vector>

namespace clangor {
namespace {

constexpr long rows = 46;     // from one pole (+y) to the other, every 4°
constexpr long columns = 90;  // around it

// Shells of distance: between them P·R, nearly constant far away, is linear in the logarithm of R.
constexpr double sphere_ratio = 1.5;
constexpr double near_radii = 4;

Vec3 direction_of(long row, long column) {
    const double theta = pi * double(row) / double(rows - 1), phi = 2 * pi * double(column) / double(columns);
    return {std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi)};
}

}  // namespace

struct DirectionTable::Impl {
    /// Directions at one distance.
    struct TableSphere {
        double distance = 0;
        std::vector<std::once_flag> once{size_t(rows * columns)};
        std::vector<Eigen::VectorXcf> known{size_t(rows * columns)};  ///< P·R
    };
    const CompactSources& sources;
    Eigen::VectorXd omega;
    Air air;
    std::mutex mutex;
    std::map<long, TableSphere> spheres;  // a map keeps its elements where they are

    TableSphere& sphere(long index) {
        const std::lock_guard lock(mutex);
        const auto [found, made] = spheres.try_emplace(index);
        // Once: others that know this sphere read it without the lock.
        if (made) found->second.distance = near_radii * sources.radius * std::pow(sphere_ratio, double(index));
        return found->second;
    }

    const Eigen::VectorXcf& node(TableSphere& at, long row, long column) {
        if (row == 0 || row == rows - 1) column = 0;  // the poles are one direction each
        const size_t i = size_t(row * columns + column % columns);
        std::call_once(at.once[i], [&] {
            const Vec3 listener = sources.centre + at.distance * direction_of(row, column % columns);
            at.known[i] = (at.distance * quick_transfer(sources, omega, listener, air)).cast<std::complex<float>>();
        });
        return at.known[i];
    }

    Eigen::VectorXcf around(TableSphere& at, double theta, double phi) {
        const long row = std::min(long(theta), rows - 2), column = long(phi);
        const float x = float(theta - double(row)), y = float(phi - double(column));
        return (1 - x) * ((1 - y) * node(at, row, column) + y * node(at, row, column + 1)) +
               x * ((1 - y) * node(at, row + 1, column) + y * node(at, row + 1, column + 1));
    }
};

DirectionTable::DirectionTable(const CompactSources& sources, const Eigen::VectorXd& omega, const Air& air)
    : impl_(new Impl{sources, omega, air, {}, {}}) {}
DirectionTable::~DirectionTable() = default;

Eigen::VectorXcd DirectionTable::operator()(const Vec3& listener) const {
    Impl& table = *impl_;
    const Vec3 arm = listener - table.sources.centre;
    const double R = arm.norm(), nearest = near_radii * table.sources.radius;
    if (!(R > nearest)) return quick_transfer(table.sources, table.omega, listener, table.air);
    const double theta = std::acos(std::clamp(arm.y() / R, -1.0, 1.0)) * double(rows - 1) / pi;
    double phi = std::atan2(arm.z(), arm.x()) * double(columns) / (2 * pi);
    if (phi < 0) phi += double(columns);
    const double level = std::log(R / nearest) / std::log(sphere_ratio);
    const long below = long(level);
    const float x = float(level - double(below));
    const Eigen::VectorXcf P =
        (1 - x) * table.around(table.sphere(below), theta, phi) + x * table.around(table.sphere(below + 1), theta, phi);
    return P.cast<std::complex<double>>() / R;
}

}  // namespace clangor
