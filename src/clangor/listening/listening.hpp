/// @file listening.hpp — sound pressure at the listeners, as it goes into a file.
/// Model     samples are pascals; decibels are 20 lg of a ratio of pressures. Sound arrives after r/c, from where its
///           source was then; a listener is one or more capsules, each feeding one or more channels by the direction of
///           arrival
///                                                                                         docs/theory/listening.md
/// In        the pressure that each source makes at each listener.
/// Out       Audio: io writes it.
/// Not here  how sound is made (radiation), file formats (io).
///
///     const MicrophoneArray array = microphone_array("mic", ListenerKind::Ortf);
///     Audio audio = silence(48000, array.channels, 48000);
///     add_arrival(audio, 0, array, 0, bowl_pressure, delay_curve, 1.0, 343.2);
///     const double loudest = peak_pa(audio);
#pragma once

#include <clangor/listening/arrival.hpp>
#include <clangor/listening/audio.hpp>
#include <clangor/listening/microphone_array.hpp>
