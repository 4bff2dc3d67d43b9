/* fuzz-environment.c: whatever bytes stand beside a run, it is shown and compared
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/decide.h"
#include "analysis/same-machine.h"
#include "base/json-tree.h"
#include "chart/facts.h"
#include "fuzz.h"
#include "result/csv.h"
#include "result/floors.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const char *const paths[] = { "device/name", "device", "link/width", "date", "method/statement", "a/b/c" };
  int fd = fuzz_open (data, size);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd), *device = NULL, *kind = NULL, *text = NULL, *words = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneRun) run = memlane_run_new ("a", "simulated:h200", "simulated"), other = memlane_run_new ("b", "cuda:0", "cuda");
  g_autoptr (MemlaneMachineComparison) comparison = NULL;
  g_autoptr (JsonNode) root = NULL;
  MemlaneFacts facts;
  MemlaneFloors floors;

  fuzz_begin ();
  text = memlane_csv_read_environment (path, &device, &kind, &error);
  close (fd);
  if (text == NULL)
    {
      fuzz_check_refusal (error, path);
      return 0;
    }
  if (error != NULL || !g_utf8_validate (text, -1, NULL))
    g_error ("an environment and a message, or no text");
  if (device != NULL && kind != NULL && strcmp (kind, "simulated") != 0 && g_str_has_prefix (device, "simulated:"))
    g_error ("a simulated device that passes for %s", kind);
  root = memlane_json_tree_read (text, -1, "again", &error);
  if (root == NULL)
    g_error ("what was taken is no JSON: %s\n%s", error->message, text);
  run->environment = g_strdup (text);
  other->environment = g_steal_pointer (&text);
  comparison = memlane_machine_compare (run, other);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *value = memlane_environment_get (run, paths[i]);

      if (value != NULL && g_utf8_strlen (value, -1) > 2000)
        g_error ("%s has %ld characters", paths[i], g_utf8_strlen (value, -1));
      (void) memlane_environment_get_number (run, paths[i]);
    }
  if (memlane_floors_read (run, &floors)
      && (floors.n_kernels > MEMLANE_MOST_FLOOR_SIZES || !(memlane_floors_get_tick (&floors, MEMLANE_CLOCK_DEVICE) >= 0)
          || !(memlane_floors_get_in_a_row (&floors, 5000) >= 0)))
    g_error ("floors that make no sense");
  memlane_facts_read (run, &facts);
  words = memlane_facts_describe (&facts, 1);
  if (!g_utf8_validate (words, -1, NULL))
    g_error ("words that are no text");
  memlane_facts_clear (&facts);
  return 0;
}
