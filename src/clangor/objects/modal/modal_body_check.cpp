#include <clangor/objects/modal/modal_body.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

using Problems = std::vector<std::string>;

void check(Problems& problems, bool holds, const char* otherwise) {
    if (!holds) problems.emplace_back(otherwise);
}

void check_skin(Problems& problems, const Skin& skin) {
    const long columns = skin.faces.cols();
    check(problems, skin.nodes.rows() > 0 && skin.nodes.allFinite(), "the skin's nodes are missing or not finite");
    check(problems, skin.faces.rows() > 0 && (columns == 3 || columns == 6),
          "the skin's faces do not have 3 or 6 nodes");
    check(problems, skin.faces.size() == 0 || (skin.faces.minCoeff() >= 0 && skin.faces.maxCoeff() < skin.nodes.rows()),
          "a face of the skin names a node that does not exist");
    check(problems, static_cast<long>(skin.mesh_nodes.size()) == skin.nodes.rows(),
          "the skin does not know its place in the mesh");
    check(problems, std::all_of(skin.mesh_nodes.begin(), skin.mesh_nodes.end(), [](int v) { return v >= 0; }),
          "the skin names a node of the mesh that cannot exist");
}

void check_modes(Problems& problems, const ModalBody& model) {
    const long modes = model.omega.size();
    const auto& omega = model.omega;
    check(problems, omega.allFinite() && (omega.array() > 0).all() && std::is_sorted(omega.begin(), omega.end()),
          "frequencies are not positive and ascending");
    check(problems,
          model.residuals.size() == modes && model.residuals.allFinite() && (model.residuals.array() >= 0).all(),
          "residuals do not fit the modes");
    const auto fits_share = [&](const Eigen::VectorXd& values) {
        return (values.size() == modes || values.size() == 0) && values.allFinite() && (values.array() >= 0).all();
    };
    check(problems,
          fits_share(model.support_share) && fits_share(model.support_loss) &&
              model.support_share.size() == model.support_loss.size(),
          "what supports take of the modes does not fit them");
    check(problems, model.shapes.rows() == 3 * model.skin.nodes.rows() && model.shapes.cols() == modes,
          "mode shapes do not fit the skin");
    check(problems, model.shapes.allFinite(), "mode shapes are not finite");
    check(
        problems,
        std::isfinite(model.min_hz) && std::isfinite(model.max_hz) && 0 <= model.min_hz && model.min_hz <= model.max_hz,
        "the range of frequencies is empty");
}

void check_unheard(Problems& problems, const ModalBody& model) {
    const UnheardModes& unheard = model.unheard;
    const long modes = unheard.omega.size();
    check(problems,
          unheard.omega.allFinite() && (unheard.omega.array() > 0).all() &&
              std::is_sorted(unheard.omega.begin(), unheard.omega.end()),
          "frequencies of modes that are not heard are not positive and ascending");
    const auto fits = [&](const Eigen::VectorXd& values) {
        return (values.size() == modes || values.size() == 0) && values.allFinite() && (values.array() >= 0).all();
    };
    check(problems,
          fits(unheard.support_share) && fits(unheard.support_loss) &&
              unheard.support_share.size() == unheard.support_loss.size(),
          "what supports take of the modes that are not heard does not fit them");
    check(problems,
          unheard.shapes.cols() == modes && (modes == 0 || unheard.shapes.rows() == 3 * model.skin.nodes.rows()) &&
              unheard.shapes.allFinite(),
          "shapes of modes that are not heard do not fit the skin, or are not finite");
}

void check_sources(Problems& problems, const CompactSources& sources, long modes) {
    const long count = sources.positions.rows();
    check(problems, count > 0 && sources.positions.allFinite() && sources.centre.allFinite(),
          "sound sources have no place");
    check(problems, sources.radii.size() == count && sources.radii.allFinite() && (sources.radii.array() > 0).all(),
          "sound sources have no size");
    check(problems,
          sources.strengths.rows() == count && sources.strengths.cols() == modes && sources.strengths.allFinite(),
          "the strengths of the sound sources do not fit the modes");
    check(problems, std::isfinite(sources.radius) && sources.radius > 0, "the body has no size");
}

}  // namespace

Problems problems_of(const ModalBody& model) {
    Problems problems = clangor::problems_of(model.material);
    check_skin(problems, model.skin);
    check_modes(problems, model);
    check_unheard(problems, model);
    check_sources(problems, model.compact, model.omega.size());
    check(problems,
          std::isfinite(model.mass.volume) && model.mass.volume > 0 && model.mass.centre.allFinite() &&
              model.mass.inertia.allFinite(),
          "the body's volume or inertia is not positive and finite");
    check(problems, std::isfinite(model.wall_thickness) && model.wall_thickness >= 0,
          "the thickness of the body's walls is negative or not finite");
    check(problems, model.degrees_of_freedom >= 0 && model.elements >= 0, "counts are negative");
    return problems;
}

}  // namespace clangor
