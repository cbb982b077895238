/// @file core.hpp — the types, errors, suggestions, progress reports, parallel loops, random numbers, memory and
/// clock that every module shares.
/// Model     SI units inside, right-handed axes, +y up, time factor e^{+iωt}.
/// Not here  anything that knows a shape, a material or a sound.
///
///     if (density <= 0) throw Error("bell.json:7: density must be positive, but is -7850");
#pragma once

#include <clangor/core/error.hpp>
#include <clangor/core/memory.hpp>
#include <clangor/core/nearest_name.hpp>
#include <clangor/core/parallel.hpp>
#include <clangor/core/progress.hpp>
#include <clangor/core/random.hpp>
#include <clangor/core/stopwatch.hpp>
#include <clangor/core/types.hpp>
