// Kinematics, energies and forces of discrete rods   docs/theory/rod.md, Eq. 1 to 12
#include <clangor/vibration/rod/lanes.hpp>
#include <clangor/vibration/rod/point_stiffness.hpp>
#include <clangor/vibration/rod/rod_forces.hpp>

#include <array>

namespace clangor::rods {

RodForces::RodForces(const RodPlan& plan) : plan_(&plan), packed_(plan.share.size()) {
    const long rows = packed_ + pack;
    for (Eigen::MatrixXd* each : {&place_, &velocity_, &inertia_}) each->setZero(rows, plan.per_point);
    for (Eigen::MatrixXd* each : {&pull_e_, &pull_f_}) each->setZero(rows, plan.per_point);
    for (Eigen::MatrixX3d* each : {&tangents, &directors, &strains, &tangent_, &d_1, &d_2}) each->setZero(rows, 3);
    inverse_length_.setZero(rows);
    stretch.setOnes(rows);
    turns.setZero(rows);

    const RodOrder order(plan);
    const int edge_unknowns = plan.per_point - 3, size = int(unknowns_of(size_t(edge_unknowns))), B = order.block();
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

void RodForces::carry_frames(const RodState& from) {
    const long rows = packed_ + pack;
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
    const long before = plan_->closed ? plan_->edges : 1;
    for (Eigen::MatrixX3d* each : {&tangent_, &d_1, &d_2}) each->row(0) = each->row(before);
    inverse_length_[0] = inverse_length_[before];
}

void RodForces::gather(RodRows& forces) {
    // An edge feels what the points at both its ends make of it; x is where e ends and f begins.
    const long n = plan_->points;
    const int per_point = plan_->per_point;
    double* out = forces.data();
    for (int u = 0; u < per_point; ++u) {
        double* e = pull_e_.col(u).data();
        double* f = pull_f_.col(u).data();
        e[n] = plan_->closed ? e[0] : 0;
        if (u < 3) {
            double last = plan_->closed ? e[0] + f[n - 1] : 0.0;  // of edge i − 1
            for (long i = 0; i < n; ++i) {
                const double mine = e[i + 1] + f[i];
                out[i * per_point + u] = last - mine;
                last = mine;
            }
        } else {
            for (long i = 0; i < n; ++i) out[i * per_point + u] = e[i + 1] + f[i];
        }
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
    const long rows = packed_ + pack;
    const bool viscous = task.beta != 0 && task.velocity, inertial = task.inertia != nullptr;
    spread(*task.place, place_);
    if (viscous || (shear && inertial && task.velocity)) spread(*task.velocity, velocity_);
    if (inertial) spread(*task.inertia, inertia_);

    carry_frames(from);
    const long director_before = plan.closed ? plan.edges - 1 : 0;

    Lanes energy{};
    constexpr size_t E = edge_unknowns, count = unknowns_of(E) * (unknowns_of(E) + 1) / 2;
    alignas(64) double element[count][pack];
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
        std::array<StrainSlope<E>, 3> slope;
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
        std::array<Lanes, 2> shear_stiffness{}, tilt{};  // of edge f
        if constexpr (shear) {                           // Eq. 11, 12
            shear_stiffness = {load(plan.shear_1.data() + i), load(plan.shear_2.data() + i)};
            tilt = {load(plan.rotary_1.data() + i), load(plan.rotary_2.data() + i)};
            const std::array<LaneVec, 2> d{d1f, d2f};
            std::array<Lanes, 2> gyroscopic{};
            if (inertial && task.velocity) {  // Eq. 12: of sections that tilt while they spin
                const LaneVec rate = load_vec(velocity_.data() + i + 1, rows) - load_vec(velocity_.data() + i, rows);
                const Lanes spin = load(velocity_.col(3).data() + i);
                const Lanes tilts_1 = inv_f * dot(d1f, rate) - load(velocity_.col(4).data() + i);
                const Lanes tilts_2 = inv_f * dot(d2f, rate) - load(velocity_.col(5).data() + i);
                gyroscopic = {2.0 * spin * tilts_2, -2.0 * spin * tilts_1};
                pull_of_f[0] += (tilt[1] - tilt[0]) * tilts_1 * tilts_2;
            }
            for (size_t u = 0; u < 2; ++u) {
                const long column = 4 + long(u);
                const Lanes lean = load(place_.col(column).data() + i);
                energy += 0.5 * shear_stiffness[u] * lean * lean;
                pull_of_f[1 + u] += shear_stiffness[u] * lean;
                if (viscous)
                    pull_of_f[1 + u] += task.beta * shear_stiffness[u] * load(velocity_.col(column).data() + i);
                if (inertial) {
                    const Lanes turned =
                        tilt[u] * (inv_f * dot(d[u], af) + gyroscopic[u] - load(inertia_.col(column).data() + i));
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
            const PointPack<E> points{te,
                                      tf,
                                      d1e,
                                      d1f,
                                      d2e,
                                      d2f,
                                      kb,
                                      tt,
                                      dd1,
                                      dd2,
                                      inv_e,
                                      inv_f,
                                      inv_chi,
                                      k1,
                                      k2,
                                      slope,
                                      B,
                                      S,
                                      rest_length,
                                      k,
                                      shared,
                                      shared_turning,
                                      shear_stiffness,
                                      tilt};
            put_element(edge_stiffness(points, task), element);
            constexpr long block_size = 3 * per_point * per_point;
            const long real = std::min<long>(pack, plan.edges - i);
            for (long l = 0; l < real; ++l) {
                double* to = matrix + (entries_each_ == 0 ? (i + l) * block_size : 0);
                const long* entry = entries_.data() + (i + l) * entries_each_;
                for (size_t m = 0; m < count; ++m) to[entry[m]] += element[m][l];
            }
        }
    }

    gather(forces);
    return sum(energy);
}

}  // namespace clangor::rods
