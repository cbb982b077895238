#include <clangor/radiation/wave/line_survey.hpp>

#include <clangor/radiation/wave/lattice_lines.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::wave {
namespace {

CellBox box_around(const Grid& grid, const Surface& surface) {
    const Bounds bounds = bounds_of(surface.vertices);
    CellBox box;
    for (int k = 0; k < 3; ++k) {
        const int low = static_cast<int>(std::floor((bounds.low[k] - grid.origin[k]) / grid.cell_size)) - 2;
        const int high = static_cast<int>(std::floor((bounds.high[k] - grid.origin[k]) / grid.cell_size)) + 2;
        CLANGOR_ASSERT(low >= 0 && high < grid.cells[k], "the grid holds the body");
        box.low[k] = low;
        box.count[k] = high - low + 1;
    }
    return box;
}

/// Surface area in each cell as a vector, squared by component and normalised: how much to trust the lines of each
/// axis. Those that meet the surface at right angles measure best.
std::vector<Vec3> line_trust(const CellBox& box, const Surface& surface, const std::vector<SurfacePiece>& pieces) {
    std::vector<Vec3> area(box.size(), Vec3::Zero());
    for (const SurfacePiece& piece : pieces) {
        area[box.at(piece.cell)] += piece.area * unit_normal(surface, piece.face);
    }
    for (Vec3& vector : area) vector = vector.cwiseAbs2() / std::max(vector.squaredNorm(), 1e-30);
    return area;
}

/// The lines of one axis. Lengths are in cells from the box's low corner.
class AxisLines {
public:
    AxisLines(const Grid& grid, const Surface& surface, const std::vector<char>& closed, const CellBox& box, int axis)
        : grid_(grid), surface_(surface), closed_(closed), box_(box), axis_(axis) {}

    std::vector<float> volumes;               ///< solid part of each cell
    std::array<std::vector<float>, 2> faces;  ///< … of its low face along the next axis and the one after
    std::vector<std::size_t> near_surface;    ///< cells that hold a crossing or a grain beside one

    void measure() {
        const Spacing fine{0.5 / cell_lines, 1.0 / cell_lines, cell_lines}, on_faces{0, 1, 1};
        inner_ = lattice(fine, fine);
        solid_crossings_ = crossings(surface_, closed_, inner_);
        std::vector<char> sheets(closed_.size());
        std::transform(closed_.begin(), closed_.end(), sheets.begin(), [](char is_closed) { return !is_closed; });
        sheet_crossings_ = crossings(surface_, sheets, inner_);
        volumes = solid_parts(solid_crossings_, inner_, fine, fine, 1.0 / (cell_lines * cell_lines));
        faces[0] = solid_parts(crossings(surface_, closed_, lattice(on_faces, fine)), lattice(on_faces, fine), on_faces,
                               fine, 1.0 / cell_lines);
        faces[1] = solid_parts(crossings(surface_, closed_, lattice(fine, on_faces)), lattice(fine, on_faces), fine,
                               on_faces, 1.0 / cell_lines);
        for_blocked([&](std::size_t cell, int, double) { near_surface.push_back(cell); });
    }

    void fill(LineSurvey& survey) const {
        for_blocked([&](std::size_t cell, int grain, double where) {
            const auto part = static_cast<std::uint8_t>(std::clamp(std::lround(254 * where) + 1, 1L, 255L));
            if (survey.touched[cell] >= 0) survey.grains[survey.touched[cell]].blocked[axis_][grain] = part;
            if (grain_coordinate(grain, axis_) > 0) return;
            const int below = survey.touched[cell - box_.stride(axis_)];
            if (below >= 0) survey.grains[below].blocked_above[axis_][grain_line(grain, axis_)] = part;
        });
        if (axis_ != 0) return;  // lines of every axis find the same grains solid
        for_stretches(solid_crossings_, [&](int line, double from, double to) {
            const auto first = static_cast<long>(std::ceil(from * cell_lines - 0.5));
            const auto last = static_cast<long>(std::floor(to * cell_lines - 0.5));
            for (long m = first; m <= last; ++m) {
                const auto [cell, grain] = place(line, m);
                if (survey.touched[cell] < 0) continue;
                survey.grains[survey.touched[cell]].solid[grain] = 1;
            }
        });
    }

private:
    struct Spacing {
        double first, step;  ///< [cells]
        int per_cell;
    };
    int u() const { return (axis_ + 1) % 3; }
    int v() const { return (axis_ + 2) % 3; }
    Lattice lattice(const Spacing& along_u, const Spacing& along_v) const {
        const double h = grid_.cell_size;
        const auto at_u = static_cast<std::size_t>(u()), at_v = static_cast<std::size_t>(v());
        return {axis_,
                grid_.origin[u()] + h * (box_.low[at_u] + along_u.first),
                grid_.origin[v()] + h * (box_.low[at_v] + along_v.first),
                h * along_u.step,
                h * along_v.step,
                box_.count[at_u] * along_u.per_cell,
                box_.count[at_v] * along_v.per_cell};
    }
    double along(double at) const { return (at - grid_.origin[axis_]) / grid_.cell_size - box_.low[axis_]; }

    // Calls solid(line, from, to) for each stretch inside the body.
    template <class Solid>
    void for_stretches(const std::vector<Crossing>& found, const Solid& solid) const {
        int depth = 0;
        double from = 0;
        for (std::size_t k = 0; k < found.size(); ++k) {
            if (k == 0 || found[k].line != found[k - 1].line) depth = 0;
            const int before = depth;
            depth += found[k].entering ? 1 : -1;
            if (before == 0 && depth == 1) from = along(found[k].at);
            if (before == 1 && depth == 0) solid(found[k].line, from, along(found[k].at));
        }
    }

    std::vector<float> solid_parts(const std::vector<Crossing>& found, const Lattice& lines, const Spacing& along_u,
                                   const Spacing& along_v, double weight) const {
        std::vector<float> part(box_.size(), 0.0f);
        const long stride = box_.stride(axis_);
        for_stretches(found, [&](int line, double from, double to) {
            const long first = line / lines.count_v / along_u.per_cell * box_.stride(u()) +
                               line % lines.count_v / along_v.per_cell * box_.stride(v());
            for (auto k = static_cast<long>(std::floor(from)); k <= static_cast<long>(std::floor(to)); ++k) {
                const double length = std::min(to, double(k + 1)) - std::max(from, double(k));
                part[first + k * stride] += static_cast<float>(weight * length);
            }
        });
        return part;
    }

    struct Place {
        std::size_t cell;
        int grain;
    };
    // The m-th grain on one of the inner lines.
    Place place(int line, long m) const {
        const int i = line / inner_.count_v, j = line % inner_.count_v;
        std::array<int, 3> grain{};
        grain[axis_] = static_cast<int>(m % cell_lines);
        grain[u()] = i % cell_lines;
        grain[v()] = j % cell_lines;
        const long cell =
            m / cell_lines * box_.stride(axis_) + i / cell_lines * box_.stride(u()) + j / cell_lines * box_.stride(v());
        return {static_cast<std::size_t>(cell), (grain[2] * cell_lines + grain[1]) * cell_lines + grain[0]};
    }
    // Calls blocked(cell, grain, where) for each grain that surface parts from the one below it; where = 0 is at the
    // lower one.
    template <class Blocked>
    void for_blocked(const Blocked& blocked) const {
        for (const auto* found : {&solid_crossings_, &sheet_crossings_})
            for (const Crossing& crossing : *found) {
                const double at = along(crossing.at) * cell_lines + 0.5, upper = std::ceil(at - 1);
                const auto [cell, grain] = place(crossing.line, static_cast<long>(upper));
                blocked(cell, grain, at - upper);
            }
    }

    const Grid& grid_;
    const Surface& surface_;
    const std::vector<char>& closed_;
    const CellBox& box_;
    int axis_;
    Lattice inner_;
    std::vector<Crossing> solid_crossings_, sheet_crossings_;
};

void fit_sheets(LineSurvey& survey, const Grid& grid, const Surface& surface, const std::vector<char>& closed,
                const std::vector<SurfacePiece>& pieces) {
    survey.sheets.resize(survey.grains.size());
    std::vector<double> area(survey.grains.size(), 0.0);
    for (const SurfacePiece& piece : pieces) {
        if (closed[piece.face]) continue;
        const std::size_t at = survey.touched[survey.box.at(piece.cell)];
        const Vec3 corner = grid.origin + grid.cell_size * Vec3(piece.cell[0], piece.cell[1], piece.cell[2]);
        survey.sheets[at].normal += piece.area * unit_normal(surface, piece.face);
        survey.sheets[at].through += piece.area * (piece.centroid - corner) / grid.cell_size;
        area[at] += piece.area;
    }
    for (std::size_t i = 0; i < area.size(); ++i) {
        SheetPlane& sheet = survey.sheets[i];
        // Folded sheets have no plane.
        if (sheet.normal.norm() < 0.7 * area[i] || area[i] == 0) {
            sheet = {};
            continue;
        }
        sheet.normal.normalize();
        sheet.through /= area[i];
    }
}

}  // namespace

LineSurvey line_survey(const Grid& grid, const Surface& surface, const std::vector<char>& closed,
                       const std::vector<SurfacePiece>& pieces) {
    LineSurvey survey;
    survey.box = box_around(grid, surface);
    const std::vector<Vec3> trust = line_trust(survey.box, surface, pieces);
    std::vector<AxisLines> lines;
    for (int axis = 0; axis < 3; ++axis) lines.emplace_back(grid, surface, closed, survey.box, axis);
    parallel_for(3, [&](long axis) { lines[axis].measure(); });

    const std::size_t size = survey.box.size();
    survey.solid.assign(size, 0.0f);
    for (auto& part : survey.solid_face) part.assign(size, 0.0f);
    constexpr double even = 1e-9;  // where a cell holds no surface, all lines are equally good
    for (std::size_t i = 0; i < size; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < 3; ++k) sum += (trust[i][static_cast<int>(k)] + even) * double(lines[k].volumes[i]);
        survey.solid[i] = static_cast<float>(std::clamp(sum / (trust[i].sum() + 3 * even), 0.0, 1.0));
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t u = (k + 1) % 3, v = (k + 2) % 3, below = i - survey.box.stride(static_cast<int>(k));
            const Vec3 both = trust[i] + (below < size ? trust[below] : Vec3(Vec3::Zero()));
            // Faces normal to k: lines along u hold k as their second other axis, lines along v as their first.
            const double wu = both[static_cast<int>(u)] + even, wv = both[static_cast<int>(v)] + even;
            const double part = (wu * double(lines[u].faces[1][i]) + wv * double(lines[v].faces[0][i])) / (wu + wv);
            survey.solid_face[k][i] = static_cast<float>(std::clamp(part, 0.0, 1.0));
        }
    }

    survey.touched.assign(size, -1);
    auto touch = [&](std::size_t i) {
        if (survey.touched[i] >= 0) return;
        survey.touched[i] = static_cast<int>(survey.grains.size());
        survey.grains.emplace_back();
    };
    for (const SurfacePiece& piece : pieces) touch(survey.box.at(piece.cell));
    for (const AxisLines& axis : lines)
        for (const std::size_t i : axis.near_surface) touch(i);
    for (const AxisLines& axis : lines) axis.fill(survey);
    fit_sheets(survey, grid, surface, closed, pieces);
    return survey;
}

}  // namespace clangor::wave
