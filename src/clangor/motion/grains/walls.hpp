// What balls meet that is no ball: planes and the faces, edges and corners of meshes. Internal to motion/grains.
#pragma once

#include <clangor/motion/grains/cells.hpp>
#include <clangor/motion/grains/first_time.hpp>
#include <clangor/motion/grains/grains.hpp>

#include <optional>
#include <span>
#include <vector>

namespace clangor::grains {

/// A ball touches each of them where it is as far from it as its radius. Edges between faces of one plane are left
/// out, and so are corners that have no other.
struct WallPart {
    enum class Kind { Plane, Face, Edge, Corner } kind = Kind::Plane;
    Vec3 a = Vec3::Zero(), b = Vec3::Zero(), c = Vec3::Zero();  ///< a plane's point, or the corners [m]
    Vec3 n = Vec3::Zero();                                      ///< unit: normal of a plane or face, along an edge
    std::int32_t wall = -1, face = -1;
    /// Unit: from an edge into its faces, from a corner along edges, no more than three. Whoever is ahead along one of
    /// them meets that face or edge first. Zero: none.
    std::array<Vec3, 3> ways = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
};

std::vector<WallPart> parts_of(const GrainWall& wall, std::int32_t index);

/// The point of a part that is nearest to a ball's centre and touches it perpendicularly, if there is one: of a face
/// only within its corners.
struct Nearest {
    Vec3 normal;      ///< unit, towards the ball
    double distance;  ///< of a plane negative behind it [m]
};
std::optional<Nearest> nearest_of(const WallPart& part, const Vec3& x);

/// A quick look: true only where no point of it is within a distance.
bool is_farther(const WallPart& part, const Vec3& x, double distance);

/// A ball around a part: a look that is quicker still, at many of them.
struct Around {
    Vec3 centre = Vec3::Zero();  ///< [m]
    double radius = 0;           ///< [m]
};
Around around(const WallPart& part);
inline bool is_farther(const Around& around, const Vec3& x, double distance) {
    return (x - around.centre).squaredNorm() > square(distance + around.radius);
}

/// When a ball first touches it and comes nearer, before `end`; never otherwise.
double touch_time(const WallPart& part, const Fall& fall, double radius, double end);

/// Which parts a ball may touch that has its centre in a cell. Cells with none take no memory.
class WallGrid {
public:
    WallGrid() = default;
    /// Parts without planes; `reach`: the largest radius [m].
    WallGrid(std::span<const WallPart> parts, const Vec3& origin, const Vec3& cell, double reach);

    std::span<const std::int32_t> in_cell(int x, int y, int z) const;
    std::span<const std::int32_t> at(const Vec3& x) const;

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t begin = 0, end = 0;
    };
    Vec3 origin_ = Vec3::Zero(), cell_ = Vec3::Ones();
    std::vector<Slot> slots_ = {};  // a power of two of them; begin = end: free
    std::vector<std::int32_t> parts_ = {};
};

/// One that moves: all in its own frame.
struct MovingWall {
    std::int32_t wall = -1;
    Trajectory path;
    std::vector<WallPart> parts;
    std::vector<Around> around;  ///< per part
    WallGrid grid;
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< corners of a box around it [m]
    bool is_plane = false;
    double size = 0;   ///< how far its points are from the frame's origin at most [m]
    double reach = 0;  ///< of its grid [m]
    /// Most in an interval of the path.
    struct Bound {
        double spin = 0, acceleration = 0, spin_change = 0;  ///< [rad/s], [m/s²], [rad/s²]
        double jerk = 0, spin_jerk = 0;                      ///< [m/s³], [rad/s³]
        double stands_until = never;                         ///< if it does not move in this interval [s]
    };
    std::vector<Bound> bounds = {};
};

/// How long a wall stays where it is from a time on; −never if it moves then.
double stands_until(const MovingWall& wall, double time);
/// When a wall next begins to move, after a time.
double next_start(const MovingWall& wall, double time);

struct Walls {
    std::vector<WallPart> planes = {}, parts = {};  ///< of those that stand still
    std::vector<Around> around = {};                ///< per part
    WallGrid grid = {};
    int coarser = 0;  ///< a cell of the grid is 2^coarser cells of the balls along each axis
    std::vector<MovingWall> moving = {};
};

/// `has_path`: per wall, that it counts as moving whatever its path is.
Walls walls_of(const GrainWorld& world, const Cells& cells, double largest_radius, const std::vector<char>& has_path);
MovingWall moving_wall(const GrainWall& wall, std::int32_t index, double largest_radius);
void set_path(MovingWall& wall, const Trajectory& path);

/// A ball at a wall.
struct WallContact {
    Vec3 normal;    ///< unit, towards the ball
    Vec3 velocity;  ///< of the wall there [m/s]
    double gap;     ///< between their surfaces [m]
    std::int32_t wall, face;
};

/// The nearest of a moving wall, if it is within the reach of its grid; then `gap` is less than that.
std::optional<WallContact> nearest_contact(const MovingWall& wall, const Vec3& x, double radius, double time);
/// Of all that a ball touches of a moving wall, that which it comes to fastest, at the velocity v.
std::optional<WallContact> touched(const MovingWall& wall, const Vec3& x, const Vec3& v, double radius, double time);
std::optional<WallContact> contact_with(const WallPart& part, const Vec3& x, double radius);
/// Of a wall that may move: all that are nearer than `gap`.
void add_contacts(const MovingWall& wall, const Vec3& x, double radius, double time, double gap,
                  std::vector<WallContact>& contacts);

/// Either a touch, or a time until which there is none.
struct Look {
    double time;
    bool touches;
};
/// `fall` begins at `time`.
Look look_for_touch(const MovingWall& wall, const Fall& fall, double radius, double time, double end);

}  // namespace clangor::grains
