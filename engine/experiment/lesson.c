/* lesson.c: a lesson, and the file one is read from
 *
 * SPDX-License-Identifier: MIT
 */
#include "lesson.h"

#include <string.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/owns.h"
#include "keys.h"
#include "mode/mode.h"

#define FOLDER "lessons"
#define SUFFIX ".lesson"
#define HEAD "Lesson"
#define ANSWERS "Answers"
#define STEP "Step "

static MEMLANE_DEFINE_FREE (MemlaneLessonStep, void step_free (MemlaneLessonStep *data), OWNS (question, g_free) OWNS (answer, g_free)
                            OWNS (notes, g_free) OWNS (choices, g_strfreev) OWNS (files, g_strfreev) OWNS (modes, g_strfreev)
                            OWNS (hidden, g_strfreev) OWNS (experiment, memlane_experiment_unref))

MEMLANE_DEFINE_FREE (MemlaneLesson, void memlane_lesson_free (MemlaneLesson *data), OWNS (path, g_free) OWNS (title, g_free)
                     OWNS (steps, g_ptr_array_unref))

/* "title" in the reader's language. Each language of the lesson's title is one of this text, too. */
static gboolean
read_text (const MemlaneKeys *reader, const char *group, const char *key, gboolean needed, char **text, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (reader->file, HEAD, NULL, NULL);

  if (!memlane_keys_text (reader, group, key, needed, text, error))
    return FALSE;
  for (guint i = 0; *text != NULL && keys[i] != NULL; i++)
    if (g_str_has_prefix (keys[i], "title["))
      {
        g_autofree char *translated = g_strconcat (key, keys[i] + strlen ("title"), NULL);

        if (!g_key_file_has_key (reader->file, group, translated, NULL))
          return memlane_keys_refuse (reader, group, key, error, "is not translated: expected the key %s as well", translated);
      }
  return TRUE;
}

static gboolean
read_modes (const MemlaneKeys *reader, const char *group, const char *key, char ***modes, GError **error)
{
  if (!memlane_keys_list (reader, group, key, FALSE, modes, error))
    return FALSE;
  for (char **mode = *modes; *mode != NULL; mode++)
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
    const char *name, *place;
    guint most;
  } kinds[MEMLANE_N_LESSON_KINDS] = {
    { "text", NULL, 0 }, { "curves", "recordings/%s.csv", 1 }, { "timeline", "recordings/traces/%s.json", 2 },
    { "map", "recordings/%s.csv", 1 }, { "experiment", NULL, 1 },
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
    return memlane_keys_refuse (reader, group, "shows", error,
                                "unknown step '%.80s', expected text, curves, timeline, map or experiment", words[0]);
  n = g_strv_length (words) - 1;
  if (n > kinds[step->kind].most || n < MIN (kinds[step->kind].most, 1))
    return memlane_keys_refuse (reader, group, "shows", error, "found %u names after %s, expected %s", n, words[0],
                                kinds[step->kind].most == 0 ? "none" : kinds[step->kind].most == 1 ? "one" : "one or two");
  if (step->kind == MEMLANE_LESSON_EXPERIMENT
      && (step->experiment = memlane_experiment_find (words[1], reader->language, &problem)) == NULL)
    return memlane_keys_refuse (reader, group, "shows", error, "%s", problem->message);
  for (guint i = 1; kinds[step->kind].place != NULL && i <= n; i++)
    {
      const char *star = strstr (kinds[step->kind].place, "%s");
      g_autofree char *folder = g_strndup (kinds[step->kind].place, (gsize) (star - kinds[step->kind].place));
      g_autofree char *relative = g_strconcat (folder, words[i], star + strlen ("%s"), NULL), *path = memlane_data_find (relative);

      if (path == NULL || strchr (words[i], '/') != NULL)
        return memlane_keys_refuse (reader, group, "shows", error, "%.80s is missing in the data folders", relative);
      g_strv_builder_add (files, path);
    }
  step->files = g_strv_builder_end (files);
  return TRUE;
}

/* An experiment brings its own choices, and its result tells the right one. */
static gboolean
read_choices (const MemlaneKeys *reader, const char *group, MemlaneLessonStep *step, GError **error)
{
  char **own = step->experiment != NULL ? step->experiment->prediction.choices : NULL;
  g_autofree char *choices = NULL;
  guint right = 0;

  step->right = -1;
  if (!read_text (reader, group, "choices", FALSE, &choices, error)
      || !memlane_keys_number (reader, group, "right", 1, MEMLANE_LESSON_MOST_CHOICES, &right, error))
    return FALSE;
  if (step->experiment != NULL && (choices != NULL || right > 0))
    return memlane_keys_refuse (reader, group, NULL, error, "the choices are those of the experiment");
  if (choices == NULL)
    {
      step->choices = own != NULL ? g_strdupv (own) : g_new0 (char *, 1);
      return right == 0 || memlane_keys_refuse (reader, group, "right", error, "expected choices, too");
    }
  if (!memlane_keys_check_list (reader, group, "choices", error)
      || !memlane_keys_split (reader, group, "choices", choices, &step->choices, error))
    return FALSE;
  step->right = (int) right - 1;
  if (g_strv_length (step->choices) > MEMLANE_LESSON_MOST_CHOICES)
    return memlane_keys_refuse (reader, group, "choices", error, "expected at most %d", MEMLANE_LESSON_MOST_CHOICES);
  return (right > 0 && right <= g_strv_length (step->choices))
         || memlane_keys_refuse (reader, group, "right", error, "expected the number of a choice, 1 to %u", g_strv_length (step->choices));
}

static gboolean
read_step (const MemlaneKeys *reader, const char *group, MemlaneLessonStep *step, GError **error)
{
  static const char *const keys[] = { "shows", "modes", "quantity", "with-question", "draw", "right", NULL };
  static const char *const texts[] = { "question", "choices", "answer", "notes", NULL };
  g_autofree char *quantity = NULL, *before = NULL;

  if (!memlane_keys_check (reader, group, keys, texts, error) || !read_text (reader, group, "question", TRUE, &step->question, error)
      || !read_text (reader, group, "answer", TRUE, &step->answer, error)
      || !read_text (reader, group, "notes", TRUE, &step->notes, error) || !read_shows (reader, group, step, error)
      || !read_choices (reader, group, step, error) || !read_modes (reader, group, "modes", &step->modes, error)
      || !read_modes (reader, group, "draw", &step->hidden, error)
      || !memlane_keys_get (reader, group, "quantity", FALSE, &quantity, error)
      || !memlane_keys_get (reader, group, "with-question", FALSE, &before, error))
    return FALSE;
  if (step->kind != MEMLANE_LESSON_CURVES && (quantity != NULL || step->modes[0] != NULL || step->hidden[0] != NULL))
    return memlane_keys_refuse (reader, group, NULL, error, "only curves have modes, draw and quantity");
  if (quantity != NULL && strcmp (quantity, "time") != 0 && strcmp (quantity, "bandwidth") != 0)
    return memlane_keys_refuse (reader, group, "quantity", error, "found '%.80s', expected time or bandwidth", quantity);
  if (before != NULL && strcmp (before, "true") != 0 && strcmp (before, "false") != 0)
    return memlane_keys_refuse (reader, group, "with-question", error, "found '%.80s', expected true or false", before);
  step->is_time = g_strcmp0 (quantity, "time") == 0;
  step->before = step->hidden[0] != NULL || g_strcmp0 (before, "true") == 0;
  return TRUE;
}

static gboolean
read_all (const MemlaneKeys *reader, MemlaneLesson *self, GError **error)
{
  static const char *const keys[] = { "number", NULL }, *const texts[] = { "title", NULL };
  g_auto (GStrv) groups = g_key_file_get_groups (reader->file, NULL);

  if (!g_key_file_has_group (reader->file, HEAD))
    return memlane_keys_refuse (reader, HEAD, NULL, error, "the group is missing");
  if (!memlane_keys_check (reader, HEAD, keys, texts, error) || !memlane_keys_text (reader, HEAD, "title", TRUE, &self->title, error)
      || !memlane_keys_number (reader, HEAD, "number", 1, 9999, &self->number, error))
    return FALSE;
  for (char **group = groups; *group != NULL; group++)
    {
      MemlaneLessonStep *step;

      if (strcmp (*group, HEAD) == 0)
        continue;
      if (!g_str_has_prefix (*group, STEP) || self->steps->len == MEMLANE_KEYS_MOST)
        return memlane_keys_refuse (reader, *group, NULL, error, "expected [Lesson] or one of at most %d [Step NAME]", MEMLANE_KEYS_MOST);
      g_ptr_array_add (self->steps, step = g_new0 (MemlaneLessonStep, 1));
      if (!read_step (reader, *group, step, error))
        return FALSE;
    }
  return self->steps->len > 0 || memlane_keys_refuse (reader, HEAD, NULL, error, "there is no step, expected a [Step NAME]");
}

MemlaneLesson *
memlane_lesson_parse (const char *text, gsize length, const char *name, const char *language, GError **error)
{
  g_auto (MemlaneKeys) reader = { 0 };
  g_autoptr (MemlaneLesson) self = g_new0 (MemlaneLesson, 1);

  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) step_free);
  self->path = g_strdup (name);
  return memlane_keys_open (&reader, text, length, name, HEAD, language, error) && read_all (&reader, self, error)
           ? g_steal_pointer (&self)
           : NULL;
}

/* --- answers ---------------------------------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_FREE (MemlaneLessonAnswers, void memlane_lesson_answers_free (MemlaneLessonAnswers *data), OWNS (id, g_free)
                     OWNS (steps, g_free))

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
read_curve (const MemlaneKeys *reader, const char *group, MemlaneLessonAnswer *answer, GError **error)
{
  g_auto (GStrv) places = NULL;

  if (!memlane_keys_list (reader, group, "curve", FALSE, &places, error))
    return FALSE;
  for (char **place = places; *place != NULL; place++)
    {
      char *end, *last;
      guint64 size = g_ascii_strtoull (*place, &end, 10);
      double value = g_ascii_strtod (end, &last);

      if (!g_ascii_isdigit (**place) || size >= MEMLANE_LESSON_SIZES || *end != ' ' || *last != '\0' || !(value > 0 && value < 1e18))
        return memlane_keys_refuse (reader, group, "curve", error, "found '%.80s', expected a size from 0 to %d and a value above 0",
                                    *place, MEMLANE_LESSON_SIZES - 1);
      answer->curve[size] = value;
    }
  return TRUE;
}

static gboolean
read_answers (const MemlaneKeys *reader, const MemlaneLesson *lesson, MemlaneLessonAnswers *self, GError **error)
{
  static const char *const head[] = { "lesson", "id", NULL }, *const keys[] = { "curve", "choice", NULL }, *const texts[] = { NULL };
  static const char *const curve[] = { "curve", NULL };
  g_auto (GStrv) groups = g_key_file_get_groups (reader->file, NULL);
  g_autofree char *name = NULL, *own = memlane_lesson_get_name (lesson);

  if (!g_key_file_has_group (reader->file, ANSWERS))
    return memlane_keys_refuse (reader, ANSWERS, NULL, error, "the group is missing: these are no answers that a page handed in");
  if (!memlane_keys_check (reader, ANSWERS, head, texts, error) || !memlane_keys_get (reader, ANSWERS, "lesson", TRUE, &name, error)
      || !memlane_keys_get (reader, ANSWERS, "id", TRUE, &self->id, error))
    return FALSE;
  if (strcmp (name, own) != 0)
    return memlane_keys_refuse (reader, ANSWERS, "lesson", error, "found '%.80s', expected %s, the lesson that is given", name, own);
  for (char **group = groups; *group != NULL; group++)
    {
      guint64 number;
      const MemlaneLessonStep *step;

      if (strcmp (*group, ANSWERS) == 0)
        continue;
      if (!g_str_has_prefix (*group, STEP)
          || !g_ascii_string_to_unsigned (*group + strlen (STEP), 10, 1, lesson->steps->len, &number, NULL))
        return memlane_keys_refuse (reader, *group, NULL, error, "expected [%s1] to [%s%u]", STEP, STEP, lesson->steps->len);
      step = lesson->steps->pdata[number - 1];
      if (!memlane_keys_check (reader, *group, step->choices[0] != NULL ? keys : curve, texts, error)
          || !memlane_keys_number (reader, *group, "choice", 1, MAX (g_strv_length (step->choices), 1), &self->steps[number - 1].choice,
                                   error)
          || !read_curve (reader, *group, &self->steps[number - 1], error))
        return FALSE;
    }
  return TRUE;
}

MemlaneLessonAnswers *
memlane_lesson_answers_parse (const MemlaneLesson *lesson, const char *text, gsize length, const char *name, GError **error)
{
  g_auto (MemlaneKeys) reader = { 0 };
  g_autoptr (MemlaneLessonAnswers) self = g_new0 (MemlaneLessonAnswers, 1);

  self->steps = g_new0 (MemlaneLessonAnswer, lesson->steps->len);
  return memlane_keys_open (&reader, text, length, name, ANSWERS, "C", error) && read_answers (&reader, lesson, self, error)
           ? g_steal_pointer (&self)
           : NULL;
}

gboolean
memlane_lesson_add_answers (const MemlaneLesson *lesson, GPtrArray *all, const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (MemlaneLessonAnswers) answers = NULL;
  gsize length;

  if (!memlane_keys_read (path, &text, &length, error)
      || (answers = memlane_lesson_answers_parse (lesson, text, length, path, error)) == NULL)
    return FALSE;
  MEMLANE_FOR_EACH (const MemlaneLessonAnswers, other, all)
    if (strcmp (other->id, answers->id) == 0)
      return memlane_fail (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s: these answers are counted already", path);
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

/* --- files ------------------------------------------------------------------------------------------------------------------ */

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

  return memlane_keys_read (path, &text, &length, error) ? memlane_lesson_parse (text, length, path, language, error) : NULL;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const MemlaneLesson *one = *(const MemlaneLesson *const *) a, *other = *(const MemlaneLesson *const *) b;
  guint first = one->number - 1, second = other->number - 1; /* those without a number come last */

  return first != second ? (first > second) - (first < second) : strcmp (one->path, other->path);
}

GPtrArray *
memlane_lesson_list (const char *language, GPtrArray **problems)
{
  g_autoptr (GPtrArray) paths = memlane_data_list_files (FOLDER, SUFFIX);
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_lesson_free);

  *problems = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (GError) error = NULL;
      MemlaneLesson *lesson = memlane_lesson_read (paths->pdata[i], language, &error);

      if (lesson != NULL)
        g_ptr_array_add (list, lesson);
      else
        g_ptr_array_add (*problems, g_strdup (error->message));
    }
  g_ptr_array_sort (list, compare);
  return list;
}
