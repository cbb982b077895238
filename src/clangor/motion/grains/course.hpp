// A run: all that it knows between two events. Internal to motion/grains.
#pragma once

#include <clangor/motion/grains/ball.hpp>
#include <clangor/motion/grains/calendar.hpp>
#include <clangor/motion/grains/cells.hpp>
#include <clangor/motion/grains/grains.hpp>
#include <clangor/motion/grains/restitution.hpp>
#include <clangor/motion/grains/walls.hpp>

#include <vector>

namespace clangor::grains {

struct Course {
    Course(const GrainWorld& world, const GrainOptions& options);

    std::vector<double> densities;  ///< per kind [kg/m³]
    std::vector<SurfaceLaw> kinds;  ///< per kind
    Vec3 gravity;
    bool falls = false;       ///< there is gravity
    Vec3 box = Vec3::Zero();  ///< that repeats; 0: none [m]
    GrainOptions options;
    double contact_time = 0;               ///< t_c [s]
    double window = 0;                     ///< in which collisions are counted [s]
    std::array<CellIndex, 2> bounds = {};  ///< cells outside of which nothing comes back
    std::vector<char> has_path = {};       ///< per wall: it was given one on the way
    Walls walls;
    std::vector<SurfaceLaw> wall_laws = {};
    std::vector<SurfaceLaw> pair_laws = {};  ///< of GrainWorld::pairs
    std::vector<std::int32_t> pair_of = {};  ///< per kind, then kinds and walls: which of these; −1: none

    double now = 0;  ///< [s]
    std::vector<Ball> balls;
    std::vector<Memory> memories;
    std::vector<Meeting> meetings;
    std::vector<double> passage_times;
    std::vector<std::int32_t> passage_codes;  ///< see Passing
    std::vector<Status> statuses;
    Cells cells;
    Calendar calendar;

    std::int64_t still = 0;  ///< balls asleep or stopped
    GrainReport report = {};
    double escape_time = 0;  ///< of the first that escaped [s]
    Vec3 escape_place = Vec3::Zero();
    double next_look = never;                ///< for what may sleep [s]
    double between_looks = 0;                ///< [s]
    double next_start = never;               ///< of a wall that stands and has a path [s]
    std::int64_t frames = 0;                 ///< that were shown
    std::vector<GrainCollision> block = {};  ///< that the sink has not had yet
    std::vector<Grain> frame = {};
    std::vector<std::int32_t> to_wake = {};  ///< what may have lost its hold
};

constexpr std::size_t block_size = 4096;

/// Of two kinds, or of a kind and a wall.
PairLaw law_between(const Course& course, std::uint8_t kind, std::uint8_t other);
PairLaw law_with_wall(const Course& course, std::uint8_t kind, std::int32_t wall);

inline bool is_awake(const Course& course, std::int32_t ball) {
    return course.statuses[std::size_t(ball)] == Status::Awake;
}
inline double mass_of(const Course& course, std::int32_t ball) {
    return 4 * pi / 3 * course.densities[course.memories[std::size_t(ball)].kind] *
           cube(course.balls[std::size_t(ball)].r);
}

/// The course of a ball from a time on.
Fall fall_from(const Course& course, std::int32_t ball, double time);
inline void set_passage(Course& course, std::int32_t ball, double time, std::int32_t code) {
    course.passage_times[std::size_t(ball)] = time;
    course.passage_codes[std::size_t(ball)] = code;
}
/// Its own time becomes this one.
void bring_to(Course& course, std::int32_t ball, double time);

/// Whom it meets first, of all around it.
void find_meeting(Course& course, std::int32_t ball, double time);
/// After it has passed into another cell: of those that are new around it.
void find_meeting_ahead(Course& course, std::int32_t ball, double time, int passed);
/// What it passes first: the wall of its cell, or one of the world.
void find_passage(Course& course, std::int32_t ball, double time);
void schedule(Course& course, std::int32_t ball);
/// All three, for a ball whose course has changed.
void look_ahead(Course& course, std::int32_t ball, double time);

/// Both at their common time. Their courses change.
void collide(Course& course, std::int32_t first, std::int32_t second, double time);
void collide_with_wall(Course& course, std::int32_t ball, const WallContact& contact, double time);

/// The speed at which a ball parts in lasting contact: gravity brings it back after a contact time, or sooner what
/// presses it   docs/theory/grains.md, section 5.
double parting_speed(const Course& course, std::int32_t ball, double time);
/// A hop that takes so long goes as high as a ball may move.
double longest_hop(const Course& course, std::int32_t ball);
/// Slower collisions are of a lasting contact, if they come soon enough.
double lasting_speed(const Course& course, double parting, double radius);

/// For how long a ball has stayed where it is, told at each of its collisions, before `last` is set.
void watch_calm(Course& course, std::int32_t ball, double time);
/// Lets those sleep that are calm and held.
void let_sleep(Course& course, double time);
/// At the start: what has no speed and is held sleeps.
void lay_down(Course& course);
/// It moves again; whoever calls looks ahead.
void wake(Course& course, std::int32_t ball, double time);
/// Wakes what slept on those that have woken and is not held without them.
void wake_those_above(Course& course, double time);
/// After a wall has begun to move: whatever touches it or is no longer held wakes, and all look ahead.
void wake_unheld(Course& course, double time);
/// When the next of the walls that stand begins to move.
double earliest_start(const Course& course, double time);
/// It does not move until a window is over.
void stop(Course& course, std::int32_t ball, double time);

void deliver(Course& course, const GrainSink& sink);
/// All events before a time.
void run_until(Course& course, double time, const GrainSink& sink);

}  // namespace clangor::grains
