#include <clangor/geometry/edge_collapse.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor::geometry {
namespace {

constexpr std::size_t most_faces_at_vertex = 12;  // more make slivers
constexpr double least_turn_cosine = 0.3;         // of a face's normal
constexpr double least_height = 0.15;             // twice a face's area over its longest side squared; regular: 0.87
constexpr double growth = 2;                      // of the allowance from pass to pass: as of the faces' areas
constexpr int most_passes = 40;

double height_of(const Vec3& area_vector, const Vec3& ab, const Vec3& ac) {
    const double longest_sq = std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()});
    return area_vector.norm() / longest_sq;
}

}  // namespace

EdgeCollapse::EdgeCollapse(const Surface& surface)
    : x_(surface.vertices.rows()),
      faces_(surface.faces.rows()),
      quadrics_(surface.vertices.rows()),
      mark_(surface.vertices.rows(), 0),
      left_(static_cast<int>(surface.faces.rows())) {
    for (std::size_t v = 0; v < x_.size(); ++v) x_[v] = surface.vertices.row(static_cast<int>(v));
    for (int f = 0; f < surface.faces.rows(); ++f) {
        faces_[f] = {surface.faces(f, 0), surface.faces(f, 1), surface.faces(f, 2)};
        const Vec3 area = (x_[faces_[f][1]] - x_[faces_[f][0]]).cross(x_[faces_[f][2]] - x_[faces_[f][0]]);
        const double norm = area.norm();
        if (!(norm > 0)) continue;
        for (const int v : faces_[f]) quadrics_[v].add(area / norm, norm);
    }
    gather();
    lock_borders();
}

void EdgeCollapse::gather() {
    std::erase_if(faces_, [](const Face& face) { return face[0] < 0; });
    first_.assign(x_.size() + 1, 0);
    for (const Face& face : faces_)
        for (const int v : face) ++first_[v + 1];
    for (std::size_t v = 0; v < x_.size(); ++v) first_[v + 1] += first_[v];
    count_.assign(x_.size(), 0);
    faces_at_.resize(3 * faces_.size());
    for (int f = 0; f < std::ssize(faces_); ++f)
        for (const int v : faces_[f]) faces_at_[first_[v] + count_[v]++] = f;
    merged_.assign(x_.size(), 0);
}

// Around a vertex inside a surface there are as many neighbours as faces; on a rim there is one more, and at an edge
// with more than two faces there are fewer.
void EdgeCollapse::lock_borders() {
    locked_.assign(x_.size(), 0);
    for (int v = 0; v < std::ssize(x_); ++v) {
        ++marks_;
        int neighbours = 0;
        for (const int f : faces_at(v))
            for (const int other : faces_[f]) {
                if (other == v || mark_[other] == marks_) continue;
                mark_[other] = marks_;
                ++neighbours;
            }
        locked_[v] = neighbours != count_[v];
    }
}

/// A fourth of some thousand merges would take less.
double EdgeCollapse::usual_deviation() const {
    std::vector<double> deviations_sq;
    const std::size_t every = faces_.size() / 4000 + 1;
    for (std::size_t f = 0; f < faces_.size(); f += every)
        deviations_sq.push_back(merge_of(faces_[f][0], faces_[f][1]).deviation_sq);
    const auto middle = deviations_sq.begin() + static_cast<std::ptrdiff_t>(deviations_sq.size() / 4);
    std::nth_element(deviations_sq.begin(), middle, deviations_sq.end());
    return std::sqrt(std::max(0.0, *middle));
}

void EdgeCollapse::run(double deviation, int enough) {
    if (left_ <= enough) return;
    double allowed = std::clamp(usual_deviation(), 1e-6 * deviation, deviation);
    for (int i = 0; i < most_passes && left_ > enough; ++i) {
        const int before = left_;
        pass(allowed);
        gather();
        const bool is_last = allowed >= deviation && left_ > 0.97 * before;
        if (is_last) return;
        allowed = std::min(growth * allowed, deviation);
    }
}

void EdgeCollapse::pass(double deviation) {
    for (std::size_t f = 0; f < faces_.size(); ++f)
        for (std::size_t k = 0; k < 3; ++k) {
            const Face& face = faces_[f];
            if (face[0] < 0) break;
            const int a = face[k], b = face[(k + 1) % 3];
            if (a > b) continue;  // the face on the other side has it too
            if (merged_[a] || merged_[b] || (locked_[a] && locked_[b])) continue;
            if (const Merge merge = merge_of(a, b); merge.deviation_sq <= square(deviation)) try_merge(a, b, merge);
        }
}

// Where the planes of both ends are nearest: the minimum of their quadrics, drawn to the middle where they leave it
// open (along edges and on flat faces).
EdgeCollapse::Merge EdgeCollapse::merge_of(int a, int b) const {
    const Vec3 from = locked_[b] ? x_[b] : locked_[a] ? x_[a] : Vec3((x_[a] + x_[b]) / 2);
    const Quadric both = sum(shifted(quadrics_[a], from - x_[a]), shifted(quadrics_[b], from - x_[b]));
    const double weight = both.weight();
    if (!(weight > 0)) return {from, both, std::numeric_limits<double>::infinity()};
    Vec3 step = Vec3::Zero();
    if (!locked_[a] && !locked_[b]) {
        Mat3 pulled = both.matrix();
        pulled.diagonal().array() += 1e-3 * weight;
        step = -(pulled.inverse() * Vec3(both.b[0], both.b[1], both.b[2]));
        if (!(step.squaredNorm() < (x_[b] - x_[a]).squaredNorm())) step.setZero();
    }
    return {from + step, shifted(both, step), std::max(0.0, both(step)) / weight};
}

bool EdgeCollapse::try_merge(int a, int b, const Merge& merge) {
    if (!keeps_topology(a, b) || !keeps_shape(a, b, merge.place) || !keeps_shape(b, a, merge.place)) return false;
    const int first = static_cast<int>(faces_at_.size());
    for (const int v : {a, b})
        for (int i = first_[v]; i < first_[v] + count_[v]; ++i) {
            Face& face = faces_[faces_at_[i]];
            if (face[0] < 0) continue;
            if (std::ranges::find(face, v == a ? b : a) != face.end()) {
                face[0] = -1;
                --left_;
                continue;
            }
            std::ranges::replace(face, b, a);
            faces_at_.push_back(faces_at_[i]);
        }
    first_[a] = first;
    count_[a] = static_cast<int>(faces_at_.size()) - first;
    count_[b] = 0;
    x_[a] = merge.place;
    quadrics_[a] = merge.quadric;
    largest_sq_ = std::max(largest_sq_, merge.deviation_sq);
    locked_[a] |= locked_[b];
    merged_[a] = merged_[b] = 1;
    return true;
}

// The link condition: the ends share two neighbours, the third corners of the two faces between them, and no others.
bool EdgeCollapse::keeps_topology(int a, int b) {
    const int near_a = ++marks_, near_both = ++marks_;
    int between = 0, faces = 0, shared = 0;
    for (const int f : faces_at(a)) {
        const Face& face = faces_[f];
        if (face[0] < 0) continue;
        ++faces;
        between += std::ranges::find(face, b) != face.end();
        for (const int v : face) mark_[v] = near_a;
    }
    for (const int f : faces_at(b)) {
        const Face& face = faces_[f];
        if (face[0] < 0) continue;
        ++faces;
        for (const int v : face) {
            if (v == a || v == b || mark_[v] != near_a) continue;
            mark_[v] = near_both;
            ++shared;
        }
    }
    const int after = faces - 4;
    return between == 2 && shared == 2 && after >= 3 && after <= static_cast<int>(most_faces_at_vertex);
}

/// True if the faces at `vertex` that stay do not turn over or become slivers.
bool EdgeCollapse::keeps_shape(int vertex, int other, const Vec3& place) const {
    return std::ranges::all_of(faces_at(vertex), [&](int f) {
        const Face& face = faces_[f];
        if (face[0] < 0 || std::ranges::find(face, other) != face.end()) return true;
        const std::size_t k = std::ranges::find(face, vertex) - face.begin();
        const Vec3 &u = x_[face[(k + 1) % 3]], &v = x_[face[(k + 2) % 3]], &x = x_[vertex];
        const Vec3 was = (u - x).cross(v - x), is = (u - place).cross(v - place);
        if (is.dot(was) < least_turn_cosine * is.norm() * was.norm()) return false;
        const double height = height_of(is, u - place, v - place);
        return height > least_height || height > height_of(was, u - x, v - x);
    });
}

Surface EdgeCollapse::surface() const {
    std::vector<int> number(x_.size(), -1);
    for (const Face& face : faces_)
        for (const int v : face) number[v] = 0;
    int count = 0;
    for (int& n : number)
        if (n == 0) n = count++;
    Surface result{Points(count, 3), Triangles(std::ssize(faces_), 3)};
    for (std::size_t v = 0; v < x_.size(); ++v)
        if (number[v] >= 0) result.vertices.row(number[v]) = x_[v].transpose();
    for (std::size_t f = 0; f < faces_.size(); ++f)
        for (int k = 0; k < 3; ++k)
            result.faces(static_cast<int>(f), k) = number[faces_[f][static_cast<std::size_t>(k)]];
    return result;
}

}  // namespace clangor::geometry
