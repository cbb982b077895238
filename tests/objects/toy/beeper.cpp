#include <objects/toy/beeper.hpp>

#include <clangor/objects/objects.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

namespace clangor::scene {

Record record_of(Beeper& beeper) {
    Record record = {"beeper",
                     "A point that makes the same tone in all directions, once.",
                     {{"name", "Stems refer to it.", "", true, NameField{&beeper.name}},
                      {"kind", "What it is.", "", true, ConstantField{"beeper"}},
                      {"position", "Where it is.", "m", false, VectorField{&beeper.position, place_m}},
                      {"hz", "Of its tone.", "Hz", false, NumberField{&beeper.hz, {.min = 20, .max = 20e3}}},
                      {"amplitude", "Of the pressure, 1 m away.", "Pa", false,
                       NumberField{&beeper.amplitude, {.min = 0, .max = 1e3}}},
                      {"start", "When it begins.", "s", false, NumberField{&beeper.start, clip_s}},
                      {"duration", "How long it lasts.", "s", false, NumberField{&beeper.duration, clip_s}}}};
    record.rules = {.kind = "beeper", .no_strike = "is a beeper, which does not ring; strike a solid"};
    return record;
}

namespace {

// p(t) = A/r sin 2πf(t − t₀) along one path, r from the source to the capsule for what is emitted at t.
Emission beep(const Beeper& beeper, const SoundPath& path, double sample_rate) {
    const double end = beeper.start + beeper.duration;
    const auto made = std::make_shared<double>(0);  // up to this time
    return {.next =
                [=](long first, std::span<float> out) {
                    for (size_t k = 0; k < out.size(); ++k) {
                        const double t = double(first + long(k)) / sample_rate;
                        const double r = (capsule_for(path, t) - path.centre).norm();
                        const double phase = 2 * pi * beeper.hz * (t - beeper.start);
                        out[k] = t < beeper.start || t > end ? 0.f : float(beeper.amplitude / r * std::sin(phase));
                        *made = t;
                    }
                },
            .over = [=] { return *made > end; }};
}

}  // namespace

SoundingObject sounding(const Beeper& beeper, BakeContext& bake) {
    if (while_baking) while_baking(beeper, bake);
    SoundingObject object;
    object.name = beeper.name;
    object.path = [place = beeper.position]() -> io::ImportedPath {
        return {at_rest(Eigen::Isometry3d(Eigen::Translation3d(place))), {}};
    };
    object.emitters = [beeper](Excitation excitation, const EmissionContext& context, std::vector<std::string>&) {
        return std::vector<Emitter>{{.mechanism = "beep",
                                     .path = excitation.path,
                                     .emission = [beeper, rate = context.sample_rate](const SoundPath& path) {
                                         return beep(beeper, path, rate);
                                     }}};
    };
    object.report = [hz = beeper.hz](nlohmann::json& entry) { entry["hz"] = hz; };
    return object;
}

}  // namespace clangor::scene
