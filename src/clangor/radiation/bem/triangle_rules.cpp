#include <clangor/radiation/bem/triangle_rules.hpp>

#include <vector>

namespace clangor::bem {
namespace {

using Rule = std::vector<RulePoint>;

// The point (1−2a, a, a) and its rotations, and (a, b, 1−a−b) with its six  [Dunavant1985, Table II].
void add_three(Rule& rule, double weight, double a) {
    const double b = 1 - 2 * a;
    for (const std::array<double, 3>& at : {std::array{b, a, a}, {a, b, a}, {a, a, b}}) rule.push_back({at, weight});
}

void add_six(Rule& rule, double weight, double a, double b) {
    const double c = 1 - a - b;
    for (const std::array<double, 3>& at : {std::array{a, b, c}, {b, c, a}, {c, a, b}, {b, a, c}, {a, c, b}, {c, b, a}})
        rule.push_back({at, weight});
}

Rule make_degree_2() {
    Rule rule;
    add_three(rule, 1.0 / 3, 1.0 / 6);
    return rule;
}

Rule make_degree_4() {
    Rule rule;
    add_three(rule, 0.223381589678011, 0.445948490915965);
    add_three(rule, 0.109951743655322, 0.091576213509771);
    return rule;
}

Rule make_degree_6() {
    Rule rule;
    add_three(rule, 0.116786275726379, 0.249286745170910);
    add_three(rule, 0.050844906370207, 0.063089014491502);
    add_six(rule, 0.082851075618374, 0.053145049844817, 0.310352451033784);
    return rule;
}

Rule make_quarters() {
    Rule rule;
    for (const RulePoint& point : make_degree_6()) {
        const double w = point.weight / 4;
        const auto [a, b, c] = point.at;
        rule.push_back({{(1 - a) / 2, (1 - b) / 2, (1 - c) / 2}, w});  // between the middles of the edges
        rule.push_back({{(1 + a) / 2, b / 2, c / 2}, w});
        rule.push_back({{a / 2, (1 + b) / 2, c / 2}, w});
        rule.push_back({{a / 2, b / 2, (1 + c) / 2}, w});
    }
    return rule;
}

}  // namespace

std::span<const RulePoint> rule_of_degree_2() {
    static const Rule rule = make_degree_2();
    return rule;
}
std::span<const RulePoint> rule_of_degree_4() {
    static const Rule rule = make_degree_4();
    return rule;
}
std::span<const RulePoint> rule_of_degree_6() {
    static const Rule rule = make_degree_6();
    return rule;
}
std::span<const RulePoint> rule_in_quarters() {
    static const Rule rule = make_quarters();
    return rule;
}

}  // namespace clangor::bem
