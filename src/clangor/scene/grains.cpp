#include <clangor/scene/grains.hpp>

#include <fmt/format.h>

namespace clangor::scene {
namespace {

constexpr Range grain_radius_m = {.min = 1e-6, .max = 1};
constexpr Range spread_part = {.min = 0, .max = 1, .below = true};
constexpr Range start_m_s = {.min = -1e4, .max = 1e4};

std::vector<Conflict> conflicts_of(const GrainRegion& region, const Given& given) {
    std::vector<Conflict> conflicts;
    if (!(region.size.minCoeff() > 0))
        conflicts.push_back(
            {"size", "size must be positive along each axis: it is how wide, high and deep the region is"});
    if (given("stopper") && !region.settled)
        conflicts.push_back({"stopper",
                             "a stopper holds grains while they settle, before time 0; set \"settled\": true, or leave "
                             "it out"});
    return conflicts;
}

Record region_record(GrainRegion& region) {
    return {
        "fill",
        "Where grains are at the start: at random in a region, wherever nothing else is.",
        {{"position", "The middle of the region.", "m", true, VectorField{&region.position, place_m}},
         {"size", "How wide, high and deep the region is.", "m", true, VectorField{&region.size, place_m}},
         {"round", "Only the upright cylinder that fits into the region, elliptic where it is wider than deep.", "",
          false, FlagField{&region.round}},
         {"settled",
          "They have fallen and come to rest before time 0, layer by layer where they do not fit at once. Otherwise "
          "they hang in the region until then.",
          "", false, FlagField{&region.settled}},
         {"stopper",
          "With settled: the height of a floor that holds them until time 0 and is gone then, as the stopper of a "
          "funnel.",
          "m", false, NumberField{&region.stopper, place_m}}},
        {},
        {},
        [&region](const Given& given) { return conflicts_of(region, given); }};
}

}  // namespace

Record record_of(Grains& grains) {
    Record record = {
        "grains",
        "Balls by the thousand that fall, bounce and pile up: beads, sugar, sand. Each collision clicks; those with "
        "other objects make these ring, and grains at rest damp what they lie in. They are too light to move anything "
        "that is fixed, and those of one object do not meet those of another.",
        {{"name", "Stems refer to it.", "", true, NameField{&grains.name}},
         {"kind", "What it is.", "", true, ConstantField{"grains"}},
         {"material", "What they are made of.", "", true, MaterialField{&grains.material}},
         {"radius", "Of a grain, the mean.", "m", true, NumberField{&grains.radius, grain_radius_m}},
         {"spread", "Radii lie evenly within this part above and below it.", "", false,
          NumberField{&grains.spread, spread_part}},
         {"count", "How many there are.", "", true, CountField{&grains.count, 1, 10'000'000}},
         {"fill", "Where they are at the start.", "", true,
          RecordField{[&grains] { return region_record(grains.fill); }}},
         {"velocity", "Of all of them at the start.", "m/s", false, VectorField{&grains.velocity, start_m_s}}}};
    append(record, contact_fields(grains.friction, grains.restitution));
    record.rules = {.kind = "grains",
                    .no_strike = "is made of grains, which do not ring; strike a solid",
                    .no_listener = "is made of grains, which have no place of their own; leave attached_to out"};
    return record;
}

}  // namespace clangor::scene
