/* test-cli-report.c: memlane-cli report as its users meet it: pages, messages, exit statuses
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli-fixture.h"

static void
test_usage (Fixture *self, gconstpointer data)
{
  FAILS (self, 1, "expected a run: memlane-cli report RUN.csv -o F.html", "report");
  FAILS (self, 1, "expected -o F.html", "report", "@h200-fill.csv");
}

#ifdef MEMLANE_HAVE_CHART

static void
test_page (Fixture *self, gconstpointer data)
{
  g_autofree char *path = in_folder (self, "f.html"), *html = NULL;

  EXITS (self, 0, "report", "@h200-vector-add.csv", "-o", "f.html");
  g_assert_cmpstr (self->out, ==, "");
  g_assert_cmpstr (self->err, ==, "written: f.html\n");
  g_assert_true (g_file_get_contents (path, &html, NULL, NULL));
  assert_contains (html, "<title>Memlane: h200-vector-add</title>");
  assert_contains (html, "NVIDIA H200");
  g_assert_null (strstr (html, "SIMULATED:"));

  EXITS (self, 0, "report", "@h200-vector-add.csv", "-o", "-");
  g_assert_true (g_str_equal (self->out, html)); /* a megabyte is nothing to print */

  /* The same whatever the locale. */
  RUN_IN (self, "de_DE.UTF-8", "report", "@h200-vector-add.csv", "-o", "-");
  g_assert_true (g_str_equal (self->out, html));
}

static void
test_simulated (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "sweep", "--device", "simulated:h200", "--modes", "pinned,system", "--sizes", "10:12", "--csv", "sim.csv", "--quiet");
  EXITS (self, 0, "report", "sim.csv", "-o", "-", "--workload", "vector-add");
  assert_contains (self->out, "<title>Memlane: sim, SIMULATED</title>");
  assert_contains (self->out, "pageableMemoryAccess");
}

/* A timeline and an experiment, without any run. */
static void
test_lecture (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "report", "--trace", "@traces/h200-pageable-2p20.json", "--experiment", "device-query", "--device", "simulated:h200",
         "-o", "-");
  assert_contains (self->out, "<title>Memlane: experiments and timelines, SIMULATED</title>");
  assert_contains (self->out, "<div class=\"live-timeline\"></div>\n<figure class=\"still\">");
  assert_contains (self->out, "\"The host calls cudaMemcpy.\"");
  assert_contains (self->out, "<li>Copies from or to pageable memory (12 MiB) are staged");
  assert_contains (self->out, "<legend>How many copy engines does this device have?</legend>\n<label><input ");
  assert_contains (self->out, "<details class=\"reveal\" data-right=\"1\"><summary>Reveal</summary>");
  assert_contains (self->out, "<li>Kernels can run concurrently. <strong>supported on this device</strong></li>");
  g_assert_null (strstr (self->out, "What would save time")); /* one of our modes */
}

/* Somebody's program: what would save it time, with the code; its names are escaped. */
static void
test_program (Fixture *self, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("{\"deviceProperties\":[{\"name\":\"NVIDIA H200\"}],\"traceEvents\":[");
  g_autofree char *path = in_folder (self, "program.json");

  for (guint i = 1; i <= 40; i++)
    g_string_append_printf (text,
                            "%s{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD (Pageable -> Device)\",\"pid\":0,\"tid\":7,"
                            "\"ts\":%u,\"dur\":900,\"args\":{\"stream\":7,\"bytes\":4194304,\"correlation\":%u}},"
                            "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaMemcpy (<main>.cu:7)\",\"pid\":9,\"tid\":9,"
                            "\"ts\":%u,\"dur\":950,\"args\":{\"correlation\":%u}}", i > 1 ? "," : "", 1000 * i + 20, i, 1000 * i, i);
  g_string_append (text, "]}");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  EXITS (self, 0, "report", "--trace", "program.json", "-o", "-");
  assert_contains (self->out, "<h3>What would save time</h3>\n<p>Of 40.0 ms, bytes move between host and device for 36.0 ms (90");
  assert_contains (self->out, "Costs are those of NVIDIA H200, as run ");
  assert_contains (self->out, "<h4>Page-lock the memory of cudaMemcpy (&lt;main&gt;.cu:7) (copies: 40): saves ");
  assert_contains (self->out, " of 40.0 ms.</h4>");
  assert_contains (self->out, "<p>Page-lock the host&apos;s memory of cudaMemcpy (&lt;main&gt;.cu:7). Its copies (40, 160 MiB in all)");
  assert_contains (self->out, "<pre>p = malloc (bytes);\n→\np = malloc (bytes); memset (p, 0, bytes); cudaHostRegister (p, bytes, 0);");
}

/* Questions, and answers with the figures of the window's lesson. */
static void
test_lesson (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "report", "--lesson", "zero-copy", "--device", "simulated:h200", "-o", "-");
  assert_contains (self->out, "<title>Memlane: Copy first, or read over the link?, SIMULATED</title>");
  assert_contains (self->out, "<section class=\"lesson\" data-lesson=\"zero-copy\">\n<h2>Copy first, or read over the link?</h2>");
  assert_contains (self->out, "<p>Where are the copies of the second program?</p>\n<figure>");
  assert_contains (self->out, "<label><input type=\"radio\" name=\"e3\" value=\"1\"/> <span>Zero-copy</span></label>");
  assert_contains (self->out, "<details class=\"reveal\" data-right=\"1\">");
  assert_contains (self->out, "<p>Not on this device: at 2²⁰, zero-copy is 2.");
  assert_contains (self->out, "driver 580.159.04 · 2026-11-22</text>"); /* no number that may be shortened */
  assert_contains (self->out, "style=\"fill:var(--figure-name-1)\" xml:space=\"preserve\">Pinned 280 µs"); /* legible in the dark */
  FAILS (self, 1, "no-such is neither a file nor one of the lessons, which the package memlane-data has",
         "report", "--lesson", "no-such", "-o", "f.html");
}

/* The answers of a class: bars beside the choices. */
static void
test_answers (Fixture *self, gconstpointer data)
{
  g_autofree char *one = in_folder (self, "1.answers"), *two = in_folder (self, "2.answers");

  g_assert_true (g_file_set_contents (one, "[Answers]\nlesson=managed-memory\nid=1\n[Step 2]\nchoice=2\n", -1, NULL));
  g_assert_true (g_file_set_contents (two, "[Answers]\nlesson=managed-memory\nid=2\n[Step 2]\nchoice=3\n", -1, NULL));
  EXITS (self, 0, "report", "--lesson", "managed-memory", "--answers", "1.answers", "--answers", "2.answers", "--device", "simulated:h200",
         "-o", "-");
  assert_contains (self->out, "<tr><th scope=\"row\">It waits for pages</th><td class=\"wide\"><div class=\"bar class\" "
                              "style=\"width: 50%\"></div></td><td>1</td></tr>");
  FAILS (self, 1, "1.answers: these answers are counted already", "report", "--lesson", "managed-memory", "--answers", "1.answers",
         "--answers", "1.answers", "-o", "-");
  FAILS (self, 1, "1.answers:2: [Answers] lesson: found 'managed-memory', expected zero-copy", "report", "--lesson", "zero-copy",
         "--answers", "1.answers", "-o", "-");
  FAILS (self, 1, "--answers: expected one --lesson", "report", "--answers", "1.answers", "@h200-fill.csv", "-o", "-");
}

/* A page for each question and one for each answer. */
static void
test_handout (Fixture *self, gconstpointer data)
{
  g_autofree char *command = g_strdup_printf ("pdfinfo '%s/f.pdf'", self->folder), *said = NULL;

  EXITS (self, 0, "report", "--lesson", "zero-copy", "-e", "managed", "--device", "simulated:h200", "-o", "f.pdf");
  g_assert_true (g_spawn_command_line_sync (command, &said, NULL, NULL, NULL)); /* the package poppler-utils */
  assert_contains (said, "Pages:           10\n"); /* four steps and an experiment */
  FAILS (self, 1, "a .pdf has lessons and experiments", "report", "@h200-fill.csv", "-o", "f.pdf");
}

/* Two files of one workload: each can be compared with the other. */
static void
test_several (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "report", "@h200-fill.csv", "@h200-fill-large.csv", "-o", "-");
  assert_contains (self->out, "<title>Memlane: h200-fill and 1 more run</title>");
  assert_contains (self->out, "<div class=\"live-curves\" data-part=\"1\"></div>");
}

static void
test_refused (Fixture *self, gconstpointer data)
{
  FAILS (self, 1, "no.csv", "report", "no.csv", "-o", "f.html");
  FAILS (self, 1, "no.json", "report", "@h200-fill.csv", "--trace", "no.json", "-o", "f.html");
  FAILS (self, 1, "no-such", "report", "@h200-fill.csv", "--experiment", "no-such", "-o", "f.html");
  FAILS (self, 1, "; expected en or zh_CN, which the package memlane-data has", "report", "@h200-fill.csv",
         "--language", "tlh", "-o", "f.html");
  FAILS (self, 1, "README.md:1: ", "report", "@README.md", "-o", "f.html");
  FAILS (self, 1, "-o: found \"f.svg\", expected a file name that ends in .html, in .pdf, or -", "report", "@h200-fill.csv", "-o", "f.svg");
  FAILS (self, 1, "--workload: found \"copy-to-host\", which ", "report", "@h200-fill.csv", "-o", "f.html", "--workload", "copy-to-host");
  FAILS (self, 2, "cannot write no/such/f.html", "report", "@h200-fill.csv", "-o", "no/such/f.html");
  g_assert_false (exists (self, "f.html"));
  g_assert_false (exists (self, "f.svg"));
}

static void
test_full (Fixture *self, gconstpointer data)
{
  g_autofree char *link = in_folder (self, "full.html");
  g_autoptr (GFile) file = g_file_new_for_path (link);

  g_assert_true (g_file_make_symbolic_link (file, "/dev/full", NULL, NULL));
  FAILS (self, 2, "cannot write full.html: ", "report", "@h200-fill.csv", "-o", "full.html");
}

#else

static void
test_no_figures (Fixture *self, gconstpointer data)
{
  FAILS (self, 2, "draws no figures", "report", "@h200-fill.csv", "-o", "f.html");
  g_assert_false (exists (self, "f.html"));
}

#endif

#define ADD(path, function) g_test_add ("/cli-report/" path, Fixture, NULL, make_folder, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("MEMLANE_CLI"));
  ADD ("usage", test_usage);
#ifdef MEMLANE_HAVE_CHART
  ADD ("page", test_page);
  ADD ("simulated", test_simulated);
  ADD ("lecture", test_lecture);
  ADD ("program", test_program);
  ADD ("lesson", test_lesson);
  ADD ("answers", test_answers);
  ADD ("handout", test_handout);
  ADD ("several", test_several);
  ADD ("refused", test_refused);
  ADD ("full", test_full);
#else
  ADD ("no-figures", test_no_figures);
#endif
  return g_test_run ();
}
