// Frequencies of free bodies, meshed and solved with default settings.
#include <clangor/validation/cases.hpp>

#include <clangor/vibration/solid/solid.hpp>

#include <fmt/format.h>

namespace clangor::validation {
namespace {

const Material steel{"steel", 7850, 200e9, 0.3, {}, ""};

// Compares sorted frequencies one by one. A missing mode shifts all that follow, and so cannot hide.
void compare(Case& result, const std::vector<std::pair<std::string, double>>& expected_hz,
             const Eigen::VectorXd& found_hz, double allowed) {
    for (size_t i = 0; i < expected_hz.size(); ++i) {
        const double found = long(i) < found_hz.size() ? found_hz[long(i)] : std::nan("");
        result.rows.push_back({expected_hz[i].first, expected_hz[i].second, found, allowed, "Hz"});
    }
}

// Half a hollow ball as a modeller would export it: vertices on the two spheres, as many segments around as asked for
// and a quarter of that from pole to rim.
Surface hemisphere(double radius, double thickness, int segments) {
    const int rings = segments / 4;
    const auto ring = [&](int side, int i) {
        return side * (1 + rings * segments) + (i == 0 ? 0 : 1 + (i - 1) * segments);
    };
    Surface surface{Points(2 * (1 + rings * segments), 3), Triangles(4 * rings * segments, 3)};
    int face = 0;
    const auto add = [&](int a, int b, int c) { surface.faces.row(face++) << a, b, c; };
    for (int side = 0; side < 2; ++side)  // 0 outside, 1 inside
        for (int i = 0; i <= rings; ++i)
            for (int k = 0; k < (i == 0 ? 1 : segments); ++k) {
                const double theta = pi / 2 * i / rings, phi = 2 * pi * k / segments;
                surface.vertices.row(ring(side, i) + k) =
                    (radius + (side == 0 ? 0.5 : -0.5) * thickness) *
                    Vec3(std::sin(theta) * std::cos(phi), -std::cos(theta), std::sin(theta) * std::sin(phi))
                        .transpose();
                const int next = (k + 1) % segments;
                const auto quad = [&](int a0, int a1, int b0, int b1) {
                    if (a0 != a1) add(a0, a1, b1);
                    if (b0 != b1) add(a0, b1, b0);
                };
                if (i == 0) continue;
                const int a = ring(side, i - 1), b = ring(side, i);
                quad(i == 1 ? a : a + k, i == 1 ? a : a + next, b + k, b + next);
                if (i == rings && side == 1) quad(ring(0, i) + k, ring(0, i) + next, b + k, b + next);
            }
    return surface;
}

}  // namespace

Case bar_case(const Progress& progress) {
    Case result{
        .name = "bar",
        .title = "Free steel bar, 200×20×10 mm",
        .source =
            "Timoshenko beam with Cowper's shear coefficient; 3-D elasticity by a Ritz solution converged to 1e-6"};
    const Eigen::VectorXd hz = default_frequencies_hz(surface_of(Box{{0.2, 0.01, 0.02}}), steel, {}, progress);
    const std::vector<std::pair<std::string, double>> exact = {
        {"bending 1, thin", 1285.9501},  {"bending 1, wide", 2506.9897},  {"bending 2, thin", 3490.5731},
        {"torsion 1", 5801.0991},        {"bending 2, wide", 6529.9378},  {"bending 3, thin", 6696.9708},
        {"bending 4, thin", 10774.9921}, {"torsion 2", 11620.2293},       {"bending 3, wide", 11930.4770},
        {"stretching 1", 12612.9854},    {"bending 5, thin", 15598.3672}, {"torsion 3", 17474.3538},
        {"bending 4, wide", 18235.8789}};
    // The list is complete up to 18.3 kHz, so a mode's place in it tells what it is.
    const std::vector<double> timoshenko = {1285.5516, 3486.7645, 6682.6246, 10739.0365, 15527.3809};
    const std::vector<long> place = {0, 2, 5, 6, 10};
    for (size_t i = 0; i < place.size(); ++i)
        result.rows.push_back({fmt::format("Timoshenko, bending {}", i + 1), timoshenko[i],
                               place[i] < hz.size() ? hz[place[i]] : std::nan(""), 0.01, "Hz"});
    compare(result, exact, hz, 0.01);
    return result;
}

Case sphere_case(const Progress& progress) {
    // η = ωa/c_t, c_t = √(μ/ρ): roots of Lamb's secular equations, exact to 1e-12. S n has multiplicity 2n + 1, T n
    // too.
    struct Root {
        const char* name;
        double eta;
        int multiplicity;
    };
    struct Table {
        double poisson;
        std::vector<Root> roots;
    };
    const std::vector<Table> tables = {{0.2,
                                        {{"T2", 2.501132620, 5},
                                         {"S2", 2.632700826, 5},
                                         {"S1", 3.312318213, 3},
                                         {"T3", 3.864699778, 7},
                                         {"S3", 3.892679521, 7},
                                         {"S0", 4.018037764, 1},
                                         {"S2'", 4.717103020, 5},
                                         {"S4", 4.968817732, 9},
                                         {"T4", 5.094615632, 9},
                                         {"T1", 5.763459197, 3}}},
                                       {0.3,
                                        {{"T2", 2.501132620, 5},
                                         {"S2", 2.646217035, 5},
                                         {"S1", 3.529987301, 3},
                                         {"T3", 3.864699778, 7},
                                         {"S3", 3.937401289, 7},
                                         {"S0", 4.995514340, 1},
                                         {"S2'", 5.006956834, 5},
                                         {"S4", 5.045915332, 9},
                                         {"T4", 5.094615632, 9},
                                         {"T1", 5.763459197, 3}}},
                                       {0.4,
                                        {{"T2", 2.501132620, 5},
                                         {"S2", 2.656936049, 5},
                                         {"S1", 3.716773079, 3},
                                         {"T3", 3.864699778, 7},
                                         {"S3", 3.973072817, 7},
                                         {"T4", 5.094615632, 9},
                                         {"S4", 5.108960662, 9},
                                         {"S2'", 5.261906957, 5},
                                         {"T1", 5.763459197, 3},
                                         {"S5", 6.172204689, 11}}}};
    Case result{.name = "sphere",
                .title = "Free steel-like sphere of radius 50 mm, ν = 0.2, 0.3, 0.4",
                .source = "[Lamb1882], roots exact to 1e-12"};
    const double radius = 0.05;
    for (const Table& table : tables) {
        const Material material{"", 7850, 200e9, table.poisson, {}, ""};
        const double c_t = std::sqrt(material.young / (2 * (1 + material.poisson)) / material.density);
        std::vector<std::pair<std::string, double>> expected;
        for (const Root& root : table.roots)
            for (int i = 0; i < root.multiplicity; ++i)
                expected.emplace_back(
                    fmt::format("ν = {}, {} ({} of {})", table.poisson, root.name, i + 1, root.multiplicity),
                    root.eta * c_t / radius / (2 * pi));
        const double top_hz = expected.back().second * 1.03;
        compare(result, expected,
                default_frequencies_hz(surface_of(Sphere{radius}), material, {.max_hz = top_hz}, progress), 0.01);
    }
    return result;
}

Case cube_case(const Progress& progress) {
    Case result{.name = "cube",
                .title = "Free steel cube of side 0.1 m",
                .source = "3-D elasticity by a Ritz solution: 9e-6 for the first eight, 9e-5 for all"};
    const std::vector<double> eta = {1.771248, 1.771248, 2.385172, 2.385172, 2.385172, 2.425657, 2.425657,
                                     2.425657, 2.755359, 2.755359, 2.755359, 2.835922, 2.835922, 2.835922,
                                     2.972233, 2.972233, 2.972233, 3.364848, 3.364848, 3.417664};
    const double scale = std::sqrt(steel.young / steel.density) / 0.1 / (2 * pi);  // f = η √(E/ρ)/(2π side)
    std::vector<std::pair<std::string, double>> expected;
    for (size_t i = 0; i < eta.size(); ++i) expected.emplace_back(fmt::format("mode {}", i + 1), eta[i] * scale);
    compare(
        result, expected,
        default_frequencies_hz(surface_of(Box{{0.1, 0.1, 0.1}}), steel, {.max_hz = 40e3, .max_modes = 20}, progress),
        0.01);
    return result;
}

Case hemisphere_case(const Progress& progress) {
    Case result{
        .name = "hemisphere",
        .title = "Free steel hemispheres, mean radius 0.1 m, walls of 2, 5 and 8 mm, as meshes of plain triangles",
        .source =
            "3-D elasticity by a Ritz solution in the meridian for each number of nodal diameters "
            "(Legendre polynomials to degree 34 along it and 4 across the wall), converged to 1.5e-5",
        .settings = "default elements; 32, 64 and 128 segments around"};
    const Material material{"", 7800, 200e9, 0.3, {}, ""};
    struct Wall {
        double thickness;
        int segments;
        std::vector<double> exact_hz;  ///< of 2 to 5 nodal diameters
    };
    const std::vector<double> thin = {204.2112, 553.8243, 1032.2433, 1619.2543};
    const std::vector<double> middle = {491.6975, 1296.2099, 2357.7004, 3628.3309};
    const std::vector<double> thick = {762.5843, 1969.7160, 3533.3195, 5394.5758};
    for (const Wall& wall : {Wall{0.002, 32, thin}, Wall{0.002, 128, thin}, Wall{0.005, 32, middle},
                             Wall{0.005, 64, middle}, Wall{0.008, 32, thick}, Wall{0.008, 64, thick}}) {
        std::vector<std::pair<std::string, double>> expected;
        for (size_t n = 0; n < wall.exact_hz.size(); ++n)
            for (int twin = 1; twin <= 2; ++twin)
                expected.emplace_back(fmt::format("{:g} mm, {} segments, {} nodal diameters ({} of 2)",
                                                  1e3 * wall.thickness, wall.segments, n + 2, twin),
                                      wall.exact_hz[n]);
        compare(result, expected,
                default_frequencies_hz(hemisphere(0.1, wall.thickness, wall.segments), material,
                                       {.max_hz = 6000, .max_modes = 8}, progress),
                0.005);
    }
    return result;
}

Case plate_case(const Progress& progress) {
    const double side = 0.2, thickness = 0.004;
    Case result{
        .name = "plate",
        .title = "Free square steel plate, 200×200×4 mm",
        .source = "thin-plate (Kirchhoff) theory, [Leissa1969] to more digits by a Ritz solution converged to 1e-7"};
    // λ = ωa²√(ρh/D), D = Eh³/(12(1−ν²)), ν = 0.3. Kirchhoff neglects shear: a real plate of 1:50 lies up to 1 % below.
    const std::vector<double> lambda = {13.468197, 19.596137, 24.270201, 34.800891, 34.800891, 61.093234};
    const double rigidity = steel.young * cube(thickness) / (12 * (1 - square(steel.poisson)));
    const double scale = std::sqrt(rigidity / (steel.density * thickness)) / square(side) / (2 * pi);
    std::vector<std::pair<std::string, double>> expected;
    for (size_t i = 0; i < lambda.size(); ++i) expected.emplace_back(fmt::format("mode {}", i + 1), lambda[i] * scale);
    compare(result, expected,
            default_frequencies_hz(surface_of(Plate{side, side, thickness}), steel, {.max_modes = 6}, progress), 0.02);
    return result;
}

Case elements_case(const Progress& progress) {
    Case result{
        .name = "elements",
        .title = "First bending frequency of the bar, 4-node and 10-node tetrahedra",
        .source = "3-D elasticity: 1285.9501320 Hz, converged to 7e-9",
        .settings = "edges of 20, 10, 5 and 2.5 mm; frequencies as the matrices have them, nothing taken off",
        .plots = {{.x_label = "degrees of freedom", .y_label = "relative error", .log_x = true, .log_y = true}}};
    const double exact_hz = 1285.9501320;
    // Each mesh halves the edges of the one before. Unstructured meshes are not nested, so the order is taken over all
    // of them.
    const std::vector<double> edges = {0.02, 0.01, 0.005, 0.0025};
    for (const bool is_quadratic : {false, true}) {
        Curve curve{is_quadratic ? "10 nodes" : "4 nodes", {}, {}};
        for (size_t i = 0; i < edges.size() - (is_quadratic ? 1 : 0); ++i) {
            const Surface surface = clean(surface_of(Box{{0.2, 0.01, 0.02}})).surface;
            const TetMesh linear = tetrahedralize(surface, {.edge_length = edges[i]}).mesh;
            const TetMesh mesh = is_quadratic ? quadratic(linear, surface) : linear;
            const Modes modes = vibration_modes(assemble(mesh, steel), {.max_count = 1}, progress);
            curve.x.push_back(double(3 * mesh.nodes.rows()));
            curve.y.push_back(modes.omega[0] / (2 * pi) / exact_hz - 1);
        }
        // error ∝ h^p and unknowns ∝ h⁻³, so the slope over unknowns is −p/3.
        const double order =
            -3 * std::log(curve.y.back() / curve.y.front()) / std::log(curve.x.back() / curve.x.front());
        if (is_quadratic) result.bounds.push_back({"observed order of convergence, 10 nodes", order, 3, true});
        result.plots[0].curves.push_back(std::move(curve));
    }
    return result;
}

}  // namespace clangor::validation
