/* procedure.c: the registry of procedures, and what each is given to run with
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include <string.h>

#include "base/each.h"
#include "base/fail.h"

/* Each stands as memlane_procedure_NAME in a file of this folder; a new one is its file and a row here. */
#define PROCEDURES(row) \
  row (device_query) row (profile_pageable) row (profile_pinned) row (handed) row (wrong_buffer) row (same_pointer) row (round_trips) \
  row (round_trips_of_size) row (return_times) row (kernels_beside) row (serialisers) row (waiting) row (callbacks) row (priorities) \
  row (zero_copy_steps) row (errors) row (article_zero_copy) row (atomics) row (mixed_memory) row (fresh_context) row (allocations) \
  row (page_locking) row (memory_use) row (stream_destroy_pending) row (arithmetic) row (methods) row (blocking_calls)

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

/* --- what is found --------------------------------------------------------------------------------------------------- */

typedef enum { RESOURCE_HOST, RESOURCE_FREE_HOST, RESOURCE_FREE, RESOURCE_STREAM, RESOURCE_EVENT } ResourceKind;

typedef struct
{
  ResourceKind kind;
  gpointer thing;
} Resource;

typedef struct
{
  char *name;
  MemlaneValueKind kind;
  GArray *samples;    /* TIME, NUMBER: (element-type double) */
  GPtrArray *words;   /* WORD: (element-type utf8), one for each trial */
  MemlaneValue value; /* what is lacking; else NONE */
} Output;

typedef struct _MemlaneProcedureResources
{
  GArray *outputs; /* (element-type Output) */
  GArray *held;    /* (element-type Resource), in the order of allocation */
  MemlaneExperimentResult *result;
  const char *step;
} Resources;

static void
clear_output (gpointer data)
{
  Output *output = data;

  g_free (output->name);
  g_array_unref (output->samples);
  g_ptr_array_unref (output->words);
  memlane_value_clear (&output->value);
}

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
  MEMLANE_FOR_EACH_IN (Output, output, context->resources->outputs)
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
memlane_procedure_sample_of (MemlaneProcedureContext *context, const char *group, const char *what, double value)
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
memlane_procedure_lack (MemlaneProcedureContext *context, const char *output, MemlaneDoubt doubt, const char *why)
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
  g_ptr_array_add (context->resources->result->notes, g_strdup_printf ("%s: %s", context->resources->step, said));
}

void
memlane_procedure_keep_trace (MemlaneProcedureContext *context, MemlaneTrace *trace)
{
  g_ptr_array_add (context->resources->result->traces, memlane_trace_ref (trace));
  g_ptr_array_add (context->resources->result->trace_steps, g_strdup (context->resources->step));
}

gboolean
memlane_procedure_need (MemlaneProcedureContext *context, MemlaneCapabilities needed, GError **error)
{
  if (memlane_device_can (context->device, needed))
    return TRUE;
  return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "%s is 0 on this device",
                       (needed & MEMLANE_CAN_UNIFIED_ADDRESSING) != 0 ? "canMapHostMemory or unifiedAddressing" : "canMapHostMemory");
}

gboolean
memlane_procedure_go_on (MemlaneProcedureContext *context, GError **error)
{
  return !g_cancellable_set_error_if_cancelled (context->cancellable, error);
}

/* --- what is to be given back ------------------------------------------------------------------------------------------------------ */

static gboolean
keep (MemlaneProcedureContext *context, ResourceKind kind, gpointer thing)
{
  const Resource resource = { kind, thing };

  g_array_append_val (context->resources->held, resource);
  return TRUE;
}

static gboolean
give_back (MemlaneDevice *device, const Resource *resource, GError **error)
{
  switch (resource->kind)
    {
    case RESOURCE_HOST:
      return memlane_device_host_free (device, resource->thing, error);
    case RESOURCE_FREE_HOST:
      return memlane_device_free_host (device, resource->thing, error);
    case RESOURCE_STREAM:
      return memlane_device_stream_destroy (device, resource->thing, error);
    case RESOURCE_EVENT:
      return memlane_device_event_destroy (device, resource->thing, error);
    case RESOURCE_FREE:
    default:
      return memlane_device_free (device, resource->thing, error);
    }
}

gboolean
memlane_procedure_malloc (MemlaneProcedureContext *context, MemlaneProcedureMemory memory, gsize bytes, void **pointer, GError **error)
{
  MemlaneDevice *device = context->device;
  MemlaneHostAllocFlags flags = MEMLANE_HOST_ALLOC_MAPPED;

  switch (memory)
    {
    case MEMLANE_PROCEDURE_PAGEABLE:
      return memlane_device_host_malloc (device, bytes, pointer, error) && keep (context, RESOURCE_HOST, *pointer);
    case MEMLANE_PROCEDURE_PINNED:
      return memlane_device_malloc_host (device, bytes, pointer, error) && keep (context, RESOURCE_FREE_HOST, *pointer);
    case MEMLANE_PROCEDURE_MAPPED_WRITE_COMBINED:
      flags |= MEMLANE_HOST_ALLOC_WRITE_COMBINED;
      G_GNUC_FALLTHROUGH;
    case MEMLANE_PROCEDURE_MAPPED:
      return memlane_device_host_alloc (device, bytes, flags, pointer, error) && keep (context, RESOURCE_FREE_HOST, *pointer);
    case MEMLANE_PROCEDURE_DEVICE:
    default:
      return memlane_device_malloc (device, bytes, pointer, error) && keep (context, RESOURCE_FREE, *pointer);
    }
}

gboolean
memlane_procedure_free (MemlaneProcedureContext *context, void *pointer, GError **error)
{
  GArray *held = context->resources->held;

  for (guint i = held->len; i-- > 0;)
    if (g_array_index (held, Resource, i).thing == pointer)
      {
        const Resource one = g_array_index (held, Resource, i);

        g_array_remove_index (held, i);
        return give_back (context->device, &one, error);
      }
  return TRUE;
}

gboolean
memlane_procedure_stream (MemlaneProcedureContext *context, gboolean non_blocking, int priority, MemlaneStream **stream, GError **error)
{
  return memlane_device_stream_create (context->device, non_blocking, priority, stream, error) && keep (context, RESOURCE_STREAM, *stream);
}

gboolean
memlane_procedure_event (MemlaneProcedureContext *context, MemlaneEvent **event, GError **error)
{
  return memlane_device_event_create (context->device, event, error) && keep (context, RESOURCE_EVENT, *event);
}

gboolean
memlane_procedure_fill (MemlaneProcedureContext *context, void *pointer, gsize bytes, guint seed, GError **error)
{
  gsize n = bytes / sizeof (float);
  g_autofree float *numbers = g_try_new (float, n);
  guint32 state = seed;

  if (numbers == NULL)
    return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY, "malloc (%" G_GSIZE_FORMAT " bytes): no memory",
                         bytes);
  for (gsize i = 0; i < n; i++)
    {
      state = state * 1664525 + 1013904223; /* Numerical Recipes' */
      numbers[i] = (float) (state >> 8) / 16777216.0f;
    }
  return memlane_device_host_write (context->device, pointer, numbers, n * sizeof *numbers, error);
}

/* --- holding a stream --------------------------------------------------------------------------------------------------- */

gboolean
memlane_procedure_hold (MemlaneProcedureContext *context, MemlaneStream *stream, MemlaneHeldCall queue, MemlaneHeldCall call, gpointer data,
                        gboolean *waited, double *took, GError **error)
{
  MemlaneDevice *device = context->device;
  gboolean late = FALSE, done;
  double begin;

  if (!memlane_device_latch_close (device, stream, error))
    return FALSE;
  done = queue == NULL || queue (context, data, error);
  begin = memlane_device_clock (device);
  done = done && call (context, data, error);
  *took = memlane_device_clock (device) - begin;
  *waited = *took > MEMLANE_LATCH_TIMEOUT_NS / 2;
  /* In any case: nothing may be left that holds. */
  if (!memlane_device_latch_open (device, &late, done ? error : NULL))
    return FALSE;
  return done && memlane_device_synchronize (device, error);
}

/* --- running one ------------------------------------------------------------------------------------------------------------ */

static void
clean_up (MemlaneProcedureContext *context)
{
  GArray *held = context->resources->held;
  gboolean late = FALSE;

  memlane_device_latch_open (context->device, &late, NULL);
  memlane_device_synchronize (context->device, NULL);
  for (guint i = held->len; i-- > 0;)
    give_back (context->device, &g_array_index (held, Resource, i), NULL);
  g_array_set_size (held, 0);
}

/* One word when all trials gave it. */
static void
set_word (MemlaneValue *value, const GPtrArray *words)
{
  g_autoptr (GPtrArray) seen = g_ptr_array_new ();
  g_autoptr (GString) why = g_string_new (NULL);
  guint index;

  for (guint i = 0; i < words->len; i++)
    if (!g_ptr_array_find_with_equal_func (seen, words->pdata[i], g_str_equal, &index))
      g_ptr_array_add (seen, words->pdata[i]);
  if (seen->len == 1)
    {
      *value = (MemlaneValue) { .kind = MEMLANE_VALUE_WORD, .count = words->len, .word = g_strdup (words->pdata[0]) };
      return;
    }
  for (guint i = 0; i < seen->len; i++)
    {
      guint n = 0;

      for (guint k = 0; k < words->len; k++)
        n += strcmp (words->pdata[k], seen->pdata[i]) == 0;
      g_string_append_printf (why, "%s%s %u of %u times", i > 0 ? ", " : "", (const char *) seen->pdata[i], n, words->len);
    }
  memlane_value_set_none (value, MEMLANE_DOUBT_MIXED, why->str);
}

/* The value of each output; one that was not found says why. */
static void
deliver (MemlaneProcedureContext *context, const GError *problem)
{
  Resources *resources = context->resources;
  MemlaneDoubt doubt = MEMLANE_DOUBT_FAILED;

  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    doubt = MEMLANE_DOUBT_CANCELLED;
  else if (g_error_matches (problem, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED))
    doubt = MEMLANE_DOUBT_UNSUPPORTED;
  MEMLANE_FOR_EACH_IN (const Output, output, resources->outputs)
    {
      MemlaneValue value = output->value;
      g_autofree char *sized = context->options.last_log2 > 0
                                 ? g_strdup_printf ("%s@%u", output->name, context->options.log2_elements) : NULL;

      if (value.doubt == MEMLANE_DOUBT_NONE && output->samples->len > 0)
        {
          MemlaneStatistics statistics;

          memlane_statistics_compute ((const double *) (gpointer) output->samples->data, output->samples->len, &statistics);
          memlane_value_set_statistics (&value, output->kind, &statistics);
        }
      else if (value.doubt == MEMLANE_DOUBT_NONE && output->words->len > 0)
        set_word (&value, output->words);
      else if (value.doubt == MEMLANE_DOUBT_NONE)
        memlane_value_set_none (&value, doubt, problem != NULL ? problem->message : NULL);
      memlane_result_add (resources->result, resources->step, sized != NULL ? sized : output->name, &value);
      if (output->value.doubt == MEMLANE_DOUBT_NONE)
        memlane_value_clear (&value);
    }
}

void
memlane_procedure_run (MemlaneProcedureContext *context, MemlaneExperimentResult *result, const char *step, const GError *trouble)
{
  const MemlaneProcedure *procedure = context->procedure;
  Resources resources = { .result = result, .step = step, .held = g_array_new (FALSE, FALSE, sizeof (Resource)) };

  context->resources = &resources;
  if (trouble != NULL)
    memlane_procedure_note (context, "nothing was tried: %s", trouble->message);
  do
    {
      g_autoptr (GError) problem = trouble != NULL ? g_error_copy (trouble) : NULL;
      g_autoptr (GArray) outputs = resources.outputs = g_array_new (FALSE, FALSE, sizeof (Output));

      g_array_set_clear_func (outputs, clear_output);
      add_outputs (outputs, procedure->outputs.times, MEMLANE_VALUE_TIME);
      add_outputs (outputs, procedure->outputs.numbers, MEMLANE_VALUE_NUMBER);
      add_outputs (outputs, procedure->outputs.words, MEMLANE_VALUE_WORD);
      if (problem == NULL && memlane_procedure_go_on (context, &problem) && !procedure->run (context, &problem))
        memlane_procedure_note (context, "ended early: %s", problem->message);
      if (context->device != NULL)
        clean_up (context);
      deliver (context, problem);
    }
  while (context->options.log2_elements++ < context->options.last_log2 && context->device != NULL
         && !memlane_device_is_lost (context->device));
  g_array_unref (resources.held);
}
