// STL, binary and text. Each face brings its own three vertices: those at one place are one vertex.
#include <clangor/io/mesh/parsers.hpp>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>

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

// The format has no shared vertices, so that welding them is a part of reading it, and nothing that a user need be
// told. `clean` then finds nothing more.
Surface parse_stl(Bytes bytes, const std::string& name) { return welded(parse_faces(bytes, name)); }

}  // namespace clangor::io
