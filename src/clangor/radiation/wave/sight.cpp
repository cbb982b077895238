#include <clangor/radiation/wave/sight.hpp>

#include <embree3/rtcore.h>

#include <algorithm>

namespace clangor::wave {

struct Sight::Tree {
    RTCDevice device = rtcNewDevice(nullptr);
    RTCScene scene = rtcNewScene(device);
    Vec3 middle = Vec3::Zero();
    double half_size = 1;

    Tree() = default;
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;
    ~Tree() {
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }
};

Sight::Sight(const Surface& surface) {
    auto tree = std::make_unique<Tree>();
    if (tree->device == nullptr || tree->scene == nullptr) throw Error("Embree could not be started", Blame::Work);
    // Centred and scaled, so that any size and place suit float.
    const Bounds bounds = bounds_of(surface.vertices);
    tree->middle = (bounds.low + bounds.high) / 2;
    tree->half_size = bounds.diagonal() / 2;
    rtcSetSceneFlags(tree->scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(tree->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* const points = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), surface.vertices.rows()));
    auto* const corners = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), surface.faces.rows()));
    if (points == nullptr || corners == nullptr) throw Error("Embree has no memory for the surface", Blame::Work);
    for (long v = 0; v < surface.vertices.rows(); ++v)
        for (int k = 0; k < 3; ++k)
            points[3 * v + k] = static_cast<float>((surface.vertices(v, k) - tree->middle[k]) / tree->half_size);
    std::copy_n(surface.faces.data(), surface.faces.size(), corners);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(tree->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(tree->scene);
    tree_ = std::move(tree);
}

Sight::~Sight() = default;
Sight::Sight(Sight&&) noexcept = default;

bool Sight::clear(const Vec3& from, const Vec3& to) const {
    const Eigen::Vector3f start = ((from - tree_->middle) / tree_->half_size).cast<float>();
    const Eigen::Vector3f way = ((to - from) / tree_->half_size).cast<float>();
    RTCRay ray{};
    ray.org_x = start.x();
    ray.org_y = start.y();
    ray.org_z = start.z();
    ray.dir_x = way.x();
    ray.dir_y = way.y();
    ray.dir_z = way.z();
    ray.tnear = 0.0f;
    ray.tfar = 1.0f;
    ray.mask = 0xffffffffu;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(tree_->scene, &context, &ray);
    return ray.tfar >= 0.0f;  // Embree sets it to −∞ where something is in the way
}

}  // namespace clangor::wave
