#include <clangor/scene/ground.hpp>

namespace clangor::scene {

Record record_of(Ground& ground) {
    Record record = {
        "ground",
        "A level floor that fills everything below its height. It does not ring; it reflects sound.",
        {
            {"name", "Contacts and imported impacts refer to it.", "", true, NameField{&ground.name}},
            {"kind", "What it is.", "", true, ConstantField{"ground"}},
            {"material", "What it is made of.", "", true, MaterialField{&ground.material}},
            {"height", "y of its surface.", "m", false, NumberField{&ground.height, place_m}},
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
