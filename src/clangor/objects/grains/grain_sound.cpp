#include <clangor/objects/grains/grain_sound.hpp>

#include <clangor/radiation/spheres/spheres.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace clangor {
namespace {

// Collisions within such a cube share an emitter: its centre is where heads and ambisonic microphones hear them from.
// Delays and levels are those of each collision itself [m].
constexpr double cell_size = 0.25;

constexpr size_t collisions_at_a_time = 4096;

using CellNumber = std::array<int, 3>;

// Where everything is within one cube, that is one cell wherever it lies.
CellNumber cell_of(const std::array<float, 3>& point, const Vec3& low) {
    CellNumber cell;
    for (size_t k = 0; k < 3; ++k) cell[k] = int(std::floor((double(point[k]) - low[long(k)]) / cell_size));
    return cell;
}

Vec3 vec(const std::array<float, 3>& a) { return Vec3(double(a[0]), double(a[1]), double(a[2])); }

/// Collisions of one cell, and how they are heard.
struct CellSound {
    std::shared_ptr<const GrainRun> run = {};
    CellNumber cell = {};
    SphereSoundOptions options = {};
};

class GrainStream {
public:
    GrainStream(const CellSound& cell, const SoundPath& path)
        : cell_(cell), path_(path), is_at_rest_(is_at_rest(path)), capsule_(capsule_for(path, 0)), sound_([&] {
              SphereSoundOptions options = cell.options;
              options.listener = capsule_;
              return options;
          }()) {}

    void next(long first, std::span<float> out) {
        while (!is_read_ && made_ + std::ssize(ready_) < first + std::ssize(out)) read_some();
        if (made_ + std::ssize(ready_) < first + std::ssize(out)) append(sound_.take_until(first + std::ssize(out)));
        std::copy_n(ready_.begin(), out.size(), out.begin());
        ready_.erase(ready_.begin(), ready_.begin() + std::ssize(out));
        made_ += std::ssize(out);
    }
    bool over() const { return is_read_ && double(made_) >= end_ * cell_.options.sample_rate_hz; }

private:
    void append(const std::vector<float>& samples) { ready_.insert(ready_.end(), samples.begin(), samples.end()); }

    // Collisions of a moment are heard r/c later, and delays are counted from the centre. A listener who moves stays
    // where it is, and what it hears moves instead.
    void read_some() {
        std::array<RecordedCollision, collisions_at_a_time>& some = *some_;
        const std::span<const RecordedCollision> read = cell_.run->record.read(next_, some);
        next_ += std::ssize(read);
        is_read_ = next_ >= cell_.run->record.size();
        std::vector<SphereCollision> collisions;
        double time = 0;
        for (const RecordedCollision& one : read) {
            if (cell_of(one.point, cell_.run->low) != cell_.cell) continue;
            const Vec3 capsule = is_at_rest_ ? capsule_ : capsule_for(path_, one.time);
            const double c = path_.air.speed_of_sound;
            time = one.time - (capsule - path_.centre).norm() / c;
            SphereCollision& collision = collisions.emplace_back();
            collision.time = time;
            collision.point = vec(one.point) + capsule_ - capsule;
            collision.normal = vec(one.normal).normalized();
            collision.impulse = vec(one.impulse);
            for (size_t k = 0; k < 2; ++k) {
                collision.radii[k] = double(one.radii[k]);
                collision.masses[k] = double(one.masses[k]);
            }
            collision.duration = std::min(double(one.duration), longest_sphere_contact);
            end_ = std::max(end_, time + (capsule_ - collision.point).norm() / c + longest_ringing);
        }
        if (collisions.empty()) return;
        sound_.add(collisions);
        append(sound_.take_before(time));
    }

    // After a collision has reached the listener, contact and filter included [s].
    static constexpr double longest_ringing = 0.05;

    CellSound cell_;
    SoundPath path_;
    bool is_at_rest_;
    Vec3 capsule_;
    SphereSound sound_;
    std::unique_ptr<std::array<RecordedCollision, collisions_at_a_time>> some_ =
        std::make_unique<std::array<RecordedCollision, collisions_at_a_time>>();
    std::vector<float> ready_ = {};
    long next_ = 0, made_ = 0;
    double end_ = 0;
    bool is_read_ = false;
};

// Of each cell the mean place of its collisions.
std::map<CellNumber, Vec3> centres_of(const GrainRun& run) {
    struct Sum {
        Vec3 place = Vec3::Zero();
        double count = 0;
    };
    std::map<CellNumber, Sum> sums;
    std::vector<RecordedCollision> some(collisions_at_a_time);
    for (long first = 0; first < run.record.size(); first += std::ssize(some))
        for (const RecordedCollision& one : run.record.read(first, some)) {
            Sum& sum = sums[cell_of(one.point, run.low)];
            sum.place += vec(one.point);
            ++sum.count;
        }
    std::map<CellNumber, Vec3> centres;
    for (const auto& [cell, sum] : sums) centres[cell] = sum.place / sum.count;
    return centres;
}

}  // namespace

std::vector<Emitter> grain_emitters(const std::shared_ptr<const GrainRun>& run, const Trajectory* path,
                                    const EmissionContext& context) {
    std::vector<Emitter> emitters;
    if (!run) return emitters;
    const SphereSoundOptions options{
        .sample_rate_hz = context.sample_rate, .air = context.air, .radii = run->radii.values()};
    for (const auto& [cell, centre] : centres_of(*run)) {
        const CellSound sound{.run = run, .cell = cell, .options = options};
        Emitter emitter{.mechanism = "acceleration", .path = path, .centre = centre};
        emitter.emission = [sound](const SoundPath& way) -> Emission {
            const auto stream = std::make_shared<GrainStream>(sound, way);
            return {.next = [stream](long first, std::span<float> out) { stream->next(first, out); },
                    .over = [stream] { return stream->over(); }};
        };
        emitters.push_back(std::move(emitter));
    }
    return emitters;
}

}  // namespace clangor
