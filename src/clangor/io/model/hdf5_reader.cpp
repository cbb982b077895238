#include <clangor/io/model/hdf5_handle.hpp>
#include <clangor/io/model/hdf5_memory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace clangor::io {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t(1) << 34;  // no model of ours comes near this

const std::string not_hdf5 = "is not an HDF5 file";

Hdf5Handle open_in_memory(std::span<const std::byte> bytes) {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, not_hdf5);
    require(H5Pset_fapl_core(access, 1 << 16, false) >= 0, not_hdf5);
    void* image = const_cast<std::byte*>(bytes.data());  // the library copies it
    require(H5Pset_file_image(access, image, bytes.size()) >= 0, not_hdf5);
    return {H5Fopen(unique_name().c_str(), H5F_ACC_RDONLY, access), H5Fclose, not_hdf5};
}

/// One dataset and what it holds.
struct Dataset {
    Hdf5Handle handle, type;
    std::vector<std::uint64_t> dims;
    std::uint64_t count = 1;
};

Dataset open_dataset(hid_t file, const std::string& name) {
    const std::string missing = fmt::format("has no {}", name);
    Hdf5Handle handle(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, missing);
    Hdf5Handle type(H5Dget_type(handle), H5Tclose, missing);
    const Hdf5Handle space(H5Dget_space(handle), H5Sclose, missing);
    const int rank = H5Sget_simple_extent_ndims(space);
    require(rank >= 0 && rank <= 3, fmt::format("has a strange {}", name));
    std::vector<hsize_t> extent(rank);
    if (rank > 0) require(H5Sget_simple_extent_dims(space, extent.data(), nullptr) == rank, missing);
    Dataset dataset{std::move(handle), std::move(type), {extent.begin(), extent.end()}};
    for (const std::uint64_t dim : dataset.dims) {
        require(dim == 0 || dataset.count <= most_bytes / dim, fmt::format("has a {} that is too large", name));
        dataset.count *= dim;
    }
    return dataset;
}

template <class Scalar>
Hdf5Array<Scalar> read_array(hid_t file, const std::string& name, H5T_class_t kind, hid_t memory_type) {
    const Dataset dataset = open_dataset(file, name);
    require(H5Tget_class(dataset.type) == kind, fmt::format("has a {} of the wrong type", name));
    require(dataset.count <= most_bytes / sizeof(Scalar), fmt::format("has a {} that is too large", name));
    Hdf5Array<Scalar> array{dataset.dims, std::vector<Scalar>(dataset.count)};
    require(H5Dread(dataset.handle, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) >= 0,
            fmt::format("has a {} that cannot be unpacked", name));
    return array;
}

std::string trimmed(std::string text) {
    text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
    return text;
}

}  // namespace

struct Hdf5Reader::File {
    Hdf5Session session;
    Hdf5Handle handle;
    explicit File(std::span<const std::byte> bytes) : handle(open_in_memory(bytes)) {}
};

Hdf5Reader::Hdf5Reader(std::span<const std::byte> bytes) : file_(std::make_unique<File>(bytes)) {}
Hdf5Reader::~Hdf5Reader() = default;

Hdf5Array<double> Hdf5Reader::doubles(const std::string& name) const {
    return read_array<double>(file_->handle, name, H5T_FLOAT, H5T_NATIVE_DOUBLE);
}

Hdf5Array<float> Hdf5Reader::floats(const std::string& name) const {
    return read_array<float>(file_->handle, name, H5T_FLOAT, H5T_NATIVE_FLOAT);
}

Hdf5Array<std::int32_t> Hdf5Reader::integers(const std::string& name) const {
    return read_array<std::int32_t>(file_->handle, name, H5T_INTEGER, H5T_NATIVE_INT32);
}

double Hdf5Reader::number(const std::string& name) const {
    const Hdf5Array<double> array = doubles(name);
    require(array.values.size() == 1, fmt::format("has a {} that is not one number", name));
    return array.values[0];
}

// HDF5 asks for every group on the way.
bool Hdf5Reader::has(const std::string& name) const {
    for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
        if (!(H5Lexists(file_->handle, name.substr(0, end).c_str(), H5P_DEFAULT) > 0)) return false;
        if (end == std::string::npos) return true;
    }
}

std::string Hdf5Reader::text(const std::string& name) const {
    const Dataset dataset = open_dataset(file_->handle, name);
    require(H5Tget_class(dataset.type) == H5T_STRING && !H5Tis_variable_str(dataset.type) && dataset.count == 1,
            fmt::format("has a {} that is not a text", name));
    std::string text(H5Tget_size(dataset.type), '\0');
    require(H5Dread(dataset.handle, dataset.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0,
            fmt::format("has a {} that cannot be read", name));
    return trimmed(text);
}

std::string Hdf5Reader::description(const std::string& name) const {
    const std::string missing = fmt::format("has no attribute {}", name);
    const Hdf5Handle attribute(H5Aopen(file_->handle, name.c_str(), H5P_DEFAULT), H5Aclose, missing);
    const Hdf5Handle type(H5Aget_type(attribute), H5Tclose, missing);
    require(H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type), missing);
    std::string text(H5Tget_size(type), '\0');
    require(H5Aread(attribute, type, text.data()) >= 0, missing);
    return trimmed(text);
}

}  // namespace clangor::io
