// How long work tells the outside how far it is. The library never prints.
#pragma once

#include <functional>
#include <string_view>

namespace clangor {

/// Called with a stage ("modes of bowl") and a fraction in [0, 1], by one thread at a time but not always by the one
/// that started the work. An empty one is silent. It may throw to stop the work.
struct Progress {
    std::function<void(std::string_view stage, double fraction)> report;

    void operator()(std::string_view stage, double fraction) const {
        if (report) report(stage, fraction);
    }
};

}  // namespace clangor
