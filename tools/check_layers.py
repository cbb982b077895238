#!/usr/bin/env python3
"""Checks that every module includes only its own files and the public headers of the modules below it.

The table is the architecture: scene -> motion -> vibration -> radiation -> listening -> audio. Run by the tests.
"""
import pathlib
import re
import sys

BASE = ["core"]
SHAPES = BASE + ["geometry", "material", "signal"]
BELOW_IO = SHAPES + [
    "motion/record", "motion/contact", "motion/rigid", "motion/imported", "motion/grains",
    "vibration/modal", "vibration/oscillator", "vibration/solid", "vibration/shell", "vibration/rod",
    "radiation/wave", "radiation/spherical", "radiation/bem", "radiation/dipole", "radiation/compact", "radiation/transfer", "radiation/acceleration",
    "listening", "scene",
]
MAY_USE = {
    "core": [],
    "geometry": BASE, "material": BASE, "signal": BASE,
    "motion/record": BASE,
    "motion/contact": SHAPES,
    "motion/rigid": SHAPES + ["motion/contact", "motion/record"],
    "motion/imported": SHAPES + ["motion/record"],
    "motion/grains": SHAPES + ["motion/contact", "motion/record"],
    "vibration/modal": BASE,  # it sees matrices, never an element type
    "vibration/oscillator": BASE + ["motion/contact"],
    "vibration/solid": SHAPES + ["vibration/modal", "motion/contact"],
    "vibration/shell": SHAPES + ["vibration/modal", "motion/contact"],
    "vibration/rod": SHAPES + ["vibration/modal", "motion/contact"],
    "radiation/wave": BASE + ["geometry", "signal"], "radiation/bem": BASE + ["geometry", "signal"],
    "radiation/spherical": BASE,
    "radiation/dipole": BASE + ["geometry", "signal"], "radiation/compact": BASE + ["geometry", "signal"],
    "radiation/transfer": BASE + ["geometry", "signal", "radiation/wave", "radiation/bem", "radiation/spherical"],
    "radiation/acceleration": SHAPES + ["motion/contact", "radiation/wave", "radiation/spherical"],
    "listening": BASE + ["geometry", "signal"],
    "scene": BASE + ["geometry", "material", "motion/contact", "listening"],
    "io": BELOW_IO,
    "render": BELOW_IO + ["io"],
    "validation": BELOW_IO + ["io", "render"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]clangor/([^">]+)[">]')


def module_of(path: str) -> str:
    folder = path.rpartition("/")[0]
    if folder not in MAY_USE:
        raise SystemExit(f"check_layers: {folder} is not in the table of tools/check_layers.py")
    return folder


def problems(root: pathlib.Path):
    for file in sorted(root.rglob("*.[ch]pp")):
        path = file.relative_to(root).as_posix()
        module = module_of(path)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            other = module_of(match[1])
            if other == module:
                continue
            public = f"{other}/{other.rpartition('/')[2]}.hpp"
            if other not in MAY_USE[module]:
                yield f"{file}:{number}: {module} must not use {other}"
            elif match[1] != public:
                yield f"{file}:{number}: {match[1]} is private to {other}; include <clangor/{public}>"


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent / "src" / "clangor"
    found = list(problems(root))
    print("\n".join(found) if found else "layers: all includes point downwards")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
