/* test-cli-lab.c: memlane-cli lab as its users meet it: traces, comparisons, messages, exit statuses
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli-fixture.h"

#include "measure/lab.h"
#include "trace/trace.h"

#define ONE "--device", "simulated:one-copy-engine"

static void
test_help (Fixture *self, gconstpointer data)
{
  EXITS (self, 0, "lab", "--help");
  g_assert_cmpstr (self->err, ==, "");
  for (guint i = 0; i < MEMLANE_LAB_N_ORDERS; i++)
    assert_contains (self->out, memlane_lab_order_words ((MemlaneLabOrder) i)->name);
  for (guint i = 0; i < MEMLANE_LAB_N_BETWEENS; i++)
    assert_contains (self->out, memlane_lab_between_words ((MemlaneLabBetween) i)->name);
  RUN (self, "--help");
  assert_contains (self->out, "\n  lab ");
}

/* The devices that it is about are listed, behind the one that is the default. */
static void
test_devices (Fixture *self, gconstpointer data)
{
  const char *standard, *one;

  EXITS (self, 0, "devices");
  standard = strstr (self->out, "simulated:h200 ");
  one = strstr (self->out, "simulated:one-copy-engine ");
  g_assert_true (standard != NULL && one != NULL && standard < one);
  assert_contains (self->out, "H200 with two copy engines (simulated)");
}

static void
test_both (Fixture *self, gconstpointer data)
{
  const char *table;

  EXITS (self, 0, "lab", ONE, "--order", "both", "--size", "20", "--reuse", "16");
  assert_contains (self->out, "lab-depth-first, 2^20 floats\n");
  assert_contains (self->out, "lab-breadth-first, 2^20 floats\n");
  assert_contains (self->out, "cudaMemcpyAsync");
  table = strstr (self->out, "\nORDER  ");
  g_assert_nonnull (table);
  assert_contains (table, "OVERLAP EFFICIENCY\ndepth-first  ");
  assert_contains (table, "  0 %\nbreadth-first  ");
  assert_contains (self->err, "recorded from simulated device");

  EXITS (self, 0, "lab", ONE, "--order", "both", "--size", "10", "--quiet");
  g_assert_cmpstr (self->err, ==, "");
  assert_contains (self->out, "\nORDER  ");
}

/* Each option reaches the plan, which the trace tells in words. */
static void
test_options (Fixture *self, gconstpointer data)
{
  g_autofree char *path = in_folder (self, "lab.json");
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  const MemlaneTraceInfo *info;

  EXITS (self, 0, "lab", ONE, "--order", "breadth-first", "--between", "device-copy", "--size", "12", "--streams", "3", "--chunks", "5",
         "--reuse", "2", "--pageable", "--non-blocking", "--priorities", "--host-functions", "--json", "lab.json", "--quiet");
  g_assert_cmpstr (self->out, ==, "");
  g_assert_cmpstr (self->err, ==, "");
  trace = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  info = memlane_trace_get_info (trace);
  g_assert_cmpstr (info->mode, ==, "lab-breadth-first");
  g_assert_cmpuint (info->log2_elements, ==, 12);
  g_assert_cmpuint (info->streams, ==, 3);
  g_assert_cmpuint (info->chunks, ==, 5);
  g_assert_cmpuint (info->reuse, ==, 2);
  assert_contains (info->method, "5 chunks on 3 non-blocking streams, the last one with the highest priority, pageable memory, "
                                 "2 kernel launches a chunk, cudaMemcpy on the device in between, a host function");

  EXITS (self, 0, "lab", ONE, "--size", "10", "--json", "lab.json", "--summary", "--quiet");
  assert_contains (self->out, "lab-depth-first, 2^10 floats\n");
  assert_contains (self->out, "\nORDER  ");
  EXITS (self, 0, "lab", ONE, "--size", "10", "--json", "-", "--quiet");
  g_assert_true (g_str_has_prefix (self->out, "{\"displayTimeUnit\""));
}

static void
test_refuses (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *arguments[5];
    const char *expected;
  } cases[] = {
    { { "--order", "deep" }, "lab: --order: unknown word \"deep\": expected one of depth-first, breadth-first, both" },
    { { "--between", "all" }, "lab: --between: unknown word \"all\": expected one of nothing, pinned-allocation" },
    { { "--size", "9" }, "--size" },
    { { "--size", "35" }, "--size" },
    { { "--chunks", "257" }, "--chunks" },
    { { "--streams", "0" }, "--streams" },
    { { "--reuse", "1001" }, "--reuse" },
    { { "--order", "both", "--json", "t.json" }, "one file holds one trace" },
    { { "--json", "-", "--summary" }, "standard output holds the trace already" },
    { { "stray" }, "stray" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *arguments[8] = { "lab", ONE };

      for (guint k = 0; k < 4 && cases[i].arguments[k] != NULL; k++)
        arguments[3 + k] = cases[i].arguments[k];
      run_arguments (self, NULL, arguments);
      assert_status (self, 1);
      assert_contains (self->err, cases[i].expected);
      g_assert_cmpstr (self->out, ==, "");
    }
  FAILS (self, 1, "simulated:nobody", "lab", "--device", "simulated:nobody");
  FAILS (self, 2, "cannot write /dev/full", "lab", ONE, "--size", "10", "--json", "/dev/full", "--quiet");
  g_assert_false (exists (self, "t.json"));
}

/* Both orders below each other in one figure. */
static void
test_plot (Fixture *self, gconstpointer data)
{
  RUN (self, "lab", ONE, "--order", "both", "--size", "12", "--plot", "both.png", "--quiet");
#ifdef MEMLANE_HAVE_CHART
  assert_status (self, 0);
  g_assert_cmpstr (self->out, ==, "");
  g_assert_true (exists (self, "both.png"));
#else
  assert_status (self, 1);
#endif
}

#define ADD(path, function) g_test_add ("/cli-lab/" path, Fixture, NULL, make_folder, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("help", test_help);
  ADD ("devices", test_devices);
  ADD ("both", test_both);
  ADD ("options", test_options);
  ADD ("plot", test_plot);
  ADD ("refuses", test_refuses);
  return g_test_run ();
}
