// Wavefront OBJ: the statements v and f; all others are about looks.
#include <clangor/io/mesh/parsers.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>

namespace clangor::io {
namespace {

struct ObjReader {
    const std::string& name;
    LineReader lines;
    MeshBuilder mesh;
    std::vector<int> polygon;  ///< kept between faces, to allocate once

    std::string where() const { return at_line(name, lines.number()); }

    void read_vertex(std::string_view line) {
        double x[3];
        for (double& coordinate : x) {
            const std::string_view word = take_word(line);
            const std::optional<double> value = number_in(word);
            if (!value) {
                fail(where(), "a vertex needs three numbers, but has \"{}\"; the file is truncated or damaged",
                     printable(word));
            }
            if (!std::isfinite(*value)) {
                fail(where(), "the vertex has the coordinate {}, which is no place; export the mesh again", word);
            }
            coordinate = *value;
        }
        mesh.check_room(1, 0);
        mesh.add_vertex(x[0], x[1], x[2]);
    }

    /// "7", "7/1", "7//3", "7/1/3" or "-2/…": of these only the vertex counts.
    int corner_in(std::string_view word) const {
        std::int64_t index = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
        const bool ends_well = end == word.data() + word.size() || *end == '/';
        if (error != std::errc() || !ends_well) {
            fail(where(), "\"{}\" should be the number of a vertex", printable(word));
        }
        const auto count = static_cast<std::int64_t>(mesh.vertex_count());
        if (index == 0) fail(where(), "face names vertex 0, but vertices are counted from 1; export the mesh again");
        if (index > count || index < -count) {
            fail(where(), "face names vertex {}, but only {} are defined before it", index, count);
        }
        return static_cast<int>(index > 0 ? index - 1 : count + index);
    }

    void read_face(std::string_view line) {
        polygon.clear();
        for (std::string_view word = take_word(line); !word.empty() && word[0] != '#'; word = take_word(line)) {
            polygon.push_back(corner_in(word));
        }
        if (polygon.size() < 3)
            fail(where(), "face has {} corners, but needs three; export the mesh again", polygon.size());
        mesh.check_room(0, polygon.size() - 2);
        mesh.add_polygon(polygon);
    }
};

}  // namespace

Surface parse_obj(Bytes bytes, const std::string& name) {
    const std::string_view text = text_of(bytes);
    if (const std::size_t at = text.find('\0'); at != std::string_view::npos) {
        fail(name, "has binary data at byte {}, so it is no OBJ file; export the mesh again", at);
    }
    ObjReader reader{name, LineReader(text, true), MeshBuilder(name), {}};
    for (std::string_view line; reader.lines.next(line);) {
        const std::string_view keyword = take_word(line);
        if (keyword == "v") reader.read_vertex(line);
        if (keyword == "f") reader.read_face(line);
    }
    return reader.mesh.finish();
}

}  // namespace clangor::io
