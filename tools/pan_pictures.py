#!/usr/bin/env python3
"""Pictures of acceleration noise, from what bench/pan_field.cpp writes.

    build/release/bin/pan_field compare compare.json
    build/release/bin/pan_field slice slice.json
    tools/pan_pictures.py compare.json slice.json docs/validation/img

Needs numpy, matplotlib and Pillow (Debian: python3-matplotlib).
"""
import io
import json
import pathlib
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy
import PIL.Image

MOTIONS = ["pushed along x", "pushed along y", "pushed along z", "turned about x", "turned about y", "turned about z"]


def save(figure, path, colours):
    """As a palette image: a third of the bytes."""
    pixels = io.BytesIO()
    figure.savefig(pixels, dpi=90)
    PIL.Image.open(pixels).convert("RGB").quantize(colours).save(path, optimize=True)


def draw_slices(slices, out):
    side, half, centre = slices["side"], 100 * slices["half"], 100 * slices["centre"]
    figure, all_axes = plt.subplots(1, 3, figsize=(11, 3.9), sharey=True, layout="constrained")
    for axes, moment in zip(all_axes, slices["slices"]):
        pressure = numpy.array(moment["pressure"], dtype=float).reshape(side, side)
        # A few cells at the rim are far louder than the wave that leaves.
        top = numpy.nanpercentile(numpy.abs(pressure), 99.5)
        axes.set_facecolor("black")
        image = axes.imshow(pressure, origin="lower", cmap="RdBu_r", vmin=-top, vmax=top, interpolation="nearest",
                            extent=[-half, half, centre - half, centre + half])
        axes.set_title(f"{1e3 * moment['time']:.2f} ms")
        axes.set_xlabel("x [cm]")
        figure.colorbar(image, ax=axes, shrink=0.8, label="Pa per m/s²" if axes is all_axes[-1] else None)
    all_axes[0].set_ylabel("y [cm]")
    save(figure, out, 128)


def draw_curves(compared, out):
    curves = compared["curves"]
    figure, all_axes = plt.subplots(len(curves), 2, figsize=(11, 2.3 * len(curves)), layout="constrained", squeeze=False)
    for row, curve in zip(all_axes, curves):
        for axes, kind, title in zip(row, ["psi", "click"], ["ψ, h = 24 µs", "half-sine, 100 µs"]):
            direct, model = (numpy.array(signal) for signal in curve[kind])
            time = 1e3 * (compared["start"] + compared["step"] * numpy.arange(len(direct)))
            error = numpy.linalg.norm(model - direct) / numpy.linalg.norm(direct)
            axes.plot(time, direct, color="lightgray", linewidth=4, label="direct simulation")
            axes.plot(time, model, color="#274690", linewidth=1, label="baked, 5×10")
            axes.set_xlim(1.6, 3.8)
            x, y, z = curve["direction"]
            axes.set_title(f"{title}: {MOTIONS[curve['motion']]}, at 8R ({x:.2f}, {y:.2f}, {z:.2f}), L2 {100 * error:.1f} %", fontsize=9)
            unit = "m/s" if curve["motion"] < 3 else "rad/s"
            axes.set_ylabel(f"Pa per {unit}" + ("²" if kind == "psi" else ""))
    all_axes[0][0].legend(fontsize=8)
    for axes in all_axes[-1]:
        axes.set_xlabel("ms")
    save(figure, out, 64)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    compared, slices = (json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:3])
    folder = pathlib.Path(sys.argv[3])
    draw_slices(slices, folder / "pan_slices.png")
    draw_curves(compared, folder / "pan_curves.png")


if __name__ == "__main__":
    main()
