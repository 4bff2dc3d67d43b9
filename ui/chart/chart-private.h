/* chart-private.h: what the files that build a chart share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart.h"

G_BEGIN_DECLS

/* What a run's environment says; texts are NULL and numbers NAN where it does not. */
typedef struct
{
  char *device, *driver, *date; /* the date: "2026-11-21" */
  gboolean simulated;
  double link_bandwidth, link_generation, link_width, memory_bandwidth; /* bytes per second */
} MemlaneFacts;

void memlane_facts_read (const MemlaneRun *run, MemlaneFacts *facts);
void memlane_facts_clear (MemlaneFacts *facts);

/* What was found on the way to the curves: says why there is none. */
typedef struct
{
  guint cells, of_workload, of_modes; /* each of those before it */
  guint measured, with_phase, with_bytes;
  guint runs;
  const MemlaneCell *failed; /* the first that has something to say */
} MemlaneFindings;

/* (transfer full) */
char *memlane_chart_explain (const MemlaneChart *chart, const MemlaneFindings *findings);
char *memlane_chart_make_title (const MemlaneChart *chart, const MemlaneChartRun *runs, guint n_runs);
char *memlane_chart_make_subtitle (const MemlaneFacts *facts, guint n_facts);
char *memlane_chart_make_label (const char *mode, const char *whose);
char *memlane_chart_workload_title (const char *workload);
void memlane_chart_add_ceilings (MemlaneChart *chart, const MemlaneFacts *facts);
/* Adds the series of @published; @runs say how many bytes a phase moves. */
void memlane_chart_add_published (MemlaneChart *chart, const MemlanePublished *published, const MemlaneChartRun *runs, guint n_runs,
                                  const char *const *modes);

/* A chart in work. */
typedef struct
{
  MemlaneChart *chart;
  const MemlaneChartOptions *options;
  MemlaneFindings findings;
  guint least_log2, most_log2; /* of the cells; least > most: none yet */
} MemlaneBuild;

void memlane_build_runs (MemlaneBuild *build, const MemlaneChartRun *runs, guint n_runs);
void memlane_build_ratio (MemlaneBuild *build, const MemlaneChartRun *runs, guint n_runs);

MemlaneSeries *memlane_series_new (const char *mode, MemlaneSeriesRole role);
void memlane_series_free (gpointer series);
/* Takes @series into the chart under the id @id, made unique. */
void memlane_chart_take_series (MemlaneChart *chart, MemlaneSeries *series, const char *id);
/* Which of two modes comes first: registry order, then unknown ones by name. */
int memlane_chart_compare_modes (const char *a, const char *b);

G_END_DECLS
