// Baked transfer: how each mode of a body radiates, in one HDF5 file (docs/guide/model-files.md).
#pragma once

#include <clangor/radiation/transfer/transfer.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace clangor::io {

struct BakedTransfer {
    std::string name;
    std::string inputs_hash;            ///< of everything that it was baked from: its key in the cache
    ModalTransfer transfer;             ///< modes of degree −1 are not solved yet: a bake that was stopped
    std::vector<std::string> messages;  ///< what the user should know about the bake
};

/// The whole file. The same transfer gives the same bytes.
std::vector<std::byte> transfer_bytes(const BakedTransfer& baked);

/// Checks everything, as model_from_bytes does. Throws Error; `where` stands in its message.
BakedTransfer transfer_from_bytes(std::span<const std::byte> bytes, const std::string& where);

void write_transfer(const std::filesystem::path& path, const BakedTransfer& baked);
BakedTransfer read_transfer(const std::filesystem::path& path);

/// What a bake had done when it was stopped.
struct BegunTransferFile {
    std::string name;
    std::string inputs_hash;
    BegunTransfer begun;
};
std::vector<std::byte> begun_transfer_bytes(const BegunTransferFile& begun);
BegunTransferFile begun_transfer_from_bytes(std::span<const std::byte> bytes, const std::string& where);

/// Every way in which sizes or values do not fit together; empty if all is well.
std::vector<std::string> problems_of(const BakedTransfer& baked);
std::vector<std::string> problems_of(const BegunTransferFile& file);

}  // namespace clangor::io
