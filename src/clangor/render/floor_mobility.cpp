#include <clangor/render/floor_mobility.hpp>

#include <clangor/motion/contact/contact.hpp>

#include <cmath>

namespace clangor {
namespace {

// J₀(x) = (1/π) ∫ cos(x cos φ) dφ over half a turn: the mean over directions of waves, so that a matrix of it has no
// negative eigenvalue. The midpoint rule is exact to rounding once it has more nodes than x.
double bessel_j0(double x) {
    const int count = 20 + int(std::min(x, 1e4));
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += std::cos(x * std::cos(pi * (i + 0.5) / count));
    return sum / count;
}

}  // namespace

Eigen::MatrixXd floor_mobility(const Body& floor, const std::vector<FloorContact>& contacts) {
    if (!(floor.plate > 0)) return {};
    double shortest = 0;
    for (const FloorContact& contact : contacts)
        if (contact.stands) shortest = shortest > 0 ? std::min(shortest, contact.duration) : contact.duration;
    const long count = std::ssize(contacts);
    if (!(shortest > 0)) return {};
    const Material& material = floor.material;
    const double h = floor.plate, Y = plate_mobility(material, h);
    const double D = material.young * h * h * h / (12 * (1 - square(material.poisson)));
    const double omega = pi / shortest, k_B = std::pow(material.density * h * square(omega) / D, 0.25);
    Eigen::MatrixXd mobility = Eigen::MatrixXd::Zero(count, count);
    for (long i = 0; i < count; ++i)
        for (long j = 0; j <= i; ++j)
            if (contacts[i].stands && contacts[j].stands)
                mobility(i, j) = mobility(j, i) =
                    i == j ? Y : Y * bessel_j0(k_B * (contacts[i].place - contacts[j].place).norm());
    return mobility;
}

}  // namespace clangor
