#include "outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

namespace clangor::app {
namespace {

namespace fs = std::filesystem;

// What a name stands for, whatever links lead there.
struct Identity {
    explicit Identity(const fs::path& path) {
        std::error_code ignored;
        target = fs::weakly_canonical(fs::absolute(path, ignored), ignored);
        struct stat status {};
        if (::stat(path.c_str(), &status) == 0) node = std::pair(status.st_dev, status.st_ino);
    }
    bool same_file_as(const Identity& other) const { return target == other.target || (node && node == other.node); }

    fs::path target;                              // symbolic links resolved
    std::optional<std::pair<dev_t, ino_t>> node;  // one for all hard links; none where there is no file yet
};

// Making something is the only sure test: permissions do not tell of read-only disks, nor of what root may not do.
void require_room(const fs::path& folder, const std::string& what) {
    std::string probe = (folder / ".clangor-XXXXXX").string();
    if (::mkdtemp(probe.data()) == nullptr) {
        throw Error(
            fmt::format("cannot write {}: nothing can be made in {} ({}). Choose a place that you may write to.", what,
                        folder.string(), std::strerror(errno)));
    }
    ::rmdir(probe.c_str());
}

void require_writable(const Output& output) {
    const std::string what = fmt::format("{} ({})", output.path.string(), output.option);
    std::error_code error;
    const fs::path target = fs::is_symlink(output.path, error) ? fs::weakly_canonical(output.path, error) : output.path;
    const fs::file_status status = fs::status(target, error);
    if (fs::is_directory(status)) throw Error(fmt::format("cannot write {}: it is a folder; name a file in it", what));
    if (fs::exists(status) && ::access(target.c_str(), W_OK) != 0)
        throw Error(fmt::format("cannot write {}: it is write-protected", what));
    if (fs::exists(status) && !fs::is_regular_file(status)) return;  // /dev/null
    const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
    if (!fs::is_directory(folder, error))
        throw Error(fmt::format("cannot write {}: the folder {} does not exist", what, folder.string()));
    require_room(folder, what);
}

std::vector<Identity> identities_of(const std::vector<Output>& outputs) {
    std::vector<Identity> identities;
    for (const Output& output : outputs) identities.emplace_back(output.path);
    return identities;
}

bool is_new_folder(const fs::path& folder) {
    std::error_code error;
    return !folder.empty() && !fs::exists(folder, error);
}

}  // namespace

fs::path split_path(const fs::path& out, const std::string& listener) {
    return out.parent_path() / (out.stem().string() + "-" + listener + out.extension().string());
}

std::vector<Output> outputs_of_sound(const std::string& out) {
    return {{out, "-o"}, {io::report_path(out), "the report beside -o", is_report}};
}

std::vector<Output> outputs_of(const RenderOptions& options, const Scene& scene) {
    std::vector<Output> outputs = outputs_of_sound(options.out);
    if (options.split) {
        outputs.erase(outputs.begin());
        for (const scene::Listener& listener : scene.listeners)
            outputs.insert(outputs.end() - 1, {split_path(options.out, listener.name), "--split"});
    }
    if (!options.motion.empty()) outputs.push_back({options.motion, "--motion"});
    if (!options.impacts.empty()) outputs.push_back({options.impacts, "--impacts"});
    if (options.stems.empty()) return outputs;
    for (const scene::Object& object : scene.objects) {
        const scene::Shell* const shell = std::get_if<scene::Shell>(&object);
        const scene::Solid* const solid = shell ? &shell->body : std::get_if<scene::Solid>(&object);
        if (!solid || solid->silent) continue;
        for (const char* mechanism : {".modal", ".acceleration"})
            outputs.push_back(
                {fs::path(options.stems) / (solid->name + mechanism + fs::path(options.out).extension().string()),
                 "--stems"});
    }
    return outputs;
}

std::vector<Output> outputs_of_maps(const std::string& folder) {
    std::vector<Output> outputs;
    for (const fs::path& path : pictures_in(folder))
        outputs.push_back({path, "--maps", path.extension() == ".json" ? is_picture_list : nullptr});
    return outputs;
}

std::vector<fs::path> files_among(const std::vector<std::string>& texts) {
    std::vector<fs::path> files;
    for (const std::string& text : texts) {
        std::error_code error;
        const std::size_t hash = text.rfind('#');
        const bool is_part = hash != std::string::npos && !fs::exists(text, error);
        const fs::path path = is_part ? text.substr(0, hash) : text;
        if (!fs::exists(path, error)) continue;
        files.push_back(path);
        const std::vector<fs::path> buffers = io::buffers_beside(path);
        files.insert(files.end(), buffers.begin(), buffers.end());
    }
    return files;
}

void check_outputs(const std::vector<Output>& outputs, const std::vector<fs::path>& inputs) {
    const std::vector<Identity> read(inputs.begin(), inputs.end()), written = identities_of(outputs);
    for (std::size_t o = 0; o < outputs.size(); ++o)
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (written[o].same_file_as(read[i]))
                throw Error(fmt::format("cannot write {} ({}): {} is read, and would be lost. Choose another name.",
                                        outputs[o].path.string(), outputs[o].option,
                                        outputs[o].path == inputs[i]
                                            ? "that file"
                                            : fmt::format("it is the same file as {}, which", inputs[i].string())));
    std::map<fs::path, std::string> taken;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        const auto [other, is_new] = taken.try_emplace(written[o].target, outputs[o].option);
        if (!is_new)
            throw Error(fmt::format("{} and {} would both be written to {}. Choose another name for one of them.",
                                    other->second, outputs[o].option, outputs[o].path.string()));
    }
    for (const Output& output : outputs) {
        std::error_code error;
        if (output.is_ours && fs::is_regular_file(output.path, error) && !output.is_ours(output.path))
            throw Error(
                fmt::format("cannot write {} ({}): there is a file of that name which Clangor did not make. Move it "
                            "away, or choose another name.",
                            output.path.string(), output.option));
        if (!is_new_folder(output.path.parent_path()) || output.option != "--stems") require_writable(output);
    }
}

void require_folder(const std::string& folder, const std::string& option) {
    std::error_code error;
    fs::path there = fs::path(folder).lexically_normal();
    if (!there.has_filename()) there = there.parent_path();  // stems/
    while (is_new_folder(there)) there = there.parent_path();
    if (there.empty()) there = ".";
    const std::string what = fmt::format("into {} ({})", folder, option);
    if (!fs::is_directory(there, error))
        throw Error(fmt::format("cannot write {}: {} is a file, not a folder", what, there.string()));
    require_room(there, what);
}

}  // namespace clangor::app
