/* judge.c: what the findings say of the claims
 *
 * SPDX-License-Identifier: MIT
 *
 * Intervals are added, subtracted and divided end by end (Moore, Interval Analysis, 1966): the result holds every value that the terms'
 * intervals allow. So it covers the true value whenever each term's interval does; for two independent medians that is 90 % at the least,
 * and above 95 % where they are about normal and of like width, since errors rarely stand at opposite ends at once. A comparison is decided
 * when the two intervals do not overlap.
 */
#include "experiment-private.h"

#include <math.h>
#include <string.h>

/* --- terms ----------------------------------------------------------------------------------------------------------------- */

static void
evaluate_cell (const MemlaneExperimentResult *result, const MemlaneTerm *term, guint log2_elements, MemlaneValue *value)
{
  static const MemlaneClock by_device[] = { MEMLANE_CLOCK_DEVICE, MEMLANE_CLOCK_HOST, MEMLANE_CLOCK_ISSUE };
  static const MemlaneClock by_host[] = { MEMLANE_CLOCK_HOST, MEMLANE_CLOCK_DEVICE, MEMLANE_CLOCK_ISSUE };
  const MemlaneClock *clocks = term->phase == MEMLANE_PHASE_ELAPSED ? by_host : by_device;
  const MemlaneClock asked = (MemlaneClock) term->clock;
  g_autofree char *name = NULL;
  const MemlaneValue *found = NULL;

  for (guint i = 0; i < (term->clock >= 0 ? 1 : G_N_ELEMENTS (by_device)) && found == NULL; i++)
    {
      g_free (name);
      name = memlane_cell_figure_name (term->mode, term->phase, term->clock >= 0 ? asked : clocks[i], log2_elements);
      found = memlane_result_find (result, term->step->id, name);
    }
  if (found == NULL)
    {
      /* A cell without figures stands under its mode and size. */
      g_free (name);
      name = g_strdup_printf ("%s@%u", term->mode->id, log2_elements);
      found = memlane_result_find (result, term->step->id, name);
    }
  if (found != NULL)
    memlane_value_copy (value, found);
  else if (result->cancelled)
    memlane_value_set_none (value, MEMLANE_DOUBT_CANCELLED, NULL);
  else
    {
      g_autofree char *why = g_strdup_printf ("%s has no %s", term->mode->id, memlane_phase_name (term->phase));
      memlane_value_set_none (value, MEMLANE_DOUBT_UNKNOWN, why);
    }
}

static void
evaluate_term (const MemlaneExperimentResult *result, const MemlaneTerm *term, guint log2_elements, MemlaneValue *value)
{
  const MemlaneValue *found;

  if (term->step == NULL)
    {
      *value = (MemlaneValue) { .kind = term->kind, .count = G_MAXUINT, .median = term->number, .low = term->number, .high = term->number };
      return;
    }
  if (term->step->kind == MEMLANE_STEP_SWEEP)
    {
      evaluate_cell (result, term, term->first_log2 == term->last_log2 ? term->first_log2 : log2_elements, value);
      return;
    }
  found = memlane_result_find (result, term->step->id, term->name);
  if (found != NULL)
    memlane_value_copy (value, found);
  else
    memlane_value_set_none (value, result->cancelled ? MEMLANE_DOUBT_CANCELLED : MEMLANE_DOUBT_FAILED, NULL);
}

/* FALSE: @sum says why there is none. */
static gboolean
evaluate_sum (const MemlaneExperimentResult *result, const GArray *terms, guint log2_elements, MemlaneValue *sum)
{
  for (guint i = 0; i < terms->len; i++)
    {
      const MemlaneTerm *term = &g_array_index (terms, MemlaneTerm, i);
      MemlaneValue value;

      evaluate_term (result, term, log2_elements, &value);
      if (i == 0 || value.kind == MEMLANE_VALUE_NONE)
        {
          if (i > 0)
            memlane_value_clear (sum);
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
    }
  return TRUE;
}

static void
divide (MemlaneValue *above, const MemlaneValue *below, MemlaneValueKind kind)
{
  double ends[4];

  above->kind = kind;
  above->count = MIN (above->count, below->count);
  above->loose |= below->loose;
  if (below->low <= 0 && below->high >= 0)
    {
      memlane_value_set_none (above, MEMLANE_DOUBT_INTERVAL, "what it is divided by may be nought");
      return;
    }
  above->median /= below->median;
  ends[0] = above->low / below->low;
  ends[1] = above->low / below->high;
  ends[2] = above->high / below->low;
  ends[3] = above->high / below->high;
  above->low = fmin (fmin (ends[0], ends[1]), fmin (ends[2], ends[3]));
  above->high = fmax (fmax (ends[0], ends[1]), fmax (ends[2], ends[3]));
}

static void
evaluate (const MemlaneExperimentResult *result, const MemlaneExpression *expression, guint log2_elements, MemlaneValue *value)
{
  MemlaneValue below;

  if (!evaluate_sum (result, expression->above, log2_elements, value) || expression->below->len == 0)
    return;
  if (evaluate_sum (result, expression->below, log2_elements, &below))
    divide (value, &below, expression->kind);
  else
    {
      memlane_value_clear (value);
      *value = below;
    }
}

/* --- tests ------------------------------------------------------------------------------------------------------------------- */

static MemlaneVerdict
decide (gboolean yes, gboolean no)
{
  return yes ? MEMLANE_VERDICT_HOLDS : no ? MEMLANE_VERDICT_DOES_NOT_HOLD : MEMLANE_VERDICT_CANNOT_BE_TOLD;
}

static MemlaneVerdict
judge_point (const MemlaneTest *test, MemlaneCheckPoint *point, MemlaneDoubt *doubt)
{
  const MemlaneValue *left = &point->left, *right = &point->right;
  const MemlaneValue *missing = left->kind == MEMLANE_VALUE_NONE ? left : right;
  MemlaneVerdict verdict;

  if (left->kind == MEMLANE_VALUE_NONE || (test->right.above->len > 0 && right->kind == MEMLANE_VALUE_NONE))
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
      verdict = decide (left->high < right->low, left->low >= right->high);
      break;
    case MEMLANE_TEST_MORE:
      verdict = decide (left->low > right->high, left->high <= right->low);
      break;
    case MEMLANE_TEST_WITHIN:
      verdict = decide (left->low >= test->low && left->high <= test->high, left->high < test->low || left->low > test->high);
      break;
    case MEMLANE_TEST_VALUE:
    default:
      verdict = MEMLANE_VERDICT_CANNOT_BE_TOLD;
      break;
    }
  if (left->loose || (test->right.above->len > 0 && right->loose))
    {
      *doubt = MEMLANE_DOUBT_SAMPLES;
      return MEMLANE_VERDICT_CANNOT_BE_TOLD;
    }
  if (verdict == MEMLANE_VERDICT_CANNOT_BE_TOLD)
    *doubt = MEMLANE_DOUBT_INTERVAL;
  return verdict;
}

static void
describe_point (const MemlaneTest *test, const MemlaneCheckPoint *point, GString *text)
{
  static const char *const signs[] = { "", " < ", " > ", " within ", " is ", " is not " };
  static const char *const not_signs[] = { "", " not < ", " not > ", " not within ", " is not ", " is " };
  g_autofree char *left = memlane_value_to_text (&point->left, TRUE), *right = NULL;
  const char *sign = (point->verdict == MEMLANE_VERDICT_DOES_NOT_HOLD ? not_signs : signs)[test->kind];
  const MemlaneValue *missing = point->left.kind == MEMLANE_VALUE_NONE ? &point->left : &point->right;

  if (point->log2_elements > 0)
    g_string_append_printf (text, "2^%u: ", point->log2_elements);
  if (missing->kind == MEMLANE_VALUE_NONE && (missing == &point->left || test->right.above->len > 0))
    {
      g_string_append (text, missing->why != NULL ? missing->why : memlane_doubt_title (missing->doubt));
      return;
    }
  if (point->verdict == MEMLANE_VERDICT_CANNOT_BE_TOLD)
    sign = " against ";
  if (test->word != NULL && point->verdict == MEMLANE_VERDICT_DOES_NOT_HOLD)
    {
      g_string_append (text, left);
      if (test->kind == MEMLANE_TEST_IS)
        g_string_append_printf (text, ", not %s", test->word);
      return;
    }
  if (test->word != NULL)
    {
      g_string_append (text, left);
      return;
    }
  if (test->kind == MEMLANE_TEST_WITHIN)
    {
      MemlaneValue low = { .kind = test->left.kind, .median = test->low, .low = test->low, .high = test->low };
      MemlaneValue high = { .kind = test->left.kind, .median = test->high, .low = test->high, .high = test->high };
      g_autofree char *from = memlane_value_to_text (&low, FALSE), *to = memlane_value_to_text (&high, FALSE);

      right = g_strdup_printf ("%s to %s", from, to);
    }
  else
    right = memlane_value_to_text (&point->right, TRUE);
  g_string_append_printf (text, "%s%s%s", left, sign, right);
}

/* Worst first: no outweighs perhaps, perhaps outweighs yes. */
static MemlaneVerdict
together (MemlaneVerdict one, MemlaneVerdict other)
{
  if (one == MEMLANE_VERDICT_DOES_NOT_HOLD || other == MEMLANE_VERDICT_DOES_NOT_HOLD)
    return MEMLANE_VERDICT_DOES_NOT_HOLD;
  return one == MEMLANE_VERDICT_HOLDS && other == MEMLANE_VERDICT_HOLDS ? MEMLANE_VERDICT_HOLDS : MEMLANE_VERDICT_CANNOT_BE_TOLD;
}

static MemlaneCheckResult *
judge_check (const MemlaneExperimentResult *result, const MemlaneExperimentCheck *check)
{
  MemlaneCheckResult *self = g_new0 (MemlaneCheckResult, 1);
  const MemlaneTest *test = check->parsed;
  g_autoptr (GString) words = g_string_new (NULL);
  guint last = test->first_log2 > 0 ? test->last_log2 : 0;

  self->check = check;
  self->verdict = MEMLANE_VERDICT_HOLDS;
  self->points = g_array_new (FALSE, TRUE, sizeof (MemlaneCheckPoint));
  for (guint size = test->first_log2; size <= last; size++)
    {
      MemlaneCheckPoint point = { .log2_elements = size };
      MemlaneDoubt doubt = MEMLANE_DOUBT_NONE;

      evaluate (result, &test->left, size, &point.left);
      if (test->right.above->len > 0)
        evaluate (result, &test->right, size, &point.right);
      point.verdict = judge_point (test, &point, &doubt);
      if (self->doubt == MEMLANE_DOUBT_NONE)
        self->doubt = doubt;
      self->verdict = together (self->verdict, point.verdict);
      if (words->len > 0)
        g_string_append (words, "; ");
      describe_point (test, &point, words);
      g_array_append_val (self->points, point);
    }
  if (self->verdict != MEMLANE_VERDICT_CANNOT_BE_TOLD)
    self->doubt = MEMLANE_DOUBT_NONE;
  self->words = g_string_free (g_steal_pointer (&words), FALSE);
  return self;
}

/* --- tables and curves -------------------------------------------------------------------------------------------------------- */

static double
find_published (const MemlanePublished *published, const char *source, const MemlaneTerm *term, guint log2_elements)
{
  for (guint i = 0; published != NULL && source != NULL && term->mode != NULL && i < published->figures->len; i++)
    {
      const MemlanePublishedFigure *figure = published->figures->pdata[i];

      if (g_str_has_prefix (figure->source, source) && figure->log2_elements == log2_elements && figure->phase == term->phase
          && strcmp (figure->mode, term->mode->id) == 0)
        return figure->value_ns;
    }
  return -1;
}

static MemlaneTableRow *
fill_row (const MemlaneExperimentResult *result, const MemlaneTest *const *columns, guint n, const char *source, guint log2_elements,
          const MemlanePublished *published)
{
  MemlaneTableRow *row = g_new0 (MemlaneTableRow, 1);

  row->log2_elements = log2_elements;
  row->values = g_new0 (MemlaneValue, n);
  row->published = g_new0 (double, n);
  for (guint i = 0; i < n; i++)
    {
      evaluate (result, &columns[i]->left, log2_elements, &row->values[i]);
      row->published[i] = find_published (published, source, &g_array_index (columns[i]->left.above, MemlaneTerm, 0), log2_elements);
    }
  return row;
}

static MemlaneTableResult *
fill_table (const MemlaneExperimentResult *result, const MemlaneExperimentTable *table, const MemlanePublished *published)
{
  MemlaneTableResult *self = g_new0 (MemlaneTableResult, 1);
  guint n = g_strv_length (table->columns);

  self->table = table;
  self->rows = g_ptr_array_new_with_free_func (memlane_table_row_free);
  for (guint size = table->first_log2; size <= table->last_log2; size++)
    {
      MemlaneTableRow *row = fill_row (result, (const MemlaneTest *const *) table->parsed, n, table->source, size, published);

      for (guint i = 0; i < n; i++)
        self->is_published |= row->published[i] >= 0;
      g_ptr_array_add (self->rows, row);
    }
  return self;
}

/* --- all of it -------------------------------------------------------------------------------------------------------------------- */

static const MemlaneCheckResult *
find_check (const MemlaneExperimentResult *result, const char *id)
{
  for (guint i = 0; i < result->checks->len; i++)
    if (strcmp (((const MemlaneCheckResult *) result->checks->pdata[i])->check->id, id) == 0)
      return result->checks->pdata[i];
  return NULL;
}

/* The choice whose check says so, if it is one alone. */
static int
find_right_choice (const MemlaneExperimentResult *result)
{
  const MemlanePrediction *prediction = &result->experiment->prediction;
  int right = -1;

  for (guint i = 0; prediction->kind == MEMLANE_PREDICT_CHOICE && prediction->answers[i] != NULL; i++)
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
  const MemlanePrediction *prediction = &experiment->prediction;

  for (guint i = 0; i < experiment->checks->len; i++)
    g_ptr_array_add (result->checks, judge_check (result, experiment->checks->pdata[i]));
  for (guint i = 0; i < experiment->figures->len; i++)
    {
      MemlaneFigureResult *figure = g_new0 (MemlaneFigureResult, 1);

      figure->figure = experiment->figures->pdata[i];
      evaluate (result, &figure->figure->parsed->left, 0, &figure->value);
      g_ptr_array_add (result->figures, figure);
    }
  for (guint i = 0; i < experiment->tables->len; i++)
    g_ptr_array_add (result->tables, fill_table (result, experiment->tables->pdata[i], published));

  result->verdict = MEMLANE_VERDICT_HOLDS;
  for (guint i = 0; experiment->verdict[i] != NULL; i++)
    result->verdict = together (result->verdict, find_check (result, experiment->verdict[i])->verdict);
  result->right_choice = find_right_choice (result);
  if (prediction->kind == MEMLANE_PREDICT_CURVE)
    {
      g_autofree char *reason = NULL;
      MemlaneTest *test = memlane_test_parse_column (prediction->curve, experiment->steps, prediction->first_log2, prediction->last_log2,
                                                     &reason);
      const MemlaneTest *const columns[] = { test };

      result->curve = g_ptr_array_new_with_free_func (memlane_table_row_free);
      for (guint size = prediction->first_log2; size <= prediction->last_log2; size++)
        g_ptr_array_add (result->curve, fill_row (result, columns, 1, NULL, size, NULL));
      memlane_test_free (test);
    }
}
