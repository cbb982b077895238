#include <clangor/listening/control_curve.hpp>

#include <utility>

namespace clangor::listening {
namespace {

// At point `first + i` of a curve that ends at `last`; whatever lies outside `y` is not read but for a slope that
// nobody asks for.
double slope_at(const Eigen::VectorXd& y, long i, long first, long last) {
    const long at = first + i, own_last = y.size() - 1;
    if (last == 0) return 0;
    if (i == own_last && at < last) return 0;  // beyond the part
    if (i == 0 && at > 0) return 0;
    if (last == 1) return y[1] - y[0];
    if (at == 0) return -1.5 * y[0] + 2 * y[1] - 0.5 * y[2];  // the parabola through the first three
    if (at == last) return 1.5 * y[i] - 2 * y[i - 1] + 0.5 * y[i - 2];
    const double narrow = 0.5 * (y[i + 1] - y[i - 1]);
    if (at == 1 || at == last - 1) return narrow;
    if (i == 1 || i == own_last - 1) return 0;
    return (4 * narrow - 0.25 * (y[i + 2] - y[i - 2])) / 3;  // of fourth order
}

}  // namespace

ControlCurve::ControlCurve(Eigen::VectorXd values, double rate_hz, long first, long total)
    : values_(std::move(values)),
      slopes_(values_.size()),
      rate_hz_(rate_hz),
      first_(first),
      last_((total < 0 ? first + values_.size() : total) - 1) {
    CLANGOR_ASSERT(values_.size() >= 1 && rate_hz > 0, "a curve has a point and a rate");
    for (long i = 0; i < values_.size(); ++i) slopes_[i] = slope_at(values_, i, first_, last_);
}

double ControlCurve::at(double time) const {
    const double u = time * rate_hz_;
    if (!(u > 0)) return values_[0];
    if (u >= static_cast<double>(last_)) return values_[last_ - first_];
    const long whole = static_cast<long>(u), i = whole - first_;
    CLANGOR_ASSERT(i >= 0 && i + 1 < values_.size(), "a part is asked within itself");
    const double s = u - static_cast<double>(whole);
    const double rise = values_[i + 1] - values_[i];
    const double bend = slopes_[i] - rise, bend_after = rise - slopes_[i + 1];
    return values_[i] + s * (rise + (1 - s) * ((1 - s) * bend + s * bend_after));
}

}  // namespace clangor::listening
