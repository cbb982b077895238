// The banks that changes of damping lead to, each made once while it is needed.
#pragma once

#include "mode_rows.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace clangor {

struct DampedBanks::Impl {
    OscillatorBank bank;
    std::span<const DampingKnot> damping;
    mutable std::mutex mutex = {};
    mutable std::map<std::size_t, std::shared_ptr<const oscillator::ModeRows>> made = {};  ///< by knot
};

namespace oscillator {

/// The bank from a knot on, with weights of 0.
std::shared_ptr<const ModeRows> rows_from(const DampedBanks& banks, std::size_t knot);

}  // namespace oscillator
}  // namespace clangor
