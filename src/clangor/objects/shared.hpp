// What equal objects share while a scene is baked and rendered.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <utility>

namespace clangor {

/// Values of any type by name, made once. Copies share them. Threads may ask at the same time: who asks for what
/// another one makes, waits.
class Shared {
public:
    template <class Value, class Make>
    std::shared_ptr<const Value> get(const std::string& key, const Make& make) const {
        Kept& kept = place_of({std::type_index(typeid(Value)), key});
        const std::lock_guard lock(kept.mutex);
        if (!kept.value) kept.value = std::shared_ptr<const Value>(make());
        return std::static_pointer_cast<const Value>(kept.value);
    }

private:
    using Key = std::pair<std::type_index, std::string>;
    struct Kept {
        std::mutex mutex;
        std::shared_ptr<const void> value;
    };
    struct All {
        std::mutex mutex;
        std::map<Key, Kept> values;
    };

    Kept& place_of(const Key& key) const {
        const std::lock_guard lock(all_->mutex);
        return all_->values[key];
    }

    std::shared_ptr<All> all_ = std::make_shared<All>();
};

}  // namespace clangor
