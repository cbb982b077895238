#!/usr/bin/python3
"""How much energy a bar's modes get, over its tilt as it lands.

    tools/tilted_bar.py CLANGOR OUT.png

A steel bar of 200 x 10 x 20 mm falls 5 cm onto granite, tilted by 0 to 5 degrees. Sums the energies of `render --impacts` over the first landing of both ends, and draws them.
Needs matplotlib.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

clangor, picture = sys.argv[1:]
half_length = 0.1
tilts = [0.025 * i for i in range(40)] + [1 + 0.1 * i for i in range(41)]


def landing(tilt, folder):
    """Energy of the modes after both ends have landed, and of the fall [J]."""
    height = 0.055 + half_length * math.sin(math.radians(tilt))
    bar = {"name": "bar", "kind": "solid", "mesh": {"box": {"size": [2 * half_length, 0.01, 0.02]}}, "material": "steel",
           "position": [0, height, 0], "rotation_deg": [0, 0, tilt]}
    scene = {"clangor": 1, "duration": 0.13, "objects": [bar, {"name": "floor", "kind": "ground", "material": "granite"}],
             "listeners": [{"name": "mic", "kind": "mono", "position": [0, 1, 1]}]}
    (folder / "bar.json").write_text(json.dumps(scene))
    subprocess.run([clangor, "render", folder / "bar.json", "-o", folder / "bar.wav", "--impacts", folder / "bar.csv",
                    "--quality", "draft", "--cache", folder / "cache", "--quiet"], check=True)
    rows = list(csv.DictReader(open(folder / "bar.csv")))
    first = float(rows[0]["time_s"])
    ends = [row for row in rows if float(row["time_s"]) < first + max(0.001, 0.0025 * tilt)]
    return sum(float(row["energy_object_J"]) for row in ends)


with tempfile.TemporaryDirectory() as folder:
    energies = [landing(tilt, pathlib.Path(folder)) for tilt in tilts]
figure, axes = pyplot.subplots(figsize=(8, 3.2))
axes.plot(tilts, [1e3 * energy for energy in energies], "k.-", linewidth=0.8, markersize=4)
axes.set(xlabel="tilt [°]", ylabel="energy of the modes [mJ]", xlim=(0, 5), ylim=(0, None))
axes.grid(alpha=0.3)
figure.tight_layout()
figure.savefig(picture, dpi=90)
print("energies from %.1f to %.1f mJ" % (1e3 * min(energies), 1e3 * max(energies)))
