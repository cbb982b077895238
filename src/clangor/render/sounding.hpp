// The objects of a scene as they sound: what drives each, and which modes it has. Internal to render.
#pragma once

#include <clangor/render/excite.hpp>
#include <clangor/render/hear.hpp>
#include <clangor/render/modal_radiation.hpp>
#include <clangor/render/render.hpp>

#include <memory>

namespace clangor {

/// A solid of the scene with the modes that this sample rate and its damping let ring.
struct SoundingObject {
    const scene::Solid* solid = nullptr;
    const io::BakedSolid* model = nullptr;
    const Trajectory* path = nullptr;
    std::vector<long> kept;  // modes of the model
    OscillatorBank bank;
    std::vector<Strike> strikes;  // one modal impulse a kept mode
    std::vector<DampingKnot> damping;
    std::vector<Blow> blows;                     // that accelerate it
    std::shared_ptr<const PreparedNoise> noise;  // how that sounds; none: it does not
    const ContactBody* body = nullptr;
    std::shared_ptr<const ModalRadiation> radiation;  // of all modes of the model; objects of one model share it
};

inline std::string object_named(const std::string& name) { return "object \"" + name + "\""; }

template <class Vector>
Vector picked(const Vector& all, const std::vector<long>& which) {
    Vector result(long(which.size()));
    for (size_t i = 0; i < which.size(); ++i) result[long(i)] = all[which[i]];
    return result;
}

std::vector<ContactBody> contact_bodies(const Scene& scene, const Baked& baked);

/// One for each solid that has a model, in the scene's order. `bodies` outlive it. Warnings and the count of impacts go
/// to `rendered`.
std::vector<SoundingObject> sounding_objects(const Scene& scene, const Baked& baked, const Motion& motion,
                                             const std::vector<ContactBody>& bodies, Rendered& rendered);

}  // namespace clangor
