/* chart-words.h: the names that figures give to modes, workloads, statuses and machines
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "memlane.h"

/* "noisy", "out of memory". (transfer none) */
const char *memlane_chart_status_title (MemlaneStatus status);
/* Says what the device did while a cell was measured: "while 50 % of the multiprocessors compute".
 * (transfer full) */
char *memlane_chart_background_title (MemlaneBeside beside, guint busy);
/* Returns the words in the person's language; an unknown id stands for itself. (transfer full) */
char *memlane_chart_workload_title (const char *workload);
/* A 95 % interval of times: "10.2 µs to 10.9 µs". (transfer full) */
char *memlane_chart_format_interval (double low, double high);
/* "Pinned", or "Pinned · @whose". @whose may be NULL. */
char *memlane_chart_mode_label (const char *mode, const char *whose);

/* Appends words to @text, after @separator unless they are the first. */
void memlane_words_join (GString *text, const char *separator, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* A device's name as people read it, without "(simulated)". (transfer full) */
char *memlane_facts_name_model (const char *name);
/* The same with it: the word is one of theirs. (transfer full) */
char *memlane_facts_name_device (const char *name);
/* "NVIDIA H200 · driver 580.159.04 · 2026-11-21", each machine once, three at most. (transfer
 * full) */
char *memlane_facts_describe (const MemlaneRun *const *runs, guint n_runs);
