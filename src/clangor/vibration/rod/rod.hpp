/// @file rod.hpp — wires, rulers, springs, rings: elastic rods that bend, twist and stretch as far as they like.
/// Model     M q̈ + C q̇ + ∇E(q) = f,  q: points and angles of edges; bending, twist, stretch      docs/theory/rod.md
/// In        points at rest, a cross-section, a Material, what holds the rod.
/// Out       RodPlan: plain arrays, made once. RodStepper: its motion, and the accelerations that radiate.
/// Not here  contact (motion), sections from outlines (geometry), sound pressure (radiation).
///
///     const RodShape shape{.points = straight_points({0, 0, 0}, {0.6, 0, 0}, 60), .section = round_wire(0.00635)};
///     const RodPlan plan = rod_plan(shape, steel);
///     RodStepper rod(plan, {.damping = {.alpha = 0, .beta = 1e-7}});
///     rod.strike({.at = 0.2, .impulse = {0, -0.01, 0}, .duration = 3e-4});
///     for (int k = 0; k < 44100; ++k) rod.step(1.0 / 44100);
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/material/material.hpp>
#include <clangor/vibration/modal/modal.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace clangor {

/// Geometric moments of the section about its centroid, along its material directions d_1 and d_2.
struct RodSection {
    double area = 0;          ///< [m²]
    double bending_1 = 0;     ///< ∫x_1² dA: of bending along d_1 [m⁴]
    double bending_2 = 0;     ///< ∫x_2² dA: of bending along d_2 [m⁴]
    double torsion = 0;       ///< J: torque GJ per twist of 1 rad/m [m⁴]
    double shear_1 = 5. / 6;  ///< Timoshenko's coefficient along d_1; read where shear is modelled [1]
    double shear_2 = 5. / 6;  ///< along d_2 [1]
};

RodSection round_wire(double radius);
RodSection flat_bar(double width, double height);  ///< `width` along d_1, `height` along d_2

/// A rod at rest, without stress there: straight or curved, twisted or not.
/// The origin should be near: rounded coordinates make noise, of 1e-3 m/s² in a steel wire that is 10 m away.
struct RodShape {
    Points points;        ///< control points in order, neighbours apart [m]
    bool closed = false;  ///< the last joins the first
    RodSection section;
    Vec3 first_direction = Vec3::Zero();  ///< d_1 of the first edge, but for what is along it; zero: any
    /// How far the section of each edge is turned from one that is carried along the rod without twisting; empty: not
    /// at all [rad].
    Eigen::VectorXd twist = {};
};

/// `count` points from one end to the other, the ends among them.
Points straight_points(const Vec3& from, const Vec3& to, long count);

/// Holds a point where it was at rest, softly: force −kx − cẋ of its displacement x.
struct RodSpring {
    long point = 0;
    Vec3 stiffness = Vec3::Zero();  ///< along x, y and z [N/m]
    double damping = 0;             ///< [N s/m]
};

/// A held edge is a clamp: both its points and its section's angle stay, and the rod is free from the middle of the
/// edge on. So a cantilever of length L has its second point half a spacing outside the wall.
struct RodSupports {
    std::vector<long> points = {};  ///< pinned
    std::vector<long> edges = {};   ///< clamped; edge j is between points j and j + 1
    std::vector<RodSpring> springs = {};
};

/// Where mass is: at the points, or along edges and points alike, so that bending waves of eight points each are 0.04 %
/// off instead of 5 %. Points then share mass with their neighbours.
enum class RodMass { AtPoints, AlongEdges };

struct RodPlanOptions {
    RodSupports supports = {};
    RodMass mass = RodMass::AtPoints;
    /// Shear and rotary inertia, as thick rods want them (Timoshenko): two more unknowns a point, and about twice the
    /// time of a step.
    bool shear = false;
};

/// A column a point: x, y, z [m], then of the edge behind it the section's angle [rad] and, with shear, how far it
/// leans along d_1 and d_2 [rad]. Rows of edges that do not exist stay zero.
using RodRows = Eigen::MatrixXd;

/// Where a rod is, how it moves, and the frames that angles are measured from. Copied, it is a point of return.
struct RodState {
    double time = 0;       ///< [s]
    RodRows place;         ///< q [m, rad]
    RodRows velocity;      ///< q̇
    RodRows acceleration;  ///< q̈ of the smooth motion, without impulses
    RodRows heard;         ///< q̈ with impulses, spread over the step in which they came: what radiates
    RodRows heard_before;  ///< the same a step before
    double step = 0;       ///< of the last step [s]
    /// Of each edge, a row (those beyond the last are copies of it): its direction, and the reference director.
    Eigen::MatrixX3d tangents, directors;
    Eigen::VectorXd turns;  ///< of each point: how far reference directors turn about the rod from edge to edge [rad]
};

/// A rod made ready: everything that a step needs, and nothing that changes. Arrays of points and of edges are padded
/// to whole packs of eight, with zero stiffness.
struct RodPlan {
    long points = 0, edges = 0;
    bool closed = false;
    int per_point = 4;  ///< unknowns, 6 with shear
    // Of edges
    Eigen::VectorXd rest_length;         ///< [m]
    Eigen::VectorXd stretching;          ///< EA/ē [N/m]
    Eigen::VectorXd shear_1, shear_2;    ///< κGA ē [N m]
    Eigen::VectorXd rotary_1, rotary_2;  ///< ρI ē: of a section that tilts along d_1, d_2 [kg m²]
    Eigen::VectorXd shared;              ///< what two points share: M has −, +, +, − that of their mass [kg]
    // Of points
    Eigen::VectorXd share;                      ///< l̄: the length of rod that is the point's [m]
    Eigen::VectorXd bending_1, bending_2;       ///< EI/l̄ [N m]
    Eigen::VectorXd twisting;                   ///< GJ/l̄ [N m]
    Eigen::VectorXd rest_1, rest_2, rest_turn;  ///< κ̄_1, κ̄_2, m̄ [rad]
    Eigen::VectorXd shared_turning;             ///< and two edges of their resistance to turning [kg m²]
    // Of unknowns
    RodRows mass;            ///< if all of it is at points [kg, kg m²]
    std::vector<char> held;  ///< of unknowns: moved by nothing but RodStepper::drive
    std::vector<RodSpring> springs;
    RodState rest;
    Eigen::VectorXd length_to;  ///< of points: from the first, along the rod at rest [m]
};

/// Everything that is wrong with it, one sentence each: points that repeat or fold back, sections and materials that
/// cannot be.
std::vector<std::string> problems_of(const RodShape& shape);

/// Throws Error with what problems_of says of the shape and the material, and where supports name what is not there.
RodPlan rod_plan(const RodShape& shape, const Material& material, const RodPlanOptions& options = {});

/// Elastic energy there, and springs' [J]; its gradient; and the stiffness ∂²E/∂q², symmetric part, both triangles,
/// point by point in the order of RodRows.
double rod_energy(const RodPlan& plan, const RodState& state);
RodRows rod_gradient(const RodPlan& plan, const RodState& state);
SparseMatrix rod_stiffness(const RodPlan& plan, const RodState& state);

/// Of the rod as it moves [J].
double kinetic_energy(const RodPlan& plan, const RodState& state);

/// The same rod elsewhere: frames are carried along without twisting. Velocities stay.
RodState moved(const RodPlan& plan, const RodState& state, const RodRows& place);

/// Material directions d_1 and d_2 of edges, a row each.
struct RodFrames {
    Points d_1, d_2;
};
RodFrames material_frames(const RodPlan& plan, const RodState& state);

/// Small motion about a state, for `vibration_modes`: unknowns that nothing holds, and what expands them to RodRows.
ConstrainedBody small_motion(const RodPlan& plan, const RodState& state);

/// At what frequency a step of trapezoids turns a mode of this one, (1/πΔt) atan(πfΔt), and the other way round [Hz].
double warped_hz(double hz, double step);
double unwarped_hz(double hz, double step);

/// A push of half a sine.
struct RodPulse {
    double at = 0;                ///< along the rod at rest [m]
    Vec3 impulse = Vec3::Zero();  ///< [N s]
    double start = 0;             ///< on the rod's clock [s]
    double duration = 0;          ///< [s]
};

/// C = αM + βK, K being what the strains make without what stress makes: never indefinite, and blind to rigid motion.
struct RodDamping {
    double alpha = 0;  ///< also of rigid motion: zero for rods that fall [1/s]
    double beta = 0;   ///< [s]
};

struct RodStepperOptions {
    RodDamping damping = {};
    Vec3 gravity = Vec3::Zero();  ///< [m/s²]
    double tolerance = 1e-9;      ///< of a step's motion, relative to it
    int most_halvings = 8;        ///< of a step that finds no balance
};

struct RodReport {
    long steps = 0;              ///< in all, halved ones too
    long iterations = 0;         ///< of Newton
    long factorizations = 0;     ///< of the step matrix
    long halved = 0;             ///< steps that were too long
    double largest_stretch = 0;  ///< |l/l̄ − 1| over all edges and steps, as last looked for
};

/// Moves a plan, which must outlive it, by trapezoids (Newmark, β = ¼, γ = ½). One thread moves it at a time.
class RodStepper {
public:
    RodStepper(const RodPlan& plan, const RodStepperOptions& options);
    ~RodStepper();
    RodStepper(RodStepper&&) noexcept;
    RodStepper& operator=(RodStepper&&) noexcept;

    /// Free motion over so many seconds, under gravity, springs, pulses and `forces`. Steps of one length are quickest.
    /// Throws Error where even the shortest step finds no balance, naming the place; the state is then that before.
    void step(double seconds);

    const RodPlan& plan() const;
    const RodState& state() const;

    /// Goes on from there: a state that was kept, or one that was made. Accelerations are taken as they stand.
    void set_state(const RodState& state);

    /// Accelerations that balance the forces here, for states that were made by hand.
    void balance();

    /// Rests where forces, gravity and springs hold each other in balance. Throws Error where there is no such place.
    void settle();

    void strike(const RodPulse& pulse);

    /// Other forces than gravity, on each unknown, from the next step on until they are changed [N, N m].
    RodRows& forces();

    /// The velocity of something held, from here on, along an unknown of a point [m/s, rad/s].
    void drive(long point, int unknown, double velocity);

    // For contact. A = M + ½Δt C + ¼Δt² K is the matrix of the last step.

    /// A⁻¹ times columns in the order of RodRows [1/kg].
    Eigen::MatrixXd solve(const Eigen::MatrixXd& columns) const;

    /// A⁻¹ times a unit column, near that unknown: the rows of `reach` points before and behind it. An open rod's.
    struct NearColumn {
        long begin = 0;  ///< the first row, in the order of RodRows
        Eigen::VectorXd rows;
    };
    NearColumn near_column(long unknown, long reach) const;

    /// Of each point, the block of A⁻¹ on the diagonal: the velocity that an impulse at it gives it. All of them take
    /// about as long as a step [1/kg].
    std::vector<Mat3> compliances() const;

    /// Of each edge, the block of A⁻¹ of what places on it move with: x, y and z of its first point, the angle of its
    /// section, x, y and z of its second point. All of them take about as long as a step.
    using EdgeCompliance = Eigen::Matrix<double, 7, 7>;
    std::vector<EdgeCompliance> edge_compliances() const;

    /// v += A⁻¹J: impulses at the end of the last step, which are heard and leave `acceleration` alone [N s, N m s].
    void push(const RodRows& impulses);

    /// Impulses that acted steadily over the last step, by the velocities A⁻¹J that they make: it ends elsewhere by
    /// ½Δt A⁻¹J, and with the accelerations that balance there. `displacement` moves it on without giving velocity.
    void feel(const RodRows& impulses, const RodRows& velocities, const RodRows& displacement);

    /// Moves without giving velocity: to take what has sunk in out again [m, rad].
    void displace(const RodRows& by);

    /// Changes velocities as they are told, heard as impulses are [m/s, rad/s].
    void add_velocity(const RodRows& by);

    double energy() const;  ///< elastic, kinetic and of gravity [J]
    const RodReport& report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// All rods by one step, side by side. The same bytes for any number of threads.
void step_rods(std::span<RodStepper> rods, double seconds);

}  // namespace clangor
