#include <clangor/listening/measured_head.hpp>

#include <clangor/listening/delayed.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <utility>

namespace clangor {
namespace listening {
namespace {

std::vector<float> mixed_taps(const SofaData& data, const Mixture& mixture, int ear) {
    std::vector<float> taps(data.taps);
    for (int i = 0; i < mixture.count; ++i) {
        const float* response = &data.responses[(2 * mixture.measurement[i] + ear) * data.taps];
        const float weight = static_cast<float>(mixture.weight[i]);
        for (long k = 0; k < data.taps; ++k) taps[k] += weight * response[k];
    }
    return taps;
}

double mixed_delay(const SofaData& data, const Mixture& mixture, int ear) {
    double delay = 0;
    for (int i = 0; i < mixture.count; ++i) delay += mixture.weight[i] * data.delays(mixture.measurement[i], ear);
    return delay;
}

std::vector<Mixture> mixtures_along(const Points& measured, const Points& directions) {
    std::vector<Mixture> mixtures(directions.rows());
    for (long i = 0; i < directions.rows(); ++i) {
        const bool same = i > 0 && directions.row(i) == directions.row(i - 1);
        mixtures[i] = same ? mixtures[i - 1] : mixture_at(measured, directions.row(i));
    }
    return mixtures;
}

/// The sound through the response of each control point, faded into that of the next. `sound` begins taps − 1 frames
/// before the window.
std::vector<float> filtered(const std::vector<float>& sound, const FrameRange& window, const SofaData& data,
                            const std::vector<Mixture>& mixtures, const DelayCurve& delay_curve, int ear,
                            double samples_per_control) {
    const long size = window.end - window.begin;
    const long last = (delay_curve.total < 0 ? static_cast<long>(mixtures.size()) : delay_curve.total) - 1;
    const auto mixture = [&](long control) -> const Mixture& { return mixtures[control - delay_curve.first]; };
    std::vector<float> padded(sound);
    padded.resize(sound.size() + convolve_margin);
    const float* x = padded.data() + (data.taps - 1);
    std::vector<float> out(size), next(size);
    std::vector<float> taps, taps_next;
    long taps_next_of = -1;
    for (long n = 0; n < size;) {
        const long control =
            std::min(last, static_cast<long>(static_cast<double>(window.begin + n) / samples_per_control));
        const double ends = static_cast<double>(control + 1) * samples_per_control;
        const long end = control == last ? size : std::min(size, static_cast<long>(std::ceil(ends)) - window.begin);
        taps = taps_next_of == control ? std::move(taps_next) : mixed_taps(data, mixture(control), ear);
        convolve(x + n, taps, &out[n], end - n);
        if (control < last && !(mixture(control + 1) == mixture(control))) {
            taps_next = mixed_taps(data, mixture(control + 1), ear);
            taps_next_of = control + 1;
            convolve(x + n, taps_next, &next[n], end - n);
            for (long i = n; i < end; ++i) {
                const double faded = static_cast<double>(window.begin + i) / samples_per_control - double(control);
                out[i] += static_cast<float>(faded) * (next[i] - out[i]);
            }
        }
        n = std::max(end, n + 1);
    }
    return out;
}

}  // namespace

Mixture mixture_at(const Points& directions, const Vec3& direction) {
    constexpr int wanted = Mixture::most + 1;
    std::pair<double, long> nearest[wanted];  // squared distances, ascending
    int found = 0;
    for (long i = 0; i < directions.rows(); ++i) {
        const std::pair<double, long> candidate = {(directions.row(i).transpose() - direction).squaredNorm(), i};
        if (found == wanted && !(candidate < nearest[wanted - 1])) continue;
        int at = found < wanted ? found++ : wanted - 1;
        for (; at > 0 && candidate < nearest[at - 1]; --at) nearest[at] = nearest[at - 1];
        nearest[at] = candidate;
    }
    Mixture mixture;
    const double reach =
        found == wanted ? std::sqrt(nearest[wanted - 1].first) : 3.0;  // 3: more than the sphere is wide
    const double closest = std::sqrt(nearest[0].first);
    if (closest < 1e-7 || reach - closest < 1e-7) {  // on a measurement, or as far from all five
        mixture.count = 1;
        mixture.measurement[0] = nearest[0].second;
        mixture.weight[0] = 1;
        return mixture;
    }
    mixture.count = std::min(found, Mixture::most);
    double sum = 0;
    for (int i = 0; i < mixture.count; ++i) {
        const double distance = std::sqrt(nearest[i].first);
        mixture.measurement[i] = nearest[i].second;
        sum += mixture.weight[i] = square((reach - distance) / (reach * distance));
    }
    for (int i = 0; i < mixture.count; ++i) mixture.weight[i] /= sum;
    return mixture;
}

bool calibrate(SofaData& data, double sample_rate) {
    const Mixture ahead = mixture_at(data.directions, Vec3::UnitX());
    double power = 0;
    constexpr int frequencies = 16;
    for (int ear = 0; ear < 2; ++ear) {
        const std::vector<float> taps = mixed_taps(data, ahead, ear);
        for (int i = 0; i < frequencies; ++i) {
            const double hz = 200 * std::pow(5.0, (i + 0.5) / frequencies);
            std::complex<double> sum = 0;
            for (long k = 0; k < data.taps; ++k)
                sum += double(taps[k]) * std::polar(1.0, -2 * pi * hz / sample_rate * static_cast<double>(k));
            power += std::norm(sum) / (2 * frequencies);
        }
    }
    if (!(power > 1e-20)) return false;
    for (float& tap : data.responses) tap *= static_cast<float>(1 / std::sqrt(power));
    return true;
}

BothEars measured_ears(const SignalPart& emitted, const DelayCurve& delay_curve, const HeadMeasurement& head,
                       const FrameRange& window, const EarOptions& options) {
    CLANGOR_ASSERT(head.sample_rate == options.sample_rate, "a head is loaded for the audio's rate");
    BothEars both;
    if (emitted.silent()) return both;
    const std::vector<Mixture> mixtures = mixtures_along(head.data.directions, delay_curve.directions);
    for (int ear = 0; ear < 2; ++ear) {
        Eigen::VectorXd delays = delay_curve.delays;
        for (long i = 0; i < delays.size(); ++i)
            delays[i] = std::max(0.0, delays[i] + mixed_delay(head.data, mixtures[i], ear));
        const ControlCurve curve(std::move(delays), delay_curve.control_hz, delay_curve.first, delay_curve.total);
        const long from = window.begin - (head.data.taps - 1);
        const FrameRange needed = {std::max(0L, from), window.end};
        std::vector<float> sound = delayed(emitted, curve, options.sample_rate, needed);
        sound.insert(sound.begin(), static_cast<size_t>(needed.begin - from), 0.f);
        both[ear] = filtered(sound, window, head.data, mixtures, delay_curve, ear,
                             options.sample_rate / delay_curve.control_hz);
    }
    return both;
}

double longest_delay(const HeadMeasurement& head) { return std::max(0.0, head.data.delays.maxCoeff()); }

}  // namespace listening

LoadedHead load_head(const std::string& sofa_path, double sample_rate) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(sofa_path, failure);
    if (failure) throw Error(fmt::format("{}: cannot be read ({})", sofa_path, failure.message()));
    if (size > (std::uintmax_t(1) << 30))
        throw Error(
            fmt::format("{}: {:.1f} GB is more than a head takes (1 GB at most)", sofa_path, double(size) * 1e-9));
    std::vector<std::byte> bytes(size);
    std::ifstream file(sofa_path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
        throw Error(fmt::format("{}: cannot be read", sofa_path));
    auto head = std::make_shared<HeadMeasurement>();
    head->sample_rate = sample_rate;
    head->data = listening::read_sofa(bytes, sample_rate, sofa_path);
    if (!listening::calibrate(head->data, sample_rate))
        throw Error(fmt::format("{}: cannot be used as a head: nothing is heard from straight ahead", sofa_path));
    std::string message;
    if (std::abs(head->data.file_rate - sample_rate) > 0.5)
        message = fmt::format("{}: measured at {:.0f} Hz, resampled to {:.0f} Hz", sofa_path, head->data.file_rate,
                              sample_rate);
    return {std::move(head), std::move(message)};
}

}  // namespace clangor
