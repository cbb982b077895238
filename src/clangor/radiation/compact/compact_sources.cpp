#include <clangor/radiation/compact/compact.hpp>

#include <clangor/radiation/compact/face_integrals.hpp>
#include <clangor/radiation/compact/outer_surface.hpp>
#include <clangor/radiation/compact/translation_potential.hpp>

namespace clangor {
namespace {

Eigen::MatrixXd nodes_of_face(const Skin& skin, long face) { return skin.nodes(skin.faces.row(face), Eigen::all); }

std::vector<Eigen::MatrixXd> strength_operators(const Skin& skin) {
    std::vector<Eigen::MatrixXd> operators(skin.faces.rows());
    parallel_for(skin.faces.rows(), [&](long f) { operators[f] = compact::strength_operator(nodes_of_face(skin, f)); });
    return operators;
}

// s_v = ∮ N_v n·u dS. Shape functions sum to 1 and reproduce positions, so the sources have exactly the monopole and
// the first moment of the curved surface. Modes are split over threads, faces are summed in order.
Eigen::MatrixXf source_strengths(const compact::OuterSkin& outer, const Eigen::MatrixXd& skin_shapes) {
    const Skin& skin = outer.skin;
    const std::vector<Eigen::MatrixXd> operators = strength_operators(skin);
    const long face_nodes = skin.faces.cols();
    constexpr long block = 16;
    Eigen::MatrixXf strengths(skin.nodes.rows(), skin_shapes.cols());
    parallel_for((skin_shapes.cols() + block - 1) / block, [&](long b) {
        const long modes = std::min(block, skin_shapes.cols() - b * block);
        Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(skin.nodes.rows(), modes);
        Eigen::MatrixXd face_shapes(3 * face_nodes, modes);
        for (long f = 0; f < skin.faces.rows(); ++f) {
            for (long i = 0; i < face_nodes; ++i)
                face_shapes.middleRows(3 * i, 3) =
                    skin_shapes.block(3 * outer.nodes[skin.faces(f, i)], b * block, 3, modes);
            sum(skin.faces.row(f), Eigen::all) += operators[f] * face_shapes;
        }
        strengths.middleCols(b * block, modes) = sum.cast<float>();
    });
    return strengths;
}

struct Extent {
    Vec3 centre;
    double radius;
};

Extent extent_of(const Skin& skin) {
    double area = 0;
    Vec3 moment = Vec3::Zero();
    for (long f = 0; f < skin.faces.rows(); ++f) {
        area += compact::face_area(nodes_of_face(skin, f));
        moment += compact::face_moment(nodes_of_face(skin, f));
    }
    const Vec3 centre = moment / area;
    return {centre, (skin.nodes.rowwise() - centre.transpose()).rowwise().norm().maxCoeff()};
}

// Each face's area is shared evenly by its nodes.
Eigen::VectorXd source_radii(const Skin& skin) {
    Eigen::VectorXd areas = Eigen::VectorXd::Zero(skin.nodes.rows());
    for (long f = 0; f < skin.faces.rows(); ++f)
        areas(skin.faces.row(f)).array() +=
            compact::face_area(nodes_of_face(skin, f)) / static_cast<double>(skin.faces.cols());
    return (areas / pi).cwiseSqrt();
}

}  // namespace

CompactSources compact_sources(const Skin& skin, const Eigen::MatrixXd& skin_shapes, const CompactOptions& options) {
    CLANGOR_ASSERT(skin_shapes.rows() == 3 * skin.nodes.rows(), "three rows of the shapes a node of the skin");
    CLANGOR_ASSERT(options.max_unknowns >= 16, "too few unknowns for any body");
    const compact::OuterSkin outer = compact::outer_skin(skin);
    CLANGOR_ASSERT(outer.skin.faces.rows() > 0, "a skin is wound outward");
    const Extent extent = extent_of(outer.skin);
    return {
        .positions = outer.skin.nodes - compact::translation_potential(flat(outer.skin), options.max_unknowns),
        .radii = source_radii(outer.skin),
        .strengths = source_strengths(outer, skin_shapes),
        .centre = extent.centre,
        .radius = extent.radius,
    };
}

Multipoles multipoles_of(const CompactSources& sources) {
    const Eigen::MatrixXd strengths = sources.strengths.cast<double>();
    return {.monopole = strengths.colwise().sum(),
            .dipole = strengths.transpose() * (sources.positions.rowwise() - sources.centre.transpose())};
}

}  // namespace clangor
