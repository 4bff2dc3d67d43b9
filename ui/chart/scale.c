/* scale.c: map, unmap and fit; what is seen; ticks; values in words
 *
 * SPDX-License-Identifier: MIT
 */
#include "scale.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/strict-text.h"
#include "base/each.h"
#include "base/owns.h"
#include "base/size.h"

/* Numbers beyond these count as infinite; products of two such numbers stay finite. */
#define LARGEST 1e150
#define SMALLEST 1e-150
/* Below this part of its ends a range has no numbers left to stand on. */
#define NARROWEST 1e-12
/* The ticks that memlane_scale_fit() rounds to. */
#define USUAL_TICKS 8

#define NOTHING 1e-6 /* less than this of an axis left out at both ends together is all of it */

/* --- nice numbers ----------------------------------------------------------------------------- */

/* A distance between ticks: 1, 2 or 5 times a power of ten. */
typedef struct
{
  int mantissa, exponent;
} Step;

static double
step_scale (double number, int exponent)
{
  return exponent < 0 ? number / pow (10, -exponent) : number * pow (10, exponent);
}

/* Returns the value of the tick @index. */
static double
step_at (Step step, double index)
{
  return step_scale (index * step.mantissa, step.exponent) + 0.0; /* no -0 */
}

/* The first and last index whose tick is in the range; a tick that misses an end by rounding alone
 * is in. */
static void
step_range (Step step, double from, double to, double *first, double *last)
{
  *first = ceil (from / step_at (step, 1) - 1e-9);
  *last = floor (to / step_at (step, 1) + 1e-9);
}

/* The smallest step with at most @most ticks in the range. */
static Step
step_choose (double from, double to, guint most)
{
  Step step = { 1, (int) floor (log10 ((to - from) / (most + 1.0))) - 1 };
  double first, last;

  for (;;)
    {
      step_range (step, from, to, &first, &last);
      if (last - first + 1 <= most)
        return step;
      step.exponent += step.mantissa == 5;
      step.mantissa = step.mantissa == 1 ? 2 : step.mantissa == 2 ? 5 : 1;
    }
}

/* --- map and unmap ---------------------------------------------------------------------------- */

double
memlane_scale_map (const MemlaneScale *scale, double value)
{
  if (scale->kind == MEMLANE_SCALE_LINEAR)
    return isfinite (value) ? (value - scale->from) / (scale->to - scale->from) : NAN;
  return isfinite (value) && value > 0 ? log (value / scale->from) / log (scale->to / scale->from)
                                       : NAN;
}

double
memlane_scale_unmap (const MemlaneScale *scale, double place)
{
  return scale->kind == MEMLANE_SCALE_LINEAR
             ? scale->from + place * (scale->to - scale->from)
             : scale->from * exp (place * log (scale->to / scale->from));
}

/* --- fit -------------------------------------------------------------------------------------- */

/* The nearest 1, 2 or 5 of a decade at or below @value; with @above at or above it. */
static double
decade_tick (double value, gboolean above)
{
  static const int mantissas[] = { 1, 2, 5 };
  int exponent = (int) floor (log10 (value));
  double best = NAN;

  for (int e = exponent - 1; e <= exponent + 1; e++)
    for (guint i = 0; i < G_N_ELEMENTS (mantissas); i++)
      {
        double tick = step_scale (mantissas[i], e);

        if (above ? isnan (best) && tick >= value * (1 - NARROWEST)
                  : tick <= value * (1 + NARROWEST))
          best = tick;
      }
  return best;
}

static MemlaneScale
fit_linear (double low, double high)
{
  MemlaneScale scale = { MEMLANE_SCALE_LINEAR, MIN (low, 0), high };
  double first, last;
  Step step;

  if (low == high)
    scale.to = MAX (high, 0);
  if (scale.to - scale.from < SMALLEST)
    return (MemlaneScale) { MEMLANE_SCALE_LINEAR, 0, 1 };
  if (scale.to - scale.from < NARROWEST * fabs (scale.from))
    scale.to = 0; /* far below 0 and as good as one value */
  step = step_choose (scale.from, scale.to, USUAL_TICKS);
  step_range (step, scale.from, scale.to, &first, &last);
  scale.from = step_at (step, step_at (step, first) > scale.from ? first - 1 : first);
  scale.to = step_at (step, step_at (step, last) < scale.to ? last + 1 : last);
  return scale;
}

static MemlaneScale
fit_log (double low, double high)
{
  MemlaneScale scale = { .kind = MEMLANE_SCALE_LOG10 };

  if (!(high > 0))
    return (MemlaneScale) { MEMLANE_SCALE_LOG10, 1, 10 };
  high = CLAMP (high, SMALLEST, LARGEST);
  if (!(low > 0))
    low = high / 1000; /* three decades: something to look at */
  low = CLAMP (low, SMALLEST, LARGEST);
  scale.from = decade_tick (low, FALSE);
  scale.to = decade_tick (high, TRUE);
  if (scale.to <= scale.from * (1 + NARROWEST))
    {
      scale.from = decade_tick (scale.from * 0.9, FALSE);
      scale.to = decade_tick (scale.to * 1.1, TRUE);
    }
  return scale;
}

MemlaneScale
memlane_scale_fit (MemlaneScaleKind kind, double low, double high)
{
  double least, most;

  if (!isfinite (low))
    low = isfinite (high) ? high : 0;
  if (!isfinite (high))
    high = low;
  least = MIN (low, high);
  most = MAX (low, high);
  return kind == MEMLANE_SCALE_LINEAR
             ? fit_linear (CLAMP (least, -LARGEST, LARGEST), CLAMP (most, -LARGEST, LARGEST))
             : fit_log (least, most);
}

/* --- what is seen of an axis ------------------------------------------------------------------ */

MemlaneRange
memlane_zoom_to (const MemlaneScale *seen, const MemlaneScale *full, double first, double last,
                 double least)
{
  double low = memlane_scale_map (full, seen->from), high = memlane_scale_map (full, seen->to),
         span, middle;

  if (!isfinite (low) || !isfinite (high) || !isfinite (first) || !isfinite (last))
    return MEMLANE_RANGE_NAN;
  span = high - low;
  high = low + span * MAX (first, last);
  low = low + span * MIN (first, last);
  span = CLAMP (high - low, MIN (least, 1), 1);
  if (span >= 1 - NOTHING)
    return MEMLANE_RANGE_NAN;
  middle = CLAMP ((low + high) / 2, span / 2, 1 - span / 2);
  return (MemlaneRange) { memlane_scale_unmap (full, middle - span / 2),
                         memlane_scale_unmap (full, middle + span / 2) };
}

MemlaneRange
memlane_zoom_around (const MemlaneScale *seen, const MemlaneScale *full, double place,
                     double factor, double least)
{
  double low = memlane_scale_map (full, seen->from), high = memlane_scale_map (full, seen->to);

  /* At the least span the place has to stay too: another notch of the wheel must not move what is
   * seen. */
  if (factor < 1 && high > low)
    factor = MAX (factor, MIN (1, least / (high - low)));
  return memlane_zoom_to (seen, full, place - place * factor, place + (1 - place) * factor, least);
}

MemlaneRange
memlane_zoom_pan (const MemlaneScale *seen, const MemlaneScale *full, double share)
{
  return memlane_zoom_to (seen, full, share, 1 + share, 0);
}

/* --- values in words -------------------------------------------------------------------------- */

typedef struct
{
  double factor;
  const char *word;
} Prefix;

/* Prefixes from small to large. */
static const Prefix bytes[] = {
  { 1, "B" },
  { 1024.0, "KiB" },
  { 1048576.0, "MiB" },
  { 1073741824.0, "GiB" },
  { 1099511627776.0, "TiB" },
};
static const Prefix bandwidths[] = {
  { 1, "B/s" }, { 1e3, "kB/s" }, { 1e6, "MB/s" }, { 1e9, "GB/s" }, { 1e12, "TB/s" }
};
static const Prefix times[] = { { 1, "ns" }, { 1e3, "µs" }, { 1e6, "ms" }, { 1e9, "s" } };

/* "1.50" -> "1.5", "64.0" -> "64"; the decimal point may be of any locale. */
static void
trim_zeros (char *text)
{
  gsize length = strlen (text);

  if (strspn (text, "-0123456789") == length)
    return;
  while (length > 0 && text[length - 1] == '0')
    text[--length] = '\0';
  while (length > 0 && !g_ascii_isdigit (text[length - 1]))
    text[--length] = '\0';
}

static const Prefix *
choose_prefix (const Prefix *prefixes, guint n, double value)
{
  const Prefix *chosen = prefixes;

  for (guint i = 1; i < n; i++)
    if (fabs (value) >= prefixes[i].factor)
      chosen = &prefixes[i];
  return chosen;
}

static char *
format_bandwidth (double value, gboolean localized)
{
  double rounded = memlane_digits_round (value);
  const Prefix *prefix = choose_prefix (bandwidths, G_N_ELEMENTS (bandwidths), rounded);
  double number = rounded / prefix->factor;
  g_autofree char *text = memlane_digits_format (number, localized);

  return g_strconcat (text, " ", prefix->word, NULL);
}

/* Sizes are mostly exact: no zeros behind the point. */
static char *
format_bytes (double value, gboolean localized)
{
  const Prefix *prefix = choose_prefix (bytes, G_N_ELEMENTS (bytes), value);
  double number = memlane_digits_round (value / prefix->factor);
  g_autofree char *text = NULL;

  /* 1023 KiB has four digits before the point, and they are all kept. */
  if (fabs (value / prefix->factor) >= 1000)
    number = round (value / prefix->factor);
  if (fabs (number) >= 1024 && prefix < &bytes[G_N_ELEMENTS (bytes) - 1])
    {
      number = number / 1024;
      prefix++;
    }
  text = memlane_digits_format (number, localized);
  if (fabs (number) < 1e15)
    trim_zeros (text);
  return g_strconcat (text, " ", prefix->word, NULL);
}

char *
memlane_unit_format_power (double log2)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  g_autofree char *size = memlane_size_format (log2);
  GString *text;

  if (!memlane_size_is_power (log2))
    return g_steal_pointer (&size);
  text = g_string_new ("2");
  for (const char *p = size + strlen ("2^"); *p != '\0'; p++)
    g_string_append (text, digits[*p - '0']);
  return g_string_free (text, FALSE);
}

static char *
format_elements (double value, gboolean localized)
{
  int exponent;

  if (value >= 1 && frexp (value, &exponent) == 0.5)
    return memlane_unit_format_power ((guint) exponent - 1);
  if (value == floor (value) && fabs (value) < 1e15)
    return g_strdup_printf ("%.0f", value);
  return memlane_digits_format (memlane_digits_round (value), localized);
}

char *
memlane_unit_format (MemlaneUnit unit, double value, gboolean localized)
{
  g_autofree char *text = NULL;

  if (!isfinite (value))
    return g_strdup (localized ? C_("no value", "n/a") : "n/a");
  value += 0.0; /* no "-0" */
  if (unit == MEMLANE_UNIT_ELEMENTS)
    return format_elements (value, localized);
  if (unit == MEMLANE_UNIT_BYTES)
    return format_bytes (value, localized);
  if (unit == MEMLANE_UNIT_BANDWIDTH)
    return format_bandwidth (value, localized);
  if (unit == MEMLANE_UNIT_TIME)
    return memlane_digits_format_time (value, TRUE, localized);
  text = memlane_digits_format (memlane_digits_round (value), localized);
  return g_strconcat (text, "×", NULL);
}

/* Returns the unit of the bare numbers of an axis, the word of which is "" where labels carry their
 * units. */
static Prefix
axis_prefix (const MemlaneScale *scale, MemlaneUnit unit)
{
  double size = MAX (fabs (scale->from), fabs (scale->to));

  if (unit == MEMLANE_UNIT_BANDWIDTH) /* Never TB/s: people compare links and memories in GB/s. */
    return *choose_prefix (bandwidths, G_N_ELEMENTS (bandwidths) - 1, size);
  if (unit == MEMLANE_UNIT_TIME)
    return (Prefix) { choose_prefix (times, G_N_ELEMENTS (times), size)->factor, "" };
  return (Prefix) { 1, unit == MEMLANE_UNIT_RATIO ? "×" : "" };
}

const char *
memlane_scale_axis_unit (const MemlaneScale *scale, MemlaneUnit unit)
{
  return axis_prefix (scale, unit).word;
}

/* --- ticks ------------------------------------------------------------------------------------ */

typedef struct
{
  const MemlaneScale *scale;
  MemlaneUnit unit;
  guint most;
  double factor;  /* bare numbers are divided by it */
  GArray *ticks;
} Ruler;

MEMLANE_DEFINE_CLEAR (MemlaneTick, static void clear_tick (gpointer data), OWNS (label, g_free))

/* Takes @label; NULL: a minor tick. Rounding may put a tick beside the end that it means: it stands
 * on that end. */
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

/* "10 µs": times run over many decades, and each tick has the unit that suits it. */
static char *
format_log_time (double value)
{
  const Prefix *prefix = choose_prefix (times, G_N_ELEMENTS (times), value * (1 + 1e-9));
  g_autofree char *number = format_plain (value / prefix->factor);

  return g_strdup_printf ("%s %s", number, prefix->word);
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

static void
rule_linear (Ruler *ruler)
{
  const MemlaneScale *scale = ruler->scale;
  Step step, minor;
  double first, last, parts;
  int decimals;

  if (scale->to - scale->from < NARROWEST * MAX (fabs (scale->from), fabs (scale->to)))
    return;
  step = step_choose (scale->from, scale->to, ruler->most);
  decimals = (int) round (log10 (ruler->factor)) - step.exponent;
  minor.mantissa = step.mantissa == 1 ? 2 : step.mantissa == 2 ? 5 : 1;
  minor.exponent = step.mantissa == 5 ? step.exponent : step.exponent - 1;
  parts = step.mantissa == 2 ? 4 : 5;
  step_range (minor, scale->from, scale->to, &first, &last);
  if (last - first + 1 > 10.0 * ruler->most)
    {
      minor = step;
      parts = 1;
      step_range (minor, scale->from, scale->to, &first, &last);
    }
  for (double i = first; i <= last; i++)
    {
      double value = step_at (minor, i);
      char *label = fmod (i, parts) == 0 ? format_fixed (value / ruler->factor, decimals) : NULL;

      if (label != NULL && ruler->unit == MEMLANE_UNIT_TIME)
        {
          g_autofree char *number = label;

          label = value != 0 ? g_strdup_printf (
                                   "%s %s", number,
                                   choose_prefix (times, G_N_ELEMENTS (times), ruler->factor)->word)
                             : g_strdup ("0");
        }
      add_tick (ruler, value, label);
    }
}

static char *
format_log (Ruler *ruler, double value)
{
  if (ruler->unit == MEMLANE_UNIT_ELEMENTS && ruler->scale->kind == MEMLANE_SCALE_LOG2
      && value >= 1)
    return memlane_unit_format (ruler->unit, value, FALSE);
  return ruler->unit == MEMLANE_UNIT_TIME ? format_log_time (value)
                                          : format_plain (value / ruler->factor);
}

/* The smallest stride with at most @most of its multiples in first..last; not one of those may be
 * missed. */
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
  return value >= scale->from * (1 - NARROWEST) && value <= scale->to * (1 + NARROWEST);
}

/* Returns the number of @mantissas (n of them) times a power of ten that are seen. */
static guint
count_log10 (const MemlaneScale *scale, int first, int last, const char *mantissas)
{
  guint n = 0;

  for (int e = first; e <= last; e++)
    for (const char *m = mantissas; *m != '\0'; m++)
      n += is_inside (scale, step_scale (*m - '0', e));
  return n;
}

static void
rule_log10 (Ruler *ruler)
{
  const MemlaneScale *scale = ruler->scale;
  int first = (int) floor (log10 (scale->from)) - 1, last = (int) ceil (log10 (scale->to)) + 1,
      stride;
  const char *labelled = "125", *drawn = "123456789";
  int low = (int) ceil (log10 (scale->from) - NARROWEST),
      high = (int) floor (log10 (scale->to) + NARROWEST);

  if (scale->to / scale->from < 10 * (1 - NARROWEST))
    {
      rule_linear (ruler);
      return;
    }
  stride = choose_stride (low, high, ruler->most);
  if (count_log10 (scale, first, last, labelled) > ruler->most)
    /* one power of ten alone is no axis */
    labelled = low == high && count_log10 (scale, first, last, "15") <= ruler->most ? "15" : "1";
  if (stride > 1 || count_log10 (scale, first, last, drawn) > 10 * ruler->most)
    drawn = labelled;
  if (count_log10 (scale, first, last, drawn) > 10 * ruler->most)
    drawn = ""; /* hundreds of decades: those with a label alone */
  for (int e = first; e <= last; e++)
    for (int m = 1; m <= 9; m++)
      {
        double value = step_scale (m, e);
        gboolean major = strchr (labelled, '0' + m) != NULL && e % stride == 0;

        if (is_inside (scale, value) && (major || strchr (drawn, '0' + m) != NULL))
          add_tick (ruler, value, major ? format_log (ruler, value) : NULL);
      }
}

static void
rule_log2 (Ruler *ruler)
{
  const MemlaneScale *scale = ruler->scale;
  int first = (int) ceil (log2 (scale->from) - NARROWEST),
      last = (int) floor (log2 (scale->to) + NARROWEST);
  int stride = choose_stride (first, last, ruler->most);

  if (last <= first && scale->to / scale->from < 2 * (1 - NARROWEST))
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

  MEMLANE_FOR_EACH_IN (MemlaneTick, tick, ticks)
    if (tick->label != NULL && g_strcmp0 (tick->label, before) == 0)
      {
        g_clear_pointer (&tick->label, g_free);
        tick->major = FALSE;
      }
    else if (tick->label != NULL)
      before = tick->label;
}

GArray *
memlane_scale_ticks (const MemlaneScale *scale, MemlaneUnit unit, guint most)
{
  Ruler ruler = { .scale = scale,
                  .unit = unit,
                  .most = MIN (most, 1000),
                  .ticks = g_array_new (FALSE, FALSE, sizeof (MemlaneTick)) };

  g_array_set_clear_func (ruler.ticks, clear_tick);
  if (most == 0 || !isfinite (scale->from) || !isfinite (scale->to) || !(scale->from < scale->to)
      || (scale->kind != MEMLANE_SCALE_LINEAR && !(scale->from > 0))
      || !isfinite (scale->to - scale->from))
    return ruler.ticks;
  ruler.factor = axis_prefix (scale, unit).factor;
  if (scale->kind == MEMLANE_SCALE_LOG10)
    rule_log10 (&ruler);
  else if (scale->kind == MEMLANE_SCALE_LOG2)
    rule_log2 (&ruler);
  else
    rule_linear (&ruler);
  drop_repeated_labels (ruler.ticks);
  return ruler.ticks;
}
