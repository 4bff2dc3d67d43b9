/* comparison.c: what tells two runs apart whose figures are divided
 *
 * SPDX-License-Identifier: MIT
 */
#include "comparison.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/each.h"
#include "chart/answer-words.h"
#include "chart/chart-words.h"

#define MOST 3 /* differences that are listed */

/* --- the method: from the cells, for a run may hold several ----------------------------------- */

static void
add_once (GPtrArray *differences, char *difference)
{
  if (g_ptr_array_find_with_equal_func (differences, difference, g_str_equal, NULL))
    g_free (difference);
  else
    g_ptr_array_add (differences, difference);
}

static void
add_differences (GPtrArray *differences, const MemlaneCell *a, const MemlaneCell *b)
{
  if (a->reuse != b->reuse)
    /* Translators: kernels per transfer of the first run, and of the second */
    add_once (differences, g_strdup_printf (_("reuse %u and %u"), a->reuse, b->reuse));
  if (a->streams != b->streams || a->chunks != b->chunks)
    /* Translators: "8×8 and 4×16 streams × chunks", of the first run and of the second */
    add_once (differences, g_strdup_printf (_("%u×%u and %u×%u streams × chunks"), a->streams,
                                            a->chunks, b->streams, b->chunks));
  if (!memlane_cell_has_background_of (a, b))
    add_once (differences, g_strdup (_("different backgrounds")));
}

/* (transfer full) (element-type utf8) */
static GPtrArray *
compare_methods (const MemlaneRun *a, const MemlaneRun *b, const char *workload)
{
  GPtrArray *differences = g_ptr_array_new_with_free_func (g_free);

  MEMLANE_FOR_EACH (const MemlaneCell, cell, a->cells)
    {
      const MemlaneCell *twin = g_str_equal (cell->workload, workload)
                                    ? memlane_run_find (b, workload, cell->mode,
                                                        cell->log2_elements)
                                    : NULL;

      if (twin != NULL)
        add_differences (differences, cell, twin);
    }
  return differences;
}

/* --- the machines ----------------------------------------------------------------------------- */

/* The cells have said it, or it makes no difference to them. */
static const char *const of_cells[] = { "reuse", "streams", "chunks", NULL };
/* Nothing of the machine. */
static const char *const of_versions[] = { "Memlane", "commit", NULL };

/* The first ones, which have the largest effect. (transfer full) */
static char *
join (GPtrArray *differences)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (differences->len, MOST); i++)
    /* Translators: between two things in a list */
    g_string_append_printf (text, "%s%s", i > 0 ? C_("list", "; ") : "",
                            (const char *) differences->pdata[i]);
  return g_string_free (text, FALSE);
}

/* (transfer full) */
static char *
describe_machines (const MemlaneRun *a, const MemlaneRun *b)
{
  g_autoptr (MemlaneMachineComparison) comparison = memlane_machine_compare (a, b);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *differences = NULL;
  guint n_versions = 0;

  if (memlane_run_is_simulated (a) != memlane_run_is_simulated (b))
    return g_strdup (_("One run is simulated, the other measured."));
  for (guint i = 0; i < comparison->differences->len; i++)
    {
      char **difference = comparison->differences->pdata[i];

      if (g_strv_contains (of_cells, difference[0]))
        continue;
      g_ptr_array_add (words, memlane_words_of_difference (difference));
      n_versions += g_strv_contains (of_versions, difference[0]);
    }
  differences = join (words);
  switch (comparison->verdict)
    {
    case MEMLANE_MACHINE_SAME:
      if (*differences == '\0')
        return g_strdup (_("Both runs are of the same machine."));
      if (n_versions == words->len)
        return g_strdup (_("Both runs are of the same machine, by different versions of Memlane."));
      return g_strdup_printf (_("Both runs are of the same machine, but differ: %s."), differences);
    case MEMLANE_MACHINE_DIFFERENT:
      return g_strdup_printf (_("The runs differ: %s."), differences);
    case MEMLANE_MACHINE_UNKNOWN:
    default:
      return g_strdup (_("The machines cannot be compared: a run has no environment file."));
    }
}

/* Describes the differences that the state of the host explains on one machine. (transfer full)
 * (nullable) */
static char *
describe_host (const MemlaneRun *a, const MemlaneRun *b, const char *workload)
{
  g_autoptr (MemlaneMachineComparison) comparison = memlane_machine_compare (a, b);
  g_autoptr (GPtrArray) answers = memlane_host_state_explain (a, b, workload);

  return comparison->verdict == MEMLANE_MACHINE_SAME && answers->len > 0
             ? memlane_answer_to_words (answers->pdata[0])
             : NULL;
}

char *
memlane_comparison_describe (const MemlaneRun *a, const MemlaneRun *b, const char *workload)
{
  g_autoptr (GPtrArray) methods = compare_methods (a, b, workload);
  g_autofree char *machines = describe_machines (a, b), *listed = join (methods);

  if (methods->len == 0)
    {
      g_autofree char *host = describe_host (a, b, workload);

      /* Translators: two sentences, on the machines and on the speed of their host */
      return host != NULL ? g_strdup_printf (C_("sentences", "%s %s"), machines, host)
                          : g_steal_pointer (&machines);
    }
  /* Translators: first what was measured differently, then a sentence on the machines */
  return g_strdup_printf (_("Different methods: %s. %s"), listed, machines);
}
