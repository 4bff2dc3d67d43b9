/* session-sweep.c: running and stopping a sweep
 *
 * SPDX-License-Identifier: MIT
 */
#include "session-private.h"

#include <glib/gi18n-lib.h>

#include "result/journal.h"
#include "run-item.h"

#define WAIT_SECONDS 30 /* for a worker that is to stop: the engine gives up a stuck call long before */

static void
set_status (MemlaneSession *self, const char *status)
{
  if (g_strcmp0 (self->status, status) == 0)
    return;
  g_free (self->status);
  self->status = g_strdup (status);
  memlane_session_notify (self, SESSION_STATUS);
}

static void
set_fraction (MemlaneSession *self, double fraction)
{
  if (self->fraction == fraction)
    return;
  self->fraction = fraction;
  memlane_session_notify (self, SESSION_FRACTION);
}

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

/* --- while it runs ----------------------------------------------------------------------------------------------- */

static void
introduce (MemlaneSweep *sweep, MemlaneSession *self)
{
  const char *environment = memlane_sweep_get_environment (sweep);

  if (environment != NULL && memlane_run_item_get_run (self->live)->environment == NULL)
    memlane_run_store_introduce (self->store, self->live, memlane_sweep_get_run_id (sweep), environment);
}

static void
cells_cb (MemlaneSweep *sweep, GPtrArray *cells, MemlaneSession *self)
{
  introduce (sweep, self);
  memlane_run_store_grow (self->store, self->live, cells);
}

static void
progress_cb (MemlaneSweep *sweep, MemlaneSession *self)
{
  guint done = memlane_sweep_get_cells_done (sweep), total = memlane_sweep_get_cells_total (sweep);
  double left = memlane_sweep_get_seconds_left (sweep);
  const char *id = memlane_sweep_get_current_mode (sweep);
  const MemlaneMode *mode = id != NULL ? memlane_mode_find (id) : NULL;
  g_autoptr (GString) status = g_string_new (NULL);

  set_fraction (self, total > 0 ? (double) done / total : 0);
  if (self->stopping)
    return;
  g_string_append_printf (status, _("cell %u of %u"), MIN (done + 1, total), total);
  if (mode != NULL)
    {
      g_autofree char *size = memlane_unit_format_power (memlane_sweep_get_current_log2 (sweep));

      g_string_append_printf (status, " · %s %s", g_dgettext (GETTEXT_PACKAGE, mode->title), size);
    }
  if (left >= 0 && done < total)
    {
      g_autofree char *words = format_seconds_left (left);

      g_string_append_printf (status, " · %s", words);
    }
  set_status (self, status->str);
}

/* --- its end -------------------------------------------------------------------------------------------------------- */

static void
tell_failures (MemlaneSession *self, const MemlaneRun *run)
{
  const char *reason = NULL;
  guint failed = 0;

  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      switch (cell->status)
        {
        case MEMLANE_STATUS_OUT_OF_MEMORY:
        case MEMLANE_STATUS_MISMATCH:
        case MEMLANE_STATUS_ERROR:
        case MEMLANE_STATUS_TIMEOUT:
          failed++;
          if (reason == NULL)
            reason = cell->detail;
          break;
        case MEMLANE_STATUS_OK:
        case MEMLANE_STATUS_NOISY:
        case MEMLANE_STATUS_UNSUPPORTED:
        case MEMLANE_STATUS_CANCELLED:
        case MEMLANE_N_STATUSES:
        default:
          break;
        }
    }
  if (failed > 0)
    memlane_session_tell (self, TRUE, ngettext ("%u cell failed: %s", "%u cells failed; the first: %s", failed), failed,
                          reason != NULL ? reason : _("no reason was given"));
}

static void
end (MemlaneSession *self, MemlaneRunItem *item, gboolean stopped)
{
  self->running = self->stopping = self->start_waits = FALSE;
  g_clear_object (&self->cancellable);
  set_fraction (self, 0);
  set_status (self, "");
  memlane_session_notify (self, SESSION_STOPPING);
  memlane_session_notify (self, SESSION_RUNNING);
  memlane_session_say_charts_changed (self);
  memlane_session_say_swept (self, item, stopped);
  memlane_session_forget_trouble (self);
  memlane_session_ask_device (self);
}

static void
finished_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  MemlaneSweep *sweep = MEMLANE_SWEEP (source);
  GWeakRef *ref = user_data;
  g_autoptr (MemlaneSession) self = g_weak_ref_get (ref);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneRun) run = memlane_sweep_run_finish (sweep, result, &error);
  const char *journal = memlane_sweep_get_journal (sweep), *problem = memlane_sweep_get_journal_problem (sweep);
  g_autoptr (MemlaneRunItem) live = NULL;
  g_autofree char *device = NULL;
  gboolean measured = run != NULL && run->cells->len > 0;

  g_weak_ref_clear (ref);
  g_free (ref);
  if (self == NULL)
    {
      /* The window is gone: the journal keeps what there is for the next start. */
      if (!measured && journal != NULL)
        (void) memlane_journal_discard (journal, NULL);
      return;
    }
  g_signal_handlers_disconnect_by_data (sweep, self);
  live = g_steal_pointer (&self->live);
  device = g_strdup (live->run->device); /* another one may be chosen by now */
  g_clear_object (&self->sweep);
  memlane_run_store_end (self->store, live, run, journal);
  if (error != NULL)
    memlane_session_tell (self, TRUE, _("The device %s cannot be used: %s"), device, error->message);
  if (problem != NULL)
    memlane_session_tell (self, TRUE, _("The journal does not hold all of this run: %s"), problem);
  if (measured)
    tell_failures (self, run);
  end (self, measured ? live : NULL, memlane_sweep_was_cancelled (sweep));
}

/* --- its start -------------------------------------------------------------------------------------------------------- */

/* Chosen, and not known to be impossible; in the registry's order. */
static MemlanePlan *
make_plan (MemlaneSession *self)
{
  MemlanePlan *plan = memlane_plan_new ();
  guint n, chosen = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (self->modes, &modes[i]) && memlane_session_get_objection (self, modes[i].id) == NULL)
      plan->modes[chosen++] = &modes[i];
  plan->modes[chosen] = NULL;
  plan->method.workload = self->workload;
  plan->first_log2 = self->first_log2;
  plan->last_log2 = self->last_log2;
  plan->method.precision = self->precision;
  plan->method.cell_seconds = self->cell_seconds;
  plan->method.reuse = self->reuse;
  plan->method.streams = self->streams;
  plan->method.chunks = self->chunks;
  return plan;
}

/* "10:14 Simulated H200"; a second one of that name is "10:14 Simulated H200 (2)". */
static char *
make_name (MemlaneSession *self, MemlaneDeviceItem *device)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M");
  /* Translators: %s and %s are a time of day and a device */
  g_autofree char *base = g_strdup_printf (_("%s %s"), time, memlane_device_item_get_name (device));
  g_autofree char *name = g_strdup (base);

  for (guint n = 2; memlane_run_store_find (self->store, name) != NULL; n++)
    {
      g_free (name);
      name = g_strdup_printf ("%s (%u)", base, n);
    }
  return g_steal_pointer (&name);
}

void
memlane_session_start_sweep (MemlaneSession *self)
{
  g_autoptr (MemlanePlan) plan = make_plan (self);
  MemlaneDeviceItem *device = memlane_session_get_device_item (self);
  g_autofree char *name = NULL;
  GWeakRef *ref;

  self->start_waits = FALSE;
  if (plan->modes[0] == NULL)
    {
      const char *reason = NULL;

      (void) memlane_session_can_run (self, &reason);
      memlane_session_tell (self, TRUE, _("Nothing was measured: %s"), reason);
      end (self, NULL, FALSE);
      return;
    }
  name = make_name (self, device);
  self->live = g_object_ref (memlane_run_store_begin (self->store, self->device,
                                                      memlane_device_item_is_simulated (device) ? "simulated" : "cuda", name));
  self->plan_first = plan->first_log2;
  self->plan_last = plan->last_log2;
  self->sweep = memlane_sweep_new (self->device, plan, TRUE);
  g_signal_connect_object (self->sweep, "cells", G_CALLBACK (cells_cb), self, 0);
  g_signal_connect_object (self->sweep, "progress", G_CALLBACK (progress_cb), self, 0);
  ref = g_new0 (GWeakRef, 1);
  g_weak_ref_init (ref, self);
  memlane_sweep_run_async (self->sweep, self->cancellable, finished_cb, ref);
}

/* Why nothing can be measured, whatever is chosen; NULL: something can. */
static const char *
get_obstacle (MemlaneSession *self)
{
  MemlaneDeviceItem *device = memlane_session_get_device_item (self);
  const MemlaneObjections *objections = g_hash_table_lookup (self->objections, self->device);

  if (self->shut)
    return _("The window is closing");
  if (!self->devices_known)
    return _("Looking for devices");
  if (device == NULL || memlane_device_item_get_reason (device) != NULL)
    return _("Choose a device that can be used");
  return objections != NULL ? objections->error : NULL;
}

const char *
memlane_session_get_device_objection (MemlaneSession *self)
{
  const char *obstacle = get_obstacle (self);

  if (obstacle != NULL)
    return obstacle;
  if (self->running)
    return _("A sweep is running: wait for its end, or stop it");
  if (self->asking != NULL)
    return _("The device is being asked what it can do");
  return self->blocked;
}

gboolean
memlane_session_can_run (MemlaneSession *self, const char **reason)
{
  const char *why = get_obstacle (self);
  g_autoptr (GList) modes = g_hash_table_get_keys (self->modes);
  gboolean any = FALSE;

  for (GList *each = modes; each != NULL && !any; each = each->next)
    any = memlane_session_get_objection (self, ((const MemlaneMode *) each->data)->id) == NULL;
  if (why == NULL && modes == NULL)
    why = _("Choose at least one mode");
  else if (why == NULL && !any)
    why = _("None of the chosen modes can run on this device: choose another mode or device");
  else if (why == NULL)
    why = self->blocked;
  if (reason != NULL)
    *reason = why;
  return why == NULL;
}

void
memlane_session_block (MemlaneSession *self, const char *reason)
{
  if (g_strcmp0 (self->blocked, reason) == 0)
    return;
  g_free (self->blocked);
  self->blocked = g_strdup (reason);
  memlane_session_say_modes_changed (self);
  if (reason == NULL)
    memlane_session_ask_device (self); /* another one may have been chosen in the meantime */
}

void
memlane_session_run (MemlaneSession *self)
{
  const char *reason;

  if (self->running)
    return;
  if (!memlane_session_can_run (self, &reason))
    {
      memlane_session_tell (self, TRUE, "%s", reason);
      return;
    }
  self->running = TRUE;
  self->cancellable = g_cancellable_new ();
  set_status (self, _("Opening the device"));
  memlane_session_notify (self, SESSION_RUNNING);
  if (self->asking != NULL)
    self->start_waits = TRUE; /* two at once would disturb each other */
  else
    memlane_session_start_sweep (self);
}

void
memlane_session_stop (MemlaneSession *self)
{
  if (!self->running || self->stopping)
    return;
  self->stopping = TRUE;
  set_status (self, _("Stopping"));
  memlane_session_notify (self, SESSION_STOPPING);
  g_cancellable_cancel (self->cancellable);
  if (self->start_waits)
    end (self, NULL, TRUE);
}

gboolean
memlane_session_is_running (MemlaneSession *self)
{
  return self->running;
}

static gboolean
give_up_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_CONTINUE;
}

void
memlane_session_shut_down (MemlaneSession *self)
{
  gboolean gives_up = FALSE;
  guint timer;

  g_object_ref (self);
  self->shut = TRUE;
  memlane_session_stop (self);
  timer = g_timeout_add_seconds (WAIT_SECONDS, give_up_cb, &gives_up);
  while ((self->running || self->asking != NULL || memlane_run_store_is_writing (self->store)) && !gives_up)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  memlane_run_store_forget_removed (self->store);
  memlane_run_store_flush (self->store);
  if (self->settings != NULL)
    g_settings_sync ();
  g_object_unref (self);
}

void
memlane_session_abandon_sweep (MemlaneSession *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->sweep);
  g_clear_object (&self->live);
}
