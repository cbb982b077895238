// Which ball's event comes next, in a time that does not depend on their number  [Paul2007]. Internal to motion/grains.
#pragma once

#include <cstdint>
#include <vector>

namespace clangor::grains {

/// One event for each ball. Those of the present day stand in a small heap; those of the days to come in a list for
/// each day, and later ones in one list, which is looked through once in a round. Events come by time, and those of
/// the same time by ball, whatever the length of a day is.
class Calendar {
public:
    /// No ball has an event.
    Calendar(std::size_t balls, double day);

    /// The ball's only event is at this time, which is no earlier than the last that came; infinite: none.
    void set(std::int32_t ball, double time);
    double time_of(std::int32_t ball) const { return time_[std::size_t(ball)]; }
    /// The ball with the next event; −1: there is none before `end`. Whoever asks sets its next
    /// event then.
    std::int32_t next(double end);

private:
    struct Entry {
        double time;
        std::int32_t ball;
        bool operator>(const Entry& other) const {
            return time > other.time || (time == other.time && ball > other.ball);
        }
    };

    void unlink(std::int32_t ball);
    void link(std::int32_t ball, std::size_t list);
    void place(std::int32_t ball);
    bool open_next_day(double end);
    void open(std::int64_t day);
    void change_day(double day);
    std::int64_t day_of(double time) const;

    std::vector<double> time_;
    std::vector<std::int32_t> next_, before_;  // in a list; before_: −1: in none, −2 − list: its first
    std::vector<std::int32_t> first_;          // of each list; the last list is that of later events
    std::vector<Entry> heap_;
    double per_day_ = 1;                   // 1/day [1/s]
    std::int64_t today_ = 0, looked_ = 0;  // looked_: the last day for which later events have their lists
    std::int64_t opened_ = 0, came_ = 0;   // since the length of a day was last considered
};

}  // namespace clangor::grains
