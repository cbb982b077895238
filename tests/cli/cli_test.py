"""The command line as a user meets it: results, exit codes, messages, and what is left behind when things go wrong.

Run by ctest with the program's path in CLANGOR. Only the standard library.
"""
import csv
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

CLANGOR = os.environ["CLANGOR"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
# Small and quick to bake: a glass bar. Its elements are long, for nothing here asks how exact its pitch is.
BAR = '{"box": {"size": [0.1, 0.02, 0.01]}}'
COARSE = ["--edge", "0.02"]
HIT = ["--at", "0.05,0.01,0", "--impulse", "0,-0.01,0", "--listener", "0,0.3,0.4"]
STRIKE = ["--material", "glass", *HIT, "--max-hz", "12000", *COARSE]


def wav_samples(path):
    """Samples of a 32-bit float WAV file."""
    data = pathlib.Path(path).read_bytes()
    assert data[:4] == b"RIFF" and data[8:12] == b"WAVE"
    at = 12
    while data[at:at + 4] != b"data":
        at += 8 + struct.unpack("<I", data[at + 4:at + 8])[0]
    size = struct.unpack("<I", data[at + 4:at + 8])[0]
    return struct.unpack(f"<{size // 4}f", data[at + 8:at + 8 + size])


class CommandLine(unittest.TestCase):
    cache = None

    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.cache = pathlib.Path(cls.shared.name) / "cache"

    @classmethod
    def tearDownClass(cls):
        cls.shared.cleanup()

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def run_clangor(self, *arguments, cache=None, timeout=300):
        environment = dict(os.environ, CLANGOR_CACHE=str(cache or self.cache))
        return subprocess.run([CLANGOR, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder, env=environment, timeout=timeout)

    def check_refused(self, result, *parts, code=2):
        self.assertEqual(result.returncode, code, result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual([p.name for p in self.folder.iterdir() if p.suffix in (".wav", ".h5")], [])

    def scene(self, text, name="scene.json"):
        (self.folder / name).write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return name

    def good_scene(self, **changes):
        return {"clangor": 1, "duration": 0.5,
                "objects": [{"name": "bar", "kind": "solid", "mesh": json.loads(BAR), "material": "glass", "max_hz": 12000, "edge_length": 0.02}],
                "strikes": [{"object": "bar", "time": 0.05, "at": [0.05, 0.01, 0], "impulse": [0, -0.01, 0]}],
                "listeners": [{"name": "mic", "position": [0, 0.3, 0.4]}], **changes}


class Works(CommandLine):
    def test_strike_writes_pascals_and_a_report(self):
        result = self.run_clangor("strike", BAR, *STRIKE, "--duration", "0.5", "-o", "bar.wav", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        samples = wav_samples(self.folder / "bar.wav")
        self.assertEqual(len(samples), 24000)
        self.assertTrue(all(map(math.isfinite, samples)))
        report = json.loads(result.stdout)
        self.assertAlmostEqual(report["peak_pa"], max(map(abs, samples)), delta=1e-6 * report["peak_pa"])
        self.assertEqual(report, json.loads((self.folder / "bar.report.json").read_text()))
        # A 10 g·m/s tap on a 50 g bar at half a metre: between a whisper and a shout.
        self.assertTrue(1e-4 < report["peak_pa"] < 10, report["peak_pa"])
        # Nothing is heard before the sound has come 0.5 m at 343 m/s: less than the bar's own size of 0.1 m earlier.
        silent = int((0.5 - 0.06) / 343.2 * 48000)
        self.assertLess(max(map(abs, samples[:silent])), 1e-3 * report["peak_pa"])

    def test_strike_of_a_model_file_equals_strike_of_the_mesh(self):
        self.assertEqual(self.run_clangor("modes", BAR, "--material", "glass", "--max-hz", "12000", *COARSE, "-o", "bar.h5").returncode, 0)
        self.assertEqual(self.run_clangor("strike", BAR, *STRIKE, "-o", "mesh.wav").returncode, 0)
        self.assertEqual(self.run_clangor("strike", "bar.h5", *HIT, "-o", "model.wav").returncode, 0)
        self.assertEqual((self.folder / "mesh.wav").read_bytes(), (self.folder / "model.wav").read_bytes())

    def test_a_mallet_is_dull_where_it_is_soft_and_its_force_is_in_the_table(self):
        energies = []
        for material in ("steel", "wood", "rubber", "felt", "finger"):
            mallet = {"mass": 0.02, "radius": 0.01, "material": material, "speed": 1.5}
            strike = {"object": "bar", "time": 0.05, "at": [0.045, 0.01, 0], "by": {"mallet": mallet}}
            scene = self.scene(self.good_scene(strikes=[strike, {"object": "bar", "time": 0.2, "at": [0.05, 0.01, 0], "impulse": [0, -0.01, 0]}]))
            result = self.run_clangor("render", scene, "-o", "out.wav", "--impacts", "out.csv", "--quality", "draft", "--stems", "stems")
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(self.folder / "out.csv", newline="", encoding="utf-8") as file:
                by_mallet, by_impulse = csv.DictReader(file)
            self.assertEqual((by_mallet["object"], by_mallet["other"]), ("bar", "mallet of " + {"wood": "maple"}.get(material, material)))
            self.assertEqual((by_impulse["other"], by_impulse["approach_m_s"]), ("", ""))
            self.assertAlmostEqual(float(by_impulse["impulse_Ns"]), 0.01, delta=1e-8)
            self.assertTrue(0.01 < float(by_mallet["impulse_Ns"]) < 2 * 0.02 * 1.5, by_mallet)
            energies.append(float(by_mallet["energy_object_J"]) / float(by_mallet["impulse_Ns"]) ** 2)
            self.assertTrue((self.folder / "stems" / "bar.mallet.wav").exists())
        self.assertEqual(energies, sorted(energies, reverse=True))
        self.assertLess(energies[-1], 1e-3 * energies[0])

    def test_strike_by_a_mallet(self):
        bar = ["strike", BAR, "--material", "glass", "--at", "0.05,0.01,0", "--max-hz", "12000", *COARSE, "--quality", "draft"]
        loudest = {}
        for mallet in ("rubber", "rubber,speed=0.5", "mass=0.02,radius=0.012,material=rubber,speed=1.5", '{"mass": 0.02, "radius": 0.012, "material": "rubber", "speed": 1.5}'):
            result = self.run_clangor(*bar, "--mallet", mallet, "--direction", "0,-1,0", "-o", "out.wav", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            loudest[mallet] = json.loads(result.stdout)["peak_pa"]
        first, slow, *same = loudest.values()
        self.assertLess(slow, 0.5 * first)
        self.assertEqual(same, [first, first])
        self.assertIn("finger (12 g", self.run_clangor("strike", "--help").stdout)

    def test_modes_of_a_bar_as_json(self):
        result = self.run_clangor("modes", '{"box": {"size": [0.2, 0.01, 0.02]}}', "--material",
                                  '{"density": 7850, "young": 2e11, "poisson": 0.3}', "--count", "3", "--edge", "0.01", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        for found, exact in zip(report["frequencies_hz"], (1285.95, 2506.99, 3490.57)):  # 3-D Ritz, converged to 1e-6
            self.assertLess(abs(found / exact - 1), 0.01)
        self.assertEqual(len(report["residuals"]), 3)
        self.assertAlmostEqual(report["volume_m3"], 0.2 * 0.01 * 0.02, delta=1e-9)
        self.assertAlmostEqual(report["mass_kg"], 7850 * 0.2 * 0.01 * 0.02, delta=1e-5)

    def test_modes_ring_for_as_long_as_their_material_lets_them_and_shorter_in_air(self):
        loss = {"density": 2500, "young": 7e10, "poisson": 0.2}
        lossy = json.dumps({**loss, "damping": {"alpha": 10}})
        arguments = [*COARSE, "--count", "2", "--material"]
        report = json.loads(self.run_clangor("modes", BAR, *arguments, lossy, "--json").stdout)
        for hz, xi, radiated, t60, in_air in zip(*(report[key] for key in (
                "frequencies_hz", "damping_ratios", "radiation_damping_ratios", "t60_s", "t60_with_air_s"))):
            self.assertAlmostEqual(t60, math.log(1000) / (10 / 2), places=9)  # ξω = α/2
            self.assertAlmostEqual(in_air, math.log(1000) / ((xi + radiated) * 2 * math.pi * hz), places=9)
            self.assertLess(in_air, t60)
        self.assertEqual(report["air_from"], "estimate")
        # Without losses of its own a mode rings for ever but for the air.
        report = json.loads(self.run_clangor("modes", BAR, *arguments, json.dumps(loss), "--json").stdout)
        self.assertEqual(report["t60_s"], [None, None])
        self.assertTrue(all(0 < t < math.inf for t in report["t60_with_air_s"]))
        table = self.run_clangor("modes", BAR, *arguments, json.dumps(loss)).stdout
        self.assertIn("∞", table)
        self.assertIn("--sound-fields", table)
        solved = json.loads(self.run_clangor("modes", BAR, *arguments, json.dumps(loss), "--json", "--sound-fields").stdout)
        self.assertEqual(solved["air_from"], "sound fields")
        # Compact sources are up to 5.6 dB off for fields of the third order, docs/theory/compact-radiation.md; a bar's lowest modes have no higher ones.
        for estimate, field in zip(report["t60_with_air_s"], solved["t60_with_air_s"]):
            self.assertLess(abs(math.log10(estimate / field)), 0.56)

    def test_supports_on_the_command_line(self):
        steel = '{"density": 7850, "young": 2e11, "poisson": 0.3}'
        arguments = ["modes", '{"box": {"size": [0.2, 0.01, 0.02]}}', "--material", steel, "--count", "1", "--json", "--supports"]
        report = json.loads(self.run_clangor(*arguments, '[{"kind": "clamped", "side": "-x"}]').stdout)
        self.assertLess(abs(report["frequencies_hz"][0] / 203.446 - 1), 0.01)  # Timoshenko's cantilever
        for supports, words in (("[]", ("supports",)), ('{"kind": "glued", "side": "-x"}', ("kind", "glued")),
                                ('{"kind": "clamped", "at": [9, 9, 9]}', ("support 1", "misses", "closest point"))):
            self.check_refused(self.run_clangor(*arguments, supports), *words)

    def test_size_is_said_first(self):
        result = self.run_clangor("modes", BAR, "--material", "glass", "--count", "2", *COARSE)
        self.assertEqual(result.stderr.splitlines()[0], "the shape: 100 × 20 × 10 mm")

    def test_one_and_two_threads_give_identical_bytes(self):
        scene = self.scene(self.good_scene())
        for threads in (1, 2):
            result = self.run_clangor("render", scene, "-o", f"{threads}.wav", "--threads", threads, cache=self.folder / f"cache{threads}")
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "1.wav").read_bytes(), (self.folder / "2.wav").read_bytes())
        baked = [sorted(p for p in (self.folder / f"cache{t}").rglob("*") if p.is_file()) for t in (1, 2)]
        self.assertEqual([p.name for p in baked[0]], [p.name for p in baked[1]])
        self.assertEqual([p.read_bytes() for p in baked[0]], [p.read_bytes() for p in baked[1]])

    def test_stems_add_up_to_the_mix(self):
        scene = self.good_scene()
        scene["objects"].append({**scene["objects"][0], "name": "other", "position": [0.2, 0, 0]})
        mallet = {"mass": 0.01, "radius": 0.008, "material": "wood", "speed": 1}
        scene["strikes"].append({"object": "other", "time": 0.1, "at": [0.05, 0.01, 0], "by": {"mallet": mallet}})
        result = self.run_clangor("render", self.scene(scene), "-o", "mix.wav", "--stems", "stems")
        self.assertEqual(result.returncode, 0, result.stderr)
        mix = wav_samples(self.folder / "mix.wav")
        stems = [wav_samples(p) for p in sorted((self.folder / "stems").glob("*.wav"))]
        names = [p.name for p in sorted((self.folder / "stems").glob("*.wav"))]
        self.assertEqual(names, ["bar.acceleration.wav", "bar.modal.wav", "other.acceleration.wav", "other.mallet.wav", "other.modal.wav"])
        for whole, *parts in zip(mix, *stems):
            self.assertAlmostEqual(whole, sum(parts), delta=1e-6)

    def test_auto_gain_reaches_one_decibel_below_full_scale(self):
        self.assertEqual(self.run_clangor("strike", BAR, *STRIKE, "-o", "bar.wav", "--gain", "auto").returncode, 0)
        self.assertAlmostEqual(max(map(abs, wav_samples(self.folder / "bar.wav"))), 10 ** (-1 / 20), delta=1e-4)

    def test_materials_lists_at_least_24(self):
        materials = json.loads(self.run_clangor("materials", "--json").stdout)["materials"]
        self.assertGreaterEqual(len(materials), 24)
        self.assertTrue(all(m["source"] for m in materials))

    def test_check_accepts_every_example(self):
        for example in sorted(EXAMPLES.glob("*.json")):
            self.assertEqual(self.run_clangor("check", example).returncode, 0, example)

    def test_sox_reads_every_kind_of_wav_without_a_warning(self):
        if not shutil.which("soxi"):
            self.skipTest("sox is not installed")
        kinds = [{"name": "mic", "position": [0, 0.3, 0.4]}], [{"name": "pair", "kind": "xy", "position": [0, 0.3, 0.4]}], [{"name": "room", "kind": "ambisonic", "position": [0, 0.3, 0.4]}]
        for listeners in kinds:
            for bits in ("16", "24", "32f"):
                result = self.run_clangor("render", self.scene(self.good_scene(listeners=listeners)), "-o", "out.wav", "--bits", bits, "--quality", "draft")
                self.assertEqual(result.returncode, 0, result.stderr)
                heard = subprocess.run(["soxi", self.folder / "out.wav"], capture_output=True, text=True)
                self.assertEqual((heard.returncode, heard.stderr), (0, ""), f"{bits} {listeners}")
                self.assertIn("= 24000 samples", heard.stdout)

    def test_a_mesh_as_stl_is_the_same_object_and_no_reason_to_warn(self):
        corners, triangles = box_mesh()
        (self.folder / "bar.obj").write_text(obj_text(corners, triangles))
        with open(self.folder / "bar.stl", "wb") as stl:
            stl.write(b"\0" * 80 + struct.pack("<I", len(triangles)))
            for triangle in triangles:
                stl.write(struct.pack("<12fH", 0, 0, 0, *(x for i in triangle for x in corners[i]), 0))
        modes = {}
        for mesh in ("bar.obj", "bar.stl"):
            result = self.run_clangor("modes", mesh, "--material", "glass", "--count", "3", "--edge", "0.01", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertNotIn("warning", result.stderr)
            self.assertEqual(json.loads(result.stdout)["warnings"], [])
            modes[mesh] = json.loads(result.stdout)["frequencies_hz"]
        for a, b in zip(*modes.values()):  # float coordinates are off by 6e-8, and meshes differ by that
            self.assertLess(abs(a / b - 1), 1e-3)

    def test_the_xylophone_says_its_pitch(self):
        scene = json.loads((EXAMPLES / "xylophone_bar.json").read_text(encoding="utf-8"))
        said_hz = float(re.search(r"an A5 of (\d+) Hz", scene["description"])[1])
        bar = scene["objects"][0]
        result = self.run_clangor("modes", json.dumps(bar["mesh"]), "--material", bar["material"], "--count", "1", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(abs(json.loads(result.stdout)["frequencies_hz"][0] / said_hz - 1), 0.005)
        self.assertEqual(round(12 * math.log2(said_hz / 880)), 0)  # an A5 is 880 Hz, to the nearest semitone

    def test_help_teaches(self):
        for command in ([], ["render"], ["strike"], ["modes"], ["bake"], ["check"], ["materials"], ["validate"]):
            result = self.run_clangor(*command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("Options", result.stdout)


class BadScenes(CommandLine):
    def refuse(self, text, *parts):
        self.check_refused(self.run_clangor("render", self.scene(text), "-o", "out.wav"), *parts)

    def test_unknown_key_suggests_the_nearest(self):
        self.refuse(json.dumps(self.good_scene(), indent=1).replace('"duration"', '"duraton"'), "scene.json:3", "duration")

    def test_duplicate_key(self):
        self.refuse('{"clangor": 1,\n "duration": 1,\n "duration": 2}', "scene.json:3", "duration")

    def test_wrong_type(self):
        self.refuse(self.good_scene(duration="long"), "duration", "number")

    def test_invalid_utf8(self):
        (self.folder / "scene.json").write_bytes(b'{"clangor": 1, "objects": [{"name": "\xff\xfe"}]}')
        self.check_refused(self.run_clangor("render", "scene.json", "-o", "out.wav"), "scene.json", "UTF-8")

    def test_deep_nesting(self):
        self.refuse("[" * 100000, "scene.json")

    def test_bad_materials(self):
        for material, word in (({"density": 0, "young": 1e9, "poisson": 0.3}, "density"), ({"density": 1, "young": 1e9, "poisson": 0.5}, "poisson"),
                               ({"density": 1, "young": 1e9, "poisson": -1}, "poisson"),
                               ({"density": 1, "young": 1e9, "poisson": 0.3, "damping": {"alpha": -1}}, "alpha"), ("unobtainium", "unobtainium")):
            scene = self.good_scene()
            scene["objects"][0]["material"] = material
            with self.subTest(material=material):
                self.refuse(scene, word)

    def test_contradictory_damping(self):
        scene = self.good_scene()
        scene["objects"][0]["material"] = {"density": 1, "young": 1e9, "poisson": 0.3, "damping": {"alpha": 1}, "loss_factors": [{"hz": 100, "loss_factor": 0.1}]}
        self.refuse(scene, "bar", "damping", "loss_factors", "only one")

    def test_supports_that_miss_or_hold_nothing(self):
        for supports, words in (([], ("supports", "at least 1")), ([{"kind": "felt", "side": "-y"}], ("stiffness", "holds nothing")),
                                ([{"kind": "clamped", "at": [0.5, 0, 0]}], ("support 1", "misses", "closest point")),
                                ([{"kind": "clamped", "side": "-x", "depth": 5}], ("support 1", "all of the body"))):
            scene = self.good_scene()
            scene["objects"][0]["supports"] = supports
            with self.subTest(supports=supports):
                self.refuse(scene, "bar", *words)

    def test_strike_that_misses(self):
        scene = self.good_scene()
        scene["strikes"][0]["at"] = [0.5, 0, 0]
        self.refuse(scene, "misses", "bar", "closest point")

    def test_duration_and_rate_out_of_range(self):
        self.refuse(self.good_scene(duration=0), "duration")
        self.refuse(self.good_scene(duration=1e9), "duration")
        self.assertEqual(self.run_clangor("render", self.scene(self.good_scene()), "-o", "out.wav", "--rate", "100").returncode, 2)

    def test_every_problem_is_listed_at_once(self):
        scene = self.good_scene(duration=-1, listners=[])
        scene["objects"][0]["material"] = "unobtainium"
        result = self.run_clangor("check", self.scene(scene))
        self.assertEqual(result.returncode, 2)
        self.assertGreaterEqual(result.stderr.count("scene.json:"), 3)


class Misspelt(CommandLine):
    def test_a_command(self):
        self.check_refused(self.run_clangor("rendr", "scene.json", "-o", "out.wav"), 'no command "rendr"', 'did you mean "render"?')
        self.check_refused(self.run_clangor("play"), 'no command "play"', "known:", "strike")

    def test_a_family_of_materials(self):
        for word, some in (("wood", ("oak", "spruce")), ("metal", ("steel", "brass")), ("plastic", ("abs", "nylon")), ("Wooden", ("oak",)), ("stone", ("granite",))):
            for command in (["modes", BAR, "--material", word], ["check", self.scene(self.good_scene(objects=[
                    {"name": "bar", "kind": "solid", "mesh": json.loads(BAR), "material": word}]))]):
                self.check_refused(self.run_clangor(*command), f'unknown material "{word}"', "did you mean", *some)
        self.check_refused(self.run_clangor("modes", BAR, "--material", "stel"), 'did you mean "steel"?')

    def test_a_strike_without_impulse(self):
        arguments = [x if x != "0,-0.01,0" else "0,0,0" for x in STRIKE]
        self.check_refused(self.run_clangor("strike", BAR, *arguments, "-o", "out.wav"), "--impulse", "zero")
        self.check_refused(self.run_clangor("strike", BAR, *[x if x != "0,-0.01,0" else "0,nan,0" for x in STRIKE], "-o", "out.wav"), "--impulse")
        scene = self.good_scene()
        scene["strikes"][0]["impulse"] = [0, 0, 0]
        self.check_refused(self.run_clangor("render", self.scene(scene), "-o", "out.wav"), "impulse must not be zero")
        del scene["strikes"][0]["impulse"]
        self.check_refused(self.run_clangor("check", self.scene(scene)), '"impulse" is missing; give it, or by')
        nothing = [x for x in STRIKE if x not in ("--impulse", "0,-0.01,0")]
        self.check_refused(self.run_clangor("strike", BAR, *nothing, "-o", "out.wav"), "nothing strikes", "--mallet", "--impulse")


    def test_a_mallet(self):
        for mallet, *words in (("rubbr", 'no mallet "rubbr"', "known: steel, wood, rubber, felt, finger", "material=nylon"),
                               ("radius=0.01,material=nylon,speed=1", '"mass" is missing', "in kg"),
                               ("rubber,mass=0", "mass must be in (0, 1000] kg, but is 0 kg"),
                               ("rubber,speed=-1", "speed must be in (0, 1000] m/s, but is -1 m/s"),
                               ("rubber,speed=nan", "speed must be in (0, 1000] m/s, but is nan m/s"),
                               ("rubber,weight=1", 'unknown key "weight"'),
                               ("rubber,speed=fast", "speed must be a number"),
                               ("mass=0.02,radius=0.01,material=unobtainium,speed=1", 'unknown material "unobtainium"', "clangor materials"),
                               ("rubber,radius=0.5", "larger than", "smaller radius, in metres"),
                               ('{"mass": 1', "--mallet")):
            with self.subTest(mallet=mallet):
                self.check_refused(self.run_clangor("strike", BAR, "--material", "glass", "--at", "0.05,0.01,0", "--mallet", mallet, "-o", "out.wav"), *words)
        both = ["strike", BAR, *STRIKE, "--mallet", "rubber", "-o", "out.wav"]
        self.check_refused(self.run_clangor(*both), "--mallet", "excludes", "--impulse")
        self.check_refused(self.run_clangor(*both[:2], "--material", "glass", "--at", "0.05,0.01,0", "--mallet", "rubber", "--direction", "0,1,0", "-o", "out.wav"),
                           "away from the surface", "straight into it is")

    def test_a_mallet_in_a_scene(self):
        good = {"mass": 0.02, "radius": 0.01, "material": "rubber", "speed": 1.5}
        for change, *words in (({"mass": 0}, "strike 1: by: mallet: mass must be in (0, 1000] kg, but is 0 kg"),
                               ({"mass": None}, "mass must be a number"),
                               ({"radius": 0.5}, "strike 1: the head of the mallet", "larger than"),
                               ({"material": "feltt"}, "unknown material", "did you mean felt?"),
                               ({"speed": -1}, "speed must be in (0, 1000] m/s"),
                               ({"direction": [0, 0, 0]}, "direction must not be zero", "leave it out"),
                               ({"direction": [0, 1, 0]}, "away from the surface")):
            with self.subTest(change=change):
                scene = self.good_scene(strikes=[{"object": "bar", "at": [0.05, 0.01, 0.001], "by": {"mallet": good | change}}])
                self.check_refused(self.run_clangor("check", self.scene(scene)), *words)
        for name in good:
            without = {key: value for key, value in good.items() if key != name}
            scene = self.good_scene(strikes=[{"object": "bar", "at": [0.05, 0.01, 0], "by": {"mallet": without}}])
            self.check_refused(self.run_clangor("check", self.scene(scene)), f'strike 1: by: mallet: "{name}" is missing')
        both = {"object": "bar", "at": [0.05, 0.01, 0], "impulse": [0, -1, 0], "by": {"mallet": good}}
        self.check_refused(self.run_clangor("check", self.scene(self.good_scene(strikes=[both]))), "only one of impulse and by may be given")


class Moving(CommandLine):
    """Scenes that move: simulated, imported, and what goes wrong with them."""

    def moving(self, **changes):
        bar = {"name": "bar", "kind": "solid", "mesh": {"box": {"size": [0.1, 0.02, 0.01]}}, "material": "steel",
               "position": [0, 0.1, 0], "rotation_deg": [0, 0, 20], "max_modes": 8, "edge_length": 0.02}
        scene = {"clangor": 1, "duration": 0.6,
                 "objects": [bar | changes.pop("bar", {}), {"name": "floor", "kind": "ground", "material": "oak"}],
                 "listeners": [{"name": "mic", "position": [0, 0.5, 0.5]}]} | changes
        path = self.folder / "scene.json"
        path.write_text(json.dumps(scene))
        return path

    def render(self, path, *options):
        return self.run_clangor("render", path, "--quality", "draft", "-o", "out.wav", "--json", *options)

    def report(self, path, *options):
        result = self.render(path, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_a_dropped_bar_is_heard_and_seen(self):
        listeners = [{"name": "mic", "position": [0, 0.5, 0.5]}, {"name": "head", "kind": "binaural", "position": [0, 0.5, 0.5]}]
        report = self.report(self.moving(listeners=listeners), "--motion", "out.glb", "--stems", "stems", "--split")
        self.assertGreater(report["motion"]["impacts"], 1)
        self.assertGreater(report["peak_pa"], 1e-3)
        self.assertEqual(report["files"], ["out-mic.wav", "out-head.wav"])
        self.assertEqual((self.folder / "out.glb").read_bytes()[:4], b"glTF")
        self.assertTrue((self.folder / "stems" / "bar.modal.wav").exists())

    def test_what_was_rendered_moves_again_when_imported(self):
        first = self.report(self.moving(), "--motion", "out.glb", "--motion-fps", "240")
        again = self.report(self.moving(bar={"trajectory": "out.glb#bar"}))
        self.assertGreater(again["motion"]["impacts"], 0)
        self.assertLess(abs(math.log10(again["peak_pa"] / first["peak_pa"])), 0.5)

    def test_mesh_and_trajectory_of_one_node_fit_together(self):
        """What --motion wrote is enough for a scene: its mesh, its motion, and its collisions, which are found once."""
        first = self.report(self.moving(), "--motion", "out.glb", "--motion-fps", "240")
        again = self.moving(bar={"mesh": "out.glb#bar", "trajectory": "out.glb#bar"})
        found, kept = self.report(again), self.report(again)
        self.assertGreater(found["motion"]["impacts"], 0)
        self.assertLess(abs(math.log10(found["peak_pa"] / first["peak_pa"])), 0.5)
        self.assertEqual((found["motion"]["from_cache"], kept["motion"]["from_cache"]), (False, True))
        self.assertEqual(kept["peak_pa"], found["peak_pa"])
        modes = [json.loads(self.run_clangor("modes", mesh, "--material", "steel", "--max-hz", "9000", "--edge", "0.01", "--json").stdout)["frequencies_hz"]
                 for mesh in (BAR, "out.glb#bar")]
        for a, b in zip(*modes):
            self.assertAlmostEqual(a / b, 1, delta=2e-3)  # single precision corners make other tetrahedra
        wrong = self.render(self.moving(bar={"mesh": "out.glb#baar"}))
        self.assertEqual(wrong.returncode, 2)
        self.assertIn('no node is called "baar"; did you mean "bar"? There are: bar, mic, floor', wrong.stderr)
        gone = self.run_clangor("check", self.moving(bar={"mesh": "gone.glb#bar"}))
        self.assertEqual(gone.returncode, 2)
        self.assertIn("gone.glb does not exist", gone.stderr)

    def test_imported_impacts(self):
        (self.folder / "hits.csv").write_text("time,object,x,y,z,jx,jy,jz,speed\n0.1,bar,0.05,0.1,0,0,-0.01,0,1\n7,bar,0.05,0.1,0,0,-0.01,0,1\n")
        report = self.report(self.moving(bar={"rotation_deg": [0, 0, 0]}, motion={"impacts": "hits.csv"}))
        self.assertEqual(report["impacts"], 1)
        self.assertEqual(report["warning_count"], 1)
        self.assertIn("outside", report["warnings"][0])
        (self.folder / "hits.csv").write_text("time,object,x,y,z,impulse,speed\n0.1,bat,0.05,0.1,0,0.01,1\n")
        result = self.render(self.moving(motion={"impacts": "hits.csv"}))
        self.assertEqual(result.returncode, 2)
        self.assertIn("hits.csv:2", result.stderr)
        self.assertIn('"bar"', result.stderr)

    def test_integer_files_clip_only_with_a_warning(self):
        loud = self.report(self.moving(), "--bits", "16", "--gain", "60")
        self.assertTrue(any("clipped" in warning for warning in loud["warnings"]))
        limited = self.report(self.moving(), "--bits", "16", "--gain", "60", "--limit")
        self.assertFalse(any("clipped" in warning for warning in limited["warnings"]))
        self.assertGreater(limited["limited_db"], 1)

    def test_flac(self):
        result = self.run_clangor("render", self.moving(), "--quality", "draft", "-o", "out.flac", "--gain", "auto")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "out.flac").read_bytes()[:4], b"fLaC")

    def test_bodies_that_overlap_are_parted_and_counted(self):
        report = self.report(self.moving(bar={"position": [0, 0.005, 0], "rotation_deg": [0, 0, 0]}))
        self.assertEqual(report["warning_count"], len(report["warnings"]))
        self.assertTrue(any("overlapped" in warning and '"bar"' in warning for warning in report["warnings"]))

    def test_a_body_that_leaves_the_world_is_named(self):
        report = self.report(self.moving(duration=2.0, bar={"velocity": [7e3, 7e3, 0]}))
        self.assertTrue(any('"bar"' in warning for warning in report["warnings"]), report["warnings"])

    def test_a_damaged_sofa_file_is_refused(self):
        (self.folder / "ears.sofa").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(range(256)) * 20)
        result = self.render(self.moving(listeners=[{"name": "head", "kind": "binaural", "position": [0, 1, 0], "sofa": "ears.sofa"}]))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("ears.sofa", result.stderr)


def box_mesh(size=(0.1, 0.02, 0.01)):
    """Corners and triangles of a box about the origin."""
    corners = [tuple(s * side / 2 for s, side in zip(signs, size)) for signs in itertools.product((-1, 1), repeat=3)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def obj_text(corners, triangles):
    return "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)


def gltf(corners, triangles, buffer=None, node="bar"):
    """A .gltf text and its numbers, which are in the file `buffer`; its node moves from 0 to 1 m along x in a second."""
    numbers = [struct.pack("<3f", *corner) for corner in corners] + [struct.pack("<3H", *triangle) for triangle in triangles]
    numbers += [struct.pack("<2f", 0, 1), struct.pack("<6f", 0, 0, 0, 1, 0, 0)]
    sizes = [12 * len(corners), 6 * len(triangles), 8, 24]
    starts = [sum(sizes[:i]) for i in range(4)]
    root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": node, "mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "animations": [{"samplers": [{"input": 2, "output": 3}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(corners), "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5123, "count": 3 * len(triangles), "type": "SCALAR"},
                          {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR"},
                          {"bufferView": 3, "componentType": 5126, "count": 2, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteOffset": a, "byteLength": n} for a, n in zip(starts, sizes)],
            "buffers": [{"byteLength": sum(sizes)} | ({"uri": buffer.replace(" ", "%20")} if buffer else {})]}
    return json.dumps(root), b"".join(numbers)


def glb(corners, triangles, node):
    """The same as one .glb file."""
    text, numbers = gltf(corners, triangles, node=node)
    chunks = [(b"JSON", text.encode() + b" " * (-len(text) % 4)), (b"BIN\0", numbers + b"\0" * (-len(numbers) % 4))]
    body = b"".join(struct.pack("<I", len(data)) + kind + data for kind, data in chunks)
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


class KeepsInputs(CommandLine):
    """Whatever outputs are called: no input changes, and what would change one is refused before any work."""

    INPUTS = ["scene.json", "bar.obj", "cup.gltf", "the cup.bin", "shot.gltf", "shot.bin", "path.csv", "hits.csv", "clay.json", "ears.sofa"]

    def setUp(self):
        super().setUp()
        corners, triangles = box_mesh()
        (self.folder / "bar.obj").write_text(obj_text(corners, triangles))
        for name, buffer in (("cup.gltf", "the cup.bin"), ("shot.gltf", "shot.bin")):
            text, numbers = gltf(corners, triangles, buffer)
            (self.folder / name).write_text(text)
            (self.folder / buffer).write_bytes(numbers)
        (self.folder / "path.csv").write_text("time,x,y,z\n0,0,1,1\n1,1,1,1\n")
        (self.folder / "hits.csv").write_text("time,object,x,y,z,impulse,speed\n0.1,bar,0.05,0,0,0.01,1\n")
        (self.folder / "clay.json").write_text('{"density": 2000, "young": 3e10, "poisson": 0.2}')
        (self.folder / "ears.sofa").write_bytes(b"\x89HDF\r\n\x1a\n")
        solid = {"kind": "solid", "material": "clay.json", "max_modes": 4}
        self.scene({"clangor": 1, "duration": 0.2, "motion": {"impacts": "hits.csv"},
                    "objects": [{"name": "bar", "mesh": "bar.obj", "motion": "fixed", **solid}, {"name": "cup", "mesh": "cup.gltf", "trajectory": "shot.gltf#bar", **solid}],
                    "listeners": [{"name": "mic", "trajectory": "path.csv"}, {"name": "head", "kind": "binaural", "position": [0, 1, 1], "sofa": "ears.sofa"}]})
        self.before = self.contents()

    def contents(self):
        return {name: (self.folder / name).read_bytes() for name in self.INPUTS}

    def refuse(self, *arguments, says=("is read",)):
        cache = self.folder / "fresh"
        result = self.run_clangor(*arguments, cache=cache)
        self.assertEqual(result.returncode, 2, f"{arguments}: {result.stderr}")
        for part in says:
            self.assertIn(part, result.stderr)
        self.assertFalse(cache.exists(), f"{arguments} worked before it refused")
        self.assertEqual(self.contents(), self.before)
        return result.stderr

    def render(self, *options, says=("is read",)):
        return self.refuse("render", "scene.json", *options, says=says)

    def test_the_report_of_a_sound_that_is_called_like_its_scene_stands_beside_it(self):
        scene = self.scene(self.good_scene(), "tap.json")
        before = (self.folder / scene).read_bytes()
        for again in range(2):  # the second time over the first report
            result = self.run_clangor("render", "tap.json", "-o", "tap.wav", "--quality", "draft")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual((self.folder / scene).read_bytes(), before)
        self.assertGreater(json.loads((self.folder / "tap.report.json").read_text())["peak_pa"], 0)

    def test_no_input_of_a_scene_is_replaced_by_the_motion(self):
        for name in self.INPUTS:
            with self.subTest(name=name):
                self.render("-o", "out.wav", "--motion", name, says=(name, "--motion", "is read"))
                self.render("-o", "out.wav", "--motion", f"./nowhere/../{name}", says=(name,))

    def test_no_input_is_replaced_through_a_link(self):
        for name in self.INPUTS:
            with self.subTest(name=name):
                (self.folder / "soft.wav").symlink_to(name)
                os.link(self.folder / name, self.folder / "hard.wav")
                (self.folder / "out.report.json").symlink_to(name)
                self.render("-o", "soft.wav", says=("soft.wav (-o)", name))
                self.render("-o", "hard.wav", says=("hard.wav (-o)", name))
                self.render("-o", "out.wav", says=("out.report.json", "-o", name))
                for link in ("soft.wav", "hard.wav", "out.report.json"):
                    (self.folder / link).unlink()

    def test_no_input_is_replaced_by_one_of_many_files(self):
        os.link(self.folder / "bar.obj", self.folder / "out-head.wav")
        self.render("-o", "out.wav", "--split", says=("out-head.wav (--split)", "bar.obj"))
        (self.folder / "stems").mkdir()
        for stem in ("cup.modal.wav", "cup.acceleration.wav"):
            (self.folder / "stems" / stem).symlink_to("../the cup.bin")
            self.render("-o", "out.wav", "--stems", "stems", says=(f"{stem} (--stems)", "the cup.bin"))
            (self.folder / "stems" / stem).unlink()
        (self.folder / "maps").mkdir()
        for picture in ("maps.json", "bar-mode-000-440Hz.png"):
            (self.folder / "maps" / picture).symlink_to("../clay.json")
            self.refuse("bake", "scene.json", "--maps", "maps", says=(f"{picture} (--maps)", "clay.json"))
            (self.folder / "maps" / picture).unlink()

    def test_no_input_of_an_object_is_replaced(self):
        self.refuse("modes", "bar.obj", "--material", "clay.json", "-o", "bar.obj")
        self.refuse("modes", "cup.gltf", "--material", "glass", "-o", "the cup.bin")
        self.refuse("modes", "bar.obj", "--material", "clay.json", "-o", "clay.json")
        (self.folder / "bar.wav").symlink_to("bar.obj")
        strike = ["--at", "0.05,0.01,0", "--impulse", "0,-0.01,0"]
        self.refuse("strike", "bar.obj", "--material", "clay.json", *strike, "-o", "bar.wav")
        (self.folder / "tap.report.json").symlink_to("clay.json")
        self.refuse("strike", "bar.obj", "--material", "clay.json", *strike, "-o", "tap.wav")

    def test_a_file_that_clangor_did_not_make_is_not_replaced_by_a_report(self):
        for text in ("[1, 2]", '{"clangor": 1}', "notes", ""):
            (self.folder / "out.report.json").write_text(text)
            self.render("-o", "out.wav", says=("out.report.json", "did not make", "Move"))
            self.assertEqual((self.folder / "out.report.json").read_text(), text)
        (self.folder / "maps").mkdir()
        (self.folder / "maps" / "maps.json").write_text('{"mine": 1}')
        self.refuse("bake", "scene.json", "--maps", "maps", says=("maps.json", "did not make"))

    def test_no_output_replaces_another(self):
        self.render("-o", "out.wav", "--motion", "out.wav", says=("-o and --motion", "out.wav"))
        self.render("-o", "out.wav", "--motion", "out.report.json", says=("the report", "--motion"))
        self.render("-o", "bar.modal.wav", "--stems", ".", says=("-o and --stems", "bar.modal.wav"))


class Checks(CommandLine):
    """What a render would refuse, `check` finds, and render finds before it bakes."""

    def find(self, scene, *parts):
        path = self.scene(json.dumps(scene, indent=1) if isinstance(scene, dict) else scene)
        cache = self.folder / "fresh"
        checked, rendered = self.run_clangor("check", path), self.run_clangor("render", path, "-o", "out.wav", cache=cache)
        for result in (checked, rendered):
            self.assertEqual(result.returncode, 2, result.stderr)
            for part in parts:
                self.assertIn(part, result.stderr)
        self.assertFalse(cache.exists(), "it baked first")
        self.assertEqual(checked.stderr, rendered.stderr)

    def accept(self, scene):
        result = self.run_clangor("check", self.scene(scene))
        self.assertEqual(result.returncode, 0, result.stderr)

    def changed(self, objects={}, strikes={}, listeners={}, **scene):
        result = self.good_scene(**scene)
        for name, changes in (("objects", objects), ("strikes", strikes), ("listeners", listeners)):
            result[name][0] |= changes
        return result

    def moving(self, mesh={"mug": {}}, listener={}, **scene):
        return {"clangor": 1, "duration": 1, "objects": [{"name": "mug", "kind": "solid", "mesh": mesh, "material": "ceramic", "position": [0, 0.3, 0]},
                                                         {"name": "floor", "kind": "ground", "material": "oak"}],
                "listeners": [{"name": "mic", "position": [0, 0.5, 1]} | listener], **scene}

    def write(self, name, content):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def test_a_strike_that_misses(self):
        scene = self.changed(strikes={"at": [0.5, 0, 0]})
        line = json.dumps(scene, indent=1).splitlines().index(' "strikes": [') + 2  # counted from 1, and the strike is in the next
        self.find(scene, f'scene.json:{line}:3: strike 1 misses "bar"', "closest point")

    def test_a_listener_inside_of_an_object(self):
        self.find(self.changed(listeners={"position": [0.04, 0.005, 0]}), 'listener "mic": is inside of object "bar"')
        near = {"near_field": "clamp"}  # a click is not known so near
        self.accept(self.changed(listeners={"position": [0.04, 0.011, 0]} | near))  # the bar is 20 mm high
        # In the hollow of a bowl there is air; in its wall, 4 mm about y = 0, there is none.
        bowl = {"mesh": {"bowl": {}}}
        self.accept(self.changed(objects=bowl, strikes={"at": [0.08, 0.05, 0]}, listeners={"position": [0, 0.02, 0]} | near))
        self.find(self.changed(objects=bowl, strikes={"at": [0.08, 0.05, 0]}, listeners={"position": [0, 0.001, 0]}), "inside of")

    def test_a_listener_nearer_than_a_click_is_known(self):
        ride = {"attached_to": "mug", "position": [0, 0.05, 0]}
        self.find(self.moving(listener=ride), 'listener "mic"', 'object "mug"', "clamp", "acceleration_noise")
        self.accept(self.moving(listener=ride | {"near_field": "clamp"}))
        # Where nothing moves, what is struck clicks too, and what is held does not.
        self.find(self.changed(listeners={"position": [0.04, 0.02, 0]}), 'listener "mic"', 'object "bar" when that is hit', "clamp")
        self.accept(self.changed(listeners={"position": [0.04, 0.02, 0]}, objects={"supports": [{"kind": "clamped", "side": "-x"}]}))
        self.accept(self.moving(listener=ride | {"position": [0, 0.05, 1]}))
        # Where a file says when it is hit, a listener that stands still is known to be too near.
        self.write("hits.csv", "time,object,x,y,z,impulse,speed\n0.1,mug,0.04,0.35,0,0.01,1\n")
        self.find(self.moving(listener={"position": [0.05, 0.35, 0]}, motion={"impacts": "hits.csv"}), "when that is hit")
        self.accept(self.moving(motion={"impacts": "hits.csv"}))

    def test_meshes_that_are_none(self):
        corners, triangles = box_mesh()
        for name, content, words in (("a.obj", "", "empty"), ("a.stl", b"\0" * 80 + struct.pack("<I", 1000) + b"\0" * 100, "truncated"),
                                     ("a.glb", bytes(range(200)), "a.glb"), ("a.txt", "hello", "no format"),
                                     ("line.obj", obj_text([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)]), "no faces")):
            with self.subTest(name=name):
                self.find(self.changed(objects={"mesh": self.write(name, content)}), "scene.json:5:3", 'object "bar"', words)
        self.find(self.changed(objects={"mesh": {"bowl": {"thickness": 0.2}}}), 'object "bar"', "thickness")
        self.write("open.obj", obj_text(corners, triangles[2:]))
        scene = self.moving(mesh="open.obj")
        scene["objects"][0]["silent"] = True
        self.find(scene, 'object "mug"', "closed surface")

    def test_motion_that_is_none(self):
        self.write("path.csv", "time,x,y\n0,0,0\n")
        scene = self.moving()
        scene["objects"][0]["trajectory"] = "path.csv"
        self.find(scene, 'object "mug": ', "path.csv", '"z"')
        self.write("shot.glb", glb(*box_mesh(), "Lid"))
        scene["objects"][0]["trajectory"] = "shot.glb#Lit"
        self.find(scene, 'object "mug": ', "shot.glb", "Lit")
        self.find(self.moving() | {"listeners": [{"name": "mic", "trajectory": "path.csv"}]}, 'listener "mic": ', "path.csv")

    def test_impacts_that_do_not_fit(self):
        for line, words in (("0.1,cup,0,0.3,0,0.01,1", 'no object is named "cup"'), ("0.1,mug,9,9,9,0.01,1", "from the surface"),
                            ("0.1,mug,0,0.3,0,0.01,", "approach speed"), ("0.1,mug,0,0.3,0,,1", "impulse")):
            with self.subTest(line=line):
                self.write("hits.csv", "time,object,x,y,z,impulse,speed\n" + line + "\n")
                self.find(self.moving(motion={"impacts": "hits.csv"}), "hits.csv:2", words)
        self.write("hits.csv", "time,object,x,y,z,impulse,speed\n0.1,mug,0,0.3,0,0.01,1\n")
        scene = self.moving(motion={"impacts": "hits.csv"})
        scene["objects"][0]["motion"] = "simulated"
        self.find(scene, 'object "mug" is simulated', "hits.csv", "trajectory")

    def test_ears_that_are_none(self):
        self.write("ears.sofa", b"\x89HDF\r\n\x1a\n" + bytes(range(256)) * 20)
        self.find(self.moving(listener={"kind": "binaural", "sofa": "ears.sofa"}), 'listener "mic": ', "ears.sofa")

    def test_every_problem_at_once(self):
        self.write("a.obj", "")
        scene = self.moving(mesh="a.obj", strikes=[{"object": "bar", "at": [1, 1, 1], "impulse": [0, -1, 0]}])
        scene["objects"].append({"name": "bar", "kind": "solid", "mesh": json.loads(BAR), "material": "glass"})
        scene["listeners"].append({"name": "inside", "position": [0, 0, 0]})
        self.find(scene, "a.obj", "strike 1 misses", 'listener "inside"')

    def test_a_file_that_cannot_hold_the_sound(self):
        listeners = [{"name": str(i), "kind": "ambisonic", "position": [0, 1, 1]} for i in range(3)]
        cache = self.folder / "fresh"
        scene = self.scene(self.good_scene(listeners=listeners))
        self.check_refused(self.run_clangor("render", scene, "-o", "out.flac", cache=cache), "12 channels")
        scene = self.scene(self.good_scene(duration=3600, listeners=listeners))
        self.check_refused(self.run_clangor("render", scene, "-o", "out.wav", "--rate", "192000", cache=cache), "4.2 GB")
        self.assertFalse(cache.exists())

    def test_strike_misses_before_it_bakes(self):
        cache = self.folder / "fresh"
        far = ["--material", "glass", "--at", "0.5,0,0", "--impulse", "0,-0.01,0", "-o", "out.wav"]
        self.check_refused(self.run_clangor("strike", BAR, *far, cache=cache), "misses")
        self.assertFalse(cache.exists())
        self.assertEqual(self.run_clangor("modes", BAR, "--material", "glass", "--count", "3", *COARSE, "-o", "bar.h5").returncode, 0)
        result = self.run_clangor("strike", "bar.h5", *far[2:], cache=cache)
        self.assertEqual((result.returncode, cache.exists()), (2, False), result.stderr)
        self.assertIn("misses", result.stderr)


class Guide(CommandLine):
    """What the guide shows can be done."""

    def completed(self, block):
        """A scene out of what a page shows: itself, or the smallest one that holds a part of one."""
        if "clangor" in block:
            return block
        solid = {"name": "bar", "kind": "solid", "mesh": json.loads(BAR), "material": "glass"}
        scene = {"clangor": 1, "duration": 1, "objects": [solid], "listeners": [{"name": "mic", "position": [0, 0.5, 1]}]}
        if block.get("kind") in ("solid", "shell", "rod", "grains", "ground"):
            return scene | {"objects": [block]}
        if {"density", "young", "poisson"} <= block.keys():
            return scene | {"objects": [solid | {"material": block}]}
        if {"object", "impulse"} <= block.keys():
            return scene | {"objects": [solid | {"name": block["object"]}], "strikes": [block]}
        if {"name"} < block.keys() & {"name", "position", "path", "facing"}:
            return scene | {"listeners": [block]}
        self.fail(f"neither a scene nor a part of one: {block}")

    def provide(self, scene):
        """The files that a scene names, of the kinds that their names promise: boxes that move, and one that is hit."""
        for item in scene["objects"] + scene["listeners"] + [scene.get("motion", {})]:
            for key in ("mesh", "trajectory", "impacts", "material"):
                name, _, node = str(item.get(key, "")).partition("#")
                suffix = pathlib.Path(name).suffix if isinstance(item.get(key), str) else ""
                if suffix in (".glb", ".gltf"):
                    self.assertEqual(suffix, ".glb")
                    (self.folder / name).write_bytes(glb(*box_mesh(), node or item["name"]))
                elif suffix == ".obj":
                    (self.folder / name).write_text(obj_text(*box_mesh()))
                elif suffix == ".csv" and key == "trajectory":
                    (self.folder / name).write_text("time,x,y,z\n0,0,1,0\n1,0,0,0\n")
                elif suffix == ".csv" and key == "impacts":
                    hit = next(o["name"] for o in scene["objects"] if o["kind"] == "solid")
                    (self.folder / name).write_text(f"time,object,x,y,z,impulse,space\n0.1,{hit},0.05,0,0,0.01,body\n")
                elif suffix == ".json":
                    (self.folder / name).write_text('{"density": 2000, "young": 3e10, "poisson": 0.2}')
                elif suffix:
                    self.fail(f"{name}: say here what such a file holds")

    def test_every_scene_of_the_pages_passes_the_check(self):
        root = EXAMPLES.parent
        pages = sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md"), *EXAMPLES.glob("*.md")])
        blocks = [(page, block) for page in pages for block in re.findall(r"^```json\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)]
        self.assertGreaterEqual(len(blocks), 6)
        for page, block in blocks:
            with self.subTest(page=page.name, block=block[:80]):
                scene = self.completed(json.loads(block))
                self.provide(scene)
                result = self.run_clangor("check", self.scene(scene))
                self.assertEqual(result.returncode, 0, result.stderr)


class BadDisks(CommandLine):
    def read_only_place(self):
        """A folder without the right to write; for root, who needs no right, one of a file system that takes no files. In a bare root
        one of these may be an ordinary folder."""
        locked = self.folder / "locked"
        locked.mkdir(mode=0o555)
        for place in (locked, pathlib.Path("/sys"), pathlib.Path("/proc")):
            try:
                (place / "clangor-tries").mkdir()
                (place / "clangor-tries").rmdir()
            except OSError:
                return place
        self.skipTest("everything can be written here")

    def test_a_read_only_place_is_noticed_before_the_work(self):
        place = self.read_only_place()
        scene, cache = self.scene(self.good_scene()), self.folder / "fresh"
        for arguments, option in ((["render", scene, "-o", "out.wav", "--stems", place / "stems"], "--stems"),
                                  (["render", scene, "-o", "out.wav", "--stems", place], "--stems"),
                                  (["render", scene, "-o", place / "out.wav", "--split"], "--split"),
                                  (["render", scene, "-o", "out.wav", "--motion", place / "out.glb"], "--motion"),
                                  (["render", scene, "-o", place / "out.wav"], "-o"),
                                  (["bake", scene, "--maps", place / "maps"], "--maps"),
                                  (["modes", BAR, "--material", "glass", "-o", place / "bar.h5"], "-o"),
                                  (["strike", BAR, *STRIKE, "-o", place / "out.wav"], "-o")):
            with self.subTest(arguments=arguments):
                self.check_refused(self.run_clangor(*arguments, cache=cache), "cannot write", str(place), option, "Choose a place")
                self.assertFalse(cache.exists(), "it baked first")
        (self.folder / "file").write_text("not a folder")
        self.check_refused(self.run_clangor("render", scene, "-o", "out.wav", "--stems", "file", cache=cache), "file", "not a folder")
        self.assertEqual(list(self.folder.glob(".clangor-*")), [])

    def test_missing_folder_is_noticed_before_the_work(self):
        start = time.monotonic()
        self.check_refused(self.run_clangor("strike", BAR, *STRIKE, "-o", "nowhere/out.wav", cache=self.folder / "fresh"), "nowhere")
        self.assertFalse((self.folder / "fresh").exists(), f"it baked first, {time.monotonic() - start:.1f} s")

    def test_full_disk(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            full = pathlib.Path(elsewhere) / "full.wav"
            full.symlink_to("/dev/full")
            self.check_refused(self.run_clangor("strike", BAR, *STRIKE, "-o", str(full)), "full.wav", "space")

    def test_a_cache_that_cannot_be_written_is_a_warning(self):
        (self.folder / "file").write_text("not a folder")
        result = self.run_clangor("strike", BAR, *STRIKE, "-o", "out.wav", cache=self.folder / "file")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warning", result.stderr)
        self.assertTrue((self.folder / "out.wav").exists())

    def test_damaged_and_foreign_cache_entries_are_baked_again(self):
        cache = self.folder / "cache"
        self.assertEqual(self.run_clangor("strike", BAR, *STRIKE, "-o", "good.wav", cache=cache).returncode, 0)
        entries = [p for p in cache.rglob("*") if p.is_file()]
        self.assertEqual(sorted(p.name[64:] for p in entries), [".h5", ".noise.h5", ".transfer.h5"])
        for entry in entries:
            whole = entry.read_bytes()
            for damage in (whole[:len(whole) // 2], whole[:3000] + b"\x55" * 64 + whole[3064:], b"hello", b""):
                entry.write_bytes(damage)
                result = self.run_clangor("strike", BAR, *STRIKE, "-o", "again.wav", cache=cache)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("warning", result.stderr)
                self.assertEqual((self.folder / "again.wav").read_bytes(), (self.folder / "good.wav").read_bytes())
                self.assertEqual(entry.read_bytes(), whole)

    def test_maps_are_drawn_one_a_mode(self):
        scene = self.scene(self.good_scene())
        result = self.run_clangor("bake", scene, "--maps", "maps", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        modes = json.loads(result.stdout)["objects"][0]["modes"]
        listed = json.loads((self.folder / "maps" / "maps.json").read_text())
        self.assertEqual(len(listed), modes)
        for entry in listed:
            picture = (self.folder / "maps" / entry["file"]).read_bytes()
            self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(int.from_bytes(picture[16:20], "big"), 360)
            self.assertGreater(entry["loudest"], 0)

    def test_interrupt_stops_within_a_second_and_leaves_nothing_half_written(self):
        cache = self.folder / "cache"
        for delay in (0.02, 0.2, 0.7, 1.5):
            process = subprocess.Popen([CLANGOR, "strike", '{"bowl": {}}', "--material", "glass", "--at", "0.08,0.05,0", "--impulse", "0.01,0,0",
                                        "--refinement", "2", "-o", str(self.folder / "out.wav")], env=dict(os.environ, CLANGOR_CACHE=str(cache)),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            start = time.monotonic()
            self.assertEqual(process.wait(timeout=30), -signal.SIGINT)
            self.assertLess(time.monotonic() - start, 1.0)
            self.assertFalse((self.folder / "out.wav").exists())
            self.assertEqual([p for p in cache.rglob("*") if p.is_file()] if cache.exists() else [], [])

    def test_two_processes_bake_at_once(self):
        environment = dict(os.environ, CLANGOR_CACHE=str(self.folder / "cache"))
        processes = [subprocess.Popen([CLANGOR, "strike", BAR, *STRIKE, "-o", str(self.folder / f"{i}.wav"), "-q"], env=environment) for i in range(2)]
        self.assertEqual([p.wait(timeout=300) for p in processes], [0, 0])
        self.assertEqual((self.folder / "0.wav").read_bytes(), (self.folder / "1.wav").read_bytes())

    def test_a_closed_pipe_is_not_a_crash(self):
        result = subprocess.run(f"{CLANGOR} materials > /dev/full", shell=True, capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()
