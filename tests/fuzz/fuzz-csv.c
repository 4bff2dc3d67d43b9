/* fuzz-csv.c: whatever bytes a CSV holds, reading it ends, with runs or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * What is read must also survive a trip: written and read again, it is written the same.
 */
#include "fuzz.h"
#include "result/csv.h"

static GPtrArray *
read_bytes (const void *data, gsize size, GError **error)
{
  int fd = fuzz_open (data, size);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  GPtrArray *runs = memlane_csv_read (path, NULL, error);

  close (fd);
  return runs;
}

static GString *
write_text (GPtrArray *runs)
{
  GString *text = g_string_new (NULL);

  memlane_csv_append_header (text);
  for (guint i = 0; i < runs->len; i++)
    {
      const MemlaneRun *run = g_ptr_array_index (runs, i);

      for (guint j = 0; j < run->cells->len; j++)
        memlane_csv_append_cell (text, run, g_ptr_array_index (run->cells, j));
    }
  return text;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = read_bytes (data, size, &error);
  g_autoptr (GPtrArray) again = NULL;
  g_autoptr (GString) one = NULL, two = NULL;

  fuzz_begin ();
  if (runs == NULL)
    {
      fuzz_check_refusal (error, "/proc/self/fd/");
      return 0;
    }
  if (runs->len == 0 || error != NULL)
    g_error ("neither runs nor a message");
  one = write_text (runs);
  again = read_bytes (one->str, one->len, &error);
  if (again == NULL)
    g_error ("what was written is refused: %s", error->message);
  two = write_text (again);
  if (!g_string_equal (one, two))
    g_error ("the trip changed it:\n%s\n%s", one->str, two->str);
  return 0;
}
