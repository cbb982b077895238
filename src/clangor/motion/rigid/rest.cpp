#include <clangor/motion/rigid/rest.hpp>

#include <algorithm>
#include <numeric>

namespace clangor::rigid {
namespace {

int root_of(std::vector<int>& parents, int i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
}

// For each body of a pile the row along which it leans on what cannot move, the farthest body first; nothing where one
// leans on nothing.
struct Leaning {
    int body = -1;
    std::size_t row = 0;
};
std::optional<std::vector<Leaning>> leaning_of(const Pile& pile, const std::vector<MovingBody>& bodies,
                                               const std::vector<ConstraintRow>& rows) {
    std::vector<std::vector<std::size_t>> rows_at(bodies.size());
    for (const std::size_t k : pile.rows)
        for (const int i : {rows[k].a, rows[k].b}) rows_at[i].push_back(k);
    std::vector<bool> held(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) held[i] = !bodies[i].simulated();
    std::vector<int> left = pile.bodies;
    std::vector<Leaning> order;
    while (!left.empty()) {
        const std::size_t before = order.size();
        for (const int i : left) {
            double largest = 0;
            std::optional<std::size_t> best;
            for (const std::size_t k : rows_at[i]) {
                const int other = rows[k].a == i ? rows[k].b : rows[k].a;
                if (held[other] && rows[k].normal_impulse > largest) largest = rows[k].normal_impulse, best = k;
            }
            if (best) order.push_back({i, *best});
        }
        if (order.size() == before) return std::nullopt;
        for (std::size_t k = before; k < order.size(); ++k) held[order[k].body] = true;
        std::erase_if(left, [&](int i) { return held[i]; });
    }
    std::ranges::reverse(order);
    return order;
}

}  // namespace

Stillness stillness_of(const MovingBody& body, const Stillness& last, double size, double time) {
    const double turned =
        2 * (body.rotation.coeffs() - last.rotation.coeffs()).norm();  // within 1e-6 of the angle here
    const double moved = (body.centre - last.centre).norm() + turned * size;
    if (moved <= std::min(rest_distance, 1e-3 * size)) return last;
    return {body.centre, body.rotation, time};
}

std::vector<Pile> piles_of(const std::vector<MovingBody>& bodies, const std::vector<ConstraintRow>& rows,
                           const std::vector<bool>& may_sleep) {
    std::vector<int> parents(bodies.size());
    std::iota(parents.begin(), parents.end(), 0);
    for (const ConstraintRow& row : rows)
        if (bodies[row.a].simulated() && bodies[row.b].simulated())
            parents[root_of(parents, row.a)] = root_of(parents, row.b);
    std::vector<bool> wakeful(bodies.size(), false);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (bodies[i].simulated() && !may_sleep[i]) wakeful[root_of(parents, int(i))] = true;
    std::vector<Pile> piles(bodies.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const int a = rows[k].a, b = rows[k].b;
        const int root = root_of(parents, bodies[a].simulated() ? a : b);
        piles[root].rows.push_back(k);
        for (const int i : {a, b})
            if (!bodies[i].simulated() && !may_sleep[i]) wakeful[root] = true;
    }
    for (int i = 0; i < int(bodies.size()); ++i)
        if (bodies[i].simulated()) piles[root_of(parents, i)].bodies.push_back(i);
    std::vector<Pile> sleepy;
    for (std::size_t root = 0; root < piles.size(); ++root)
        if (!wakeful[root] && !piles[root].rows.empty() && leaning_of(piles[root], bodies, rows))
            sleepy.push_back(std::move(piles[root]));
    return sleepy;
}

void balance(const Pile& pile, const std::vector<MovingBody>& bodies, const std::vector<Vec3>& wanted,
             std::vector<ConstraintRow>& rows) {
    const std::optional<std::vector<Leaning>> order = leaning_of(pile, bodies, rows);
    CLANGOR_ASSERT(order.has_value(), "every body of a pile leans on something");
    for (const Leaning& one : *order) {
        Vec3 given = Vec3::Zero();
        for (const std::size_t k : pile.rows) {
            if (rows[k].a == one.body) given += rows[k].impulse();
            if (rows[k].b == one.body) given -= rows[k].impulse();
        }
        ConstraintRow& row = rows[one.row];
        const Vec3 missing = (row.a == one.body ? 1.0 : -1.0) * (wanted[one.body] - given);
        const double along = missing.dot(row.contact.normal);
        row.normal_impulse += along;
        row.friction_impulse += missing - along * row.contact.normal;
    }
}

}  // namespace clangor::rigid
