#include <clangor/listening/directivity.hpp>

#include <cmath>

namespace clangor::listening {
namespace {

/// Level axis, `degrees` to the left of the front.
Eigen::VectorXd cardioid(const Points& directions, double degrees) {
    const Vec3 axis(std::cos(degrees * pi / 180), std::sin(degrees * pi / 180), 0);
    return 0.5 * (1.0 + (directions * axis).array());
}

}  // namespace

std::vector<ChannelGain> channel_gains(ListenerKind kind, int capsule, const Points& directions) {
    const Eigen::VectorXd alike = Eigen::VectorXd::Ones(directions.rows());
    switch (kind) {
        case ListenerKind::Mono:
            return {{0, alike}};
        case ListenerKind::Ortf:
            return {{capsule, cardioid(directions, capsule == 0 ? 55 : -55)}};
        case ListenerKind::Xy:
            return {{0, cardioid(directions, 45)}, {1, cardioid(directions, -45)}};
        case ListenerKind::Ambisonic:
            return {{0, alike}, {1, directions.col(1)}, {2, directions.col(2)}, {3, directions.col(0)}};
        case ListenerKind::Binaural:
            break;
    }
    CLANGOR_ASSERT(false, "ears filter");
    return {};
}

}  // namespace clangor::listening
