// Modes that are moved step by step, heard along paths. Their motion here is that of modes which do not couple: each
// must then be heard as if it rang by itself.
#include <approx.hpp>

#include <clangor/objects/modal/modal.hpp>
#include <clangor/objects/solid/solid.hpp>

#include <doctest/doctest.h>

#include <complex>

namespace coupled_modes_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double rate = 48000;
constexpr long frames = 64 * 500;
const Material metal{"metal", 7800, 200e9, 0.3, {.loss_factor = 2e-3}, ""};

// A ball with five modes, some of which sound from one side.
std::shared_ptr<const ModalBody> ball() {
    const Surface surface = surface_of(Sphere{0.05});
    ModalBody model;
    model.name = "ball";
    model.skin.nodes = surface.vertices;
    model.skin.faces = surface.faces;
    model.omega = 2 * pi * (Eigen::VectorXd(5) << 211, 870, 2300, 6100, 14000).finished();
    model.residuals = Eigen::VectorXd::Zero(5);
    Eigen::MatrixXd shapes(3 * surface.vertices.rows(), 5);
    for (long i = 0; i < surface.vertices.rows(); ++i) {
        const Vec3 n = surface.vertices.row(i).transpose().normalized();
        for (long m = 0; m < 5; ++m)
            shapes.block<3, 1>(3 * i, m) = n * (1 + double(m % 3) * n.x() + double(m) * n.y() * n.z());
    }
    model.shapes = shapes.cast<float>();
    model.compact = compact_sources(model.skin, shapes);
    model.mass = mass_properties(surface);
    return std::make_shared<const ModalBody>(std::move(model));
}

// Each by itself: q⁺ = 2Re(E) q − |E|² q⁻ + e^{−ξωh} sin(ω_d h)/ω_d · h g, exact for impulses at the samples.
CoupledMotion uncoupled(const Eigen::VectorXd& omega, const Eigen::VectorXd& xi, double rate_hz) {
    struct State {
        Eigen::ArrayXd omega, xi, q, v;
        double h;
    };
    const auto state = std::make_shared<State>(State{omega, xi, 0 * omega, 0 * omega, 1 / rate_hz});
    return {.advance =
                [state](const Eigen::MatrixXd& forces) {
                    Eigen::MatrixXd all(forces.rows(), forces.cols());
                    for (long k = 0; k < forces.cols(); ++k) {
                        all.col(k) = state->q.matrix();
                        state->v += state->h * forces.col(k).array();
                        for (long i = 0; i < state->q.size(); ++i) {
                            const double s = state->xi[i] * state->omega[i],
                                         w = state->omega[i] * std::sqrt(1 - square(state->xi[i]));
                            const std::complex<double> lambda(-s, w);
                            // ζ with Im ζ = q, Im λζ = v.
                            const std::complex<double> zeta((state->v[i] + s * state->q[i]) / w, state->q[i]);
                            const std::complex<double> next = std::exp(lambda * state->h) * zeta;
                            state->q[i] = next.imag();
                            state->v[i] = (lambda * next).imag();
                        }
                    }
                    return all;
                },
            .set_damping = [state](const Eigen::VectorXd& damping) { state->xi = damping; },
            .energy = [state] { return 0.5 * (state->v.square() + (state->omega * state->q).square()).sum(); },
            .account =
                [] {
                    return SoundAccount{.figures = {{"answer", 42}}, .warnings = {}};
                }};
}

struct Heard {
    std::vector<Emitter> emitters;
    std::vector<std::vector<float>> sounds;  ///< of each path, all emitters together
    std::vector<std::string> warnings;
};

// Along as many paths as there are listeners, in pieces of a size that fits nothing else.
Heard heard(const std::shared_ptr<const CoupledModes>& coupled, const Excitation& excitation,
            const std::vector<Trajectory>& listeners, long piece = 64 * 7) {
    Body body;
    body.material = metal;
    const ModalSource source{
        .name = "ball", .body = std::make_shared<const Body>(body), .model = ball(), .coupled = coupled};
    const EmissionContext context{
        .sample_rate = rate, .duration = frames / rate, .frames = frames, .settings = settings_of(Quality::Standard)};
    const Trajectory still = at_rest(Eigen::Isometry3d::Identity());
    Heard result;
    Excitation given = excitation;
    given.path = &still;
    result.emitters = emitters_of(source, given, context, result.warnings);
    std::vector<PlacedListener> placed;
    for (const Trajectory& track : listeners)
        placed.push_back({.array = microphone_array("mic", ListenerKind::Mono), .track = track});
    std::vector<std::vector<Emission>> emissions(listeners.size());
    for (const Emitter& emitter : result.emitters)
        for (size_t i = 0; i < placed.size(); ++i)
            if (emitter.emission)
                emissions[i].push_back(
                    emitter.emission({.listener = placed[i], .source = still, .centre = emitter.centre}));
    result.sounds.assign(listeners.size(), std::vector<float>(frames, 0.0f));
    for (long first = 0; first < frames; first += piece)
        for (size_t i = 0; i < emissions.size(); ++i)
            for (Emission& emission : emissions[i]) {
                std::vector<float> part(size_t(std::min(piece, frames - first)));
                emission.next(first, part);
                for (size_t k = 0; k < part.size(); ++k) result.sounds[i][size_t(first) + k] += part[k];
            }
    return result;
}

std::shared_ptr<const CoupledModes> all_but_the_highest() {
    CoupledModes coupled{.mechanism = "together", .modes = {0, 1, 2, 3}, .start = {}};
    coupled.start = [](const std::vector<long>& places, const Eigen::VectorXd& xi, double rate_hz) {
        Eigen::VectorXd omega(std::ssize(places));
        for (size_t i = 0; i < places.size(); ++i) omega[long(i)] = ball()->omega[places[i]];
        return uncoupled(omega, xi, rate_hz);
    };
    return std::make_shared<const CoupledModes>(coupled);
}

Excitation three_hits() {
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(5);
    return {.impulses = {{.start = 0.01003, .duration = 8e-5, .impulse = 1e-3 * ones},
                         {.start = 0.2, .duration = 0, .impulse = -2e-3 * ones},
                         {.start = 0.25, .duration = 3e-3, .impulse = 1e-2 * ones}}};
}

// Amplitude of a sound at a frequency, from one sample to another.
double amplitude(const std::vector<float>& sound, double hz, long from, long to) {
    std::complex<double> sum = 0;
    for (long k = from; k < to; ++k) {
        const double window = square(std::sin(pi * double(k - from) / double(to - from)));
        sum += window * double(sound[size_t(k)]) * std::polar(1.0, -2 * pi * hz * double(k) / rate);
    }
    return 4 * std::abs(sum) / double(to - from);
}

void check_same(const std::vector<float>& a, const std::vector<float>& b, double within_db) {
    const std::shared_ptr<const ModalBody> body = ball();
    for (const auto& [from, to] : {std::pair(1000L, 9000L), std::pair(14000L, 31000L)})
        for (const double omega : body->omega) {
            const double hz = omega / (2 * pi);
            CAPTURE(hz);
            CAPTURE(from);
            CHECK(std::abs(20 * std::log10(amplitude(a, hz, from, to) / amplitude(b, hz, from, to))) < within_db);
        }
}

Trajectory standing(const Vec3& at) { return at_rest(Eigen::Isometry3d(Eigen::Translation3d(at))); }

Trajectory walking() {
    Trajectory track;
    track.times = Eigen::Vector2d(0, frames / rate);
    track.positions.resize(2, 3);
    track.positions << 1, 0.2, 0, -0.4, 0.8, 0.6;
    track.rotations = at_rest(Eigen::Isometry3d::Identity()).rotations.replicate(2, 1);
    return track;
}

}  // namespace

TEST_CASE("modes that are stepped together and do not couple are heard as they ring by themselves, to 0.02 dB") {
    const std::vector<Trajectory> listeners = {standing({0.7, 0.2, -0.3}), walking()};
    const Heard alone = heard({}, three_hits(), listeners),
                together = heard(all_but_the_highest(), three_hits(), listeners);
    REQUIRE(alone.emitters.size() == 1);
    REQUIRE(together.emitters.size() == 2);
    CHECK(together.emitters[0].mechanism == "together");
    CHECK(together.emitters[1].mechanism == "modal");
    for (size_t i = 0; i < listeners.size(); ++i) {
        CAPTURE(i);
        check_same(alone.sounds[i], together.sounds[i], 0.02);
    }
    REQUIRE(together.emitters[0].account);
    const std::vector<std::pair<std::string, double>> figures = together.emitters[0].account().figures;
    REQUIRE(figures.size() == 2);
    CHECK(figures[0] == std::pair<std::string, double>{"answer", 42});
    CHECK(figures[1].first == "largest_energy_j");
    CHECK(figures[1].second > 0);
}

TEST_CASE("damping that changes on the way holds for modes that are stepped together too") {
    Excitation excitation = three_hits();
    const Eigen::VectorXd more = Eigen::VectorXd::Constant(5, 0.01), none = Eigen::VectorXd::Zero(5);
    excitation.damping = {{.sample = 64 * 30, .xi = more}, {.sample = 64 * 90, .xi = none}};
    const std::vector<Trajectory> listeners = {standing({0.7, 0.2, -0.3})};
    const Heard alone = heard({}, excitation, listeners),
                together = heard(all_but_the_highest(), excitation, listeners);
    // Oscillators go on from ζ = (q̇ + ξωq)/ω_d + iq, steps from q and q̇: they part by the change of ξ, 0.01.
    check_same(alone.sounds[0], together.sounds[0], 20 * std::log10(1.01));
    // It matters: e^{−0.01 ω 0.08 s} of the lowest mode is 0.35.
    const Heard without = heard(all_but_the_highest(), three_hits(), listeners);
    CHECK(amplitude(together.sounds[0], 211, 6000, 9000) < 0.5 * amplitude(without.sounds[0], 211, 6000, 9000));
}

TEST_CASE("what one listener hears depends neither on others nor on the pieces in which it is asked for") {
    const std::vector<Trajectory> listeners = {standing({0.7, 0.2, -0.3}), walking(), standing({0, -1, 0})};
    const Heard all = heard(all_but_the_highest(), three_hits(), listeners);
    const Heard one = heard(all_but_the_highest(), three_hits(), {walking()}, frames);
    CHECK(all.sounds[1] == one.sounds[0]);
}

TEST_CASE("a mode above 0.42 of the sample rate is not stepped with others, as forces in steps do not reach it") {
    CoupledModes coupled = *all_but_the_highest();
    coupled.modes = {0, 1, 2, 3, 4};
    std::vector<long> stepped;
    const auto start = coupled.start;
    coupled.start = [&](const std::vector<long>& places, const Eigen::VectorXd& xi, double rate_hz) {
        stepped = places;
        return start(places, xi, rate_hz);
    };
    Body body;
    body.material = metal;
    const ModalSource source{.name = "ball",
                             .body = std::make_shared<const Body>(body),
                             .model = ball(),
                             .coupled = std::make_shared<const CoupledModes>(coupled)};
    std::vector<std::string> warnings;
    emitters_of(source, three_hits(), {.sample_rate = 32000, .duration = 1, .frames = 32000}, warnings);
    CHECK(stepped == std::vector<long>{0, 1, 2, 3});  // 14 kHz of 32
    CHECK(warnings.empty());
}

TEST_CASE("nothing is stepped where nothing strikes") {
    CHECK_FALSE(heard(all_but_the_highest(), {}, {standing({1, 0, 0})}).emitters[0].emission);
}

}  // namespace coupled_modes_test
