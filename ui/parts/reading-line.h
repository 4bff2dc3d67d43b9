/* reading-line.h: what is read below a figure, in a room of its own
 *
 * SPDX-License-Identifier: MIT
 *
 * One or two lines are set aside by the window's height, whatever is read: a height that followed
 * the words would lay the figure out again. In the projector the text is as large as the figure's.
 *
 * Property: "window-height" int: px of the window, while the page is mapped; for whoever adapts to
 * it, too. It is also notified of a new width.
 */
#pragma once

#include <adwaita.h>

#define MEMLANE_TYPE_READING_LINE (memlane_reading_line_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneReadingLine, memlane_reading_line, MEMLANE, READING_LINE, AdwBin)

/* Once: @page, which the line stands in, tells the window's height when it is mapped, even where it
 * shows something else. */
void memlane_reading_line_follow (MemlaneReadingLine *self, GtkWidget *page);
/* @reading "": @hint is shown instead, dimmed; not in the projector. */
void memlane_reading_line_set (MemlaneReadingLine *self, const char *reading, const char *hint);
void memlane_reading_line_set_projector (MemlaneReadingLine *self, gboolean projector);
/* px, in text of 100 %: what fits goes by it. */
double memlane_reading_line_get_window_height (MemlaneReadingLine *self);
double memlane_reading_line_get_window_width (MemlaneReadingLine *self);
