"""Thin shells as a user meets them: modes, strikes and scenes, and what is said of surfaces that are none.

Run by ctest with the program's path in CLANGOR. Only the standard library.
"""
import json
import math
import unittest

from cli_test import CommandLine, wav_samples

STEEL = {"density": 7800, "young": 2e11, "poisson": 0.3, "loss_factor": 0.002}
TEN = ["--material", json.dumps(STEEL), "--count", "10", "--max-hz", "3000", "--json"]
# Bending waves of a steel plate of 1 mm: ω = k² · 1.5322 m²/s.
WAVE = 0.001 * math.sqrt(2e11 / (12 * 7800 * 0.91))
# λ = ω a² √(ρh/D) of free plates, ν = 0.3: Ritz solution of the square, Bessel functions of the disc [Leissa1969].
SQUARE = (13.468197, 19.596137, 24.270201, 34.800891, 34.800891, 61.093234, 61.093234, 63.686134, 69.265405, 77.171702)
DISC = (5.358330, 5.358330, 9.003137, 12.438988, 12.438988, 20.474550, 20.474550, 21.835163, 21.835163, 33.494932)
# A tube of radius and length 0.1 m and a wall of 1 mm, by three-dimensional elasticity (Ritz), converged to 3e-6.
TUBE = (64.9777, 64.9777, 117.4131, 117.4131, 183.7721, 183.7721, 292.6470, 292.6470, 352.3228, 352.3228)


def obj(vertices, faces):
    return "".join(f"v {x} {y} {z}\n" for x, y, z in vertices) + "".join("f " + " ".join(str(i + 1) for i in f) + "\n" for f in faces)


SHEET = obj([(0, 0, 0), (200, 0, 0), (200, 200, 0), (0, 200, 0)], [(0, 1, 2), (0, 2, 3)])  # in millimetres


class Modes(CommandLine):
    def modes_of(self, mesh, *arguments):
        result = self.run_clangor("modes", mesh, *TEN, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def check_modes(self, report, hz):
        self.assertEqual(len(report["frequencies_hz"]), 10)
        for found, exact in zip(report["frequencies_hz"], hz):
            self.assertLess(abs(found / exact - 1), 0.01)

    def test_a_square_sheet_from_a_file_of_two_triangles(self):
        (self.folder / "sheet.obj").write_text(SHEET)
        report = self.modes_of("sheet.obj", "--scale", "0.001", "--shell", "0.001")
        self.check_modes(report, [x * WAVE / (2 * math.pi * 0.2 ** 2) for x in SQUARE])
        self.assertAlmostEqual(report["mass_kg"], 7800 * 0.001 * 0.04, places=6)
        self.assertAlmostEqual(report["wall_thickness_m"], 0.001)

    def test_a_disc_and_a_tube(self):
        self.check_modes(self.modes_of('{"disc": {"radius": 0.1}}', "--shell", "0.001"), [x * WAVE / (2 * math.pi * 0.1 ** 2) for x in DISC])
        self.check_modes(self.modes_of('{"can": {"radius": 0.1, "height": 0.1, "bottom": false}}', "--shell", "0.001"), TUBE)

    def test_half_the_wall_half_the_pitch(self):
        thick, thin = (self.modes_of('{"sheet": {"width": 0.2, "depth": 0.1}}', "--shell", h)["frequencies_hz"] for h in ("0.001", "0.0005"))
        for a, b in zip(thick, thin):
            self.assertLess(abs(a / b / 2 - 1), 0.005)


class Refuses(CommandLine):
    def refuse(self, mesh, *arguments, parts):
        self.check_refused(self.run_clangor("modes", mesh, "--material", "steel", "--max-hz", "2000", *arguments), *parts)

    def test_thicknesses_that_are_none(self):
        sheet = '{"sheet": {}}'
        self.refuse(sheet, "--shell", "0", parts=["--shell", "must be positive"])
        self.refuse(sheet, "--shell", "-0.001", parts=["--shell", "must be positive"])
        self.refuse(sheet, "--shell", "1", parts=["more than a fifth of its extent", "make it a solid"])
        self.refuse(sheet, "--shell", "1e-9", parts=["1e-7 of its extent", "check the units"])
        self.refuse(sheet, "--shell", "0.001", "--elements", "linear", parts=["--elements", "--shell"])
        bowl = ["strike", '{"bowl": {}}', "--material", "steel", "--at", "0,0,0", "--impulse", "0,0,0.01", "-o", "bowl.wav"]
        self.check_refused(self.run_clangor(*bowl, "--method", "linear"), "--shell")

    def test_surfaces_that_are_none(self):
        corners = [(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0.1, 0.1, 0), (0.05, 0.05, 0.1)]
        for name, faces, parts in (("wing.obj", [(0, 1, 2), (1, 3, 2), (1, 2, 4)], ["more than two triangles", "vertices 2 and 3"]),
                                   ("apart.obj", [(0, 1, 4), (2, 3, 4)], ["single vertex 5", "join the parts along an edge"])):
            (self.folder / name).write_text(obj(corners, faces))
            self.refuse(name, "--shell", "0.001", parts=parts)
        # A band with one side: five squares, the last one turned over.
        turn = [2 * math.pi * i / 12 for i in range(12)]
        around = [(math.cos(t) * (0.1 + w * math.cos(t / 2)), math.sin(t) * (0.1 + w * math.cos(t / 2)), w * math.sin(t / 2)) for t in turn for w in (-0.02, 0.02)]
        faces = []
        for i in range(12):
            a, b, c, d = 2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3
            if i == 11:
                c, d = 1, 0
            faces += [(a, c, b), (b, c, d)]
        (self.folder / "moebius.obj").write_text(obj(around, faces))
        self.refuse("moebius.obj", "--shell", "0.001", parts=["not wound alike", "cut it where it has only one side"])

    def test_in_a_scene_they_are_listed_with_the_rest(self):
        scene = {"clangor": 1, "duration": 1,
                 "objects": [{"name": "lid", "kind": "shell", "mesh": {"dome": {}}, "thickness": 1, "material": "steel"},
                             {"name": "tin", "kind": "shell", "mesh": {"can": {}}, "material": "steel"}],
                 "strikes": [{"object": "lid", "at": [0, 0, 0], "impulse": [0, -0.01, 0]}], "listeners": [{"name": "mic", "position": [0, 1, 1]}]}
        result = self.run_clangor("check", self.scene(scene))
        self.assertEqual(result.returncode, 2)
        self.assertIn('"thickness" is missing; give it, in m', result.stdout + result.stderr)
        scene["objects"][1]["thickness"] = 0.0002
        result = self.run_clangor("check", self.scene(scene))
        self.assertEqual(result.returncode, 2)
        self.assertIn('object "lid": the thickness of the shell is 1 m, more than a fifth', result.stdout + result.stderr)
        self.assertNotIn('"tin"', result.stdout + result.stderr)

    def test_a_foil_as_a_solid(self):
        self.refuse('{"plate": {"width": 2, "depth": 2, "thickness": 0.0005}}', parts=["solid elements would make it", "--shell 0.0005"])


class Sounds(CommandLine):
    DROP = {"clangor": 1, "duration": 1,
            "objects": [{"name": "lid", "kind": "shell", "mesh": {"dome": {"radius": 0.08, "depth": 0.02}}, "thickness": 0.001, "material": "steel",
                         "max_hz": 5000, "position": [0, 0.001, 0]},
                        {"name": "ball", "kind": "solid", "mesh": {"sphere": {"radius": 0.006}}, "material": "steel", "position": [0.03, 0.15, 0.01]},
                        {"name": "floor", "kind": "ground", "material": "concrete"}],
            "listeners": [{"name": "mic", "position": [0, 0.5, 0.6]}]}

    def test_a_ball_drops_on_a_steel_lid_alike_on_any_number_of_threads(self):
        scene = self.scene(self.DROP)
        sounds = []
        for threads in (1, 2, 3, 5):
            out = f"{threads}.wav"
            result = self.run_clangor("render", scene, "-o", out, "--quality", "draft", "--threads", threads, "--no-cache", "--json", "--stems", "stems")
            self.assertEqual(result.returncode, 0, result.stderr)
            sounds.append((self.folder / out).read_bytes())
        self.assertEqual(sounds[1:], [sounds[0]] * 3)
        samples = wav_samples(self.folder / "1.wav")
        self.assertTrue(all(map(math.isfinite, samples)))
        report = json.loads(result.stdout)
        self.assertEqual(report["warnings"], [])
        # An infinite sheet takes the ball's m = 7.1 g at v = 1.66 m/s within τ = m/8√(Dρh) = 0.07 ms; the volume that it pushes grows by mv/ρh, and with the
        # floor as a mirror p = ρ₀ mv/(2π r ρh τ) = 5 Pa at 0.8 m. It is smaller than that sheet, and air flows around it: within a factor of four.
        self.assertTrue(5 / 4 < report["peak_pa"] < 5 * 4, report["peak_pa"])
        # The lid rings on, and is heard by itself.
        lid = wav_samples(self.folder / "stems" / "lid.nonlinear.wav")
        self.assertGreater(max(map(abs, lid)), 0.3 * report["peak_pa"])
        # The ball meets the lid, not the floor below: it falls 0.14 m, less the lid's rise.
        first = next(i for i, x in enumerate(samples) if abs(x) > 1e-3 * report["peak_pa"]) / 48000
        self.assertTrue(0.16 < first < 0.175, first)

    def test_a_bowl_is_as_loud_as_a_shell_as_it_is_as_a_solid(self):
        arguments = ["--material", json.dumps(STEEL), "--at", "0.07,0.045,0.005", "--mallet", "rubber", "--listener", "0.3,0.4,0.5", "--duration", "1",
                     "--quality", "draft", "--max-hz", "5000", "--json"]
        rms = []
        for mesh in (['{"dome": {"radius": 0.08, "depth": 0.05}}', "--shell", "0.003"], ['{"bowl": {"radius": 0.08, "depth": 0.05, "thickness": 0.003}}']):
            result = self.run_clangor("strike", *mesh, *arguments, "-o", "bowl.wav")
            self.assertEqual(result.returncode, 0, result.stderr)
            rms.append(json.loads(result.stdout)["rms_pa"])
        self.assertLess(abs(20 * math.log10(rms[0] / rms[1])), 1)

    def test_strike_of_a_model_file_equals_strike_of_the_mesh(self):
        lid = ['{"dome": {"radius": 0.08, "depth": 0.02}}', "--shell", "0.001", "--material", "steel", "--max-hz", "4000"]
        hit = ["--at", "0.03,0,0", "--impulse", "0,-0.01,0", "--quality", "draft"]
        result = self.run_clangor("modes", *lid, "--refinement", "0.75", "-o", "lid.h5")  # that of drafts
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.run_clangor("strike", *lid, *hit, "--method", "linear", "-o", "mesh.wav").returncode, 0)
        self.assertEqual(self.run_clangor("strike", "lid.h5", *hit, "-o", "model.wav").returncode, 0)
        self.assertEqual((self.folder / "mesh.wav").read_bytes(), (self.folder / "model.wav").read_bytes())
        result = self.run_clangor("strike", "lid.h5", "--shell", "0.001", *hit, "-o", "again.wav")
        self.assertEqual(result.returncode, 2)
        self.assertIn("a model knows its own walls", result.stderr)

    def test_methods_sound_alike_where_they_should_and_differ_where_they_should(self):
        strike = ["strike", '{"sheet": {"width": 0.3, "depth": 0.2}}', "--shell", "0.0005", "--material", json.dumps(STEEL), "--at", "0.1,0,0.07",
                  "--max-hz", "2000", "--quality", "draft", "--duration", "0.5", "--json"]
        rms = {}
        for method in ("linear", "nonlinear", "seed"):
            for impulse in ("1e-6", "0.05"):
                result = self.run_clangor(*strike, "--method", method, "--impulse", f"0,-{impulse},0", "-o", "sheet.wav")
                self.assertEqual(result.returncode, 0, result.stderr)
                rms[method, impulse] = json.loads(result.stdout)["rms_pa"]
        for method in ("nonlinear", "seed"):
            self.assertLess(abs(20 * math.log10(rms[method, "1e-6"] / rms["linear", "1e-6"])), 0.1)
            self.assertGreater(abs(rms[method, "0.05"] / rms["linear", "0.05"] - 1), 0.05)
        self.assertAlmostEqual(rms["linear", "0.05"] / rms["linear", "1e-6"] / 5e4, 1, places=3)


if __name__ == "__main__":
    unittest.main()
