// Any bytes as a scene: either a Scene or an Error, never anything else.
#include <clangor/io/scene/scene.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        clangor::io::parse_scene(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    } catch (const clangor::Error&) {
        // what wrong input is answered with
    }
    return 0;
}

/// Where mutations start: each construct of the format once.
std::vector<std::string> fuzz_seeds() {
    return {
        R"({"clangor": 1, "duration": 2.5, "sample_rate": 96000, "seed": 18446744073709551615,
            "air": {"density": 1.1, "speed_of_sound": 350},
            "materials": {"m": {"density": 8700, "young": 1.05e11, "poisson": 0.35, "loss_factor": 0.001}},
            "objects": [{"name": "bar", "kind": "solid", "mesh": {"box": {"size": [0.2, 0.02, 0.01]}}, "material": "m",
                         "position": [1, 2, 3], "rotation_deg": [10, 20, 30], "scale": 0.5, "elements": "linear",
                         "min_hz": 30, "max_hz": 12000, "max_modes": 40, "edge_length": 0.004, "refinement": 2}],
            "strikes": [{"object": "bar", "time": 0.25, "at": [0, 0, 0], "impulse": [-0.02, 0, 0], "contact_time": 0,
                         "shape": "half_sine"}],
            "listeners": [{"name": "mic", "kind": "mono", "position": [-1, 0, 0]}]})",
        R"({"clangor": 1, "duration": 1, "objects": [{"name": "c", "kind": "solid", "mesh": "c.obj", "material":
            {"density": 2400, "young": 7e10, "poisson": 0.2, "damping": {"alpha": 1, "beta": 2e-7, "gamma": 3}}}],
            "listeners": [{"name": "mic", "position": [0, 0, 1]}]})",
        R"({"clangor": 1, "duration": 1, "objects": [{"name": "h", "kind": "solid", "mesh": {"box": {}}, "material":
            {"density": 2700, "young": 7e10, "poisson": 0.3, "loss_factors": [{"hz": 10, "loss_factor": 0.1}],
             "thermal": {"expansion": 2e-5, "heat_capacity": 900, "conductivity": 200}}, "supports": [
            {"kind": "clamped", "side": "-x", "depth": 0.1}, {"kind": "pinned", "at": [0, 0, 0], "radius": 0.1},
            {"kind": "clamped", "at": [0, 0, 0], "beyond": 1},
            {"kind": "felt", "side": "+z", "stiffness": 1e8, "loss_factor": 0.3}]}],
            "listeners": [{"name": "mic", "position": [0, 0, 1]}]})",
        R"({"clangor": 1, "duration": 1, "motion": {"gravity": [0, -1, 0], "step_hz": 500, "impacts": "h.csv",
            "roughness": 2,
            "min_approach_speed": 0.1, "contact_damping": 0,
            "contacts": [{"object": "a", "other": "f", "friction": 1}]},
            "objects": [{"name": "a", "kind": "solid", "mesh": {"mug": {}}, "material": "steel", "motion": "simulated",
                         "velocity": [1, 0, 0], "spin_deg": [0, 1, 0], "hangs_at": [0, 0, 0], "friction": 0.5,
                         "silent": true},
                        {"name": "b", "kind": "solid", "mesh": {"box": {}}, "material": "oak", "trajectory": "s.glb#b"},
                        {"name": "f", "kind": "ground", "material": "concrete", "height": 1, "reflection": 0.5}],
            "listeners": [{"name": "m", "kind": "binaural", "position": [0, 0, 0], "attached_to": "a",
                           "sofa": "e.sofa", "facing": [1, 0, 0]},
                          {"name": "n", "path": [{"time": 0, "position": [0, 0, 0]},
                                                {"time": 1, "position": [1, 0, 0]}]}]})",
        R"({"clangor": 1, "duration": 1, "objects": [
            {"name": "a", "kind": "grains", "material": "glass", "radius": 0.001, "count": 3, "velocity": [1, 0, 0],
             "spread": 0.5, "sampled": true, "fill": {"position": [0, 0, 0], "size": [1, 1, 1], "round": true,
             "settled": true, "stopper": 1}},
            {"name": "b", "kind": "grains", "material": "glass", "radius": 0.001, "collisions": "b.csv"},
            {"name": "c", "kind": "grains", "material": "glass", "radius": 0.001, "particles": "c.h5",
             "grains_per_particle": 3},
            {"name": "d", "kind": "grains", "material": "glass", "radius": 0.001, "grid": "d.csv"}],
            "listeners": [{"name": "mic", "position": [0, 0, 1]}]})",
        R"([[[[{"a": "\u00e9\ud834\udd1e\n", "b": [true, false, null, -1e-300]}]]]])",
        "{\"a\": NaN}",
        "{\"a\": 1, \"a\": 1e999}",
        "\xEF\xBB\xBF{}",
        "\"\xC3\xA9\xF0\x9D\x84\x9E\"",
        "",
    };
}
