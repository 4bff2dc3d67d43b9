/* report.h: runs, timelines and experiments as one page to hand on
 *
 * SPDX-License-Identifier: MIT
 *
 * HTML that stands alone: nothing is fetched, figures are SVG in the page; light or dark as the
 * reader's system, light on paper.
 * One script, which the page's policy names by its hash, adds curves, a map and timelines that can
 * be read, asked and played. Without scripts, and on paper, the figures stand there. It is
 * well-formed XML too. Every text of the run is escaped. A run of a simulated device says so in its
 * title, above everything else and in each figure.
 */
#pragma once

#include "chart/chart.h"

/* A page is made of these; the references are owned. A run has the name of its place. */
typedef struct
{
  GPtrArray *runs;    /* (element-type MemlaneRun) */
  GPtrArray *names;   /* (element-type utf8) */
  GPtrArray *traces;  /* (element-type MemlaneTrace) */
  GPtrArray *results; /* (element-type MemlaneExperimentResult): each to predict, then to reveal */
  /* (element-type MemlaneLesson): each a sheet of questions and one of answers on paper */
  GPtrArray *lessons;
  /* (element-type MemlaneExperimentResult): of the experiments in lessons */
  GPtrArray *lesson_results;
  GPtrArray *answers; /* (element-type MemlaneLessonAnswers): of a class, to the first lesson */
  char *workload;     /* only that one; NULL: all */
} MemlaneReportSource;

MemlaneReportSource *memlane_report_source_new (void);
void memlane_report_source_free (gpointer source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneReportSource, memlane_report_source_free)
/* Writes the page of @source, whole or not at all; "-": to the standard output; "NAME.pdf": lessons
 * and experiments on paper (handout.h). */
gboolean memlane_report_write (gpointer source, const char *path, GError **error);

/* One part for each run and each workload in it. A run without a cell has a part that says so. A
 * page leaves out the rest of what is too much for it, and says so. Returns: (transfer full), or
 * NULL with @error where a figure cannot be drawn (no memory). One thread. */
char *memlane_report_to_html (const MemlaneReportSource *source, GError **error);
