/* decide-bars.c: the time of one mode of each family at the chosen place, as bars
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-bars.h"

#include <glib/gi18n-lib.h>

#include "chart/chart-words.h"
#include "chart/chart.h"
#include "chart/scale.h"
#include "parts/figure-widget.h"
#include "parts/widgets.h"

#define THICK 12         /* px, of a bar */
#define LEAST_WIDTH 60   /* px, of the longest */
#define PALE 0.45        /* of the colour, for host access and allocation */

typedef struct
{
  MemlaneFamily family;
  double whole, transfer; /* shares of the longest time */
} Bar;

struct _MemlaneDecideBars
{
  AdwBin parent_instance;
};

G_DEFINE_FINAL_TYPE (MemlaneDecideBars, memlane_decide_bars, ADW_TYPE_BIN)

static void
draw_bar (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  const Bar *bar = data;
  const MemlaneStyle *style = memlane_figure_style (GTK_WIDGET (area), FALSE);
  const MemlaneColor color = memlane_family_color (bar->family, style);
  const double y = (height - THICK) / 2.0;

  cairo_rectangle (cr, 0, y, MAX (bar->whole * width, 1), THICK);
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, PALE);
  cairo_fill (cr);
  cairo_rectangle (cr, 0, y, MAX (bar->transfer * width, 1), THICK);
  cairo_set_source_rgb (cr, color.red, color.green, color.blue);
  cairo_fill (cr);
}

/* The part of the time of @mode that is transfer and kernel; all of it where the rest is not
 * known. */
static double
get_transfer (const MemlaneDecideResult *result, guint mode, double log2_elements, guint row,
              double whole)
{
  const MemlanePlace place = memlane_decision_locate (result->bare, log2_elements, row);
  MemlaneForecast forecast;

  if (!memlane_decision_forecast (place.decision, mode, place.log2_elements, place.reuse,
                                  &forecast))
    return whole;
  return MIN (forecast.ns.value, whole);
}

static void
add_row (GtkGrid *grid, int at, const char *title, const char *time, const Bar *bar)
{
  GtkWidget *name = g_object_new (GTK_TYPE_LABEL, "label", title, "xalign", 0.0, "wrap", TRUE,
                                  "max-width-chars", 18, NULL);
  GtkWidget *value = g_object_new (GTK_TYPE_LABEL, "label", time, "xalign", 1.0, NULL);
  GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "hexpand", TRUE, "content-width",
                                  LEAST_WIDTH, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                                  NULL);

  gtk_widget_add_css_class (value, "numeric");
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_bar, g_memdup2 (bar, sizeof *bar),
                                  g_free);
  gtk_grid_attach (grid, name, 0, at, 1, 1);
  gtk_grid_attach (grid, area, 1, at, 1, 1);
  gtk_grid_attach (grid, value, 2, at, 1, 1);
}

static void
add_key (GtkGrid *grid, int at, MemlaneCount count)
{
  GtkWidget *key = g_object_new (GTK_TYPE_LABEL, "label",
                                 count == MEMLANE_COUNT_HOST
                                     ? _("Pale: the host’s access")
                                     : _("Pale: the host’s access and the allocation"),
                                 "xalign", 0.0, "wrap", TRUE, NULL);

  gtk_widget_add_css_class (key, "dim-label");
  gtk_widget_add_css_class (key, "caption");
  gtk_grid_attach (grid, key, 1, at, 2, 1);
}

void
memlane_decide_bars_set (MemlaneDecideBars *self, const MemlaneDecideResult *result,
                         double log2_elements, guint row)
{
  GtkWidget *grid = gtk_grid_new ();
  guint modes[MEMLANE_N_FAMILIES];
  double ns[MEMLANE_N_FAMILIES] = { 0 };
  MemlaneForecast forecast;
  MemlaneChoice choice;
  MemlanePlace place;
  guint n = 0;

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  if (result != NULL)
    {
      place = memlane_decision_locate (result->decision, log2_elements, row);
      if (memlane_decision_judge (place.decision, place.log2_elements, place.reuse, &choice))
        n = memlane_decision_list_candidates (place.decision, place.log2_elements, place.reuse,
                                              &choice, modes);
    }
  for (guint i = 0; i < n; i++)
    if (memlane_decision_forecast (place.decision, modes[i], place.log2_elements, place.reuse,
                                   &forecast))
      ns[i] = forecast.ns.value;
  for (guint i = 0; i < n; i++)
    {
      const MemlaneMode *mode = &place.decision->modes[modes[i]];
      const double transfer = get_transfer (result, modes[i], log2_elements, row, ns[i]);
      const Bar bar = { mode->family, ns[i] / ns[n - 1], transfer / ns[n - 1] };
      g_autofree char *title = memlane_chart_mode_label (mode->id, NULL);
      g_autofree char *time = memlane_unit_format (MEMLANE_UNIT_TIME, ns[i], TRUE);

      add_row (GTK_GRID (grid), (int) i, title, time, &bar);
    }
  if (n > 0 && result->decision->count != MEMLANE_COUNT_TRANSFER)
    add_key (GTK_GRID (grid), (int) n, result->decision->count);
  adw_bin_set_child (ADW_BIN (self), grid);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
}

static void
memlane_decide_bars_class_init (MemlaneDecideBarsClass *klass)
{
}

static void
memlane_decide_bars_init (MemlaneDecideBars *self)
{
}
