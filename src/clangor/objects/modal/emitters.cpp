#include <clangor/objects/modal/emitters.hpp>

#include <fmt/format.h>

namespace clangor {
namespace {

// Modes at or above half the sample rate would fold down; overdamped ones do not ring. Every loss is counted once:
// here the body's own and what its sound takes, in a DampingKnot what it rests on while it does.
void choose_modes(Vibration& vibration, const EmissionContext& context, std::vector<std::string>& warnings) {
    const double rate = context.sample_rate;
    const ModalSource& source = vibration.source;
    const ModalBody& model = *source.model;
    const Eigen::VectorXd xi =
        own_damping(model, source.body->material) + radiation_damping_of(model, source.transfer.get(), context.air);
    long too_high = 0, too_damped = 0;
    for (long i = 0; i < model.omega.size(); ++i) {
        if (model.omega[i] >= 0.999 * pi * rate)
            ++too_high;
        else if (xi[i] >= 1)
            ++too_damped;
        else
            vibration.kept.push_back(i);
    }
    if (too_high > 0)
        warnings.push_back(fmt::format("{}: {} modes at or above half the sample rate were left out",
                                       object_named(source.name), too_high));
    if (too_damped > 0)
        warnings.push_back(fmt::format("{}: {} overdamped modes were left out", object_named(source.name), too_damped));
    const long count = long(vibration.kept.size());
    vibration.bank = {Eigen::VectorXd(count), Eigen::VectorXd(count), rate};
    for (long i = 0; i < count; ++i) {
        vibration.bank.omega[i] = model.omega[vibration.kept[i]];
        vibration.bank.xi[i] = xi[vibration.kept[i]];
    }
}

// Takes over what the motion does to the body, for the modes that are kept.
void drive(Vibration& vibration, Excitation& excitation) {
    for (ModalImpulse& impulse : excitation.impulses) {
        const bool all = long(vibration.kept.size()) == impulse.impulse.size();
        if (!all) impulse.impulse = picked(impulse.impulse, vibration.kept);
        vibration.impulses.push_back(std::move(impulse));
    }
    for (DampingKnot& knot : excitation.damping) {
        knot.xi = (vibration.bank.xi + picked(knot.xi, vibration.kept)).cwiseMin(0.99);
        vibration.damping.push_back(std::move(knot));
    }
}

std::shared_ptr<const ModalRadiation> radiation_of(const ModalSource& source, const EmissionContext& context) {
    const std::string key = fmt::format("{} {}", fmt::ptr(source.model.get()), fmt::ptr(source.transfer.get()));
    return context.shared.get<ModalRadiation>(key, [&] {
        return source.transfer ? std::make_shared<const ModalRadiation>(*source.model, *source.transfer)
                               : std::make_shared<const ModalRadiation>(*source.model, context.air);
    });
}

Emitter ringing_emitter(const ModalSource& source, Excitation& excitation, const EmissionContext& context,
                        std::vector<std::string>& warnings) {
    Vibration vibration{.source = source, .radiation = radiation_of(source, context)};
    choose_modes(vibration, context, warnings);
    drive(vibration, excitation);
    Emitter emitter{.mechanism = "modal", .path = excitation.path, .centre = vibration.radiation->centre()};
    if (vibration.impulses.empty() || vibration.kept.empty()) return emitter;
    emitter.near_warning =
        fmt::format("is within {} or close to it: its level there is a guess", object_named(source.name));
    const auto shared = std::make_shared<Vibration>(std::move(vibration));
    shared->banks = std::make_shared<const DampedBanks>(shared->bank, shared->damping);
    emitter.emission = [shared, context](const SoundPath& path) { return ringing_emission(shared, path, context); };
    return emitter;
}

Emitter click_emitter(const ModalSource& source, Excitation& excitation, const EmissionContext& context) {
    const std::string key = fmt::format("{} {}", fmt::ptr(source.noise.get()), context.sample_rate);
    Clicks clicks{
        .source = source,
        .pulses = std::move(excitation.pulses),
        .noise = context.shared.get<PreparedNoise>(
            key, [&] { return std::make_shared<const PreparedNoise>(prepare(*source.noise, context.sample_rate)); }),
        .click_angle = context.settings.click_angle};
    Emitter emitter{.mechanism = "acceleration", .path = excitation.path, .centre = clicks.noise->centre};
    if (clicks.pulses.empty()) return emitter;
    emitter.near_warning = fmt::format(
        "comes within {:.2g} m of {}: nearer than that, its click is heard as at this "
        "distance, too quiet by the ratio of the distances or more",
        clicks.noise->reference_radius, object_named(source.name));
    emitter.emission = [shared = std::make_shared<const Clicks>(std::move(clicks))](const SoundPath& path) {
        return click_emission(shared, path);
    };
    return emitter;
}

}  // namespace

std::vector<Emitter> emitters_of(const ModalSource& source, Excitation excitation, const EmissionContext& context,
                                 std::vector<std::string>& warnings) {
    std::vector<Emitter> emitters = {ringing_emitter(source, excitation, context, warnings)};
    if (source.noise) emitters.push_back(click_emitter(source, excitation, context));
    return emitters;
}

io::Fingerprint body_fingerprint(std::string_view algorithm, const Surface& surface, const Material& material) {
    return io::Fingerprint()
        .add("algorithm", algorithm)
        .add("vertices", surface.vertices)
        .add("faces", surface.faces)
        .add("density", material.density)
        .add("young", material.young)
        .add("poisson", material.poisson);
}

}  // namespace clangor
