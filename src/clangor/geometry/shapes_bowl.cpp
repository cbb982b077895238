// Bowl: a spherical cap of constant wall.
#include <clangor/geometry/shapes_build.hpp>

#include <fmt/core.h>

#include <cmath>

namespace clangor::shapes {

// The mid-surface is a cap of the sphere R = (r² + d²)/(2d), up to the polar angle θ with tan(θ/2) = d/r. The rim is
// cut along the sphere's radii, so that depth = radius is exactly half of a hollow ball.
Surface build(const Bowl& bowl) {
    check_size("bowl", "radius", bowl.radius);
    check_size("bowl", "depth", bowl.depth);
    check_size("bowl", "thickness", bowl.thickness);
    check_below("bowl", "thickness", bowl.thickness, bowl.radius, fmt::format("the radius {:g} m", bowl.radius));
    // Deeper ones close to a ball with a pinhole, whose rim is finer than the facets.
    check_below("bowl", "depth", bowl.depth, 8 * bowl.radius, fmt::format("the radius {:g} m", bowl.radius));

    const double R = (square(bowl.radius) + square(bowl.depth)) / (2 * bowl.depth);
    const double theta = 2 * std::atan(bowl.depth / bowl.radius);
    const double half = bowl.thickness / 2;
    const Eigen::Vector2d centre(0, R);
    const double bottom = -pi / 2, rim = bottom + theta;
    const double step = 2 * pi * bowl.radius / turn_segments;

    Profile profile;
    arc_to(profile, {centre, R + half, bottom, rim}, step);
    line_to(profile, centre + (R - half) * Eigen::Vector2d(std::cos(rim), std::sin(rim)), bowl.radius / 10);
    arc_to(profile, {centre, R - half, rim, bottom}, step);
    profile.front().x() = profile.back().x() = 0;  // cos(−π/2) is not quite 0
    return revolved(profile).surface;
}

}  // namespace clangor::shapes
