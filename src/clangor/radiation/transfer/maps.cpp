// Far-field maps: made once from the baked waves, read for every listener.
#include "map_fit.hpp"
#include "map_lookup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

void check(const MapOptions& options) {
    if (options.terms < 1 || options.terms > modal_transfer::max_terms)
        throw Error(fmt::format("transfer maps have 1 to 4 terms, not {}", options.terms));
    if (!(options.nearest >= 1) || !(options.growth > 1) || options.spheres < options.terms)
        throw Error(
            fmt::format("transfer maps are fitted on at least {} spheres, the first no nearer than 1 R and each "
                        "farther than the last, not on {} from {} R, growing by {}",
                        options.terms, options.spheres, options.nearest, options.growth));
    if (!(options.samples_per_lobe >= 2 && options.samples_per_lobe <= 64))
        throw Error(fmt::format("transfer maps take 2 to 64 samples per lobe, not {}", options.samples_per_lobe));
}

// What would go on as NaN, or read beyond an end, stops here.
void check(const ModalTransfer& baked) {
    const auto fail = [](const std::string& what) {
        throw Error("transfer: " + what + "; bake the object again", Blame::Work);
    };
    if (!(baked.radius > 0) || !(baked.reference_radius > 0) || !(baked.air.speed_of_sound > 0) ||
        !std::isfinite(baked.radius + baked.reference_radius) || !baked.centre.allFinite())
        fail(fmt::format("radius {} m and reference radius {} m are of no body", baked.radius, baked.reference_radius));
    for (std::size_t j = 0; j < baked.modes.size(); ++j) {
        const ModeTransfer& mode = baked.modes[j];
        if (mode.degree < 0) fail(fmt::format("mode {} is not solved yet", j));
        const long harmonics = (mode.degree + 1L) * (mode.degree + 1L);
        if (mode.coefficients.size() == 0) continue;  // silent
        if (mode.coefficients.size() != harmonics)
            fail(fmt::format("mode {} of degree {} has {} coefficients, not {}", j, mode.degree,
                             mode.coefficients.size(), harmonics));
        if (!mode.coefficients.allFinite()) fail(fmt::format("mode {} has coefficients that are not numbers", j));
        if (!(mode.omega > 0) || !std::isfinite(mode.omega))
            fail(fmt::format("mode {} sounds at {} rad/s", j, mode.omega));
    }
}

/// One mode, ready to be read.
struct Map {
    modal_transfer::MapGrid grid;
    modal_transfer::PackedMap packed;
    double phase = 0;
};

// Ψ_m from α_ml b_lm, in units of the mode's loudest coefficient: float holds any unit of pressure.
Map map_of(const ModalTransfer& baked, const ModeTransfer& mode, const MapOptions& options) {
    const double unit =
        mode.coefficients.size() == 0 ? 0 : static_cast<double>(mode.coefficients.cwiseAbs().maxCoeff());
    const int fields = 2 * options.terms;
    if (!(unit > 0)) {  // silent
        const modal_transfer::MapGrid grid = modal_transfer::map_grid(0, options.samples_per_lobe);
        return {grid, modal_transfer::packed(grid, Eigen::MatrixXf::Zero(grid.rows * grid.columns(), fields)), 0};
    }
    const modal_transfer::MapGrid grid = modal_transfer::map_grid(mode.degree, options.samples_per_lobe);
    const modal_transfer::RadialFit fit = modal_transfer::fit_terms(baked, mode, options);
    Eigen::MatrixXd harmonics(mode.coefficients.size(), fields);
    for (long i = 0; i < harmonics.rows(); ++i) {
        const std::complex<double> b = std::complex<double>(mode.coefficients[i]) / unit;
        for (int m = 0; m < options.terms; ++m) {
            const std::complex<double> psi = fit.terms(m, degree_of(static_cast<int>(i))) * b;
            harmonics(i, 2 * m) = psi.real();
            harmonics(i, 2 * m + 1) = psi.imag();
        }
    }
    if (!harmonics.allFinite()) throw Error("transfer: the far-field maps of a mode are not numbers", Blame::Work);
    Map map{grid, modal_transfer::packed(grid, modal_transfer::spline_coefficients(grid, harmonics, mode.degree)),
            fit.phase};
    map.packed.scales *= static_cast<float>(unit);
    return map;
}

}  // namespace

struct TransferMaps::Impl {
    ModalTransfer baked;
    MapOptions options;
    double nearest = 0;  ///< [m]
    std::vector<std::int16_t> texels;
    std::vector<modal_transfer::ModeBlock> blocks;

    long modes() const { return static_cast<long>(baked.modes.size()); }

    // All texels in one piece, mode after mode; maps are given up one by one, as thousands of modes take gigabytes. The
    // last lanes of the last block may have no mode: they read the last map, times 0.
    void store(std::vector<Map> maps) {
        std::size_t total = 0;
        for (const Map& map : maps) total += map.packed.texels.size();
        texels.reserve(total);  // they stay where they are
        blocks.resize((maps.size() + modal_transfer::block_modes - 1) / modal_transfer::block_modes);
        const std::int16_t* begin = nullptr;
        int rows = 0;
        for (std::size_t j = 0; j < blocks.size() * modal_transfer::block_modes; ++j) {
            modal_transfer::ModeBlock& block = blocks[j / modal_transfer::block_modes];
            const std::size_t lane = j % modal_transfer::block_modes;
            if (j < maps.size()) {
                const Map map = std::move(maps[j]);
                begin = texels.data() + texels.size();
                rows = map.grid.rows;
                texels.insert(texels.end(), map.packed.texels.begin(), map.packed.texels.end());
                block.turns[lane] = static_cast<float>(map.phase / (2 * pi));
                for (int m = 0; m < options.terms; ++m) block.scales[m][lane] = map.packed.scales[2 * m];
            }
            block.texels[lane] = begin;
            block.rows[lane] = rows;
        }
    }

    modal_transfer::Bearing bearing(const Vec3& arm, double distance) const {
        const double around = std::atan2(arm.y(), arm.x()) / (2 * pi);
        modal_transfer::Bearing result{
            .theta = std::clamp(std::atan2(std::hypot(arm.x(), arm.y()), arm.z()) / pi, 0.0, 1.0),
            .phi = around < 0 ? around + 1 : around,
            .u = static_cast<float>(baked.radius / distance)};
        if (!(result.phi < 1)) result.phi = 0;  // −1e-17 + 1
        for (int m = 0; m < options.terms; ++m) result.powers[m] = m == 0 ? result.u : result.powers[m - 1] * result.u;
        return result;
    }

    template <int terms>
    void look_up(const modal_transfer::Bearing& bearing, std::size_t first, std::size_t last,
                 std::span<std::complex<float>> result) const noexcept {
        modal_transfer::Places places[2];
        std::complex<float> sums[modal_transfer::block_modes];
        modal_transfer::locate<terms>(blocks[first], bearing, places[first % 2]);
        for (std::size_t b = first; b < last; ++b) {
            if (b + 1 < last) modal_transfer::locate<terms>(blocks[b + 1], bearing, places[(b + 1) % 2]);
            modal_transfer::sum_block<terms>(blocks[b], bearing, places[b % 2], sums);
            const std::size_t begin = (b - first) * modal_transfer::block_modes;
            std::copy_n(sums, std::min<std::size_t>(modal_transfer::block_modes, result.size() - begin),
                        result.data() + begin);
        }
    }

    void look_up(const modal_transfer::Bearing& bearing, std::size_t first, std::size_t last,
                 std::span<std::complex<float>> result) const noexcept {
        switch (options.terms) {
            case 1:
                return look_up<1>(bearing, first, last, result);
            case 2:
                return look_up<2>(bearing, first, last, result);
            case 3:
                return look_up<3>(bearing, first, last, result);
            default:
                return look_up<4>(bearing, first, last, result);
        }
    }
};

TransferMaps::TransferMaps(const ModalTransfer& baked, const MapOptions& options) {
    check(options);
    check(baked);
    auto impl = std::make_unique<Impl>();
    impl->baked = baked;
    impl->options = options;
    impl->nearest = modal_transfer::nearest_distance(baked, options);
    std::vector<Map> maps(baked.modes.size());
    parallel_for(static_cast<long>(maps.size()), [&](long j) { maps[j] = map_of(baked, baked.modes[j], options); });
    impl->store(std::move(maps));
    impl_ = std::move(impl);
}

TransferMaps::~TransferMaps() = default;
TransferMaps::TransferMaps(TransferMaps&&) noexcept = default;
TransferMaps& TransferMaps::operator=(TransferMaps&&) noexcept = default;

long TransferMaps::modes() const { return impl_->modes(); }

std::size_t TransferMaps::bytes() const {
    return impl_->texels.size() * sizeof(std::int16_t) + impl_->blocks.size() * sizeof(modal_transfer::ModeBlock) +
           impl_->baked.bytes();
}

void TransferMaps::pressures(const Vec3& listener, std::span<std::complex<float>> result) const {
    CLANGOR_ASSERT(static_cast<long>(result.size()) == modes(), "a pressure a mode");
    if (result.empty()) return;
    const Vec3 arm = listener - impl_->baked.centre;
    const double distance = arm.norm();
    if (!(distance >= impl_->nearest && std::isfinite(distance))) {  // what is not a number is an error there
        const Eigen::VectorXcd exact = transfer(impl_->baked, listener);
        for (long j = 0; j < exact.size(); ++j) result[j] = std::complex<float>(exact[j]);
        return;
    }
    impl_->look_up(impl_->bearing(arm, distance), 0, impl_->blocks.size(), result);
}

Eigen::MatrixXcf TransferMaps::image(long mode, double distance, int rows) const {
    CLANGOR_ASSERT(0 <= mode && mode < modes() && rows > 0 && distance >= 0, "one of the modes, seen from somewhere");
    const auto block = static_cast<std::size_t>(mode) / modal_transfer::block_modes;
    const auto lane = static_cast<std::size_t>(mode) % modal_transfer::block_modes;
    const bool far = std::isinf(distance), near = distance < impl_->nearest;
    ModalTransfer alone = impl_->baked;
    alone.modes = {impl_->baked.modes[mode]};
    Eigen::MatrixXcf picture(rows, 2 * rows);
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < 2 * rows; ++j) {
            const double theta = pi * (i + 0.5) / rows, phi = pi * (j + 0.5) / rows;
            const Vec3 direction(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
            if (near) {
                picture(i, j) = std::complex<float>(transfer(alone, alone.centre + distance * direction)[0]);
                continue;
            }
            modal_transfer::Bearing bearing = impl_->bearing(direction, distance);
            if (far) bearing.powers[0] = 1;  // p r/R: the others are 0 already
            std::complex<float> sums[modal_transfer::block_modes];
            impl_->look_up(bearing, block, block + 1, sums);
            picture(i, j) = sums[lane];
        }
    }
    return picture;
}

}  // namespace clangor
