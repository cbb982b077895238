// modes and strike: one object, without a scene file.
#include "outputs.hpp"
#include "session.hpp"

#include <clangor/objects/shell/shell.hpp>
#include <clangor/objects/solid/solid.hpp>

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

scene::Solid solid_of(const std::string& source, const std::string& material, double scale, double size,
                      scene::SolidOptions options, const std::string& supports) {
    if (!supports.empty()) options.supports = io::parse_supports(supports);
    if (!(scale > 0)) throw Error(fmt::format("--scale must be positive, but is {:g}", scale));
    if (!(options.min_hz > 0 && options.max_hz > options.min_hz))
        throw Error(fmt::format("the band must have 0 < --min-hz < --max-hz, but they are {:g} and {:g}",
                                options.min_hz, options.max_hz));
    return {.name = "object",
            .mesh = io::parse_mesh_source(source),
            .material = io::parse_material(material),
            .scale = scale,
            .size = size,
            .acceleration_noise = false,
            .options = options};
}

// A solid, or with a thickness a shell.
scene::Object object_of(scene::Solid body, const std::optional<double>& shell,
                        scene::ShellMethod method = scene::ShellMethod::Linear) {
    if (!shell) return body;
    if (!(*shell > 0) || !std::isfinite(*shell))
        throw Error(fmt::format(
            "--shell takes the thickness of the wall in metres, which must be positive, but is {:g}", *shell));
    return scene::Shell{.body = std::move(body), .thickness = *shell, .method = method};
}

std::vector<double> hertz(const Eigen::VectorXd& omega) {
    std::vector<double> result;
    for (const double w : omega) result.push_back(w / (2 * pi));
    return result;
}

// Before the work: a mesh in millimetres is noticed here, not after an hour.
void say_size(const scene::Solid& solid, const Meshes& meshes, const Common& common) {
    const double scale = scale_of(solid, meshes);
    const Surface& surface = meshes(solid.mesh, scale)->raw;
    const auto* const path = std::get_if<std::filesystem::path>(&solid.mesh);
    const std::string remark = unit_remark(surface, scale);
    say(fmt::format("{}: {}{}", path ? path->filename().string() : "the shape", size_text(surface),
                    remark.empty() ? "" : fmt::format(". It is {}", remark)),
        common.quiet);
}

// null where a mode never decays.
nlohmann::json decay_times(const Eigen::VectorXd& omega, const std::vector<double>& ratios) {
    nlohmann::json times = nlohmann::json::array();
    for (std::size_t i = 0; i < ratios.size(); ++i)
        times.push_back(ratios[i] > 0 ? nlohmann::json(std::log(1000.0) / (ratios[i] * omega[long(i)])) : nullptr);
    return times;
}

nlohmann::json modes_report(const ModalModel& baked, const Material& material) {
    const ModalBody& model = *baked.modes;
    const Eigen::VectorXd radiated = radiation_damping_of(model, baked.transfer.get(), Air{});
    const Eigen::VectorXd own = own_damping(model, material);
    std::vector<double> ratios, with_air;
    for (long i = 0; i < model.omega.size(); ++i) {
        ratios.push_back(own[i]);
        with_air.push_back(own[i] + radiated[i]);
    }
    const Multipoles multipoles = multipoles_of(model.compact);
    std::vector<std::array<double, 3>> dipoles;
    for (long i = 0; i < multipoles.dipole.rows(); ++i)
        dipoles.push_back({multipoles.dipole(i, 0), multipoles.dipole(i, 1), multipoles.dipole(i, 2)});
    return {{"frequencies_hz", hertz(model.omega)},
            {"damping_ratios", ratios},
            {"t60_s", decay_times(model.omega, ratios)},
            {"radiation_damping_ratios", std::vector<double>(radiated.begin(), radiated.end())},
            {"t60_with_air_s", decay_times(model.omega, with_air)},
            {"air_from", baked.transfer ? "sound fields" : "estimate"},
            {"residuals", std::vector<double>(model.residuals.begin(), model.residuals.end())},
            {"monopoles", std::vector<double>(multipoles.monopole.begin(), multipoles.monopole.end())},
            {"dipoles", dipoles},
            {"degrees_of_freedom", model.degrees_of_freedom},
            {"elements", model.elements},
            {"mass_kg", model.mass.volume * material.density},
            {"volume_m3", model.mass.volume},
            {"wall_thickness_m", model.wall_thickness},
            {"warnings", model.messages}};
}

std::string decay_text(const nlohmann::json& t60) {
    return t60.is_null() ? fmt::format("{:>7}", "∞") : fmt::format("{:7.3g}", t60.get<double>());
}

std::string modes_table(const nlohmann::json& report) {
    std::string text = fmt::format("{} modes, {} degrees of freedom, {:.4g} kg\n", report["frequencies_hz"].size(),
                                   report["degrees_of_freedom"].get<int>(), report["mass_kg"].get<double>());
    const bool is_estimate = report["air_from"] == "estimate";
    text += fmt::format("  mode          Hz   damping   T60 s   in air{}  residual\n", is_estimate ? "*" : " ");
    for (size_t i = 0; i < report["frequencies_hz"].size(); ++i)
        text +=
            fmt::format("{:6} {:11.2f}  {:8.2e} {}  {}   {:8.1e}\n", i + 1, report["frequencies_hz"][i].get<double>(),
                        report["damping_ratios"][i].get<double>(), decay_text(report["t60_s"][i]),
                        decay_text(report["t60_with_air_s"][i]), report["residuals"][i].get<double>());
    if (is_estimate && !report["frequencies_hz"].empty())
        text += "* with what sound takes from the mode, estimated; --sound-fields solves for it\n";
    return text;
}

Vec3 vector_of(const std::vector<double>& values) { return {values[0], values[1], values[2]}; }

void check(const StrikeOptions& options) {
    io::audio_format_of(options.out);
    gain_db_of(options.gain, 0);
    if (!(options.duration > 0 && options.duration <= 3600))
        throw Error(fmt::format("--duration must be in (0, 3600] s, but is {:g}", options.duration));
    if (!(options.contact_time >= 0 && options.contact_time <= 1))
        throw Error(fmt::format("--contact-time must be in [0, 1] s, but is {:g}", options.contact_time));
    for (const auto& [name, values] : {std::pair{"--at", &options.at},
                                       {"--impulse", &options.impulse},
                                       {"--direction", &options.direction},
                                       {"--listener", &options.listener}})
        if (!values->empty() && (!vector_of(*values).allFinite() || !(vector_of(*values).cwiseAbs().maxCoeff() <= 1e6)))
            throw Error(fmt::format("{} takes three numbers in [-1e6, 1e6]", name));
    if (options.impulse.empty() && options.mallet.empty())
        throw Error(
            "nothing strikes: give --mallet steel, wood, rubber, felt or finger, or --impulse X,Y,Z (0.01 N s for a "
            "spoon)");
    if (!options.impulse.empty() && vector_of(options.impulse).isZero(0))
        throw Error(
            "--impulse is zero: without it nothing sounds. Mass times speed of what hits: 0.01 N s for a spoon");
    if (!options.direction.empty() && vector_of(options.direction).isZero(0))
        throw Error("--direction is zero; leave it out for a stroke straight into the surface");
}

scene::Strike strike_of(const StrikeOptions& options) {
    scene::Strike strike{.object = "object", .at = vector_of(options.at), .contact_time = options.contact_time};
    if (options.mallet.empty()) {
        strike.impulse = vector_of(options.impulse);
        return strike;
    }
    strike.mallet = io::parse_mallet(options.mallet);
    if (!options.direction.empty()) strike.mallet->direction = vector_of(options.direction);
    return strike;
}

void require_sound(const Scene& scene, const Baked& known) {
    std::vector<std::string> problems;
    for (const SceneProblem& problem : problems_of(scene, known)) problems.push_back(problem.message);
    if (!problems.empty()) throw Error(fmt::format("{}", fmt::join(problems, "\n")));
}

// Errors name the object, as those of a whole scene do.
ModalModel model_of(const scene::Object& object, const BakeContext& context) {
    try {
        return std::holds_alternative<scene::Shell>(object) ? shell_model(std::get<scene::Shell>(object), context)
                                                            : solid_model(std::get<scene::Solid>(object), context);
    } catch (const Error& error) {
        throw Error(fmt::format("{}: {}", object_named(scene::name_of(object)), error.what()), error.blame());
    }
}

// A model file, with what it lacks: the sound fields of its modes, and its click.
Baked baked_from(const std::filesystem::path& path, const std::string& material, Scene& scene,
                 const BakeOptions& options, const Progress& progress) {
    const auto modes = std::make_shared<const ModalBody>(io::read_baked<ModalBody>(path));
    const scene::Solid solid{.name = "object",
                             .material = material.empty() ? modes->material : io::parse_material(material)};
    scene.objects = {solid};
    const BakeContext context = bake_context(scene, options);
    ModalModel model{.modes = modes, .from_cache = true};
    require_sound(scene, {{sounding(solid, model, context)}, {}});
    Baked baked;
    const auto pass_on = [&](const std::vector<std::string>& warnings) {
        baked.warnings.insert(baked.warnings.end(), warnings.begin(), warnings.end());
    };
    if (settings_of(options.quality).sound_fields && modes->omega.size() > 0) {
        const auto fields =
            std::make_shared<const io::Cached<BakedTransfer>>(cached_transfer(*modes, context, progress));
        model.transfer = {fields, &fields->value.transfer};
        pass_on(fields->value.messages);
        pass_on(fields->warnings);
    }
    if (clicks(solid, context)) {
        const auto click = std::make_shared<const io::Cached<BakedNoise>>(
            cached_noise(solid.name, flat(modes->skin), solid.material, context, progress));
        model.noise = {click, &click->value.noise};
        pass_on(click->value.messages);
        pass_on(click->warnings);
    }
    baked.objects = {sounding(solid, model, context)};
    return baked;
}

}  // namespace

void modes_command(const ModesOptions& options, const Common& common) {
    if (!options.out.empty()) check_outputs({{options.out, "-o"}}, files_among({options.mesh, options.material}));
    scene::Solid solid =
        solid_of(options.mesh, options.material, options.scale, options.size, options.solid, options.supports);
    solid.radiation = options.sound_fields ? scene::Radiation::Transfer : scene::Radiation::Compact;
    const Scene scene{.duration = 1, .objects = {object_of(solid, options.shell)}};
    BakeContext context = bake_context(scene, bake_options(common, Quality::Standard));
    context.still = true;  // nothing hits it: no modes above those that are asked for
    say_size(solid, context.meshes, common);
    context.progress = progress_on_stderr(common.quiet);
    const ModalModel baked = model_of(scene.objects[0], context);
    finish_progress();
    for (const std::string& warning : baked.warnings) warn(warning, common.quiet);
    if (!options.out.empty()) {
        ModalBody named = *baked.modes;
        named.material = solid.material;
        io::write_baked(options.out, named);
    }
    const nlohmann::json report = modes_report(baked, solid.material);
    if (common.json)
        print_json(report);
    else
        print(modes_table(report));
}

void strike_command(const StrikeOptions& options, const Common& common) {
    check_outputs(outputs_of_sound(options.out), files_among({options.source, options.material}));
    check(options);
    Scene scene{.duration = options.duration, .sample_rate = options.rate_hz};
    scene.strikes = {strike_of(options)};
    scene.listeners = {{.name = "mic", .position = vector_of(options.listener), .near_field = scene::NearField::Clamp}};
    const Progress progress = progress_on_stderr(common.quiet);
    const BakeOptions baking = bake_options(common, options.quality);
    Baked baked;
    if (is_model(options.source)) {
        if (options.shell) throw Error("a model knows its own walls: leave --shell out, or give the mesh");
        baked = baked_from(options.source, options.material, scene, baking, progress);
    } else {
        if (options.material.empty()) throw Error("a mesh needs --material; `clangor materials` lists what there is");
        scene::Solid solid =
            solid_of(options.source, options.material, options.scale, options.size, options.solid, options.supports);
        solid.acceleration_noise = true;
        scene.objects = {object_of(solid, options.shell, options.method)};
        require_sound(scene, {});
        say_size(solid, Meshes{}, common);
        baked = bake(scene, baking, progress);
    }
    const Motion motion = motion_of(scene, baked, baking.cache, progress);
    const RenderOptions delivery{.out = options.out, .quality = options.quality, .gain = options.gain};
    Sounded sound = sounded(scene, baked, motion, delivery, progress);
    finish_progress();
    deliver(scene, baked, motion, std::move(sound), delivery, common);
}

}  // namespace clangor::app
