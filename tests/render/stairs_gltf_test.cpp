#include "motion/rigid/stairs_take.hpp"

#include <clangor/io/io.hpp>

namespace stairs_gltf_test {

using namespace clangor;
using namespace clangor::testing;

TEST_CASE("keyframes that Blender exports at 24 frames a second tell of the same contacts as a table does") {
    const StairsTake take = stairs_take();
    RigidWorld world = take.world;
    for (RigidBody& body : world.bodies) {
        if (body.movement == Movement::Fixed) continue;
        const Trajectory table = thinned(body.path, 20);
        body.path = io::read_trajectory(std::string(stairs_folder) + "stairs_24.glb#" + body.name).path;
        // The exporter leaves out frames at rest. Tables are rounded to 10 µm, glTF to single precision.
        for (long i = 0; i < table.times.size(); ++i)
            CHECK((pose_at(body.path, table.times[i]).translation() - table.positions.row(i).transpose()).norm() <
                  3e-5);
    }
    const Motion motion = collisions_of(world, {.duration = take.duration});
    const Agreement result = agreement(take, motion, 0.020);
    MESSAGE("glTF: " << result.found << " of " << result.contacts << " contacts found; of " << result.impacts
                     << " impacts " << result.not_there << " are not there, " << result.touches << " are touches");
    // As the table at 24 frames a second does (tests/motion/rigid/stairs_test.cpp).
    CHECK(double(result.found) >= 0.88 * double(result.contacts));
    CHECK(double(result.not_there + result.touches) <= 0.05 * double(result.impacts));
}

}  // namespace stairs_gltf_test
