// From a model's modes to their sound fields.
#include <clangor/objects/modal/modal.hpp>

namespace clangor {
namespace {

// Whatever changes the numbers must change this, or old cache entries would be taken for new ones.
constexpr std::string_view transfer_algorithm = "transfer 6";

// Modes and surface are the model's, which its key stands for.
std::string key_of(const std::string& model_key, const Air& air, TransferSolver solver) {
    return io::Fingerprint()
        .add("algorithm", transfer_algorithm)
        .add("model", model_key)
        .add("air density", air.density)
        .add("speed of sound", air.speed_of_sound)
        .add("boundary elements", solver == TransferSolver::BoundaryElements ? 1.0 : 0.0)
        .hex();
}

Points shape_of(const ModalBody& model, long mode) {
    Points shape(model.skin.nodes.rows(), 3);
    for (long i = 0; i < shape.rows(); ++i)
        shape.row(i) = model.shapes.col(mode).segment<3>(3 * i).cast<double>().transpose();
    return shape;
}

}  // namespace

BakedTransfer bake_transfer(const ModalBody& model, const BakeContext& context, const TransferResume& resume,
                            const Progress& progress) {
    VibratingSurface body{.surface = flat(model.skin), .omega = model.omega, .air = context.air};
    for (long mode = 0; mode < model.omega.size(); ++mode) body.shapes.push_back(shape_of(model, mode));
    const Progress part{[&](std::string_view, double fraction) { progress(model.name + ": sound fields", fraction); }};
    const TransferOptions options{.solver = settings_of(context.quality).solver,
                                  .memory_limit = limit_of(allowed_memory(context.memory))};
    TransferBake bake = bake_transfer(body, options, resume, part);
    return {.name = model.name, .inputs_hash = {}, .transfer = std::move(bake.transfer), .messages = bake.warnings};
}

io::Cached<BakedTransfer> cached_transfer(const ModalBody& model, const BakeContext& context,
                                          const Progress& progress) {
    const std::string key = key_of(model.inputs_hash, context.air, settings_of(context.quality).solver);
    return io::cached<BakedTransfer>(context.cache, key, [&] {
        io::CacheLookup<BegunTransferFile> begun = io::load<BegunTransferFile>(context.cache, key);
        const TransferResume resume{.begun = begun.found ? std::move(begun.found->begun) : BegunTransfer(),
                                    .keep = [&](const BegunTransfer& done) {
                                        io::store(context.cache, BegunTransferFile{model.name, key, done});
                                    }};
        return bake_transfer(model, context, resume, progress);
    });
}

}  // namespace clangor
