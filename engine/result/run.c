/* run.c: the records of run.h and the words of the CSV
 *
 * SPDX-License-Identifier: MIT
 */
#include "run.h"

#include <math.h>
#include <string.h>

#include "base/device-id.h"
#include "base/each.h"
#include "base/i18n.h"
#include "base/owns.h"
#include "base/reader-limits.h"
#include "base/size.h"
#include "base/strict-text.h"
#include "base/words.h"
#include "environment.h"

MEMLANE_DEFINE_WORDS (MemlanePhase, memlane_phase, MEMLANE_N_PHASES, "alloc", "host_write",
                      "upload", "kernel", "download", "elapsed", "host_read", "free", "first",
                      "background", "background_alone")
MEMLANE_DEFINE_WORDS (MemlaneBeside, memlane_beside, MEMLANE_N_BESIDES, "none", "compute",
                      "copies-up", "copies-down", "both")
MEMLANE_DEFINE_NAMES (memlane_beside_title, MemlaneBeside, MEMLANE_N_BESIDES,
                      N_("while nothing else runs"),
                      N_("while {busy} of the multiprocessors compute"),
                      N_("while copies go to the device"),
                      N_("while copies go to the host"), N_("while copies go both ways"))
MEMLANE_DEFINE_WORDS (MemlaneClock, memlane_clock, MEMLANE_N_CLOCKS, "issue", "device", "host")
MEMLANE_DEFINE_NAMES (memlane_status_name, MemlaneStatus, MEMLANE_N_STATUSES, "ok", "noisy",
                      "unsupported", "out-of-memory", "mismatch", "error", "timeout",
                      "cancelled")

MEMLANE_DEFINE_NAMES (memlane_interval_name, MemlaneInterval, MEMLANE_N_INTERVALS, "sampling",
                      "other-sweeps", "exact")

double
memlane_tenths (double ns)
{
  return rint (ns * 10) / 10;
}

double
memlane_figure_get_bandwidth (const MemlaneFigure *figure)
{
  g_return_val_if_fail (figure != NULL, 0);
  if (figure->clock == MEMLANE_CLOCK_ISSUE || figure->bytes_moved == 0
      || figure->statistics.count == 0 || !(figure->statistics.median > 0))
    return 0;
  return (double) figure->bytes_moved / figure->statistics.median * 1e9;
}

MEMLANE_DEFINE_FREE (MemlaneFigure, static void figure_free (gpointer data),
                     OWNS (detail, g_free) OWNS (samples, g_free) OWNS (marks, g_free)
                         OWNS (rounds, g_free))

MemlaneCell *
memlane_cell_new (const char *workload, const char *mode, double log2_elements)
{
  MemlaneCell *cell;

  /* 4 bytes each must still fit 64 bits */
  g_return_val_if_fail (log2_elements >= 0 && log2_elements < 62, NULL);

  cell = g_new0 (MemlaneCell, 1);
  cell->ref_count = 1;
  cell->workload = g_strdup (workload);
  cell->mode = g_strdup (mode);
  cell->log2_elements = log2_elements;
  cell->elements = memlane_size_elements (log2_elements);
  cell->bytes = cell->elements * sizeof (float);
  cell->reuse = 1;
  cell->figures = g_ptr_array_new_with_free_func (figure_free);
  return cell;
}

MemlaneCell *
memlane_cell_new_like (const MemlaneCell *like)
{
  MemlaneCell *cell = memlane_cell_new (like->workload, like->mode, like->log2_elements);

  cell->reuse = like->reuse;
  cell->streams = like->streams;
  cell->chunks = like->chunks;
  cell->beside = like->beside;
  cell->busy = like->busy;
  return cell;
}

MEMLANE_DEFINE_REF (MemlaneCell, memlane_cell,
                    OWNS (workload, g_free) OWNS (mode, g_free) OWNS (detail, g_free)
                        OWNS (figures, g_ptr_array_unref))

/* The place of a figure in the CSV's order. */
static guint
get_place (const MemlaneFigure *figure)
{
  return figure->phase * MEMLANE_N_CLOCKS + figure->clock;
}

void
memlane_figure_set (MemlaneFigure *figure, const MemlaneStatistics *statistics)
{
  figure->statistics = *statistics;
  for (double *time = &figure->statistics.median; time <= &figure->statistics.max; time++)
    *time = memlane_tenths (*time);
}

MemlaneFigure *
memlane_cell_add_figure (MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock,
                         const MemlaneStatistics *statistics, guint64 bytes_moved,
                         MemlaneStatus status, const char *detail)
{
  MemlaneFigure *figure = g_new0 (MemlaneFigure, 1);
  guint place = cell->figures->len;

  figure->phase = phase;
  figure->clock = clock;
  if (statistics != NULL)
    memlane_figure_set (figure, statistics);
  figure->bytes_moved = bytes_moved;
  figure->status = status;
  figure->detail = detail != NULL && *detail != '\0' ? g_strdup (detail) : NULL;

  /* Mostly they come in order, so look from the end. A second figure for the same place takes the
   * first one's. */
  while (place > 0 && get_place (figure) <= get_place (cell->figures->pdata[place - 1]))
    place--;
  if (place < cell->figures->len && get_place (figure) == get_place (cell->figures->pdata[place]))
    g_ptr_array_remove_index (cell->figures, place);
  g_ptr_array_insert (cell->figures, (int) place, figure);

  cell->status = MAX (cell->status, status);
  return figure;
}

MemlaneCell *
memlane_cell_copy (const MemlaneCell *cell)
{
  MemlaneCell *copy = memlane_cell_new_like (cell);

  copy->detail = g_strdup (cell->detail);
  copy->status = cell->status;
  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    {
      MemlaneFigure *same = g_memdup2 (figure, sizeof *figure);

      same->detail = g_strdup (figure->detail);
      same->rounds = g_memdup2 (figure->rounds, figure->n_rounds * sizeof *figure->rounds);
      same->samples = g_memdup2 (figure->samples,
                                 figure->statistics.count * sizeof *figure->samples);
      same->marks = g_memdup2 (figure->marks, figure->statistics.count * sizeof *figure->marks);
      g_ptr_array_add (copy->figures, same);
    }
  return copy;
}

const MemlaneFigure *
memlane_cell_find (const MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock)
{
  g_return_val_if_fail (cell != NULL, NULL);
  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    if (figure->phase == phase && figure->clock == clock)
      return figure;
  return NULL;
}

gboolean
memlane_cell_is_extrapolated (const MemlaneCell *cell)
{
  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    if (figure->phase == MEMLANE_PHASE_ELAPSED && figure->detail != NULL
        && g_str_has_prefix (figure->detail, MEMLANE_EXTRAPOLATED))
      return TRUE;
  return FALSE;
}

MemlaneRun *
memlane_run_new (const char *id, const char *device, const char *device_kind)
{
  MemlaneRun *run = g_new0 (MemlaneRun, 1);

  run->ref_count = 1;
  run->id = g_strdup (id);
  run->device = g_strdup (device);
  run->device_kind = g_strdup (device_kind);
  run->cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  return run;
}

MemlaneRun *
memlane_run_copy (const MemlaneRun *run)
{
  MemlaneRun *copy = memlane_run_new (run->id, run->device, run->device_kind);

  copy->environment = memlane_environment_ref (run->environment);
  MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
    g_ptr_array_add (copy->cells, memlane_cell_ref (cell));
  return copy;
}

MEMLANE_DEFINE_REF (MemlaneRun, memlane_run,
                    OWNS (id, g_free) OWNS (device, g_free) OWNS (device_kind, g_free)
                        OWNS (environment, memlane_environment_unref)
                            OWNS (cells, g_ptr_array_unref))

gboolean
memlane_run_is_simulated (const MemlaneRun *run)
{
  g_return_val_if_fail (run != NULL, FALSE);
  return memlane_device_kind_is_simulated (run->device_kind)
         || memlane_environment_get_flag (run->environment, MEMLANE_ENVIRONMENT_SIMULATED);
}

const MemlaneCell *
memlane_run_find (const MemlaneRun *run, const char *workload, const char *mode,
                  double log2_elements)
{
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    if (cell->log2_elements == log2_elements && strcmp (cell->mode, mode) == 0
        && strcmp (cell->workload, workload) == 0)
      return cell;
  return NULL;
}

/* --- what a run may hold ---------------------------------------------------------------------- */

/* @column, always; @expected gets what the format behind it says. */
#define wrong(column, expected, ...) (*(expected) = g_strdup_printf (__VA_ARGS__), (column))

const char *
memlane_check_title (const char *text)
{
  if (*text == '\0')
    return "a name";
  if (g_utf8_strlen (text, -1) > MEMLANE_CSV_LONGEST_NAME)
    return "a name of at most " G_STRINGIFY (MEMLANE_CSV_LONGEST_NAME) " characters";
  if (!memlane_text_is_printable (text))
    return "a name without control characters";
  return memlane_text_is_formula (text) ? "a name that no spreadsheet takes for a formula, not one "
                                          "that begins with =, +, - or @"
                                        : NULL;
}

gboolean
memlane_check_id (const char *text)
{
  return *text != '\0' && *text != '-'
         && text[strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

const char *
memlane_check_device (const char *device, const char *kind, char **expected)
{
  if (strcmp (kind, "cuda") != 0 && strcmp (kind, "simulated") != 0)
    return wrong ("device_kind", expected, "cuda or simulated");
  if (!memlane_device_id_fits (device, kind))
    return wrong ("device_kind", expected, "%s, as device says",
                  memlane_device_id_get_kind (device));
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
    { "low_ns", statistics->low, -HUGE_VAL, statistics->median, "at most estimate_ns" },
    { "high_ns", statistics->high, statistics->median, HUGE_VAL, "at least estimate_ns" },
    { "min_ns", statistics->min, -HUGE_VAL, statistics->q1, "at most q1_ns" },
    { "q1_ns", statistics->q1, -HUGE_VAL, statistics->median, "at most estimate_ns" },
    { "q3_ns", statistics->q3, statistics->median, HUGE_VAL, "at least estimate_ns" },
    { "max_ns", statistics->max, statistics->q3, HUGE_VAL, "at least q3_ns" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (!(rules[i].value >= rules[i].least && rules[i].value <= rules[i].most))
      return wrong (rules[i].column, expected, "%s", rules[i].right);
  /* Its interval is a tick of the clock wide. */
  for (guint i = 2; statistics->count == 1 && i < G_N_ELEMENTS (rules); i++)
    if (rules[i].value != statistics->median)
      return wrong (rules[i].column, expected, "the same as estimate_ns, as there is one sample");
  return NULL;
}

/* One vector, two or three, once or as often as they are used. */
static gboolean
moves_vectors (const MemlaneCell *cell, guint64 bytes_moved)
{
  guint64 vectors = bytes_moved / cell->bytes, reuse = cell->reuse;

  return bytes_moved % cell->bytes == 0
         && (vectors <= 3 || (vectors % reuse == 0 && vectors / reuse <= 3));
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
  if (figure->phase < MEMLANE_PHASE_BACKGROUND && !moves_vectors (cell, figure->bytes_moved))
    return wrong ("bytes_moved", expected,
                  "%" G_GUINT64_FORMAT " times 1, 2 or 3, once or times reuse", cell->bytes);
  return figure->n_rounds <= figure->statistics.count
             ? NULL
             : wrong ("rounds", expected, "no more than samples");
}

const char *
memlane_check_parts (const char *workload, const char *mode, gboolean streams, gboolean chunks,
                     char **expected)
{
  if (!streams || chunks)
    return NULL;
  return wrong ("streams", expected, "nothing, as there are no chunks");
}

const char *
memlane_check_beside (MemlaneBeside beside, guint busy, char **expected)
{
  const gboolean computes = beside == MEMLANE_BESIDE_COMPUTE;

  if ((busy > 0) == computes)
    return NULL;
  return wrong ("busy", expected,
                computes ? "1 to 100, as beside is compute" : "nothing, as beside is %s",
                memlane_beside_name (beside));
}

const char *
memlane_check_cell (const MemlaneCell *cell, char **expected)
{
  const char *column = memlane_check_parts (cell->workload, cell->mode, cell->streams > 0,
                                            cell->chunks > 0, expected);

  if (column == NULL)
    column = memlane_check_beside (cell->beside, cell->busy, expected);

  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    if (column == NULL)
      column = memlane_cell_find (cell, figure->phase, figure->clock) != figure
                   ? wrong ("clock", expected,
                            "one row for each phase and clock of a cell, not a second")
                   : memlane_check_figure (cell, figure, expected);
  return column;
}
