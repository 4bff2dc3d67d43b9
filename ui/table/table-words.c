/* table-words.c: the words and numbers of the Table page
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-words.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "chart/scale.h"

static const char *const phases[MEMLANE_N_PHASES] = {
  [MEMLANE_PHASE_ALLOC] = NC_("phase", "alloc"),
  [MEMLANE_PHASE_HOST_WRITE] = NC_("phase", "host write"),
  [MEMLANE_PHASE_UPLOAD] = NC_("phase", "upload"),
  [MEMLANE_PHASE_KERNEL] = NC_("phase", "kernel"),
  [MEMLANE_PHASE_DOWNLOAD] = NC_("phase", "download"),
  [MEMLANE_PHASE_ELAPSED] = NC_("phase", "elapsed"),
  [MEMLANE_PHASE_HOST_READ] = NC_("phase", "host read"),
  [MEMLANE_PHASE_FREE] = NC_("phase", "free"),
  [MEMLANE_PHASE_FIRST] = NC_("phase", "first"),
};

static const char *const clocks[MEMLANE_N_CLOCKS] = {
  [MEMLANE_CLOCK_ISSUE] = NC_("clock", "issue"),
  [MEMLANE_CLOCK_DEVICE] = NC_("clock", "device"),
  [MEMLANE_CLOCK_HOST] = NC_("clock", "host"),
};

static const struct
{
  const char *word, *icon;
} statuses[MEMLANE_N_STATUSES] = {
  [MEMLANE_STATUS_OK] = { NC_("status", "ok"), NULL },
  [MEMLANE_STATUS_NOISY] = { NC_("status", "noisy"), "dialog-warning-symbolic" },
  [MEMLANE_STATUS_UNSUPPORTED] = { NC_("status", "unsupported"), "action-unavailable-symbolic" },
  [MEMLANE_STATUS_OUT_OF_MEMORY] = { NC_("status", "out of memory"), "dialog-error-symbolic" },
  [MEMLANE_STATUS_MISMATCH] = { NC_("status", "wrong result"), "dialog-error-symbolic" },
  [MEMLANE_STATUS_ERROR] = { NC_("status", "error"), "dialog-error-symbolic" },
  [MEMLANE_STATUS_TIMEOUT] = { NC_("status", "timeout"), "dialog-error-symbolic" },
  [MEMLANE_STATUS_CANCELLED] = { NC_("status", "cancelled"), "process-stop-symbolic" },
};

static const struct
{
  const char *id, *title;
  guint width;
  gboolean numeric;
} columns[MEMLANE_N_COLUMNS] = {
  [MEMLANE_COLUMN_RUN] = { "run", NC_("column", "Run"), 16, FALSE },
  [MEMLANE_COLUMN_WORKLOAD] = { "workload", NC_("column", "Workload"), 14, FALSE },
  [MEMLANE_COLUMN_MODE] = { "mode", NC_("column", "Mode"), 20, FALSE },
  [MEMLANE_COLUMN_SIZE] = { "size", NC_("column", "Size"), 5, TRUE },
  [MEMLANE_COLUMN_BYTES] = { "bytes", NC_("column", "Vector"), 8, TRUE },
  [MEMLANE_COLUMN_PHASE] = { "phase", NC_("column", "Phase"), 10, FALSE },
  [MEMLANE_COLUMN_CLOCK] = { "clock", NC_("column", "Clock"), 7, FALSE },
  [MEMLANE_COLUMN_MEDIAN] = { "median", NC_("column", "Median"), 8, TRUE },
  [MEMLANE_COLUMN_INTERVAL] = { "interval", NC_("column", "95 % interval"), 9, TRUE },
  [MEMLANE_COLUMN_MINIMUM] = { "min", NC_("column", "Min"), 8, TRUE },
  [MEMLANE_COLUMN_MAXIMUM] = { "max", NC_("column", "Max"), 8, TRUE },
  [MEMLANE_COLUMN_BANDWIDTH] = { "bandwidth", NC_("column", "Bandwidth"), 10, TRUE },
  [MEMLANE_COLUMN_SAMPLES] = { "samples", NC_("column", "Samples"), 7, TRUE },
  [MEMLANE_COLUMN_STATUS] = { "status", NC_("column", "Status"), 12, FALSE },
  [MEMLANE_COLUMN_DETAIL] = { "detail", NC_("column", "Detail"), 40, FALSE },
};

const char *
memlane_table_phase_word (MemlanePhase phase)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "phase", phases[phase]);
}

const char *
memlane_table_clock_word (MemlaneClock clock)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "clock", clocks[clock]);
}

const char *
memlane_table_status_word (MemlaneStatus status)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "status", statuses[status].word);
}

const char *
memlane_table_status_icon (MemlaneStatus status)
{
  return statuses[status].icon;
}

const char *
memlane_column_get_id (MemlaneColumn column)
{
  return columns[column].id;
}

const char *
memlane_column_get_title (MemlaneColumn column)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "column", columns[column].title);
}

gboolean
memlane_column_is_numeric (MemlaneColumn column)
{
  return columns[column].numeric;
}

guint
memlane_column_get_width (MemlaneColumn column)
{
  return columns[column].width;
}

static char *
format_number (MemlaneColumn column, double value)
{
  if (isnan (value))
    return g_strdup ("");
  if (column == MEMLANE_COLUMN_SIZE)
    return memlane_unit_format_power ((guint) value);
  if (column == MEMLANE_COLUMN_BYTES)
    return memlane_unit_format (MEMLANE_UNIT_BYTES, value, TRUE);
  if (column == MEMLANE_COLUMN_BANDWIDTH)
    return memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, value, TRUE);
  if (column == MEMLANE_COLUMN_SAMPLES)
    return g_strdup_printf ("%.0f", value);
  if (column == MEMLANE_COLUMN_INTERVAL)
    /* Translators: half the width of an interval, in percent of the median */
    return g_strdup_printf (_("±%.1f %%"), 100 * value);
  return memlane_unit_format (MEMLANE_UNIT_TIME, value, TRUE);
}

const char *
memlane_table_mode_word (const char *id)
{
  const MemlaneMode *mode = memlane_mode_find (id);

  return mode != NULL ? g_dgettext (GETTEXT_PACKAGE, mode->title) : id;
}

const char *
memlane_table_workload_word (const char *id)
{
  const MemlaneWorkload *workload = memlane_workload_find (id);

  return workload != NULL ? g_dgettext (GETTEXT_PACKAGE, workload->title) : id;
}

char *
memlane_table_entry_format (const MemlaneTableEntry *entry, const char *run, MemlaneColumn column)
{
  const MemlaneFigure *figure = entry->figure;
  const char *detail = memlane_table_entry_get_detail (entry);

  if (column == MEMLANE_COLUMN_RUN)
    return g_strdup (run);
  if (column == MEMLANE_COLUMN_WORKLOAD)
    return g_strdup (memlane_table_workload_word (entry->cell->workload));
  if (column == MEMLANE_COLUMN_MODE)
    return g_strdup (memlane_table_mode_word (entry->cell->mode));
  if (column == MEMLANE_COLUMN_PHASE)
    return g_strdup (memlane_table_phase_word (figure != NULL ? figure->phase : MEMLANE_PHASE_ELAPSED));
  if (column == MEMLANE_COLUMN_CLOCK)
    return g_strdup (figure != NULL ? memlane_table_clock_word (figure->clock) : "");
  if (column == MEMLANE_COLUMN_STATUS)
    return g_strdup (memlane_table_status_word (memlane_table_entry_get_status (entry)));
  if (column == MEMLANE_COLUMN_DETAIL)
    return g_strdup (detail != NULL ? detail : "");
  return format_number (column, memlane_table_entry_get_number (entry, column));
}
