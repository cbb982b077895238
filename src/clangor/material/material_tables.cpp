// Constants of the built-in materials at room temperature. docs/guide/materials.md names the sources in full and says
// how to read the loss factors; docs/howto/add-a-material.md says how to add a row.
#include <clangor/material/material_tables.hpp>

#include <array>

namespace clangor {
namespace {

// A loss factor is one of three kinds, and the text says which: measured (a value or a range stands in the source
// and ours lies in it), by rule (η = 0.04 GPa/E for plastics), or chosen (no measured value at hand: our estimate).
constexpr auto rows = std::to_array<MaterialRow>({
    // ---- metals
    {"steel", "metal", 7860, 211.9e9, 0.291, 4e-4, "mild steel, Kaye & Laby (1995)",
     "η = 4e-4, measured: 2e-4 to 6e-4 for iron in Cremer & Heckl (1988)"},
    {"stainless_steel", "metal", 8000, 193e9, 0.29, 4e-4, "AISI 304, ASM Handbook vol. 1 (1990)",
     "η = 4e-4, chosen: as for iron in Cremer & Heckl (1988)"},
    {"spring_steel", "metal", 7850, 205e9, 0.29, 2e-4, "hardened carbon steel, ASM Handbook vol. 1 (1990)",
     "η = 2e-4, measured: the low end of 2e-4 to 6e-4 for iron in Cremer & Heckl (1988)"},
    {"cast_iron", "metal", 7150, 110e9, 0.26, 3e-3, "grey iron, ASM Handbook vol. 1 (1990)",
     "η = 3e-3, measured: the log decrement of fine-flake grey iron is 20e-4 to 100e-4, ASM Handbook vol. 1 (1990)"},
    {"aluminium", "metal", 2700, 70.3e9, 0.345, 1e-4, "density CRC Handbook (2016); moduli Kaye & Laby (1995)",
     "η = 1e-4, measured: about 1e-4 in Cremer & Heckl (1988)"},
    {"brass", "metal", 8530, 100.6e9, 0.350, 5e-4,
     "70 Cu 30 Zn: density ASM Handbook vol. 2 (1990); moduli Kaye & Laby (1995)",
     "η = 5e-4, chosen: half of the bound 1e-3 in Cremer & Heckl (1988)"},
    {"bronze", "metal", 8800, 110e9, 0.34, 3e-4,
     "bell metal, 80 Cu 20 Sn (C91300): density and Young's modulus of the Copper Development Association; "
     "Poisson's ratio assumed as for copper",
     "η = 3e-4, chosen"},
    {"copper", "metal", 8960, 129.8e9, 0.343, 2e-3, "density CRC Handbook (2016); moduli Kaye & Laby (1995)",
     "η = 2e-3, measured: polycrystalline copper in Cremer & Heckl (1988)"},
    {"silver", "metal", 10490, 82.7e9, 0.367, 1e-3, "density CRC Handbook (2016); moduli Kaye & Laby (1995)",
     "η = 1e-3, chosen: a third of the bound 3e-3 in Cremer & Heckl (1988)"},
    {"gold", "metal", 19300, 78.0e9, 0.44, 1e-3, "density CRC Handbook (2016); moduli Kaye & Laby (1995)",
     "η = 1e-3, chosen: as for silver"},
    {"titanium", "metal", 4506, 116e9, 0.32, 3e-4, "density CRC Handbook (2016); moduli Kaye & Laby (1995), rounded",
     "η = 3e-4, chosen"},
    {"zinc", "metal", 7140, 108.4e9, 0.249, 3e-4, "density CRC Handbook (2016); moduli Kaye & Laby (1995)",
     "η = 3e-4, measured: Cremer & Heckl (1988)"},
    {"tin", "metal", 7290, 49.9e9, 0.357, 2e-3, "density CRC Handbook (2016); moduli Kaye & Laby (1995)",
     "η = 2e-3, measured: Cremer & Heckl (1988)"},
    {"lead", "metal", 11340, 16.1e9, 0.44, 2e-2, "density CRC Handbook (2016); moduli Kaye & Laby (1995)",
     "η = 2e-2, measured: pure lead in Cremer & Heckl (1988)"},
    // ---- glass, ceramics, stone, ice
    {"glass", "ceramic", 2500, 70e9, 0.2, 1e-3, "soda-lime float glass, EN 572-1 (2012)",
     "η = 1e-3, measured: 0.6e-3 to 2e-3 in Cremer & Heckl (1988)"},
    {"porcelain", "ceramic", 2400, 70e9, 0.2, 1.5e-3,
     "typical of hard tableware porcelain; Poisson's ratio assumed as for glass",
     "η = 1.5e-3, chosen: somewhat above glass"},
    {"ceramic", "ceramic", 2300, 50e9, 0.2, 2.5e-3, "typical of glazed stoneware; Poisson's ratio assumed as for glass",
     "η = 2.5e-3, chosen: above porcelain, because the body is porous"},
    {"alumina", "ceramic", 3980, 380e9, 0.22, 1e-3, "aluminium oxide 99.9 %, Callister & Rethwisch (2010)",
     "η = 1e-3, chosen: as for glass"},
    {"concrete", "stone", 2400, 31e9, 0.2, 6e-3, "class C25/30 of EN 1992-1-1 (2004)",
     "η = 6e-3, measured: 4e-3 to 8e-3 for dense concrete in Cremer & Heckl (1988)"},
    {"granite", "stone", 2650, 50e9, 0.25, 5e-3, "typical; Young's modulus of granites ranges from about 30 to 70 GPa",
     "η = 5e-3, chosen: Q = 200"},
    {"ice", "ice", 917, 9.33e9, 0.325, 5e-3,
     "density CRC Handbook (2016); moduli of polycrystalline ice, Gammon et al. (1983)", "η = 5e-3, chosen"},
    // ---- wood: orthotropic in truth, here an isotropic body of the stiffness along the grain
    {"oak", "wood", 760, 12.3e9, 0.37, 1e-2,
     "white oak at 12 % moisture, along the grain (isotropic stand-in), Wood Handbook (2010)",
     "η = 1e-2, measured: oak in Cremer & Heckl (1988)"},
    {"pine", "wood", 450, 8.9e9, 0.34, 8e-3,
     "ponderosa pine at 12 % moisture, along the grain (isotropic stand-in), Wood Handbook (2010)",
     "η = 8e-3, measured for fir in Cremer & Heckl (1988), used for pine"},
    {"spruce", "wood", 450, 10.8e9, 0.37, 8e-3,
     "Sitka spruce at 12 % moisture, along the grain (isotropic stand-in), Wood Handbook (2010)",
     "η = 8e-3, measured for fir in Cremer & Heckl (1988), used for spruce"},
    {"maple", "wood", 705, 12.6e9, 0.42, 1e-2,
     "sugar maple at 12 % moisture, along the grain (isotropic stand-in), Wood Handbook (2010)",
     "η = 1e-2, chosen: as for oak"},
    {"rosewood", "wood", 850, 12.3e9, 0.37, 6e-3,
     "Indian rosewood at 12 % moisture, along the grain (isotropic stand-in), Wood Handbook (2010); Poisson's ratio "
     "assumed as for oak",
     "η = 6e-3, chosen: below oak, as marimba bars ring longer"},
    {"plywood", "wood", 600, 8.3e9, 0.3, 1.3e-2,
     "fir plywood in its plane, Bies & Hansen (2009); Poisson's ratio assumed",
     "η = 1.3e-2, measured: Cremer & Heckl (1988)"},
    {"mdf", "wood", 770, 3.7e9, 0.3, 1.5e-2, "medium-density fibreboard, Bies & Hansen (2009); Poisson's ratio assumed",
     "η = 1.5e-2, measured: 0.5e-2 to 2e-2 in Bies & Hansen (2009)"},
    // ---- plastics and rubber. By rule: η = 0.04 GPa/E, the trend of plastics in Ashby (2011)
    {"abs", "plastic", 1050, 2.3e9, 0.35, 0.0174, "typical of moulding grades",
     "η = 0.04 GPa/E, by rule: Ashby (2011)"},
    {"polycarbonate", "plastic", 1200, 2.38e9, 0.36, 0.0168, "Callister & Rethwisch (2010)",
     "η = 0.04 GPa/E, by rule: Ashby (2011)"},
    {"acrylic", "plastic", 1190, 3.2e9, 0.37, 0.03,
     "cast sheet; density and Young's modulus Callister & Rethwisch (2010), upper end of its range; Poisson's ratio "
     "assumed",
     "η = 3e-2, measured: 2e-2 to 4e-2 for Plexiglas in Cremer & Heckl (1988)"},
    {"nylon", "plastic", 1140, 2.7e9, 0.39, 0.0148,
     "nylon 6,6, dry, middle of the range in Callister & Rethwisch (2010)", "η = 0.04 GPa/E, by rule: Ashby (2011)"},
    {"pvc", "plastic", 1400, 3.0e9, 0.38, 0.0133, "rigid, within the range in Callister & Rethwisch (2010)",
     "η = 0.04 GPa/E, by rule: Ashby (2011)"},
    {"polyethylene", "plastic", 960, 1.08e9, 0.46, 0.037,
     "high density, Callister & Rethwisch (2010); Poisson's ratio typical", "η = 0.04 GPa/E, by rule: Ashby (2011)"},
    {"rubber", "rubber", 1100, 5e6, 0.49, 0.2, "typical of filled, vulcanised natural rubber at small strain",
     "η = 0.2, chosen: inside the 0.1 to 2 of elastomers in Ashby (2011)"},
    // ---- what strikes softly. Stiffer the more they are pressed: one modulus stands for a stroke of middle strength
    {"felt", "felt", 350, 2e6, 0.1, 0.3,
     "hard wool felt of mallet heads, chosen: an effective modulus with which 30 g on a head of 18 mm touch for 4 ms",
     "η = 0.3, chosen: felt returns less than half of what presses it"},
    // ---- living matter
    {"finger", "skin", 1050, 2e5, 0.45, 0.5,
     "the pad of a fingertip, chosen: an effective modulus with which 1 N presses it by 1 mm; density of soft tissue",
     "η = 0.5, chosen: a tapping finger hardly bounces"},
    {"bone", "bone", 1900, 17e9, 0.3, 2e-2,
     "cortical bone along its axis: Young's modulus Reilly & Burstein (1975); density and Poisson's ratio typical",
     "η = 2e-2, chosen"},
});

// Kinetic friction, dry, on itself: steel 0.42, cast iron 0.15, glass 0.40 are the handbook values of dry sliding
// (Avallone & Baumeister 1996); all others are chosen by kinship. Restitution on itself between 0.5 and 2 m/s: typical
// of glass, steel, cast iron and lead in Goldsmith (1960), rounded; all others are chosen: hard and elastic high, soft
// metals low.
constexpr auto contacts = std::to_array<FrictionRow>({
    {"steel", 0.42, 0.80},        {"stainless_steel", 0.45, 0.78},
    {"spring_steel", 0.42, 0.88}, {"cast_iron", 0.15, 0.65},
    {"aluminium", 0.47, 0.60},    {"brass", 0.40, 0.60},
    {"bronze", 0.35, 0.70},       {"copper", 0.50, 0.50},
    {"silver", 0.50, 0.45},       {"gold", 0.50, 0.35},
    {"titanium", 0.40, 0.70},     {"zinc", 0.45, 0.40},
    {"tin", 0.45, 0.30},          {"lead", 0.60, 0.16},
    {"glass", 0.40, 0.90},        {"porcelain", 0.35, 0.80},
    {"ceramic", 0.40, 0.70},      {"alumina", 0.40, 0.85},
    {"concrete", 0.60, 0.50},     {"granite", 0.55, 0.70},
    {"ice", 0.05, 0.60},          {"oak", 0.40, 0.50},
    {"pine", 0.40, 0.45},         {"spruce", 0.40, 0.45},
    {"maple", 0.40, 0.55},        {"rosewood", 0.35, 0.55},
    {"plywood", 0.40, 0.45},      {"mdf", 0.40, 0.40},
    {"abs", 0.40, 0.65},          {"polycarbonate", 0.38, 0.70},
    {"acrylic", 0.45, 0.65},      {"nylon", 0.30, 0.65},
    {"pvc", 0.40, 0.55},          {"polyethylene", 0.25, 0.60},
    {"rubber", 1.00, 0.75},       {"felt", 0.40, 0.45},
    {"finger", 0.80, 0.25},       {"bone", 0.30, 0.55},
});

// Linear expansion, heat capacity and conductivity at room temperature. Heat matters to thin metal walls only: what is
// not a metal conducts too badly.
constexpr auto thermals = std::to_array<ThermalRow>({
    {"steel", 11.7e-6, 486, 51.9, "typical of AISI 1020"},
    {"stainless_steel", 17.2e-6, 500, 16.2, "typical of AISI 304"},
    {"spring_steel", 11.0e-6, 490, 48, "typical of carbon steels with 0.8 to 1 % carbon"},
    {"cast_iron", 10.8e-6, 490, 50, "typical of grey iron"},
    {"aluminium", 23.1e-6, 897, 237, "expansion CRC Handbook (2016), the rest typical"},
    {"brass", 19.9e-6, 375, 120, "typical of C26000"},
    {"bronze", 18e-6, 376, 60, "typical of tin bronzes"},
    {"copper", 16.5e-6, 385, 401, "expansion CRC Handbook (2016), the rest typical"},
    {"silver", 18.9e-6, 235, 429, "expansion CRC Handbook (2016), the rest typical"},
    {"gold", 14.2e-6, 129, 317, "expansion CRC Handbook (2016), the rest typical"},
    {"titanium", 8.6e-6, 522, 21.9, "expansion CRC Handbook (2016), the rest typical"},
    {"zinc", 30.2e-6, 388, 116, "expansion CRC Handbook (2016), the rest typical"},
    {"tin", 22.0e-6, 227, 66.6, "expansion CRC Handbook (2016), the rest typical"},
    {"lead", 28.9e-6, 129, 35.3, "expansion CRC Handbook (2016), the rest typical"},
});

constexpr auto aliases = std::to_array<MaterialAlias>({
    {"mild_steel", "steel"},
    {"stainless", "stainless_steel"},
    {"tool_steel", "spring_steel"},
    {"iron", "cast_iron"},
    {"gray_iron", "cast_iron"},
    {"grey_iron", "cast_iron"},
    {"aluminum", "aluminium"},
    {"bell_metal", "bronze"},
    {"bell_bronze", "bronze"},
    {"stoneware", "ceramic"},
    {"china", "porcelain"},
    {"plexiglas", "acrylic"},
    {"plexiglass", "acrylic"},
    {"perspex", "acrylic"},
    {"pmma", "acrylic"},
    {"polyamide", "nylon"},
    {"pe", "polyethylene"},
    {"hdpe", "polyethylene"},
});

}  // namespace

std::span<const MaterialRow> material_rows() { return rows; }
std::span<const FrictionRow> friction_rows() { return contacts; }
std::span<const ThermalRow> thermal_rows() { return thermals; }
std::span<const MaterialAlias> material_aliases() { return aliases; }

}  // namespace clangor
