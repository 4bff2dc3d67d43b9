/* test-advise.c: one made-up trace for each rule, with the gain computed by hand
 *
 * SPDX-License-Identifier: MIT
 *
 * The device of these tests copies pageable memory at 10 bytes a ns and page-locked memory at 50, both ways, whatever the size.
 * Page-locking takes 2 ns for 10 bytes, of which the first touch is one half. All intervals are half a percent to each side (made-run.h).
 */
#include "engine/made-run.h"

#include "advise/advise.h"
#include "trace/builder.h"

#define MIB (1 << 20)

typedef struct
{
  MemlaneTraceBuilder *builder;
  guint32 correlation;
} Program;

static void
begin (Program *self)
{
  self->builder = memlane_trace_builder_new ();
  self->correlation = 0;
}

static void
add (Program *self, MemlaneTraceKind kind, const char *name, gint64 start, gint64 duration, MemlaneTraceEvent event)
{
  event.kind = (guint8) kind;
  event.start = start;
  event.duration = duration;
  event.correlation = self->correlation;
  event.name = memlane_trace_builder_intern (self->builder, name, -1);
  if (event.stream == 0)
    event.stream = kind == MEMLANE_TRACE_CALL ? MEMLANE_TRACE_NO_STREAM : 7;
  g_assert_true (memlane_trace_builder_add (self->builder, &event, NULL));
}

/* A copy whose call takes exactly as long. @buffer: the number of the host's. */
static void
copy (Program *self, const char *name, gint64 start, gint64 duration, guint64 bytes, MemlaneTraceWay way, gboolean pageable, guint8 flags,
      guint buffer)
{
  guint8 host = pageable ? MEMLANE_TRACE_MEMORY_PAGEABLE : MEMLANE_TRACE_MEMORY_PINNED;
  gboolean is_up = way == MEMLANE_TRACE_WAY_TO_DEVICE;

  self->correlation++;
  add (self, MEMLANE_TRACE_CALL, name, start, duration, (MemlaneTraceEvent) { .bytes = bytes });
  add (self, MEMLANE_TRACE_COPY, "copy", start, duration,
       (MemlaneTraceEvent) { .bytes = bytes, .way = (guint8) way, .source = is_up ? host : MEMLANE_TRACE_MEMORY_DEVICE, .count = buffer,
                             .destination = is_up ? MEMLANE_TRACE_MEMORY_DEVICE : host,
                             .flags = (guint8) (flags | (pageable ? MEMLANE_TRACE_STAGED : 0)) });
}

static void
kernel (Program *self, gint64 start, gint64 duration)
{
  self->correlation++;
  add (self, MEMLANE_TRACE_KERNEL, "solve", start, duration, (MemlaneTraceEvent) { 0 });
}

static void
add_both_ways (MemlaneRun *run, const char *mode, guint log2_elements, double bytes_per_ns, double alloc, double write)
{
  MemlaneCell *cell = add_cell (run, mode, log2_elements, 1);
  double ns = (double) cell->bytes / bytes_per_ns;

  add_time (cell, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST, 0, alloc);
  add_time (cell, MEMLANE_PHASE_HOST_WRITE, MEMLANE_CLOCK_HOST, 2 * cell->bytes, write);
  add_time (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_HOST, 2 * cell->bytes, 2 * ns);
  add_time (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, 2 * cell->bytes, 2 * ns);
  add_time (cell, MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_HOST, cell->bytes, ns);
  add_time (cell, MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE, cell->bytes, ns);
}

/* Three vectors. */
static GPtrArray *
make_costs (void)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  MemlaneRun *run = made_run ("costs", "made");

  for (guint p = 10; p <= 20; p += 2)
    {
      double bytes = 3.0 * 4 * (1 << p);

      add_both_ways (run, "pageable", p, 10, 100, 0.1 * bytes + 100);
      add_both_ways (run, "pinned", p, 50, 100 + 0.2 * bytes, 100);
      add_both_ways (run, "managed-prefetch", p, 20, 100, 100);
    }
  g_ptr_array_add (runs, run);
  return runs;
}

static MemlaneAdvice *
advise (Program *self, const GPtrArray *runs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = memlane_trace_builder_finish (g_steal_pointer (&self->builder), &error);
  MemlaneAdvice *advice;

  g_assert_no_error (error);
  advice = memlane_advise (trace, runs);
  for (guint i = 0; i < advice->changes->len; i++)
    {
      const MemlaneChange *change = advice->changes->pdata[i];
      g_autofree char *text = memlane_answer_format (change->sentence, NULL, NULL, NULL);

      g_test_message ("%s: %.0f to %.0f ns: %s", memlane_change_kind_name (change->kind), change->low, change->high, text);
      g_assert_cmpuint (change->n_events, >, 0);
      g_assert_null (strchr (text, '{')); /* every name has its value */
      g_assert_cmpfloat (change->low, <=, change->high);
    }
  g_assert_cmpfloat (advice->low, <=, advice->high);
  g_assert_cmpfloat (advice->high, <=, 1.12 * advice->exposed + 1);
  g_assert_cmpfloat (advice->exposed, <=, advice->wall + 1);
  return advice;
}

/* The change of @kind; NULL: there is none. */
static const MemlaneChange *
find (const MemlaneAdvice *advice, MemlaneChangeKind kind)
{
  for (guint i = 0; i < advice->changes->len; i++)
    if (((MemlaneChange *) advice->changes->pdata[i])->kind == kind)
      return advice->changes->pdata[i];
  return NULL;
}

/* Within 2 % of @size. */
static void
check_near (double value, double expected, double size)
{
  g_assert_cmpfloat_with_epsilon (value, expected, 0.02 * size);
}

/* Ten copies of 1 MiB, 104,858 ns each now, 20,972 then; one buffer of 1 MiB, locked for 209,715 less 104,858 ns. A kernel hides half of
 * the last one, which then saves half as much. */
static void
test_pin (void)
{
  g_autoptr (GPtrArray) runs = make_costs ();
  g_autoptr (MemlaneAdvice) advice = NULL;
  Program program;
  const MemlaneChange *change;
  double now = MIB / 10.0, saved = 9.5 * (now - MIB / 50.0);

  begin (&program);
  for (guint i = 0; i < 10; i++)
    copy (&program, "cudaMemcpy (main.cu:42)", 200000 * i, (gint64) now, MIB, MEMLANE_TRACE_WAY_TO_DEVICE, TRUE, 0, 1);
  kernel (&program, (gint64) (1800000 + now / 2), 200000);
  advice = advise (&program, runs);
  change = find (advice, MEMLANE_CHANGE_PIN);
  g_assert_nonnull (change);
  g_assert_false (change->is_alternative);
  g_assert_cmpuint (change->n_events, ==, 10);
  check_near (change->low, saved - 0.2 * MIB, saved);
  check_near (change->high, saved - 0.1 * MIB, saved);
  check_near (advice->copies, 10 * now, 10 * now);
  check_near (advice->exposed, 9.5 * now, 10 * now);
}

/* One copy of one buffer: page-locking costs as much as it saves, or more. */
static void
test_pin_once (void)
{
  g_autoptr (GPtrArray) runs = make_costs ();
  g_autoptr (MemlaneAdvice) advice = NULL;
  Program program;

  begin (&program);
  for (guint i = 0; i < 10; i++) /* ten buffers */
    copy (&program, "cudaMemcpy", 2000000 * i, MIB / 10, MIB, MEMLANE_TRACE_WAY_TO_HOST, TRUE, 0, i + 1);
  advice = advise (&program, runs);
  g_assert_null (find (advice, MEMLANE_CHANGE_PIN));
  g_assert_cmpuint (advice->changes->len, ==, 0);
}

/* Two copies save 167,772 ns, or 62,914 with the least price: it pays from the third one on. Ten have paid it. */
static void
test_pin_price (void)
{
  for (guint n = 2; n <= 10; n += 8)
    {
      g_autoptr (GPtrArray) runs = make_costs ();
      g_autoptr (MemlaneAdvice) advice = NULL;
      g_autofree char *text = NULL;
      Program program;
      const MemlaneChange *change;

      begin (&program);
      for (guint i = 0; i < n; i++)
        copy (&program, "cudaMemcpy", 2000000 * i, MIB / 10, MIB, MEMLANE_TRACE_WAY_TO_DEVICE, TRUE, 0, 1);
      advice = advise (&program, runs);
      change = find (advice, MEMLANE_CHANGE_PIN);
      g_assert_nonnull (change);
      g_assert_true ((change->low < 0) == (n == 2));
      text = memlane_answer_format (change->price, NULL, NULL, NULL);
      g_assert_nonnull (strstr (text, "from copy 3 on"));
      g_assert_nonnull (strstr (text, n == 2 ? "more than this run gains" : "has paid already"));
    }
}

/* A program twice as slow as the costs say: both computations bound the gain. */
static void
test_slow_host (void)
{
  g_autoptr (GPtrArray) runs = make_costs ();
  g_autoptr (MemlaneAdvice) advice = NULL;
  Program program;
  const MemlaneChange *change;
  double now = 2 * MIB / 10.0;

  begin (&program);
  for (guint i = 0; i < 100; i++)
    copy (&program, "cudaMemcpy", 300000 * i, (gint64) now, MIB, MEMLANE_TRACE_WAY_TO_DEVICE, TRUE, 0, 1);
  advice = advise (&program, runs);
  change = find (advice, MEMLANE_CHANGE_PIN);
  g_assert_nonnull (change);
  check_near (change->low, 100 * now * 0.8 - 0.2 * MIB, 100 * now);
  check_near (change->high, 100 * (now - MIB / 50.0) - 0.1 * MIB, 100 * now);
}

/* 19 of 20 copies read what they read before. */
static void
test_once (void)
{
  g_autoptr (GPtrArray) runs = make_costs ();
  g_autoptr (MemlaneAdvice) advice = NULL;
  Program program;
  const MemlaneChange *change;
  double now = MIB / 50.0;

  begin (&program);
  for (guint i = 0; i < 20; i++)
    copy (&program, "cudaMemcpy", 100000 * i, (gint64) now, MIB, MEMLANE_TRACE_WAY_TO_DEVICE, FALSE, i > 0 ? MEMLANE_TRACE_REPEATED : 0, 1);
  advice = advise (&program, runs);
  change = find (advice, MEMLANE_CHANGE_ONCE);
  g_assert_nonnull (change);
  g_assert_cmpuint (change->n_events, ==, 19);
  check_near (change->high, 1.12 * 19 * now, 19 * now);
  check_near (change->low, 0.9 * 0.88 * 19 * now, 19 * now);
}

/* 1000 copies of 4 KiB, 5 us each; one of 4 MB takes 82 us, and the host packs 4 MB in 820 us at most. */
static void
test_merge (void)
{
  g_autoptr (GPtrArray) runs = make_costs ();
  g_autoptr (MemlaneAdvice) advice = NULL;
  Program program;
  const MemlaneChange *change;

  begin (&program);
  for (guint i = 0; i < 1000; i++)
    copy (&program, "cudaMemcpy", 6000 * i, 5000, 4096, MEMLANE_TRACE_WAY_TO_DEVICE, FALSE, 0, i + 1);
  advice = advise (&program, runs);
  change = find (advice, MEMLANE_CHANGE_MERGE);
  g_assert_nonnull (change);
  check_near (change->high, 5e6 - 81920, 5e6);
  check_near (change->low, 5e6 - 81920 - 819200, 5e6);
}

/* Page-locked copies of 1 ms and kernels of 2 ms, one after the other: at most 7/8 of the copies hide. Nothing else is to be had. */
static void
test_overlap (void)
{
  g_autoptr (GPtrArray) runs = make_costs ();
  g_autoptr (MemlaneAdvice) advice = NULL;
  Program program;
  const MemlaneChange *change;

  begin (&program);
  for (guint i = 0; i < 10; i++)
    {
      copy (&program, "cudaMemcpy", 4000000 * i, 1000000, 50 * MIB, MEMLANE_TRACE_WAY_TO_DEVICE, FALSE, 0, 1);
      kernel (&program, 4000000 * i + 1000000, 2000000);
    }
  advice = advise (&program, runs);
  g_assert_cmpuint (advice->changes->len, ==, 1);
  change = find (advice, MEMLANE_CHANGE_OVERLAP);
  g_assert_nonnull (change);
  check_near (change->high, 10e6 * 7 / 8, 10e6);
  g_assert_cmpfloat (change->low, ==, 0);
}

/* 64 migrations of 64 KiB in one kernel, 10 us each and 10 us between: 4 MiB ahead take 210 us. */
static void
test_prefetch (void)
{
  g_autoptr (GPtrArray) runs = make_costs ();
  g_autoptr (MemlaneAdvice) advice = NULL;
  Program program;
  const MemlaneChange *change;

  begin (&program);
  kernel (&program, 0, 1400000);
  program.correlation = 0;
  for (guint i = 0; i < 64; i++)
    add (&program, MEMLANE_TRACE_MIGRATION, "page", 10000 + 20000 * i, 10000,
         (MemlaneTraceEvent) { .bytes = 65536, .way = MEMLANE_TRACE_WAY_TO_DEVICE, .stream = MEMLANE_TRACE_NO_STREAM,
                               .source = MEMLANE_TRACE_MEMORY_MANAGED, .destination = MEMLANE_TRACE_MEMORY_MANAGED });
  advice = advise (&program, runs);
  change = find (advice, MEMLANE_CHANGE_PREFETCH);
  g_assert_nonnull (change);
  check_near (change->low, 640000 - 4 * MIB / 20.0, 640000);
  check_near (change->high, 63 * 20000 + 10000 - 4 * MIB / 20.0, 1270000);
}

/* 100 allocations of 100 us and the first of 50 ms, which makes the context. */
static void
test_pool (void)
{
  g_autoptr (GPtrArray) runs = make_costs ();
  g_autoptr (MemlaneAdvice) advice = NULL;
  Program program;
  const MemlaneChange *change;

  begin (&program);
  for (guint i = 0; i <= 100; i++)
    {
      program.correlation++;
      add (&program, MEMLANE_TRACE_CALL, "cudaMalloc (main.cu:7)", i == 0 ? 0 : 50000000 + 200000 * i, i == 0 ? 50000000 : 100000,
           (MemlaneTraceEvent) { .bytes = MIB });
    }
  advice = advise (&program, runs);
  change = find (advice, MEMLANE_CHANGE_POOL);
  g_assert_nonnull (change);
  check_near (change->high, 1.12e7, 1e7);
  check_near (change->low, 0.8 * 0.88e7, 1e7);
  check_near (advice->exposed, 1e7, 1e7); /* without the context */
}

/* Exclusive changes of the same copies do not add up, and the sum stays below what is exposed. */
static void
test_exclusive (void)
{
  g_autoptr (GPtrArray) runs = make_costs ();
  g_autoptr (MemlaneAdvice) advice = NULL;
  Program program;
  double now = MIB / 10.0;
  guint main_changes = 0;

  begin (&program);
  for (guint i = 0; i < 100; i++)
    {
      copy (&program, "cudaMemcpy", 400000 * i, (gint64) now, MIB, MEMLANE_TRACE_WAY_TO_DEVICE, TRUE,
            i > 0 ? MEMLANE_TRACE_REPEATED : 0, 1);
      kernel (&program, (gint64) (400000 * i + now), 200000);
    }
  advice = advise (&program, runs);
  g_assert_nonnull (find (advice, MEMLANE_CHANGE_PIN));
  g_assert_nonnull (find (advice, MEMLANE_CHANGE_ONCE));
  g_assert_nonnull (find (advice, MEMLANE_CHANGE_OVERLAP));
  for (guint i = 0; i < advice->changes->len; i++)
    main_changes += !((MemlaneChange *) advice->changes->pdata[i])->is_alternative;
  g_assert_cmpuint (main_changes, ==, 1);
  g_assert_cmpint (((MemlaneChange *) advice->changes->pdata[0])->kind, ==, MEMLANE_CHANGE_ONCE);
  check_near (advice->high, 1.12 * 99 * now, 100 * now);
}

/* A program that computes, and one without costs. */
static void
test_nothing (void)
{
  g_autoptr (GPtrArray) runs = make_costs (), none = g_ptr_array_new ();
  g_autoptr (MemlaneAdvice) advice = NULL, without = NULL;
  Program program;

  begin (&program);
  copy (&program, "cudaMemcpy", 0, MIB / 10, MIB, MEMLANE_TRACE_WAY_TO_DEVICE, TRUE, 0, 1);
  kernel (&program, 200000, 100000000);
  advice = advise (&program, runs);
  g_assert_cmpuint (advice->changes->len, ==, 0);
  g_assert_true (advice->has_costs);

  begin (&program);
  for (guint i = 0; i < 100; i++)
    copy (&program, "cudaMemcpy", 200000 * i, MIB / 10, MIB, MEMLANE_TRACE_WAY_TO_DEVICE, TRUE, 0, 1);
  without = advise (&program, none);
  g_assert_cmpuint (without->changes->len, ==, 0);
  g_assert_false (without->has_costs);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advise/pin", test_pin);
  g_test_add_func ("/advise/pin-once", test_pin_once);
  g_test_add_func ("/advise/pin-price", test_pin_price);
  g_test_add_func ("/advise/slow-host", test_slow_host);
  g_test_add_func ("/advise/once", test_once);
  g_test_add_func ("/advise/merge", test_merge);
  g_test_add_func ("/advise/overlap", test_overlap);
  g_test_add_func ("/advise/prefetch", test_prefetch);
  g_test_add_func ("/advise/pool", test_pool);
  g_test_add_func ("/advise/exclusive", test_exclusive);
  g_test_add_func ("/advise/nothing", test_nothing);
  return g_test_run ();
}
