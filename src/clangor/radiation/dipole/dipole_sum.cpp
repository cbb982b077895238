#include <clangor/radiation/dipole/dipole.hpp>

#include <clangor/radiation/dipole/impulse_grid.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace clangor {
namespace {

using dipoles::ImpulseGrid;
using dipoles::Impulses;

// An infinite cylinder against the line of dipoles that D says, z = ka:
//     p/p_D = −2i/(πz² H₁⁽²⁾′(z))                                            docs/theory/rod-radiation.md, Eq. 16
std::complex<double> thick_response(double z) {
    if (z < 1e-4) return 1.0;
    const std::complex<double> slope(std::cyl_bessel_j(0, z) - std::cyl_bessel_j(1, z) / z,
                                     -std::cyl_neumann(0, z) + std::cyl_neumann(1, z) / z);
    return std::complex<double>(0, -2) / (pi * z * z * slope);
}

dipoles::GridFilter filter_of(const DipoleSumOptions& options, const Air& air) {
    // In cycles per sample of the output; slower instants know less, by longer kernels.
    const double slower = std::min(1.0, options.source_rate / options.sample_rate);
    dipoles::GridFilter filter{.cut_off = 0.46 * slower, .reach = 46 / slower};
    // The air around a thick rod goes on moving for a while.
    filter.reach += 40 * options.thick_radius / air.speed_of_sound * options.sample_rate;
    const double ka_per_f = 2 * pi * options.sample_rate * options.thick_radius / air.speed_of_sound;
    if (ka_per_f > 0) filter.response = [ka_per_f](double f) { return thick_response(ka_per_f * f); };
    return filter;
}

/// How a place moves, from one instant to the next.
struct Motion {
    Vec3 centre = Vec3::Zero(), receiver = Vec3::Zero();  // [m/s]
};

}  // namespace

struct DipoleSum::State {
    DipoleSumOptions options;
    Air air;
    double reach_samples;  // by which sound may come earlier or later than from the centre
    ImpulseGrid grid;
    long instants = 0;
    std::optional<EmissionPlace> before = {};
    double standing = 1;                   // m of the centre itself, then
    Eigen::MatrixX4d kernels_before = {};  // of the last instant: r̂/R² and 1/R of each point
    Impulses impulses = {};

    State(const DipoleSumOptions& given, const Air& in)
        : options(given),
          air(in),
          reach_samples(given.reach / in.speed_of_sound * given.sample_rate + 1),
          grid(filter_of(given, in), -reach_samples) {}

    void add_going_along(const PointSources& sources, long first, const Vec3& listener, double scale);

    double sample_of(long instant) const { return double(instant) * options.sample_rate / options.source_rate; }

    Motion motion_to(const EmissionPlace& place) const {
        if (!before) return {};
        return {(place.centre - before->centre) * options.source_rate,
                (place.receiver - before->receiver) * options.source_rate};
    }
};

DipoleSum::DipoleSum(const DipoleSumOptions& options, const Air& air) : state_(std::make_unique<State>(options, air)) {
    CLANGOR_ASSERT(options.source_rate > 0 && options.sample_rate > 0 && options.reach >= 0, "rates, and how far");
}
DipoleSum::~DipoleSum() = default;
DipoleSum::DipoleSum(DipoleSum&&) noexcept = default;
DipoleSum& DipoleSum::operator=(DipoleSum&&) noexcept = default;

// What is emitted at τ is heard with what the centre emits at s:  s = τ + (R_i − R_c)/c, both distances as they are at
// s. The receiver and the centre go on as they do now, so that one division solves it:
//     s = τ + (R_i − R_c)/(cm),   m = 1 + (dR_c/ds − r̂·dL/ds)/c
// An impulse per s is 1/m of one per time of arrival, and ∂_t is (1/m) d/ds  (docs/theory/rod-radiation.md, Eq. 12).
void DipoleSum::add(const PointSources& sources, const EmissionPlace& place) {
    State& s = *state_;
    const double c = s.air.speed_of_sound, rate = s.options.sample_rate;
    const double now = s.sample_of(s.instants);
    s.grid.reserve(now + s.reach_samples + 1);

    const Motion motion = s.motion_to(place);
    const Vec3 arm = place.receiver - place.centre, listener = place.receiver, v = motion.receiver / c;
    const double distance = arm.norm();
    const double standing = 1 + arm.dot(motion.receiver - motion.centre) / (std::max(distance, 1e-9) * c);
    const double value_scale = rate / s.options.source_rate / (4 * pi), slope_scale = value_scale * rate / c;
    // d/ds also changes m itself.
    const double change = s.before ? (standing - s.standing) * s.options.source_rate / c : 0;
    // Counted from a whole sample that is earlier than all: so that the bytes do not depend on what has been taken.
    const long from = long(std::floor(now - s.reach_samples)) - 1;
    const double offset = now - double(from), samples_per_metre = rate / c, nearest = sources.nearest;

    const long n = sources.positions.rows();
    const double *X = sources.positions.data(), *F = sources.forces.data(), *S = sources.flows.data();
    const double lx = listener.x(), ly = listener.y(), lz = listener.z();
    double *position = s.impulses.position.data(), *value = s.impulses.value.data(), *slope = s.impulses.slope.data();
    const double farthest = s.reach_samples, vx = v.x(), vy = v.y(), vz = v.z();
    for (long first = 0; first < n;
         first += Impulses::most, X += Impulses::most, F += Impulses::most, S += Impulses::most) {
        s.impulses.count = std::min(Impulses::most, n - first);
        double outside = 0;
#pragma omp simd reduction(+ : outside)
        for (long i = 0; i < s.impulses.count; ++i) {
            const double dx = lx - X[i], dy = ly - X[n + i], dz = lz - X[2 * n + i];
            const double R = std::sqrt(dx * dx + dy * dy + dz * dz), inverse = 1 / (R > nearest ? R : nearest);
            const double along = (F[i] * dx + F[n + i] * dy + F[2 * n + i] * dz) * inverse;
            const double per_m = 1 / (standing - (vx * dx + vy * dy + vz * dz) * inverse);
            const double later = (R - distance) * samples_per_metre * per_m, scale = inverse * per_m;
            const bool inside = later >= -farthest && later <= farthest;
            outside += inside ? 0 : 1;
            position[i] = offset + (inside ? later : 0);
            value[i] = value_scale * scale * (along * (inverse + change * per_m * per_m) + S[i]);
            slope[i] = slope_scale * scale * per_m * along;
        }
        if (outside != 0)
            throw Error(
                fmt::format("at {:g} s, a point that radiates is farther from the centre of its sound than {:g} m",
                            double(s.instants) / s.options.source_rate, s.options.reach),
                Blame::Work);
        if (sources.momenta.rows() == n)
            s.add_going_along(sources, first, listener, value_scale * s.options.source_rate);
        s.grid.add(from, s.impulses);
    }
    s.before = place;
    s.standing = standing;
    ++s.instants;
}

// The near field of a body is the change of what it has, P·r̂/R², as a whole: beside F·r̂/R² that is P times the change
// of r̂/R² as it goes along, and so for S and 1/R (docs/theory/rod-radiation.md, Eq. 18).
void DipoleSum::State::add_going_along(const PointSources& sources, long first, const Vec3& listener, double scale) {
    const long n = sources.positions.rows();
    if (kernels_before.rows() != n) kernels_before = Eigen::MatrixX4d::Zero(n, 4);
    const double *X = sources.positions.data(), *P = sources.momenta.data();
    double *K = kernels_before.data(), *value = impulses.value.data();
    const double lx = listener.x(), ly = listener.y(), lz = listener.z(), nearest = sources.nearest;
    const double weight = before ? scale : 0;  // at first there is nothing that it has changed from
#pragma omp simd
    for (long i = first; i < first + impulses.count; ++i) {
        const double dx = lx - X[i], dy = ly - X[n + i], dz = lz - X[2 * n + i];
        const double R = std::sqrt(dx * dx + dy * dy + dz * dz), inverse = 1 / (R > nearest ? R : nearest);
        const double cubed = inverse * inverse * inverse;
        const double gx = dx * cubed, gy = dy * cubed, gz = dz * cubed;
        value[i - first] += weight * (P[i] * (gx - K[i]) + P[n + i] * (gy - K[n + i]) +
                                      P[2 * n + i] * (gz - K[2 * n + i]) + P[3 * n + i] * (inverse - K[3 * n + i]));
        K[i] = gx;
        K[n + i] = gy;
        K[2 * n + i] = gz;
        K[3 * n + i] = inverse;
    }
}

long DipoleSum::ready() const {
    const State& s = *state_;
    const double settled = s.sample_of(s.instants) - s.reach_samples - double(s.grid.reach()) - 1;
    return std::max(0L, long(std::floor(settled)) - s.grid.taken());
}

void DipoleSum::take(std::span<float> out) {
    CLANGOR_ASSERT(std::ssize(out) <= ready(), "not before they are ready");
    state_->grid.take(out);
}

}  // namespace clangor
