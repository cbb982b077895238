"""Twelve things fall down stairs in Blender: the take that the tests of motion/rigid listen to, with the truth about its contacts.

    blender -b --python-exit-code 1 -P tests/motion/rigid/stairs/make_take.py -- FOLDER [--seed 2] [--tables]

writes FOLDER/stairs.take (shapes, and poses at 480 frames a second, as small whole numbers), FOLDER/stairs.contacts.csv (what hit what) and
FOLDER/stairs_24.glb (keyframes, as Blender's exporter writes them); with --tables also NAME_RATE.csv for each body and rate. Blender 3.4 or later.

The truth is read from the simulation, by other means than Clangor's. Blender's solver (Bullet) steps 480 times a second, x' = x + v' dt, so that differences of
its poses are its own velocities. A contact is a step in which the points of two bodies that face each other within reach of one step approached each
other along the normal of the touched face, by the velocities before the step with gravity added, and no longer do after it: the solver took at
least half of that speed away. It hits (the last column) if near that place the gap has closed in the two steps before by at least half of what the
speed makes of it; otherwise the two were together, and the contact goes on: rolling, rocking or whirling. Slower contacts of the same pair within 8 ms belong to it, and it begins
with the first of them: Bullet takes two steps to stop a body, and a flat one lands corner by corner.
"""
import argparse
import math
import os
import random
import sys

import bpy
import numpy as np
from mathutils import Quaternion, Vector
from mathutils.bvhtree import BVHTree

RATE = 480
GRAVITY = np.array([0, 0, -9.81])
MARGIN = 0.0005  # around hulls and meshes [m]
SLOWEST = 0.05  # contacts that are told [m/s]
TOGETHER = 4  # steps within which contacts of a pair are one

# Profiles are (radius, height) pairs, turned about z; closed ones do not reach the axis. Densities in kg/m³, e the restitution.
BODIES = [
    dict(name="die", kind="box", size=(0.05, 0.05, 0.05), density=1200, e=0.45),
    dict(name="block", kind="box", size=(0.12, 0.06, 0.04), density=700, e=0.4),
    dict(name="bar", kind="box", size=(0.24, 0.03, 0.02), density=7800, e=0.35),
    dict(name="plate", kind="box", size=(0.16, 0.12, 0.008), density=2500, e=0.3),
    dict(name="ball", kind="ball", radius=0.035, density=1150, e=0.6),
    dict(name="marble", kind="ball", radius=0.015, density=2500, e=0.65),
    dict(name="can", kind="cylinder", radius=0.033, height=0.11, density=900, e=0.3),
    dict(name="coin", kind="cylinder", radius=0.05, height=0.01, density=7800, e=0.3),
    dict(name="cone", kind="lathe", profile=[(0, -0.0225), (0.045, -0.0225), (0, 0.0675)], segments=64, density=700, e=0.4),
    dict(name="nut", kind="lathe", profile=[(0, -0.015), (0.03, -0.015), (0.03, 0.015), (0, 0.015)], segments=6, density=7800, e=0.35),
    dict(name="ring", kind="lathe", segments=64, density=7800, e=0.35,
         profile=[(0.05 + 0.012 * math.cos(a * math.pi / 12), 0.012 * math.sin(a * math.pi / 12)) for a in range(24)]),
    dict(name="bowl", kind="lathe", segments=64, density=2400, e=0.3, profile=None),
]
STEPS, RISE, TREAD, WIDTH = 6, 0.17, 0.28, 2.4


def bowl_profile():
    """The lower half of a ball with a wall of 8 mm, about its centre of mass: closed but for the axis, where it is pierced by nothing."""
    outer, inner = 0.075, 0.067
    points = [(outer * math.sin(a), -outer * math.cos(a)) for a in [k * math.pi / 48 for k in range(25)]]
    points += [(inner * math.sin(a), -inner * math.cos(a)) for a in [k * math.pi / 24 for k in range(12, -1, -1)]]
    return [(0.0 if r < 1e-9 else r, z + 0.036) for r, z in points]


def lathe(profile, segments):
    """A surface of revolution: points on the axis are one vertex."""
    vertices, rings = [], []
    for r, z in profile:
        rings.append([])
        for k in range(1 if r == 0 else segments):
            a = 2 * math.pi * k / segments
            rings[-1].append(len(vertices))
            vertices.append((r * math.cos(a), r * math.sin(a), z))
    closed = profile[0][0] != 0
    faces = []
    for i in range(len(rings) if closed else len(rings) - 1):
        low, high = rings[i], rings[(i + 1) % len(rings)]
        for k in range(segments):
            quad = [low[k % len(low)], low[(k + 1) % len(low)], high[(k + 1) % len(high)], high[k % len(high)]]
            faces.append(tuple(dict.fromkeys(quad)))
    return vertices, [f for f in faces if len(f) >= 3]


def box(size):
    x, y, z = (s / 2 for s in size)
    vertices = [(i * x, j * y, k * z) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    return vertices, [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def mesh_of(body):
    if body["kind"] == "box":
        return box(body["size"])
    if body["kind"] == "lathe":
        return lathe(body["profile"], body["segments"])
    if body["kind"] == "cylinder":
        r, h = body["radius"], body["height"] / 2
        return lathe([(0, -h), (r, -h), (r, h), (0, h)], 64)
    r = body["radius"]
    return lathe([(0.0 if k in (0, 16) else r * math.sin(k * math.pi / 16), -r * math.cos(k * math.pi / 16)) for k in range(17)], 32)


def volume_and_centre(vertices, faces):
    volume, moment = 0.0, np.zeros(3)
    for face in faces:
        for k in range(1, len(face) - 1):
            a, b, c = (np.array(vertices[i]) for i in (face[0], face[k], face[k + 1]))
            part = a.dot(np.cross(b, c)) / 6
            volume += part
            moment += part * (a + b + c) / 4
    return volume, moment / volume


def add(name, vertices, faces, shape, active, friction, restitution, mass=1.0):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.update()
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.objects.active = item
    item.select_set(True)
    bpy.ops.rigidbody.object_add(type="ACTIVE" if active else "PASSIVE")
    item.select_set(False)
    rigid = item.rigid_body
    rigid.collision_shape = shape
    rigid.mesh_source = "BASE"
    rigid.friction, rigid.restitution, rigid.mass = friction, restitution, mass
    rigid.use_margin, rigid.collision_margin = True, MARGIN  # the usual 40 mm is thicker than these things
    # Blender knows no rolling friction: what rolls rests because it is put to sleep after two slow seconds.
    rigid.linear_damping, rigid.angular_damping = 0.1, 0.5
    rigid.use_deactivation, rigid.deactivate_linear_velocity, rigid.deactivate_angular_velocity = active, 0.5, 50
    return item


def fixed_things():
    things = [dict(name="floor", size=(8, 8, 1), at=(1.5, 0, -0.5))]
    for k in range(STEPS):
        height = RISE * (STEPS - k)
        things.append(dict(name=f"step{k + 1}", size=(TREAD, WIDTH, height), at=((k + 0.5) * TREAD, 0, height / 2)))
    return things


def build(seed, released):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = RATE, 1
    scene.gravity = GRAVITY
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.substeps_per_frame, world.solver_iterations, world.time_scale = 1, 30, 1
    for thing in fixed_things():
        item = add(thing["name"], *box(thing["size"]), "BOX", False, 0.5, 0.5)
        item.location = thing["at"]
    rng = random.Random(seed)
    shapes = {"box": "BOX", "ball": "SPHERE", "cylinder": "CYLINDER"}
    items = []
    order = list(range(len(BODIES)))
    rng.shuffle(order)
    for slot, index in enumerate(order):
        body = BODIES[index]
        vertices, faces = mesh_of(body)
        body["mass"] = body["density"] * volume_and_centre(vertices, faces)[0]
        shape = shapes.get(body["kind"], "MESH" if body.get("concave") else "CONVEX_HULL")
        item = add(body["name"], vertices, faces, shape, True, 0.5, body["e"], body["mass"])
        item.rotation_mode = "QUATERNION"
        turn = Quaternion([rng.gauss(0, 1) for _ in range(4)]).normalized()
        place = Vector((0.14 + 0.28 * (slot // 4) + rng.uniform(-0.05, 0.05), -0.55 + 0.36 * (slot % 4) + rng.uniform(-0.08, 0.08),
                        RISE * (STEPS - slot // 4) + 0.25 + 0.1 * (slot % 3) + rng.uniform(0, 0.1)))
        speed, axis, rate = rng.uniform(0.5, 1.4), Vector([rng.gauss(0, 1) for _ in range(3)]).normalized(), rng.uniform(2, 9)
        # Carried until it is released, which gives it its velocity.
        item.rigid_body.kinematic = True
        item.rigid_body.keyframe_insert("kinematic", frame=1)
        for frame in range(1, released + 2):
            t = (frame - released) / RATE
            item.location = place + Vector((speed * t, 0, 0))
            item.rotation_quaternion = Quaternion(axis, rate * t) @ turn
            item.keyframe_insert("location", frame=frame)
            item.keyframe_insert("rotation_quaternion", frame=frame)
        item.rigid_body.kinematic = False
        item.rigid_body.keyframe_insert("kinematic", frame=released + 1)
        for curve in item.animation_data.action.fcurves:
            for key in curve.keyframe_points:
                key.interpolation = "CONSTANT" if "kinematic" in curve.data_path else "LINEAR"
        items.append(item)
    items.sort(key=lambda item: [body["name"] for body in BODIES].index(item.name))
    return scene, items


def simulated(scene, items, released, seconds):
    frames = int(seconds * RATE)
    scene.frame_start, scene.frame_end = 1, released + frames + 2
    scene.rigidbody_world.point_cache.frame_start = 1
    scene.rigidbody_world.point_cache.frame_end = scene.frame_end
    places, turns = np.zeros((len(items), frames + 1, 3)), np.zeros((len(items), frames + 1, 4))
    for frame in range(1, released + 2 + frames + 1):
        scene.frame_set(frame)
        n = frame - released - 2
        if n < 0:
            continue
        graph = bpy.context.evaluated_depsgraph_get()
        for i, item in enumerate(items):
            place, turn, _ = item.evaluated_get(graph).matrix_world.decompose()
            places[i, n] = place
            q = np.array((turn.w, turn.x, turn.y, turn.z))
            turns[i, n] = -q if n > 0 and q.dot(turns[i, n - 1]) < 0 else q
    return places, turns


def rotation_matrix(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def spins(turns):
    """Angular velocities from each pose to the next."""
    result = np.zeros((len(turns) - 1, 3))
    for n in range(len(result)):
        a, b = Quaternion(turns[n]), Quaternion(turns[n + 1])
        turn = b @ a.inverted()
        if turn.w < 0:
            turn.negate()
        axis, angle = turn.to_axis_angle()
        result[n] = np.array(axis) * (angle * RATE)
    return result


class Shape:
    """Points spread over a surface, and the surface itself, in the body frame."""

    def __init__(self, vertices, faces, ball=0.0):
        self.ball = ball
        self.tree = BVHTree.FromPolygons([Vector(v) for v in vertices], faces)
        points = [np.array(v) for v in vertices]
        for face in faces:
            corners = [np.array(vertices[i]) for i in face]
            for a, b in zip(corners, corners[1:] + corners[:1]):
                pieces = max(1, int(np.linalg.norm(b - a) / 0.01))
                points += [a + (b - a) * k / pieces for k in range(1, pieces)]
        self.points = np.unique(np.round(np.array(points), 7), axis=0)
        self.radius = np.linalg.norm(self.points, axis=1).max()


def facing(shape_a, pose_a, shape_b, pose_b, reach):
    """Points of a near the surface of b: (point, normal out of b, gap), in the world."""
    (xa, ra), (xb, rb) = pose_a, pose_b
    world = shape_a.points @ ra.T + xa if not shape_a.ball else xa[None, :]
    local = (world - xb) @ rb
    low, high = shape_b.points.min(axis=0) - reach - shape_a.ball, shape_b.points.max(axis=0) + reach + shape_a.ball
    near = np.all((local > low) & (local < high), axis=1)
    for p_local, p in zip(local[near], world[near]):
        closest, normal, _, distance = shape_b.tree.find_nearest(Vector(p_local), reach + shape_a.ball)
        if closest is None:
            continue
        out = np.array(closest) - p_local
        inside = out.dot(np.array(normal)) > 0
        gap = -distance if inside else distance
        if gap - shape_a.ball > reach or gap < -0.01:
            continue
        n = np.array(normal) if distance < 1e-6 else (out if inside else -out) / distance
        yield p - shape_a.ball * (rb @ n), rb @ n, gap - shape_a.ball


def gap_near(shapes, pair, poses, place, reach):
    """How far apart two bodies are near a place, up to `reach`."""
    (i, j), near = pair, 0.3 * min(shapes[k].radius for k in pair)
    both = [facing(shapes[i], poses[0], shapes[j], poses[1], reach)]
    if not shapes[i].ball:
        both.append(facing(shapes[j], poses[1], shapes[i], poses[0], reach))
    return min((gap for points in both for p, _, gap in points if np.linalg.norm(p - place) < near), default=reach)


def contacts(items, fixed, places, turns):
    names = [item["name"] for item in items] + [thing["name"] for thing in fixed]
    movable = len(items)
    shapes = [Shape(*mesh_of(body), body.get("radius", 0.0) if body["kind"] == "ball" else 0.0) for body in items]
    shapes += [Shape(*box(thing["size"])) for thing in fixed]
    v = np.diff(places, axis=1) * RATE
    w = np.array([spins(turns[i]) for i in range(movable)])
    still = np.zeros(3)
    found = {}

    def pose_of(k, n):
        if k < movable:
            return places[k, n], rotation_matrix(turns[k, n])
        return np.array(fixed[k - movable]["at"], float), np.eye(3)

    for n in range(1, v.shape[1]):
        jumped = [np.linalg.norm(v[i, n] - v[i, n - 1] - GRAVITY / RATE) + shapes[i].radius * np.linalg.norm(w[i, n] - w[i, n - 1]) > SLOWEST
                  for i in range(movable)]
        jumped = [jump and (np.any(v[i, n]) or np.any(w[i, n])) for i, jump in enumerate(jumped)]  # put to sleep is not stopped
        poses = [pose_of(i, n) for i in range(len(names))]
        for i in range(movable):
            for j in range(i + 1, len(names)):
                if not jumped[i] and not (j < movable and jumped[j]):
                    continue
                if j < movable and np.linalg.norm(poses[i][0] - poses[j][0]) > shapes[i].radius + shapes[j].radius + 0.02:
                    continue
                before, after = [], []
                for k in (i, j):
                    x = poses[k][0]
                    moved = k < movable
                    before.append((x, v[k, n - 1] + GRAVITY / RATE if moved else still, w[k, n - 1] if moved else still))
                    after.append((x, v[k, n] if moved else still, w[k, n] if moved else still))

                def closing(states, p, normal):
                    (xa, va, wa), (xb, vb, wb) = states
                    return -normal.dot(va + np.cross(wa, p - xa) - vb - np.cross(wb, p - xb))

                speed = np.linalg.norm(v[i, n - 1]) + shapes[i].radius * np.linalg.norm(w[i, n - 1])
                if j < movable:
                    speed += np.linalg.norm(v[j, n - 1]) + shapes[j].radius * np.linalg.norm(w[j, n - 1])
                reach = 0.0025 + speed / RATE
                pairs = [(p, nb, gap) for p, nb, gap in facing(shapes[i], poses[i], shapes[j], poses[j], reach)]
                if not shapes[i].ball:
                    pairs += [(p, -na, gap) for p, na, gap in facing(shapes[j], poses[j], shapes[i], poses[i], reach)]
                best = (0, None)
                for p, normal, gap in pairs:
                    u, u_after = closing(before, p, normal), closing(after, p, normal)
                    touches = gap < u / RATE + 2 * MARGIN + 0.0002
                    if touches and u > SLOWEST and u_after < 0.5 * u and u > best[0]:
                        best = (u, p)
                if best[1] is None:
                    continue
                closed = best[0] / RATE  # half of what its speed closes in two steps
                now, earlier = (gap_near(shapes, (i, j), [pose_of(k, max(n - back, 0)) for k in (i, j)], best[1], reach + 2 * closed)
                                for back in (0, 2))
                found.setdefault((i, j), []).append((n, best[0], best[1], earlier - now > closed))
    events = []
    for (i, j), steps in found.items():
        left = sorted(steps, key=lambda step: (not step[3], -step[1]))
        while left:
            n, speed, place, hits = left[0]
            together = [step[0] for step in left if abs(step[0] - n) <= TOGETHER]
            events.append((min(together) / RATE, names[i], names[j], speed, max(together) / RATE, hits))
            left = [step for step in left if abs(step[0] - n) > TOGETHER]
    merged = []
    for event in sorted(events, key=lambda e: e[0]):
        last = next((k for k in range(len(merged) - 1, -1, -1) if merged[k][1:3] == event[1:3]), None)
        if last is not None and event[0] - merged[last][0] <= TOGETHER / RATE + 1e-9:
            first = merged[last]
            merged[last] = (first[0], *first[1:3], max(first[3], event[3]), max(first[4], event[4]), first[5] or event[5])
        else:
            merged.append(event)
    return merged


def y_up(v):
    return np.array((v[0], v[2], -v[1]))


def y_up_turn(q):
    w, x, y, z = q
    return np.array((w, x, z, -y))


def write_take(path, items, places, turns):
    """A line for each body's shape, then its poses as whole numbers: position in 10 µm, quaternion (without w, which is made positive) in 2e-5; each the second difference of its column."""
    with open(path, "w") as out:
        out.write("# Twelve things on stairs, simulated by Blender at 480 steps a second; make_take.py makes it and says how. y is up.\n")
        out.write("# body NAME DENSITY SHAPE, then frames: x y z [10 um] qx qy qz qw [2e-5], as second differences of whole numbers; =N: N rows of zeros\n")
        for thing in fixed_things()[1:]:
            size = thing["size"]
            at = y_up(thing["at"])
            out.write("fixed {} box {:g} {:g} {:g} at {:g} {:g} {:g}\n".format(thing["name"], size[0], size[2], size[1], *at))
        for i, body in enumerate(items):
            if body["kind"] == "box":
                shape = "box {:g} {:g} {:g}".format(body["size"][0], body["size"][2], body["size"][1])
            elif body["kind"] == "ball":
                shape = "ball {:g}".format(body["radius"])
            elif body["kind"] == "cylinder":
                shape = "cylinder {:g} {:g}".format(body["radius"], body["height"])
            else:
                shape = "lathe {} {}".format(body["segments"], " ".join(f"{r:.6g} {z:.6g}" for r, z in body["profile"]))
            out.write("body {} {:g} {}\n".format(body["name"], body["density"], shape))
            rows = [np.concatenate((y_up(places[i, n]) / 1e-5, np.roll(y_up_turn(turns[i, n]), -1) / 2e-5)) for n in range(places.shape[1])]
            whole = np.rint(np.array(rows)).astype(int)
            first = np.diff(whole, axis=0, prepend=0)
            second = np.diff(first, axis=0, prepend=0)
            out.write("frames {}\n".format(len(second)))
            same = 0
            for row in [*second, [1]]:
                if not any(row):
                    same += 1
                    continue
                if same:
                    out.write(f"={same}\n")
                same = 0
                if len(row) > 1:
                    out.write(" ".join(str(number) if number else "." for number in row) + "\n")


def write_tables(folder, items, places, turns):
    for rate in (24, 60, 240, 480):
        for i, body in enumerate(items):
            with open(os.path.join(folder, f"{body['name']}_{rate}.csv"), "w") as out:
                out.write(f"# fps: {rate}\n# up: z\nframe,x,y,z,qw,qx,qy,qz\n")
                for k, n in enumerate(range(0, places.shape[1], RATE // rate)):
                    out.write(",".join([str(k)] + [f"{x:.6f}" for x in (*places[i, n], *turns[i, n])]) + "\n")


def write_glb(path, scene, items, places, turns, rate):
    """As after Object > Rigid Body > Bake to Keyframes, in a scene of `rate` frames a second."""
    bpy.ops.rigidbody.world_remove()
    scene.render.fps = rate
    scene.frame_start, scene.frame_end = 1, 1 + (places.shape[1] - 1) * rate // RATE
    for i, item in enumerate(items):
        item.animation_data_clear()
        for frame in range(scene.frame_start, scene.frame_end + 1):
            n = (frame - 1) * RATE // rate
            item.location, item.rotation_quaternion = places[i, n], turns[i, n]
            item.keyframe_insert("location", frame=frame)
            item.keyframe_insert("rotation_quaternion", frame=frame)
        for curve in item.animation_data.action.fcurves:
            for key in curve.keyframe_points:
                key.interpolation = "LINEAR"
    for item in bpy.data.objects:
        item.select_set(item in items)
        item.data.materials.clear()
    bpy.ops.export_scene.gltf(filepath=path, export_format="GLB", use_selection=True, export_normals=False, export_texcoords=False,
                              export_materials="NONE")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--tables", action="store_true")
    options = parser.parse_args(sys.argv[sys.argv.index("--") + 1:])
    os.makedirs(options.folder, exist_ok=True)
    BODIES[-1]["profile"] = bowl_profile()
    released = 12
    scene, items = build(options.seed, released)
    places, turns = simulated(scene, items, released, options.seconds)
    events = contacts(BODIES, fixed_things(), places, turns)
    write_take(os.path.join(options.folder, "stairs.take"), BODIES, places, turns)
    with open(os.path.join(options.folder, "stairs.contacts.csv"), "w") as out:
        out.write("time,until,object,other,speed,hits\n")
        for time, first, second, speed, until, hits in events:
            out.write(f"{time:.4f},{until:.4f},{first},{second},{speed:.3f},{int(hits)}\n")
    if options.tables:
        write_tables(options.folder, BODIES, places, turns)
    write_glb(os.path.join(options.folder, "stairs_24.glb"), scene, items, places, turns, 24)
    print("contacts over 0.2 m/s:", sum(e[3] > 0.2 and e[5] for e in events), "of", len(events))


main()
