/* test-cli-decide.c: memlane-cli decide as its users meet it: what it says, messages, exit statuses
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli-fixture.h"

static guint
count_lines (const char *text)
{
  guint lines = 0;

  for (; *text != '\0'; text++)
    lines += *text == '\n';
  return lines;
}

static void
test_recorded (Fixture *self, gconstpointer data)
{
  g_autofree char *plain = NULL;

  /* The answer and its evidence. */
  EXITS (self, 0, "decide", "@h200-vector-add.csv", "--size", "15");
  g_assert_true (g_str_has_prefix (self->out, "2^15 floats (128 KiB a vector), reuse 1, copies both ways, with host access: use mapped, "));
  assert_contains (self->out, "\n  Next is pinned-async (Pinned): ");
  assert_contains (self->out, "\n  Measured: a wrong choice costs 0 % on average.\n");
  assert_contains (self->out, "\n  managed-static takes 9.79 times as long.\n");
  g_assert_cmpuint (count_lines (self->out), <=, 1 + 6);

  EXITS (self, 0, "decide", "@h200-vector-add.csv", "--size", "20", "--count", "transfer", "--all");
  assert_contains (self->out, "\n     1  E   E   E ");
  assert_contains (self->out, " of 132 places are open (");
  assert_contains (self->out, "At the 11 measured ones the choice takes at most 0.0 % longer than the fastest (2^10, reuse 1).");
  assert_contains (self->out, "     p  10  11  12");
  assert_contains (self->out,
                   "2^20 floats (4 MiB a vector), reuse 1, copies both ways, transfer and kernel: use mapped, 206 us (202 to 214).");
  assert_contains (self->out, "pinned is faster than pageable above 2^12.7 (2^12 to 2^13) floats.");
  assert_contains (self->out, "managed takes at least ");
  assert_contains (self->out, "\nPrice of page-locking\n  Page-locking as in pinned takes ");
  g_assert_null (strstr (self->out, "Latency and bandwidth"));
  assert_contains (self->err, "note: 60 of 209 total times are noisy");
  g_assert_null (strstr (self->out, "SIMULATED"));
  plain = g_strdup (self->out);
  RUN_IN (self, "de_DE.UTF-8", "decide", "@h200-vector-add.csv", "--count", "transfer", "--all");
  g_assert_cmpstr (self->out, ==, plain); /* whatever the locale; and 2^20 is the largest size */

  EXITS (self, 0, "decide", "@h200-vector-add.csv", "--size", "16", "--reuse", "100", "--direction", "to-device");
  assert_contains (self->out, "2^16 floats (256 KiB a vector), reuse 100, copies to the device only, with host access: ");
  assert_contains (self->out, "Estimated: the time at a reuse of 1, plus 99 further kernels.");

  EXITS (self, 2, "decide", "@h200-vector-add.csv", "--size", "24");
  assert_contains (self->out, "Not enough data for 2^24 floats. The runs hold 2^10, 2^11");
}

/* Runs of several numbers of pieces are a map of their sizes by their numbers; one of them alone says what is missing. */
static void
test_pieces (Fixture *self, gconstpointer data)
{
  g_autofree char *path = in_folder (self, "pieces.svg"), *svg = NULL;

  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--workload", "pieces-to-device", "--modes", "pinned-async,mapped-shaped",
         "--rounds", "1", "--chunks", "16", "--sizes", "12:20", "--csv", "few.csv");
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--workload", "pieces-to-device", "--modes", "pinned-async,mapped-shaped",
         "--rounds", "1", "--chunks", "256", "--sizes", "14:16", "--csv", "many.csv");
  EXITS (self, 0, "decide", "few.csv", "--all");
  assert_contains (self->err, "note: All measurements have 16 pieces. For a map of pieces, sweep again with another number (--chunks)");
  assert_contains (self->out, "\n     p  10  11  12  13  14  15  16  17  18\n    16  A ");
  EXITS (self, 0, "decide", "few.csv", "many.csv", "--size", "16", "--all");
  g_assert_null (strstr (self->err, "All measurements have"));
  g_assert_null (strstr (self->err, "were ignored. They have another number of streams"));
  assert_contains (self->out, "\npieces  way to use for pieces of 2^p bytes\n     p   8   9  10  11  12  13  14  15  16  17  18\n");
  assert_contains (self->out, "\n   256  A   A   A    .    .    .    .    .    .    .    . \n    16   .    .   A ");
  assert_contains (self->out, "\n  16 pieces, 1 KiB to ");
  assert_contains (self->out, "\n  256 pieces, 256 bytes to 1 KiB each: mapped-shaped, ");
  assert_contains (self->out, "16 pieces of 16 KiB, with host access: ");
  EXITS (self, 0, "decide", "few.csv", "many.csv", "--map", "--plot", "pieces.svg", "--csv", "-");
  g_assert_null (strstr (self->err, "chunks: "));
  assert_contains (self->out, "contest,answer,pieces\nsimulated:h200,simulated,pieces-to-device,both,14,16384,65536,1,");
  assert_contains (self->out, ",certain,16\n");
  assert_contains (self->out, ",certain,256\n");
  g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
  assert_contains (svg, ">Number of pieces<");
}

/* An idle device gathers by a kernel, a busy one copies by a batch. Each tells the other. */
static void
test_backgrounds (Fixture *self, gconstpointer data)
{
#define SWEEP(...) \
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--workload", "pieces-to-device", \
         "--modes", "pinned-batch,mapped-shaped", "--chunks", "64", "--sizes", "16:18", __VA_ARGS__)
  SWEEP ("--csv", "idle.csv");
  SWEEP ("--csv", "busy.csv", "--beside", "compute", "--busy", "100");
#undef SWEEP
  EXITS (self, 0, "decide", "idle.csv", "busy.csv", "--all");
  assert_contains (self->out, "64 pieces of 16 KiB, with host access: use mapped-shaped on the "
                              "simulated device, ");
  assert_contains (self->out, "\n  pinned-batch while 100 % of the multiprocessors compute: ");
  assert_contains (self->out, "\n  From 64 pieces of 4 KiB on: pinned-batch while 100 % of the "
                              "multiprocessors compute: ");
  g_assert_null (strstr (self->err, "note: All times were measured"));
  g_assert_null (strstr (self->err, "stream modes"));
  EXITS (self, 0, "decide", "busy.csv", "idle.csv", "--csv", "map.csv");
  assert_contains (self->err, "note: All times were measured while 100 % of the multiprocessors "
                              "compute.");
  assert_contains (self->out, "with host access: use pinned-batch on the simulated device while "
                              "100 % of the multiprocessors compute, ");
  assert_contains (self->out, "\n  mapped-shaped while nothing else runs: ");
  EXITS (self, 0, "decide", "busy.csv", "idle.csv", "--csv", "-");
  g_assert_true (g_str_has_suffix (self->out, ",certain,64,compute,100\n"));
  assert_contains (self->out, ",contest,answer,pieces,beside,busy\n");
  EXITS (self, 0, "decide", "busy.csv", "--json");
  assert_contains (self->out, "\"beside\" : \"compute\",\n  \"busy\" : 100,");
}

/* All three recordings: the goal, and the sweep that settles what is left. */
static void
test_reuses (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "decide", "@h200-vector-add.csv", "@h200-vector-add-reuse16.csv", "@h200-vector-add-reuse256.csv", "--size", "256KiB",
         "--all");
  assert_contains (self->out, "At the 33 measured ones the choice takes at most ");
  EXITS (self, 0, "decide", "@h200-vector-add.csv", "--size", "13", "--reuse", "16", "--count", "transfer");
  assert_contains (self->out, "probably mapped");
  assert_contains (self->out, "Measure this reuse: memlane-cli sweep --device cuda:0 --modes ");
  assert_contains (self->out, " --sizes 13:13 --reuse 16 --csv more.csv");
}

static void
test_map (Fixture *self, gconstpointer data)
{
  g_autofree char *path = in_folder (self, "map.csv"), *map = NULL;

  EXITS (self, 0, "decide", "@h200-vector-add.csv", "--map");
  assert_contains (self->out, "  2048  ");
  g_assert_null (strstr (self->out, "Recommendation"));
  EXITS (self, 0, "decide", "@h200-vector-add.csv", "--map", "--csv", "map.csv");
  g_assert_true (g_file_get_contents (path, &map, NULL, NULL));
  assert_contains (map, "device,device_kind,workload,direction,log2_elements,elements,bytes,reuse,mode,way,predicted_ns,low_ns,high_ns,");
  assert_contains (map, "\ncuda:0,cuda,vector-add,both,20,1048576,4194304,1,mapped,zero-copy,19");
  EXITS (self, 0, "decide", "@h200-vector-add.csv", "--csv", "-");
  g_assert_true (g_str_equal (self->out, map));
}

static void
test_simulated (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pageable,pinned", "--sizes", "12:14", "--csv", "sim.csv", "--quiet");
  EXITS (self, 0, "decide", "sim.csv", "--all");
  assert_contains (self->out, "SIMULATED");
  assert_contains (self->out, " on the simulated device, ");
  assert_contains (self->err, "note: No estimate for managed modes: managed, managed-static, managed-prefetch, managed-advised and system "
                              "were not measured.");

  /* Another machine is left out, with a word, whichever comes first. */
  EXITS (self, 0, "decide", "@h200-vector-add.csv", "sim.csv");
  assert_contains (self->err, ", from another machine than ");
  g_assert_null (strstr (self->out, "simulated"));
  RUN (self, "decide", "sim.csv", "@h200-vector-add.csv");
  assert_contains (self->err, ", from another machine than ");
  assert_contains (self->out, "simulated");

  /* A second run at another reuse makes that one measured. */
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pageable,pinned", "--sizes", "12:14", "--reuse", "8", "--csv",
         "more.csv", "--quiet");
  EXITS (self, 0, "decide", "sim.csv", "more.csv", "--size", "14", "--reuse", "8");
  g_assert_null (strstr (self->err, "ignored"));
  g_assert_null (strstr (self->out, "Estimated"));
  RUN (self, "decide", "sim.csv", "--size", "14", "--reuse", "8");
  assert_contains (self->out, "Estimated: the time at a reuse of 1, plus 7 further kernels.");
}

typedef struct
{
  const char *arguments; /* by blanks, after "decide" */
  int status;
  const char *message;   /* part of what standard error must say */
} Wrong;

static const Wrong wrong[] = {
  { "", 1, "expected at least one run" },
  { "missing.csv", 1, "missing.csv" },
  { "@h200-vector-add.csv missing.csv", 1, "missing.csv" },
  { "@h200-vector-add.csv --size 3", 1, "--size: found \"3\", expected a vector of 2^4 to 2^34 floats: 20, 2^20, 100000, 1M or 4MiB" },
  { "@h200-vector-add.csv --reuse 0", 1, "--reuse: found \"0\", expected a whole number from 1" },
  { "@h200-vector-add.csv --reuse many", 1, "--reuse" },
  { "@h200-vector-add.csv --reuse 1000001", 1, "--reuse: found \"1000001\", expected a whole number from 1 to 1000000" },
  { "@h200-vector-add.csv --direction sideways", 1, "--direction: found \"sideways\", expected one of both, to-device, to-host" },
  { "@h200-vector-add.csv --size 4QiB", 1, "--size: found \"4QiB\"" },
  { "@h200-vector-add.csv --count money", 1, "--count: found \"money\", expected one of transfer, host, allocation" },
  { "@h200-vector-add.csv --uses 3", 1, "--uses: allocation does not count; expected --count allocation" },
  { "@h200-vector-add.csv --fast", 1, "--fast" },
  { "@h200-vector-add.csv --workload fill", 2, "has no total time of fill" },
  { "@h200-vector-add.csv --csv no/such/folder/map.csv", 2, "no/such/folder/map.csv" },
  { "@h200-vector-add.csv --csv /dev/full", 2, "/dev/full" },
  { "bad.csv", 1, "bad.csv:1" },
};

static void
test_wrong (Fixture *self, gconstpointer data)
{
  g_autofree char *bad = in_folder (self, "bad.csv");

  g_assert_true (g_file_set_contents (bad, "not,a,run\n1,2,3\n", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *line = g_strconcat ("decide ", wrong[i].arguments, NULL);
      g_auto (GStrv) arguments = g_strsplit (g_strchomp (line), " ", -1);

      run_arguments (self, NULL, (const char *const *) arguments);
      assert_status (self, wrong[i].status);
      g_assert_cmpstr (self->out, ==, "");
      assert_contains (self->err, wrong[i].message);
    }
  FAILS (self, 1, "bad.csv is a run; expected another name", "decide", "bad.csv", "--csv", "bad.csv");
}

/* The map as a figure: in each format, of the size that is asked for; with the rest of the output, and the CSV, or without. */
#ifdef MEMLANE_HAVE_CHART
static void
test_plot (Fixture *self, gconstpointer data)
{
  static const char *const starts[] = { "map.svg", "<?xml", "map.PNG", "\x89PNG", "map.pdf", "%PDF" };
  static const Wrong refused[] = {
    { "@h200-vector-add.csv --plot map.txt", 1, "expected a file name that ends in .svg, .png or .pdf" },
    { "@h200-vector-add.csv --plot map.svg --style nice", 1, "--style: found \"nice\", expected one of screen, dark" },
    { "@h200-vector-add.csv --plot map.svg --plot-size 10", 1, "--plot-size: found \"10\", expected WIDTHxHEIGHT" },
    { "@h200-vector-add.csv --style dark", 1, "--style: there is no figure; expected --plot" },
    { "@h200-vector-add.csv --plot-size 640x360", 1, "--plot-size: there is no figure; expected --plot" },
    { "@h200-vector-add.csv --plot map.svg --csv map.svg", 1, "name the same file map.svg; expected two" },
    { "@h200-vector-add.csv --plot no/such/folder/map.svg", 2, "no/such/folder/map.svg" },
    { "@h200-vector-add.csv --plot none.svg --workload fill", 2, "not enough data" },
  };
  g_autofree char *none = in_folder (self, "none.svg"), *svg_path = in_folder (self, "map.svg"), *png_path = in_folder (self, "map.PNG");
  g_autofree char *plain = NULL, *svg = NULL, *png = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *line = g_strconcat ("decide ", refused[i].arguments, NULL);
      g_auto (GStrv) arguments = g_strsplit (line, " ", -1);

      run_arguments (self, NULL, (const char *const *) arguments);
      assert_status (self, refused[i].status);
      g_assert_cmpstr (self->out, ==, "");
      assert_contains (self->err, refused[i].message);
    }
  g_assert_false (g_file_test (none, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (svg_path, G_FILE_TEST_EXISTS));

  RUN (self, "decide", "@h200-vector-add.csv", "--map");
  plain = g_strdup (self->out);
  for (guint i = 0; i < G_N_ELEMENTS (starts); i += 2)
    {
      g_autofree char *path = in_folder (self, starts[i]), *text = NULL, *written = g_strdup_printf ("written: %s\n", starts[i]);

      EXITS (self, 0, "decide", "@h200-vector-add.csv", "--map", "--plot", starts[i], "--style", "print", "--plot-size", "640x360");
      g_assert_cmpstr (self->out, ==, plain);
      assert_contains (self->err, written);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_true (g_str_has_prefix (text, starts[i + 1]));
    }
  g_assert_true (g_file_get_contents (svg_path, &svg, NULL, NULL));
  assert_contains (svg, "width=\"640px\" height=\"360px\"");
  assert_contains (svg, "Mode to use · Vector addition");
  g_assert_true (g_file_get_contents (png_path, &png, NULL, NULL));
  g_assert_cmpint (memcmp (png + 16, "\0\0\x02\x80\0\0\x01\x68", 8), ==, 0); /* 640, 360 */

  EXITS (self, 0, "decide", "@h200-vector-add.csv", "--csv", "-", "--plot", "again.svg");
  assert_contains (self->out, "device,device_kind,workload");
  assert_contains (self->err, "written: again.svg");
}
#else
static void
test_plot (Fixture *self, gconstpointer data)
{
  FAILS (self, 2, "this build draws no figures", "decide", "@h200-vector-add.csv", "--plot", "map.svg");
}
#endif

/* Other workloads: what can be told is, the rest is said. */
static void
test_copies (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "decide", "@h200-copy-to-device.csv", "--direction", "to-host", "--all");
  assert_contains (self->err, "note: In copy-to-device reuse repeats the whole transfer.");
  assert_contains (self->out, "copy-to-device, direction both");
  assert_contains (self->out, "     2   . ");
  EXITS (self, 0, "decide", "@h200-copy-kernel.csv", "--size", "16", "--reuse", "4");
  assert_contains (self->out, "2^16 floats (256 KiB a vector), reuse 4");
}

/* A size as people write it is the nearest of a sweep. */
static void
test_sizes (Fixture *self, gconstpointer data)
{
  static const char *const sizes[][2] = {
    { "16", "2^16" }, { "2^16", "2^16" }, { "65536", "2^16" }, { "256KiB", "2^16" }, { "0.25MiB", "2^16" }, { "65k", "2^16" }, { "1M",
        "2^20" },
    { "4MiB", "2^20" }, { "100000", "2^17" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *start = g_strdup_printf ("%s floats (", sizes[i][1]);

      EXITS (self, 0, "decide", "@h200-vector-add.csv", "--size", sizes[i][0]);
      if (!g_str_has_prefix (self->out, start))
        g_error ("--size %s: expected %s, found %s", sizes[i][0], sizes[i][1], self->out);
    }
  assert_contains (self->err, "note: --size: 100000 floats were not measured; the nearest power of two is 2^17");
}

/* Sizes that are no powers of two are places of the map, of the crossovers and of the advice. */
static void
test_odd_sizes (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pageable,pinned,mapped", "--sizes", "1920,30000,100000,400000",
         "--csv", "odd.csv");
  EXITS (self, 0, "decide", "odd.csv", "--size", "100000", "--count", "transfer");
  g_assert_true (g_str_has_prefix (self->out, "100000 floats (391 KiB a vector), reuse 1"));
  RUN (self, "decide", "odd.csv", "--all");
  assert_contains (self->out, "1920");
  assert_contains (self->out, "     p 10.9 14.9 16.6 18.6");
  RUN (self, "decide", "odd.csv", "--size", "7000");
  assert_contains (self->err, "note: --size: 7000 floats were not measured; the nearest power of two is 2^13");
  EXITS (self, 0, "decide", "odd.csv", "--map", "--csv", "map.csv");
}

static void
test_json (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "decide", "@h200-vector-add.csv", "--size", "15", "--count", "allocation", "--uses", "100", "--json");
  assert_contains (self->out, "\"count\" : \"allocation\"");
  assert_contains (self->out, "\"uses\" : 100");
  assert_contains (self->out, "\"log2_elements\" : 15");
  assert_contains (self->out, "\"mode\" : \"mapped\"");
  assert_contains (self->out, "\"expected_loss\" : ");
  assert_contains (self->out, "\"tied\" : [");
  assert_contains (self->out, "\"slowest_ratio\" : ");
  g_assert_null (strstr (self->out, "no_difference"));
  EXITS (self, 0, "decide", "@h200-vector-add.csv", "--size", "20");
  assert_contains (self->out, ": mapped and streams-depth-first tie within 3 %. Take mapped, 1.91 ms");
  EXITS (self, 2, "decide", "@h200-vector-add.csv", "--size", "24", "--json");
  assert_contains (self->out, "\"mode\" : null");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, make_folder, function, tear_down)
  ADD ("/cli-decide/recorded", test_recorded);
  ADD ("/cli-decide/reuses", test_reuses);
  ADD ("/cli-decide/pieces", test_pieces);
  ADD ("/cli-decide/backgrounds", test_backgrounds);
  ADD ("/cli-decide/map", test_map);
  ADD ("/cli-decide/simulated", test_simulated);
  ADD ("/cli-decide/wrong", test_wrong);
  ADD ("/cli-decide/copies", test_copies);
  ADD ("/cli-decide/sizes", test_sizes);
  ADD ("/cli-decide/odd-sizes", test_odd_sizes);
  ADD ("/cli-decide/json", test_json);
  ADD ("/cli-decide/plot", test_plot);
  return g_test_run ();
}
