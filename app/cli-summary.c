/* cli-summary.c: what a run came to
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

#include "base/each.h"

#define MOST_REASONS 20

typedef struct
{
  MemlaneStatus status;
  const char *detail;
  guint cells;
  GPtrArray *modes; /* ids, each once; borrowed from the run */
} Reason;

static void
reason_free (gpointer data)
{
  Reason *reason = data;

  g_ptr_array_unref (reason->modes);
  g_free (reason);
}

/* A cell is noisy as soon as one of its rows is, be it the time of a free; what people ask about first is the elapsed time. */
static gboolean
is_noisy (const MemlaneCell *cell)
{
  const MemlaneFigure *elapsed = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);

  return elapsed != NULL && elapsed->status == MEMLANE_STATUS_NOISY;
}

const char *
cli_input_path (const char *path)
{
  return strcmp (path, "-") == 0 ? "/dev/stdin" : path;
}

GPtrArray *
cli_read_runs (const char *path, GError **error)
{
  GPtrArray *runs = memlane_csv_read (cli_input_path (path), NULL, NULL, NULL, error);

  if (runs != NULL && runs->len == 1 && ((const MemlaneRun *) runs->pdata[0])->environment == NULL)
    {
      g_autofree char *beside = memlane_csv_environment_path (path);
      g_autoptr (MemlaneEnvironment) environment = NULL;
      g_autoptr (GError) trouble = NULL;

      environment = memlane_environment_read (beside, &trouble);
      if (trouble != NULL)
        g_printerr ("note: %s; the run is read without its environment\n", trouble->message);
    }
  return runs;
}

gboolean
cli_read_files (char **paths, GPtrArray *runs, GError **error)
{
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) read = cli_read_runs (paths[i], error);

      if (read == NULL)
        return FALSE;
      MEMLANE_FOR_EACH (MemlaneRun, run, read)
        g_ptr_array_add (runs, memlane_run_ref (run));
    }
  return TRUE;
}

gboolean
cli_read_named (const char *path, GPtrArray *runs, GPtrArray *names, GError **error)
{
  g_autoptr (GPtrArray) read = cli_read_runs (path, error);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_filename_display_name (base);

  if (read == NULL)
    return FALSE;
  if (g_str_has_suffix (name, ".csv"))
    name[strlen (name) - strlen (".csv")] = '\0';
  MEMLANE_FOR_EACH (MemlaneRun, run, read)
    {
      g_ptr_array_add (runs, memlane_run_ref (run));
      g_ptr_array_add (names, g_strdup (read->len == 1 ? name : run->id));
    }
  return TRUE;
}

void
cli_count_cells (const MemlaneRun *run, CliCount *count)
{
  memset (count, 0, sizeof *count);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    switch (cell->status)
      {
      case MEMLANE_STATUS_NOISY:
      case MEMLANE_STATUS_OK:
        count->measured++;
        count->noisy += is_noisy (cell);
        break;
      case MEMLANE_STATUS_UNSUPPORTED:
        count->unsupported++;
        break;
      case MEMLANE_STATUS_CANCELLED:
        count->cancelled++;
        break;
      case MEMLANE_STATUS_OUT_OF_MEMORY:
      case MEMLANE_STATUS_MISMATCH:
      case MEMLANE_STATUS_ERROR:
      case MEMLANE_STATUS_TIMEOUT:
      case MEMLANE_N_STATUSES:
      default:
        count->failed++;
        break;
      }
}

int
cli_count_status (const CliCount *count, gboolean interrupted)
{
  if (interrupted)
    return CLI_INTERRUPTED;
  if (count->failed > 0)
    return count->measured > 0 ? CLI_FAILED_CELLS : CLI_NOTHING;
  return CLI_OK;
}

void
cli_print_reasons (const MemlaneRun *run, gboolean only_failed)
{
  g_autoptr (GPtrArray) reasons = g_ptr_array_new_with_free_func (reason_free);

  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      Reason *reason = NULL;

      if (cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY || cell->status == MEMLANE_STATUS_CANCELLED
          || (only_failed && cell->status == MEMLANE_STATUS_UNSUPPORTED))
        continue;
      for (guint j = 0; j < reasons->len && reason == NULL; j++)
        {
          Reason *known = reasons->pdata[j];
          if (known->status == cell->status && g_strcmp0 (known->detail, cell->detail) == 0)
            reason = known;
        }
      if (reason == NULL)
        {
          reason = g_new0 (Reason, 1);
          reason->status = cell->status;
          reason->detail = cell->detail;
          reason->modes = g_ptr_array_new ();
          g_ptr_array_add (reasons, reason);
        }
      reason->cells++;
      if (!g_ptr_array_find_with_equal_func (reason->modes, cell->mode, g_str_equal, NULL))
        g_ptr_array_add (reason->modes, cell->mode);
    }

  for (guint i = 0; i < MIN (reasons->len, MOST_REASONS); i++)
    {
      const Reason *reason = reasons->pdata[i];
      g_autoptr (GString) modes = g_string_new (NULL);

      for (guint j = 0; j < reason->modes->len; j++)
        g_string_append_printf (modes, "%s%s", j > 0 ? ", " : "", (const char *) reason->modes->pdata[j]);
      g_printerr ("  %s, %u cell%s of %s: %s\n", memlane_status_name (reason->status), reason->cells,
                  reason->cells == 1 ? "" : "s", modes->str, reason->detail != NULL ? reason->detail : "no reason given");
    }
  if (reasons->len > MOST_REASONS)
    g_printerr ("  and %u more reasons; they are in the column \"detail\"\n", reasons->len - MOST_REASONS);
}

void
cli_print_control (const MemlaneRun *run, gboolean only_failed)
{
  g_autofree char *text = NULL;
  MemlaneControl control;
  gboolean failed;

  memlane_control_run (run, &control);
  failed = control.verdict == MEMLANE_CONTROL_FAILED || control.throttled > 0;
  if (!failed && (control.pairs == 0 || only_failed))
    return;
  text = memlane_control_to_text (&control);
  g_printerr ("%s%s\n", failed ? "warning: " : "", text);
}
