// The loop over steps.
#include <clangor/motion/rigid/contact_rows.hpp>
#include <clangor/motion/rigid/islands.hpp>
#include <clangor/motion/rigid/piles.hpp>
#include <clangor/motion/rigid/poses.hpp>
#include <clangor/motion/rigid/pushes.hpp>
#include <clangor/motion/rigid/start.hpp>
#include <clangor/motion/rigid/step_rate.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>

namespace clangor {
namespace rigid {
namespace {

constexpr double world_radius = 10e3;  // [m]
constexpr std::size_t max_bodies = 20000;
constexpr std::size_t max_contacts = 1000000;

/// What one call of a loop does is worth the handing out: some 10 µs.
constexpr long pairs_a_call = 4;

class Simulation {
public:
    Simulation(const RigidWorld& world, const RigidOptions& options);
    Motion run(const Progress& progress);

private:
    bool lies(int i) const;
    bool is_quiet(int i, double time) const;
    bool is_calm(int i, double time) const;
    void watch(int i, double time);
    void find_meeting(long n);
    void meet(Neighbours& pair);
    void feel_pushes(long n);
    void step(long n);
    void step_island(Island& island, std::optional<Pile>& pile, long n);
    void step_flying(int i, double time);
    void end_step(int i, double time);
    void rest(long n);
    Exchange exchange_of(const ConstraintRow& row, double time) const;
    void enter_rows(const Island& island, double time);
    std::vector<int> calm_of(const Island& island, long n) const;
    std::optional<Pile> put_to_sleep(Island& island, long n);
    bool wake_touched(const std::vector<Neighbourhood::Pair*>& pairs, long n);
    void wake(const std::vector<int>& bodies, long n);
    void check_poses(double time);
    void record_pose(std::size_t i, long n);
    void record_poses(long n, bool sleepers_too);
    void travel(std::size_t i, const Vec3& from, const Eigen::Quaterniond& rotation_from);

    const RigidWorld& world_;
    RigidOptions options_;
    std::vector<MovingBody> bodies_;
    std::vector<Before> before_;  ///< per body
    std::vector<StringRow> strings_;
    std::optional<Pushes> pushes_;
    long steps_ = 0;
    double h_ = 0;     ///< [s]
    double slow_ = 0;  ///< approach below which a new contact does not bounce [m/s]
    std::optional<Neighbourhood> neighbourhood_;
    Travels travels_;
    std::vector<double> radii_;         ///< per body: of its farthest point from its centre of mass [m]
    std::vector<Neighbours*> meeting_;  ///< the pairs that have rows in this step, in order
    Archipelago archipelago_;
    std::vector<long> largest_first_;                  ///< the islands of this step, so that no thread is left with one
    std::vector<std::optional<Pile>> falling_asleep_;  ///< per island of this step
    std::vector<Stillness> stillness_;                 ///< per body: since when it does not move
    std::vector<Stillness> slowness_;                  ///< per body: since when it hardly does
    std::vector<bool> hangs_;                          ///< per body: from a string, on which it would sway for ever
    std::vector<char> lying_;                          ///< per body: it does not move in this step
    std::vector<double> woken_at_;                     ///< per body [s]
    std::optional<Piles> piles_;
    Motion motion_;
    std::vector<Poses> poses_;  ///< per body
    Warnings warnings_;
};

Simulation::Simulation(const RigidWorld& world, const RigidOptions& options)
    : world_(world), options_(options), bodies_(bodies_at_start(world)), archipelago_(world.bodies.size()) {
    if (!(options.duration > 0) || !std::isfinite(options.duration))
        throw Error(fmt::format("a simulation needs a positive duration, but this one lasts {:g} s", options.duration));
    if (options.step_hz < 0 || !std::isfinite(options.step_hz) || !world.gravity.allFinite())
        throw Error("the step rate must not be negative, and gravity must be a vector of numbers");
    if (world.bodies.size() > max_bodies)
        throw Error(fmt::format("{} bodies are too many to simulate; at most {}", world.bodies.size(), max_bodies));
    const double hz = options.step_hz > 0 ? options.step_hz : step_rate(world);
    h_ = 1 / hz;
    steps_ = std::max(1L, long(std::ceil(options.duration * hz * (1 - 1e-12))));
    // A body at rest falls by g h in a step before its support is felt; that is no bounce.
    slow_ = std::max(0.01, 3 * world.gravity.norm() * h_);
    for (int i = 0; i < static_cast<int>(world.bodies.size()); ++i)
        if (world.bodies[i].hangs_at && bodies_[i].simulated())
            strings_.push_back(
                {i, bodies_[i].world_from_body * *world.bodies[i].hangs_at, *world.bodies[i].hangs_at, Vec3::Zero()});
    hangs_.assign(world.bodies.size(), false);
    for (const StringRow& row : strings_) hangs_[row.body] = true;
    pushes_.emplace(world, h_);
    stillness_.resize(world.bodies.size());
    slowness_.resize(world.bodies.size());
    before_.resize(world.bodies.size());
    lying_.assign(world.bodies.size(), 0);
    woken_at_.assign(world.bodies.size(), -asleep_after);
    piles_.emplace(world, h_);
    travels_.total.assign(world.bodies.size(), 0);
    travels_.last_step.assign(world.bodies.size(), 0);
    for (const RigidBody& body : world.bodies) {
        const Bounds& bounds = body.shape->bounds;
        const Vec3 low = (bounds.low - body.centre).cwiseAbs(), high = (bounds.high - body.centre).cwiseAbs();
        radii_.push_back(low.cwiseMax(high).norm());
    }
    neighbourhood_.emplace(world, 4 * slow_ * h_, radii_);
    if (!strings_.empty()) motion_.supports.assign(world.bodies.size(), Vec3::Zero());
    poses_.resize(world.bodies.size());
}

// It is not going to move in this step.
bool Simulation::lies(int i) const {
    const MovingBody& body = bodies_[i];
    return body.asleep || (!body.simulated() && body.velocity.isZero(0) && body.angular_velocity.isZero(0));
}

bool Simulation::is_quiet(int i, double time) const {
    return lies(i) || (bodies_[i].simulated() && time - stillness_[i].since >= quiet_after);
}

// It has hardly moved for a while, and disturbs no others.
bool Simulation::is_calm(int i, double time) const {
    return bodies_[i].moves() && time - slowness_[i].since >= asleep_after;
}

// The contacts of two bodies, and the rows for those that matter.
void Simulation::meet(Neighbours& pair) {
    const int a = pair.a, b = pair.b;
    std::vector<SurfacePointId> held_by;
    for (const Remembered& one : pair.memory) held_by.push_back(one.found_by);
    const std::vector<Contact> contacts =
        contacts_between({*world_.bodies[a].shape, bodies_[a].world_from_body},
                         {*world_.bodies[b].shape, bodies_[b].world_from_body}, pair.margin, held_by, pair.nearby);
    pair.meet = !contacts.empty();
    const double size = neighbourhood_->size_of(a, b);
    for (const Contact& contact : contacts) {
        const ConstraintRow row = row_of(pair, contact, bodies_, size, {world_.gravity, h_, slow_});
        // Fast and still apart: it bounces when it touches, not before.
        if (contact.gap <= 0 || row.approach <= slow_) pair.rows.push_back(row);
    }
    if (pair.rows.empty() && !bodies_[a].asleep && !bodies_[b].asleep) pair.memory.clear();
}

// Whatever moves and touches a body that is held wakes it; an impact, also those around it.
bool Simulation::wake_touched(const std::vector<Neighbourhood::Pair*>& pairs, long n) {
    bool woken = false;
    for (const Neighbourhood::Pair* pair : pairs) {
        if (!pair->state || !pair->state->meet) continue;
        for (const auto& [i, other] : {std::pair(pair->a, pair->b), std::pair(pair->b, pair->a)}) {
            if (!bodies_[i].asleep || bodies_[other].asleep || is_calm(other, double(n) * h_)) continue;
            double fastest = 0;
            for (const ConstraintRow& row : pair->state->rows)
                if (row.bounces) fastest = std::max(fastest, row.touch_approach);
            const double lightness = world_.bodies[i].mass * bodies_[other].inverse_mass;
            wake(piles_->reached(i, 2 * fastest / std::max(1.0, lightness)), n);
            woken = true;
        }
    }
    return woken;
}

// The pairs that have contacts; none between two that lie.
void Simulation::find_meeting(long n) {
    neighbourhood_->update(bodies_, travels_, double(n - 1) * h_);
    std::vector<Neighbourhood::Pair>& pairs = neighbourhood_->pairs();
    meeting_.clear();
    std::vector<Neighbourhood::Pair*> looked_at;
    std::vector<bool> known;
    for (bool woken = true; woken;) {
        for (std::size_t i = 0; i < bodies_.size(); ++i) lying_[i] = lies(int(i));
        std::vector<Neighbourhood::Pair*> next;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            Neighbourhood::Pair& pair = pairs[k];
            if ((lying_[pair.a] && lying_[pair.b]) || travels_.of(pair.a, pair.b) <= pair.apart_until) continue;
            if (!known.empty() && known[k]) continue;
            next.push_back(&pair);
        }
        parallel_for((long(next.size()) + pairs_a_call - 1) / pairs_a_call, [&](long call) {
            const long end = std::min((call + 1) * pairs_a_call, long(next.size()));
            for (long k = call * pairs_a_call; k < end; ++k) {
                if (next[k]->state) {
                    next[k]->state->rows.clear();
                    next[k]->state->meet = false;
                }
                if (Neighbours* const near = neighbourhood_->approach(*next[k], bodies_, travels_)) meet(*near);
            }
        });
        woken = wake_touched(next, n);
        if (looked_at.empty())
            looked_at = next;
        else
            looked_at.insert(looked_at.end(), next.begin(), next.end());
        if (!woken) break;
        known.assign(pairs.size(), false);
        for (const Neighbourhood::Pair* pair : looked_at) known[pair - pairs.data()] = true;
    }
    if (!std::ranges::is_sorted(looked_at)) std::ranges::sort(looked_at);
    std::size_t rows = 0;
    for (const Neighbourhood::Pair* pair : looked_at) {
        if (!pair->state || pair->state->rows.empty()) continue;
        meeting_.push_back(pair->state.get());
        rows += pair->state->rows.size();
    }
    if (rows > max_contacts)
        throw Error(fmt::format("more than {} contacts at once; fewer or simpler bodies are needed", max_contacts),
                    Blame::Work);
}

Exchange Simulation::exchange_of(const ConstraintRow& row, double time) const {
    const MovingBody &a = bodies_[row.a], &b = bodies_[row.b];
    Exchange exchange{.a = row.a, .b = row.b, .time = time, .duration = h_};
    exchange.on_a_body = a.world_from_body.inverse() * row.contact.on_a;
    exchange.on_b_body = b.world_from_body.inverse() * row.contact.on_b;
    exchange.place = row.contact.on_a;
    exchange.normal = row.contact.normal;
    exchange.impulse = row.impulse();
    exchange.near = std::max(1e-3, 0.15 * neighbourhood_->size_of(row.a, row.b));
    if (row.bounces && row.touch_approach > options_.min_approach_speed) {
        exchange.approach_speed = row.touch_approach;
        exchange.seen = time;
        exchange.time = std::max(0.0, time - row.since_touch);
        exchange.duration = row.since_touch;
    } else if (is_quiet(row.a, time) && is_quiet(row.b, time)) {
        exchange.slip_speed = exchange.travel_speed = 0;
    } else {
        const Vec3 relative = a.velocity_at(row.contact.on_a) - b.velocity_at(row.contact.on_b);
        exchange.slip_speed = (relative - relative.dot(row.contact.normal) * row.contact.normal).norm();
        exchange.travel_speed = row.travel_speed;
    }
    return exchange;
}

void Simulation::enter_rows(const Island& island, double time) {
    std::size_t k = 0;
    for (Neighbours* pair : island.pairs) {
        pair->ledger.close_until(time - h_);
        pair->memory.clear();
        for (std::size_t end = k + pair->rows.size(); k < end; ++k) {
            const ConstraintRow& row = island.rows[k];
            const Exchange exchange = exchange_of(row, time);
            pair->ledger.enter(exchange);
            if (row.normal_impulse > 0)
                pair->memory.push_back({row.contact.on_a, exchange.on_a_body, exchange.on_b_body, row.normal_impulse,
                                        row.approach, row.friction_impulse, row.bounces, false, row.contact.found_by});
        }
    }
}

// Those of an island that may be held: they, and all that touch them, have hardly moved for a while.
std::vector<int> Simulation::calm_of(const Island& island, long n) const {
    const double time = double(n) * h_;
    const auto may_lie = [&](int i) { return !hangs_[i] && is_calm(i, time) && time - woken_at_[i] >= asleep_after; };
    std::vector<int> calm;
    if (n % 16 == 0 && !island.rows.empty()) std::ranges::copy_if(island.bodies, std::back_inserter(calm), may_lie);
    if (calm.empty()) return calm;
    std::vector<int> disturbed;
    for (const ConstraintRow& row : island.rows) {
        const bool impact = row.bounces && row.touch_approach > options_.min_approach_speed;
        for (const auto& [i, other] : {std::pair(row.a, row.b), std::pair(row.b, row.a)})
            if (impact || !(bodies_[other].moves() ? is_calm(other, time) : lies(other))) disturbed.push_back(i);
    }
    std::ranges::sort(disturbed);
    std::erase_if(calm, [&](int i) { return std::ranges::binary_search(disturbed, i); });
    return calm;
}

// Those that are calm stop in this step, if they lean on something. What their contacts give them from now on is their
// weight, and what others load them with.
std::optional<Pile> Simulation::put_to_sleep(Island& island, long n) {
    Pile pile{.bodies = calm_of(island, n)};
    if (pile.bodies.empty()) return std::nullopt;
    const std::vector<std::size_t> own = take_rows(pile, island.rows, bodies_);
    if (pile.bodies.empty()) return std::nullopt;
    for (const ConstraintRow& row : pile.rows) {
        pile.contacts.push_back(exchange_of(row, 0));
        pile.contacts.back().slip_speed = pile.contacts.back().travel_speed = 0;
    }
    stop(pile, own, island.rows, {bodies_, before_, world_, h_});
    for (const int i : pile.bodies) {
        MovingBody& body = bodies_[i];
        body.asleep = true;
        body.inverse_mass = 0;
        body.inverse_inertia.setZero();
        body.velocity = body.angular_momentum = body.angular_velocity = Vec3::Zero();
        record_pose(i, n);
    }
    return pile;
}

void Simulation::wake(const std::vector<int>& bodies, long n) {
    for (const int i : piles_->let_go(bodies, n)) {
        MovingBody& body = bodies_[i];
        body.asleep = false;
        body.inverse_mass = 1 / world_.bodies[i].mass;
        refresh(body);
        woken_at_[i] = double(n) * h_;
        stillness_[i] = {body.centre, body.rotation, woken_at_[i]};
        record_pose(i, n);
    }
}

// No point of the body has gone farther than this.
void Simulation::travel(std::size_t i, const Vec3& from, const Eigen::Quaterniond& rotation_from) {
    const MovingBody& body = bodies_[i];
    const double turned = 2 * (body.rotation.coeffs() - rotation_from.coeffs()).norm();
    travels_.last_step[i] = (body.centre - from).norm() + turned * radii_[i];
    travels_.total[i] += travels_.last_step[i];
}

void Simulation::watch(int i, double time) {
    const double size = world_.bodies[i].shape->size;
    stillness_[i] = stillness_of(bodies_[i], stillness_[i], size, std::min(rest_distance, 1e-3 * size), time);
    slowness_[i] = stillness_of(bodies_[i], slowness_[i], size, std::min(slow_distance, 2e-2 * size), time);
}

void Simulation::end_step(int i, double time) {
    travel(i, before_[i].centre, before_[i].rotation);
    watch(i, time);
}

void Simulation::step_flying(int i, double time) {
    MovingBody& body = bodies_[i];
    before_[i] = {body.velocity, body.angular_momentum, body.centre, body.rotation};
    body.velocity += h_ * world_.gravity;
    body.struck = false;
    move(body, before_[i], world_.gravity, h_);
    end_step(i, time + h_);
}

void Simulation::step_island(Island& island, std::optional<Pile>& pile, long n) {
    const double time = double(n) * h_;
    island.gather_rows();
    if (world_.bounces) ask_bounces(world_.bounces, bodies_, island.rows, options_.min_approach_speed, time, h_);
    for (const int i : island.bodies) {
        MovingBody& body = bodies_[i];
        before_[i] = {body.velocity, body.angular_momentum, body.centre, body.rotation};
        body.velocity += h_ * world_.gravity;
        body.struck = false;
    }
    std::vector<StringRow> strings;
    for (const StringRow* row : island.strings) strings.push_back(*row);
    solve_velocities(bodies_, island.rows, strings, h_);
    for (const ConstraintRow& row : island.rows) {
        if (!row.bounces || row.normal_impulse <= 0) continue;
        for (const int i : {row.a, row.b}) {
            if (!bodies_[i].simulated()) continue;
            bodies_[i].struck = true;
            if (row.touch_approach > rest_speed) stillness_[i].since = slowness_[i].since = time + h_;
        }
    }
    for (std::size_t k = 0; k < strings.size(); ++k) *island.strings[k] = strings[k];
    pile = put_to_sleep(island, n);
    enter_rows(island, time);
    if (pile) std::erase_if(island.bodies, [&](int i) { return bodies_[i].asleep; });
    if (island.bodies.empty()) return;
    const std::vector<Displacement> displacements = solve_positions(bodies_, before_, island.rows, world_.gravity, h_);
    for (const int i : island.bodies) move(bodies_[i], before_[i], world_.gravity, h_);
    for (const Displacement& moved : displacements)
        if (!moved.shift.isZero(0) || !moved.turn.isZero(0)) displace(bodies_[moved.body], moved.shift, moved.turn);
    pull_to_anchors(bodies_, strings);
    for (const int i : island.bodies) end_step(i, time + h_);
}

// Whom a strike hits it wakes, and those around.
void Simulation::feel_pushes(long n) {
    for (const Push& push : pushes_->due(n)) {
        MovingBody& body = bodies_[push.body];
        if (!body.simulated()) continue;  // it has left the world
        if (body.asleep) wake(piles_->reached(push.body, 2 * push.impulse.norm() / world_.bodies[push.body].mass), n);
        give(body, push);
        stillness_[push.body].since = slowness_[push.body].since = double(n) * h_;
        record_pose(push.body, n);
    }
}

void Simulation::step(long n) {
    const double time = double(n) * h_;
    feel_pushes(n);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (world_.bodies[i].movement != Movement::Driven) continue;
        const Vec3 from = bodies_[i].centre;
        const Eigen::Quaterniond rotation_from = bodies_[i].rotation;
        follow_path(bodies_[i], world_.bodies[i], time);
        travel(i, from, rotation_from);
    }
    find_meeting(n);
    archipelago_.form(bodies_, meeting_, strings_);
    const std::span<Island> islands = archipelago_.islands();
    const std::vector<int>& flying = archipelago_.flying();
    constexpr long block = 32;  // of bodies a call
    const long count = long(islands.size()), blocks = (long(flying.size()) + block - 1) / block;
    falling_asleep_.resize(std::max(falling_asleep_.size(), islands.size()));
    largest_first_.resize(islands.size());
    std::iota(largest_first_.begin(), largest_first_.end(), 0L);
    std::ranges::stable_sort(largest_first_, std::greater(), [&](long k) { return islands[k].row_count; });
    parallel_for(count + blocks, [&](long k) {
        if (k < count) return step_island(islands[largest_first_[k]], falling_asleep_[largest_first_[k]], n);
        const long first = (k - count) * block;
        for (long j = first; j < std::min(first + block, long(flying.size())); ++j) step_flying(flying[j], time);
    });
    rest(n);
    for (const StringRow& row : strings_) motion_.supports[row.body] += row.impulse;
    check_poses(time + h_);
}

// What bodies that are held were given, and who joins or leaves them.
void Simulation::rest(long n) {
    const std::span<Island> islands = archipelago_.islands();
    for (const Island& island : islands) {
        if (!island.loads_others) continue;
        for (const ConstraintRow& row : island.rows) {
            if (piles_->holds(row.a)) piles_->give(row.a, row.impulse(), n);
            if (piles_->holds(row.b)) piles_->give(row.b, -row.impulse(), n);
        }
    }
    for (std::size_t k = 0; k < islands.size(); ++k)
        if (falling_asleep_[k]) piles_->lay(std::move(*falling_asleep_[k]), n + 1);
    if (const std::vector<int> give_way = piles_->end_step(n + 1); !give_way.empty()) wake(give_way, n + 1);
}

void Simulation::check_poses(double time) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        MovingBody& body = bodies_[i];
        if (!body.simulated() || body.asleep) continue;
        if (!body.centre.allFinite() || !body.rotation.coeffs().allFinite() || !body.velocity.allFinite())
            throw Error(
                fmt::format(
                    "the pose of \"{}\" stopped being a number at {:.4f} s; look at its mass, inertia and start",
                    world_.bodies[i].name, time),
                Blame::Work);
        if (body.centre.norm() < world_radius) continue;
        body.frozen = true;
        body.inverse_mass = 0;
        body.inverse_inertia.setZero();
        body.velocity = body.angular_velocity = Vec3::Zero();
        std::erase_if(strings_, [&](const StringRow& row) { return row.body == static_cast<int>(i); });
        warnings_.add(
            fmt::format("\"{}\" left the world (10 km) at {:.2f} s and was frozen there", world_.bodies[i].name, time));
    }
}

void Simulation::record_pose(std::size_t i, long n) { poses_[i].record(double(n) * h_, bodies_[i].world_from_body); }

void Simulation::record_poses(long n, bool sleepers_too) {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (world_.bodies[i].movement == Movement::Simulated && (sleepers_too || !bodies_[i].asleep)) record_pose(i, n);
}

Motion Simulation::run(const Progress& progress) {
    part_overlaps(world_, bodies_, h_, warnings_);
    set_down(world_, bodies_);
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (bodies_[i].simulated()) watch(int(i), 0);
    const long every = std::max(1L, static_cast<long>(std::floor(1 / (h_ * std::max(options_.pose_hz, 1.0)) + 1e-9)));
    for (long n = 0; n < steps_; ++n) {
        if (n % every == 0) record_poses(n, false);
        if (n % 256 == 0) progress("motion", double(n) / double(steps_));
        step(n);
    }
    record_poses(steps_, true);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const RigidBody& body = world_.bodies[i];
        motion_.bodies.push_back(body.movement == Movement::Simulated ? poses_[i].trajectory()
                                 : body.movement == Movement::Driven  ? body.path
                                                                      : at_rest(bodies_[i].world_from_body));
        poses_[i] = {};
    }
    Ledger ledger = neighbourhood_->closed();
    Ledger of_rest = piles_->closed(steps_);
    ledger.take(of_rest);
    ledger.finish(motion_);
    motion_.warnings = warnings_.lines();
    motion_.step_hz = 1 / h_;
    progress("motion", 1);
    return std::move(motion_);
}

}  // namespace
}  // namespace rigid

Motion simulate(const RigidWorld& world, const RigidOptions& options, const Progress& progress) {
    return rigid::Simulation(world, options).run(progress);
}

}  // namespace clangor
