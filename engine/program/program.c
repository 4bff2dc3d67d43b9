/* program.c: the program that a memory mode stands for
 *
 * SPDX-License-Identifier: MIT
 *
 * program.cu.in is the text of all programs. Here a mode becomes facts and values, by which its lines are chosen and filled in.
 * tests/engine/program compiles and runs every program, and compares its calls with those of a trace of the mode.
 */
#include "program.h"

#include <string.h>

#include "base/save.h"
#include "base/size.h"
#include "kernels/shape.h"
#include "mode/transfer.h"
#include "mode/workload.h"
#include "program-text.h"

#define USUAL_LOG2 20
#define USUAL_STREAMS 8
#define USUAL_CHUNKS 8
#define USUAL_PIECES 1024
/* As in engine/mode/buffers.c: no two chunks share a line of 128 bytes. */
#define CHUNK_ALIGNMENT 32
#define COMMENT_WIDTH 96

typedef struct
{
  GString *text;
  char **lines;       /* of program.cu.in; the next one */
  GHashTable *facts;  /* (element-type utf8): words that hold */
  GHashTable *values; /* (element-type utf8 utf8) */
} Program;

/* --- the text and its lines ------------------------------------------------------------------------------------------------ */

/* Whether @word, without "!", holds. */
static gboolean
holds (const Program *self, const char *word)
{
  return *word == '!' ? !holds (self, word + 1) : g_hash_table_contains (self->facts, word);
}

static gboolean
all_hold (const Program *self, const char *condition)
{
  g_auto (GStrv) terms = g_strsplit (condition, " ", -1);
  gboolean all = TRUE;

  for (char **term = terms; *term != NULL && all; term++)
    {
      g_auto (GStrv) words = g_strsplit (*term, "|", -1);

      all = FALSE;
      for (char **word = words; *word != NULL && !all; word++)
        all = holds (self, *word);
    }
  return all;
}

/* Puts the values in. (transfer full) */
static char *
fill_in (const Program *self, const char *line)
{
  GString *text = g_string_new (NULL);
  const char *value;

  for (; (value = strstr (line, "${")) != NULL; line = strchr (value, '}') + 1)
    {
      g_autofree char *name = g_strndup (value + 2, strcspn (value + 2, "}"));

      g_string_append_len (text, line, value - line);
      g_string_append (text, g_hash_table_lookup (self->values, name));
    }
  return g_string_free (g_string_append (text, line), FALSE);
}

/* Writes @line, @each in place of its @s. A condition in front decides about it. */
static void
add_line (Program *self, const char *line, const char *each)
{
  g_autofree char *filled = NULL;

  if (g_str_has_prefix (line, "%["))
    {
      const char *end = strchr (line, ']');
      g_autofree char *condition = g_strndup (line + 2, (gsize) (end - line) - 2);

      if (!all_hold (self, condition))
        return;
      line = end + 1;
    }
  filled = fill_in (self, line);
  for (const char *c = filled; *c != '\0'; c++)
    if (*c == '@' && each != NULL)
      g_string_append (self->text, each);
    else
      g_string_append_c (self->text, *c);
  g_string_append_c (self->text, '\n');
}

/* Writes the lines up to the "%end" or "%else" that closes their block, which it passes; none of them unless @kept. Returns whether it was
 * "%else". */
static gboolean
add_lines (Program *self, gboolean kept, const char *each)
{
  while (*self->lines != NULL)
    {
      const char *line = *self->lines++;

      if (strcmp (line, "%end") == 0 || strcmp (line, "%else") == 0)
        return line[2] == 'l';
      if (g_str_has_prefix (line, "%if "))
        {
          gboolean holds = all_hold (self, line + 4);

          if (add_lines (self, kept && holds, each))
            add_lines (self, kept && !holds, each);
        }
      else if (g_str_has_prefix (line, "%for "))
        {
          g_autofree char *list = fill_in (self, line + 5);
          g_auto (GStrv) names = g_strsplit (list, " ", -1);
          char **first = self->lines;

          for (char **name = names; *name != NULL; name++)
            {
              self->lines = first;
              add_lines (self, kept, *name);
            }
        }
      else if (kept && !g_str_has_prefix (line, "%#"))
        add_line (self, line, each);
    }
  return FALSE;
}

/* --- what is so of a mode --------------------------------------------------------------------------------------------------- */

static const char *const memory_words[] = {
  [MEMLANE_HOST_PAGEABLE] = "pageable",
  [MEMLANE_HOST_PINNED] = "pinned",
  [MEMLANE_HOST_ALLOCATED] = "allocated",
  [MEMLANE_HOST_PORTABLE] = "portable",
  [MEMLANE_HOST_WRITE_COMBINED] = "write-combined",
  [MEMLANE_HOST_REGISTERED] = "registered",
  [MEMLANE_HOST_REGISTERED_READ_ONLY] = "registered-read-only",
  [MEMLANE_HOST_MAPPED] = "mapped",
  [MEMLANE_HOST_MAPPED_WRITE_COMBINED] = "mapped-write-combined",
  [MEMLANE_HOST_REGISTERED_MAPPED] = "registered-mapped",
  [MEMLANE_HOST_MANAGED] = "managed",
  [MEMLANE_HOST_MANAGED_STATIC] = "managed-static",
};

static const char *const transfer_words[MEMLANE_N_TRANSFERS] = {
  [MEMLANE_TRANSFER_BLOCKING] = "blocking",
  [MEMLANE_TRANSFER_ASYNC_PAGEABLE] = "async-pageable",
  [MEMLANE_TRANSFER_STREAM_ORDERED] = "stream-ordered",
  [MEMLANE_TRANSFER_STREAM_ORDERED_KEPT] = "stream-ordered-kept",
  [MEMLANE_TRANSFER_ACCESS] = "access",
  [MEMLANE_TRANSFER_FAULTS] = "faults",
  [MEMLANE_TRANSFER_PREFETCH] = "prefetch",
  [MEMLANE_TRANSFER_ADVISED] = "advised",
  [MEMLANE_TRANSFER_DEPTH_FIRST] = "depth-first",
  [MEMLANE_TRANSFER_BREADTH_FIRST] = "breadth-first",
};

static const char *const piece_words[] = {
  [MEMLANE_PIECES_LOOP] = "by-loop",
  [MEMLANE_PIECES_BATCH] = "by-batch",
  [MEMLANE_PIECES_PACKED] = "by-packing",
  [MEMLANE_PIECES_GRAPH] = "by-graph",
  [MEMLANE_PIECES_KERNEL] = "by-kernel",
  [MEMLANE_PIECES_PREFETCH] = "by-prefetch",
};

static void
add_facts (GHashTable *facts, const MemlaneMode *mode, gboolean of_pieces)
{
  const MemlaneTransfer *transfer = mode->transfer;
  const MemlaneHostMemory memory = mode->input_memory;
  const struct { gboolean so; const char *word; } all[] = {
    { TRUE, memory_words[memory] },
    { TRUE, transfer_words[transfer->kind] },
    { of_pieces, piece_words[transfer->pieces] },
    { of_pieces, "pieces" },
    { memory == MEMLANE_HOST_PAGEABLE || memlane_host_memory_is_registered (memory), "from-malloc" },
    { mode->reach == MEMLANE_REACH_SAME_POINTER, "same-pointer" },
    { mode->reach == MEMLANE_REACH_DEVICE_POINTER, "device-pointer" },
    { mode->reach == MEMLANE_REACH_DEVICE_COPY && !transfer->allocates_inside, "device-vectors" },
    { mode->shaped_kernel, "shaped" },
    { mode->virtual_memory, "virtual-memory" },
    { mode->needs != 0, "needs" },
    { transfer->lanes == MEMLANE_LANES_ONE, "stream" },
    { transfer->lanes == MEMLANE_LANES_MANY, "streams" },
    { transfer->threads > 1, "threads" },
    { transfer->before_sample != NULL, "rests" },
    { transfer->starts_on_host, "starts-on-host" },
    { transfer->resident, "resident" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].so && all[i].word != NULL)
      g_hash_table_add (facts, (gpointer) all[i].word);
  for (guint need = 1; need != 0; need <<= 1)
    if ((mode->needs & need) != 0)
      g_hash_table_add (facts, (gpointer) memlane_capability_name (need));
}

/* @words as a comment, broken at blanks. (transfer full) */
static char *
make_comment (const char *words)
{
  GString *text = g_string_new (NULL);
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);
  gsize column = 0;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (column > 0 && column + 1 + strlen (parts[i]) > COMMENT_WIDTH)
        {
          g_string_append_c (text, '\n');
          column = 0;
        }
      g_string_append (text, column == 0 ? "// " : " ");
      g_string_append (text, parts[i]);
      column += (column == 0 ? 3 : 1) + strlen (parts[i]);
    }
  return g_string_free (text, FALSE);
}

static void
add_text (GHashTable *values, const char *name, const char *value)
{
  g_hash_table_insert (values, (gpointer) name, g_strdup (value));
}

static void
add_number (GHashTable *values, const char *name, guint value)
{
  g_hash_table_insert (values, (gpointer) name, g_strdup_printf ("%u", value));
}

#define SHAPE(capability, blocks) "  if (10 * major + minor == " #capability ")\n    return " #blocks ";"

static void
add_values (GHashTable *values, const MemlaneMode *mode, gboolean of_pieces)
{
  add_text (values, "id", mode->id);
  g_hash_table_insert (values, (gpointer) "summary", make_comment (mode->summary));
  add_text (values, "vectors", of_pieces ? "pool" : "a b c");
  add_text (values, "inputs", of_pieces ? "pool" : "a b");
  add_text (values, "device", mode->reach == MEMLANE_REACH_SAME_POINTER ? "" : "device_");
  add_text (values, "device-pool", mode->reach == MEMLANE_REACH_DEVICE_POINTER ? "device_pool" : "pool");
  add_text (values, "in-stream", mode->transfer->lanes == MEMLANE_LANES_ONE ? ", 0, stream" : "");
  add_text (values, "shapes", MEMLANE_SHAPES (SHAPE));
  add_number (values, "threads", mode->transfer->threads);
  add_number (values, "ordinary-threads", MEMLANE_ORDINARY_THREADS);
  add_number (values, "shaped-threads", MEMLANE_SHAPED_THREADS);
  add_number (values, "shaped-blocks", MEMLANE_SHAPED_BLOCKS);
}

char *
memlane_program_for_mode (const MemlaneMode *mode, gboolean of_pieces, double log2_elements, guint streams, guint chunks)
{
  const double size = log2_elements > 0 ? log2_elements : USUAL_LOG2;
  const gsize n = memlane_size_elements (size), asked = MIN (chunks != 0 ? chunks : USUAL_PIECES, n), piece = (n + asked - 1) / asked;
  const guint used = MIN (MIN (chunks != 0 ? chunks : USUAL_CHUNKS, MEMLANE_MOST_CHUNKS), (guint) MAX (n / CHUNK_ALIGNMENT, 1));
  g_autoptr (GHashTable) facts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_auto (GStrv) lines = g_strsplit (program_text, "\n", -1);
  Program program = { g_string_new (NULL), lines, facts, values };

  of_pieces = (of_pieces || memlane_mode_is_of_pieces (mode)) && mode->transfer->pieces != MEMLANE_PIECES_NOT;
  add_facts (facts, mode, of_pieces);
  if (!memlane_size_is_power (size))
    g_hash_table_add (facts, (gpointer) "odd");
  else if (n % used == 0) /* as memlane_buffers_get_chunk(): then the plain quotient is a whole number of lines */
    g_hash_table_add (facts, (gpointer) "even-chunks");
  add_values (values, mode, of_pieces);
  g_hash_table_insert (values, (gpointer) "size", memlane_size_format (size));
  g_hash_table_insert (values, (gpointer) "n", g_strdup_printf ("%" G_GSIZE_FORMAT, n));
  add_number (values, "log2", (guint) size);
  add_text (values, "smaller", memlane_size_is_power (size) ? "LOG2_N" : "N");
  add_number (values, "pieces", (guint) ((n + piece - 1) / piece));
  add_number (values, "streams", MIN (MIN (streams != 0 ? streams : USUAL_STREAMS, MEMLANE_MOST_STREAMS), used));
  add_number (values, "chunks", used);
  add_lines (&program, TRUE, NULL);
  return g_string_free (program.text, FALSE);
}

char *
memlane_program_file_name (const MemlaneMode *mode)
{
  return g_strconcat (mode->id, ".cu", NULL);
}

gboolean
memlane_program_write (const char *text, const char *path, GError **error)
{
  g_autofree char *content = NULL;
  gsize length;

  if (!memlane_save_is_stream (path) && g_file_get_contents (path, &content, &length, NULL) && length == strlen (text)
      && memcmp (content, text, length) == 0)
    return TRUE;
  return memlane_save_file (path, text, strlen (text), error);
}
