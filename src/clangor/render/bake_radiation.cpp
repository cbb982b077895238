// From a model's modes to their sound fields.
#include <clangor/render/render.hpp>

namespace clangor {
namespace {

TransferOptions options_of(Quality quality) {
    if (quality == Quality::Reference) return {.solver = TransferSolver::BoundaryElements};
    return {.solver = TransferSolver::Wave};
}

Points shape_of(const io::BakedSolid& model, long mode) {
    Points shape(model.skin.nodes.rows(), 3);
    for (long i = 0; i < shape.rows(); ++i)
        shape.row(i) = model.shapes.col(mode).segment<3>(3 * i).cast<double>().transpose();
    return shape;
}

}  // namespace

io::BakedTransfer bake_radiation(const io::BakedSolid& model, const Air& air, Quality quality,
                                 const TransferResume& resume, const Progress& progress) {
    VibratingSurface body{.surface = flat(model.skin), .omega = model.omega, .air = air};
    for (long mode = 0; mode < model.omega.size(); ++mode) body.shapes.push_back(shape_of(model, mode));
    const Progress part{[&](std::string_view, double fraction) { progress(model.name + ": sound fields", fraction); }};
    TransferBake bake = bake_transfer(body, options_of(quality), resume, part);
    return {.name = model.name, .inputs_hash = {}, .transfer = std::move(bake.transfer), .messages = bake.warnings};
}

}  // namespace clangor
