/* same-machine.c: two environments compared
 *
 * SPDX-License-Identifier: MIT
 */
#include "same-machine.h"

#include <math.h>

#include "base/i18n.h"
#include "base/owns.h"
#include "host-state.h"

/* Adds the differences of @meaning to @differences and returns their number. A member that one run alone recorded differs. */
static guint
compare (const MemlaneEnvironment *a, const MemlaneEnvironment *b, MemlaneEnvironmentMeaning meaning, gboolean without_host,
         GPtrArray *differences)
{
  guint before = differences->len;

  for (guint i = 0; i < MEMLANE_N_ENVIRONMENT_MEMBERS; i++)
    {
      g_autofree char *x = memlane_environment_format (a, i), *y = memlane_environment_format (b, i);
      MemlaneEnvironmentMeaning means;
      const char *label = memlane_environment_get_meaning (i, &means);

      if ((means & meaning) == 0 || (without_host && (means & MEMLANE_ENVIRONMENT_OF_HOST) != 0)
          || ((means & MEMLANE_ENVIRONMENT_IF_BOTH) != 0 && (x == NULL || y == NULL)) || g_strcmp0 (x, y) == 0)
        continue;
      g_ptr_array_add (differences, g_strdup_printf ("%s: %s and %s", label, x != NULL ? x : "not recorded",
                                                     y != NULL ? y : "not recorded"));
    }
  return differences->len - before;
}

/* The same of the host's speed, which changes within minutes. */
static guint
compare_hosts (const MemlaneEnvironment *a, const MemlaneEnvironment *b, GPtrArray *differences)
{
  double x, y;

  if (!memlane_host_state_compare (a, b, &x, &y) || fabs (log (x / y)) <= log (1 + MEMLANE_HOST_STEADY))
    return 0;
  /* "1.02 and 1.41": times slower than at its best in either. */
  g_ptr_array_add (differences, g_strdup_printf ("%s: %.2f and %.2f", NC_ ("machine", "time of the host, 1 at its best"), x, y));
  return 1;
}

MemlaneMachineComparison *
memlane_machine_compare (const MemlaneRun *a, const MemlaneRun *b)
{
  MemlaneMachineComparison *self = g_new0 (MemlaneMachineComparison, 1);
  const MemlaneEnvironment *x = a->environment, *y = b->environment;
  const char *name = memlane_environment_get_text (x, MEMLANE_ENVIRONMENT_DEVICE_NAME);
  const char *other = memlane_environment_get_text (y, MEMLANE_ENVIRONMENT_DEVICE_NAME);
  g_autoptr (GString) listed = g_string_new (NULL);
  gboolean simulated = g_strcmp0 (memlane_environment_get_text (x, MEMLANE_ENVIRONMENT_DEVICE_KIND), "simulated") == 0
                       && g_strcmp0 (memlane_environment_get_text (y, MEMLANE_ENVIRONMENT_DEVICE_KIND), "simulated") == 0;
  guint differing, ways;

  self->differences = g_ptr_array_new_with_free_func (g_free);
  if (name == NULL || other == NULL)
    {
      self->verdict = MEMLANE_MACHINE_UNKNOWN;
      if (name == NULL && other == NULL)
        self->sentence = g_strdup ("Nothing tells whether the machine is the same: no run has an environment that can be read.");
      else
        self->sentence = g_strdup_printf ("Nothing tells whether the machine is the same: run %s has no environment that can be read.",
                                          name == NULL ? a->id : b->id);
      return self;
    }
  ways = compare (x, y, MEMLANE_ENVIRONMENT_OTHER_METHOD, simulated, self->differences); /* what changes figures most comes first */
  differing = compare (x, y, MEMLANE_ENVIRONMENT_OTHER_MACHINE, simulated, self->differences);
  ways += compare (x, y, MEMLANE_ENVIRONMENT_OTHER_OCCASION, simulated, self->differences); /* the least important last */
  ways += compare_hosts (x, y, self->differences);
  for (guint i = 0; i < self->differences->len; i++)
    g_string_append_printf (listed, "%s%s", i > 0 ? "; " : "", (const char *) self->differences->pdata[i]);
  self->verdict = differing > 0 ? MEMLANE_MACHINE_DIFFERENT : MEMLANE_MACHINE_SAME;
  if (differing > 0)
    self->sentence = g_strdup_printf ("Different machines: %s.", listed->str);
  else if (ways > 0)
    self->sentence = g_strdup_printf ("The same machine, measured in another way: %s.", listed->str);
  else
    self->sentence = g_strdup_printf ("The same machine: %s.", name);
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneMachineComparison, void memlane_machine_comparison_free (MemlaneMachineComparison *data),
                     OWNS (differences, g_ptr_array_unref) OWNS (sentence, g_free))
