#include <clangor/listening/control_curve.hpp>

#include <utility>

namespace clangor::detail {
namespace {

double slope_at(const Eigen::VectorXd& y, long i) {
    const long last = y.size() - 1;
    if (last == 0) return 0;
    if (last == 1) return y[1] - y[0];
    if (i == 0) return -1.5 * y[0] + 2 * y[1] - 0.5 * y[2];  // the parabola through the first three
    if (i == last) return 1.5 * y[i] - 2 * y[i - 1] + 0.5 * y[i - 2];
    const double narrow = 0.5 * (y[i + 1] - y[i - 1]);
    if (i == 1 || i == last - 1) return narrow;
    return (4 * narrow - 0.25 * (y[i + 2] - y[i - 2])) / 3;  // of fourth order
}

}  // namespace

ControlCurve::ControlCurve(Eigen::VectorXd values, double rate_hz)
    : values_(std::move(values)), slopes_(values_.size()), rate_hz_(rate_hz) {
    CLANGOR_ASSERT(values_.size() >= 1 && rate_hz > 0, "a curve has a point and a rate");
    for (long i = 0; i < values_.size(); ++i) slopes_[i] = slope_at(values_, i);
}

double ControlCurve::at(double time) const {
    const double u = time * rate_hz_;
    const long last = values_.size() - 1;
    if (!(u > 0)) return values_[0];
    if (u >= static_cast<double>(last)) return values_[last];
    const long i = static_cast<long>(u);
    const double s = u - static_cast<double>(i);
    const double rise = values_[i + 1] - values_[i];
    const double bend = slopes_[i] - rise, bend_after = rise - slopes_[i + 1];
    return values_[i] + s * (rise + (1 - s) * ((1 - s) * bend + s * bend_after));
}

}  // namespace clangor::detail
