// The record of what bodies gave each other, kept while they move.
#pragma once

#include <clangor/motion/record/record.hpp>

#include <vector>

namespace clangor::rigid {

/// What one contact did in one step.
struct Exchange {
    int a = -1, b = -1;
    double time = 0;      ///< of an impact: of its touching; otherwise the step's start [s]
    double duration = 0;  ///< of the step [s]
    double seen = -1;     ///< of an impact: the step's start [s]
    Vec3 on_a_body = Vec3::Zero(), on_b_body = Vec3::Zero();  ///< the place, in both body frames [m]
    Vec3 place = Vec3::Zero();                                ///< in the world [m]
    Vec3 normal = Vec3::Zero();                               ///< from b towards a, in the world
    Vec3 impulse = Vec3::Zero();                              ///< on a, in the world [N·s]
    double approach_speed = 0;                                ///< > 0: an impact [m/s]
    double slip_speed = 0;                                    ///< otherwise [m/s]
    double travel_speed = -1;                                 ///< −1: unknown [m/s]
    double near = 0;                                          ///< places closer than this are one impact's [m]
};

/// Joins the exchanges of an impact, and those of a lasting contact into rows of at most 10 ms, as they come.
class Ledger {
public:
    void enter(const Exchange& exchange);

    /// Enters a lasting contact between two bodies at rest, whole: the exchanges of its points, which begin and end
    /// together.
    void enter_rest(const std::vector<Exchange>& points);

    /// Closes what ended before this time. Call once a step, or before the next exchange is entered.
    void close_until(double time);

    /// Whether something may still be added to what was entered.
    bool is_open() const { return !open_impacts_.empty() || !open_touches_.empty(); }

    /// Takes over what another ledger holds, closed.
    void take(Ledger& other);

    /// Closes everything, and writes both sides in the body frames of their time; by time, and at the same time by
    /// bodies.
    void finish(Motion& motion);

private:
    struct Sum {
        Exchange first;
        double last = 0;  ///< end of the latest exchange [s]
        double weight = 0, slip = 0;
        double travel_weight = 0, travel = 0;
        Vec3 on_a_body = Vec3::Zero(), on_b_body = Vec3::Zero(), normal = Vec3::Zero(), impulse = Vec3::Zero();

        void add(const Exchange& exchange);
    };
    std::vector<Sum> open_impacts_, open_touches_, impacts_, touches_;  ///< open: few at a time
};

}  // namespace clangor::rigid
