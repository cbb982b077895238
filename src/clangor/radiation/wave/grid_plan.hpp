// How large the grid is, and whether it fits into the memory.
#pragma once

#include <clangor/radiation/wave/absorbing_layer.hpp>
#include <clangor/radiation/wave/wave.hpp>

namespace clangor::wave {

/// A grid of the wanted cells around the body and the points, the absorbing layer included.
Grid grid_around(const Surface& surface, const Points& points, const WaveGridOptions& options);

/// The two pressures and the layer's memories of one field [bytes].
double field_bytes(const Grid& grid);

/// What a run may take: the option, or a part of what the machine has free [bytes]; infinite if that is unknown.
double memory_limit(const WaveGridOptions& options);

/// Throws, with the cell size that would fit, if `fields` fields and `record_bytes` of samples exceed the limit.
void check_memory(const Surface& surface, const Points& points, const WaveGridOptions& options, int fields,
                  double record_bytes);

}  // namespace clangor::wave
