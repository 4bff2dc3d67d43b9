/* test-trace.c: events into a trace, and what that tells of them (told.txt); many events
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include <glib/gstdio.h>

#include "analysis/findings.h"
#include "base/each.h"
#include "trace/builder.h"
#include "trace/summary.h"
#include "engine/cases.h"

static void
add_event (MemlaneTraceBuilder *builder, const char *name, MemlaneTraceEvent event)
{
  g_autoptr (GError) error = NULL;

  event.name = memlane_trace_builder_intern (builder, name, -1);
  if (event.stream == 0)
    event.stream = 13;
  g_assert_true (memlane_trace_builder_add (builder, &event, &error));
  g_assert_no_error (error);
}

#define ADD(name, ...) add_event (builder, name, (MemlaneTraceEvent) { __VA_ARGS__ })

static MemlaneTrace *
finish (MemlaneTraceBuilder *builder)
{
  g_autoptr (GError) error = NULL;
  MemlaneTrace *trace = memlane_trace_builder_finish (builder, &error);

  g_assert_no_error (error);
  return trace;
}

static const MemlaneTraceLane *
get_lane (const MemlaneTrace *trace, MemlaneTraceLaneKind kind)
{
  guint n;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n);

  for (guint i = 0; i < n; i++)
    if (lanes[i].kind == kind)
      return &lanes[i];
  return NULL;
}

/* --- what a trace tells ------------------------------------------------------------------------------ */

static void
tell_lanes (GString *text, const MemlaneTrace *trace)
{
  guint n, n_lanes;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n_lanes);

  g_string_append_printf (text, "ends at %" G_GINT64_FORMAT "\n", memlane_trace_get_end (trace));
  for (guint i = 0; i < n_lanes; i++)
    {
      g_string_append_printf (text, "%s, busy %" G_GINT64_FORMAT ", %u before 100, %u before 101:",
                              lanes[i].title, lanes[i].busy,
                              memlane_trace_lane_last (trace, &lanes[i], 100),
                              memlane_trace_lane_last (trace, &lanes[i], 101));
      for (guint k = 0; k < lanes[i].n_events; k++)
        g_string_append_printf (text, " %s/%u", memlane_trace_get_name (trace, events[lanes[i].events[k]].name),
                                lanes[i].rows[k]);
      g_string_append_printf (text, "; of %u rows\n", lanes[i].n_rows);
    }
  for (guint i = 0; i < n; i++)
    {
      guint32 call = memlane_trace_find_call (trace, i);
      guint n_linked;
      const guint32 *linked = memlane_trace_get_correlated (trace, events[i].correlation, &n_linked);

      g_string_append_printf (text, "%u %s: home %s", i, memlane_trace_get_name (trace, events[i].name),
                              lanes[events[i].lane].title);
      if (call != MEMLANE_TRACE_NONE)
        g_string_append_printf (text, ", call %u", call);
      for (guint k = 0; k < n_linked; k++)
        g_string_append_printf (text, "%s%u", k == 0 ? ", linked " : " ", linked[k]);
      g_string_append_c (text, '\n');
    }
  for (guint kind = 0; kind < MEMLANE_TRACE_N_KINDS; kind++)
    {
      guint8 flags = 77;
      guint n_kind = memlane_trace_count_kind (trace, (MemlaneTraceKind) kind, &flags);

      if (n_kind > 0 || flags != 0)
        g_string_append_printf (text, "%u of %s, flags %u\n", n_kind, memlane_trace_kind_name ((MemlaneTraceKind) kind), flags);
    }
  for (guint stream = 1; stream < 32; stream++)
    if (memlane_trace_stream_place (trace, stream) > 0)
      g_string_append_printf (text, "stream %u is %u\n", stream, memlane_trace_stream_place (trace, stream));
}

/* Tells what lies from each "span FROM TO" among @lines. */
static void
tell_spans (GString *text, const MemlaneTrace *trace, char **lines)
{
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 3);
      MemlaneTraceSpan s;

      if (g_strv_length (words) != 3 || strcmp (words[0], "span") != 0)
        continue;
      memlane_trace_measure_span (trace, g_ascii_strtod (words[1], NULL), g_ascii_strtod (words[2], NULL), &s);
      g_string_append_printf (text, "%s to %s: %g ns, %u events; bytes up %" G_GUINT64_FORMAT ", down %" G_GUINT64_FORMAT
                              ", inside %" G_GUINT64_FORMAT "; host %g, up %g, kernel %g, down %g, migration %g, "
                              "device %g, overlapped %g\n", words[1], words[2], s.duration, s.n_events, s.bytes_up,
                              s.bytes_down, s.bytes_inside, s.host, s.up, s.kernel, s.down, s.migration, s.device,
                              s.overlapped);
    }
}

/* A file, and behind it lines "span FROM TO". */
static char *
answer_told (const char *asked)
{
  g_auto (GStrv) lines = g_strsplit (asked, "\n", -1);
  g_autofree char *folder = g_dir_make_tmp ("memlane-trace-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "t.json", NULL), *summary = NULL;
  GString *text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  g_autoptr (GArray) rows = NULL;
  MemlaneTraceBounds bounds;
  const char *asked_for;

  asked_for = strstr (asked, "\nspan ");
  g_assert_true (g_file_set_contents (path, asked, asked_for != NULL ? asked_for - asked : -1, NULL));
  trace = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  tell_lanes (text, trace);
  rows = memlane_trace_summarize (trace);
  MEMLANE_FOR_EACH_IN (const MemlaneSummaryRow, row, rows)
    g_string_append_printf (text, "%s, %s: %.9g %%, %g in %u, average %g, %g to %g, median %g, deviation %.14g, bytes %"
                            G_GUINT64_FORMAT "\n", memlane_summary_section_name (row->section), row->name, row->percent,
                            row->total, row->calls, row->average, row->minimum, row->maximum, row->median,
                            row->deviation, row->bytes);
  summary = memlane_trace_summary_to_text (trace);
  g_string_append (text, summary);
  if (memlane_trace_compute_bounds (trace, &bounds))
    g_string_append_printf (text, "up %g, kernel %g, down %g; serial %g, one way %g, full %g, measured %g: %.12g\n",
                            bounds.up, bounds.kernel, bounds.down, bounds.serial, bounds.one_way, bounds.full,
                            bounds.measured, bounds.efficiency);
  findings = memlane_trace_find (trace);
  MEMLANE_FOR_EACH (const MemlaneTraceFinding, finding, findings)
    {
      g_autofree char *sentence = memlane_answer_format (finding->sentence, NULL, NULL, NULL);

      g_string_append_printf (text, "%u events: %s\n", finding->n_events, sentence);
    }
  tell_spans (text, trace, lines);
  g_unlink (path);
  g_rmdir (folder);
  return g_strchomp (g_string_free (text, FALSE));
}

static void
test_told (void)
{
  check_cases ("trace", "told.txt", answer_told);
}

/* --- large ones --------------------------------------------------------------------------------------- */

/* Fifty thousand in a scrambled order, with ties: every id once, sorted, and what was recorded first first. */
static void
test_sorting (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *events;
  guint n;

  for (guint i = 0; i < 50000; i++)
    ADD ("x", .start = (gint64) (i * 7919u % 10007u), .bytes = i);
  trace = finish (builder);
  events = memlane_trace_get_events (trace, &n);
  g_assert_cmpuint (n, ==, 50000);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (events[i].start, ==, (gint64) (events[i].bytes * 7919u % 10007u));
      if (i > 0 && events[i].start == events[i - 1].start)
        g_assert_cmpuint (events[i].bytes, >, events[i - 1].bytes);
      else if (i > 0)
        g_assert_cmpint (events[i].start, >, events[i - 1].start);
    }
}

/* More tracks than lanes, more at once than rows: nothing is lost. */
static void
test_limits (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceLane *lanes;
  guint n, n_lanes, events = 0;

  for (guint i = 0; i < 70000; i++)
    ADD ("x", .kind = MEMLANE_TRACE_OTHER, .stream = 70000 - i, .start = i, .duration = 1);
  for (guint i = 0; i < 300; i++)
    ADD ("k", .kind = MEMLANE_TRACE_KERNEL, .start = 0, .duration = 1000, .stream = 13);
  trace = finish (builder);
  lanes = memlane_trace_get_lanes (trace, &n_lanes);
  g_assert_cmpuint (n_lanes, <=, 60002);
  for (guint i = 0; i < n_lanes; i++)
    if (lanes[i].kind == MEMLANE_TRACE_LANE_OTHER)
      events += lanes[i].n_events;
  g_assert_cmpuint (events, ==, 70000);
  g_assert_cmpuint (get_lane (trace, MEMLANE_TRACE_LANE_KERNELS)->n_rows, ==, 256);
  memlane_trace_get_events (trace, &n);
  g_assert_cmpuint (n, ==, 70300);
}

/* An event is 48 bytes; and a machine without room refuses in words. */
static void
test_memory (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (GError) error = NULL;
  const MemlaneTraceEvent event = { .kind = MEMLANE_TRACE_KERNEL, .stream = 13 };
  g_autofree char *folder = g_dir_make_tmp ("memlane-trace-XXXXXX", NULL);
  g_autofree char *most = g_build_filename (folder, "memory.max", NULL), *used = g_build_filename (folder, "memory.current", NULL);
  guint added = 0;

  g_assert_cmpuint (sizeof event, ==, 48);
  g_assert_true (g_file_set_contents (most, "134217728", -1, NULL) && g_file_set_contents (used, "0", -1, NULL));
  g_setenv ("MEMLANE_CGROUP", folder, TRUE);
  while (memlane_trace_builder_add (builder, &event, &error))
    added++;
  g_assert_error (error, MEMLANE_TRACE_ERROR, MEMLANE_TRACE_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "no memory"));
  g_assert_cmpuint (added, >, 1000);
  g_assert_cmpuint (added, <, (1 << 27) / sizeof event);
  memlane_trace_builder_free (builder);
  g_unsetenv ("MEMLANE_CGROUP");
  g_unlink (most);
  g_unlink (used);
  g_rmdir (folder);
}

static void
test_times (void)
{
  static const struct
  {
    double ns;
    const char *text;
  } cases[] = { { 0, "0ns" }, { 960, "960ns" }, { 999.4, "999ns" }, { 999.6, "0.9996us" }, { 1152, "1.1520us" }, { 25503, "25.503us" },
                { 100500, "100.50us" }, { 999994, "999.99us" }, { 999996, "1.0000ms" }, { 5567800, "5.5678ms" }, { 100.5e6, "100.50ms" },
                { 1.1e9, "1.10000s" }, { 123.456e9, "123.4560s" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = memlane_summary_format_time (cases[i].ns);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/told", test_told);
  g_test_add_func ("/trace/sorting", test_sorting);
  g_test_add_func ("/trace/limits", test_limits);
  g_test_add_func ("/trace/memory", test_memory);
  g_test_add_func ("/trace/times", test_times);
  return g_test_run ();
}
