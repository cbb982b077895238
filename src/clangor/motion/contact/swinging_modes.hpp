// How the modes of all bodies of an impact swing, in steps. Internal to motion/contact.
#pragma once

#include <clangor/motion/contact/elastic_impact.hpp>

namespace clangor {

/// Each mode by p = ω q and w = (ω/ω_d)(q̇ + ξω q): without a force a step turns (p, w) and shrinks it, whatever the
/// losses are. The modes of all bodies stand in one row, filled up with silent ones   docs/theory/contact.md, Eq. 10.
struct SwingingModes {
    Eigen::ArrayXd omega, damped, lag;  ///< ω, ω_d [rad/s] and ξω/ω_d
    Eigen::ArrayXd p, w;                ///< [m·kg^½/s]
    std::vector<Eigen::ArrayXd> reach;  ///< per contact: u/ω, so that a mode moves it by u q = (u/ω) p [kg^-½ s]
    std::vector<long> first_of;         ///< per body, and behind the last
    bool is_damped = false;
};

SwingingModes swinging(const ElasticImpact& impact);

/// What steps do to modes that are left alone, for a length and twice, four times … as much.
struct Turns {
    double h = 0;  ///< [s]
    struct Turn {
        Eigen::ArrayXd cosine, sine;  ///< times what is left of the mode
    };
    std::vector<Turn> doubled = {};                   ///< of h · 2^i, made when they are first asked for
    Eigen::ArrayXd given_to_p = {}, given_to_w = {};  ///< by a constant force during h, per (u/ω) F
};

/// ω_d h may be π/2 at most.
Turns turns(const SwingingModes& modes, double h);

/// h · 2^doublings without forces.
void swing(SwingingModes& modes, Turns& turns, int doublings);

/// What constant forces, one per contact, add to the step h that has just been made.
void push(SwingingModes& modes, const Turns& turns, const double* forces);

/// By how much all modes together move a contact's place along the force on it [m].
double moved(const SwingingModes& modes, std::size_t contact);

/// By how much a constant force at `second` during h moves the place of `first`, per unit of force [m/N].
double compliance(const SwingingModes& modes, const Turns& turns, std::size_t first, std::size_t second);

/// How far and how fast the modes can move a contact's place, whatever their phases.
struct SwingLimits {
    double distance = 0, speed = 0;
};
SwingLimits swing_limits(const SwingingModes& modes, std::size_t contact);

/// The same modes so much earlier, as they would have swung without losses.
SwingingModes set_back(const SwingingModes& modes, double seconds);

/// Per body of the impact, as they came in.
std::vector<Eigen::VectorXd> coordinates(const SwingingModes& modes);
std::vector<Eigen::VectorXd> velocities(const SwingingModes& modes);
std::vector<double> energies(const SwingingModes& modes);

}  // namespace clangor
