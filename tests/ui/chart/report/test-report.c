/* test-report.c: a run as one HTML page: what stands in it, that it is well-formed, stands alone and escapes all that comes from a file
 *
 * SPDX-License-Identifier: MIT
 */
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#include "chart/chart.h"
#include "chart/markup.h"
#include "chart/report/report.h"
#include "engine/set-environment.h"
#include "result/csv.h"

static GPtrArray *
read_recording (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_DATA_DIR"), "recordings", name, NULL);
  GPtrArray *runs = memlane_csv_read (path, NULL, &error);

  g_assert_no_error (error);
  return runs;
}

static char *
report_on_all (const MemlaneChartRun *runs, guint n_runs, const char *workload)
{
  g_autoptr (MemlaneReportSource) source = memlane_report_source_new ();
  g_autoptr (GError) error = NULL;
  char *html;

  for (guint i = 0; i < n_runs; i++)
    {
      g_ptr_array_add (source->runs, memlane_run_ref (runs[i].run));
      g_ptr_array_add (source->names, g_strdup (runs[i].name));
    }
  source->workload = g_strdup (workload);
  html = memlane_report_to_html (source, &error);
  g_assert_no_error (error);
  g_assert_nonnull (html);
  return html;
}

static char *
report_on (MemlaneRun *run, const char *name, const char *workload)
{
  return report_on_all (&(const MemlaneChartRun) { run, name }, 1, workload);
}

static guint
count (const char *text, const char *part)
{
  guint n = 0;

  for (const char *at = strstr (text, part); at != NULL; at = strstr (at + strlen (part), part))
    n++;
  return n;
}

static void
assert_contains_at (int line, const char *html, const char *part)
{
  if (strstr (html, part) == NULL)
    g_error ("line %d: \"%s\" is not in the page", line, part);
}
#define assert_contains(html, part) assert_contains_at (__LINE__, html, part)

/* The page without its two scripts, of which the second is the policy's. */
static char *
assert_scripts (const char *html)
{
  const char *data = strstr (html, "<script type=\"application/json\" id=\"memlane-data\">{");
  const char *script = strstr (html, "</script>\n<script>"), *end;
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *hash = NULL, *policy = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  guint8 digest[32];
  gsize length = sizeof digest;

  g_assert_nonnull (data);
  g_assert_nonnull (script);
  data = strchr (data, '{');
  json_parser_load_from_data (parser, data, script - data, &error);
  g_assert_no_error (error);
  for (const char *p = data; p < script; p++)
    g_assert_true (*p != '<' && *p != '>' && *p != '&');
  script += strlen ("</script>\n<script>");
  end = strstr (script, "</script>");
  g_checksum_update (checksum, (const guchar *) script, end - script);
  g_checksum_get_digest (checksum, digest, &length);
  hash = g_base64_encode (digest, length);
  policy = g_strdup_printf ("content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-%s'\"", hash);
  g_assert_cmpuint (count (html, policy), ==, 1);
  g_assert_cmpuint (count (html, "<script"), ==, 2);
  return g_strndup (html, (gsize) (data - strlen ("<script type=\"application/json\" id=\"memlane-data\">") - html));
}

/* xmllint reads it as XML; nothing in it points outside; no two elements have one id, and every reference has its target. */
static void
assert_sound (const char *page)
{
  g_autofree char *html = assert_scripts (page);
  static const char *const fetching[] = { "<script", "<img", "<image", "<link", "<iframe", "<object", "<embed", "@import" };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL, *said = NULL;
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GRegex) id = g_regex_new ("\\bid=\"([^\"]*)\"", 0, 0, NULL);
  g_autoptr (GRegex) reference = g_regex_new ("(?:href=\"#|url\\(#)([^\")]*)", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL, referred = NULL;
  int fd = g_file_open_tmp ("memlane-report-XXXXXX.html", &path, &error), status;
  const char *argv[] = { "xmllint", "--noout", "--nonet", path, NULL };

  g_assert_no_error (error);
  close (fd);
  g_assert_true (g_file_set_contents (path, page, -1, &error));
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &said, &status, &error));
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("the page is not well-formed: %.2000s", said);
  unlink (path);

  for (guint i = 0; i < G_N_ELEMENTS (fetching); i++)
    g_assert_null (strstr (html, fetching[i]));
  g_assert_cmpuint (count (html, "url("), ==, count (html, "url(#"));
  /* The names of namespaces, and the word of the policy that lets a page fetch nothing. */
  g_assert_cmpuint (count (html, "http"), ==, count (html, "http://www.w3.org/") + count (html, "http-equiv"));
  for (g_regex_match (id, html, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    if (!g_hash_table_add (ids, g_match_info_fetch (match, 1)))
      g_error ("two elements have the id %s", g_match_info_fetch (match, 1));
  for (g_regex_match (reference, html, 0, &referred); g_match_info_matches (referred); g_match_info_next (referred, NULL))
    {
      g_autofree char *target = g_match_info_fetch (referred, 1);

      if (!g_hash_table_contains (ids, target))
        g_error ("%s is referred to and not there", target);
    }
}

static void
test_recorded (void)
{
  g_autoptr (GPtrArray) runs = read_recording ("h200-vector-add.csv");
  g_autofree char *html = report_on (runs->pdata[0], "my <run>", NULL), *still = assert_scripts (html);

  assert_sound (html);
  g_assert_true (g_str_has_prefix (html, "<!DOCTYPE html>\n"));
  g_assert_true (g_str_has_suffix (html, "</html>\n"));
  assert_contains (html, "<title>Memlane: my &lt;run&gt;</title>");
  assert_contains (html, "<h2>Vector addition</h2>");
  g_assert_null (strstr (still, "SIMULATED"));

  assert_contains (html, "<tr><th scope=\"row\">Device</th><td>NVIDIA H200</td></tr>");
  assert_contains (html, "<tr><th scope=\"row\">Driver</th><td>580.159.04</td></tr>");
  assert_contains (html, "<td>63.0 GB/s</td>");
  assert_contains (html, "<tr><th scope=\"row\">Precision asked for</th><td>20 %</td></tr>");
  assert_contains (html, "A round is a fresh process that measures every cell once");

  assert_contains (html, "<li>209 measurements.</li>\n<li>60 total times are noisy: ");
  assert_contains (html, "<li>Check passed: 22 pairs of identical modes show no difference.</li>");
  assert_contains (html, "<li>11 measurements, System memory: unsupported: needs pageableMemoryAccess, which is 0 on this device</li>");

  /* The answer comes first, then four figures, each drawn once: its colours are variables of the page. */
  assert_contains (html,
                   "<p class=\"answer\">Zero-copy is fastest at every size; Pageable takes 6.2 times as long at 4 MiB.</p>\n"
                   "<div class=\"live-curves\" data-part=\"0\"></div>\n<div class=\"live-decide\" data-part=\"0\"></div>\n"
                   "<figure class=\"still\">");
  g_assert_cmpuint (count (html, "<svg "), ==, 4);
  assert_contains (html, "role=\"img\" aria-describedby=\"f0-words\" aria-label=\"Vector addition · total time · bandwidth\"><svg ");
  assert_contains (html, "<figcaption>Bandwidth of every mode, family by family.</figcaption>");
  g_assert_cmpuint (count (html, "var(--figure-background)"), >, 3);
  g_assert_cmpuint (count (html, "--figure-family-6:"), ==, 2); /* light and dark */
  g_assert_cmpuint (count (html, "<title>"), ==, 1);
  g_assert_cmpuint (count (html, "<desc>"), ==, 0);
  g_assert_cmpuint (count (html, "<p class=\"hidden\""), ==, 4);
  g_assert_cmpuint (strlen (html), <, 1100 * 1024);

  /* Findings and the long table are folded. */
  g_assert_cmpuint (count (html, "<details>"), ==, 4);
  g_assert_cmpuint (count (html, "</details>"), ==, 4);
  assert_contains (html, "<summary>Which mode to use at the largest size</summary>");
  assert_contains (html, "<table class=\"pivot\">");
  g_assert_cmpuint (count (html, "style=\"--h: "), ==, 209);
  g_assert_cmpuint (count (html, "best\""), >=, 11); /* one at each size, at least */

  /* A row for each cell. */
  g_assert_cmpuint (count (html, "<tr class=\"ok\">"), ==, 149);
  g_assert_cmpuint (count (html, "<tr class=\"noisy\">"), ==, 60);
  g_assert_cmpuint (count (html, "<td class=\"status\">noisy</td>"), ==, 60);
  g_assert_cmpuint (count (html, "<tr class=\"unsupported\">"), ==, 11);
  assert_contains (html, "8 streams, 8 chunks");
}

/* The figures of one row, from the file. */
static void
test_medians (void)
{
  g_autoptr (GPtrArray) runs = read_recording ("h200-vector-add.csv");
  const MemlaneCell *cell = memlane_run_find (runs->pdata[0], "vector-add", "pinned", 20);
  const MemlaneFigure *elapsed = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  g_autofree char *html = report_on (runs->pdata[0], NULL, "vector-add");
  g_autofree char *median = memlane_unit_format (MEMLANE_UNIT_TIME, elapsed->statistics.median, TRUE);
  g_autofree char *low = memlane_unit_format (MEMLANE_UNIT_TIME, elapsed->statistics.low, TRUE);
  g_autofree char *high = memlane_unit_format (MEMLANE_UNIT_TIME, elapsed->statistics.high, TRUE);
  g_autofree char *bandwidth = memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, memlane_figure_get_bandwidth (elapsed), TRUE);
  g_autofree char *row =
    g_strdup_printf ("<th scope=\"row\">Pinned</th><td>2²⁰</td><td>4 MiB</td><td>%s</td><td>%s to %s</td><td>%s</td>", median, low, high,
                     bandwidth);

  assert_contains (html, row);
}

static MemlaneRun *
make_run (const char *kind)
{
  const MemlaneStatistics statistics = { .count = 12, .median = 2000, .low = 1900, .high = 2100, .min = 1800, .q1 = 1900,
                                         .q3 = 2100, .max = 3000 };
  MemlaneRun *run = memlane_run_new ("made", "simulated:made", kind);

  for (guint log2 = 10; log2 < 13; log2++)
    {
      MemlaneCell *cell = memlane_cell_new ("vector-add", "pinned", log2);

      memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, cell->bytes * 3, MEMLANE_STATUS_OK, NULL);
      g_ptr_array_add (run->cells, cell);
    }
  return run;
}

static void
test_simulated (void)
{
  g_autoptr (MemlaneRun) run = make_run ("simulated");
  g_autofree char *html = report_on (run, NULL, NULL);

  assert_sound (html);
  assert_contains (html, "<title>Memlane: made, SIMULATED</title>");
  assert_contains (html, "<p class=\"simulated\">SIMULATED: not measured on a GPU.");
  assert_contains (html, "Not recorded. There is no NAME.environment.json next to the CSV of this run.");
}

/* Whatever a file says, the page says it as text. */
static void
test_hostile (void)
{
  g_autoptr (MemlaneRun) run = make_run ("cuda");
  MemlaneCell *cell = memlane_cell_new ("<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>", 10);
  const MemlaneStatistics statistics = { .count = 10, .median = 1, .low = 1, .high = 1, .min = 1, .q1 = 1, .q3 = 1, .max = 1 };
  g_autofree char *html = NULL;

  memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 1, MEMLANE_STATUS_OK, NULL);
  g_ptr_array_add (run->cells, cell);
  cell = memlane_cell_new ("vector-add", "mapped", 10);
  cell->status = MEMLANE_STATUS_ERROR;
  cell->detail = g_strdup ("a \001 bell \a, & </td></table><h1>, and a broken \xff byte");
  g_ptr_array_add (run->cells, cell);
  set_environment (run, "{\"device\": {\"name\": \"<b>&amp;\\u0002\"}, \"method\": {\"statement\": \"]]><p>\"}}");
  html = report_on (run, "<h1>'\"&\033[31m", NULL);
  assert_sound (html);
  g_assert_null (strstr (html, "<script>alert"));
  g_assert_null (strstr (html, "<img"));
  g_assert_null (strstr (html, "<b>"));
  g_assert_null (strchr (html, '\033'));
  assert_contains (html, "&lt;script&gt;alert(1)&lt;/script&gt;");
  assert_contains (html, "&lt;/td&gt;&lt;/table&gt;&lt;h1&gt;, and a broken \357\277\275 byte");
  assert_contains (html, "<td>&lt;b&gt;&amp;amp;\357\277\275</td>");
  g_assert_cmpuint (count (html, "<h1>"), ==, 1);
}

/* Two workloads and two runs: a part for each, and figures that do not take each other's glyphs. */
static void
test_many (void)
{
  g_autoptr (MemlaneRun) first = make_run ("cuda"), second = make_run ("simulated"), none = memlane_run_new ("none", "cuda:0", "cuda");
  const MemlaneChartRun runs[] = { { first, "first" }, { second, "second" }, { none, "none" } };
  const MemlaneStatistics statistics = { .count = 10, .median = 1, .low = 1, .high = 1, .min = 1, .q1 = 1, .q3 = 1, .max = 1 };
  MemlaneCell *cell = memlane_cell_new ("fill", "pinned", 10);
  g_autofree char *html = NULL, *only = NULL;

  memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 1, MEMLANE_STATUS_OK, NULL);
  g_ptr_array_add (first->cells, cell);
  html = report_on_all (runs, G_N_ELEMENTS (runs), NULL);
  assert_sound (html);
  assert_contains (html, "<title>Memlane: first and 2 more runs, SIMULATED</title>");
  g_assert_cmpuint (count (html, "<h2>"), ==, 4);
  g_assert_cmpuint (count (html, "<svg "), ==, 9); /* one mode alone has no plots by family */
  g_assert_cmpuint (count (html, "<p class=\"simulated\">"), ==, 1); /* the second run's part alone */
  assert_contains (html, " · first</h2>"); /* several runs: each part says whose it is */
  assert_contains (html, "<h2>none</h2>\n<p>The run contains no measurements.</p>");

  only = report_on_all (runs, 2, "fill");
  assert_sound (only);
  g_assert_cmpuint (count (only, "<h2>"), ==, 1);
}

/* Nothing was measured: reasons instead of figures. */
static void
test_no_figures (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("failed", "cuda:0", "cuda");
  g_autofree char *html = NULL;

  for (guint i = 0; i < 25; i++)
    {
      MemlaneCell *cell = memlane_cell_new ("vector-add", "pinned", 4 + i);

      cell->status = MEMLANE_STATUS_OUT_OF_MEMORY;
      cell->detail = g_strdup_printf ("reason %u", i);
      g_ptr_array_add (run->cells, cell);
    }
  html = report_on (run, NULL, NULL);
  assert_sound (html);
  g_assert_null (strstr (html, "<svg"));
  assert_contains (html, "<li>0 measurements.</li>");
  assert_contains (html, "<li>1 measurement, Pinned: out of memory: reason 0</li>");
  assert_contains (html, "<li>5 more reasons: see the table</li>");
  assert_contains (html, "<td colspan=\"7\" class=\"detail\">reason 24</td>");
}

/* More than a page shows: it says so, and stays small enough to send. */
static void
test_large (void)
{
  const MemlaneStatistics statistics = { .count = 12, .median = 2000, .low = 1900, .high = 2100, .min = 1800, .q1 = 1900,
                                         .q3 = 2100, .max = 3000 };
  g_autoptr (MemlaneRun) run = memlane_run_new ("large", "cuda:0", "cuda");
  g_autofree char *html = NULL;

  for (guint i = 0; i < 50000; i++)
    {
      g_autofree char *mode = g_strdup_printf ("mode-%u", i / 20);
      MemlaneCell *cell = memlane_cell_new ("vector-add", mode, 4 + i % 20);

      memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, cell->bytes * 3, MEMLANE_STATUS_OK, NULL);
      g_ptr_array_add (run->cells, cell);
    }
  html = report_on (run, NULL, NULL);
  assert_sound (html);
  assert_contains (html, "<p>The table ends after 2000 of 50000 measurements. The CSV file has them all.</p>");
  assert_contains (html, "<p>Figures and tables show 40 of 2500 modes.</p>");
  g_assert_cmpuint (count (html, "<tr class=\"ok\">"), ==, 2000);
  g_assert_cmpuint (strlen (html), <, 2 * 1024 * 1024);
}

static void
test_markup (void)
{
  static const struct { const char *text, *markup; } rows[] = {
    { NULL, "" },
    { "", "" },
    { "plain µs", "plain µs" },
    { "<a href=\"x\">&'", "&lt;a href=&quot;x&quot;&gt;&amp;&apos;" },
    { "\001\033\177", "\357\277\275\357\277\275\357\277\275" },
    { "tab\tline\n", "tab\tline\n" },
    { "\302\205", "\357\277\275" },         /* U+0085 */
    { "\355\240\200", "\357\277\275\357\277\275\357\277\275" }, /* half of a pair */
    { "\357\277\277", "\357\277\275" },     /* U+FFFF */
    { "\377", "\357\277\275" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) markup = g_string_new (NULL);

      memlane_markup_append (markup, rows[i].text);
      g_assert_cmpstr (markup->str, ==, rows[i].markup);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/markup", test_markup);
  g_test_add_func ("/report/recorded", test_recorded);
  g_test_add_func ("/report/medians", test_medians);
  g_test_add_func ("/report/simulated", test_simulated);
  g_test_add_func ("/report/hostile", test_hostile);
  g_test_add_func ("/report/many", test_many);
  g_test_add_func ("/report/no-figures", test_no_figures);
  g_test_add_func ("/report/large", test_large);
  return g_test_run ();
}
