// Any bytes as a SOFA file: either impulse responses of the sizes announced, all finite, or a clangor::Error.
#include <clangor/listening/sofa_file.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    // Without libFuzzer: 2000 processes of 40 ms each are too many for a test, and one in sixteen says enough.
    std::uint32_t hash = 0;
    for (std::size_t i = 0; i < size; ++i) hash = hash * 31 + data[i];
    if ((hash >> 8) % 16 != 0) return 0;
#endif
    try {
        const clangor::listening::SofaData sofa =
            clangor::listening::read_sofa(std::as_bytes(std::span(data, size)), 44100, "fuzz");
        if (sofa.responses.size() != static_cast<std::size_t>(2 * sofa.taps * sofa.directions.rows())) std::abort();
        if (!sofa.directions.allFinite() || !sofa.delays.allFinite()) std::abort();
        for (const float value : sofa.responses) {
            if (!std::isfinite(value)) std::abort();
        }
    } catch (const clangor::Error&) {}
    return 0;
}

/// The file that Debian's libmysofa brings along, if it is there; otherwise only its first bytes.
std::vector<std::string> fuzz_seeds() {
    std::ifstream file("/usr/share/libmysofa/default.sofa", std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const std::string signature = "\x89HDF\r\n\x1a\n";
    return {whole, whole.substr(0, whole.size() / 8), signature + std::string(100, '\2'), ""};
}
