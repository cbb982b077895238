#include <clangor/motion/rigid/piles.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace clangor::rigid {
namespace {

/// Steps of a lasting contact that are recorded together while bodies are held. A power of two: its impulse and its
/// length are then exact multiples of one step's, so that no rounding tells how long the bodies will go on lying.
constexpr long steps_of_rest = 128;

/// A body that is held lets go when what others load it with has changed by this part of all that presses on it. What
/// lies is held by friction and by its weight; how much more it could bear is not known, and to let go too early only
/// takes time.
constexpr double change_of_load = 0.2;

std::size_t index_in(const std::vector<int>& bodies, int body) {
    return std::size_t(std::ranges::lower_bound(bodies, body) - bodies.begin());
}

bool is_in(const std::vector<int>& bodies, int body) { return std::ranges::binary_search(bodies, body); }

}  // namespace

std::vector<std::size_t> take_rows(Pile& pile, const std::vector<ConstraintRow>& rows,
                                   const std::vector<MovingBody>& bodies) {
    std::vector<std::size_t> own;
    for (;;) {
        own.clear();
        pile.rows.clear();
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const bool has_a = is_in(pile.bodies, rows[k].a), has_b = is_in(pile.bodies, rows[k].b);
            if (!(has_a || has_b) || (!has_a && bodies[rows[k].a].moves()) || (!has_b && bodies[rows[k].b].moves()))
                continue;
            own.push_back(k);
            pile.rows.push_back(rows[k]);
        }
        pile.leaning = leaning_of(pile.bodies, pile.rows);
        if (pile.leaning.size() == pile.bodies.size()) return own;
        pile.bodies.clear();
        for (const Leaning& one : pile.leaning) pile.bodies.push_back(one.body);
        std::ranges::sort(pile.bodies);
    }
}

void stop(Pile& pile, const std::vector<std::size_t>& own, std::vector<ConstraintRow>& rows, const StoppingStep& step) {
    pile.expected.assign(pile.bodies.size(), Vec3::Zero());
    for (const ConstraintRow& row : rows)
        for (const auto& [i, other, sign] : {std::tuple(row.a, row.b, 1.0), std::tuple(row.b, row.a, -1.0)})
            if (is_in(pile.bodies, i) && !is_in(pile.bodies, other) && step.bodies[other].moves())
                pile.expected[index_in(pile.bodies, i)] += sign * row.impulse();
    std::vector<Vec3> weight, stopping;
    for (std::size_t k = 0; k < pile.bodies.size(); ++k) {
        const int i = pile.bodies[k];
        const double mass = step.world.bodies[i].mass;
        weight.push_back(-step.length * mass * step.world.gravity);
        stopping.push_back(weight.back() - mass * step.before[i].velocity - pile.expected[k]);
    }
    std::vector<ConstraintRow> balanced = pile.rows;
    balance(pile.bodies, pile.leaning, weight, balanced);
    for (std::size_t k = 0; k < own.size(); ++k) pile.contacts[k].impulse = balanced[k].impulse();
    balance(pile.bodies, pile.leaning, stopping, balanced);
    for (std::size_t k = 0; k < own.size(); ++k) rows[own[k]] = balanced[k];
}

Vec3 Piles::weight(int body) const { return -h_ * world_.bodies[body].mass * world_.gravity; }

// What bears their weight alone, in one step.
void Piles::bear_weight(Pile& pile) {
    std::vector<ConstraintRow> rows = pile.rows;
    std::vector<Vec3> weights;
    for (const int i : pile.bodies) weights.push_back(weight(i));
    share_out(pile.bodies, pile.leaning, weights, rows);
    for (std::size_t k = 0; k < rows.size(); ++k) pile.contacts[k].impulse = rows[k].impulse();
}

// After bodies or rows have changed: what presses on whom.
void Piles::settle(Pile& pile) {
    pile.given.assign(pile.bodies.size(), Vec3::Zero());
    pile.given_now = pile.given;
    pile.bears.clear();
    for (const Vec3& load : pile.expected) pile.bears.push_back(load.norm());
    for (const ConstraintRow& row : pile.rows)
        for (const int i : {row.a, row.b})
            if (const std::size_t at = index_in(pile.bodies, i); at < pile.bodies.size() && pile.bodies[at] == i)
                pile.bears[at] += std::max(0.0, row.normal_impulse);
}

void Piles::lay(Pile pile, long step) {
    pile.entered = step;
    pile.given.assign(pile.bodies.size(), Vec3::Zero());
    pile.given_now = pile.given;
    std::vector<Pile*> others;
    for (const ConstraintRow& row : pile.rows)
        for (const int i : {row.a, row.b})
            if (pile_of_[i] && std::ranges::count(others, pile_of_[i]) == 0) others.push_back(pile_of_[i]);
    if (!others.empty()) {
        std::vector<std::pair<int, Vec3>> all;
        for (std::size_t k = 0; k < pile.bodies.size(); ++k) all.emplace_back(pile.bodies[k], pile.expected[k]);
        const std::size_t own = pile.rows.size();
        for (Pile* const other : others) {
            enter(*other, step);
            for (std::size_t k = 0; k < other->bodies.size(); ++k)
                all.emplace_back(other->bodies[k], other->expected[k]);
            pile.rows.insert(pile.rows.end(), other->rows.begin(), other->rows.end());
            pile.contacts.insert(pile.contacts.end(), other->contacts.begin(), other->contacts.end());
            piles_.remove_if([&](const Pile& one) { return &one == other; });
        }
        std::ranges::sort(all, {}, [](const auto& one) { return one.first; });
        pile.bodies.clear();
        pile.expected.clear();
        for (const auto& [body, expected] : all) {
            pile.bodies.push_back(body);
            pile.expected.push_back(expected);
        }
        // What the new ones give the old ones no longer comes from others.
        for (std::size_t k = 0; k < own; ++k)
            for (const auto& [i, sign] : {std::pair(pile.rows[k].a, 1.0), std::pair(pile.rows[k].b, -1.0)})
                if (pile_of_[i]) pile.expected[index_in(pile.bodies, i)] -= sign * pile.rows[k].impulse();
        pile.leaning = leaning_of(pile.bodies, pile.rows);
        bear_weight(pile);
    }
    settle(pile);
    CLANGOR_ASSERT(pile.leaning.size() == pile.bodies.size(), "whoever lies leans on something");
    piles_.push_back(std::move(pile));
    for (const int i : piles_.back().bodies) pile_of_[i] = &piles_.back();
}

void Piles::give(int body, const Vec3& impulse, long step) {
    Pile& pile = *pile_of_[body];
    if (!pile.loaded) enter(pile, step);
    pile.loaded = true;
    const std::size_t at = index_in(pile.bodies, body);
    pile.given[at] += impulse;
    pile.given_now[at] += impulse;
    given_to_.push_back(body);
}

void Piles::enter(Pile& pile, long until) { pile.loaded ? enter_loaded(pile, until) : enter_rest(pile, until); }

void Piles::enter_rest(Pile& pile, long until) {
    std::map<std::pair<int, int>, std::vector<Exchange>> contacts;
    if (pile.entered < until)
        for (const Exchange& one : pile.contacts) contacts[{one.a, one.b}].push_back(one);
    while (pile.entered < until) {
        long steps = steps_of_rest;
        while (pile.entered + steps > until) steps /= 2;
        for (const auto& [pair, exchanges] : contacts) {
            std::vector<Exchange> points = exchanges;
            for (Exchange& point : points) {
                point.time = double(pile.entered) * h_;
                point.duration = double(steps) * h_;
                point.impulse *= double(steps);
            }
            ledger_.enter_rest(points);
        }
        pile.entered += steps;
    }
}

// What others gave goes down to the floor.
void Piles::enter_loaded(Pile& pile, long until) {
    pile.loaded = false;
    const double steps = double(until - pile.entered);
    if (steps == 0) return;
    std::vector<ConstraintRow> rows = pile.rows;
    for (ConstraintRow& row : rows) {
        row.normal_impulse *= steps;
        row.friction_impulse *= steps;
    }
    std::vector<Vec3> wanted;
    for (std::size_t k = 0; k < pile.bodies.size(); ++k)
        wanted.push_back(steps * weight(pile.bodies[k]) - pile.given[k]);
    share_out(pile.bodies, pile.leaning, wanted, rows);
    std::map<std::pair<int, int>, std::vector<Exchange>> contacts;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        Exchange point = pile.contacts[k];
        point.time = double(pile.entered) * h_;
        point.duration = steps * h_;
        point.impulse = rows[k].impulse();
        contacts[{rows[k].a, rows[k].b}].push_back(point);
    }
    for (const auto& [pair, points] : contacts) ledger_.enter_rest(points);
    pile.given.assign(pile.bodies.size(), Vec3::Zero());
    pile.entered = until;
}

std::vector<int> Piles::reached(int body, double speed) const {
    const Pile& pile = *pile_of_[body];
    std::vector<int> all = {body};
    std::vector<int> last = all;
    for (; speed / 2 > rest_speed && !last.empty(); speed /= 2) {
        std::vector<int> next;
        for (const ConstraintRow& row : pile.rows)
            for (const auto& [from, to] : {std::pair(row.a, row.b), std::pair(row.b, row.a)})
                if (pile_of_[to] && std::ranges::count(last, from) > 0 && std::ranges::count(all, to) == 0) {
                    next.push_back(to);
                    all.push_back(to);
                }
        last = std::move(next);
    }
    return all;
}

std::vector<int> Piles::let_go(const std::vector<int>& bodies, long step) {
    std::vector<int> gone;
    for (std::size_t first = 0; first < bodies.size(); ++first) {
        if (!pile_of_[bodies[first]]) continue;
        Pile& pile = *pile_of_[bodies[first]];
        enter(pile, step);
        std::vector<int> kept;
        for (const int i : pile.bodies)
            if (std::ranges::find(bodies, i) == bodies.end()) kept.push_back(i);
        const auto is_kept = [&](int i) { return std::ranges::binary_search(kept, i); };
        std::vector<ConstraintRow> rows;
        for (;;) {
            rows.clear();
            for (const ConstraintRow& row : pile.rows)
                if ((is_kept(row.a) || !pile_of_[row.a]) && (is_kept(row.b) || !pile_of_[row.b])) rows.push_back(row);
            pile.leaning = leaning_of(kept, rows);
            if (pile.leaning.size() == kept.size()) break;
            std::vector<int> leaning;
            for (const Leaning& one : pile.leaning) leaning.push_back(one.body);
            std::ranges::sort(leaning);
            kept = std::move(leaning);
        }
        std::vector<Vec3> expected;
        for (const int i : kept) expected.push_back(pile.expected[index_in(pile.bodies, i)]);
        std::vector<Exchange> contacts;
        for (std::size_t k = 0; k < pile.rows.size(); ++k) {
            const ConstraintRow& row = pile.rows[k];
            const bool stays = (is_kept(row.a) || !pile_of_[row.a]) && (is_kept(row.b) || !pile_of_[row.b]);
            if (stays) contacts.push_back(pile.contacts[k]);
            if (stays) continue;
            if (is_kept(row.a)) expected[index_in(kept, row.a)] += row.impulse();  // from now on by one who moves
            if (is_kept(row.b)) expected[index_in(kept, row.b)] -= row.impulse();
        }
        for (const int i : pile.bodies) {
            if (is_kept(i)) continue;
            gone.push_back(i);
            pile_of_[i] = nullptr;
        }
        if (kept.empty()) {
            piles_.remove_if([&](const Pile& one) { return &one == &pile; });
            continue;
        }
        pile.bodies = std::move(kept);
        pile.expected = std::move(expected);
        pile.rows = std::move(rows);
        pile.contacts = std::move(contacts);
        bear_weight(pile);
        settle(pile);
    }
    std::ranges::sort(gone);
    return gone;
}

std::vector<int> Piles::end_step(long step) {
    std::vector<int> give_way;
    std::ranges::sort(given_to_);
    given_to_.erase(std::ranges::unique(given_to_).begin(), given_to_.end());
    for (const int i : given_to_) {
        if (!pile_of_[i]) continue;
        Pile& pile = *pile_of_[i];
        const std::size_t at = index_in(pile.bodies, i);
        if ((pile.given_now[at] - pile.expected[at]).norm() > world_.bodies[i].mass * rest_speed) give_way.push_back(i);
        pile.given_now[at].setZero();
    }
    given_to_.clear();
    for (Pile& pile : piles_) {
        if (step - pile.entered < steps_of_rest) continue;
        const bool expects = std::ranges::any_of(pile.expected, [](const Vec3& load) { return !load.isZero(0); });
        if (!pile.loaded && !expects) continue;
        if (!pile.loaded) enter_rest(pile, step - steps_of_rest);
        for (std::size_t k = 0; k < pile.bodies.size(); ++k) {
            const Vec3 mean = pile.given[k] / double(step - pile.entered);
            if ((mean - pile.expected[k]).norm() > change_of_load * pile.bears[k]) give_way.push_back(pile.bodies[k]);
        }
        enter(pile, step);
    }
    return give_way;
}

Ledger Piles::closed(long step) {
    for (Pile& pile : piles_) enter(pile, step);
    return std::move(ledger_);
}

}  // namespace clangor::rigid
