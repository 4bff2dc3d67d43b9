/* noise.h: how a simulated device's times vary where a test asks for it; recorded rounds are drawn by residuals.h
 *
 * SPDX-License-Identifier: MIT
 *
 * All of it is drawn from one seed and the number of the process. So the same device in the same process of the same program gives the same
 * times. A process, a state, a drift and a burst last: each cost, of the host as of the device, is multiplied by the pace of the moment at
 * which it begins. All zero leaves every time as it is, to the last bit.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* X ("key", member, least, most, "what it is"): the group [noise] of a profile, beside its seed. */
#define MEMLANE_NOISE_KEYS(X) \
  X ("relative", relative, 0, 0.5, "Standard deviation of a share drawn anew for each cost of a curve.") \
  X ("process", process, 0, 0.5, "Standard deviation of a share drawn once for each process, when the device is opened.") \
  X ("state_ratio", state_ratio, 0.1, 10, "Pace of the second of two states; both are equally common.") \
  X ("state_dwell_ns", state_dwell_ns, 1, 1e15, "Mean time in one of the two states, ns.") \
  X ("drift_per_s", drift_per_s, -0.5, 0.5, "Growth of every cost in a second of simulated time; it ends at half and at double.") \
  X ("burst_ratio", burst_ratio, 1, 1000, "Pace while a burst of somebody else's work lasts.") \
  X ("burst_every_ns", burst_every_ns, 1, 1e15, "Mean time from the end of a burst to the next one, ns.") \
  X ("burst_ns", burst_ns, 1, 1e15, "Mean length of a burst, ns.") \
  X ("tick_ns", tick_ns, 0.001, 1e6, "Resolution of the device's clock: time stamps of events are whole multiples, ns.")

/* 0 in a member: there is none of that. */
typedef struct
{
#define X(key, member, least, most, doc) double member;
  MEMLANE_NOISE_KEYS (X)
#undef X
  guint64 seed;
} MemlaneNoise;

/* Whether times differ from those of a device without noise. */
gboolean memlane_noise_is_any (const MemlaneNoise *self);
/* "process 0.01, tick_ns 32, seed 1"; NULL: there is none. (transfer full) */
char *memlane_noise_describe (const MemlaneNoise *self);

/* The state of the noise so far. */
typedef struct
{
  guint64 random;         /* of what is drawn for each cost */
  guint64 random_pace;    /* of what lasts: the number of costs must not change it */
  gboolean has_pace;
  double process;
  gboolean in_state, in_burst;
  double at;              /* simulated time of the last look */
  double pace;
  double round;           /* 0 to 1: which of the recorded rounds this process is */
} MemlaneNoiseState;

/* A process begins at simulated time 0; @process: its number. */
void memlane_noise_begin (const MemlaneNoise *self, MemlaneNoiseState *state, guint process);
/* Returns by what a cost that begins at @now is multiplied; @now never goes back. */
double memlane_noise_get_pace (const MemlaneNoise *self, MemlaneNoiseState *state, double now);
/* @ns with a share of its own. */
double memlane_noise_add (const MemlaneNoise *self, MemlaneNoiseState *state, double ns);
/* @ns as the device's clock tells it. */
double memlane_noise_read_clock (const MemlaneNoise *self, double ns);

G_END_DECLS
