#include <clangor/scene/scene.hpp>

#include <algorithm>

namespace clangor::scene {

const std::string& name_of(const Object& object) {
    return std::visit(overloaded{
                          [](const Solid& solid) -> const std::string& { return solid.name; },
                          [](const Ground& ground) -> const std::string& { return ground.name; },
                      },
                      object);
}

Eigen::Isometry3d world_from_body(const Solid& solid) {
    const Vec3 angles = solid.rotation_deg * (pi / 180);
    Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
    result.translate(solid.position);
    result.rotate(Eigen::AngleAxisd(angles.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angles.y(), Vec3::UnitY()) *
                  Eigen::AngleAxisd(angles.x(), Vec3::UnitX()));
    return result;
}

bool is_still(const Scene& scene) {
    const auto calls_for_motion = [](const Object& object) {
        return std::visit(overloaded{
                              [](const Solid& solid) {
                                  return solid.moves != Moves::Auto || !solid.velocity.isZero(0) ||
                                         !solid.spin_deg.isZero(0) || !solid.trajectory.empty() ||
                                         solid.hangs_at.has_value();
                              },
                              [](const Ground&) { return true; },
                          },
                          object);
    };
    return !scene.strikes.empty() && scene.motion.impacts.empty() &&
           std::ranges::none_of(scene.objects, calls_for_motion);
}

}  // namespace clangor::scene
