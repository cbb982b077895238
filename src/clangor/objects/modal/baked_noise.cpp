#include <clangor/objects/modal/baked_noise.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace clangor {
namespace {

using namespace io;

// Far beyond any bake (150 harmonics, tenths of a second), so that nobody reserves memory for nonsense.
constexpr int largest_harmonic = 10'000;
constexpr double longest_response = 100;  // [s]

std::string part_of(std::size_t motion, const char* name) { return fmt::format("fields/{}/{}", motion, name); }

// Eigen's columns are contiguous, so that the samples of one harmonic come out as a row.
void write_field(Hdf5Writer& file, std::size_t motion, const NoiseField& field) {
    const auto harmonics = static_cast<std::uint64_t>(field.pressure.cols());
    const auto samples = static_cast<std::uint64_t>(field.pressure.rows());
    file.write(part_of(motion, "harmonics"), flat_values(field.harmonics), {harmonics}, "1");
    file.write(part_of(motion, "start"), field.start, "s");
    file.write(part_of(motion, "pressure"), flat_values(field.pressure), {harmonics, samples},
               motion < 3 ? "Pa s^2/m" : "Pa s^2/rad");
}

NoiseField read_field(const Hdf5Reader& file, std::size_t motion) {
    const std::string harmonics_name = part_of(motion, "harmonics"), pressure_name = part_of(motion, "pressure");
    const Hdf5Array<std::int32_t> harmonics = file.integers(harmonics_name);
    const Hdf5Array<float> pressure = file.floats(pressure_name);
    if (harmonics.dims.size() != 1) throw Error(fmt::format("has a {} of the wrong size", harmonics_name));
    if (pressure.dims.size() != 2 || pressure.dims[0] != harmonics.dims[0] || pressure.dims[1] > 2147483647)
        throw Error(fmt::format("has a {} of the wrong size", pressure_name));
    const long columns = static_cast<long>(pressure.dims[0]), rows = static_cast<long>(pressure.dims[1]);
    return {.harmonics = matrix_of<Eigen::VectorXi>(harmonics, columns, 1, harmonics_name),
            .start = file.number(part_of(motion, "start")),
            .pressure = matrix_of<Eigen::MatrixXf>(pressure, rows, columns, pressure_name)};
}

using Problems = std::vector<std::string>;

void check(Problems& problems, bool holds, const std::string& otherwise) {
    if (!holds) problems.push_back(otherwise);
}

void check_field(Problems& problems, const NoiseField& field, double sample_step, std::size_t motion) {
    const auto of_motion = [&](const char* text) { return fmt::format("motion {}: {}", motion, text); };
    const Eigen::VectorXi& harmonics = field.harmonics;
    const bool ascending =
        std::adjacent_find(harmonics.begin(), harmonics.end(), std::greater_equal<>()) == harmonics.end();
    const bool in_range =
        harmonics.size() == 0 || (harmonics.minCoeff() >= 0 && harmonics.maxCoeff() <= largest_harmonic);
    check(problems, ascending && in_range, of_motion("the harmonics are not ascending, or out of range"));
    check(problems, field.pressure.cols() == harmonics.size(), of_motion("the pressures do not fit the harmonics"));
    check(problems, harmonics.size() == 0 || field.pressure.rows() > 0, of_motion("there are no samples"));
    check(problems, field.pressure.allFinite(), of_motion("the pressures are not finite"));
    const double duration = static_cast<double>(field.pressure.rows()) * sample_step;
    check(problems, std::abs(field.start) <= longest_response && duration <= longest_response,
          of_motion("the time is out of range"));
}

}  // namespace

Problems problems_of(const BakedNoise& baked) {
    const AccelerationNoise& noise = baked.noise;
    Problems problems;
    check(problems, noise.centre.allFinite(), "the centre is not finite");
    // Baked frames are orthonormal to rounding; 1e-9 leaves room for those of other programs.
    check(problems,
          noise.frame.allFinite() &&
              (noise.frame.transpose() * noise.frame - Mat3::Identity()).cwiseAbs().maxCoeff() <= 1e-9,
          "the axes of the frame are not orthonormal");
    check(problems, io::is_positive(noise.radius), "the radius is not positive");
    check(problems, io::is_positive(noise.reference_radius), "the reference radius is not positive");
    check(problems, io::is_positive(noise.pulse_scale), "the pulse scale is not positive");
    check(problems, io::is_positive(noise.sample_step), "the sample step is not positive");
    check(problems, io::is_positive(noise.air.density) && io::is_positive(noise.air.speed_of_sound),
          "density and speed of sound of the air are not positive");
    for (std::size_t motion = 0; motion < noise.fields.size(); ++motion)
        check_field(problems, noise.fields[motion], noise.sample_step, motion);
    return problems;
}

void read(const Hdf5Reader& file, BakedNoise& baked) {
    baked.messages = read_messages(file);
    baked.noise = {.centre = matrix_of<Vec3>(file.doubles("centre"), 3, 1, "centre"),
                   .frame = matrix_of<Mat3>(file.doubles("frame"), 3, 3, "frame"),
                   .radius = file.number("radius"),
                   .reference_radius = file.number("reference_radius"),
                   .pulse_scale = file.number("pulse_scale"),
                   .sample_step = file.number("sample_step"),
                   .air = {.density = file.number("air/density"), .speed_of_sound = file.number("air/speed_of_sound")},
                   .fields = {}};
    for (std::size_t motion = 0; motion < baked.noise.fields.size(); ++motion)
        baked.noise.fields[motion] = read_field(file, motion);
}

void write(Hdf5Writer& file, const BakedNoise& baked) {
    const AccelerationNoise& noise = baked.noise;
    write_messages(file, baked.messages);
    file.write("centre", flat_values(noise.centre), {3}, "m");
    file.write("frame", flat_values(noise.frame), {3, 3}, "1");
    file.write("radius", noise.radius, "m");
    file.write("reference_radius", noise.reference_radius, "m");
    file.write("pulse_scale", noise.pulse_scale, "s");
    file.write("sample_step", noise.sample_step, "s");
    file.write("air/density", noise.air.density, "kg/m^3");
    file.write("air/speed_of_sound", noise.air.speed_of_sound, "m/s");
    for (std::size_t motion = 0; motion < noise.fields.size(); ++motion)
        write_field(file, motion, noise.fields[motion]);
}

Problems problems_of(const BegunNoise& begun) {
    Problems problems;
    std::vector<int> seen;
    for (const NoiseMotion& motion : begun.motions) {
        check(problems, std::find(seen.begin(), seen.end(), motion.motion) == seen.end(),
              fmt::format("motion {} stands there twice", motion.motion));
        seen.push_back(motion.motion);
        check(problems, io::is_positive(motion.sample_step) && std::isfinite(motion.end_time),
              "the times are not finite");
        check(problems,
              motion.far_energy >= 0 && std::isfinite(motion.far_energy) && std::isfinite(motion.fit_residual) &&
                  std::isfinite(motion.residual_db),
              "the figures of a motion are not finite");
        check_field(problems, motion.field, motion.sample_step, motion.motion);
    }
    return problems;
}

// Which motions are finished is a list of integers; their figures stand beside their fields.
void read(const Hdf5Reader& file, BegunNoise& begun) {
    for (const std::int32_t motion : file.integers("motions").values) {
        if (motion < 0 || motion > 5) throw Error(fmt::format("names a motion {}, but there are 0 to 5", motion));
        begun.motions.push_back({.motion = motion,
                                 .field = read_field(file, motion),
                                 .sample_step = file.number(part_of(motion, "sample_step")),
                                 .far_energy = file.number(part_of(motion, "far_energy")),
                                 .fit_residual = file.number(part_of(motion, "fit_residual")),
                                 .died_out = file.number(part_of(motion, "died_out")) != 0,
                                 .residual_db = file.number(part_of(motion, "residual_db")),
                                 .end_time = file.number(part_of(motion, "end_time"))});
    }
}

void write(Hdf5Writer& file, const BegunNoise& begun) {
    std::vector<std::int32_t> motions;
    for (const NoiseMotion& motion : begun.motions) {
        const std::size_t at = motion.motion;
        motions.push_back(motion.motion);
        write_field(file, at, motion.field);
        file.write(part_of(at, "sample_step"), motion.sample_step, "s");
        file.write(part_of(at, "far_energy"), motion.far_energy, "Pa^2 s");
        file.write(part_of(at, "fit_residual"), motion.fit_residual, "1");
        file.write(part_of(at, "died_out"), motion.died_out ? 1.0 : 0.0, "1");
        file.write(part_of(at, "residual_db"), motion.residual_db, "dB");
        file.write(part_of(at, "end_time"), motion.end_time, "s");
    }
    file.write("motions", std::span<const std::int32_t>(motions), {motions.size()}, "1");
}

}  // namespace clangor
