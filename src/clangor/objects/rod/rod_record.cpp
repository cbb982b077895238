// Forces on the air at the rate of the sound, kept in a file: docs/theory/rod-radiation.md.
#include <clangor/objects/rod/rod_record.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace clangor {
namespace {

double bessel_i0(double x) {
    double sum = 1, term = 1;
    for (int k = 1; k < 40; ++k) sum += term *= square(x / (2 * k));
    return sum;
}

// What a rod has is forgotten more slowly than anything that is heard: so that what is pushed steadily, as one that has
// come to rest is against the fall that its accelerations are counted from, does not have more and more [Hz].
constexpr double forgotten_hz = 1;

// Kaiser's window on the sinc of a low-pass with its edge at half of the lower rate; it passes 0.42 of that and stops
// 0.58 [Kaiser1974].
Eigen::VectorXd low_pass(long factor) {
    constexpr double beta = 8.6;
    const long half = factor * Decimator::half_instants;
    Eigen::VectorXd kernel(2 * half + 1);
    for (long k = -half; k <= half; ++k) {
        const double x = pi * double(k) / double(factor), along = double(k) / double(half);
        kernel[k + half] = (k == 0 ? 1 : std::sin(x) / x) * bessel_i0(beta * std::sqrt(1 - square(along)));
    }
    return kernel / kernel.sum();
}

// Lagrange's, of values at 0, 1, 2 and 3.
std::array<double, 4> cubic_weights(double x) {
    return {(1 - x) * (2 - x) * (3 - x) / 6, x * (2 - x) * (3 - x) / 2, x * (x - 1) * (3 - x) / 2,
            x * (x - 1) * (x - 2) / 6};
}

}  // namespace

Decimator::Decimator(long channels, long factor) : factor_(factor) {
    kernel_ = factor > 1 ? low_pass(factor) : Eigen::VectorXd::Ones(1);
    taps_ = kernel_.size();
    ring_ = Eigen::MatrixXd::Zero(channels, 2 * taps_);
}

bool Decimator::add(const Eigen::Ref<const Eigen::VectorXd>& step) {
    const long at = steps_ % taps_;
    ring_.col(at) = ring_.col(at + taps_) = step;
    const long now = steps_++;
    return now % factor_ == 0 && now / factor_ >= lag();
}

// The kernel is symmetric: which end is the latest does not matter.
Eigen::VectorXd Decimator::column() const { return ring_.middleCols(steps_ % taps_, taps_) * kernel_; }

RodRecord::RodRecord(long points, double rate)
    : points_(points), rate_(rate), block_(size_t(block_floats())), file_(std::filesystem::temp_directory_path()) {}

void RodRecord::add(const PointSources& sources, const Points& d_1) {
    const long in_block = instants_ % block_instants, n = points_;
    const auto put = [&](long slot, const auto& vectors) {
        float* const place = block_.data() + n * (4 * block_instants + 3 * slot);
        for (long c = 0; c < 3; ++c)
            for (long i = 0; i < n; ++i) place[c * n + i] = float(vectors(i, c));
    };
    if (in_block == 0 && instants_ > 0) {
        put(place_slots - 1, sources.positions);
        put(place_slots + 1, d_1);
        flush();
    }
    if (in_block == 0)
        for (long slot = 0; slot < turn_slots; ++slot) put(place_slots + slot, d_1);
    float* const forces = block_.data() + n * 4 * in_block;
    for (long c = 0; c < 3; ++c)
        for (long i = 0; i < n; ++i) forces[c * n + i] = float(sources.forces(i, c));
    for (long i = 0; i < n; ++i) forces[3 * n + i] = float(sources.flows[i]);
    if (in_block % place_every == 0)
        for (long slot = in_block / place_every; slot < place_slots; ++slot) put(slot, sources.positions);
    nearest_ = sources.nearest;
    ++instants_;
}

void RodRecord::flush() {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(block_));
    file_.write((long long)(bytes.size()) * blocks_, bytes);
    ++blocks_;
}

void RodRecord::finish() {
    if (instants_ > blocks_ * block_instants) flush();
}

double RodRecord::bytes() const { return double(blocks_) * double(block_floats()) * sizeof(float); }

RodPlaces RodRecord::places_at(double time) const {
    const double instant = std::clamp(time * rate_, 0.0, double(std::max(instants_ - 1, 0L)));
    const long n = points_, block = long(instant) / block_instants;
    std::vector<float> kept(size_t(3 * n * (place_slots + turn_slots)));
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(kept));
    file_.read((long long)(sizeof(float)) * (block * block_floats() + n * 4 * block_instants), bytes);
    const double in_block = instant - double(block * block_instants), slots = in_block / double(place_every);
    const auto between = [&](long slot, double share) -> Points {
        const Eigen::Map<const Eigen::MatrixX3f> from(kept.data() + 3 * n * slot, n, 3),
            to(kept.data() + 3 * n * (slot + 1), n, 3);
        return from.cast<double>() + share * (to - from).cast<double>();
    };
    const long slot = std::min(long(slots), place_slots - 2);
    return {between(slot, slots - double(slot)), between(place_slots, in_block / double(block_instants))};
}

void RodRecord::Reader::load(long block) {
    block_.resize(size_t(record_->block_floats()));
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(block_));
    record_->file_.read((long long)(bytes.size()) * block, bytes);
    loaded_ = block;
}

const PointSources& RodRecord::Reader::next() {
    const long n = record_->points_;
    if (instant_ >= record_->instants_) {
        if (sources_.positions.rows() != n) sources_.positions = Eigen::MatrixX3d::Zero(n, 3);
        sources_.forces = Eigen::MatrixX3d::Zero(n, 3);
        sources_.flows = Eigen::VectorXd::Zero(n);
        sources_.momenta.resize(0, 4);
        return sources_;
    }
    if (instant_ / block_instants != loaded_) load(instant_ / block_instants);
    const long in_block = instant_ % block_instants;
    const Eigen::Map<const Eigen::MatrixX3f> forces(block_.data() + n * 4 * in_block, n, 3);
    const Eigen::Map<const Eigen::VectorXf> flows(block_.data() + n * (4 * in_block + 3), n);
    if (instant_ == 0) {
        sources_.momenta = Eigen::MatrixX4d::Zero(n, 4);
    } else {  // what all instants before this one gave
        const double step = 1 / record_->rate_, kept = std::exp(-2 * pi * forgotten_hz * step);
        sources_.momenta.leftCols<3>() = kept * sources_.momenta.leftCols<3>() + step * sources_.forces;
        sources_.momenta.col(3) = kept * sources_.momenta.col(3) + step * sources_.flows;
    }
    sources_.forces = forces.cast<double>();
    sources_.flows = flows.cast<double>();
    const long first = std::clamp(in_block / place_every - 1, 0L, place_slots - 4);
    const std::array<double, 4> weights = cubic_weights(double(in_block) / double(place_every) - double(first));
    sources_.positions = Eigen::MatrixX3d::Zero(n, 3);
    for (long k = 0; k < 4; ++k)
        sources_.positions += weights[size_t(k)] * Eigen::Map<const Eigen::MatrixX3f>(
                                                       block_.data() + n * (4 * block_instants + 3 * (first + k)), n, 3)
                                                       .cast<double>();
    sources_.nearest = record_->nearest_;
    ++instant_;
    return sources_;
}

}  // namespace clangor
