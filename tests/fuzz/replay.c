/* replay.c: a harness without libFuzzer: PROGRAM FOLDER... gives it each file, and each file cut short at 64 places
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#define CUTS 64

static guint n_inputs;

static void
replay (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &error))
    g_error ("%s", error->message);
  for (guint i = 0; i <= CUTS; i++)
    {
      gsize size = length * i / CUTS;
      g_autofree guint8 *exact = g_malloc (MAX (size, 1)); /* a reader that goes one byte too far is seen by sanitizers */

      memcpy (exact, text, size);
      LLVMFuzzerTestOneInput (exact, size);
      n_inputs++;
    }
}

int
main (int argc, char **argv)
{
  guint n_files = 0;

  for (int i = 1; i < argc; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GDir) dir = g_dir_open (argv[i], 0, &error);
      const char *name;

      if (dir == NULL)
        g_error ("%s", error->message);
      while ((name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_build_filename (argv[i], name, NULL);

          replay (path);
          n_files++;
        }
    }
  g_print ("%u files, %u inputs\n", n_files, n_inputs);
  return n_files > 0 ? 0 : 1;
}
