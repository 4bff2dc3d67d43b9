/* data-sheet.h: the profile of a GPU that nobody has measured, from its data sheet
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#include "base/api.h"

MEMLANE_BEGIN_PUBLIC

/* What a data sheet says. 0 and NULL: it does not. */
typedef struct
{
  const char *name;                 /* NULL: by its link and its memory */
  guint link_generation, link_width; /* both are needed */
  double memory_bandwidth;          /* bytes/s, in theory; needed */
  double l2_bandwidth;              /* bytes/s; 0: 2.5 times memory_bandwidth, as on recorded GPUs */
  guint64 memory_bytes;             /* 0: 8 GB */
  guint64 l2_bytes;                 /* 0: 4 MB */
  guint multiprocessors;
  guint copy_engines;               /* 0: 2 */
} MemlaneDataSheet;

/* Writes to @output the profile of a simulated device by @sheet: the latencies are those of the simulated H200, whose host it has. The
 * rates are the H200's shares of the link's, the memory's and the second-level cache's bandwidth. It is marked as estimated: in its name,
 * in each run's environment and in the details of its figures. FALSE with @error for what no data sheet says: a number that is missing,
 * impossible or contradicts another, naming both. */
gboolean memlane_data_sheet_write (const MemlaneDataSheet *sheet, const char *output, GError **error);

MEMLANE_END_PUBLIC
