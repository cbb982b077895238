#include <clangor/scene/scene.hpp>

#include <algorithm>

namespace clangor::scene {

const std::string& name_of(const Object& object) {
    return std::visit(overloaded{
                          [](const Shell& shell) -> const std::string& { return shell.body.name; },
                          [](const auto& kind) -> const std::string& { return kind.name; },
                      },
                      object);
}

bool is_still(const Scene& scene) {
    const auto moves = [](const Object& object) {
        return std::visit([](const auto& kind) { return asks_for_motion(kind); }, object);
    };
    return !scene.strikes.empty() && scene.motion.impacts.empty() && std::ranges::none_of(scene.objects, moves);
}

}  // namespace clangor::scene
