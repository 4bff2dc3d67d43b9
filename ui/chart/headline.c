/* headline.c: what a chart says, in one sentence
 *
 * SPDX-License-Identifier: MIT
 */
#include "headline.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "answer-words.h"
#include "base/each.h"
#include "chart-words.h"

#define MOST_SIZES MEMLANE_MOST_SIZES

/* A side of the comparison: a family by its best mode at each size, or a mode. */
typedef struct
{
  MemlaneFamily family;
  const char *name;
  /* by the size's place among the measured ones; NULL: not measured */
  const MemlaneChartPoint *best[MOST_SIZES];
} Rival;

char *
memlane_headline_format (MemlaneUnit unit, double value)
{
  double digit = isfinite (value) && value > 0 ? pow (10, floor (log10 (value)) - 1) : 1;
  char *text = memlane_unit_format (unit, round (value / digit) * digit, TRUE),
       *point = strpbrk (text, ".,"), *zero = point;

  /* The third digit of "65.0" and "6.50" is none. */
  while (zero != NULL && g_ascii_isdigit (zero[1]))
    zero++;
  if (zero != NULL && *zero == '0')
    memmove (zero - (zero - point == 1), zero + 1, strlen (zero));
  return text;
}

static gboolean
is_better (const MemlaneChart *chart, double a, double b)
{
  return chart->quantity == MEMLANE_QUANTITY_BANDWIDTH ? a > b : a < b;
}

static gboolean
is_rival (const MemlaneSeries *series)
{
  return series->role == MEMLANE_SERIES_MEASURED && series->family != MEMLANE_FAMILY_BASELINE;
}

/* (transfer full) (element-type Rival) */
static GArray *
collect_rivals (const MemlaneChart *chart)
{
  /* of all rivals, rising */
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *rivals = g_array_new (FALSE, TRUE, sizeof (Rival));
  const MemlaneSeries *first = NULL;
  gboolean families = FALSE;

  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    {
      if (!is_rival (series))
        continue;
      families = families || (first != NULL && first->family != series->family);
      first = series;
      MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
        memlane_chart_place_size (sizes, point->log2_elements, TRUE);
    }
  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    {
      Rival *rival = NULL;

      if (!is_rival (series))
        continue;
      MEMLANE_FOR_EACH_IN (Rival, known, rivals)
        if (families && series->family < MEMLANE_N_FAMILIES && known->family == series->family)
          rival = known;
      if (rival != NULL)
        rival->name = memlane_chart_family_title (series->family); /* it stands for several modes */
      else
        {
          g_array_append_val (rivals, ((Rival) { series->family, series->label, { NULL } }));
          rival = &g_array_index (rivals, Rival, rivals->len - 1);
        }
      MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
        {
          guint place = memlane_chart_place_size (sizes, point->log2_elements, FALSE);

          if (place < MOST_SIZES
              && (rival->best[place] == NULL
                  || is_better (chart, point->value, rival->best[place]->value)))
            rival->best[place] = point;
        }
    }
  return rivals;
}

/* A size that at least two rivals have; while a sweep grows, all of them. */
typedef struct
{
  const MemlaneChartPoint *point; /* the best there */
  guint size, winner;
  /* bits: the winner and those that cannot be told from it: their intervals overlap */
  guint64 level;
} Contest;

static gboolean
intervals_overlap (const MemlaneChartPoint *a, const MemlaneChartPoint *b)
{
  return a->low <= b->high && b->low <= a->high;
}

/* (transfer full) (element-type Contest), rising sizes */
static GArray *
hold_contests (const MemlaneChart *chart, const GArray *rivals)
{
  GArray *contests = g_array_new (FALSE, TRUE, sizeof (Contest));

  for (guint size = 0; size < MOST_SIZES; size++)
    {
      Contest contest = { NULL };
      guint n = 0, needed = chart->growing ? MAX (rivals->len, 2) : 2;

      for (guint i = 0; i < rivals->len; i++)
        {
          const MemlaneChartPoint *point = g_array_index (rivals, Rival, i).best[size];

          if (point == NULL)
            continue;
          n++;
          if (contest.point == NULL || is_better (chart, point->value, contest.point->value))
              contest = (Contest) { .point = point, .size = size, .winner = i };
        }
      for (guint i = 0; n >= needed && i < MIN (rivals->len, 64); i++)
        {
          const MemlaneChartPoint *point = g_array_index (rivals, Rival, i).best[size];

          if (point != NULL && intervals_overlap (point, contest.point))
            contest.level |= G_GUINT64_CONSTANT (1) << i;
        }
      if (n >= needed)
        g_array_append_val (contests, contest);
    }
  return contests;
}

static char *
format_size (const MemlaneChartPoint *point)
{
  return memlane_unit_format (MEMLANE_UNIT_BYTES, point->bytes, TRUE);
}

/* Whether all rivals were measured at all sizes. */
static gboolean
is_whole (const GArray *rivals, const GArray *contests)
{
  guint n_sizes = 0;

  for (guint size = 0; size < MOST_SIZES; size++)
    {
      guint n = 0;

      MEMLANE_FOR_EACH_IN (const Rival, rival, rivals)
        n += rival->best[size] != NULL;
      if (n > 0 && n < rivals->len)
        return FALSE;
      n_sizes += n > 0;
    }
  return n_sizes == contests->len;
}

/* Says which rival is fastest at which size. (transfer full) */
static char *
tell_winners (const GArray *rivals, const GArray *contests)
{
  const Contest *contest = (const Contest *) (gconstpointer) contests->data;
  guint n = contests->len, first = contest[0].winner, last = contest[n - 1].winner, alone = 0,
        level = 0, lead = 0;
  const char *winner = g_array_index (rivals, Rival, last).name,
             *start = g_array_index (rivals, Rival, first).name;
  g_autofree char *from = format_size (contest[0].point), *to = format_size (contest[n - 1].point),
                  *turn = NULL;
  guint64 bit = G_GUINT64_CONSTANT (1) << MIN (last, 63);

  for (guint i = 0; i < n; i++)
    {
      lead += contest[i].winner == last;
      level += (contest[i].level & bit) != 0;
      alone += contest[i].level == bit;
    }
  if (n == 1 && alone == 1)
    return g_strdup_printf (_("%s is fastest at %s"), winner, to);
  if (n == 1)
    return g_strdup_printf (_("Several are equally fast at %s"), to);
  if (alone == n)
    return g_strdup_printf (is_whole (rivals, contests)
                                ? _("%s is fastest at every size")
                                : _("%s is fastest at every measured size"),
                            winner);
  if (level == n)
    return g_strdup_printf (is_whole (rivals, contests)
                                ? _("%s is fastest, or tied, at every size")
                                : _("%s is fastest, or tied, at every measured size"),
                            winner);
  /* One change: from the size on at which the last winner leads for good, where the first led, or
   * was level, until there. */
  for (guint i = n; i-- > 0 && first != last;)
    if (contest[i].winner != last && !(contest[i].level & bit))
      {
        gboolean whole = TRUE;

        for (guint j = 0; j <= i; j++)
          whole = whole && (contest[j].level & (G_GUINT64_CONSTANT (1) << MIN (first, 63))) != 0;
        turn = format_size (contest[i].point);
        if (whole)
          return g_strdup_printf (_("%s is fastest up to %s, %s beyond"), start, turn, winner);
        break;
      }
  if (first != last)
    return g_strdup_printf (_("%s is fastest at %s, %s at %s"), start, from, winner, to);
  return g_strdup_printf (_("%s is fastest at %u of %u sizes"), winner, lead, n);
}

/* Says how the usual way, or the slowest, compares if it wins nowhere. (transfer full)
 * (nullable) */
static char *
tell_other (const MemlaneChart *chart, const GArray *rivals, const Contest *first,
            const Contest *last)
{
  const Rival *other = NULL;
  guint size = last->size;
  gboolean usual = chart->quantity == MEMLANE_QUANTITY_BANDWIDTH;
  g_autofree char *value = NULL, *at = format_size (last->point);

  for (guint i = 0; i < rivals->len; i++)
    {
      const Rival *rival = &g_array_index (rivals, Rival, i);

      /* For times take the slowest: no other may take longer. */
      if (i == last->winner || i == first->winner || rival->best[size] == NULL
          || (usual && other != NULL && other->family == MEMLANE_FAMILY_PAGEABLE))
        continue;
      if (other == NULL || (usual && rival->family == MEMLANE_FAMILY_PAGEABLE)
          || is_better (chart, other->best[size]->value, rival->best[size]->value))
        other = rival;
    }
  if (other == NULL || intervals_overlap (other->best[size], last->point))
    return NULL;
  if (chart->quantity == MEMLANE_QUANTITY_BANDWIDTH)
    {
      double most = 0;

      for (guint i = 0; i < MOST_SIZES; i++)
        most = other->best[i] != NULL ? MAX (most, other->best[i]->value) : most;
      value = memlane_headline_format (MEMLANE_UNIT_BANDWIDTH, most);
      return g_strdup_printf (_("%s reaches at most %s"), other->name, value);
    }
  value = g_strdup_printf ("%.*f", other->best[size]->value < 9.95 * last->point->value ? 1 : 0,
                           other->best[size]->value / last->point->value);
  return g_strdup_printf (_("%s takes %s times as long at %s"), other->name, value, at);
}

/* One curve alone. */
static char *
tell_one (const MemlaneChart *chart, const Rival *rival)
{
  const MemlaneChartPoint *shown = NULL;
  g_autofree char *value = NULL, *size = NULL;

  for (guint i = 0; i < MOST_SIZES; i++)
    if (rival->best[i] != NULL
        && (shown == NULL || chart->quantity == MEMLANE_QUANTITY_TIME
            || rival->best[i]->value > shown->value))
      shown = rival->best[i];
  if (shown == NULL)
    return NULL;
  value = memlane_headline_format (chart->unit, shown->value);
  size = format_size (shown);
  return chart->quantity == MEMLANE_QUANTITY_TIME
             ? g_strdup_printf (_("%s takes %s at %s"), rival->name, value, size)
             : g_strdup_printf (_("%s reaches %s at %s"), rival->name, value, size);
}

char *
memlane_headline_format_change (double ratio)
{
  double percent = round (100 * (ratio - 1));

  if (ratio >= 2 || ratio <= 0.5)
    return memlane_unit_format (MEMLANE_UNIT_RATIO, ratio, TRUE);
  /* A true minus; no sign before a zero. */
  return g_strdup_printf ("%s%.0f\302\240%%",
                          percent > 0   ? "+"
                          : percent < 0 ? "−"
                                        : "",
                          fabs (percent));
}

/* "46 % slower", "2.1× slower"; a ratio of about 1: NULL. (transfer full) (nullable) */
static char *
tell_change (double ratio)
{
  double percent = round (100 * fabs (ratio - 1));
  g_autofree char *times = NULL;

  if (percent < 1)
    return NULL;
  if (ratio < 2 && ratio > 0.5)
    return g_strdup_printf (ratio > 1 ? _("%.0f %% slower") : _("%.0f %% faster"), percent);
  times = memlane_headline_format (MEMLANE_UNIT_RATIO, ratio > 1 ? ratio : 1 / ratio);
  return g_strdup_printf (ratio > 1 ? _("%s slower") : _("%s faster"), times);
}

static char *
tell_ratio (const MemlaneChart *chart, const char *first, const char *second)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  const MemlaneSeries *farthest = NULL;
  const MemlaneChartPoint *there = NULL;
  g_autofree char *middle = NULL, *most = NULL, *size = NULL, *whole = NULL;

  /* Cells measured in another way say nothing about the two runs. */
  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
      {
        if (series->unlike != NULL)
          continue;
        g_array_append_val (values, point->value);
        if (there == NULL || fabs (log (point->value)) > fabs (log (there->value)))
          {
            there = point;
            farthest = series;
          }
      }
  if (there == NULL || first == NULL || second == NULL)
    return NULL;
  g_array_sort (values, memlane_compare_doubles);
  middle = tell_change (g_array_index (values, double, values->len / 2));
  most = tell_change (there->value);
  size = format_size (there);
  /* Translators: two runs and "1 % slower": "Recorded H200 is 1 % slower than yesterday
   * (median)" */
  whole = middle != NULL ? g_strdup_printf (_("%s is %s than %s (median)"), second, middle, first)
                         : g_strdup_printf (_("%s is as fast as %s (median)"), second, first);
  if (most == NULL)
    return g_steal_pointer (&whole);
  /* Translators: a sentence, then a mode, "46 % slower", a size */
  return g_strdup_printf (_("%s. Largest gap: %s, %s at %s"), whole, farthest->label, most, size);
}

/* A run that lacks measurements says how many it has, and nothing of who is fastest. */
static char *
tell_progress (const MemlaneChart *chart)
{
  if (chart->growing)
    return g_strdup_printf (_("%u of %u measured"), chart->n_measured, chart->n_planned);
  return g_strdup_printf (_("Stopped after %u of %u measurements"), chart->n_measured,
                          chart->n_planned);
}

char *
memlane_headline_make (const MemlaneChart *chart, const char *first, const char *second)
{
  g_autoptr (GArray) rivals = NULL, contests = NULL;
  g_autofree char *winners = NULL, *other = NULL, *both = NULL;

  if (chart->quantity == MEMLANE_QUANTITY_RATIO)
    return tell_ratio (chart, first, second);
  if (chart->n_planned > 0)
    return tell_progress (chart);
  if (chart->n_rounds_planned > 0 && !chart->growing)
    return g_strdup_printf (_("Stopped in round %u of %u"), chart->n_rounds,
                            chart->n_rounds_planned);
  rivals = collect_rivals (chart);
  contests = hold_contests (chart, rivals);
  if (rivals->len != 1 && contests->len == 0)
    return NULL;
  winners = rivals->len == 1 ? tell_one (chart, &g_array_index (rivals, Rival, 0))
                             : tell_winners (rivals, contests);
  if (contests->len > 0)
    other = tell_other (chart, rivals, &g_array_index (contests, Contest, 0),
                        &g_array_index (contests, Contest, contests->len - 1));
  /* Translators: two statements of a heading: "Zero-copy is fastest at every size; Pageable reaches
   * 14 GB/s" */
  both = other != NULL ? g_strdup_printf (_("%s; %s"), winners, other) : g_steal_pointer (&winners);
  /* Translators: a run, then what it says: "Recorded H200: Zero-copy is fastest at every size" */
  return first != NULL && second != NULL ? g_strdup_printf (_("%s: %s"), first, both)
                                         : g_steal_pointer (&both);
}

char *
memlane_headline_note (const MemlaneChart *chart, const MemlaneRun *run)
{
  GString *text = g_string_new (NULL);
  double precision = run != NULL ? memlane_environment_get_number (run->environment,
                                                                   MEMLANE_ENVIRONMENT_PRECISION)
                                 : NAN;
  guint noisy = 0, all = 0;
  MemlaneControl control;
  g_autoptr (GPtrArray) answers = NULL;
  g_autofree char *words = NULL;

  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
      if (series->role != MEMLANE_SERIES_PUBLISHED)
        {
          all++;
          noisy += point->noisy;
        }
  if (noisy > 0 && precision > 0)
    /* Translators: numbers of measurements, a percentage */
    g_string_append_printf (
        text,
        _("%u of the %u measurements shown missed the ±%.3g %% precision (hollow, or in a band)."),
        noisy, all, 100 * precision);
  else if (noisy > 0)
    g_string_append_printf (
        text, _("%u of the %u measurements shown missed their precision (hollow, or in a band)."),
        noisy, all);
  /* Whether the run tells apart what is the same: only where it was judged. */
  if (run != NULL)
    memlane_control_run (run, &control);
  if (run != NULL
      && (control.verdict == MEMLANE_CONTROL_PASSED || control.verdict == MEMLANE_CONTROL_FAILED
          || control.throttled > 0))
    answers = memlane_control_describe (&control);
  if (answers != NULL)
    words = memlane_answers_to_words ((const MemlaneAnswer *const *) answers->pdata, answers->len);
  if (words != NULL && *words != '\0')
    memlane_words_join (text, " ", "%s", words);
  return g_string_free (text, text->len == 0);
}
