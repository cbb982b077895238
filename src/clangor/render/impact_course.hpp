// Impacts as they take their course, those included that last when they begin. Internal to render.
#pragma once

#include <clangor/render/impact_system.hpp>

namespace clangor {

/// One impact of a course.
struct Asked {
    size_t number = 0;          ///< among all impacts
    size_t place = 0;           ///< in the course
    double time = 0, seen = 0;  ///< [s]
    double approach_speed = 0;  ///< [m/s]
};

/// Impacts as they were followed, those that it goes on from first.
struct Course {
    std::vector<Met> met = {};  ///< one for each place
    std::vector<Asked> asked = {};
    Group group = {};
    ElasticResult result = {};
    std::vector<double> separation = {};  ///< of those that are new, how fast motion must part their bodies [m/s]
};

enum class Whose { AllBodies, MovableBodies };

/// Of impacts that belong together, with their numbers. `ringing` is brought up to date for the bodies named. If what
/// one body last met is not over, it is followed anew together with these; places that had met already stay one, and go
/// on as they would have   docs/theory/contact.md, section 5.
Course course_of(std::span<const Met> met, const std::vector<size_t>& numbers, const std::vector<ContactBody>& bodies,
                 const ExciteOptions& options, Whose whose, RingingBodies& ringing);

}  // namespace clangor
