/* pivot.c: the medians of one phase by mode and size: numbers and words
 *
 * SPDX-License-Identifier: MIT
 */
#include "pivot.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart/chart-words.h"
#include "chart/chart.h"
#include "chart/headline.h"
#include "chart/scale.h"
#include "base/device-id.h"
#include "base/each.h"
#include "base/owns.h"
#include "base/size.h"

#define MOST_MODES 64 /* a file from elsewhere may invent any number */

/* NULL: of a mode beyond the most. */
static MemlanePivotCell *
find_place (MemlanePivot *self, const MemlaneCell *cell)
{
  guint mode;

  if (!g_ptr_array_find_with_equal_func (self->modes, cell->mode, g_str_equal, &mode))
    return NULL;
  return &self->cells[mode * self->sizes->len
                      + memlane_chart_place_size (self->sizes, cell->log2_elements, FALSE)];
}

/* The figure of @run at the mode and size of @cell. (nullable) (transfer none) */
static const MemlaneFigure *
find_twin (const MemlaneRun *run, const MemlaneCell *cell, MemlanePhase phase)
{
  const MemlaneCell *twin = memlane_run_find (run, cell->workload, cell->mode, cell->log2_elements);
  const MemlaneFigure *figure = twin != NULL ? memlane_chart_choose_figure (twin, phase) : NULL;

  return figure != NULL && figure->statistics.median > 0 ? figure : NULL;
}

static void
take_interval (const MemlaneFigure *figure, double *median, double *low, double *high)
{
  *median = *low = *high = figure->statistics.median;
  if (figure->statistics.count > 1)
    {
      *low = figure->statistics.low;
      *high = figure->statistics.high;
    }
}

static void
fill (MemlanePivotCell *place, const MemlaneCell *cell, MemlanePhase phase, const MemlaneRun *base)
{
  const MemlaneFigure *figure = memlane_chart_choose_figure (cell, phase);

  if (place == NULL)
    return;
  if (place->measured)
    {
      place->varied |= place->reuse != cell->reuse || place->streams != cell->streams
                       || place->chunks != cell->chunks || place->beside != cell->beside
                       || place->busy != cell->busy;
      return;
    }
  *place = (MemlanePivotCell) {
    .measured = TRUE,
    .reuse = cell->reuse,
    .streams = cell->streams,
    .chunks = cell->chunks,
    .beside = cell->beside,
    .busy = cell->busy,
    .status = figure != NULL ? figure->status : cell->status,
  };
  if (figure == NULL || figure->statistics.count == 0)
    return;
  take_interval (figure, &place->median, &place->low, &place->high);
  place->n_rounds = figure->n_rounds;
  if (base != NULL)
    take_interval (find_twin (base, cell, phase), &place->base, &place->base_low,
                   &place->base_high);
}

static gboolean
is_baseline (const MemlanePivot *self, guint mode)
{
  return memlane_family_of_mode (self->modes->pdata[mode]) == MEMLANE_FAMILY_BASELINE;
}

/* Chooses one unit for all cells: that of the least, unless the largest would then have more than
 * six digits. */
static void
choose_unit (MemlanePivot *self)
{
  static const struct
  {
    double scale;
    const char *name;
  } units[] = { { 1, "ns" }, { 1e3, "µs" }, { 1e6, "ms" }, { 1e9, "s" } };
  double least = INFINITY, most = 0;
  guint unit = 0;

  for (guint i = 0; i < self->modes->len * self->sizes->len; i++)
    if (self->cells[i].median > 0)
      {
        least = MIN (least, self->cells[i].median);
        most = MAX (most, self->cells[i].median);
      }
  while (unit + 1 < G_N_ELEMENTS (units)
         && (least >= units[unit + 1].scale || most >= 1e6 * units[unit].scale))
    unit++;
  self->scale = units[unit].scale;
  self->unit = units[unit].name;
}

/* Whether @cell is in the table: of a comparison what both runs have. */
static gboolean
is_of_table (const MemlaneCell *cell, const char *workload, MemlanePhase phase,
             const MemlaneRun *base)
{
  const MemlaneFigure *figure = base != NULL ? memlane_chart_choose_figure (cell, phase) : NULL;

  return g_strcmp0 (cell->workload, workload) == 0
         && (base == NULL
             || (figure != NULL && figure->statistics.median > 0
                 && find_twin (base, cell, phase) != NULL));
}

/* A table without modes and sizes. */
static MemlanePivot *
make_empty (const char *name, const char *workload, MemlanePhase phase, gboolean simulated)
{
  MemlanePivot *self = g_new0 (MemlanePivot, 1);

  self->ref_count = 1;
  self->phase = phase;
  self->workload = g_strdup (workload);
  self->name = g_strdup (name);
  self->simulated = simulated;
  self->modes = g_ptr_array_new_with_free_func (g_free);
  self->sizes = g_array_new (FALSE, FALSE, sizeof (double));
  return self;
}

static void
add_mode (MemlanePivot *self, const char *mode)
{
  if (self->modes->len < MOST_MODES
      && !g_ptr_array_find_with_equal_func (self->modes, mode, g_str_equal, NULL))
    g_ptr_array_add (self->modes, g_strdup (mode));
}

/* Makes room for the cells of all modes and sizes. */
static void
make_cells (MemlanePivot *self)
{
  g_ptr_array_sort (self->modes, memlane_chart_compare_modes);
  self->cells = g_new0 (MemlanePivotCell, MAX (self->modes->len * self->sizes->len, 1));
}

static MemlanePivot *
pivot_new (const MemlaneRun *base, const MemlaneRun *run, const char *name, const char *workload,
           MemlanePhase phase)
{
  MemlanePivot *self = make_empty (
      name, workload, phase, run != NULL && memlane_device_kind_is_simulated (run->device_kind));
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();

  if (run != NULL)
    MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
      if (is_of_table (cell, workload, phase, base))
        g_ptr_array_add (cells, cell);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, cells)
    {
      add_mode (self, cell->mode);
      memlane_chart_place_size (self->sizes, cell->log2_elements, TRUE);
    }
  make_cells (self);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, cells)
    fill (find_place (self, cell), cell, phase, base);
  self->fastest = g_new (guint, MAX (self->sizes->len, 1));
  for (guint size = 0; size < self->sizes->len; size++)
    {
      double best = INFINITY;

      self->fastest[size] = G_MAXUINT;
      for (guint mode = 0; mode < self->modes->len; mode++)
        {
          double median = memlane_pivot_get (self, mode, size)->median;

          if (median <= 0 || median >= best || is_baseline (self, mode))
            continue;
          best = median;
          self->fastest[size] = mode;
        }
    }
  choose_unit (self);
  return self;
}

MemlanePivot *
memlane_pivot_new (const MemlaneRun *run, const char *name, const char *workload,
                   MemlanePhase phase)
{
  return pivot_new (NULL, run, name, workload, phase);
}

MemlanePivot *
memlane_pivot_new_compared (const MemlaneRun *base, const char *base_name, const MemlaneRun *run,
                            const char *name, const char *workload, MemlanePhase phase,
                            const char *headline)
{
  MemlanePivot *self = pivot_new (base, run, name, workload, phase);

  self->base_name = g_strdup (base_name);
  self->headline = g_strdup (headline);
  self->simulated = self->simulated || memlane_run_is_simulated (base);
  return self;
}

MEMLANE_DEFINE_REF (MemlanePivot, memlane_pivot,
                    OWNS (modes, g_ptr_array_unref) OWNS (sizes, g_array_unref) OWNS (cells, g_free)
                        OWNS (fastest, g_free) OWNS (workload, g_free) OWNS (name, g_free)
                            OWNS (base_name, g_free) OWNS (headline, g_free))

guint
memlane_pivot_count_varied (const MemlanePivot *self)
{
  guint n = 0;

  for (guint i = 0; i < self->modes->len * self->sizes->len; i++)
    n += self->cells[i].varied;
  return n;
}

const MemlanePivotCell *
memlane_pivot_get (const MemlanePivot *self, guint mode, guint size)
{
  return &self->cells[mode * self->sizes->len + size];
}

double
memlane_pivot_get_ratio (const MemlanePivot *self, guint mode, guint size)
{
  const MemlanePivotCell *cell = memlane_pivot_get (self, mode, size);

  if (cell->base > 0)
    return cell->median > 0 ? cell->median / cell->base : NAN;
  if (cell->median <= 0 || self->fastest[size] == G_MAXUINT || is_baseline (self, mode))
    return NAN;
  return cell->median / memlane_pivot_get (self, self->fastest[size], size)->median;
}

gboolean
memlane_pivot_is_tied (const MemlanePivot *self, guint mode, guint size)
{
  const MemlanePivotCell *cell = memlane_pivot_get (self, mode, size), *best;

  if (isnan (memlane_pivot_get_ratio (self, mode, size)))
    return FALSE;
  if (cell->base > 0)
    return cell->low <= cell->base_high && cell->base_low <= cell->high;
  best = memlane_pivot_get (self, self->fastest[size], size);
  return cell->low <= best->high;
}

/* --- words ------------------------------------------------------------------------------------ */

char *
memlane_pivot_format (const MemlanePivot *self, const MemlanePivotCell *cell)
{
  double value = cell->median / self->scale;

  if (cell->median <= 0)
    return g_strdup ("–");
  if (cell->base > 0)
    return memlane_headline_format_change (cell->median / cell->base);
  return g_strdup_printf ("%s%.*f", cell->status == MEMLANE_STATUS_NOISY ? "~" : "",
                          value >= 99.95   ? 0
                          : value >= 9.995 ? 1
                                           : 2,
                          value);
}

char *
memlane_pivot_format_column (const MemlanePivot *self, guint size)
{
  return memlane_unit_format_power (g_array_index (self->sizes, double, size));
}

char *
memlane_pivot_title (const MemlanePivot *self)
{
  g_autofree char *workload = memlane_chart_workload_title (self->workload);

  if (self->base_name != NULL)
    /* Translators: a workload, a phase, two runs: "Vector addition, total time: Recorded H200
     * relative to yesterday" */
    return g_strdup_printf (_("%s, %s: %s relative to %s"), workload,
                            memlane_chart_phase_title (self->phase), self->name, self->base_name);
  /* Translators: a workload, a phase, a unit: "Vector addition, upload (µs)" */
  return g_strdup_printf (_("%s, %s (%s)"), workload, memlane_chart_phase_title (self->phase),
                          self->unit);
}

/* "27.9 µs (27.1 µs to 28.6 µs, 20 rounds)" */
static char *
format_interval (const MemlanePivotCell *cell)
{
  g_autofree char *median = memlane_unit_format (MEMLANE_UNIT_TIME, cell->median, TRUE);
  g_autofree char *low = memlane_unit_format (MEMLANE_UNIT_TIME, cell->low, TRUE);
  g_autofree char *high = memlane_unit_format (MEMLANE_UNIT_TIME, cell->high, TRUE);

  if (cell->low == cell->high)
    return g_steal_pointer (&median);
  if (cell->n_rounds > 0)
    /* Translators: a median and its interval: "27.9 µs (27.1 µs to 28.6 µs, 20 rounds)" */
    return g_strdup_printf (
        ngettext ("%s (%s to %s, %u round)", "%s (%s to %s, %u rounds)", cell->n_rounds), median,
        low, high, cell->n_rounds);
  return g_strdup_printf (_("%s (%s to %s)"), median, low, high);
}

static char *
read_time (const MemlanePivot *self, guint mode, guint size)
{
  const MemlanePivotCell *cell = memlane_pivot_get (self, mode, size);
  g_autofree char *title = NULL, *power = NULL, *time = NULL, *fastest = NULL;
  double ratio;

  title = memlane_chart_mode_label (self->modes->pdata[mode], NULL);
  power = memlane_pivot_format_column (self, size);
  if (cell->median <= 0)
    return g_strdup_printf (_("%s, %s floats: %s"), title, power,
                            cell->measured && cell->status > MEMLANE_STATUS_NOISY
                                ? memlane_chart_status_title (cell->status)
                                : _("not measured"));
  time = format_interval (cell);
  ratio = memlane_pivot_get_ratio (self, mode, size);
  if (cell->base > 0)
    {
      g_autofree char *base = memlane_unit_format (MEMLANE_UNIT_TIME, cell->base, TRUE);
      g_autofree char *change = memlane_headline_format_change (ratio);

      /* Translators: a mode, a size, its time in a run, the time in the other run, that run, the
       * difference: "+46 %" */
      return g_strdup_printf (_("%s, %s floats: %s against %s of %s, %s"), title, power, time,
                              base, self->base_name, change);
    }
  if (isnan (ratio))
    return g_strdup_printf (_("%s, %s floats: %s"), title, power, time);
  if (mode == self->fastest[size])
    return g_strdup_printf (_("%s, %s floats: %s, the fastest"), title, power, time);
  fastest = memlane_chart_mode_label (self->modes->pdata[self->fastest[size]], NULL);
  /* Translators: a mode, a size, a time with its interval, a factor, the fastest mode */
  return g_strdup_printf (_("%s, %s floats: %s, %.2f times as long as %s"), title, power, time,
                          ratio, fastest);
}

char *
memlane_pivot_read (const MemlanePivot *self, guint mode, guint size)
{
  const MemlanePivotCell *cell;
  g_autofree char *reading = NULL;

  if (mode >= self->modes->len || size >= self->sizes->len)
    return g_strdup ("");
  cell = memlane_pivot_get (self, mode, size);
  reading = read_time (self, mode, size);
  if (!cell->varied)
    return g_steal_pointer (&reading);
  if (cell->streams > 0)
    /* Translators: what a cell reads, then how the first of its measurements was made */
    return g_strdup_printf (_("%s (first of several: reuse %u, %u streams × %u chunks)"), reading,
                            cell->reuse, cell->streams, cell->chunks);
  return g_strdup_printf (_("%s (first of several: reuse %u)"), reading, cell->reuse);
}

char *
memlane_pivot_describe (const MemlanePivot *self)
{
  GString *text;
  g_autofree char *title = memlane_pivot_title (self);

  if (self->modes->len == 0)
    return g_strdup (_("No table: no shown run has figures of this workload."));
  text = g_string_new (NULL);
  g_string_append_printf (text, _("%s, as a table of %u modes and %u sizes."), title,
                          self->modes->len, self->sizes->len);
  if (self->simulated)
    g_string_append_printf (text, " %s", _("Simulated: not measured on a GPU."));
  if (self->headline != NULL)
    g_string_append_printf (text, C_("sentence", " %s."), self->headline);
  for (guint size = 0; self->base_name == NULL && size < self->sizes->len; size++)
    if (self->fastest[size] != G_MAXUINT)
      {
        g_autofree char *best = memlane_pivot_read (self, self->fastest[size], size);

        g_string_append_printf (text, C_("sentence", " %s."), best);
      }
  return g_string_free (text, FALSE);
}

char *
memlane_pivot_to_csv (const MemlanePivot *self)
{
  GString *text = g_string_new ("mode");

  MEMLANE_FOR_EACH_IN (const double, log2_elements, self->sizes)
    {
      g_autofree char *name = memlane_size_format (*log2_elements);

      g_string_append_printf (text, ",%s", name);
    }
  g_string_append_c (text, '\n');
  for (guint mode = 0; mode < self->modes->len; mode++)
    {
      g_string_append (text, self->modes->pdata[mode]);
      for (guint size = 0; size < self->sizes->len; size++)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE] = "";
          double median = self->base_name != NULL ? memlane_pivot_get_ratio (self, mode, size)
                                                  : memlane_pivot_get (self, mode, size)->median;

          if (median > 0)
            g_ascii_formatd (number, sizeof number, "%.9g", median);
          g_string_append_printf (text, ",%s", number);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
