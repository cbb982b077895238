// The take of stairs/make_take.py: twelve things that Blender let fall down stairs, and what hit what.
#pragma once

#include "worlds.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace clangor::testing {

/// A contact as the simulation tells it.
struct TrueContact {
    double time = 0, until = 0;               ///< from its first step to its last [s]
    std::pair<std::string, std::string> who;  ///< in alphabetical order
    double speed = 0;                         ///< of approach [m/s]
    bool hits = true;                         ///< they were apart before; otherwise they roll or rock on each other
};

struct StairsTake {
    RigidWorld world;  ///< all driven at 480 poses a second, or fixed
    std::vector<TrueContact> contacts;
    double duration = 0;  ///< [s]
};

inline constexpr const char* stairs_folder = "tests/motion/rigid/stairs/";

/// A profile of (radius, height) pairs turned about y; points on the axis are one vertex, and a profile that does not
/// begin there is closed. As make_take.py makes it.
inline Surface lathed(const std::vector<Vec3>& profile, int segments) {
    std::vector<Vec3> vertices;
    std::vector<std::vector<int>> rings;
    for (const Vec3& at : profile) {
        rings.emplace_back();
        for (int k = 0; k < (at.x() == 0 ? 1 : segments); ++k) {
            const double angle = 2 * pi * k / segments;
            rings.back().push_back(int(vertices.size()));
            vertices.emplace_back(at.x() * std::cos(angle), at.y(), -at.x() * std::sin(angle));
        }
    }
    std::vector<std::array<int, 3>> faces;
    const auto add = [&](int a, int b, int c) {
        if (a != b && b != c && c != a) faces.push_back({a, b, c});
    };
    const bool closed = profile[0].x() != 0;
    for (std::size_t i = 0; i + (closed ? 0 : 1) < rings.size(); ++i) {
        const std::vector<int>&low = rings[i], &high = rings[(i + 1) % rings.size()];
        const auto of = [&](const std::vector<int>& ring, int k) { return ring[std::size_t(k) % ring.size()]; };
        for (int k = 0; k < segments; ++k) {
            add(of(low, k), of(low, k + 1), of(high, k + 1));
            add(of(low, k), of(high, k + 1), of(high, k));
        }
    }
    Surface surface{Points(long(vertices.size()), 3), Triangles(long(faces.size()), 3)};
    for (std::size_t i = 0; i < vertices.size(); ++i) surface.vertices.row(long(i)) = vertices[i].transpose();
    for (std::size_t i = 0; i < faces.size(); ++i)
        for (int k = 0; k < 3; ++k) surface.faces(long(i), k) = faces[i][std::size_t(k)];
    return surface;
}

inline void give_mass(RigidBody& body, const Surface& surface, double density) {
    const MassProperties solid = mass_properties(surface);
    body.mass = density * solid.volume;
    body.centre = solid.centre;
    body.inertia = density * solid.inertia;
}

inline RigidBody body_of_take(std::istream& line) {
    RigidBody body{.movement = Movement::Driven};
    double density = 0;
    std::string kind;
    line >> body.name >> density >> kind;
    if (kind == "lathe") {
        int segments = 0;
        std::vector<Vec3> profile;
        line >> segments;
        for (double r = 0, y = 0; line >> r >> y;) profile.emplace_back(r, y, 0);
        const Surface surface = lathed(profile, segments);
        body.shape = collision_shape(surface);
        give_mass(body, surface, density);
        return body;
    }
    Vec3 size = Vec3::Zero();
    line >> size.x() >> size.y() >> size.z();
    const Shape shape = kind == "ball"  ? Shape(Sphere{size.x()})
                        : kind == "box" ? Shape(Box{.size = size})
                                        : Shape(Cylinder{.radius = size.x(), .height = size.y()});
    body.shape = collision_shape(shape);
    give_mass(body, surface_of(shape), density);
    return body;
}

/// Whole numbers whose second differences are in the file.
inline Trajectory path_of_take(std::istream& file, long frames) {
    Trajectory path{Eigen::VectorXd(frames), Points(frames, 3), Rotations(frames, 4)};
    using Row = Eigen::Matrix<double, 7, 1>;
    Row now = Row::Zero(), step = Row::Zero();
    long same = 0;
    for (long i = 0; i < frames; ++i) {
        std::string line;
        if (same == 0 && std::getline(file, line) && line.starts_with('=')) same = std::stol(line.substr(1));
        if (same > 0) {
            --same;
        } else {
            std::istringstream cells(line);
            std::string cell;
            for (int k = 0; k < 7; ++k)
                if (cells >> cell && cell != ".") step[k] += std::stod(cell);
        }
        now += step;
        path.times[i] = double(i) / 480;
        path.positions.row(i) = 1e-5 * now.head<3>().transpose();
        path.rotations.row(i) = now.tail<4>().normalized().transpose();
    }
    return path;
}

inline std::pair<std::string, std::string> in_order(const std::string& a, const std::string& b) {
    return a < b ? std::pair(a, b) : std::pair(b, a);
}

inline StairsTake stairs_take(const std::string& folder = stairs_folder) {
    StairsTake take;
    std::ifstream file(folder + "stairs.take");
    for (std::string text; std::getline(file, text);) {
        std::istringstream line(text);
        std::string what;
        line >> what;
        if (what == "fixed") {
            RigidBody step{.movement = Movement::Fixed};
            std::string ignored;
            Vec3 size, at;
            line >> step.name >> ignored >> size.x() >> size.y() >> size.z() >> ignored >> at.x() >> at.y() >> at.z();
            step.shape = collision_shape(Box{.size = size});
            step.path = at_rest(placed(at));
            take.world.bodies.push_back(step);
        } else if (what == "body") {
            take.world.bodies.push_back(body_of_take(line));
        } else if (what == "frames") {
            long frames = 0;
            line >> frames;
            take.world.bodies.back().path = path_of_take(file, frames);
            take.duration = double(frames - 1) / 480;
        }
    }
    take.world.bodies.push_back(floor_body());
    std::ifstream contacts(folder + "stairs.contacts.csv");
    std::string text;
    std::getline(contacts, text);
    while (std::getline(contacts, text)) {
        std::istringstream line(text);
        std::string time, until, object, other, speed, hits;
        std::getline(line, time, ','), std::getline(line, until, ','), std::getline(line, object, ',');
        std::getline(line, other, ','), std::getline(line, speed, ','), std::getline(line, hits, ',');
        take.contacts.push_back(
            {std::stod(time), std::stod(until), in_order(object, other), std::stod(speed), hits == "1"});
    }
    return take;
}

/// Every so many-th pose.
inline Trajectory thinned(const Trajectory& path, long every) {
    const long frames = (path.times.size() - 1) / every + 1;
    if (path.times.size() == 1) return path;
    Trajectory thin{Eigen::VectorXd(frames), Points(frames, 3), Rotations(frames, 4)};
    for (long i = 0; i < frames; ++i) {
        thin.times[i] = path.times[i * every];
        thin.positions.row(i) = path.positions.row(i * every);
        thin.rotations.row(i) = path.rotations.row(i * every);
    }
    return thin;
}

/// How impacts that were found agree with what happened.
struct Agreement {
    long contacts = 0;                    ///< over 0.2 m/s that happened
    long found = 0;                       ///< of them
    long impacts = 0;                     ///< over 0.2 m/s that were found, those of one pair within 8 ms as one
    long touches = 0;                     ///< of them: where the two roll or rock on each other
    long not_there = 0;                   ///< of them: where nothing happened
    std::vector<std::string> lines = {};  ///< what is missing, and what is wrong
};

/// Contacts are found one to one, those nearest in time first, within `window` [s]. An impact is right if there is a
/// contact of its pair within the window, however slow, before which the two were apart.
inline Agreement agreement(const StairsTake& take, const Motion& motion, double window) {
    std::vector<TrueContact> found;
    for (const Impact& impact : motion.impacts) {
        const auto name = [&](int side) {
            return take.world.bodies[std::size_t(impact.sides[std::size_t(side)].body)].name;
        };
        const TrueContact one{impact.time, impact.time, in_order(name(0), name(1)), impact.approach_speed};
        bool known = false;
        for (TrueContact& other : found)
            if (other.who == one.who && std::abs(other.time - one.time) <= 4.01 / 480) {
                known = true;
                other.speed = std::max(other.speed, one.speed);
            }
        if (!known) found.push_back(one);
    }
    struct Match {
        double apart;
        std::size_t truth, impact;
    };
    std::vector<Match> matches;
    for (std::size_t t = 0; t < take.contacts.size(); ++t)
        for (std::size_t i = 0; i < found.size(); ++i)
            if (const double apart =
                    std::max({take.contacts[t].time - found[i].time, found[i].time - take.contacts[t].until, 0.0});
                take.contacts[t].who == found[i].who && apart <= window)
                matches.push_back({apart, t, i});
    std::vector<bool> is_found(take.contacts.size()), is_there(found.size()), is_near(found.size());
    std::vector<bool> is_hit(found.size());
    for (const Match& match : matches) {
        is_near[match.impact] = true;
        if (take.contacts[match.truth].hits) is_hit[match.impact] = true;
    }
    Agreement result;
    const auto take_matches = [&](bool fast) {
        std::stable_sort(matches.begin(), matches.end(),
                         [](const Match& x, const Match& y) { return x.apart < y.apart; });
        for (const Match& match : matches) {
            if ((take.contacts[match.truth].speed > 0.2 && take.contacts[match.truth].hits) != fast ||
                is_found[match.truth] || is_there[match.impact])
                continue;
            is_found[match.truth] = is_there[match.impact] = true;
        }
    };
    take_matches(true);
    const auto line = [](const char* what, const TrueContact& one) {
        std::ostringstream text;
        text << what << " " << one.time << " s " << one.who.first << " " << one.who.second << " " << one.speed
             << " m/s";
        return text.str();
    };
    for (std::size_t t = 0; t < take.contacts.size(); ++t) {
        if (take.contacts[t].speed <= 0.2 || !take.contacts[t].hits) continue;
        ++result.contacts;
        if (is_found[t])
            ++result.found;
        else
            result.lines.push_back(line("missing", take.contacts[t]));
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].speed <= 0.2) continue;
        ++result.impacts;
        if (is_hit[i]) continue;
        ++(is_near[i] ? result.touches : result.not_there);
        result.lines.push_back(line(is_near[i] ? "a touch" : "not there", found[i]));
    }
    return result;
}

}  // namespace clangor::testing
