// Box against box, by Bullet's separating axes and clipped faces: edges that cross need more than points and distances.
#include <clangor/motion/rigid/contacts.hpp>

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>

namespace clangor::rigid {
namespace {

btVector3 bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 eigen(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

btTransform bullet(const Eigen::Isometry3d& pose) {
    const Mat3 r = pose.linear();
    return btTransform(btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
                       bullet(Vec3(pose.translation())));
}

struct Collected final : btDiscreteCollisionDetectorInterface::Result {
    std::vector<Contact> contacts;
    double inflated = 0;  ///< the boxes are larger by half of this on each side [m]

    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3& normal_on_b, const btVector3& point_on_b, btScalar depth) override {
        Contact contact;
        contact.normal = eigen(normal_on_b);
        contact.gap = depth + inflated;
        contact.on_b = eigen(point_on_b) - inflated / 2 * contact.normal;
        contact.on_a = contact.on_b + contact.gap * contact.normal;
        contacts.push_back(contact);
    }
};

}  // namespace

// Bullet finds overlaps only; boxes larger by half the margin overlap where these are a margin apart.
std::vector<Contact> contacts_of_boxes(const Box& a, const Eigen::Isometry3d& world_from_a, const Box& b,
                                       const Eigen::Isometry3d& world_from_b, double margin) {
    const Vec3 border = Vec3::Constant(margin / 2);
    btBoxShape box_a(bullet(a.size / 2 + border)), box_b(bullet(b.size / 2 + border));
    btBoxBoxDetector detector(&box_a, &box_b);
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_transformA = bullet(world_from_a);
    input.m_transformB = bullet(world_from_b);
    Collected collected;
    collected.inflated = margin;
    detector.getClosestPoints(input, collected, nullptr);
    return std::move(collected.contacts);
}

}  // namespace clangor::rigid
