#include <clangor/objects/modal/modal.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <io/scratch.hpp>
#include <objects/modal/models.hpp>

#include <cstring>
#include <limits>
#include <random>

namespace modal_body_test {

using namespace clangor;
using clangor::test::Approx;
using test::message_of;
using test::Scratch;
using test::small_model;

namespace {

const std::string key(64, 'a');

std::string reading(std::span<const std::byte> bytes) {
    return message_of<Error>([&] { io::baked_from_bytes<ModalBody>(bytes, "bell.h5"); });
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// A seal that fits, so that what is inside gets read.
std::vector<std::byte> with_seal(std::vector<std::byte> image) {
    const std::uint64_t sum = io::checksum(image);
    const std::string_view seal = "clangor checksum";
    const auto letters = std::as_bytes(std::span(seal));
    image.insert(image.end(), letters.begin(), letters.end());
    const auto digits = std::as_bytes(std::span(&sum, 1));
    image.insert(image.end(), digits.begin(), digits.end());
    return image;
}

}  // namespace

TEST_CASE("a model comes back as it was written") {
    const Scratch scratch;
    for (const int modes : {3, 400, 0}) {
        ModalBody model = small_model(modes, key);
        model.material.damping = {.losses = {{100, 0.01}, {1000, 0.02}}};
        model.material.thermal = {.expansion = 1e-5, .heat_capacity = 400, .conductivity = 50};
        model.wall_thickness = 0.003;
        model.support_share = Eigen::VectorXd::LinSpaced(modes, 0, 1);
        model.support_loss = 0.1 * model.support_share;
        io::write_baked(scratch / "bell.h5", model);
        const ModalBody back = io::read_baked<ModalBody>(scratch / "bell.h5");
        CHECK(back.name == model.name);
        CHECK(back.inputs_hash == key);
        CHECK(back.material.name == model.material.name);
        CHECK(back.material.density == model.material.density);
        CHECK(back.material.young == model.material.young);
        CHECK(back.material.poisson == model.material.poisson);
        CHECK(back.material.damping.alpha == model.material.damping.alpha);
        CHECK(back.material.damping.beta == model.material.damping.beta);
        CHECK(back.material.damping.loss_factor == model.material.damping.loss_factor);
        REQUIRE(back.material.damping.losses.size() == 2);
        CHECK(back.material.damping.losses[1].hz == 1000);
        CHECK(back.material.damping.losses[1].loss_factor == 0.02);
        CHECK(back.material.thermal.conductivity == model.material.thermal.conductivity);
        CHECK(back.wall_thickness == model.wall_thickness);
        CHECK(back.support_share == model.support_share);
        CHECK(back.support_loss == model.support_loss);
        CHECK(back.material.source == model.material.source);
        CHECK(back.mass.volume == model.mass.volume);
        CHECK(back.mass.centre == model.mass.centre);
        CHECK(back.mass.inertia == model.mass.inertia);
        CHECK(back.skin.nodes == model.skin.nodes);
        CHECK(back.skin.faces == model.skin.faces);
        CHECK(back.skin.mesh_nodes == model.skin.mesh_nodes);
        CHECK(back.omega == model.omega);
        CHECK(back.residuals == model.residuals);
        CHECK(back.shapes == model.shapes);
        CHECK(back.compact.positions == model.compact.positions);
        CHECK(back.compact.radii == model.compact.radii);
        CHECK(back.compact.strengths == model.compact.strengths);
        CHECK(back.compact.centre == model.compact.centre);
        CHECK(back.compact.radius == model.compact.radius);
        CHECK(back.min_hz == model.min_hz);
        CHECK(back.max_hz == model.max_hz);
        CHECK(back.degrees_of_freedom == model.degrees_of_freedom);
        CHECK(back.elements == model.elements);
        CHECK(back.messages == model.messages);
    }
}

TEST_CASE("modes that only contacts feel come back as they were written, and stand behind those that are heard") {
    const Scratch scratch;
    ModalBody model = small_model(3, key);
    model.support_share = model.support_loss = Eigen::Vector3d(0.1, 0.2, 0.3);
    model.unheard = {.omega = Eigen::Vector2d(91000, 95000),
                     .support_share = Eigen::Vector2d(0.4, 0.5),
                     .support_loss = Eigen::Vector2d(0.04, 0.05),
                     .shapes = Eigen::MatrixXf::Random(30, 2)};
    io::write_baked(scratch / "bell.h5", model);
    const auto back = std::make_shared<const ModalBody>(io::read_baked<ModalBody>(scratch / "bell.h5"));
    CHECK(back->unheard.omega == model.unheard.omega);
    CHECK(back->unheard.support_share == model.unheard.support_share);
    CHECK(back->unheard.support_loss == model.unheard.support_loss);
    CHECK(back->unheard.shapes == model.unheard.shapes);

    const ModalMobility mobility = mobility_of(back, model.material);
    REQUIRE(mobility.omega.size() == 5);
    CHECK(mobility.omega.head(3) == model.omega);
    CHECK(mobility.xi.head(3) == own_damping(model, model.material));
    // ξ = ½βω beside little else, of which the supports leave half, and their own.
    CHECK(mobility.xi[4] == Approx(0.5 * (0.5 / 95000 + 0.5e-8 * 95000) + 0.025).epsilon(1e-9));
    // A force at the first corner of the first face moves each mode by its shape there.
    const ContactPoint corner{.face = 0, .barycentric = {1, 0, 0}};
    const Eigen::VectorXd given = mobility.modal_impulse(corner, {0, 2, 0});
    CHECK(given[1] == Approx(2 * double(model.shapes(3L * model.skin.faces(0, 0) + 1, 1))).epsilon(1e-6));
    CHECK(given[4] == Approx(2 * double(model.unheard.shapes(3L * model.skin.faces(0, 0) + 1, 1))).epsilon(1e-6));
}

TEST_CASE("two identical models make identical bytes") {
    const ModalBody model = small_model(50, key);
    CHECK(io::bytes_of_baked(model) == io::bytes_of_baked(ModalBody(model)));
}

TEST_CASE("other programs see datasets with units, one row per mode") {
    const std::vector<std::byte> bytes = io::bytes_of_baked(small_model(7, key));
    const io::Hdf5Reader file(bytes);  // the seal at the end is not in the way
    const auto shapes = file.floats("modes/shapes");
    CHECK(shapes.dims == std::vector<std::uint64_t>{7, 10, 3});
    CHECK(file.description("format") == "clangor model");
    CHECK(file.doubles("skin/nodes").dims == std::vector<std::uint64_t>{10, 3});
}

TEST_CASE("damage anywhere is noticed") {
    const std::vector<std::byte> good = io::bytes_of_baked(small_model(20, key));
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> bad = good;
        bad[random() % bad.size()] ^= std::byte(1 << random() % 8);
        const std::string message = reading(bad);
        CHECK(contains(message, "bell.h5 is "));
        CHECK(contains(message, "Bake it again"));
    }
    for (int i = 0; i < 50; ++i) CHECK(contains(reading(std::span(good).first(random() % good.size())), "bell.h5 is "));
}

TEST_CASE("foreign files are refused, whatever they hold") {
    CHECK(contains(reading({}), "no Clangor model"));
    const std::string text = "v 0 0 0\n";
    CHECK(contains(reading(std::as_bytes(std::span(text))), "no Clangor model"));

    io::Hdf5Writer other;
    other.describe("format", "something else");
    CHECK(contains(reading(other.bytes()), "no Clangor model"));
    CHECK(contains(reading(with_seal(other.bytes())), "HDF5 file, but no Clangor model"));
    CHECK(contains(reading(with_seal({})), "not an HDF5 file"));

    io::Hdf5Writer newer;
    newer.describe("format", "clangor model");
    newer.describe("schema_version", "3");
    CHECK(contains(reading(with_seal(newer.bytes())), "version 3"));

    io::Hdf5Writer empty;
    empty.describe("format", "clangor model");
    empty.describe("schema_version", "2");
    CHECK(contains(reading(with_seal(empty.bytes())), "has no name"));
}

TEST_CASE("a model whose parts do not fit is told apart from one that does") {
    const ModalBody good = small_model(4, key);
    CHECK(problems_of(good).empty());
    const auto broken = [&](const auto& change) {
        ModalBody model = good;
        change(model);
        return problems_of(model).size();
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(broken([](ModalBody& m) { m.omega[2] = m.omega[3] + 1; }) == 1);
    CHECK(broken([](ModalBody& m) { m.omega[0] = 0; }) == 1);
    CHECK(broken([&](ModalBody& m) { m.omega[3] = nan; }) == 1);
    CHECK(broken([&](ModalBody& m) { m.shapes(3, 1) = static_cast<float>(nan); }) == 1);
    CHECK(broken([](ModalBody& m) { m.skin.faces(1, 2) = 10; }) == 1);
    CHECK(broken([](ModalBody& m) { m.skin.faces(1, 2) = -1; }) == 1);
    CHECK(broken([](ModalBody& m) { m.skin.mesh_nodes.pop_back(); }) == 1);
    CHECK(broken([](ModalBody& m) { m.compact.radii[4] = 0; }) == 1);
    CHECK(broken([](ModalBody& m) { m.compact.strengths.conservativeResize(9, 4); }) == 1);
    CHECK(broken([](ModalBody& m) { m.material.density = -1; }) == 1);
    CHECK(broken([](ModalBody& m) { m.mass.volume = -1; }) == 1);
    CHECK(broken([](ModalBody& m) { m.support_share = Eigen::VectorXd::Zero(3); }) == 1);
    CHECK(broken([&](ModalBody& m) { m.wall_thickness = nan; }) == 1);
    CHECK(broken([](ModalBody& m) {
              m.unheard = {Eigen::Vector2d(2e5, 1e5), {}, {}, Eigen::MatrixXf::Zero(30, 2)};
          }) == 1);
    CHECK(broken([](ModalBody& m) { m.unheard.omega = Eigen::Vector2d(1e5, 2e5); }) == 1);
    CHECK(broken([](ModalBody& m) { m.unheard.support_share = Eigen::Vector2d(0, 0); }) == 1);
}

TEST_CASE("a mode's own losses add up by energy: the material's share, heat's in it, and the felt's") {
    ModalBody model = small_model(2, key);
    Material metal{.density = 2700, .young = 70e9, .poisson = 0.3, .damping = {.loss_factor = 1e-3}};
    CHECK(own_damping(model, metal)[0] == 0.5e-3);
    metal.thermal = {.expansion = 23e-6, .heat_capacity = 900, .conductivity = 237};
    model.wall_thickness = 0.5e-3;
    const double heat = thermoelastic_loss(metal, 0.5e-3, model.omega[1]);
    CHECK(heat > 1e-5);
    CHECK(own_damping(model, metal)[1] == clangor::test::Approx(0.5 * (1e-3 + heat)));
    // A quarter of the energy of the second mode is in felt of η = 0.4.
    model.support_share = Eigen::Vector2d(0, 0.25);
    model.support_loss = Eigen::Vector2d(0, 0.1);
    CHECK(own_damping(model, metal)[1] == clangor::test::Approx(0.5 * (0.75 * (1e-3 + heat) + 0.1)));
    // Rayleigh's coefficients without either are what they always were.
    CHECK(own_damping(small_model(2, key), {.damping = {.alpha = 3, .beta = 1e-7}})[0] ==
          damping_ratio({.alpha = 3, .beta = 1e-7}, model.omega[0]));
}

}  // namespace modal_body_test
