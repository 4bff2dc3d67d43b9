/* test-cli-plot.c: memlane-cli plot as its users meet it: figures, messages, exit statuses
 *
 * SPDX-License-Identifier: MIT
 *
 * Each test runs the program (MEMLANE_CLI) in a folder of its own. The base is a recorded run of an H200, the other one is simulated here.
 */
#include "cli-fixture.h"

#include <glib/gstdio.h>

static void
set_up (Fixture *self, gconstpointer data)
{
  make_folder (self, NULL);
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pageable,pinned,mapped", "--sizes", "10:14", "--csv", "sim.csv",
         "--quiet");
}

#ifdef MEMLANE_HAVE_CHART

static char *
read_file (Fixture *self, const char *name, gsize *length)
{
  g_autofree char *path = in_folder (self, name);
  g_autoptr (GError) error = NULL;
  char *text;

  g_file_get_contents (path, &text, length, &error);
  g_assert_no_error (error);
  return text;
}

static guint32
read_number (const char *bytes)
{
  guint32 number;

  memcpy (&number, bytes, sizeof number);
  return GUINT32_FROM_BE (number);
}

static void
test_formats (Fixture *self, gconstpointer data)
{
  g_autofree char *svg = NULL, *png = NULL, *pdf = NULL, *linear = NULL, *few = NULL;
  gsize length;

  EXITS (self, 0, "plot", "@h200-vector-add.csv", "-o", "a.svg");
  g_assert_cmpstr (self->out, ==, "");
  assert_contains (self->err, "written: a.svg");
  assert_contains (self->err, "19 curves");
  svg = read_file (self, "a.svg", &length);
  assert_contains (svg, "<svg");
  assert_contains (svg, "<title>Vector addition");
  assert_contains (svg, "<desc>");
  assert_contains (svg, ">0.1</text>"); /* logarithmic, as the values span a factor of 1,000 */
  EXITS (self, 0, "plot", "@h200-vector-add.csv", "-o", "linear.svg", "--linear");
  linear = read_file (self, "linear.svg", &length);
  assert_contains (linear, ">20</text>");
  g_assert_null (strstr (linear, ">0.1</text>"));
  EXITS (self, 0, "plot", "@h200-vector-add.csv", "-o", "few.svg", "--modes", "pageable,pinned");
  few = read_file (self, "few.svg", &length);
  assert_contains (few, ">20</text>"); /* a factor of 100 */

  EXITS (self, 0, "plot", "@h200-vector-add.csv", "-o", "b.PNG", "--size", "300x200", "--scale", "2", "--style", "dark", "--log");
  png = read_file (self, "b.PNG", &length);
  g_assert_cmpmem (png, 8, "\x89PNG\r\n\x1a\n", 8);
  g_assert_cmpuint (read_number (png + 16), ==, 600);
  g_assert_cmpuint (read_number (png + 20), ==, 400);

  EXITS (self, 0, "plot", "@h200-vector-add.csv", "--output=c.pdf", "--phase", "kernel", "--quantity", "time", "--style", "print",
         "--no-ceilings");
  pdf = read_file (self, "c.pdf", &length);
  g_assert_cmpmem (pdf, 5, "%PDF-", 5);
}

/* A figure for a column, under a title of its own. */
static void
test_own_title (Fixture *self, gconstpointer data)
{
  g_autofree char *own = NULL, *none = NULL, *png = NULL;

  EXITS (self, 0, "plot", "@h200-vector-add.csv", "--modes", "pinned,mapped", "--title", "Copies on <our> server", "--caption", "off",
         "--width", "85mm", "--style", "print", "-o", "own.svg");
  own = read_file (self, "own.svg", NULL);
  assert_contains (own, "<title>Copies on &lt;our&gt; server</title>");
  assert_contains (own, "width=\"321px\""); /* at 96 px an inch */
  EXITS (self, 0, "plot", "@h200-vector-add.csv", "--title", "", "--width", "3.5in", "-o", "none.svg");
  none = read_file (self, "none.svg", NULL);
  assert_contains (none, "<title>Vector addition");
  assert_contains (none, "width=\"336px\"");
  EXITS (self, 0, "plot", "@h200-vector-add.csv", "--width", "17.8cm", "-o", "double.png");
  png = read_file (self, "double.png", NULL);
  g_assert_cmpuint (read_number (png + 16), ==, 673);
}

/* Every phase that the sweep writes can be drawn as a time, whatever the locale. */
static void
test_phases (Fixture *self, gconstpointer data)
{
  static const char *const phases[] = { "alloc", "host_write", "upload", "kernel", "download", "elapsed", "host_read", "free", "first" };

  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    {
      g_autofree char *name = g_strconcat (phases[i], ".svg", NULL);

      RUN_IN (self, i % 2 ? "C" : "C.UTF-8", "plot", "@h200-vector-add.csv", "--quantity", "time", "--phase", phases[i], "-o", name);
      assert_status (self, 0);
      g_assert_true (exists (self, name));
    }
}

static void
test_several (Fixture *self, gconstpointer data)
{
  g_autofree char *both = NULL, *ratio = NULL, *published = NULL;

  EXITS (self, 0, "plot", "@h200-vector-add.csv", "sim.csv", "--modes", "pageable,mapped", "-o", "both.svg");
  assert_contains (self->err, "4 curves");
  both = read_file (self, "both.svg", NULL);
  assert_contains (both, "imulated");

  EXITS (self, 0, "plot", "@h200-vector-add.csv", "sim.csv", "--quantity", "ratio", "-o", "ratio.svg");
  assert_contains (self->err, "3 curves");
  ratio = read_file (self, "ratio.svg", NULL);
  assert_contains (ratio, "sim over h200-vector-add");

  EXITS (self, 0, "plot", "@h200-vector-add.csv", "--modes", "pageable,mapped", "--published", "--workload", "vector-add", "-o",
         "published.svg");
  g_assert_null (strstr (self->err, " 2 curves"));
  published = read_file (self, "published.svg", NULL);
  assert_contains (published, "<title>");
}

typedef struct
{
  const char *arguments; /* by blanks, after "plot"; @NAME: a recorded run */
  int status;
  const char *message;   /* part of what standard error must say */
} Wrong;

static const Wrong wrong[] = {
  { "", 1, "expected at least one run" },
  { "sim.csv", 1, "expected -o F.svg" },
  { "sim.csv -o x.jpg", 1, "x.jpg: expected a file name that ends in .svg, .png or .pdf" },
  { "sim.csv -o x.svg --phase lunch", 1, "--phase: found \"lunch\", expected one of alloc, host_write, upload" },
  { "sim.csv -o x.svg --quantity speed", 1, "--quantity: found \"speed\", expected one of bandwidth, time, ratio" },
  { "sim.csv -o x.svg --quantity ratio", 1, "--quantity ratio: found \"one run\", expected two" },
  { "sim.csv -o x.svg --style neon", 1, "--style: found \"neon\", expected one of screen, dark, print, projector" },
  { "sim.csv -o x.svg --size 1280", 1, "--size: found \"1280\", expected WIDTHxHEIGHT" },
  { "sim.csv -o x.svg --size 1280x720x3", 1, "--size" },
  { "sim.csv -o x.svg --size 20x20", 1, "from 160x120 to 16384x16384" },
  { "sim.csv -o x.svg --size 99999x720", 1, "--size" },
  { "sim.csv -o x.svg --size -640x360", 1, "--size" },
  { "sim.csv -o x.png --scale 0.5", 1, "--scale: found \"0.5\", expected a number from 1 to 8" },
  { "sim.csv -o x.png --size 16000x200 --scale 2", 1, "a figure of 16000" },
  { "sim.csv -o x.svg --width 85", 1, "--width: found \"85\", expected a width on paper" },
  { "sim.csv -o x.svg --width 9mm", 1, "--width: found \"9mm\", expected a width on paper from 43mm" },
  { "sim.csv -o x.svg --width 85mm --size 640x360", 1, "--width: found \"85mm\", expected either --width or --size" },
  { "sim.csv -o x.svg --caption maybe", 1, "--caption: found \"maybe\", expected on or off" },
  { "sim.csv -o x.svg --modes pined", 1, "--modes: found \"pined\", expected what the runs hold: pageable, pinned, mapped" },
  { "sim.csv -o x.svg --modes pinned,", 1, "--modes: found \"\"" },
  { "sim.csv -o x.svg --workload divide", 1, "--workload: found \"divide\", expected what the runs hold: vector-add" },
  { "sim.csv -o x.svg --fast", 1, "--fast" },
  { "missing.csv -o x.svg", 1, "missing.csv" },
  { "sim.csv missing.csv -o x.svg", 1, "missing.csv" },
  { "sim.csv -o no/such/folder/x.svg", 2, "no/such/folder/x.svg" },
  { "sim.csv -o x.svg --phase alloc", 2, "x.svg is not written" },
};

static void
test_wrong (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *line = g_strconcat ("plot ", wrong[i].arguments, NULL);
      g_auto (GStrv) arguments = g_strsplit (g_strchomp (line), " ", -1);

      run_arguments (self, NULL, (const char *const *) arguments);
      assert_status (self, wrong[i].status);
      g_assert_cmpstr (self->out, ==, "");
      assert_contains (self->err, "memlane-cli: ");
      assert_contains (self->err, wrong[i].message);
      g_assert_false (exists (self, "x.svg"));
      g_assert_false (exists (self, "x.png"));
    }
}

static void
test_output_trouble (Fixture *self, gconstpointer data)
{
  g_autofree char *full = in_folder (self, "full.svg"), *folder = in_folder (self, "folder.svg"), *locked = in_folder (self, "locked");
  g_autofree char *bad = in_folder (self, "bad.csv"), *kept = NULL;
  struct stat status;

  g_assert_cmpint (symlink ("/dev/full", full), ==, 0);
  FAILS (self, 2, "cannot write full.svg: No space left on device", "plot", "sim.csv", "-o", "full.svg");
  g_assert_cmpint (stat ("/dev/full", &status), ==, 0);
  g_assert_true (S_ISCHR (status.st_mode));

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  FAILS (self, 2, "it is a folder", "plot", "sim.csv", "-o", "folder.svg");

  g_assert_cmpint (g_mkdir (locked, 0500), ==, 0);
  if (access (locked, W_OK) != 0)
    {
      FAILS (self, 2, "locked", "plot", "sim.csv", "-o", "locked/x.svg");
    }
  else
    g_test_message ("root writes everywhere: the read-only folder is left out");

  /* A refused run leaves the figure of yesterday as it is. */
  EXITS (self, 0, "plot", "sim.csv", "-o", "kept.svg");
  g_assert_true (g_file_set_contents (bad, "not,a,run\n1,2,3\n", -1, NULL));
  FAILS (self, 1, "bad.csv:1", "plot", "bad.csv", "-o", "kept.svg");
  kept = read_file (self, "kept.svg", NULL);
  assert_contains (kept, "</svg>");
}

/* A timeline, recorded or read, and what is refused. */
static void
test_timeline (Fixture *self, gconstpointer data)
{
  g_autofree char *svg = NULL, *png = NULL;
  gsize length;

  EXITS (self, 0, "trace", "--device", "simulated:h200", "--mode", "pinned", "--size", "14", "--plot", "t.svg", "--json", "t.json");
  g_assert_cmpstr (self->out, ==, "");
  assert_contains (self->err, "written: t.svg");
  svg = read_file (self, "t.svg", &length);
  assert_contains (svg, "<title>Pinned · 2¹⁴ floats · NVIDIA H200 (simulated) · SIMULATED</title>");
  EXITS (self, 0, "trace", "--input", "t.json", "-o", "t.png", "--style", "dark", "--plot-size", "640x480", "--summary", "--quiet");
  g_assert_cmpstr (self->err, ==, "");
  assert_contains (self->out, "cudaMemcpy");
  png = read_file (self, "t.png", &length);
  g_assert_cmpuint (read_number (png + 16), ==, 640);
  g_assert_cmpuint (read_number (png + 20), ==, 480);
  EXITS (self, 0, "trace", "--input", "t.json");
  assert_contains (self->err, "vector-add, pinned, 2^14 floats: 14 events, recorded from simulated device");
  FAILS (self, 1, "ends in .svg, .png or .pdf", "trace", "--input", "t.json", "--plot", "t.gif");
  FAILS (self, 1, "--style: found \"loud\", expected one of screen", "trace", "--input", "t.json", "--plot", "t.svg", "--style", "loud");
  FAILS (self, 1, "--plot-size: found \"9x9\"", "trace", "--input", "t.json", "--plot", "t.svg", "--plot-size", "9x9");
  EXITS (self, 2, "trace", "--input", "t.json", "--plot", "nowhere/t.svg");
  FAILS (self, 1, "name the same file", "trace", "--input", "t.json", "--plot", "t.svg", "--json", "./t.svg");
}

#else

static void
test_no_figures (Fixture *self, gconstpointer data)
{
  FAILS (self, 2, "this build draws no figures", "plot", "sim.csv", "-o", "a.svg");
  assert_contains (self->err, "-Dchart=enabled");
  g_assert_false (exists (self, "a.svg"));
  FAILS (self, 2, "--plot: this build draws no figures", "trace", "--device", "simulated:h200", "--mode", "pinned", "--size", "10",
         "--plot", "a.svg");
}

#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
#ifdef MEMLANE_HAVE_CHART
  ADD ("/cli-plot/formats", test_formats);
  ADD ("/cli-plot/own-title", test_own_title);
  ADD ("/cli-plot/phases", test_phases);
  ADD ("/cli-plot/several", test_several);
  ADD ("/cli-plot/wrong", test_wrong);
  ADD ("/cli-plot/output-trouble", test_output_trouble);
  ADD ("/cli-plot/timeline", test_timeline);
#else
  ADD ("/cli-plot/no-figures", test_no_figures);
#endif
  return g_test_run ();
}
