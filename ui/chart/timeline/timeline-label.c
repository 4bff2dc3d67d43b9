/* timeline-label.c: names inside spans: shaped once, kept with the PangoContext, drawn all at once
 *
 * SPDX-License-Identifier: MIT
 *
 * A frame of a long trace has hundreds of names, few of them different. Shaping and showing each by itself would take longer than all the
 * rest of the frame.
 */
#include "timeline-private.h"

#include <string.h>

#define MOST_LABELS 4096
#define LEAST_CUT 4.0 /* em: a name that is cut shorter says nothing */

typedef struct
{
  cairo_scaled_font_t *font; /* of the layout's */
  cairo_glyph_t *glyphs;     /* owned; x from the label's left, y from its top */
  guint n;
} Run;

struct _MemlaneTimelineLabel
{
  char *text;
  PangoLayout *layout;
  double width, height;
  GArray *runs;              /* (element-type Run); NULL: only Pango can draw it */
};

static void
clear_run (gpointer data)
{
  g_free (((Run *) data)->glyphs);
}

static void
free_label (gpointer data)
{
  MemlaneTimelineLabel *label = data;

  g_clear_pointer (&label->runs, g_array_unref);
  g_object_unref (label->layout);
  g_free (label->text);
  g_free (label);
}

/* Appends the glyphs of one run, which starts at @x; FALSE: some of them are no glyphs of a font. */
static gboolean
add_run (GArray *runs, PangoLayoutRun *item, double baseline, double *x)
{
  PangoGlyphString *string = item->glyphs;
  cairo_scaled_font_t *font = pango_cairo_font_get_scaled_font (PANGO_CAIRO_FONT (item->item->analysis.font));
  Run run = { font, g_new (cairo_glyph_t, MAX (string->num_glyphs, 1)), 0 };

  for (int i = 0; i < string->num_glyphs; i++)
    {
      const PangoGlyphInfo *glyph = &string->glyphs[i];

      if (font == NULL || (glyph->glyph & PANGO_GLYPH_UNKNOWN_FLAG) != 0)
        {
          g_free (run.glyphs);
          return FALSE;
        }
      if (glyph->glyph != PANGO_GLYPH_EMPTY)
        run.glyphs[run.n++] = (cairo_glyph_t){ glyph->glyph, *x + (double) glyph->geometry.x_offset / PANGO_SCALE,
                                               baseline + (double) glyph->geometry.y_offset / PANGO_SCALE };
      *x += (double) glyph->geometry.width / PANGO_SCALE;
    }
  g_array_append_val (runs, run);
  return TRUE;
}

static MemlaneTimelineLabel *
new_label (const MemlaneTimeline *self, const char *text)
{
  MemlaneTimelineLabel *label = g_new0 (MemlaneTimelineLabel, 1);
  double baseline, x = 0;
  PangoLayoutLine *line;

  label->text = g_strdup (text);
  label->layout = memlane_timeline_make_words (self, 1, FALSE, text);
  memlane_figure_measure_text (label->layout, &label->width, &label->height);
  baseline = (double) pango_layout_get_baseline (label->layout) / PANGO_SCALE;
  line = pango_layout_get_line_readonly (label->layout, 0);
  label->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  g_array_set_clear_func (label->runs, clear_run);
  for (GSList *item = line != NULL ? line->runs : NULL; item != NULL; item = item->next)
    if (!add_run (label->runs, item->data, baseline, &x))
      {
        g_clear_pointer (&label->runs, g_array_unref);
        break;
      }
  return label;
}

/* --- the cache ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  double em;
  guint serial;       /* of the context: its fonts have changed since */
  GHashTable *labels; /* text -> label */
} Cache;

static void
free_cache (gpointer data)
{
  Cache *cache = data;

  g_hash_table_unref (cache->labels);
  g_free (cache);
}

GHashTable *
memlane_timeline_labels_ref (const MemlaneTimeline *self)
{
  static GQuark quark;
  Cache *cache;

  if (quark == 0)
    quark = g_quark_from_static_string ("memlane-timeline-labels");
  cache = g_object_get_qdata (G_OBJECT (self->pango), quark);
  if (cache == NULL || cache->em != self->em || cache->serial != pango_context_get_serial (self->pango)
      || g_hash_table_size (cache->labels) > MOST_LABELS)
    {
      cache = g_new0 (Cache, 1);
      cache->em = self->em;
      cache->serial = pango_context_get_serial (self->pango);
      cache->labels = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_label);
      g_object_set_qdata_full (G_OBJECT (self->pango), quark, cache, free_cache);
    }
  return g_hash_table_ref (cache->labels);
}

MemlaneTimelineLabel *
memlane_timeline_label_get (const MemlaneTimeline *self, const char *text)
{
  MemlaneTimelineLabel *label = g_hash_table_lookup (self->labels, text);

  if (label == NULL)
    {
      label = new_label (self, text);
      g_hash_table_insert (self->labels, label->text, label);
    }
  return label;
}

double
memlane_timeline_label_width (const MemlaneTimelineLabel *label)
{
  return label->width;
}

double
memlane_timeline_label_height (const MemlaneTimelineLabel *label)
{
  return label->height;
}

const char *
memlane_timeline_label_text (const MemlaneTimelineLabel *label)
{
  return label->text;
}

gboolean
memlane_timeline_label_fits (const MemlaneTimelineLabel *label, double width, double em)
{
  return width >= label->width || (width >= LEAST_CUT * em && label->runs != NULL);
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  cairo_scaled_font_t *font;
  GArray *glyphs; /* (element-type cairo_glyph_t) */
} Batch;

static void
clear_batch (gpointer data)
{
  g_array_unref (((Batch *) data)->glyphs);
}

static GArray *
find_batch (GArray *batches, cairo_scaled_font_t *font)
{
  Batch batch = { font, NULL };

  for (guint i = 0; i < batches->len; i++)
    if (g_array_index (batches, Batch, i).font == font)
      return g_array_index (batches, Batch, i).glyphs;
  batch.glyphs = g_array_new (FALSE, FALSE, sizeof (cairo_glyph_t));
  g_array_append_val (batches, batch);
  return batch.glyphs;
}

/* As many glyphs as fit before @room. Returns where the next one would stand. */
static double
add_glyphs (GArray *batches, const MemlaneTimelineLabel *label, double x, double y, double room)
{
  double reached = 0;

  for (guint i = 0; i < label->runs->len; i++)
    {
      const Run *run = &g_array_index (label->runs, Run, i);
      GArray *glyphs = find_batch (batches, run->font);

      for (guint j = 0; j < run->n; j++)
        {
          /* A glyph ends where the next one starts. */
          double end = j + 1 < run->n ? run->glyphs[j + 1].x : i + 1 < label->runs->len && g_array_index (label->runs, Run, i + 1).n > 0
                                                                 ? g_array_index (label->runs, Run, i + 1).glyphs[0].x
                                                                 : label->width;
          cairo_glyph_t glyph = run->glyphs[j];

          if (end > room + 0.01)
            return x + reached;
          glyph.x += x;
          glyph.y += y;
          g_array_append_val (glyphs, glyph);
          reached = end;
        }
    }
  return x + reached;
}

static guint
draw_color (const MemlaneTimeline *self, cairo_t *cr, const MemlaneColor *color)
{
  g_autoptr (GArray) batches = g_array_new (FALSE, FALSE, sizeof (Batch));
  MemlaneTimelineLabel *dots = memlane_timeline_label_get (self, "…");
  guint n = 0;

  g_array_set_clear_func (batches, clear_batch);
  memlane_color_set (cr, color);
  for (guint i = 0; i < self->names->len; i++)
    {
      const MemlaneTimelineName *name = &g_array_index (self->names, MemlaneTimelineName, i);
      double y = round (memlane_timeline_sheet_y (self, name->y));

      if (memcmp (&name->color, color, sizeof *color) != 0)
        continue;
      if (name->label->runs == NULL)
        {
          cairo_move_to (cr, name->x, y);
          pango_cairo_show_layout (cr, name->label->layout);
          n++;
        }
      else if (name->label->width <= name->width)
        add_glyphs (batches, name->label, name->x, y, INFINITY);
      else
        {
          double x = add_glyphs (batches, name->label, name->x, y, name->width - dots->width);

          if (dots->runs != NULL)
            add_glyphs (batches, dots, x, y, INFINITY);
        }
    }
  for (guint i = 0; i < batches->len; i++)
    {
      const Batch *batch = &g_array_index (batches, Batch, i);

      cairo_set_scaled_font (cr, batch->font);
      cairo_show_glyphs (cr, (const cairo_glyph_t *) (gpointer) batch->glyphs->data, (int) batch->glyphs->len);
      n++;
    }
  return n;
}

guint
memlane_timeline_labels_draw (const MemlaneTimeline *self, cairo_t *cr)
{
  return draw_color (self, cr, &self->style.text) + draw_color (self, cr, &self->style.background);
}
