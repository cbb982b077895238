#include <clangor/io/model/hdf5_handle.hpp>
#include <clangor/io/model/hdf5_memory.hpp>

#include <algorithm>
#include <cstdlib>

namespace clangor::io {
namespace {

// Deflate at level 1 after shuffling bytes: see docs/guide/model-files.md for the measurement.
constexpr unsigned deflate_level = 1;
constexpr std::uint64_t chunk_bytes = 1 << 20;
constexpr std::uint64_t small_bytes = 4096;  // below this, a chunk's bookkeeping costs more than it saves

const std::string failed = "cannot make an HDF5 file in memory";

Hdf5Handle property_list(hid_t kind) { return {H5Pcreate(kind), H5Pclose, failed}; }

Hdf5Handle without_times(hid_t kind) {
    Hdf5Handle list = property_list(kind);
    require(H5Pset_obj_track_times(list, false) >= 0, failed);
    return list;
}

Hdf5Handle file_in_memory() {
    const Hdf5Handle access = property_list(H5P_FILE_ACCESS);
    require(H5Pset_fapl_core(access, 1 << 22, false) >= 0, failed);
    const Hdf5Handle creation = without_times(H5P_FILE_CREATE);
    return {H5Fcreate(unique_name().c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, failed};
}

Hdf5Handle text_type(std::size_t length) {
    Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, failed);
    require(H5Tset_size(type, std::max<std::size_t>(length, 1)) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
                H5Tset_cset(type, H5T_CSET_UTF8) >= 0,
            failed);
    return type;
}

void write_attribute(hid_t object, const std::string& name, std::string_view text) {
    const Hdf5Handle type = text_type(text.size());
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, failed);
    const Hdf5Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                               failed);
    const std::string padded = text.empty() ? std::string(1, '\0') : std::string(text);
    require(H5Awrite(attribute, type, padded.data()) >= 0, failed);
}

// Chunks of about a megabyte, made of whole rows, so that reading one mode does not unpack all of them.
void compress(hid_t creation, std::vector<std::uint64_t> dims, std::uint64_t scalar_bytes) {
    std::uint64_t row_bytes = scalar_bytes;
    for (std::size_t i = 1; i < dims.size(); ++i) row_bytes *= dims[i];
    if (dims.empty() || row_bytes * dims[0] < small_bytes) return;
    std::vector<hsize_t> chunk(dims.begin(), dims.end());
    chunk[0] = std::clamp<hsize_t>(chunk_bytes / std::max<std::uint64_t>(row_bytes, 1), 1, dims[0]);
    require(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()) >= 0 &&
                H5Pset_shuffle(creation) >= 0 && H5Pset_deflate(creation, deflate_level) >= 0,
            failed);
}

void write_dataset(hid_t file, const std::string& name, hid_t type, const void* values,
                   const std::vector<std::uint64_t>& dims, std::string_view units, Hdf5Writer::Packing packing) {
    const Hdf5Handle links = property_list(H5P_LINK_CREATE);
    require(H5Pset_create_intermediate_group(links, 1) >= 0, failed);
    const Hdf5Handle creation = without_times(H5P_DATASET_CREATE);
    if (packing == Hdf5Writer::Packing::Deflated) compress(creation, dims, H5Tget_size(type));
    const std::vector<hsize_t> extent(dims.begin(), dims.end());
    const Hdf5Handle space(dims.empty() ? H5Screate(H5S_SCALAR)
                                        : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                           H5Sclose, failed);
    const Hdf5Handle dataset(H5Dcreate2(file, name.c_str(), type, space, links, creation, H5P_DEFAULT), H5Dclose,
                             failed);
    require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, failed);
    if (!units.empty()) write_attribute(dataset, "units", units);
}

}  // namespace

struct Hdf5Writer::File {
    Hdf5Session session;
    Hdf5Handle handle = file_in_memory();
};

Hdf5Writer::Hdf5Writer(Packing packing) : file_(std::make_unique<File>()), packing_(packing) {}
Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::write(const std::string& name, std::span<const double> values, std::vector<std::uint64_t> dims,
                       std::string_view units) {
    write_dataset(file_->handle, name, H5T_IEEE_F64LE, values.data(), dims, units, packing_);
}

void Hdf5Writer::write(const std::string& name, std::span<const float> values, std::vector<std::uint64_t> dims,
                       std::string_view units) {
    write_dataset(file_->handle, name, H5T_IEEE_F32LE, values.data(), dims, units, packing_);
}

void Hdf5Writer::write(const std::string& name, std::span<const std::int32_t> values, std::vector<std::uint64_t> dims,
                       std::string_view units) {
    write_dataset(file_->handle, name, H5T_STD_I32LE, values.data(), dims, units, packing_);
}

void Hdf5Writer::write(const std::string& name, const std::string& text) {
    const std::string padded = text.empty() ? std::string(1, '\0') : text;
    write_dataset(file_->handle, name, text_type(text.size()), padded.data(), {}, "", packing_);
}

void Hdf5Writer::write(const std::string& name, double value, std::string_view units) {
    write(name, std::span(&value, 1), {}, units);
}

void Hdf5Writer::describe(const std::string& name, const std::string& text) {
    write_attribute(file_->handle, name, text);
}

std::vector<std::byte> Hdf5Writer::bytes() {
    require(H5Fflush(file_->handle, H5F_SCOPE_GLOBAL) >= 0, failed);
    const ssize_t size = H5Fget_file_image(file_->handle, nullptr, 0);
    require(size > 0, failed);
    std::vector<std::byte> image(size);
    require(H5Fget_file_image(file_->handle, image.data(), image.size()) == size, failed);
    return image;
}

}  // namespace clangor::io
