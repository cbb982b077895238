// Procedural shapes, so that examples and tests need no mesh files. They are centred as stated. From the sheet on they
// are open: surfaces without a thickness, for shells. One of revolution is open or closed, as its profile is.
#pragma once

#include <clangor/geometry/surface.hpp>

#include <variant>
#include <vector>

namespace clangor {

struct Box {                      ///< centred at the origin
    Vec3 size = {0.1, 0.1, 0.1};  ///< edge lengths [m]
    double rounding = 0;          ///< radius of its edges and corners [m]
};
struct Sphere {            ///< centred at the origin
    double radius = 0.05;  ///< [m]
};
struct Cylinder {               ///< centred at the origin, axis along y; a tube if inner_radius > 0
    double radius = 0.02;       ///< [m]
    double height = 0.2;        ///< [m]
    double inner_radius = 0.0;  ///< [m]
};
struct Plate {                 ///< rectangular, centred at the origin, thin along y
    double width = 0.2;        ///< along x [m]
    double depth = 0.2;        ///< along z [m]
    double thickness = 0.004;  ///< [m]
};
struct Bowl {  ///< a spherical cap of constant wall, opening up, the mid-surface's lowest point at the origin
    double radius = 0.08;      ///< of the rim's mid-line [m]
    double depth = 0.05;       ///< of the mid-surface; depth = radius makes a hemisphere [m]
    double thickness = 0.004;  ///< [m]
};
struct Mug {                    ///< a cup with a flat base and a handle towards +x, standing on y = 0
    double radius = 0.04;       ///< outer [m]
    double height = 0.095;      ///< [m]
    double thickness = 0.0045;  ///< of wall, base and (×2) handle [m]
    bool handle = true;
};
struct Bell {                  ///< a flared bell of revolution about y, mouth down at y = 0
    double radius = 0.06;      ///< of the mouth, outer [m]
    double height = 0.09;      ///< [m]
    double thickness = 0.004;  ///< of the wall; the sound bow at the lip is twice as thick [m]
};
struct TuningFork {  ///< two square tines along +y joined by a yoke with a stem along −y; the yoke's crotch at y = 0
    double tine_length = 0.095;  ///< [m]
    double tine_width = 0.0045;  ///< of the square section [m]
    double gap = 0.008;          ///< between the tines [m]
    double stem_length = 0.035;  ///< [m]
};
struct Ring {               ///< a wire bent to a circle about y, centred at the origin
    double radius = 0.014;  ///< of the wire's mid-line [m]
    double wire = 0.001;    ///< radius of the wire [m]
};
struct Key {                     ///< flat in the plane y = 0; its round bow about the origin, its blade towards +x
    double length = 0.055;       ///< from the far side of the bow to the tip [m]
    double bow_radius = 0.011;   ///< [m]
    double hole_radius = 0.004;  ///< in the middle of the bow [m]
    double blade_width = 0.008;  ///< along z; four teeth are cut into its −z side [m]
    double thickness = 0.002;    ///< along y [m]
};

struct Sheet {           ///< rectangular, centred at the origin, in the plane y = 0
    double width = 0.3;  ///< along x [m]
    double depth = 0.3;  ///< along z [m]
};
struct Disc {                ///< centred at the origin, in the plane y = 0
    double radius = 0.15;    ///< [m]
    double hole_radius = 0;  ///< in its middle; 0: none [m]
};
struct Dome {              ///< a spherical cap that opens up, its lowest point at the origin: a lid, a pan
    double radius = 0.15;  ///< of the rim [m]
    double depth = 0.04;   ///< depth = radius makes a hemisphere [m]
};
struct Can {               ///< an upright tin, open at the top, standing on y = 0
    double radius = 0.05;  ///< [m]
    double height = 0.12;  ///< [m]
    bool bottom = true;    ///< without one it is a tube
};
struct Cymbal {                  ///< of revolution about y, its edge at y = 0, its hole about the axis
    double radius = 0.2;         ///< of the edge [m]
    double height = 0.02;        ///< of the bow, from the edge to the bell [m]
    double bell_radius = 0.05;   ///< of the cup in the middle [m]
    double bell_height = 0.02;   ///< of the cup, above the bow [m]
    double hole_radius = 0.006;  ///< [m]
};
struct Tub {                 ///< a rectangular tray, box or bin that opens up, its bottom in y = 0
    double width = 0.4;      ///< of the mouth, along x [m]
    double depth = 0.3;      ///< of the mouth, along z [m]
    double height = 0.3;     ///< [m]
    double rounding = 0.05;  ///< radius of its upright edges [m]
    double taper = 0.03;     ///< how far the walls lean in, from the mouth to the bottom [m]
    double rim = 0.02;       ///< of a level rim around the mouth, its width; 0: none [m]
};
struct SurfaceOfRevolution {  ///< about y
    /// Points (radius, height) of half of a section through the axis. The surface is closed where the first and the
    /// last point are on the axis, or are the same [m]
    std::vector<Eigen::Vector2d> profile = {{0, 0}, {0.1, 0}, {0.12, 0.06}};
    bool smooth = false;       ///< a curve through them, with corners where a point is repeated; or straight lines
    int ribs = 0;              ///< upright ones, that many around what is steeper than 45°
    double rib_depth = 0.005;  ///< how far they stand out [m]
};

using Shape = std::variant<Box, Sphere, Cylinder, Plate, Bowl, Mug, Bell, TuningFork, Ring, Key, Sheet, Disc, Dome, Can,
                           Cymbal, Tub, SurfaceOfRevolution>;

/// Whether it bounds a body; otherwise it is a surface without a thickness.
bool is_closed(const Shape& shape);

/// The shape's surface: one piece; where it is closed, outward. Throws for sizes that make no body (a wall thicker than
/// the bowl, …), saying which and what would do.
Surface surface_of(const Shape& shape);

}  // namespace clangor
