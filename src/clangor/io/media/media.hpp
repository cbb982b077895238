/// @file media.hpp — sound and picture files.
/// In        Audio [Pa], pictures.
/// Out       WAV files and PNGs; sound that is too long for memory in a file without a name.
/// Not here  gain and limiting (listening).
///
///     io::write_wav("bell.wav", audio);
#pragma once

#include <clangor/io/media/audio_file.hpp>
#include <clangor/io/media/audio_spool.hpp>
#include <clangor/io/media/picture_file.hpp>
