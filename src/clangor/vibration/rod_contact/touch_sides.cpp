#include <clangor/vibration/rod_contact/touch_sides.hpp>

namespace clangor::rod_contact {
namespace {

Mat3 cross_matrix(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

// v = (1−s)v_i + s v_{i+1} + ω×d at d from the axis, ω = θ̇ t + t×(v_{i+1} − v_i)/l. The last part is
// ((t·d) − t dᵀ)(v_{i+1} − v_i)/l   docs/theory/rod-contact.md, Eq. 7
RodSide side_on_rod(const ChainPlace& place, const RodStepper& rod, const Vec3& point, const Mat3& frame) {
    const RodPlan& plan = rod.plan();
    const int next = int((place.segment + 1) % plan.points);
    const Vec3 p = rod.state().place.col(place.segment).head<3>(), q = rod.state().place.col(next).head<3>();
    const double length = (q - p).norm();
    const Vec3 t = (q - p) / length, from_axis = point - p - place.along * (q - p);
    const Mat3 tilt = (t.dot(from_axis) * Mat3::Identity() - t * from_axis.transpose()) / length;
    RodSide side{.rod = place.chain};
    side.J << (1 - place.along) * Mat3::Identity() - tilt, t.cross(from_axis), place.along * Mat3::Identity() + tilt;
    side.J = (frame.transpose() * side.J).eval();
    for (int k = 0; k < 4; ++k) side.unknowns[size_t(k)] = place.segment * plan.per_point + k;
    for (int k = 0; k < 3; ++k) side.unknowns[size_t(4 + k)] = next * plan.per_point + k;
    return side;
}

}  // namespace

Vec3 RodSide::velocity(const RodRows& rows) const {
    Vec3 v = Vec3::Zero();
    for (int k = 0; k < 7; ++k) v += J.col(k) * rows.data()[unknowns[size_t(k)]];
    return v;
}

void RodSide::add(const Vec3& impulse, RodRows& rows) const {
    for (int k = 0; k < 7; ++k) rows.data()[unknowns[size_t(k)]] += J.col(k).dot(impulse);
}

TouchSides sides_of(const CapsuleTouch& touch, std::span<const ContactRod> rods, std::span<const RodObstacle> bodies) {
    TouchSides sides{.frame = contact_frame(touch.normal), .first = {}, .second = {}, .body = {}};
    // Both at one point, midway between the surfaces: they take the same angular momentum from each other.
    sides.first = side_on_rod(touch.first, *rods[size_t(touch.first.chain)].rod, touch.point, sides.frame);
    if (touch.second.chain >= 0) {
        sides.second = side_on_rod(touch.second, *rods[size_t(touch.second.chain)].rod, touch.point, sides.frame);
        sides.second.J *= -1;
    } else {
        const RodObstacle& body = bodies[size_t(touch.shape)];
        const Vec3 arm = touch.point - body.world_from_body.translation();
        sides.body.body = touch.shape;
        sides.body.J << Mat3::Identity(), -cross_matrix(arm);
        sides.body.J = (-sides.frame.transpose() * sides.body.J).eval();
    }
    return sides;
}

Eigen::Matrix<double, 6, 6> inverse_mass_of(const RodObstacle& body) {
    Eigen::Matrix<double, 6, 6> inverse = Eigen::Matrix<double, 6, 6>::Zero();
    const Mat3 R = body.world_from_body.linear();
    inverse.topLeftCorner<3, 3>().diagonal().setConstant(body.inverse_mass);
    inverse.bottomRightCorner<3, 3>() = R * body.inverse_inertia * R.transpose();
    return inverse;
}

}  // namespace clangor::rod_contact
