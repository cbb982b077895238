#include <clangor/scene/shell.hpp>

#include <clangor/scene/body_fields.hpp>

namespace clangor::scene {
namespace {

std::vector<Field> motion_fields(Shell& shell) {
    const auto choose_method = [&shell](std::size_t i) { shell.method = static_cast<ShellMethod>(i); };
    return {
        {"method",
         "How it moves when it is struck. nonlinear: the wall stretches as it bends, so that pitches glide and "
         "modes feed one another: the crash of a cymbal. linear: every mode rings by itself, which is right for "
         "quiet hits and takes no time. seed: the modes alone are moved by the wall's full forces, which is far "
         "too stiff, as it was first published; for comparison.",
         "", false, ChoiceField{{"nonlinear", "linear", "seed"}, choose_method}},
        {"nonlinear_modes",
         "So many of the lowest modes couple, the others ring by themselves. Time grows with the square. 0: 100 "
         "for drafts, 200 for standard and 400 for reference quality.",
         "", false, CountField{&shell.nonlinear_modes, 0, 2000}},
        {"most_energy",
         "With method seed: forces are scaled such that they never push it above this energy, the limiter of that "
         "method; 0 scales none. 0.5 to 2 is usual.",
         "J/kg", false, NumberField{&shell.most_energy, {.min = 0, .max = 1e6}}},
        {"prestress",
         "Stress that is frozen into the wall, whose middle is too long for its rim, as a multiple of that at which "
         "it buckles. Above 1 a flat shell bulges to one side, that of its normals at first, and clicks over to "
         "the other when it is pushed hard enough: 1.2 easily, 3 hardly ever.",
         "", false, NumberField{&shell.prestress, {.min = 0, .max = 100}}}};
}

std::vector<Conflict> conflicts_of(const Shell& shell) {
    std::vector<Conflict> conflicts = conflicts_of(shell.body);
    if (shell.most_energy > 0 && shell.method != ShellMethod::Seed)
        conflicts.push_back(
            {"most_energy", "most_energy is the limiter of method \"seed\"; leave it out, or give that"});
    if (shell.prestress > 0 && shell.method != ShellMethod::Nonlinear)
        conflicts.push_back(
            {"prestress", "only the method \"nonlinear\" knows stress in the wall; leave one of them out"});
    if (shell.nonlinear_modes > 0 && shell.method == ShellMethod::Linear)
        conflicts.push_back({"nonlinear_modes", "no modes couple with method \"linear\"; leave one of them out"});
    return conflicts;
}

}  // namespace

Record record_of(Shell& shell) {
    SolidOptions& options = shell.body.options;
    Record record = {"shell", "A thin elastic wall that rings when struck: a sheet, a lid, a cymbal, a bottle.",
                     named_fields(shell.body, "shell",
                                  "The surface in the middle of the wall, open or closed: a file (relative to the "
                                  "scene), one node of a .gltf or .glb (\"shot.glb#Lid\"), or a shape."),
                     exclusive_keys()};
    append(record, {{"thickness", "Of the wall, the same everywhere; half of it is on either side of the mesh.", "m",
                     true, NumberField{&shell.thickness, {.min = 1e-6, .max = 10}}}});
    append(record, motion_fields(shell));
    append(record, place_fields(shell.body));
    append(record, contact_fields(shell.body.friction, shell.body.restitution));
    append(record, radiation_fields(shell.body));
    append(record, {{"edge_length", "Longest edge of a triangle; 0 chooses what the highest modes need.", "m", false,
                     NumberField{&options.edge_length, {.min = 0, .max = 1000}}},
                    {"refinement", "With edge_length 0: divides the chosen length, so 2 makes a mesh twice as fine.",
                     "", false, NumberField{&options.refinement, {.min = 0.1, .max = 20}}}});
    append(record, band_fields(options));
    record.rules = {.kind = "shell"};
    record.conflicts = [&shell](const Given&) { return conflicts_of(shell); };
    return record;
}

}  // namespace clangor::scene
