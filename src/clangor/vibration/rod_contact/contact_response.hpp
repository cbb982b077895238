// How the impulses of all touches of a step change the velocities at all of them.
#pragma once

#include <clangor/vibration/rod_contact/response_columns.hpp>

namespace clangor::rod_contact {

/// Keeps W from step to step while rods keep their factors and what touches hardly moves: rods that lie still.
class TouchResponse {
public:
    explicit TouchResponse(size_t rods) : columns_(rods) {}

    /// W of a step.
    const ContactResponse& operator()(std::span<const TouchSides> touches, std::span<const ContactRod> rods,
                                      std::span<const RodObstacle> bodies);

    /// Whether the last W leaves out what contacts of a long rod give to those far away.
    bool leaves_out() const;

private:
    bool is_as_before(std::span<const TouchSides> touches, std::span<const ContactRod> rods,
                      std::span<const RodObstacle> bodies) const;

    std::vector<ResponseColumns> columns_;
    std::vector<TouchSides> touches_;
    std::vector<long> factorizations_;
    std::vector<double> steps_;
    ContactResponse W_;
};

}  // namespace clangor::rod_contact
