/* sweep.c: modes x sizes on a worker thread
 *
 * The worker measures, writes each cell to the journal and puts it into an inbox; the caller's main context empties the inbox at most ten
 * times a second. What both sides use while it runs is under the lock; everything else belongs to one of them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sweep.h"

#include "device/affinity.h"
#include "cell.h"
#include "environment.h"
#include "result/journal.h"

#define DELIVERY_MS 100

struct _MemlaneSweep
{
  GObject parent_instance;

  char *device_id;
  MemlanePlan *plan;
  gboolean wants_journal;

  /* shared between the worker and the caller's context */
  GMutex lock;
  GPtrArray *inbox;              /* cells not announced yet */
  const char *current_mode;
  guint current_log2;
  char *run_id, *environment;    /* the run's, once the device is open */
  gint64 begun;                  /* monotonic us */
  GSource *delivery;             /* will come and look; NULL: none is under way */
  GMainContext *context;

  /* the worker's until its end; then the caller's */
  gboolean was_cancelled;
  char *journal_path, *journal_problem;

  /* the caller's side */
  guint cells_done, cells_total;
  const char *shown_mode;
  guint shown_log2;
  double seconds_left;
};

G_DEFINE_FINAL_TYPE (MemlaneSweep, memlane_sweep, G_TYPE_OBJECT)

enum { SIGNAL_CELLS, SIGNAL_PROGRESS, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
memlane_sweep_finalize (GObject *object)
{
  MemlaneSweep *self = MEMLANE_SWEEP (object);

  g_free (self->device_id);
  memlane_plan_free (self->plan);
  g_mutex_clear (&self->lock);
  g_ptr_array_unref (self->inbox);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_free (self->run_id);
  g_free (self->environment);
  g_free (self->journal_path);
  g_free (self->journal_problem);
  G_OBJECT_CLASS (memlane_sweep_parent_class)->finalize (object);
}

static void
memlane_sweep_class_init (MemlaneSweepClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = memlane_sweep_finalize;
  signals[SIGNAL_CELLS] =
    g_signal_new ("cells", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_PTR_ARRAY);
  signals[SIGNAL_PROGRESS] =
    g_signal_new ("progress", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
memlane_sweep_init (MemlaneSweep *self)
{
  g_mutex_init (&self->lock);
  self->inbox = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  self->seconds_left = -1;
}

MemlaneSweep *
memlane_sweep_new (const char *device_id, const MemlanePlan *plan, gboolean journal)
{
  MemlaneSweep *self = g_object_new (MEMLANE_TYPE_SWEEP, NULL);

  self->device_id = g_strdup (device_id);
  self->plan = memlane_plan_copy (plan);
  self->wants_journal = journal;
  self->cells_total = memlane_plan_count_cells (plan);
  return self;
}

/* --- delivery: worker to context ----------------------------------------------------------------------------- */

static void
deliver (MemlaneSweep *self)
{
  g_autoptr (GPtrArray) cells = NULL;
  double passed;

  g_mutex_lock (&self->lock);
  if (self->delivery != NULL)
    g_source_destroy (self->delivery);
  g_clear_pointer (&self->delivery, g_source_unref);
  cells = g_steal_pointer (&self->inbox);
  self->inbox = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  self->shown_mode = self->current_mode;
  self->shown_log2 = self->current_log2;
  passed = (g_get_monotonic_time () - self->begun) / 1e6;
  g_mutex_unlock (&self->lock);

  self->cells_done += cells->len;
  if (self->cells_done > 0)
    self->seconds_left = passed / self->cells_done * (self->cells_total - self->cells_done);
  if (cells->len > 0)
    g_signal_emit (self, signals[SIGNAL_CELLS], 0, cells);
  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0);
}

static gboolean
deliver_cb (gpointer user_data)
{
  deliver (user_data);
  return G_SOURCE_REMOVE;
}

/* On the worker. One source at a time is under way, however many cells come: merged, and at most ten a second. */
static void
announce (MemlaneSweep *self, const MemlaneMode *mode, guint log2_elements, MemlaneCell *finished)
{
  g_mutex_lock (&self->lock);
  if (finished != NULL)
    g_ptr_array_add (self->inbox, memlane_cell_ref (finished));
  self->current_mode = mode->id;
  self->current_log2 = log2_elements;
  if (self->context != NULL && self->delivery == NULL)
    {
      self->delivery = g_timeout_source_new (DELIVERY_MS);
      g_source_set_callback (self->delivery, deliver_cb, g_object_ref (self), g_object_unref);
      g_source_attach (self->delivery, self->context);
    }
  g_mutex_unlock (&self->lock);
}

/* --- the worker --------------------------------------------------------------------------------------------------- */

static char *
make_run_id (const char *device_id, const char *workload)
{
  g_autoptr (GDateTime) time = g_date_time_new_now_utc ();
  g_autofree char *stamp = g_date_time_format (time, "%Y%m%dT%H%M%S");
  g_autofree char *base = g_path_get_basename (device_id);
  g_autofree char *id = g_strdup_printf ("%s.%03dZ-%s-%s", stamp, g_date_time_get_microsecond (time) / 1000, base, workload);

  /* One word in every shell and file system. */
  return g_strcanon (g_steal_pointer (&id), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", '-');
}

/* Where a flag promises an effect, the sweep says what it saw: write-combined memory must be slower to read than pinned, or the flag did
 * nothing here. */
static void
compare_host_access (const MemlaneRun *run, const MemlaneMode *mode, MemlaneCell *cell)
{
  const MemlaneCell *other = mode->host_access_like != NULL
                               ? memlane_run_find (run, cell->workload, mode->host_access_like, cell->log2_elements)
                               : NULL;
  const MemlanePhase phases[] = { MEMLANE_PHASE_HOST_WRITE, MEMLANE_PHASE_HOST_READ };

  for (guint i = 0; other != NULL && i < G_N_ELEMENTS (phases); i++)
    {
      MemlaneFigure *here = (MemlaneFigure *) memlane_cell_find (cell, phases[i], MEMLANE_CLOCK_HOST);
      const MemlaneFigure *there = memlane_cell_find (other, phases[i], MEMLANE_CLOCK_HOST);

      if (here != NULL && there != NULL && here->detail == NULL && there->statistics.median > 0)
        here->detail = g_strdup_printf ("%.2f times the time of %s", here->statistics.median / there->statistics.median,
                                        mode->host_access_like);
    }
}

/* A journal that cannot be written costs the safety net, not the run: the run's own file is still to come. */
static void
open_journal (MemlaneSweep *self, const MemlaneRun *run, MemlaneJournal **journal)
{
  g_autoptr (GError) error = NULL;

  *journal = memlane_journal_open (run, &error);
  if (*journal == NULL)
    self->journal_problem = g_strdup (error->message);
}

/* Writes the last cell of @run. After the first failure no more is written: a journal is the beginning of a run, never a run with holes. */
static void
keep_last_cell (MemlaneSweep *self, const MemlaneRun *run, MemlaneJournal **journal)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  if (*journal == NULL || memlane_journal_append (*journal, run->cells->pdata[run->cells->len - 1], &error))
    return;
  self->journal_problem = g_strdup (error->message);
  path = g_strdup (memlane_journal_get_path (*journal));
  g_clear_pointer (journal, memlane_journal_close);
  if (run->cells->len > 1)
    self->journal_path = g_steal_pointer (&path);
  else
    memlane_journal_discard (path, NULL);
}

/* The data for one size. A size that the host has no room for costs its own cells, not the run. */
static MemlaneReference *
make_reference (MemlaneDevice *device, guint log2_elements, guint64 seed, GCancellable *cancellable, GError **error)
{
  guint64 needed = (guint64) 4 * sizeof (float) << log2_elements, available, lockable;

  memlane_device_get_host_memory (device, &available, &lockable);
  if (available > 0 && needed > available)
    {
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                   "not tried: the reference data takes %" G_GUINT64_FORMAT " MiB, and %" G_GUINT64_FORMAT
                   " MiB of host memory are free; choose a smaller size", needed >> 20, available >> 20);
      return NULL;
    }
  return memlane_reference_new ((gsize) 1 << log2_elements, seed, cancellable, error);
}

static MemlaneCell *
describe_unmeasured (const MemlanePlan *plan, const MemlaneMode *mode, guint log2_elements, const GError *reason)
{
  MemlaneCell *cell = memlane_cell_new (plan->workload->id, mode->id, log2_elements);

  cell->reuse = MAX (plan->reuse, 1);
  cell->status = memlane_status_from_error (reason);
  cell->detail = g_strdup (reason->message);
  return cell;
}

static MemlaneRun *
measure (MemlaneSweep *self, MemlaneDevice *device, MemlaneJournal **journal, GCancellable *cancellable)
{
  const MemlanePlan *plan = self->plan;
  const MemlaneDeviceInfo *info = memlane_device_get_info (device);
  const MemlaneMethod method = {
    .precision = plan->precision, .cell_seconds = plan->cell_seconds, .reuse = plan->reuse,
    .streams = plan->streams, .chunks = plan->chunks, .keep_samples = plan->keep_samples,
  };
  g_autofree char *run_id = make_run_id (info->id, plan->workload->id);
  cpu_set_t before;
  g_autofree char *affinity = memlane_affinity_bind_thread (info, &before);
  g_autoptr (MemlaneRun) run = memlane_run_new (run_id, info->id, info->kind);

  run->environment = memlane_environment_describe (device, plan, affinity);
  g_mutex_lock (&self->lock);
  g_free (self->run_id);
  g_free (self->environment);
  self->run_id = g_strdup (run_id);
  self->environment = g_strdup (run->environment);
  g_mutex_unlock (&self->lock);
  if (self->wants_journal)
    open_journal (self, run, journal);

  memlane_measure_warm_up (device);
  for (guint log2_elements = plan->first_log2; log2_elements <= plan->last_log2; log2_elements++)
    {
      g_autoptr (GError) no_data = NULL;
      MemlaneReference *reference = make_reference (device, log2_elements, plan->seed, cancellable, &no_data);

      for (guint i = 0; plan->modes[i] != NULL && !g_cancellable_is_cancelled (cancellable); i++)
        {
          MemlaneCell *cell;

          announce (self, plan->modes[i], log2_elements, NULL);
          if (reference != NULL)
            cell = memlane_measure_cell (device, plan->workload, plan->modes[i], log2_elements, reference, &method, cancellable);
          else
            cell = describe_unmeasured (plan, plan->modes[i], log2_elements, no_data);
          compare_host_access (run, plan->modes[i], cell);
          g_ptr_array_add (run->cells, cell);
          keep_last_cell (self, run, journal);
          announce (self, plan->modes[i], log2_elements, cell);
        }
      memlane_reference_free (reference);
    }
  memlane_affinity_restore_thread (&before);
  return g_steal_pointer (&run);
}

MemlaneRun *
memlane_sweep_run (MemlaneSweep *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (MemlaneJournal) journal = NULL;
  MemlaneDevice *device;
  MemlaneRun *run;

  if (self->begun == 0)
    self->begun = g_get_monotonic_time ();
  device = memlane_device_open (self->device_id, error);
  if (device == NULL)
    return NULL;
  run = measure (self, device, &journal, cancellable);
  memlane_device_close (device);
  if (journal != NULL)
    self->journal_path = g_strdup (memlane_journal_get_path (journal));
  self->was_cancelled = g_cancellable_is_cancelled (cancellable);
  return run;
}

static void
work (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  MemlaneSweep *self = source;
  GError *error = NULL;
  MemlaneRun *run = memlane_sweep_run (self, task_data, &error);

  if (run != NULL)
    g_task_return_pointer (task, run, (GDestroyNotify) memlane_run_unref);
  else
    g_task_return_error (task, error);
}

void
memlane_sweep_run_async (MemlaneSweep *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  /* The task itself is not cancellable: it ends when the worker has cleaned up, with whatever was measured. */
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_return_if_fail (self->context == NULL);
  self->context = g_main_context_ref_thread_default ();
  self->begun = g_get_monotonic_time ();
  if (cancellable != NULL)
    g_task_set_task_data (task, g_object_ref (cancellable), g_object_unref);
  g_task_run_in_thread (task, work);
}

MemlaneRun *
memlane_sweep_run_finish (MemlaneSweep *self, GAsyncResult *result, GError **error)
{
  /* What is still in the inbox is announced before the run is handed over: the last cell is never missing on the screen. */
  deliver (self);
  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
memlane_sweep_was_cancelled (MemlaneSweep *self)
{
  return self->was_cancelled;
}

guint
memlane_sweep_get_cells_done (MemlaneSweep *self)
{
  return self->cells_done;
}

guint
memlane_sweep_get_cells_total (MemlaneSweep *self)
{
  return self->cells_total;
}

double
memlane_sweep_get_seconds_left (MemlaneSweep *self)
{
  return self->seconds_left;
}

const char *
memlane_sweep_get_current_mode (MemlaneSweep *self)
{
  return self->shown_mode;
}

guint
memlane_sweep_get_current_log2 (MemlaneSweep *self)
{
  return self->shown_log2;
}

const char *
memlane_sweep_get_run_id (MemlaneSweep *self)
{
  const char *run_id;

  g_mutex_lock (&self->lock);
  run_id = self->run_id;
  g_mutex_unlock (&self->lock);
  return run_id;
}

const char *
memlane_sweep_get_environment (MemlaneSweep *self)
{
  const char *environment;

  g_mutex_lock (&self->lock);
  environment = self->environment;
  g_mutex_unlock (&self->lock);
  return environment;
}

const char *
memlane_sweep_get_journal (MemlaneSweep *self)
{
  return self->journal_path;
}

const char *
memlane_sweep_get_journal_problem (MemlaneSweep *self)
{
  return self->journal_problem;
}
