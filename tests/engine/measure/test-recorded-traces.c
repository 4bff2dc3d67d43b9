/* test-recorded-traces.c: the traces in data/recordings/traces show what each mode is said to do, and the simulated device shows the same
 *
 * SPDX-License-Identifier: MIT
 *
 * First what each recording must show by itself; then the same cell on the simulated H200, aspect by aspect, each aspect as a text. Texts
 * that differ are a deviation; each is either a defect or stands in the list of known ones, with its reason. A known one that is no longer
 * seen fails, too: it is to be taken from the list.
 */
#include "engine/trace-aspects.h"

#include <glib/gstdio.h>

#include "mode/mode.h"
#include "trace/trace.h"
#include "engine/same-trace.h"

#define STAGED_AT_ONCE 65536 /* bytes: up to here a pageable copy to the device is in the driver's buffer when the call returns */

/* --- what a recording shows by itself --------------------------------------------------------------------------------- */

typedef enum
{
  SHOWS_BLOCKING = 1 << 0,   /* copies from page-locked memory, each call held until its copy is done */
  SHOWS_STAGED = 1 << 1,     /* copies from pageable memory, staged */
  SHOWS_ASYNC = 1 << 2,      /* copies from page-locked memory, no call held */
  SHOWS_OVERLAP = 1 << 3,    /* in several streams */
  SHOWS_KERNEL_ONLY = 1 << 4, /* nothing but the kernel: it reaches the memory by itself, or all is there */
  SHOWS_FAULTS = 1 << 5,     /* pages come by faults inside the kernel */
  SHOWS_WAY_BACK = 1 << 6,   /* and go back by faults of the host */
  SHOWS_PREFETCH = 1 << 7,   /* pages come and go by prefetches, without a fault */
} Shows;

static const struct
{
  const char *mode;
  Shows shows;
} modes_show[] = {
  { "pageable", SHOWS_STAGED },
  { "pageable-async", SHOWS_STAGED },
  { "pinned", SHOWS_BLOCKING },
  { "pinned-async", SHOWS_ASYNC },
  { "portable", SHOWS_BLOCKING },
  { "write-combined", SHOWS_BLOCKING },
  { "registered", SHOWS_BLOCKING },
  { "mapped", SHOWS_KERNEL_ONLY },
  { "mapped-write-combined", SHOWS_KERNEL_ONLY },
  { "registered-mapped", SHOWS_KERNEL_ONLY },
  { "unified-addressing", SHOWS_KERNEL_ONLY },
  { "managed", SHOWS_FAULTS | SHOWS_WAY_BACK },
  { "managed-static", SHOWS_FAULTS | SHOWS_WAY_BACK },
  { "managed-prefetch", SHOWS_PREFETCH },
  { "managed-advised", SHOWS_FAULTS }, /* the result prefers the device; the host reads it there */
  { "streams-depth-first", SHOWS_ASYNC | SHOWS_OVERLAP },
  { "streams-breadth-first", SHOWS_ASYNC | SHOWS_OVERLAP },
  { "stream-ordered", SHOWS_ASYNC },
  { "device-resident", SHOWS_KERNEL_ONLY },
};

static guint64
count_bytes (const MemlaneTrace *trace, MemlaneTraceKind kind, MemlaneTraceWay way)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  guint64 bytes = 0;

  for (guint i = 0; i < n; i++)
    if (events[i].kind == kind && events[i].way == way)
      bytes += events[i].bytes;
  return bytes;
}

/* Queues are queues, nothing happens before it was asked for, and all is done when the sample ends. */
static void
check_queues (const MemlaneTrace *trace)
{
  g_autoptr (GHashTable) last = g_hash_table_new (NULL, NULL); /* of each stream */
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  gint64 returned = 0;

  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_PHASE)
      returned = MAX (returned, end_of (&events[i]));
  for (guint i = 0; i < n; i++)
    {
      const MemlaneTraceEvent *before;

      g_assert_cmpint (events[i].start, >=, 0);
      if (!memlane_trace_event_is_operation (&events[i]))
        continue;
      g_assert_cmpint (end_of (&events[i]), <=, returned + SKEW_NS);
      if (events[i].kind == MEMLANE_TRACE_MIGRATION)
        continue; /* CUPTI does not tell which prefetch it belongs to */
      g_assert_cmpint (call_of (trace, &events[i])->start, <=, events[i].start + SKEW_NS);
      g_assert_cmpuint (call_of (trace, &events[i])->stream, ==, events[i].stream);
      before = g_hash_table_lookup (last, GUINT_TO_POINTER (events[i].stream));
      if (before != NULL)
        {
          g_assert_cmpint (end_of (before), <=, events[i].start);
          g_assert_cmpint (call_of (trace, before)->start, <=, call_of (trace, &events[i])->start);
        }
      g_hash_table_insert (last, GUINT_TO_POINTER (events[i].stream), (gpointer) &events[i]);
    }
}

static void
check_copies (const MemlaneTrace *trace, Shows shows)
{
  const guint64 vector = memlane_trace_get_info (trace)->elements * sizeof (float);
  const MemlaneTraceMemory host = shows & SHOWS_STAGED ? MEMLANE_TRACE_MEMORY_PAGEABLE : MEMLANE_TRACE_MEMORY_PINNED;
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  g_assert_cmpuint (count_bytes (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_DEVICE), ==, 2 * vector);
  g_assert_cmpuint (count_bytes (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_WAY_TO_HOST), ==, vector);
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_MIGRATION) + count_kind (trace, MEMLANE_TRACE_FAULT), ==, 0);
  for (guint i = 0; i < n; i++)
    {
      const MemlaneTraceEvent *copy = &events[i], *call;
      gboolean goes_up = copy->way == MEMLANE_TRACE_WAY_TO_DEVICE;

      if (copy->kind == MEMLANE_TRACE_KERNEL && copy->duration > 2 * SKEW_NS) /* a shorter one can end while its call returns */
        g_assert_true (returns_first (call_of (trace, copy), copy)); /* a launch never waits */
      if (copy->kind != MEMLANE_TRACE_COPY)
        continue;
      call = call_of (trace, copy);
      g_assert_cmpint (goes_up ? copy->source : copy->destination, ==, host);
      g_assert_cmpint (goes_up ? copy->destination : copy->source, ==, MEMLANE_TRACE_MEMORY_DEVICE);
      g_assert_cmpint ((copy->flags & MEMLANE_TRACE_STAGED) != 0, ==, (shows & SHOWS_STAGED) != 0);
      if (shows & SHOWS_BLOCKING)
        g_assert_false (returns_first (call, copy));
      else if (shows & SHOWS_ASYNC)
        g_assert_true (returns_first (call, copy));
      else if (!goes_up)
        g_assert_false (returns_first (call, copy)); /* the host has its bytes when the call returns, whatever the call's name says */
      else
        {
          g_assert_true (returns_first (call, copy)); /* all is in the driver's buffer; the last of it still travels */
          if (copy->bytes > STAGED_AT_ONCE)
            g_assert_cmpint (end_of (call) - copy->start, >=, copy->duration / 10 * 8); /* so the host is held for most of the copy */
          else
            g_assert_cmpint (end_of (call), <=, copy->start + SKEW_NS);
        }
    }
}

static void
check_streams (const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  gboolean breadth = strcmp (info->mode, "streams-breadth-first") == 0;
  guint n, issued = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  guint32 first = MEMLANE_TRACE_NO_STREAM;

  g_assert_cmpuint (info->streams, ==, 8);
  g_assert_cmpuint (info->chunks, ==, 8);
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_KERNEL), ==, info->chunks);
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_COPY), ==, 3 * info->chunks);
  /* The order of the calls is the whole difference between the two. */
  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_CALL && events[i].stream != MEMLANE_TRACE_NO_STREAM)
      {
        guint place = issued++, chunk, step;
        gboolean launches = strcmp (memlane_trace_get_name (trace, events[i].name), "cudaLaunchKernel") == 0;

        if (!breadth)
          chunk = place / 4, step = place % 4;
        else if (place < 16)
          chunk = place / 2, step = place % 2;
        else
          chunk = place % 8, step = place / 8;
        if (first == MEMLANE_TRACE_NO_STREAM)
          first = events[i].stream;
        g_assert_cmpuint (events[i].stream, ==, first + chunk);
        g_assert_cmpint (launches, ==, step == 2);
      }
  g_assert_cmpuint (issued, ==, 4 * info->chunks);
  if (info->log2_elements >= 20) /* the chunks of less are over before the next is issued */
    {
      g_assert_true (overlaps (trace, KERNEL, UP));
      g_assert_true (overlaps (trace, UP, DOWN));
      SAYS (trace, MEMLANE_FINDING_OVERLAP, "Overlap efficiency");
    }
}

static void
check_managed (const MemlaneTrace *trace, Shows shows)
{
  const guint64 vector = memlane_trace_get_info (trace)->elements * sizeof (float);
  const MemlaneTraceEvent *kernel = get_nth (trace, MEMLANE_TRACE_KERNEL, NULL, 0);
  guint n, device_faults = 0, host_faults = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_COPY), ==, 0);
  g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_KERNEL), ==, 1);
  /* Nothing is downloaded where the host touches the result: the kernel's phase lasts until the host has waited for it. */
  for (guint i = 0; i < n && !(shows & SHOWS_PREFETCH); i++)
    if (events[i].kind == MEMLANE_TRACE_PHASE)
      {
        g_assert_cmpstr (memlane_trace_get_name (trace, events[i].name), !=, "download");
        if (g_str_equal (memlane_trace_get_name (trace, events[i].name), "kernel"))
          g_assert_cmpint (end_of (&events[i]), >=, end_of (kernel) - SKEW_NS);
      }
  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_MIGRATION || events[i].kind == MEMLANE_TRACE_FAULT)
      {
        gboolean goes_up = events[i].way == MEMLANE_TRACE_WAY_TO_DEVICE;

        if (events[i].kind == MEMLANE_TRACE_FAULT)
          {
            g_assert_cmpint ((events[i].flags & MEMLANE_TRACE_ON_DEVICE) != 0, ==, goes_up);
            g_assert_cmpuint (events[i].count, >, 0);
            *(goes_up ? &device_faults : &host_faults) += events[i].count;
          }
        else
          g_assert_cmpint ((events[i].flags & MEMLANE_TRACE_PREFETCHED) != 0, ==, (shows & SHOWS_PREFETCH) != 0);
        if (!goes_up)
          g_assert_cmpint (events[i].start, >=, end_of (kernel) - SKEW_NS);
        else if (shows & SHOWS_PREFETCH)
          g_assert_cmpint (end_of (&events[i]), <=, kernel->start);
        else
          {
            g_assert_cmpint (events[i].start, >=, kernel->start); /* the kernel waits for them */
            g_assert_cmpint (events[i].start, <=, end_of (kernel));
            /* A group of faults is over when the driver is through with it, which may be after the last that waited. */
            if (events[i].kind == MEMLANE_TRACE_MIGRATION)
              g_assert_cmpint (end_of (&events[i]), <=, end_of (kernel));
          }
      }
  g_assert_cmpint (device_faults > 0, ==, (shows & SHOWS_FAULTS) != 0);
  g_assert_cmpint (host_faults > 0, ==, (shows & SHOWS_WAY_BACK) != 0);
  /* The result goes up as well where it has been the host's. */
  g_assert_cmpuint (count_bytes (trace, MEMLANE_TRACE_MIGRATION, MEMLANE_TRACE_WAY_TO_DEVICE), ==,
                    (shows & (SHOWS_PREFETCH | SHOWS_WAY_BACK) ? 3 : 2) * vector);
  g_assert_cmpuint (count_bytes (trace, MEMLANE_TRACE_MIGRATION, MEMLANE_TRACE_WAY_TO_HOST), ==,
                    shows & (SHOWS_PREFETCH | SHOWS_WAY_BACK) ? vector : 0);
  if (shows & SHOWS_FAULTS)
    SAYS (trace, MEMLANE_FINDING_FAULTS, "");
}

static void
check_recording (const MemlaneTrace *trace, const char *path)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  g_autofree char *name = g_path_get_basename (path), *expected = g_strdup_printf ("h200-%s-2p%u.json", info->mode, info->log2_elements);
  Shows shows = 0;

  g_assert_cmpstr (name, ==, expected);
  g_assert_cmpstr (info->source, ==, "CUPTI");
  g_assert_cmpstr (info->device_kind, ==, "cuda");
  g_assert_cmpstr (info->workload, ==, "vector-add");
  g_assert_false (info->simulated);
  g_assert_cmpuint (info->dropped, ==, 0);
  g_assert_cmpuint (info->skipped, ==, 0);
  g_assert_cmpuint (info->elements, ==, (guint64) 1 << info->log2_elements);
  g_assert_nonnull (info->environment);
  g_assert_nonnull (info->method);
  g_assert_nonnull (info->date);
  for (guint i = 0; i < G_N_ELEMENTS (modes_show); i++)
    if (strcmp (modes_show[i].mode, info->mode) == 0)
      shows = modes_show[i].shows;
  g_assert_cmpuint (shows, !=, 0);

  check_queues (trace);
  if (shows & (SHOWS_BLOCKING | SHOWS_STAGED | SHOWS_ASYNC))
    check_copies (trace, shows);
  if (shows & SHOWS_OVERLAP)
    check_streams (trace);
  else if ((shows & (SHOWS_BLOCKING | SHOWS_STAGED | SHOWS_ASYNC)) != 0)
    g_assert_false (overlaps (trace, KERNEL, UP) || overlaps (trace, KERNEL, DOWN) || overlaps (trace, UP, DOWN));
  if (shows & (SHOWS_FAULTS | SHOWS_PREFETCH))
    check_managed (trace, shows);
  if (shows & SHOWS_KERNEL_ONLY)
    {
      g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_KERNEL), ==, 1);
      g_assert_cmpuint (count_kind (trace, MEMLANE_TRACE_COPY) + count_kind (trace, MEMLANE_TRACE_MIGRATION)
                        + count_kind (trace, MEMLANE_TRACE_FAULT), ==, 0);
    }
  if (shows & SHOWS_STAGED)
    SAYS (trace, MEMLANE_FINDING_STAGED, "pageable");
  check_trip (trace);
}

/* --- known deviations ---------------------------------------------------------------------------------------------------- */

#define BLOCKING_MODES "pageable pageable-async pinned portable write-combined registered"

static struct
{
  const char *aspect, *modes; /* ids, a blank between them */
  guint log2_elements;        /* 0: both */
  guint64 seen;               /* a bit for each mode and size */
} known[] = {
  /* CUPTI tells nothing of the driver's staging, nor of waits inside calls that do not synchronise by name; the recordings say so in a
   * note. So there is no finding of them either. */
  { .aspect = "kinds", .modes = BLOCKING_MODES },
  { .aspect = "findings", .modes = BLOCKING_MODES },
  /* CUPTI tells of every synchronising call, the simulated device of those that had to wait; after a staged copy to the host nothing is
   * left to wait for. */
  { .aspect = "waits", .modes = "pageable-async" },
  /* The driver counts groups of faults as it meets them in the GPU's buffer, and takes more and more pages with each; the simulated device
   * counts one fault for each 64 KiB. At 2^14 one group covers one vector, or a part of it. */
  { .aspect = "faults", .modes = "managed managed-advised", .log2_elements = 20 },
  { .aspect = "faults", .modes = "managed-static" },
  /* CUPTI does not tell whether the pages of a migration stayed where they were, too. */
  { .aspect = "duplicates", .modes = "managed-advised" },
  /* A kernel of less than 8 us tells nothing: at 2^14 the model's takes 6.8, the GPU's 8.3 to 11. */
  { .aspect = "returns", .modes = "mapped mapped-write-combined registered-mapped unified-addressing", .log2_elements = 14 },
  /* Chunks of 8 KiB. CUPTI's copy is the transfer alone (1.1 us); the simulated one is as long as events say that it holds the stream
   * (3.0 us), what goes before the transfer included, and so is the kernel (3.1 us, not 0.9 us). So in the simulation pairs of what is so
   * short overlap; on the GPU they do on some days and not on others, as the host is fast to issue them. */
  { .aspect = "overlap", .modes = "streams-depth-first streams-breadth-first", .log2_elements = 14 },
  { .aspect = "findings", .modes = "streams-depth-first streams-breadth-first", .log2_elements = 14 },
};

static const guint sizes[] = { 14, 20 };

/* The bit of a mode and a size in @known's list; 0: it is not there. */
static guint64
find_known (guint k, const char *mode, guint log2_elements)
{
  g_auto (GStrv) ids = g_strsplit (known[k].modes, " ", -1);

  for (guint i = 0; ids[i] != NULL; i++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      if (strcmp (ids[i], mode) == 0 && sizes[s] == log2_elements
          && (known[k].log2_elements == 0 || known[k].log2_elements == log2_elements))
        return (guint64) 1 << (i * G_N_ELEMENTS (sizes) + s);
  return 0;
}

static void
compare (const MemlaneTrace *recorded, const MemlaneTrace *simulated, GString *defects)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (recorded);

  for (guint i = 0; i < G_N_ELEMENTS (aspects); i++)
    {
      g_autofree char *real = aspects[i].describe (recorded), *model = aspects[i].describe (simulated);
      gboolean is_known = FALSE;

      if (strcmp (real, model) == 0)
        continue;
      for (guint k = 0; k < G_N_ELEMENTS (known); k++)
        if (strcmp (known[k].aspect, aspects[i].name) == 0)
          {
            guint64 bit = find_known (k, info->mode, info->log2_elements);

            known[k].seen |= bit;
            is_known |= bit != 0;
          }
      g_test_message ("%s 2^%u, %s (%s): recorded: %s simulated: %s", info->mode, info->log2_elements, aspects[i].name,
                      is_known ? "known" : "NEW", real, model);
      if (!is_known)
        g_string_append_printf (defects, "%s 2^%u, %s: recorded: %s; simulated: %s\n", info->mode, info->log2_elements, aspects[i].name,
                                real, model);
    }
}

static void
test_recording (gconstpointer data)
{
  const char *path = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) recorded = memlane_trace_read_json (path, NULL, NULL, NULL, &error), simulated = NULL;
  g_autoptr (MemlaneDevice) device = NULL;
  g_autoptr (GString) defects = g_string_new (NULL);
  const MemlaneTraceInfo *info;

  g_assert_no_error (error);
  info = memlane_trace_get_info (recorded);
  check_recording (recorded, path);

  device = memlane_device_open ("simulated:h200", &error);
  g_assert_no_error (error);
  {
    const MemlaneMethod method = {
      .workload = memlane_workload_find (info->workload), .reuse = info->reuse, .streams = info->streams, .chunks = info->chunks,
    };

    simulated = memlane_trace_record (device, &method, memlane_mode_find (info->mode), info->log2_elements, NULL, &error);
  }
  g_assert_no_error (error);
  compare (recorded, simulated, defects);
  if (defects->len > 0)
    g_error ("the simulated device shows something else:\n%s", defects->str);
}

/* Runs last. */
static void
test_known (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (known); k++)
    for (guint i = 0; i < G_N_ELEMENTS (modes_show); i++)
      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
        {
          guint64 bit = find_known (k, modes_show[i].mode, sizes[s]);

          if ((known[k].seen & bit) != bit)
            g_error ("no longer seen: %s of %s at 2^%u: take it from the list", known[k].aspect, modes_show[i].mode, sizes[s]);
        }
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", NULL);
  g_autofree char *folder = g_build_filename (data, "recordings", "traces", NULL);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  g_test_init (&argc, &argv, NULL);
  g_setenv ("MEMLANE_DATA_DIR", data, TRUE);
  /* The one mode that is missing, system, is one that this H200 could not run. */
  for (guint i = 0; i < G_N_ELEMENTS (modes_show); i++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      {
        g_autofree char *file = g_strdup_printf ("h200-%s-2p%u.json", modes_show[i].mode, sizes[s]);
        g_autofree char *name = g_strdup_printf ("/recorded-traces/%s/2p%u", modes_show[i].mode, sizes[s]);

        g_ptr_array_add (paths, g_build_filename (folder, file, NULL));
        g_test_add_data_func (name, paths->pdata[paths->len - 1], test_recording);
      }
  g_test_add_func ("/recorded-traces/known/still-seen", test_known);
  return g_test_run ();
}
