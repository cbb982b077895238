#include <clangor/radiation/wave/air_cells.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace clangor::wave {
namespace {

constexpr int smallest_part = grain_count / 50;  // grains; smaller ones get no pressure of their own
constexpr float smallest_volume = 0.01f, smallest_opening = 1e-3f;

/// Of a cell, by the axis whose lines meet its surface most often: how much of such a line belongs to each grain. 1 in
/// free air; beside a surface, what lies between it and the middle to the next grain.
class GrainLengths {
public:
    GrainLengths() = default;  ///< of free air
    GrainLengths(const Grains& grains, std::size_t axis) : grains_(&grains), axis_(axis) {}
    float operator()(int grain) const {
        if (grains_ == nullptr) return 1;
        const int at = grain_coordinate(grain, axis_);
        const auto& low = grains_->blocked[axis_];
        const std::uint8_t below = low[grain];
        const std::uint8_t above = at + 1 < cell_lines ? low[grain + grain_stride[axis_]]
                                                       : grains_->blocked_above[axis_][grain_line(grain, axis_)];
        // Beyond the cell's own border the air is another cell's.
        float down = below == 0 ? 0.5f : 1 - where(below), up = above == 0 ? 0.5f : where(above);
        if (at == 0) down = std::min(down, 0.5f);
        if (at + 1 == cell_lines) up = std::min(up, 0.5f);
        return down + up;
    }

private:
    static float where(std::uint8_t part) { return static_cast<float>(part - 1) / 254; }
    const Grains* grains_ = nullptr;
    std::size_t axis_ = 0;
};

int blocked_count(const Grains& grains, std::size_t axis) {
    return static_cast<int>(grain_count - std::count(grains.blocked[axis].begin(), grains.blocked[axis].end(), 0));
}

std::size_t best_axis(const Grains& grains) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (blocked_count(grains, k) > blocked_count(grains, best)) best = k;
    return best;
}

struct Labels {
    std::array<std::int16_t, grain_count> part;
    std::vector<float> sizes;  ///< grains, measured by their lengths
};

// Connected air of one cell, largest part first: grains are joined unless surface lies between them.
Labels labelled(const Grains& grains) {
    Labels found;
    found.part.fill(-1);
    std::vector<std::vector<int>> parts;
    std::array<char, grain_count> seen{};
    for (int start = 0; start < grain_count; ++start) {
        if (seen[start] || grains.solid[start]) continue;
        std::vector<int> part = {start};
        seen[start] = 1;
        for (std::size_t next = 0; next < part.size(); ++next)
            for (std::size_t k = 0; k < 3; ++k)
                for (const int step : {-1, 1}) {
                    const int at = grain_coordinate(part[next], k) + step;
                    if (at < 0 || at >= cell_lines) continue;
                    const int other = part[next] + step * grain_stride[k];
                    const int upper = step > 0 ? other : part[next];
                    if (seen[other] || grains.solid[other] || grains.blocked[k][upper]) continue;
                    seen[other] = 1;
                    part.push_back(other);
                }
        if (static_cast<int>(part.size()) >= smallest_part) parts.push_back(std::move(part));
    }
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    const GrainLengths length(grains, best_axis(grains));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        found.sizes.push_back(0);
        for (const int grain : parts[i]) {
            found.part[grain] = static_cast<std::int16_t>(i);
            found.sizes.back() += length(grain);
        }
    }
    return found;
}

// A sheet that ends inside a cell leaves the air in one part, which would let it pass half a cell too early on average.
// Where the sheet covers at least half of its plane in the cell, it counts as covering all of it.
Grains with_whole_sheet(const Grains& grains, const SheetPlane& sheet) {
    Grains whole = grains;
    auto height = [&](int grain) {
        const Vec3 place(grain_coordinate(grain, 0) + 0.5, grain_coordinate(grain, 1) + 0.5,
                         grain_coordinate(grain, 2) + 0.5);
        return (place / cell_lines - sheet.through).dot(sheet.normal);
    };
    int steep = 0;
    sheet.normal.cwiseAbs().maxCoeff(&steep);
    int crossings = 0, covered = 0;
    for (int grain = 0; grain < grain_count; ++grain)
        for (std::size_t k = 0; k < 3; ++k) {
            if (grain_coordinate(grain, k) == 0) continue;
            const double here = height(grain), below = height(grain - grain_stride[k]);
            if ((here > 0) == (below > 0)) continue;
            whole.blocked[k][grain] = static_cast<std::uint8_t>(1 + std::lround(254 * below / (below - here)));
            if (static_cast<int>(k) != steep) continue;
            ++crossings;
            covered += grains.blocked[k][grain] != 0;
        }
    return 2 * covered >= crossings ? whole : grains;
}

void divide_cells(AirCells& air, LineSurvey& survey) {
    air.grain_part.resize(survey.grains.size());
    air.first_further.assign(survey.grains.size(), -1);
    for (std::size_t cell = 0; cell < survey.touched.size(); ++cell) {
        const float fluid = 1 - survey.solid[cell];
        if (survey.touched[cell] < 0) {
            air.volume[cell] = fluid > 0.5f ? 1.0f : 0.0f;
        } else {
            const std::size_t t = survey.touched[cell];
            Labels labels = labelled(survey.grains[t]);
            if (labels.sizes.size() == 1 && survey.sheets[t].normal != Vec3::Zero()) {
                survey.grains[t] = with_whole_sheet(survey.grains[t], survey.sheets[t]);
                labels = labelled(survey.grains[t]);
            }
            air.grain_part[t] = labels.part;
            air.first_further[t] = static_cast<int>(air.parts());
            float total = 0;
            for (const float size : labels.sizes) total += size;
            air.volume[cell] = labels.sizes.empty() || fluid < smallest_volume ? 0.0f : fluid;
            for (std::size_t i = 0; i < labels.sizes.size() && air.volume[cell] > 0; ++i) {
                const float volume = fluid * labels.sizes[i] / total;
                if (i == 0) {
                    air.volume[cell] = volume;
                    continue;
                }
                air.divided[cell] = 1;
                air.kind.push_back(PartKind::Air);
                air.volume.push_back(volume);
                air.owner.push_back(static_cast<int>(cell));
            }
            if (air.volume[cell] == 0) air.grain_part[t].fill(-1);
        }
        if (air.volume[cell] == 0) air.kind[cell] = PartKind::Solid;
    }
}

// Openings through the face between a cell and the next lower one, counted in pairs of grains that nothing parts.
void open_face(AirCells& air, const LineSurvey& survey, std::size_t cell, std::size_t below, std::size_t k) {
    air.open[k][cell] = 0;
    if (air.volume[cell] == 0 || air.volume[below] == 0) return;
    const int t_up = survey.touched[cell], t_low = survey.touched[below];
    if (t_up < 0 && t_low < 0) {
        air.open[k][cell] = 1;
        return;
    }
    const Grains* const up_grains = t_up < 0 ? nullptr : &survey.grains[t_up];
    const Grains* const low_grains = t_low < 0 ? nullptr : &survey.grains[t_low];
    auto blocked_along = [&](std::size_t axis) {
        return (up_grains ? blocked_count(*up_grains, axis) : 0) + (low_grains ? blocked_count(*low_grains, axis) : 0);
    };
    const std::size_t in_face = blocked_along((k + 1) % 3) >= blocked_along((k + 2) % 3) ? (k + 1) % 3 : (k + 2) % 3;
    const GrainLengths up_length = up_grains ? GrainLengths(*up_grains, in_face) : GrainLengths();
    const GrainLengths low_length = low_grains ? GrainLengths(*low_grains, in_face) : GrainLengths();
    std::map<std::pair<int, int>, float> pairs;
    for (int u = 0; u < cell_lines; ++u)
        for (int v = 0; v < cell_lines; ++v) {
            const int up = u * grain_stride[(k + 1) % 3] + v * grain_stride[(k + 2) % 3];
            const int low = up + (cell_lines - 1) * grain_stride[k];
            const auto at_up = static_cast<std::size_t>(up), at_low = static_cast<std::size_t>(low);
            const int part_up = t_up < 0 ? 0 : air.grain_part[t_up][at_up];
            const int part_low = t_low < 0 ? 0 : air.grain_part[t_low][at_low];
            const bool blocked = up_grains && up_grains->blocked[k][at_up];
            if (part_up >= 0 && part_low >= 0 && !blocked)
                pairs[{part_up, part_low}] += (up_length(up) + low_length(low)) / 2;
        }
    for (const auto& [parts, count] : pairs) {
        const float open = std::min(1.0f, count / (cell_lines * cell_lines));
        const auto [part_up, part_low] = parts;
        if (part_up == 0 && part_low == 0) {
            // Lines within the face measure better than pairs of grains beside it, unless a thin wall runs close to the
            // face.
            const float exact = 1 - survey.solid_face[k][cell];
            const bool single = pairs.size() == 1 && std::abs(exact - open) < 0.2f;
            const float best = single ? exact : open;
            air.open[k][cell] = best < smallest_opening ? 0.0f : best;
        } else {
            air.openings.push_back({air.part_of(t_up, static_cast<int>(cell), part_up),
                                    air.part_of(t_low, static_cast<int>(below), part_low), open});
        }
    }
}

template <class Visit>
void for_cells(const CellBox& box, const Visit& visit) {  // with the cell's place in the box
    std::size_t i = 0;
    for (int z = 0; z < box.count[2]; ++z)
        for (int y = 0; y < box.count[1]; ++y)
            for (int x = 0; x < box.count[0]; ++x) visit(std::array<int, 3>{x, y, z}, i++);
}

/// Walks over the neighbours of parts.
class Neighbours {
public:
    explicit Neighbours(const AirCells& air) : air_(air), begin_(air.parts() + 1, 0) {
        for (const Opening& o : air.openings) {
            ++begin_[o.a + 1];
            ++begin_[o.b + 1];
        }
        for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        std::vector<int> fill = begin_;
        other_.resize(2 * air.openings.size());
        for (const Opening& o : air.openings) {
            other_[fill[o.a]++] = {o.b, o.open};
            other_[fill[o.b]++] = {o.a, o.open};
        }
    }
    // visit(other part, β); what lies beyond the box is free air and has the number −1.
    template <class Visit>
    void of(int part, const Visit& visit) const {
        if (part < air_.box.size()) {
            const std::array<int, 3> cell = air_.box.cell(part);
            for (std::size_t k = 0; k < 3; ++k) {
                const auto stride = static_cast<int>(air_.box.stride(static_cast<int>(k)));
                const bool first = cell[k] == air_.box.low[k],
                           last = cell[k] + 1 == air_.box.low[k] + air_.box.count[k];
                visit(first ? -1 : part - stride, first ? 1.0f : air_.open[k][part]);
                visit(last ? -1 : part + stride, last ? 1.0f : air_.open[k][part + stride]);
            }
        }
        for (int k = begin_[part]; k < begin_[part + 1]; ++k) visit(other_[k].first, other_[k].second);
    }

private:
    const AirCells& air_;
    std::vector<int> begin_;
    std::vector<std::pair<int, float>> other_;
};

// Air that no opening joins to the air outside is a cavity, or a speck between walls.
void find_cavities(AirCells& air) {
    const Neighbours neighbours(air);
    std::vector<char> reached(air.kind.size(), 0);
    std::vector<int> front = {0};
    reached[0] = 1;
    while (!front.empty()) {
        const int part = front.back();
        front.pop_back();
        neighbours.of(part, [&](int other, float open) {
            if (other < 0 || open == 0 || reached[other]) return;
            reached[other] = 1;
            front.push_back(other);
        });
    }
    for (std::size_t i = 0; i < reached.size(); ++i)
        if (!reached[i] && air.kind[i] == PartKind::Air) air.kind[i] = PartKind::Cavity;
}

}  // namespace

AirCells air_cells(LineSurvey survey) {
    AirCells air;
    air.box = survey.box;
    air.touched = survey.touched;
    const std::size_t size = air.box.size();
    air.kind.assign(size, PartKind::Air);
    air.volume.assign(size, 1.0f);
    air.divided.assign(size, 0);
    for (auto& part : air.open) part.assign(size, 1.0f);
    divide_cells(air, survey);
    for_cells(air.box, [&](const std::array<int, 3>& cell, std::size_t i) {
        for (std::size_t k = 0; k < 3; ++k)
            if (cell[k] > 0) open_face(air, survey, i, i - air.box.stride(static_cast<int>(k)), k);
    });
    find_cavities(air);
    return air;
}

std::vector<float> stable_volumes(const AirCells& air, double courant_sq) {
    const Neighbours neighbours(air);
    std::vector<float> volume = air.volume, needed(volume.size(), 0.0f);
    const auto half = static_cast<float>(courant_sq / 2);
    for (int i = 0; i < air.parts(); ++i) neighbours.of(i, [&](int, float open) { needed[i] += half * open; });
    for (int i = 0; i < air.parts(); ++i) {
        const float lack = needed[i] - volume[i];
        if (air.kind[i] != PartKind::Air || lack <= 0) continue;
        auto spare = [&](int other, float open) {
            return other < 0 ? 0.0f : open * std::max(0.0f, volume[other] - needed[other]);
        };
        float total = 0;
        neighbours.of(i, [&](int other, float open) { total += spare(other, open); });
        const float part = total > 0 ? std::min(1.0f, lack / total) : 0.0f;
        neighbours.of(i, [&](int other, float open) {
            if (other >= 0) volume[other] -= part * spare(other, open);
        });
        volume[i] = needed[i];
    }
    return volume;
}

}  // namespace clangor::wave
