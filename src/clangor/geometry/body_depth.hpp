// How deep a point lies in the body that triangles are meant to bound, whatever these are like.
#pragma once

#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/winding_number.hpp>

#include <optional>
#include <string>
#include <vector>

namespace clangor::geometry {

/// Walls that a body has less of than it needs: each face may ask for material on both its sides.
struct WallGrowth {
    std::vector<double> of_face;  ///< how far material reaches to either side of each face [m]; 0: as it is
    double sheet_area = 0;        ///< of faces without any body behind them, seen from one side [m²]
    double sheet_thickness = 0;   ///< that these are given [m]
    double thin_area = 0;         ///< of walls thinner than wanted [m²]
    double thinnest = 0;          ///< of those walls [m]
    double mean_thin = 0;         ///< of those walls [m]
    double other_area = 0;        ///< of all other walls [m²]
};

/// How far the surface must wind around the faces of an open piece for it to have a body behind it, on average: a half
/// on a closed one. A cup that is as high as wide has 0.39, a flat sheet 0. Where the user gives a thickness, all that
/// is open is meant to be a sheet.
inline double least_winding_of_bodies(bool thickness_is_given) { return thickness_is_given ? 0.49 : 0.42; }

/// Whether all of an open surface has nothing behind it.
bool is_sheet(const Surface& surface, double least_winding);

/// Sheets, which have nothing behind them (open ones, and walls below 1/10 000 of the body's size), grow to
/// `sheet_thickness`, and all other walls to `least_wall`, where they are thinner.
WallGrowth wall_growth(const Surface& surface, double sheet_thickness, double least_wall, double least_winding);

/// Positive inside, where the surface winds around a point (pieces that overlap are one, small gaps are closed), within
/// the walls that grow, and between pieces that would else lie apart: gaps are filled where the ways to both sides add
/// up to little more than the shortest way across, on the shortest ways that join all pieces. Changes by about a metre
/// per metre at most. May be asked in parallel.
class BodyDepth {
public:
    BodyDepth(const Surface& surface, const WallGrowth& growth);

    double operator()(const Vec3& x) const;

    int bridges() const { return static_cast<int>(bridges_.size()); }
    double longest_bridge() const;  ///< the widest gap that is bridged [m]

private:
    struct Bridge {
        int a = 0, b = 0;  ///< pieces
        double gap = 0;    ///< between them [m]
        double reach = 0;  ///< filled where the distances from both add up to less [m]
    };
    void add_bridges(const Surface& surface);

    WindingNumber winding_;
    ClosestPointQuery closest_;
    double facing_ = 1;  ///< −1: the surface is inside out as a whole
    std::optional<ClosestPointQuery> growing_;
    std::vector<double> growth_;  ///< of the faces that grow [m]
    std::vector<ClosestPointQuery> pieces_;
    std::vector<Bridge> bridges_;
};

}  // namespace clangor::geometry
