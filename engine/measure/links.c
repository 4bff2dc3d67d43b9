/* links.c: how fast the links of several devices copy, each alone and all at once
 *
 * SPDX-License-Identifier: MIT
 */
#include "links.h"

#include <pthread.h>

#include "device/device-calls.h"

#define BYTES ((gsize) 64 << 20)
#define COPIES 32
#define MOST_DEVICES 64
#define SHARED 0.95 /* of what the links copy alone: less is a ceiling that they share */

/* One device. Everything of it is its thread's, but the barrier, which all pass before and after each way. */
typedef struct
{
  const char *id;
  pthread_barrier_t *barrier;
  MemlaneDevice *device;
  void *host[2], *memory[2], *peer;
  MemlaneStream *streams[2];
  double ns[MEMLANE_N_LINK_WAYS]; /* 0: not copied */
  GError *error;
} Lane;

static gboolean
prepare (Lane *self)
{
  self->device = memlane_device_open (self->id, &self->error);
  if (self->device == NULL)
    return FALSE;
  (void) memlane_device_move_pieces (self->device, TRUE); /* a simulated one charges for all the same */
  for (guint i = 0; i < 2; i++)
    if (!memlane_device_malloc_host (self->device, BYTES, &self->host[i], &self->error)
        || !memlane_device_malloc (self->device, BYTES, &self->memory[i], &self->error)
        || !memlane_device_stream_create (self->device, TRUE, 0, &self->streams[i], &self->error)
        || !memlane_device_host_fill (self->device, self->host[i], 1, BYTES, &self->error)
        || !memlane_device_memset_async (self->device, self->memory[i], 1, BYTES, self->streams[i], &self->error))
      return FALSE;
  return !memlane_device_can (self->device, MEMLANE_CAN_PEER_COPY)
         || memlane_device_peer_malloc (self->device, BYTES, &self->peer, &self->error);
}

static gboolean
copy (Lane *self, MemlaneLinkWay way, guint copies)
{
  MemlaneDevice *device = self->device;
  const gboolean up = way == MEMLANE_LINK_UP || way == MEMLANE_LINK_BOTH, down = way == MEMLANE_LINK_DOWN || way == MEMLANE_LINK_BOTH;
  gboolean done = TRUE;

  for (guint i = 0; i < copies && done; i++)
    done = (!up || memlane_device_memcpy_async (device, self->memory[0], self->host[0], BYTES, MEMLANE_COPY_TO_DEVICE, self->streams[0],
                                                &self->error))
           && (!down || memlane_device_memcpy_async (device, self->host[1], self->memory[1], BYTES, MEMLANE_COPY_TO_HOST, self->streams[1],
                                                     &self->error))
           && (up || down || memlane_device_memcpy_peer_async (device, self->peer, self->memory[0], BYTES, self->streams[0], &self->error));
  return done && memlane_device_stream_synchronize (device, self->streams[0], &self->error)
         && memlane_device_stream_synchronize (device, self->streams[1], &self->error);
}

static gpointer
run_lane (gpointer data)
{
  Lane *self = data;
  gboolean ok = prepare (self);

  for (guint way = 0; way < MEMLANE_N_LINK_WAYS; way++)
    {
      gboolean can = ok && (way != MEMLANE_LINK_PEER || self->peer != NULL);
      double begin = 0;

      ok = ok && (!can || copy (self, way, 1)); /* the first one is slower */
      pthread_barrier_wait (self->barrier);
      if (ok && can)
        {
          begin = memlane_device_clock (self->device);
          ok = copy (self, way, COPIES);
          self->ns[way] = ok ? memlane_device_clock (self->device) - begin : 0;
        }
      pthread_barrier_wait (self->barrier);
    }
  memlane_device_close (self->device);
  return NULL;
}

gboolean
memlane_links_copy (const char *const *ids, guint n, MemlaneLinkRates *rates, MemlaneLinkRates *total, GError **error)
{
  Lane lanes[MOST_DEVICES] = { { NULL } };
  GThread *threads[MOST_DEVICES];
  pthread_barrier_t barrier;
  gboolean done = TRUE;

  g_return_val_if_fail (n > 0 && n <= MOST_DEVICES, FALSE);
  pthread_barrier_init (&barrier, NULL, n);
  for (guint i = 0; i < n; i++)
    {
      lanes[i] = (Lane) { .id = ids[i], .barrier = &barrier };
      threads[i] = g_thread_new ("link", run_lane, &lanes[i]);
    }
  for (guint i = 0; i < n; i++)
    g_thread_join (threads[i]);
  pthread_barrier_destroy (&barrier);
  for (guint way = 0; way < MEMLANE_N_LINK_WAYS; way++)
    {
      const double bytes = (double) BYTES * COPIES * (way == MEMLANE_LINK_BOTH ? 2 : 1);
      double slowest = 0, all = 0;

      for (guint i = 0; i < n; i++)
        {
          rates[i].rates[way] = lanes[i].ns[way] > 0 ? bytes / lanes[i].ns[way] * 1e9 : 0;
          all += lanes[i].ns[way] > 0 ? bytes : 0;
          slowest = MAX (slowest, lanes[i].ns[way]);
        }
      total->rates[way] = slowest > 0 ? all / slowest * 1e9 : 0;
    }
  for (guint i = 0; i < n; i++)
    if (lanes[i].error != NULL && done)
      {
        if (!g_str_has_prefix (lanes[i].error->message, ids[i]))
          g_prefix_error (&lanes[i].error, "%s: ", ids[i]);
        g_propagate_error (error, g_steal_pointer (&lanes[i].error));
        done = FALSE;
      }
    else
      g_clear_error (&lanes[i].error);
  return done;
}

char *
memlane_links_explain (const MemlaneLinkRates *alone, guint n, const MemlaneLinkRates *total, MemlaneLinkWay way)
{
  static const char *const ways[] = { "to the GPUs", "from the GPUs", "both ways", "from GPU to GPU" };
  double least = G_MAXDOUBLE, could;
  guint able = 0;

  for (guint i = 0; i < n; i++)
    if (alone[i].rates[way] > 0)
      {
        able++;
        least = MIN (least, alone[i].rates[way]);
      }
  could = able * least; /* the slowest ends last, alone too */
  if (able == 0 || total->rates[way] == 0 || total->rates[way] >= SHARED * could)
    return NULL;
  return g_strdup_printf ("%s: %.1f GB/s at the same time, where the links alone could copy %.1f: %s", ways[way], total->rates[way] / 1e9,
                          could / 1e9, way == MEMLANE_LINK_PEER ? "they share a switch or a link"
                                                              : "that is the ceiling of the host's memory, or of a switch that they share");
}
