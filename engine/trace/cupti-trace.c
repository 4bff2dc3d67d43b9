/* cupti-trace.c: CUPTI, opened at run time: its activity records of one recording
 *
 * SPDX-License-Identifier: MIT
 *
 * Only fields at the front of the records are read, whose places have not changed since CUDA 12.0 (asserted below against the old types
 * that CUPTI 13 still declares), so that a library of another version than the header's will do.
 */
#include "cupti-trace.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cupti.h>

#include "cupti-records.h"

#define BUFFER_BYTES (2 << 20)
#define MOST_BUFFERS 64       /* 128 MiB; beyond that CUPTI drops records and counts them */
#define OLDEST_VERSION 18     /* of CUDA 12.0's predecessor: the records' front is the same from there on */
#define CLOCK_TRIES 32

#define FUNCTIONS(X) \
  X (cuptiActivityDisable) X (cuptiActivityEnable) X (cuptiActivityFlushAll) X (cuptiActivityGetNextRecord) \
  X (cuptiActivityGetNumDroppedRecords) X (cuptiActivityRegisterCallbacks) X (cuptiGetResultString) X (cuptiGetTimestamp) \
  X (cuptiGetVersion)
/* Missing ones are done without. */
#define OPTIONAL_FUNCTIONS(X) \
  X (cuptiActivityConfigureUnifiedMemoryCounter) X (cuptiActivityPopExternalCorrelationId) X (cuptiActivityPushExternalCorrelationId) \
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
  double offset;      /* ns to add to CUPTI's time for the host's */
  double uncertainty; /* ns */
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

static MemlaneCupti recording; /* the only one */

/* What CUPTI's threads touch. */
static double (*host_clock) (void); /* set once: they ask for the time between recordings, too */
static GMutex lock;
static GArray *buffers;        /* (element-type Buffer), completed */
static guint buffers_out;
static guint64 dropped;

/* --- CUPTI's threads ------------------------------------------------------------------------------------------------ */

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
  if (valid > 0)
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

/* --- opening ------------------------------------------------------------------------------------------------------------ */

static void *
open_library (char **reason)
{
  const char *asked = g_getenv ("MEMLANE_CUPTI");
  const char *const names[] = {
    "libcupti.so.13", "libcupti.so.12", MEMLANE_CUPTI_FOLDER "/libcupti.so", "/usr/local/cuda/lib64/libcupti.so",
    "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so", "libcupti.so",
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
    *reason = g_strdup_printf ("CUPTI (%s) cannot be opened; install the CUDA toolkit's package cuda-cupti, or name the library in "
                               "MEMLANE_CUPTI", asked != NULL ? asked : "libcupti.so.13 or .12");
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
      hint = "; profiling is for the administrator alone here: set the driver's NVreg_RestrictProfilingToAdminUsers=0, or run as root";
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
    *reason = g_strdup_printf ("CUPTI is of version %u, expected %u or newer", version, OLDEST_VERSION);
  if (*reason != NULL)
    {
      dlclose (cupti.library);
      memset (&cupti, 0, sizeof cupti);
      return FALSE;
    }

  if (buffers == NULL)
    buffers = g_array_new (FALSE, FALSE, sizeof (Buffer));
  /* Before any activity: from then on all its times are on our clock. Where it cannot, the offset is measured. */
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

/* --- enabling --------------------------------------------------------------------------------------------------------------- */

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
  { CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, FALSE, "page faults and migrations" },
};

static void
disable_all (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (activities); i++)
    cupti.cuptiActivityDisable (activities[i].kind); /* one that is not enabled is no trouble */
}

static CUptiResult
configure_unified_memory (int ordinal)
{
  static const CUpti_ActivityUnifiedMemoryCounterKind kinds[] = {
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
  };
  CUpti_ActivityUnifiedMemoryCounterConfig configs[G_N_ELEMENTS (kinds)];

  if (cupti.cuptiActivityConfigureUnifiedMemoryCounter == NULL)
    return CUPTI_ERROR_NOT_SUPPORTED;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    configs[i] = (CUpti_ActivityUnifiedMemoryCounterConfig) {
      .scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
      .kind = kinds[i],
      .deviceId = (uint32_t) ordinal,
      .enable = 1,
    };
  return cupti.cuptiActivityConfigureUnifiedMemoryCounter (configs, G_N_ELEMENTS (kinds));
}

static gboolean
enable_all (MemlaneCupti *self, int ordinal, char **reason)
{
  for (guint i = 0; i < G_N_ELEMENTS (activities); i++)
    {
      CUptiResult result = activities[i].kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER ? configure_unified_memory (ordinal)
                                                                                           : CUPTI_SUCCESS;

      if (result == CUPTI_SUCCESS)
        result = cupti.cuptiActivityEnable (activities[i].kind);
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
      self->offset = (before + after) / 2 - (double) theirs;
    }
  /* With our own clock registered there is nothing to correct, and a correction would only add its own error. */
  if (ABS (self->offset) <= self->uncertainty)
    self->offset = 0;
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

MemlaneCupti *
memlane_cupti_begin (int ordinal, double (*clock) (void), char **reason)
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
  free_buffers ();
  dropped = 0;
  if (!enable_all (self, ordinal, reason))
    {
      g_string_free (self->lacking, TRUE);
      return NULL;
    }
  align_clocks (self);
  self->calls = g_array_new (FALSE, FALSE, sizeof (MemlaneCuptiCall));
  self->is_recording = TRUE;
  return self;
}

void
memlane_cupti_enter (MemlaneCupti *self, guint32 correlation)
{
  if (cupti.cuptiActivityPushExternalCorrelationId != NULL)
    cupti.cuptiActivityPushExternalCorrelationId (CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, correlation);
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
  return cupti.cuptiGetStreamIdEx != NULL && cupti.cuptiGetStreamIdEx (NULL, stream, 0, number) == CUPTI_SUCCESS;
}

/* --- the end ------------------------------------------------------------------------------------------------------------------ */

/* Each record of all buffers, twice: the links between calls and operations, then the operations. */
static void
deliver (MemlaneCupti *self, MemlaneTracer *tracer)
{
  MemlaneCuptiRecords *records = memlane_cupti_records_new (tracer, self->calls, self->offset);
  g_auto (GStrv) lacking = g_strsplit (self->lacking->str, "\n", -1);
  guint64 clamped;

  g_mutex_lock (&lock);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < buffers->len; i++)
      {
        const Buffer *buffer = &g_array_index (buffers, Buffer, i);
        CUpti_Activity *record = NULL;

        while (cupti.cuptiActivityGetNextRecord (buffer->bytes, buffer->valid, &record) == CUPTI_SUCCESS)
          if (pass == 0)
            memlane_cupti_records_link (records, record);
          else
            memlane_cupti_records_add (records, record);
      }
  memlane_tracer_add_dropped (tracer, dropped);
  g_mutex_unlock (&lock);

  memlane_tracer_set_source (tracer, "CUPTI");
  for (guint i = 0; lacking[i] != NULL; i++)
    if (*lacking[i] != '\0')
      memlane_tracer_add_note (tracer, "recorded from CUPTI: %s", lacking[i]);
  if (self->offset != 0)
    memlane_tracer_add_note (tracer, "CUPTI's clock was brought to the host's by %.0f ns, known to within %.0f ns", self->offset,
                             self->uncertainty);
  clamped = memlane_cupti_records_free (records);
  if (clamped > 0)
    memlane_tracer_add_note (tracer,
                             "%" G_GUINT64_FORMAT " operation%s seemed to begin before the call: the clocks of host and device differ, the "
                             "beginning was moved to the call's", clamped, clamped == 1 ? "" : "s");
}

void
memlane_cupti_end (MemlaneCupti *self, MemlaneTracer *tracer)
{
  /* First what is complete, then whatever is left; and off before anything else is called. */
  cupti.cuptiActivityFlushAll (0);
  cupti.cuptiActivityFlushAll (CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  disable_all ();
  if (tracer != NULL)
    deliver (self, tracer);
  free_buffers ();
  g_array_unref (self->calls);
  g_string_free (self->lacking, TRUE);
  self->calls = NULL;
  self->lacking = NULL;
  self->is_recording = FALSE;
}
