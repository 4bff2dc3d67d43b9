/* calibrate.c: from recorded runs to the profile of a simulated device
 *
 * SPDX-License-Identifier: MIT
 *
 * Each term of a profile has observations: figures of a recorded run that it alone, or almost alone, explains. The fit simulates the
 * recorded cells, compares each observation with its recording, changes the term by the difference (divided by how often a sample pays the
 * term), and repeats. Terms depend on each other only mildly (a phase is a sum), so a dozen rounds settle.
 */
#include "calibrate.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "agreement.h"
#include "base/json-tree.h"
#include "device/simulated/profile.h"
#include "measure/cell.h"
#include "recorded-noise.h"
#include "regimes.h"
#include "result/statistics.h"
#include "same-machine.h"

#define ROUNDS 8
#define DAMPING 0.8 /* below 1: terms that share an observation do not swing */
#define GOOD_ENOUGH 0.33  /* relative error of a figure that is not worth a compromise */
#define REPORT_FLOOR_NS 10e3
#define FAR 16.0     /* times the largest size */
#define LARGE 0x1p24 /* bytes of a vector that no cache holds */
#define MEMORY_SLOWER 2.0 /* a line from memory, beside one from the host's last cache */
#define ALIKE 0.15   /* two bandwidths that differ by less need no regime each */

/* How often allocations pay a term: each time, or once a chunk (device/simulated/). */
typedef enum
{
  PAID_EACH_TIME,
  PAID_PER_CHUNK,      /* all chunks are empty between two sets */
  PAID_PER_NEW_CHUNK,  /* one chunk is always there */
  PAID_PER_SHARE,      /* by those alone that find room in a chunk, one of which is always there */
} Payment;

typedef struct
{
  const char *term;     /* a curve's name, or "host-constant." and a constant's */
  const char *workload, *mode;
  MemlanePhase phase;
  MemlaneClock clock;
  double times;         /* how often a sample pays the term */
  double bytes_factor;  /* curves: bytes of one payment / bytes of one vector */
  Payment payment;
  gboolean per_launch;  /* cells of any reuse tell, and pay it for each launch; else those of reuse 1 alone */
} Observation;

#define COPIES(term, workload, mode, phase, clock, times) \
  { term, workload, mode, MEMLANE_PHASE_##phase, MEMLANE_CLOCK_##clock, times, 1, PAID_EACH_TIME, FALSE }
#define LAUNCHES(term, workload, mode, clock) \
  { term, workload, mode, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_##clock, 1, 1, PAID_EACH_TIME, TRUE }
#define VECTOR_ADD(term, mode, phase, clock, times) COPIES (term, "vector-add", mode, phase, clock, times)
#define BUFFERS(term, mode, phase, times, payment) \
  { term, "vector-add", mode, MEMLANE_PHASE_##phase, MEMLANE_CLOCK_HOST, times, 1, PAID_##payment, FALSE }

/* Which recorded figure explains which term. A term with several observations takes what serves them all best. */
static const Observation observations[] = {
  /* host memory: buffers of one set */
  BUFFERS ("share.take", "mapped", ALLOC, 3, PER_SHARE),
  BUFFERS ("share.take", "unified-addressing", ALLOC, 3, PER_SHARE),
  BUFFERS ("share.return", "mapped", FREE, 3, PER_SHARE),
  BUFFERS ("share.return", "unified-addressing", FREE, 3, PER_SHARE),
  BUFFERS ("share.take", "stream-ordered", ALLOC, 3, PER_SHARE),
  BUFFERS ("share.return", "stream-ordered", FREE, 3, PER_SHARE),
  BUFFERS ("malloc.device", "device-resident", ALLOC, 3, PER_CHUNK),
  BUFFERS ("free.device", "device-resident", FREE, 3, PER_CHUNK),
  VECTOR_ADD ("malloc.pageable", "pageable", ALLOC, HOST, 3),
  VECTOR_ADD ("malloc.pageable", "pageable-async", ALLOC, HOST, 3),
  VECTOR_ADD ("free.pageable", "pageable", FREE, HOST, 3),
  VECTOR_ADD ("free.pageable", "pageable-async", FREE, HOST, 3),
  BUFFERS ("malloc.pinned", "pinned", ALLOC, 3, PER_NEW_CHUNK),
  BUFFERS ("free.pinned", "pinned", FREE, 3, PER_NEW_CHUNK),
  BUFFERS ("malloc.allocated", "pinned-async", ALLOC, 3, PER_NEW_CHUNK),
  BUFFERS ("malloc.allocated", "streams-depth-first", ALLOC, 3, PER_NEW_CHUNK),
  BUFFERS ("malloc.allocated", "streams-breadth-first", ALLOC, 3, PER_NEW_CHUNK),
  BUFFERS ("malloc.allocated", "stream-ordered", ALLOC, 3, PER_NEW_CHUNK),
  BUFFERS ("free.allocated", "pinned-async", FREE, 3, PER_NEW_CHUNK),
  BUFFERS ("free.allocated", "streams-depth-first", FREE, 3, PER_NEW_CHUNK),
  BUFFERS ("free.allocated", "streams-breadth-first", FREE, 3, PER_NEW_CHUNK),
  BUFFERS ("free.allocated", "stream-ordered", FREE, 3, PER_NEW_CHUNK),
  BUFFERS ("malloc.allocated", "portable", ALLOC, 3, PER_NEW_CHUNK),
  BUFFERS ("free.allocated", "portable", FREE, 3, PER_NEW_CHUNK),
  BUFFERS ("malloc.write-combined", "write-combined", ALLOC, 2, PER_CHUNK),
  BUFFERS ("free.write-combined", "write-combined", FREE, 2, PER_CHUNK),
  BUFFERS ("malloc.allocated", "mapped", ALLOC, 3, PER_NEW_CHUNK),
  BUFFERS ("malloc.allocated", "unified-addressing", ALLOC, 3, PER_NEW_CHUNK),
  BUFFERS ("free.allocated", "mapped", FREE, 3, PER_NEW_CHUNK),
  BUFFERS ("free.allocated", "unified-addressing", FREE, 3, PER_NEW_CHUNK),
  BUFFERS ("malloc.write-combined", "mapped-write-combined", ALLOC, 2, PER_CHUNK),
  BUFFERS ("free.write-combined", "mapped-write-combined", FREE, 2, PER_CHUNK),
  VECTOR_ADD ("register.default", "registered", ALLOC, HOST, 3),
  VECTOR_ADD ("unregister.default", "registered", FREE, HOST, 3),
  VECTOR_ADD ("register.default", "registered-mapped", ALLOC, HOST, 3),
  VECTOR_ADD ("unregister.default", "registered-mapped", FREE, HOST, 3),

  VECTOR_ADD ("host-constant.chunk_per_stream", "streams-depth-first", ALLOC, HOST, 8),
  VECTOR_ADD ("host-constant.chunk_per_stream", "streams-breadth-first", ALLOC, HOST, 8),
  VECTOR_ADD ("host-constant.chunk_per_stream", "streams-depth-first", FREE, HOST, 8),
  VECTOR_ADD ("host-constant.chunk_per_stream", "streams-breadth-first", FREE, HOST, 8),
  COPIES ("host-constant.managed_first_touch", "copy-to-device", "managed-prefetch", HOST_WRITE, HOST, 1),
  COPIES ("host-constant.managed_first_touch", "copy-kernel", "managed", HOST_WRITE, HOST, 1),
  COPIES ("host-constant.managed_first", "copy-to-device", "managed-prefetch", ALLOC, HOST, 1),
  COPIES ("host-constant.managed_last", "copy-to-device", "managed-prefetch", FREE, HOST, 1),
  VECTOR_ADD ("malloc.managed", "managed", ALLOC, HOST, 3),
  VECTOR_ADD ("malloc.managed", "managed-prefetch", ALLOC, HOST, 3),
  VECTOR_ADD ("malloc.managed", "managed-advised", ALLOC, HOST, 3),
  VECTOR_ADD ("free.managed", "managed", FREE, HOST, 3),
  VECTOR_ADD ("free.managed", "managed-prefetch", FREE, HOST, 3),
  VECTOR_ADD ("free.managed-advised", "managed-advised", FREE, HOST, 3),
  VECTOR_ADD ("malloc.async", "stream-ordered", UPLOAD, ISSUE, 3),
  VECTOR_ADD ("malloc.async.device", "stream-ordered", UPLOAD, DEVICE, 3),
  VECTOR_ADD ("free.async", "stream-ordered", DOWNLOAD, ISSUE, 3),
  { "trim.async", "vector-add", "stream-ordered", MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 1, 3, PAID_EACH_TIME, FALSE },

  /* the host's own accesses */
  VECTOR_ADD ("host.write.pageable-first", "pageable", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.pageable-first", "pageable-async", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.pinned", "pinned", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.pinned", "pinned-async", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.pinned", "portable", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.pinned", "registered", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.pinned", "mapped", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.pinned", "unified-addressing", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.pinned", "streams-depth-first", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.write-combined", "write-combined", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.write-combined", "mapped-write-combined", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.managed-first", "managed", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.managed-first", "managed-prefetch", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.managed-first", "managed-advised", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.write.managed", "managed-static", HOST_WRITE, HOST, 2),
  VECTOR_ADD ("host.read.pageable", "pageable", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.pageable", "pageable-async", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.pinned", "pinned", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.pinned", "pinned-async", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.pinned", "portable", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.pinned", "mapped", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.pinned", "unified-addressing", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.pinned", "streams-depth-first", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.managed", "managed", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.static", "managed-static", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.managed", "managed-prefetch", HOST_READ, HOST, 1),
  VECTOR_ADD ("host.read.managed", "managed-advised", HOST_READ, HOST, 1),
  COPIES ("host.read.pinned", "copy-to-host", "write-combined", HOST_READ, HOST, 1),

  VECTOR_ADD ("host.touch", "managed-advised", DOWNLOAD, HOST, 1),

  /* copies */
  VECTOR_ADD ("fetch-written", "pinned-async", UPLOAD, DEVICE, 2),
  VECTOR_ADD ("copy.pinned.to-host", "pinned-async", DOWNLOAD, DEVICE, 1),
  VECTOR_ADD ("memcpy.to-device", "pinned", UPLOAD, HOST, 2),
  VECTOR_ADD ("memcpy.to-host", "pinned", DOWNLOAD, HOST, 1),
  VECTOR_ADD ("memcpy.to-device", "portable", UPLOAD, HOST, 2),
  VECTOR_ADD ("memcpy.to-host", "portable", DOWNLOAD, HOST, 1),
  VECTOR_ADD ("memcpy.to-device", "registered", UPLOAD, HOST, 2),
  VECTOR_ADD ("memcpy.to-host", "registered", DOWNLOAD, HOST, 1),
  VECTOR_ADD ("memcpy.to-device", "write-combined", UPLOAD, HOST, 2),
  VECTOR_ADD ("memcpy.to-host", "write-combined", DOWNLOAD, HOST, 1),
  VECTOR_ADD ("copy.pageable.to-device", "pageable", UPLOAD, HOST, 2),
  VECTOR_ADD ("copy.pageable.to-host", "pageable", DOWNLOAD, HOST, 1),
  VECTOR_ADD ("copy.pageable.to-host", "pageable", ELAPSED, HOST, 1),
  VECTOR_ADD ("copy.pageable-async.to-device", "pageable-async", UPLOAD, HOST, 2),
  VECTOR_ADD ("copy.pageable-async.to-host", "pageable-async", DOWNLOAD, HOST, 1),
  VECTOR_ADD ("copy.pageable-async.to-host", "pageable-async", ELAPSED, HOST, 1),
  COPIES ("copy.on-device", "copy-on-device", "device-resident", ELAPSED, DEVICE, 1),
  COPIES ("copy.on-host", "copy-on-host", "pageable", ELAPSED, HOST, 1),
  COPIES ("copy.on-host", "copy-on-host", "pinned", ELAPSED, HOST, 1),
  COPIES ("copy.managed.on-host", "copy-on-host", "managed", ELAPSED, HOST, 1),
  COPIES ("fill.device", "fill", "device-resident", ELAPSED, DEVICE, 1),
  COPIES ("fill.mapped", "fill", "mapped", ELAPSED, DEVICE, 1),

  /* kernels */
  LAUNCHES ("kernel.add.device", "vector-add", "device-resident", DEVICE),
  VECTOR_ADD ("kernel.add.cold", "pinned-async", KERNEL, DEVICE, 1),
  VECTOR_ADD ("kernel.add.cold", "pinned", KERNEL, DEVICE, 1),
  VECTOR_ADD ("kernel.add.cold", "registered", KERNEL, DEVICE, 1),
  LAUNCHES ("kernel.add.mapped", "vector-add", "mapped", DEVICE),
  LAUNCHES ("kernel.add.mapped", "vector-add", "unified-addressing", DEVICE),
  LAUNCHES ("kernel.add.mapped", "vector-add", "registered-mapped", DEVICE),
  LAUNCHES ("kernel.add.mapped", "vector-add", "mapped-write-combined", DEVICE),
  COPIES ("kernel.copy.device", "copy-kernel", "device-resident", KERNEL, DEVICE, 1),
  COPIES ("kernel.copy.cold", "copy-kernel", "pinned-async", KERNEL, DEVICE, 1),
  COPIES ("kernel.copy.cold", "copy-kernel", "pinned", KERNEL, DEVICE, 1),
  COPIES ("kernel.copy.mapped-both", "copy-kernel", "mapped", KERNEL, DEVICE, 1),
  COPIES ("kernel.copy.mapped-both", "copy-kernel", "mapped-write-combined", KERNEL, DEVICE, 1),
  COPIES ("kernel.copy.mapped-load", "copy-to-device", "mapped", KERNEL, DEVICE, 1),
  COPIES ("kernel.copy.mapped-store", "copy-to-host", "mapped", KERNEL, DEVICE, 1),

  /* managed memory */
  VECTOR_ADD ("migrate.to-device", "managed", KERNEL, DEVICE, 3),
  VECTOR_ADD ("migrate.to-device", "managed", ELAPSED, HOST, 3),
  COPIES ("migrate.to-device", "copy-kernel", "managed", KERNEL, DEVICE, 2),
  VECTOR_ADD ("migrate.static.to-device", "managed-static", KERNEL, DEVICE, 3),
  VECTOR_ADD ("migrate.static.to-device", "managed-static", ELAPSED, HOST, 3),
  COPIES ("migrate.static.to-device", "copy-kernel", "managed-static", KERNEL, DEVICE, 2),
  COPIES ("host-constant.fault_first", "copy-to-device", "managed", KERNEL, DEVICE, 1),
  COPIES ("host-constant.fault_first", "copy-to-host", "managed", KERNEL, DEVICE, 1),
  COPIES ("host-constant.fault_first", "fill", "managed", ELAPSED, DEVICE, 1),
  COPIES ("host-constant.fault_first", "fill", "managed-static", ELAPSED, DEVICE, 1),
  COPIES ("host-constant.fault_first", "copy-to-device", "managed-static", KERNEL, DEVICE, 1),
  COPIES ("host-constant.fault_first", "copy-to-host", "managed-static", KERNEL, DEVICE, 1),
  VECTOR_ADD ("migrate.to-host", "managed", DOWNLOAD, HOST, 1),
  VECTOR_ADD ("migrate.static.to-host", "managed-static", DOWNLOAD, HOST, 1),
  VECTOR_ADD ("duplicate.to-device", "managed-advised", KERNEL, DEVICE, 2),
  VECTOR_ADD ("duplicate.to-device", "managed-advised", ELAPSED, HOST, 2),
  COPIES ("prefetch.now.to-device", "copy-to-device", "managed-prefetch", ELAPSED, HOST, 1),
  COPIES ("prefetch.now.to-host", "copy-to-host", "managed-prefetch", ELAPSED, HOST, 1),
  VECTOR_ADD ("prefetch.to-device", "managed-prefetch", UPLOAD, DEVICE, 3),
  VECTOR_ADD ("prefetch.to-device", "managed-prefetch", ELAPSED, HOST, 2),
  VECTOR_ADD ("prefetch.to-host", "managed-prefetch", DOWNLOAD, DEVICE, 1),
  VECTOR_ADD ("prefetch.issue.to-device", "managed-prefetch", UPLOAD, ISSUE, 3),
  VECTOR_ADD ("prefetch.issue.to-device", "managed-prefetch", DOWNLOAD, ISSUE, 1),

  /* what one operation does to the next */
  VECTOR_ADD ("engine-switch", "pinned-async", ELAPSED, HOST, 2),
#define FIRST_CALL(term, mode, phase, vectors) \
  { term, "vector-add", mode, MEMLANE_PHASE_##phase, MEMLANE_CLOCK_ISSUE, 1, vectors, PAID_EACH_TIME, FALSE }
  FIRST_CALL ("cold-copy", "pinned-async", UPLOAD, 3),
  FIRST_CALL ("cold-call", "mapped", KERNEL, 3),
  FIRST_CALL ("cold-call", "unified-addressing", KERNEL, 3),
  FIRST_CALL ("cold-call", "pinned", KERNEL, 3),
  FIRST_CALL ("cold-call", "pinned-async", KERNEL, 3),
  FIRST_CALL ("cold-call", "portable", KERNEL, 3),
  FIRST_CALL ("cold-call", "registered", KERNEL, 3),
  VECTOR_ADD ("host-constant.launch_managed", "managed", KERNEL, ISSUE, 1),
  VECTOR_ADD ("host-constant.launch_managed", "managed-static", KERNEL, ISSUE, 1),
  VECTOR_ADD ("host-constant.launch_managed", "managed-prefetch", KERNEL, ISSUE, 1),
  VECTOR_ADD ("host-constant.memcpy_busy", "pinned", DOWNLOAD, ISSUE, 1),
  VECTOR_ADD ("host-constant.memcpy_busy", "portable", DOWNLOAD, ISSUE, 1),
  VECTOR_ADD ("host-constant.memcpy_busy", "registered", DOWNLOAD, ISSUE, 1),

  VECTOR_ADD ("launch.advised", "managed-advised", KERNEL, ISSUE, 1),

  COPIES ("host-constant.event_wait", "copy-bidirectional", "pinned", ELAPSED, DEVICE, 2),
  COPIES ("host-constant.event_wait", "copy-bidirectional", "portable", ELAPSED, DEVICE, 2),
  COPIES ("host-constant.event_wait", "copy-bidirectional", "registered", ELAPSED, DEVICE, 2),

  /* constants of the host thread */
  VECTOR_ADD ("host-constant.memcpy_async", "streams-depth-first", ELAPSED, ISSUE, 24),
  VECTOR_ADD ("host-constant.memcpy_async", "streams-breadth-first", ELAPSED, ISSUE, 24),
  { "host-constant.kernel_interval", "vector-add", "streams-depth-first", MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_DEVICE, 8, 1,
    PAID_EACH_TIME, TRUE },
  { "host-constant.kernel_interval", "vector-add", "streams-breadth-first", MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_DEVICE, 8, 1,
    PAID_EACH_TIME, TRUE },
  COPIES ("host-constant.memset_async", "fill", "device-resident", ELAPSED, ISSUE, 1),
  LAUNCHES ("host-constant.launch", "vector-add", "pinned-async", ISSUE),
  LAUNCHES ("host-constant.launch", "vector-add", "pinned", ISSUE),
  LAUNCHES ("host-constant.launch", "vector-add", "device-resident", ISSUE),
  VECTOR_ADD ("host-constant.kernel_first", "device-resident", KERNEL, DEVICE, 1),
  VECTOR_ADD ("host-constant.kernel_first", "mapped", KERNEL, DEVICE, 1),
  VECTOR_ADD ("host-constant.kernel_latency", "device-resident", ELAPSED, HOST, 1),
};

/* What recordings do not tell from its kin, whose cost it has then. */
static const char *const same_as_kin[] = {
  "malloc.portable", "free.portable", "malloc.mapped", "free.mapped", "malloc.mapped-write-combined", "free.mapped-write-combined",
  "register.mapped", "unregister.mapped", "prefetch.issue.to-host", "host.read.write-combined",
  "kernel.add.mapped-write-combined", "kernel.copy.mapped-write-combined",
  "copy.pinned.to-device", /* but for the first read of what the host has written */
};

/* What one observation says at one size: its figure as recorded and as simulated in this round, and how often the term is in it. */
typedef struct
{
  double recorded, simulated, times;
} Opinion;

/* One term's opinions of one round, by knot. */
typedef struct
{
  double bytes;
  GArray *opinions;  /* Opinion */
  double weight;     /* how much an error of one nanosecond weighs in the recorded figures: sum of (payments / figure)^2 */
} Knot;

typedef struct
{
  GPtrArray *runs;
  MemlaneProfile *profile;
  GPtrArray *simulated;     /* (element-type GPtrArray of MemlaneCell) run by run, the recorded cells simulated in this round; NULL: not */
  MemlaneReference *reference;
  gboolean has_rows;        /* some recorded cell has several kernels in a row */
  GPtrArray *unseen;        /* terms that nothing recorded tells of (static strings) */
  MemlaneCellFilter uses;   /* (nullable) the cells that are fitted */
  gconstpointer data;
} Fit;

/* The change of the term that several observations ask for: the middle of the quartiles, which is no more moved by one disturbed cell than
 * the median is, but where modes differ by nature leaves each of them half of the error instead of one all of it. */
static double
middle_of (const GArray *opinions)
{
  g_autofree double *changes = g_new (double, opinions->len);
  MemlaneStatistics statistics;

  for (guint i = 0; i < opinions->len; i++)
    {
      const Opinion *opinion = &g_array_index (opinions, Opinion, i);

      changes[i] = (opinion->recorded - opinion->simulated) / opinion->times;
    }
  memlane_statistics_compute (changes, opinions->len, &statistics);
  return (statistics.q1 + statistics.q3) / 2;
}

/* The largest relative error that @change leaves, and whose it is. */
static double
worst_after (const GArray *opinions, double change, guint *whose)
{
  double worst = -1;

  for (guint i = 0; i < opinions->len; i++)
    {
      const Opinion *opinion = &g_array_index (opinions, Opinion, i);
      double error = fabs (opinion->simulated + opinion->times * change - opinion->recorded) / opinion->recorded;

      if (error > worst)
        {
          worst = error;
          *whose = i;
        }
    }
  return worst;
}

/* The change with the smallest worst error; the error is convex in it. */
static double
least_worst (const GArray *opinions)
{
  double low = G_MAXDOUBLE, high = -G_MAXDOUBLE;
  guint whose;

  for (guint i = 0; i < opinions->len; i++)
    {
      const Opinion *opinion = &g_array_index (opinions, Opinion, i);
      double change = (opinion->recorded - opinion->simulated) / opinion->times;

      low = MIN (low, change);
      high = MAX (high, change);
    }
  for (guint i = 0; i < 60; i++)
    {
      double a = low + (high - low) / 3, b = high - (high - low) / 3;

      if (worst_after (opinions, a, &whose) < worst_after (opinions, b, &whose))
        high = b;
      else
        low = a;
    }
  return (low + high) / 2;
}

/* The change that suits several observations at one size: the middle, if it leaves none with a large error; else the change with the
 * smallest worst error, after those that no one change suits have been left out, the farthest first. */
static double
agree_on (const GArray *opinions)
{
  g_autoptr (GArray) kept = g_array_copy ((GArray *) opinions);
  double change = middle_of (opinions);
  guint whose;

  if (worst_after (opinions, change, &whose) <= GOOD_ENOUGH)
    return change;
  while (kept->len > 1 && worst_after (kept, change = least_worst (kept), &whose) > GOOD_ENOUGH)
    {
      worst_after (kept, middle_of (kept), &whose);
      g_array_remove_index (kept, whose);
    }
  return kept->len > 1 ? change : middle_of (opinions);
}

static void
clear_knot (gpointer data)
{
  g_array_unref (((Knot *) data)->opinions);
}

static int
compare_knots (gconstpointer a, gconstpointer b)
{
  double x = ((const Knot *) a)->bytes, y = ((const Knot *) b)->bytes;

  return x < y ? -1 : x > y;
}

static void
free_cell (gpointer cell)
{
  if (cell != NULL)
    memlane_cell_unref (cell);
}

GPtrArray *
memlane_calibrate_simulate (const MemlaneProfile *profile, const MemlaneRun *run, const MemlaneReference *reference,
                            MemlaneCellFilter uses, gconstpointer data)
{
  MemlaneDevice *device = memlane_simulated_device_new_weightless (profile, "simulated:fit");
  GPtrArray *cells = g_ptr_array_new_with_free_func (free_cell);

  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];
      const MemlaneWorkload *workload = memlane_workload_find (cell->workload);
      const MemlaneMode *mode = memlane_mode_find (cell->mode);
      const MemlaneMethod method = {
        .workload = workload, .precision = 0.02, .cell_seconds = 0, .reuse = cell->reuse, .streams = MAX (cell->streams, 1),
        .chunks = MAX (cell->chunks, 1),
      };
      gboolean is_usable = workload != NULL && mode != NULL && cell->figures->len > 0 && cell->elements <= reference->elements
                           && (uses == NULL || uses (cell, data));

      g_ptr_array_add (cells, is_usable ? memlane_measure_cell (device, &method, mode, cell->log2_elements, reference, NULL) : NULL);
    }
  memlane_device_close (device);
  return cells;
}

/* Simulates the recorded cells that are fitted with the profile as it stands. */
static void
simulate (Fit *fit)
{
  g_ptr_array_set_size (fit->simulated, 0);
  for (guint i = 0; i < fit->runs->len; i++)
    g_ptr_array_add (fit->simulated, memlane_calibrate_simulate (fit->profile, fit->runs->pdata[i], fit->reference, fit->uses, fit->data));
}

/* MEMLANE_N_CURVES: @term is none. */
static MemlaneCurve
find_curve (const char *term)
{
  guint n;
  const MemlaneProfileTerm *curves = memlane_profile_curve_list (&n);
  MemlaneCurve curve = 0;

  while (curve < n && !g_str_equal (curves[curve].name, term))
    curve++;
  return curve;
}

/* How often a sample over vectors of @bytes pays @observation's term; 0: it tells nothing at this size. */
static double
count_payments (const Observation *observation, gsize bytes)
{
  guint n = (guint) observation->times;

  switch (observation->payment)
    {
    case PAID_PER_CHUNK:
      return memlane_simulated_chunks_for (bytes, n, FALSE);
    case PAID_PER_NEW_CHUNK:
      return memlane_simulated_chunks_for (bytes, n, TRUE);
    case PAID_PER_SHARE:
      return memlane_simulated_chunks_for (bytes, n, TRUE) == 0 ? n : 0;
    case PAID_EACH_TIME:
    default:
      return observation->times;
    }
}

/* What @observation says of its term: one residual (recorded - simulated, per payment) for each size it was measured at. */
static void
collect (Fit *fit, const Observation *observation, GArray *knots)
{
  double least = memlane_profile_goes_by_page (find_curve (observation->term)) ? MEMLANE_SIMULATED_CHUNK_BYTES : 0;

  for (guint i = 0; i < fit->runs->len; i++)
    {
      const MemlaneRun *run = fit->runs->pdata[i];

      for (guint j = 0; j < run->cells->len; j++)
        {
          const MemlaneCell *cell = run->cells->pdata[j];
          const MemlaneCell *twin;
          const MemlaneFigure *recorded, *simulated;
          Opinion opinion;
          double bytes, times;
          Knot *knot = NULL;

          if (!g_str_equal (cell->mode, observation->mode) || !g_str_equal (cell->workload, observation->workload)
              || (cell->reuse != 1 && !observation->per_launch))
            continue;
          twin = g_ptr_array_index ((GPtrArray *) fit->simulated->pdata[i], j);
          recorded = memlane_cell_find (cell, observation->phase, observation->clock);
          simulated = twin != NULL ? memlane_cell_find (twin, observation->phase, observation->clock) : NULL;
          if (recorded == NULL || simulated == NULL || recorded->statistics.count == 0 || simulated->statistics.count == 0)
            continue;
          times = count_payments (observation, cell->bytes) * (observation->per_launch ? cell->reuse : 1);
          if (times <= 0)
            continue;
          opinion = (Opinion) { recorded->statistics.median, simulated->statistics.median, times };
          bytes = MAX (cell->bytes * observation->bytes_factor, least);
          for (guint k = 0; k < knots->len && knot == NULL; k++)
            if (g_array_index (knots, Knot, k).bytes == bytes)
              knot = &g_array_index (knots, Knot, k);
          if (knot == NULL)
            {
              Knot fresh = { bytes, g_array_new (FALSE, FALSE, sizeof (Opinion)), 0 };

              g_array_append_val (knots, fresh);
              knot = &g_array_index (knots, Knot, knots->len - 1);
            }
          g_array_append_val (knot->opinions, opinion);
          knot->weight += pow (times / recorded->statistics.median, 2);
        }
    }
}

/* What is known far beyond the measured sizes, as one more observation behind the @n of @points: a call that moves no bytes costs what it
 * does at the largest; and memory that is locked page by page does for each page what it does in a chunk, where no more was seen of it.
 * Returns how many there are. */
static guint
add_far_call (MemlaneCurve curve, MemlaneCostPoint *points, guint n)
{
  gboolean by_page = n == 1 && memlane_profile_goes_by_page (curve);

  if (!by_page && (n < 2 || !memlane_profile_moves_nothing (curve)))
    return n;
  points[n] = points[n - 1];
  points[n].bytes *= FAR;
  points[n].ns *= by_page ? FAR : 1;
  return n + 1;
}

/* A regime behind the @n of @pieces, where nothing was measured beyond @most bytes, which caches hold: the usual pace of what carries
 * them. Returns how many there are. */
static guint
add_far_regime (const Fit *fit, MemlaneCurve curve, const MemlaneCostPoint *largest, MemlaneCostPiece *pieces, guint n)
{
  double most = largest->bytes;
  MemlaneCostPiece last = pieces[n - 1];
  double from, usual = memlane_profile_get_usual (fit->profile, curve, &from);

  if (memlane_profile_is_cold (curve) && most < LARGE && fit->profile->host_cache_bytes > 0)
    {
      from = pieces[n - 1].up_to = MAX ((double) fit->profile->host_cache_bytes, most);
      pieces[n] = (MemlaneCostPiece) { .up_to = INFINITY, .latency_ns = MEMORY_SLOWER * (last.latency_ns + last.ns_per_byte * from) };
      return n + 1;
    }
  if (most >= LARGE || usual <= 0 || n == MEMLANE_COST_MOST_PIECES || fabs (last.ns_per_byte / usual - 1) < ALIKE)
    return n;
  /* Up to there a byte takes no less than at the largest size: caches only get larger and slower. */
  if (from > most && n + 1 < MEMLANE_COST_MOST_PIECES && largest->ns / most > last.ns_per_byte)
    {
      pieces[n - 1].up_to = most;
      pieces[n] = last = (MemlaneCostPiece) { .up_to = from, .ns_per_byte = largest->ns / most };
      n++;
    }
  from = MAX (from, most);
  pieces[n - 1].up_to = from;
  pieces[n] = (MemlaneCostPiece) { .up_to = INFINITY, .ns_per_byte = usual };
  pieces[n].latency_ns = last.latency_ns + MAX (last.ns_per_byte - usual, 0) * from; /* a faster one goes on from there */
  return n + 1;
}

static gboolean
update_curve (Fit *fit, const char *name, GArray *knots, GError **error)
{
  g_autofree MemlaneCostPoint *points = g_new (MemlaneCostPoint, knots->len + 1);
  MemlaneCostPiece pieces[MEMLANE_COST_MOST_PIECES];
  MemlaneCurve curve = find_curve (name);
  guint n_pieces;

  g_return_val_if_fail (curve < MEMLANE_N_CURVES, FALSE);
  g_array_sort (knots, compare_knots);
  for (guint i = 0; i < knots->len; i++)
    {
      const Knot *knot = &g_array_index (knots, Knot, i);
      double before = memlane_profile_cost (fit->profile, curve, knot->bytes);

      /* A term may not vanish in one round: what it gave away too much it could not get back. */
      points[i] = (MemlaneCostPoint) {
        .bytes = knot->bytes, .ns = MAX (before + DAMPING * agree_on (knot->opinions), MAX (before * 0.1, 1)),
        .weight = knot->weight / knot->opinions->len,
      };
    }
  n_pieces = memlane_regimes_fit (points, add_far_call (curve, points, knots->len), memlane_profile_get_border (fit->profile, curve),
                                  pieces);
  n_pieces = add_far_regime (fit, curve, &points[knots->len - 1], pieces, n_pieces);
  return memlane_profile_set_pieces (fit->profile, name, pieces, n_pieces, error);
}

static int
compare_opinions (gconstpointer a, gconstpointer b)
{
  const Opinion *x = a, *y = b;
  double difference = (x->recorded - x->simulated) / x->times - (y->recorded - y->simulated) / y->times;

  return difference < 0 ? -1 : difference > 0;
}

/* The change of a constant in whose favour as much is said as against it. An opinion weighs as much as the constant does in its figure: in
 * a long one it says little. */
static double
weigh (GArray *opinions)
{
  double all = 0, sum = 0;

  g_array_sort (opinions, compare_opinions);
  for (guint i = 0; i < opinions->len; i++)
    all += g_array_index (opinions, Opinion, i).times / g_array_index (opinions, Opinion, i).recorded;
  for (guint i = 0; i < opinions->len; i++)
    {
      const Opinion *opinion = &g_array_index (opinions, Opinion, i);

      sum += opinion->times / opinion->recorded;
      if (sum >= all / 2)
        return (opinion->recorded - opinion->simulated) / opinion->times;
    }
  return 0;
}

static gboolean
update_constant (Fit *fit, const char *name, GArray *knots, GError **error)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Opinion));
  double before;

  for (guint i = 0; i < knots->len; i++)
    {
      GArray *opinions = g_array_index (knots, Knot, i).opinions;

      g_array_append_vals (all, opinions->data, opinions->len);
    }
  g_return_val_if_fail (memlane_profile_get_host (fit->profile, name, &before), FALSE);
  return memlane_profile_set_host (fit->profile, name, MAX (before + DAMPING * weigh (all), 0), error);
}

static gboolean
improve (Fit *fit, GError **error)
{
  g_autoptr (GHashTable) done = g_hash_table_new (g_str_hash, g_str_equal);

  g_ptr_array_set_size (fit->unseen, 0);
  for (guint i = 0; i < G_N_ELEMENTS (observations); i++)
    {
      const char *term = observations[i].term;
      g_autoptr (GArray) knots = g_array_new (FALSE, FALSE, sizeof (Knot));
      gboolean is_constant = g_str_has_prefix (term, "host-constant.");

      if (!g_hash_table_add (done, (gpointer) term))
        continue;
      /* Only beside kernels in a row is a kernel alone more than its curve, and do they wait for each other. */
      if (!fit->has_rows && (g_str_equal (term, "host-constant.kernel_first") || g_str_equal (term, "host-constant.kernel_interval")))
        continue;
      g_array_set_clear_func (knots, clear_knot);
      for (guint j = i; j < G_N_ELEMENTS (observations); j++)
        if (g_str_equal (observations[j].term, term))
          collect (fit, &observations[j], knots);
      if (knots->len == 0)
        {
          g_ptr_array_add (fit->unseen, (gpointer) term);
          continue;
        }
      if (!(is_constant ? update_constant (fit, term + strlen ("host-constant."), knots, error) : update_curve (fit, term, knots, error)))
        return FALSE;
    }
  return TRUE;
}

/* What the runs do not show is the base's, which may be another device. */
static void
describe_unseen (const Fit *fit, GString *report)
{
  if (fit->unseen->len == 0)
    return;
  g_string_append_printf (report, "not shown by these runs, and left as %s has it:", fit->profile->info.name);
  for (guint i = 0; i < fit->unseen->len; i++)
    g_string_append_printf (report, "%s %s", i > 0 ? "," : "", (const char *) fit->unseen->pdata[i]);
  g_string_append_c (report, '\n');
}

static void
describe_fit (Fit *fit, GString *report)
{
  describe_unseen (fit, report);
  for (guint i = 0; i < fit->runs->len; i++)
    {
      const MemlaneRun *run = fit->runs->pdata[i];
      MemlaneAgreement *agreement = memlane_agreement_new_of_cells (run->cells, fit->simulated->pdata[i], REPORT_FLOOR_NS);

      g_string_append_printf (report, "%s: ", run->id);
      memlane_agreement_describe (agreement, 5, report);
      memlane_agreement_free (agreement);
    }
}

static void
take_number (double *value, const MemlaneRun *run, const char *path)
{
  double found = memlane_environment_get_number (run, path);

  if (found > 0)
    *value = found;
}

static void
take_count (int *value, const MemlaneRun *run, const char *path)
{
  double found = memlane_environment_get_number (run, path);

  if (found >= 0 && found <= G_MAXINT)
    *value = (int) found;
}

/* (nullable) (transfer none): owned by @root */
static JsonArray *
find_capabilities (JsonNode *root)
{
  JsonNode *device = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_object_get_member (json_node_get_object (root), "device") : NULL;
  JsonNode *names = device != NULL && JSON_NODE_HOLDS_OBJECT (device)
                      ? json_object_get_member (json_node_get_object (device), "capabilities") : NULL;

  return names != NULL && JSON_NODE_HOLDS_ARRAY (names) ? json_node_get_array (names) : NULL;
}

/* The first run's device, as far as its environment tells of it; what it does not tell stays as the base has it. */
static void
copy_device (MemlaneDeviceInfo *info, const MemlaneRun *run)
{
  g_autoptr (JsonNode) root = run->environment != NULL ? memlane_json_tree_read (run->environment, -1, run->id, NULL) : NULL;
  g_autofree char *name = memlane_environment_get (run, "device/name");
  JsonArray *names = find_capabilities (root);
  double memory = memlane_environment_get_number (run, "device/memory_bytes");

  g_free (info->name);
  if (name == NULL)
    name = g_strdup (run->device);
  info->name = strstr (name, "(simulated)") != NULL ? g_strdup (name) : g_strdup_printf ("%s (simulated)", name);
  take_count (&info->multiprocessors, run, "device/multiprocessors");
  take_count (&info->copy_engines, run, "device/copy_engines");
  if (memory >= 0 && memory < 0x1p63)
    info->memory_bytes = (guint64) memory;
  if (memlane_environment_get_number (run, "device/l2_bytes") > 0)
    info->l2_bytes = (guint64) memlane_environment_get_number (run, "device/l2_bytes");
  take_number (&info->memory_bandwidth, run, "device/memory_bandwidth_bytes_per_s");
  take_count (&info->link_generation, run, "link/generation");
  take_count (&info->link_width, run, "link/width");
  take_number (&info->link_bandwidth, run, "link/bandwidth_bytes_per_s");
  if (names == NULL)
    return;
  info->capabilities = 0;
  for (guint bit = 1; bit <= MEMLANE_CAN_PEER_COPY; bit <<= 1)
    for (guint i = 0; i < json_array_get_length (names); i++)
      {
        JsonNode *node = json_array_get_element (names, i);

        if (JSON_NODE_HOLDS_VALUE (node) && g_strcmp0 (json_node_get_string (node), memlane_capability_name (bit)) == 0)
          info->capabilities |= bit;
      }
}

/* The limits of another device, and another host, than the base's. */
static void
forget_limits (MemlaneProfile *profile)
{
  profile->l2_bandwidth = 2.5 * profile->info.memory_bandwidth; /* as a data sheet's, where none says it */
  profile->host_bandwidth = profile->host_cache_bandwidth = 0;
  profile->host_cache_bytes = profile->streaming_bytes = 0;
}

/* @ids with @id behind them, if it is not among them. */
static void
add_id (GString *ids, const char *id)
{
  g_auto (GStrv) known = g_strsplit (ids->str, ",", 0);

  if (!g_strv_contains ((const char *const *) known, id))
    g_string_append_printf (ids, "%s%s", ids->len > 0 ? "," : "", id);
}

static void
widen (int *least, int *most, guint value)
{
  *least = *most == 0 ? (int) value : MIN (*least, (int) value);
  *most = MAX (*most, (int) value);
}

/* What the fitted cells were of. */
static void
tell_range (Fit *fit)
{
  MemlaneProfileRange *range = &fit->profile->recorded;
  g_autoptr (GString) workloads = g_string_new (NULL);
  g_autoptr (GString) modes = g_string_new (NULL);

  g_free (range->workloads);
  g_free (range->modes);
  *range = (MemlaneProfileRange) { 0 };
  for (guint i = 0; i < fit->runs->len; i++)
    {
      const MemlaneRun *run = fit->runs->pdata[i];

      for (guint j = 0; j < run->cells->len; j++)
        {
          const MemlaneCell *cell = run->cells->pdata[j];

          if (cell->figures->len == 0 || (fit->uses != NULL && !fit->uses (cell, fit->data)))
            continue;
          range->least_bytes = range->most_bytes == 0 ? cell->bytes : MIN (range->least_bytes, cell->bytes);
          range->most_bytes = MAX (range->most_bytes, cell->bytes);
          widen (&range->least_reuse, &range->most_reuse, cell->reuse);
          if (cell->streams > 0)
            widen (&range->least_streams, &range->most_streams, cell->streams);
          add_id (workloads, cell->workload);
          add_id (modes, cell->mode);
        }
    }
  range->workloads = g_string_free (g_steal_pointer (&workloads), FALSE);
  range->modes = g_string_free (g_steal_pointer (&modes), FALSE);
}

static void
name_profile (Fit *fit)
{
  g_autoptr (GString) from = g_string_new (NULL);
  g_autofree char *name = memlane_environment_get (fit->runs->pdata[0], "device/name");

  if (name == NULL || fit->profile->info.name == NULL || !g_str_has_prefix (fit->profile->info.name, name))
    forget_limits (fit->profile);
  copy_device (&fit->profile->info, fit->runs->pdata[0]);
  for (guint i = 0; i < fit->runs->len; i++)
    g_string_append_printf (from, "%s%s", i > 0 ? ", " : "", ((const MemlaneRun *) fit->runs->pdata[i])->id);
  g_free (fit->profile->info.calibrated_from);
  fit->profile->info.calibrated_from = g_string_free (g_steal_pointer (&from), FALSE);
  fit->profile->info.estimated = FALSE;
  memlane_recorded_noise_fit (fit->runs, &fit->profile->recorded_noise);
  tell_range (fit);
}

MemlaneProfile *
memlane_calibrate_load_base (const char *base, GError **error)
{
  g_autofree char *path = NULL;
  MemlaneDevice *device = memlane_device_open (base != NULL ? base : "simulated:h200", error);

  if (device == NULL)
    return NULL;
  path = g_strdup (memlane_device_get_info (device)->profile);
  memlane_device_close (device);
  if (path == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--base %s: expected a simulated device, such as simulated:h200", base);
      return NULL;
    }
  return memlane_profile_load (path, error);
}

/* Whether the first run and @run come from devices of one name. */
static gboolean
is_same_device (const MemlaneRun *first, const MemlaneRun *run)
{
  g_autofree char *one = memlane_environment_get (first, "device/name"), *other = memlane_environment_get (run, "device/name");

  return one == NULL || other == NULL || g_str_equal (one, other);
}

gboolean
memlane_calibrate_check (GPtrArray *runs, gboolean of_simulated, GString *report, GError **error)
{
  guint sizes = 0, failed = 0, figures = 0;
  gboolean has_size[64] = { FALSE };

  for (guint i = 0; i < runs->len; i++)
    {
      const MemlaneRun *run = runs->pdata[i];

      if (!of_simulated && g_str_equal (run->device_kind, "simulated"))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       "run %s was simulated: a profile is fitted from runs recorded on a real device (device_kind cuda)", run->id);
          return FALSE;
        }
      if (!is_same_device (runs->pdata[0], run))
        {
          g_autofree char *one = memlane_environment_get (runs->pdata[0], "device/name");
          g_autofree char *other = memlane_environment_get (run, "device/name");

          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       "run %s was recorded on %s and run %s on %s: expected runs of one device; fit a profile to each",
                       ((const MemlaneRun *) runs->pdata[0])->id, one, run->id, other);
          return FALSE;
        }
      for (guint j = 0; j < run->cells->len; j++)
        {
          const MemlaneCell *cell = run->cells->pdata[j];
          gboolean measured = cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY;

          failed += !measured && cell->status != MEMLANE_STATUS_UNSUPPORTED;
          if (!measured || cell->figures->len == 0)
            continue;
          figures += cell->figures->len;
          sizes += !has_size[cell->log2_elements & 63];
          has_size[cell->log2_elements & 63] = TRUE;
        }
    }
  if (figures == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "nothing was measured in %s: expected cells of status ok or noisy; record again with memlane-cli sweep",
                   runs->len == 1 ? "this run" : "these runs");
      return FALSE;
    }
  if (failed > 0)
    g_string_append_printf (report, "left out: %u cells that failed\n", failed);
  if (sizes == 1)
    g_string_append (report, "one size only: no bandwidth can be told from latency; every cost is that of this size at all sizes\n");
  return TRUE;
}

MemlaneReference *
memlane_calibrate_reference (GPtrArray *runs, GError **error)
{
  gsize elements = 1;
  MemlaneReference *reference;

  for (guint i = 0; i < runs->len; i++)
    {
      const MemlaneRun *run = runs->pdata[i];

      for (guint j = 0; j < run->cells->len; j++)
        elements = MAX (elements, ((const MemlaneCell *) run->cells->pdata[j])->elements);
    }
  reference = memlane_reference_new_hollow (elements);
  if (reference == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "no room for the addresses of 4 x %" G_GSIZE_FORMAT " floats", elements);
  return reference;
}

MemlaneProfile *
memlane_calibrate_fit (GPtrArray *runs, const MemlaneProfile *base, const MemlaneReference *reference, MemlaneCellFilter uses,
                       gconstpointer data, GString *report, GError **error)
{
  Fit fit = { .runs = runs, .reference = (MemlaneReference *) reference, .uses = uses, .data = data };
  gboolean fitted = TRUE;

  for (guint i = 0; i < runs->len; i++)
    {
      const MemlaneRun *run = runs->pdata[i];

      for (guint j = 0; j < run->cells->len; j++)
        {
          const MemlaneCell *cell = run->cells->pdata[j];

          fit.has_rows |= cell->reuse > 1 && (uses == NULL || uses (cell, data));
        }
    }
  fit.profile = memlane_profile_copy (base);
  for (guint i = 0; i < G_N_ELEMENTS (same_as_kin); i++)
    memlane_profile_set_curve (fit.profile, same_as_kin[i], NULL, NULL, 0, NULL);
  fit.simulated = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  fit.unseen = g_ptr_array_new ();
  for (guint round = 0; round < ROUNDS && fitted; round++)
    {
      simulate (&fit);
      fitted = improve (&fit, error);
    }
  if (fitted && report != NULL)
    {
      simulate (&fit);
      describe_fit (&fit, report);
    }
  if (fitted)
    name_profile (&fit);
  g_ptr_array_unref (fit.simulated);
  g_ptr_array_unref (fit.unseen);
  if (!fitted)
    g_clear_pointer (&fit.profile, memlane_profile_free);
  return fit.profile;
}

gboolean
memlane_calibrate (GPtrArray *runs, gboolean of_simulated, const char *base, const char *output, GString *report, GError **error)
{
  g_autoptr (MemlaneProfile) start = NULL;
  g_autoptr (MemlaneProfile) fitted = NULL;
  MemlaneReference *reference;

  if (!memlane_calibrate_check (runs, of_simulated, report, error) || (start = memlane_calibrate_load_base (base, error)) == NULL
      || (reference = memlane_calibrate_reference (runs, error)) == NULL)
    return FALSE;
  fitted = memlane_calibrate_fit (runs, start, reference, NULL, NULL, report, error);
  memlane_reference_free (reference);
  return fitted != NULL && memlane_profile_save (fitted, output, error);
}
