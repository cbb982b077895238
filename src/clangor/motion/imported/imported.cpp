#include <clangor/motion/imported/imported.hpp>

#include <clangor/motion/imported/approach.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace clangor {
namespace {

// An impact whose speed comes out as nothing. Contact times go with v^(−1/5), so that ten times too much is 1.6 times
// too short a contact: heard, but hardly wrong [m/s].
constexpr double slowest = 0.05;

template <class... Args>
[[noreturn]] void fail(const std::string& where, fmt::format_string<Args...> message, Args&&... args) {
    throw Error((where.empty() ? "" : where + ": ") + fmt::format(message, std::forward<Args>(args)...));
}

/// The surface of a body near a point.
struct Near {
    Vec3 point = Vec3::Zero();   ///< on it, in the body frame [m]
    Vec3 normal = Vec3::Zero();  ///< out of it, in the body frame
    double distance = 0;         ///< [m]
    bool in_face = false;        ///< not at an edge or a corner, where the normal is anyone's guess
};

/// A body that events name, ready to be asked.
class Asked {
public:
    Asked(const ImportedBody& body, int index) : body_(body), index_(index), moves_(clangor::moves(body.path)) {
        if (!body.surface || body.surface->faces.rows() == 0) return;
        query_.emplace(*body.surface);
        size_ = bounds_of(body.surface->vertices).diagonal();
    }

    const ImportedBody& body() const { return body_; }
    int index() const { return index_; }
    double size() const { return size_; }
    bool moves() const { return moves_; }
    bool has_surface() const { return body_.ground || query_.has_value(); }

    Near near(const Vec3& point_body) const {
        if (body_.ground) {
            const Vec3 below(point_body.x(), 0, point_body.z());
            return {below, Vec3::UnitY(), std::abs(point_body.y()), true};
        }
        const ClosestPoint closest = (*query_)(point_body);
        const auto corner = [&](int k) {
            return Vec3(body_.surface->vertices.row(body_.surface->faces(closest.face, k)).transpose());
        };
        const Vec3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
        return {closest.point, normal, closest.distance, closest.barycentric.minCoeff() > 0.02};
    }

private:
    const ImportedBody& body_;
    int index_;
    std::optional<ClosestPointQuery> query_;
    double size_ = 0;
    bool moves_ = false;
};

/// One event while it is being completed: everything in the world.
struct PlacedImpact {
    const ImportedImpact& event;
    const Asked& object;
    const Asked* other;  ///< none: the file does not say
    Eigen::Isometry3d object_pose, other_pose;
    Vec3 point = Vec3::Zero();
    Vec3 normal = Vec3::Zero();  ///< out of the object
    Vec3 impulse = Vec3::Zero();
    Near on_object = {}, on_other = {};
};

class Completion {
public:
    Completion(const std::vector<ImportedBody>& bodies, const ImportOptions& options)
        : bodies_(bodies), options_(options) {
        for (std::size_t b = 0; b < bodies.size(); ++b) index_.emplace(bodies[b].name, static_cast<int>(b));
    }

    CompletedImpacts all(const std::vector<ImportedImpact>& events) {
        CompletedImpacts done;
        done.impacts.reserve(events.size());
        for (const ImportedImpact& event : events) {
            if (std::optional<Impact> impact = completed(event)) done.impacts.push_back(std::move(*impact));
        }
        std::ranges::stable_sort(done.impacts, {}, &Impact::time);
        for (const auto& [kind, note] : notes_) {
            done.warnings.push_back(
                fmt::format("imported impacts {}: {} (the first at {})", kind, note.count, note.first));
        }
        return done;
    }

private:
    struct Note {
        long count = 0;
        std::string first;
    };
    void note(const std::string& kind, const ImportedImpact& event) {
        Note& entry = notes_[kind];
        if (entry.count++ == 0) entry.first = event.where.empty() ? fmt::format("{} s", event.time) : event.where;
    }

    const Asked& asked(const std::string& name, const std::string& where) {
        const auto found = index_.find(name);
        if (found == index_.end()) {
            std::vector<std::string> known;
            for (const ImportedBody& body : bodies_) known.push_back(body.name);
            fail(where, "no object is named \"{}\"; {}", name, suggestion(name, known));
        }
        const auto existing = asked_.find(found->second);
        if (existing != asked_.end()) return existing->second;
        const ImportedBody& body = bodies_[found->second];
        return asked_.try_emplace(found->second, body, found->second).first->second;
    }

    std::optional<Impact> completed(const ImportedImpact& event) {
        if (!event.impulse && !event.magnitude) {
            fail(event.where, "the impact on \"{}\" has no impulse; without it nothing sounds", event.object);
        }
        const Asked& object = asked(event.object, event.where);
        const Asked* const other = event.other.empty() ? nullptr : &asked(event.other, event.where);
        if (other == &object) fail(event.where, "\"{}\" cannot hit itself; name what it hits", event.object);
        if (!(event.time >= 0 && event.time <= options_.duration)) {
            note(fmt::format("outside the clip of {} s, left out", options_.duration), event);
            return std::nullopt;
        }
        if (object.body().ground && !other) {
            note("on the ground by nobody, left out", event);
            return std::nullopt;
        }
        if ((event.impulse ? event.impulse->norm() : std::abs(*event.magnitude)) == 0) {
            note("without any impulse, left out", event);
            return std::nullopt;
        }
        PlacedImpact placed{
            .event = event,
            .object = object,
            .other = other,
            .object_pose = pose_at(object.body().path, event.time),
            .other_pose = other ? pose_at(other->body().path, event.time) : Eigen::Isometry3d::Identity()};
        place(placed);
        if (!direct(placed)) return std::nullopt;
        return impact_of(placed);
    }

    void check_distance(const PlacedImpact& placed, const Asked& body, const Near& near, double size,
                        double play) const {
        if (near.distance <= options_.far * size + play || size == 0) return;
        fail(placed.event.where,
             "at {:.4g} s the point is {:.3g} m from the surface of \"{}\"; check its unit, its frame (world or "
             "body), and that the trajectory is of the same take",
             placed.event.time, near.distance, body.body().name);
    }

    // Both bodies' surfaces at the point. The other may be as far off as the larger of the two allows: a solver's
    // margins go with the size of what it simulates.
    void place(PlacedImpact& placed) const {
        const ImportedImpact& event = placed.event;
        placed.point = event.in_body_frame ? placed.object_pose * event.point : event.point;
        const double other_size = placed.other ? placed.other->size() : 0;
        const double larger = std::max(placed.object.size(), other_size);
        placed.on_object.point = placed.object_pose.inverse() * placed.point;
        double play = event.in_body_frame ? 0 : play_at(placed.object.body().path, event.time, placed.on_object.point);
        if (placed.object.has_surface()) {
            placed.on_object = placed.object.near(placed.on_object.point);
            check_distance(placed, placed.object, placed.on_object,
                           placed.object.body().ground ? larger : placed.object.size(), play);
        }
        if (!placed.other) return;
        placed.on_other.point = placed.other_pose.inverse() * placed.point;
        if (!placed.other->has_surface()) return;
        play = play_at(placed.object.body().path, event.time, placed.on_object.point) +
               play_at(placed.other->body().path, event.time, placed.on_other.point);
        placed.on_other = placed.other->near(placed.on_other.point);
        check_distance(placed, *placed.other, placed.on_other, larger, play);
    }

    // The normals that the two surfaces offer, out of the object, the better one first.
    std::vector<Vec3> offered(const PlacedImpact& placed) const {
        std::vector<Vec3> normals;
        if (placed.object.has_surface()) normals.push_back(placed.object_pose.linear() * placed.on_object.normal);
        if (placed.other && placed.other->has_surface()) {
            normals.push_back(-(placed.other_pose.linear() * placed.on_other.normal));
        }
        if (normals.size() < 2) return normals;
        // A corner that hits a face: the face knows the normal. The ground is all face.
        const bool other_knows = placed.other->body().ground || (placed.on_other.in_face && !placed.on_object.in_face);
        if (other_knows && !placed.object.body().ground) std::swap(normals[0], normals[1]);
        return normals;
    }

    // The normal and the impulse: the object is pushed against its normal. False where it is pulled.
    bool direct(PlacedImpact& placed) {
        const ImportedImpact& event = placed.event;
        const auto in_world = [&](const Vec3& v) -> Vec3 {
            return event.in_body_frame ? placed.object_pose.linear() * v : v;
        };
        const std::vector<Vec3> normals = offered(placed);
        if (event.normal) {
            placed.normal = in_world(event.normal->normalized());
            // Some programs give the normal into the object. The mesh tells, and without one the impulse.
            const double outward = !normals.empty() ? placed.normal.dot(normals[0])
                                   : event.impulse  ? -placed.normal.dot(in_world(*event.impulse))
                                                    : 1;
            if (outward < 0) placed.normal = -placed.normal;
        } else if (!normals.empty()) {
            placed.normal = normals[0];
            const bool swap = normals.size() > 1 && event.impulse && !certain(placed) &&
                              in_world(*event.impulse).dot(normals[1]) < in_world(*event.impulse).dot(normals[0]);
            if (swap) placed.normal = normals[1];
        } else if (event.impulse) {
            placed.normal = -in_world(*event.impulse).normalized();
        } else {
            fail(event.where, "\"{}\" has no mesh to take the normal from; give it, or the impulse as a vector",
                 event.object);
        }
        placed.impulse = event.impulse ? in_world(*event.impulse) : Vec3(-*event.magnitude * placed.normal);
        if (placed.impulse.dot(placed.normal) > 0.1 * placed.impulse.norm()) {
            note(
                "that pull the two together instead of pushing them apart, left out; is the impulse that of the other "
                "body?",
                event);
            return false;
        }
        return true;
    }

    // One of the two surfaces is a face at the point, so that the order of `offered` holds.
    static bool certain(const PlacedImpact& placed) {
        return placed.object.body().ground || placed.other->body().ground || placed.on_object.in_face ||
               placed.on_other.in_face;
    }

    double approach_speed(const PlacedImpact& placed) {
        const ImportedImpact& event = placed.event;
        if (event.approach_speed && *event.approach_speed > 0) return *event.approach_speed;
        const bool any_moves = placed.object.moves() || (placed.other && placed.other->moves());
        if (!event.approach_speed && !any_moves) {
            fail(event.where,
                 "the approach speed of \"{}\" is not known: the file gives none, and no trajectory moves; add a "
                 "column \"speed\"",
                 event.object);
        }
        const double closing =
            speed_before(placed.object.body().path, event.time, placed.on_object.point, placed.normal) +
            (placed.other ? speed_before(placed.other->body().path, event.time, placed.on_other.point, -placed.normal)
                          : 0);
        if (closing > 0) return closing;
        note("of bodies that do not approach each other, which sound as fast as they part", event);
        return std::max(slowest, -closing);
    }

    Impact impact_of(const PlacedImpact& placed) {
        Impact impact{.time = placed.event.time,
                      .impulse = placed.impulse,
                      .approach_speed = approach_speed(placed),
                      .sides = {}};
        const auto side = [](const Asked& body, const Eigen::Isometry3d& pose, const Near& near, const Vec3& normal,
                             const Vec3& impulse) {
            const Mat3 body_from_world = pose.linear().transpose();
            return ContactSide{body.index(), near.point, body_from_world * normal, body_from_world * impulse};
        };
        impact.sides[0] = side(placed.object, placed.object_pose, placed.on_object, placed.normal, placed.impulse);
        if (placed.other)
            impact.sides[1] = side(*placed.other, placed.other_pose, placed.on_other, -placed.normal, -placed.impulse);
        return impact;
    }

    const std::vector<ImportedBody>& bodies_;
    const ImportOptions& options_;
    std::unordered_map<std::string, int> index_;
    std::map<int, Asked> asked_;
    std::map<std::string, Note> notes_;
};

}  // namespace

CompletedImpacts complete_impacts(const std::vector<ImportedImpact>& events, const std::vector<ImportedBody>& bodies,
                                  const ImportOptions& options) {
    return Completion(bodies, options).all(events);
}

}  // namespace clangor
