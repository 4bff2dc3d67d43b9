/* test-timeline-words.c: events, spans and traces in words
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/chart/stage.h"
#include "ui/chart/trace-stage.h"

static void
check (char *found, const char *expected)
{
  g_assert_cmpstr (found, ==, expected);
  g_free (found);
}

/* ids of make_small_trace(): by start; of two that start together the longer one first. */
static void
test_events (void)
{
  g_autoptr (MemlaneTrace) trace = make_small_trace ();

  check (memlane_timeline_tell_event (trace, 0, "\n"), "cudaMemcpyAsync\nfrom 0 ns, took 2.00 µs\nstream 1");
  check (memlane_timeline_tell_event (trace, 1, "\n"),
         "[CUDA memcpy HtoD]\nfrom 1.50 µs, took 2.00 µs\n64 KiB, 32.8 GB/s\npageable to device, stream 1, staged through the "
         "driver’s buffer\nissued by cudaMemcpyAsync at 0 ns");
  check (memlane_timeline_tell_event (trace, 2, ", "), "wait, from 2.00 µs, took 5.00 µs, implicit");
  check (memlane_timeline_tell_event (trace, 4, ", "), "[Unified Memory GPU page faults], from 4.00 µs, took 500 ns, 3 page faults");
  check (memlane_timeline_tell_event (trace, 6, ", "), "cudaFree, from 8.00 µs, took 1.00 µs, failed");
  check (memlane_timeline_tell_event (trace, 7, ", "), "mark, at 9.50 µs");
  check (memlane_timeline_tell_event (trace, 8, ", "), "");
  check (memlane_timeline_tell_event (trace, MEMLANE_TRACE_NONE, ", "), "");
}

/* What play says while each begins: a sentence. */
static void
test_narration (void)
{
  g_autoptr (MemlaneTrace) trace = make_small_trace (), pageable = read_recorded_trace ("pageable-2p20");
  guint n, blocking = 0;

  check (memlane_timeline_narrate (trace, 0), "The host calls cudaMemcpyAsync.");
  check (memlane_timeline_narrate (trace, 1), "A copy engine moves 64 KiB to the device.");
  check (memlane_timeline_narrate (trace, 2), "The host is blocked: it waits for the device.");
  check (memlane_timeline_narrate (trace, 8), "");
  memlane_trace_get_events (pageable, &n);
  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *sentence = memlane_timeline_narrate (pageable, i);

      g_assert_null (strchr (sentence, '{'));
      blocking += g_str_equal (sentence, "The host calls cudaMemcpy and waits until it is done.");
    }
  g_assert_cmpuint (blocking, >=, 1); /* an upload returns once its last part is staged */
}

/* The share of the kernels' time in which device faults are served, counted ns by ns. */
static double
count_waiting (const MemlaneTrace *trace)
{
  guint n, end = (guint) memlane_trace_get_end (trace) + 1;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  g_autofree guint8 *busy = g_new0 (guint8, end);
  guint kernel = 0, both = 0;

  for (const MemlaneTraceEvent *event = events; event < events + n; event++)
    if (event->kind == MEMLANE_TRACE_KERNEL
        || (event->kind == MEMLANE_TRACE_FAULT && (event->flags & MEMLANE_TRACE_ON_DEVICE) != 0))
      for (gint64 at = event->start; at < event->start + event->duration; at++)
        busy[at] |= event->kind == MEMLANE_TRACE_KERNEL ? 1 : 2;
  for (guint at = 0; at < end; at++)
    {
      kernel += busy[at] & 1;
      both += busy[at] == 3;
    }
  return (double) both / kernel;
}

/* The number after @before in @text. */
static double
number_after (const char *text, const char *before)
{
  const char *at = strstr (text, before);

  if (at == NULL)
    g_error ("\"%s\" does not say \"%s\"", text, before);
  return g_ascii_strtod (at + strlen (before), NULL);
}

/* The headline is true of the trace. */
static void
test_headlines (void)
{
  static const char *const silent[] = { "device-resident-2p20", "mapped-2p20" };
  g_autoptr (MemlaneTrace) managed = read_recorded_trace ("managed-2p20"), pageable = read_recorded_trace ("pageable-2p20");
  g_autoptr (MemlaneTrace) pinned = read_recorded_trace ("pinned-2p20"), small = read_recorded_trace ("pinned-2p14");
  g_autoptr (MemlaneTrace) portable = read_recorded_trace ("portable-2p20");
  g_autoptr (GPtrArray) found = memlane_trace_find (managed);
  const MemlaneTimelineTrack one = { managed, NULL, NULL };
  const MemlaneTimelineTrack two[] = { { pageable, NULL, NULL }, { pinned, NULL, NULL } };
  const MemlaneTimelineTrack sizes[] = { { pageable, NULL, NULL }, { small, NULL, NULL } };
  const MemlaneTimelineTrack same[] = { { portable, NULL, NULL }, { pinned, NULL, NULL } };
  g_autofree char *faults = memlane_timeline_headline (&one, 1, found), *race = memlane_timeline_headline (two, 2, NULL);
  g_autofree char *tie = memlane_timeline_headline (same, 2, NULL);
  double ratio = (double) memlane_trace_get_end (pageable) / (double) memlane_trace_get_end (pinned);

  g_assert_true (g_str_has_prefix (faults, "Managed: the kernel waits "));
  g_assert_true (g_str_has_suffix (faults, " of its time for page faults"));
  g_assert_cmpfloat_with_epsilon (number_after (faults, "waits "), 100 * count_waiting (managed), 1);
  g_assert_true (g_str_has_prefix (race, "Pinned takes "));
  g_assert_cmpfloat_with_epsilon (number_after (race, "takes "), (double) memlane_trace_get_end (pinned) / 1e3, 1); /* µs */
  g_assert_cmpfloat_with_epsilon (number_after (race, "Pageable "), (double) memlane_trace_get_end (pageable) / 1e6, 0.01); /* ms */
  g_assert_cmpfloat_with_epsilon (number_after (race, "ms: "), ratio, 0.06);
  g_assert_null (memlane_timeline_headline (sizes, 2, NULL)); /* another size is another work */
  g_test_message ("%s", tie);
  for (guint i = 0; i < G_N_ELEMENTS (silent); i++)
    {
      g_autoptr (MemlaneTrace) trace = read_recorded_trace (silent[i]);
      g_autoptr (GPtrArray) findings = memlane_trace_find (trace);
      const MemlaneTimelineTrack track = { trace, NULL, NULL };
      g_autofree char *words = memlane_timeline_headline (&track, 1, findings);

      g_assert_null (words);
    }
}

/* Up 1.5..3.5, kernel 3.5..7.5, down 7..8, calls 0..2 and 8..9 of 10 us. */
static void
test_spans (void)
{
  g_autoptr (MemlaneTrace) trace = make_small_trace ();

  check (memlane_timeline_read_span (trace, 0, 10000),
         "10.0 µs: 65 KiB moved, copies to device 20 %, copies to host 10 %, kernels 40 %, 5 % overlapped, host 30 %");
  check (memlane_timeline_read_span (trace, 20000, 10000), "10.0 µs: no activity");
  check (memlane_timeline_read_span (trace, 2500, 3500), "1.00 µs: 32 KiB moved, copies to device 100 %");
}

static void
test_bounds (void)
{
  g_autoptr (MemlaneTrace) trace = make_small_trace (), empty = finish_trace (memlane_trace_builder_new ());

  /* (7 - 6.5) of (7 - 4) */
  check (memlane_timeline_read_bounds (trace),
         "overlap efficiency 17 %: 6.50 µs measured; 7.00 µs serial, 4.00 µs with one copy engine, 4.00 µs with ideal overlap");
  g_assert_null (memlane_timeline_read_bounds (empty));
}

static void
test_traces (void)
{
  g_autoptr (MemlaneTrace) trace = make_small_trace (), empty = finish_trace (memlane_trace_builder_new ());
  const MemlaneTimelineTrack track = { trace, NULL }, other = { empty, "Mine" };
  g_autofree char *description = memlane_timeline_describe (&track, 1), *of_empty = memlane_timeline_describe (&other, 1);

  check (memlane_timeline_title (trace), "Pinned · 2¹⁴ floats · A device · SIMULATED");
  check (memlane_timeline_title (empty), "A trace");
  g_assert_true (g_str_has_prefix (description, "Timeline of Pinned, 2¹⁴ floats, A device: Vector addition, total time 9.50 µs, "
                                                "8 events, recorded from by hand, 2 records lost, 1 note. "
                                                "Simulated: not measured on a GPU. Lane “host”: "));
  g_assert_nonnull (strstr (description, "Lane “kernels”: 1 event, busy 42 %."));
  g_assert_nonnull (strstr (description, "overlap efficiency 17 %"));
  g_assert_cmpstr (of_empty, ==, "Timeline of Mine: 0 events.");
  check (memlane_timeline_describe (NULL, 0), "No trace is shown. Record one, or open a trace file.");
}

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/timeline-words/headlines", test_headlines);
  g_test_add_func ("/timeline-words/events", test_events);
  g_test_add_func ("/timeline-words/narration", test_narration);
  g_test_add_func ("/timeline-words/spans", test_spans);
  g_test_add_func ("/timeline-words/bounds", test_bounds);
  g_test_add_func ("/timeline-words/traces", test_traces);
  return run_stage ();
}
