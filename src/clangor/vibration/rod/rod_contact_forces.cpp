// How a rod answers to impulses within its last step   docs/theory/rod-contact.md, section 4
#include <clangor/vibration/rod/stepper_state.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace clangor {

RodStepper::NearColumn RodStepper::near_column(long unknown, long reach) const {
    const State& at = *state_;
    CLANGOR_ASSERT(at.factor_step > 0 && !at.plan->closed, "after a step of an open rod");
    const long per_point = at.plan->per_point, point = unknown / per_point;
    const long first = std::max(0L, point - reach), last = std::min(at.plan->points, point + reach + 1);
    NearColumn column{first * per_point, Eigen::VectorXd::Zero((last - first + 2) * per_point)};
    const auto moves = at.free.reshaped();
    column.rows[unknown - column.begin] = moves[unknown];
    std::visit([&](const auto& A) { A.solve(column.rows.data(), first, last); }, at.band);
    column.rows.conservativeResize((last - first) * per_point);
    column.rows.array() *= moves.segment(column.begin, column.rows.size()).array();
    return column;
}

std::vector<RodStepper::EdgeCompliance> RodStepper::edge_compliances() const {
    const State& at = *state_;
    CLANGOR_ASSERT(at.factor_step > 0, "after a step");
    std::vector<EdgeCompliance> found(size_t(at.plan->edges));
    const auto find = [&](const auto& A) {
        const auto pairs = A.inverse_pairs();
        for (long j = 0; j < at.plan->edges; ++j) {
            const long next = (j + 1) % at.plan->points;
            std::array<long, 7> rows;
            Eigen::Matrix<double, 7, 1> moves;
            for (int k = 0; k < 7; ++k) {
                rows[size_t(k)] = k < 4 ? at.order.row(j, k) : at.order.row(next, k - 4);
                moves[k] = at.free(k < 4 ? k : k - 4, k < 4 ? j : next);
            }
            const long block = *std::min_element(rows.begin(), rows.end()) / at.order.block();
            const auto& pair = pairs[size_t(block)];
            const long begin = block * at.order.block();
            for (int r = 0; r < 7; ++r)
                for (int c = 0; c < 7; ++c)
                    found[size_t(j)](r, c) =
                        moves[r] * moves[c] * pair(rows[size_t(r)] - begin, rows[size_t(c)] - begin);
        }
    };
    std::visit(find, at.band);
    return found;
}

// Forces that act steadily over a step make it end elsewhere by A⁻¹J in velocity and ½Δt of that in place; the smooth
// acceleration that the next step starts from balances all other forces there: Eqs. 6 and 8.
void RodStepper::feel(const RodRows& impulses, const RodRows& velocities, const RodRows& displacement) {
    State& at = *state_;
    const double step = at.now.step;
    CLANGOR_ASSERT(step > 0, "after a step");
    at.now.velocity += at.free.cwiseProduct(velocities);
    at.place = at.now.place + at.free.cwiseProduct(0.5 * step * velocities + displacement);
    at.velocity = at.now.velocity;
    at.acceleration.setZero();
    RodRows sudden = at.free.cwiseProduct(impulses / step);
    if (at.has_edge_inertia) {
        const auto blocks = [](const auto& A) { return A.blocks(); };
        const bool is_first = std::visit(blocks, at.mass_band) == 0;
        if (is_first) at.mass_band = at.band;
        std::swap(at.band, at.mass_band);  // the factors of A are still wanted
        // Sections that tilt resist by where they point; without them M is the same everywhere.
        if (is_first || at.plan->per_point == 6) {
            const RodMatrixParts mass{};
            at.evaluate(&mass);
            std::visit([](auto& M) { M.factorize(); }, at.band);
        } else {
            at.evaluate();
        }
        RodRows divided = sudden;
        at.solve(at.residual.data(), at.scratch, divided.data());
        at.now.acceleration = -divided;
        at.solve(sudden.data(), at.scratch, divided.data());
        sudden = divided;
        std::swap(at.band, at.mass_band);
    } else {
        at.evaluate();
        // Unknowns of edges behind the last have no mass, and feel nothing.
        const RodRows mass = (at.plan->mass.array() > 0).select(at.plan->mass, std::numeric_limits<double>::infinity());
        at.now.acceleration = -at.residual.cwiseProduct(at.free).cwiseQuotient(mass);
        sudden = sudden.cwiseQuotient(mass);
    }
    at.now.place = at.place;
    at.now.heard = at.now.acceleration + sudden;
    at.now.tangents.swap(at.field.tangents);
    at.now.directors.swap(at.field.directors);
    at.now.turns.swap(at.field.turns);
}

}  // namespace clangor
