/* recipe.h: one workload in one mode at one size: the steps of a sample, and how its result is checked
 *
 * SPDX-License-Identifier: MIT
 *
 * The one who measures calls, in this order, and reads the device's clock in between:
 *   new -> allocate (buffers) -> check_attributes (buffers) -> write_inputs -> settle -> allocate_lead_in
 *       -> (prepare -> issue each step -> finish -> read_output? -> verify)* -> release_lead (buffers)
 *       -> release (buffers) -> free
 * After any failure: free, which gives back all that is out. All on the thread that owns the device.
 */
#pragma once

#include <gio/gio.h>

#include "buffers.h"
#include "reference.h"
#include "result/run.h"
#include "method.h"

G_BEGIN_DECLS

/* How a step may be timed. */
typedef enum
{
  MEMLANE_TIMING_LATCHED, /* all of it is queued: device time between two events, behind a latch */
  MEMLANE_TIMING_EVENTS,  /* queued, but a call may wait for the stream, which a latch would hold up: events alone */
  MEMLANE_TIMING_HOST,    /* it blocks: host time until it is complete */
} MemlaneTiming;

typedef struct
{
  MemlanePhase phase;
  MemlaneTiming timing;
  MemlaneIssue issue;
  guint repeats;       /* of the call */
  guint64 bytes_moved; /* by all of them */
  /* (optional) Queued before the start event: a small transfer like the first of the step. So the event stands on the copy engine already,
   * and the time does not hold the change from the latch's engine. And so the driver's thread is awake which carries pages home. A real
   * program's copies follow other copies as often as kernels. It moves vectors of its own (MemlaneBuffers, lead_*): those that are timed
   * have been touched by nothing but the host. */
  MemlaneIssue lead_in;
  gboolean completes;  /* TIMING_HOST: it returns when all has arrived; FALSE: that must be waited for */
  const char *detail;  /* (nullable) static: what its device time holds beside the transfer */
} MemlaneStep;

/* One thing to look at after a sample. */
typedef struct
{
  const MemlaneVector *vector; /* from memlane_recipe_new() */
  gboolean is_input;      /* the first input; FALSE: the output */
  gboolean in_buffer;     /* its device side, fetched by a copy; FALSE: the host's side, read in place */
  gboolean is_poisoned;   /* filled with NaNs before each sample, so that only this sample can make it right */
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
  gboolean finish_waits;          /* a whole sample ends with a wait, unless the layout says FALSE: its last call has waited already */
  gboolean settles_on_device;     /* before each sample the output is moved to the device by a prefetch */
  const float *output_content;    /* what the output holds beforehand: the source of a copy to the host; NULL: nothing */
  gboolean inputs_preloaded;      /* the inputs' device side holds their data beforehand */
  MemlaneCheck checks[2];
  guint n_checks;

  MemlaneBuffers *buffers;                /* owned */
  gboolean inputs_are_new;                /* the next sample may do with them as they were written last */
  guint n_verified;                       /* samples */
};

/* NULL with @error when streams or events cannot be made. @method's workload and @mode must be supported on @device. */
MemlaneRecipe *memlane_recipe_new (MemlaneDevice *device, const MemlaneMethod *method, const MemlaneMode *mode, gsize elements,
                                   const MemlaneReference *reference, GError **error);
void memlane_recipe_free (MemlaneRecipe *self);

gboolean memlane_recipe_has_host_inputs (const MemlaneRecipe *self);
/* Streams and chunks as used; 0 where the mode has none. */
guint memlane_recipe_get_streams (const MemlaneRecipe *self);
guint memlane_recipe_get_chunks (const MemlaneRecipe *self);

gboolean memlane_recipe_write_inputs (MemlaneRecipe *self, GError **error);  /* phase host_write */
gboolean memlane_recipe_settle (MemlaneRecipe *self, GError **error);        /* once after the first write; not timed */
/* Memory for the steps' lead-ins, where they have any; neither this nor its release is timed. Not while alloc or free is: they share their
 * pools. */
gboolean memlane_recipe_allocate_lead_in (MemlaneRecipe *self, GError **error);
/* Before each sample; not timed; all done on return. In every mode the host writes the inputs anew, unless inputs_are_new. So they lie in
 * its caches, and managed pages on its side, as after any real write: what is left of the sample before would differ from mode to mode.
 * The host's results are made wrong each time; the device's too when @will_verify says that the whole sample will be checked. */
gboolean memlane_recipe_prepare (MemlaneRecipe *self, gboolean will_verify, GError **error);
/* Makes the calls of @step, one of its own; waits for nothing that they do not wait for. */
gboolean memlane_recipe_issue (MemlaneRecipe *self, const MemlaneStep *step, GError **error);
gboolean memlane_recipe_finish (MemlaneRecipe *self, GError **error);        /* waits until the result may be read */
/* Whether the result is right, as far as this check goes (reference.h); *@mismatch (transfer full) says where it is not, NULL: it is right.
 * FALSE: a call failed. */
gboolean memlane_recipe_verify (MemlaneRecipe *self, char **mismatch, GError **error);
gboolean memlane_recipe_read_output (MemlaneRecipe *self, GError **error);   /* phase host_read, into the reference's scratch */

G_END_DECLS
