#!/usr/bin/env python3
"""A picture of a sound: waveform, spectrogram and spectrum of a WAV file that clangor wrote.

    tools/spectrogram.py IN.wav OUT.png [--title TEXT] [--max-hz HZ]

Needs numpy, scipy and matplotlib (Debian: python3-scipy python3-matplotlib).
"""
import argparse
import json
import pathlib

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy
import scipy.io.wavfile
import scipy.signal


def read_pascals(path):
    rate, samples = scipy.io.wavfile.read(path)
    samples = samples.astype(float)
    report = pathlib.Path(path).with_suffix(".report.json")
    if report.exists():
        samples *= json.loads(report.read_text()).get("pascals_per_unit", 1.0)
    return rate, samples if samples.ndim == 1 else samples[:, 0]


def draw(path, out, title, max_hz):
    rate, pressure = read_pascals(path)
    window = int(rate * 0.02) | 1
    hertz, seconds, power = scipy.signal.spectrogram(pressure, rate, nperseg=window, noverlap=window * 3 // 4, nfft=4096, window="hann")
    level = 10 * numpy.log10(numpy.maximum(power, 1e-300) / power.max())
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(9, 4.6), sharex=True, gridspec_kw={"height_ratios": [1, 3]}, layout="constrained")
    top.plot(numpy.arange(len(pressure)) / rate, pressure, linewidth=0.4, color="#274690")
    top.set_ylabel("Pa")
    top.margins(x=0)
    image = bottom.pcolormesh(seconds, hertz / 1000, level, vmin=-90, vmax=0, cmap="magma", shading="auto", rasterized=True)
    bottom.set_ylim(0, max_hz / 1000)
    bottom.set_ylabel("kHz")
    bottom.set_xlabel("s")
    figure.colorbar(image, ax=bottom, label="dB below the loudest", pad=0.01)
    top.set_title(title, fontsize=10)
    figure.savefig(out, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wav")
    parser.add_argument("out")
    parser.add_argument("--title", default="")
    parser.add_argument("--max-hz", type=float, default=20000)
    options = parser.parse_args()
    draw(options.wav, options.out, options.title or pathlib.Path(options.wav).stem, options.max_hz)
