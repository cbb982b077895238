// The loop over steps.
#include <clangor/motion/rigid/ledger.hpp>
#include <clangor/motion/rigid/pairs.hpp>
#include <clangor/motion/rigid/solver.hpp>
#include <clangor/motion/rigid/step_rate.hpp>
#include <clangor/motion/rigid/warnings.hpp>

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

/// What a contact leaves for the next step.
struct Remembered {
    Vec3 place, on_a_body, on_b_body;
    double normal_impulse = 0, approach = 0;
    Vec3 friction_impulse = Vec3::Zero();
    bool bounced = false, used = false;
};
using Memory = std::map<std::pair<int, int>, std::vector<Remembered>>;

class Simulation {
public:
    Simulation(const RigidWorld& world, const RigidOptions& options);
    Motion run(const Progress& progress);

private:
    void part_overlaps_at_start();
    std::vector<ContactRow> rows_now();
    ContactRow row_of(int a, int b, const Contact& contact, const PairMaterial& material,
                      std::vector<Remembered>& memory);
    void classify(ContactRow& row, const PairMaterial& material, const Remembered* last) const;
    void step(long n);
    void enter_all(const std::vector<ContactRow>& rows, double time);
    void check_poses(double time);
    void record_pose(long n);
    double margin_of(int a, int b) const;

    const RigidWorld& world_;
    RigidOptions options_;
    PairMaterials materials_;
    std::vector<Body> bodies_;
    std::vector<StringRow> strings_;
    long steps_ = 0;
    double h_ = 0;     ///< [s]
    double slow_ = 0;  ///< approach below which a new contact does not bounce [m/s]
    Memory memory_, next_memory_;
    Ledger ledger_;
    Motion motion_;
    std::vector<std::vector<Eigen::Isometry3d>> poses_;
    std::vector<double> pose_times_;
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
    const double hz = options.step_hz > 0 ? options.step_hz : step_rate(world, options.duration);
    steps_ = std::max(1L, std::lround(options.duration * hz));
    h_ = options.duration / double(steps_);
    // A body at rest falls by g h in a step before its support is felt; that is no bounce.
    slow_ = std::max(0.01, 3 * world.gravity.norm() * h_);
    for (int i = 0; i < static_cast<int>(world.bodies.size()); ++i)
        if (world.bodies[i].hangs_at && bodies_[i].simulated())
            strings_.push_back(
                {i, bodies_[i].world_from_body * *world.bodies[i].hangs_at, *world.bodies[i].hangs_at, Vec3::Zero()});
    if (!strings_.empty()) motion_.supports.assign(world.bodies.size(), Vec3::Zero());
    poses_.resize(world.bodies.size());
}

double Simulation::margin_of(int a, int b) const {
    const double size = std::min(world_.bodies[a].shape->size, world_.bodies[b].shape->size);
    return std::max(2e-3 * size, 4 * slow_ * h_);
}

void Simulation::part_overlaps_at_start() {
    std::map<std::pair<int, int>, double> deepest;
    for (int round = 0; round < 400; ++round) {
        std::vector<ContactRow> rows;
        bool deep = false;
        for (const auto& [a, b] : near_pairs(world_, bodies_, 0)) {
            const double tolerance = 1e-3 * std::min(world_.bodies[a].shape->size, world_.bodies[b].shape->size);
            for (const Contact& contact : contacts_between({*world_.bodies[a].shape, bodies_[a].world_from_body},
                                                           {*world_.bodies[b].shape, bodies_[b].world_from_body}, 0)) {
                if (round == 0 && -contact.gap > tolerance) deepest[{a, b}] = std::max(deepest[{a, b}], -contact.gap);
                deep = deep || (-contact.gap > tolerance && deepest.count({a, b}));
                ContactRow row{.a = a, .b = b, .contact = contact};
                row.bounces = true;  // part fully, without regard to velocities
                rows.push_back(row);
            }
        }
        if (!deep) break;
        const std::vector<Displacement> moved =
            solve_positions(bodies_, std::vector<Before>(bodies_.size()), rows, Vec3::Zero(), h_);
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            if (bodies_[i].simulated()) displace(bodies_[i], 0.5 * moved[i].shift, 0.5 * moved[i].turn);
    }
    for (const auto& [pair, depth] : deepest)
        warnings_.add(fmt::format("\"{}\" and \"{}\" overlapped by {:.2g} mm at the start and were moved apart",
                                  world_.bodies[pair.first].name, world_.bodies[pair.second].name, 1e3 * depth));
}

// A blow, if it comes faster than a contact that lasts: where the touching was, how fast, and what must follow from it.
//     p = v_t t + ½a t²,   v = v_t + a t   ⇒   t = (v − √(v² − 2ap))/a                docs/theory/rigid-motion.md, Eq. 5
void Simulation::classify(ContactRow& row, const PairMaterial& material, const Remembered* last) const {
    const Body &a = bodies_[row.a], &b = bodies_[row.b];
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

ContactRow Simulation::row_of(int a, int b, const Contact& contact, const PairMaterial& material,
                              std::vector<Remembered>& memory) {
    ContactRow row{.a = a, .b = b, .contact = contact, .friction = material.friction};
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
    row.travel_speed = std::max(away_a, away_b) / h_;
    if (!row.bounces && !last->bounced) {
        row.normal_impulse = last->normal_impulse;
        row.friction_impulse = last->friction_impulse;
    }
    return row;
}

std::vector<ContactRow> Simulation::rows_now() {
    std::vector<ContactRow> rows;
    double widest = 0;
    for (const RigidBody& body : world_.bodies)
        if (std::isfinite(body.shape->size)) widest = std::max(widest, 2e-3 * body.shape->size);
    std::vector<Remembered> none;
    for (const auto& [a, b] : near_pairs(world_, bodies_, std::max(widest, 4 * slow_ * h_))) {
        const std::vector<Contact> contacts =
            contacts_between({*world_.bodies[a].shape, bodies_[a].world_from_body},
                             {*world_.bodies[b].shape, bodies_[b].world_from_body}, margin_of(a, b));
        if (contacts.empty()) continue;
        const PairMaterial material = materials_(a, b);
        const auto known = memory_.find({a, b});
        for (const Contact& contact : contacts) {
            const ContactRow row = row_of(a, b, contact, material, known == memory_.end() ? none : known->second);
            // Fast and still apart: it bounces when it touches, not before.
            if (contact.gap <= 0 || row.approach <= slow_) rows.push_back(row);
        }
        if (rows.size() > max_contacts)
            throw Error(fmt::format("more than {} contacts at once; fewer or simpler bodies are needed", max_contacts),
                        Blame::Work);
    }
    return rows;
}

void Simulation::enter_all(const std::vector<ContactRow>& rows, double time) {
    next_memory_.clear();
    for (const ContactRow& row : rows) {
        const Body &a = bodies_[row.a], &b = bodies_[row.b];
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
        } else {
            const Vec3 relative = a.velocity_at(row.contact.on_a) - b.velocity_at(row.contact.on_b);
            exchange.slip_speed = (relative - relative.dot(row.contact.normal) * row.contact.normal).norm();
            exchange.travel_speed = row.travel_speed;
        }
        ledger_.enter(exchange);
        if (row.normal_impulse > 0)
            next_memory_[{row.a, row.b}].push_back({row.contact.on_a, exchange.on_a_body, exchange.on_b_body,
                                                    row.normal_impulse, row.approach, row.friction_impulse, row.bounces,
                                                    false});
    }
    ledger_.close_until(time);
    memory_.swap(next_memory_);
}

void Simulation::step(long n) {
    const double time = double(n) * h_;
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (world_.bodies[i].drive == Drive::Driven) follow_path(bodies_[i], world_.bodies[i], time);
    std::vector<ContactRow> rows = rows_now();
    std::vector<Before> before;
    for (Body& body : bodies_) {
        before.push_back({body.velocity, body.angular_momentum});
        if (body.simulated()) body.velocity += h_ * world_.gravity;
        body.struck = false;
    }
    solve_velocities(bodies_, rows, strings_, h_);
    for (const ContactRow& row : rows)
        if (row.bounces && row.normal_impulse > 0) bodies_[row.a].struck = bodies_[row.b].struck = true;
    for (const StringRow& row : strings_) motion_.supports[row.body] += row.impulse;
    enter_all(rows, time);
    const std::vector<Displacement> moved = solve_positions(bodies_, before, rows, world_.gravity, h_);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (!bodies_[i].simulated()) continue;
        move(bodies_[i], before[i], world_.gravity, h_);
        if (!moved[i].shift.isZero(0) || !moved[i].turn.isZero(0)) displace(bodies_[i], moved[i].shift, moved[i].turn);
    }
    pull_to_anchors(bodies_, strings_);
    check_poses(time + h_);
}

void Simulation::check_poses(double time) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        Body& body = bodies_[i];
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

void Simulation::record_pose(long n) {
    pose_times_.push_back(double(n) * h_);
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (world_.bodies[i].drive == Drive::Simulated) poses_[i].push_back(bodies_[i].world_from_body);
}

Trajectory trajectory_of(const std::vector<double>& times, const std::vector<Eigen::Isometry3d>& poses) {
    const long count = static_cast<long>(times.size());
    Trajectory trajectory{Eigen::VectorXd::Map(times.data(), count), Points(count, 3), Rotations(count, 4)};
    for (long i = 0; i < count; ++i) {
        trajectory.positions.row(i) = poses[i].translation().transpose();
        trajectory.rotations.row(i) = Eigen::Quaterniond(poses[i].linear()).normalized().coeffs().transpose();
    }
    return trajectory;
}

Motion Simulation::run(const Progress& progress) {
    part_overlaps_at_start();
    const long every = std::max(
        1L, static_cast<long>(std::floor(double(steps_) / options_.duration / std::max(options_.pose_hz, 1.0) + 1e-9)));
    for (long n = 0; n < steps_; ++n) {
        if (n % every == 0) record_pose(n);
        if (n % 256 == 0) progress("motion", double(n) / double(steps_));
        step(n);
    }
    record_pose(steps_);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const RigidBody& body = world_.bodies[i];
        motion_.bodies.push_back(body.drive == Drive::Simulated ? trajectory_of(pose_times_, poses_[i])
                                 : body.drive == Drive::Driven  ? body.path
                                                                : at_rest(bodies_[i].world_from_body));
    }
    ledger_.finish(motion_);
    motion_.warnings = warnings_.lines();
    motion_.step_hz = double(steps_) / options_.duration;
    progress("motion", 1);
    return std::move(motion_);
}

}  // namespace
}  // namespace rigid

Motion simulate(const RigidWorld& world, const RigidOptions& options, const Progress& progress) {
    return rigid::Simulation(world, options).run(progress);
}

}  // namespace clangor
