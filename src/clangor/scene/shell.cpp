#include <clangor/scene/shell.hpp>

#include <clangor/scene/body_fields.hpp>

namespace clangor::scene {

Record record_of(Shell& shell) {
    SolidOptions& options = shell.body.options;
    Record record = {"shell", "A thin elastic wall that rings when struck: a sheet, a lid, a cymbal, a bottle.",
                     named_fields(shell.body, "shell",
                                  "The surface in the middle of the wall, open or closed: a file (relative to the "
                                  "scene), one node of a .gltf or .glb (\"shot.glb#Lid\"), or a shape."),
                     exclusive_keys()};
    append(record, {{"thickness", "Of the wall, the same everywhere; half of it is on either side of the mesh.", "m",
                     true, NumberField{&shell.thickness, {.min = 1e-6, .max = 10}}}});
    append(record, place_fields(shell.body));
    append(record, contact_fields(shell.body.friction, shell.body.restitution));
    append(record, radiation_fields(shell.body));
    append(record, {{"edge_length", "Longest edge of a triangle; 0 chooses what the highest modes need.", "m", false,
                     NumberField{&options.edge_length, {.min = 0, .max = 1000}}},
                    {"refinement", "With edge_length 0: divides the chosen length, so 2 makes a mesh twice as fine.",
                     "", false, NumberField{&options.refinement, {.min = 0.1, .max = 20}}}});
    append(record, band_fields(options));
    record.rules = {.kind = "shell"};
    record.conflicts = [&shell](const Given&) { return conflicts_of(shell.body); };
    return record;
}

}  // namespace clangor::scene
