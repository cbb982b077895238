// Where the modes of a shell, and what moves them together, are kept.
#include <clangor/objects/shell/shell.hpp>

#include <clangor/objects/shell/baked_plan.hpp>
#include <clangor/objects/shell/coupled_shell.hpp>
#include <clangor/objects/shell/ringing_shell.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace clangor {
namespace {

// Whatever changes the numbers in a model or a plan must change these, or old cache entries would be taken for new
// ones.
constexpr std::string_view algorithm = "shell 1", plan_algorithm = "shell plan 1";

// Of a plan while it is made, per triangle and mode [bytes].
constexpr double plan_bytes = 300;

std::string key_of(const Surface& surface, double thickness, const Material& material,
                   const scene::SolidOptions& options) {
    const HeardBand band = heard_band(material.damping, options);
    io::Fingerprint inputs = body_fingerprint(algorithm, surface, material)
                                 .add("thickness", thickness)
                                 .add("edge_length", options.edge_length)
                                 .add("refinement", options.refinement)
                                 .add("min_hz", options.min_hz)
                                 .add("max_hz", band.max_hz)
                                 .add("max_modes", double(options.max_modes));
    if (std::isfinite(band.dull_hz)) inputs.add("dull_hz", band.dull_hz);
    add_supports(inputs, options.supports);
    return inputs.hex();
}

// The lowest of its modes.
Modes lowest(const Modes& modes, long count) {
    Modes some = modes;
    some.omega = modes.omega.head(count);
    some.residuals = modes.residuals.head(count);
    some.shapes = modes.shapes.leftCols(count);
    return some;
}

// So many modes a model must have for the plan to be its own.
[[maybe_unused]] long modes_in(const ShellPlan& plan) { return plan.kept.back() + 1L; }
[[maybe_unused]] long modes_in(const SubspacePlan& plan) { return plan.modes(); }

void check_memory(const RingingShell& shell, long modes, double memory) {
    const double needed = plan_bytes * double(shell.middle.faces.rows()) * double(modes) * (shell.held ? 2 : 1);
    if (needed <= allowed_memory(memory)) return;
    throw Error(
        fmt::format("to find how {} of its modes couple would take about {:.2g} GB of memory for {:.0f} "
                    "thousand triangles, but {:.3g} GB may be used. Ask for fewer of them (nonlinear_modes), "
                    "for longer edges (edge_length, max_hz), for \"method\": \"linear\", or allow more "
                    "(--memory)",
                    modes, 1e-9 * needed, 1e-3 * double(shell.middle.faces.rows()), 1e-9 * allowed_memory(memory)),
        Blame::Memory);
}

/// What came of asking for a plan.
struct Found {
    bool is_made = false;  ///< it was nowhere yet
    std::vector<std::string> warnings = {};
};

/// One shell's bake.
struct ShellBake {
    const scene::Shell& shell;
    const BakeContext& context;

    long coupled() const {
        return shell.nonlinear_modes > 0 ? shell.nonlinear_modes : settings_of(context.quality).nonlinear_modes;
    }

    ThinShell wall(const RingingShell& ringing) const {
        return {ringing.middle, Eigen::VectorXd::Constant(1, shell.thickness)};
    }

    void bake(BakedShellPlan& baked, const RingingShell& ringing, const Modes& modes, const Progress& progress) const {
        const Material& material = shell.body.material;
        ShellPlanOptions options;
        if (shell.prestress > 0) options.growth = middle_growth(ringing.middle);
        baked.plan = ringing.held ? shell_plan(wall(ringing), material, modes, *ringing.held, options, progress)
                                  : shell_plan(wall(ringing), material, modes, options, progress);
        if (shell.prestress == 0) return;
        baked.plan.prestress *= critical_prestress(baked.plan);
        if (!std::isfinite(baked.plan.prestress))
            throw Error(
                "no stress in its wall makes it buckle, since its curvature or its supports hold it; leave "
                "prestress out");
    }
    void bake(BakedSubspacePlan& baked, const RingingShell& ringing, const Modes& modes,
              const Progress& progress) const {
        baked.plan = subspace_plan(wall(ringing), shell.body.material, modes, {}, progress);
    }

    RingingShell ring(const SceneMesh& mesh, const scene::SolidOptions& options, const Progress& progress) const {
        return ringing_shell(shell.body.name, mesh.clean, shell.thickness, shell.body.material, options, context.memory,
                             progress);
    }

    template <class Plan>
    std::string plan_key(const std::string& modes_key) const {
        return io::Fingerprint()
            .add("algorithm", plan_algorithm)
            .add("kind", Plan::kind.format)
            .add("modes", modes_key)
            .add("coupled", double(coupled()))
            .add("buckles", shell.prestress > 0 ? 1.0 : 0.0)
            .hex();
    }

    // Equal objects share it. `known` is there where its modes have just been found; otherwise they are found again,
    // since what is kept of them does not tell how vertices turn. `found` says what it took.
    template <class Plan>
    std::shared_ptr<const Plan> plan(const std::string& modes_key, const RingingShell* known, const SceneMesh& mesh,
                                     const scene::SolidOptions& options, const Progress& progress, Found& found) const {
        const std::string key = plan_key<Plan>(modes_key);
        const auto make = [&]() -> Plan {
            const std::string stage = shell.body.name + ": coupling";
            const double from = known ? 0 : 0.5;
            std::optional<RingingShell> again;
            if (!known)
                again = ring(mesh, options, {[&](std::string_view what, double done) { progress(what, 0.5 * done); }});
            const RingingShell& ringing = known ? *known : *again;
            const long count = std::min(coupled(), long(ringing.modes.omega.size()));
            check_memory(ringing, count, context.memory);
            Plan baked{.name = shell.body.name, .inputs_hash = {}, .plan = {}};
            bake(baked, ringing, lowest(ringing.modes, count),
                 {[&](std::string_view, double done) { progress(stage, from + (1 - from) * done); }});
            return baked;
        };
        return context.shared.get<Plan>(key, [&] {
            io::Cached<Plan> cached = io::cached<Plan>(context.cache, key, make);
            found.is_made = !cached.from_cache;
            found.warnings.insert(found.warnings.end(), cached.warnings.begin(), cached.warnings.end());
            return std::make_shared<const Plan>(std::move(cached.value));
        });
    }

    // The model, and the plan of its motion, which is made as soon as there are modes.
    template <class Plan>
    std::pair<ModalModel, std::shared_ptr<const Plan>> model_and_plan() const {
        Found found;
        std::string key;
        std::shared_ptr<const SceneMesh> mesh;
        scene::SolidOptions used;
        ModalModel model = modal_model(
            shell.body, context, [&](const SceneMesh& given, const scene::SolidOptions& options) -> ModesBake {
                key = key_of(given.raw, shell.thickness, shell.body.material, options);
                used = options;
                return {.key = key,
                        .bake =
                            [&, options](const Progress& progress) {
                                const auto part = [&](double from, double to) -> Progress {
                                    return {[&progress, from, to](std::string_view what, double done) {
                                        progress(what, from + (to - from) * done);
                                    }};
                                };
                                const RingingShell ringing = ring(given, options, part(0, 0.5));
                                if (ringing.modes.omega.size() > 0)
                                    plan<Plan>(key, &ringing, given, options, part(0.5, 0.95), found);
                                return modal_body(shell.body.name, ringing, given.clean, shell.thickness,
                                                  shell.body.material, options);
                            },
                        .scales = false};
            });
        if (!model.modes || model.modes->omega.size() == 0) return {std::move(model), nullptr};
        const Stopwatch watch;
        mesh = context.meshes(shell.body.mesh, scale_of(shell.body, context.meshes));
        auto made = plan<Plan>(key, nullptr, *mesh, used, context.progress, found);
        CLANGOR_ASSERT(modes_in(made->plan) <= model.modes->omega.size(), "both have the same inputs");
        model.seconds += watch.seconds();
        model.from_cache = model.from_cache && !found.is_made;
        model.warnings.insert(model.warnings.end(), found.warnings.begin(), found.warnings.end());
        return {std::move(model), std::move(made)};
    }
};

}  // namespace

ModalModel shell_model(const scene::Shell& shell, const BakeContext& context) {
    return modal_model(shell.body, context,
                       [&](const SceneMesh& mesh, const scene::SolidOptions& options) -> ModesBake {
                           return {.key = key_of(mesh.raw, shell.thickness, shell.body.material, options),
                                   .bake =
                                       [&, options](const Progress& progress) {
                                           return bake_shell(shell.body.name, mesh.clean, shell.thickness,
                                                             shell.body.material, options, progress, context.memory);
                                       },
                                   .scales = false};
                       });
}

MovingShell moving_shell(const scene::Shell& shell, const BakeContext& context) {
    const ShellBake bake{shell, context};
    switch (shell.method) {
        case scene::ShellMethod::Linear:
            return {shell_model(shell, context), nullptr};
        case scene::ShellMethod::Nonlinear: {
            auto [model, plan] = bake.model_and_plan<BakedShellPlan>();
            if (!plan) return {std::move(model), nullptr};
            return {std::move(model), coupled_modes(shell.body.name, {plan, &plan->plan}, shell.prestress)};
        }
        case scene::ShellMethod::Seed: {
            auto [model, plan] = bake.model_and_plan<BakedSubspacePlan>();
            if (!plan) return {std::move(model), nullptr};
            const double most = shell.most_energy > 0
                                    ? shell.most_energy * model.modes->mass.volume * shell.body.material.density
                                    : std::numeric_limits<double>::infinity();
            return {std::move(model), coupled_modes(shell.body.name, {plan, &plan->plan}, most)};
        }
    }
    return {};
}

}  // namespace clangor
