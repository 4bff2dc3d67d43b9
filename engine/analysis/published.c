/* published.c: figures of others, from published.csv, whose fields have no quotes
 *
 * SPDX-License-Identifier: MIT
 */
#include "published.h"

#include <string.h>

#include <gio/gio.h>

#include "base/data-file.h"
#include "base/fail.h"
#include "base/strict-text.h"
#include "base/owns.h"
#include "mode/mode.h"

#define COLUMNS "source,device,workload,mode,log2_elements,phase,clock,value_ns,bytes,note"
#define FILE_LIMIT (16 * 1024 * 1024)

enum { SOURCE, DEVICE, WORKLOAD, MODE, LOG2_ELEMENTS, PHASE, CLOCK, VALUE, BYTES, NOTE, N_COLUMNS };

MEMLANE_DEFINE_FREE (MemlanePublishedFigure, static void figure_free (gpointer data),
                     OWNS (source, g_free) OWNS (device, g_free) OWNS (workload, g_free)
                         OWNS (mode, g_free) OWNS (note, g_free))

/* FALSE: something in the row is wrong. A mode or a phase that Memlane does not have is skipped. */
static gboolean
add_figure (MemlanePublished *self, char **fields)
{
  MemlanePublishedFigure figure = { 0 };
  guint64 log2_elements;
  gboolean is_whole = g_strv_length (fields) == N_COLUMNS;

  for (guint i = 0; i < NOTE && is_whole; i++)
    is_whole = *fields[i] != '\0';
  if (!is_whole
      || !g_ascii_string_to_unsigned (fields[LOG2_ELEMENTS], 10, 0, 60, &log2_elements, NULL)
      || !memlane_clock_parse (fields[CLOCK], &figure.clock)
      || !memlane_text_read_number (fields[VALUE], &figure.value_ns) || !(figure.value_ns > 0)
      || !g_ascii_string_to_unsigned (fields[BYTES], 10, 1, G_MAXUINT64, &figure.bytes, NULL)
      || figure.bytes != (guint64) sizeof (float) << log2_elements)
    return FALSE;
  if (memlane_mode_find (fields[MODE]) == NULL
      || !memlane_phase_parse (fields[PHASE], &figure.phase))
    {
      self->skipped++;
      return TRUE;
    }
  figure.source = g_strdup (fields[SOURCE]);
  figure.device = g_strdup (fields[DEVICE]);
  figure.workload = g_strdup (fields[WORKLOAD]);
  figure.mode = g_strdup (fields[MODE]);
  figure.log2_elements = (guint) log2_elements;
  figure.note = *fields[NOTE] != '\0' ? g_strdup (fields[NOTE]) : NULL;
  g_ptr_array_add (self->figures, g_memdup2 (&figure, sizeof figure));
  return TRUE;
}

MemlanePublished *
memlane_published_read (const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path), *text = NULL, *valid = NULL;
  g_autoptr (MemlanePublished) self = g_new0 (MemlanePublished, 1);
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) lines = NULL;
  gsize length;

  self->figures = g_ptr_array_new_with_free_func (figure_free);
  if (!memlane_small_file_read (path, FILE_LIMIT, &text, &length, &problem))
    return memlane_fail_io (error, "cannot read %s: %s", shown, problem->message), NULL;
  valid = g_utf8_make_valid (text, (gssize) length);
  lines = g_strsplit (valid, "\n", -1);
  for (guint i = 0; i == 0 || (lines[i] != NULL && (*lines[i] != '\0' || lines[i + 1] != NULL));
       i++)
    {
      const char *line = lines[i] != NULL ? g_strchomp (lines[i]) : "";
      g_auto (GStrv) fields = g_strsplit (line, ",", -1);

      if (i == 0 ? strcmp (line, COLUMNS) == 0 : add_figure (self, fields))
        continue;
      return memlane_refuse (error, "%s:%u: found '%.80s', expected %s%s", shown, i + 1, line,
                             COLUMNS,
                             i == 0 ? ""
                                    : ", without quotes, nanoseconds above 0 with '.' as in 3.14,"
                                      " and 4 bytes for each element"),
             NULL;
    }
  return g_steal_pointer (&self);
}

MemlanePublished *
memlane_published_read_default (GError **error)
{
  g_autofree char *path = memlane_data_find ("published.csv");

  if (path == NULL)
    {
      g_set_error_literal (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO,
                           "published.csv is missing: install Memlane again, or set "
                           "MEMLANE_DATA_DIR to the folder that holds it");
      return NULL;
    }
  return memlane_published_read (path, error);
}

MEMLANE_DEFINE_FREE (MemlanePublished, void memlane_published_free (MemlanePublished *data),
                     OWNS (figures, g_ptr_array_unref))
