// Newton and Euler for one body.
#include <clangor/motion/rigid/bodies.hpp>

#include <fmt/core.h>
#include <Eigen/Eigenvalues>

#include <cmath>

namespace clangor::rigid {
namespace {

Eigen::Quaterniond turned(const Eigen::Quaterniond& rotation, const Vec3& turn) {
    const double angle = turn.norm();
    if (angle == 0) return rotation;
    return (Eigen::Quaterniond(Eigen::AngleAxisd(angle, turn / angle)) * rotation).normalized();
}

Mat3 inverse_inertia_at(const MovingBody& body, const Eigen::Quaterniond& rotation) {
    const Mat3 R = rotation.toRotationMatrix();
    return R * body.inverse_inertia_body * R.transpose();
}

void check_masses(const RigidBody& body) {
    if (!(body.mass > 0) || !std::isfinite(body.mass))
        throw Error(
            fmt::format("\"{}\" moves freely, but its mass is {:g} kg; give it a positive one", body.name, body.mass));
    const Mat3& inertia = body.inertia;
    const double scale = inertia.cwiseAbs().maxCoeff();
    const bool sound =
        inertia.allFinite() && scale > 0 && (inertia - inertia.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * scale;
    if (sound) {
        const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia, Eigen::EigenvaluesOnly);
        if (eigen.eigenvalues()[0] > 1e-12 * eigen.eigenvalues()[2]) return;
    }
    throw Error(
        fmt::format("\"{}\" moves freely, but its inertia is no positive definite matrix; take it from the body's "
                    "shape and mass",
                    body.name));
}

}  // namespace

void refresh(MovingBody& body) {
    body.world_from_body.linear() = body.rotation.toRotationMatrix();
    body.world_from_body.translation() = body.centre - body.world_from_body.linear() * body.centre_body;
    if (!body.simulated()) return;
    body.inverse_inertia = inverse_inertia_at(body, body.rotation);
    body.angular_velocity = body.inverse_inertia * body.angular_momentum;
}

void follow_path(MovingBody& body, const RigidBody& of, double time) {
    body.world_from_body = pose_at(of.path, time);
    body.rotation = Eigen::Quaterniond(body.world_from_body.linear());
    body.centre = body.world_from_body * body.centre_body;
    const Twist twist = twist_at(of.path, time);
    body.velocity = point_velocity(body.world_from_body, twist, body.centre_body);
    body.angular_velocity = twist.angular;
}

std::vector<MovingBody> bodies_at_start(const RigidWorld& world) {
    std::vector<MovingBody> bodies;
    for (const RigidBody& of : world.bodies) {
        if (!of.shape) throw Error(fmt::format("\"{}\" has no collision shape", of.name));
        if (of.path.times.size() == 0) throw Error(fmt::format("\"{}\" has no pose to start from", of.name));
        if (!of.path.positions.allFinite() || !of.path.rotations.allFinite() || !of.velocity.allFinite() ||
            !of.angular_velocity.allFinite() || !of.centre.allFinite())
            throw Error(fmt::format("\"{}\" starts from a pose or velocity that is not a number", of.name));
        if (as<HalfSpace>(*of.shape) && of.movement != Movement::Fixed)
            throw Error(fmt::format("\"{}\" is a half space, which cannot move; fix it", of.name));
        MovingBody body;
        body.centre_body = of.centre;
        const double start = of.movement == Movement::Driven ? 0 : of.path.times[0];
        follow_path(body, of, start);
        if (of.movement != Movement::Driven) body.velocity = body.angular_velocity = Vec3::Zero();
        if (of.movement == Movement::Simulated) {
            check_masses(of);
            body.inverse_mass = 1 / of.mass;
            body.inverse_inertia_body = of.inertia.inverse();
            body.velocity = of.velocity;
            const Mat3 R = body.rotation.toRotationMatrix();
            body.angular_momentum = R * of.inertia * R.transpose() * of.angular_velocity;
            refresh(body);
        }
        bodies.push_back(body);
    }
    return bodies;
}

Vec3 mean_velocity(const MovingBody& body, const Before& before, const Vec3& gravity, double h) {
    if (!body.moves()) return body.velocity;
    return body.struck ? Vec3(body.velocity - h / 2 * gravity) : Vec3((before.velocity + body.velocity) / 2);
}

void move(MovingBody& body, const Before& before, const Vec3& gravity, double h) {
    body.centre += h * mean_velocity(body, before, gravity, h);
    const Vec3 L = body.struck ? body.angular_momentum : Vec3((before.angular_momentum + body.angular_momentum) / 2);
    const Vec3 omega_start = inverse_inertia_at(body, body.rotation) * L;
    Vec3 omega = omega_start;
    // ω = ½(I⁻¹(R_n) + I⁻¹(R_n+1)) L: implicit; three rounds leave (ωh)⁴.
    for (int round = 0; round < 3; ++round)
        omega = (omega_start + inverse_inertia_at(body, turned(body.rotation, h * omega)) * L) / 2;
    body.rotation = turned(body.rotation, h * omega);
    refresh(body);
}

// The angular momentum turns with the body, which leaves the energy as it is. Kept in place, it let a spinning elastic
// die gain 3 % of its energy in a second of bounces, against 0.1 %.
void displace(MovingBody& body, const Vec3& shift, const Vec3& turn) {
    const Eigen::Quaterniond before = body.rotation;
    body.centre += shift;
    body.rotation = turned(before, turn);
    body.angular_momentum = body.rotation * (before.conjugate() * body.angular_momentum);
    refresh(body);
}

}  // namespace clangor::rigid
