#include <clangor/objects/modal/coupled_sound.hpp>
#include <clangor/objects/modal/emitters.hpp>

#include <fmt/format.h>

namespace clangor {
namespace {

// The modes that ring, and how: those that coupled motion takes, and the others.
struct ChosenModes {
    std::vector<long> alone, coupled;  ///< of the model
    std::vector<long> places;          ///< of the coupled ones in CoupledModes
    Eigen::VectorXd xi;                ///< of all of the model
};

// Modes at or above half the sample rate would fold down; overdamped ones do not ring. Every loss is counted once:
// here the body's own and what its sound takes, in a DampingKnot what it rests on while it does.
ChosenModes chosen_modes(const ModalSource& source, const EmissionContext& context,
                         std::vector<std::string>& warnings) {
    // Pulses are band-limited to this part of the sample rate for modes that move in steps.
    constexpr double stepped_band = 0.42;
    const ModalBody& model = *source.model;
    ChosenModes chosen;
    chosen.xi =
        own_damping(model, source.body->material) + radiation_damping_of(model, source.transfer.get(), context.air);
    std::vector<long> place(size_t(model.omega.size()), -1);
    if (source.coupled)
        for (size_t k = 0; k < source.coupled->modes.size(); ++k) place[size_t(source.coupled->modes[k])] = long(k);
    long too_high = 0, too_damped = 0;
    for (long i = 0; i < model.omega.size(); ++i) {
        if (model.omega[i] >= 0.999 * pi * context.sample_rate) {
            ++too_high;
        } else if (chosen.xi[i] >= 1) {
            ++too_damped;
        } else if (place[size_t(i)] >= 0 && model.omega[i] < 2 * pi * stepped_band * context.sample_rate) {
            chosen.coupled.push_back(i);
            chosen.places.push_back(place[size_t(i)]);
        } else {
            chosen.alone.push_back(i);
        }
    }
    if (too_high > 0)
        warnings.push_back(fmt::format("{}: {} modes at or above half the sample rate were left out",
                                       object_named(source.name), too_high));
    if (too_damped > 0)
        warnings.push_back(fmt::format("{}: {} overdamped modes were left out", object_named(source.name), too_damped));
    return chosen;
}

// Of the modes that are kept.
std::shared_ptr<const GivingWay> giving_of(const std::shared_ptr<const GivingWay>& giving,
                                           const std::vector<long>& kept) {
    if (!giving) return {};
    GivingWay own = *giving;
    own.shape = picked(giving->shape, kept);
    own.drive = picked(giving->drive, kept);
    return std::make_shared<const GivingWay>(std::move(own));
}

// Takes over what the motion does to the body, for the modes that are kept.
void drive(Vibration& vibration, Excitation& excitation) {
    for (ModalImpulse& impulse : excitation.impulses) {
        const bool all = long(vibration.kept.size()) == impulse.impulse.size();  // then nobody else wants any
        vibration.impulses.push_back({impulse.start, impulse.duration, impulse.shape,
                                      all ? std::move(impulse.impulse) : picked(impulse.impulse, vibration.kept),
                                      giving_of(impulse.giving, vibration.kept)});
    }
    for (const DampingKnot& knot : excitation.damping)
        vibration.damping.push_back({knot.sample, (vibration.bank.xi + picked(knot.xi, vibration.kept)).cwiseMin(0.99),
                                     knot.pitch.size() > 0 ? picked(knot.pitch, vibration.kept) : Eigen::VectorXd()});
}

std::shared_ptr<const ModalRadiation> radiation_of(const ModalSource& source, const EmissionContext& context) {
    const std::string key = fmt::format("{} {}", fmt::ptr(source.model.get()), fmt::ptr(source.transfer.get()));
    return context.shared.get<ModalRadiation>(key, [&] {
        return source.transfer ? std::make_shared<const ModalRadiation>(*source.model, *source.transfer)
                               : std::make_shared<const ModalRadiation>(*source.model, context.air);
    });
}

std::shared_ptr<Vibration> vibration_of(const ModalSource& source, std::vector<long> modes, const Eigen::VectorXd& xi,
                                        Excitation& excitation, const EmissionContext& context) {
    const auto vibration = std::make_shared<Vibration>(
        Vibration{.source = source, .kept = std::move(modes), .radiation = radiation_of(source, context)});
    vibration->bank = {picked(source.model->omega, vibration->kept), picked(xi, vibration->kept), context.sample_rate};
    drive(*vibration, excitation);
    return vibration;
}

Emitter emitter_of(const Vibration& vibration, std::string mechanism, const Excitation& excitation) {
    return {.mechanism = std::move(mechanism),
            .path = excitation.path,
            .centre = vibration.radiation->centre(),
            .near_warning = fmt::format("is within {} or close to it: its level there is a guess",
                                        object_named(vibration.source.name))};
}

Emitter ringing_emitter(const std::shared_ptr<Vibration>& vibration, const Excitation& excitation,
                        const EmissionContext& context) {
    Emitter emitter = emitter_of(*vibration, "modal", excitation);
    if (vibration->impulses.empty() || vibration->kept.empty()) return emitter;
    vibration->banks = std::make_shared<const DampedBanks>(vibration->bank, vibration->damping);
    emitter.emission = [vibration, context](const SoundPath& path) {
        return ringing_emission(vibration, path, context);
    };
    return emitter;
}

Emitter coupled_emitter(const std::shared_ptr<Vibration>& vibration, const std::vector<long>& places,
                        const Excitation& excitation, const EmissionContext& context) {
    const CoupledModes& coupled = *vibration->source.coupled;
    Emitter emitter = emitter_of(*vibration, coupled.mechanism, excitation);
    if (vibration->impulses.empty()) return emitter;
    const auto sound = std::make_shared<CoupledSound>(
        vibration, coupled.start(places, vibration->bank.xi, context.sample_rate), context);
    emitter.emission = [sound, context](const SoundPath& path) { return coupled_emission(sound, path, context); };
    emitter.account = [sound] { return sound->account(); };
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
    ChosenModes chosen = chosen_modes(source, context, warnings);
    std::vector<Emitter> emitters;
    const auto vibration = [&](std::vector<long>& modes) {
        return vibration_of(source, std::move(modes), chosen.xi, excitation, context);
    };
    if (!chosen.coupled.empty())
        emitters.push_back(coupled_emitter(vibration(chosen.coupled), chosen.places, excitation, context));
    if (!chosen.alone.empty() || emitters.empty())
        emitters.push_back(ringing_emitter(vibration(chosen.alone), excitation, context));
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
