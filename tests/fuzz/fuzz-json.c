/* fuzz-json.c: whatever bytes stand where JSON is expected, a tree or a message comes of it
 *
 * SPDX-License-Identifier: MIT
 *
 * A tree that is written and read again is written the same.
 */
#include "base/json.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = g_malloc (size + 1), *text = NULL, *text_again = NULL;
  g_autoptr (JsonNode) root = NULL, again = NULL;

  fuzz_begin ();
  memcpy (copy, data, size);
  copy[size] = '\0';
  root = memlane_json_tree_read (copy, (gssize) size, "fuzz", &error);
  if (root == NULL)
    {
      fuzz_check_refusal (error, "fuzz:");
      if (!g_error_matches (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD))
        g_error ("another error: %s", error->message);
      return 0;
    }
  if (error != NULL)
    g_error ("a tree and a message");
  text = json_to_string (root, FALSE);
  again = memlane_json_tree_read (text, -1, "again", &error);
  if (again == NULL) /* json-glib writes 1e-99 as 1e-99.0, which is no JSON, and what no double holds as inf */
    return 0;
  text_again = json_to_string (again, FALSE);
  if (strcmp (text, text_again) != 0)
    g_error ("the trip changed it:\n%s\n%s", text, text_again);
  return 0;
}
