/* cupti-trace.c: CUPTI, opened at run time: its activity records of one recording
 *
 * SPDX-License-Identifier: MIT
 *
 * Only fields at the front of the records are read, whose places have not changed since CUDA 12.0
 * (asserted below against the old types that CUPTI 13 still declares), so that a library of another
 * version than the header's will do.
 */
#include "cupti-trace.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cupti.h>

#include "cupti-records.h"

#define BUFFER_BYTES (2 << 20)
#define MOST_BUFFERS 64       /* 128 MiB; beyond that CUPTI drops records and counts them */
/* of CUDA 12.0's predecessor: the records' front is the same from there on */
#define OLDEST_VERSION 18
#define CLOCK_TRIES 32
#define N_COUNTERS 7          /* of unified memory */
#define N_NEEDED_COUNTERS 4

#define FUNCTIONS(X)                                                                               \
  X (cuptiActivityDisable)                                                                         \
  X (cuptiActivityEnable) X (cuptiActivityFlushAll) X (cuptiActivityGetNextRecord)                 \
      X (cuptiActivityGetNumDroppedRecords) X (cuptiActivityRegisterCallbacks)                     \
          X (cuptiGetResultString) X (cuptiGetTimestamp) X (cuptiGetVersion)
/* Missing ones are done without. */
#define OPTIONAL_FUNCTIONS(X)                                                                      \
  X (cuptiActivityConfigureUnifiedMemoryCounter)                                                   \
  X (cuptiActivityPopExternalCorrelationId) X (cuptiActivityPushExternalCorrelationId)             \
      X (cuptiActivityRegisterTimestampCallback) X (cuptiGetStreamIdEx)

typedef struct
{
  uint8_t *bytes;
  gsize valid;
} Buffer;

struct _MemlaneCupti
{
  gboolean is_recording;
  double (*clock) (void);
  gint64 offset;      /* ns to add to CUPTI's time for the host's */
  double uncertainty; /* ns */
  gint64 from_realtime; /* ns to add to CLOCK_REALTIME for the host's */
  GString *lacking;   /* activities that could not be enabled */
  GArray *calls;      /* (element-type MemlaneCuptiCall) */
};

static struct
{
  void *library;
#define X(name) __typeof__ (&name) name;
  FUNCTIONS (X)
  OPTIONAL_FUNCTIONS (X)
#undef X
  gboolean is_ready;  /* opened, callbacks registered */
} cupti;

static GMutex state;           /* of all that follows, but for what CUPTI's threads touch */
static MemlaneCupti recording; /* the only one */

/* The counters of unified memory. */
static struct
{
  gboolean is_wanted;  /* before the first context, for good */
  gboolean is_early;   /* that has happened */
  gboolean is_on;
  guint contexts;      /* that are, or are being made */
  char *reason;        /* why they could not be switched on */
} pages;

/* What CUPTI's threads touch. */
static double (*host_clock) (void); /* set once: they ask for the time between recordings, too */
static GMutex lock;
static GArray *buffers;        /* (element-type Buffer), completed */
static guint buffers_out;
/* what is completed; else it comes from counters that are always on, and nobody asked */
static gboolean is_keeping;
static guint64 dropped;

/* --- CUPTI's threads -------------------------------------------------------------------------- */

static void CUPTIAPI
on_buffer_requested (uint8_t **buffer, size_t *size, size_t *most_records)
{
  *most_records = 0; /* as many as fit */
  *size = 0;
  *buffer = NULL;
  g_mutex_lock (&lock);
  if (buffers_out < MOST_BUFFERS)
    *buffer = aligned_alloc (8, BUFFER_BYTES);
  if (*buffer != NULL)
    {
      buffers_out++;
      *size = BUFFER_BYTES;
    }
  g_mutex_unlock (&lock);
}

static void CUPTIAPI
on_buffer_completed (CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
  const Buffer completed = { buffer, valid };
  size_t lost = 0;

  if (cupti.cuptiActivityGetNumDroppedRecords (context, stream, &lost) != CUPTI_SUCCESS)
    lost = 0;
  g_mutex_lock (&lock);
  dropped += lost;
  if (valid > 0 && is_keeping)
    g_array_append_val (buffers, completed);
  else
    {
      free (buffer);
      buffers_out--;
    }
  g_mutex_unlock (&lock);
}

static uint64_t CUPTIAPI
on_timestamp (void)
{
  return (uint64_t) host_clock ();
}

/* --- opening ---------------------------------------------------------------------------------- */

static void *
open_library (char **reason)
{
  const char *asked = g_getenv ("MEMLANE_CUPTI");
  const char *const names[] = {
    "libcupti.so.13",
    "libcupti.so.12",
    MEMLANE_CUPTI_FOLDER "/libcupti.so",
    "/usr/local/cuda/lib64/libcupti.so",
    "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
    "libcupti.so",
  };
  void *library = NULL;

  if (g_strcmp0 (asked, "no") == 0)
    {
      *reason = g_strdup ("CUPTI is switched off by MEMLANE_CUPTI=no");
      return NULL;
    }
  if (asked != NULL)
    library = dlopen (asked, RTLD_NOW | RTLD_LOCAL);
  for (guint i = 0; asked == NULL && library == NULL && i < G_N_ELEMENTS (names); i++)
    library = dlopen (names[i], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    *reason = g_strdup_printf ("CUPTI (%s) cannot be opened; install the CUDA toolkit's package "
                               "cuda-cupti, or name the library in "
                               "MEMLANE_CUPTI",
                               asked != NULL ? asked : "libcupti.so.13 or .12");
  return library;
}

/* What CUPTI said, and what to do about it. */
static char *
explain (CUptiResult result, const char *call)
{
  const char *text = NULL, *hint = "";

  if (cupti.cuptiGetResultString (result, &text) != CUPTI_SUCCESS || text == NULL)
    text = "unknown error";
  /* The names are newer than CUDA 12.0, the numbers are not. */
  switch ((int) result)
    {
    case 35: /* CUPTI_ERROR_INSUFFICIENT_PRIVILEGES */
    case 40: /* CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES */
      hint = "; profiling is for the administrator alone here: set the driver's "
             "NVreg_RestrictProfilingToAdminUsers=0, or run as root";
      break;
    case 39: /* CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED */
      hint = "; another profiler uses it: run without nsys, ncu or the like";
      break;
    case 15: /* CUPTI_ERROR_NOT_INITIALIZED */
      hint = "; it found no driver that it can work with";
      break;
    default:
      break;
    }
  return g_strdup_printf ("%s: %s%s", call, text, hint);
}

static gboolean
get_ready (char **reason)
{
  uint32_t version = 0;
  CUptiResult result;
  const char *missing = NULL;

  if (cupti.is_ready)
    return TRUE;
  if (cupti.library == NULL)
    cupti.library = open_library (reason);
  if (cupti.library == NULL)
    return FALSE;
#define X(name) \
  cupti.name = (__typeof__ (&name)) dlsym (cupti.library, #name); \
  missing = cupti.name == NULL ? #name : missing;
  OPTIONAL_FUNCTIONS (X)
  missing = NULL;
  FUNCTIONS (X)
#undef X
  if (missing != NULL)
    *reason = g_strdup_printf ("CUPTI has no %s: it is too old", missing);
  else if ((result = cupti.cuptiGetVersion (&version)) != CUPTI_SUCCESS)
    *reason = explain (result, "cuptiGetVersion");
  else if (version < OLDEST_VERSION)
    *reason = g_strdup_printf ("CUPTI is of version %u, expected %u or newer", version,
                               OLDEST_VERSION);
  if (*reason != NULL)
    {
      dlclose (cupti.library);
      memset (&cupti, 0, sizeof cupti);
      return FALSE;
    }

  if (buffers == NULL)
    buffers = g_array_new (FALSE, FALSE, sizeof (Buffer));
  /* Before any activity: from then on all its times are on our clock. Where it cannot, the offset
   * is measured. */
  if (cupti.cuptiActivityRegisterTimestampCallback != NULL)
    cupti.cuptiActivityRegisterTimestampCallback (on_timestamp);
  result = cupti.cuptiActivityRegisterCallbacks (on_buffer_requested, on_buffer_completed);
  if (result != CUPTI_SUCCESS)
    {
      *reason = explain (result, "cuptiActivityRegisterCallbacks");
      return FALSE;
    }
  cupti.is_ready = TRUE;
  return TRUE;
}

/* --- enabling --------------------------------------------------------------------------------- */

static const struct
{
  CUpti_ActivityKind kind;
  gboolean is_needed;
  const char *what;
} activities[] = {
  { CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, TRUE, "kernels" },
  { CUPTI_ACTIVITY_KIND_MEMCPY, TRUE, "copies" },
  { CUPTI_ACTIVITY_KIND_MEMCPY2, FALSE, "copies between devices" },
  { CUPTI_ACTIVITY_KIND_MEMSET, FALSE, "memsets" },
  { CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, FALSE, "synchronisation" },
  { CUPTI_ACTIVITY_KIND_RUNTIME, FALSE, "runtime calls, so operations may lack their call" },
  { CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, FALSE, NULL },
};

static void
disable_all (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (activities); i++)
    cupti.cuptiActivityDisable (activities[i].kind); /* one that is not enabled is no trouble */
  if (pages.is_on && !pages.is_early)
    {
      cupti.cuptiActivityDisable (CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
      pages.is_on = FALSE;
    }
}

/* The first four are needed. */
static CUptiResult
configure_pages (int ordinal, guint n)
{
  static const CUpti_ActivityUnifiedMemoryCounterKind kinds[N_COUNTERS] = {
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP,
  };
  CUpti_ActivityUnifiedMemoryCounterConfig configs[N_COUNTERS];

  if (cupti.cuptiActivityConfigureUnifiedMemoryCounter == NULL)
    return CUPTI_ERROR_NOT_SUPPORTED;
  for (guint i = 0; i < n; i++)
    configs[i] = (CUpti_ActivityUnifiedMemoryCounterConfig) {
      .scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
      .kind = kinds[i],
      .deviceId = (uint32_t) ordinal,
      .enable = 1,
    };
  return cupti.cuptiActivityConfigureUnifiedMemoryCounter (configs, n);
}

static void
enable_pages (int ordinal)
{
  const char *call = "cuptiActivityConfigureUnifiedMemoryCounter";
  CUptiResult result = configure_pages (ordinal, N_COUNTERS);

  if (result != CUPTI_SUCCESS)
    result = configure_pages (ordinal, N_NEEDED_COUNTERS);
  if (result == CUPTI_SUCCESS)
    {
      call = "cuptiActivityEnable (CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)";
      result = cupti.cuptiActivityEnable (CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
    }
  g_clear_pointer (&pages.reason, g_free);
  pages.is_on = result == CUPTI_SUCCESS;
  if (!pages.is_on)
    pages.reason = explain (result, call);
}

static gboolean
enable_all (MemlaneCupti *self, int ordinal, char **reason)
{
  for (guint i = 0; i < G_N_ELEMENTS (activities); i++)
    {
      CUptiResult result = cupti.cuptiActivityEnable (activities[i].kind);

      if (result == CUPTI_SUCCESS)
        continue;
      if (activities[i].is_needed)
        {
          *reason = explain (result, "cuptiActivityEnable");
          disable_all ();
          return FALSE;
        }
      if (activities[i].what != NULL)
        {
          g_autofree char *why = explain (result, "CUPTI");

          g_string_append_printf (self->lacking, "no %s (%s)\n", activities[i].what, why);
        }
    }
  if (!pages.is_on)
    enable_pages (ordinal);
  return TRUE;
}

/* CUPTI's clock read between two reads of ours; the narrowest of some tries tells the offset. */
static void
align_clocks (MemlaneCupti *self)
{
  self->uncertainty = G_MAXDOUBLE;
  for (guint i = 0; i < CLOCK_TRIES; i++)
    {
      uint64_t theirs = 0;
      double before = self->clock (), after;

      if (cupti.cuptiGetTimestamp (&theirs) != CUPTI_SUCCESS)
        continue;
      after = self->clock ();
      if ((after - before) / 2 >= self->uncertainty)
        continue;
      self->uncertainty = (after - before) / 2;
      self->offset = (gint64) ((before + after) / 2) - (gint64) theirs;
    }
  /* With our own clock registered there is nothing to correct, and a correction would only add its
   * own error. */
  if ((double) ABS (self->offset) <= self->uncertainty)
    self->offset = 0;
}

static void
align_realtime (MemlaneCupti *self)
{
  double narrowest = G_MAXDOUBLE;

  for (guint i = 0; i < CLOCK_TRIES; i++)
    {
      struct timespec time;
      double before = self->clock (), after;

      clock_gettime (CLOCK_REALTIME, &time);
      after = self->clock ();
      if (after - before >= narrowest)
        continue;
      narrowest = after - before;
      self->from_realtime = (gint64) ((before + after) / 2)
                            - ((gint64) time.tv_sec * 1000000000 + time.tv_nsec);
    }
}

static void
free_buffers (void)
{
  g_mutex_lock (&lock);
  for (guint i = 0; buffers != NULL && i < buffers->len; i++)
    {
      free (g_array_index (buffers, Buffer, i).bytes);
      buffers_out--;
    }
  if (buffers != NULL)
    g_array_set_size (buffers, 0);
  g_mutex_unlock (&lock);
}

static void
stop_keeping (void)
{
  g_mutex_lock (&lock);
  is_keeping = FALSE;
  g_mutex_unlock (&lock);
  free_buffers ();
}

void
memlane_cupti_prepare (void)
{
  g_mutex_lock (&state);
  pages.is_wanted = TRUE;
  g_mutex_unlock (&state);
}

void
memlane_cupti_before_context (int ordinal, double (*clock) (void))
{
  g_autofree char *reason = NULL; /* the next recording finds it again */

  g_mutex_lock (&state);
  if (pages.is_wanted && pages.contexts == 0)
    {
      if (host_clock == NULL)
        host_clock = clock;
      if (get_ready (&reason))
        enable_pages (ordinal);
      pages.is_early = pages.is_on;
    }
  pages.contexts++;
  g_mutex_unlock (&state);
}

static MemlaneCupti *
begin (int ordinal, double (*clock) (void), char **reason)
{
  MemlaneCupti *self = &recording;

  *reason = NULL;
  if (self->is_recording)
    {
      *reason = g_strdup ("CUPTI is recording for another device of this process");
      return NULL;
    }
  memset (self, 0, sizeof *self);
  self->clock = clock;
  if (host_clock == NULL)
    host_clock = clock;
  if (!get_ready (reason))
    return NULL;
  self->lacking = g_string_new (NULL);
  /* The totals of the counters that are always on. */
  if (pages.is_on)
    cupti.cuptiActivityFlushAll (CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  free_buffers ();
  g_mutex_lock (&lock);
  dropped = 0;
  is_keeping = TRUE;
  g_mutex_unlock (&lock);
  if (!enable_all (self, ordinal, reason))
    {
      g_string_free (self->lacking, TRUE);
      stop_keeping ();
      return NULL;
    }
  align_clocks (self);
  align_realtime (self);
  self->calls = g_array_new (FALSE, FALSE, sizeof (MemlaneCuptiCall));
  self->is_recording = TRUE;
  return self;
}

MemlaneCupti *
memlane_cupti_begin (int ordinal, double (*clock) (void), char **reason)
{
  MemlaneCupti *self;

  g_mutex_lock (&state);
  self = begin (ordinal, clock, reason);
  g_mutex_unlock (&state);
  return self;
}

void
memlane_cupti_enter (MemlaneCupti *self, guint32 correlation)
{
  if (cupti.cuptiActivityPushExternalCorrelationId != NULL)
    cupti.cuptiActivityPushExternalCorrelationId (CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0,
                                                  correlation);
}

void
memlane_cupti_leave (MemlaneCupti *self, guint32 correlation, double begin, double end)
{
  const MemlaneCuptiCall call = { begin, end, correlation };
  uint64_t last;

  if (cupti.cuptiActivityPopExternalCorrelationId != NULL)
    cupti.cuptiActivityPopExternalCorrelationId (CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
  g_array_append_val (self->calls, call);
}

gboolean
memlane_cupti_get_stream (MemlaneCupti *self, void *stream, guint32 *number)
{
  return cupti.cuptiGetStreamIdEx != NULL
         && cupti.cuptiGetStreamIdEx (NULL, stream, 0, number) == CUPTI_SUCCESS;
}

/* --- the end ---------------------------------------------------------------------------------- */

/* Notes missing page faults and migrations of a mode that has them, and all else that the counters
 * say of pages. */
static void
note_pages (MemlaneTracer *tracer, const MemlaneCuptiCounts *counts)
{
  static const char none[] = "recorded from CUPTI: no page faults and no migrations";

  if (counts->pages > 0 && pages.is_early)
    memlane_tracer_add_note (tracer, "CUPTI counted page faults and migrations in the untraced "
                                     "samples, too: what that costs is not in "
                                     "what tracing cost");
  if (counts->pages_of_realtime > 0)
    memlane_tracer_add_note (tracer,
                             "CUPTI told the times of %" G_GUINT64_FORMAT
                             " page faults and migrations on the system's clock; they "
                             "were brought to the trace's",
                             counts->pages_of_realtime);
  if (counts->thrashing + counts->throttled + counts->mapped > 0)
    memlane_tracer_add_note (
        tracer,
        "the driver saw pages thrash %" G_GUINT64_FORMAT
        " times, held one side back %" G_GUINT64_FORMAT
        " times, and let one side reach pages of the other without moving them %" G_GUINT64_FORMAT
        " times",
        counts->thrashing, counts->throttled, counts->mapped);
  if (!tracer->expects_pages || counts->pages_kept > 0)
    return;
  if (pages.reason != NULL)
    memlane_tracer_add_note (tracer, "%s (%s)", none, pages.reason);
  else if (counts->pages > 0)
    memlane_tracer_add_note (tracer,
                             "%s within the sample: of %" G_GUINT64_FORMAT
                             " that were told of, the nearest lies %.1f us %s it",
                             none, counts->pages, ABS (counts->nearest) / 1e3,
                             counts->nearest < 0 ? "before" : "after");
  else
    memlane_tracer_add_note (
        tracer, "%s: the counters were switched on %s, and told nothing", none,
        pages.is_early
            ? "before the CUDA context was made"
            : "when there was a CUDA context already (memlane_trace_prepare() comes before it)");
}

/* Each record of all buffers. */
static void
deliver (MemlaneCupti *self, MemlaneTracer *tracer)
{
  g_autoptr (GPtrArray) records = g_ptr_array_new ();
  g_auto (GStrv) lacking = g_strsplit (self->lacking->str, "\n", -1);
  MemlaneCuptiCounts counts;

  g_mutex_lock (&lock);
  for (guint i = 0; i < buffers->len; i++)
    {
      const Buffer *buffer = &g_array_index (buffers, Buffer, i);
      CUpti_Activity *record = NULL;

      while (cupti.cuptiActivityGetNextRecord (buffer->bytes, buffer->valid, &record)
             == CUPTI_SUCCESS)
        g_ptr_array_add (records, record);
    }
  memlane_cupti_read_records (tracer, self->calls, self->offset, self->from_realtime,
                              (const CUpti_Activity *const *) records->pdata, records->len,
                              &counts);
  memlane_tracer_get_info (tracer)->dropped += dropped;
  g_mutex_unlock (&lock);

  g_free (memlane_tracer_get_info (tracer)->source);
  memlane_tracer_get_info (tracer)->source = g_strdup ("CUPTI");
  memlane_tracer_add_note (tracer, "recorded from CUPTI, which tells nothing of the driver's "
                                   "staging of pageable copies, of host functions "
                                   "and of waits inside calls that do not synchronise by name");
  for (guint i = 0; lacking[i] != NULL; i++)
    if (*lacking[i] != '\0')
      memlane_tracer_add_note (tracer, "recorded from CUPTI: %s", lacking[i]);
  if (self->offset != 0)
    memlane_tracer_add_note (tracer,
                             "CUPTI's clock was brought to the host's by %" G_GINT64_FORMAT
                             " ns, known to within %.0f ns",
                             self->offset, self->uncertainty);
  note_pages (tracer, &counts);
  if (counts.clamped > 0)
    memlane_tracer_add_note (
        tracer,
        "%" G_GUINT64_FORMAT
        " operation%s seemed to begin before the call: the clocks of host and device differ, the "
        "beginning was moved to the call's",
        counts.clamped, counts.clamped == 1 ? "" : "s");
}

void
memlane_cupti_end (MemlaneCupti *self, MemlaneTracer *tracer)
{
  g_mutex_lock (&state);
  /* First what is complete, then whatever is left; and off before anything else is called. */
  cupti.cuptiActivityFlushAll (0);
  cupti.cuptiActivityFlushAll (CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  disable_all ();
  if (tracer != NULL)
    deliver (self, tracer);
  stop_keeping ();
  g_array_unref (self->calls);
  g_string_free (self->lacking, TRUE);
  self->calls = NULL;
  self->lacking = NULL;
  self->is_recording = FALSE;
  g_mutex_unlock (&state);
}
