/* write-csv.c: a result's cells and findings as CSV
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-private.h"

#include <string.h>

#include "result/csv.h"
#include "base/save.h"

#define COLUMNS "experiment,device,device_kind,step,name,kind,samples,median,ci95_low,ci95_high,word,detail\n"

gboolean
memlane_experiment_result_write_csv (const MemlaneExperimentResult *result, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (MemlaneSave) save = NULL, environment = NULL;
  g_autofree char *environment_path = NULL;

  if (result->runs->len == 0)
    {
      g_set_error (error, MEMLANE_EXPERIMENT_ERROR, MEMLANE_EXPERIMENT_ERROR_IO, "cannot write %s: no cells were measured", path);
      return FALSE;
    }
  memlane_csv_append_header (text);
  for (guint i = 0; i < result->runs->len; i++)
    {
      const MemlaneRun *run = result->runs->pdata[i];

      for (guint k = 0; k < run->cells->len; k++)
        memlane_csv_append_cell (text, run, run->cells->pdata[k]);
    }
  save = memlane_save_prepare (path, text->str, text->len, error);
  if (save == NULL)
    return FALSE;
  if (result->environment != NULL && !memlane_save_is_stream (path))
    {
      environment_path = memlane_csv_environment_path (path);
      environment = memlane_save_prepare (environment_path, result->environment, strlen (result->environment), error);
      if (environment == NULL || !memlane_save_commit (environment, error))
        return FALSE;
    }
  return memlane_save_commit (save, error);
}

void
memlane_append_csv (GString *text, const char *cell)
{
  if (cell == NULL)
    return;
  if (strpbrk (cell, ",\"\r\n") == NULL)
    {
      g_string_append (text, cell);
      return;
    }
  g_string_append_c (text, '"');
  for (; *cell != '\0'; cell++)
    {
      if (*cell == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *cell);
    }
  g_string_append_c (text, '"');
}

static void
append_number (GString *text, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (text, ',');
  g_string_append (text, g_ascii_dtostr (digits, sizeof digits, number));
}

static void
append_row (GString *text, const MemlaneExperimentResult *result, const char *step, const char *name, const char *kind,
            const MemlaneValue *value, const char *word, const char *detail)
{
  const char *const front[] = { result->experiment->name, result->device, result->device_kind, step, name, kind };

  for (guint i = 0; i < G_N_ELEMENTS (front); i++)
    {
      if (i > 0)
        g_string_append_c (text, ',');
      memlane_append_csv (text, front[i]);
    }
  if (value != NULL && (value->kind == MEMLANE_VALUE_TIME || value->kind == MEMLANE_VALUE_NUMBER))
    {
      g_string_append_printf (text, ",%u", value->count);
      append_number (text, value->median);
      append_number (text, value->low);
      append_number (text, value->high);
    }
  else
    g_string_append (text, ",,,,");
  g_string_append_c (text, ',');
  memlane_append_csv (text, word);
  g_string_append_c (text, ',');
  memlane_append_csv (text, detail);
  g_string_append_c (text, '\n');
}

gboolean
memlane_experiment_result_write_findings (const MemlaneExperimentResult *result, const char *path, GError **error)
{
  static const char *const kinds[] = { "none", "ns", "number", "word" };
  g_autoptr (GString) text = g_string_new (COLUMNS);
  g_autoptr (MemlaneSave) save = NULL;

  for (guint i = 0; i < result->findings->len; i++)
    {
      const MemlaneExperimentFinding *finding = result->findings->pdata[i];
      const MemlaneValue *value = &finding->value;

      append_row (text, result, finding->step, finding->name, kinds[value->kind], value, value->word,
                  value->kind != MEMLANE_VALUE_NONE ? NULL : value->why != NULL ? value->why : memlane_doubt_title (value->doubt));
    }
  for (guint i = 0; i < result->checks->len; i++)
    {
      const MemlaneCheckResult *check = result->checks->pdata[i];

      append_row (text, result, "check", check->check->id, "verdict", NULL, memlane_verdict_name (check->verdict), check->words);
    }
  append_row (text, result, "", "", "verdict", NULL, memlane_verdict_name (result->verdict), result->experiment->claim);
  save = memlane_save_prepare (path, text->str, text->len, error);
  return save != NULL && memlane_save_commit (save, error);
}
