#include <clangor/motion/grains/check.hpp>
#include <clangor/motion/grains/course.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::grains {
namespace {

struct Extent {
    Vec3 low = Vec3::Constant(never), high = Vec3::Constant(-never);
    void add(const Vec3& from, const Vec3& to) {
        low = low.cwiseMin(from);
        high = high.cwiseMax(to);
    }
};

// A wall wherever its path takes it.
void add_wall(const GrainWall& wall, Extent& extent) {
    const Surface* const mesh = std::get_if<Surface>(&wall.shape);
    if (!mesh) return;
    for (long k = 0; k < wall.path.times.size(); ++k) {
        const Eigen::Isometry3d pose = pose_at(wall.path, wall.path.times[k]);
        for (long i = 0; i < mesh->vertices.rows(); ++i) {
            const Vec3 x = pose * Vec3(mesh->vertices.row(i));
            extent.add(x, x);
        }
    }
}

struct Sizes {
    double smallest = never, largest = 0, fastest = 0;
};
Sizes sizes_of(const GrainWorld& world) {
    Sizes sizes;
    for (const Grain& grain : world.grains) {
        sizes.smallest = std::min(sizes.smallest, grain.radius);
        sizes.largest = std::max(sizes.largest, grain.radius);
        sizes.fastest = std::max(sizes.fastest, grain.velocity.norm());
    }
    if (world.grains.empty()) return {0.001, 0.001, 0};
    return sizes;
}

// A hop of that time is as high as 1/800 of the radius   docs/theory/grains.md, section 5.
double contact_time_for(const GrainWorld& world, double radius) {
    const double g = world.gravity.norm();
    return g > 0 ? 0.1 * std::sqrt(radius / g) : 0;
}

// Where planes go on without an end, or nothing is in the way, grains come as far as they can fly; what has left the
// neighbourhood of walls that end does not come back.
std::array<CellIndex, 2> bounds_for(const GrainWorld& world, const Cells& cells, const Extent& extent,
                                    double duration) {
    const auto is_plane = [](const GrainWall& w) { return std::holds_alternative<GrainPlane>(w.shape); };
    const bool open = world.walls.empty() || std::any_of(world.walls.begin(), world.walls.end(), is_plane);
    const double seconds = duration > 0 ? duration : 10;
    const double flight = sizes_of(world).fastest * seconds + 0.5 * world.gravity.norm() * square(seconds);
    double margin = (extent.high - extent.low).norm() + 20 * cells.size.maxCoeff();
    if (open) margin = std::max(margin, flight);
    std::array<CellIndex, 2> bounds;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const long k = long(axis);
        const auto index = [&](double x) {
            return std::int16_t(std::clamp((x - cells.origin[k]) / cells.size[k], -32000.0, 32000.0));
        };
        bounds[0][axis] = index(extent.low[k] - margin);
        bounds[1][axis] = index(extent.high[k] + margin);
    }
    return bounds;
}

void place_balls(Course& course, const GrainWorld& world) {
    for (std::size_t i = 0; i < world.grains.size(); ++i) {
        const Grain& grain = world.grains[i];
        Ball& ball = course.balls[i];
        ball.t = 0;
        ball.r = grain.radius;
        put(ball.x, grain.position);
        put(ball.v, grain.velocity);
        put(course.memories[i].spin, grain.spin);
        course.memories[i].kind = std::uint8_t(grain.kind);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const long k = long(axis);
            if (course.cells.periodic) ball.x[axis] -= course.box[k] * std::floor(ball.x[axis] / course.box[k]);
            double at = std::floor((ball.x[axis] - course.cells.origin[k]) / course.cells.size[k]);
            if (course.cells.periodic) at = std::clamp(at, 0.0, course.cells.count[axis] - 1.0);
            course.cells.of_ball[i][axis] = std::int16_t(at);
            course.memories[i].anchor[axis] = float(ball.x[axis]);
        }
        course.cells.insert(std::int32_t(i));
    }
}

void place_pairs(Course& course, const GrainWorld& world) {
    if (world.pairs.empty()) return;
    const std::size_t columns = world.kinds.size() + world.walls.size();
    course.pair_of.assign(world.kinds.size() * columns, -1);
    for (const GrainPair& pair : world.pairs) {
        const auto place = std::int32_t(course.pair_laws.size());
        course.pair_laws.push_back(law_of(pair.surface));
        const std::size_t kind = std::size_t(pair.kind), other = std::size_t(pair.other);
        if (pair.other < 0) {
            course.pair_of[kind * columns + world.kinds.size() + std::size_t(pair.wall)] = place;
        } else {
            course.pair_of[kind * columns + other] = place;
            course.pair_of[other * columns + kind] = place;
        }
    }
}

PairLaw law_in_column(const Course& course, std::size_t kind, std::size_t column, const SurfaceLaw& other) {
    const std::int32_t pair =
        course.pair_laws.empty() ? -1 : course.pair_of[kind * (course.pair_of.size() / course.kinds.size()) + column];
    if (pair < 0) return pair_law(course.kinds[kind], other);
    return pair_law(course.pair_laws[std::size_t(pair)], course.pair_laws[std::size_t(pair)]);
}

double first_day(const GrainWorld& world, const Sizes& sizes) {
    const double speed = sizes.fastest + std::sqrt(world.gravity.norm() * sizes.largest);
    return speed > 0 ? sizes.smallest / speed / std::max<double>(1, double(world.grains.size()) / 8) : 1;
}

}  // namespace

PairLaw law_between(const Course& course, std::uint8_t kind, std::uint8_t other) {
    return law_in_column(course, kind, other, course.kinds[other]);
}

PairLaw law_with_wall(const Course& course, std::uint8_t kind, std::int32_t wall) {
    const std::size_t column = course.kinds.size() + std::size_t(wall);
    return law_in_column(course, kind, column, course.wall_laws[std::size_t(wall)]);
}

Course::Course(const GrainWorld& world, const GrainOptions& with)
    : gravity(world.gravity),
      options(with),
      balls(world.grains.size()),
      memories(world.grains.size()),
      meetings(world.grains.size()),
      passage_times(world.grains.size(), never),
      passage_codes(world.grains.size(), 0),
      statuses(world.grains.size(), Status::Awake),
      calendar((check_values(world, with), world.grains.size()), first_day(world, sizes_of(world))) {
    const Sizes sizes = sizes_of(world);
    falls = gravity.norm() > 0;
    for (const GrainKind& kind : world.kinds) {
        densities.push_back(kind.density);
        kinds.push_back(law_of(kind.surface));
    }
    for (const GrainWall& wall : world.walls) wall_laws.push_back(law_of(wall.surface));
    place_pairs(*this, world);
    contact_time = with.contact_time > 0 ? with.contact_time : contact_time_for(world, sizes.smallest);
    window = contact_time > 0 ? contact_time : sizes.fastest > 0 ? 1e-3 * sizes.smallest / sizes.fastest : 1e-3;
    if (world.periodic) {
        box = *world.periodic;
        cells = periodic_cells(2 * sizes.largest, box, balls.size());
    } else {
        Extent extent;
        for (const Grain& grain : world.grains)
            extent.add(grain.position - Vec3::Constant(grain.radius), grain.position + Vec3::Constant(grain.radius));
        for (const GrainWall& wall : world.walls) add_wall(wall, extent);
        if (!extent.low.allFinite()) extent = {Vec3::Zero(), Vec3::Ones()};
        cells = cells_for(2 * sizes.largest, extent.low, balls.size());
        bounds = bounds_for(world, cells, extent, with.duration);
    }
    has_path.assign(world.walls.size(), 0);
    walls = walls_of(world, cells, sizes.largest, has_path);
    place_balls(*this, world);
    check_places(*this, world);
    lay_down(*this);
    if (falls && with.rest_distance > 0) {
        between_looks = std::sqrt(8 * with.rest_distance * sizes.smallest / gravity.norm());
        next_look = between_looks;
    }
    next_start = earliest_start(*this, 0);
    for (std::int32_t i = 0; i < std::int32_t(balls.size()); ++i) look_ahead(*this, i, 0);
}

}  // namespace clangor::grains
