/* code.c: the program that a memory mode stands for
 *
 * SPDX-License-Identifier: MIT
 */
#include "program.h"

#include <string.h>

#include "mode/transfer.h"
#include "program-private.h"
#include "base/save.h"

#define USUAL_LOG2 20
#define USUAL_STREAMS 8
#define USUAL_CHUNKS 8
/* As in engine/mode/set.c: no two chunks share a line of 128 bytes. */
#define CHUNK_ALIGNMENT 32

void
memlane_program_add_each (MemlaneProgram *program, const char *vectors, const char *lines)
{
  for (const char *vector = vectors; *vector != '\0'; vector++)
    for (const char *c = lines; *c != '\0'; c++)
      g_string_append_c (program->text, *c == '@' ? *vector : *c);
}

gboolean
memlane_program_has_streams (const MemlaneProgram *program)
{
  return program->mode->transfer->lanes == MEMLANE_LANES_MANY;
}

gboolean
memlane_program_has_copies (const MemlaneProgram *program)
{
  return program->mode->reach == MEMLANE_REACH_DEVICE_COPY;
}

gboolean
memlane_program_is_mapped (const MemlaneProgram *program)
{
  return program->mode->reach == MEMLANE_REACH_DEVICE_POINTER;
}

char *
memlane_program_for_mode (const MemlaneMode *mode, guint log2_elements, guint streams, guint chunks)
{
  guint log2 = log2_elements != 0 ? log2_elements : USUAL_LOG2;
  guint pieces = (guint) MAX (((gsize) 1 << log2) / CHUNK_ALIGNMENT, 1);
  guint used = MIN (MIN (chunks != 0 ? chunks : USUAL_CHUNKS, MEMLANE_MOST_CHUNKS), pieces);
  MemlaneProgram program = {
    .text = g_string_new (NULL),
    .mode = mode,
    .log2_elements = log2,
    .streams = MIN (MIN (streams != 0 ? streams : USUAL_STREAMS, MEMLANE_MOST_STREAMS), used),
    .chunks = used,
  };

  memlane_program_add_frame (&program);
  g_string_append (program.text, "int main()\n{\n");
  memlane_program_add_needs (&program);
  memlane_program_add_allocation (&program);
  memlane_program_add_runs (&program);
  memlane_program_add_release (&program);
  g_string_append_printf (program.text,
                          "\n"
                          "  std::sort(seconds, seconds + RUNS);\n"
                          "  double median = seconds[RUNS / 2];\n"
                          "  printf(\"%s: 2^%%d floats: %%.3f ms, %%.2f GB/s, ok\\n\", LOG2_N, median * 1e3, 3 * BYTES / median * 1e-9);\n"
                          "  return 0;\n"
                          "}\n", mode->id);
  return g_string_free (program.text, FALSE);
}

char *
memlane_program_file_name (const MemlaneMode *mode)
{
  return g_strconcat (mode->id, ".cu", NULL);
}

static gboolean
holds_already (const char *path, const char *text)
{
  g_autofree char *content = NULL;
  gsize length;

  return !memlane_save_is_stream (path) && g_file_get_contents (path, &content, &length, NULL) && length == strlen (text)
         && memcmp (content, text, length) == 0;
}

gboolean
memlane_program_write (const char *text, const char *path, GError **error)
{
  g_autoptr (MemlaneSave) save = NULL;

  if (holds_already (path, text))
    return TRUE;
  save = memlane_save_prepare (path, text, strlen (text), error);
  return save != NULL && memlane_save_commit (save, error);
}
