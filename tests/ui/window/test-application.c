/* test-application.c: the program itself: its options, no display, a second start, files from the command line, no bus
 *
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>

#include "result/csv.h"
#include "ui/ui-test.h"

static char *program;

#define DISPLAY TRUE
#define NO_DISPLAY FALSE
#define BUS TRUE
#define NO_BUS FALSE

static GSubprocess *
start (gboolean display, gboolean bus, const char *argument)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  const char *given = g_getenv ("ASAN_OPTIONS");
  g_autofree char *options = g_strconcat (given != NULL ? given : "", ":fast_unwind_on_malloc=0:malloc_context_size=12", NULL);
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  g_subprocess_launcher_setenv (launcher, "ASAN_OPTIONS", options, TRUE); /* whole stacks: tests/leaks.supp names what it means in them */
  g_subprocess_launcher_setenv (launcher, "GSETTINGS_BACKEND", "keyfile", TRUE);
  g_subprocess_launcher_setenv (launcher, "GTK_A11Y", "none", TRUE);
  if (!bus)
    g_subprocess_launcher_setenv (launcher, "DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
  if (!display)
    {
      g_subprocess_launcher_unsetenv (launcher, "DISPLAY");
      g_subprocess_launcher_unsetenv (launcher, "WAYLAND_DISPLAY");
    }
  process = g_subprocess_launcher_spawn (launcher, &error, program, argument, NULL);
  g_assert_no_error (error);
  return process;
}

static int
finish (GSubprocess *process, char **out, char **problems)
{
  g_autoptr (GError) error = NULL;

  g_subprocess_communicate_utf8 (process, NULL, NULL, out, problems, &error);
  g_assert_no_error (error);
  if (!g_subprocess_get_if_exited (process))
    g_printerr ("%s\n", *problems); /* the next takes its first lines alone */
  if (!g_subprocess_get_if_exited (process))
    g_error ("ended by signal %d: %s", g_subprocess_get_term_sig (process), *problems);
  return g_subprocess_get_exit_status (process);
}

static void
test_options (void)
{
  g_autoptr (GSubprocess) version = start (NO_DISPLAY, NO_BUS, "--version"), help = start (NO_DISPLAY, NO_BUS, "--help");
  g_autofree char *out = NULL, *text = NULL, *problems = NULL, *more = NULL;

  g_assert_cmpint (finish (version, &out, &problems), ==, 0);
  g_assert_true (g_str_has_prefix (out, "memlane 0."));
  g_assert_cmpint (finish (help, &text, &more), ==, 0);
  g_assert_nonnull (strstr (text, "--version"));
}

static void
test_no_display (void)
{
  g_autoptr (GSubprocess) process = start (NO_DISPLAY, BUS, NULL);
  g_autofree char *out = NULL, *problems = NULL;

  g_assert_cmpint (finish (process, &out, &problems), ==, 1);
  g_assert_true (g_str_has_prefix (problems, "memlane: there is no display"));
  g_assert_nonnull (strstr (problems, "memlane-cli"));
  g_assert_cmpstr (out, ==, "");
}

/* --- over the session's bus --------------------------------------------------------------------------------- */

static gboolean
has_owner (gpointer data)
{
  g_autoptr (GVariant) answer
    = g_dbus_connection_call_sync (data, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
                                   g_variant_new ("(s)", "io.github.memlane.Memlane"), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  gboolean owned = FALSE;

  if (answer != NULL)
    g_variant_get (answer, "(b)", &owned);
  return owned;
}

/* The window's actions are there: it is open. */
static gboolean
has_window (gpointer data)
{
  g_autoptr (GVariant) answer
    = g_dbus_connection_call_sync (data, "io.github.memlane.Memlane", "/io/github/memlane/Memlane/window/1", "org.gtk.Actions", "List",
                                   NULL, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);

  return answer != NULL;
}

static gboolean
has_opened (const char *data)
{
  g_autofree char *index = ui_test_path ("share/memlane/runs/index.ini");
  g_autofree char *text = NULL;

  return g_file_get_contents (index, &text, NULL, NULL) && strstr (text, data) != NULL;
}

static gboolean
is_over (gpointer data)
{
  return g_subprocess_get_identifier (data) == NULL;
}

static void
test_second_start (void)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autofree char *recording = ui_test_source ("data/recordings/h200-fill.csv");
  g_autofree char *csv = NULL, *copy = ui_test_path ("opened-later.csv"), *out = NULL, *problems = NULL, *second = NULL, *more = NULL;
  g_autoptr (GSubprocess) first = NULL, other = NULL;

  if (bus == NULL)
    {
      g_test_skip ("no session bus");
      return;
    }
  g_assert_true (g_file_get_contents (recording, &csv, NULL, NULL));
  g_assert_true (g_file_set_contents (copy, csv, -1, NULL));

  first = start (DISPLAY, BUS, NULL);
  ui_test_wait (has_owner (bus));
  ui_test_wait (has_window (bus));
  other = start (DISPLAY, BUS, copy); /* hands its file over and ends */
  g_assert_cmpint (finish (other, &second, &more), ==, 0);
  ui_test_wait (has_opened ("opened-later.csv"));

  g_subprocess_send_signal (first, SIGTERM); /* as at the end of a desktop's session */
  g_assert_cmpint (finish (first, &out, &problems), ==, 0);
  g_assert_true (is_over (first));
  g_assert_null (strstr (problems, "WARNING"));
  g_assert_null (strstr (problems, "CRITICAL"));
}

/* Without a session bus it is a program of its own. */
static void
test_no_bus (void)
{
  g_autofree char *out = NULL, *problems = NULL;
  g_autofree char *recording = ui_test_source ("data/recordings/h200-copy-to-host.csv");
  g_autoptr (GSubprocess) process = start (DISPLAY, NO_BUS, recording);

  ui_test_wait (has_opened ("h200-copy-to-host.csv"));
  g_subprocess_send_signal (process, SIGTERM);
  g_assert_cmpint (finish (process, &out, &problems), ==, 0);
  g_assert_null (strstr (problems, "WARNING"));
  g_assert_null (strstr (problems, "CRITICAL"));
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  program = g_test_build_filename (G_TEST_BUILT, "..", "..", "app", "memlane", NULL);
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_add_func ("/application/options", test_options);
  g_test_add_func ("/application/no-display", test_no_display);
  g_test_add_func ("/application/second-start", test_second_start);
  g_test_add_func ("/application/no-bus", test_no_bus);
  return ui_test_run ();
}
