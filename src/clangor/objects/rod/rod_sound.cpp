// A line of dipoles and monopoles, read back as they were: docs/theory/rod-radiation.md.
#include <clangor/objects/rod/rod_sound.hpp>

#include <cmath>

namespace clangor {
namespace {

class RodStream {
public:
    RodStream(const std::shared_ptr<const RodTrack>& track, const SoundPath& path, double sample_rate)
        : track_(track),
          path_(path),
          reader_(track->record),
          sum_({.source_rate = track->record->rate(),
                .sample_rate = sample_rate,
                .reach = track->reach,
                .thick_radius = track->round_radius},
               path.air),
          is_at_rest_(is_at_rest(path)) {}

    void next(std::span<float> out) {
        while (sum_.ready() < taken_ + long(out.size())) add();
        sum_.take(out);
        taken_ += long(out.size());
    }

private:
    void add() {
        const double time = double(instant_++) / track_->record->rate();
        if (instant_ == 1 || !is_at_rest_) place_ = place_at(time);
        sum_.add(reader_.next(), place_);
    }
    EmissionPlace place_at(double time) const {
        const Eigen::Isometry3d pose = pose_at(path_.source, time);
        return {.centre = pose * path_.centre, .receiver = pose * capsule_for(path_, time)};
    }

    std::shared_ptr<const RodTrack> track_;
    SoundPath path_;
    RodRecord::Reader reader_;
    DipoleSum sum_;
    EmissionPlace place_;
    bool is_at_rest_;
    long instant_ = 0, taken_ = 0;
};

}  // namespace

std::vector<Emitter> rod_emitters(const std::shared_ptr<const RodTrack>& track, const EmissionContext& context) {
    Emitter emitter{.mechanism = "dipole", .path = &track->centre};
    emitter.emission = [track, rate = context.sample_rate](const SoundPath& path) -> Emission {
        const auto stream = std::make_shared<RodStream>(track, path, rate);
        return {.next = [stream](long, std::span<float> out) { stream->next(out); }, .over = [] { return false; }};
    };
    std::vector<Emitter> emitters;
    emitters.push_back(std::move(emitter));
    return emitters;
}

}  // namespace clangor
