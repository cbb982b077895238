// Rods among the things that they touch. Internal to objects/rod.
#pragma once

#include <clangor/objects/rod/contact_log.hpp>
#include <clangor/objects/rod/rod_run.hpp>
#include <clangor/vibration/rod_contact/rod_contact.hpp>

#include <memory>
#include <vector>

namespace clangor {

/// A mallet of a strike: a ball that comes when it is time, and goes when it has parted.
struct FlyingMallet {
    size_t rod = 0;
    const scene::Strike* strike = nullptr;
    int obstacle = -1;
    bool has_come = false, has_gone = false;
    double last_contact = 0;  ///< [s]
};

/// What of another body differs from its path, as what it feels now differs from what its path has felt.
struct GivingBody {
    const Neighbour* neighbour = nullptr;
    Vec3 centre = Vec3::Zero();  ///< of mass, in the body frame [m]
    double inverse_mass = 0;     ///< [1/kg]
    Mat3 inverse_inertia = Mat3::Zero();
    Vec3 moved = Vec3::Zero(), velocity = Vec3::Zero();  ///< of its centre [m, m/s]
    Mat3 turned = Mat3::Identity();
    Vec3 spin = Vec3::Zero();     ///< [rad/s]
    std::vector<Push> felt = {};  ///< by time
    size_t next_felt = 0;
};

class RodWorld {
public:
    RodWorld(const Surroundings& around, const std::vector<std::unique_ptr<RodRun>>& runs,
             const RodRunOptions& options);

    /// From `time` on.
    void step(double time, double seconds);
    OwnMotion finish();

private:
    void place_bodies(double time, double seconds);
    void take_deviations(double time, double seconds);
    void move_mallets(double time);
    void launch(FlyingMallet& mallet, double time);
    void log_contacts(double time, double seconds);
    Vec3 rod_velocity(const ChainPlace& place, bool before) const;
    void set_laws();
    RodContactLaw law_of(const CapsuleTouch& touch) const;

    const Surroundings& around_;
    const std::vector<std::unique_ptr<RodRun>>& runs_;
    std::vector<GivingBody> bodies_;                // as the first obstacles
    std::vector<FlyingMallet> mallets_;             // behind them
    std::vector<std::vector<RodContactLaw>> laws_;  // of each rod with each rod, then with each obstacle
    std::vector<RodRows> velocities_before_;
    std::vector<RodObstacle> bodies_before_;
    std::unique_ptr<RodContacts> contacts_;
    ContactLog log_;
};

}  // namespace clangor
