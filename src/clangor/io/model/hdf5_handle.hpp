// An HDF5 identifier that closes itself, and errors as exceptions. Private to hdf5_*.cpp.
#pragma once

#include <clangor/core/core.hpp>

#include <hdf5.h>

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

namespace clangor::io {

class Hdf5Handle {
public:
    Hdf5Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
        if (id_ < 0) throw Error(what);
    }
    Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Hdf5Handle& operator=(Hdf5Handle&&) = delete;
    ~Hdf5Handle() {
        if (id_ >= 0) close_(id_);
    }
    operator hid_t() const { return id_; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

inline void require(bool success, const std::string& what) {
    if (!success) throw Error(what);
}

/// Files in memory need different names to be open at the same time. The name does not go into the file.
inline std::string unique_name() {
    static std::atomic<unsigned long> count = 0;
    return "in memory " + std::to_string(count++);
}

/// The library is not built for threads, and prints its errors: one user at a time, and silence.
class Hdf5Session {
public:
    Hdf5Session() : lock_(mutex()) {
        H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~Hdf5Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }
    Hdf5Session(const Hdf5Session&) = delete;
    Hdf5Session& operator=(const Hdf5Session&) = delete;

private:
    static std::recursive_mutex& mutex() {
        static std::recursive_mutex instance;
        return instance;
    }
    std::lock_guard<std::recursive_mutex> lock_;
    H5E_auto2_t print_ = nullptr;
    void* print_data_ = nullptr;
};

}  // namespace clangor::io
