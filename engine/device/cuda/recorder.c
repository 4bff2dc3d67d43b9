/* recorder.c: memlane-recorder.so, which writes down what somebody else's program does with CUDA
 *
 * SPDX-License-Identifier: MIT
 *
 * libcuda loads it into every process that starts with CUDA_INJECTION64_PATH, and calls InitializeInjection() once. It links nothing but
 * the C library; CUPTI is opened at run time. It never prints, never ends the program and takes at most MOST_BUFFERS buffers of CUPTI
 * and two of its own. It writes a note into its file on all that it cannot do. See trace/record.h for the file.
 *
 * CUPTI completes buffers on a thread of its own, which turns them into records. The program's threads wait only when all buffers are on
 * the way to the file; a wait that lasts too long is counted as lost records by CUPTI.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <cuda_runtime_api.h>
#include <cupti.h>

#include "trace/record.h"
#include "trace/trace.h" /* its enums */
#include "cupti-records.h" /* the records' types */

#define BUFFER_BYTES (1 << 20)
#define MOST_BUFFERS 48
#define OWN_BYTES (1 << 18)
#define LONGEST_WAIT_MS 200
#define FLUSH_MS 500
#define MOST_FRAMES 12
#define SKIPPED_FRAMES 2        /* ours; CUPTI's have no names of the program */
#define SITE_BYTES 4096
#define MOST_SITES 4096       /* a power of two, as the next */
#define MOST_NAMES 8192
#define MOST_CALLS 4096       /* numbers of calls that are looked up, of either kind */
#define MOST_TEXT 4096
#define CUPTI_WITHOUT_NVTX 130000 /* its naming of threads ends the program: NVIDIA/NVTX#125 */
#define HASHED_WORDS 256      /* of the memory that a copy reads */

#define FUNCTIONS(X) \
  X (cuptiActivityEnable) X (cuptiActivityDisable) X (cuptiActivityFlushAll) X (cuptiActivityGetNextRecord) \
  X (cuptiActivityGetNumDroppedRecords) X (cuptiActivityRegisterCallbacks) X (cuptiGetResultString) X (cuptiGetTimestamp) \
  X (cuptiGetCallbackName) X (cuptiSubscribe) X (cuptiEnableCallback) X (cuptiGetVersion)
#define OPTIONAL_FUNCTIONS(X) X (cuptiActivityFlushPeriod) X (cuptiActivityConfigureUnifiedMemoryCounter)

static struct
{
#define X(name) __typeof__ (&name) name;
  FUNCTIONS (X)
  OPTIONAL_FUNCTIONS (X)
#undef X
} cupti;
static int (*begin_nvtx) (void *functions); /* CUPTI's, which no header declares */

/* A buffer holds whole records until they go to the file. The program's calls and CUPTI's records do not wait for each other; who takes
 * both locks takes CUPTI's first. */
typedef struct
{
  pthread_mutex_t lock;
  size_t filled;
  char bytes[OWN_BYTES];
} Out;

static Out program = { .lock = PTHREAD_MUTEX_INITIALIZER }, records = { .lock = PTHREAD_MUTEX_INITIALIZER };
static int file = -1;
static bool is_full; /* the disk: what is there stays */
static uint64_t lost;

/* Texts that have a number, by what they stand for. */
static const void *names[MOST_NAMES];
static uint32_t name_numbers[MOST_NAMES], n_names;
static uint64_t sites[MOST_SITES];
static uint32_t n_sites;
static uint8_t calls[2][MOST_CALLS]; /* 0: not met, 1: kept, 2: of no interest */

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pool_change = PTHREAD_COND_INITIALIZER;
static uint8_t *pool[MOST_BUFFERS];
static unsigned n_pooled, n_made;
static bool is_over;

/* --- the file ------------------------------------------------------------------------------------------------------- */

static void
write_out (Out *out)
{
  size_t done = 0;

  while (file >= 0 && !__atomic_load_n (&is_full, __ATOMIC_RELAXED) && done < out->filled)
    {
      ssize_t n = write (file, out->bytes + done, out->filled - done);

      if (n <= 0)
        __atomic_store_n (&is_full, true, __ATOMIC_RELAXED);
      else
        done += (size_t) n;
    }
  out->filled = 0;
}

static void
append (Out *out, const MemlaneRecord *record, const char *text)
{
  size_t length = text != NULL ? (record->bytes + sizeof *record - 1) / sizeof *record * sizeof *record : 0;

  if (out->filled + sizeof *record + length > sizeof out->bytes)
    write_out (out);
  memcpy (out->bytes + out->filled, record, sizeof *record);
  out->filled += sizeof *record;
  if (length > 0)
    {
      memset (out->bytes + out->filled, 0, length);
      memcpy (out->bytes + out->filled, text, record->bytes);
      out->filled += length;
    }
}

static void
append_text (Out *out, uint8_t type, uint32_t name, const char *text)
{
  size_t length = strlen (text);
  MemlaneRecord record = { .type = type, .name = name, .bytes = length < MOST_TEXT ? length : MOST_TEXT };

  append (out, &record, text);
}

static void __attribute__ ((format (printf, 1, 2)))
note (const char *format, ...)
{
  char text[512];
  va_list arguments;

  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  append_text (&records, MEMLANE_RECORD_NOTE, 0, text);
}

/* --- texts with a number ------------------------------------------------------------------------------------------------ */

/* CUPTI's texts stay where they are. */
static uint32_t
number_of (const char *text)
{
  size_t at = ((uintptr_t) text >> 3) % MOST_NAMES;

  if (text == NULL)
    return 0;
  while (names[at] != NULL && names[at] != text)
    at = (at + 1) % MOST_NAMES;
  if (names[at] == text)
    return name_numbers[at];
  append_text (&records, MEMLANE_RECORD_NAME, ++n_names, text);
  if (n_names < MOST_NAMES - 1) /* a full table writes further names each time */
    {
      names[at] = text;
      name_numbers[at] = n_names;
    }
  return n_names;
}

/* The calls that say something of memory or of waiting; all others are left out. */
static bool
is_interesting (const char *name)
{
  static const char *const dull[] = { "GetLastError", "PeekAtLastError", "CallConfiguration", "GetDevice", "SetDevice", "GetAttribute",
                                      "GetProperties", "Occupancy", "GetProcAddress", "Query", "CtxGet", "CtxSet", "DevicePrimary",
                                      "IsCapturing", "PointerGet", "GetCaptureInfo", "Init", "DriverGet" };
  static const char *const driver[] = { "cuMem", "cuLaunch", "cuStreamSync", "cuStreamWait", "cuEventSync", "cuCtxSync", "cuGraphLaunch" };

  for (unsigned i = 0; i < sizeof dull / sizeof *dull; i++)
    if (strstr (name, dull[i]) != NULL)
      return false;
  if (strncmp (name, "cuda", 4) == 0)
    return true;
  for (unsigned i = 0; i < sizeof driver / sizeof *driver; i++)
    if (strncmp (name, driver[i], strlen (driver[i])) == 0)
      return true;
  return false;
}

static const char *
name_of_call (CUpti_CallbackDomain domain, uint32_t call)
{
  const char *name = NULL;
  unsigned which = domain == CUPTI_CB_DOMAIN_DRIVER_API;

  if (call >= MOST_CALLS || calls[which][call] == 2)
    return NULL;
  if (cupti.cuptiGetCallbackName (domain, call, &name) != CUPTI_SUCCESS || name == NULL)
    return NULL;
  if (calls[which][call] == 0)
    calls[which][call] = is_interesting (name) ? 1 : 2;
  return calls[which][call] == 1 ? name : NULL;
}

/* The frames' objects and offsets, a line each. */
static void
describe_site (void *const *frames, int n, char *text, size_t most)
{
  size_t length = 0;

  text[0] = '\0';
  for (int i = 0; i < n && length + 512 < most; i++)
    {
      Dl_info info;

      /* A frame is where the call returns to: one byte before lies the call. */
      if (dladdr ((char *) frames[i] - 1, &info) != 0 && info.dli_fname != NULL)
        length += (size_t) snprintf (text + length, most - length, "%.400s+0x%zx\n", info.dli_fname,
                                     (size_t) ((char *) frames[i] - 1 - (char *) info.dli_fbase));
    }
}

/* The number of the place that calls us, and its @text if it is a new one. The lock is not held: the loader has locks of its own, and may
 * be what called CUDA. */
static uint32_t
number_of_site (char *text, size_t most)
{
  void *frames[MOST_FRAMES + SKIPPED_FRAMES];
  int n = backtrace (frames, MOST_FRAMES + SKIPPED_FRAMES) - SKIPPED_FRAMES;
  uint64_t key = UINT64_C (14695981039346656037);
  size_t at;
  bool is_new = false;

  text[0] = '\0';
  for (int i = 0; i < n; i++)
    key = (key ^ (uintptr_t) frames[i + SKIPPED_FRAMES]) * UINT64_C (1099511628211);
  key |= 1;
  pthread_mutex_lock (&program.lock);
  for (at = key % MOST_SITES; sites[at] != 0 && sites[at] != key; at = (at + 1) % MOST_SITES)
    ;
  if (sites[at] == 0 && n_sites < MOST_SITES - 1)
    {
      n_sites++;
      sites[at] = key;
      is_new = true;
    }
  pthread_mutex_unlock (&program.lock);
  if (is_new)
    describe_site (frames + SKIPPED_FRAMES, n, text, most);
  return sites[at] == key ? (uint32_t) at + 1 : 0;
}

/* --- CUPTI's records -------------------------------------------------------------------------------------------------------- */

static void
add_call (const CUpti_ActivityAPI *call, CUpti_CallbackDomain domain)
{
  const char *name = name_of_call (domain, call->cbid);
  MemlaneRecord record = { .type = MEMLANE_RECORD_CALL, .correlation = call->correlationId, .start = call->start, .end = call->end,
                           .thread = call->threadId, .count = call->returnValue != 0 };

  if (name == NULL)
    return;
  record.name = number_of (name);
  append (&records, &record, NULL);
}

static void
add_pages (const MemlaneCuptiUnifiedMemory *pages)
{
  MemlaneRecord record = { .start = pages->start, .end = pages->end != 0 ? pages->end : pages->start, .type = MEMLANE_RECORD_MIGRATION };

  switch ((int) pages->counterKind)
    {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
      record.way = pages->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD ? MEMLANE_TRACE_WAY_TO_DEVICE
                                                                                                        : MEMLANE_TRACE_WAY_TO_HOST;
      record.bytes = pages->value;
      record.count = pages->flags == CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_USER;
      break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
      record.type = MEMLANE_RECORD_FAULT;
      record.way = MEMLANE_TRACE_WAY_TO_HOST;
      record.count = 1; /* its value is the place in the program */
      record.end = record.start;
      break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
      record.type = MEMLANE_RECORD_FAULT;
      record.way = MEMLANE_TRACE_WAY_TO_DEVICE;
      record.count = pages->value < UINT32_MAX ? (uint32_t) pages->value : UINT32_MAX;
      break;
    default:
      return;
    }
  append (&records, &record, NULL);
}

/* A range of NVTX begins or ends; marks without a length are left out. */
static void
add_range (const CUpti_ActivityMarker2 *marker)
{
  bool is_start = (marker->flags & CUPTI_ACTIVITY_FLAG_MARKER_START) != 0;
  const char *name = is_start ? marker->name : NULL;
  size_t length = name != NULL ? strlen (name) : 0;

  if (is_start || (marker->flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0)
    append (&records, &(MemlaneRecord) { .type = MEMLANE_RECORD_RANGE, .correlation = marker->id, .start = marker->timestamp,
                                         .count = is_start ? 1 : 2, .bytes = length < MOST_TEXT ? length : MOST_TEXT }, name);
}

static void
add (const CUpti_Activity *activity)
{
  const void *data = activity;
  const CUpti_ActivityAPI *call = data;
  const MemlaneCuptiMemcpy *copy = data;
  const CUpti_ActivityMemcpyPtoP4 *peer = data;
  const CUpti_ActivityMemset4 *set = data;
  const MemlaneCuptiKernel *kernel = data;
  const MemlaneCuptiSynchronization *wait = data;
  MemlaneRecord record = { 0 };

  switch ((int) activity->kind)
    {
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      add_call (call, CUPTI_CB_DOMAIN_RUNTIME_API);
      return;
    case CUPTI_ACTIVITY_KIND_DRIVER:
      add_call (call, CUPTI_CB_DOMAIN_DRIVER_API);
      return;
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
      add_pages (data);
      return;
    case CUPTI_ACTIVITY_KIND_MARKER:
      add_range (data);
      return;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      record = (MemlaneRecord) { .type = MEMLANE_RECORD_COPY, .way = memlane_cupti_way_of (copy->copyKind),
                                 .source = memlane_cupti_memory_of (copy->srcKind),
                                 .destination = memlane_cupti_memory_of (copy->dstKind), .correlation = copy->correlationId,
                                 .start = copy->start, .end = copy->end, .bytes = copy->bytes, .stream = copy->streamId,
                                 .count = (copy->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0 };
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      record = (MemlaneRecord) { .type = MEMLANE_RECORD_COPY, .way = MEMLANE_TRACE_WAY_TO_PEER, .source = MEMLANE_TRACE_MEMORY_DEVICE,
                                 .destination = MEMLANE_TRACE_MEMORY_PEER, .correlation = peer->correlationId, .start = peer->start,
                                 .end = peer->end, .bytes = peer->bytes, .stream = peer->streamId, .count = 1 };
      break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
      record = (MemlaneRecord) { .type = MEMLANE_RECORD_MEMSET, .destination = memlane_cupti_memory_of ((uint8_t) set->memoryKind),
                                 .bytes = set->bytes, .correlation = set->correlationId, .start = set->start, .end = set->end,
                                 .stream = set->streamId };
      break;
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      record = (MemlaneRecord) { .type = MEMLANE_RECORD_KERNEL, .correlation = kernel->correlationId, .start = kernel->start,
                                 .end = kernel->end, .stream = kernel->streamId, .name = number_of (kernel->name) };
      break;
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      record = (MemlaneRecord) { .type = MEMLANE_RECORD_SYNCHRONISATION, .correlation = wait->correlationId, .start = wait->start,
                                 .end = wait->end, .stream = wait->streamId,
                                 .count = wait->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT };
      break;
    default:
      return;
    }
  append (&records, &record, NULL);
}

static void CUPTIAPI
on_buffer_requested (uint8_t **buffer, size_t *size, size_t *most_records)
{
  struct timespec limit;

  *most_records = 0;
  *buffer = NULL;
  *size = 0;
  pthread_mutex_lock (&pool_lock);
  clock_gettime (CLOCK_REALTIME, &limit);
  limit.tv_nsec += LONGEST_WAIT_MS * 1000000L;
  limit.tv_sec += limit.tv_nsec / 1000000000L;
  limit.tv_nsec %= 1000000000L;
  while (n_pooled == 0 && n_made == MOST_BUFFERS)
    if (pthread_cond_timedwait (&pool_change, &pool_lock, &limit) != 0)
      break;
  if (n_pooled > 0)
    *buffer = pool[--n_pooled];
  else if (n_made < MOST_BUFFERS && (*buffer = aligned_alloc (8, BUFFER_BYTES)) != NULL)
    n_made++;
  pthread_mutex_unlock (&pool_lock);
  *size = *buffer != NULL ? BUFFER_BYTES : 0;
}

static void CUPTIAPI
on_buffer_completed (CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
  CUpti_Activity *activity = NULL;
  size_t dropped = 0;

  (void) size;
  pthread_mutex_lock (&records.lock);
  while (valid > 0 && cupti.cuptiActivityGetNextRecord (buffer, valid, &activity) == CUPTI_SUCCESS)
    add (activity);
  if (cupti.cuptiActivityGetNumDroppedRecords (context, stream, &dropped) == CUPTI_SUCCESS)
    lost += dropped;
  write_out (&records);
  pthread_mutex_lock (&program.lock);
  memcpy (records.bytes, program.bytes, records.filled = program.filled);
  program.filled = 0;
  pthread_mutex_unlock (&program.lock);
  write_out (&records);
  pthread_mutex_unlock (&records.lock);
  pthread_mutex_lock (&pool_lock);
  pool[n_pooled++] = buffer;
  pthread_cond_signal (&pool_change);
  pthread_mutex_unlock (&pool_lock);
}

/* --- the program's own calls -------------------------------------------------------------------------------------------------- */

/* A hash of some of the host's memory that a copy is about to read. 0: it cannot be read. */
static uint64_t
hash_of (const void *memory, size_t bytes)
{
  uint64_t hash = UINT64_C (14695981039346656037), word = 0;
  size_t words = bytes / 8, step = words > HASHED_WORDS ? words / HASHED_WORDS : 1;
  char ends[2];
  const struct iovec into = { ends, 2 };
  const struct iovec from[2] = { { (void *) memory, 1 }, { (char *) memory + bytes - 1, 1 } };

  if (bytes == 0 || process_vm_readv (getpid (), &into, 1, from, 2, 0) != 2)
    return 0;
  for (size_t i = 0; i < words; i += step)
    {
      memcpy (&word, (const char *) memory + 8 * i, 8);
      hash = (hash ^ word) * UINT64_C (1099511628211);
      hash ^= hash >> 29;
    }
  memcpy (&word, (const char *) memory + (bytes > 8 ? bytes - 8 : 0), bytes > 8 ? 8 : bytes);
  return ((hash ^ word) * UINT64_C (1099511628211)) | 1;
}

/* @memory: the host's, NULL for an allocation; @is_read: by the copy. */
static void
add_place (const CUpti_CallbackData *data, const void *memory, size_t bytes, bool is_read)
{
  MemlaneRecord record = { .type = MEMLANE_RECORD_PLACE, .correlation = data->correlationId, .bytes = bytes,
                           .address = (uint64_t) (uintptr_t) memory, .hash = is_read ? hash_of (memory, bytes) : 0 };

  char text[SITE_BYTES];

  record.name = number_of_site (text, sizeof text);
  pthread_mutex_lock (&program.lock);
  if (text[0] != '\0')
    append_text (&program, MEMLANE_RECORD_SITE, record.name, text);
  append (&program, &record, NULL);
  pthread_mutex_unlock (&program.lock);
}

/* Names the GPU of the calling thread's context, once for each context. */
static void
add_device (uint32_t context)
{
  static uint64_t known; /* a bit for each context, or several */
  void *driver = NULL;
  __typeof__ (&cuCtxGetDevice) get_device;
  __typeof__ (&cuDeviceGetName) get_name;
  char name[256] = "";
  CUdevice device;

  if (context == 0 || (__atomic_fetch_or (&known, UINT64_C (1) << context % 64, __ATOMIC_RELAXED) >> context % 64 & 1) != 0)
    return;
  driver = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD); /* it has loaded us */
  get_device = driver != NULL ? (__typeof__ (get_device)) dlsym (driver, "cuCtxGetDevice") : NULL;
  get_name = driver != NULL ? (__typeof__ (get_name)) dlsym (driver, "cuDeviceGetName") : NULL;
  if (get_device == NULL || get_name == NULL || get_device (&device) != CUDA_SUCCESS
      || get_name (name, sizeof name - 1, device) != CUDA_SUCCESS)
    return;
  pthread_mutex_lock (&program.lock);
  append_text (&program, MEMLANE_RECORD_DEVICE, 0, name);
  pthread_mutex_unlock (&program.lock);
}

typedef enum
{
  COPIES,    /* in the way that it says: cudaMemcpy_v3020_params and what begins like it */
  READS,     /* the host's memory */
  WRITES,    /* or only names it */
  ALLOCATES,
} Use;

#define CALL(domain, api, name, use, memory, bytes) \
  { CUPTI_CB_DOMAIN_##domain, CUPTI_##api##_TRACE_CBID_##name, use, offsetof (name##_params, memory), offsetof (name##_params, bytes) }
#define RUNTIME(name, use, memory, bytes) CALL (RUNTIME_API, RUNTIME, name, use, memory, bytes)
#define DRIVER(name, use, memory, bytes) CALL (DRIVER_API, DRIVER, name, use, memory, bytes)

/* The calls whose place is kept, and where their parameters have the host's memory and the number of bytes. */
static const struct
{
  CUpti_CallbackDomain domain;
  CUpti_CallbackId call;
  Use use;
  size_t memory, bytes;
} watched[] = {
  RUNTIME (cudaMemcpy_v3020, COPIES, dst, count), RUNTIME (cudaMemcpy_ptds_v7000, COPIES, dst, count),
  RUNTIME (cudaMemcpyAsync_v3020, COPIES, dst, count), RUNTIME (cudaMemcpyAsync_ptsz_v7000, COPIES, dst, count),
  RUNTIME (cudaMalloc_v3020, ALLOCATES, size, size), RUNTIME (cudaMallocHost_v3020, ALLOCATES, size, size),
  RUNTIME (cudaHostAlloc_v3020, ALLOCATES, size, size), RUNTIME (cudaMallocManaged_v6000, ALLOCATES, size, size),
  RUNTIME (cudaMallocAsync_v11020, ALLOCATES, size, size), RUNTIME (cudaMallocAsync_ptsz_v11020, ALLOCATES, size, size),
  RUNTIME (cudaHostRegister_v4000, WRITES, ptr, size),
  DRIVER (cuMemcpyHtoD_v2, READS, srcHost, ByteCount), DRIVER (cuMemcpyHtoDAsync_v2, READS, srcHost, ByteCount),
  DRIVER (cuMemcpyDtoH_v2, WRITES, dstHost, ByteCount), DRIVER (cuMemcpyDtoHAsync_v2, WRITES, dstHost, ByteCount),
  DRIVER (cuMemAlloc_v2, ALLOCATES, bytesize, bytesize), DRIVER (cuMemAllocHost_v2, ALLOCATES, bytesize, bytesize),
  DRIVER (cuMemHostAlloc, ALLOCATES, bytesize, bytesize), DRIVER (cuMemHostRegister_v2, WRITES, p, bytesize),
};
#define N_WATCHED (sizeof watched / sizeof *watched)

static void
add_watched (unsigned which, const CUpti_CallbackData *data)
{
  const char *parameters = data->functionParams;
  const cudaMemcpy_v3020_params *copy = data->functionParams;
  Use use = watched[which].use;
  void *memory = NULL;
  size_t bytes;

  memcpy (&bytes, parameters + watched[which].bytes, sizeof bytes);
  if (use == COPIES)
    memory = copy->kind == cudaMemcpyHostToDevice ? (void *) copy->src : copy->kind == cudaMemcpyDeviceToHost ? copy->dst : NULL;
  else if (use != ALLOCATES)
    memcpy (&memory, parameters + watched[which].memory, sizeof memory);
  add_place (data, memory, bytes, use == READS || (use == COPIES && copy->kind == cudaMemcpyHostToDevice));
}

/* A call of the runtime makes calls of the driver, which tell the same again. */
static __thread bool is_in_runtime;

static void CUPTIAPI
on_call (void *user_data, CUpti_CallbackDomain domain, CUpti_CallbackId call, const void *raw)
{
  const CUpti_CallbackData *data = raw;
  bool is_enter = data->callbackSite == CUPTI_API_ENTER;

  (void) user_data;
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API)
    is_in_runtime = is_enter;
  else if (is_in_runtime)
    return;
  if (__atomic_load_n (&is_over, __ATOMIC_RELAXED))
    return;
  if (!is_enter)
    add_device (data->contextUid); /* the first call has made the context by now */
  for (unsigned i = 0; is_enter && i < N_WATCHED; i++)
    if (watched[i].domain == domain && watched[i].call == call)
      add_watched (i, data);
}

static void
watch_calls (void)
{
  CUpti_SubscriberHandle subscriber;
  CUptiResult result = cupti.cuptiSubscribe (&subscriber, on_call, NULL);
  const char *why = NULL;

  if (result != CUPTI_SUCCESS)
    {
      cupti.cuptiGetResultString (result, &why);
      note ("the places of the calls are not known: cuptiSubscribe: %s", why != NULL ? why : "unknown error");
      return;
    }
  for (unsigned i = 0; i < N_WATCHED; i++)
    cupti.cuptiEnableCallback (1, subscriber, watched[i].domain, watched[i].call);
}

/* --- beginning and end ------------------------------------------------------------------------------------------------------------ */

static const CUpti_ActivityKind activities[] = {
  CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
  CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
  CUPTI_ACTIVITY_KIND_MARKER,
};

static void
finish (void)
{
  MemlaneRecord record = { .type = MEMLANE_RECORD_END };

  if (__atomic_exchange_n (&is_over, true, __ATOMIC_RELAXED))
    return;
  cupti.cuptiActivityFlushAll (0);
  cupti.cuptiActivityFlushAll (CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  for (unsigned i = 0; i < sizeof activities / sizeof *activities; i++)
    cupti.cuptiActivityDisable (activities[i]);
  pthread_mutex_lock (&records.lock);
  pthread_mutex_lock (&program.lock);
  write_out (&program);
  if (lost > 0)
    append (&records, &(MemlaneRecord) { .type = MEMLANE_RECORD_DROPPED, .bytes = lost }, NULL);
  cupti.cuptiGetTimestamp (&record.start);
  append (&records, &record, NULL);
  write_out (&records);
  if (file >= 0)
    close (file);
  file = -1;
  pthread_mutex_unlock (&program.lock);
  pthread_mutex_unlock (&records.lock);
}

static void *
end_after (void *seconds)
{
  time_t whole = (time_t) *(double *) seconds;
  struct timespec left = { whole, (long) ((*(double *) seconds - (double) whole) * 1e9) };

  while (nanosleep (&left, &left) != 0 && errno == EINTR)
    ;
  finish ();
  return NULL;
}

static bool
open_cupti (void)
{
  const char *asked = getenv ("MEMLANE_CUPTI");
  const char *const places[] = { "libcupti.so.13", "libcupti.so.12", MEMLANE_CUPTI_FOLDER "/libcupti.so",
                                 "/usr/local/cuda/lib64/libcupti.so", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so", "libcupti.so" };
  void *library = asked != NULL ? dlopen (asked, RTLD_NOW | RTLD_LOCAL) : NULL;
  const char *missing = NULL;
  uint32_t version = 0;

  for (unsigned i = 0; asked == NULL && library == NULL && i < sizeof places / sizeof *places; i++)
    library = dlopen (places[i], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    {
      note ("CUPTI (%s) cannot be opened; install the CUDA toolkit's package cuda-cupti, or name the library in MEMLANE_CUPTI",
            asked != NULL ? asked : "libcupti.so.13 or .12");
      return false;
    }
#define X(name) \
  cupti.name = (__typeof__ (&name)) dlsym (library, #name); \
  missing = cupti.name == NULL ? #name : missing;
  OPTIONAL_FUNCTIONS (X)
  missing = NULL;
  FUNCTIONS (X)
#undef X
  if (missing != NULL)
    note ("CUPTI has no %s: it is too old", missing);
  else if (cupti.cuptiGetVersion (&version) == CUPTI_SUCCESS && version != CUPTI_WITHOUT_NVTX)
    begin_nvtx = (__typeof__ (begin_nvtx)) dlsym (library, "InitializeInjectionNvtx2");
  return missing == NULL;
}

static bool
enable (void)
{
  const char *why = "unknown error";
  CUptiResult result = cupti.cuptiActivityRegisterCallbacks (on_buffer_requested, on_buffer_completed);

  for (unsigned i = 0; result == CUPTI_SUCCESS && i < sizeof activities / sizeof *activities; i++)
    if ((result = cupti.cuptiActivityEnable (activities[i])) != CUPTI_SUCCESS && i > 3)
      result = CUPTI_SUCCESS; /* the later ones are not needed */
  if (result == CUPTI_SUCCESS)
    return true;
  cupti.cuptiGetResultString (result, &why);
  note ("CUPTI refuses to record: %s%s", why,
        (int) result == 39 || (int) result == 12 ? "; another profiler uses it: run without nsys, ncu or the like"
        : (int) result == 35 ? "; tracing is for the administrator alone here: run as root" : "");
  return false;
}

/* Before the first context, or they stay silent. A GPU that has none is no trouble. */
static void
count_pages (void)
{
  CUpti_ActivityUnifiedMemoryCounterConfig configs[4];
  static const CUpti_ActivityUnifiedMemoryCounterKind kinds[4] = {
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
  };

  for (unsigned i = 0; i < 4; i++)
    configs[i] = (CUpti_ActivityUnifiedMemoryCounterConfig) {
      .scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE, .kind = kinds[i], .enable = 1,
    };
  if (cupti.cuptiActivityConfigureUnifiedMemoryCounter == NULL
      || cupti.cuptiActivityConfigureUnifiedMemoryCounter (configs, 4) != CUPTI_SUCCESS
      || cupti.cuptiActivityEnable (CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) != CUPTI_SUCCESS)
    note ("page faults and migrations of managed memory are not known: CUPTI has no counters for this device");
}

/* The driver's contract: libcuda calls it while CUDA starts. 1: all is well; so it is, whatever happens here. */
__attribute__ ((visibility ("default"))) int InitializeInjection (void);

int
InitializeInjection (void)
{
  static double seconds;
  const char *path = getenv (MEMLANE_RECORD_FILE), *limit = getenv (MEMLANE_RECORD_SECONDS);
  MemlaneRecord header = { .type = MEMLANE_RECORD_HEADER, .address = MEMLANE_RECORD_MAGIC, .thread = (uint32_t) getpid () };
  char name[4096];
  void *frame;
  pthread_t thread;

  if (path == NULL || file >= 0)
    return 1;
  snprintf (name, sizeof name, "%s.%ld", path, (long) getpid ());
  file = open (name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return 1;
  records.filled = 0; /* what NVTX has found missing is found again */
  append (&records, &header, NULL);
  write_out (&records); /* it comes before what other threads write */
  backtrace (&frame, 1); /* its first call loads a library */
  if (!open_cupti () || (watch_calls (), !enable ()))
    {
      write_out (&records);
      is_over = true;
      return 1;
    }
  count_pages ();
  if (cupti.cuptiActivityFlushPeriod != NULL)
    cupti.cuptiActivityFlushPeriod (FLUSH_MS);
  pthread_mutex_lock (&records.lock);
  write_out (&records);
  pthread_mutex_unlock (&records.lock);
  atexit (finish);
  at_quick_exit (finish);
  if (limit != NULL && (seconds = strtod (limit, NULL)) > 0 && pthread_create (&thread, NULL, end_after, &seconds) == 0)
    pthread_detach (thread);
  return 1;
}

/* NVTX calls it at the first range, which may come before CUDA; that stays as it is, for a program may fork first. Ranges become CUPTI's
 * markers from the first call of CUDA on. 0: there are none. */
__attribute__ ((visibility ("default"))) int InitializeInjectionNvtx2 (void *functions);

int
InitializeInjectionNvtx2 (void *functions)
{
  return getenv (MEMLANE_RECORD_FILE) != NULL && open_cupti () && begin_nvtx != NULL ? begin_nvtx (functions) : 0;
}
