/* frame.c: everything around the content of a figure
 *
 * SPDX-License-Identifier: MIT
 */
#include "frame.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/owns.h"

#define TITLE_SIZE (15.0 / 11) /* sizes are 11 and 15 at text of 100 % */
#define BADGE_SIZE 1.0
#define BADGE_GAP 0.4      /* em below a badge that does not stand beside the title */
#define LEAST_BESIDE 6     /* em of room for what stands beside it */
#define HEADING_GAP 0.6    /* em below title and subtitle */
#define LEAST_COLUMN 34    /* em of width that a legend at the right needs */
#define SHARE_RIGHT 0.36   /* of the width that it may take */
#define SHARE_BOTTOM 0.34  /* of the height that a legend at the top or bottom may take */
#define LOOSE_PITCH 1.6    /* lines from one entry to the next, in a column with headings */
#define TIGHT_PITCH 1.15
#define ROW_PITCH 1.3
#define WIDEST_EMPTY 40    /* em */

/* An entry of the legend before it has its place. */
typedef struct
{
  gboolean heading;
  guint item;
  char *text; /* owned */
} Entry;

MEMLANE_DEFINE_CLEAR (Entry, static void clear_entry (gpointer data), OWNS (text, g_free))

MEMLANE_DEFINE_CLEAR (MemlanePlacedText, static void clear_text (gpointer data),
                      OWNS (layout, g_object_unref))

void
memlane_frame_init (MemlaneFrame *self, const MemlaneStyle *style, double width, double height,
                    PangoContext *pango)
{
  g_autoptr (PangoLayout) probe = NULL;

  self->width = MAX (width, 1);
  self->height = MAX (height, 1);
  self->pango = g_object_ref (pango);
  self->style = memlane_figure_scale_style (style, self->width, self->height);
  self->text_scale = memlane_figure_text_scale (pango);
  self->em = self->style.text_size * self->text_scale;
  self->wall = style->kind == MEMLANE_STYLE_PROJECTOR
               || style->kind == MEMLANE_STYLE_PROJECTOR_DARK;
  self->small = self->style.text_size;
  self->right_to_left = pango_context_get_base_dir (pango) == PANGO_DIRECTION_RTL;
  probe = memlane_frame_make_text (self, self->style.text_size, FALSE, "Åg");
  self->line = ceil (memlane_figure_text_height (probe));
  self->pad = MIN (round (0.8 * self->em), floor (0.05 * MIN (self->width, self->height)));
  self->title_size = TITLE_SIZE;
  self->title_color = self->style.text;
  self->least_width = MAX (9 * self->em, 0.4 * self->width);
  self->least_height = MAX (6 * self->em, 0.38 * self->height);
  self->texts = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedText));
  g_array_set_clear_func (self->texts, clear_text);
  self->targets = g_array_new (FALSE, FALSE, sizeof (MemlaneTarget));
  self->samples = g_array_new (FALSE, FALSE, sizeof (MemlaneSample));
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, clear_entry);
}

MEMLANE_DEFINE_CLEAR (MemlaneFrame, void memlane_frame_clear (MemlaneFrame *data),
                      for (guint i = 0; i < self->n_bands; i++)
                          g_clear_object (&self->states[i].layout);
                      OWNS (badge_text, g_object_unref) OWNS (title, g_free) OWNS (subtitle, g_free)
                          OWNS (unit, g_free) OWNS (caption, g_free) OWNS (note, g_free)
                              OWNS (texts, g_array_unref) OWNS (targets, g_array_unref)
                                  OWNS (samples, g_array_unref) OWNS (entries, g_array_unref)
                                      OWNS (pango, g_object_unref))

/* --- text ------------------------------------------------------------------------------------- */

PangoLayout *
memlane_frame_make_text (const MemlaneFrame *self, double size, gboolean bold, const char *text)
{
  return memlane_figure_make_text (self->pango, size, bold, text);
}

double
memlane_frame_measure (const MemlaneFrame *self, gboolean bold, const char *text)
{
  g_autoptr (PangoLayout) layout = memlane_frame_make_text (self, self->style.text_size, bold,
                                                            text);

  return memlane_figure_text_width (layout);
}

MemlanePlacedText *
memlane_frame_place_text (MemlaneFrame *self, guint role, PangoLayout *layout, double x, double y,
                          const MemlaneColor *color)
{
  MemlanePlacedText text = { role, layout, { x, y, 0, 0 }, *color, G_MAXUINT };

  memlane_figure_measure_text (layout, &text.area.width, &text.area.height);
  g_array_append_val (self->texts, text);
  return &g_array_index (self->texts, MemlanePlacedText, self->texts->len - 1);
}

static double
measure_height (PangoLayout *layout)
{
  return ceil (memlane_figure_text_height (layout));
}

/* Forbids lines to end between a number and its unit. */
static void
keep_units (PangoLayout *layout)
{
  const char *text = pango_layout_get_text (layout);
  PangoAttrList *old = pango_layout_get_attributes (layout),
                *attributes = old != NULL ? pango_attr_list_ref (old) : pango_attr_list_new ();

  for (const char *blank = strchr (text, ' '); blank != NULL; blank = strchr (blank + 1, ' '))
    if (blank > text && g_ascii_isdigit (blank[-1])
        && g_unichar_isalpha (g_utf8_get_char (blank + 1)))
      {
        PangoAttribute *attribute = pango_attr_allow_breaks_new (FALSE);

        attribute->start_index = (guint) (blank - text) - 1;
        attribute->end_index = (guint) (blank - text) + 1 + (guint) strcspn (blank + 1, " ");
        pango_attr_list_insert (attributes, attribute);
      }
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
}

/* Breaks @layout into at most @lines lines of @width px; a longer text ends in an ellipsis. */
static void
wrap_text (PangoLayout *layout, double width, int lines)
{
  if (memlane_figure_text_width (layout) <= width
      && strchr (pango_layout_get_text (layout), '\n') == NULL)
    return;
  if (lines == 1)
    {
      memlane_figure_limit_text (layout, width);
      return;
    }
  pango_layout_set_single_paragraph_mode (layout, FALSE);
  pango_layout_set_width (layout, (int) (MAX (width, 1) * PANGO_SCALE));
  keep_units (layout);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_height (layout, -lines);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
}

/* The x of something @width px wide that begins at @x where text runs from left to right. */
static double
mirror (const MemlaneFrame *self, double x, double width)
{
  return self->right_to_left ? self->width - x - width : x;
}

gboolean
memlane_frame_is_free (const MemlaneFrame *self, const MemlaneRectangle *wanted)
{
  if (wanted->x + wanted->width > self->area.x + self->area.width || wanted->y < self->area.y
      || wanted->y + wanted->height > self->area.y + self->area.height)
    return FALSE;
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, self->texts)
    if (memlane_rectangle_overlaps (&text->area, wanted))
      return FALSE;
  return TRUE;
}

void
memlane_frame_place_empty (MemlaneFrame *self, const char *text)
{
  double room = self->area.width - self->em, width, height;
  PangoLayout *layout;

  if (room < 1)
    return;
  layout = memlane_frame_make_text (
      self, (self->width > WIDEST_EMPTY * self->em ? TITLE_SIZE : 1) * self->style.text_size, FALSE,
      text);
  width = memlane_figure_text_width (layout);
  pango_layout_set_single_paragraph_mode (layout, FALSE);
  pango_layout_set_width (
      layout, (int) (MIN (width + 1, MIN (room, WIDEST_EMPTY * self->em)) * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_set_height (layout, (int) (self->area.height * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  memlane_figure_measure_text (layout, &width, &height);
  memlane_frame_place_text (
      self, MEMLANE_TEXT_EMPTY, layout, floor (self->area.x + (self->area.width - width) / 2),
      self->area.y + MAX (floor ((self->area.height - height) / 2), 0), &self->style.text);
}

/* --- the legend ------------------------------------------------------------------------------- */

void
memlane_frame_add_entry (MemlaneFrame *self, gboolean heading, guint item, char *text)
{
  g_array_append_val (self->entries, ((Entry) { heading, item, text }));
}

static const Entry *
get_entry (const MemlaneFrame *self, guint i)
{
  return &g_array_index (self->entries, Entry, i);
}

/* A legend in one of its forms. The same steps measure it and place it. */
typedef struct
{
  MemlaneFrame *frame;
  gboolean column;       /* one entry below the other, else row by row */
  gboolean headings;
  guint shown;           /* entries, then a text that counts the others */
  double x, y, width, pitch;
  gboolean place;
} Legend;

static PangoLayout *
make_row (const Legend *legend, guint i)
{
  g_autofree char *more = NULL;
  guint others = 0;

  if (i < legend->shown)
    return memlane_frame_make_text (legend->frame, legend->frame->style.text_size, FALSE,
                                    get_entry (legend->frame, i)->text);
  for (; i < legend->frame->entries->len; i++)
    others += !get_entry (legend->frame, i)->heading;
  more = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "and %u more", "and %u more", others),
                          others);
  return memlane_frame_make_text (legend->frame, legend->frame->style.text_size, FALSE, more);
}

/* The px before the words of an entry: its sample, and a gap. */
static double
indent_of (const Legend *legend, guint i)
{
  return i < legend->shown && !get_entry (legend->frame, i)->heading
             ? legend->frame->sample_width + round (0.6 * legend->frame->em)
             : 0;
}

/* Takes @layout. */
static void
place_row (const Legend *legend, guint i, PangoLayout *layout, double x, double y)
{
  MemlaneFrame *self = legend->frame;
  double indent = indent_of (legend, i), width, height;
  /* a column stands at the right of the area in any direction of text */
  gboolean mirrored = self->right_to_left && !legend->column;

  memlane_figure_limit_text (layout, legend->x + legend->width - x - indent);
  memlane_figure_measure_text (layout, &width, &height);
  if (indent > 0)
    {
      double sample = MIN (self->sample_height, legend->pitch - 2), whole = indent + width;
      MemlaneSample picture = { { round (mirrored ? mirror (self, x, self->sample_width) : x),
                                  round (y + (legend->pitch - sample) / 2), self->sample_width,
                                  sample },
                                get_entry (self, i)->item };

      g_array_append_val (self->samples, picture);
      memlane_frame_add_target (
          self,
          &(MemlaneRectangle) { mirrored ? mirror (self, x, whole) : x, y, whole, legend->pitch },
          picture.item, FALSE);
    }
  memlane_frame_place_text (self,
                            i >= legend->shown ? MEMLANE_TEXT_MORE
                            : indent > 0       ? MEMLANE_TEXT_LEGEND
                                               : MEMLANE_TEXT_HEADING,
                            layout, mirrored ? mirror (self, x + indent, width) : x + indent,
                            y + (legend->pitch - height) / 2,
                            indent > 0 ? &self->style.text : &self->style.faint);
}

/* Returns the height, more than @most where it stopped there; *@widest: of the widest entry. */
static double
arrange (const Legend *legend, double most, double *widest)
{
  const MemlaneFrame *self = legend->frame;
  double x = legend->x, y = legend->y;
  gboolean first = TRUE;

  *widest = 0;
  for (guint i = 0; i < legend->shown + (legend->shown < self->entries->len)
                    && y + legend->pitch - legend->y <= most;
       i++)
    {
      gboolean heading = i < legend->shown && get_entry (self, i)->heading;
      PangoLayout *layout = heading && !legend->headings ? NULL : make_row (legend, i);
      double width;

      if (layout == NULL)
        continue;
      width = ceil (memlane_figure_text_width (layout) + indent_of (legend, i));
      *widest = MAX (*widest, width);
      if (!first && legend->column)
        y += (heading ? 1.5 : 1) * legend->pitch;
      else if (!first && x > legend->x && x + width > legend->x + legend->width)
        {
          x = legend->x;
          y += legend->pitch;
        }
      first = FALSE;
      if (legend->place)
        place_row (legend, i, layout, x, y);
      else
        g_object_unref (layout);
      if (!legend->column)
        x += width + round (1.6 * self->em);
    }
  return y + legend->pitch - legend->y;
}

static Legend
make_legend (MemlaneFrame *self, gboolean column, gboolean headings)
{
  double pitch = column ? headings ? LOOSE_PITCH : TIGHT_PITCH : ROW_PITCH;

  return (Legend) { self, column, headings, self->entries->len,
                   .pitch = round (pitch * self->line) };
}

/* Leaves out as few entries as it can, so that the legend is at most @height high. Returns its
 * height, 0 where nothing fits. */
static double
shorten (Legend *legend, double height, gboolean cut, double *widest)
{
  double own = legend->shown > 0 ? arrange (legend, height, widest) : 0;
  guint fits = 0, too_many = legend->shown;

  if (own <= height || !cut)
    return own <= height ? own : 0;
  while (too_many - fits > 1)
    {
      legend->shown = (fits + too_many) / 2;
      if (arrange (legend, height, widest) <= height)
        fits = legend->shown;
      else
        too_many = legend->shown;
    }
  legend->shown = fits;
  return fits > 0 ? arrange (legend, height, widest) : 0;
}

static double
fit_column (MemlaneFrame *self, const MemlaneRectangle *room, gboolean headings, gboolean cut)
{
  Legend legend = make_legend (self, TRUE, headings);
  double widest;

  legend.width = floor (self->width * SHARE_RIGHT);
  if (self->width < LEAST_COLUMN * self->em || self->width < self->height
      || shorten (&legend, room->height, cut, &widest) <= 0)
    return 0;
  self->shown_entries = legend.shown;
  self->has_headings = headings;
  return MIN (widest, legend.width) + round (1.5 * self->em);
}

static double
fit_rows (MemlaneFrame *self, const MemlaneRectangle *room, gboolean small, gboolean cut)
{
  Legend legend = make_legend (self, FALSE, FALSE);
  double most = small                   ? 1
                : self->legend_rows > 0 ? self->legend_rows
                                        : floor (SHARE_BOTTOM * self->height / legend.pitch),
         widest, height;

  legend.width = room->width;
  if (room->width < self->sample_width + 4 * self->em)
    return 0;
  height = shorten (&legend, most * legend.pitch, cut, &widest);
  self->shown_entries = legend.shown;
  self->has_headings = FALSE;
  return height;
}

/* Returns its thickness; sets the side where it has room. */
static double
fit_legend (MemlaneFrame *self, MemlaneSide *side, const MemlaneRectangle *room, gboolean small)
{
  gboolean is_top = *side == MEMLANE_SIDE_TOP;
  double thickness = 0;

  if (self->entries->len == 0)
    return 0;
  for (int cut = 0; *side == MEMLANE_SIDE_RIGHT && cut <= 1 && thickness <= 0; cut++)
    {
      thickness = cut == 0 ? fit_column (self, room, TRUE, FALSE) : 0;
      if (thickness <= 0)
        thickness = fit_column (self, room, FALSE, cut);
      if (thickness > 0)
        return thickness;
      thickness = fit_rows (self, room, small, cut);
    }
  if (*side != MEMLANE_SIDE_RIGHT)
    thickness = fit_rows (self, room, small, TRUE);
  *side = is_top ? MEMLANE_SIDE_TOP : MEMLANE_SIDE_BOTTOM;
  return thickness > 0 ? thickness + round ((is_top ? 0.3 : 0.8) * self->em) : 0;
}

static void
place_legend (MemlaneFrame *self, const MemlaneBandState *state)
{
  Legend legend = make_legend (self, state->side == MEMLANE_SIDE_RIGHT, self->has_headings);
  double widest;

  legend.shown = self->shown_entries;
  legend.x = state->place.x;
  legend.y = state->place.y + (state->side == MEMLANE_SIDE_BOTTOM ? round (0.8 * self->em) : 0);
  legend.width = state->place.width;
  if (legend.column)
    {
      legend.x = self->area.x + self->area.width + round (1.5 * self->em);
      legend.width = state->place.width - round (1.5 * self->em);
      legend.y = self->height - self->pad - arrange (&legend, G_MAXDOUBLE, &widest);
      legend.y = MAX (state->place.y, MIN (self->area.y, legend.y));
    }
  legend.place = TRUE;
  arrange (&legend, G_MAXDOUBLE, &widest);
}

/* --- bands ------------------------------------------------------------------------------------ */

static MemlaneRectangle
take (MemlaneRectangle *room, MemlaneSide side, double thickness)
{
  MemlaneRectangle taken = *room;

  if (side == MEMLANE_SIDE_LEFT || side == MEMLANE_SIDE_RIGHT)
    {
      taken.width = thickness;
      room->width -= thickness;
      taken.x += side == MEMLANE_SIDE_RIGHT ? room->width : 0;
      room->x += side == MEMLANE_SIDE_LEFT ? thickness : 0;
    }
  else
    {
      taken.height = thickness;
      room->height -= thickness;
      taken.y += side == MEMLANE_SIDE_BOTTOM ? room->height : 0;
      room->y += side == MEMLANE_SIDE_TOP ? thickness : 0;
    }
  return taken;
}

/* A text of the frame's own, with the space around it. */
static double
measure_words (MemlaneFrame *self, guint role, MemlaneBandState *state,
               const MemlaneRectangle *room)
{
  const char *text = role == MEMLANE_TEXT_TITLE      ? self->title
                     : role == MEMLANE_TEXT_SUBTITLE ? self->subtitle
                     : role == MEMLANE_TEXT_UNIT     ? self->unit
                     : role == MEMLANE_TEXT_CAPTION  ? self->caption
                                                     : self->note;
  double size = self->style.text_size * (role == MEMLANE_TEXT_TITLE ? self->title_size : 1);
  double space = role == MEMLANE_TEXT_UNIT      ? 0.5
                 : role == MEMLANE_TEXT_CAPTION ? 0.2
                 : role == MEMLANE_TEXT_NOTE    ? 0.3
                                                : 0;

  if (text == NULL || *text == '\0')
    return 0;
  state->layout = memlane_frame_make_text (self, role == MEMLANE_TEXT_NOTE ? self->small : size,
                                           role == MEMLANE_TEXT_TITLE, text);
  wrap_text (state->layout, room->width,
             state->small                    ? 1
             : role == MEMLANE_TEXT_NOTE     ? 3
             : role <= MEMLANE_TEXT_SUBTITLE ? 2
                                             : 1);
  return measure_height (state->layout) + space * self->em;
}

static double
measure_band (MemlaneFrame *self, guint i, const MemlaneRectangle *room)
{
  const MemlaneBand *band = &self->bands[i];
  MemlaneBandState *state = &self->states[i];

  if (band->measure != NULL)
    return band->measure (self, room, state->small);
  return band->role == MEMLANE_TEXT_LEGEND ? fit_legend (self, &state->side, room, state->small)
                                           : measure_words (self, band->role, state, room);
}

/* Gives the badge a row of its own. */
static void
take_badge (MemlaneFrame *self, MemlaneRectangle *room)
{
  self->badge.y = room->y;
  take (room, MEMLANE_SIDE_TOP, self->badge.height + round (BADGE_GAP * self->em));
}

/* Lays out all bands whose priority is at most @level. */
static void
try_level (MemlaneFrame *self, guint level)
{
  MemlaneRectangle room = { self->pad, self->pad, self->width - 2 * self->pad,
                            self->height - 2 * self->pad };
  gboolean has_badge = self->badge.width > 0, has_heading = FALSE;

  for (guint i = 0; i < self->n_bands; i++)
    {
      const MemlaneBand *band = &self->bands[i];
      MemlaneBandState *state = &self->states[i];
      gboolean beside = has_badge && band->side == MEMLANE_SIDE_TOP && band->measure == NULL
                        && room.width - self->badge.width >= LEAST_BESIDE * self->em;
      MemlaneRectangle free;
      double thickness;

      g_clear_object (&state->layout);
      *state = (MemlaneBandState) { .side = band->side, .small = band->shrink > level };
      if (band->priority > level)
        continue;
      if (has_heading && band->role > MEMLANE_TEXT_SUBTITLE)
        {
          take (&room, MEMLANE_SIDE_TOP, round (HEADING_GAP * self->em));
          has_heading = FALSE;
        }
      if (has_badge && band->side == MEMLANE_SIDE_TOP && !beside)
        {
          take_badge (self, &room);
          has_badge = FALSE;
        }
      free = room;
      free.width -= beside ? self->badge.width + self->em : 0;
      thickness = ceil (measure_band (self, i, &free));
      if (thickness <= 0)
        continue;
      if (beside)
        {
          thickness = MAX (
              thickness,
              self->badge.height
                  + (band->role == MEMLANE_TEXT_TITLE ? 0 : round (BADGE_GAP * self->em)));
          self->badge.y = room.y;
          if (band->role == MEMLANE_TEXT_TITLE)
            self->badge.y += floor (MAX (MIN (thickness, 1.6 * self->line) - self->badge.height, 0)
                                    / 2);
          has_badge = FALSE;
        }
      state->present = TRUE;
      state->place = take (&room, state->side, thickness);
      if (beside)
        {
          state->place.width = free.width;
          state->place.x += self->right_to_left ? self->badge.width + self->em : 0;
        }
      has_heading = has_heading || band->role <= MEMLANE_TEXT_SUBTITLE;
    }
  if (has_badge)
    take_badge (self, &room);
  self->area = (MemlaneRectangle) {
    .x = ceil (room.x),
    .y = ceil (room.y),
    .width = floor (room.x + room.width) - ceil (room.x),
    .height = floor (room.y + room.height) - ceil (room.y),
  };
}

static void
make_badge (MemlaneFrame *self)
{
  double width, height;

  self->badge_text = memlane_frame_make_text (self, BADGE_SIZE * self->style.text_size, TRUE,
                                              C_("figure", "SIMULATED"));
  memlane_figure_limit_text (self->badge_text, self->width - 2 * self->pad - 1.1 * self->em - 1);
  memlane_figure_measure_text (self->badge_text, &width, &height);
  self->badge.width = ceil (width + 1.1 * self->em);
  self->badge.height = ceil (height + 0.2 * self->em);
  self->badge.x = mirror (self, self->width - self->pad - self->badge.width, self->badge.width);
}

void
memlane_frame_fit (MemlaneFrame *self, const MemlaneBand *bands, guint n_bands)
{
  guint level = 0;

  g_assert (n_bands <= MEMLANE_FRAME_MOST_BANDS);
  self->bands = bands;
  self->n_bands = n_bands;
  for (guint i = 0; i < n_bands; i++)
    level = MAX (level, MAX (bands[i].priority, bands[i].shrink));
  if (self->simulated && self->badge_text == NULL)
    make_badge (self);
  for (;; level--)
    {
      try_level (self, level);
      if (level == 0
          || (self->area.width >= self->least_width && self->area.height >= self->least_height))
        break;
    }
  self->area.width = MAX (self->area.width, 1);
  self->area.height = MAX (self->area.height, 1);
}

static void
place_words (MemlaneFrame *self, guint role, MemlaneBandState *state)
{
  PangoLayout *layout = g_steal_pointer (&state->layout);
  const MemlaneRectangle *place = &state->place;
  double x = place->x, y = place->y, width, height;

  memlane_figure_measure_text (layout, &width, &height);
  x = self->right_to_left ? place->x + place->width - width : place->x;
  if (role == MEMLANE_TEXT_TITLE)
    y += (place->height - height) / 2;
  else if (role != MEMLANE_TEXT_SUBTITLE && role != MEMLANE_TEXT_UNIT)
    y += place->height - height;
  if (role == MEMLANE_TEXT_CAPTION)
    x = CLAMP (self->area.x + (self->area.width - width) / 2, self->pad,
               MAX (self->width - self->pad - width, self->pad));
  memlane_frame_place_text (self, role, layout, x, y,
                            role == MEMLANE_TEXT_TITLE  ? &self->title_color
                            : role == MEMLANE_TEXT_UNIT ? &self->style.text
                                                        : &self->style.faint);
}

void
memlane_frame_replace_text (MemlaneFrame *self, guint role, const char *text)
{
  for (guint i = 0; i < self->n_bands; i++)
    if (self->bands[i].role == role && self->states[i].layout != NULL)
      {
        /* they mean places in the text before, beyond the end of this one */
        pango_layout_set_attributes (self->states[i].layout, NULL);
        pango_layout_set_text (self->states[i].layout, text, -1);
      }
}

void
memlane_frame_place (MemlaneFrame *self)
{
  for (guint i = 0; i < self->n_bands; i++)
    {
      const MemlaneBand *band = &self->bands[i];
      MemlaneBandState *state = &self->states[i];

      if (!state->present)
        continue;
      if (state->layout != NULL)
        place_words (self, band->role, state);
      else if (band->measure == NULL)
        place_legend (self, state);
      else if (band->place != NULL)
        band->place (self, &state->place, state->small);
    }
  if (self->badge.width > 0)
    {
      MemlaneColor color = memlane_figure_text_on (&self->style, &self->style.simulated);
      double width, height;

      memlane_figure_measure_text (self->badge_text, &width, &height);
      memlane_frame_place_text (self, MEMLANE_TEXT_BADGE, g_steal_pointer (&self->badge_text),
                                self->badge.x + (self->badge.width - width) / 2,
                                self->badge.y + (self->badge.height - height) / 2, &color);
    }
}

gboolean
memlane_frame_has (const MemlaneFrame *self, guint role)
{
  for (guint i = 0; i < self->n_bands; i++)
    if (self->bands[i].role == role && self->states[i].present)
      return TRUE;
  return FALSE;
}

/* --- what lies under the pointer -------------------------------------------------------------- */

void
memlane_frame_add_target (MemlaneFrame *self, const MemlaneRectangle *area, guint item,
                          gboolean label)
{
  g_array_append_val (self->targets, ((MemlaneTarget) { *area, item, label }));
}

const MemlaneTarget *
memlane_frame_hit (const MemlaneFrame *self, double x, double y)
{
  MEMLANE_FOR_EACH_IN (const MemlaneTarget, target, self->targets)
    if (memlane_rectangle_contains (&target->area, x, y))
      return target;
  return NULL;
}

/* --- drawing ---------------------------------------------------------------------------------- */

void
memlane_frame_draw_ground (const MemlaneFrame *self, cairo_t *cr)
{
  cairo_new_path (cr);
  cairo_rectangle (cr, 0, 0, self->width, self->height);
  memlane_figure_fill (cr, &self->style.background);
}

void
memlane_frame_draw_text (const MemlanePlacedText *text, cairo_t *cr)
{
  memlane_figure_show_text (cr, text->layout, text->area.x, text->area.y, &text->color);
}

void
memlane_frame_draw_badge (const MemlaneFrame *self, cairo_t *cr, const MemlaneRectangle *badge)
{
  cairo_new_path (cr);
  memlane_figure_add_round (cr, badge, 0.3 * badge->height);
  memlane_figure_fill (cr, &self->style.simulated);
}

void
memlane_frame_draw_words (const MemlaneFrame *self, cairo_t *cr)
{
  if (self->badge.width > 0)
    memlane_frame_draw_badge (self, cr, &self->badge);
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, self->texts)
    if (text->role < MEMLANE_TEXT_CONTENT)
      memlane_frame_draw_text (text, cr);
}
