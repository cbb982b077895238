// The built-in constants as they were looked up.
#pragma once

#include <span>
#include <string_view>

namespace clangor {

struct MaterialRow {
    std::string_view name;
    std::string_view family;   ///< what people call it who do not know its name: "metal", "wood"
    double density;            ///< [kg/m³]
    double young;              ///< [Pa]
    double poisson;            ///< along the grain for wood: how much a rod thins where it is stretched
    double loss_factor;        ///< η = 2ξ, of the material alone
    std::string_view elastic;  ///< where density, Young's modulus and Poisson's ratio come from
    std::string_view loss;     ///< where η comes from, and whether it was measured
};

/// How a material meets itself.
struct FrictionRow {
    std::string_view name;
    double friction;     ///< kinetic, dry
    double restitution;  ///< of a ball on a block, at about 1 m/s
};

/// What heat does in a metal.
struct ThermalRow {
    std::string_view name;
    double expansion;      ///< linear, at 20 to 25 °C [1/K]
    double heat_capacity;  ///< [J/(kg K)]
    double conductivity;   ///< [W/(m K)]
    std::string_view source;
};

struct MaterialAlias {
    std::string_view alias, name;
};

std::span<const MaterialRow> material_rows();
std::span<const FrictionRow> friction_rows();  ///< in the order of material_rows
std::span<const ThermalRow> thermal_rows();    ///< of metals only
std::span<const MaterialAlias> material_aliases();

}  // namespace clangor
