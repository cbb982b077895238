#!/usr/bin/env python3
"""Meshes as users have them: damaged, open, inside out, in pieces, cutting themselves, oversampled. Each is answered with a sound
body or with a message that says what to do.

Run by ctest with the program's path in CLANGOR. Only the standard library. SCAN_FACES=5000000 scans a ball so finely.
"""
import json
import math
import os
import struct
import unittest

from cli_test import CommandLine

# Long elements, and few modes: most of what is said here is about the body, not its pitch.
FEW = ["--count", "2", "--max-hz", "60000"]
COARSE = ["--edge", "0.03", *FEW]


def ball(radius=0.05, centre=(0, 0, 0), n=10):
    """Corners and faces, wound outward."""
    corners = [(0, 0, radius)] + [
        (radius * math.sin(math.pi * i / n) * math.cos(math.pi * j / n), radius * math.sin(math.pi * i / n) * math.sin(math.pi * j / n), radius * math.cos(math.pi * i / n))
        for i in range(1, n) for j in range(2 * n)] + [(0, 0, -radius)]
    last, around = len(corners) - 1, 2 * n

    def at(i, j):
        return 1 + (i - 1) * around + j % around
    faces = []
    for j in range(around):
        faces += [(0, at(1, j), at(1, j + 1)), (last, at(n - 1, j + 1), at(n - 1, j))]
        for i in range(1, n - 1):
            faces += [(at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1))]
    return [tuple(x + c for x, c in zip(corner, centre)) for corner in corners], faces


def box(low, high):
    corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]


def turned(mesh):
    return mesh[0], [face[::-1] for face in mesh[1]]


def together(*meshes):
    corners, faces = [], []
    for more_corners, more_faces in meshes:
        faces += [tuple(i + len(corners) for i in face) for face in more_faces]
        corners += more_corners
    return corners, faces


def volume(mesh):
    """Enclosed, by the divergence theorem."""
    corners, faces = mesh
    total = 0
    for a, b, c in ([corners[i] for i in face] for face in faces):
        total += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    return total / 6


def round_volume(radius):
    return 4 / 3 * math.pi * radius ** 3


def obj_text(mesh):
    return "".join([*("v %.9g %.9g %.9g\n" % corner for corner in mesh[0]), *("f %d %d %d\n" % tuple(i + 1 for i in face) for face in mesh[1])])


class BadMeshes(CommandLine):
    def modes(self, mesh):
        return self.run_clangor("modes", mesh, "--material", "steel", "-o", "out.h5")

    def write(self, name, content):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def test_missing(self):
        self.check_refused(self.modes("nowhere.obj"), "nowhere.obj")

    def test_empty(self):
        self.check_refused(self.modes(self.write("a.obj", "")), "a.obj", "empty")

    def test_truncated(self):
        self.check_refused(self.modes(self.write("a.stl", b"\0" * 80 + struct.pack("<I", 1000) + b"\0" * 100)), "a.stl")
        self.check_refused(self.modes(self.write("a.ply", "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\n"
                                                 "property float z\nelement face 12\nproperty list uchar int i\nend_header\n0 0 0\n")), "a.ply")

    def test_binary_garbage(self):
        for name in ("a.obj", "a.ply", "a.stl", "a.gltf", "a.glb"):
            self.check_refused(self.modes(self.write(name, bytes((i * 7919) % 251 for i in range(5000)))), name)

    def test_not_finite(self):
        self.check_refused(self.modes(self.write("a.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n")), "a.obj:2")
        self.check_refused(self.modes(self.write("a.obj", "v 0 0 0\nv 1 inf 0\nv 0 1 0\nf 1 2 3\n")), "a.obj:2")

    def test_sheet_is_given_a_thickness_and_said(self):
        mesh = self.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n")
        result = self.run_clangor("modes", mesh, "--material", "steel", "--size", "0.1", "--thickness", "0.01", *COARSE, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("10 mm thick", result.stderr)
        # A square plate of 0.1 × 0.1 × 0.01 m.
        self.assertAlmostEqual(json.loads(result.stdout)["volume_m3"], 1e-4, delta=2e-6)

    def test_points_on_a_line_are_refused(self):
        self.check_refused(self.modes(self.write("a.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")), "no faces")

    def tetrahedron(self, offset=0.0, first=1):
        corners = [(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)]
        faces = [(1, 3, 2), (1, 2, 4), (1, 4, 3), (2, 3, 4)]
        lines = [f"v {x + offset} {y} {z}" for x, y, z in corners]
        return "\n".join(lines + ["f " + " ".join(str(i + first - 1) for i in face) for face in faces]) + "\n"

    def test_several_pieces(self):
        mesh = self.write("a.obj", self.tetrahedron() + self.tetrahedron(0.5, 5))
        masses = []
        for parts in ("split", "largest"):
            result = self.run_clangor("modes", mesh, "--material", "steel", "--parts", parts, *COARSE, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("parts that lie apart", result.stderr)
            masses.append(json.loads(result.stdout)["mass_kg"])
        self.assertAlmostEqual(masses[0], 2 * masses[1], delta=1e-6)

    def nut(self, radius=3.0, height=2.5, sides=48):
        """A hexagonal prism with a round hole, as one draws it in millimetres."""
        lines, faces = [], []
        for i in range(sides):
            phi = 2 * math.pi * i / sides
            outer = radius * math.cos(math.pi / 6) / math.cos(math.fmod(phi, math.pi / 3) - math.pi / 6)
            for r in (outer, 0.5 * radius):
                lines += [f"v {r * math.cos(phi)} {r * math.sin(phi)} {z}" for z in (0, height)]
            a, b = 4 * i + 1, 4 * ((i + 1) % sides) + 1
            faces += [(a, b, b + 1, a + 1), (b + 2, a + 2, a + 3, b + 3), (a + 1, b + 1, b + 3, a + 3), (b, a, a + 2, b + 2)]
        return "\n".join(lines + ["f " + " ".join(map(str, face)) for face in faces]) + "\n"

    def test_a_mesh_in_millimetres_is_refused_before_the_work_and_its_scale_is_named(self):
        nut = self.write("nut.obj", self.nut())
        result = self.run_clangor("modes", nut, "--material", "steel", "--memory", "4")
        self.check_refused(result, "in millimetres its scale is 0.001 (6 mm)", "but 4 GB may be used", "--memory", "--edge")
        self.assertTrue(result.stderr.startswith("nut.obj: 6 × 5.2 × 2.5 m. It is 6 m long"), result.stderr)
        scene = {"clangor": 1, "duration": 0.1, "objects": [{"name": "nut", "kind": "solid", "mesh": nut, "material": "steel"}],
                 "strikes": [{"object": "nut", "at": [3, 0, 0], "impulse": [-1, 0, 0]}], "listeners": [{"name": "mic", "position": [0, 0, 9]}]}
        self.check_refused(self.run_clangor("bake", self.scene(scene), "--memory", "4"), 'object "nut"', '"scale"', "0.001 (6 mm)")
        scaled = self.run_clangor("modes", nut, "--material", "steel", "--scale", "0.001", "--edge", "0.001", "--max-hz", "1e6", "--count", "2", "--memory", "4")
        self.assertEqual(scaled.returncode, 0, scaled.stderr)

    def test_inside_out_is_repaired_and_said(self):
        inside_out = self.tetrahedron().replace("f 1 3 2", "f 1 2 3").replace("f 1 2 4", "f 1 4 2").replace("f 1 4 3", "f 1 3 4").replace("f 2 3 4", "f 2 4 3")
        result = self.run_clangor("modes", self.write("a.obj", inside_out), "--material", "steel", *COARSE)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warning", result.stderr)

    def test_open_box_is_a_sheet_and_said(self):
        corners = [(x, y, z) for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.1)]
        quads = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5)]  # the side z = 0.1 is missing
        text = "\n".join([f"v {x} {y} {z}" for x, y, z in corners] + ["f " + " ".join(map(str, q)) for q in quads])
        result = self.run_clangor("modes", self.write("a.obj", text), "--material", "steel", *COARSE, "--thickness", "0.008")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("8 mm thick", result.stderr)

    def body(self, mesh, *options, edge=0.03):
        """Volume and warnings of what a mesh becomes."""
        result = self.run_clangor("modes", self.write("a.obj", obj_text(mesh)), "--material", "steel", "--edge", edge, *FEW, *options, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        return report["volume_m3"], "; ".join(report["warnings"])

    def test_point_clouds_are_refused(self):
        points = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
        vertices = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        for name, text in (("a.ply", vertices + "end_header\n" + points),
                           ("b.ply", vertices + "element face 0\nproperty list uchar int vertex_indices\nend_header\n" + points),
                           ("a.obj", "".join(f"v {line}\n" for line in points.splitlines()))):
            self.check_refused(self.modes(self.write(name, text)), name, "4 vertices but no faces", "not as points")

    def test_one_triangle_is_a_sheet(self):
        found, warnings = self.body(([(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0)], [(0, 1, 2)]), "--thickness", "0.01")
        self.assertIn("it is a sheet, and was made 10 mm thick", warnings)
        self.assertAlmostEqual(found, 0.1 * 0.1 / 2 * 0.01, delta=1e-7)

    def test_a_ball_that_is_inside_out_is_a_ball(self):
        found, warnings = self.body(turned(ball()), edge=0.015)
        self.assertIn("inside out", warnings)
        # Round, as its facets mean it, which enclose 3.5 % less; elements are longer than faces.
        self.assertAlmostEqual(found / round_volume(0.05), 1, delta=0.01)

    def test_the_air_in_a_bottle_is_a_void_however_its_wall_is_wound(self):
        glass, air = ball(), ball(0.035)
        for wall in (air, turned(air)):
            found, warnings = self.body(together(glass, wall))
            self.assertAlmostEqual(found / (round_volume(0.05) - round_volume(0.035)), 1, delta=0.02)
            self.assertNotIn("parts", warnings)

    def test_faces_that_are_there_twice_count_once(self):
        bar = box((0, 0, 0), (0.1, 0.02, 0.02))
        for again in (bar, turned(bar)):
            found, warnings = self.body(together(bar, again))
            self.assertIn("dropped 12 repeated faces", warnings)
            self.assertAlmostEqual(found, 0.1 * 0.02 * 0.02, delta=1e-9)

    def test_boxes_that_share_a_part_of_a_side_or_of_themselves_are_one_body(self):
        # The lattice cuts off edges by part of its spacing: a twentieth of the volume at the most.
        cube = box((0, 0, 0), (0.1, 0.1, 0.1))
        beside = together(cube, box((0.1, 0.03, 0.03), (0.2, 0.13, 0.13)))
        within = together(cube, box((0.05, 0.05, 0), (0.15, 0.15, 0.1)))  # bottoms and tops overlap in one plane
        for mesh, expected in ((beside, 2e-3), (within, 1.75e-3)):
            found, warnings = self.body(mesh)
            self.assertIn("cut or touch others", warnings)
            self.assertAlmostEqual(found / expected, 1, delta=0.05)

    def test_a_scan_that_runs_through_itself_is_the_union(self):
        # Two balls: a lens is theirs together, π (4R + d)(2R − d)² / 12.
        R, d = 0.05, 0.06
        found, warnings = self.body(together(ball(R, n=16), ball(R, (d, 0, 0), n=16)))
        self.assertIn("cut or touch others", warnings)
        self.assertAlmostEqual(found / (8 / 3 * math.pi * R ** 3 - math.pi * (4 * R + d) * (2 * R - d) ** 2 / 12), 1, delta=0.05)
        # A tube along an eight: both branches fill the crossing.
        loop, sides, steps = [], 12, 60
        for k in range(steps + 1):
            t = 0.95 * 2 * math.pi * k / steps
            x, y, dx, dy = 0.04 * math.sin(t), 0.03 * math.sin(2 * t), 0.04 * math.cos(t), 0.06 * math.cos(2 * t)
            loop += [(x - 0.008 * dy / math.hypot(dx, dy) * math.cos(a), y + 0.008 * dx / math.hypot(dx, dy) * math.cos(a), 0.008 * math.sin(a))
                     for a in (2 * math.pi * j / sides for j in range(sides))]
        faces = [face for k in range(steps) for j in range(sides) for a, b in [(k * sides + j, k * sides + (j + 1) % sides)]
                 for face in ((a, b, b + sides), (a, b + sides, a + sides))]
        faces += [(0, j, j + 1) for j in range(1, sides - 1)] + [(steps * sides, steps * sides + j + 1, steps * sides + j) for j in range(1, sides - 1)]
        found, warnings = self.body((loop, faces))
        self.assertIn("the surface cuts or touches itself", warnings)
        whole = abs(volume((loop, faces)))  # the crossing, less than a tenth, counted twice
        self.assertTrue(0.85 * whole < found < 1.02 * whole, found / whole)

    def test_an_oversampled_scan_rings_as_the_ball_that_it_is_of(self):
        n = math.ceil(math.sqrt(int(os.environ.get("SCAN_FACES", 200000)) / 12))
        radius = 0.05
        slope = [math.tan((2 * i / n - 1) * math.pi / 4) for i in range(n + 1)]

        def place(*cell):
            x = [slope[i] for i in cell]
            return [radius * y / math.hypot(*x) for y in x]
        with open(self.folder / "scan.stl", "wb") as stl:  # a cube of n × n cells on each side, blown up
            stl.write(b"\0" * 80 + struct.pack("<I", 12 * n * n))
            for axis in range(3):
                for side in (0, n):
                    grid = [[place(*((side, i, j), (j, side, i), (i, j, side))[axis]) for j in range(n + 1)] for i in range(n + 1)]
                    for i in range(n):
                        for j in range(n):
                            a, b, c, d = grid[i][j], grid[i + 1][j], grid[i + 1][j + 1], grid[i][j + 1]
                            if side == 0:
                                b, d = d, b
                            stl.write(struct.pack("<12fH12fH", 0, 0, 0, *a, *b, *c, 0, 0, 0, 0, *a, *c, *d, 0))
        result = self.run_clangor("modes", "scan.stl", "--material", '{"density": 7850, "young": 2e11, "poisson": 0.3}', "--edge", "0.02",
                                  "--count", "5", "--max-hz", "30000", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("faces of an oversampled mesh", result.stderr)
        report = json.loads(result.stdout)
        self.assertAlmostEqual(report["volume_m3"] / (4 / 3 * math.pi * radius ** 3), 1, delta=0.02)  # of a skin of flat faces
        # The lowest five are torsional, with 2.5011 waves of shear in 2π radii.
        exact = 2.5011 * math.sqrt(2e11 / 2.6 / 7850) / (2 * math.pi * radius)
        for found in report["frequencies_hz"]:
            self.assertAlmostEqual(found / exact, 1, delta=0.005)


if __name__ == "__main__":
    unittest.main()
