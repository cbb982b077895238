// What equal objects share while a scene is baked and rendered.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>

namespace clangor {

/// Values of any type by name, made once. Copies share them. Not for several threads at once.
class Shared {
public:
    template <class Value, class Make>
    std::shared_ptr<const Value> get(const std::string& key, const Make& make) const {
        std::shared_ptr<const void>& kept = (*values_)[{std::type_index(typeid(Value)), key}];
        if (!kept) kept = std::shared_ptr<const Value>(make());
        return std::static_pointer_cast<const Value>(kept);
    }

private:
    using Values = std::map<std::pair<std::type_index, std::string>, std::shared_ptr<const void>>;
    std::shared_ptr<Values> values_ = std::make_shared<Values>();
};

}  // namespace clangor
