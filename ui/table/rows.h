/* rows.h: every row that the Table page could show, as it stands in the CSV: what it says, which are seen and in which order
 *
 * SPDX-License-Identifier: MIT
 *
 * A row is a figure of a cell, or the word of a cell that no figure tells (why there are none). Rows are only ever appended; their
 * places never change. Reference counted (atomic). Grow it only on the main thread and only while nobody else holds a reference. Then other
 * threads may read what they hold, since cells are immutable. No GTK.
 */
#pragma once

#include "model/session.h"

G_BEGIN_DECLS

typedef struct
{
  const MemlaneCell *cell;     /* a reference is held by the run below */
  const MemlaneFigure *figure; /* NULL: the cell's own word */
  guint run;                   /* index of its run */
} MemlaneTableEntry;

typedef struct
{
  MemlaneRunItem *item;        /* owned; main thread only */
  char *name;
  MemlaneRun *record;          /* id, device and kind, without cells: what the CSV repeats in each row */
  GPtrArray *cells;            /* (element-type MemlaneCell), owned references, in the run's order */
} MemlaneTableRun;

typedef struct
{
  int ref_count;
  GArray *entries;             /* (element-type MemlaneTableEntry) */
  guint32 varying;             /* bit i: memlane_table_rows_varies (i) */
  GPtrArray *runs;             /* (element-type MemlaneTableRun) */
} MemlaneTableRows;

MemlaneTableRows *memlane_table_rows_new (void);
MemlaneTableRows *memlane_table_rows_ref (MemlaneTableRows *self);
/* The last one must go on the main thread: it holds objects. */
void memlane_table_rows_unref (MemlaneTableRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneTableRows, memlane_table_rows_unref)

static inline guint
memlane_table_rows_count (const MemlaneTableRows *self)
{
  return self->entries->len;
}

static inline const MemlaneTableEntry *
memlane_table_rows_get (const MemlaneTableRows *self, guint row)
{
  return &g_array_index (self->entries, MemlaneTableEntry, row);
}

static inline const MemlaneTableRun *
memlane_table_rows_get_run (const MemlaneTableRows *self, guint row)
{
  return (const MemlaneTableRun *) g_ptr_array_index (self->runs, memlane_table_rows_get (self, row)->run);
}

/* TRUE: @items (element-type MemlaneRunItem) are the runs that are here, with the same names, and have what they had and perhaps
 * more: append() is enough. */
gboolean memlane_table_rows_extends_to (const MemlaneTableRows *self, GPtrArray *items);
/* Takes over the cells of @items that are not here yet; runs that are not here yet come behind the others. */
void memlane_table_rows_append (MemlaneTableRows *self, GPtrArray *items);

/* Appends row @place of @source to @self, which has no other rows than such. */
void memlane_table_rows_take_from (MemlaneTableRows *self, const MemlaneTableRows *source, guint place);

/* Whether the rows differ in @column, of those that often do not: run, workload, clock, rounds, detail. Others: always. O(1). */
gboolean memlane_table_rows_varies (const MemlaneTableRows *self, guint column);

/* What the CSV and the page say of a row. */
MemlaneStatus memlane_table_entry_get_status (const MemlaneTableEntry *entry);
const char *memlane_table_entry_get_detail (const MemlaneTableEntry *entry); /* (nullable) */

/* --- numbers and words --- */

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

/* A number of a row; NAN where it has none (and for columns of words). */
double memlane_table_entry_get_number (const MemlaneTableEntry *entry, MemlaneColumn column);

/* As they are shown, translated; static. The CSV has its own (memlane_phase_name ...). */
const char *memlane_table_phase_word (MemlanePhase phase);
const char *memlane_table_clock_word (MemlaneClock clock);
const char *memlane_table_status_word (MemlaneStatus status);
/* The title of a mode or workload; the id itself where Memlane does not know it. */
const char *memlane_table_mode_word (const char *id);
const char *memlane_table_workload_word (const char *id);
/* The icon that stands before the word; NULL for "ok". */
const char *memlane_table_status_icon (MemlaneStatus status);

/* A column: its id for actions and settings ("median"), its title, whether its cells are numbers, how many characters it wants. */
const char *memlane_column_get_id (MemlaneColumn column);
const char *memlane_column_get_title (MemlaneColumn column);
gboolean memlane_column_is_numeric (MemlaneColumn column);
guint memlane_column_get_width (MemlaneColumn column);

/* What stands in the cell, with unit and the locale's decimal point; "" where there is nothing. (transfer full) */
char *memlane_table_entry_format (const MemlaneTableEntry *entry, const char *run, MemlaneColumn column);

/* --- which are seen, and in which order: any thread --- */

typedef struct
{
  MemlaneColumn column;
  gboolean descending;
} MemlaneTableSort;

/* What the person asks for. */
typedef struct
{
  char *text;               /* words that must all be found in the row; "" or NULL: every row */
  int phase;                /* MemlanePhase, or -1: every one */
  int status;               /* MemlaneStatus, or -1 */
  /* The first one decides, then the next; rows that are equal in all stand as in their runs. */
  MemlaneTableSort sorts[MEMLANE_N_COLUMNS];
  guint n_sorts;
} MemlaneTableRequest;

void memlane_table_request_copy (MemlaneTableRequest *to, const MemlaneTableRequest *from);
void memlane_table_request_clear (MemlaneTableRequest *request);

/* Places in @rows, (transfer full) (element-type guint32). Unknown numbers stand last in both directions. NULL when
 * @cancellable was cancelled. */
GArray *memlane_table_order (const MemlaneTableRows *rows, const MemlaneTableRequest *request, GCancellable *cancellable);

/* Header and rows, with the columns of MEMLANE_CSV_COLUMNS. NULL with G_IO_ERROR_CANCELLED. Any thread. (transfer full) */
GBytes *memlane_table_csv (const MemlaneTableRows *rows, GCancellable *cancellable, GError **error);

G_END_DECLS
