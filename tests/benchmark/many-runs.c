/* many-runs.c: what a run costs that stays in the window: memory after so many sweeps, each of all modes at one size, all of them shown;
 * and the processor time of a window of another width with them
 *
 * SPDX-License-Identifier: MIT
 *
 * many-runs [RUNS [STEP]]  needs a display. Prints after each STEP what is allocated (malloc) and resident, and the time, the least of
 * three; in the end what one run cost. Without assistive technology, unless GTK_A11Y is set.
 */
#include <malloc.h>
#include <stdio.h>

#include "resize-cost.h"
#include "ui/window-fixture.h"

static double
allocated_mib (void)
{
  return (double) mallinfo2 ().uordblks / (1024 * 1024);
}

static double
resident_mib (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL) || (line = strstr (text, "VmRSS:")) == NULL)
    return 0;
  return g_ascii_strtod (line + strlen ("VmRSS:"), NULL) / 1024;
}

static double
resize (Stage *stage)
{
  return resize_ms (GTK_WINDOW (stage->window), 1100, 1200, 700, 3);
}

/* What the run's owner has of others: their machines are not ours, and every page has something to say of it. */
static guint
open_recordings (Stage *stage)
{
  g_autofree char *folder = ui_test_source ("data/recordings");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (strstr (name, ".csv") != NULL && strstr (name, ".rounds.csv") == NULL)
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        g_autoptr (GFile) file = g_file_new_for_path (path);

        memlane_window_open_file (stage->window, file);
        n++;
      }
  return n;
}

static void
print_pages (Stage *stage)
{
  static const char *const pages[] = { "bandwidth", "time", "timeline", "decide", "table", "experiments" };

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      stage_do (stage, "page", g_variant_new_string (pages[i]));
      ui_test_spin (1500);
      printf ("%s%s %.0f ms", i > 0 ? ", " : "another width: ", pages[i], resize (stage));
      fflush (stdout);
    }
  printf ("\n");
}

int
main (int argc, char **argv)
{
  guint runs = argc > 1 ? (guint) atoi (argv[1]) : 200, step = argc > 2 ? (guint) atoi (argv[2]) : 20;
  double allocated = 0, resident = 0, first_allocated = 0, first_resident = 0, resized;
  g_autofree char *assistive = g_strdup (g_getenv ("GTK_A11Y"));
  Stage stage;

  ui_test_init (&argc, &argv);
  g_setenv ("GTK_A11Y", assistive != NULL ? assistive : "none", TRUE); /* not what tests ask widgets for */
  stage = stage_open_drawn ();
  g_object_set (stage.models->plan, "first-log2", 10, "last-log2", 10, "cell-seconds", 0.001, NULL);
  stage_do (&stage, "select-all-modes", NULL);
  for (guint i = 1; i <= runs; i++)
    {
      stage_sweep (&stage);
      ui_test_next_frame (GTK_WIDGET (stage.window));
      if (g_list_model_get_n_items (G_LIST_MODEL (stage.models->runs)) < i)
        {
          fprintf (stderr, "many-runs: no run came of a sweep; it takes app/memlane-cli\n");
          return 1;
        }
      if (i % step != 0)
        continue;
      ui_test_wait (stage_rests (stage.models) && stage_has_read (stage.models));
      ui_test_spin (1500); /* what is computed beside has ended */
      resized = resize (&stage);
      malloc_trim (0);
      allocated = allocated_mib ();
      resident = resident_mib ();
      printf ("%u runs: %.2f MiB allocated, %.1f MiB resident, %.0f ms for another width\n", i, allocated, resident, resized);
      fflush (stdout);
      if (i == step)
        {
          first_allocated = allocated;
          first_resident = resident;
        }
    }
  if (runs >= 2 * step)
    printf ("a run: %.3f MiB allocated, %.3f MiB resident\n", (allocated - first_allocated) / (runs - step),
            (resident - first_resident) / (runs - step));
  print_pages (&stage);
  printf ("with %u recordings besides, ", open_recordings (&stage));
  ui_test_spin (3000);
  ui_test_wait (stage_rests (stage.models) && stage_has_read (stage.models));
  print_pages (&stage);
  stage_close (&stage);
  ui_test_delete (ui_test_home);
  return 0;
}
