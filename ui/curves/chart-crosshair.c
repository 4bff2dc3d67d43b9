/* chart-crosshair.c: where the crosshair of a chart view stands, how it walks, what it reads
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart-view-private.h"

void
memlane_crosshair_clear (MemlaneCrosshair *crosshair)
{
  crosshair->set = FALSE;
  g_clear_pointer (&crosshair->series, g_free);
}

guint
memlane_chart_view_find_series (MemlaneChartView *self, const char *id)
{
  for (guint i = 0; id != NULL && self->chart != NULL && i < self->chart->series->len; i++)
    if (g_str_equal (((MemlaneSeries *) self->chart->series->pdata[i])->id, id))
      return i;
  return G_MAXUINT;
}

/* Where no run is shown the published figures are what there is to reveal. */
guint
memlane_chart_view_count_measured (MemlaneChartView *self)
{
  guint n = 0;

  for (guint i = 0; self->chart != NULL && i < self->chart->series->len; i++)
    n += ((MemlaneSeries *) self->chart->series->pdata[i])->role == MEMLANE_SERIES_MEASURED;
  return n > 0 || self->chart == NULL ? n : self->chart->series->len;
}

static const MemlaneChartPoint *
find_point (const MemlaneSeries *series, guint log2)
{
  for (guint i = 0; i < series->points->len; i++)
    if (g_array_index (series->points, MemlaneChartPoint, i).log2_elements == log2)
      return &g_array_index (series->points, MemlaneChartPoint, i);
  return NULL;
}

const MemlaneChartPoint *
memlane_chart_view_get_point (MemlaneChartView *self)
{
  guint index = memlane_chart_view_find_series (self, self->crosshair.series);

  return self->crosshair.set && index != G_MAXUINT ? find_point (self->chart->series->pdata[index], self->crosshair.log2) : NULL;
}

/* "Pinned: 40.7 GB/s (95 % interval 40.5 GB/s to 40.9 GB/s)" */
static char *
describe_point (MemlaneChartView *self, const MemlaneSeries *series, const MemlaneChartPoint *point)
{
  g_autofree char *value = memlane_unit_format (self->chart->unit, point->value, TRUE);
  g_autofree char *low = memlane_unit_format (self->chart->unit, point->low, TRUE);
  g_autofree char *high = memlane_unit_format (self->chart->unit, point->high, TRUE);

  if (!(point->low < point->high))
    /* Translators: a curve and its value */
    return g_strdup_printf (_("%s: %s"), series->label, value);
  if (point->noisy)
    return g_strdup_printf (_("%s: %s, noisy (95 %% interval %s to %s)"), series->label, value, low, high);
  return g_strdup_printf (_("%s: %s (95 %% interval %s to %s)"), series->label, value, low, high);
}

static char *
compose_reading (MemlaneChartView *self)
{
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);
  const MemlaneChartPoint *point = memlane_chart_view_get_point (self);
  g_autofree char *one = NULL, *all = NULL;

  if (plot == NULL || !self->crosshair.set)
    return g_strdup ("");
  all = memlane_plot_format_reading (plot, self->crosshair.log2, 0);
  if (point == NULL)
    return g_steal_pointer (&all);
  one = describe_point (self, self->chart->series->pdata[memlane_chart_view_find_series (self, self->crosshair.series)], point);
  /* Translators: the chosen curve's value, then those of all curves at that size */
  return g_strdup_printf (_("%s — %s"), one, all);
}

void
memlane_chart_view_update_reading (MemlaneChartView *self)
{
  g_autofree char *reading = compose_reading (self);

  if (g_str_equal (reading, self->reading))
    return;
  g_free (self->reading);
  self->reading = g_steal_pointer (&reading);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, self->reading, -1);
  if (self->spoken && self->reading[0] != '\0')
    {
      /* GTK 4.8 hands no change of a value's text on to screen readers, but every change of the description. */
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->reading, -1);
      self->described = FALSE;
    }
  else if (!self->described)
    memlane_chart_view_describe (self);
  g_object_notify_by_pspec (G_OBJECT (self), memlane_chart_view_properties[MEMLANE_CHART_VIEW_READING]);
}

static void
put (MemlaneCrosshair *crosshair, guint log2, const char *series)
{
  char *copy = g_strdup (series); /* may be the one that is let go */

  memlane_crosshair_clear (crosshair);
  *crosshair = (MemlaneCrosshair) { TRUE, log2, copy };
}

static void
moved (MemlaneChartView *self)
{
  memlane_chart_view_redraw_overlay (self);
  memlane_chart_view_update_reading (self);
  memlane_chart_view_update_actions (self);
}

void
memlane_chart_view_set_crosshair (MemlaneChartView *self, guint log2, guint series, gboolean pin)
{
  const char *id = series == G_MAXUINT ? NULL : ((MemlaneSeries *) self->chart->series->pdata[series])->id;

  if (pin)
    put (&self->pin, log2, id);
  if (self->crosshair.set && self->crosshair.log2 == log2 && g_strcmp0 (self->crosshair.series, id) == 0)
    return;
  put (&self->crosshair, log2, id);
  moved (self);
}

void
memlane_chart_view_clear_crosshair (MemlaneChartView *self, gboolean unpin)
{
  if (unpin)
    memlane_crosshair_clear (&self->pin);
  if (!self->crosshair.set)
    return;
  memlane_crosshair_clear (&self->crosshair);
  moved (self);
}

void
memlane_chart_view_restore_pin (MemlaneChartView *self)
{
  if (self->pin.set)
    memlane_chart_view_set_crosshair (self, self->pin.log2, memlane_chart_view_find_series (self, self->pin.series), FALSE);
  else
    memlane_chart_view_clear_crosshair (self, FALSE);
}

static gboolean
has_size (MemlaneChartView *self, guint log2)
{
  for (guint i = 0; self->chart != NULL && i < self->chart->series->len; i++)
    if (find_point (self->chart->series->pdata[i], log2) != NULL)
      return TRUE;
  return FALSE;
}

static void
check (MemlaneChartView *self, MemlaneCrosshair *crosshair)
{
  if (crosshair->set && !has_size (self, crosshair->log2))
    memlane_crosshair_clear (crosshair);
  else if (crosshair->series != NULL && memlane_chart_view_find_series (self, crosshair->series) == G_MAXUINT)
    g_clear_pointer (&crosshair->series, g_free);
}

void
memlane_chart_view_check_crosshair (MemlaneChartView *self)
{
  check (self, &self->crosshair);
  check (self, &self->pin);
}

/* Every curve that can be read at @log2; also where it is not in what is seen. (transfer full) */
static GArray *
read_at (MemlaneChartView *self, guint log2)
{
  return memlane_plot_read (memlane_chart_view_ensure_plot (self), log2);
}

/* A size that can be read at, from @log2 on in @direction. */
static gboolean
find_size (MemlaneChartView *self, int log2, int direction, guint *found)
{
  for (; log2 >= 0 && log2 < 64; log2 += direction)
    if (has_size (self, log2))
      {
        g_autoptr(GArray) entries = read_at (self, log2);

        *found = log2;
        if (entries->len > 0)
          return TRUE;
      }
  return FALSE;
}

void
memlane_chart_view_walk_size (MemlaneChartView *self, int direction, gboolean to_end)
{
  guint log2, series = memlane_chart_view_find_series (self, self->crosshair.series);
  int from;

  if (memlane_chart_view_ensure_plot (self) == NULL)
    return;
  if (to_end)
    {
      from = direction > 0 ? 63 : 0;
      direction = -direction;
    }
  else if (self->crosshair.set)
    from = (int) self->crosshair.log2 + direction;
  else
    from = direction > 0 ? 0 : 63;
  if (!find_size (self, from, direction, &log2))
    return;
  self->spoken = TRUE;
  memlane_chart_view_show_size (self, log2);
  memlane_chart_view_set_crosshair (self, log2, series, TRUE);
}

static double
value_of (MemlaneChartView *self, const MemlaneReadingEntry *entry)
{
  const MemlaneSeries *series = self->chart->series->pdata[entry->series];

  return g_array_index (series->points, MemlaneChartPoint, entry->point).value;
}

/* Up is up on the figure, whether much is good or bad. */
void
memlane_chart_view_walk_curve (MemlaneChartView *self, int direction)
{
  g_autoptr(GArray) entries = NULL;
  guint log2, series, chosen = G_MAXUINT;
  double here = direction > 0 ? -INFINITY : INFINITY, best = NAN;

  if (memlane_chart_view_ensure_plot (self) == NULL)
    return;
  if (self->crosshair.set)
    log2 = self->crosshair.log2;
  else if (!find_size (self, 63, -1, &log2))
    return;
  entries = read_at (self, log2);
  series = memlane_chart_view_find_series (self, self->crosshair.series);
  for (guint i = 0; i < entries->len; i++)
    if (g_array_index (entries, MemlaneReadingEntry, i).series == series)
      here = value_of (self, &g_array_index (entries, MemlaneReadingEntry, i));
  for (guint i = 0; i < entries->len; i++)
    {
      const MemlaneReadingEntry *entry = &g_array_index (entries, MemlaneReadingEntry, i);
      double value = value_of (self, entry);
      /* Equal values stand in the order of the series. */
      gboolean beyond = direction > 0 ? value > here || (value == here && entry->series > series)
                                      : value < here || (value == here && entry->series < series);
      gboolean nearer = isnan (best) || (direction > 0 ? value < best || (value == best && entry->series < chosen)
                                                       : value > best || (value == best && entry->series > chosen));

      if (entry->series != series && beyond && nearer)
        {
          best = value;
          chosen = entry->series;
        }
    }
  if (chosen == G_MAXUINT)
    return;
  self->spoken = TRUE;
  memlane_chart_view_show_size (self, log2);
  memlane_chart_view_set_crosshair (self, log2, chosen, TRUE);
}
