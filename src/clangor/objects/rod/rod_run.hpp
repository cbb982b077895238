// One rod as it moves, step by step, and what is kept of it. Internal to objects/rod.
#pragma once

#include <clangor/objects/rod/rod_sound.hpp>
#include <clangor/scene/scene.hpp>

#include <memory>
#include <optional>
#include <span>

namespace clangor {

/// A rod of the scene: what is known before it moves, and what it left the last time.
struct RodInScene {
    RodModel model;
    std::shared_ptr<const RodTrack> track = {};
    RodReport report = {};
};

struct RodRunOptions {
    double sample_rate = 48000;  ///< of what is kept [Hz]
    long steps_per_sample = 4;
    double duration = 0;           ///< [s]
    Vec3 gravity = {0, -9.81, 0};  ///< for those that have it [m/s²]
    Air air = {};
};

class RodRun {
public:
    /// At its start: in balance where it is held, flying where it is free. Throws Error where it cannot be held so.
    RodRun(const RodModel& model, std::span<const scene::Strike* const> strikes, const RodRunOptions& options);

    RodStepper& stepper() { return stepper_; }
    const RodStepper& stepper() const { return stepper_; }
    const RodModel& model() const { return model_; }

    /// Before and after each step.
    void before_step(double time);
    void after_step();

    std::shared_ptr<const RodTrack> finish();

private:
    void record();

    const RodModel& model_;
    RodRunOptions options_;
    RodStepper stepper_;
    Decimator decimator_;
    std::shared_ptr<RodRecord> record_;
    Vec3 flying_ = Vec3::Zero();  // the acceleration of the whole at the start, which is no sound [m/s²]
    bool is_pulled_ = false;
    long steps_ = 0;
    Eigen::VectorXd accelerations_;
    PointSources sources_;
    std::vector<RodInstant> waiting_;  // places of the last instants, for what the decimator gives later
    std::vector<Vec3> centres_;
    double reach_ = 0;
};

}  // namespace clangor
