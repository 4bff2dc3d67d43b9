/* timeline-export.c: a timeline as SVG, PNG or PDF
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart/export-private.h"
#include "timeline-private.h"

typedef struct
{
  const MemlaneTimelineTrack *tracks;
  guint n_tracks;
  const MemlaneTimelineRange *range;
  const MemlaneStyle *style;
} Figure;

static void
draw (cairo_t *cr, PangoContext *pango, int width, int height, gconstpointer user_data)
{
  const Figure *figure = user_data;
  g_autoptr (MemlaneTimeline) timeline =
    memlane_timeline_layout (figure->tracks, figure->n_tracks, figure->range, figure->style, width, height, pango);

  memlane_timeline_draw (timeline, cr);
}

/* "Pinned ... | Pageable ..." (transfer full) */
static char *
make_title (const MemlaneTimelineTrack *tracks, guint n_tracks)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (n_tracks, MEMLANE_TIMELINE_MOST_TRACKS); i++)
    {
      g_autofree char *title = tracks[i].title != NULL ? g_strdup (tracks[i].title) : memlane_timeline_title (tracks[i].trace);

      g_string_append_printf (text, "%s%s", i > 0 ? " | " : "", title);
    }
  return g_string_free (text, FALSE);
}

GBytes *
memlane_timeline_export_to_bytes (const MemlaneTimelineTrack *tracks, guint n_tracks, const MemlaneTimelineRange *range,
                                  const MemlaneStyle *style, int format, int width, int height, double scale, GError **error)
{
  const Figure timeline = { tracks, n_tracks, range, style };
  g_autofree char *title = make_title (tracks, n_tracks), *description = memlane_timeline_describe (tracks, n_tracks);
  const MemlaneExportPicture figure = { draw, title, description, &timeline };

  if (height == 0 && width >= MEMLANE_EXPORT_LEAST && width <= MEMLANE_EXPORT_MOST)
    {
      PangoContext *pango = memlane_export_make_context ();

      double needed = memlane_timeline_measure_height (tracks, n_tracks, style, width, pango);

      height = (int) CLAMP (needed, MEMLANE_EXPORT_LEAST_HEIGHT, MEMLANE_EXPORT_MOST);
      g_object_unref (pango);
    }
  return memlane_export_picture (&figure, format, width, height, scale, error);
}

gboolean
memlane_timeline_export_to_file (const MemlaneTimelineTrack *tracks, guint n_tracks, const MemlaneTimelineRange *range,
                                 const MemlaneStyle *style, const char *path, int width, int height, double scale, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  MemlaneExportFormat format;

  if (!memlane_export_format_for_path (path, &format, error))
    return FALSE;
  bytes = memlane_timeline_export_to_bytes (tracks, n_tracks, range, style, format, width, height, scale, error);
  return bytes != NULL && memlane_export_write (bytes, path, error);
}
