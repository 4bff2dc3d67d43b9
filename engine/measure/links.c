/* links.c: how fast the links of several devices copy, each alone and all at once
 *
 * SPDX-License-Identifier: MIT
 */
#include "links.h"

#include <pthread.h>

#include "device/device-calls.h"

#define BYTES ((gsize) 64 << 20)
#define COPIES 32
#define PEER_COPIES 16

typedef struct _Lane Lane;

/* All lanes read this. A barrier parts one step of all from the next. */
typedef struct
{
  Lane *lanes;
  MemlaneLink *links; /* by device, those of a device in the order of measuring */
  guint n;
  pthread_barrier_t barrier;
} Lanes;

/* One device. Its thread alone writes, and others read its device between the first barrier and the
 * last. */
struct _Lane
{
  Lanes *all;
  const char *id;
  MemlaneDevice *device;
  void *host[2], *memory[2], *peer;
  MemlaneStream *streams[2];
  double end; /* of the copies that count */
  GError *error;
};

static gboolean
prepare (Lane *self)
{
  self->device = memlane_device_open (self->id, &self->error);
  if (self->device == NULL)
    return FALSE;
  /* a simulated one charges for all the same */
  (void) memlane_device_move_pieces (self->device, TRUE);
  for (guint i = 0; i < 2; i++)
    if (!memlane_device_malloc_host (self->device, BYTES, &self->host[i], &self->error)
        || !memlane_device_malloc (self->device, BYTES, &self->memory[i], &self->error)
        || !memlane_device_stream_create (self->device, TRUE, 0, &self->streams[i], &self->error)
        || !memlane_device_host_fill (self->device, self->host[i], 1, BYTES, &self->error)
        || !memlane_device_memset_async (self->device, self->memory[i], 1, BYTES, self->streams[i],
                                         &self->error))
      return FALSE;
  return TRUE;
}

/* Makes @copies each way that counts. Where one of two counts, the other one goes on for twice as
 * long, so it is never alone. */
static gboolean
copy (Lane *self, MemlaneLinkWay way, guint copies)
{
  MemlaneDevice *device = self->device;
  const gboolean one = way == MEMLANE_LINK_BOTH_UP || way == MEMLANE_LINK_BOTH_DOWN;
  const gboolean is_peer = way == MEMLANE_LINK_PEER;
  const guint up = is_peer || way == MEMLANE_LINK_DOWN ? 0
                   : copies << (way == MEMLANE_LINK_BOTH_DOWN);
  const guint down = is_peer || way == MEMLANE_LINK_UP ? 0
                     : copies << (way == MEMLANE_LINK_BOTH_UP);
  gboolean done = TRUE;

  for (guint i = 0; i < copies << one && done; i++)
    done = (i >= up
            || memlane_device_memcpy_async (device, self->memory[0], self->host[0], BYTES,
                                            MEMLANE_COPY_TO_DEVICE, self->streams[0], &self->error))
           && (i >= down
               || memlane_device_memcpy_async (device, self->host[1], self->memory[1], BYTES,
                                               MEMLANE_COPY_TO_HOST, self->streams[1],
                                               &self->error))
           && (!is_peer
               || memlane_device_memcpy_peer_async (device, self->peer, self->memory[0], BYTES,
                                                    self->streams[0], &self->error));
  done = done
         && memlane_device_stream_synchronize (
             device, self->streams[way == MEMLANE_LINK_BOTH_DOWN], &self->error)
         && (one || memlane_device_stream_synchronize (device, self->streams[1], &self->error));
  self->end = memlane_device_clock (device);
  return done && memlane_device_stream_synchronize (device, self->streams[0], &self->error)
         && memlane_device_stream_synchronize (device, self->streams[1], &self->error);
}

/* Returns bytes per second; 0: @self has the error. */
static double
copy_timed (Lane *self, MemlaneLinkWay way)
{
  const guint copies = way == MEMLANE_LINK_PEER ? PEER_COPIES : COPIES;
  const double begin = memlane_device_clock (self->device);

  if (!copy (self, way, copies))
    return 0;
  return (double) BYTES * copies * (way == MEMLANE_LINK_BOTH ? 2 : 1) / (self->end - begin) * 1e9;
}

/* Memory of the device that @link leads to, if it leads to one. FALSE: the copy cannot be made. */
static gboolean
begin_link (Lane *self, const MemlaneLink *link)
{
  const MemlaneDevice *peer = self->all->lanes[link->peer].device;

  return link->way != MEMLANE_LINK_PEER
         || (peer != NULL && memlane_device_set_peer (self->device, peer)
             && memlane_device_peer_malloc (self->device, BYTES, &self->peer, &self->error));
}

/* Measures @link alone in this lane's turn, and then at the same time as the other lanes measure
 * theirs. */
static gboolean
measure (Lane *self, guint place, MemlaneLink *link, gboolean ok)
{
  const gboolean can = ok && begin_link (self, link);

  for (guint turn = 0; turn <= self->all->n; turn++)
    {
      pthread_barrier_wait (&self->all->barrier);
      if (can && turn == place && copy (self, link->way, 1)) /* the first one is slower */
        link->alone = copy_timed (self, link->way);
      else if (link->alone > 0 && turn == self->all->n)
        link->at_once = copy_timed (self, link->way);
    }
  pthread_barrier_wait (&self->all->barrier);
  if (self->peer != NULL)
    (void) memlane_device_peer_free (self->device, self->peer, &self->error);
  self->peer = NULL;
  return ok && self->error == NULL;
}

static gpointer
run_lane (gpointer data)
{
  Lane *self = data;
  Lanes *all = self->all;
  const guint place = (guint) (self - all->lanes), n_links = MEMLANE_LINK_PEER + all->n - 1;
  gboolean ok = prepare (self);

  pthread_barrier_wait (&all->barrier);
  for (guint i = 0; i < n_links; i++)
    {
      MemlaneLink *link = &all->links[place * n_links + i];
      const guint distance = i < MEMLANE_LINK_PEER ? 0 : i - MEMLANE_LINK_PEER + 1;

      *link = (MemlaneLink) { .device = place,
                             .peer = (place + distance) % all->n,
                             .way = MIN (i, MEMLANE_LINK_PEER) };
      ok = measure (self, place, link, ok);
    }
  memlane_device_close (self->device);
  return NULL;
}

GArray *
memlane_links_measure (char **ids, GError **error)
{
  Lanes all = { .n = g_strv_length (ids) };
  const guint n_links = all.n * (MEMLANE_LINK_PEER + all.n - 1);
  g_autoptr (GArray) links = g_array_set_size (g_array_new (FALSE, TRUE, sizeof (MemlaneLink)),
                                               n_links);
  Lane lanes[MEMLANE_LINKS_MOST_DEVICES] = { { NULL } };
  GThread *threads[MEMLANE_LINKS_MOST_DEVICES];
  gboolean done = TRUE;

  g_return_val_if_fail (all.n > 0 && all.n <= MEMLANE_LINKS_MOST_DEVICES, NULL);
  all.lanes = lanes;
  all.links = (MemlaneLink *) links->data;
  pthread_barrier_init (&all.barrier, NULL, all.n);
  for (guint i = 0; i < all.n; i++)
    {
      lanes[i] = (Lane) { .all = &all, .id = ids[i] };
      threads[i] = g_thread_new ("link", run_lane, &lanes[i]);
    }
  for (guint i = 0; i < all.n; i++)
    g_thread_join (threads[i]);
  pthread_barrier_destroy (&all.barrier);
  for (guint i = 0; i < all.n; i++)
    if (lanes[i].error != NULL && done)
      {
        if (!g_str_has_prefix (lanes[i].error->message, ids[i]))
          g_prefix_error (&lanes[i].error, "%s: ", ids[i]);
        g_propagate_error (error, g_steal_pointer (&lanes[i].error));
        done = FALSE;
      }
    else
      g_clear_error (&lanes[i].error);
  return done ? g_steal_pointer (&links) : NULL;
}
