// Frequencies of bodies that are held, meshed and solved with default settings.
#include <clangor/validation/cases.hpp>

#include <clangor/objects/solid/solid.hpp>

#include <fmt/format.h>

namespace clangor::validation {
namespace {

const Material held_steel{"steel", 7850, 200e9, 0.3, {}, ""};

using scene::Side;
using scene::Support;
using scene::SupportKind;

Eigen::VectorXd held_hz(const Shape& shape, std::vector<Support> supports, int modes, const Progress& progress) {
    const scene::SolidOptions options{.min_hz = 5, .max_modes = modes, .supports = std::move(supports)};
    return bake_solid("body", clean(surface_of(shape)), held_steel, options, progress).omega / (2 * pi);
}

struct Expected {
    std::string what;
    long place;  // in the list of modes
    double hz;
};

void compare_at(Case& result, const std::vector<Expected>& expected, const Eigen::VectorXd& found_hz) {
    for (const Expected& row : expected)
        result.rows.push_back(
            {row.what, row.hz, row.place < found_hz.size() ? found_hz[row.place] : std::nan(""), 0.01, "Hz"});
}

// f = β² √(E/12ρ) h/(2πL²)
double euler_bernoulli_hz(double beta_sq, double length, double thickness) {
    return beta_sq * std::sqrt(held_steel.young / (12 * held_steel.density)) * thickness / (2 * pi * square(length));
}

}  // namespace

Case supports_case(const Progress& progress) {
    Case result{.name = "supports",
                .title = "Bars and plates of steel that are clamped, pinned or lie on felt",
                .source =
                    "Euler–Bernoulli for the ruler; Timoshenko's beam with Cowper's shear coefficient, roots of its "
                    "transfer matrix to 1e-10, for bars; [Leissa1969] for the plates; a rigid body on "
                    "springs for felt"};
    // 100 of its 300 mm lie on the bench. Edgewise bending and torsion come between.
    const Support bench{.kind = SupportKind::Clamped, .side = Side::LowX, .depth = 0.1};
    compare_at(result,
               {{"ruler 300×12×1 mm, 200 mm free: bending 1", 0, euler_bernoulli_hz(3.516015, 0.2, 0.001)},
                {"ruler, bending 2", 1, euler_bernoulli_hz(22.034492, 0.2, 0.001)},
                {"ruler, bending 3", 3, euler_bernoulli_hz(61.697214, 0.2, 0.001)}},
               held_hz(Box{{0.3, 0.001, 0.012}}, {bench}, 6, progress));

    const Box bar{{0.2, 0.01, 0.02}};
    compare_at(result,
               {{"bar 200×20×10 mm, clamped–free: bending 1, thin", 0, 203.445897},
                {"clamped–free, bending 1, wide", 1, 404.529242},
                {"clamped–free, bending 2, thin", 2, 1260.336394},
                {"clamped–free, bending 2, wide", 3, 2425.970995}},
               held_hz(bar, {{.kind = SupportKind::Clamped, .side = Side::LowX}}, 4, progress));

    // Hinges along the wide edge leave the bar free to bend in its thin direction only.
    compare_at(
        result,
        {{"the same bar, pinned at both ends: bending 1, thin", 0, 569.832173},
         {"pinned, bending 2, thin", 1, 2251.743639},
         {"pinned, bending 3, thin", 3, 4968.875333}},
        held_hz(bar,
                {{.kind = SupportKind::Pinned, .side = Side::LowX}, {.kind = SupportKind::Pinned, .side = Side::HighX}},
                4, progress));

    // λ = ωa²√(ρh/D) [Leissa1969, Table 2.1]: n nodal diameters, s nodal circles.
    const double radius = 0.1, thickness = 0.002;
    const double rigidity = held_steel.young * cube(thickness) / (12 * (1 - square(held_steel.poisson)));
    const double scale = std::sqrt(rigidity / (held_steel.density * thickness)) / square(radius) / (2 * pi);
    const std::string plate = "plate of radius 100 mm, 2 mm thick, clamped rim: ";
    compare_at(result,
               {{plate + "n = 0", 0, 10.2158 * scale},
                {plate + "n = 1", 1, 21.26 * scale},
                {plate + "n = 1, its twin", 2, 21.26 * scale},
                {plate + "n = 2", 3, 34.88 * scale},
                {plate + "n = 2, its twin", 4, 34.88 * scale},
                {plate + "n = 0, s = 1", 5, 39.771 * scale}},
               held_hz(Cylinder{radius, thickness},
                       {{.kind = SupportKind::Clamped, .at = Vec3::Zero(), .beyond = 0.9995 * radius}}, 6, progress));

    // λ = π²(m² + n²), Navier's solution; shear and edges that may twist take 0.6 % of it in a plate of 1:50.
    const double side = 0.2, height = 0.004;
    const double navier = square(pi / side) / (2 * pi) *
                          std::sqrt(held_steel.young / (12 * held_steel.density * (1 - square(held_steel.poisson)))) *
                          height;
    const auto pinned = [](Side at) { return Support{.kind = SupportKind::Pinned, .side = at}; };
    compare_at(
        result,
        {{"plate 200×200×4 mm, pinned all around: 1, 1", 0, 2 * navier},
         {"pinned plate: 2, 1", 1, 5 * navier},
         {"pinned plate: 1, 2", 2, 5 * navier}},
        held_hz(Plate{side, side, height},
                {pinned(Side::LowX), pinned(Side::HighX), pinned(Side::LowZ), pinned(Side::HighZ)}, 3, progress));

    // m ω² = Σ k A. The bar rocks, slides and turns more slowly; its first bending mode is 45 times as high.
    const double stiffness = 1e8, pad = 0.004, mass = 0.2 * 0.01 * 0.02 * held_steel.density;
    const auto cord = [&](double x) {
        return Support{.kind = SupportKind::Felt, .at = Vec3(x, -0.005, 0), .radius = pad, .stiffness = stiffness};
    };
    compare_at(result,
               {{"bar on two felts: it bounces", 5, std::sqrt(2 * stiffness * pi * square(pad) / mass) / (2 * pi)},
                {"bar on two felts: free bending 1, thin", 6, 1285.9501}},
               held_hz(bar, {cord(-0.0552), cord(0.0552)}, 7, progress));
    return result;
}

}  // namespace clangor::validation
