/* open-csv.c: how long a CSV of a million rows takes to open, and what it costs in memory
 *
 * SPDX-License-Identifier: MIT
 *
 * open-csv [ROWS]: writes the file into a temporary folder, reads it as the window does, and prints seconds and MiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "result/statistics.h"
#include "result/csv.h"

#define ROWS 1000000
#define PHASES 10 /* rows of a cell, as a sweep has them */

/* In MiB, from /proc: "VmHWM:    1234 kB". */
static double
read_memory (const char *key)
{
  g_autofree char *text = NULL;
  const char *at;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL) || (at = strstr (text, key)) == NULL)
    return 0;
  return g_ascii_strtod (at + strlen (key), NULL) / 1024;
}

static void
add_figure (MemlaneCell *cell, GRand *random, MemlanePhase phase, MemlaneClock clock)
{
  double samples[12];
  MemlaneStatistics statistics;

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    samples[i] = g_rand_double_range (random, 1e3, 1e9);
  memlane_statistics_compute (samples, phase == MEMLANE_PHASE_FIRST ? 1 : G_N_ELEMENTS (samples), &statistics);
  memlane_cell_add_figure (cell, phase, clock, &statistics, cell->bytes * 3, MEMLANE_STATUS_OK, NULL);
}

static gboolean
write_file (const char *path, guint rows)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("20261121T101400.000Z-cuda-0-vector-add", "cuda:0", "cuda");
  g_autoptr (GString) text = g_string_sized_new ((gsize) rows * 320);
  GRand *random = g_rand_new_with_seed (1);

  memlane_csv_append_header (text);
  for (guint i = 0; i < rows / PHASES; i++)
    {
      g_autofree char *mode = g_strdup_printf ("mode-%u", i / 19);
      g_autoptr (MemlaneCell) cell = memlane_cell_new ("vector-add", mode, 10 + i % 19);

      add_figure (cell, random, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST);
      add_figure (cell, random, MEMLANE_PHASE_HOST_WRITE, MEMLANE_CLOCK_HOST);
      add_figure (cell, random, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE);
      add_figure (cell, random, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_ISSUE);
      add_figure (cell, random, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE);
      add_figure (cell, random, MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE);
      add_figure (cell, random, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
      add_figure (cell, random, MEMLANE_PHASE_HOST_READ, MEMLANE_CLOCK_HOST);
      add_figure (cell, random, MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST);
      add_figure (cell, random, MEMLANE_PHASE_FIRST, MEMLANE_CLOCK_HOST);
      memlane_csv_append_cell (text, run, cell);
    }
  g_rand_free (random);
  return g_file_set_contents (path, text->str, (gssize) text->len, NULL);
}

int
main (int argc, char **argv)
{
  guint rows = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : ROWS;
  g_autofree char *folder = g_dir_make_tmp ("memlane-open-XXXXXX", NULL);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "large.csv", NULL) : NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  double before, after, seconds;
  gint64 begun;
  GStatBuf info;

  if (path == NULL || !write_file (path, rows) || g_stat (path, &info) != 0)
    {
      fprintf (stderr, "open-csv: no room for the file\n");
      return 1;
    }
  before = read_memory ("VmRSS:");
  begun = g_get_monotonic_time ();
  runs = memlane_csv_read (path, NULL, &error);
  seconds = (g_get_monotonic_time () - begun) / 1e6;
  after = read_memory ("VmRSS:");
  g_unlink (path);
  g_rmdir (folder);
  if (runs == NULL)
    {
      fprintf (stderr, "open-csv: %s\n", error->message);
      return 1;
    }
  printf ("%u rows, %.0f MiB: opened in %.2f s (%.2f million rows/s), %.0f MiB of memory\n", rows,
          (double) info.st_size / 1048576, seconds, rows / seconds / 1e6, after - before);
  return 0;
}
