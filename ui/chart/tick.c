/* tick.c: where the ticks of an axis stand, and their labels
 *
 * SPDX-License-Identifier: MIT
 */
#include "scale-private.h"

#include <math.h>
#include <string.h>

/* --- nice numbers -------------------------------------------------------------------------------------------- */

double
memlane_step_scale (double number, int exponent)
{
  return exponent < 0 ? number / pow (10, -exponent) : number * pow (10, exponent);
}

double
memlane_step_at (MemlaneStep step, double index)
{
  return memlane_step_scale (index * step.mantissa, step.exponent) + 0.0; /* no -0 */
}

static void
range_of (double size, double from, double to, double *first, double *last)
{
  *first = ceil (from / size - 1e-9);
  *last = floor (to / size + 1e-9);
}

void
memlane_step_range (MemlaneStep step, double from, double to, double *first, double *last)
{
  range_of (memlane_step_at (step, 1), from, to, first, last);
}

static MemlaneStep
next_step (MemlaneStep step)
{
  if (step.mantissa == 1)
    return (MemlaneStep) { 2, step.exponent };
  if (step.mantissa == 2)
    return (MemlaneStep) { 5, step.exponent };
  return (MemlaneStep) { 1, step.exponent + 1 };
}

MemlaneStep
memlane_step_choose (double from, double to, guint most)
{
  MemlaneStep step = { 1, (int) floor (log10 ((to - from) / (most + 1.0))) - 1 };
  double first, last;

  memlane_step_range (step, from, to, &first, &last);
  while (last - first + 1 > most)
    {
      step = next_step (step);
      memlane_step_range (step, from, to, &first, &last);
    }
  return step;
}

/* --- ticks -------------------------------------------------------------------------------------------- */

typedef struct
{
  const MemlaneScale *scale;
  MemlaneUnit unit;
  guint most;
  double factor;  /* bare numbers are divided by it */
  GArray *ticks;
} Ruler;

static void
clear_tick (gpointer tick)
{
  g_free (((MemlaneTick *) tick)->label);
}

/* Takes @label; NULL: a minor tick. Rounding may put a tick beside the end that it means: it stands on that end. */
static void
add_tick (Ruler *ruler, double value, char *label)
{
  MemlaneTick tick = { CLAMP (value, ruler->scale->from, ruler->scale->to), label != NULL, label };

  g_array_append_val (ruler->ticks, tick);
}

/* A number that is a power or a multiple of one: all its digits, no needless zeros. */
static char *
format_plain (double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, "%.12g", number));
}

static char *
format_fixed (double number, int decimals)
{
  char format[16], text[64];

  if (decimals > 12 || fabs (number) >= 1e15)
    return format_plain (number);
  g_snprintf (format, sizeof format, "%%.%df", MAX (decimals, 0));
  return g_strdup (g_ascii_formatd (text, sizeof text, format, number));
}

/* The largest unit in which @value has at most three decimals, so that 1025 KiB is not 1.000977 MiB. */
static char *
format_exact_bytes (double value)
{
  static const char *const words[] = { "B", "KiB", "MiB", "GiB", "TiB" };
  g_autofree char *number = NULL;
  int unit = G_N_ELEMENTS (words) - 1;

  while (unit > 0 && (fabs (value) < exp2 (10 * unit) || fmod (value * 8, exp2 (10 * unit)) != 0))
    unit--;
  number = format_plain (value / exp2 (10 * unit));
  return g_strconcat (number, " ", words[unit], NULL);
}

/* Steps that are powers of two, for bytes. */
static void
rule_linear_bytes (Ruler *ruler)
{
  const MemlaneScale *scale = ruler->scale;
  double size = exp2 (floor (log2 ((scale->to - scale->from) / (ruler->most + 1.0))) - 1), first, last, first_minor, last_minor;

  range_of (size, scale->from, scale->to, &first, &last);
  while (last - first + 1 > ruler->most)
    {
      size *= 2;
      range_of (size, scale->from, scale->to, &first, &last);
    }
  range_of (size / 4, scale->from, scale->to, &first_minor, &last_minor);
  if (last_minor - first_minor + 1 > 10.0 * ruler->most)
    for (double i = first; i <= last; i++)
      add_tick (ruler, i * size, format_exact_bytes (i * size + 0.0));
  else
    for (double i = first_minor; i <= last_minor; i++)
      add_tick (ruler, i * size / 4 + 0.0, fmod (i, 4) == 0 ? format_exact_bytes (i * size / 4 + 0.0) : NULL);
}

static void
rule_linear (Ruler *ruler)
{
  const MemlaneScale *scale = ruler->scale;
  MemlaneStep step, minor;
  double first, last, parts;
  int decimals;

  if (scale->to - scale->from < MEMLANE_SCALE_NARROWEST * MAX (fabs (scale->from), fabs (scale->to)))
    return;
  if (ruler->unit == MEMLANE_UNIT_BYTES)
    {
      rule_linear_bytes (ruler);
      return;
    }
  step = memlane_step_choose (scale->from, scale->to, ruler->most);
  decimals = (int) round (log10 (ruler->factor)) - step.exponent;
  minor.mantissa = step.mantissa == 1 ? 2 : step.mantissa == 2 ? 5 : 1;
  minor.exponent = step.mantissa == 5 ? step.exponent : step.exponent - 1;
  parts = step.mantissa == 2 ? 4 : 5;
  memlane_step_range (minor, scale->from, scale->to, &first, &last);
  if (last - first + 1 > 10.0 * ruler->most)
    {
      minor = step;
      parts = 1;
      memlane_step_range (minor, scale->from, scale->to, &first, &last);
    }
  for (double i = first; i <= last; i++)
    {
      double value = memlane_step_at (minor, i);

      add_tick (ruler, value, fmod (i, parts) == 0 ? format_fixed (value / ruler->factor, decimals) : NULL);
    }
}

static char *
format_log (Ruler *ruler, double value)
{
  if (ruler->unit == MEMLANE_UNIT_BYTES || (ruler->unit == MEMLANE_UNIT_ELEMENTS && ruler->scale->kind == MEMLANE_SCALE_LOG2 && value >= 1))
    return memlane_unit_format (ruler->unit, value, FALSE);
  return format_plain (value / ruler->factor);
}

/* The smallest stride with at most @most of its multiples in first..last; not one of those may be missed. */
static int
choose_stride (int first, int last, guint most)
{
  int stride = 1;

  while (floor ((double) last / stride) - ceil ((double) first / stride) + 1 > most)
    stride++;
  return stride;
}

static gboolean
is_inside (const MemlaneScale *scale, double value)
{
  return value >= scale->from * (1 - MEMLANE_SCALE_NARROWEST) && value <= scale->to * (1 + MEMLANE_SCALE_NARROWEST);
}

/* How many of @mantissas (of n) times a power of ten are seen. */
static guint
count_log10 (const MemlaneScale *scale, int first, int last, const char *mantissas)
{
  guint n = 0;

  for (int e = first; e <= last; e++)
    for (const char *m = mantissas; *m != '\0'; m++)
      n += is_inside (scale, memlane_step_scale (*m - '0', e));
  return n;
}

static void
rule_log10 (Ruler *ruler)
{
  const MemlaneScale *scale = ruler->scale;
  int first = (int) floor (log10 (scale->from)) - 1, last = (int) ceil (log10 (scale->to)) + 1, stride;
  const char *labelled = "125", *drawn = "123456789";
  int low = (int) ceil (log10 (scale->from) - MEMLANE_SCALE_NARROWEST), high = (int) floor (log10 (scale->to) + MEMLANE_SCALE_NARROWEST);

  if (scale->to / scale->from < 10 * (1 - MEMLANE_SCALE_NARROWEST))
    {
      rule_linear (ruler);
      return;
    }
  stride = choose_stride (low, high, ruler->most);
  if (count_log10 (scale, first, last, labelled) > ruler->most)
    labelled = low == high && count_log10 (scale, first, last, "15") <= ruler->most ? "15" : "1"; /* one power of ten alone is no axis */
  if (stride > 1 || count_log10 (scale, first, last, drawn) > 10 * ruler->most)
    drawn = labelled;
  if (count_log10 (scale, first, last, drawn) > 10 * ruler->most)
    drawn = ""; /* hundreds of decades: those with a label alone */
  for (int e = first; e <= last; e++)
    for (int m = 1; m <= 9; m++)
      {
        double value = memlane_step_scale (m, e);
        gboolean major = strchr (labelled, '0' + m) != NULL && e % stride == 0;

        if (is_inside (scale, value) && (major || strchr (drawn, '0' + m) != NULL))
          add_tick (ruler, value, major ? format_log (ruler, value) : NULL);
      }
}

static void
rule_log2 (Ruler *ruler)
{
  const MemlaneScale *scale = ruler->scale;
  int first = (int) ceil (log2 (scale->from) - MEMLANE_SCALE_NARROWEST), last = (int) floor (log2 (scale->to) + MEMLANE_SCALE_NARROWEST);
  int stride = choose_stride (first, last, ruler->most);

  if (last <= first && scale->to / scale->from < 2 * (1 - MEMLANE_SCALE_NARROWEST))
    {
      rule_linear (ruler);
      return;
    }
  for (int e = first; e <= last; e++)
    {
      gboolean major = e % stride == 0;

      if (major || (guint) (last - first) < 10 * ruler->most)
        add_tick (ruler, exp2 (e), major ? format_log (ruler, exp2 (e)) : NULL);
    }
}

/* Two ticks may not read the same: what the digits cannot tell apart has no label. */
static void
drop_repeated_labels (GArray *ticks)
{
  const char *before = NULL;

  for (guint i = 0; i < ticks->len; i++)
    {
      MemlaneTick *tick = &g_array_index (ticks, MemlaneTick, i);

      if (tick->label != NULL && g_strcmp0 (tick->label, before) == 0)
        {
          g_clear_pointer (&tick->label, g_free);
          tick->major = FALSE;
        }
      else if (tick->label != NULL)
        before = tick->label;
    }
}

GArray *
memlane_scale_ticks (const MemlaneScale *scale, MemlaneUnit unit, guint most)
{
  const char *word;
  Ruler ruler = { .scale = scale, .unit = unit, .most = MIN (most, 1000), .ticks = g_array_new (FALSE, FALSE, sizeof (MemlaneTick)) };

  g_array_set_clear_func (ruler.ticks, clear_tick);
  if (most == 0 || !isfinite (scale->from) || !isfinite (scale->to) || !(scale->from < scale->to)
      || (scale->kind != MEMLANE_SCALE_LINEAR && !(scale->from > 0)) || !isfinite (scale->to - scale->from))
    return ruler.ticks;
  ruler.factor = memlane_unit_axis_factor (scale, unit, &word);
  if (scale->kind == MEMLANE_SCALE_LOG10)
    rule_log10 (&ruler);
  else if (scale->kind == MEMLANE_SCALE_LOG2)
    rule_log2 (&ruler);
  else
    rule_linear (&ruler);
  drop_repeated_labels (ruler.ticks);
  return ruler.ticks;
}
