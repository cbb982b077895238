// Where grains touch the other objects, for what does not know it to the micrometre. Internal to objects/grains.
#pragma once

#include <clangor/objects/objects.hpp>

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace clangor {

/// The surfaces of neighbours, each made when it is asked for first.
class WallSurfaces {
public:
    explicit WallSurfaces(const Surroundings& around) : around_(around), solids_(around.neighbours.size()) {}

    /// The nearest point of a neighbour, in its own frame.
    Vec3 nearest(int wall, const Vec3& point);
    Vec3 nearest_in_world(int wall, const Vec3& point, double time);
    double size_of(int wall) const;  ///< of the object; of a floor 0 [m]
    /// Whether a point of the world is in the material of a neighbour that has an inside.
    bool is_inside(int wall, const Vec3& point, double time);

    /// A ball that moves straight from one moment to another.
    struct Flight {
        double begin = 0, end = 0;                    ///< [s]
        Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< of its centre [m]
        double radius = 0;                            ///< [m]
    };
    struct Hit {
        int wall = -1;
        double time = 0;              ///< [s]
        Vec3 point = Vec3::Zero();    ///< in the world [m]
        Vec3 normal = Vec3::UnitY();  ///< out of the wall
        double speed = 0;             ///< of approach along it [m/s]
    };
    /// What it meets first. What it touches at the start is not met.
    std::optional<Hit> first_hit(const Flight& flight);

private:
    std::optional<Hit> hit_on(int wall, const Flight& flight);

    struct Solid {
        Surface surface;
        ClosestPointQuery closest;
    };
    const Solid* solid(int wall);  // null: a floor

    const Surroundings& around_;
    std::vector<std::shared_ptr<const Solid>> solids_;  // null: not made yet, or a floor
};

}  // namespace clangor
