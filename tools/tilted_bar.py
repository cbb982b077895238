#!/usr/bin/python3
"""How much energy a bar's modes get, over its tilt as it lands.

    tools/tilted_bar.py build/release/bin/test_render OUT.png

A steel bar of 200 x 10 x 20 mm meets granite at 1 m/s, tilted by 0 to 5 degrees, without weight, friction and losses. Draws the energies of its modes after both ends have
landed, as they are rendered, and with both ends in one loop from the first touch on (tests/render/tilted_bar_test.cpp). Needs matplotlib.
"""
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

tests, picture = sys.argv[1:]
table = subprocess.run([tests, "--no-skip", "--test-case=table of a tilted bar's energies"], check=True, capture_output=True, text=True).stdout
rows = [[float(x) for x in line.split(",")] for line in table.splitlines() if line.count(",") == 3]
tilts, rendered, exact, coarse = zip(*[[row[0]] + [1e3 * x for x in row[1:]] for row in rows])
figure, parts = pyplot.subplots(2, 1, figsize=(9, 5.4))
for axes, span in zip(parts, [(0, 1), (1, 5)]):
    axes.plot(tilts, exact, color="tab:orange", linewidth=2.2, label="both ends in one loop")
    axes.plot(tilts, rendered, color="black", linewidth=0.8, label="rendered")
    axes.set(ylabel="energy of the modes [mJ]", xlim=span, ylim=(0, None))
    axes.grid(alpha=0.3)
parts[0].legend(loc="lower right")
parts[1].set_xlabel("tilt [°]")
figure.tight_layout()
figure.savefig(picture, dpi=90)


def far(xs, ys, low, high):
    """Mean square difference, and mean, within a range of tilts [mJ]."""
    some = [(x, y) for tilt, x, y in zip(tilts, xs, ys) if low <= tilt < high]
    return (sum((x - y) ** 2 for x, y in some) / len(some)) ** 0.5, sum(y for _, y in some) / len(some)


for low, high in [(0, 0.5), (0.5, 1), (1, 2), (2, 3), (3, 5)]:
    error, mean = far(rendered, exact, low, high)
    print("%g to %g degrees: %.1f of %.0f mJ; of the loop with half of its steps %.1f" % (low, high, error, mean, far(coarse, exact, low, high)[0]))
