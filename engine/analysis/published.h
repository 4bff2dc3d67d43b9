/* published.h: figures that others have published, to stand beside one's own
 *
 * SPDX-License-Identifier: MIT
 *
 * published.csv (data/published.csv, installed): columns
 * source,device,workload,mode,log2_elements,phase,clock,value_ns,bytes,note.
 */
#pragma once

#include <glib.h>

#include "result/run.h"

typedef struct
{
  char *source, *device, *workload, *mode;
  guint log2_elements;
  MemlanePhase phase;
  MemlaneClock clock;
  double value_ns;
  guint64 bytes;     /* of one vector */
  char *note;        /* or NULL */
} MemlanePublishedFigure;

typedef struct
{
  /* (element-type MemlanePublishedFigure), in file order; modes and phases that Memlane does not
   * know are left out */
  GPtrArray *figures;
  guint skipped;      /* how many were */
} MemlanePublished;

/* The installed file, or the one in $MEMLANE_DATA_DIR. Strict as memlane_csv_read(): the first
 * malformed line refuses the file, "FILE:LINE: ...". */
MemlanePublished *memlane_published_read_default (GError **error);
void memlane_published_free (MemlanePublished *published);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlanePublished, memlane_published_free)

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* The same of any file. */
MemlanePublished *memlane_published_read (const char *path, GError **error);

#endif
