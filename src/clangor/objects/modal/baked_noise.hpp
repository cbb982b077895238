// Baked acceleration noise: all that a body needs to click, in one HDF5 file (docs/guide/model-files.md).
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/radiation/acceleration/acceleration.hpp>

#include <string>
#include <vector>

namespace clangor {

struct BegunNoise;

struct BakedNoise {
    using Begun = BegunNoise;
    static constexpr io::BakedKind kind = {.format = "clangor acceleration noise",
                                           .version = "1",
                                           .title = "Clangor acceleration noise",
                                           .noun = "acceleration noise",
                                           .ending = ".noise.h5"};

    std::string name;
    std::string inputs_hash;  ///< of everything that it was baked from: its key in the cache
    AccelerationNoise noise;
    std::vector<std::string> messages;  ///< what the user should know about the bake
};

void write(io::Hdf5Writer& file, const BakedNoise& noise);
void read(const io::Hdf5Reader& file, BakedNoise& noise);

/// Every way in which sizes or values do not fit together; empty if all is well.
std::vector<std::string> problems_of(const BakedNoise& noise);

/// A bake that is not finished: the motions that are.
struct BegunNoise {
    static constexpr io::BakedKind kind = {.format = "clangor acceleration noise, begun",
                                           .version = "1",
                                           .title = "begun Clangor acceleration noise",
                                           .noun = "begun acceleration noise",
                                           .ending = ".noise.begun.h5",
                                           .packing = io::Hdf5Writer::Packing::Plain};

    std::string name;
    std::string inputs_hash;
    std::vector<NoiseMotion> motions;
};
void write(io::Hdf5Writer& file, const BegunNoise& begun);
void read(const io::Hdf5Reader& file, BegunNoise& begun);
std::vector<std::string> problems_of(const BegunNoise& begun);

}  // namespace clangor
