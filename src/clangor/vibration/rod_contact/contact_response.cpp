#include <clangor/vibration/rod_contact/contact_response.hpp>

#include <algorithm>

namespace clangor::rod_contact {
namespace {

// Where W leaves out something anyway: what changes velocities by less than this part of what a contact changes its
// own by.
constexpr double weakly_felt = 0.01;

struct SideOfTouch {
    int touch = 0;
    const RodSide* side = nullptr;
};

// J of one side times the columns of another contact on the same rod.
Mat3 block_of(const RodSide& side, const ContactColumns& columns) {
    Mat3 block = Mat3::Zero();
    for (int k = 0; k < 7; ++k) {
        const long row = side.unknowns[size_t(k)] - columns.begin;
        if (0 <= row && row < columns.rows.rows()) block.noalias() += side.J.col(k) * columns.rows.row(row);
    }
    return block;
}

// Blocks of one rod's contacts, in the order of its unknowns, so that those within reach stand together. A closed rod
// has a segment from its last unknown to its first: there all are looked at.
std::vector<ResponseBlock> blocks_on_rod(std::vector<SideOfTouch>& sides, const ResponseColumns& columns,
                                         const RodPlan& plan) {
    std::stable_sort(sides.begin(), sides.end(), [](const SideOfTouch& a, const SideOfTouch& b) {
        return a.side->unknowns[0] < b.side->unknowns[0];
    });
    std::vector<ResponseBlock> blocks;
    for (const SideOfTouch& source : sides) {
        double own = 0;
        const ContactColumns felt = columns.columns_of(*source.side);
        if (!columns.is_exact()) own = block_of(*source.side, felt).cwiseAbs().maxCoeff();
        const long low = plan.closed ? 0 : felt.begin - 2 * plan.per_point;
        const long high = plan.closed ? plan.mass.size() : felt.begin + felt.rows.rows();
        auto target = std::lower_bound(sides.begin(), sides.end(), low, [](const SideOfTouch& side, long unknown) {
            return side.side->unknowns[0] < unknown;
        });
        for (; target != sides.end() && target->side->unknowns[0] < high; ++target) {
            if (target->side > source.side) continue;  // W is symmetric
            const Mat3 block = block_of(*target->side, felt);
            if (block.cwiseAbs().maxCoeff() < weakly_felt * own) continue;
            blocks.push_back({target->touch, source.touch, block});
            if (target->side != source.side) blocks.push_back({source.touch, target->touch, block.transpose()});
        }
        if (felt.rows.rows() == 0) blocks.push_back({source.touch, source.touch, Mat3::Zero()});  // it is held
    }
    return blocks;
}

}  // namespace

bool TouchResponse::leaves_out() const {
    return !std::all_of(columns_.begin(), columns_.end(), [](const ResponseColumns& each) { return each.is_exact(); });
}

bool TouchResponse::is_as_before(std::span<const TouchSides> touches, std::span<const ContactRod> rods,
                                 std::span<const RodObstacle> bodies) const {
    constexpr double hardly = 1e-9;
    if (touches.size() != touches_.size()) return false;
    for (size_t r = 0; r < rods.size(); ++r) {
        if (rods[r].rod->report().factorizations != factorizations_[r]) return false;
        if (rods[r].rod->state().step != steps_[r]) return false;
    }
    const auto same = [&](const RodSide& a, const RodSide& b) {
        return a.rod == b.rod && a.unknowns == b.unknowns && (a.J - b.J).cwiseAbs().maxCoeff() < hardly;
    };
    for (size_t i = 0; i < touches.size(); ++i) {
        const int body = touches[i].body.body;
        if (body != touches_[i].body.body || (body >= 0 && bodies[size_t(body)].inverse_mass > 0)) return false;
        if (!same(touches[i].first, touches_[i].first) || !same(touches[i].second, touches_[i].second)) return false;
    }
    return true;
}

const ContactResponse& TouchResponse::operator()(std::span<const TouchSides> touches, std::span<const ContactRod> rods,
                                                 std::span<const RodObstacle> bodies) {
    if (is_as_before(touches, rods, bodies)) return W_;
    touches_.assign(touches.begin(), touches.end());
    factorizations_.clear();
    steps_.clear();
    for (const ContactRod& rod : rods) {
        factorizations_.push_back(rod.rod->report().factorizations);
        steps_.push_back(rod.rod->state().step);
    }
    std::vector<std::vector<SideOfTouch>> on_rod(rods.size());
    std::vector<std::vector<int>> on_body(bodies.size());
    for (size_t i = 0; i < touches.size(); ++i) {
        for (const RodSide* side : {&touches[i].first, &touches[i].second})
            if (side->rod >= 0) on_rod[size_t(side->rod)].push_back({int(i), side});
        if (touches[i].body.body >= 0) on_body[size_t(touches[i].body.body)].push_back(int(i));
    }
    std::vector<std::vector<ResponseBlock>> of_rod(rods.size());
    parallel_for(std::ssize(rods), [&](long r) {
        std::vector<const RodSide*> sides;
        for (const SideOfTouch& each : on_rod[size_t(r)]) sides.push_back(each.side);
        if (sides.empty()) return;
        columns_[size_t(r)].prepare(*rods[size_t(r)].rod, sides);
        of_rod[size_t(r)] = blocks_on_rod(on_rod[size_t(r)], columns_[size_t(r)], rods[size_t(r)].rod->plan());
    });
    std::vector<ResponseBlock> blocks;
    for (const auto& each : of_rod) blocks.insert(blocks.end(), each.begin(), each.end());
    for (size_t b = 0; b < bodies.size(); ++b) {
        const Eigen::Matrix<double, 6, 6> inverse = inverse_mass_of(bodies[b]);
        if (inverse.isZero(0)) continue;
        for (const int i : on_body[b])
            for (const int j : on_body[b])
                blocks.push_back({i, j, touches[size_t(i)].body.J * inverse * touches[size_t(j)].body.J.transpose()});
    }
    W_ = response_of(long(touches.size()), std::move(blocks));
    return W_;
}

}  // namespace clangor::rod_contact
