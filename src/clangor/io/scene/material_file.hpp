// Materials that users bring along.
//
//     const Material mine =
//         io::parse_material(R"({"density": 7850, "young": 2e11, "poisson": 0.3, "loss_factor": 4e-4})");
#pragma once

#include <clangor/material/material.hpp>

#include <string_view>

namespace clangor::io {

/// What stands for a material on a command line: a library name, the name of a .json file, or a JSON object. Throws
/// Error with every problem.
Material parse_material(std::string_view text);

}  // namespace clangor::io
