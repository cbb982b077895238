#!/usr/bin/env python3
"""A crowd: many small things of five kinds, poured on a floor. Writes the scene.

    bench/pour.py 200 > pour.json && clangor render pour.json -o pour.wav

They are released from rest in eight layers, each turned at random, and the ground that they fall on grows with their
number, so that the heap is as deep for ten as for a thousand. The same count gives the same scene.
"""
import argparse
import json
import math
import random

KINDS = [
    ("ball", {"sphere": {"radius": 0.006}}, "steel"),
    ("coin", {"cylinder": {"radius": 0.0115, "height": 0.002}}, "brass"),
    ("die", {"box": {"size": [0.014, 0.014, 0.014]}}, "acrylic"),
    ("marble", {"sphere": {"radius": 0.008}}, "glass"),
    ("cup", {"bowl": {"radius": 0.016, "depth": 0.014, "thickness": 0.002}}, "ceramic"),
]
LAYERS, SPACING, LOWEST = 8, 0.044, 0.1  # apart by more than any of them measures [m]


def scene(count, duration, seed):
    chance = random.Random(seed)
    across = max(1, math.ceil(math.sqrt(count / LAYERS)))
    objects = []
    for i in range(count):
        name, mesh, material = KINDS[i % len(KINDS)]
        layer, place = divmod(i, across * across)
        row, column = divmod(place, across)
        position = [SPACING * (column - (across - 1) / 2) + chance.uniform(-0.002, 0.002),
                    LOWEST + SPACING * layer,
                    SPACING * (row - (across - 1) / 2) + chance.uniform(-0.002, 0.002)]
        objects.append({"name": f"{name} {i}", "kind": "solid", "mesh": mesh, "material": material,
                        "position": [round(x, 6) for x in position],
                        "rotation_deg": [round(chance.uniform(-180, 180), 3) for _ in range(3)]})
    objects.append({"name": "floor", "kind": "ground", "material": "oak"})
    return {"clangor": 1, "duration": duration, "objects": objects,
            "listeners": [{"name": "mic", "position": [0, 1.2, 0.6 + SPACING * across]}]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, help="how many things")
    parser.add_argument("--duration", type=float, default=4, help="seconds (4)")
    parser.add_argument("--seed", type=int, default=1, help="of the turns and places (1)")
    options = parser.parse_args()
    print(json.dumps(scene(options.count, options.duration, options.seed), indent=1))


if __name__ == "__main__":
    main()
