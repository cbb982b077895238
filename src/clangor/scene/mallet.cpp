#include <clangor/scene/mallet.hpp>

#include <algorithm>
#include <array>

namespace clangor::scene {
namespace {

// Chosen: sizes and masses of the heads of small percussion mallets, a knitting needle's worth of stick not counted.
constexpr auto presets = std::to_array<MalletPreset>({
    {"steel", 0.030, 0.010, 0.5, "a ball of steel"},
    {"wood", 0.015, 0.012, 1.0, "a ball of maple, as for xylophones"},
    {"rubber", 0.020, 0.012, 1.5, "soft rubber, as for a vibraphone"},
    {"felt", 0.030, 0.018, 1.5, "felt, as for gongs and singing bowls"},
    {"finger", 0.012, 0.008, 0.6, "a fingertip, with the part of the finger that follows it"},
});

// Words for a family of materials that mean one of them in the hand of a player.
constexpr std::string_view wood = "wood", wood_of_mallets = "maple";

}  // namespace

Record record_of(Mallet& mallet) {
    return {
        "mallet",
        "A ball that flies freely against the object: the head of a mallet, or a fingertip. How long it touches, how "
        "often, and what it gives follow from its mass, speed and softness.",
        {{"mass", "Of its head, with the part of the stick or hand that follows it.", "kg", true,
          NumberField{&mallet.mass, {.min = 0, .max = 1000, .above = true}}},
         {"radius", "Of its head where it strikes; no larger than the object.", "m", true,
          NumberField{&mallet.radius, {.min = 0, .max = 100, .above = true}}},
         {"material", "Of its head: softer is duller. steel, wood (maple), rubber, felt, finger, or any other.", "",
          true, MaterialField{&mallet.material, mallet_material}},
         {"speed", "At which it meets the object.", "m/s", true,
          NumberField{&mallet.speed, {.min = 0, .max = 1000, .above = true}}},
         {"direction", "In which it moves and pushes, in the object's own frame; left out: straight into the surface.",
          "", false, OptionalVectorField{&mallet.direction, {.min = -1e6, .max = 1e6}}}},
        {},
        {},
        [&mallet](const Given&) {
            std::vector<Conflict> conflicts;
            if (mallet.direction && mallet.direction->isZero(0))
                conflicts.push_back({"direction",
                                     "direction must not be zero; leave it out for a stroke straight into the "
                                     "surface"});
            return conflicts;
        }};
}

std::span<const MalletPreset> mallet_presets() { return presets; }

std::optional<Material> mallet_material(std::string_view name) {
    return find_material(name == wood ? wood_of_mallets : name);
}

std::optional<Mallet> preset_mallet(std::string_view name) {
    const auto found = std::ranges::find(presets, name, &MalletPreset::name);
    if (found == presets.end()) return std::nullopt;
    return Mallet{
        .mass = found->mass, .radius = found->radius, .material = mallet_material(name).value(), .speed = found->speed};
}

}  // namespace clangor::scene
