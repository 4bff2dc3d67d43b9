/* fuzz-peers.c: whatever bytes another program's results have, they are runs that Memlane's own reader takes back, or refused in words
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>

#include "fuzz.h"
#include "result/csv.h"
#include "result/peers.h"

static char *folder, *path, *copy;

static void
clean_up (void)
{
  (void) g_unlink (path);
  (void) g_unlink (copy);
  (void) g_rmdir (folder);
}

static void
make_path (void)
{
  folder = fuzz_make_folder ();
  path = g_build_filename (folder, "fuzz-64MiB.json", NULL); /* nvbandwidth says how much it copied in the file's name alone */
  copy = g_build_filename (folder, "again.csv", NULL);
  atexit (clean_up);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL, again = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  fuzz_begin ();
  if (path == NULL)
    make_path ();
  fuzz_put (path, data, size);
  runs = memlane_peers_read (path, &error);
  if (runs == NULL)
    {
      fuzz_check_refusal (error, path);
      return 0;
    }
  memlane_csv_append_header (text);
  for (guint i = 0; i < runs->len; i++)
    {
      const MemlaneRun *run = runs->pdata[i];

      for (guint k = 0; k < run->cells->len; k++)
        memlane_csv_append_cell (text, run, run->cells->pdata[k]);
    }
  fuzz_put (copy, (const guint8 *) text->str, text->len);
  again = memlane_csv_read (copy, NULL, NULL, NULL, &error);
  if (again == NULL || again->len != runs->len)
    g_error ("read, written, and not read again: %s", error != NULL ? error->message : "other runs");
  return 0;
}
