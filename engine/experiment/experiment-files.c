/* experiment-files.c: where experiments are found, and reading one of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data-file.h"

#define SUFFIX ".experiment"

G_DEFINE_QUARK (memlane-experiment-error-quark, memlane_experiment_error)

static gboolean
fail_io (const char *path, GError **error)
{
  g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot read %s: %s", path, g_strerror (errno));
  return FALSE;
}

/* At most one byte more than is allowed: a file may be as long as it likes, or never end. */
static gboolean
read_text (const char *path, GString *text, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  gssize got = 1;

  if (fd < 0)
    return fail_io (path, error);
  if (fstat (fd, &status) == 0 && !S_ISREG (status.st_mode))
    {
      close (fd);
      errno = S_ISDIR (status.st_mode) ? EISDIR : EINVAL;
      return fail_io (path, error);
    }
  while (text->len <= MEMLANE_EXPERIMENT_MAX_BYTES && got != 0)
    {
      char block[8192];

      got = read (fd, block, sizeof block);
      if (got < 0 && errno != EINTR)
        {
          close (fd);
          return fail_io (path, error);
        }
      if (got > 0)
        g_string_append_len (text, block, got);
    }
  close (fd);
  if (text->len <= MEMLANE_EXPERIMENT_MAX_BYTES)
    return TRUE;
  g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD,
               "%s:1: found %" G_GINT64_FORMAT " bytes, expected at most %d", path, (gint64) status.st_size, MEMLANE_EXPERIMENT_MAX_BYTES);
  return FALSE;
}

static MemlaneExperiment *
read_alone (const char *path, const char *language, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *base = g_path_get_basename (path);
  MemlaneExperiment *self;

  if (!read_text (path, text, error))
    return NULL;
  self = memlane_experiment_parse (text->str, text->len, path, language, error);
  if (self == NULL)
    return NULL;
  self->path = g_strdup (path);
  self->name = g_str_has_suffix (base, SUFFIX) ? g_strndup (base, strlen (base) - strlen (SUFFIX)) : g_strdup (base);
  return self;
}

/* Beside @beside, else among the data folders; (nullable). */
static char *
find_file (const char *name, const char *beside)
{
  g_autofree char *file = g_strconcat (name, SUFFIX, NULL), *relative = g_build_filename ("experiments", file, NULL);

  if (strchr (name, '/') != NULL)
    return NULL;
  if (beside != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (beside), *path = g_build_filename (folder, file, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return memlane_data_find (relative);
}

/* Follows "after" from @self on. @chain: the names on the way, the last one @self's; @sound: names that lead to no circle. */
static gboolean
check_after (const MemlaneExperiment *self, const MemlaneExperiment *first, GPtrArray *chain, GHashTable *sound, GError **error)
{
  g_ptr_array_add (chain, self->name);
  for (guint i = 0; self->after[i] != NULL; i++)
    {
      g_autofree char *path = find_file (self->after[i], self->path);
      g_autoptr (MemlaneExperiment) before = NULL;
      g_autoptr (GError) problem = NULL;

      if (g_hash_table_contains (sound, self->after[i]))
        continue;
      for (guint k = 0; k < chain->len; k++)
        if (strcmp (chain->pdata[k], self->after[i]) == 0)
          {
            g_autofree char *way = NULL;

            g_ptr_array_add (chain, NULL);
            way = g_strjoinv (" after ", (char **) chain->pdata + k);
            g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD,
                         "%s:%u: [Experiment] after: %s after %s: expected no circle", first->path, first->after_line, way, self->after[i]);
            return FALSE;
          }
      if (path != NULL)
        before = read_alone (path, "C", &problem);
      if (before == NULL)
        {
          g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s:%u: [Experiment] after: %s%.80s%s%s",
                       first->path, first->after_line, path == NULL ? "there is no experiment '" : "'", self->after[i],
                       path == NULL ? "'" : "' is refused: ", problem != NULL ? problem->message : "");
          return FALSE;
        }
      if (!check_after (before, first, chain, sound, error))
        return FALSE;
      g_hash_table_add (sound, g_strdup (self->after[i]));
    }
  g_ptr_array_set_size (chain, (int) chain->len - 1);
  return TRUE;
}

MemlaneExperiment *
memlane_experiment_read (const char *path, const char *language, GError **error)
{
  g_autoptr (MemlaneExperiment) self = read_alone (path, language, error);
  g_autoptr (GPtrArray) chain = g_ptr_array_new ();
  g_autoptr (GHashTable) sound = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (self == NULL || !check_after (self, self, chain, sound, error))
    return NULL;
  return g_steal_pointer (&self);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const MemlaneExperiment *one = *(const MemlaneExperiment *const *) a, *other = *(const MemlaneExperiment *const *) b;
  guint first = one->number > 0 ? one->number : G_MAXUINT, second = other->number > 0 ? other->number : G_MAXUINT;

  return first != second ? (first > second) - (first < second) : strcmp (one->name, other->name);
}

GPtrArray *
memlane_experiment_list (const char *language, GPtrArray **problems)
{
  g_autoptr (GPtrArray) folders = memlane_data_list_folders ("experiments");
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_experiment_unref);

  if (problems != NULL)
    *problems = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < folders->len; i++)
    {
      g_autoptr (GDir) folder = g_dir_open (folders->pdata[i], 0, NULL);
      const char *file;

      while (folder != NULL && (file = g_dir_read_name (folder)) != NULL)
        {
          g_autofree char *path = g_build_filename (folders->pdata[i], file, NULL);
          g_autoptr (GError) problem = NULL;
          MemlaneExperiment *experiment;

          if (!g_str_has_suffix (file, SUFFIX) || *file == '.' || !g_hash_table_add (seen, g_strdup (file)))
            continue;
          experiment = memlane_experiment_read (path, language, &problem);
          if (experiment != NULL)
            g_ptr_array_add (list, experiment);
          else if (problems != NULL)
            g_ptr_array_add (*problems, g_strdup (problem->message));
        }
    }
  g_ptr_array_sort (list, compare);
  return list;
}

MemlaneExperiment *
memlane_experiment_find (const char *name, const char *language, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GString) known = NULL;
  guint64 number = 0;

  if (strchr (name, '/') != NULL || g_str_has_suffix (name, SUFFIX))
    return memlane_experiment_read (name, language, error);
  path = find_file (name, NULL);
  if (path != NULL)
    return memlane_experiment_read (path, language, error);
  list = memlane_experiment_list (language, NULL);
  known = g_string_new (NULL);
  g_ascii_string_to_unsigned (name, 10, 1, 9999, &number, NULL);
  for (guint i = 0; i < list->len; i++)
    {
      MemlaneExperiment *each = list->pdata[i];

      if (number > 0 && each->number == number)
        return memlane_experiment_ref (each);
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", each->name);
    }
  g_set_error (error, MEMLANE_EXPERIMENT_ERROR, MEMLANE_EXPERIMENT_ERROR_UNKNOWN,
               "unknown experiment \"%.80s\": expected a number, a file, or one of %s", name, known->str);
  return NULL;
}
