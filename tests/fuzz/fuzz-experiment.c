/* fuzz-experiment.c: whatever bytes an experiment's file holds, reading it ends, with an experiment or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * What is read must also be judged without figures: each check cannot be told then. With clang and -DMEMLANE_LIBFUZZER -fsanitize=fuzzer it
 * is a libFuzzer target. Otherwise: fuzz-experiment [--iterations N] [--seed N] [FILE...] replays the files, then mutates them and the
 * installed experiments N times.
 */
#include <stdlib.h>
#include <string.h>

#include "experiment/result.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const char *const languages[] = { "C", "zh_CN" };
  gboolean taken[G_N_ELEMENTS (languages)];
  g_autofree char *said = NULL; /* by the last refusal */

  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneExperiment) experiment = memlane_experiment_parse ((const char *) data, size, "fuzz", languages[i], &error);
      g_autoptr (MemlaneExperimentResult) result = NULL;

      taken[i] = experiment != NULL;
      if (experiment == NULL)
        {
          g_free (said);
          said = error != NULL ? g_strdup (error->message) : NULL;
          if (error == NULL || !g_str_has_prefix (error->message, "fuzz:") || !g_ascii_isdigit (error->message[5])
              || !g_utf8_validate (error->message, -1, NULL) || strlen (error->message) > 2000)
            g_error ("a bad message: %s", error != NULL ? error->message : "none");
          continue;
        }
      if (error != NULL || experiment->checks->len == 0 || experiment->steps->len == 0 || experiment->title == NULL)
        g_error ("half an experiment");
      result = memlane_experiment_result_new (experiment);
      memlane_experiment_judge (result, NULL);
      for (guint k = 0; k < result->checks->len; k++)
        {
          const MemlaneCheckResult *check = result->checks->pdata[k];

          /* Numbers alone can be compared without a device. */
          if (check->verdict != MEMLANE_VERDICT_CANNOT_BE_TOLD && strpbrk (check->check->test, ":/@") != NULL)
            g_error ("judged without figures: %s", check->check->test);
        }
    }
  if (taken[0] != taken[1])
    g_error ("refused in one language, taken in the other: %s", said);
  return 0;
}

#ifndef MEMLANE_LIBFUZZER

/* Pieces that mean something to the reader. */
static const char *const pieces[] = {
  "=", "[", "]", "\n", "\r\n", ";", ";;", "\\", "\\n", "\\q", " ", "@", ":", "/", "@10:20", "@99", " < ", " > ", " is ", " within 1 2",
  "5us", "1e9", "-1", "0", "\xff", "\xe9\xa2\x98", "[zh_CN]", "[Sweep s]\n", "[Check c]\n", "[Lab l]\n",
  "[Procedure p]\nprocedure=waiting\n",
  "modes=all\n", "sizes=4:28\n", "test=", "!", "18446744073709551616",
};

static void
mutate (GRand *random, GByteArray *bytes)
{
  guint rounds = (guint) g_rand_int_range (random, 1, 5);

  while (rounds-- > 0 && bytes->len > 1)
    {
      guint at = (guint) g_rand_int_range (random, 0, (gint32) bytes->len), rest = bytes->len - at;
      guint span = (guint) g_rand_int_range (random, 1, (gint32) MIN (rest, 60) + 1);
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
          if (g_rand_int_range (random, 0, 8) == 0)
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

static gboolean
add_file (GPtrArray *corpus, const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &error))
    {
      g_printerr ("%s\n", error->message);
      return FALSE;
    }
  g_ptr_array_add (corpus, g_bytes_new_take (text, length));
  return TRUE;
}

int
main (int argc, char **argv)
{
  int iterations = 3000, seed = 1;
  g_auto (GStrv) files = NULL;
  const GOptionEntry options[] = { { "iterations", 'n', 0, G_OPTION_ARG_INT, &iterations, "Mutations to try", "N" },
                                   { "seed", 's', 0, G_OPTION_ARG_INT, &seed, "Seed of the mutations", "N" },
                                   { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "FILE..." },
                                   { NULL } };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GPtrArray) corpus = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GPtrArray) list = memlane_experiment_list ("C", NULL);
  g_autoptr (GError) error = NULL;
  guint taken = 0;
  GRand *random;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  for (char **file = files; file != NULL && *file != NULL; file++)
    if (!add_file (corpus, *file))
      return 1;
  for (guint i = 0; i < list->len; i++)
    if (!add_file (corpus, ((MemlaneExperiment *) list->pdata[i])->path))
      return 1;
  if (corpus->len == 0)
    {
      g_printerr ("no experiment was found to begin with\n");
      return 1;
    }
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
      g_autoptr (MemlaneExperiment) experiment = NULL;
      gsize length;
      const guint8 *data = g_bytes_get_data (g_ptr_array_index (corpus, g_rand_int_range (random, 0, (gint32) corpus->len)), &length);

      g_byte_array_append (bytes, data, (guint) length);
      mutate (random, bytes);
      LLVMFuzzerTestOneInput (bytes->data, bytes->len);
      experiment = memlane_experiment_parse ((const char *) bytes->data, bytes->len, "fuzz", "C", NULL);
      taken += experiment != NULL;
    }
  g_rand_free (random);
  g_print ("%u inputs and %d mutations, of which %u were taken\n", corpus->len, iterations, taken);
  return 0;
}

#endif
