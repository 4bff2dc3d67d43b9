/* recipe.h: one workload in one mode at one size: the steps of a sample, its seeded data, and how
 * its result is checked
 *
 * SPDX-License-Identifier: MIT
 *
 * The one who measures calls, in this order, and reads the device's clock in between:
 *   new -> allocate (buffers) -> check_attributes (buffers) -> write_inputs -> settle ->
 *   allocate_lead_in
 *       -> (prepare -> issue each step -> finish -> read_output? -> verify)* -> release_lead
 *       (buffers)
 *       -> release (buffers) -> free
 * After any failure: free, which gives back all that is out. All on the thread that owns the
 * device.
 */
#pragma once

#include <gio/gio.h>

#include "buffers.h"
#include "method.h"
#include "result/run.h"

/* The seeded data that all recipes of a sweep work on: finite, incompressible. Plain host memory,
 * read only but for scratch. */
typedef struct
{
  gsize elements;
  float *input[2];
  float *sum;     /* sum[i] = input[0][i] + input[1][i] */
  float *scratch; /* for the one who measures */
  gboolean is_of_pieces; /* of large vectors the pieces alone are there: base/pieces.h */
} MemlaneReference;

/* @of_pieces: for a device that moves the pieces of large vectors alone. Beyond
 * MEMLANE_PIECES_ABOVE bytes nothing else is there then, and memlane_reference_describe_mismatch()
 * compares nothing else. NULL with MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY when the host has no room, or
 * G_IO_ERROR_CANCELLED (large ones take seconds). */
MemlaneReference *memlane_reference_new (gsize elements, gboolean of_pieces, guint64 seed,
                                         GCancellable *cancellable, GError **error);
void memlane_reference_free (MemlaneReference *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneReference, memlane_reference_free)

#define MEMLANE_FILL_BYTE 0x5a
#define MEMLANE_POISON_BYTE 0xff /* all bits set: a NaN in every float */

/* longer vectors are compared whole in every fifth check alone */
#define MEMLANE_WHOLE_CHECK_BYTES ((gsize) 256 << 10)
#define MEMLANE_WHOLE_CHECK_EVERY 5

/* As memlane_describe_mismatch(), of what @self holds. @check: the number of the check, from 0, of
 * the same vector. Those whose number is no multiple of five compare one float of each KiB of a
 * long vector, and its first and last one. Which one is random in each KiB and each check. So a
 * wrong stretch of 2 KiB is always found, and what is wrong at every n-th float, too. Less is found
 * by the whole checks. */
char *memlane_reference_describe_mismatch (const MemlaneReference *self, const float *found,
                                           const float *expected, gsize elements, guint check);
/* The first of @elements floats that is not bit for bit as expected (NULL: every byte is
 * MEMLANE_FILL_BYTE), in words. (transfer full), NULL: all are. */
char *memlane_describe_mismatch (const float *found, const float *expected, gsize elements);

/* How a step may be timed. */
typedef enum
{
  MEMLANE_TIMING_LATCHED, /* all of it is queued: device time between two events, behind a latch */
  /* queued, but a call may wait for the stream, which a latch would hold up: events alone */
  MEMLANE_TIMING_EVENTS,
  MEMLANE_TIMING_HOST,    /* it blocks: host time until it is complete */
} MemlaneTiming;

typedef struct
{
  MemlanePhase phase;
  MemlaneTiming timing;
  MemlaneIssue issue;
  guint repeats;       /* of the call */
  guint64 bytes_moved; /* by all of them */
  /* (optional) Queued before the start event: a small transfer like the first of the step. So the
   * event stands on the copy engine already, and the time does not hold the change from the latch's
   * engine. And so the driver's thread is awake which carries pages home. A real program's copies
   * follow other copies as often as kernels. It moves vectors of its own (MemlaneBuffers, lead_*):
   * those that are timed have been touched by nothing but the host. */
  MemlaneIssue lead_in;
  /* TIMING_HOST: it returns when all has arrived; FALSE: that must be waited for */
  gboolean completes;
  const char *detail;  /* (nullable) static: what its device time holds beside the transfer */
} MemlaneStep;

/* One thing to look at after a sample. */
typedef struct
{
  const MemlaneVector *vector; /* from memlane_recipe_new() */
  gboolean is_input;      /* the first input; FALSE: the output */
  /* its device side, fetched by a copy; FALSE: the host's side, read in place */
  gboolean in_buffer;
  /* filled with NaNs before each sample, so that only this sample can make it right */
  gboolean is_poisoned;
  const float *expected;  /* NULL: every byte is MEMLANE_FILL_BYTE */
} MemlaneCheck;

struct _MemlaneRecipe
{
  const MemlaneWorkload *workload;
  const MemlaneMode *mode;
  const MemlaneReference *reference;
  gsize elements, bytes;
  guint reuse;
  guint streams, chunks;          /* as asked for */
  gboolean cold_cache;            /* likewise */

  /* laid out by the workload */
  MemlaneShape shape;
  MemlaneKernel kernel;
  MemlaneStep steps[3];
  guint n_steps;
  guint64 elapsed_bytes;          /* what a whole sample moves */
  /* a whole sample ends with a wait, unless the layout says FALSE: its last call has waited
   * already */
  gboolean finish_waits;
  /* before each sample the output is moved to the device by a prefetch */
  gboolean settles_on_device;
  /* what the output holds beforehand: the source of a copy to the host; NULL: nothing */
  const float *output_content;
  gboolean inputs_preloaded;      /* the inputs' device side holds their data beforehand */
  MemlaneCheck checks[2];
  guint n_checks;

  MemlaneBuffers *buffers;                /* owned */
  /* the next sample may do with them as they were written last */
  gboolean inputs_are_new;
  guint n_verified;                       /* samples */
};

/* NULL with @error when streams or events cannot be made. @method's workload and @mode must be
 * supported on @device. */
MemlaneRecipe *memlane_recipe_new (MemlaneDevice *device, const MemlaneMethod *method,
                                   const MemlaneMode *mode, gsize elements,
                                   const MemlaneReference *reference, GError **error);
void memlane_recipe_free (MemlaneRecipe *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneRecipe, memlane_recipe_free)

gboolean memlane_recipe_has_host_inputs (const MemlaneRecipe *self);
/* Streams and chunks as used; 0 where the mode has none. */
guint memlane_recipe_get_streams (const MemlaneRecipe *self);
guint memlane_recipe_get_chunks (const MemlaneRecipe *self);

gboolean memlane_recipe_write_inputs (MemlaneRecipe *self, GError **error);  /* phase host_write */
/* once after the first write; not timed */
gboolean memlane_recipe_settle (MemlaneRecipe *self, GError **error);
/* Memory for the steps' lead-ins, where they have any; neither this nor its release is timed. Not
 * while alloc or free is: they share their pools. */
gboolean memlane_recipe_allocate_lead_in (MemlaneRecipe *self, GError **error);
/* Before each sample; not timed; all done on return. In every mode the host writes the inputs anew,
 * unless inputs_are_new. So they lie in its caches, and managed pages on its side, as after any
 * real write: what is left of the sample before would differ from mode to mode. The host's results
 * are made wrong each time; the device's too when @will_verify says that the whole sample will be
 * checked. */
gboolean memlane_recipe_prepare (MemlaneRecipe *self, gboolean will_verify, GError **error);
/* Makes the calls of @step, one of its own; waits for nothing that they do not wait for. */
gboolean memlane_recipe_issue (MemlaneRecipe *self, const MemlaneStep *step, GError **error);
/* waits until the result may be read */
gboolean memlane_recipe_finish (MemlaneRecipe *self, GError **error);
/* Whether the result is right, as far as this check goes (memlane_reference_describe_mismatch());
 * *@mismatch (transfer full) says where it is not, NULL: it is right. FALSE: a call failed. */
gboolean memlane_recipe_verify (MemlaneRecipe *self, char **mismatch, GError **error);
/* phase host_read, into the reference's scratch */
gboolean memlane_recipe_read_output (MemlaneRecipe *self, GError **error);
