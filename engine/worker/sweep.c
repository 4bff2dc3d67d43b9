/* sweep.c: a plan measured by workers, round by round
 *
 * SPDX-License-Identifier: MIT
 */
#include "sweep.h"

#include <math.h>
#include <string.h>

#include "command.h"
#include "hosts.h"
#include "analysis/control.h"
#include "analysis/same-machine.h"
#include "base/json-tree.h"
#include "measure/cell.h"
#include "measure/schedule.h"
#include "result/journal.h"

#define MOST_FRUITLESS 2 /* workers in a row that measure nothing */
#define MOST_TRIES 3     /* of a round while the device throttles; the last one counts as it is */

#define MOST_STATES 100  /* of one round */

/* What has not found its way into the journal yet. */
typedef struct
{
  guint round;
  gboolean begins; /* the round begins with it, perhaps again */
  MemlaneCell *cell;
} Kept;

struct _MemlaneSweep
{
  GObject parent_instance;

  char *device_id;
  MemlanePlan *plan;
  gboolean wants_journal;

  MemlaneRun *run;          /* NULL: no device is open yet */
  MemlaneSchedule *schedule;
  guint next;               /* place in the round's order: the cell that is due, or in work */
  guint tries;              /* of this round */
  char *throttled;          /* why the device was slowed in this try; NULL: it was not, or nothing tells */
  JsonArray *states;        /* of the device in this try, at the beginning and the end of each worker; empty: nothing tells */
  gint64 begun;             /* monotonic us */
  gint64 round_begun;
  double first_pinned_ns;   /* of this round's last worker: the first page-locked memory of its process; NAN: nothing tells */
  const MemlaneMode *mode;  /* of the cell in work; NULL: none is */
  guint log2_elements;
  guint fruitless;          /* workers in a row */
  char *trouble, *waiting;
  gboolean was_cancelled;
  MemlaneSweepProgress progress;

  MemlaneJournal *journal;
  GQueue waiting_cells;     /* Kept: to be written */
  gboolean begins;          /* the next one is the first of this try */
  gboolean holds_cells;     /* the journal does */
  char *journal_path, *journal_problem;
};

G_DEFINE_FINAL_TYPE (MemlaneSweep, memlane_sweep, G_TYPE_OBJECT)

enum { SIGNAL_CELL, SIGNAL_PROGRESS, N_SIGNALS };
static guint signals[N_SIGNALS];

static void start_worker (GTask *task);

static void
free_kept (gpointer data)
{
  memlane_cell_unref (((Kept *) data)->cell);
  g_free (data);
}

/* --- life ---------------------------------------------------------------------------------------------------------------------- */

static void
memlane_sweep_finalize (GObject *object)
{
  MemlaneSweep *self = MEMLANE_SWEEP (object);

  g_free (self->device_id);
  memlane_plan_free (self->plan);
  g_clear_pointer (&self->run, memlane_run_unref);
  g_clear_pointer (&self->schedule, memlane_schedule_free);
  memlane_journal_close (self->journal);
  g_queue_clear_full (&self->waiting_cells, free_kept);
  g_free (self->throttled);
  g_clear_pointer (&self->states, json_array_unref);
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
  self->schedule = memlane_schedule_new (plan);
  self->wants_journal = journal;
  self->progress.cells_total = memlane_plan_count_cells (plan);
  return self;
}

/* --- telling -------------------------------------------------------------------------------------------------------------------- */

static void
tell_progress (MemlaneSweep *self)
{
  MemlaneSweepProgress *progress = &self->progress;
  double passed = (double) (g_get_monotonic_time () - self->begun) / G_USEC_PER_SEC;

  progress->round = memlane_schedule_get_round (self->schedule);
  progress->rounds = memlane_schedule_get_rounds (self->schedule);
  progress->cells_done = self->next;
  progress->cells_total = memlane_schedule_get_order (self->schedule)->len;
  progress->fraction = (progress->round - 1 + (double) progress->cells_done / MAX (progress->cells_total, 1)) / progress->rounds;
  if (self->mode != NULL) /* else the last one, until the next one begins at once */
    progress->mode = self->mode->id;
  progress->log2_elements = self->log2_elements;
  progress->waiting = self->waiting;
  if (progress->fraction > 0)
    progress->seconds_left = passed / progress->fraction * (1 - progress->fraction);
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
  Kept *kept;

  if (!self->wants_journal)
    return;
  if (self->journal == NULL)
    self->journal = memlane_journal_open (self->run, &error);
  while (self->journal != NULL && error == NULL && (kept = g_queue_peek_head (&self->waiting_cells)) != NULL)
    {
      if (kept->begins && !memlane_journal_begin_round (self->journal, kept->round, &error))
        break;
      kept->begins = FALSE;
      if (memlane_journal_append (self->journal, kept->cell, &error))
        {
          self->holds_cells = TRUE;
          free_kept (g_queue_pop_head (&self->waiting_cells));
        }
    }
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
  if (self->holds_cells || self->run->cells->len == 0)
    self->journal_path = g_steal_pointer (&path);
  else
    memlane_journal_discard (path, NULL);
}

/* --- what a worker says --------------------------------------------------------------------------------------------------------------- */

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, message);
  return FALSE;
}

/* A scheduler may send the next worker elsewhere, and a host may have started again: what its rounds saw would be of another machine. */
static gboolean
check_machine (MemlaneSweep *self, const MemlaneRun *run, GError **error)
{
  static const struct
  {
    const char *path, *what;
  } members[] = {
    { "device/name", "another kind of GPU" }, { "device/uuid", "another GPU" }, { "host/name", "another host" },
    { "host/boot_id", "a host that was started again" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *before = memlane_environment_get (self->run, members[i].path);
      g_autofree char *now = memlane_environment_get (run, members[i].path);

      if (before != NULL && now != NULL && strcmp (before, now) != 0)
        {
          g_set_error (error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL,
                       "round %u came from %s: found %s %s, expected %s as in the first; measure on one machine",
                       memlane_schedule_get_round (self->schedule), members[i].what, members[i].path, now, before);
          return FALSE;
        }
    }
  return strcmp (self->run->device_kind, run->device_kind) == 0 || refuse (error, "the kind of the device is another one now");
}

/* Each worker names a run; the first one's name and environment are the run's. Its device is what was asked for here. */
static gboolean
take_run (MemlaneSweep *self, JsonObject *message, GError **error)
{
  g_autoptr (MemlaneRun) run = memlane_message_get_run (message, error);
  g_autofree char *host = NULL;

  if (run == NULL)
    return FALSE;
  self->first_pinned_ns = memlane_environment_get_number (run, "floors/first_pinned_ns");
  if (self->run != NULL)
    return check_machine (self, run, error);
  if (self->device_id != NULL)
    memlane_host_split (self->device_id, &host);
  self->run = g_steal_pointer (&run);
  if (host != NULL)
    {
      char *device = g_strdup_printf ("%s/%s", host, self->run->device);

      g_free (self->run->device);
      self->run->device = device;
    }
  memlane_schedule_set_run (self->schedule, self->run);
  keep_cells (self);
  return TRUE;
}

/* How the device stands at the beginning and at the end of what a worker measured. It may never come. */
static gboolean
take_state (MemlaneSweep *self, JsonObject *message, GError **error)
{
  static const char *const counts[] = { "sm_mhz", "memory_mhz", "temperature_c" };
  g_autoptr (JsonObject) state = json_object_new ();
  const char *throttled;

  if (!memlane_message_get_optional_text (message, "throttled", MEMLANE_WORKER_LONGEST_SENTENCE, &throttled, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      guint value;

      if (!memlane_message_get_count (message, counts[i], 0, 1000000, &value, error))
        return FALSE;
      json_object_set_int_member (state, counts[i], value);
    }
  memlane_message_set_text (state, "throttled", throttled);
  if (json_array_get_length (self->states) < MOST_STATES)
    json_array_add_object_element (self->states, g_steal_pointer (&state));
  if (throttled != NULL && self->throttled == NULL)
    self->throttled = g_strdup (throttled);
  return TRUE;
}

static gboolean
take_progress (MemlaneSweep *self, JsonObject *message, GError **error)
{
  const GArray *order = memlane_schedule_get_order (self->schedule);
  const MemlaneMode *mode = NULL;
  const char *id;
  guint log2_elements, next;

  if (self->run != NULL && self->mode == NULL && self->next < order->len)
    mode = memlane_plan_get_cell (self->plan, g_array_index (order, guint, self->next), &next);
  if (mode == NULL)
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

/* What this round saw of the cell that is due; @keeps: for the journal, too. */
static void
add_cell (MemlaneSweep *self, MemlaneCell *cell, gboolean keeps)
{
  g_autoptr (GPtrArray) changed = g_ptr_array_new ();

  if (keeps)
    {
      Kept *kept = g_new (Kept, 1);

      *kept = (Kept) { memlane_schedule_get_round (self->schedule), self->begins, memlane_cell_ref (cell) };
      g_queue_push_tail (&self->waiting_cells, kept);
      self->begins = FALSE;
    }
  memlane_schedule_take (self->schedule, self->next++, cell, changed);
  self->mode = NULL;
  keep_cells (self);
  for (guint i = 0; i < changed->len; i++)
    g_signal_emit (self, signals[SIGNAL_CELL], 0, changed->pdata[i]);
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
  add_cell (self, cell, TRUE);
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
  if (strcmp (type, "state") == 0)
    return take_state (self, message, error);
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

/* --- rounds ------------------------------------------------------------------------------------------------------------------------ */

/* NULL: there is none to add to. */
static JsonNode *
read_environment (MemlaneSweep *self)
{
  JsonNode *node = memlane_json_tree_read (self->run->environment, -1, "environment", NULL);

  if (node != NULL && !JSON_NODE_HOLDS_OBJECT (node))
    g_clear_pointer (&node, json_node_unref);
  return node;
}

static void
write_environment (MemlaneSweep *self, JsonNode *node)
{
  g_autofree char *text = json_to_string (node, TRUE);

  g_free (self->run->environment);
  self->run->environment = g_strconcat (text, "\n", NULL);
}

/* A member of "rounds" in the run's environment: when the round began, what it took, how often it was tried. */
static void
describe_round (MemlaneSweep *self)
{
  g_autoptr (JsonNode) node = read_environment (self);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc (), begun = NULL;
  gint64 took = g_get_monotonic_time () - self->round_begun;
  g_autofree char *date = NULL;
  JsonObject *root, *round;
  JsonArray *rounds;

  if (node == NULL)
    return;
  root = json_node_get_object (node);
  if (!json_object_has_member (root, "rounds"))
    json_object_set_array_member (root, "rounds", json_array_new ());
  rounds = json_object_get_array_member (root, "rounds");
  round = json_object_new ();
  begun = g_date_time_add (now, -took);
  date = g_date_time_format (begun, "%Y-%m-%dT%H:%M:%SZ");
  json_object_set_int_member (round, "round", memlane_schedule_get_round (self->schedule));
  json_object_set_string_member (round, "begun", date);
  json_object_set_int_member (round, "took_ms", took / 1000);
  json_object_set_int_member (round, "cells", memlane_schedule_get_order (self->schedule)->len);
  json_object_set_int_member (round, "void_tries", self->tries - 1);
  if (self->first_pinned_ns > 0 && isfinite (self->first_pinned_ns))
    json_object_set_double_member (round, "first_pinned_ns", self->first_pinned_ns);
  if (self->throttled != NULL)
    json_object_set_string_member (round, "throttled", self->throttled);
  if (json_array_get_length (self->states) > 0)
    json_object_set_array_member (round, "states", json_array_ref (self->states));
  json_array_add_object_element (rounds, round);
  write_environment (self, node);
}

/* The member "control", where the run has modes that are the same in other words, with rounds (analysis/control.h). */
static void
describe_control (MemlaneSweep *self)
{
  g_autoptr (JsonNode) node = read_environment (self);
  JsonObject *member;
  MemlaneControl control;

  memlane_control_run (self->run, &control);
  if (node == NULL || control.pairs == 0)
    return;
  member = json_object_new ();
  json_object_set_int_member (member, "pairs", control.pairs);
  json_object_set_int_member (member, "told_apart", control.apart);
  json_object_set_double_member (member, "most", MEMLANE_CONTROL_MOST);
  json_object_set_double_member (member, "largest_difference", control.largest);
  json_object_set_boolean_member (member, "passed", control.verdict == MEMLANE_CONTROL_PASSED);
  json_object_set_object_member (json_node_get_object (node), "control", member);
  write_environment (self, node);
}

static void
begin_try (MemlaneSweep *self)
{
  self->tries++;
  self->next = 0;
  self->begins = TRUE;
  self->round_begun = g_get_monotonic_time ();
  g_clear_pointer (&self->throttled, g_free);
  g_clear_pointer (&self->states, json_array_unref);
  self->states = json_array_new ();
}

/* FALSE: there is none. */
static gboolean
begin_round (MemlaneSweep *self)
{
  if (!memlane_schedule_next_round (self->schedule, (double) (g_get_monotonic_time () - self->begun) / G_USEC_PER_SEC))
    return FALSE;
  self->tries = 0;
  begin_try (self);
  return TRUE;
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
  return begin_round (self);
}

/* --- a worker's end --------------------------------------------------------------------------------------------------------------------
 * */

/* The cell in which it ended. One that has worked before is tried once more, behind the others. */
static void
add_lost_cell (MemlaneSweep *self, MemlaneStatus status, const char *reason)
{
  g_autoptr (MemlaneCell) cell = memlane_cell_new (self->plan->method.workload->id, self->mode->id, self->log2_elements);

  cell->reuse = MAX (self->plan->method.reuse, 1);
  cell->status = status;
  cell->detail = g_strdup (reason);
  /* A round's table in the journal has each cell once: that of the second try. */
  add_cell (self, cell, status == MEMLANE_STATUS_CANCELLED || !memlane_schedule_retry (self->schedule, self->next));
}

static void
finish (GTask *task, GError *error)
{
  MemlaneSweep *self = g_task_get_source_object (task);

  set_waiting (self, NULL);
  if (self->run != NULL && self->next > 0 && self->next < memlane_schedule_get_order (self->schedule)->len)
    describe_round (self);
  if (self->run != NULL)
    {
      describe_control (self);
      close_journal (self);
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
  gboolean done = memlane_worker_ask_finish (result, &error), is_whole;

  self->was_cancelled = g_cancellable_is_cancelled (cancellable);
  if (self->mode != NULL && self->was_cancelled)
    add_lost_cell (self, MEMLANE_STATUS_CANCELLED, "stopped by request");
  else if (self->mode != NULL)
    add_lost_cell (self, g_error_matches (error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_SILENT) ? MEMLANE_STATUS_TIMEOUT
                         : error != NULL ? memlane_status_from_error (error) : MEMLANE_STATUS_ERROR,
                   error != NULL ? error->message : "the worker ended without this cell");
  is_whole = self->run != NULL && self->next == memlane_schedule_get_order (self->schedule)->len;
  if (done && !self->was_cancelled && !is_whole)
    g_set_error (&error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL, "the worker said that it was done, with %u of %u cells",
                 self->next, memlane_schedule_get_order (self->schedule)->len);
  if (self->was_cancelled || (is_whole && !go_on (self)))
    {
      finish (task, g_steal_pointer (&error));
      return;
    }
  self->fruitless += error != NULL;
  if (is_whole) /* a device that is dead for good costs the next round its first cell, and then the sweep */
    {
      start_worker (g_steal_pointer (&task));
      return;
    }
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
  const GArray *order = memlane_schedule_get_order (self->schedule);
  JsonArray *cells = json_array_new ();

  memlane_message_set_text (request, "device", device);
  memlane_message_set_plan (request, self->plan);
  json_object_set_int_member (request, "round", memlane_schedule_get_round (self->schedule));
  for (guint i = self->next; i < order->len; i++)
    json_array_add_int_element (cells, g_array_index (order, guint, i));
  json_object_set_array_member (request, "order", cells);
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
  begin_round (self);
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

gboolean
memlane_sweep_is_exact (MemlaneSweep *self)
{
  return memlane_schedule_is_exact (self->schedule);
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
