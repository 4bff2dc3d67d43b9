/* test-comparison.c: what tells two runs apart whose figures are divided: methods first, then machines
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "model/comparison.h"
#include "engine/set-environment.h"
#include "base/each.h"

static MemlaneRun *
read_recording (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_DATA_DIR"), "recordings", name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = memlane_csv_read (path, NULL, &error);

  g_assert_no_error (error);
  return memlane_run_ref (runs->pdata[0]);
}

static void
test_method (void)
{
  g_autoptr (MemlaneRun) a = read_recording ("h200-vector-add.csv"), b = read_recording ("h200-vector-add.csv");
  g_autofree char *same = memlane_comparison_describe (a, b, "vector-add"), *different = NULL, *elsewhere = NULL;

  g_assert_cmpstr (same, ==, "Both runs are of the same machine.");
  MEMLANE_FOR_EACH (MemlaneCell, cell, b->cells)
    if (cell->streams > 0)
      {
        cell->streams = 4;
        cell->chunks = 16;
      }
  different = memlane_comparison_describe (a, b, "vector-add");
  g_assert_cmpstr (different, ==, "Different methods: 8×8 and 4×16 streams × chunks. Both runs are of the same machine.");
  elsewhere = memlane_comparison_describe (a, b, "fill"); /* of which neither has a cell */
  g_assert_null (strstr (elsewhere, "streams"));
}

static void
test_reuse (void)
{
  g_autoptr (MemlaneRun) a = read_recording ("h200-vector-add.csv"), b = read_recording ("h200-vector-add-reuse16.csv");
  g_autofree char *text = memlane_comparison_describe (a, b, "vector-add");

  g_assert_true (g_str_has_prefix (text, "Different methods: reuse 1 and 16. "));
  g_assert_null (strstr (strstr (text, "1 and 16") + 8, "reuse")); /* said once */
}

/* A host that was slower in one run is told, with what remains of the differences. */
static void
test_host (void)
{
  g_autoptr (MemlaneRun) a = read_recording ("h200-vector-add.csv"), b = read_recording ("h200-vector-add.csv");
  g_autofree char *text = NULL;

  for (guint i = 0; i < b->cells->len; i++)
    {
      MemlaneFigure *elapsed = (MemlaneFigure *) memlane_cell_find (b->cells->pdata[i], MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);

      if (elapsed != NULL)
        elapsed->statistics.median *= 1.08;
    }
  {
    g_auto (GStrv) parts = g_strsplit (memlane_environment_get_json (a->environment), "\"host_pair_ns\" : 47.0", -1);
    g_autofree char *slower = g_strjoinv ("\"host_pair_ns\" : 61.1", parts);

    g_assert_cmpuint (g_strv_length (parts), >, 1);
    set_environment (b, "%s", slower);
  }
  text = memlane_comparison_describe (a, b, "vector-add");
  g_test_message ("%s", text);
  g_assert_true (g_str_has_prefix (text, "Both runs are of the same machine. The host was 1.3"));
  g_assert_nonnull (strstr (text, "slower in the second run. Total times differ by 8"));
  g_assert_nonnull (strstr (text, "slopes from other sweeps"));
}

/* However many machines' facts there are, the method stands in front, and a simulation is told as such. */
static void
test_long (void)
{
  g_autoptr (MemlaneRun) a = read_recording ("h200-vector-add.csv"), b = read_recording ("h200-vector-add-reuse16.csv");
  g_autofree char *text = NULL;

  set_environment (b, "{\"device\":{\"kind\":\"cuda\",\"name\":\"another device\",\"uuid\":\"GPU-1234\",\"driver\":\"1\"}}");
  text = memlane_comparison_describe (a, b, "vector-add");
  g_assert_true (g_str_has_prefix (text, "Different methods: reuse 1 and 16. The runs differ: "));
  g_assert_cmpint (g_utf8_strlen (text, -1), <=, 220);
  g_assert_null (strstr (text, "GPU-"));
  set_environment (b, NULL);
  g_free (text);
  text = memlane_comparison_describe (a, b, "vector-add");
  g_assert_nonnull (strstr (text, "cannot be compared"));
}

/* Another version of Memlane is no other machine, and is said as such where nothing else differs. */
static void
test_version (void)
{
  static const struct { const char *commit, *driver, *precision, *text; } cases[] = {
    { "one", "1", "1", "Both runs are of the same machine." },
    { "two", "1", "1", "Both runs are of the same machine, by different versions of Memlane." },
    { "two", "1", "2", "Both runs are of the same machine, but differ: precision: 1 and 2; commit." },
    { "two", "2", "1", "The runs differ: driver: 1 and 2; commit." },
    { "one", "2", "1", "The runs differ: driver: 1 and 2." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MemlaneRun) a = memlane_run_new ("a", "cuda:0", "cuda"), b = memlane_run_new ("b", "cuda:0", "cuda");
      MemlaneRun *const runs[] = { a, b };
      g_autofree char *text = NULL;

      for (guint k = 0; k < G_N_ELEMENTS (runs); k++)
        set_environment (runs[k], "{\"device\":{\"kind\":\"cuda\",\"name\":\"M\",\"driver\":\"%s\"},"
                                                "\"method\":{\"precision\":%s},\"memlane\":{\"version\":\"1\",\"commit\":\"%s\"}}",
                                                k == 0 ? "1" : cases[i].driver, k == 0 ? "1" : cases[i].precision,
                                                k == 0 ? "one" : cases[i].commit);
      text = memlane_comparison_describe (a, b, "vector-add");
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comparison/method", test_method);
  g_test_add_func ("/comparison/reuse", test_reuse);
  g_test_add_func ("/comparison/host", test_host);
  g_test_add_func ("/comparison/long", test_long);
  g_test_add_func ("/comparison/version", test_version);
  return g_test_run ();
}
