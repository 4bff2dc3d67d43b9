/* json.h: JSON token by token, from a file of any length or from memory; and small texts as a tree
 *
 * SPDX-License-Identifier: MIT
 *
 * Strict as RFC 8259: what is no JSON is an error with the place and what was expected. Memory is
 * one buffer and one string, whatever the file holds; nesting is limited. The reader asks for
 * tokens in turn; an ERROR or the END stays.
 *
 * Why not json-glib, which reads our small files: the million events of
 * tests/benchmark/trace-json.c (175 MB) took its parser 17 to 28 s and 2.9 GiB, for the tree alone.
 * It was 1.6.6, in release, on a busy machine of two cores. Within the same minutes
 * memlane_trace_read_json() with this one took 2.5 to 2.9 s. The program with the trace twice in
 * memory took 143 MiB.
 */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "file-error.h"
#include "reader-limits.h"

typedef enum
{
  MEMLANE_JSON_ERROR, /* self->error is set */
  MEMLANE_JSON_END,
  MEMLANE_JSON_OBJECT,
  MEMLANE_JSON_OBJECT_END,
  MEMLANE_JSON_ARRAY,
  MEMLANE_JSON_ARRAY_END,
  MEMLANE_JSON_KEY,    /* text */
  MEMLANE_JSON_STRING, /* text */
  MEMLANE_JSON_NUMBER, /* text, as it stands */
  MEMLANE_JSON_TRUE,
  MEMLANE_JSON_FALSE,
  MEMLANE_JSON_NULL,
} MemlaneJsonToken;

typedef struct
{
  /* The last KEY, STRING or NUMBER: decoded, ending in 0, valid UTF-8; until the next token. */
  const char *text;
  gsize length;
  GError *error;

  /* private */
  GInputStream *stream;       /* NULL: from memory */
  char *name;                 /* for messages */
  guint64 offset;             /* of the buffer's begin in the file */
  const char *buffer;         /* @own_buffer, or the text in memory */
  char *own_buffer;
  gsize at, filled;
  gboolean at_end;
  guint64 line, line_begin;   /* line_begin: offset in the file */
  GString *scratch;
  guint depth;
  guint8 is_array[MEMLANE_JSON_MOST_DEPTH];
  guint8 state;
  GCancellable *cancellable;
  void (*progress) (double part, gpointer user_data);
  gpointer user_data;
  guint64 size;               /* 0: not known */
} MemlaneJsonPull;

/* @stream: it may be decompressed on the way. @size: of the file, for @progress; 0: not known.
 * @name stands for the file in messages. @progress and @cancellable may be NULL. */
void memlane_json_pull_init (MemlaneJsonPull *self, GInputStream *stream, guint64 size,
                             const char *name, void (*progress) (double part, gpointer user_data),
                             gpointer user_data, GCancellable *cancellable);
void memlane_json_pull_clear (MemlaneJsonPull *self);
MemlaneJsonToken memlane_json_pull_next (MemlaneJsonPull *self);
/* Skips the rest of the value that @token began. FALSE: error. */
gboolean memlane_json_pull_skip (MemlaneJsonPull *self, MemlaneJsonToken token);
/* Sets the error "NAME:LINE:COLUMN: MESSAGE" (an earlier one stays) and returns FALSE. */
gboolean memlane_json_pull_refuse (MemlaneJsonPull *self, const char *format, ...)
    G_GNUC_PRINTF (2, 3);
/* "a string", "the end of the file": for messages. */
const char *memlane_json_token_describe (MemlaneJsonToken token);

/* @length: bytes, or -1 for all up to the 0. @name stands for the text in messages. Of a key that
 * stands twice the last counts. Refused with MEMLANE_FILE_ERROR_BAD, "NAME:LINE:COLUMN: found X,
 * expected Y": what is no JSON or no UTF-8, nothing at all, more bytes, values, levels or letters
 * than reader-limits.h allows. Returns: (transfer full), or NULL with @error. */
JsonNode *memlane_json_tree_read (const char *text, gssize length, const char *name,
                                  GError **error);

/* NULL: @node (nullable) is no text. */
const char *memlane_json_as_text (JsonNode *node);
/* The member of @object (nullable) called @name, or the element of @array, if it is there and of
 * that kind; else NULL. */
JsonObject *memlane_json_get_object (JsonObject *object, const char *name);
JsonArray *memlane_json_get_array (JsonObject *object, const char *name);
const char *memlane_json_get_text (JsonObject *object, const char *name);
JsonObject *memlane_json_element_object (JsonArray *array, guint index);
