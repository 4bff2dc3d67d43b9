/* result.c: values, findings, and the record of what an experiment found
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-private.h"

#include <math.h>
#include <string.h>

/* --- values ------------------------------------------------------------------------------------------------------------ */

void
memlane_value_clear (MemlaneValue *value)
{
  g_clear_pointer (&value->word, g_free);
  g_clear_pointer (&value->why, g_free);
}

void
memlane_value_copy (MemlaneValue *to, const MemlaneValue *from)
{
  *to = *from;
  to->word = g_strdup (from->word);
  to->why = g_strdup (from->why);
}

void
memlane_value_set_none (MemlaneValue *value, MemlaneDoubt doubt, const char *why)
{
  *value = (MemlaneValue) { .kind = MEMLANE_VALUE_NONE, .doubt = doubt, .why = g_strdup (why) };
}

void
memlane_value_set_statistics (MemlaneValue *value, MemlaneValueKind kind, const MemlaneStatistics *statistics)
{
  *value = (MemlaneValue) {
    .kind = kind, .count = statistics->count, .median = statistics->median, .low = statistics->ci95_low, .high = statistics->ci95_high,
  };
  /* One number that was asked for is what it is; one time that was taken may be anything next time. */
  value->loose = statistics->count < 6 && (statistics->min < statistics->max || (kind == MEMLANE_VALUE_TIME && statistics->count < 2));
}

char *
memlane_format_number (double number)
{
  char text[32];
  double size = fabs (number);
  int digits = size >= 1000 || number == floor (number) ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;

  if (size >= 1e15)
    return g_strdup_printf ("%.4g", number);
  g_snprintf (text, sizeof text, "%.*f", digits, number); /* numbers are the same in every locale: see below */
  g_strdelimit (text, ",", '.');
  return g_strdup (text);
}

char *
memlane_format_time (double ns)
{
  static const struct { double ns; const char *unit; } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
  guint i = 0;
  double scaled;
  char text[32];

  while (i + 1 < G_N_ELEMENTS (units) && fabs (ns) < units[i].ns * 0.9995)
    i++;
  scaled = ns / units[i].ns;
  g_snprintf (text, sizeof text, "%.*f", fabs (scaled) >= 999.5 ? 0 : fabs (scaled) >= 99.95 ? 1 : fabs (scaled) >= 9.995 ? 2 : 3, scaled);
  g_strdelimit (text, ",", '.');
  return g_strdup_printf ("%s %s", text, units[i].unit);
}

char *
memlane_value_to_text (const MemlaneValue *value, gboolean interval)
{
  char *(*format) (double) = value->kind == MEMLANE_VALUE_TIME ? memlane_format_time : memlane_format_number;
  g_autofree char *median = NULL, *low = NULL, *high = NULL;

  if (value->kind == MEMLANE_VALUE_NONE)
    return g_strdup ("-");
  if (value->kind == MEMLANE_VALUE_WORD)
    return g_strdup (value->word);
  median = format (value->median);
  low = format (value->low);
  high = format (value->high);
  if (interval && value->loose && value->count < 2)
    return g_strdup_printf ("%s (one sample)", median);
  if (!interval || (strcmp (low, median) == 0 && strcmp (high, median) == 0))
    return g_steal_pointer (&median);
  return g_strdup_printf ("%s (%s to %s%s)", median, low, high, value->loose ? ", all samples" : "");
}

/* --- findings ----------------------------------------------------------------------------------------------------------- */

static void
finding_free (gpointer data)
{
  MemlaneExperimentFinding *finding = data;

  g_free (finding->step);
  g_free (finding->name);
  memlane_value_clear (&finding->value);
  g_free (finding);
}

void
memlane_result_add (MemlaneExperimentResult *result, const char *step, const char *name, const MemlaneValue *value)
{
  MemlaneExperimentFinding *finding = g_new0 (MemlaneExperimentFinding, 1);

  finding->step = g_strdup (step);
  finding->name = g_strdup (name);
  memlane_value_copy (&finding->value, value);
  g_ptr_array_add (result->findings, finding);
}

const MemlaneValue *
memlane_result_find (const MemlaneExperimentResult *result, const char *step, const char *name)
{
  for (guint i = 0; i < result->findings->len; i++)
    {
      const MemlaneExperimentFinding *finding = result->findings->pdata[i];

      if (strcmp (finding->name, name) == 0 && strcmp (finding->step, step) == 0)
        return &finding->value;
    }
  return NULL;
}

char *
memlane_cell_figure_name (const MemlaneMode *mode, MemlanePhase phase, MemlaneClock clock, guint log2_elements)
{
  return g_strdup_printf ("%s/%s/%s@%u", mode->id, memlane_phase_name (phase), memlane_clock_name (clock), log2_elements);
}

/* --- the record ---------------------------------------------------------------------------------------------------------- */

static void
check_result_free (gpointer data)
{
  MemlaneCheckResult *result = data;

  for (guint i = 0; i < result->points->len; i++)
    {
      MemlaneCheckPoint *point = &g_array_index (result->points, MemlaneCheckPoint, i);

      memlane_value_clear (&point->left);
      memlane_value_clear (&point->right);
    }
  g_array_unref (result->points);
  g_free (result->words);
  g_free (result);
}

static void
figure_result_free (gpointer data)
{
  MemlaneFigureResult *result = data;

  memlane_value_clear (&result->value);
  g_free (result);
}

static void
table_result_free (gpointer data)
{
  MemlaneTableResult *result = data;
  guint columns = g_strv_length (result->table->columns);

  for (guint i = 0; i < result->rows->len; i++)
    {
      MemlaneTableRow *row = result->rows->pdata[i];

      for (guint k = 0; k < columns; k++)
        memlane_value_clear (&row->values[k]);
    }
  g_ptr_array_unref (result->rows);
  g_free (result);
}

void
memlane_table_row_free (gpointer data)
{
  MemlaneTableRow *row = data;

  g_free (row->values);
  g_free (row->published);
  g_free (row);
}

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

MemlaneExperimentResult *
memlane_experiment_result_ref (MemlaneExperimentResult *result)
{
  g_atomic_int_inc (&result->ref_count);
  return result;
}

void
memlane_experiment_result_unref (MemlaneExperimentResult *result)
{
  if (result == NULL || !g_atomic_int_dec_and_test (&result->ref_count))
    return;
  for (guint i = 0; result->curve != NULL && i < result->curve->len; i++)
    memlane_value_clear (((MemlaneTableRow *) result->curve->pdata[i])->values);
  g_clear_pointer (&result->curve, g_ptr_array_unref);
  g_ptr_array_unref (result->checks);
  g_ptr_array_unref (result->figures);
  g_ptr_array_unref (result->tables);
  g_ptr_array_unref (result->findings);
  g_ptr_array_unref (result->runs);
  g_ptr_array_unref (result->traces);
  g_ptr_array_unref (result->trace_steps);
  g_ptr_array_unref (result->notes);
  memlane_experiment_unref (result->experiment); /* last: tables look at it */
  g_free (result->device);
  g_free (result->device_name);
  g_free (result->device_kind);
  g_free (result->machine);
  g_free (result->environment);
  g_free (result->date);
  g_free (result);
}
