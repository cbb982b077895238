// Columns of HDF5 files of grains, and what is wrong with them.
#include <clangor/io/collisions/datasets.hpp>

#include <fmt/format.h>

#include <cmath>

namespace clangor::io {

std::vector<double> rows_of(const Hdf5Reader& file, const std::string& name, std::uint64_t rows,
                            std::uint64_t columns) {
    Hdf5Array<double> array = file.doubles(name);
    std::vector<std::uint64_t> expected = {rows};
    if (columns > 1) expected.push_back(columns);
    if (array.dims != expected)
        throw Error(fmt::format("has a {} of {}; give {}", name, fmt::join(array.dims, "×"), fmt::join(expected, "×")));
    for (std::size_t i = 0; i < array.values.size(); ++i)
        if (!std::isfinite(array.values[i]))
            throw Error(fmt::format("has a {} that is not finite, in row {}; write it again", name, i / columns));
    return std::move(array.values);
}

}  // namespace clangor::io
