// From contacts in each step to impacts and touches. Internal to objects/rod.
#pragma once

#include <clangor/objects/objects.hpp>

#include <vector>

namespace clangor {

/// A contact of a rod with another body during one step.
struct LoggedContact {
    int rod = -1, body = -1;          ///< numbers of objects
    double along = 0;                 ///< on the rod, in segments
    double approach = 0;              ///< speed before the step [m/s]
    Vec3 slip = Vec3::Zero();         ///< of the rod over the body, in the world [m/s]
    Vec3 impulse = Vec3::Zero();      ///< on the rod, in the world [N·s]
    Vec3 normal = Vec3::Zero();       ///< out of the body, in the world
    Vec3 from_centre = Vec3::Zero();  ///< of the place, from the rod's centre, in the world [m]
    Eigen::Isometry3d body_pose = Eigen::Isometry3d::Identity();
    Vec3 point = Vec3::Zero();  ///< in the world [m]
};

/// Contacts at one place follow each other; where nothing touched for a while before, the first of it is an impact.
/// What lasts is a row of touches.
class ContactLog {
public:
    explicit ContactLog(double min_approach_speed) : min_approach_speed_(min_approach_speed) {}
    void add(const LoggedContact& contact, double time, double step);
    void end_of_step(double time);
    void finish(OwnMotion& own);

private:
    struct Patch {
        LoggedContact first;
        double begin = 0, part_begin = 0, last = 0;
        bool is_impact = false;
        Vec3 impulse = Vec3::Zero(), body_impulse = Vec3::Zero(), body_normal = Vec3::Zero(),
             rod_impulse = Vec3::Zero();
        Vec3 body_point = Vec3::Zero(), from_centre = Vec3::Zero();  // weighted
        double weight = 0, slip = 0, along = 0;
    };
    void emit(Patch& patch, double end);

    double min_approach_speed_;
    std::vector<Patch> patches_;
    OwnMotion own_;
};

}  // namespace clangor
