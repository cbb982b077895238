// Few shapes for many frames: Gram and Schmidt, with the frame that is farthest from what is known as the next shape.
#include <clangor/io/motion/bending.hpp>

#include <algorithm>

namespace clangor::io {

MixedShapes mixed_shapes(Eigen::MatrixXf places, float tolerance) {
    CLANGOR_ASSERT(places.cols() > 0 && tolerance > 0, "at least one frame, and a size");
    const long frames = places.cols();
    const Eigen::VectorXf first = places.col(0);
    places.colwise() -= first;
    std::vector<Eigen::VectorXf> directions, courses;
    for (long found = 0; found < frames; ++found) {
        const Eigen::RowVectorXf far = places.cwiseAbs().colwise().maxCoeff();
        long farthest = 0;
        if (far.maxCoeff(&farthest) <= tolerance) break;
        directions.push_back(places.col(farthest).normalized());
        courses.push_back(places.transpose() * directions.back());
        places.noalias() -= directions.back() * courses.back().transpose();
    }
    const long count = std::ssize(directions);
    if (count == 0) return {};
    // Each weight from 0 to 1; what is missing at 0 is the same in all frames, and a shape of its own.
    MixedShapes mixed{.shapes = Eigen::MatrixXf::Zero(first.size(), count + 1),
                      .weights = Eigen::MatrixXf::Ones(frames, count + 1),
                      .frame_shares = {}};
    Eigen::MatrixXd mixture(frames, count);
    for (long k = 0; k < count; ++k) {
        const Eigen::VectorXf& course = courses[size_t(k)];
        const float low = course.minCoeff(), span = course.maxCoeff() - low;
        mixed.shapes.col(0) += low * directions[size_t(k)];
        mixed.shapes.col(k + 1) = span * directions[size_t(k)];
        mixed.weights.col(k + 1) = ((course.array() - low) / span).matrix();
        mixture.col(k) = course.cast<double>() / double(span);
    }
    // Least squares: the shapes of anything else that changes with the same weights from the first frame on.
    const Eigen::MatrixXd solved =
        mixture.completeOrthogonalDecomposition().pseudoInverse().transpose();  // frames × count
    mixed.frame_shares = Eigen::MatrixXd::Zero(frames, count + 1);
    mixed.frame_shares.rightCols(count) = solved;
    for (long k = 0; k < count; ++k) mixed.frame_shares.col(0) += mixture.col(k).minCoeff() * solved.col(k);
    return mixed;
}

}  // namespace clangor::io
