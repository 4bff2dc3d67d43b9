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
static void
add_number (JsonBuilder *builder, const char *text)
{
  gint64 whole;

  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &whole, NULL))
    json_builder_add_int_value (builder, whole);
  else
    json_builder_add_double_value (builder, g_ascii_strtod (text, NULL));
}

static void
add_token (JsonBuilder *builder, MemlaneJsonToken token, const char *text)
{
  switch (token)
    {
    case MEMLANE_JSON_OBJECT:
      json_builder_begin_object (builder);
      break;
    case MEMLANE_JSON_OBJECT_END:
      json_builder_end_object (builder);
      break;
    case MEMLANE_JSON_ARRAY:
      json_builder_begin_array (builder);
      break;
    case MEMLANE_JSON_ARRAY_END:
      json_builder_end_array (builder);
      break;
    case MEMLANE_JSON_KEY:
      json_builder_set_member_name (builder, text);
      break;
    case MEMLANE_JSON_STRING:
      json_builder_add_string_value (builder, text);
      break;
    case MEMLANE_JSON_NUMBER:
      add_number (builder, text);
      break;
    case MEMLANE_JSON_TRUE:
    case MEMLANE_JSON_FALSE:
      json_builder_add_boolean_value (builder, token == MEMLANE_JSON_TRUE);
      break;
    case MEMLANE_JSON_NULL:
      json_builder_add_null_value (builder);
      break;
    case MEMLANE_JSON_ERROR:
    case MEMLANE_JSON_END:
    default:
      break;
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
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) list = NULL;
  MemlaneJsonPull pull;
  MemlaneJsonToken token;
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
  json_builder_begin_array (builder); /* a builder has no value that stands alone */
  while ((token = memlane_json_pull_next (&pull)) != MEMLANE_JSON_ERROR && token != MEMLANE_JSON_END)
    {
      n_values += token != MEMLANE_JSON_KEY && token != MEMLANE_JSON_OBJECT_END && token != MEMLANE_JSON_ARRAY_END;
      if (n_values > MEMLANE_JSON_TREE_MOST_VALUES)
        memlane_json_pull_refuse (&pull, "found more than %d values, expected fewer", MEMLANE_JSON_TREE_MOST_VALUES);
      else
        add_token (builder, token, pull.text);
    }
  if (pull.error != NULL)
    g_propagate_error (error, g_steal_pointer (&pull.error));
  memlane_json_pull_clear (&pull);
  if (token == MEMLANE_JSON_ERROR)
    return NULL;
  json_builder_end_array (builder);
  list = json_builder_get_root (builder);
  return json_array_dup_element (json_node_get_array (list), 0);
}

/* --- members ------------------------------------------------------------------------------------------------------------ */

static JsonNode *
get_member (JsonObject *object, const char *name, JsonNodeType type)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && json_node_get_node_type (node) == type ? node : NULL;
}

const char *
memlane_json_as_text (JsonNode *node)
{
  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

JsonObject *
memlane_json_get_object (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name, JSON_NODE_OBJECT);

  return node != NULL ? json_node_get_object (node) : NULL;
}

JsonArray *
memlane_json_get_array (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name, JSON_NODE_ARRAY);

  return node != NULL ? json_node_get_array (node) : NULL;
}

const char *
memlane_json_get_text (JsonObject *object, const char *name)
{
  return memlane_json_as_text (get_member (object, name, JSON_NODE_VALUE));
}

JsonObject *
memlane_json_element_object (JsonArray *array, guint index)
{
  JsonNode *node = json_array_get_element (array, index);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

const char *
memlane_json_element_text (JsonArray *array, guint index)
{
  return memlane_json_as_text (json_array_get_element (array, index));
}
