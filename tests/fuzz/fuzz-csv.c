/* fuzz-csv.c: whatever bytes a CSV holds, reading it ends, with runs or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * What is read must also survive a trip: written and read again, it is written the same. With clang and -DMEMLANE_LIBFUZZER
 * -fsanitize=fuzzer it is a libFuzzer target, otherwise a program of mutate.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mutate.h"
#include "result/csv.h"

static GPtrArray *
read_bytes (const void *data, gsize size, GError **error)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  GPtrArray *runs;

  if (fd < 0 || write (fd, data, size) != (ssize_t) size || lseek (fd, 0, SEEK_SET) != 0)
    g_error ("no memory file");
  runs = memlane_csv_read_fd (fd, "fuzz.csv", G_MAXUINT64, NULL, NULL, NULL, error);
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

  if (runs == NULL)
    {
      if (error == NULL || !g_str_has_prefix (error->message, "fuzz.csv:") || strstr (error->message, ": column ") == NULL ||
          !g_utf8_validate (error->message, -1, NULL) || strlen (error->message) > 1000)
        g_error ("a bad message: %s", error != NULL ? error->message : "none");
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

#ifndef MEMLANE_LIBFUZZER

#define R "r,cuda:0,cuda,vector-add,pinned,10,1024,4096,1,,,"
static const char *const seeds[] = {
  MEMLANE_CSV_COLUMNS "\n" R "upload,device,10,100,90,110,80,95,105,120,8192,81920000000,ok,\n"
  R "first,host,1,100.5,100.5,100.5,100.5,100.5,100.5,100.5,,,ok,\n"
  "r,cuda:0,cuda,vector-add,mapped,0,1,4,2,4,8,elapsed,,,,,,,,,,,,unsupported,\"a, \"\"b\"\"\n c\"\n",
  "\xef\xbb\xbf" MEMLANE_CSV_COLUMNS "\r\n" R "kernel,issue,,,,,,,,,,,timeout,late\r\n"
  "s,simulated:h200,simulated,copy-to-host,pageable,4,16,64,1,,,download,host,3,1e3,1e3,1e3,1e3,1e3,1e3,1e3,,,noisy,\xc3\xa4\r\n",
};

/* Pieces that mean something to the reader. */
static const char *const pieces[] = { ",", "\"", "\"\"", "\n", "\r\n", "\r", "0", "-1", "1e999", "nan", "3,14", "\xff", "", ",,,,,,,,",
                                      "ok", "elapsed",
                                      "18446744073709551616", "\xef\xbb\xbf", " ", "run" };

int
main (int argc, char **argv)
{
  const Fuzz fuzz = { seeds, G_N_ELEMENTS (seeds), pieces, G_N_ELEMENTS (pieces), .iterations = 20000 };

  return fuzz_run (&fuzz, argc, argv);
}

#endif
