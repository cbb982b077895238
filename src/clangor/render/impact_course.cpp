#include <clangor/render/impact_course.hpp>

#include <clangor/render/lag.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

namespace clangor {

/// Of one body with things that neither move nor ring.
struct Unfinished {
    std::vector<Met> met;  ///< one for each place
    std::vector<Asked> asked;
    Ringing before;  ///< how the body rang when they began
    double end = 0;  ///< from then on they are over [s]
};

namespace {

// Impacts that are nearer to each other than this part of the smaller body's radius, and than this [m], are at one
// place, as in motion's record.
constexpr double one_place = 0.3, least_place = 1e-3;

bool is_same_place(const Met& a, const Met& b, const std::vector<ContactBody>& bodies) {
    if (a.is_given || b.is_given) return false;
    double radius = std::numeric_limits<double>::infinity();
    for (const ContactSide& side : a.sides)
        if (side.body >= 0 && bodies[side.body].is_movable) radius = std::min(radius, bodies[side.body].body->radius);
    for (size_t s = 0; s < 2; ++s) {
        const ContactSide &x = a.sides[s], &y = b.sides[s];
        if (x.body != y.body || x.normal.dot(y.normal) < 0.5) return false;
        if (x.body >= 0 && bodies[x.body].is_movable &&
            (x.point - y.point).norm() > std::max(least_place, one_place * radius))
            return false;
    }
    return true;
}

// Several points of a body that meet another at once, as one in their midst.
void join(Met& one, const Met& other, double count, const std::vector<ContactBody>& bodies) {
    for (size_t s = 0; s < 2; ++s) {
        one.sides[s].point += (other.sides[s].point - one.sides[s].point) / count;
        one.sides[s].normal =
            (one.sides[s].normal + (other.sides[s].normal - one.sides[s].normal) / count).normalized();
    }
    one.time = std::min(one.time, other.time);
    one.approach_speed = std::max(one.approach_speed, other.approach_speed);
    one.impulse += other.impulse;
    one.given.insert(one.given.end(), other.given.begin(), other.given.end());
    one.contact = local_contact(one.sides, bodies);
}

// The new ones at the places of those before, or at places of their own.
void add_places(Course& course, std::span<const Met> met, const std::vector<size_t>& numbers,
                const std::vector<ContactBody>& bodies) {
    const size_t old = course.met.size();
    std::vector<double> shared;  // impacts at each new place
    for (size_t k = 0; k < met.size(); ++k) {
        const auto found =
            std::ranges::find_if(course.met, [&](const Met& place) { return is_same_place(place, met[k], bodies); });
        const size_t place = size_t(found - course.met.begin());
        if (found == course.met.end()) {
            course.met.push_back(met[k]);
            shared.push_back(1);
        } else if (place >= old) {
            join(course.met[place], met[k], ++shared[place - old], bodies);
        }
        course.asked.push_back({numbers[k], place, met[k].time, met[k].seen, met[k].approach_speed});
    }
}

double given_at(const Met& met) {
    double sum = 0;
    for (const Given& given : met.given) sum += given.impulse;
    return sum;
}

// Motion parts the bodies by the impulses that it still owes at the places asked for, so that all of them together are
// those that were followed. None: the bodies would still close, so that something else moves them than what was
// followed before.
std::optional<std::vector<double>> speeds_of_what_is_owed(const Course& course, size_t older) {
    Eigen::VectorXd owed = Eigen::VectorXd::Zero(std::ssize(course.met));
    for (size_t k = older; k < course.asked.size(); ++k) {
        const size_t place = course.asked[k].place;
        owed[long(place)] = std::max(0.0, course.result.impulses[long(place)] - given_at(course.met[place]));
    }
    const Eigen::VectorXd change = course.group.impact.inverse_mass * owed;
    std::vector<double> speeds;
    for (size_t k = older; k < course.asked.size(); ++k) {
        speeds.push_back(change[long(course.asked[k].place)] - course.asked[k].approach_speed);
        if (speeds.back() < 0) return std::nullopt;
    }
    return speeds;
}

// That motion gives what is owed in the impacts asked for.
void note_given(Course& course, size_t older) {
    for (size_t k = older; k < course.asked.size(); ++k) {
        const Asked& asked = course.asked[k];
        Met& met = course.met[asked.place];
        const double owed = course.result.impulses[long(asked.place)] - given_at(met);
        met.given.push_back({asked.time, asked.seen, std::max(0.0, owed)});
    }
}

// By how much an animator's impulses are larger than those that were followed.
double scale_of(std::span<const Met> met, const ElasticResult& result) {
    double given = 0;
    for (const Met& one : met) given += one.impulse;
    const double all = result.impulses.sum();
    return met.front().is_given && all > 0 ? given / all : 1;
}

void bring_up_to_date(std::span<const Met> met, const Group& group, const ElasticResult& result,
                      const std::vector<ContactBody>& bodies, Whose whose, RingingBodies& ringing) {
    const double scale = scale_of(met, result), end = first_time(met) + result.duration;
    for (size_t b = 0; b < group.ringing.size(); ++b) {
        if (whose == Whose::MovableBodies && !bodies[group.ringing[b]].is_movable) continue;
        const Left left = left_by(group.impact.bodies[b], result, b);
        Ringing& now = ringing[group.ringing[b]];
        now = ringing_at(group.before[b], *bodies[group.ringing[b]].mobility, end);
        if (now.q.size() == 0) now.q = now.q_dot = Eigen::VectorXd::Zero(left.q.size());
        now.q += scale * left.q;
        now.q_dot += scale * left.q_dot;
    }
}

// Followed anew together with what the body last met.
std::optional<Course> going_on(const Unfinished& last, std::span<const Met> met, const std::vector<size_t>& numbers,
                               const std::vector<ContactBody>& bodies, const ExciteOptions& options,
                               const RingingBodies& ringing) {
    Course course{.met = last.met, .asked = last.asked};
    add_places(course, met, numbers, bodies);
    if (course.met.size() > most_together) return std::nullopt;
    for (size_t place = last.met.size(); place < course.met.size(); ++place) course.met[place].given.clear();
    course.group = group_of(course.met, bodies, options, ringing);
    course.result = follow(course.group.impact);
    std::optional<std::vector<double>> speeds = speeds_of_what_is_owed(course, last.asked.size());
    if (!speeds) return std::nullopt;
    course.separation = std::move(*speeds);
    note_given(course, last.asked.size());
    return course;
}

Course beginning(std::span<const Met> met, const std::vector<size_t>& numbers, const std::vector<ContactBody>& bodies,
                 const ExciteOptions& options, const RingingBodies& ringing) {
    Course course;
    add_places(course, met, numbers, bodies);
    course.group = group_of(course.met, bodies, options, ringing);
    course.result = follow(course.group.impact);
    for (const Asked& asked : course.asked) course.separation.push_back(course.result.separation[long(asked.place)]);
    for (Met& place : course.met) place.given.clear();
    note_given(course, 0);
    return course;
}

}  // namespace

Course course_of(std::span<const Met> met, const std::vector<size_t>& numbers, const std::vector<ContactBody>& bodies,
                 const ExciteOptions& options, Whose whose, RingingBodies& ringing) {
    const int only = only_body(met, bodies);
    std::optional<Course> course;
    if (const auto last = only >= 0 ? ringing[only].unfinished : nullptr; last && first_time(met) < last->end) {
        const Ringing now = ringing[only];
        ringing[only] = last->before;
        course = going_on(*last, met, numbers, bodies, options, ringing);
        if (!course) ringing[only] = now;
    }
    if (!course) course = beginning(met, numbers, bodies, options, ringing);
    const Ringing before = only >= 0 ? ringing[only] : Ringing{};
    const double end = first_time(course->met) + course->result.duration;
    bring_up_to_date(course->met, course->group, course->result, bodies, whose, ringing);
    bring_lags_up_to_date(course->met, course->result.pulses, end, bodies, ringing);
    if (only < 0 || (whose == Whose::MovableBodies && !bodies[only].is_movable)) return *course;
    Unfinished unfinished{course->met, course->asked, before, end};
    unfinished.before.unfinished.reset();
    ringing[only].unfinished = std::make_shared<const Unfinished>(std::move(unfinished));
    return *course;
}

}  // namespace clangor
