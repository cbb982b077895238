// What a key of the scene format is: its name, unit, range and default, and the variable that it fills.
#pragma once

#include <clangor/core/core.hpp>
#include <clangor/material/material.hpp>
#include <clangor/scene/mesh_source.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace clangor {
struct SoundingObject;  // what render knows of an object, whatever its kind (objects)
struct BakeContext;
}  // namespace clangor

namespace clangor::scene {

/// An interval of numbers; `above` and `below` leave out its ends.
struct Range {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool above = false;
    bool below = false;
    bool holds(double x) const { return (above ? x > min : x >= min) && (below ? x < max : x <= max); }
};

struct Record;

// A thousand kilometres: farther out, a step of a double is no longer small against a wavelength's phase.
inline constexpr Range place_m = {.min = -1e6, .max = 1e6};
inline constexpr Range friction_range = {.min = 0, .max = 10};
inline constexpr Range fraction = {.min = 0, .max = 1};
inline constexpr Range clip_s = {.min = 0, .max = 3600};

// What a key can hold. Each points at the variable that it fills, whose value now is the default.
struct NumberField {
    double* target;
    Range range;
    bool whole = false;
    bool or_zero = false;  ///< 0 is good too: "chosen"
};
struct CountField {
    int* target;
    int min, max;
};
struct SeedField {
    std::uint64_t* target;
};
struct FlagField {
    bool* target;
};
struct TextField {  ///< any text
    std::string* target;
};
struct NameField {  ///< 1 to 100 characters that can stand in a file name
    std::string* target;
};
struct VectorField {
    Vec3* target;
    Range range;  ///< of each component
    bool nonzero = false;
    double* along = nullptr;  ///< where one number may be given instead: it; a rod's length
};
struct OptionalVectorField {  ///< one whose absence means something
    std::optional<Vec3>* target;
    Range range;
};
struct FileField {  ///< a file that the scene names; with `part`, "file#part" names something in it
    std::filesystem::path* target;
    bool part = false;
};
struct ChoiceField {
    std::vector<std::string> names;
    std::function<void(std::size_t)> choose;
};
struct ConstantField {  ///< the "kind" that told which record this is
    std::string text;
};
struct RemarkField {};  ///< text that nobody reads
struct RecordField {    ///< an object inside
    std::function<Record()> record;
};
struct ListField {  ///< an array of records; with `kinds`, the item's "kind" says which one to append
    std::string item;
    std::size_t min_items;
    std::vector<std::string> kinds;
    std::function<Record(std::size_t kind)> append;
    std::string single_kind = {};  ///< one of the kinds, of which there may be one item at most
};
struct ProfileField {  ///< an array of [radius, height]
    std::vector<Eigen::Vector2d>* target;
    Range range;  ///< of each of the two numbers
    std::size_t min_points, max_points;
    std::string pair = "[radius, height]";  ///< as messages call it
};
struct PointsField {  ///< an array of [x, y, z]
    std::vector<Vec3>* target;
    Range range;  ///< of each of the three numbers
    std::size_t min_points, max_points;
};
struct MeshField {  ///< a file name, or {"bowl": {…}}
    MeshSource* target;
};
struct MaterialField {  ///< a library name, one of "materials", a file name, or an object
    Material* target;
    std::function<std::optional<Material>(std::string_view name)> named = find_material;  ///< of the library
};
struct MaterialTableField {};  ///< the user's own materials by name

struct Field {
    std::string key;
    std::string doc;   ///< one sentence
    std::string unit;  ///< "" for none
    bool required = false;
    std::variant<NumberField, CountField, SeedField, FlagField, TextField, NameField, VectorField, OptionalVectorField,
                 FileField, ChoiceField, ConstantField, RemarkField, RecordField, ListField, ProfileField, PointsField,
                 MeshField, MaterialField, MaterialTableField>
        value;
};

/// What is wrong between several keys of one record: the key to point at, and a sentence.
struct Conflict {
    std::string key, message;
};

/// Whether a key of the record stands in the text.
using Given = std::function<bool(std::string_view key)>;

/// What may not be said of a kind of object, each with the reason as a message gives it: "\"floor\" is the ground, …".
struct KindRules {
    std::string kind = {};         ///< its name in files
    bool only_one = false;         ///< in a scene
    std::string no_strike = {};    ///< why it cannot be struck; "": it can
    std::string no_listener = {};  ///< why no listener can be attached to it; "": one can
    bool struck_along = false;     ///< strikes name a place by the length along it
};

/// A JSON object of the format, bound to the struct that it fills.
struct Record {
    std::string name;  ///< in the schema's $defs and as a heading
    std::string doc;
    std::vector<Field> fields;
    std::vector<std::vector<std::string>> exclusive = {};  ///< of each group, at most one key may be given
    std::vector<std::string> any_required = {};            ///< at least one of these must be given
    std::function<std::vector<Conflict>(const Given&)> conflicts = nullptr;  ///< asked once all fields have been read
    KindRules rules = {};                                                    ///< where it is a kind of object
};

void append(Record& record, std::vector<Field> fields);

/// "friction" and "restitution", as every kind that can be touched has them.
std::vector<Field> contact_fields(double& friction, double& restitution);

}  // namespace clangor::scene
