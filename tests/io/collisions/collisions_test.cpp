#include "io/scratch.hpp"

#include <clangor/io/collisions/collisions.hpp>
#include <clangor/io/file/file.hpp>
#include <clangor/io/model/model.hpp>

#include <doctest/doctest.h>

namespace collisions_test {

using namespace clangor;

namespace {

io::CollisionList two_of_them() {
    return {
        .encounters = {{.time = 0.25, .point = {1, 2, 3}, .normal = {0, 1, 0}, .speed = 0.5, .friction = {0.1, 0, 0}},
                       {.time = 0.5, .point = {4, 5, 6}, .normal = {1, 0, 0}, .speed = 2, .kind = 1}},
        .kinds = {{"glass", "glass"}, {"glass", "bowl"}},
        .radii = {{0.001f, 0.002f}, {0.001f, 0}}};
}

// A file with one dataset other than it should be.
std::string error_of(const std::function<void(io::Hdf5Writer&)>& rest) {
    io::Hdf5Writer file;
    file.write("time", std::vector{0.0, 1.0}, {2}, "s");
    file.write("point", std::vector{0.0, 1.0, 2.0, 3.0, 4.0, 5.0}, {2, 3}, "m");
    rest(file);
    try {
        io::parse_collision_datasets(file.bytes(), "pour.h5");
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("a list of collisions goes to HDF5 and back") {
    const io::CollisionList list = two_of_them();
    const io::CollisionList back = io::parse_collision_datasets(io::collision_datasets(list), "pour.h5");
    REQUIRE(back.encounters.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(back.encounters[i].time == list.encounters[i].time);
        CHECK(back.encounters[i].point == list.encounters[i].point);
        CHECK(back.encounters[i].normal == list.encounters[i].normal);
        CHECK(back.encounters[i].speed == list.encounters[i].speed);
        CHECK((back.encounters[i].friction - list.encounters[i].friction).norm() < 1e-15);
        CHECK(back.encounters[i].kind == list.encounters[i].kind);
    }
    CHECK(back.kinds == list.kinds);
    CHECK(back.radii == list.radii);
    CHECK(io::collision_datasets(back) == io::collision_datasets(list));
}

TEST_CASE("HDF5 or table, by the ending of the name") {
    const test::Scratch scratch;
    io::write_file(scratch / "pour.h5", io::collision_datasets(two_of_them()));
    CHECK(io::read_collisions(scratch / "pour.h5").encounters.size() == 2);
    CHECK_THROWS_AS(io::read_collisions(scratch / "pour.csv"), Error);
}

TEST_CASE("damaged HDF5 lists say what is wrong, and where") {
    const auto normal = [](io::Hdf5Writer& file) {
        file.write("normal", std::vector{0.0, 1.0, 0.0, 0.0, 1.0, 0.0}, {2, 3}, "1");
    };
    CHECK(error_of([](io::Hdf5Writer&) {}) == "pour.h5 has no normal");
    CHECK(error_of([&](io::Hdf5Writer& file) {
              normal(file);
              file.write("speed", std::vector{1.0}, {1}, "m/s");
          }) == "pour.h5 has a speed of 1; give 2");
    CHECK(error_of([&](io::Hdf5Writer& file) {
              normal(file);
              file.write("speed", std::vector{1.0, -1.0}, {2}, "m/s");
          }) == "pour.h5: row 1: the speed of approach must be positive, but is -1 m/s");
    CHECK(error_of([&](io::Hdf5Writer& file) {
              normal(file);
              file.write("speed", std::vector{1.0, std::nan("")}, {2}, "m/s");
          }) == "pour.h5 has a speed that is not finite, in row 1; write it again");
    CHECK(error_of([&](io::Hdf5Writer& file) {
              normal(file);
              file.write("speed", std::vector{1.0, 1.0}, {2}, "m/s");
              file.write("kind", std::vector<std::int32_t>{0, 1}, {2}, "1");
          }) == "pour.h5: row 1: there is no kind 1; count the lines of kinds from 0");
    const std::vector<std::byte> nothing(100);
    CHECK_THROWS_WITH_AS(io::parse_collision_datasets(nothing, "pour.h5"), "pour.h5 is not an HDF5 file", Error);
}

TEST_CASE("a list that was cut short is refused wherever it was cut") {
    const std::vector<std::byte> whole = io::collision_datasets(two_of_them());
    for (std::size_t tenth = 0; tenth < 10; ++tenth)
        CHECK_THROWS_AS(io::parse_collision_datasets(std::span(whole).first(whole.size() * tenth / 10), "pour.h5"),
                        Error);
}

TEST_CASE("animations of grains come from HDF5 as from a table") {
    io::Hdf5Writer file;
    file.write("time", std::vector{0.0, 0.0, 0.1}, {3}, "s");
    file.write("position", std::vector{0.0, 0.0, 0.0, 0.02, 0.0, 0.0, 0.0, 0.04, 0.0}, {3, 3}, "m");
    file.write("velocity", std::vector{0.0, -1.0, 0.0, 0.0, -2.0, 0.0, 0.0, -3.0, 0.0}, {3, 3}, "m/s");
    file.write("fill", std::vector{0.1, 0.2, 0.3}, {3}, "1");
    const std::vector<std::byte> bytes = file.bytes();
    const std::vector<io::FlowFrame> frames = io::parse_particle_datasets(bytes, "pour.h5");
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].velocities(1, 1) == -2);
    const test::Scratch scratch;
    io::write_file(scratch / "pour.h5", bytes);
    const io::FlowGrid grid = io::read_grid(scratch / "pour.h5");
    CHECK(grid.edge == 0.02);
    CHECK(grid.frames[1].fills[0] == 0.3);
    CHECK_THROWS_AS(io::read_particles(scratch / "pour.obj"), Error);

    io::Hdf5Writer damaged;
    damaged.write("time", std::vector{0.0, 0.0}, {2}, "s");
    damaged.write("position", std::vector{0.0, 0.0}, {2}, "m");
    CHECK_THROWS_WITH_AS(io::parse_particle_datasets(damaged.bytes(), "pour.h5"),
                         "pour.h5 has a position of 2; give 2×3", Error);
}

}  // namespace collisions_test
