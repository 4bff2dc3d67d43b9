/* sweep-job.c: the sweep: what the plan measures on the chosen device, as a job on the bench
 *
 * SPDX-License-Identifier: MIT
 */
#include "sweep-job.h"

#include <glib/gi18n-lib.h>

#include "base/each.h"
#include "fields.h"

#define ROUND_SECONDS 0.5   /* until a GPU's worker measures: 0.3 s on an H200, and some to spare */
/* wall time by a cell's time, which is virtual there: a default sweep takes 1.2 s */
#define SIMULATED_COST 0.02

struct _MemlaneSweepJob
{
  GObject parent_instance;

  MemlaneBench *bench;
  MemlaneDeviceChoice *devices;
  MemlanePlanModel *plan;
  MemlaneViewModel *view;
  MemlaneRunStore *runs;

  gboolean was_running, was_blocked; /* when it was told last */
  gboolean start_waits;     /* for the worker that asks the device */
  MemlaneSweep *sweep;
  gboolean has_told_problem; /* of its journal */
  GCancellable *cancellable;
  MemlaneRunItem *live;
  MemlanePlan *asked_plan;  /* (owned) (nullable): of the next sweep, instead of the chosen one */
  gint64 sweep_began;       /* monotonic time */
  double sweep_cell_seconds;
  guint sweep_rounds;
  /* wall time for a cell over the time that it may take, of the last sweep on this device; 0:
   * none */
  double cost;
  guint cost_rounds;        /* of that sweep */
  /* earlier sweeps that the last one of a series had; G_MAXDOUBLE: no series */
  double known;
};

static const MemlaneField fields[] = {
  { "running", MEMLANE_FIELD_FLAG, G_STRUCT_OFFSET (MemlaneSweepJob, was_running), 0, 0, 1, FALSE },
};

gboolean
memlane_sweep_job_is_running (MemlaneSweepJob *self)
{
  return memlane_bench_has (self->bench, MEMLANE_BENCH_SWEEP);
}

/* --- while it runs ---------------------------------------------------------------------------- */

static char *
format_seconds_left (double seconds)
{
  int whole = (int) CLAMP (seconds + 0.999, 1, 1e6), minutes = (whole + 30) / 60;

  if (whole < 90)
    return g_strdup_printf (ngettext ("%d s left", "%d s left", (gulong) whole), whole);
  if (minutes < 60)
    return g_strdup_printf (ngettext ("%d min left", "%d min left", (gulong) minutes), minutes);
  return g_strdup_printf (_("%d h %d min left"), minutes / 60, minutes % 60);
}

static void
cell_cb (MemlaneSweep *sweep, MemlaneCell *cell, MemlaneSweepJob *self)
{
  const MemlaneRun *run = memlane_sweep_get_progress (sweep)->run;
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();

  g_ptr_array_add (cells, cell);
  if (run != NULL && self->live->run->environment == NULL)
    memlane_run_store_introduce (self->runs, self->live, run->id, run->environment);
  memlane_run_store_grow (self->runs, self->live, cells);
}

/* Once, when it begins: room can be made while the sweep goes on. */
static void
tell_journal_problem (MemlaneSweep *sweep, MemlaneSweepJob *self)
{
  const char *problem = memlane_sweep_get_progress (sweep)->journal_problem;

  if (problem != NULL && !self->has_told_problem)
    memlane_say_notice (self, TRUE, _("The journal does not hold all of this run: %s"), problem);
  self->has_told_problem |= problem != NULL;
}

/* "round 2 of 12 · measurement 37 of 220 · Managed 2¹⁶ · 12 s left" */
static void
describe_progress (GString *status, const MemlaneSweepProgress *progress)
{
  const MemlaneMode *mode = progress->mode != NULL ? memlane_mode_find (progress->mode) : NULL;
  g_autofree char *size = memlane_unit_format_power (progress->log2_elements),
                  *left = format_seconds_left (progress->seconds_left);

  if (progress->rounds > 1)
    {
      g_string_append_printf (status, _("round %u of %u"), progress->round, progress->rounds);
      g_string_append (status, " · ");
    }
  g_string_append_printf (status, _("measurement %u of %u"),
                          MIN (progress->cells_done + 1, progress->cells_total),
                          progress->cells_total);
  if (mode != NULL)
    g_string_append_printf (status, " · %s %s", g_dgettext (GETTEXT_PACKAGE, mode->title), size);
  if (progress->seconds_left >= 0 && progress->fraction < 1)
    g_string_append_printf (status, " · %s", left);
}

static void
progress_cb (MemlaneSweep *sweep, MemlaneSweepJob *self)
{
  const MemlaneSweepProgress *progress = memlane_sweep_get_progress (sweep);
  g_autoptr (GString) status = g_string_new (NULL);

  tell_journal_problem (sweep, self);
  if (progress->waiting != NULL)
    g_string_append_printf (status, _("Waiting: %s"), progress->waiting);
  else
    describe_progress (status, progress);
  memlane_bench_report (self->bench, self->bench->stopping ? NULL : status->str,
                        progress->waiting != NULL ? 0 : progress->fraction);
}

/* --- its end ---------------------------------------------------------------------------------- */

static void
tell_failures (MemlaneSweepJob *self, const MemlaneRun *run)
{
  const char *reason = NULL;
  guint failed = 0;

  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      if (cell->status != MEMLANE_STATUS_OUT_OF_MEMORY && cell->status != MEMLANE_STATUS_MISMATCH
          && cell->status != MEMLANE_STATUS_ERROR && cell->status != MEMLANE_STATUS_TIMEOUT)
        continue;
      failed++;
      if (reason == NULL)
        reason = cell->detail;
    }
  if (failed > 0)
    memlane_say_notice (
        self, TRUE,
        ngettext ("%u measurement failed: %s", "%u measurements failed; the first: %s", failed),
        failed, reason != NULL ? reason : _("no reason was given"));
}

static void
end (MemlaneSweepJob *self, MemlaneRunItem *item, gboolean stopped)
{
  self->start_waits = FALSE;
  g_clear_object (&self->cancellable);
  if (item == NULL || stopped)
    self->known = G_MAXDOUBLE;
  memlane_bench_end (self->bench);
  memlane_view_model_follow_sweep (self->view, NULL);
  g_signal_emit_by_name (self, "swept", item, stopped);
  if (memlane_sweep_job_goes_on (self))
    memlane_sweep_job_run (self);
}

static void
finished_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  MemlaneSweep *sweep = MEMLANE_SWEEP (source);
  g_autoptr (MemlaneSweepJob) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneRun) run = g_task_propagate_pointer (G_TASK (result), &error);
  const MemlaneSweepProgress *progress = memlane_sweep_get_progress (sweep);
  const char *journal = progress->journal, *trouble = progress->trouble;
  g_autoptr (MemlaneRunItem) live = NULL;
  g_autofree char *device = NULL;
  gboolean measured = run != NULL && run->cells->len > 0;
  guint n_measured = 0;
  guint n_planned = 0;
  gboolean whole = run != NULL && memlane_run_is_whole (run, &n_measured, &n_planned);

  g_signal_handlers_disconnect_by_data (sweep, self);
  live = g_steal_pointer (&self->live);
  device = g_strdup (live->run->device); /* another one may be chosen by now */
  g_clear_object (&self->sweep);
  if (measured && g_strcmp0 (device, memlane_device_choice_get_id (self->devices)) == 0)
    {
      self->cost = (double) (g_get_monotonic_time () - self->sweep_began) / G_USEC_PER_SEC
                   / run->cells->len / self->sweep_cell_seconds;
      self->cost_rounds = self->sweep_rounds;
    }
  memlane_run_store_end (self->runs, live, run, journal);
  if (measured && whole)
    memlane_run_store_replace (self->runs, live);
  if (error != NULL && !progress->was_cancelled)
    memlane_say_notice (self, TRUE, _("The device %s cannot be used: %s"), device, error->message);
  if (trouble != NULL && run != NULL)
    memlane_say_notice (self, TRUE,
                        ngettext ("Measuring ended early and keeps %u measurement: %s",
                                  "Measuring ended early and keeps %u measurements: %s",
                                  n_measured),
                        n_measured, trouble);
  else if (measured)
    tell_failures (self, run);
  if (!whole || trouble != NULL
      || !memlane_history_is_missing (run, MEMLANE_HISTORY_LEAST, &self->known))
    self->known = G_MAXDOUBLE;
  end (self, measured ? live : NULL, progress->was_cancelled);
}

/* --- its start -------------------------------------------------------------------------------- */

static gboolean
is_simulated (MemlaneSweepJob *self)
{
  MemlaneDeviceItem *item = memlane_device_choice_get_item (self->devices);

  return item == NULL || item->simulated;
}

/* A simulated device says the same in each round, so it takes one. */
static guint
count_rounds (MemlaneSweepJob *self, const MemlanePlan *plan)
{
  return is_simulated (self) ? 1 : plan->method.rounds;
}

/* Returns the chosen plan without modes that are known to be impossible. */
static MemlanePlan *
make_plan (MemlaneSweepJob *self)
{
  MemlanePlan *plan = memlane_plan_model_make (self->plan);
  guint n = 0;

  for (guint i = 0; plan->modes[i] != NULL; i++)
    if (memlane_device_choice_get_mode_objection (self->devices, plan->method.workload,
                                                  plan->modes[i]->id)
        == NULL)
      plan->modes[n++] = plan->modes[i];
  plan->modes[n] = NULL;
  return plan;
}

/* "10:14 Simulated H200"; a second one of that name is "10:14 Simulated H200 (2)". */
static char *
make_name (MemlaneSweepJob *self, MemlaneDeviceItem *device)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%m-%d %H:%M");
  /* Translators: %s and %s are a time of day and a device */
  g_autofree char *base = g_strdup_printf (_("%s %s"), time, device->name);

  return memlane_run_store_make_name (self->runs, base);
}

static void
start_sweep (MemlaneSweepJob *self)
{
  gboolean settles = self->asked_plan != NULL; /* a few cells, that other runs lack */
  g_autoptr (MemlanePlan) plan = settles ? g_steal_pointer (&self->asked_plan) : make_plan (self);
  MemlaneDeviceItem *device = memlane_device_choice_get_item (self->devices);
  const char *id = memlane_device_choice_get_id (self->devices);
  g_autofree char *name = NULL;

  self->start_waits = FALSE;
  if (plan->modes[0] == NULL)
    {
      const char *reason = NULL;

      (void) memlane_sweep_job_can_run (self, &reason);
      memlane_say_notice (self, TRUE, _("Nothing was measured: %s"), reason);
      end (self, NULL, FALSE);
      return;
    }
  name = make_name (self, device);
  self->live = g_object_ref (
      memlane_run_store_begin (self->runs, id, device->simulated ? "simulated" : "cuda", name));
  if (settles)
    memlane_run_store_put_beside (self->runs, self->live);
  self->sweep = memlane_sweep_new (id, plan, TRUE);
  self->has_told_problem = FALSE;
  self->sweep_began = g_get_monotonic_time ();
  self->sweep_cell_seconds = plan->method.cell_seconds;
  self->sweep_rounds = count_rounds (self, plan);
  memlane_view_model_follow_sweep (self->view, plan);
  g_signal_connect_object (self->sweep, "cell", G_CALLBACK (cell_cb), self, 0);
  g_signal_connect_object (self->sweep, "progress", G_CALLBACK (progress_cb), self, 0);
  memlane_sweep_run_async (self->sweep, self->cancellable, finished_cb, g_object_ref (self));
}

gboolean
memlane_sweep_job_can_run (MemlaneSweepJob *self, const char **reason)
{
  const char *why = memlane_device_choice_get_obstacle (self->devices);
  g_autoptr (MemlanePlan) plan = make_plan (self);

  if (why == NULL && memlane_mode_set_is_empty (self->plan->modes))
    why = _("Choose at least one mode");
  else if (why == NULL && plan->modes[0] == NULL)
    why = _("None of the chosen modes can run on this device: choose another mode or device");
  else if (why == NULL && !memlane_sweep_job_is_running (self))
    why = memlane_bench_get_objection (self->bench, MEMLANE_BENCH_SWEEP);
  if (reason != NULL)
    *reason = why;
  return why == NULL;
}

static void
devices_cb (MemlaneSweepJob *self)
{
  memlane_say_changed (self);
  if (self->start_waits && !memlane_device_choice_is_asking (self->devices))
    start_sweep (self);
}

static void
start_cb (gpointer owner, gpointer data)
{
  MemlaneSweepJob *self = owner;

  self->cancellable = g_cancellable_new ();
  memlane_bench_report (self->bench, _("Opening the device"), 0);
  if (memlane_device_choice_is_asking (self->devices))
    self->start_waits = TRUE; /* two at once would disturb each other */
  else
    start_sweep (self);
}

static void
stop_cb (gpointer owner, gpointer data)
{
  MemlaneSweepJob *self = owner;

  memlane_bench_report (self->bench, _("Stopping"), -1);
  g_cancellable_cancel (self->cancellable);
  if (self->start_waits)
    end (self, NULL, TRUE);
}

void
memlane_sweep_job_run (MemlaneSweepJob *self)
{
  static const MemlaneBenchJob job = { MEMLANE_BENCH_SWEEP, start_cb, stop_cb, NULL };
  const char *reason;

  if (memlane_sweep_job_is_running (self))
    return;
  if (memlane_sweep_job_can_run (self, &reason))
    memlane_bench_put (self->bench, &job, self, NULL);
  else
    memlane_say_notice (self, TRUE, "%s", reason);
}

void
memlane_sweep_job_run_again (MemlaneSweepJob *self)
{
  if (memlane_sweep_job_is_running (self))
    return;
  self->known = -1;
  memlane_sweep_job_run (self);
  if (!memlane_sweep_job_is_running (self)) /* a notice has said why */
    self->known = G_MAXDOUBLE;
}

gboolean
memlane_sweep_job_goes_on (MemlaneSweepJob *self)
{
  return self->known < G_MAXDOUBLE;
}

gboolean
memlane_sweep_job_has_history (MemlaneSweepJob *self)
{
  return !is_simulated (self);
}

void
memlane_sweep_job_run_cells (MemlaneSweepJob *self, const char *workload, const char *const *modes,
                             double log2_elements, guint reuse, guint pieces)
{
  g_autofree char *list = g_strjoinv (",", (char **) modes);
  g_autoptr (MemlanePlan) plan = NULL;

  if (memlane_sweep_job_is_running (self) || memlane_workload_find (workload) == NULL)
    return;
  plan = make_plan (self);
  if (!memlane_plan_set_modes (plan, list, NULL))
    return;
  plan->method.workload = memlane_workload_find (workload);
  plan->method.reuse = reuse;
  if (pieces > 0)
    plan->method.chunks = pieces;
  plan->first_log2 = plan->last_log2 = log2_elements;
  g_clear_pointer (&plan->sizes, g_free);
  plan->n_sizes = 0;
  g_clear_pointer (&self->asked_plan, memlane_plan_free);
  self->asked_plan = g_steal_pointer (&plan);
  memlane_sweep_job_run (self);
  if (!memlane_sweep_job_is_running (self)) /* a notice has said why */
    g_clear_pointer (&self->asked_plan, memlane_plan_free);
}

guint
memlane_sweep_job_count_cells (MemlaneSweepJob *self)
{
  g_autoptr (MemlanePlan) plan = make_plan (self);

  return memlane_plan_count_cells (plan);
}

/* Multiplies the time of the last round by the rounds asked for. The time of a cell is one for all
 * its rounds, so they take no more than that together, and the start of a process each. */
double
memlane_sweep_job_estimate_seconds (MemlaneSweepJob *self)
{
  g_autoptr (MemlanePlan) plan = make_plan (self);
  guint rounds = count_rounds (self, plan);
  double most = memlane_plan_count_cells (plan) * plan->method.cell_seconds;

  if (self->cost <= 0 && is_simulated (self))
    return most * SIMULATED_COST;
  if (self->cost <= 0)
    return most + (rounds - 1) * ROUND_SECONDS;
  return most * MIN (self->cost * rounds / self->cost_rounds, MAX (self->cost, 1));
}

char *
memlane_sweep_job_describe_estimate (MemlaneSweepJob *self)
{
  double seconds = MAX (memlane_sweep_job_estimate_seconds (self), 1);

  return seconds < 100 ? g_strdup_printf (_("%.0f s"), seconds)
                       : g_strdup_printf (_("%.0f min"), MAX (seconds / 60, 2));
}

/* --- life ------------------------------------------------------------------------------------- */

/* Something is measured, or nothing is any more. */
static void
bench_changed_cb (MemlaneSweepJob *self)
{
  gboolean running = memlane_sweep_job_is_running (self),
           blocked = memlane_bench_is_running (self->bench) && !running;

  memlane_field_set_flag (self, "running", &self->was_running, running);
  if (blocked != self->was_blocked)
    {
      self->was_blocked = blocked;
      memlane_say_changed (self);
    }
}

static void
forget_cost (MemlaneSweepJob *self)
{
  self->cost = 0;
}

/* A sweep that goes on holds a reference, so there is none. */
MEMLANE_DEFINE_OBJECT (MemlaneSweepJob, memlane_sweep_job,
                       OWNS (bench, g_object_unref) OWNS (devices, g_object_unref)
                           OWNS (plan, g_object_unref) OWNS (view, g_object_unref)
                               OWNS (runs, g_object_unref) OWNS (asked_plan, memlane_plan_free),
                       memlane_fields_install (G_OBJECT_CLASS (klass), fields,
                                               G_N_ELEMENTS (fields));
                       memlane_signal_add (klass, "changed", 0);
                       memlane_signal_add (klass, "notice", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
                       memlane_signal_add (klass, "swept", 2, MEMLANE_TYPE_RUN_ITEM,
                                           G_TYPE_BOOLEAN);)

MemlaneSweepJob *
memlane_sweep_job_new (MemlaneBench *bench, MemlaneDeviceChoice *devices, MemlanePlanModel *plan,
                       MemlaneViewModel *view, MemlaneRunStore *runs)
{
  MemlaneSweepJob *self = g_object_new (MEMLANE_TYPE_SWEEP_JOB, NULL);

  self->known = G_MAXDOUBLE;
  self->bench = g_object_ref (bench);
  self->devices = g_object_ref (devices);
  self->plan = g_object_ref (plan);
  self->view = g_object_ref (view);
  self->runs = g_object_ref (runs);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { bench, "changed", G_CALLBACK (bench_changed_cb) },
    { devices, "notify::device", G_CALLBACK (forget_cost) },
    { devices, "changed", G_CALLBACK (devices_cb) },
    { plan, "changed", G_CALLBACK (memlane_say_changed) },
    { NULL },
  });
  return self;
}
