// Baked values as files: an HDF5 image that says what it is, with a seal that shows damage.
//
// A baked value is a plain struct with a name, an inputs_hash (of everything that it was baked from: its key in the
// cache) and `static constexpr io::BakedKind kind`. Beside it stand three functions in its namespace:
//     void write(io::Hdf5Writer& file, const Baked& baked);
//     void read(const io::Hdf5Reader& file, Baked& baked);
//     std::vector<std::string> problems_of(const Baked& baked);    // sizes or values that do not fit together
#pragma once

#include <clangor/io/file/file.hpp>
#include <clangor/io/model/hdf5_memory.hpp>

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace clangor::io {

struct BakedKind {
    const char* format;  ///< the file's attribute "format", unique to the kind
    const char* version;
    const char* title;   ///< as it stands in errors about a file: "is no …"
    const char* noun;    ///< and in those about the cache: "the … was not kept"
    const char* ending;  ///< of the file's name in the cache, after the key
    Hdf5Writer::Packing packing = Hdf5Writer::Packing::Deflated;
};

/// The image, then the seal, which other programs do not notice: 16 letters, then the checksum of all before.
std::vector<std::byte> sealed(std::vector<std::byte> image);

/// The image alone. Throws Error if there is no seal, or a wrong one.
std::span<const std::byte> unsealed(std::span<const std::byte> bytes, const BakedKind& kind);

void describe(Hdf5Writer& file, const BakedKind& kind, const std::string& inputs_hash);

/// Throws Error if the file is of another kind or version.
void require_kind(const Hdf5Reader& file, const BakedKind& kind);

/// A list of messages is one text, one line each.
void write_messages(Hdf5Writer& file, const std::vector<std::string>& messages);
std::vector<std::string> read_messages(const Hdf5Reader& file);

/// The whole file. The same value gives the same bytes.
template <class Baked>
std::vector<std::byte> bytes_of_baked(const Baked& baked) {
    CLANGOR_ASSERT(problems_of(baked).empty(), "a value fits together before it is written");
    Hdf5Writer file(Baked::kind.packing);
    describe(file, Baked::kind, baked.inputs_hash);
    file.write("name", baked.name);
    write(file, baked);
    return sealed(file.bytes());
}

/// Checks everything: that the bytes are undamaged, that they are of this kind and version, all sizes, ranges and
/// finiteness. Throws Error; `where` stands in its message.
template <class Baked>
Baked baked_from_bytes(std::span<const std::byte> bytes, const std::string& where) {
    try {
        const Hdf5Reader file(unsealed(bytes, Baked::kind));
        require_kind(file, Baked::kind);
        Baked baked;
        baked.name = file.text("name");
        baked.inputs_hash = file.description("inputs_sha256");
        read(file, baked);
        const std::vector<std::string> problems = problems_of(baked);
        if (!problems.empty()) throw Error(fmt::format("makes no sense: {}", fmt::join(problems, "; ")));
        return baked;
    } catch (const Error& error) {
        throw Error(fmt::format("{} {}. Bake it again.", where, error.what()));
    }
}

template <class Baked>
void write_baked(const std::filesystem::path& path, const Baked& baked) {
    write_file(path, bytes_of_baked(baked));
}

template <class Baked>
Baked read_baked(const std::filesystem::path& path) {
    return baked_from_bytes<Baked>(read_bytes(path), path.string());
}

/// What a length, a density or a frequency must be.
inline bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// In Eigen's order of storage: the columns of a matrix become the rows of its dataset, unless it is row-major.
template <class Matrix>
std::span<const typename Matrix::Scalar> flat_values(const Matrix& matrix) {
    return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

/// The array as an Eigen matrix of the given storage order; `rows` and `columns` as Eigen counts them.
template <class Matrix>
Matrix matrix_of(const Hdf5Array<typename Matrix::Scalar>& array, long rows, long columns, const std::string& name) {
    if (static_cast<long>(array.values.size()) != rows * columns)
        throw Error(fmt::format("has a {} of the wrong size", name));
    return Eigen::Map<const Matrix>(array.values.data(), rows, columns);
}

}  // namespace clangor::io
