/* bench.h: whatever measures waits here for its turn: one job at a time, with one status, one
 * fraction, one Stop and one end
 *
 * SPDX-License-Identifier: MIT
 *
 * Sweeps, recordings of traces (the stream laboratory's, too) and experiments would disturb each
 * other, so each is a job on the bench. A job's work is its owner's: it starts when it is told,
 * reports its progress, and says when it has ended.
 *
 * GObject without GTK, main thread only.
 * Properties: "running" boolean: a job goes on; "stopping" boolean: it was told to end; "fraction"
 * double, 0 to 1, and "status" string: what it says of itself; 0 and "" while nothing goes on.
 * Signal: "changed": which jobs there are is different, so memlane_bench_get_objection() may be.
 */
#pragma once

#include <gio/gio.h>

typedef enum
{
  MEMLANE_BENCH_SWEEP,
  MEMLANE_BENCH_TRACE,
  MEMLANE_BENCH_EXPERIMENT,
} MemlaneBenchKind;

/* The calls for jobs of one kind; static. @owner and @data are those of memlane_bench_put(). */
typedef struct
{
  MemlaneBenchKind kind;
  /* It is its turn. memlane_bench_end() follows, perhaps at once. */
  void (*start) (gpointer owner, gpointer data);
  /* It goes on and is to end soon; called once. */
  void (*stop) (gpointer owner, gpointer data);
  /* (nullable) It waited when all was stopped, and will not start. */
  void (*drop) (gpointer owner, gpointer data);
} MemlaneBenchJob;

#define MEMLANE_TYPE_BENCH (memlane_bench_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneBench, memlane_bench, MEMLANE, BENCH, GObject)

/* Others read the fields. */
struct _MemlaneBench
{
  GObject parent_instance;

  GQueue entries; /* (element-type Entry): the first one goes on */
  gboolean running, stopping, shut;
  double fraction;
  char *status;
};

MemlaneBench *memlane_bench_new (void);

/* Why no job of @kind can be put here now, in the person's language; NULL: it can. Traces may wait
 * for each other. (transfer none) */
const char *memlane_bench_get_objection (MemlaneBench *self, MemlaneBenchKind kind);
/* A job of @kind goes on or waits. */
gboolean memlane_bench_has (MemlaneBench *self, MemlaneBenchKind kind);
gboolean memlane_bench_is_running (MemlaneBench *self); /* any job */

/* Starts the job now, or when those before it have ended. There is no objection. @owner stays until
 * the job has ended. */
void memlane_bench_put (MemlaneBench *self, const MemlaneBenchJob *job, gpointer owner,
                        gpointer data);
/* Called by the owner of the job that goes on. @status NULL, @fraction below 0: as it was. */
void memlane_bench_report (MemlaneBench *self, const char *status, double fraction);
/* The job that goes on has ended; the next one starts. */
void memlane_bench_end (MemlaneBench *self);

/* Tells the job that goes on to end, and drops those that wait. */
void memlane_bench_stop (MemlaneBench *self);
/* For closing the window: stops, takes nothing more, and runs the main context until no job goes
 * on. A job that has not stopped after half a second ends with its worker. */
void memlane_bench_shut_down (MemlaneBench *self);
/* Runs the main context until @is_busy, asked with @data, says FALSE; 30 seconds at most. For what
 * ends soon, since it was stopped. */
void memlane_bench_wait (gboolean (*is_busy) (gpointer data), gpointer data);
