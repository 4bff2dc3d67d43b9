/* figure-export.h: how a figure is to be written: title, caption, size, style and format, with a
 * preview
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "chart/export.h"

typedef struct
{
  MemlaneDrawing *drawing;    /* owned */
  const MemlaneStyle *style;
  const MemlaneExportFormat *format;
  int width, height;          /* px; height 0: what the drawing needs */
  double scale;               /* as memlane_export_to_bytes() has it */
} MemlaneFigureChoice;

void memlane_figure_choice_free (MemlaneFigureChoice *choice);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneFigureChoice, memlane_figure_choice_free)

/* Asks. @drawing: what is seen, and nothing else is written (transfer full). @chosen is called
 * once, on the main thread: with NULL when the person cancelled, else with the choice (transfer
 * full). */
typedef void (*MemlaneFigureChosen) (MemlaneFigureChoice *choice, gpointer user_data);
void memlane_figure_export_ask (GtkWindow *parent, MemlaneDrawing *drawing,
                                MemlaneFigureChosen chosen, gpointer user_data);
