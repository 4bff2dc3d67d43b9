/* json-tree.c: a small JSON text as a tree, within limits
 *
 * SPDX-License-Identifier: MIT
 */
#include "json-tree.h"

#include <string.h>

#include "fail.h"
#include "json-pull.h"
#include "reader-limits.h"

/* A whole number where an int64 holds it, as json-glib's own parser has it. */
static JsonNode *
read_number (const char *text)
{
  JsonNode *node = json_node_new (JSON_NODE_VALUE);
  gint64 whole;

  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &whole, NULL))
    json_node_set_int (node, whole);
  else
    json_node_set_double (node, g_ascii_strtod (text, NULL));
  return node;
}

static JsonNode *read_value (MemlaneJsonPull *pull, MemlaneJsonToken token, guint *n_values);

static JsonNode *
read_object (MemlaneJsonPull *pull, guint *n_values)
{
  g_autoptr (JsonObject) object = json_object_new ();
  MemlaneJsonToken token;
  JsonNode *node;

  while ((token = memlane_json_pull_next (pull)) == MEMLANE_JSON_KEY)
    {
      g_autofree char *key = g_strdup (pull->text);
      JsonNode *value = read_value (pull, memlane_json_pull_next (pull), n_values);

      if (value == NULL)
        return NULL;
      json_object_set_member (object, key, value);
    }
  if (token == MEMLANE_JSON_ERROR)
    return NULL;
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_set_object (node, object);
  return node;
}

static JsonNode *
read_array (MemlaneJsonPull *pull, guint *n_values)
{
  g_autoptr (JsonArray) array = json_array_new ();
  MemlaneJsonToken token;
  JsonNode *node;

  while ((token = memlane_json_pull_next (pull)) != MEMLANE_JSON_ARRAY_END)
    {
      JsonNode *value = read_value (pull, token, n_values);

      if (value == NULL)
        return NULL;
      json_array_add_element (array, value);
    }
  node = json_node_new (JSON_NODE_ARRAY);
  json_node_set_array (node, array);
  return node;
}

/* The value that @token begins; NULL: pull->error is set. Calls itself as deep as json-pull.h allows. */
static JsonNode *
read_value (MemlaneJsonPull *pull, MemlaneJsonToken token, guint *n_values)
{
  JsonNode *node;

  if (token != MEMLANE_JSON_ERROR && ++*n_values > MEMLANE_JSON_TREE_MOST_VALUES)
    {
      memlane_json_pull_refuse (pull, "found more than %d values, expected fewer", MEMLANE_JSON_TREE_MOST_VALUES);
      return NULL;
    }
  switch (token)
    {
    case MEMLANE_JSON_OBJECT:
      return read_object (pull, n_values);
    case MEMLANE_JSON_ARRAY:
      return read_array (pull, n_values);
    case MEMLANE_JSON_STRING:
      node = json_node_new (JSON_NODE_VALUE);
      json_node_set_string (node, pull->text);
      return node;
    case MEMLANE_JSON_NUMBER:
      return read_number (pull->text);
    case MEMLANE_JSON_TRUE:
    case MEMLANE_JSON_FALSE:
      node = json_node_new (JSON_NODE_VALUE);
      json_node_set_boolean (node, token == MEMLANE_JSON_TRUE);
      return node;
    case MEMLANE_JSON_NULL:
      return json_node_new (JSON_NODE_NULL);
    case MEMLANE_JSON_ERROR:
    case MEMLANE_JSON_END:
    case MEMLANE_JSON_OBJECT_END:
    case MEMLANE_JSON_ARRAY_END:
    case MEMLANE_JSON_KEY:
    default:
      return NULL; /* an error: where a value is due json-pull.h gives nothing else */
    }
}

/* The place of @at in @text; both from 1. */
static void
find_place (const char *text, const char *at, guint *line, gsize *column)
{
  const char *begin = text;

  *line = 1;
  for (const char *p = text; p < at; p++)
    if (*p == '\n')
      {
        ++*line;
        begin = p + 1;
      }
  *column = (gsize) (at - begin) + 1;
}

JsonNode *
memlane_json_tree_read (const char *text, gssize length, const char *name, GError **error)
{
  gsize bytes = length < 0 ? strlen (text) : (gsize) length, column;
  g_autofree char *shown = g_filename_display_name (name);
  MemlaneJsonPull pull;
  JsonNode *root;
  guint n_values = 0, line;
  const char *bad;

  if (bytes > MEMLANE_JSON_TREE_MOST_BYTES)
    return memlane_fail (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s: found %" G_GSIZE_FORMAT " bytes, expected at most %d",
                         shown, bytes, MEMLANE_JSON_TREE_MOST_BYTES), NULL;
  if (!g_utf8_validate_len (text, bytes, &bad))
    {
      find_place (text, bad, &line, &column);
      return memlane_fail (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD,
                           "%s:%u:%" G_GSIZE_FORMAT ": found the byte 0x%02x, expected UTF-8", shown, line, column,
                           (guint) (guchar) *bad), NULL;
    }
  memlane_json_pull_init_text (&pull, text, bytes, name);
  root = read_value (&pull, memlane_json_pull_next (&pull), &n_values);
  if (root != NULL && memlane_json_pull_next (&pull) != MEMLANE_JSON_END)
    g_clear_pointer (&root, json_node_unref);
  if (root == NULL)
    g_propagate_error (error, g_steal_pointer (&pull.error));
  memlane_json_pull_clear (&pull);
  return root;
}
