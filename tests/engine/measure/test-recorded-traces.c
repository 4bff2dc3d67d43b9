/* test-recorded-traces.c: what the recorded traces show, and what the simulated H200 shows instead
 *
 * SPDX-License-Identifier: MIT
 *
 * recorded-traces.txt says it of each trace in data/recordings/traces, aspect by aspect; times do
 * not appear, only their order. A line "simulated" is a deviation: there the simulated device shows
 * something else. Each is a defect or has its reason:
 *
 *   kinds, findings  CUPTI tells nothing of the driver's staging, nor of waits inside calls that do
 *                    not synchronise by name; the recordings say so in a note. So there is no
 *                    finding of them either.
 *   waits            CUPTI tells of every synchronising call, the simulated device of those that
 *                    had to wait; after a staged copy to the host nothing is left to wait for.
 *   faults           The driver counts groups of faults as it meets them in the GPU's buffer, and
 *                    takes more and more pages with each; the simulated device counts one fault for
 *                    each 64 KiB. At 2^14 one group covers one vector, or a part of it.
 *   duplicates       CUPTI does not tell whether the pages of a migration stayed where they were.
 *   returns          A kernel of less than 8 us tells nothing: at 2^14 the model's takes 6.8, the
 *                    GPU's 8.3 to 11.
 *   overlap          Chunks of 8 KiB. CUPTI's copy is the transfer alone (1.1 us); the simulated
 *                    one is as long as events say that it holds the stream (3.0 us), what goes
 *                    before the transfer included, and so is the kernel (3.1 us, not 0.9 us). So in
 *                    the simulation pairs of what is so short overlap; on the GPU they do on some
 *                    days and not on others, as the host is fast to issue them; so do findings.
 *
 * Where the traces show something else, the test leaves the new text in its folder.
 */
#include "engine/golden-text.h"
#include "engine/trace-aspects.h"

#include "mode/mode.h"
#include "trace/trace.h"
#include "engine/same-trace.h"

static void
describe_cell (const char *path, const MemlaneMode *mode, GString *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) recorded = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  g_autoptr (MemlaneDevice) device = memlane_device_open ("simulated:h200", NULL);
  g_autoptr (MemlaneTrace) simulated = NULL;
  MemlaneMethod method = { 0 };
  const MemlaneTraceInfo *info;

  g_assert_no_error (error);
  check_trip (recorded);
  info = memlane_trace_get_info (recorded);
  g_assert_cmpuint (info->dropped + info->skipped, ==, 0);
  g_string_append_printf (text, "\n%s, 2^%u floats, by %s\n", info->mode, info->log2_elements,
                          info->source);
  method.workload = memlane_workload_find (info->workload);
  method.reuse = info->reuse;
  method.streams = info->streams;
  method.chunks = info->chunks;
  simulated = memlane_trace_record (device, &method, mode, info->log2_elements, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (aspects); i++)
    {
      g_autoptr (GString) real = g_string_new (NULL), model = g_string_new (NULL);

      aspects[i].describe (recorded, real);
      aspects[i].describe (simulated, model);
      if (real->len > 0)
        g_string_append_printf (text, "  %s: %s\n", aspects[i].name, g_strchomp (real->str));
      if (!g_str_equal (real->str, g_strchomp (model->str)))
        g_string_append_printf (text, "  simulated %s: %s\n", aspects[i].name,
                                model->len > 0 ? model->str : "none");
    }
}

static void
test_recordings (void)
{
  const char *const folder = g_getenv ("MEMLANE_DATA_DIR");
  g_autoptr (GString) text = g_string_new ("What data/recordings/traces show\n");
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    for (guint log2_elements = 14; log2_elements <= 20; log2_elements += 6)
      {
        g_autofree char *path = g_strdup_printf ("%s/recordings/traces/h200-%s-2p%u.json", folder,
                                                 modes[i].id, log2_elements);

        if (g_file_test (path, G_FILE_TEST_EXISTS)) /* not of every mode */
          describe_cell (path, &modes[i], text);
      }
  compare_text (text, "measure", "recorded-traces.txt");
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", NULL);

  g_test_init (&argc, &argv, NULL);
  g_setenv ("MEMLANE_DATA_DIR", data, TRUE);
  g_test_add_func ("/recorded-traces", test_recordings);
  return g_test_run ();
}
