// What is left of a rod that rests: it moves as one body. docs/theory/rod-contact.md, Coming to rest.
#include <clangor/vibration/rod_contact/coming_to_rest.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace clangor::rod_contact {

RodRows rigid_velocities(const RodPlan& plan, const RodState& state) {
    RodRows rigid = RodRows::Zero(state.velocity.rows(), state.velocity.cols());
    for (long i = 0; i < plan.points; ++i)
        for (int k = 0; k < 3; ++k)
            if (plan.held[size_t(i * plan.per_point + k)]) return rigid;
    const Eigen::RowVectorXd m = plan.mass.row(0);
    const Vec3 centre = state.place.topRows<3>() * m.transpose() / m.sum();
    const Vec3 drift = state.velocity.topRows<3>() * m.transpose() / m.sum();
    Vec3 L = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
    for (long i = 0; i < plan.points; ++i) {
        const Vec3 r = state.place.col(i).head<3>() - centre, v = state.velocity.col(i).head<3>() - drift;
        L += m[i] * r.cross(v);
        inertia += m[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    }
    // Points on a line do not turn about it: that axis is left out.
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(inertia);
    Vec3 spin = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const double about = axes.eigenvalues()[k];
        if (about > 1e-9 * axes.eigenvalues()[2])
            spin += axes.eigenvectors().col(k).dot(L) / about * axes.eigenvectors().col(k);
    }
    for (long i = 0; i < plan.points; ++i)
        rigid.col(i).head<3>() = drift + spin.cross(Vec3(state.place.col(i).head<3>()) - centre);
    return rigid;
}

void damp_slow_motion(RodStepper& rod, const RodContactOptions& options, double step) {
    const RodPlan& plan = rod.plan();
    const RodRows& v = rod.state().velocity;
    const Eigen::RowVectorXd m = plan.mass.row(0);
    const double speed = std::sqrt(v.topRows<3>().colwise().squaredNorm().dot(m) / m.sum());
    if (!(speed < options.damped_below)) return;
    const double part = (1 - speed / options.damped_below) * -std::expm1(-step / options.damping_time);
    RodRows change = part * (rigid_velocities(plan, rod.state()) - v);
    change.bottomRows(change.rows() - 3).setZero();
    for (long i = 0; i < plan.points; ++i)
        for (int k = 0; k < 3; ++k)
            if (plan.held[size_t(i * plan.per_point + k)]) change(k, i) = 0;
    rod.add_velocity(change);
}

}  // namespace clangor::rod_contact
