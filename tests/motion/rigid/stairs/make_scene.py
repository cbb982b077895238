#!/usr/bin/env python3
"""The take of stairs.take as a scene: tables, meshes and scene.json.

    tests/motion/rigid/stairs/make_scene.py FOLDER [--fps 60] && clangor render FOLDER/scene.json -o stairs.wav -q draft
"""
import argparse
import json
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
MATERIALS = {"die": "oak", "block": "oak", "bar": "steel", "plate": "glass", "ball": "oak", "marble": "glass", "can": "aluminium",
             "coin": "brass", "cone": "oak", "nut": "steel", "ring": "steel", "bowl": "ceramic"}


def lathe(profile, segments):
    """Vertices and triangles, turned about y, as make_take.py makes them."""
    vertices, rings, faces = [], [], []
    for r, y in profile:
        rings.append([])
        for k in range(1 if r == 0 else segments):
            angle = 2 * math.pi * k / segments
            rings[-1].append(len(vertices))
            vertices.append((r * math.cos(angle), y, -r * math.sin(angle)))
    for i in range(len(rings) - (profile[0][0] == 0)):
        low, high = rings[i], rings[(i + 1) % len(rings)]
        for k in range(segments):
            a, b, c, d = (ring[n % len(ring)] for ring, n in ((low, k), (low, k + 1), (high, k + 1), (high, k)))
            faces += [face for face in ((a, b, c), (a, c, d)) if len(set(face)) == 3]
    return vertices, faces


def mesh_of(folder, name, words):
    kind, numbers = words[0], [float(word) for word in words[1:]]
    if kind == "box":
        return {"box": {"size": numbers}}
    if kind == "ball":
        return {"sphere": {"radius": numbers[0]}}
    if kind == "cylinder":
        return {"cylinder": {"radius": numbers[0], "height": numbers[1]}}
    vertices, faces = lathe(list(zip(numbers[1::2], numbers[2::2])), int(numbers[0]))
    with open(os.path.join(folder, name + ".obj"), "w") as out:
        out.writelines("v {:.7g} {:.7g} {:.7g}\n".format(*v) for v in vertices)
        out.writelines("f {} {} {}\n".format(*(i + 1 for i in face)) for face in faces)
    return name + ".obj"


def poses(lines, count):
    now, step, same = [0] * 7, [0] * 7, 0
    for _ in range(count):
        if same == 0:
            line = next(lines).split()
            if line[0].startswith("="):
                same = int(line[0][1:])
            else:
                step = [s + (0 if cell == "." else int(cell)) for s, cell in zip(step, line)]
        same = max(0, same - 1) if same else 0
        now = [n + s for n, s in zip(now, step)]
        yield [n * (1e-5 if k < 3 else 2e-5) for k, n in enumerate(now)]


def write_scene(folder, fps, take=os.path.join(HERE, "stairs.take")):
    os.makedirs(folder, exist_ok=True)
    objects = [{"name": "floor", "kind": "ground", "material": "concrete"}]
    frames = 0
    with open(take) as lines:
        for line in lines:
            words = line.split()
            if words[0] == "fixed":
                size, at = [float(w) for w in words[3:6]], [float(w) for w in words[7:10]]
                objects.append({"name": words[1], "kind": "solid", "mesh": {"box": {"size": size}}, "material": "oak",
                                "motion": "fixed", "position": at, "silent": True})
            elif words[0] == "body":
                name = words[1]
                objects.append({"name": name, "kind": "solid", "mesh": mesh_of(folder, name, words[3:]),
                                "material": MATERIALS[name], "trajectory": name + ".csv"})
            elif words[0] == "frames":
                frames = int(words[1])
                with open(os.path.join(folder, name + ".csv"), "w") as out:
                    out.write(f"# fps: {fps}\nframe,x,y,z,qx,qy,qz,qw\n")
                    for n, pose in enumerate(poses(lines, frames)):
                        if n % (480 // fps) == 0:
                            out.write(",".join([str(n // (480 // fps))] + [f"{number:.6g}" for number in pose]) + "\n")
    scene = {"clangor": 1, "duration": (frames - 1) / 480, "objects": objects,
             "listeners": [{"name": "mic", "kind": "mono", "position": [2, 1, 1.5]}]}
    with open(os.path.join(folder, "scene.json"), "w") as out:
        json.dump(scene, out, indent=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--fps", type=int, default=60)
    options = parser.parse_args()
    write_scene(options.folder, options.fps)
