/* fuzz-journal.c: whatever bytes a journal holds, it is listed and read, or left alone
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include <glib/gstdio.h>

#include "fuzz.h"
#include "job/journal.h"

static char *root, *folder, *path;

static void
clean_up (void)
{
  g_autofree char *memlane = g_path_get_dirname (folder);

  (void) g_unlink (path);
  (void) g_rmdir (folder);
  (void) g_rmdir (memlane);
  (void) g_rmdir (root);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GPtrArray) entries = NULL;

  fuzz_begin ();
  if (root == NULL)
    {
      root = fuzz_make_folder ();
      g_setenv ("XDG_STATE_HOME", root, TRUE);
      folder = g_build_filename (root, "memlane", "journals", NULL);
      path = g_build_filename (folder, "run-a.journal", NULL);
      if (g_mkdir_with_parents (folder, 0700) != 0)
        g_error ("no folder");
      atexit (clean_up);
    }
  fuzz_put (path, data, size);
  entries = memlane_journal_list ();
  for (guint i = 0; i < entries->len; i++)
    {
      const MemlaneJournalEntry *entry = entries->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneRun) run = memlane_journal_read (entry->path, &error);

      if (run == NULL && entry->problem != NULL && strstr (error->message, entry->problem) == NULL)
        g_error ("listed as \"%s\", and refused as \"%s\"", entry->problem, error->message);
      if ((run != NULL ? run->cells->len : 0) != entry->cells)
        g_error ("%u cells listed, others read", entry->cells);
    }
  return 0;
}
