#!/usr/bin/env python3
"""Writes what coarse animations of grains might export: the tables of examples/coarse_particles.json and examples/coarse_grid.json.

    tools/coarse_grains.py examples

Gravel as particles at 24 frames a second: they leave a chute, fall on a lid, bounce once or twice, and lie on the floor. Sand as a grid: a jet that
begins, runs for 0.7 s and ends, denser where it is slower, with grains that scatter where it lands. Needs nothing but Python.
"""
import math
import pathlib
import random
import sys

GRAVITY = 9.81
FRAMES_PER_SECOND = 24


def particles(chance):
    """Rows (frame, x, y, z, vx, vy, vz) of some that leave a chute at 0.45 m, in steps of a hundredth of a frame."""
    lid_height, lid_radius, floor, bounce, steps = 0.08, 0.1, 0.004, 0.3, 100
    flying, rows = [], []
    for frame in range(round(1.4 * FRAMES_PER_SECOND)):
        if frame < 0.8 * FRAMES_PER_SECOND:
            for _ in range(3):
                flying.append([chance.gauss(-0.06, 0.006), 0.45 + chance.uniform(-0.02, 0.02), chance.gauss(0, 0.012),
                               chance.gauss(0.2, 0.04), chance.gauss(-0.4, 0.05), chance.gauss(0, 0.04)])
        rows += [(frame, *one) for one in flying]
        for one in flying:
            for _ in range(steps):
                step = 1 / (FRAMES_PER_SECOND * steps)
                one[4] -= GRAVITY * step
                for axis in range(3):
                    one[axis] += one[3 + axis] * step
                under = lid_height if math.hypot(one[0], one[2]) < lid_radius else floor
                if one[1] < under and one[4] < 0 and one[1] > under - 0.02:
                    one[1], one[4] = under, -bounce * one[4]
                    one[3] += chance.gauss(0, 0.15)
                    one[5] += chance.gauss(0, 0.15)
                    if under == floor and one[4] < 0.1:
                        one[3] = one[4] = one[5] = 0
        flying = [one for one in flying if one[3] != 0 or one[5] != 0]
    return rows


def jet():
    """Rows (frame, x, y, z, fill, vx, vy, vz, deviation) of cells of 2 cm, from a spout at 0.25 m down to 6 mm."""
    edge, start, speed, fill, lasts = 0.02, 0.25, 0.5, 0.06, 0.7
    rows = []
    for frame in range(round(1.1 * FRAMES_PER_SECOND)):
        time = frame / FRAMES_PER_SECOND
        for level in range(12):
            y = 0.016 + edge * level
            v = math.sqrt(speed ** 2 + 2 * GRAVITY * (start - y))
            fallen = (v - speed) / GRAVITY  # how long it takes to come here
            if not fallen <= time <= fallen + lasts:
                continue
            lands = level == 0
            rows.append((frame, 0.01, y, 0.01, 0.1 if lands else fill * speed / v, 0, -0.5 * v if lands else -v, 0, (0.1 if lands else 0.03) * v))
    return rows


def write(path, columns, rows):
    lines = [f"# fps: {FRAMES_PER_SECOND}", ",".join(columns)]
    lines += [f"{frame}," + ",".join(f"{x:.4g}" for x in rest) for frame, *rest in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    folder = pathlib.Path(sys.argv[1])
    moving = ["frame", "x", "y", "z"], ["vx", "vy", "vz"]
    write(folder / "coarse_particles.csv", [*moving[0], *moving[1]], particles(random.Random(7)))
    write(folder / "coarse_grid.csv", [*moving[0], "fill", *moving[1], "deviation"], jet())


if __name__ == "__main__":
    main()
