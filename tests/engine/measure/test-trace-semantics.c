/* test-trace-semantics.c: the semantics at the end of modes.md as facts of traces
 *
 * SPDX-License-Identifier: MIT
 *
 * Each script below is recorded, and trace-semantics.txt says what its trace shows. In the line of
 * the order a comma stands before what runs beside something that began earlier, and a semicolon
 * where all of that has ended. Where a trace shows something else now, the test leaves the new text
 * in its folder.
 */
#include "base/each.h"
#include "engine/golden-text.h"
#include "engine/trace-aspects.h"

/* --- scripts ---------------------------------------------------------------------------------- */

static void
pageable (Bench *b)
{
  OK (memlane_device_memcpy (b->d, b->device, b->pageable, BYTES, MEMLANE_COPY_TO_DEVICE, E));
  OK (memlane_device_memcpy (b->d, b->pageable, b->device, BYTES, MEMLANE_COPY_TO_HOST, E));
}

static void
pageable_async (Bench *b)
{
  OK (memlane_device_memcpy_async (b->d, b->device, b->pageable, BYTES, MEMLANE_COPY_TO_DEVICE,
                                   b->s, E));
}

/* Staged when the call returns, and not yet there. */
static void
small_pageable (Bench *b)
{
  OK (memlane_device_memcpy_async (b->d, b->device, b->pageable, 65536, MEMLANE_COPY_TO_DEVICE,
                                   b->s, E));
}

/* Nothing of another stream that is issued later runs beside a copy from pageable memory. */
static void
pageable_beside_kernel (Bench *b)
{
  pageable_async (b);
  kernel (b, b->device3, b->device2, b->t);
}

/* The calls and what they cost show; the copy is that of any page-locked and device memory. */
static void
virtual_memory (Bench *b)
{
  void *mapped = NULL;

  OK (memlane_device_malloc_virtual (b->d, BYTES, &mapped, E));
  up (b, mapped, b->s);
  OK (memlane_device_stream_synchronize (b->d, b->s, E));
  OK (memlane_device_free_virtual (b->d, mapped, E));
}

/* Memory that the device only reads is page-locked like any other. */
static void
registered_read_only (Bench *b)
{
  OK (memlane_device_host_register (b->d, b->pageable, BYTES, MEMLANE_HOST_REGISTER_READ_ONLY, E));
  pageable_async (b);
  OK (memlane_device_synchronize (b->d, E));
  OK (memlane_device_host_unregister (b->d, b->pageable, E));
}

static void
pinned_beside_kernel (Bench *b)
{
  up (b, b->device, b->s);
  kernel (b, b->device3, b->device2, b->t);
}

static void
pinned_before_kernel (Bench *b)
{
  up (b, b->device, b->s);
  kernel (b, b->device3, b->device2, b->s);
}

static void
two_ways (Bench *b)
{
  up (b, b->device, b->s);
  down (b, b->device2, b->t);
}

static void
default_stream (Bench *b)
{
  up (b, b->device, b->s);
  kernel (b, b->device3, b->device2, NULL);
  down (b, b->device2, b->t);
}

/* Neither waits nor is waited for. */
static void
non_blocking_stream (Bench *b)
{
  MemlaneStream *stream;

  OK (memlane_device_stream_create (b->d, TRUE, 0, &stream, E));
  up (b, b->device, stream);
  kernel (b, b->device3, b->device2, NULL);
  down (b, b->device2, stream);
}

static void
do_nothing (gpointer data)
{
}

/* Another stream's copy does not wait for it. */
static void
host_function (Bench *b)
{
  up (b, b->device, b->s);
  OK (memlane_device_launch_host_function (b->d, do_nothing, NULL, b->s, E));
  kernel (b, b->device3, b->device2, b->s);
  down (b, b->device2, b->t);
}

/* Pending work is overtaken, running work is not. */
static void
priorities (Bench *b)
{
  MemlaneStream *urgent;

  OK (memlane_device_stream_create (b->d, FALSE, b->profile->info.priority_greatest, &urgent, E));
  kernel (b, b->device3, b->device2, b->s);
  kernel (b, b->device3, b->device2, b->t);
  kernel (b, b->device3, b->device2, urgent);
}

/* The host touches what the device writes, three times. */
static void
ping_pong (Bench *b)
{
  float *managed, *other;

  OK (memlane_device_malloc_managed (b->d, BYTES, (void **) &managed, E));
  OK (memlane_device_malloc_managed (b->d, BYTES, (void **) &other, E));
  OK (memlane_device_host_fill (b->d, managed, 0, BYTES, E));
  for (guint i = 0; i < 3; i++)
    {
      kernel (b, other, managed, NULL);
      OK (memlane_device_synchronize (b->d, E));
      OK (memlane_device_host_touch (b->d, other, BYTES, E));
    }
}

static void
event (Bench *b)
{
  MemlaneEvent *end;

  OK (memlane_device_event_create (b->d, &end, E));
  up (b, b->device, b->s);
  OK (memlane_device_event_record (b->d, end, b->s, E));
  OK (memlane_device_stream_wait_event (b->d, b->t, end, E));
  kernel (b, b->device3, b->device2, b->t);
}

/* A failure is told, and nothing is made up for it. */
static void
failed_call (Bench *b)
{
  REFUSED (memlane_device_memcpy (b->d, b->device, NULL, 64, MEMLANE_COPY_TO_DEVICE, E),
           MEMLANE_DEVICE_ERROR_INVALID, "NULL");
}

static void
allocate_device (Bench *b)
{
  void *pointer;

  OK (memlane_device_malloc (b->d, 8 << 20, &pointer, E));
}

static void
allocate_pinned (Bench *b)
{
  void *pointer;

  OK (memlane_device_malloc_host (b->d, 4096, &pointer, E));
}

static void
set_memory (Bench *b)
{
  OK (memlane_device_memset_async (b->d, b->device3, 0, 4096, b->s, E));
}

static void
copy_on_device (Bench *b)
{
  OK (memlane_device_memcpy_async (b->d, b->device3, b->device2, 4096, MEMLANE_COPY_ON_DEVICE,
                                   b->s, E));
}

static const struct
{
  const char *name;
  void (*play) (Bench *b);
} scripts[] = {
  { "pageable", pageable },
  { "pageable, asynchronous", pageable_async },
  { "pageable, asynchronous, small", small_pageable },
  { "pageable beside a kernel", pageable_beside_kernel },
  { "virtual memory", virtual_memory },
  { "registered, only read", registered_read_only },
  { "pinned beside a kernel", pinned_beside_kernel },
  { "pinned before a kernel", pinned_before_kernel },
  { "two ways", two_ways },
  { "two ways, the default stream between", default_stream },
  { "a non-blocking stream", non_blocking_stream },
  { "a host function", host_function },
  { "priorities", priorities },
  { "an event", event },
  { "pages to and fro", ping_pong },
  { "a call that fails", failed_call },
},
  /* what some devices wait for, between two copies in two streams */
  between[] = {
    { "device allocation", allocate_device },
    { "pinned allocation", allocate_pinned },
    { "memset", set_memory },
    { "copy on the device", copy_on_device },
  };

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

static void
record (GString *text, const char *name, void (*play) (Bench *b), gboolean is_between,
        MemlaneProfile *profile)
{
  Bench b = { .profile = profile };
  MemlaneTracer *tracer;
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GPtrArray) findings = NULL;

  bench_open (&b);
  tracer = trace_from (&b);
  if (is_between)
    up (&b, b.device, b.s);
  play (&b);
  if (is_between)
    down (&b, b.device2, b.t);
  trace = trace_to (&b, tracer);
  g_string_append_printf (text, "\n%s%s\n", name,
                          !is_between ? "" : profile->sync_memset ? ": waits" : ": does not wait");
  add (text, "streams", describe_streams, trace);
  add (text, "order", describe_order, trace);
  for (guint i = 0; i < G_N_ELEMENTS (aspects); i++)
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
  bench_close (&b);
}

static void
test_scripts (void)
{
  g_autoptr (GString) text = g_string_new ("What the scripts of test-trace-semantics.c show\n");

  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      MemlaneProfile *profile = memlane_profile_new ();

      if (scripts[i].play == priorities)
        {
          profile->info.capabilities &= ~MEMLANE_CAN_CONCURRENT_KERNELS;
          set_cost (profile, MEMLANE_COST_KERNEL, 1e5, 0);
          set_cost (profile, MEMLANE_COST_KERNEL_CACHED, 1e5, 0);
        }
      record (text, scripts[i].name, scripts[i].play, FALSE, profile);
    }
  for (guint i = 0; i < 2 * G_N_ELEMENTS (between); i++)
    {
      MemlaneProfile *profile = memlane_profile_new ();

      profile->sync_device_alloc = profile->sync_pinned_alloc = profile->sync_memset
          = profile->sync_copy_on_device = i % 2 == 0;
      /* Calls are short, and the copy is not: it still runs when they return. */
      set_cost (profile, MEMLANE_COST_MALLOC, 1000, 0);
      set_cost (profile, MEMLANE_COST_MALLOC_PINNED, 1000, 0);
      set_cost (profile, MEMLANE_COST_COPY, 1e6, 0);
      record (text, between[i / 2].name, between[i / 2].play, TRUE, profile);
    }
  compare_text (text, "measure", "trace-semantics.txt");
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
