#include <clangor/objects/ground/floor_sound.hpp>
#include <clangor/objects/ground/ground.hpp>

#include <nlohmann/json.hpp>

namespace clangor::scene {

SoundingObject sounding(const Ground& ground, BakeContext& context) {
    const double thickness = thickness_of(ground);
    SoundingObject object;
    object.name = ground.name;
    object.body = std::make_shared<const Body>(half_space_of(ground.material, thickness));
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
    if (!(thickness > 0)) return object;
    const ThinPlate plate = thin_plate(ground.material, thickness);
    object.hears_pulses = true;
    object.emitters = [name = ground.name, plate](Excitation excitation, const EmissionContext& emission,
                                                  std::vector<std::string>&) {
        return floor_emitters(name, plate, std::move(excitation), emission);
    };
    object.report = [thick = object.report, thickness, hz = coincidence(plate, context.air) / (2 * pi)](auto& entry) {
        thick(entry);
        entry["thickness_m"] = thickness;
        entry["coincidence_hz"] = hz;
    };
    return object;
}

}  // namespace clangor::scene
