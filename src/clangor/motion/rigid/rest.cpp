#include <clangor/motion/rigid/rest.hpp>

#include <algorithm>
#include <optional>

namespace clangor::rigid {
namespace {

// Where a body stands in an island; its size where it does not.
std::size_t place_in(const std::vector<int>& island, int body) {
    const auto found = std::ranges::lower_bound(island, body);
    return found != island.end() && *found == body ? std::size_t(found - island.begin()) : island.size();
}

// Which rows each body of an island has.
std::vector<std::vector<std::size_t>> rows_at(const std::vector<int>& island, const std::vector<ConstraintRow>& rows) {
    std::vector<std::vector<std::size_t>> at(island.size() + 1);  // the last: of what cannot move
    for (std::size_t k = 0; k < rows.size(); ++k)
        for (const int i : {rows[k].a, rows[k].b}) at[place_in(island, i)].push_back(k);
    return at;
}

}  // namespace

Stillness stillness_of(const MovingBody& body, const Stillness& last, double size, double may_move, double time) {
    const double turned =
        2 * (body.rotation.coeffs() - last.rotation.coeffs()).norm();  // within 1e-6 of the angle here
    const double moved = (body.centre - last.centre).norm() + turned * size;
    if (moved <= may_move) return last;
    return {body.centre, body.rotation, time};
}

std::vector<Leaning> leaning_of(const std::vector<int>& island, const std::vector<ConstraintRow>& rows) {
    const std::vector<std::vector<std::size_t>> at = rows_at(island, rows);
    std::vector<bool> held(island.size() + 1, false);
    held[island.size()] = true;
    std::vector<int> left = island;
    std::vector<Leaning> order;
    while (!left.empty()) {
        const std::size_t before = order.size();
        for (const int i : left) {
            double largest = 0;
            std::optional<std::size_t> best;
            for (const std::size_t k : at[place_in(island, i)]) {
                const int other = rows[k].a == i ? rows[k].b : rows[k].a;
                if (held[place_in(island, other)] && rows[k].normal_impulse > largest)
                    largest = rows[k].normal_impulse, best = k;
            }
            if (best) order.push_back({i, *best});
        }
        if (order.size() == before) break;
        for (std::size_t k = before; k < order.size(); ++k) held[place_in(island, order[k].body)] = true;
        std::erase_if(left, [&](int i) { return held[place_in(island, i)]; });
    }
    std::ranges::reverse(order);
    return order;
}

void balance(const std::vector<int>& island, const std::vector<Leaning>& leaning, const std::vector<Vec3>& wanted,
             std::vector<ConstraintRow>& rows) {
    const std::vector<std::vector<std::size_t>> at = rows_at(island, rows);
    for (const Leaning& one : leaning) {
        const std::size_t place = place_in(island, one.body);
        Vec3 given = Vec3::Zero();
        for (const std::size_t k : at[place]) given += (rows[k].a == one.body ? 1.0 : -1.0) * rows[k].impulse();
        ConstraintRow& row = rows[one.row];
        const Vec3 missing = (row.a == one.body ? 1.0 : -1.0) * (wanted[place] - given);
        const double along = missing.dot(row.contact.normal);
        row.normal_impulse += along;
        row.friction_impulse += missing - along * row.contact.normal;
    }
}

void share_out(const std::vector<int>& island, const std::vector<Leaning>& leaning, const std::vector<Vec3>& wanted,
               std::vector<ConstraintRow>& rows) {
    const std::vector<std::vector<std::size_t>> at = rows_at(island, rows);
    std::vector<std::size_t> rank(island.size() + 1, leaning.size());  // the higher, the nearer to what cannot move
    for (std::size_t k = 0; k < leaning.size(); ++k) rank[place_in(island, leaning[k].body)] = k;
    std::vector<double> bearing(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) bearing[k] = std::max(0.0, rows[k].normal_impulse);
    for (const Leaning& one : leaning) {
        const std::size_t place = place_in(island, one.body);
        const auto bears = [&](std::size_t k) {
            const int other = rows[k].a == one.body ? rows[k].b : rows[k].a;
            return k == one.row || rank[place_in(island, other)] > rank[place];
        };
        Vec3 missing = wanted[place];
        double whole = 0;
        for (const std::size_t k : at[place]) {
            missing -= (rows[k].a == one.body ? 1.0 : -1.0) * rows[k].impulse();
            if (bears(k)) whole += bearing[k];
        }
        for (const std::size_t k : at[place]) {
            if (!bears(k) || (whole == 0 && k != one.row)) continue;
            const double part = whole > 0 ? bearing[k] / whole : 1;
            const Vec3 share = (rows[k].a == one.body ? part : -part) * missing;
            const double along = share.dot(rows[k].contact.normal);
            rows[k].normal_impulse += along;
            rows[k].friction_impulse += share - along * rows[k].contact.normal;
        }
    }
}

}  // namespace clangor::rigid
