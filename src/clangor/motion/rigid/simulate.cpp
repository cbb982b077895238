// The loop over steps.
#include <clangor/motion/rigid/contact_rows.hpp>
#include <clangor/motion/rigid/islands.hpp>
#include <clangor/motion/rigid/start.hpp>
#include <clangor/motion/rigid/step_rate.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

namespace clangor {
namespace rigid {
namespace {

constexpr double world_radius = 10e3;  // [m]
constexpr std::size_t max_bodies = 20000;
constexpr std::size_t max_contacts = 1000000;

/// Steps of a lasting contact that are recorded together while bodies sleep. A power of two: its impulse and its length
/// are then exact multiples of one step's, so that no rounding tells how long the bodies will go on sleeping.
constexpr long steps_of_rest = 128;

/// What one call of a loop does is worth the handing out: some 10 µs.
constexpr long pairs_a_call = 4;

/// A pile that sleeps: what its contacts exchange in one step.
struct Sleep {
    std::vector<int> bodies;
    std::map<std::pair<int, int>, std::vector<Exchange>> contacts;
    long entered = 0;  ///< the step up to which that is recorded
};

/// Of one body, as they are recorded: positions and rotations of its frame, three and four numbers each.
struct Poses {
    std::vector<double> times, positions, rotations;
};

class Simulation {
public:
    Simulation(const RigidWorld& world, const RigidOptions& options);
    Motion run(const Progress& progress);

private:
    bool lies(int i) const;
    bool is_quiet(int i, double time) const;
    void watch(int i, double time);
    void find_meeting(long n);
    void meet(Neighbours& pair);
    void step(long n);
    void step_island(Island& island, std::optional<Sleep>& sleep, long n);
    void step_flying(int i, double time);
    void end_step(int i, double time);
    Exchange exchange_of(const ConstraintRow& row, double time) const;
    void enter_rows(const Island& island, double time);
    bool may_sleep(const Island& island, long n) const;
    std::optional<Sleep> put_to_sleep(Island& island, long n);
    void wake(int body, long n);
    void enter_sleep(Sleep& sleep, long until);
    void check_poses(double time);
    void record_pose(std::size_t i, long n);
    void record_poses(long n, bool sleepers_too);
    void travel(std::size_t i, const Vec3& from, const Eigen::Quaterniond& rotation_from);

    const RigidWorld& world_;
    RigidOptions options_;
    std::vector<MovingBody> bodies_;
    std::vector<Before> before_;  ///< per body
    std::vector<StringRow> strings_;
    long steps_ = 0;
    double h_ = 0;     ///< [s]
    double slow_ = 0;  ///< approach below which a new contact does not bounce [m/s]
    std::optional<Neighbourhood> neighbourhood_;
    Travels travels_;
    std::vector<double> radii_;         ///< per body: of its farthest point from its centre of mass [m]
    std::vector<Neighbours*> meeting_;  ///< the pairs that have rows in this step, in order
    Archipelago archipelago_;
    std::vector<long> largest_first_;  ///< the islands of this step, so that no thread is left with one
    std::vector<std::optional<Sleep>> falling_asleep_;  ///< per island of this step
    std::vector<Stillness> stillness_;                  ///< per body: since when it does not move
    std::vector<Stillness> slowness_;                   ///< per body: since when it hardly does
    std::vector<bool> hangs_;                           ///< per body: from a string, on which it would sway for ever
    std::vector<Sleep> sleeps_;
    Ledger of_rest_;  ///< what sleeping bodies gave each other
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
    stillness_.resize(world.bodies.size());
    slowness_.resize(world.bodies.size());
    before_.resize(world.bodies.size());
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

// The pairs that have contacts; none between two that lie. Whatever touches a sleeping body wakes it, and with it all
// that lean on it.
void Simulation::find_meeting(long n) {
    neighbourhood_->update(bodies_, travels_, double(n - 1) * h_);
    std::vector<Neighbourhood::Pair>& pairs = neighbourhood_->pairs();
    meeting_.clear();
    std::vector<Neighbourhood::Pair*> looked_at;
    std::vector<bool> known;
    for (bool woken = true; woken;) {
        woken = false;
        std::vector<Neighbourhood::Pair*> next;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            Neighbourhood::Pair& pair = pairs[k];
            if (travels_.of(pair.a, pair.b) <= pair.apart_until || (lies(pair.a) && lies(pair.b))) continue;
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
        for (const Neighbourhood::Pair* pair : next)
            for (const int i : {pair->a, pair->b})
                if (pair->state && pair->state->meet && bodies_[i].asleep) {
                    wake(i, n);
                    woken = true;
                }
        looked_at.insert(looked_at.end(), next.begin(), next.end());
        if (!woken) break;
        known.assign(pairs.size(), false);
        for (const Neighbourhood::Pair* pair : looked_at) known[pair - pairs.data()] = true;
    }
    std::ranges::sort(looked_at);
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

bool Simulation::may_sleep(const Island& island, long n) const {
    if (n % 16 != 0 || island.rows.empty()) return false;
    const auto is_slow = [&](int i) { return !hangs_[i] && double(n) * h_ - slowness_[i].since >= asleep_after; };
    return std::ranges::all_of(island.bodies, is_slow) &&
           std::ranges::all_of(island.rows, [&](const ConstraintRow& row) {
               return !(row.bounces && row.touch_approach > options_.min_approach_speed) &&
                      (bodies_[row.a].simulated() || lies(row.a)) && (bodies_[row.b].simulated() || lies(row.b));
           });
}

// They stop in this step. What their contacts give them from now on is their weight. Nothing where one leans on
// nothing.
std::optional<Sleep> Simulation::put_to_sleep(Island& island, long n) {
    const std::optional<std::vector<Leaning>> leaning = leaning_of(island.bodies, island.rows);
    if (!leaning) return std::nullopt;
    std::vector<Vec3> weight, stopping;
    for (const int i : island.bodies) {
        weight.push_back(-h_ * world_.bodies[i].mass * world_.gravity);
        stopping.push_back(weight.back() - world_.bodies[i].mass * before_[i].velocity);
    }
    balance(island.bodies, *leaning, weight, island.rows);
    Sleep sleep{.bodies = island.bodies, .contacts = {}, .entered = n + 1};
    for (const ConstraintRow& row : island.rows) {
        Exchange exchange = exchange_of(row, 0);
        exchange.slip_speed = exchange.travel_speed = 0;
        sleep.contacts[{row.a, row.b}].push_back(exchange);
    }
    balance(island.bodies, *leaning, stopping, island.rows);
    for (const int i : island.bodies) {
        bodies_[i].asleep = true;
        bodies_[i].velocity = bodies_[i].angular_momentum = bodies_[i].angular_velocity = Vec3::Zero();
        record_pose(i, n);
    }
    return sleep;
}

void Simulation::enter_sleep(Sleep& sleep, long until) {
    while (sleep.entered < until) {
        long steps = steps_of_rest;
        while (sleep.entered + steps > until) steps /= 2;
        for (const auto& [pair, contacts] : sleep.contacts) {
            std::vector<Exchange> points = contacts;
            for (Exchange& point : points) {
                point.time = double(sleep.entered) * h_;
                point.duration = double(steps) * h_;
                point.impulse *= double(steps);
            }
            of_rest_.enter_rest(points);
        }
        sleep.entered += steps;
    }
}

void Simulation::wake(int body, long n) {
    const auto sleep =
        std::ranges::find_if(sleeps_, [&](const Sleep& one) { return std::ranges::count(one.bodies, body) > 0; });
    CLANGOR_ASSERT(sleep != sleeps_.end(), "who sleeps, sleeps in a pile");
    enter_sleep(*sleep, n);
    for (const int i : sleep->bodies) {
        bodies_[i].asleep = false;
        stillness_[i] = slowness_[i] = {bodies_[i].centre, bodies_[i].rotation, double(n) * h_};
        record_pose(i, n);
    }
    sleeps_.erase(sleep);
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

void Simulation::step_island(Island& island, std::optional<Sleep>& sleep, long n) {
    const double time = double(n) * h_;
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
    sleep.reset();
    if (may_sleep(island, n)) sleep = put_to_sleep(island, n);
    enter_rows(island, time);
    if (sleep) return;
    const std::vector<Displacement> displacements = solve_positions(bodies_, before_, island.rows, world_.gravity, h_);
    for (const int i : island.bodies) move(bodies_[i], before_[i], world_.gravity, h_);
    for (const Displacement& moved : displacements)
        if (!moved.shift.isZero(0) || !moved.turn.isZero(0)) displace(bodies_[moved.body], moved.shift, moved.turn);
    pull_to_anchors(bodies_, strings);
    for (const int i : island.bodies) end_step(i, time + h_);
}

void Simulation::step(long n) {
    const double time = double(n) * h_;
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
    std::ranges::stable_sort(largest_first_, std::greater(), [&](long k) { return islands[k].rows.size(); });
    parallel_for(count + blocks, [&](long k) {
        if (k < count) return step_island(islands[largest_first_[k]], falling_asleep_[largest_first_[k]], n);
        const long first = (k - count) * block;
        for (long j = first; j < std::min(first + block, long(flying.size())); ++j) step_flying(flying[j], time);
    });
    for (long k = 0; k < count; ++k)
        if (falling_asleep_[k]) sleeps_.push_back(std::move(*falling_asleep_[k]));
    for (const StringRow& row : strings_) motion_.supports[row.body] += row.impulse;
    check_poses(time + h_);
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

void Simulation::record_pose(std::size_t i, long n) {
    Poses& own = poses_[i];
    const double time = double(n) * h_;
    if (!own.times.empty() && own.times.back() == time) return;
    own.times.push_back(time);
    const Eigen::Isometry3d& pose = bodies_[i].world_from_body;
    const Vec3 position = pose.translation();
    const Eigen::Quaterniond rotation = Eigen::Quaterniond(pose.linear()).normalized();
    own.positions.insert(own.positions.end(), position.begin(), position.end());
    own.rotations.insert(own.rotations.end(), rotation.coeffs().begin(), rotation.coeffs().end());
}

void Simulation::record_poses(long n, bool sleepers_too) {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (world_.bodies[i].movement == Movement::Simulated && (sleepers_too || !bodies_[i].asleep)) record_pose(i, n);
}

Trajectory trajectory_of(const Poses& recorded) {
    const long count = static_cast<long>(recorded.times.size());
    return {Eigen::VectorXd::Map(recorded.times.data(), count), Points::Map(recorded.positions.data(), count, 3),
            Rotations::Map(recorded.rotations.data(), count, 4)};
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
    for (Sleep& sleep : sleeps_) enter_sleep(sleep, steps_);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const RigidBody& body = world_.bodies[i];
        motion_.bodies.push_back(body.movement == Movement::Simulated ? trajectory_of(poses_[i])
                                 : body.movement == Movement::Driven  ? body.path
                                                                      : at_rest(bodies_[i].world_from_body));
        poses_[i] = {};
    }
    Ledger ledger = neighbourhood_->closed();
    ledger.take(of_rest_);
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
