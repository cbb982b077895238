// A smooth curve through values at a steady rate.
#pragma once

#include <clangor/core/core.hpp>

namespace clangor::listening {

/// Cubic between neighbouring points, with slopes from differences over four intervals, so that the error falls as the
/// fourth power of the interval. Straight lines between delays at 1 kHz would put sidebands at multiples of 1 kHz
/// beside every tone; with slopes over two intervals only (Catmull–Rom) they are 40 dB stronger than these
/// (docs/theory/listening.md). Constant after the ends.
class ControlCurve {
public:
    /// `values` are the points from `first` on, of `total` (−1: up to the last of these). Where they are a part, it may
    /// be asked from two points after its first to two before its last; there it is the whole curve.
    ControlCurve(Eigen::VectorXd values, double rate_hz, long first = 0, long total = -1);
    double at(double time) const;

private:
    Eigen::VectorXd values_;
    Eigen::VectorXd slopes_;  ///< per interval
    double rate_hz_;
    long first_, last_;
};

}  // namespace clangor::listening
