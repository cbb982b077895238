// What each command is asked for, and the functions that do it. main.cpp fills the options in and turns Error into exit
// codes.
#pragma once

#include <clangor/render/render.hpp>

#include <optional>
#include <string>
#include <vector>

namespace clangor::app {

/// Options that several commands share.
struct Common {
    bool json = false;
    bool quiet = false;
    int threads = 0;    ///< 0: all
    std::string cache;  ///< folder; empty: the default one
    bool no_cache = false;
    double memory_gb = 0;  ///< 0: most of what is free
};

struct RenderOptions {
    std::string scene = {}, out = {}, stems = {};
    double rate_hz = 0;  ///< 0: the scene's
    Quality quality = Quality::Standard;
    std::string gain = "0";   ///< "auto" or decibels
    std::string bits = {};    ///< "16", "24" or "32f"; empty: what suits the file's kind
    bool limit = false;       ///< holds the true peak under full scale
    bool split = false;       ///< one file a listener
    std::string motion = {};  ///< a .glb to write; empty: none
    double motion_fps = 60;
    std::string impacts = {};  ///< a .csv to write; empty: none
};

struct ModesOptions {
    std::string mesh = {}, material = {}, out = {};
    double scale = 1, size = 0;
    bool sound_fields = false;  ///< solve for what the air takes, instead of an estimate
    scene::SolidOptions solid;
    std::optional<double> shell = {};  ///< the mesh is in the middle of a wall so thick [m]; none: it bounds a solid
    std::string supports = {};         ///< as JSON; empty: it is free
};

struct StrikeOptions {
    std::string source = {}, material = {}, out = {};
    std::vector<double> at = {}, impulse = {}, listener = {0, 0, 1};
    std::string mallet = {};             ///< instead of an impulse: as io::parse_mallet reads it
    std::vector<double> direction = {};  ///< of the mallet; empty: straight into the surface
    double scale = 1, size = 0, duration = 2, contact_time = 2e-4, rate_hz = 48'000;
    std::string gain = "0";
    Quality quality = Quality::Standard;
    scene::SolidOptions solid;
    std::optional<double> shell = {};  ///< as of ModesOptions
    scene::ShellMethod method = scene::ShellMethod::Nonlinear;
    std::string supports = {};  ///< as JSON; empty: it is free
};

void render_command(const RenderOptions& options, const Common& common);
void bake_command(const std::string& scene, Quality quality, const std::string& maps, const Common& common);
void modes_command(const ModesOptions& options, const Common& common);
void strike_command(const StrikeOptions& options, const Common& common);
void materials_command(const Common& common);
void check_command(const std::string& scene, const Common& common);
void validate_command(const std::vector<std::string>& names, const Common& common);

}  // namespace clangor::app
