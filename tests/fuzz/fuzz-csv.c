/* fuzz-csv.c: whatever bytes a CSV holds, reading it ends, with runs or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * What is read must also survive a trip: written and read again, it is written the same. With clang and -DMEMLANE_LIBFUZZER
 * -fsanitize=fuzzer it is a libFuzzer target. Otherwise: fuzz-csv [--iterations N] [--seed N] [FILE...] replays the files, then mutates
 * them and the built-in rows N times.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "result/csv-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

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

static void
mutate (GRand *random, GByteArray *bytes)
{
  guint rounds = (guint) g_rand_int_range (random, 1, 5);

  while (rounds-- > 0 && bytes->len > 1)
    {
      guint at = (guint) g_rand_int_range (random, 0, (gint32) bytes->len), rest = bytes->len - at;
      guint span = (guint) g_rand_int_range (random, 1, (gint32) MIN (rest, 40) + 1);
      const char *piece = pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))];
      g_autofree guint8 *tail = NULL;

      switch (g_rand_int_range (random, 0, 6))
        {
        case 0:
          bytes->data[at] ^= (guint8) (1 << g_rand_int_range (random, 0, 8));
          break;
        case 1:
          bytes->data[at] = (guint8) g_rand_int_range (random, 0, 256);
          break;
        case 2:
          g_byte_array_remove_range (bytes, at, span);
          break;
        case 3:
          g_byte_array_set_size (bytes, at);
          break;
        case 4: /* a span twice */
          tail = g_memdup2 (bytes->data + at, rest);
          g_byte_array_set_size (bytes, at + span);
          g_byte_array_append (bytes, tail, rest);
          break;
        default:
          tail = g_memdup2 (bytes->data + at, rest);
          g_byte_array_set_size (bytes, at);
          g_byte_array_append (bytes, (const guint8 *) piece, (guint) strlen (piece));
          g_byte_array_append (bytes, tail, rest);
        }
    }
}

int
main (int argc, char **argv)
{
  int iterations = 20000, seed = 1;
  g_auto (GStrv) files = NULL;
  const GOptionEntry options[] = { { "iterations", 'n', 0, G_OPTION_ARG_INT, &iterations, "Mutations to try", "N" },
                                   { "seed", 's', 0, G_OPTION_ARG_INT, &seed, "Seed of the mutations", "N" },
                                   { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "FILE..." },
                                   { NULL } };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GPtrArray) corpus = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GError) error = NULL;
  GRand *random;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  for (char **file = files; file != NULL && *file != NULL; file++)
    {
      char *text;
      gsize length;

      if (!g_file_get_contents (*file, &text, &length, &error))
        {
          g_printerr ("%s\n", error->message);
          return 1;
        }
      g_ptr_array_add (corpus, g_bytes_new_take (text, length));
    }
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    g_ptr_array_add (corpus, g_bytes_new_static (seeds[i], strlen (seeds[i])));
  for (guint i = 0; i < corpus->len; i++)
    {
      gsize length;
      const guint8 *data = g_bytes_get_data (g_ptr_array_index (corpus, i), &length);

      LLVMFuzzerTestOneInput (data, length);
    }

  random = g_rand_new_with_seed ((guint32) seed);
  for (int i = 0; i < iterations; i++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      gsize length;
      const guint8 *data = g_bytes_get_data (g_ptr_array_index (corpus, g_rand_int_range (random, 0, (gint32) corpus->len)), &length);

      g_byte_array_append (bytes, data, (guint) length);
      mutate (random, bytes);
      LLVMFuzzerTestOneInput (bytes->data, bytes->len);
    }
  g_rand_free (random);
  g_print ("%u inputs and %d mutations\n", corpus->len, iterations);
  return 0;
}

#endif
