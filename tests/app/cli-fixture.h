/* cli-fixture.h: a folder of its own for each test of memlane-cli, and the program run in it
 *
 * SPDX-License-Identifier: MIT
 *
 * MEMLANE_CLI names the program, MEMLANE_DATA_DIR the folder of the recordings.
 */
#pragma once

#include <gio/gio.h>
#include <string.h>

typedef struct
{
  char *folder;
  int status;
  char *out, *err;
} Fixture;

G_GNUC_UNUSED static char *
in_folder (Fixture *self, const char *name)
{
  return g_build_filename (self->folder, name, NULL);
}

/* In the folder, with state and data folders of its own. */
static GSubprocessLauncher *
make_launcher (Fixture *self, GSubprocessFlags flags)
{
  GSubprocessLauncher *launcher = g_subprocess_launcher_new (flags);
  g_autofree char *state = in_folder (self, "state");
  g_autofree char *share = in_folder (self, "share");
  g_autofree char *config = in_folder (self, "config");

  g_subprocess_launcher_set_cwd (launcher, self->folder);
  g_subprocess_launcher_setenv (launcher, "XDG_STATE_HOME", state, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_DATA_HOME", share, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_CONFIG_HOME", config, TRUE);
  g_subprocess_launcher_setenv (launcher, "G_DEBUG", "fatal-warnings", TRUE);
  return launcher;
}

/* "@NAME" is a recorded run. @locale: LC_ALL, NULL: as it is. */
static GSubprocess *
start_in (Fixture *self, const char *locale, GSubprocessFlags flags, const char *const *arguments)
{
  /* Without a folder to change to and descriptors to close, GLib need not fork(): that takes 15 ms under the address sanitizer. */
  g_autoptr (GSubprocessLauncher) launcher = make_launcher (self, flags | G_SUBPROCESS_FLAGS_INHERIT_FDS);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  g_subprocess_launcher_set_cwd (launcher, NULL);
  if (locale != NULL)
    g_subprocess_launcher_setenv (launcher, "LC_ALL", locale, TRUE);
  g_ptr_array_add (argv, g_strdup ("env"));
  g_ptr_array_add (argv, g_strdup ("-C"));
  g_ptr_array_add (argv, g_strdup (self->folder));
  g_ptr_array_add (argv, g_strdup (g_getenv ("MEMLANE_CLI")));
  for (guint i = 0; arguments[i] != NULL; i++)
    if (arguments[i][0] == '@')
      g_ptr_array_add (argv, g_build_filename (g_getenv ("MEMLANE_DATA_DIR"), "recordings", arguments[i] + 1, NULL));
    else
      g_ptr_array_add (argv, g_strdup (arguments[i]));
  g_ptr_array_add (argv, NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  return process;
}

/* A journal of two lines. */
#define JOURNAL_RUN \
  "{\"type\":\"run\",\"run\":{\"id\":\"evil\",\"device\":\"simulated:h200\",\"device_kind\":\"simulated\",\"environment\":{}}}\n"
#define JOURNAL_CELL(mode, count, status) \
  "1 1 {\"type\":\"cell\",\"cell\":{\"workload\":\"vector-add\",\"mode\":\"" mode "\",\"log2_elements\":10,\"reuse\":1," \
  "\"streams\":0,\"chunks\":0,\"status\":\"ok\",\"host\":{\"pair\":0,\"launch\":0,\"copy\":0},\"figures\":[{\"phase\":\"elapsed\"," \
  "\"clock\":\"host\",\"count\":" count ",\"estimate_ns\":100,\"low_ns\":100,\"high_ns\":100,\"min_ns\":100,\"q1_ns\":100," \
  "\"q3_ns\":100,\"max_ns\":100,\"bytes_moved\":0,\"status\":\"" status "\"}]}}\n"

/* The lines of all journals: the first of each is the run, each other one a visit. */
G_GNUC_UNUSED static guint
count_journal_lines (Fixture *self)
{
  g_autofree char *journals = in_folder (self, "state/memlane/journals");
  g_autoptr (GDir) folder = g_dir_open (journals, 0, NULL);
  const char *name;
  guint n = 0;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (journals, name, NULL), *text = NULL;

      if (g_file_get_contents (path, &text, NULL, NULL))
        for (const char *at = text; (at = strchr (at, '\n')) != NULL; at++)
          n++;
    }
  return n;
}

/* Until the journal of @process's sweep holds @n visits: how often progress is told depends on how fast the machine is. */
G_GNUC_UNUSED static void
wait_for_visits (Fixture *self, GSubprocess *process, guint n)
{
  while (count_journal_lines (self) <= n)
    {
      while (g_main_context_iteration (NULL, FALSE)) /* tells GSubprocess that it has ended */
        ;
      g_assert_nonnull (g_subprocess_get_identifier (process));
      g_usleep (G_USEC_PER_SEC / 100);
    }
}

/* Runs to the end; status, out and err are in the fixture. */
static void
run_arguments (Fixture *self, const char *locale, const char *const *arguments)
{
  g_autoptr (GSubprocess) process =
    start_in (self, locale, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, arguments);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->out, g_free);
  g_clear_pointer (&self->err, g_free);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &self->out, &self->err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  self->status = g_subprocess_get_exit_status (process);
}

#define RUN(self, ...) run_arguments (self, NULL, (const char *const[]){ __VA_ARGS__, NULL })
#define RUN_IN(self, locale, ...) run_arguments (self, locale, (const char *const[]){ __VA_ARGS__, NULL })

G_GNUC_UNUSED static void
assert_contains_at (int line, const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("line %d: expected \"%s\" in:\n%s", line, part, text);
}
#define assert_contains(text, part) assert_contains_at (__LINE__, text, part)

G_GNUC_UNUSED static void
assert_status_at (int line, const Fixture *self, int expected)
{
  if (self->status != expected)
    g_error ("line %d: exit status %d, expected %d; standard error:\n%s", line, self->status, expected, self->err);
}
#define assert_status(self, expected) assert_status_at (__LINE__, self, expected)

/* Runs a command, which has to end with this status. */
#define EXITS(self, status, ...) \
  G_STMT_START { RUN (self, __VA_ARGS__); assert_status (self, status); } G_STMT_END

/* The same, and standard error has to contain @says. */
#define FAILS(self, status, says, ...) \
  G_STMT_START { EXITS (self, status, __VA_ARGS__); assert_contains ((self)->err, says); } G_STMT_END

static void
make_folder (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("memlane-cli-XXXXXX", &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autoptr (GSubprocess) remove = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "rm", "-rf", self->folder, NULL);

  g_subprocess_wait (remove, NULL, NULL);
  g_free (self->folder);
  g_free (self->out);
  g_free (self->err);
}

G_GNUC_UNUSED static gboolean
exists (Fixture *self, const char *name)
{
  g_autofree char *path = in_folder (self, name);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}
