// A rod in one pose: its energy, forces, stiffness, frames, and small motion about it   docs/theory/rod.md
#include <clangor/vibration/rod/rod.hpp>
#include <clangor/vibration/rod/rod_forces.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>

namespace clangor {
namespace {

Vec3 displacement(const RodPlan& plan, const RodSpring& spring, const RodRows& place) {
    return (place.col(spring.point) - plan.rest.place.col(spring.point)).head<3>();
}

// Entries of the band that are not zero, both triangles, point by point.
SparseMatrix matrix_of(const RodPlan& plan, const RodState& state, rods::ForceTask task) {
    const rods::RodOrder order(plan);
    const long B = order.block(), n = plan.points;
    std::vector<double> band(size_t((order.blocks() + 3) * 3 * B * B), 0.0);
    task.place = &state.place;
    rods::RodForces field(plan);
    RodRows forces(plan.per_point, n);
    field.evaluate(state, task, forces, band.data());
    std::vector<Eigen::Triplet<double>> entries;
    const long size = n * plan.per_point;
    std::vector<long> unknown_of(size_t(order.blocks() * B), -1);
    for (long i = 0; i < n; ++i)
        for (int u = 0; u < plan.per_point; ++u) unknown_of[size_t(order.row(i, u))] = i * plan.per_point + u;
    for (long column = 0; column < std::ssize(unknown_of); ++column) {
        const long block = column / B + 1;
        for (long row = column; row < std::min((block + 2) * B, long(unknown_of.size())); ++row) {
            const double value =
                band[size_t(block * 3 * B * B + (column - (block - 1) * B) * 3 * B + row - (block - 1) * B)];
            const long r = unknown_of[size_t(row)], c = unknown_of[size_t(column)];
            if (value == 0 || r < 0 || c < 0) continue;
            entries.emplace_back(int(r), int(c), value);
            if (r != c) entries.emplace_back(int(c), int(r), value);
        }
    }
    SparseMatrix matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

// Translations and rotations that leave all that is held where it is, in the unknowns that are free.
Eigen::MatrixXd rigid_motions(const RodPlan& plan, const RodState& state) {
    const long n = plan.points;
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n * plan.per_point, 6);
    const Vec3 centre = state.place.topRows<3>().rowwise().mean();
    for (long i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) {
            const Vec3 axis = Vec3::Unit(k);
            all(i * plan.per_point + k, k) = 1;
            all.block<3, 1>(i * plan.per_point, 3 + k) = axis.cross(Vec3(state.place.col(i).head<3>()) - centre);
            if (i < plan.edges) all(i * plan.per_point + 3, 3 + k) = state.tangents(i, k);
        }
    const double size = std::max(1e-300, (state.place.topRows<3>().colwise() - centre).cwiseAbs().maxCoeff());
    all.rightCols<3>() /= size;
    // Those combinations of the six that do not move what is held, nor stretch a spring.
    std::vector<Eigen::RowVectorXd> still;
    for (long r = 0; r < all.rows(); ++r)
        if (plan.held[size_t(r)]) still.emplace_back(all.row(r));
    for (const RodSpring& spring : plan.springs)
        for (int k = 0; k < 3; ++k)
            if (spring.stiffness[k] > 0) still.emplace_back(all.row(spring.point * plan.per_point + k));
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(6, 6);
    for (const Eigen::RowVectorXd& row : still) H += row.transpose() * row;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> kept(H);
    long count = 0;
    while (count < 6 && kept.eigenvalues()[count] < 1e-10) ++count;
    return all * kept.eigenvectors().leftCols(count);
}

}  // namespace

double rod_energy(const RodPlan& plan, const RodState& state) {
    rods::RodForces field(plan);
    RodRows forces(plan.per_point, plan.points);
    double energy = field.evaluate(state, {.place = &state.place}, forces);
    for (const RodSpring& spring : plan.springs)
        energy += 0.5 * displacement(plan, spring, state.place).cwiseAbs2().dot(spring.stiffness);
    return energy;
}

RodRows rod_gradient(const RodPlan& plan, const RodState& state) {
    rods::RodForces field(plan);
    RodRows forces(plan.per_point, plan.points);
    field.evaluate(state, {.place = &state.place}, forces);
    for (const RodSpring& spring : plan.springs)
        forces.col(spring.point).head<3>() += displacement(plan, spring, state.place).cwiseProduct(spring.stiffness);
    return forces;
}

SparseMatrix rod_stiffness(const RodPlan& plan, const RodState& state) {
    SparseMatrix K = matrix_of(plan, state, {});
    for (const RodSpring& spring : plan.springs)
        for (int k = 0; k < 3; ++k) {
            const long row = spring.point * plan.per_point + k;
            K.coeffRef(row, row) += spring.stiffness[k];
        }
    return K;
}

RodState moved(const RodPlan& plan, const RodState& state, const RodRows& place) {
    rods::RodForces field(plan);
    RodRows forces(plan.per_point, plan.points);
    field.evaluate(state, {.place = &place}, forces);
    RodState there = state;
    there.place = place;
    there.tangents = field.tangents;
    there.directors = field.directors;
    there.turns = field.turns;
    return there;
}

RodFrames material_frames(const RodPlan& plan, const RodState& state) { return rods::frames_of(plan, state); }

double kinetic_energy(const RodPlan& plan, const RodState& state) {
    const RodRows& v = state.velocity;
    double energy = 0.5 * plan.mass.cwiseProduct(v.cwiseAbs2()).sum();
    for (long j = 0; j < plan.edges; ++j) {  // Eq. 18
        const long next = (j + 1) % plan.points, last = (j + plan.points - 1) % plan.points;
        energy -= 0.5 * plan.shared[j] * (v.col(next) - v.col(j)).head<3>().squaredNorm();
        energy -= 0.5 * plan.shared_turning[j] * square(v(3, j) - v(3, last));
    }
    if (plan.per_point < 6) return energy;
    const RodFrames frames = material_frames(plan, state);
    for (long j = 0; j < plan.edges; ++j) {  // Eq. 12
        const long next = (j + 1) % plan.points;
        const double length = (state.place.col(next) - state.place.col(j)).head<3>().norm();
        const Vec3 turning = (v.col(next) - v.col(j)).head<3>() / length;
        energy += 0.5 * (plan.rotary_1[j] * square(frames.d_1.row(j).dot(turning.transpose()) - v(4, j)) +
                         plan.rotary_2[j] * square(frames.d_2.row(j).dot(turning.transpose()) - v(5, j)));
    }
    return energy;
}

ConstrainedBody small_motion(const RodPlan& plan, const RodState& state) {
    const RodState here = moved(plan, state, state.place);
    std::vector<Eigen::Triplet<double>> ones;
    int free = 0;
    for (long r = 0; r < std::ssize(plan.held); ++r)
        if (!plan.held[size_t(r)]) ones.emplace_back(int(r), free++, 1.0);
    SparseMatrix T(long(plan.held.size()), free);
    T.setFromTriplets(ones.begin(), ones.end());

    SparseMatrix M = matrix_of(plan, here, {.strain = 0, .stress = 0, .mass = 1});
    for (long i = 0; i < plan.mass.size(); ++i)
        if (const double m = plan.mass.data()[i]; m != 0) M.coeffRef(i, i) += m;
    ConstrainedBody motion;
    motion.expansion = T;
    motion.body.stiffness = T.transpose() * rod_stiffness(plan, here) * T;
    motion.body.mass = T.transpose() * M * T;
    motion.body.rigid = T.transpose() * rigid_motions(plan, here);
    motion.body.is_held = motion.body.rigid.cols() < 6;
    return motion;
}

// Eq. 15
double warped_hz(double hz, double step) { return std::atan(pi * hz * step) / (pi * step); }
double unwarped_hz(double hz, double step) { return std::tan(pi * hz * step) / (pi * step); }

}  // namespace clangor
