// validate: the engine against closed forms and published tables.
#include "session.hpp"

#include <clangor/validation/validation.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::app {
namespace {

using validation::Case;

nlohmann::json json_of(const validation::Plot& plot) {
    const auto name_of = [](validation::CurveStyle style) {
        switch (style) {
            case validation::CurveStyle::Line:
                return "line";
            case validation::CurveStyle::Marks:
                return "marks";
            case validation::CurveStyle::Band:
                return "band";
        }
        throw Error("unknown style of a curve");
    };
    nlohmann::json result{{"title", plot.title},
                          {"x_label", plot.x_label},
                          {"y_label", plot.y_label},
                          {"log_x", plot.log_x},
                          {"log_y", plot.log_y},
                          {"equal_axes", plot.equal_axes},
                          {"curves", nlohmann::json::array()}};
    for (const validation::Curve& curve : plot.curves)
        result["curves"].push_back(
            {{"label", curve.label}, {"x", curve.x}, {"y", curve.y}, {"style", name_of(curve.style)}});
    if (plot.map) {
        nlohmann::json rows = nlohmann::json::array();
        for (const auto& row : plot.map->db.rowwise()) {  // tenths of a decibel: a third of the text
            nlohmann::json& values = rows.emplace_back(nlohmann::json::array());
            for (const double db : row) values.push_back(std::round(10 * db) / 10);
        }
        result["map"] = {{"x", plot.map->x}, {"y", plot.map->y}, {"db", rows}, {"loudest_db", plot.map->loudest_db}};
    }
    return result;
}

nlohmann::json json_of(const Case& result) {
    nlohmann::json rows = nlohmann::json::array(), bounds = nlohmann::json::array(), plots = nlohmann::json::array();
    for (const validation::Row& row : result.rows)
        rows.push_back({{"what", row.what},
                        {"expected", row.expected},
                        {"found", row.found},
                        {"error", row.error()},
                        {"allowed", row.allowed},
                        {"unit", row.unit},
                        {"holds", row.holds()}});
    for (const validation::Bound& bound : result.bounds)
        bounds.push_back({{"what", bound.what},
                          {"found", bound.found},
                          {"limit", bound.limit},
                          {"at_least", bound.at_least},
                          {"holds", bound.holds()}});
    for (const validation::Plot& plot : result.plots) plots.push_back(json_of(plot));
    return {
        {"name", result.name},     {"title", result.title}, {"source", result.source}, {"settings", result.settings},
        {"remark", result.remark}, {"rows", rows},          {"bounds", bounds},        {"plots", plots},
        {"holds", result.holds()}};
}

std::string table_of(const Case& result) {
    std::string text = fmt::format("{}: {}\n  against {}\n  settings: {}\n", result.name, result.title, result.source,
                                   result.settings);
    for (const validation::Row& row : result.rows)
        text += fmt::format("  {:<28} {:12.3f} {:12.3f} {} {:+8.3f} %  {}\n", row.what, row.expected, row.found,
                            row.unit, 100 * row.error(), row.holds() ? "ok" : "MISSED");
    for (const validation::Bound& bound : result.bounds)
        text += fmt::format("  {:<45} {:10.3g} (must be {} {:g})  {}\n", bound.what, bound.found,
                            bound.at_least ? "at least" : "at most", bound.limit, bound.holds() ? "ok" : "MISSED");
    return text;
}

}  // namespace

void validate_command(const std::vector<std::string>& names, const Common& common) {
    const auto& cases = validation::validation_cases();
    for (const std::string& name : names)
        if (std::none_of(cases.begin(), cases.end(), [&](const auto& info) { return info.name == name; })) {
            std::string known;
            for (const auto& info : cases) known += "\n  " + info.name + ": " + info.summary;
            throw Error(fmt::format("there is no validation case \"{}\"; there are:{}", name, known));
        }
    open_cache(common);  // for --threads
    nlohmann::json report = nlohmann::json::array();
    std::string missed;
    for (const auto& info : cases) {
        if (!names.empty() && std::find(names.begin(), names.end(), info.name) == names.end()) continue;
        const Progress bar = progress_on_stderr(common.quiet);
        const Case result =
            info.run({[&](std::string_view, double fraction) { bar("validating " + info.name, fraction); }});
        finish_progress();
        if (!result.holds()) missed += " " + info.name;
        if (common.json)
            report.push_back(json_of(result));
        else
            print(table_of(result));
    }
    if (common.json) print_json({{"cases", report}});
    if (!missed.empty()) throw Error("not within the allowed error:" + missed, Blame::Work);
}

}  // namespace clangor::app
