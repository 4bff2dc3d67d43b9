/* trial.c: the change that "advise --try" makes in somebody else's program while it runs
 *
 * SPDX-License-Identifier: MIT
 *
 * Page-locking. The second copy of a buffer registers it first. The buffer is released before its
 * memory is freed, moved or unmapped: the recorder is preloaded, so the calls that do this come
 * here first. A copy from pageable memory has left its buffer when the call returns; one from
 * page-locked memory has not. So an asynchronous copy of a buffer that is locked here waits for its
 * stream before the call returns.
 *
 * Prefetching. The first kernel after an allocation of managed memory finds it prefetched.
 *
 * Time. It counts from the first call that the change touches to the last call of rows[]. A program
 * that stays as it is does the same work to find that call.
 *
 * Locks. No call of the driver is made while `lock` is held: the driver frees memory under locks
 * of its own, which comes here.
 */
#undef _FILE_OFFSET_BITS /* it gives mmap() the name of mmap64() */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cuda_runtime_api.h>
#include "recorder.h"

#define MOST_RANGES 4096
/* a smaller copy from pageable memory does not wait for the device */
#define LEAST_BYTES (64 << 10)
#define MOST_STACK (64 << 20)
#define MOST_MANAGED 1024

typedef enum
{
  SEEN,   /* copied once */
  LOCKED, /* by us */
  LEFT,   /* not ours to lock, or not possible */
} State;

/* Memory of the host that is copied. */
typedef struct
{
  uintptr_t begin, end;
  State state;
  CUcontext context; /* in which it was locked */
} Range;

typedef struct
{
  CUdeviceptr begin;
  size_t bytes;
  bool is_prefetched;
} Managed;

static struct
{
  __typeof__ (&cuMemHostRegister) lock;
  __typeof__ (&cuMemHostUnregister) unlock;
  __typeof__ (&cuPointerGetAttribute) get_attribute;
  __typeof__ (&cuStreamSynchronize) wait, wait_own;
  __typeof__ (&cuStreamIsCapturing) is_capturing;
  __typeof__ (&cuCtxGetCurrent) get_context;
  __typeof__ (&cuCtxPushCurrent) push;
  __typeof__ (&cuCtxPopCurrent) pop;
  __typeof__ (&cuCtxGetDevice) get_device;
  CUresult (CUDAAPI *prefetch) (CUdeviceptr memory, size_t bytes, CUdevice device, CUstream stream);
} driver;

static bool follows_copies, follows_managed; /* what the change touches */
static bool is_made;                         /* false: the program stays as it is */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Range ranges[MOST_RANGES]; /* apart from each other, by their begins */
static unsigned n_ranges;
static Managed managed[MOST_MANAGED];
static unsigned n_managed;
static uint64_t most_bytes, locked_bytes; /* at once */
static MemlaneRecord sum = { .type = MEMLANE_RECORD_TRIAL };
static uint64_t first; /* when the first call began that the change touches; 0: there was none */

/* Preloaded, so the model is safe; another one allocates at its first use, in free() itself. */
#define OF_THREAD static __thread __attribute__ ((tls_model ("initial-exec")))
OF_THREAD bool is_ours;     /* we call the driver */
OF_THREAD uint64_t entered; /* when the call began; 0: none that counts */
OF_THREAD bool must_wait;

/* --- ranges ----------------------------------------------------------------------------- */

/* The first range that ends after @begin. The lock is held, as in the next two. */
static unsigned
first_after (uintptr_t begin)
{
  unsigned low = 0, high = n_ranges;

  while (low < high)
    {
      unsigned middle = (low + high) / 2;

      if (ranges[middle].end > begin)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static Range *
find (uintptr_t begin, uintptr_t end)
{
  unsigned at = first_after (begin);

  return at < n_ranges && ranges[at].begin < end ? &ranges[at] : NULL;
}

static void
insert (const Range *range)
{
  unsigned at = first_after (range->begin);

  if (n_ranges == MOST_RANGES)
    return;
  memmove (&ranges[at + 1], &ranges[at], (n_ranges - at) * sizeof *ranges);
  ranges[at] = *range;
  __atomic_store_n (&n_ranges, n_ranges + 1, __ATOMIC_RELAXED);
}

/* Takes a range out that touches [@begin, @end). */
static bool
take (uintptr_t begin, uintptr_t end, Range *taken)
{
  Range *range;

  pthread_mutex_lock (&lock);
  range = find (begin, end);
  if (range != NULL)
    {
      *taken = *range;
      memmove (range, range + 1, (size_t) (ranges + n_ranges - range - 1) * sizeof *range);
      __atomic_store_n (&n_ranges, n_ranges - 1, __ATOMIC_RELAXED);
    }
  pthread_mutex_unlock (&lock);
  return range != NULL;
}

static void
unlock_range (const Range *range)
{
  bool was_ours = is_ours;
  CUcontext before;

  if (range->state != LOCKED)
    return;
  is_ours = true;
  if (driver.push (range->context) == CUDA_SUCCESS)
    {
      driver.unlock ((void *) range->begin);
      driver.pop (&before);
    }
  is_ours = was_ours;
  __atomic_fetch_sub (&locked_bytes, range->end - range->begin, __ATOMIC_RELAXED);
}

/* Gives back what is locked in [@begin, @end), before it is no longer memory. */
static void
release (uintptr_t begin, uintptr_t end)
{
  int error = errno;
  Range range;

  if (is_ours || __atomic_load_n (&n_ranges, __ATOMIC_RELAXED) == 0)
    return;
  while (take (begin, end, &range))
    unlock_range (&range);
  errno = error;
}

void
memlane_trial_forget (void)
{
  n_ranges = 0;
  follows_copies = follows_managed = false;
}

/* --- time --------------------------------------------------------------------------------- */

/* The change touches a call that has just begun. */
static void
mark_first (void)
{
  uint64_t none = 0;

  __atomic_compare_exchange_n (&first, &none, memlane_recorder_now (), false, __ATOMIC_RELAXED,
                               __ATOMIC_RELAXED);
}

/* A call ends that may be the last one. */
static void
mark_last (void)
{
  uint64_t begin = __atomic_load_n (&first, __ATOMIC_RELAXED);

  if (begin != 0)
    __atomic_store_n (&sum.hash, memlane_recorder_now () - begin, __ATOMIC_RELAXED);
}

/* --- page-locking ------------------------------------------------------------------------- */

static bool
is_known_to_cuda (uintptr_t at)
{
  unsigned type = 0;

  return driver.get_attribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr) at)
         == CUDA_SUCCESS;
}

/* Registers @range, unless CUDA knows it already or refuses. The lock is not held. */
static State
lock_range (Range *range)
{
  uint64_t bytes = range->end - range->begin, begin = memlane_recorder_now ();

  if (is_known_to_cuda (range->begin) || is_known_to_cuda (range->end - 1))
    return LEFT; /* page-locked or managed already */
  if (__atomic_add_fetch (&locked_bytes, bytes, __ATOMIC_RELAXED) > most_bytes
      || driver.get_context (&range->context) != CUDA_SUCCESS
      || driver.lock ((void *) range->begin, bytes, CU_MEMHOSTREGISTER_PORTABLE) != CUDA_SUCCESS)
    {
      __atomic_fetch_sub (&locked_bytes, bytes, __ATOMIC_RELAXED);
      __atomic_fetch_add (&sum.thread, 1, __ATOMIC_RELAXED);
      return LEFT;
    }
  __atomic_fetch_add (&sum.count, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add (&sum.bytes, bytes, __ATOMIC_RELAXED);
  __atomic_fetch_add (&sum.start, memlane_recorder_now () - begin, __ATOMIC_RELAXED);
  return LOCKED;
}

/* Locks the memory that is about to be copied if it was copied before. Returns whether it is
 * locked by us. */
static bool
prepare (uintptr_t begin, size_t bytes)
{
  uintptr_t here = (uintptr_t) __builtin_frame_address (0), end = begin + bytes;
  Range range = { begin, end, SEEN, NULL }, *known, taken;

  pthread_mutex_lock (&lock);
  known = find (begin, end);
  if (known == NULL && (bytes < LEAST_BYTES || (begin > here && begin - here < MOST_STACK)))
    {
      pthread_mutex_unlock (&lock);
      return false;
    }
  if (known != NULL && known->begin <= begin && end <= known->end)
    {
      range = *known;
      known->state = range.state == SEEN ? LEFT : range.state; /* nobody else locks it meanwhile */
      pthread_mutex_unlock (&lock);
      if (range.state != SEEN)
        return range.state == LOCKED;
      mark_first ();
      if (!is_made)
        return false;
      range.state = lock_range (&range);
      pthread_mutex_lock (&lock);
      known = find (range.begin, range.end);
      if (known != NULL)
        *known = range;
      pthread_mutex_unlock (&lock);
      if (known == NULL) /* freed meanwhile */
        unlock_range (&range);
      return known != NULL && range.state == LOCKED;
    }
  pthread_mutex_unlock (&lock);
  while (take (range.begin, range.end, &taken)) /* what grows begins anew */
    {
      unlock_range (&taken);
      range.begin = taken.begin < range.begin ? taken.begin : range.begin;
      range.end = taken.end > range.end ? taken.end : range.end;
    }
  pthread_mutex_lock (&lock);
  insert (&range);
  pthread_mutex_unlock (&lock);
  return false;
}

/* --- prefetching ---------------------------------------------------------------------------- */

static void
add_managed (CUdeviceptr begin, size_t bytes)
{
  pthread_mutex_lock (&lock);
  if (n_managed < MOST_MANAGED)
    managed[n_managed++] = (Managed) { begin, bytes, false };
  pthread_mutex_unlock (&lock);
}

static void
remove_managed (CUdeviceptr begin)
{
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < n_managed; i++)
    if (managed[i].begin == begin)
      {
        managed[i] = managed[--n_managed];
        break;
      }
  pthread_mutex_unlock (&lock);
}

/* Before a kernel: managed memory that no kernel has found yet. */
static void
prefetch_all (CUstream stream)
{
  CUdevice device = 0;

  if (driver.get_device (&device) != CUDA_SUCCESS)
    return;
  for (;;)
    {
      Managed one = { 0 };

      pthread_mutex_lock (&lock);
      for (unsigned i = 0; i < n_managed && one.begin == 0; i++)
        if (!managed[i].is_prefetched)
          {
            managed[i].is_prefetched = true;
            one = managed[i];
          }
      pthread_mutex_unlock (&lock);
      if (one.begin == 0)
        return;
      mark_first ();
      if (!is_made)
        continue;
      if (driver.prefetch (one.begin, one.bytes, device, stream) == CUDA_SUCCESS)
        __atomic_fetch_add (&sum.stream, 1, __ATOMIC_RELAXED);
      else
        __atomic_fetch_add (&sum.thread, 1, __ATOMIC_RELAXED);
    }
}

/* --- the program's calls ---------------------------------------------------------------------- */

typedef enum
{
  COPIES,        /* @memory is the host's; its copy is over when the call returns */
  COPIES_ASYNC,
  COPIES_ASYNC_OWN, /* in a stream for each thread */
  COPIES_UNIFIED,   /* either end may be the host's */
  COPIES_UNIFIED_ASYNC,
  LOCKS,         /* the program's own page-locking */
  ALLOCATES,     /* managed memory */
  FREES,
  LAUNCHES,
  LAUNCHES_EX,
  LEAVES,        /* the context, and all that was locked in it */
  PITCHED,       /* copies whose ends are not read here */
} Use;

#define ROW(name, use, memory, bytes, stream) \
  { CUPTI_DRIVER_TRACE_CBID_##name, use, offsetof (name##_params, memory), \
    offsetof (name##_params, bytes), offsetof (name##_params, stream) }

static const struct
{
  CUpti_CallbackId call;
  Use use;
  size_t memory, bytes, stream;
} rows[] = {
  ROW (cuMemcpyHtoD_v2, COPIES, srcHost, ByteCount, ByteCount),
  ROW (cuMemcpyHtoD_v2_ptds, COPIES, srcHost, ByteCount, ByteCount),
  ROW (cuMemcpyDtoH_v2, COPIES, dstHost, ByteCount, ByteCount),
  ROW (cuMemcpyDtoH_v2_ptds, COPIES, dstHost, ByteCount, ByteCount),
  ROW (cuMemcpyHtoDAsync_v2, COPIES_ASYNC, srcHost, ByteCount, hStream),
  ROW (cuMemcpyHtoDAsync_v2_ptsz, COPIES_ASYNC_OWN, srcHost, ByteCount, hStream),
  ROW (cuMemcpyDtoHAsync_v2, COPIES_ASYNC, dstHost, ByteCount, hStream),
  ROW (cuMemcpyDtoHAsync_v2_ptsz, COPIES_ASYNC_OWN, dstHost, ByteCount, hStream),
  ROW (cuMemcpy, COPIES_UNIFIED, src, ByteCount, dst),
  ROW (cuMemcpyAsync, COPIES_UNIFIED_ASYNC, src, ByteCount, hStream),
  ROW (cuMemHostRegister_v2, LOCKS, p, bytesize, p),
  ROW (cuMemHostRegister, LOCKS, p, bytesize, p),
  ROW (cuMemAllocManaged, ALLOCATES, dptr, bytesize, dptr),
  ROW (cuMemFree_v2, FREES, dptr, dptr, dptr),
  ROW (cuLaunchKernel, LAUNCHES, f, f, hStream),
  ROW (cuLaunchKernelEx, LAUNCHES_EX, config, config, config),
  ROW (cuCtxDestroy_v2, LEAVES, ctx, ctx, ctx),
  ROW (cuDevicePrimaryCtxReset_v2, LEAVES, dev, dev, dev),
  ROW (cuMemcpy2D_v2, PITCHED, pCopy, pCopy, pCopy),
  ROW (cuMemcpy2D_v2_ptds, PITCHED, pCopy, pCopy, pCopy),
  ROW (cuMemcpy2DUnaligned_v2, PITCHED, pCopy, pCopy, pCopy),
  ROW (cuMemcpy2DUnaligned_v2_ptds, PITCHED, pCopy, pCopy, pCopy),
  ROW (cuMemcpy2DAsync_v2, PITCHED, pCopy, pCopy, hStream),
  ROW (cuMemcpy2DAsync_v2_ptsz, PITCHED, pCopy, pCopy, hStream),
  ROW (cuMemcpy3D_v2, PITCHED, pCopy, pCopy, pCopy),
  ROW (cuMemcpy3D_v2_ptds, PITCHED, pCopy, pCopy, pCopy),
  ROW (cuMemcpy3DAsync_v2, PITCHED, pCopy, pCopy, hStream),
  ROW (cuMemcpy3DAsync_v2_ptsz, PITCHED, pCopy, pCopy, hStream),
};
#define N_ROWS (sizeof rows / sizeof *rows)

static void
wait_for (CUstream stream, bool is_own)
{
  uint64_t begin = memlane_recorder_now ();

  (is_own ? driver.wait_own : driver.wait) (stream);
  __atomic_fetch_add (&sum.end, memlane_recorder_now () - begin, __ATOMIC_RELAXED);
}

static void
on_copy_entered (unsigned row, const char *parameters)
{
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  Use use = rows[row].use;
  bool is_async = use != COPIES && use != COPIES_UNIFIED;
  CUdeviceptr to = 0;
  CUstream stream = NULL;
  uintptr_t memory;
  size_t bytes;

  entered = memlane_recorder_now ();
  must_wait = false;
  memcpy (&memory, parameters + rows[row].memory, sizeof memory);
  memcpy (&bytes, parameters + rows[row].bytes, sizeof bytes);
  if (is_async)
    memcpy (&stream, parameters + rows[row].stream, sizeof stream);
  if (!follows_copies)
    return;
  if (is_async && (driver.is_capturing (stream, &status) != CUDA_SUCCESS
                   || status != CU_STREAM_CAPTURE_STATUS_NONE))
    return;
  if (use == COPIES_UNIFIED || use == COPIES_UNIFIED_ASYNC)
    {
      memcpy (&to, parameters + offsetof (cuMemcpy_params, dst), sizeof to);
      must_wait = prepare ((uintptr_t) to, bytes);
    }
  must_wait = prepare (memory, bytes) || must_wait;
  must_wait = must_wait && is_async;
}

static void
on_copy_left (unsigned row, const char *parameters)
{
  CUstream stream;

  if (entered == 0)
    return;
  if (must_wait)
    {
      memcpy (&stream, parameters + rows[row].stream, sizeof stream);
      wait_for (stream, rows[row].use == COPIES_ASYNC_OWN);
    }
  __atomic_fetch_add (&sum.address, memlane_recorder_now () - entered, __ATOMIC_RELAXED);
  entered = 0;
}

static void *
get_pointer (const char *parameters, size_t offset)
{
  void *pointer;

  memcpy (&pointer, parameters + offset, sizeof pointer);
  return pointer;
}

static void
on_row (unsigned row, bool is_enter, const char *parameters)
{
  const CUdeviceptr *result;
  const CUlaunchConfig *config;
  uintptr_t memory;
  size_t bytes;

  switch (rows[row].use)
    {
    case LOCKS:
      memory = (uintptr_t) get_pointer (parameters, rows[row].memory);
      memcpy (&bytes, parameters + rows[row].bytes, sizeof bytes);
      if (is_enter)
        release (memory, memory + bytes);
      break;
    case ALLOCATES:
      result = get_pointer (parameters, rows[row].memory);
      memcpy (&bytes, parameters + rows[row].bytes, sizeof bytes);
      if (!is_enter && follows_managed && result != NULL && *result != 0)
        add_managed (*result, bytes);
      break;
    case FREES:
      if (is_enter)
        remove_managed ((CUdeviceptr) get_pointer (parameters, rows[row].memory));
      break;
    case LAUNCHES:
      if (is_enter && follows_managed)
        prefetch_all (get_pointer (parameters, rows[row].stream));
      break;
    case LAUNCHES_EX:
      config = get_pointer (parameters, rows[row].memory);
      if (is_enter && follows_managed && config != NULL)
        prefetch_all (config->hStream);
      break;
    /* CUDA refuses a copy that leaves what is locked, so nothing is locked any more */
    case PITCHED:
      if (is_enter && follows_copies && is_made)
        {
          follows_copies = false;
          __atomic_fetch_add (&sum.thread, 1, __ATOMIC_RELAXED);
          release (0, UINTPTR_MAX);
        }
      break;
    case LEAVES:
      if (is_enter)
        release (0, UINTPTR_MAX);
      break;
    case COPIES:
    case COPIES_ASYNC:
    case COPIES_ASYNC_OWN:
    case COPIES_UNIFIED:
    case COPIES_UNIFIED_ASYNC:
      if (is_enter)
        on_copy_entered (row, parameters);
      else
        on_copy_left (row, parameters);
    }
}

void CUPTIAPI
memlane_trial_on_call (void *user_data, CUpti_CallbackDomain domain, CUpti_CallbackId call,
                       const void *raw)
{
  const CUpti_CallbackData *data = raw;

  (void) user_data;
  if (is_ours || domain != CUPTI_CB_DOMAIN_DRIVER_API || data->functionParams == NULL)
    return;
  for (unsigned i = 0; i < N_ROWS; i++)
    if (rows[i].call == call)
      {
        Use use = rows[i].use;
        /* it marks its own calls */
        bool is_release = use == LOCKS || use == LEAVES || use == PITCHED;
        bool is_enter = data->callbackSite == CUPTI_API_ENTER;

        is_ours = !is_release;
        on_row (i, is_enter, data->functionParams);
        is_ours = false;
        if (!is_enter)
          mark_last ();
      }
}

/* --- beginning -------------------------------------------------------------------------------- */

/* Whether malloc() is the C library's, and free() comes here first. A program may stand for
 * malloc() by an address of its own, at which it only calls on. */
static bool
sees_memory (void)
{
  void *allocates = dlsym (RTLD_DEFAULT, "malloc");
  ElfW (Sym) *symbol = NULL;
  Dl_info info = { 0 };
  const char *base;

  if (dlsym (RTLD_DEFAULT, "free") != (void *) free)
    {
      memlane_recorder_note ("nothing was changed: the program was started without LD_PRELOAD");
      return false;
    }
  if (allocates != NULL && dladdr1 (allocates, &info, (void **) &symbol, RTLD_DL_SYMENT) != 0
      && symbol != NULL && symbol->st_shndx == SHN_UNDEF)
    allocates = dlsym (RTLD_NEXT, "malloc");
  if (allocates == NULL || dladdr (allocates, &info) == 0 || info.dli_fname == NULL)
    return false;
  base = strrchr (info.dli_fname, '/');
  base = base != NULL ? base + 1 : info.dli_fname;
  if (strncmp (base, "libc.", 5) == 0 || strncmp (base, "libc-", 5) == 0)
    return true;
  memlane_recorder_note ("nothing was changed: memory is handed out by %.200s", base);
  return false;
}

bool
memlane_trial_begin (const char *name)
{
  static const struct
  {
    const char *name;
    void **function;
  } needed[] = {
    { "cuMemHostRegister_v2", (void **) &driver.lock },
    { "cuMemHostUnregister", (void **) &driver.unlock },
    { "cuPointerGetAttribute", (void **) &driver.get_attribute },
    { "cuStreamSynchronize", (void **) &driver.wait },
    { "cuStreamSynchronize_ptsz", (void **) &driver.wait_own },
    { "cuStreamIsCapturing", (void **) &driver.is_capturing },
    { "cuCtxGetCurrent", (void **) &driver.get_context },
    { "cuCtxPushCurrent_v2", (void **) &driver.push },
    { "cuCtxPopCurrent_v2", (void **) &driver.pop },
    { "cuCtxGetDevice", (void **) &driver.get_device },
    { "cuMemPrefetchAsync", (void **) &driver.prefetch },
  };
  bool stays = strncmp (name, MEMLANE_TRIAL_NO, strlen (MEMLANE_TRIAL_NO)) == 0;
  const char *change = name + (stays ? strlen (MEMLANE_TRIAL_NO) : 0);

  for (unsigned i = 0; i < sizeof needed / sizeof *needed; i++)
    if ((*needed[i].function = memlane_recorder_driver (needed[i].name)) == NULL)
      {
        memlane_recorder_note ("nothing was changed: the driver has no %s", needed[i].name);
        return false;
      }
  follows_copies = strcmp (change, MEMLANE_TRIAL_PIN) == 0;
  follows_managed = strcmp (change, MEMLANE_TRIAL_PREFETCH) == 0;
  is_made = !stays;
  if (follows_copies ? !sees_memory () : !follows_managed)
    return false;
  most_bytes = (uint64_t) sysconf (_SC_AVPHYS_PAGES) * (uint64_t) sysconf (_SC_PAGESIZE) / 2;
  return true;
}

void
memlane_trial_watch (MemlaneEnableCallback enable, CUpti_SubscriberHandle subscriber)
{
  for (unsigned i = 0; i < N_ROWS; i++)
    enable (1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, rows[i].call);
}

MemlaneRecord
memlane_trial_sum (void)
{
  return sum;
}

/* --- what ends memory, before it does --------------------------------------------------------- */

#define SHOWN __attribute__ ((visibility ("default")))

static void *
next (const char *name)
{
  return dlsym (RTLD_NEXT, name);
}

static void
release_block (void *block)
{
  size_t bytes;

  if (block == NULL || __atomic_load_n (&n_ranges, __ATOMIC_RELAXED) == 0)
    return;
  bytes = malloc_usable_size (block);
  if (bytes >= LEAST_BYTES)
    release ((uintptr_t) block, (uintptr_t) block + bytes);
}

SHOWN void
free (void *block)
{
  static void (*real) (void *);

  if (real == NULL)
    real = (void (*) (void *)) next ("free");
  release_block (block);
  if (real != NULL)
    real (block);
}

SHOWN void *
realloc (void *block, size_t bytes)
{
  static void *(*real) (void *, size_t);

  if (real == NULL)
    real = (void *(*) (void *, size_t)) next ("realloc");
  release_block (block);
  return real (block, bytes);
}

SHOWN void *
reallocarray (void *block, size_t n, size_t bytes)
{
  if (bytes != 0 && n > SIZE_MAX / bytes)
    {
      errno = ENOMEM;
      return NULL;
    }
  return realloc (block, n * bytes);
}

SHOWN int
munmap (void *memory, size_t bytes)
{
  release ((uintptr_t) memory, (uintptr_t) memory + bytes);
  return (int) syscall (SYS_munmap, memory, bytes);
}

SHOWN void *
mmap (void *memory, size_t bytes, int protection, int flags, int file, off_t offset)
{
  if ((flags & MAP_FIXED) != 0)
    release ((uintptr_t) memory, (uintptr_t) memory + bytes);
  return (void *) syscall (SYS_mmap, memory, bytes, protection, flags, file, offset);
}

SHOWN __attribute__ ((alias ("mmap"))) __typeof__ (mmap64) mmap64;

SHOWN void *
mremap (void *memory, size_t old_bytes, size_t bytes, int flags, ...)
{
  va_list arguments;
  void *wanted;

  va_start (arguments, flags);
  wanted = va_arg (arguments, void *);
  va_end (arguments);
  release ((uintptr_t) memory, (uintptr_t) memory + old_bytes);
  return (void *) syscall (SYS_mremap, memory, old_bytes, bytes, flags, wanted);
}

SHOWN int
madvise (void *memory, size_t bytes, int advice)
{
  if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE)
    release ((uintptr_t) memory, (uintptr_t) memory + bytes);
  return (int) syscall (SYS_madvise, memory, bytes, advice);
}

SHOWN int
shmdt (const void *memory)
{
  release ((uintptr_t) memory, UINTPTR_MAX); /* its length is not known here */
  return (int) syscall (SYS_shmdt, memory);
}
