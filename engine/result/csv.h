/* csv.h: runs to CSV and back, by libcsv
 *
 * SPDX-License-Identifier: MIT
 *
 * The columns are a contract (columns.h). Numbers are written with '.' whatever the locale and read
 * back to the same value. An absent value is an empty cell, never 0. Writing is beside and rename:
 * a file is whole or it is not there. Tables of Memlane 0.2 have other names for three columns and
 * lack the last; those before it lack rounds, too.
 */
#pragma once

#include <gio/gio.h>

#include "base/file-error.h"
#include "run.h"

G_BEGIN_DECLS

/* One header line, or the rows of @cell, appended to @text. */
void memlane_csv_append_header (GString *text);
void memlane_csv_append_cell (GString *text, const MemlaneRun *run, const MemlaneCell *cell);

/* Calls @visit for each row of @cell: each figure, and what they do not say, as a figure without
 * samples; @old: as Memlane 0.2. */
typedef void (*MemlaneCsvVisit) (const MemlaneFigure *figure, gpointer user_data);
void memlane_csv_visit_rows (const MemlaneCell *cell, gboolean old, MemlaneCsvVisit visit,
                             gpointer user_data);

/* @path: the CSV; beside it stand NAME.environment.json when run->environment is set, and
 * NAME.rounds.csv when a figure has rounds. */
gboolean memlane_csv_write (const MemlaneRun *run, const char *path, GError **error);
/* As memlane_csv_write(); @old: with the columns of Memlane 0.2. */
gboolean
memlane_csv_write_as (const MemlaneRun *run, const char *path, gboolean old, GError **error);
/* @runs: MemlaneRun, all in one table, without rounds; @environment: (nullable): beside it. */
gboolean memlane_csv_write_runs (GPtrArray *runs, const MemlaneEnvironment *environment,
                                 const char *path, GError **error);
/* One row per single sample: the independent columns, phase, clock, round and place (empty: without
 * rounds), sample number from 1 on in each round, nanoseconds. */
gboolean memlane_csv_write_samples (const MemlaneRun *run, const char *path, GError **error);

/* Reads a file with one run or several (column "run"), and NAME.rounds.csv beside it where it is
 * there. Rows of runs that the table does not hold are left out. Strict: the first thing that is
 * wrong in either refuses the whole. gzip may have packed them: if there is no NAME.csv,
 * NAME.csv.gz is read, and the same for rounds. Limits count unpacked bytes. Returns: (transfer
 * full) (element-type MemlaneRun), at least one, or NULL. */
GPtrArray *memlane_csv_read (const char *path, GCancellable *cancellable, GError **error);

/* The same, but only the elapsed times, and of the rounds those of the host's clock, a tenth of
 * them. Other rows are passed over unread. */
GPtrArray *memlane_csv_read_elapsed (const char *path, GError **error);

/* "OUT.csv" or "OUT.csv.gz" -> "OUT.environment.json", "OUT.rounds.csv" */
char *memlane_csv_environment_path (const char *csv_path);
char *memlane_csv_rounds_path (const char *csv_path);

G_END_DECLS
