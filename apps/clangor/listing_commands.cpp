// materials and check: what there is, and what is wrong.
#include "session.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clangor::app {

void materials_command(const Common& common) {
    nlohmann::json list = nlohmann::json::array();
    std::string table =
        "name               density     Young  Poisson     loss   T60 at 1 kHz\n"
        "                     kg/m³       GPa            factor              s\n";
    for (const Material& material : material_library()) {
        const double t60 = decay_time(material.damping, 1000);
        list.push_back({{"name", material.name},
                        {"density", material.density},
                        {"young", material.young},
                        {"poisson", material.poisson},
                        {"loss_factor", material.damping.loss_factor},
                        {"thermal",
                         {{"expansion", material.thermal.expansion},
                          {"heat_capacity", material.thermal.heat_capacity},
                          {"conductivity", material.thermal.conductivity}}},
                        {"t60_at_1khz_s", t60},
                        {"source", material.source}});
        table += fmt::format("{:<16} {:9.0f} {:9.4g} {:8.2f} {:8.2g} {:14.3g}\n", material.name, material.density,
                             material.young / 1e9, material.poisson, material.damping.loss_factor, t60);
    }
    if (common.json)
        print_json({{"materials", list}});
    else
        print(table);
}

void check_command(const std::string& scene, const Common& common) {
    std::vector<std::string> problems = io::check_scene(scene);
    if (problems.empty()) problems = problems_in(io::read_scene_file(scene));
    if (common.json) print_json({{"scene", scene}, {"problems", problems}});
    if (!problems.empty()) throw Error(fmt::format("{}", fmt::join(problems, "\n")));
    say(fmt::format("{}: no problems", scene), common.quiet || common.json);
}

}  // namespace clangor::app
