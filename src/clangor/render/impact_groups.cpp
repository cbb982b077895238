#include <clangor/render/impact_groups.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace clangor {
namespace {

bool share_a_body(const Met& a, const Met& b, const std::vector<ContactBody>& bodies) {
    for (const ContactSide& x : a.sides)
        for (const ContactSide& y : b.sides)
            if (x.body >= 0 && x.body == y.body && (bodies[x.body].is_movable || bodies[x.body].mobility)) return true;
    return false;
}

/// Which impacts belong together.
std::vector<std::vector<size_t>> overlapping(std::span<const Met> met, const std::vector<ContactBody>& bodies,
                                             long& cut) {
    std::vector<size_t> order(met.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::ranges::stable_sort(order, {}, [&](size_t i) { return met[i].time; });
    std::vector<size_t> first(met.size()), size(met.size(), 1);
    std::iota(first.begin(), first.end(), size_t(0));
    const auto root = [&](size_t i) {
        while (first[i] != i) i = first[i] = first[first[i]];
        return i;
    };
    double longest = 0;
    for (const Met& one : met)
        longest = std::max({longest, contact_time(one.contact.hertz, one.approach_speed), one.seen - one.time});
    for (size_t place = 0; place < order.size(); ++place) {
        const size_t i = order[place];
        const double tau = contact_time(met[i].contact.hertz, met[i].approach_speed);
        for (size_t before = place; before-- > 0 && met[i].time - met[order[before]].time <= longest;) {
            const size_t j = order[before];
            if (!can_follow(met[i]) || !can_follow(met[j]) || !share_a_body(met[i], met[j], bodies)) continue;
            // Motion found them one after the other, and so are they followed: the later goes on with the earlier.
            if (met[i].seen != met[j].seen && only_body({&met[i], 1}, bodies) >= 0 &&
                only_body({&met[i], 1}, bodies) == only_body({&met[j], 1}, bodies))
                continue;
            const double either = std::max(tau, contact_time(met[j].contact.hertz, met[j].approach_speed));
            if (met[i].time - met[j].time > either && met[i].seen != met[j].seen) continue;
            const size_t a = root(i), b = root(j);
            if (a == b) continue;
            if (size[a] + size[b] > most_together) {
                ++cut;
                continue;
            }
            first[std::max(a, b)] = std::min(a, b);
            size[std::min(a, b)] += size[std::max(a, b)];
        }
    }
    std::map<size_t, std::vector<size_t>> members;
    for (size_t i = 0; i < met.size(); ++i) members[root(i)].push_back(i);
    std::vector<std::vector<size_t>> groups;
    for (auto& [start, own] : members) groups.push_back(std::move(own));
    return groups;
}

// By rounds, and by time within each of them.
std::vector<Together> in_order(std::span<const Met> met, const std::vector<ContactBody>& bodies,
                               std::vector<std::vector<size_t>> groups) {
    std::vector<Together> all;
    for (std::vector<size_t>& own : groups) {
        const double time = first_time(picked(met, own));
        all.push_back({std::move(own), time});
    }
    std::ranges::stable_sort(all, {}, &Together::time);
    std::map<int, Together*> last;  // of each body
    for (Together& one : all) {
        if (!can_follow(met[one.impacts.front()])) continue;  // it neither feels nor changes how bodies ring
        for (const size_t i : one.impacts)
            for (const ContactSide& side : met[i].sides) {
                if (!mobility_of(side, bodies)) continue;
                Together*& before = last[side.body];
                if (before == &one) continue;
                if (before) one.round = std::max(one.round, before->round + 1);
                before = &one;
            }
    }
    std::ranges::stable_sort(all, {}, &Together::round);
    return all;
}

}  // namespace

int only_body(std::span<const Met> met, const std::vector<ContactBody>& bodies) {
    int only = -1;
    for (const Met& one : met)
        for (const ContactSide& side : one.sides) {
            if (one.is_given) return -1;
            if (side.body < 0 || (!bodies[side.body].is_movable && !bodies[side.body].mobility)) continue;
            if (only >= 0 && side.body != only) return -1;
            only = side.body;
        }
    return only >= 0 && bodies[only].mobility ? only : -1;
}

bool can_follow(const Met& met) {
    return !met.is_by_many && met.contact.hertz.inverse_mass > 0 && met.approach_speed > 0 &&
           std::isfinite(met.approach_speed);
}

double first_time(std::span<const Met> met) { return std::ranges::min(met, {}, &Met::time).time; }

std::vector<Met> met_at(std::span<const Impact> impacts, const std::vector<ContactBody>& bodies) {
    std::vector<Met> met(impacts.size());
    parallel_for(std::ssize(impacts), [&](long i) {
        const Impact& impact = impacts[i];
        met[i] = {impact.sides,          local_contact(impact.sides, bodies),
                  impact.time,           impact.seen < 0 ? impact.time : impact.seen,
                  impact.approach_speed, std::abs(impact.sides[0].impulse.dot(impact.sides[0].normal)),
                  impact.is_given,       impact.seen >= 0};
        met[i].given = {{met[i].time, met[i].seen, met[i].impulse}};
        for (const ContactSide& side : impact.sides)
            met[i].is_by_many = met[i].is_by_many || (side.body >= 0 && bodies[side.body].is_one_of_many);
    });
    return met;
}

std::vector<Met> picked(std::span<const Met> met, const std::vector<size_t>& own) {
    std::vector<Met> some;
    for (const size_t i : own) some.push_back(met[i]);
    return some;
}

std::vector<Together> grouped(std::span<const Met> met, const std::vector<ContactBody>& bodies, long& cut) {
    return in_order(met, bodies, overlapping(met, bodies, cut));
}

std::vector<std::span<const Together>> rounds_of(std::span<const Together> all) {
    std::vector<std::span<const Together>> rounds;
    for (size_t from = 0, to = 0; from < all.size(); from = to) {
        while (to < all.size() && all[to].round == all[from].round) ++to;
        rounds.push_back(all.subspan(from, to - from));
    }
    return rounds;
}

}  // namespace clangor
