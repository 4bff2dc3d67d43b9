/* behind.c: a small copy while a large one is on its way
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include <math.h>
#include <stdlib.h>

#include "result/statistics.h"

#define LARGE ((gsize) 256 << 20)
#define HEAD_START_NS 2e5 /* of the large copy, at least */
#define SPREAD_NS 1e6     /* and so much more, another part of it each time */
#define MOST_SAMPLES 240

typedef enum
{
  WAY_ENGINE,
  WAY_PRIORITY, /* the same on a stream of the greatest priority */
  WAY_KERNEL,   /* which reads over the link */
  N_WAYS
} Way;

/* The large copy: none, the other way, the same way, and that in chunks. */
static const struct
{
  const char *name;
  gboolean same;
  gsize chunk;
} cases[] = {
  { "alone", FALSE, 0 },
  { "other", FALSE, LARGE },
  { "same", TRUE, LARGE },
  { "same-16", TRUE, (gsize) 16 << 20 },
  { "same-4", TRUE, (gsize) 4 << 20 },
  { "same-1", TRUE, (gsize) 1 << 20 },
};

static const char *const ways[N_WAYS] = { "engine", "priority", "kernel" };

typedef struct
{
  Way way;
  guint what;     /* of cases */
  guint n;        /* samples so far */
  MemlaneStream *large, *small[2];
  char *up_host, *up_device, *down_host, *down_device, *host, *device;
  void *reached;  /* host, as a kernel reaches it */
  double ns;      /* of the last sample */
} Behind;

static gboolean
issue_large (const MemlaneProcedureContext *context, const Behind *self, GError **error)
{
  const gboolean up = cases[self->what].same;
  const gsize chunk = cases[self->what].chunk;

  for (gsize at = 0; chunk > 0 && at < LARGE; at += chunk)
    if (!memlane_device_memcpy_async (
            context->device, (up ? self->up_device : self->down_host) + at,
            (up ? self->up_host : self->down_device) + at, chunk,
            up ? MEMLANE_COPY_TO_DEVICE : MEMLANE_COPY_TO_HOST, self->large, error))
      return FALSE;
  return TRUE;
}

static gboolean
issue_small (const MemlaneProcedureContext *context, const Behind *self, GError **error)
{
  MemlaneStream *stream = self->small[self->way == WAY_PRIORITY];

  if (self->way == WAY_KERNEL)
    return memlane_device_launch (context->device, MEMLANE_KERNEL_COPY,
                                  (float *) (gpointer) self->device, self->reached, NULL,
                                  context->elements, stream, error);
  return memlane_device_memcpy_async (context->device, self->device, self->host, context->bytes,
                                      MEMLANE_COPY_TO_DEVICE, stream, error);
}

/* The small copy is issued while the large one goes on. Its time ends when it has arrived. */
static gboolean
take_sample (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  Behind *self = data;
  MemlaneDevice *device = context->device;
  double begin;

  if (!memlane_device_host_fill (device, self->host, (int) ++self->n & 127, context->bytes, error)
      || !issue_large (context, self, error))
    return FALSE;
  memlane_device_pause (device, HEAD_START_NS + memlane_spread (self->n) * SPREAD_NS);
  begin = memlane_device_clock (device);
  if (!issue_small (context, self, error)
      || !memlane_device_stream_synchronize (device, self->small[self->way == WAY_PRIORITY], error))
    return FALSE;
  self->ns = memlane_device_clock (device) - begin;
  return memlane_device_synchronize (device, error);
}

/* All samples of one way and one case. */
static gboolean
measure (MemlaneProcedureContext *context, Behind *self, GError **error)
{
  const guint n = MIN (context->options.samples, memlane_device_get_info (context->device)->exact
                                                   ? MEMLANE_PROCEDURE_SAMPLES : MOST_SAMPLES);
  g_autofree char *group = g_strdup_printf ("%s/%s", ways[self->way], cases[self->what].name);
  double ns[MOST_SAMPLES];

  for (guint i = 0; i <= n; i++)
    {
      if (!memlane_procedure_go_on (context, error) || !take_sample (context, self, error))
        return FALSE;
      if (i > 0) /* the first pays for what happens once */
        memlane_procedure_sample (context, group, ns[i - 1] = self->ns);
    }
  qsort (ns, n, sizeof *ns, memlane_compare_doubles);
  memlane_procedure_sample_of (context, group, "p99", ns[(guint) ceil (0.99 * n) - 1]);
  memlane_procedure_sample_of (context, group, "worst", ns[n - 1]);
  return TRUE;
}

static gboolean
record (MemlaneProcedureContext *context, Behind *self, GError **error)
{
  g_autoptr (MemlaneTrace) trace = NULL;

  self->way = WAY_ENGINE;
  self->what = 2;
  trace = memlane_procedure_record (context, take_sample, self, "copy-to-device", NULL,
                                    "a small copy is issued while 256 MiB go the same way", error);
  if (trace == NULL)
    return FALSE;
  memlane_procedure_keep_trace (context, trace);
  return TRUE;
}

static gboolean
run_all (MemlaneProcedureContext *context, GError **error)
{
  const int greatest = memlane_device_get_info (context->device)->priority_greatest;
  Behind self = { 0 };

  if (!memlane_procedure_need (context, MEMLANE_CAN_COPY_ASYNC | MEMLANE_CAN_MAP_HOST_MEMORY, error)
      || !memlane_procedure_take (context, error, { MEMLANE_TAKE_STREAM, &self.large },
                                  { MEMLANE_TAKE_STREAM, &self.small[0] },
                                  { MEMLANE_TAKE_STREAM, &self.small[1], .priority = greatest },
                                  { MEMLANE_TAKE_PINNED, &self.up_host, LARGE },
                                  { MEMLANE_TAKE_DEVICE, &self.up_device, LARGE },
                                  { MEMLANE_TAKE_PINNED, &self.down_host, LARGE },
                                  { MEMLANE_TAKE_DEVICE, &self.down_device, LARGE },
                                  { MEMLANE_TAKE_MAPPED, &self.host, context->bytes, 1 },
                                  { MEMLANE_TAKE_DEVICE, &self.device, context->bytes })
      || !memlane_device_host_get_device_pointer (context->device, self.host, &self.reached, error))
    return FALSE;
  for (self.way = 0; self.way < N_WAYS; self.way++)
    for (self.what = 0; self.what < G_N_ELEMENTS (cases); self.what++)
      if (!measure (context, &self, error))
        return FALSE;
  return record (context, &self, error);
}

/* A simulated device need not move all of the large copies. */
static gboolean
run_behind (MemlaneProcedureContext *context, GError **error)
{
  gboolean moves_pieces = memlane_device_move_pieces (context->device, TRUE), done;

  done = run_all (context, error);
  if (moves_pieces)
    {
      done = memlane_held_give_all (&context->held, done ? error : NULL) && done;
      memlane_device_move_pieces (context->device, FALSE);
    }
  return done;
}

#define OF(name) name " " name "/p99 " name "/worst"
#define OF_WAY(way) \
  OF (way "/alone") " " OF (way "/other") " " OF (way "/same") " " \
  OF (way "/same-16") " " OF (way "/same-4") " " OF (way "/same-1")

const MemlaneProcedure memlane_procedure_behind = {
  .id = "behind",
  .summary =
      "a small copy to the device while 256 MiB go the same way or the other: by engine, with "
      "priority, by a kernel; the large one whole, in 16, 4 and 1 MiB",
  .outputs = { .times = OF_WAY ("engine") " " OF_WAY ("priority") " " OF_WAY ("kernel") },
  .defaults = { .log2_elements = 10, .samples = 120 },
  .most = { .log2_elements = 22, .samples = MOST_SAMPLES },
  .run = run_behind,
};
