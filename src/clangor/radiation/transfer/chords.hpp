// Which modes sound together in one simulation, and for how long.
#pragma once

#include <functional>
#include <vector>

namespace clangor::modal_transfer {

/// Indices into a list of ascending frequencies.
using Chord = std::vector<int>;

/// As few chords as there can be in which neighbours are at least `spacing_hz` apart: as many as the fullest interval
/// of that width holds modes, which no choice can avoid [Wang2019].
std::vector<Chord> chords_of(const std::vector<double>& ascending_hz, double spacing_hz);

/// The number of them, without making them.
int chord_count(const std::vector<double>& ascending_hz, double spacing_hz);

/// Neighbouring modes that share a grid and the length of its runs.
struct Band {
    int first = 0, last = 0;  ///< modes first … last − 1 of the list
    double spacing_hz = 0;    ///< between the modes of a chord
    double rise = 0;          ///< until all modes have their full strength [s]
    double window = 0;        ///< over which they are told apart [s]
    double cost = 0;          ///< cell updates of all chords
    std::vector<Chord> chords = {};
};

struct BandCosts {
    std::function<double(double top_hz)>
        updates_per_second;  ///< cells/Δt of a grid that is good enough for a frequency
    double settling = 0;     ///< between rise and window [s]
    double setup = 1e9;      ///< cell updates in the time that a grid takes to make: 0.3 s
};

/// The cheapest division into bands, and the cheapest spacing in each: wide spacing makes many short runs, narrow
/// spacing few long ones.   docs/theory/transfer-chords.md, Eq. 4
std::vector<Band> cheapest_bands(const std::vector<double>& ascending_hz, const BandCosts& costs);

/// All modes in one band, with its chords.
Band cheapest_spacing(const std::vector<double>& ascending_hz, const BandCosts& costs);

/// Starts a tone without a click: 0 before t = 0, 1 after `rise`; its slope is Hann's window, so that what it excites a
/// few 1/rise beside the tone falls with the cube of the distance.
double onset(double t, double rise);

}  // namespace clangor::modal_transfer
