// Whether a straight line between two points misses the surface.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <memory>

namespace clangor::wave {

/// Embree over the surface. It works in float, so ends closer to the surface than 1e-6 of the body may go either way.
class Sight {
public:
    explicit Sight(const Surface& surface);
    ~Sight();
    Sight(Sight&&) noexcept;
    bool clear(const Vec3& from, const Vec3& to) const;

private:
    struct Tree;
    std::unique_ptr<const Tree> tree_;
};

}  // namespace clangor::wave
