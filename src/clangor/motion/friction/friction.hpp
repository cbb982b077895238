/// @file friction.hpp — impulses of many contacts over one step, with Coulomb's friction as a round cone.
/// Model     u = W r + b; per contact r_N ≥ 0, u_N + c r_N ≥ target, one of the two an equality; |r_T| ≤ µ r_N, and
///           where it slides r_T = −µ r_N u_T/|u_T|                                docs/theory/rod-contact.md
/// In        velocities that there would be without contact, how impulses change them, a friction coefficient each.
/// Out       impulses, velocities after them, and how far they are from the law.
/// Not here  who touches whom (geometry), what impulses do to a rod (vibration/rod_contact) or a body.
///
///     FrictionProblem problem{.contacts = {{.friction = 0.5}}, .free_velocity = {Vec3(-1, 0.2, 0)}};
///     problem.response = response_of(1, {{.row = 0, .column = 0, .block = Mat3::Identity()}});
///     const FrictionSolution solution = solve_friction(problem);
///     const Vec3 stops = solution.impulses[0];  // (1, −0.2, 0): it sticks
#pragma once

#include <clangor/core/core.hpp>

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace clangor {

/// Two orthogonal unit vectors across a unit normal, as columns 1 and 2; column 0 is the normal. Velocities and
/// impulses of a contact have their components along these: the normal one first, positive where the two part.
Mat3 contact_frame(const Vec3& normal);

/// Where two things touch over one step.
struct FrictionalContact {
    double friction = 0;    ///< µ ≥ 0
    double target = 0;      ///< the normal velocity that the step must not end below, with compliance 0 [m/s]
    double compliance = 0;  ///< c ≥ 0: how far it may end below per impulse [1/kg]
};

/// How the impulse of one contact changes the velocity of another, or its own.
struct ResponseBlock {
    int row = -1, column = -1;  ///< contacts: the velocity of `row` by the impulse of `column`
    Mat3 block = Mat3::Zero();  ///< [1/kg]
};

/// W, symmetric and without negative eigenvalues, as rows of 3×3 blocks in order of their columns.
struct ContactResponse {
    std::vector<int> starts = {0};  ///< row i has the blocks from starts[i] to below starts[i + 1]
    std::vector<int> columns = {};
    std::vector<Mat3> blocks = {};  ///< [1/kg]
    long contacts() const { return long(starts.size()) - 1; }
};

/// Blocks of the same place are added. Both halves of W are to be given; every contact needs a block of its own.
ContactResponse response_of(long contacts, std::vector<ResponseBlock> blocks);

struct FrictionProblem {
    std::vector<FrictionalContact> contacts = {};
    ContactResponse response = {};
    std::vector<Vec3> free_velocity = {};  ///< b, in the contacts' frames [m/s]
};

struct FrictionOptions {
    double tolerance = 1e-9;  ///< of the residual
    double least_speed = 0;   ///< the residual is measured by this speed where all are slower [m/s]
    int max_sweeps = 500;     ///< over all contacts
};

struct FrictionSolution {
    std::vector<Vec3> impulses = {};    ///< r, in the contacts' frames [N·s]
    std::vector<Vec3> velocities = {};  ///< u after them [m/s]
    double residual = 0;                ///< the largest contact_residual, over the largest free speed or least_speed
    int sweeps = 0;                     ///< the most that one group of contacts took
    bool converged = true;
};

/// `start`: impulses to begin with, those of the last step for contacts that last; none: zero. Contacts that do not
/// feel each other are solved side by side. The same bytes for any number of threads. A solution that has not converged
/// is that with the smallest residual met.
FrictionSolution solve_friction(const FrictionProblem& problem, const FrictionOptions& options = {},
                                std::span<const Vec3> start = {});

/// W r for impulses of all contacts, by whoever knows it exactly: the solution of a rod's banded equations.
using ExactResponse = std::function<std::vector<Vec3>(std::span<const Vec3> impulses)>;

/// The same where problem.response leaves out what is small: it is asked for again until it holds.
FrictionSolution solve_friction(const FrictionProblem& problem, const ExactResponse& response,
                                const FrictionOptions& options = {}, std::span<const Vec3> start = {});

namespace friction {

/// Of an iteration x → g(x): the mix of the last few g whose steps g(x) − x cancel best in the least squares
/// [Walker2011, Algorithm AA].
class Extrapolation {
public:
    explicit Extrapolation(int depth) : depth_(depth) {}

    /// None while there is too little to go by.
    std::optional<Eigen::VectorXd> next(const Eigen::VectorXd& x, const Eigen::VectorXd& g);
    void forget();

private:
    int depth_ = 0, count_ = 0;
    Eigen::VectorXd last_step_, last_g_;
    Eigen::MatrixXd step_changes_, g_changes_;  // one column each, the oldest overwritten
    Eigen::MatrixXd gram_;                      // of the changes of steps
};

}  // namespace friction

/// The impulse of a contact that meets nobody else: u = W r + b. Exact to rounding for every symmetric positive W.
Vec3 contact_impulse(const FrictionalContact& contact, const Mat3& W, const Vec3& b);

/// How far a contact is from its law: 0 where it holds [m/s]. `inverse_mass` is of the contact by itself, such as the
/// largest diagonal element of its W [1/kg].
double contact_residual(const FrictionalContact& contact, const Vec3& impulse, const Vec3& velocity,
                        double inverse_mass);

}  // namespace clangor
