/* table-order.h: which rows of the table are seen, and in which order
 *
 * SPDX-License-Identifier: MIT
 *
 * Pure functions of the rows and a request: they run on the main thread for small tables and on a worker for large ones.
 */
#pragma once

#include <gio/gio.h>

#include "table-rows.h"

G_BEGIN_DECLS

typedef enum
{
  MEMLANE_COLUMN_RUN,
  MEMLANE_COLUMN_WORKLOAD,
  MEMLANE_COLUMN_MODE,
  MEMLANE_COLUMN_SIZE,      /* 2^p elements */
  MEMLANE_COLUMN_BYTES,
  MEMLANE_COLUMN_PHASE,
  MEMLANE_COLUMN_CLOCK,
  MEMLANE_COLUMN_MEDIAN,
  MEMLANE_COLUMN_INTERVAL,  /* half width of the 95 % interval as a share of the median */
  MEMLANE_COLUMN_MINIMUM,
  MEMLANE_COLUMN_MAXIMUM,
  MEMLANE_COLUMN_BANDWIDTH,
  MEMLANE_COLUMN_SAMPLES,
  MEMLANE_COLUMN_STATUS,
  MEMLANE_COLUMN_DETAIL,
  MEMLANE_N_COLUMNS
} MemlaneColumn;

/* A number of a row; NAN where it has none (and for columns of words). */
double memlane_table_entry_get_number (const MemlaneTableEntry *entry, MemlaneColumn column);

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

G_END_DECLS
