/* simulated-ranges.c: which addresses are whose, and a pool of pages that have been touched once
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"
#include "base/host-memory.h"

#include <string.h>
#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void) 0)
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void) 0)
#endif

/* Pages that have been touched once are kept for the next allocation, or page faults would be most of a sweep. */
#define POOL_KEEPS (G_GUINT64_CONSTANT (128) << 20)
/* MemAvailable is read again after so many fresh bytes; reading it costs more than a small allocation. */
#define CHECK_EVERY (G_GUINT64_CONSTANT (32) << 20)

/* --- ranges --------------------------------------------------------------------------------------- */

void
memlane_sim_ranges_init (MemlaneSimRanges *self)
{
  self->ranges = g_ptr_array_new ();
}

void
memlane_sim_ranges_clear (MemlaneSimRanges *self)
{
  g_ptr_array_unref (self->ranges);
}

/* The number of ranges that begin at or below @pointer. */
static guint
count_up_to (const MemlaneSimRanges *self, const void *pointer)
{
  guint low = 0, high = self->ranges->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (((MemlaneSimRange *) self->ranges->pdata[middle])->base <= (const char *) pointer)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
memlane_sim_ranges_add (MemlaneSimRanges *self, MemlaneSimRange *range)
{
  g_ptr_array_insert (self->ranges, (int) count_up_to (self, range->base), range);
}

void
memlane_sim_ranges_remove (MemlaneSimRanges *self, MemlaneSimRange *range)
{
  guint n = count_up_to (self, range->base);

  g_assert (n > 0 && self->ranges->pdata[n - 1] == range);
  g_ptr_array_remove_index (self->ranges, n - 1);
}

MemlaneSimRange *
memlane_sim_ranges_find (const MemlaneSimRanges *self, const void *pointer)
{
  guint n = count_up_to (self, pointer);
  MemlaneSimRange *range = n > 0 ? self->ranges->pdata[n - 1] : NULL;

  return range != NULL && (gsize) ((const char *) pointer - range->base) < range->bytes ? range : NULL;
}

gboolean
memlane_sim_ranges_overlaps (const MemlaneSimRanges *self, const void *pointer, gsize bytes)
{
  guint n = count_up_to (self, (const char *) pointer + bytes - 1);
  MemlaneSimRange *range = n > 0 ? self->ranges->pdata[n - 1] : NULL;

  return range != NULL && range->base + range->bytes > (const char *) pointer;
}

/* --- the pool --------------------------------------------------------------------------------------- */

void
memlane_sim_get_host_memory (MemlaneDevice *device, guint64 *available, guint64 *lockable)
{
  MemlaneSim *self = SIM (device);
  guint64 limit = self->profile->host_memory_bytes;

  if (limit > 0)
    *available = limit > self->host_used ? limit - self->host_used : 0;
  else
    *available = memlane_host_memory_get_available ();
  limit = self->profile->lockable_bytes;
  *lockable = limit == 0 ? G_MAXUINT64 : limit > self->pinned_used ? limit - self->pinned_used : 0;
}

static guint
class_of (gsize bytes)
{
  guint bits = 12;

  while (bits < MEMLANE_SIM_CLASSES && ((gsize) 1 << bits) < bytes)
    bits++;
  return bits;
}

/* Pages for @bytes; NULL: this machine does not have them to spare. */
char *
memlane_sim_pool_take (MemlaneSim *self, gsize bytes)
{
  MemlaneSimPool *pool = &self->pool;
  guint bits = class_of (bytes);
  gsize whole;
  GArray *free_blocks;
  char *block;

  if (bits >= MEMLANE_SIM_CLASSES)
    return NULL;
  whole = (gsize) 1 << bits;
  free_blocks = pool->free_blocks[bits];
  if (free_blocks != NULL && free_blocks->len > 0)
    {
      block = g_array_index (free_blocks, char *, free_blocks->len - 1);
      g_array_set_size (free_blocks, free_blocks->len - 1);
      pool->kept -= whole;
      ASAN_UNPOISON_MEMORY_REGION (block, whole);
      /* Yesterday's right result must not pass for today's: every stretch of it gets a NaN. */
      for (gsize i = 0; i < bytes; i += 512)
        memset (block + i, 0xff, MIN (sizeof (guint64), bytes - i));
      memset (block + bytes - MIN (bytes, 4), 0xff, MIN (bytes, 4));
    }
  else
    {
      pool->unchecked += bytes;
      if (pool->unchecked > CHECK_EVERY)
        {
          guint64 available = memlane_host_memory_get_available ();

          if (available > 0 && bytes > available / 2)
            {
              pool->unchecked -= bytes;
              return NULL;
            }
          pool->unchecked = 0;
        }
      block = mmap (NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (block == MAP_FAILED)
        return NULL;
    }
  ASAN_POISON_MEMORY_REGION (block + bytes, whole - bytes);
  pool->out += whole;
  return block;
}

void
memlane_sim_pool_give (MemlaneSim *self, char *block, gsize bytes)
{
  MemlaneSimPool *pool = &self->pool;
  guint bits = class_of (bytes);
  gsize whole = (gsize) 1 << bits;

  pool->out -= whole;
  if (pool->kept + whole > POOL_KEEPS)
    {
      ASAN_UNPOISON_MEMORY_REGION (block, whole);
      munmap (block, whole);
      return;
    }
  if (pool->free_blocks[bits] == NULL)
    pool->free_blocks[bits] = g_array_new (FALSE, FALSE, sizeof (char *));
  g_array_append_val (pool->free_blocks[bits], block);
  pool->kept += whole;
  ASAN_POISON_MEMORY_REGION (block, whole);
}

void
memlane_sim_pool_clear (MemlaneSim *self)
{
  for (guint i = 0; i < MEMLANE_SIM_CLASSES; i++)
    if (self->pool.free_blocks[i] != NULL)
      {
        for (guint k = 0; k < self->pool.free_blocks[i]->len; k++)
          {
            char *block = g_array_index (self->pool.free_blocks[i], char *, k);
            ASAN_UNPOISON_MEMORY_REGION (block, (gsize) 1 << i);
            munmap (block, (gsize) 1 << i);
          }
        g_array_unref (self->pool.free_blocks[i]);
      }
}
