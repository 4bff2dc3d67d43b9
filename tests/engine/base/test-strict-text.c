/* test-strict-text.c: numbers and fields, to text and back; where keys stand in a key file
 *
 * SPDX-License-Identifier: MIT
 */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/device-id.h"
#include "base/file-error.h"
#include "base/hash.h"
#include "base/key-file.h"
#include "base/reader-limits.h"
#include "base/strict-text.h"
#include "engine/cases.h"

/* --- what texts say: strict-text.txt --------------------------------------------------------------------- */

static void
say_number (GString *text, const char *asked)
{
  memlane_text_append_number (text, g_ascii_strtod (asked, NULL));
}

static void
read_number (GString *text, const char *asked)
{
  double value = 7;
  gboolean done = memlane_text_read_number (asked, &value);

  g_string_append_printf (text, "%s%.17g", done ? "" : "refused: ", value);
}

static void
say_time (GString *text, const char *asked)
{
  g_autofree char *typed = memlane_digits_format_time (g_ascii_strtod (asked, NULL), FALSE, FALSE);
  g_autofree char *drawn = memlane_digits_format_time (g_ascii_strtod (asked, NULL), TRUE, TRUE);

  g_string_append_printf (text, "%s, drawn %s", typed, drawn);
}

static void
say_printable (GString *text, const char *asked)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  memlane_text_append_printable (text, asked, strlen (asked), FALSE);
  memlane_text_append_printable (lines, asked, strlen (asked), TRUE);
  if (!g_str_equal (lines->str, text->str + strlen ("= ")))
    g_string_append_printf (text, ", with lines %s", lines->str);
  g_string_append (text, memlane_text_is_printable (asked) ? ", as it is" : "");
}

static void
check_name (GString *text, const char *asked)
{
  g_string_append (text, memlane_check_name (asked) != NULL ? memlane_check_name (asked) : "a name");
}

static void
find_kind (GString *text, const char *asked)
{
  const char *kind = memlane_device_id_get_kind (asked);

  g_string_append_printf (text, "%s%s", kind != NULL ? kind : "none", memlane_device_id_fits (asked, "cuda") ? ", may be cuda" : "");
}

static void
check_keys (GString *text, const char *asked)
{
  g_autoptr (MemlaneKeyLines) lines = memlane_key_lines_new (asked, strlen (asked), "one");
  g_autoptr (GError) error = NULL;

  g_assert_false (memlane_key_lines_check (lines, "f", &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  g_string_append (text, error->message);
}

static void
count_columns (GString *text, const char *asked)
{
  g_string_append_printf (text, "%u", memlane_count_columns (asked));
}

/* "OPERATION TEXT". */
static char *
answer_text (const char *asked)
{
  static const struct
  {
    const char *name;
    void (*answer) (GString *text, const char *asked);
  } operations[] = {
    { "number", say_number }, { "read", read_number }, { "field", memlane_text_append_field }, { "time", say_time },
    { "show", say_printable }, { "name", check_name }, { "kind", find_kind }, { "keys", check_keys },
    { "columns", count_columns },
  };
  GString *text = g_string_new ("= ");

  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    if (g_str_has_prefix (asked, operations[i].name))
      operations[i].answer (text, asked + strlen (operations[i].name) + 1);
  g_string_replace (text, "\r", "\\r", 0);
  return g_string_free (text, FALSE);
}

static void
test_texts (void)
{
  setlocale (LC_ALL, "de_DE.UTF-8"); /* where there is no such locale this is an ordinary test */
  check_cases ("base", "strict-text.txt", answer_text);
  setlocale (LC_ALL, "C");
}

static void
test_numbers_out (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  memlane_text_append_rounded (text, 1.0 / 3, 10);
  g_string_append_c (text, ' ');
  memlane_text_append_rounded (text, 0.5, 17);
  memlane_text_append_rounded (text, NAN, 17);
  g_string_append_c (text, ' ');
  memlane_text_append_count (text, G_MAXUINT64);
  memlane_text_append_printable (text, "\r\x7f\0z", 4, TRUE);
  g_assert_cmpstr (text->str, ==, "0.3333333333 0.5 18446744073709551615\\x0d\\x7f\\x00z");
}

/* The short way gives what strtod gives. */
static void
test_short_numbers (void)
{
  double value;

  for (guint i = 0; i < 20000; i++)
    {
      guint64 digits = ((guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ()) % G_GUINT64_CONSTANT (1000000000000000000);
      guint behind = (guint) g_test_rand_int_range (0, 18);
      g_autofree char *text = g_strdup_printf ("%018" G_GUINT64_FORMAT, digits);
      g_autofree char *number = g_strdup_printf ("%.*s.%s", 17 - (int) behind, text, text + 17 - behind);

      g_assert_true (memlane_text_read_number (number[0] == '.' ? text : number, &value));
      g_assert_cmpfloat (value, ==, g_ascii_strtod (number[0] == '.' ? text : number, NULL));
    }
}

static void
test_round_trip (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 20000; i++)
    {
      union { guint64 bits; double value; } number;
      double back;

      number.bits = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
      if (!isfinite (number.value))
        continue;
      g_string_truncate (text, 0);
      memlane_text_append_number (text, number.value);
      g_assert_true (memlane_text_read_number (text->str, &back));
      g_assert_cmpfloat (back, ==, number.value);
    }
}

static void
test_long_name (void)
{
  char name[MEMLANE_LONGEST_NAME + 2];

  memset (name, 'x', sizeof name);
  name[MEMLANE_LONGEST_NAME + 1] = '\0';
  g_assert_nonnull (memlane_check_name (name));
  name[MEMLANE_LONGEST_NAME] = '\0';
  g_assert_null (memlane_check_name (name));
}

/* Where groups and keys stand; a key that is missing belongs to its group's line. */
static void
test_key_lines (void)
{
  static const char text[] = "# a comment\n\n[one]\na=1\n b = 2 \nname[de]=x\r\n[two]\na=3";
  g_autoptr (MemlaneKeyLines) lines = memlane_key_lines_new (text, strlen (text), "one");

  g_assert_true (memlane_key_lines_check (lines, "f", NULL));
  g_assert_cmpuint (memlane_key_lines_find (lines, "one", NULL), ==, 3);
  g_assert_cmpuint (memlane_key_lines_find (lines, "one", "a"), ==, 4);
  g_assert_cmpuint (memlane_key_lines_find (lines, "one", "b"), ==, 5);
  g_assert_cmpuint (memlane_key_lines_find (lines, "one", "name[de]"), ==, 6);
  g_assert_cmpuint (memlane_key_lines_find (lines, "two", "a"), ==, 8);
  g_assert_cmpuint (memlane_key_lines_find (lines, "two", "c"), ==, 7);
  g_assert_cmpuint (memlane_key_lines_find (lines, "three", "c"), ==, 1);
}

/* Words that g_str_hash() takes for the same: whoever writes a file chooses its words. */
static void
test_hashes (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL), plain = g_hash_table_new (NULL, NULL);
  char word[] = "------------------------";

  for (guint i = 0; i < 4096; i++)
    {
      for (guint k = 0; k < 12; k++)
        memcpy (word + 2 * k, (i >> k & 1) != 0 ? "Az" : "BY", 2);
      g_hash_table_add (seen, GUINT_TO_POINTER (memlane_hash_text (word)));
      g_hash_table_add (plain, GUINT_TO_POINTER (g_str_hash (word)));
    }
  g_assert_cmpuint (g_hash_table_size (plain), ==, 1);
  g_assert_cmpuint (g_hash_table_size (seen), >=, 4090);
  g_assert_cmpuint (memlane_hash_text (word), ==, memlane_hash_text (word));
  g_assert_cmpuint (memlane_hash_text (""), !=, memlane_hash_text ("a"));
  g_assert_cmpuint (memlane_hash_number (GUINT_TO_POINTER (1)), !=, memlane_hash_number (GUINT_TO_POINTER (2)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/strict-text/texts", test_texts);
  g_test_add_func ("/strict-text/numbers-out", test_numbers_out);
  g_test_add_func ("/strict-text/short-numbers", test_short_numbers);
  g_test_add_func ("/strict-text/round-trip", test_round_trip);
  g_test_add_func ("/key-lines", test_key_lines);
  g_test_add_func ("/text/long-name", test_long_name);
  g_test_add_func ("/hash/words", test_hashes);
  return g_test_run ();
}
