/* runs-panel.c: what the list of runs costs the processor with so many runs in it: one more, another width, other colours; and its memory
 *
 * SPDX-License-Identifier: MIT
 *
 * runs-panel [RUNS...]  needs a display. Each figure is the least of several, of the whole process until the frame is painted.
 */
#include <malloc.h>
#include <stdio.h>

#include "resize-cost.h"
#include "side/runs-panel.h"
#include "ui/panel-fixture.h"

#define TRIES 15

typedef struct
{
  MemlaneModels *models;
  GtkWidget *panel;
  GtkWindow *window;
} Bench;

static guint
count_runs (Bench *bench)
{
  return g_list_model_get_n_items (G_LIST_MODEL (bench->models->runs));
}

static void
rest (Bench *bench)
{
  ui_test_next_frame (bench->panel);
  ui_test_spin (300);
}

static double
add (Bench *bench)
{
  MemlaneRunStore *store = bench->models->runs;
  double begin = processor_ms (), end;
  MemlaneRunItem *item = memlane_run_store_begin (store, "simulated:h200", "simulated", "added");

  ui_test_next_frame (bench->panel);
  end = processor_ms ();
  memlane_run_store_end (store, item, NULL, NULL);
  return end - begin;
}

static double
restyle (Bench *bench)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  double begin = processor_ms ();

  adw_style_manager_set_color_scheme (manager, adw_style_manager_get_dark (manager) ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                                                                    : ADW_COLOR_SCHEME_FORCE_DARK);
  ui_test_next_frame (bench->panel);
  return processor_ms () - begin;
}

static double
least (Bench *bench, double (*act) (Bench *bench))
{
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < TRIES; i++)
    {
      best = MIN (best, act (bench));
      rest (bench);
    }
  return best;
}

int
main (int argc, char **argv)
{
  static const char *const usual[] = { "", "20", "60", "200" };
  const char *const *runs = usual;
  int n_runs = G_N_ELEMENTS (usual);
  size_t before = 0;
  guint first = 0;
  Bench bench;

  ui_test_init (&argc, &argv);
  if (argc > 1)
    {
      runs = (const char *const *) argv;
      n_runs = argc;
    }
  bench.models = panel_models_new ("runs");
  bench.panel = memlane_runs_panel_new (bench.models->runs, bench.models->view);
  bench.window = ui_test_window_for (bench.panel, 320, 480);
  for (int i = 1; i < n_runs; i++)
    {
      double added, resized, restyled;
      size_t allocated;

      while (count_runs (&bench) < (guint) atoi (runs[i]))
        {
          g_autofree char *name = g_strdup_printf ("run-%u", count_runs (&bench));

          panel_keep_run (bench.models, name, 1);
        }
      rest (&bench);
      added = least (&bench, add);
      resized = resize_ms (bench.window, 320, 400, 480, TRIES);
      restyled = least (&bench, restyle);
      allocated = mallinfo2 ().uordblks;
      printf ("%u runs: %.2f ms to add one, %.2f ms for another width, %.2f ms for other colours", count_runs (&bench), added, resized,
              restyled);
      if (before > 0 && count_runs (&bench) > first)
        printf (", %.1f KiB a run with its row", ((double) allocated - (double) before) / 1024 / (count_runs (&bench) - first));
      printf ("\n");
      fflush (stdout);
      before = allocated;
      first = count_runs (&bench);
    }
  gtk_window_destroy (bench.window);
  panel_models_free (bench.models);
  ui_test_delete (ui_test_home);
  return 0;
}
