#include "../../icosphere.hpp"

#include <clangor/radiation/transfer/curved_refinement.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace curved_refinement_test {

using namespace clangor;
using clangor::test::Approx;
using modal_transfer::curved_refinement;
using modal_transfer::CurvedRefinement;

namespace {

double legendre_3(double z) { return (5 * z * z * z - 3 * z) / 2; }

/// Worst distance of the refined vertices from the sphere of radius 1, and of P_3 on them.
struct Misses {
    double radius = 0, wave = 0;
};
Misses misses_of_ball(int levels) {
    const Surface given = test::icosphere(1, levels, false);
    Points wave = Points::Zero(given.vertices.rows(), 3);
    for (long v = 0; v < wave.rows(); ++v) wave(v, 0) = legendre_3(given.vertices(v, 2));
    const CurvedRefinement fine = curved_refinement(given, 2);
    const Points refined = fine(wave);
    Misses worst;
    for (long v = 0; v < refined.rows(); ++v) {
        const Vec3 x = fine.surface.vertices.row(v);
        worst.radius = std::max(worst.radius, std::abs(x.norm() - 1));
        worst.wave = std::max(worst.wave, std::abs(refined(v, 0) - legendre_3(x.normalized().z())));
    }
    return worst;
}

}  // namespace

TEST_CASE("a coarse ball and a wave on it are refined to the sixth order of the edges") {
    const Misses coarse = misses_of_ball(2), fine = misses_of_ball(3);
    // Edges of 0.3: chords miss the sphere by e²/8 = 1.1 %, and P_3 by 12 e²/8 of it or so.
    CHECK(coarse.radius < 1e-4);
    CHECK(coarse.wave < 2e-3);
    CHECK(fine.radius < coarse.radius / 32);  // 64 where all triangles are alike
    CHECK(fine.wave < coarse.wave / 32);
}

TEST_CASE("a sheet given by seven edges a wave knows its motion up to its rim") {
    // cos(7πx) cos(2πz), the middles of whose edges are off by 1 − cos(7π/48) = 10 % if they are straight. On and
    // beside the rim, where corners leave one parabola, by up to (7π/24)³/16 = 4.8 %.
    constexpr int side = 24;
    Surface sheet{Points((side + 1) * (side + 1), 3), Triangles(2 * side * side, 3)};
    for (int i = 0; i <= side; ++i)
        for (int j = 0; j <= side; ++j) sheet.vertices.row(i * (side + 1) + j) << double(i) / side, 0, double(j) / side;
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            const int v = i * (side + 1) + j, w = v + side + 1, face = 2 * (i * side + j);
            sheet.faces.row(face) << v, v + 1, w;
            sheet.faces.row(face + 1) << v + 1, w + 1, w;
        }
    const auto wave = [](const Points& at) {
        Points shape = Points::Zero(at.rows(), 3);
        shape.col(1) = (7 * pi * at.col(0)).array().cos() * (2 * pi * at.col(2)).array().cos();
        return shape;
    };
    const CurvedRefinement fine = curved_refinement(sheet, 1);
    const Points missed = fine(wave(sheet.vertices)) - wave(fine.surface.vertices);
    double on_rim = 0, beside = 0, within = 0;
    for (long v = 0; v < missed.rows(); ++v) {
        const Vec3 x = fine.surface.vertices.row(v);
        CHECK(std::abs(x.y()) < 1e-15);
        const double from_rim = side * std::min({x.x(), 1 - x.x(), x.z(), 1 - x.z()});
        double& worst = from_rim < 0.1 ? on_rim : from_rim < 2.1 ? beside : within;
        worst = std::max(worst, missed.row(v).norm());
    }
    CHECK(on_rim < 0.048);
    CHECK(beside < 0.048);
    CHECK(within < 0.003);
}

TEST_CASE("given vertices stay, and so do flat faces, sharp edges and linear motions") {
    const Surface box = remeshing::refined(surface_of(Box{.size = {0.06, 0.04, 0.03}}), 0.01);
    const CurvedRefinement fine = curved_refinement(box, 1);
    CHECK(fine.surface.faces.rows() == 4 * box.faces.rows());
    CHECK(fine.surface.vertices.topRows(box.vertices.rows()) == box.vertices);
    CHECK(mass_properties(fine.surface).volume == Approx(0.06 * 0.04 * 0.03).epsilon(1e-12));
    CHECK(area_of(fine.surface) == Approx(area_of(box)).epsilon(1e-12));
    const Points turned = fine(Points(box.vertices.rowwise().reverse()));
    CHECK((turned - fine.surface.vertices.rowwise().reverse()).cwiseAbs().maxCoeff() < 1e-15);
}

TEST_CASE("a cylinder of 24 sides becomes round, and its ends stay flat") {
    // A prism of 24 sides has sin(15°)/(15°) = 0.9886 of the cylinder's volume.
    const double radius = 0.02, height = 0.03;
    const int sides = 24, rows = 6;
    Surface prism{Points(sides * (rows + 1) + 2, 3), Triangles(2 * sides * (rows + 1), 3)};
    int row = 0;
    const auto at = [&](int i, int j) { return i * sides + j % sides; };
    for (int i = 0; i <= rows; ++i)
        for (int j = 0; j < sides; ++j) {
            const double phi = 2 * pi * j / sides;
            prism.vertices.row(at(i, j)) << radius * std::cos(phi), radius * std::sin(phi), height * i / rows;
            if (i < rows) {
                prism.faces.row(row++) << at(i, j), at(i, j + 1), at(i + 1, j + 1);
                prism.faces.row(row++) << at(i, j), at(i + 1, j + 1), at(i + 1, j);
            }
        }
    const int bottom = sides * (rows + 1), top = bottom + 1;
    prism.vertices.row(bottom) << 0, 0, 0;
    prism.vertices.row(top) << 0, 0, height;
    for (int j = 0; j < sides; ++j) {
        prism.faces.row(row++) << bottom, at(0, j + 1), at(0, j);
        prism.faces.row(row++) << top, at(rows, j), at(rows, j + 1);
    }
    REQUIRE(mass_properties(prism).volume == Approx(0.9886 * pi * square(radius) * height).epsilon(1e-4));
    const Surface round = curved_refinement(prism, 2).surface;
    CHECK(round.vertices.col(2).minCoeff() > -1e-12 * height);
    CHECK(round.vertices.col(2).maxCoeff() == Approx(height).epsilon(1e-12));
    // 96 sides: 0.99929; where the wall meets the ends it is curved as it is further in.
    CHECK(mass_properties(round).volume == Approx(0.99929 * pi * square(radius) * height).epsilon(5e-4));
}

}  // namespace curved_refinement_test
