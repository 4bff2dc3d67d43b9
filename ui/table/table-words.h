/* table-words.h: the words and numbers of the Table page
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "table-order.h"

G_BEGIN_DECLS

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

G_END_DECLS
