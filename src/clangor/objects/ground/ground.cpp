#include <clangor/objects/ground/ground.hpp>

#include <nlohmann/json.hpp>

namespace clangor::scene {

SoundingObject sounding(const Ground& ground, BakeContext&) {
    SoundingObject object;
    object.name = ground.name;
    object.body = std::make_shared<const Body>(half_space_of(ground.material));
    object.rigid = RigidBody{.name = ground.name,
                             .movement = Movement::Fixed,
                             .friction = stated_or(ground.friction, ground.material.friction),
                             .restitution = stated_or(ground.restitution, ground.material.restitution),
                             .compliance = contact_compliance(ground.material)};
    object.shape = [] { return half_space(); };
    object.shape_source = "half space";
    object.path = [height = ground.height]() -> io::ImportedPath {
        Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
        pose.translation().y() = height;
        return {at_rest(pose), {}};
    };
    object.reflector = Reflector{.height = ground.height, .reflection = ground.reflection};
    object.report = [material = ground.material.name](nlohmann::json& entry) {
        entry["material"] = material;
        entry["ground"] = true;
    };
    return object;
}

}  // namespace clangor::scene
