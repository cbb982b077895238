// Spectra of balls and contacts, at nodes between which collisions lie.
#pragma once

#include <clangor/radiation/spheres/spheres.hpp>

#include <array>
#include <complex>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace clangor::spheres {

/// Four neighbouring nodes and what each of them counts: a cubic through four points.
struct NodeWeights {
    int first = 0;
    std::array<float, 4> weights = {};
};
NodeWeights node_weights(float place, int count);

/// Contact times: ν = ω_max τ at nodes that lie closer where the spectra change faster   docs/theory/grain-sound.md
class DurationNodes {
public:
    explicit DurationNodes(double largest_omega);
    int count() const { return count_; }
    double duration(int node) const;
    float place(double duration) const;
    NodeWeights weights(float place) const { return node_weights(place, count_); }

private:
    int count_ = 0;
    double largest_omega_;
};

/// Radii: each its own node where they are few, otherwise evenly spaced ones.
class RadiusNodes {
public:
    RadiusNodes(std::vector<double> radii, double largest_omega, double speed_of_sound);
    int count() const { return static_cast<int>(radii_.size()); }
    double radius(int node) const { return radii_[static_cast<std::size_t>(node)]; }

    /// Throws Error for one that is not among those given, or not in their range.
    float place(double radius) const;
    NodeWeights weights(float place) const;

private:
    std::vector<double> radii_;
    bool exact_ = true;
};

/// How windows of sound are cut, and the spectra that shape them. One of its kind serves all threads.
class Bands {
public:
    explicit Bands(const SphereSoundOptions& options);

    long samples = 0;  ///< of a window, a power of two …
    long margin = 0;   ///< … of which so many at either end are for what rings into its neighbours
    long hop() const { return samples - 2 * margin; }

    DurationNodes durations;
    RadiusNodes radii;

    /// A radius and a contact time as one number below nodes().
    std::size_t node(int radius, int duration) const {
        return static_cast<std::size_t>(radius * durations.count() + duration);
    }
    std::size_t nodes() const { return static_cast<std::size_t>(radii.count() * durations.count()); }

    /// The product of what shapes a pulse of this node: its contact, its ball, the low-pass filter, and the kernel
    /// divided out. Bins from 0 to half the sample rate. Made when it is asked for first, by any thread.
    const std::vector<std::complex<float>>& spectrum(std::size_t node) const;

private:
    std::vector<std::complex<float>> made(double radius, double duration) const;

    double sample_rate_hz_;
    double speed_of_sound_;
    PulseShape shape_;
    std::unique_ptr<std::once_flag[]> begun_;
    mutable std::vector<std::vector<std::complex<float>>> spectra_;
};

}  // namespace clangor::spheres
