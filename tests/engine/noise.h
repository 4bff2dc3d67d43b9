/* noise.h: a law by which a simulated device's times vary, for tests of what is made of times that do
 *
 * SPDX-License-Identifier: MIT
 *
 * All of it is drawn from one seed and the number of the process. So the same device in the same process of the same program gives the same
 * times. A process, a state, a drift and a burst last: each cost, of the host as of the device, is multiplied by the pace of the moment at
 * which it begins.
 */
#pragma once

#include <math.h>

#include "device/simulated/profile.h"

/* 0 in a member: there is none of that. */
typedef struct
{
  double relative;        /* standard deviation of a share drawn anew for each cost */
  double process;         /* standard deviation of a share drawn once for each process */
  double state_ratio;     /* pace of the second of two states; both are equally common */
  double state_dwell_ns;  /* mean time in one of the two states */
  double drift_per_s;     /* growth of every cost in a second of simulated time; it ends at half and at double */
  double burst_ratio;     /* pace while a burst of somebody else's work lasts */
  double burst_every_ns;  /* mean time from the end of a burst to the next one */
  double burst_ns;        /* mean length of a burst */
  double tick_ns;         /* resolution of the device's clock */
  guint64 seed;
} Noise;

typedef struct
{
  const Noise *law;
  guint process_number;
  guint64 random;         /* of what is drawn for each cost */
  guint64 random_pace;    /* of what lasts: the number of costs must not change it */
  gboolean has_begun;
  double process;
  gboolean in_state, in_burst;
  double at;              /* simulated time of the last look */
  double pace;
} NoiseState;

#define LEAST_PACE 0.05 /* however far a normal draw goes out: time goes on */

/* splitmix64: small, and the same everywhere. */
static double
next_uniform (guint64 *random)
{
  guint64 z = (*random += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return ((double) ((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double
next_normal (guint64 *random)
{
  double radius = sqrt (-2 * log (next_uniform (random)));

  return radius * cos (2 * G_PI * next_uniform (random));
}

static void
noise_begin (const Noise *self, NoiseState *state, guint process)
{
  /* Far apart in the sequence, so that one process is not another a few draws later. */
  guint64 seed = self->seed + process * G_GUINT64_CONSTANT (0xd1342543de82ef95);

  *state = (NoiseState) { .law = self, .process_number = process, .random = seed, .has_begun = TRUE, .pace = 1,
                          .random_pace = seed ^ G_GUINT64_CONSTANT (0x5851f42d4c957f2d) };
  state->process = self->process * next_normal (&state->random_pace);
  state->in_state = next_uniform (&state->random_pace) < 0.5;
  state->in_burst = next_uniform (&state->random_pace) * (self->burst_ns + self->burst_every_ns) < self->burst_ns;
  state->at = -1; /* before the first look */
}

/* Whether a two-state process is in its second state @passed ns after it @was, or was not. It leaves the first at the rate @enter and the
 * second at @leave; this is the law of the chain itself, however much has passed. */
static gboolean
step_state (guint64 *random, gboolean was, double enter, double leave, double passed)
{
  double share = enter / (enter + leave);

  return next_uniform (random) < share + ((was ? 1 : 0) - share) * exp (-(enter + leave) * passed);
}

/* Brings what lasts forward to @now. */
static void
look (const Noise *self, NoiseState *state, double now)
{
  double passed = MAX (now - MAX (state->at, 0), 0), pace = MAX (1 + state->process, LEAST_PACE);

  state->at = now;
  if (self->state_ratio > 0 && self->state_dwell_ns > 0)
    {
      state->in_state = step_state (&state->random_pace, state->in_state, 1 / self->state_dwell_ns, 1 / self->state_dwell_ns, passed);
      pace *= state->in_state ? self->state_ratio : 1;
    }
  if (self->burst_ratio > 0 && self->burst_every_ns > 0 && self->burst_ns > 0)
    {
      state->in_burst = step_state (&state->random_pace, state->in_burst, 1 / self->burst_every_ns, 1 / self->burst_ns, passed);
      pace *= state->in_burst ? self->burst_ratio : 1;
    }
  pace *= CLAMP (1 + self->drift_per_s * now / 1e9, 0.5, 2);
  state->pace = pace;
}

static double
noise_get_pace (const Noise *self, NoiseState *state, double now)
{
  if (now > state->at)
    look (self, state, now);
  return state->pace;
}


/* As MemlaneProfile.vary; a clock that has gone back is another device's. */
static double
noise_vary (gpointer data, guint process, double now, double ns)
{
  NoiseState *state = data;
  const Noise *law = state->law;

  if (!state->has_begun || state->process_number != process || now < state->at)
    noise_begin (law, state, process);
  ns *= noise_get_pace (law, state, now);
  return law->relative > 0 && ns > 0 ? ns * MAX (LEAST_PACE, 1 + law->relative * next_normal (&state->random)) : ns;
}

/* Devices of @profile vary by @law from now on, one of them at a time; both stay the caller's, and @law and @state outlive them. */
G_GNUC_UNUSED static void
noise_set (MemlaneProfile *profile, const Noise *law, NoiseState *state)
{
  *state = (NoiseState) { .law = law };
  profile->vary = noise_vary;
  profile->vary_data = state;
  profile->tick_ns = law->tick_ns;
}
