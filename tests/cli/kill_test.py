#!/usr/bin/env python3
"""Bakes that are killed at random moments damage nothing, and lose no more than a moment's work.

Two processes bake one scene into one cache, and each is killed (SIGKILL) again and again and started anew, until a bake has ended by itself.
Then the cache must hold what an undisturbed bake makes, byte for byte, and nothing else, and so must the sound that is rendered from it. The
cache is emptied for the next round, until there were enough kills.

    CLANGOR=build/release/bin/clangor tests/cli/kill_test.py                             200 kills, minutes
    CLANGOR=build/release/bin/clangor tests/cli/kill_test.py --kills 12 --seed 7         as the suite does; the seed repeats the moments

Needs nothing but Python, and Linux's /proc to find out when a file is being written.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

CLANGOR = os.environ["CLANGOR"]
SEAL = b"clangor checksum"  # docs/guide/model-files.md
LONGEST = 600  # [s] for one bake, however slow the machine


def solid(name, mesh, material, edge_length, x, **more):
    return {"name": name, "kind": "solid", "mesh": mesh, "material": material, "edge_length": edge_length, "position": [x, 0.1, 0],
            "rotation_deg": [10, 0, 20], **more}


# Three seconds of baking in all stages. The air in the bowl rings on, so that its sound fields take a second, longer run: something is
# begun in between. Clicks are six motions, and something is begun after each.
SCENE = {
    "clangor": 1, "duration": 0.5,
    "objects": [
        solid("bowl", {"bowl": {"radius": 0.05, "depth": 0.05, "thickness": 0.014}}, "porcelain", 0.03, 0, max_hz=7000, radiation="transfer",
              acceleration_noise=False),
        solid("bar", {"box": {"size": [0.16, 0.03, 0.03]}}, "glass", 0.03, 0.2, max_hz=16000, radiation="transfer"),
        solid("rod", {"cylinder": {"radius": 0.015, "height": 0.12}}, "steel", 0.02, -0.2, max_hz=16000, radiation="compact"),
        {"name": "floor", "kind": "ground", "material": "granite"}],
    "listeners": [{"name": "mic", "position": [0, 0.5, 0.6]}]}
KINDS = {".h5": 3, ".transfer.h5": 2, ".noise.h5": 2}  # what is kept of it
KEY_LENGTH = 64


def files_of(folder):
    """Every file's bytes by its name. One that is replaced or deleted meanwhile was whole before."""
    found = {}
    for path in sorted(folder.iterdir()) if folder.exists() else []:
        try:
            found[path.name] = path.read_bytes()
        except FileNotFoundError:
            pass
    return found


def is_begun(name):
    return name.endswith(".begun.h5")


def checksum(data):
    """As src/clangor/io/hash.cpp has it."""
    whole, odd = 2**64 - 1, 0x9e3779b97f4a7c15

    def mix(lane, word):
        lane ^= word * odd & whole
        return ((lane << 31 | lane >> 33) & whole) * odd & whole

    lanes = [odd, 2 * odd & whole, 3 * odd & whole, (4 * odd + len(data)) & whole]
    words = struct.unpack_from(f"<{len(data) // 32 * 4}Q", data)
    for k in range(4):
        lane = lanes[k]
        for word in words[k::4]:
            lane = mix(lane, word)
        lanes[k] = lane
    for at in range(len(data) // 32 * 32, len(data)):
        lanes[at % 4] = mix(lanes[at % 4], data[at] + 1)
    total = 0
    for lane in lanes:
        total = mix(total, lane ^ lane >> 29)
    return total ^ total >> 32


def is_sealed(data):
    return data[-24:-8] == SEAL and struct.unpack("<Q", data[-8:])[0] == checksum(data[:-24])


class Bake:
    """One process that is to be killed, unless it is done before."""

    def __init__(self, test, moment, in_a_write):
        self.log = test.folder / f"bake{len(test.bakes)}.txt"
        self.in_a_write = in_a_write
        with open(self.log, "wb") as log:
            # One thread each: there are two of them.
            self.process = subprocess.Popen(test.command("bake", test.shared, "--threads", 1), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        test.bakes.append(self)
        self.started = time.monotonic()
        self.kill_at = self.started + moment

    def is_writing(self, cache):
        """Whether it has a file of the cache open that is not there yet, or the folder itself, after that."""
        try:
            descriptors = os.listdir(f"/proc/{self.process.pid}/fd")
        except OSError:
            return False
        for descriptor in descriptors:
            try:
                target = os.readlink(f"/proc/{self.process.pid}/fd/{descriptor}")
            except OSError:
                continue
            if target.startswith(str(cache)) and not target.endswith(".h5"):
                return True
        return False

    def kill(self):
        """Whether it was still at work."""
        self.process.kill()
        return self.process.wait() == -signal.SIGKILL


class KillTest:
    def __init__(self, folder, kills, seed):
        self.folder, self.wanted, self.random = folder, kills, random.Random(seed)
        self.scene, self.shared = folder / "scene.json", folder / "shared"
        self.scene.write_text(json.dumps(SCENE), encoding="utf-8")
        self.bakes, self.problems, self.known, self.wav = [], [], {}, b""
        self.counts = collections.Counter()
        self.stages = set()  # how many entries were there when a bake was killed
        self.killed = set()  # process numbers
        self.seconds = 0.0  # that a whole bake takes
        self.round_began = 0.0

    def command(self, what, cache, *more):
        return [CLANGOR, what, str(self.scene), "--quality", "draft", "--cache", str(cache), *map(str, more)]

    def problem(self, text):
        self.problems.append(f"round {self.counts['rounds'] + 1}, kill {self.counts['kills']}: {text}")
        print(self.problems[-1], flush=True)

    def bake(self, cache):
        """An undisturbed one: its report."""
        result = subprocess.run(self.command("bake", cache, "--json", "--threads", 1), capture_output=True, text=True, timeout=LONGEST)
        if result.returncode != 0:
            raise SystemExit(f"bake failed with {result.returncode}: {result.stderr}")
        return json.loads(result.stdout)

    def render(self, cache):
        """The file, and what was said."""
        out = self.folder / "out.wav"
        result = subprocess.run(self.command("render", cache, "-o", out), capture_output=True, text=True, timeout=LONGEST)
        if result.returncode != 0:
            raise SystemExit(f"render failed with {result.returncode}: {result.stderr}")
        return out.read_bytes(), result.stderr

    def undisturbed(self):
        cache = self.folder / "undisturbed"
        start = time.monotonic()
        report = self.bake(cache)
        self.seconds = time.monotonic() - start
        self.known = files_of(cache)
        kinds = collections.Counter(name[KEY_LENGTH:] for name in self.known)
        if report["warnings"] or kinds != KINDS:
            raise SystemExit(f"the undisturbed bake: {report['warnings']}, {kinds}")
        self.wav, said = self.render(cache)
        if "warning" in said or not all(map(is_sealed, self.known.values())) or files_of(cache) != self.known:
            raise SystemExit(f"the undisturbed render: {said}, {sorted(files_of(cache))}")

    def damage(self, cache):
        """What is wrong with the files of a cache while bakes are at work, or after they were killed. Those of finished entries are known; of
        begun ones the seal is. A file that replaces another has a temporary name for a moment, so that one may be left of whoever was killed,
        but no more (src/clangor/io/atomic_file.cpp)."""
        wrong = []
        temporary = {bake.process.pid for bake in self.bakes if bake.process.poll() is None} | self.killed
        for name, data in files_of(cache).items():
            by = re.fullmatch(r"\.clangor-(\d+)-\d+\.tmp", name)
            if name in self.known:
                if data != self.known[name]:
                    wrong.append(f"{name} is damaged: {len(data)} bytes, not the {len(self.known[name])} of an undisturbed bake")
            elif is_begun(name) and name.replace(".begun", "") in self.known:
                if not is_sealed(data):
                    wrong.append(f"{name} is damaged: its seal is broken")
            elif by and int(by[1]) in temporary:
                temporary.remove(int(by[1]))
            else:
                wrong.append(f"{name} does not belong there")
        return wrong

    def check_itself(self):
        """Both this test and the program notice an entry that was cut short, and the program mends it. About what was begun it says nothing,
        and begins anew."""
        cache = self.folder / "damaged"
        smallest = [min((n for n in self.known if n[KEY_LENGTH:] == kind), key=lambda n: len(self.known[n])) for kind in (".h5", ".noise.h5")]
        for damaged in (smallest[0], smallest[1].replace(".noise", ".noise.begun")):
            shutil.copytree(self.folder / "undisturbed", cache)
            data = self.known[damaged.replace(".begun", "")]
            (cache / damaged.replace(".begun", "")).rename(cache / damaged)
            if self.damage(cache):
                raise SystemExit(f"this test complains about a whole cache: {self.damage(cache)}")
            for cut in (b"", data[:1000] + bytes([data[1000] ^ 1]) + data[1001:], data[:len(data) // 2]):
                (cache / damaged).write_bytes(cut)
                if len(self.damage(cache)) != 1:
                    raise SystemExit(f"this test does not notice that {damaged} is damaged, {len(cut)} bytes: {self.damage(cache)}")
            left = cache / ".clangor-1-0.tmp"
            left.touch()
            os.utime(left, (time.time() - 7200,) * 2)
            if is_begun(damaged) == bool([w for w in self.bake(cache)["warnings"] if "damaged" in w]):
                raise SystemExit(f"the program was to warn of a damaged entry, and of no begun one: {damaged}")
            if files_of(cache) != self.known:
                raise SystemExit(f"the program did not mend {damaged}, or left behind what a killed process had left two hours ago")
            shutil.rmtree(cache)

    def start(self):
        # Uniformly over what a whole bake takes, one in eight at its very beginning; one in three waits for the next write from then on.
        # A machine that has more to do by now than when that was measured gets longer, or nothing would ever be done.
        whole = max(self.seconds, (time.monotonic() - self.round_began) / 4)
        longest = whole if self.random.random() < 7 / 8 else 0.05
        return Bake(self, self.random.uniform(0, longest), self.random.random() < 1 / 3)

    def is_due(self, bake):
        now = time.monotonic()
        if now < bake.kill_at:
            return False
        if not bake.in_a_write:
            return True
        if not bake.is_writing(self.shared):
            return False
        time.sleep(self.random.uniform(0, 0.003))  # anywhere in the write
        return True

    def kill(self, bakes):
        """Those that were at work; then looks at what they leave behind."""
        writing = [bake.is_writing(self.shared) for bake in bakes]
        hit = []
        for bake, wrote in zip(bakes, writing):
            if bake.kill():
                hit.append(bake)
                self.killed.add(bake.process.pid)
                self.counts["kills"] += 1
                self.counts["kills in a write"] += wrote
                self.counts["kills in the first 0.1 s"] += time.monotonic() - bake.started < 0.1
        names = set(files_of(self.shared))
        self.stages.add(len(names & self.known.keys()))
        self.counts["kills with something begun"] += len(hit) * any(map(is_begun, names))
        for wrong in self.damage(self.shared):
            self.problem(wrong)
        for bake in hit:
            self.check_log(bake)
        return hit

    def check_log(self, bake):
        said = bake.log.read_text(encoding="utf-8")
        if "warning" in said or "error" in said:
            self.problem(f"a bake said: {said}")
        bake.log.unlink()

    def disturb(self):
        """Kills and starts two bakes until one has ended by itself, or there were enough kills: then nothing is started any more, and the
        other one ends as chance has it."""
        self.round_began = time.monotonic()
        running, ended = [self.start(), self.start()], False
        while running:
            for bake in [b for b in running if b.process.poll() is not None]:
                running.remove(bake)
                if not ended:  # one that has less to do by now
                    self.seconds = min(self.seconds, time.monotonic() - self.round_began)
                ended = True
                self.counts["ended by themselves"] += 1
                if bake.process.returncode != 0:
                    self.problem(f"a bake ended with {bake.process.returncode}")
                self.check_log(bake)
            due = [bake for bake in running if self.is_due(bake)]
            if due and self.random.random() < 1 / 4:
                due = list(running)  # nobody is left to go on
            if due:
                hit = self.kill(due)
                running = [bake for bake in running if bake not in hit]
                if not ended and self.counts["kills"] < self.wanted:
                    running += [self.start() for _ in hit]
            time.sleep(0.0005 if any(b.in_a_write and time.monotonic() >= b.kill_at for b in running) else 0.005)
            if any(time.monotonic() - bake.started > LONGEST for bake in running):
                raise SystemExit(f"a bake that takes {self.seconds:.1f} s alone has not ended in {LONGEST} s")
        return ended

    def finish(self, ended):
        """A last bake, which nobody disturbs, and a render: all is as if nobody ever had."""
        report = self.bake(self.shared)
        for warning in report["warnings"]:
            self.problem(f"the last bake warns: {warning}")
        solids = [o for o in report["objects"] if o["name"] != "floor"]
        if ended and not all(o["from_cache"] for o in solids):
            self.problem(f"a bake had ended, but not all was kept: {solids}")
        for wrong in self.damage(self.shared):
            self.problem(wrong)
        left = files_of(self.shared)
        for name in self.known.keys() - left.keys():
            self.problem(f"{name} is missing after the last bake")
        for name in filter(is_begun, left):
            self.counts["begun entries left over"] += 1
            self.problem(f"{name} was left over, but {'is done' if name.replace('.begun', '') in left else 'nobody knows it'}")
        self.counts["temporary names left over"] += sum(name.endswith(".tmp") for name in left)
        wav, said = self.render(self.shared)
        if wav != self.wav:
            self.problem("the sound is not that of the undisturbed bake")
        if "warning" in said:
            self.problem(f"the render said: {said}")
        shutil.rmtree(self.shared)
        self.counts["rounds"] += 1

    def run(self):
        start = time.monotonic()
        self.undisturbed()
        self.check_itself()
        print(f"an undisturbed bake takes {self.seconds:.1f} s", flush=True)
        while self.counts["kills"] < self.wanted:
            ended = self.disturb()
            self.counts["rounds that a bake ended"] += ended
            self.finish(ended)
        for what in ("rounds", "rounds that a bake ended", "ended by themselves", "kills", "kills in a write", "kills in the first 0.1 s",
                     "kills with something begun", "begun entries left over", "temporary names left over"):
            print(f"{what}: {self.counts[what]}")
        print(f"entries that were there when a bake was killed: {sorted(self.stages)}")
        print(f"{time.monotonic() - start:.0f} s")
        # Fewer would mean that the moments miss the work.
        for what, least in (("rounds that a bake ended", self.wanted // 40), ("kills with something begun", self.wanted // 20)):
            if self.counts[what] < least:
                self.problem(f"{what}: {self.counts[what]}, but at least {least} were expected")
        if len(self.stages) < min(4, self.wanted // 6):
            self.problem(f"kills hit too few stages: {sorted(self.stages)}")

    def stop(self):
        for bake in self.bakes:
            if bake.process.poll() is None:
                bake.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    arguments = parser.parse_args()
    print(f"--kills {arguments.kills} --seed {arguments.seed}", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # and with it the bakes
    with tempfile.TemporaryDirectory() as folder:
        test = KillTest(pathlib.Path(folder).resolve(), arguments.kills, arguments.seed)
        try:
            test.run()
        finally:
            test.stop()
    print(f"{len(test.problems)} problems" if test.problems else "nothing was damaged")
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
