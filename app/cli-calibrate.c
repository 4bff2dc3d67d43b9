/* cli-calibrate.c: memlane-cli calibrate, from recorded runs to the profile of a simulated device
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include "memlane.h"

#include <stdio.h>
#include <string.h>

static gboolean
is_write_error (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT)) /* a run or a base that cannot be used */
    return FALSE;
  return error->domain == G_FILE_ERROR || error->domain == G_IO_ERROR || g_error_matches (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
}

/* What the command line said. */
typedef struct
{
  char *output, *base, *device, *rounds;
  char **again;
  gboolean held_out, record, quiet;
} Asked;

static void
asked_clear (Asked *asked)
{
  g_free (asked->output);
  g_free (asked->base);
  g_free (asked->device);
  g_free (asked->rounds);
  g_strfreev (asked->again);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

/* --- recording -------------------------------------------------------------------------------------------------------------- */

/* What a fit needs: the addition with one launch and with several in a row, and what copies are made of. */
static const struct
{
  const char *workload;
  guint reuse;
} recorded[] = {
  { "vector-add", 1 }, { "vector-add", 16 }, { "copy-to-device", 1 }, { "copy-to-host", 1 }, { "copy-on-device", 1 }, { "copy-on-host", 1 },
  { "fill", 1 }, { "copy-kernel", 1 }, { "copy-bidirectional", 1 },
};

typedef struct
{
  GMainLoop *loop;
  GCancellable *cancellable;
  CliProgress *progress;
  MemlaneRun *run;
  GError *error;
} Recording;

static void
on_progress (MemlaneSweep *sweep, gpointer user_data)
{
  Recording *self = user_data;

  if (!g_cancellable_is_cancelled (self->cancellable))
    cli_progress_update (self->progress, sweep);
}

static void
on_finished (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Recording *self = user_data;

  self->run = memlane_sweep_run_finish (MEMLANE_SWEEP (source), result, &self->error);
  g_main_loop_quit (self->loop);
}

/* (transfer full); NULL with @error: nothing came of it, or it was stopped. */
static MemlaneRun *
record_one (Recording *self, const char *device, guint which, guint rounds, GError **error)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (MemlaneSweep) sweep = NULL;
  const char *trouble;

  plan->method.workload = memlane_workload_find (recorded[which].workload);
  plan->method.reuse = recorded[which].reuse;
  if (rounds > 0)
    plan->method.rounds = rounds;
  sweep = memlane_sweep_new (device, plan, FALSE);
  g_signal_connect (sweep, "progress", G_CALLBACK (on_progress), self);
  memlane_sweep_run_async (sweep, self->cancellable, on_finished, self);
  g_main_loop_run (self->loop);
  cli_progress_clear (self->progress);
  trouble = memlane_sweep_get_trouble (sweep);
  if (self->run != NULL && (g_cancellable_is_cancelled (self->cancellable) || trouble != NULL))
    {
      g_clear_pointer (&self->run, memlane_run_unref);
      g_set_error (error, G_IO_ERROR, trouble == NULL ? G_IO_ERROR_CANCELLED : G_IO_ERROR_FAILED, "%s",
                   trouble == NULL ? "interrupted; nothing was fitted" : trouble);
    }
  else if (self->run == NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  g_signal_handlers_disconnect_by_data (sweep, self);
  return g_steal_pointer (&self->run);
}

/* Appends a run for each row of the table to @runs. */
static gboolean
record (const Asked *asked, const char *device, guint rounds, GPtrArray *runs, GError **error)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Recording self = { .loop = loop, .cancellable = cancellable, .progress = cli_progress_new (asked->quiet) };
  gboolean done = TRUE;

  cli_signals_begin (cancellable, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (recorded) && done; i++)
    {
      MemlaneRun *run;

      if (!asked->quiet)
        g_printerr ("recording %u of %u: %s, reuse %u\n", i + 1, (guint) G_N_ELEMENTS (recorded), recorded[i].workload, recorded[i].reuse);
      run = record_one (&self, device, i, rounds, error);
      done = run != NULL;
      if (done)
        g_ptr_array_add (runs, run);
    }
  cli_signals_end ();
  cli_progress_free (self.progress);
  return done;
}

/* --- the command -------------------------------------------------------------------------------------------------------------- */

static int
check_usage (const Asked *asked, char **files)
{
  gboolean has_file = files[0] != NULL;
  g_autoptr (GError) error = NULL;

  if (asked->record && (has_file || asked->held_out))
    return cli_fail (CLI_USAGE, "calibrate: --record makes the runs itself and fits to all of them; leave out %s",
                     has_file ? files[0] : "--held-out");
  if (!asked->record && (asked->device != NULL || asked->rounds != NULL))
    return cli_fail (CLI_USAGE, "calibrate: %s is for recording; give --record, too", asked->device != NULL ? "--device" : "--rounds");
  if (!asked->record && !has_file)
    return cli_fail (CLI_USAGE, "calibrate: expected at least one recorded run: memlane-cli calibrate RUN.csv -o F.device");
  if (asked->held_out && asked->output != NULL)
    return cli_fail (CLI_USAGE, "calibrate: --held-out writes no profile; leave out either it or -o");
  if (asked->again != NULL && !asked->held_out)
    return cli_fail (CLI_USAGE, "calibrate: --again %s: it is what --held-out judges by; give --held-out, too", asked->again[0]);
  if (asked->output == NULL && !asked->held_out)
    return cli_fail (CLI_USAGE, "calibrate: expected -o F.device, the profile to write");
  if (asked->output != NULL && cli_output_is_input (asked->output, (const char *const *) files))
    return cli_fail (CLI_USAGE, "calibrate: %s is a recorded run; expected another name after -o", asked->output);
  /* A profile is found again by this ending; and a name that was meant for something else is not overwritten. */
  if (asked->output != NULL && !g_str_has_suffix (asked->output, ".device"))
    return cli_fail (CLI_USAGE, "calibrate: -o: found \"%s\", expected a file name that ends in .device", asked->output);
  if (asked->output != NULL && !cli_output_check (asked->output, CLI_FILE_PROFILE, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  return CLI_OK;
}

static gboolean
read_files (char **files, GPtrArray *runs, GError **error)
{
  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) read = cli_read_runs (files[i], error);

      if (read == NULL)
        return FALSE;
      for (guint j = 0; j < read->len; j++)
        g_ptr_array_add (runs, memlane_run_ref (read->pdata[j]));
    }
  return TRUE;
}

/* Without a GPU a simulated device is only recorded when it is asked for by name. */
static int
get_recording (const Asked *asked, GPtrArray *runs)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *device = NULL;
  guint rounds = 0;
  int status = CLI_OK;

  if (!cli_options_count ("--rounds", asked->rounds, 1, MEMLANE_MOST_ROUNDS, &rounds, &error))
    return cli_fail (CLI_USAGE, "calibrate: %s", error->message);
  device = cli_device_choose (asked->device, asked->quiet, &status);
  if (device == NULL)
    return status;
  if (asked->device == NULL && g_str_has_prefix (device, "simulated:"))
    return cli_fail (CLI_NOTHING, "calibrate: there is no GPU to record; --device %s tries out how it is done", device);
  if (!record (asked, device, rounds, runs, &error))
    return cli_fail (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? CLI_INTERRUPTED : CLI_NOTHING, "calibrate: %s",
                     error->message);
  return CLI_OK;
}

static int
run (int argc, char **argv)
{
  g_auto (Asked) asked = { 0 };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked.output, "The profile to write; its name ends in .device", "F.device" },
    { "base", 'b', 0, G_OPTION_ARG_FILENAME, &asked.base, "The simulated device to start from (default: h200)", "NAME" },
    { "held-out", 0, 0, G_OPTION_ARG_NONE, &asked.held_out, "Only tell how well fits to a part of the figures predict the others", NULL },
    { "again", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &asked.again, "With --held-out: a second recording to judge by; may be given again",
      "RUN.csv" },
    { "record", 0, 0, G_OPTION_ARG_NONE, &asked.record, "Record the runs here, and fit to them", NULL },
    { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device, "With --record: what to record (default: a GPU)", "ID" },
    { "rounds", 0, 0, G_OPTION_ARG_FILENAME, &asked.rounds, "With --record: rounds of each run, 1 to 64 (default: 6)", "N" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &asked.quiet, "With --record: say nothing of its progress", NULL },
    { NULL },
  };
  g_auto (GStrv) files = NULL;
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GPtrArray) again = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *base_id = NULL;
  int status;

  if (!cli_options_parse (&cli_calibrate, entries, argc, argv, CLI_ANY_NUMBER, &files, &status))
    return status;
  status = check_usage (&asked, files);
  if (status == CLI_OK && asked.record)
    status = get_recording (&asked, runs);
  if (status != CLI_OK)
    return status;
  if (!read_files (files, runs, &error) || (asked.again != NULL && !read_files (asked.again, again, &error)))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (asked.base != NULL)
    base_id = strchr (asked.base, ':') != NULL ? g_strdup (asked.base) : g_strconcat ("simulated:", asked.base, NULL);
  if (asked.held_out)
    {
      if (!memlane_held_out (runs, again->len > 0 ? again : NULL, base_id, report, &error))
        return cli_fail (CLI_USAGE, "calibrate: %s", error->message);
      g_print ("%s", report->str);
      return CLI_OK;
    }
  if (!memlane_calibrate (runs, asked.record, base_id, asked.output, report, &error))
    return cli_fail (is_write_error (error) ? CLI_NOTHING : CLI_USAGE, "calibrate: %s", error->message);
  /* Both streams may be one terminal: the report is out, and ends its line, before anything else is said. */
  g_print ("%s%s", report->str, report->len > 0 && report->str[report->len - 1] != '\n' ? "\n" : "");
  fflush (stdout);
  g_printerr ("written: %s; use it with --device simulated:%s%s\n", asked.output, strchr (asked.output, '/') == NULL ? "./" : "",
              asked.output);
  return CLI_OK;
}
const CliCommand cli_calibrate = {
  .name = "calibrate",
  .arguments = "[RUN.csv...]",
  .summary = "Fit the profile of a simulated device to recorded runs",
  .description =
    "Reads sweeps that were recorded on a GPU, fits the simulated device's times to\n"
    "them, writes the profile and reports how far the simulated cells are from the\n"
    "recorded ones: median and worst error, and the worst cells.\n"
    "\n"
    "With --record the runs are made here first: the addition at two reuses and seven\n"
    "workloads, some four minutes on a GPU. A profile in the folder memlane/devices of\n"
    "the user's data (~/.local/share) is listed by memlane-cli devices and by the window.\n"
    "\n"
    "Examples:\n"
    "  memlane-cli calibrate --record --device cuda:0 -o mine.device\n"
    "  memlane-cli sweep --device cuda:0 --csv mine.csv\n"
    "  memlane-cli calibrate mine.csv -o mine.device\n"
    "  memlane-cli sweep --device simulated:./mine.device --csv modelled.csv",
  .run = run,
  .writes = TRUE,
};
