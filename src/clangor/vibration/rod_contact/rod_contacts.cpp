// A step of rods and bodies that touch   docs/theory/rod-contact.md, section 4
#include <clangor/motion/contact/contact.hpp>
#include <clangor/vibration/rod_contact/coming_to_rest.hpp>
#include <clangor/vibration/rod_contact/contact_solve.hpp>
#include <clangor/vibration/rod_contact/many_contacts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace clangor {
namespace {

using namespace rod_contact;

// Rigid contacts may stay inside each other by so much of the radius: less than what a fast impact sinks in within a
// step, and nothing that could be heard or seen.
constexpr double unseen_overlap = 1e-4;

// Compliant contacts are followed to the end of the step in which they part: what they still store then is given back.
constexpr double seen_apart = 0.02;

// With more compliant contacts than that, what each gives to the others is not looked at one by one.
constexpr size_t most_contacts_one_by_one = 8;

// What is known of a contact from the step before.
struct Remembered {
    std::uint64_t key = 0;
    Vec3 impulse = Vec3::Zero();  // in the world
    double first_speed = 0;       // at which they met [m/s]
    double allowance = 0;         // of what overlapped at the start, and still may [m]
};

Mat3 turned_by(const Vec3& angle) {
    const double size = angle.norm();
    return size > 0 ? Eigen::AngleAxisd(size, angle / size).toRotationMatrix() : Mat3::Identity();
}

// Free flight: gravity, and a spin that keeps its angular momentum.
void move_freely(RodObstacle& body, const Vec3& gravity, double step) {
    const bool moves = body.inverse_mass > 0;
    const Vec3 before = body.velocity;
    if (moves) body.velocity += step * gravity;
    body.world_from_body.translation() += 0.5 * step * (before + body.velocity);
    const Mat3 R = body.world_from_body.linear();
    const Mat3 turned = turned_by(step * body.spin) * R;
    if (body.inverse_inertia.trace() > 0) {
        const Vec3 L = R * body.inverse_inertia.inverse() * R.transpose() * body.spin;
        body.spin = turned * body.inverse_inertia * turned.transpose() * L;
    }
    body.world_from_body.linear() = Eigen::Quaterniond(turned).normalized().toRotationMatrix();
}

using Vec6 = Eigen::Matrix<double, 6, 1>;

// What impulses do to rods, where something pushes them, and to bodies.
struct PushedRods {
    std::vector<RodRows> impulses = {}, velocities = {};
    std::vector<Vec6> bodies = {};  // velocities and spins
};

Points points_of(const RodState& state) { return state.place.topRows<3>().transpose(); }

}  // namespace

struct RodContacts::State {
    std::vector<ContactRod> rods;
    std::vector<RodObstacle> bodies;
    RodContactOptions options;
    CapsuleCollisions collisions;
    std::optional<TouchResponse> response;
    std::optional<WholeResponse> whole_response;
    std::vector<Remembered> memory;  // by key
    std::vector<RodContact> contacts;
    RodContactReport report;

    // Of the step that is being made
    std::vector<RodState> rods_before;
    std::vector<RodObstacle> bodies_before;
    std::vector<CapsuleTouch> touches;
    std::vector<TouchSides> sides;

    void advance(double step, int halvings);
    bool attempt(double step);
    void restore();
    void find_touches();
    bool solve_contacts(double step);
    SolvedImpulses solve_for(std::span<const TouchLaw> laws, std::span<const Vec3> u_before,
                             std::span<const Vec3> u_free, std::span<const Vec3> start, double step);
    RodContactLaw law_of(const CapsuleTouch& touch) const {
        return options.law_of ? options.law_of(touch) : options.law;
    }
    const Remembered* remembered(std::uint64_t key) const {
        const auto at = std::lower_bound(memory.begin(), memory.end(), key,
                                         [](const Remembered& each, std::uint64_t k) { return each.key < k; });
        return at != memory.end() && at->key == key ? &*at : nullptr;
    }
    double rigid_radius(const CapsuleTouch& touch) const { return rods[size_t(touch.first.chain)].radius; }
    Vec3 velocity_at(const TouchSides& side, bool before) const;
    PushedRods pushed_by(std::span<const Vec3> impulses) const;
    std::vector<Vec3> velocities_by(std::span<const Vec3> impulses) const;
    void apply(std::span<const Vec3> impulses, std::span<const double> parting, double step);
    std::vector<Remembered> remember(const std::vector<TouchLaw>& laws, const std::vector<double>& allowances,
                                     const SolvedImpulses& solved) const;
    void take_stock(const std::vector<TouchLaw>& laws, const SolvedImpulses& solved);
};

void RodContacts::State::restore() {
    for (size_t r = 0; r < rods.size(); ++r) rods[r].rod->set_state(rods_before[r]);
    bodies = bodies_before;
}

// One step, or two of half its length.
void RodContacts::State::advance(double step, int halvings) {
    rods_before.resize(rods.size());
    for (size_t r = 0; r < rods.size(); ++r) rods_before[r] = rods[r].rod->state();
    bodies_before = bodies;
    if (attempt(step)) return;
    restore();
    if (halvings == 0) {
        throw Error(
            "the contacts of a rod cannot be solved for, even in the shortest steps: what presses rods "
            "together is too much for their stiffness. Use shorter steps, or softer contacts.");
    }
    ++report.halved;
    const std::vector<RodState> rods_at_start = rods_before;
    const std::vector<RodObstacle> bodies_at_start = bodies_before;
    try {
        advance(0.5 * step, halvings - 1);
        advance(0.5 * step, halvings - 1);
    } catch (const Error&) {
        rods_before = rods_at_start;
        bodies_before = bodies_at_start;
        restore();
        throw;
    }
}

// False where a rod finds no balance at this step, or impulses are no numbers.
bool RodContacts::State::attempt(double step) {
    std::vector<char> good(rods.size(), 1);
    parallel_for(std::ssize(rods), [&](long r) {
        RodStepper& rod = *rods[size_t(r)].rod;
        const long halved = rod.report().halved;
        try {
            rod.step(step);
        } catch (const Error&) {
            good[size_t(r)] = 0;
        }
        // A rod that went in shorter steps has another matrix, so that all do.
        if (rod.report().halved != halved) good[size_t(r)] = 0;
    });
    if (std::find(good.begin(), good.end(), char(0)) != good.end()) return false;
    for (RodObstacle& body : bodies) move_freely(body, options.gravity, step);
    find_touches();
    return solve_contacts(step);
}

void RodContacts::State::find_touches() {
    std::vector<CapsuleChain> chains;
    for (size_t r = 0; r < rods.size(); ++r) {
        chains.push_back({.before = points_of(rods_before[r]),
                          .after = points_of(rods[r].rod->state()),
                          .radius = rods[r].radius,
                          .closed = rods[r].rod->plan().closed,
                          .apart = rods[r].apart});
    }
    std::vector<MovingShape> shapes;
    for (size_t b = 0; b < bodies.size(); ++b)
        shapes.push_back({bodies[b].shape, bodies_before[b].world_from_body, bodies[b].world_from_body});
    double margin = std::numeric_limits<double>::infinity();
    for (const ContactRod& rod : rods) margin = std::min(margin, seen_apart * rod.radius);
    touches = collisions.touches(chains, shapes, {.margin = margin});
    std::erase_if(touches, [&](const CapsuleTouch& touch) {
        return touch.gap >= 0 && (touch.gap_before >= 0 || law_of(touch).stiffness <= 0);
    });
    sides.clear();
    for (const CapsuleTouch& touch : touches) sides.push_back(sides_of(touch, rods, bodies));
}

Vec3 RodContacts::State::velocity_at(const TouchSides& side, bool before) const {
    const auto rod_velocity = [&](int rod) -> const RodRows& {
        return before ? rods_before[size_t(rod)].velocity : rods[size_t(rod)].rod->state().velocity;
    };
    Vec3 u = side.first.velocity(rod_velocity(side.first.rod));
    if (side.second.rod >= 0) u += side.second.velocity(rod_velocity(side.second.rod));
    if (side.body.body >= 0) {
        const RodObstacle& body = (before ? bodies_before : bodies)[size_t(side.body.body)];
        Eigen::Matrix<double, 6, 1> v;
        v << body.velocity, body.spin;
        u += side.body.J * v;
    }
    return u;
}

SolvedImpulses RodContacts::State::solve_for(std::span<const TouchLaw> laws, std::span<const Vec3> u_before,
                                             std::span<const Vec3> u_free, std::span<const Vec3> start, double step) {
    const bool are_compliant =
        std::all_of(laws.begin(), laws.end(), [](const TouchLaw& touch) { return touch.law.stiffness > 0; });
    if (are_compliant && laws.size() > most_contacts_one_by_one) {
        whole_response->prepare(sides, rods, bodies);
        return solve_many({.touches = laws, .u_before = u_before, .u_free = u_free, .start = start, .step = step},
                          *whole_response, options);
    }
    const ContactResponse& W = (*response)(sides, rods, bodies);
    ExactResponse exact;
    if (response->leaves_out()) exact = [this](std::span<const Vec3> impulses) { return velocities_by(impulses); };
    return solve_impulses({.touches = laws, .u_before = u_before, .u_free = u_free, .start = start, .step = step}, W,
                          exact, options);
}

bool RodContacts::State::solve_contacts(double step) {
    const size_t count = touches.size();
    std::vector<Vec3> u_before(count), u_free(count), start(count, Vec3::Zero());
    std::vector<TouchLaw> laws(count);
    std::vector<double> allowances(count, 0.0), allowances_before(count, 0.0);
    const auto parted = [&](double overlap) {  // of it, in this step
        return std::min(-std::expm1(-step / options.parting_time) * overlap, options.parting_speed * step);
    };
    for (size_t i = 0; i < count; ++i) {
        u_before[i] = velocity_at(sides[i], true);
        u_free[i] = velocity_at(sides[i], false);
        const Remembered* last = remembered(touches[i].key);
        const RodContactLaw law = law_of(touches[i]);
        if (last) {
            start[i] = sides[i].frame.transpose() * last->impulse;
            allowances_before[i] = last->allowance;
            allowances[i] = last->allowance - parted(last->allowance);
        } else if (report.steps == 0 && touches[i].gap_before < 0) {
            ++report.overlaps_at_start;
            report.deepest_at_start = std::max(report.deepest_at_start, -touches[i].gap_before);
            if (law.stiffness > 0) allowances[i] = allowances_before[i] = -touches[i].gap_before;
        }
        const double first_speed = last ? last->first_speed : std::max(0.0, -u_before[i][0]);
        laws[i] = {.law = law,
                   .u_before = u_before[i][0],
                   .u_free = u_free[i][0],
                   .gap_before = touches[i].gap_before + allowances_before[i],
                   .gap_free = touches[i].gap + allowances[i]};
        if (law.stiffness > 0) {
            const double e = restitution_at(law.restitution, first_speed, options.rest_speed);
            laws[i].loss = loss_of_restitution(e) / std::max(first_speed, options.rest_speed);
        } else {
            laws[i].restitution = restitution_at(law.restitution, -u_before[i][0], options.rest_speed);
        }
    }
    if (count == 0) {
        memory.clear();
        contacts.clear();
        ++report.steps;
        return true;
    }
    const SolvedImpulses solved = solve_for(laws, u_before, u_free, start, step);
    for (const Vec3& impulse : solved.impulses)
        if (!impulse.allFinite()) return false;

    // What rigid contacts have sunk in by the end of the step is taken out within the parting time, without velocity.
    std::vector<double> overlaps(count, 0.0), parting;
    bool is_sunk = false;
    for (size_t i = 0; i < count; ++i) {
        if (laws[i].law.stiffness > 0) continue;
        const double sunk = overlap_after(laws[i], solved.velocities[i][0], step);
        report.deepest = std::max(report.deepest, sunk);
        overlaps[i] = parted(std::max(0.0, sunk - unseen_overlap * rigid_radius(touches[i])));
        is_sunk = is_sunk || overlaps[i] > 0;
    }
    if (is_sunk) parting = parting_impulses((*response)(sides, rods, bodies), overlaps);
    apply(solved.impulses, parting, step);
    memory = remember(laws, allowances, solved);
    take_stock(laws, solved);
    std::vector<char> touched(rods.size(), 0);
    for (const CapsuleTouch& touch : touches) {
        touched[size_t(touch.first.chain)] = 1;
        if (touch.second.chain >= 0) touched[size_t(touch.second.chain)] = 1;
    }
    if (options.damped_below > 0)
        for (size_t r = 0; r < rods.size(); ++r)
            if (touched[r]) damp_slow_motion(*rods[r].rod, options, step);
    return true;
}

// Impulses on the unknowns of rods and on bodies, and the velocities that they make.
PushedRods RodContacts::State::pushed_by(std::span<const Vec3> impulses) const {
    PushedRods pushed{.impulses = std::vector<RodRows>(rods.size()),
                      .velocities = std::vector<RodRows>(rods.size()),
                      .bodies = std::vector<Vec6>(bodies.size(), Vec6::Zero())};
    for (size_t i = 0; i < touches.size(); ++i) {
        for (const RodSide* side : {&sides[i].first, &sides[i].second}) {
            if (side->rod < 0) continue;
            RodRows& on_rod = pushed.impulses[size_t(side->rod)];
            const RodPlan& plan = rods[size_t(side->rod)].rod->plan();
            if (on_rod.size() == 0) on_rod = RodRows::Zero(plan.per_point, plan.points);
            side->add(impulses[i], on_rod);
        }
        if (sides[i].body.body >= 0)
            pushed.bodies[size_t(sides[i].body.body)] += sides[i].body.J.transpose() * impulses[i];
    }
    parallel_for(std::ssize(rods), [&](long r) {
        const RodRows& on_rod = pushed.impulses[size_t(r)];
        if (on_rod.size() == 0) return;
        pushed.velocities[size_t(r)] =
            rods[size_t(r)].rod->solve(on_rod.reshaped()).reshaped(on_rod.rows(), on_rod.cols());
    });
    for (size_t b = 0; b < bodies.size(); ++b)
        pushed.bodies[b] = (inverse_mass_of(bodies[b]) * pushed.bodies[b]).eval();
    return pushed;
}

// W r, by the rods' own factors.
std::vector<Vec3> RodContacts::State::velocities_by(std::span<const Vec3> impulses) const {
    const PushedRods pushed = pushed_by(impulses);
    std::vector<Vec3> u(touches.size(), Vec3::Zero());
    for (size_t i = 0; i < touches.size(); ++i) {
        u[i] = sides[i].first.velocity(pushed.velocities[size_t(sides[i].first.rod)]);
        if (sides[i].second.rod >= 0) u[i] += sides[i].second.velocity(pushed.velocities[size_t(sides[i].second.rod)]);
        if (sides[i].body.body >= 0) u[i] += sides[i].body.J * pushed.bodies[size_t(sides[i].body.body)];
    }
    return u;
}

// As they act over the step, all ends elsewhere by ½Δt of what they change the velocities by. Displacements follow the
// same way from impulses along the normals, but carry no velocity.
void RodContacts::State::apply(std::span<const Vec3> impulses, std::span<const double> parting, double step) {
    const PushedRods pushed = pushed_by(impulses);
    PushedRods moved;
    if (!parting.empty()) {
        std::vector<Vec3> apart;
        for (const double normal : parting) apart.emplace_back(normal, 0, 0);
        moved = pushed_by(apart);
    }
    parallel_for(std::ssize(rods), [&](long r) {
        const RodRows& on_rod = pushed.impulses[size_t(r)];
        if (on_rod.size() == 0) return;
        const RodRows displacement =
            parting.empty() ? RodRows(RodRows::Zero(on_rod.rows(), on_rod.cols())) : moved.velocities[size_t(r)];
        rods[size_t(r)].rod->feel(on_rod, pushed.velocities[size_t(r)], displacement);
    });
    for (size_t b = 0; b < bodies.size(); ++b) {
        const Vec6 dv = pushed.bodies[b];
        Vec6 dx = 0.5 * step * dv;
        if (!parting.empty()) dx += moved.bodies[b];
        bodies[b].velocity += dv.head<3>();
        bodies[b].spin += dv.tail<3>();
        bodies[b].world_from_body.translation() += dx.head<3>();
        bodies[b].world_from_body.linear() = turned_by(dx.tail<3>()) * bodies[b].world_from_body.linear();
    }
}

std::vector<Remembered> RodContacts::State::remember(const std::vector<TouchLaw>& laws,
                                                     const std::vector<double>& allowances,
                                                     const SolvedImpulses& solved) const {
    std::vector<Remembered> next;
    for (size_t i = 0; i < touches.size(); ++i) {
        const Remembered* last = remembered(touches[i].key);
        next.push_back({.key = touches[i].key,
                        .impulse = sides[i].frame * solved.impulses[i],
                        .first_speed = last ? last->first_speed : std::max(0.0, -laws[i].u_before),
                        .allowance = allowances[i]});
    }
    return next;
}

void RodContacts::State::take_stock(const std::vector<TouchLaw>& laws, const SolvedImpulses& solved) {
    contacts.clear();
    for (size_t i = 0; i < touches.size(); ++i) {
        contacts.push_back({touches[i], sides[i].frame * solved.impulses[i]});
        const Vec3 before = velocity_at(sides[i], true);
        report.work += 0.5 * solved.impulses[i].dot(solved.velocities[i] + before);
    }
    ++report.steps;
    ++report.contact_steps;
    report.contacts += long(laws.size());
    report.sweeps += solved.sweeps;
    report.unsolved += !solved.converged;
    report.largest_residual = std::max(report.largest_residual, solved.residual);
}

RodContacts::RodContacts(std::vector<ContactRod> rods, std::vector<RodObstacle> bodies,
                         const RodContactOptions& options)
    : state_(std::make_unique<State>()) {
    CLANGOR_ASSERT(
        std::all_of(rods.begin(), rods.end(), [](const ContactRod& each) { return each.rod && each.radius > 0; }),
        "rods with a radius");
    state_->response.emplace(rods.size());
    state_->whole_response.emplace(rods.size());
    state_->rods = std::move(rods);
    state_->bodies = std::move(bodies);
    state_->options = options;
}
RodContacts::~RodContacts() = default;
RodContacts::RodContacts(RodContacts&&) noexcept = default;
RodContacts& RodContacts::operator=(RodContacts&&) noexcept = default;

void RodContacts::step(double seconds) { state_->advance(seconds, state_->options.most_halvings); }
std::vector<RodObstacle>& RodContacts::bodies() { return state_->bodies; }
std::span<const RodContact> RodContacts::contacts() const { return state_->contacts; }
const RodContactReport& RodContacts::report() const { return state_->report; }

}  // namespace clangor
