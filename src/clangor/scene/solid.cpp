#include <clangor/scene/solid.hpp>

#include <clangor/scene/body_fields.hpp>

namespace clangor::scene {
namespace {

std::vector<Field> mesh_fields(SolidOptions& options) {
    const auto choose_elements = [&options](std::size_t i) { options.elements = static_cast<Elements>(i); };
    const auto choose_parts = [&options](std::size_t i) { options.parts = static_cast<Parts>(i); };
    return {
        {"parts",
         "What becomes of pieces of the mesh that lie apart; near ones are fused always. auto and split: each rings by "
         "itself, and they move as one. fuse: bridges join them. largest: only that one is kept.",
         "", false, ChoiceField{{"auto", "fuse", "split", "largest"}, choose_parts}},
        {"thickness", "Of sheets, and of walls that have none; 0 takes a hundredth of the longest side.", "m", false,
         NumberField{&options.thickness, {.min = 0, .max = 1000}}},
        {"edge_length", "Largest edge of a tetrahedron; 0 chooses it from size and wall thickness.", "m", false,
         NumberField{&options.edge_length, {.min = 0, .max = 1000}}},
        {"refinement", "With edge_length 0: divides the chosen length, so 2 makes a mesh twice as fine.", "", false,
         NumberField{&options.refinement, {.min = 0.1, .max = 20}}},
        {"elements", "10-node tetrahedra, or 4-node ones, which are far too stiff in bending.", "", false,
         ChoiceField{{"quadratic", "linear"}, choose_elements}},
    };
}

}  // namespace

Record record_of(Solid& solid) {
    Record record = {"solid", "An elastic body that rings when struck.",
                     named_fields(solid, "solid",
                                  "The surface of the body: a file (relative to the scene), one node of a .gltf or "
                                  ".glb (\"shot.glb#Cup\"), or a shape."),
                     exclusive_keys()};
    append(record, place_fields(solid));
    append(record, contact_fields(solid.friction, solid.restitution));
    append(record, radiation_fields(solid));
    append(record, mesh_fields(solid.options));
    append(record, band_fields(solid.options));
    record.rules = {.kind = "solid"};
    record.conflicts = [&solid](const Given&) { return conflicts_of(solid); };
    return record;
}

Eigen::Isometry3d world_from_body(const Solid& solid) {
    const Vec3 angles = solid.rotation_deg * (pi / 180);
    Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
    result.translate(solid.position);
    result.rotate(Eigen::AngleAxisd(angles.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angles.y(), Vec3::UnitY()) *
                  Eigen::AngleAxisd(angles.x(), Vec3::UnitX()));
    return result;
}

bool is_fixed(const Solid& solid) { return solid.moves == Moves::Fixed || !solid.options.supports.empty(); }

bool asks_for_motion(const Solid& solid) {
    return solid.moves != Moves::Auto || !solid.velocity.isZero(0) || !solid.spin_deg.isZero(0) ||
           !solid.trajectory.empty() || solid.hangs_at.has_value();
}

}  // namespace clangor::scene
