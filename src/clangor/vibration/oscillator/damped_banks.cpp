#include "damped_banks.hpp"

namespace clangor {
namespace {

// Signals go through the same seconds at about the same time: the latest knots serve them. More than so many bytes are
// not kept; whoever comes later makes them again.
constexpr std::size_t most_bytes = 64'000'000;

std::size_t bytes_of(const oscillator::ModeRows& rows) {
    return rows.modes.size() * (sizeof(oscillator::ModeRow) + sizeof(oscillator::ContactRow));
}

}  // namespace

DampedBanks::DampedBanks(const OscillatorBank& bank, std::span<const DampingKnot> damping)
    : impl_(new Impl{.bank = bank, .damping = damping}) {}
DampedBanks::~DampedBanks() = default;

std::shared_ptr<const oscillator::ModeRows> oscillator::rows_from(const DampedBanks& banks, std::size_t knot) {
    const DampedBanks::Impl& impl = banks.impl();
    {
        const std::lock_guard lock(impl.mutex);
        if (const auto found = impl.made.find(knot); found != impl.made.end()) return found->second;
    }
    OscillatorBank bank = impl.bank;
    bank.xi = impl.damping[knot].xi;
    if (const Eigen::VectorXd& pitch = impl.damping[knot].pitch; pitch.size() > 0)
        bank.omega = bank.omega.cwiseProduct(pitch);
    const auto rows = std::make_shared<const ModeRows>(mode_rows(bank, Eigen::VectorXcd::Zero(bank.omega.size())));
    const std::lock_guard lock(impl.mutex);
    impl.made[knot] = rows;
    while (impl.made.size() > 1 && impl.made.size() * bytes_of(*rows) > most_bytes) impl.made.erase(impl.made.begin());
    return rows;
}

}  // namespace clangor
