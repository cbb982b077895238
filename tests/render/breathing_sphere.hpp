// A ball whose only mode is the breathing one, uniform over the surface: u = n s. Everything about its sound is known.
#pragma once

#include <clangor/render/render.hpp>

namespace clangor::test {

inline io::BakedSolid breathing_sphere(double radius, double hz, double s) {
    const Surface surface = surface_of(Sphere{radius});
    io::BakedSolid model;
    model.name = "ball";
    model.skin.nodes = surface.vertices;
    model.skin.faces = surface.faces;
    model.omega = Eigen::VectorXd::Constant(1, 2 * pi * hz);
    model.residuals = Eigen::VectorXd::Zero(1);
    Eigen::MatrixXd shapes(3 * surface.vertices.rows(), 1);
    for (long i = 0; i < surface.vertices.rows(); ++i)
        shapes.block<3, 1>(3 * i, 0) = surface.vertices.row(i).transpose().normalized() * s;
    model.shapes = shapes.cast<float>();
    model.compact = compact_sources(model.skin, shapes);
    model.mass = mass_properties(surface);
    return model;
}

}  // namespace clangor::test
