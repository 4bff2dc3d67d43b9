/* test-cupti-trace.c: when CUPTI is opened, and what a trace says of pages; on a CUPTI of our own
 *
 * SPDX-License-Identifier: MIT
 *
 * Each test is a process of its own: CUPTI and a first context come once in a process.
 */
#include <dlfcn.h>
#include <time.h>

#include "fake-cupti.h"
#include "engine/trace-bench.h"
#include "device/cuda/cupti-trace.h"

static Bench bench;
static gint64 ahead; /* ns by which the bench's clock is ahead of the system's: some minus fifty years */

/* The bench's clock stands where the test begins; from there this one goes on with the system's, as a host's does. */
static double
running_clock (void)
{
  struct timespec time;

  clock_gettime (CLOCK_REALTIME, &time);
  return (double) ((gint64) time.tv_sec * 1000000000 + time.tv_nsec + ahead);
}

/* The library is opened by whoever asks; NULL: nobody has yet. */
static FakeCupti *
get_fake (gboolean open)
{
  void *library = dlopen (g_getenv ("MEMLANE_CUPTI"), RTLD_NOW | RTLD_LOCAL | (open ? 0 : RTLD_NOLOAD));

  return library != NULL ? dlsym (library, "fake_cupti") : NULL;
}

/* A recording of a call from 100 to 5000 ns, within which a page went up at @page_time if at all. */
static MemlaneTrace *
record (FakeCupti *fake, double page_time, gint64 to_their_clock)
{
  g_autofree char *reason = NULL;
  MemlaneTracer *tracer = trace_from (&bench);
  double origin = tracer->origin;
  MemlaneCupti *cupti;
  MemlaneTrace *trace;

  fake->page_time = page_time != 0 ? (uint64_t) ((gint64) (origin + page_time) + to_their_clock) : 0;
  memlane_tracer_expect_pages (tracer);
  cupti = memlane_cupti_begin (0, running_clock, &reason);
  g_assert_cmpstr (reason, ==, NULL);
  memlane_cupti_enter (cupti, 1);
  memlane_cupti_leave (cupti, 1, origin + 100, origin + 5000);
  memlane_tracer_stop (tracer);
  memlane_cupti_end (cupti, tracer);
  trace = trace_to (&bench, tracer);
  return trace;
}

static gboolean
notes (const MemlaneTrace *trace, const char *text)
{
  const GPtrArray *all = memlane_trace_get_info (trace)->notes;

  for (guint i = 0; i < all->len; i++)
    if (strstr (all->pdata[i], text) != NULL)
      return TRUE;
  return FALSE;
}

/* Who does not prepare has no CUPTI until the first recording, and the counters are off after it. */
static void
test_unprepared (void)
{
  g_autoptr (MemlaneTrace) trace = NULL, second = NULL;
  FakeCupti *fake;

  memlane_cupti_before_context (0, running_clock);
  g_assert_null (get_fake (FALSE));
  fake = get_fake (TRUE);
  fake->most_counters = 7;
  trace = record (fake, 0, 0);
  g_assert_true (notes (trace, "nothing of the driver's staging"));
  g_assert_true (notes (trace, "no page faults and no migrations: the counters were switched on when there was a CUDA context already"));
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_MIGRATION), ==, 0);
  g_assert_cmpuint (fake->pages_enabled, ==, 1);
  g_assert_cmpuint (fake->pages_disabled, ==, 1);
  g_assert_cmpuint (fake->others_enabled, >=, 6);
  second = record (fake, 1000, 0);
  g_assert_cmpuint (count_kind (second, MEMLANE_TRACE_MIGRATION), ==, 2);
  g_assert_false (notes (second, "no page faults"));
  g_assert_false (notes (second, "untraced samples, too"));
  g_assert_cmpuint (fake->pages_disabled, ==, 2);
}

/* Who does has the counters on before the first context, and for good. What they tell between recordings is dropped. */
static void
test_prepared (void)
{
  g_autoptr (MemlaneTrace) trace = NULL, second = NULL, third = NULL;
  FakeCupti *fake = get_fake (TRUE);

  fake->most_counters = 4;
  memlane_cupti_prepare ();
  memlane_cupti_prepare ();
  g_assert_cmpuint (fake->configured, ==, 0);
  memlane_cupti_before_context (0, running_clock);
  g_assert_cmpuint (fake->configured, ==, 2); /* seven were too many */
  g_assert_cmpuint (fake->pages_enabled, ==, 1);
  g_assert_cmpuint (fake->others_enabled, ==, 0);
  memlane_cupti_before_context (1, running_clock);
  trace = record (fake, 1000, 0);
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_MIGRATION), ==, 2); /* of the three that were told of */
  g_assert_cmpint (get_nth (trace, MEMLANE_TRACE_MIGRATION, NULL, 0)->start, ==, 1000);
  g_assert_true (notes (trace, "untraced samples, too"));
  g_assert_false (notes (trace, "no page faults"));
  second = record (fake, 0, 0);
  g_assert_true (notes (second, "no page faults and no migrations: the counters were switched on before the CUDA context was made"));
  third = record (fake, 7000, 0);
  g_assert_cmpuint (count_kind (third, MEMLANE_TRACE_MIGRATION), ==, 0);
  g_assert_true (notes (third, "of 2 that were told of, the nearest lies 2.0 us after it"));
  g_assert_cmpuint (fake->pages_enabled, ==, 1);
  g_assert_cmpuint (fake->pages_disabled, ==, 0);
}

static void
test_refused (void)
{
  g_autoptr (MemlaneTrace) trace = NULL;
  FakeCupti *fake = get_fake (TRUE);

  fake->refuses = TRUE;
  memlane_cupti_prepare ();
  memlane_cupti_before_context (0, running_clock);
  trace = record (fake, 1000, 0);
  g_assert_true (notes (trace, "no page faults and no migrations (cuptiActivityConfigureUnifiedMemoryCounter: "
                               "CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED"));
  g_assert_cmpuint (fake->pages_enabled, ==, 0);
}

/* Their times may be the system's. */
static void
test_realtime (void)
{
  g_autoptr (MemlaneTrace) trace = NULL;
  FakeCupti *fake = get_fake (TRUE);

  fake->most_counters = 7;
  memlane_cupti_prepare ();
  memlane_cupti_before_context (0, running_clock);
  trace = record (fake, 3000, -ahead);
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_MIGRATION), ==, 2);
  /* As well as one clock can be read between two reads of the other. */
  g_assert_cmpint (ABS (get_nth (trace, MEMLANE_TRACE_MIGRATION, NULL, 0)->start - 3000), <, 2000);
  g_assert_true (notes (trace, "CUPTI told the times of 2 page faults and migrations on the system's clock"));
}

static void
run (gconstpointer data)
{
  const char *path = data;

  g_test_trap_subprocess (path, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  bench_open (&bench);
  memlane_device_pause (bench.d, 1e6);
  ahead = (gint64) memlane_device_clock (bench.d) - g_get_real_time () * 1000;
  g_test_add_func ("/cupti/subprocess/unprepared", test_unprepared);
  g_test_add_func ("/cupti/subprocess/prepared", test_prepared);
  g_test_add_func ("/cupti/subprocess/refused", test_refused);
  g_test_add_func ("/cupti/subprocess/realtime", test_realtime);
  g_test_add_data_func ("/cupti/unprepared", "/cupti/subprocess/unprepared", run);
  g_test_add_data_func ("/cupti/prepared", "/cupti/subprocess/prepared", run);
  g_test_add_data_func ("/cupti/refused", "/cupti/subprocess/refused", run);
  g_test_add_data_func ("/cupti/realtime", "/cupti/subprocess/realtime", run);
  status = g_test_run ();
  bench_close (&bench);
  return status;
}
