// Impacts and touches from the impulses of single steps.
#include <clangor/motion/rigid/ledger.hpp>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <tuple>
#include <utility>

namespace clangor::rigid {
namespace {

// An impact that the solver spreads over steps, or that several near points share, is over after this [s].
constexpr double impact_length = 1.5e-3;
constexpr double longest_touch = 10e-3;  // [s]

// One that comes in a later step faster than this part of the first is another.
constexpr double another = 0.1;

}  // namespace

void Ledger::Sum::add(const Exchange& exchange) {
    const double size = exchange.impulse.norm();
    if (size == 0) return;
    if (weight == 0) first = exchange;
    first.approach_speed = std::max(first.approach_speed, exchange.approach_speed);
    first.time = std::min(first.time, exchange.time);
    last = std::max(last, exchange.time + exchange.duration);
    weight += size;
    on_a_body += size * exchange.on_a_body;
    on_b_body += size * exchange.on_b_body;
    normal += size * exchange.normal;
    impulse += exchange.impulse;
    slip += size * exchange.slip_speed;
    if (exchange.travel_speed < 0) return;
    travel_weight += size;
    travel += size * exchange.travel_speed;
}

void Ledger::enter(const Exchange& exchange) {
    if (exchange.impulse.isZero(0)) return;
    if (exchange.approach_speed > 0) {
        for (Sum& impact : std::views::reverse(open_impacts_)) {
            if (exchange.seen > impact.first.seen && exchange.approach_speed > another * impact.first.approach_speed)
                continue;
            if (impact.first.a != exchange.a || impact.first.b != exchange.b) continue;
            if ((impact.first.place - exchange.place).norm() > exchange.near ||
                impact.first.normal.dot(exchange.normal) < 0.5)
                continue;
            return impact.add(exchange);
        }
        open_impacts_.emplace_back().add(exchange);
        return;
    }
    const auto open = std::ranges::find_if(
        open_touches_, [&](const Sum& touch) { return touch.first.a == exchange.a && touch.first.b == exchange.b; });
    if (open == open_touches_.end()) {
        open_touches_.emplace_back().add(exchange);
        return;
    }
    if (exchange.time + exchange.duration > open->first.time + longest_touch * (1 + 1e-9)) {
        touches_.push_back(*open);
        *open = {};
    }
    open->add(exchange);
}

void Ledger::enter_rest(const std::vector<Exchange>& points) {
    Sum touch;
    for (const Exchange& point : points) touch.add(point);
    if (touch.weight > 0) touches_.push_back(touch);
}

void Ledger::close_until(double time) {
    const auto close = [time](std::vector<Sum>& open, std::vector<Sum>& closed, double length) {
        const auto is_over = [&](const Sum& sum) { return sum.last + length < time; };
        if (std::ranges::none_of(open, is_over)) return;
        std::ranges::copy_if(open, std::back_inserter(closed), is_over);
        std::erase_if(open, is_over);
    };
    close(open_impacts_, impacts_, impact_length);
    close(open_touches_, touches_, 1e-9);
}

void Ledger::take(Ledger& other) {
    other.close_until(1e300);
    for (auto [from, to] : {std::pair(&other.impacts_, &impacts_), std::pair(&other.touches_, &touches_)}) {
        to->insert(to->end(), from->begin(), from->end());
        from->clear();
    }
}

void Ledger::finish(Motion& motion) {
    close_until(1e300);
    const auto sides = [&](const Sum& sum, double time) {
        std::array<ContactSide, 2> both;
        const Vec3 normal = sum.normal.norm() > 0 ? Vec3(sum.normal.normalized()) : sum.first.normal;
        const Mat3 a_from_world = pose_at(motion.bodies[sum.first.a], time).linear().transpose();
        const Mat3 b_from_world = pose_at(motion.bodies[sum.first.b], time).linear().transpose();
        both[0] = {sum.first.a, sum.on_a_body / sum.weight, a_from_world * -normal, a_from_world * sum.impulse};
        both[1] = {sum.first.b, sum.on_b_body / sum.weight, b_from_world * normal, b_from_world * -sum.impulse};
        return both;
    };
    for (const Sum& impact : impacts_)
        motion.impacts.push_back({impact.first.time, impact.impulse, impact.first.approach_speed,
                                  sides(impact, impact.first.time), impact.first.seen});
    for (const Sum& touch : touches_) {
        const double slip = touch.slip / touch.weight;
        const double travel = touch.travel_weight > 0 ? touch.travel / touch.travel_weight : slip;
        motion.touches.push_back({touch.first.time, touch.last - touch.first.time, touch.impulse, slip, travel,
                                  sides(touch, touch.first.time)});
    }
    const auto by_time = [](const auto& x, const auto& y) {
        return std::tuple(x.time, x.sides[0].body, x.sides[1].body) <
               std::tuple(y.time, y.sides[0].body, y.sides[1].body);
    };
    std::stable_sort(motion.impacts.begin(), motion.impacts.end(), by_time);
    std::stable_sort(motion.touches.begin(), motion.touches.end(), by_time);
    impacts_.clear();
    touches_.clear();
}

}  // namespace clangor::rigid
