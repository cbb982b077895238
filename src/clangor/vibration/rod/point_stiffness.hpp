// What eight points resist: second derivatives of their energy   docs/theory/rod.md, Eq. 6 to 8. Internal to rod.
#pragma once

#include <clangor/vibration/rod/lanes.hpp>
#include <clangor/vibration/rod/rod_forces.hpp>

#include <array>

namespace clangor::rods {

/// Of one point's element: unknowns are x of the point before, those of edge e, x, those of edge f, x of the point
/// behind. An edge has E of them.
constexpr size_t unknowns_of(size_t E) { return 9 + 2 * E; }

/// A strain's derivatives by edge vectors e and f, and by unknowns of these edges.
template <size_t E>
struct StrainSlope {
    LaneVec e, f;
    std::array<Lanes, E> of_e, of_f;
};

/// Eight points, in the letters of the equations; stretching, shear and inertia are those of edge f.
template <size_t E>
struct PointPack {
    LaneVec te, tf, d1e, d1f, d2e, d2f, kb, tt, dd1, dd2;
    Lanes inv_e, inv_f, inv_chi, k1, k2;
    std::array<StrainSlope<E>, 3> slope;
    std::array<Lanes, 3> B, S;
    Lanes rest_length, k, shared, shared_turning;
    std::array<Lanes, 2> shear_stiffness, tilt;
};

// The symmetric matrix xyᵀ + yxᵀ and others, added up in lanes: rows and columns of two vectors.
struct LaneMat {
    std::array<std::array<Lanes, 3>, 3> at;
};

[[gnu::always_inline]] inline std::array<Lanes, 3> array_of(LaneVec v) { return {v.x, v.y, v.z}; }

[[gnu::always_inline]] inline void add_outer(LaneMat& M, LaneVec row, LaneVec column) {
    const std::array<Lanes, 3> r = array_of(row), c = array_of(column);
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j) M.at[i][j] += r[i] * c[j];
}

[[gnu::always_inline]] inline void add_identity(LaneMat& M, Lanes s) {
    for (size_t i = 0; i < 3; ++i) M.at[i][i] += s;
}

// M += [v]×, which takes a vector u to v×u.
[[gnu::always_inline]] inline void add_cross(LaneMat& M, LaneVec v) {
    M.at[0][1] -= v.z, M.at[0][2] += v.y;
    M.at[1][0] += v.z, M.at[1][2] -= v.x;
    M.at[2][0] -= v.y, M.at[2][1] += v.x;
}

/// By edge vectors and unknowns of edges.
template <size_t E>
struct EdgeStiffness {
    LaneMat ee{}, ff{}, ef{};
    std::array<LaneVec, E> e_of_e, e_of_f, f_of_e, f_of_f;
    std::array<std::array<Lanes, E>, E> of_ee{}, of_ff{}, of_ef{};
};

template <size_t E>
[[gnu::always_inline]] inline EdgeStiffness<E> edge_stiffness(const PointPack<E>& pack_of, const ForceTask& task) {
    const auto& [te, tf, d1e, d1f, d2e, d2f, kb, tt, dd1, dd2, inv_e, inv_f, inv_chi, k1, k2, slope, B, S, rest_length,
                 k, shared, shared_turning, shear_stiffness, tilt] = pack_of;
    EdgeStiffness<E> K;
    auto& [ee, ff, ef, e_of_e, e_of_f, f_of_e, f_of_f, of_ee, of_ff, of_ef] = K;
    // GᵀBG and Eq. 6 to 8: second derivatives by e and f, from all stresses at once
    const std::array<Lanes, 3> G{task.strain * B[0], task.strain * B[1], task.strain * B[2]};
    const Lanes w1 = task.stress * S[0], w2 = task.stress * S[1], w3 = task.stress * S[2];
    for (size_t s = 0; s < 3; ++s) {
        add_outer(ee, G[s] * slope[s].e, slope[s].e);
        add_outer(ff, G[s] * slope[s].f, slope[s].f);
        add_outer(ef, G[s] * slope[s].e, slope[s].f);
    }
    const Lanes sigma = w1 * k1 + w2 * k2, over = sigma * inv_chi;
    const LaneVec D = w1 * dd2 - w2 * dd1, a = cross(tf, D), c = cross(te, D);
    const Lanes inv_ee = inv_e * inv_e, inv_ff = inv_f * inv_f, inv_ef = inv_e * inv_f;
    const LaneVec we = w1 * d2e - w2 * d1e - w3 * (te + tt), wf = w1 * d2f - w2 * d1f - w3 * (tf + tt);
    const LaneVec half_tt = sigma * tt;
    add_outer(ee, inv_ee * (half_tt - a), tt);
    add_outer(ee, inv_ee * tt, half_tt - a);
    add_outer(ee, (inv_ee * over) * te, te);
    add_identity(ee, -inv_ee * over);
    add_outer(ee, (0.25 * inv_ee) * kb, we);
    add_outer(ee, (0.25 * inv_ee) * we, kb);
    add_outer(ff, inv_ff * (half_tt + c), tt);
    add_outer(ff, inv_ff * tt, half_tt + c);
    add_outer(ff, (inv_ff * over) * tf, tf);
    add_identity(ff, -inv_ff * over);
    add_outer(ff, (0.25 * inv_ff) * kb, wf);
    add_outer(ff, (0.25 * inv_ff) * wf, kb);
    add_identity(ef, -inv_ef * over);
    add_outer(ef, (-inv_ef * over) * te, tf);
    add_outer(ef, inv_ef * (half_tt + half_tt - a - (0.5 * w3) * kb), tt);
    add_outer(ef, inv_ef * tt, c);
    add_cross(ef, inv_ef * ((w3 * inv_chi) * te - D));
    // Stretching of f: k [(1 − l̄/l)(I − ttᵀ) + ttᵀ]
    const Lanes slack = task.stress * k * (1.0 - rest_length * inv_f);
    add_identity(ff, slack);
    add_outer(ff, (task.strain * k - slack) * tf, tf);

    for (size_t u = 0; u < E; ++u) {
        e_of_e[u] = e_of_f[u] = f_of_e[u] = f_of_f[u] = LaneVec{};
        for (size_t s = 0; s < 3; ++s) {
            const Lanes by_e = G[s] * slope[s].of_e[u], by_f = G[s] * slope[s].of_f[u];
            e_of_e[u] = e_of_e[u] + by_e * slope[s].e;
            e_of_f[u] = e_of_f[u] + by_f * slope[s].e;
            f_of_e[u] = f_of_e[u] + by_e * slope[s].f;
            f_of_f[u] = f_of_f[u] + by_f * slope[s].f;
            for (size_t v = 0; v < E; ++v) {
                of_ee[u][v] += by_e * slope[s].of_e[v];
                of_ff[u][v] += by_f * slope[s].of_f[v];
                of_ef[u][v] += by_e * slope[s].of_f[v];
            }
        }
    }
    add_identity(ff, -task.mass * shared);
    of_ee[0][0] -= task.mass * shared_turning;
    of_ff[0][0] -= task.mass * shared_turning;
    of_ef[0][0] += task.mass * shared_turning;
    const LaneVec ue = w1 * d1e + w2 * d2e, uf = w1 * d1f + w2 * d2f;
    const Lanes kue = 0.5 * dot(kb, ue), kuf = 0.5 * dot(kb, uf);
    e_of_e[0] = e_of_e[0] + inv_e * (kue * tt - inv_chi * cross(tf, ue));
    e_of_f[0] = e_of_f[0] + inv_e * (kuf * tt - inv_chi * cross(tf, uf));
    f_of_e[0] = f_of_e[0] + inv_f * (kue * tt + inv_chi * cross(te, ue));
    f_of_f[0] = f_of_f[0] + inv_f * (kuf * tt + inv_chi * cross(te, uf));
    of_ee[0][0] += w1 * slope[1].of_e[0] - w2 * slope[0].of_e[0];
    of_ff[0][0] += w1 * slope[1].of_f[0] - w2 * slope[0].of_f[0];
    if constexpr (E == 3) {
        const std::array<LaneVec, 2> d{d1f, d2f};
        for (size_t u = 0; u < 2; ++u) {
            const Lanes heavy = task.mass * tilt[u];
            of_ff[1 + u][1 + u] += task.strain * shear_stiffness[u] + heavy;
            add_outer(ff, (heavy * inv_ff) * d[u], d[u]);
            f_of_f[1 + u] = f_of_f[1 + u] - (heavy * inv_f) * d[u];
        }
    }
    return K;
}

/// Its lower triangle, row by row, by unknowns of points and edges.
template <size_t E>
[[gnu::always_inline]] inline void put_element(const EdgeStiffness<E>& K, double (*element)[pack]) {
    const auto& [ee, ff, ef, e_of_e, e_of_f, f_of_e, f_of_f, of_ee, of_ff, of_ef] = K;
    // From edge vectors to points: e = x − x₋, f = x₊ − x
    constexpr size_t x0 = 3 + E, on_f = 6 + E, xp = 6 + 2 * E;
    const auto put = [&](size_t row, size_t column, Lanes value) {
        store(element[row * (row + 1) / 2 + column], value);
    };
    for (size_t r = 0; r < 3; ++r)
        for (size_t q = 0; q < 3; ++q) {
            const Lanes both = ef.at[r][q] + ef.at[q][r];
            if (q <= r) {
                put(r, q, ee.at[r][q]);
                put(x0 + r, x0 + q, ee.at[r][q] + ff.at[r][q] - both);
                put(xp + r, xp + q, ff.at[r][q]);
            }
            put(x0 + r, q, ef.at[q][r] - ee.at[r][q]);
            put(xp + r, q, -ef.at[q][r]);
            put(xp + r, x0 + q, ef.at[q][r] - ff.at[r][q]);
        }
    for (size_t u = 0; u < E; ++u) {
        const std::array<Lanes, 3> ee_u = array_of(e_of_e[u]), ef_u = array_of(e_of_f[u]);
        const std::array<Lanes, 3> fe_u = array_of(f_of_e[u]), ff_u = array_of(f_of_f[u]);
        for (size_t r = 0; r < 3; ++r) {
            put(3 + u, r, -ee_u[r]);
            put(x0 + r, 3 + u, ee_u[r] - fe_u[r]);
            put(xp + r, 3 + u, fe_u[r]);
            put(on_f + u, r, -ef_u[r]);
            put(on_f + u, x0 + r, ef_u[r] - ff_u[r]);
            put(xp + r, on_f + u, ff_u[r]);
        }
        for (size_t v = 0; v < E; ++v) {
            if (v <= u) put(3 + u, 3 + v, of_ee[u][v]), put(on_f + u, on_f + v, of_ff[u][v]);
            put(on_f + u, 3 + v, of_ef[v][u]);
        }
    }
}

}  // namespace clangor::rods
