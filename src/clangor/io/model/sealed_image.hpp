// What all baked files share: an HDF5 image that says what it is, with a seal that shows damage.
#pragma once

#include <clangor/io/model/hdf5_memory.hpp>

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

namespace clangor::io {

struct ImageKind {
    const char* format;  ///< the file's attribute "format", unique to the kind
    const char* version;
    const char* noun;  ///< as it stands in errors: "is no …"
};

/// The image, then the seal, which other programs do not notice: 16 letters, then the checksum of all before.
std::vector<std::byte> sealed(std::vector<std::byte> image);

/// The image alone. Throws Error if there is no seal, or a wrong one.
std::span<const std::byte> unsealed(std::span<const std::byte> bytes, const ImageKind& kind);

void describe(Hdf5Writer& file, const ImageKind& kind, const std::string& inputs_hash);

/// Throws Error if the file is of another kind or version.
void require_kind(const Hdf5Reader& file, const ImageKind& kind);

/// A list of messages is one text, one line each.
void write_messages(Hdf5Writer& file, const std::vector<std::string>& messages);
std::vector<std::string> read_messages(const Hdf5Reader& file);

/// What `read` makes of the image inside `bytes`. Its errors say what is wrong with the file; here they learn which
/// file.
template <class Read>
auto opened(std::span<const std::byte> bytes, const ImageKind& kind, const std::string& where, const Read& read) {
    try {
        const Hdf5Reader file(unsealed(bytes, kind));
        require_kind(file, kind);
        auto content = read(file);
        const std::vector<std::string> problems = problems_of(content);
        if (!problems.empty()) throw Error(fmt::format("makes no sense: {}", fmt::join(problems, "; ")));
        return content;
    } catch (const Error& error) {
        throw Error(fmt::format("{} {}. Bake it again.", where, error.what()));
    }
}

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
