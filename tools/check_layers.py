#!/usr/bin/env python3
"""Checks that every module includes only its own files and the public headers of the modules below it.

The table is that of src/clangor/CMakeLists.txt, and is the architecture: scene -> motion -> vibration -> radiation -> listening -> audio. A
module stands below all that it uses. Run by the tests.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "src" / "clangor"


def table(text: str) -> dict[str, list[str]]:
    """Of each module, those that it may use."""
    modules = {}
    for line in re.findall(r"^clangor_module\(([^)]*)\)", text, re.M):
        name, _, rest = " ".join(line.split()).partition(" ")  # "io COLD USES core geometry LIBRARIES fmt::fmt"
        uses = rest.partition("USES ")[2].partition("LIBRARIES")[0].split()
        folders = sorted(f for f in ROOT.glob(name) if f.is_dir()) if name.endswith("/*") else [ROOT / name]
        for folder in folders:  # "objects/*": every folder there that has no line of its own
            modules.setdefault(folder.relative_to(ROOT).as_posix(), uses)
    return modules


MAY_USE = table((ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]clangor/([^">]+)[">]')


def module_of(path: str) -> str:
    folder = path.rpartition("/")[0]
    if folder not in MAY_USE:
        raise SystemExit(f"check_layers: {folder} is not in the table of src/clangor/CMakeLists.txt")
    return folder


def problems(root: pathlib.Path):
    above = set()
    for module, used in MAY_USE.items():
        yield from (f"{root}/CMakeLists.txt: {module} uses {other}, which does not stand above it" for other in used if other not in above)
        above.add(module)
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
    found = list(problems(ROOT))
    print("\n".join(found) if found else "layers: all includes point downwards")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
