// Sound fields of a bowl's modes: two solvers against each other, and far-field maps against the fields that they stand
// for.
#include <clangor/validation/cases.hpp>

#include <clangor/objects/solid/solid.hpp>
#include <clangor/radiation/bem/bem.hpp>
#include <clangor/validation/exact_sphere.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace clangor::validation {
namespace {

Points around(const ModalTransfer& body, double nearest, double farthest, int count, unsigned seed) {
    std::mt19937 random(seed);
    const auto uniform = [&] { return double(random()) / 4294967296.0; };
    Points points(count, 3);
    for (long i = 0; i < count; ++i) {
        const double z = 2 * uniform() - 1, phi = 2 * pi * uniform(), s = std::sqrt(1 - z * z);
        const double r = body.radius * nearest * std::pow(farthest / nearest, uniform());
        points.row(i) = (body.centre + r * Vec3(s * std::cos(phi), s * std::sin(phi), z)).transpose();
    }
    return points;
}

double quantile(std::vector<double> values, double part) {
    const auto at = values.begin() + long(part * double(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / double(values.size());
}

// ||p| of the maps|/|p| of the waves| − 1| of one mode, at 3 to 20 radii.
std::vector<double> map_errors(const ModalTransfer& body, const TransferMaps& maps, long mode) {
    std::vector<double> errors;
    std::vector<std::complex<float>> found(body.modes.size());
    const Points points = around(body, 3, 20, 400, 5);
    for (long i = 0; i < points.rows(); ++i) {
        maps.pressures(points.row(i), found);
        const double exact = std::abs(transfer(body, points.row(i))[mode]);
        errors.push_back(std::abs(double(std::abs(found[mode])) / exact - 1));
    }
    return errors;
}

// The same against boundary elements themselves, on another mesh than the one that the maps come from.
std::vector<double> direct_map_errors(const ModalBody& model, const ModalTransfer& body, const TransferMaps& maps,
                                      long mode) {
    const Surface skin = flat(model.skin);
    Eigen::VectorXd fluxes(skin.faces.rows());
    for (int f = 0; f < skin.faces.rows(); ++f) {
        const Vec3 a = skin.vertices.row(skin.faces(f, 0));
        Vec3 mean = Vec3::Zero();
        for (const int v : skin.faces.row(f)) mean += model.shapes.col(mode).segment<3>(3 * v).cast<double>() / 3;
        fluxes[f] = (Vec3(skin.vertices.row(skin.faces(f, 1))) - a)
                        .cross(Vec3(skin.vertices.row(skin.faces(f, 2))) - a)
                        .dot(mean) /
                    2;
    }
    const double omega = model.omega[mode], k = omega / body.air.speed_of_sound;
    const RadiatingMesh mesh = radiating_mesh(skin, body.radius / 11);
    const CornerGradient q = density_on(mesh, square(omega) * body.air.density * fluxes);
    const Points points = around(body, 3, 20, 200, 11);
    const Eigen::VectorXcd exact = pressure_at(solve_radiation(mesh.surface, q, k, {.tolerance = 1e-5}), points);
    std::vector<double> errors;
    std::vector<std::complex<float>> found(body.modes.size());
    const double loud = std::sqrt(exact.squaredNorm() / double(exact.size()));
    for (long i = 0; i < points.rows(); ++i) {
        maps.pressures(points.row(i), found);
        const double r = (points.row(i).transpose() - body.centre).norm();
        const std::complex<double> at_listener =
            std::complex<double>(found[std::size_t(mode)]) * std::polar(1.0, -k * r);
        errors.push_back(std::abs(at_listener - exact[i]) / std::max(std::abs(exact[i]), 0.1 * loud));
    }
    return errors;
}

// A ball whose modes are P_n on its surface, solved on the grid.
double ball_error_db(const Progress& progress) {
    const double a = 0.05;
    VibratingSurface ball{.surface = surface_of(Sphere{.radius = a}), .omega = Eigen::VectorXd(5)};
    for (int n = 0; n < 5; ++n) {
        ball.omega[n] = (0.5 + 1.1 * n) / a * ball.air.speed_of_sound;
        Points shape(ball.surface.vertices.rows(), 3);
        for (long v = 0; v < shape.rows(); ++v) {
            const Vec3 normal = Vec3(ball.surface.vertices.row(v)).normalized();
            shape.row(v) = legendre(n, normal.z()) * normal.transpose();
        }
        ball.shapes.push_back(shape);
    }
    const ModalTransfer fields = bake_transfer(ball, {}, {}, progress).transfer;
    double worst = 0;
    for (int n = 0; n < 5; ++n)
        for (const double z : {1.0, -1.0}) {
            const double r = 5 * a, found = std::abs(transfer(fields, {0, 0, r * z})[n]);
            worst = worse(
                std::abs(20 * std::log10(found / std::abs(sphere_pressure(n, a, r, ball.omega[n], ball.air)))), worst);
        }
    return worst;
}

// A sheet without thickness that bends in the patterns cos(iπx/a) cos(jπz/a), with the frequencies that a thin steel
// plate of 2 mm would have for such waves: both solvers see a wall with air on two sides. Cut so finely that both know
// its motion alike: the wave solver takes it as linear on the faces, which loses 20 lg sinc²(π/n) of waves of n of
// them, 0.6 dB at n = 7 and 0.15 dB at 14; boundary elements curve it.
VibratingSurface bending_sheet() {
    constexpr int side = 48;
    const double a = 0.2;
    VibratingSurface sheet;
    sheet.surface = {Points((side + 1) * (side + 1), 3), Triangles(2 * side * side, 3)};
    for (int i = 0; i <= side; ++i)
        for (int j = 0; j <= side; ++j)
            sheet.surface.vertices.row(i * (side + 1) + j) << a * (double(i) / side - 0.5), 0,
                a * (double(j) / side - 0.5);
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            const int v = i * (side + 1) + j, w = v + side + 1, face = 2 * (i * side + j);
            sheet.surface.faces.row(face) << v, v + 1, w;
            sheet.surface.faces.row(face + 1) << v + 1, w + 1, w;
        }
    const double stiffness = 200e9 * cube(0.002) / (12 * (1 - square(0.3))), mass = 7850 * 0.002;  // of 1 m²
    const std::vector<std::pair<int, int>> patterns = {{2, 0}, {1, 2}, {3, 1}, {4, 0}, {2, 4},
                                                       {5, 1}, {5, 3}, {6, 2}, {7, 0}, {4, 6}};
    sheet.omega.resize(long(patterns.size()));
    for (std::size_t m = 0; m < patterns.size(); ++m) {
        const double kx = patterns[m].first * pi / a, kz = patterns[m].second * pi / a;
        sheet.omega[long(m)] = std::sqrt(stiffness / mass) * (kx * kx + kz * kz);
        Points shape = Points::Zero(sheet.surface.vertices.rows(), 3);
        for (long v = 0; v < shape.rows(); ++v)
            shape(v, 1) = std::cos(kx * (sheet.surface.vertices(v, 0) + a / 2)) *
                          std::cos(kz * (sheet.surface.vertices(v, 2) + a / 2));
        sheet.shapes.push_back(shape);
    }
    return sheet;
}

// The largest difference of mean square pressures at 5R in bands of 1 kHz.
double sheet_difference_db(const Progress& progress) {
    const VibratingSurface sheet = bending_sheet();
    const ModalTransfer a =
        bake_transfer(sheet, {.solver = TransferSolver::Wave, .max_cells = 4e6}, {}, progress).transfer;
    const ModalTransfer b =
        bake_transfer(sheet, {.solver = TransferSolver::BoundaryElements, .elements_per_wavelength = 12}, {}, progress)
            .transfer;
    Eigen::VectorXd power_a = Eigen::VectorXd::Zero(20), power_b = power_a;
    const Points points = around(b, 5, 5.001, 400, 7);
    for (long i = 0; i < points.rows(); ++i) {
        const Eigen::VectorXcd pa = transfer(a, points.row(i)), pb = transfer(b, points.row(i));
        for (long m = 0; m < pa.size(); ++m) {
            const auto band = long(sheet.omega[m] / (2 * pi * 1000));
            power_a[band] += std::norm(pa[m]);
            power_b[band] += std::norm(pb[m]);
        }
    }
    double worst = 0;
    for (long band = 0; band < power_a.size(); ++band)
        if (power_b[band] > 0) worst = worse(std::abs(10 * std::log10(power_a[band] / power_b[band])), worst);
    return worst;
}

}  // namespace

Case transfer_case(const Progress& progress) {
    Case result{
        .name = "transfer",
        .title = "Sound fields of a porcelain bowl's modes under 5 kHz. Drawn: error of far-field maps",
        .source = "boundary elements; spherical waves in closed form (docs/theory/transfer.md)",
        .settings =
            "modes, waves and boundary elements as standard and reference quality have them; the sheet: 48 × 48 "
            "squares, 4 million cells, 12 elements per wavelength",
        .plots = {{.x_label = "kR", .y_label = "mean error of |p| at 3 to 20 R", .log_x = true, .log_y = true}}};
    const auto part = [&](double from, double to) {
        return Progress{
            [&progress, from, to](std::string_view stage, double x) { progress(stage, from + (to - from) * x); }};
    };
    const ModalBody bowl =
        bake_solid("bowl", clean(surface_of(Bowl{})), *find_material("porcelain"), {.max_hz = 5000}, part(0, 0.1));
    const ModalTransfer waves = bake_transfer(bowl, {.quality = Quality::Standard}, {}, part(0.1, 0.3)).transfer;
    const ModalTransfer elements = bake_transfer(bowl, {.quality = Quality::Reference}, {}, part(0.3, 0.9)).transfer;
    std::vector<double> difference_db;
    const Points points = around(elements, 2, 10, 500, 3);
    for (long i = 0; i < points.rows(); ++i) {
        const Eigen::VectorXcd a = transfer(waves, points.row(i)), b = transfer(elements, points.row(i));
        for (long j = 0; j < a.size(); ++j)
            difference_db.push_back(std::abs(20 * std::log10(std::abs(a[j]) / std::abs(b[j]))));
    }
    const double median = quantile(difference_db, 0.5), high = quantile(difference_db, 0.95);
    result.bounds = {{.what = "waves on a grid against boundary elements: median difference of |p| [dB]",
                      .found = median,
                      .limit = 1},
                     {.what = "… 95th percentile [dB]", .found = high, .limit = 3},
                     {.what = "a ball's modes n = 0 … 4 (ka 0.5 … 4.9) on the grid: worst error of |p| [dB]",
                      .found = ball_error_db(part(0.9, 0.93)),
                      .limit = 0.5},
                     {.what = "a bending sheet of 20 × 20 cm, both solvers: worst difference in a band of 1 kHz [dB]",
                      .found = sheet_difference_db(part(0.93, 1)),
                      .limit = 1}};
    for (int terms = 1; terms <= 4; ++terms) {
        const TransferMaps maps(elements, {.terms = terms});
        Curve curve{.label = fmt::format("M = {}", terms), .x = {}, .y = {}};
        std::vector<double> all;
        for (long mode = 0; mode < bowl.omega.size(); ++mode) {
            const std::vector<double> errors = map_errors(elements, maps, mode);
            curve.x.push_back(bowl.omega[mode] / waves.air.speed_of_sound * waves.radius);
            curve.y.push_back(mean(errors));
            all.insert(all.end(), errors.begin(), errors.end());
        }
        result.plots[0].curves.push_back(curve);
        if (terms == 4)
            result.bounds.push_back(
                {.what = "maps with M = 4: mean error of |p| at 3 to 20 R, against the waves that they come from",
                 .found = mean(all),
                 .limit = 0.03});
        if (terms == 4) {
            std::vector<double> direct;
            for (const long mode : {0L, bowl.omega.size() / 2, bowl.omega.size() - 1}) {
                const std::vector<double> errors = direct_map_errors(bowl, elements, maps, mode);
                direct.insert(direct.end(), errors.begin(), errors.end());
            }
            result.bounds.push_back(
                {.what = "maps with M = 4, three modes: mean error of p, with its phase, against boundary elements "
                         "evaluated there",
                 .found = mean(direct),
                 .limit = 0.03});
        }
    }
    return result;
}

}  // namespace clangor::validation
