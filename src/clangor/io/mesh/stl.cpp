// STL, binary and text. Each face brings its own three vertices: those at one place are one vertex.
#include <clangor/io/mesh/parsers.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <unordered_map>

namespace clangor::io {
namespace {

constexpr std::size_t header_size = 80 + 4, facet_size = 50;  // a note and the count; normal, three corners, two bytes

static_assert(std::endian::native == std::endian::little, "binary STL is read as it lies in memory");

std::uint32_t promised_facets(Bytes bytes) {
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + 80, sizeof count);
    return count;
}

Surface parse_binary(Bytes bytes, const std::string& name) {
    const std::size_t count = promised_facets(bytes), held = (bytes.size() - header_size) / facet_size;
    if (count > held) {
        fail(name, "promises {} triangles, but holds {}; it is truncated or no STL file: export the mesh again", count,
             held);
    }
    MeshBuilder mesh(name);
    mesh.check_room(3 * count, count);
    if (count == 0) return mesh.finish();  // says that there are no faces
    Surface surface{Points(3 * static_cast<Eigen::Index>(count), 3), Triangles(static_cast<Eigen::Index>(count), 3)};
    for (std::size_t f = 0; f < count; ++f) {
        float corners[9];
        std::memcpy(corners, bytes.data() + header_size + f * facet_size + 12, sizeof corners);
        for (int k = 0; k < 9; ++k) surface.vertices.data()[9 * f + k] = static_cast<double>(corners[k]);
        for (int k = 0; k < 3; ++k) surface.faces.data()[3 * f + k] = static_cast<int>(3 * f) + k;
        if (!surface.vertices.middleRows(3 * static_cast<Eigen::Index>(f), 3).allFinite()) {
            fail(name,
                 "triangle {} has a coordinate that is not finite; it is damaged or no STL file: export the mesh again",
                 f + 1);
        }
    }
    return surface;
}

bool equal_ignoring_case(std::string_view word, std::string_view lower) {
    return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                      [](unsigned char a, char b) { return std::tolower(a) == b; });
}

// solid NAME { facet normal x y z  outer loop { vertex x y z }×3  endloop  endfacet }  endsolid NAME
struct TextStl {
    WordReader words;
    MeshBuilder mesh;

    void expect(std::string_view wanted) {
        const std::string_view word = words.word();
        if (equal_ignoring_case(word, wanted)) return;
        if (word.empty()) fail(words.where(), "the file ends inside a facet; it is truncated: export the mesh again");
        fail(words.where(), "\"{}\" should be \"{}\"; export the mesh again", printable(word), wanted);
    }

    void read_facet() {
        expect("normal");
        for (int k = 0; k < 3; ++k) words.word();  // often 0 or nan, and never needed
        expect("outer");
        expect("loop");
        const int first = static_cast<int>(mesh.vertex_count());
        mesh.check_room(3, 1);
        for (int k = 0; k < 3; ++k) {
            expect("vertex");
            const double x = words.number(), y = words.number(), z = words.number();
            mesh.add_vertex(x, y, z);
        }
        expect("endloop");
        expect("endfacet");
        mesh.add_triangle(first, first + 1, first + 2);
    }

    void read_solid() {
        words.skip_line();  // its name
        for (;;) {
            const std::string_view word = words.word();
            if (equal_ignoring_case(word, "endsolid")) break;
            if (word.empty())
                fail(words.where(), "the file ends before \"endsolid\"; it is truncated: export the mesh again");
            if (!equal_ignoring_case(word, "facet")) {
                fail(words.where(), "\"{}\" should be \"facet\" or \"endsolid\"; export the mesh again",
                     printable(word));
            }
            read_facet();
        }
        words.skip_line();
    }
};

Surface parse_text(Bytes bytes, const std::string& name) {
    TextStl stl{WordReader(text_of(bytes), name), MeshBuilder(name)};
    for (std::string_view word = stl.words.word(); !word.empty(); word = stl.words.word()) {
        if (!equal_ignoring_case(word, "solid")) {
            fail(stl.words.where(), "\"{}\" should be \"solid\"; export the mesh again", printable(word));
        }
        stl.read_solid();
    }
    return stl.mesh.finish();
}

std::size_t hash_of(const std::array<std::uint64_t, 3>& numbers) {
    std::uint64_t sum = 0;
    for (const std::uint64_t i : numbers) sum = (sum ^ i ^ sum >> 29) * 0x9E3779B97F4A7C15u;
    return sum ^ sum >> 32;
}

struct SameNumbers {
    std::size_t operator()(const std::array<double, 3>& x) const {
        return hash_of(std::bit_cast<std::array<std::uint64_t, 3>>(x));
    }
};

// Cells as large as the distance within which vertices are one: whoever is so near lies in the same cell or one beside
// it.
class Places {
public:
    explicit Places(double tolerance) : tolerance_(tolerance) {}

    // The first vertex that was found at this place, or this one.
    int first_at(const Vec3& x, int vertex) {
        const Cell cell = cell_of(x);
        int first = vertex;
        for (std::int64_t i = -1; i <= 1; ++i)
            for (std::int64_t j = -1; j <= 1; ++j)
                for (std::int64_t k = -1; k <= 1; ++k) {
                    const auto [begin, end] = vertices_.equal_range({cell[0] + i, cell[1] + j, cell[2] + k});
                    for (auto known = begin; known != end; ++known)
                        if ((known->second.x - x).norm() <= tolerance_) first = std::min(first, known->second.vertex);
                }
        if (first == vertex) vertices_.emplace(cell, Known{x, vertex});
        return first;
    }

private:
    using Cell = std::array<std::int64_t, 3>;
    struct Known {
        Vec3 x;
        int vertex;
    };
    struct Hash {
        std::size_t operator()(const Cell& cell) const {
            return hash_of(std::bit_cast<std::array<std::uint64_t, 3>>(cell));
        }
    };
    Cell cell_of(const Vec3& x) const {
        const Vec3 at = tolerance_ > 0 ? Vec3(x / tolerance_) : Vec3(Vec3::Zero());
        return {std::llround(at.x()), std::llround(at.y()), std::llround(at.z())};
    }

    double tolerance_;
    std::unordered_multimap<Cell, Known, Hash> vertices_;
};

// The format has no shared vertices, so that welding them is a part of reading it, and nothing that a user need be
// told. The tolerance is that of `clean`, which then finds nothing more.
Surface with_shared_vertices(const Surface& faces_alone) {
    const Points& x = faces_alone.vertices;
    const double size = bounds_of(x).diagonal();
    if (!std::isfinite(size) || !(x.cwiseAbs().maxCoeff() < 1e9)) return faces_alone;  // `clean` says what is wrong
    Places places(1e-9 * size);
    std::unordered_map<std::array<double, 3>, int, SameNumbers>
        exact;  // most are equal to the last bit, and cost one look
    std::vector<int> shared(x.rows());
    std::vector<int> kept;
    for (int v = 0; v < x.rows(); ++v) {
        const auto [known, is_new] = exact.try_emplace({x(v, 0) + 0.0, x(v, 1) + 0.0, x(v, 2) + 0.0}, v);  // −0 is 0
        if (is_new) known->second = places.first_at(x.row(v).transpose(), v);
        const int first = known->second;
        if (first == v) kept.push_back(v);
        shared[v] = first == v ? static_cast<int>(kept.size()) - 1 : shared[first];
    }
    Surface surface{Points(static_cast<Eigen::Index>(kept.size()), 3), faces_alone.faces};
    for (std::size_t i = 0; i < kept.size(); ++i) surface.vertices.row(static_cast<Eigen::Index>(i)) = x.row(kept[i]);
    surface.faces = faces_alone.faces.unaryExpr([&](int v) { return shared[v]; });
    return surface;
}

Surface parse_faces(Bytes bytes, const std::string& name) {
    // Many programs begin the note of a binary file with "solid", so the size decides first.
    const bool has_header = bytes.size() >= header_size;
    const bool size_is_binary =
        has_header && bytes.size() == header_size + facet_size * std::size_t(promised_facets(bytes));
    if (size_is_binary) return parse_binary(bytes, name);
    std::string_view start = text_of(bytes).substr(0, 256);
    if (equal_ignoring_case(take_word(start), "solid")) return parse_text(bytes, name);
    if (!has_header) fail(name, "is neither a text nor a binary STL file; export the mesh again");
    return parse_binary(bytes, name);
}

}  // namespace

Surface parse_stl(Bytes bytes, const std::string& name) { return with_shared_vertices(parse_faces(bytes, name)); }

}  // namespace clangor::io
