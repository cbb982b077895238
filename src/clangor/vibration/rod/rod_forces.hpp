// Strains of a rod, what they pull and what they resist, eight points at a time. Internal to rod.
#pragma once

#include <clangor/vibration/rod/lanes.hpp>
#include <clangor/vibration/rod/rod.hpp>
#include <clangor/vibration/rod/rod_order.hpp>

#include <functional>

namespace clangor::rods {

/// What is asked of a pose. Forces are ∇E + β GᵀBG q̇ + the inertia of edges: of
/// sections that tilt, and less what points share.
struct ForceTask {
    const RodRows* place = nullptr;
    const RodRows* velocity = nullptr;  ///< read where beta is not zero, and by sections that tilt
    double beta = 0;                    ///< [s]
    const RodRows* inertia = nullptr;   ///< q̈ + αq̇; none: no inertia of edges
    // The matrix is strain·GᵀBG + stress·ΣS ∂²s + mass·(inertia of edges).
    double strain = 1, stress = 1, mass = 0;
    // A rod is gone through stretch by stretch, so that what is made of it is still in the cache. Of points from the
    // first to before the last:
    std::function<void(long first, long last)> before = {};  ///< they are going to be read
    std::function<void(long first, long last)> after = {};   ///< their forces are complete
};

/// Material directions there, carried from the frames that the state has.
RodFrames frames_of(const RodPlan& plan, const RodState& state);

/// What bends and twists points, κ_1 − κ̄_1, κ_2 − κ̄_2 and m − m̄, less what edges lean [rad].
using RodStrains = Eigen::MatrixX3d;

class RodForces {
public:
    explicit RodForces(const RodPlan& plan);

    /// Gives the energy. Frames are carried from those of `from` without twisting; `tangents`, `directors` and `turns`
    /// hold them afterwards. A matrix is that of a BandMatrix in this plan's RodOrder: it is added to.
    double evaluate(const RodState& from, const ForceTask& task, RodRows& forces, double* matrix = nullptr,
                    RodStrains* strains = nullptr);

    Eigen::MatrixX3d tangents, directors;
    Eigen::VectorXd turns;
    double longest = 1, shortest = 1;  ///< edges' lengths over their rest lengths

    static constexpr long stretch_points = 64;  ///< measured in bench/rod_bench.cpp

private:
    // Slots of a stretch that begins with point i are of points i − 1 to i + 64, and room for a pack.
    static constexpr long rows = stretch_points + 16;

    template <int edge_unknowns, bool with_matrix>
    void evaluate_packs(const RodState& from, const ForceTask& task, long first, long last, double* matrix,
                        RodStrains* strains);
    void spread(const RodRows& unknowns, long first, long last, Eigen::MatrixXd& columns) const;
    void carry_frames(const RodState& from, long first, long last);
    void keep_edge(long slot);
    void gather(long first, long last, RodRows& forces);

    const RodPlan* plan_;
    long packed_ = 0;            // points, in whole packs
    Eigen::MatrixXd constants_;  // of the plan, a column a pack
    // Of a stretch, a column an unknown
    Eigen::MatrixXd place_, velocity_, inertia_;
    Eigen::MatrixXd tangent_, director_, d_1_, d_2_;  // of the edge behind each point
    Eigen::VectorXd length_, inverse_length_;
    Eigen::MatrixXd pull_e_, pull_f_;  // of each point, what its two edges feel: a slot later, two points before
    Eigen::RowVectorXd first_pull_;    // of the first point, on the edge before it
    Lanes energy_, longest_, shortest_;
    std::vector<long> entries_;  // where an element's lower triangle goes
    long entries_each_ = 0;      // apart from point to point; 0: the same for all, a block further each
};

}  // namespace clangor::rods
