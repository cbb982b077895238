#include <clangor/scene/supports.hpp>

#include <fmt/format.h>

namespace clangor::scene {
namespace {

constexpr Range patch_m = {.min = 0, .max = 1e4, .above = true};

std::vector<Conflict> conflicts_of(const Support& support, const Given& given) {
    std::vector<Conflict> conflicts;
    const auto needs = [&](const char* key, const char* other) {
        if (given(key) && !given(other))
            conflicts.push_back(
                {key, fmt::format("{} goes with {}, which is not given; give it, or leave {} out", key, other, key)});
    };
    if (given("side") && support.side == Side::None)
        conflicts.push_back({"side", "a support on no side holds nothing; name a side such as \"-x\", or give at"});
    needs("radius", "at");
    needs("beyond", "at");
    needs("depth", "side");
    const bool is_felt = support.kind == SupportKind::Felt;
    if (is_felt && !(support.stiffness > 0))
        conflicts.push_back({"stiffness",
                             "felt without a stiffness holds nothing; give it per area, in N/m³: 1e7 for a soft pad, "
                             "1e9 for a few millimetres of hard felt"});
    for (const char* const key : {"stiffness", "loss_factor"})
        if (!is_felt && given(key))
            conflicts.push_back({key, fmt::format("{} is that of felt; leave it out, or set \"kind\": \"felt\"", key)});
    if (support.kind == SupportKind::Pinned && given("beyond"))
        conflicts.push_back(
            {"beyond", "what is pinned can turn about a point or a side, not about all beyond a radius; clamp it"});
    return conflicts;
}

}  // namespace

Record record_of(Support& support) {
    const auto choose_kind = [&support](std::size_t i) { support.kind = static_cast<SupportKind>(i); };
    const auto choose_side = [&support](std::size_t i) { support.side = static_cast<Side>(i); };
    return {"support",
            "Holds a patch of the surface: around a point, beyond a radius about it, or on one side.",
            {{"kind",
              "clamped: the patch does not move. pinned: it stays in its place, but may turn, about the point or about "
              "the side's longest line. felt: a layer of springs with losses; also cords, rubber feet and foam.",
              "", true, ChoiceField{{"clamped", "pinned", "felt"}, choose_kind}},
             {"at", "A point in the body's own frame after scaling; the closest point of the surface is meant.", "m",
              false, OptionalVectorField{&support.at, place_m}},
             {"radius", "Of the patch around the point; 0 takes a hundredth of the body's longest side.", "m", false,
              NumberField{&support.radius, patch_m, false, true}},
             {"beyond", "Instead of a radius: all of the surface that is farther away from the point than this.", "m",
              false, NumberField{&support.beyond, patch_m, false, true}},
             {"side", "The side of the body, in its own axes.", "", false,
              ChoiceField{{"none", "-x", "+x", "-y", "+y", "-z", "+z"}, choose_side}},
             {"depth", "How far in from the side the patch reaches, all around; 0 takes the face itself.", "m", false,
              NumberField{&support.depth, patch_m, false, true}},
             {"stiffness",
              "Of felt, per area: pressure over the depth to which it presses. Half as much along the surface.", "N/m³",
              false, NumberField{&support.stiffness, {.min = 0, .max = 1e15}}},
             {"loss_factor", "Of felt, η of its springs.", "", false,
              NumberField{&support.loss_factor, {.min = 0, .max = 2}}}},
            {{"at", "side"}, {"radius", "beyond"}},
            {"at", "side"},
            [&support](const Given& given) { return conflicts_of(support, given); }};
}

Field supports_field(std::vector<Support>& supports) {
    const auto append_support = [&supports](std::size_t) { return record_of(supports.emplace_back()); };
    return {"supports", "What holds it. Its modes are those of the body as it is held, and it stays where it is.", "",
            false, ListField{"support", 1, {}, append_support}};
}

}  // namespace clangor::scene
