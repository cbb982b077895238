// Bodies that are near each other, and what two of them keep from step to step.
#pragma once

#include <clangor/motion/rigid/ledger.hpp>
#include <clangor/motion/rigid/pairs.hpp>
#include <clangor/motion/rigid/solver.hpp>

#include <memory>
#include <vector>

namespace clangor::rigid {

/// What a contact leaves for the next step.
struct Remembered {
    Vec3 place, on_a_body, on_b_body;
    double normal_impulse = 0, approach = 0;
    Vec3 friction_impulse = Vec3::Zero();
    bool bounced = false, used = false;
    SurfacePointId found_by = {};
};

/// How far the points of each body have gone, at most.
struct Travels {
    std::vector<double> total;      ///< since the start [m]
    std::vector<double> last_step;  ///< [m]

    double of(int a, int b) const { return total[a] + total[b]; }
    double last_of(int a, int b) const { return last_step[a] + last_step[b]; }
};

/// Where one body is as another sees it.
struct Relation {
    Vec3 centre = Vec3::Zero();  ///< of mass [m]
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

/// Two bodies that may touch.
struct Neighbours {
    int a = -1, b = -1;
    double margin = 0;  ///< wider gaps are no contact [m]
    PairMaterial material = {};
    Nearby nearby = {};
    double travelled = 0;  ///< their travels together when that was found [m]
    std::vector<Remembered> memory = {};
    bool meet = false;                     ///< in this step there are contacts
    std::vector<ConstraintRow> rows = {};  ///< those that matter in this step
    Ledger ledger = {};                    ///< what they gave each other
};

/// All pairs whose boxes are near each other. The list is made anew when a body has gone farther than it was made for,
/// some dozen steps later.
class Neighbourhood {
public:
    struct Pair {
        int a = -1, b = -1;
        double apart_until = -1;            ///< nothing between them before their travels together exceed this [m]
        double reach = -1;                  ///< what is known holds while they move by no more against each other [m]
        Relation known_at = {};             ///< since they stood so
        bool apart = false;                 ///< it is known that there is nothing between them
        std::unique_ptr<Neighbours> state;  ///< once they have come so near that their points must be looked at
    };

    /// `radii`: of each body's farthest point from its centre of mass.
    Neighbourhood(const RigidWorld& world, double least_margin, std::vector<double> radii);

    /// Makes the list anew where it has to be. The pairs stay in order, with what they keep.
    void update(const std::vector<MovingBody>& bodies, const Travels& travels, double time);
    std::vector<Pair>& pairs() { return pairs_; }

    /// Finds what of two may touch, if they have moved too far since that was last done. Nothing where they are apart.
    Neighbours* approach(Pair& pair, const std::vector<MovingBody>& bodies, const Travels& travels) const;

    /// All that the pairs gave each other, those that parted included.
    Ledger closed();

    double size_of(int a, int b) const;  ///< of the smaller [m]

private:
    double margin_of(int a, int b) const;
    Relation relation_of(const Pair& pair, const std::vector<MovingBody>& bodies) const;
    double moved_since(const Pair& pair, const Relation& now) const;

    const RigidWorld& world_;
    PairMaterials materials_;
    double least_margin_;
    std::vector<double> radii_;  ///< per body
    std::vector<Pair> pairs_;
    std::vector<double> made_at_, made_for_;  ///< per body: its travel at the time, and how much more there may be [m]
    std::vector<bool> frozen_;
    Ledger parted_;
};

}  // namespace clangor::rigid
