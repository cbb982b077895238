// Rods, the bodies that they push and the mallets that fly at them, in one world: docs/theory/rod-contact.md.
#include <clangor/objects/rod/rod_world.hpp>

#include <clangor/motion/contact/contact.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Where mallets are that have not come yet, or have gone [m].
const Vec3 nowhere(0, 1e5, 0);

// A mallet is gone when it has not touched for so long, and is waited for so long at most [s].
constexpr double parted_for = 3e-3, longest_stroke = 0.5;

/// What one side of a contact is made of.
struct Touching {
    int object = -1;
    double friction = 0.5, restitution = 0.5, compliance = 1;
    double curvature = 0;  // where Hertz asks for it; a body is flat against a thin rod [1/m]
};

Touching touching(const Neighbour& neighbour) {
    const SoundingObject& other = *neighbour.sounding;
    Touching one{.object = neighbour.object, .compliance = contact_compliance(other.body->material)};
    one.friction = other.rigid ? other.rigid->friction : other.body->material.friction;
    one.restitution = other.rigid ? other.rigid->restitution : other.body->material.restitution;
    return one;
}

Touching touching(const scene::Mallet& mallet) {
    return {.friction = mallet.material.friction,
            .restitution = mallet.material.restitution,
            .compliance = contact_compliance(mallet.material),
            .curvature = 1 / mallet.radius};
}

Touching touching(int object, const RodModel& model) {
    return {.object = object,
            .friction = scene::stated_or(model.rod.friction, model.rod.material.friction),
            .restitution = scene::stated_or(model.rod.restitution, model.rod.material.restitution),
            .compliance = contact_compliance(model.rod.material),
            .curvature = 0.5 / model.contact_radius};
}

// As motion/rigid mixes them, and Hertz's law of what they are made of.
RodContactLaw law_between(const Touching& a, const Touching& b, double stated_stiffness,
                          std::span<const RigidPair> pairs) {
    RodContactLaw law{
        .friction = std::sqrt(a.friction * b.friction),
        .restitution = (a.compliance * a.restitution + b.compliance * b.restitution) / (a.compliance + b.compliance),
        .stiffness = scene::stated_or(stated_stiffness,
                                      4. / 3 / (a.compliance + b.compliance) / std::sqrt(a.curvature + b.curvature))};
    for (const RigidPair& pair : pairs)
        if (std::minmax(pair.first, pair.second) == std::minmax(a.object, b.object)) {
            law.friction = pair.friction.value_or(law.friction);
            law.restitution = pair.restitution.value_or(law.restitution);
        }
    return law;
}

Vec3 turn_of(const Mat3& rotation) {
    const Eigen::AngleAxisd turn(rotation);
    return turn.angle() * turn.axis();
}

RodObstacle obstacle_of(const Neighbour& neighbour, const Vec3& centre) {
    RodObstacle obstacle;
    const SoundingObject& other = *neighbour.sounding;
    if (other.reflector) return obstacle;  // a floor
    obstacle.shape =
        DistanceShape{.distance = [shape = other.shape(),
                                   centre](const Vec3& point) { return signed_distance(*shape, point + centre); },
                      .reach = other.body->radius};
    return obstacle;
}

RodObstacle mallet_obstacle(const scene::Mallet& mallet) {
    RodObstacle ball;
    ball.shape = DistanceShape{.distance = [r = mallet.radius](const Vec3& point) { return point.norm() - r; },
                               .reach = mallet.radius};
    ball.world_from_body.translation() = nowhere;
    return ball;
}

}  // namespace

RodWorld::RodWorld(const Surroundings& around, const std::vector<std::unique_ptr<RodRun>>& runs,
                   const RodRunOptions& options)
    : around_(around), runs_(runs), log_(around.min_approach_speed) {
    std::vector<ContactRod> rods;
    for (const auto& run : runs) rods.push_back({.rod = &run->stepper(), .radius = run->model().contact_radius});
    std::vector<RodObstacle> obstacles;
    for (const Neighbour& neighbour : around.neighbours) {
        const SoundingObject& other = *neighbour.sounding;
        if (!other.shape) continue;
        GivingBody body{.neighbour = &neighbour, .felt = neighbour.felt};
        if (!other.reflector) body.centre = other.body->mass.centre;
        if (neighbour.gives_way && other.rigid && other.rigid->mass > 0) {
            body.inverse_mass = 1 / other.rigid->mass;
            body.inverse_inertia = other.rigid->inertia.inverse();
        }
        std::ranges::stable_sort(body.felt, {}, &Push::time);
        obstacles.push_back(obstacle_of(neighbour, body.centre));
        bodies_.push_back(std::move(body));
    }
    for (size_t r = 0; r < runs.size(); ++r)
        for (const scene::Strike* strike : around.together[r].strikes)
            if (strike->mallet) {
                mallets_.push_back({.rod = r, .strike = strike, .obstacle = int(obstacles.size())});
                obstacles.push_back(mallet_obstacle(*strike->mallet));
            }
    set_laws();
    velocities_before_.resize(runs.size());
    contacts_ = std::make_unique<RodContacts>(
        std::move(rods), std::move(obstacles),
        RodContactOptions{.law_of = [this](const CapsuleTouch& touch) { return law_of(touch); },
                          .gravity = Vec3::Zero()});
    place_bodies(0, 1 / (options.sample_rate * double(options.steps_per_sample)));
}

void RodWorld::set_laws() {
    for (size_t r = 0; r < runs_.size(); ++r) {
        const RodModel& model = runs_[r]->model();
        const Touching own = touching(around_.together[r].object, model);
        std::vector<RodContactLaw>& laws = laws_.emplace_back();
        const auto add = [&](const Touching& other) {
            laws.push_back(law_between(own, other, model.rod.contact_stiffness, around_.pairs));
        };
        for (size_t s = 0; s < runs_.size(); ++s) add(touching(around_.together[s].object, runs_[s]->model()));
        for (const GivingBody& body : bodies_) add(touching(*body.neighbour));
        for (const FlyingMallet& mallet : mallets_) add(touching(*mallet.strike->mallet));
    }
}

RodContactLaw RodWorld::law_of(const CapsuleTouch& touch) const {
    const size_t other = touch.second.chain >= 0 ? size_t(touch.second.chain) : runs_.size() + size_t(touch.shape);
    return laws_[size_t(touch.first.chain)][other];
}

// Each on its path, but for how it deviates; it gets to where its path is by the end of the step.
void RodWorld::place_bodies(double time, double seconds) {
    for (size_t b = 0; b < bodies_.size(); ++b) {
        GivingBody& body = bodies_[b];
        const Trajectory& path = *body.neighbour->path;
        RodObstacle& obstacle = contacts_->bodies()[b];
        const bool is_moving = moves(path) || body.inverse_mass > 0;
        if (!is_moving && time > 0) continue;
        const Eigen::Isometry3d now = pose_at(path, time), then = pose_at(path, time + seconds);
        const Vec3 from = now * body.centre, to = then * body.centre;
        obstacle.world_from_body.translation() = from + body.moved;
        obstacle.world_from_body.linear() = body.turned * now.linear();
        obstacle.velocity = (to - from) / seconds + body.velocity;
        obstacle.spin = turn_of(then.linear() * now.linear().transpose()) / seconds + body.spin;
        obstacle.inverse_mass = body.inverse_mass;
        obstacle.inverse_inertia = body.inverse_inertia;
    }
}

// What contacts did to them, less what their paths have felt in this step.
void RodWorld::take_deviations(double time, double seconds) {
    for (size_t b = 0; b < bodies_.size(); ++b) {
        GivingBody& body = bodies_[b];
        if (!(body.inverse_mass > 0)) continue;
        const Trajectory& path = *body.neighbour->path;
        const RodObstacle& obstacle = contacts_->bodies()[b];
        const Eigen::Isometry3d now = pose_at(path, time), then = pose_at(path, time + seconds);
        const Vec3 from = now * body.centre, to = then * body.centre;
        body.moved = obstacle.world_from_body.translation() - to;
        body.turned = obstacle.world_from_body.linear() * then.linear().transpose();
        body.velocity = obstacle.velocity - (to - from) / seconds;
        body.spin = obstacle.spin - turn_of(then.linear() * now.linear().transpose()) / seconds;
        const Mat3 R = then.linear();
        for (; body.next_felt < body.felt.size() && body.felt[body.next_felt].time < time + seconds; ++body.next_felt) {
            const Push& push = body.felt[body.next_felt];
            body.velocity -= body.inverse_mass * (R * push.impulse);
            body.spin -= R * (body.inverse_inertia * (push.point - body.centre).cross(push.impulse));
        }
    }
}

void RodWorld::launch(FlyingMallet& mallet, double time) {
    const RodRun& run = *runs_[mallet.rod];
    const scene::Mallet& by = *mallet.strike->mallet;
    const RodState& state = run.stepper().state();
    const long point = point_at(run.model(), mallet.strike->along, "a mallet");
    const Vec3 tangent = state.tangents.row(std::min(point, run.model().plan.edges - 1)).transpose();
    Vec3 direction = by.direction ? Vec3(run.model().world_from_rod.linear() * *by.direction) : Vec3(0, -1, 0);
    if (!by.direction && std::abs(tangent.y()) > 0.9) direction = Vec3(-1, 0, 0);
    if (!by.direction) direction -= direction.dot(tangent) * tangent;
    direction.normalize();
    RodObstacle& ball = contacts_->bodies()[size_t(mallet.obstacle)];
    ball.world_from_body.translation() =
        Vec3(state.place.col(point).head<3>()) - direction * (by.radius + run.model().contact_radius);
    ball.velocity = Vec3(state.velocity.col(point).head<3>()) + by.speed * direction;
    ball.inverse_mass = 1 / by.mass;
    ball.inverse_inertia = Mat3::Identity() / (0.4 * by.mass * square(by.radius));
    mallet.has_come = true;
    mallet.last_contact = time;
}

void RodWorld::move_mallets(double time) {
    for (FlyingMallet& mallet : mallets_) {
        if (!mallet.has_come && time >= mallet.strike->time) launch(mallet, time);
        if (!mallet.has_come || mallet.has_gone) continue;
        if (time - mallet.last_contact < parted_for && time - mallet.strike->time < longest_stroke) continue;
        RodObstacle& ball = contacts_->bodies()[size_t(mallet.obstacle)];
        ball = mallet_obstacle(*mallet.strike->mallet);
        mallet.has_gone = true;
    }
}

Vec3 RodWorld::rod_velocity(const ChainPlace& place, bool before) const {
    const RodStepper& stepper = runs_[size_t(place.chain)]->stepper();
    const RodRows& velocity = before ? velocities_before_[size_t(place.chain)] : stepper.state().velocity;
    const long next = (place.segment + 1) % stepper.plan().points;
    return (1 - place.along) * velocity.col(place.segment).head<3>() + place.along * velocity.col(next).head<3>();
}

void RodWorld::log_contacts(double time, double seconds) {
    for (const RodContact& contact : contacts_->contacts()) {
        const CapsuleTouch& touch = contact.touch;
        if (touch.second.chain >= 0 || contact.impulse.isZero(0)) continue;
        if (touch.shape >= int(bodies_.size())) {
            for (FlyingMallet& mallet : mallets_)
                if (mallet.obstacle == touch.shape) mallet.last_contact = time + seconds;
            continue;
        }
        const GivingBody& body = bodies_[size_t(touch.shape)];
        const RodObstacle& obstacle = contacts_->bodies()[size_t(touch.shape)];
        const Vec3 arm = touch.point - obstacle.world_from_body.translation();
        const auto surface = [&](const RodObstacle& at) { return Vec3(at.velocity + at.spin.cross(arm)); };
        const Vec3 before = rod_velocity(touch.first, true) - surface(bodies_before_[size_t(touch.shape)]);
        const RodStepper& rod = runs_[size_t(touch.first.chain)]->stepper();
        const Vec3 after = rod_velocity(touch.first, false) - surface(obstacle);
        LoggedContact logged{.rod = around_.together[size_t(touch.first.chain)].object,
                             .body = body.neighbour->object,
                             .along = double(touch.first.segment) + touch.first.along,
                             .approach = -before.dot(touch.normal),
                             .slip = after - after.dot(touch.normal) * touch.normal,
                             .impulse = contact.impulse,
                             .normal = touch.normal,
                             .from_centre = touch.point - centre_of(rod.plan(), rod.state().place),
                             .body_pose = obstacle.world_from_body,
                             .point = touch.point};
        logged.body_pose.translation() -= obstacle.world_from_body.linear() * body.centre;
        log_.add(logged, time, seconds);
    }
    log_.end_of_step(time + seconds);
}

void RodWorld::step(double time, double seconds) {
    place_bodies(time, seconds);
    move_mallets(time);
    for (size_t r = 0; r < runs_.size(); ++r) velocities_before_[r] = runs_[r]->stepper().state().velocity;
    bodies_before_ = contacts_->bodies();
    contacts_->step(seconds);
    log_contacts(time, seconds);
    take_deviations(time, seconds);
}

OwnMotion RodWorld::finish() {
    OwnMotion own;
    log_.finish(own);
    const RodContactReport& report = contacts_->report();
    if (report.halved > 0)
        own.warnings.push_back(fmt::format("{} steps of rods that touch were too long and were halved", report.halved));
    return own;
}

}  // namespace clangor
