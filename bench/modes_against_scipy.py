#!/usr/bin/env python3
"""100 modes of a bowl with about 100 000 degrees of freedom: Clangor and SciPy's eigsh on the same matrices, in one run.

    bench/modes_against_scipy.py build/release/bin/modes_bench [EDGE_M]

Needs numpy and scipy (Debian: python3-scipy). Each solver runs alone, in its own process; peak memory is that of the process.
"""
import json
import resource
import subprocess
import sys
import tempfile
import time

COUNT = 100


def read_matrix(file):
    import numpy
    import scipy.sparse
    n, entries = numpy.fromfile(file, numpy.int64, 2)
    outer = numpy.fromfile(file, numpy.int32, n + 1)
    inner = numpy.fromfile(file, numpy.int32, entries)
    return scipy.sparse.csc_matrix((numpy.fromfile(file, numpy.float64, entries), inner, outer), shape=(n, n))


def solve_with_scipy(path):
    import numpy
    import scipy.sparse.linalg
    with open(path, "rb") as file:
        stiffness, mass = read_matrix(file), read_matrix(file)
    start = time.perf_counter()
    # Six rigid modes come with the others; a slightly negative shift keeps K − σM regular.
    values, _ = scipy.sparse.linalg.eigsh(stiffness, k=COUNT + 6, M=mass, sigma=-(2 * numpy.pi * 20) ** 2)
    seconds = time.perf_counter() - start
    hertz = numpy.sqrt(numpy.maximum(numpy.sort(values), 0)) / (2 * numpy.pi)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": round(seconds, 3), "peak_mb": round(peak), "first_hz": hertz[6], "last_hz": hertz[-1]}))


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "--scipy":
        return solve_with_scipy(sys.argv[2])
    program, edge = sys.argv[1], sys.argv[2:3]
    with tempfile.NamedTemporaryFile() as file:
        print(subprocess.run([program, "dump", file.name, *edge], check=True, capture_output=True, text=True).stdout.strip())
        ours = json.loads(subprocess.run([program, "solve", file.name, str(COUNT)], check=True, capture_output=True, text=True).stdout)
        print("clangor", ours)
        theirs = json.loads(subprocess.run([sys.executable, __file__, "--scipy", file.name], check=True, capture_output=True, text=True).stdout)
        print("scipy  ", theirs)
    for key in ("first_hz", "last_hz"):
        if abs(ours[key] / theirs[key] - 1) > 1e-6:
            raise SystemExit(f"they disagree about {key}")
    print(f"speed {theirs['seconds'] / ours['seconds']:.1f} times scipy's, memory {ours['peak_mb'] / theirs['peak_mb']:.2f} of scipy's")


if __name__ == "__main__":
    main()
