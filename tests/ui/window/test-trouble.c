/* test-trouble.c: no room for what was measured, many runs; trouble.scene has the rest
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES
#include <sys/resource.h>
#include <unistd.h>

#include "parts/export-dialog.h"
#include "job/journal.h"
#include "ui/window-fixture.h"

static const char *const few[] = { "pageable", "pinned", NULL };

/* --- exports
 * ------------------------------------------------------------------------------------------------
 */

static void
assert_refused (Stage *stage, const char *path, const char *reason)
{
  MemlanePage *page = memlane_window_get_page (stage->window, "bandwidth");
  g_autoptr (MemlaneRunItem) item = stage_find_kind (stage, MEMLANE_RUN_RECORDED);
  g_autoptr (GError) error = NULL;
  gboolean done;

  if (g_str_has_suffix (path, ".csv"))
    done = memlane_csv_write (item->run, path, &error);
  else
    done = stage_export (memlane_page_get_figure (page), path, &error);
  g_assert_false (done);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, reason));
  g_assert_nonnull (strstr (error->message, path));
}

static void
test_exports (void)
{
  static const char *const endings[] = { "csv", "png", "svg", "pdf" };
  g_auto (Stage) stage = { NULL };
  g_autofree char *plain = ui_test_path ("plain-file");

  g_assert_true (g_file_set_contents (plain, "x", 1, NULL));
  stage = stage_open_drawn ();
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *below = g_strdup_printf ("%s/out.%s", plain, endings[i]),
                      *name = g_strdup_printf ("full.%s", endings[i]);
      g_autofree char *full = ui_test_path (name);

      assert_refused (&stage, below, g_strerror (ENOTDIR));
      g_assert_cmpint (symlink ("/dev/full", full), ==, 0);
      assert_refused (&stage, full, g_strerror (ENOSPC));
    }
}

/* --- no room for the run's own file
 * ------------------------------------------------------------------------- */

static void
limit_files (rlim_t bytes)
{
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = MIN (bytes, limit.rlim_max);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

/* All is measured and in the journal: from here on no file may grow. */
static void
full_now_cb (MemlaneRunItem *live)
{
  MemlaneRun *run = live->run;

  if (run != NULL && run->cells->len == 6)
    limit_files (600);
}

/* The live run enters the list when the sweep begins, which may wait for the device's answers. */
static void
listed_cb (GListModel *store, guint position, guint removed, guint added, MemlaneRunItem **live)
{
  for (guint i = position; i < position + added && *live == NULL; i++)
    {
      g_autoptr (MemlaneRunItem) item = g_list_model_get_item (store, i);

      if (item->kind != MEMLANE_RUN_LIVE)
        continue;
      g_signal_connect (item, "notify::subtitle", G_CALLBACK (full_now_cb), NULL);
      *live = g_object_ref (item);
    }
}

static void
sweep_without_room (void)
{
  Stage stage;
  g_autoptr (GPtrArray) journals = NULL;
  guint before;

  stage = stage_open ();
  stage_choose_modes (&stage, few);
  before = stage_count_runs (&stage);
  {
    g_autoptr (MemlaneRunItem) live = NULL;
    gpointer store = stage.models->runs;
    gulong handler = g_signal_connect (store, "items-changed", G_CALLBACK (listed_cb), &live);

    stage_do (&stage, "run", NULL);
    ui_test_wait (stage_rests (stage.models));
    g_signal_handler_disconnect (store, handler);
    g_assert_nonnull (live);
    stage_wait_toast (&stage, "is not in the folder of runs");
    g_assert_nonnull (strstr (stage_get_toast (&stage), g_strerror (EFBIG)));
    g_assert_nonnull (strstr (stage_get_toast (&stage), "Its journal holds it"));
    g_assert_cmpuint (stage_count_runs (&stage), ==, before + 1);
    g_assert_nonnull (live->run);
    g_assert_null (live->path);
    g_assert_true (live->shown);
  }
  ui_test_wait (stage_draws (&stage));
  journals = memlane_journal_list ();
  g_assert_cmpuint (journals->len, ==, 1);
  g_assert_cmpuint (((MemlaneJournalEntry *) journals->pdata[0])->cells, ==, 6);
  stage_close (&stage);

  limit_files (RLIM_INFINITY);
  stage = stage_open (); /* the next start brings it back */
  g_assert_cmpuint (stage_count_runs (&stage), ==, before + 1);
  {
    g_autoptr (MemlaneRunItem) kept = stage_find_kind (&stage, MEMLANE_RUN_KEPT);

    memlane_run_item_set_shown (kept, TRUE);
    ui_test_wait (stage_has_read (stage.models));
    g_assert_cmpuint (kept->run->cells->len, ==, 6);
    g_assert_true (g_file_test (kept->path, G_FILE_TEST_EXISTS));
  }
  g_clear_pointer (&journals, g_ptr_array_unref);
  journals = memlane_journal_list ();
  g_assert_cmpuint (journals->len, ==, 0);
  stage_close (&stage);
}

/* In a process of its own: the limit is for all that it writes. */
static void
test_no_room (void)
{
  if (g_test_subprocess ())
    {
      sweep_without_room ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* Puts @n copies of the recorded run into the folder of runs, as many sweeps would; the first
 * @ticked are shown. */
static void
put_runs (guint n, guint ticked)
{
  g_autofree char *source = ui_test_source ("data/recordings/h200-vector-add.csv"),
                  *folder = ui_test_path ("share/memlane/runs");
  g_autofree char *index = g_build_filename (folder, "index.ini", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) runs = memlane_csv_read (source, NULL, NULL);
  MemlaneRun *run = runs->pdata[0];

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/many-%03u.csv", folder, i);

      g_free (run->id);
      run->id = g_strdup_printf ("many-%03u", i);
      g_assert_true (memlane_csv_write (run, path, NULL));
      g_string_append_printf (text, "[kept:many-%03u.csv]\nname=Day %u\nshown=%s\n", i, i + 1,
                              i < ticked ? "true" : "false");
    }
  g_assert_true (g_file_set_contents (index, text->str, -1, NULL));
}

static gboolean
all_are_read (Stage *stage)
{
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (stage->models->runs);

  return stage_count_runs (stage) >= 200 && shown->len >= 20 && stage_draws (stage);
}

/* Two hundred runs in the list, twenty of them ticked by hand. The headline speaks of one run, no
 * more than one run's labels have values, and nothing is told; one more sweep joins them. */
static void
test_many_runs (void)
{
  static const struct
  {
    int width, height;
  } sizes[] = { { 1280, 720 }, { 1920, 1080 } };
  g_autofree char *folder = ui_test_path ("share/memlane/runs");
  g_autoptr (GPtrArray) shown = NULL;
  g_auto (Stage) stage = { NULL };
  guint before;

  ui_test_delete (folder);
  put_runs (200, 20);
  stage = stage_open ();
  ui_test_wait (all_are_read (&stage));
  g_assert_cmpstr (stage_get_toast (&stage), ==, "");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *picture = g_strdup_printf ("trouble-many-runs-%d.png", sizes[i].width);

      gtk_window_set_default_size (GTK_WINDOW (stage.window), sizes[i].width, sizes[i].height);
      for (guint k = 0; k < 4; k++)
        ui_test_next_frame (GTK_WIDGET (stage.window));
      ui_test_screenshot (GTK_WIDGET (stage.window), picture);
    }
  before = stage_count_runs (&stage);
  stage_choose_modes (&stage, few);
  stage_sweep (&stage);
  g_assert_cmpuint (stage_count_runs (&stage), ==, before + 1);
  shown = memlane_run_store_get_shown (stage.models->runs);
  g_assert_cmpuint (shown->len, >, 20); /* what was ticked by hand stays */
  for (guint k = 0; k < 4; k++)
    ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "trouble-many-runs-swept.png");
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/trouble/exports", test_exports);
  g_test_add_func ("/trouble/no-room", test_no_room);
  g_test_add_func ("/trouble/many-runs", test_many_runs);
  return ui_test_run ();
}
