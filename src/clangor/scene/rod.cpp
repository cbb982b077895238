#include <clangor/scene/rod.hpp>

#include <fmt/format.h>

namespace clangor::scene {
namespace {

constexpr Range size_m = {.min = 1e-6, .max = 1e4};
constexpr Range along_m = {.min = 0, .max = 1e6};
constexpr Range turned_deg = {.min = -1e6, .max = 1e6};

template <class Kind, class Variant>
Kind& as(Variant& variant) {
    if (!std::holds_alternative<Kind>(variant)) variant.template emplace<Kind>();
    return std::get<Kind>(variant);
}

Record straight_record(StraightCurve& curve) {
    return {"straight_rod",
            "A straight rod along its own x axis, from its own origin.",
            {{"length", "From end to end.", "m", true, NumberField{&curve.length, size_m}}}};
}

Record helix_record(HelixCurve& curve) {
    return {"helix",
            "A coil about its own x axis: it begins at (0, radius, 0).",
            {{"radius", "Of the coil, to the middle of the wire.", "m", true, NumberField{&curve.radius, size_m}},
             {"pitch", "From turn to turn.", "m", true, NumberField{&curve.pitch, size_m}},
             {"turns", "How many; need not be a whole number.", "", true,
              NumberField{&curve.turns, {.min = 0.01, .max = 1e5}}}}};
}

Record ring_record(RingCurve& curve) {
    return {"rod_ring",
            "A closed ring about its own z axis.",
            {{"radius", "Of the ring, to the middle of the wire.", "m", true, NumberField{&curve.radius, size_m}}}};
}

Record spiral_record(SpiralCurve& curve) {
    return {"spiral",
            "A flat spiral about its own z axis, as of a clock's gong; it begins inside.",
            {{"inner_radius", "Where it begins.", "m", true, NumberField{&curve.inner_radius, size_m}},
             {"outer_radius", "Where it ends.", "m", true, NumberField{&curve.outer_radius, size_m}},
             {"turns", "How many; need not be a whole number.", "", true,
              NumberField{&curve.turns, {.min = 0.01, .max = 1e4}}}}};
}

Record shape_record_of(RodCurve& curve) {
    return {"rod_shape",
            "A curve by its sizes.",
            {{"straight", "A straight one.", "", false,
              RecordField{[&curve] { return straight_record(as<StraightCurve>(curve)); }}},
             {"helix", "A coil.", "", false, RecordField{[&curve] { return helix_record(as<HelixCurve>(curve)); }}},
             {"ring", "A closed ring.", "", false, RecordField{[&curve] { return ring_record(as<RingCurve>(curve)); }}},
             {"spiral", "A flat spiral.", "", false,
              RecordField{[&curve] { return spiral_record(as<SpiralCurve>(curve)); }}}},
            {{"straight", "helix", "ring", "spiral"}},
            {"straight", "helix", "ring", "spiral"}};
}

Record section_record(Section& section) {
    const auto circle = [&section] {
        return Record{"circle_section",
                      "A round wire.",
                      {{"radius", "Of the wire.", "m", true, NumberField{&as<CircleSection>(section).radius, size_m}}}};
    };
    const auto tube = [&section] {
        TubeSection& pipe = as<TubeSection>(section);
        return Record{
            "tube_section",
            "A round tube.",
            {{"radius", "Outside.", "m", true, NumberField{&pipe.radius, size_m}},
             {"inner_radius", "Inside; less than radius.", "m", true, NumberField{&pipe.inner_radius, size_m}}},
            {},
            {},
            [&pipe](const Given&) -> std::vector<Conflict> {
                if (pipe.inner_radius < pipe.radius) return {};
                return {{"inner_radius", fmt::format("inner_radius ({} m) must be below radius ({} m)",
                                                     pipe.inner_radius, pipe.radius)}};
            }};
    };
    const auto rectangle = [&section] {
        RectangleSection& box = as<RectangleSection>(section);
        return Record{"rectangle_section",
                      "A flat bar.",
                      {{"width", "Along the section's x axis.", "m", true, NumberField{&box.width, size_m}},
                       {"height", "Along its y axis.", "m", true, NumberField{&box.height, size_m}}}};
    };
    const auto ellipse = [&section] {
        EllipseSection& oval = as<EllipseSection>(section);
        return Record{"ellipse_section",
                      "An ellipse.",
                      {{"x_radius", "Along the section's x axis.", "m", true, NumberField{&oval.x_radius, size_m}},
                       {"y_radius", "Along its y axis.", "m", true, NumberField{&oval.y_radius, size_m}}}};
    };
    const auto polygon = [&section] {
        return Record{
            "polygon_section",
            "Any outline without holes. Its own principal axes become the section's x and y.",
            {{"corners", "In order.", "m", true,
              ProfileField{&as<PolygonSection>(section).corners, {.min = -100, .max = 100}, 3, 200, "[x, y]"}}}};
    };
    return {"section",
            "The cross-section of a rod.",
            {{"circle", "Round.", "", false, RecordField{circle}},
             {"tube", "Round and hollow.", "", false, RecordField{tube}},
             {"rectangle", "Flat.", "", false, RecordField{rectangle}},
             {"ellipse", "Oval.", "", false, RecordField{ellipse}},
             {"polygon", "Any other.", "", false, RecordField{polygon}}},
            {{"circle", "tube", "rectangle", "ellipse", "polygon"}},
            {"circle", "tube", "rectangle", "ellipse", "polygon"}};
}

Record hold_record(RodHold& hold) {
    const auto choose = [&hold](std::size_t i) { hold.kind = static_cast<RodHoldKind>(i); };
    return {
        "rod_support",
        "Holds a rod at one place. Supports are at the nearest control point; clamps of an end are exact.",
        {{"kind",
          "clamped: neither moves nor turns. pinned: stays in its place, but may turn. spring: is pulled back to "
          "where it was without forces.",
          "", true, ChoiceField{{"clamped", "pinned", "spring"}, choose}},
         {"at", "How far along the rod.", "m", true, NumberField{&hold.at, along_m}},
         {"stiffness", "Of a spring, in every direction.", "N/m", false,
          NumberField{&hold.stiffness, {.min = 0, .max = 1e12}}},
         {"damping", "Of a spring.", "N s/m", false, NumberField{&hold.damping, {.min = 0, .max = 1e9}}}},
        {},
        {},
        [&hold](const Given& given) {
            std::vector<Conflict> conflicts;
            for (const char* const key : {"stiffness", "damping"})
                if (hold.kind != RodHoldKind::Spring && given(key))
                    conflicts.push_back(
                        {key, fmt::format("{} is that of a spring; leave it out, or set \"kind\": \"spring\"", key)});
            if (hold.kind == RodHoldKind::Spring && !(hold.stiffness > 0))
                conflicts.push_back({"stiffness", "a spring without a stiffness holds nothing; give it, in N/m"});
            return conflicts;
        }};
}

Record pull_record(RodPull& pull) {
    return {"rod_pull",
            "A force that bends the rod before the scene begins, and lets go: a pluck.",
            {{"at", "How far along the rod.", "m", true, NumberField{&pull.at, along_m}},
             {"force", "In the rod's own frame; not zero.", "N", true,
              VectorField{&pull.force, {.min = -1e9, .max = 1e9}, true}},
             {"until", "When it lets go.", "s", false, NumberField{&pull.until, clip_s}}}};
}

std::vector<Field> curve_fields(Rod& rod) {
    return {
        {"points", "The middle of the rod at rest, in its own frame, from end to end.", "m", false,
         PointsField{&as<PointsCurve>(rod.curve).points, place_m, 2, 100'000}},
        {"file", "Or a file of them (.csv): x, y and z in each line.", "m", false,
         FileField{&as<PointsCurve>(rod.curve).file}},
        {"shape", "Or a curve by its sizes.", "", false, RecordField{[&rod] { return shape_record_of(rod.curve); }}},
        {"closed", "Whether the last of the points joins the first.", "", false, FlagField{&rod.closed}},
        {"count",
         "Control points, at equal distances along the curve, 4 or more. Waves of bending need eight of them each; 0: "
         "as many as those of 10 kHz need, from 16 to 1000, and no nearer to each other than the rod is thick.",
         "", false, CountField{&rod.count, 0, 100'000}}};
}

std::vector<Field> motion_fields(Rod& rod) {
    const auto choose_gravity = [&rod](std::size_t i) { rod.gravity = static_cast<RodGravity>(i); };
    const auto append_hold = [&rod](std::size_t) { return hold_record(rod.supports.emplace_back()); };
    const auto append_pull = [&rod](std::size_t) { return pull_record(rod.pulls.emplace_back()); };
    constexpr Range rod_speed_m_s = {.min = -1e4, .max = 1e4};
    return {{"position", "Where its own origin is in the world.", "m", false, VectorField{&rod.position, place_m}},
            {"rotation_deg", "Turned about the world's x axis, then its y axis, then its z axis.", "°", false,
             VectorField{&rod.rotation_deg, turned_deg}},
            {"velocity", "At the start.", "m/s", false, VectorField{&rod.velocity, rod_speed_m_s}},
            {"spin_deg", "Angular velocity at the start, about its centre and the world's axes.", "°/s", false,
             VectorField{&rod.spin_deg, turned_deg}},
            {"supports", "What holds it. A rod that is held begins in balance with gravity and pulls.", "", false,
             ListField{"support", 0, {}, append_hold}},
            {"pulls", "Forces that hold it bent at the start, and let go.", "", false,
             ListField{"pull", 0, {}, append_pull}},
            {"stretched_by", "How far its ends, which supports hold, are pulled apart before the start.", "m", false,
             NumberField{&rod.stretched_by, {.min = -1e3, .max = 1e3}}},
            {"gravity", "Auto: where anything in the scene calls for motion.", "", false,
             ChoiceField{{"auto", "on", "off"}, choose_gravity}},
            {"touches", "Whether it touches other things, other rods and itself.", "", false, FlagField{&rod.touches}}};
}

std::vector<Field> model_fields(Rod& rod) {
    return {
        {"shear",
         "Whether sections lean and turn by themselves, as in rods thicker than a tenth of a wave. It takes twice the "
         "time.",
         "", false, FlagField{&rod.shear}},
        {"damping_hz",
         "Where damping is that of the material: rods know damping that grows with frequency, and, where they are "
         "held, one that does not.",
         "Hz", false, NumberField{&rod.damping_hz, {.min = 1, .max = 1e5}}},
        {"contact_stiffness",
         "K of the force Kδ^1.5 by which surfaces that touch are pressed in. 0: they are rigid, and impacts are over "
         "in a step. Without it: Hertz's, from the materials.",
         "N/m^1.5", false, NumberField{&rod.contact_stiffness, {.min = 1, .max = 1e16}, false, true}},
        {"steps_per_second",
         "Of the simulation, which is heard too low by 0.8 % at a twentieth of it; 0: four times the sample rate.",
         "1/s", false, NumberField{&rod.steps_per_second, {.min = 8000, .max = 1e7}, false, true}}};
}

std::vector<Conflict> conflicts_of(const Rod& rod, const Given& given) {
    std::vector<Conflict> conflicts;
    if (rod.stretched_by != 0 && rod.supports.size() < 2)
        conflicts.push_back({"stretched_by", "what is stretched is held at both ends; give two supports"});
    if (!rod.pulls.empty() && rod.supports.empty())
        conflicts.push_back({"pulls", "a rod that nothing holds cannot be bent by a pull; give supports"});
    if (!rod.supports.empty())
        for (const char* const key : {"velocity", "spin_deg"})
            if (given(key))
                conflicts.push_back(
                    {key, fmt::format("supports hold it, so that {} means nothing; leave one of them out", key)});
    if (given("closed") && !std::holds_alternative<PointsCurve>(rod.curve))
        conflicts.push_back({"closed", "a shape is closed or not by itself; leave closed out, or give points"});
    return conflicts;
}

}  // namespace

Record record_of(Rod& rod) {
    Record record = {"rod",
                     "A thin elastic rod that moves as far as it likes and sounds: a wire, a ruler, a spring, a ring.",
                     {{"name", "Strikes and stems refer to it.", "", true, NameField{&rod.name}},
                      {"kind", "What it is.", "", true, ConstantField{"rod"}}},
                     {{"points", "file", "shape"}},
                     {"points", "file", "shape"}};
    append(record, curve_fields(rod));
    append(record,
           {{"section", "Its cross-section, the same everywhere.", "", true,
             RecordField{[&rod] { return section_record(rod.section); }}},
            {"section_x", "Where the section's x axis points at the start of the rod; zero: anywhere across it.", "",
             false, VectorField{&rod.section_x, {.min = -1e6, .max = 1e6}}},
            {"material", "What it is made of.", "", true, MaterialField{&rod.material}}});
    append(record, motion_fields(rod));
    append(record, contact_fields(rod.friction, rod.restitution));
    append(record, model_fields(rod));
    record.rules = {.kind = "rod",
                    .no_listener = "is a rod, which has no frame of its own; leave attached_to out",
                    .struck_along = true};
    record.conflicts = [&rod](const Given& given) { return conflicts_of(rod, given); };
    return record;
}

bool asks_for_motion(const Rod& rod) {
    return !rod.velocity.isZero(0) || !rod.spin_deg.isZero(0) || rod.gravity == RodGravity::On;
}

}  // namespace clangor::scene
