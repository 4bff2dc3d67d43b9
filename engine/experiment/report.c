/* report.c: a result as a page of Markdown; what a recorded H200 said of the same experiment
 *
 * SPDX-License-Identifier: MIT
 */
#include "result.h"

#include <string.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/i18n.h"
#include "base/reader-limits.h"
#include "base/save.h"
#include "trace/summary.h"

typedef MemlaneTextLookup Translate;

/* A table's cell: a bar would end it. */
static void
append_cell (GString *text, const char *cell)
{
  for (; *cell != '\0'; cell++)
    if (*cell == '|')
      g_string_append (text, "\\|");
    else
      g_string_append_c (text, *cell == '\n' ? ' ' : *cell);
}

static void
append_section (GString *text, const char *title, const char *body)
{
  if (body != NULL)
    g_string_append_printf (text, "## %s\n\n%s\n\n", title, body);
}

/* A Chinese character is as wide as two Latin ones. */
static guint
count_columns (const char *text)
{
  guint n = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    n += g_unichar_iswide (g_utf8_get_char (p)) ? 2 : 1;
  return n;
}

/* Bars of letters, which every reader of Markdown shows; a word has none. The longest is 40 letters. */
static void
append_picture (GString *text, const MemlaneExperimentResult *result, Translate _)
{
  g_autoptr (GPtrArray) rows = memlane_experiment_result_get_picture (result, _);
  guint width = 0;
  double most = 0;

  MEMLANE_FOR_EACH (const MemlanePictureRow, row, rows)
    {
      width = MAX (width, count_columns (row->title));
      if (row->value.kind == MEMLANE_VALUE_TIME)
        most = MAX (most, row->value.median);
    }
  if (rows->len == 0)
    return;
  g_string_append (text, "```\n");
  MEMLANE_FOR_EACH (const MemlanePictureRow, row, rows)
    {
      const char *word = row->value.kind == MEMLANE_VALUE_WORD ? memlane_word_title (row->value.word) : NULL;
      g_autofree char *value = word != NULL ? g_strdup (_ (word)) : memlane_value_to_text (&row->value, FALSE);
      guint length = row->value.kind == MEMLANE_VALUE_TIME && most > 0 ? (guint) (40 * row->value.median / most + 0.5) : 0;

      g_string_append_printf (text, "%s%*s  ", row->title, (int) (width - count_columns (row->title)), "");
      for (guint k = 0; k < length; k++)
        g_string_append (text, row->published ? "░" : "█");
      g_string_append_printf (text, "%s%s\n", length > 0 ? " " : "", value);
    }
  g_string_append (text, "```\n\n");
}

static void
append_checks (GString *text, const MemlaneExperimentResult *result, Translate _)
{
  g_string_append_printf (text, "## %s\n\n", _ (N_ ("Checks")));
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    {
      const char *doubt = check->doubt != MEMLANE_DOUBT_NONE ? _ (memlane_doubt_title (check->doubt)) : "";

      g_string_append_printf (text, "- %s%s%s%s%s **%s**%s%s. ", check->check->claim, check->check->cite != NULL ? " (" : "",
                              check->check->cite != NULL ? check->check->cite : "", check->check->cite != NULL ? ")" : "",
                              check->check->what_if ? _ (N_ (" (SIMULATED)")) : "", _ (memlane_verdict_title (check->verdict)),
                              *doubt != '\0' ? ": " : "", doubt);
      for (guint k = 0; k < check->points->len; k++)
        {
          const MemlaneCheckPoint *point = &g_array_index (check->points, MemlaneCheckPoint, k);
          g_autofree char *said = memlane_check_result_describe (check, k, _);

          if (point->log2_elements > 0)
            g_string_append_printf (text, "%s2^%u: ", k > 0 ? "; " : "", point->log2_elements);
          append_cell (text, said);
        }
      g_string_append_c (text, '\n');
    }
  g_string_append_c (text, '\n');
}

static void
append_figures (GString *text, const MemlaneExperimentResult *result, Translate _)
{
  gboolean is_published = FALSE;

  if (result->figures->len == 0)
    return;
  for (guint i = 0; i < result->figures->len; i++)
    is_published |= ((const MemlaneFigureResult *) result->figures->pdata[i])->figure->published != NULL;
  g_string_append_printf (text, "## %s\n\n| | %s |", _ (N_ ("Figures")), _ (N_ ("Here (95 % interval)")));
  if (is_published)
    g_string_append_printf (text, " %s |",
                            result->experiment->published_on != NULL ? result->experiment->published_on : _ (N_ ("Published")));
  g_string_append_printf (text, "\n|---|---|%s\n", is_published ? "---|" : "");
  MEMLANE_FOR_EACH (const MemlaneFigureResult, figure, result->figures)
    {
      g_autofree char *value = memlane_value_to_text (&figure->value, TRUE);

      g_string_append (text, "| ");
      append_cell (text, figure->figure->title);
      g_string_append (text, " | ");
      if (figure->value.kind == MEMLANE_VALUE_NONE)
        append_cell (text, figure->value.why != NULL ? figure->value.why : _ (memlane_doubt_title (figure->value.doubt)));
      else
        append_cell (text, value);
      if (figure->figure->unit != NULL && figure->value.kind == MEMLANE_VALUE_NUMBER)
        g_string_append_printf (text, " %s", figure->figure->unit);
      g_string_append (text, " |");
      if (is_published)
        g_string_append_printf (text, " %s |", figure->figure->published != NULL ? figure->figure->published : "");
      g_string_append_c (text, '\n');
    }
  g_string_append_c (text, '\n');
}

static void
append_table (GString *text, const MemlaneTableResult *table, Translate _)
{
  char **columns = table->table->columns;

  g_string_append_printf (text, "## %s\n\n| %s |", table->table->title, _ (N_ ("Floats")));
  for (guint i = 0; columns[i] != NULL; i++)
    {
      g_string_append_printf (text, " %s |", memlane_experiment_table_name_column (table->table, i, _));
      if (table->is_published)
        g_string_append_printf (text, " %s |", _ (N_ ("Published")));
    }
  g_string_append (text, "\n|---|");
  for (guint i = 0; columns[i] != NULL; i++)
    g_string_append (text, table->is_published ? "---|---|" : "---|");
  g_string_append_c (text, '\n');
  MEMLANE_FOR_EACH (const MemlaneTableRow, row, table->rows)
    {
      g_string_append_printf (text, "| 2^%u |", row->log2_elements);
      for (guint i = 0; columns[i] != NULL; i++)
        {
          const MemlaneValue there = { .kind = MEMLANE_VALUE_TIME, .median = row->published[i] };
          g_autofree char *value = memlane_value_to_text (&row->values[i], TRUE);
          g_autofree char *published = row->published[i] >= 0 ? memlane_value_to_text (&there, FALSE) : g_strdup ("");

          g_string_append_printf (text, " %s |", value);
          if (table->is_published)
            g_string_append_printf (text, " %s |", published);
        }
      g_string_append_c (text, '\n');
    }
  g_string_append_c (text, '\n');
}

/* A driver's words, or a host's: nothing in them is markup. */
static void
append_outside (GString *text, const char *words)
{
  for (; *words != '\0'; words++)
    {
      if (strchr ("<>&#[]|`*", *words) != NULL)
        g_string_append_c (text, '\\');
      g_string_append_c (text, *words);
    }
}

static void
append_note (GString *text, const char *note)
{
  g_string_append (text, "- ");
  append_outside (text, note);
  g_string_append_c (text, '\n');
}

static void
append_method (GString *text, const MemlaneExperimentResult *result, Translate _)
{
  const MemlaneExperiment *experiment = result->experiment;

  g_string_append_printf (text, "## %s\n\n", _ (N_ ("Method")));
  MEMLANE_FOR_EACH (const MemlaneExperimentStep, step, experiment->steps)
    g_string_append_printf (text, "- `%s` %s%s\n", step->id, step->summary,
                            step->what_if ? _ (N_ (" (on a simulated device of its own)")) : "");
  g_string_append_printf (text, "\n%s\n\n",
                          _ (N_ ("Medians with their 95 % intervals by order statistics; a comparison is decided when the two intervals do "
                                 "not overlap.")));
  for (guint i = 0; i < result->notes->len; i++)
    append_note (text, result->notes->pdata[i]);
  if (result->notes->len > 0)
    g_string_append_c (text, '\n');
  for (guint i = 0; i < result->traces->len; i++)
    {
      g_autofree char *table = memlane_trace_summary_to_text (result->traces->pdata[i]);

      g_string_append_printf (text, "### `%s`\n\n```\n%s%s```\n\n", (const char *) result->trace_steps->pdata[i], table,
                              g_str_has_suffix (table, "\n") ? "" : "\n");
    }
}

/* The claim, its verdict in one sentence, the picture, and why. */
static void
append_answer (GString *text, const MemlaneExperimentResult *result, Translate _)
{
  const MemlaneExperiment *experiment = result->experiment;
  g_autofree char *source = memlane_experiment_describe_source (experiment), *answer = memlane_experiment_result_describe (result, _);
  const char *end = strstr (experiment->explanation, "\n\n");

  g_string_append_printf (text, "# %s\n\n%s\n\n", experiment->title, experiment->question);
  g_string_append_printf (text, "- %s: ", _ (N_ ("Device")));
  append_outside (text, result->machine);
  g_string_append_printf (text, "%s\n- %s: %s\n", result->simulated ? _ (N_ (" (SIMULATED)")) : "", _ (N_ ("Date")), result->date);
  if (source != NULL)
    g_string_append_printf (text, "- %s: %s\n", _ (N_ ("Source")), source);
  g_string_append_printf (text, "\n## %s\n\n> %s\n\n**%s**%s\n\n%s\n\n", _ (N_ ("Claim")), experiment->claim,
                          _ (memlane_verdict_title (result->verdict)),
                          result->cancelled ? _ (N_ (" (the experiment was cut short)")) : "", answer);
  append_picture (text, result, _);
  if (experiment->shows != NULL)
    g_string_append_printf (text, "%s\n\n", experiment->shows);
  g_string_append_len (text, experiment->explanation, end != NULL ? end - experiment->explanation : -1);
  g_string_append (text, "\n\n");
  append_checks (text, result, _);
}

char *
memlane_experiment_result_to_markdown (const MemlaneExperimentResult *result, gboolean brief, MemlaneTextLookup translate)
{
  const MemlaneExperiment *experiment = result->experiment;
  Translate _ = translate != NULL ? translate : memlane_stay_english;
  GString *text = g_string_new (NULL);
  const char *more = strstr (experiment->explanation, "\n\n");

  append_answer (text, result, _);
  if (brief)
    {
      for (guint i = 0; i < result->notes->len; i++)
        append_note (text, result->notes->pdata[i]);
      return g_string_free (text, FALSE);
    }
  append_figures (text, result, _);
  for (guint i = 0; i < result->tables->len; i++)
    append_table (text, result->tables->pdata[i], _);
  if (experiment->published_differs != NULL)
    g_string_append_printf (text, "%s\n\n", experiment->published_differs);
  append_section (text, _ (N_ ("Explanation")), more != NULL ? more + strlen ("\n\n") : NULL);
  append_section (text, _ (N_ ("Since then")), experiment->since);
  append_section (text, _ (N_ ("The bug in the article's program")), experiment->fault);
  append_section (text, _ (N_ ("How to fix it")), experiment->cure);
  append_method (text, result, _);
  g_string_truncate (text, text->len - 1); /* one line break at the end */
  return g_string_free (text, FALSE);
}

gboolean
memlane_experiment_result_write_markdown (const MemlaneExperimentResult *result, const char *(*translate) (const char *text),
                                          const char *path, GError **error)
{
  g_autofree char *text = memlane_experiment_result_to_markdown (result, FALSE, translate);

  return memlane_save_file (path, text, strlen (text), error);
}

/* --- what a recorded H200 said of the same experiment ----------------------------------------------------------------- */

/* data/recordings/experiments/NAME.findings.csv has the recorded verdicts. A file that is missing or of another kind says nothing. Fields:
 * experiment, device, device_kind, step, name, kind, samples, median, two ends of the interval, word, detail; only the detail is quoted. */
enum { STEP = 3, NAME = 4, KIND = 5, WORD = 10, DETAIL = 11, N_FIELDS = 12 };

/* The recorded row on @check. (transfer full); NULL: it was not recorded, or with another premise. */
static char **
find_row (char **lines, const MemlaneExperimentResult *result, const char *check)
{
  MEMLANE_FOR_EACH (const MemlaneCheckResult, each, result->checks)
    for (char **premise = each->check->requires; strcmp (each->check->id, check) == 0 && *premise != NULL; premise++)
      {
        g_auto (GStrv) row = find_row (lines, result, *premise);

        if (row == NULL)
          return NULL;
      }
  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) fields = g_strsplit (*line, ",", N_FIELDS);

      if (g_strv_length (fields) == N_FIELDS && strcmp (fields[KIND], "verdict") == 0 && strcmp (fields[STEP], "check") == 0
          && strcmp (fields[NAME], check) == 0)
        return g_steal_pointer (&fields);
    }
  return NULL;
}

/* Why the simulated @check and the @recorded verdict differ. */
static const char *
explain_difference (const MemlaneCheckResult *check, MemlaneVerdict recorded)
{
  if (check->verdict == MEMLANE_VERDICT_CANNOT_BE_TOLD)
    return "The simulated device cannot show it.";
  if (recorded == MEMLANE_VERDICT_CANNOT_BE_TOLD)
    return "The recorded interval contains both answers; the simulated device has no noise.";
  return "The model differs from the recorded H200 here.";
}

void
memlane_experiment_note_recorded (MemlaneExperimentResult *result)
{
  g_autofree char *relative = g_strdup_printf ("recordings/experiments/%s.findings.csv", result->experiment->name);
  g_autofree char *path = memlane_data_find (relative), *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint compared = 0, alike = 0;
  guint place = result->notes->len;
  gsize length;

  if (!result->simulated || result->cancelled || path == NULL
      || !memlane_small_file_read (path, MEMLANE_JSON_TREE_MOST_BYTES, &text, &length, NULL)
      || !g_utf8_validate (text, (gssize) length, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    {
      g_auto (GStrv) row = check->check->what_if ? NULL : find_row (lines, result, check->check->id);
      MemlaneVerdict recorded;

      if (row == NULL || !memlane_verdict_parse (row[WORD], &recorded))
        continue;
      compared++;
      alike += recorded == check->verdict;
      if (recorded == check->verdict)
        continue;
      g_strstrip (g_strdelimit (row[DETAIL], "\"", ' '));
      g_ptr_array_add (result->notes, g_strdup_printf ("%s The recorded H200: %s%s%s. Simulated: %s. %s", check->check->claim,
                                                       memlane_verdict_title (recorded), *row[DETAIL] != '\0' ? ", " : "", row[DETAIL],
                                                       memlane_verdict_title (check->verdict), explain_difference (check, recorded)));
    }
  if (compared > 0)
    g_ptr_array_insert (result->notes, (int) place,
                        g_strdup_printf ("SIMULATED. A recorded H200 says the same in %u of %u checks.", alike, compared));
}
