/* json.c: JSON token by token, from a file of any length or from memory; and small texts as a tree
 *
 * SPDX-License-Identifier: MIT
 */
#include "json.h"

#include <string.h>

#include "fail.h"
#include "owns.h"
#include "reader-limits.h"
#include "words.h"

#define BUFFER_BYTES (256 << 10)

/* The tokens that may come next. */
enum
{
  STATE_VALUE,          /* a value */
  STATE_FIRST_VALUE,    /* a value, or the end of the array that has just begun */
  STATE_FIRST_KEY,      /* a key, or the end of the object that has just begun */
  STATE_KEY,            /* a key, after a comma */
  /* a comma or the end of what it stands in; the end of the file at the top */
  STATE_AFTER_VALUE,
  STATE_DONE,
};

/* Begins to read @text, which stays until clear. */
static void
init_text (MemlaneJsonPull *self, const char *text, gsize length, const char *name)
{
  memset (self, 0, sizeof *self);
  self->name = g_filename_display_name (name);
  self->buffer = text;
  self->filled = length;
  self->at_end = TRUE;
  self->scratch = g_string_new (NULL);
  self->line = 1;
  self->text = "";
}

void
memlane_json_pull_init (MemlaneJsonPull *self, GInputStream *stream, guint64 size, const char *name,
                        void (*progress) (double part, gpointer user_data), gpointer user_data,
                        GCancellable *cancellable)
{
  init_text (self, NULL, 0, name);
  self->stream = g_object_ref (stream);
  self->size = size;
  self->buffer = self->own_buffer = g_malloc (BUFFER_BYTES);
  self->at_end = FALSE;
  self->progress = progress;
  self->user_data = user_data;
  self->cancellable = cancellable;
}

MEMLANE_DEFINE_CLEAR (MemlaneJsonPull, void memlane_json_pull_clear (MemlaneJsonPull *data),
                      OWNS (error, g_error_free) OWNS (stream, g_object_unref)
                          OWNS (own_buffer, g_free) OWNS (name, g_free)
                              g_string_free (self->scratch, TRUE);)

gboolean
memlane_json_pull_refuse (MemlaneJsonPull *self, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  if (self->error != NULL)
    return FALSE;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return memlane_refuse (&self->error, "%s:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ": %s",
                         self->name, self->line, self->offset + self->at - self->line_begin + 1,
                         message);
}

MEMLANE_DEFINE_NAMES (memlane_json_token_describe, MemlaneJsonToken, MEMLANE_JSON_NULL + 1,
                      "an error", "the end of the file", "an object", "the end of an object",
                      "an array", "the end of an array", "a key", "a string", "a number", "true",
                      "false", "null")

/* --- characters ------------------------------------------------------------------------------- */

/* Reads on; FALSE: the file has ended, or error. */
static gboolean
fill (MemlaneJsonPull *self)
{
  g_autoptr (GError) why = NULL;
  gssize got;

  /* A converter asks for it only when it needs more of the file. */
  if (self->at_end || self->error != NULL
      || g_cancellable_set_error_if_cancelled (self->cancellable, &self->error))
    return FALSE;
  self->offset += self->filled;
  self->at = self->filled = 0;
  if (self->offset > MEMLANE_TRACE_MOST_BYTES)
    return memlane_json_pull_refuse (self, "found more than %d MiB, expected a smaller file",
                                     MEMLANE_TRACE_MOST_BYTES >> 20);
  got = g_input_stream_read (self->stream, self->own_buffer, BUFFER_BYTES, self->cancellable, &why);
  if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    self->error = g_steal_pointer (&why);
  else if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_INVALID_DATA)
           || g_error_matches (why, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
    memlane_refuse (&self->error, "%s: %s", self->name, why->message);
  else if (why != NULL)
    memlane_fail_io (&self->error, "cannot read %s: %s", self->name, why->message);
  if (got <= 0)
    {
      self->at_end = TRUE;
      return FALSE;
    }
  self->filled = (gsize) got;
  if (self->progress != NULL && self->size > 0)
    self->progress (MIN ((double) (self->offset + self->filled) / (double) self->size, 1),
                    self->user_data);
  return TRUE;
}

/* The next character without taking it; -1: the end, or error. */
static inline int
peek (MemlaneJsonPull *self)
{
  if (G_UNLIKELY (self->at == self->filled) && !fill (self))
    return -1;
  return (guchar) self->buffer[self->at];
}

static int
skip_blanks (MemlaneJsonPull *self)
{
  for (;;)
    {
      int c = peek (self);

      if (c == '\n')
        {
          self->line++;
          self->line_begin = self->offset + self->at + 1;
        }
      else if (c != ' ' && c != '\t' && c != '\r')
        return c;
      self->at++;
    }
}

static MemlaneJsonToken
refuse_character (MemlaneJsonPull *self, int c, const char *expected)
{
  if (c < 0 && self->error == NULL)
    memlane_json_pull_refuse (self, "found the end of the file, expected %s: the file is cut off",
                              expected);
  else if (c > ' ' && c < 127)
    memlane_json_pull_refuse (self, "found \"%c\", expected %s", c, expected);
  else
    memlane_json_pull_refuse (self, "found the byte 0x%02x, expected %s", c, expected);
  return MEMLANE_JSON_ERROR;
}

/* --- strings ---------------------------------------------------------------------------------- */

static gboolean
read_hex (MemlaneJsonPull *self, guint32 *value)
{
  *value = 0;
  for (guint i = 0; i < 4; i++)
    {
      int c = peek (self);

      if (c < 0 || !g_ascii_isxdigit (c))
        return refuse_character (self, c, "four hexadecimal digits") != MEMLANE_JSON_ERROR;
      *value = *value << 4 | (guint32) g_ascii_xdigit_value ((char) c);
      self->at++;
    }
  return TRUE;
}

/* Behind a backslash. */
static gboolean
read_escape (MemlaneJsonPull *self)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  int c = peek (self);
  const char *found = c > 0 ? strchr (from, c) : NULL;
  guint32 value, low;

  if (found != NULL)
    {
      g_string_append_c (self->scratch, to[found - from]);
      self->at++;
      return TRUE;
    }
  if (c != 'u')
    return refuse_character (self, c, "one of \" \\ / b f n r t u after a backslash")
           != MEMLANE_JSON_ERROR;
  self->at++;
  if (!read_hex (self, &value))
    return FALSE;
  if (value >= 0xd800 && value < 0xdc00 && peek (self) == '\\')
    {
      self->at++;
      if (peek (self) != 'u')
        return refuse_character (self, peek (self), "the second half of a surrogate pair")
               != MEMLANE_JSON_ERROR;
      self->at++;
      if (!read_hex (self, &low))
        return FALSE;
      value = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00)
                                            : 0xfffd;
    }
  if (value == 0 || (value >= 0xd800 && value < 0xe000))
    value = 0xfffd; /* what no C string, and no text, can hold */
  g_string_append_unichar (self->scratch, value);
  return TRUE;
}

/* At the opening quote. */
static gboolean
read_string (MemlaneJsonPull *self)
{
  gboolean plain = TRUE; /* ASCII alone */

  self->at++;
  g_string_truncate (self->scratch, 0);
  for (;;)
    {
      gsize begin;
      int c = peek (self);

      /* A stretch without anything special, as long as the buffer goes. */
      for (begin = self->at; self->at < self->filled; self->at++)
        {
          c = (guchar) self->buffer[self->at];
          if (c == '"' || c == '\\' || c < ' ')
            break;
          plain &= c < 128;
        }
      if (self->at > begin)
        g_string_append_len (self->scratch, self->buffer + begin, (gssize) (self->at - begin));
      if (self->scratch->len > MEMLANE_JSON_LONGEST_STRING)
        return memlane_json_pull_refuse (self, "found a string of more than %d bytes",
                                         MEMLANE_JSON_LONGEST_STRING);
      if (self->at == self->filled && peek (self) >= 0)
        continue;
      c = peek (self);
      if (c == '"')
        break;
      if (c != '\\')
        return refuse_character (self, c, "the rest of a string and \"") != MEMLANE_JSON_ERROR;
      self->at++;
      if (!read_escape (self))
        return FALSE;
    }
  self->at++;
  if (!plain && !g_utf8_validate_len (self->scratch->str, self->scratch->len, NULL))
    {
      g_autofree char *valid = g_utf8_make_valid (self->scratch->str, (gssize) self->scratch->len);

      g_string_assign (self->scratch, valid);
    }
  self->text = self->scratch->str;
  self->length = self->scratch->len;
  return TRUE;
}

/* --- numbers and words ------------------------------------------------------------------------ */

/* Takes a character, if it is one of @chars. */
static gboolean
take_one (MemlaneJsonPull *self, const char *chars)
{
  int c = peek (self);

  if (c <= 0 || strchr (chars, c) == NULL)
    return FALSE;
  g_string_append_c (self->scratch, (char) c);
  self->at++;
  return TRUE;
}

static gboolean
take_digits (MemlaneJsonPull *self)
{
  guint n = 0;
  int c;

  while ((c = peek (self)) >= '0' && c <= '9' && n < 400)
    {
      g_string_append_c (self->scratch, (char) c);
      self->at++;
      n++;
    }
  return n > 0 || refuse_character (self, c, "a digit") != MEMLANE_JSON_ERROR;
}

static gboolean
read_number (MemlaneJsonPull *self)
{
  g_string_truncate (self->scratch, 0);
  (void) take_one (self, "-");
  if ((!take_one (self, "0") && !take_digits (self))
      || (take_one (self, ".") && !take_digits (self)))
    return FALSE;
  if (take_one (self, "eE"))
    {
      (void) take_one (self, "+-");
      if (!take_digits (self))
        return FALSE;
    }
  self->text = self->scratch->str;
  self->length = self->scratch->len;
  return self->error == NULL;
}

static MemlaneJsonToken
read_word (MemlaneJsonPull *self, const char *word, MemlaneJsonToken token)
{
  for (const char *p = word; *p != '\0'; p++)
    {
      int c = peek (self);

      if (c != *p)
        return refuse_character (self, c, word);
      self->at++;
    }
  return token;
}

/* --- tokens ----------------------------------------------------------------------------------- */

static MemlaneJsonToken
open_nest (MemlaneJsonPull *self, gboolean is_array)
{
  if (self->depth == MEMLANE_JSON_MOST_DEPTH)
    {
      memlane_json_pull_refuse (
          self,
          "found more than %d levels of nesting, expected fewer: no file of Memlane nests so deep",
          MEMLANE_JSON_MOST_DEPTH);
      return MEMLANE_JSON_ERROR;
    }
  self->is_array[self->depth++] = is_array;
  self->state = is_array ? STATE_FIRST_VALUE : STATE_FIRST_KEY;
  self->at++;
  return is_array ? MEMLANE_JSON_ARRAY : MEMLANE_JSON_OBJECT;
}

static MemlaneJsonToken
close_nest (MemlaneJsonPull *self)
{
  self->depth--;
  self->state = STATE_AFTER_VALUE;
  self->at++;
  return self->is_array[self->depth] ? MEMLANE_JSON_ARRAY_END : MEMLANE_JSON_OBJECT_END;
}

static MemlaneJsonToken
read_value (MemlaneJsonPull *self, int c)
{
  if (c == '{' || c == '[')
    return open_nest (self, c == '[');
  self->state = STATE_AFTER_VALUE;
  switch (c)
    {
    case '"':
      return read_string (self) ? MEMLANE_JSON_STRING : MEMLANE_JSON_ERROR;
    case 't':
      return read_word (self, "true", MEMLANE_JSON_TRUE);
    case 'f':
      return read_word (self, "false", MEMLANE_JSON_FALSE);
    case 'n':
      return read_word (self, "null", MEMLANE_JSON_NULL);
    default:
      if (c != '-' && (c < '0' || c > '9'))
        return refuse_character (self, c, "a value");
      return read_number (self) ? MEMLANE_JSON_NUMBER : MEMLANE_JSON_ERROR;
    }
}

static MemlaneJsonToken
read_key (MemlaneJsonPull *self, int c)
{
  if (c != '"')
    return refuse_character (self, c, "a key in quotes");
  if (!read_string (self))
    return MEMLANE_JSON_ERROR;
  c = skip_blanks (self);
  if (c != ':')
    return refuse_character (self, c, "a colon after the key");
  self->at++;
  self->state = STATE_VALUE;
  return MEMLANE_JSON_KEY;
}

MemlaneJsonToken
memlane_json_pull_next (MemlaneJsonPull *self)
{
  int c;

  if (self->error != NULL)
    return MEMLANE_JSON_ERROR;
  if (self->state == STATE_DONE)
    return MEMLANE_JSON_END;
  c = skip_blanks (self);
  if (self->error != NULL)
    return MEMLANE_JSON_ERROR;
  if (self->state == STATE_AFTER_VALUE)
    {
      gboolean is_array;

      if (self->depth == 0)
        {
          if (c >= 0)
            return refuse_character (self, c, "nothing behind the value");
          self->state = STATE_DONE;
          return MEMLANE_JSON_END;
        }
      is_array = self->is_array[self->depth - 1];
      if (c == (is_array ? ']' : '}'))
        return close_nest (self);
      if (c != ',')
        return refuse_character (self, c, is_array ? "a comma or ]" : "a comma or }");
      self->at++;
      self->state = is_array ? STATE_VALUE : STATE_KEY;
      c = skip_blanks (self);
    }
  else if ((self->state == STATE_FIRST_VALUE && c == ']')
           || (self->state == STATE_FIRST_KEY && c == '}'))
    return close_nest (self);
  return self->state == STATE_KEY || self->state == STATE_FIRST_KEY ? read_key (self, c)
                                                                    : read_value (self, c);
}

gboolean
memlane_json_pull_skip (MemlaneJsonPull *self, MemlaneJsonToken token)
{
  guint depth = self->depth;

  if (token == MEMLANE_JSON_OBJECT || token == MEMLANE_JSON_ARRAY)
    while (token != MEMLANE_JSON_ERROR && self->depth >= depth)
      token = memlane_json_pull_next (self);
  return token != MEMLANE_JSON_ERROR;
}

/* --- as a tree -------------------------------------------------------------------------------- */

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
  guint n_values = 0, n_members[MEMLANE_JSON_MOST_DEPTH + 1] = { 0 }, line;
  const char *bad;

  if (bytes > MEMLANE_JSON_TREE_MOST_BYTES)
    return memlane_refuse (error, "%s: found %" G_GSIZE_FORMAT " bytes, expected at most %d", shown,
                           bytes, MEMLANE_JSON_TREE_MOST_BYTES),
           NULL;
  if (!g_utf8_validate_len (text, bytes, &bad))
    {
      find_place (text, bad, &line, &column);
      return memlane_refuse (error,
                             "%s:%u:%" G_GSIZE_FORMAT ": found the byte 0x%02x, expected UTF-8",
                             shown, line, column, (guint) (guchar) *bad),
             NULL;
    }
  init_text (&pull, text, bytes, name);
  json_builder_begin_array (builder); /* a builder has no value that stands alone */
  while ((token = memlane_json_pull_next (&pull)) != MEMLANE_JSON_ERROR
         && token != MEMLANE_JSON_END)
    {
      n_values += token != MEMLANE_JSON_KEY && token != MEMLANE_JSON_OBJECT_END
                  && token != MEMLANE_JSON_ARRAY_END;
      if (token == MEMLANE_JSON_OBJECT)
        n_members[pull.depth] = 0;
      if (token == MEMLANE_JSON_KEY && ++n_members[pull.depth] > MEMLANE_JSON_TREE_MOST_MEMBERS)
        memlane_json_pull_refuse (&pull, "found more than %d members of one object, expected fewer",
                                  MEMLANE_JSON_TREE_MOST_MEMBERS);
      else if (n_values > MEMLANE_JSON_TREE_MOST_VALUES)
        memlane_json_pull_refuse (&pull, "found more than %d values, expected fewer",
                                  MEMLANE_JSON_TREE_MOST_VALUES);
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

/* --- members ---------------------------------------------------------------------------------- */

static JsonNode *
get_member (JsonObject *object, const char *name, JsonNodeType type)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && json_node_get_node_type (node) == type ? node : NULL;
}

const char *
memlane_json_as_text (JsonNode *node)
{
  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
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
