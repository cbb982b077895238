// What the procedural shapes share: checked sizes, profiles, and surfaces of revolution.
#pragma once

#include <clangor/geometry/shapes.hpp>

#include <string_view>
#include <vector>

namespace clangor::shapes {

Surface build(const Box& box);
Surface build(const Sphere& sphere);
Surface build(const Cylinder& cylinder);
Surface build(const Plate& plate);
Surface build(const Bowl& bowl);
Surface build(const Mug& mug);
Surface build(const Bell& bell);
Surface build(const TuningFork& fork);
Surface build(const Ring& ring);
Surface build(const Key& key);
Surface build(const Sheet& sheet);
Surface build(const Disc& disc);
Surface build(const Dome& dome);
Surface build(const Can& can);
Surface build(const Cymbal& cymbal);
Surface build(const Tub& tub);
Surface build(const SurfaceOfRevolution& shape);

/// Whether its profile has no open end.
bool is_closed(const SurfaceOfRevolution& shape);

/// Throws unless the size is one that a body can have: from a micrometre to a kilometre.
void check_size(std::string_view shape, std::string_view what, double metres);

/// Throws unless `metres` is below the limit that another size sets.
void check_below(std::string_view shape, std::string_view what, double metres, double limit,
                 std::string_view because_of);

/// Around a full turn: n-gons have (2π/n)²/6 = 0.04 % less area than their circles.
inline constexpr int turn_segments = 128;

/// A meridian: points (r, y) in the half-plane r ≥ 0.
using Profile = std::vector<Eigen::Vector2d>;

/// Appends the straight way from the last point to `to`, in steps no longer than `step`, but at most 400.
void line_to(Profile& profile, const Eigen::Vector2d& to, double step);

/// Appends an arc about `centre` from angle `from` to angle `to` [rad, 0 along r, π/2 along y], both ends included;
/// a first point equal to the last one there is left out. Steps are no longer than `step`, but neither coarser than 8
/// nor finer than 64 in half a turn.
struct Arc {
    Eigen::Vector2d centre;
    double radius, from, to;
};
void arc_to(Profile& profile, const Arc& arc, double step);

/// The skin over rings of points, one after the other: all of them have as many points, or one, a tip. `loop`: from the
/// last one on to the first.
Surface lofted(const std::vector<std::vector<Vec3>>& rings, bool loop = false);

struct Revolution {
    Surface surface;
    std::vector<int> ring;  ///< the first vertex of each profile point's ring; vertex k of it stands at angle 2πk/n
};

/// Turns a profile about the y axis. It either starts and ends on the axis, or is a loop, whose last point is joined
/// to its first. `segments` around.
Revolution revolved(const Profile& profile, int segments = turn_segments);

/// Faces turned such that a closed surface bounds what is inside: the way round a profile is its author's choice.
Surface turned_outward(Surface surface);

/// Turns a profile that ends where it ends: an open surface.
Surface turned_sheet(const Profile& profile, int segments = turn_segments);

/// Where ring vertices stand: angle 0 along +x, turning towards +z.
Vec3 on_ring(const Eigen::Vector2d& profile_point, double angle);

}  // namespace clangor::shapes
