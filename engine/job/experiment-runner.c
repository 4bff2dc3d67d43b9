/* experiment-runner.c: an experiment measured by workers, and judged here
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-runner.h"

#include <string.h>

#include "experiment/result.h"
#include "experiment/procedure/procedure.h"
#include "hosts.h"
#include "job.h"
#include "requests.h"
#include "sweep.h"
#include "result/environment.h"
#include "base/device-id.h"
#include "base/fail.h"
#include "base/owns.h"

#define MOST_FRUITLESS 2 /* workers in a row that end without a step */
#define ROUNDS 6         /* processes that run a step: the fewest that have a 95 % interval */

struct _MemlaneExperimentRunner
{
  GObject parent_instance;

  char *device_id;
  MemlaneExperiment *experiment;
  MemlaneExperimentResult *result; /* NULL: no device is open yet */

  gint64 begun;                    /* monotonic us */
  guint done;                      /* steps */
  guint first, end;                /* of the worker in work; the steps that it is to run */
  guint round; /* of the worker in work, from 1: the same steps run in several processes */
  double fraction;                 /* of the step in work */
  guint again, next; /* the end of the steps that further processes run; the step after them */
  guint fruitless;                 /* workers in a row */
  gboolean is_over;
  char *waiting;
  GByteArray *pieces;              /* of the trace that is coming */
  MemlaneSweep *sweep;             /* the step in work, when it is one with rounds */
};

G_DEFINE_FINAL_TYPE (MemlaneExperimentRunner, memlane_experiment_runner, G_TYPE_OBJECT)

static void go_on (GTask *task);

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneExperimentRunner, memlane_experiment_runner, finalize,
                        OWNS (device_id, g_free) OWNS (waiting, g_free)
                        OWNS (experiment, memlane_experiment_unref)
                        OWNS (result, memlane_experiment_result_unref)
                        OWNS (pieces, g_byte_array_unref) OWNS (sweep, g_object_unref))

static void
memlane_experiment_runner_class_init (MemlaneExperimentRunnerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  g_signal_new ("progress", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
memlane_experiment_runner_init (MemlaneExperimentRunner *self)
{
}

MemlaneExperimentRunner *
memlane_experiment_runner_new (const char *device_id, MemlaneExperiment *experiment)
{
  MemlaneExperimentRunner *self = g_object_new (MEMLANE_TYPE_EXPERIMENT_RUNNER, NULL);

  self->round = 1;
  self->device_id = g_strdup (device_id);
  self->experiment = memlane_experiment_ref (experiment);
  return self;
}

/* --- what a worker says ----------------------------------------------------------------------- */

static gboolean
take_begin (gpointer data, MemlaneMessage *message, GError **error)
{
  MemlaneExperimentRunner *self = data;

  if (!memlane_host_claim (self->device_id, &message->device, error))
    return FALSE;
  if (self->result != NULL)
    return strcmp (message->device_kind, self->result->device_kind) == 0
           || memlane_refuse (error, "the kind of the device is another one now");
  self->result = memlane_experiment_result_new (self->experiment);
  memlane_experiment_result_set_device (self->result, message->device, message->device_name,
                                        message->device_kind, g_steal_pointer (&message->machine));
  return TRUE;
}

/* Whether @id is a step that this worker was asked to run. */
static gboolean
check_step (MemlaneExperimentRunner *self, const char *id, GError **error)
{
  for (guint i = self->first; id != NULL && i < self->end; i++)
    if (strcmp (((const MemlaneExperimentStep *) self->experiment->steps->pdata[i])->id, id) == 0)
      return TRUE;
  return memlane_refuse (error, "step: expected one that was asked for");
}

static gboolean
take_finding (gpointer data, MemlaneMessage *message, GError **error)
{
  MemlaneExperimentRunner *self = data;

  if (!check_step (self, message->step, error))
    return FALSE;
  memlane_result_add (self->result, message->step, message->name, &message->value);
  return TRUE;
}

/* Each process may say the same. */
static void
add_note (MemlaneExperimentRunner *self, const char *text)
{
  if (!g_ptr_array_find_with_equal_func (self->result->notes, text, g_str_equal, NULL))
    g_ptr_array_add (self->result->notes, g_strdup (text));
}

static gboolean
take_note (gpointer data, MemlaneMessage *message, GError **error)
{
  add_note (data, message->text);
  return TRUE;
}

static gboolean
take_trace (gpointer data, MemlaneMessage *message, GError **error)
{
  MemlaneExperimentRunner *self = data;
  MemlaneTrace *trace;
  guint index;

  if (self->result == NULL)
    return memlane_refuse (error, "found a trace, expected begin");
  if (!check_step (self, message->step, error)
      || !memlane_trace_take_piece (&self->pieces, message, &trace, error))
    return FALSE;
  if (trace == NULL)
    return TRUE;
  /* One of each step: the last process's. */
  if (g_ptr_array_find_with_equal_func (self->result->trace_steps, message->step, g_str_equal,
                                        &index))
    {
      g_ptr_array_remove_index (self->result->traces, index);
      g_ptr_array_remove_index (self->result->trace_steps, index);
    }
  g_ptr_array_add (self->result->traces, trace);
  g_ptr_array_add (self->result->trace_steps, g_steal_pointer (&message->step));
  return TRUE;
}

static gboolean
take_step (gpointer data, MemlaneMessage *message, GError **error)
{
  MemlaneExperimentRunner *self = data;

  if (message->done < self->done || message->done > self->end)
    return memlane_refuse (
        error, "done: expected no step before the last one, and none that nobody asked for");
  if (message->done > self->done)
    self->fruitless = 0;
  self->done = message->done;
  self->fraction = message->fraction;
  g_signal_emit_by_name (self, "progress");
  return TRUE;
}

static gboolean
take_waiting (gpointer data, MemlaneMessage *message, GError **error)
{
  MemlaneExperimentRunner *self = data;

  memlane_text_set (&self->waiting, message->text); /* the words of a wait are the job's */
  g_signal_emit_by_name (self, "progress");
  return TRUE;
}

static const MemlaneJobHandler handlers[] = {
  { MEMLANE_MESSAGE_WAITING, take_waiting },
  { MEMLANE_MESSAGE_BEGIN, take_begin },
  { MEMLANE_MESSAGE_FINDING, take_finding },
  { MEMLANE_MESSAGE_NOTE, take_note },
  { MEMLANE_MESSAGE_TRACE, take_trace },
  { MEMLANE_MESSAGE_STEP, take_step },
  { 0, NULL },
};

/* --- a worker's end --------------------------------------------------------------------------- */

/* Stopped before the device was open. */
static MemlaneExperimentResult *
make_empty_result (MemlaneExperimentRunner *self)
{
  MemlaneExperimentResult *result = memlane_experiment_result_new (self->experiment);
  const char *device = self->device_id != NULL ? self->device_id : "cuda";
  const char *kind = memlane_device_id_get_kind (device);

  memlane_experiment_result_set_device (result, device, device, kind != NULL ? kind : "cuda",
                                        g_strdup (device));
  return result;
}

/* Takes @error. */
static void
finish (GTask *task, GError *error)
{
  MemlaneExperimentRunner *self = g_task_get_source_object (task);
  GCancellable *cancellable = g_task_get_task_data (task);
  g_autoptr (MemlanePublished) published = NULL;

  if (self->result == NULL && g_cancellable_is_cancelled (cancellable))
    self->result = make_empty_result (self);
  if (self->result == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_error (&error);
  self->is_over = TRUE;
  self->result->cancelled = g_cancellable_is_cancelled (cancellable);
  self->result->seconds = (double) (g_get_monotonic_time () - self->begun) / G_USEC_PER_SEC;
  published = memlane_published_read_default (NULL); /* without it the experiment is as good */
  memlane_experiment_judge (self->result, published);
  memlane_experiment_note_recorded (self->result);
  g_task_return_pointer (task, memlane_experiment_result_ref (self->result),
                         (GDestroyNotify) memlane_experiment_result_unref);
}

/* Returns how many processes run the steps from the first one on. One says all of a simulated
 * device. */
static guint
count_rounds (const MemlaneExperimentRunner *self)
{
  const GPtrArray *steps = self->experiment->steps;
  const MemlaneExperimentStep *step = self->first < steps->len ? steps->pdata[self->first] : NULL;
  const MemlaneProcedure *procedure = step != NULL ? step->plan->procedure : NULL;

  if (procedure != NULL && procedure->is_once)
    return 1;
  return self->result == NULL || !self->result->simulated ? ROUNDS : 1;
}

/* @why: (nullable): what went wrong in the step in work. */
static void
end_step (MemlaneExperimentRunner *self, const char *why)
{
  const MemlaneExperimentStep *step
      = why != NULL ? self->experiment->steps->pdata[self->done] : NULL;
  g_autofree char *text = step != NULL ? g_strdup_printf ("%s: %s", step->id, why) : NULL;

  if (text != NULL)
    add_note (self, text);
  self->fruitless = text != NULL ? self->fruitless + 1 : 0;
  self->fraction = 0;
}

/* The worker came as far as @done. The steps that it has run are run in further processes; where it
 * has failed, that step is not tried again. */
static void
end_round (MemlaneExperimentRunner *self, const GError *error)
{
  end_step (self, error != NULL ? error->message : NULL);
  if (self->round == 1)
    {
      self->again = self->done;
      self->next = self->done + (error != NULL);
    }
  if (self->again > self->first && self->round < count_rounds (self))
    {
      self->round++;
      self->done = self->first;
      return;
    }
  self->round = 1;
  self->done = self->next;
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  MemlaneExperimentRunner *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  gboolean done = memlane_job_run_finish (result, &error),
           cancelled = g_cancellable_is_cancelled (g_task_get_task_data (task));

  g_clear_pointer (&self->pieces, g_byte_array_unref);
  if (done && self->result == NULL)
    g_set_error_literal (&error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL,
                         "the worker did not say what the device is");
  else if (done && self->done == self->first && self->done < self->end && !cancelled)
    g_set_error_literal (&error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL,
                         "the worker did not run this step");
  if (self->result == NULL || cancelled)
    {
      finish (task, g_steal_pointer (&error));
      return;
    }
  end_round (self, self->done < self->end ? error : NULL);
  go_on (g_steal_pointer (&task));
}

/* Takes @task. */
static void
start_worker (GTask *task)
{
  MemlaneExperimentRunner *self = g_task_get_source_object (task);
  const MemlaneMessage request = {
    .type = MEMLANE_MESSAGE_EXPERIMENT,
    .name = self->experiment->name,
    .text = self->experiment->text,
    .first = self->first,
    .end = self->end,
    .round = count_rounds (self),
  };

  memlane_job_run_async (self->device_id, &request, 0, handlers, self, g_task_get_task_data (task),
                         ended_cb, task);
}

/* --- a sweep ---------------------------------------------------------------------------------- */

static void
on_sweep_progress (MemlaneSweep *sweep, MemlaneExperimentRunner *self)
{
  const MemlaneSweepProgress *progress = memlane_sweep_get_progress (sweep);

  memlane_text_set (&self->waiting, progress->waiting);
  self->fraction = progress->fraction;
  g_signal_emit_by_name (self, "progress");
}

static void
swept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  MemlaneExperimentRunner *self = g_task_get_source_object (task);
  const MemlaneExperimentStep *step = self->experiment->steps->pdata[self->done];
  g_autoptr (GError) error = NULL;
  MemlaneRun *run = g_task_propagate_pointer (G_TASK (result), &error);
  const char *trouble
      = run != NULL ? memlane_sweep_get_progress (self->sweep)->trouble : error->message;

  g_signal_handlers_disconnect_by_data (self->sweep, self);
  g_clear_pointer (&self->waiting, g_free);
  end_step (self, trouble);
  if (run != NULL)
    memlane_result_add_run (self->result, step->id, run);
  g_clear_object (&self->sweep);
  self->done++;
  g_signal_emit_by_name (self, "progress");
  go_on (g_steal_pointer (&task));
}

/* Takes @task. */
static void
start_sweep (GTask *task)
{
  MemlaneExperimentRunner *self = g_task_get_source_object (task);
  const MemlaneExperimentStep *step = self->experiment->steps->pdata[self->done];

  self->sweep = memlane_sweep_new (self->device_id, step->plan->sweep, FALSE);
  g_signal_connect (self->sweep, "progress", G_CALLBACK (on_sweep_progress), self);
  memlane_sweep_run_async (self->sweep, g_task_get_task_data (task), swept_cb, task);
}

/* --- the steps -------------------------------------------------------------------------------- */

/* Takes @task. The first worker says what the device is, even where it has no step to run. */
static void
go_on (GTask *task)
{
  MemlaneExperimentRunner *self = g_task_get_source_object (task);
  const GPtrArray *steps = self->experiment->steps;

  if (self->result != NULL
      && (self->done == steps->len || self->fruitless >= MOST_FRUITLESS
          || g_cancellable_is_cancelled (g_task_get_task_data (task))))
    {
      finish (task, NULL);
      g_object_unref (task);
      return;
    }
  self->first = self->end = self->done;
  for (; self->end < (self->round > 1 ? self->again : steps->len); self->end++)
    {
      const MemlaneExperimentStep *step = steps->pdata[self->end];

      if (step->kind == MEMLANE_STEP_SWEEP && !step->what_if)
        break; /* of the device itself: a fresh worker measures each of its rounds */
    }
  if (self->result != NULL && self->end == self->first)
    start_sweep (task);
  else
    start_worker (task);
}

void
memlane_experiment_runner_run_async (MemlaneExperimentRunner *self, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  /* Not the task's own cancellable: a result that was cut short is a result. */
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_return_if_fail (self->begun == 0);
  self->begun = g_get_monotonic_time ();
  if (cancellable != NULL)
    g_task_set_task_data (task, g_object_ref (cancellable), g_object_unref);
  go_on (task);
}

/* --- progress --------------------------------------------------------------------------------- */

MemlaneExperimentProgress
memlane_experiment_runner_get_progress (MemlaneExperimentRunner *self)
{
  const GPtrArray *steps = self->experiment->steps;
  MemlaneExperimentProgress progress
      = { .steps_total = steps->len, .steps_done = self->done, .waiting = self->waiting };

  progress.step = !self->is_over && self->result != NULL && self->done < steps->len
                      ? steps->pdata[self->done]
                      : NULL;
  progress.fraction = self->done + self->fraction;
  if (self->sweep == NULL && self->end > self->first)
    progress.fraction
        = self->first
          + (progress.fraction - self->first + (self->round - 1) * (self->end - self->first))
                / count_rounds (self);
  progress.fraction = self->is_over ? 1 : progress.fraction / steps->len;
  return progress;
}
