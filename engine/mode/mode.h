/* mode.h: every memory mode, in one registry
 *
 * SPDX-License-Identifier: MIT
 *
 * A mode says where the host's vectors live, how the kernel reaches them and how the bytes travel.
 * Its row also holds what other rooms need to know of it (the way, the curve, what it is compared
 * with). So nobody asks for an id.
 * A new mode that is made of known parts is one row in modes.c. The registry is constant data, safe
 * from every thread. A mode's place in it is its place in every listing and legend.
 */
#pragma once

#include <glib.h>

#include "device/device.h"

G_BEGIN_DECLS

/* The parameters of a cell; streams and chunks are the stream modes'. */
#define MEMLANE_MOST_STREAMS 32
#define MEMLANE_MOST_CHUNKS 256
#define MEMLANE_MOST_PIECES 65536 /* the chunks of scattered vectors */
#define MEMLANE_MOST_REUSE 100000 /* kernel launches, or copies, per transfer */

typedef struct _MemlaneBuffers MemlaneBuffers;   /* the vectors of a sample: mode/buffers.h */
typedef struct _MemlaneTransfer MemlaneTransfer; /* the calls that move them: mode/transfer.h */

/* The memory of a host vector. */
typedef enum
{
  MEMLANE_HOST_PAGEABLE,          /* malloc */
  MEMLANE_HOST_PINNED,            /* cudaMallocHost */
  MEMLANE_HOST_ALLOCATED,         /* cudaHostAlloc, default flags */
  MEMLANE_HOST_PORTABLE,
  MEMLANE_HOST_WRITE_COMBINED,
  MEMLANE_HOST_REGISTERED,        /* malloc + cudaHostRegister */
  MEMLANE_HOST_REGISTERED_READ_ONLY, /* the same, and the device writes nothing there */
  MEMLANE_HOST_MAPPED,
  MEMLANE_HOST_MAPPED_WRITE_COMBINED,
  MEMLANE_HOST_REGISTERED_MAPPED,
  MEMLANE_HOST_MANAGED,           /* cudaMallocManaged: one memory for both sides */
  MEMLANE_HOST_MANAGED_STATIC,    /* __managed__ arrays */
} MemlaneHostMemory;

/* How the bytes reach the kernel: modes of one way differ little, and often cannot be told
 * apart. */
typedef enum
{
  MEMLANE_WAY_PAGEABLE,  /* copied from pageable memory */
  MEMLANE_WAY_PINNED,    /* copied from page-locked memory */
  MEMLANE_WAY_ZERO_COPY, /* reached over the link */
  MEMLANE_WAY_MANAGED,   /* pages migrate: faults, prefetches, and system memory */
  MEMLANE_WAY_STREAMS,   /* copied in chunks beside kernels */
  /* on the device already: the baseline, which takes no part in the contest */
  MEMLANE_WAY_RESIDENT,
  MEMLANE_N_WAYS
} MemlaneWay;

/* A group that a chart draws as one line, a plan ticks as one box and a talk reveals as one step.
 * As the ways, but for stream-ordered: its copies are from page-locked memory, its allocations are
 * part of each sample. The first mode of a family in the registry is its simplest.
 * */
typedef enum
{
  MEMLANE_FAMILY_PAGEABLE,
  MEMLANE_FAMILY_PINNED,
  MEMLANE_FAMILY_ZERO_COPY,
  MEMLANE_FAMILY_MANAGED,
  MEMLANE_FAMILY_STREAMS,
  MEMLANE_FAMILY_STREAM_ORDERED,
  MEMLANE_FAMILY_BASELINE, /* device-resident: what the others approach */
  MEMLANE_N_FAMILIES
} MemlaneFamily;

/* How the kernel reaches the vectors. */
typedef enum
{
  MEMLANE_REACH_DEVICE_COPY,      /* buffers in device memory, filled by copies */
  MEMLANE_REACH_DEVICE_POINTER,   /* the pointer from cudaHostGetDevicePointer */
  MEMLANE_REACH_SAME_POINTER,     /* the host's own pointer */
} MemlaneReach;

typedef struct _MemlaneMode
{
  const char *id;                 /* contract: scripts outside the project use it */
  /* what a program has to do for it, from 1: malloc and copies; one kind of page-locked or managed
   * memory; flags; advice and prefetches; streams. Of two modes with the same effort the earlier
   * one is the simpler one */
  guint effort;
  /* (nullable) the id of a mode that asks for the same thing in other words: what differs between
   * the two is error of measurement (analysis/control.h) */
  const char *identical_to;
  const char *title;
  const char *summary;            /* what it is, two sentences */
  const char *calls;              /* the CUDA calls of one sample, in order */
  const char *look_for;           /* what to look for in the curve */
  MemlaneHostMemory input_memory, output_memory;
  MemlaneReach reach;
  const MemlaneTransfer *transfer;
  MemlaneCapabilities needs;
  MemlaneWay way;
  MemlaneFamily family;
  /* few blocks that walk, as many as the link needs; FALSE: one element a thread, as anybody writes
   * it */
  gboolean shaped_kernel;
  /* device buffers are mapped by the driver's virtual memory management */
  gboolean virtual_memory;
  /* managed memory, by advice: the device writes it over the link, each kernel anew */
  gboolean result_stays_on_host;
  /* (nullable) why copies on the host would be another mode's: "its host memory is that of
   * pinned" */
  const char *same_host_memory;
  /* (nullable) the id of a mode whose host_write and host_read this mode's are compared with */
  const char *host_access_like;
  /* (optional) Asked once per cell, between samples, with the vectors filled: a sentence for the
   * upload's row; *@note is (transfer full) (nullable). */
  gboolean (*note) (const MemlaneBuffers *buffers, char **note, GError **error);
} MemlaneMode;

#define MEMLANE_MOST_MODES 64 /* a set of modes is a guint64 */

/* All modes, in order. *@n receives the count. */
const MemlaneMode *memlane_mode_list (guint *n);
/* (nullable) */
const MemlaneMode *memlane_mode_find (const char *id);

/* Constant; "?" for what is no family. The id ("zero-copy") is a contract as a mode's is, the title
 * is in English as a mode's. */
const char *memlane_family_id (MemlaneFamily family);
const char *memlane_family_title (MemlaneFamily family);

/* Names what of @needs the device lacks that @info tells of, open (memlane_device_get_info()) or
 * not (memlane_device_describe()): "needs canMapHostMemory, which is 0 on this device". (transfer
 * full); NULL: it has them all. */
char *memlane_capabilities_explain_missing (MemlaneCapabilities needs,
                                            const MemlaneDeviceInfo *info);

G_END_DECLS
