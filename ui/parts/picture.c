/* picture.c: what is seen of a chart, a timeline or a map of decisions, to be written, copied or printed
 *
 * SPDX-License-Identifier: MIT
 */
#include "picture.h"

#include <glib/gi18n-lib.h>

#include "curves/chart-view.h"
#include "chart/map/decide-map.h"
#include "decide/decide-view.h"
#include "model/trace-item.h"
#include "timeline/timeline-view.h"

struct _MemlanePicture
{
  GtkWidget *view;      /* (owned): what is seen of it is the view's */
  MemlaneChart *chart;  /* (owned) (nullable) */
  MemlaneDecideResult *result; /* (owned) (nullable): of a map; else it is a timeline */
  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS]; /* their traces are ours */
  guint n_tracks;
  char *name, *title;
};

/* --- what it is ------------------------------------------------------------------------------------------------ */

static char *
name_timeline (const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);

  if (info->mode == NULL)
    return g_strdup ("timeline");
  return g_strdup_printf ("timeline-%s-2p%u", info->mode, info->log2_elements);
}

static void
take_timeline (MemlanePicture *self, MemlaneTimelineView *view)
{
  for (guint i = 0; i < MEMLANE_TIMELINE_MOST_TRACKS; i++)
    {
      MemlaneTrace *trace = memlane_timeline_view_get_trace (view, i);

      if (trace != NULL)
        self->tracks[self->n_tracks++].trace = memlane_trace_ref (trace);
    }
  if (self->n_tracks == 0)
    return;
  self->name = name_timeline (self->tracks[0].trace);
  self->title = memlane_trace_item_describe (self->tracks[0].trace);
}

static void
take_map (MemlanePicture *self, MemlaneDecideView *view)
{
  MemlaneDecideResult *result = memlane_decide_view_get_result (view);

  if (result == NULL)
    return;
  self->result = memlane_decide_result_ref (result);
  self->name = g_strdup_printf ("decide-%s", result->decision->workload);
  g_strdelimit (self->name, "/\\:", '-');
  self->title = g_strdup (_("Which mode to use"));
}

static const char *
explain_nothing (GtkWidget *view)
{
  return MEMLANE_IS_TIMELINE_VIEW (view) ? _("There is no timeline yet: record or open a trace")
                                         : _("There is no figure yet: open a run or press Run");
}

MemlanePicture *
memlane_picture_new (GtkWidget *view, GError **error)
{
  MemlanePicture *self = g_new0 (MemlanePicture, 1);

  self->view = g_object_ref (view);
  if (MEMLANE_IS_TIMELINE_VIEW (view))
    take_timeline (self, MEMLANE_TIMELINE_VIEW (view));
  else if (MEMLANE_IS_DECIDE_VIEW (view))
    take_map (self, MEMLANE_DECIDE_VIEW (view));
  else if (memlane_chart_view_get_chart (MEMLANE_CHART_VIEW (view)) != NULL)
    {
      self->chart = memlane_chart_ref (memlane_chart_view_get_chart (MEMLANE_CHART_VIEW (view)));
      self->name = g_strdup (self->chart->workload != NULL ? self->chart->workload : "memlane");
      self->title = g_strdup (self->chart->title != NULL ? self->chart->title : "Memlane");
    }
  if (self->chart != NULL || self->result != NULL || self->n_tracks > 0)
    return self;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, explain_nothing (view));
  memlane_picture_free (self);
  return NULL;
}

void
memlane_picture_free (MemlanePicture *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_tracks; i++)
    memlane_trace_unref (self->tracks[i].trace);
  g_clear_pointer (&self->chart, memlane_chart_unref);
  g_clear_pointer (&self->result, memlane_decide_result_unref);
  g_object_unref (self->view);
  g_free (self->name);
  g_free (self->title);
  g_free (self);
}

const char *
memlane_picture_get_name (const MemlanePicture *self)
{
  return self->name;
}

const char *
memlane_picture_get_title (const MemlanePicture *self)
{
  return self->title;
}

/* What is seen, but all lanes of it: paper does not scroll. */
static MemlaneTimelineRange
get_range (const MemlanePicture *self)
{
  MemlaneTimelineRange range = *memlane_timeline_view_get_range (MEMLANE_TIMELINE_VIEW (self->view));

  range.scroll = 0;
  return range;
}

static const MemlaneView *
get_seen (const MemlanePicture *self)
{
  return memlane_chart_view_get_view (MEMLANE_CHART_VIEW (self->view));
}

/* --- where it goes --------------------------------------------------------------------------------------------- */

GBytes *
memlane_picture_to_bytes (const MemlanePicture *self, const MemlaneStyle *style, MemlaneExportFormat format, int width, int height,
                          GError **error)
{
  MemlaneTimelineRange range;

  if (self->chart != NULL)
    return memlane_export_to_bytes (self->chart, get_seen (self), style, format, width, height, 1, error);
  if (self->result != NULL)
    return memlane_decide_map_export_to_bytes (self->result->decision, style, format, width, height, 1, error);
  range = get_range (self);
  return memlane_timeline_export_to_bytes (self->tracks, self->n_tracks, &range, style, (int) format, width, 0, 1, error);
}

gboolean
memlane_picture_to_file (const MemlanePicture *self, const MemlaneStyle *style, const char *path, int width, int height, GError **error)
{
  MemlaneExportFormat format;
  MemlaneTimelineRange range;

  if (!memlane_export_format_for_path (path, &format, error))
    return FALSE;
  if (self->chart != NULL)
    return memlane_export_to_file (self->chart, get_seen (self), style, format, width, height, 1, path, error);
  if (self->result != NULL)
    return memlane_decide_map_export_to_file (self->result->decision, style, path, width, height, 1, error);
  range = get_range (self);
  return memlane_timeline_export_to_file (self->tracks, self->n_tracks, &range, style, path, width, 0, 1, error);
}

static void
draw_timeline (const MemlanePicture *self, cairo_t *cr, PangoContext *pango, const MemlaneStyle *style, double width, double height)
{
  MemlaneTimelineRange range = get_range (self);
  double needed = memlane_timeline_measure_height (self->tracks, self->n_tracks, style, width, pango), smaller = MAX (1, needed / height);
  g_autoptr (MemlaneTimeline) timeline = memlane_timeline_layout (self->tracks, self->n_tracks, &range, style, width * smaller, needed,
                                                                  pango);

  cairo_scale (cr, 1 / smaller, 1 / smaller);
  memlane_timeline_draw (timeline, cr);
}

void
memlane_picture_draw (const MemlanePicture *self, cairo_t *cr, PangoContext *pango, const MemlaneStyle *style, double width, double height)
{
  cairo_save (cr);
  if (self->chart != NULL)
    {
      g_autoptr (MemlanePlot) plot = memlane_plot_layout (self->chart, get_seen (self), style, width, MIN (height, width * 3 / 4), pango);

      memlane_plot_draw (plot, cr);
    }
  else if (self->result != NULL)
    {
      const MemlaneDecision *decision = self->result->decision;
      g_autoptr (MemlaneDecideMap) map = memlane_decide_map_layout (decision, style, width, MIN (height, width * 3 / 4), pango);

      memlane_decide_map_draw (map, cr);
    }
  else
    draw_timeline (self, cr, pango, style, width, height);
  cairo_restore (cr);
}
