#include <clangor/scene/ground.hpp>

#include <algorithm>

namespace clangor::scene {

double thickness_of(const Ground& ground) {
    const std::vector<std::string> woods = materials_of_family("wood");
    const bool is_wood = std::ranges::find(woods, ground.material.name) != woods.end();
    return stated_or(ground.thickness, is_wood ? board_thickness : 0.0);
}

Record record_of(Ground& ground) {
    Record record = {
        "ground",
        "A level floor without an end. It reflects sound; with a thickness it gives way under impacts, and sounds.",
        {
            {"name", "Contacts and imported impacts refer to it.", "", true, NameField{&ground.name}},
            {"kind", "What it is.", "", true, ConstantField{"ground"}},
            {"material", "What it is made of.", "", true, MaterialField{&ground.material}},
            {"height", "y of its surface.", "m", false, NumberField{&ground.height, place_m}},
            {"thickness",
             "How thick the floor is, as a plate of boards, steel or the like. 0: so thick that it gives no way and "
             "makes no sound of its own. Without it: 0.02 for the wood of the library, 0 for every other material.",
             "m", false, NumberField{&ground.thickness, {.min = 1e-4, .max = 10}, false, true}},
        },
    };
    append(record, contact_fields(ground.friction, ground.restitution));
    record.fields.push_back({"reflection", "Pressure of the reflected wave over that of the incident one; 0 for none.",
                             "", false, NumberField{&ground.reflection, fraction}});
    record.rules = {.kind = "ground",
                    .only_one = true,
                    .no_strike = "is the ground, which does not ring; strike a solid",
                    .no_listener = "is the ground, which does not move; leave attached_to out"};
    return record;
}

}  // namespace clangor::scene
