/* cli-compare.c: memlane-cli compare, two runs cell by cell, and a gate for scripts
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/hash.h"
#include "base/save.h"
#include "base/size.h"

#define LEAST_ROUNDS 6 /* fewer bound nothing to 95 % */

static char *limit, *junit;
static gboolean json;
static const GOptionEntry options[] = {
  { "fail-above", 0, 0, G_OPTION_ARG_FILENAME, &limit,
    "Exit status 4 when a cell is slower by more (default: 5, and no failure)", "PERCENT" },
  { "junit", 0, 0, G_OPTION_ARG_FILENAME, &junit,
    "A JUnit report, one test case a cell (- is standard output)", "F" },
  CLI_JSON_ENTRY (json),
  { NULL },
};

typedef enum { SAME, FASTER, UNCLEAR, SLOWER, FAILED, N_VERDICTS } Verdict;
static const char *const verdicts[] = { "same", "faster", "unclear", "slower", "failed" };

typedef struct
{
  double allowed;   /* 0.05: 5 % */
  /* times that the host was as slow in the second run, where that is worth a word; else 1 */
  double host;
  GPtrArray *before, *after; /* (element-type MemlaneRun) */
  CliTable *table;
  CliJson *json;    /* NULL: it is not asked for */
  GString *junit;   /* its test cases */
  guint n[N_VERDICTS], n_cells, n_short; /* short: fewer than LEAST_ROUNDS rounds */
} Comparison;

/* --- statistics ------------------------------------------------------------------------------- */

/* Widens the interval of one cell so that those of all @n_cells together hold 95 % (Bonferroni). In
 * 60 comparisons of sweeps of one and the same GPU (data/recordings/replicates) single intervals
 * call 31 slower by more than 5 %, these with the host's speed 2. */
static void
widen (MemlaneEstimate *change, guint rounds, guint n_cells)
{
  double factor = memlane_student_tail (0.025 / n_cells, rounds - 1)
                  / memlane_student_tail (0.025, rounds - 1);

  change->low = change->value * pow (change->low / change->value, factor);
  change->high = change->value * pow (change->high / change->value, factor);
}

/* --- cells ------------------------------------------------------------------------------------ */

static gboolean
is_measured (const MemlaneCell *cell)
{
  return cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY;
}

/* (nullable) (transfer none): the cell of @runs that measured the same. */
static MemlaneCell *
find_twin (GPtrArray *runs, const MemlaneCell *cell)
{
  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    {
      MemlaneCell *twin = (MemlaneCell *) memlane_run_find (run, cell->workload, cell->mode,
                                                            cell->log2_elements);

      if (twin != NULL && twin->reuse == cell->reuse && twin->streams == cell->streams
          && twin->chunks == cell->chunks && memlane_cell_has_background_of (twin, cell))
        return twin;
    }
  return NULL;
}

/* The interval decides: it lies whole beyond what is allowed and what the host explains, whole
 * within, or neither. */
static Verdict
judge (const Comparison *self, const MemlaneEstimate *change)
{
  double most = (1 + self->allowed) * MAX (self->host, 1),
         least = MIN (self->host, 1) / (1 + self->allowed);

  if (isnan (change->value) || isnan (change->low))
    return UNCLEAR;
  return change->low > most                             ? SLOWER
         : change->high < least                         ? FASTER
         : change->low >= least && change->high <= most ? SAME
                                                        : UNCLEAR;
}

static char *
format_percent (double ratio)
{
  return isfinite (ratio) ? g_strdup_printf ("%+.1f %%", (ratio - 1) * 100) : g_strdup ("?");
}

static void
add_case (Comparison *self, const MemlaneCell *cell, Verdict verdict, const char *said)
{
  g_autofree char *size = memlane_size_format (cell->log2_elements);
  g_autofree char *name = g_markup_printf_escaped ("%s %s reuse %u", cell->mode, size, cell->reuse);
  g_autofree char *message = g_markup_escape_text (said, -1),
                  *workload = g_markup_escape_text (cell->workload, -1);

  g_string_append_printf (self->junit, "  <testcase classname=\"%s\" name=\"%s\"", workload, name);
  if (limit != NULL && verdict >= SLOWER)
    g_string_append_printf (self->junit, ">\n    <failure message=\"%s: %s\"/>\n  </testcase>\n",
                            verdicts[verdict], message);
  else if (verdict == UNCLEAR)
    g_string_append_printf (self->junit,
                            ">\n    <skipped message=\"unclear: %s\"/>\n  </testcase>\n", message);
  else
    g_string_append (self->junit, "/>\n");
}

static void
compare_cells (Comparison *self, const MemlaneCell *a, const MemlaneCell *b, guint n_cells)
{
  const MemlaneFigure *before = memlane_cell_find (a, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  const MemlaneFigure *after = is_measured (b) ? memlane_cell_find (b, MEMLANE_PHASE_ELAPSED,
                                                                    MEMLANE_CLOCK_HOST)
                                               : NULL;
  MemlaneEstimate change = after != NULL ? memlane_estimate_ratio (after, before)
                                         : MEMLANE_ESTIMATE_UNKNOWN;
  guint rounds = after != NULL ? MIN (before->n_rounds, after->n_rounds) : 0;
  g_autofree char *size = memlane_size_format (a->log2_elements),
                  *first = memlane_summary_format_time (before->statistics.median);
  g_autofree char *second = after != NULL ? memlane_summary_format_time (after->statistics.median)
                                          : g_strdup (memlane_status_name (b->status));
  g_autofree char *value = NULL, *interval = NULL, *said = NULL;
  Verdict verdict;

  if (rounds >= LEAST_ROUNDS)
    widen (&change, rounds, n_cells);
  else if (change.low != change.high) /* a simulated device without noise needs one */
    {
      change.low = change.high = NAN;
      self->n_short += after != NULL;
    }
  verdict = after != NULL ? judge (self, &change) : FAILED;
  if (after != NULL)
    {
      g_autofree char *low = format_percent (change.low), *high = format_percent (change.high);

      value = format_percent (change.value);
      interval = g_strdup_printf ("%s to %s", low, high);
      said = g_strdup_printf ("%s, then %s: %s (%s)", first, second, value, interval);
    }
  else
    said = g_strdup (b->detail != NULL ? b->detail : second);
  self->n[verdict]++;
  if (self->json != NULL)
    cli_json_add_object (self->json, { "workload", CLI_TEXT (a->workload) },
                         { "mode", CLI_TEXT (a->mode) },
                         { "log2_elements", CLI_NUMBER (a->log2_elements) },
                         { "reuse", CLI_NUMBER (a->reuse) },
                         { "before_ns", CLI_NS (before->statistics.median) },
                         { "after_ns", CLI_NS (after != NULL ? after->statistics.median : NAN) },
                         { "ratio", CLI_RATIO (change.value) },
                         { "ratio_low", CLI_RATIO (change.low) },
                         { "ratio_high", CLI_RATIO (change.high) },
                         { "verdict", CLI_TEXT (verdicts[verdict]) },
                         { "text", CLI_TEXT (said) });
  cli_table_add (self->table, a->workload, a->mode, size, first, second, value, interval,
                 verdicts[verdict]);
  add_case (self, a, verdict, said);
}

/* Every cell that the first file has measured and the second one has. FALSE: there is none. */
static gboolean
compare_runs (Comparison *self)
{
  g_autoptr (GPtrArray) pairs = g_ptr_array_new (); /* before, after, before... */

  MEMLANE_FOR_EACH (const MemlaneRun, run, self->before)
    MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
      {
        MemlaneCell *twin = find_twin (self->after, cell);

        if (!is_measured (cell) || twin == NULL
            || memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST) == NULL)
          continue;
        g_ptr_array_add (pairs, cell);
        g_ptr_array_add (pairs, twin);
      }
  self->n_cells = pairs->len / 2;
  for (guint i = 0; i < pairs->len; i += 2)
    compare_cells (self, pairs->pdata[i], pairs->pdata[i + 1], self->n_cells);
  return pairs->len > 0;
}

static int
write_junit (const Comparison *self)
{
  guint failures = limit != NULL ? self->n[SLOWER] + self->n[FAILED] : 0;
  g_autofree char *text = g_strdup_printf (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"memlane compare\" "
      "tests=\"%u\" "
      "failures=\"%u\" errors=\"0\" skipped=\"%u\">\n%s</testsuite>\n",
      self->n_cells, failures, self->n[UNCLEAR], self->junit->str);
  g_autoptr (GError) error = NULL;

  return memlane_save_file (junit, text, strlen (text), &error)
             ? CLI_OK
             : cli_fail (CLI_NOTHING, "%s", error->message);
}

static int
conclude (Comparison *self)
{
  g_autoptr (MemlaneMachineComparison) machines = memlane_machine_compare (self->before->pdata[0],
                                                                           self->after->pdata[0]);
  gboolean fails = limit != NULL && self->n[SLOWER] + self->n[FAILED] > 0;
  int status = CLI_OK;

  if (json)
    {
      cli_json_close (self->json);
      cli_json_add (self->json, { "allowed", CLI_RATIO (self->allowed) },
                    { "host_ratio", CLI_RATIO (self->host) });
      cli_json_open (self->json, "count", '{');
      for (guint i = 0; i < G_N_ELEMENTS (verdicts); i++)
        cli_json_number (self->json, verdicts[i], self->n[i]);
      cli_json_close (self->json);
      cli_json_text (self->json, "machines", machines->sentence);
      cli_json_print (g_steal_pointer (&self->json));
    }
  else if (g_strcmp0 (junit, "-") != 0)
    {
      cli_table_print (g_steal_pointer (&self->table));
      g_print (
          "* the ratio of both runs round by round, which need not be that of BEFORE and AFTER\n");
    }
  g_clear_pointer (&self->table, cli_table_free);
  if (junit != NULL)
    status = write_junit (self);
  if (self->host != 1)
    g_printerr ("the host was %.2f times as slow in the second run; a cell counts as slower or "
                "faster beyond that only\n",
                self->host);
  if (self->n_short > 0)
    g_printerr ("of %u cells a run has fewer than %d rounds, so they are unclear\n", self->n_short,
                LEAST_ROUNDS);
  g_printerr (
      "%u cells: %u slower by more than %g %%, %u faster, %u the same, %u unclear, %u failed\n%s\n",
      self->n_cells, self->n[SLOWER], self->allowed * 100, self->n[FASTER], self->n[SAME],
      self->n[UNCLEAR], self->n[FAILED], machines->sentence);
  return status != CLI_OK ? status : fails ? CLI_SLOW : CLI_OK;
}

/* --- the machines of a folder ----------------------------------------------------------------- */

/* Two files of one GPU are no two machines. */
static void
say_twins (const MemlaneFleet *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (memlane_hash_text, g_str_equal);

  MEMLANE_FOR_EACH (const MemlaneFleetMachine, machine, self->machines)
    {
      const char *uuid = memlane_environment_get_text (machine->environment,
                                                       MEMLANE_ENVIRONMENT_UUID);
      const MemlaneFleetMachine *first = uuid != NULL ? g_hash_table_lookup (seen, uuid) : NULL;

      if (first != NULL)
        g_printerr ("%s and %s are one GPU, %s\n", first->name, machine->name, uuid);
      else if (uuid != NULL)
        g_hash_table_insert (seen, (gpointer) uuid, (gpointer) machine);
    }
}

/* "PCIe lanes: 8, not 16" (transfer full) */
static char *
format_reasons (const MemlaneFleetMachine *machine)
{
  GString *text = g_string_new (NULL);

  MEMLANE_FOR_EACH_IN (const MemlaneFleetReason, reason, machine->reasons)
    g_string_append_printf (text, "%s%s: %s, not %s", text->len > 0 ? "; " : "", reason->label,
                            reason->own, reason->usual);
  if (machine->host > 0)
    g_string_append_printf (text, "%sits host takes %.2f times as long", text->len > 0 ? "; " : "",
                            machine->host);
  if (text->len == 0)
    g_string_append (text, "nothing in its environment tells");
  return g_string_free (text, FALSE);
}

/* The runs of sweep --numa: one row a mode at the largest size, one column a node. The fastest node
 * has its time, the others how much longer they take. */
static void
print_nodes (const MemlaneFleet *self)
{
  double largest = 0;
  CliTable *nodes;

  MEMLANE_FOR_EACH (const MemlaneFleetCell, cell, self->cells)
    largest = MAX (largest, cell->log2_elements);
  nodes = cli_table_new_columns (3 + self->machines->len);
  for (guint i = 0; i < 3; i++)
    cli_table_add_cell (nodes, (const char *const[]){ "WORKLOAD", "MODE", "SIZE" }[i]);
  MEMLANE_FOR_EACH (const MemlaneFleetMachine, machine, self->machines)
    cli_table_add_cell (nodes, machine->name);
  MEMLANE_FOR_EACH (const MemlaneFleetCell, cell, self->cells)
    if (cell->log2_elements == largest)
      {
        g_autofree char *size = memlane_size_format (largest);
        double least = G_MAXDOUBLE;
        guint k = 0; /* times are in the machines' order */

        MEMLANE_FOR_EACH_IN (const MemlaneFleetTime, time, cell->times)
          least = MIN (least, time->mean);
        for (guint i = 0; i < 3; i++)
          cli_table_add_cell (nodes, (const char *const[]){ cell->workload, cell->mode, size }[i]);
        for (guint i = 0; i < self->machines->len; i++)
          {
            const MemlaneFleetTime *time = k < cell->times->len
                                               ? &g_array_index (cell->times, MemlaneFleetTime, k)
                                               : NULL;
            gboolean is_own = time != NULL && time->machine == i;
            g_autofree char *text = !is_own ? NULL
                                    : time->mean > least
                                        ? g_strdup_printf ("%+.1f %%",
                                                           expm1 (time->mean - least) * 100)
                                        : memlane_summary_format_time (exp (time->mean));

            cli_table_add_cell (nodes, text);
            k += is_own ? 1 : 0;
          }
      }
  cli_table_print (nodes);
  if (self->machines->len == 1)
    g_printerr ("one NUMA node: no processor is nearer to a GPU than another\n");
}

/* The same as JSON: the time of each node, of all sizes. */
static void
print_nodes_json (const MemlaneFleet *self)
{
  CliJson *document = cli_json_new ("nodes");

  cli_json_open (document, "cells", '[');
  MEMLANE_FOR_EACH (const MemlaneFleetCell, cell, self->cells)
    {
      cli_json_open (document, NULL, '{');
      cli_json_add (document, { "workload", CLI_TEXT (cell->workload) },
                    { "mode", CLI_TEXT (cell->mode) },
                    { "log2_elements", CLI_NUMBER (cell->log2_elements) });
      cli_json_open (document, "nodes", '[');
      MEMLANE_FOR_EACH_IN (const MemlaneFleetTime, time, cell->times)
        cli_json_add_object (
            document,
            { "node",
              CLI_TEXT (
                  ((const MemlaneFleetMachine *) self->machines->pdata[time->machine])->name) },
            { "time_ns", CLI_NS (exp (time->mean)) });
      cli_json_close (document);
      cli_json_close (document);
    }
  cli_json_print (document);
}

/* Prints which runs of @folder differ from the others by more than @allowed (0.05: 5 %). Returns
 * the exit status. */
static int
compare_machines (const char *folder, double allowed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneFleet) fleet = memlane_fleet_read (folder, allowed, &error);
  CliJson *document = NULL;
  CliTable *table;
  gboolean slow = FALSE;

  if (fleet == NULL)
    return cli_fail (CLI_USAGE, "%s", error->message);
  MEMLANE_FOR_EACH (const char, reason, fleet->refused)
    g_printerr ("left out: %s\n", reason);
  if (memlane_fleet_is_of_nodes (fleet))
    {
      if (json)
        print_nodes_json (fleet);
      else
        print_nodes (fleet);
      return CLI_OK;
    }
  if (fleet->n_tests == 0)
    return cli_fail (CLI_NOTHING,
                     "%s: found %u runs, expected %d of one cell, each with rounds beside it and "
                     "at least %d of them",
                     folder, fleet->machines->len, MEMLANE_FLEET_LEAST_MACHINES,
                     MEMLANE_FLEET_LEAST_ROUNDS);
  if (json)
    {
      document = cli_json_new ("machines");
      cli_json_open (document, "different", '[');
    }
  table = cli_table_new (9, "MACHINE", "WORKLOAD", "MODE", "SIZE", "TIME", "USUAL", "CHANGE",
                         "CELLS", "REASON");
  MEMLANE_FOR_EACH (const MemlaneFleetMachine, machine, fleet->different)
    {
      g_autofree char *size = memlane_size_format (machine->cell->log2_elements),
                      *time = memlane_summary_format_time (machine->ns);
      g_autofree char *usual = memlane_summary_format_time (exp (machine->cell->middle));
      g_autofree char *change = g_strdup_printf ("%+.1f %%", expm1 (machine->change) * 100);
      g_autofree char *reason = format_reasons (machine),
                      *n = g_strdup_printf ("%u", machine->differs);

      slow |= machine->change > 0;
      cli_table_add (table, machine->name, machine->cell->workload, machine->cell->mode, size, time,
                     usual, change, n, reason);
      if (document == NULL)
        continue;
      cli_json_add_object (document, { "machine", CLI_TEXT (machine->name) },
                           { "workload", CLI_TEXT (machine->cell->workload) },
                           { "mode", CLI_TEXT (machine->cell->mode) },
                           { "log2_elements", CLI_NUMBER (machine->cell->log2_elements) },
                           { "time_ns", CLI_NS (machine->ns) },
                           { "usual_ns", CLI_NS (exp (machine->cell->middle)) },
                           { "ratio", CLI_RATIO (exp (machine->change)) },
                           { "differing_cells", CLI_NUMBER (machine->differs) },
                           { "text", CLI_TEXT (reason) });
    }
  if (json)
    {
      cli_table_free (table);
      cli_json_close (document);
      cli_json_add (document, { "machines", CLI_NUMBER (fleet->machines->len) },
                    { "cells", CLI_NUMBER (fleet->cells->len) },
                    { "allowed", CLI_RATIO (allowed) },
                    { "left_out", CLI_NUMBER (fleet->refused->len) });
      cli_json_print (document);
    }
  else if (fleet->different->len > 0)
    cli_table_print (table);
  else
    cli_table_free (table);
  g_printerr ("%u machines, %u cells each at most: %u differ by more than %g %%, by %u tests that "
              "hold 95 %% together\n",
              fleet->machines->len, fleet->cells->len, fleet->different->len, allowed * 100,
              fleet->n_tests);
  if (fleet->refused->len > 0)
    g_printerr ("%u files were left out\n", fleet->refused->len);
  say_twins (fleet);
  cli_fleet_say_missing (folder);
  return limit != NULL && slow ? CLI_SLOW : CLI_OK;
}

/* Returns "on" or "off" for the confidential computing of the first run's GPU. (nullable) */
static const char *
get_confidential (const GPtrArray *runs)
{
  return memlane_environment_get_text (((const MemlaneRun *) runs->pdata[0])->environment,
                                       MEMLANE_ENVIRONMENT_SETUP_CONFIDENTIAL);
}

static int
run (char **files)
{
  g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func (
      (GDestroyNotify) memlane_run_unref);
  g_autoptr (GPtrArray) after = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GString) cases = g_string_new (NULL);
  Comparison self = { .before = before, .after = after, .junit = cases };
  g_autoptr (GError) error = NULL;
  double percent = 5, slow_before, slow_after;

  if (files[0] == NULL || (files[1] == NULL && !g_file_test (files[0], G_FILE_TEST_IS_DIR)))
    return cli_fail (CLI_USAGE, "compare: expected two runs, or a folder of runs: memlane-cli "
                                "compare BEFORE.csv AFTER.csv");
  if (json && g_strcmp0 (junit, "-") == 0)
    return cli_fail (
        CLI_USAGE,
        "compare: --json: standard output holds the report; expected a file after --junit");
  if (files[1] == NULL && junit != NULL)
    return cli_fail (CLI_USAGE, "compare: --junit: expected two runs, not a folder");
  if (limit != NULL && g_str_has_suffix (limit, "%"))
    limit[strlen (limit) - 1] = '\0';
  if (!cli_options_number ("--fail-above", limit, 0, 1000, &percent, &error))
    return cli_fail (CLI_USAGE, "compare: %s", error->message);
  if (files[1] == NULL)
    return compare_machines (files[0], percent / 100);
  if (junit != NULL
      && cli_output_is_input (junit, (const char *const[]){ files[0], files[1], NULL }))
    return cli_fail (CLI_USAGE, "compare: --junit: %s is a run; expected another name", junit);
  if (junit != NULL && !cli_output_check (junit, CLI_FILE_JUNIT, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  self.allowed = percent / 100;
  if (!cli_read_files ((char *[]) { files[0], NULL }, before, NULL, &error)
      || !cli_read_files ((char *[]) { files[1], NULL }, after, NULL, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (get_confidential (before) != NULL && get_confidential (after) != NULL
      && strcmp (get_confidential (before), get_confidential (after)) != 0)
    return cli_fail (CLI_USAGE, "compare: expected both with confidential computing, or both "
                                "without. It was %s in %s and %s in %s",
                     get_confidential (before), files[0], get_confidential (after), files[1]);
  self.host = 1;
  if (memlane_host_state_compare (((MemlaneRun *) before->pdata[0])->environment,
                                  ((MemlaneRun *) after->pdata[0])->environment, &slow_before,
                                  &slow_after)
      && fabs (log (slow_after / slow_before)) > log1p (MEMLANE_HOST_STEADY))
    self.host = slow_after / slow_before;
  if (json)
    {
      self.json = cli_json_new ("comparison");
      cli_json_open (self.json, "cells", '[');
    }
  self.table = cli_table_new (8, "WORKLOAD", "MODE", "SIZE", "BEFORE", "AFTER", "CHANGE*",
                              "95 % INTERVAL", "VERDICT");
  if (compare_runs (&self))
    return conclude (&self);
  cli_table_free (self.table);
  if (self.json != NULL)
    g_free (cli_json_end (self.json));
  return cli_fail (CLI_NOTHING,
                   "%s and %s have no cell in common: the same workload, mode, size and reuse",
                   files[0], files[1]);
}

const CliCommand cli_compare = {
  .name = "compare",
  .arguments = "BEFORE.csv AFTER.csv | FOLDER",
  .summary = "Compare two runs cell by cell, or the machines of a folder; a gate for scripts",
  .options = options,
  .most_arguments = 2,
  .run = run,
  .writes = TRUE,
};
