// A ball whose only mode is the breathing one, uniform over the surface: u = n s. Everything about its sound is known.
#pragma once

#include <clangor/objects/solid/solid.hpp>
#include <clangor/render/render.hpp>

namespace clangor::test {

inline ModalBody breathing_sphere(double radius, double hz, double s) {
    const Surface surface = surface_of(Sphere{radius});
    ModalBody model;
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

/// A scene whose first object, a solid, has this model; any other is baked.
inline Baked baked_with(const Scene& scene, std::shared_ptr<const ModalBody> model,
                        std::shared_ptr<const ModalTransfer> transfer = {}) {
    BakeContext context = bake_context(scene, {});
    const auto& solid = std::get<scene::Solid>(scene.objects.front());
    Baked baked{{sounding(solid, ModalModel{.modes = model, .transfer = transfer}, context)}, {}};
    for (size_t i = 1; i < scene.objects.size(); ++i)
        baked.objects.push_back(
            std::visit([&](const auto& kind) { return sounding(kind, context); }, scene.objects[i]));
    return baked;
}

}  // namespace clangor::test
