/// @file gltf.hpp — what meshes and motion share of a glTF: the document, its numbers and its nodes.
/// In        bytes that may hold anything.
/// Out       checked views of its buffers, where each node stands, what is animated. Nothing in the file is trusted.
/// Not here  surfaces (io/mesh), paths (io/motion).
///
///     gltf::open_document(bytes, gltf::Container::Binary, "cup.glb", sibling, use);
#pragma once

#include <clangor/io/gltf/animations.hpp>
#include <clangor/io/gltf/document.hpp>
#include <clangor/io/gltf/nodes.hpp>
