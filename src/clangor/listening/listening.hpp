/// @file listening.hpp — sound pressure at the listeners, as it goes into a file.
/// Model     samples are pascals; decibels are 20 lg of a ratio of pressures. Sound arrives after r/c, from where its
///           source was then; a listener is one or more capsules, each feeding one or more channels by the direction of
///           arrival
///                                                                                         docs/theory/listening.md
/// In        the pressure that each source makes at each listener.
/// Out       Audio: io writes it.
/// Not here  how sound is made (radiation), file formats (io).
///
///     const ListeningPost post = listening_post("mic", ListenerKind::Ortf);
///     Audio audio = silence(48000, post.channels, 48000);
///     add_arrival(audio, 0, post, 0, bowl_pressure, passage, 1.0, 343.2);
///     const double loudest = peak_pa(audio);
#pragma once

#include <clangor/listening/arrival.hpp>
#include <clangor/listening/audio.hpp>
#include <clangor/listening/listening_post.hpp>
