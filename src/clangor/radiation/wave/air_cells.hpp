// The air around the body as parts of cells: how large each is and how wide the openings between them are.
#pragma once

#include <clangor/radiation/wave/line_survey.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace clangor::wave {

enum class PartKind : char {
    Air,
    Solid,   ///< no air that is worth a pressure
    Cavity,  ///< air from which no way leads out
};

/// An opening between two parts of which at least one is a further part.
struct Opening {
    int a = 0, b = 0;
    float open = 0;  ///< β: part of a cell's face
};

/// Part i < box.size() is the first, or only, one of cell i; where walls divide the air of a cell, further parts
/// follow.
struct AirCells {
    CellBox box;
    std::vector<PartKind> kind;              ///< of each part
    std::vector<float> volume;               ///< α of each part: air, in cells
    std::vector<int> owner;                  ///< cell (in the box) of each further part
    std::array<std::vector<float>, 3> open;  ///< β between the first parts of a cell and of the next lower one
    std::vector<Opening> openings;           ///< all others
    std::vector<char> divided;               ///< per cell: its air falls into several parts

    std::vector<int> touched;  ///< per cell: into grain_part, or −1
    std::vector<std::array<std::int16_t, grain_count>>
        grain_part;                  ///< 0, 1, …: first, further parts of the cell; −1: none
    std::vector<int> first_further;  ///< per touched cell: part number of its grain_part 1

    long parts() const { return static_cast<long>(kind.size()); }
    int cell_of(int part) const { return part < box.size() ? part : owner[part - box.size()]; }
    int part_of(int touched_cell, int cell, int local) const {
        return local == 0 ? cell : first_further[touched_cell] + local - 1;
    }
};

AirCells air_cells(LineSurvey survey);

/// Volumes that are stable at the grid's time step: a part needs α ≥ λ² Σβ/2. What it lacks is taken from its
/// neighbours as far as they can spare it, so that the air keeps its compliance.
std::vector<float> stable_volumes(const AirCells& cells, double courant_sq);

}  // namespace clangor::wave
