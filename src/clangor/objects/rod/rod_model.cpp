// What a rod is made of, and what cannot be one: docs/theory/rod.md, docs/guide/rods.md.
#include <clangor/objects/rod/rod_model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// A thing whose section is wider than this part of its length is no rod.
constexpr double thickest = 0.25;

// Places this part of the length beyond the end are at the end: lengths of coils are given as they are reckoned.
constexpr double rounded_end = 1e-4;

// Timoshenko's coefficient for a direction [Cowper1966].
double shear_coefficient(const Section& section, double nu) {
    if (std::holds_alternative<CircleSection>(section)) return 6 * (1 + nu) / (7 + 6 * nu);
    if (const auto* tube = std::get_if<TubeSection>(&section)) {
        const double m = tube->inner_radius / tube->radius;
        return 6 * (1 + nu) * square(1 + m * m) / ((7 + 6 * nu) * square(1 + m * m) + (20 + 12 * nu) * m * m);
    }
    return 10 * (1 + nu) / (12 + 11 * nu);
}

// Half of what is across the rod where it lies flat.
double flat_radius(const Section& section, const SectionProperties& properties) {
    return std::visit(overloaded{[](const CircleSection& circle) { return circle.radius; },
                                 [](const TubeSection& tube) { return tube.radius; },
                                 [](const RectangleSection& box) { return std::min(box.width, box.height) / 2; },
                                 [](const EllipseSection& oval) { return std::min(oval.x_radius, oval.y_radius); },
                                 [&](const PolygonSection&) {
                                     return std::sqrt(3 * properties.second_moments.minCoeff() / properties.area);
                                 }},
                      section);
}

std::string beyond_end(const std::string& what, double along, double length) {
    return fmt::format("{} is {:g} m along the rod, which is {:g} m long; places are lengths along it, from 0 to {:g}",
                       what, along, length, length);
}

Eigen::Isometry3d placed(const scene::Rod& rod) {
    return scene::world_from_body(scene::Solid{.position = rod.position, .rotation_deg = rod.rotation_deg});
}

RodSupports supports_of(const RodModel& model) {
    RodSupports supports;
    const long n = model.curve.points.rows(), edges = model.curve.closed ? n : n - 1;
    const double spacing = (model.curve.length + model.curve.before) / double(n);
    for (const scene::RodHold& hold : model.rod.supports) {
        if (hold.at > model.curve.length * (1 + rounded_end))
            throw Error(beyond_end("a support", hold.at, model.curve.length));
        long nearest = 0;
        double best = 1e300, length = -model.curve.before;
        for (long i = 0; i < n; ++i) {
            if (std::abs(length - hold.at) < best) best = std::abs(length - hold.at), nearest = i;
            length += (model.curve.points.row((i + 1) % n) - model.curve.points.row(i)).norm();
        }
        if (hold.kind == scene::RodHoldKind::Pinned) supports.points.push_back(nearest);
        if (hold.kind == scene::RodHoldKind::Spring)
            supports.springs.push_back(
                {.point = nearest, .stiffness = Vec3::Constant(hold.stiffness), .damping = hold.damping});
        if (hold.kind == scene::RodHoldKind::Clamped) {
            const bool before =
                nearest == edges || (nearest > 0 && hold.at < spacing * double(nearest) - model.curve.before);
            supports.edges.push_back(std::min(before ? nearest - 1 : nearest, edges - 1));
        }
    }
    return supports;
}

// Of a cantilever of that length, which is lower than most [Hz].
double lowest_hz(const RodModel& model) {
    const Material& material = model.rod.material;
    const double stiffness = material.young * model.section.second_moments.minCoeff(),
                 mass = material.density * model.section.area;
    return square(1.8751 / model.curve.length) * std::sqrt(stiffness / mass) / (2 * pi);
}

// Slower than in any jelly, or faster than in diamond: a unit is wrong [m/s].
constexpr double slowest_sound = 0.5, fastest_sound = 30e3;

void refuse_absurd(const Material& material) {
    for (const std::string& problem : problems_of(material)) throw Error(problem);
    const double speed = std::sqrt(material.young / material.density);
    if (speed < slowest_sound || speed > fastest_sound)
        throw Error(
            fmt::format("its material has a Young's modulus of {:g} Pa and a density of {:g} kg/m³, so that sound "
                        "would run through it at {:.2g} m/s, and not at 10 to 18 000 as in everything there is; give "
                        "pascals (steel: 2e11) and kilograms per cubic metre (steel: 7850)",
                        material.young, material.density, speed));
}

void check_stretch(RodModel& model) {
    const double by = model.rod.stretched_by;
    if (by == 0) return;
    if (model.curve.closed)
        throw Error("it is closed, and has no ends that stretched_by could pull apart; leave it out");
    const long n = model.curve.points.rows();
    const double apart =
        std::min(model.curve.length, (model.curve.points.row(n - 1) - model.curve.points.row(0)).norm());
    if (by <= -0.5 * apart)
        throw Error(
            fmt::format("its ends are {:.3g} m apart, and stretched_by pushes them together by {:g} m; no more "
                        "than half of the way goes without a fold. Give points or a shape that is bent already",
                        apart, -by));
    const double strain = by / model.curve.length;
    if (strain > 3)
        throw Error(
            fmt::format("stretched_by is {:g} m, and it is {:.3g} m long: nothing stretches to {:.2g} times its "
                        "length and goes on as before; stretched_by is how far the ends are pulled apart, in m",
                        by, model.curve.length, 1 + strain));
    if (strain > largest_stretch(model.rod.material))
        model.warnings.push_back(stretch_text(strain, model.rod.material));
}

// Where its section's x axis cannot point: along it.
void check_section_x(const RodModel& model) {
    const Vec3& x = model.rod.section_x;
    const Vec3 along = (model.curve.points.row(1) - model.curve.points.row(0)).transpose();
    if (!x.isZero(0) && x.cross(along).norm() < 1e-6 * x.norm() * along.norm())
        throw Error(
            fmt::format("section_x is ({:g}, {:g}, {:g}), which is along the rod where it begins, but the section lies "
                        "across it; give a direction across",
                        x.x(), x.y(), x.z()));
}

void warn_of_spacing(RodModel& model) {
    const double spacing = spacing_of(model), thin = 2 * model.contact_radius;
    if (spacing < thin / 4)
        model.warnings.push_back(fmt::format(
            "it is {:.3g} mm thick, much more than its control points are apart ({:.3g} mm): waves that short "
            "are not those of a rod; a count of {} is enough",
            thin * 1e3, spacing * 1e3, std::max(8L, std::lround(model.curve.length / thin))));
    if (model.rod.count == 0 && model.plan.points == most_points)
        model.warnings.push_back(fmt::format(
            "it is so long that its {} control points are {:.3g} mm apart, enough for waves of up to {:.3g} Hz; "
            "a larger \"count\" follows higher ones, and takes longer",
            most_points, spacing * 1e3, followed_hz(model.rod, spacing)));
}

}  // namespace

RodDamping rod_damping(const Damping& damping, double hz, double lowest_hz, bool is_held) {
    const bool is_rayleigh = damping.alpha > 0 || damping.beta > 0;
    if (is_rayleigh && damping.loss_factor == 0 && damping.losses.empty())
        return {.alpha = is_held ? damping.alpha : 0, .beta = damping.beta};
    const double high = 2 * pi * hz, eta_high = 2 * damping_ratio(damping, high);
    if (!is_held || !(lowest_hz < 0.5 * hz)) return {.alpha = 0, .beta = eta_high / high};
    // α/ω + βω = η at both, and neither is negative.
    const double low = 2 * pi * lowest_hz, eta_low = 2 * damping_ratio(damping, low);
    const double alpha = (eta_low * high - eta_high * low) * low * high / (square(high) - square(low));
    if (!(alpha > 0)) return {.alpha = 0, .beta = eta_high / high};
    return {.alpha = alpha, .beta = std::max(0.0, (eta_high - alpha / high) / high)};
}

RodModel rod_model(const scene::Rod& rod, bool scene_is_still) {
    refuse_absurd(rod.material);
    RodModel model{.rod = rod, .curve = curve_points(rod)};
    model.section = properties_of(rod.section);
    if (model.section.radius > thickest * model.curve.length)
        throw Error(
            fmt::format("its section reaches {:.3g} m from its axis, but the rod is only {:.3g} m long: that is no "
                        "rod. Check the unit of the section, which is metres, or make it a solid",
                        model.section.radius, model.curve.length));
    check_stretch(model);
    check_section_x(model);
    model.world_from_rod = placed(rod);
    RodShape shape{.points = model.curve.points, .closed = model.curve.closed, .section = {}};
    for (long i = 0; i < shape.points.rows(); ++i)
        shape.points.row(i) = (model.world_from_rod * Vec3(shape.points.row(i).transpose())).transpose();
    const double k = shear_coefficient(rod.section, rod.material.poisson);
    shape.section = {.area = model.section.area,
                     .bending_1 = model.section.second_moments[0],
                     .bending_2 = model.section.second_moments[1],
                     .torsion = model.section.torsion_constant,
                     .shear_1 = k,
                     .shear_2 = k};
    shape.first_direction = model.world_from_rod.linear() * rod.section_x;
    model.plan = rod_plan(shape, rod.material,
                          {.supports = supports_of(model), .mass = RodMass::AlongEdges, .shear = rod.shear});
    model.is_held = !rod.supports.empty();
    model.has_gravity =
        rod.gravity == scene::RodGravity::On || (rod.gravity == scene::RodGravity::Auto && !scene_is_still);
    model.damping = rod_damping(rod.material.damping, rod.damping_hz, lowest_hz(model), model.is_held);
    model.radiating = radiating_rod(rod.section, model.plan.share.head(model.plan.points));
    model.radiating.poisson = rod.material.poisson;
    model.radiating.closed = model.curve.closed;
    if (!model.curve.closed) model.radiating = with_free_ends(std::move(model.radiating));
    model.contact_radius = flat_radius(rod.section, model.section);
    warn_of_spacing(model);
    for (const scene::RodPull& pull : rod.pulls) point_at(model, pull.at, "a pull");
    return model;
}

double spacing_of(const RodModel& model) { return model.curve.length / double(model.curve.points.rows()); }

double largest_stretch(const Material& material) { return material.young > 1e9 ? 0.05 : 3; }

std::string stretch_text(double strain, const Material& material) {
    return fmt::format(
        "it is stretched by {:.0f} %, far more than what is as stiff as that ({:.2g} GPa) takes before it "
        "flows or tears; it goes on as if it were elastic",
        strain * 100, material.young / 1e9);
}

long point_at(const RodModel& model, double along, const std::string& what) {
    if (along > model.curve.length * (1 + rounded_end)) throw Error(beyond_end(what, along, model.curve.length));
    const Eigen::VectorXd from = model.plan.length_to.array() - (along + model.curve.before);
    long nearest = 0;
    from.cwiseAbs().minCoeff(&nearest);
    return nearest;
}

Vec3 centre_of(const RodPlan& plan, const RodRows& place) {
    return place.topRows<3>() * plan.mass.row(0).transpose() / plan.mass.row(0).sum();
}

Body body_of(const RodModel& model) {
    const RodPlan& plan = model.plan;
    const double density = model.rod.material.density;
    const Vec3 centre = centre_of(plan, plan.rest.place);
    MassProperties mass{.volume = plan.mass.row(0).sum() / density};
    for (long i = 0; i < plan.points; ++i) {
        const Vec3 arm = Vec3(plan.rest.place.col(i).head<3>()) - centre;
        mass.inertia +=
            plan.mass(0, i) / density *
            ((arm.squaredNorm() + square(model.contact_radius) / 4) * Mat3::Identity() - arm * arm.transpose());
    }
    double radius = 0;
    for (long i = 0; i < plan.points; ++i)
        radius = std::max(radius, (Vec3(plan.rest.place.col(i).head<3>()) - centre).norm());
    return {.mass = mass,
            .material = model.rod.material,
            .radius = radius + model.section.radius,
            .curvature = 0.5 / model.contact_radius};
}

}  // namespace clangor
