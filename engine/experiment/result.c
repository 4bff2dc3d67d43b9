/* result.c: what an experiment found, what that says of its claims, and both as CSV
 *
 * SPDX-License-Identifier: MIT
 *
 * Intervals are added, subtracted and divided end by end (Moore, Interval Analysis, 1966): the
 * result holds every value that the terms' intervals allow. So it covers the true value whenever
 * each term's interval does; for two independent medians that is 90 % at the least, and above 95 %
 * where they are about normal and of like width, since errors rarely stand at opposite ends at
 * once. A comparison is decided when the two intervals do not overlap.
 */
#include "result.h"

#include <math.h>
#include <string.h>

#include "base/device-id.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/i18n.h"
#include "base/save.h"
#include "base/strict-text.h"
#include "base/owns.h"
#include "base/words.h"
#include "expression.h"
#include "result/csv.h"
#include "result/environment.h"
#include "procedure/procedure.h"

/* --- words ------------------------------------------------------------------------------------ */

MEMLANE_DEFINE_WORDS (MemlaneVerdict, memlane_verdict, MEMLANE_N_VERDICTS, "holds", "does-not-hold",
                      "cannot-be-told")
MEMLANE_DEFINE_NAMES (memlane_verdict_title, MemlaneVerdict, MEMLANE_N_VERDICTS,
                      N_ ("supported on this device"), N_ ("refuted on this device"),
                      N_ ("inconclusive"))
MEMLANE_DEFINE_NAMES (memlane_doubt_title, MemlaneDoubt, MEMLANE_N_DOUBTS, "",
                      N_ ("the 95 % interval allows both answers"),
                      N_ ("fewer than six samples, which differ: there is no 95 % interval"),
                      N_ ("the device cannot do it"), N_ ("it was tried and failed"),
                      N_ ("it cannot be observed on this device"),
                      N_ ("the experiment was cut short"), N_ ("the trials do not agree"),
                      N_ ("a check that it requires is refuted or inconclusive"))

/* --- values ----------------------------------------------------------------------------------- */

MEMLANE_DEFINE_CLEAR (MemlaneValue, void memlane_value_clear (MemlaneValue *data),
                      OWNS (word, g_free) OWNS (why, g_free) OWNS (rounds, g_free))

static void
copy_value (MemlaneValue *to, const MemlaneValue *from)
{
  *to = *from;
  to->word = g_strdup (from->word);
  to->why = g_strdup (from->why);
  to->rounds = g_memdup2 (from->rounds, from->n_rounds * sizeof *from->rounds);
}

void
memlane_value_set_none (MemlaneValue *value, MemlaneDoubt doubt, const char *why)
{
  *value = (MemlaneValue) { .kind = MEMLANE_VALUE_NONE, .doubt = doubt, .why = g_strdup (why) };
}

void
memlane_value_set_statistics (MemlaneValue *value, MemlaneValueKind kind,
                              const MemlaneStatistics *statistics)
{
  *value = (MemlaneValue){
    .kind = kind,
    .count = statistics->count,
    .median = statistics->median,
    .low = statistics->low,
    .high = statistics->high,
  };
  /* One number that was asked for is what it is; one time that was taken may be another one next
   * time. */
  value->loose = statistics->count < 6
                 && (statistics->min < statistics->max
                     || (kind == MEMLANE_VALUE_TIME && statistics->count < 2));
}

/* A count is whole. */
static char *
format_number (double number, gboolean localized)
{
  return number == floor (number) && fabs (number) < 1e15
             ? g_strdup_printf ("%.0f", number)
             : memlane_digits_format (number, localized);
}

static char *
format (MemlaneValueKind kind, double number, gboolean is_drawn)
{
  return kind == MEMLANE_VALUE_TIME ? memlane_digits_format_time (number, is_drawn, is_drawn)
                                    : format_number (number, is_drawn);
}

char *
memlane_value_to_text (const MemlaneValue *value, gboolean interval, gboolean is_drawn)
{
  g_autofree char *median = NULL, *low = NULL, *high = NULL;

  if (value->kind == MEMLANE_VALUE_NONE)
    return g_strdup ("-");
  if (value->kind == MEMLANE_VALUE_WORD)
    return g_strdup (value->word);
  median = format (value->kind, value->median, is_drawn);
  low = format (value->kind, value->low, is_drawn);
  high = format (value->kind, value->high, is_drawn);
  if (interval && value->loose && value->count < 2)
    return g_strdup_printf ("%s (one sample)", median);
  if (!interval || (strcmp (low, median) == 0 && strcmp (high, median) == 0))
    return g_steal_pointer (&median);
  return g_strdup_printf ("%s (%s to %s%s)", median, low, high,
                          value->loose ? ", all samples" : "");
}

/* --- findings --------------------------------------------------------------------------------- */

static MEMLANE_DEFINE_FREE (MemlaneExperimentFinding, void finding_free (gpointer data),
                            OWNS (step, g_free) OWNS (name, g_free)
                            memlane_value_clear (&self->value);)

/* (nullable) */
static MemlaneValue *
find (const MemlaneExperimentResult *result, const char *step, const char *name)
{
  MEMLANE_FOR_EACH (MemlaneExperimentFinding, finding, result->findings)
    if (strcmp (finding->name, name) == 0 && strcmp (finding->step, step) == 0)
      return &finding->value;
  return NULL;
}

/* @next comes from another process. The sum lacks a value that one of them lacks, or on which they
 * differ. */
static void
merge_value (MemlaneValue *value, const MemlaneValue *next)
{
  MemlaneEstimate middle;

  if (value->kind == MEMLANE_VALUE_NONE)
    return;
  if (next->kind == MEMLANE_VALUE_WORD && value->kind == MEMLANE_VALUE_WORD
      && strcmp (next->word, value->word) != 0)
    {
      g_autofree char *why
          = g_strdup_printf ("%s in one process, %s in another", value->word, next->word);

      memlane_value_clear (value);
      memlane_value_set_none (value, MEMLANE_DOUBT_MIXED, why);
      return;
    }
  if (next->kind != value->kind)
    {
      memlane_value_clear (value);
      copy_value (value, next);
      return;
    }
  value->count += next->count;
  if (value->kind == MEMLANE_VALUE_WORD || value->n_rounds == MEMLANE_MOST_ROUNDS)
    return;
  value->rounds = g_renew (double, value->rounds, MAX (value->n_rounds, 1) + 1);
  if (value->n_rounds == 0)
    value->rounds[value->n_rounds++] = value->median;
  value->rounds[value->n_rounds++] = next->median;
  middle = memlane_find_middle (value->rounds, value->n_rounds, MEMLANE_LEVEL_OF_ROUNDS);
  value->median = middle.value;
  value->low = middle.low;
  value->high = middle.high;
  value->loose = value->n_rounds < 6 && middle.low < middle.high;
}

void
memlane_result_add (MemlaneExperimentResult *result, const char *step, const char *name,
                    const MemlaneValue *value)
{
  MemlaneValue *known = find (result, step, name);
  MemlaneExperimentFinding *finding;

  if (known != NULL)
    {
      merge_value (known, value);
      return;
    }
  finding = g_new0 (MemlaneExperimentFinding, 1);
  finding->step = g_strdup (step);
  finding->name = g_strdup (name);
  copy_value (&finding->value, value);
  g_ptr_array_add (result->findings, finding);
}

/* Under which a cell's figure is found, "pinned/upload/device@20"; MEMLANE_N_PHASES: the cell
 * itself, "pinned@20". */
static char *
name_figure (const char *mode, MemlanePhase phase, MemlaneClock clock, guint log2_elements)
{
  if (phase == MEMLANE_N_PHASES)
    return g_strdup_printf ("%s@%u", mode, log2_elements);
  return g_strdup_printf ("%s/%s/%s@%u", mode, memlane_phase_name (phase),
                          memlane_clock_name (clock), log2_elements);
}

/* Each at its place, so that those of one process stand at the same place in all figures. */
static void
take_rounds (MemlaneValue *value, const MemlaneFigure *figure)
{
  if (figure->rounds == NULL || figure->n_rounds < 2)
    return;
  value->n_rounds = MIN (figure->rounds[figure->n_rounds - 1].round, MEMLANE_MOST_ROUNDS);
  value->rounds = g_new (double, value->n_rounds);
  for (guint i = 0; i < value->n_rounds; i++)
    value->rounds[i] = NAN;
  for (guint i = 0; i < figure->n_rounds && figure->rounds[i].round <= value->n_rounds; i++)
    value->rounds[figure->rounds[i].round - 1] = figure->rounds[i].median;
}

MemlaneDoubt
memlane_doubt_of_failure (MemlaneStatus status)
{
  return status == MEMLANE_STATUS_UNSUPPORTED ? MEMLANE_DOUBT_UNSUPPORTED
         : status == MEMLANE_STATUS_CANCELLED ? MEMLANE_DOUBT_CANCELLED
                                              : MEMLANE_DOUBT_FAILED;
}

static void
add_cell (MemlaneExperimentResult *result, const char *step, const MemlaneCell *cell)
{
  const gboolean is_sound
      = cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY;
  MemlaneValue value;

  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    {
      g_autofree char *name
          = name_figure (cell->mode, figure->phase, figure->clock, (guint) cell->log2_elements);

      /* Figures of a failed cell prove nothing. */
      if (!is_sound || figure->statistics.count == 0)
        continue;
      memlane_value_set_statistics (&value, MEMLANE_VALUE_TIME, &figure->statistics);
      if (figure->n_rounds > 0) /* of an exact device one round holds, and is not noisy */
        value.loose = figure->n_rounds < 6 && figure->status == MEMLANE_STATUS_NOISY;
      take_rounds (&value, figure);
      memlane_result_add (result, step, name, &value);
      memlane_value_clear (&value);
    }
  if (!is_sound)
    {
      g_autofree char *name
          = name_figure (cell->mode, MEMLANE_N_PHASES, 0, (guint) cell->log2_elements);
      g_autofree char *why = g_strdup_printf (
          "%s: %s", cell->mode,
          cell->detail != NULL ? cell->detail : memlane_status_name (cell->status));

      memlane_value_set_none (&value, memlane_doubt_of_failure (cell->status), why);
      memlane_result_add (result, step, name, &value);
      memlane_value_clear (&value);
    }
}

void
memlane_result_add_run (MemlaneExperimentResult *result, const char *step, MemlaneRun *run)
{
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    add_cell (result, step, cell);
  if (result->environment == NULL)
    result->environment = memlane_environment_ref (run->environment);
  if (run->cells->len > 0)
    g_ptr_array_add (result->runs, run);
  else
    memlane_run_unref (run);
}

/* --- the record ------------------------------------------------------------------------------- */

static MEMLANE_DEFINE_CLEAR (MemlaneCheckPoint, void point_clear (gpointer data),
                             memlane_value_clear (&self->left);
                             memlane_value_clear (&self->right);)
static MEMLANE_DEFINE_FREE (MemlaneFigureResult, void figure_result_free (gpointer data),
                            memlane_value_clear (&self->value);)

static MEMLANE_DEFINE_FREE (MemlaneTableRow, void table_row_free (gpointer data),
                            for (guint i = 0; i < self->n; i++)
                                memlane_value_clear (&self->values[i]);
                            OWNS (values, g_free) OWNS (published, g_free))
static MEMLANE_DEFINE_FREE (MemlaneCheckResult, void check_result_free (gpointer data),
                            OWNS (points, g_array_unref) OWNS (words, g_free))
static MEMLANE_DEFINE_FREE (MemlaneTableResult, void table_result_free (gpointer data),
                            OWNS (rows, g_ptr_array_unref))

MEMLANE_DEFINE_REF (MemlaneExperimentResult, memlane_experiment_result,
                    OWNS (checks, g_ptr_array_unref) OWNS (figures, g_ptr_array_unref)
                    OWNS (tables, g_ptr_array_unref) OWNS (findings, g_ptr_array_unref)
                    OWNS (runs, g_ptr_array_unref) OWNS (traces, g_ptr_array_unref)
                    OWNS (trace_steps, g_ptr_array_unref) OWNS (notes, g_ptr_array_unref)
                    OWNS (experiment, memlane_experiment_unref) OWNS (device, g_free)
                    OWNS (device_name, g_free) OWNS (device_kind, g_free) OWNS (machine, g_free)
                    OWNS (environment, memlane_environment_unref) OWNS (date, g_free))

MemlaneExperimentResult *
memlane_experiment_result_new (MemlaneExperiment *experiment)
{
  MemlaneExperimentResult *self = g_new0 (MemlaneExperimentResult, 1);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  self->ref_count = 1;
  self->experiment = memlane_experiment_ref (experiment);
  self->date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  self->verdict = MEMLANE_VERDICT_CANNOT_BE_TOLD;
  self->right_choice = -1;
  self->checks = g_ptr_array_new_with_free_func (check_result_free);
  self->figures = g_ptr_array_new_with_free_func (figure_result_free);
  self->tables = g_ptr_array_new_with_free_func (table_result_free);
  self->findings = g_ptr_array_new_with_free_func (finding_free);
  self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  self->traces = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_trace_unref);
  self->trace_steps = g_ptr_array_new_with_free_func (g_free);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
memlane_experiment_result_set_device (MemlaneExperimentResult *self, const char *id,
                                      const char *name, const char *kind, char *machine)
{
  self->device = g_strdup (id);
  self->device_name = g_strdup (name);
  self->device_kind = g_strdup (kind);
  self->simulated = memlane_device_kind_is_simulated (kind);
  self->machine = machine;
}

/* --- terms ------------------------------------------------------------------------------------ */

/* Returns what a cell has measured; the cell itself if it has no figures. (nullable) */
static const MemlaneValue *
find_cell (const MemlaneExperimentResult *result, const MemlaneTerm *term, guint log2_elements)
{
  static const MemlaneClock by_device[]
      = { MEMLANE_CLOCK_DEVICE, MEMLANE_CLOCK_HOST, MEMLANE_CLOCK_ISSUE };
  static const MemlaneClock by_host[]
      = { MEMLANE_CLOCK_HOST, MEMLANE_CLOCK_DEVICE, MEMLANE_CLOCK_ISSUE };
  const MemlaneClock asked = (MemlaneClock) term->clock;
  const MemlaneClock *clocks = term->clock >= 0                       ? &asked
                               : term->phase == MEMLANE_PHASE_ELAPSED ? by_host
                                                                      : by_device;
  const MemlaneValue *found = NULL;
  guint n = term->clock >= 0 ? 1 : G_N_ELEMENTS (by_device);

  for (guint i = 0; i <= n && found == NULL; i++)
    {
      g_autofree char *name = name_figure (term->mode->id, i < n ? term->phase : MEMLANE_N_PHASES,
                                           i < n ? clocks[i] : 0, log2_elements);

      found = find (result, term->step->id, name);
    }
  return found;
}

/* (nullable): what was found of @term, which is no number, at @log2_elements unless it has one
 * size. */
static const MemlaneValue *
find_term (const MemlaneExperimentResult *result, const MemlaneTerm *term, guint log2_elements)
{
  guint size = term->first_log2 == term->last_log2 ? term->first_log2 : log2_elements;
  g_autofree char *sized = NULL;

  if (term->step->kind == MEMLANE_STEP_SWEEP)
    return find_cell (result, term, size);
  if (term->first_log2 > 0)
    sized = g_strdup_printf ("%s@%u", term->name, size);
  return find (result, term->step->id, sized != NULL ? sized : term->name);
}

static void
evaluate_term (const MemlaneExperimentResult *result, const MemlaneTerm *term, guint log2_elements,
               MemlaneValue *value)
{
  const MemlaneValue *found = term->step != NULL ? find_term (result, term, log2_elements) : NULL;
  g_autofree char *why = term->mode != NULL ? g_strdup_printf ("%s has no %s", term->mode->id,
                                                               memlane_phase_name (term->phase))
                                            : NULL;

  if (term->step == NULL)
    *value = (MemlaneValue){ .kind = term->kind,
                             .count = G_MAXUINT,
                             .median = term->number,
                             .low = term->number,
                             .high = term->number };
  else if (found != NULL)
    copy_value (value, found);
  else if (result->cancelled)
    memlane_value_set_none (value, MEMLANE_DOUBT_CANCELLED, NULL);
  else
    memlane_value_set_none (value, why != NULL ? MEMLANE_DOUBT_UNKNOWN : MEMLANE_DOUBT_FAILED, why);
}

/* --- process by process ----------------------------------------------------------------------- */

/* Whether all terms that are no numbers are of *@step, which the first of them sets. */
static gboolean
has_one_step (const GArray *terms, const MemlaneExperimentStep **step)
{
  MEMLANE_FOR_EACH_IN (const MemlaneTerm, term, terms)
    {
      if (term->step != NULL && *step != NULL && term->step != *step)
        return FALSE;
      *step = term->step != NULL ? term->step : *step;
    }
  return TRUE;
}

/* @expression (nullable, which is 0) in process @round; NAN: that found none. */
static double
evaluate_round (const MemlaneExperimentResult *result, const MemlaneExpression *expression,
                guint log2_elements, guint round)
{
  double sums[2] = { 0, 0 };

  if (expression == NULL)
    return 0;
  MEMLANE_FOR_EACH_IN (const MemlaneTerm, term, expression->terms)
    {
      const MemlaneValue *found
          = term->step != NULL ? find_term (result, term, log2_elements) : NULL;
      double one = term->step == NULL                         ? term->number
                   : found != NULL && round < found->n_rounds ? found->rounds[round]
                                                              : NAN;

      sums[term->below] += term->subtract ? -one : one;
    }
  return expression->divides ? sums[0] / sums[1] : sums[0];
}

/* The middle of @one, or of @one less @other, process by process: what disturbs a process disturbs
 * all of its figures, and cancels. FALSE: the figures are of several steps, or of fewer than two
 * processes. */
static gboolean
pair_rounds (const MemlaneExperimentResult *result, const MemlaneExpression *one,
             const MemlaneExpression *other, guint log2_elements, MemlaneEstimate *middle)
{
  const MemlaneExperimentStep *step = NULL;
  double values[MEMLANE_MOST_ROUNDS];
  guint n = 0;

  if (!has_one_step (one->terms, &step) || (other != NULL && !has_one_step (other->terms, &step)))
    return FALSE;
  for (guint round = 0; step != NULL && round < MEMLANE_MOST_ROUNDS; round++)
    {
      values[n] = evaluate_round (result, one, log2_elements, round)
                  - evaluate_round (result, other, log2_elements, round);
      n += isfinite (values[n]) != 0;
    }
  if (n < 2)
    return FALSE;
  *middle = memlane_find_middle (values, n, MEMLANE_LEVEL_OF_PAIRS);
  return TRUE;
}

/* The sum above or below the line. FALSE: @sum says why there is none. */
static gboolean
evaluate_sum (const MemlaneExperimentResult *result, const GArray *terms, gboolean below,
              guint log2_elements, MemlaneValue *sum)
{
  gboolean is_first = TRUE;

  MEMLANE_FOR_EACH_IN (const MemlaneTerm, term, terms)
    {
      MemlaneValue value;

      if (term->below != below)
        continue;
      evaluate_term (result, term, log2_elements, &value);
      if (is_first || value.kind == MEMLANE_VALUE_NONE)
        {
          if (!is_first)
            memlane_value_clear (sum);
          is_first = FALSE;
          *sum = value;
          if (value.kind == MEMLANE_VALUE_NONE || value.kind == MEMLANE_VALUE_WORD)
            return value.kind == MEMLANE_VALUE_WORD;
          continue;
        }
      sum->count = MIN (sum->count, value.count);
      sum->loose |= value.loose;
      sum->median += term->subtract ? -value.median : value.median;
      sum->low += term->subtract ? -value.high : value.low;
      sum->high += term->subtract ? -value.low : value.high;
      memlane_value_clear (&value);
    }
  return TRUE;
}

static void
divide (MemlaneValue *above, const MemlaneValue *below, MemlaneValueKind kind)
{
  const double ends[] = { above->low / below->low, above->low / below->high,
                          above->high / below->low, above->high / below->high };

  if (below->low <= 0 && below->high >= 0)
    {
      memlane_value_clear (above);
      memlane_value_set_none (above, MEMLANE_DOUBT_INTERVAL, "what it is divided by may be nought");
      return;
    }
  above->kind = kind;
  above->count = MIN (above->count, below->count);
  above->loose |= below->loose;
  above->median /= below->median;
  above->low = fmin (fmin (ends[0], ends[1]), fmin (ends[2], ends[3]));
  above->high = fmax (fmax (ends[0], ends[1]), fmax (ends[2], ends[3]));
}

static void
evaluate (const MemlaneExperimentResult *result, const MemlaneExpression *expression,
          guint log2_elements, MemlaneValue *value)
{
  MemlaneValue below;
  MemlaneEstimate middle;

  if (!evaluate_sum (result, expression->terms, FALSE, log2_elements, value))
    return;
  if (expression->divides)
    {
      if (!evaluate_sum (result, expression->terms, TRUE, log2_elements, &below))
        {
          memlane_value_clear (value);
          *value = below;
          return;
        }
      divide (value, &below, expression->kind);
      memlane_value_clear (&below);
    }
  if (expression->terms->len > 1 && value->kind != MEMLANE_VALUE_NONE
      && pair_rounds (result, expression, NULL, log2_elements, &middle))
    {
      value->median = middle.value;
      value->low = middle.low;
      value->high = middle.high;
    }
}

/* --- tests ------------------------------------------------------------------------------------ */

static MemlaneVerdict
decide (gboolean yes, gboolean no)
{
  return yes  ? MEMLANE_VERDICT_HOLDS
         : no ? MEMLANE_VERDICT_DOES_NOT_HOLD
              : MEMLANE_VERDICT_CANNOT_BE_TOLD;
}

/* @gap (nullable): the left side less the right one, process by process. */
static MemlaneVerdict
judge_point (const MemlaneTest *test, MemlaneCheckPoint *point, const MemlaneEstimate *gap,
             MemlaneDoubt *doubt)
{
  const MemlaneValue *left = &point->left, *right = &point->right;
  const MemlaneValue *missing = left->kind == MEMLANE_VALUE_NONE ? left : right;
  MemlaneVerdict verdict;

  if (left->kind == MEMLANE_VALUE_NONE
      || (test->right.terms->len > 0 && right->kind == MEMLANE_VALUE_NONE))
    {
      *doubt = missing->doubt;
      return MEMLANE_VERDICT_CANNOT_BE_TOLD;
    }
  switch (test->kind)
    {
    case MEMLANE_TEST_IS:
      return decide (strcmp (left->word, test->word) == 0, TRUE);
    case MEMLANE_TEST_IS_NOT:
      return decide (strcmp (left->word, test->word) != 0, TRUE);
    case MEMLANE_TEST_LESS:
      verdict = gap != NULL ? decide (gap->high < 0, gap->low >= 0)
                            : decide (left->high < right->low, left->low >= right->high);
      break;
    case MEMLANE_TEST_MORE:
      verdict = gap != NULL ? decide (gap->low > 0, gap->high <= 0)
                            : decide (left->low > right->high, left->high <= right->low);
      break;
    case MEMLANE_TEST_WITHIN:
      verdict = decide (left->low >= test->low && left->high <= test->high,
                        left->high < test->low || left->low > test->high);
      break;
    case MEMLANE_TEST_VALUE:
    default:
      verdict = MEMLANE_VERDICT_CANNOT_BE_TOLD;
      break;
    }
  if (left->loose || (test->right.terms->len > 0 && right->loose))
    {
      *doubt = MEMLANE_DOUBT_SAMPLES;
      return MEMLANE_VERDICT_CANNOT_BE_TOLD;
    }
  if (verdict == MEMLANE_VERDICT_CANNOT_BE_TOLD)
    *doubt = MEMLANE_DOUBT_INTERVAL;
  return verdict;
}

/* --- what decided, in words ------------------------------------------------------------------- */

typedef MemlaneTextLookup Translate;

const char *
memlane_stay_english (const char *text)
{
  return text;
}

const char *
memlane_word_title (const char *word)
{
  static const struct
  {
    const char *word, *title;
  } words[] = {
    { "yes", N_ ("yes") },
    { "no", N_ ("no") },
    { "returns", N_ ("returns") },
    { "waits", N_ ("waits") },
    { "done", N_ ("done") },
    { "not-yet", N_ ("not yet") },
    { "not-ready", N_ ("not ready") },
    { "beside", N_ ("concurrent") },
    { "one-after-the-other", N_ ("serial") },
    { "host-waits", N_ ("the host waits") },
    { "kept", N_ ("kept") },
    { "lost", N_ ("lost") },
    { "host-to-host", N_ ("host to host") },
    { "success", N_ ("success") },
    { "all", N_ ("all") },
    { "a-part", N_ ("a part") },
    { "nothing", N_ ("nothing") },
    { "control-group", N_ ("the control group") },
    { "time", N_ ("the time that it takes") },
    { "driver", N_ ("the driver") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (words[i].word, word) == 0)
      return words[i].title;
  return NULL;
}

static const char *
translate_word (const char *word, Translate translate)
{
  const char *title = memlane_word_title (word);

  return title != NULL ? translate (title) : word;
}

/* @template with each {name} replaced; @... are names and texts, NULL. A template of any language
 * may order them as it likes. */
static char *G_GNUC_NULL_TERMINATED
fill_in (const char *template, ...)
{
  g_autoptr (GString) text = g_string_new (template);
  va_list arguments;
  const char *name;

  va_start (arguments, template);
  while ((name = va_arg (arguments, const char *)) != NULL)
    g_string_replace (text, name, va_arg (arguments, const char *), 1);
  va_end (arguments);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* "4.4", "33": how many times the larger one is the smaller one; NULL: not of these two. */
static char *
format_ratio (const MemlaneValue *left, const MemlaneValue *right)
{
  double ratio = fmax (left->median, right->median) / fmin (left->median, right->median);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (left->kind != MEMLANE_VALUE_TIME || !(left->median > 0) || !(right->median > 0)
      || right->count == G_MAXUINT || ratio < 1.005)
    return NULL;
  return g_strdup (g_ascii_formatd (text, sizeof text,
                                    ratio < 1.995  ? "%.2f"
                                    : ratio < 9.95 ? "%.1f"
                                                   : "%.0f",
                                    ratio));
}

gboolean
memlane_step_outputs_find (const MemlaneStepOutputs *outputs, const char *name,
                           MemlaneValueKind *kind)
{
  const char *const lists[] = { NULL, outputs->times, outputs->numbers, outputs->words };

  for (*kind = MEMLANE_VALUE_TIME; *kind <= MEMLANE_VALUE_WORD; (*kind)++)
    {
      g_auto (GStrv) names = g_strsplit (lists[*kind] != NULL ? lists[*kind] : "", " ", -1);

      if (g_strv_contains ((const char *const *) names, name))
        return TRUE;
    }
  return FALSE;
}

static char *
describe_comparison (const MemlaneTest *test, const MemlaneCheckPoint *point, Translate translate)
{
  gboolean is_open = point->verdict == MEMLANE_VERDICT_CANNOT_BE_TOLD,
           is_less = point->left.median < point->right.median;
  g_autofree char *left
      = memlane_value_to_text (&point->left, is_open, memlane_is_drawn (translate));
  g_autofree char *right
      = memlane_value_to_text (&point->right, is_open, memlane_is_drawn (translate));
  g_autofree char *ratio = format_ratio (&point->left, &point->right);

  if (is_open)
    return fill_in (translate (point->left.loose || point->right.loose
                                   ? N_ ("{left} against {right}")
                                   : N_ ("no significant difference between {left} and {right}")),
                    "{left}", left, "{right}", right, NULL);
  if (test->left.kind == MEMLANE_VALUE_NUMBER && point->right.count == G_MAXUINT)
    return fill_in (translate (test->kind == MEMLANE_TEST_LESS
                                   ? N_ ("{left} (expected less than {right})")
                                   : N_ ("{left} (expected more than {right})")),
                    "{left}", left, "{right}", right, NULL);
  if (ratio == NULL)
    return g_strdup_printf ("%s %s %s", left,
                            is_less                                    ? "<"
                            : point->left.median > point->right.median ? ">"
                                                                       : "=",
                            right);
  return fill_in (translate (is_less ? N_ ("{left} < {right}: {ratio} times as fast")
                                     : N_ ("{left} > {right}: {ratio} times as long")),
                  "{left}", left, "{right}", right, "{ratio}", ratio, NULL);
}

static char *
describe_range (const MemlaneTest *test, const MemlaneCheckPoint *point, Translate translate)
{
  gboolean is_open = point->verdict == MEMLANE_VERDICT_CANNOT_BE_TOLD;
  g_autofree char *left
      = memlane_value_to_text (&point->left, is_open, memlane_is_drawn (translate));
  g_autofree char *from = format (test->left.kind, test->low, memlane_is_drawn (translate));
  g_autofree char *to = format (test->left.kind, test->high, memlane_is_drawn (translate));

  return fill_in (translate (point->verdict == MEMLANE_VERDICT_HOLDS
                                 ? N_ ("{left}, within {low} to {high}")
                             : point->verdict == MEMLANE_VERDICT_DOES_NOT_HOLD
                                 ? N_ ("{left}, expected {low} to {high}")
                                 : N_ ("{left} against {low} to {high}")),
                  "{left}", left, "{low}", from, "{high}", to, NULL);
}

static char *
describe_word (const MemlaneTest *test, const MemlaneCheckPoint *point, Translate translate)
{
  const char *found = translate_word (point->left.word, translate),
             *expected = translate_word (test->word, translate);
  g_autofree char *trials = g_strdup_printf ("%u", point->left.count);

  if (point->verdict == MEMLANE_VERDICT_DOES_NOT_HOLD && test->kind == MEMLANE_TEST_IS)
    return fill_in (translate (N_ ("expected {word}, found {found}")), "{word}", expected,
                    "{found}", found, NULL);
  if (point->left.count > 1)
    return fill_in (translate (N_ ("{found} in all {n} trials")), "{found}", found, "{n}", trials,
                    NULL);
  return g_strdup (found);
}

static char *
describe_point (const MemlaneTest *test, const MemlaneCheckPoint *point, Translate translate)
{
  const MemlaneValue *missing
      = point->left.kind == MEMLANE_VALUE_NONE ? &point->left : &point->right;

  if (missing->kind == MEMLANE_VALUE_NONE
      && (missing == &point->left || test->right.terms->len > 0))
    return g_strdup (missing->why != NULL ? missing->why
                                          : translate (memlane_doubt_title (missing->doubt)));
  if (test->word != NULL)
    return describe_word (test, point, translate);
  if (test->kind == MEMLANE_TEST_WITHIN)
    return describe_range (test, point, translate);
  return describe_comparison (test, point, translate);
}

char *
memlane_check_result_describe (const MemlaneCheckResult *check, guint index,
                               const char *(*translate) (const char *text))
{
  g_return_val_if_fail (index < check->points->len, NULL);
  return describe_point (check->check->parsed,
                         &g_array_index (check->points, MemlaneCheckPoint, index),
                         translate != NULL ? translate : memlane_stay_english);
}

/* --- judging ---------------------------------------------------------------------------------- */

/* Worst first: no outweighs perhaps, perhaps outweighs yes. */
static MemlaneVerdict
together (MemlaneVerdict one, MemlaneVerdict other)
{
  if (one == MEMLANE_VERDICT_DOES_NOT_HOLD || other == MEMLANE_VERDICT_DOES_NOT_HOLD)
    return MEMLANE_VERDICT_DOES_NOT_HOLD;
  return one == MEMLANE_VERDICT_HOLDS && other == MEMLANE_VERDICT_HOLDS
             ? MEMLANE_VERDICT_HOLDS
             : MEMLANE_VERDICT_CANNOT_BE_TOLD;
}

static const MemlaneCheckResult *
find_check (const MemlaneExperimentResult *result, const char *id)
{
  MEMLANE_FOR_EACH (const MemlaneCheckResult, each, result->checks)
    if (strcmp (each->check->id, id) == 0)
      return each;
  return NULL;
}

static MemlaneCheckResult *
judge_check (const MemlaneExperimentResult *result, const MemlaneExperimentCheck *check)
{
  MemlaneCheckResult *self = g_new0 (MemlaneCheckResult, 1);
  const MemlaneTest *test = check->parsed;
  g_autoptr (GString) text = g_string_new (NULL);
  guint last = test->first_log2 > 0 ? test->last_log2 : 0;

  self->check = check;
  self->verdict = MEMLANE_VERDICT_HOLDS;
  self->points = g_array_new (FALSE, TRUE, sizeof (MemlaneCheckPoint));
  g_array_set_clear_func (self->points, point_clear);
  for (guint size = test->first_log2; size <= last; size++)
    {
      MemlaneCheckPoint point = { .log2_elements = size };
      MemlaneDoubt doubt = MEMLANE_DOUBT_NONE;
      g_autofree char *said = NULL;
      MemlaneEstimate middle;
      const MemlaneEstimate *gap = NULL;

      evaluate (result, &test->left, size, &point.left);
      if (test->right.terms->len > 0)
        evaluate (result, &test->right, size, &point.right);
      if (point.left.n_rounds > 0 && point.right.n_rounds > 0
          && pair_rounds (result, &test->left, &test->right, size, &middle))
        gap = &middle;
      point.verdict = judge_point (test, &point, gap, &doubt);
      if (self->doubt == MEMLANE_DOUBT_NONE)
        self->doubt = doubt;
      self->verdict = together (self->verdict, point.verdict);
      said = describe_point (test, &point, memlane_stay_english);
      if (size > 0)
        g_string_append_printf (text, "%s2^%u: ", text->len > 0 ? "; " : "", size);
      g_string_append (text, said);
      g_array_append_val (self->points, point);
    }
  if (self->verdict != MEMLANE_VERDICT_CANNOT_BE_TOLD)
    self->doubt = MEMLANE_DOUBT_NONE;
  for (char **premise = check->requires; *premise != NULL;
       premise++) /* the file has what a check requires before it */
    if (find_check (result, *premise)->verdict != MEMLANE_VERDICT_HOLDS)
      {
        self->verdict = MEMLANE_VERDICT_CANNOT_BE_TOLD;
        self->doubt = MEMLANE_DOUBT_PREMISE;
      }
  self->words = g_string_free (g_steal_pointer (&text), FALSE);
  return self;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Finds a sweep's "mapped/elapsed", or a procedure's output of that name. */
static double
find_published (const MemlanePublished *published, const char *source, const MemlaneTerm *term,
                guint log2_elements)
{
  g_autofree char *name = term->mode != NULL ? g_strdup_printf ("%s/%s", term->mode->id,
                                                                memlane_phase_name (term->phase))
                                             : g_strdup (term->name);

  if (published == NULL || source == NULL || name == NULL)
    return -1;
  MEMLANE_FOR_EACH (const MemlanePublishedFigure, figure, published->figures)
    {
      g_autofree char *there
          = g_strdup_printf ("%s/%s", figure->mode, memlane_phase_name (figure->phase));

      if (g_str_has_prefix (figure->source, source) && figure->log2_elements == log2_elements
          && strcmp (there, name) == 0)
        return figure->value_ns;
    }
  return -1;
}

static MemlaneTableRow *
fill_row (const MemlaneExperimentResult *result, const MemlaneTest *const *columns, guint n,
          const char *source, guint log2_elements, const MemlanePublished *published)
{
  MemlaneTableRow *row = g_new0 (MemlaneTableRow, 1);

  row->log2_elements = log2_elements;
  row->n = n;
  row->values = g_new0 (MemlaneValue, n);
  row->published = g_new0 (double, n);
  for (guint i = 0; i < n; i++)
    {
      evaluate (result, &columns[i]->left, log2_elements, &row->values[i]);
      row->published[i]
          = find_published (published, source,
                            &g_array_index (columns[i]->left.terms, MemlaneTerm, 0), log2_elements);
    }
  return row;
}

static MemlaneTableResult *
fill_table (const MemlaneExperimentResult *result, const MemlaneExperimentTable *table,
            const MemlanePublished *published)
{
  MemlaneTableResult *self = g_new0 (MemlaneTableResult, 1);
  guint n = g_strv_length (table->columns);

  self->table = table;
  self->rows = g_ptr_array_new_with_free_func (table_row_free);
  for (guint size = table->first_log2; size <= table->last_log2; size++)
    {
      MemlaneTableRow *row = fill_row (result, (gconstpointer) table->parsed->pdata, n,
                                       table->source, size, published);

      for (guint i = 0; i < n; i++)
        self->is_published |= row->published[i] >= 0;
      g_ptr_array_add (self->rows, row);
    }
  return self;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* The choice whose check says so, if it is one alone. */
static int
find_right_choice (const MemlaneExperimentResult *result)
{
  const MemlanePrediction *prediction = &result->experiment->prediction;
  int right = -1;

  for (guint i = 0; prediction->answers != NULL && prediction->answers[i] != NULL; i++)
    {
      gboolean turned = *prediction->answers[i] == '!';
      const MemlaneCheckResult *check = find_check (result, prediction->answers[i] + turned);

      if (check->verdict != (turned ? MEMLANE_VERDICT_DOES_NOT_HOLD : MEMLANE_VERDICT_HOLDS))
        continue;
      if (right >= 0)
        return -1;
      right = (int) i;
    }
  return right;
}

void
memlane_experiment_judge (MemlaneExperimentResult *result, const MemlanePublished *published)
{
  const MemlaneExperiment *experiment = result->experiment;

  MEMLANE_FOR_EACH (const MemlaneExperimentCheck, check, experiment->checks)
    g_ptr_array_add (result->checks, judge_check (result, check));
  MEMLANE_FOR_EACH (const MemlaneExperimentFigure, asked, experiment->figures)
    {
      MemlaneFigureResult *figure = g_new0 (MemlaneFigureResult, 1);

      figure->figure = asked;
      evaluate (result, &asked->parsed->left, 0, &figure->value);
      g_ptr_array_add (result->figures, figure);
    }
  MEMLANE_FOR_EACH (const MemlaneExperimentTable, table, experiment->tables)
    g_ptr_array_add (result->tables, fill_table (result, table, published));

  result->verdict = MEMLANE_VERDICT_HOLDS;
  for (guint i = 0; experiment->verdict[i] != NULL; i++)
    result->verdict
        = together (result->verdict, find_check (result, experiment->verdict[i])->verdict);
  result->right_choice = find_right_choice (result);
}

/* --- as CSV ----------------------------------------------------------------------------------- */

#define COLUMNS                                                                                    \
  "experiment,device,device_kind,step,name,kind,samples,estimate,low,high,word,detail\n"

gboolean
memlane_experiment_result_write_csv (const MemlaneExperimentResult *result, const char *path,
                                     GError **error)
{
  if (result->runs->len == 0)
    return memlane_fail_io (error, "cannot write %s: no cells were measured", path);
  return memlane_csv_write_runs (result->runs, result->environment, path, error);
}

static void
append_row (GString *text, const MemlaneExperimentResult *result, const char *step,
            const char *name, const char *kind, const MemlaneValue *value, const char *word,
            const char *detail)
{
  const char *const front[]
      = { result->experiment->name, result->device, result->device_kind, step, name, kind };

  for (guint i = 0; i < G_N_ELEMENTS (front); i++)
    {
      if (i > 0)
        g_string_append_c (text, ',');
      memlane_text_append_field (text, front[i]);
    }
  if (value != NULL && (value->kind == MEMLANE_VALUE_TIME || value->kind == MEMLANE_VALUE_NUMBER))
    {
      const double figures[] = { value->median, value->low, value->high };

      g_string_append_printf (text, ",%u", value->count);
      for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
        {
          g_string_append_c (text, ',');
          if (value->kind == MEMLANE_VALUE_TIME)
            memlane_text_append_number (text, memlane_tenths (figures[i]));
          else
            memlane_text_append_rounded (text, figures[i], 9);
        }
    }
  else
    g_string_append (text, ",,,,");
  g_string_append_c (text, ',');
  memlane_text_append_field (text, word);
  g_string_append_c (text, ',');
  memlane_text_append_field (text, detail);
  g_string_append_c (text, '\n');
}

gboolean
memlane_experiment_result_write_findings (const MemlaneExperimentResult *result, const char *path,
                                          GError **error)
{
  static const char *const kinds[] = { "none", "ns", "number", "word" };
  g_autoptr (GString) text = g_string_new (COLUMNS);

  MEMLANE_FOR_EACH (const MemlaneExperimentFinding, finding, result->findings)
    {
      const MemlaneValue *value = &finding->value;

      append_row (text, result, finding->step, finding->name, kinds[value->kind], value,
                  value->word,
                  value->kind != MEMLANE_VALUE_NONE ? NULL
                  : value->why != NULL              ? value->why
                                                    : memlane_doubt_title (value->doubt));
    }
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    append_row (text, result, "check", check->check->id, "verdict", NULL,
                memlane_verdict_name (check->verdict), check->words);
  append_row (text, result, "", "", "verdict", NULL, memlane_verdict_name (result->verdict),
              result->experiment->claim);
  return memlane_save_file (path, text->str, text->len, error);
}
