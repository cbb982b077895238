// Baked transfer: how each mode of a body radiates, in one HDF5 file (docs/guide/model-files.md).
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/radiation/transfer/transfer.hpp>

#include <string>
#include <vector>

namespace clangor {

struct BegunTransferFile;

struct BakedTransfer {
    using Begun = BegunTransferFile;
    static constexpr io::BakedKind kind = {.format = "clangor transfer",
                                           .version = "2",
                                           .title = "Clangor transfer",
                                           .noun = "transfer",
                                           .ending = ".transfer.h5"};

    std::string name;
    std::string inputs_hash;            ///< of everything that it was baked from: its key in the cache
    ModalTransfer transfer;             ///< modes of degree −1 are not solved yet: a bake that was stopped
    std::vector<std::string> messages;  ///< what the user should know about the bake
};

void write(io::Hdf5Writer& file, const BakedTransfer& baked);
void read(const io::Hdf5Reader& file, BakedTransfer& baked);

/// Every way in which sizes or values do not fit together; empty if all is well.
std::vector<std::string> problems_of(const BakedTransfer& baked);

/// What a bake had done when it was stopped.
struct BegunTransferFile {
    static constexpr io::BakedKind kind = {.format = "clangor begun transfer",
                                           .version = "1",
                                           .title = "begun Clangor transfer",
                                           .noun = "begun transfer",
                                           .ending = ".transfer.begun.h5",
                                           .packing = io::Hdf5Writer::Packing::Plain};

    std::string name;
    std::string inputs_hash;
    BegunTransfer begun;
};
void write(io::Hdf5Writer& file, const BegunTransferFile& begun);
void read(const io::Hdf5Reader& file, BegunTransferFile& begun);
std::vector<std::string> problems_of(const BegunTransferFile& file);

}  // namespace clangor
