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

static void
test_numbers_out (void)
{
  static const struct { double value; const char *text; } numbers[] = {
    { 0, "0" }, { -0.0, "0" }, { 1, "1" }, { -5, "-5" }, { 0.1, "0.1" }, { 1.0 / 3, "0.3333333333333333" },
    { 0.1 + 0.2, "0.30000000000000004" },
    { 123456789012345, "123456789012345" }, { 1e15, "1e+15" }, { 1e-7, "1e-07" }, { -2.5e-300, "-2.5e-300" }, { 6.5536e4, "65536" },
    { INFINITY, "" }, { NAN, "" },
  };
  g_autoptr (GString) text = g_string_new (NULL);

  setlocale (LC_ALL, "de_DE.UTF-8"); /* where there is no such locale this is an ordinary test */
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_string_truncate (text, 0);
      memlane_text_append_number (text, numbers[i].value);
      g_assert_cmpstr (text->str, ==, numbers[i].text);
    }
  g_string_truncate (text, 0);
  memlane_text_append_rounded (text, 1.0 / 3, 10);
  g_string_append_c (text, ' ');
  memlane_text_append_rounded (text, 0.5, 17);
  memlane_text_append_rounded (text, NAN, 17);
  g_string_append_c (text, ' ');
  memlane_text_append_count (text, G_MAXUINT64);
  g_assert_cmpstr (text->str, ==, "0.3333333333 0.5 18446744073709551615");
  setlocale (LC_ALL, "C");
}

static void
test_numbers_in (void)
{
  static const char *const bad[] = { "", " 1", "1 ", "+", "-", ".", "1.2.3", "1e", "0x10", "inf", "nan", "1,5", "1e5x", "--1", "\xd9\xa1" };
  static const struct { const char *text; double value; } good[] = {
    { "0", 0 }, { "007", 7 }, { "1.", 1 }, { ".5", 0.5 }, { "-2.5e3", -2500 }, { "+1", 1 }, { "1E5", 1e5 },
    { "123456789012345678", 123456789012345678.0 },
    { "1234567890123456789012", 1234567890123456789012.0 }, { "0.30000000000000004", 0.1 + 0.2 }, { "1e-400", 0 },
  };
  double value;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      value = 7;
      g_assert_false (memlane_text_read_number (bad[i], &value));
      g_assert_true (value == 0);
    }
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_assert_true (memlane_text_read_number (good[i].text, &value));
      g_assert_cmpfloat (value, ==, good[i].value);
    }
  g_assert_false (memlane_text_read_number ("1e400", &value));
  g_assert_true (isinf (value));
  /* The short way gives what strtod gives. */
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
test_fields (void)
{
  static const struct { const char *value, *field; } fields[] = {
    { NULL, "" }, { "", "" }, { "plain-1", "plain-1" }, { "a b", "a b" }, { " a", "\" a\"" }, { "a ", "\"a \"" }, { "a,b", "\"a,b\"" },
    { "say \"x\"", "\"say \"\"x\"\"\"" }, { "two\nlines", "\"two\nlines\"" }, { "\"", "\"\"\"\"" }, { "\xff", "\xef\xbf\xbd" },
    { "=1", "'=1" }, { "+1", "'+1" }, { "-1", "'-1" }, { "@a", "'@a" }, { "\t=", "'\t=" }, { "\r=", "\"'\r=\"" }, { "=a,b", "\"'=a,b\"" },
  };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_string_assign (text, "x,");
      memlane_text_append_field (text, fields[i].value);
      g_assert_cmpstr (text->str + 2, ==, fields[i].field);
    }
}

/* A time has the unit that it has after rounding, typed or drawn. */
static void
test_times (void)
{
  static const struct
  {
    double ns;
    const char *typed, *drawn;
  } cases[] = {
    { 0, "0 ns", "0 ns" }, { 999.4, "999 ns", "999 ns" }, { 999.6, "1.00 us", "1.00 µs" }, { 27900, "27.9 us", "27.9 µs" },
    { -28000, "-28.0 us", "-28.0 µs" }, { 999999, "1.00 ms", "1.00 ms" }, { 5768800, "5.77 ms", "5.77 ms" },
    { 999.9e6, "1.00 s", "1.00 s" }, { 90e9, "90.0 s", "90.0 s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *typed = memlane_digits_format_time (cases[i].ns, FALSE, FALSE);
      g_autofree char *drawn = memlane_digits_format_time (cases[i].ns, TRUE, TRUE);

      g_assert_cmpstr (typed, ==, cases[i].typed);
      g_assert_cmpstr (drawn, ==, cases[i].drawn);
    }
}

static void
test_key_lines (void)
{
  static const char good[] = "# a comment\n\n[one]\na=1\n b = 2 \nname[de]=x\r\n[two]\na=3";
  static const struct { const char *text, *message; } bad[] = {
    { "a=1\n", "f:1: found 'a=1' before the first group, expected [one]" },
    { "[one]\nrubbish\n", "f:2: found 'rubbish', expected KEY=VALUE" },
    { "[one]\n=1\n", "f:2: found '=1', expected KEY=VALUE" },
    { "[one\n", "f:1: found '[one', expected [GROUP]" },
    { "[]\n", "f:1: found '[]', expected [GROUP]" },
    { "[one]\n[two]\n [one]\n", "f:3: [one stands twice, first in line 1" },
    { "[one]\na=1\nb=2\n a =3\n", "f:4: a stands twice, first in line 2" },
    { "[one]\na=\xff\n", "f:2: found bytes that are no text, expected UTF-8" },
  };
  g_autoptr (MemlaneKeyLines) lines = memlane_key_lines_new (good, strlen (good), "one");

  g_assert_true (memlane_key_lines_check (lines, "f", NULL));
  g_assert_cmpuint (memlane_key_lines_find (lines, "one", NULL), ==, 3);
  g_assert_cmpuint (memlane_key_lines_find (lines, "one", "a"), ==, 4);
  g_assert_cmpuint (memlane_key_lines_find (lines, "one", "b"), ==, 5);
  g_assert_cmpuint (memlane_key_lines_find (lines, "one", "name[de]"), ==, 6);
  g_assert_cmpuint (memlane_key_lines_find (lines, "two", "a"), ==, 8);
  g_assert_cmpuint (memlane_key_lines_find (lines, "two", "c"), ==, 7);
  g_assert_cmpuint (memlane_key_lines_find (lines, "three", "c"), ==, 1);

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (MemlaneKeyLines) wrong = memlane_key_lines_new (bad[i].text, strlen (bad[i].text), "one");
      g_autoptr (GError) error = NULL;

      g_assert_false (memlane_key_lines_check (wrong, "f", &error));
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      g_assert_cmpstr (error->message, ==, bad[i].message);
    }
}

static void
assert_printable (const char *text, gsize length, gboolean keeps_lines, const char *expected)
{
  g_autoptr (GString) shown = g_string_new (NULL);

  memlane_text_append_printable (shown, text, length, keeps_lines);
  g_assert_cmpstr (shown->str, ==, expected);
}

static void
test_printable (void)
{
  static const char *const plain[] = { "", "a b", "\xc3\xa4\xe4\xb8\xad", "\xf0\x9f\x99\x82" };

  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    {
      g_assert_true (memlane_text_is_printable (plain[i]));
      assert_printable (plain[i], strlen (plain[i]), FALSE, plain[i]);
    }
  assert_printable ("a\tb\nc", 5, TRUE, "a\tb\nc");
  assert_printable ("a\tb\nc", 5, FALSE, "a\\x09b\\x0ac");
  assert_printable ("\x1b]0;x\a", 6, TRUE, "\\x1b]0;x\\x07");
  assert_printable ("\r\x7f\0z", 4, TRUE, "\\x0d\\x7f\\x00z");
  assert_printable ("\xc2\x9b" "31m", 5, TRUE, "\\u009b31m");
  assert_printable ("\xe2\x80\xaex\xe2\x81\xa6\xd8\x9c", 9, TRUE, "\\u202ex\\u2066\\u061c");
  assert_printable ("\xe2\x80\xa8\xef\xbf\xbf", 6, TRUE, "\\u2028\\uffff");
  assert_printable ("a\xff\xc3", 3, TRUE, "a\\xff\\xc3");
  assert_printable ("\xed\xa0\x80", 3, TRUE, "\\xed\\xa0\\x80"); /* half a pair is no UTF-8 */
  g_assert_false (memlane_text_is_printable ("a\tb"));
  g_assert_false (memlane_text_is_printable ("\xc2\x9b"));
  g_assert_false (memlane_text_is_printable ("\xe2\x80\xae"));
  g_assert_false (memlane_text_is_printable ("\xff"));
}

static void
test_device_ids (void)
{
  g_assert_cmpstr (memlane_device_id_get_kind ("cuda:0"), ==, "cuda");
  g_assert_cmpstr (memlane_device_id_get_kind ("node-3/cuda:0"), ==, "cuda");
  g_assert_cmpstr (memlane_device_id_get_kind ("simulated:h200"), ==, "simulated");
  g_assert_cmpstr (memlane_device_id_get_kind ("a.b/simulated:h200"), ==, "simulated");
  g_assert_cmpstr (memlane_device_id_get_kind ("simulated:./dir/cuda:0"), ==, "simulated"); /* the ':' comes before the '/' */
  g_assert_null (memlane_device_id_get_kind ("cuda"));
  g_assert_null (memlane_device_id_get_kind ("a/b/cuda:0"));
  g_assert_false (memlane_device_id_fits ("x/simulated:h200", "cuda"));
  g_assert_true (memlane_device_id_fits ("gpu", "cuda"));
}

/* What may be a path, a word of a shell and a field of a table. */
static void
test_names (void)
{
  static const char *const good[] = { "h200", "20261124T100000.000Z-cuda-0-vector-add", "gpu_1.example.org", "h200+noise", "A", "_x" };
  static const char *const bad[] = {
    "", ".", "..", ".hidden", "-rf", "../x", "a/b", "a b", "$(touch x)", "a\nb", "a;b", "Größe", "a:b", "a\\b",
  };
  char name[MEMLANE_LONGEST_NAME + 2];

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_cmpstr (memlane_check_name (good[i]), ==, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_nonnull (memlane_check_name (bad[i]));
  memset (name, 'x', sizeof name);
  name[MEMLANE_LONGEST_NAME + 1] = '\0';
  g_assert_nonnull (memlane_check_name (name));
  name[MEMLANE_LONGEST_NAME] = '\0';
  g_assert_null (memlane_check_name (name));
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

static void
test_columns (void)
{
  g_assert_cmpuint (memlane_count_columns (""), ==, 0);
  g_assert_cmpuint (memlane_count_columns ("a页 b"), ==, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/strict-text/columns", test_columns);
  g_test_add_func ("/strict-text/numbers-out", test_numbers_out);
  g_test_add_func ("/strict-text/numbers-in", test_numbers_in);
  g_test_add_func ("/strict-text/round-trip", test_round_trip);
  g_test_add_func ("/strict-text/fields", test_fields);
  g_test_add_func ("/strict-text/times", test_times);
  g_test_add_func ("/key-lines", test_key_lines);
  g_test_add_func ("/text/printable", test_printable);
  g_test_add_func ("/text/names", test_names);
  g_test_add_func ("/hash/words", test_hashes);
  g_test_add_func ("/text/device-ids", test_device_ids);
  return g_test_run ();
}
