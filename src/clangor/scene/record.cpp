#include <clangor/scene/record.hpp>

#include <utility>

namespace clangor::scene {

std::vector<Field> contact_fields(double& friction, double& restitution) {
    return {
        {"friction", "Coulomb's coefficient in its contacts; left out, it follows from the materials.", "", false,
         NumberField{&friction, friction_range}},
        {"restitution", "How much of the speed is left after a bounce; left out, it follows from the materials.", "",
         false, NumberField{&restitution, fraction}},
    };
}

void append(Record& record, std::vector<Field> fields) {
    for (Field& field : fields) record.fields.push_back(std::move(field));
}

}  // namespace clangor::scene
