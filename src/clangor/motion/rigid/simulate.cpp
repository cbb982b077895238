// The loop over steps.
#include <clangor/motion/rigid/ledger.hpp>
#include <clangor/motion/rigid/pairs.hpp>
#include <clangor/motion/rigid/rest.hpp>
#include <clangor/motion/rigid/start.hpp>
#include <clangor/motion/rigid/step_rate.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
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

/// A pile that sleeps: what its contacts exchange in one step.
struct Sleep {
    std::vector<int> bodies;
    std::map<std::pair<int, int>, std::vector<Exchange>> contacts;
    long entered = 0;  ///< the step up to which that is recorded
};

/// What a contact leaves for the next step.
struct Remembered {
    Vec3 place, on_a_body, on_b_body;
    double normal_impulse = 0, approach = 0;
    Vec3 friction_impulse = Vec3::Zero();
    bool bounced = false, used = false;
    SurfacePointId found_by = {};
};
using Memory = std::map<std::pair<int, int>, std::vector<Remembered>>;

/// Of one body, as they are recorded.
struct Poses {
    std::vector<double> times;
    std::vector<Eigen::Isometry3d> poses;
};

class Simulation {
public:
    Simulation(const RigidWorld& world, const RigidOptions& options);
    Motion run(const Progress& progress);

private:
    std::vector<ConstraintRow> rows_now(long n);
    std::vector<std::vector<Contact>> contacts_now(const std::vector<std::pair<int, int>>& pairs, long n);
    bool lies(int i) const;
    bool rests(int i, double time, double how_long) const;
    ConstraintRow row_of(int a, int b, const Contact& contact, const PairMaterial& material,
                         std::vector<Remembered>& memory);
    void classify(ConstraintRow& row, const PairMaterial& material, const Remembered* last) const;
    void step(long n);
    Exchange exchange_of(const ConstraintRow& row, double time) const;
    void enter_all(const std::vector<ConstraintRow>& rows, double time);
    void watch(double time);
    std::vector<Pile> falling_asleep(const std::vector<ConstraintRow>& rows, long n) const;
    void put_to_sleep(const std::vector<Pile>& piles, const std::vector<Before>& before,
                      std::vector<ConstraintRow>& rows, long n);
    void wake(int body, long n);
    void enter_sleep(Sleep& sleep, long until);
    void check_poses(double time);
    void record_pose(std::size_t i, long n);
    void record_poses(long n, bool sleepers_too);
    double margin_of(int a, int b) const;

    const RigidWorld& world_;
    RigidOptions options_;
    PairMaterials materials_;
    std::vector<MovingBody> bodies_;
    std::vector<StringRow> strings_;
    long steps_ = 0;
    double h_ = 0;     ///< [s]
    double slow_ = 0;  ///< approach below which a new contact does not bounce [m/s]
    Memory memory_, next_memory_;
    std::vector<Stillness> stillness_;  ///< per body
    std::vector<bool> hangs_;           ///< per body: from a string, on which it would sway for ever
    std::vector<Sleep> sleeps_;
    Ledger ledger_;
    Motion motion_;
    std::vector<Poses> poses_;  ///< per body
    Warnings warnings_;
};

Simulation::Simulation(const RigidWorld& world, const RigidOptions& options)
    : world_(world), options_(options), materials_(world), bodies_(bodies_at_start(world)) {
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
    if (!strings_.empty()) motion_.supports.assign(world.bodies.size(), Vec3::Zero());
    poses_.resize(world.bodies.size());
}

double Simulation::margin_of(int a, int b) const {
    const double size = std::min(world_.bodies[a].shape->size, world_.bodies[b].shape->size);
    return std::max(2e-3 * size, 4 * slow_ * h_);
}

// An impact, if it comes faster than a contact that lasts: where the touching was, how fast, and what must follow from
// it.
//     p = v_t t + ½a t², v = v_t + a t ⇒ t = (v − √(v² − 2ap))/a docs/theory/rigid-motion.md, Eq. 5
void Simulation::classify(ConstraintRow& row, const PairMaterial& material, const Remembered* last) const {
    const MovingBody &a = bodies_[row.a], &b = bodies_[row.b];
    const Vec3& n = row.contact.normal;
    row.approach = -n.dot(a.velocity_at(row.contact.on_a) - b.velocity_at(row.contact.on_b));
    const bool lasting = last && last->normal_impulse > 0 && !last->bounced;
    const double threshold = lasting ? slow_ + 2 * std::max(0.0, last->approach) : slow_;
    row.target = row.contact.gap > 0 ? -row.contact.gap / h_ : 0;
    if (row.approach <= threshold || row.contact.gap > 0) return;
    const Vec3 pull =
        (a.simulated() ? world_.gravity : Vec3::Zero().eval()) - (b.simulated() ? world_.gravity : Vec3::Zero().eval());
    const double depth = -row.contact.gap, v = row.approach, g = -n.dot(pull);
    const double root = std::sqrt(std::max(0.0, v * v - 2 * g * depth));
    const double t = std::min(h_, 2 * depth / (v + root));
    const double v_touch = v - g * t, after = material.restitution * v_touch;
    row.bounces = true;
    row.since_touch = t;
    row.touch_approach = std::max(v_touch, 0.0);
    row.target = std::max(0.0, after - g * (t + h_));
    row.push = row.target > 0 ? std::max(0.0, after * t - g / 2 * t * t) : 0;
}

ConstraintRow Simulation::row_of(int a, int b, const Contact& contact, const PairMaterial& material,
                                 std::vector<Remembered>& memory) {
    ConstraintRow row{.a = a, .b = b, .contact = contact, .friction = material.friction};
    const double size = std::min(world_.bodies[a].shape->size, world_.bodies[b].shape->size);
    const Vec3 slip = bodies_[a].velocity_at(contact.on_a) - bodies_[b].velocity_at(contact.on_b);
    double best = 0.03 * size + 2 * h_ * slip.norm();
    Remembered* last = nullptr;
    for (Remembered& one : memory)
        if (const double distance = (one.place - contact.on_a).norm(); !one.used && distance < best)
            last = &one, best = distance;
    classify(row, material, last);
    if (!last) return row;
    last->used = true;
    const double away_a = (bodies_[a].world_from_body.inverse() * contact.on_a - last->on_a_body).norm();
    const double away_b = (bodies_[b].world_from_body.inverse() * contact.on_b - last->on_b_body).norm();
    // Where many points touch, the place jumps from one to another; what rolls moves on no faster than its turning
    // carries it.
    const double rolls = (bodies_[a].angular_velocity - bodies_[b].angular_velocity).norm() * 2 * size;
    row.travel_speed = std::min(std::max(away_a, away_b) / h_, slip.norm() + rolls);
    if (!row.bounces && !last->bounced) {
        row.normal_impulse = last->normal_impulse;
        row.friction_impulse = last->friction_impulse;
    }
    return row;
}

// It is not going to move in this step.
bool Simulation::lies(int i) const {
    const MovingBody& body = bodies_[i];
    return body.asleep || (!body.simulated() && body.velocity.isZero(0) && body.angular_velocity.isZero(0));
}

bool Simulation::rests(int i, double time, double how_long) const {
    return lies(i) || (bodies_[i].simulated() && time - stillness_[i].since >= how_long);
}

// Of each pair; none between two that lie. Whatever touches a sleeping body wakes it, and with it all that lean on it.
std::vector<std::vector<Contact>> Simulation::contacts_now(const std::vector<std::pair<int, int>>& pairs, long n) {
    std::vector<std::vector<Contact>> contacts(pairs.size());
    std::vector<bool> known(pairs.size(), false);
    for (bool woken = true; woken;) {
        woken = false;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto [a, b] = pairs[k];
            if (known[k] || (lies(a) && lies(b))) continue;
            known[k] = true;
            std::vector<SurfacePointId> held_by;
            if (const auto last = memory_.find({a, b}); last != memory_.end())
                for (const Remembered& one : last->second) held_by.push_back(one.found_by);
            contacts[k] =
                contacts_between({*world_.bodies[a].shape, bodies_[a].world_from_body},
                                 {*world_.bodies[b].shape, bodies_[b].world_from_body}, margin_of(a, b), held_by);
            for (const int i : {a, b}) {
                if (contacts[k].empty() || !bodies_[i].asleep) continue;
                wake(i, n);
                woken = true;
            }
        }
    }
    return contacts;
}

std::vector<ConstraintRow> Simulation::rows_now(long n) {
    std::vector<ConstraintRow> rows;
    double widest = 0;
    for (const RigidBody& body : world_.bodies)
        if (std::isfinite(body.shape->size)) widest = std::max(widest, 2e-3 * body.shape->size);
    std::vector<Remembered> none;
    const std::vector<std::pair<int, int>> pairs = near_pairs(world_, bodies_, std::max(widest, 4 * slow_ * h_));
    const std::vector<std::vector<Contact>> contacts = contacts_now(pairs, n);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto [a, b] = pairs[k];
        if (contacts[k].empty()) continue;
        const PairMaterial material = materials_(a, b);
        const auto known = memory_.find({a, b});
        for (const Contact& contact : contacts[k]) {
            const ConstraintRow row = row_of(a, b, contact, material, known == memory_.end() ? none : known->second);
            // Fast and still apart: it bounces when it touches, not before.
            if (contact.gap <= 0 || row.approach <= slow_) rows.push_back(row);
        }
        if (rows.size() > max_contacts)
            throw Error(fmt::format("more than {} contacts at once; fewer or simpler bodies are needed", max_contacts),
                        Blame::Work);
    }
    return rows;
}

Exchange Simulation::exchange_of(const ConstraintRow& row, double time) const {
    const MovingBody &a = bodies_[row.a], &b = bodies_[row.b];
    Exchange exchange{.a = row.a, .b = row.b, .time = time, .duration = h_};
    exchange.on_a_body = a.world_from_body.inverse() * row.contact.on_a;
    exchange.on_b_body = b.world_from_body.inverse() * row.contact.on_b;
    exchange.place = row.contact.on_a;
    exchange.normal = row.contact.normal;
    exchange.impulse = row.impulse();
    const double size = std::min(world_.bodies[row.a].shape->size, world_.bodies[row.b].shape->size);
    exchange.near = std::max(1e-3, 0.15 * size);
    if (row.bounces && row.touch_approach > options_.min_approach_speed) {
        exchange.approach_speed = row.touch_approach;
        exchange.time = std::max(0.0, time - row.since_touch);
        exchange.duration = row.since_touch;
    } else if (rests(row.a, time, quiet_after) && rests(row.b, time, quiet_after)) {
        exchange.slip_speed = exchange.travel_speed = 0;
    } else {
        const Vec3 relative = a.velocity_at(row.contact.on_a) - b.velocity_at(row.contact.on_b);
        exchange.slip_speed = (relative - relative.dot(row.contact.normal) * row.contact.normal).norm();
        exchange.travel_speed = row.travel_speed;
    }
    return exchange;
}

void Simulation::enter_all(const std::vector<ConstraintRow>& rows, double time) {
    next_memory_.clear();
    for (const ConstraintRow& row : rows) {
        const Exchange exchange = exchange_of(row, time);
        ledger_.enter(exchange);
        if (row.normal_impulse > 0)
            next_memory_[{row.a, row.b}].push_back({row.contact.on_a, exchange.on_a_body, exchange.on_b_body,
                                                    row.normal_impulse, row.approach, row.friction_impulse, row.bounces,
                                                    false, row.contact.found_by});
    }
    for (auto& [pair, contacts] : memory_)
        if (bodies_[pair.first].asleep || bodies_[pair.second].asleep) next_memory_.try_emplace(pair, contacts);
    ledger_.close_until(time);
    memory_.swap(next_memory_);
}

void Simulation::watch(double time) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (!bodies_[i].simulated() || bodies_[i].asleep) continue;
        stillness_[i] = stillness_of(bodies_[i], stillness_[i], world_.bodies[i].shape->size, time);
    }
}

std::vector<Pile> Simulation::falling_asleep(const std::vector<ConstraintRow>& rows, long n) const {
    if (n % 16 != 0) return {};
    std::vector<bool> may_sleep(bodies_.size());
    bool any = false;
    for (int i = 0; i < int(bodies_.size()); ++i) {
        may_sleep[i] = !hangs_[i] && rests(i, double(n) * h_, asleep_after);
        any = any || (may_sleep[i] && bodies_[i].simulated() && !bodies_[i].asleep);
    }
    for (const ConstraintRow& row : rows)
        if (row.bounces && row.touch_approach > options_.min_approach_speed)
            may_sleep[row.a] = may_sleep[row.b] = false;
    return any ? piles_of(bodies_, rows, may_sleep) : std::vector<Pile>();
}

// They stop in this step. What their contacts give them from now on is their weight.
void Simulation::put_to_sleep(const std::vector<Pile>& piles, const std::vector<Before>& before,
                              std::vector<ConstraintRow>& rows, long n) {
    if (piles.empty()) return;
    std::vector<Vec3> weight(bodies_.size(), Vec3::Zero()), stopping(bodies_.size(), Vec3::Zero());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (!bodies_[i].simulated()) continue;
        weight[i] = -h_ * world_.bodies[i].mass * world_.gravity;
        stopping[i] = weight[i] - world_.bodies[i].mass * before[i].velocity;
    }
    for (const Pile& pile : piles) {
        balance(pile, bodies_, weight, rows);
        Sleep sleep{.bodies = pile.bodies, .contacts = {}, .entered = n + 1};
        for (const std::size_t k : pile.rows) {
            Exchange exchange = exchange_of(rows[k], 0);
            exchange.slip_speed = exchange.travel_speed = 0;
            sleep.contacts[{rows[k].a, rows[k].b}].push_back(exchange);
        }
        sleeps_.push_back(std::move(sleep));
        balance(pile, bodies_, stopping, rows);
        for (const int i : pile.bodies) {
            bodies_[i].asleep = true;
            bodies_[i].velocity = bodies_[i].angular_momentum = bodies_[i].angular_velocity = Vec3::Zero();
            record_pose(i, n);
        }
    }
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
            ledger_.enter_rest(points);
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
        stillness_[i] = {bodies_[i].centre, bodies_[i].rotation, double(n) * h_};
        record_pose(i, n);
    }
    sleeps_.erase(sleep);
}

void Simulation::step(long n) {
    const double time = double(n) * h_;
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (world_.bodies[i].movement == Movement::Driven) follow_path(bodies_[i], world_.bodies[i], time);
    std::vector<ConstraintRow> rows = rows_now(n);
    std::vector<Before> before;
    for (MovingBody& body : bodies_) {
        before.push_back({body.velocity, body.angular_momentum});
        if (body.simulated() && !body.asleep) body.velocity += h_ * world_.gravity;
        body.struck = false;
    }
    solve_velocities(bodies_, rows, strings_, h_);
    for (const ConstraintRow& row : rows) {
        if (!row.bounces || row.normal_impulse <= 0) continue;
        bodies_[row.a].struck = bodies_[row.b].struck = true;
        if (row.touch_approach > rest_speed) stillness_[row.a].since = stillness_[row.b].since = time + h_;
    }
    for (const StringRow& row : strings_) motion_.supports[row.body] += row.impulse;
    put_to_sleep(falling_asleep(rows, n), before, rows, n);
    enter_all(rows, time);
    const std::vector<Displacement> moved = solve_positions(bodies_, before, rows, world_.gravity, h_);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (!bodies_[i].simulated() || bodies_[i].asleep) continue;
        move(bodies_[i], before[i], world_.gravity, h_);
        if (!moved[i].shift.isZero(0) || !moved[i].turn.isZero(0)) displace(bodies_[i], moved[i].shift, moved[i].turn);
    }
    pull_to_anchors(bodies_, strings_);
    check_poses(time + h_);
    watch(time + h_);
}

void Simulation::check_poses(double time) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        MovingBody& body = bodies_[i];
        if (!body.simulated()) continue;
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
    own.poses.push_back(bodies_[i].world_from_body);
}

void Simulation::record_poses(long n, bool sleepers_too) {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (world_.bodies[i].movement == Movement::Simulated && (sleepers_too || !bodies_[i].asleep)) record_pose(i, n);
}

Trajectory trajectory_of(const Poses& recorded) {
    const long count = static_cast<long>(recorded.times.size());
    Trajectory trajectory{Eigen::VectorXd::Map(recorded.times.data(), count), Points(count, 3), Rotations(count, 4)};
    for (long i = 0; i < count; ++i) {
        trajectory.positions.row(i) = recorded.poses[i].translation().transpose();
        trajectory.rotations.row(i) = Eigen::Quaterniond(recorded.poses[i].linear()).normalized().coeffs().transpose();
    }
    return trajectory;
}

Motion Simulation::run(const Progress& progress) {
    part_overlaps(world_, bodies_, h_, warnings_);
    set_down(world_, bodies_);
    watch(0);
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
    }
    ledger_.finish(motion_);
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
