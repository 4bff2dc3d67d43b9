/* chart-page-private.h: what the files of the chart page share
 *
 * SPDX-License-Identifier: MIT
 *
 * chart-page.c: the page, its chart and its reading. chart-page-bar.c: the phases, toggles and the sentence above.
 */
#pragma once

#include "chart-page.h"
#include "parts/reading-line.h"

G_BEGIN_DECLS

struct _MemlaneChartPage
{
  AdwBin parent_instance;

  MemlaneSession *session;
  MemlaneQuantity quantity;
  gboolean projector;
  gboolean dirty;        /* the chart is to be built when the page is seen again */
  guint offered;         /* bits: the phases in the menu */
  gboolean filling;      /* the menu is being filled: what it selects is no choice */

  GtkWidget *bar, *phases, *log_values, *ceilings, *published, *compare, *fit, *comparison, *stack;
  AdwStatusPage *nothing;
  const char *icon;      /* of it, where there is room */
  GtkWidget *run, *recorded;
  MemlaneChartView *view;
  MemlaneReadingLine *reading_line;
};

gboolean memlane_chart_page_get_flag (MemlaneChartPage *self, const char *property);

/* Binds the bar to the session. */
void memlane_chart_page_bind_bar (MemlaneChartPage *self);
/* @shown: the runs that are (element-type MemlaneRunItem). */
void memlane_chart_page_update_bar (MemlaneChartPage *self, GPtrArray *shown);
void memlane_chart_page_choose_phase (MemlaneChartPage *self);

G_END_DECLS
