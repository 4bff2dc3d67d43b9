/* recorder.c: memlane-recorder.so, which writes down what somebody else's program does with CUDA
 *
 * SPDX-License-Identifier: MIT
 *
 * libcuda loads it into every process that starts with CUDA_INJECTION64_PATH, and calls
 * InitializeInjection() once. It links nothing but the C library; CUPTI is opened at run time. It
 * never prints, never ends the program and takes at most MOST_BUFFERS buffers of CUPTI and two of
 * its own. It writes a note into its file on all that it cannot do. See trace/record.h for the
 * file.
 *
 * CUPTI completes buffers on a thread of its own, which turns them into records. The program's
 * threads wait only when all buffers are on the way to the file; a wait that lasts too long is
 * counted as lost records by CUPTI.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <cuda_runtime_api.h>
#include <cupti.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "trace/record.h"
#include "trace/trace.h" /* its enums */
#include "cupti-records.h" /* the records' types */
#include "recorder.h"

#define BUFFER_BYTES (1 << 20)
#define MOST_BUFFERS 48
#define OWN_BYTES (1 << 18)
#define LONGEST_WAIT_MS 200
#define FLUSH_MS 500
/* a signal that ends the program waits so long for the last records */
#define LONGEST_END_MS 1000
#define MOST_FILE_BYTES ((uint64_t) 1 << 30)
#define SITE_BYTES 4096
#define MOST_MARKS 8          /* of Python's frames */
#define MOST_SITES 4096       /* a power of two, as the next */
#define MOST_NAMES 8192
#define MOST_CALLS 4096       /* numbers of calls, of either kind */
#define MOST_TEXT 4096
#define CUPTI_WITHOUT_NVTX 130000 /* its naming of threads ends the program: NVIDIA/NVTX#125 */
#define MOST_WORDS 64           /* of the memory that a copy reads, as a sample */
#define BYTES_A_WORD 4096
#define LEAST_HASHED (64 << 10) /* bytes: what is smaller costs its call, and is not worth a look */
#define PAGE_BYTES 4096
#define MOST_PAGES 1024         /* that the kernel looks at in one call */
#define MOST_BUFFERS_SEEN 4096  /* a power of two */
/* all bytes of a copy are read again after so many times what that took */
#define CHECK_PAUSE 9

#define FUNCTIONS(X)                                                                               \
  X (cuptiActivityEnable)                                                                          \
  X (cuptiActivityDisable) X (cuptiActivityFlushAll) X (cuptiActivityGetNextRecord)                \
      X (cuptiActivityGetNumDroppedRecords) X (cuptiActivityRegisterCallbacks)                     \
          X (cuptiGetResultString) X (cuptiGetTimestamp) X (cuptiGetCallbackName)                  \
              X (cuptiSubscribe) X (cuptiEnableCallback) X (cuptiGetVersion)
#define OPTIONAL_FUNCTIONS(X)                                                                      \
  X (cuptiActivityConfigureUnifiedMemoryCounter) X (cuptiActivitySetAttribute)

static struct
{
#define X(name) __typeof__ (&name) name;
  FUNCTIONS (X)
  OPTIONAL_FUNCTIONS (X)
#undef X
} cupti;
static int (*begin_nvtx) (void *functions); /* CUPTI's, which no header declares */

/* A buffer holds whole records until they go to the file. The program's calls and CUPTI's records
 * do not wait for each other; who takes both locks takes CUPTI's first. */
typedef struct
{
  pthread_mutex_t lock;
  size_t filled;
  char bytes[OWN_BYTES];
} Out;

static Out program = { .lock = PTHREAD_MUTEX_INITIALIZER },
           records = { .lock = PTHREAD_MUTEX_INITIALIZER };
static int file = -1;
static bool is_full; /* the disk, or the share of it that is ours: what is there stays */
static uint64_t lost, written;
static pid_t owner; /* the process that is recorded: a child of it is not */
static bool is_trial;
static sem_t wake;
static int asked_to_end; /* by a signal */

/* Texts that have a number, by what they stand for. */
static const void *names[MOST_NAMES];
static uint32_t name_numbers[MOST_NAMES], n_names;
static uint64_t sites[MOST_SITES];
static uint32_t n_sites;
/* Calls of the runtime and of the driver by CUPTI's number; NULL: of no interest. */
static const char *calls[2][MOST_CALLS];

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pool_change = PTHREAD_COND_INITIALIZER;
static uint8_t *pool[MOST_BUFFERS];
static unsigned n_pooled, n_made;
static bool is_over;

/* --- the file --------------------------------------------------------------------------------- */

static void
write_out (Out *out)
{
  size_t done = 0;

  while (file >= 0 && !__atomic_load_n (&is_full, __ATOMIC_RELAXED) && done < out->filled)
    {
      ssize_t n = write (file, out->bytes + done, out->filled - done);

      if (n > 0)
        done += (size_t) n;
      if (n <= 0 || __atomic_add_fetch (&written, (uint64_t) n, __ATOMIC_RELAXED) > MOST_FILE_BYTES)
        __atomic_store_n (&is_full, true, __ATOMIC_RELAXED);
    }
  out->filled = 0;
}

/* Writes what there is; records.lock is held. The program waits for a copy in memory, not for the
 * file. */
static void
write_both (void)
{
  write_out (&records);
  pthread_mutex_lock (&program.lock);
  memcpy (records.bytes, program.bytes, records.filled = program.filled);
  program.filled = 0;
  pthread_mutex_unlock (&program.lock);
  write_out (&records);
}

static void
append (Out *out, const MemlaneRecord *record, const char *text)
{
  size_t length = text != NULL
                      ? (record->bytes + sizeof *record - 1) / sizeof *record * sizeof *record
                      : 0;

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
  MemlaneRecord record = { .type = type,
                           .name = name,
                           .bytes = length < MOST_TEXT ? length : MOST_TEXT };

  append (out, &record, text);
}

void
memlane_recorder_note (const char *format, ...)
{
  char text[512];
  va_list arguments;

  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  append_text (&records, MEMLANE_RECORD_NOTE, 0, text);
}

/* --- texts with a number ---------------------------------------------------------------------- */

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
  static const char *const dull[] = { "GetLastError",
                                      "PeekAtLastError",
                                      "CallConfiguration",
                                      "GetDevice",
                                      "SetDevice",
                                      "GetAttribute",
                                      "GetProperties",
                                      "Occupancy",
                                      "GetProcAddress",
                                      "Query",
                                      "CtxGet",
                                      "CtxSet",
                                      "DevicePrimary",
                                      "IsCapturing",
                                      "PointerGet",
                                      "GetCaptureInfo",
                                      "Init",
                                      "DriverGet" };
  static const char *const driver[] = { "cuMem",       "cuLaunch",  "cuStreamSync", "cuStreamWait",
                                        "cuEventSync", "cuCtxSync", "cuGraphLaunch" };

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

/* Names the calls of interest. CUPTI could leave the others out: count-calls took as long then. */
static void
name_calls (void)
{
  static const CUpti_CallbackDomain domains[] = {
    CUPTI_CB_DOMAIN_RUNTIME_API,
    CUPTI_CB_DOMAIN_DRIVER_API,
  };

  for (unsigned i = 0; i < 2; i++)
    for (uint32_t call = 1; call < MOST_CALLS; call++)
      {
        const char *name = NULL;

        if (cupti.cuptiGetCallbackName (domains[i], call, &name) == CUPTI_SUCCESS && name != NULL
            && is_interesting (name))
          calls[i][call] = name;
      }
}

/* The number of the place that calls us, and its @text if it is a new one. The lock is not held:
 * the loader has locks of its own, and may be what called CUDA. */
static uint32_t
number_of_site (char *text, size_t most)
{
  void *frames[MEMLANE_SITE_FRAMES + MOST_MARKS];
  unsigned n = memlane_site_find (frames), n_marks = memlane_python_find (frames + n, MOST_MARKS);
  uint64_t key = XXH3_64bits (frames, (n + n_marks) * sizeof *frames) | 1;
  size_t length, at;
  bool is_new = false;

  text[0] = '\0';
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
    {
      length = memlane_python_describe (text, most);
      memlane_site_describe (frames, n, text + length, most - length);
    }
  return sites[at] == key ? (uint32_t) at + 1 : 0;
}

/* --- CUPTI's records -------------------------------------------------------------------------- */

static void
add_call (const CUpti_ActivityAPI *call)
{
  const bool is_driver = call->kind == CUPTI_ACTIVITY_KIND_DRIVER;
  const char *name = call->cbid < MOST_CALLS ? calls[is_driver][call->cbid] : NULL;
  MemlaneRecord record = { .type = MEMLANE_RECORD_CALL,
                           .correlation = call->correlationId,
                           .start = call->start,
                           .end = call->end,
                           .thread = call->threadId,
                           .count = call->returnValue != 0 };

  if (name == NULL)
    return;
  record.name = number_of (name);
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
    append (&records,
            &(MemlaneRecord) { .type = MEMLANE_RECORD_RANGE,
                              .correlation = marker->id,
                              .start = marker->timestamp,
                              .count = is_start ? 1 : 2,
                              .bytes = length < MOST_TEXT ? length : MOST_TEXT },
            name);
}

static void
add (const CUpti_Activity *activity)
{
  const void *data = activity;
  MemlaneRecord record;
  const char *name;

  if (activity->kind == CUPTI_ACTIVITY_KIND_RUNTIME || activity->kind == CUPTI_ACTIVITY_KIND_DRIVER)
    add_call (data);
  else if (activity->kind == CUPTI_ACTIVITY_KIND_MARKER)
    add_range (data);
  else if (memlane_cupti_read (activity, &record, &name))
    {
      record.name = number_of (name);
      append (&records, &record, NULL);
    }
}

/* Returns the time in @ms ms, until which a thread waits. */
static struct timespec
time_in (long ms)
{
  struct timespec time;

  clock_gettime (CLOCK_REALTIME, &time);
  time.tv_nsec += ms * 1000000L;
  time.tv_sec += time.tv_nsec / 1000000000L;
  time.tv_nsec %= 1000000000L;
  return time;
}

static void CUPTIAPI
on_buffer_requested (uint8_t **buffer, size_t *size, size_t *most_records)
{
  const struct timespec limit = time_in (LONGEST_WAIT_MS);

  *most_records = 0;
  *buffer = NULL;
  *size = 0;
  pthread_mutex_lock (&pool_lock);
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
  write_both ();
  pthread_mutex_unlock (&records.lock);
  pthread_mutex_lock (&pool_lock);
  pool[n_pooled++] = buffer;
  pthread_cond_signal (&pool_change);
  pthread_mutex_unlock (&pool_lock);
}

/* --- the program's own calls ------------------------------------------------------------------ */

/* Reads the program's memory. A hole in it is an error, not a fault. */
static bool
read_memory (const struct iovec *from, unsigned n, void *into, size_t bytes)
{
  const struct iovec to = { into, bytes };

  return process_vm_readv (getpid (), &to, 1, from, n, 0) == (ssize_t) bytes;
}

/* A hash of some words of the host's memory that a copy is about to read. 0: it cannot be read. */
static uint64_t
hash_of_sample (const char *memory, size_t bytes)
{
  size_t n = bytes / BYTES_A_WORD + 2, step;
  struct iovec from[MOST_WORDS];
  uint64_t words[MOST_WORDS];

  if (bytes < LEAST_HASHED)
    return 0;
  n = n < MOST_WORDS ? n : MOST_WORDS;
  step = (bytes - sizeof *words) / (n - 1);
  for (size_t i = 0; i < n; i++)
    from[i] = (struct iovec) { (char *) memory + i * step, sizeof *words };
  if (!read_memory (from, (unsigned) n, words, n * sizeof *words))
    return 0;
  return XXH3_64bits (words, n * sizeof *words) | 1;
}

/* The same of all bytes, if each page of them is there. */
static uint64_t
hash_of_all (const char *memory, size_t bytes)
{
  struct iovec from[MOST_PAGES];
  char first[MOST_PAGES];

  for (size_t at = 0; at < bytes;)
    {
      unsigned n = 0;

      for (; n < MOST_PAGES && at < bytes; n++, at += PAGE_BYTES)
        from[n] = (struct iovec) { (char *) memory + at, 1 };
      if (!read_memory (from, n, first, n)
          || !read_memory (&(struct iovec){ (char *) memory + bytes - 1, 1 }, 1, first, 1))
        return 0;
    }
  return XXH3_64bits (memory, bytes) | 1;
}

/* The last copy of a buffer. */
typedef struct
{
  const void *memory;
  size_t bytes;
  uint64_t sample;
} Seen;

/* Describes the bytes that a copy is about to read: hash: of a sample, 0: not known; start: of all
 * of them, 0: not taken. Only a copy that looks like the one before is worth it, and it takes at
 * most a tenth of the program's time. */
static void
hash_memory (MemlaneRecord *record, const void *memory, size_t bytes)
{
  static Seen seen[MOST_BUFFERS_SEEN];
  static uint64_t next_check;
  Seen *last = &seen[((uintptr_t) memory >> 4) * UINT64_C (0x9e3779b97f4a7c15) >> 52];
  Seen one = { memory, bytes, hash_of_sample (memory, bytes) };
  uint64_t begin = memlane_recorder_now (), end;
  bool is_due;

  record->hash = one.sample;
  pthread_mutex_lock (&program.lock);
  is_due = one.sample != 0 && last->memory == memory && last->bytes == bytes
           && last->sample == one.sample
           && begin >= __atomic_load_n (&next_check, __ATOMIC_RELAXED);
  *last = one;
  pthread_mutex_unlock (&program.lock);
  if (!is_due)
    return;
  record->start = hash_of_all (memory, bytes);
  end = memlane_recorder_now ();
  __atomic_store_n (&next_check, end + CHECK_PAUSE * (end - begin), __ATOMIC_RELAXED);
}

/* @memory: the host's, NULL for an allocation; @is_read: by the copy. */
static void
add_place (const CUpti_CallbackData *data, const void *memory, size_t bytes, bool is_read)
{
  MemlaneRecord record = { .type = MEMLANE_RECORD_PLACE,
                           .correlation = data->correlationId,
                           .bytes = bytes,
                           .address = (uint64_t) (uintptr_t) memory };
  char text[SITE_BYTES];

  if (is_read && memory != NULL)
    hash_memory (&record, memory, bytes);
  record.name = number_of_site (text, sizeof text);
  pthread_mutex_lock (&program.lock);
  if (text[0] != '\0')
    append_text (&program, MEMLANE_RECORD_SITE, record.name, text);
  append (&program, &record, NULL);
  pthread_mutex_unlock (&program.lock);
}

void *
memlane_recorder_driver (const char *name)
{
  void *library = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD); /* it has loaded us */

  return library != NULL ? dlsym (library, name) : NULL;
}

uint64_t
memlane_recorder_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

/* Names the GPU of the calling thread's context, once for each context. */
static void
add_device (uint32_t context)
{
  static uint64_t known; /* a bit for each context, or several */
  __typeof__ (&cuCtxGetDevice) get_device;
  __typeof__ (&cuDeviceGetName) get_name;
  char name[256] = "";
  CUdevice device;

  if (context == 0
      || (__atomic_fetch_or (&known, UINT64_C (1) << context % 64, __ATOMIC_RELAXED) >> context % 64
          & 1)
             != 0)
    return;
  get_device = (__typeof__ (get_device)) memlane_recorder_driver ("cuCtxGetDevice");
  get_name = (__typeof__ (get_name)) memlane_recorder_driver ("cuDeviceGetName");
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

#define CALL(domain, api, name, use, memory, bytes)                                                \
  { CUPTI_CB_DOMAIN_##domain, CUPTI_##api##_TRACE_CBID_##name, use,                                \
    offsetof (name##_params, memory), offsetof (name##_params, bytes) }
#define RUNTIME(name, use, memory, bytes) CALL (RUNTIME_API, RUNTIME, name, use, memory, bytes)
#define DRIVER(name, use, memory, bytes) CALL (DRIVER_API, DRIVER, name, use, memory, bytes)

/* The calls whose place is kept, and where their parameters have the host's memory and the number
 * of bytes. */
static const struct
{
  CUpti_CallbackDomain domain;
  CUpti_CallbackId call;
  Use use;
  size_t memory, bytes;
} watched[] = {
  RUNTIME (cudaMemcpy_v3020, COPIES, dst, count),
  RUNTIME (cudaMemcpy_ptds_v7000, COPIES, dst, count),
  RUNTIME (cudaMemcpyAsync_v3020, COPIES, dst, count),
  RUNTIME (cudaMemcpyAsync_ptsz_v7000, COPIES, dst, count),
  RUNTIME (cudaMalloc_v3020, ALLOCATES, size, size),
  RUNTIME (cudaMallocHost_v3020, ALLOCATES, size, size),
  RUNTIME (cudaHostAlloc_v3020, ALLOCATES, size, size),
  RUNTIME (cudaMallocManaged_v6000, ALLOCATES, size, size),
  RUNTIME (cudaMallocAsync_v11020, ALLOCATES, size, size),
  RUNTIME (cudaMallocAsync_ptsz_v11020, ALLOCATES, size, size),
  RUNTIME (cudaHostRegister_v4000, WRITES, ptr, size),
  DRIVER (cuMemcpyHtoD_v2, READS, srcHost, ByteCount),
  DRIVER (cuMemcpyHtoDAsync_v2, READS, srcHost, ByteCount),
  DRIVER (cuMemcpyDtoH_v2, WRITES, dstHost, ByteCount),
  DRIVER (cuMemcpyDtoHAsync_v2, WRITES, dstHost, ByteCount),
  DRIVER (cuMemAlloc_v2, ALLOCATES, bytesize, bytesize),
  DRIVER (cuMemAllocHost_v2, ALLOCATES, bytesize, bytesize),
  DRIVER (cuMemHostAlloc, ALLOCATES, bytesize, bytesize),
  DRIVER (cuMemHostRegister_v2, WRITES, p, bytesize),
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
    memory = copy->kind == cudaMemcpyHostToDevice   ? (void *) copy->src
             : copy->kind == cudaMemcpyDeviceToHost ? copy->dst
                                                    : NULL;
  else if (use != ALLOCATES)
    memcpy (&memory, parameters + watched[which].memory, sizeof memory);
  add_place (data, memory, bytes,
             use == READS || (use == COPIES && copy->kind == cudaMemcpyHostToDevice));
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

/* A callback of dl_iterate_phdr(), which ends with the first library that is @name. */
static int
is_loaded (struct dl_phdr_info *info, size_t size, void *name)
{
  (void) size;
  return strstr (info->dlpi_name, name) != NULL;
}

/* Names the profiler that has CUPTI. Nsight loads its library for this. PyTorch's is in every
 * program that uses PyTorch, so it alone is a guess. */
static const char *
guess_profiler (void)
{
  static const char *const known[][2] = {
    { "/libToolsInjection", "Nsight Systems" },
    { "/libcuda-injection", "Nsight Compute" },
    { "/libtorch_cpu.so", "another profiler, perhaps PyTorch's" },
  };

  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (dl_iterate_phdr (is_loaded, (void *) known[i][0]) != 0)
      return known[i][1];
  return "another profiler";
}

/* Says what CUPTI refuses, and who uses it where it is taken. */
static void
note_refusal (const char *what, CUptiResult result)
{
  const char *why = "unknown error";
  bool is_taken = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
                  || result == CUPTI_ERROR_MAX_LIMIT_REACHED;

  cupti.cuptiGetResultString (result, &why);
  memlane_recorder_note ("%s: %s%s%s%s", what, why, is_taken ? "; it is used by " : "",
                         is_taken ? guess_profiler () : "",
                         is_taken ? ": run without it"
                         : result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
                             ? "; tracing is for the administrator alone here: run as root" : "");
}

static void
watch_calls (void)
{
  CUpti_SubscriberHandle subscriber;
  CUptiResult result = cupti.cuptiSubscribe (&subscriber,
                                             is_trial ? memlane_trial_on_call : on_call, NULL);

  if (result != CUPTI_SUCCESS)
    {
      note_refusal (is_trial ? "nothing was changed: cuptiSubscribe"
                             : "the places of the calls are not known: cuptiSubscribe", result);
      return;
    }
  if (is_trial)
    memlane_trial_watch (cupti.cuptiEnableCallback, subscriber);
  for (unsigned i = 0; !is_trial && i < N_WATCHED; i++)
    cupti.cuptiEnableCallback (1, subscriber, watched[i].domain, watched[i].call);
}

/* --- beginning and end ------------------------------------------------------------------------ */

static const CUpti_ActivityKind activities[] = {
  CUPTI_ACTIVITY_KIND_MEMCPY,          CUPTI_ACTIVITY_KIND_MEMCPY2,
  CUPTI_ACTIVITY_KIND_MEMSET,          CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
  CUPTI_ACTIVITY_KIND_RUNTIME,         CUPTI_ACTIVITY_KIND_DRIVER,
  CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_MARKER,
};

/* The share of the disk is used up, but for this note. */
static void
note_full (void)
{
  written = 0;
  is_full = false;
  memlane_recorder_note (
      "the recording was full after %d MiB: what came later is missing; record a "
      "part of the program with --for SECONDS",
      (int) (MOST_FILE_BYTES >> 20));
}

static void
finish (void)
{
  MemlaneRecord record = { .type = MEMLANE_RECORD_END };

  if (getpid () != owner || __atomic_exchange_n (&is_over, true, __ATOMIC_RELAXED))
    return;
  if (!is_trial)
    {
      cupti.cuptiActivityFlushAll (0);
      cupti.cuptiActivityFlushAll (CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    }
  for (unsigned i = 0; !is_trial && i < sizeof activities / sizeof *activities; i++)
    cupti.cuptiActivityDisable (activities[i]);
  pthread_mutex_lock (&records.lock);
  write_both ();
  if (__atomic_load_n (&written, __ATOMIC_RELAXED) > MOST_FILE_BYTES)
    note_full ();
  if (lost > 0)
    append (&records, &(MemlaneRecord) { .type = MEMLANE_RECORD_DROPPED, .bytes = lost }, NULL);
  if (is_trial)
    append (&records, &(MemlaneRecord[]) { memlane_trial_sum () }[0], NULL);
  cupti.cuptiGetTimestamp (&record.start);
  append (&records, &record, NULL);
  write_out (&records);
  pthread_mutex_lock (&program.lock); /* nobody is writing */
  if (file >= 0)
    close (file);
  file = -1;
  pthread_mutex_unlock (&program.lock);
  pthread_mutex_unlock (&records.lock);
}

/* Writes down what there is, as a program may end without a word. CUPTI itself hands out buffers
 * that are full, and no others. */
static void
write_all (void)
{
  cupti.cuptiActivityFlushAll (0);
  pthread_mutex_lock (&records.lock);
  write_both ();
  pthread_mutex_unlock (&records.lock);
}

/* A thread of our own: writes in turn, and ends the recording after @seconds (0: never), or when a
 * signal asks for it. */
static void *
keep (void *seconds)
{
  uint64_t last = memlane_recorder_now () + (uint64_t) (*(double *) seconds * 1e9);

  while (!__atomic_load_n (&is_over, __ATOMIC_RELAXED))
    {
      const struct timespec until = time_in (FLUSH_MS);

      sem_timedwait (&wake, &until);
      if (__atomic_load_n (&asked_to_end, __ATOMIC_RELAXED)
          || (*(double *) seconds > 0 && memlane_recorder_now () >= last))
        finish ();
      else if (!is_trial)
        write_all ();
    }
  return NULL;
}

/* The program is about to end by a signal that it does not handle. The other thread writes; this
 * one only waits, for it may have been anywhere. */
static void
on_signal (int number)
{
  const struct timespec pause = { 0, 2000000 };
  int error = errno;

  if (getpid () == owner)
    {
      __atomic_store_n (&asked_to_end, 1, __ATOMIC_RELAXED);
      sem_post (&wake);
      for (int i = 0; i < LONGEST_END_MS / 2 && __atomic_load_n (&file, __ATOMIC_RELAXED) >= 0; i++)
        nanosleep (&pause, NULL);
    }
  errno = error;
  raise (number); /* its usual effect is back */
}

static void
watch_signals (void)
{
  static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS,
                                 SIGFPE, SIGILL, SIGPIPE, SIGALRM, SIGXCPU };
  struct sigaction ours = { .sa_handler = on_signal,
                            .sa_flags = (int) (SA_RESETHAND | SA_NODEFER) };
  struct sigaction before;

  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
    if (sigaction (signals[i], NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0
        && before.sa_handler == SIG_DFL)
      sigaction (signals[i], &ours, NULL);
}

/* A child goes its own way: CUDA does not work in it, and the parent's records are the parent's. */
static void
on_child (void)
{
  if (file >= 0)
    close (file);
  file = -1;
  is_over = true;
  memlane_trial_forget ();
}

/* Preloaded, these come first: they leave out what atexit() promises. */
__attribute__ ((visibility ("default"), noreturn)) void
_exit (int status)
{
  if (owner != 0)
    finish ();
  for (;;)
    syscall (SYS_exit_group, status);
}

__attribute__ ((visibility ("default"), noreturn)) void
_Exit (int status)
{
  _exit (status);
}

static bool
open_cupti (void)
{
  const char *asked = getenv ("MEMLANE_CUPTI");
  const char *const places[] = { "libcupti.so.13",
                                 "libcupti.so.12",
                                 MEMLANE_CUPTI_FOLDER "/libcupti.so",
                                 "/usr/local/cuda/lib64/libcupti.so",
                                 "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
                                 "libcupti.so" };
  void *library = asked != NULL ? dlopen (asked, RTLD_NOW | RTLD_LOCAL) : NULL;
  const char *missing = NULL;
  uint32_t version = 0;

  for (unsigned i = 0; asked == NULL && library == NULL && i < sizeof places / sizeof *places; i++)
    library = dlopen (places[i], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    {
      memlane_recorder_note (
          "CUPTI (%s) cannot be opened; install the CUDA toolkit's package cuda-cupti, "
          "or name the library in MEMLANE_CUPTI",
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
    memlane_recorder_note ("CUPTI has no %s: it is too old", missing);
  else if (cupti.cuptiGetVersion (&version) == CUPTI_SUCCESS && version != CUPTI_WITHOUT_NVTX)
    begin_nvtx = (__typeof__ (begin_nvtx)) dlsym (library, "InitializeInjectionNvtx2");
  return missing == NULL;
}

/* CUPTI keeps the times of copies and kernels in buffers of the GPU. Its own take 100,000, and it
 * makes three at first. Ours take a million, and it makes one: a program that makes many calls
 * waits less then (figures.md). Why is not known, as it also waits less with smaller ones. */
static void
enlarge_buffers (void)
{
  size_t bytes = 32 << 20, n = 1, size = sizeof bytes;

  if (cupti.cuptiActivitySetAttribute == NULL)
    return;
  cupti.cuptiActivitySetAttribute (CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, &size, &bytes);
  cupti.cuptiActivitySetAttribute (CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, &size, &n);
}

static bool
enable (void)
{
  CUptiResult result = cupti.cuptiActivityRegisterCallbacks (on_buffer_requested,
                                                             on_buffer_completed);

  for (unsigned i = 0; result == CUPTI_SUCCESS && i < sizeof activities / sizeof *activities; i++)
    if ((result = cupti.cuptiActivityEnable (activities[i])) != CUPTI_SUCCESS && i > 3)
      result = CUPTI_SUCCESS; /* the later ones are not needed */
  if (result == CUPTI_SUCCESS)
    name_calls ();
  else
    note_refusal ("CUPTI refuses to record", result);
  return result == CUPTI_SUCCESS;
}

/* Before the first context, or they stay silent. A GPU that has none is no trouble. */
static void
count_pages (void)
{
  CUpti_ActivityUnifiedMemoryCounterConfig configs[4];
  static const CUpti_ActivityUnifiedMemoryCounterKind kinds[4] = {
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
  };

  for (unsigned i = 0; i < 4; i++)
    configs[i] = (CUpti_ActivityUnifiedMemoryCounterConfig) {
      .scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
      .kind = kinds[i],
      .enable = 1,
    };
  if (cupti.cuptiActivityConfigureUnifiedMemoryCounter == NULL
      || cupti.cuptiActivityConfigureUnifiedMemoryCounter (configs, 4) != CUPTI_SUCCESS
      || cupti.cuptiActivityEnable (CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) != CUPTI_SUCCESS)
    memlane_recorder_note (MEMLANE_RECORD_NO_PAGES ": CUPTI has no counters for this device");
}

/* The driver's contract: libcuda calls it while CUDA starts. 1: all is well; so it is, whatever
 * happens here. */
__attribute__ ((visibility ("default"))) int InitializeInjection (void);

int
InitializeInjection (void)
{
  static double seconds;
  const char *path = getenv (MEMLANE_RECORD_FILE), *limit = getenv (MEMLANE_RECORD_SECONDS);
  const char *trial = getenv (MEMLANE_TRIAL);
  MemlaneRecord header = { .type = MEMLANE_RECORD_HEADER, .address = MEMLANE_RECORD_MAGIC,
                           .thread = (uint32_t) getpid () };
  char name[4096];
  void *frame;
  pthread_t thread;
  bool is_ready;

  if (path == NULL || file >= 0)
    return 1;
  snprintf (name, sizeof name, "%s.%ld", path, (long) getpid ());
  file = open (name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return 1;
  owner = getpid ();
  is_trial = trial != NULL;
  records.filled = 0; /* what NVTX has found missing is found again */
  append (&records, &header, NULL);
  write_out (&records); /* it comes before what other threads write */
  backtrace (&frame, 1); /* its first call loads a library */
  memlane_python_begin ();
  is_ready = open_cupti () && (!is_trial || memlane_trial_begin (trial));
  if (is_ready && !is_trial)
    enlarge_buffers ();
  if (is_ready)
    watch_calls ();
  if (!is_ready || (!is_trial && !enable ()))
    {
      write_out (&records);
      is_over = true;
      return 1;
    }
  if (!is_trial)
    count_pages ();
  pthread_mutex_lock (&records.lock);
  write_out (&records);
  pthread_mutex_unlock (&records.lock);
  atexit (finish);
  at_quick_exit (finish);
  pthread_atfork (NULL, NULL, on_child);
  seconds = limit != NULL ? strtod (limit, NULL) : 0;
  if (sem_init (&wake, 0, 0) == 0 && pthread_create (&thread, NULL, keep, &seconds) == 0)
    {
      pthread_detach (thread);
      watch_signals ();
    }
  return 1;
}

/* NVTX calls it at the first range, which may come before CUDA; that stays as it is, for a program
 * may fork first. Ranges become CUPTI's markers from the first call of CUDA on. 0: there are
 * none. */
__attribute__ ((visibility ("default"))) int InitializeInjectionNvtx2 (void *functions);

int
InitializeInjectionNvtx2 (void *functions)
{
  return getenv (MEMLANE_RECORD_FILE) != NULL && open_cupti () && begin_nvtx != NULL
             ? begin_nvtx (functions)
             : 0;
}
