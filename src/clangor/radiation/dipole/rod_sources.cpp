#include <clangor/radiation/dipole/dipole.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

/// Three columns of coordinates.
struct Columns {
    const double *x, *y, *z;

    explicit Columns(const Eigen::MatrixX3d& rows)
        : x(rows.data()), y(rows.data() + rows.rows()), z(rows.data() + 2 * rows.rows()) {}
    double dot(const Columns& other, long i) const { return x[i] * other.x[i] + y[i] * other.y[i] + z[i] * other.z[i]; }
};

void set_forces(const RadiatingRod& rod, const RodInstant& instant, const Eigen::MatrixX3d& accelerations,
                double density, Eigen::MatrixX3d& forces) {
    const long n = instant.positions.rows();
    const Columns a(accelerations), d_1(instant.d_1), d_2(instant.d_2);
    const double own = density * rod.area, added_11 = density * rod.dipole(0, 0) - own,
                 added_12 = density * rod.dipole(0, 1), added_22 = density * rod.dipole(1, 1) - own;
    double *x = forces.data(), *y = x + n, *z = y + n;
    const double* length = rod.lengths.data();
    const bool all = rod.beside_ends.rows() == 0;
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(all ? n : 0);
    const double *left_1 = all ? ones.data() : rod.beside_ends.data(), *left_2 = all ? left_1 : left_1 + n;
#pragma omp simd
    for (long i = 0; i < n; ++i) {
        // What is left of the added air multiplies its matrix from both sides, by its root.
        const double along_1 = d_1.dot(a, i), along_2 = d_2.dot(a, i),
                     across = std::sqrt(left_1[i] * left_2[i]) * added_12;
        const double F_1 = length[i] * ((own + left_1[i] * added_11) * along_1 + across * along_2);
        const double F_2 = length[i] * (across * along_1 + (own + left_2[i] * added_22) * along_2);
        x[i] = F_1 * d_1.x[i] + F_2 * d_2.x[i];
        y[i] = F_1 * d_1.y[i] + F_2 * d_2.y[i];
        z[i] = F_1 * d_1.z[i] + F_2 * d_2.z[i];
    }
}

/// How a point is accelerated along the edge from `from` to `to`.
double along_edge(const RodInstant& instant, const Eigen::MatrixX3d& accelerations, long from, long to, long point) {
    const Vec3 edge = instant.positions.row(to) - instant.positions.row(from);
    return edge.normalized().dot(accelerations.row(point));
}

// A section that is stretched by ε gets thinner: its area changes by −2νε. And an end pushes the air before it.
//     S_i / ρ0 A = ±t·a at the ends − 2ν ½ Σ t·(a_{j+1} − a_j) over the edges at i
void set_flows(const RadiatingRod& rod, const RodInstant& instant, const Eigen::MatrixX3d& accelerations,
               double density, Eigen::VectorXd& flows) {
    const long n = instant.positions.rows();
    const double per_acceleration = density * rod.area, thinner = per_acceleration * rod.poisson;
    const Columns x(instant.positions), a(accelerations);
    double* S = flows.data();
    // First, what the edge behind each point gets longer by.
#pragma omp simd
    for (long j = 0; j < n - 1; ++j) {
        const double ex = x.x[j + 1] - x.x[j], ey = x.y[j + 1] - x.y[j], ez = x.z[j + 1] - x.z[j];
        const double stretch = ex * (a.x[j + 1] - a.x[j]) + ey * (a.y[j + 1] - a.y[j]) + ez * (a.z[j + 1] - a.z[j]);
        S[j] = stretch / std::sqrt(ex * ex + ey * ey + ez * ez);
    }
    S[n - 1] = rod.closed ? along_edge(instant, accelerations, n - 1, 0, 0) -
                                along_edge(instant, accelerations, n - 1, 0, n - 1)
                          : 0;
    double before = S[n - 1];
    for (long j = 0; j < n; ++j) {
        const double behind = S[j];
        S[j] = -thinner * (before + behind);
        before = behind;
    }
    if (rod.closed) return;
    S[0] -= per_acceleration * along_edge(instant, accelerations, 0, 1, 0);
    S[n - 1] += per_acceleration * along_edge(instant, accelerations, n - 2, n - 1, n - 1);
}

}  // namespace

RadiatingRod radiating_rod(const Section& section, const Eigen::VectorXd& lengths) {
    const SectionProperties properties = properties_of(section);
    const auto* tube = std::get_if<TubeSection>(&section);
    return {.lengths = lengths,
            .dipole = dipole_matrix(section),
            .area = tube ? pi * square(tube->radius) : properties.area};
}

// At a distance e from an end, 1 − ½/(1 + e²/b²) of the added area M is left, b = 0.38 √M: integrated over each point's
// part of the rod (docs/theory/rod-radiation.md, Eq. 17).
RadiatingRod with_free_ends(RadiatingRod rod) {
    const double length = rod.lengths.sum();
    rod.beside_ends.resize(rod.lengths.size(), 2);
    for (int axis = 0; axis < 2; ++axis) {
        const double b = 0.38 * std::sqrt(std::max(rod.dipole(axis, axis) - rod.area, 1e-9 * rod.area));
        double begin = 0;
        for (long i = 0; i < rod.lengths.size(); ++i) {
            const double end = begin + rod.lengths[i];
            const double from_first = std::atan(end / b) - std::atan(begin / b),
                         from_last = std::atan((length - begin) / b) - std::atan((length - end) / b);
            rod.beside_ends(i, axis) = 1 - b / 2 * (from_first + from_last) / rod.lengths[i];
            begin = end;
        }
    }
    return rod;
}

// The sum of two unit vectors is halfway between them; what it has along the middle direction of the rod is taken off.
SectionFrames frames_at_points(const SectionFrames& edges, bool closed) {
    const long edge_count = edges.d_1.rows(), n = closed ? edge_count : edge_count + 1;
    SectionFrames points{Eigen::MatrixX3d(n, 3), Eigen::MatrixX3d(n, 3)};
    for (long i = 0; i < n; ++i) {
        const long before = closed ? (i + n - 1) % n : std::max(i - 1, 0L), behind = std::min(i, edge_count - 1);
        const Vec3 a_1 = edges.d_1.row(before), a_2 = edges.d_2.row(before), b_1 = edges.d_1.row(behind),
                   b_2 = edges.d_2.row(behind);
        const Vec3 along = (a_1.cross(a_2) + b_1.cross(b_2)).normalized(), sum = a_1 + b_1;
        const Vec3 d_1 = (sum - along * along.dot(sum)).normalized();
        points.d_1.row(i) = d_1;
        points.d_2.row(i) = along.cross(d_1);
    }
    return points;
}

PointSources sources_of(const RadiatingRod& rod, const RodInstant& instant, const Air& air, PointSources reused) {
    const long n = instant.positions.rows();
    CLANGOR_ASSERT(rod.lengths.size() == n && instant.accelerations.rows() == n, "one length and acceleration a point");
    CLANGOR_ASSERT(n > 1, "a rod has two ends");
    PointSources sources = std::move(reused);
    sources.positions = instant.positions;
    sources.forces.resize(n, 3);
    sources.flows.resize(n);
    set_forces(rod, instant, instant.accelerations, air.density, sources.forces);
    set_flows(rod, instant, instant.accelerations, air.density, sources.flows);
    sources.nearest = std::sqrt(rod.dipole.trace() / (4 * pi));
    return sources;
}

// Ḋv of the time between: with the velocity at its end, as the sections are then and as they were before.
void add_turning(const RadiatingRod& rod, const RodInstant& before, const RodInstant& now, double rate, const Air& air,
                 PointSources& sources) {
    const long n = now.positions.rows();
    const Eigen::MatrixX3d changes = rate * now.velocities;
    Eigen::MatrixX3d forces(n, 3), forces_before(n, 3);
    Eigen::VectorXd flows(n), flows_before(n);
    set_forces(rod, now, changes, air.density, forces);
    set_forces(rod, before, changes, air.density, forces_before);
    set_flows(rod, now, changes, air.density, flows);
    set_flows(rod, before, changes, air.density, flows_before);
    sources.forces += forces - forces_before;
    sources.flows += flows - flows_before;
}

}  // namespace clangor
