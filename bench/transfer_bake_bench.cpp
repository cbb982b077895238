// How long the acoustic transfer of a thing takes, and how good it is.
//   transfer_bake_bench [SHAPE [MAX_HZ [MAX_CELLS]]] bowl, mug, bell or plate; prints bands, chords, cells, seconds
//   transfer_bake_bench SHAPE MAX_HZ MAX_CELLS against CELLS and compares with a grid of so many cells …
//   transfer_bake_bench SHAPE MAX_HZ MAX_CELLS bem [ELEMENTS] … or with boundary elements, so many a wavelength: slow
//   transfer_bake_bench SHAPE MAX_HZ MAX_CELLS maps errors of far-field maps, M = 1 … 4, at 3 to 20 R
#include <clangor/radiation/transfer/transfer.hpp>
#include <clangor/radiation/transfer/wave_transfer.hpp>
#include <clangor/vibration/solid/solid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

using namespace clangor;

namespace {

Shape shape_of(const std::string& name) {
    if (name == "mug") return Mug{};
    if (name == "bell") return Bell{};
    if (name == "plate") return Plate{};
    return Bowl{};  // that of examples/ceramic_bowl_drop.json
}

VibratingSurface vibrating(const Shape& shape, double max_hz) {
    const Surface surface = clean(surface_of(shape)).surface;
    const TetMesh mesh = quadratic(tetrahedralize(surface, {}).mesh, surface);
    const Modes modes = vibration_modes(assemble(mesh, *find_material("ceramic")), {.max_hz = max_hz});
    const Skin skin = skin_of(mesh);
    VibratingSurface body{flat(skin), {}, modes.omega, Air{}};
    for (long j = 0; j < modes.omega.size(); ++j) {
        Points& moved = body.shapes.emplace_back(skin.nodes.rows(), 3);
        for (long i = 0; i < moved.rows(); ++i) moved.row(i) = modes.shapes.col(j).segment<3>(3 * skin.mesh_nodes[i]);
    }
    return body;
}

void print_bands(const modal_transfer::WaveTransfer& done) {
    fmt::print("modes  from Hz    to Hz  spacing Hz  chords  runs      cells  cell mm   ms a run  residual  seconds\n");
    for (const modal_transfer::BandReport& band : done.bands)
        fmt::print("{:5} {:8.0f} {:8.0f} {:11.0f} {:7} {:5} {:10.3g} {:8.2f} {:10.2f} {:9.4f} {:8.2f}\n", band.modes,
                   band.bottom_hz, band.top_hz, band.spacing_hz, band.chords, band.runs, band.cells,
                   1e3 * band.cell_size, 1e3 * band.duration, band.residual, band.seconds);
    fmt::print("{} runs, {:.1f} s, residual {:.4f}, {} kB\n", done.bake.runs, done.bake.seconds, done.bake.fit_residual,
               done.bake.transfer.bytes() / 1024);
    for (const std::string& warning : done.bake.warnings) fmt::print("warning: {}\n", warning);
}

double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

// Level differences over all directions, one metre away.
void compare(const ModalTransfer& a, const ModalTransfer& b) {
    const Points directions = ring_directions(30);
    const auto modes = static_cast<long>(a.modes.size());
    Eigen::MatrixXcd of_a(modes, directions.rows()), of_b(modes, directions.rows());
    for (long d = 0; d < directions.rows(); ++d) {
        of_a.col(d) = transfer(a, a.centre + directions.row(d).transpose());
        of_b.col(d) = transfer(b, a.centre + directions.row(d).transpose());
    }
    fmt::print("mode       Hz  degree  median dB   95 % dB  total dB  difference\n");
    std::vector<double> medians, tails, all;
    for (long j = 0; j < modes; ++j) {
        std::vector<double> db;
        for (long d = 0; d < directions.rows(); ++d)
            db.push_back(std::abs(20 * std::log10(std::abs(of_a(j, d)) / std::abs(of_b(j, d)))));
        const double size = of_b.row(j).norm();
        fmt::print("{:4} {:8.0f} {:7} {:10.2f} {:9.2f} {:+9.2f} {:11.4f}\n", j, b.modes[j].omega / (2 * pi),
                   a.modes[j].degree, quantile(db, 0.5), quantile(db, 0.95), 20 * std::log10(of_a.row(j).norm() / size),
                   (of_a.row(j) - of_b.row(j)).norm() / size);
        medians.push_back(quantile(db, 0.5));
        tails.push_back(quantile(db, 0.95));
        all.insert(all.end(), db.begin(), db.end());
    }
    fmt::print(
        "all modes and directions: median {:.2f} dB, 95 % {:.2f} dB; the worst mode: median {:.2f}, 95 % {:.2f}\n",
        quantile(all, 0.5), quantile(all, 0.95), quantile(medians, 1), quantile(tails, 1));
}

// Beside the waves themselves, at 400 points between 3R and 20R: mean and median of ||p_M|/|p| − 1|, of the first, the
// middle and the last mode.
void compare_maps(const ModalTransfer& body) {
    std::mt19937 random(5);
    const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
    std::vector<Vec3> points;
    for (int i = 0; i < 400; ++i) {
        const double z = 2 * uniform() - 1, phi = 2 * pi * uniform(), s = std::sqrt(1 - z * z);
        points.push_back(body.centre + 3 * body.radius * std::pow(20.0 / 3, uniform()) *
                                           Vec3(s * std::cos(phi), s * std::sin(phi), z));
    }
    fmt::print("mode       Hz     kR   M = 1 mean, median   M = 2            M = 3            M = 4    [%]\n");
    std::vector<std::complex<float>> found(body.modes.size());
    for (const std::size_t mode : {std::size_t(0), body.modes.size() / 2, body.modes.size() - 1}) {
        std::string line;
        for (int terms = 1; terms <= 4; ++terms) {
            const TransferMaps maps(body, {.terms = terms});
            std::vector<double> errors;
            double sum = 0;
            for (const Vec3& x : points) {
                maps.pressures(x, found);
                errors.push_back(std::abs(static_cast<double>(std::abs(found[mode])) /
                                              std::abs(transfer(body, x)[static_cast<long>(mode)]) -
                                          1));
                sum += errors.back();
            }
            line += fmt::format("   {:6.3f} {:6.3f}", 100 * sum / 400, 100 * quantile(errors, 0.5));
        }
        const double omega = body.modes[mode].omega;
        fmt::print("{:4} {:8.0f} {:6.2f}{}\n", mode, omega / (2 * pi), omega / body.air.speed_of_sound * body.radius,
                   line);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string shape = argc > 1 ? argv[1] : "bowl", other = argc > 4 ? argv[4] : "";
    TransferOptions options;
    options.max_hz = argc > 2 ? std::atof(argv[2]) : 10e3;
    if (argc > 3) options.max_cells = std::atof(argv[3]);
    const VibratingSurface body = vibrating(shape_of(shape), options.max_hz);
    fmt::print("{}: {} modes under {:g} Hz, {} faces\n", shape, body.omega.size(), options.max_hz,
               body.surface.faces.rows());
    std::fflush(stdout);
    const modal_transfer::WaveTransfer done = modal_transfer::wave_transfer(body, options, {}, {});
    print_bands(done);
    std::fflush(stdout);
    if (other == "against" && argc > 5) {
        TransferOptions finer = options;
        finer.max_cells = std::atof(argv[5]);
        finer.cells_per_wavelength *= 2;
        const modal_transfer::WaveTransfer reference = modal_transfer::wave_transfer(body, finer, {}, {});
        print_bands(reference);
        compare(done.bake.transfer, reference.bake.transfer);
    } else if (other == "maps") {
        compare_maps(done.bake.transfer);
    } else if (other == "bem") {
        options.solver = TransferSolver::BoundaryElements;
        if (argc > 5) options.elements_per_wavelength = std::atof(argv[5]);
        const TransferBake reference = bake_transfer(body, options);
        fmt::print("boundary elements: {} solutions, {:.1f} s\n", reference.runs, reference.seconds);
        compare(done.bake.transfer, reference.transfer);
    }
}
