#include <clangor/motion/rigid/retrace.hpp>

#include <clangor/motion/rigid/attempt.hpp>
#include <clangor/motion/rigid/collision_shape.hpp>
#include <clangor/motion/rigid/contacts.hpp>
#include <clangor/motion/rigid/near_misses.hpp>
#include <clangor/motion/rigid/pairs.hpp>
#include <clangor/motion/rigid/samples.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace clangor::rigid {
namespace {

// The numbers below were set with the take of tests/motion/rigid/stairs; of three others of make_take.py 83 to 92 % of
// the contacts are found.
constexpr double step_hz = 1000;       // of what is retraced, at least
constexpr double merge_time = 5e-3;    // what follows within this, or 1½ frames, is the same landing [s]
constexpr double weak_rocking = 0.15;  // what rolls or whirls on facets and margins hits no faster than this [m/s]
constexpr double slow_frame = 0.03;    // bodies part and meet again between two frames that are farther apart [s]

class Retrace {
public:
    Retrace(const RigidWorld& world, const RigidOptions& options, const std::vector<char>& free,
            const std::vector<double>& frames)
        : world_(world),
          options_(options),
          samples_(world, free, frames),
          materials_(world),
          g_(world.gravity.norm()),
          states_(world.bodies.size()) {}

    Retraced run(const Progress& progress) {
        for (std::size_t i = 0; i < states_.size(); ++i)
            if (samples_.is_free(i)) states_[i] = first_state(i);
        for (std::size_t k = 0; k + 1 < samples_.count(); ++k) {
            if (k % 64 == 0) progress("collisions", double(k) / double(samples_.count()));
            follow(k);
        }
        std::stable_sort(result_.impacts.begin(), result_.impacts.end(),
                         [](const Impact& x, const Impact& y) { return x.time < y.time; });
        return std::move(result_);
    }

private:
    State first_state(std::size_t i) const;
    bool is_near(std::size_t i, std::size_t j, std::size_t k) const;
    void follow(std::size_t k);
    void follow_group(std::size_t k, const std::vector<std::size_t>& members);
    RigidWorld world_at(std::size_t k, double span) const;
    void set_down(RigidWorld& world, const std::vector<std::size_t>& members, double h);
    Attempt attempt(std::size_t k, const std::vector<std::size_t>& members, RigidWorld world,
                    const std::optional<Bounce>& bounce) const;
    Attempt fitted(std::size_t k, const std::vector<std::size_t>& members, const RigidWorld& world) const;
    Miss missed(std::size_t i, std::size_t k, std::size_t until, const Trajectory& path, double time) const;
    double tolerance(std::size_t k, const std::vector<std::size_t>& members, double part) const;
    bool may_be(std::size_t i, int m, double h, const Vec3& velocity, const Vec3& spin, const Motion& motion) const;
    bool hit_again(std::size_t i, int m, double h, const Motion& motion) const;
    std::optional<Attempt> without_impact(std::size_t k, const std::vector<std::size_t>& members,
                                          const RigidWorld& world, const Attempt& best, bool smooth) const;
    State state_after(std::size_t k, std::size_t i, int m, const Motion& motion) const;
    void accept(std::size_t k, const Motion& motion);
    bool is_resting_contact(std::size_t k, double since, const Impact& impact, const Vec3& normal) const;
    double doubt(std::size_t k, int body) const;

    // Gravity acts or does not, depending on what touches: a quarter of what it does within a frame is not known.
    double slowest(double h) const { return std::max(options_.min_approach_speed, 0.25 * g_ * h); }

    bool hits(const Motion& motion, double h, double slow) const {
        return std::ranges::any_of(
            motion.impacts, [&](const Impact& impact) { return impact.time < h && impact.approach_speed > slow; });
    }

    const RigidWorld& world_;
    const RigidOptions& options_;
    Samples samples_;
    PairMaterials materials_;
    double g_;                       ///< [m/s²]
    std::vector<State> states_;      ///< per body, at the frame that has been reached
    std::vector<char> moving_ = {};  ///< per body, in this interval
    std::vector<int> here_ = {};     ///< the bodies of the small world that is retraced
    Retraced result_ = {};
};

// Falling or held: whichever of the two the second interval tells.
State Retrace::first_state(std::size_t i) const {
    State state{.pose = samples_.pose(i, 0)};
    if (samples_.count() < 2) return state;
    state.velocity = samples_.velocity(i, 0);
    state.spin = samples_.spin(i, 0);
    if (samples_.count() < 3) return state;
    const Vec3 acceleration =
        2 * (samples_.velocity(i, 1) - samples_.velocity(i, 0)) / (samples_.length(0) + samples_.length(1));
    if ((acceleration - world_.gravity).norm() < acceleration.norm())
        state.velocity -= world_.gravity * samples_.length(0) / 2;
    return state;
}

// Whether the two can meet within this interval.
bool Retrace::is_near(std::size_t i, std::size_t j, std::size_t k) const {
    const double span = 1.2 * samples_.length(k);
    const auto reach = [&](std::size_t b) {
        return samples_.radius(b) + touch_gap + states_[b].velocity.norm() * span + g_ * span * span / 2 +
               (samples_.centre(b, k + 1) - samples_.centre(b, k)).norm();
    };
    const Vec3 at = states_[i].pose * world_.bodies[i].centre;
    if (moving_[j]) return (at - states_[j].pose * world_.bodies[j].centre).norm() < reach(i) + reach(j);
    const Eigen::Isometry3d pose = samples_.pose(j, k), later = samples_.pose(j, k + 1);
    const Vec3 own = later * (pose.inverse() * at) - at;
    return distance_bound(*world_.bodies[j].shape, pose.inverse() * at) < reach(i) + own.norm();
}

void Retrace::follow(std::size_t k) {
    const std::size_t count = world_.bodies.size();
    moving_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        moving_[i] = samples_.is_free(i) && !samples_.rests(i, k);
        if (samples_.is_free(i) && !moving_[i]) states_[i] = State{.pose = samples_.pose(i, k + 1)};
    }
    std::vector<std::size_t> group(count);
    std::iota(group.begin(), group.end(), std::size_t(0));
    const auto root = [&](std::size_t i) {
        while (group[i] != i) i = group[i];
        return i;
    };
    std::vector<std::vector<int>> obstacles(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (!moving_[i]) continue;
        for (std::size_t j = 0; j < count; ++j) {
            if (j == i || (moving_[j] && j < i) || !is_near(i, j, k)) continue;
            if (moving_[j])
                group[std::max(root(i), root(j))] = std::min(root(i), root(j));
            else
                obstacles[i].push_back(int(j));
        }
    }
    std::map<std::size_t, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < count; ++i)
        if (moving_[i]) groups[root(i)].push_back(i);
    for (const auto& [first, members] : groups) {
        std::vector<int> near;
        for (const std::size_t i : members) near.insert(near.end(), obstacles[i].begin(), obstacles[i].end());
        std::ranges::sort(near);
        near.erase(std::unique(near.begin(), near.end()), near.end());
        here_.assign(members.begin(), members.end());
        here_.insert(here_.end(), near.begin(), near.end());
        follow_group(k, members);
    }
}

RigidWorld Retrace::world_at(std::size_t k, double span) const {
    RigidWorld world{.bodies = {}, .pairs = {}, .gravity = world_.gravity};
    for (const int b : here_) {
        const std::size_t i = std::size_t(b);
        const RigidBody& from = world_.bodies[i];
        RigidBody body{
            .name = from.name, .shape = from.shape, .mass = from.mass, .centre = from.centre, .inertia = from.inertia};
        if (moving_[i]) {
            body.path = at_rest(states_[i].pose);
            body.velocity = states_[i].velocity;
            body.angular_velocity = states_[i].spin;
        } else if (from.movement == Movement::Fixed || samples_.is_free(i)) {
            body.movement = Movement::Fixed;
            body.path = at_rest(samples_.pose(i, k));
        } else {
            body.movement = Movement::Driven;
            body.path = part_of(from.path, samples_.time(k), span);
        }
        world.bodies.push_back(std::move(body));
    }
    return world;
}

// What stands a little above its support is set down on it; otherwise it would fall there in every frame.
void Retrace::set_down(RigidWorld& world, const std::vector<std::size_t>& members, double h) {
    if (g_ == 0) return;
    const Vec3 down = world_.gravity / g_;
    for (std::size_t m = 0; m < members.size(); ++m) {
        State& state = states_[members[m]];
        RigidBody& body = world.bodies[m];
        double fall = std::numeric_limits<double>::infinity();
        bool supported = false;
        for (std::size_t o = 0; o < world.bodies.size(); ++o) {
            if (o == m) continue;
            const RigidBody& other = world.bodies[o];
            const Eigen::Isometry3d other_pose = pose_at(other.path, 0);
            for (const Contact& contact :
                 contacts_between({*body.shape, state.pose}, {*other.shape, other_pose}, touch_gap)) {
                const double sinks = -contact.normal.dot(down);
                if (sinks <= 0.1) continue;
                supported = true;
                const double closing =
                    -contact.normal.dot(velocity_at(body, contact.on_a) - velocity_at(other, contact.on_b));
                if (std::abs(closing) < 0.05 + 0.5 * g_ * h) fall = std::min(fall, contact.gap / sinks);
            }
        }
        state.supported = supported ? state.supported + 1 : 0;
        if (!(fall > 0) || fall > touch_gap) continue;
        Eigen::Isometry3d lower = state.pose;
        lower.translation() += fall * down;
        body.path = at_rest(lower);
    }
}

// Where it started from does not matter: bodies that overlap are moved apart, those that stand above others are set
// down.
Miss Retrace::missed(std::size_t i, std::size_t k, std::size_t until, const Trajectory& path, double time) const {
    const Vec3& middle = world_.bodies[i].centre;
    const Eigen::Isometry3d begin = pose_at(path, 0), end = pose_at(path, time);
    const Mat3 turned = end.linear() * begin.linear().transpose(),
               really = samples_.pose(i, until).linear() * samples_.pose(i, k).linear().transpose();
    return {samples_.centre(i, until) - samples_.centre(i, k) - (end * middle - begin * middle),
            turn_from(turned, really)};
}

Attempt Retrace::attempt(std::size_t k, const std::vector<std::size_t>& members, RigidWorld world,
                         const std::optional<Bounce>& bounce) const {
    for (std::size_t a = 0; a < world.bodies.size(); ++a)
        for (std::size_t b = a + 1; b < world.bodies.size(); ++b) {
            const PairMaterial own = materials_(here_[a], here_[b]);
            world.pairs.push_back({.first = int(a),
                                   .second = int(b),
                                   .friction = bounce ? bounce->friction : own.friction,
                                   .restitution = bounce ? bounce->restitution : own.restitution});
        }
    const double h = samples_.length(k);
    const bool ahead = k + 2 < samples_.count();
    const double span = ahead ? samples_.time(k + 2) - samples_.time(k) : h;
    const double hz = std::max(1.0, std::ceil(h * step_hz)) / h;
    Attempt tried{.motion =
                      simulate(world, {.duration = span, .step_hz = hz, .min_approach_speed = 0.01, .pose_hz = hz})};
    // The frame after the next counts for less: what happens until then is guessed.
    double sum = 0;
    for (std::size_t m = 0; m < members.size(); ++m)
        for (std::size_t next = 1; next <= (ahead ? 2u : 1u); ++next) {
            const Miss by = missed(members[m], k, k + next, tried.motion.bodies[m], next == 1 ? h : span);
            const double miss = by.shift.norm() + 0.5 * samples_.radius(members[m]) * by.turn.norm();
            sum += square((next == 1 ? 1 : 0.3) * miss);
        }
    tried.miss = std::sqrt(sum);
    return tried;
}

// With the restitution and friction that miss least, if anything is hit: the best of a coarse grid, then of ever
// shorter steps from it.
Attempt Retrace::fitted(std::size_t k, const std::vector<std::size_t>& members, const RigidWorld& world) const {
    const double h = samples_.length(k);
    Attempt best = attempt(k, members, world, std::nullopt);
    if (!hits(best.motion, h, slowest(h))) return best;
    std::optional<Bounce> at;
    const auto attempt_with = [&](const Bounce& bounce) {
        Attempt tried = attempt(k, members, world, bounce);
        if (tried.miss >= best.miss) return;
        best = std::move(tried);
        at = bounce;
    };
    for (const double restitution : {0.0, 0.25, 0.5, 0.75})
        for (const double friction : {0.1, 0.5}) attempt_with({restitution, friction});
    for (double step = 0.125; at && step > 0.03; step /= 2) {
        const Bounce from = *at;
        attempt_with({std::max(0.0, from.restitution - step), from.friction});
        attempt_with({from.restitution + step, from.friction});
        attempt_with({from.restitution, from.friction * std::exp(-6 * step)});
        attempt_with({from.restitution, from.friction * std::exp(6 * step)});
    }
    return best;
}

// What rounding, gravity that acts or does not, and a part of the way leave open.
double Retrace::tolerance(std::size_t k, const std::vector<std::size_t>& members, double part) const {
    const double h = samples_.length(k);
    double way = 0;
    for (const std::size_t i : members)
        way += (samples_.velocity(i, k).norm() + 0.5 * samples_.radius(i) * samples_.spin(i, k).norm()) * h;
    return 1e-4 + 0.1 * g_ * h * h + part * way;
}

// All that it hits hit it just before too, and it does so no faster than its velocities are uncertain by.
bool Retrace::hit_again(std::size_t i, int m, double h, const Motion& motion) const {
    const State& state = states_[i];
    for (const Impact& impact : motion.impacts) {
        if (impact.time >= h || impact.approach_speed <= slowest(h)) continue;
        for (const std::size_t side : {0, 1}) {
            if (impact.sides[side].body != m) continue;
            if (impact.approach_speed > std::max(0.2 + 0.5 * g_ * h, 0.25 * state.struck_at)) return false;
            const int other = here_[std::size_t(impact.sides[1 - side].body)];
            if (std::ranges::find(state.struck_by, other) == state.struck_by.end()) return false;
        }
    }
    return true;
}

bool Retrace::may_be(std::size_t i, int m, double h, const Vec3& velocity, const Vec3& spin,
                     const Motion& motion) const {
    const State& state = states_[i];
    if (!state.struck_by.empty() && hit_again(i, m, h, motion)) return true;
    const double jump = (velocity - state.velocity).norm() + samples_.radius(i) * (spin - state.spin).norm();
    return jump < 0.02 + (state.held ? 1.5 : 0.3) * g_ * h;
}

// Velocities that make do without an impact, where they are no less likely: those of a motion that is smooth, or those
// that the next pose alone asks for.
std::optional<Attempt> Retrace::without_impact(std::size_t k, const std::vector<std::size_t>& members,
                                               const RigidWorld& world, const Attempt& best, bool smooth) const {
    if (smooth && (k < 2 || k + 2 >= samples_.count())) return std::nullopt;
    const double h = samples_.length(k);
    RigidWorld other = world;
    bool any = false;
    for (std::size_t m = 0; m < members.size(); ++m) {
        const std::size_t i = members[m];
        const Vec3 velocity =
            smooth ? samples_.smooth_velocity(i, k) : Vec3(samples_.velocity(i, k) - world_.gravity * h / 2);
        const Vec3 spin = smooth ? samples_.smooth_spin(i, k) : samples_.spin(i, k);
        if (smooth ? !states_[i].held || !samples_.is_smooth(i, k) : !may_be(i, int(m), h, velocity, spin, best.motion))
            continue;
        any = true;
        other.bodies[m].velocity = velocity;
        other.bodies[m].angular_velocity = spin;
    }
    if (!any) return std::nullopt;
    Attempt tried = attempt(k, members, other, std::nullopt);
    if (hits(tried.motion, h, slowest(h) + (smooth ? weak_rocking : 0))) return std::nullopt;
    const double loose = tolerance(k, members, 0.03);
    if (tried.miss > (smooth ? 2 * loose : tolerance(k, members, 0.01))) return std::nullopt;
    if (tried.miss > 1.5 * best.miss + 0.1 * loose) return std::nullopt;
    return tried;
}

void Retrace::follow_group(std::size_t k, const std::vector<std::size_t>& members) {
    const double h = samples_.length(k);
    if (here_.size() == 1) {  // it flies
        const std::size_t i = members[0];
        const Vec3 turned = samples_.spin(i, k);
        states_[i] = State{.pose = samples_.pose(i, k + 1),
                           .velocity = samples_.velocity(i, k) + world_.gravity * h / 2,
                           .spin = turned + 0.5 * (turned - states_[i].spin)};
        return;
    }
    RigidWorld world = world_at(k, 2.5 * h);
    set_down(world, members, h);
    Attempt best = fitted(k, members, world);
    bool struck = hits(best.motion, h, slowest(h)), rolls = false;
    if (best.miss > tolerance(k, members, 0.03)) {
        // Something was in the way a little earlier than the meshes say.
        std::optional<Attempt> nearest;
        RigidWorld there;
        for (const double when : {0.1, 0.5, 0.9}) {
            RigidWorld nearer = world;
            if (!bring_together(nearer, members.size(), when * h, slowest(h))) continue;
            Attempt tried = attempt(k, members, nearer, std::nullopt);
            if (!hits(tried.motion, h, slowest(h)) || (nearest && tried.miss > nearest->miss)) continue;
            nearest = std::move(tried);
            there = std::move(nearer);
        }
        if (nearest) {
            Attempt tried = fitted(k, members, there);
            if (tried.miss < (struck ? 0.7 : 1) * best.miss && hits(tried.motion, h, slowest(h))) {
                world = std::move(there);
                best = std::move(tried);
                struck = true;
            }
        }
    }
    if (struck) {
        for (const bool smooth : {true, false}) {
            std::optional<Attempt> other = without_impact(k, members, world, best, smooth);
            if (!other) continue;
            result_.ignored.touching += std::ranges::count_if(best.motion.impacts, [&](const Impact& impact) {
                return impact.time < h && impact.approach_speed > slowest(h);
            });
            best = std::move(*other);
            rolls = smooth;
            break;
        }
    }
    if (!rolls) accept(k, best.motion);
    for (std::size_t m = 0; m < members.size(); ++m)
        states_[members[m]] = state_after(k, members[m], int(m), best.motion);
}

// Where the attempt leads, corrected by what it misses since the last impact.
State Retrace::state_after(std::size_t k, std::size_t i, int m, const Motion& motion) const {
    const double h = samples_.length(k), step = std::min(h, 1 / motion.step_hz);
    State state{.pose = samples_.pose(i, k + 1), .supported = states_[i].supported};
    double since = 0;
    for (const Impact& impact : motion.impacts) {
        if (impact.time >= h) continue;
        for (const std::size_t side : {0, 1}) {
            if (impact.sides[side].body != m) continue;
            since = impact.time;
            state.held = true;
            state.struck_at = std::max(state.struck_at, impact.approach_speed);
            if (impact.approach_speed > slowest(h))
                state.struck_by.push_back(here_[std::size_t(impact.sides[1 - side].body)]);
        }
    }
    for (const Touch& touch : motion.touches)
        state.held = state.held || (touch.time < h && (touch.sides[0].body == m || touch.sides[1].body == m));
    const Trajectory& path = motion.bodies[std::size_t(m)];
    const Eigen::Isometry3d before = pose_at(path, h - step), end = pose_at(path, h);
    // A miss that is put on a short time would grow from frame to frame.
    const double span = std::max(h - since, 0.5 * h);
    const Vec3& middle = world_.bodies[i].centre;
    const Miss by = missed(i, k, k + 1, path, h);
    state.velocity = (end * middle - before * middle) / step + by.shift / span;
    state.spin = turn_from(before.linear(), end.linear()) / step + by.turn / span;
    return state;
}

// What whirls on something for a while turns its axis from frame to frame: how fast its rim comes down is not known
// better than by a part of that.
double Retrace::doubt(std::size_t k, int body) const {
    const std::size_t i = std::size_t(body);
    if (!samples_.is_free(i) || k < 3 || states_[i].supported < std::max(4.0, 0.1 / samples_.length(k))) return 0;
    return 0.3 * std::min(samples_.change(i, k - 1), samples_.change(i, k - 2));
}

bool Retrace::is_resting_contact(std::size_t k, double since, const Impact& impact, const Vec3& normal) const {
    const double u = impact.approach_speed, h = samples_.length(k);
    const int supported = std::max(states_[std::size_t(impact.sides[0].body)].supported,
                                   states_[std::size_t(impact.sides[1].body)].supported);
    if (supported > 2 && samples_.jump(impact, normal, k) < 0.5 * u) return true;
    // What touches when the frame begins was apart in the one before, if it is not to have touched all the time.
    if (since > 0.1 * h || k == 0 || h > slow_frame) return false;
    const double closed = std::clamp(samples_.gap_near(impact, k, touch_gap), -touch_gap, touch_gap);
    const double earlier = 0.3 * u * (since + samples_.length(k - 1));
    return samples_.gap_near(impact, k - 1, touch_gap + earlier) < closed + earlier;
}

void Retrace::accept(std::size_t k, const Motion& motion) {
    const double h = samples_.length(k);
    const std::size_t known = result_.impacts.size();
    for (Impact impact : motion.impacts) {
        const double since = impact.time, u = impact.approach_speed;
        if (since >= h) continue;
        const Mat3 turned = pose_at(motion.bodies[std::size_t(impact.sides[0].body)], since).linear();
        const Vec3 normal = -(turned * impact.sides[0].normal);
        for (ContactSide& side : impact.sides) side.body = here_[std::size_t(side.body)];
        if (u <= slowest(h) || u < doubt(k, impact.sides[0].body) || u < doubt(k, impact.sides[1].body)) {
            ++result_.ignored.slow;
            continue;
        }
        // The bodies do not go on as they came: at the next frame if that is not too near, or until the one after it.
        const double left = h - since, near = samples_.apart(impact, normal, k + 1);
        bool stopped = left > 0.3 * h && near > -0.5 * u * left;
        if (!stopped && k + 2 < samples_.count())
            stopped = samples_.apart(impact, normal, k + 2) - near > -0.5 * u * samples_.length(k + 1);
        if (!stopped) {
            ++result_.ignored.without_effect;
            continue;
        }
        if (is_resting_contact(k, since, impact, normal)) {
            ++result_.ignored.touching;
            continue;
        }
        impact.time += samples_.time(k);
        // Within an interval, those of one time are a landing at several points.
        bool again = false;
        for (std::size_t n = 0; n < result_.impacts.size(); ++n) {
            const Impact& other = result_.impacts[n];
            const double later = impact.time - other.time;
            again = again || (other.sides[0].body == impact.sides[0].body &&
                              other.sides[1].body == impact.sides[1].body && later < std::min(merge_time, 1.5 * h) &&
                              (n < known || later > 1e-4) && u < 1.5 * other.approach_speed);
        }
        if (again) {
            ++result_.ignored.merged;
            continue;
        }
        result_.impacts.push_back(impact);
    }
}

}  // namespace

Retraced retraced_impacts(const RigidWorld& world, const RigidOptions& options, const std::vector<char>& free,
                          const std::vector<double>& frames, const Progress& progress) {
    return Retrace(world, options, free, frames).run(progress);
}

}  // namespace clangor::rigid
