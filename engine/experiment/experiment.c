/* read.c: an experiment's file, read strictly: unknown keys, bad values and references to nothing refuse it
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-private.h"

#include <string.h>


/* --- what a group may hold ------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *kind;        /* the group, or its first word */
  gboolean has_id;
  const char *const *keys; /* NULL-terminated */
  const char *const *texts; /* keys that may be translated */
} Group;

#define WORDS(...) ((const char *const[]) { __VA_ARGS__, NULL })
static const char *const none[] = { NULL };

static const Group groups[] = {
  { "Experiment", FALSE, WORDS ("number", "after", "source", "verdict"),
    WORDS ("title", "question", "claim", "published-on", "explanation", "since", "fault", "cure") },
  { "Predict", FALSE, WORDS ("answers", "curve", "sizes"), WORDS ("question", "choices") },
  { "Sweep", TRUE, WORDS ("workload", "modes", "sizes", "reuse", "streams", "chunks", "precision", "cell-seconds"), none },
  { "Trace", TRUE, WORDS ("workload", "mode", "size", "reuse", "streams", "chunks", "repeats", "copy-engines", "in-order-engines"), none },
  { "Lab", TRUE,
    WORDS ("order", "between", "size", "streams", "chunks", "reuse", "pageable", "non-blocking", "priorities", "host-functions", "repeats",
           "copy-engines", "in-order-engines"), none },
  { "Procedure", TRUE, WORDS ("procedure", "size", "bytes", "times", "samples"), none },
  { "Check", TRUE, WORDS ("test"), WORDS ("claim") },
  { "Figure", TRUE, WORDS ("value", "published"), WORDS ("title", "unit") },
  { "Table", TRUE, WORDS ("columns", "sizes", "published"), WORDS ("title") },
};

static const Group *
find_group (const char *name, const char **id)
{
  const char *blank = strchr (name, ' ');
  gsize length = blank != NULL ? (gsize) (blank - name) : strlen (name);

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (strlen (groups[i].kind) == length && strncmp (groups[i].kind, name, length) == 0 && groups[i].has_id == (blank != NULL))
      {
        *id = blank != NULL ? blank + 1 : NULL;
        return &groups[i];
      }
  return NULL;
}

static gboolean
is_id (const char *id)
{
  gsize length = strlen (id);

  return length > 0 && length <= 40 && strspn (id, "abcdefghijklmnopqrstuvwxyz0123456789-") == length && *id != '-';
}

/* "title[zh_CN]": the base, where the rest is a language. */
static char *
split_language (const char *key)
{
  const char *bracket = strchr (key, '[');
  gsize rest;

  if (bracket == NULL)
    return g_strdup (key);
  rest = strspn (bracket + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_@.-0123456789");
  return rest > 0 && strcmp (bracket + 1 + rest, "]") == 0 ? g_strndup (key, (gsize) (bracket - key)) : NULL;
}

static gboolean
check_keys (const MemlaneReader *reader, const char *name, const Group *group, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (reader->file, name, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *base = split_language (keys[i]);
      gboolean is_text = base != NULL && g_strv_contains (group->texts, base);

      if (base == NULL || (!is_text && (strchr (keys[i], '[') != NULL || !g_strv_contains (group->keys, base))))
        {
          g_autofree char *own = g_strjoinv (", ", (char **) group->keys), *texts = g_strjoinv (", ", (char **) group->texts);

          return memlane_reader_refuse (reader, name, keys[i], error, "unknown key, expected one of %s%s%s", texts,
                                        *texts != '\0' ? ", " : "", own);
        }
    }
  return TRUE;
}

static gboolean
check_groups (const MemlaneReader *reader, char **names, GError **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *id = NULL;
      const Group *group = find_group (names[i], &id);

      if (group == NULL)
        return memlane_reader_refuse (reader, names[i], NULL, error,
                                      "unknown group, expected [Experiment], [Predict] or [Sweep ID], [Trace ID], [Lab ID], "
                                      "[Procedure ID], [Check ID], [Figure ID], [Table ID]");
      if (id != NULL && !is_id (id))
        return memlane_reader_refuse (reader, names[i], NULL, error, "expected small letters, digits and dashes as the id, at most 40");
      if (!check_keys (reader, names[i], group, error))
        return FALSE;
    }
  return TRUE;
}

/* --- groups ------------------------------------------------------------------------------------------------------------------ */

static gboolean
read_head (const MemlaneReader *reader, MemlaneExperiment *self, GError **error)
{
  const char *group = "Experiment";

  if (!g_key_file_has_group (reader->file, group))
    {
      g_set_error (error, MEMLANE_EXPERIMENT_ERROR, MEMLANE_EXPERIMENT_ERROR_BAD_FILE, "%s:1: the group [Experiment] is missing",
                   reader->name);
      return FALSE;
    }
  self->after_line = memlane_lines_find (reader->lines, group, "after");
  return memlane_reader_get_number (reader, group, "number", 1, 9999, &self->number, error)
         && memlane_reader_get_list (reader, group, "after", FALSE, &self->after, error)
         && memlane_reader_get_list (reader, group, "verdict", FALSE, &self->verdict, error)
         && memlane_reader_get_text (reader, group, "title", TRUE, &self->title, error)
         && memlane_reader_get (reader, group, "source", FALSE, &self->source, error)
         && memlane_reader_get_text (reader, group, "question", TRUE, &self->question, error)
         && memlane_reader_get_text (reader, group, "claim", TRUE, &self->claim, error)
         && memlane_reader_get_text (reader, group, "published-on", FALSE, &self->published_on, error)
         && memlane_reader_get_text (reader, group, "explanation", TRUE, &self->explanation, error)
         && memlane_reader_get_text (reader, group, "since", FALSE, &self->since, error)
         && memlane_reader_get_text (reader, group, "fault", FALSE, &self->fault, error)
         && memlane_reader_get_text (reader, group, "cure", FALSE, &self->cure, error);
}

/* The same cell twice would be two answers to one question. */
static gboolean
check_cells (const MemlaneReader *reader, const MemlaneExperiment *self, const char *group, const MemlanePlan *plan, GError **error)
{
  for (guint i = 0; i < self->steps->len; i++)
    {
      const MemlaneExperimentStep *other = self->steps->pdata[i];
      const MemlanePlan *there = other->plan->sweep;

      if (other->kind != MEMLANE_STEP_SWEEP || there->workload != plan->workload || there->reuse != plan->reuse
          || there->streams != plan->streams || there->chunks != plan->chunks || there->first_log2 > plan->last_log2
          || there->last_log2 < plan->first_log2)
        continue;
      for (guint k = 0; plan->modes[k] != NULL; k++)
        for (guint m = 0; there->modes[m] != NULL; m++)
          if (plan->modes[k] == there->modes[m])
            return memlane_reader_refuse (reader, group, "modes", error, "%s is measured at these sizes by [Sweep %s] already",
                                          plan->modes[k]->id, other->id);
    }
  return TRUE;
}

static gboolean
read_steps (const MemlaneReader *reader, char **names, MemlaneExperiment *self, GError **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *id = NULL, *kind = find_group (names[i], &id)->kind;
      MemlaneExperimentStep *step;

      for (guint k = 0; k < MEMLANE_N_STEPS; k++)
        {
          if (strcmp (kind, memlane_step_kind_name (k)) != 0)
            continue;
          for (guint s = 0; s < self->steps->len; s++)
            if (strcmp (((MemlaneExperimentStep *) self->steps->pdata[s])->id, id) == 0)
              return memlane_reader_refuse (reader, names[i], NULL, error, "there is a step '%s' already", id);
          step = memlane_reader_read_step (reader, names[i], k, id, error);
          if (step == NULL)
            return FALSE;
          if (k == MEMLANE_STEP_SWEEP && !check_cells (reader, self, names[i], step->plan->sweep, error))
            {
              memlane_experiment_step_free (step);
              return FALSE;
            }
          g_ptr_array_add (self->steps, step);
        }
    }
  return self->steps->len > 0
         || memlane_reader_refuse (reader, "Experiment", NULL, error, "nothing is measured, expected a [Sweep ID], [Trace ID], [Lab ID] or "
                                   "[Procedure ID]");
}

static gboolean
parse_test (const MemlaneReader *reader, const char *group, const char *key, const char *text, const MemlaneExperiment *self,
            gboolean wants_test, MemlaneTest **test, GError **error)
{
  g_autofree char *reason = NULL;

  *test = memlane_test_parse (text, self->steps, wants_test, &reason);
  return *test != NULL || memlane_reader_refuse (reader, group, key, error, "%s", reason);
}

static gboolean
read_check (const MemlaneReader *reader, const char *group, const char *id, MemlaneExperiment *self, GError **error)
{
  MemlaneExperimentCheck *check = g_new0 (MemlaneExperimentCheck, 1);

  g_ptr_array_add (self->checks, check);
  check->id = g_strdup (id);
  check->line = memlane_lines_find (reader->lines, group, NULL);
  return memlane_reader_get_text (reader, group, "claim", TRUE, &check->claim, error)
         && memlane_reader_get (reader, group, "test", TRUE, &check->test, error)
         && parse_test (reader, group, "test", check->test, self, TRUE, &check->parsed, error);
}

static gboolean
read_figure (const MemlaneReader *reader, const char *group, const char *id, MemlaneExperiment *self, GError **error)
{
  MemlaneExperimentFigure *figure = g_new0 (MemlaneExperimentFigure, 1);
  MemlaneValueKind kind;
  double value;

  g_ptr_array_add (self->figures, figure);
  figure->id = g_strdup (id);
  figure->line = memlane_lines_find (reader->lines, group, NULL);
  if (!memlane_reader_get_text (reader, group, "title", TRUE, &figure->title, error)
      || !memlane_reader_get_text (reader, group, "unit", FALSE, &figure->unit, error)
      || !memlane_reader_get (reader, group, "value", TRUE, &figure->value, error)
      || !memlane_reader_get (reader, group, "published", FALSE, &figure->published, error)
      || !parse_test (reader, group, "value", figure->value, self, FALSE, &figure->parsed, error))
    return FALSE;
  if (figure->unit != NULL && figure->parsed->left.kind != MEMLANE_VALUE_NUMBER)
    return memlane_reader_refuse (reader, group, "unit", error, "only a number has a unit of its own");
  if (figure->published != NULL && figure->parsed->left.kind != MEMLANE_VALUE_WORD
      && (!memlane_parse_quantity (figure->published, &kind, &value) || kind != figure->parsed->left.kind))
    return memlane_reader_refuse (reader, group, "published", error, "found '%.80s', expected a %s as the value is", figure->published,
                                  figure->parsed->left.kind == MEMLANE_VALUE_TIME ? "time, such as 5.7688 ms," : "number");
  return TRUE;
}

static gboolean
read_table (const MemlaneReader *reader, const char *group, const char *id, MemlaneExperiment *self, GError **error)
{
  MemlaneExperimentTable *table = g_new0 (MemlaneExperimentTable, 1);

  g_ptr_array_add (self->tables, table);
  table->id = g_strdup (id);
  table->line = memlane_lines_find (reader->lines, group, NULL);
  if (!memlane_reader_get_text (reader, group, "title", TRUE, &table->title, error)
      || !memlane_reader_get_list (reader, group, "columns", TRUE, &table->columns, error)
      || !memlane_reader_get_sizes (reader, group, &table->first_log2, &table->last_log2, error)
      || !memlane_reader_get (reader, group, "published", FALSE, &table->source, error))
    return FALSE;
  table->parsed = g_new0 (MemlaneTest *, g_strv_length (table->columns) + 1);
  for (guint i = 0; table->columns[i] != NULL; i++)
    {
      g_autofree char *reason = NULL;

      table->parsed[i]
        = memlane_test_parse_column (table->columns[i], self->steps, table->first_log2, table->last_log2, &reason);
      if (table->parsed[i] == NULL)
        return memlane_reader_refuse (reader, group, "columns", error, "%s", reason);
    }
  return TRUE;
}

static gboolean
read_judgements (const MemlaneReader *reader, char **names, MemlaneExperiment *self, GError **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *id = NULL, *kind = find_group (names[i], &id)->kind;

      if ((strcmp (kind, "Check") == 0 && !read_check (reader, names[i], id, self, error))
          || (strcmp (kind, "Figure") == 0 && !read_figure (reader, names[i], id, self, error))
          || (strcmp (kind, "Table") == 0 && !read_table (reader, names[i], id, self, error)))
        return FALSE;
      if (self->checks->len > MEMLANE_EXPERIMENT_MOST
          || self->figures->len > MEMLANE_EXPERIMENT_MOST
          || self->tables->len > MEMLANE_EXPERIMENT_MOST)
        return memlane_reader_refuse (reader, names[i], NULL, error, "more than %d of a kind", MEMLANE_EXPERIMENT_MOST);
    }
  return self->checks->len > 0
         || memlane_reader_refuse (reader, "Experiment", NULL, error, "nothing is claimed, expected a [Check ID]");
}

static gboolean
has_check (const MemlaneExperiment *self, const char *id)
{
  for (guint i = 0; i < self->checks->len; i++)
    if (strcmp (((MemlaneExperimentCheck *) self->checks->pdata[i])->id, id) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
check_verdict (const MemlaneReader *reader, MemlaneExperiment *self, GError **error)
{
  if (self->verdict[0] == NULL) /* all of them */
    {
      g_free (self->verdict);
      self->verdict = g_new0 (char *, self->checks->len + 1);
      for (guint i = 0; i < self->checks->len; i++)
        self->verdict[i] = g_strdup (((MemlaneExperimentCheck *) self->checks->pdata[i])->id);
    }
  for (guint i = 0; self->verdict[i] != NULL; i++)
    if (!has_check (self, self->verdict[i]))
      return memlane_reader_refuse (reader, "Experiment", "verdict", error, "there is no [Check %.40s]", self->verdict[i]);
  return TRUE;
}

/* In every language as many choices as in English. */
static gboolean
check_choices (const MemlaneReader *reader, const char *group, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (reader->file, group, NULL, NULL), own = NULL;

  if (!memlane_reader_get_list (reader, group, "choices", TRUE, &own, error))
    return FALSE;
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_auto (GStrv) theirs = NULL;

      if (!g_str_has_prefix (keys[i], "choices["))
        continue;
      if (!memlane_reader_get_list (reader, group, keys[i], TRUE, &theirs, error))
        return FALSE;
      if (g_strv_length (theirs) != g_strv_length (own))
        return memlane_reader_refuse (reader, group, keys[i], error, "found %u choices, expected %u as in English", g_strv_length (theirs),
                                      g_strv_length (own));
    }
  return TRUE;
}

static gboolean
read_prediction (const MemlaneReader *reader, MemlaneExperiment *self, GError **error)
{
  MemlanePrediction *to = &self->prediction;
  const char *group = "Predict";
  g_autofree char *choices = NULL, *reason = NULL;

  if (!g_key_file_has_group (reader->file, group))
    return TRUE;
  if (!memlane_reader_get_text (reader, group, "question", TRUE, &to->question, error)
      || !memlane_reader_get_text (reader, group, "choices", FALSE, &choices, error)
      || !memlane_reader_get (reader, group, "curve", FALSE, &to->curve, error))
    return FALSE;
  if ((choices != NULL) == (to->curve != NULL))
    return memlane_reader_refuse (reader, group, NULL, error, "expected either choices or a curve");
  if (choices == NULL)
    {
      MemlaneTest *test;

      if (g_key_file_has_key (reader->file, group, "answers", NULL))
        return memlane_reader_refuse (reader, group, "answers", error, "a curve has no answers");
      if (!memlane_reader_get_sizes (reader, group, &to->first_log2, &to->last_log2, error))
        return FALSE;
      test = memlane_test_parse_column (to->curve, self->steps, to->first_log2, to->last_log2, &reason);
      if (test == NULL)
        return memlane_reader_refuse (reader, group, "curve", error, "%s", reason);
      memlane_test_free (test);
      to->kind = MEMLANE_PREDICT_CURVE;
      return TRUE;
    }
  if (g_key_file_has_key (reader->file, group, "sizes", NULL))
    return memlane_reader_refuse (reader, group, "sizes", error, "choices have no sizes");
  if (!check_choices (reader, group, error) || !memlane_reader_split_list (reader, group, "choices", choices, &to->choices, error)
      || !memlane_reader_get_list (reader, group, "answers", TRUE, &to->answers, error))
    return FALSE;
  if (g_strv_length (to->choices) != g_strv_length (to->answers) || g_strv_length (to->choices) < 2)
    return memlane_reader_refuse (reader, group, "answers", error, "found %u, expected one for each of the %u choices, and two at least",
                                  g_strv_length (to->answers), g_strv_length (to->choices));
  for (guint i = 0; to->answers[i] != NULL; i++)
    if (!has_check (self, to->answers[i] + (*to->answers[i] == '!')))
      return memlane_reader_refuse (reader, group, "answers", error, "there is no [Check %.40s]", to->answers[i]);
  to->kind = MEMLANE_PREDICT_CHOICE;
  return TRUE;
}

static gboolean
read_all (const MemlaneReader *reader, MemlaneExperiment *self, GError **error)
{
  g_auto (GStrv) names = g_key_file_get_groups (reader->file, NULL);

  return check_groups (reader, names, error) && read_head (reader, self, error) && read_steps (reader, names, self, error)
         && read_judgements (reader, names, self, error) && check_verdict (reader, self, error)
         && read_prediction (reader, self, error);
}

MemlaneExperiment *
memlane_experiment_parse (const char *text, gsize length, const char *name, const char *language, GError **error)
{
  g_autoptr (MemlaneExperiment) self = NULL;
  g_autoptr (MemlaneLines) lines = NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) problem = NULL;
  MemlaneReader reader = { .name = name, .file = file, .language = language };

  if (length > MEMLANE_EXPERIMENT_MAX_BYTES)
    {
      g_set_error (error, MEMLANE_EXPERIMENT_ERROR, MEMLANE_EXPERIMENT_ERROR_BAD_FILE,
                   "%s:1: found %" G_GSIZE_FORMAT " bytes, expected at most %d", name, length, MEMLANE_EXPERIMENT_MAX_BYTES);
      return NULL;
    }
  reader.lines = lines = memlane_lines_new (text, length, name, error);
  if (lines == NULL)
    return NULL;
  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_KEEP_TRANSLATIONS, &problem))
    {
      g_set_error (error, MEMLANE_EXPERIMENT_ERROR, MEMLANE_EXPERIMENT_ERROR_BAD_FILE, "%s:1: %s", name, problem->message);
      return NULL;
    }
  self = memlane_experiment_new ();
  return read_all (&reader, self, error) ? g_steal_pointer (&self) : NULL;
}
