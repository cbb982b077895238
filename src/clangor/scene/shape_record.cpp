// The procedural shapes as keys of the scene format.
#include <clangor/scene/scene.hpp>

namespace clangor::scene {
namespace {

constexpr Range length_m = {.min = 0, .max = 1000, .above = true};

Field length(std::string key, double& target, std::string doc) {
    return {std::move(key), std::move(doc), "m", false, NumberField{&target, length_m}};
}

Record box_record(Box& box) {
    return {"box",
            "Centred at the origin.",
            {{"size", "Edge lengths along x, y and z.", "m", false, VectorField{&box.size, length_m}},
             {"rounding", "Radius of its edges and corners.", "m", false,
              NumberField{&box.rounding, {.min = 0, .max = 1000}}}}};
}

Record sphere_record(Sphere& sphere) {
    return {"sphere", "Centred at the origin.", {length("radius", sphere.radius, "Radius.")}};
}

Record cylinder_record(Cylinder& cylinder) {
    return {"cylinder",
            "Centred at the origin, axis along y.",
            {length("radius", cylinder.radius, "Outer radius."),
             length("height", cylinder.height, "Along y."),
             {"inner_radius", "Above 0 it makes a tube.", "m", false,
              NumberField{&cylinder.inner_radius, {.min = 0, .max = 1000}}}}};
}

Record plate_record(Plate& plate) {
    return {"plate",
            "Rectangular, centred at the origin, thin along y.",
            {length("width", plate.width, "Along x."), length("depth", plate.depth, "Along z."),
             length("thickness", plate.thickness, "Along y.")}};
}

Record bowl_record(Bowl& bowl) {
    return {"bowl",
            "A spherical cap that opens up; the lowest point of its mid-surface is the origin.",
            {length("radius", bowl.radius, "Of the rim's mid-line."),
             length("depth", bowl.depth, "Of the mid-surface; depth = radius makes a hemisphere."),
             length("thickness", bowl.thickness, "Of the wall.")}};
}

Record mug_record(Mug& mug) {
    return {"mug",
            "A cup that stands on y = 0, its handle towards +x.",
            {length("radius", mug.radius, "Outer radius."),
             length("height", mug.height, "Along y."),
             length("thickness", mug.thickness, "Of wall and base; the handle is twice as thick."),
             {"handle", "Whether it has one.", "", false, FlagField{&mug.handle}}}};
}

Record bell_record(Bell& bell) {
    return {"bell",
            "Flared, of revolution about y, its mouth down at y = 0.",
            {length("radius", bell.radius, "Outer radius of the mouth."), length("height", bell.height, "Along y."),
             length("thickness", bell.thickness, "Of the wall; the lip is twice as thick.")}};
}

Record tuning_fork_record(TuningFork& fork) {
    return {
        "tuning_fork",
        "Two square tines along +y, a stem along -y, the crotch at y = 0.",
        {length("tine_length", fork.tine_length, "Above the crotch."),
         length("tine_width", fork.tine_width, "Of the square section."), length("gap", fork.gap, "Between the tines."),
         length("stem_length", fork.stem_length, "Below the yoke.")}};
}

Record ring_record(Ring& ring) {
    return {
        "ring",
        "A wire bent to a circle about y, centred at the origin.",
        {length("radius", ring.radius, "Of the wire's mid-line."), length("wire", ring.wire, "Radius of the wire.")}};
}

Record key_record(Key& key) {
    return {"key",
            "Flat in the plane y = 0, its round bow with the hole about the origin, its blade towards +x.",
            {length("length", key.length, "From the far side of the bow to the tip."),
             length("bow_radius", key.bow_radius, "Of the round part that one holds."),
             length("hole_radius", key.hole_radius, "Of the hole in the bow."),
             length("blade_width", key.blade_width, "Of the part with the teeth."),
             length("thickness", key.thickness, "Along y.")}};
}

Record sheet_record(Sheet& sheet) {
    return {"sheet",
            "Rectangular, centred at the origin, in the plane y = 0; without a thickness, for shells.",
            {length("width", sheet.width, "Along x."), length("depth", sheet.depth, "Along z.")}};
}

Record disc_record(Disc& disc) {
    return {"disc",
            "Round, centred at the origin, in the plane y = 0; without a thickness, for shells.",
            {length("radius", disc.radius, "Radius."),
             {"hole_radius", "Of the hole in its middle; 0 for none.", "m", false,
              NumberField{&disc.hole_radius, {.min = 0, .max = 1000}}}}};
}

Record dome_record(Dome& dome) {
    return {"dome",
            "A spherical cap that opens up, its lowest point at the origin; without a thickness, for shells.",
            {length("radius", dome.radius, "Of the rim."),
             length("depth", dome.depth, "depth = radius makes a hemisphere.")}};
}

Record can_record(Can& can) {
    return {"can",
            "An upright tin, open at the top, standing on y = 0; without a thickness, for shells.",
            {length("radius", can.radius, "Radius."),
             length("height", can.height, "Along y."),
             {"bottom", "Without one it is a tube.", "", false, FlagField{&can.bottom}}}};
}

Record cymbal_record(Cymbal& cymbal) {
    return {"cymbal",
            "Of revolution about y, its edge at y = 0, its bell up; without a thickness, for shells.",
            {length("radius", cymbal.radius, "Of the edge."),
             length("height", cymbal.height, "Of the bow, from the edge to the bell."),
             length("bell_radius", cymbal.bell_radius, "Of the cup in the middle."),
             length("bell_height", cymbal.bell_height, "Of the cup, above the bow."),
             length("hole_radius", cymbal.hole_radius, "Of the hole in the middle.")}};
}

Record tub_record(Tub& tub) {
    return {"tub",
            "A rectangular tray, box or bin that opens up, its bottom in y = 0; without a thickness, for shells.",
            {length("width", tub.width, "Of the mouth, along x."),
             length("depth", tub.depth, "Of the mouth, along z."),
             length("height", tub.height, "Along y."),
             length("rounding", tub.rounding, "Radius of its upright edges."),
             {"taper", "How far its walls lean in, from the mouth to the bottom.", "m", false,
              NumberField{&tub.taper, {.min = 0, .max = 1000}}},
             {"rim", "Width of a level rim around the mouth; 0 for none.", "m", false,
              NumberField{&tub.rim, {.min = 0, .max = 1000}}}}};
}

Record revolution_record(SurfaceOfRevolution& shape) {
    return {"revolution",
            "A surface of revolution about y, from half of its section: a bottle, a bin, a gong. Without a thickness, "
            "for shells; but where the first and the last point are on the axis, or are the same, it is closed, and a "
            "body.",
            {{"profile", "Points of the section, in order. It touches the axis at its ends only.", "m", false,
              ProfileField{&shape.profile, {.min = -1000, .max = 1000}, 2, 200}},
             {"smooth",
              "A curve through the points, level where it meets the axis, with a corner where a point is repeated; "
              "otherwise straight lines.",
              "", false, FlagField{&shape.smooth}},
             {"ribs", "Upright ribs: that many around what is steeper than 45°, fading at its ends; 0 for none.", "",
              false, CountField{&shape.ribs, 0, 200}},
             length("rib_depth", shape.rib_depth, "How far they stand out.")}};
}

}  // namespace

Record shape_record(Shape& shape) {
    return std::visit(overloaded{
                          [](Box& box) { return box_record(box); },
                          [](Sphere& sphere) { return sphere_record(sphere); },
                          [](Cylinder& cylinder) { return cylinder_record(cylinder); },
                          [](Plate& plate) { return plate_record(plate); },
                          [](Bowl& bowl) { return bowl_record(bowl); },
                          [](Mug& mug) { return mug_record(mug); },
                          [](Bell& bell) { return bell_record(bell); },
                          [](TuningFork& fork) { return tuning_fork_record(fork); },
                          [](Ring& ring) { return ring_record(ring); },
                          [](Key& key) { return key_record(key); },
                          [](Sheet& sheet) { return sheet_record(sheet); },
                          [](Disc& disc) { return disc_record(disc); },
                          [](Dome& dome) { return dome_record(dome); },
                          [](Can& can) { return can_record(can); },
                          [](Cymbal& cymbal) { return cymbal_record(cymbal); },
                          [](Tub& tub) { return tub_record(tub); },
                          [](SurfaceOfRevolution& turned) { return revolution_record(turned); },
                      },
                      shape);
}

std::vector<Shape> every_shape() {
    return {Box{}, Sphere{}, Cylinder{}, Plate{}, Bowl{}, Mug{},    Bell{}, TuningFork{},         Ring{},
            Key{}, Sheet{},  Disc{},     Dome{},  Can{},  Cymbal{}, Tub{},  SurfaceOfRevolution{}};
}

}  // namespace clangor::scene
