/* fuzz-journal.c: whatever bytes the files of a journal hold, it is listed and read, or left alone
 *
 * SPDX-License-Identifier: MIT
 *
 * The first two bytes say where cells.csv ends and environment.json begins.
 */
#include <stdlib.h>

#include <glib/gstdio.h>

#include "fuzz.h"
#include "result/journal.h"

static char *root, *folder, *cells, *environment;

static void
clean_up (void)
{
  g_autofree char *memlane = g_build_filename (root, "memlane", NULL), *journals = g_build_filename (memlane, "journals", NULL);

  (void) g_unlink (cells);
  (void) g_unlink (environment);
  (void) g_rmdir (folder);
  (void) g_rmdir (journals);
  (void) g_rmdir (memlane);
  (void) g_rmdir (root);
}

static void
make_folder (void)
{
  root = fuzz_make_folder ();
  g_setenv ("XDG_STATE_HOME", root, TRUE);
  folder = g_build_filename (root, "memlane", "journals", "run-a", NULL);
  cells = g_build_filename (folder, "cells.csv", NULL);
  environment = g_build_filename (folder, "environment.json", NULL);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    g_error ("no folder");
  atexit (clean_up);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GPtrArray) entries = NULL;
  gsize end;

  fuzz_begin ();
  if (size < 2)
    return 0;
  if (root == NULL)
    make_folder ();
  end = MIN ((gsize) (data[0] << 8 | data[1]), size - 2);
  fuzz_put (cells, data + 2, end);
  fuzz_put (environment, data + 2 + end, size - 2 - end);
  entries = memlane_journal_list ();
  for (guint i = 0; i < entries->len; i++)
    {
      const MemlaneJournalEntry *entry = entries->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneRun) run = memlane_journal_read (entry->path, &error);

      if (run == NULL)
        g_error ("listed, and refused: %s", error->message);
      if (run->cells->len != entry->cells)
        g_error ("%u cells listed, %u read", entry->cells, run->cells->len);
    }
  return 0;
}
