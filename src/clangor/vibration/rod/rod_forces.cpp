// Kinematics, energies and forces of discrete rods   docs/theory/rod.md, Eq. 1 to 12
#include <clangor/vibration/rod/lanes.hpp>
#include <clangor/vibration/rod/point_stiffness.hpp>
#include <clangor/vibration/rod/rod_forces.hpp>

#include <array>

namespace clangor::rods {

namespace {

// What a plan says of a pack of points and the edges behind them: so many arrays, eight numbers of each in turn.
enum Constant {
    bending_1,
    bending_2,
    twisting,
    rest_1,
    rest_2,
    rest_turn,
    rest_length,
    stretching,
    shared,
    shared_turning,
    shear_1,
    shear_2,
    rotary_1,
    rotary_2,
    constants
};

}  // namespace

RodForces::RodForces(const RodPlan& plan)
    : plan_(&plan), packed_(plan.share.size()), constants_(pack * constants, packed_ / pack) {
    for (Eigen::MatrixXd* each : {&place_, &velocity_, &inertia_, &pull_e_, &pull_f_})
        each->setZero(rows, plan.per_point);
    for (Eigen::MatrixXd* each : {&tangent_, &director_, &d_1_, &d_2_}) each->setZero(rows, 3);
    length_.setZero(rows);
    inverse_length_.setZero(rows);
    for (Eigen::MatrixX3d* each : {&tangents, &directors}) each->setZero(packed_ + pack, 3);
    turns.setZero(packed_ + pack);
    const std::array<const Eigen::VectorXd*, constants> all{
        &plan.bending_1, &plan.bending_2,   &plan.twisting,   &plan.rest_1,  &plan.rest_2,
        &plan.rest_turn, &plan.rest_length, &plan.stretching, &plan.shared,  &plan.shared_turning,
        &plan.shear_1,   &plan.shear_2,     &plan.rotary_1,   &plan.rotary_2};
    for (long p = 0; p < constants_.cols(); ++p)
        for (size_t c = 0; c < constants; ++c)
            constants_.col(p).segment<pack>(pack * long(c)) = all[c]->segment<pack>(pack * p);

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

// Of points first − 1 to last, in slots from 0 on.
void RodForces::spread(const RodRows& unknowns, long first, long last, Eigen::MatrixXd& columns) const {
    const long n = plan_->points, per_point = plan_->per_point, real = std::min(n, last + 1);
    const double* const from = unknowns.data();
    double* const to = columns.data();
    const auto copy = [&](long point, long slot) {
        for (long u = 0; u < per_point; ++u) to[u * rows + slot] = from[point * per_point + u];
    };
    copy(first > 0 ? first - 1 : plan_->closed ? n - 1 : 0, 0);
    long i = first;
    if (per_point == 4)
        for (; i + pack <= real; i += pack) columns_of(from + 4 * i, to + 1 + i - first, rows);
    for (; i < real; ++i) copy(i, 1 + i - first);
    if (last < n) return;
    if (plan_->closed) copy(0, 1 + n - first);
    // Behind the end the last edge goes on, so that there is nothing degenerate there.
    const long end = 1 + plan_->edges - first;
    for (long u = 0; u < per_point; ++u) {
        double* const column = to + u * rows;
        const double step = u < 3 ? column[end] - column[end - 1] : 0.0;
        for (long slot = end + 1; slot <= 1 + last - first; ++slot) column[slot] = column[slot - 1] + step;
    }
}

namespace {

struct EdgeFrames {
    LaneVec tangent, director, d_1, d_2;
    Lanes length, inverse_length;
};

// Eq. 1: eight edges, and the frames that go with them
[[gnu::always_inline]] inline EdgeFrames carried(LaneVec e, Lanes angle, LaneVec from, LaneVec director) {
    EdgeFrames frames;
    frames.length = root(dot(e, e));
    frames.inverse_length = 1.0 / frames.length;
    const LaneVec t = frames.inverse_length * e;
    LaneVec d = transported(director, from, t);
    d = d - dot(d, t) * t;
    d = (1.5 - 0.5 * dot(d, d)) * d;
    const LaneVec across = cross(t, d);
    const SineCosine turn = sine_cosine(angle);
    frames.tangent = t;
    frames.director = d;
    frames.d_1 = turn.cosine * d + turn.sine * across;
    frames.d_2 = turn.cosine * across - turn.sine * d;
    return frames;
}

}  // namespace

void RodForces::carry_frames(const RodState& from, long first, long last) {
    const long all_rows = packed_ + pack;
    for (long j = first; j < last; j += pack) {
        const long slot = 1 + j - first;
        const double* x = place_.data() + slot;
        const EdgeFrames there =
            carried(load_vec(x + 1, rows) - load_vec(x, rows), load(x + 3 * rows),
                    load_vec(from.tangents.data() + j, all_rows), load_vec(from.directors.data() + j, all_rows));
        store_vec(tangents.data() + j, all_rows, there.tangent);
        store_vec(directors.data() + j, all_rows, there.director);
        store_vec(tangent_.data() + slot, rows, there.tangent);
        store_vec(director_.data() + slot, rows, there.director);
        store_vec(d_1_.data() + slot, rows, there.d_1);
        store_vec(d_2_.data() + slot, rows, there.d_2);
        store(length_.data() + slot, there.length);
        store(inverse_length_.data() + slot, there.inverse_length);
    }
}

RodFrames frames_of(const RodPlan& plan, const RodState& state) {
    constexpr long width = pack + 1;
    const long n = plan.points, all_rows = state.tangents.rows();
    RodFrames frames{Points(plan.edges, 3), Points(plan.edges, 3)};
    for (long j = 0; j < plan.edges; j += pack) {
        double x[4 * width], d_1[3 * pack], d_2[3 * pack];
        for (long s = 0; s < width; ++s) {
            const long point = j + s < n ? j + s : plan.closed ? j + s - n : n - 1;
            for (long u = 0; u < 4; ++u) x[u * width + s] = state.place(u, point);
        }
        const EdgeFrames there =
            carried(load_vec(x + 1, width) - load_vec(x, width), load(x + 3 * width),
                    load_vec(state.tangents.data() + j, all_rows), load_vec(state.directors.data() + j, all_rows));
        store_vec(d_1, pack, there.d_1);
        store_vec(d_2, pack, there.d_2);
        for (long s = 0; s < std::min(pack, plan.edges - j); ++s)
            for (long u = 0; u < 3; ++u)
                frames.d_1(j + s, u) = d_1[u * pack + s], frames.d_2(j + s, u) = d_2[u * pack + s];
    }
    return frames;
}

// Slot 0 of a stretch is what was in that slot.
void RodForces::keep_edge(long slot) {
    for (Eigen::MatrixXd* each : {&tangent_, &director_, &d_1_, &d_2_}) each->row(0) = each->row(slot);
    inverse_length_[0] = inverse_length_[slot];
}

// An edge feels what the points at both its ends make of it; x is where e ends and f begins. Of points first − 1 to
// last − 2, or to the end.
void RodForces::gather(long first, long last, RodRows& forces) {
    const long n = plan_->points, per_point = plan_->per_point;
    const bool is_last = last == packed_;
    if (first == 0) first_pull_ = pull_e_.row(2);
    if (is_last) {
        if (plan_->closed)
            pull_e_.row(2 + n - first) = first_pull_;
        else
            pull_e_.row(2 + n - first).setZero();
    }
    const double *e = pull_e_.data(), *f = pull_f_.data();
    long i = std::max(0L, first - 1);
    const long end = is_last ? n : last - 1;
    double* const out = forces.data();
    if (per_point == 4)
        for (; i + pack <= end; i += pack) {
            const long slot = 2 + i - first;
            std::array<Lanes, 4> column;
            for (long u = 0; u < 4; ++u) {
                const double *eu = e + u * rows + slot, *fu = f + u * rows + slot;
                const Lanes mine = load(eu + 1) + load(fu);
                column[size_t(u)] = u < 3 ? (load(eu) + load(fu - 1)) - mine : mine;
            }
            rows_of(column, out + 4 * i);
        }
    for (; i < end; ++i)
        for (long u = 0; u < per_point; ++u) {
            const long at = u * rows + 2 + i - first;
            const double mine = e[at + 1] + f[at];
            out[i * per_point + u] = u < 3 ? (e[at] + f[at - 1]) - mine : mine;
        }
    if (is_last && plan_->closed) forces.col(0).head<3>() += pull_f_.row(1 + n - first).head<3>();
    const long kept = last - first;
    for (long u = 0; u < per_point; ++u)
        for (long slot = 0; slot < 2; ++slot) {
            pull_e_(slot, u) = pull_e_(slot + kept, u);
            pull_f_(slot, u) = pull_f_(slot + kept, u);
        }
}

double RodForces::evaluate(const RodState& from, const ForceTask& task, RodRows& forces, double* matrix,
                           RodStrains* strains) {
    const bool shear = plan_->per_point == 6;
    const long n = plan_->points;
    if (task.before) task.before(0, plan_->closed ? n : std::min(n, stretch_points + 1));
    if (plan_->closed) {
        const long first = (packed_ - 1) / stretch_points * stretch_points;
        spread(*task.place, first, packed_, place_);
        carry_frames(from, first, packed_);
        keep_edge(n - first);
    }
    pull_e_.topRows<2>().setZero();
    pull_f_.topRows<2>().setZero();
    if (strains) strains->resize(packed_, 3);
    energy_ = Lanes{};
    longest_ = shortest_ = all(1);
    for (long first = 0; first < packed_; first += stretch_points) {
        const long last = std::min(packed_, first + stretch_points);
        if (task.before && !plan_->closed && first > 0) task.before(first + 1, std::min(n, last + 1));
        spread(*task.place, first, last, place_);
        if (task.velocity && (task.beta != 0 || shear)) spread(*task.velocity, first, last, velocity_);
        if (task.inertia) spread(*task.inertia, first, last, inertia_);
        if (first > 0) keep_edge(stretch_points);
        carry_frames(from, first, last);
        if (first == 0 && !plan_->closed) keep_edge(1);
        if (shear && matrix)
            evaluate_packs<3, true>(from, task, first, last, matrix, strains);
        else if (shear)
            evaluate_packs<3, false>(from, task, first, last, matrix, strains);
        else if (matrix)
            evaluate_packs<1, true>(from, task, first, last, matrix, strains);
        else
            evaluate_packs<1, false>(from, task, first, last, matrix, strains);
        gather(first, last, forces);
        if (task.after) task.after(std::max(0L, first - 1), last == packed_ ? n : last - 1);
    }
    longest = shortest = 1;
    for (int k = 0; k < pack; ++k) {
        longest = std::max(longest, longest_[k]);
        shortest = std::min(shortest, shortest_[k]);
    }
    return sum(energy_);
}

template <int edge_unknowns, bool with_matrix>
void RodForces::evaluate_packs(const RodState& from, const ForceTask& task, long first, long last, double* matrix,
                               RodStrains* strains) {
    constexpr bool shear = edge_unknowns == 3;
    constexpr int per_point = 3 + edge_unknowns;
    const RodPlan& plan = *plan_;
    const bool viscous = task.beta != 0 && task.velocity, inertial = task.inertia != nullptr;
    Lanes energy = energy_, most = longest_, least = shortest_;
    constexpr size_t E = edge_unknowns, count = unknowns_of(E) * (unknowns_of(E) + 1) / 2;
    alignas(64) double element[count][pack];
    for (long i = first; i < last; i += pack) {
        const long slot = i - first;  // of point i − 1 and edge e; the next is that of i and f
        const double* const constant = constants_.data() + i * constants;
        const auto known = [&](Constant c) { return load(constant + c * pack); };
        const auto e_of = [&](const Eigen::MatrixXd& columns, int u) { return load(columns.data() + u * rows + slot); };
        const auto f_of = [&](const Eigen::MatrixXd& columns, int u) {
            return load(columns.data() + u * rows + slot + 1);
        };
        const LaneVec te = load_vec(tangent_.data() + slot, rows), tf = load_vec(tangent_.data() + slot + 1, rows);
        const LaneVec d1e = load_vec(d_1_.data() + slot, rows), d1f = load_vec(d_1_.data() + slot + 1, rows);
        const LaneVec d2e = load_vec(d_2_.data() + slot, rows), d2f = load_vec(d_2_.data() + slot + 1, rows);
        const Lanes inv_e = load(inverse_length_.data() + slot), inv_f = load(inverse_length_.data() + slot + 1);
        const Lanes angle_f = f_of(place_, 3);
        const Lanes angle_e = e_of(place_, 3);
        const Lanes inv_chi = 1.0 / (1.0 + dot(te, tf));

        // Eq. 2: reference twist
        const LaneVec de = load_vec(director_.data() + slot, rows), df = load_vec(director_.data() + slot + 1, rows);
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
        const Lanes rest1 = known(rest_1), rest2 = known(rest_2);
        const Lanes rest3 = known(rest_turn);
        Lanes s1 = k1 - rest1, s2 = k2 - rest2, s3 = angle_f - angle_e + turn - rest3;

        if (strains) store_vec(strains->data() + i, packed_, {s1, s2, s3});

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
                const Lanes lean_e = e_of(place_, 3 + u);
                const Lanes lean_f = f_of(place_, 3 + u);
                s1 += slope[0].of_e[size_t(u)] * lean_e + slope[0].of_f[size_t(u)] * lean_f;
                s2 += slope[1].of_e[size_t(u)] * lean_e + slope[1].of_f[size_t(u)] * lean_f;
                s3 += slope[2].of_e[size_t(u)] * lean_e + slope[2].of_f[size_t(u)] * lean_f;
            }
        }

        // Eq. 4: stresses, and what edge f resists on its own
        const std::array<Lanes, 3> B{known(bending_1), known(bending_2), known(twisting)};
        const std::array<Lanes, 3> S{B[0] * s1, B[1] * s2, B[2] * s3};
        const Lanes at_rest = known(rest_length), k = known(stretching), length = load(length_.data() + slot + 1);
        const Lanes longer = length - at_rest;
        energy += 0.5 * (S[0] * s1 + S[1] * s2 + S[2] * s3 + k * longer * longer);
        std::array<Lanes, 3> pulls = S;
        Lanes tension = k * longer;
        LaneVec ve, vf;
        if (viscous) {  // Eq. 9
            LaneVec here = load_vec(velocity_.data() + slot + 1, rows);
            vf = load_vec(velocity_.data() + slot + 2, rows) - here;
            ve = here - load_vec(velocity_.data() + slot, rows);
            for (size_t s = 0; s < 3; ++s) {
                Lanes rate = dot(slope[s].e, ve) + dot(slope[s].f, vf);
                for (int u = 0; u < edge_unknowns; ++u)
                    rate += slope[s].of_e[size_t(u)] * e_of(velocity_, 3 + u) +
                            slope[s].of_f[size_t(u)] * f_of(velocity_, 3 + u);
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
        const Lanes common = known(shared), common_turning = known(shared_turning);
        LaneVec af{};
        if (inertial) {  // Eq. 18
            af = load_vec(inertia_.data() + slot + 2, rows) - load_vec(inertia_.data() + slot + 1, rows);
            pull_f = pull_f - common * af;
            const Lanes turning = common_turning * (f_of(inertia_, 3) - e_of(inertia_, 3));
            pull_of_f[0] -= turning;
            pull_of_e[0] += turning;
        }
        std::array<Lanes, 2> shear_stiffness{}, tilt{};  // of edge f
        if constexpr (shear) {                           // Eq. 11, 12
            shear_stiffness = {known(shear_1), known(shear_2)};
            tilt = {known(rotary_1), known(rotary_2)};
            const std::array<LaneVec, 2> d{d1f, d2f};
            std::array<Lanes, 2> gyroscopic{};
            if (inertial && task.velocity) {  // Eq. 12: of sections that tilt while they spin
                const LaneVec rate =
                    load_vec(velocity_.data() + slot + 2, rows) - load_vec(velocity_.data() + slot + 1, rows);
                const Lanes spin = f_of(velocity_, 3);
                const Lanes tilts_1 = inv_f * dot(d1f, rate) - f_of(velocity_, 4);
                const Lanes tilts_2 = inv_f * dot(d2f, rate) - f_of(velocity_, 5);
                gyroscopic = {2.0 * spin * tilts_2, -2.0 * spin * tilts_1};
                pull_of_f[0] += (tilt[1] - tilt[0]) * tilts_1 * tilts_2;
            }
            for (size_t u = 0; u < 2; ++u) {
                const int column = 4 + int(u);
                const Lanes lean = f_of(place_, column);
                energy += 0.5 * shear_stiffness[u] * lean * lean;
                pull_of_f[1 + u] += shear_stiffness[u] * lean;
                if (viscous) pull_of_f[1 + u] += task.beta * shear_stiffness[u] * f_of(velocity_, column);
                if (inertial) {
                    const Lanes turned = tilt[u] * (inv_f * dot(d[u], af) + gyroscopic[u] - f_of(inertia_, column));
                    pull_f = pull_f + (turned * inv_f) * d[u];
                    pull_of_f[1 + u] -= turned;
                }
            }
        }
        store_vec(pull_e_.data() + slot + 2, rows, pull_e);
        store_vec(pull_f_.data() + slot + 2, rows, pull_f);
        for (int u = 0; u < edge_unknowns; ++u) {
            store(pull_e_.data() + (3 + u) * rows + slot + 2, pull_of_e[size_t(u)]);
            store(pull_f_.data() + (3 + u) * rows + slot + 2, pull_of_f[size_t(u)]);
        }
        const Lanes ratio = length / at_rest;
        most = ratio > most ? ratio : most;
        least = ratio < least ? ratio : least;

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
                                      at_rest,
                                      k,
                                      common,
                                      common_turning,
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

    energy_ = energy, longest_ = most, shortest_ = least;
}

}  // namespace clangor::rods
