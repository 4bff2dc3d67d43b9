/* memory.h: the simulated device's memory: ranges of addresses, what they mean, and on which side
 * their pages are; for simulated/ alone
 *
 * SPDX-License-Identifier: MIT
 *
 * Every allocation is a range. Residency is tracked in pages of 4 KiB; a range of managed (or
 * pageable) memory
 * has flags for each. memory.c allocates and finds, work.c moves the pages.
 */
#pragma once

#include "base/pieces.h"
#include "device/device-driver.h"
#include "profile.h"

#define MEMLANE_SIM_BLOCK_SHIFT 12
/* A page fault brings so many of them. */
#define MEMLANE_SIM_FAULT_BLOCKS 16

typedef struct _MemlaneSim MemlaneSim;

typedef enum
{
  SIM_UNKNOWN,
  SIM_PAGEABLE,
  SIM_PINNED,
  SIM_DEVICE,
  SIM_MANAGED,
  SIM_PEER,
  SIM_REGISTERED, /* of malloc, all of it */
} MemlaneSimKind;

#define SIM_N_KINDS (SIM_REGISTERED + 1)

/* The known state of a block of managed (or, with pageableMemoryAccess, pageable) memory. */
enum
{
  SIM_ON_HOST = 1 << 0,
  SIM_ON_DEVICE = 1 << 1,
  SIM_READ_MOSTLY = 1 << 2,
  SIM_PREFER_DEVICE = 1 << 3,
  SIM_PREFER_HOST = 1 << 4,
  SIM_ACCESSED_BY_DEVICE = 1 << 5,
};

typedef struct _MemlaneSimRange MemlaneSimRange;
struct _MemlaneSimRange
{
  char *base;
  gsize bytes;
  MemlaneSimKind kind;
  gboolean write_combined;
  gboolean is_static; /* a __managed__ array */
  gboolean from_pool_call; /* cudaMallocAsync */
  MemlaneCostId free_cost;
  /* page-locked: bytes that the host has written since the device read them last */
  gsize unfetched;
  /* l2_traffic when a kernel used it last and nobody else has since; 0: it is in no cache */
  guint64 l2_at;
  /* pageable: by memlane_device_host_populate(), in huge pages; managed: the host has touched it */
  gboolean populated, huge;
  guint8 *blocks;     /* pageable and managed: flags of each block */
};

/* The pages that had to move. */
typedef struct
{
  double migrated, duplicated; /* bytes */
  guint faults;                /* that brought them */
} MemlaneSimMoved;

/* --- memory.c --------------------------------------------------------------------------------- */

extern const MemlaneMemoryCalls memlane_sim_memory_calls;

void memlane_sim_memory_init (MemlaneSim *self);
void memlane_sim_memory_clear (MemlaneSim *self);
/* Frees a range that has left its set, with its bytes and blocks. */
void memlane_sim_range_free (MemlaneSim *self, MemlaneSimRange *range);
/* Returns the range that the device reaches at @pointer; NULL: nothing that it can reach for
 * @bytes. */
MemlaneSimRange *memlane_sim_reach (MemlaneSim *self, const void *pointer, gsize bytes);
/* Finds what a copy reaches at @pointer: SIM_PAGEABLE also for memory that nobody knows; FALSE: the
 * range ends before @bytes do. */
gboolean memlane_sim_locate (MemlaneSim *self, const void *pointer, gsize bytes,
                             MemlaneSimKind *kind, MemlaneSimRange **range);

/* The next stretch of [@to, @to + @bytes) to be moved there from @from (may be NULL): all of it, or
 * of large vectors a piece. Begin with zeros. FALSE: there is none left. */
gboolean memlane_sim_next_piece (MemlaneSim *self, const void *to, const void *from, gsize bytes,
                                 MemlanePiece *piece);

/* Bytes of all managed and pageable memory whose blocks have one of the @flags; and of page-locked
 * memory, for those of the host. */
guint64 memlane_sim_count_resident (const MemlaneSim *self, guint flags);
