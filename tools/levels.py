#!/usr/bin/env python3
"""Levels of sounds in pascals (clangor render … --gain 1): peak, A-weighted maximum with time weighting F, exposure.

    tools/levels.py SOUND.wav [SOUND.wav …] [--distance 1.4]

With the distance of the microphone it also says what energy the sound would carry, were it the same in all directions.
The weighting is that of IEC 61672: its poles at 20.6, 107.7, 737.9 and 12194 Hz, 0 dB at 1 kHz.
"""
import argparse
import itertools
import math

import numpy
import scipy.io.wavfile

reference = 2e-5  # [Pa]
impedance = 413.0  # of air [Pa s/m]


def a_weighted(pressure, rate):
    size = 1 << (len(pressure) + rate).bit_length()
    f2 = numpy.fft.rfftfreq(size, 1 / rate) ** 2
    gain = 12194**2 * f2**2 / ((f2 + 20.6**2) * numpy.sqrt((f2 + 107.7**2) * (f2 + 737.9**2)) * (f2 + 12194**2))
    return numpy.fft.irfft(numpy.fft.rfft(pressure, size) * gain / 0.79434, size)[: len(pressure)]


def fast_maximum(pressure, rate):
    keep = math.exp(-1 / (0.125 * rate))
    return max(itertools.accumulate((1 - keep) * pressure**2, lambda sum, now: keep * sum + now))


def decibel(squared):
    return 10 * math.log10(max(squared, 1e-30) / reference**2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sounds", nargs="+")
    parser.add_argument("--distance", type=float, help="of the microphone from what sounds [m]")
    arguments = parser.parse_args()
    for path in arguments.sounds:
        rate, samples = scipy.io.wavfile.read(path)
        if samples.dtype.kind != "f":
            parser.error(f"{path}: not in floating point, so that its level is not known; render with --gain 1")
        for channel, pressure in enumerate(samples.reshape(len(samples), -1).astype(float).T):
            weighted = a_weighted(pressure, rate)
            line = (
                f"{path} {channel}: peak {decibel(numpy.max(pressure**2)):.1f} dB, "
                f"L_AFmax {decibel(fast_maximum(weighted, rate)):.1f} dB, "
                f"L_AE {decibel(numpy.sum(weighted**2) / rate):.1f} dB"
            )
            if arguments.distance:
                exposure = numpy.sum(pressure**2) / rate
                line += f", energy {4 * math.pi * arguments.distance**2 * exposure / impedance:.3g} J"
            print(line)


if __name__ == "__main__":
    main()
