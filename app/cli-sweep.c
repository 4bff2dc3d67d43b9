/* cli-sweep.c: memlane-cli sweep, modes x sizes into a CSV
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "base/host-memory.h"
#include "base/i18n.h"
#include "base/save.h"
#include "base/size.h"
#include "base/each.h"

/* The options of the command line, as text. */
static struct
{
  char *device, *workload, *modes, *sizes, *per_octave, *csv, *samples_csv;
  char *rounds, *precision, *cell_seconds, *reuse, *streams, *chunks, *seed, *noise, *beside, *busy;
  char *hosts, *slurm, *numa, *jobs, *format, *again;
  gboolean cold_cache, quiet, plan, anonymous, json;
} asked;

static const GOptionEntry options[] = {
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device,
    "Where to measure (default: a GPU, else simulated:h200)", "ID" },
  { "workload", 'w', 0, G_OPTION_ARG_FILENAME, &asked.workload,
    "What to do with the vectors (default: vector-add)", "W" },
  { "modes", 'm', 0, G_OPTION_ARG_FILENAME, &asked.modes,
    "Memory modes, by comma, or all (default: all)", "M,..." },
  { "sizes", 's', 0, G_OPTION_ARG_FILENAME, &asked.sizes,
    "Vectors of 2^p floats, or as 100000 or 4MiB (default: 10:20)", "P[:Q],..." },
  { "per-octave", 0, 0, G_OPTION_ARG_FILENAME, &asked.per_octave,
    "Sizes from each power of two to the next, 1 to 8 (default: 1)", "N" },
  { "csv", 'c', 0, G_OPTION_ARG_FILENAME, &asked.csv,
    "The file for the rows (- is standard output; default: print a table)", "F" },
  { "samples-csv", 0, 0, G_OPTION_ARG_FILENAME, &asked.samples_csv,
    "A file for every single sample (- is standard output)", "F" },
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &asked.format,
    "0.2: --csv has the columns of Memlane 0.2", "VERSION" },
  { "anonymous", 0, 0, G_OPTION_ARG_NONE, &asked.anonymous,
    "Leave the host's name and boot id out of F.environment.json", NULL },
  { "rounds", 0, 0, G_OPTION_ARG_FILENAME, &asked.rounds,
    "Processes that measure every cell, 1 to 64 (default: 12)", "N" },
  { "again", 0, 0, G_OPTION_ARG_FILENAME, &asked.again,
    "Sweep until the machine has N earlier sweeps, 1 to 8; the last counts", "N" },
  { "precision", 0, 0, G_OPTION_ARG_FILENAME, &asked.precision,
    "The estimate is to be known to +-PERCENT (default: 20)", "PERCENT" },
  { "cell-seconds", 0, 0, G_OPTION_ARG_FILENAME, &asked.cell_seconds,
    "Time of a cell in all rounds (default: 0.25)", "SECONDS" },
  { "reuse", 0, 0, G_OPTION_ARG_FILENAME, &asked.reuse,
    "Kernel launches (or copies) per transfer (default: 1)", "R" },
  { "streams", 0, 0, G_OPTION_ARG_FILENAME, &asked.streams,
    "Streams of the stream modes (default: 8, at most " G_STRINGIFY (MEMLANE_MOST_STREAMS) ")",
    "S" },
  { "chunks", 0, 0, G_OPTION_ARG_FILENAME, &asked.chunks,
    "Chunks of the stream modes, or number of pieces (default: 8)", "K" },
  { "beside", 0, 0, G_OPTION_ARG_FILENAME, &asked.beside,
    "What the GPU does meanwhile: none, compute, copies-up, copies-down or both", "WHAT" },
  { "busy", 0, 0, G_OPTION_ARG_FILENAME, &asked.busy,
    "With --beside compute: share of the multiprocessors (default: 100)", "PERCENT" },
  { "seed", 0, 0, G_OPTION_ARG_FILENAME, &asked.seed,
    "Seed of inputs and orders (default: 20180501)", "N" },
  { "noise", 0, 0, G_OPTION_ARG_FILENAME, &asked.noise,
    "recorded: a simulated device varies as the GPU did, by --seed", "KIND" },
  { "hosts", 0, 0, G_OPTION_ARG_FILENAME, &asked.hosts,
    "Every GPU of these machines, by ssh; --csv is a folder", "H,..." },
  { "slurm", 0, 0, G_OPTION_ARG_FILENAME, &asked.slurm,
    "Every GPU of a Slurm partition; options of sbatch, or \"\"", "OPTIONS" },
  { "jobs", 0, 0, G_OPTION_ARG_FILENAME, &asked.jobs,
    "With --hosts: GPUs that measure at once (default: 16)", "N" },
  { "numa", 0, 0, G_OPTION_ARG_FILENAME, &asked.numa,
    "Processors and memory of each of these nodes, or all", "N,..." },
  { "plan", 0, 0, G_OPTION_ARG_NONE, &asked.plan,
    "Measure nothing; say how much memory each mode needs, and what is free", NULL },
  { "cold-cache", 0, 0, G_OPTION_ARG_NONE, &asked.cold_cache,
    "Flush the device's second-level cache before each sample", NULL },
  CLI_JSON_ENTRY (asked.json),
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &asked.quiet, "Say nothing but warnings and errors", NULL },
  { NULL },
};

static GCancellable *cancellable;

static MemlanePlan *
make_plan (GError **error)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  double percent = plan->method.precision * 100;
  guint per_octave = 1;

  if (!cli_options_workload (asked.workload, &plan->method.workload, error)
      || !memlane_plan_set_modes (plan, asked.modes != NULL ? asked.modes : "all", error)
      || !cli_options_count ("--per-octave", asked.per_octave, 1, MEMLANE_MOST_PER_OCTAVE,
                             &per_octave, error)
      || !memlane_plan_set_size_list (plan, asked.sizes != NULL ? asked.sizes : "10:20", per_octave,
                                      error)
      || !cli_options_count ("--rounds", asked.rounds, 1, MEMLANE_MOST_ROUNDS, &plan->method.rounds,
                             error)
      || !cli_options_number ("--precision", asked.precision, 0.01, 100, &percent, error)
      || !cli_options_number ("--cell-seconds", asked.cell_seconds, 0.001, 3600,
                              &plan->method.cell_seconds, error)
      || !cli_options_count ("--reuse", asked.reuse, 1, MEMLANE_MOST_REUSE, &plan->method.reuse,
                             error)
      || !cli_options_count ("--streams", asked.streams, 1, MEMLANE_MOST_STREAMS,
                             &plan->method.streams, error)
      || !cli_options_count ("--chunks", asked.chunks, 1, MEMLANE_MOST_PIECES, &plan->method.chunks,
                             error)
      || !cli_options_beside (asked.beside, asked.busy, &plan->method, error)
      || !cli_options_integer ("--seed", asked.seed, 0, G_MAXUINT64, &plan->method.seed, error))
    return NULL;
  plan->method.precision = percent / 100;
  plan->method.keep_samples = asked.samples_csv != NULL;
  plan->method.cold_cache = asked.cold_cache;
  plan->method.noise = asked.noise != NULL;
  return g_steal_pointer (&plan);
}

/* "4 GiB" */
static char *
format_bytes (guint64 bytes)
{
  const double value = (double) bytes;

  return memlane_fact_format (
      &(MemlaneFact) { .kind = MEMLANE_FACT_BYTES, .number = { value, value, value } });
}

static void
add_bytes (CliTable *table, guint64 bytes)
{
  g_autofree char *text = bytes > 0 ? format_bytes (bytes) : g_strdup ("-");

  cli_table_add_cell (table, text);
}

/* Says what each mode needs at the largest size, and what is there. */
static int
print_plan (const MemlanePlan *plan, const char *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneDeviceInfo) info = memlane_device_describe (device, &error);
  const guint64 available = memlane_host_memory_get_available (),
                elements = memlane_size_elements (plan->last_log2);
  const guint64 lockable = memlane_host_memory_get_lockable ();
  guint64 most = 0;
  g_autofree char *size = memlane_size_format (plan->last_log2), *host = format_bytes (available);
  g_autofree char *locked = format_bytes (available / 2), *memory = NULL;
  CliTable *table;

  if (info == NULL)
    return cli_fail (cli_device_status (device), "device %s cannot be used: %s", device,
                     error->message);
  memory = format_bytes (info->memory_bytes);
  table = cli_table_new (5, "MODE", "HOST", "PAGE-LOCKED", "DEVICE", "OBSTACLE");
  for (const MemlaneMode **mode = plan->modes; *mode != NULL; mode++)
    {
      g_autofree char *reason = NULL;
      MemlaneNeed need = { 0 };

      if (memlane_workload_is_supported (plan->method.workload, *mode, info, &reason))
        memlane_method_find_need (&plan->method, *mode, elements, &need);
      most = MAX (most, need.locked);
      cli_table_add_cell (table, (*mode)->id);
      add_bytes (table, need.host);
      add_bytes (table, need.locked);
      add_bytes (table, need.device);
      cli_table_add_cell (table, reason != NULL ? reason
                                 : available > 0 && need.locked > available / 2
                                     ? "too much to page-lock"
                                 : available > 0 && need.host > available ? "too much host memory"
                                 : info->memory_bytes > 0 && need.device > info->memory_bytes
                                     ? "too much device memory"
                                     : "");
    }
  g_print ("%u measurements. Memory at %s floats; of the host %s are free, %s of which may be "
           "page-locked; the device has %s\n\n",
           memlane_plan_count_cells (plan), size, host, locked, memory);
  cli_table_print (table);
  if (most > lockable && lockable > 0)
    {
      g_autofree char *limit = format_bytes (lockable),
                      *says = g_strdup_printf (MEMLANE_LOCKABLE_SAYS, limit);

      g_printerr ("note: %s\n", says);
    }
  return CLI_OK;
}

/* Everything that will be written, before anything is measured. */
static int
check_outputs (const MemlanePlan *plan)
{
  const gboolean is_file = asked.csv != NULL && !memlane_save_is_stream (asked.csv);
  g_autofree char *environment = is_file ? memlane_csv_environment_path (asked.csv) : NULL;
  g_autofree char *rounds = is_file ? memlane_csv_rounds_path (asked.csv) : NULL;
  const char *const paths[] = { asked.csv, environment, rounds, asked.samples_csv };
  const CliFileKind kinds[] = { CLI_FILE_RUNS, CLI_FILE_ENVIRONMENT, CLI_FILE_ROUNDS,
                                CLI_FILE_SAMPLES };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    if (paths[i] != NULL
        && (!cli_output_check (paths[i], kinds[i], &error)
            || (i == 0
                && !cli_output_check_cells (asked.csv, memlane_plan_count_cells (plan), &error))))
      return cli_fail (CLI_NOTHING, "%s", error->message);
  for (guint i = 0; i < 3; i++)
    if (paths[i] != NULL && asked.samples_csv != NULL
        && cli_output_is_same (paths[i], asked.samples_csv))
      return cli_fail (CLI_USAGE, "sweep: --samples-csv: expected a file of its own, not %s",
                       asked.samples_csv);
  return CLI_OK;
}

static void
on_interrupt (void)
{
  cli_progress_clear ();
  g_printerr ("interrupted: what is measured is being written\n");
}

/* The journal's problem is said when it begins and not at the end, so that a disk can be made room
 * on. */
static void
on_progress (MemlaneSweep *sweep, gpointer unused)
{
  static gboolean has_said_problem;
  const MemlaneSweepProgress *progress = memlane_sweep_get_progress (sweep);
  const char *problem = progress->journal_problem;

  if (problem != NULL && !has_said_problem)
    {
      has_said_problem = TRUE;
      cli_progress_clear ();
      g_printerr ("memlane-cli: warning: the journal %s this run: %s; each cell tries again\n",
                  progress->run->cells->len > 1 ? "holds only a part of" : "does not hold",
                  problem);
    }
  if (!g_cancellable_is_cancelled (cancellable))
    cli_progress_update (sweep);
}

/* How many rounds the figures stand on, and what that is worth. */
static void
say_rounds (MemlaneSweep *sweep, const MemlaneRun *run)
{
  const char *model = memlane_environment_get_text (run->environment,
                                                    MEMLANE_ENVIRONMENT_CALIBRATED_FROM);
  guint least = G_MAXUINT, most = 0;

  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      const MemlaneFigure *elapsed =
          memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);

      if (elapsed == NULL || elapsed->n_rounds == 0)
        continue;
      least = MIN (least, elapsed->n_rounds);
      most = MAX (most, elapsed->n_rounds);
    }
  if (most == 0)
    return;
  if (memlane_sweep_get_progress (sweep)->is_exact)
    g_printerr ("  one round: its figures are repeatable; a model%s%s\n",
                model != NULL ? ", fitted to " : "", model != NULL ? model : "");
  else if (least == most)
    g_printerr ("  %u round%s%s\n", most, most == 1 ? "" : "s",
                most < 6 ? "; a 95 % interval takes 6" : "");
  else
    g_printerr ("  %u to %u rounds%s\n", least, most, least < 6 ? "; a 95 % interval takes 6" : "");
}

/* Says what the intervals for other sweeps rest on. */
static void
say_history (const MemlaneRun *run)
{
  double n = memlane_environment_get_number (run->environment, MEMLANE_ENVIRONMENT_HISTORY_SWEEPS);

  if (isnan (n))
    return;
  if (n < MEMLANE_HISTORY_LEAST)
    g_printerr ("  intervals for other sweeps by the drift of other machines: there are %g earlier "
                "sweeps of this one; --again %d measures "
                "what is missing\n",
                n, MEMLANE_HISTORY_LEAST);
  else
    g_printerr ("  intervals for other sweeps by %g earlier sweeps of this machine\n", n);
  if (memlane_environment_get_flag (run->environment, MEMLANE_ENVIRONMENT_HISTORY_GREW))
    g_printerr ("memlane-cli: warning: this sweep differs from the earlier ones of the machine by "
                "more than they do from each other; its "
                "intervals are wider\n");
}

/* Prints the median elapsed time of each cell: a row for each mode, a column for each size. */
static void
print_table (const MemlanePlan *plan, const MemlaneRun *run)
{
  const char *workload = ((const MemlaneCell *) run->cells->pdata[0])->workload;
  CliTable *table = cli_table_new_columns (memlane_plan_count_sizes (plan) + 1);

  cli_table_add_cell (table, "MODE");
  for (guint i = 0; i < memlane_plan_count_sizes (plan); i++)
    {
      g_autofree char *size = memlane_size_format (memlane_plan_get_size (plan, i));

      cli_table_add_cell (table, size);
    }
  for (const MemlaneMode **mode = plan->modes; *mode != NULL; mode++)
    {
      cli_table_add_cell (table, (*mode)->id);
      for (guint i = 0; i < memlane_plan_count_sizes (plan); i++)
        {
          const MemlaneCell *cell = memlane_run_find (run, workload, (*mode)->id,
                                                      memlane_plan_get_size (plan, i));
          const MemlaneFigure *elapsed = cell != NULL
                                             ? memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED,
                                                                  MEMLANE_CLOCK_HOST)
                                             : NULL;
          g_autofree char *time = elapsed != NULL
                                      ? memlane_summary_format_time (elapsed->statistics.median)
                                      : NULL;

          cli_table_add_cell (table, time != NULL ? time : "-");
        }
    }
  g_print (
      "%sTime until the result can be read, by the number of floats; --csv F keeps all figures\n\n",
      memlane_run_is_simulated (run) ? "SIMULATED. " : "");
  cli_table_print (table);
}

typedef struct
{
  CliJson *json;
  const MemlaneCell *cell;
} JsonRow;

/* The columns of one row of the CSV that are not empty, but for those of its run. */
static void
add_row (const MemlaneFigure *figure, gpointer user_data)
{
  const JsonRow *row = user_data;
  MemlaneColumn columns[MEMLANE_MOST_COLUMNS];
  const guint n = memlane_table_columns (MEMLANE_TABLE_RUNS, columns);
  g_autoptr (GString) text = g_string_new (NULL);

  cli_json_open (row->json, NULL, '{');
  for (guint i = 0; i < n; i++)
    {
      const MemlaneMember *member = columns[i].member;
      gconstpointer structure = columns[i].part == MEMLANE_PART_CELL ? (gconstpointer) row->cell
                                                                     : figure;

      g_string_truncate (text, 0);
      if (columns[i].part != MEMLANE_PART_RUN)
        memlane_member_append (text, member, structure);
      if (text->len == 0)
        continue;
      if (member->kind == MEMLANE_MEMBER_INTEGER || member->kind == MEMLANE_MEMBER_NUMBER
          || member->kind == MEMLANE_MEMBER_BANDWIDTH)
        cli_json_number (row->json, member->column, g_ascii_strtod (text->str, NULL));
      else if (member->kind == MEMLANE_MEMBER_TEXT)
        cli_json_text (row->json, member->column, figure->detail);
      else
        cli_json_text (row->json, member->column, text->str);
    }
  cli_json_close (row->json);
}

static void
print_json (const MemlaneRun *run)
{
  CliJson *json = cli_json_new ("run");

  cli_json_add (json, { "run", CLI_TEXT (run->id) },
                { "device", CLI_TEXT (run->device) },
                { "device_kind", CLI_TEXT (run->device_kind) });
  cli_json_open (json, "rows", '[');
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    memlane_csv_visit_rows (cell, FALSE, add_row, &(JsonRow) { json, cell });
  cli_json_print (json);
}

static gboolean
write_csv (MemlaneRun *run, const char *path, GError **error)
{
  if (asked.anonymous && run->environment != NULL)
    {
      g_autoptr (MemlaneEnvironment) named = run->environment;

      run->environment = memlane_environment_without_host (named);
    }
  return memlane_csv_write_as (run, path, asked.format != NULL, error);
}

/* The end of a run that was measured: the files, the journal, the summary, the status. */
static int
conclude (const MemlanePlan *plan, MemlaneSweep *sweep, MemlaneRun *run, double seconds)
{
  const MemlaneSweepProgress *progress = memlane_sweep_get_progress (sweep);
  const char *journal = progress->journal, *problem = progress->journal_problem,
             *trouble = progress->trouble;
  gboolean interrupted = progress->was_cancelled;
  g_autoptr (GError) error = NULL;
  g_autofree char *time = cli_format_seconds (seconds);
  CliCount count;

  cli_count_cells (run, &count);
  if (trouble != NULL)
    g_printerr ("memlane-cli: the sweep ended early, with %u of %u cells, in round %u of %u: %s\n",
                run->cells->len, memlane_plan_count_cells (plan), progress->round, progress->rounds,
                trouble);
  if (run->cells->len == 0)
    {
      if (journal != NULL)
        memlane_journal_discard (journal, NULL);
      return cli_fail (interrupted ? CLI_INTERRUPTED : CLI_NOTHING, "no cell was measured%s%s",
                       asked.csv != NULL ? "; not written: " : "",
                       asked.csv != NULL ? asked.csv : "");
    }

  if (asked.json)
    print_json (run);
  if (asked.csv == NULL)
    {
      if (g_strcmp0 (asked.samples_csv, "-") != 0 && !asked.json)
        print_table (plan, run);
    }
  else if (interrupted && journal != NULL && problem == NULL
           && !cli_output_check_cells (asked.csv, run->cells->len, &error))
    return cli_fail (CLI_INTERRUPTED,
                     "%s. The journal holds what was measured: memlane-cli recover %s --csv F",
                     error->message, run->id);
  else if (!write_csv (run, asked.csv, &error) && !cli_output_is_closed (asked.csv))
    {
      g_autofree char *name = g_strconcat (run->id, ".csv", NULL), *folder = NULL, *spare = NULL;

      if (journal != NULL && problem == NULL)
        return cli_fail (CLI_NOTHING,
                         "%s. The journal holds the run: memlane-cli recover %s --csv F",
                         error->message, run->id);
      /* a name in /tmp that others can foresee may be theirs already */
      folder = g_dir_make_tmp ("memlane-XXXXXX", NULL);
      spare = folder != NULL ? g_build_filename (folder, name, NULL) : NULL;
      if (spare != NULL && write_csv (run, spare, NULL))
        return cli_fail (CLI_NOTHING, "%s. The run is in %s", error->message, spare);
      if (folder != NULL)
        g_rmdir (folder);
      if (journal != NULL)
        return cli_fail (CLI_NOTHING,
                         "%s. The journal holds the first cells: memlane-cli recover %s --csv F",
                         error->message, run->id);
      return cli_fail (CLI_NOTHING,
                       "%s, no journal could be kept, and %s has no room: the run is lost",
                       error->message, g_get_tmp_dir ());
    }
  g_clear_error (&error); /* that of a reader who has gone */
  if (asked.samples_csv != NULL && !memlane_csv_write_samples (run, asked.samples_csv, &error))
    {
      if (journal != NULL)
        memlane_journal_discard (journal, NULL);
      return cli_fail (CLI_NOTHING, "%s; the single samples are lost", error->message);
    }
  if (journal != NULL && !memlane_journal_discard (journal, &error))
    g_printerr ("the run is safe, but its journal cannot be removed: %s\n", error->message);

  if (!asked.quiet)
    {
      g_printerr ("%u cells: %u measured", run->cells->len, count.measured);
      if (count.noisy > 0)
        g_printerr (" (%u with a noisy elapsed time)", count.noisy);
      g_printerr (", %u unsupported, %u failed", count.unsupported, count.failed);
      if (count.cancelled > 0)
        g_printerr (", %u cancelled", count.cancelled);
      g_printerr ("; %s%s%s\n", time, asked.csv != NULL ? "; " : "",
                  g_strcmp0 (asked.csv, "-") == 0 ? "standard output"
                  : asked.csv != NULL             ? asked.csv
                                                  : "");
      say_rounds (sweep, run);
      say_history (run);
    }
  cli_print_reasons (run, asked.quiet);
  cli_print_control (run, asked.quiet);
  return trouble != NULL ? CLI_FAILED_CELLS : cli_count_status (&count, interrupted);
}

/* Whether one more sweep brings the machine nearer to the @wanted earlier ones. *@known: those that
 * the sweep before had; -1: none was. */
static gboolean
is_wanted_again (const MemlaneSweepProgress *progress, guint wanted, double *known)
{
  if (progress->was_cancelled || progress->trouble != NULL || progress->run == NULL
      || !memlane_history_is_missing (progress->run, wanted, known))
    return FALSE;
  if (!asked.quiet)
    g_printerr ("%g of %u earlier sweeps: the machine is measured again\n", *known, wanted);
  return TRUE;
}

static int
measure (const char *device, const MemlanePlan *plan, guint again)
{
  g_autoptr (MemlaneSweep) sweep = NULL;
  g_autoptr (MemlaneRun) run = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start;
  double known = -1;
  int status;

  cancellable = g_cancellable_new ();
  cli_progress_begin (asked.quiet);
  cli_signals_begin (cancellable, on_interrupt);
  do
    {
      if (sweep != NULL && memlane_sweep_get_progress (sweep)->journal != NULL)
        memlane_journal_discard (memlane_sweep_get_progress (sweep)->journal, NULL);
      g_clear_pointer (&run, memlane_run_unref);
      g_set_object (&sweep, NULL);
      sweep = memlane_sweep_new (device, plan, TRUE);
      start = g_get_monotonic_time ();
      g_signal_connect (sweep, "progress", G_CALLBACK (on_progress), NULL);
      run = cli_sweep_wait (sweep, cancellable, &error);
      cli_progress_clear ();
    }
  while (run != NULL && is_wanted_again (memlane_sweep_get_progress (sweep), again, &known));
  if (run != NULL)
    status = conclude (plan, sweep, run, (double) (g_get_monotonic_time () - start) / 1e6);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    status = cli_fail (CLI_INTERRUPTED, "no cell was measured");
  else
    status = cli_fail (cli_device_status (device), "device %s cannot be used: %s", device,
                       error->message);
  g_signal_handlers_disconnect_by_func (sweep, on_progress, NULL);
  cli_signals_end ();
  g_clear_object (&cancellable);
  return status;
}

/* All GPUs here, by commas, or else the device that is chosen when none is asked for. */
static char *
choose_gpus (int *status)
{
  g_autofree char *all = asked.device == NULL ? cli_device_list_gpus (NULL) : g_strdup ("");

  return *all != '\0' ? g_steal_pointer (&all)
                      : cli_device_choose (asked.device, asked.quiet, status);
}

/* One run for each GPU of many machines, or NUMA node of this one. */
static int
measure_fleet (const MemlanePlan *plan)
{
  static const char *const own[] = { "device", "csv",  "samples-csv", "hosts", "slurm",
                                     "numa",   "jobs", "plan",        "quiet", NULL };
  guint jobs = asked.numa != NULL ? 1 : 16,
        ways = (asked.hosts != NULL) + (asked.slurm != NULL) + (asked.numa != NULL);
  g_autoptr (GPtrArray) passed = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *device = NULL;
  g_autoptr (GError) error = NULL;
  CliFleet fleet = { asked.hosts, asked.slurm, asked.numa, asked.csv,  asked.device,
                     NULL,        plan,        jobs,       asked.quiet };
  int status;

  if (ways > 1 || asked.csv == NULL || strcmp (asked.csv, "-") == 0 || asked.samples_csv != NULL)
    return cli_fail (CLI_USAGE, "sweep: expected one of --hosts, --slurm and --numa, and --csv "
                                "FOLDER for its runs, without --samples-csv");
  if (asked.format != NULL || asked.anonymous || asked.json || asked.again != NULL)
    return cli_fail (CLI_USAGE, "sweep: --%s: expected one device, not %s",
                     asked.format != NULL ? "format"
                     : asked.anonymous    ? "anonymous"
                     : asked.json         ? "json"
                                          : "again",
                     asked.hosts != NULL   ? "--hosts"
                     : asked.slurm != NULL ? "--slurm"
                                           : "--numa");
  if (asked.jobs != NULL && asked.hosts == NULL)
    return cli_fail (CLI_USAGE, "sweep: --jobs: how many run at once is decided by %s",
                     asked.slurm != NULL ? "Slurm" : "this machine");
  if (!cli_options_count ("--jobs", asked.jobs, 1, 256, &fleet.most, &error))
    return cli_fail (CLI_USAGE, "sweep: %s", error->message);
  for (const GOptionEntry *option = options; option->long_name != NULL; option++)
    {
      const char *value = option->arg == G_OPTION_ARG_NONE ? NULL : *(char **) option->arg_data;

      if (g_strv_contains (own, option->long_name)
          || (option->arg == G_OPTION_ARG_NONE ? !*(gboolean *) option->arg_data : value == NULL))
        continue;
      g_ptr_array_add (passed, g_strconcat ("--", option->long_name, NULL));
      if (value != NULL)
        g_ptr_array_add (passed, g_strdup (value));
    }
  g_ptr_array_add (passed, NULL);
  fleet.options = (char **) passed->pdata;
  if (asked.numa != NULL)
    {
      device = choose_gpus (&status);
      if (device == NULL)
        return status;
      fleet.device = device;
    }
  if (asked.slurm == NULL && !cli_noise_check (asked.noise, fleet.device, &error))
    return cli_fail (CLI_USAGE, "sweep: %s", error->message);
  return cli_fleet_sweep (&fleet);
}

static int
run (char **positional)
{
  g_autofree char *device = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlanePlan) plan = make_plan (&error);
  guint again = 0;
  int status;

  if (plan == NULL
      || !cli_options_count ("--again", asked.again, 1, MEMLANE_HISTORY_MOST, &again, &error))
    return cli_fail (CLI_USAGE, "sweep: %s", error->message);
  if (asked.format != NULL && strcmp (asked.format, "0.2") != 0)
    return cli_fail (CLI_USAGE, "sweep: --format: found %s, expected 0.2", asked.format);
  if (asked.json
      && (g_strcmp0 (asked.csv, "-") == 0 || g_strcmp0 (asked.samples_csv, "-") == 0 || asked.plan))
    return cli_fail (CLI_USAGE, "sweep: --json: expected it without %s",
                     asked.plan ? "--plan" : "another file on standard output");
  if (asked.csv == NULL && (asked.format != NULL || asked.anonymous))
    return cli_fail (CLI_USAGE, "sweep: --%s: expected --csv F, which it changes",
                     asked.format != NULL ? "format" : "anonymous");
  if (asked.plan && (asked.csv != NULL || asked.samples_csv != NULL))
    return cli_fail (
        CLI_USAGE,
        "sweep: --plan: nothing is measured, so expected it without --csv and --samples-csv");
  if (asked.plan && (asked.hosts != NULL || asked.slurm != NULL || asked.numa != NULL))
    return cli_fail (
        CLI_USAGE,
        "sweep: --plan: expected one device; the free memory of other hosts is not known here");
  if (asked.hosts != NULL || asked.slurm != NULL || asked.numa != NULL || asked.jobs != NULL)
    return measure_fleet (plan);
  status = check_outputs (plan);
  if (status != CLI_OK)
    return status;
  if (!asked.quiet)
    cli_mention_journals ();
  device = cli_device_choose (asked.device, asked.quiet, &status);
  if (device == NULL)
    return status;
  if (!cli_noise_check (asked.noise, device, &error))
    return cli_fail (CLI_USAGE, "sweep: %s", error->message);
  return asked.plan ? print_plan (plan, device) : measure (device, plan, again);
}

const CliCommand cli_sweep = {
  .name = "sweep",
  .summary = "Measure memory modes at vector sizes into a CSV, or a table",
  .options = options,
  .run = run,
  .writes = TRUE,
};
