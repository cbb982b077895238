/// @file file.hpp — bytes and texts on disk, and what every reader of them needs.
/// In        paths; bytes that may hold anything.
/// Out       whole files, read at once and written so that nobody sees half of one; lines, words, JSON with places.
/// Not here  what the files mean (the other modules of io).
///
///     io::write_file("notes.txt", std::as_bytes(std::span(text)));
#pragma once

#include <clangor/io/file/atomic_file.hpp>
#include <clangor/io/file/file_part.hpp>
#include <clangor/io/file/hash.hpp>
#include <clangor/io/file/json.hpp>
#include <clangor/io/file/text.hpp>
#include <clangor/io/file/unnamed_file.hpp>
