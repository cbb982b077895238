/// @file material.hpp — measured constants of solids, and how modes decay in them.
/// Model     isotropic linear elasticity; a loss factor η(f), or damping αM + βK + γMK⁺M: ξ = ½(η + α/ω + βω + γ/ω³);
///           in metals also what heat takes that flows across a bent wall               docs/theory/damping.md
/// Out       Material: vibration reads stiffness, mass and decay from it.
/// Not here  reading materials from files (io), what two materials do to each other (motion).
///
///     const Material steel = *find_material("steel");
///     const double xi = damping_ratio(steel.damping, 2 * pi * 440);
#pragma once

#include <clangor/core/core.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clangor {

/// A loss factor that was measured at a frequency.
struct LossPoint {
    double hz = 0;
    double loss_factor = 0;
};

/// One of three: C = αM + βK + γ M K⁺ M, of which the first two are Rayleigh's and the third damps low modes
/// [Chadwick2012, §5]; a loss factor η = 2ξ for all frequencies; or a table of them.
struct Damping {
    double alpha = 0;                    ///< [1/s]
    double beta = 0;                     ///< [s]
    double gamma = 0;                    ///< [1/s³]
    double loss_factor = 0;              ///< η, of every mode
    std::vector<LossPoint> losses = {};  ///< η(f), frequencies ascending; between them a power law, beyond them level
};

/// What heat needs to know of a material. Zero: heat takes nothing of its vibration.
struct Thermal {
    double expansion = 0;      ///< linear [1/K]
    double heat_capacity = 0;  ///< at constant pressure [J/(kg K)]
    double conductivity = 0;   ///< [W/(m K)]
};

struct Material {
    std::string name = {};
    double density = 0;  ///< [kg/m³]
    double young = 0;    ///< Young's modulus [Pa]
    double poisson = 0;  ///< Poisson's ratio, in (−1, 0.5)
    Damping damping = {};
    std::string source = {};   ///< where the values come from
    double friction = 0.5;     ///< Coulomb's coefficient on itself
    double restitution = 0.6;  ///< of a ball on a block of the same, at about 1 m/s; 0 to 1
    Thermal thermal = {};
};

/// All built-in materials, in the order in which they should be listed.
std::span<const Material> material_library();

/// The built-in material of that name or common other name ("aluminum"); letter case does not matter, and a space or
/// hyphen stands for an underscore.
std::optional<Material> find_material(std::string_view name);

/// The built-in materials that such a word may stand for: "wood", "wooden", "hardwood". Empty for a word that is no
/// family.
std::vector<std::string> materials_of_family(std::string_view word);

/// Everything that is wrong with it, one sentence each ("density must be positive, but is -1 kg/m³").
std::vector<std::string> problems_of(const Material& material);

/// Fraction of critical damping of a mode at ω [rad/s]: ξ = ½(η + α/ω + βω + γ/ω³).
double damping_ratio(const Damping& damping, double omega);

/// The loss factor that heat gives a wall of this thickness [m] that bends at ω [rad/s], at 20 °C: it flows from the
/// side that is pressed to the side that is stretched [Zener1938]. 0 for materials without thermal constants.
double thermoelastic_loss(const Material& material, double thickness, double omega);

/// Seconds in which a mode of this frequency decays by 60 dB; infinite without damping.
double decay_time(const Damping& damping, double hz);
}  // namespace clangor
