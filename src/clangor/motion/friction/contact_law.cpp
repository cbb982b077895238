// The law of one contact: its impulse where it meets nobody else, and how far a given impulse is from the law.
#include <clangor/motion/friction/friction.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor {
namespace {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

// The nearest point of the cone |r_T| ≤ µ r_N.
Vec3 onto_cone(const Vec3& r, double mu) {
    const Vec2 tangential = r.tail<2>();
    const double across = tangential.norm();
    if (across <= mu * r[0]) return r;
    if (mu * across <= -r[0]) return Vec3::Zero();
    const double normal = (r[0] + mu * across) / (1 + mu * mu);
    Vec3 nearest;
    nearest << normal, mu * normal / across * tangential;
    return nearest;
}

// What is left of the contact's equations once the normal velocity is at its target: r_T = −(S + λ)⁻¹ c in the frame in
// which S is diagonal, r_N = (press − pull·r_T), for a slip velocity −λ r_T.
struct Sliding {
    Vec2 stiffness, c, pull;
    double press, mu;

    Vec2 tangential(double lambda) const { return -(c.array() / (stiffness.array() + lambda)).matrix(); }
    double normal(const Vec2& r) const { return press - pull.dot(r); }

    // How far the impulse is outside the cone, and the derivative of that.
    std::pair<double, double> excess(double lambda) const {
        const Vec2 r = tangential(lambda);
        const Vec2 dr = -(r.array() / (stiffness.array() + lambda)).matrix();
        const double length = r.norm();
        const double d_length = length > 0 ? r.dot(dr) / length : 0.0;
        return {length - mu * normal(r), d_length + mu * pull.dot(dr)};
    }
};

// The excess is positive at λ = 0, where sticking was outside the cone, and negative for λ → ∞, where no friction is
// left: Newton's method between brackets always ends.
double sliding_lambda(const Sliding& sliding) {
    double low = 0, high = sliding.stiffness.sum();
    while (sliding.excess(high).first > 0 && high < 1e12 * sliding.stiffness.sum()) low = high, high *= 8;
    double lambda = low;
    for (int round = 0; round < 100; ++round) {
        const auto [f, df] = sliding.excess(lambda);
        (f > 0 ? low : high) = lambda;
        double next = lambda - f / df;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - lambda) <= 1e-15 * next) return next;
        lambda = next;
    }
    return lambda;
}

}  // namespace

Mat3 contact_frame(const Vec3& normal) {
    Mat3 frame;
    frame.col(0) = normal;
    frame.col(1) = normal.unitOrthogonal();
    frame.col(2) = normal.cross(frame.col(1));
    return frame;
}

// Taking off, sticking, sliding, in this order. With the normal velocity at its target, r_N follows from r_T; what
// remains are two equations for r_T with the positive matrix S = W_TT − W_TN W_NT/W_NN, in which sliding adds λ to the
// diagonal   docs/theory/rod-contact.md, Eqs. 3 to 5
Vec3 contact_impulse(const FrictionalContact& contact, const Mat3& W, const Vec3& b) {
    const double free = b[0] - contact.target;
    if (free >= 0) return Vec3::Zero();
    const double W_NN = W(0, 0) + contact.compliance;
    const double press = -free / W_NN;
    if (contact.friction <= 0) return {press, 0, 0};
    const Vec2 pull = W.block<1, 2>(0, 1).transpose() / W_NN;
    const Mat2 S = W.block<2, 2>(1, 1) - W_NN * pull * pull.transpose();
    const Vec2 c = b.tail<2>() + W.block<2, 1>(1, 0) * press;

    // The eigenvectors of S: a turn by `angle`.
    const double angle = 0.5 * std::atan2(2 * S(0, 1), S(0, 0) - S(1, 1));
    const Eigen::Rotation2Dd turn(angle);
    const Mat2 Q = turn.toRotationMatrix();
    const Mat2 diagonal = Q.transpose() * S * Q;
    const double floor = 1e-14 * W.trace();  // nothing moves across: rounding only
    const Sliding sliding{.stiffness = diagonal.diagonal().cwiseMax(floor),
                          .c = Q.transpose() * c,
                          .pull = Q.transpose() * pull,
                          .press = press,
                          .mu = contact.friction};
    const bool sticks = sliding.excess(0).first <= 0;
    Vec2 r_T = sliding.tangential(sticks ? 0.0 : sliding_lambda(sliding));
    const double normal = sliding.normal(r_T);
    // Contacts so compliant that they hardly press slide with λ beyond all bounds: friction is what is left.
    if (r_T.norm() > 1.001 * contact.friction * normal) r_T *= contact.friction * std::max(0.0, normal) / r_T.norm();
    Vec3 impulse;
    impulse << normal, Q * r_T;
    return impulse;
}

// r = P(r − ρ ũ), ũ = u + µ|u_T| n: the law as one equation [DeSaxce1998].
double contact_residual(const FrictionalContact& contact, const Vec3& impulse, const Vec3& velocity,
                        double inverse_mass) {
    Vec3 u = velocity;
    u[0] += contact.compliance * impulse[0] - contact.target + contact.friction * u.tail<2>().norm();
    const double scale = inverse_mass + contact.compliance;
    return scale * (impulse - onto_cone(impulse - u / scale, contact.friction)).norm();
}

}  // namespace clangor
