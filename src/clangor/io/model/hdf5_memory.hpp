// HDF5 files in memory: just what model files need of a large library.
#pragma once

#include <clangor/core/core.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clangor::io {

/// Writes datasets, each with its unit as attribute "units". Names are paths ("modes/omega"); groups are made as
/// needed. The same calls give the same bytes: no times, no addresses in them.
class Hdf5Writer {
public:
    /// Plain is for what is soon replaced: packing takes twenty times as long as writing.
    enum class Packing { Deflated, Plain };
    explicit Hdf5Writer(Packing packing = Packing::Deflated);
    ~Hdf5Writer();
    Hdf5Writer(const Hdf5Writer&) = delete;
    Hdf5Writer& operator=(const Hdf5Writer&) = delete;

    /// Row-major. An empty `dims` makes a scalar.
    void write(const std::string& name, std::span<const double> values, std::vector<std::uint64_t> dims,
               std::string_view units);
    void write(const std::string& name, std::span<const float> values, std::vector<std::uint64_t> dims,
               std::string_view units);
    void write(const std::string& name, std::span<const std::int32_t> values, std::vector<std::uint64_t> dims,
               std::string_view units);
    void write(const std::string& name, const std::string& text);
    void write(const std::string& name, double value, std::string_view units);
    void describe(const std::string& name, const std::string& text);  ///< an attribute of the file itself

    std::vector<std::byte> bytes();  ///< of the whole file

private:
    struct File;
    std::unique_ptr<File> file_;
    Packing packing_;
};

template <class Scalar>
struct Hdf5Array {
    std::vector<std::uint64_t> dims;
    std::vector<Scalar> values;  ///< row-major
};

/// Reads datasets. Each call throws Error with the dataset's name if there is none, or it is of another kind.
class Hdf5Reader {
public:
    explicit Hdf5Reader(std::span<const std::byte> bytes);
    ~Hdf5Reader();
    Hdf5Reader(const Hdf5Reader&) = delete;
    Hdf5Reader& operator=(const Hdf5Reader&) = delete;

    bool has(const std::string& name) const;  ///< a dataset or a group
    Hdf5Array<double> doubles(const std::string& name) const;
    Hdf5Array<float> floats(const std::string& name) const;
    Hdf5Array<std::int32_t> integers(const std::string& name) const;
    std::string text(const std::string& name) const;
    double number(const std::string& name) const;
    std::string description(const std::string& name) const;  ///< an attribute of the file itself

private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace clangor::io
