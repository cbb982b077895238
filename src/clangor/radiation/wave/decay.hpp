// Watches whether what is recorded has died away.
#pragma once

#include <cstddef>
#include <vector>

namespace clangor::wave {

/// Follows the energy Σ p² over the points, sample by sample and field by field.
class DecayWatch {
public:
    DecayWatch(std::size_t fields, long window_samples, double decay_db)
        : window_(window_samples < 1 ? 1 : window_samples), decay_db_(decay_db), levels_(fields) {}

    /// Reads what has been appended to a field's record (points floats a sample) since the last call.
    void add(std::size_t field, const std::vector<float>& history, long points);

    /// Every field has stayed decay_db below its own peak for a whole window. A field that was never heard counts as
    /// long as another one was.
    bool died_out() const;

    /// The last window of the field that has decayed least, against its peak [dB].
    double residual_db() const;

private:
    struct Level {
        std::size_t seen = 0;        ///< floats read
        double peak = 0;             ///< largest energy of a sample
        std::vector<double> energy;  ///< of each sample
    };
    double window_peak(const Level& level) const;

    long window_;
    double decay_db_;
    std::vector<Level> levels_;
};

}  // namespace clangor::wave
