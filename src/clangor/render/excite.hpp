// What blows, sliding and rest do to the modes of each body. Internal to render.
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/motion/record/record.hpp>
#include <clangor/vibration/oscillator/oscillator.hpp>

#include <memory>

namespace clangor {

/// A point on a body's surface.
struct ContactPoint {
    Vec3 point = Vec3::Zero();  ///< on the surface, body frame [m]
    double distance = 0;        ///< from where it was asked for [m]
    double curvature = 0;       ///< mean curvature there, positive where convex [1/m]
    std::vector<int> nodes;     ///< of the skin's face that it lies on; none where the body has no model
    Eigen::VectorXd weights;    ///< the face's shape functions there
};

/// Finds contact points of one body. Construction builds a search tree.
class ContactFinder {
public:
    explicit ContactFinder(const io::BakedSolid& model);
    explicit ContactFinder(const Surface& surface);  ///< of a body that does not ring
    ContactPoint operator()(const Vec3& at) const;

private:
    ContactFinder(const io::BakedSolid* model, Surface surface);
    const io::BakedSolid* model_;
    Surface flat_;
    Eigen::VectorXd curvatures_;
    ClosestPointQuery closest_;
};

/// uᵀJ of each mode at a contact point [N·s·kg^-1/2].
Eigen::VectorXd modal_impulse(const io::BakedSolid& model, const ContactPoint& contact, const Vec3& impulse);

/// A body as contacts see it.
struct ContactBody {
    const Material* material = nullptr;
    const io::BakedSolid* model = nullptr;        ///< none: it does not ring
    std::shared_ptr<const ContactFinder> finder;  ///< none for the ground, which is flat
    double mass = 0;                              ///< 0: it does not give way [kg]
    Vec3 centre = Vec3::Zero();                   ///< of mass [m]
    Mat3 inertia = Mat3::Zero();                  ///< about the centre [kg·m²]
    double radius = 0;                            ///< about the centre, of all of it; infinite for the ground [m]
    bool clicks = false;                          ///< its accelerations are heard
};

/// A push at one body, in its frame: what makes it accelerate.
struct Blow {
    double time = 0;      ///< [s]
    double duration = 0;  ///< [s]
    PulseShape shape = PulseShape::Hertz;
    Vec3 point = Vec3::Zero();    ///< [m]
    Vec3 impulse = Vec3::Zero();  ///< [N·s]
};

/// What makes one body ring: strikes with one modal impulse a mode of its model, and the damping of what it rests on.
struct Excitation {
    std::vector<Strike> strikes;
    std::vector<Blow> blows;         ///< of bodies whose accelerations are heard, by time
    std::vector<DampingKnot> extra;  ///< here xi is what is added to the material's; empty where it never rests
};

struct ExciteOptions {
    double duration = 0;  ///< [s]
    double sample_rate = 48000;
    double roughness = 1;
    double contact_damping = 1;
    std::uint64_t seed = 0;
};

/// One for each body: impacts by Hertz's pulse, touches by the roughness of surfaces and by contact damping.
std::vector<Excitation> excite(const Motion& motion, const std::vector<ContactBody>& bodies,
                               const ExciteOptions& options, std::vector<std::string>& warnings);

/// Strikes so dense that single ones cannot be told apart (over 256 in a block of samples) are put together where they
/// begin within an eighth of a sample of each other and last equally long to 10 %. The modal impulses are added: the
/// ringing after them stays exact in strength. Returns how many were merged away.
long merge_dense(std::vector<Strike>& strikes, double sample_rate);

}  // namespace clangor
