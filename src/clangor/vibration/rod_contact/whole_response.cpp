// W r by one solution with each rod's factors   docs/theory/rod-contact.md, Eq. 12.
#include <clangor/vibration/rod_contact/whole_response.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::rod_contact {

void WholeResponse::prepare(std::span<const TouchSides> touches, std::span<const ContactRod> rods,
                            std::span<const RodObstacle> bodies) {
    rods_ = rods;
    touches_.assign(touches.begin(), touches.end());
    turns_.resize(touches.size());
    own_.resize(touches.size());
    impulses_.assign(rods.size(), RodRows());
    velocities_.assign(rods.size(), RodRows());
    for (const TouchSides& touch : touches) {
        for (const RodSide* side : {&touch.first, &touch.second}) {
            if (side->rod < 0) continue;
            const RodPlan& plan = rods[size_t(side->rod)].rod->plan();
            impulses_[size_t(side->rod)].resize(plan.per_point, plan.points);
        }
    }
    inverse_masses_.clear();
    for (const RodObstacle& body : bodies) inverse_masses_.push_back(inverse_mass_of(body));
    body_velocities_.assign(bodies.size(), Eigen::Matrix<double, 6, 1>::Zero());

    parallel_for(std::ssize(rods), [&](long r) {
        const RodStepper& rod = *rods[size_t(r)].rod;
        Edges& edges = edges_[size_t(r)];
        const bool is_known = edges.factorizations == rod.report().factorizations && edges.step == rod.state().step;
        if (is_known || impulses_[size_t(r)].size() == 0) return;
        edges = {rod.report().factorizations, rod.state().step, rod.edge_compliances()};
    });
    constexpr long together = 256;
    const long count = std::ssize(touches);
    parallel_for((count + together - 1) / together, [&](long part) {
        for (long i = part * together; i < std::min(count, (part + 1) * together); ++i) {
            TouchSides& touch = touches_[size_t(i)];
            Mat3 W = Mat3::Zero();
            for (const RodSide* side : {&touch.first, &touch.second}) {
                if (side->rod < 0) continue;
                const long edge = side->unknowns[0] / rods[size_t(side->rod)].rod->plan().per_point;
                W += side->J * edges_[size_t(side->rod)].compliances[size_t(edge)] * side->J.transpose();
            }
            if (touch.body.body >= 0)
                W += touch.body.J * inverse_masses_[size_t(touch.body.body)] * touch.body.J.transpose();
            // The turn that makes W_TT diagonal: tan 2θ = 2 W_12/(W_11 − W_22).
            const double half = 0.5 * (W(1, 1) - W(2, 2)), across = W(1, 2), size = std::hypot(half, across);
            Turn turn;
            if (size > 0) {
                turn.cosine = std::sqrt(0.5 * (1 + std::abs(half) / size));
                turn.sine = across / (2 * size * turn.cosine) * (half < 0 ? -1 : 1);
            }
            Mat3 Q = Mat3::Identity();
            Q(1, 1) = Q(2, 2) = turn.cosine;
            Q(2, 1) = turn.sine, Q(1, 2) = -turn.sine;
            turns_[size_t(i)] = turn;
            own_[size_t(i)] = (Q.transpose() * W * Q).diagonal();
            touch.first.J = (Q.transpose() * touch.first.J).eval();
            touch.second.J = (Q.transpose() * touch.second.J).eval();
            touch.body.J = (Q.transpose() * touch.body.J).eval();
        }
    });
}

Vec3 WholeResponse::turned(size_t touch, const Vec3& v) const {
    const auto [c, s] = turns_[touch];
    return {v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]};
}

Vec3 WholeResponse::turned_back(size_t touch, const Vec3& v) const {
    const auto [c, s] = turns_[touch];
    return {v[0], c * v[1] - s * v[2], s * v[1] + c * v[2]};
}

void WholeResponse::push(std::span<const Vec3> impulses) {
    for (RodRows& on_rod : impulses_) on_rod.setZero();
    for (auto& of_body : body_velocities_) of_body.setZero();
    for (size_t i = 0; i < touches_.size(); ++i) {
        const TouchSides& touch = touches_[i];
        touch.first.add(impulses[i], impulses_[size_t(touch.first.rod)]);
        if (touch.second.rod >= 0) touch.second.add(impulses[i], impulses_[size_t(touch.second.rod)]);
        if (touch.body.body >= 0) body_velocities_[size_t(touch.body.body)] += touch.body.J.transpose() * impulses[i];
    }
    parallel_for(std::ssize(rods_), [&](long r) {
        const RodRows& on_rod = impulses_[size_t(r)];
        if (on_rod.size() == 0) return;
        velocities_[size_t(r)] = rods_[size_t(r)].rod->solve(on_rod.reshaped()).reshaped(on_rod.rows(), on_rod.cols());
    });
    for (size_t b = 0; b < body_velocities_.size(); ++b)
        body_velocities_[b] = (inverse_masses_[b] * body_velocities_[b]).eval();
}

Vec3 WholeResponse::velocity(size_t i) const {
    const TouchSides& touch = touches_[i];
    Vec3 u = touch.first.velocity(velocities_[size_t(touch.first.rod)]);
    if (touch.second.rod >= 0) u += touch.second.velocity(velocities_[size_t(touch.second.rod)]);
    if (touch.body.body >= 0) u += touch.body.J * body_velocities_[size_t(touch.body.body)];
    return u;
}

}  // namespace clangor::rod_contact
