#!/usr/bin/env python3
"""The table of [Schweickart2017, Fig. 7], row by row: seconds of computing for one second of sound.

    CLANGOR=build/release/bin/clangor bench/rod_table.py [--threads N] [part of a name]

Sizes, materials, counts of control points and steps a second are those of the paper, where it gives them; heights of
falls and strikes are not, and are chosen here. The last two rows are the examples of those names, where there are such.
A row is the whole program, from reading the scene to its WAV file: processor seconds of all threads, to which the ratio
belongs, since other load does not change them much, and wall clock. Motion goes on for 0.25 s beyond the end, until the
last sound has arrived: both are divided by the time that was simulated.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

INCH = 0.0254
FLOOR = {"name": "floor", "kind": "ground", "material": "concrete"}
MATERIALS = {
    "aluminium bar": {"density": 2700, "young": 68.9e9, "poisson": 0.33, "loss_factor": 0.001},
    "aluminium rod": {"density": 2700, "young": 70.7e9, "poisson": 0.33, "loss_factor": 0.001},
    "oak ruler": {"density": 700, "young": 6.3e9, "poisson": 0.3, "loss_factor": 0.01},
    "steel": {"density": 7850, "young": 205e9, "poisson": 0.29, "loss_factor": 0.0005},
    "gong steel": {"density": 7850, "young": 225e9, "poisson": 0.29, "loss_factor": 0.0005},
    "band rubber": {"density": 930, "young": 3e5, "poisson": 0.49, "loss_factor": 0.1},
}


def rod(shape, count, section, material, **more):
    return {"name": "rod", "kind": "rod", "shape": shape, "count": count, "section": section, "material": material,
            **more}


def straight(length):
    return {"straight": {"length": length}}


def rectangle(width, height):
    return {"rectangle": {"width": width, "height": height}}


def strike(at, impulse, contact_time):
    return [{"object": "rod", "time": 0.01, "at": at, "impulse": impulse, "contact_time": contact_time,
             "shape": "half_sine"}]


def dropped(length, count, section, material, duration=1.0, **more):
    """From a hand's height, one end first."""
    return {"objects": [rod(straight(length), count, section, material, position=[-length / 2, 0.1, 0],
                            rotation_deg=[0, 0, 6], steps_per_second=44100, **more), FLOOR],
            "duration": duration}


HUNG = {"gravity": "off", "touches": False}
CLAMPED = {"kind": "clamped"}

# Name, control points, the paper's seconds, the scene.
ROWS = [
    ("Rectangular Rod", 30, 10, {
        "objects": [rod(straight(12 * INCH), 30, rectangle(INCH, INCH / 2), "aluminium bar", steps_per_second=44100,
                        position=[-6 * INCH, 1, 0], **HUNG)],
        "strikes": strike(0.29, [0, -0.05, 0], 1e-4), "duration": 2.0}),
    ("Circular Rod", 50, 42, dropped(24 * INCH, 50, {"circle": {"radius": INCH / 4}}, "aluminium rod")),
    ("Ruler", 36, 47, dropped(15 * INCH, 36, rectangle(0.033, 0.007), "oak ruler", section_x=[0, 0, 1])),
    ("Strapping", 100, 91, dropped(42 * INCH, 100, rectangle(INCH, INCH / 32), "steel", duration=0.25, section_x=[0, 0, 1])),
    ("Clock Gong", 400, 144, {
        "objects": [rod({"spiral": {"inner_radius": 0.02, "outer_radius": 0.07, "turns": 4}}, 400,
                        {"circle": {"radius": 0.002}}, "gong steel", steps_per_second=44100,
                        supports=[{**CLAMPED, "at": 0}], **HUNG)],
        "strikes": strike(0.75, [0, 0, -0.03], 4e-4), "duration": 0.5}),
    ("Rubber Band", 50, 12, {
        "objects": [rod(straight(0.186), 50, rectangle(0.0016, 0.0008), "band rubber", steps_per_second=44100,
                        damping_hz=300, stretched_by=0.097, gravity="off", touches=False,
                        supports=[{**CLAMPED, "at": 0}, {**CLAMPED, "at": 0.186}],
                        pulls=[{"at": 0.05, "force": [0, 0.08, 0], "until": 0.05}])],
        "duration": 2.0}),
    ("Guy Wire", 1500, 1000, {
        "objects": [rod(straight(20), 1500, {"circle": {"radius": INCH / 4}}, "steel", steps_per_second=88200,
                        stretched_by=0.1, supports=[{**CLAMPED, "at": 0}, {**CLAMPED, "at": 20}], **HUNG)],
        "strikes": strike(1, [0, 0.05, 0], 8e-5), "duration": 0.2}),
    ("Slinky Dispersion", 3888, 3098, {
        "objects": [rod({"helix": {"radius": 0.0325, "pitch": 0.012, "turns": 81}}, 3888, rectangle(0.00038, 0.00095),
                        "steel", steps_per_second=88200, section_x=[0, 1, 0],
                        supports=[{"kind": "spring", "at": at, "stiffness": 200, "damping": 0.02}
                                  for at in (0, 16.5)], **HUNG)],
        "strikes": strike(0.1, [0.0005, 0.0005, 0], 5e-5), "duration": 0.1}),
    ("Chain Link Fence", 15000, 5296, "chain_link_fence"),
    ("Slinky Walk", 3888, 16527, "slinky_walk"),
]


def scene_of(what):
    """None where there is none."""
    if isinstance(what, str):
        path = pathlib.Path(__file__).resolve().parent.parent / "examples" / f"{what}.json"
        return json.loads(path.read_text()) if path.exists() else None
    used = {o["material"] for o in what["objects"]} & MATERIALS.keys()
    return {"clangor": 1, "sample_rate": 44100, "materials": {name: MATERIALS[name] for name in used},
            "listeners": [{"name": "mic", "position": [0.2, 1.3, 0.8]}], **what}


def measure(scene, threads):
    """Wall clock and processor seconds, and the report."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = pathlib.Path(folder) / "scene.json", pathlib.Path(folder) / "out.wav"
        path.write_text(json.dumps(scene))
        command = [os.environ.get("CLANGOR", "clangor"), "render", path, "-o", out, "-q", "--threads", str(threads)]
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(command, check=True)
        wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        report = json.loads(out.with_suffix(".report.json").read_text())
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("name", nargs="?", default="")
    chosen = parser.parse_args()
    print("| example | points (paper) | seconds for 1 s: processor | wall | paper, 8 cores | ratio |\n|---|---|---|---|---|---|")
    for name, count, paper, what in ROWS:
        if chosen.name.lower() not in name.lower():
            continue
        scene = scene_of(what)
        if scene is None:
            print(f"| {name} | – ({count}) | – | – | {paper} s | – |")
            continue
        wall, processor, report = measure(scene, chosen.threads)
        points = sum(o.get("control_points", 0) for o in report["objects"])
        duration = scene["duration"] + 0.25
        print(f"| {name} | {points} ({count}) | {processor / duration:.3g} s | {wall / duration:.3g} s | {paper} s | "
              f"{paper * duration / processor:.3g}× |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
