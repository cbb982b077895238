// Modes that move together, heard along all paths at once. Internal to objects/modal.
#pragma once

#include <clangor/objects/modal/emitters.hpp>
#include <clangor/objects/modal/sampled_pulses.hpp>
#include <clangor/objects/modal/yielding_contacts.hpp>

#include <mutex>

namespace clangor {

/// Moves the modes once, however many listen: of each sample no more is kept than what the paths want of it. Threads
/// may share it; whoever asks first for what is not there yet makes it for all.
class CoupledSound {
public:
    CoupledSound(std::shared_ptr<const Vibration> vibration, CoupledMotion motion, const EmissionContext& context);

    /// Before the first sample is asked for.
    size_t add_path(std::vector<ListenerKnot> knots);

    /// The next samples along a path, from SampledPulses::first_sample on: Σ Re(P) x and Σ Im(P) x over the modes.
    void next(size_t path, std::span<float> real, std::span<float> imaginary);

    bool over() const;  ///< nothing but silence will be made from here on
    SoundAccount account() const;
    const Vibration& vibration() const { return *vibration_; }

private:
    struct Path {
        std::vector<ListenerKnot> knots;
        size_t knot = 0;                               ///< the last at or before the sample that is made
        std::vector<Eigen::VectorXcd> known = {};      ///< P at this one, and at the next
        std::vector<float> real = {}, imaginary = {};  ///< made and not yet asked for
    };

    void step();
    Eigen::MatrixXd moved(Eigen::MatrixXd& forces);
    Eigen::MatrixXd sounding(const Eigen::MatrixXd& q, const Eigen::MatrixXd& forces);
    void project(Path& path, const Eigen::MatrixXd& x, long first) const;
    Eigen::VectorXcd pressure_at(Path& path, long sample) const;
    void follow_damping();

    std::shared_ptr<const Vibration> vibration_;
    CoupledMotion motion_;
    SampledPulses pulses_;
    YieldingContacts contacts_;
    long exact_knots_;
    mutable std::mutex mutex_;
    std::vector<Path> paths_;
    long stepped_ = SampledPulses::first_sample;  ///< so far
    size_t damped_ = 0;                           ///< knots of damping that hold already
    Eigen::ArrayXd kick_, turn_;                  ///< e^{−ξωh} sin(ω_d h)/ω_d [s], 4 sin²(ωh/2)
    Eigen::MatrixXd last_;                        ///< q at the last two samples
    Eigen::VectorXd last_force_;
    double most_energy_ = 0;
    bool over_ = false;
};

}  // namespace clangor
