/* advise.c: what a traced program would gain from another way to use memory
 *
 * SPDX-License-Identifier: MIT
 */
#include "advise.h"

#include <string.h>

#include "result/statistics.h"
#include "base/data-file.h"
#include "base/each.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "base/owns.h"
#include "measure/measure.h"
#include "mode/workload.h"
#include "replay.h"
#include "result/csv.h"
#include "result/environment.h"
#include "trace/record.h"

#define LEAST_SHARE 0.005        /* of the program's time: smaller gains are not worth a line */
#define LEAST_IN_A_ROW 8         /* copies that are worth one instead */
#define SMALL_BYTES (64 << 10)   /* a copy below takes mostly its latency */
#define CHUNKS 8                 /* a copy in so many chunks hides all but one of them */
#define LEAST_ALLOCATIONS 8
#define LEAST_WAITS 8
#define RESULT_BYTES 4096       /* results so small cost what a wait does */
/* Another run takes as long within 20 %: programs that did nothing else differed so on one machine:
 * data/doc/figures.md, advice and trials. */
#define AGAIN 0.2
/* launches that follow each other at once return sooner, as no trace shows */
#define IN_A_ROW 0.15
/* Python and PyTorch take up to so long from a line to its call; assumed */
#define WAY_NS 10000.0
#define RECORDED_NS 2000.0       /* what recording adds to a call, and goes with it */
#define ALLOCATION_LOW 0.8       /* what a pool saves of an allocation at least */
#define PACKING_BYTES_PER_NS 5.0 /* the host's copy into one buffer, one thread: 5 GB/s at least */
#define ALL_NS 1e12              /* the host's work before a call, whatever it takes */
#define PAUSE_NS 1000000         /* migrations farther apart belong to different uses */

/* --- what copies and page-locking cost, by bytes ---------------------------------------------- */

typedef enum
{
  COST_PAGEABLE_UP,
  COST_PAGEABLE_DOWN,
  COST_PINNED_UP,
  COST_PINNED_DOWN,
  COST_PREFETCH_UP,
  COST_PREFETCH_DOWN,
  COST_MAPPED,        /* a kernel reads the host's memory once */
  /* low: less what the first touch of pageable memory costs, which page-locking includes */
  COST_LOCK,
  N_COSTS
} CostCurve;

typedef struct
{
  GArray *points[N_COSTS]; /* by ascending bytes */
} Costs;

#define MOST_OWN_RUNS 8 /* the newest of somebody's own sweeps */

typedef struct
{
  double bytes;
  guint copies; /* of that many bytes in the phase: fewer are closer to a copy alone */
  MemlaneEstimate ns;
} Point;

static const struct
{
  const char *mode;
  MemlanePhase phase;
  MemlaneClock clock; /* the host does not wait for a prefetch */
} sources[] = {
  [COST_PAGEABLE_UP] = { "pageable", MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_HOST },
  [COST_PAGEABLE_DOWN] = { "pageable", MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_HOST },
  [COST_PINNED_UP] = { "pinned", MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_HOST },
  [COST_PINNED_DOWN] = { "pinned", MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_HOST },
  [COST_PREFETCH_UP] = { "managed-prefetch", MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE },
  [COST_PREFETCH_DOWN] = { "managed-prefetch", MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE },
  [COST_MAPPED] = { "mapped", MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE },
  [COST_LOCK] = { "pinned", MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST },
};

MEMLANE_DEFINE_ORDER (compare_points, Point, RISING (bytes))

static void
add (GArray *points, const Point *point)
{
  if (!memlane_estimate_is_known (&point->ns))
    return;
  MEMLANE_FOR_EACH_IN (Point, known, points)
    if (known->bytes == point->bytes)
      {
        if (point->copies < known->copies)
          *known = *point;
        return;
      }
  g_array_append_val (points, *point);
}

#define HOST_NS(cell, phase) memlane_estimate_of (cell, MEMLANE_PHASE_##phase, MEMLANE_CLOCK_HOST)

/* Compares the same vectors in page-locked and in pageable memory. Page-locking touches the pages;
 * elsewhere the first write does. */
static void
add_lock (Costs *self, const MemlaneRun *run, const MemlaneCell *cell, guint vectors)
{
  const MemlaneCell *pageable = memlane_run_find (run, cell->workload, "pageable",
                                                  cell->log2_elements);
  MemlaneEstimate locked = HOST_NS (cell, ALLOC), plain = HOST_NS (pageable, ALLOC);
  MemlaneEstimate whole = memlane_estimate_subtract (&locked, &plain);
  MemlaneEstimate first = HOST_NS (pageable, HOST_WRITE), later = HOST_NS (cell, HOST_WRITE);
  MemlaneEstimate touch = memlane_estimate_subtract (&first, &later);
  Point point = { .bytes = (double) cell->bytes * vectors,
                  .copies = memlane_estimate_is_known (&touch) ? 0 : 1,
                  .ns = whole };

  if (!memlane_estimate_is_known (&whole) || vectors == 0)
    return;
  point.ns.low = MAX (0, whole.value
                             - (memlane_estimate_is_known (&touch) ? MAX (0, touch.value) : 0));
  point.ns.value = MAX (point.ns.value, point.ns.low);
  point.ns.high = MAX (point.ns.high, point.ns.value);
  if (point.ns.value > 0)
    add (self->points[COST_LOCK], &point);
}

static void
add_cell (Costs *self, const MemlaneRun *run, const MemlaneCell *cell)
{
  static const char *const workloads[] = { "copy-to-device", "copy-to-host", "vector-add", NULL };
  const MemlaneWorkload *workload = memlane_workload_find (cell->workload);

  /* In the others copies disturb each other, or the host does not wait for each. */
  if (workload == NULL || !g_strv_contains (workloads, cell->workload))
    return;
  for (guint i = 0; i < COST_LOCK; i++)
    {
      const MemlaneFigure *figure = memlane_cell_find (cell, sources[i].phase, sources[i].clock);
      guint copies = figure == NULL || cell->bytes == 0 ? 0
                     : i == COST_MAPPED ? workload->up
                                        : (guint) (figure->bytes_moved / cell->bytes);
      MemlaneEstimate ns;
      Point point;

      if (copies == 0 || strcmp (cell->mode, sources[i].mode) != 0)
        continue;
      ns = memlane_estimate_from_figure (figure);
      point = (Point) { (double) cell->bytes, copies, memlane_estimate_scale (&ns, 1.0 / copies) };
      add (self->points[i], &point);
    }
  if (strcmp (cell->mode, sources[COST_LOCK].mode) == 0)
    add_lock (self, run, cell, workload->up + workload->down);
}

/* Gathers what @runs (element-type MemlaneRun) have. */
static void
costs_init (Costs *self, const GPtrArray *runs)
{
  for (guint i = 0; i < N_COSTS; i++)
    self->points[i] = g_array_new (FALSE, FALSE, sizeof (Point));
  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
      if (cell->reuse == 1 && cell->beside == MEMLANE_BESIDE_NONE)
        add_cell (self, run, cell);
  for (guint i = 0; i < N_COSTS; i++)
    g_array_sort (self->points[i], compare_points);
}

static void
costs_clear (Costs *self)
{
  for (guint i = 0; i < N_COSTS; i++)
    g_array_unref (self->points[i]);
}

static double
between (double a, double b, double share)
{
  return a > 0 && b > 0 ? exp (log (a) + share * (log (b) - log (a))) : a + share * (b - a);
}

/* Returns the time for @bytes, ns: between two measured sizes along a line in logarithms, below the
 * smallest one as for that, beyond the largest one in proportion. Unknown where nothing was
 * measured. */
static MemlaneEstimate
costs_at (const Costs *self, CostCurve curve, double bytes)
{
  const GArray *points = self->points[curve];
  const Point *p = (const Point *) (gconstpointer) points->data;
  guint n = points->len, i = 0;
  double share;

  if (n == 0)
    return MEMLANE_ESTIMATE_UNKNOWN;
  if (bytes <= p[0].bytes)
    return p[0].ns;
  if (bytes >= p[n - 1].bytes)
    return memlane_estimate_scale (&p[n - 1].ns, bytes / p[n - 1].bytes);
  while (bytes > p[i + 1].bytes)
    i++;
  share = log (bytes / p[i].bytes) / log (p[i + 1].bytes / p[i].bytes);
  return (MemlaneEstimate) { between (p[i].ns.value, p[i + 1].ns.value, share),
                            between (p[i].ns.low, p[i + 1].ns.low, share),
                            between (p[i].ns.high, p[i + 1].ns.high, share) };
}

/* --- whose costs ------------------------------------------------------------------------------ */

/* Whether they tell what copies from pageable and from page-locked memory cost. */
static gboolean
costs_are_known (const Costs *self)
{
  return self->points[COST_PAGEABLE_UP]->len > 0 && self->points[COST_PINNED_UP]->len > 0;
}

/* (transfer full): "NVIDIA A100-PCIE-40GB" and "NVIDIA A100 PCIe 40 GB (simulated)" alike. */
static char *
plain_name (const char *gpu)
{
  GString *plain = g_string_new (NULL);

  for (const char *p = g_str_has_prefix (gpu, "NVIDIA ") ? gpu + strlen ("NVIDIA ") : gpu;
       *p != '\0' && *p != '('; p++)
    if (g_ascii_isalnum (*p))
      g_string_append_c (plain, g_ascii_tolower (*p));
  return g_string_free (plain, FALSE);
}

/* How near two GPUs are by their names: letters that both begin with; G_MAXUINT: of one kind,
 * however they are spelled: "NVIDIA H200" and "NVIDIA H200 (simulated)". */
static guint
nearness (const char *name, const char *gpu)
{
  g_autofree char *one = plain_name (name), *other = plain_name (gpu);
  guint n = 0;

  if (strcmp (one, other) == 0)
    return G_MAXUINT;
  while (one[n] != '\0' && one[n] == other[n])
    n++;
  return n;
}

/* (transfer full) (nullable): the GPU of which the file at @path is a sweep, in the ordinary
 * way. */
static char *
read_gpu (const char *path)
{
  g_autofree char *beside = memlane_csv_environment_path (path);
  g_autoptr (MemlaneEnvironment) told = memlane_environment_read (beside, NULL);

  if (told == NULL || memlane_environment_get_flag (told, MEMLANE_ENVIRONMENT_SIMULATED)
      || memlane_environment_get_flag (told, MEMLANE_ENVIRONMENT_COLD_CACHE)
      || memlane_environment_get_number (told, MEMLANE_ENVIRONMENT_REUSE) > 1)
    return NULL;
  return g_strdup (memlane_environment_get_text (told, MEMLANE_ENVIRONMENT_DEVICE_NAME));
}

/* Reads those files of @folder that are sweeps of @gpu, or with @or_nearest of the GPU whose name
 * is nearest (of two the last), until there are @most runs. What cannot be read is told where runs
 * are opened. */
static void
add_files (GPtrArray *runs, const char *folder, const char *gpu, gboolean or_nearest, guint most)
{
  g_autoptr (GPtrArray) paths = memlane_data_list_files (folder, ".csv");
  g_autoptr (GPtrArray) gpus = g_ptr_array_new_with_free_func (g_free);
  const char *taken = or_nearest ? NULL : gpu;

  MEMLANE_FOR_EACH (const char, path, paths)
    {
      char *name = read_gpu (path);

      g_ptr_array_add (gpus, name);
      if (or_nearest && name != NULL
          && (taken == NULL || nearness (name, gpu) >= nearness (taken, gpu)))
        taken = name;
    }
  for (guint i = paths->len;
       i-- > 0 && runs->len < most;) /* begins with a date: the newest first */
    if (gpus->pdata[i] != NULL && nearness (gpus->pdata[i], taken) == G_MAXUINT)
      {
        GPtrArray *read = memlane_csv_read (paths->pdata[i], NULL, NULL);

        if (read != NULL)
          g_ptr_array_extend_and_steal (runs, read);
      }
}

GPtrArray *
memlane_advise_find_runs (const char *gpu, gboolean *are_own)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  gboolean known = FALSE;

  for (guint i = gpu != NULL ? 0 : 1; i < 2 && !known; i++)
    {
      Costs costs;

      g_ptr_array_set_size (runs, 0);
      if (i == 0)
        add_files (runs, "runs", gpu, FALSE, MOST_OWN_RUNS);
      else
        add_files (runs, "recordings", gpu != NULL ? gpu : "NVIDIA H200", TRUE, G_MAXUINT);
      costs_init (&costs, runs);
      known = costs_are_known (&costs);
      if (are_own != NULL)
        *are_own = known && i == 0;
      costs_clear (&costs);
    }
  return runs;
}

/* --- the program's operations ----------------------------------------------------------------- */

/* A span of time that a group's event is responsible for. */
typedef struct
{
  guint32 id, call; /* call: MEMLANE_TRACE_NONE: not known */
  guint64 bytes;
  double begin, end;
} Item;

typedef enum
{
  COPIES,
  MIGRATIONS, /* by faults */
  ALLOCATIONS,
  WAITS, /* calls that only wait */
} GroupKind;

typedef struct
{
  GroupKind kind;
  MemlaneTraceWay way;
  gboolean is_staged;
  const char *call;  /* its name, with the place if there is one; "": there is none */
  GArray *items;     /* (element-type Item), in time's order */
  guint64 bytes;
  MemlaneEstimate mapped; /* ns of kernels that read the same bytes over the link */
} Group;

typedef struct
{
  double begin, end, before; /* before: the sum of the lengths of all that come first */
  guint32 id;
} Span;

/* An event as a change leaves it: [0] at best, [1] at worst. */
typedef struct
{
  guint32 id;
  double scale[2], delay[2];
} Edit;

/* Memory that may be used again for an allocation of the same kind. */
enum
{
  DEVICE_MEMORY,
  HOST_MEMORY,
  REGISTRATIONS,
  N_POOLS,
};

typedef struct
{
  const MemlaneTrace *trace;
  const MemlaneTraceEvent *events;
  guint n;
  Costs costs;
  GArray *kernels;      /* (element-type Span): when any kernel runs */
  GArray *launches;     /* (element-type Span): each kernel, in the order of their starts */
  GArray *spans;        /* (element-type Span): of copies, allocations and migrations */
  /* (element-type Span): of migrations, close ones together: who needs the pages waits */
  GArray *moves;
  GHashTable *groups;   /* key -> Group */
  /* ids of the calls that gave memory back and that no allocation followed, of each kind */
  GQueue freed[N_POOLS];
  MemlaneReplay *replay;
  double end;           /* of the program as it is */
  gboolean own_costs;   /* the costs are of the GPU on which the program ran */
  MemlaneAdvice *advice;
} Search;

/* Lists the word of JSON, the headline with a range and with a limit, and lines of code. */
static const struct
{
  const char *name, *range, *most, *before, *after;
} kinds[MEMLANE_N_CHANGES] = {
  [MEMLANE_CHANGE_PIN] = {
    "pin",
    N_("Page-lock the memory of {call} (copies: {n}): saves {low} to {high} of {wall}."),
    N_("Page-lock the memory of {call} (copies: {n}): saves at most {high} of {wall}."),
    "p = malloc (bytes);",
    "p = malloc (bytes); memset (p, 0, bytes); cudaHostRegister (p, bytes, 0);  "
    "/* or cudaMallocHost (&p, bytes) */",
  },
  [MEMLANE_CHANGE_ONCE] = {
    "once",
    N_("Copy once what {call} copies {n} times again: saves {low} to {high} of {wall}."),
    N_("Copy once what {call} copies {n} times again: saves at most {high} of {wall}."),
    "for (...) { cudaMemcpy (d, p, bytes, cudaMemcpyHostToDevice); kernel (d); }",
    "cudaMemcpy (d, p, bytes, cudaMemcpyHostToDevice); for (...) kernel (d);",
  },
  [MEMLANE_CHANGE_MERGE] = {
    "merge",
    N_("Copy the pieces of {call} as one: saves {low} to {high} of {wall}."),
    N_("Copy the pieces of {call} as one: saves at most {high} of {wall}."),
    "for (i...) cudaMemcpy (d + i * n, p[i], n, kind);",
    "for (i...) memcpy (packed + i * n, p[i], n); cudaMemcpy (d, packed, total, kind);  "
    "/* or cudaMemcpyBatchAsync, or a kernel that gathers page-locked pieces: "
    "'memlane-cli code' */",
  },
  [MEMLANE_CHANGE_OVERLAP] = {
    "overlap",
    N_("Copy in chunks beside the kernels, at {call}: saves {low} to {high} of {wall}."),
    N_("Copy in chunks beside the kernels, at {call}: saves at most {high} of {wall}."),
    "cudaMemcpy (d, p, bytes, kind); kernel<<<all>>> (d);",
    "for (i...) { cudaMemcpyAsync (d + i * n, p + i * n, n, kind, stream[i]); "
    "kernel<<<part, 0, stream[i]>>> (d + i * n); }",
  },
  [MEMLANE_CHANGE_MAP] = {
    "map",
    N_("Let kernels read the memory of {call} over the link: saves {low} to {high} of {wall}."),
    N_("Let kernels read the memory of {call} over the link: saves at most {high} of {wall}."),
    "cudaMemcpy (d, p, bytes, cudaMemcpyHostToDevice); kernel<<<...>>> (d);",
    "cudaHostAlloc (&p, bytes, cudaHostAllocMapped); cudaHostGetDevicePointer (&d, p, 0); "
    "kernel<<<...>>> (d);",
  },
  [MEMLANE_CHANGE_PREFETCH] = {
    "prefetch",
    N_("Prefetch managed memory before it is used: saves {low} to {high} of {wall}."),
    N_("Prefetch managed memory before it is used: saves at most {high} of {wall}."),
    "kernel<<<...>>> (managed);",
    "cudaMemPrefetchAsync (managed, bytes, device, stream); kernel<<<..., stream>>> (managed);",
  },
  [MEMLANE_CHANGE_POOL] = {
    "pool",
    N_("Use memory again instead of {call} each time: saves {low} to {high} of {wall}."),
    N_("Use memory again instead of {call} each time: saves at most {high} of {wall}."),
    "for (...) { cudaMalloc (&d, bytes); ...; cudaFree (d); }",
    "cudaMalloc (&d, bytes); for (...) { ...; } cudaFree (d);  /* or cudaMallocAsync from a pool "
    "*/",
  },
  [MEMLANE_CHANGE_FETCH] = {
    "fetch",
    N_("Fetch the results of {call} later or together: saves {low} to {high} of {wall}."),
    N_("Fetch the results of {call} later or together: saves at most {high} of {wall}."),
    "for (i...) { kernel (r + i); cudaMemcpy (&x, r + i, 4, cudaMemcpyDeviceToHost); }",
    "for (i...) kernel (r + i); cudaMemcpy (x, r, n * 4, cudaMemcpyDeviceToHost);",
  },
  [MEMLANE_CHANGE_WAIT] = {
    "wait",
    N_("Wait later than {call} does: saves {low} to {high} of {wall}."),
    N_("Wait later than {call} does: saves at most {high} of {wall}."),
    "for (...) { kernel (d); cudaDeviceSynchronize (); }",
    "for (...) kernel (d); cudaDeviceSynchronize ();",
  },
};

const char *
memlane_change_kind_name (MemlaneChangeKind kind)
{
  return kinds[kind].name;
}

/* --- time in which no kernel runs ------------------------------------------------------------- */

MEMLANE_DEFINE_ORDER (compare_spans, Span, RISING (begin))
MEMLANE_DEFINE_ORDER (compare_items, Item, RISING (id))

/* Sorts, joins what overlaps, and sums up. Returns the length of all. */
static double
merge_spans (GArray *spans)
{
  double sum = 0;
  guint n = 0;

  g_array_sort (spans, compare_spans);
  for (guint i = 0; i < spans->len; i++)
    {
      Span *last = n > 0 ? &g_array_index (spans, Span, n - 1) : NULL,
           span = g_array_index (spans, Span, i);

      if (last != NULL && span.begin <= last->end)
        last->end = MAX (last->end, span.end);
      else
        g_array_index (spans, Span, n++) = span;
    }
  g_array_set_size (spans, n);
  MEMLANE_FOR_EACH_IN (Span, span, spans)
    {
      span->before = sum;
      sum += span->end - span->begin;
    }
  return sum;
}

/* The errors of costs are much the same for all of them. */
static void
sum_up (MemlaneEstimate *sum, const MemlaneEstimate *one)
{
  *sum = (MemlaneEstimate) { sum->value + one->value, sum->low + one->low, sum->high + one->high };
}

/* How many of @spans, which are in the order of their begins, begin before @time. */
static guint
count_before (const GArray *spans, double time)
{
  return MEMLANE_FIND_FIRST (spans->len, i, g_array_index (spans, Span, i).begin < time);
}

/* The part of merged @spans before @time. */
static double
length_before (const GArray *spans, double time)
{
  guint n = count_before (spans, time);
  const Span *span;

  if (n == 0)
    return 0;
  span = &g_array_index (spans, Span, n - 1);
  return span->before + MIN (time, span->end) - span->begin;
}

static double
hidden (const Search *self, double begin, double end)
{
  return length_before (self->kernels, end) - length_before (self->kernels, begin);
}

/* The time of @spans, which are merged here, in which no kernel runs. */
static double
expose (const Search *self, GArray *spans)
{
  double sum = merge_spans (spans);

  MEMLANE_FOR_EACH_IN (const Span, span, spans)
    sum -= hidden (self, span->begin, span->end);
  return sum;
}

/* --- groups ----------------------------------------------------------------------------------- */

static Group *
group_new (GroupKind kind, MemlaneTraceWay way, gboolean is_staged, const char *call)
{
  const Group group = { .kind = kind, .way = way, .is_staged = is_staged, .call = call,
                        .items = g_array_new (FALSE, FALSE, sizeof (Item)) };

  return g_memdup2 (&group, sizeof group);
}

/* (transfer full): without items. */
static Group *
part_new (const Group *group)
{
  return group_new (group->kind, group->way, group->is_staged, group->call);
}

static MEMLANE_DEFINE_FREE (Group, void group_free (gpointer data), OWNS (items, g_array_unref))
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Group, group_free)

static void
take_item (Group *group, const Item *item)
{
  g_array_append_vals (group->items, item, 1);
  group->bytes += item->bytes;
}

/* How long @group takes while no kernel runs; of migrations the whole, for kernels wait for
 * them. */
static double
group_expose (const Search *self, const Group *group)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (Span));

  MEMLANE_FOR_EACH_IN (const Item, item, group->items)
    {
      Span span = { item->begin, item->end, 0, item->id };

      g_array_append_val (spans, span);
    }
  return group->kind == MIGRATIONS ? merge_spans (spans) : expose (self, spans);
}

static void
add_item (Search *self, Group *group, guint32 id, guint32 call, double begin, double end)
{
  Item item = { id, call, self->events[id].bytes, begin, end };
  Span span = { begin, end, 0, id };

  take_item (group, &item);
  g_array_append_val (self->spans, span);
}

static Group *
find_group (Search *self, GroupKind kind, MemlaneTraceWay way, gboolean is_staged, const char *call)
{
  g_autofree char *key = g_strdup_printf ("%d/%d/%d/%s", kind, way, is_staged, call);
  Group *group = g_hash_table_lookup (self->groups, key);

  if (group == NULL)
    g_hash_table_insert (self->groups, g_steal_pointer (&key),
                         group = group_new (kind, way, is_staged, call));
  return group;
}

static double
end_of (const MemlaneTraceEvent *event)
{
  return (double) (event->start + event->duration);
}

/* A copy takes from its call on, or from when the device was done with what came before, until it
 * has moved; where the host waits for it, until the call returns. @busy_until: the end of all
 * earlier work. */
static void
add_copy (Search *self, guint32 id, double busy_until)
{
  const MemlaneTraceEvent *event = &self->events[id], *call = NULL;
  guint32 call_id = memlane_trace_find_call (self->trace, id);
  gboolean is_staged = (event->flags & MEMLANE_TRACE_STAGED) != 0;
  double begin = (double) event->start, end = end_of (event);
  const char *name = memlane_trace_get_name (self->trace, event->name);

  if (call_id != MEMLANE_TRACE_NONE)
    {
      call = &self->events[call_id];
      name = memlane_trace_get_name (self->trace, call->name);
      begin = CLAMP (busy_until, (double) call->start, begin);
      begin = MIN (begin, (double) event->start);
      if (is_staged || strstr (name, "Async") == NULL)
        end = MAX (end, end_of (call));
      else
        begin = (double) event->start; /* the host has gone on */
    }
  add_item (self, find_group (self, COPIES, event->way, is_staged, name), id, call_id, begin, end);
}

static gboolean
is_allocation (const char *name)
{
  static const char *const words[] = { "cudaMalloc",       "cudaFree",           "cudaHostAlloc",
                                       "cudaHostRegister", "cudaHostUnregister", "cuMemAlloc",
                                       "cuMemFree",        "cuMemHost" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (name, words[i]))
      return strstr (name, "Async") == NULL;
  return FALSE;
}

static gboolean
gives_back (const char *name)
{
  return strstr (name, "Free") != NULL || strstr (name, "Unregister") != NULL;
}

static void
take_call (Search *self, GroupKind kind, guint32 id)
{
  const MemlaneTraceEvent *event = &self->events[id];
  const char *name = memlane_trace_get_name (self->trace, event->name);
  Item item = { id, id, 0, (double) event->start, end_of (event) };

  take_item (find_group (self, kind, MEMLANE_TRACE_WAY_NONE, FALSE, name), &item);
}

/* An allocation that comes after memory was given back could have taken that. Others are no loop:
 * a program allocates what it needs, and gives all of it back at its end. */
static void
add_allocation (Search *self, guint32 id, const char *name)
{
  GQueue *freed = &self->freed[strstr (name, "egister") != NULL ? REGISTRATIONS
                               : strstr (name, "Host") != NULL  ? HOST_MEMORY
                                                                : DEVICE_MEMORY];
  const MemlaneTraceEvent *event = &self->events[id];
  Span span = { (double) event->start, end_of (event), 0, id };

  g_array_append_val (self->spans, span);
  if (gives_back (name))
    g_queue_push_tail (freed, GUINT_TO_POINTER (id));
  else if (freed->length > 0)
    {
      take_call (self, ALLOCATIONS, GPOINTER_TO_UINT (g_queue_pop_head (freed)));
      take_call (self, ALLOCATIONS, id);
    }
}

static void
add_call (Search *self, guint32 id, gboolean has_context)
{
  const char *name = memlane_trace_get_name (self->trace, self->events[id].name);

  if (is_allocation (name) && has_context)
    add_allocation (self, id, name);
  else if (strstr (name, "Synchronize") != NULL)
    take_call (self, WAITS, id); /* takes time even if nothing is left to wait for */
}

static void
add_events (Search *self)
{
  double busy_until = 0;
  /* the first allocation makes it, and would be slow wherever it stood */
  gboolean has_context = FALSE;

  for (guint i = 0; i < self->n; i++)
    {
      const MemlaneTraceEvent *event = &self->events[i];
      const char *name = memlane_trace_get_name (self->trace, event->name);
      gboolean crosses = event->way == MEMLANE_TRACE_WAY_TO_DEVICE
                         || event->way == MEMLANE_TRACE_WAY_TO_HOST;

      if (event->kind == MEMLANE_TRACE_COPY && crosses)
        add_copy (self, i, busy_until);
      else if (event->kind == MEMLANE_TRACE_MIGRATION && crosses
               && (event->flags & MEMLANE_TRACE_PREFETCHED) == 0)
        add_item (self, find_group (self, MIGRATIONS, event->way, FALSE, ""), i, MEMLANE_TRACE_NONE,
                  (double) event->start, end_of (event));
      else if (event->kind == MEMLANE_TRACE_CALL)
        add_call (self, i, has_context);
      has_context = has_context || (event->kind == MEMLANE_TRACE_CALL && is_allocation (name));
      if (memlane_trace_event_is_operation (event))
        busy_until = MAX (busy_until, end_of (event));
    }
}

/* --- words ------------------------------------------------------------------------------------ */

#define NS(name, ns) { name, MEMLANE_FACT_NS, MEMLANE_FACT_IS (ns) }
#define SHARE(name, share) { name, MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (share) }
#define COUNT(name, n) { name, MEMLANE_FACT_COUNT, MEMLANE_FACT_IS (n) }
#define BYTES(name, bytes) { name, MEMLANE_FACT_BYTES, MEMLANE_FACT_IS (bytes) }

/* Says what a change saves: @range with both ends, or @most with the upper one. (transfer
 * full) */
static MemlaneAnswer *
say_gain (const Search *self, const char *range, const char *most, const char *call, guint n,
          double low, double high)
{
  return memlane_answer_say (NULL, MEMLANE_ANSWER_FINDING, low > 0 ? range : most,
                             { "call", MEMLANE_FACT_TEXT, call }, COUNT ("n", n), NS ("low", low),
                             NS ("high", high), NS ("wall", self->advice->wall));
}

static void
say_whole (Search *self)
{
  MemlaneAdvice *advice = self->advice;
  double wall = MAX (advice->wall, 1);
  gboolean has_cuda = FALSE;

  for (guint i = 0; i < self->n && !has_cuda; i++)
    has_cuda = self->events[i].kind == MEMLANE_TRACE_CALL
               || memlane_trace_event_is_operation (&self->events[i]);

  advice->whole = memlane_answer_say (
      NULL, MEMLANE_ANSWER_FINDING,
      N_("Of {wall}, bytes move between host and device for {copies} ({share}). No kernel hides "
          "{exposed} of copies, migrations and allocations ({part})."),
      NS ("wall", advice->wall), NS ("copies", advice->copies),
      SHARE ("share", advice->copies / wall), NS ("exposed", advice->exposed),
      SHARE ("part", advice->exposed / wall));
  if (advice->changes->len == 0)
    advice->together = memlane_answer_say (
        NULL, MEMLANE_ANSWER_FINDING,
        has_cuda ? N_("Nothing to gain: no change of memory modes saves half a percent.")
                 : N_("Nothing to advise: the trace has no call to CUDA, no copy and no kernel."));
  else if (advice->changes->len > 1)
    advice->together = say_gain (self, N_("All changes together save {low} to {high} of {wall}."),
                                 N_("All changes together save at most {high} of {wall}."), "", 0,
                                 advice->low, advice->high);
}

static void
say_costs (Search *self, const GPtrArray *runs)
{
  const MemlaneRun *run = runs->len > 0 ? runs->pdata[0] : NULL;
  const char *gpu = memlane_trace_get_info (self->trace)->device_name;
  const char *told = run != NULL ? memlane_environment_get_text (run->environment,
                                                                 MEMLANE_ENVIRONMENT_DEVICE_NAME)
                                 : NULL;
  const char *name = told != NULL || run == NULL ? told : run->device;

  self->advice->costs =
      run == NULL || !costs_are_known (&self->costs)
          ? memlane_answer_say (
                NULL, MEMLANE_ANSWER_TROUBLE,
                N_("Costs are missing: no run tells what copies from pageable and page-locked "
                    "memory take. Sweep the "
                    "GPU, or install the package memlane-data, which has a recorded H200."))
          : memlane_answer_say (NULL, MEMLANE_ANSWER_BASIS,
                                memlane_run_is_simulated (run)
                                    ? N_("Costs are computed, not measured: {device}.")
                                    : N_("Costs are those of {device}, as run {run} has them."),
                                { "device", MEMLANE_FACT_TEXT, name },
                                { "run", MEMLANE_FACT_TEXT, run->id });
  self->own_costs = run != NULL && gpu != NULL && nearness (name, gpu) == G_MAXUINT;
  if (run != NULL && !self->own_costs)
    self->advice->doubt = memlane_answer_say (
        NULL, MEMLANE_ANSWER_BASIS,
        gpu == NULL
            ? N_("The trace does not name its GPU; if it is another, gains may lie outside "
                  "the ranges.")
            : N_("The program ran on another GPU, {gpu}, so gains may lie outside the "
                  "ranges; a sweep of that GPU tells its own costs."),
        { "gpu", MEMLANE_FACT_TEXT, gpu });
}

/* --- changes ---------------------------------------------------------------------------------- */

static GArray *
edits_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Edit));
}

/* The event takes @best or @worst of its time. NONE is left out. */
static void
edit (GArray *edits, guint32 id, double best, double worst)
{
  if (id != MEMLANE_TRACE_NONE)
    g_array_append_vals (edits, &(Edit) { id, { best, worst }, { 0, 0 } }, 1);
}

static void
edit_item (GArray *edits, const Item *item, double best, double worst)
{
  edit (edits, item->id, best, worst);
  edit (edits, item->call, best, worst);
}

/* How a change turns out. GONE: without the copies and calls that it changes. */
typedef enum
{
  BEST,
  WORST,
  GONE,
} Outcome;

static void
apply (Search *self, const GArray *edits, Outcome outcome)
{
  MEMLANE_FOR_EACH_IN (const Edit, one, edits)
    if (outcome != GONE)
      {
        memlane_replay_scale (self->replay, one->id, one->scale[outcome]);
        memlane_replay_delay (self->replay, one->id, one->delay[outcome]);
      }
    else if (self->events[one->id].kind != MEMLANE_TRACE_KERNEL)
      memlane_replay_scale (self->replay, one->id, 0);
}

static double
play (Search *self, const GArray *edits, Outcome outcome)
{
  memlane_replay_reset (self->replay);
  apply (self, edits, outcome);
  return self->end - memlane_replay_run (self->replay);
}

/* Computes the gain of @edits, times @least at worst and @most at best. In another run all that
 * they change takes AGAIN more or less time, not only the part that they save. */
static void
play_range (Search *self, const GArray *edits, double least, double most, double *low, double *high)
{
  double again = AGAIN * play (self, edits, GONE);

  *low = least * play (self, edits, WORST) - again;
  *high = most * play (self, edits, BEST) + again;
}

/* The gains that are known, without the price. (transfer none): with the events of @group, and with
 * @edits; NULL where the gain is too small. */
static MemlaneChange *
add_change (Search *self, MemlaneChangeKind kind, const Group *group, GArray *edits, double low,
            double high, const char *format)
{
  const char *call = *group->call == '\0' ? "a copy" : group->call;
  double wall = self->advice->wall;
  MemlaneChange *change;

  high = MIN (high, wall);
  if (!(high > 0 && high >= LEAST_SHARE * wall)) /* all of a trace may last 0 ns */
    return NULL;
  change = g_new0 (MemlaneChange, 1);
  change->kind = kind;
  change->edits = g_array_ref (edits);
  change->low = MIN (low, high);
  change->high = high;
  change->before = kinds[kind].before;
  change->after = kinds[kind].after;
  change->n_events = group->items->len;
  change->events = g_new (guint32, change->n_events);
  for (guint i = 0; i < change->n_events; i++)
    change->events[i] = g_array_index (group->items, Item, i).id;
  change->headline = say_gain (self, kinds[kind].range, kinds[kind].most, call, change->n_events,
                               change->low, change->high);
  change->sentence = memlane_answer_say (
      NULL, MEMLANE_ANSWER_ADVICE, format, { "call", MEMLANE_FACT_TEXT, call },
      COUNT ("n", group->items->len), BYTES ("bytes", (double) group->bytes),
      NS ("time", group_expose (self, group)),
      { "mapped", MEMLANE_FACT_NS, .number = group->mapped });
  g_ptr_array_add (self->advice->changes, change);
  return change;
}

/* Adds what play_range() computes. */
static MemlaneChange *
add_played (Search *self, MemlaneChangeKind kind, const Group *group, GArray *edits, double least,
            double most, const char *format)
{
  double low, high;

  play_range (self, edits, least, most, &low, &high);
  return add_change (self, kind, group, edits, low, high, format);
}

/* The call for which the thread of call @id waits at once, as PyTorch does for each copy; NONE: it
 * goes on. */
static guint32
find_wait_behind (const Search *self, guint32 id)
{
  guint32 i = id + 1;

  while (i < self->n
         && (self->events[i].kind != MEMLANE_TRACE_CALL
             || self->events[i].count != self->events[id].count))
    i++;
  return i < self->n
                 && strstr (memlane_trace_get_name (self->trace, self->events[i].name),
                            "StreamSynchronize")
                        != NULL
             ? i
             : MEMLANE_TRACE_NONE;
}

/* @items take the times of @to instead of those of @from; see advise.h for the two ways. An
 * asynchronous call need not wait for its copy any more, nor its thread behind it, at best. FALSE:
 * the costs are not known. */
static gboolean
edit_curves (const Search *self, const Group *group, CostCurve from, CostCurve to, GArray *edits)
{
  const gboolean is_async = strstr (group->call, "Async") != NULL;

  MEMLANE_FOR_EACH_IN (const Item, item, group->items)
    {
      MemlaneEstimate before = costs_at (&self->costs, from, (double) item->bytes);
      MemlaneEstimate after = costs_at (&self->costs, to, (double) item->bytes);
      double length = MAX (item->end - item->begin, 1), relative = after.value / before.value;
      double best = after.low / length, worst = after.high / length;

      if (!memlane_estimate_is_known (&before) || !memlane_estimate_is_known (&after))
        return FALSE;
      best = self->own_costs ? best : MIN (relative, best);
      worst = self->own_costs ? worst : MAX (relative, worst);
      edit (edits, item->id, best, worst);
      edit (edits, item->call, is_async ? 0 : best, worst);
      if (is_async && item->call != MEMLANE_TRACE_NONE)
        edit (edits, find_wait_behind (self, item->call), 0, 1);
    }
  return TRUE;
}

/* Adds the host's buffer of copy @id with its largest copy. Where buffers are not known, one serves
 * all copies. */
static void
add_buffer (const Search *self, GHashTable *buffers, guint32 id)
{
  gpointer key = GUINT_TO_POINTER (self->events[id].count);

  if (self->events[id].bytes > GPOINTER_TO_SIZE (g_hash_table_lookup (buffers, key)))
    g_hash_table_insert (buffers, key, GSIZE_TO_POINTER (self->events[id].bytes));
}

/* Returns the price of page-locking @buffers, unknown if one's is. */
static MemlaneEstimate
price_of_buffers (const Search *self, GHashTable *buffers, double *bytes)
{
  MemlaneEstimate sum = { 0, 0, 0 };

  *bytes = 0;
  MEMLANE_FOR_EACH_ENTRY (buffers, buffer, size)
    {
      MemlaneEstimate one = costs_at (&self->costs, COST_LOCK, (double) GPOINTER_TO_SIZE (size));

      *bytes += (double) GPOINTER_TO_SIZE (size);
      if (!memlane_estimate_is_known (&one))
        return MEMLANE_ESTIMATE_UNKNOWN;
      sum_up (&sum, &one);
    }
  return sum;
}

static MemlaneEstimate
price_of (const Search *self, const Group *group, double *bytes)
{
  g_autoptr (GHashTable) buffers = g_hash_table_new (memlane_hash_number, NULL);

  MEMLANE_FOR_EACH_IN (const Item, item, group->items)
    add_buffer (self, buffers, item->id);
  return price_of_buffers (self, buffers, bytes);
}

/* Returns whether the copies of page-locked memory lie on several streams already. */
static gboolean
is_in_chunks (const Search *self, const Group *group)
{
  guint32 stream = group->items->len > 0
                       ? self->events[g_array_index (group->items, Item, 0).id].stream
                       : 0;

  MEMLANE_FOR_EACH_IN (const Item, item, group->items)
    if (!group->is_staged && self->events[item->id].stream != stream)
      return TRUE;
  return FALSE;
}

/* Page-locking comes first, where it is needed: it saves @low to @saved, and @best in this run. */
static void
advise_overlap (Search *self, const Group *group, double low, double saved, double best)
{
  double kernels = 0, rest = group_expose (self, group) - best;
  const Span *last = self->kernels->len > 0
                         ? &g_array_index (self->kernels, Span, self->kernels->len - 1)
                         : NULL;
  g_autoptr (GArray) edits = edits_new ();

  if (last == NULL || is_in_chunks (self, group)
      || group->bytes <= SMALL_BYTES * (guint64) group->items->len)
    return;
  kernels = last->before + last->end - last->begin;
  /* The kernels can hide no more copies than they last, less what they hide already. */
  rest = MIN (rest, kernels) * (CHUNKS - 1) / CHUNKS;
  if (rest < 2 * LEAST_SHARE * self->advice->wall)
    return;
  MEMLANE_FOR_EACH_IN (const Item, item, group->items)
    edit_item (edits, item, 1.0 / CHUNKS, 1);
  rest = MIN (saved + rest, MAX (saved, play (self, edits, BEST)));
  add_change (self, MEMLANE_CHANGE_OVERLAP, group, edits, low, rest,
              group->is_staged
                  ? N_("Page-lock the memory of {call}, and copy in chunks on streams, beside the "
                        "kernels: nothing runs beside its "
                        "copies ({n}) for {time}. This holds for kernels that do not need all of "
                        "the data at once.")
                  : N_("Copy in chunks on streams, beside the kernels: nothing runs beside the "
                        "copies of {call} ({n}) for {time}. This "
                        "holds for kernels that do not need all of the data at once."));
}

static void
advise_pin (Search *self, const Group *group)
{
  gboolean is_up = group->way == MEMLANE_TRACE_WAY_TO_DEVICE;
  g_autoptr (GArray) edits = edits_new ();
  MemlaneEstimate price;
  MemlaneChange *change;
  double low, high, best, bytes;

  price = price_of (self, group, &bytes);
  if (!edit_curves (self, group, is_up ? COST_PAGEABLE_UP : COST_PAGEABLE_DOWN,
                    is_up ? COST_PINNED_UP : COST_PINNED_DOWN, edits)
      || !memlane_estimate_is_known (&price))
    return;
  play_range (self, edits, 1, 1, &low, &high);
  best = play (self, edits, BEST) - price.low;
  change = add_change (self, MEMLANE_CHANGE_PIN, group, edits, low - price.high, high - price.low,
                       strstr (group->call, "Async") == NULL
                           ? N_("Page-lock the host's memory of {call}. Its copies ({n}, {bytes} "
                                 "in all) take {time}, by way of the "
                                 "driver's buffer.")
                           : N_("Page-lock the host's memory of {call}, which waits in spite of "
                                 "its name, and do not write to it before a "
                                 "copy is over. Its copies ({n}, {bytes} in all) take {time}, by "
                                 "way of the driver's buffer."));
  if (change != NULL)
    {
      double copies = ceil (price.value / MAX ((low + high) / 2 / group->items->len, 1));

      change->price_low = price.low;
      change->price_high = price.high;
      change->price = memlane_answer_say (
          NULL, MEMLANE_ANSWER_ADVICE,
          change->low > 0 ? N_("Page-locking {bytes} costs {price} once, which the gain has paid "
                               "already; it pays from copy {n} on.")
          : copies > group->items->len
              ? N_("Page-locking {bytes} costs {price} once, more than this run gains; it pays "
                   "from copy {n} on.")
              : N_("Page-locking {bytes} costs {price} once, perhaps more than this run gains."),
          BYTES ("bytes", bytes), { "price", MEMLANE_FACT_NS, .number = price },
          COUNT ("n", copies));
    }
  advise_overlap (self, group, MAX (low - price.high, 0), MAX (high - price.low, 0), MAX (best, 0));
}

/* Copies of bytes that the recorder found unchanged. */
static void
advise_once (Search *self, const Group *group)
{
  g_autoptr (Group) part = part_new (group);
  g_autoptr (GArray) edits = edits_new ();

  MEMLANE_FOR_EACH_IN (const Item, item, group->items)
    if ((self->events[item->id].flags & MEMLANE_TRACE_REPEATED) != 0)
      {
        take_item (part, item);
        edit_item (edits, item, 0, 0);
      }
  add_played (self, MEMLANE_CHANGE_ONCE, part, edits, 0.9, 1,
              N_("Copy once what {call} copies again. Some of its copies ({n}, {bytes} in all) "
                  "read bytes that had not changed. "
                  "They take {time}."));
}

/* Copies that one kernel alone comes after, before the same buffer is copied again: it could read
 * them over the link. Its own time hides some of that, at best, and none at worst. */
static void
advise_map (Search *self, const Group *group)
{
  g_autoptr (Group) part = part_new (group);
  /* buffer -> the copy after this one */
  g_autoptr (GHashTable) next = g_hash_table_new (memlane_hash_number, NULL);
  MemlaneEstimate price = { 0, 0, 0 };
  g_autoptr (GArray) edits = edits_new ();
  double low, high, bytes;

  for (guint i = group->items->len; group->way == MEMLANE_TRACE_WAY_TO_DEVICE && i-- > 0;)
    {
      const Item *item = &g_array_index (group->items, Item, i), *after;
      gpointer buffer = GUINT_TO_POINTER (self->events[item->id].count);
      guint first = count_before (self->launches, item->end);
      MemlaneEstimate one = costs_at (&self->costs, COST_MAPPED, (double) item->bytes);
      const Span *kernel;
      double length;

      after = g_hash_table_lookup (next, buffer);
      g_hash_table_insert (next, buffer, (gpointer) item);
      if ((after != NULL ? count_before (self->launches, after->begin) : self->launches->len)
              != first + 1
          || !memlane_estimate_is_known (&one))
        continue;
      kernel = &g_array_index (self->launches, Span, first);
      length = MAX (kernel->end - kernel->begin, 1);
      if (one.value < length) /* it reads slower than over the link: something else binds it */
        continue;
      take_item (part, item);
      edit_item (edits, item, 0, 0);
      edit (edits, kernel->id, MAX (1, one.low / length), 1 + one.high / length);
      sum_up (&part->mapped, &one);
    }
  g_array_sort (part->items, compare_items);
  if (group->is_staged && part->items->len > 0)
    price = price_of (self, part, &bytes);
  low = play (self, edits, WORST) - price.high;
  high = play (self, edits, BEST) - price.low;
  /* Unknown, or more likely slower. */
  add_change (self, MEMLANE_CHANGE_MAP, part, edits, low, low + high > 0 ? high : 0,
              N_("Map the host's memory of {call} into the device, and copy nothing. One kernel "
                  "runs after each of its copies "
                  "({n}, {bytes} in all, {time}). Read over the link they take {mapped}. This "
                  "holds if that kernel reads each byte "
                  "once, which no trace tells."));
}

/* The copies from @first to before @end become one. At best the host's work between them goes with
 * them; at worst it stays, and the host packs them before. */
static void
edit_merged (const Search *self, const Group *group, guint first, guint end,
             const MemlaneEstimate *one, double bytes, GArray *edits)
{
  const Item *items = (const Item *) (gconstpointer) group->items->data, *last = &items[end - 1];
  const double length = MAX (last->end - last->begin, 1), packing = bytes / PACKING_BYTES_PER_NS;
  const gboolean has_call = last->call != MEMLANE_TRACE_NONE;

  for (guint i = first; i + 1 < end; i++)
    {
      edit (edits, items[i].id, 0, 0);
      if (items[i].call != MEMLANE_TRACE_NONE)
        g_array_append_vals (
            edits, &(Edit) { items[i].call, { 0, 0 }, { i > first ? -ALL_NS : 0, 0 } }, 1);
    }
  edit (edits, last->id, one->low / length, (one->high + (has_call ? 0 : packing)) / length);
  if (has_call)
    g_array_append_vals (edits, &(Edit) { last->call, { 1, 1 }, { -ALL_NS, packing } }, 1);
}

static void
advise_merge (Search *self, const Group *group)
{
  gboolean is_up = group->way == MEMLANE_TRACE_WAY_TO_DEVICE;
  CostCurve curve = is_up ? (group->is_staged ? COST_PAGEABLE_UP : COST_PINNED_UP)
                                 : (group->is_staged ? COST_PAGEABLE_DOWN : COST_PINNED_DOWN);
  const Item *items = (const Item *) (gconstpointer) group->items->data;
  g_autoptr (GArray) edits = edits_new ();
  double low, high;

  for (guint i = 0, end; i < group->items->len; i = end)
    {
      double bytes = (double) items[i].bytes;
      MemlaneEstimate one;

      for (end = i + 1;
           end < group->items->len && hidden (self, items[end - 1].end, items[end].begin) <= 0;
           end++)
        bytes += (double) items[end].bytes;
      one = costs_at (&self->costs, curve, bytes);
      if (end - i >= LEAST_IN_A_ROW && bytes / (end - i) <= SMALL_BYTES
          && memlane_estimate_is_known (&one))
        edit_merged (self, group, i, end, &one, bytes, edits);
    }
  /* There is an edit for each copy, and one for its call. */
  low = play (self, edits, WORST) - RECORDED_NS * edits->len / 2;
  high = play (self, edits, BEST);
  add_change (self, MEMLANE_CHANGE_MERGE, group, edits, low, high,
              N_("Copy in one piece what {call} copies in pieces: {n} copies of {bytes} in all "
                  "take {time}, most of which is the price "
                  "of a call."));
}

/* Migrations from @begin to @end become a prefetch: the kernel that waited for them is faster, or
 * the call that comes after them earlier. */
static void
edit_prefetched (Search *self, double begin, double end, double most, double least, GArray *edits)
{
  guint first = count_before (self->launches, end);
  guint32 id = 0;

  for (guint i = first; i-- > 0;)
    {
      const Span *kernel = &g_array_index (self->launches, Span, i);
      double length = MAX (kernel->end - kernel->begin, 1);

      if (kernel->end <= begin)
        break;
      edit (edits, kernel->id, MAX (0.001, 1 - most / length), MAX (0.001, 1 - least / length));
      return;
    }
  while (id < self->n
         && (self->events[id].kind != MEMLANE_TRACE_CALL || (double) self->events[id].start < end))
    id++;
  if (id < self->n)
    g_array_append_vals (edits, &(Edit) { id, { 1, 1 }, { -most, -least } }, 1);
}

/* In kernels the pages' migrations make the kernel wait from the first to the last of them. */
static void
advise_prefetch (Search *self, const Group *group)
{
  gboolean is_up = group->way == MEMLANE_TRACE_WAY_TO_DEVICE;
  const Item *items = (const Item *) (gconstpointer) group->items->data;
  g_autoptr (GArray) edits = edits_new ();
  double low = 0, high = 0;

  for (guint i = 0, end; i < group->items->len; i = end)
    {
      double moving = items[i].end - items[i].begin, bytes = (double) items[i].bytes,
             until = items[i].end;
      MemlaneEstimate ahead;

      for (end = i + 1; end < group->items->len && items[end].begin - until < PAUSE_NS; end++)
        {
          moving += MAX (0, items[end].end - MAX (until, items[end].begin));
          bytes += (double) items[end].bytes;
          until = MAX (until, items[end].end);
        }
      ahead = costs_at (&self->costs, is_up ? COST_PREFETCH_UP : COST_PREFETCH_DOWN, bytes);
      g_array_append_vals (self->moves, &(Span) { items[i].begin, until, 0, items[i].id }, 1);
      if (!memlane_estimate_is_known (&ahead))
        continue;
      low += MAX (moving - ahead.high, 0);
      high += MAX (until - items[i].begin - ahead.low, 0);
      edit_prefetched (self, items[i].begin, until, MAX (until - items[i].begin - ahead.low, 0),
                       MAX (moving - ahead.high, 0), edits);
    }
  low = MIN (low, MAX (play (self, edits, WORST), 0));
  high = MIN (high, MAX (play (self, edits, BEST), low));
  add_change (self, MEMLANE_CHANGE_PREFETCH, group, edits, low, high,
              is_up ? N_("Prefetch managed memory to the device before the kernels that use it: "
                          "{bytes} move by page faults "
                          "(pieces: {n}).")
                    : N_("Prefetch managed memory to the host before it reads: {bytes} move by "
                          "page faults (pieces: {n})."));
}

/* Where nothing counts page faults: the program's managed memory could be prefetched, and kernels
 * lose what they wait for it. They wait for no longer than they last. A trial tells. */
static void
advise_uncounted (Search *self)
{
  const GPtrArray *notes = memlane_trace_get_info (self->trace)->notes;
  g_autoptr (Group) part = group_new (MIGRATIONS, MEMLANE_TRACE_WAY_TO_DEVICE, FALSE, "");
  g_autoptr (GArray) none = edits_new ();
  gboolean is_uncounted = FALSE;
  MemlaneEstimate ahead;
  double kernels = 0;

  MEMLANE_FOR_EACH (const char, note, notes)
    is_uncounted = is_uncounted || g_str_has_prefix (note, MEMLANE_RECORD_NO_PAGES);
  for (guint32 i = 0; is_uncounted && i < self->n; i++)
    {
      const char *name = memlane_trace_get_name (self->trace, self->events[i].name);

      if (self->events[i].kind == MEMLANE_TRACE_CALL
          && (g_str_has_prefix (name, "cudaMallocManaged")
              || g_str_has_prefix (name, "cuMemAllocManaged")))
        take_item (part, &(Item) { i, i, self->events[i].bytes, 0, 0 });
    }
  if (part->items->len == 0)
    return;
  MEMLANE_FOR_EACH_IN (const Span, kernel, self->launches)
    kernels += kernel->end - kernel->begin;
  ahead = costs_at (&self->costs, COST_PREFETCH_UP, (double) part->bytes);
  add_change (
      self, MEMLANE_CHANGE_PREFETCH, part, none, 0,
      (1 + AGAIN) * kernels - (memlane_estimate_is_known (&ahead) ? ahead.low : 0),
      N_("Prefetch managed memory to the device before the kernels that use it. The program "
          "allocates {bytes} of it ({n} times). Nothing counts page faults on this GPU, so only "
          "the kernels' time limits the gain; --try measures it."));
}

/* The longest time that a call of @group may take as a price. One that takes longer than all
 * shorter ones together does something else besides: it loads a module, or waits. */
static double
find_longest_price (const Group *group)
{
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (double));
  double sum = 0, longest = 0;

  MEMLANE_FOR_EACH_IN (const Item, item, group->items)
    {
      double length = item->end - item->begin;

      g_array_append_val (lengths, length);
    }
  g_array_sort (lengths, memlane_compare_doubles);
  MEMLANE_FOR_EACH_IN (const double, length, lengths)
    {
      if (sum == 0 || *length <= sum)
        longest = *length;
      sum += *length;
    }
  return longest;
}

static void
advise_pool (Search *self, const Group *group)
{
  const double longest = find_longest_price (group);
  g_autoptr (Group) part = part_new (group);
  g_autoptr (GArray) edits = edits_new ();
  MemlaneChange *change;

  MEMLANE_FOR_EACH_IN (const Item, item, group->items)
    if (item->end - item->begin <= longest)
      {
        take_item (part, item);
        edit (edits, item->id, 0, 1 - ALLOCATION_LOW);
      }
  if (part->items->len < LEAST_ALLOCATIONS)
    return;
  change = add_played (
      self, MEMLANE_CHANGE_POOL, part, edits, 1, 1,
      gives_back (group->call)
          ? N_("Call {call} behind the loop, or give memory back to a pool: {n} calls take "
                "{time}.")
          : N_("Call {call} before the loop, or take memory from a pool: {n} calls take {time}."));
  if (change != NULL && strstr (group->call, "Host") != NULL)
    {
      change->before = "for (...) { cudaMallocHost (&p, bytes); ...; cudaFreeHost (p); }";
      change->after = "cudaMallocHost (&p, bytes); for (...) { ...; } cudaFreeHost (p);";
    }
}

/* All but the last of a group go: of copies with the waits behind them, of waits at best with what
 * leads to the call. What the host needs at once no trace tells. */
static void
advise_later (Search *self, MemlaneChangeKind kind, const Group *group, const char *format)
{
  g_autoptr (GArray) edits = edits_new ();

  if (group->items->len < LEAST_WAITS)
    return;
  for (guint i = 0; i + 1 < group->items->len; i++)
    {
      const Item *item = &g_array_index (group->items, Item, i);

      edit_item (edits, item, 0, 0);
      if (kind == MEMLANE_CHANGE_FETCH)
        edit (edits, find_wait_behind (self, item->call), 0, 0);
      else
        g_array_append_vals (edits, &(Edit) { item->id, { 0, 0 }, { -WAY_NS, 0 } }, 1);
    }
  add_played (self, kind, group, edits, 0.9, 1 + IN_A_ROW, format);
}

/* Small results that the host waits for, one after the other. */
static void
advise_fetch (Search *self, const Group *group)
{
  g_autoptr (Group) part = part_new (group);

  MEMLANE_FOR_EACH_IN (const Item, item, group->items)
    if (group->way == MEMLANE_TRACE_WAY_TO_HOST && item->bytes <= RESULT_BYTES
        && item->call != MEMLANE_TRACE_NONE
        && (memlane_replay_waits (self->replay, item->call)
            || find_wait_behind (self, item->call) != MEMLANE_TRACE_NONE))
      take_item (part, item);
  advise_later (self, MEMLANE_CHANGE_FETCH, part,
                N_("Fetch later, or in one piece, what {call} fetches: the host waits for each of "
                    "its copies ({n}, {bytes} in all). This "
                    "holds if the loop does not need the results at once."));
}

static void
advise_group (Search *self, const Group *group)
{
  if (group->kind == ALLOCATIONS)
    advise_pool (self, group);
  else if (group->kind == MIGRATIONS)
    advise_prefetch (self, group);
  else if (group->kind == WAITS)
    advise_later (self, MEMLANE_CHANGE_WAIT, group,
                  N_("Wait later, or once: {call} makes the host wait {n} times. This holds if the "
                     "loop does not need the results at once."));
  else
    {
      if (group->is_staged)
        advise_pin (self, group);
      else
        advise_overlap (self, group, 0, 0, 0);
      advise_once (self, group);
      advise_map (self, group);
      advise_merge (self, group);
      advise_fetch (self, group);
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

/* The certain part counts twice. No trace tells whether a kernel can work in chunks. One that reads
 * more than once becomes slower: that change comes before another only where it saves far more. */
static double
weigh (const MemlaneChange *change)
{
  if (change->kind == MEMLANE_CHANGE_MAP)
    return 0.9 * change->low;
  return 2 * change->low
         + (change->kind == MEMLANE_CHANGE_OVERLAP ? 0.9 * change->low : change->high);
}

/* Of equals the one that begins first comes first: groups are in the order of a hash. */
static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const MemlaneChange *one = *(MemlaneChange *const *) a, *other = *(MemlaneChange *const *) b;

  if (weigh (one) != weigh (other))
    return weigh (one) > weigh (other) ? -1 : 1;
  return (one->events[0] > other->events[0]) - (one->events[0] < other->events[0]);
}

/* Two changes of the same event exclude each other. Returns whether @change is the first of its
 * events, which are then @taken. */
static gboolean
take_events (const MemlaneChange *change, guint8 *taken)
{
  MEMLANE_FOR_EACH_IN (const Edit, one, change->edits)
    if (taken[one->id])
      return FALSE;
  MEMLANE_FOR_EACH_IN (const Edit, one, change->edits)
    taken[one->id] = 1;
  return TRUE;
}

/* All changes that can be made together, in one replay: what two of them save at once counts
 * once. */
static void
settle (Search *self)
{
  MemlaneAdvice *advice = self->advice;
  GPtrArray *changes = advice->changes;
  g_autoptr (GHashTable) buffers = g_hash_table_new (memlane_hash_number, NULL);
  g_autofree guint8 *taken = g_new0 (guint8, self->n + 1);
  MemlaneEstimate price;
  double low = 0, high = 0, unplayed = 0, gains[3], again, bytes;

  g_ptr_array_sort (changes, compare_changes);
  MEMLANE_FOR_EACH (MemlaneChange, change, changes)
    {
      change->is_alternative = !take_events (change, taken);
      if (change->is_alternative)
        continue;
      low += MAX (change->low + change->price_high, 0);
      high += change->high + change->price_low;
      unplayed += change->edits->len == 0 ? change->high : 0;
      for (guint k = 0; change->price != NULL && k < change->n_events; k++)
        add_buffer (self, buffers, change->events[k]);
    }
  price = price_of_buffers (self, buffers, &bytes); /* one that two changes lock is locked once */
  for (guint i = 0; i < G_N_ELEMENTS (gains); i++)
    {
      memlane_replay_reset (self->replay);
      MEMLANE_FOR_EACH (const MemlaneChange, change, changes)
        if (!change->is_alternative)
          apply (self, change->edits, i);
      gains[i] = self->end - memlane_replay_run (self->replay);
    }
  again = AGAIN * gains[GONE];
  advice->high = CLAMP ((1 + IN_A_ROW) * gains[BEST] + again + unplayed - price.low, 0,
                        MIN (high - price.low, advice->wall));
  advice->low = CLAMP (gains[WORST] - again - price.high, 0,
                       MAX (MIN (low - price.high, advice->wall), 0));
  advice->low = MIN (advice->low, advice->high);
}

static void
measure (Search *self)
{
  MemlaneAdvice *advice = self->advice;
  const char *range = memlane_trace_get_info (self->trace)->range;
  g_autoptr (GArray) copies = g_array_new (FALSE, FALSE, sizeof (Span)),
                     ranges = g_array_new (FALSE, FALSE, sizeof (Span));

  for (guint i = 0; i < self->n; i++)
    {
      const MemlaneTraceEvent *event = &self->events[i];
      Span span = { (double) event->start, end_of (event), 0, i };

      if (event->kind == MEMLANE_TRACE_KERNEL)
        {
          g_array_append_val (self->kernels, span);
          g_array_append_val (self->launches, span);
        }
      else if (event->kind == MEMLANE_TRACE_OTHER && range != NULL
               && g_pattern_match_simple (range, memlane_trace_get_name (self->trace, event->name)))
        g_array_append_val (ranges, span);
      else if ((event->kind == MEMLANE_TRACE_COPY || event->kind == MEMLANE_TRACE_MIGRATION)
               && (event->way == MEMLANE_TRACE_WAY_TO_DEVICE
                   || event->way == MEMLANE_TRACE_WAY_TO_HOST))
        g_array_append_val (copies, span);
    }
  merge_spans (self->kernels);
  advice->wall = range != NULL ? merge_spans (ranges)
                               : (double) memlane_trace_get_end (self->trace);
  advice->copies = merge_spans (copies);
}

static MEMLANE_DEFINE_FREE (MemlaneChange, void change_free (gpointer data),
                            OWNS (sentence, memlane_answer_free)
                                OWNS (headline, memlane_answer_free)
                                    OWNS (price, memlane_answer_free) OWNS (events, g_free)
                                        OWNS (edits, g_array_unref))
MEMLANE_DEFINE_FREE (MemlaneAdvice, void memlane_advice_free (MemlaneAdvice *data),
                     OWNS (changes, g_ptr_array_unref) OWNS (whole, memlane_answer_free)
                         OWNS (together, memlane_answer_free) OWNS (costs, memlane_answer_free)
                             OWNS (doubt, memlane_answer_free))

MemlaneAdvice *
memlane_advise (const MemlaneTrace *trace, const GPtrArray *runs)
{
  g_autoptr (GHashTable) groups
    = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, group_free);
  g_autoptr (MemlaneReplay) replay = memlane_replay_new (trace);
  g_autoptr (GArray) kernels = g_array_new (FALSE, FALSE, sizeof (Span)),
                     launches = g_array_new (FALSE, FALSE, sizeof (Span));
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (Span)),
                     moves = g_array_new (FALSE, FALSE, sizeof (Span));
  Search self = { .trace = trace,
                  .advice = g_new0 (MemlaneAdvice, 1),
                  .kernels = kernels,
                  .launches = launches,
                  .spans = spans,
                  .moves = moves,
                  .groups = groups,
                  .replay = replay };

  self.advice->changes = g_ptr_array_new_with_free_func (change_free);
  self.events = memlane_trace_get_events (trace, &self.n);
  costs_init (&self.costs, runs);
  say_costs (&self, runs);

  measure (&self);
  self.end = memlane_replay_run (replay);
  add_events (&self);
  MEMLANE_FOR_EACH_ENTRY (groups, key, group)
    advise_group (&self, group);
  advise_uncounted (&self);
  merge_spans (moves);
  self.advice->exposed = expose (&self, spans);
  MEMLANE_FOR_EACH_IN (const Span, span, moves) /* kernels wait for pages, and hide nothing of it */
    self.advice->exposed += hidden (&self, span->begin, span->end);
  self.advice->exposed = MIN (self.advice->exposed, self.advice->wall);
  settle (&self);
  say_whole (&self);
  costs_clear (&self.costs);
  for (guint i = 0; i < N_POOLS; i++)
    g_queue_clear (&self.freed[i]);
  return self.advice;
}
