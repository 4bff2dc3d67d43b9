/* cli-options.c: what several commands take and say: strict options, output files, figures; messages and tables
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/strict-text.h"
#include "help.h"
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

/* --- options ----------------------------------------------------------------------------------------------------------- */

static GPtrArray *kept; /* texts that options received */

static struct
{
  CliOptionFunc each;
  gpointer user_data;
} listing; /* each: set while options are listed instead of parsed */

static void
keep (const GOptionEntry *entries)
{
  if (kept == NULL)
    kept = g_ptr_array_new_with_free_func (g_free);
  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    if (entry->arg == G_OPTION_ARG_FILENAME || entry->arg == G_OPTION_ARG_STRING)
      g_ptr_array_add (kept, *(char **) entry->arg_data);
    else if (entry->arg == G_OPTION_ARG_FILENAME_ARRAY && *(char ***) entry->arg_data != NULL)
      {
        for (char **text = *(char ***) entry->arg_data; *text != NULL; text++)
          g_ptr_array_add (kept, *text);
        g_ptr_array_add (kept, *(char ***) entry->arg_data);
      }
}

void
cli_options_free (void)
{
  g_clear_pointer (&kept, g_ptr_array_unref);
}

void
cli_options_list (const CliCommand *command, CliOptionFunc each, gpointer user_data)
{
  char *argv[] = { (char *) command->name, NULL };

  listing.each = each;
  listing.user_data = user_data;
  command->run (1, argv);
  listing.each = NULL;
}

/* How many letters to change, add or leave out to make @to of @from: the distance of Levenshtein. */
static guint
compute_distance (const char *from, const char *to)
{
  gsize n = strlen (to);
  g_autofree guint *row = g_new (guint, n + 1);

  for (guint j = 0; j <= n; j++)
    row[j] = j;
  for (guint i = 1; *from != '\0'; i++, from++)
    {
      guint diagonal = row[0];

      row[0] = i;
      for (guint j = 1; j <= n; j++)
        {
          guint change = diagonal + (*from != to[j - 1]);

          diagonal = row[j];
          row[j] = MIN (MIN (row[j], row[j - 1]) + 1, change);
        }
    }
  return row[n];
}

const char *
cli_options_guess (const char *word, const char *const *words)
{
  const char *best = NULL;
  guint least = (guint) strlen (word) / 3 + 1; /* more letters than that are another word */

  for (; *words != NULL; words++)
    {
      guint distance = compute_distance (word, *words);

      if (distance <= least && (best == NULL || distance < least))
        {
          least = distance;
          best = *words;
        }
    }
  return best;
}

/* " Did you mean --sizes?", or an empty text: of the first option that none of @tables has. */
static char *
guess_option (char **argv, const GOptionEntry *const *tables)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (; *tables != NULL; tables++)
    for (const GOptionEntry *entry = *tables; entry->long_name != NULL; entry++)
      g_ptr_array_add (names, (gpointer) entry->long_name);
  g_ptr_array_add (names, NULL);
  for (; *argv != NULL; argv++)
    {
      g_autofree char *name = g_strndup (*argv, strcspn (*argv, "="));
      const char *guess;

      if (!g_str_has_prefix (name, "--") || g_strv_contains ((const char *const *) names->pdata, name + 2))
        continue;
      guess = cli_options_guess (name + 2, (const char *const *) names->pdata);
      return guess != NULL ? g_strdup_printf (" Did you mean --%s?", guess) : g_strdup ("");
    }
  return g_strdup ("");
}

char *
cli_help_find (const char *name)
{
  g_autofree char *heading = g_strdup_printf ("\n== %s ==\n", name);
  const char *text = strstr (help, heading) + strlen (heading), *end = strstr (text, "\n== ");

  return end != NULL ? g_strndup (text, (gsize) (end - text)) : g_strdup (text);
}

gboolean
cli_options_parse (const CliCommand *command, const GOptionEntry *entries, int argc, char **argv, guint max_positional, char ***positional,
                   int *status)
{
  g_autofree char *lesson = cli_help_find (command->name);
  gboolean asks_help = FALSE;
  char **rest = NULL;
  g_auto (GStrv) copy = NULL;
  g_autofree char **borrowed = NULL;
  const GOptionEntry forced[] = {
    { "force", 0, 0, G_OPTION_ARG_NONE, cli_output_force (), "Replace a file that Memlane did not write, or that holds more", NULL },
    { NULL },
  };
  const GOptionEntry common[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &asks_help, "Explain this command", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rest, NULL, NULL },
    { NULL },
  };
  const GOptionEntry *const tables[] = { entries, common, command->writes ? forced : NULL, NULL };
  g_autoptr (GOptionContext) context = g_option_context_new (command->arguments);
  g_autoptr (GError) error = NULL;

  *positional = NULL;
  *status = CLI_OK;
  if (listing.each != NULL)
    {
      for (const GOptionEntry *const *table = tables; *table != NULL; table++)
        for (const GOptionEntry *entry = *table; entry->long_name != NULL; entry++)
          listing.each (entry, listing.user_data);
      return FALSE;
    }
  /* The context writes "Usage: PROGRAM [OPTION…] ARGUMENTS"; the command belongs to the program's name there. */
  {
    g_autofree char *name = g_strconcat ("memlane-cli ", command->name, NULL);
    g_set_prgname (name);
  }
  g_option_context_set_help_enabled (context, FALSE); /* GLib's own would leave by exit () */
  g_option_context_set_summary (context, command->summary);
  g_option_context_set_description (context, lesson);
  for (const GOptionEntry *const *table = tables; *table != NULL; table++)
    g_option_context_add_main_entries (context, *table, NULL);

  /* GOption moves pointers inside the array that it is given; it owns none of them. */
  copy = g_new0 (char *, argc + 1);
  borrowed = g_new0 (char *, argc + 1);
  for (int i = 0; i < argc; i++)
    borrowed[i] = copy[i] = g_strdup (argv[i]);
  {
    char **view = borrowed;
    if (!g_option_context_parse (context, &argc, &view, &error))
      {
        g_autofree char *guess =
          g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) ? guess_option (copy, tables) : NULL;

        *status = cli_fail (CLI_USAGE, "%s: %s.%s Try memlane-cli %s --help.", command->name, error->message, guess != NULL ? guess : "",
                            command->name);
        return FALSE;
      }
  }
  for (const GOptionEntry *const *table = tables; *table != NULL; table++)
    keep (*table);
  if (asks_help)
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
  if (rest == NULL)
    g_ptr_array_add (kept, rest = g_new0 (char *, 1));
  *positional = rest;
  return TRUE;
}

gboolean
cli_options_number (const char *option, const char *text, double least, double most, double *value, GError **error)
{
  double number;

  if (text == NULL)
    return TRUE;
  if (!memlane_text_read_number (text, &number) || number < least || number > most)
    return memlane_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         "%s: found \"%s\", expected a number from %g to %g, with a decimal point", option, text, least, most);
  *value = number;
  return TRUE;
}

gboolean
cli_options_integer (const char *option, const char *text, guint64 least, guint64 most, guint64 *value, GError **error)
{
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, least, most, value, NULL))
    return memlane_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         "%s: found \"%s\", expected a whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, option, text, least,
                         most);
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
cli_options_count_uses (const char *count, const char *uses, MemlaneCount *what, guint *n, GError **error)
{
  if (count != NULL && !memlane_count_parse (count, what))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--count: found \"%s\", expected one of transfer, host, allocation",
                 count);
  else if (!cli_options_count ("--uses", uses, 1, MEMLANE_MOST_USES, n, error))
    return FALSE;
  else if (uses != NULL && *what != MEMLANE_COUNT_ALLOCATION)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--uses: allocation does not count; expected --count allocation");
  else
    return TRUE;
  return FALSE;
}

gboolean
cli_options_workload (const char *id, const MemlaneWorkload **workload, GError **error)
{
  const MemlaneWorkload *found = id != NULL ? memlane_workload_find (id) : *workload, *workloads;
  g_autofree char *known = NULL;
  guint n;

  if (id == NULL || found != NULL)
    {
      *workload = found;
      return TRUE;
    }
  workloads = memlane_workload_list (&n);
  known = CLI_LIST (n, workloads[i].id);
  return memlane_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--workload: unknown workload \"%s\": expected one of %s", id,
                       known);
}

gboolean
cli_options_mode (const char *id, const MemlaneMode **mode, GError **error)
{
  const MemlaneMode *found = id != NULL ? memlane_mode_find (id) : *mode, *modes;
  g_autofree char *known = NULL;
  guint n;

  if (id == NULL || found != NULL)
    {
      *mode = found;
      return TRUE;
    }
  modes = memlane_mode_list (&n);
  known = CLI_LIST (n, modes[i].id);
  return memlane_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--mode: unknown mode \"%s\": expected one of %s", id, known);
}

gboolean
cli_options_wrong (GError **error, const char *option, const char *found, const char *expected)
{
  return memlane_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: found \"%s\", expected %s", option, found, expected);
}

/* --- figures ----------------------------------------------------------------------------------------------------------- */

#ifdef MEMLANE_HAVE_CHART

static gboolean
parse_style (const char *text, const MemlaneStyle **style, GError **error)
{
  g_autofree char *known = CLI_LIST (MEMLANE_N_STYLES, memlane_style_get ((MemlaneStyleKind) i)->name);
  g_autofree char *expected = g_strconcat ("one of ", known, NULL);

  *style = text != NULL ? memlane_style_find (text) : memlane_style_get (MEMLANE_STYLE_SCREEN);
  return *style != NULL || cli_options_wrong (error, "--style", text, expected);
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
  return cli_options_wrong (error, option, text, expected);
}

gboolean
cli_figure_parse (CliFigure *self, const char *path, const char *style, const char *size_option, const char *size, GError **error)
{
  self->format = strcmp (path, "-") == 0 ? memlane_export_find (".svg") : memlane_export_find_for_path (path, error);
  return self->format != NULL && parse_style (style, &self->style, error)
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
  GPtrArray *cells; /* row by row, the headings first; NULL is empty */
};

static void
add_cells (CliTable *self, va_list arguments)
{
  for (guint i = 0; i < self->n_columns; i++)
    g_ptr_array_add (self->cells, g_strdup (va_arg (arguments, const char *)));
}

CliTable *
cli_table_new_columns (guint n_columns)
{
  CliTable *self = g_new0 (CliTable, 1);

  self->n_columns = n_columns;
  self->cells = g_ptr_array_new_with_free_func (g_free);
  return self;
}

CliTable *
cli_table_new (guint n_columns, ...)
{
  CliTable *self = cli_table_new_columns (n_columns);
  va_list arguments;

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
cli_table_add_cell (CliTable *self, const char *cell)
{
  g_ptr_array_add (self->cells, g_strdup (cell));
}

void
cli_table_free (CliTable *self)
{
  g_ptr_array_unref (self->cells);
  g_free (self);
}

void
cli_table_print (CliTable *self)
{
  const char **cells = (const char **) self->cells->pdata;
  g_autofree int *widths = g_new0 (int, self->n_columns);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; i < self->cells->len; i++)
    widths[i % self->n_columns] = MAX (widths[i % self->n_columns], cells[i] != NULL ? (int) g_utf8_strlen (cells[i], -1) : 0);
  for (guint i = 0; i < self->cells->len; i++)
    {
      guint column = i % self->n_columns;
      const char *cell = cells[i] != NULL ? cells[i] : "";

      if (cells[column] != NULL)
        g_string_append_printf (line, "%s%*s", cell, widths[column] - (int) g_utf8_strlen (cell, -1) + 2, "");
      if (column + 1 == self->n_columns)
        {
          g_print ("%s\n", g_strchomp (line->str));
          g_string_truncate (line, 0);
        }
    }
  cli_table_free (self);
}

void
cli_table_print_json (CliTable *self, const char *keys)
{
  g_auto (GStrv) names = g_strsplit (keys, " ", -1);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *text = NULL;

  json_builder_begin_array (builder);
  for (guint i = self->n_columns; i < self->cells->len; i++)
    {
      const char *name = names[i % self->n_columns], *cell = self->cells->pdata[i];

      if (i % self->n_columns == 0)
        json_builder_begin_object (builder);
      if (cell == NULL || *cell == '\0')
        cli_json_text (builder, name + (*name == '#' || *name == '?'), NULL);
      else if (*name == '#')
        cli_json_count (builder, name + 1, g_ascii_strtoll (cell, NULL, 10));
      else if (*name == '?')
        cli_json_flag (builder, name + 1, strcmp (cell, "yes") == 0);
      else
        cli_json_text (builder, name, cell);
      if (i % self->n_columns + 1 == self->n_columns)
        json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  text = cli_json_end (builder);
  g_print ("%s", text);
  cli_table_free (self);
}

/* --- JSON -------------------------------------------------------------------------------------------------------------- */

void
cli_json_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text != NULL)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

void
cli_json_number (JsonBuilder *builder, const char *name, double number)
{
  json_builder_add_double_value (json_builder_set_member_name (builder, name), number);
}

void
cli_json_count (JsonBuilder *builder, const char *name, gint64 number)
{
  json_builder_add_int_value (json_builder_set_member_name (builder, name), number);
}

void
cli_json_flag (JsonBuilder *builder, const char *name, gboolean flag)
{
  json_builder_add_boolean_value (json_builder_set_member_name (builder, name), flag);
}

void
cli_json_begin_array (JsonBuilder *builder, const char *name)
{
  json_builder_begin_array (json_builder_set_member_name (builder, name));
}

char *
cli_json_end (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, TRUE);

  return g_strconcat (text, "\n", NULL);
}
