/* timeline-view.c: a timeline in the window
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "timeline-view-private.h"

G_DEFINE_FINAL_TYPE (MemlaneTimelineView, memlane_timeline_view, GTK_TYPE_WIDGET)

GParamSpec *memlane_timeline_view_properties[MEMLANE_TIMELINE_VIEW_N_PROPERTIES];
guint memlane_timeline_view_selected_signal;

void
memlane_timeline_view_notify (MemlaneTimelineView *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), memlane_timeline_view_properties[property]);
}

MemlaneTimeline *
memlane_timeline_view_ensure (MemlaneTimelineView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  int width = MAX (gtk_widget_get_width (widget), MEMLANE_FIGURE_LEAST_WIDTH);
  int height = MAX (gtk_widget_get_height (widget), MEMLANE_FIGURE_LEAST_HEIGHT);

  if (self->timeline != NULL && (self->timeline_width != width || self->timeline_height != height))
    g_clear_pointer (&self->timeline, memlane_timeline_free);
  if (self->timeline == NULL)
    {
      PangoContext *pango = gtk_widget_create_pango_context (widget); /* font settings and text size are GTK's */

      self->timeline = memlane_timeline_layout (self->tracks, self->n_tracks, &self->range, self->style, width, height, pango);
      self->timeline_width = width;
      self->timeline_height = height;
      g_object_unref (pango);
    }
  return self->timeline;
}

void
memlane_timeline_view_redraw_chosen (MemlaneTimelineView *self)
{
  memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (self->chosen));
}

void
memlane_timeline_view_redraw_overlay (MemlaneTimelineView *self)
{
  memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (self->overlay));
}

void
memlane_timeline_view_refresh (MemlaneTimelineView *self)
{
  g_clear_pointer (&self->timeline, memlane_timeline_free);
  memlane_chart_layer_invalidate (MEMLANE_CHART_LAYER (self->figure));
  memlane_timeline_view_redraw_chosen (self);
  memlane_timeline_view_redraw_overlay (self);
  memlane_timeline_view_hover_again (self);
  memlane_timeline_view_update_actions (self);
}

gboolean
memlane_timeline_view_is_empty (MemlaneTimelineView *self)
{
  guint n;

  for (guint track = 0; track < self->n_tracks; track++)
    if (memlane_trace_get_events (self->tracks[track].trace, &n) != NULL && n > 0)
      return FALSE;
  return TRUE;
}

const MemlaneTraceEvent *
memlane_timeline_view_find (MemlaneTimelineView *self, guint track, guint32 event)
{
  const MemlaneTraceEvent *events;
  guint n;

  if (track >= self->n_tracks)
    return NULL;
  events = memlane_trace_get_events (self->tracks[track].trace, &n);
  return event < n ? &events[event] : NULL;
}

/* --- layers ------------------------------------------------------------------------------------------------- */

static void
paint_figure (cairo_t *cr, double width, double height, gpointer user_data)
{
  MemlaneTimelineView *self = user_data;
  const MemlaneColor *background = &self->style->background;

  cairo_set_source_rgba (cr, background->red, background->green, background->blue, background->alpha);
  cairo_paint (cr);
  memlane_timeline_draw (memlane_timeline_view_ensure (self), cr);
}

static void
paint_chosen (cairo_t *cr, double width, double height, gpointer user_data)
{
  MemlaneTimelineView *self = user_data;
  MemlaneTimelineOverlay overlay = MEMLANE_TIMELINE_OVERLAY_NONE;

  overlay.selected = self->selected;
  overlay.span_from = self->span_from;
  overlay.span_to = self->span_to;
  overlay.marked_track = self->marked_track;
  overlay.marked = self->marked;
  overlay.n_marked = self->n_marked;
  memlane_timeline_draw_overlay (memlane_timeline_view_ensure (self), cr, &overlay);
}

static void
paint_overlay (cairo_t *cr, double width, double height, gpointer user_data)
{
  MemlaneTimelineView *self = user_data;
  MemlaneTimelineOverlay overlay = MEMLANE_TIMELINE_OVERLAY_NONE;

  overlay.hovered = self->hovered;
  overlay.has_tooltip = self->tooltip && !isnan (self->pointer_x);
  overlay.pointer_x = self->pointer_x;
  overlay.pointer_y = self->pointer_y;
  overlay.cursor = self->cursor;
  memlane_timeline_draw_overlay (memlane_timeline_view_ensure (self), cr, &overlay);
}

static void
restyle (MemlaneTimelineView *self)
{
  const MemlaneStyle *style = memlane_figure_choose_style (GTK_WIDGET (self), self->projector);

  if (self->style == style)
    return;
  self->style = style;
  memlane_timeline_view_refresh (self);
}

/* --- widget ------------------------------------------------------------------------------------------------- */

static void
memlane_timeline_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                               int *minimum_baseline, int *natural_baseline)
{
  memlane_figure_measure (orientation, minimum, natural);
}

static void
memlane_timeline_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  gtk_widget_allocate (self->figure, width, height, -1, NULL);
  gtk_widget_allocate (self->chosen, width, height, -1, NULL);
  gtk_widget_allocate (self->overlay, width, height, -1, NULL);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
memlane_timeline_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GTK_WIDGET_CLASS (memlane_timeline_view_parent_class)->snapshot (widget, snapshot);
  /* not on the wall, where nothing else can have the focus */
  if (gtk_widget_has_visible_focus (widget) && !MEMLANE_TIMELINE_VIEW (widget)->projector && gtk_widget_get_width (widget) > 0)
    memlane_figure_snapshot_focus (widget, snapshot);
}

static void
memlane_timeline_view_unmap (GtkWidget *widget)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  memlane_timeline_view_pause (self);
  memlane_timeline_view_let_go_of_pointer (self);
  GTK_WIDGET_CLASS (memlane_timeline_view_parent_class)->unmap (widget);
}

static void
memlane_timeline_view_state_flags_changed (GtkWidget *widget, GtkStateFlags before)
{
  GtkStateFlags now = gtk_widget_get_state_flags (widget);

  if ((before ^ now) & (GTK_STATE_FLAG_FOCUSED | GTK_STATE_FLAG_FOCUS_VISIBLE))
    gtk_widget_queue_draw (widget); /* the layers keep what they have */
  if (before & ~now & GTK_STATE_FLAG_FOCUSED)
    memlane_timeline_view_describe (MEMLANE_TIMELINE_VIEW (widget));
  GTK_WIDGET_CLASS (memlane_timeline_view_parent_class)->state_flags_changed (widget, before);
}

/* Fonts, their rendering, the text size. */
static void
memlane_timeline_view_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (memlane_timeline_view_parent_class)->system_setting_changed (widget, setting);
  memlane_timeline_view_refresh (MEMLANE_TIMELINE_VIEW (widget));
}

static void
memlane_timeline_view_direction_changed (GtkWidget *widget, GtkTextDirection before)
{
  GTK_WIDGET_CLASS (memlane_timeline_view_parent_class)->direction_changed (widget, before);
  memlane_timeline_view_refresh (MEMLANE_TIMELINE_VIEW (widget));
}

static void
memlane_timeline_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (object);

  switch (id)
    {
    case MEMLANE_TIMELINE_VIEW_PROJECTOR:
      g_value_set_boolean (value, self->projector);
      break;
    case MEMLANE_TIMELINE_VIEW_READING:
      g_value_set_string (value, self->reading);
      break;
    case MEMLANE_TIMELINE_VIEW_ZOOMED:
      g_value_set_boolean (value, memlane_timeline_view_is_zoomed (self));
      break;
    case MEMLANE_TIMELINE_VIEW_PLAYING:
      g_value_set_boolean (value, self->playing);
      break;
    case MEMLANE_TIMELINE_VIEW_COLOURS:
      g_value_set_int (value, self->range.colours);
      break;
    case MEMLANE_TIMELINE_VIEW_GHOSTS:
      g_value_set_boolean (value, self->range.ghosts);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
set_colours (MemlaneTimelineView *self, MemlaneTimelineColours colours)
{
  if (self->range.colours == colours)
    return;
  self->range.colours = colours;
  memlane_timeline_view_refresh (self);
  memlane_timeline_view_notify (self, MEMLANE_TIMELINE_VIEW_COLOURS);
}

static void
set_ghosts (MemlaneTimelineView *self, gboolean ghosts)
{
  if (self->range.ghosts == ghosts)
    return;
  self->range.ghosts = ghosts;
  memlane_timeline_view_refresh (self);
  memlane_timeline_view_notify (self, MEMLANE_TIMELINE_VIEW_GHOSTS);
}

static void
memlane_timeline_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (object);

  switch (id)
    {
    case MEMLANE_TIMELINE_VIEW_PROJECTOR:
      memlane_timeline_view_set_projector (self, g_value_get_boolean (value));
      break;
    case MEMLANE_TIMELINE_VIEW_PLAYING:
      memlane_timeline_view_set_playing (self, g_value_get_boolean (value));
      break;
    case MEMLANE_TIMELINE_VIEW_COLOURS:
      set_colours (self, g_value_get_int (value));
      break;
    case MEMLANE_TIMELINE_VIEW_GHOSTS:
      set_ghosts (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
clear_track (MemlaneTimelineTrack *track)
{
  g_clear_pointer (&track->trace, memlane_trace_unref);
  g_clear_pointer ((char **) &track->title, g_free);
}

static void
memlane_timeline_view_dispose (GObject *object)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (object);

  memlane_timeline_view_pause (self);
  memlane_timeline_view_stop_gliding (self);
  g_clear_pointer (&self->timeline, memlane_timeline_free);
  self->n_tracks = 0;
  for (guint i = 0; i < MEMLANE_TIMELINE_MOST_TRACKS; i++)
    clear_track (&self->tracks[i]);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->figure, gtk_widget_unparent);
  g_clear_pointer (&self->chosen, gtk_widget_unparent);
  g_clear_pointer (&self->overlay, gtk_widget_unparent);
  G_OBJECT_CLASS (memlane_timeline_view_parent_class)->dispose (object);
}

static void
memlane_timeline_view_finalize (GObject *object)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (object);

  g_free (self->marked);
  g_free (self->reading);
  g_free (self->description);
  g_free (self->span_reading);
  G_OBJECT_CLASS (memlane_timeline_view_parent_class)->finalize (object);
}

static void
memlane_timeline_view_class_init (MemlaneTimelineViewClass *klass)
{
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamSpec **properties = memlane_timeline_view_properties;

  object_class->dispose = memlane_timeline_view_dispose;
  object_class->finalize = memlane_timeline_view_finalize;
  object_class->get_property = memlane_timeline_view_get_property;
  object_class->set_property = memlane_timeline_view_set_property;
  widget_class->measure = memlane_timeline_view_measure;
  widget_class->size_allocate = memlane_timeline_view_size_allocate;
  widget_class->snapshot = memlane_timeline_view_snapshot;
  widget_class->unmap = memlane_timeline_view_unmap;
  widget_class->state_flags_changed = memlane_timeline_view_state_flags_changed;
  widget_class->system_setting_changed = memlane_timeline_view_system_setting_changed;
  widget_class->direction_changed = memlane_timeline_view_direction_changed;

  properties[MEMLANE_TIMELINE_VIEW_PROJECTOR] = g_param_spec_boolean ("projector", NULL, NULL, FALSE, writable);
  properties[MEMLANE_TIMELINE_VIEW_READING] = g_param_spec_string ("reading", NULL, NULL, "", readable);
  properties[MEMLANE_TIMELINE_VIEW_ZOOMED] = g_param_spec_boolean ("zoomed", NULL, NULL, FALSE, readable);
  properties[MEMLANE_TIMELINE_VIEW_PLAYING] = g_param_spec_boolean ("playing", NULL, NULL, FALSE, writable);
  properties[MEMLANE_TIMELINE_VIEW_COLOURS]
    = g_param_spec_int ("colours", NULL, NULL, MEMLANE_TIMELINE_BY_KIND, MEMLANE_TIMELINE_BY_STREAM, MEMLANE_TIMELINE_BY_KIND, writable);
  properties[MEMLANE_TIMELINE_VIEW_GHOSTS] = g_param_spec_boolean ("ghosts", NULL, NULL, TRUE, writable);
  g_object_class_install_properties (object_class, MEMLANE_TIMELINE_VIEW_N_PROPERTIES, properties);
  memlane_timeline_view_selected_signal = g_signal_new ("selected", MEMLANE_TYPE_TIMELINE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                        G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);

  gtk_widget_class_set_css_name (widget_class, "timelineview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  memlane_timeline_view_install_actions (widget_class);
  memlane_timeline_view_bind_menu_keys (widget_class);
}

static void
memlane_timeline_view_init (MemlaneTimelineView *self)
{
  self->range = (MemlaneTimelineRange) MEMLANE_TIMELINE_FIT;
  self->hovered = self->selected = (MemlaneTimelineEvent) MEMLANE_TIMELINE_NO_EVENT;
  self->span_from = self->span_to = self->cursor = NAN;
  self->reading = g_strdup ("");
  self->pointer_x = self->pointer_y = NAN;
  self->style = memlane_figure_choose_style (GTK_WIDGET (self), FALSE);
  self->figure = memlane_chart_layer_new (TRUE, paint_figure, self);
  self->chosen = memlane_chart_layer_new (FALSE, paint_chosen, self);
  self->overlay = memlane_chart_layer_new (FALSE, paint_overlay, self);
  gtk_widget_set_parent (self->figure, GTK_WIDGET (self));
  gtk_widget_set_parent (self->chosen, GTK_WIDGET (self));
  gtk_widget_set_parent (self->overlay, GTK_WIDGET (self));
  memlane_figure_set_up (GTK_WIDGET (self));
  memlane_timeline_view_add_controllers (self);
  memlane_timeline_view_add_menu (self);
  memlane_figure_follow_style (GTK_WIDGET (self), G_CALLBACK (restyle));
  memlane_timeline_view_describe_anew (self);
  memlane_timeline_view_update_actions (self);
}

GtkWidget *
memlane_timeline_view_new (void)
{
  return g_object_new (MEMLANE_TYPE_TIMELINE_VIEW, NULL);
}

/* --- traces ------------------------------------------------------------------------------------------------- */

/* All that points at events or moments of traces that are about to go. @all: of the first one too. */
static void
forget (MemlaneTimelineView *self, gboolean all)
{
  const MemlaneTimelineEvent none = MEMLANE_TIMELINE_NO_EVENT;

  self->hovered = none;
  g_clear_pointer (&self->span_reading, g_free);
  if (all || self->marked_track > 0)
    memlane_timeline_view_unmark (self);
  if (!all)
    return;
  memlane_timeline_view_let_go_of_pointer (self);
  memlane_timeline_view_stop (self);
  self->span_from = self->span_to = NAN;
  self->range.from = self->range.to = NAN;
  self->range.scroll = 0;
}

void
memlane_timeline_view_set_traces (MemlaneTimelineView *self, MemlaneTrace *first, MemlaneTrace *second, const char *const *titles)
{
  MemlaneTrace *const traces[MEMLANE_TIMELINE_MOST_TRACKS] = { first, second };
  MemlaneTimelineTrack before[MEMLANE_TIMELINE_MOST_TRACKS];
  MemlaneTimelineEvent selected;
  gboolean zoomed, all;

  g_return_if_fail (MEMLANE_IS_TIMELINE_VIEW (self));
  g_return_if_fail (first != NULL || second == NULL);
  zoomed = memlane_timeline_view_is_zoomed (self);
  selected = self->selected;
  self->spoken = FALSE;
  all = first != self->tracks[0].trace;
  forget (self, all);
  if (all || selected.track > 0)
    self->selected = (MemlaneTimelineEvent) MEMLANE_TIMELINE_NO_EVENT;

  memcpy (before, self->tracks, sizeof before);
  self->n_tracks = 0;
  for (guint i = 0; i < MEMLANE_TIMELINE_MOST_TRACKS; i++)
    {
      self->tracks[i] = (MemlaneTimelineTrack) { NULL };
      if (traces[i] == NULL)
        continue;
      self->tracks[i].trace = memlane_trace_ref (traces[i]);
      self->tracks[i].title = titles == NULL ? NULL : g_strdup (titles[i]);
      self->n_tracks++;
    }
  g_clear_pointer (&self->timeline, memlane_timeline_free);
  for (guint i = 0; i < MEMLANE_TIMELINE_MOST_TRACKS; i++)
    clear_track (&before[i]);

  memlane_timeline_view_describe_anew (self);
  memlane_timeline_view_refresh (self);
  memlane_timeline_view_check_range (self);
  memlane_timeline_view_update_reading (self);
  if (zoomed != memlane_timeline_view_is_zoomed (self))
    memlane_timeline_view_notify (self, MEMLANE_TIMELINE_VIEW_ZOOMED);
  if (!memlane_timeline_event_equal (selected, self->selected))
    g_signal_emit (self, memlane_timeline_view_selected_signal, 0, 0, MEMLANE_TRACE_NONE);
}

MemlaneTrace *
memlane_timeline_view_get_trace (MemlaneTimelineView *self, guint track)
{
  g_return_val_if_fail (MEMLANE_IS_TIMELINE_VIEW (self), NULL);
  return track < self->n_tracks ? self->tracks[track].trace : NULL;
}

const MemlaneTimelineRange *
memlane_timeline_view_get_range (MemlaneTimelineView *self)
{
  g_return_val_if_fail (MEMLANE_IS_TIMELINE_VIEW (self), NULL);
  return &self->range;
}

const MemlaneStyle *
memlane_timeline_view_get_style (MemlaneTimelineView *self)
{
  g_return_val_if_fail (MEMLANE_IS_TIMELINE_VIEW (self), NULL);
  return self->style;
}

void
memlane_timeline_view_set_projector (MemlaneTimelineView *self, gboolean projector)
{
  g_return_if_fail (MEMLANE_IS_TIMELINE_VIEW (self));
  if (self->projector == !!projector)
    return;
  self->projector = !!projector;
  restyle (self);
  memlane_timeline_view_notify (self, MEMLANE_TIMELINE_VIEW_PROJECTOR);
}

const char *
memlane_timeline_view_get_reading (MemlaneTimelineView *self)
{
  g_return_val_if_fail (MEMLANE_IS_TIMELINE_VIEW (self), NULL);
  return self->reading;
}

void
memlane_timeline_view_get_paint_counts (MemlaneTimelineView *self, guint *figure, guint *overlay)
{
  g_return_if_fail (MEMLANE_IS_TIMELINE_VIEW (self));
  if (figure != NULL)
    *figure = memlane_chart_layer_get_paint_count (MEMLANE_CHART_LAYER (self->figure));
  if (overlay != NULL)
    *overlay = memlane_chart_layer_get_paint_count (MEMLANE_CHART_LAYER (self->overlay));
}
