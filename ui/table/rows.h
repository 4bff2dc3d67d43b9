/* rows.h: the rows of the Table page, as they stand in the CSV
 *
 * SPDX-License-Identifier: MIT
 *
 * A row is a figure of a cell, or the status of a cell without figures. Main thread only. No GTK.
 */
#pragma once

#include "model/run-item.h"

/* Signal "changed": the row got other figures, so whoever shows it reads it again. */
#define MEMLANE_TYPE_TABLE_LINE (memlane_table_line_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTableLine, memlane_table_line, MEMLANE, TABLE_LINE, GObject)

/* Makes @store (element-type MemlaneTableLine) contain the rows of @items (element-type MemlaneRunItem, all of them read), in their order.
 * A row of the same mode, size and phase of the same run stays the same object, so it stays selected and in view. */
void memlane_table_rows_fill (GListStore *store, GPtrArray *items);

MemlaneStatus memlane_table_line_get_status (MemlaneTableLine *self);
/* MEMLANE_PHASE_ELAPSED where the row has no figure. */
MemlanePhase memlane_table_line_get_phase (MemlaneTableLine *self);

typedef enum
{
  MEMLANE_COLUMN_MODE,
  MEMLANE_COLUMN_SIZE,      /* 2^p elements */
  MEMLANE_COLUMN_BYTES,
  MEMLANE_COLUMN_PHASE,
  MEMLANE_COLUMN_CLOCK,
  MEMLANE_COLUMN_MEDIAN,
  MEMLANE_COLUMN_INTERVAL,  /* half width of the 95 % interval as a share of the median */
  MEMLANE_COLUMN_BANDWIDTH,
  MEMLANE_COLUMN_MINIMUM,
  MEMLANE_COLUMN_MAXIMUM,
  MEMLANE_COLUMN_SAMPLES,
  MEMLANE_COLUMN_ROUNDS,    /* processes behind the interval */
  MEMLANE_COLUMN_STATUS,
  MEMLANE_COLUMN_RUN,
  MEMLANE_COLUMN_WORKLOAD,
  MEMLANE_COLUMN_DETAIL,
  MEMLANE_N_COLUMNS
} MemlaneColumn;

/* Bit i of the result: column i is worth its room. Columns that are often alike in all rows (run, workload, clock, rounds, detail) are
 * so only if they differ somewhere. */
guint32 memlane_table_rows_get_varying (GListModel *rows);

/* Returns the number that sorts the row, NAN where it has none. Phase, clock and status count in their enumeration's order. */
double memlane_table_line_get_number (MemlaneTableLine *self, MemlaneColumn column);
/* Returns the text that sorts the row, as it is shown; NULL for columns that sort by number, and where there is none. */
const char *memlane_table_line_get_word (MemlaneTableLine *self, MemlaneColumn column);
/* Returns the text of a table cell, with unit and the locale's decimal point; "" where there is nothing. (transfer full) */
char *memlane_table_line_format (MemlaneTableLine *self, MemlaneColumn column);

/* Splits a search into words for memlane_table_line_contains(). (transfer full) */
char **memlane_table_split_search (const char *text);
/* Returns whether the row contains each of @words, whatever its case. */
gboolean memlane_table_line_contains (MemlaneTableLine *self, char **words);

/* Appends the row in the columns of MEMLANE_CSV_COLUMNS. */
void memlane_table_line_append_csv (MemlaneTableLine *self, GString *text);

/* The title of a mode, translated; the id itself where Memlane does not know it. */
const char *memlane_table_mode_word (const char *id);

/* A column of the table. */
typedef struct
{
  const char *id;    /* for actions and settings ("median") */
  const char *title; /* to be translated in the context "column" */
  guint width;       /* characters that it wants */
  gboolean numeric;  /* its cells are numbers */
} MemlaneColumnInfo;
extern const MemlaneColumnInfo memlane_table_columns[MEMLANE_N_COLUMNS];
