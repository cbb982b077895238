// Bodies that are held still: what they bear, what others load them with, and what wakes them.
#pragma once

#include <clangor/motion/rigid/ledger.hpp>
#include <clangor/motion/rigid/rest.hpp>

#include <list>
#include <vector>

namespace clangor::rigid {

/// Bodies that lie still together. To all others they are what cannot move; what others give them goes on to what they
/// lean on, and so down to the floor.
struct Pile {
    std::vector<int> bodies = {};          ///< ascending
    std::vector<Vec3> expected = {};       ///< of each: what others gave it in the step in which it was laid [N·s]
    std::vector<ConstraintRow> rows = {};  ///< among them, and with what cannot move, as they were solved last
    std::vector<Exchange> contacts = {};   ///< of each row: what bears their weight in one step
    std::vector<Leaning> leaning = {};     ///< by these
    std::vector<Vec3> given = {}, given_now = {};  ///< to each by others: since `entered`, and in this step [N·s]
    std::vector<double> bears = {};                ///< of each: what presses on it in one step [N·s]
    long entered = 0;                              ///< the step up to which all that is recorded
    bool loaded = false;                           ///< something has been given since then
};

/// Gives a pile the rows of an island by which its bodies lean on one another and on what cannot move; those of its
/// bodies that lean on nothing are left out. Returns which rows of the island these are.
std::vector<std::size_t> take_rows(Pile& pile, const std::vector<ConstraintRow>& rows,
                                   const std::vector<MovingBody>& bodies);

/// A step, after its impulses were found.
struct StoppingStep {
    const std::vector<MovingBody>& bodies;
    const std::vector<Before>& before;
    const RigidWorld& world;
    double length = 0;  ///< [s]
};

/// Changes the pile's `own` rows of an island so that its bodies stop in this step. From then on its contacts, which
/// must be known, bear its weight alone.
void stop(Pile& pile, const std::vector<std::size_t>& own, std::vector<ConstraintRow>& rows, const StoppingStep& step);

/// All bodies that are held, in piles that do not touch one another.
class Piles {
public:
    Piles(const RigidWorld& world, double step) : world_(world), h_(step), pile_of_(world.bodies.size(), nullptr) {}

    bool holds(int body) const { return pile_of_[body] != nullptr; }

    /// Takes bodies that lie from this step on, and joins them with the piles that they touch.
    void lay(Pile pile, long step);

    /// Someone who moves gave a body of a pile an impulse in this step.
    void give(int body, const Vec3& impulse, long step);

    /// What a body of a pile and those that it leans on, or that lean on it, can feel of an impact that makes it move
    /// with such a speed: it halves from one to the next [m/s].
    std::vector<int> reached(int body, double speed) const;

    /// Lets go of some bodies of piles, and of all that now lean on nothing. Returns who that was, ascending.
    std::vector<int> let_go(const std::vector<int>& bodies, long step);

    /// After each step. Returns those that are loaded otherwise than when they came to lie, and may give way.
    std::vector<int> end_step(long step);

    /// All that was given and borne, up to a step.
    Ledger closed(long step);

private:
    Vec3 weight(int body) const;
    void enter(Pile& pile, long until);
    void enter_rest(Pile& pile, long until);
    void enter_loaded(Pile& pile, long until);
    void bear_weight(Pile& pile);
    void settle(Pile& pile);

    const RigidWorld& world_;
    double h_;  ///< [s]
    std::list<Pile> piles_;
    std::vector<Pile*> pile_of_;  ///< per body
    std::vector<int> given_to_;   ///< in this step
    Ledger ledger_;
};

}  // namespace clangor::rigid
