// W by rows of blocks.
#include <clangor/motion/friction/friction.hpp>

#include <algorithm>

namespace clangor {

ContactResponse response_of(long contacts, std::vector<ResponseBlock> blocks) {
    // Where each row's blocks go, as given, and then by column within the row.
    std::vector<int> begin(size_t(contacts) + 1, 0);
    for (const ResponseBlock& b : blocks) {
        CLANGOR_ASSERT(0 <= b.row && b.row < contacts && 0 <= b.column && b.column < contacts, "a contact's number");
        ++begin[size_t(b.row) + 1];
    }
    for (size_t row = 1; row < begin.size(); ++row) begin[row] += begin[row - 1];
    std::vector<int> order(blocks.size()), next(begin.begin(), begin.end() - 1);
    for (size_t k = 0; k < blocks.size(); ++k) order[size_t(next[size_t(blocks[k].row)]++)] = int(k);

    ContactResponse response;
    response.columns.reserve(blocks.size());
    response.blocks.reserve(blocks.size());
    for (size_t row = 0; row < size_t(contacts); ++row) {
        std::stable_sort(order.begin() + begin[row], order.begin() + begin[row + 1],
                         [&](int a, int b) { return blocks[size_t(a)].column < blocks[size_t(b)].column; });
        const size_t first = response.columns.size();
        for (int k = begin[row]; k < begin[row + 1]; ++k) {
            const ResponseBlock& b = blocks[size_t(order[size_t(k)])];
            if (response.columns.size() > first && response.columns.back() == b.column) {
                response.blocks.back() += b.block;
            } else {
                response.columns.push_back(b.column);
                response.blocks.push_back(b.block);
            }
        }
        response.starts.push_back(int(response.columns.size()));
    }
    return response;
}

}  // namespace clangor
