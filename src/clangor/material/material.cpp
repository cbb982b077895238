#include <fmt/format.h>
#include <clangor/material/material.hpp>
#include <clangor/material/material_tables.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor {
namespace {

Material material_of(const MaterialRow& row, const FrictionRow& contact) {
    CLANGOR_ASSERT(row.name == contact.name, "both tables have the same order");
    const auto heat = std::ranges::find(thermal_rows(), row.name, &ThermalRow::name);
    const bool has_heat = heat != thermal_rows().end();
    return {.name = std::string(row.name),
            .density = row.density,
            .young = row.young,
            .poisson = row.poisson,
            .damping = {.loss_factor = row.loss_factor},
            .source = fmt::format("{}; {}{}", row.elastic, row.loss,
                                  has_heat ? fmt::format("; thermal: {}", heat->source) : ""),
            .friction = contact.friction,
            .restitution = contact.restitution,
            .thermal = has_heat ? Thermal{heat->expansion, heat->heat_capacity, heat->conductivity} : Thermal{}};
}

std::vector<Material> built_in() {
    std::vector<Material> materials;
    for (size_t i = 0; i < material_rows().size(); ++i)
        materials.push_back(material_of(material_rows()[i], friction_rows()[i]));
    return materials;
}

// "Stainless Steel" and "stainless-steel" both mean stainless_steel.
std::string canonical(std::string_view name) {
    std::string result(name);
    for (char& c : result) {
        if (c == ' ' || c == '-') c = '_';
        if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

std::string positive(std::string_view what, double value, std::string_view unit) {
    if (!std::isfinite(value)) return fmt::format("{} must be a finite number, but is {}", what, value);
    if (value <= 0) return fmt::format("{} must be positive, but is {} {}", what, value, unit);
    return {};
}

std::string not_negative(std::string_view what, double value, std::string_view unit) {
    if (!std::isfinite(value)) return fmt::format("{} must be a finite number, but is {}", what, value);
    if (value < 0)
        return fmt::format("{} must not be negative, but is {}{}{}", what, value, unit.empty() ? "" : " ", unit);
    return {};
}

// At ν = ½ the volume cannot change and the stiffness is infinite; at ν = −1 the shape cannot.
std::string inside_poisson(double value) {
    if (value > -1.0 && value < 0.5) return {};
    return fmt::format("poisson must be in (-1, 0.5), but is {}", value);
}

// Two descriptions of one thing contradict each other, even where they would agree.
std::string one_damping(const Damping& damping) {
    const int kinds = int(damping.alpha != 0 || damping.beta != 0 || damping.gamma != 0) +
                      int(damping.loss_factor != 0) + int(!damping.losses.empty());
    if (kinds <= 1) return {};
    return "damping is given twice; give α, β and γ, or a loss factor, or a table of loss factors";
}

std::string good_table(const std::vector<LossPoint>& losses) {
    for (std::size_t i = 0; i < losses.size(); ++i) {
        if (!(losses[i].hz > 0) || !std::isfinite(losses[i].hz))
            return fmt::format("frequencies of loss factors must be positive, but one is {} Hz", losses[i].hz);
        if (!(losses[i].loss_factor > 0) || !std::isfinite(losses[i].loss_factor))
            return fmt::format("loss factors must be positive, but the one at {} Hz is {}", losses[i].hz,
                               losses[i].loss_factor);
        if (i > 0 && !(losses[i].hz > losses[i - 1].hz))
            return fmt::format("frequencies of loss factors must ascend, but {} Hz follows {} Hz", losses[i].hz,
                               losses[i - 1].hz);
    }
    return {};
}

// Straight in log η over log f, as loss factors are drawn; level beyond the ends, since nothing is known there.
double loss_between(const std::vector<LossPoint>& losses, double hz) {
    if (hz <= losses.front().hz) return losses.front().loss_factor;
    if (hz >= losses.back().hz) return losses.back().loss_factor;
    const auto above = std::ranges::upper_bound(losses, hz, {}, &LossPoint::hz);
    const LossPoint &a = *(above - 1), &b = *above;
    const double share = std::log(hz / a.hz) / std::log(b.hz / a.hz);
    return a.loss_factor * std::pow(b.loss_factor / a.loss_factor, share);
}

}  // namespace

std::span<const Material> material_library() {
    static const std::vector<Material> materials = built_in();
    return materials;
}

std::vector<std::string> materials_of_family(std::string_view word) {
    const std::string wanted = canonical(word);
    std::vector<std::string> names;
    for (const MaterialRow& row : material_rows())
        if (wanted.starts_with(row.family) || wanted.ends_with(row.family)) names.emplace_back(row.name);
    return names;
}

std::optional<Material> find_material(std::string_view name) {
    std::string wanted = canonical(name);
    for (const MaterialAlias& alias : material_aliases()) {
        if (alias.alias == wanted) wanted = alias.name;
    }
    const std::span<const Material> library = material_library();
    const auto found = std::ranges::find(library, wanted, &Material::name);
    if (found == library.end()) return std::nullopt;
    return *found;
}

std::vector<std::string> problems_of(const Material& material) {
    const Damping& damping = material.damping;
    std::vector<std::string> problems = {
        positive("density", material.density, "kg/m³"),
        positive("young", material.young, "Pa"),
        inside_poisson(material.poisson),
        not_negative("damping alpha", damping.alpha, "1/s"),
        not_negative("damping beta", damping.beta, "s"),
        not_negative("damping gamma", damping.gamma, "1/s³"),
        not_negative("loss_factor", damping.loss_factor, ""),
        good_table(damping.losses),
        one_damping(damping),
        not_negative("thermal expansion", material.thermal.expansion, "1/K"),
        not_negative("heat capacity", material.thermal.heat_capacity, "J/(kg K)"),
        not_negative("conductivity", material.thermal.conductivity, "W/(m K)"),
    };
    std::erase(problems, std::string());
    return problems;
}

double damping_ratio(const Damping& damping, double omega) {
    const double rayleigh = damping.alpha / omega + damping.beta * omega + damping.gamma / cube(omega);
    const double eta = damping.losses.empty() ? damping.loss_factor : loss_between(damping.losses, omega / (2 * pi));
    return 0.5 * (rayleigh + eta);
}

// η = Δ ωτ/(1 + ω²τ²),   Δ = E α_T² T/(ρ c_p),   τ = h² ρ c_p/(π² κ)               docs/theory/damping.md, Eq. 4
double thermoelastic_loss(const Material& material, double thickness, double omega) {
    const Thermal& heat = material.thermal;
    if (!(heat.expansion > 0 && heat.heat_capacity > 0 && heat.conductivity > 0 && thickness > 0)) return 0;
    constexpr double room = 293.15;  // [K]
    const double per_volume = material.density * heat.heat_capacity;
    const double relaxed = material.young * square(heat.expansion) * room / per_volume;
    const double omega_tau = omega * square(thickness) * per_volume / (square(pi) * heat.conductivity);
    return relaxed * omega_tau / (1 + square(omega_tau));
}

double decay_time(const Damping& damping, double hz) {
    const double omega = 2 * pi * hz;
    const double rate = damping_ratio(damping, omega) * omega;  // amplitude falls as e^{−ξωt}
    return rate > 0 ? std::log(1000.0) / rate : std::numeric_limits<double>::infinity();
}

}  // namespace clangor
