/* check.c: the rules for names and measurements of a run
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <math.h>
#include <string.h>

#include "base/device-id.h"
#include "base/reader-limits.h"
#include "base/strict-text.h"

/* @column, always; @expected gets what the format behind it says. */
#define wrong(column, expected, ...) (*(expected) = g_strdup_printf (__VA_ARGS__), (column))

const char *
memlane_check_name (const char *text)
{
  if (*text == '\0')
    return "a name";
  if (g_utf8_strlen (text, -1) > MEMLANE_CSV_LONGEST_NAME)
    return "a name of at most " G_STRINGIFY (MEMLANE_CSV_LONGEST_NAME) " characters";
  if (!memlane_text_is_printable (text))
    return "a name without control characters";
  return memlane_text_is_formula (text) ? "a name that no spreadsheet takes for a formula, not one that begins with =, +, - or @" : NULL;
}

gboolean
memlane_check_id (const char *text)
{
  return *text != '\0' && *text != '-' && text[strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

const char *
memlane_check_device (const char *device, const char *kind, char **expected)
{
  if (strcmp (kind, "cuda") != 0 && strcmp (kind, "simulated") != 0)
    return wrong ("device_kind", expected, "cuda or simulated");
  if (!memlane_device_id_fits (device, kind))
    return wrong ("device_kind", expected, "%s, as device says", memlane_device_id_get_kind (device));
  return NULL;
}

static const char *
check_statistics (const MemlaneStatistics *statistics, char **expected)
{
  const struct
  {
    const char *column;
    double value, least, most;
    const char *right;
  } rules[] = {
    { "ci95_low_ns", statistics->ci95_low, -HUGE_VAL, statistics->median, "at most median_ns" },
    { "ci95_high_ns", statistics->ci95_high, statistics->median, HUGE_VAL, "at least median_ns" },
    { "min_ns", statistics->min, -HUGE_VAL, statistics->q1, "at most q1_ns" },
    { "q1_ns", statistics->q1, -HUGE_VAL, statistics->median, "at most median_ns" },
    { "q3_ns", statistics->q3, statistics->median, HUGE_VAL, "at least median_ns" },
    { "max_ns", statistics->max, statistics->q3, HUGE_VAL, "at least q3_ns" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (!(rules[i].value >= rules[i].least && rules[i].value <= rules[i].most))
      return wrong (rules[i].column, expected, "%s", rules[i].right);
  /* Its interval is a tick of the clock wide. */
  for (guint i = 2; statistics->count == 1 && i < G_N_ELEMENTS (rules); i++)
    if (rules[i].value != statistics->median)
      return wrong (rules[i].column, expected, "the same as median_ns, as there is one sample");
  return NULL;
}

/* One vector, two or three, once or as often as they are used. */
static gboolean
moves_vectors (const MemlaneCell *cell, guint64 bytes_moved)
{
  guint64 vectors = bytes_moved / cell->bytes, reuse = cell->reuse;

  return bytes_moved % cell->bytes == 0 && (vectors <= 3 || (vectors % reuse == 0 && vectors / reuse <= 3));
}

const char *
memlane_check_figure (const MemlaneCell *cell, const MemlaneFigure *figure, char **expected)
{
  const char *column;

  if (figure->phase == MEMLANE_PHASE_FIRST && figure->clock != MEMLANE_CLOCK_HOST)
    return wrong ("clock", expected, "host, as phase is first");
  if (figure->phase == MEMLANE_PHASE_FIRST && figure->statistics.count > MAX (figure->n_rounds, 1))
    return wrong ("samples", expected, "at most %u", MAX (figure->n_rounds, 1));
  if ((column = check_statistics (&figure->statistics, expected)) != NULL)
    return column;
  if (!moves_vectors (cell, figure->bytes_moved))
    return wrong ("bytes_moved", expected, "%" G_GUINT64_FORMAT " times 1, 2 or 3, once or times reuse", cell->bytes);
  return figure->n_rounds <= figure->statistics.count ? NULL : wrong ("rounds", expected, "no more than samples");
}

const char *
memlane_check_parts (const char *workload, const char *mode, gboolean streams, gboolean chunks, char **expected)
{
  if (g_str_has_prefix (mode, "streams-") || (!streams && (!chunks || g_str_has_prefix (workload, "pieces-"))))
    return NULL;
  return wrong (streams ? "streams" : "chunks", expected, "nothing, as only the modes streams-... have it%s",
                streams ? "" : ", and the workloads pieces-...");
}

const char *
memlane_check_cell (const MemlaneCell *cell, char **expected)
{
  const char *column = memlane_check_parts (cell->workload, cell->mode, cell->streams > 0, cell->chunks > 0, expected);

  for (guint i = 0; column == NULL && i < cell->figures->len; i++)
    {
      const MemlaneFigure *figure = cell->figures->pdata[i];

      column = memlane_cell_find (cell, figure->phase, figure->clock) != figure
                 ? wrong ("clock", expected, "one row for each phase and clock of a cell, not a second")
                 : memlane_check_figure (cell, figure, expected);
    }
  return column;
}
