/* trace.h: what a device and its host did during one sample, event by event
 *
 * SPDX-License-Identifier: MIT
 *
 * One event type for every kind of device: a GPU's come from CUPTI's activity records or from CUDA
 * events, a simulated device's from its event queue, a file's from Chrome trace JSON.
 *
 * Units.   start and duration are whole nanoseconds since the trace's start (whole, so that a trip
 *          through a file changes nothing). bytes are bytes. Other times are double nanoseconds.
 * Order.   Events are sorted by start; of two that start together the longer one comes first, then
 *          the one that was recorded first. An event's id is its place in this order. Nothing
 *          promises that events of a lane do not overlap: rows tell them apart.
 * Life.    A trace is finished when it is handed out: immutable and reference counted, so any
 *          thread may hold, read and release it. All that it hands out is (transfer none) and lives
 *          as long as the trace.
 * Memory.  MemlaneTraceEvent is 48 bytes; with the indices an event of two lanes takes 62.
 */
#pragma once

#include <gio/gio.h>

#include "base/file-error.h"

G_BEGIN_DECLS

#define MEMLANE_TRACE_ERROR (memlane_trace_error_quark ())
typedef enum
{
  MEMLANE_TRACE_ERROR_TOO_LARGE,     /* more events than this machine has memory for */
  /* the traced sample computed something else: nothing that it shows would be true */
  MEMLANE_TRACE_ERROR_WRONG_RESULT,
} MemlaneTraceError;
GQuark memlane_trace_error_quark (void);

typedef enum
{
  MEMLANE_TRACE_CALL,            /* a CUDA call on the host's thread */
  /* the host's own work on a buffer: malloc, free, write, fill, read, touch */
  MEMLANE_TRACE_HOST,
  MEMLANE_TRACE_SYNCHRONISATION, /* the host, or a stream, waits for work */
  /* the driver copies between pageable memory and its own page-locked buffer */
  MEMLANE_TRACE_STAGING,
  MEMLANE_TRACE_COPY,
  MEMLANE_TRACE_MEMSET,
  MEMLANE_TRACE_KERNEL,
  /* managed (or pageable) pages change sides: by a fault, or by a prefetch */
  MEMLANE_TRACE_MIGRATION,
  /* page faults; count says how many the event stands for, 0: not known */
  MEMLANE_TRACE_FAULT,
  MEMLANE_TRACE_HOST_FUNCTION,   /* cudaLaunchHostFunc's, on a thread of the driver */
  MEMLANE_TRACE_PHASE,           /* a part of the sample, until its work is done: "upload" */
  MEMLANE_TRACE_OTHER,           /* of a foreign file */
  MEMLANE_TRACE_N_KINDS
} MemlaneTraceKind;

/* The source and the target of an operation's bytes. */
typedef enum
{
  MEMLANE_TRACE_MEMORY_UNKNOWN,
  MEMLANE_TRACE_MEMORY_PAGEABLE,
  MEMLANE_TRACE_MEMORY_PINNED,   /* page-locked: allocated so, or registered */
  MEMLANE_TRACE_MEMORY_DEVICE,
  MEMLANE_TRACE_MEMORY_MANAGED,
  MEMLANE_TRACE_MEMORY_PEER,     /* the second device's */
  MEMLANE_TRACE_N_MEMORIES
} MemlaneTraceMemory;

/* The direction of copies and migrations. */
typedef enum
{
  MEMLANE_TRACE_WAY_NONE,
  MEMLANE_TRACE_WAY_TO_DEVICE,
  MEMLANE_TRACE_WAY_TO_HOST,
  MEMLANE_TRACE_WAY_ON_DEVICE,
  MEMLANE_TRACE_WAY_ON_HOST,
  MEMLANE_TRACE_WAY_TO_PEER,
  MEMLANE_TRACE_N_WAYS
} MemlaneTraceWay;

typedef enum
{
  MEMLANE_TRACE_ASYNC = 1 << 0,      /* of a call that need not wait for it */
  /* a copy from or to pageable memory: it goes through the driver's buffer */
  MEMLANE_TRACE_STAGED = 1 << 1,
  MEMLANE_TRACE_IMPLICIT = 1 << 2,   /* a synchronisation that no synchronising call asked for */
  MEMLANE_TRACE_FAILED = 1 << 3,     /* the call returned an error */
  MEMLANE_TRACE_PREFETCHED = 1 << 4, /* a migration by cudaMemPrefetchAsync */
  /* a migration that leaves the pages where they were, too: read-mostly */
  MEMLANE_TRACE_DUPLICATED = 1 << 5,
  /* a fault of the device's, a synchronisation of a stream: not the host's */
  MEMLANE_TRACE_ON_DEVICE = 1 << 6,
  /* a copy of the same bytes from the same place as the copy of that place before */
  MEMLANE_TRACE_REPEATED = 1 << 7,
} MemlaneTraceFlags;

#define MEMLANE_TRACE_NO_STREAM G_MAXUINT32
#define MEMLANE_TRACE_NONE G_MAXUINT32 /* no event, no lane */

typedef struct
{
  gint64 start, duration; /* ns; duration >= 0, 0: an instant */
  /* moved, set or asked for; of a kernel: bytes of one vector's part; 0: none, or not known */
  guint64 bytes;
  guint32 correlation;    /* links a call with what it issued; 0: none */
  guint32 name;           /* memlane_trace_get_name() */
  /* its number, as tools show it; MEMLANE_TRACE_NO_STREAM. OTHER: the number of its track */
  guint32 stream;
  /* FAULT: faults; COPY of a recorded program: the number of the host's buffer; * CALL: its thread,
   * 0: not known; others 0 */
  guint32 count;
  guint16 lane;           /* the lane that is its home */
  guint8 kind, way, source, destination; /* the enums above */
  guint8 flags;
  guint8 spare;
} MemlaneTraceEvent;

G_STATIC_ASSERT (sizeof (MemlaneTraceEvent) == 48);

/* --- lanes ------------------------------------------------------------------------------------ */

/* In the order of a timeline, top down. An operation lies in its stream's lane, which is its home,
 * and in the lane of its engine. */
typedef enum
{
  MEMLANE_TRACE_LANE_PHASES,
  MEMLANE_TRACE_LANE_HOST,           /* calls, the host's own work, its waits */
  MEMLANE_TRACE_LANE_STAGING,
  MEMLANE_TRACE_LANE_HOST_FUNCTIONS,
  MEMLANE_TRACE_LANE_COPY_UP,        /* the copy engine to the device */
  MEMLANE_TRACE_LANE_COPY_DOWN,      /* and from it */
  MEMLANE_TRACE_LANE_COPY_INSIDE,    /* on the device, to a second one */
  MEMLANE_TRACE_LANE_KERNELS,        /* and memsets */
  MEMLANE_TRACE_LANE_MIGRATIONS,     /* and faults */
  MEMLANE_TRACE_LANE_STREAM,         /* one for each stream */
  MEMLANE_TRACE_LANE_OTHER,          /* one for each track of a foreign file */
  MEMLANE_TRACE_N_LANES
} MemlaneTraceLaneKind;

typedef struct
{
  MemlaneTraceLaneKind kind;
  guint32 stream;        /* STREAM: its number; OTHER: the track's; else MEMLANE_TRACE_NO_STREAM */
  const char *title;     /* "copy engine to device", "stream 13" */
  guint n_events;
  const guint32 *events; /* ids, ascending: sorted by start */
  /* of each entry: 0, or the next that is free where events of the lane overlap; 255 when there are
   * more */
  const guint8 *rows;
  guint n_rows;
  gint64 busy;           /* ns in which something of it was going on */
} MemlaneTraceLane;

typedef struct _MemlaneTrace MemlaneTrace;

/* Returns the number of entries that start before @time. */
guint memlane_trace_lane_last (const MemlaneTrace *trace, const MemlaneTraceLane *lane,
                               gint64 time);

/* --- the trace -------------------------------------------------------------------------------- */

/* A stream that the trace mentions. */
typedef struct
{
  guint32 number;
  gboolean is_default;   /* the legacy default stream */
  gboolean non_blocking; /* it does not wait for the default stream, nor that for it */
  int priority;
} MemlaneTraceStream;

/* The facts about a trace as a whole. Strings may be NULL: not known. */
typedef struct
{
  char *device, *device_name, *device_kind; /* "cuda:0", "NVIDIA H200", "cuda" */
  gboolean simulated;
  /* how it was recorded: "CUPTI", "CUDA events", "simulated device", a foreign file's "Chrome
   * trace" */
  char *source;
  char *workload, *mode; /* ids */
  guint log2_elements;
  guint64 elements;      /* of one vector; 0: not known */
  guint reuse, streams, chunks; /* 0: not known, or the mode has none */
  char *method;          /* in words: what was recorded, and after what warm-up */
  char *environment;     /* JSON text as of NAME.environment.json */
  char *date;            /* ISO 8601, UTC */
  /* the sample's elapsed time with tracing, and the median without, in the same buffers; 0: not
   * known */
  double traced_ns, untraced_ns;
  char *overhead;        /* the same in words */
  /* it is what lies within the ranges of this name (memlane_trace_cut()); NULL: all of it */
  char *range;
  guint64 dropped;       /* records that were lost while recording */
  guint64 skipped;       /* records of a file that mean nothing to us */
  GPtrArray *notes;      /* (element-type char*) sentences; never NULL in a finished trace */
} MemlaneTraceInfo;

MemlaneTrace *memlane_trace_ref (MemlaneTrace *trace);
void memlane_trace_unref (MemlaneTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneTrace, memlane_trace_unref)

const MemlaneTraceInfo *memlane_trace_get_info (const MemlaneTrace *trace);
const MemlaneTraceEvent *memlane_trace_get_events (const MemlaneTrace *trace, guint *n);
/* Returns an event's name; "" for an id that is none. */
const char *memlane_trace_get_name (const MemlaneTrace *trace, guint32 name);
/* When the last event ends; 0 in an empty trace. */
gint64 memlane_trace_get_end (const MemlaneTrace *trace);
/* Lanes that hold something, in the order of the enum; streams by number. */
const MemlaneTraceLane *memlane_trace_get_lanes (const MemlaneTrace *trace, guint *n);
const MemlaneTraceStream *memlane_trace_get_streams (const MemlaneTrace *trace, guint *n);
/* (nullable) */
const MemlaneTraceStream *memlane_trace_find_stream (const MemlaneTrace *trace, guint32 number);
/* Returns the number that people use: 1, 2, 3... by number, default streams aside. 0: a default
 * stream, or none of the trace. */
guint memlane_trace_stream_place (const MemlaneTrace *trace, guint32 number);
/* How many events there are of @kind; @flags (nullable) receives those that any of them has.
 * O(1). */
guint memlane_trace_count_kind (const MemlaneTrace *trace, MemlaneTraceKind kind, guint8 *flags);
/* All events that share @correlation, ids ascending; 0 has none. O(log n). */
const guint32 *memlane_trace_get_correlated (const MemlaneTrace *trace, guint32 correlation,
                                             guint *n);
/* The call that issued event @id; MEMLANE_TRACE_NONE: not known, or it is a call itself. */
guint32 memlane_trace_find_call (const MemlaneTrace *trace, guint32 id);

/* --- overlap ---------------------------------------------------------------------------------- */

/* The resource that an event keeps busy, for overlap. */
typedef enum
{
  MEMLANE_TRACE_ENGINE_UP,     /* copies and prefetches to the device */
  MEMLANE_TRACE_ENGINE_KERNEL, /* kernels, memsets */
  MEMLANE_TRACE_ENGINE_DOWN,   /* copies and prefetches to the host */
  MEMLANE_TRACE_ENGINE_NONE
} MemlaneTraceEngine;

/* How long the device's work could take at best, from the times in which each engine was busy:
 *   serial   up + kernel + down            nothing overlaps
 *   one_way  max (up + down, kernel)       kernels run beside the copies of one copy engine
 *   full     max (up, kernel, down)        copies both ways and kernels run beside each other
 *
 * The formulas are those of NVIDIA's CUDA sample simpleMultiCopy ("theoretical limits for speedup
 * gained from overlapped data transfers"). An engine that is busy with two things at once counts
 * once; the times are as measured, so what overlap slows down stays in them. */
typedef struct
{
  /* ns busy: copies (and prefetches) to the device, kernels and memsets, copies to the host */
  double up, kernel, down;
  double serial, one_way, full;     /* ns */
  double measured;                  /* ns, from the first operation's start to the last one's end */
  gint64 begin, end;                /* of that, on the trace's axis */
  /* (serial - measured) / (serial - full): at most 0: nothing overlapped; 1: all that can be won */
  double efficiency;
} MemlaneTraceBounds;

/* FALSE: fewer than two of the three engines worked, so there is nothing to overlap. */
gboolean memlane_trace_compute_bounds (const MemlaneTrace *trace, MemlaneTraceBounds *bounds);

/* Traces as Chrome trace JSON, the format that Perfetto and chrome://tracing read. What is written
 * is read back to an equal trace.
 * Each event is one "X" record on the thread that stands for its home lane (and row). Its "cat" is
 * its kind's word, "args" holds the rest. "otherData" holds what is known of the trace. Up to
 * MEMLANE_TRACE_MOST_FLOWS events there are flow arrows from calls to operations.
 *
 * Files of other programs are read as far as they go: records X, B/E, i and I become events. Those
 * of PyTorch's profiler and of converters of nsys reports that say "kernel", "gpu_memcpy",
 * "cuda_runtime" and so on become what they are. All others become OTHER, in a lane for each
 * thread. M, s, t and f are understood; records of other phases are counted as skipped.
 *
 * The reader takes what "nsys export --type sqlite" writes, too, where the library was built with
 * SQLite. */
#define MEMLANE_TRACE_MOST_FLOWS 100000

/* Written beside and renamed; "-" and pipes are written straight. FALSE with MEMLANE_FILE_ERROR_IO.
 * Any thread. */
gboolean memlane_trace_write_json (const MemlaneTrace *trace, const char *path, GError **error);

/* @part: 0 to 1 of the file's bytes; called in the reading thread, some thousand times at most for
 * each GiB. */
typedef void (*MemlaneTraceProgress) (double part, gpointer user_data);

/* A file may be packed by gzip. Strict: the first thing that is wrong refuses the whole file, with
 * its place: what is no JSON, cut off, no trace, has an event that ends before it starts, a time
 * that is no number. Blocks; any thread. Returns: (transfer full), or NULL with
 * MEMLANE_FILE_ERROR_BAD, _IO, MEMLANE_TRACE_ERROR_TOO_LARGE, or G_IO_ERROR_CANCELLED. */
MemlaneTrace *memlane_trace_read_json (const char *path, MemlaneTraceProgress progress,
                                       gpointer user_data, GCancellable *cancellable,
                                       GError **error);

G_END_DECLS

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* Word of a file ("copy", "pinned", "to-device"); static. The parsers return FALSE for an unknown
 * word. */
const char *memlane_trace_kind_name (MemlaneTraceKind kind);
const char *memlane_trace_memory_name (MemlaneTraceMemory memory);
const char *memlane_trace_way_name (MemlaneTraceWay way);
gboolean memlane_trace_kind_parse (const char *word, MemlaneTraceKind *kind);
gboolean memlane_trace_memory_parse (const char *word, MemlaneTraceMemory *memory);
gboolean memlane_trace_way_parse (const char *word, MemlaneTraceWay *way);

guint memlane_trace_get_n_names (const MemlaneTrace *trace);

/* Returns what memlane_trace_write_json() writes: (transfer full). The other one reads such a text;
 * @name stands for it in messages. */
GString *memlane_trace_to_json (const MemlaneTrace *trace);
MemlaneTrace *memlane_trace_parse (const char *text, gsize length, const char *name,
                                   GError **error);

/* The first bytes of what Nsight Systems exports, with the 0 behind them. */
#define MEMLANE_NSYS_MAGIC "SQLite format 3"
/* Reads the tables of "nsys export --type sqlite": calls, copies, fills, kernels, synchronisation,
 * page faults and NVTX ranges. Parameters and errors as of memlane_trace_read_json(). Without
 * SQLite it refuses each file. */
MemlaneTrace *memlane_trace_read_nsys (const char *path, MemlaneTraceProgress progress,
                                       gpointer user_data, GCancellable *cancellable,
                                       GError **error);

/* Reads the files that the recorder wrote (record.h), one for each process of the program, into one
 * trace. Calls are named after what they are and where the program makes them: "cudaMemcpy
 * (main.cu:42)". The place comes from addr2line, where it and the program's debugging information
 * are there; else it is a function or an offset. Blocks; any thread. @paths ends in NULL and has
 * one at least.
 * Returns: (transfer full), or NULL with MEMLANE_FILE_ERROR_BAD, _IO or
 * MEMLANE_TRACE_ERROR_TOO_LARGE. */
MemlaneTrace *memlane_trace_read_recording (char *const *paths, GError **error);

/* The name of a kernel or a call as a person writes it: "_ZN7memlane12quads_kernelILb1EEvv" is
 * "quads_kernel", and "cudaMemcpyAsync_ptsz_v7000" is "cudaMemcpyAsync". Returns: (transfer
 * full). */
char *memlane_trace_plain_name (const char *name);

/* Whether the device (not the host) does it: copies, memsets, kernels, prefetches. Migrations by
 * faults happen inside a kernel. */
gboolean memlane_trace_event_is_operation (const MemlaneTraceEvent *event);

MemlaneTraceEngine memlane_trace_engine_of (const MemlaneTraceEvent *event);

#endif
