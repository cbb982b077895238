// Faces gathered into connected pieces, remembering which of them are wound against the others.
#pragma once

#include <utility>
#include <vector>

namespace clangor {

/// Disjoint sets of faces; each member knows whether it must be flipped to agree with its set's root.
class FaceForest {
public:
    explicit FaceForest(int count) : parent_(count, -1), flipped_(count, 0) {}

    struct Root {
        int face;
        bool flipped;  ///< against the root
    };

    Root root_of(int face) {
        bool flipped = false;
        while (parent_[face] >= 0) {
            const int parent = parent_[face];
            if (parent_[parent] >= 0) {  // halve the path, so that the next search is shorter
                flipped_[face] ^= flipped_[parent];
                parent_[face] = parent_[parent];
            }
            flipped ^= flipped_[face] != 0;
            face = parent_[face];
        }
        return {face, flipped};
    }

    /// Joins the sets of two faces; `against` says that these two are wound against each other.
    void join(int face_a, int face_b, bool against) {
        Root a = root_of(face_a), b = root_of(face_b);
        if (a.face == b.face) return;
        if (parent_[a.face] > parent_[b.face]) std::swap(a, b);  // a becomes the root: it has more members
        parent_[a.face] += parent_[b.face];
        parent_[b.face] = a.face;
        flipped_[b.face] = a.flipped ^ b.flipped ^ against;
    }

private:
    std::vector<int> parent_;    ///< of a root: minus its number of members
    std::vector<char> flipped_;  ///< against the parent
};

/// The sets of a forest, numbered by their first face.
struct Pieces {
    std::vector<int> of_face;
    int count = 0;
};

inline Pieces pieces_of(FaceForest& forest, int face_count) {
    Pieces pieces{std::vector<int>(face_count), 0};
    std::vector<int> number(face_count, -1);
    for (int f = 0; f < face_count; ++f) {
        int& of_root = number[forest.root_of(f).face];
        if (of_root < 0) of_root = pieces.count++;
        pieces.of_face[f] = of_root;
    }
    return pieces;
}

}  // namespace clangor
