/* release.c: what was measured is let go of on a thread of its own where there is much of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "release.h"

#define MANY_CELLS 200 /* fewer are gone within a millisecond */

static void
free_cells (gpointer cells, gpointer user_data)
{
  g_ptr_array_unref (cells);
}

void
memlane_release_cells (GPtrArray *cells)
{
  static GThreadPool *pool; /* as long as the program */

  if (cells == NULL)
    return;
  if (cells->len >= MANY_CELLS && pool == NULL)
    pool = g_thread_pool_new (free_cells, NULL, 1, FALSE, NULL);
  if (cells->len < MANY_CELLS || pool == NULL)
    g_ptr_array_unref (cells);
  else
    g_thread_pool_push (pool, cells, NULL); /* cells are counted atomically: others may hold some of them */
}

void
memlane_release_run (MemlaneRun *run)
{
  if (run == NULL)
    return;
  if (run->ref_count == 1) /* nobody else's, so its cells may be taken out */
    {
      memlane_release_cells (run->cells);
      run->cells = g_ptr_array_new ();
    }
  memlane_run_unref (run);
}
