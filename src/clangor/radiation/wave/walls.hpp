// From the air around the body to the lists that the time steps read.
#pragma once

#include <clangor/radiation/wave/advance.hpp>
#include <clangor/radiation/wave/air_cells.hpp>
#include <clangor/radiation/wave/sight.hpp>

#include <vector>

namespace clangor::wave {

/// A piece of surface pushes into the air of one cell: the pressure there gains push·ρ0(cΔt)² n·a.
struct Push {
    int source = 0;                   ///< into WallCells::source
    int face = -1;                    ///< of the surface
    Vec3 barycentric = Vec3::Zero();  ///< where on the face the acceleration is read
    double push = 0;                  ///< ± area/(α Δx³), negative on the back of a sheet [1/m]
};

struct Walls {
    WallCells cells;
    std::vector<Push> pushes;
    double lost_area = 0;  ///< that found no air beside it [m²]
};

Walls walls_of(const Grid& grid, const Surface& surface, const std::vector<char>& closed,
               const std::vector<SurfacePiece>& pieces, const AirCells& air, const Sight& sight);

/// What a motion with unit signal adds to each source cell in a step: `acceleration` has a row per vertex [m/s²].
std::vector<float> source_weights(const Grid& grid, const Surface& surface, const Walls& walls,
                                  const Points& acceleration, double air_density);

}  // namespace clangor::wave
