/* method.h: how a cell is measured, whatever its mode and size
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#include "workload.h"

G_BEGIN_DECLS

/* Shared by all that measure: a plan, a cell, a recipe, a recorded sample. */
typedef struct
{
  const MemlaneWorkload *workload;
  guint reuse;            /* kernel launches (or copies) per transfer, >= 1 */
  /* for the stream modes; 1..MEMLANE_MOST_STREAMS, 1..MEMLANE_MOST_CHUNKS; or the pieces,
   * 1..MEMLANE_MOST_PIECES */
  guint streams, chunks;
  guint64 seed;           /* of the inputs */
  /* passes over all cells, each by a process of its own; at least 1. Six are the least that give a
   * 95 % interval */
  guint rounds;
  /* 0.2: a 95 % interval within +-20 % of its median; what misses it is noisy */
  double precision;
  /* time of one cell in all its rounds, on the device's clock; the least counts are taken whatever
   * it says */
  double cell_seconds;
  gboolean keep_samples;
  gboolean noise;         /* a simulated device varies as its recorded rounds did, by the seed */
  MemlaneBeside beside;   /* what the device does meanwhile */
  /* percent of the multiprocessors, 1 to 100, with MEMLANE_BESIDE_COMPUTE; else 0 */
  guint busy;
  gboolean cold_cache;    /* the device's second-level cache is flushed before each sample */
} MemlaneMethod;

G_END_DECLS
