#include <clangor/render/collisions_file.hpp>

#include <doctest/doctest.h>

#include <io/scratch.hpp>

namespace collisions_file_test {

using namespace clangor;
using test::message_of;
using test::Scratch;

namespace {

BakedCollisions some() {
    BakedCollisions collisions{.name = "the scene", .inputs_hash = std::string(64, 'a'), .bodies = 3};
    for (int i = 0; i < 3; ++i) {
        Impact impact{.time = 0.1 * i, .impulse = {1.0 * i, 2, 3}, .approach_speed = 0.5 + i, .sides = {}};
        impact.sides[0] = {i, {1, 2, 3}, {0, 1, 0}, {4, 5, 6.0 + i}};
        impact.sides[1] = {i == 2 ? -1 : 2, {7, 8, 9}, {0, 0, -1}, {-4, -5, -6}};
        collisions.impacts.push_back(impact);
    }
    Touch touch{
        .time = 0.2, .duration = 0.01, .impulse = {0, 1, 0}, .slip_speed = 0.3, .travel_speed = 0.4, .sides = {}};
    touch.sides[0].body = 1;
    touch.sides[1].body = 0;
    collisions.touches = {touch};
    collisions.messages = {"one", "two"};
    return collisions;
}

}  // namespace

TEST_CASE("a collision record comes back from its file as it was, also where there is nothing in it") {
    const BakedCollisions known = some(),
                          read = io::baked_from_bytes<BakedCollisions>(io::bytes_of_baked(known), "a.h5");
    CHECK(read.inputs_hash == known.inputs_hash);
    CHECK(read.messages == known.messages);
    REQUIRE(read.impacts.size() == 3);
    REQUIRE(read.touches.size() == 1);
    for (size_t i = 0; i < 3; ++i) {
        CHECK(read.impacts[i].time == known.impacts[i].time);
        CHECK(read.impacts[i].impulse == known.impacts[i].impulse);
        CHECK(read.impacts[i].approach_speed == known.impacts[i].approach_speed);
        for (size_t s = 0; s < 2; ++s) {
            CHECK(read.impacts[i].sides[s].body == known.impacts[i].sides[s].body);
            CHECK(read.impacts[i].sides[s].point == known.impacts[i].sides[s].point);
            CHECK(read.impacts[i].sides[s].normal == known.impacts[i].sides[s].normal);
            CHECK(read.impacts[i].sides[s].impulse == known.impacts[i].sides[s].impulse);
        }
    }
    CHECK(read.touches[0].duration == 0.01);
    CHECK(read.touches[0].slip_speed == 0.3);
    CHECK(read.touches[0].travel_speed == 0.4);
    const BakedCollisions none{.name = "the scene", .inputs_hash = "b"};
    CHECK(io::baked_from_bytes<BakedCollisions>(io::bytes_of_baked(none), "b.h5").impacts.empty());
    CHECK(io::bytes_of_baked(known) == io::bytes_of_baked(some()));
}

TEST_CASE("collisions that make no sense are not taken from the cache") {
    const auto problem = [](const auto& spoil) {
        BakedCollisions collisions = some();
        spoil(collisions);
        const std::vector<std::string> problems = problems_of(collisions);
        return problems.empty() ? "" : problems[0];
    };
    CHECK(problem([](BakedCollisions&) {}) == "");
    CHECK(problem([](BakedCollisions& c) { c.impacts[1].sides[0].normal.y() = NAN; }) ==
          "the impacts hold values that are not finite");
    CHECK(problem([](BakedCollisions& c) { c.touches[0].sides[1].body = 3; }) ==
          "the touches name bodies that are not there");
    CHECK(problem([](BakedCollisions& c) { std::swap(c.impacts[0], c.impacts[1]); }) ==
          "the impacts are not in the order of time");
}

TEST_CASE("a damaged collision record, or another's, is reported and not loaded") {
    const Scratch scratch;
    const io::Cache cache{scratch / "cache"};
    const BakedCollisions known = some();
    CHECK(io::store(cache, known) == "");
    CHECK(io::load<BakedCollisions>(cache, known.inputs_hash).found->impacts.size() == 3);
    const std::string other(64, 'b');
    const auto entry = [&](const std::string& key) { return cache.folder / (key + ".collisions.h5"); };
    std::filesystem::copy_file(entry(known.inputs_hash), entry(other));
    CHECK(io::load<BakedCollisions>(cache, other).warning ==
          entry(other).string() + " holds another collision record than its name says. It is baked again.");
    std::filesystem::resize_file(entry(known.inputs_hash), 1000);
    const io::CacheLookup<BakedCollisions> cut = io::load<BakedCollisions>(cache, known.inputs_hash);
    CHECK_FALSE(cut.found);
    CHECK(cut.warning == "the cache is damaged: " + entry(known.inputs_hash).string() +
                             " is no Clangor collision record, or is cut short. Bake it again.");
}

}  // namespace collisions_file_test
