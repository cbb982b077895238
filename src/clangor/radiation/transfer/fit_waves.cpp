// One mode and one harmonic at a time: a single complex unknown, seen on every sphere.
#include <clangor/radiation/transfer/fit_waves.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::modal_transfer {
namespace {

using Complex = std::complex<double>;

constexpr double first_shell = 1.35, second_shell = 1.7, near_distance = 2;  // [R]
constexpr int spare_degrees = 6, least_degree = 6, largest_degree = 60;

// kr where h_l has reached its far form: the next term is l(l+1)/2kr, 2e-4 for the largest degree.
constexpr double far_z = 1e7;

/// Coefficients of all modes on one sphere: one row per mode.
Eigen::MatrixXcd shell_coefficients(const Eigen::Ref<const Eigen::MatrixXcd>& pressures, int degree) {
    const long modes = pressures.cols();
    // Floats hold what a sphere holds; each mode in its own unit, since modes differ by many powers of ten.
    const Eigen::VectorXd unit = pressures.cwiseAbs().colwise().maxCoeff().transpose().cwiseMax(1e-300);
    Eigen::MatrixXf values(2 * modes, pressures.rows());
    for (long j = 0; j < modes; ++j) {
        values.row(2 * j) = (pressures.col(j).real() / unit[j]).cast<float>();
        values.row(2 * j + 1) = (pressures.col(j).imag() / unit[j]).cast<float>();
    }
    const Eigen::MatrixXf found = harmonic_coefficients(values, degree);
    Eigen::MatrixXcd coefficients(modes, found.cols());
    for (long j = 0; j < modes; ++j) {
        coefficients.row(j).real() = unit[j] * found.row(2 * j).cast<double>();
        coefficients.row(j).imag() = unit[j] * found.row(2 * j + 1).cast<double>();
    }
    return coefficients;
}

// Σ_m |b_lm|² of each degree.
Eigen::VectorXd energy_by_degree(const Eigen::VectorXcd& b, int degree) {
    Eigen::VectorXd energy(degree + 1);
    for (int l = 0; l <= degree; ++l) energy[l] = b.segment(l * l, 2 * l + 1).squaredNorm();
    return energy;
}

// The lowest degree beyond which less than accuracy² of the energy is left, near and far.
int kept_degree(const Eigen::VectorXd& energy, const Audibility& heard, double accuracy) {
    const Eigen::VectorXd near = energy.cwiseProduct(heard.near.cwiseAbs2()),
                          far = energy.cwiseProduct(heard.far.cwiseAbs2());
    const double near_enough = square(accuracy) * near.sum(), far_enough = square(accuracy) * far.sum();
    double near_left = 0, far_left = 0;
    auto degree = static_cast<int>(energy.size()) - 1;
    for (; degree > 0; --degree) {
        near_left += near[degree];
        far_left += far[degree];
        if (near_left > near_enough || far_left > far_enough) break;
    }
    return degree;
}

struct Fitted {
    ModeTransfer mode;
    double residual = 0;
};

// min Σ_i r_i² |P_i − b g_i|² over the spheres i, P_i with the delay kr_i taken out: b = Σ r_i² g_i* P_i / Σ r_i²
// |g_i|² docs/theory/transfer-chords.md, Eq. 6
Fitted fit_mode(const RecordingSpheres& spheres, const std::vector<Eigen::VectorXcd>& recorded, double omega, double c,
                double accuracy) {
    const double k = omega / c, r0 = spheres.radii.front();
    const long harmonics = recorded.front().size();
    Eigen::VectorXcd above = Eigen::VectorXcd::Zero(harmonics);
    Eigen::VectorXd below = Eigen::VectorXd::Zero(harmonics);
    double energy = 0;
    for (std::size_t i = 0; i < spheres.radii.size(); ++i) {
        const double r = spheres.radii[i];
        const std::vector<Complex> ratios = outgoing_ratios(spheres.degree, k * r, k * r0);
        const Complex delay = std::polar(1.0, k * r);
        for (long h = 0; h < harmonics; ++h) {
            const Complex g = ratios[degree_of(static_cast<int>(h))];
            above[h] += square(r) * std::conj(g) * recorded[i][h] * delay;
            below[h] += square(r) * std::norm(g);
        }
        energy += square(r) * recorded[i].squaredNorm();
    }
    const double explained = above.cwiseAbs2().cwiseQuotient(below).sum();
    const Eigen::VectorXcd b = above.cwiseQuotient(below.cast<Complex>());
    const int degree = kept_degree(energy_by_degree(b, spheres.degree), audibility(spheres, k), accuracy);
    return {{omega, degree, b.head(static_cast<long>(degree + 1) * (degree + 1)).cast<std::complex<float>>()},
            energy > 0 ? std::sqrt(std::max(0.0, 1 - explained / energy)) : 0};
}

}  // namespace

// Towards the farthest point, by ever smaller steps [Badoiu2003]. After 400 steps the radius of a box, a ball and a
// bowl is within 0.3 % of the smallest; the bound of the paper, 1/√400, is far from reached.
BoundingSphere bounding_sphere(const Points& points) {
    CLANGOR_ASSERT(points.rows() > 0, "a sphere around something");
    const Bounds bounds = bounds_of(points);
    Vec3 centre = (bounds.low + bounds.high) / 2;
    BoundingSphere best{centre, (points.rowwise() - centre.transpose()).rowwise().norm().maxCoeff()};
    for (int step = 2; step < 400; ++step) {
        long farthest = 0;
        const double radius_sq = (points.rowwise() - centre.transpose()).rowwise().squaredNorm().maxCoeff(&farthest);
        if (std::sqrt(radius_sq) < best.radius) best = {centre, std::sqrt(radius_sq)};
        centre += (Vec3(points.row(farthest)) - centre) / step;
    }
    return best;
}

int radiated_degree(double wave_number, double radius) {
    const double kR = std::min(wave_number * radius, double(largest_degree));
    return std::clamp(static_cast<int>(std::ceil(kR)) + spare_degrees, least_degree, largest_degree);
}

double largest_directed_wave_number(double radius) { return (largest_degree - spare_degrees) / radius; }

RecordingSpheres spheres_around(const BoundingSphere& body, int degree) {
    return {body, {first_shell * body.radius, second_shell * body.radius}, degree};
}

Points shell_points(const RecordingSpheres& spheres) {
    const Points directions = ring_directions(spheres.degree);
    Points points(directions.rows() * static_cast<long>(spheres.radii.size()), 3);
    for (std::size_t i = 0; i < spheres.radii.size(); ++i)
        points.middleRows(static_cast<long>(i) * directions.rows(), directions.rows()) =
            (spheres.radii[i] * directions).rowwise() + spheres.body.centre.transpose();
    return points;
}

Audibility audibility(const RecordingSpheres& spheres, double wave_number) {
    const double r0 = spheres.radii.front(), near = near_distance * spheres.body.radius;
    const double far = std::max(far_z / wave_number, near);
    const std::vector<Complex> at_near = outgoing_ratios(spheres.degree, wave_number * near, wave_number * r0),
                               at_far = outgoing_ratios(spheres.degree, wave_number * far, wave_number * r0);
    Audibility heard{Eigen::VectorXd(spheres.degree + 1), Eigen::VectorXd(spheres.degree + 1)};
    const double mean = 1 / std::sqrt(4 * pi);  // over the sphere, of a harmonic
    for (int l = 0; l <= spheres.degree; ++l) {
        heard.near[l] = mean * std::abs(at_near[l]);
        heard.far[l] = mean * std::abs(at_far[l]) * far / near;
    }
    return heard;
}

WaveFit fit_waves(const RecordingSpheres& spheres, const Eigen::MatrixXcd& pressures, const Eigen::VectorXd& omega,
                  const Air& air, double accuracy) {
    const auto count = static_cast<long>(spheres.radii.size());
    const long directions = 2L * (spheres.degree + 1) * (spheres.degree + 1);
    CLANGOR_ASSERT(pressures.rows() == count * directions && pressures.cols() == omega.size(), "a column per mode");
    if (!pressures.allFinite())
        throw Error("acoustic transfer: a solver gave pressures that are not finite around the body", Blame::Work);
    std::vector<Eigen::MatrixXcd> recorded;
    for (long i = 0; i < count; ++i)
        recorded.push_back(shell_coefficients(pressures.middleRows(i * directions, directions), spheres.degree));
    WaveFit fit;
    fit.residuals.resize(omega.size());
    for (long j = 0; j < omega.size(); ++j) {
        std::vector<Eigen::VectorXcd> of_mode;
        for (const Eigen::MatrixXcd& sphere : recorded) of_mode.emplace_back(sphere.row(j).transpose());
        Fitted fitted = fit_mode(spheres, of_mode, omega[j], air.speed_of_sound, accuracy);
        fit.modes.push_back(std::move(fitted.mode));
        fit.residuals[j] = fitted.residual;
    }
    return fit;
}

Eigen::MatrixXcd heard_waves(const RecordingSpheres& spheres, const ModeTransfer& mode, const Air& air) {
    const Audibility weights = audibility(spheres, mode.omega / air.speed_of_sound);
    Eigen::MatrixXcd heard = Eigen::MatrixXcd::Zero(static_cast<long>(spheres.degree + 1) * (spheres.degree + 1), 2);
    for (long h = 0; h < std::min(heard.rows(), mode.coefficients.size()); ++h) {
        const int l = degree_of(static_cast<int>(h));
        heard(h, 0) = weights.near[l] * Complex(mode.coefficients[h]);
        heard(h, 1) = weights.far[l] * Complex(mode.coefficients[h]);
    }
    return heard;
}

}  // namespace clangor::modal_transfer
