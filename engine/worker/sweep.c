/* sweep.c: a plan measured by workers, cell by cell
 *
 * SPDX-License-Identifier: MIT
 */
#include "sweep.h"

#include <string.h>

#include "command.h"
#include "hosts.h"
#include "measure/cell.h"
#include "measure/measure.h"
#include "result/journal.h"

#define MOST_FRUITLESS 2 /* workers in a row that measure nothing */

struct _MemlaneSweep
{
  GObject parent_instance;

  char *device_id;
  MemlanePlan *plan;
  gboolean wants_journal;

  MemlaneRun *run;          /* NULL: no device is open yet */
  gint64 begun;             /* monotonic us */
  const MemlaneMode *mode;  /* of the cell in work; NULL: none is */
  guint log2_elements;
  guint fruitless;          /* workers in a row */
  char *trouble, *waiting;
  gboolean was_cancelled;
  MemlaneSweepProgress progress;

  MemlaneJournal *journal;
  guint kept;               /* cells in it */
  char *journal_path, *journal_problem;
};

G_DEFINE_FINAL_TYPE (MemlaneSweep, memlane_sweep, G_TYPE_OBJECT)

enum { SIGNAL_CELL, SIGNAL_PROGRESS, N_SIGNALS };
static guint signals[N_SIGNALS];

static void start_worker (GTask *task);

/* --- life ---------------------------------------------------------------------------------------------------------------------- */

static void
memlane_sweep_finalize (GObject *object)
{
  MemlaneSweep *self = MEMLANE_SWEEP (object);

  g_free (self->device_id);
  memlane_plan_free (self->plan);
  g_clear_pointer (&self->run, memlane_run_unref);
  memlane_journal_close (self->journal);
  g_free (self->trouble);
  g_free (self->waiting);
  g_free (self->journal_path);
  g_free (self->journal_problem);
  G_OBJECT_CLASS (memlane_sweep_parent_class)->finalize (object);
}

static void
memlane_sweep_class_init (MemlaneSweepClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = memlane_sweep_finalize;
  signals[SIGNAL_CELL] =
    g_signal_new ("cell", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_PROGRESS] =
    g_signal_new ("progress", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
memlane_sweep_init (MemlaneSweep *self)
{
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

/* --- telling -------------------------------------------------------------------------------------------------------------------- */

static void
tell_progress (MemlaneSweep *self)
{
  double passed = (double) (g_get_monotonic_time () - self->begun) / G_USEC_PER_SEC;

  self->progress.cells_done = self->run != NULL ? self->run->cells->len : 0;
  if (self->mode != NULL) /* else the last one, until the next one begins at once */
    self->progress.mode = self->mode->id;
  self->progress.log2_elements = self->log2_elements;
  self->progress.waiting = self->waiting;
  if (self->progress.cells_done > 0)
    self->progress.seconds_left = passed / self->progress.cells_done * (self->progress.cells_total - self->progress.cells_done);
  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0);
}

static void
set_waiting (MemlaneSweep *self, const char *text)
{
  g_free (self->waiting);
  self->waiting = g_strdup (text);
}

/* --- the journal ---------------------------------------------------------------------------------------------------------------- */

static void
set_journal_problem (MemlaneSweep *self, const GError *error)
{
  g_clear_pointer (&self->journal_problem, g_free);
  if (error != NULL)
    self->journal_problem = g_strdup (error->message);
}

/* Writes what it does not hold yet: all of it, in order, or a beginning, never a run with holes. A journal that cannot be written costs the
 * safety net, not the run: the run's own file is still to come. */
static void
keep_cells (MemlaneSweep *self)
{
  g_autoptr (GError) error = NULL;

  if (!self->wants_journal)
    return;
  if (self->journal == NULL)
    self->journal = memlane_journal_open (self->run, &error);
  while (self->journal != NULL && self->kept < self->run->cells->len
         && memlane_journal_append (self->journal, self->run->cells->pdata[self->kept], &error))
    self->kept++;
  set_journal_problem (self, error);
}

/* Its path is the caller's; one without a cell is of no use. */
static void
close_journal (MemlaneSweep *self)
{
  g_autofree char *path = NULL;

  if (self->journal == NULL)
    return;
  keep_cells (self);
  path = g_strdup (memlane_journal_get_path (self->journal));
  g_clear_pointer (&self->journal, memlane_journal_close);
  if (self->kept > 0 || self->run->cells->len == 0)
    self->journal_path = g_steal_pointer (&path);
  else
    memlane_journal_discard (path, NULL);
}

/* --- what a worker says --------------------------------------------------------------------------------------------------------------- */

/* The cell that the plan has next; FALSE: there is none. */
static gboolean
find_next (MemlaneSweep *self, const MemlaneMode **mode, guint *log2_elements)
{
  guint total = self->progress.cells_total, n_sizes = self->plan->last_log2 - self->plan->first_log2 + 1, n_modes = total / n_sizes;
  guint place = self->run != NULL ? self->run->cells->len : 0;

  *mode = place < total ? self->plan->modes[place % n_modes] : NULL;
  *log2_elements = self->plan->first_log2 + place / n_modes;
  return *mode != NULL;
}

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, message);
  return FALSE;
}

/* Each worker names a run; the first one's name and environment are the run's. Its device is what was asked for here. */
static gboolean
take_run (MemlaneSweep *self, JsonObject *message, GError **error)
{
  g_autoptr (MemlaneRun) run = memlane_message_get_run (message, error);
  g_autofree char *host = NULL;

  if (run == NULL)
    return FALSE;
  if (self->run != NULL)
    return strcmp (self->run->device_kind, run->device_kind) == 0 || refuse (error, "the kind of the device is another one now");
  if (self->device_id != NULL)
    memlane_host_split (self->device_id, &host);
  self->run = g_steal_pointer (&run);
  if (host != NULL)
    {
      char *device = g_strdup_printf ("%s/%s", host, self->run->device);

      g_free (self->run->device);
      self->run->device = device;
    }
  keep_cells (self);
  return TRUE;
}

static gboolean
take_progress (MemlaneSweep *self, JsonObject *message, GError **error)
{
  const MemlaneMode *mode;
  const char *id;
  guint log2_elements, next;

  if (self->run == NULL || !find_next (self, &mode, &next))
    return refuse (error, "a cell was begun that nobody asked for");
  if (!memlane_message_get_text (message, "mode", MEMLANE_WORKER_LONGEST_NAME, &id, error)
      || !memlane_message_get_count (message, "log2_elements", 0, MEMLANE_LARGEST_LOG2, &log2_elements, error))
    return FALSE;
  if (strcmp (id, mode->id) != 0 || log2_elements != next)
    return refuse (error, "a cell was begun that nobody asked for");
  self->mode = mode;
  self->log2_elements = log2_elements;
  tell_progress (self);
  return TRUE;
}

static gboolean
is_measured (MemlaneStatus status)
{
  return status != MEMLANE_STATUS_ERROR && status != MEMLANE_STATUS_TIMEOUT;
}

/* Takes @cell. */
static void
add_cell (MemlaneSweep *self, MemlaneCell *cell)
{
  memlane_measure_compare_host_access (self->run, cell);
  g_ptr_array_add (self->run->cells, cell);
  self->mode = NULL;
  keep_cells (self);
  self->progress.cells_done = self->run->cells->len;
  g_signal_emit (self, signals[SIGNAL_CELL], 0, cell);
  tell_progress (self);
}

static gboolean
take_cell (MemlaneSweep *self, JsonObject *message, GError **error)
{
  g_autoptr (MemlaneCell) cell = memlane_message_get_cell (message, error);

  if (cell == NULL)
    return FALSE;
  if (self->mode == NULL || strcmp (cell->mode, self->mode->id) != 0 || cell->log2_elements != self->log2_elements
      || strcmp (cell->workload, self->plan->method.workload->id) != 0)
    return refuse (error, "a cell came that nobody asked for");
  if (is_measured (cell->status))
    self->fruitless = 0;
  add_cell (self, g_steal_pointer (&cell));
  return TRUE;
}

static gboolean
hear (JsonObject *message, gpointer user_data, GError **error)
{
  MemlaneSweep *self = user_data;
  const char *type = memlane_message_get_type (message);

  set_waiting (self, NULL);
  if (strcmp (type, "run") == 0)
    return take_run (self, message, error);
  if (strcmp (type, "progress") == 0)
    return take_progress (self, message, error);
  if (strcmp (type, "cell") == 0)
    return take_cell (self, message, error);
  if (strcmp (type, "waiting") == 0)
    {
      const char *text;

      if (!memlane_message_get_text (message, "text", MEMLANE_WORKER_LONGEST_SENTENCE, &text, error))
        return FALSE;
      set_waiting (self, text);
      tell_progress (self);
      return TRUE;
    }
  g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "\"%s\" is no answer to measure", type);
  return FALSE;
}

/* --- a worker's end --------------------------------------------------------------------------------------------------------------------
 * */

/* The cell in which it ended. */
static void
add_lost_cell (MemlaneSweep *self, MemlaneStatus status, const char *reason)
{
  MemlaneCell *cell = memlane_cell_new (self->plan->method.workload->id, self->mode->id, self->log2_elements);

  cell->reuse = MAX (self->plan->method.reuse, 1);
  cell->status = status;
  cell->detail = g_strdup (reason);
  add_cell (self, cell);
}

static void
finish (GTask *task, GError *error)
{
  MemlaneSweep *self = g_task_get_source_object (task);

  set_waiting (self, NULL);
  if (self->run != NULL)
    close_journal (self);
  if (self->run != NULL)
    {
      g_clear_error (&error);
      g_task_return_pointer (task, memlane_run_ref (self->run), (GDestroyNotify) memlane_run_unref);
    }
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped before the device was open");
}

/* Whether another worker may do better: what cannot be started, or speaks another language, stays so. */
static gboolean
may_go_on (MemlaneSweep *self, const GError *error)
{
  if (error->domain == MEMLANE_WORKER_ERROR)
    return error->code != MEMLANE_WORKER_ERROR_VERSION && error->code != MEMLANE_WORKER_ERROR_PROTOCOL
           && (error->code != MEMLANE_WORKER_ERROR_START || self->run != NULL);
  return g_error_matches (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_LOST);
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  MemlaneSweep *self = g_task_get_source_object (task);
  GCancellable *cancellable = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gboolean done = memlane_worker_ask_finish (result, &error);

  self->was_cancelled = g_cancellable_is_cancelled (cancellable);
  if (self->mode != NULL && self->was_cancelled)
    add_lost_cell (self, MEMLANE_STATUS_CANCELLED, "stopped by request");
  else if (self->mode != NULL)
    add_lost_cell (self, g_error_matches (error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_SILENT) ? MEMLANE_STATUS_TIMEOUT
                         : error != NULL ? memlane_status_from_error (error) : MEMLANE_STATUS_ERROR,
                   error != NULL ? error->message : "the worker ended without this cell");
  if (done && !self->was_cancelled && (self->run == NULL || self->run->cells->len < self->progress.cells_total))
    g_set_error (&error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL, "the worker said that it was done, with %u of %u cells",
                 self->run != NULL ? self->run->cells->len : 0, self->progress.cells_total);
  if (self->was_cancelled || (self->run != NULL && self->run->cells->len == self->progress.cells_total))
    {
      finish (task, g_steal_pointer (&error));
      return;
    }
  self->fruitless++;
  if (may_go_on (self, error) && self->fruitless < MOST_FRUITLESS)
    {
      start_worker (g_steal_pointer (&task));
      return;
    }
  self->trouble = self->fruitless >= MOST_FRUITLESS
                    ? g_strdup_printf ("the device does not answer: %u processes in a row measured nothing, the last one because %s",
                                       self->fruitless, error->message)
                    : g_strdup (error->message);
  finish (task, g_steal_pointer (&error));
}

/* Takes @task. */
static void
start_worker (GTask *task)
{
  MemlaneSweep *self = g_task_get_source_object (task);
  JsonObject *request = memlane_message_new ("measure");
  g_autofree char *host = NULL;
  const char *device = self->device_id != NULL ? memlane_host_split (self->device_id, &host) : NULL;

  memlane_message_set_text (request, "device", device);
  memlane_message_set_plan (request, self->plan);
  json_object_set_int_member (request, "first", self->run != NULL ? self->run->cells->len : 0);
  memlane_worker_ask_async (host, request, 0, hear, self, g_task_get_task_data (task), ended_cb, task);
}

void
memlane_sweep_run_async (MemlaneSweep *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  /* The task itself is not cancellable: it ends when the worker has, with whatever was measured. */
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_return_if_fail (self->begun == 0);
  self->begun = g_get_monotonic_time ();
  if (cancellable != NULL)
    g_task_set_task_data (task, g_object_ref (cancellable), g_object_unref);
  start_worker (task);
}

MemlaneRun *
memlane_sweep_run_finish (MemlaneSweep *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- what is known -----------------------------------------------------------------------------------------------------------------------
 * */

gboolean
memlane_sweep_was_cancelled (MemlaneSweep *self)
{
  return self->was_cancelled;
}

const char *
memlane_sweep_get_trouble (MemlaneSweep *self)
{
  return self->trouble;
}

const MemlaneSweepProgress *
memlane_sweep_get_progress (MemlaneSweep *self)
{
  return &self->progress;
}

MemlaneRun *
memlane_sweep_get_run (MemlaneSweep *self)
{
  return self->run;
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
