// Baked plans of shells that move beyond their linear modes, in HDF5 files (docs/guide/model-files.md).
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/vibration/nonlinear/nonlinear.hpp>
#include <clangor/vibration/subspace/subspace.hpp>

#include <string>
#include <vector>

namespace clangor {

/// Stress modes and edges: docs/theory/nonlinear-shell.md.
struct BakedShellPlan {
    static constexpr io::BakedKind kind = {.format = "clangor shell plan",
                                           .version = "1",
                                           .title = "Clangor shell plan",
                                           .noun = "shell plan",
                                           .ending = ".plan.h5"};
    std::string name;
    std::string inputs_hash;  ///< of everything that it was baked from: its key in the cache
    ShellPlan plan;
};

void write(io::Hdf5Writer& file, const BakedShellPlan& baked);
void read(const io::Hdf5Reader& file, BakedShellPlan& baked);
std::vector<std::string> problems_of(const BakedShellPlan& baked);

/// Linear modes alone, and triangles: docs/theory/subspace-shell.md.
struct BakedSubspacePlan {
    static constexpr io::BakedKind kind = {.format = "clangor subspace plan",
                                           .version = "1",
                                           .title = "Clangor subspace plan",
                                           .noun = "subspace plan",
                                           .ending = ".subspace.h5"};
    std::string name;
    std::string inputs_hash;
    SubspacePlan plan;
};

void write(io::Hdf5Writer& file, const BakedSubspacePlan& baked);
void read(const io::Hdf5Reader& file, BakedSubspacePlan& baked);
std::vector<std::string> problems_of(const BakedSubspacePlan& baked);

}  // namespace clangor
