/* span-label.c: names inside spans
 *
 * SPDX-License-Identifier: MIT
 */
#include "span-label.h"

#include <math.h>

#include "base/each.h"
#include "base/owns.h"

#define LEAST_CUT 4.0 /* em: a name that is cut shorter says nothing */

typedef struct
{
  cairo_scaled_font_t *font; /* of the layout's */
  cairo_glyph_t *glyphs;     /* owned; x from the label's left, y from its top */
  guint n;
} Run;

struct _MemlaneSpanLabels
{
  PangoContext *pango;
  double text_size, em;
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

/* --- the labels of a layout --------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_FREE (MemlaneSpanLabels, void memlane_span_labels_free (MemlaneSpanLabels *data), OWNS (labels, g_hash_table_unref)
                     OWNS (pango, g_object_unref))

MemlaneSpanLabels *
memlane_span_labels_new (PangoContext *pango, double text_size)
{
  MemlaneSpanLabels *self = g_new0 (MemlaneSpanLabels, 1);

  self->pango = g_object_ref (pango);
  self->text_size = text_size;
  self->em = text_size * memlane_figure_text_scale (pango);
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_label);
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

/* As many glyphs as fit before @room. Returns where the next one would stand. */
static double
show_glyphs (cairo_t *cr, const MemlaneSpanLabel *label, double x, double y, double room)
{
  double reached = 0;

  cairo_save (cr);
  cairo_translate (cr, x, y);
  for (guint i = 0; i < label->runs->len; i++)
    {
      const Run *run = &g_array_index (label->runs, Run, i);
      const Run *next = i + 1 < label->runs->len ? run + 1 : NULL;
      guint n = 0;

      for (; n < run->n; n++)
        {
          /* A glyph ends where the next one starts. */
          double end = n + 1 < run->n ? run->glyphs[n + 1].x : next != NULL && next->n > 0 ? next->glyphs[0].x : label->width;

          if (end > room + 0.01)
            break;
          reached = end;
        }
      cairo_set_scaled_font (cr, run->font);
      cairo_show_glyphs (cr, run->glyphs, (int) n);
      if (n < run->n)
        break;
    }
  cairo_restore (cr);
  return x + reached;
}

void
memlane_span_labels_draw (MemlaneSpanLabels *self, const GArray *names, double offset, cairo_t *cr)
{
  const MemlaneSpanLabel *dots = memlane_span_labels_get (self, "…");

  MEMLANE_FOR_EACH_IN (const MemlaneSpanName, name, names)
    {
      const MemlaneSpanLabel *label = name->label;
      double y = round (offset + name->y);

      memlane_color_set (cr, &name->color);
      if (label->runs == NULL)
        {
          cairo_move_to (cr, name->x, y);
          pango_cairo_show_layout (cr, label->layout);
        }
      else if (label->width <= name->width)
        show_glyphs (cr, label, name->x, y, INFINITY);
      else
        {
          double x = show_glyphs (cr, label, name->x, y, name->width - dots->width);

          if (dots->runs != NULL)
            show_glyphs (cr, dots, x, y, INFINITY);
        }
    }
}
