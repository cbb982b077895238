#include <clangor/objects/quality.hpp>

#include <limits>

namespace clangor {

QualitySettings settings_of(Quality quality) {
    switch (quality) {
        case Quality::Draft:
            return {.refinement = 0.75,
                    .sound_fields = false,
                    .clicks = {.max_cells = 2e5, .decay_db = 30},
                    .knot_angle = 0.035,
                    .nonlinear_modes = 100};
        case Quality::Standard:
            return {.clicks = {.max_cells = 5e5, .decay_db = 30}};
        case Quality::Reference:
            return {.refinement = 1.4,
                    .solver = TransferSolver::BoundaryElements,
                    .clicks = {.theta_count = 40, .phi_count = 80},
                    .click_angle = 0,
                    .knot_angle = 0.01,
                    .exact_knots = std::numeric_limits<long>::max(),
                    .double_oscillators = true,
                    .nonlinear_modes = 400};
    }
    return {};
}

}  // namespace clangor
