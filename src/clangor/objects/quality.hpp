// What draft, standard and reference mean, in one table.
#pragma once

#include <clangor/radiation/acceleration/acceleration.hpp>
#include <clangor/radiation/transfer/transfer.hpp>

namespace clangor {

/// Draft: coarser meshes, compact radiation. Reference: finer meshes, radiation by boundary elements, oscillators in
/// double.
enum class Quality { Draft, Standard, Reference };

struct QualitySettings {
    double refinement = 1;     ///< of tetrahedral meshes: divides the length of edges
    bool sound_fields = true;  ///< what "radiation": "auto" means: sound fields, or compact sources
    TransferSolver solver = TransferSolver::Wave;
    /// Bowls and mugs are what takes long: six wave fields around a hollow that rings on. The standard follows them for
    /// 30 dB on a grid of half a million cells, in 5 to 20 s; what is cut is faded out.
    AccelerationOptions clicks = {};
    /// From the hundredth of an object on, clicks that are heard from within so much of a direction in which one was
    /// heard before sound as from there; the first hundred within a tenth of it. 0: each from its own [rad]
    double click_angle = 0.1;
    double knot_angle = 0.02;         ///< the finest turn for which the field of moving modes is found anew [rad]
    long exact_knots = 10;            ///< so many of a path get the exact field, the others an interpolated one
    bool double_oscillators = false;  ///< otherwise in float
    int nonlinear_modes = 200;        ///< so many of a shell's modes couple
};

QualitySettings settings_of(Quality quality);

}  // namespace clangor
