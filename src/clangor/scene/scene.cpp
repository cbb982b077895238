#include <clangor/scene/scene.hpp>

namespace clangor::scene {

const std::string& name_of(const Object& object) {
    return std::visit(overloaded{[](const Solid& solid) -> const std::string& { return solid.name; }}, object);
}

Eigen::Isometry3d world_from_body(const Solid& solid) {
    const Vec3 angles = solid.rotation_deg * (pi / 180);
    Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
    result.translate(solid.position);
    result.rotate(Eigen::AngleAxisd(angles.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angles.y(), Vec3::UnitY()) *
                  Eigen::AngleAxisd(angles.x(), Vec3::UnitX()));
    return result;
}

}  // namespace clangor::scene
