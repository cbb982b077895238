// Modes that move together, step by step, instead of each by itself: those of shells in large motion.
#pragma once

#include <clangor/objects/objects.hpp>

#include <functional>
#include <string>
#include <vector>

namespace clangor {

/// Modal coordinates under way, of unit mass. One thread moves them.
struct CoupledMotion {
    /// Modal forces, a row per mode and a column per sample, each of which acts as an impulse over its sample
    /// [N kg^-1/2]. Gives q at these samples, before their own forces have acted [kg^1/2 m].
    std::function<Eigen::MatrixXd(const Eigen::MatrixXd& forces)> advance;
    std::function<void(const Eigen::VectorXd& xi)> set_damping;  ///< from here on
    std::function<double()> energy;                              ///< above the lowest that it has at rest [J]
    std::function<SoundAccount()> account = {};
    Eigen::VectorXd rest = {};  ///< q until something pushes; empty: zero
};

/// Which modes of a body do so, and how they are started.
struct CoupledModes {
    std::string mechanism;    ///< the stem
    std::vector<long> modes;  ///< of the model, ascending
    /// Some of them, by their places in `modes`, with their damping ratios.
    std::function<CoupledMotion(const std::vector<long>& places, const Eigen::VectorXd& xi, double rate_hz)> start;
};

}  // namespace clangor
