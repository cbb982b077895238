// How long sound is under way, as source and listener move. Internal to render.
#pragma once

#include <clangor/listening/listening.hpp>
#include <clangor/objects/objects.hpp>

#include <memory>

namespace clangor {

/// Delays and directions over the time of arrival, a part at a time.
class DelayCurves {
public:
    DelayCurves(const SoundPath& path, double duration);
    ~DelayCurves();
    DelayCurves(DelayCurves&&) noexcept;

    /// The control points from two before `begin` to two after `end`, and a few more [s].
    DelayCurve between(double begin, double end);

    /// No sound is longer under way [s].
    double longest_delay() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clangor
