/* model-bench.h: temporary folders and a main loop that waits for something, for the tests of ui/model
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <ftw.h>
#include <stdio.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "job/journal.h"

static char *bench_folder; /* all XDG folders lie in it */

/* Before anything asks GLib for a folder. */
static inline void
bench_begin (void)
{
  static const char *const names[] = { "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME" };

  bench_folder = g_dir_make_tmp ("memlane-model-XXXXXX", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (bench_folder, names[i], NULL);

      g_setenv (names[i], path, TRUE);
    }
}

static inline int
bench_remove_one (const char *path, const struct stat *info, int type, struct FTW *at)
{
  return remove (path);
}

static inline void
bench_remove (const char *path)
{
  (void) nftw (path, bench_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void
bench_end (void)
{
  bench_remove (bench_folder);
  g_clear_pointer (&bench_folder, g_free);
}

/* Runs the tests and removes the folders. */
static inline int
bench_run (void)
{
  int status = g_test_run ();

  bench_end ();
  return status;
}

/* A folder of its own under the bench's. (transfer full) */
static inline char *
bench_make_folder (void)
{
  static guint n;
  g_autofree char *name = g_strdup_printf ("folder-%u", n++);
  char *path = g_build_filename (bench_folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  return path;
}

/* Writes a file into a folder of its own. Returns the path (transfer full). */
static inline char *
bench_write_file (const char *name, const char *text)
{
  g_autofree char *folder = bench_make_folder ();
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* Returns how many runs are saved in @folder. */
static inline guint
bench_count_runs (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_suffix (name, ".csv") && !g_str_has_suffix (name, ".rounds.csv");
  return n;
}

static inline guint
bench_count_journals (void)
{
  g_autoptr (GPtrArray) journals = memlane_journal_list ();

  return journals->len;
}

static inline gboolean
bench_wake_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* Runs the main loop until @condition; 60 seconds are an error, not a measurement. */
#define bench_wait(condition)                                                       \
  G_STMT_START                                                                      \
  {                                                                                 \
    gint64 bench_deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;          \
    guint bench_waker = g_timeout_add (5, bench_wake_cb, NULL);                     \
    while (!(condition) && g_get_monotonic_time () < bench_deadline)                \
      g_main_context_iteration (NULL, TRUE);                                        \
    g_source_remove (bench_waker);                                                  \
    g_assert_true (condition);                                                      \
  }                                                                                 \
  G_STMT_END

/* Whatever is due now, and what workers still hand over within a moment. */
static inline void
bench_settle (guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

/* How often, and with which words, something was said. */
typedef struct
{
  guint n;
  char *last;
} BenchHeard;

static inline void
bench_heard_clear (BenchHeard *heard)
{
  g_clear_pointer (&heard->last, g_free);
  heard->n = 0;
}

static inline void
bench_said_cb (gpointer object, const char *sentence, BenchHeard *heard)
{
  heard->n++;
  g_free (heard->last);
  heard->last = g_strdup (sentence);
  g_test_message ("%s", sentence);
}
