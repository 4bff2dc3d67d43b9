/* frame-check.h: what holds of the frame of each laid-out figure
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <math.h>

#include "chart/frame.h"

static inline guint
count_roles (const MemlaneFrame *frame, guint role)
{
  guint n = 0;

  for (guint i = 0; i < frame->texts->len; i++)
    n += g_array_index (frame->texts, MemlanePlacedText, i).role == role;
  return n;
}

static inline gboolean
overlaps (const MemlaneRectangle *a, const MemlaneRectangle *b)
{
  const double touch = 1.5; /* logical rectangles are higher than their ink */

  return a->x + touch < b->x + b->width && b->x + touch < a->x + a->width && a->y + touch < b->y + b->height
         && b->y + touch < a->y + a->height;
}

static inline void
check_inside (const MemlaneFrame *frame, const MemlaneRectangle *area, const char *what)
{
  if (area->x < -0.5 || area->y < -0.5 || area->x + area->width > frame->width + 0.5 || area->y + area->height > frame->height + 0.5)
    g_error ("%g x %g: %s at %g %g %g %g is outside of the figure", frame->width, frame->height, what, area->x, area->y, area->width,
             area->height);
}

static inline void
check_apart (const MemlaneFrame *frame, const MemlaneRectangle *a, const MemlaneRectangle *b, const char *what, const char *other)
{
  if (overlaps (a, b))
    g_error ("%g x %g: \"%s\" at %g %g %g %g and \"%s\" at %g %g %g %g overlap", frame->width, frame->height, what, a->x, a->y, a->width,
             a->height, other, b->x, b->y, b->width, b->height);
}

/* All of the frame lies in the figure, apart from each other and from the area; SIMULATED stays as long as anything does. */
static inline void
check_frame (const MemlaneFrame *frame, gboolean simulated)
{
  check_inside (frame, &frame->area, "area");
  g_assert_cmpfloat (frame->area.width, >=, 1);
  g_assert_cmpfloat (frame->area.height, >=, 1);
  for (guint i = 0; i < frame->texts->len; i++)
    {
      const MemlanePlacedText *text = &g_array_index (frame->texts, MemlanePlacedText, i);
      const char *words = pango_layout_get_text (text->layout);

      if (text->role >= MEMLANE_TEXT_CONTENT)
        continue;
      check_inside (frame, &text->area, words);
      if (text->role != MEMLANE_TEXT_EMPTY)
        check_apart (frame, &text->area, &frame->area, words, "the area");
      for (guint j = 0; j < i; j++)
        {
          const MemlanePlacedText *other = &g_array_index (frame->texts, MemlanePlacedText, j);

          if (other->role < MEMLANE_TEXT_CONTENT)
            check_apart (frame, &text->area, &other->area, words, pango_layout_get_text (other->layout));
        }
    }
  for (guint i = 0; i < frame->targets->len; i++)
    {
      const MemlaneTarget *target = &g_array_index (frame->targets, MemlaneTarget, i);

      check_inside (frame, &target->area, "a row of the legend");
      if (i > 0)
        check_apart (frame, &target->area, &g_array_index (frame->targets, MemlaneTarget, i - 1).area, "a row of the legend", "the next");
      g_assert_true (memlane_frame_hit (frame, target->area.x + target->area.width / 2, target->area.y + target->area.height / 2)
                     == target);
    }
  g_assert_cmpint (frame->badge.width > 0, ==, simulated);
  g_assert_cmpuint (count_roles (frame, MEMLANE_TEXT_BADGE), ==, simulated);
  if (simulated)
    {
      check_inside (frame, &frame->badge, "badge");
      check_apart (frame, &frame->badge, &frame->area, "badge", "the area");
    }
}
