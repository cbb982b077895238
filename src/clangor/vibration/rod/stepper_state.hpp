// What a stepper keeps. Internal to rod.
#pragma once

#include <clangor/vibration/rod/band_matrix.hpp>
#include <clangor/vibration/rod/rod.hpp>
#include <clangor/vibration/rod/rod_forces.hpp>

#include <functional>
#include <variant>

namespace clangor {

/// A matrix is mass·M + dashpot·(what dampers resist) + strain·GᵀBG + stress·(what stress makes).
struct RodMatrixParts {
    double mass = 1, dashpot = 0, strain = 0, stress = 0;
};

/// Called for stretches of points, one after the other: when they are wanted, and when their residuals are there.
struct RodPass {
    std::function<void(long first, long last)> before = {}, after = {};
};

struct RodStepper::State {
    State(const RodPlan& p, const RodStepperOptions& o);

    const RodPlan* plan;
    RodStepperOptions options;
    rods::RodOrder order;
    RodState now;
    rods::RodForces field;
    using Band = std::variant<rods::BandMatrix<4>, rods::BandMatrix<6>, rods::BandMatrix<8>, rods::BandMatrix<12>>;
    Band band;
    Band mass_band = rods::BandMatrix<4>(0);  // for `feel`, where M has more than its diagonal
    RodRows forces, weight, driven, free;     // free: 1, or 0 where held
    std::vector<long> held;                   // unknowns where it is 0, in order
    std::vector<RodPulse> pulses;
    struct Push {
        long point;
        Vec3 force;
    };
    std::vector<Push> pushes;  // of pulses, in the step that is tried
    std::vector<long> row_of;  // of unknowns in the band; empty: the same order
    RodReport report;
    double total_mass = 0;
    bool has_edge_inertia = false;

    // Of the step that is being tried
    RodRows load, base_place, base_velocity, place, velocity, acceleration, inertia, residual, change;
    double factor_step = -1;  // of the matrix that is factorised
    double contraction = 1;   // how much of an error an iteration left when that was last seen
    bool is_worn = true;      // the factor, by the motion since
    long since_look = 0;      // steps since contraction was seen
    double reach = 0;         // the largest coordinate, as last looked for [m]

    /// Forces that are the same over a step: of pulses, what they give in it.
    void set_load(double from, double to);

    /// `residual` is M(a + αv) + βGᵀBG v + ∇E − f at place, velocity and acceleration; `band`, where parts are given,
    /// is the matrix of them. Gives the elastic energy.
    double evaluate(const RodMatrixParts* parts = nullptr, const RodPass& pass = {});

    bool factorize();

    /// A⁻¹·rows, where nothing that is held moves.
    void solve(const double* rows, std::vector<double>& scratch, double* solved) const;
    std::vector<double> scratch;

    /// One step, or two of half its length, and so on.
    void advance(double step, int halvings);

private:
    bool attempt(double step);
    void begin_load(double from, double to);
    void load_points(long first, long last);
    void predict(double step, long first, long last);
    double resist(long first, long last);
    void forward(long first, long last, rods::Neighbours& neighbours);

    /// Sums of mass·(...)², of accelerations and velocities where they are asked for.
    struct Size {
        double change = 0, velocity = 0, acceleration = 0;
    };
    void correct_points(double step, long first, long last, bool is_first, Size& size);
    Size correct(double step, bool is_first);
    template <class Change>
    void for_held(long first, long last, const Change& act) const;
    void accept(double step);
    [[noreturn]] void give_up(double step) const;
};

}  // namespace clangor
