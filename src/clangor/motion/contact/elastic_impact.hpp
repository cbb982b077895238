// An impact with the bodies in the loop: they move as a whole and by their modes while Hertz's contacts press them
// apart.
#pragma once

#include <clangor/core/core.hpp>

#include <vector>

namespace clangor {

/// One place where two bodies meet. Distances and speeds are along its normal.
struct ElasticContact {
    double stiffness = 0;  ///< K of F = K δ^{3/2} [N/m^{3/2}]
    double approach = 0;   ///< closing speed of the two bodies as they begin, as rigid ones [m/s]
    double gap = 0;        ///< still between them then [m]
    double loss = 0;       ///< χ of F = K δ^{3/2} (1 + χ δ̇) [s/m]
    /// Y of the modes that are not listed, together: a resistance 1/Y above `corner`, a spring below it. 0: none
    /// [m/(N·s)].
    double mobility = 0;
    double corner = 0;  ///< about the highest listed ω; 0: a resistance at all frequencies [rad/s]
};

/// The modes of one body.
struct ImpactModes {
    Eigen::VectorXd omega;  ///< > 0 [rad/s]
    Eigen::VectorXd xi;     ///< in [0, 1)
    /// Contacts × modes: how far a mode's unit coordinate moves the body there along the force that it receives.
    Eigen::MatrixXd shapes;  ///< [kg^-1/2]
    /// How they ring as it begins; empty: not at all [m·kg^½] and [m·kg^½/s].
    Eigen::VectorXd q = {}, q_dot = {};
};

/// All contacts that a few bodies have at one moment. At least one.
struct ElasticImpact {
    std::vector<ElasticContact> contacts;
    /// Closing acceleration of contact i per force at contact j, of all bodies as rigid ones [1/kg].
    Eigen::MatrixXd inverse_mass;
    /// How fast contact i gives way per force at contact j, of what carries all of them and keeps what it takes, as a
    /// plate without an end does: symmetric, no negative eigenvalue; empty: it is rigid [m/(N·s)].
    Eigen::MatrixXd floor_mobility = {};
    std::vector<ImpactModes> bodies = {};
    /// How far its beginning may be put back where bodies that ring reach into each other [s].
    double earlier = 0;
    double longest = 0.05;           ///< after which whatever still goes on is left to the next impact [s]
    double steps_per_contact = 100;  ///< in the time that rigid bodies would touch
    bool keeps_histories = false;    ///< of its pulses
};

/// A force over time: constant over steps of one length.
struct ForceHistory {
    double start = 0, step = 0;       ///< [s]
    std::vector<double> forces = {};  ///< [N]
};

/// A contact from closing to opening.
struct ForcePulse {
    double start = 0, end = 0;  ///< [s]
    double impulse = 0;         ///< [N·s]
    double peak = 0;            ///< [N]
    double centre = 0;          ///< ∫ t F dt/∫ F dt [s]
    double width = 0;           ///< standard deviation about the centre [s]
    ForceHistory history = {};  ///< where it is asked for
};

/// What came of an impact.
struct ElasticResult {
    std::vector<std::vector<ForcePulse>> pulses;  ///< per contact, by time
    Eigen::VectorXd impulses;                     ///< per contact, of all its pulses [N·s]
    Eigen::VectorXd separation;                   ///< per contact: speed of opening, of the bodies as rigid ones [m/s]
    std::vector<Eigen::VectorXd> q, q_dot;        ///< per body: its modes at `duration` [m·kg^½] and [m·kg^½/s]
    std::vector<double> modal_energy;             ///< per body, gained until `duration` [J]
    double contact_loss = 0;                      ///< by χ [J]
    double further_energy = 0;                    ///< that the modes which are not listed took [J]
    double floor_energy = 0;                      ///< that the floor took [J]
    double rigid_change = 0;  ///< of the bodies' kinetic energy as rigid ones; with the four above it adds up to 0 [J]
    double duration = 0;      ///< [s]
    bool has_parted = false;  ///< no mode can close a gap again; otherwise `longest` has passed
};

/// Where the modes that ring already hold two bodies inside each other, it begins so much earlier that they do not; and
/// where that is further back than it may be, with bodies that just touch. Energy is kept to rounding for any step;
/// times are right to the second order in it   docs/theory/contact.md, section 5.
ElasticResult follow(const ElasticImpact& impact);

}  // namespace clangor
