/* fuzz-environment.c: whatever bytes stand beside a run, it is shown and compared
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/decide.h"
#include "analysis/same-machine.h"
#include "base/json.h"
#include "base/reader-limits.h"
#include "chart/chart-words.h"
#include "fuzz.h"
#include "result/environment.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  int fd = fuzz_open (data, size);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd), *words = NULL;
  const char *device, *kind, *text;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneRun) run = memlane_run_new ("a", "simulated:h200", "simulated"), other = memlane_run_new ("b", "cuda:0", "cuda");
  g_autoptr (MemlaneMachineComparison) comparison = NULL;
  g_autoptr (JsonNode) root = NULL;
  const MemlaneRun *shown = run;
  const MemlaneFloors *floors;
  guint n_rounds;

  fuzz_begin ();
  run->environment = memlane_environment_read (path, &error);
  close (fd);
  if (run->environment == NULL)
    {
      fuzz_check_refusal (error, size > MEMLANE_ENVIRONMENT_MOST_BYTES ? "cannot read " : path);
      return 0;
    }
  text = memlane_environment_get_json (run->environment);
  device = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_DEVICE_ID);
  kind = memlane_environment_get_device_kind (run->environment);
  if (error != NULL || !g_utf8_validate (text, -1, NULL))
    g_error ("an environment and a message, or no text");
  if (device != NULL && kind != NULL && strcmp (kind, "simulated") != 0 && g_str_has_prefix (device, "simulated:"))
    g_error ("a simulated device that passes for %s", kind);
  root = memlane_json_tree_read (text, -1, "again", &error);
  if (root == NULL)
    g_error ("what was taken is no JSON: %s\n%s", error->message, text);
  other->environment = memlane_environment_ref (run->environment);
  comparison = memlane_machine_compare (run, other);
  for (guint i = 0; i < MEMLANE_N_ENVIRONMENT_MEMBERS; i++)
    {
      g_autofree char *value = memlane_environment_format (run->environment, i);

      if (value != NULL && g_utf8_strlen (value, -1) > 2000)
        g_error ("member %u has %ld characters", i, g_utf8_strlen (value, -1));
    }
  floors = memlane_environment_get_floors (run->environment);
  if (floors != NULL
      && (floors->n_kernels > MEMLANE_MOST_FLOOR_SIZES || !(memlane_floors_get_tick (floors, MEMLANE_CLOCK_DEVICE) >= 0)
          || !(memlane_floors_get_in_a_row (floors, 5000) >= 0)))
    g_error ("floors that make no sense");
  (void) memlane_environment_get_rounds (run->environment, &n_rounds);
  words = memlane_facts_describe (&shown, 1);
  if (!g_utf8_validate (words, -1, NULL))
    g_error ("words that are no text");
  return 0;
}
