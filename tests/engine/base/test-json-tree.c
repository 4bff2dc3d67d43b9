/* test-json-tree.c: what a small JSON text may be, and what is refused before it costs anything
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/json.h"

static char *
repeat (const char *before, const char *piece, guint n, const char *after)
{
  GString *text = g_string_new (before);

  for (guint i = 0; i < n; i++)
    g_string_append (text, piece);
  g_string_append (text, after);
  return g_string_free (text, FALSE);
}

static void
assert_refused (const char *text, gssize length, const char *message)
{
  g_autoptr (GError) error = NULL;
  JsonNode *root = memlane_json_tree_read (text, length, "t.json", &error);

  g_assert_null (root);
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_values (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = memlane_json_tree_read (" {\"a\": [1, -2.5, 1e3, 9223372036854775808, true, false, null, \"\\u00e4\\n\"],\n"
                                                      "  \"b\": {\"c\": {}}, \"b\": []} ", -1, "t.json", &error);
  JsonObject *object;
  JsonArray *a;

  g_assert_no_error (error);
  object = json_node_get_object (root);
  a = json_object_get_array_member (object, "a");
  g_assert_cmpuint (json_array_get_length (a), ==, 8);
  g_assert_true (json_node_get_value_type (json_array_get_element (a, 0)) == G_TYPE_INT64);
  g_assert_cmpint (json_array_get_int_element (a, 0), ==, 1);
  g_assert_cmpfloat (json_array_get_double_element (a, 1), ==, -2.5);
  g_assert_cmpfloat (json_array_get_double_element (a, 2), ==, 1000);
  g_assert_cmpfloat (json_array_get_double_element (a, 3), ==, 9223372036854775808.0);
  g_assert_true (json_array_get_boolean_element (a, 4));
  g_assert_false (json_array_get_boolean_element (a, 5));
  g_assert_true (json_array_get_null_element (a, 6));
  g_assert_cmpstr (json_array_get_string_element (a, 7), ==, "ä\n");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "b")), ==, 0); /* the last counts */
}

static void
test_what_is_no_json (void)
{
  assert_refused ("", -1, "t.json:1:1: found the end of the file, expected a value: the file is cut off");
  assert_refused ("{\"a\": 1", -1, "t.json:1:8: found the end of the file, expected a comma or }: the file is cut off");
  assert_refused ("{\"a\": 1,\n \"b\"}", -1, "t.json:2:5: found \"}\", expected a colon after the key");
  assert_refused ("{} {}", -1, "t.json:1:4: found \"{\", expected nothing behind the value");
  assert_refused ("[1,\n// no\n2]", -1, "t.json:2:1: found \"/\", expected a value");
  assert_refused ("[\n\"\xff\"]", -1, "t.json:2:2: found the byte 0xff, expected UTF-8");
  assert_refused ("[1]\0", 4, "t.json:1:4: found the byte 0x00, expected UTF-8");
}

/* One more than each limit; json-glib's own parser ended the program at 60,000 levels. */
static void
test_limits (void)
{
  g_autofree char *deepest = repeat ("", "[", MEMLANE_JSON_MOST_DEPTH, ""), *closing = repeat (deepest, "]", MEMLANE_JSON_MOST_DEPTH, "");
  g_autofree char *deep = repeat ("", "[", MEMLANE_JSON_MOST_DEPTH + 1, ""), *very_deep = repeat ("", "{\"a\":", 600000, "");
  g_autofree char *most = repeat ("[0", ",0", MEMLANE_JSON_TREE_MOST_VALUES - 2, "]");
  g_autofree char *many = repeat ("[0", ",0", MEMLANE_JSON_TREE_MOST_VALUES - 1, "]");
  g_autofree char *longest = g_strnfill (MEMLANE_JSON_LONGEST_STRING, 'x'), *string = g_strdup_printf ("\"%s\"", longest);
  g_autofree char *too_long = g_strdup_printf ("\"%sx\"", longest), *large = g_strnfill (MEMLANE_JSON_TREE_MOST_BYTES + 1, ' ');
  const char *fine[] = { closing, most, string };

  for (guint i = 0; i < G_N_ELEMENTS (fine); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) root = memlane_json_tree_read (fine[i], -1, "t.json", &error);

      g_assert_no_error (error);
      g_assert_nonnull (root);
    }
  assert_refused (deep, -1, "t.json:1:65: found more than 64 levels of nesting, expected fewer: no file of Memlane nests so deep");
  assert_refused (very_deep, -1, "t.json:1:321: found more than 64 levels of nesting, expected fewer: no file of Memlane nests so deep");
  assert_refused (many, -1, "t.json:1:200001: found more than 100000 values, expected fewer");
  assert_refused (too_long, -1, "t.json:1:1048579: found a string of more than 1048576 bytes");
  assert_refused (large, -1, "t.json: found 4194305 bytes, expected at most 4194304");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-tree/values", test_values);
  g_test_add_func ("/json-tree/what-is-no-json", test_what_is_no_json);
  g_test_add_func ("/json-tree/limits", test_limits);
  return g_test_run ();
}
