/* span-label.c: names inside spans
 *
 * SPDX-License-Identifier: MIT
 */
#include "span-label.h"

#include <math.h>
#include <string.h>

#include "base/owns.h"

#define MOST_LABELS 4096
#define LEAST_CUT 4.0 /* em: a name that is cut shorter says nothing */

typedef struct
{
  cairo_scaled_font_t *font; /* of the layout's */
  cairo_glyph_t *glyphs;     /* owned; x from the label's left, y from its top */
  guint n;
} Run;

struct _MemlaneSpanLabels
{
  PangoContext *pango; /* which knows them and does not own them: their layouts own it */
  double text_size, em;
  guint serial;        /* of the context: its fonts have changed since */
  GHashTable *labels;  /* text -> label */
};

static void
clear_run (gpointer data)
{
  g_free (((Run *) data)->glyphs);
}

MEMLANE_DEFINE_FREE (MemlaneSpanLabel, static void free_label (gpointer data), OWNS (runs, g_array_unref) OWNS (layout, g_object_unref)
                     OWNS (text, g_free))

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

static MemlaneSpanLabel *
new_label (const MemlaneSpanLabels *self, const char *text)
{
  MemlaneSpanLabel *label = g_new0 (MemlaneSpanLabel, 1);
  double baseline, x = 0;
  PangoLayoutLine *line;

  label->text = g_strdup (text);
  label->layout = memlane_figure_make_text (self->pango, self->text_size, FALSE, text);
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

/* --- the labels of a context -------------------------------------------------------------------------------------- */

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("memlane-span-labels");
}

static void
clear_labels (gpointer data)
{
  MemlaneSpanLabels *self = data;

  if (g_object_get_qdata (G_OBJECT (self->pango), get_quark ()) == self)
    g_object_set_qdata (G_OBJECT (self->pango), get_quark (), NULL);
  g_hash_table_unref (self->labels);
  g_object_unref (self->pango);
}

void
memlane_span_labels_unref (MemlaneSpanLabels *self)
{
  g_rc_box_release_full (self, clear_labels);
}

MemlaneSpanLabels *
memlane_span_labels_ref (PangoContext *pango, double text_size)
{
  MemlaneSpanLabels *self = g_object_get_qdata (G_OBJECT (pango), get_quark ());
  double em = text_size * memlane_figure_text_scale (pango);

  if (self != NULL && self->em == em && self->serial == pango_context_get_serial (pango)
      && g_hash_table_size (self->labels) <= MOST_LABELS)
    return g_rc_box_acquire (self);
  self = g_rc_box_new0 (MemlaneSpanLabels);
  self->pango = g_object_ref (pango);
  self->text_size = text_size;
  self->em = em;
  self->serial = pango_context_get_serial (pango);
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_label);
  g_object_set_qdata (G_OBJECT (pango), get_quark (), self);
  return self;
}

MemlaneSpanLabel *
memlane_span_labels_get (MemlaneSpanLabels *self, const char *text)
{
  MemlaneSpanLabel *label = g_hash_table_lookup (self->labels, text);

  if (label == NULL)
    {
      label = new_label (self, text);
      g_hash_table_insert (self->labels, label->text, label);
    }
  return label;
}

gboolean
memlane_span_labels_fit (const MemlaneSpanLabels *self, const MemlaneSpanLabel *label, double width)
{
  return width >= label->width || (width >= LEAST_CUT * self->em && label->runs != NULL);
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
add_glyphs (GArray *batches, const MemlaneSpanLabel *label, double x, double y, double room)
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

static void
draw_color (MemlaneSpanLabels *self, const GArray *names, const MemlaneColor *color, double offset, cairo_t *cr)
{
  g_autoptr (GArray) batches = g_array_new (FALSE, FALSE, sizeof (Batch));
  MemlaneSpanLabel *dots = memlane_span_labels_get (self, "…");

  g_array_set_clear_func (batches, clear_batch);
  memlane_color_set (cr, color);
  for (guint i = 0; i < names->len; i++)
    {
      const MemlaneSpanName *name = &g_array_index (names, MemlaneSpanName, i);
      double y = round (offset + name->y);

      if (memcmp (&name->color, color, sizeof *color) != 0)
        continue;
      if (name->label->runs == NULL)
        {
          cairo_move_to (cr, name->x, y);
          pango_cairo_show_layout (cr, name->label->layout);
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
    }
}

void
memlane_span_labels_draw (MemlaneSpanLabels *self, const GArray *names, const MemlaneStyle *style, double offset, cairo_t *cr)
{
  draw_color (self, names, &style->text, offset, cr);
  draw_color (self, names, &style->background, offset, cr);
}
