// Sound fields of modes as pictures.
#include <clangor/render/render.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace clangor {
namespace {

constexpr int rows = 180;
constexpr double range_db = 40;
constexpr const char* list_name = "maps.json";

// Seen from the body: up (+y) is at the top, +x in the middle, +z a quarter of the width to the right of it.
Vec3 direction_of(long row, long column) {
    const double theta = pi * (double(row) + 0.5) / rows, phi = pi * (double(column) + 0.5) / rows - pi;
    return {std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi)};
}

// One matrix per mode.
std::vector<Eigen::MatrixXcf> images_of(const ModalTransfer& transfer, double distance) {
    const TransferMaps maps(transfer);
    std::vector<Eigen::MatrixXcf> images(transfer.modes.size(), Eigen::MatrixXcf(rows, 2 * rows));
    parallel_for(rows, [&](long y) {
        std::vector<std::complex<float>> pressures(transfer.modes.size());
        for (long x = 0; x < 2 * rows; ++x) {
            maps.pressures(transfer.centre + distance * direction_of(y, x), pressures);
            for (std::size_t mode = 0; mode < pressures.size(); ++mode) images[mode](y, x) = pressures[mode];
        }
    });
    return images;
}

// Black is 40 dB below the loudest direction, or less.
io::Picture picture_of(const Eigen::MatrixXcf& pressure) {
    io::Picture picture{.width = int(pressure.cols()), .height = int(pressure.rows())};
    const double loudest = double(pressure.cwiseAbs().maxCoeff());
    for (long y = 0; y < pressure.rows(); ++y)
        for (long x = 0; x < pressure.cols(); ++x) {
            const double level_db = 20 * std::log10(double(std::abs(pressure(y, x))) / std::max(loudest, 1e-300));
            const std::array<std::uint8_t, 3> colour = io::heat_colour(1 + level_db / range_db);
            picture.rgb.insert(picture.rgb.end(), colour.begin(), colour.end());
        }
    return picture;
}

// Names of objects may hold anything; names of files may not.
std::string file_name_of(const std::string& object, std::size_t mode, double hz) {
    std::string name;
    for (const char letter : object) name += std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    return fmt::format("{}-mode-{:03}-{:.0f}Hz.png", name, mode, hz);
}

}  // namespace

int write_transfer_pictures(const std::filesystem::path& folder, const Scene& scene, const Baked& baked,
                            double distance_in_radii, const Progress& progress) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw Error(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < baked.objects.size(); ++i) {
        if (!baked.objects[i].transfer) continue;
        const ModalTransfer& transfer = *baked.objects[i].transfer;
        const double distance = distance_in_radii * transfer.radius;
        const std::vector<Eigen::MatrixXcf> images = images_of(transfer, distance);
        for (std::size_t mode = 0; mode < transfer.modes.size(); ++mode) {
            const std::string& name = scene::name_of(scene.objects[i]);
            const double omega = transfer.modes[mode].omega, hz = omega / (2 * pi);
            if (hz > transfer.solved_hz * (1 + 1e-12)) continue;  // nothing is known but an estimate
            progress(name + ": pictures", double(mode) / double(transfer.modes.size()));
            const Eigen::MatrixXcf& pressure = images[mode];
            const std::string file = file_name_of(name, mode, hz);
            io::write_png(folder / file, picture_of(pressure));
            list.push_back({{"file", file},
                            {"object", name},
                            {"mode", mode},
                            {"hz", hz},
                            {"kR", omega / transfer.air.speed_of_sound * transfer.radius},
                            {"degree", transfer.modes[mode].degree},
                            {"distance_m", distance},
                            {"loudest", double(pressure.cwiseAbs().maxCoeff())}});
        }
    }
    const std::string text = list.dump(2) + "\n";
    io::write_file(folder / list_name, std::as_bytes(std::span(text)));
    return int(list.size());
}

std::vector<std::filesystem::path> pictures_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        const bool is_picture = name.find("-mode-") != std::string::npos && name.ends_with("Hz.png");
        if (name == list_name || is_picture) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

bool is_picture_list(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const nlohmann::json content = nlohmann::json::parse(file, nullptr, false);
    return content.is_array() && std::ranges::all_of(content, [](const nlohmann::json& entry) {
               return entry.is_object() && entry.contains("file") && entry.contains("mode") && entry.contains("hz");
           });
}

}  // namespace clangor
