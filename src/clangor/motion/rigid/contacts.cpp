// Points of one body in the distance of the other, both ways.
#include <clangor/motion/rigid/contacts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor::rigid {
namespace {

constexpr std::size_t contacts_each_way = 5;

// Grids of distances are smoothed; what they show may change a little faster than the bodies move.
constexpr double fastest_change = 1.1;

struct Candidate {
    int point = 0;           ///< of the shell
    Vec3 at = Vec3::Zero();  ///< in the frame of the shell
    Probe probe = {};        ///< in the frame of the distance
};

// The points of one body that are within the margin of another.
struct Search {
    const CollisionShape& points_of;
    const CollisionShape& distance_of;
    Eigen::Isometry3d distance_from_points;
    double margin;
    std::vector<Candidate> found = {};

    Probe probe_at(const Vec3& point) const { return probe(distance_of, distance_from_points * point); }

    // The points within `reach` more than the margin. Returns how far beyond the margin the others are at least.
    double visit(int at, double reach, std::vector<Nearby::Point>& points) const {
        const SurfaceNode& node = points_of.shell.nodes[at];
        const double beyond =
            distance_bound(distance_of, distance_from_points * node.centre) - node.radius - margin - sagitta();
        if (beyond > reach) return beyond;
        if (node.left >= 0) {
            const double left = visit(node.left, reach, points);
            return std::min(left, visit(node.right, reach, points));
        }
        double nearest = std::numeric_limits<double>::infinity();
        for (int i = node.first; i < node.first + node.count; ++i) {
            const double distance = probe_at(points_of.shell.points[i].point).distance - margin - sagitta();
            if (distance > reach)
                nearest = std::min(nearest, distance);
            else
                points.push_back({i, distance / fastest_change, 0});
        }
        return nearest;
    }

    // Those that are too far away wait until they can be near.
    void consider(Nearby& nearby, std::vector<Nearby::Point>& points) {
        for (Nearby::Point& one : points)
            if (one.away <= nearby.moved && one.after <= nearby.gone)
                one.after = nearby.gone + consider(one.point) / fastest_change;
    }

    // Returns how far beyond what counts it is, if it is.
    double consider(int i) {
        const SurfacePoint& point = points_of.shell.points[i];
        // Between two points a curved surface comes nearer than they do; finding its nearest comes later.
        const double slack = point.normal.isZero() && point.tangent.isZero() ? 0 : sagitta();
        const Probe probe = probe_at(point.point);
        if (probe.distance > margin + slack) return probe.distance - margin - slack;
        // The back of a thin wall is no contact.
        if (!point.normal.isZero() && probe.normal.dot(distance_from_points.linear() * point.normal) > 0.3) return 0;
        found.push_back({i, point.point, probe});
        return 0;
    }

    double sagitta() const { return 0.05 * points_of.shell.spacing; }

    Contact contact(const Candidate& candidate, const Eigen::Isometry3d& world_from_distance) const {
        const Vec3 normal = world_from_distance.linear() * candidate.probe.normal;
        const Vec3 at = world_from_distance * (distance_from_points * candidate.at);
        return {.on_a = at,
                .on_b = at - candidate.probe.distance * normal,
                .normal = normal,
                .gap = candidate.probe.distance};
    }
};

// Those that are known, and the deepest if it is deeper than they are by more than roundings; then again and again the
// one farthest from all that are taken: in place, and in direction.
std::vector<Candidate> spread(const std::vector<Candidate>& all, const std::vector<int>& known, double size) {
    if (all.size() <= contacts_each_way) return all;
    std::vector<double> apart_sq(all.size(), 1e300);
    std::vector<Candidate> taken;
    const auto take = [&](std::size_t next) {
        taken.push_back(all[next]);
        for (std::size_t i = 0; i < all.size(); ++i)
            apart_sq[i] = std::min(
                apart_sq[i], (all[i].at - all[next].at).squaredNorm() +
                                 square(0.2 * size) * (all[i].probe.normal - all[next].probe.normal).squaredNorm());
    };
    std::size_t deepest = 0;
    double known_depth = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].probe.distance < all[deepest].probe.distance) deepest = i;
        if (std::ranges::find(known, all[i].point) != known.end())
            known_depth = std::min(known_depth, all[i].probe.distance);
    }
    if (all[deepest].probe.distance < known_depth - 1e-7 * size) take(deepest);
    for (std::size_t i = 0; i < all.size() && taken.size() < contacts_each_way; ++i)
        if (std::ranges::find(known, all[i].point) != known.end() && apart_sq[i] >= square(1e-3 * size)) take(i);
    while (taken.size() < contacts_each_way) {
        const auto next = std::max_element(apart_sq.begin(), apart_sq.end()) - apart_sq.begin();
        if (apart_sq[next] < square(1e-3 * size)) break;
        take(next);
    }
    return taken;
}

// Slides a candidate along its surface or edge to where the distance is least, within one spacing: contacts move evenly
// over curved bodies, and do not jump from point to point.
Candidate slid_to_nearest(const Search& search, Candidate candidate) {
    const SurfacePoints& shell = search.points_of.shell;
    const SurfacePoint& start = shell.points[candidate.point];
    const bool smooth = !start.normal.isZero(), edge = !start.tangent.isZero();
    if (!smooth && !edge) return candidate;
    const Mat3 points_from_distance = search.distance_from_points.linear().transpose();
    double reach = 0.3 * shell.spacing, s = 0;
    Vec3 normal = start.normal;
    for (int i = 0; i < 8 && reach > 0.01 * shell.spacing; ++i) {
        const Vec3 gradient = points_from_distance * candidate.probe.normal;
        const Vec3 tangent = (start.tangent + s * start.curvature).normalized();
        const Vec3 along =
            smooth ? Vec3(gradient - gradient.dot(normal) * normal) : Vec3(gradient.dot(tangent) * tangent);
        const double slope = along.norm();
        if (slope < 1e-3) break;
        const Vec3 step = -along * (std::min(1.0, 10 * slope) * reach / slope);
        Candidate tried = candidate;
        const double tried_s = s + step.dot(tangent);
        Vec3 tried_normal = normal;
        if (smooth) {
            tried.at += step;
            const Probe own = probe(search.points_of, tried.at);
            tried.at -= own.distance * own.normal;
            tried_normal = own.normal;
        } else {
            tried.at = start.point + tried_s * start.tangent + 0.5 * square(tried_s) * start.curvature;
        }
        if ((tried.at - start.point).norm() > shell.spacing) break;
        tried.probe = search.probe_at(tried.at);
        if (tried.probe.distance < candidate.probe.distance)
            candidate = tried, s = tried_s, normal = tried_normal;
        else
            reach *= 0.4;
    }
    return candidate;
}

Search search_of(const PlacedShape& points, const PlacedShape& distance, double margin) {
    return {points.shape, distance.shape, distance.world_from_body.inverse() * points.world_from_body, margin};
}

std::vector<Contact> points_in_distance(const PlacedShape& points, const PlacedShape& distance, double margin,
                                        const std::vector<int>& known, Nearby& nearby,
                                        std::vector<Nearby::Point>& nearby_points) {
    if (nearby_points.empty()) return {};
    Search search = search_of(points, distance, margin);
    search.consider(nearby, nearby_points);
    std::vector<Contact> contacts;
    for (const Candidate& candidate : spread(search.found, known, points.shape.size)) {
        const Candidate slid = slid_to_nearest(search, candidate);
        if (slid.probe.distance > margin) continue;
        Contact contact = search.contact(slid, distance.world_from_body);
        contact.found_by = {true, candidate.point};
        const bool twice = std::any_of(contacts.begin(), contacts.end(), [&](const Contact& other) {
            return (other.on_a - contact.on_a).norm() < 0.3 * points.shape.shell.spacing &&
                   other.normal.dot(contact.normal) > 0.9;
        });
        if (!twice) contacts.push_back(contact);
    }
    return contacts;
}

Contact swapped(const Contact& contact) {
    return {.on_a = contact.on_b,
            .on_b = contact.on_a,
            .normal = -contact.normal,
            .gap = contact.gap,
            .found_by = {!contact.found_by.of_a, contact.found_by.point}};
}

std::vector<Contact> swapped(std::vector<Contact> contacts) {
    for (Contact& contact : contacts) contact = swapped(contact);
    return contacts;
}

struct Foot {
    Vec3 point, normal;
    double distance;
};

// The place of a surface that is nearest to a point, from a start near it: along the tangent to below the point, back
// to the surface, with shorter steps where that leads away. Needs distances near the surface only, where they are
// exact.
Foot foot_of(const CollisionShape& shape, const Vec3& of, const Vec3& start) {
    const auto on_surface = [&](Vec3 at) {
        Probe own = probe(shape, at);
        for (int i = 0; i < 2; ++i) {
            at -= own.distance * own.normal;
            own = probe(shape, at);
        }
        at -= own.distance * own.normal;
        return Foot{at, own.normal, (of - at).norm()};
    };
    Foot foot = on_surface(start);
    double part = 1;
    for (int i = 0; i < 12; ++i) {
        const Vec3 to = of - foot.point;
        const Vec3 along = to - to.dot(foot.normal) * foot.normal;
        if (along.norm() < 1e-7 * (foot.distance + 1e-3)) break;
        const Foot tried = on_surface(foot.point + part * along);
        if (tried.distance < foot.distance)
            foot = tried;
        else
            part *= 0.4;
    }
    return foot;
}

// Where the way from a place of the surface to a point comes out of the wall. Points of a wall that is thinner than
// they are apart may all be on its far side; without this a ball fell through a lid of 1 mm.
Vec3 through_wall(const CollisionShape& shape, const DistanceField& field, const Vec3& from, const Vec3& to) {
    const Vec3 step = field.cell * (to - from).normalized();
    Vec3 at = from + step;
    for (long left = long((to - from).norm() / field.cell); left > 0 && probe(shape, at).distance < 0; --left)
        at += step;
    return at;
}

// One contact where the ball is nearest. A ball that leans on two walls of a cavity touches both: what faces it from
// another side is found from the points there.
std::vector<Contact> ball_contacts(const Sphere& ball, const Eigen::Isometry3d& world_from_ball,
                                   const PlacedShape& other, double margin, Nearby& nearby,
                                   std::vector<Nearby::Point>& nearby_points) {
    const Vec3 centre = other.world_from_body.inverse() * Vec3(world_from_ball.translation());
    if (distance_bound(other.shape, centre) > ball.radius + margin) return {};
    std::vector<Contact> contacts;
    const auto add = [&](const Vec3& foot, const Vec3& normal_other, double distance) {
        if (distance - ball.radius > margin) return;
        const Vec3 normal = other.world_from_body.linear() * normal_other;
        const bool known = std::any_of(contacts.begin(), contacts.end(),
                                       [&](const Contact& c) { return c.normal.dot(normal) > 0.85; });
        if (known) return;
        contacts.push_back({.on_a = world_from_ball.translation() - ball.radius * normal,
                            .on_b = other.world_from_body * foot,
                            .normal = normal,
                            .gap = distance - ball.radius});
    };
    const Probe direct = probe(other.shape, centre);
    const auto* field = as<DistanceField>(other.shape);
    if (!field || direct.distance < 2 * field->cell) {
        add(centre - direct.distance * direct.normal, direct.normal, direct.distance);
        return contacts;
    }
    int start = -1;
    double best = ball.radius + margin + 2 * other.shape.shell.spacing;
    for (const Nearby::Point& one : nearby_points)
        if (const double distance = (other.shape.shell.points[one.point].point - centre).norm(); distance < best)
            best = distance, start = one.point;
    if (start < 0) return {};
    const auto add_foot = [&](const Vec3& from) {
        const Foot foot = foot_of(other.shape, centre, from);
        const Vec3 towards = (centre - foot.point) / foot.distance;
        const bool faces_ball = towards.dot(foot.normal) > 0.9;
        if (faces_ball) add(foot.point, towards, foot.distance);
        return faces_ball;
    };
    if (const Vec3 nearest = other.shape.shell.points[start].point; !add_foot(nearest))
        add_foot(through_wall(other.shape, *field, nearest, centre));

    const CollisionShape shape{ball, {}, {}, 2 * ball.radius, 2 * ball.radius};
    Eigen::Isometry3d ball_from_other = Eigen::Isometry3d::Identity();
    ball_from_other.translation() = -centre;
    Search search{other.shape, shape, ball_from_other, margin + square(other.shape.shell.spacing) / (2 * ball.radius)};
    search.consider(nearby, nearby_points);
    for (const Candidate& candidate : search.found) {
        const Vec3& normal = other.shape.shell.points[candidate.point].normal;
        if (normal.isZero() || contacts.size() >= 4) continue;
        const Vec3 towards = other.world_from_body.linear() * (centre - candidate.at).normalized();
        const bool known = std::any_of(contacts.begin(), contacts.end(),
                                       [&](const Contact& c) { return c.normal.dot(towards) > 0.85; });
        if (!known) add_foot(candidate.at);
    }
    return contacts;
}

// The lowest point of each rim, and four that stay with the body, so that it rests flat.
std::vector<Contact> rim_contacts(const Cylinder& cylinder, const Eigen::Isometry3d& world_from_cylinder,
                                  const Eigen::Isometry3d& world_from_plane, double margin) {
    const Eigen::Isometry3d plane_from_cylinder = world_from_plane.inverse() * world_from_cylinder;
    const Vec3 down = -plane_from_cylinder.linear().row(1).transpose();  // in the cylinder's frame
    const Vec3 radial(down.x(), 0, down.z());
    const Vec3 lowest = radial.norm() > 1e-9 ? Vec3(radial.normalized()) : Vec3::UnitX();
    const Vec3 normal = world_from_plane.linear().col(1);
    std::vector<Contact> contacts;
    for (const double side : {-1.0, 1.0}) {
        const Vec3 centre(0, side * cylinder.height / 2, 0);
        const auto add = [&](const Vec3& out) {
            const Vec3 at = centre + cylinder.radius * out;
            const double gap = (plane_from_cylinder * at).y();
            if (gap > margin) return;
            const Vec3 on_a = world_from_cylinder * at;
            contacts.push_back({.on_a = on_a, .on_b = on_a - gap * normal, .normal = normal, .gap = gap});
        };
        add(lowest);
        for (const Vec3& out : {Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(-1, 0, 0), Vec3(0, 0, -1)})
            if (out.dot(lowest) < 0.9) add(out);
    }
    return contacts;
}

std::vector<Contact> corner_contacts(const Box& box, const Eigen::Isometry3d& world_from_box,
                                     const Eigen::Isometry3d& world_from_plane, double margin) {
    const Vec3 normal = world_from_plane.linear().col(1);
    std::vector<Contact> contacts;
    for (int i = 0; i < 8; ++i) {
        const Vec3 sign(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        const Vec3 on_a = world_from_box * Vec3(sign.cwiseProduct(box.size / 2));
        const double gap = normal.dot(on_a - world_from_plane.translation());
        if (gap <= margin)
            contacts.push_back({.on_a = on_a, .on_b = on_a - gap * normal, .normal = normal, .gap = gap});
    }
    return contacts;
}

std::vector<Contact> solid_on_plane(const PlacedShape& solid, const PlacedShape& plane, double margin,
                                    const std::vector<int>& known, Nearby& nearby,
                                    std::vector<Nearby::Point>& nearby_points) {
    if (const auto* box = as<Box>(solid.shape))
        return corner_contacts(*box, solid.world_from_body, plane.world_from_body, margin);
    if (const auto* rod = as<Cylinder>(solid.shape))
        return rim_contacts(*rod, solid.world_from_body, plane.world_from_body, margin);
    return points_in_distance(solid, plane, margin, known, nearby, nearby_points);
}

// A ball leans on the points that are up to two spacings farther away than its nearest.
Nearby nearby_ball(const Sphere& ball, const Eigen::Isometry3d& world_from_ball, const PlacedShape& other,
                   double margin, double reach) {
    const Vec3 centre = other.world_from_body.inverse() * Vec3(world_from_ball.translation());
    const double gap = distance_bound(other.shape, centre) - ball.radius - margin;
    if (gap > reach) return {.reach = gap / fastest_change, .apart = true};
    Nearby found{.reach = reach / fastest_change, .apart = false};
    if (!as<DistanceField>(other.shape)) return found;
    const CollisionShape shape{ball, {}, {}, 2 * ball.radius, 2 * ball.radius};
    Eigen::Isometry3d ball_from_other = Eigen::Isometry3d::Identity();
    ball_from_other.translation() = -centre;
    const double spacing = other.shape.shell.spacing;
    const Search search{other.shape, shape, ball_from_other,
                        margin + std::max(2 * spacing, square(spacing) / (2 * ball.radius))};
    const double beyond = search.visit(0, reach, found.of_b);
    if (found.of_b.empty() && gap > 0) {
        found.apart = true;
        found.reach = std::min(beyond, gap) / fastest_change;
    }
    return found;
}

// How far two boxes are apart along the axes of both, beyond the margin.
double gap_of_boxes(const Box& a, const Eigen::Isometry3d& world_from_a, const Box& b,
                    const Eigen::Isometry3d& world_from_b, double margin) {
    const Mat3 a_from_b = world_from_a.linear().transpose() * world_from_b.linear();
    const Vec3 apart = world_from_b.translation() - world_from_a.translation();
    const Vec3 along_a =
        (world_from_a.linear().transpose() * apart).cwiseAbs() - a.size / 2 - a_from_b.cwiseAbs() * b.size / 2;
    const Vec3 along_b = (world_from_b.linear().transpose() * apart).cwiseAbs() - b.size / 2 -
                         a_from_b.cwiseAbs().transpose() * a.size / 2;
    return std::max(along_a.maxCoeff(), along_b.maxCoeff()) - margin;
}

Nearby swapped(Nearby nearby) {
    std::swap(nearby.of_a, nearby.of_b);
    return nearby;
}

}  // namespace

Nearby nearby(const PlacedShape& a, const PlacedShape& b, double margin, double reach) {
    if (const auto* ball = as<Sphere>(a.shape)) return nearby_ball(*ball, a.world_from_body, b, margin, reach);
    if (const auto* ball = as<Sphere>(b.shape)) return swapped(nearby_ball(*ball, b.world_from_body, a, margin, reach));
    Nearby found{.reach = reach / fastest_change, .apart = false};
    const auto* box_a = as<Box>(a.shape);
    const auto* box_b = as<Box>(b.shape);
    if (box_a && box_b) {
        const double gap = gap_of_boxes(*box_a, a.world_from_body, *box_b, b.world_from_body, margin);
        if (gap > reach) return {.reach = gap, .apart = true};
        return found;
    }
    const auto has_formula = [](const CollisionShape& shape) { return as<Box>(shape) || as<Cylinder>(shape); };
    const bool plane_a = as<HalfSpace>(a.shape), plane_b = as<HalfSpace>(b.shape);
    if ((plane_a && has_formula(b.shape)) || (plane_b && has_formula(a.shape))) return found;
    double beyond = std::numeric_limits<double>::infinity();
    if (!plane_a) beyond = std::min(beyond, search_of(a, b, margin).visit(0, reach, found.of_a));
    if (!plane_b) beyond = std::min(beyond, search_of(b, a, margin).visit(0, reach, found.of_b));
    if (!found.of_a.empty() || !found.of_b.empty()) return found;
    return {.reach = beyond / fastest_change, .apart = true};
}

std::vector<Contact> contacts_between(const PlacedShape& a, const PlacedShape& b, double margin,
                                      const std::vector<SurfacePointId>& known) {
    Nearby near = nearby(a, b, margin, 0);
    return near.apart ? std::vector<Contact>() : contacts_between(a, b, margin, known, near);
}

std::vector<Contact> contacts_between(const PlacedShape& a, const PlacedShape& b, double margin,
                                      const std::vector<SurfacePointId>& known, Nearby& nearby) {
    if (const auto* ball = as<Sphere>(a.shape))
        return ball_contacts(*ball, a.world_from_body, b, margin, nearby, nearby.of_b);
    if (const auto* ball = as<Sphere>(b.shape))
        return swapped(ball_contacts(*ball, b.world_from_body, a, margin, nearby, nearby.of_a));
    const auto* box_a = as<Box>(a.shape);
    const auto* box_b = as<Box>(b.shape);
    if (box_a && box_b) return contacts_of_boxes(*box_a, a.world_from_body, *box_b, b.world_from_body, margin);
    std::vector<int> known_of_a, known_of_b;
    for (const SurfacePointId& one : known) (one.of_a ? known_of_a : known_of_b).push_back(one.point);
    if (as<HalfSpace>(b.shape)) return solid_on_plane(a, b, margin, known_of_a, nearby, nearby.of_a);
    if (as<HalfSpace>(a.shape)) return swapped(solid_on_plane(b, a, margin, known_of_b, nearby, nearby.of_b));

    std::vector<Contact> contacts = points_in_distance(a, b, margin, known_of_a, nearby, nearby.of_a);
    const std::vector<Contact> others = swapped(points_in_distance(b, a, margin, known_of_b, nearby, nearby.of_b));
    const double near = 0.02 * std::min(a.shape.size, b.shape.size);
    for (const Contact& other : others) {
        const bool twice = std::any_of(contacts.begin(), contacts.end(), [&](const Contact& contact) {
            return (other.on_a - contact.on_a).norm() < near && other.normal.dot(contact.normal) > 0.7;
        });
        if (!twice) contacts.push_back(other);
    }
    return contacts;
}

}  // namespace clangor::rigid
