#include <clangor/radiation/wave/walls.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace clangor::wave {
namespace {

using Cell = std::array<int, 3>;

Vec3 grain_position(const Grid& grid, const Cell& cell, int grain) {
    const Vec3 offset(grain % cell_lines, grain / cell_lines % cell_lines, grain / cell_lines / cell_lines);
    return grid.origin +
           grid.cell_size * (Vec3(cell[0], cell[1], cell[2]) + (offset.array() + 0.5).matrix() / cell_lines);
}

/// Finds the part of the air that lies in front of a piece of surface.
class FrontAir {
public:
    FrontAir(const Grid& grid, const AirCells& air, const Sight& sight) : grid_(grid), air_(air), sight_(sight) {}

    // The part of a grain close in front of the piece: in its own cell, or, where a wall runs along that cell's face or
    // its air in front is too little for a pressure, in a neighbouring one that the piece can see.
    std::optional<int> operator()(const SurfacePiece& piece, const Vec3& normal) const {
        const auto home = air_.box.at(piece.cell);
        if (const std::optional<int> part = close_grain(piece, normal)) return part;
        Nearest nearest;
        for (int reach = 1; reach <= 2 && !nearest.part; ++reach)
            for (int dz = -reach; dz <= reach; ++dz)
                for (int dy = -reach; dy <= reach; ++dy)
                    for (int dx = -reach; dx <= reach; ++dx)
                        search({piece.cell[0] + dx, piece.cell[1] + dy, piece.cell[2] + dz}, piece, normal, nearest);
        if (nearest.part || air_.kind[home] == PartKind::Solid) return nearest.part;
        return static_cast<int>(home);
    }

private:
    struct Nearest {
        std::optional<int> part;
        double distance_sq = 0;
    };
    // One of the eight grains around a point just in front of the piece, if it belongs to the same cell and is in
    // front.
    std::optional<int> close_grain(const SurfacePiece& piece, const Vec3& normal) const {
        const std::size_t home = air_.box.at(piece.cell);
        const std::size_t touched = air_.touched[home];
        const double spacing = grid_.cell_size / cell_lines;
        const Vec3 corner = grid_.origin + grid_.cell_size * Vec3(piece.cell[0], piece.cell[1], piece.cell[2]);
        const Vec3 from = (piece.centroid - corner) / spacing - Vec3::Constant(0.5), wanted = from + normal;
        std::optional<int> best;
        double best_distance_sq = 0;
        for (int n = 0; n < 8; ++n) {
            Vec3 place;
            for (int k = 0; k < 3; ++k) place[k] = std::floor(wanted[k]) + (n >> k & 1);
            if (place.minCoeff() < 0 || place.maxCoeff() >= cell_lines || (place - from).dot(normal) <= 0.1) continue;
            const std::size_t grain = (place.z() * cell_lines + place.y()) * cell_lines + place.x();
            const int local = air_.grain_part[touched][grain];
            const double distance_sq = (place - wanted).squaredNorm();
            if (local < 0 || (best && distance_sq >= best_distance_sq)) continue;
            best = air_.part_of(static_cast<int>(touched), static_cast<int>(home), local);
            best_distance_sq = distance_sq;
        }
        return best;
    }
    void search(const Cell& cell, const SurfacePiece& piece, const Vec3& normal, Nearest& nearest) const {
        if (!air_.box.holds(cell)) return;
        const auto i = static_cast<int>(air_.box.at(cell));
        const int touched = air_.touched[i];
        const double h = grid_.cell_size;
        const Vec3 wanted = piece.centroid + h / cell_lines * normal;
        auto offer = [&](int part, const Vec3& place) {
            const double distance_sq = (place - wanted).squaredNorm();
            if (nearest.part && distance_sq >= nearest.distance_sq) return;
            if ((place - piece.centroid).dot(normal) <= 1e-3 * h) return;
            if (!sight_.clear(piece.centroid + 1e-3 * h * normal, place)) return;
            nearest = {part, distance_sq};
        };
        if (touched < 0) {
            if (air_.kind[i] != PartKind::Solid) offer(i, grid_.centre(cell[0], cell[1], cell[2]));
            return;
        }
        for (int grain = 0; grain < grain_count; ++grain) {
            const int local = air_.grain_part[touched][grain];
            if (local >= 0) offer(air_.part_of(touched, i, local), grain_position(grid_, cell, grain));
        }
    }

    const Grid& grid_;
    const AirCells& air_;
    const Sight& sight_;
};

/// Where the pressures of parts lie.
struct Places {
    const Grid& grid;
    const AirCells& air;
    int owner(int part) const {  // of the cell that the part belongs to
        const Cell cell = air.box.cell(air.cell_of(part));
        return static_cast<int>(grid.index(cell[0], cell[1], cell[2]));
    }
    int operator()(int part) const {
        return part < air.box.size() ? owner(part) : static_cast<int>(grid.size() + part - air.box.size());
    }
};

// β towards −x, +x, −y, +y, −z, +z between the first parts of cells.
std::array<float, 6> openings_of(const AirCells& air, std::size_t i) {
    const Cell cell = air.box.cell(i);
    std::array<float, 6> open{};
    for (std::size_t k = 0; k < 3; ++k) {
        const bool first = cell[k] == air.box.low[k], last = cell[k] + 1 == air.box.low[k] + air.box.count[k];
        open[2 * k] = first ? 1.0f : air.open[k][i];
        open[2 * k + 1] = last ? 1.0f : air.open[k][i + air.box.stride(static_cast<int>(k))];
    }
    return open;
}

bool is_beside_air(const AirCells& air, std::size_t i) {
    const Cell cell = air.box.cell(i);
    for (std::size_t k = 0; k < 3; ++k)
        for (const int step : {-1, 1}) {
            Cell other = cell;
            other[k] += step;
            if (!air.box.holds(other) || air.kind[air.box.at(other)] == PartKind::Air) return true;
        }
    return false;
}

void list_cells(WallCells& walls, const Grid& grid, const AirCells& air, const std::vector<float>& volume) {
    const Places place{grid, air};
    for (std::size_t i = 0; i < static_cast<std::size_t>(air.box.size()); ++i) {
        if (air.kind[i] != PartKind::Air) {
            if (is_beside_air(air, i)) walls.shut.push_back(place(static_cast<int>(i)));
            continue;
        }
        const std::array<float, 6> open = openings_of(air, i);
        if (volume[i] == 1 && std::all_of(open.begin(), open.end(), [](float beta) { return beta == 1; })) continue;
        std::array<float, 6> extra{};
        for (std::size_t f = 0; f < 6; ++f)
            extra[f] = static_cast<float>(grid.courant_sq * (double(open[f]) / double(volume[i]) - 1));
        walls.cell.push_back(place(static_cast<int>(i)));
        walls.extra.push_back(extra);
    }
    for (int part = static_cast<int>(air.box.size()); part < air.parts(); ++part)
        walls.further_owner.push_back(place.owner(part));
    for (const Opening& o : air.openings) {
        if (air.kind[o.a] != PartKind::Air || air.kind[o.b] != PartKind::Air) continue;
        for (const auto& [to, from] : {std::pair{o.a, o.b}, std::pair{o.b, o.a}}) {
            const double gain = grid.courant_sq * double(o.open) / double(volume[to]);
            walls.links.push_back({place.owner(to), place(to), place(from), static_cast<float>(gain)});
        }
    }
    std::stable_sort(walls.links.begin(), walls.links.end(),
                     [](const auto& a, const auto& b) { return a.owner < b.owner; });
}

}  // namespace

Walls walls_of(const Grid& grid, const Surface& surface, const std::vector<char>& closed,
               const std::vector<SurfacePiece>& pieces, const AirCells& air, const Sight& sight) {
    Walls walls;
    const std::vector<float> volume = stable_volumes(air, grid.courant_sq);
    list_cells(walls.cells, grid, air, volume);

    const FrontAir front(grid, air, sight);
    const Places place{grid, air};
    std::vector<int> target;
    std::vector<std::array<std::optional<int>, 2>> seen(pieces.size());  // from the front and from behind
    constexpr long batch = 256;
    const long count = std::ssize(pieces);
    parallel_for((count + batch - 1) / batch, [&](long b) {
        for (long i = b * batch; i < std::min(count, (b + 1) * batch); ++i) {
            const Vec3 normal = unit_normal(surface, pieces[i].face);
            seen[i][0] = front(pieces[i], normal);
            if (!closed[pieces[i].face]) seen[i][1] = front(pieces[i], -normal);
        }
    });
    for (std::size_t i = 0; i < pieces.size(); ++i)
        for (const double side : {1.0, -1.0}) {
            const SurfacePiece& piece = pieces[i];
            if (side < 0 && closed[piece.face]) continue;
            const std::optional<int> part = seen[i][side < 0];
            if (!part) walls.lost_area += piece.area;
            if (!part || air.kind[*part] != PartKind::Air) continue;
            const double push = side * piece.area / (double(volume[*part]) * cube(grid.cell_size));
            target.push_back(*part);
            walls.pushes.push_back({0, piece.face, piece.barycentric, push});
        }
    std::vector<std::pair<int, int>> sources;  // owner, place
    for (const int part : target) sources.emplace_back(place.owner(part), place(part));
    const std::vector<std::pair<int, int>> wanted = sources;
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        walls.pushes[i].source =
            static_cast<int>(std::lower_bound(sources.begin(), sources.end(), wanted[i]) - sources.begin());
    for (const auto& [owner, at] : sources) {
        walls.cells.source_owner.push_back(owner);
        walls.cells.source.push_back(at);
    }
    return walls;
}

// Over the time step the surface adds ρ0 (cΔt)² ∫ a_n dA / (α Δx³)   (docs/theory/wave-solver.md, Eq. 5)
std::vector<float> source_weights(const Grid& grid, const Surface& surface, const Walls& walls,
                                  const Points& acceleration, double air_density) {
    std::vector<double> sums(walls.cells.source.size(), 0.0);
    const double scale = air_density * grid.courant_sq * square(grid.cell_size);
    for (const Push& push : walls.pushes) {
        Vec3 a = Vec3::Zero();
        for (int k = 0; k < 3; ++k) a += push.barycentric[k] * acceleration.row(surface.faces(push.face, k));
        sums[push.source] += scale * push.push * a.dot(unit_normal(surface, push.face));
    }
    return {sums.begin(), sums.end()};
}

}  // namespace clangor::wave
