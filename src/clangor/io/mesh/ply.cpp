// PLY, as text or binary of either byte order, with any elements and properties besides the ones that we need.
#include <clangor/io/file/file.hpp>
#include <clangor/io/mesh/ply_header.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace clangor::io {

using namespace ply;

namespace {

class TextScalars {
public:
    TextScalars(std::string_view text, const std::string& name, long first_line) : words_(text, name, first_line) {}
    double next(Scalar) { return words_.number(); }
    std::string where() const { return words_.where(); }
    /// How many values of a type there can be: a digit and a space each.
    std::size_t room(Scalar) const { return words_.bytes_left() / 2 + 1; }
    static constexpr std::size_t size(Scalar) { return 2; }
    std::size_t bytes_left() const { return words_.bytes_left() + 1; }

private:
    WordReader words_;
};

class BinaryScalars {
public:
    BinaryScalars(Bytes bytes, const std::string& name, bool swapped) : rest_(bytes), name_(name), swapped_(swapped) {}

    double next(Scalar type) {
        const std::size_t size = size_of(type);
        if (rest_.size() < size)
            fail(name_, "ends in the middle of its numbers; it is truncated: export the mesh again");
        std::byte raw[8];
        std::copy_n(rest_.begin(), size, raw);
        if (swapped_) std::reverse(raw, raw + size);
        rest_ = rest_.subspan(size);
        switch (type) {
            case Scalar::Int8:
                return as<std::int8_t>(raw);
            case Scalar::UInt8:
                return as<std::uint8_t>(raw);
            case Scalar::Int16:
                return as<std::int16_t>(raw);
            case Scalar::UInt16:
                return as<std::uint16_t>(raw);
            case Scalar::Int32:
                return as<std::int32_t>(raw);
            case Scalar::UInt32:
                return as<std::uint32_t>(raw);
            case Scalar::Float32:
                return static_cast<double>(as<float>(raw));
            case Scalar::Float64:
                return as<double>(raw);
        }
        return 0;
    }
    std::string where() const { return name_; }
    std::size_t room(Scalar type) const { return rest_.size() / size_of(type); }
    static constexpr std::size_t size(Scalar type) { return size_of(type); }
    std::size_t bytes_left() const { return rest_.size(); }

private:
    template <class T>
    static T as(const std::byte* raw) {
        T value;
        std::memcpy(&value, raw, sizeof value);
        return value;
    }
    Bytes rest_;
    const std::string& name_;
    bool swapped_;
};

/// Reads the elements that follow the header, and keeps vertices and faces.
template <class Scalars>
class BodyReader {
public:
    BodyReader(const Header& header, Scalars scalars, const std::string& name)
        : header_(header), scalars_(scalars), name_(name), mesh_(name) {}

    Surface read() {
        for (const Element& element : header_.elements) {
            if (element.properties.empty()) continue;  // nothing of it is in the file
            check_count(element);
            if (element.name == "vertex")
                read_vertices(element);
            else
                read_others(element);
        }
        check_indices();
        return mesh_.finish();
    }

private:
    /// A count that the rest of the file cannot hold is refused before anything is allocated.
    void check_count(const Element& element) const {
        std::size_t least = 0;
        for (const Property& property : element.properties)
            least += Scalars::size(property.list_count.value_or(property.type));
        const std::size_t most = scalars_.bytes_left() / least;
        if (element.count > most) {
            fail(
                name_,
                "promises {} of \"{}\", but has room for {} at most; it is truncated or damaged: export the mesh again",
                element.count, printable(element.name), most);
        }
    }

    void read_vertices(const Element& element) {
        if (mesh_.vertex_count() > 0) fail(name_, "has two elements \"vertex\"; export the mesh again");
        std::vector<int> axes;  // of each property: 0, 1, 2 or −1
        for (const Property& property : element.properties) {
            const std::size_t axis = std::string_view("xyz").find(property.name);
            const bool is_axis = property.name.size() == 1 && axis != std::string_view::npos && !property.list_count;
            axes.push_back(is_axis ? static_cast<int>(axis) : -1);
        }
        for (int axis = 0; axis < 3; ++axis) {
            if (std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
            fail(name_, "its vertices have no property \"{}\"; export the mesh again", "xyz"[axis]);
        }
        mesh_.check_room(element.count, 0);
        for (std::uint64_t row = 0; row < element.count; ++row) {
            double x[3] = {0, 0, 0};
            for (std::size_t p = 0; p < axes.size(); ++p) {
                if (axes[p] >= 0)
                    x[axes[p]] = scalars_.next(element.properties[p].type);
                else
                    skip(element.properties[p]);
            }
            mesh_.add_vertex(x[0], x[1], x[2]);
        }
    }

    void read_others(const Element& element) {
        const auto is_polygon = [&](const Property& property) {
            const bool named = property.name == "vertex_indices" || property.name == "vertex_index";
            return element.name == "face" && named && property.list_count;
        };
        if (element.name == "tristrips") fail(name_, "holds triangle strips; export it with plain faces");
        std::vector<int> polygon;
        for (std::uint64_t row = 0; row < element.count; ++row) {
            for (const Property& property : element.properties) {
                if (!is_polygon(property)) {
                    skip(property);
                    continue;
                }
                polygon.resize(list_length(property));
                for (int& corner : polygon) corner = index(scalars_.next(property.type));
                if (polygon.size() < 3) {
                    fail(scalars_.where(), "face {} has {} corners, but needs three", row + 1, polygon.size());
                }
                mesh_.check_room(0, polygon.size() - 2);
                mesh_.add_polygon(polygon);
                highest_ = std::max(highest_, *std::max_element(polygon.begin(), polygon.end()));
            }
        }
    }

    std::size_t list_length(const Property& property) {
        const double length = scalars_.next(*property.list_count);
        const std::size_t room = scalars_.room(property.type);
        if (!(length >= 0) || length != std::floor(length))
            fail(scalars_.where(), "a list cannot have {} entries", length);
        if (length > static_cast<double>(room)) {
            fail(scalars_.where(),
                 "promises a list of {} numbers, but has room for {} at most; it is truncated or damaged: export "
                 "the mesh again",
                 length, room);
        }
        return length;
    }

    int index(double value) const {
        if (value >= 0 && value < std::numeric_limits<int>::max() && value == std::floor(value))
            return static_cast<int>(value);
        fail(scalars_.where(), "a face names vertex {}, but vertices are counted from 0", value);
    }

    void skip(const Property& property) {
        const std::size_t count = property.list_count ? list_length(property) : 1;
        for (std::size_t i = 0; i < count; ++i) scalars_.next(property.type);
    }

    void check_indices() const {
        if (highest_ < 0 || static_cast<std::size_t>(highest_) < mesh_.vertex_count()) return;
        fail(name_, "a face names vertex {}, but only {} are there, counted from 0; export the mesh again", highest_,
             mesh_.vertex_count());
    }

    const Header& header_;
    Scalars scalars_;
    const std::string& name_;
    MeshBuilder mesh_;
    int highest_ = -1;
};

}  // namespace

Surface parse_ply(Bytes bytes, const std::string& name) {
    const std::string_view text = text_of(bytes);
    const Header header = parse_header(text, name);
    if (header.encoding == Encoding::Text) {
        return BodyReader(header, TextScalars(text.substr(header.size), name, header.lines + 1), name).read();
    }
    const bool file_is_little = header.encoding == Encoding::LittleEndian;
    const bool swapped = file_is_little != (std::endian::native == std::endian::little);
    return BodyReader(header, BinaryScalars(bytes.subspan(header.size), name, swapped), name).read();
}

}  // namespace clangor::io
