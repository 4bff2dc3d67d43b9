/* experiment-tables.h: the figures of an experiment as tables, and its checks as a list
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "experiment-words.h"

G_BEGIN_DECLS

/* A label that wraps. */
GtkWidget *memlane_experiment_tables_make_label (const char *text);
/* Each claim with its verdict, the doubt and the figures that decided. */
GtkWidget *memlane_experiment_tables_make_checks (const MemlaneExperimentResult *result);
/* NULL: there are none. @worst: becomes the least certain one's, if that is worse than what it holds. */
GtkWidget *memlane_experiment_tables_make_figures (const MemlaneExperimentResult *result, MemlaneCertainty *worst);
GtkWidget *memlane_experiment_tables_make_table (const MemlaneExperimentResult *result, const MemlaneTableResult *table,
                                                 MemlaneCertainty *worst);

G_END_DECLS
