#include <clangor/motion/grains/calendar.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace clangor::grains {
namespace {

// The length of a day follows the number of events that it has: one of 16 has the heap in the first cache, and opens
// no day in vain.
constexpr double events_a_day = 8;
constexpr std::int64_t days_between_changes = 4096;

constexpr std::int64_t last_day = std::int64_t(1) << 62;

}  // namespace

Calendar::Calendar(std::size_t balls, double day)
    : time_(balls, std::numeric_limits<double>::infinity()),
      next_(balls, -1),
      before_(balls, -1),
      first_(std::bit_ceil(std::max<std::size_t>(balls / 2, 64)) + 1, -1),
      per_day_(1 / day) {
    looked_ = std::int64_t(first_.size()) - 2;
}

std::int64_t Calendar::day_of(double time) const {
    const double day = std::floor(time * per_day_);
    return day < double(last_day) ? std::int64_t(day) : last_day;
}

void Calendar::unlink(std::int32_t ball) {
    const std::int32_t before = before_[std::size_t(ball)], next = next_[std::size_t(ball)];
    if (before == -1) return;
    (before >= 0 ? next_[std::size_t(before)] : first_[std::size_t(-2 - before)]) = next;
    if (next >= 0) before_[std::size_t(next)] = before;
    before_[std::size_t(ball)] = -1;
}

void Calendar::link(std::int32_t ball, std::size_t list) {
    const std::int32_t next = first_[list];
    next_[std::size_t(ball)] = next;
    before_[std::size_t(ball)] = -2 - std::int32_t(list);
    if (next >= 0) before_[std::size_t(next)] = ball;
    first_[list] = ball;
}

void Calendar::place(std::int32_t ball) {
    const std::int64_t day = day_of(time_[std::size_t(ball)]);
    if (day <= today_) {
        heap_.push_back({time_[std::size_t(ball)], ball});
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    } else {
        const std::size_t lists = first_.size() - 1;
        link(ball, day <= looked_ ? std::size_t(day) & (lists - 1) : lists);
    }
}

void Calendar::set(std::int32_t ball, double time) {
    unlink(ball);
    time_[std::size_t(ball)] = time;
    if (time < std::numeric_limits<double>::infinity()) place(ball);
}

// Whoever stands in the heap with another time than its own has been set anew since.
std::int32_t Calendar::next(double end) {
    while (true) {
        while (!heap_.empty()) {
            const Entry entry = heap_.front();
            const bool holds = entry.time == time_[std::size_t(entry.ball)] && before_[std::size_t(entry.ball)] == -1;
            if (holds && entry.time >= end) return -1;
            std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
            heap_.pop_back();
            if (holds) return entry.ball;
        }
        if (!open_next_day(end)) return -1;
    }
}

// Each list holds one day only, since looked_ is less than a round ahead of today.
void Calendar::open(std::int64_t day) {
    today_ = day;
    const std::size_t lists = first_.size() - 1;
    std::int32_t& first = first_[std::size_t(day) & (lists - 1)];
    for (std::int32_t ball = first; ball >= 0; ball = next_[std::size_t(ball)]) {
        heap_.push_back({time_[std::size_t(ball)], ball});
        before_[std::size_t(ball)] = -1;
        ++came_;
    }
    first = -1;
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
}

bool Calendar::open_next_day(double end) {
    const std::size_t lists = first_.size() - 1;
    if (double(today_ + 1) > end * per_day_ + 1) return false;
    if (++opened_ >= days_between_changes) {
        const double mean = double(came_) / double(opened_);
        if (mean > 4 * events_a_day || mean < events_a_day / 4)
            change_day(std::clamp(events_a_day / std::max(mean, 1e-3), 1e-3, 1e3) / per_day_);
        opened_ = came_ = 0;
    }
    if (today_ + 1 > looked_) {
        looked_ = today_ + std::int64_t(lists);
        std::int32_t ball = first_[lists];
        first_[lists] = -1;
        while (ball >= 0) {
            const std::int32_t next = next_[std::size_t(ball)];
            before_[std::size_t(ball)] = -1;
            place(ball);
            ball = next;
        }
    }
    open(today_ + 1);
    return true;
}

void Calendar::change_day(double day) {
    const double now = double(today_ + 1) / per_day_;
    std::vector<std::int32_t> all;
    for (std::size_t list = 0; list < first_.size(); ++list) {
        for (std::int32_t ball = first_[list]; ball >= 0; ball = next_[std::size_t(ball)]) all.push_back(ball);
        first_[list] = -1;
    }
    per_day_ = 1 / day;
    today_ = std::max<std::int64_t>(day_of(now) - 1, 0);
    looked_ = today_ + std::int64_t(first_.size()) - 2;
    for (const std::int32_t ball : all) {
        before_[std::size_t(ball)] = -1;
        place(ball);
    }
}

}  // namespace clangor::grains
