/* check.c: the rules for names and measurements of a run
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <string.h>

#include "base/device-id.h"
#include "base/each.h"
#include "base/printable.h"
#include "base/reader-limits.h"
#include "base/strict-text.h"

static gboolean wrong (char **key, char **expected, const char *column, const char *format, ...) G_GNUC_PRINTF (4, 5);

static gboolean
wrong (char **key, char **expected, const char *column, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  *expected = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  *key = g_strdup (column);
  return FALSE;
}

gboolean
memlane_check_name (const char *text, char **expected)
{
  const char *what = NULL;

  if (*text == '\0')
    what = "a name";
  else if (g_utf8_strlen (text, -1) > MEMLANE_CSV_LONGEST_NAME)
    what = "a name of at most " G_STRINGIFY (MEMLANE_CSV_LONGEST_NAME) " characters";
  else if (!memlane_text_is_printable (text))
    what = "a name without control characters";
  else if (memlane_text_is_formula (text))
    what = "a name that no spreadsheet takes for a formula, not one that begins with =, +, - or @";
  *expected = g_strdup (what);
  return what == NULL;
}

gboolean
memlane_check_id (const char *text)
{
  return *text != '\0' && *text != '-' && text[strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

gboolean
memlane_check_device (const char *device, const char *kind, char **key, char **expected)
{
  if (strcmp (kind, "cuda") != 0 && strcmp (kind, "simulated") != 0)
    return wrong (key, expected, "device_kind", "cuda or simulated");
  return memlane_device_id_fits (device, kind)
         || wrong (key, expected, "device_kind", "%s, as device says", memlane_device_id_get_kind (device));
}

static gboolean
check_statistics (const MemlaneStatistics *statistics, char **key, char **expected)
{
  const struct
  {
    const char *column;
    gboolean is_right;
    const char *right;
  } rules[] = {
    { "ci95_low_ns", statistics->ci95_low <= statistics->median, "at most median_ns" },
    { "ci95_high_ns", statistics->ci95_high >= statistics->median, "at least median_ns" },
    { "min_ns", statistics->min <= statistics->q1, "at most q1_ns" },
    { "q1_ns", statistics->q1 <= statistics->median, "at most median_ns" },
    { "q3_ns", statistics->q3 >= statistics->median, "at least median_ns" },
    { "max_ns", statistics->max >= statistics->q3, "at least q3_ns" },
  };
  const double values[] = { statistics->ci95_low, statistics->ci95_high, statistics->min, statistics->q1, statistics->q3, statistics->max };

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (!rules[i].is_right)
      return wrong (key, expected, rules[i].column, "%s", rules[i].right);
  for (guint i = 0; statistics->count == 1 && i < G_N_ELEMENTS (rules); i++)
    if (values[i] != statistics->median)
      return wrong (key, expected, rules[i].column, "the same as median_ns, as there is one sample");
  return TRUE;
}

/* One vector, two or three, once or as often as they are used. */
static gboolean
moves_vectors (const MemlaneCell *cell, guint64 bytes_moved)
{
  guint64 vectors = bytes_moved / cell->bytes, reuse = cell->reuse;

  return bytes_moved % cell->bytes == 0 && (vectors <= 3 || (vectors % reuse == 0 && vectors / reuse <= 3));
}

gboolean
memlane_check_figure (const MemlaneCell *cell, const MemlaneFigure *figure, char **key, char **expected)
{
  if (figure->phase == MEMLANE_PHASE_FIRST && figure->clock != MEMLANE_CLOCK_HOST)
    return wrong (key, expected, "clock", "host, as phase is first");
  if (figure->phase == MEMLANE_PHASE_FIRST && figure->statistics.count > MAX (figure->n_rounds, 1))
    return wrong (key, expected, "samples", "at most %u", MAX (figure->n_rounds, 1));
  if (!check_statistics (&figure->statistics, key, expected))
    return FALSE;
  if (!moves_vectors (cell, figure->bytes_moved))
    return wrong (key, expected, "bytes_moved", "%" G_GUINT64_FORMAT " times 1, 2 or 3, once or times reuse", cell->bytes);
  return figure->n_rounds <= figure->statistics.count || wrong (key, expected, "rounds", "no more than samples");
}

gboolean
memlane_check_parts (const char *workload, const char *mode, gboolean streams, gboolean chunks, char **key, char **expected)
{
  if (g_str_has_prefix (mode, "streams-") || (!streams && (!chunks || g_str_has_prefix (workload, "pieces-"))))
    return TRUE;
  return wrong (key, expected, streams ? "streams" : "chunks", "nothing, as only the modes streams-... have it%s",
                streams ? "" : ", and the workloads pieces-...");
}

gboolean
memlane_check_cell (const MemlaneCell *cell, char **key, char **expected)
{
  if (!memlane_check_parts (cell->workload, cell->mode, cell->streams > 0, cell->chunks > 0, key, expected))
    return FALSE;
  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    {
      if (memlane_cell_find (cell, figure->phase, figure->clock) != figure)
        return wrong (key, expected, "clock", "one row for each phase and clock of a cell, not a second");
      if (!memlane_check_figure (cell, figure, key, expected))
        return FALSE;
    }
  return TRUE;
}
