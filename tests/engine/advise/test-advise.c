/* test-advise.c: one made-up trace for each rule, with the gain computed by hand
 *
 * SPDX-License-Identifier: MIT
 *
 * The device of these tests copies pageable memory at 10 bytes a ns and page-locked memory at 50,
 * both ways, whatever the size. Page-locking takes 2 ns for 10 bytes, of which the first touch is
 * one half. Kernels read the host's memory at 40. All intervals are half a percent to each side
 * (made-run.h).
 */
#include "engine/made-run.h"

#include <glib/gstdio.h>

#include "advise/advise.h"
#include "advise/replay.h"
#include "base/owns.h"
#include "result/csv.h"
#include "result/environment.h"
#include "trace/builder.h"
#include "trace/record.h"
#include "trace/summary.h"

#define MIB (1 << 20)
#define AGAIN 0.2 /* between one run of a program and another */

/* A program, what copies cost, and what its trace is advised. */
typedef struct
{
  MemlaneTraceBuilder *builder;
  guint32 correlation;
  GPtrArray *runs;
  MemlaneAdvice *advice;
} Program;

MEMLANE_DEFINE_CLEAR (Program, static void program_clear (Program *data),
                      OWNS (runs, g_ptr_array_unref) OWNS (advice, memlane_advice_free))
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Program, program_clear)

static void
add (Program *self, MemlaneTraceKind kind, const char *name, gint64 start, gint64 duration,
     MemlaneTraceEvent event)
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
copy (Program *self, const char *name, gint64 start, gint64 duration, guint64 bytes,
      MemlaneTraceWay way, gboolean pageable, guint8 flags, guint buffer)
{
  guint8 host = pageable ? MEMLANE_TRACE_MEMORY_PAGEABLE : MEMLANE_TRACE_MEMORY_PINNED;
  gboolean is_up = way == MEMLANE_TRACE_WAY_TO_DEVICE;

  self->correlation++;
  add (self, MEMLANE_TRACE_CALL, name, start, duration, (MemlaneTraceEvent) { .bytes = bytes });
  add (self, MEMLANE_TRACE_COPY, "copy", start, duration,
       (MemlaneTraceEvent) { .bytes = bytes,
                            .way = (guint8) way,
                            .source = is_up ? host : MEMLANE_TRACE_MEMORY_DEVICE,
                            .count = buffer,
                            .destination = is_up ? MEMLANE_TRACE_MEMORY_DEVICE : host,
                            .flags = (guint8) (flags | (pageable ? MEMLANE_TRACE_STAGED : 0)) });
}

/* @n copies of one buffer of 1 MiB to the device, one each @period ns. */
static void
copy_up (Program *self, guint n, gint64 period, gint64 duration, gboolean pageable)
{
  for (guint i = 0; i < n; i++)
    copy (self, "cudaMemcpy", period * i, duration, MIB, MEMLANE_TRACE_WAY_TO_DEVICE, pageable, 0,
          1);
}

static void
call (Program *self, const char *name, gint64 start, gint64 duration, guint64 bytes)
{
  self->correlation++;
  add (self, MEMLANE_TRACE_CALL, name, start, duration, (MemlaneTraceEvent) { .bytes = bytes });
}

/* The copy of the last call, of a result that it fetches. */
static void
fetch (Program *self, gint64 start, guint64 bytes, guint8 flags)
{
  add (self, MEMLANE_TRACE_COPY, "copy", start, 1000,
       (MemlaneTraceEvent) { .bytes = bytes, .way = MEMLANE_TRACE_WAY_TO_HOST, .flags = flags,
                             .source = MEMLANE_TRACE_MEMORY_DEVICE,
                             .destination = MEMLANE_TRACE_MEMORY_PINNED });
}

static void
kernel (Program *self, gint64 start, gint64 duration)
{
  self->correlation++;
  add (self, MEMLANE_TRACE_KERNEL, "solve", start, duration, (MemlaneTraceEvent) { 0 });
}

/* The call that launches a kernel takes 2 us. The kernel begins 4 us after it. */
static void
launch (Program *self, gint64 start, gint64 duration)
{
  call (self, "cudaLaunchKernel", start, 2000, 0);
  add (self, MEMLANE_TRACE_KERNEL, "solve", start + 4000, duration, (MemlaneTraceEvent) { 0 });
}

static void
add_both_ways (MemlaneRun *run, const char *mode, guint log2_elements, double bytes_per_ns,
               double alloc, double write)
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
      add_time (add_cell (run, "mapped", p, 1), MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE,
                (guint64) bytes, 2 * bytes / 3 / 40);
    }
  g_ptr_array_add (runs, run);
  return runs;
}

static Program
begin (void)
{
  return (Program) { .builder = memlane_trace_builder_new (), .runs = make_costs () };
}

/* The change of @kind; NULL: there is none. */
static const MemlaneChange *
find (const MemlaneAdvice *advice, MemlaneChangeKind kind)
{
  MEMLANE_FOR_EACH (const MemlaneChange, change, advice->changes)
    if (change->kind == kind)
      return change;
  return NULL;
}

/* Ends @self. Returns as find(). */
static const MemlaneChange *
advise (Program *self, MemlaneChangeKind kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = memlane_trace_builder_finish (g_steal_pointer (&self->builder),
                                                                 &error);
  const MemlaneAdvice *advice;

  g_assert_no_error (error);
  advice = self->advice = memlane_advise (trace, self->runs);
  MEMLANE_FOR_EACH (const MemlaneChange, change, advice->changes)
    {
      g_autofree char *text = memlane_answer_format (change->sentence, NULL, NULL, NULL);

      g_test_message ("%s: %.0f to %.0f ns: %s", memlane_change_kind_name (change->kind),
                      change->low, change->high, text);
      g_assert_cmpuint (change->n_events, >, 0);
      g_assert_null (strchr (text, '{')); /* every name has its value */
      g_assert_cmpfloat (change->low, <=, change->high);
      g_clear_pointer (&text, g_free);
      text = memlane_answer_format (change->headline, NULL, NULL, NULL);
      g_assert_nonnull (strstr (text, ": saves "));
      g_assert_true ((strstr (text, "at most") != NULL) == (change->low <= 0));
      g_assert_null (strchr (text, '{'));
      if (change->price == NULL)
        continue;
      g_clear_pointer (&text, g_free);
      text = memlane_answer_format (change->price, NULL, NULL, NULL);
      g_assert_true ((strstr (text, "has paid already") != NULL) == (change->low > 0));
    }
  g_assert_cmpfloat (advice->low, <=, advice->high);
  g_assert_cmpfloat (advice->high, <=, advice->wall + 1);
  g_assert_cmpfloat (advice->exposed, <=, advice->wall + 1);
  return find (advice, kind);
}

/* Within 2 % of @size. */
static void
check_near (double value, double expected, double size)
{
  g_assert_cmpfloat_with_epsilon (value, expected, 0.02 * size);
}

/* Ten copies of 1 MiB, 104,858 ns each now, 20,972 then; one buffer of 1 MiB, locked for 209,715
 * less 104,858 ns. A kernel hides half of the last one, and ends after it: what the last one saves
 * does not show. */
static void
test_pin (void)
{
  g_auto (Program) program = begin ();
  const MemlaneChange *change;
  double now = MIB / 10.0, saved = 9 * (now - MIB / 50.0);

  copy_up (&program, 10, 200000, (gint64) now, TRUE);
  kernel (&program, (gint64) (1800000 + now / 2), 200000);
  change = advise (&program, MEMLANE_CHANGE_PIN);
  g_assert_nonnull (change);
  g_assert_false (change->is_alternative);
  g_assert_cmpuint (change->n_events, ==, 10);
  /* In another run the copies take longer as a whole, or less long, and page-locked as long. */
  check_near (change->low, saved - AGAIN * 9 * now - 0.2 * MIB, saved);
  check_near (change->high, saved + AGAIN * 9 * now - 0.1 * MIB, saved);
  check_near (program.advice->low, change->low, saved);
  check_near (program.advice->high, change->high, saved);
  check_near (program.advice->copies, 10 * now, 10 * now);
  check_near (program.advice->exposed, 9.5 * now, 10 * now);
}

/* A time beside a busy GPU is no cost of a program that has the GPU for itself. */
static void
test_background (void)
{
  g_autoptr (GPtrArray) busy = make_costs ();
  double high[2];

  MEMLANE_FOR_EACH (MemlaneCell, cell, ((MemlaneRun *) busy->pdata[0])->cells)
    {
      cell->beside = MEMLANE_BESIDE_COMPUTE;
      cell->busy = 100;
      MEMLANE_FOR_EACH (MemlaneFigure, figure, cell->figures)
        figure->statistics.median *= 100;
    }
  for (guint with = 0; with < 2; with++)
    {
      g_auto (Program) program = begin ();

      if (with)
        g_ptr_array_insert (program.runs, 0, memlane_run_ref (busy->pdata[0]));
      copy_up (&program, 10, 200000, MIB / 10, TRUE);
      high[with] = advise (&program, MEMLANE_CHANGE_PIN)->high;
    }
  g_assert_cmpfloat (high[0], ==, high[1]);
}

/* Fifty copies up and fifty down of one buffer: two changes, and it is locked once. */
static void
test_pin_both_ways (void)
{
  g_auto (Program) program = begin ();
  double again = AGAIN * 100 * MIB / 10.0, saved = 100 * (MIB / 10.0 - MIB / 50.0);

  for (guint i = 0; i < 100; i++)
    copy (&program, "cudaMemcpy", 200000 * i, MIB / 10, MIB,
          i % 2 == 0 ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST, TRUE, 0, 1);
  g_assert_nonnull (advise (&program, MEMLANE_CHANGE_PIN));
  g_assert_cmpuint (program.advice->changes->len, ==, 2);
  check_near (program.advice->low, saved - again - 0.2 * MIB, 0.2 * saved);
  check_near (program.advice->high, saved + again - 0.1 * MIB, 0.2 * saved);
}

/* PyTorch waits behind each copy, 10,000 ns here. Page-locked, the program need not: then the last
 * of ten copies, and all waits, show no more. */
static void
test_pin_without_wait (void)
{
  g_auto (Program) program = begin ();
  const MemlaneChange *change;
  double now = MIB / 10.0;

  for (guint i = 0; i < 10; i++)
    {
      copy (&program, "cudaMemcpyAsync", 200000 * i, (gint64) now, MIB, MEMLANE_TRACE_WAY_TO_DEVICE,
            TRUE, 0, 1);
      call (&program, "cudaStreamSynchronize", 200000 * i + 110000, 10000, 0);
    }
  change = advise (&program, MEMLANE_CHANGE_PIN);
  g_assert_nonnull (change);
  g_assert_cmpfloat (change->high, >, (1 + AGAIN) * (9 * now + 9 * 10000) - 0.1 * MIB);
  g_assert_cmpfloat (change->low, <, (1 - AGAIN) * 10 * (now - MIB / 50.0) - 0.2 * MIB + 1000);
}

/* Managed memory on a GPU that counts no page faults: its kernels' time is the limit. With counters
 * and no faults there is nothing to gain. */
static void
test_uncounted (void)
{
  for (guint is_uncounted = 0; is_uncounted < 2; is_uncounted++)
    {
      g_auto (Program) program = begin ();
      const MemlaneChange *change;

      call (&program, "cudaMallocManaged", 0, 1000, MIB);
      kernel (&program, 200000, 500000);
      if (is_uncounted)
        memlane_trace_builder_add_note (program.builder, "%s", MEMLANE_RECORD_NO_PAGES ": a test");
      change = advise (&program, MEMLANE_CHANGE_PREFETCH);
      g_assert_true ((change != NULL) == is_uncounted);
      if (change == NULL)
        continue;
      g_assert_cmpfloat (change->low, ==, 0);
      check_near (change->high, (1 + AGAIN) * 500000 - MIB / 20.0, 500000);
      g_assert_cmpfloat (program.advice->high, >=, change->high);
    }
}

/* One copy of one buffer: page-locking costs as much as it saves, or more. */
static void
test_pin_once (void)
{
  g_auto (Program) program = begin ();

  for (guint i = 0; i < 10; i++) /* ten buffers */
    copy (&program, "cudaMemcpy", 2000000 * i, MIB / 10, MIB, MEMLANE_TRACE_WAY_TO_HOST, TRUE, 0,
          i + 1);
  g_assert_null (advise (&program, MEMLANE_CHANGE_PIN));
  g_assert_cmpuint (program.advice->changes->len, ==, 0);
}

/* Two copies save 167,772 ns, or 96,469 with the least price and a fifth more: it pays from the
 * third one on. Three may have paid it, ten have. */
static void
test_pin_price (void)
{
  static const guint copies[] = { 2, 3, 10 };

  for (guint i = 0; i < G_N_ELEMENTS (copies); i++)
    {
      g_auto (Program) program = begin ();
      g_autofree char *text = NULL;
      const MemlaneChange *change;

      copy_up (&program, copies[i], 2000000, MIB / 10, TRUE);
      change = advise (&program, MEMLANE_CHANGE_PIN);
      g_assert_nonnull (change);
      g_assert_true ((change->low < 0) == (copies[i] < 10));
      text = memlane_answer_format (change->price, NULL, NULL, NULL);
      g_assert_true ((strstr (text, "from copy 3 on") != NULL) == (copies[i] != 3));
      g_assert_nonnull (strstr (text, copies[i] == 2   ? ", more than this run gains"
                                      : copies[i] == 3 ? ", perhaps more than this run gains"
                                                       : "has paid already"));
    }
}

/* A program twice as slow as the costs say: both computations bound the gain. */
static void
test_slow_host (void)
{
  g_auto (Program) program = begin ();
  const MemlaneChange *change;
  double now = 2 * MIB / 10.0;

  copy_up (&program, 100, 300000, (gint64) now, TRUE);
  change = advise (&program, MEMLANE_CHANGE_PIN);
  g_assert_nonnull (change);
  check_near (change->low, (0.8 - AGAIN) * 100 * now - 0.2 * MIB, 100 * now);
  check_near (change->high, 100 * ((1 + AGAIN) * now - MIB / 50.0) - 0.1 * MIB, 100 * now);
}

/* 19 of 20 copies read what they read before. */
static void
test_once (void)
{
  g_auto (Program) program = begin ();
  const MemlaneChange *change;
  double now = MIB / 50.0;

  for (guint i = 0; i < 20; i++)
    copy (&program, "cudaMemcpy", 100000 * i, (gint64) now, MIB, MEMLANE_TRACE_WAY_TO_DEVICE, FALSE,
          i > 0 ? MEMLANE_TRACE_REPEATED : 0, 1);
  change = advise (&program, MEMLANE_CHANGE_ONCE);
  g_assert_nonnull (change);
  g_assert_cmpuint (change->n_events, ==, 19);
  check_near (change->high, (1 + AGAIN) * 19 * now, 19 * now);
  check_near (change->low, (0.9 - AGAIN) * 19 * now, 19 * now);
}

/* 1000 copies of 4 KiB, 5 us each, and 1 us of the host's between them; one of 4 MB takes 82 us,
 * and the host packs 4 MB in 820 us at most. Recording adds up to 2 us to a call. */
static void
test_merge (void)
{
  g_auto (Program) program = begin ();
  const MemlaneChange *change;

  for (guint i = 0; i < 1000; i++)
    copy (&program, "cudaMemcpy", 6000 * i, 5000, 4096, MEMLANE_TRACE_WAY_TO_DEVICE, FALSE, 0,
          i + 1);
  change = advise (&program, MEMLANE_CHANGE_MERGE);
  g_assert_nonnull (change);
  check_near (change->high, 6e6 - 81920, 5e6);
  check_near (change->low, 5e6 - 81920 - 819200 - 2e6, 5e6);
}

/* Page-locked copies of 1 ms and kernels of 2 ms, one after the other: at most 7/8 of the copies
 * hide. Over the link the 50 MiB are read in 1.31 ms; a kernel that takes longer on the device is
 * bound by something else, and nobody knows what it would take there. */
static void
test_overlap (void)
{
  g_auto (Program) program = begin ();
  const MemlaneChange *change;

  for (guint i = 0; i < 10; i++)
    {
      copy (&program, "cudaMemcpy", 4000000 * i, 1000000, 50 * MIB, MEMLANE_TRACE_WAY_TO_DEVICE,
            FALSE, 0, 1);
      kernel (&program, 4000000 * i + 1000000, 2000000);
    }
  change = advise (&program, MEMLANE_CHANGE_OVERLAP);
  g_assert_nonnull (change);
  g_assert_cmpuint (program.advice->changes->len, ==, 1);
  check_near (change->high, 10e6 * 7 / 8, 10e6);
  g_assert_cmpfloat (change->low, ==, 0);
}

/* Twenty pageable copies of 1 MiB, 104,858 ns each; one kernel of 10,000 ns after each. Over the
 * link it reads them in 26,214 ns, of which its own 10,000 may be a part. The host works 95,143 ns
 * between the copies, and kernels that nothing waits for run beside that: only the last of them
 * shows. One buffer is locked, for 209,715 less 104,858 ns. The same copies may be page-locked
 * instead. With two kernels after each nothing can be read once. */
static void
test_map (void)
{
  for (guint kernels = 1; kernels <= 2; kernels++)
    {
      g_auto (Program) program = begin ();
      const MemlaneChange *change;
      double now = MIB / 10.0, mapped = MIB / 40.0, end = 19 * 200000 + 120000;
      double later = 19 * (200000 - now) + 110000 - now + mapped;

      for (guint i = 0; i < 20; i++)
        {
          copy (&program, "cudaMemcpy (main.cu:42)", 200000 * i, (gint64) now, MIB,
                MEMLANE_TRACE_WAY_TO_DEVICE, TRUE, 0, 1);
          for (guint k = 0; k < kernels; k++)
            kernel (&program, 200000 * i + 110000 + 20000 * k, 10000);
        }
      change = advise (&program, MEMLANE_CHANGE_MAP);
      g_assert_true ((change != NULL) == (kernels == 1));
      if (change == NULL)
        continue;
      g_assert_cmpuint (change->n_events, ==, 20);
      check_near (change->low, end - later - 10000 - 0.2 * MIB, 20 * now);
      check_near (change->high, end - later - 0.1 * MIB, 20 * now);
      g_assert_cmpuint (change->events[0], <, change->events[19]);
      g_assert_true (change->is_alternative
                     != find (program.advice, MEMLANE_CHANGE_PIN)->is_alternative);
    }
}

/* Twice 10 ms of a range with 50 copies of 104,858 ns each between 100 ms without one: advice is on
 * 20 ms and 10,485,800 ns. */
static void
test_range (void)
{
  g_auto (Program) program = begin ();
  g_autoptr (MemlaneTrace) trace = NULL, part = NULL;
  g_autoptr (MemlaneAdvice) whole = NULL;
  g_autoptr (GError) error = NULL;
  guint n;
  double now = MIB / 10.0;

  for (guint i = 0; i < 3; i++)
    {
      gint64 start = 60000000 * i;

      program.correlation = 0;
      add (&program, MEMLANE_TRACE_OTHER,
           i == 1   ? "save"
           : i == 0 ? "step 1"
                    : "step 2",
           start, 10000000, (MemlaneTraceEvent) { .stream = 1 });
      for (guint k = 0; k < 50; k++)
        copy (&program, "cudaMemcpy", start + 200000 * k, (gint64) now, MIB,
              MEMLANE_TRACE_WAY_TO_DEVICE, TRUE, 0, 1);
      kernel (&program, start + 9990000, 1000000); /* reaches over the end */
    }
  trace = memlane_trace_builder_finish (program.builder, NULL);
  part = memlane_trace_cut (trace, "step*", &error);
  g_assert_no_error (error);
  memlane_trace_get_events (part, &n);
  g_assert_cmpuint (n, ==, 2 * 102);
  g_assert_cmpuint (memlane_trace_count_kind (part, MEMLANE_TRACE_COPY, NULL), ==, 100);
  g_assert_cmpint (memlane_trace_get_end (part), ==, 130000000);
  whole = memlane_advise (trace, program.runs);
  program.advice = memlane_advise (part, program.runs);
  check_near (program.advice->wall, 20e6, 20e6);
  check_near (program.advice->copies, 100 * now, 100 * now);
  g_assert_cmpuint (find (whole, MEMLANE_CHANGE_PIN)->n_events, ==, 150);
  g_assert_cmpuint (find (program.advice, MEMLANE_CHANGE_PIN)->n_events, ==, 100);
  g_assert_null (memlane_trace_cut (trace, "stop", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "expected one of: step 1, save, step 2"));
}

/* 64 migrations of 64 KiB in one kernel, 10 us each and 10 us between: 4 MiB ahead take 210 us. */
static void
test_prefetch (void)
{
  g_auto (Program) program = begin ();
  const MemlaneChange *change;

  kernel (&program, 0, 1400000);
  program.correlation = 0;
  for (guint i = 0; i < 64; i++)
    add (&program, MEMLANE_TRACE_MIGRATION, "page", 10000 + 20000 * i, 10000,
         (MemlaneTraceEvent) { .bytes = 65536,
                              .way = MEMLANE_TRACE_WAY_TO_DEVICE,
                              .stream = MEMLANE_TRACE_NO_STREAM,
                              .source = MEMLANE_TRACE_MEMORY_MANAGED,
                              .destination = MEMLANE_TRACE_MEMORY_MANAGED });
  change = advise (&program, MEMLANE_CHANGE_PREFETCH);
  g_assert_nonnull (change);
  check_near (change->low, 640000 - 4 * MIB / 20.0, 640000);
  check_near (change->high, 63 * 20000 + 10000 - 4 * MIB / 20.0, 1270000);
}

/* A call to cudaMalloc and one to cudaFree, @length each, with a kernel between them. */
static void
allocate (Program *self, gint64 start, gint64 length)
{
  call (self, "cudaMalloc (main.cu:7)", start, length, MIB);
  launch (self, start + length, 1000);
  call (self, "cudaFree (main.cu:9)", start + length + 5000, length, 0);
}

/* 101 turns of a loop, whose allocations take 100 us, as does giving back. The first call takes
 * 50 ms and makes the context. One turn more waits twice for 200 ms. The first allocation and the
 * last call that gives back stay. */
static void
test_pool (void)
{
  g_auto (Program) program = begin ();
  guint n = 0;

  call (&program, "cudaFree (main.cu:1)", 0, 50000000, 0);
  for (guint i = 0; i <= 100; i++)
    allocate (&program, 50000000 + 300000 * i, 100000);
  allocate (&program, 90000000, 200000000);
  g_assert_nonnull (advise (&program, MEMLANE_CHANGE_POOL));
  MEMLANE_FOR_EACH (const MemlaneChange, one, program.advice->changes)
    if (one->kind == MEMLANE_CHANGE_POOL)
      {
        n += one->n_events;
        check_near (one->high, (1 + AGAIN) * 1e7, 1e7);
        check_near (one->low, (0.8 - AGAIN) * 1e7, 1e7);
      }
  g_assert_cmpuint (n, ==, 100 + 101);
  check_near (program.advice->exposed, 2.02e7 + 4e8, 1e7); /* without the context */
}

/* Exclusive changes of the same copies do not add up, and the sum stays below what is exposed. */
static void
test_exclusive (void)
{
  g_auto (Program) program = begin ();
  double now = MIB / 10.0;
  guint main_changes = 0;

  for (guint i = 0; i < 100; i++)
    {
      copy (&program, "cudaMemcpy", 400000 * i, (gint64) now, MIB, MEMLANE_TRACE_WAY_TO_DEVICE,
            TRUE, i > 0 ? MEMLANE_TRACE_REPEATED : 0, 1);
      kernel (&program, (gint64) (400000 * i + now), 200000);
    }
  g_assert_nonnull (advise (&program, MEMLANE_CHANGE_PIN));
  g_assert_nonnull (find (program.advice, MEMLANE_CHANGE_ONCE));
  g_assert_nonnull (find (program.advice, MEMLANE_CHANGE_OVERLAP));
  MEMLANE_FOR_EACH (const MemlaneChange, change, program.advice->changes)
    main_changes += !change->is_alternative;
  g_assert_cmpuint (main_changes, ==, 1);
  g_assert_cmpint (((MemlaneChange *) program.advice->changes->pdata[0])->kind, ==,
                   MEMLANE_CHANGE_ONCE);
  /* No more than the changes' sum. */
  check_near (program.advice->high, (1 + AGAIN) * 99 * now, 100 * now);
}

/* Kernels of 3 us, and each one's result is fetched: the call takes 10 us, of which the last 4 come
 * after the copy. */
static void
fetch_results (Program *self, guint n, guint64 bytes)
{
  for (guint i = 0; i < n; i++)
    {
      gint64 start = 20000 * i;

      launch (self, start, 3000);
      call (self, "cudaMemcpy (loop.cu:7)", start + 3000, 10000, bytes);
      fetch (self, start + 8000, bytes, 0);
    }
}

/* Without the wait 999 turns take 10 us instead of 20: the host's own work and the launch. One
 * result alone is none of its business, and neither are 1 MiB. */
static void
test_fetch (void)
{
  static const struct { guint n; guint64 bytes; } cases[] = { { 1000, 4 }, { 1, 4 }, { 100, MIB } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Program) program = begin ();
      const MemlaneChange *change;

      fetch_results (&program, cases[i].n, cases[i].bytes);
      change = advise (&program, MEMLANE_CHANGE_FETCH);
      g_assert_true ((change != NULL) == (i == 0));
      if (change == NULL)
        continue;
      check_near (change->high, (1 + AGAIN + 0.15) * 999 * 10000, 1e7);
      check_near (change->low, (0.9 - AGAIN) * 999 * 10000, 1e7);
      check_near (program.advice->high, change->high, 1e7); /* one change alone is all of them */
    }
}

/* PyTorch fetches a result by a copy that does not wait, of 2 us, and a wait of 8 us behind it.
 * Both go: the wait alone is no change besides. */
static void
test_fetch_and_wait (void)
{
  g_auto (Program) program = begin ();
  const MemlaneChange *change;

  for (guint i = 0; i < 1000; i++)
    {
      call (&program, "cudaMemcpyAsync", 20000 * i, 2000, 4);
      fetch (&program, 20000 * i + 4000, 4, MEMLANE_TRACE_ASYNC);
      call (&program, "cudaStreamSynchronize", 20000 * i + 2000, 8000, 0);
    }
  change = advise (&program, MEMLANE_CHANGE_FETCH);
  g_assert_nonnull (change);
  check_near (change->high, (1 + AGAIN + 0.15) * 999 * 10000, 1e7);
  check_near (change->low, (0.9 - AGAIN) * 999 * 10000, 1e7);
  g_assert_false (change->is_alternative);
  g_assert_true (find (program.advice, MEMLANE_CHANGE_WAIT)->is_alternative);
}

/* A wait after each of 100 kernels. A call that synchronises takes 3 us even if the kernel has
 * ended long before; at best 10 us of what leads to it go with it. Without waits behind kernels of
 * 50 us, the launches of 2 us and 5 us of work between them hide beneath the kernels instead. */
static void
test_wait (void)
{
  static const struct { gint64 period, kernel, start, duration; double low, high; } cases[] = {
    { 30000, 1000, 20000, 3000, (0.9 - AGAIN) * 3000, 1.15 * 13000 + AGAIN * 3000 },
    { 65000, 50000, 3000, 54000, NAN, (1 + AGAIN + 0.15) * 14000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Program) program = begin ();
      const MemlaneChange *change;

      for (guint k = 0; k < 100; k++)
        {
          launch (&program, cases[i].period * k, cases[i].kernel);
          call (&program, "cudaDeviceSynchronize", cases[i].period * k + cases[i].start,
                cases[i].duration, 0);
        }
      change = advise (&program, MEMLANE_CHANGE_WAIT);
      g_assert_nonnull (change);
      check_near (change->high, 99 * cases[i].high, 3e5);
      if (!isnan (cases[i].low))
        check_near (change->low, 99 * cases[i].low, 3e5);
    }
}

/* Programs on which a rule stays silent: page-locked and changed bytes, whose copies are large;
 * small copies that a kernel follows, one by one; allocations and waits that are no loop; and
 * allocations that are all given back at the end. */
static void
test_silent (void)
{
  static const MemlaneChangeKind kinds[]
    = { MEMLANE_CHANGE_PIN, MEMLANE_CHANGE_ONCE, MEMLANE_CHANGE_MERGE, MEMLANE_CHANGE_POOL,
        MEMLANE_CHANGE_WAIT };

  for (guint which = 0; which < 4; which++)
    {
      g_auto (Program) program = begin ();

      for (guint i = 0; which == 3 && i < 40; i++)
        call (&program, i < 20 ? "cudaMalloc" : "cudaFree", 200000 * i, 100000, MIB);
      if (which == 0)
        copy_up (&program, 20, 100000, MIB / 50, FALSE);
      for (guint i = 0; which == 1 && i < 100; i++)
        {
          copy (&program, "cudaMemcpy", 20000 * i, 5000, 4096, MEMLANE_TRACE_WAY_TO_DEVICE, FALSE,
                0, i + 1);
          kernel (&program, 20000 * i + 6000, 10000);
        }
      for (guint i = 0; which == 2 && i < 7; i++)
        {
          call (&program, "cudaMalloc", 400000 * i, 100000, MIB);
          kernel (&program, 400000 * i + 110000, 100000);
          call (&program, "cudaDeviceSynchronize", 400000 * i + 105000, 110000, 0);
        }
      advise (&program, MEMLANE_CHANGE_PIN);
      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        g_assert_null (find (program.advice, kinds[i]));
    }
}

/* Copies without calls, 104,858 ns each and 900 us apart: what lies between them stays. */
static void
test_apart (void)
{
  g_auto (Program) program = begin ();
  const MemlaneChange *change;
  double now = MIB / 10.0;

  for (guint i = 0; i < 20; i++)
    add (&program, MEMLANE_TRACE_COPY, "copy", 1000000 * i, (gint64) now,
         (MemlaneTraceEvent) { .bytes = MIB,
                              .way = MEMLANE_TRACE_WAY_TO_DEVICE,
                              .source = MEMLANE_TRACE_MEMORY_PAGEABLE,
                              .destination = MEMLANE_TRACE_MEMORY_DEVICE,
                              .flags = MEMLANE_TRACE_STAGED });
  change = advise (&program, MEMLANE_CHANGE_PIN);
  g_assert_nonnull (change);
  check_near (change->high, 20 * ((1 + AGAIN) * now - MIB / 50.0) - 0.1 * MIB, 20 * now);
}

/* What streams did already is not advised: page-locked memory in chunks on two of them. */
static void
test_in_chunks (void)
{
  g_auto (Program) program = begin ();

  for (guint i = 0; i < 10; i++)
    {
      program.correlation++;
      add (&program, MEMLANE_TRACE_COPY, "copy", 4000000 * i, 1000000,
           (MemlaneTraceEvent) { .bytes = 50 * MIB,
                                .way = MEMLANE_TRACE_WAY_TO_DEVICE,
                                .source = MEMLANE_TRACE_MEMORY_PINNED,
                                .destination = MEMLANE_TRACE_MEMORY_DEVICE,
                                .stream = 7 + i % 2,
                                .flags = MEMLANE_TRACE_ASYNC });
      kernel (&program, 4000000 * i + 1000000, 2000000);
    }
  g_assert_null (advise (&program, MEMLANE_CHANGE_OVERLAP));
}

/* Calls, copies, kernels and migrations by chance, on two threads and three streams: a replay
 * without changes ends when the program did, each time. With a shorter operation it ends no later,
 * and no share exceeds the whole. Every other trace has a coarse clock, as profilers that write
 * whole microseconds: many operations take no time, or begin when another one ends. */
static void
test_chance (void)
{
  static const char *const calls[] = { "cudaMemcpy",       "cudaMemcpyAsync",
                                       "cudaLaunchKernel", "cudaDeviceSynchronize",
                                       "cudaMalloc",       "cudaFree" };

  for (guint seed = 0; seed < 2000; seed++)
    {
      g_auto (Program) program = begin ();
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (MemlaneTrace) trace = NULL;
      g_autoptr (MemlaneReplay) replay = NULL;
      const MemlaneTraceEvent *events;
      const MemlaneAdvice *advice;
      const int tick = seed % 2 == 0 ? 1 : 100000;
      double last = 0, first, again;
      guint n;

      for (guint i = 0; i < 60; i++)
        {
          static const guint8 kinds[] = { MEMLANE_TRACE_CALL, MEMLANE_TRACE_COPY,
                                          MEMLANE_TRACE_KERNEL, MEMLANE_TRACE_MIGRATION };
          guint8 kind = kinds[g_rand_int_range (rand, 0, 4)];
          gboolean is_up = g_rand_boolean (rand), pageable = g_rand_boolean (rand);
          guint8 host = pageable ? MEMLANE_TRACE_MEMORY_PAGEABLE : MEMLANE_TRACE_MEMORY_PINNED;

          program.correlation = kind == MEMLANE_TRACE_MIGRATION
                                    ? 0
                                    : (guint32) g_rand_int_range (rand, 1, 40);
          add (&program, kind, calls[g_rand_int_range (rand, 0, 6)],
               g_rand_int_range (rand, 0, 2000000) / tick * tick,
               g_rand_int_range (rand, 0, 400000) / tick * tick,
               (MemlaneTraceEvent) {
                   .bytes = (guint64) g_rand_int_range (rand, 1, 4 << 20),
                   .way = kind != MEMLANE_TRACE_COPY && kind != MEMLANE_TRACE_MIGRATION
                              ? MEMLANE_TRACE_WAY_NONE
                          : is_up ? MEMLANE_TRACE_WAY_TO_DEVICE
                                  : MEMLANE_TRACE_WAY_TO_HOST,
                   .source = is_up ? host : MEMLANE_TRACE_MEMORY_DEVICE,
                   .destination = is_up ? MEMLANE_TRACE_MEMORY_DEVICE : host,
                   .stream = (guint32) g_rand_int_range (rand, 7, 10),
                   .count = (guint32) g_rand_int_range (rand, 0, 2),
                   .flags = kind == MEMLANE_TRACE_COPY
                                ? (guint8) ((pageable ? MEMLANE_TRACE_STAGED : 0)
                                            | (g_rand_boolean (rand) ? MEMLANE_TRACE_REPEATED : 0))
                                : 0 });
        }
      trace = memlane_trace_builder_finish (program.builder, NULL);
      events = memlane_trace_get_events (trace, &n);
      for (guint i = 0; i < n; i++)
        if (events[i].kind == MEMLANE_TRACE_CALL || memlane_trace_event_is_operation (&events[i]))
          last = MAX (last, (double) (events[i].start + events[i].duration));
      replay = memlane_replay_new (trace);
      first = memlane_replay_run (replay);
      g_assert_cmpfloat (first, <=, last + 1);
      /* a call within another one has no end of its own */
      g_assert_cmpfloat (first, >=, last - 400001);
      again = memlane_replay_run (replay);
      g_assert_cmpfloat (first, ==, again);
      for (guint32 i = 0; i < n; i++)
        {
          memlane_replay_reset (replay);
          memlane_replay_scale (replay, i, 0.5);
          g_assert_cmpfloat (memlane_replay_run (replay), <=, first + 1);
        }
      advice = program.advice = memlane_advise (trace, program.runs);
      g_assert_cmpfloat (advice->exposed, <=, advice->wall);
      g_assert_cmpfloat (advice->high, <=, advice->wall);
      g_assert_cmpfloat (advice->low, <=, advice->high);
      MEMLANE_FOR_EACH (const MemlaneChange, change, advice->changes)
        g_assert_cmpfloat (change->high, <=, advice->wall);
    }
}

/* A program that computes, one without costs, and a trace of something else. */
static void
test_nothing (void)
{
  g_auto (Program) program = begin (), without = begin (), other = begin ();
  g_autofree char *text = NULL;

  copy_up (&program, 1, 0, MIB / 10, TRUE);
  kernel (&program, 200000, 100000000);
  advise (&program, MEMLANE_CHANGE_PIN);
  g_assert_cmpuint (program.advice->changes->len, ==, 0);
  g_assert_cmpint (program.advice->costs->kind, ==, MEMLANE_ANSWER_BASIS);

  g_ptr_array_set_size (without.runs, 0);
  copy_up (&without, 100, 200000, MIB / 10, TRUE);
  advise (&without, MEMLANE_CHANGE_PIN);
  g_assert_cmpuint (without.advice->changes->len, ==, 0);
  g_assert_cmpint (without.advice->costs->kind, ==, MEMLANE_ANSWER_TROUBLE);

  add (&other, MEMLANE_TRACE_OTHER, "step", 0, 1000, (MemlaneTraceEvent) { .stream = 1 });
  advise (&other, MEMLANE_CHANGE_PIN);
  text = memlane_answer_format (other.advice->together, NULL, NULL, NULL);
  g_assert_cmpstr (text, ==,
                   "Nothing to advise: the trace has no call to CUDA, no copy and no kernel.");
}

/* One thread copies, then another one calls for some time, as PyTorch's do on the way back. Threads
 * that take turns wait for each other; threads that work beside each other do not. */
static void
test_turns (void)
{
  const double saved = 100 * MIB * (1 / 10.0 - 1 / 50.0);

  for (guint take_turns = 0; take_turns < 2; take_turns++)
    {
      g_auto (Program) program = begin ();
      const MemlaneChange *change;

      for (gint64 start = 0; start < 100 * 400000; start += 400000)
        {
          copy (&program, "cudaMemcpy", start, MIB / 10, MIB, MEMLANE_TRACE_WAY_TO_DEVICE, TRUE, 0,
                1);
          program.correlation++;
          add (&program, MEMLANE_TRACE_CALL, "cudaLaunchKernel",
               start + (take_turns ? 200000 : 5000), take_turns ? 50000 : 390000,
               (MemlaneTraceEvent) { .count = 2 });
        }
      change = advise (&program, MEMLANE_CHANGE_PIN);
      g_assert_true (change != NULL || !take_turns);
      if (take_turns)
        g_assert_cmpfloat (change->high, >, 0.7 * saved);
      g_assert_true (change == NULL || change->high < (take_turns ? 1.25 : 0.02) * saved);
    }
}

/* Somebody's own sweep of the GPU, else a recorded one; else the H200's, and the advice says so. */
static void
test_gpu (void)
{
  static const struct
  {
    const char *gpu, *name; /* of the program, of the run */
    gboolean doubt;
  } cases[] = {
    { "made", "made", FALSE },
    { "NVIDIA H200", "NVIDIA H200", FALSE },
    { "NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3", FALSE },
    { "NVIDIA H100 PCIe", "NVIDIA H100 80GB HBM3", TRUE }, /* the nearest name */
    { "NVIDIA H900", "NVIDIA H200", TRUE },
    { NULL, "NVIDIA H200", TRUE },
  };
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "memlane", "runs", NULL);
  g_autofree char *path = g_build_filename (folder, "mine.csv", NULL);
  g_autofree char *beside = memlane_csv_environment_path (path);
  g_autoptr (GPtrArray) made = make_costs ();

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (memlane_csv_write (made->pdata[0], path, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Program) program = begin ();
      g_autofree char *text = NULL;

      g_ptr_array_unref (program.runs);
      program.runs = memlane_advise_find_runs (cases[i].gpu, NULL);
      g_assert_cmpuint (program.runs->len, >, 0);
      MEMLANE_FOR_EACH (const MemlaneRun, run, program.runs)
        {
          const char *name = memlane_environment_get_text (run->environment,
                                                           MEMLANE_ENVIRONMENT_DEVICE_NAME);

          g_assert_cmpstr (name, ==, cases[i].name);
          g_assert_false (memlane_run_is_simulated (run));
        }
      memlane_trace_builder_add_device (program.builder, cases[i].gpu != NULL ? cases[i].gpu : "");
      copy_up (&program, 100, 200000, MIB / 10, TRUE);
      g_assert_nonnull (advise (&program, MEMLANE_CHANGE_PIN));
      text = memlane_answer_format (program.advice->costs, NULL, NULL, NULL);
      g_assert_nonnull (strstr (text, cases[i].name));
      g_assert_true ((program.advice->doubt != NULL) == cases[i].doubt);
    }
  g_unlink (path);
  g_unlink (beside);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-advise-XXXXXX", NULL);

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advise/map", test_map);
  g_test_add_func ("/advise/range", test_range);
  g_test_add_func ("/advise/gpu", test_gpu);
  g_test_add_func ("/advise/turns", test_turns);
  g_test_add_func ("/advise/pin", test_pin);
  g_test_add_func ("/advise/background", test_background);
  g_test_add_func ("/advise/pin-once", test_pin_once);
  g_test_add_func ("/advise/pin-both-ways", test_pin_both_ways);
  g_test_add_func ("/advise/pin-without-wait", test_pin_without_wait);
  g_test_add_func ("/advise/uncounted", test_uncounted);
  g_test_add_func ("/advise/pin-price", test_pin_price);
  g_test_add_func ("/advise/slow-host", test_slow_host);
  g_test_add_func ("/advise/once", test_once);
  g_test_add_func ("/advise/merge", test_merge);
  g_test_add_func ("/advise/overlap", test_overlap);
  g_test_add_func ("/advise/prefetch", test_prefetch);
  g_test_add_func ("/advise/pool", test_pool);
  g_test_add_func ("/advise/exclusive", test_exclusive);
  g_test_add_func ("/advise/fetch", test_fetch);
  g_test_add_func ("/advise/fetch-and-wait", test_fetch_and_wait);
  g_test_add_func ("/advise/wait", test_wait);
  g_test_add_func ("/advise/silent", test_silent);
  g_test_add_func ("/advise/in-chunks", test_in_chunks);
  g_test_add_func ("/advise/apart", test_apart);
  g_test_add_func ("/advise/chance", test_chance);
  g_test_add_func ("/advise/nothing", test_nothing);
  return g_test_run ();
}
