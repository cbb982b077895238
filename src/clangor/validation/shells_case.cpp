// Frequencies of free plates and shells, and how they converge.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/exact_shells.hpp>
#include <clangor/validation/shell_meshes.hpp>

#include <clangor/vibration/shell/shell.hpp>

#include <fmt/format.h>

namespace clangor::validation {
namespace {

Material shell_steel(double poisson) { return {"steel", 7800, 200e9, poisson, {}, ""}; }

const std::vector<std::pair<Grid, std::string>> grids = {
    {Grid::OneDiagonal, "one diagonal"}, {Grid::Alternating, "alternating"}, {Grid::Irregular, "irregular"}};

// Errors of the first ten frequencies, relative to those given; NaN for one that was not found.
Eigen::ArrayXd ten_errors(const ThinShell& shell, const Material& material, const TenModes& hz) {
    const Modes modes =
        vibration_modes(assemble(shell, material), {.min_hz = hz[0] / 2, .max_hz = 4 * hz[9], .max_count = 10});
    Eigen::ArrayXd errors = Eigen::ArrayXd::Constant(10, std::nan(""));
    for (long i = 0; i < modes.omega.size(); ++i) errors[i] = modes.omega[i] / (2 * pi) / hz[size_t(i)] - 1;
    return errors;
}

// A row per mode and mesh, twins in one line of the table, and the worst of all meshes in the plot.
class ModeTable {
public:
    ModeTable(Case& result, std::string body, const TenModes& hz)
        : result_(&result), body_(std::move(body)), hz_(hz), worst_(Eigen::ArrayXd::Zero(10)) {}

    void add(const Eigen::ArrayXd& errors, const std::string& mesh) {
        for (size_t i = 0; i < 10; ++i) {
            const bool twin_before = i > 0 && hz_[i - 1] == hz_[i], twin_after = i < 9 && hz_[i + 1] == hz_[i];
            const std::string modes = twin_before  ? fmt::format("modes {}, {}", i, i + 1)
                                      : twin_after ? fmt::format("modes {}, {}", i + 1, i + 2)
                                                   : fmt::format("mode {}", i + 1);
            const double error = errors[long(i)];
            result_->rows.push_back(
                {fmt::format("{}: {} ({})", body_, modes, mesh), hz_[i], hz_[i] * (1 + error), 0.01, "Hz"});
            if (!(std::abs(error) <= std::abs(worst_[long(i)]))) worst_[long(i)] = error;
        }
    }

    Curve curve() const {
        Curve curve{.label = body_, .x = {}, .y = {}, .style = CurveStyle::Marks};
        for (long i = 0; i < 10; ++i) {
            curve.x.push_back(double(i + 1));
            curve.y.push_back(100 * worst_[i]);
        }
        return curve;
    }

private:
    Case* result_;
    std::string body_;
    TenModes hz_;
    Eigen::ArrayXd worst_;
};

// Plates of 1 m. kh = 0.02 at most: what Kirchhoff leaves out takes 1e-5 off.
void add_plates(Case& result, Plot& errors) {
    for (const ExactPlate& plate : free_squares) {
        const Material material = shell_steel(plate.poisson);
        const TenModes hz = plate_hz(plate.lambda, 1, 0.002, material);
        const int cells = plate.poisson > 0.4 ? 12 : 8;
        ModeTable table(result, fmt::format("square, ν = {:g}", plate.poisson), hz);
        for (const auto& [grid, name] : grids)
            table.add(ten_errors(of_thickness(unit_square(cells, grid), 0.002), material, hz), name);
        errors.curves.push_back(table.curve());
    }
    for (const ExactPlate& plate : free_discs) {
        const Material material = shell_steel(plate.poisson);
        const TenModes hz = plate_hz(plate.lambda, 1, 0.004, material);
        ModeTable table(result, fmt::format("disc, ν = {:g}", plate.poisson), hz);
        table.add(ten_errors(of_thickness(disc(8), 0.004), material, hz), "rings");
        errors.curves.push_back(table.curve());
    }
}

void add_curved_shells(Case& result, Plot& errors) {
    const Material material = shell_steel(0.3);
    ModeTable tube(result, "cylinder", free_cylinder_hz);
    for (const auto& [grid, name] : grids)
        tube.add(ten_errors(of_thickness(cylinder(64, 12, 0.1, 0.1, grid), 0.001), material, free_cylinder_hz), name);
    ModeTable hemisphere(result, "hemisphere", free_hemisphere_hz);
    hemisphere.add(ten_errors(of_thickness(spherical_cap(20, 0.1, pi / 2), 0.002), material, free_hemisphere_hz),
                   "rings");
    ModeTable cap(result, "cap of 60°", free_cap_hz);
    cap.add(ten_errors(of_thickness(spherical_cap(16, 0.1, pi / 3), 0.001), material, free_cap_hz), "rings");
    for (const ModeTable* table : {&tube, &hemisphere, &cap}) errors.curves.push_back(table->curve());
}

// A square of 1 cm of foil, 1 µm thick: twist along the edges, which Kirchhoff leaves out, takes 4e-5 off.
void add_convergence(Case& result, Plot& convergence) {
    constexpr double side = 0.01, thickness = 1e-6;
    const Material material = shell_steel(0.3);
    const TenModes hz = plate_hz(free_squares[1].lambda, side, thickness, material);
    Curve second{.label = "second order", .x = {8, 32}, .y = {}, .style = CurveStyle::Band};
    for (const auto& [grid, name] : grids) {
        Curve curve{.label = name, .x = {}, .y = {}};
        for (const int cells : {8, 16, 32}) {
            Surface plate = unit_square(cells, grid);
            plate.vertices *= side;
            const double rms = std::sqrt(ten_errors(of_thickness(plate, thickness), material, hz).square().mean());
            curve.x.push_back(cells);
            curve.y.push_back(rms);
        }
        // From 8 to 32 cells, two halvings.
        result.bounds.push_back({fmt::format("order of convergence of the square's modes, {}", name),
                                 0.5 * std::log2(curve.y.front() / curve.y.back()), 1.8, true});
        if (second.y.empty()) second.y = {curve.y.front(), curve.y.front() / 16};
        convergence.curves.push_back(std::move(curve));
    }
    convergence.curves.insert(convergence.curves.begin(), std::move(second));
}

}  // namespace

Case shells_case(const Progress& progress) {
    Case result{
        .name = "shells",
        .title = "Free plates and shells of steel, the first ten modes",
        .source =
            "Kirchhoff's plate, by a Ritz solution converged to 5e-8 (square, [Leissa1969] to more digits) and by "
            "roots of Bessel functions (disc); three-dimensional elasticity, converged to 1e-5 (cylinder, "
            "hemisphere, cap)",
        .settings =
            "square and disc of 1 m, thin; cylinder R = L = 100 mm, 1 mm; hemisphere R = 100 mm, 2 mm; cap R = 100 mm, "
            "1 mm. Squares of 8×8 cells (ν = 0.45: 12×12) and cylinders of 64×12, each with one diagonal, with "
            "alternating diagonals and irregular; discs of 8 rings, hemisphere 20, cap 16"};
    Plot errors{.title = "error of the first ten modes, worst of all meshes",
                .x_label = "mode",
                .y_label = "error [%]; allowed: 1 %"},
        convergence{.title = "square, ν = 0.3: order of convergence",
                    .x_label = "cells per side",
                    .y_label = "rms error of ten modes",
                    .log_x = true,
                    .log_y = true};
    add_plates(result, errors);
    progress("shells", 0.3);
    add_curved_shells(result, errors);
    progress("shells", 0.6);
    add_convergence(result, convergence);
    result.plots = {std::move(errors), std::move(convergence)};
    return result;
}

}  // namespace clangor::validation
