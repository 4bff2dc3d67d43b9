/* sweep.c: a plan measured by workers, round by round
 *
 * SPDX-License-Identifier: MIT
 */
#include "sweep.h"

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/owns.h"
#include "hosts.h"
#include "job.h"
#include "journal.h"
#include "analysis/control.h"
#include "analysis/history.h"
#include "measure/measure.h"
#include "measure/plan.h"
#include "result/environment.h"
#include "result/statistics.h"

#define MOST_FRUITLESS 2 /* workers in a row that measure nothing */
#define MOST_TRIES 3     /* of a round while the device throttles; the last one counts as it is */

/* A visit that is not in the journal yet. */
typedef struct
{
  guint pass, place;
  MemlaneCell *cell;
} Kept;

struct _MemlaneSweep
{
  GObject parent_instance;

  char *device_id;
  MemlanePlan *plan;
  gboolean wants_journal;

  MemlaneSchedule *schedule;
  guint next;               /* place in the round's order: the cell that is due, or in work */
  guint tries;              /* of this round */
  char *throttled;   /* why the device was slowed in this try; NULL: it was not, or nothing tells */
  JsonArray *states; /* of the device in this try, at the beginning and the end of each worker;
                        empty: nothing tells */
  gint64 begun;             /* monotonic us */
  gint64 round_begun;
  MemlaneEnvironment *environment; /* of the last worker: what its process saw is its round's */
  GArray *probes;           /* MemlaneHostProbe, of each visit of this try */
  const MemlaneMode *mode;  /* of the cell in work; NULL: none is */
  guint fruitless;          /* workers in a row */
  MemlaneSweepProgress progress; /* its run and its strings, too */

  MemlaneJournal *journal;
  GQueue waiting_cells;     /* Kept: to be written */
  gboolean holds_cells;     /* the journal does */
};

G_DEFINE_FINAL_TYPE (MemlaneSweep, memlane_sweep, G_TYPE_OBJECT)

static void start_worker (GTask *task);

MEMLANE_DEFINE_FREE (Kept, static void free_kept (gpointer data), OWNS (cell, memlane_cell_unref))

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneSweep, memlane_sweep, finalize,
                        OWNS (device_id, g_free) OWNS (plan, memlane_plan_free)
                        OWNS (environment, memlane_environment_unref)
                        OWNS (progress.run, memlane_run_unref)
                        OWNS (schedule, memlane_schedule_free)
                        memlane_journal_close (self->journal);
                        g_queue_clear_full (&self->waiting_cells, free_kept);
                        OWNS (throttled, g_free) OWNS (states, json_array_unref)
                        OWNS (probes, g_array_unref) OWNS (progress.trouble, g_free)
                        OWNS (progress.waiting, g_free) OWNS (progress.journal, g_free)
                        OWNS (progress.journal_problem, g_free))

static void
memlane_sweep_class_init (MemlaneSweepClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  g_signal_new ("cell", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_POINTER);
  g_signal_new ("progress", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
memlane_sweep_init (MemlaneSweep *self)
{
  self->progress.seconds_left = -1;
  self->probes = g_array_new (FALSE, FALSE, sizeof (MemlaneHostProbe));
}

MemlaneSweep *
memlane_sweep_new (const char *device_id, const MemlanePlan *plan, gboolean journal)
{
  MemlaneSweep *self;

  g_return_val_if_fail (plan != NULL, NULL);
  self = g_object_new (MEMLANE_TYPE_SWEEP, NULL);
  self->device_id = g_strdup (device_id);
  self->plan = memlane_plan_copy (plan);
  self->schedule = memlane_schedule_new (plan);
  self->wants_journal = journal;
  self->progress.cells_total = memlane_plan_count_cells (plan);
  return self;
}

/* --- telling ---------------------------------------------------------------------------------- */

static void
tell_progress (MemlaneSweep *self)
{
  MemlaneSweepProgress *progress = &self->progress;
  double passed = (double) (g_get_monotonic_time () - self->begun) / G_USEC_PER_SEC, done;

  progress->round = self->schedule->round;
  progress->rounds = self->schedule->rounds;
  done = (double) self->next / MAX (self->schedule->order->len, 1);
  progress->cells_total = memlane_schedule_count_cells (self->schedule);
  progress->cells_done = (guint) (done * progress->cells_total);
  progress->fraction = (progress->round - 1 + done) / progress->rounds;
  if (self->mode != NULL) /* else the last one, until the next one begins at once */
    progress->mode = self->mode->id;
  if (progress->fraction > 0)
    progress->seconds_left = passed / progress->fraction * (1 - progress->fraction);
  g_signal_emit_by_name (self, "progress");
}

/* --- the journal ------------------------------------------------------------------------------ */

/* Writes what it does not hold yet: all of it, in order, or a beginning, never a run with holes. A
 * journal that cannot be written costs the safety net, not the run: the run's own file is still to
 * come. */
static void
keep_cells (MemlaneSweep *self)
{
  g_autoptr (GError) error = NULL;
  Kept *kept;

  if (!self->wants_journal)
    return;
  if (self->journal == NULL)
    self->journal = memlane_journal_open (self->progress.run, &error);
  while (self->journal != NULL && error == NULL
         && (kept = g_queue_peek_head (&self->waiting_cells)) != NULL)
    {
      if (memlane_journal_append (self->journal, kept->pass, kept->place, kept->cell, &error))
        {
          self->holds_cells = TRUE;
          free_kept (g_queue_pop_head (&self->waiting_cells));
        }
    }
  memlane_text_set (&self->progress.journal_problem, error != NULL ? error->message : NULL);
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
  if (self->holds_cells || self->progress.run->cells->len == 0)
    self->progress.journal = g_steal_pointer (&path);
  else
    memlane_journal_discard (path, NULL);
}

/* --- what a worker says ----------------------------------------------------------------------- */

/* A scheduler may send the next worker elsewhere, and a host may have started again: what its
 * rounds saw would be of another machine. */
static gboolean
check_machine (MemlaneSweep *self, const MemlaneRun *run, GError **error)
{
  static const struct
  {
    MemlaneEnvironmentMember member;
    const char *name, *what;
  } members[] = {
    { MEMLANE_ENVIRONMENT_DEVICE_NAME, "device", "another kind of GPU" },
    { MEMLANE_ENVIRONMENT_UUID, "UUID", "another GPU" },
    { MEMLANE_ENVIRONMENT_HOST_NAME, "host", "another host" },
    { MEMLANE_ENVIRONMENT_BOOT_ID, "boot", "a host that was started again" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const char *before
          = memlane_environment_get_text (self->progress.run->environment, members[i].member);
      const char *now = memlane_environment_get_text (run->environment, members[i].member);

      if (before != NULL && now != NULL && strcmp (before, now) != 0)
        return memlane_fail (error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL,
                             "round %u came from %s: found %s %s, expected %s as in the first; "
                             "measure on one machine",
                             self->schedule->round, members[i].what, members[i].name, now, before);
    }
  return strcmp (self->progress.run->device_kind, run->device_kind) == 0
         || memlane_refuse (error, "the kind of the device is another one now");
}

/* Each worker names a run; the first one's name and environment are the run's. Its device is what
 * was asked for here. */
static gboolean
take_run (gpointer data, MemlaneMessage *message, GError **error)
{
  MemlaneSweep *self = data;
  MemlaneRun *run = message->run;

  if (!memlane_host_claim (self->device_id, &run->device, error))
    return FALSE;
  g_clear_pointer (&self->environment, memlane_environment_unref);
  self->environment = memlane_environment_ref (run->environment);
  if (self->progress.run != NULL)
    return check_machine (self, run, error);
  self->progress.run = g_steal_pointer (&message->run);
  memlane_schedule_set_run (self->schedule, run);
  self->progress.is_exact = self->schedule->rule.is_exact;
  keep_cells (self);
  return TRUE;
}

/* How the device stands at the beginning and at the end of what a worker measured. It may never
 * come. */
static gboolean
take_state (gpointer data, MemlaneMessage *message, GError **error)
{
  MemlaneSweep *self = data;
  JsonObject *state = json_object_new ();

  json_object_set_int_member (state, "sm_mhz", message->sm_mhz);
  json_object_set_int_member (state, "memory_mhz", message->memory_mhz);
  json_object_set_int_member (state, "temperature_c", message->temperature_c);
  if (message->throttled != NULL)
    json_object_set_string_member (state, "throttled", message->throttled);
  json_array_add_object_element (self->states, state);
  if (self->throttled == NULL)
    self->throttled = g_steal_pointer (&message->throttled);
  return TRUE;
}

static gboolean
take_progress (gpointer data, MemlaneMessage *message, GError **error)
{
  MemlaneSweep *self = data;
  const GArray *order = self->schedule->order;
  const MemlaneMode *mode = NULL;
  double next;

  if (self->progress.run != NULL && self->mode == NULL && self->next < order->len)
    mode = memlane_plan_get_cell (self->plan, g_array_index (order, guint, self->next), &next);
  if (mode == NULL || message->mode != mode || message->log2_elements != next)
    return memlane_refuse (error, "a cell was begun that nobody asked for");
  self->mode = mode;
  self->progress.log2_elements = next;
  tell_progress (self);
  return TRUE;
}

/* Takes the measurement of the cell that is due. */
static void
add_cell (MemlaneSweep *self, MemlaneCell *cell)
{
  g_autoptr (GPtrArray) changed = g_ptr_array_new ();
  Kept *kept = g_new (Kept, 1);

  *kept = (Kept){ memlane_schedule_get_pass (self->schedule, self->next), self->next + 1,
                  memlane_cell_ref (cell) };
  g_queue_push_tail (&self->waiting_cells, kept);
  memlane_schedule_take (self->schedule, self->next++, cell, changed);
  self->mode = NULL;
  keep_cells (self);
  MEMLANE_FOR_EACH (MemlaneCell, next, changed)
    g_signal_emit_by_name (self, "cell", next);
  tell_progress (self);
}

static gboolean
take_cell (gpointer data, MemlaneMessage *message, GError **error)
{
  MemlaneSweep *self = data;
  MemlaneCell *cell = message->cell;
  const MemlaneMethod *method = &self->plan->method;

  if (self->mode == NULL || strcmp (cell->mode, self->mode->id) != 0
      || cell->log2_elements != self->progress.log2_elements
      || strcmp (cell->workload, method->workload->id) != 0 || cell->reuse != MAX (method->reuse, 1)
      || cell->beside != method->beside || cell->busy != method->busy
      || cell->streams > MAX (method->streams, 1) || cell->chunks > MAX (method->chunks, 1))
    return memlane_refuse (error, "a cell came that nobody asked for");
  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    if (!method->keep_samples && figure->samples != NULL)
      return memlane_refuse (error, "samples came that nobody asked for");
  if (cell->status != MEMLANE_STATUS_ERROR && cell->status != MEMLANE_STATUS_TIMEOUT)
    self->fruitless = 0;
  if (cell->host.ns[0] > 0)
    g_array_append_val (self->probes, cell->host);
  add_cell (self, cell);
  return TRUE;
}

static gboolean
take_waiting (gpointer data, MemlaneMessage *message, GError **error)
{
  MemlaneSweep *self = data;

  memlane_text_set (&self->progress.waiting, message->text);
  if (message->text != NULL)
    tell_progress (self);
  return TRUE;
}

static const MemlaneJobHandler handlers[] = {
  { MEMLANE_MESSAGE_WAITING, take_waiting }, { MEMLANE_MESSAGE_RUN, take_run },
  { MEMLANE_MESSAGE_STATE, take_state },     { MEMLANE_MESSAGE_PROGRESS, take_progress },
  { MEMLANE_MESSAGE_CELL, take_cell },       { 0, NULL },
};

/* --- rounds ----------------------------------------------------------------------------------- */

/* Takes @environment. */
static void
set_environment (MemlaneSweep *self, MemlaneEnvironment *environment)
{
  memlane_environment_unref (self->progress.run->environment);
  self->progress.run->environment = environment;
}

/* The fastest tenth and the middle of the probes of this round. */
static void
describe_host (MemlaneSweep *self, MemlaneEnvironmentRound *round)
{
  g_autofree double *times = g_new (double, self->probes->len);

  for (guint i = 0; i < MEMLANE_N_PROBES && self->probes->len > 0; i++)
    {
      for (guint k = 0; k < self->probes->len; k++)
        times[k] = g_array_index (self->probes, MemlaneHostProbe, k).ns[i];
      round->usual.ns[i] = memlane_median (times, self->probes->len);
      round->best.ns[i] = times[self->probes->len / 10];
    }
}

/* Adds the round to the run's environment: when it began, what it took, how often it was tried. */
static void
describe_round (MemlaneSweep *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc (), begun = NULL;
  gint64 took = g_get_monotonic_time () - self->round_begun;
  g_autofree char *date = NULL;
  MemlaneEnvironmentRound round;

  begun = g_date_time_add (now, -took);
  date = g_date_time_format (begun, "%Y-%m-%dT%H:%M:%SZ");
  round = (MemlaneEnvironmentRound){
    .round = self->schedule->round,
    .begun = date,
    .took_ms = took / 1000,
    .cells = self->schedule->order->len,
    .void_tries = self->tries - 1,
    .first_pinned_ns
    = memlane_environment_get_number (self->environment, MEMLANE_ENVIRONMENT_FIRST_PINNED),
    .throttled = self->throttled,
  };
  describe_host (self, &round);
  set_environment (self, memlane_environment_with_round (
                             self->progress.run->environment, &round,
                             memlane_environment_get_floors (self->environment), self->states));
}

/* Adds the control, if the run has pairs of modes that are the same in other words
 * (analysis/control.h). */
static void
describe_control (MemlaneSweep *self)
{
  MemlaneControl control;

  memlane_control_run (self->progress.run, &control);
  if (control.pairs > 0)
    {
      const MemlaneEnvironmentValue values[] = {
        { MEMLANE_ENVIRONMENT_CONTROL_PAIRS, .number = control.pairs },
        { MEMLANE_ENVIRONMENT_CONTROL_APART, .number = control.apart },
        { MEMLANE_ENVIRONMENT_CONTROL_ALARM, .number = memlane_control_get_alarm (control.pairs) },
        { MEMLANE_ENVIRONMENT_CONTROL_LARGEST, .number = control.largest },
        { MEMLANE_ENVIRONMENT_CONTROL_PASSED, .number = control.verdict == MEMLANE_CONTROL_PASSED },
      };

      set_environment (self, memlane_environment_with (self->progress.run->environment, values,
                                                       G_N_ELEMENTS (values)));
    }
}

static void
begin_try (MemlaneSweep *self)
{
  self->tries++;
  self->next = 0;
  self->round_begun = g_get_monotonic_time ();
  g_clear_pointer (&self->throttled, g_free);
  g_clear_pointer (&self->states, json_array_unref);
  self->states = json_array_new ();
  g_array_set_size (self->probes, 0);
}

/* The round has all of its cells. FALSE: the run is complete. */
static gboolean
go_on (MemlaneSweep *self)
{
  if (self->throttled != NULL && self->tries < MOST_TRIES)
    {
      memlane_schedule_again (self->schedule);
      begin_try (self);
      return TRUE;
    }
  describe_round (self);
  self->tries = 0;
  if (!memlane_schedule_next_round (self->schedule))
    return FALSE;
  begin_try (self);
  return TRUE;
}

/* --- a worker's end --------------------------------------------------------------------------- */

/* The cell in which it ended. One that has worked before is tried once more, behind the others. */
static void
add_lost_cell (MemlaneSweep *self, MemlaneStatus status, const char *reason)
{
  g_autoptr (MemlaneCell) cell = memlane_cell_new_for (&self->plan->method, self->mode,
                                                       self->progress.log2_elements);

  cell->status = status;
  cell->detail = g_strdup (reason);
  if (status != MEMLANE_STATUS_CANCELLED)
    memlane_schedule_retry (self->schedule, self->next);
  add_cell (self, cell);
}

/* A whole sweep of a device with noise learns from the earlier ones of its machine, and is kept for
 * the next. */
static void
use_history (MemlaneSweep *self)
{
  MemlaneRun *run = self->progress.run;

  if (!self->wants_journal || self->progress.is_exact || self->progress.was_cancelled
      || self->progress.trouble != NULL)
    return;
  if (memlane_history_apply (run))
    MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
      g_signal_emit_by_name (self, "cell", cell);
  memlane_history_keep (run);
}

static void
finish (GTask *task, GError *error)
{
  MemlaneSweep *self = g_task_get_source_object (task);

  g_clear_pointer (&self->progress.waiting, g_free);
  if (self->progress.run != NULL && self->next > 0 && self->next < self->schedule->order->len)
    describe_round (self);
  if (self->progress.run != NULL)
    {
      describe_control (self);
      use_history (self);
      close_journal (self);
      g_clear_error (&error);
      g_task_return_pointer (task, memlane_run_ref (self->progress.run),
                             (GDestroyNotify) memlane_run_unref);
    }
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                             "stopped before the device was open");
}

/* Whether another worker may do better: what cannot be started, or speaks another language, stays
 * so. */
static gboolean
may_go_on (MemlaneSweep *self, const GError *error)
{
  if (error->domain == MEMLANE_WORKER_ERROR)
    return error->code != MEMLANE_WORKER_ERROR_VERSION
           && error->code != MEMLANE_WORKER_ERROR_PROTOCOL
           && (error->code != MEMLANE_WORKER_ERROR_START || self->progress.run != NULL);
  return g_error_matches (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_LOST);
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  MemlaneSweep *self = g_task_get_source_object (task);
  GCancellable *cancellable = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gboolean done = memlane_job_run_finish (result, &error), is_whole;

  self->progress.was_cancelled = g_cancellable_is_cancelled (cancellable);
  if (self->mode != NULL && self->progress.was_cancelled)
    add_lost_cell (self, MEMLANE_STATUS_CANCELLED, "stopped by request");
  else if (self->mode != NULL)
    add_lost_cell (self,
                   g_error_matches (error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_SILENT)
                       ? MEMLANE_STATUS_TIMEOUT
                   : error != NULL ? memlane_status_from_error (error)
                                   : MEMLANE_STATUS_ERROR,
                   error != NULL ? error->message : "the worker ended without this cell");
  memlane_schedule_prune (self->schedule, self->next);
  is_whole = self->progress.run != NULL && self->next == self->schedule->order->len;
  if (done && !self->progress.was_cancelled && !is_whole)
    g_set_error (&error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL,
                 "the worker said that it was done, with %u of %u cells", self->next,
                 self->schedule->order->len);
  if (self->progress.was_cancelled || (is_whole && !go_on (self)))
    {
      finish (task, g_steal_pointer (&error));
      return;
    }
  self->fruitless += error != NULL;
  /* A device that is dead for good costs the next round its first cell, and then the sweep. */
  if (is_whole || (may_go_on (self, error) && self->fruitless < MOST_FRUITLESS))
    {
      start_worker (g_steal_pointer (&task));
      return;
    }
  self->progress.trouble = self->fruitless >= MOST_FRUITLESS
                               ? g_strdup_printf ("the device does not answer: %u processes in a "
                                                  "row measured nothing, the last one because %s",
                                                  self->fruitless, error->message)
                               : g_strdup (error->message);
  finish (task, g_steal_pointer (&error));
}

/* Takes @task. */
static void
start_worker (GTask *task)
{
  MemlaneSweep *self = g_task_get_source_object (task);
  const GArray *order = self->schedule->order;
  const MemlaneMessage request = {
    .type = MEMLANE_MESSAGE_MEASURE, .plan = self->plan, .round = self->schedule->round,
    .order = &g_array_index (order, guint, self->next), .n_order = order->len - self->next,
  };

  memlane_job_run_async (self->device_id, &request, 0, handlers, self, g_task_get_task_data (task),
                         ended_cb, task);
}

void
memlane_sweep_run_async (MemlaneSweep *self, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  /* The task itself is not cancellable: it ends when the worker has, with whatever was measured. */
  GTask *task;

  g_return_if_fail (MEMLANE_IS_SWEEP (self) && self->begun == 0); /* it runs once */
  task = g_task_new (self, NULL, callback, user_data);
  self->begun = g_get_monotonic_time ();
  if (cancellable != NULL)
    g_task_set_task_data (task, g_object_ref (cancellable), g_object_unref);
  memlane_schedule_next_round (self->schedule);
  begin_try (self);
  start_worker (task);
}

static void
run_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

MemlaneRun *
memlane_sweep_run (MemlaneSweep *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GMainContext) context = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  g_return_val_if_fail (MEMLANE_IS_SWEEP (self) && self->begun == 0, NULL); /* it runs once */
  context = g_main_context_new ();
  g_main_context_push_thread_default (context);
  memlane_sweep_run_async (self, cancellable, run_cb, &result);
  while (result == NULL)
    g_main_context_iteration (context, TRUE);
  g_main_context_pop_thread_default (context);
  return g_task_propagate_pointer (G_TASK (result), error);
}

const MemlaneSweepProgress *
memlane_sweep_get_progress (MemlaneSweep *self)
{
  return &self->progress;
}
