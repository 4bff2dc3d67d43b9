/* bars.c: lays out and draws the values of an experiment as bars
 *
 * SPDX-License-Identifier: MIT
 */
#include "bars.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/each.h"
#include "base/owns.h"
#include "chart/answer-words.h"
#include "chart/chart-words.h"
#include "chart/frame.h"
#include "chart/scale.h"

#define LABEL_SHARE 0.36 /* of the width that the labels may take */
#define WIDE_LABELS 0.55 /* where the height is short */
#define BAR 2.0          /* lines, of a bar */
#define MOST_GROWTH 1.5  /* of a row on a wall that has room */
#define GAP 0.7          /* lines, between two bars */
#define RADIUS 0.3       /* em */
#define AIR 0.7          /* em beside a value */
#define GLYPH_WIDTH 9.0  /* em */
#define ON_PAGE 1.15     /* of the style's text, among the words of a page */
#define TIGHT 0.02       /* of the median: a narrower interval is not drawn */

typedef struct
{
  MemlaneExperimentResult *result; /* owned reference */
  GPtrArray *rows;                 /* (element-type MemlanePictureRow) */
  gboolean alone;
} Bars;

/* Two words are pictures themselves: two streams at the same time, or one after the other. */
typedef enum
{
  GLYPH_NONE,
  GLYPH_CONCURRENT,
  GLYPH_SERIAL,
} Glyph;

typedef struct
{
  MemlaneRectangle bar; /* without width: the value is a number */
  Glyph glyph;
  double low, high;     /* x of the interval's ends; equal: it is not drawn */
  gboolean outlined;
  MemlaneColor color;
} Bar;

typedef struct
{
  MemlaneFrame frame;
  GArray *bars; /* (element-type Bar) */
  gboolean has_ground;
} Layout;

/* --- words ------------------------------------------------------------------------------------ */

static char *
format_value (const MemlanePictureRow *row)
{
  static const char *const marks[] = { "✓ ", "✗ ", "? ", "" };
  const char *title = row->value.kind == MEMLANE_VALUE_WORD ? memlane_word_title (row->value.word)
                                                            : NULL;
  g_autofree char *typed = title == NULL ? memlane_value_to_text (&row->value, FALSE, TRUE) : NULL;
  g_autofree char *text = title != NULL ? g_strdup (memlane_words_translate (title))
                                        : memlane_words_typeset (typed);

  if (row->value.kind == MEMLANE_VALUE_TIME)
    return memlane_unit_format (MEMLANE_UNIT_TIME, row->value.median, TRUE);
  return g_strconcat (marks[row->verdict], text, row->unit != NULL ? " " : "", row->unit, NULL);
}

static char *
describe (gconstpointer content)
{
  GString *text = g_string_new (NULL);

  MEMLANE_FOR_EACH (const MemlanePictureRow, row, ((const Bars *) content)->rows)
    {
      g_autofree char *value = format_value (row), *title = memlane_words_typeset (row->title);

      memlane_words_join (text, "\n", "%s: %s", title, value);
    }
  return g_string_free (text, FALSE);
}

static char *
get_name (gconstpointer content)
{
  return g_strdup (((const Bars *) content)->result->experiment->name);
}

static char *
get_title (gconstpointer content)
{
  return memlane_words_typeset (((const Bars *) content)->result->experiment->title);
}

/* Returns the subject of the bars: the experiment's words, or the table whose largest size is
 * shown, and that size. */
static char *
name_subject (const Bars *self)
{
  if (self->result->experiment->shows != NULL)
    return memlane_words_typeset (self->result->experiment->shows);
  MEMLANE_FOR_EACH (const MemlanePictureRow, row, self->rows)
    {
      g_autofree char *size = row->table != NULL ? memlane_unit_format_power (row->log2_elements)
                                                 : NULL;
      g_autofree char *title = row->table != NULL ? memlane_words_typeset (row->table->title)
                                                  : NULL;

      if (row->table != NULL)
        /* Translators: what a picture shows, and its size ("2²⁰") */
        return g_strdup_printf (_("%s, %s floats"), title, size);
    }
  return NULL;
}

/* Returns why published figures differ, where there are some. (nullable) (transfer full) */
static char *
explain_published (const Bars *self)
{
  const char *why = self->result->experiment->published_differs;

  MEMLANE_FOR_EACH (const MemlanePictureRow, row, self->rows)
    if (row->published && why != NULL)
      return memlane_words_typeset (why);
  return NULL;
}

/* --- layout ----------------------------------------------------------------------------------- */

static PangoLayout *
make_label (const Layout *self, const MemlanePictureRow *row, double most)
{
  g_autofree char *text = memlane_words_typeset (row->title);
  PangoLayout *layout = memlane_frame_make_text (
      &self->frame, row->published ? self->frame.small : self->frame.style.text_size, FALSE, text);

  pango_layout_set_width (layout, (int) (most * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  return layout;
}

/* Returns the height of a row, whose label may have several lines. */
static double
measure_row (const Layout *self, PangoLayout *label)
{
  return MAX (memlane_figure_text_height (label), BAR * self->frame.line) + GAP * self->frame.line;
}

/* The labels of all rows, of which each takes at most @share of the width. (transfer full) */
static GPtrArray *
make_labels (const Layout *self, const Bars *bars, double share)
{
  GPtrArray *labels = g_ptr_array_new_with_free_func (g_object_unref);

  MEMLANE_FOR_EACH (const MemlanePictureRow, row, bars->rows)
    g_ptr_array_add (labels, make_label (self, row, share * self->frame.area.width));
  return labels;
}

/* Returns the height of all rows. */
static double
measure_rows (const Layout *self, const GPtrArray *labels)
{
  double height = 0;

  MEMLANE_FOR_EACH (PangoLayout, label, labels)
    height += measure_row (self, label);
  return height;
}

static void
begin (Layout *self, const Bars *bars, const MemlaneStyle *style, double width, double height,
       PangoContext *pango)
{
  static const MemlaneBand bands[] = {
    { MEMLANE_TEXT_TITLE, MEMLANE_SIDE_TOP },
    { MEMLANE_TEXT_SUBTITLE, MEMLANE_SIDE_TOP },
    { MEMLANE_TEXT_NOTE, MEMLANE_SIDE_BOTTOM },
    { MEMLANE_TEXT_CAPTION, MEMLANE_SIDE_BOTTOM },
  };

  MemlaneStyle large = *style;

  if (!bars->alone && style->kind != MEMLANE_STYLE_PROJECTOR
      && style->kind != MEMLANE_STYLE_PROJECTOR_DARK)
    large.text_size *= ON_PAGE;
  memlane_frame_init (&self->frame, &large, width, height, pango);
  self->frame.least_width = self->frame.least_height = 0;
  self->frame.caption = name_subject (bars);
  self->frame.note = explain_published (bars);
  if (bars->alone)
    {
      self->frame.title = get_title (bars);
      self->frame.subtitle = bars->result->device_name != NULL
                                 ? memlane_facts_name_device (bars->result->device_name)
                                 : NULL;
      self->frame.simulated = bars->result->simulated;
    }
  else
    self->frame.pad = 0; /* the page has a margin */
  memlane_frame_fit (&self->frame, bands, G_N_ELEMENTS (bands));
}

static double
measure_height (gconstpointer content, const MemlaneStyle *style, double width, PangoContext *pango)
{
  const double probe = 1e4;
  Layout layout = { 0 };
  g_autoptr (GPtrArray) labels = NULL;
  double height;

  begin (&layout, content, style, width, probe, pango);
  labels = make_labels (&layout, content, LABEL_SHARE);
  height = probe - layout.frame.area.height + measure_rows (&layout, labels);
  memlane_frame_clear (&layout.frame);
  return ceil (height);
}

/* The value in the bar where it has room there, else after it. A word is a box of its own size. */
static void
place_value (Layout *self, const MemlanePictureRow *row, Bar *bar)
{
  g_autofree char *text = format_value (row);
  PangoLayout *layout = memlane_frame_make_text (&self->frame, self->frame.style.text_size, TRUE,
                                                 text);
  double width, height, x;
  MemlaneColor color = self->frame.style.text;

  memlane_figure_measure_text (layout, &width, &height);
  x = bar->bar.x;
  if (bar->glyph != GLYPH_NONE)
    x += (GLYPH_WIDTH + AIR) * self->frame.em;
  else if (row->value.kind == MEMLANE_VALUE_WORD)
    {
      bar->outlined = TRUE;
      bar->bar.width = width + 2 * AIR * self->frame.em + 1;
      x += AIR * self->frame.em;
    }
  else if (bar->bar.width > width + 2 * AIR * self->frame.em)
    {
      x += AIR * self->frame.em;
      color = bar->outlined ? color : memlane_figure_text_on (&self->frame.style, &bar->color);
    }
  else if (bar->bar.width > 0)
    x = MAX (x + bar->bar.width, bar->high) + AIR * self->frame.em;
  memlane_frame_place_text (&self->frame, MEMLANE_TEXT_CONTENT, layout, x,
                            bar->bar.y + (bar->bar.height - height) / 2, &color);
}

/* px for the longest time: a value that has no room in its bar still stands within the figure. */
static double
choose_scale (const Layout *self, const Bars *bars, double room)
{
  double scale = G_MAXDOUBLE;

  MEMLANE_FOR_EACH (const MemlanePictureRow, row, bars->rows)
    {
      g_autofree char *text = format_value (row);
      double width = memlane_frame_measure (&self->frame, TRUE, text);

      if (row->value.kind == MEMLANE_VALUE_TIME && row->value.median > 0)
        scale = MIN (scale, MAX (room - width - 2 * AIR * self->frame.em, room / 2)
                                / MAX (row->value.median, row->value.high));
    }
  return scale < G_MAXDOUBLE ? scale : 0;
}

static gpointer
lay_out (gconstpointer content, const MemlaneStyle *style, double width, double height,
         PangoContext *pango)
{
  const Bars *bars = content;
  Layout *self = g_new0 (Layout, 1);
  MemlaneFrame *frame = &self->frame;
  g_autoptr (GPtrArray) labels = NULL;
  double widest = 0, all, squeeze, scale, y;

  begin (self, bars, style, width, height, pango);
  memlane_frame_place (frame);
  self->has_ground = bars->alone; /* else the page's shows through */
  self->bars = g_array_new (FALSE, TRUE, sizeof (Bar));
  labels = make_labels (self, bars, LABEL_SHARE);
  if (measure_rows (self, labels) > frame->area.height) /* on a wall: no label has two lines */
    {
      g_ptr_array_unref (labels);
      labels = make_labels (self, bars, WIDE_LABELS);
    }
  all = measure_rows (self, labels);
  MEMLANE_FOR_EACH (PangoLayout, label, labels)
    {

      if (all > frame->area.height)
        {
          pango_layout_set_height (label, -1);
          pango_layout_set_ellipsize (label, PANGO_ELLIPSIZE_END);
        }
      widest = MAX (widest, memlane_figure_text_width (label));
    }
  all = measure_rows (self, labels);
  widest += 1.5 * frame->em;
  squeeze = all > 0 ? MIN (frame->area.height / all, frame->wall ? MOST_GROWTH : 1) : 1;
  scale = choose_scale (self, bars, frame->area.width - widest);
  y = frame->area.y;
  for (guint i = 0; i < bars->rows->len; i++)
    {
      const MemlanePictureRow *row = bars->rows->pdata[i];
      double step = squeeze * measure_row (self, labels->pdata[i]), x = frame->area.x + widest;
      double thickness = squeeze * BAR * frame->line;
      MemlaneFamily family = row->mode != NULL ? memlane_family_of_mode (row->mode)
                                               : MEMLANE_N_FAMILIES;
      gboolean is_time = row->value.kind == MEMLANE_VALUE_TIME;
      const char *word = row->value.kind == MEMLANE_VALUE_WORD ? row->value.word : "";
      Bar bar = {
        .bar = { x, y + (step - thickness) / 2, is_time ? MAX (scale * row->value.median, 1) : 0,
                 thickness },
        .glyph = g_str_equal (word, "beside")                ? GLYPH_CONCURRENT
                 : g_str_equal (word, "one-after-the-other") ? GLYPH_SERIAL
                                                             : GLYPH_NONE,
        .outlined = row->published,
        .color = memlane_family_color (family, &frame->style),
      };

      if (is_time && row->value.high - row->value.low > TIGHT * row->value.median)
        {
          bar.low = x + scale * row->value.low;
          bar.high = x + scale * row->value.high;
        }
      memlane_frame_place_text (frame, MEMLANE_TEXT_CONTENT, g_object_ref (labels->pdata[i]),
                                frame->area.x,
                                y + (step - memlane_figure_text_height (labels->pdata[i])) / 2,
                                row->published ? &frame->style.faint : &frame->style.text);
      place_value (self, row, &bar);
      g_array_append_val (self->bars, bar);
      y += step;
    }
  return self;
}

MEMLANE_DEFINE_FREE (Layout, static void free_layout (gpointer data),
                     OWNS (bars, g_array_unref) memlane_frame_clear (&self->frame);)

/* --- drawing ---------------------------------------------------------------------------------- */

static void
draw_bar (const Layout *self, const Bar *bar, cairo_t *cr)
{
  const MemlaneStyle *style = &self->frame.style;
  double middle = bar->bar.y + bar->bar.height / 2, tick = bar->bar.height / 5,
         half = GLYPH_WIDTH * self->frame.em / 2;

  for (guint stream = 0; bar->glyph != GLYPH_NONE && stream < 2; stream++)
    {
      const MemlaneRectangle work = { bar->bar.x
                                          + (bar->glyph == GLYPH_SERIAL ? stream * half : half / 2),
                                      bar->bar.y + stream * (bar->bar.height / 2 + 1), half - 1,
                                      bar->bar.height / 2 - 1 };

      memlane_figure_add_round (cr, &work, RADIUS * self->frame.em / 2);
      memlane_figure_fill (cr, &bar->color);
    }
  if (bar->bar.width <= 0)
    return;
  memlane_figure_add_round (cr, &bar->bar, MIN (RADIUS * self->frame.em, bar->bar.width / 2));
  if (bar->outlined)
    memlane_figure_stroke (cr, style->axis_width, &style->faint);
  else
    memlane_figure_fill (cr, &bar->color);
  if (bar->high <= bar->low)
    return;
  memlane_figure_add_line (cr, bar->low, middle, bar->high, middle);
  for (guint end = 0; end < 2; end++)
    {
      cairo_move_to (cr, end == 0 ? bar->low : bar->high, middle - tick);
      cairo_rel_line_to (cr, 0, 2 * tick);
    }
  memlane_figure_stroke (cr, style->axis_width, &style->text);
}

static void
draw (gconstpointer data, cairo_t *cr)
{
  const Layout *self = data;

  if (self->has_ground)
    memlane_frame_draw_ground (&self->frame, cr);
  MEMLANE_FOR_EACH_IN (const Bar, bar, self->bars)
    draw_bar (self, bar, cr);
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, self->frame.texts)
    if (text->role == MEMLANE_TEXT_CONTENT)
      memlane_frame_draw_text (text, cr);
  memlane_frame_draw_words (&self->frame, cr);
}

MEMLANE_DEFINE_FREE (Bars, static void free_bars (gpointer data), OWNS (rows, g_ptr_array_unref)
                     OWNS (result, memlane_experiment_result_unref))

MemlaneDrawing *
memlane_bars_drawing_new (MemlaneExperimentResult *result, gboolean alone)
{
  static const MemlaneDrawingClass klass = {
    .layout = lay_out, .draw = draw, .free_layout = free_layout, .measure_height = measure_height,
    .name = get_name, .title = get_title, .describe = describe, .free = free_bars,
  };
  GPtrArray *rows = memlane_experiment_result_get_picture (result, memlane_words_translate);
  Bars *self;

  if (rows->len == 0)
    {
      g_ptr_array_unref (rows);
      return NULL;
    }
  self = g_new (Bars, 1);
  *self = (Bars) { .result = memlane_experiment_result_ref (result), .rows = rows, .alone = alone };
  return memlane_drawing_new (&klass, self);
}
