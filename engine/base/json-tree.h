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

G_BEGIN_DECLS

/* @length: bytes, or -1 for all up to the 0. @name stands for the text in messages. Strict as RFC 8259; of a key that stands twice the last
 * counts. Refused with MEMLANE_FILE_ERROR_BAD, "NAME:LINE:COLUMN: found X, expected Y": what is no JSON or no UTF-8, nothing at all, more
 * bytes, values, levels or letters than reader-limits.h allows.
 * Returns: (transfer full), or NULL with @error. */
JsonNode *memlane_json_tree_read (const char *text, gssize length, const char *name, GError **error);

G_END_DECLS
