// Many elastic contacts, without W   docs/theory/rod-contact.md, Eqs. 12 and 13.
#include <clangor/vibration/rod_contact/many_contacts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor::rod_contact {
namespace {

// Each contact feels itself this much more than it does, as its neighbours along the rod push the same way: most of all
// along the rod, which hardly stretches. Fewest iterations of springs of 10 and 81 turns (bench/rod_contact_bench.cpp).
constexpr double of_normal = 3, of_friction = 20;
constexpr int extrapolation_depth = 16;

// Iterations are cheap here, against sweeps over W: so many more of them.
constexpr int iterations_per_sweep = 3;

// So few contacts cost little, and are solved for so much finer than what is asked for: energy is then exact to 1e-6.
constexpr size_t few = 64;
constexpr double finer = 1e-3;

// Contacts that one thread takes together.
constexpr long together = 256;

// Along the surface a contact is a spring that begins with the step before: u_T + c_T (r_T − r_T⁻) is its slip. Its
// stiffness is this part of that along the normal [Johnson1985].
constexpr double tangential_stiffness = 0.82;
// But no more of its mobility than that: stiffer ones take more iterations and give the same.
constexpr double least_across = 0.1;

// A contact's law on its tangent, turned.
struct TangentLaw {
    double target = 0, compliance = 0;  // along the normal
    double across = 0;                  // c_T
};

TangentLaw tangent_law(const TouchLaw& touch, double own, double u, double step) {
    const FrictionalContact normal = linearized(touch, u, step);
    // By trapezoids along the normal, 2/(h² k); by the end of the step across, 1/(h² k).
    return {normal.target, normal.compliance,
            std::max(0.5 / tangential_stiffness * normal.compliance, least_across * own)};
}

// r_T = −(S + λ)⁻¹ b with |r_T| = limit, S diagonal: Newton's method on 1/|r_T| comes from λ = 0 without overshoot.
Eigen::Array2d friction_impulse(const Eigen::Array2d& S, const Eigen::Array2d& b, double limit) {
    Eigen::Array2d r = -b / S;
    double length_sq = r.square().sum();
    if (length_sq <= square(limit)) return r;
    if (limit <= 0) return Eigen::Array2d::Zero();
    double lambda = 0, length = std::sqrt(length_sq);
    for (int round = 0; round < 30 && length > limit * (1 + 1e-10); ++round) {
        lambda += (length - limit) / limit * square(length) / (r.square() / (S + lambda)).sum();
        r = -b / (S + lambda);
        length = std::sqrt(r.square().sum());
    }
    return r * (std::min(limit, length) / length);
}

// What a contact does that feels the others as they are now, and itself by D.
Vec3 impulse_by_itself(const TouchLaw& touch, const Vec3& own, const Vec3& D, const Vec3& r, const Vec3& before,
                       const Vec3& u, double step, double exactness) {
    constexpr int most_rounds = 20;
    const Eigen::Array3d b = u - D.cwiseProduct(r);
    // Newton's method from where it is now. From its second round on it comes down, as the force curves upwards.
    TangentLaw law;
    double normal = 0, at = u[0];
    for (int round = 0; round < most_rounds; ++round) {
        law = tangent_law(touch, own[0], at, step);
        normal = std::max(0.0, (law.target - b[0]) / (D[0] + law.compliance));
        const double next = b[0] + D[0] * normal;
        if (std::abs(next - at) <= exactness * (std::abs(b[0]) + std::abs(touch.u_free))) break;
        at = next;
    }
    Vec3 next;
    next << normal, friction_impulse(D.tail<2>().array() + law.across,
                                     b.tail<2>() - law.across * before.tail<2>().array(), touch.law.friction * normal);
    return next;
}

}  // namespace

SolvedImpulses solve_many(const StepImpulses& of, WholeResponse& W, const RodContactOptions& options) {
    const size_t count = of.touches.size();
    const long size = 3 * long(count), parts = (long(count) + together - 1) / together;
    double scale = options.rest_speed;
    std::vector<Vec3> r(count), u(count), free(count), before(count), best_r(count), best_u(count);
    Eigen::VectorXd x(size), g(size), D(size);
    for (size_t i = 0; i < count; ++i) {
        scale = std::max(scale, of.u_free[i].norm());
        free[i] = W.turned(i, of.u_free[i]);
        r[i] = before[i] = W.turned(i, of.start[i]);
        const Vec3 own = W.own()[i];
        const double least = 1e-6 * own[0];
        D.segment<3>(3 * long(i)) << of_normal * own[0], of_friction * std::max(own[1], least),
            of_friction * std::max(own[2], least);
    }
    SolvedImpulses solved;
    solved.residual = std::numeric_limits<double>::infinity();
    friction::Extrapolation extrapolation(extrapolation_depth);
    std::vector<double> errors(static_cast<size_t>(parts));
    double last_error = 0;
    for (int k = 0; k < iterations_per_sweep * options.max_sweeps; ++k) {
        W.push(r);
        parallel_for(parts, [&](long part) {
            double largest_sq = 0;
            for (long i = part * together; i < std::min(long(count), (part + 1) * together); ++i) {
                const size_t c = size_t(i);
                const Vec3 D_here = D.segment<3>(3 * i);
                u[c] = free[c] + W.velocity(c);
                const Vec3 next = impulse_by_itself(of.touches[c], W.own()[c], D_here, r[c], before[c], u[c], of.step,
                                                    count <= few ? 1e-9 : 1e-6);
                x.segment<3>(3 * i) = r[c];
                g.segment<3>(3 * i) = next;
                largest_sq = std::max(largest_sq, D_here.cwiseProduct(next - r[c]).squaredNorm());
            }
            errors[size_t(part)] = std::sqrt(largest_sq);
        });
        // The velocity by which the law is missed.
        const double error = *std::max_element(errors.begin(), errors.end()) / scale;
        solved.sweeps = k + 1;
        if (error < solved.residual) {
            solved.residual = error;
            best_r = r;
            best_u = u;
        }
        if (error <= (count <= few ? finer : 1) * options.tolerance) break;
        if (last_error > 0 && error > 2 * last_error) extrapolation.forget();
        last_error = error;
        const auto mixed = extrapolation.next(x, g);
        const Eigen::VectorXd& next = mixed ? *mixed : g;
        for (size_t i = 0; i < count; ++i) r[i] = next.segment<3>(3 * long(i));
    }
    for (size_t i = 0; i < count; ++i) {
        solved.impulses.push_back(W.turned_back(i, best_r[i]));
        solved.velocities.push_back(W.turned_back(i, best_u[i]));
    }
    solved.converged = solved.residual <= options.tolerance;
    return solved;
}

}  // namespace clangor::rod_contact
