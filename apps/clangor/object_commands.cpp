// modes and strike: one object, without a scene file.
#include "session.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>

namespace clangor::app {
namespace {

// Baked models are HDF5 files: recognised by their first bytes, whatever they are called.
bool is_model(const std::string& path) {
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    std::array<char, signature.size()> head{};
    std::ifstream file(path, std::ios::binary);
    return file.read(head.data(), head.size()) && std::equal(head.begin(), head.end(), signature.begin());
}

scene::Solid solid_of(const std::string& source, const std::string& material, double scale,
                      const scene::SolidOptions& options) {
    if (!(scale > 0)) throw Error(fmt::format("--scale must be positive, but is {:g}", scale));
    if (!(options.min_hz > 0 && options.max_hz > options.min_hz))
        throw Error(fmt::format("the band must have 0 < --min-hz < --max-hz, but they are {:g} and {:g}",
                                options.min_hz, options.max_hz));
    return {.name = "object",
            .mesh = io::parse_mesh_source(source),
            .material = io::parse_material(material),
            .scale = scale,
            .acceleration_noise = false,
            .options = options};
}

std::vector<double> hertz(const Eigen::VectorXd& omega) {
    std::vector<double> result;
    for (const double w : omega) result.push_back(w / (2 * pi));
    return result;
}

nlohmann::json modes_report(const io::BakedSolid& model, const Material& material) {
    std::vector<double> ratios, t60;
    for (const double w : model.omega) {
        ratios.push_back(damping_ratio(material.damping, w));
        t60.push_back(ratios.back() > 0 ? std::log(1000.0) / (ratios.back() * w) : 0);
    }
    const Multipoles multipoles = multipoles_of(model.compact);
    std::vector<std::array<double, 3>> dipoles;
    for (long i = 0; i < multipoles.dipole.rows(); ++i)
        dipoles.push_back({multipoles.dipole(i, 0), multipoles.dipole(i, 1), multipoles.dipole(i, 2)});
    return {{"frequencies_hz", hertz(model.omega)},
            {"damping_ratios", ratios},
            {"t60_s", t60},
            {"residuals", std::vector<double>(model.residuals.begin(), model.residuals.end())},
            {"monopoles", std::vector<double>(multipoles.monopole.begin(), multipoles.monopole.end())},
            {"dipoles", dipoles},
            {"degrees_of_freedom", model.degrees_of_freedom},
            {"elements", model.elements},
            {"mass_kg", model.mass.volume * material.density},
            {"volume_m3", model.mass.volume},
            {"warnings", model.messages}};
}

std::string modes_table(const nlohmann::json& report) {
    std::string text = fmt::format("{} modes, {} degrees of freedom, {:.4g} kg\n", report["frequencies_hz"].size(),
                                   report["degrees_of_freedom"].get<int>(), report["mass_kg"].get<double>());
    text += "  mode          Hz   damping   T60 s   residual\n";
    for (size_t i = 0; i < report["frequencies_hz"].size(); ++i)
        text += fmt::format("{:6} {:11.2f}  {:8.2e} {:7.3g}   {:8.1e}\n", i + 1,
                            report["frequencies_hz"][i].get<double>(), report["damping_ratios"][i].get<double>(),
                            report["t60_s"][i].get<double>(), report["residuals"][i].get<double>());
    return text;
}

Vec3 vector_of(const std::vector<double>& values) { return {values[0], values[1], values[2]}; }

}  // namespace

void modes_command(const ModesOptions& options, const Common& common) {
    if (!options.out.empty()) require_writable(options.out);
    scene::Solid solid = solid_of(options.mesh, options.material, options.scale, options.solid);
    solid.radiation = scene::Radiation::Compact;  // nobody listens
    const Scene scene{.duration = 1, .objects = {solid}};
    const Baked baked = bake(scene, {.cache = open_cache(common)}, progress_on_stderr(common.quiet));
    finish_progress();
    for (const std::string& warning : baked.warnings) warn(warning, common.quiet);
    const io::BakedSolid& model = *baked.objects[0].model;
    const Material material = std::get<scene::Solid>(scene.objects[0]).material;
    if (!options.out.empty()) {
        io::BakedSolid named = model;
        named.material = material;
        io::write_model(options.out, named);
    }
    const nlohmann::json report = modes_report(model, material);
    if (common.json)
        print_json(report);
    else
        print(modes_table(report));
}

void strike_command(const StrikeOptions& options, const Common& common) {
    require_writable(options.out);
    io::audio_format_of(options.out);
    gain_db_of(options.gain, 0);
    if (!(options.duration > 0 && options.duration <= 3600))
        throw Error(fmt::format("--duration must be in (0, 3600] s, but is {:g}", options.duration));
    if (!(options.contact_time >= 0 && options.contact_time <= 1))
        throw Error(fmt::format("--contact-time must be in [0, 1] s, but is {:g}", options.contact_time));
    Scene scene{.duration = options.duration, .sample_rate = options.rate_hz};
    scene.strikes = {{.object = "object",
                      .at = vector_of(options.at),
                      .impulse = vector_of(options.impulse),
                      .contact_time = options.contact_time}};
    scene.listeners = {{.name = "mic", .position = vector_of(options.listener)}};
    const Progress progress = progress_on_stderr(common.quiet);
    const io::Cache cache = open_cache(common);
    Baked baked;
    if (is_model(options.source)) {
        const auto model = std::make_shared<const io::BakedSolid>(io::read_model(options.source));
        scene.objects = {scene::Solid{
            .name = "object",
            .material = options.material.empty() ? model->material : io::parse_material(options.material)}};
        baked.objects = {BakedObject{.model = model, .from_cache = true}};
        if (options.quality != Quality::Draft && model->omega.size() > 0) {
            const CachedRadiation radiation = cached_radiation(*model, scene.air, {cache, options.quality}, progress);
            baked.objects[0].transfer = radiation.transfer;
            baked.warnings = radiation.messages;
            if (!radiation.cache_warning.empty()) baked.warnings.push_back(radiation.cache_warning);
        }
    } else {
        if (options.material.empty()) throw Error("a mesh needs --material; `clangor materials` lists what there is");
        scene.objects = {solid_of(options.source, options.material, options.scale, options.solid)};
        baked = bake(scene, {.cache = cache, .quality = options.quality}, progress);
    }
    const Motion motion = motion_of(scene, baked, cache, progress);
    const RenderOptions delivery{.out = options.out, .quality = options.quality, .gain = options.gain};
    Sounded sound = sounded(scene, baked, motion, delivery, progress);
    finish_progress();
    deliver(scene, baked, motion, std::move(sound), delivery, common);
}

}  // namespace clangor::app
