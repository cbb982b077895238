/// @file model.hpp — baked values in HDF5 files, and the cache that finds them again.
/// In        plain values that know how to be written, read and checked.
/// Out       files that say what they are and show damage; a cache that several processes may share.
/// Not here  what is baked, and from what (objects, render).
///
///     const io::Cache cache = io::default_cache().cache;
#pragma once

#include <clangor/io/model/baked_file.hpp>
#include <clangor/io/model/cache.hpp>
#include <clangor/io/model/hdf5_memory.hpp>
