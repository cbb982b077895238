// Runs a fuzz target without libFuzzer: every seed as it is, then a number of random mutations, the same ones each
// time.
//     fuzz_mesh [MUTATIONS] [FILE…]     with files, runs those instead
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
std::vector<std::string> fuzz_seeds();

namespace {

using Twister = std::mt19937_64;

std::size_t below(Twister& random, std::size_t limit) { return limit == 0 ? 0 : random() % limit; }

std::string flip_bit(std::string text, Twister& random) {
    if (!text.empty()) text[below(random, text.size())] ^= static_cast<char>(1 << below(random, 8));
    return text;
}

std::string cut(const std::string& text, Twister& random) { return text.substr(0, below(random, text.size() + 1)); }

std::string insert(std::string text, Twister& random) {
    static const std::string morsels[] = {"\n",
                                          " ",
                                          "/",
                                          "-1",
                                          "0",
                                          "1e309",
                                          "nan",
                                          "{",
                                          "[",
                                          "]",
                                          "\"",
                                          "\\\n",
                                          std::string(4, '\xff'),
                                          std::string(4, '\0'),
                                          "99999999999999999999"};
    return text.insert(below(random, text.size() + 1), morsels[below(random, std::size(morsels))]);
}

/// Replaces one number of the text by an awkward one.
std::string change_number(std::string text, Twister& random) {
    static const char* const numbers[] = {
        "0", "-1", "2", "255", "65536", "2147483647", "4294967296", "18446744073709551615", "0.5"};
    const std::size_t first = text.find_first_of("0123456789", below(random, text.size() + 1));
    if (first == std::string::npos) return text;
    std::size_t last = text.find_first_not_of("0123456789", first);
    if (last == std::string::npos) last = text.size();
    return text.replace(first, last - first, numbers[below(random, std::size(numbers))]);
}

/// The front of one seed and the back of another.
std::string splice(const std::string& text, const std::string& other, Twister& random) {
    return text.substr(0, below(random, text.size() + 1)) + other.substr(below(random, other.size() + 1));
}

std::string erase(std::string text, Twister& random) {
    const std::size_t at = below(random, text.size() + 1);
    return text.erase(at, below(random, 16));
}

std::string mutated(const std::vector<std::string>& seeds, Twister& random) {
    std::string text = seeds[below(random, seeds.size())];
    const std::size_t rounds = 1 + below(random, 4);
    for (std::size_t round = 0; round < rounds; ++round) {
        switch (below(random, 7)) {
            case 0:
            case 1:
                text = flip_bit(text, random);
                break;
            case 2:
                text = insert(text, random);
                break;
            case 3:
                text = change_number(text, random);
                break;
            case 4:
                text = splice(text, seeds[below(random, seeds.size())], random);
                break;
            case 5:
                text = erase(text, random);
                break;
            default:
                text = cut(text, random);
                break;
        }
    }
    return text;
}

void run(const std::string& text) {
    // A copy on the heap of the exact size, so that the sanitizer sees one byte too far.
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 2; i < argc; ++i) {
        std::ifstream file(argv[i], std::ios::binary);
        run({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
    }
    if (argc > 2) return 0;
    const std::vector<std::string> seeds = fuzz_seeds();
    for (const std::string& seed : seeds) run(seed);
    const long mutations = argc > 1 ? std::atol(argv[1]) : 2000;
    Twister random(1);
    for (long i = 0; i < mutations; ++i) run(mutated(seeds, random));
    std::printf("%zu seeds and %ld mutations ran\n", seeds.size(), mutations);
    return 0;
}
