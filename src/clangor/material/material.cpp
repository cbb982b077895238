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
    return {.name = std::string(row.name),
            .density = row.density,
            .young = row.young,
            .poisson = row.poisson,
            .damping = damping_of(row.loss_factor),
            .source = fmt::format("{}; {}; α and β fitted to η at 1 and 4 kHz", row.elastic, row.loss),
            .friction = contact.friction,
            .restitution = contact.restitution};
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
    if (value < 0) return fmt::format("{} must not be negative, but is {} {}", what, value, unit);
    return {};
}

// At ν = ½ the volume cannot change and the stiffness is infinite; at ν = −1 the shape cannot.
std::string inside_poisson(double value) {
    if (value > -1.0 && value < 0.5) return {};
    return fmt::format("poisson must be in (-1, 0.5), but is {}", value);
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
    };
    std::erase(problems, std::string());
    return problems;
}

double damping_ratio(const Damping& damping, double omega) {
    return 0.5 * (damping.alpha / omega + damping.beta * omega + damping.gamma / cube(omega));
}

double decay_time(const Damping& damping, double hz) {
    const double omega = 2 * pi * hz;
    const double rate = damping_ratio(damping, omega) * omega;  // amplitude falls as e^{−ξωt}
    return rate > 0 ? std::log(1000.0) / rate : std::numeric_limits<double>::infinity();
}

// 2ξ = α/ω + βω = η at ω₁ and ω₂  ⇒  β = η/(ω₁+ω₂),  α = ηω₁ω₂/(ω₁+ω₂).
// Two taps cannot hold η level: it dips to 0.8η at 2 kHz and doubles at 417 Hz and 9.6 kHz. That is the right side to
// err on: supports drain low modes and radiation drains high ones, which η of the bare material leaves out.
Damping damping_of(double loss_factor) {
    const double omega_1 = 2 * pi * 1000;
    const double omega_2 = 2 * pi * 4000;
    return {.alpha = loss_factor * omega_1 * omega_2 / (omega_1 + omega_2), .beta = loss_factor / (omega_1 + omega_2)};
}

}  // namespace clangor
