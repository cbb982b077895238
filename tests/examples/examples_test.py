#!/usr/bin/env python3
"""Renders one example scene and checks what a listener would: finite, audible, unclipped, and it dies away. And it sounds as it did: the
samples are those that frozen_sounds.json knows.

    CLANGOR=build/release/bin/clangor tests/examples/examples_test.py examples/plates.json
    CLANGOR=build/release/bin/clangor tests/examples/examples_test.py --freeze examples/*.json    after an audible change

Needs nothing but Python. The models go into a cache folder in the build tree, so that a second run is quick.
"""
import array
import hashlib
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

FROZEN = pathlib.Path(__file__).resolve().with_name("frozen_sounds.json")

# Large thin walls take minutes at standard quality, so these are heard as drafts.
DRAFTS = {"ball_on_a_lid", "balls_on_a_cymbal", "clicking_lid", "cookie_sheet_hits", "cymbal_hits", "falling_bottles", "gong_hits", "maraca",
          "pour_glass_into_metal_cup", "pour_into_a_filled_cup", "pour_plastic_into_bowl", "recycling_bin_hits", "thunder_sheet",
          "trash_can_and_lid", "trash_can_hits", "trash_can_lid_hits", "water_bottle_hits", "wobble_board"}

# Excerpts, of what takes long to simulate, end while it still clatters [s].
SHORTEST_DECAY = 0.25

# Sums of a sound's samples, each with a sign by chance. Of the difference of two sounds, the squares of these sums add up to its energy, on
# the average over the signs [Charikar, Chen, Farach-Colton 2004, count sketch]: 256 of them tell it to a tenth.
SKETCH = 256


def read_float_wav(path):
    """Channels as lists of floats."""
    data = pathlib.Path(path).read_bytes()
    assert data[:4] == b"RIFF" and data[8:12] == b"WAVE", "not a WAV file"
    at, channels, samples = 12, 0, None
    while at + 8 <= len(data):
        name, size = data[at:at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if name == b"fmt ":
            channels = struct.unpack_from("<H", data, at + 10)[0]
        elif name == b"data":
            samples = array.array("f", data[at + 8:at + 8 + size])
        at += 8 + size + size % 2
    assert channels and samples is not None
    return [samples[c::channels] for c in range(channels)]


def rms(samples):
    return math.sqrt(sum(x * x for x in samples) / max(1, len(samples)))


def after_the_last_motion(scene, report, channels):
    """The loudest level from 0.5 s after everything has come to rest on, when what was hit last has rung down [dB SPL]; None where that is not within the scene, or where
    something was struck on purpose and rings on."""
    if scene.get("strikes"):
        return None
    first = round((report["motion"]["last_motion_s"] + 0.5) * report["sample_rate_hz"])
    window = round(0.1 * report["sample_rate_hz"])
    loudest = None
    for samples in channels:
        for begin in range(first, len(samples) - window + 1, window):
            pressure = rms(samples[begin:begin + window]) * report["pascals_per_unit"]
            level = 20 * math.log10(max(pressure, 1e-12) / 2e-5)
            loudest = level if loudest is None else max(loudest, level)
    return loudest


def problems_of(scene, report, channels):
    """What is wrong with the sound, one sentence each."""
    listed = []
    description = scene.get("description", "")
    if "hear" not in description:
        listed.append("its description does not say what one should hear")
    for index, samples in enumerate(channels):
        if not all(map(math.isfinite, samples)):
            listed.append(f"channel {index} is not finite")
            continue
        peak = max(map(abs, samples))
        if peak > 1:
            listed.append(f"channel {index} is clipped: its peak is {peak:.3g}")
        parts = [rms(samples[i * len(samples) // 10:(i + 1) * len(samples) // 10]) for i in range(10)]
        if scene["duration"] >= SHORTEST_DECAY and not parts[-1] < 0.5 * max(parts):
            listed.append(f"channel {index} does not decay: its last tenth has {parts[-1] / max(parts):.2f} of the loudest")
    silence = after_the_last_motion(scene, report, channels)
    if silence is not None and not silence < 20:
        listed.append(f"what lies still makes {silence:.0f} dB SPL, 0.5 s after the last motion")
    for listener in report["listeners"]:
        # Quiet conversation is about 0.01 Pa; a peak of 2 mPa (40 dB) is heard in a quiet room.
        if not listener["peak_pa"] > 2e-3:
            listed.append(f"{listener['name']} hears nothing: {listener['peak_pa']:.2g} Pa")
        # 135 dB, 112 Pa: the peak from which European law (2003/10/EC, lower action value) wants ears protected. Crockery at arm's length stays below.
        if not listener["peak_pa"] < 112:
            listed.append(f"{listener['name']} would need ear protection: {listener['peak_pa']:.3g} Pa")
    return listed


def quality_of(path):
    return "draft" if path.stem in DRAFTS else "standard"


def sketch_of(channels):
    sums, state = [0.0] * SKETCH, 1
    for samples in channels:
        for x in samples:
            state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            sums[state >> 56] += x if state & (1 << 55) else -x
    return sums


def machine_of(program):
    """The program's instruction set, and the processor, whose caches decide in which order products of matrices are summed."""
    built_for = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    processor = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        processor.setdefault(name.strip(), value.strip())
    named = [f"{name} {processor.get(name, '?')}" for name in ("model name", "cpu family", "model", "cache size")]
    return ", ".join([built_for, *named])


def frozen_of(program, channels):
    """What is kept of a sound: bytes for machines like the one that froze it, a sketch for others."""
    made_for = machine_of(program)
    digest = hashlib.sha256(b"".join(samples.tobytes() for samples in channels)).hexdigest()
    return {"made_for": made_for, "sha256": digest, "energy": sum(x * x for samples in channels for x in samples),
            "sketch": [float(f"{x:.9g}") for x in sketch_of(channels)]}


def scatter_of(scene):
    """By how many dB its level may differ between machines, where roundings, which differ too, grow until the same sound has other samples;
    none: they do not. Modes that couple and rods that touch: less than 1 dB. Grains that pour: moved by a picometre, up to 1.3 dB."""
    kinds = {thing.get("kind") for thing in scene["objects"]}
    if "grains" in kinds:
        return 3
    if "rod" in kinds or any(thing.get("kind") == "shell" and thing.get("method", "nonlinear") != "linear" for thing in scene["objects"]):
        return 1
    return None


def changes_since_frozen(program, scene, name, channels):
    """What differs from the frozen sound, one sentence each."""
    frozen = json.loads(FROZEN.read_text(encoding="utf-8"))
    if name not in frozen:
        return ["its sound is not frozen yet: run this test with --freeze"]
    known, now = frozen[name], frozen_of(program, channels)
    if now["sha256"] == known["sha256"]:
        return []
    apart = sum((a - b) ** 2 for a, b in zip(now["sketch"], known["sketch"])) / max(known["energy"], 1e-300)
    level = 10 * math.log10(max(apart, 1e-30))
    if now["made_for"] != known["made_for"]:
        if level < -100:
            return []
        scatter = scatter_of(scene)
        if scatter and abs(10 * math.log10(max(now["energy"], 1e-300) / known["energy"])) < scatter:
            return []
    return [f"it does not sound as it did: {level:.0f} dB of difference. If that is meant, say so under Audible changes, and --freeze"]


def main():
    program, path = os.environ["CLANGOR"], pathlib.Path(sys.argv[1])
    if sys.argv[1] == "--freeze":
        frozen = json.loads(FROZEN.read_text(encoding="utf-8")) if FROZEN.exists() else {}
        for path in map(pathlib.Path, sys.argv[2:]):
            with tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder) / "sound.wav"
                cache = os.environ.get("EXAMPLES_CACHE", folder)
                subprocess.run([program, "render", str(path), "-o", str(out), "--quality", quality_of(path), "--gain", "auto", "--quiet",
                                "--cache", cache], check=True)
                frozen[path.stem] = frozen_of(program, read_float_wav(out))
        lines = (f"  {json.dumps(name)}: {json.dumps(frozen[name])}" for name in sorted(frozen))
        FROZEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return 0
    cache = pathlib.Path(os.environ.get("EXAMPLES_CACHE", tempfile.gettempdir()))
    artifacts = pathlib.Path(os.environ.get("ARTIFACTS", tempfile.gettempdir()))
    cache.mkdir(parents=True, exist_ok=True)
    artifacts.mkdir(parents=True, exist_ok=True)
    out = artifacts / (path.stem + ".wav")
    done = subprocess.run([program, "render", str(path), "-o", str(out), "--quality", quality_of(path), "--gain", "auto", "--json", "--quiet",
                           "--cache", str(cache)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{path.name}: exit code {done.returncode}\n{done.stderr}")
        return 1
    report = json.loads(done.stdout)
    channels = read_float_wav(out)
    scene = json.loads(path.read_text(encoding="utf-8"))
    listed = problems_of(scene, report, channels)
    listed += changes_since_frozen(program, scene, path.stem, channels)
    print(f"{path.name}: peak {report['peak_pa']:.3g} Pa, {report['impacts']} impacts, at rest from "
          f"{report['motion']['last_motion_s']:.2f} s on, {report['seconds']}")
    for warning in report["warnings"]:
        print("  warning:", warning)
    for problem in listed:
        print("  wrong:", problem, f"(listen to {out})")
    if not listed:
        out.unlink()
    return 1 if listed else 0


if __name__ == "__main__":
    sys.exit(main())
