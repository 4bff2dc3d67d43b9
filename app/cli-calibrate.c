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
#include "base/save.h"
#include "memlane.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_LOG2 64
#define LEAST_NS 1.0

/* The options of the command line. */
typedef struct
{
  char *output, *base, *device, *rounds;
  gboolean record, quiet;
} Asked;

static gboolean G_GNUC_PRINTF (2, 3)
refuse (GError **error, const char *format, ...)
{
  va_list arguments;
  g_autofree char *text = NULL;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, text);
  return FALSE;
}

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

/* Runs @plan on @device, on the main loop. NULL with @error: nothing came of it, or it was stopped. (transfer full) */
static MemlaneRun *
sweep (Recording *self, const char *device, const MemlanePlan *plan, GError **error)
{
  g_autoptr (MemlaneSweep) sweep = memlane_sweep_new (device, plan, FALSE);
  const char *trouble;

  g_signal_connect (sweep, "progress", G_CALLBACK (on_progress), self);
  memlane_sweep_run_async (sweep, self->cancellable, on_finished, self);
  g_main_loop_run (self->loop);
  cli_progress_clear (self->progress);
  trouble = memlane_sweep_get_trouble (sweep);
  if (self->run != NULL && (g_cancellable_is_cancelled (self->cancellable) || trouble != NULL))
    {
      g_clear_pointer (&self->run, memlane_run_unref);
      g_set_error (error, G_IO_ERROR, trouble == NULL ? G_IO_ERROR_CANCELLED : G_IO_ERROR_FAILED, "%s",
                   trouble == NULL ? "interrupted; nothing was written" : trouble);
    }
  else if (self->run == NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  g_signal_handlers_disconnect_by_data (sweep, self);
  return g_steal_pointer (&self->run);
}

/* Appends a run for each row of the table to @runs. */
static gboolean
record (Recording *self, const Asked *asked, const char *device, guint rounds, GPtrArray *runs, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      g_autoptr (MemlanePlan) plan = memlane_plan_new ();
      MemlaneRun *run;

      plan->method.workload = memlane_workload_find (recorded[i].workload);
      plan->method.reuse = recorded[i].reuse;
      if (rounds > 0)
        plan->method.rounds = rounds;
      if (!asked->quiet)
        g_printerr ("recording %u of %u: %s, reuse %u\n", i + 1, (guint) G_N_ELEMENTS (recorded), recorded[i].workload, recorded[i].reuse);
      run = sweep (self, device, plan, error);
      if (run == NULL)
        return FALSE;
      g_ptr_array_add (runs, run);
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
  const char *device = get_device_name (runs->pdata[0]);
  guint failed = 0, measured = 0, beyond = 0;
  guint64 sizes = 0;

  for (guint i = 0; i < runs->len; i++)
    {
      const MemlaneRun *run = runs->pdata[i];
      const char *name = get_device_name (run);

      if (!of_simulated && memlane_device_kind_is_simulated (run->device_kind))
        return refuse (error, "run %s was simulated: a profile is made from runs recorded on a real device (device_kind cuda)", run->id);
      if (device != NULL && name != NULL && !g_str_equal (device, name))
        return refuse (error, "run %s was recorded on %s and run %s on %s: expected runs of one device; make a profile of each",
                       ((const MemlaneRun *) runs->pdata[0])->id, device, run->id, name);
      if (memlane_environment_get_flag (run->environment, MEMLANE_ENVIRONMENT_COLD_CACHE))
        return refuse (error, "run %s was recorded with --cold-cache, as no program finds the device; leave it out", run->id);
      for (guint j = 0; j < run->cells->len; j++)
        {
          const MemlaneCell *cell = run->cells->pdata[j];

          failed += !is_measured (cell) && cell->status != MEMLANE_STATUS_UNSUPPORTED;
          measured += is_measured (cell);
          beyond += is_measured (cell) && cell->log2_elements > MEMLANE_LARGEST_LOG2;
          sizes |= is_measured (cell) ? G_GUINT64_CONSTANT (1) << (cell->log2_elements & 63) : 0;
        }
    }
  if (measured == beyond)
    return refuse (error, "nothing that can be simulated was measured in %s: expected cells of status ok or noisy, up to 2^%u floats; "
                   "record again with memlane-cli sweep", runs->len == 1 ? "this run" : "these runs", MEMLANE_LARGEST_LOG2);
  if (failed > 0)
    g_string_append_printf (report, "left out: %u cells that failed\n", failed);
  if (beyond > 0)
    g_string_append_printf (report, "left out: %u cells beyond 2^%u floats, the largest that is simulated\n", beyond, MEMLANE_LARGEST_LOG2);
  if ((sizes & (sizes - 1)) == 0)
    g_string_append (report, "one size only: at all others the model is alone\n");
  return TRUE;
}

static void
append_text (GString *text, const char *key, const char *value)
{
  g_autofree char *one_line = g_strdelimit (g_strdup (value), "\n\r\t\\", ' ');

  g_string_append_printf (text, "%s=%s\n", key, one_line);
}

static void
append_number (GString *text, const char *key, const MemlaneRun *run, MemlaneEnvironmentMember member)
{
  double value = memlane_environment_get_number (run->environment, member);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (value > 0)
    g_string_append_printf (text, "%s=%s\n", key, g_ascii_formatd (number, sizeof number, "%.17g", value));
}

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
  g_autofree char *text = NULL, *base_name = g_path_get_basename (base->profile);
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
  {
    g_autofree char *shown = g_strdup_printf ("%s%s", name, strstr (name, "(simulated)") != NULL ? "" : " (simulated)");

    append_text (profile, "name", shown);
  }
  append_text (profile, "calibrated_from", run->id);
  append_number (profile, "memory_bytes", run, MEMLANE_ENVIRONMENT_DEVICE_MEMORY);
  append_number (profile, "l2_bytes", run, MEMLANE_ENVIRONMENT_L2_BYTES);
  append_number (profile, "memory_bandwidth", run, MEMLANE_ENVIRONMENT_MEMORY_BANDWIDTH);
  append_number (profile, "multiprocessors", run, MEMLANE_ENVIRONMENT_MULTIPROCESSORS);
  append_number (profile, "link_generation", run, MEMLANE_ENVIRONMENT_LINK_GENERATION);
  append_number (profile, "link_width", run, MEMLANE_ENVIRONMENT_LINK_WIDTH);
  append_number (profile, "link_bandwidth", run, MEMLANE_ENVIRONMENT_LINK_BANDWIDTH);
  append_number (profile, "asyncEngineCount", run, MEMLANE_ENVIRONMENT_COPY_ENGINES);
  append_capabilities (profile, run);
  return profile;
}

/* --- the recording beside the model ---------------------------------------------------------------------------------------- */

/* One figure over its sizes. */
typedef struct
{
  double recorded[MOST_LOG2], modelled[MOST_LOG2]; /* ns; 0: nothing */
  char *rounds[MOST_LOG2]; /* in thousandths; NULL: none */
} Line;

static void
line_free (gpointer data)
{
  Line *line = data;

  for (guint i = 0; i < MOST_LOG2; i++)
    g_free (line->rounds[i]);
  g_free (line);
}

typedef struct
{
  GTree *groups;       /* "WORKLOAD reuse=R" -> (element-type Line by "MODE/PHASE/CLOCK") */
  guint twice, unmodelled;
  GArray *errors;      /* double: of the model alone */
} Table;

static int
compare_names (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return strcmp (a, b);
}

static Line *
get_line (Table *table, const MemlaneCell *cell, const MemlaneFigure *figure)
{
  g_autofree char *group = g_strdup_printf ("%s reuse=%u", cell->workload, cell->reuse);
  g_autofree char *schedule = cell->streams > 0 ? g_strdup_printf (":%ux%u", cell->streams, cell->chunks) : g_strdup ("");
  g_autofree char *name = g_strdup_printf ("%s%s/%s/%s", cell->mode, schedule, memlane_phase_name (figure->phase),
                                           memlane_clock_name (figure->clock));
  GTree *lines = g_tree_lookup (table->groups, group);
  Line *line;

  if (lines == NULL)
    {
      lines = g_tree_new_full (compare_names, NULL, g_free, line_free);
      g_tree_insert (table->groups, g_steal_pointer (&group), lines);
    }
  line = g_tree_lookup (lines, name);
  if (line == NULL)
    {
      line = g_new0 (Line, 1);
      g_tree_insert (lines, g_steal_pointer (&name), line);
    }
  return line;
}

/* "998 1003": the rounds of @figure by their median. */
static char *
describe_rounds (const MemlaneFigure *figure)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < figure->n_rounds; i++)
    g_string_append_printf (text, "%s%.0f", i > 0 ? " " : "", MAX (1000 * figure->rounds[i].median / figure->statistics.median, 1));
  return g_string_free (text, FALSE);
}

static void
add_figure (Table *table, const MemlaneCell *cell, const MemlaneFigure *figure, const MemlaneCell *twin)
{
  const MemlaneFigure *model = twin != NULL ? memlane_cell_find (twin, figure->phase, figure->clock) : NULL;
  Line *line;
  double error;

  if (figure->phase == MEMLANE_PHASE_FIRST || figure->statistics.count == 0 || !(figure->statistics.median >= LEAST_NS))
    return;
  if (model == NULL || !(model->statistics.median >= LEAST_NS))
    {
      table->unmodelled++;
      return;
    }
  line = get_line (table, cell, figure);
  if (line->recorded[cell->log2_elements] > 0)
    {
      table->twice++;
      return;
    }
  line->recorded[cell->log2_elements] = figure->statistics.median;
  line->modelled[cell->log2_elements] = model->statistics.median;
  line->rounds[cell->log2_elements] = figure->rounds != NULL && figure->n_rounds > 1 ? describe_rounds (figure) : NULL;
  error = fabs (model->statistics.median / figure->statistics.median - 1);
  g_array_append_val (table->errors, error);
}

/* The part of the model that one sweep covers. */
typedef struct
{
  const MemlaneCell *like;
  guint streams, chunks, first, last;
  GString *modes;
} Part;

static gboolean
is_part_of (const MemlaneCell *cell, const Part *part)
{
  return is_measured (cell) && cell->log2_elements <= MEMLANE_LARGEST_LOG2 && cell->log2_elements >= MEMLANE_SMALLEST_LOG2
         && g_str_equal (cell->workload, part->like->workload) && cell->reuse == part->like->reuse
         && (cell->streams == 0 || part->streams == 0 || (cell->streams == part->streams && cell->chunks == part->chunks));
}

/* Widens @part to @cell. */
static void
cover (Part *part, const MemlaneCell *cell)
{
  g_auto (GStrv) known = g_strsplit (part->modes->str, ",", 0);

  if (!g_strv_contains ((const char *const *) known, cell->mode))
    g_string_append_printf (part->modes, "%s%s", part->modes->len > 0 ? "," : "", cell->mode);
  part->first = MIN (part->first, cell->log2_elements);
  part->last = MAX (part->last, cell->log2_elements);
  if (cell->streams > 0)
    {
      part->streams = cell->streams;
      part->chunks = cell->chunks;
    }
}

/* Simulates all cells of @run like the first that is not @done, and tables them. */
static gboolean
table_part (Table *table, Recording *self, const char *device, const MemlaneRun *run, gboolean *done, GError **error)
{
  g_autoptr (GString) modes = g_string_new (NULL);
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (MemlaneRun) model = NULL;
  Part part = { .first = MOST_LOG2, .modes = modes };

  for (guint j = 0; j < run->cells->len; j++)
    {
      const MemlaneCell *cell = run->cells->pdata[j];

      if (done[j] || (part.like == NULL && !is_measured (cell)))
        continue;
      if (part.like == NULL)
        part.like = cell;
      if (is_part_of (cell, &part))
        cover (&part, cell);
    }
  plan->method.workload = part.like != NULL ? memlane_workload_find (part.like->workload) : NULL;
  if (plan->method.workload == NULL || modes->len == 0)
    {
      memset (done, 0xff, run->cells->len * sizeof *done); /* nothing that is left can be simulated */
      return TRUE;
    }
  plan->method.reuse = part.like->reuse;
  plan->method.streams = part.streams > 0 ? part.streams : plan->method.streams;
  plan->method.chunks = part.chunks > 0 ? part.chunks : plan->method.chunks;
  plan->first_log2 = part.first;
  plan->last_log2 = part.last;
  if (!memlane_plan_set_modes (plan, modes->str, error) || (model = sweep (self, device, plan, error)) == NULL)
    return FALSE;
  for (guint j = 0; j < run->cells->len; j++)
    {
      const MemlaneCell *cell = run->cells->pdata[j];
      const MemlaneCell *twin = memlane_run_find (model, cell->workload, cell->mode, cell->log2_elements);

      if (done[j] || !is_part_of (cell, &part))
        continue;
      done[j] = TRUE;
      for (guint k = 0; k < cell->figures->len; k++)
        add_figure (table, cell, cell->figures->pdata[k], twin);
    }
  return TRUE;
}

static gboolean
table_run (Table *table, Recording *self, const char *device, const MemlaneRun *run, GError **error)
{
  g_autofree gboolean *done = g_new0 (gboolean, run->cells->len);

  for (guint j = 0; j < run->cells->len; j++)
    done[j] = !is_measured (run->cells->pdata[j]) || ((const MemlaneCell *) run->cells->pdata[j])->log2_elements > MEMLANE_LARGEST_LOG2;
  for (guint j = 0; j < run->cells->len; j++)
    if (!done[j] && !table_part (table, self, device, run, done, error))
      return FALSE;
  return TRUE;
}

/* Makes recorded times ascend with the size: neighbours that descend share their geometric mean. */
static void
make_ascend (Line *line)
{
  struct { double sum; guint n, first; } pools[MOST_LOG2];
  guint n = 0;

  for (guint i = 0; i < MOST_LOG2; i++)
    {
      if (line->recorded[i] <= 0)
        continue;
      pools[n].sum = log (line->recorded[i]);
      pools[n].n = 1;
      pools[n++].first = i;
      for (; n > 1 && pools[n - 2].sum / pools[n - 2].n > pools[n - 1].sum / pools[n - 1].n; n--)
        {
          pools[n - 2].sum += pools[n - 1].sum;
          pools[n - 2].n += pools[n - 1].n;
        }
    }
  for (guint k = 0; k < n; k++)
    for (guint i = pools[k].first; i < (k + 1 < n ? pools[k + 1].first : MOST_LOG2); i++)
      line->recorded[i] = line->recorded[i] > 0 ? exp (pools[k].sum / pools[k].n) : 0;
}

/* Four digits say more than any recording does. */
static void
append_ns (GString *text, double ns)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (number, sizeof number, "%.4g", ns));
}

typedef struct
{
  GString *text;
  gboolean rounds;
  gboolean sizes[MOST_LOG2];
} Writing;

static gboolean
note_sizes (gpointer name, gpointer data, gpointer user_data)
{
  Writing *writing = user_data;
  const Line *line = data;

  for (guint i = 0; i < MOST_LOG2; i++)
    writing->sizes[i] |= line->recorded[i] > 0;
  return FALSE;
}

static gboolean
write_line (gpointer name, gpointer data, gpointer user_data)
{
  Writing *writing = user_data;
  Line *line = data;
  gsize begin = writing->text->len;
  gboolean is_first = TRUE, any = FALSE;

  if (!writing->rounds)
    make_ascend (line);
  g_string_append_printf (writing->text, "%s=", (const char *) name);
  for (guint i = 0; i < MOST_LOG2; i++)
    {
      if (!writing->sizes[i])
        continue;
      if (!is_first)
        g_string_append_c (writing->text, ';');
      is_first = FALSE;
      if (writing->rounds && line->rounds[i] != NULL)
        g_string_append (writing->text, line->rounds[i]);
      else if (!writing->rounds && line->recorded[i] > 0)
        {
          append_ns (writing->text, line->recorded[i]);
          g_string_append_c (writing->text, '/');
          append_ns (writing->text, line->modelled[i]);
        }
      any |= writing->rounds ? line->rounds[i] != NULL : line->recorded[i] > 0;
    }
  g_string_append_c (writing->text, '\n');
  if (!any)
    g_string_truncate (writing->text, begin);
  return FALSE;
}

static gboolean
write_group (gpointer name, gpointer data, gpointer user_data)
{
  Writing *writing = user_data;
  gboolean is_first = TRUE;

  memset (writing->sizes, 0, sizeof writing->sizes);
  g_tree_foreach (data, note_sizes, writing);
  g_string_append_printf (writing->text, "\n[%s %s]\nlog2=", writing->rounds ? "rounds" : "recorded", (const char *) name);
  for (guint i = 0; i < MOST_LOG2; i++)
    if (writing->sizes[i])
      {
        g_string_append_printf (writing->text, "%s%u", is_first ? "" : ";", i);
        is_first = FALSE;
      }
  g_string_append_c (writing->text, '\n');
  g_tree_foreach (data, write_line, writing);
  return FALSE;
}

static int
compare_errors (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
describe_table (Table *table, GString *report)
{
  char median[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];

  if (table->twice > 0)
    g_string_append_printf (report, "%u figures were recorded more than once: the first recording counts\n", table->twice);
  if (table->unmodelled > 0)
    g_string_append_printf (report, "left out: %u figures for which the model has no time\n", table->unmodelled);
  if (table->errors->len == 0)
    return;
  g_array_sort (table->errors, compare_errors);
  g_ascii_formatd (median, sizeof median, "%.0f", 100 * g_array_index (table->errors, double, table->errors->len / 2));
  g_ascii_formatd (most, sizeof most, "%.0f", 100 * g_array_index (table->errors, double, table->errors->len * 9 / 10));
  g_string_append_printf (report,
                          "%u figures; the model alone differs from them by %s %% in the median, by less than %s %% in nine of ten\n",
                          table->errors->len, median, most);
}

/* Writes the profile, and its rounds where there are any; of the two standard output gets the profile alone. */
static gboolean
write_profile (Table *table, GString *profile, const char *output, GError **error)
{
  g_autofree char *rounds_path = g_str_has_suffix (output, ".device")
    ? g_strdup_printf ("%.*s.rounds", (int) (strlen (output) - strlen (".device")), output) : NULL;
  g_autoptr (GString) rounds = g_string_new ("# The recorded rounds of the device profile beside this file (memlane-cli calibrate).\n"
                                             "# SPDX-License-Identifier: MIT\n");
  gsize begin = rounds->len;

  g_tree_foreach (table->groups, write_group, &(Writing) { .text = profile });
  g_tree_foreach (table->groups, write_group, &(Writing) { .text = rounds, .rounds = TRUE });
  if (strchr (rounds->str + begin, ' ') == NULL)
    g_string_truncate (rounds, begin);
  return memlane_save_file (output, profile->str, profile->len, error)
         && (rounds_path == NULL || strstr (rounds->str, "/") == NULL || memlane_save_file (rounds_path, rounds->str, rounds->len, error));
}

/* Tables all of @runs beside the model of @profile, which is written to a file of its own for that. */
static gboolean
table_runs (Table *table, Recording *self, GPtrArray *runs, const GString *profile, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-calibrate-XXXXXX", error), *path = NULL, *device = NULL;
  gboolean done;

  if (folder == NULL)
    return FALSE;
  path = g_build_filename (folder, "model.device", NULL);
  device = g_strconcat ("simulated:", path, NULL);
  done = memlane_save_file (path, profile->str, profile->len, error);
  for (guint i = 0; i < runs->len && done; i++)
    done = table_run (table, self, device, runs->pdata[i], error);
  g_unlink (path);
  g_rmdir (folder);
  return done;
}

static gboolean
calibrate (Recording *self, GPtrArray *runs, const Asked *asked, GString *report, GError **error)
{
  g_autofree char *id = NULL;
  g_autoptr (MemlaneDeviceInfo) base = NULL;
  g_autoptr (GString) profile = NULL;
  Table table = { 0 };
  gboolean done;

  id = g_strconcat (asked->base != NULL && strchr (asked->base, ':') != NULL ? "" : "simulated:", asked->base != NULL
                    ? asked->base : "h200",
                    NULL);
  if (!check_runs (runs, asked->record, report, error) || (base = memlane_device_describe (id, error)) == NULL)
    return FALSE;
  if (base->profile == NULL)
    return refuse (error, "--base %s: expected a simulated device, such as simulated:h200", asked->base);
  profile = begin_profile (runs, base, error);
  if (profile == NULL)
    return FALSE;
  table.groups = g_tree_new_full (compare_names, NULL, g_free, (GDestroyNotify) g_tree_unref);
  table.errors = g_array_new (FALSE, FALSE, sizeof (double));
  done = table_runs (&table, self, runs, profile, error) && write_profile (&table, profile, asked->output, error);
  describe_table (&table, report);
  g_tree_unref (table.groups);
  g_array_unref (table.errors);
  return done;
}

/* --- the command -------------------------------------------------------------------------------------------------------------- */

static int
check_usage (const Asked *asked, char **files)
{
  gboolean has_file = files[0] != NULL;
  g_autoptr (GError) error = NULL;

  if (asked->record && has_file)
    return cli_fail (CLI_USAGE, "calibrate: --record makes the runs itself; leave out %s", files[0]);
  if (!asked->record && (asked->device != NULL || asked->rounds != NULL))
    return cli_fail (CLI_USAGE, "calibrate: %s is for recording; give --record, too", asked->device != NULL ? "--device" : "--rounds");
  if (!asked->record && !has_file)
    return cli_fail (CLI_USAGE, "calibrate: expected at least one recorded run: memlane-cli calibrate RUN.csv -o F.device");
  if (asked->output == NULL)
    return cli_fail (CLI_USAGE, "calibrate: expected -o F.device, the profile to write");
  if (cli_output_is_input (asked->output, (const char *const *) files))
    return cli_fail (CLI_USAGE, "calibrate: %s is a recorded run; expected another name after -o", asked->output);
  /* A profile is found again by this ending; and a name that was meant for something else is not overwritten. */
  if (strcmp (asked->output, "-") != 0 && !g_str_has_suffix (asked->output, ".device"))
    return cli_fail (CLI_USAGE, "calibrate: -o: found \"%s\", expected a file name that ends in .device", asked->output);
  if (!cli_output_check (asked->output, CLI_FILE_PROFILE, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  return CLI_OK;
}

/* Without a GPU a simulated device is only recorded when it is asked for by name. */
static int
get_recording (Recording *self, const Asked *asked, GPtrArray *runs)
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
  if (!record (self, asked, device, rounds, runs, &error))
    return cli_fail (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? CLI_INTERRUPTED : CLI_NOTHING, "calibrate: %s",
                     error->message);
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
work (Recording *self, const Asked *asked, char **files)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  int status = asked->record ? get_recording (self, asked, runs) : CLI_OK;

  if (status != CLI_OK)
    return status;
  if (!cli_read_files (files, runs, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (!calibrate (self, runs, asked, report, &error))
    return cli_fail (get_status (error), "calibrate: %s", error->message);
  if (strcmp (asked->output, "-") == 0)
    {
      g_printerr ("%s", report->str);
      return CLI_OK;
    }
  g_print ("%s", report->str);
  fflush (stdout); /* both streams may be one terminal */
  g_printerr ("written: %s; use it with --device simulated:%s%s\n", asked->output, strchr (asked->output, '/') == NULL ? "./" : "",
              asked->output);
  return CLI_OK;
}

static int
run (int argc, char **argv)
{
  Asked asked = { 0 };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked.output, "The profile to write; its name ends in .device", "F.device" },
    { "base", 'b', 0, G_OPTION_ARG_FILENAME, &asked.base, "The simulated device to start from (default: h200)", "NAME" },
    { "record", 0, 0, G_OPTION_ARG_NONE, &asked.record, "Record the runs here, and take them", NULL },
    { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked.device, "With --record: what to record (default: a GPU)", "ID" },
    { "rounds", 0, 0, G_OPTION_ARG_FILENAME, &asked.rounds, "With --record: rounds of each run, 1 to 64 (default: 12)", "N" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &asked.quiet, "With --record: say nothing of its progress", NULL },
    { NULL },
  };
  char **files;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Recording self = { .loop = loop, .cancellable = cancellable };
  int status;

  if (!cli_options_parse (&cli_calibrate, entries, argc, argv, CLI_ANY_NUMBER, &files, &status))
    return status;
  status = check_usage (&asked, files);
  if (status != CLI_OK)
    return status;
  self.progress = cli_progress_new (asked.quiet || !asked.record);
  cli_signals_begin (cancellable, NULL, NULL);
  status = work (&self, &asked, files);
  cli_signals_end ();
  cli_progress_free (self.progress);
  return status;
}

const CliCommand cli_calibrate = {
  .name = "calibrate",
  .arguments = "[RUN.csv...]",
  .summary = "Make a simulated device of recorded runs",
  .description =
    "Reads sweeps that were recorded on a GPU and writes the profile of a simulated\n"
    "device: the GPU's data sheet, and each recorded time beside the time of the model.\n"
    "At a recorded size the device shows the recorded time; between two sizes it shows\n"
    "the model's, corrected by both; elsewhere the model is alone, and the row says so.\n"
    "Beside F.device, F.rounds keeps the recorded rounds, which --noise recorded draws.\n"
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
