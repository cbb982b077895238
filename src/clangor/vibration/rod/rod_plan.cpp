// From a rod at rest to the arrays that a step needs   docs/theory/rod.md
#include <clangor/vibration/rod/lanes.hpp>
#include <clangor/vibration/rod/rod.hpp>
#include <clangor/vibration/rod/rod_forces.hpp>

#include <fmt/format.h>

#include <cmath>

namespace clangor {
namespace {

Vec3 carried(const Vec3& u, const Vec3& from, const Vec3& to) {
    const Vec3 b = from.cross(to);
    return from.dot(to) * u + b.cross(u) + b * (b.dot(u) / (1 + from.dot(to)));
}

void check(const RodShape& shape, const Material& material, const RodSupports& supports) {
    for (const std::string& problem : problems_of(shape)) throw Error(problem);
    for (const std::string& problem : problems_of(material)) throw Error(problem);
    const long n = shape.points.rows(), edges = shape.closed ? n : n - 1;
    for (long point : supports.points)
        if (point < 0 || point >= n) throw Error(fmt::format("point {} is held, but the rod has {}", point, n));
    for (long edge : supports.edges)
        if (edge < 0 || edge >= edges) throw Error(fmt::format("edge {} is held, but the rod has {}", edge, edges));
    for (const RodSpring& spring : supports.springs) {
        if (spring.point < 0 || spring.point >= n)
            throw Error(fmt::format("a spring holds point {}, but the rod has {}", spring.point, n));
        if (!(spring.stiffness.minCoeff() >= 0 && spring.stiffness.allFinite() && spring.damping >= 0))
            throw Error(fmt::format("the spring at point {} must have no negative stiffness or damping", spring.point));
    }
}

// Along the rod without twisting, from one that is across the first edge.
RodState rest_state(const RodShape& shape, const RodPlan& plan) {
    const long n = plan.points, rows = plan.share.size() + rods::pack;
    RodState rest;
    for (RodRows* each : {&rest.place, &rest.velocity, &rest.acceleration, &rest.heard, &rest.heard_before})
        each->setZero(plan.per_point, n);
    rest.place.topRows<3>() = shape.points.transpose();
    if (shape.twist.size() > 0) rest.place.row(3).head(plan.edges) = shape.twist.transpose();
    rest.tangents.resize(rows, 3);
    rest.directors.resize(rows, 3);
    rest.turns.setZero(rows);
    for (long j = 0; j < rows; ++j) {
        const long edge = std::min(j, plan.edges - 1);
        const Vec3 t = (shape.points.row((edge + 1) % n) - shape.points.row(edge)).transpose().normalized();
        Vec3 d;
        if (j == 0) {
            d = shape.first_direction - shape.first_direction.dot(t) * t;
            if (d.norm() < 1e-9 * shape.first_direction.norm() || d.isZero(0)) d = t.unitOrthogonal();
        } else {
            d = carried(rest.directors.row(j - 1).transpose(), rest.tangents.row(j - 1).transpose(), t);
        }
        rest.tangents.row(j) = t.transpose();
        rest.directors.row(j) = (d - d.dot(t) * t).normalized().transpose();
    }
    return rest;
}

void set_lengths(const RodShape& shape, RodPlan& plan) {
    const long n = plan.points, padded = (n + rods::pack - 1) / rods::pack * rods::pack;
    plan.rest_length.setZero(padded);
    plan.length_to.setZero(n);
    plan.share.setZero(padded);
    for (long j = 0; j < plan.edges; ++j) {
        const double length = (shape.points.row((j + 1) % n) - shape.points.row(j)).norm();
        plan.rest_length[j] = length;
        if (j + 1 < n) plan.length_to[j + 1] = plan.length_to[j] + length;
        plan.share[j] += length / 2;
        plan.share[(j + 1) % n] += length / 2;
    }
    for (long j = plan.edges; j < padded; ++j) plan.rest_length[j] = plan.rest_length[plan.edges - 1];
}

void set_stiffness(const RodSection& section, const Material& material, bool shear, RodPlan& plan) {
    const double E = material.young, G = E / (2 * (1 + material.poisson));
    const long padded = plan.share.size(), first = plan.closed ? 0 : 1;
    for (Eigen::VectorXd* each : {&plan.stretching, &plan.shear_1, &plan.shear_2, &plan.rotary_1, &plan.rotary_2,
                                  &plan.shared, &plan.shared_turning, &plan.bending_1, &plan.bending_2, &plan.twisting,
                                  &plan.rest_1, &plan.rest_2, &plan.rest_turn})
        each->setZero(padded);
    for (long j = 0; j < plan.edges; ++j) {
        const double length = plan.rest_length[j];
        plan.stretching[j] = E * section.area / length;
        if (!shear) continue;
        plan.shear_1[j] = section.shear_1 * G * section.area * length;
        plan.shear_2[j] = section.shear_2 * G * section.area * length;
        plan.rotary_1[j] = material.density * section.bending_1 * length;
        plan.rotary_2[j] = material.density * section.bending_2 * length;
    }
    for (long i = first; i < plan.edges; ++i) {
        plan.bending_1[i] = E * section.bending_1 / plan.share[i];
        plan.bending_2[i] = E * section.bending_2 / plan.share[i];
        plan.twisting[i] = G * section.torsion / plan.share[i];
    }
}

void set_mass(const RodSection& section, double density, RodMass kind, RodPlan& plan) {
    plan.mass.setZero(plan.per_point, plan.points);
    for (long i = 0; i < plan.points; ++i)
        plan.mass.col(i).head<3>().setConstant(density * section.area * plan.share[i]);
    for (long j = 0; j < plan.edges; ++j)
        plan.mass(3, j) = density * (section.bending_1 + section.bending_2) * plan.rest_length[j];
    if (kind == RodMass::AtPoints) return;
    // Eq. 18: a sixth takes the error of bending, a twelfth that of twist.
    for (long j = 0; j < plan.edges; ++j) plan.shared[j] = density * section.area * plan.rest_length[j] / 6;
    for (long i = plan.closed ? 0 : 1; i < plan.edges; ++i)
        plan.shared_turning[i] = density * (section.bending_1 + section.bending_2) * plan.share[i] / 12;
}

void set_held(const RodSupports& supports, RodPlan& plan) {
    const auto hold = [&](long point, int first, int last) {
        for (int u = first; u <= last; ++u) plan.held[size_t((point % plan.points) * plan.per_point + u)] = 1;
    };
    plan.held.assign(size_t(plan.points * plan.per_point), 0);
    if (!plan.closed) hold(plan.points - 1, 3, plan.per_point - 1);  // there is no edge behind the last point
    for (long point : supports.points) hold(point, 0, 2);
    for (long edge : supports.edges) hold(edge, 0, plan.per_point - 1), hold(edge + 1, 0, 2);
    plan.springs = supports.springs;
}

}  // namespace

RodPlan rod_plan(const RodShape& shape, const Material& material, const RodPlanOptions& options) {
    check(shape, material, options.supports);
    RodPlan plan;
    plan.points = shape.points.rows();
    plan.closed = shape.closed;
    plan.edges = shape.closed ? plan.points : plan.points - 1;
    plan.per_point = options.shear ? 6 : 4;
    set_lengths(shape, plan);
    set_stiffness(shape.section, material, options.shear, plan);
    set_mass(shape.section, material.density, options.mass, plan);
    set_held(options.supports, plan);
    plan.rest = rest_state(shape, plan);

    // Without rest strains, strains at rest are those.
    rods::RodForces field(plan);
    RodRows none(plan.per_point, plan.points);
    rods::RodStrains strains;
    field.evaluate(plan.rest, {.place = &plan.rest.place}, none, nullptr, &strains);
    plan.rest.turns = field.turns;
    for (long i = plan.closed ? 0 : 1; i < plan.edges; ++i) {
        plan.rest_1[i] = strains(i, 0);
        plan.rest_2[i] = strains(i, 1);
        plan.rest_turn[i] = strains(i, 2);
    }
    return plan;
}

}  // namespace clangor
