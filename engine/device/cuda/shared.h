/* shared.h: what the files of the CUDA device share; for cuda/ alone
 *
 * SPDX-License-Identifier: MIT
 *
 * background.c  what goes on beside a sample
 * cuda.c   the device: what is known of it, opening and closing, memory, copies, kernels, streams,
 *          events, the latch
 * error.c  CUDA's errors as GErrors
 * many.c   many copies at once: batches, graphs, gathers by a shaped kernel, and the host's own
 *          copies by several threads
 * nvml.c   what the driver's management library tells: the link, clocks, temperature, throttle
 *          reasons
 * trace.c  tracing: by CUPTI (cupti-trace.h), or by CUDA events
 */
#pragma once

#include <cuda_runtime_api.h>

#include "device/device-driver.h"
#include "kernels/kernels.h"

/* These say how a pointer goes back. A larger number is the bytes that malloc_virtual has
 * mapped. */
enum
{
  RELEASE_BY_FREE = 1,
  RELEASE_BY_FREE_HOST,
  RELEASE_BY_CUDA_FREE,
};

typedef struct _MemlaneCudaTrace MemlaneCudaTrace; /* trace.c */
typedef struct _MemlaneNvml MemlaneNvml; /* nvml.c */
typedef struct _MemlaneCudaBackground MemlaneCudaBackground; /* background.c */

typedef struct
{
  MemlaneDevice device; /* first: a driver's device is a MemlaneDevice */
  int ordinal;
  int peer;             /* the second GPU's ordinal, -1: none */
  /* peer access was tried; its failure is no error, for copies go through the host then */
  gboolean peer_ready;

  /* Pointers and handles not released yet, for close, and for the releases that CUDA or libc would
   * crash on: pointer or handle -> release.
   * */
  union
  {
    struct { GHashTable *memory, *registrations, *streams, *events, *graphs; };
    GHashTable *all_out[5];
  };

  MemlaneLatchWord *latch_word; /* page-locked and mapped */
  MemlaneLatchWord *latch_word_on_device;
  cudaEvent_t latch_event;      /* behind the latch's kernel */
  guint32 latch_ticket;
  gboolean latch_closed;

  /* device memory that is written to flush the cache; NULL: never asked for */
  void *flushed;
  guint8 flush_byte;

  MemlaneCudaBackground *background; /* NULL: never asked for */
  GThreadPool *helpers;         /* for the host's copies; NULL: never asked for */
  MemlaneNvml *nvml;            /* NULL: never asked for, or not to be had */
  MemlaneCudaTrace *trace;      /* between the trace table's begin and end */
} MemlaneCudaDevice;

#define CUDA(device) ((MemlaneCudaDevice *) (device))

/* --- error.c ---------------------------------------------------------------------------------- */

/* TRUE for cudaSuccess. Else sets @error from @status and the call in @format ("cudaMalloc (4096
 * bytes)"), and clears CUDA's last error. */
gboolean memlane_cuda_check (cudaError_t status, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
#define CHECK memlane_cuda_check

/* The sentence that says why no GPU can be used at all; @status is what cudaGetDeviceCount
 * returned. (transfer full) */
char *memlane_cuda_describe_absence (cudaError_t status);

/* --- nvml.c ----------------------------------------------------------------------------------- */

/* Opens the library and finds the GPU at @pci_bus_id. NULL with @error saying what is missing: a
 * driver may come without it. */
MemlaneNvml *memlane_nvml_new (const char *pci_bus_id, GError **error);
void memlane_nvml_free (MemlaneNvml *self);
/* The negotiated link: PCIe generation and lanes; what is not told stays as it was. */
void memlane_nvml_get_link (MemlaneNvml *self, int *generation, int *width);
/* All of @setup; what is not told is unknown. */
void memlane_nvml_get_setup (MemlaneNvml *self, MemlaneDeviceSetup *setup);
/* Clocks now, temperature, throttle reasons. What the GPU does not tell stays 0; FALSE: it tells
 * none of them. */
gboolean memlane_nvml_get_state (MemlaneNvml *self, MemlaneDeviceState *state, GError **error);

/* --- many.c ----------------------------------------------------------------------------------- */

extern const MemlaneManyCalls memlane_cuda_many_calls;

/* Returns the blocks of a shaped kernel; *@is_tuned (nullable): they were found on such a GPU. */
guint memlane_cuda_get_shaped_blocks (const MemlaneDeviceInfo *info, gboolean *is_tuned);
/* Whether driver and program know cudaMemcpyBatchAsync. */
gboolean memlane_cuda_has_batches (void);
/* Ends the helping threads. */
void memlane_cuda_many_clear (MemlaneCudaDevice *self);

/* --- background.c ----------------------------------------------------------------------------- */

extern const MemlaneBackgroundCalls memlane_cuda_background_calls;
gboolean memlane_cuda_background_is_on (const MemlaneCudaDevice *device);
/* Ends it and gives back what it has. */
void memlane_cuda_background_clear (MemlaneCudaDevice *device);

/* --- trace.c ---------------------------------------------------------------------------------- */

extern const MemlaneTraceCalls memlane_cuda_trace_calls;

/* CUDA is initialised, and @ordinal's context is about to be made. */
void memlane_cuda_trace_before_context (int ordinal);
/* While there is a tracer: makes *@function one that takes the time of what it was. */
void memlane_cuda_trace_host_function (MemlaneDevice *device, void (**function) (gpointer data),
                                       gpointer *data, MemlaneStream *stream);
