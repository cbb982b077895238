/// @file scene.hpp — scene and material files: reading, checking, and what editors and people need to write them.
/// In        JSON that may hold anything.
/// Out       Scene and Material, or every problem with file, line and column; the schema and the reference page.
/// Not here  the keys themselves (scene).
///
///     const Scene scene = io::read_scene("bell.json");
///     for (const std::string& problem : io::check_scene("bell.json")) show(problem);   // bell.json:14:7: …
#pragma once

#include <clangor/io/scene/material_file.hpp>
#include <clangor/scene/scene.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace clangor::io {

/// Throws Error with every problem, one per line: "bell.json:14:7: object "cup": scale must be …". Files that it
/// names must exist, but only those of materials are read.
Scene read_scene(const std::filesystem::path& path);

/// A scene with what it was read from.
struct SceneFile {
    Scene scene;
    /// Every file that it is made of: itself, meshes, materials, trajectories, impacts, ears, and what those name in
    /// turn.
    std::vector<std::filesystem::path> files = {};
    /// Where its parts stand, as "bell.json:14:7".
    std::vector<std::string> objects = {}, strikes = {}, listeners = {};
    std::string motion = {};
};

/// The same as read_scene, for whoever must not overwrite what it was read from.
SceneFile read_scene_file(const std::filesystem::path& path);

/// Every problem of the file, each with file, line and column; empty: `read_scene` will succeed.
std::vector<std::string> check_scene(const std::filesystem::path& path);

/// A scene from text that is in no file. `name` stands in messages; files are not looked for, and those of materials
/// are refused, so that a text from anywhere touches no file.
Scene parse_scene(std::string_view text, std::string_view name);

/// What stands for a mesh on a command line: a file name, or JSON such as {"bowl": {"radius": 0.08}}.
scene::MeshSource parse_mesh_source(std::string_view text);

/// Supports on a command line: a JSON array of them, or one object. Throws Error with every problem.
std::vector<scene::Support> parse_supports(std::string_view text);

/// A mallet on a command line: a preset ("rubber"), one with changes ("felt,speed=2"), all that it is
/// ("mass=0.02,radius=0.01,material=nylon,speed=1.5"), or a JSON object. Throws Error with every problem.
scene::Mallet parse_mallet(std::string_view text);

/// The JSON Schema (draft 2020-12) of scene files: docs/scene.schema.json.
std::string scene_schema();

/// Tables of every key, in Markdown: part of docs/guide/scene-file.md.
std::string scene_reference_markdown();

}  // namespace clangor::io
