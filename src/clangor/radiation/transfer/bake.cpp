// Checks what is asked for, and hands it to one of the two solvers.
#include <clangor/radiation/transfer/bem_transfer.hpp>
#include <clangor/radiation/transfer/fit_waves.hpp>
#include <clangor/radiation/transfer/wave_transfer.hpp>

#include <fmt/core.h>

#include <cmath>

namespace clangor {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error("acoustic transfer: " + what); }

void check_surface(const Surface& surface) {
    if (surface.faces.rows() == 0) fail("the surface has no faces");
    if (!surface.vertices.allFinite()) fail("the surface has vertices that are not finite; clean it first");
    if (surface.faces.minCoeff() < 0 || surface.faces.maxCoeff() >= surface.vertices.rows())
        fail("the surface has faces with vertices that do not exist; clean it first");
    if (!(area_of(surface) > 0)) fail("the surface has no area");
}

void check_modes(const VibratingSurface& body) {
    const long modes = body.omega.size(), vertices = body.surface.vertices.rows();
    if (static_cast<long>(body.shapes.size()) != modes)
        fail(fmt::format("there are {} shapes for {} frequencies; give one of each a mode", body.shapes.size(), modes));
    for (long j = 0; j < modes; ++j) {
        const Points& shape = body.shapes[j];
        if (!(body.omega[j] > 0) || !std::isfinite(body.omega[j]))
            fail(fmt::format("mode {} has ω = {:g} rad/s, but it must be positive; leave rigid motions out", j,
                             body.omega[j]));
        if (shape.rows() != vertices)
            fail(fmt::format("the shape of mode {} has {} rows, but the surface has {} vertices", j, shape.rows(),
                             vertices));
        if (!shape.allFinite()) fail(fmt::format("the shape of mode {} is not finite", j));
    }
}

void check_options(const TransferOptions& options, const Air& air) {
    if (!(air.density > 0) || !(air.speed_of_sound > 0)) fail("the air needs a positive density and speed of sound");
    if (!(options.max_hz > 0)) fail(fmt::format("max_hz must be positive, but is {:g}", options.max_hz));
    if (!(options.accuracy > 0 && options.accuracy < 1))
        fail(fmt::format("accuracy must lie between 0 and 1, but is {:g}; use 0.001", options.accuracy));
    if (!(options.cells_per_wavelength >= 4) || !(options.max_cells >= 5e4))
        fail("cells_per_wavelength must be at least 4 and max_cells at least 50000; use 10 and 1000000");
    if (!(options.elements_per_wavelength >= 2)) fail("elements_per_wavelength must be at least 2; use 8");
}

void check_begun(const VibratingSurface& body, const ModalTransfer& begun) {
    if (begun.modes.empty()) return;
    bool same = static_cast<long>(begun.modes.size()) == body.omega.size();
    for (long j = 0; same && j < body.omega.size(); ++j) {
        const ModeTransfer& mode = begun.modes[j];
        same = mode.degree < 0 || std::abs(mode.omega - body.omega[j]) <= 1e-9 * body.omega[j];
    }
    const modal_transfer::BoundingSphere sphere = modal_transfer::bounding_sphere(body.surface.vertices);
    if (!same || (begun.centre - sphere.centre).norm() + std::abs(begun.radius - sphere.radius) > 1e-6 * sphere.radius)
        fail("what was begun belongs to another body; delete it and start anew");
}

}  // namespace

TransferBake bake_transfer(const VibratingSurface& body, const TransferOptions& options, const TransferResume& resume,
                           const Progress& progress) {
    check_surface(body.surface);
    check_modes(body);
    check_options(options, body.air);
    check_begun(body, resume.begun.transfer);
    if (options.solver == TransferSolver::BoundaryElements)
        return modal_transfer::bem_transfer(body, options, resume, progress);
    return modal_transfer::wave_transfer(body, options, resume, progress).bake;
}

}  // namespace clangor
