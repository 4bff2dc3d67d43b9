/* columns.c: the members of a measurement, described once for tables and for messages
 *
 * SPDX-License-Identifier: MIT
 */
#include "columns.h"

#include <math.h>

#include "base/reader-limits.h"
#include "base/size.h"
#include "base/strict-text.h"

#define MOST_INTEGER 9007199254740992.0 /* 2^53: up to there a double holds every whole number */
#define LONGEST_TIME 1e18               /* ns */

#define PLACE(type, member, a_kind)                                                                \
  .kind = MEMLANE_MEMBER_##a_kind, .offset = G_STRUCT_OFFSET (type, member),                       \
  .size = sizeof (((type *) NULL)->member)
#define RANGE(from, to) .least = from, .most = to
#define WORDS(n, function) .most = (n) - 1, .get_word = function
#define MEMBERS(list) .members = list, .n_members = G_N_ELEMENTS (list)
#define IN(table) (1u << MEMLANE_TABLE_##table)
#define IN_ALL .tables = IN (RUNS) | IN (ROUNDS) | IN (SAMPLES)
#define IN_RUNS .tables = IN (RUNS)

/* --- a run ------------------------------------------------------------------------------------ */

static gpointer
make_run (void)
{
  return memlane_run_new ("", "", "");
}

static const char *
check_run (gpointer data, char **expected)
{
  const MemlaneRun *run = data;

  return memlane_check_device (run->device, run->device_kind, expected);
}

static const MemlaneMember run_members[] = {
  { "id", PLACE (MemlaneRun, id, NAME), .column = "run", IN_ALL },
  { "device", PLACE (MemlaneRun, device, TITLE), .column = "device", IN_ALL },
  { "device_kind", PLACE (MemlaneRun, device_kind, TEXT), RANGE (1, MEMLANE_LONGEST_NAME),
    .column = "device_kind", IN_ALL },
  { "environment", PLACE (MemlaneRun, environment, ENVIRONMENT) },
};
const MemlaneRecord memlane_run_record = {
  sizeof (MemlaneRun),   make_run, (GDestroyNotify) memlane_run_unref, check_run,
  MEMBERS (run_members),
};

/* --- a figure --------------------------------------------------------------------------------- */

static const MemlaneMember sample_members[] = {
  { "ns", .kind = MEMLANE_MEMBER_NUMBER, .size = sizeof (double), RANGE (0, LONGEST_TIME) },
};
static const MemlaneRecord sample_record = { sizeof (double), MEMBERS (sample_members) };

static const MemlaneMember mark_members[] = {
  { "set", PLACE (MemlaneSampleMark, set, INTEGER), RANGE (0, 1e6) },
  { "sm_mhz", PLACE (MemlaneSampleMark, sm_mhz, INTEGER), RANGE (0, 1e6) },
  { "time", PLACE (MemlaneSampleMark, time, NUMBER), RANGE (0, LONGEST_TIME) },
};
static const MemlaneRecord mark_record = { sizeof (MemlaneSampleMark), MEMBERS (mark_members) };

#define FIGURE(member, kind) PLACE (MemlaneFigure, member, kind)
#define STATISTIC(member)                                                                          \
  FIGURE (statistics.member, NUMBER), RANGE (0, LONGEST_TIME), .count = COUNT, IN_RUNS, .unit = "ns"
#define COUNT (-(gssize) G_STRUCT_OFFSET (MemlaneFigure, statistics.count))

static const MemlaneMember figure_members[] = {
  { "phase", FIGURE (phase, WORD), WORDS (MEMLANE_N_PHASES, memlane_phase_name), .column = "phase",
    IN_ALL },
  { "clock", FIGURE (clock, WORD), WORDS (MEMLANE_N_CLOCKS, memlane_clock_name), .column = "clock",
    IN_ALL },
  { "count", FIGURE (statistics.count, INTEGER), RANGE (0, MEMLANE_CSV_MOST_SAMPLES),
    .column = "samples", IN_RUNS },
  { "estimate_ns", STATISTIC (median), .column = "estimate_ns", .old_column = "median_ns" },
  { "low_ns", STATISTIC (low), .column = "low_ns", .old_column = "ci95_low_ns" },
  { "high_ns", STATISTIC (high), .column = "high_ns", .old_column = "ci95_high_ns" },
  { "min_ns", STATISTIC (min), .column = "min_ns" },
  { "q1_ns", STATISTIC (q1), .column = "q1_ns" },
  { "q3_ns", STATISTIC (q3), .column = "q3_ns" },
  { "max_ns", STATISTIC (max), .column = "max_ns" },
  { "bytes_moved", FIGURE (bytes_moved, INTEGER), RANGE (0, MOST_INTEGER), .column = "bytes_moved",
    IN_RUNS, .unit = "B" },
  { NULL, MEMLANE_MEMBER_BANDWIDTH, .column = "bandwidth_bytes_per_s", IN_RUNS, .unit = "B/s" },
  { "status", FIGURE (status, WORD), WORDS (MEMLANE_N_STATUSES, memlane_status_name),
    .column = "status", IN_RUNS },
  { "detail", FIGURE (detail, TEXT), RANGE (0, MEMLANE_LONGEST_SENTENCE), .column = "detail",
    IN_RUNS },
  { NULL, FIGURE (n_rounds, INTEGER), RANGE (0, MEMLANE_MOST_ROUNDS), .column = "rounds", IN_RUNS },
  { NULL, FIGURE (statistics.interval, WORD), WORDS (MEMLANE_N_INTERVALS, memlane_interval_name),
    .count = COUNT, .column = "interval", IN_RUNS, .is_new = TRUE },
  { "samples", FIGURE (samples, ARRAY), .record = &sample_record, .count = COUNT },
  { "marks", FIGURE (marks, ARRAY), .record = &mark_record, .count = COUNT },
};
static const MemlaneRecord figure_record = { sizeof (MemlaneFigure), MEMBERS (figure_members) };

/* --- a cell ----------------------------------------------------------------------------------- */

#define PROBE(probe)                                                                               \
  PLACE (MemlaneHostProbe, ns[MEMLANE_PROBE_##probe], NUMBER), RANGE (0, LONGEST_TIME)

static const MemlaneMember probe_members[]
    = { { "pair", PROBE (PAIR) }, { "launch", PROBE (LAUNCH) }, { "copy", PROBE (COPY) } };
static const MemlaneRecord probe_record = { sizeof (MemlaneHostProbe), MEMBERS (probe_members) };

static gpointer
make_cell (void)
{
  return memlane_cell_new ("", "", 0);
}

/* Works out what follows from the size, too. */
static const char *
check_cell (gpointer data, char **expected)
{
  MemlaneCell *cell = data;

  cell->elements = memlane_size_elements (cell->log2_elements);
  cell->bytes = cell->elements * sizeof (float);
  return memlane_check_cell (cell, expected);
}

#define CELL(member, kind) PLACE (MemlaneCell, member, kind)

static const MemlaneMember cell_members[] = {
  { "workload", CELL (workload, NAME), .column = "workload", IN_ALL },
  { "mode", CELL (mode, NAME), .column = "mode", IN_ALL },
  { "log2_elements", CELL (log2_elements, NUMBER), RANGE (0, MEMLANE_LARGEST_LOG2),
    .column = "log2_elements", IN_ALL },
  { NULL, CELL (elements, INTEGER), RANGE (1, 0), .column = "elements", IN_ALL },
  { NULL, CELL (bytes, INTEGER), RANGE (1, 0), .column = "bytes", IN_ALL, .unit = "B" },
  { "reuse", CELL (reuse, INTEGER), RANGE (1, MEMLANE_CSV_MOST_REUSE), .column = "reuse", IN_ALL },
  { "streams", CELL (streams, INTEGER), RANGE (0, MEMLANE_CSV_MOST_STREAMS), .column = "streams",
    IN_ALL },
  { "chunks", CELL (chunks, INTEGER), RANGE (0, MEMLANE_CSV_MOST_CHUNKS), .column = "chunks",
    IN_ALL },
  { "beside", CELL (beside, WORD), WORDS (MEMLANE_N_BESIDES, memlane_beside_name),
    .column = "beside", IN_ALL, .is_new = TRUE },
  { "busy", CELL (busy, INTEGER), RANGE (0, 100), .column = "busy", IN_ALL, .is_new = TRUE },
  { "status", CELL (status, WORD), WORDS (MEMLANE_N_STATUSES, memlane_status_name) },
  { "detail", CELL (detail, TEXT), RANGE (0, MEMLANE_LONGEST_SENTENCE) },
  { "host", CELL (host, RECORD), .record = &probe_record },
  { "figures", CELL (figures, RECORDS), .most = MEMLANE_N_PHASES * MEMLANE_N_CLOCKS,
    .record = &figure_record },
};
const MemlaneRecord memlane_cell_record = {
  sizeof (MemlaneCell),   make_cell, (GDestroyNotify) memlane_cell_unref, check_cell,
  MEMBERS (cell_members),
};

/* --- in tables alone -------------------------------------------------------------------------- */

#define ROUND(member, kind) PLACE (MemlaneRound, member, kind)
#define ROUND_PROBE(probe)                                                                         \
  ROUND (host.ns[MEMLANE_PROBE_##probe], PROBE), .tables = IN (ROUNDS), .unit = "ns"

static const MemlaneMember round_members[] = {
  { NULL, ROUND (round, INTEGER), RANGE (1, MEMLANE_MOST_ROUNDS), .column = "round",
    .tables = IN (ROUNDS) | IN (SAMPLES) },
  { NULL, ROUND (place, INTEGER), RANGE (1, G_MAXUINT), .column = "place",
    .tables = IN (ROUNDS) | IN (SAMPLES) },
  { NULL, ROUND (samples, INTEGER), RANGE (1, G_MAXUINT), .column = "samples",
    .tables = IN (ROUNDS) },
  { NULL, ROUND (median, NUMBER), .column = "estimate_ns", .old_column = "median_ns",
    .tables = IN (ROUNDS), .unit = "ns" },
  { NULL, ROUND_PROBE (PAIR), .column = "host_pair_ns" },
  { NULL, ROUND_PROBE (LAUNCH), .column = "host_launch_ns" },
  { NULL, ROUND_PROBE (COPY), .column = "host_copy_ns" },
  { NULL, MEMLANE_MEMBER_FORMAT, .column = "format", .tables = IN (ROUNDS), .is_new = TRUE },
};
static const MemlaneRecord round_record = { sizeof (MemlaneRound), MEMBERS (round_members) };

#define SAMPLE(member, kind) PLACE (MemlaneSampleRow, member, kind), .tables = IN (SAMPLES)

static const MemlaneMember row_members[] = {
  { NULL, SAMPLE (mark.set, INTEGER), .column = "set" },
  { NULL, SAMPLE (mark.sm_mhz, INTEGER), .column = "sm_mhz", .unit = "MHz" },
  { NULL, SAMPLE (mark.time, PROBE), .column = "time_ns", .unit = "ns" },
  { NULL, SAMPLE (number, INTEGER), .column = "sample" },
  { NULL, SAMPLE (ns, NUMBER), .column = "ns", .unit = "ns" },
};
static const MemlaneRecord row_record = { sizeof (MemlaneSampleRow), MEMBERS (row_members) };

/* --- tables ----------------------------------------------------------------------------------- */

guint
memlane_table_columns (MemlaneTable table, MemlaneColumn columns[MEMLANE_MOST_COLUMNS])
{
  static const MemlaneRecord *const parts[MEMLANE_N_PARTS] = {
    &memlane_run_record, &memlane_cell_record, &figure_record, &round_record, &row_record,
  };
  guint n = 0;

  for (guint part = 0; part < MEMLANE_N_PARTS; part++)
    for (guint i = 0; i < parts[part]->n_members; i++)
      if ((parts[part]->members[i].tables & (1u << table)) != 0)
        columns[n++] = (MemlaneColumn) { &parts[part]->members[i], part };
  return n;
}

void
memlane_member_append (GString *text, const MemlaneMember *member, gconstpointer structure)
{
  gconstpointer at = G_STRUCT_MEMBER_P (structure, member->offset);
  guint64 count;

  if (member->count != 0
      && *(const guint *) G_STRUCT_MEMBER_P (structure, ABS (member->count)) == 0)
    return; /* a figure without samples */
  switch ((guint) member->kind)
    {
    case MEMLANE_MEMBER_INTEGER:
      count = member->size == sizeof (guint) ? *(const guint *) at : *(const guint64 *) at;
      if (count > 0)
        memlane_text_append_count (text, count);
      break;
    case MEMLANE_MEMBER_NUMBER:
      memlane_text_append_number (text, member->unit != NULL ? memlane_tenths (*(const double *) at)
                                                             : *(const double *) at);
      break;
    case MEMLANE_MEMBER_PROBE:
      if (*(const double *) at > 0)
        memlane_text_append_count (text, (guint64) MIN (*(const double *) at + 0.5, G_MAXINT64));
      break;
    case MEMLANE_MEMBER_WORD:
      if (*(const guint *) at <= member->most) /* else the clock of a row without one */
        g_string_append (text, member->get_word (*(const guint *) at));
      break;
    case MEMLANE_MEMBER_BANDWIDTH:
      if (memlane_figure_get_bandwidth (structure) > 0)
        memlane_text_append_number (text, rint (memlane_figure_get_bandwidth (structure)));
      break;
    case MEMLANE_MEMBER_FORMAT:
      memlane_text_append_count (text, MEMLANE_FORMAT);
      break;
    default:
      memlane_text_append_field (text, *(const char *const *) at);
    }
}

void
memlane_table_append_header (GString *text, MemlaneTable table, gboolean old)
{
  MemlaneColumn columns[MEMLANE_MOST_COLUMNS];
  guint n = memlane_table_columns (table, columns);

  for (guint i = 0; i < n; i++)
    {
      const MemlaneMember *member = columns[i].member;

      if (!(old && member->is_new))
        g_string_append_printf (
          text, "%s%s", i > 0 ? "," : "",
          old && member->old_column != NULL ? member->old_column : member->column);
    }
  g_string_append_c (text, '\n');
}
