/* published.c: figures of others, from published.csv
 *
 * SPDX-License-Identifier: MIT
 */
#include "published.h"

#include <string.h>

#include <csv.h>
#include <gio/gio.h>

#include "base/data-file.h"
#include "base/small-file.h"
#include "base/strict-text.h"
#include "mode/mode.h"

#define COLUMNS "source,device,workload,mode,log2_elements,phase,clock,value_ns,bytes,note"
#define FILE_LIMIT (16 * 1024 * 1024)

enum { SOURCE, DEVICE, WORKLOAD, MODE, LOG2_ELEMENTS, PHASE, CLOCK, VALUE, BYTES, NOTE, N_COLUMNS };

typedef struct
{
  const char *name; /* of the file, for messages */
  char **columns;
  MemlanePublished *published;
  guint64 line;
  gboolean has_header;
  GPtrArray *fields; /* of the row in work */
  GError *error;     /* the first thing that is wrong */
} Reader;

static void G_GNUC_PRINTF (3, 4)
refuse (Reader *self, guint column, const char *format, ...)
{
  g_autofree char *said = NULL, *where = NULL;
  va_list arguments;

  if (self->error != NULL)
    return;
  va_start (arguments, format);
  said = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  where = column < N_COLUMNS ? g_strdup (self->columns[column]) : g_strdup_printf ("%u", column + 1);
  g_set_error (&self->error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s:%" G_GUINT64_FORMAT ": column %s: %s", self->name,
               self->line, where, said);
}

static void
found (Reader *self, guint column, const char *expected)
{
  const char *text = self->fields->pdata[column];

  if (*text == '\0')
    refuse (self, column, "found nothing, expected %s", expected);
  else
    refuse (self, column, "found '%.40s', expected %s", text, expected);
}

static void
figure_free (gpointer data)
{
  MemlanePublishedFigure *figure = data;

  g_free (figure->source);
  g_free (figure->device);
  g_free (figure->workload);
  g_free (figure->mode);
  g_free (figure->note);
  g_free (figure);
}

static void
add_figure (Reader *self)
{
  char **fields = (char **) self->fields->pdata;
  MemlanePublishedFigure *figure;
  MemlanePhase phase;
  MemlaneClock clock;
  guint64 log2_elements, bytes;
  double value;

  for (guint i = 0; i < NOTE; i++)
    if (fields[i][0] == '\0')
      {
        found (self, i, "a value");
        return;
      }
  if (!g_ascii_string_to_unsigned (fields[LOG2_ELEMENTS], 10, 0, 60, &log2_elements, NULL))
    found (self, LOG2_ELEMENTS, "a whole number up to 60");
  else if (!memlane_clock_parse (fields[CLOCK], &clock))
    found (self, CLOCK, "issue, device or host");
  else if (!memlane_text_read_number (fields[VALUE], &value) || !g_ascii_isdigit (fields[VALUE][0]) || !(value > 0))
    found (self, VALUE, "nanoseconds above 0, with '.' as in 3.14");
  else if (!g_ascii_string_to_unsigned (fields[BYTES], 10, 1, G_MAXUINT64, &bytes, NULL))
    found (self, BYTES, "a whole number");
  else if (bytes != (guint64) sizeof (float) << log2_elements)
    found (self, BYTES, "4 for each element");
  else if (memlane_mode_find (fields[MODE]) == NULL || !memlane_phase_parse (fields[PHASE], &phase))
    self->published->skipped++;
  else
    {
      figure = g_new0 (MemlanePublishedFigure, 1);
      figure->source = g_strdup (fields[SOURCE]);
      figure->device = g_strdup (fields[DEVICE]);
      figure->workload = g_strdup (fields[WORKLOAD]);
      figure->mode = g_strdup (fields[MODE]);
      figure->log2_elements = (guint) log2_elements;
      figure->phase = phase;
      figure->clock = clock;
      figure->value_ns = value;
      figure->bytes = bytes;
      figure->note = fields[NOTE][0] != '\0' ? g_strdup (fields[NOTE]) : NULL;
      g_ptr_array_add (self->published->figures, figure);
    }
}

static void
add_field (void *data, gsize length, void *user_data)
{
  Reader *self = user_data;

  if (self->fields->len == N_COLUMNS)
    refuse (self, N_COLUMNS, "found one more field, expected %d (a decimal comma? numbers are written with '.', as in 3.14)", N_COLUMNS);
  else
    g_ptr_array_add (self->fields, g_strndup (length > 0 ? data : "", length));
}

static void
end_row (int end, void *user_data)
{
  Reader *self = user_data;

  if (self->error == NULL && self->fields->len < N_COLUMNS)
    refuse (self, self->fields->len, "found the end of the line after %u fields, expected %d", self->fields->len, N_COLUMNS);
  for (guint i = 0; i < N_COLUMNS && !self->has_header && self->error == NULL; i++)
    if (strcmp (self->fields->pdata[i], self->columns[i]) != 0)
      refuse (self, i, "found '%.40s', expected '%s'", (char *) self->fields->pdata[i], self->columns[i]);
  if (self->has_header && self->error == NULL)
    add_figure (self);
  self->has_header = TRUE;
  g_ptr_array_set_size (self->fields, 0);
}

/* Line by line, so that every message names its line; here a field has no newline inside. */
static void
read_lines (Reader *self, const char *text)
{
  struct csv_parser parser;

  if (csv_init (&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
    {
      refuse (self, 0, "libcsv cannot start");
      return;
    }
  for (const char *line = text, *next; *line != '\0' && self->error == NULL; line = next)
    {
      gsize length = strcspn (line, "\n");

      next = line + length + (line[length] == '\n');
      self->line++;
      if (length == 0 || (length == 1 && *line == '\r'))
        refuse (self, 0, "found an empty line, expected %d fields", N_COLUMNS);
      else if (csv_parse (&parser, line, (gsize) (next - line), add_field, end_row, self) != (gsize) (next - line))
        refuse (self, self->fields->len, "%s", csv_strerror (csv_error (&parser)));
      else if (self->fields->len > 0)
        refuse (self, self->fields->len - 1, "found no end of the line, expected a closing quote and a newline");
    }
  if (self->error == NULL && !self->has_header)
    refuse (self, 0, "found an empty file, expected the header line %s", COLUMNS);
  csv_free (&parser);
}

MemlanePublished *
memlane_published_read (const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path), *text = NULL;
  Reader reader = { .name = shown };
  g_autoptr (GError) problem = NULL;
  gsize length;

  if (!memlane_small_file_read (path, FILE_LIMIT, &text, &length, &problem))
    {
      g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot read %s: %s", shown, problem->message);
      return NULL;
    }
  reader.columns = g_strsplit (COLUMNS, ",", 0);
  reader.fields = g_ptr_array_new_with_free_func (g_free);
  reader.published = g_new0 (MemlanePublished, 1);
  reader.published->figures = g_ptr_array_new_with_free_func (figure_free);
  if (memchr (text, '\0', length) != NULL || !g_utf8_validate (text, (gssize) length, NULL))
    {
      reader.line = 1;
      refuse (&reader, 0, "found bytes that are no UTF-8 text, expected text");
    }
  else
    read_lines (&reader, text);
  g_ptr_array_unref (reader.fields);
  g_strfreev (reader.columns);
  if (reader.error != NULL)
    {
      g_clear_pointer (&reader.published, memlane_published_free);
      g_propagate_error (error, reader.error);
    }
  return reader.published;
}

MemlanePublished *
memlane_published_read_default (GError **error)
{
  g_autofree char *path = memlane_data_find ("published.csv");

  if (path == NULL)
    {
      g_set_error_literal (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO,
                           "published.csv is missing: install Memlane again, or set MEMLANE_DATA_DIR to the folder that holds it");
      return NULL;
    }
  return memlane_published_read (path, error);
}

void
memlane_published_free (MemlanePublished *published)
{
  if (published == NULL)
    return;
  g_ptr_array_unref (published->figures);
  g_free (published);
}
