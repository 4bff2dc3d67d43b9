/* test-lab.c: the stream laboratory: words and limits, a fault at every call, what streams do
 *
 * SPDX-License-Identifier: MIT
 *
 * lab.txt says what each pipeline shows. The teaching devices have the programming guide's whole
 * list of what serialises; the H200, as recorded by tests/gpu/test-lab, waits for no allocation,
 * but for a memset and a copy on its default stream. With one copy engine, depth first, the copy
 * down of a chunk, waiting for its kernel, holds up the next chunk's copies in the one queue;
 * breadth first kernels run beside copies. With two the order that was bad is the better one.
 */
#include "engine/device-faults.h"
#include "measure/lab.h"
#include "base/data-file.h"
#include "engine/cases.h"
#include "engine/device-script.h"
#include "engine/trace-aspects.h"

/* --- words and limits ------------------------------------------------------------------------- */

/* Words, each of which is found again, and what is said of plans that cannot be. */
static void
test_words (void)
{
  static const MemlaneLabPlan bad[] = {
    { .chunks = 300 },
    { .streams = 33 },
    { .log2_elements = 9 },
    { .log2_elements = 35 },
    { .reuse = 1001 },
    { .order = MEMLANE_LAB_N_ORDERS },
    { .between = MEMLANE_LAB_N_BETWEENS },
  };
  const MemlaneLabPlan zeroes = { .order = MEMLANE_LAB_DEPTH_FIRST };
  g_autoptr (GString) text
      = g_string_new ("Words of the stream laboratory, and plans that are refused\n");
  MemlaneLabOrder order;
  MemlaneLabBetween between;
  MemlaneLabPlan checked;

  for (guint i = 0; i < MEMLANE_LAB_N_ORDERS; i++)
    {
      const MemlaneLabWords *words = memlane_lab_order_words ((MemlaneLabOrder) i);

      g_string_append_printf (text, "order %s: %s: %s\n", words->name, words->title,
                              words->summary);
      g_assert_true (memlane_lab_order_find (words->name, &order) && order == i);
    }
  for (guint i = 0; i < MEMLANE_LAB_N_BETWEENS; i++)
    {
      const MemlaneLabWords *words = memlane_lab_between_words ((MemlaneLabBetween) i);

      g_string_append_printf (text, "between %s: %s: %s\n", words->name, words->title,
                              words->summary);
      g_assert_true (memlane_lab_between_find (words->name, &between) && between == i);
    }
  order = MEMLANE_LAB_BREADTH_FIRST;
  g_assert_false (memlane_lab_order_find ("breadth", &order));
  g_assert_false (memlane_lab_between_find ("", &between));
  g_assert_cmpint (order, ==, MEMLANE_LAB_BREADTH_FIRST);

  OK (memlane_lab_plan_check (&zeroes, &checked, E));
  g_string_append_printf (text, "by default 2^%u floats, %u streams, %u chunks, %u launches\n",
                          checked.log2_elements, checked.streams, checked.chunks, checked.reuse);
  OK (memlane_lab_plan_check (&checked, &checked, E)); /* in place */
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      memset (&checked, 0x77, sizeof checked);
      g_assert_false (memlane_lab_plan_check (&bad[i], &checked, &error));
      g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID);
      g_assert_cmpuint (checked.streams, ==, 0x77777777);
      g_string_append_printf (text, "%s\n", error->message);
    }
  compare_text (text, "measure", "lab-words.txt");
}

/* --- running ---------------------------------------------------------------------------------- */

static MemlaneTrace *
run_on (MemlaneDevice *device, const MemlaneLabPlan *plan)
{
  g_autoptr (GError) error = NULL;
  MemlaneTrace *trace = memlane_lab_run (device, plan, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
  return trace;
}

/* A device of a file, but what allocates takes next to no time: whether the device waits is then
 * not hidden by a host that comes too late. */
static MemlaneTrace *
run_quick (const char *file, const MemlaneLabPlan *plan)
{
  g_autofree char *path = memlane_data_find (file);
  g_autoptr (MemlaneProfile) profile = memlane_profile_load (path, NULL);
  MemlaneDevice *device;
  MemlaneTrace *trace;

  set_cost (profile, MEMLANE_COST_MALLOC, 1000, 0);
  set_cost (profile, MEMLANE_COST_MALLOC_PINNED, 1000, 0);
  device = memlane_simulated_device_new (profile, "simulated:quick");
  trace = run_on (device, plan);
  memlane_device_close (device);
  return trace;
}

/* Every combination computes what it should, down to the smallest chunks, and gives all back. */
static void
test_combinations (void)
{
  MemlaneDevice *device = memlane_device_open ("simulated:one-copy-engine", NULL);
  guint counts[][2] = { { 1, 1 }, { 1, 3 }, { 2, 256 }, { 32, 7 } };

  for (guint i = 0; i < MEMLANE_LAB_N_ORDERS * MEMLANE_LAB_N_BETWEENS * 16; i++)
    {
      const MemlaneLabPlan plan = {
        .order = (MemlaneLabOrder) (i % 2),
        .between = (MemlaneLabBetween) (i / 2 % MEMLANE_LAB_N_BETWEENS),
        .log2_elements = MEMLANE_LAB_SMALLEST_LOG2,
        .pageable = (i & 1) != 0,
        .non_blocking = (i / 12 & 1) != 0,
        .priorities = (i / 12 & 2) != 0,
        .host_functions = (i / 12 & 4) != 0,
        .streams = counts[i % 4][0],
        .chunks = counts[i % 4][1],
      };

      memlane_trace_unref (run_on (device, &plan));
    }
  memlane_device_close (device);
}

/* The lines of a device's file, then what is recorded on it: "trace MODE LOG2" or "lab LOG2", with
 * "pageable", "chunks" or "cancelled" after it. */
static char *
answer_refused (const char *asked)
{
  g_auto (GStrv) lines = g_strsplit (asked, "\n", -1);
  g_autoptr (GString) said = g_string_new (NULL);
  Script script = { 0 };

  for (guint i = script_open (&script, lines); *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);
      const gboolean is_lab = g_str_equal (words[0], "lab");
      const char *const *const list = (const char *const *) words;
      const guint log2_elements = (guint) g_ascii_strtoull (words[is_lab ? 1 : 2], NULL, 10);
      const MemlaneLabPlan plan = {
        .log2_elements = log2_elements,
        .pageable = g_strv_contains (list, "pageable"),
        .chunks = g_strv_contains (list, "chunks") ? 300 : 0,
      };
      const guint out = memlane_device_get_outstanding (script.bench.d);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;

      if (g_strv_contains (list, "cancelled"))
        g_cancellable_cancel (cancellable);
      if (is_lab)
        g_assert_null (memlane_lab_run (script.bench.d, &plan, cancellable, &error));
      else
        g_assert_null (memlane_trace_record (script.bench.d, NULL, memlane_mode_find (words[1]),
                                             log2_elements, cancellable, &error));
      g_assert_cmpuint (memlane_device_get_outstanding (script.bench.d), ==, out);
      g_string_append_printf (said, "%s%s", said->len > 0 ? "\n" : "", error->message);
    }
  g_free (script_close (&script));
  return g_string_free (g_steal_pointer (&said), FALSE);
}

static void
test_refused (void)
{
  check_cases ("measure", "refused.txt", answer_refused);
}

static char *
run_once (MemlaneDevice *device, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = memlane_lab_run (device, data, NULL, &error);

  g_assert_true ((trace == NULL) == (error != NULL));
  return error != NULL ? g_strdup (error->message) : NULL;
}

/* Each call that fails is named, also of the clean-up: a trace is whole or it is not there. All is
 * given back; so are host functions that still wait. */
static void
test_faults (void)
{
  for (guint i = 0; i < MEMLANE_LAB_N_BETWEENS; i++)
    {
      MemlaneLabPlan plan = {
        .order = (MemlaneLabOrder) (i % 2), .between = (MemlaneLabBetween) i, .log2_elements = 10,
        .pageable = i == 1, .host_functions = TRUE, .priorities = TRUE,
      };
      g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
      g_autoptr (MemlaneDevice) device = memlane_simulated_device_new (profile, "simulated:faulty");
      /* What differs from the first is a few calls of each piece. */
      const guint density = i == 0 || g_test_slow () ? G_MAXUINT : 24;
      guint tried;

      g_assert_cmpuint (fail_each_call (device, run_once, &plan, density, &tried), ==, tried);
      g_assert_cmpuint (tried, >, 30);
    }
}

/* Until there are calls enough. */
static void
test_lost (void)
{
  const MemlaneLabPlan plan = { .log2_elements = 10, .host_functions = TRUE };
  gboolean done = FALSE;
  guint calls;

  for (calls = 1; !done; calls += 3)
    {
      g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneTrace) trace = NULL;
      MemlaneDevice *device;

      profile->lose_device_after_calls = calls;
      device = memlane_simulated_device_new (profile, "simulated:lost");
      trace = memlane_lab_run (device, &plan, NULL, &error);
      done = trace != NULL;
      if (!done)
        g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_LOST);
      g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
      memlane_device_close (device);
    }
  g_assert_cmpuint (calls, >, 100);
}

/* --- what streams do ------------------------------------------------------------------------- */

/* Kernels long enough to hide a copy. */
#define PIPELINE .log2_elements = 21, .chunks = 4, .reuse = 16

/* Whether, of operations in the pipeline's streams, nothing issued after the middle began before
 * all that was issued before it had ended. */
static gboolean
is_parted (const MemlaneTrace *trace)
{
  guint n, before = 0, after = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  gint64 middle = get_nth (trace, MEMLANE_TRACE_PHASE, "in between", 0)->start, last = G_MININT64,
         first = G_MAXINT64;

  for (guint i = 0; i < n; i++)
    {
      const MemlaneTraceStream *stream = memlane_trace_find_stream (trace, events[i].stream);

      if (!memlane_trace_event_is_operation (&events[i]) || stream == NULL || stream->is_default)
        continue;
      if (call_of (trace, &events[i])->start < middle)
        {
          before++;
          last = MAX (last, end_of (&events[i]));
        }
      else
        {
          after++;
          first = MIN (first, events[i].start);
        }
    }
  g_assert_cmpuint (before, >, 0);
  g_assert_cmpuint (after, >, 0);
  return first >= last;
}

/* Writes what the pipeline of @plan shows on the device of @file. */
static void
describe (GString *text, const char *file, const MemlaneLabPlan *plan)
{
  static const char *const names[] = { "overlap", "kinds", "waits", "findings", NULL };
  g_autofree char *device = g_strconcat ("devices/", file, ".device", NULL);
  g_autoptr (MemlaneTrace) trace = run_quick (device, plan);
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  MemlaneTraceBounds bounds;
  guint n;
  const MemlaneTraceStream *streams = memlane_trace_get_streams (trace, &n);

  g_assert_true (memlane_trace_compute_bounds (trace, &bounds));
  g_assert_cmpfloat_with_epsilon (info->untraced_ns, info->traced_ns, info->traced_ns * 1e-6);
  g_string_append_printf (text, "\n%s, %s, %s, 2^%u floats, %s\n  streams:", file, info->workload,
                          info->mode, info->log2_elements, info->method);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, " %s%s%+d;", streams[i].is_default ? "default" : "made",
                            streams[i].non_blocking ? ", non-blocking" : "", streams[i].priority);
  g_string_append_printf (text,
                          "\n  parted: %s; overlap efficiency about %.1f; %u copies, %u kernels, "
                          "%u host functions\n",
                          plan->between == MEMLANE_LAB_NOTHING ? "-"
                          : is_parted (trace)                  ? "yes"
                                                               : "no",
                          bounds.efficiency, count_kind (trace, MEMLANE_TRACE_COPY),
                          count_kind (trace, MEMLANE_TRACE_KERNEL),
                          count_kind (trace, MEMLANE_TRACE_HOST_FUNCTION));
  for (guint i = 0; i < G_N_ELEMENTS (aspects); i++)
    {
      g_autoptr (GString) words = g_string_new (NULL);

      if (!g_strv_contains (names, aspects[i].name))
        continue;
      aspects[i].describe (trace, words);
      g_string_append_printf (text, "  %s: %s\n", aspects[i].name, g_strchomp (words->str));
    }
}

static void
test_pipelines (void)
{
  static const char *const files[] = { "one-copy-engine", "two-copy-engines", "h200" };
  g_autoptr (GString) text = g_string_new ("What pipelines of the stream laboratory show\n");
  MemlaneLabPlan plan = { PIPELINE, .streams = 1 };

  describe (text, "h200", &plan);
  plan = (MemlaneLabPlan){ PIPELINE, .pageable = TRUE };
  describe (text, "h200", &plan);
  plan = (MemlaneLabPlan){ .log2_elements = 20, .streams = 3, .chunks = 6, .host_functions = TRUE };
  describe (text, "h200", &plan);
  plan = (MemlaneLabPlan){ .between = MEMLANE_LAB_DEVICE_ALLOCATION, .log2_elements = 14,
                           .streams = 9, .chunks = 3, .reuse = 2, .non_blocking = TRUE,
                           .priorities = TRUE, .host_functions = TRUE };
  describe (text, "h200", &plan);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    for (guint order = 0; order < MEMLANE_LAB_N_ORDERS; order++)
      for (guint between = 0; between < (i > 0 ? MEMLANE_LAB_N_BETWEENS : 1); between++)
        for (guint non_blocking = 0; non_blocking < (between > 0 ? 2 : 1); non_blocking++)
          {
            plan = (MemlaneLabPlan){ .log2_elements = 18, .order = (MemlaneLabOrder) order,
                                     .between = (MemlaneLabBetween) between,
                                     .non_blocking = non_blocking };
            if (between == MEMLANE_LAB_NOTHING)
              plan = (MemlaneLabPlan){ PIPELINE, .order = (MemlaneLabOrder) order };
            describe (text, files[i], &plan);
          }
  compare_text (text, "measure", "lab.txt");
}

/* The end of the last kernel in the stream that was made last, and in the others. */
static void
find_ends (const MemlaneTrace *trace, gint64 *last, gint64 *others)
{
  guint n, newest = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  *last = *others = 0;
  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_KERNEL)
      newest = MAX (newest, events[i].stream);
  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_KERNEL && events[i].stream == newest)
      *last = MAX (*last, end_of (&events[i]));
    else if (events[i].kind == MEMLANE_TRACE_KERNEL)
      *others = MAX (*others, end_of (&events[i]));
}

/* Kernels of a millisecond that use all of the memory's bandwidth, beside each other. */
static MemlaneTrace *
run_long_kernels (const MemlaneLabPlan *plan)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  MemlaneDevice *device;
  MemlaneTrace *trace;

  set_cost (profile, MEMLANE_COST_KERNEL, 1, 80);
  set_cost (profile, MEMLANE_COST_KERNEL_CACHED, 1, 80);
  device = memlane_simulated_device_new (profile, "simulated:long");
  trace = run_on (device, plan);
  memlane_device_close (device);
  return trace;
}

/* Breadth first the last stream's kernels are issued last; with the highest priority they are done
 * before the others' pending ones. */
static void
test_priorities (void)
{
  MemlaneLabPlan plan = {
    .log2_elements = 12, .streams = 4, .chunks = 4, .reuse = 8, .order = MEMLANE_LAB_BREADTH_FIRST
  };
  g_autoptr (MemlaneTrace) fair = run_long_kernels (&plan), urgent = NULL;
  gint64 last, others;

  find_ends (fair, &last, &others);
  g_assert_cmpint (last, >=, others);
  plan.priorities = TRUE;
  urgent = run_long_kernels (&plan);
  find_ends (urgent, &last, &others);
  g_assert_cmpint (last * 2, <, others);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/words", test_words);
  g_test_add_func ("/lab/combinations", test_combinations);
  g_test_add_func ("/lab/refused", test_refused);
  g_test_add_func ("/lab/faults", test_faults);
  g_test_add_func ("/lab/lost", test_lost);
  g_test_add_func ("/lab/pipelines", test_pipelines);
  g_test_add_func ("/lab/priorities", test_priorities);
  return g_test_run ();
}
