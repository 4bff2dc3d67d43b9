/* test-trace.c: events into a trace: order, lanes, rows, links; the summary and the bounds against hand-computed ones
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include <glib/gstdio.h>

#include "analysis/findings.h"
#include "trace/builder.h"
#include "trace/summary.h"
#include "engine/same-trace.h"

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

static void
test_empty (void)
{
  g_autoptr (MemlaneTrace) trace = finish (memlane_trace_builder_new ());
  g_autoptr (GPtrArray) findings = memlane_trace_find (trace);
  g_autoptr (GArray) rows = memlane_trace_summarize (trace);
  g_autofree char *text = memlane_trace_summary_to_text (trace);
  MemlaneTraceBounds bounds;
  guint n;

  memlane_trace_get_events (trace, &n);
  g_assert_cmpuint (n, ==, 0);
  memlane_trace_get_lanes (trace, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpint (memlane_trace_get_end (trace), ==, 0);
  g_assert_cmpuint (findings->len, ==, 0);
  g_assert_cmpuint (rows->len, ==, 0);
  g_assert_nonnull (strstr (text, "no activity"));
  g_assert_false (memlane_trace_compute_bounds (trace, &bounds));
  g_assert_cmpuint (memlane_trace_find_call (trace, 0), ==, MEMLANE_TRACE_NONE);
  g_assert_null (memlane_trace_get_correlated (trace, 1, &n));
  g_assert_true (is_same_trace (trace, trace));
}

static void
test_order (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) trace = NULL;
  const char *const expected[] = { "first", "long", "short", "same", "last" };
  const MemlaneTraceEvent *events;
  guint n;

  ADD ("last", .start = 30, .duration = 1);
  ADD ("short", .start = 20, .duration = 5, .kind = MEMLANE_TRACE_SYNCHRONISATION);
  ADD ("long", .start = 20, .duration = 9);
  ADD ("same", .start = 20, .duration = 5, .kind = MEMLANE_TRACE_SYNCHRONISATION);
  ADD ("first", .start = 10, .duration = 100);
  trace = finish (builder);
  events = memlane_trace_get_events (trace, &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (memlane_trace_get_name (trace, events[i].name), ==, expected[i]);
  g_assert_cmpint (memlane_trace_get_end (trace), ==, 110);
}

/* A million in a scrambled order, with ties: every id once, sorted, and what was recorded first first. */
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

static void
test_lanes (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceLane *kernels, *up, *lanes;
  guint n;
  const MemlaneTraceStream stream = { .number = 14, .non_blocking = TRUE };

  memlane_trace_builder_add_stream (builder, &stream);
  /* Three kernels: two at once, the third where the first has ended; a copy beside them. */
  ADD ("a", .kind = MEMLANE_TRACE_KERNEL, .start = 0, .duration = 100);
  ADD ("b", .kind = MEMLANE_TRACE_KERNEL, .start = 50, .duration = 200, .stream = 14);
  ADD ("c", .kind = MEMLANE_TRACE_KERNEL, .start = 100, .duration = 50);
  ADD ("up", .kind = MEMLANE_TRACE_COPY, .way = MEMLANE_TRACE_WAY_TO_DEVICE, .start = 400, .duration = 10);
  trace = finish (builder);

  lanes = memlane_trace_get_lanes (trace, &n);
  g_assert_cmpuint (n, ==, 4); /* copies up, kernels, two streams */
  g_assert_cmpint (lanes[0].kind, ==, MEMLANE_TRACE_LANE_COPY_UP);
  g_assert_cmpint (lanes[1].kind, ==, MEMLANE_TRACE_LANE_KERNELS);
  g_assert_cmpstr (lanes[2].title, ==, "stream 13");
  g_assert_cmpstr (lanes[3].title, ==, "stream 14 (non-blocking)");
  kernels = &lanes[1];
  g_assert_cmpuint (kernels->n_events, ==, 3);
  g_assert_cmpuint (kernels->n_rows, ==, 2);
  g_assert_cmpuint (kernels->rows[0], ==, 0);
  g_assert_cmpuint (kernels->rows[1], ==, 1);
  g_assert_cmpuint (kernels->rows[2], ==, 0);
  g_assert_cmpint (kernels->busy, ==, 250);
  up = get_lane (trace, MEMLANE_TRACE_LANE_COPY_UP);
  g_assert_cmpint (up->busy, ==, 10);

  /* What may be seen from 260 on: nothing of the kernels has to be drawn; from 240 on the long one is still there. */
  g_assert_cmpuint (memlane_trace_lane_last (trace, kernels, 100), ==, 2);
  g_assert_cmpuint (memlane_trace_lane_last (trace, kernels, 101), ==, 3);
  /* An operation's home is its stream. */
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (lanes[memlane_trace_get_events (trace, &n)[i].lane].kind, ==, MEMLANE_TRACE_LANE_STREAM);
}

static void
test_links (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) trace = NULL;
  const guint32 *ids;
  guint n;

  ADD ("call", .kind = MEMLANE_TRACE_CALL, .start = 0, .duration = 5, .correlation = 9);
  ADD ("other call", .kind = MEMLANE_TRACE_CALL, .start = 6, .duration = 5, .correlation = 4000000000u);
  ADD ("piece", .kind = MEMLANE_TRACE_COPY, .start = 7, .duration = 5, .correlation = 9);
  ADD ("piece", .kind = MEMLANE_TRACE_COPY, .start = 20, .duration = 5, .correlation = 9);
  ADD ("nobody's", .kind = MEMLANE_TRACE_KERNEL, .start = 30, .duration = 5);
  ADD ("lost", .kind = MEMLANE_TRACE_KERNEL, .start = 40, .duration = 5, .correlation = 77);
  trace = finish (builder);
  ids = memlane_trace_get_correlated (trace, 9, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (ids[0], ==, 0);
  g_assert_cmpuint (ids[1], ==, 2);
  g_assert_cmpuint (ids[2], ==, 3);
  g_assert_cmpuint (memlane_trace_find_call (trace, 3), ==, 0);
  g_assert_cmpuint (memlane_trace_find_call (trace, 0), ==, MEMLANE_TRACE_NONE);
  g_assert_cmpuint (memlane_trace_find_call (trace, 4), ==, MEMLANE_TRACE_NONE);
  g_assert_cmpuint (memlane_trace_find_call (trace, 5), ==, MEMLANE_TRACE_NONE);
  memlane_trace_get_correlated (trace, 4000000000u, &n);
  g_assert_cmpuint (n, ==, 1);
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

/* --- the summary -------------------------------------------------------------------------------------------------------- */

static void
test_summary (void)
{
  /* Copies of 1, 2 and 6 us: 9 in all, average 3, median 2, deviation sqrt ((4 + 1 + 9) / 2) = sqrt 7. Kernels of 1 us, twice. */
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GArray) rows = NULL;
  const MemlaneSummaryRow *row;
  g_autofree char *text = NULL;
  const gint64 copies[] = { 6000, 1000, 2000 };

  for (guint i = 0; i < 3; i++)
    ADD ("[CUDA memcpy HtoD]", .kind = MEMLANE_TRACE_COPY, .way = MEMLANE_TRACE_WAY_TO_DEVICE, .start = i * 10000, .duration = copies[i],
         .bytes = 100);
  ADD ("add", .kind = MEMLANE_TRACE_KERNEL, .start = 40000, .duration = 1000);
  ADD ("add", .kind = MEMLANE_TRACE_KERNEL, .start = 50000, .duration = 1000);
  ADD ("cudaMemcpy", .kind = MEMLANE_TRACE_CALL, .start = 0, .duration = 960);
  ADD ("[Unified Memory HtoD]", .kind = MEMLANE_TRACE_MIGRATION, .start = 0, .duration = 10);
  ADD ("upload", .kind = MEMLANE_TRACE_PHASE, .start = 0, .duration = 10);   /* in no section */
  ADD ("host touch", .kind = MEMLANE_TRACE_HOST, .start = 0, .duration = 10);
  trace = finish (builder);
  rows = memlane_trace_summarize (trace);
  g_assert_cmpuint (rows->len, ==, 4);

  row = &g_array_index (rows, MemlaneSummaryRow, 0);
  g_assert_cmpint (row->section, ==, MEMLANE_SUMMARY_GPU_ACTIVITIES);
  g_assert_cmpstr (row->name, ==, "[CUDA memcpy HtoD]");
  g_assert_cmpfloat_with_epsilon (row->percent, 900.0 / 11, 1e-9);
  g_assert_cmpfloat (row->total, ==, 9000);
  g_assert_cmpuint (row->calls, ==, 3);
  g_assert_cmpfloat (row->average, ==, 3000);
  g_assert_cmpfloat (row->minimum, ==, 1000);
  g_assert_cmpfloat (row->maximum, ==, 6000);
  g_assert_cmpfloat (row->median, ==, 2000);
  g_assert_cmpfloat_with_epsilon (row->deviation, 2645.7513110645906, 1e-9);
  g_assert_cmpuint (row->bytes, ==, 300);
  row = &g_array_index (rows, MemlaneSummaryRow, 1);
  g_assert_cmpstr (row->name, ==, "add");
  g_assert_cmpfloat_with_epsilon (row->percent, 200.0 / 11, 1e-9);
  g_assert_cmpfloat (row->median, ==, 1000);
  g_assert_cmpfloat (row->deviation, ==, 0);
  g_assert_cmpint (g_array_index (rows, MemlaneSummaryRow, 2).section, ==, MEMLANE_SUMMARY_UNIFIED_MEMORY);
  g_assert_cmpfloat (g_array_index (rows, MemlaneSummaryRow, 3).percent, ==, 100);

  text = memlane_trace_summary_to_text (trace);
  g_assert_cmpstr (text, ==,
                   "           Type  Time(%)      Time     Calls       Avg       Min       Max    Median    StdDev  Name\n"
                   " GPU activities:  81.82%  9.0000us         3  3.0000us  1.0000us  6.0000us  2.0000us  2.6458us  [CUDA memcpy HtoD]\n"
                   "                  18.18%  2.0000us         2  1.0000us  1.0000us  1.0000us  1.0000us       0ns  add\n"
                   " Unified memory: 100.00%      10ns         1      10ns      10ns      10ns      10ns       0ns  [Unified Memory HtoD]\n"
                   "      API calls: 100.00%     960ns         1     960ns     960ns     960ns     960ns       0ns  cudaMemcpy\n");
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

/* --- bounds ------------------------------------------------------------------------------------------------------------------ */

static void
test_bounds (void)
{
  /* Up 0..40 and 30..60 (busy 60), kernels 50..80 (30), down 70..90 (20): serial 110, one way max (80, 30) = 80, full 60, measured 90:
   * (110 - 90) / (110 - 60) = 0.4. */
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  const MemlaneTraceFinding *finding;
  g_autofree char *text = NULL;
  MemlaneTraceBounds bounds;

  ADD ("u", .kind = MEMLANE_TRACE_COPY, .way = MEMLANE_TRACE_WAY_TO_DEVICE, .start = 0, .duration = 40);
  ADD ("u", .kind = MEMLANE_TRACE_COPY, .way = MEMLANE_TRACE_WAY_TO_DEVICE, .start = 30, .duration = 30, .stream = 14);
  ADD ("k", .kind = MEMLANE_TRACE_KERNEL, .start = 50, .duration = 30);
  ADD ("d", .kind = MEMLANE_TRACE_COPY, .way = MEMLANE_TRACE_WAY_TO_HOST, .start = 70, .duration = 20);
  ADD ("call", .kind = MEMLANE_TRACE_CALL, .start = 0, .duration = 500);
  trace = finish (builder);
  g_assert_true (memlane_trace_compute_bounds (trace, &bounds));
  g_assert_cmpfloat (bounds.up, ==, 60);
  g_assert_cmpfloat (bounds.kernel, ==, 30);
  g_assert_cmpfloat (bounds.down, ==, 20);
  g_assert_cmpfloat (bounds.serial, ==, 110);
  g_assert_cmpfloat (bounds.one_way, ==, 80);
  g_assert_cmpfloat (bounds.full, ==, 60);
  g_assert_cmpfloat (bounds.measured, ==, 90);
  g_assert_cmpfloat_with_epsilon (bounds.efficiency, 0.4, 1e-12);
  findings = memlane_trace_find (trace);
  g_assert_cmpuint (findings->len, ==, 1);
  finding = findings->pdata[0];
  g_assert_cmpint (finding->kind, ==, MEMLANE_FINDING_OVERLAP);
  g_assert_cmpuint (finding->n_events, ==, 4);
  text = memlane_answer_format (finding->sentence, NULL, NULL, NULL);
  g_assert_cmpstr (text, ==,
                   "Overlap efficiency 40 %: the device needed 90 ns. Without overlap it would need 110 ns, with ideal overlap 80 ns (one "
                   "copy engine) or 60 ns (two). The efficiency is 0 % without overlap and 100 % at ideal overlap.");
}

/* Faults that overlap count once, and what of them lies beside a kernel is none of its time: 40 of the kernels' 100 ns. */
static void
test_faults (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  gboolean found = FALSE;

  ADD ("kernel", .kind = MEMLANE_TRACE_KERNEL, .start = 100, .duration = 80);
  ADD ("kernel", .kind = MEMLANE_TRACE_KERNEL, .start = 160, .duration = 40, .stream = 14); /* together 100 to 200 */
  ADD ("fault", .kind = MEMLANE_TRACE_FAULT, .flags = MEMLANE_TRACE_ON_DEVICE, .start = 50, .duration = 60, .count = 1);
  ADD ("fault", .kind = MEMLANE_TRACE_FAULT, .flags = MEMLANE_TRACE_ON_DEVICE, .start = 55, .duration = 65, .count = 1);
  ADD ("fault", .kind = MEMLANE_TRACE_FAULT, .flags = MEMLANE_TRACE_ON_DEVICE, .start = 180, .duration = 100, .count = 1);
  ADD ("fault", .kind = MEMLANE_TRACE_FAULT, .flags = MEMLANE_TRACE_ON_DEVICE, .start = 190, .duration = 90, .count = 1);
  trace = finish (builder);
  findings = memlane_trace_find (trace);
  for (guint i = 0; i < findings->len; i++)
    {
      const MemlaneTraceFinding *finding = findings->pdata[i];
      g_autofree char *text = memlane_answer_format (finding->sentence, NULL, NULL, NULL);

      if (finding->kind != MEMLANE_FINDING_FAULTS)
        continue;
      found = TRUE;
      g_assert_nonnull (strstr (text, "(4 faults, 0 bytes) during 40 % of their time"));
    }
  g_assert_true (found);
}

/* Streams are called 1 to n whatever their numbers are; the default stream has no place among them. */
static void
test_stream_places (void)
{
  static const MemlaneTraceStream streams[] = { { .number = 7, .is_default = TRUE }, { .number = 13 }, { .number = 20 } };
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) trace = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    memlane_trace_builder_add_stream (builder, &streams[i]);
  ADD ("k", .kind = MEMLANE_TRACE_KERNEL, .start = 0, .duration = 30, .stream = 14);
  trace = finish (builder);
  g_assert_cmpuint (memlane_trace_stream_place (trace, 7), ==, 0);
  g_assert_cmpuint (memlane_trace_stream_place (trace, 13), ==, 1);
  g_assert_cmpuint (memlane_trace_stream_place (trace, 14), ==, 2);
  g_assert_cmpuint (memlane_trace_stream_place (trace, 20), ==, 3);
  g_assert_cmpuint (memlane_trace_stream_place (trace, 15), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/stream-places", test_stream_places);
  g_test_add_func ("/trace/faults", test_faults);
  g_test_add_func ("/trace/empty", test_empty);
  g_test_add_func ("/trace/order", test_order);
  g_test_add_func ("/trace/sorting", test_sorting);
  g_test_add_func ("/trace/lanes", test_lanes);
  g_test_add_func ("/trace/links", test_links);
  g_test_add_func ("/trace/limits", test_limits);
  g_test_add_func ("/trace/memory", test_memory);
  g_test_add_func ("/trace/summary", test_summary);
  g_test_add_func ("/trace/times", test_times);
  g_test_add_func ("/trace/bounds", test_bounds);
  return g_test_run ();
}
