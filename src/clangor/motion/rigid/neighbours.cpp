#include <clangor/motion/rigid/neighbours.hpp>

#include <algorithm>
#include <limits>

namespace clangor::rigid {
namespace {

// Lists and searches are made for so many steps at the present speed; within limits, as parts of a body's size.
constexpr double steps_ahead = 12, least_ahead = 0.002, most_ahead = 0.5;

}  // namespace

Neighbourhood::Neighbourhood(const RigidWorld& world, double least_margin, std::vector<double> radii)
    : world_(world), materials_(world), least_margin_(least_margin), radii_(std::move(radii)) {}

// The smaller one, as the larger one sees it.
Relation Neighbourhood::relation_of(const Pair& pair, const std::vector<MovingBody>& bodies) const {
    const bool swap = world_.bodies[pair.a].shape->size < world_.bodies[pair.b].shape->size;
    const MovingBody &larger = bodies[swap ? pair.b : pair.a], &smaller = bodies[swap ? pair.a : pair.b];
    const Eigen::Quaterniond back = larger.rotation.conjugate();
    return {back * (smaller.centre - larger.centre), back * smaller.rotation};
}

// By no more than this have points within and around the smaller one moved against the larger one.
double Neighbourhood::moved_since(const Pair& pair, const Relation& now) const {
    const bool swap = world_.bodies[pair.a].shape->size < world_.bodies[pair.b].shape->size;
    const double radius = radii_[swap ? pair.a : pair.b] + margin_of(pair.a, pair.b) + pair.reach;
    const double turned = 2 * std::min((now.rotation.coeffs() - pair.known_at.rotation.coeffs()).norm(),
                                       (now.rotation.coeffs() + pair.known_at.rotation.coeffs()).norm());
    return (now.centre - pair.known_at.centre).norm() + turned * radius;
}

double Neighbourhood::size_of(int a, int b) const {
    return std::min(world_.bodies[a].shape->size, world_.bodies[b].shape->size);
}

double Neighbourhood::margin_of(int a, int b) const { return std::max(2e-3 * size_of(a, b), least_margin_); }

void Neighbourhood::update(const std::vector<MovingBody>& bodies, const Travels& travels, double time) {
    bool is_good = made_at_.size() == bodies.size();
    for (std::size_t i = 0; is_good && i < bodies.size(); ++i)
        is_good = travels.total[i] - made_at_[i] <= made_for_[i] && frozen_[i] == bodies[i].frozen;
    if (is_good) return;
    made_at_ = travels.total;
    made_for_.assign(bodies.size(), 0);
    frozen_.assign(bodies.size(), false);
    std::vector<double> reach(bodies.size(), 0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        frozen_[i] = bodies[i].frozen;
        const double size = world_.bodies[i].shape->size;
        if (!std::isfinite(size)) continue;
        made_for_[i] = std::clamp(steps_ahead * travels.last_step[i], 10 * least_ahead * size, most_ahead * size);
        reach[i] = made_for_[i] + std::max(2e-3 * size, least_margin_);
    }
    std::vector<Pair> pairs;
    auto old = pairs_.begin();
    const auto keep_parted = [&](Pair& pair) {  // until nothing can be added to their last contact
        if (!pair.state) return;
        pair.state->ledger.close_until(time);
        pair.state->nearby = {};
        pair.reach = pair.apart_until = -1;
        if (pair.state->ledger.is_open())
            pairs.push_back(std::move(pair));
        else
            parted_.take(pair.state->ledger);
    };
    const auto key = [](const Pair& pair) { return std::pair(pair.a, pair.b); };
    for (const std::pair<int, int>& wanted : near_pairs(world_, bodies, reach)) {
        for (; old != pairs_.end() && key(*old) < wanted; ++old) keep_parted(*old);
        if (old != pairs_.end() && key(*old) == wanted)
            pairs.push_back(std::move(*old++));
        else
            pairs.push_back({.a = wanted.first, .b = wanted.second, .state = nullptr});
    }
    for (; old != pairs_.end(); ++old) keep_parted(*old);
    pairs_ = std::move(pairs);
}

Neighbours* Neighbourhood::approach(Pair& pair, const std::vector<MovingBody>& bodies, const Travels& travels) const {
    const int a = pair.a, b = pair.b;
    const double travelled = travels.of(a, b);
    const Relation now = relation_of(pair, bodies);
    if (pair.reach >= 0) {
        // What two bodies do together, falling side by side, changes nothing between them.
        if (const double moved = moved_since(pair, now); moved <= pair.reach) {
            pair.apart_until = pair.apart ? travelled + pair.reach - moved : -1;
            if (pair.apart) return nullptr;
            pair.state->nearby.moved = moved;
            pair.state->nearby.gone = travelled - pair.state->travelled;
            return pair.state.get();
        }
    }
    const CollisionShape &shape_a = *world_.bodies[a].shape, &shape_b = *world_.bodies[b].shape;
    const double margin = margin_of(a, b), size = size_of(a, b);
    const double reach = std::clamp(steps_ahead * travels.last_of(a, b), least_ahead * size, most_ahead * size);
    Nearby found;
    if (const double gap = box_gap(shape_a, bodies[a], shape_b, bodies[b]) - margin; gap > reach)
        found = {.reach = gap, .apart = true};
    else
        found = nearby({shape_a, bodies[a].world_from_body}, {shape_b, bodies[b].world_from_body}, margin, reach);
    pair.reach = found.reach;
    pair.apart = found.apart;
    pair.known_at = now;
    pair.apart_until = found.apart ? travelled + found.reach : -1;
    if (found.apart) {
        if (pair.state) pair.state->memory.clear();
        return nullptr;
    }
    if (!pair.state)
        pair.state =
            std::make_unique<Neighbours>(Neighbours{.a = a, .b = b, .margin = margin, .material = materials_(a, b)});
    pair.state->nearby = std::move(found);
    pair.state->travelled = travelled;
    return pair.state.get();
}

Ledger Neighbourhood::closed() {
    for (const Pair& pair : pairs_)
        if (pair.state) parted_.take(pair.state->ledger);
    return std::move(parted_);
}

}  // namespace clangor::rigid
