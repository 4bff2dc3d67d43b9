/* plot-read.c: what lies under the pointer, and every curve at one size
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/each.h"

#define HIT_RADIUS 8.0
#define HIT_RADIUS_PROJECTOR 16.0

/* --- hits ------------------------------------------------------------------------------------- */

static double
size_of (const MemlanePlot *plot, const MemlanePlacedPoint *point)
{
  return memlane_plot_chart_point (plot, point->series, point->point)->log2_elements;
}

static double
get_radius (const MemlanePlot *plot)
{
  return plot->frame.wall ? HIT_RADIUS_PROJECTOR : HIT_RADIUS;
}

static gboolean
find_point (const MemlanePlot *plot, double x, double y, MemlaneHit *hit)
{
  double radius = get_radius (plot), nearest = radius;
  gboolean found = FALSE;

  MEMLANE_FOR_EACH_IN (const MemlanePlacedPoint, point, plot->points)
    {
      double distance = hypot (point->x - x, point->y - y);

      if (distance < nearest || (distance == nearest && !found))
        {
          found = TRUE;
          nearest = distance;
          *hit = (MemlaneHit) { MEMLANE_HIT_POINT, point->series, point->point,
                               size_of (plot, point) };
        }
    }
  return found;
}

MemlaneHit
memlane_plot_hit (const MemlanePlot *plot, double x, double y)
{
  MemlaneHit hit = { MEMLANE_HIT_NOTHING, G_MAXUINT, G_MAXUINT, G_MAXUINT };
  const MemlaneTarget *target;
  double nearest = INFINITY;

  if (plot->panels != NULL)
    MEMLANE_FOR_EACH (const MemlanePlot, panel, plot->panels)
      if (memlane_rectangle_contains (&panel->place, x, y))
        return memlane_plot_hit (panel, x - panel->place.x, y - panel->place.y);
  target = memlane_frame_hit (&plot->frame, x, y);
  if (target != NULL)
    return (MemlaneHit) {
      MEMLANE_HIT_LEGEND,
      target->item,
      G_MAXUINT,
      G_MAXUINT,
      !target->label && plot->panel == MEMLANE_N_FAMILIES,
      target->label && memlane_plot_leads_others (memlane_plot_series (plot, target->item))
    };
  if (find_point (plot, x, y, &hit) || !memlane_rectangle_contains (&plot->frame.area, x, y))
    return hit;
  hit.kind = MEMLANE_HIT_AREA;
  MEMLANE_FOR_EACH_IN (const MemlanePlacedPoint, point, plot->points)
    if (fabs (point->x - x) < nearest)
      {
        nearest = fabs (point->x - x);
        hit.log2_elements = size_of (plot, point);
      }
  return hit;
}

static gboolean
is_near_line (const GArray *coordinates, double x, double y, double *nearest)
{
  gboolean near = FALSE;

  for (guint i = 1; i < coordinates->len; i++)
    {
      const MemlaneCoordinate *a = &g_array_index (coordinates, MemlaneCoordinate, i - 1);
      const MemlaneCoordinate *b = &g_array_index (coordinates, MemlaneCoordinate, i);
      double dx = b->x - a->x, dy = b->y - a->y, share, distance;

      if (!b->joined)
        continue;
      share = CLAMP (((x - a->x) * dx + (y - a->y) * dy) / MAX (dx * dx + dy * dy, 1e-9), 0, 1);
      distance = hypot (a->x + share * dx - x, a->y + share * dy - y);
      if (distance < *nearest)
        {
          *nearest = distance;
          near = TRUE;
        }
    }
  return near;
}

MemlaneFamily
memlane_plot_find_family (const MemlanePlot *plot, double x, double y)
{
  double nearest = get_radius (plot);
  MemlaneFamily family = MEMLANE_N_FAMILIES;
  const MemlaneTarget *target;

  if (plot->panels != NULL)
    return MEMLANE_N_FAMILIES;
  target = memlane_frame_hit (&plot->frame, x, y);
  if (target != NULL && target->label)
    return memlane_plot_chart_series (plot, target->item)->family;
  if (memlane_rectangle_contains (&plot->frame.area, x, y))
    MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
      if (plotted->drawn && !plotted->context
          && is_near_line (plotted->coordinates, x, y, &nearest))
        family = plotted->series->family;
  return family;
}

/* --- readings --------------------------------------------------------------------------------- */

static int
compare_entries (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const MemlanePlot *plot = user_data;
  const MemlaneReadingEntry *left = a, *right = b;
  double left_value = memlane_plot_chart_point (plot, left->series, left->point)->value;
  double right_value = memlane_plot_chart_point (plot, right->series, right->point)->value;

  if (left_value != right_value)
    return (left_value < right_value) == (plot->chart->quantity == MEMLANE_QUANTITY_TIME) ? -1 : 1;
  return left->series < right->series ? -1 : left->series > right->series;
}

GArray *
memlane_plot_read (const MemlanePlot *plot, double log2_elements)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (MemlaneReadingEntry));

  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    for (guint j = 0; plotted->shown && j < plotted->series->points->len; j++)
      if (memlane_plot_chart_point (plot, plotted->index, j)->log2_elements == log2_elements)
        {
          g_array_append_val (entries, ((MemlaneReadingEntry) { plotted->index, j }));
          break;
        }
  g_array_sort_with_data (entries, compare_entries, (gpointer) plot);
  return entries;
}

char *
memlane_plot_format_reading (const MemlanePlot *plot, double log2_elements)
{
  g_autoptr (GArray) entries = memlane_plot_read (plot, log2_elements);
  g_autofree char *power = memlane_unit_format_power (log2_elements);
  g_autofree char *bytes = memlane_unit_format (
      MEMLANE_UNIT_BYTES, plot->bytes_per_element * exp2 (MIN (log2_elements, 63)), TRUE);
  GString *text;

  if (entries->len == 0)
    /* Translators: a reading of all curves at one size: "at 2¹⁸ (1 MiB): nothing was measured" */
    return g_strdup_printf (_("at %s (%s): nothing was measured"), power, bytes);
  text = g_string_new (NULL);
  /* Translators: the beginning of a reading of all curves at one size: "at 2¹⁸ (1 MiB): Pinned 40.7
   * GB/s, Mapped 51.8 GB/s" */
  g_string_append_printf (text, _("at %s (%s):"), power, bytes);
  MEMLANE_FOR_EACH_IN (const MemlaneReadingEntry, entry, entries)
    {
      double value = memlane_plot_chart_point (plot, entry->series, entry->point)->value;
      g_autofree char *words = memlane_unit_format (plot->chart->unit, value, TRUE);

      g_string_append_printf (text, "%s%s %s",
                              entry == (gpointer) entries->data ? " " : C_("list", ", "),
                              memlane_plot_chart_series (plot, entry->series)->label, words);
    }
  return g_string_free (text, FALSE);
}
