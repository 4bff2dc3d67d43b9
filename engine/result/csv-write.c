/* csv-write.c: runs to CSV
 *
 * SPDX-License-Identifier: MIT
 *
 * Rows of a cell stand in the order of phases, within a phase in that of clocks. What no figure of a cell tells - it has none, or the
 * cell's own status or detail is another - is told by one row of phase "elapsed" without clock and figures, behind
 * the figures of that phase.
 */
#include "csv.h"

#include <math.h>
#include <string.h>

#include <csv.h>

#include "csv-private.h"
#include "base/save.h"

#define SAMPLE_COLUMNS "run,device,device_kind,workload,mode,log2_elements,elements,bytes,reuse,streams,chunks,phase,clock,sample,ns"

G_DEFINE_QUARK (memlane-csv-error-quark, memlane_csv_error)

/* Quoted only where it must be, so that ids stay as they are. */
static void
append_text (GString *text, const char *value)
{
  g_autofree char *valid = NULL;
  gsize length, place;

  if (value == NULL || *value == '\0')
    return;
  if (!g_utf8_validate (value, -1, NULL))
    value = valid = g_utf8_make_valid (value, -1);
  length = strlen (value);
  if (strpbrk (value, ",\"\r\n") == NULL && value[0] != ' ' && value[length - 1] != ' ')
    {
      g_string_append_len (text, value, (gssize) length);
      return;
    }
  place = text->len;
  g_string_set_size (text, place + 2 * length + 2); /* every character a quote, and the two outside */
  g_string_set_size (text, place + csv_write (text->str + place, 2 * length + 2, value, length));
}

static void
append_count (GString *text, guint64 value)
{
  char digits[24];
  char *at = digits + sizeof digits;

  do
    *--at = (char) ('0' + value % 10);
  while ((value /= 10) > 0);
  g_string_append_len (text, at, digits + sizeof digits - at);
}

/* An absent value is empty, never 0. */
static void
append_known_count (GString *text, guint64 value)
{
  if (value > 0)
    append_count (text, value);
}

/* The fewest digits that read back as the same value. */
static void
append_number (GString *text, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    return;
  if (value >= 0 && value < 1e15 && value == floor (value))
    {
      append_count (text, (guint64) value);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  g_string_append (text, buffer);
}

/* The columns that a cell's rows have in common: "run" to "chunks", and a comma. */
static void
append_independent (GString *text, const MemlaneRun *run, const MemlaneCell *cell)
{
  append_text (text, run->id);
  g_string_append_c (text, ',');
  append_text (text, run->device);
  g_string_append_c (text, ',');
  append_text (text, run->device_kind);
  g_string_append_c (text, ',');
  append_text (text, cell->workload);
  g_string_append_c (text, ',');
  append_text (text, cell->mode);
  g_string_append_c (text, ',');
  append_count (text, cell->log2_elements);
  g_string_append_c (text, ',');
  append_count (text, cell->elements);
  g_string_append_c (text, ',');
  append_count (text, cell->bytes);
  g_string_append_c (text, ',');
  append_count (text, cell->reuse);
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
        append_number (text, numbers[i]);
      g_string_append_c (text, ',');
    }
  append_known_count (text, figure->bytes_moved);
  g_string_append_c (text, ',');
  if (bandwidth > 0)
    append_number (text, bandwidth);
  g_string_append_c (text, ',');
  g_string_append (text, memlane_status_name (figure->status));
  g_string_append_c (text, ',');
  append_text (text, figure->detail);
  g_string_append_c (text, '\n');
}

static void
append_cell_row (GString *text, const MemlaneCell *cell)
{
  g_string_append (text, "elapsed,,,,,,,,,,,,"); /* clock to bandwidth are empty */
  g_string_append (text, memlane_status_name (cell->status));
  g_string_append_c (text, ',');
  append_text (text, cell->detail);
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
  g_autoptr (MemlaneSave) table = NULL;

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
              append_count (text, k + 1);
              g_string_append_c (text, ',');
              append_number (text, figure->samples[k]);
              g_string_append_c (text, '\n');
            }
        }
    }
  table = memlane_save_prepare (path, text->str, text->len, error);
  return table != NULL && memlane_save_commit (table, error);
}

char *
memlane_csv_environment_path (const char *csv_path)
{
  gsize length = strlen (csv_path);

  if (length > 4 && g_ascii_strcasecmp (csv_path + length - 4, ".csv") == 0 && csv_path[length - 5] != '/')
    length -= 4;
  return g_strdup_printf ("%.*s.environment.json", (int) length, csv_path);
}
