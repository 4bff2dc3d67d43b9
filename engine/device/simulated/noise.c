/* noise.c: how a simulated device's times vary where a test asks for it
 *
 * SPDX-License-Identifier: MIT
 */
#include "noise.h"

#include <math.h>

#include "base/strict-text.h"

#define LEAST_PACE 0.05 /* however far a normal draw goes out: time goes on */

gboolean
memlane_noise_is_any (const MemlaneNoise *self)
{
#define X(key, member, least, most, doc) + (self->member != 0)
  return (0 MEMLANE_NOISE_KEYS (X)) > 0;
#undef X
}

char *
memlane_noise_describe (const MemlaneNoise *self)
{
  GString *text;

  if (!memlane_noise_is_any (self))
    return NULL;
  text = g_string_new (NULL);
#define X(key, member, least, most, doc) \
  if (self->member != 0) \
    { \
      g_string_append (text, key " "); \
      memlane_text_append_number (text, self->member); \
      g_string_append (text, ", "); \
    }
  MEMLANE_NOISE_KEYS (X)
#undef X
  g_string_append_printf (text, "seed %" G_GUINT64_FORMAT, self->seed);
  return g_string_free (text, FALSE);
}

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

void
memlane_noise_begin (const MemlaneNoise *self, MemlaneNoiseState *state, guint process)
{
  /* Far apart in the sequence, so that one process is not another a few draws later. */
  guint64 seed = self->seed + process * G_GUINT64_CONSTANT (0xd1342543de82ef95);

  *state = (MemlaneNoiseState) { .random = seed, .random_pace = seed ^ G_GUINT64_CONSTANT (0x5851f42d4c957f2d), .pace = 1 };
  state->has_pace = self->process > 0 || (self->state_ratio > 0 && self->state_dwell_ns > 0)
                    || self->drift_per_s != 0 || (self->burst_ratio > 0 && self->burst_every_ns > 0 && self->burst_ns > 0);
  state->round = next_uniform (&(guint64) { seed ^ G_GUINT64_CONSTANT (0x2545f4914f6cdd1d) });
  if (!state->has_pace)
    return;
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
look (const MemlaneNoise *self, MemlaneNoiseState *state, double now)
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

double
memlane_noise_get_pace (const MemlaneNoise *self, MemlaneNoiseState *state, double now)
{
  if (state->has_pace && now > state->at)
    look (self, state, now);
  return state->pace;
}

double
memlane_noise_add (const MemlaneNoise *self, MemlaneNoiseState *state, double ns)
{
  if (self->relative <= 0 || ns <= 0)
    return ns;
  return ns * MAX (LEAST_PACE, 1 + self->relative * next_normal (&state->random));
}

double
memlane_noise_read_clock (const MemlaneNoise *self, double ns)
{
  return self->tick_ns > 0 ? floor (ns / self->tick_ns) * self->tick_ns : ns;
}
