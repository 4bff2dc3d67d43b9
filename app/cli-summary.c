/* cli-summary.c: what a run came to
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

#include "base/each.h"

#define MOST_REASONS 20

/* A cell is noisy as soon as one of its rows is, be it the time of a free; what people ask about
 * first is the elapsed time. */
static gboolean
is_noisy (const MemlaneCell *cell)
{
  const MemlaneFigure *elapsed = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED,
                                                    MEMLANE_CLOCK_HOST);

  return elapsed != NULL && elapsed->status == MEMLANE_STATUS_NOISY;
}

const char *
cli_input_path (const char *path)
{
  return strcmp (path, "-") == 0 ? "/dev/stdin" : path;
}

/* Reads a CSV. A note on standard error says that the environment beside @path is there and cannot
 * be read. */
static GPtrArray *
read_runs (const char *path, GError **error)
{
  GPtrArray *runs = memlane_csv_read (cli_input_path (path), NULL, error);

  if (runs != NULL && runs->len == 1 && ((const MemlaneRun *) runs->pdata[0])->environment == NULL)
    {
      g_autofree char *beside = memlane_csv_environment_path (path);
      g_autoptr (GError) trouble = NULL;
      g_autoptr (MemlaneEnvironment) environment = memlane_environment_read (beside, &trouble);

      if (trouble != NULL)
        g_printerr ("note: %s; the run is read without its environment\n", trouble->message);
    }
  return runs;
}

gboolean
cli_read_files (char **paths, GPtrArray *runs, GPtrArray *names, GError **error)
{
  for (; *paths != NULL; paths++)
    {
      GPtrArray *read = read_runs (*paths, error);
      g_autofree char *base = g_path_get_basename (*paths), *name = g_filename_display_name (base);

      if (read == NULL)
        return FALSE;
      if (g_str_has_suffix (name, ".csv"))
        name[strlen (name) - strlen (".csv")] = '\0';
      for (guint i = 0; names != NULL && i < read->len; i++)
        g_ptr_array_add (
            names, g_strdup (read->len == 1 ? name : ((const MemlaneRun *) read->pdata[i])->id));
      g_ptr_array_extend_and_steal (runs, read);
    }
  return TRUE;
}

void
cli_count_cells (const MemlaneRun *run, CliCount *count)
{
  memset (count, 0, sizeof *count);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    if (cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY)
      {
        count->measured++;
        count->noisy += is_noisy (cell);
      }
    else if (cell->status == MEMLANE_STATUS_UNSUPPORTED)
      count->unsupported++;
    else if (cell->status == MEMLANE_STATUS_CANCELLED)
      count->cancelled++;
    else
      count->failed++;
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

static gboolean
has_reason (const MemlaneCell *cell, gboolean only_failed)
{
  return cell->status != MEMLANE_STATUS_OK && cell->status != MEMLANE_STATUS_NOISY
         && cell->status != MEMLANE_STATUS_CANCELLED
         && !(only_failed && cell->status == MEMLANE_STATUS_UNSUPPORTED);
}

void
cli_print_reasons (const MemlaneRun *run, gboolean only_failed)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new (); /* those that no line tells of yet */
  guint lines = 0;

  MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
    if (has_reason (cell, only_failed))
      g_ptr_array_add (cells, cell);
  for (; cells->len > 0; lines++)
    {
      const MemlaneCell *first = cells->pdata[0];
      g_autoptr (GPtrArray) modes = g_ptr_array_new ();
      g_autofree char *list = NULL;
      guint left = 0, n;

      MEMLANE_FOR_EACH (MemlaneCell, cell, cells)
        if (cell->status != first->status || g_strcmp0 (cell->detail, first->detail) != 0)
          cells->pdata[left++] = cell;
        else if (!g_ptr_array_find_with_equal_func (modes, cell->mode, g_str_equal, NULL))
          g_ptr_array_add (modes, cell->mode);
      n = cells->len - left;
      g_ptr_array_set_size (cells, (int) left);
      list = MEMLANE_LIST (modes->len, (char *) modes->pdata[i]);
      if (lines < MOST_REASONS)
        g_printerr ("  %s, %u cell%s of %s: %s\n", memlane_status_name (first->status), n,
                    n == 1 ? "" : "s", list,
                    first->detail != NULL ? first->detail : "no reason given");
    }
  if (lines > MOST_REASONS)
    g_printerr ("  and %u more reasons; they are in the column \"detail\"\n", lines - MOST_REASONS);
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
