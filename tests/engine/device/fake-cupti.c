/* fake-cupti.c: a CUPTI that reports what test-cupti-trace.c asks for, and plays a program for
 * test-recorder.c, without a GPU
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cupti.h>

#include "fake-cupti.h"

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityUnifiedMemoryCounter3 Record;
typedef CUpti_ActivityMemcpy6 Copy;
typedef CUpti_ActivityKernel10 Kernel;
#else
typedef CUpti_ActivityUnifiedMemoryCounter2 Record;
typedef CUpti_ActivityMemcpy5 Copy;
typedef CUpti_ActivityKernel8 Kernel;
#endif

FakeCupti fake_cupti;

static CUpti_BuffersCallbackRequestFunc on_requested;
static CUpti_BuffersCallbackCompleteFunc on_completed;
static CUpti_TimestampCallbackFunc clock_function;
static int pages_on;
static pthread_mutex_t filling_lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *filling; /* of a program's calls */
static size_t filled, filling_size;
static size_t buffer_of_gpu; /* bytes */

CUptiResult CUPTIAPI
cuptiGetVersion (uint32_t *version)
{
  *version = CUPTI_API_VERSION;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiGetResultString (CUptiResult result, const char **text)
{
  *text = result == CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED
              ? "CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED"
              : "another";
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiGetTimestamp (uint64_t *timestamp)
{
  *timestamp = clock_function != NULL ? clock_function () : 1;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivityRegisterTimestampCallback (CUpti_TimestampCallbackFunc function)
{
  clock_function = function;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivityRegisterCallbacks (CUpti_BuffersCallbackRequestFunc requested,
                                CUpti_BuffersCallbackCompleteFunc completed)
{
  on_requested = requested;
  on_completed = completed;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivityConfigureUnifiedMemoryCounter (CUpti_ActivityUnifiedMemoryCounterConfig *config,
                                            uint32_t count)
{
  fake_cupti.configured++;
  return fake_cupti.refuses || count > fake_cupti.most_counters
             ? CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED
             : CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivitySetAttribute (CUpti_ActivityAttribute attribute, size_t *size, void *value)
{
  if (attribute == CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE && *size == sizeof buffer_of_gpu
      && fake_cupti.others_enabled == 0)
    memcpy (&buffer_of_gpu, value, *size);
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivityEnable (CUpti_ActivityKind kind)
{
  if (getenv ("FAKE_CUPTI_IS_TAKEN") != NULL)
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  if (kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
    {
      pages_on = 1;
      fake_cupti.pages_enabled++;
    }
  else
    fake_cupti.others_enabled++;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivityDisable (CUpti_ActivityKind kind)
{
  if (kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
    {
      pages_on = 0;
      fake_cupti.pages_disabled++;
    }
  return CUPTI_SUCCESS;
}

/* Each time one page that has gone up. */
CUptiResult CUPTIAPI
cuptiActivityFlushAll (uint32_t flag)
{
  uint8_t *buffer = NULL;
  size_t size = 0, most = 0;
  Record record;

  pthread_mutex_lock (&filling_lock); /* the recorder flushes in a thread of its own */
  if (filling != NULL)
    {
      on_completed (NULL, 0, filling, filling_size, filled);
      filling = NULL;
    }
  pthread_mutex_unlock (&filling_lock);
  if (!pages_on || fake_cupti.page_time == 0)
    return CUPTI_SUCCESS;
  on_requested (&buffer, &size, &most);
  if (buffer == NULL || size < sizeof record)
    return CUPTI_ERROR_OUT_OF_MEMORY;
  memset (&record, 0, sizeof record);
  record.kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER;
  record.counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
  record.value = 4096;
  record.start = fake_cupti.page_time;
  record.end = record.start + 10;
  memcpy (buffer, &record, sizeof record);
  on_completed (NULL, 0, buffer, size, sizeof record);
  return CUPTI_SUCCESS;
}

static size_t
size_of (CUpti_ActivityKind kind)
{
  return kind == CUPTI_ACTIVITY_KIND_MEMCPY ? sizeof (Copy)
         : kind == CUPTI_ACTIVITY_KIND_RUNTIME ? sizeof (CUpti_ActivityAPI)
         : kind == CUPTI_ACTIVITY_KIND_MARKER ? sizeof (CUpti_ActivityMarker2)
         : kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ? sizeof (Kernel) : sizeof (Record);
}

CUptiResult CUPTIAPI
cuptiActivityGetNextRecord (uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
  uint8_t *next = *record == NULL ? buffer : (uint8_t *) *record + size_of ((*record)->kind);

  if (next + sizeof (CUpti_Activity) > buffer + valid)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = (CUpti_Activity *) (void *) next;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivityGetNumDroppedRecords (CUcontext context, uint32_t stream, size_t *dropped)
{
  *dropped = 0;
  return CUPTI_SUCCESS;
}

/* --- a program's calls ------------------------------------------------------------------------ */

static CUpti_CallbackFunc on_call;
CUptiResult CUPTIAPI
cuptiSubscribe (CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc function, void *user_data)
{
  *subscriber = NULL;
  if (getenv ("FAKE_CUPTI_IS_TAKEN") != NULL)
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  on_call = function;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiEnableCallback (uint32_t enable, CUpti_SubscriberHandle subscriber,
                     CUpti_CallbackDomain domain, CUpti_CallbackId call)
{
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiGetCallbackName (CUpti_CallbackDomain domain, uint32_t call, const char **name)
{
  *name = call == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020         ? "cudaMemcpy_v3020"
          : call == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000 ? "cudaLaunchKernel_v7000"
                                                                    : "cudaGetLastError_v3020";
  return CUPTI_SUCCESS;
}

static void
fill (const void *record, size_t size)
{
  size_t most = 0;

  pthread_mutex_lock (&filling_lock);
  if (filling != NULL && filled + size > filling_size)
    {
      on_completed (NULL, 0, filling, filling_size, filled);
      filling = NULL;
    }
  if (filling == NULL && on_requested != NULL)
    {
      on_requested (&filling, &filling_size, &most);
      filled = 0;
    }
  if (filling != NULL)
    {
      memcpy (filling + filled, record, size);
      filled += size;
    }
  pthread_mutex_unlock (&filling_lock);
}

static int has_nvtx;

/* What CUPTI does for NVTX. */
__attribute__ ((visibility ("default"))) int InitializeInjectionNvtx2 (void *functions);

int
InitializeInjectionNvtx2 (void *functions)
{
  return has_nvtx = functions != NULL;
}

/* cudaMemcpy of @bytes from @from to the device, pageable, from @start to @start + 1000 ns, and a
 * kernel of 500 ns behind it. The copy calls the driver, as the runtime does. Where NVTX was told
 * of CUPTI, every call of an even tenth correlation lies in a range. The GPU has a place for the
 * times of a million copies and kernels, or they are lost. */
__attribute__ ((visibility ("default"))) void fake_cupti_play (uint32_t correlation, uint64_t start,
                                                               const void *from, size_t bytes);

void
fake_cupti_play (uint32_t correlation, uint64_t start, const void *from, size_t bytes)
{
  cudaMemcpy_v3020_params parameters = { .src = from,
                                         .count = bytes,
                                         .kind = cudaMemcpyHostToDevice };
  CUpti_CallbackData data = { .callbackSite = CUPTI_API_ENTER,
                              .functionParams = &parameters,
                              .correlationId = correlation,
                              .contextUid = 1 };
  cuMemcpyHtoD_v2_params inside = { .srcHost = from, .ByteCount = bytes };
  CUpti_CallbackData inner = { .callbackSite = CUPTI_API_ENTER,
                               .functionParams = &inside,
                               .correlationId = correlation };
  CUpti_ActivityAPI call = { .kind = CUPTI_ACTIVITY_KIND_RUNTIME,
                             .cbid = CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020,
                             .start = start,
                             .end = start + 1000,
                             .correlationId = correlation,
                             .threadId = 1 };
  CUpti_ActivityAPI dull = { .kind = CUPTI_ACTIVITY_KIND_RUNTIME,
                             .cbid = CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020,
                             .start = start,
                             .end = start + 1,
                             .correlationId = correlation + 1,
                             .threadId = 1 };
  CUpti_ActivityAPI launch = { .kind = CUPTI_ACTIVITY_KIND_RUNTIME,
                               .cbid = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
                               .start = start + 1100,
                               .end = start + 1200,
                               .correlationId = correlation + 2,
                               .threadId = 1 };
  Copy copy = { .kind = CUPTI_ACTIVITY_KIND_MEMCPY,
                .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD,
                .srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE,
                .dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
                .bytes = bytes,
                .start = start + 100,
                .end = start + 900,
                .streamId = 7,
                .correlationId = correlation };
  Kernel kernel = { .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                    .start = start + 1300,
                    .end = start + 1800,
                    .streamId = 7,
                    .correlationId = correlation + 2,
                    .name = "_Z5solvePf" };

  if (on_call == NULL)
    return;
  on_call (NULL, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020, &data);
  /* as on a GPU: the runtime's own call */
  on_call (NULL, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2, &inner);
  inner.callbackSite = data.callbackSite = CUPTI_API_EXIT;
  on_call (NULL, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2, &inner);
  on_call (NULL, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020, &data);
  if (has_nvtx && correlation / 10 % 2 == 0)
    {
      CUpti_ActivityMarker2 marker = { .kind = CUPTI_ACTIVITY_KIND_MARKER,
                                       .flags = CUPTI_ACTIVITY_FLAG_MARKER_START,
                                       .timestamp = start,
                                       .id = correlation,
                                       .name = "even" };

      fill (&marker, sizeof marker);
      marker = (CUpti_ActivityMarker2) { .kind = CUPTI_ACTIVITY_KIND_MARKER,
                                        .flags = CUPTI_ACTIVITY_FLAG_MARKER_END,
                                        .timestamp = start + 1900,
                                        .id = correlation };
      fill (&marker, sizeof marker);
    }
  fill (&call, sizeof call);
  fill (&dull, sizeof dull);
  fill (&launch, sizeof launch);
  if (buffer_of_gpu < 32 * 1000000)
    return;
  fill (&copy, sizeof copy);
  fill (&kernel, sizeof kernel);
}
