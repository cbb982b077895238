#!/usr/bin/env python3
"""Makes docs/validation from what `clangor validate --json` prints.

    build/release/bin/clangor validate --json > out/validation.json
    tools/validation_pages.py out/validation.json

Cases that the file does not hold keep their pages and their lines in the index. Needs matplotlib (Debian:
python3-matplotlib), which brings Pillow.
"""
import io
import itertools
import json
import pathlib
import re
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "validation"


def draw_curves(axes, plot):
    for curve, marker in zip(plot["curves"], itertools.cycle("os^Dv")):
        # Errors are drawn by their magnitude where the axis is logarithmic.
        x, y = curve["x"], [abs(y) for y in curve["y"]] if plot["log_y"] else curve["y"]
        if curve["style"] == "band":  # behind what was found
            axes.plot(x, y, color="lightgray", linewidth=5, label=curve["label"])
        elif curve["style"] == "marks":
            axes.plot(x, y, marker, markersize=4, label=curve["label"])
        else:
            axes.plot(x, y, "o-" if plot["log_y"] and len(x) < 50 else "-", linewidth=1.5 if plot["log_y"] else 1, label=curve["label"])
    axes.set_xscale("log" if plot["log_x"] else "linear")
    axes.set_yscale("log" if plot["log_y"] else "linear")
    if plot["equal_axes"]:
        axes.set_aspect("equal", adjustable="datalim")
    axes.grid(True, alpha=0.3)
    if len(plot["curves"]) > 5:  # beside the curves, not on them
        axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1))
    else:
        axes.legend(fontsize="small")


def draw_map(figure, axes, plot):
    """Levels, and over them what theory says of their ridges."""
    levels = plot["map"]
    image = axes.pcolormesh(levels["x"], levels["y"], levels["db"], vmin=levels["loudest_db"] - 80, vmax=levels["loudest_db"], cmap="magma", shading="nearest", rasterized=True)
    figure.colorbar(image, ax=axes, label="dB", pad=0.01)
    for curve, line in zip(plot["curves"], itertools.cycle(("--", ":"))):
        axes.plot(curve["x"], curve["y"], line, color="cyan", linewidth=1, label=curve["label"])
    if plot["curves"]:
        axes.legend(fontsize="small")


def draw_errors(axes, rows):
    axes.plot([row["expected"] for row in rows], [100 * row["error"] for row in rows], "o", markersize=4)
    allowed = 100 * max(row["allowed"] for row in rows)
    axes.axhline(allowed, color="gray", linestyle="--", linewidth=0.8)
    axes.axhline(-allowed, color="gray", linestyle="--", linewidth=0.8)
    axes.axhline(0, color="black", linewidth=0.5)
    axes.set_xlabel("expected frequency [Hz]")
    axes.set_ylabel("error [%]; dashed: allowed")
    axes.grid(True, alpha=0.3)


def draw(case):
    """One picture, plots beside one another in pairs."""
    count = max(1, len(case["plots"]))
    columns, rows = min(2, count), (count + 1) // 2
    figure, grid = plt.subplots(rows, columns, figsize=(6.5, 4) if count == 1 else (10, 3.7 * rows), layout="constrained", squeeze=False)
    for axes, plot in zip(grid.flat, case["plots"]):
        draw_map(figure, axes, plot) if "map" in plot else draw_curves(axes, plot)
        axes.set_xlabel(plot["x_label"])
        axes.set_ylabel(plot["y_label"])
        axes.set_title(plot["title"], fontsize=9)
    if not case["plots"]:
        draw_errors(grid[0][0], case["rows"])
    for axes in list(grid.flat)[count:]:
        axes.set_axis_off()
    figure.suptitle(case["title"], fontsize=10)
    pixels = io.BytesIO()
    figure.savefig(pixels, dpi=90)
    plt.close(figure)
    # Few colours: a third of the bytes, and the same to the eye. More where there are many curves.
    colours, method = (32, Image.Quantize.MEDIANCUT) if count == 1 else (224, Image.Quantize.MAXCOVERAGE)
    Image.open(pixels).convert("RGB").quantize(colours, method).save(FOLDER / "img" / f"{case['name']}.png", optimize=True)


def number(value):
    """Two digits after the point, and four digits at least."""
    return f"{value:.2f}" if abs(value) >= 10 else f"{value:#.4g}"


def percent(part):
    return f"{100 * part:+.3f} %" if abs(part) >= 1e-5 else f"{100 * part:+.1g} %"


def grouped(rows):
    """Rows that differ only by "(i of n)" at their end are one line with the range of what was found."""
    groups = {}
    for row in rows:
        groups.setdefault(re.sub(r" \([^()]*\)$", "", row["what"]), []).append(row)
    return groups.items()


def page(case):
    lines = [f"# {case['title']}", "", f"Expected values: {case['source']}. Settings: {case['settings']}. Made by `clangor validate {case['name']}`.", "",
             f"![{case['title']}](img/{case['name']}.png)", ""]
    if case["remark"]:
        lines += [f"{case['remark']}.", ""]
    if case["rows"]:
        lines += ["| what | values | expected | found | worst error | allowed |", "|---|---|---|---|---|---|"]
        for name, rows in grouped(case["rows"]):
            found = sorted(row["found"] for row in rows)
            worst = max((row["error"] for row in rows), key=abs)
            span = number(found[0]) if len(rows) == 1 else f"{number(found[0])} … {number(found[-1])}"
            lines.append(f"| {name} | {len(rows)} | {number(rows[0]['expected'])} {rows[0]['unit']} | {span} | {percent(worst)} | {100 * rows[0]['allowed']:g} % |")
        lines += [""] if case["bounds"] else []
    for bound in case["bounds"]:
        lines.append(f"- {bound['what']}: **{bound['found']:.3g}** (must be {'at least' if bound['at_least'] else 'at most'} {bound['limit']:g})")
    return "\n".join(lines) + "\n"


def index_line(case):
    if case["rows"]:
        worst = max((row for row in case["rows"]), key=lambda row: abs(row["error"]) / row["allowed"])
        figures = f"{percent(worst['error'])} | {100 * worst['allowed']:g} %"
    else:
        first, more = case["bounds"][:6], " / …" if len(case["bounds"]) > 6 else ""
        figures = " / ".join(f"{b['found']:.2g}" for b in first) + more + " | " + " / ".join(f"{'≥' if b['at_least'] else '≤'} {b['limit']:g}" for b in first) + more
    return f"| [{case['name']}]({case['name']}.md) | {case['title']} | {figures} | {'holds' if case['holds'] else 'MISSED'} |"


def index_lines(readme):
    """The lines that the index has already, by case."""
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    return {match[1]: match[0] for match in re.finditer(r"^\| \[([\w-]+)\].*$", text, re.MULTILINE)}


def main():
    cases = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["cases"]
    (FOLDER / "img").mkdir(parents=True, exist_ok=True)
    lines = index_lines(FOLDER / "README.md")
    for case in cases:
        draw(case)
        (FOLDER / f"{case['name']}.md").write_text(page(case), encoding="utf-8")
        lines[case["name"]] = index_line(case)
    index = ["# Validation", "", "The engine against closed forms and published tables, with the settings that a user gets by default, or with those that its page names. Made by",
             "`clangor validate --json` and `tools/validation_pages.py`; the test suite runs the same cases and fails where one is missed.", "",
             "| case | what | worst error | allowed | |", "|---|---|---|---|---|", *lines.values(), "",
             "Written by hand, from longer runs: [acceleration noise](acceleration-noise.md) against direct simulation, with pictures of the field; [far-field maps](far-field-maps.md) with one to four terms."]
    (FOLDER / "README.md").write_text("\n".join(index) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
