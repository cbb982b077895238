// The layer that swallows outgoing waves: a convolutional perfectly matched layer for the pressure alone.
#pragma once

#include <clangor/radiation/wave/grid.hpp>

#include <vector>

namespace clangor::wave {

/// Decay a and gain b of the two memories, per face and per cell, counted from the outermost (0) inwards. Entries from
/// the layer's thickness up to `width` are zero, so that loops run over whole registers.
struct LayerProfile {
    int thickness = 0;  ///< cells
    int width = 0;      ///< thickness rounded up to whole registers of 8
    std::vector<float> face_decay, face_gain, cell_decay, cell_gain;
    std::vector<float> high_face_decay, high_face_gain, high_cell_decay, high_cell_gain;  ///< the same, mirrored
};

/// For cells of `cell_size` at the time step that `courant_sq` implies.
LayerProfile layer_profile(int thickness, double cell_size, double courant_sq, double domain_size);

/// The memories of one field: ψ on faces, ζ in cells, for each axis only inside the layers at its two ends.
struct LayerMemory {
    FloatArray x_psi, x_zeta;  ///< [z][y][low, high][width]
    FloatArray y_psi, y_zeta;  ///< [z][low, high][thickness][row]
    FloatArray z_psi, z_zeta;  ///< [low, high][thickness][y][row]

    explicit LayerMemory(const Grid& grid, const LayerProfile& profile);
    static long floats(const Grid& grid, const LayerProfile& profile);
};

/// Rows of plane z.
struct PlaneRows {
    int z, begin, end;
};

/// Adds the layers' part to the new pressures of these rows. Planes of a z-layer, and rows of a y-layer, come in
/// ascending order.
void absorb(const Grid& grid, const LayerProfile& profile, LayerMemory& memory, const float* now, float* next,
            const PlaneRows& rows);

}  // namespace clangor::wave
