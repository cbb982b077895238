// A small model that fits together, for tests of files.
#pragma once

#include <clangor/objects/modal/modal.hpp>

namespace clangor::test {

/// A tetrahedron's skin of 6-node faces; numbers that are easy to tell apart.
inline ModalBody small_model(int modes, const std::string& key) {
    ModalBody model;
    model.name = "Glöckchen";
    model.inputs_hash = key;
    model.material = {.name = "bronze",
                      .density = 8800,
                      .young = 1.1e11,
                      .poisson = 0.34,
                      .damping = {.alpha = 1, .beta = 1e-8, .gamma = 0},
                      .source = "measured"};
    model.mass = {.volume = 1e-4, .centre = {0.1, 0.2, 0.3}, .inertia = Mat3::Identity() * 2e-8};
    model.mass.inertia(0, 1) = model.mass.inertia(1, 0) = 1e-9;
    model.skin.nodes = Points::Random(10, 3);
    model.skin.faces =
        (Cells(4, 6) << 0, 2, 1, 6, 5, 4, 0, 1, 3, 4, 8, 7, 1, 2, 3, 5, 9, 8, 2, 0, 3, 6, 7, 9).finished();
    model.skin.mesh_nodes = {3, 1, 4, 10, 5, 9, 2, 6, 50, 35};
    model.omega = Eigen::VectorXd::LinSpaced(modes, 1000, 90000);
    model.residuals = Eigen::VectorXd::Constant(modes, 1e-10);
    model.shapes = Eigen::MatrixXf::Random(30, modes);
    model.compact = {.positions = Points::Random(10, 3),
                     .radii = Eigen::VectorXd::Constant(10, 0.01),
                     .strengths = Eigen::MatrixXf::Random(10, modes),
                     .centre = {0.01, 0.02, 0.03},
                     .radius = 0.5};
    model.min_hz = 20;
    model.max_hz = 20000;
    model.degrees_of_freedom = 12345;
    model.elements = 678;
    model.messages = {"welded 3 vertices", "the surface was open"};
    return model;
}

}  // namespace clangor::test
