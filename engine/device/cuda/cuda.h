/* cuda.h: what the files of the CUDA device share; for cuda-*.c alone
 *
 * SPDX-License-Identifier: MIT
 *
 * cuda.c        the driver table: memory, copies, kernels, streams and events
 * cuda-open.c   opening and closing
 * cuda-info.c   the list of GPUs and what is known of one
 * cuda-latch.c  the latch
 * cuda-error.c  CUDA's errors as GErrors
 * cuda-trace.c  tracing: by CUPTI (engine/trace/cupti*.c), or by CUDA events
 */
#pragma once

#include "compat.h"
#include "device/device-driver.h"
#include "kernels/kernels.h"

G_BEGIN_DECLS

/* How a pointer in the books goes back. */
enum
{
  RELEASE_BY_FREE = 1,
  RELEASE_BY_FREE_HOST,
  RELEASE_BY_CUDA_FREE,
};

typedef struct _MemlaneCudaTrace MemlaneCudaTrace; /* cuda-trace.c */

typedef struct
{
  MemlaneDevice device; /* first: a driver's device is a MemlaneDevice */
  int ordinal;
  int peer;             /* the second GPU's ordinal, -1: none */
  gboolean peer_ready;  /* peer access was tried; its failure is no error, for copies go through the host then */

  /* What is out, for close, and for the releases that CUDA or libc would crash on: pointer or handle -> release. */
  GHashTable *memory, *registrations, *streams, *events;

  MemlaneLatchWord *latch_word; /* page-locked and mapped */
  MemlaneLatchWord *latch_word_on_device;
  cudaEvent_t latch_event;      /* behind the latch's kernel */
  guint32 latch_ticket;
  gboolean latch_closed;

  MemlaneCudaTrace *trace;      /* between trace_begin and trace_end */
} MemlaneCudaDevice;

/* TRUE for cudaSuccess. Else sets @error from @status and the call in @format ("cudaMalloc (4096 bytes)"), and clears CUDA's last error. */
gboolean memlane_cuda_check (cudaError_t status, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* The sentence that says why no GPU can be used at all; @status is what cudaGetDeviceCount returned. (transfer full) */
char *memlane_cuda_describe_absence (cudaError_t status);

MemlaneDevice *memlane_cuda_open (const char *name, GError **error);
void memlane_cuda_close (MemlaneDevice *device);

void memlane_cuda_list (GPtrArray *listings);
/* The number in @name, below *@count. */
gboolean memlane_cuda_find (const char *name, int *ordinal, int *count, GError **error);
gboolean memlane_cuda_describe (const char *name, MemlaneDeviceInfo *info, GError **error);
/* Fills @self's info. The device is current, and has just copied: a link that sleeps tells a low rate. */
gboolean memlane_cuda_read_info (MemlaneCudaDevice *self, GError **error);

gboolean memlane_cuda_latch_create (MemlaneCudaDevice *self, GError **error);
void memlane_cuda_latch_destroy (MemlaneCudaDevice *self);
gboolean memlane_cuda_latch_close (MemlaneDevice *device, MemlaneStream *stream, GError **error);
gboolean memlane_cuda_latch_open (MemlaneDevice *device, gboolean *late, GError **error);

void memlane_cuda_trace_prepare (void);
/* CUDA is initialised, and @ordinal's context is about to be made. */
void memlane_cuda_trace_before_context (int ordinal);
gboolean memlane_cuda_trace_begin (MemlaneDevice *device, GError **error);
gboolean memlane_cuda_trace_end (MemlaneDevice *device, MemlaneTracer *tracer, GError **error);
double memlane_cuda_trace_clock (MemlaneDevice *device);
guint32 memlane_cuda_trace_stream (MemlaneDevice *device, MemlaneTracer *tracer, MemlaneStream *stream);
void memlane_cuda_trace_enter (MemlaneDevice *device, MemlaneTracer *tracer, const MemlaneTraceRequest *request);
void memlane_cuda_trace_phase (MemlaneDevice *device, const char *name);
/* While there is a tracer: makes *@function one that takes the time of what it was. */
void memlane_cuda_trace_host_function (MemlaneDevice *device, void (**function) (gpointer data), gpointer *data, MemlaneStream *stream);
void memlane_cuda_trace_leave (MemlaneDevice *device, MemlaneTracer *tracer, const MemlaneTraceRequest *request, gboolean done);

G_END_DECLS
