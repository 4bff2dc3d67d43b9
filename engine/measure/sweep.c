/* sweep.c: modes x sizes on a worker thread
 *
 * The worker measures, writes each cell to the journal and puts it into an inbox; the caller's main context empties the inbox at most ten
 * times a second. What both sides use while it runs is under the lock; everything else belongs to one of them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sweep.h"

#include "base/merger.h"
#include "measure.h"
#include "result/journal.h"

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

  /* the worker's until its end; then the caller's */
  MemlaneJournal *journal;
  gboolean was_cancelled;
  char *journal_path, *journal_problem;

  /* the caller's side */
  MemlaneMerger delivery;        /* poked by the worker */
  MemlaneSweepProgress progress;
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
  memlane_merger_clear (&self->delivery);
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

/* In the caller's context: what the worker has left. */
static gboolean
deliver (gpointer user_data)
{
  MemlaneSweep *self = user_data;
  g_autoptr (GPtrArray) cells = NULL;
  double passed;

  g_mutex_lock (&self->lock);
  cells = g_steal_pointer (&self->inbox);
  self->inbox = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  self->progress.mode = self->current_mode;
  self->progress.log2_elements = self->current_log2;
  passed = (g_get_monotonic_time () - self->begun) / 1e6;
  g_mutex_unlock (&self->lock);

  self->progress.cells_done += cells->len;
  if (self->progress.cells_done > 0)
    self->progress.seconds_left = passed / self->progress.cells_done * (self->progress.cells_total - self->progress.cells_done);
  if (cells->len > 0)
    g_signal_emit (self, signals[SIGNAL_CELLS], 0, cells);
  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0);
  return G_SOURCE_REMOVE;
}

static void
memlane_sweep_init (MemlaneSweep *self)
{
  g_mutex_init (&self->lock);
  self->inbox = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  self->delivery = (MemlaneMerger) { .tell = deliver, .data = self };
  self->progress.seconds_left = -1;
}

MemlaneSweep *
memlane_sweep_new (const char *device_id, const MemlanePlan *plan, gboolean journal)
{
  MemlaneSweep *self = g_object_new (MEMLANE_TYPE_SWEEP, NULL);

  self->device_id = g_strdup (device_id);
  self->plan = memlane_plan_copy (plan);
  self->wants_journal = journal;
  self->progress.cells_total = memlane_plan_count_cells (plan);
  return self;
}

/* --- the worker --------------------------------------------------------------------------------------------------- */

/* A journal that cannot be written costs the safety net, not the run: the run's own file is still to come. */
static void
open_journal (MemlaneSweep *self, const MemlaneRun *run)
{
  g_autoptr (GError) error = NULL;

  self->journal = memlane_journal_open (run, &error);
  if (self->journal == NULL)
    self->journal_problem = g_strdup (error->message);
}

/* Writes the last cell of @run. After the first failure no more is written: a journal is the beginning of a run, never a run with holes. */
static void
keep_last_cell (MemlaneSweep *self, const MemlaneRun *run)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  if (self->journal == NULL || memlane_journal_append (self->journal, run->cells->pdata[run->cells->len - 1], &error))
    return;
  self->journal_problem = g_strdup (error->message);
  path = g_strdup (memlane_journal_get_path (self->journal));
  g_clear_pointer (&self->journal, memlane_journal_close);
  if (run->cells->len > 1)
    self->journal_path = g_steal_pointer (&path);
  else
    memlane_journal_discard (path, NULL);
}

static void
on_measured (const MemlaneRun *run, const MemlaneMode *mode, guint log2_elements, MemlaneCell *finished, gpointer user_data)
{
  MemlaneSweep *self = user_data;

  if (mode == NULL && self->wants_journal)
    open_journal (self, run);
  if (finished != NULL)
    keep_last_cell (self, run);
  g_mutex_lock (&self->lock);
  if (mode == NULL)
    {
      self->run_id = g_strdup (run->id);
      self->environment = g_strdup (run->environment);
    }
  else
    {
      self->current_mode = mode->id;
      self->current_log2 = log2_elements;
    }
  if (finished != NULL)
    g_ptr_array_add (self->inbox, memlane_cell_ref (finished));
  g_mutex_unlock (&self->lock);
  if (mode != NULL)
    memlane_merger_poke (&self->delivery);
}

static void
work (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  MemlaneSweep *self = source;
  GError *error = NULL;
  MemlaneDevice *device = memlane_device_open (self->device_id, &error);
  MemlaneRun *run;

  if (device == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  run = memlane_measure (device, self->plan, on_measured, self, task_data);
  memlane_device_close (device);
  if (self->journal != NULL)
    self->journal_path = g_strdup (memlane_journal_get_path (self->journal));
  g_clear_pointer (&self->journal, memlane_journal_close);
  self->was_cancelled = g_cancellable_is_cancelled (task_data);
  g_task_return_pointer (task, run, (GDestroyNotify) memlane_run_unref);
}

void
memlane_sweep_run_async (MemlaneSweep *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  /* The task itself is not cancellable: it ends when the worker has cleaned up, with whatever was measured. */
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_return_if_fail (self->begun == 0);
  memlane_merger_attach (&self->delivery, G_OBJECT (self));
  self->begun = g_get_monotonic_time ();
  if (cancellable != NULL)
    g_task_set_task_data (task, g_object_ref (cancellable), g_object_unref);
  g_task_run_in_thread (task, work);
}

MemlaneRun *
memlane_sweep_run_finish (MemlaneSweep *self, GAsyncResult *result, GError **error)
{
  /* What is still in the inbox is announced before the run is handed over: the last cell is never missing on the screen. */
  memlane_merger_clear (&self->delivery);
  deliver (self);
  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
memlane_sweep_was_cancelled (MemlaneSweep *self)
{
  return self->was_cancelled;
}

const MemlaneSweepProgress *
memlane_sweep_get_progress (MemlaneSweep *self)
{
  return &self->progress;
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
