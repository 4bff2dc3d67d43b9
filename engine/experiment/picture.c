/* picture.c: the rows of the picture that answers an experiment: values of this device, and
 * published ones
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment.h"

#include <string.h>

#include "base/each.h"
#include "base/i18n.h"
#include "base/owns.h"
#include "expression.h"
#include "result.h"
#include "mode/mode.h"

static MEMLANE_DEFINE_FREE (MemlanePictureRow, void row_free (gpointer data), OWNS (title, g_free))

static MemlanePictureRow *
add_row (GPtrArray *rows, const char *title, const char *mode, const MemlaneValue *value)
{
  MemlanePictureRow *row = g_new0 (MemlanePictureRow, 1);

  row->title = g_strdup (title);
  row->mode = mode;
  row->value = *value;
  row->verdict = MEMLANE_N_VERDICTS;
  g_ptr_array_add (rows, row);
  return row;
}

/* The mode in "zero-copy:mapped/elapsed@20"; NULL: the reference names none. */
static const char *
find_mode (const char *reference)
{
  const char *colon = strchr (reference, ':'), *begin = colon != NULL ? colon + 1 : reference,
             *slash = strchr (begin, '/');
  g_autofree char *id = slash != NULL ? g_strndup (begin, (gsize) (slash - begin)) : NULL;
  const MemlaneMode *mode = id != NULL ? memlane_mode_find (id) : NULL;

  return mode != NULL ? mode->id : NULL;
}

static void
add_published (GPtrArray *rows, const MemlaneExperimentResult *result, const char *title,
               const char *mode, const MemlaneValue *value, MemlaneTextLookup translate)
{
  const char *hardware = result->experiment->published_on;
  g_autofree char *whole = g_strdup_printf (
      "%s: %s", hardware != NULL ? hardware : translate (N_("Published")), title);

  add_row (rows, whole, mode, value)->published = TRUE;
}

static void
add_figure (GPtrArray *rows, const MemlaneExperimentResult *result,
            const MemlaneFigureResult *figure, MemlaneTextLookup translate)
{
  const char *mode = find_mode (figure->figure->value);
  MemlaneValue published = { .kind = figure->value.kind, .count = 1 };
  MemlaneValueKind found;

  if (figure->value.kind == MEMLANE_VALUE_NONE)
    return;
  add_row (rows, figure->figure->title, mode, &figure->value)->unit = figure->figure->unit;
  /* "5.7688 ms" is one, "an error" is none. */
  if (figure->figure->published == NULL
      || !memlane_parse_quantity (figure->figure->published, &found, &published.median)
      || found != published.kind)
    return;
  published.low = published.high = published.median;
  add_published (rows, result, figure->figure->title, mode, &published, translate);
}

const char *
memlane_experiment_table_name_column (const MemlaneExperimentTable *table, guint column,
                                      MemlaneTextLookup translate)
{
  const char *reference = table->columns[column], *mode = find_mode (reference),
             *colon = strchr (reference, ':');

  if (table->titles[0] != NULL)
    return table->titles[column];
  for (guint i = 0; mode != NULL && table->columns[i] != NULL; i++)
    if (i != column && g_strcmp0 (find_mode (table->columns[i]), mode) == 0)
      return reference;
  return mode != NULL    ? translate (memlane_mode_find (mode)->title)
         : colon != NULL ? colon + 1
                         : reference;
}

/* The largest size that is measured, or @log2_elements unless it is 0: what is published of it
 * follows, in the same order. */
static void
add_table (GPtrArray *rows, const MemlaneExperimentResult *result, const MemlaneTableResult *table,
           guint log2_elements, MemlaneTextLookup translate)
{
  char **columns = table->table->columns;

  for (guint k = table->rows->len; k-- > 0;)
    {
      const MemlaneTableRow *row = table->rows->pdata[k];
      guint before = rows->len;

      if (log2_elements != 0 && row->log2_elements != log2_elements)
        continue;
      for (guint i = 0; columns[i] != NULL; i++)
        if (row->values[i].kind != MEMLANE_VALUE_NONE)
          {
            const char *title = memlane_experiment_table_name_column (table->table, i, translate);
            MemlanePictureRow *added = add_row (rows, title, find_mode (columns[i]),
                                                &row->values[i]);

            added->table = table->table;
            added->log2_elements = row->log2_elements;
          }
      if (rows->len == before)
        continue;
      for (guint i = 0; columns[i] != NULL; i++)
        if (row->published[i] >= 0)
          {
            const MemlaneValue there = { .kind = MEMLANE_VALUE_TIME,
                                         .count = 1,
                                         .median = row->published[i],
                                         .low = row->published[i],
                                         .high = row->published[i] };

            add_published (rows, result,
                           memlane_experiment_table_name_column (table->table, i, translate),
                           find_mode (columns[i]), &there, translate);
          }
      return;
    }
}

/* Adds the finding of a claim, and whether it supports it. */
static void
add_check (GPtrArray *rows, const MemlaneCheckResult *check)
{
  const MemlaneValue *value =
      &g_array_index (check->points, MemlaneCheckPoint, check->points->len - 1).left;

  if (value->kind != MEMLANE_VALUE_NONE)
    add_row (rows, check->check->claim, NULL, value)->verdict = check->verdict;
}

/* A figure or a table ("ID@20": at 2^20) comes before a check of the same id. */
static void
add_named (GPtrArray *rows, const MemlaneExperimentResult *result, const char *reference,
           MemlaneTextLookup translate)
{
  const char *at = strchr (reference, '@');
  guint log2_elements = at != NULL ? (guint) g_ascii_strtoull (at + 1, NULL, 10) : 0;
  g_autofree char *id = at != NULL ? g_strndup (reference, (gsize) (at - reference))
                                   : g_strdup (reference);

  MEMLANE_FOR_EACH (const MemlaneFigureResult, figure, result->figures)
    if (strcmp (figure->figure->id, id) == 0)
      {
        add_figure (rows, result, figure, translate);
        return;
      }
  MEMLANE_FOR_EACH (const MemlaneTableResult, table, result->tables)
    if (strcmp (table->table->id, id) == 0)
      {
        add_table (rows, result, table, log2_elements, translate);
        return;
      }
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    if (strcmp (check->check->id, id) == 0)
      add_check (rows, check);
}

/* @text with the value of each figure in the place of "{ID}"; NULL: one of them has none. */
static char *
fill_in_figures (const MemlaneExperimentResult *result, const char *text,
                 MemlaneTextLookup translate)
{
  g_autoptr (GString) filled = g_string_new (text);

  MEMLANE_FOR_EACH (const MemlaneFigureResult, figure, result->figures)
    {
      g_autofree char *name = g_strdup_printf ("{%s}", figure->figure->id);
      g_autofree char *value = memlane_value_to_text (&figure->value, FALSE,
                                                      memlane_is_drawn (translate));

      if (g_string_replace (filled, name, value, 0) > 0 && figure->value.kind == MEMLANE_VALUE_NONE)
        return NULL;
    }
  return g_string_free (g_steal_pointer (&filled), FALSE);
}

/* The check that decided, or that leaves the verdict open. */
static const MemlaneCheckResult *
find_deciding (const MemlaneExperimentResult *result)
{
  MEMLANE_FOR_EACH (const MemlaneCheckResult, check, result->checks)
    if (check->verdict == result->verdict
        && g_strv_contains ((const char *const *) result->experiment->verdict, check->check->id))
      return check;
  return NULL;
}

char *
memlane_experiment_result_describe (const MemlaneExperimentResult *result,
                                    MemlaneTextLookup translate)
{
  const MemlaneExperiment *experiment = result->experiment;
  const MemlaneCheckResult *check = find_deciding (result);
  const char *text = result->verdict == MEMLANE_VERDICT_HOLDS           ? experiment->supported
                     : result->verdict == MEMLANE_VERDICT_DOES_NOT_HOLD ? experiment->refuted
                                                                        : NULL;
  g_autofree char *filled = NULL, *found = NULL;
  guint last;

  if (text != NULL)
    filled = fill_in_figures (result, text, translate);
  if (result->cancelled)
    return g_strdup (
        translate (N_("The experiment was stopped early. These are its results so far.")));
  if (filled != NULL)
    return g_steal_pointer (&filled);
  if (check == NULL)
    return g_strdup (experiment->claim);
  if (check->doubt != MEMLANE_DOUBT_NONE)
    {
      GString *open = g_string_new (translate (N_("Inconclusive: {doubt}.")));

      g_string_replace (open, "{doubt}", translate (memlane_doubt_title (check->doubt)), 1);
      return g_string_free (open, FALSE);
    }
  for (last = check->points->len - 1; last > 0; last--)
    if (g_array_index (check->points, MemlaneCheckPoint, last).verdict == check->verdict)
      break;
  found = memlane_check_result_describe (check, last, translate);
  return g_strdup_printf ("%s %s.", check->check->claim, found);
}

GPtrArray *
memlane_experiment_result_get_picture (const MemlaneExperimentResult *result,
                                       MemlaneTextLookup translate)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (row_free);

  for (guint i = 0; result->experiment->picture[i] != NULL; i++)
    add_named (rows, result, result->experiment->picture[i], translate);
  MEMLANE_FOR_EACH (const MemlaneFigureResult, figure, result->figures)
    if (result->experiment->picture[0] == NULL && figure->value.kind == MEMLANE_VALUE_TIME)
      add_figure (rows, result, figure, translate);
  if (rows->len < 2 && result->tables->len > 0)
    add_table (rows, result, result->tables->pdata[0], 0, translate);
  if (rows->len == 0)
    for (guint i = 0; result->experiment->verdict[i] != NULL; i++)
      add_named (rows, result, result->experiment->verdict[i], translate);
  return rows;
}
