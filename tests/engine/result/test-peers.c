/* test-peers.c: nvbandwidth's and nvbench's files as runs, and what is refused of them
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <string.h>

#include "base/file-error.h"
#include "result/csv.h"
#include "result/environment.h"

static char *folder;

static GPtrArray *
read_as (const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GPtrArray *runs;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  runs = memlane_csv_read (path, NULL, NULL, NULL, error);
  g_unlink (path);
  return runs;
}

static const MemlaneFigure *
find (const MemlaneRun *run, const char *workload, const char *mode, guint log2_elements, MemlanePhase phase)
{
  const MemlaneCell *cell = memlane_run_find (run, workload, mode, log2_elements);
  const MemlaneFigure *figure = cell != NULL ? memlane_cell_find (cell, phase, MEMLANE_CLOCK_DEVICE) : NULL;

  g_assert_nonnull (figure);
  return figure;
}

/* --- nvbandwidth ------------------------------------------------------------------------------------------------------------ */

#define NVBANDWIDTH(cases) \
  "{ \"nvbandwidth\" : { \"CUDA Runtime Version\" : 13000, \"Driver Version\" : \"580.95\", " \
  "\"GPU Device list\" : [ \"0: NVIDIA H200 (00000000:00:06): (host)\", \"1: NVIDIA H200 (00000000:00:07): (host)\" ], " \
  "\"git_version\" : \"v0.8\", \"version\" : \"v0.8\", \"testcases\" : [ " cases " ] } }\n"
#define CASE(name, status, row) "{ \"name\" : \"" name "\", \"status\" : \"" status "\", \"bandwidth_matrix\" : [ [ " row " ] ] }"

static void
test_nvbandwidth (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = read_as ("nvbandwidth-64MiB.json",
    NVBANDWIDTH (CASE ("host_to_device_memcpy_ce", "Passed", "\"50\", \"25\"") ","
                 CASE ("device_to_host_memcpy_ce", "Passed", "\"40\", \"N/A\"") ","
                 CASE ("host_to_device_memcpy_sm", "Waived", "\"1\", \"1\"") ","
                 CASE ("device_local_copy", "Passed", "\"2000\", \"2000\"")), &error);
  const MemlaneRun *first, *second;
  const MemlaneFigure *figure;

  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 2);
  first = runs->pdata[0];
  second = runs->pdata[1];
  g_assert_cmpstr (first->id, ==, "nvbandwidth-nvbandwidth-64MiB-0");
  g_assert_cmpstr (first->device, ==, "cuda:0");
  g_assert_cmpstr (first->device_kind, ==, "cuda");
  g_assert_cmpuint (first->cells->len, ==, 2); /* what has no counterpart, and what did not pass, is left out */
  figure = find (first, "copy-to-device", "pinned-async", 24, MEMLANE_PHASE_UPLOAD);
  g_assert_cmpfloat_with_epsilon (figure->statistics.median, (64 << 20) / 50.0, 1e-6);
  g_assert_cmpuint (figure->statistics.count, ==, 1);
  g_assert_cmpfloat_with_epsilon (memlane_figure_get_bandwidth (figure), 50e9, 1);
  (void) find (first, "copy-to-host", "pinned-async", 24, MEMLANE_PHASE_DOWNLOAD);
  g_assert_cmpuint (second->cells->len, ==, 1);
  g_assert_nonnull (strstr (memlane_environment_get_json (first->environment), "16 copies between two events"));
  g_assert_nonnull (strstr (memlane_environment_get_json (first->environment), "580.95"));
  g_assert_nonnull (strstr (memlane_environment_get_json (second->environment), "1: NVIDIA H200"));
}

/* --- nvbench ------------------------------------------------------------------------------------------------------------------- */

#define SUMMARY(tag, value) \
  "{ \"tag\": \"" tag "\", \"data\": [ { \"name\": \"value\", \"type\": \"float64\", \"value\": \"" value "\" } ] }"
#define NVBENCH(name, elements, time) \
  "{ \"meta\": { \"version\": { \"nvbench\": { \"string\": \"0.1.0\" } } }, \"devices\": [ { \"id\": 0, \"name\": \"NVIDIA H200\" } ], " \
  "\"benchmarks\": [ { \"name\": \"other\", \"states\": [ { \"device\": 0, \"axis_values\": null, \"summaries\": null } ] }, " \
  "{ \"name\": \"" name "\", \"states\": [ { \"device\": 0, " \
  "\"axis_values\": [ { \"name\": \"Elements\", \"value\": \"" elements "\" } ], " \
  "\"summaries\": [ " SUMMARY ("nv/cold/sample_size", "100") ", " SUMMARY ("nv/cold/time/gpu/mean", time) ", " \
  SUMMARY ("nv/cold/time/gpu/stdev/relative", "0.1") " ] } ] } ] }"

static void
test_nvbench (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) json = read_as ("bench.json", NVBENCH ("copy-kernel:device-resident:kernel", "1048576", "1e-05"), &error);
  g_autoptr (GPtrArray) table = NULL;

  g_assert_no_error (error);
  table = read_as ("bench.csv",
    "Benchmark,Device,Device Name,Elements (pow2),Elements,Skipped,Samples,CPU Time (sec),Noise,GPU Time (sec),Noise\n"
    "copy-kernel:device-resident:kernel,0,NVIDIA H200,2^20,1048576,No,100,2e-05,0.5,1e-05,0.1\n"
    "copy-kernel:device-resident:kernel,0,NVIDIA H200,2^21,2097152,Yes,,,,,\n", &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      const GPtrArray *runs = i == 0 ? json : table;
      const MemlaneFigure *figure;

      g_assert_cmpuint (runs->len, ==, 1);
      g_assert_cmpuint (((MemlaneRun *) runs->pdata[0])->cells->len, ==, 1);
      figure = find (runs->pdata[0], "copy-kernel", "device-resident", 20, MEMLANE_PHASE_KERNEL);
      g_assert_cmpfloat_with_epsilon (figure->statistics.median, 10000, 1e-6);
      g_assert_cmpfloat_with_epsilon (figure->statistics.ci95_low, 9804, 1e-6);
      g_assert_cmpfloat_with_epsilon (figure->statistics.ci95_high, 10196, 1e-6);
      g_assert_cmpuint (figure->statistics.count, ==, 100);
    }
}

/* Such a run is written and read back as any other. */
static void
test_round_trip (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = read_as ("b.json", NVBENCH ("copy-kernel:device-resident:kernel", "1024", "1e-06"), &error), back = NULL;
  g_autofree char *path = g_build_filename (folder, "own.csv", NULL), *environment = memlane_csv_environment_path (path);

  g_assert_no_error (error);
  g_assert_true (memlane_csv_write (runs->pdata[0], path, &error));
  back = memlane_csv_read (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (((MemlaneRun *) back->pdata[0])->cells->len, ==, 1);
  g_assert_nonnull (((MemlaneRun *) back->pdata[0])->environment);
  g_unlink (path);
  g_unlink (environment);
}

/* --- what is refused ------------------------------------------------------------------------------------------------------------ */

static void
test_refused (void)
{
  static const struct { const char *name, *text, *message; } cases[] = {
    { "a.json", "{", "a.json:1:" },
    { "a.json", "{}", "found JSON of another kind, expected that of nvbandwidth --json or of nvbench --json" },
    { "a.json", "{ \"nvbandwidth\": 3 }", "found JSON of another kind" },
    { "a.json", "{ \"nvbandwidth\": {} }", "found no array testcases" },
    { "a.json", "{ \"nvbandwidth\": { \"error\": \"no device\" } }", "nvbandwidth says that it failed: no device" },
    { "a.json", NVBANDWIDTH (CASE ("host_to_device_memcpy_ce", "Passed", "\"50\"")), "expected one such as nvbandwidth-64MiB.json" },
    { "a-3MiB.json", NVBANDWIDTH (CASE ("host_to_device_memcpy_ce", "Passed", "\"50\"")),
      "found 3 MiB in the name, expected a power of two" },
    { "a-4MiB.json", NVBANDWIDTH (CASE ("host_to_device_memcpy_ce", "Passed", "\"-1\"")), "found '-1' in bandwidth_matrix" },
    { "a-4MiB.json", NVBANDWIDTH (CASE ("host_to_device_memcpy_ce", "Passed", "5")), "found 'no text' in bandwidth_matrix" },
    { "a-4MiB.json", NVBANDWIDTH (CASE ("host_to_device_memcpy_ce", "Passed", "\"1\" ], [ \"1\"")),
      "expected a bandwidth_matrix of one row" },
    { "a-4MiB.json", NVBANDWIDTH (CASE ("device_local_copy", "Passed", "\"1\"")), "has nothing that stands beside Memlane's" },
    { "b.json", NVBENCH ("mine", "1024", "1e-06"), "expected host_to_device_memcpy_ce or its kin that passed, or benchmarks named" },
    { "b.json", NVBENCH ("copy-kernel:pinned:kernel", "1000", "1e-06"),
      "found 1000 in Elements, expected a power of two from 2^2 to 2^34" },
    { "b.json", NVBENCH ("copy-kernel:pinned:kernel", "1024", "-1"), "expected a GPU time above 0" },
    { "b.csv", "Benchmark,Device\n", "line 1: found no column Device Name" },
    { "b.csv", "Benchmark,Device,Device Name,Elements,Skipped,Samples,GPU Time (sec)\na:b:kernel,0,x,1024,No,5\n",
      "line 2: found 6 fields, expected 7" },
    { "b.csv", "Benchmark,Device,Device Name,Elements,Skipped,Samples,GPU Time (sec)\na:b:kernel,0,x,1024,No,five,1\n",
      "line 2: expected numbers in Device, Elements, Samples" },
    { "b.csv", "Benchmark,Device,Device Name,Elements,Skipped,Samples,GPU Time (sec)\ncopy-kernel:pinned:kernel,0,x,1000,No,5,1\n",
      "b.csv: line 2: copy-kernel:pinned:kernel: found 1000 in Elements" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_as (cases[i].name, cases[i].text, &error));
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      if (strstr (error->message, cases[i].message) == NULL || strstr (error->message, cases[i].name) == NULL)
        g_error ("\"%s\" does not say \"%s\"", error->message, cases[i].message);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("memlane-peers-XXXXXX", NULL);
  g_test_add_func ("/peers/nvbandwidth", test_nvbandwidth);
  g_test_add_func ("/peers/nvbench", test_nvbench);
  g_test_add_func ("/peers/round-trip", test_round_trip);
  g_test_add_func ("/peers/refused", test_refused);
  status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
