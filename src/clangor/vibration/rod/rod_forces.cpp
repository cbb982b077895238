// Kinematics, energies, gradients and stiffness of discrete rods   docs/theory/rod.md, Eq. 1 to 12
#include <clangor/vibration/rod/lanes.hpp>
#include <clangor/vibration/rod/rod_forces.hpp>

#include <array>

#pragma GCC diagnostic ignored "-Wpsabi"

namespace clangor::rods {
namespace {

// The symmetric matrix xyᵀ + yxᵀ and others, added up in lanes: rows and columns of two vectors.
struct LaneMat {
    std::array<std::array<Lanes, 3>, 3> at;
};

[[gnu::always_inline]] inline std::array<Lanes, 3> array_of(LaneVec v) { return {v.x, v.y, v.z}; }

[[gnu::always_inline]] inline LaneMat zero_matrix() { return {}; }

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

// Of one point's element: unknowns are x of the point before, those of edge e, x, those of edge f, x of the point
// behind.
constexpr int unknowns_of(int edge_unknowns) { return 9 + 2 * edge_unknowns; }

// A strain's derivatives by edge vectors e and f, and by unknowns of these edges.
template <int edge_unknowns>
struct StrainSlope {
    LaneVec e, f;
    std::array<Lanes, edge_unknowns> of_e, of_f;
};

}  // namespace

RodForces::RodForces(const RodPlan& plan) : plan_(&plan), packed_(plan.share.size()) {
    const long rows = packed_ + pack;
    for (Eigen::MatrixXd* each : {&place_, &velocity_, &inertia_}) each->setZero(rows, plan.per_point);
    for (Eigen::MatrixXd* each : {&pull_e_, &pull_f_}) each->setZero(rows, plan.per_point);
    for (Eigen::MatrixX3d* each : {&tangents, &directors, &strains, &tangent_, &d_1, &d_2}) each->setZero(rows, 3);
    inverse_length_.setZero(rows);
    stretch.setOnes(rows);
    turns.setZero(rows);

    const RodOrder order(plan);
    const int edge_unknowns = plan.per_point - 3, size = unknowns_of(edge_unknowns), B = order.block();
    const auto table_of = [&](long point) {
        std::vector<long> rows_of;
        for (long p = point - 1; p <= point + 1; ++p)
            for (int u = 0; u < (p == point + 1 ? 3 : plan.per_point); ++u) rows_of.push_back(order.row(p, u));
        for (int a = 0; a < size; ++a)
            for (int b = 0; b <= a; ++b) {
                const long row = std::max(rows_of[size_t(a)], rows_of[size_t(b)]),
                           column = std::min(rows_of[size_t(a)], rows_of[size_t(b)]), block = (column + B) / B;
                entries_.push_back(block * 3 * B * B + (column + B - block * B) * 3 * B + (row + B - block * B));
            }
    };
    if (plan.closed) {
        entries_each_ = size * (size + 1) / 2;
        for (long i = 0; i < plan.points; ++i) table_of(i);
    } else {
        table_of(0);
    }
}

void RodForces::spread(const RodRows& rows, Eigen::MatrixXd& columns) const {
    const long n = plan_->points;
    const int unknowns = plan_->per_point;
    const double* from = rows.data();
    for (int u = 0; u < unknowns; ++u) {
        double* to = columns.col(u).data();
        for (long i = 0; i < n; ++i) to[i] = from[i * unknowns + u];
        if (plan_->closed) to[n] = to[0];
        // Behind the end the last edge goes on, so that there is nothing degenerate there.
        const long last = plan_->edges;
        const double step = u < 3 ? to[last] - to[last - 1] : 0.0;
        for (long i = last + 1; i < columns.rows(); ++i) to[i] = to[i - 1] + step;
    }
}

double RodForces::evaluate(const RodState& from, const ForceTask& task, RodRows& forces, double* matrix) {
    const bool shear = plan_->per_point == 6;
    if (shear)
        return matrix ? evaluate_packs<3, true>(from, task, forces, matrix)
                      : evaluate_packs<3, false>(from, task, forces, matrix);
    return matrix ? evaluate_packs<1, true>(from, task, forces, matrix)
                  : evaluate_packs<1, false>(from, task, forces, matrix);
}

template <int edge_unknowns, bool with_matrix>
double RodForces::evaluate_packs(const RodState& from, const ForceTask& task, RodRows& forces, double* matrix) {
    constexpr bool shear = edge_unknowns == 3;
    constexpr int per_point = 3 + edge_unknowns;
    const RodPlan& plan = *plan_;
    const long rows = packed_ + pack, n = plan.points;
    const bool viscous = task.beta != 0 && task.velocity, inertial = task.inertia != nullptr;
    spread(*task.place, place_);
    if (viscous) spread(*task.velocity, velocity_);
    if (inertial) spread(*task.inertia, inertia_);

    // Eq. 1: edges, and the frames that go with them
    for (long j = 0; j < packed_; j += pack) {
        const double* x = place_.data() + j;
        const LaneVec e = load_vec(x + 1, rows) - load_vec(x, rows);
        const Lanes inverse = 1.0 / root(dot(e, e));
        const LaneVec t = inverse * e;
        LaneVec d = transported(load_vec(from.directors.data() + j, rows), load_vec(from.tangents.data() + j, rows), t);
        d = d - dot(d, t) * t;
        d = (1.5 - 0.5 * dot(d, d)) * d;
        const LaneVec across = cross(t, d);
        const SineCosine turn = sine_cosine(load(x + 3 * rows));
        store_vec(tangents.data() + j, rows, t);
        store_vec(directors.data() + j, rows, d);
        store_vec(tangent_.data() + j + 1, rows, t);
        store_vec(d_1.data() + j + 1, rows, turn.cosine * d + turn.sine * across);
        store_vec(d_2.data() + j + 1, rows, turn.cosine * across - turn.sine * d);
        store(inverse_length_.data() + j + 1, inverse);
    }
    // The edge before the first is the last one, or, in open rods, a copy of the first that pulls nothing.
    const long before = plan.closed ? plan.edges : 1;
    for (Eigen::MatrixX3d* each : {&tangent_, &d_1, &d_2}) each->row(0) = each->row(before);
    inverse_length_[0] = inverse_length_[before];
    const long director_before = plan.closed ? plan.edges - 1 : 0;

    Lanes energy{};
    alignas(64) double element[unknowns_of(edge_unknowns) * (unknowns_of(edge_unknowns) + 1) / 2][pack];
    for (long i = 0; i < packed_; i += pack) {
        const auto before_in = [&](const Eigen::MatrixXd& columns, int u) {  // of edge e
            if (i > 0) return load(columns.col(u).data() + i - 1);
            Lanes v = load(columns.col(u).data());
            for (int k = pack - 1; k > 0; --k) v[k] = v[k - 1];
            v[0] = columns(director_before, u);
            return v;
        };
        const LaneVec te = load_vec(tangent_.data() + i, rows), tf = load_vec(tangent_.data() + i + 1, rows);
        const LaneVec d1e = load_vec(d_1.data() + i, rows), d1f = load_vec(d_1.data() + i + 1, rows);
        const LaneVec d2e = load_vec(d_2.data() + i, rows), d2f = load_vec(d_2.data() + i + 1, rows);
        const Lanes inv_e = load(inverse_length_.data() + i), inv_f = load(inverse_length_.data() + i + 1);
        const Lanes angle_f = load(place_.col(3).data() + i);
        const Lanes angle_e = before_in(place_, 3);
        const Lanes inv_chi = 1.0 / (1.0 + dot(te, tf));

        // Eq. 2: reference twist
        LaneVec de = load_vec(directors.data() + std::max(i - 1, 0L), rows);
        if (i == 0) {
            for (int k = pack - 1; k > 0; --k) de.x[k] = de.x[k - 1], de.y[k] = de.y[k - 1], de.z[k] = de.z[k - 1];
            de.x[0] = directors(director_before, 0);
            de.y[0] = directors(director_before, 1);
            de.z[0] = directors(director_before, 2);
        }
        const LaneVec df = load_vec(directors.data() + i, rows);
        const LaneVec b = cross(te, tf);
        const LaneVec carried = dot(te, tf) * de + cross(b, de) + (dot(b, de) * inv_chi) * b;
        const Lanes fresh = angle_of(dot(tf, cross(carried, df)), dot(carried, df));
        const Lanes old = load(from.turns.data() + i);
        const Lanes turn = fresh + 6.28318530717958647693 * whole((old - fresh) * 0.15915494309189533577);
        store(turns.data() + i, turn);

        // Eq. 3: strains
        const LaneVec kb = (2.0 * inv_chi) * b, tt = inv_chi * (te + tf);
        const LaneVec dd1 = inv_chi * (d1e + d1f), dd2 = inv_chi * (d2e + d2f);
        const Lanes k1 = 0.5 * dot(kb, d2e + d2f), k2 = -0.5 * dot(kb, d1e + d1f);
        const Lanes rest1 = load(plan.rest_1.data() + i), rest2 = load(plan.rest_2.data() + i);
        const Lanes rest3 = load(plan.rest_turn.data() + i);
        Lanes s1 = k1 - rest1, s2 = k2 - rest2, s3 = angle_f - angle_e + turn - rest3;

        store_vec(strains.data() + i, rows, {s1, s2, s3});

        // Eq. 5: their slopes
        std::array<StrainSlope<edge_unknowns>, 3> slope;
        const LaneVec tf_dd2 = cross(tf, dd2), te_dd2 = cross(te, dd2);
        const LaneVec tf_dd1 = cross(tf, dd1), te_dd1 = cross(te, dd1);
        slope[0].e = inv_e * (tf_dd2 - k1 * tt);
        slope[0].f = -(inv_f * (te_dd2 + k1 * tt));
        slope[1].e = -(inv_e * (tf_dd1 + k2 * tt));
        slope[1].f = inv_f * (te_dd1 - k2 * tt);
        slope[2].e = (0.5 * inv_e) * kb;
        slope[2].f = (0.5 * inv_f) * kb;
        const Lanes half1e = 0.5 * dot(kb, d1e), half1f = 0.5 * dot(kb, d1f);
        const Lanes half2e = 0.5 * dot(kb, d2e), half2f = 0.5 * dot(kb, d2f);
        slope[0].of_e[0] = -half1e, slope[0].of_f[0] = -half1f;
        slope[1].of_e[0] = -half2e, slope[1].of_f[0] = -half2f;
        slope[2].of_e[0] = all(-1), slope[2].of_f[0] = all(1);
        if constexpr (shear) {  // Eq. 10
            slope[0].of_e[1] = all(1), slope[0].of_f[1] = all(-1);
            slope[0].of_e[2] = slope[0].of_f[2] = 0.5 * rest3;
            slope[1].of_e[2] = all(1), slope[1].of_f[2] = all(-1);
            slope[1].of_e[1] = slope[1].of_f[1] = -0.5 * rest3;
            slope[2].of_e[1] = slope[2].of_f[1] = 0.5 * rest2;
            slope[2].of_e[2] = slope[2].of_f[2] = -0.5 * rest1;
            for (int u = 1; u < 3; ++u) {
                const Lanes lean_e = before_in(place_, 3 + u);
                const Lanes lean_f = load(place_.col(3 + u).data() + i);
                s1 += slope[0].of_e[size_t(u)] * lean_e + slope[0].of_f[size_t(u)] * lean_f;
                s2 += slope[1].of_e[size_t(u)] * lean_e + slope[1].of_f[size_t(u)] * lean_f;
                s3 += slope[2].of_e[size_t(u)] * lean_e + slope[2].of_f[size_t(u)] * lean_f;
            }
        }

        // Eq. 4: stresses, and what edge f resists on its own
        const std::array<Lanes, 3> B{load(plan.bending_1.data() + i), load(plan.bending_2.data() + i),
                                     load(plan.twisting.data() + i)};
        const std::array<Lanes, 3> S{B[0] * s1, B[1] * s2, B[2] * s3};
        const Lanes rest_length = load(plan.rest_length.data() + i), k = load(plan.stretching.data() + i);
        const Lanes length = 1.0 / inv_f;
        const Lanes longer = length - rest_length;
        energy += 0.5 * (S[0] * s1 + S[1] * s2 + S[2] * s3 + k * longer * longer);
        std::array<Lanes, 3> pulls = S;
        Lanes tension = k * longer;
        LaneVec ve, vf;
        if (viscous) {  // Eq. 9
            LaneVec here = load_vec(velocity_.data() + i, rows);
            vf = load_vec(velocity_.data() + i + 1, rows) - here;
            const LaneVec last{before_in(velocity_, 0), before_in(velocity_, 1), before_in(velocity_, 2)};
            ve = here - last;
            for (size_t s = 0; s < 3; ++s) {
                Lanes rate = dot(slope[s].e, ve) + dot(slope[s].f, vf);
                for (int u = 0; u < edge_unknowns; ++u)
                    rate += slope[s].of_e[size_t(u)] * before_in(velocity_, 3 + u) +
                            slope[s].of_f[size_t(u)] * load(velocity_.col(3 + u).data() + i);
                pulls[s] += task.beta * B[s] * rate;
            }
            tension += task.beta * k * dot(tf, vf);
        }
        LaneVec pull_e = pulls[0] * slope[0].e + pulls[1] * slope[1].e + pulls[2] * slope[2].e;
        LaneVec pull_f = pulls[0] * slope[0].f + pulls[1] * slope[1].f + pulls[2] * slope[2].f + tension * tf;
        std::array<Lanes, edge_unknowns> pull_of_e, pull_of_f;
        for (size_t u = 0; u < edge_unknowns; ++u) {
            pull_of_e[u] = pulls[0] * slope[0].of_e[u] + pulls[1] * slope[1].of_e[u] + pulls[2] * slope[2].of_e[u];
            pull_of_f[u] = pulls[0] * slope[0].of_f[u] + pulls[1] * slope[1].of_f[u] + pulls[2] * slope[2].of_f[u];
        }
        const Lanes shared = load(plan.shared.data() + i), shared_turning = load(plan.shared_turning.data() + i);
        LaneVec af{};
        if (inertial) {  // Eq. 18
            af = load_vec(inertia_.data() + i + 1, rows) - load_vec(inertia_.data() + i, rows);
            pull_f = pull_f - shared * af;
            const Lanes turning = shared_turning * (load(inertia_.col(3).data() + i) - before_in(inertia_, 3));
            pull_of_f[0] -= turning;
            pull_of_e[0] += turning;
        }
        std::array<Lanes, 2> shear_stiffness, tilt;  // of edge f
        if constexpr (shear) {                       // Eq. 11, 12
            shear_stiffness = {load(plan.shear_1.data() + i), load(plan.shear_2.data() + i)};
            tilt = {load(plan.rotary_1.data() + i), load(plan.rotary_2.data() + i)};
            const std::array<LaneVec, 2> d{d1f, d2f};
            for (size_t u = 0; u < 2; ++u) {
                const long column = 4 + long(u);
                const Lanes lean = load(place_.col(column).data() + i);
                energy += 0.5 * shear_stiffness[u] * lean * lean;
                pull_of_f[1 + u] += shear_stiffness[u] * lean;
                if (viscous)
                    pull_of_f[1 + u] += task.beta * shear_stiffness[u] * load(velocity_.col(column).data() + i);
                if (inertial) {
                    const Lanes turned = tilt[u] * (inv_f * dot(d[u], af) - load(inertia_.col(column).data() + i));
                    pull_f = pull_f + (turned * inv_f) * d[u];
                    pull_of_f[1 + u] -= turned;
                }
            }
        }
        store_vec(pull_e_.data() + i, rows, pull_e);
        store_vec(pull_f_.data() + i, rows, pull_f);
        for (int u = 0; u < edge_unknowns; ++u) {
            store(pull_e_.col(3 + u).data() + i, pull_of_e[size_t(u)]);
            store(pull_f_.col(3 + u).data() + i, pull_of_f[size_t(u)]);
        }
        store(stretch.data() + i, length / rest_length);

        if constexpr (with_matrix) {
            // GᵀBG and Eq. 6 to 8: second derivatives by e and f, from all stresses at once
            const std::array<Lanes, 3> G{task.strain * B[0], task.strain * B[1], task.strain * B[2]};
            const Lanes w1 = task.stress * S[0], w2 = task.stress * S[1], w3 = task.stress * S[2];
            LaneMat ee = zero_matrix(), ff = zero_matrix(), ef = zero_matrix();
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

            constexpr size_t E = edge_unknowns;
            std::array<LaneVec, E> e_of_e, e_of_f, f_of_e, f_of_f;
            std::array<std::array<Lanes, E>, E> of_ee{}, of_ff{}, of_ef{};
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
            of_ee[0][0] += w2 * half1e - w1 * half2e;
            of_ff[0][0] += w2 * half1f - w1 * half2f;
            if constexpr (shear) {
                const std::array<LaneVec, 2> d{d1f, d2f};
                for (size_t u = 0; u < 2; ++u) {
                    const Lanes heavy = task.mass * tilt[u];
                    of_ff[1 + u][1 + u] += task.strain * shear_stiffness[u] + heavy;
                    add_outer(ff, (heavy * inv_ff) * d[u], d[u]);
                    f_of_f[1 + u] = f_of_f[1 + u] - (heavy * inv_f) * d[u];
                }
            }

            // From edge vectors to points: e = x − x₋, f = x₊ − x
            constexpr size_t size = size_t(unknowns_of(edge_unknowns)), x0 = 3 + E, on_f = 6 + E, xp = 6 + 2 * E;
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
            constexpr size_t count = size * (size + 1) / 2;
            constexpr long block_size = 3 * per_point * per_point;
            const long real = std::min<long>(pack, plan.edges - i);
            for (long l = 0; l < real; ++l) {
                double* to = matrix + (entries_each_ == 0 ? (i + l) * block_size : 0);
                const long* entry = entries_.data() + (i + l) * entries_each_;
                for (size_t m = 0; m < count; ++m) to[entry[m]] += element[m][l];
            }
        }
    }

    // An edge feels what the points at both its ends make of it; x is where e ends and f begins.
    double* out = forces.data();
    const long wrap = plan.closed ? n : -1;
    for (int u = 0; u < per_point; ++u) {
        double* e = pull_e_.col(u).data();
        double* f = pull_f_.col(u).data();
        if (wrap > 0) {
            e[n] = e[0];
        } else {
            e[n] = 0;
        }
        if (u < 3) {
            double last = plan.closed ? e[0] + f[n - 1] : 0.0;  // of edge i − 1
            for (long i = 0; i < n; ++i) {
                const double mine = e[i + 1] + f[i];
                out[i * per_point + u] = last - mine;
                last = mine;
            }
        } else {
            for (long i = 0; i < n; ++i) out[i * per_point + u] = e[i + 1] + f[i];
        }
    }
    return sum(energy);
}

}  // namespace clangor::rods
