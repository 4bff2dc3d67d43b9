/* oversubscribe.c: more managed memory than the device has room for
 *
 * SPDX-License-Identifier: MIT
 *
 * A ballast, allocated by cudaMalloc, makes the device small: ROOM stays free beside it. Managed
 * memory of half to twice that room is then read and written. The ballast goes back in every way
 * out, with all else that the context holds.
 * For the sake of shared servers nothing is tried where another program uses the device, or where
 * the host has little memory.
 */
#include "procedure.h"

#include "base/fail.h"

#define MIB ((guint64) 1 << 20)
#define GIB ((guint64) 1 << 30)
/* beside the ballast; the managed memory is at most three times as much */
#define ROOM (2 * GIB)
/* of the device before: a context takes half a GiB, and more is another program's */
#define MOST_USED (2 * GIB)
#define LEAST_HOST (6 * ROOM)
#define MOST_EVENTS 100000  /* of a recording, to be shown */
#define SHOWN 150           /* percent: the one that is shown */

static const guint percents[] = { 50, 100, 150, 200 }; /* of the room */

static const struct
{
  const char *name;
  gboolean is_advised, inputs_alone;
  MemlaneMemAdvice advice;
  MemlaneLocation location;
} ways[] = {
  { "plain", FALSE, FALSE, MEMLANE_ADVICE_READ_MOSTLY, MEMLANE_LOCATION_DEVICE },
  { "preferred-location", TRUE, FALSE, MEMLANE_ADVICE_PREFERRED_LOCATION, MEMLANE_LOCATION_HOST },
  { "accessed-by", TRUE, FALSE, MEMLANE_ADVICE_ACCESSED_BY, MEMLANE_LOCATION_DEVICE },
  { "read-mostly", TRUE, TRUE, MEMLANE_ADVICE_READ_MOSTLY, MEMLANE_LOCATION_DEVICE },
};

#define REFUSE(...) memlane_device_refuse (error, UNSUPPORTED, "not tried: " __VA_ARGS__)

/* Makes the device small; *@room: bytes that are free then. */
static gboolean
take_ballast (MemlaneProcedureContext *context, guint64 *room, GError **error)
{
  MemlaneDevice *device = context->device;
  const guint64 total = memlane_device_get_info (device)->memory_bytes;
  guint64 unused, available, lockable;
  void *ballast;

  if (!memlane_procedure_need (context, MEMLANE_CAN_CONCURRENT_MANAGED, error))
    return FALSE;
  if (!memlane_device_can (device, MEMLANE_CAN_OVERSUBSCRIBE))
    return REFUSE ("simulated devices do not model pages that leave a full device");
  if (!memlane_device_get_free_memory (device, &unused, error))
    return FALSE;
  if (unused + MOST_USED < total)
    return REFUSE ("other programs use %.1f GiB of the device's memory; end them first",
                   (double) (total - unused) / GIB);
  if (unused < ROOM)
    return REFUSE ("the device has %.1f GiB free, and 2 are needed", (double) unused / GIB);
  memlane_device_get_host_memory (device, &available, &lockable);
  if (available < LEAST_HOST)
    return REFUSE ("the host has %.1f GiB free, and 12 are needed: twice what may be moved there",
                   (double) available / GIB);
  if (unused > ROOM
      && !memlane_procedure_take (context, error, { MEMLANE_TAKE_DEVICE, &ballast, unused - ROOM }))
    return FALSE;
  if (!memlane_device_get_free_memory (device, room, error))
    return FALSE;
  if (*room < ROOM / 2 || *room > ROOM + ROOM / 2)
    return REFUSE ("%.1f GiB are free beside the ballast, and 1 to 3 were expected",
                   (double) *room / GIB);
  *room &= ~(4 * MIB - 1); /* a quarter is whole */
  return TRUE;
}

/* A kernel copies @bytes / 2 of the input to the output. */
typedef struct
{
  float *input, *output;
  guint64 bytes;
} Pass;

/* Input and output of one way, @room bytes each, all on the host. */
static gboolean
make_vectors (MemlaneProcedureContext *context, guint way, guint64 room, Pass *pass, GError **error)
{
  MemlaneDevice *device = context->device;

  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_MANAGED, &pass->input, 2 * room }))
    return FALSE;
  pass->output = pass->input + room / sizeof (float);
  return (!ways[way].is_advised
          || memlane_device_mem_advise (device, pass->input,
                                        ways[way].inputs_alone ? room : 2 * room, ways[way].advice,
                                        ways[way].location, error))
         && memlane_device_host_fill (device, pass->input, 1, room, error)
         && memlane_device_host_fill (device, pass->output, 0, room, error);
}

static gboolean
run_pass (MemlaneProcedureContext *context, gpointer data, GError **error)
{
  const Pass *pass = data;

  return memlane_procedure_go_on (context, error)
         && memlane_device_launch (context->device, MEMLANE_KERNEL_COPY, pass->output, pass->input,
                                   NULL, pass->bytes / 2 / sizeof (float), NULL, error)
         && memlane_device_synchronize (context->device, error);
}

/* Two passes, of which the second is timed: the first brings what has room. The first float of the
 * last MiB has to arrive. */
static gboolean
time_pass (MemlaneProcedureContext *context, Pass *pass, guint way, const char *percent,
           GError **error)
{
  const guint32 right = 0x01010101;
  guint32 found;
  double begin;

  if (!run_pass (context, pass, error))
    return FALSE;
  begin = memlane_device_clock (context->device);
  if (!run_pass (context, pass, error))
    return FALSE;
  memlane_procedure_sample_of (context, ways[way].name, percent,
                               (double) pass->bytes
                                   / (memlane_device_clock (context->device) - begin));
  if (!memlane_device_host_read (context->device, &found,
                                 pass->output + (pass->bytes / 2 - MIB) / sizeof (float),
                                 sizeof found, error))
    return FALSE;
  memlane_procedure_yes (context, "result-is-right", found == right);
  return TRUE;
}

static gboolean
run_oversubscribe (MemlaneProcedureContext *context, GError **error)
{
  guint64 room;

  if (!take_ballast (context, &room, error))
    return FALSE;
  memlane_procedure_sample (context, "room-gib", (double) room / GIB);
  for (guint way = 0; way < G_N_ELEMENTS (ways); way++)
    {
      Pass pass;

      if (!make_vectors (context, way, room, &pass, error))
        return FALSE;
      for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
        {
          g_autofree char *percent = g_strdup_printf ("%u", percents[i]);

          pass.bytes = room * percents[i] / 100;
          if (!time_pass (context, &pass, way, percent, error))
            return FALSE;
        }
      if (!memlane_procedure_free (context, pass.input, error))
        return FALSE;
    }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_oversubscribe = {
  .id = "oversubscribe",
  .summary = "managed memory of 50 to 200 % of the device's room, which a ballast makes 2 GiB, "
             "read and written by a kernel: GB/s of the "
             "second pass",
  .outputs = {
    .numbers = "room-gib plain/50 plain/100 plain/150 plain/200 preferred-location/50 "
               "preferred-location/100 preferred-location/150 "
               "preferred-location/200 accessed-by/50 accessed-by/100 accessed-by/150 "
               "accessed-by/200 read-mostly/50 read-mostly/100 "
               "read-mostly/150 read-mostly/200",
    .words = "result-is-right",
  },
  .is_undisturbed = TRUE,
  .run = run_oversubscribe,
};

/* --- the same with pages counted -------------------------------------------------------------- */

static gboolean
run_oversubscribe_faults (MemlaneProcedureContext *context, GError **error)
{
  double faults[G_N_ELEMENTS (percents)], home[G_N_ELEMENTS (percents)], all = 0;
  guint64 room;
  Pass pass;

  if (!take_ballast (context, &room, error) || !make_vectors (context, 0, room, &pass, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    {
      g_autoptr (MemlaneTrace) trace = NULL;
      guint n;

      pass.bytes = room * percents[i] / 100;
      trace = memlane_procedure_record (context, run_pass, &pass, "copy-kernel", "managed",
                                        "the second pass beside a ballast", error);
      if (trace == NULL)
        return FALSE;
      memlane_trace_get_events (trace, &n);
      faults[i] = memlane_trace_sum (trace, MEMLANE_TRACE_FAULT, MEMLANE_TRACE_N_WAYS, "").faults;
      home[i] =
          memlane_trace_sum (trace, MEMLANE_TRACE_MIGRATION, MEMLANE_TRACE_WAY_TO_HOST, "").bytes;
      all += faults[i] + home[i];
      if (percents[i] == SHOWN && n <= MOST_EVENTS)
        memlane_procedure_keep_trace (context, trace);
    }
  if (all == 0)
    return memlane_device_refuse (error, UNSUPPORTED,
                                  "nothing counts page faults here: CUPTI is missing");
  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    {
      g_autofree char *percent = g_strdup_printf ("%u", percents[i]);

      memlane_procedure_sample_of (context, "faults", percent, faults[i]);
      memlane_procedure_sample_of (context, "gib-home", percent, home[i] / GIB);
    }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_oversubscribe_faults = {
  .id = "oversubscribe-faults",
  .summary = "the same without advice: page faults of the second pass, and GiB that go home to "
             "make room",
  .outputs = {
    .numbers = "faults/50 faults/100 faults/150 faults/200 gib-home/50 gib-home/100 gib-home/150 "
               "gib-home/200",
  },
  .run = run_oversubscribe_faults,
};
