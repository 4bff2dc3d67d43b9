/* test-cli-hostile.c: files that mean ill, and what they may cost
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli-fixture.h"

/* run.csv of the simulated device, and its environment. */
static void
set_up (Fixture *self, gconstpointer data)
{
  make_folder (self, data);
  RUN (self, "sweep", "-q", "--device", "simulated:h200", "--modes", "pageable,pinned", "--sizes", "10:12", "--cell-seconds", "0.01",
       "--csv", "run.csv");
  assert_status (self, 0);
}

static char *
load (Fixture *self, const char *name)
{
  g_autofree char *path = in_folder (self, name);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
save (Fixture *self, const char *name, const char *text, gssize length)
{
  g_autofree char *path = in_folder (self, name);

  g_assert_true (g_file_set_contents (path, text, length, NULL));
}

/* @name with @from replaced by @to everywhere. */
static void
edit (Fixture *self, const char *name, const char *from, const char *to)
{
  g_autofree char *text = load (self, name);
  g_autoptr (GString) edited = g_string_new (text);

  g_assert_cmpuint (g_string_replace (edited, from, to, 0), >, 0);
  save (self, name, edited->str, -1);
}

static gboolean
has_control (const char *text)
{
  for (; *text != '\0'; text++)
    if (((guchar) *text < ' ' && *text != '\n' && *text != '\t') || *text == 0x7f || g_str_has_prefix (text, "\xc2\x9b")
        || g_str_has_prefix (text, "\xe2\x80\xae"))
      return TRUE;
  return FALSE;
}

/* 60,000 levels and more ended the program with a signal; run_arguments() asserts that it exits. */
static void
test_deep_environment (Fixture *self, gconstpointer data)
{
  static const char *const commands[][6] = { { "decide", "run.csv" }, { "recover" }, { "sweep", "-d", "simulated:h200", "-c", "x.csv", "-s10" },
                                             { "calibrate", "run.csv", "-o", "x.device" },
#ifdef MEMLANE_HAVE_CHART
                                             { "plot", "run.csv", "-o", "x.svg" }, { "report", "run.csv", "-o", "x.html" },
#endif
  };
  g_autoptr (GString) deep = g_string_new ("{\"a\":");
  g_autofree char *text = load (self, "run.csv"), *journal = in_folder (self, "state/memlane/journals/evil");

  for (guint i = 0; i < 100000; i++)
    g_string_append (deep, "[");
  save (self, "run.environment.json", deep->str, -1);
  g_assert_cmpint (g_mkdir_with_parents (journal, 0700), ==, 0);
  save (self, "state/memlane/journals/evil/cells.csv", text, -1);
  save (self, "state/memlane/journals/evil/environment.json", deep->str, -1);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      const char *arguments[8] = { 0 };

      for (guint k = 0; k < G_N_ELEMENTS (commands[i]); k++)
        arguments[k] = commands[i][k];
      run_arguments (self, NULL, arguments);
      g_assert_cmpint (self->status, <=, 3);
    }
}

static void
test_terminal (Fixture *self, gconstpointer data)
{
  static const char trace[] = "[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"\\u001b]0;PWNED\\u0007\\u009b31m\\u202ex\",\"cat\":\"kernel\"}]";
  static const char device[] = "[device]\nbased_on=h200\nname=\x1b[31mevil\xc2\x9b\xe2\x80\xae\n";

  save (self, "evil.json", trace, -1);
  RUN (self, "trace", "--input", "evil.json");
  assert_status (self, 0);
  assert_contains (self->out, "\\x1b]0;PWNED\\x07\\u009b31m\\u202ex");
  g_assert_false (has_control (self->out) || has_control (self->err));

  save (self, "evil.device", device, -1);
  RUN (self, "sweep", "--device", "simulated:./evil.device", "--modes", "pinned", "--sizes", "10", "--csv", "evil.csv");
  g_assert_false (has_control (self->out) || has_control (self->err));

  RUN (self, "decide", "no\x1b[2J\xff.csv"); /* the name of a file */
  assert_status (self, 1);
  g_assert_false (has_control (self->err));
  assert_contains (self->err, "\\x1b[2J");

  edit (self, "run.csv", "simulated:h200,", "simulated:h\xc2\x9b" "200,");
  RUN (self, "decide", "run.csv");
  assert_status (self, 1);
  assert_contains (self->err, "column device: found 'simulated:h\\u009b200', expected a name without control characters");
}

/* SIMULATED cannot be taken off. */
static void
test_simulated (Fixture *self, gconstpointer data)
{
  edit (self, "run.csv", ",simulated,", ",cuda,");
  RUN (self, "decide", "run.csv");
  assert_status (self, 1);
  assert_contains (self->err, "run.csv:2: column device_kind: found 'cuda', expected simulated, as device says");
  RUN (self, "calibrate", "run.csv", "-o", "x.device");
  assert_status (self, 1);
  g_assert_false (exists (self, "x.device"));
}

static void
test_profile (Fixture *self, gconstpointer data)
{
  save (self, "big.device", "[device]\nbased_on=h200\n[host]\nlaunch=1e308\n", -1);
  RUN (self, "sweep", "--device", "simulated:./big.device", "--modes", "pinned", "--sizes", "10", "--csv", "big.csv");
  g_assert_cmpint (self->status, !=, 0);
  assert_contains (self->err, "[host] launch: expected nanoseconds, from 0 to 1e9, a second");
}

/* A journal that claims five gigabytes is not read. */
static void
test_sparse_journal (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = in_folder (self, "state/memlane/journals/large"), *cells = g_build_filename (folder, "cells.csv", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  save (self, "state/memlane/journals/large/cells.csv", "run,", -1);
  g_assert_cmpint (truncate (cells, G_GINT64_CONSTANT (5) << 30), ==, 0);
  RUN (self, "recover");
  assert_status (self, 0);
  assert_contains (self->err, "nothing to recover");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add ("/cli/hostile/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("deep-environment", test_deep_environment);
  ADD ("terminal", test_terminal);
  ADD ("simulated", test_simulated);
  ADD ("profile", test_profile);
  ADD ("sparse-journal", test_sparse_journal);
  return g_test_run ();
}
