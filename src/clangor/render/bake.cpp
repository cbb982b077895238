// The objects of a scene, baked side by side.
#include <clangor/render/render.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace clangor {
namespace {

// Solids at default settings stay below this: so many as fit run together, each with its share of the memory. What
// needs more than its share is baked again, alone with all of it.
constexpr double usual_bytes = 2e9;

// Thrown out of an object's bake where one before it has failed: as if all had been baked one after another.
struct Abandoned {};

/// One scene's bake.
class SceneBake {
public:
    SceneBake(const Scene& scene, const BakeOptions& options, const Progress& progress)
        : scene_(scene),
          options_(options),
          progress_(progress),
          context_(bake_context(scene, options)),
          objects_(scene.objects.size()),
          done_(scene.objects.size(), 0) {}

    Baked operator()() {
        const std::vector<std::vector<long>> groups = groups_of_like();
        const double allowed = allowed_memory(options_.memory);
        const long together = std::clamp(static_cast<long>(std::min(allowed / usual_bytes, 1e3)), 1L,
                                         std::max(1L, std::min<long>(std::ssize(groups), thread_count())));
        std::vector<char> is_left(groups.size(), together == 1);
        if (together > 1) {
            context_.memory = allowed / double(together);
            parallel_for(std::ssize(groups), AtMost{together},
                         [&](long g) { is_left[g] = !bake_group(groups[g], true); });
        }
        context_.memory = options_.memory;
        for (std::size_t g = 0; g < groups.size(); ++g)
            if (is_left[g]) bake_group(groups[g], false);
        if (failure_) std::rethrow_exception(failure_);

        Baked baked;
        for (std::optional<SoundingObject>& object : objects_) {
            baked.warnings.insert(baked.warnings.end(), object->warnings.begin(), object->warnings.end());
            baked.objects.push_back(std::move(*object));
        }
        return baked;
    }

private:
    // Objects of a group share what is baked of one of them, and are baked in the scene's order.
    std::vector<std::vector<long>> groups_of_like() const {
        std::vector<std::string> keys(scene_.objects.size());
        parallel_for(std::ssize(keys), [&](long i) {
            keys[i] = std::visit(
                [&](const auto& kind) {
                    if constexpr (requires { bakes_after(kind, context_); }) {
                        try {
                            return bakes_after(kind, context_);
                        } catch (const Error&) {}  // the bake will say so
                    }
                    return std::string();
                },
                scene_.objects[i]);
        });
        std::vector<std::vector<long>> groups;
        std::map<std::string, std::size_t> known;
        for (long i = 0; i < std::ssize(keys); ++i) {
            const auto [at, is_new] = known.try_emplace(keys[i], groups.size());
            if (is_new || keys[i].empty())
                groups.push_back({i});
            else
                groups[at->second].push_back(i);
        }
        return groups;
    }

    // Whether there was memory enough, or nothing more to try.
    bool bake_group(const std::vector<long>& group, bool may_run_again) {
        for (const long i : group) {
            if (objects_[i]) continue;
            try {
                if (i > failed_at_) return true;
                objects_[i] = baked_object(i);
            } catch (const Abandoned&) {
                return true;
            } catch (const std::bad_alloc&) {
                if (may_run_again) return false;
                fail(i);
            } catch (const Error& error) {
                if (may_run_again && error.blame() == Blame::Memory) return false;
                fail(i);
            } catch (...) {
                fail(i);
            }
        }
        return true;
    }

    void fail(long object) {
        const std::lock_guard lock(mutex_);
        if (object > failed_at_) return;
        failed_at_ = object;
        failure_ = std::current_exception();
    }

    SoundingObject baked_object(long i) {
        BakeContext context = context_;
        context.progress = {[this, i](std::string_view stage, double fraction) {
            const std::lock_guard lock(mutex_);
            if (i > failed_at_) throw Abandoned();
            done_[i] = fraction;
            progress_(stage, std::accumulate(done_.begin(), done_.end(), 0.0) / double(done_.size()));
        }};
        const scene::Object& object = scene_.objects[i];
        try {
            SoundingObject result = std::visit([&](const auto& kind) { return sounding(kind, context); }, object);
            context.progress(object_named(scene::name_of(object)), 1);
            return result;
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", object_named(scene::name_of(object)), error.what()), error.blame());
        }
    }

    const Scene& scene_;
    const BakeOptions& options_;
    const Progress& progress_;
    BakeContext context_;
    std::vector<std::optional<SoundingObject>> objects_;
    std::mutex mutex_;  ///< of what follows
    std::vector<double> done_;
    std::atomic<long> failed_at_ = std::numeric_limits<long>::max();  ///< the first object that cannot be baked
    std::exception_ptr failure_;
};

}  // namespace

BakeContext bake_context(const Scene& scene, const BakeOptions& options) {
    const bool still = scene::is_still(scene);
    std::set<std::string, std::less<>> struck, by_mallets;
    for (const scene::Strike& strike : scene.strikes) {
        struck.insert(strike.object);
        if (strike.mallet) by_mallets.insert(strike.object);
    }
    return {.air = scene.air,
            .still = still,
            .simulated = !still && scene.motion.impacts.empty(),
            .struck = std::move(struck),
            .by_mallets = std::move(by_mallets),
            .quality = options.quality,
            .memory = options.memory,
            .cache = options.cache};
}

Baked bake(const Scene& scene, const BakeOptions& options, const Progress& progress) {
    return SceneBake(scene, options, progress)();
}

}  // namespace clangor
