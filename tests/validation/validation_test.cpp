#include <clangor/validation/validation.hpp>

#include <doctest/doctest.h>

namespace validation_test {

using namespace clangor::validation;

TEST_CASE("every closed form and published value is met within its bar") {
    for (const CaseInfo& info : validation_cases()) {
        SUBCASE(info.name.c_str()) {
            const Case result = info.run({});
            CHECK(result.rows.size() + result.bounds.size() > 0);
            for (const Row& row : result.rows) {
                CAPTURE(row.what);
                CAPTURE(row.expected);
                CAPTURE(row.found);
                CHECK(row.holds());
            }
            for (const Bound& bound : result.bounds) {
                CAPTURE(bound.what);
                CAPTURE(bound.found);
                CHECK(bound.holds());
            }
        }
    }
}

}  // namespace validation_test
