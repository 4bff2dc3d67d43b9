/* csv-write.c: runs to CSV
 *
 * SPDX-License-Identifier: MIT
 *
 * Rows of a cell stand in the order of phases, within a phase in that of clocks. What no figure of a cell tells - it has none, or the
 * cell's own status or detail is another - is told by one row of phase "elapsed" without clock and figures, behind
 * the figures of that phase.
 */
#include "csv.h"

#include <string.h>

#include "base/save.h"
#include "base/strict-text.h"
#include "csv-private.h"

#define SAMPLE_COLUMNS "run,device,device_kind,workload,mode,log2_elements,elements,bytes,reuse,streams,chunks,phase,clock,sample,ns"

/* An absent value is empty, never 0. */
static void
append_known_count (GString *text, guint64 value)
{
  if (value > 0)
    memlane_text_append_count (text, value);
}

/* The columns that a cell's rows have in common: "run" to "chunks", and a comma. */
static void
append_independent (GString *text, const MemlaneRun *run, const MemlaneCell *cell)
{
  memlane_text_append_field (text, run->id);
  g_string_append_c (text, ',');
  memlane_text_append_field (text, run->device);
  g_string_append_c (text, ',');
  memlane_text_append_field (text, run->device_kind);
  g_string_append_c (text, ',');
  memlane_text_append_field (text, cell->workload);
  g_string_append_c (text, ',');
  memlane_text_append_field (text, cell->mode);
  g_string_append_c (text, ',');
  memlane_text_append_count (text, cell->log2_elements);
  g_string_append_c (text, ',');
  memlane_text_append_count (text, cell->elements);
  g_string_append_c (text, ',');
  memlane_text_append_count (text, cell->bytes);
  g_string_append_c (text, ',');
  memlane_text_append_count (text, cell->reuse);
  g_string_append_c (text, ',');
  append_known_count (text, cell->streams);
  g_string_append_c (text, ',');
  append_known_count (text, cell->chunks);
  g_string_append_c (text, ',');
}

static void
append_figure (GString *text, const MemlaneFigure *figure)
{
  const MemlaneStatistics *s = &figure->statistics;
  const double numbers[] = { s->median, s->ci95_low, s->ci95_high, s->min, s->q1, s->q3, s->max };
  double bandwidth = memlane_figure_get_bandwidth (figure);

  g_string_append (text, memlane_phase_name (figure->phase));
  g_string_append_c (text, ',');
  g_string_append (text, memlane_clock_name (figure->clock));
  g_string_append_c (text, ',');
  append_known_count (text, s->count);
  g_string_append_c (text, ',');
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      if (s->count > 0)
        memlane_text_append_number (text, numbers[i]);
      g_string_append_c (text, ',');
    }
  append_known_count (text, figure->bytes_moved);
  g_string_append_c (text, ',');
  if (bandwidth > 0)
    memlane_text_append_number (text, bandwidth);
  g_string_append_c (text, ',');
  g_string_append (text, memlane_status_name (figure->status));
  g_string_append_c (text, ',');
  memlane_text_append_field (text, figure->detail);
  g_string_append_c (text, '\n');
}

static void
append_cell_row (GString *text, const MemlaneCell *cell)
{
  g_string_append (text, "elapsed,,,,,,,,,,,,"); /* clock to bandwidth are empty */
  g_string_append (text, memlane_status_name (cell->status));
  g_string_append_c (text, ',');
  memlane_text_append_field (text, cell->detail);
  g_string_append_c (text, '\n');
}

void
memlane_csv_summarize (const MemlaneCell *cell, MemlaneStatus *status, const char **detail)
{
  *status = MEMLANE_STATUS_OK;
  *detail = NULL;
  for (guint i = 0; i < cell->figures->len; i++)
    {
      const MemlaneFigure *figure = g_ptr_array_index (cell->figures, i);

      if (i == 0 || figure->status > *status)
        {
          *status = figure->status;
          *detail = figure->detail;
        }
    }
}

static gboolean
needs_cell_row (const MemlaneCell *cell)
{
  const char *detail;
  MemlaneStatus status;

  if (cell->figures->len == 0)
    return TRUE;
  memlane_csv_summarize (cell, &status, &detail);
  return cell->status != status || (cell->detail != NULL && *cell->detail != '\0' && g_strcmp0 (cell->detail, detail) != 0);
}

void
memlane_csv_append_header (GString *text)
{
  g_string_append (text, MEMLANE_CSV_COLUMNS "\n");
}

void
memlane_csv_append_cell (GString *text, const MemlaneRun *run, const MemlaneCell *cell)
{
  g_autoptr (GString) independent = g_string_new (NULL);
  gboolean row_due = needs_cell_row (cell);

  append_independent (independent, run, cell);
  for (guint i = 0; i < cell->figures->len; i++)
    {
      const MemlaneFigure *figure = g_ptr_array_index (cell->figures, i);

      if (row_due && figure->phase > MEMLANE_PHASE_ELAPSED)
        {
          g_string_append_len (text, independent->str, (gssize) independent->len);
          append_cell_row (text, cell);
          row_due = FALSE;
        }
      g_string_append_len (text, independent->str, (gssize) independent->len);
      append_figure (text, figure);
    }
  if (row_due)
    {
      g_string_append_len (text, independent->str, (gssize) independent->len);
      append_cell_row (text, cell);
    }
}

gboolean
memlane_csv_write (const MemlaneRun *run, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (MemlaneSave) table = NULL, environment = NULL;

  memlane_csv_append_header (text);
  for (guint i = 0; i < run->cells->len; i++)
    memlane_csv_append_cell (text, run, g_ptr_array_index (run->cells, i));

  table = memlane_save_prepare (path, text->str, text->len, error);
  if (table == NULL)
    return FALSE;
  if (run->environment != NULL && !memlane_save_is_stream (path))
    {
      g_autofree char *environment_path = memlane_csv_environment_path (path);

      environment = memlane_save_prepare (environment_path, run->environment, strlen (run->environment), error);
      if (environment == NULL)
        return FALSE;
    }
  /* The table last: who sees a new one finds its environment beside it. */
  return (environment == NULL || memlane_save_commit (environment, error)) && memlane_save_commit (table, error);
}

gboolean
memlane_csv_write_samples (const MemlaneRun *run, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (SAMPLE_COLUMNS "\n");
  g_autoptr (GString) independent = g_string_new (NULL);

  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = g_ptr_array_index (run->cells, i);

      g_string_truncate (independent, 0);
      append_independent (independent, run, cell);
      for (guint j = 0; j < cell->figures->len; j++)
        {
          const MemlaneFigure *figure = g_ptr_array_index (cell->figures, j);

          for (guint k = 0; figure->samples != NULL && k < figure->statistics.count; k++)
            {
              g_string_append_len (text, independent->str, (gssize) independent->len);
              g_string_append (text, memlane_phase_name (figure->phase));
              g_string_append_c (text, ',');
              g_string_append (text, memlane_clock_name (figure->clock));
              g_string_append_c (text, ',');
              memlane_text_append_count (text, k + 1);
              g_string_append_c (text, ',');
              memlane_text_append_number (text, figure->samples[k]);
              g_string_append_c (text, '\n');
            }
        }
    }
  return memlane_save_file (path, text->str, text->len, error);
}

char *
memlane_csv_environment_path (const char *csv_path)
{
  gsize length = strlen (csv_path);

  if (length > 4 && g_ascii_strcasecmp (csv_path + length - 4, ".csv") == 0 && csv_path[length - 5] != '/')
    length -= 4;
  return g_strdup_printf ("%.*s.environment.json", (int) length, csv_path);
}
