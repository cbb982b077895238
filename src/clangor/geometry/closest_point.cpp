#include <clangor/geometry/closest_point.hpp>

#include <embree3/rtcore.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

// Embree works in float. So it only proposes: the tree is searched with a radius that is larger than the best distance
// so far by more than float can be wrong, and every face inside it is measured in double.
namespace clangor {
namespace {

template <auto Release>
struct Releaser {
    template <class T>
    void operator()(T* object) const {
        Release(object);
    }
};
template <class Pointer, auto Release>
using Handle = std::unique_ptr<std::remove_pointer_t<Pointer>, Releaser<Release>>;

struct OnTriangle {
    Vec3 point, barycentric;
    double distance_sq;
};

OnTriangle closest_on_segment(const Vec3& query, const Vec3* corners, int i, int j) {
    const Vec3 along = corners[j] - corners[i];
    const double length_sq = along.squaredNorm();
    const double t = length_sq > 0 ? std::clamp((query - corners[i]).dot(along) / length_sq, 0.0, 1.0) : 0.0;
    OnTriangle found{corners[i] + t * along, Vec3::Zero(), 0};
    found.barycentric[i] = 1 - t;
    found.barycentric[j] = t;
    found.distance_sq = (query - found.point).squaredNorm();
    return found;
}

OnTriangle closest_on_triangle(const Vec3& query, const Vec3* x) {
    const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
    const double normal_sq = normal.squaredNorm();
    if (normal_sq > 0) {
        const Vec3 from = query - x[0];
        const double w1 = from.cross(x[2] - x[0]).dot(normal) / normal_sq;
        const double w2 = (x[1] - x[0]).cross(from).dot(normal) / normal_sq;
        if (w1 >= 0 && w2 >= 0 && w1 + w2 <= 1) {
            const Vec3 point = x[0] + w1 * (x[1] - x[0]) + w2 * (x[2] - x[0]);
            return {point, {1 - w1 - w2, w1, w2}, (query - point).squaredNorm()};
        }
    }
    OnTriangle best = closest_on_segment(query, x, 0, 1);
    for (const auto& [i, j] : {std::pair{1, 2}, std::pair{2, 0}}) {
        const OnTriangle other = closest_on_segment(query, x, i, j);
        if (other.distance_sq < best.distance_sq) best = other;
    }
    return best;
}

}  // namespace

struct ClosestPointQuery::Tree {
    Surface surface;
    Vec3 middle;       ///< of the box [m]
    double half_size;  ///< the tree holds (x − middle)/half_size, so that any size and place suit float [m]
    Handle<RTCDevice, rtcReleaseDevice> device;
    Handle<RTCScene, rtcReleaseScene> scene;

    explicit Tree(const Surface& of);
    void throw_if_failed() const {
        const RTCError error = rtcGetDeviceError(device.get());
        if (error == RTC_ERROR_NONE) return;
        throw Error(error == RTC_ERROR_OUT_OF_MEMORY
                        ? fmt::format("not enough memory for a search tree over {} faces; simplify the mesh",
                                      surface.faces.rows())
                        : fmt::format("Embree failed with error {} on a surface of {} faces", static_cast<int>(error),
                                      surface.faces.rows()),
                    Blame::Work);
    }
};

ClosestPointQuery::Tree::Tree(const Surface& of) : surface(of) {
    CLANGOR_ASSERT(of.faces.rows() > 0, "a surface without faces has no closest point");
    const Bounds bounds = bounds_of(surface.vertices);
    middle = (bounds.low + bounds.high) / 2;
    half_size = std::max(bounds.diagonal() / 2, std::numeric_limits<double>::min());

    device.reset(rtcNewDevice(nullptr));
    if (!device) throw Error("Embree does not start on this machine", Blame::Work);
    scene.reset(rtcNewScene(device.get()));
    const Handle<RTCGeometry, rtcReleaseGeometry> geometry(rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_TRIANGLE));
    auto* const points = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), surface.vertices.rows()));
    auto* const corners = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        geometry.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), surface.faces.rows()));
    throw_if_failed();
    for (int v = 0; v < surface.vertices.rows(); ++v) {
        const Vec3 scaled = (surface.vertices.row(v).transpose() - middle) / half_size;
        for (int k = 0; k < 3; ++k) points[3 * v + k] = static_cast<float>(scaled[k]);
    }
    std::copy_n(surface.faces.data(), surface.faces.size(), corners);
    rtcCommitGeometry(geometry.get());
    rtcAttachGeometry(scene.get(), geometry.get());
    rtcCommitScene(scene.get());
    throw_if_failed();
}

namespace {

struct Search {
    const Surface& surface;
    double half_size;
    Vec3 query;
    double float_error;  ///< bound on the tree's distances, in its units
    OnTriangle best{Vec3::Zero(), Vec3::Zero(), std::numeric_limits<double>::infinity()};
    int face = std::numeric_limits<int>::max();
};

bool measure_face(RTCPointQueryFunctionArguments* arguments) {
    Search& search = *static_cast<Search*>(arguments->userPtr);
    const int face = static_cast<int>(arguments->primID);
    const Surface& surface = search.surface;
    const Vec3 corners[3] = {surface.vertices.row(surface.faces(face, 0)), surface.vertices.row(surface.faces(face, 1)),
                             surface.vertices.row(surface.faces(face, 2))};
    const OnTriangle found = closest_on_triangle(search.query, corners);
    // Among equals the first face wins, so that the answer does not depend on the order of the search.
    if (found.distance_sq > search.best.distance_sq) return false;
    if (found.distance_sq == search.best.distance_sq && face > search.face) return false;
    search.best = found;
    search.face = face;
    const double radius = std::sqrt(found.distance_sq) / search.half_size + search.float_error;
    if (!(radius < static_cast<double>(arguments->query->radius))) return false;
    arguments->query->radius = static_cast<float>(radius * (1 + 1e-6));
    return true;
}

}  // namespace

ClosestPointQuery::ClosestPointQuery(const Surface& surface) : tree_(std::make_unique<const Tree>(surface)) {}
ClosestPointQuery::~ClosestPointQuery() = default;
ClosestPointQuery::ClosestPointQuery(ClosestPointQuery&&) noexcept = default;
ClosestPointQuery& ClosestPointQuery::operator=(ClosestPointQuery&&) noexcept = default;

ClosestPoint ClosestPointQuery::operator()(const Vec3& query) const {
    CLANGOR_ASSERT(query.allFinite(), "asked for the point closest to nowhere");
    // Beyond 1e15 float would overflow in squares; from there the radius covers all faces anyway.
    const Vec3 scaled = ((query - tree_->middle) / tree_->half_size).cwiseMax(-1e15).cwiseMin(1e15);
    // Vertices, query and Embree's own sums are each rounded to 2⁻²⁴ of their size; 32 such steps bound them all.
    const double float_error = 32 * std::ldexp(1.0, -24) * (1 + scaled.cwiseAbs().maxCoeff());
    Search search{tree_->surface, tree_->half_size, query, float_error, {}, std::numeric_limits<int>::max()};
    search.best.distance_sq = std::numeric_limits<double>::infinity();

    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    RTCPointQuery point{static_cast<float>(scaled.x()), static_cast<float>(scaled.y()), static_cast<float>(scaled.z()),
                        0.0f, std::numeric_limits<float>::infinity()};
    rtcPointQuery(tree_->scene.get(), &point, &context, measure_face, &search);
    CLANGOR_ASSERT(search.face < tree_->surface.faces.rows(), "the search tree returned no face");
    return {search.best.point, search.face, search.best.barycentric, std::sqrt(search.best.distance_sq)};
}

}  // namespace clangor
