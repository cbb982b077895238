// Strains of a rod, what they pull and what they resist, eight points at a time. Internal to rod.
#pragma once

#include <clangor/vibration/rod/rod.hpp>
#include <clangor/vibration/rod/rod_order.hpp>

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
};

class RodForces {
public:
    explicit RodForces(const RodPlan& plan);

    /// Gives the energy. Frames are carried from those of `from` without twisting; `tangents`, `directors` and `turns`
    /// hold them afterwards. A matrix is that of a BandMatrix in this plan's RodOrder: it is added to.
    double evaluate(const RodState& from, const ForceTask& task, RodRows& forces, double* matrix = nullptr);

    Eigen::MatrixX3d tangents, directors;
    Eigen::VectorXd turns;

    /// Material directions, from row 1 on, and edges' lengths over their rest lengths.
    Eigen::MatrixX3d d_1, d_2;
    Eigen::VectorXd stretch;
    /// What bends and twists points: κ_1 − κ̄_1, κ_2 − κ̄_2 and m − m̄, less what edges lean [rad].
    Eigen::MatrixX3d strains;

private:
    template <int edge_unknowns, bool with_matrix>
    double evaluate_packs(const RodState& from, const ForceTask& task, RodRows& forces, double* matrix);
    void spread(const RodRows& rows, Eigen::MatrixXd& columns) const;
    void carry_frames(const RodState& from);
    void gather(RodRows& forces);

    const RodPlan* plan_;
    long packed_ = 0;                             // points, in whole packs
    Eigen::MatrixXd place_, velocity_, inertia_;  // a column an unknown
    Eigen::MatrixXd pull_e_, pull_f_;             // of each point, what its two edges feel
    Eigen::MatrixX3d tangent_;                    // edge j in row j + 1: row 0 is that before the first
    Eigen::VectorXd inverse_length_;
    std::vector<long> entries_;  // where an element's lower triangle goes
    long entries_each_ = 0;      // apart from point to point; 0: the same for all, a block further each
};

}  // namespace clangor::rods
