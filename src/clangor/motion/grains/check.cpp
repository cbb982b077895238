#include <clangor/motion/grains/check.hpp>

#include <fmt/format.h>

#include <cmath>

namespace clangor::grains {
namespace {

// Of the radii: what rounding makes of grains that were laid side by side, and of files with seven digits.
constexpr double allowed_overlap = 1e-6;

void check_surface(const GrainSurface& s, const std::string& of) {
    if (!(s.restitution > 0 && s.restitution <= 1))
        throw Error(fmt::format("{}: restitution must be above 0 and at most 1, but is {}", of, s.restitution));
    if (!(s.friction >= 0 && std::isfinite(s.friction)))
        throw Error(fmt::format("{}: friction must not be negative, but is {}", of, s.friction));
    if (!(s.tangential_restitution >= -1 && s.tangential_restitution <= 1))
        throw Error(
            fmt::format("{}: tangential restitution must be from -1 to 1, but is {}", of, s.tangential_restitution));
    if (!(s.rolling_friction >= 0 && std::isfinite(s.rolling_friction)))
        throw Error(fmt::format("{}: rolling friction must not be negative, but is {}", of, s.rolling_friction));
    if (!(s.reference_speed >= 0 && std::isfinite(s.reference_speed)))
        throw Error(
            fmt::format("{}: the speed of its restitution must not be negative, but is {}", of, s.reference_speed));
}

void check_pair(const GrainWorld& world, const GrainPair& pair) {
    const auto is_one_of = [](int index, std::size_t count) { return index >= 0 && std::size_t(index) < count; };
    if (!is_one_of(pair.kind, world.kinds.size()) ||
        !(pair.other < 0 ? is_one_of(pair.wall, world.walls.size()) : is_one_of(pair.other, world.kinds.size())))
        throw Error("a pair of grains names a kind or wall that is not there");
    check_surface(pair.surface, fmt::format("what grains of \"{}\" meet", world.kinds[std::size_t(pair.kind)].name));
}

std::string place_of(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]); }

void check_grain(const GrainWorld& world, std::size_t i) {
    const Grain& grain = world.grains[i];
    if (!(grain.radius > 0 && std::isfinite(grain.radius)))
        throw Error(fmt::format("grain {}: the radius must be positive, but is {} m", i, grain.radius));
    if (!grain.position.allFinite() || !grain.velocity.allFinite() || !grain.spin.allFinite())
        throw Error(fmt::format("grain {}: its position, velocity or spin is not a finite number", i));
    if (grain.kind < 0 || std::size_t(grain.kind) >= world.kinds.size())
        throw Error(fmt::format("grain {}: it is of kind {}, but there are {}", i, grain.kind, world.kinds.size()));
}

void check_periodic(const GrainWorld& world) {
    if (!world.periodic) return;
    if (!world.walls.empty() || world.gravity.norm() > 0)
        throw Error("a periodic box of grains has neither walls nor gravity; leave one of the two out");
    double largest = 0;
    for (const Grain& grain : world.grains) largest = std::max(largest, grain.radius);
    if (!(world.periodic->minCoeff() > 6.1 * largest))
        throw Error(
            fmt::format("a periodic box must be longer than three grains along each side, but is {} m with "
                        "grains of {} m",
                        place_of(*world.periodic), 2 * largest));
}

}  // namespace

void check_values(const GrainWorld& world, const GrainOptions& options) {
    if (world.kinds.empty() || world.kinds.size() > 255)
        throw Error(fmt::format("grains need a kind, and at most 255, but have {}", world.kinds.size()));
    for (const GrainKind& kind : world.kinds) {
        if (!(kind.density > 0 && std::isfinite(kind.density)))
            throw Error(
                fmt::format("grains of \"{}\": density must be positive, but is {} kg/m³", kind.name, kind.density));
        check_surface(kind.surface, fmt::format("grains of \"{}\"", kind.name));
    }
    for (const GrainWall& wall : world.walls) {
        check_surface(wall.surface, fmt::format("wall \"{}\"", wall.name));
        const Surface* const mesh = std::get_if<Surface>(&wall.shape);
        if (mesh && mesh->faces.rows() == 0) throw Error(fmt::format("wall \"{}\" has no faces", wall.name));
        if (mesh && !mesh->vertices.allFinite())
            throw Error(fmt::format("wall \"{}\" has corners that are no finite numbers", wall.name));
        if (wall.path.times.size() == 0) throw Error(fmt::format("wall \"{}\" has no place", wall.name));
    }
    for (const GrainPair& pair : world.pairs) check_pair(world, pair);
    for (std::size_t i = 0; i < world.grains.size(); ++i) check_grain(world, i);
    if (!world.gravity.allFinite()) throw Error("gravity is not a finite number");
    check_periodic(world);
    if (!(options.contact_time >= 0 && options.rest_distance >= 0 && options.rest_distance < 0.5 &&
          options.max_collisions > 0 && options.max_collisions < 65535 && options.frame_hz > 0))
        throw Error(
            "grains: contact time and rest distance (below 0.5) must not be negative, and collisions (below "
            "65535) and frames must be more than none");
}

void check_places(const Course& course, const GrainWorld& world) {
    const Cells& cells = course.cells;
    for (std::int32_t i = 0; i < std::int32_t(course.balls.size()); ++i) {
        const Ball& a = course.balls[std::size_t(i)];
        const CellIndex at = cells.of_ball[std::size_t(i)];
        const auto check_neighbour = [&](std::int32_t j) {
            const Ball& b = course.balls[std::size_t(j)];
            Vec3 d = vec(a.x) - vec(b.x);
            if (cells.periodic)
                for (int k = 0; k < 3; ++k) d[k] -= course.box[k] * std::rint(d[k] / course.box[k]);
            const double reach = a.r + b.r;
            if (d.norm() < reach * (1 - allowed_overlap))
                throw Error(fmt::format("grains {} and {} overlap by {:.3g} mm at the start, at {}", j, i,
                                        1000 * (reach - d.norm()), place_of(vec(a.x))));
        };
        for (int x = at[0] - 1; x <= at[0] + 1; ++x)
            for (int y = at[1] - 1; y <= at[1] + 1; ++y)
                for (int z = at[2] - 1; z <= at[2] + 1; ++z)
                    for (std::int32_t j = cells.first[cells.list(x, y, z)]; j >= 0; j = cells.next[std::size_t(j)])
                        if (j < i) check_neighbour(j);
        const auto check_contact = [&](const std::optional<WallContact>& contact) {
            if (contact && contact->gap < -allowed_overlap * a.r)
                throw Error(fmt::format("grain {} reaches {:.3g} mm into wall \"{}\" at the start, at {}", i,
                                        -1000 * contact->gap, world.walls[std::size_t(contact->wall)].name,
                                        place_of(vec(a.x))));
        };
        for (const WallPart& plane : course.walls.planes) check_contact(contact_with(plane, vec(a.x), a.r));
        const int shift = course.walls.coarser;
        for (const std::int32_t part : course.walls.grid.in_cell(at[0] >> shift, at[1] >> shift, at[2] >> shift))
            check_contact(contact_with(course.walls.parts[std::size_t(part)], vec(a.x), a.r));
        for (const MovingWall& wall : course.walls.moving) check_contact(nearest_contact(wall, vec(a.x), a.r, 0));
    }
}

}  // namespace clangor::grains
