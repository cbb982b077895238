// The command line: options in, a command, an exit code out. 0 done, 1 the work failed, 2 the input is wrong.
#include "commands.hpp"
#include "console.hpp"

#include <Eigen/Core>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <new>
#include <optional>

namespace {

using namespace clangor;
using namespace clangor::app;

const std::map<std::string, Quality> qualities{
    {"draft", Quality::Draft}, {"standard", Quality::Standard}, {"reference", Quality::Reference}};
const std::map<std::string, Parts> part_names{
    {"auto", Parts::Auto}, {"fuse", Parts::Fuse}, {"split", Parts::Split}, {"largest", Parts::Largest}};
const std::map<std::string, scene::Elements> element_names{{"quadratic", scene::Elements::Quadratic},
                                                           {"linear", scene::Elements::Linear}};
const std::map<std::string, scene::ShellMethod> method_names{{"nonlinear", scene::ShellMethod::Nonlinear},
                                                             {"linear", scene::ShellMethod::Linear},
                                                             {"seed", scene::ShellMethod::Seed}};
// --help names the words, not the numbers behind them.
template <class Value>
CLI::Validator word_of(const std::map<std::string, Value>& words) {
    CLI::CheckedTransformer transformer(words);
    std::string names;
    for (const auto& [word, value] : words) names += (names.empty() ? "" : "|") + word;
    return transformer.description(names);
}

const CLI::Range rates(8000.0, 384'000.0);

void add_output_options(CLI::App& command, Common& common) {
    command.add_flag("--json", common.json, "Print one JSON object on standard output");
    command.add_flag("-q,--quiet", common.quiet, "No progress, no messages, only errors");
}

void add_bake_options(CLI::App& command, Common& common) {
    add_output_options(command, common);
    command.add_option("--threads", common.threads, "Threads to use; the result does not depend on it")
        ->check(CLI::Range(1, 1024));
    command.add_option("--cache", common.cache,
                       "Folder of baked models (default: $CLANGOR_CACHE, else ~/.cache/clangor)");
    command.add_flag("--no-cache", common.no_cache, "Neither read nor keep baked models");
    command
        .add_option("--memory", common.memory_gb,
                    "What the work may take [GB]: more is refused before it begins (default: 80 % of what is free)")
        ->check(CLI::PositiveNumber);
}

void add_solid_options(CLI::App& command, scene::SolidOptions& solid, std::optional<double>& shell, double& scale,
                       double& size, std::string& supports) {
    CLI::Option* as_shell =
        command.add_option("--shell", shell,
                           "It is a thin wall of this thickness [m], and the mesh the surface in its middle, open or "
                           "closed: sheets, lids, cymbals, bottles. Shapes: sheet, disc, dome, can, cymbal");
    command.add_option("--supports", supports,
                       "What holds it, as in a scene: '[{\"kind\": \"clamped\", \"side\": \"-x\", \"depth\": 0.1}]'");
    command.add_option("--min-hz", solid.min_hz, "Lowest mode to keep [Hz]")->capture_default_str();
    command.add_option("--max-hz", solid.max_hz, "Highest mode to keep [Hz]")->capture_default_str();
    command.add_option("--count", solid.max_modes, "Only the lowest so many modes")->check(CLI::Range(1, 1'000'000));
    command
        .add_option(
            "--edge", solid.edge_length,
            "Longest edge of a tetrahedron, or of a shell's triangle [m] (default: from size, wall and --max-hz)")
        ->check(CLI::PositiveNumber);
    command.add_option("--refinement", solid.refinement, "Divides the default edge length")
        ->check(CLI::Range(0.1, 10.0));
    command.add_option("--elements", solid.elements, "quadratic (10 nodes, default) or linear (4 nodes, too stiff)")
        ->transform(word_of(element_names))
        ->excludes(as_shell);
    command.add_option("--parts", solid.parts, "Pieces that lie apart: ring each by itself, are joined, or left out")
        ->transform(word_of(part_names))
        ->excludes(as_shell);
    command
        .add_option("--thickness", solid.thickness,
                    "Of sheets as solids [m] (default: a hundredth of the longest side)")
        ->check(CLI::PositiveNumber)
        ->excludes(as_shell);
    CLI::Option* by_scale = command.add_option("--scale", scale, "Metres per unit of the mesh: 0.001 for millimetres")
                                ->capture_default_str();
    command.add_option("--size", size, "Length of its longest side [m], instead of a scale")
        ->check(CLI::PositiveNumber)
        ->excludes(by_scale);
}

// All commands, and which one was asked for.
struct CommandLine {
    CLI::App app{"Clangor turns geometry, material and motion into sound, in hertz and pascals.", "clangor"};
    Common common;
    RenderOptions render;
    ModesOptions modes;
    StrikeOptions strike;
    std::string scene;
    std::vector<std::string> cases;
    std::string maps;
    Quality quality = Quality::Standard;
    std::function<void()> chosen;

    CommandLine();
    void add_render();
    void add_bake();
    void add_modes();
    void add_strike();
    void add_listings();
};

CommandLine::CommandLine() {
    app.set_version_flag("--version",
                         std::string("clangor " CLANGOR_VERSION ", built for ") + Eigen::SimdInstructionSetsInUse());
    app.require_subcommand(1);
    app.footer(
        "Try:\n"
        "  clangor strike '{\"bowl\": {\"radius\": 0.08}}' --material porcelain --at 0.08,0.05,0 --mallet rubber "
        "-o bowl.wav\n"
        "  clangor modes bell.obj --material bronze --count 12\n"
        "  clangor modes '{\"cymbal\": {\"radius\": 0.1}}' --shell 0.0007 --material bronze --count 12\n"
        "  clangor render scene.json -o scene.wav\n"
        "Exit codes: 0 done, 1 the work failed, 2 the input is wrong.");
    add_render();
    add_bake();
    add_modes();
    add_strike();
    add_listings();
}

void CommandLine::add_render() {
    CLI::App* command = app.add_subcommand("render", "A scene into sound at its listeners");
    command->add_option("SCENE", render.scene, "Scene file (JSON)")->required();
    command
        ->add_option("-o,--out", render.out,
                     ".wav (32-bit float, pascals) or .flac; OUT.report.json beside it says what is in it")
        ->required();
    command->add_option("--stems", render.stems, "Folder for one file per object and mechanism");
    command->add_flag("--split", render.split, "One file per listener: OUT-NAME.wav");
    command->add_option("--rate", render.rate_hz, "Sample rate [Hz] (default: the scene's)")->check(rates);
    command->add_option("--quality", render.quality, "draft, standard or reference")->transform(word_of(qualities));
    command->add_option("--gain", render.gain, "auto (peak at -1 dB), or decibels; 0 keeps pascals")
        ->capture_default_str();
    command->add_option("--bits", render.bits, "16, 24 or 32f (default: 32f for .wav, 24 for .flac); mind the --gain")
        ->check(CLI::IsMember({"16", "24", "32f"}));
    command->add_flag("--limit", render.limit, "Hold the true peak 1 dB under full scale (after the gain)");
    command->add_option("--motion", render.motion, "Write the motion as a glTF animation: OUT.glb");
    command->add_option("--motion-fps", render.motion_fps, "Keyframes per second of --motion")
        ->check(CLI::Range(1.0, 1000.0))
        ->capture_default_str();
    command->add_option("--impacts", render.impacts,
                        "Write every impact as a line of a table: speeds, force, contact times, energy to the modes");
    add_bake_options(*command, common);
    command->callback([this] { chosen = [this] { render_command(render, common); }; });
}

void CommandLine::add_bake() {
    CLI::App* command = app.add_subcommand("bake", "Everything slow of a scene, kept for later renders");
    command->add_option("SCENE", scene, "Scene file (JSON)")->required();
    command->add_option("--quality", quality, "draft, standard or reference")->transform(word_of(qualities));
    command->add_option("--maps", maps, "Also draw how loud each mode is in every direction: PNG files in this folder");
    add_bake_options(*command, common);
    command->callback([this] { chosen = [this] { bake_command(scene, quality, maps, common); }; });
}

void CommandLine::add_modes() {
    CLI::App* command = app.add_subcommand("modes", "Frequencies and decay of one object");
    command
        ->add_option("MESH", modes.mesh,
                     "OBJ, PLY, STL, glTF or GLB file in metres, or a shape as JSON: '{\"bowl\": {\"radius\": 0.08}}'")
        ->required();
    command->add_option("-m,--material", modes.material, "Library name, JSON file or JSON object")->required();
    command->add_option("-o,--out", modes.out, "Write the model (HDF5): `clangor strike` and other tools read it");
    command->add_flag("--sound-fields", modes.sound_fields,
                      "Solve for what the air takes from each mode (some seconds), instead of an estimate");
    add_solid_options(*command, modes.solid, modes.shell, modes.scale, modes.size, modes.supports);
    add_bake_options(*command, common);
    command->callback([this] { chosen = [this] { modes_command(modes, common); }; });
}

std::string mallet_help() {
    std::string text = "What strikes, instead of an impulse:";
    for (const scene::MalletPreset& preset : scene::mallet_presets())
        text +=
            fmt::format("{} {} ({:g} g, radius {:g} mm, {:g} m/s)", &preset == &scene::mallet_presets()[0] ? "" : ",",
                        preset.name, 1e3 * preset.mass, 1e3 * preset.radius, preset.speed);
    return text + ". Change any of it (felt,speed=2), or say all: mass=0.02,radius=0.01,material=nylon,speed=1.5 [SI]";
}

void CommandLine::add_strike() {
    CLI::App* command = app.add_subcommand("strike", "The sound of one impact at one object");
    command->add_option("SOURCE", strike.source, "Mesh file, shape as JSON, or model from `clangor modes -o`")
        ->required();
    command->add_option("-m,--material", strike.material, "Library name, JSON file or JSON object");
    const auto add_vector = [&](const char* name, std::vector<double>& value, const char* text) {
        return command->add_option(name, value, text)->delimiter(',')->expected(3);
    };
    add_vector("--at", strike.at, "Where it is struck, X,Y,Z in the mesh's frame [m]; the closest surface point counts")
        ->required();
    CLI::Option* impulse = add_vector("--impulse", strike.impulse,
                                      "Impulse X,Y,Z [N s]; write --impulse=-0.02,0,0 if the first is negative");
    CLI::Option* mallet = command->add_option("--mallet", strike.mallet, mallet_help())->excludes(impulse);
    add_vector("--direction", strike.direction,
               "In which the mallet moves, X,Y,Z in the mesh's frame (default: straight into the surface)")
        ->needs(mallet);
    add_vector("--listener", strike.listener, "Position of the microphone, X,Y,Z [m]")->capture_default_str();
    command
        ->add_option("-o,--out", strike.out,
                     "WAV file, 32-bit float in pascals; OUT.report.json beside it says what is in it")
        ->required();
    command->add_option("--duration", strike.duration, "Length [s]")->capture_default_str();
    command
        ->add_option("--contact-time", strike.contact_time,
                     "Length of the contact by an --impulse [s]; 0: instantaneous. With a --mallet it comes out")
        ->capture_default_str()
        ->excludes(mallet);
    command->add_option("--rate", strike.rate_hz, "Sample rate [Hz]")->check(rates)->capture_default_str();
    command->add_option("--gain", strike.gain, "auto (peak at -1 dB), or decibels; 0 keeps pascals")
        ->capture_default_str();
    command
        ->add_option("--quality", strike.quality,
                     "draft (compact radiation, at once), standard (sound fields, some seconds) or reference")
        ->transform(word_of(qualities));
    add_solid_options(*command, strike.solid, strike.shell, strike.scale, strike.size, strike.supports);
    command
        ->add_option("--method", strike.method,
                     "How the wall moves: nonlinear (modes feed one another, default), linear (each rings by itself) "
                     "or seed (linear modes with the wall's full forces, far too stiff; for comparison)")
        ->transform(word_of(method_names))
        ->needs("--shell");
    add_bake_options(*command, common);
    command->callback([this] { chosen = [this] { strike_command(strike, common); }; });
}

void CommandLine::add_listings() {
    CLI::App* materials = app.add_subcommand("materials", "The material library");
    add_output_options(*materials, common);
    materials->callback([this] { chosen = [this] { materials_command(common); }; });
    CLI::App* check = app.add_subcommand("check", "Every problem of a scene file, with its line; renders nothing");
    check->add_option("SCENE", scene, "Scene file (JSON)")->required();
    add_output_options(*check, common);
    check->callback([this] { chosen = [this] { check_command(scene, common); }; });
    CLI::App* validate =
        app.add_subcommand("validate", "Re-derives closed forms and published tables; fails if one is missed");
    validate->add_option("NAME", cases, "Only these cases (default: all)");
    add_output_options(*validate, common);
    validate->add_option("--threads", common.threads, "Threads to use")->check(CLI::Range(1, 1024));
    validate->callback([this] { chosen = [this] { validate_command(cases, common); }; });
}

// "clangor rendr": the parser would only say that arguments were not expected.
std::string problem_of_command(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return "";
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        known.push_back(command->get_name());
    if (std::ranges::find(known, argv[1]) != known.end()) return "";
    const std::optional<std::string> meant = nearest_name(argv[1], known);
    return fmt::format(
        "there is no command \"{}\"; {}", argv[1],
        meant ? fmt::format("did you mean \"{}\"?", *meant) : fmt::format("known: {}", fmt::join(known, ", ")));
}

int fail(const std::string& message, int code) {
    finish_progress();
    fmt::print(stderr, "clangor: {}\n", message);
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    end_line_on_interrupt();
    CommandLine line;
    if (const std::string problem = problem_of_command(line.app, argc, argv); !problem.empty()) return fail(problem, 2);
    try {
        line.app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return line.app.exit(error) == 0 ? 0 : 2;
    }
    try {
        line.chosen();
        return 0;
    } catch (const Error& error) {
        return fail(error.what(), error.blame() == Blame::Work ? 1 : 2);
    } catch (const std::bad_alloc&) {
        return fail("out of memory: ask for longer edges (--edge), or allow less (--memory)", 1);
    } catch (const std::exception& error) {
        return fail(fmt::format("unexpected: {}", error.what()), 1);
    }
}
