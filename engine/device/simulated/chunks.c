/* simulated-chunks.c: small allocations share a chunk, as the driver lets them
 *
 * Measured on an H200 (data/recordings): the first small cudaMalloc of a process without chunks costs a whole chunk, the next ones next
 * to nothing, until two mebibytes are full; the release that empties a chunk costs as much as giving back a whole one. The same for
 * page-locked memory, of which one chunk is never given back because the runtime itself keeps a piece of it, and for write-combined
 * memory, which has chunks of its own. So of three vectors of 1 MiB the first and the third pay for a chunk, the second next to nothing.
 *
 * A chunk is a sum of sizes, not a map: what is released makes room whatever lies beside it. memlane_simulated_chunks_for() says the same
 * for equal sizes, without a device.
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

/* The runtime's own piece of the page-locked chunk that stays. */
#define KEPT_BYTES 4096

struct _MemlaneSimChunk
{
  gsize used;
  guint live;
};

static gsize
room_for (gsize bytes)
{
  return (bytes + 511) & ~(gsize) 511;
}

static gboolean
fits_in_chunk (gsize bytes)
{
  return bytes <= MEMLANE_SIMULATED_CHUNK_BYTES && room_for (bytes) < MEMLANE_SIMULATED_CHUNK_BYTES;
}

void
memlane_sim_chunks_init (MemlaneSim *self)
{
  MemlaneSimChunk *kept = g_new0 (MemlaneSimChunk, 1);

  for (guint i = 0; i < MEMLANE_SIM_N_CHUNK_KINDS; i++)
    self->chunks[i] = g_ptr_array_new_with_free_func (g_free);
  kept->used = KEPT_BYTES;
  kept->live = 1;
  g_ptr_array_add (self->chunks[MEMLANE_SIM_CHUNKS_PINNED], kept);
}

void
memlane_sim_chunks_clear (MemlaneSim *self)
{
  for (guint i = 0; i < MEMLANE_SIM_N_CHUNK_KINDS; i++)
    g_clear_pointer (&self->chunks[i], g_ptr_array_unref);
}

/* The driver's own work on a chunk; it grows with the streams that it has to look after. */
static void
spend_chunk (MemlaneSim *self, const MemlaneSimRange *range, MemlaneCurve cost)
{
  guint streams = self->streams->len - 1; /* the legacy one is always there */

  memlane_sim_spend (self, memlane_sim_cost (self, cost, (double) range->bytes) + memlane_sim_host (self, CHUNK_PER_STREAM) * streams);
}

void
memlane_sim_chunks_take (MemlaneSim *self, MemlaneSimChunkKind kind, MemlaneSimRange *range, MemlaneCurve cost)
{
  GPtrArray *chunks = self->chunks[kind];
  gsize bytes = room_for (range->bytes);

  range->chunk_kind = kind;
  if (fits_in_chunk (range->bytes))
    {
      for (guint i = 0; i < chunks->len && range->chunk == NULL; i++)
        {
          MemlaneSimChunk *chunk = chunks->pdata[i];

          if (chunk->used + bytes <= MEMLANE_SIMULATED_CHUNK_BYTES)
            range->chunk = chunk;
        }
      if (range->chunk != NULL)
        {
          range->chunk->used += bytes;
          range->chunk->live++;
          memlane_sim_spend (self, memlane_sim_cost (self, MEMLANE_CURVE_SHARE_TAKE, (double) range->bytes));
          return;
        }
      range->chunk = g_new0 (MemlaneSimChunk, 1);
      range->chunk->used = bytes;
      range->chunk->live = 1;
      g_ptr_array_add (chunks, range->chunk);
    }
  spend_chunk (self, range, cost);
}

void
memlane_sim_chunks_give_back (MemlaneSim *self, MemlaneSimRange *range, MemlaneCurve cost)
{
  MemlaneSimChunk *chunk = g_steal_pointer (&range->chunk);

  if (chunk != NULL)
    {
      chunk->used -= room_for (range->bytes);
      if (--chunk->live > 0)
        {
          memlane_sim_spend (self, memlane_sim_cost (self, MEMLANE_CURVE_SHARE_RETURN, (double) range->bytes));
          return;
        }
      g_ptr_array_remove_fast (self->chunks[range->chunk_kind], chunk);
    }
  spend_chunk (self, range, cost);
}

guint
memlane_simulated_chunks_for (gsize bytes, guint n, gboolean one_is_kept)
{
  guint each, kept;

  if (!fits_in_chunk (bytes))
    return n;
  each = (guint) (MEMLANE_SIMULATED_CHUNK_BYTES / MAX (room_for (bytes), 1));
  kept = one_is_kept ? (guint) ((MEMLANE_SIMULATED_CHUNK_BYTES - KEPT_BYTES) / MAX (room_for (bytes), 1)) : 0;
  return (n - MIN (n, kept) + each - 1) / each;
}
