#include <clangor/motion/grains/first_time.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::grains {
namespace {

// c₀ + c₁ x + … of at most the fourth degree.
using Polynomial = std::array<double, 5>;

double value(const Polynomial& c, double x) { return (((c[4] * x + c[3]) * x + c[2]) * x + c[1]) * x + c[0]; }
Polynomial derivative(const Polynomial& c) { return {c[1], 2 * c[2], 3 * c[3], 4 * c[4], 0}; }

// The root between a and b, where the signs differ: Newton's steps, and halves where these leave the interval.
double root_between(const Polynomial& c, double a, double b) {
    const Polynomial slope = derivative(c);
    const bool falls = value(c, a) > 0;
    double x = 0.5 * (a + b);
    for (int i = 0; i < 100; ++i) {
        const double y = value(c, x);
        ((y > 0) == falls ? a : b) = x;
        double next = x - y / value(slope, x);
        if (!(next > a && next < b)) next = 0.5 * (a + b);
        if (std::abs(next - x) <= 1e-16 * std::abs(x) || next == a || next == b) return next;
        x = next;
    }
    return x;
}

// Where c changes its sign within (0, 1), ascending. Between the roots of its derivative it has one at most.
struct Roots {
    std::array<double, 4> at;
    int count = 0;
};
Roots roots(const Polynomial& c, int degree) {
    Roots found;
    if (degree == 1) {
        const double x = -c[0] / c[1];
        if (x > 0 && x < 1) found.at[std::size_t(found.count++)] = x;
        return found;
    }
    const Roots turns = roots(derivative(c), degree - 1);
    double a = 0, before = value(c, 0);
    for (int i = 0; i <= turns.count; ++i) {
        const double b = i < turns.count ? turns.at[std::size_t(i)] : 1;
        const double after = value(c, b);
        if ((before > 0) != (after > 0)) found.at[std::size_t(found.count++)] = root_between(c, a, b);
        a = b;
        before = after;
    }
    return found;
}

}  // namespace

double falls_below_zero(double s, double v, double a) {
    if (s <= 0) {
        if (v < 0 || (v == 0 && a < 0)) return 0;
        if (a >= 0) return never;
        const double rest = v * v - 2 * a * s;  // it rises, over zero or not, and falls
        return rest > 0 ? (v + std::sqrt(rest)) / -a : v / -a;
    }
    if (a >= 0) {
        const double rest = v * v - 2 * a * s;
        return v < 0 && rest >= 0 ? 2 * s / (-v + std::sqrt(rest)) : never;
    }
    const double root = std::sqrt(v * v - 2 * a * s);
    return v < 0 ? 2 * s / (root - v) : (v + root) / -a;
}

Times comes_within(const Fall& fall, double distance, double end) {
    // Over τ = t/end, from 0 to 1.
    const Vec3 v = end * fall.v, h = 0.5 * end * end * fall.a;
    const Polynomial c = {fall.x.squaredNorm() - distance * distance, 2 * fall.x.dot(v),
                          v.squaredNorm() + 2 * fall.x.dot(h), 2 * v.dot(h), h.squaredNorm()};
    Times times;
    const auto add = [&](double tau) {
        if (times.count < 2) times.at[std::size_t(times.count++)] = tau * end;
    };
    const Roots turns = roots(derivative(c), 3);
    double a = 0, before = value(c, 0);
    for (int i = 0; i <= turns.count; ++i) {
        const double b = i < turns.count ? turns.at[std::size_t(i)] : 1;
        const double after = value(c, b);
        if (after < before) {
            if (before <= 0)
                add(a);
            else if (after <= 0)
                add(root_between(c, a, b));
        }
        a = b;
        before = after;
    }
    return times;
}

}  // namespace clangor::grains
