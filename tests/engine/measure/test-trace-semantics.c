/* test-trace-semantics.c: the semantics at the end of modes.md as facts of traces
 *
 * SPDX-License-Identifier: MIT
 *
 * Each script (device-script.h) of trace-semantics.txt is recorded, and its answer says what the
 * trace shows. In the line of the order a comma stands before what runs beside something that began
 * earlier, and a semicolon where all of that has ended.
 */
#include "base/each.h"
#include "engine/cases.h"
#include "engine/device-script.h"
#include "engine/trace-aspects.h"

/* --- what they show --------------------------------------------------------------------------- */

static void
describe_order (const MemlaneTrace *trace, GString *text)
{
  gint64 end = 0;

  for EACH (event, trace)
    if (event->kind != MEMLANE_TRACE_CALL
        && (event->kind != MEMLANE_TRACE_SYNCHRONISATION
            || (event->flags & MEMLANE_TRACE_ON_DEVICE) != 0))
      {
        g_string_append_printf (text, "%s %s of %" G_GUINT64_FORMAT, event->start < end ? "," : ";",
                                memlane_trace_get_name (trace, event->name), event->bytes);
        if (event->stream != MEMLANE_TRACE_NO_STREAM)
          g_string_append_printf (text, " in stream %u", event->stream);
        if ((event->flags & MEMLANE_TRACE_ON_DEVICE) != 0)
          g_string_append (text, " on the device");
        end = MAX (end, end_of (event));
      }
  if (text->len > 0)
    g_string_erase (text, 0, 2);
}

static void
describe_streams (const MemlaneTrace *trace, GString *text)
{
  guint n;
  const MemlaneTraceStream *streams = memlane_trace_get_streams (trace, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%u%s%s%+d; ", streams[i].number,
                            streams[i].is_default ? ", default" : "",
                            streams[i].non_blocking ? ", non-blocking" : "", streams[i].priority);
}

static void
add (GString *text, const char *name, void (*describe) (const MemlaneTrace *, GString *),
     const MemlaneTrace *trace)
{
  g_autoptr (GString) words = g_string_new (NULL);

  describe (trace, words);
  if (words->len > 0)
    g_string_append_printf (text, "  %s: %s\n", name, g_strchomp (words->str));
}

static char *
answer_script (const char *asked)
{
  g_auto (GStrv) lines = g_strsplit (asked, "\n", -1);
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  GString *text = g_string_new (NULL);
  Script script = { 0 };
  guint i = script_open (&script, lines);
  MemlaneTracer *tracer = trace_from (&script.bench);

  for (; *lines[i] != '\0'; i++)
    script_do (&script, lines[i]);
  trace = trace_to (&script.bench, tracer);
  add (text, "streams", describe_streams, trace);
  add (text, "order", describe_order, trace);
  for (i = 0; i < G_N_ELEMENTS (aspects); i++)
    add (text, aspects[i].name, aspects[i].describe, trace);
  findings = memlane_trace_find (trace);
  MEMLANE_FOR_EACH (const MemlaneTraceFinding, finding, findings)
    {
      g_autofree char *sentence = memlane_answer_format (finding->sentence, NULL, NULL, NULL);

      g_string_append_printf (text, "  %s\n", sentence);
    }
  for EACH (call, trace)
    if (call->kind == MEMLANE_TRACE_CALL && (call->flags & MEMLANE_TRACE_FAILED) != 0)
      g_string_append_printf (text, "  failed: %s\n", memlane_trace_get_name (trace, call->name));
  g_free (script_close (&script));
  return g_strchomp (g_string_free (text, FALSE));
}

static void
test_scripts (void)
{
  check_cases ("measure", "trace-semantics.txt", answer_script);
}

/* Clocks that disagree: what ends before it begins is counted, what began before the start is
 * left out. */
static void
test_dropped (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent event = { .kind = MEMLANE_TRACE_KERNEL, .stream = 13 };
  double origin;

  bench_open (&b);
  tracer = trace_from (&b);
  origin = tracer->origin;
  memlane_tracer_add (tracer, &event, "backwards", origin + 20, origin + 10);
  memlane_tracer_add (tracer, &event, "never", origin + 20, NAN);
  memlane_tracer_add (tracer, &event, "early", origin - 20, origin + 10);
  memlane_tracer_add (tracer, &event, "good", origin + 0.4, origin + 10.6);
  memlane_tracer_get_info (tracer)->dropped += 5;
  trace = trace_to (&b, tracer);
  g_assert_cmpuint (memlane_trace_get_info (trace)->dropped, ==, 7);
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_KERNEL), ==, 1);
  g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_KERNEL, "good", 0)->start, ==, 0);
  g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_KERNEL, "good", 0)->duration, ==, 11);
  bench_close (&b);
}

/* A device has one tracer; after it the next one works. */
static void
test_one_tracer (void)
{
  Bench b = { 0 };
  MemlaneTracer *tracer;
  g_autoptr (GError) error = NULL;

  bench_open (&b);
  tracer = trace_from (&b);
  g_assert_null (memlane_tracer_new (b.d, &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID);
  memlane_tracer_free (tracer);
  memlane_trace_unref (trace_to (&b, trace_from (&b)));
  bench_close (&b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/scripts", test_scripts);
  g_test_add_func ("/trace/dropped", test_dropped);
  g_test_add_func ("/trace/one-tracer", test_one_tracer);
  return g_test_run ();
}
