/* test-words.c: values in words, and figures in the sentences of the analysis
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart/answer-words.h"
#include "chart/scale.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "engine/cases.h"

static guint
find_name (const char *const *names, const char *name)
{
  guint i = 0;

  while (!g_str_equal (names[i], name))
    i++;
  return i;
}

static char *
tell_unit (char **words)
{
  static const char *const names[] = { "elements", "bytes", "bandwidth", "time", "ratio" };

  return memlane_unit_format (find_name (names, words[1]), g_ascii_strtod (words[2], NULL), FALSE);
}

static char *
tell_power (char **words)
{
  return memlane_unit_format_power ((guint) g_ascii_strtoull (words[1], NULL, 10));
}

/* "fact KIND NAME" with TEXT, with VALUE, LOW and HIGH, or for a list with "LABEL|A|B" and more. */
static char *
tell_fact (char **words)
{
  static const char *const kinds[] = { "mode", "modes", "text", "word", "size", "bytes", "ns", "bandwidth", "count", "percent",
                                       "factor", "list" };
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (MemlaneFact));
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_autofree char *format = g_strdup_printf ("{%s}.", words[2]);
  MemlaneAnswer answer = { MEMLANE_ANSWER_BEST, format, values };
  MemlaneFact fact = { words[2], find_name (kinds, words[1]) };

  if (fact.kind == MEMLANE_FACT_LIST)
    {
      for (char **word = words + 3; *word != NULL; word++)
        g_ptr_array_add (list, g_strsplit (*word, "|", 3));
      fact.list = list;
    }
  else if (fact.kind <= MEMLANE_FACT_WORD)
    fact.text = words[3];
  else
    fact.number = (MemlaneEstimate) { g_ascii_strtod (words[3], NULL), g_ascii_strtod (words[4], NULL),
                                      g_ascii_strtod (words[5], NULL) };
  g_array_append_val (values, fact);
  return memlane_answer_to_words (&answer);
}

/* A line for each. */
static char *
answer_words (const char *asked)
{
  g_auto (GStrv) lines = g_strsplit (asked, "\n", -1);
  GString *text = g_string_new (NULL);

  for (char **line = lines; **line != '\0'; line++)
    {
      g_auto (GStrv) words = NULL;
      g_autofree char *said = NULL;

      g_assert_true (g_shell_parse_argv (*line, NULL, &words, NULL));
      said = *line[0] == 'u' ? tell_unit (words) : *line[0] == 'p' ? tell_power (words) : tell_fact (words);
      g_string_append_printf (text, "%s: %s\n", strchr (*line, ' ') + 1, said);
    }
  return g_strchomp (g_string_free (text, FALSE));
}

static void
test_words (void)
{
  check_cases ("golden", "words.txt", answer_words);
}

/* Nothing to say, and numbers that nobody expects. */
static void
test_odd (void)
{
  static const double values[] = { 1e-320, 1e-300, -1e-300, 1e15, 1e18, 1e300, -1e300, DBL_MAX, DBL_MIN, -0.0 };

  for (int unit = MEMLANE_UNIT_ELEMENTS; unit <= MEMLANE_UNIT_RATIO; unit++)
    {
      g_autofree char *nothing = memlane_unit_format ((MemlaneUnit) unit, NAN, FALSE);
      g_autofree char *endless = memlane_unit_format ((MemlaneUnit) unit, -INFINITY, FALSE);

      g_assert_cmpstr (nothing, ==, "n/a");
      g_assert_cmpstr (endless, ==, "n/a");
      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        {
          g_autofree char *words = memlane_unit_format ((MemlaneUnit) unit, values[i], i % 2);

          g_assert_cmpuint (strlen (words), >, 0);
          g_assert_cmpuint (strlen (words), <, 32);
          g_assert_false (values[i] == 0 && words[0] == '-');
          g_assert_null (strstr (words, "nan"));
          g_assert_null (strstr (words, "inf"));
        }
    }
}

/* A point is a comma in Germany, if it is asked for. */
static void
test_locale (void)
{
  static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8" };
  gboolean found = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (names) && !found; i++)
    found = setlocale (LC_NUMERIC, names[i]) != NULL;
  if (found)
    {
      g_autofree char *here = memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, 40.7e9, TRUE);
      g_autofree char *anywhere = memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, 40.7e9, FALSE);
      g_autofree char *bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, 65536, TRUE);
      MemlaneScale scale = { MEMLANE_SCALE_LINEAR, 0, 1 };
      g_autoptr(GArray) ticks = memlane_scale_ticks (&scale, MEMLANE_UNIT_RATIO, 6);

      g_assert_cmpstr (here, ==, "40,7 GB/s");
      g_assert_cmpstr (anywhere, ==, "40.7 GB/s");
      g_assert_cmpstr (bytes, ==, "64 KiB");
      g_assert_cmpstr (g_array_index (ticks, MemlaneTick, 0).label, ==, "0.0");
    }
  else
    {
      g_autofree char *here = memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, 40.7e9, TRUE);

      g_test_message ("no locale with a decimal comma on this machine");
      g_assert_cmpstr (here, ==, "40.7 GB/s");
    }
  setlocale (LC_NUMERIC, "C");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/words/words", test_words);
  g_test_add_func ("/words/odd", test_odd);
  g_test_add_func ("/words/locale", test_locale);
  return g_test_run ();
}
