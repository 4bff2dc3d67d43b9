/* read-step.c: the groups of a file that say what to measure
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-private.h"

#include <string.h>

#define MOST_REUSE 10000
#define MOST_REPEATS 30
#define MOST_CELLS 600

static const char *const step_kind_names[] = { "Sweep", "Trace", "Lab", "Procedure" };

const char *
memlane_step_kind_name (MemlaneStepKind kind)
{
  return (guint) kind < G_N_ELEMENTS (step_kind_names) ? step_kind_names[kind] : "?";
}

void
memlane_experiment_step_free (MemlaneExperimentStep *step)
{
  if (step == NULL)
    return;
  if (step->plan != NULL)
    memlane_plan_free (step->plan->sweep);
  g_free (step->plan);
  g_free (step->id);
  g_free (step->summary);
  g_free (step);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneExperimentStep, memlane_experiment_step_free)

static char *
list_modes (const MemlanePlan *plan)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; plan->modes[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", plan->modes[i]->id);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Keys that sweeps and traces share. */
static gboolean
read_plan (const MemlaneReader *reader, const char *group, MemlanePlan *plan, const char *modes_key, const char *sizes_key, GError **error)
{
  g_autofree char *workload = NULL, *modes = NULL, *sizes = NULL;
  g_autoptr (GError) problem = NULL;

  if (!memlane_reader_get (reader, group, "workload", FALSE, &workload, error)
      || !memlane_reader_get (reader, group, modes_key, TRUE, &modes, error)
      || !memlane_reader_get (reader, group, sizes_key, TRUE, &sizes, error))
    return FALSE;
  if (workload != NULL)
    plan->workload = memlane_workload_find (workload);
  if (plan->workload == NULL)
    return memlane_reader_refuse (reader, group, "workload", error, "unknown workload '%.80s'", workload);
  g_strdelimit (modes, ";", ',');
  if (g_str_has_suffix (modes, ","))
    modes[strlen (modes) - 1] = '\0';
  if (!memlane_plan_set_modes (plan, modes, &problem))
    return memlane_reader_refuse (reader, group, modes_key, error, "%s", problem->message);
  if (!memlane_plan_set_sizes (plan, sizes, &problem))
    return memlane_reader_refuse (reader, group, sizes_key, error, "%s", problem->message);
  return memlane_reader_get_number (reader, group, "reuse", 1, MOST_REUSE, &plan->reuse, error)
         && memlane_reader_get_number (reader, group, "streams", 1, MEMLANE_MOST_STREAMS, &plan->streams, error)
         && memlane_reader_get_number (reader, group, "chunks", 1, MEMLANE_MOST_CHUNKS, &plan->chunks, error);
}

static gboolean
read_decimal (const MemlaneReader *reader, const char *group, const char *key, double least, double most, double *value, GError **error)
{
  g_autofree char *text = NULL;
  MemlaneValueKind kind;
  double number;

  if (!memlane_reader_get (reader, group, key, FALSE, &text, error))
    return FALSE;
  if (text == NULL)
    return TRUE;
  if (!memlane_parse_quantity (text, &kind, &number) || kind != MEMLANE_VALUE_NUMBER || number < least || number > most)
    return memlane_reader_refuse (reader, group, key, error, "found '%.80s', expected a number from %g to %g", text, least, most);
  *value = number;
  return TRUE;
}

static gboolean
read_sweep (const MemlaneReader *reader, const char *group, MemlaneExperimentStep *step, GError **error)
{
  MemlanePlan *plan = step->plan->sweep = memlane_plan_new ();
  g_autofree char *modes = NULL;
  double percent = 2;

  plan->cell_seconds = 0.1;
  if (!read_plan (reader, group, plan, "modes", "sizes", error)
      || !read_decimal (reader, group, "precision", 0.1, 50, &percent, error)
      || !read_decimal (reader, group, "cell-seconds", 0.001, 60, &plan->cell_seconds, error))
    return FALSE;
  plan->precision = percent / 100;
  if (memlane_plan_count_cells (plan) > MOST_CELLS)
    return memlane_reader_refuse (reader, group, "sizes", error, "found %u cells, expected at most %d", memlane_plan_count_cells (plan),
                                  MOST_CELLS);
  modes = list_modes (plan);
  step->summary = g_strdup_printf ("%s: %s; 2^%u to 2^%u floats%s", plan->workload->id, modes, plan->first_log2, plan->last_log2,
                                   plan->reuse > 1 ? ", reused" : "");
  return TRUE;
}

/* A simulated device of the step's own. */
static gboolean
read_what_if (const MemlaneReader *reader, const char *group, MemlaneExperimentStep *step, GError **error)
{
  guint engines = G_MAXUINT;
  gboolean in_order = FALSE;

  if (!memlane_reader_get_number (reader, group, "copy-engines", 0, 3, &engines, error)
      || !memlane_reader_get_boolean (reader, group, "in-order-engines", &in_order, error))
    return FALSE;
  step->plan->copy_engines = engines != G_MAXUINT ? (int) engines : -1;
  step->plan->in_order_engines = in_order;
  step->what_if = engines != G_MAXUINT || in_order;
  step->plan->repeats = MEMLANE_TRACE_REPEATS;
  return memlane_reader_get_number (reader, group, "repeats", 1, MOST_REPEATS, &step->plan->repeats, error);
}

static gboolean
read_trace (const MemlaneReader *reader, const char *group, MemlaneExperimentStep *step, GError **error)
{
  MemlanePlan *plan = step->plan->sweep = memlane_plan_new ();

  if (!read_plan (reader, group, plan, "mode", "size", error) || !read_what_if (reader, group, step, error))
    return FALSE;
  if (memlane_plan_count_cells (plan) != 1)
    return memlane_reader_refuse (reader, group, plan->first_log2 != plan->last_log2 ? "size" : "mode", error,
                                  "expected one mode and one size");
  step->summary = g_strdup_printf ("%s: %s, 2^%u floats, event by event", plan->workload->id, plan->modes[0]->id, plan->first_log2);
  return TRUE;
}

static gboolean
read_lab (const MemlaneReader *reader, const char *group, MemlaneExperimentStep *step, GError **error)
{
  MemlaneLabPlan plan = { 0 };
  g_autofree char *order = NULL, *between = NULL;
  g_autoptr (GError) problem = NULL;

  if (!memlane_reader_get (reader, group, "order", FALSE, &order, error)
      || !memlane_reader_get (reader, group, "between", FALSE, &between, error))
    return FALSE;
  if (order != NULL && !memlane_lab_order_find (order, &plan.order))
    return memlane_reader_refuse (reader, group, "order", error, "found '%.80s', expected depth-first or breadth-first", order);
  if (between != NULL && !memlane_lab_between_find (between, &plan.between))
    return memlane_reader_refuse (reader, group, "between", error,
                                  "found '%.80s', expected nothing, pinned-allocation, device-allocation, device-memset, device-copy or "
                                  "default-stream", between);
  if (!memlane_reader_get_number (reader, group, "size", 10, MEMLANE_LARGEST_LOG2, &plan.log2_elements, error)
      || !memlane_reader_get_number (reader, group, "streams", 1, MEMLANE_MOST_STREAMS, &plan.streams, error)
      || !memlane_reader_get_number (reader, group, "chunks", 1, MEMLANE_MOST_CHUNKS, &plan.chunks, error)
      || !memlane_reader_get_number (reader, group, "reuse", 1, MOST_REUSE, &plan.reuse, error)
      || !memlane_reader_get_boolean (reader, group, "pageable", &plan.pageable, error)
      || !memlane_reader_get_boolean (reader, group, "non-blocking", &plan.non_blocking, error)
      || !memlane_reader_get_boolean (reader, group, "priorities", &plan.priorities, error)
      || !memlane_reader_get_boolean (reader, group, "host-functions", &plan.host_functions, error)
      || !read_what_if (reader, group, step, error))
    return FALSE;
  if (!memlane_lab_plan_check (&plan, &step->plan->lab, &problem))
    return memlane_reader_refuse (reader, group, NULL, error, "%s", problem->message);
  step->summary = g_strdup_printf ("the laboratory's pipeline, %s, %u streams, %u chunks of 2^%u floats%s%s",
                                   memlane_lab_order_name (step->plan->lab.order), step->plan->lab.streams, step->plan->lab.chunks,
                                   step->plan->lab.log2_elements, plan.between != MEMLANE_LAB_NOTHING ? ", in between: " : "",
                                   plan.between != MEMLANE_LAB_NOTHING ? memlane_lab_between_name (plan.between) : "");
  return TRUE;
}

static gboolean
read_option (const MemlaneReader *reader, const char *group, const char *key, const MemlaneProcedure *procedure, guint least,
             guint most, guint initial, guint *value, GError **error)
{
  g_autofree char *text = NULL;

  *value = initial;
  if (initial > 0)
    return memlane_reader_get_number (reader, group, key, least, most, value, error);
  if (!memlane_reader_get (reader, group, key, FALSE, &text, error))
    return FALSE;
  return text == NULL || memlane_reader_refuse (reader, group, key, error, "procedure %s has no such option", procedure->id);
}

static gboolean
read_procedure (const MemlaneReader *reader, const char *group, MemlaneExperimentStep *step, GError **error)
{
  g_autofree char *id = NULL;
  const MemlaneProcedure *procedure;
  const MemlaneProcedureOptions *initial, *most;
  guint bytes;

  if (!memlane_reader_get (reader, group, "procedure", TRUE, &id, error))
    return FALSE;
  procedure = step->plan->procedure = memlane_procedure_find (id);
  if (procedure == NULL)
    {
      g_autoptr (GString) known = g_string_new (NULL);
      guint n;
      const MemlaneProcedure *const *all = memlane_procedure_list (&n);

      for (guint i = 0; i < n; i++)
        g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", all[i]->id);
      return memlane_reader_refuse (reader, group, "procedure", error, "unknown procedure '%.80s': expected one of %s", id, known->str);
    }
  initial = &procedure->defaults;
  most = &procedure->most;
  if (!read_option (reader, group, "size", procedure, MEMLANE_SMALLEST_LOG2, most->log2_elements, initial->log2_elements,
                    &step->plan->options.log2_elements, error)
      || !read_option (reader, group, "bytes", procedure, 64, (guint) most->bytes, (guint) initial->bytes, &bytes, error)
      || !read_option (reader, group, "times", procedure, 1, most->times, initial->times, &step->plan->options.times, error)
      || !read_option (reader, group, "samples", procedure, 1, most->samples, initial->samples, &step->plan->options.samples, error))
    return FALSE;
  step->plan->options.bytes = bytes;
  step->summary = g_strdup (procedure->summary);
  return TRUE;
}

MemlaneExperimentStep *
memlane_reader_read_step (const MemlaneReader *reader, const char *group, MemlaneStepKind kind, const char *id, GError **error)
{
  g_autoptr (MemlaneExperimentStep) step = g_new0 (MemlaneExperimentStep, 1);
  gboolean read = FALSE;

  step->kind = kind;
  step->id = g_strdup (id);
  step->plan = g_new0 (MemlaneStepPlan, 1);
  step->plan->copy_engines = -1;
  switch (kind)
    {
    case MEMLANE_STEP_SWEEP:
      read = read_sweep (reader, group, step, error);
      break;
    case MEMLANE_STEP_TRACE:
      read = read_trace (reader, group, step, error);
      break;
    case MEMLANE_STEP_LAB:
      read = read_lab (reader, group, step, error);
      break;
    case MEMLANE_STEP_PROCEDURE:
    case MEMLANE_N_STEPS:
    default:
      read = read_procedure (reader, group, step, error);
      break;
    }
  return read ? g_steal_pointer (&step) : NULL;
}
