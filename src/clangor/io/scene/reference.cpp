// The tables of the reference page, from the same records that the reader follows.
#include <fmt/format.h>
#include <clangor/io/scene/scene.hpp>
#include <clangor/scene/scene.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::io {

using namespace scene;  // records and their fields

namespace {

struct Cells {
    std::string type;
    std::string standard;  ///< the default
};

std::string interval(const Range& range) {
    const bool low = std::isfinite(range.min);
    const bool high = std::isfinite(range.max);
    if (!low && !high) return "";
    return fmt::format(" in {}{}, {}{}", range.above || !low ? '(' : '[', low ? fmt::format("{}", range.min) : "−∞",
                       high ? fmt::format("{}", range.max) : "∞", range.below || !high ? ')' : ']');
}

std::string quoted(const std::vector<std::string>& names) {
    std::string result;
    for (const std::string& name : names) result += fmt::format("{}`\"{}\"`", result.empty() ? "" : " or ", name);
    return result;
}

std::string any_of(const std::vector<std::string>& keys) {
    std::string result;
    for (const std::string& key : keys) result += fmt::format("{}`{}`", result.empty() ? "" : " or ", key);
    return result;
}

// Walks the records and writes a section for each, the first time that it meets it.
class ReferenceWriter {
public:
    void section(const Record& record, const std::string& title) {
        if (std::ranges::find(done_, record.name) != done_.end()) return;
        done_.push_back(record.name);
        std::string text = fmt::format("### {}\n\n{}\n\n", title, record.doc);
        text += "| key | value | default | meaning |\n|---|---|---|---|\n";
        const std::size_t mine = sections_.size();
        sections_.emplace_back();
        for (const Field& field : record.fields) text += row(field, record);
        sections_[mine] = text;
    }
    std::string page() const {
        std::string text;
        for (const std::string& section : sections_) text += section + "\n";
        return text;
    }

private:
    std::string row(const Field& field, const Record& record) {
        const Cells cells = std::visit([&](const auto& value) { return describe(field, value); }, field.value);
        const std::string unit = field.unit.empty() ? "" : fmt::format(" [{}]", field.unit);
        const bool is_one_of = std::ranges::find(record.any_required, field.key) != record.any_required.end();
        const std::string standard = field.required ? "**required**"
                                     : is_one_of    ? fmt::format("**required**: {}", any_of(record.any_required))
                                                    : cells.standard;
        return fmt::format("| `{}` | {}{} | {} | {} |\n", field.key, cells.type, unit, standard, field.doc);
    }

    Cells describe(const Field&, const NumberField& field) {
        return {(field.or_zero ? "0, or number"
                 : field.whole ? "whole number"
                               : "number") +
                    interval(field.range),
                std::isnan(*field.target) ? "" : fmt::format("{}", *field.target)};
    }
    Cells describe(const Field&, const CountField& field) {
        if (field.min == field.max) return {fmt::format("`{}`", field.min), ""};
        return {fmt::format("whole number in [{}, {}]", field.min, field.max), fmt::format("{}", *field.target)};
    }
    Cells describe(const Field&, const SeedField& field) {
        return {"whole number in [0, 2⁶⁴)", fmt::format("{}", *field.target)};
    }
    Cells describe(const Field&, const FlagField& field) {
        return {"`true` or `false`", fmt::format("`{}`", *field.target)};
    }
    Cells describe(const Field&, const TextField&) { return {"text", ""}; }
    Cells describe(const Field&, const NameField&) { return {"name", ""}; }
    Cells describe(const Field&, const VectorField& field) {
        const Vec3& value = *field.target;
        return {(field.along ? "number, or `[x, y, z]`, each" : "`[x, y, z]`, each") + interval(field.range),
                fmt::format("[{}, {}, {}]", value.x(), value.y(), value.z())};
    }
    Cells describe(const Field&, const OptionalVectorField& field) {
        return {"`[x, y, z]`, each" + interval(field.range), ""};
    }
    Cells describe(const Field&, const FileField& field) {
        return {field.part ? "file name, or `file#node`" : "file name", ""};
    }
    Cells describe(const Field&, const ChoiceField& field) {
        return {quoted(field.names), fmt::format("`\"{}\"`", field.names.front())};
    }
    Cells describe(const Field&, const ConstantField& field) { return {fmt::format("`\"{}\"`", field.text), ""}; }
    Cells describe(const Field&, const RemarkField&) { return {"text", ""}; }
    Cells describe(const Field& field, const RecordField& inner) {
        section(inner.record(), fmt::format("`{}`", field.key));
        return {fmt::format("[object](#{})", field.key), ""};
    }
    Cells describe(const Field& field, const ListField& list) {
        for (std::size_t kind = 0; kind < std::max<std::size_t>(list.kinds.size(), 1); ++kind) {
            const std::string of_kind = list.kinds.empty() ? "" : fmt::format(", kind `\"{}\"`", list.kinds[kind]);
            section(list.append(kind), fmt::format("Each of `{}`{}", field.key, of_kind));
        }
        return {list.min_items > 0 ? fmt::format("array of at least {}", list.min_items) : "array", ""};
    }
    Cells describe(const Field&, const ProfileField& field) {
        std::string standard;
        for (const Eigen::Vector2d& p : *field.target)
            standard += fmt::format("{}[{}, {}]", standard.empty() ? "" : ", ", p.x(), p.y());
        return {fmt::format("{} to {} of `{}`", field.min_points, field.max_points, field.pair),
                fmt::format("[{}]", standard)};
    }
    Cells describe(const Field&, const PointsField& field) {
        return {fmt::format("{} to {} of `[x, y, z]`", field.min_points, field.max_points), ""};
    }
    Cells describe(const Field&, const MeshField&) {
        for (Shape shape : every_shape()) {
            const Record record = shape_record(shape);
            section(record, fmt::format("Shape `{{\"{}\": {{…}}}}`", record.name));
        }
        return {"file name or `{\"shape\": {…}}`", ""};
    }
    Cells describe(const Field&, const MaterialField&) {
        material();
        return {"name, file name or object", ""};
    }
    Cells describe(const Field&, const MaterialTableField&) {
        material();
        return {"`{\"name\": material, …}`", ""};
    }
    void material() {
        Material scratch;
        section(material_record(scratch), "A material as an object, or alone in a file");
    }

    std::vector<std::string> done_;
    std::vector<std::string> sections_;
};

}  // namespace

std::string scene_reference_markdown() {
    Scene scratch;
    ReferenceWriter writer;
    writer.section(scene_record(scratch), "The scene");
    return writer.page();
}

}  // namespace clangor::io
