/* json-tree.h: a small JSON text as a tree, within limits
 *
 * SPDX-License-Identifier: MIT
 *
 * The only way in which Memlane makes a tree of JSON: json-glib's own parser calls itself for each level of nesting, and a file of 360 kB
 * can end the program by that. json-pull.h reads here; json-glib gives the nodes. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "file-error.h"

/* @length: bytes, or -1 for all up to the 0. @name stands for the text in messages. Strict as RFC 8259; of a key that stands twice the last
 * counts. Refused with MEMLANE_FILE_ERROR_BAD, "NAME:LINE:COLUMN: found X, expected Y": what is no JSON or no UTF-8, nothing at all, more
 * bytes, values, levels or letters than reader-limits.h allows.
 * Returns: (transfer full), or NULL with @error. */
JsonNode *memlane_json_tree_read (const char *text, gssize length, const char *name, GError **error);

/* NULL: @node (nullable) is no text. */
const char *memlane_json_as_text (JsonNode *node);
/* The member of @object (nullable) called @name, or the element of @array, if it is there and of that kind; else NULL. */
JsonObject *memlane_json_get_object (JsonObject *object, const char *name);
JsonArray *memlane_json_get_array (JsonObject *object, const char *name);
const char *memlane_json_get_text (JsonObject *object, const char *name);
JsonObject *memlane_json_element_object (JsonArray *array, guint index);
const char *memlane_json_element_text (JsonArray *array, guint index);
