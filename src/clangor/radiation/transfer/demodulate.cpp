#include <clangor/radiation/transfer/demodulate.hpp>

#include <Eigen/QR>
#include <Eigen/SVD>

#include <cmath>

namespace clangor::modal_transfer {

Demodulator::Demodulator(const Eigen::VectorXd& omega, double start, double step, long count) {
    const long tones = omega.size();
    CLANGOR_ASSERT(count > 2 * tones, "more samples than unknowns");
    Eigen::MatrixXd A(count, 2 * tones);
    Eigen::VectorXd weight(count);  // the root of Hann's window, whose zeros lie one sample outside
    for (long n = 0; n < count; ++n) {
        const double t = start + step * static_cast<double>(n);
        weight[n] = std::sin(pi * static_cast<double>(n + 1) / static_cast<double>(count + 1));
        for (long j = 0; j < tones; ++j) {
            A(n, j) = weight[n] * std::cos(omega[j] * t);
            A(n, tones + j) = weight[n] * std::sin(omega[j] * t);
        }
    }
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(A);
    triangle_ = qr.matrixQR().topRows(2 * tones).triangularView<Eigen::Upper>();
    const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(count, 2 * tones);
    inverse_ = triangle_.triangularView<Eigen::Upper>().solve(Q.transpose()) * weight.asDiagonal();
}

Eigen::MatrixXcd Demodulator::operator()(const Eigen::Ref<const Eigen::MatrixXf>& samples) const {
    const long tones = inverse_.rows() / 2;
    const Eigen::MatrixXd found = samples.cast<double>().transpose() * inverse_.transpose();
    Eigen::MatrixXcd p(samples.cols(), tones);
    p.real() = found.leftCols(tones);
    p.imag() = -found.rightCols(tones);
    return p;
}

double Demodulator::condition() const {
    const Eigen::VectorXd singular = Eigen::JacobiSVD<Eigen::MatrixXd>(triangle_).singularValues();
    return singular[0] / singular[singular.size() - 1];
}

}  // namespace clangor::modal_transfer
