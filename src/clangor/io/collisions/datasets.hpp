// What readers of HDF5 files of grains share. Internal to io/collisions.
#pragma once

#include <clangor/core/core.hpp>
#include <clangor/io/model/model.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace clangor::io {

inline bool is_hdf5(const std::filesystem::path& path) {
    return path.extension() == ".h5" || path.extension() == ".hdf5";
}

/// A dataset of `columns` numbers a row, all of them finite. Throws Error without the name of the file.
std::vector<double> rows_of(const Hdf5Reader& file, const std::string& name, std::uint64_t rows, std::uint64_t columns);

inline Vec3 vector_in_row(const std::vector<double>& values, std::size_t row) {
    return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

/// What `work` gives. Errors that do not begin with the name of the file are given it.
template <class Work>
auto named_in_errors(const std::string& name, const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        const std::string what = error.what();
        if (what.starts_with(name)) throw;
        throw Error(name + ' ' + what);
    }
}

}  // namespace clangor::io
