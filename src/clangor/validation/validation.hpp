/// @file validation.hpp — the engine against closed forms and published tables.
/// Model     each case re-derives numbers that the engine did not produce, with the settings that a user gets by
///           default, or with others that it names.
/// Out       Case: rows of expected and found values with the error that is allowed, and plots.
/// Not here  drawing (tools/validation_pages.py), printing (apps).
///
///     for (const validation::CaseInfo& info : validation::validation_cases()) show(info.run({}));
#pragma once

#include <clangor/core/core.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clangor::validation {

struct Row {
    std::string what;
    double expected = 0;
    double found = 0;
    double allowed = 0;  ///< largest relative error
    std::string unit;

    double error() const { return found / expected - 1; }
    bool holds() const { return std::abs(error()) <= allowed; }  ///< false for NaN
};

/// A value that must stay at or below a limit (an error, a ratio), or at or above it.
struct Bound {
    std::string what;
    double found = 0;
    double limit = 0;
    bool at_least = false;
    bool holds() const { return at_least ? found >= limit : found <= limit; }
};

enum class CurveStyle {
    Line,
    Marks,  ///< where little was computed
    Band,   ///< what is expected, behind what was found
};

struct Curve {
    std::string label = {};
    std::vector<double> x = {}, y = {};
    CurveStyle style = CurveStyle::Line;
};

/// Levels over a plane: spectrograms, energy of modes over time. Drawn from the loudest down to 80 dB below it.
struct LevelMap {
    std::vector<double> x, y;  ///< of columns and rows, evenly spaced
    Eigen::MatrixXd db;        ///< a row per y
    double loudest_db = 0;
};

/// Curves, or a map with curves over it.
struct Plot {
    std::string title = {};
    std::string x_label = {}, y_label = {};
    bool log_x = false, log_y = false;
    bool equal_axes = false;  ///< as long in both: for shapes
    std::vector<Curve> curves = {};
    std::optional<LevelMap> map = {};
};

struct Case {
    std::string name = {};                                       ///< "bar"
    std::string title = {};                                      ///< what is compared with what
    std::string source = {};                                     ///< where the expected values come from
    std::string settings = "those that a user gets by default";  ///< of the engine
    std::string remark = {};                                     ///< what plots and rows show, one sentence
    std::vector<Row> rows = {};
    std::vector<Bound> bounds = {};
    std::vector<Plot> plots = {};  ///< none: the errors of the rows are drawn

    bool holds() const;
};

struct CaseInfo {
    std::string name, summary;
    std::function<Case(const Progress&)> run;
};

/// All cases, in the order in which they should be read.
const std::vector<CaseInfo>& validation_cases();

}  // namespace clangor::validation
