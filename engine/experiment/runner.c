/* runner.c: an experiment on a worker thread
 *
 * The worker runs the steps; what the caller's main context may ask while it does is under the lock, and told at most ten times a second.
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-private.h"

#include <string.h>

#define DELIVERY_MS 100

struct _MemlaneExperimentRunner
{
  GObject parent_instance;

  char *device_id;
  MemlaneExperiment *experiment;

  /* shared between the worker and the caller's context */
  GMutex lock;
  guint done;             /* steps */
  double fraction;        /* of the step in work */
  gboolean is_over;
  GMainContext *context;  /* NULL: nobody is told */
  GSource *delivery;      /* will come and tell; NULL: none is under way */
};

G_DEFINE_FINAL_TYPE (MemlaneExperimentRunner, memlane_experiment_runner, G_TYPE_OBJECT)

enum { SIGNAL_PROGRESS, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
memlane_experiment_runner_finalize (GObject *object)
{
  MemlaneExperimentRunner *self = MEMLANE_EXPERIMENT_RUNNER (object);

  g_free (self->device_id);
  memlane_experiment_unref (self->experiment);
  g_mutex_clear (&self->lock);
  g_clear_pointer (&self->delivery, g_source_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
  G_OBJECT_CLASS (memlane_experiment_runner_parent_class)->finalize (object);
}

static void
memlane_experiment_runner_class_init (MemlaneExperimentRunnerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = memlane_experiment_runner_finalize;
  signals[SIGNAL_PROGRESS] = g_signal_new ("progress", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
memlane_experiment_runner_init (MemlaneExperimentRunner *self)
{
  g_mutex_init (&self->lock);
}

MemlaneExperimentRunner *
memlane_experiment_runner_new (const char *device_id, MemlaneExperiment *experiment)
{
  MemlaneExperimentRunner *self = g_object_new (MEMLANE_TYPE_EXPERIMENT_RUNNER, NULL);

  self->device_id = g_strdup (device_id);
  self->experiment = memlane_experiment_ref (experiment);
  return self;
}

/* --- telling ------------------------------------------------------------------------------------------------------------- */

static gboolean
deliver (gpointer user_data)
{
  MemlaneExperimentRunner *self = user_data;

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->delivery, g_source_unref);
  g_mutex_unlock (&self->lock);
  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0);
  return G_SOURCE_REMOVE;
}

/* The first news at once, what comes soon after it together. */
static void
tell (MemlaneExperimentRunner *self, guint done, double fraction)
{
  g_mutex_lock (&self->lock);
  self->done = done;
  self->fraction = fraction;
  if (self->context != NULL && self->delivery == NULL)
    {
      self->delivery = g_timeout_source_new (done == 0 && fraction <= 0 ? 0 : DELIVERY_MS);
      g_source_set_callback (self->delivery, deliver, g_object_ref (self), g_object_unref);
      g_source_attach (self->delivery, self->context);
    }
  g_mutex_unlock (&self->lock);
}

typedef struct
{
  MemlaneExperimentRunner *self;
  guint step;
} Place;

static void
on_step_progress (double fraction, gpointer user_data)
{
  Place *place = user_data;

  tell (place->self, place->step, fraction);
}

/* --- the work -------------------------------------------------------------------------------------------------------------- */

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

static void
describe_device (MemlaneExperimentResult *result, const MemlaneDeviceInfo *info)
{
  result->device = g_strdup (info->id);
  result->device_name = g_strdup (info->name);
  result->device_kind = g_strdup (info->kind);
  result->simulated = g_str_equal (info->kind, "simulated");
  result->machine = describe_machine (info);
}

MemlaneExperimentResult *
memlane_experiment_runner_run (MemlaneExperimentRunner *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (MemlaneExperimentResult) result = NULL;
  g_autoptr (MemlanePublished) published = NULL;
  g_autofree char *id = NULL;
  gint64 begun = g_get_monotonic_time ();
  Place place = { self, 0 };
  MemlaneStepContext context = { .cancellable = cancellable, .progress = on_step_progress, .progress_data = &place };

  context.device = memlane_device_open (self->device_id, error);
  if (context.device == NULL)
    return NULL;
  if (strcmp (memlane_device_get_info (context.device)->kind, "simulated") != 0)
    context.open_ns = (double) (g_get_monotonic_time () - begun) * 1e3;
  result = context.result = memlane_experiment_result_new (self->experiment);
  describe_device (result, memlane_device_get_info (context.device));
  context.device_id = id = g_strdup (memlane_device_get_info (context.device)->id);
  for (; place.step < self->experiment->steps->len && !g_cancellable_is_cancelled (cancellable); place.step++)
    {
      tell (self, place.step, 0);
      memlane_step_run (&context, self->experiment->steps->pdata[place.step]);
    }
  g_clear_pointer (&context.device, memlane_device_close);
  result->cancelled = g_cancellable_is_cancelled (cancellable);
  published = memlane_published_read_default (NULL); /* without it the experiment is as good */
  memlane_experiment_judge (result, published);
  result->seconds = (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC;
  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  self->done = self->experiment->steps->len;
  g_mutex_unlock (&self->lock);
  return g_steal_pointer (&result);
}

static void
work (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  MemlaneExperimentResult *result = memlane_experiment_runner_run (source, task_data, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) memlane_experiment_result_unref);
  else
    g_task_return_error (task, error);
}

void
memlane_experiment_runner_run_async (MemlaneExperimentRunner *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  /* Not the task's own cancellable: a result that was cut short is a result. */
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_clear_pointer (&self->context, g_main_context_unref);
  self->context = g_main_context_ref_thread_default ();
  g_task_set_task_data (task, cancellable != NULL ? g_object_ref (cancellable) : NULL, cancellable != NULL ? g_object_unref : NULL);
  g_task_run_in_thread (task, work);
}

MemlaneExperimentResult *
memlane_experiment_runner_run_finish (MemlaneExperimentRunner *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- progress ---------------------------------------------------------------------------------------------------------------- */

guint
memlane_experiment_runner_get_steps_done (MemlaneExperimentRunner *self)
{
  guint done;

  g_mutex_lock (&self->lock);
  done = self->done;
  g_mutex_unlock (&self->lock);
  return done;
}

guint
memlane_experiment_runner_get_steps_total (MemlaneExperimentRunner *self)
{
  return self->experiment->steps->len;
}

double
memlane_experiment_runner_get_fraction (MemlaneExperimentRunner *self)
{
  double fraction;

  g_mutex_lock (&self->lock);
  fraction = self->is_over ? 1 : (self->done + self->fraction) / self->experiment->steps->len;
  g_mutex_unlock (&self->lock);
  return fraction;
}

const MemlaneExperimentStep *
memlane_experiment_runner_get_step (MemlaneExperimentRunner *self)
{
  guint done = memlane_experiment_runner_get_steps_done (self);

  return done < self->experiment->steps->len ? self->experiment->steps->pdata[done] : NULL;
}
