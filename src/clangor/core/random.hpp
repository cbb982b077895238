// Random numbers that are the same everywhere.
#pragma once

#include <cmath>
#include <cstdint>

namespace clangor {

/// SplitMix64 [Steele2014]: the standard library's generators agree between systems, its distributions do not. Made in
/// no time, so that each of many things has its own: Random(seed).child(i).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15u;
        return mixed(state_);
    }
    double uniform() { return (double(bits() >> 11) + 1) * 0x1p-53; }  ///< in (0, 1]
    double exponential() { return -std::log(uniform()); }              ///< of mean 1
    double rayleigh() { return std::sqrt(2 * exponential()); }         ///< of a mean square of 2

    /// Of this mean ≥ 0. Takes as long as the mean is large.
    long poisson(double mean) {
        long count = -1;
        for (double left = mean; left >= 0; left -= exponential()) ++count;
        return mean > 0 ? count : 0;
    }

    /// A generator for the i-th of many things, independent of how many there are.
    Random child(std::uint64_t i) const { return Random(mixed(state_ ^ mixed(i + 0x632be59bd9b4e019u))); }

private:
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    std::uint64_t state_;
};

}  // namespace clangor
