/* plot-form.c: families as lines in bands, with their names and values at the right ends
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/each.h"
#include "chart/headline.h"

/* so many lines can be told apart at a glance: fewer modes than that need no families */
#define MOST_MODES 7
/* A mode leaves its family's band where the others are within TIGHT of each other and it is further
 * than OUTSIDE from all of them, at this share of the sizes. */
#define TIGHT 1.15
#define OUTSIDE 1.25
#define OUTSIDE_SHARE 0.33
#define LEADER_LENGTH 1.1 /* em */
#define LABEL_SHARE 0.45  /* of the figure's width that labels may take */
#define LEAST_LABEL 0.7   /* of the text's size */

/* --- lines and bands -------------------------------------------------------------------------- */

/* Series stand run by run, those of a run side by side. */
static void
number_runs (MemlanePlot *plot)
{
  MemlanePlottedSeries *last = NULL;

  MEMLANE_FOR_EACH_IN (MemlanePlottedSeries, here, plot->series)
    {
      gboolean goes_on = last != NULL && last->series->run != NULL
                         && g_strcmp0 (last->series->run, here->series->run) == 0;

      here->run = goes_on ? last->run : here;
      here->run->n_of_run = (guint) (here - here->run) + 1;
      here->nth_run = last == NULL ? 0 : last->nth_run + !goes_on;
      last = here;
    }
}

/* The modes of one run and one family. A mode without family is one of its own. */
static gboolean
same_group (const MemlanePlottedSeries *a, const MemlanePlottedSeries *b)
{
  return a == b
         || (a->series->family == b->series->family && a->series->family < MEMLANE_N_FAMILIES
             && a->run == b->run);
}

static const MemlaneChartPoint *
find_size (const MemlanePlottedSeries *plotted, double log2_elements)
{
  MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, plotted->series->points)
    if (point->log2_elements == log2_elements)
      return point;
  return NULL;
}

/* Whether the series @odd goes its own way while the others of its family agree. */
static gboolean
is_exception (const MemlanePlottedSeries *odd)
{
  const GArray *points = odd->series->points;
  guint outside = 0;

  MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, points)
    {
      double low = INFINITY, high = 0;
      guint n = 0;

      MEMLANE_FOR_EACH_OF_RUN (beside, odd)
        {
          gboolean counts = beside != odd && beside->shown && same_group (odd, beside);
          const MemlaneChartPoint *other = counts ? find_size (beside, point->log2_elements) : NULL;

          low = other != NULL ? MIN (low, other->value) : low;
          high = other != NULL ? MAX (high, other->value) : high;
          n += other != NULL;
        }
      outside += n > 0 && high <= TIGHT * low
                 && (point->value > OUTSIDE * high || OUTSIDE * point->value < low);
    }
  return outside > 0 && outside >= OUTSIDE_SHARE * points->len;
}

/* Counts the modes, or the families, of the run that begins with the series @run. */
static guint
count_lines (const MemlanePlottedSeries *run, gboolean families)
{
  guint n = 0;

  MEMLANE_FOR_EACH_OF_RUN (one, run)
    {
      gboolean first = !one->hidden && one->series->role != MEMLANE_SERIES_PUBLISHED;

      MEMLANE_FOR_EACH_OF_RUN (before, run)
        first = first
                && (!families || before >= one || before->hidden || !same_group (one, before));
      n += first;
    }
  return n;
}

/* The last one that is revealed; NULL where all are. */
static const MemlanePlottedSeries *
find_newest (const MemlanePlot *plot, const MemlaneView *view)
{
  const MemlanePlottedSeries *newest = NULL;

  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    if (view->revealed >= 0 && plotted->shown
        && (newest == NULL || plotted->series->role == MEMLANE_SERIES_MEASURED))
      newest = plotted;
  return newest;
}

gboolean
memlane_plot_has_family (const MemlanePlot *plot, MemlaneFamily family)
{
  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    if (plotted->shown && plotted->series->family == family)
      return TRUE;
  return FALSE;
}

/* The first shown series of a group leads its band; the others are members, or exceptions. */
static void
choose_in_group (MemlanePlottedSeries *plotted, gboolean alone)
{
  const MemlanePlottedSeries *leader = plotted->run;

  while (leader < plotted && !(leader->shown && same_group (leader, plotted)))
    leader++;
  plotted->drawn = alone || leader == plotted || is_exception (plotted);
  plotted->band = alone || (plotted->drawn && leader != plotted) ? NULL : leader;
}

void
memlane_plot_choose_lines (MemlanePlot *plot, const MemlaneView *view)
{
  const MemlanePlottedSeries *newest = find_newest (plot, view);
  gboolean few = FALSE;
  MemlaneFamily focus = memlane_plot_has_family (plot, view->focus) ? view->focus
                                                                    : MEMLANE_N_FAMILIES;

  number_runs (plot);
  MEMLANE_FOR_EACH_IN (MemlanePlottedSeries, plotted, plot->series)
    {
      const MemlaneSeries *series = plotted->series;
      gboolean partly = FALSE, with_newest = FALSE;

      if (plotted->run == plotted)
        few = count_lines (plotted, FALSE) <= MOST_MODES || count_lines (plotted, TRUE) == 1;
      plotted->early = newest != NULL && plotted->shown
                       && strcmp (series->mode, newest->series->mode) != 0;
      if (!plotted->shown)
        continue;
      if (series->role == MEMLANE_SERIES_PUBLISHED)
        {
          plotted->drawn = TRUE;
          continue;
        }
      MEMLANE_FOR_EACH_OF_RUN (other, plotted)
        if (same_group (plotted, other))
          {
            partly = partly || (!other->shown && !other->hidden);
            with_newest = with_newest || other == newest;
          }
      plotted->bare = TRUE;
      plotted->context = series->behind || (focus != MEMLANE_N_FAMILIES && series->family != focus);
      if (with_newest && view->by_family)
        plotted->early = FALSE;
      choose_in_group (plotted, few || focus == series->family || partly
                                || (with_newest && !view->by_family)
                                  || (plot->form == MEMLANE_FORM_FAMILIES && !plotted->context));
    }
}

void
memlane_plot_widen_bands (MemlanePlot *plot)
{
  MEMLANE_FOR_EACH_IN (MemlanePlottedSeries, leader, plot->series)
    MEMLANE_FOR_EACH_IN (MemlaneCoordinate, here, leader->coordinates)
      {
        double size = memlane_plot_chart_point (plot, leader->index, here->point)->log2_elements;

        MEMLANE_FOR_EACH_OF_RUN (other, leader)
          {
            const MemlaneChartPoint *point
              = other != leader && other->band == leader ? find_size (other, size) : NULL;
            double y = point != NULL ? memlane_plot_y (plot, point->value) : NAN;

            if (!isfinite (y))
              continue;
            here->y_low = MAX (here->y_low, y);
            here->y_high = MIN (here->y_high, y);
          }
      }
}

/* --- labels ----------------------------------------------------------------------------------- */

/* The last point between the exponents. */
static const MemlaneChartPoint *
find_last (const MemlaneSeries *series, MemlaneRange exponents)
{
  const MemlaneChartPoint *last = NULL;

  MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
    last = memlane_plot_is_between (point, exponents) ? point : last;
  return last;
}

const char *
memlane_plot_get_name (const MemlanePlottedSeries *plotted, gboolean family)
{
  const MemlaneSeries *own = plotted->series;
  const char *title = family ? memlane_chart_family_title (own->family) : NULL;
  /* The run is told by the weight of the line and the key below. */
  const MemlaneMode *mode = title == NULL && own->role == MEMLANE_SERIES_OVERLAY
                                ? memlane_mode_find (own->mode)
                                : NULL;

  return title != NULL  ? title
         : mode != NULL ? g_dgettext (GETTEXT_PACKAGE, mode->title)
                        : own->label;
}

gboolean
memlane_plot_leads_others (const MemlanePlottedSeries *plotted)
{
  MEMLANE_FOR_EACH_OF_RUN (other, plotted)
    if (other != plotted && other->band == plotted)
      return TRUE;
  return FALSE;
}

static char *
make_label (const MemlanePlot *plot, const MemlanePlottedSeries *plotted, gboolean family,
            MemlaneRange exponents)
{
  const MemlaneSeries *own = plotted->series;
  const MemlaneChartPoint *last = find_last (own, exponents);
  const char *unit = memlane_scale_axis_unit (&plot->y, plot->chart->unit);
  const char *name = memlane_plot_get_name (plotted, family);
  const char *unlike = family ? own->unlike : NULL; /* a mode's label has it */
  /* The values are those of one run: the first. */
  gboolean valued = last != NULL && own->role == MEMLANE_SERIES_MEASURED;
  g_autofree char *value = valued ? memlane_headline_format (plot->chart->unit, last->value)
                                  : g_strdup (""),
                  *limit = NULL;

  /* Translators: the line of data that are already on the device: "Device-resident (limit)" */
  if (own->family == MEMLANE_FAMILY_BASELINE && plot->chart->quantity != MEMLANE_QUANTITY_RATIO)
    limit = g_strdup_printf (_("%s (limit)"), name);
  /* The axis says the unit of bandwidths. */
  if (plot->chart->unit == MEMLANE_UNIT_BANDWIDTH && g_str_has_suffix (value, unit))
    value[strlen (value) - strlen (unit) - 1] = '\0';
  return g_strdup_printf ("%s%s%s%s%s%s", limit != NULL ? limit : name, unlike != NULL ? " · " : "",
                          unlike != NULL ? unlike : "", valued ? " " : "", value,
                          plotted->leaves ? " \342\206\221" : "");
}

/* The width of what could be revealed later counts too, so that nothing moves on the wall. */
static double
measure_room (const MemlanePlot *plot, double size, MemlaneRange exponents)
{
  double widest = 0;

  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    for (int family = 0; family <= 1; family++)
      {
        g_autofree char *text = make_label (plot, plotted, family, exponents);
        g_autoptr (PangoLayout) layout = memlane_figure_make_text (plot->frame.pango, size, TRUE,
                                                                   text);

        if (!plotted->hidden && plotted->series->role != MEMLANE_SERIES_PUBLISHED)
          widest = MAX (widest, memlane_figure_text_width (layout));
      }
  return widest;
}

/* The lines of the first run, and of others what it does not have. */
static gboolean
is_named (const MemlanePlot *plot, const MemlanePlottedSeries *plotted)
{
  if (!plotted->drawn || plotted->context)
    return FALSE;
  if (plotted->nth_run > 0)
    MEMLANE_FOR_EACH_OF_RUN (first, memlane_plot_series (plot, 0))
      if (first->drawn && first->series->family == plotted->series->family)
        return FALSE;
  return TRUE;
}

void
memlane_plot_make_labels (MemlanePlot *plot, const MemlaneView *view, MemlaneRange exponents)
{
  double size = plot->frame.style.text_size,
         most = LABEL_SHARE * plot->frame.width - LEADER_LENGTH * plot->frame.em, widest = 0, room;
  guint n = 0;

  if (plot->form != MEMLANE_FORM_OVERVIEW || plot->frame.width < 14 * plot->frame.em)
    return;
  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    n += is_named (plot, plotted);
  /* Smaller rather than missing. On the wall nothing is smaller. */
  while (!plot->frame.wall && size > LEAST_LABEL * plot->frame.style.text_size
         && n * size * plot->frame.line / plot->frame.style.text_size > 0.6 * plot->frame.height)
    size *= 0.95;
  for (int pass = 0; pass < 2; pass++)
    {
      MEMLANE_FOR_EACH_IN (MemlanePlottedSeries, plotted, plot->series)
        {
          g_autofree char *text = NULL;
          gboolean bold = !plotted->early && plotted->series->family != MEMLANE_FAMILY_BASELINE;

          if (!is_named (plot, plotted))
            continue;
          text = make_label (plot, plotted, memlane_plot_leads_others (plotted), exponents);
          g_clear_object (&plotted->label);
          plotted->label = memlane_figure_make_text (plot->frame.pango, size, bold, text);
          widest = MAX (widest, memlane_figure_text_width (plotted->label));
          if (pass > 0)
            memlane_figure_limit_text (plotted->label, most);
        }
      if (widest <= most)
        break;
      size = plot->frame.wall
                 ? size
                 : MAX (size * most / widest, LEAST_LABEL * plot->frame.style.text_size);
      widest = pass == 0 ? 0 : MIN (widest, most);
    }
  room = plot->frame.wall ? MIN (measure_room (plot, size, exponents), most) : widest;
  plot->label_width = room > 0 ? ceil (room + LEADER_LENGTH * plot->frame.em) : 0;
}

/* The wanted and the final place of a label. */
typedef struct
{
  guint series;
  /* of the line, and where the leader stops: names of lines that reach the edge stand in one
   * column */
  double end, x;
  double wanted, y, height;
} Wish;

MEMLANE_DEFINE_ORDER (compare_wishes, Wish, RISING (wanted) RISING (series))

/* Places the labels downwards, each at its line's end or below the one before. Those beyond the
 * bottom push the others up. */
static void
spread (GArray *array, double top, double bottom)
{
  Wish *wishes = (gpointer) array->data;
  guint n = array->len;

  for (int pass = 0; pass < 2; pass++)
    {
      double edge = top;

      for (guint i = 0; i < n; i++)
        {
          wishes[i].y = MAX (pass == 0 ? wishes[i].wanted - wishes[i].height / 2 : wishes[i].y,
                             edge);
          edge = wishes[i].y + wishes[i].height;
        }
      edge = bottom;
      for (guint i = n; i-- > 0;)
        edge = wishes[i].y = MIN (wishes[i].y, edge - wishes[i].height);
    }
  /* Groups that were pushed down alone lean back towards the middle of what they want. */
  for (guint i = 0, end; i < n; i = end)
    {
      double miss = 0,
             room = MAX (wishes[i].y - (i > 0 ? wishes[i - 1].y + wishes[i - 1].height : top), 0);

      for (end = i + 1;
           end < n && wishes[end].y <= wishes[end - 1].y + wishes[end - 1].height + 0.5;)
        end++;
      for (guint j = i; j < end; j++)
        miss += (wishes[j].y + wishes[j].height / 2 - wishes[j].wanted) / (end - i);
      for (guint j = i; j < end && miss > 0; j++)
        wishes[j].y -= MIN (miss, room);
    }
}

/* Finds where a line ends: at its last point, or where it crosses the right edge. FALSE: left of
 * that it has no point. */
static gboolean
find_end (const MemlanePlottedSeries *plotted, double right, MemlaneCorner *end)
{
  gboolean any = FALSE;

  MEMLANE_FOR_EACH_IN (const MemlaneCoordinate, here, plotted->coordinates)
    {
      if (here->x > right + 0.5)
        {
          if (any && here->joined && here->x > end->x)
            *end = (MemlaneCorner) {
              right, end->y + (here->y - end->y) * (right - end->x) / (here->x - end->x)
            };
          break;
        }
      any = TRUE;
      *end = (MemlaneCorner) { here->x, here->y };
    }
  if (any && plotted->leaves)
    end->x = right;
  return any;
}

void
memlane_plot_place_labels (MemlanePlot *plot)
{
  MemlaneFrame *frame = &plot->frame;
  g_autoptr (GArray) wishes = g_array_new (FALSE, FALSE, sizeof (Wish));
  double right = frame->area.x + frame->area.width, length = LEADER_LENGTH * frame->em;
  double top = MAX (frame->area.y - frame->line / 2, 0),
         bottom = MIN (frame->area.y + frame->area.height + frame->line / 2, frame->height);
  double used = 0;
  guint dropped = 0;

  if (plot->label_width <= 0)
    return;
  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    {
      MemlaneCorner end;
      Wish wish;

      if (plotted->label == NULL || !find_end (plotted, right, &end))
        continue;
      wish = (Wish) { plotted->index, end.x, end.x < right - 3 * frame->em ? end.x : right,
                      CLAMP (end.y, frame->area.y, frame->area.y + frame->area.height) };
      wish.height = memlane_figure_text_height (plotted->label);
      used += wish.height;
      g_array_append_val (wishes, wish);
    }
  if (used > bottom - top)
    {
      bottom -= frame->line;
      for (; wishes->len > 0 && used > bottom - top; dropped++)
        {
          used -= g_array_index (wishes, Wish, wishes->len - 1).height;
          g_array_set_size (wishes, wishes->len - 1);
        }
    }
  g_array_sort (wishes, compare_wishes);
  spread (wishes, top, bottom);
  MEMLANE_FOR_EACH_IN (const Wish, wish, wishes)
    {
      MemlanePlottedSeries *plotted = memlane_plot_series (plot, wish->series);
      double x = wish->end + 0.25 * frame->em;
      MemlaneColor color = memlane_color_readable (plotted->curve.color, &frame->style);
      MemlanePlacedText *text;
      MemlaneLeader leader = { x, wish->wanted, wish->x + length - 0.3 * frame->em,
                               wish->y + wish->height / 2, wish->series };

      g_array_append_val (plot->leaders, leader);
      text = memlane_frame_place_text (frame, MEMLANE_TEXT_LABEL, g_object_ref (plotted->label),
                                       wish->x + length, wish->y, &color);
      text->item = wish->series;
      memlane_frame_add_target (frame, &text->area, wish->series, TRUE);
    }
  if (dropped > 0)
    {
      /* Said, not silent. */
      g_autofree char *more = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "and %u more", "and %u more", dropped), dropped);
      PangoLayout *layout = memlane_frame_make_text (frame, frame->style.text_size, FALSE, more);

      memlane_figure_limit_text (layout, plot->label_width - length);
      memlane_frame_place_text (frame, MEMLANE_TEXT_MORE, layout, right + length, bottom,
                                &frame->style.faint);
    }
}

/* --- panels ----------------------------------------------------------------------------------- */

/* Whether the series is one of the panel's modes. */
static gboolean
is_member (const MemlanePlottedSeries *plotted)
{
  return plotted->series->role == MEMLANE_SERIES_MEASURED && plotted->drawn && !plotted->context;
}

void
memlane_plot_place_members (MemlanePlot *plot)
{
  MemlaneFrame *frame = &plot->frame;
  double y = frame->area.y + 0.3 * frame->em, x = frame->area.x + 0.6 * frame->em,
         gap = 0.5 * frame->em;
  guint n = 0;

  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    n += is_member (plotted);
  if (n * frame->line > 0.5 * frame->area.height || 9 * frame->em > 0.6 * frame->area.width)
    {
      /* No room: the title says how many there are. */
      MEMLANE_FOR_EACH_IN (MemlanePlacedText, title, frame->texts)
        {
          g_autofree char *counted = NULL;

          if (n <= 1 || title->role != MEMLANE_TEXT_TITLE)
            continue;
          /* Translators: a family of memory modes and how many it has: "Pinned (5 modes)" */
          counted = g_strdup_printf (
              g_dngettext (GETTEXT_PACKAGE, "%s (%u mode)", "%s (%u modes)", n),
              memlane_chart_family_title (plot->panel), n);
          pango_layout_set_text (title->layout, counted, -1);
          memlane_figure_limit_text (title->layout, frame->width - 2 * title->area.x);
          memlane_figure_measure_text (title->layout, &title->area.width, &title->area.height);
        }
      return;
    }
  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    {
      MemlaneColor color = memlane_color_readable (plotted->curve.color, &frame->style);
      MemlaneSample sample = { { x, y, frame->sample_width, 0 }, plotted->index };
      PangoLayout *layout;
      double width;

      if (!is_member (plotted))
        continue;
      layout = memlane_frame_make_text (frame, frame->small, FALSE, plotted->series->label);
      memlane_figure_limit_text (layout, 0.62 * frame->area.width - sample.area.width - gap);
      memlane_figure_measure_text (layout, &width, &sample.area.height);
      memlane_frame_place_text (frame, MEMLANE_TEXT_LEGEND, layout, x + sample.area.width + gap, y,
                                &color);
      g_array_append_val (frame->samples, sample);
      width += sample.area.width + gap;
      memlane_frame_add_target (frame, &(MemlaneRectangle) { x, y, width, sample.area.height },
                                plotted->index, FALSE);
      y += sample.area.height;
    }
}
