/* cli-calibrate.c: memlane-cli calibrate, from recorded runs to the profile of a simulated device
 *
 * SPDX-License-Identifier: MIT
 *
 * A profile is a data sheet and a recording. The data sheet is what the runs' environment tells of the device. The recording is each
 * recorded time beside the time that the model alone gives, which a sweep of the unrecorded profile measures. Format:
 * engine/device/simulated/residuals.h.
 */
#include "cli.h"

#include "base/device-id.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/save.h"
#include "base/size.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_LOG2 64
#define LEAST_NS 1.0

/* The options of the command line. */
static struct
{
  char *output, *base, *device, *rounds;
  gboolean record, quiet;
} asked;

#define refuse(error, ...) memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, __VA_ARGS__)

/* --- recording -------------------------------------------------------------------------------------------------------------- */

/* The workloads of a lecture: the addition with one launch and with several in a row, and what copies are made of. */
static const struct
{
  const char *workload;
  guint reuse;
} recorded[] = {
  { "vector-add", 1 }, { "vector-add", 16 }, { "copy-to-device", 1 }, { "copy-to-host", 1 }, { "copy-on-device", 1 }, { "copy-on-host", 1 },
  { "fill", 1 }, { "copy-kernel", 1 }, { "copy-bidirectional", 1 },
};

static GCancellable *cancellable;

static void
on_progress (MemlaneSweep *sweep, gpointer unused)
{
  if (!g_cancellable_is_cancelled (cancellable))
    cli_progress_update (sweep);
}

/* Runs @plan on @device, on the main loop. NULL with @error: nothing came of it, or it was stopped. (transfer full) */
static MemlaneRun *
sweep (const char *device, const MemlanePlan *plan, GError **error)
{
  g_autoptr (MemlaneSweep) sweep = memlane_sweep_new (device, plan, FALSE);
  g_autoptr (MemlaneRun) run = NULL;
  const char *trouble;

  g_signal_connect (sweep, "progress", G_CALLBACK (on_progress), NULL);
  run = cli_sweep_wait (sweep, cancellable, error);
  cli_progress_clear ();
  trouble = memlane_sweep_get_progress (sweep)->trouble;
  if (run == NULL || (!g_cancellable_is_cancelled (cancellable) && trouble == NULL))
    return g_steal_pointer (&run);
  return memlane_fail (error, G_IO_ERROR, trouble == NULL ? G_IO_ERROR_CANCELLED : G_IO_ERROR_FAILED, "%s",
                       trouble == NULL ? "interrupted; nothing was written" : trouble), NULL;
}

/* Appends a run for each row of the table to @runs. Without a GPU a simulated device is only recorded when it is asked for by name. */
static int
record (GPtrArray *runs)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *device = NULL;
  guint rounds = 0;
  int status;

  if (!cli_options_count ("--rounds", asked.rounds, 1, MEMLANE_MOST_ROUNDS, &rounds, &error))
    return cli_fail (CLI_USAGE, "calibrate: %s", error->message);
  device = cli_device_choose (asked.device, asked.quiet, &status);
  if (device == NULL)
    return status;
  if (asked.device == NULL && g_str_has_prefix (device, "simulated:"))
    return cli_fail (CLI_NOTHING, "calibrate: there is no GPU to record; --device %s tries out how it is done", device);
  for (guint i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      g_autoptr (MemlanePlan) plan = memlane_plan_new ();
      MemlaneRun *run;

      plan->method.workload = memlane_workload_find (recorded[i].workload);
      plan->method.reuse = recorded[i].reuse;
      if (rounds > 0)
        plan->method.rounds = rounds;
      if (!asked.quiet)
        g_printerr ("recording %u of %u: %s, reuse %u\n", i + 1, (guint) G_N_ELEMENTS (recorded), recorded[i].workload, recorded[i].reuse);
      run = sweep (device, plan, &error);
      if (run == NULL)
        return cli_fail (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? CLI_INTERRUPTED : CLI_NOTHING, "calibrate: %s",
                         error->message);
      g_ptr_array_add (runs, run);
    }
  return CLI_OK;
}

/* Runs, or what memlane-cli contribute made of them. */
static gboolean
read_files (char **files, GPtrArray *runs, GError **error)
{
  for (; *files != NULL; files++)
    {
      GPtrArray *read = cli_contribution_is_one (*files) ? cli_contribution_read (*files, error) : cli_read_runs (*files, error);

      if (read == NULL)
        return FALSE;
      g_ptr_array_extend_and_steal (runs, read);
    }
  return TRUE;
}

/* --- what is recorded ------------------------------------------------------------------------------------------------------ */

static gboolean
is_measured (const MemlaneCell *cell)
{
  return (cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY) && cell->figures->len > 0;
}

/* (nullable) */
static const char *
get_device_name (const MemlaneRun *run)
{
  return memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_DEVICE_NAME);
}

/* Refuses runs that are no recording of one device as a program finds it; what is less than expected is told in @report. */
static gboolean
check_runs (GPtrArray *runs, gboolean of_simulated, GString *report, GError **error)
{
  const char *device = get_device_name (runs->pdata[0]), *uuid = NULL;
  guint failed = 0, measured = 0, beyond = 0;
  g_autoptr (MemlanePlan) usual = memlane_plan_new ();
  const MemlaneCell *schedule = NULL; /* with streams; the usual one, if there is any */
  gboolean several = FALSE;
  guint64 sizes = 0;

  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    {
      const char *name = get_device_name (run), *own = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_UUID);

      several |= uuid != NULL && own != NULL && !g_str_equal (uuid, own);
      uuid = own != NULL ? own : uuid;
      if (!of_simulated && memlane_device_kind_is_simulated (run->device_kind))
        return refuse (error, "run %s was simulated: a profile is made from runs recorded on a real device (device_kind cuda)", run->id);
      if (device != NULL && name != NULL && !g_str_equal (device, name))
        return refuse (error, "run %s was recorded on %s and run %s on %s: expected runs of one device; make a profile of each",
                       ((const MemlaneRun *) runs->pdata[0])->id, device, run->id, name);
      if (memlane_environment_get_flag (run->environment, MEMLANE_ENVIRONMENT_COLD_CACHE))
        return refuse (error, "run %s was recorded with --cold-cache, as no program finds the device; leave it out", run->id);
      MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
        {
          failed += !is_measured (cell) && cell->status != MEMLANE_STATUS_UNSUPPORTED;
          measured += is_measured (cell);
          beyond += is_measured (cell) && cell->log2_elements > MEMLANE_LARGEST_LOG2;
          if (is_measured (cell) && cell->streams > 0
              && (schedule == NULL || (cell->streams == usual->method.streams && cell->chunks == usual->method.chunks)))
            schedule = cell;
          sizes |= is_measured (cell) ? G_GUINT64_CONSTANT (1) << ((guint) cell->log2_elements & 63) : 0;
        }
    }
  if (measured == beyond)
    return refuse (error, "nothing that can be simulated was measured in %s: expected cells of status ok or noisy, up to 2^%u floats; "
                   "record again with memlane-cli sweep", runs->len == 1 ? "this run" : "these runs", MEMLANE_LARGEST_LOG2);
  if (several)
    g_string_append (report, "recorded on several GPUs of one name, whose hosts may differ: for one machine's times give its runs alone\n");
  if (failed > 0)
    g_string_append_printf (report, "left out: %u cells that failed\n", failed);
  if (beyond > 0)
    g_string_append_printf (report, "left out: %u cells beyond 2^%u floats, the largest that is simulated\n", beyond, MEMLANE_LARGEST_LOG2);
  if ((sizes & (sizes - 1)) == 0)
    g_string_append (report, "one size only: at all others the model is alone\n");
  if (schedule != NULL && (schedule->streams != usual->method.streams || schedule->chunks != usual->method.chunks))
    g_string_append_printf (report, "the modes with streams are recorded with --streams %u --chunks %u: with others, such as the usual "
                            "--streams %u --chunks %u, the model is alone\n",
                            schedule->streams, schedule->chunks, usual->method.streams, usual->method.chunks);
  return TRUE;
}

/* The environment tells these numbers; a profile has a key for each. */
static const struct
{
  const char *key;
  MemlaneEnvironmentMember member;
} numbers[] = {
  { "memory_bytes", MEMLANE_ENVIRONMENT_DEVICE_MEMORY },
  { "l2_bytes", MEMLANE_ENVIRONMENT_L2_BYTES },
  { "memory_bandwidth", MEMLANE_ENVIRONMENT_MEMORY_BANDWIDTH },
  { "multiprocessors", MEMLANE_ENVIRONMENT_MULTIPROCESSORS },
  { "link_generation", MEMLANE_ENVIRONMENT_LINK_GENERATION },
  { "link_width", MEMLANE_ENVIRONMENT_LINK_WIDTH },
  { "link_bandwidth", MEMLANE_ENVIRONMENT_LINK_BANDWIDTH },
  { "asyncEngineCount", MEMLANE_ENVIRONMENT_COPY_ENGINES },
};

static void
append_capabilities (GString *text, const MemlaneRun *run)
{
  static const char *const names[] = {
    "canMapHostMemory", "unifiedAddressing", "managedMemory", "concurrentManagedAccess", "hostRegisterSupported", "memoryPoolsSupported",
    "pageableMemoryAccess", "concurrentKernels", "canUseHostPointerForRegisteredMem", "peerCopy",
  };
  guint known = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    known += memlane_environment_contains (run->environment, MEMLANE_ENVIRONMENT_CAPABILITIES, names[i]);
  for (guint i = 0; known > 0 && i < G_N_ELEMENTS (names); i++)
    g_string_append_printf (text, "%s=%s\n", names[i],
                            memlane_environment_contains (run->environment, MEMLANE_ENVIRONMENT_CAPABILITIES, names[i]) ? "true" : "false");
}

/* The profile's first part: the base's own text where that is the same device, else what the first run tells of its device. */
static GString *
begin_profile (GPtrArray *runs, const MemlaneDeviceInfo *base, GError **error)
{
  const MemlaneRun *run = runs->pdata[0];
  const char *device = get_device_name (run);
  g_autofree char *text = NULL, *base_name = g_path_get_basename (base->profile), *one_line = NULL, *run_id = NULL;
  const char *name = device != NULL ? device : run->device;
  GString *profile = g_string_new (NULL);

  if (device != NULL && g_str_has_prefix (base->name, device))
    {
      const char *end;

      if (!g_file_get_contents (base->profile, &text, NULL, error))
        {
          g_string_free (profile, TRUE);
          return NULL;
        }
      end = strstr (text, "\n[recorded ");
      g_string_append_len (profile, text, end != NULL ? end - text : (gssize) strlen (text));
      return profile;
    }
  g_string_append_printf (profile,
                          "# A device profile of Memlane, made by memlane-cli calibrate. What it leaves out is %s's.\n"
                          "# SPDX-License-Identifier: MIT\n\n[device]\nbased_on=%.*s\n",
                          base_name, (int) (strlen (base_name) - strlen (".device")), base_name);
  one_line = g_strdelimit (g_strdup (name), "\n\r\t\\", ' ');
  run_id = g_strdelimit (g_strdup (run->id), "\n\r\t\\", ' ');
  g_string_append_printf (profile, "name=%s%s\ncalibrated_from=%s\n", one_line,
                          strstr (name, "(simulated)") != NULL ? "" : " (simulated)", run_id);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      double value = memlane_environment_get_number (run->environment, numbers[i].member);
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      if (value > 0)
        g_string_append_printf (profile, "%s=%s\n", numbers[i].key, g_ascii_formatd (number, sizeof number, "%.17g", value));
    }
  append_capabilities (profile, run);
  return profile;
}

/* --- the recording beside the model ---------------------------------------------------------------------------------------- */

/* A recorded time at one size; without a figure there is none. */
typedef struct
{
  double recorded, modelled;   /* ns */
  const MemlaneFigure *figure; /* of a run that outlives this */
} Point;

/* One figure over its sizes, by log2. */
typedef struct
{
  Point points[MOST_LOG2];
} Row;

typedef struct
{
  GTree *rows; /* "WORKLOAD reuse=R\nMODE[:SxC]/PHASE/CLOCK" -> Row */
  guint unmodelled, twice;
} Table;

/* For each point of all rows. */
#define FOR_EACH_POINT(table, point) \
  for (GTreeNode *node_ = g_tree_node_first ((table)->rows); node_ != NULL; node_ = g_tree_node_next (node_)) \
    for (Point *point = ((Row *) g_tree_node_value (node_))->points, *end_ = point + MOST_LOG2; point < end_; point++) \
      if (point->figure != NULL)

static int
compare_keys (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return strcmp (a, b);
}

/* Tables the figures of @cell; @twin (nullable): the model's. The first of two recordings of one figure counts. */
static void
add_cell (Table *table, const MemlaneCell *cell, const MemlaneCell *twin)
{
  g_autofree char *schedule = cell->chunks > 0 ? g_strdup_printf (":%ux%u", cell->streams, cell->chunks) : g_strdup ("");

  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    {
      const MemlaneFigure *model = twin != NULL ? memlane_cell_find (twin, figure->phase, figure->clock) : NULL;
      g_autofree char *key = g_strdup_printf ("%s reuse=%u\n%s%s/%s/%s", cell->workload, cell->reuse, cell->mode, schedule,
                                              memlane_phase_name (figure->phase), memlane_clock_name (figure->clock));
      Row *row = g_tree_lookup (table->rows, key);

      if (figure->phase == MEMLANE_PHASE_FIRST || figure->statistics.count == 0 || !(figure->statistics.median >= LEAST_NS))
        continue;
      if (model == NULL || !(model->statistics.median >= LEAST_NS))
        table->unmodelled++;
      else if (row != NULL && row->points[(guint) cell->log2_elements].figure != NULL)
        table->twice++;
      else
        {
          if (row == NULL)
            g_tree_insert (table->rows, g_steal_pointer (&key), row = g_new0 (Row, 1));
          row->points[(guint) cell->log2_elements] = (Point) { figure->statistics.median, model->statistics.median, figure };
        }
    }
}

/* Whether one sweep can have both: @schedule is a cell with chunks, or @like. */
static gboolean
goes_with (const MemlaneCell *cell, const MemlaneCell *like, const MemlaneCell *schedule)
{
  return g_str_equal (cell->workload, like->workload) && cell->reuse == like->reuse
         && (cell->chunks == 0 || schedule->chunks == 0 || (cell->streams == schedule->streams && cell->chunks == schedule->chunks));
}

/* Simulates all of @cells that one sweep can have, tables them and takes them away. */
static gboolean
table_part (Table *table, const char *device, GPtrArray *cells, GError **error)
{
  const MemlaneCell *like = cells->pdata[0], *schedule = like;
  g_autoptr (GHashTable) modes = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) part = g_ptr_array_new ();
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (MemlaneRun) model = NULL;
  g_autofree char *list = NULL;
  guint left = 0;

  plan->first_log2 = plan->last_log2 = like->log2_elements;
  for (guint i = 0; i < cells->len; i++)
    {
      const MemlaneCell *cell = cells->pdata[i];

      if (!goes_with (cell, like, schedule))
        {
          cells->pdata[left++] = cells->pdata[i];
          continue;
        }
      schedule = cell->chunks > 0 ? cell : schedule;
      plan->first_log2 = MIN (plan->first_log2, cell->log2_elements);
      plan->last_log2 = MAX (plan->last_log2, cell->log2_elements);
      g_hash_table_add (modes, cell->mode);
      g_ptr_array_add (part, (gpointer) cell);
    }
  g_ptr_array_set_size (cells, (int) left);
  plan->method.workload = memlane_workload_find (like->workload);
  if (plan->method.workload == NULL)
    return TRUE; /* nothing of it can be simulated */
  plan->method.reuse = like->reuse;
  plan->method.streams = schedule->streams > 0 ? schedule->streams : plan->method.streams;
  plan->method.chunks = schedule->chunks > 0 ? schedule->chunks : plan->method.chunks;
  {
    g_autofree gpointer *names = g_hash_table_get_keys_as_array (modes, NULL);

    list = g_strjoinv (",", (char **) names);
  }
  if (!memlane_plan_set_modes (plan, list, error) || (model = sweep (device, plan, error)) == NULL)
    return FALSE;
  MEMLANE_FOR_EACH (const MemlaneCell, cell, part)
    add_cell (table, cell, memlane_run_find (model, cell->workload, cell->mode, cell->log2_elements));
  return TRUE;
}

/* Tables all of @runs beside the model of @profile, which is written to a file of its own for that. */
static gboolean
table_runs (Table *table, GPtrArray *runs, const GString *profile, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-calibrate-XXXXXX", error), *path = NULL, *device = NULL;
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  gboolean done;

  if (folder == NULL)
    return FALSE;
  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
      if (is_measured (cell) && memlane_size_is_power (cell->log2_elements) && cell->log2_elements >= MEMLANE_SMALLEST_LOG2
          && cell->log2_elements <= MEMLANE_LARGEST_LOG2)
        g_ptr_array_add (cells, cell);
  path = g_build_filename (folder, "model.device", NULL);
  device = g_strconcat ("simulated:", path, NULL);
  done = memlane_save_file (path, profile->str, profile->len, error);
  while (done && cells->len > 0)
    done = table_part (table, device, cells, error);
  g_unlink (path);
  g_rmdir (folder);
  return done;
}

/* Says in @report what is there. */
static void
describe_table (const Table *table, GString *report)
{
  g_autoptr (GArray) errors = g_array_new (FALSE, FALSE, sizeof (double));

  FOR_EACH_POINT (table, point)
    {
      double error = fabs (point->modelled / point->recorded - 1);

      g_array_append_val (errors, error);
    }
  if (table->twice > 0)
    g_string_append_printf (report, "%u figures were recorded more than once: the first recording counts\n", table->twice);
  if (table->unmodelled > 0)
    g_string_append_printf (report, "left out: %u figures for which the model has no time\n", table->unmodelled);
  if (errors->len == 0)
    return;
  g_array_sort (errors, memlane_compare_doubles);
  g_string_append_printf (report,
                          "%u figures; the model alone differs from them by %.0f %% in the median, by less than %.0f %% in nine of ten\n",
                          errors->len, 100 * g_array_index (errors, double, errors->len / 2),
                          100 * g_array_index (errors, double, errors->len * 9 / 10));
}

/* Makes the recorded times of @row ascend with the size: neighbours that descend share their geometric mean. */
static void
make_ascend (Row *row)
{
  struct { double sum; guint n; } pools[MOST_LOG2];
  guint n = 0;

  for (guint i = 0; i < MOST_LOG2; i++)
    {
      if (row->points[i].figure == NULL)
        continue;
      pools[n].sum = log (row->points[i].recorded);
      pools[n++].n = 1;
      for (; n > 1 && pools[n - 2].sum / pools[n - 2].n > pools[n - 1].sum / pools[n - 1].n; n--)
        {
          pools[n - 2].sum += pools[n - 1].sum;
          pools[n - 2].n += pools[n - 1].n;
        }
    }
  for (guint i = 0, k = 0, m = 0; i < MOST_LOG2; i++)
    {
      if (row->points[i].figure == NULL)
        continue;
      row->points[i].recorded = exp (pools[k].sum / pools[k].n);
      if (++m == pools[k].n)
        k++, m = 0;
    }
}

/* "2034/1980", of six digits, so that what ascends does so in the file. Or the rounds in thousandths of their median, "998 1003". */
static void
append_point (GString *text, const Point *point, gboolean rounds)
{
  const MemlaneFigure *figure = point->figure;
  char ns[G_ASCII_DTOSTR_BUF_SIZE], model[G_ASCII_DTOSTR_BUF_SIZE];

  if (figure != NULL && !rounds)
    g_string_append_printf (text, "%s/%s", g_ascii_formatd (ns, sizeof ns, "%.6g", point->recorded),
                            g_ascii_formatd (model, sizeof model, "%.6g", point->modelled));
  for (guint i = 0; figure != NULL && rounds && figure->rounds != NULL && figure->n_rounds > 1 && i < figure->n_rounds; i++)
    g_string_append_printf (text, "%s%.0f", i > 0 ? " " : "", MAX (1000 * figure->rounds[i].median / figure->statistics.median, 1));
}

/* Appends the rows from @node on that share its group. */
static void
append_group (GString *text, GTreeNode *node, gboolean rounds)
{
  const char *group = g_tree_node_key (node);
  gsize length = strcspn (group, "\n") + 1;
  gboolean has[MOST_LOG2] = { FALSE };

#define FOR_EACH_OF_GROUP(each) \
  for (GTreeNode *each = node; each != NULL && strncmp (g_tree_node_key (each), group, length) == 0; each = g_tree_node_next (each))
  FOR_EACH_OF_GROUP (each)
    for (guint i = 0; i < MOST_LOG2; i++)
      has[i] |= ((Row *) g_tree_node_value (each))->points[i].figure != NULL;
  g_string_append_printf (text, "\n[%s %.*s]\nlog2=", rounds ? "rounds" : "recorded", (int) length - 1, group);
  for (guint i = 0; i < MOST_LOG2; i++)
    if (has[i])
      g_string_append_printf (text, "%u;", i);
  text->str[text->len - 1] = '\n';
  FOR_EACH_OF_GROUP (each)
    {
      const Row *row = g_tree_node_value (each);
      gsize line = text->len, values;

      g_string_append_printf (text, "%s=", (char *) g_tree_node_key (each) + length);
      values = text->len;
      for (guint i = 0; i < MOST_LOG2; i++)
        if (has[i])
          {
            append_point (text, &row->points[i], rounds);
            g_string_append_c (text, ';');
          }
      if (strspn (text->str + values, ";") == text->len - values)
        g_string_truncate (text, line);
      else
        text->str[text->len - 1] = '\n';
    }
}

/* Writes the profile, and its rounds where there are any; of the two standard output gets the profile alone. */
static gboolean
write_profile (const Table *table, GString *profile, const char *output, GError **error)
{
  g_autoptr (GString) rounds = g_string_new ("# The recorded rounds of the device profile beside this file (memlane-cli calibrate).\n"
                                             "# SPDX-License-Identifier: MIT\n");
  gboolean has_rounds = FALSE;
  const char *group = "";

  for (GTreeNode *node = g_tree_node_first (table->rows); node != NULL; node = g_tree_node_next (node))
    make_ascend (g_tree_node_value (node));
  FOR_EACH_POINT (table, point)
    has_rounds |= point->figure->n_rounds > 1;
  for (GTreeNode *node = g_tree_node_first (table->rows); node != NULL; node = g_tree_node_next (node))
    if (strncmp (g_tree_node_key (node), group, strcspn (group, "\n") + 1) != 0)
      {
        group = g_tree_node_key (node);
        append_group (profile, node, FALSE);
        append_group (rounds, node, TRUE);
      }
  if (!memlane_save_file (output, profile->str, profile->len, error))
    return FALSE;
  if (has_rounds && g_str_has_suffix (output, ".device"))
    {
      g_autofree char *path = g_strdup_printf ("%.*s.rounds", (int) (strlen (output) - strlen (".device")), output);

      return memlane_save_file (path, rounds->str, rounds->len, error);
    }
  return TRUE;
}

static gboolean
calibrate (GPtrArray *runs, GString *report, GError **error)
{
  const char *name = asked.base != NULL ? asked.base : "h200";
  g_autofree char *id = g_strconcat (strchr (name, ':') != NULL ? "" : "simulated:", name, NULL);
  g_autoptr (MemlaneDeviceInfo) base = NULL;
  g_autoptr (GString) profile = NULL;
  Table table = { 0 };
  gboolean done;

  if (!check_runs (runs, asked.record, report, error) || (base = memlane_device_describe (id, error)) == NULL)
    return FALSE;
  if (base->profile == NULL)
    return refuse (error, "--base %s: expected a simulated device, such as simulated:h200", asked.base);
  profile = begin_profile (runs, base, error);
  if (profile == NULL)
    return FALSE;
  table.rows = g_tree_new_full (compare_keys, NULL, g_free, g_free);
  done = table_runs (&table, runs, profile, error);
  if (done)
    {
      describe_table (&table, report);
      done = write_profile (&table, profile, asked.output, error);
    }
  g_tree_unref (table.rows);
  return done;
}

/* --- the command -------------------------------------------------------------------------------------------------------------- */

static int
check_usage (char **files)
{
  gboolean has_file = files[0] != NULL;
  g_autoptr (GError) error = NULL;

  if (asked.record && has_file)
    return cli_fail (CLI_USAGE, "calibrate: --record makes the runs itself; leave out %s", files[0]);
  if (!asked.record && (asked.device != NULL || asked.rounds != NULL))
    return cli_fail (CLI_USAGE, "calibrate: %s is for recording; give --record, too", asked.device != NULL ? "--device" : "--rounds");
  if (!asked.record && !has_file)
    return cli_fail (CLI_USAGE, "calibrate: expected at least one recorded run: memlane-cli calibrate RUN.csv -o F.device");
  if (asked.output == NULL)
    return cli_fail (CLI_USAGE, "calibrate: expected -o F.device, the profile to write");
  if (cli_output_is_input (asked.output, (const char *const *) files))
    return cli_fail (CLI_USAGE, "calibrate: %s is a recorded run; expected another name after -o", asked.output);
  /* A profile is found again by this ending; and a name that was meant for something else is not overwritten. */
  if (strcmp (asked.output, "-") != 0 && !g_str_has_suffix (asked.output, ".device"))
    return cli_fail (CLI_USAGE, "calibrate: -o: found \"%s\", expected a file name that ends in .device", asked.output);
  if (!cli_output_check (asked.output, CLI_FILE_PROFILE, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  return CLI_OK;
}

/* The exit status that @error asks for: a run or a base that cannot be used is wrong usage. */
static int
get_status (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return CLI_INTERRUPTED;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT) || error->domain == MEMLANE_DEVICE_ERROR)
    return CLI_USAGE;
  return CLI_NOTHING;
}

static int
work (char **files)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  int status = asked.record ? record (runs) : CLI_OK;

  if (status != CLI_OK)
    return status;
  if (!read_files (files, runs, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (!calibrate (runs, report, &error))
    return cli_fail (get_status (error), "calibrate: %s", error->message);
  if (strcmp (asked.output, "-") == 0)
    {
      g_printerr ("%s", report->str);
      return CLI_OK;
    }
  g_print ("%s", report->str);
  fflush (stdout); /* both streams may be one terminal */
  g_printerr ("written: %s; use it with --device simulated:%s%s\n", asked.output, strchr (asked.output, '/') == NULL ? "./" : "",
              asked.output);
  return CLI_OK;
}

static const GOptionEntry options[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked.output, "The profile to write; its name ends in .device", "F.device" },
  { "base", 'b', 0, G_OPTION_ARG_FILENAME, &asked.base, "The simulated device to start from (default: h200)", "NAME" },
  { "record", 0, 0, G_OPTION_ARG_NONE, &asked.record, "Record the runs here, and take them", NULL },
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device, "With --record: what to record (default: a GPU)", "ID" },
  { "rounds", 0, 0, G_OPTION_ARG_FILENAME, &asked.rounds, "With --record: rounds of each run, 1 to 64 (default: 12)", "N" },
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &asked.quiet, "With --record: say nothing of its progress", NULL },
  { NULL },
};

static int
run (char **files)
{
  int status = check_usage (files);

  if (status != CLI_OK)
    return status;
  cancellable = g_cancellable_new ();
  cli_progress_begin (asked.quiet || !asked.record);
  cli_signals_begin (cancellable, NULL);
  status = work (files);
  cli_signals_end ();
  cli_progress_clear ();
  g_clear_object (&cancellable);
  return status;
}

const CliCommand cli_calibrate = {
  .name = "calibrate",
  .arguments = "[RUN.csv...]",
  .summary = "Make a simulated device of recorded runs",
  .options = options,
  .most_arguments = CLI_ANY_NUMBER,
  .run = run,
  .writes = TRUE,
};
