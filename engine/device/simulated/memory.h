/* memory.h: the simulated device's memory: ranges of addresses, what they mean, and on which side their pages are; for simulated/ alone
 *
 * SPDX-License-Identifier: MIT
 *
 * Every allocation, registration and alias is a range. Residency is tracked in blocks of 64 KiB; a range of managed (or pageable) memory
 * has flags for each. memory.c allocates and finds, work.c moves the pages.
 */
#pragma once

#include "device/device-driver.h"
#include "profile.h"

G_BEGIN_DECLS

#define MEMLANE_SIM_BLOCK_SHIFT 16

typedef struct _MemlaneSim MemlaneSim;

typedef enum
{
  SIM_UNKNOWN,
  SIM_PAGEABLE,
  SIM_PINNED,
  SIM_DEVICE,
  SIM_MANAGED,
  SIM_PEER,
  SIM_REGISTERED, /* in the set of registrations */
  SIM_ALIAS,      /* addresses by which the device knows mapped memory, where host pointers will not do */
} MemlaneSimKind;

/* The known state of a block of managed (or, with pageableMemoryAccess, pageable) memory. */
enum
{
  SIM_ON_HOST = 1 << 0,
  SIM_ON_DEVICE = 1 << 1,
  SIM_READ_MOSTLY = 1 << 2,
  SIM_PREFER_DEVICE = 1 << 3,
  SIM_PREFER_HOST = 1 << 4,
  SIM_ACCESSED_BY_DEVICE = 1 << 5,
  SIM_ADVISED = SIM_READ_MOSTLY | SIM_PREFER_DEVICE | SIM_PREFER_HOST | SIM_ACCESSED_BY_DEVICE,
};

/* Small allocations of a kind share chunks of two mebibytes: memory.c. */
typedef enum
{
  MEMLANE_SIM_CHUNKS_DEVICE,
  MEMLANE_SIM_CHUNKS_PINNED,
  MEMLANE_SIM_CHUNKS_WRITE_COMBINED,
  MEMLANE_SIM_CHUNKS_PEER,
  MEMLANE_SIM_N_CHUNK_KINDS
} MemlaneSimChunkKind;

typedef struct _MemlaneSimChunk MemlaneSimChunk;

typedef struct _MemlaneSimRange MemlaneSimRange;
struct _MemlaneSimRange
{
  char *base;
  gsize bytes;
  MemlaneSimKind kind;
  gboolean mapped, write_combined, portable;
  gboolean is_static; /* a __managed__ array */
  gboolean from_pool_call; /* cudaMallocAsync */
  MemlaneCostId free_cost;
  MemlaneSimChunkKind chunk_kind;
  MemlaneSimChunk *chunk; /* that it shares with others; NULL: none */
  gsize unfetched;    /* page-locked: bytes that the host has written since the device read them last */
  guint64 l2_at;      /* l2_traffic when a kernel used it last and nobody else has since; 0: it is in no cache */
  guint8 *blocks;     /* pageable and managed: flags of each block */
  MemlaneSimRange *alias;  /* pinned, registered: its device addresses; alias: the memory behind it */
};

/* The pages that had to move. */
typedef struct
{
  double migrated, duplicated; /* bytes */
  guint blocks;                /* that were missing */
} MemlaneSimMoved;

/* Disjoint ranges in ascending order. */
typedef struct
{
  GPtrArray *ranges;
} MemlaneSimRanges;

/* Pages that have been handed back, for the next allocation. */
#define MEMLANE_SIM_CLASSES 48
typedef struct
{
  GArray *free_blocks[MEMLANE_SIM_CLASSES]; /* of pages handed back, last in first out; class = log2 of the size */
  guint64 kept;       /* bytes in free_blocks that have been touched */
  guint64 out;        /* bytes handed out, in whole classes */
  guint64 unchecked;  /* fresh bytes since MemAvailable was last read */
} MemlaneSimPool;

/* --- memory.c ---------------------------------------------------------------------------------------- */

extern const MemlaneMemoryCalls memlane_sim_memory_calls;

void memlane_sim_memory_init (MemlaneSim *self);
void memlane_sim_memory_clear (MemlaneSim *self);
/* The end of a range that has left its set: bytes, blocks, alias. */
void memlane_sim_range_free (MemlaneSim *self, MemlaneSimRange *range);
/* Finds what the device reaches at @pointer: the range, and the address behind an alias in *@host. NULL: nothing that it can reach for
 * @bytes. */
MemlaneSimRange *memlane_sim_reach (MemlaneSim *self, const void *pointer, gsize bytes, char **host);
/* Finds what a copy reaches at @pointer: SIM_PAGEABLE also for memory that nobody knows; FALSE: the range ends before @bytes do. */
gboolean memlane_sim_locate (MemlaneSim *self, const void *pointer, gsize bytes, MemlaneSimKind *kind, MemlaneSimRange **range,
                             char **host);

/* From now on large vectors are moved by pieces, or whole; pages that are kept are given back. */
void memlane_sim_move_pieces (MemlaneSim *self, gboolean pieces);
/* Whether only the pieces of the vector at @to, or at @from (may be NULL), are there to be moved; *@offset: of @to in it. Bytes that change
 * their place in the vector move as they are. */
gboolean memlane_sim_find_vector (MemlaneSim *self, const void *to, const void *from, gsize *offset);

/* Whether any block of @range has one of the @flags. */
static inline gboolean
memlane_sim_has_blocks (const MemlaneSimRange *range, guint flags)
{
  for (gsize k = 0; k <= (range->bytes - 1) >> MEMLANE_SIM_BLOCK_SHIFT; k++)
    if ((range->blocks[k] & flags) != 0)
      return TRUE;
  return FALSE;
}

G_END_DECLS
