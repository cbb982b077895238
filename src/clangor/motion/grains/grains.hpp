/// @file grains.hpp — hard balls by the million that fall, collide, roll and pile up: sugar, beads, gravel.
/// Model     ẍ = g between collisions that take no time: restitution, Coulomb friction, spin      docs/theory/grains.md
/// In        balls, the walls that they meet (planes, meshes, still or moving), what they are made of.
/// Out       every collision as it happens, in blocks; places and velocities per frame.
/// Not here  the sound of a collision (radiation), the force during one (motion/contact), bodies that are no balls
///           (motion/rigid).
///
///     GrainWorld world{.kinds = {{.name = "glass", .density = 2500}}};
///     world.walls.push_back({.name = "floor", .shape = GrainPlane{}});
///     world.grains.push_back({.position = {0, 0.1, 0}, .radius = 0.001});
///     double heard = 0;
///     const GrainSink sink{.collisions = [&](std::span<const GrainCollision> block) {
///         for (const GrainCollision& c : block) heard += c.impulse.norm();
///     }};
///     const GrainReport report = simulate(world, GrainOptions{.duration = 2}, sink);
#pragma once

#include <clangor/core/core.hpp>
#include <clangor/geometry/geometry.hpp>
#include <clangor/motion/record/record.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace clangor {

/// How a surface meets another. Of two surfaces: restitutions their mean, friction √(μ₁μ₂).
struct GrainSurface {
    double restitution = 0.9;  ///< of balls that meet at `reference_speed`, in (0, 1]
    /// Slower impacts bounce better and faster ones worse, as viscoelastic balls do; 0: all speeds alike [m/s].
    double reference_speed = 1;
    double friction = 0.3;  ///< Coulomb's coefficient
    /// Tangential speed after, over that before, of contacts that do not slide, in [−1, 1]: 0 rolls on, 1 springs back.
    double tangential_restitution = 0;
    double rolling_friction = 0.002;  ///< torque that brakes rolling, over force times radius
};

struct GrainKind {
    std::string name = {};
    double density = 2500;  ///< [kg/m³]
    GrainSurface surface = {};
};

/// One ball.
struct Grain {
    Vec3 position = Vec3::Zero();  ///< of its centre [m]
    Vec3 velocity = Vec3::Zero();  ///< [m/s]
    Vec3 spin = Vec3::Zero();      ///< [rad/s]
    double radius = 0.001;         ///< [m]
    int kind = 0;                  ///< in GrainWorld::kinds
};

/// All below y = 0 of its frame, without an end.
struct GrainPlane {};

/// Something that is moved by no grain. A mesh holds balls off from both sides; it need not be closed.
struct GrainWall {
    std::string name = {};
    std::variant<GrainPlane, Surface> shape = GrainPlane{};
    Trajectory path = at_rest(Eigen::Isometry3d::Identity());
    GrainSurface surface = {};
};

/// What holds where a kind of grains meets another kind or a wall, instead of what follows from both surfaces.
struct GrainPair {
    int kind = 0;
    int other = -1;  ///< a kind; −1: a wall
    int wall = -1;
    GrainSurface surface = {};
};

struct GrainWorld {
    std::vector<GrainKind> kinds = {};
    std::vector<Grain> grains = {};
    std::vector<GrainWall> walls = {};
    std::vector<GrainPair> pairs = {};  ///< of several for the same two, the last one holds
    Vec3 gravity = {0, -9.81, 0};       ///< [m/s²]
    /// A box with a corner at the origin that repeats without an end; no walls and no gravity then [m].
    std::optional<Vec3> periodic = {};
};

/// One collision, at its end.
struct GrainCollision {
    double time = 0;              ///< [s]
    Vec3 point = Vec3::Zero();    ///< where the surfaces touch [m]
    Vec3 normal = Vec3::Zero();   ///< unit, out of the other, into `first`
    Vec3 impulse = Vec3::Zero();  ///< that `first` receives; the other receives its opposite [N·s]
    double normal_speed = 0;      ///< of approach, before; > 0 [m/s]
    double tangential_speed = 0;  ///< of one surface over the other, before, spins included [m/s]
    double since = 0;             ///< since the two last met anything: the shorter of both [s]
    std::int32_t first = -1;      ///< a grain
    std::int32_t second = -1;     ///< the other grain; −1: a wall
    std::int32_t wall = -1;       ///< −1: another grain
    std::int32_t face = -1;       ///< of the wall's mesh; −1: a plane
    /// One of a lasting contact, which stands for a steady force and is no impact: it came soon after the last, and
    /// slowly   docs/theory/grains.md, section 5.
    bool lasts = false;
};

/// Where all grains are at one moment. What lies asleep has no velocity.
struct GrainFrame {
    double time = 0;  ///< [s]
    std::span<const Grain> grains;
};

/// What takes the results. Blocks come by time; empty functions are not called.
struct GrainSink {
    std::function<void(std::span<const GrainCollision>)> collisions = {};
    std::function<void(const GrainFrame&)> frame = {};
};

struct GrainOptions {
    double duration = 0;   ///< [s]
    double frame_hz = 60;  ///< of GrainSink::frame
    /// t_c: grains that collide again sooner and slowly are in lasting contact, and hop for so long, so that the clock
    /// goes on where collisions would crowd without end   docs/theory/grains.md, section 5. 0: from sizes and gravity
    /// [s]
    double contact_time = 0;
    /// What stays within this part of its radius for a while and is held up falls asleep, until something hits it so
    /// hard that it would move further, or what holds it goes. 0: nothing sleeps.
    double rest_distance = 0.05;
    /// Per grain and contact time. One that has more is stopped until the contact time is over.
    int max_collisions = 1000;
};

/// What came of a run, so far.
struct GrainReport {
    double time = 0;                                  ///< that was reached [s]
    std::int64_t between_grains = 0, with_walls = 0;  ///< collisions
    std::int64_t lasting = 0;                         ///< of these, in lasting contacts
    std::int64_t events = 0;                          ///< with those that only pass from cell to cell
    std::int64_t asleep = 0;                          ///< grains, now
    std::int64_t escaped = 0;                         ///< grains that left the world
    std::int64_t stopped = 0;                         ///< times that GrainOptions::max_collisions was reached
    std::vector<std::string> warnings = {};
};

/// Everything that a run needs to go on, to the last bit, with the same world and options.
struct GrainState {
    std::vector<std::byte> bytes = {};  ///< of this version of the program
};

/// Advances a world bit by bit, so that other things can move along. Deterministic; one thread, 200 bytes a grain.
class GrainSimulator {
public:
    /// Throws Error for a world that cannot be: overlaps, no radius, restitutions outside (0, 1], …
    GrainSimulator(const GrainWorld& world, const GrainOptions& options);
    /// Goes on from where another stood.
    GrainSimulator(const GrainWorld& world, const GrainOptions& options, const GrainState& state);
    ~GrainSimulator();
    GrainSimulator(GrainSimulator&&) noexcept;
    GrainSimulator& operator=(GrainSimulator&&) noexcept;

    /// All collisions up to a time that is no earlier than the one reached; frames come too.
    void advance(double time, const GrainSink& sink);
    /// From now on the wall follows this path; it must be where it is now at this time.
    void set_path(int wall, const Trajectory& path);
    std::vector<Grain> grains() const;  ///< at the time that was reached
    GrainReport report() const;
    GrainState state() const;

private:
    struct World;
    std::unique_ptr<World> world_;
};

/// The whole duration.
GrainReport simulate(const GrainWorld& world, const GrainOptions& options, const GrainSink& sink,
                     const Progress& progress = {});

/// Where grains are filled in: a box, or the upright cylinder in it. Between grains and walls that are there already.
struct GrainFill {
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< corners [m]
    bool is_round = false;
    std::int64_t count = 0;
    double radius = 0.001;  ///< mean [m]
    double spread = 0;      ///< radii are uniform within this part of it, below 1
    int kind = 0;
    std::uint64_t seed = 1;
    /// Each sinks to where those that came before hold it; otherwise they hang where they are.
    bool settle = true;
    std::vector<GrainWall> stoppers = {};  ///< that hold them meanwhile: the plug of a funnel
};

/// Those of the world, and then the new ones. Deterministic. Throws Error where there is no room for all, or they fall
/// out of the walls.
std::vector<Grain> filled(const GrainWorld& world, const GrainFill& fill, const Progress& progress = {});

/// e(v) of two surfaces that meet at this speed, as of viscoelastic balls  [Mueller2011].
double restitution_at(const GrainSurface& one, const GrainSurface& other, double speed);

}  // namespace clangor
