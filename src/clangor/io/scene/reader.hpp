// Fills records from a JSON tree and collects everything that is wrong on the way.
#pragma once

#include <clangor/io/file/file.hpp>
#include <clangor/scene/scene.hpp>

#include <filesystem>
#include <map>

namespace clangor::io {

using namespace scene;  // records and their fields

/// Where names of files in a scene lead.
struct Surroundings {
    std::filesystem::path folder = {};  ///< relative names start here
    bool files = true;                  ///< false: no file is looked for, and material files are refused
};

/// The largest scene and the largest material file that are read [bytes].
inline constexpr std::size_t largest_scene = 256 * 1024 * 1024;
inline constexpr std::size_t largest_material = 1024 * 1024;

/// "name:line:column: message" for each, in the order of the text.
std::vector<std::string> located(std::string_view name, std::vector<Problem> problems);

/// Throws all the problems of a text as one error, one line each; does nothing if there are none.
void throw_if_any(std::string_view name, std::vector<Problem> problems);

/// A material of the library.
using NamedMaterial = std::function<std::optional<Material>(std::string_view name)>;

/// One pass over one JSON text. Wrong values leave their targets as they were.
class SceneReader {
public:
    explicit SceneReader(Surroundings surroundings) : surroundings_(std::move(surroundings)) {}

    void read(const Record& record, const Json& json);
    void read_mesh(const Json& json, scene::MeshSource& target);
    void read_material(const Json& json, Material& target, const NamedMaterial& named = find_material);
    const std::vector<Problem>& problems() const { return problems_; }
    const std::vector<std::filesystem::path>& files() const { return files_; }  ///< that were named and are there

private:
    void complain(Place at, std::string message);
    void note_file(const std::filesystem::path& path);
    void check_keys(const Record& record, const JsonObject& object, Place at);

    // One for each kind of field; a kind without its own does not compile.
    void fill(const Field& field, const NumberField& number, const Json& json);
    void fill(const Field& field, const CountField& count, const Json& json);
    void fill(const Field& field, const SeedField& seed, const Json& json);
    void fill(const Field& field, const FlagField& flag, const Json& json);
    void fill(const Field& field, const TextField& text, const Json& json);
    void fill(const Field& field, const NameField& name, const Json& json);
    void fill(const Field& field, const VectorField& vector, const Json& json);
    void fill(const Field& field, const OptionalVectorField& vector, const Json& json);
    void fill(const Field& field, const FileField& file, const Json& json);
    void fill(const Field& field, const ChoiceField& choice, const Json& json);
    void fill(const Field& field, const ConstantField& constant, const Json& json);
    void fill(const Field& field, const RemarkField& remark, const Json& json);
    void fill(const Field& field, const RecordField& inner, const Json& json);
    void fill(const Field& field, const ListField& list, const Json& json);
    void fill(const Field& field, const ProfileField& profile, const Json& json);
    void fill(const Field& field, const PointsField& points, const Json& json);
    void fill(const Field& field, const MeshField& mesh, const Json& json);
    void fill(const Field& field, const MaterialField& material, const Json& json);
    void fill(const Field& field, const MaterialTableField& table, const Json& json);

    const std::string* text_of(const Field& field, const Json& json);
    void check_single_kind(const ListField& list, const JsonArray& items);
    void read_item(const ListField& list, const Json& item);
    void read_shape(const JsonObject& object, Place at, scene::MeshSource& target);
    void read_mesh_file(const std::string& name, Place at, scene::MeshSource& target);
    void read_named_material(const std::string& name, Place at, Material& target, const NamedMaterial& named);
    void read_material_file(const std::string& name, Place at, Material& target);

    Surroundings surroundings_;
    std::map<std::string, Material, std::less<>> own_materials_;
    std::vector<std::string> context_;  ///< what is being read, outermost first: object "bowl", material
    std::vector<Problem> problems_;
    std::vector<std::filesystem::path> files_;
};

/// "no object is named …", two of a name, a ground that is struck: what needs more than one item of a list to see.
void check_names(const Json& root, std::vector<Problem>& problems);

/// "a, b or c".
std::string listed(const std::vector<std::string>& keys, std::string_view last);

}  // namespace clangor::io
