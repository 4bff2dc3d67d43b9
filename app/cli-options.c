/* cli-options.c: what several commands take and say: strict options, output files, figures; messages and tables
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strict-text.h"
#ifdef MEMLANE_HAVE_CHART
#include "chart/export.h"
#endif

int
cli_fail (int status, const char *format, ...)
{
  va_list arguments;
  g_autofree char *message = NULL;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_printerr ("memlane-cli: %s\n", message);
  return status;
}

int
cli_finish_output (int status)
{
  errno = 0;
  if (fflush (stdout) == 0 && !ferror (stdout))
    return status;
  return cli_fail (CLI_NOTHING, "standard output cannot be written: %s", errno != 0 ? g_strerror (errno) : "a write failed");
}

gboolean
cli_options_parse (const CliCommand *command, const GOptionEntry *entries, int argc, char **argv, guint max_positional, char ***positional,
                   int *status)
{
  gboolean help = FALSE;
  g_auto (GStrv) rest = NULL;
  g_auto (GStrv) copy = NULL;
  g_autofree char **borrowed = NULL;
  const GOptionEntry forced[] = {
    { "force", 0, 0, G_OPTION_ARG_NONE, cli_output_force (), "Replace a file that Memlane did not write, or that holds more", NULL },
    { NULL },
  };
  const GOptionEntry common[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &help, "Explain this command", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rest, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (command->arguments);
  g_autoptr (GError) error = NULL;

  *positional = NULL;
  /* The context writes "Usage: PROGRAM [OPTION…] ARGUMENTS"; the command belongs to the program's name there. */
  {
    g_autofree char *name = g_strconcat ("memlane-cli ", command->name, NULL);
    g_set_prgname (name);
  }
  g_option_context_set_help_enabled (context, FALSE); /* GLib's own would leave by exit () */
  g_option_context_set_summary (context, command->summary);
  g_option_context_set_description (context, command->description);
  g_option_context_add_main_entries (context, entries, NULL);
  if (command->writes)
    g_option_context_add_main_entries (context, forced, NULL);
  g_option_context_add_main_entries (context, common, NULL);

  /* GOption moves pointers inside the array that it is given; it owns none of them. */
  copy = g_new0 (char *, argc + 1);
  borrowed = g_new0 (char *, argc + 1);
  for (int i = 0; i < argc; i++)
    borrowed[i] = copy[i] = g_strdup (argv[i]);
  {
    char **view = borrowed;
    if (!g_option_context_parse (context, &argc, &view, &error))
      {
        *status = cli_fail (CLI_USAGE, "%s: %s. Try memlane-cli %s --help.", command->name, error->message, command->name);
        return FALSE;
      }
  }
  if (help)
    {
      g_autofree char *text = g_option_context_get_help (context, TRUE, NULL);
      g_print ("%s", text);
      *status = CLI_OK;
      return FALSE;
    }
  if (rest != NULL && max_positional != CLI_ANY_NUMBER && g_strv_length (rest) > max_positional)
    {
      *status = cli_fail (CLI_USAGE, "%s: stray argument \"%s\". Try memlane-cli %s --help.", command->name, rest[max_positional],
                          command->name);
      return FALSE;
    }
  *positional = rest != NULL ? g_steal_pointer (&rest) : g_new0 (char *, 1);
  return TRUE;
}

gboolean
cli_options_number (const char *option, const char *text, double least, double most, double *value, GError **error)
{
  double number;

  if (text == NULL)
    return TRUE;
  if (!memlane_text_read_number (text, &number) || number < least || number > most)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "%s: found \"%s\", expected a number from %g to %g, with a decimal point", option, text, least, most);
      return FALSE;
    }
  *value = number;
  return TRUE;
}

gboolean
cli_options_integer (const char *option, const char *text, guint64 least, guint64 most, guint64 *value, GError **error)
{
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, least, most, value, NULL))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "%s: found \"%s\", expected a whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, option, text, least, most);
      return FALSE;
    }
  return TRUE;
}

gboolean
cli_options_count (const char *option, const char *text, guint least, guint most, guint *value, GError **error)
{
  guint64 number = *value;

  if (!cli_options_integer (option, text, least, most, &number, error))
    return FALSE;
  *value = (guint) number;
  return TRUE;
}

gboolean
cli_options_workload (const char *id, const MemlaneWorkload **workload, GError **error)
{
  const MemlaneWorkload *found = id != NULL ? memlane_workload_find (id) : *workload, *workloads;
  g_autoptr (GString) known = NULL;
  guint n;

  if (id == NULL || found != NULL)
    {
      *workload = found;
      return TRUE;
    }
  known = g_string_new (NULL);
  workloads = memlane_workload_list (&n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", workloads[i].id);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--workload: unknown workload \"%s\": expected one of %s", id, known->str);
  return FALSE;
}

gboolean
cli_options_mode (const char *id, const MemlaneMode **mode, GError **error)
{
  const MemlaneMode *found = id != NULL ? memlane_mode_find (id) : *mode, *modes;
  g_autoptr (GString) known = NULL;
  guint n;

  if (id == NULL || found != NULL)
    {
      *mode = found;
      return TRUE;
    }
  known = g_string_new (NULL);
  modes = memlane_mode_list (&n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", modes[i].id);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--mode: unknown mode \"%s\": expected one of %s", id, known->str);
  return FALSE;
}

/* --- figures ----------------------------------------------------------------------------------------------------------- */

#ifdef MEMLANE_HAVE_CHART

gboolean
cli_figure_set_wrong (GError **error, const char *option, const char *found, const char *expected)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: found \"%s\", expected %s", option, found, expected);
  return FALSE;
}

static gboolean
parse_style (const char *text, const MemlaneStyle **style, GError **error)
{
  g_autoptr (GString) known = NULL;

  *style = text != NULL ? memlane_style_find (text) : memlane_style_get (MEMLANE_STYLE_SCREEN);
  if (*style != NULL)
    return TRUE;
  known = g_string_new ("one of ");
  for (int i = 0; i < MEMLANE_N_STYLES; i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", memlane_style_get ((MemlaneStyleKind) i)->name);
  return cli_figure_set_wrong (error, "--style", text, known->str);
}

static gboolean
parse_size (const char *option, const char *text, guint *width, guint *height, GError **error)
{
  g_auto (GStrv) parts = NULL;
  g_autofree char *expected = NULL;
  guint64 w, h;

  if (text == NULL)
    return TRUE;
  parts = g_strsplit (text, "x", -1);
  if (g_strv_length (parts) == 2
      && g_ascii_string_to_unsigned (parts[0], 10, MEMLANE_EXPORT_LEAST, MEMLANE_EXPORT_MOST, &w, NULL)
      && g_ascii_string_to_unsigned (parts[1], 10, MEMLANE_EXPORT_LEAST_HEIGHT, MEMLANE_EXPORT_MOST, &h, NULL))
    {
      *width = (guint) w;
      *height = (guint) h;
      return TRUE;
    }
  expected = g_strdup_printf ("WIDTHxHEIGHT in pixels, such as 1280x720, from %dx%d to %dx%d", MEMLANE_EXPORT_LEAST,
                              MEMLANE_EXPORT_LEAST_HEIGHT, MEMLANE_EXPORT_MOST, MEMLANE_EXPORT_MOST);
  return cli_figure_set_wrong (error, option, text, expected);
}

gboolean
cli_figure_parse (CliFigure *self, const char *path, const char *style, const char *size_option, const char *size, GError **error)
{
  return memlane_export_format_for_path (path, &self->format, error) && parse_style (style, &self->style, error)
         && parse_size (size_option, size, &self->width, &self->height, error);
}

gboolean
cli_figure_write (const CliFigure *self, const MemlaneDrawing *drawing, double scale, const char *path, GError **error)
{
  return memlane_export_to_file (drawing, self->style, self->format, (int) self->width, (int) self->height, scale, path, error);
}

#endif

/* --- tables ------------------------------------------------------------------------------------------------------------ */

struct _CliTable
{
  guint n_columns;
  GPtrArray *cells; /* row by row, the headings first */
};

static void
add_cells (CliTable *self, va_list arguments)
{
  for (guint i = 0; i < self->n_columns; i++)
    {
      const char *cell = va_arg (arguments, const char *);
      g_ptr_array_add (self->cells, g_strdup (cell != NULL ? cell : ""));
    }
}

CliTable *
cli_table_new (guint n_columns, ...)
{
  CliTable *self = g_new0 (CliTable, 1);
  va_list arguments;

  self->n_columns = n_columns;
  self->cells = g_ptr_array_new_with_free_func (g_free);
  va_start (arguments, n_columns);
  add_cells (self, arguments);
  va_end (arguments);
  return self;
}

void
cli_table_add (CliTable *self, ...)
{
  va_list arguments;

  va_start (arguments, self);
  add_cells (self, arguments);
  va_end (arguments);
}

void
cli_table_print (CliTable *self)
{
  g_autofree int *widths = g_new0 (int, self->n_columns);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; i < self->cells->len; i++)
    widths[i % self->n_columns] = MAX (widths[i % self->n_columns], (int) g_utf8_strlen (self->cells->pdata[i], -1));
  for (guint i = 0; i < self->cells->len; i++)
    {
      guint column = i % self->n_columns;
      const char *cell = self->cells->pdata[i];

      g_string_append (line, cell);
      if (column + 1 < self->n_columns)
        g_string_append_printf (line, "%*s", widths[column] - (int) g_utf8_strlen (cell, -1) + 2, "");
      else
        {
          while (line->len > 0 && line->str[line->len - 1] == ' ')
            g_string_truncate (line, line->len - 1);
          g_print ("%s\n", line->str);
          g_string_truncate (line, 0);
        }
    }
  g_ptr_array_unref (self->cells);
  g_free (self);
}
