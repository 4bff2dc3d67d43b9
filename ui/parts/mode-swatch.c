/* mode-swatch.c: a mode's colour, marker and dash as the chart's legend shows them
 *
 * SPDX-License-Identifier: MIT
 */
#include "mode-swatch.h"

#include <adwaita.h>

#include "figure-widget.h"
#include "model/fields.h"

struct _MemlaneModeSwatch
{
  GtkWidget parent_instance;
  char *mode;
};

G_DEFINE_FINAL_TYPE (MemlaneModeSwatch, memlane_mode_swatch, GTK_TYPE_WIDGET)

#define LINES_WIDE 2.0   /* so many heights of a line of text is the sample wide, */
#define MOST_WIDE 44.0   /* but with large text the room is for the text */

/* It is as high as a line of text, so that it grows with large text. */
static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  PangoContext *context = gtk_widget_get_pango_context (widget);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  double line = PANGO_PIXELS (pango_font_metrics_get_ascent (metrics)
                              + pango_font_metrics_get_descent (metrics));

  pango_font_metrics_unref (metrics);
  *minimum = *natural =
      (int) (orientation == GTK_ORIENTATION_HORIZONTAL ? MIN (LINES_WIDE * line, MOST_WIDE) : line);
  *minimum_baseline = *natural_baseline = -1;
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  MemlaneModeSwatch *self = MEMLANE_MODE_SWATCH (widget);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  const MemlaneStyle *style = memlane_figure_style (widget, FALSE);
  MemlaneCurveStyle look;
  cairo_t *cr;

  if (self->mode == NULL || width <= 0 || height <= 0)
    return;
  look = memlane_curve_style_for_mode (self->mode, style);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  memlane_curve_style_draw_sample (cr, 0, 0, width, height, &look, style);
  cairo_destroy (cr);
}

void
memlane_mode_swatch_set_mode (MemlaneModeSwatch *self, const char *mode)
{
  memlane_text_set (&self->mode, mode);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

MEMLANE_DEFINE_RELEASE (MemlaneModeSwatch, memlane_mode_swatch, finalize, OWNS (mode, g_free))

static void
memlane_mode_swatch_class_init (MemlaneModeSwatchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->measure = measure;
  widget_class->snapshot = snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
memlane_mode_swatch_init (MemlaneModeSwatch *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  memlane_follow (self, (const MemlaneFollowed[]) {
    { manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw) },
    { manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw) },
    { NULL },
  });
}
