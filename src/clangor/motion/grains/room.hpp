// Where grains and walls leave room for another grain, and where it comes to rest. Internal to motion/grains.
#pragma once

#include <clangor/motion/grains/cells.hpp>
#include <clangor/motion/grains/walls.hpp>

#include <optional>
#include <vector>

namespace clangor::grains {

/// Grains that lie still and walls that stand; grains come in one by one.
class Room {
public:
    /// For so many grains in all, none larger than `largest`; walls are where they are at time 0.
    Room(const GrainWorld& world, const Vec3& low, const Vec3& high, double largest, std::size_t count);

    bool is_free(const Vec3& x, double radius);
    /// Where a grain comes to rest that sinks from x without ever swinging: as far down as it gets, straight or along
    /// what it touches. None where nothing is below it   docs/theory/grains.md, section 6.
    std::optional<Vec3> rolled_down(Vec3 x, double radius);
    void add(const Grain& grain);

private:
    struct Touch {
        Vec3 normal;  // towards the grain
        double gap;   // [m]
    };
    CellIndex cell_of(const Vec3& x) const;
    void look_around(const Vec3& x);
    void find_touches(const Vec3& x, double radius, double within);
    double smallest_gap(const Vec3& x, double radius);
    std::optional<Vec3> pushed_out(Vec3 x, double radius);
    Vec3 way_down() const;

    double largest_;
    Vec3 down_;
    Cells cells_;
    Walls walls_;
    double lowest_ = 0;  // of walls and region, along `down_` [m]
    std::vector<Grain> grains_ = {};
    // What is near the cell that was asked for last.
    std::optional<CellIndex> around_ = {};
    std::vector<std::int32_t> near_grains_ = {};
    std::vector<const WallPart*> near_parts_ = {};
    std::vector<Touch> touches_ = {};
};

}  // namespace clangor::grains
