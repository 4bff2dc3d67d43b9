/* mutate.h: a fuzzer's own engine, where libFuzzer is not at hand
 *
 * SPDX-License-Identifier: MIT
 *
 * PROGRAM [--iterations N] [--seed N] [FILE...] replays the files, then mutates them and the built-in seeds N times.
 */
#pragma once

#include <glib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

#ifndef MEMLANE_LIBFUZZER

typedef struct
{
  const char *const *seeds;
  guint n_seeds;
  const char *const *pieces; /* what means something to the reader */
  guint n_pieces;
  int iterations;
  gboolean digits_alone;     /* a changed byte is another digit, so that most of what is changed is still read to its end */
} Fuzz;

static void
fuzz_mutate (const Fuzz *fuzz, GRand *random, GByteArray *bytes)
{
  guint rounds = (guint) g_rand_int_range (random, 1, 5);

  while (rounds-- > 0 && bytes->len > 1)
    {
      guint at = (guint) g_rand_int_range (random, 0, (gint32) bytes->len), rest = bytes->len - at;
      guint span = (guint) g_rand_int_range (random, 1, (gint32) MIN (rest, 40) + 1);
      const char *piece = fuzz->pieces[g_rand_int_range (random, 0, (gint32) fuzz->n_pieces)];
      g_autofree guint8 *tail = NULL;

      switch (g_rand_int_range (random, 0, 6))
        {
        case 0:
          bytes->data[at] ^= (guint8) (1 << g_rand_int_range (random, 0, 8));
          break;
        case 1:
          if (!fuzz->digits_alone)
            bytes->data[at] = (guint8) g_rand_int_range (random, 0, 256);
          else if (g_ascii_isdigit (bytes->data[at]))
            bytes->data[at] = (guint8) ('0' + g_rand_int_range (random, 0, 10));
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

static int
fuzz_run (const Fuzz *fuzz, int argc, char **argv)
{
  int iterations = fuzz->iterations, seed = 1;
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
  for (guint i = 0; i < fuzz->n_seeds; i++)
    g_ptr_array_add (corpus, g_bytes_new_static (fuzz->seeds[i], strlen (fuzz->seeds[i])));
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
      fuzz_mutate (fuzz, random, bytes);
      LLVMFuzzerTestOneInput (bytes->data, bytes->len);
    }
  g_rand_free (random);
  g_print ("%u inputs and %d mutations\n", corpus->len, iterations);
  return 0;
}

#endif
