/// @file gltf.hpp — what meshes and motion share of a glTF: the document, its numbers and its nodes.
/// In        bytes that may hold anything.
/// Out       checked views of its buffers, and where each node stands. Nothing in the file is trusted.
/// Not here  surfaces (io/mesh), animations (io/motion).
///
///     gltf::open_document(bytes, gltf::Container::Binary, "cup.glb", sibling, use);
#pragma once

#include <clangor/io/gltf/document.hpp>
#include <clangor/io/gltf/nodes.hpp>
