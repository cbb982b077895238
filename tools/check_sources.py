#!/usr/bin/env python3
"""Checks what a compiler does not: clang-format, lines over 120 columns, citation keys, links between pages, and options that
messages name. Run by the tests.

    tools/check_sources.py format | columns | citations | links | messages
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = sorted(p for d in ("src", "apps", "tests", "bench") for p in (ROOT / d).rglob("*.[ch]pp"))
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")])


def badly_formatted():
    run = subprocess.run(["clang-format", "--dry-run", "--Werror", *map(str, SOURCES)], capture_output=True, text=True, cwd=ROOT)
    for source in dict.fromkeys(re.findall(r"^(\S[^:\n]*):\d+:\d+: error:", run.stderr, re.M)):
        yield f"{source}: run clang-format -i on it"
    if run.returncode != 0 and not re.search(r": error:", run.stderr):
        yield run.stderr


def long_lines():
    for source in SOURCES:
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > 120:
                yield f"{source}:{number}: {len(line)} columns; comments are wrapped by hand, at 120"


def unknown_citations():
    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text(encoding="utf-8"), re.M))
    for page in [*SOURCES, *PAGES]:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for key in re.findall(r"\[([A-Z][A-Za-z]+\d{2,4}[a-z]?)(?:,[^\]]*)?\]", line):
                if key not in known:
                    yield f"{page}:{number}: [{key}] is not in docs/references.bib"


def broken_links():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not re.match(r"\w+:", target) and not (page.parent / target).exists():
                yield f"{page}: {target} does not exist"


# Words of file formats, which whoever writes such files knows.
FORMAT_WORDS = {"end_header", "binary_little_endian"}


def unexplained_options():
    """Names with an underscore in the sentences of the library that no page of the guide holds: nobody could follow the advice.

    "max_cells must be positive" is for the programmer who passed it, and is left out."""
    guide = set(re.findall(r"\w+", " ".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs/guide").glob("*.md"))))
    literal = r'"(?:[^"\\\n]|\\.)*"'
    for source in (p for p in SOURCES if p.suffix == ".cpp" and p.is_relative_to(ROOT / "src/clangor") and "validation" not in p.parts):
        text = re.sub(r"^\s*(//|#include|CLANGOR_ASSERT).*$", "", source.read_text(encoding="utf-8"), flags=re.M)
        for match in re.finditer(rf"{literal}(?:\s*{literal})*", text):
            sentence = "".join(part[1:-1] for part in re.findall(literal, match[0]))
            advice = " ".join(clause for clause in sentence.split(";") if " " in sentence and " must " not in clause)
            for word in re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", advice):
                if word not in guide | FORMAT_WORDS:
                    yield f"{source}: \"{sentence}\" names {word}, which no page of docs/guide explains"


def main() -> int:
    checks = {"format": badly_formatted, "columns": long_lines, "citations": unknown_citations, "links": broken_links,
              "messages": unexplained_options}
    if len(sys.argv) != 2 or sys.argv[1] not in checks:
        print(__doc__)
        return 2
    found = list(checks[sys.argv[1]]())
    print("\n".join(found) if found else f"{sys.argv[1]}: nothing to complain about")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
