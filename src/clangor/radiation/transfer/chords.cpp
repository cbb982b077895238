#include <clangor/radiation/transfer/chords.hpp>

#include <clangor/core/core.hpp>
#include <clangor/radiation/transfer/demodulate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor::modal_transfer {
namespace {

// Of the lowest mode of a band. 1.5 would do on a bowl: docs/theory/transfer-chords.md, section 5.
constexpr double rise_periods = 2;

// Spacings that are tried: from twice the lowest frequency, where a tone is as far from its own mirror image at −f as
// from others, down to 1/200 of it.
constexpr int spacings = 48;
const double spacing_ratio = std::pow(200.0, -1.0 / (spacings - 1));

// Bands end at half octaves below the highest mode.
constexpr double step_octaves = 0.5;

std::vector<int> band_ends(const std::vector<double>& hz) {
    std::vector<int> ends = {static_cast<int>(hz.size())};
    for (int i = 1; ends.back() > 0; ++i) {
        const double edge = hz.back() * std::exp2(-step_octaves * i);
        const auto end = static_cast<int>(std::upper_bound(hz.begin(), hz.end(), edge) - hz.begin());
        if (end < ends.back()) ends.push_back(end);
    }
    std::reverse(ends.begin(), ends.end());
    return ends;
}

Band without_chords(const std::vector<double>& hz, int first, int last, const BandCosts& costs) {
    const std::vector<double> part(hz.begin() + first, hz.begin() + last);
    const double rise = rise_periods / part.front(), speed = costs.updates_per_second(part.back());
    Band best;
    best.cost = std::numeric_limits<double>::infinity();
    double spacing = 2 * part.front();
    for (int i = 0; i < spacings; ++i, spacing *= spacing_ratio) {
        const int chords = chord_count(part, spacing);
        const double window = window_spacings / spacing;
        const double cost = chords * (rise + costs.settling + window) * speed;
        if (cost < best.cost) best = {first, last, spacing, rise, window, cost, {}};
        if (chords == 1) break;
    }
    return best;
}

void add_chords(Band& band, const std::vector<double>& hz) {
    band.chords = chords_of({hz.begin() + band.first, hz.begin() + band.last}, band.spacing_hz);
    for (Chord& chord : band.chords)
        for (int& mode : chord) mode += band.first;
}

}  // namespace

std::vector<Chord> chords_of(const std::vector<double>& ascending_hz, double spacing_hz) {
    std::vector<Chord> chords;
    for (int mode = 0; mode < static_cast<int>(ascending_hz.size()); ++mode) {
        const double hz = ascending_hz[mode];
        const auto free = std::find_if(chords.begin(), chords.end(), [&](const Chord& chord) {
            return hz - ascending_hz[chord.back()] >= spacing_hz;
        });
        if (free == chords.end())
            chords.push_back({mode});
        else
            free->push_back(mode);
    }
    return chords;
}

int chord_count(const std::vector<double>& ascending_hz, double spacing_hz) {
    std::size_t most = 0, low = 0;
    for (std::size_t high = 0; high < ascending_hz.size(); ++high) {
        while (ascending_hz[high] - ascending_hz[low] >= spacing_hz) ++low;
        most = std::max(most, high - low + 1);
    }
    return static_cast<int>(most);
}

std::vector<Band> cheapest_bands(const std::vector<double>& ascending_hz, const BandCosts& costs) {
    if (ascending_hz.empty()) return {};
    const std::vector<int> ends = band_ends(ascending_hz);
    // best[e]: of all modes below ends[e]; its last band begins at ends[from].
    struct Best {
        double cost = std::numeric_limits<double>::infinity();
        std::size_t from = 0;
        Band band = {};
    };
    std::vector<Best> best(ends.size());
    best[0].cost = 0;
    for (std::size_t e = 1; e < ends.size(); ++e)
        for (std::size_t from = 0; from < e; ++from) {
            const Band band = without_chords(ascending_hz, ends[from], ends[e], costs);
            const double cost = best[from].cost + costs.setup + band.cost;
            if (cost < best[e].cost) best[e] = {cost, from, band};
        }
    std::vector<Band> bands;
    for (std::size_t e = ends.size() - 1; e > 0; e = best[e].from) bands.push_back(best[e].band);
    std::reverse(bands.begin(), bands.end());
    for (Band& band : bands) add_chords(band, ascending_hz);
    return bands;
}

Band cheapest_spacing(const std::vector<double>& ascending_hz, const BandCosts& costs) {
    CLANGOR_ASSERT(!ascending_hz.empty(), "a band of something");
    Band band = without_chords(ascending_hz, 0, static_cast<int>(ascending_hz.size()), costs);
    add_chords(band, ascending_hz);
    return band;
}

double onset(double t, double rise) {
    const double x = std::clamp(t / rise, 0.0, 1.0);
    return x - std::sin(2 * pi * x) / (2 * pi);
}

}  // namespace clangor::modal_transfer
