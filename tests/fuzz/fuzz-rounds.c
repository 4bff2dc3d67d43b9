/* fuzz-rounds.c: whatever a table and the rounds beside it hold, reading both ends, with runs or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * An input is two bytes, how long the table is, then the table, then its rounds. A run that is read
 * must survive a trip: written and read again, both files are written the same.
 */
#include <glib/gstdio.h>

#include "fuzz.h"
#include "result/csv.h"

enum { TABLE, ROUNDS, ENVIRONMENT, N_FILES };

static char *folder, *input[N_FILES], *output[N_FILES];

static void
clean_up (void)
{
  for (guint i = 0; i < N_FILES; i++)
    {
      (void) g_unlink (input[i]);
      (void) g_unlink (output[i]);
    }
  (void) g_rmdir (folder);
}

static void
name_files (char **files, const char *name)
{
  files[TABLE] = g_build_filename (folder, name, NULL);
  files[ROUNDS] = memlane_csv_rounds_path (files[TABLE]);
  files[ENVIRONMENT] = memlane_csv_environment_path (files[TABLE]);
}

static void
make_folder (void)
{
  folder = fuzz_make_folder ();
  name_files (input, "fuzz.csv");
  name_files (output, "again.csv");
  atexit (clean_up);
}

/* Both files as one text; the rounds need not be there. */
static char *
write_both (const MemlaneRun *run)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *table = NULL, *rounds = NULL;

  (void) g_unlink (output[ROUNDS]);
  if (!memlane_csv_write (run, output[TABLE], &error) || !g_file_get_contents (output[TABLE], &table, NULL, &error))
    g_error ("it cannot be written: %s", error->message);
  (void) g_file_get_contents (output[ROUNDS], &rounds, NULL, NULL);
  return g_strconcat (table, "\n", rounds, NULL);
}

static void
check_trip (const MemlaneRun *run)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *one = write_both (run), *two = NULL;
  g_autoptr (GPtrArray) again = memlane_csv_read (output[TABLE], NULL, &error);

  if (again == NULL)
    g_error ("what was written is refused: %s", error->message);
  two = write_both (g_ptr_array_index (again, 0));
  if (strcmp (one, two) != 0)
    g_error ("the trip changed it:\n%s\n%s", one, two);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  gsize end;

  fuzz_begin ();
  if (size < 2)
    return 0;
  if (folder == NULL)
    make_folder ();
  end = MIN ((gsize) (data[0] << 8 | data[1]), size - 2);
  fuzz_put (input[TABLE], data + 2, end);
  fuzz_put (input[ROUNDS], data + 2 + end, size - 2 - end);
  runs = memlane_csv_read (input[TABLE], NULL, &error);
  if (runs == NULL)
    {
      fuzz_check_refusal (error, "");
      return 0;
    }
  if (runs->len == 0 || error != NULL)
    g_error ("neither runs nor a message");
  for (guint i = 0; i < runs->len; i++)
    {
      const MemlaneRun *run = g_ptr_array_index (runs, i);

      if (run->cells->len > 0)
        check_trip (run);
    }
  return 0;
}
