// Event after event: who meets whom next, and what becomes of it. docs/theory/grains.md.
#include <clangor/motion/grains/course.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::grains {
namespace {

void settle(Course& course, std::int32_t ball, double time) {
    Memory& memory = course.memories[std::size_t(ball)];
    if (course.statuses[std::size_t(ball)] != Status::Awake) {
        return look_ahead(course, ball, time);
    }
    if (memory.crowd > course.options.max_collisions) return stop(course, ball, time);
    look_ahead(course, ball, time);
}

void pass_into_next_cell(Course& course, std::int32_t ball, double time, int way) {
    Cells& cells = course.cells;
    cells.remove(ball);
    const std::size_t axis = std::size_t(way / 2);
    std::int16_t& at = cells.of_ball[std::size_t(ball)][axis];
    at = std::int16_t(at + (way % 2 == 0 ? -1 : 1));
    if (cells.periodic) {
        at = std::int16_t(cells.folded(at, axis));
    } else if (at < course.bounds[0][axis] || at > course.bounds[1][axis]) {
        bring_to(course, ball, time);
        course.statuses[std::size_t(ball)] = Status::Gone;
        ++course.memories[std::size_t(ball)].turns;
        if (course.report.escaped++ == 0) {
            course.escape_time = time;
            course.escape_place = vec(course.balls[std::size_t(ball)].x);
        }
        set_passage(course, ball, never, 0);
        course.meetings[std::size_t(ball)] = {};
        return schedule(course, ball);
    }
    cells.insert(ball);
    find_meeting_ahead(course, ball, time, way);
    find_passage(course, ball, time);
    schedule(course, ball);
}

void meet_wall(Course& course, std::int32_t ball, double time, std::int32_t code) {
    if (course.statuses[std::size_t(ball)] == Status::Asleep) wake(course, ball, time);
    bring_to(course, ball, time);
    const Ball& b = course.balls[std::size_t(ball)];
    std::optional<WallContact> contact;
    if (code < 0) {
        contact = touched(course.walls.moving[std::size_t(-1 - code)], vec(b.x), vec(b.v), b.r, time);
    } else {
        const std::size_t i = std::size_t(code - Passing::wall), planes = course.walls.planes.size();
        contact = contact_with(i < planes ? course.walls.planes[i] : course.walls.parts[i - planes], vec(b.x), b.r);
    }
    if (contact)
        collide_with_wall(course, ball, *contact, time);
    else
        ++course.memories[std::size_t(ball)].crowd;  // beside an edge by rounding: the next part has it
    settle(course, ball, time);
}

void pass(Course& course, std::int32_t ball, double time) {
    const std::int32_t code = course.passage_codes[std::size_t(ball)];
    if (code >= 0 && code < Passing::look) return pass_into_next_cell(course, ball, time, code);
    if (code == Passing::look) {
        find_passage(course, ball, time);
        return schedule(course, ball);
    }
    if (code == Passing::resume) {
        wake(course, ball, time);
        look_ahead(course, ball, time);
        return wake_those_above(course, time);
    }
    meet_wall(course, ball, time, code);
    wake_those_above(course, time);
}

void meet_ball(Course& course, std::int32_t ball, double time) {
    const Meeting meeting = course.meetings[std::size_t(ball)];
    if (course.memories[std::size_t(meeting.other)].turns != meeting.turns) {
        return look_ahead(course, ball, time);
    }
    bring_to(course, ball, time);
    bring_to(course, meeting.other, time);
    collide(course, ball, meeting.other, time);
    settle(course, ball, time);
    settle(course, meeting.other, time);
    wake_those_above(course, time);
}

}  // namespace

void deliver(Course& course, const GrainSink& sink) {
    if (!course.block.empty() && sink.collisions) sink.collisions(course.block);
    course.block.clear();
}

void run_until(Course& course, double time, const GrainSink& sink) {
    while (true) {
        const double next = std::min({time, course.next_look, course.next_start});
        const std::int32_t ball = course.calendar.next(next);
        if (ball < 0) {
            course.now = next;
            if (next == course.next_start) {
                wake_unheld(course, next);
                course.next_start = earliest_start(course, next);
                continue;
            }
            if (next < course.next_look) break;
            let_sleep(course, next);
            course.next_look += course.between_looks;
            continue;
        }
        const double now = course.calendar.time_of(ball);
        course.now = now;
        ++course.report.events;
        if (course.passage_times[std::size_t(ball)] < course.meetings[std::size_t(ball)].time)
            pass(course, ball, now);
        else
            meet_ball(course, ball, now);
        if (course.block.size() >= block_size) deliver(course, sink);
    }
    deliver(course, sink);
}

}  // namespace clangor::grains
