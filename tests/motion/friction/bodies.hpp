// Free points and balls that touch each other or something fixed: W and b of their contacts.
#pragma once

#include <clangor/motion/friction/friction.hpp>

#include <vector>

namespace clangor::testing {

/// A ball, or a point where inverse_inertia is 0.
struct FreeBody {
    double inverse_mass = 1;
    double inverse_inertia = 0;
    Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
};

/// `first` is pushed along the normal, `second`, unless it is −1, against it.
struct BodyContact {
    int first = 0, second = -1;
    Mat3 frame = Mat3::Identity();
    Vec3 arm_first = Vec3::Zero(), arm_second = Vec3::Zero();
    FrictionalContact law = {};
};

inline Mat3 cross_matrix(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

struct ContactSideOf {
    int body = -1;
    Eigen::Matrix<double, 3, 6> J = {};  ///< velocity and spin to the contact's frame
};

inline std::vector<ContactSideOf> sides_of(const BodyContact& contact) {
    std::vector<ContactSideOf> sides;
    for (const bool first : {true, false}) {
        const int body = first ? contact.first : contact.second;
        if (body < 0) continue;
        ContactSideOf side{.body = body};
        side.J << Mat3::Identity(), -cross_matrix(first ? contact.arm_first : contact.arm_second);
        side.J = (first ? 1.0 : -1.0) * (contact.frame.transpose() * side.J).eval();
        sides.push_back(side);
    }
    return sides;
}

inline Eigen::Matrix<double, 6, 1> inverse_masses(const FreeBody& body) {
    Eigen::Matrix<double, 6, 1> m;
    m << Vec3::Constant(body.inverse_mass), Vec3::Constant(body.inverse_inertia);
    return m;
}

inline FrictionProblem problem_of(const std::vector<FreeBody>& bodies, const std::vector<BodyContact>& contacts) {
    FrictionProblem problem;
    std::vector<std::vector<std::pair<int, ContactSideOf>>> at_body(bodies.size());
    for (size_t c = 0; c < contacts.size(); ++c) {
        problem.contacts.push_back(contacts[c].law);
        Vec3 u = Vec3::Zero();
        for (const ContactSideOf& side : sides_of(contacts[c])) {
            const FreeBody& body = bodies[size_t(side.body)];
            Eigen::Matrix<double, 6, 1> v;
            v << body.velocity, body.spin;
            u += side.J * v;
            at_body[size_t(side.body)].push_back({int(c), side});
        }
        problem.free_velocity.push_back(u);
    }
    std::vector<ResponseBlock> blocks;
    for (size_t b = 0; b < bodies.size(); ++b) {
        for (const auto& [row, left] : at_body[b])
            for (const auto& [column, right] : at_body[b])
                blocks.push_back({row, column, left.J * inverse_masses(bodies[b]).asDiagonal() * right.J.transpose()});
    }
    problem.response = response_of(long(contacts.size()), blocks);
    return problem;
}

inline void apply(std::vector<FreeBody>& bodies, const std::vector<BodyContact>& contacts,
                  const std::vector<Vec3>& impulses) {
    for (size_t c = 0; c < contacts.size(); ++c) {
        for (const ContactSideOf& side : sides_of(contacts[c])) {
            FreeBody& body = bodies[size_t(side.body)];
            const Eigen::Matrix<double, 6, 1> dv = inverse_masses(body).asDiagonal() * side.J.transpose() * impulses[c];
            body.velocity += dv.head<3>();
            body.spin += dv.tail<3>();
        }
    }
}

}  // namespace clangor::testing
