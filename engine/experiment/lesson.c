/* lesson.c: a lesson, and the file one is read from
 *
 * SPDX-License-Identifier: MIT
 */
#include "lesson.h"

#include <string.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/keys.h"
#include "base/owns.h"
#include "mode/mode.h"

#define FOLDER "lessons"
#define SUFFIX ".lesson"
#define HEAD "Lesson"
#define ANSWERS "Answers"
#define STEP "Step "

static MEMLANE_DEFINE_FREE (MemlaneLessonStep, void step_free (MemlaneLessonStep *data),
                            OWNS (question, g_free) OWNS (answer, g_free) OWNS (notes, g_free)
                                OWNS (choices, g_strfreev) OWNS (files, g_strfreev)
                                    OWNS (modes, g_strfreev) OWNS (hidden, g_strfreev)
                                        OWNS (experiment, memlane_experiment_unref))

MEMLANE_DEFINE_FREE (MemlaneLesson, void memlane_lesson_free (MemlaneLesson *data),
                     OWNS (path, g_free) OWNS (title, g_free)
                         OWNS (steps, g_ptr_array_unref))

static gboolean
check_modes (const MemlaneKeys *reader, const char *group, const char *key, char **modes,
             GError **error)
{
  for (char **mode = modes; *mode != NULL; mode++)
    if (memlane_mode_find (*mode) == NULL)
      return memlane_keys_refuse (reader, group, key, error, "unknown mode '%.80s'", *mode);
  return TRUE;
}

/* "timeline h200-pageable-2p20 h200-pinned-2p20" */
static gboolean
read_shows (const MemlaneKeys *reader, const char *group, MemlaneLessonStep *step, GError **error)
{
  static const struct
  {
    const char *name, *folder, *suffix;
    guint most;
  } kinds[MEMLANE_N_LESSON_KINDS] = {
    { "text", NULL, NULL, 0 },
    { "curves", "recordings/", ".csv", 1 },
    { "timeline", "recordings/traces/", ".json", 2 },
    { "map", "recordings/", ".csv", 1 },
    { "experiment", NULL, NULL, 1 },
  };
  g_autofree char *text = NULL;
  g_auto (GStrv) words = NULL;
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();
  g_autoptr (GError) problem = NULL;
  guint n;

  if (!memlane_keys_get (reader, group, "shows", TRUE, &text, error))
    return FALSE;
  words = g_strsplit (text, " ", -1);
  while (step->kind < MEMLANE_N_LESSON_KINDS && strcmp (words[0], kinds[step->kind].name) != 0)
    step->kind++;
  if (step->kind == MEMLANE_N_LESSON_KINDS)
    return memlane_keys_refuse (
        reader, group, "shows", error,
        "unknown step '%.80s', expected text, curves, timeline, map or experiment", words[0]);
  n = g_strv_length (words) - 1;
  if (n > kinds[step->kind].most || n < MIN (kinds[step->kind].most, 1))
    return memlane_keys_refuse (reader, group, "shows", error,
                                "found %u names after %s, expected %s", n, words[0],
                                kinds[step->kind].most == 0   ? "none"
                                : kinds[step->kind].most == 1 ? "one"
                                                              : "one or two");
  if (step->kind == MEMLANE_LESSON_EXPERIMENT
      && (step->experiment = memlane_experiment_find (words[1], reader->language, &problem))
             == NULL)
    return memlane_keys_refuse (reader, group, "shows", error, "%s", problem->message);
  for (guint i = 1; kinds[step->kind].folder != NULL && i <= n; i++)
    {
      g_autofree char *relative = g_strconcat (kinds[step->kind].folder, words[i],
                                               kinds[step->kind].suffix, NULL),
                      *path = memlane_data_find (relative);

      if (path == NULL || strchr (words[i], '/') != NULL)
        return memlane_keys_refuse (
            reader, group, "shows", error,
            "%.80s is missing in the data folders; the package memlane-data has it", relative);
      g_strv_builder_add (files, path);
    }
  step->files = g_strv_builder_end (files);
  return TRUE;
}

/* An experiment brings its own choices, and its result tells the right one. */
static gboolean
check_choices (const MemlaneKeys *reader, const char *group, guint right, MemlaneLessonStep *step,
               GError **error)
{
  guint n = g_strv_length (step->choices);

  step->right = (int) right - 1;
  if (step->experiment != NULL && (n > 0 || right > 0))
    return memlane_keys_refuse (reader, group, NULL, error,
                                "the choices are those of the experiment");
  if (step->experiment != NULL && step->experiment->prediction.choices != NULL)
    {
      g_strfreev (step->choices);
      step->choices = g_strdupv (step->experiment->prediction.choices);
      return TRUE;
    }
  if (n == 0)
    return right == 0
           || memlane_keys_refuse (reader, group, "right", error, "expected choices, too");
  if (n > MEMLANE_LESSON_MOST_CHOICES)
    return memlane_keys_refuse (reader, group, "choices", error, "expected at most %d",
                                MEMLANE_LESSON_MOST_CHOICES);
  return (right > 0 && right <= n)
         || memlane_keys_refuse (reader, group, "right", error,
                                 "expected the number of a choice, 1 to %u", n);
}

#define KEY(field, key, kind, ...)                                                                 \
  { key, MEMLANE_KEY_##kind, G_STRUCT_OFFSET (MemlaneLessonStep, field), __VA_ARGS__ }
static const MemlaneKey step_keys[] = {
  KEY (question, "question", TEXT, TRUE),
  KEY (choices, "choices", TEXTS),
  KEY (answer, "answer", TEXT, TRUE),
  KEY (notes, "notes", TEXT, TRUE),
  { "shows", MEMLANE_KEY_ELSEWHERE },
  KEY (modes, "modes", LIST),
  { "quantity", MEMLANE_KEY_ELSEWHERE },
  KEY (before, "with-question", FLAG),
  KEY (hidden, "draw", LIST),
  { "right", MEMLANE_KEY_ELSEWHERE },
  { NULL },
};

static gboolean
read_step (const MemlaneKeys *reader, const char *group, MemlaneLessonStep *step, GError **error)
{
  g_autofree char *quantity = NULL;
  guint right = 0;

  if (!memlane_keys_check (reader, group, step_keys, error)
      || !memlane_keys_fill (reader, group, step_keys, step, error)
      || !read_shows (reader, group, step, error)
      || !memlane_keys_number (reader, group, "right", 1, MEMLANE_LESSON_MOST_CHOICES, &right,
                               error)
      || !check_choices (reader, group, right, step, error)
      || !check_modes (reader, group, "modes", step->modes, error)
      || !check_modes (reader, group, "draw", step->hidden, error)
      || !memlane_keys_get (reader, group, "quantity", FALSE, &quantity, error))
    return FALSE;
  if (step->kind != MEMLANE_LESSON_CURVES
      && (quantity != NULL || step->modes[0] != NULL || step->hidden[0] != NULL))
    return memlane_keys_refuse (reader, group, NULL, error,
                                "only curves have modes, draw and quantity");
  if (quantity != NULL && strcmp (quantity, "time") != 0 && strcmp (quantity, "bandwidth") != 0)
    return memlane_keys_refuse (reader, group, "quantity", error,
                                "found '%.80s', expected time or bandwidth", quantity);
  step->is_time = g_strcmp0 (quantity, "time") == 0;
  step->before = step->before || step->hidden[0] != NULL;
  return TRUE;
}

static gboolean
read_all (const MemlaneKeys *reader, MemlaneLesson *self, GError **error)
{
  static const MemlaneKey keys[] = {
    { "title", MEMLANE_KEY_TEXT, G_STRUCT_OFFSET (MemlaneLesson, title), TRUE },
    { "number", MEMLANE_KEY_NUMBER, G_STRUCT_OFFSET (MemlaneLesson, number), FALSE, 1, 9999 },
    { NULL },
  };
  g_auto (GStrv) groups = g_key_file_get_groups (reader->file, NULL);

  if (!g_key_file_has_group (reader->file, HEAD))
    return memlane_keys_refuse (reader, HEAD, NULL, error, "the group is missing");
  if (!memlane_keys_check (reader, HEAD, keys, error)
      || !memlane_keys_fill (reader, HEAD, keys, self, error))
    return FALSE;
  for (char **group = groups; *group != NULL; group++)
    {
      MemlaneLessonStep *step;

      if (strcmp (*group, HEAD) == 0)
        continue;
      if (!g_str_has_prefix (*group, STEP) || self->steps->len == MEMLANE_KEYS_MOST)
        return memlane_keys_refuse (reader, *group, NULL, error,
                                    "expected [Lesson] or one of at most %d [Step NAME]",
                                    MEMLANE_KEYS_MOST);
      g_ptr_array_add (self->steps, step = g_new0 (MemlaneLessonStep, 1));
      if (!read_step (reader, *group, step, error))
        return FALSE;
    }
  return self->steps->len > 0
         || memlane_keys_refuse (reader, HEAD, NULL, error,
                                 "there is no step, expected a [Step NAME]");
}

MemlaneLesson *
memlane_lesson_parse (const char *text, gsize length, const char *name, const char *language,
                      GError **error)
{
  g_auto (MemlaneKeys) reader = { 0 };
  g_autoptr (MemlaneLesson) self = g_new0 (MemlaneLesson, 1);

  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) step_free);
  self->path = g_strdup (name);
  if (!memlane_keys_open (&reader, text, length, name, HEAD, language, error))
    return NULL;
  reader.all_translated = TRUE;
  return read_all (&reader, self, error) ? g_steal_pointer (&self) : NULL;
}

/* --- answers ---------------------------------------------------------------------------------- */

MEMLANE_DEFINE_FREE (MemlaneLessonAnswers,
                     void memlane_lesson_answers_free (MemlaneLessonAnswers *data),
                     OWNS (id, g_free) OWNS (steps, g_free))

char *
memlane_lesson_get_name (const MemlaneLesson *lesson)
{
  char *name = g_path_get_basename (lesson->path);

  if (memlane_lesson_is_lesson (name))
    name[strlen (name) - strlen (SUFFIX)] = '\0';
  return name;
}

/* "10 7993.5;11 8123": sizes and values */
static gboolean
read_curve (const MemlaneKeys *reader, const char *group, MemlaneLessonAnswer *answer,
            GError **error)
{
  static const MemlaneKey keys[] = { { "curve", MEMLANE_KEY_LIST, 0 }, { NULL } };
  g_auto (GStrv) places = NULL;

  if (!memlane_keys_fill (reader, group, keys, &places, error))
    return FALSE;
  for (char **place = places; *place != NULL; place++)
    {
      char *end, *last;
      guint64 size = g_ascii_strtoull (*place, &end, 10);
      double value = g_ascii_strtod (end, &last);

      if (!g_ascii_isdigit (**place) || size >= MEMLANE_LESSON_SIZES || *end != ' ' || *last != '\0'
          || !(value > 0 && value < 1e18))
        return memlane_keys_refuse (
            reader, group, "curve", error,
            "found '%.80s', expected a size from 0 to %d and a value above 0", *place,
            MEMLANE_LESSON_SIZES - 1);
      answer->curve[size] = value;
    }
  return TRUE;
}

static gboolean
read_answers (const MemlaneKeys *reader, const MemlaneLesson *lesson, MemlaneLessonAnswers *self,
              GError **error)
{
  static const MemlaneKey head[] = {
    { "lesson", MEMLANE_KEY_ELSEWHERE },
    { "id", MEMLANE_KEY_VALUE, G_STRUCT_OFFSET (MemlaneLessonAnswers, id), TRUE },
    { NULL },
  };
  static const MemlaneKey keys[] = { { "curve", MEMLANE_KEY_ELSEWHERE },
                                     { "choice", MEMLANE_KEY_ELSEWHERE },
                                     { NULL } };
  static const MemlaneKey curve[] = { { "curve", MEMLANE_KEY_ELSEWHERE }, { NULL } };
  g_auto (GStrv) groups = g_key_file_get_groups (reader->file, NULL);
  g_autofree char *name = NULL, *own = memlane_lesson_get_name (lesson);

  if (!g_key_file_has_group (reader->file, ANSWERS))
    return memlane_keys_refuse (reader, ANSWERS, NULL, error,
                                "the group is missing: these are no answers that a page handed in");
  if (!memlane_keys_check (reader, ANSWERS, head, error)
      || !memlane_keys_get (reader, ANSWERS, "lesson", TRUE, &name, error)
      || !memlane_keys_fill (reader, ANSWERS, head, self, error))
    return FALSE;
  if (strcmp (name, own) != 0)
    return memlane_keys_refuse (reader, ANSWERS, "lesson", error,
                                "found '%.80s', expected %s, the lesson that is given", name, own);
  for (char **group = groups; *group != NULL; group++)
    {
      guint64 number;
      const MemlaneLessonStep *step;

      if (strcmp (*group, ANSWERS) == 0)
        continue;
      if (!g_str_has_prefix (*group, STEP)
          || !g_ascii_string_to_unsigned (*group + strlen (STEP), 10, 1, lesson->steps->len,
                                          &number, NULL))
        return memlane_keys_refuse (reader, *group, NULL, error, "expected [%s1] to [%s%u]", STEP,
                                    STEP, lesson->steps->len);
      step = lesson->steps->pdata[number - 1];
      if (!memlane_keys_check (reader, *group, step->choices[0] != NULL ? keys : curve, error)
          || !memlane_keys_number (reader, *group, "choice", 1,
                                   MAX (g_strv_length (step->choices), 1),
                                   &self->steps[number - 1].choice, error)
          || !read_curve (reader, *group, &self->steps[number - 1], error))
        return FALSE;
    }
  return TRUE;
}

MemlaneLessonAnswers *
memlane_lesson_answers_parse (const MemlaneLesson *lesson, const char *text, gsize length,
                              const char *name, GError **error)
{
  g_auto (MemlaneKeys) reader = { 0 };
  g_autoptr (MemlaneLessonAnswers) self = g_new0 (MemlaneLessonAnswers, 1);

  self->steps = g_new0 (MemlaneLessonAnswer, lesson->steps->len);
  return memlane_keys_open (&reader, text, length, name, ANSWERS, "C", error)
                 && read_answers (&reader, lesson, self, error)
             ? g_steal_pointer (&self)
             : NULL;
}

gboolean
memlane_lesson_add_answers (const MemlaneLesson *lesson, GPtrArray *all, const char *path,
                            GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (MemlaneLessonAnswers) answers = NULL;
  gsize length;

  if (!memlane_keys_read (path, &text, &length, error)
      || (answers = memlane_lesson_answers_parse (lesson, text, length, path, error)) == NULL)
    return FALSE;
  MEMLANE_FOR_EACH (const MemlaneLessonAnswers, other, all)
    if (strcmp (other->id, answers->id) == 0)
      return memlane_refuse (error, "%s: these answers are counted already", path);
  g_ptr_array_add (all, g_steal_pointer (&answers));
  return TRUE;
}

guint
memlane_lesson_count_answers (const GPtrArray *answers, guint number, guint choice)
{
  guint n = 0;

  MEMLANE_FOR_EACH (const MemlaneLessonAnswers, each, answers)
    n += each->steps[number].choice == choice + 1;
  return n;
}

/* --- files ------------------------------------------------------------------------------------ */

gboolean
memlane_lesson_is_lesson (const char *path)
{
  return g_str_has_suffix (path, SUFFIX);
}

gboolean
memlane_lesson_is_answers (const char *path)
{
  return g_str_has_suffix (path, ".answers");
}

MemlaneLesson *
memlane_lesson_read (const char *path, const char *language, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  return memlane_keys_read (path, &text, &length, error)
             ? memlane_lesson_parse (text, length, path, language, error)
             : NULL;
}

/* Those without a number (0) come last. */
MEMLANE_DEFINE_ORDER_OF_POINTERS (compare, MemlaneLesson,
                                  RISING (number - 1) return strcmp (one->path,
                                                                     other->path);)

MEMLANE_DEFINE_LIST (memlane_lesson_list, MemlaneLesson, memlane_lesson_read, memlane_lesson_free,
                     memlane_data_list_files (FOLDER, SUFFIX), compare)
