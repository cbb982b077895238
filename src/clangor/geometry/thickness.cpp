#include <clangor/geometry/thickness.hpp>

#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace clangor {

Eigen::VectorXd wall_thicknesses(const Surface& surface) {
    constexpr int count = 4000;
    Eigen::VectorXd thickness = Eigen::VectorXd::Zero(surface.faces.rows());
    int done = 0;
    for (const geometry::ThicknessSample& sample : geometry::thickness_samples(surface, count)) {
        for (; done <= sample.face; ++done) thickness[done] = sample.thickness;
        thickness[sample.face] = std::min(thickness[sample.face], sample.thickness);
    }
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(surface.vertices.rows()), areas = sum;
    for (long f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 a = surface.vertices.row(surface.faces(f, 0)), b = surface.vertices.row(surface.faces(f, 1)),
                   c = surface.vertices.row(surface.faces(f, 2));
        const double area = (b - a).cross(c - a).norm();
        for (int corner = 0; corner < 3; ++corner) {
            sum[surface.faces(f, corner)] += area * thickness[f];
            areas[surface.faces(f, corner)] += area;
        }
    }
    return (areas.array() > 0).select(sum.array() / areas.array(), 0).matrix();
}

}  // namespace clangor

namespace clangor::geometry {
namespace {

/// Rays through a surface. Embree works in float, which is ample for a length that only steers the mesh.
class RayScene {
public:
    explicit RayScene(const Surface& surface) : device_(rtcNewDevice(nullptr)), scene_(rtcNewScene(device_)) {
        RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
        auto* const points = static_cast<float*>(rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), surface.vertices.rows()));
        auto* const corners = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), surface.faces.rows()));
        // Centred and scaled, so that any size and place suit float.
        const Bounds bounds = bounds_of(surface.vertices);
        middle_ = (bounds.low + bounds.high) / 2;
        half_size_ = bounds.diagonal() / 2;
        for (int v = 0; v < surface.vertices.rows(); ++v)
            for (int k = 0; k < 3; ++k)
                points[3 * v + k] = static_cast<float>((surface.vertices(v, k) - middle_[k]) / half_size_);
        std::copy_n(surface.faces.data(), surface.faces.size(), corners);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene_, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene_);
    }
    RayScene(const RayScene&) = delete;
    RayScene& operator=(const RayScene&) = delete;
    ~RayScene() {
        rtcReleaseScene(scene_);
        rtcReleaseDevice(device_);
    }

    struct Hit {
        double distance = 0;
        int face = -1;  ///< −1: nothing hit
    };
    Hit operator()(const Vec3& from, const Vec3& direction) const {
        const Vec3 scaled = (from - middle_) / half_size_;
        RTCRayHit ray{};
        ray.ray.org_x = static_cast<float>(scaled.x());
        ray.ray.org_y = static_cast<float>(scaled.y());
        ray.ray.org_z = static_cast<float>(scaled.z());
        ray.ray.dir_x = static_cast<float>(direction.x());
        ray.ray.dir_y = static_cast<float>(direction.y());
        ray.ray.dir_z = static_cast<float>(direction.z());
        ray.ray.tnear = 2e-6f;  // past the face that the ray starts on
        ray.ray.tfar = 4.0f;
        ray.ray.mask = 0xffffffffu;
        ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene_, &context, &ray);
        if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
        return {static_cast<double>(ray.ray.tfar) * half_size_, static_cast<int>(ray.hit.primID)};
    }

private:
    RTCDevice device_;
    RTCScene scene_;
    Vec3 middle_;
    double half_size_ = 1;
};

using Triangle = std::array<Vec3, 3>;

/// Halves a triangle across its longest side until its parts are small, and appends their centroids.
void append_samples(std::vector<ThicknessSample>& samples, const Triangle& x, double max_area) {
    const double area = (x[1] - x[0]).cross(x[2] - x[0]).norm() / 2;
    if (area <= max_area) {
        samples.push_back({(x[0] + x[1] + x[2]) / 3, 0, std::sqrt(max_area), area, -1});
        return;
    }
    std::size_t k = 0;  // the longest side runs from k to k + 1
    for (std::size_t i = 1; i < 3; ++i)
        if ((x[(i + 1) % 3] - x[i]).norm() > (x[(k + 1) % 3] - x[k]).norm()) k = i;
    const Vec3 middle = (x[k] + x[(k + 1) % 3]) / 2;
    append_samples(samples, {x[k], middle, x[(k + 2) % 3]}, max_area);
    append_samples(samples, {middle, x[(k + 1) % 3], x[(k + 2) % 3]}, max_area);
}

double thickness_at(const RayScene& rays, const std::vector<Vec3>& normals, const Vec3& point, const Vec3& normal,
                    double size) {
    const double tilt = 25 * pi / 180;
    const Vec3 tangent = normal.unitOrthogonal();
    const Vec3 bitangent = normal.cross(tangent);
    std::array<double, 5> depths{};
    for (std::size_t i = 0; i < depths.size(); ++i) {
        const double around = pi / 2 * static_cast<double>(i);
        const Vec3 aside = std::cos(around) * tangent + std::sin(around) * bitangent;
        const Vec3 direction = i == 4 ? Vec3(-normal) : Vec3(-std::cos(tilt) * normal + std::sin(tilt) * aside);
        const RayScene::Hit hit = rays(point, direction);
        depths[i] = hit.face < 0 ? size : hit.distance * -direction.dot(normal);
        // Where the far side slopes, the body is a wedge: it thins out to nothing at its edge, and to follow that
        // with ever smaller elements would be waste.
        const bool is_wall = hit.face >= 0 && normals[hit.face].dot(normal) < -0.9;
        if (!is_wall) depths[i] = std::max(depths[i], size / 60);
    }
    std::nth_element(depths.begin(), depths.begin() + 2, depths.end());
    return depths[2];
}

}  // namespace

std::vector<ThicknessSample> thickness_samples(const Surface& surface, int count) {
    const RayScene rays(surface);
    const Bounds bounds = bounds_of(surface.vertices);
    const double size = (bounds.high - bounds.low).maxCoeff();
    const double max_area = area_of(surface) / count;

    // Finely tessellated surfaces have more faces than samples are wanted; then every few faces get one.
    std::vector<Vec3> normals;
    std::vector<ThicknessSample> samples;
    double pending_area = 0;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const Triangle x = {surface.vertices.row(surface.faces(f, 0)), surface.vertices.row(surface.faces(f, 1)),
                            surface.vertices.row(surface.faces(f, 2))};
        const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
        normals.push_back(normal.normalized());
        pending_area += normal.norm() / 2;
        if (pending_area < max_area / 2 && f + 1 < surface.faces.rows()) continue;
        const std::size_t first = samples.size();
        append_samples(samples, x, max_area);
        for (std::size_t i = first; i < samples.size(); ++i) {
            samples[i].area = pending_area / static_cast<double>(samples.size() - first);
            samples[i].face = f;
        }
        pending_area = 0;
    }
    for (ThicknessSample& sample : samples)
        sample.thickness = thickness_at(rays, normals, sample.point, normals[sample.face], size);
    return samples;
}

}  // namespace clangor::geometry
