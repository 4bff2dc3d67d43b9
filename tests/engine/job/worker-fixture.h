/* worker-fixture.h: scripts in the place of memlane-cli, and what became of their processes
 *
 * SPDX-License-Identifier: MIT
 *
 * A script is run by sh. $PROGRAM is the real memlane-cli. It and what it starts write their process ids into the file $PIDS.
 */
#pragma once

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "base/each.h"
#include "job/journal.h"
#include "job/sweep.h"

typedef struct
{
  char *folder, *script, *pids;
} Scripts;

static Scripts scripts;

static void
scripts_begin (void)
{
  GError *error = NULL;

  scripts.folder = g_dir_make_tmp ("memlane-worker-XXXXXX", &error);
  g_assert_no_error (error);
  scripts.script = g_build_filename (scripts.folder, "memlane-cli", NULL);
  scripts.pids = g_build_filename (scripts.folder, "pids", NULL);
  g_setenv ("PROGRAM", g_getenv ("MEMLANE_CLI"), TRUE);
  g_setenv ("PIDS", scripts.pids, TRUE);
  g_setenv ("XDG_STATE_HOME", scripts.folder, TRUE);
  g_setenv ("XDG_CONFIG_HOME", scripts.folder, TRUE);
}

static void
scripts_end (void)
{
  g_autoptr (GSubprocess) remove = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "rm", "-rf", scripts.folder, NULL);

  g_subprocess_wait (remove, NULL, NULL);
  g_free (scripts.folder);
  g_free (scripts.script);
  g_free (scripts.pids);
}

/* The script that is started instead of memlane-cli from now on. */
static void
use_script (const char *body)
{
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\necho $$ >>\"$PIDS\"\n%s\n", body);
  GError *error = NULL;

  g_unlink (scripts.pids);
  g_file_set_contents (scripts.script, text, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (scripts.script, 0700), ==, 0);
  g_setenv ("MEMLANE_CLI", scripts.script, TRUE);
}

/* A process that has ended and that nobody has waited for is gone, too: in a container nobody may ever. */
static gboolean
is_gone (const char *pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/stat", pid), *text = NULL;
  const char *state;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return TRUE;
  state = strrchr (text, ')');
  return state == NULL || state[2] == 'Z' || state[2] == 'X';
}

static void
assert_all_gone (const char *what)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) pids = NULL;

  if (!g_file_get_contents (scripts.pids, &text, NULL, NULL))
    return;
  pids = g_strsplit (text, "\n", -1);
  for (guint i = 0; pids[i] != NULL; i++)
    {
      guint patience = 100;

      while (*pids[i] != '\0' && !is_gone (pids[i]) && patience-- > 0)
        g_usleep (G_USEC_PER_SEC / 10);
      if (*pids[i] != '\0' && !is_gone (pids[i]))
        g_error ("%s: process %s stayed behind", what, pids[i]);
    }
}

/* --- sweeps ------------------------------------------------------------------------------------------------------------------ */

typedef struct
{
  gboolean noise; /* the device varies, so that a run takes all of its rounds */
  GMainLoop *loop;
  MemlaneRun *run;
  GError *error;
  char *trouble, *problem; /* of the run, of the journal */
  gboolean was_cancelled;
  guint waited;            /* progress that said that it waits */
  char *waiting;           /* what it said last */
  GCancellable *cancellable;
  gboolean stops_waiting;  /* cancel when the host says that it waits */
  void (*on_cell) (MemlaneSweep *sweep, MemlaneCell *cell, gpointer user_data); /* (nullable) */
  gpointer on_cell_data;
} Outcome;

static void
outcome_clear (Outcome *self)
{
  g_clear_pointer (&self->run, memlane_run_unref);
  g_clear_error (&self->error);
  g_free (self->trouble);
  g_free (self->problem);
  g_free (self->waiting);
  g_clear_object (&self->cancellable);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static void
outcome_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;

  outcome->run = g_task_propagate_pointer (G_TASK (result), &outcome->error);
  g_main_loop_quit (outcome->loop);
}

static void
outcome_progress_cb (MemlaneSweep *sweep, Outcome *outcome)
{
  const char *waiting = memlane_sweep_get_progress (sweep)->waiting;

  if (waiting == NULL)
    return;
  outcome->waited++;
  g_free (outcome->waiting);
  outcome->waiting = g_strdup (waiting);
  if (outcome->stops_waiting)
    g_cancellable_cancel (outcome->cancellable);
}

/* Sweeps to the end; what is in the journal is the run, and is removed. */
static void
sweep_to_end (Outcome *outcome, const char *device, const char *modes, const char *sizes)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (MemlaneSweep) sweep = NULL;
  GError *error = NULL;

  plan->method.rounds = 6;
  plan->method.noise = outcome->noise;
  memlane_plan_set_modes (plan, modes, &error);
  g_assert_no_error (error);
  memlane_plan_set_sizes (plan, sizes, &error);
  g_assert_no_error (error);
  plan->method.cell_seconds = 0.01; /* ten samples */
  sweep = memlane_sweep_new (device, plan, TRUE);
  outcome->loop = g_main_loop_new (NULL, FALSE);
  outcome->cancellable = g_cancellable_new ();
  g_signal_connect (sweep, "progress", G_CALLBACK (outcome_progress_cb), outcome);
  if (outcome->on_cell != NULL)
    g_signal_connect (sweep, "cell", G_CALLBACK (outcome->on_cell), outcome->on_cell_data);
  memlane_sweep_run_async (sweep, outcome->cancellable, outcome_cb, outcome);
  g_main_loop_run (outcome->loop);
  g_clear_pointer (&outcome->loop, g_main_loop_unref);
  outcome->trouble = g_strdup (memlane_sweep_get_progress (sweep)->trouble);
  outcome->problem = g_strdup (memlane_sweep_get_progress (sweep)->journal_problem);
  outcome->was_cancelled = memlane_sweep_get_progress (sweep)->was_cancelled;
  if (memlane_sweep_get_progress (sweep)->journal != NULL)
    {
      g_autoptr (MemlaneRun) stored = memlane_journal_read (memlane_sweep_get_progress (sweep)->journal, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (stored->cells->len, ==, outcome->run->cells->len);
      memlane_journal_discard (memlane_sweep_get_progress (sweep)->journal, &error);
      g_assert_no_error (error);
    }
}

static guint
count_measured (const MemlaneRun *run)
{
  guint n = 0;

  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      n += cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY;
    }
  return n;
}

/* The cell that failed alone among those of the run. */
static const MemlaneCell *
find_failed (const MemlaneRun *run)
{
  const MemlaneCell *failed = NULL;

  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      if (cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY)
        continue;
      g_assert_null (failed);
      failed = cell;
    }
  return failed;
}

static void
assert_says (const char *what, const char *text, const char *part)
{
  if (text == NULL || strstr (text, part) == NULL)
    g_error ("%s: expected \"%s\" in \"%s\"", what, part, text != NULL ? text : "(nothing)");
}
