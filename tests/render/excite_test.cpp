#include <clangor/render/excite.hpp>

#include <clangor/vibration/solid/solid.hpp>

#include <doctest/doctest.h>

using namespace clangor;

TEST_CASE("contact on 6-node faces interpolates quadratic motions exactly") {
    // One straight tetrahedron with mid-edge nodes; the motion is quadratic in space.
    TetMesh linear{Points(4, 3), Cells(1, 4)};
    linear.nodes << 0, 0, 0, 1, 0.1, 0, 0.2, 1.1, 0, 0.1, 0.2, 0.9;
    linear.cells << 0, 1, 2, 3;
    Surface surface{linear.nodes, Triangles(4, 3)};
    surface.faces << 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3;
    io::BakedSolid model;
    model.skin = skin_of(quadratic(linear, surface));
    REQUIRE(model.skin.faces.cols() == 6);
    const auto motion = [](const Vec3& x) {
        return Vec3(x[0] * x[0] - x[1], 2 * x[1] * x[2], x[0] * x[1] + 3 * x[2] * x[2]);
    };
    model.shapes.resize(3 * model.skin.nodes.rows(), 1);
    for (long i = 0; i < model.skin.nodes.rows(); ++i)
        model.shapes.block<3, 1>(3 * i, 0) = motion(model.skin.nodes.row(i).transpose()).cast<float>();
    const ContactFinder contact_at(model);
    for (const Vec3& weights : {Vec3(0.2, 0.3, 0.5), Vec3(0.7, 0.2, 0.1), Vec3(1, 0, 0), Vec3(0.34, 0.33, 0.33)})
        for (int f = 0; f < 4; ++f) {
            Vec3 point = Vec3::Zero();
            for (int i = 0; i < 3; ++i) point += weights[i] * surface.vertices.row(surface.faces(f, i)).transpose();
            const ContactPoint contact = contact_at(point);
            CHECK(contact.distance < 1e-12);
            for (int d = 0; d < 3; ++d)
                CHECK(modal_impulse(model, contact, Vec3::Unit(d))[0] ==
                      doctest::Approx(motion(point)[d]).epsilon(1e-5));  // float shapes
        }
}
