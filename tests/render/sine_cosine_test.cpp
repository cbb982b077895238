// Sines and cosines of many angles at once, against the library's.
#include <clangor/render/sine_cosine.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace sine_cosine_test {

using namespace clangor;

TEST_CASE("sines and cosines of many angles are those of each, also of large, negative and enormous ones") {
    // The last range is beyond what is worked out eight at a time.
    for (const double range : {1e-9, 0.7, 4.0, 900.0, 5e5, 1e9}) {
        CAPTURE(range);
        const Eigen::ArrayXd angle = Eigen::ArrayXd::LinSpaced(1013, -range, 0.99 * range);
        const auto [sine, cosine] = sine_cosine(angle);
        double error = 0;
        for (long k = 0; k < angle.size(); ++k)
            error = std::max({error, std::abs(sine[k] - std::sin(angle[k])), std::abs(cosine[k] - std::cos(angle[k]))});
        CHECK(error < 1e-15);
    }
    CHECK(sine_cosine(Eigen::ArrayXd()).sine.size() == 0);
}

}  // namespace sine_cosine_test
