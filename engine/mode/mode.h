/* mode.h: every memory mode, in one registry
 *
 * SPDX-License-Identifier: MIT
 *
 * A mode says where the host's vectors live, how the kernel reaches them and how the bytes travel. The registry is constant data,
 * safe from every thread; a mode's place in it is its place in every listing and legend.
 */
#pragma once

#include "device/device.h"

G_BEGIN_DECLS

/* What the stream modes can be asked for. */
#define MEMLANE_MOST_STREAMS 32
#define MEMLANE_MOST_CHUNKS 256

typedef struct _MemlaneBuffers MemlaneBuffers;       /* one buffer set: engine/mode/set.h */
typedef struct _MemlaneTransfer MemlaneTransfer; /* how bytes travel: engine/mode/travel.h */

/* Where a host vector lives. */
typedef enum
{
  MEMLANE_HOST_PAGEABLE,          /* malloc */
  MEMLANE_HOST_PINNED,            /* cudaMallocHost */
  MEMLANE_HOST_ALLOCATED,         /* cudaHostAlloc, default flags */
  MEMLANE_HOST_PORTABLE,
  MEMLANE_HOST_WRITE_COMBINED,
  MEMLANE_HOST_REGISTERED,        /* malloc + cudaHostRegister */
  MEMLANE_HOST_MAPPED,
  MEMLANE_HOST_MAPPED_WRITE_COMBINED,
  MEMLANE_HOST_REGISTERED_MAPPED,
  MEMLANE_HOST_MANAGED,           /* cudaMallocManaged: one memory for both sides */
  MEMLANE_HOST_MANAGED_STATIC,    /* __managed__ arrays */
} MemlaneHostMemory;

/* How the kernel reaches the vectors. */
typedef enum
{
  MEMLANE_REACH_DEVICE_COPY,      /* buffers in device memory, filled by copies */
  MEMLANE_REACH_DEVICE_POINTER,   /* the pointer from cudaHostGetDevicePointer */
  MEMLANE_REACH_SAME_POINTER,     /* the host's own pointer */
} MemlaneReach;

typedef struct
{
  const char *id;                 /* contract: scripts outside the project use it */
  const char *title;
  const char *summary;            /* what it is, two sentences */
  const char *calls;              /* the CUDA calls of one sample, in order */
  const char *look_for;           /* what to look for in the curve */
  MemlaneHostMemory input_memory, output_memory;
  MemlaneReach reach;
  const MemlaneTransfer *transfer;
  MemlaneCapabilities needs;
  /* (optional) Asked once per cell, between samples, with the vectors filled: a sentence for the upload's row; *@remark is (transfer full)
   * (nullable). */
  gboolean (*note) (const MemlaneBuffers *buffers, char **note, GError **error);
} MemlaneMode;

/* All modes, in order. *@n receives the count. */
const MemlaneMode *memlane_mode_list (guint *n);
/* (nullable) */
const MemlaneMode *memlane_mode_find (const char *id);

/* Whether @mode can run at all on the device that @info tells of, open (memlane_device_get_info()) or not (memlane_device_describe()). When
 * not, *@reason (transfer full) says why: "needs canMapHostMemory, which is 0 on this device". */
gboolean memlane_mode_is_supported (const MemlaneMode *mode, const MemlaneDeviceInfo *info, char **reason);

/* (transfer full) (nullable): the first of @needs that the device lacks, in words; NULL: it has them all. */
char *memlane_capabilities_explain_missing (MemlaneCapabilities needs, const MemlaneDeviceInfo *info);

G_END_DECLS
