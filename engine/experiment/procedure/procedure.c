/* procedure.c: the registry of procedures, what each is given to run with, and the steps of an
 * experiment one after the other
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/owns.h"
#include "device/tracer.h"
#include "experiment/result.h"
#include "measure/measure.h"
#include "measure/record.h"

/* Each stands as memlane_procedure_NAME in a file of this folder; a new one is its file and a row
 * here. */
#define PROCEDURES(row) \
  row (device_query) row (profile_pageable) row (profile_pinned) row (handed) row (wrong_buffer) \
  row (same_pointer) row (round_trips) row (round_trips_of_size) row (return_times) \
  row (kernels_beside) row (serialisers) row (waiting) row (callbacks) row (priorities) \
  row (zero_copy_steps) row (errors) row (article_zero_copy) row (atomics) row (mixed_memory) \
  row (fresh_context) row (allocations) row (page_locking) row (oversubscribe) \
  row (oversubscribe_faults) row (memory_use) row (stream_destroy_pending) row (arithmetic) \
  row (methods) row (blocking_calls) row (behind) row (pin_limit)

#define DECLARE(name) extern const MemlaneProcedure memlane_procedure_##name;
PROCEDURES (DECLARE)

#define ENTER(name) &memlane_procedure_##name,
static const MemlaneProcedure *const procedures[] = { PROCEDURES (ENTER) };

const MemlaneProcedure *const *
memlane_procedure_list (guint *n)
{
  *n = G_N_ELEMENTS (procedures);
  return procedures;
}

const MemlaneProcedure *
memlane_procedure_find (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (procedures); i++)
    if (strcmp (procedures[i]->id, id) == 0)
      return procedures[i];
  return NULL;
}

/* --- what is found ---------------------------------------------------------------------------- */

typedef struct
{
  char *name;
  MemlaneValueKind kind;
  GArray *samples;    /* TIME, NUMBER: (element-type double) */
  GPtrArray *words;   /* WORD: (element-type utf8), one for each trial */
  MemlaneValue value; /* what is lacking; else NONE */
} Output;

static MEMLANE_DEFINE_CLEAR (Output, void clear_output (gpointer data),
                             OWNS (name, g_free) OWNS (samples, g_array_unref)
                                 OWNS (words, g_ptr_array_unref)
                                     memlane_value_clear (&self->value);)

static void
add_outputs (GArray *outputs, const char *names, MemlaneValueKind kind)
{
  g_auto (GStrv) list = g_strsplit (names != NULL ? names : "", " ", -1);

  for (guint i = 0; list[i] != NULL; i++)
    {
      const Output output = { g_strdup (list[i]), kind, g_array_new (FALSE, FALSE, sizeof (double)),
                              g_ptr_array_new_with_free_func (g_free), { 0 } };

      g_array_append_val (outputs, output);
    }
}

static Output *
find_output (MemlaneProcedureContext *context, const char *name)
{
  MEMLANE_FOR_EACH_IN (Output, output, context->outputs)
    if (strcmp (output->name, name) == 0)
      return output;
  g_error ("procedure %s promises no output %s", context->procedure->id, name);
}

void
memlane_procedure_sample (MemlaneProcedureContext *context, const char *output, double value)
{
  g_array_append_val (find_output (context, output)->samples, value);
}

void
memlane_procedure_sample_of (MemlaneProcedureContext *context, const char *group, const char *what,
                             double value)
{
  g_autofree char *output = g_strdup_printf ("%s/%s", group, what);

  memlane_procedure_sample (context, output, value);
}

void
memlane_procedure_word (MemlaneProcedureContext *context, const char *output, const char *word)
{
  g_ptr_array_add (find_output (context, output)->words, g_strdup (word));
}

void
memlane_procedure_yes (MemlaneProcedureContext *context, const char *output, gboolean yes)
{
  memlane_procedure_word (context, output, yes ? "yes" : "no");
}

void
memlane_procedure_lack (MemlaneProcedureContext *context, const char *output, MemlaneDoubt doubt,
                        const char *why)
{
  MemlaneValue *value = &find_output (context, output)->value;

  memlane_value_clear (value);
  memlane_value_set_none (value, doubt, why);
}

void
memlane_procedure_note (MemlaneProcedureContext *context, const char *format, ...)
{
  va_list arguments;
  g_autofree char *said = NULL;

  va_start (arguments, format);
  said = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (context->result->notes, g_strdup_printf ("%s: %s", context->step, said));
}

void
memlane_procedure_keep_trace (MemlaneProcedureContext *context, MemlaneTrace *trace)
{
  g_ptr_array_add (context->result->traces, memlane_trace_ref (trace));
  g_ptr_array_add (context->result->trace_steps, g_strdup (context->step));
}

gboolean
memlane_procedure_need (MemlaneProcedureContext *context, MemlaneCapabilities needed,
                        GError **error)
{
  const MemlaneCapabilities missing
      = needed & ~memlane_device_get_info (context->device)->capabilities;

  return missing == 0
         || memlane_device_refuse (error, UNSUPPORTED, "%s is 0 on this device",
                                   memlane_capability_name (missing));
}

gboolean
memlane_procedure_go_on (MemlaneProcedureContext *context, GError **error)
{
  return !g_cancellable_set_error_if_cancelled (context->cancellable, error);
}

gboolean
memlane_procedure_word_of_error (MemlaneProcedureContext *context, const char *output,
                                 const char *message, const char *otherwise)
{
  const char *name = strstr (message, "cudaError");
  g_autofree char *word
      = name != NULL ? g_strndup (name, strspn (name, G_CSET_a_2_z G_CSET_A_2_Z)) : NULL;

  memlane_procedure_word (context, output, word != NULL ? word : otherwise);
  return word != NULL;
}

/* --- calls that are held, or recorded --------------------------------------------------------- */

gboolean
memlane_procedure_hold (MemlaneProcedureContext *context, MemlaneStream *stream,
                        MemlaneHeldCall queue, MemlaneHeldCall call, gpointer data,
                        gboolean *waited, GError **error)
{
  MemlaneDevice *device = context->device;
  gboolean done;
  double begin;

  if (!memlane_device_latch_close (device, stream, error))
    return FALSE;
  done = queue == NULL || queue (context, data, error);
  begin = memlane_device_clock (device);
  done = done && call (context, data, error);
  if (waited != NULL)
    *waited = memlane_device_clock (device) - begin > MEMLANE_LATCH_TIMEOUT_NS / 2;
  /* In any case: nothing may be left that holds, or that uses @data. */
  done = memlane_device_latch_open (device, NULL, done ? error : NULL) && done;
  return memlane_device_synchronize (device, done ? error : NULL) && done;
}

MemlaneTrace *
memlane_procedure_record (MemlaneProcedureContext *context, MemlaneHeldCall make, gpointer data,
                          const char *workload, const char *mode, const char *method,
                          GError **error)
{
  g_autoptr (MemlaneTracer) tracer = memlane_tracer_new (context->device, error);
  MemlaneTraceInfo *info;
  gboolean made;

  if (tracer == NULL || !make (context, data, error))
    return NULL;
  memlane_tracer_start (tracer);
  made = make (context, data, error);
  memlane_tracer_stop (tracer);
  if (!made)
    return NULL;
  info = memlane_tracer_get_info (tracer);
  info->workload = g_strdup (workload);
  info->mode = g_strdup (mode);
  info->log2_elements = context->options.log2_elements;
  info->elements = context->elements;
  info->method = g_strdup (method);
  return memlane_tracer_finish (g_steal_pointer (&tracer), error);
}

/* --- running one ------------------------------------------------------------------------------ */

static void
clean_up (MemlaneProcedureContext *context)
{
  memlane_device_latch_open (context->device, NULL, NULL);
  memlane_device_synchronize (context->device, NULL);
  (void) memlane_held_give_all (&context->held, NULL);
}

/* One word when all trials gave it. */
static void
set_word (MemlaneValue *value, const GPtrArray *words)
{
  g_autoptr (GPtrArray) seen = g_ptr_array_new ();
  g_autoptr (GString) why = g_string_new (NULL);
  guint index;

  MEMLANE_FOR_EACH (char, word, words)
    if (!g_ptr_array_find_with_equal_func (seen, word, g_str_equal, &index))
      g_ptr_array_add (seen, word);
  if (seen->len == 1)
    {
      *value = (MemlaneValue){ .kind = MEMLANE_VALUE_WORD,
                               .count = words->len,
                               .word = g_strdup (words->pdata[0]) };
      return;
    }
  MEMLANE_FOR_EACH (const char, one, seen)
    {
      guint n = 0;

      MEMLANE_FOR_EACH (const char, word, words)
        n += strcmp (word, one) == 0;
      g_string_append_printf (why, "%s%s %u of %u times", why->len > 0 ? ", " : "", one, n,
                              words->len);
    }
  memlane_value_set_none (value, MEMLANE_DOUBT_MIXED, why->str);
}

/* The value of each output; one that was not found says why. */
static void
deliver (MemlaneProcedureContext *context, const GError *problem)
{
  const MemlaneDoubt doubt = memlane_doubt_of_failure (memlane_status_from_error (problem));

  MEMLANE_FOR_EACH_IN (const Output, output, context->outputs)
    {
      MemlaneValue value = output->value;
      g_autofree char *sized
          = context->options.last_log2 > 0
                ? g_strdup_printf ("%s@%u", output->name, context->options.log2_elements)
                : NULL;

      if (value.doubt == MEMLANE_DOUBT_NONE && output->samples->len > 0)
        {
          MemlaneStatistics statistics;

          memlane_statistics_compute ((const double *) (gpointer) output->samples->data,
                                      output->samples->len, &statistics);
          memlane_value_set_statistics (&value, output->kind, &statistics);
        }
      else if (value.doubt == MEMLANE_DOUBT_NONE && output->words->len > 0)
        set_word (&value, output->words);
      else if (value.doubt == MEMLANE_DOUBT_NONE)
        memlane_value_set_none (&value, doubt, problem != NULL ? problem->message : NULL);
      memlane_result_add (context->result, context->step, sized != NULL ? sized : output->name,
                          &value);
      if (output->value.doubt == MEMLANE_DOUBT_NONE)
        memlane_value_clear (&value);
    }
}

void
memlane_procedure_run (MemlaneProcedureContext *context, MemlaneExperimentResult *result,
                       const char *step, const GError *trouble)
{
  const MemlaneProcedure *procedure = context->procedure;

  context->result = result;
  context->step = step;
  context->held = (MemlaneHeld) { .device = context->device };
  if (trouble != NULL)
    memlane_procedure_note (context, "nothing was tried: %s", trouble->message);
  do
    {
      g_autoptr (GError) problem = trouble != NULL ? g_error_copy (trouble) : NULL;
      g_autoptr (GArray) outputs = context->outputs = g_array_new (FALSE, FALSE, sizeof (Output));

      context->elements = (gsize) 1 << context->options.log2_elements;
      context->bytes = context->elements * sizeof (float);
      g_array_set_clear_func (outputs, clear_output);
      add_outputs (outputs, procedure->outputs.times, MEMLANE_VALUE_TIME);
      add_outputs (outputs, procedure->outputs.numbers, MEMLANE_VALUE_NUMBER);
      add_outputs (outputs, procedure->outputs.words, MEMLANE_VALUE_WORD);
      if (problem == NULL && memlane_procedure_go_on (context, &problem)
          && !procedure->run (context, &problem))
        memlane_procedure_note (context, "ended early: %s", problem->message);
      if (context->device != NULL)
        clean_up (context);
      deliver (context, problem);
    }
  while (context->options.log2_elements++ < context->options.last_log2 && context->device != NULL
         && !memlane_device_is_lost (context->device));
}

/* --- the steps of an experiment --------------------------------------------------------------- */

/* One run: what its steps share. */
typedef struct
{
  MemlaneExperimentFunc tell;
  gpointer user_data;
  guint place;           /* of the step in work */
  guint rounds;          /* processes that share the samples */
  MemlaneDevice *device;
  double open_ns;        /* what opening it took, of real time; 0: it is simulated */
  MemlaneExperimentResult *result;
  GCancellable *cancellable;
} Run;

static void
tell (double fraction, gpointer data)
{
  const Run *run = data;

  if (run->tell != NULL)
    run->tell (run->result, run->place, fraction, run->user_data);
}

/* Sweeps are not run here: job/experiment-runner.c measures them, each round in a process of its
 * own. A step may have a simulated device of its own. */
static void
run_step (Run *run, const MemlaneExperimentStep *step)
{
  g_autoptr (GError) problem = NULL;
  MemlaneDevice *device
      = step->what_if ? memlane_device_open (step->plan->what_if, &problem) : run->device;
  MemlaneProcedureContext context = {
    .device = device,
    .procedure = step->plan->procedure,
    .plan = step->plan,
    .options = step->plan->options,
    .open_ns = step->what_if ? 0 : run->open_ns,
    .cancellable = run->cancellable,
    .tell = tell,
    .user_data = run,
  };

  /* The part of the samples that this process takes: fewer than three have no middle. */
  if (run->rounds > 1 && context.options.samples > 0)
    context.options.samples = MAX (3, (context.options.samples + run->rounds - 1) / run->rounds);
  if (context.procedure != NULL)
    memlane_procedure_run (&context, run->result, step->id, problem);
  if (step->what_if)
    memlane_device_close (device);
}

static char *
describe_machine (const MemlaneDeviceInfo *info)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s [%s]", info->name, info->id);
  if (info->driver != NULL)
    g_string_append_printf (text, ", driver %s", info->driver);
  if (info->runtime != NULL)
    g_string_append_printf (text, ", CUDA %s", info->runtime);
  if (info->link_generation > 0)
    g_string_append_printf (text, ", PCIe %d.0 x%d", info->link_generation, info->link_width);
  if (info->calibrated_from != NULL)
    {
      g_auto (GStrv) runs = g_strsplit (info->calibrated_from, ",", -1);
      guint more = g_strv_length (runs) - 1;

      g_string_append_printf (text, ", simulated: fitted to %s", runs[0]);
      if (more > 0)
        g_string_append_printf (text, " and %u more", more);
    }
  return g_string_free (text, FALSE);
}

/* The setting of a whole process that a step needs. CUPTI's page counters slow what times the
 * moving of pages. */
typedef enum { PROCESS_COUNTING, PROCESS_UNDISTURBED, PROCESS_BLOCKING, PROCESS_ONCE } Process;

static Process
needed_process (const MemlaneExperimentStep *step)
{
  const MemlaneProcedure *procedure = step->plan->procedure;

  return procedure == NULL           ? PROCESS_COUNTING
         : procedure->is_blocking    ? PROCESS_BLOCKING
         : procedure->is_once        ? PROCESS_ONCE
         : procedure->is_undisturbed ? PROCESS_UNDISTURBED
                                     : PROCESS_COUNTING;
}

MemlaneExperimentResult *
memlane_experiment_run_steps (MemlaneExperiment *experiment, guint first, guint end, guint rounds,
                              const char *device_id, MemlaneExperimentFunc func, gpointer user_data,
                              GCancellable *cancellable, GError **error)
{
  g_autoptr (MemlaneExperimentResult) result = NULL;
  const GPtrArray *steps = experiment->steps;
  const Process process = first < end ? needed_process (steps->pdata[first]) : PROCESS_UNDISTURBED;
  const MemlaneDeviceInfo *info;
  gint64 begun = g_get_monotonic_time ();
  Run run = { .tell = func,
              .user_data = user_data,
              .place = first,
              .rounds = rounds,
              .cancellable = cancellable };

  if (process == PROCESS_COUNTING)
    memlane_trace_prepare ();
  if (process == PROCESS_BLOCKING) /* CUDA reads it once, when the device is opened */
    g_setenv ("CUDA_LAUNCH_BLOCKING", "1", TRUE);
  run.device = memlane_device_open (device_id, error);
  if (run.device == NULL)
    return NULL;
  info = memlane_device_get_info (run.device);
  result = run.result = memlane_experiment_result_new (experiment);
  memlane_experiment_result_set_device (result, info->id, info->name, info->kind,
                                        describe_machine (info));
  run.open_ns = result->simulated ? 0 : (double) (g_get_monotonic_time () - begun) * 1e3;
  run.rounds = info->exact ? 1 : rounds;
  for (; run.place < end && needed_process (steps->pdata[run.place]) == process
         && !g_cancellable_is_cancelled (cancellable) && !memlane_device_is_lost (run.device);
       run.place++)
    {
      tell (0, &run);
      run_step (&run, steps->pdata[run.place]);
    }
  tell (0, &run);
  memlane_device_close (run.device);
  result->cancelled = g_cancellable_is_cancelled (cancellable);
  result->seconds = (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC;
  return g_steal_pointer (&result);
}
