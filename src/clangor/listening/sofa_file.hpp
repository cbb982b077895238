// What a SOFA file holds, read where a damaged file can do no harm.
#pragma once

#include <clangor/core/core.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace clangor::listening {

using EarPairs = Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>;  ///< left, right

/// Head-related impulse responses, two for each measured direction.
struct SofaData {
    double file_rate = 0;          ///< of the file [Hz]
    long taps = 0;                 ///< of one response, at the rate asked for
    Points directions;             ///< unit, one measurement a row: x front, y left, z up
    EarPairs delays;               ///< of each measurement, on top of its response [s]
    std::vector<float> responses;  ///< measurement by measurement, left before right
};

/// Throws Error, which names the file, for whatever is not a set of finite impulse responses of two ears. libmysofa
/// crashes on one in ten damaged files, so it reads them in a process of their own, which may crash, hang or run out of
/// memory.
SofaData read_sofa(std::span<const std::byte> file, double sample_rate, const std::string& name);

}  // namespace clangor::listening
