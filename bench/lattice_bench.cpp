// The mesher that always answers against the fine one: the first ten frequencies of bodies that both can fill.
//   lattice_bench [REFINEMENT [BODY]]    both at this refinement: for each body, the largest and the mean difference,
//                                        elements, seconds; for a single body also each mode's
#include <clangor/vibration/solid/solid.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

using namespace clangor;

namespace {

struct Measured {
    Eigen::VectorXd hertz;
    long elements = 0;
    double seconds = 0;
};

Measured measured(const Surface& surface, const TetOptions& options) {
    const Stopwatch watch;
    const Tetrahedralization tets = tetrahedralize(surface, options);
    Measured result{{}, tets.mesh.cells.rows(), watch.seconds()};
    const TetMesh mesh = quadratic(tets.mesh, tets.surface);
    const Material steel{.name = "steel", .density = 7850, .young = 200e9, .poisson = 0.3};
    const ModeOptions modes{.min_hz = 1, .max_hz = 1e6, .max_count = 10, .excess = excess_of(mesh, steel)};
    result.hertz = vibration_modes(assemble(mesh, steel), modes).omega / (2 * pi);
    return result;
}

}  // namespace

int main(int count, char** words) {
    const double refinement = count > 1 ? std::atof(words[1]) : 1;
    const std::vector<std::pair<std::string, Shape>> bodies = {
        {"box", Box{.size = {0.1, 0.06, 0.04}}},
        {"sphere", Sphere{.radius = 0.05}},
        {"tube", Cylinder{.radius = 0.03, .height = 0.15, .inner_radius = 0.025}},
        {"plate", Plate{}},
        {"bowl", Bowl{}},
        {"mug", Mug{}},
        {"bell", Bell{}},
        {"tuning fork", TuningFork{}}};
    fmt::print("{:12} {:>8} {:>8} {:>9} {:>9} {:>7} {:>7}\n", "body", "worst %", "mean %", "fine el.", "lattice", "s",
               "s");
    for (const auto& [name, shape] : bodies) {
        if (count > 2 && name != words[2]) continue;
        const Surface surface = clean(surface_of(shape)).surface;
        const Measured fine = measured(surface, {.refinement = refinement});
        const Measured lattice = measured(surface, {.refinement = refinement, .lattice = true});
        const Eigen::ArrayXd off = (lattice.hertz.array() / fine.hertz.array() - 1).abs() * 100;
        fmt::print("{:12} {:8.2f} {:8.2f} {:9} {:9} {:7.1f} {:7.1f}\n", name, off.maxCoeff(), off.mean(), fine.elements,
                   lattice.elements, fine.seconds, lattice.seconds);
        if (count > 2)
            for (long k = 0; k < fine.hertz.size(); ++k)
                fmt::print("  {:2} {:9.2f} {:9.2f} Hz {:+6.2f} %\n", k + 1, fine.hertz[k], lattice.hertz[k],
                           (lattice.hertz[k] / fine.hertz[k] - 1) * 100);
        std::fflush(stdout);
    }
}
