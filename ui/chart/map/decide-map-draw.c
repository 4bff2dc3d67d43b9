/* decide-map-draw.c: a map of decisions on a cairo_t, and what follows pointer and choice
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-map-private.h"

#define GROUND_PART 0.5    /* of the mode's colour in its cells, the rest is the background */
#define LEAST_CONTRAST 4.5 /* of names and markers with their cells */
#define SEAM_PART 0.45     /* of the background between cells of one mode */
#define TIED_ALPHA 0.45
#define OPEN_ALPHA 0.55

/* --- colours -------------------------------------------------------------------------------------------------------- */

static MemlaneCurveStyle
find_look (const MemlaneStyle *style, int mode)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  return memlane_curve_style_for_mode (mode >= 0 && (guint) mode < n ? modes[mode].id : "", style);
}

MemlaneColor
memlane_map_ground (const MemlaneStyle *style, int mode)
{
  MemlaneColor own, ground;

  if (mode < 0)
    return memlane_color_mix (style->background, style->grid_minor, 0.8);
  own = find_look (style, mode).color;
  /* Half of black is a grey on which nothing stands out. */
  for (double part = GROUND_PART;; part -= 0.04)
    {
      MemlaneColor text;

      ground = memlane_color_mix (style->background, own, part);
      text = memlane_figure_text_on (style, &ground);
      if (part < GROUND_PART / 2 || memlane_color_contrast (&text, &ground) >= LEAST_CONTRAST)
        return ground;
    }
}

MemlaneColor
memlane_map_ink (const MemlaneStyle *style, int mode)
{
  MemlaneColor ground = memlane_map_ground (style, mode), end = memlane_figure_text_on (style, &ground);
  MemlaneColor own = mode >= 0 ? find_look (style, mode).color : style->faint;

  /* As much of its own colour as stands out. */
  for (double part = 0.25; part < 1; part += 0.125)
    {
      MemlaneColor ink = memlane_color_mix (own, end, part);

      if (memlane_color_contrast (&ink, &ground) >= LEAST_CONTRAST)
        return ink;
    }
  return end;
}

/* --- cells ---------------------------------------------------------------------------------------------------------- */

static double
hatch_pitch (const MemlaneDecideMap *self, MemlaneMapCertainty certainty)
{
  return round ((certainty == MEMLANE_MAP_OPEN ? 0.75 : 1) * self->em);
}

static void
add_hatch (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell)
{
  memlane_figure_add_hatch (cr, &cell->area, MAX (hatch_pitch (self, cell->certainty), 3), cell->certainty == MEMLANE_MAP_OPEN, TRUE);
}

static void
stroke_hatch (const MemlaneDecideMap *self, cairo_t *cr, int mode, MemlaneMapCertainty certainty)
{
  gboolean open = certainty == MEMLANE_MAP_OPEN;
  MemlaneColor ink = memlane_color_fade (memlane_map_ink (&self->style, mode), open ? OPEN_ALPHA : TIED_ALPHA);

  cairo_set_line_width (cr, (open ? 0.1 : 0.075) * self->em);
  memlane_color_set (cr, &ink);
  cairo_stroke (cr);
}

static double
marker_radius (const MemlaneDecideMap *self, const MemlaneRectangle *cell)
{
  double room = MIN (cell->width, cell->height);

  return MIN (MAX (1.25 * self->style.marker_radius, 0.12 * room), 0.24 * room);
}

static void
draw_marker (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell)
{
  double x = cell->area.x + cell->area.width / 2, y = cell->area.y + cell->area.height / 2, radius = marker_radius (self, &cell->area);
  MemlaneColor ink = memlane_map_ink (&self->style, cell->mode), ground = memlane_map_ground (&self->style, cell->mode);
  MemlaneMarker marker = cell->mode >= 0 ? find_look (&self->style, cell->mode).marker : MEMLANE_MARKER_CIRCLE;

  if (cell->mode < 0 && cell->certainty != MEMLANE_MAP_UNTOLD)
    return; /* the legend's picture of a hatch */
  if (cell->mode < 0)
    radius *= 0.4;
  else if (cell->certainty != MEMLANE_MAP_CERTAIN)
    {
      /* A clearing in the hatch. */
      cairo_new_sub_path (cr);
      cairo_arc (cr, x, y, 1.65 * radius, 0, 2 * G_PI);
      memlane_color_set (cr, &ground);
      cairo_fill (cr);
    }
  memlane_marker_draw (cr, marker, x, y, radius, &ink, FALSE, &self->style);
}

typedef void (*AddCell) (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell);

static void
add_ground (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell)
{
  cairo_rectangle (cr, cell->area.x, cell->area.y, cell->area.width, cell->area.height);
}

/* All cells of one mode, and of one certainty unless that is -1, to the path. Returns whether there are any. */
static gboolean
add_cells (const MemlaneDecideMap *self, cairo_t *cr, int mode, int certainty, AddCell add_cell)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneMapCell cell = memlane_map_cell (self, i, j);

        if (cell.mode != mode || (certainty >= 0 && cell.certainty != (MemlaneMapCertainty) certainty))
          continue;
        add_cell (self, cr, &cell);
        any = TRUE;
      }
  return any;
}

static void
draw_grounds (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (int mode = -1; mode < (int) self->decision->n_modes; mode++)
    {
      MemlaneColor ground = memlane_map_ground (&self->style, mode);

      if (add_cells (self, cr, mode, -1, add_ground))
        {
          memlane_color_set (cr, &ground);
          cairo_fill (cr);
        }
      for (MemlaneMapCertainty certainty = MEMLANE_MAP_TIED; mode >= 0 && certainty <= MEMLANE_MAP_OPEN; certainty++)
        if (add_cells (self, cr, mode, (int) certainty, add_hatch))
          stroke_hatch (self, cr, mode, certainty);
    }
}

/* Edges between cells: of one mode thin and light, between modes strong. */
static void
add_seams (const MemlaneDecideMap *self, cairo_t *cr, gboolean borders, double width)
{
  for (guint i = 0; i < self->decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneMapCell cell = memlane_map_cell (self, i, j);

        if (i > 0 && (memlane_map_cell (self, i - 1, j).mode != cell.mode) == borders)
          cairo_rectangle (cr, cell.area.x - floor (width / 2), cell.area.y - (borders ? floor (width / 2) : 0), width,
                           cell.area.height + (borders ? width : 0));
        if (j > 0 && (memlane_map_cell (self, i, j - 1).mode != cell.mode) == borders)
          cairo_rectangle (cr, cell.area.x - (borders ? floor (width / 2) : 0), cell.area.y + cell.area.height - floor (width / 2),
                           cell.area.width + (borders ? width : 0), width);
      }
}

static void
draw_seams (const MemlaneDecideMap *self, cairo_t *cr)
{
  double thin = MAX (round (self->style.axis_width), 1), strong = MAX (round (1.2 * self->style.line_width), 2);
  MemlaneColor seam = memlane_color_fade (self->style.background, SEAM_PART);
  MemlaneRectangle cell = memlane_map_cell (self, 0, 0).area;

  cairo_save (cr);
  cairo_rectangle (cr, self->area.x, self->area.y, self->area.width, self->area.height);
  cairo_clip (cr);
  if (MIN (cell.width, cell.height) >= 5)
    {
      add_seams (self, cr, FALSE, thin);
      memlane_color_set (cr, &seam);
      cairo_fill (cr);
    }
  else
    strong = 1;
  add_seams (self, cr, TRUE, strong);
  memlane_color_set (cr, &self->style.text);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
draw_markers (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (guint i = 0; i < self->decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneMapCell cell = memlane_map_cell (self, i, j);

        if (!self->named[memlane_map_index (i, j)])
          draw_marker (self, cr, &cell);
      }
}

static void
draw_frame (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneRectangle *area, double width, const MemlaneColor *color)
{
  cairo_rectangle (cr, area->x - width / 2, area->y - width / 2, area->width + width, area->height + width);
  cairo_set_line_width (cr, width);
  memlane_color_set (cr, color);
  cairo_stroke (cr);
}

static void
draw_samples (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (guint i = 0; i < self->samples->len; i++)
    {
      const MemlaneMapCell *cell = &g_array_index (self->samples, MemlaneMapCell, i);
      MemlaneColor ground = memlane_map_ground (&self->style, cell->mode);

      cairo_save (cr);
      memlane_figure_add_round (cr, &cell->area, 0.2 * self->em);
      memlane_color_set (cr, &ground);
      cairo_fill_preserve (cr);
      cairo_clip (cr);
      if (cell->certainty == MEMLANE_MAP_TIED || cell->certainty == MEMLANE_MAP_OPEN)
        {
          add_hatch (self, cr, cell);
          stroke_hatch (self, cr, cell->mode, cell->certainty);
        }
      draw_marker (self, cr, cell);
      cairo_restore (cr);
    }
}

/* A strip of plain ground that carries a name. */
static void
draw_strip (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapText *text)
{
  MemlaneColor ground = memlane_map_ground (&self->style, text->mode);
  double pad = MEMLANE_MAP_NAME_PAD * self->em;
  const MemlaneRectangle strip = { text->area.x - pad, text->area.y - 1, text->area.width + 2 * pad, text->area.height + 2 };

  memlane_figure_add_round (cr, &strip, 0.3 * self->em);
  memlane_color_set (cr, &ground);
  cairo_fill (cr);
}

static void
draw_texts (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const MemlaneMapText *text = &g_array_index (self->texts, MemlaneMapText, i);

      if (text->role == MEMLANE_MAP_NAME)
        draw_strip (self, cr, text);
      cairo_move_to (cr, text->area.x, text->area.y);
      memlane_color_set (cr, &text->color);
      pango_cairo_show_layout (cr, text->layout);
      cairo_new_path (cr);
    }
}

void
memlane_decide_map_draw (const MemlaneDecideMap *self, cairo_t *cr)
{
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, 0, 0, self->width, self->height);
  memlane_color_set (cr, &self->style.background);
  cairo_fill (cr);
  if (self->decision->n_sizes > 0)
    {
      draw_grounds (self, cr);
      draw_seams (self, cr);
      draw_markers (self, cr);
      draw_frame (self, cr, &self->area, MAX (round (self->style.axis_width), 1), &self->style.axis);
    }
  draw_samples (self, cr);
  if (self->badge.width > 0)
    {
      memlane_figure_add_round (cr, &self->badge, 0.3 * self->badge.height);
      memlane_color_set (cr, &self->style.simulated);
      cairo_fill (cr);
    }
  draw_texts (self, cr);
  cairo_restore (cr);
}

/* --- the overlay ---------------------------------------------------------------------------------------------------- */

void
memlane_decide_map_draw_overlay (const MemlaneDecideMap *self, cairo_t *cr, guint hovered_size, guint hovered_reuse, guint chosen_size,
                                 guint chosen_reuse)
{
  double thick = MAX (round (self->style.line_width), 2);
  MemlaneRectangle cell;

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (memlane_decide_map_place (self, chosen_size, chosen_reuse, &cell))
    {
      double radius = MAX (MIN (2.6 * marker_radius (self, &cell), MIN (cell.width, cell.height) / 2 - thick), 1);

      for (int pass = 0; pass < 2; pass++)
        {
          cairo_new_sub_path (cr);
          cairo_arc (cr, cell.x + cell.width / 2, cell.y + cell.height / 2, radius, 0, 2 * G_PI);
          cairo_set_line_width (cr, pass == 0 ? thick + 2 : thick);
          memlane_color_set (cr, pass == 0 ? &self->style.halo : &self->style.crosshair);
          cairo_stroke (cr);
        }
    }
  if (memlane_decide_map_place (self, hovered_size, hovered_reuse, &cell))
    {
      const MemlaneRectangle outside = { cell.x - thick, cell.y - thick, cell.width + 2 * thick, cell.height + 2 * thick };

      draw_frame (self, cr, &outside, 1, &self->style.halo);
      draw_frame (self, cr, &cell, thick, &self->style.crosshair);
    }
  cairo_restore (cr);
}
