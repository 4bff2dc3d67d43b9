/* fuzz-generated.c: runs that are extreme but valid, decided, drawn and reported
 *
 * SPDX-License-Identifier: MIT
 *
 * The bytes choose; what is made of them is always a table that the reader takes. So what lies behind the reader is reached with every
 * input.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/decide.h"
#include "chart/chart.h"
#include "chart/report/report.h"
#include "fuzz.h"
#include "mode/mode.h"
#include "result/csv.h"

typedef struct
{
  const guint8 *at;
  gsize left;
} Bytes;

static guint
take (Bytes *bytes, guint n)
{
  guint value = bytes->left > 0 ? *bytes->at : 0;

  bytes->at += bytes->left > 0;
  bytes->left -= bytes->left > 0;
  return value % n;
}

static double
take_time (Bytes *bytes)
{
  static const double extremes[] = { 0, 5e-324, 2.2250738585072014e-308, 1e-300, 1e-9, 0.1, 1, 1.5, 1e3, 1234.5678, 1e6, 1e9, 1e15, 1e18,
                                     9007199254740993.0, 1e100, 1e300, 1.7976931348623157e308 };
  guint choice = take (bytes, 256);

  if (choice < G_N_ELEMENTS (extremes))
    return extremes[choice];
  return (1 + take (bytes, 256) / 28.0) * pow (10, choice % 12);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
take_figure (Bytes *bytes, MemlaneCell *cell)
{
  MemlanePhase phase = (MemlanePhase) take (bytes, MEMLANE_N_PHASES);
  MemlaneClock clock = phase == MEMLANE_PHASE_FIRST ? MEMLANE_CLOCK_HOST : (MemlaneClock) take (bytes, MEMLANE_N_CLOCKS);
  guint count = phase == MEMLANE_PHASE_FIRST ? 1 : 1 + take (bytes, 256) * 1000, moved = take (bytes, 4);
  MemlaneStatistics statistics = { .count = count };
  double t[7], middle = take_time (bytes);

  if (memlane_cell_find (cell, phase, clock) != NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (t); i++)
    t[i] = count > 1 ? take_time (bytes) : middle;
  qsort (t, 5, sizeof *t, compare_numbers);
  statistics.min = t[0];
  statistics.q1 = t[1];
  statistics.median = t[2];
  statistics.q3 = t[3];
  statistics.max = t[4];
  statistics.low = MIN (t[5], t[2]);
  statistics.high = MAX (t[6], t[2]);
  memlane_cell_add_figure (cell, phase, clock, &statistics, cell->bytes * moved,
                           take (bytes, 8) == 0 ? MEMLANE_STATUS_NOISY : MEMLANE_STATUS_OK,
                           take (bytes, 8) == 0 ? "detail <b>&amp; \xc3\xa9" : NULL);
}

static void
take_run (Bytes *bytes, GString *table, guint nth)
{
  static const char *const names[] = { "run-a", "<script>alert(1)</script>", "a&b", "..", "a/b", "\"q\"", "%s%n", "\xe4\xb8\xad" };
  static const char *const workloads[] = { "vector-add", "copy-kernel", "unknown" };
  g_autofree char *id = g_strdup_printf ("%s%u", names[take (bytes, G_N_ELEMENTS (names))], nth);
  gboolean simulated = take (bytes, 2);
  g_autoptr (MemlaneRun) run = memlane_run_new (id, simulated ? "simulated:h200" : "cuda:0", simulated ? "simulated" : "cuda");
  const char *workload = workloads[take (bytes, G_N_ELEMENTS (workloads))];
  guint n_modes, n_cells = 1 + take (bytes, 10);
  const MemlaneMode *modes = memlane_mode_list (&n_modes);

  for (guint i = 0; i < n_cells; i++)
    {
      const char *mode = modes[take (bytes, n_modes)].id;
      g_autoptr (MemlaneCell) cell = memlane_cell_new (workload, take (bytes, 32) == 31 ? "unknown-mode" : mode, take (bytes, 61));
      guint n_figures = take (bytes, 8), reuse = take (bytes, 256);

      cell->reuse = reuse < 128 ? 1 : reuse == 255 ? 1000000 : reuse;
      if (g_str_has_prefix (cell->mode, "streams-"))
        {
          cell->streams = 1 + take (bytes, 255);
          cell->chunks = 1 + take (bytes, 255);
        }
      for (guint k = 0; k < n_figures; k++)
        take_figure (bytes, cell);
      memlane_csv_append_cell (table, run, cell);
    }
}

static void
check_answers (GPtrArray *answers)
{
  for (guint i = 0; i < answers->len; i++)
    {
      g_autofree char *text = memlane_answer_format (answers->pdata[i], NULL, NULL, NULL);

      if (!g_utf8_validate (text, -1, NULL))
        g_error ("an answer that is no text");
    }
  g_ptr_array_unref (answers);
}

static void
check_page (const char *html)
{
  const GMarkupParser parser = { 0 };
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, NULL, NULL);
  const char *begin = strstr (html, "<html");
  guint n_scripts = 0;
  g_autoptr (GError) error = NULL;

  if (begin == NULL || !g_markup_parse_context_parse (context, begin, -1, &error) || !g_markup_parse_context_end_parse (context, &error))
    g_error ("the page is not well-formed: %s", error != NULL ? error->message : "no <html");
  for (const char *p = html; (p = strstr (p, "<script")) != NULL; p++)
    n_scripts++;
  if (n_scripts != 0 && n_scripts != 2) /* its data and its own */
    g_error ("found %u scripts in the page, expected the page's two", n_scripts);
  g_markup_parse_context_free (context);
}

static void
use_runs (GPtrArray *runs, guint what)
{
  const MemlaneQuestion question = { .direction = (MemlaneDirection) (what % 3), .count = (MemlaneCount) (what / 3 % 3), .uses = what };
  g_autoptr (MemlaneDecision) decision = memlane_decision_new (runs, &question);
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_autofree MemlaneChartRun *chart_runs = g_new0 (MemlaneChartRun, runs->len);
  g_autofree char *words = NULL;
  MemlaneChart *chart;

  check_answers (memlane_decision_recommend (decision, what % 61, 1 + what * 7));
  check_answers (memlane_decision_describe_crossovers (decision));
  check_answers (memlane_decision_describe_locking (decision));
  for (guint i = 0; i < runs->len; i++)
    chart_runs[i] = (MemlaneChartRun) { runs->pdata[i], NULL };
  options.phase = (MemlanePhase) (what % MEMLANE_N_PHASES);
  options.quantity = (MemlaneQuantity) (what / 16 % 3);
  options.axis = what & 1;
  chart = memlane_chart_build (chart_runs, runs->len, &options);
  words = memlane_chart_describe (chart);
  if (!g_utf8_validate (words, -1, NULL))
    g_error ("a chart's words are no text");
  memlane_chart_unref (chart);
  if (what % 64 == 0)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneReportSource) source = memlane_report_source_new ();
      g_autofree char *html = NULL;

      for (guint i = 0; i < runs->len; i++)
        {
          g_ptr_array_add (source->runs, memlane_run_ref (runs->pdata[i]));
          g_ptr_array_add (source->names, NULL);
        }
      html = memlane_report_to_html (source, &error);

      if (html == NULL)
        g_error ("no report: %s", error->message);
      check_page (html);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  Bytes bytes = { data, size };
  g_autoptr (GString) table = g_string_new (NULL);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  guint what = take (&bytes, 256), n_runs = 1 + take (&bytes, 2);
  g_autofree char *path = NULL;
  int fd;

  fuzz_begin ();
  memlane_csv_append_header (table);
  for (guint i = 0; i < n_runs; i++)
    take_run (&bytes, table, i);
  fd = fuzz_open (table->str, table->len);
  path = g_strdup_printf ("/proc/self/fd/%d", fd);
  runs = memlane_csv_read (path, NULL, &error);
  close (fd);
  if (runs != NULL) /* two cells of one kind, or a bandwidth that no double holds */
    use_runs (runs, what);
  return 0;
}
