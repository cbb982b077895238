#include <clangor/radiation/wave/absorbing_layer.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

// ∂x → (1/s)∂x with 1/s = 1 − σ/(σ + α + iω), which in time is a decaying memory of what it is applied to. Twice, since
// the wave equation has ∂x²; ψ is the inner one, on faces, ζ the outer one, in cells  (docs/theory/wave-solver.md, Eqs.
// 8–10):
//     ψ ← aψ + b ∂x p,    ζ ← aζ + b ∂x(∂x p + ψ),    ∂̃x² p = ∂x² p + ∂x ψ + ζ
//     a = e^{−(σ+α)Δt},   b = −σ(1 − a)/(σ + α)
namespace clangor::wave {

LayerProfile layer_profile(int thickness, double cell_size, double courant_sq, double domain_size) {
    LayerProfile profile;
    profile.thickness = thickness;
    profile.width = (thickness + 7) / 8 * 8;
    const double courant = std::sqrt(courant_sq);  // cΔt/Δx: times below are in units of Δx/c
    // Amplitude 1e-6 is left of a wave that runs straight into the layer, to the wall behind it and back.
    const double sigma_max = 3.0 / (2.0 * thickness) * std::log(1e6);
    // Below α the layer lets the nearly static field of the body pass instead of stretching it beyond what cells
    // resolve.
    const double alpha_max = 1.0 * cell_size / domain_size;
    auto fill = [&](std::vector<float>& decay, std::vector<float>& gain, double shift) {
        decay.assign(profile.width, 0.0f);
        gain = decay;
        for (int i = 0; i < thickness; ++i) {
            const double depth = (thickness - i - shift) / thickness;
            const double sigma = sigma_max * square(depth);
            const double alpha = alpha_max * (1 - depth);
            const double a = std::exp(-(sigma + alpha) * courant);
            decay[i] = static_cast<float>(a);
            gain[i] = static_cast<float>(-sigma * (1 - a) / (sigma + alpha));
        }
    };
    fill(profile.face_decay, profile.face_gain, 0.0);
    fill(profile.cell_decay, profile.cell_gain, 0.5);
    auto mirrored = [](const std::vector<float>& values) { return std::vector<float>(values.rbegin(), values.rend()); };
    profile.high_face_decay = mirrored(profile.face_decay);
    profile.high_face_gain = mirrored(profile.face_gain);
    profile.high_cell_decay = mirrored(profile.cell_decay);
    profile.high_cell_gain = mirrored(profile.cell_gain);
    return profile;
}

namespace {

struct LayerSizes {
    long x, y, z;
};

LayerSizes layer_sizes(const Grid& grid, const LayerProfile& profile) {
    const long ny = grid.cells[1], nz = grid.cells[2];
    return {nz * ny * 2 * profile.width, nz * 2 * profile.thickness * grid.row, 2L * profile.thickness * ny * grid.row};
}

}  // namespace

LayerMemory::LayerMemory(const Grid& grid, const LayerProfile& profile) {
    const LayerSizes sizes = layer_sizes(grid, profile);
    x_psi = FloatArray(sizes.x);
    x_zeta = FloatArray(sizes.x);
    y_psi = FloatArray(sizes.y);
    y_zeta = FloatArray(sizes.y);
    z_psi = FloatArray(sizes.z);
    z_zeta = FloatArray(sizes.z);
}

long LayerMemory::floats(const Grid& grid, const LayerProfile& profile) {
    const LayerSizes sizes = layer_sizes(grid, profile);
    return 2 * (sizes.x + sizes.y + sizes.z);
}

namespace {

// The x-layers of one row, in registers. Written out, since the compiler turns such short loops into scalar code, and
// then these 16 cells take as long as the rest of the row.
#if defined(__AVX__)
constexpr int lanes = 8;
using Lanes = float __attribute__((vector_size(32)));
#define CLANGOR_LANES_FROM_1(low, high) __builtin_shufflevector(low, high, 1, 2, 3, 4, 5, 6, 7, 8)
#define CLANGOR_LANES_FROM_LAST(low, high) __builtin_shufflevector(low, high, 7, 8, 9, 10, 11, 12, 13, 14)
#else
constexpr int lanes = 4;
using Lanes = float __attribute__((vector_size(16)));
#define CLANGOR_LANES_FROM_1(low, high) __builtin_shufflevector(low, high, 1, 2, 3, 4)
#define CLANGOR_LANES_FROM_LAST(low, high) __builtin_shufflevector(low, high, 3, 4, 5, 6)
#endif

Lanes load(const float* from) {
    Lanes value;
    std::memcpy(&value, from, sizeof(value));
    return value;
}
void store(float* to, Lanes value) { std::memcpy(to, &value, sizeof(value)); }

/// Decays and gains of the faces and cells in a register.
struct LaneProfile {
    Lanes face_decay, face_gain, cell_decay, cell_gain;
};

// ζ and the new pressure, once the slope of ψ is known.
void absorb_lanes(const LaneProfile& k, float courant_sq, Lanes slope, float* zeta, const float* p, float* next) {
    const Lanes curvature = load(p + 1) - 2 * load(p) + load(p - 1);
    const Lanes memory = k.cell_decay * load(zeta) + k.cell_gain * (curvature + slope);
    store(zeta, memory);
    store(next, load(next) + courant_sq * (slope + memory));
}

// e = inner − outer pressure across a face, so that both ends read alike. From the inner end outwards.
void absorb_low_x(const LayerProfile& profile, float courant_sq, float* psi, float* zeta, const float* p, float* next) {
    Lanes inner = {};
    for (int at = profile.width - lanes; at >= 0; at -= lanes) {
        const LaneProfile k = {load(profile.face_decay.data() + at), load(profile.face_gain.data() + at),
                               load(profile.cell_decay.data() + at), load(profile.cell_gain.data() + at)};
        const Lanes face = k.face_decay * load(psi + at) + k.face_gain * (load(p + at) - load(p + at - 1));
        store(psi + at, face);
        const Lanes next_face = CLANGOR_LANES_FROM_1(face, inner);
        absorb_lanes(k, courant_sq, next_face - face, zeta + at, p + at, next + at);
        inner = face;
    }
}

// `p` and `next` point at the first of the last `width` cells.
void absorb_high_x(const LayerProfile& profile, float courant_sq, float* psi, float* zeta, const float* p,
                   float* next) {
    Lanes inner = {};
    for (int at = 0; at < profile.width; at += lanes) {
        const LaneProfile k = {load(profile.high_face_decay.data() + at), load(profile.high_face_gain.data() + at),
                               load(profile.high_cell_decay.data() + at), load(profile.high_cell_gain.data() + at)};
        const Lanes face = k.face_decay * load(psi + at) + k.face_gain * (load(p + at) - load(p + at + 1));
        store(psi + at, face);
        const Lanes next_face = CLANGOR_LANES_FROM_LAST(inner, face);
        absorb_lanes(k, courant_sq, next_face - face, zeta + at, p + at, next + at);
        inner = face;
    }
}

struct Coefficients {
    float face_decay, face_gain, cell_decay, cell_gain, courant_sq;
};

// One row of a y- or z-layer. `moving` is the face that this row brings up to date, `fixed` the other one, or null
// where that is the layer's inner border.
void absorb_row(const Coefficients& k, bool moving_is_inner, float* __restrict moving, const float* __restrict fixed,
                float* __restrict zeta, const float* __restrict p, const float* __restrict inner,
                const float* __restrict outer, float* __restrict next, long count) {
    if (moving_is_inner) {
        for (long x = 0; x < count; ++x) {
            moving[x] = k.face_decay * moving[x] + k.face_gain * (inner[x] - p[x]);
            const float slope = moving[x] - fixed[x];
            zeta[x] = k.cell_decay * zeta[x] + k.cell_gain * ((inner[x] - 2 * p[x] + outer[x]) + slope);
            next[x] += k.courant_sq * (slope + zeta[x]);
        }
    } else if (fixed != nullptr) {
        for (long x = 0; x < count; ++x) {
            moving[x] = k.face_decay * moving[x] + k.face_gain * (p[x] - outer[x]);
            const float slope = fixed[x] - moving[x];
            zeta[x] = k.cell_decay * zeta[x] + k.cell_gain * ((inner[x] - 2 * p[x] + outer[x]) + slope);
            next[x] += k.courant_sq * (slope + zeta[x]);
        }
    } else {
        for (long x = 0; x < count; ++x) {
            moving[x] = k.face_decay * moving[x] + k.face_gain * (p[x] - outer[x]);
            zeta[x] = k.cell_decay * zeta[x] + k.cell_gain * ((inner[x] - 2 * p[x] + outer[x]) - moving[x]);
            next[x] += k.courant_sq * (zeta[x] - moving[x]);
        }
    }
}

// The innermost row of a low layer: both its faces are up to date or outside the layer.
void absorb_inner_low_row(const Coefficients& k, const float* __restrict outer_psi, float* __restrict zeta,
                          const float* __restrict p, const float* __restrict inner, const float* __restrict outer,
                          float* __restrict next, long count) {
    for (long x = 0; x < count; ++x) {
        zeta[x] = k.cell_decay * zeta[x] + k.cell_gain * ((inner[x] - 2 * p[x] + outer[x]) - outer_psi[x]);
        next[x] += k.courant_sq * (zeta[x] - outer_psi[x]);
    }
}

/// The memories of the layers at the two ends of an axis, as rows: psi(i) belongs to the outer face of the i-th row.
struct LayerRows {
    float *psi, *zeta;
    long step;  ///< floats from row i to row i + 1
};

// Row i (0: outermost) at the low end of an axis whose neighbours are `stride` floats apart.
void absorb_low(const LayerProfile& profile, float courant_sq, const LayerRows& rows, int i, const float* p,
                float* next, long stride, long count) {
    float* const psi = rows.psi + i * rows.step;
    float* const zeta = rows.zeta + i * rows.step;
    if (i == 0)
        for (long x = 0; x < count; ++x)
            psi[x] = profile.face_decay[0] * psi[x] + profile.face_gain[0] * (p[x] - p[x - stride]);
    Coefficients k{0, 0, profile.cell_decay[i], profile.cell_gain[i], courant_sq};
    if (i == profile.thickness - 1) return absorb_inner_low_row(k, psi, zeta, p, p + stride, p - stride, next, count);
    k.face_decay = profile.face_decay[i + 1];
    k.face_gain = profile.face_gain[i + 1];
    absorb_row(k, true, psi + rows.step, psi, zeta, p, p + stride, p - stride, next, count);
}

void absorb_high(const LayerProfile& profile, float courant_sq, const LayerRows& rows, int i, const float* p,
                 float* next, long stride, long count) {
    float* const psi = rows.psi + i * rows.step;
    const Coefficients k{profile.face_decay[i], profile.face_gain[i], profile.cell_decay[i], profile.cell_gain[i],
                         courant_sq};
    absorb_row(k, false, psi, i == profile.thickness - 1 ? nullptr : psi + rows.step, rows.zeta + i * rows.step, p,
               p - stride, p + stride, next, count);
}

}  // namespace

void absorb(const Grid& grid, const LayerProfile& profile, LayerMemory& memory, const float* now, float* next,
            const PlaneRows& rows) {
    const int thickness = profile.thickness, width = profile.width, z = rows.z;
    const auto [nx, ny, nz] = grid.cells;
    const auto courant_sq = static_cast<float>(grid.courant_sq);
    const long y_block = thickness * grid.row, z_block = ny * grid.row;
    float *y_psi = memory.y_psi.data() + 2 * z * y_block, *y_zeta = memory.y_zeta.data() + 2 * z * y_block;
    for (int y = rows.begin; y < rows.end; ++y) {
        const long at = grid.index(0, y, z);
        const float* const p = now + at;
        float* const out = next + at;
        const long x_block = (static_cast<long>(z) * ny + y) * 2 * width;
        absorb_low_x(profile, courant_sq, memory.x_psi.data() + x_block, memory.x_zeta.data() + x_block, p, out);
        absorb_high_x(profile, courant_sq, memory.x_psi.data() + x_block + width,
                      memory.x_zeta.data() + x_block + width, p + nx - width, out + nx - width);
        if (y < thickness) absorb_low(profile, courant_sq, {y_psi, y_zeta, grid.row}, y, p, out, grid.row, nx);
        float *z_psi = memory.z_psi.data() + y * grid.row, *z_zeta = memory.z_zeta.data() + y * grid.row;
        if (z < thickness) absorb_low(profile, courant_sq, {z_psi, z_zeta, z_block}, z, p, out, grid.plane, nx);
        const LayerRows high_z{z_psi + thickness * z_block, z_zeta + thickness * z_block, z_block};
        if (z >= nz - thickness) absorb_high(profile, courant_sq, high_z, nz - 1 - z, p, out, grid.plane, nx);
        const LayerRows high_y{y_psi + y_block, y_zeta + y_block, grid.row};
        if (y >= ny - thickness) absorb_high(profile, courant_sq, high_y, ny - 1 - y, p, out, grid.row, nx);
    }
}

}  // namespace clangor::wave
