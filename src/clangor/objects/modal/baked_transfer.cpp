#include <clangor/objects/modal/baked_transfer.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

using namespace io;

// Far beyond any bake (degree 60), so that nobody reserves memory for nonsense.
constexpr int largest_degree = 300;

long count_of(int degree) { return (degree + 1L) * (degree + 1L); }

// The coefficients of all modes stand one after the other, (degree + 1)² of each, real and imaginary parts side by
// side.
std::vector<ModeTransfer> read_modes(const Hdf5Reader& file) {
    const Hdf5Array<double> omega = file.doubles("modes/omega");
    const Hdf5Array<std::int32_t> degrees = file.integers("modes/degree");
    const Hdf5Array<float> coefficients = file.floats("modes/coefficients");
    if (degrees.values.size() != omega.values.size()) throw Error("has a modes/degree of the wrong size");
    std::vector<ModeTransfer> modes;
    std::size_t at = 0;
    for (std::size_t j = 0; j < omega.values.size(); ++j) {
        const int degree = degrees.values[j];
        if (degree < -1 || degree > largest_degree) throw Error(fmt::format("has a mode of degree {}", degree));
        const std::size_t count = count_of(degree);
        if (2 * (at + count) > coefficients.values.size()) throw Error("has too few modes/coefficients");
        ModeTransfer mode{
            .omega = omega.values[j], .degree = degree, .coefficients = Eigen::VectorXcf(static_cast<long>(count))};
        for (std::size_t i = 0; i < count; ++i, ++at)
            mode.coefficients[static_cast<long>(i)] = {coefficients.values[2 * at], coefficients.values[2 * at + 1]};
        modes.push_back(std::move(mode));
    }
    if (2 * at != coefficients.values.size()) throw Error("has too many modes/coefficients");
    return modes;
}

ModalTransfer read_transfer_of(const Hdf5Reader& file) {
    return {.centre = matrix_of<Vec3>(file.doubles("centre"), 3, 1, "centre"),
            .radius = file.number("radius"),
            .reference_radius = file.number("reference_radius"),
            .air = {.density = file.number("air/density"), .speed_of_sound = file.number("air/speed_of_sound")},
            .solved_hz = file.number("solved_hz"),
            .modes = read_modes(file)};
}

// One after the other, with how many values each has.
std::vector<std::vector<float>> read_fields(const Hdf5Reader& file, const std::string& name) {
    const Hdf5Array<float> all = file.floats(name);
    std::vector<std::vector<float>> fields;
    std::size_t at = 0;
    for (const std::int32_t size : file.integers(name + "_sizes").values) {
        if (size < 0 || static_cast<std::size_t>(size) > all.values.size() - at) break;
        const auto begin = all.values.begin() + static_cast<long>(at);
        fields.emplace_back(begin, begin + size);
        at += static_cast<std::size_t>(size);
    }
    if (at != all.values.size()) throw Error(fmt::format("has a {} of the wrong size", name));
    return fields;
}

BegunRun read_run(const Hdf5Reader& file) {
    return {.attempt = static_cast<int>(file.number("run/attempt")),
            .modes = file.integers("run/modes").values,
            .snapshot = {.step = static_cast<long>(file.number("run/step")),
                         .states = read_fields(file, "run/states"),
                         .recorded = read_fields(file, "run/recorded")}};
}

void write_fields(Hdf5Writer& file, const std::string& name, const std::vector<std::vector<float>>& fields) {
    std::vector<float> all;
    std::vector<std::int32_t> sizes;
    for (const std::vector<float>& field : fields) {
        all.insert(all.end(), field.begin(), field.end());
        sizes.push_back(static_cast<std::int32_t>(field.size()));
    }
    file.write(name, std::span<const float>(all), {all.size()}, "Pa");
    file.write(name + "_sizes", std::span<const std::int32_t>(sizes), {sizes.size()}, "1");
}

void write_run(Hdf5Writer& file, const BegunRun& run) {
    file.write("run/attempt", static_cast<double>(run.attempt), "1");
    file.write("run/modes", std::span<const std::int32_t>(run.modes), {run.modes.size()}, "1");
    file.write("run/step", static_cast<double>(run.snapshot.step), "1");
    write_fields(file, "run/states", run.snapshot.states);
    write_fields(file, "run/recorded", run.snapshot.recorded);
}

std::vector<std::string> problems_of_transfer(const ModalTransfer& transfer) {
    std::vector<std::string> problems;
    const auto check = [&](bool holds, const char* otherwise) {
        if (!holds) problems.push_back(otherwise);
    };
    check(transfer.centre.allFinite(), "the centre is not finite");
    check(io::is_positive(transfer.radius), "the radius is not positive");
    check(std::isfinite(transfer.reference_radius) && transfer.reference_radius >= transfer.radius,
          "the reference radius is smaller than the body");
    check(io::is_positive(transfer.air.density) && io::is_positive(transfer.air.speed_of_sound),
          "density and speed of sound of the air are not positive");
    check(transfer.solved_hz > 0, "the highest frequency that was solved for is not positive");
    bool frequencies = true, sizes = true, finite = true;
    for (const ModeTransfer& mode : transfer.modes) {
        frequencies &= io::is_positive(mode.omega);
        sizes &= mode.degree >= -1 && mode.coefficients.size() == count_of(mode.degree);
        finite &= mode.coefficients.allFinite();
    }
    check(frequencies, "a frequency is not positive");
    check(sizes, "the coefficients of a mode do not fit its degree");
    check(finite, "the coefficients are not finite");
    return problems;
}

void write_transfer_to(Hdf5Writer& file, const ModalTransfer& transfer) {
    std::vector<double> omega;
    std::vector<std::int32_t> degrees;
    std::vector<float> coefficients;
    for (const ModeTransfer& mode : transfer.modes) {
        omega.push_back(mode.omega);
        degrees.push_back(mode.degree);
        for (const std::complex<float>& b : mode.coefficients) {
            coefficients.push_back(b.real());
            coefficients.push_back(b.imag());
        }
    }
    file.write("centre", flat_values(transfer.centre), {3}, "m");
    file.write("radius", transfer.radius, "m");
    file.write("reference_radius", transfer.reference_radius, "m");
    file.write("air/density", transfer.air.density, "kg/m^3");
    file.write("air/speed_of_sound", transfer.air.speed_of_sound, "m/s");
    file.write("solved_hz", transfer.solved_hz, "Hz");
    file.write("modes/omega", std::span<const double>(omega), {omega.size()}, "rad/s");
    file.write("modes/degree", std::span<const std::int32_t>(degrees), {degrees.size()}, "1");
    file.write("modes/coefficients", std::span<const float>(coefficients), {coefficients.size() / 2, 2},
               "Pa kg^-1/2 m^-1");
}

}  // namespace

std::vector<std::string> problems_of(const BakedTransfer& baked) { return problems_of_transfer(baked.transfer); }

std::vector<std::string> problems_of(const BegunTransferFile& file) {
    std::vector<std::string> problems = problems_of_transfer(file.begun.transfer);
    const std::vector<ModeTrial>& trials = file.begun.trials;
    if (!trials.empty() && trials.size() != file.begun.transfer.modes.size())
        problems.push_back("the trials do not fit the modes");
    for (const ModeTrial& trial : trials)
        if (trial.attempts < 0 || !(trial.missing >= 0) || !(trial.lost_area >= 0))
            return problems.push_back("the figures of a trial are out of range"), problems;
    return problems;
}

void write(Hdf5Writer& file, const BakedTransfer& baked) {
    write_messages(file, baked.messages);
    write_transfer_to(file, baked.transfer);
}

void read(const Hdf5Reader& file, BakedTransfer& baked) {
    baked.transfer = read_transfer_of(file);
    baked.messages = read_messages(file);
}

void write(Hdf5Writer& file, const BegunTransferFile& begun) {
    std::vector<std::int32_t> attempts;
    std::vector<double> missing, lost_area;
    for (const ModeTrial& trial : begun.begun.trials) {
        attempts.push_back(trial.attempts);
        missing.push_back(trial.missing);
        lost_area.push_back(trial.lost_area);
    }
    write_transfer_to(file, begun.begun.transfer);
    file.write("trials/attempts", std::span<const std::int32_t>(attempts), {attempts.size()}, "1");
    file.write("trials/missing", std::span<const double>(missing), {missing.size()}, "1");
    file.write("trials/lost_area", std::span<const double>(lost_area), {lost_area.size()}, "m^2");
    write_run(file, begun.begun.run);
}

void read(const Hdf5Reader& file, BegunTransferFile& begun) {
    begun.begun = {.transfer = read_transfer_of(file), .trials = {}, .run = read_run(file)};
    const Hdf5Array<std::int32_t> attempts = file.integers("trials/attempts");
    const Hdf5Array<double> missing = file.doubles("trials/missing"), lost = file.doubles("trials/lost_area");
    if (missing.values.size() != attempts.values.size() || lost.values.size() != attempts.values.size())
        throw Error("has trials of different lengths");
    for (std::size_t i = 0; i < attempts.values.size(); ++i)
        begun.begun.trials.push_back({attempts.values[i], missing.values[i], lost.values[i]});
}

}  // namespace clangor
