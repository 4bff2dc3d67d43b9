/* cli-output.c: whether an output can be written, and may be, told before anything is measured
 *
 * SPDX-License-Identifier: MIT
 *
 * The rule: an existing file is replaced if it begins like what the command would write, or is
 * empty. So a command can be repeated over its own result, and a slip of the keyboard does not cost
 * another program's file. A table of more cells than would be written stays, too. --force replaces
 * both. An input is never replaced.
 */
#include "cli.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/each.h"

#define HEAD_BYTES 4096 /* of a file, in which its kind is looked for */

gboolean cli_output_force;

/* Follows a symbolic link, whose target will be replaced. (transfer full) */
static char *
resolve (const char *path)
{
  g_autofree char *real = realpath (path, NULL);

  return g_strdup (real != NULL ? real : path);
}

/* Why no file can be made or replaced at @path; NULL: it can. (transfer full) */
static char *
find_obstacle (const char *path)
{
  g_autofree char *target = resolve (path), *folder = g_path_get_dirname (target);
  struct stat status;

  if (path[0] == '\0')
    return g_strdup ("expected a file name");
  if (stat (target, &status) == 0)
    {
      if (S_ISDIR (status.st_mode))
        return g_strdup ("it is a folder; expected a file name");
      if (access (target, W_OK) != 0)
        return g_strdup (g_strerror (errno));
      if (!S_ISREG (status.st_mode))
        return NULL;
    }
  else if (errno != ENOENT || g_str_has_suffix (target, "/"))
    return g_strdup (errno != ENOENT ? g_strerror (errno)
                                     : "expected a file name after the last /");
  if (stat (folder, &status) != 0)
    return g_strdup_printf ("folder %s: %s", folder, g_strerror (errno));
  if (!S_ISDIR (status.st_mode) || access (folder, W_OK | X_OK) != 0)
    return g_strdup_printf ("folder %s: %s", folder,
                            S_ISDIR (status.st_mode) ? g_strerror (errno) : "is not a folder");
  return NULL;
}

/* --- what is there already -------------------------------------------------------------------- */

static const struct
{
  const char *name;     /* in "expected ..." */
  const char *begin;    /* it begins with this, or NULL */
  const char *contains; /* near its begin stands this, or NULL */
} kinds[] = {
  [CLI_FILE_RUNS] = { "a table of runs", "run,device,device_kind,workload,", ",status,detail" },
  [CLI_FILE_ROUNDS] = { "a table of rounds", "run,device,device_kind,workload,",
                        ",round,place,samples," },
  [CLI_FILE_SAMPLES] = { "a table of samples", "run,device,device_kind,workload,", ",sample,ns" },
  [CLI_FILE_FINDINGS] = { "a table of findings", "experiment,device,device_kind,", NULL },
  [CLI_FILE_MAP] = { "a table of predictions", "device,device_kind,workload,direction,", NULL },
  [CLI_FILE_ENVIRONMENT] = { "the environment of a run", "{", "\"memlane\"" },
  [CLI_FILE_TRACE] = { "a trace of Memlane", "{", "\"memlane\"" },
  [CLI_FILE_ADVICE] = { "advice of Memlane", "{", "\"exposed_ns\"" },
  [CLI_FILE_PAGE] = { "a page of Memlane", "<!DOCTYPE html>", "Memlane" },
  [CLI_FILE_JUNIT] = { "a report for JUnit", "<?xml", "<testsuite name=\"memlane" },
  [CLI_FILE_PROGRAM] = { "a program of Memlane", "// ", "memory mode" },
  [CLI_FILE_FIGURE] = { "a figure", NULL, NULL }, /* of three formats: is_figure() */
};

static gboolean
is_figure (const char *head, gsize length)
{
  return memmem (head, length, "<svg", 4) != NULL
         || (length > 8 && memcmp (head, "\x89PNG\r\n\x1a\n", 8) == 0)
         || (length > 5 && memcmp (head, "%PDF-", 5) == 0);
}

static gboolean
is_kind (const char *head, gsize length, CliFileKind kind)
{
  const char *begin = kinds[kind].begin, *contains = kinds[kind].contains;

  if (kind == CLI_FILE_FIGURE)
    return is_figure (head, length);
  if (length >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0) /* a spreadsheet has saved it */
    {
      head += 3;
      length -= 3;
    }
  return (begin == NULL || (length >= strlen (begin) && memcmp (head, begin, strlen (begin)) == 0))
         && (contains == NULL || memmem (head, length, contains, strlen (contains)) != NULL);
}

/* Whether @path is a file that is not to be replaced without a look into it. */
static gboolean
is_kept (const char *path)
{
  struct stat info;

  return !cli_output_force && stat (path, &info) == 0 && S_ISREG (info.st_mode) && info.st_size > 0;
}

gboolean
cli_output_check (const char *path, CliFileKind kind, GError **error)
{
  g_autofree char *obstacle = strcmp (path, "-") != 0 ? find_obstacle (path) : NULL;
  char head[HEAD_BYTES];
  FILE *file;
  gsize length;

  if (obstacle != NULL)
    return memlane_fail_io (error, "cannot write %s: %s", *path != '\0' ? path : "\"\"", obstacle);
  if (strcmp (path, "-") == 0 || !is_kept (path))
    return TRUE;
  file = fopen (path, "re");
  length = file != NULL ? fread (head, 1, sizeof head, file) : 0;
  if (file != NULL)
    fclose (file);
  return (file != NULL && is_kind (head, length, kind))
         || memlane_fail_io (error,
                             "cannot write %s: found a file that is not %s; expected another name, "
                             "or --force to replace it",
                             path, kinds[kind].name);
}

gboolean
cli_output_check_cells (const char *path, guint n_cells, GError **error)
{
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) trouble = NULL;
  guint held = 0;

  if (strcmp (path, "-") == 0 || !is_kept (path))
    return TRUE;
  runs = memlane_csv_read (path, NULL, &trouble);
  if (runs != NULL)
    MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
      held += run->cells->len;
  if (runs != NULL && held <= n_cells)
    return TRUE;
  if (runs == NULL)
    return memlane_fail_io (error,
                            "cannot write %s: it is no table that can be read (%s); expected "
                            "another name, or --force to replace it",
                            path, trouble->message);
  return memlane_fail_io (error,
                          "cannot write %s: it holds %u cells, and %u would replace them; expected "
                          "another name, or --force",
                          path, held, n_cells);
}

/* --- outputs and inputs ----------------------------------------------------------------------- */

gboolean
cli_output_is_closed (const char *path)
{
  struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

  return strcmp (path, "-") == 0 && poll (&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

gboolean
cli_output_is_same (const char *path, const char *other)
{
  g_autofree char *left = resolve (path), *right = resolve (other);
  g_autofree char *left_whole = g_canonicalize_filename (left, NULL),
                  *right_whole = g_canonicalize_filename (right, NULL);
  struct stat a, b;

  if (strcmp (path, "-") == 0 || strcmp (other, "-") == 0)
    return strcmp (path, other) == 0;
  /* By the file itself where there is one, for a file may have several names; but /dev/null is
   * nobody's. */
  if (stat (path, &a) == 0 && stat (other, &b) == 0)
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino
           && (S_ISREG (a.st_mode) || strcmp (left_whole, right_whole) == 0);
  return strcmp (left_whole, right_whole) == 0;
}

gboolean
cli_output_is_input (const char *path, const char *const *inputs)
{
  for (; path != NULL && strcmp (path, "-") != 0 && *inputs != NULL; inputs++)
    {
      g_autofree char *environment = memlane_csv_environment_path (*inputs),
                      *rounds = memlane_csv_rounds_path (*inputs);

      if (cli_output_is_same (path, *inputs) || cli_output_is_same (path, environment)
          || cli_output_is_same (path, rounds))
        return TRUE;
    }
  return FALSE;
}
