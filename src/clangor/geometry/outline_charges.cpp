#include <clangor/geometry/outline_charges.hpp>

#include <fmt/core.h>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace clangor {
namespace {

using Vec2 = Eigen::Vector2d;

// With it, the torsion constant of a strip of 200 : 1 is right to 0.2 %, and thinner ones are refused.
constexpr double coarsest_part = 0.5;

double distance_to_side(const Vec2& x, const Vec2& from, const Vec2& to) {
    const Vec2 along = to - from;
    const double part = std::clamp((x - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return (x - from - part * along).norm();
}

double perimeter_of(const Outline& outline) {
    double sum = 0;
    for (std::size_t i = 0; i < outline.size(); ++i) sum += (outline[(i + 1) % outline.size()] - outline[i]).norm();
    return sum;
}

/// The sides that one side's elements heed: all others, but for those before and after it that go on in nearly the same
/// direction, where the charge has no singularity to speak of.
class OtherSides {
public:
    OtherSides(const Outline& outline, std::size_t side) : outline_(outline) {
        const std::size_t n = outline.size();
        const auto goes_on = [&](std::size_t j) { return direction(j).dot(direction(side)) > std::cos(0.5); };
        std::size_t first = 1, last = n - 1;
        while (first < last && goes_on((side + first) % n)) ++first;
        while (last > first && goes_on((side + last) % n)) --last;
        for (std::size_t j = first; j <= last; ++j) sides_.push_back((side + j) % n);
    }
    double distance(const Vec2& x) const {
        double nearest = std::numeric_limits<double>::infinity();
        for (const std::size_t j : sides_)
            nearest = std::min(nearest, distance_to_side(x, outline_[j], outline_[(j + 1) % outline_.size()]));
        return nearest;
    }

private:
    Vec2 direction(std::size_t j) const { return (outline_[(j + 1) % outline_.size()] - outline_[j]).normalized(); }

    const Outline& outline_;
    std::vector<std::size_t> sides_;
};

// ∫ ln(|x − y|/unit) ds over the straight line from d to d + L t, seen from x, with z the distance from its line:
//     ½ s ln(s² + z²) − s + |z| atan(s/|z|)  between s = d·t and d·t + L.
double log_integral(double s0, double s1, double z, double unit) {
    const auto logarithmic = [&](double s) {
        const double r_sq = (s * s + z * z) / (unit * unit);
        return r_sq > 0 ? 0.5 * s * std::log(r_sq) : 0.0;
    };
    const double height = std::abs(z);
    return logarithmic(s1) - logarithmic(s0) - (s1 - s0) + height * (std::atan2(s1, height) - std::atan2(s0, height));
}

struct SeenElement {
    double log_integral;  ///< ∫ ln(r/unit) ds [m]
    double length, z;     ///< z: of the element's line along its outward normal [m]
};

SeenElement seen_from(const Vec2& x, const OutlineElements& elements, long e, double unit) {
    const Vec2 along = elements.end.col(e) - elements.begin.col(e), d = elements.begin.col(e) - x;
    const double length = along.norm();
    const Vec2 t = along / length;
    const double s0 = d.dot(t), z = d.dot(Vec2(t.y(), -t.x()));
    return {log_integral(s0, s0 + length, z, unit), length, z};
}

double perimeter_of(const OutlineElements& elements) { return (elements.end - elements.begin).colwise().norm().sum(); }

/// Where elements begin on one side, as parts of its length.
std::vector<double> graded_parts(const Outline& outline, std::size_t side, double perimeter,
                                 const GradingOptions& options) {
    const Vec2 &from = outline[side], &to = outline[(side + 1) % outline.size()];
    const OtherSides others(outline, side);
    std::vector<double> parts;
    // Halved until short enough, in order along the side.
    std::vector<std::pair<double, double>> left = {{0.0, 1.0}};
    while (!left.empty()) {
        const auto [begin, end] = left.back();
        left.pop_back();
        const double middle = (begin + end) / 2;
        const double room = options.part * others.distance(from + middle * (to - from)) / perimeter;
        if ((end - begin) * (to - from).norm() > perimeter * std::clamp(room, options.shortest, options.longest)) {
            left.push_back({middle, end});
            left.push_back({begin, middle});
        } else {
            parts.push_back(begin);
        }
    }
    return parts;
}

}  // namespace

OutlineElements graded_elements(const Outline& outline, const GradingOptions& options) {
    const double perimeter = perimeter_of(outline);
    std::vector<Vec2> begins;
    for (std::size_t i = 0; i < outline.size(); ++i)
        for (const double part : graded_parts(outline, i, perimeter, options))
            begins.push_back(outline[i] + part * (outline[(i + 1) % outline.size()] - outline[i]));
    const long count = std::ssize(begins);
    if (count > options.most) {
        GradingOptions coarser = options;
        coarser.part *= 1.1;
        if (coarser.part > coarsest_part)
            throw Error(
                fmt::format("an outline of {} corners has details too fine for its size: they would take more "
                            "than {} elements. Leave details out, or give a thin strip as a rectangle.",
                            outline.size(), options.most));
        return graded_elements(outline, coarser);
    }
    OutlineElements elements{Eigen::Matrix2Xd(2, count), Eigen::Matrix2Xd(2, count)};
    for (long e = 0; e < count; ++e) {
        elements.begin.col(e) = begins[std::size_t(e)];
        elements.end.col(e) = begins[std::size_t((e + 1) % count)];
    }
    return elements;
}

Eigen::MatrixXd outline_charges(const OutlineElements& elements, const Eigen::MatrixXd& potentials,
                                const Eigen::RowVectorXd& totals) {
    const long n = elements.size();
    const double unit = perimeter_of(elements);  // which shifts c only
    Eigen::MatrixXd matrix(n + 1, n + 1), right(n + 1, potentials.cols());
    parallel_for(n, [&](long i) {
        for (long e = 0; e < n; ++e) {
            const SeenElement seen = seen_from(elements.middle(i), elements, e, unit);
            matrix(i, e) = -seen.log_integral / (2 * pi * seen.length);
        }
        matrix(i, n) = 1;
    });
    matrix.row(n).setOnes();
    matrix(n, n) = 0;
    right << potentials, totals;
    Eigen::MatrixXd charges;
    // Inside a parallel loop Eigen multiplies with one thread, and so in the same order on any number of threads.
    parallel_for(1, [&](long) { charges = Eigen::PartialPivLU<Eigen::Ref<Eigen::MatrixXd>>(matrix).solve(right); });
    return charges.topRows(n);
}

// With f = −(ln r − ½)/4π, ∇·(f (y − x)) = −ln r / 2π: the integral over the polygon is one over its outline.
Eigen::VectorXd filled_potential(const OutlineElements& elements) {
    const double unit = perimeter_of(elements);
    Eigen::VectorXd potential = Eigen::VectorXd::Zero(elements.size());
    for (long i = 0; i < elements.size(); ++i)
        for (long e = 0; e < elements.size(); ++e) {
            const SeenElement seen = seen_from(elements.middle(i), elements, e, unit);
            potential[i] -= seen.z * (seen.log_integral - seen.length / 2) / (4 * pi);
        }
    return potential;
}

}  // namespace clangor
