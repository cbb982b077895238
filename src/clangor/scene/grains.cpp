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
          "They lie there at rest before time 0, each where it rolls down to on those below. Otherwise they hang in "
          "the region until then.",
          "", false, FlagField{&region.settled}},
         {"stopper",
          "With settled: the height of a floor that holds them until time 0 and is gone then, as the stopper of a "
          "funnel.",
          "m", false, NumberField{&region.stopper, place_m}}},
        {},
        {},
        [&region](const Given& given) { return conflicts_of(region, given); }};
}

// What a file says is not filled in.
std::vector<Conflict> conflicts_of(const Grains& grains, const Given& given) {
    std::vector<Conflict> conflicts;
    const bool is_filled = given("fill");
    if (is_filled && !given("count"))
        conflicts.push_back({"fill", "count is missing; say how many grains are filled in"});
    for (const char* const key : {"count", "velocity"})
        if (given(key) && !is_filled)
            conflicts.push_back(
                {key, fmt::format("{} is of grains that are filled in; the file tells it, so leave it out", key)});
    if (given("grains_per_particle") && !given("particles"))
        conflicts.push_back({"grains_per_particle", "grains_per_particle needs particles; leave it out"});
    if (grains.sampled && (given("particles") || given("grid")))
        conflicts.push_back({"sampled",
                             "what is known of an animation is always sampled, with what was learnt from other grains; "
                             "leave it out"});
    return conflicts;
}

}  // namespace

Record record_of(Grains& grains) {
    Record record = {
        "grains",
        "Balls by the thousand that fall, bounce and pile up: beads, sugar, sand. Each collision clicks; those with "
        "other objects make these ring, and grains at rest damp what they lie in. They are too light to move anything "
        "that is fixed. They are filled in and simulated, or a file of another program says what they do.",
        {{"name", "Stems refer to it.", "", true, NameField{&grains.name}},
         {"kind", "What it is.", "", true, ConstantField{"grains"}},
         {"material", "What they are made of.", "", true, MaterialField{&grains.material}},
         {"radius", "Of a grain, the mean.", "m", true, NumberField{&grains.radius, grain_radius_m}},
         {"spread", "Radii lie evenly within this part above and below it.", "", false,
          NumberField{&grains.spread, spread_part}},
         {"fill", "Where they are at the start; they are simulated from there on.", "", false,
          RecordField{[&grains] { return region_record(grains.fill); }}},
         {"count", "With fill: how many there are.", "", false, CountField{&grains.count, 1, 10'000'000}},
         {"velocity", "With fill: of all of them at the start.", "m/s", false,
          VectorField{&grains.velocity, start_m_s}},
         {"collisions",
          "Instead of fill: a file of all their collisions, with each other and with objects that it names, from "
          "another simulator: .csv, .tsv, .txt or .h5.",
          "", false, FileField{&grains.collisions}},
         {"particles",
          "Instead of fill: a file of an animation's particles, with places and velocities for each frame: .csv, .tsv, "
          ".txt or .h5. How often grains meet follows from these.",
          "", false, FileField{&grains.particles}},
         {"grains_per_particle", "With particles: how many grains one of them stands for.", "", false,
          NumberField{&grains.grains_per_particle, {.min = 0, .max = 1e9, .above = true}}},
         {"grid",
          "Instead of fill: a file of a grid of cells, with fill and velocity for each frame: .csv, .tsv, .txt or .h5.",
          "", false, FileField{&grains.grid}},
         {"sampled",
          "With fill or collisions: the collisions that are heard are drawn anew, from how dense those of the run or "
          "file are in time, place, direction and speed.",
          "", false, FlagField{&grains.sampled}}},
        {{"fill", "collisions", "particles", "grid"}},
        {"fill", "collisions", "particles", "grid"},
        [&grains](const Given& given) { return conflicts_of(grains, given); }};
    append(record, contact_fields(grains.friction, grains.restitution));
    record.rules = {.kind = "grains",
                    .no_strike = "is made of grains, which do not ring; strike a solid",
                    .no_listener = "is made of grains, which have no place of their own; leave attached_to out"};
    return record;
}

}  // namespace clangor::scene
