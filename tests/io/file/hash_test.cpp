#include <clangor/io/file/hash.hpp>

#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace hash_test {

using namespace clangor;
using io::Fingerprint;
using io::Sha256;

namespace {

std::string sha256(std::string_view text) {
    Sha256 hash;
    hash.update(std::as_bytes(std::span(text)));
    return hash.hex();
}

}  // namespace

TEST_CASE("SHA-256 of the standard's examples") {
    // NIST's example values for FIPS 180-4: one block, two blocks, a million letters; and the empty message.
    CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("SHA-256 does not depend on how the bytes come in") {
    const std::string text(1000, 'x');
    for (const std::size_t piece : {1, 55, 56, 63, 64, 65}) {
        Sha256 hash;
        for (std::size_t at = 0; at < text.size(); at += piece)
            hash.update(std::as_bytes(std::span(text).subspan(at, std::min(piece, text.size() - at))));
        CHECK(hash.hex() == sha256(text));
    }
}

TEST_CASE("any single flipped bit changes the checksum") {
    std::vector<std::byte> bytes(100);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(7 * i + 3);
    std::set<std::uint64_t> sums = {io::checksum(bytes)};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        for (int bit = 0; bit < 8; ++bit) {
            bytes[i] ^= std::byte(1 << bit);
            sums.insert(io::checksum(bytes));
            bytes[i] ^= std::byte(1 << bit);
        }
    CHECK(sums.size() == 801);
    CHECK(io::checksum(std::span(bytes).first(99)) != io::checksum(bytes));
}

TEST_CASE("a fingerprint tells values, labels, kinds and shapes apart") {
    const Points points = Points::Random(4, 3);
    const Triangles triangle = (Triangles(2, 3) << 0, 1, 2, 2, 1, 3).finished();
    const Cells one_row = (Cells(1, 6) << 0, 1, 2, 2, 1, 3).finished();
    const std::set<std::string> all = {
        Fingerprint().hex(),
        Fingerprint().add("a", 1.0).hex(),
        Fingerprint().add("b", 1.0).hex(),
        Fingerprint().add("a", 2.0).hex(),
        Fingerprint().add("a", "1").hex(),
        Fingerprint().add("a", "1").add("b", "").hex(),
        Fingerprint().add("a", "").add("b", "1").hex(),
        Fingerprint().add("a", points).hex(),
        Fingerprint().add("a", Points(2 * points)).hex(),
        Fingerprint().add("a", triangle).hex(),
        Fingerprint().add("a", one_row).hex(),
    };
    CHECK(all.size() == 11);
    CHECK(Fingerprint().add("a", 0.0).hex() == Fingerprint().add("a", -0.0).hex());
    CHECK(Fingerprint().add("a", points).hex() == Fingerprint().add("a", Points(points)).hex());
}

}  // namespace hash_test
