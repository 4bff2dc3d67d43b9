/* fake-cupti.c: a CUPTI that tells of what test-cupti-trace.c asks for, so that the way to it is tested without a GPU
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cupti.h>

#include "fake-cupti.h"

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityUnifiedMemoryCounter3 Record;
#else
typedef CUpti_ActivityUnifiedMemoryCounter2 Record;
#endif

FakeCupti fake_cupti;

static CUpti_BuffersCallbackRequestFunc on_requested;
static CUpti_BuffersCallbackCompleteFunc on_completed;
static CUpti_TimestampCallbackFunc clock_function;
static int pages_on;

CUptiResult CUPTIAPI
cuptiGetVersion (uint32_t *version)
{
  *version = CUPTI_API_VERSION;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiGetResultString (CUptiResult result, const char **text)
{
  *text = result == CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED ? "CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED" : "another";
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiGetTimestamp (uint64_t *timestamp)
{
  *timestamp = clock_function ();
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivityRegisterTimestampCallback (CUpti_TimestampCallbackFunc function)
{
  clock_function = function;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivityRegisterCallbacks (CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed)
{
  on_requested = requested;
  on_completed = completed;
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivityConfigureUnifiedMemoryCounter (CUpti_ActivityUnifiedMemoryCounterConfig *config, uint32_t count)
{
  fake_cupti.configured++;
  return fake_cupti.refuses || count > fake_cupti.most_counters ? CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED : CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiActivityEnable (CUpti_ActivityKind kind)
{
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

CUptiResult CUPTIAPI
cuptiActivityGetNextRecord (uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
  uint8_t *next = *record == NULL ? buffer : (uint8_t *) *record + sizeof (Record);

  if (next + sizeof (Record) > buffer + valid)
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
