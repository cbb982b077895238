// What emitters need of a rod's motion, at the rate of the sound. Internal to objects/rod.
#pragma once

#include <clangor/io/file/file.hpp>
#include <clangor/objects/rod/rod_model.hpp>

#include <memory>
#include <vector>

namespace clangor {

/// Takes whole multiples of a rate down to it: what would fold into the lower 0.42 of it is 90 dB down. The n-th column
/// that comes out is that of step n·factor.
class Decimator {
public:
    Decimator(long channels, long factor);

    /// The next step. True where a column is ready: that of `lag()` instants ago.
    bool add(const Eigen::Ref<const Eigen::VectorXd>& step);
    Eigen::VectorXd column() const;
    long lag() const { return factor_ > 1 ? half_instants : 0; }

    static constexpr long half_instants = 16;  ///< half of the kernel, in columns that come out

private:
    long factor_, taps_, steps_ = 0;
    Eigen::VectorXd kernel_;
    Eigen::MatrixXd ring_;  // each step twice, so that the last ones are columns in a row
};

/// Where a rod's points are, and where its section's x axis points there, a row each.
struct RodPlaces {
    Points positions, d_1;
};

/// Sources of a rod at each instant: forces and flows in float at the sound's rate, places at half of it (cubics
/// between them), and how its sections are turned once in a block. 23 bytes a point
/// and instant (at 48 kHz and 60 points 65 MB for a second), in a file without a name.
class RodRecord {
public:
    RodRecord(long points, double rate);

    void add(const PointSources& sources, const Points& d_1);
    void finish();  ///< no more will come
    long instants() const { return instants_; }
    double rate() const { return rate_; }
    double nearest() const { return nearest_; }
    double bytes() const;

    /// Where it was; before the first instant as then, and after the last as then. d_1 is not quite of unit length.
    RodPlaces places_at(double time) const;

    /// Instants one after the other. Readers share the record, each on its own thread.
    class Reader {
    public:
        explicit Reader(std::shared_ptr<const RodRecord> record) : record_(std::move(record)) {}
        /// The sources of the next instant; after the last, silent ones.
        const PointSources& next();

    private:
        void load(long block);
        std::shared_ptr<const RodRecord> record_;
        PointSources sources_;
        std::vector<float> block_;
        long instant_ = 0, loaded_ = -1;
    };

private:
    static constexpr long block_instants = 64, place_every = 2;  // places of a block: 33, the last is the next one's
    static constexpr long place_slots = block_instants / place_every + 1, turn_slots = 2;
    long block_floats() const { return points_ * (4 * block_instants + 3 * (place_slots + turn_slots)); }
    void flush();

    long points_, instants_ = 0, blocks_ = 0;
    double rate_, nearest_ = 0;
    std::vector<float> block_;
    io::UnnamedFile file_;
};

}  // namespace clangor
