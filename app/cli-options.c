/* cli-options.c: what several commands take and say: strict options, output files, figures;
 * messages and tables
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/owns.h"
#include "base/strict-text.h"
#include "help.h"

int
cli_fail (int status, const char *format, ...)
{
  va_list values;
  g_autofree char *message = NULL;

  va_start (values, format);
  message = g_strdup_vprintf (format, values);
  va_end (values);
  g_printerr ("memlane-cli: %s\n", message);
  return status;
}

/* Says that this build draws no figures, for @command ("plot", "decide: --plot"). Returns the exit
 * status. */
static int
fail_no_figures (const char *command)
{
  return cli_fail (CLI_NOTHING,
                   "%s: this build draws no figures: it was made without Cairo and Pango. Install "
                   "their development files "
                   "and build with -Dchart=enabled",
                   command);
}

/* --- options ---------------------------------------------------------------------------------- */

static gboolean asks_help;
static char **arguments;
static const GOptionEntry common[] = {
  { "help", 'h', 0, G_OPTION_ARG_NONE, &asks_help, "Explain this command", NULL },
  { NULL },
};
static const GOptionEntry forced[] = {
  { "force", 0, 0, G_OPTION_ARG_NONE, &cli_output_force,
    "Replace a file that Memlane did not write, or that holds more", NULL },
  { NULL },
};
static const GOptionEntry rest[] = {
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments, NULL, NULL },
  { NULL },
};

/* Returns the tables of @command's options, ending in NULL, until the next call. */
static const GOptionEntry *const *
get_options (const CliCommand *command)
{
  static const GOptionEntry *tables[4];

  tables[0] = command->options;
  tables[1] = common;
  tables[2] = command->writes ? forced : NULL;
  return tables;
}

/* How many letters to change, add or leave out to make @to of @from: the distance of
 * Levenshtein. */
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

/* " Did you mean --sizes?", or an empty text: of the first option that @command does not have. */
static char *
guess_option (const CliCommand *command, char **argv)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (const GOptionEntry *const *table = get_options (command); *table != NULL; table++)
    for (const GOptionEntry *entry = *table; entry->long_name != NULL; entry++)
      g_ptr_array_add (names, (gpointer) entry->long_name);
  g_ptr_array_add (names, NULL);
  for (; *argv != NULL; argv++)
    {
      g_autofree char *name = g_strndup (*argv, strcspn (*argv, "="));
      const char *guess;

      if (!g_str_has_prefix (name, "--")
          || g_strv_contains ((const char *const *) names->pdata, name + 2))
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

int
cli_options_run (const CliCommand *command, int argc, char **argv)
{
  /* The context writes "Usage: PROGRAM [OPTION…] ARGUMENTS"; the command belongs to the program's
   * name there. */
  g_autofree char *lesson = cli_help_find (command->name),
                  *name = g_strconcat ("memlane-cli ", command->name, NULL);
  g_autoptr (GOptionContext) context = g_option_context_new (command->arguments);
  g_autoptr (GError) error = NULL;

  g_set_prgname (name);
  g_option_context_set_help_enabled (context, FALSE); /* GLib's own would leave by exit () */
  g_option_context_set_summary (context, command->summary);
  g_option_context_set_description (context, lesson);
  for (const GOptionEntry *const *table = get_options (command); *table != NULL; table++)
    g_option_context_add_main_entries (context, *table, NULL);
  g_option_context_add_main_entries (context, rest, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_autofree char *guess = g_error_matches (error, G_OPTION_ERROR,
                                                G_OPTION_ERROR_UNKNOWN_OPTION)
                                   ? guess_option (command, argv)
                                   : NULL;

      return cli_fail (CLI_USAGE, "%s: %s.%s Try memlane-cli %s --help.", command->name,
                       error->message, guess != NULL ? guess : "", command->name);
    }
  if (asks_help)
    {
      g_autofree char *text = g_option_context_get_help (context, TRUE, NULL);

      g_print ("%s", text);
      return CLI_OK;
    }
  if (arguments == NULL)
    arguments = g_new0 (char *, 1);
  if (g_strv_length (arguments) > command->most_arguments)
    return cli_fail (CLI_USAGE, "%s: stray argument \"%s\". Try memlane-cli %s --help.",
                     command->name, arguments[command->most_arguments], command->name);
  if (command->run == NULL)
    return fail_no_figures (command->name);
  return command->run (arguments);
}

gboolean
cli_options_number (const char *option, const char *text, double least, double most, double *value,
                    GError **error)
{
  double number;

  if (text == NULL)
    return TRUE;
  if (!memlane_text_read_number (text, &number) || number < least || number > most)
    return cli_refuse (error,
                       "%s: found \"%s\", expected a number from %g to %g, with a decimal point",
                       option, text, least, most);
  *value = number;
  return TRUE;
}

gboolean
cli_options_integer (const char *option, const char *text, guint64 least, guint64 most,
                     guint64 *value, GError **error)
{
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, least, most, value, NULL))
    return cli_refuse (error,
                       "%s: found \"%s\", expected a whole number from %" G_GUINT64_FORMAT
                       " to %" G_GUINT64_FORMAT,
                       option, text, least, most);
  return TRUE;
}

gboolean
cli_options_count (const char *option, const char *text, guint least, guint most, guint *value,
                   GError **error)
{
  guint64 number = *value;

  if (!cli_options_integer (option, text, least, most, &number, error))
    return FALSE;
  *value = (guint) number;
  return TRUE;
}

gboolean
cli_options_size (const char *text, double *log2_elements, GError **error)
{
  if (text == NULL || memlane_plan_read_size (text, log2_elements, error))
    return TRUE;
  g_prefix_error (error, "--size: ");
  return FALSE;
}

gboolean
cli_options_choose (const char *option, const char *text, char *known, guint *value, GError **error)
{
  g_autofree char *taken = known, *expected = g_strconcat ("one of ", known, NULL);
  g_auto (GStrv) words = g_strsplit (known, ", ", -1);

  for (guint i = 0; text != NULL && words[i] != NULL; i++)
    if (strcmp (text, words[i]) == 0)
      {
        *value = i;
        return TRUE;
      }
  return text == NULL || cli_options_wrong (error, option, text, expected);
}

gboolean
cli_options_count_uses (const char *count, const char *uses, MemlaneCount *what, guint *n,
                        GError **error)
{
  if (!cli_options_choose ("--count", count,
                           MEMLANE_LIST (MEMLANE_N_COUNTS, memlane_count_name (i)),
                           (guint *) what, error)
      || !cli_options_count ("--uses", uses, 1, MEMLANE_MOST_USES, n, error))
    return FALSE;
  return uses == NULL || *what == MEMLANE_COUNT_ALLOCATION
         || cli_refuse (error, "--uses: allocation does not count; expected --count allocation");
}

gboolean
cli_options_beside (const char *beside, const char *busy, MemlaneMethod *method, GError **error)
{
  if (!cli_options_choose ("--beside", beside,
                           MEMLANE_LIST (MEMLANE_N_BESIDES, memlane_beside_name (i)),
                           (guint *) &method->beside, error))
    return FALSE;
  method->busy = method->beside == MEMLANE_BESIDE_COMPUTE ? 100 : 0;
  if (busy != NULL && method->busy == 0)
    return cli_refuse (error, "--busy: nothing computes; expected --beside compute");
  return cli_options_count ("--busy", busy, 1, 100, &method->busy, error);
}

gboolean
cli_options_workload (const char *id, const MemlaneWorkload **workload, GError **error)
{
  guint n;
  const MemlaneWorkload *found = id != NULL ? memlane_workload_find (id) : *workload,
                        *workloads = memlane_workload_list (&n);
  g_autofree char *known = MEMLANE_LIST (n, workloads[i].id);

  if (id != NULL && found == NULL)
    return cli_refuse (error, "--workload: unknown workload \"%s\": expected one of %s", id, known);
  *workload = found;
  return TRUE;
}

gboolean
cli_options_wrong (GError **error, const char *option, const char *found, const char *expected)
{
  return cli_refuse (error, "%s: found \"%s\", expected %s", option, found, expected);
}

/* --- figures ---------------------------------------------------------------------------------- */

#ifdef MEMLANE_HAVE_CHART

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
      && g_ascii_string_to_unsigned (parts[0], 10, MEMLANE_EXPORT_LEAST, MEMLANE_EXPORT_MOST, &w,
                                     NULL)
      && g_ascii_string_to_unsigned (parts[1], 10, MEMLANE_EXPORT_LEAST_HEIGHT, MEMLANE_EXPORT_MOST,
                                     &h, NULL))
    {
      *width = (guint) w;
      *height = (guint) h;
      return TRUE;
    }
  expected = g_strdup_printf ("WIDTHxHEIGHT in pixels, such as 1280x720, from %dx%d to %dx%d",
                              MEMLANE_EXPORT_LEAST, MEMLANE_EXPORT_LEAST_HEIGHT,
                              MEMLANE_EXPORT_MOST, MEMLANE_EXPORT_MOST);
  return cli_options_wrong (error, option, text, expected);
}

gboolean
cli_figure_parse (CliFigure *self, const char *path, const char *style, const char *size_option,
                  const char *size, GError **error)
{
  guint kind = MEMLANE_STYLE_SCREEN;

  self->format = strcmp (path, "-") == 0 ? memlane_export_find (".svg")
                                         : memlane_export_find_for_path (path, error);
  if (self->format == NULL
      || !cli_options_choose (
          "--style", style,
          MEMLANE_LIST (MEMLANE_N_STYLES, memlane_style_get ((MemlaneStyleKind) i)->name), &kind,
          error))
    return FALSE;
  self->style = memlane_style_get ((MemlaneStyleKind) kind);
  return parse_size (size_option, size, &self->width, &self->height, error);
}

gboolean
cli_figure_write (const CliFigure *self, const MemlaneDrawing *drawing, double scale,
                  const char *path, GError **error)
{
  return memlane_export_to_file (drawing, self->style, self->format, (int) self->width,
                                 (int) self->height, scale, path, error);
}

int
cli_plot_draw (const CliPlot *self, guint height, gboolean quiet, MemlaneDrawing *drawing)
{
  g_autoptr (MemlaneDrawing) taken = drawing;
  CliFigure figure = { .width = 1280, .height = height };
  g_autoptr (GError) error = NULL;

  if (!cli_figure_parse (&figure, self->path, self->style, "--plot-size", self->size, &error)
      || !cli_figure_write (&figure, taken, 1, self->path, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (!quiet)
    g_printerr ("written: %s\n", self->path);
  return CLI_OK;
}

#endif

int
cli_plot_check (const CliPlot *self, const char *command)
{
  g_autoptr (GError) error = NULL;

  if (self->path == NULL && (self->style != NULL || self->size != NULL))
    return cli_fail (CLI_USAGE, "%s: %s: there is no figure; expected --plot F.svg", command,
                     self->style != NULL ? "--style" : "--plot-size");
  if (self->path == NULL)
    return CLI_OK;
#ifdef MEMLANE_HAVE_CHART
  if (!cli_figure_parse (&(CliFigure) { 0 }, self->path, self->style, "--plot-size", self->size,
                         &error))
    return cli_fail (CLI_USAGE, "%s: %s", command, error->message);
#else
  {
    g_autofree char *option = g_strconcat (command, ": --plot", NULL);

    return fail_no_figures (option);
  }
#endif
  return cli_output_check (self->path, CLI_FILE_FIGURE, &error)
             ? CLI_OK
             : cli_fail (CLI_NOTHING, "%s", error->message);
}

/* --- tables ----------------------------------------------------------------------------------- */

struct _CliTable
{
  guint n_columns;
  GPtrArray *cells; /* row by row, the headings first; NULL is empty */
};

CliTable *
cli_table_new_columns (guint n_columns)
{
  CliTable *self = g_new0 (CliTable, 1);

  self->n_columns = n_columns;
  self->cells = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
cli_table_add (CliTable *self, ...)
{
  va_list cells;

  va_start (cells, self);
  for (guint i = 0; i < self->n_columns; i++)
    cli_table_add_cell (self, va_arg (cells, const char *));
  va_end (cells);
}

void
cli_table_add_cell (CliTable *self, const char *cell)
{
  g_ptr_array_add (self->cells, g_strdup (cell));
}

MEMLANE_DEFINE_FREE (CliTable, void cli_table_free (CliTable *data),
                     OWNS (cells, g_ptr_array_unref))

void
cli_table_print (CliTable *self)
{
  const char **cells = (const char **) self->cells->pdata;
  g_autofree int *widths = g_new0 (int, self->n_columns);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; i < self->cells->len; i++)
    widths[i % self->n_columns] = MAX (widths[i % self->n_columns],
                                       cells[i] != NULL ? (int) g_utf8_strlen (cells[i], -1) : 0);
  for (guint i = 0; i < self->cells->len; i++)
    {
      guint column = i % self->n_columns;
      const char *cell = cells[i] != NULL ? cells[i] : "";

      if (cells[column] != NULL)
        g_string_append_printf (line, "%s%*s", cell,
                                widths[column] - (int) g_utf8_strlen (cell, -1) + 2, "");
      if (column + 1 == self->n_columns)
        {
          g_print ("%s\n", g_strchomp (line->str));
          g_string_truncate (line, 0);
        }
    }
  cli_table_free (self);
}

void
cli_table_print_json (CliTable *self, const char *document, const char *keys)
{
  g_auto (GStrv) names = g_strsplit (keys, " ", -1);
  CliJson *json = cli_json_new (document);

  cli_json_open (json, document, '[');
  for (guint i = self->n_columns; i < self->cells->len; i++)
    {
      const char *name = names[i % self->n_columns], *cell = self->cells->pdata[i];
      gboolean is_empty = cell == NULL || *cell == '\0';

      if (i % self->n_columns == 0)
        cli_json_open (json, NULL, '{');
      if (*name == '#' && !is_empty)
        cli_json_number (json, name + 1, g_ascii_strtod (cell, NULL));
      else if (*name == '?' && !is_empty)
        cli_json_flag (json, name + 1, strcmp (cell, "yes") == 0);
      else
        cli_json_text (json, name + (*name == '#' || *name == '?'), is_empty ? NULL : cell);
      if (i % self->n_columns + 1 == self->n_columns)
        cli_json_close (json);
    }
  cli_json_print (json);
  cli_table_free (self);
}

/* --- JSON ------------------------------------------------------------------------------------- */

struct _CliJson
{
  GString *text, *open; /* @open: the brackets that end what is open */
};

/* Begins a value: the comma, a line of its own, and its name. */
static void
begin_value (CliJson *self, const char *name)
{
  char before = self->text->len > 0 ? self->text->str[self->text->len - 1] : '{';

  if (before != '{' && before != '[')
    g_string_append_c (self->text, ',');
  if (self->text->len > 0)
    g_string_append_printf (self->text, "\n%*s", (int) (2 * self->open->len), "");
  if (name != NULL)
    {
      memlane_text_append_json (self->text, name);
      g_string_append (self->text, " : ");
    }
}

CliJson *
cli_json_new (const char *document)
{
  CliJson *self = g_new (CliJson, 1);

  *self = (CliJson) { g_string_new (NULL), g_string_new (NULL) };
  cli_json_open (self, NULL, '{');
  cli_json_number (self, "format", CLI_FORMAT);
  cli_json_text (self, "document", document);
  return self;
}

void
cli_json_open (CliJson *self, const char *name, char bracket)
{
  begin_value (self, name);
  g_string_append_c (self->text, bracket);
  g_string_append_c (self->open, bracket == '{' ? '}' : ']');
}

void
cli_json_close (CliJson *self)
{
  char end = self->open->str[self->open->len - 1], before = self->text->str[self->text->len - 1];

  g_string_truncate (self->open, self->open->len - 1);
  if (before != '{' && before != '[')
    g_string_append_printf (self->text, "\n%*s", (int) (2 * self->open->len), "");
  g_string_append_c (self->text, end);
}

void
cli_json_text (CliJson *self, const char *name, const char *text)
{
  begin_value (self, name);
  if (text != NULL)
    memlane_text_append_json (self->text, text);
  else
    g_string_append (self->text, "null");
}

void
cli_json_number (CliJson *self, const char *name, double number)
{
  begin_value (self, name);
  if (isfinite (number))
    memlane_text_append_number (self->text, number);
  else
    g_string_append (self->text, "null");
}

void
cli_json_ratio (CliJson *self, const char *name, double ratio)
{
  cli_json_number (self, name, rint (ratio * 1e5) / 1e5);
}

void
cli_json_ns (CliJson *self, const char *name, double ns)
{
  cli_json_number (self, name, rint (ns * 10) / 10);
}

void
cli_json_flag (CliJson *self, const char *name, gboolean flag)
{
  begin_value (self, name);
  g_string_append (self->text, flag ? "true" : "false");
}

void
cli_json_add_members (CliJson *self, gboolean as_object, const CliJsonMember *members, guint n)
{
  static void (*const add[]) (CliJson *self, const char *name, double number) = {
    [CLI_JSON_NUMBER] = cli_json_number,
    [CLI_JSON_RATIO] = cli_json_ratio,
    [CLI_JSON_NS] = cli_json_ns,
  };

  if (as_object)
    cli_json_open (self, NULL, '{');
  for (guint i = 0; i < n; i++)
    if (members[i].kind == CLI_JSON_TEXT)
      cli_json_text (self, members[i].name, members[i].text);
    else if (members[i].kind == CLI_JSON_FLAG)
      cli_json_flag (self, members[i].name, members[i].number > 0);
    else
      add[members[i].kind](self, members[i].name, members[i].number);
  if (as_object)
    cli_json_close (self);
}

char *
cli_json_end (CliJson *self)
{
  char *text;

  while (self->open->len > 0)
    cli_json_close (self);
  g_string_append_c (self->text, '\n');
  text = g_string_free (self->text, FALSE);
  g_string_free (self->open, TRUE);
  g_free (self);
  return text;
}

void
cli_json_print (CliJson *self)
{
  g_autofree char *text = cli_json_end (self);

  g_print ("%s", text);
}
