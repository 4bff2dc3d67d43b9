/* plan.c: what a sweep measures
 *
 * SPDX-License-Identifier: MIT
 */
#include "plan.h"

#include <string.h>

static const MemlaneMode **
all_modes (const MemlaneWorkload *workload)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  const MemlaneMode **list = g_new0 (const MemlaneMode *, n + 1);
  guint used = 0;

  for (guint i = 0; i < n; i++)
    if (workload->of_pieces || !memlane_mode_is_of_pieces (&modes[i]))
      list[used++] = &modes[i];
  return list;
}

static guint
count_modes (const MemlaneMode **modes)
{
  guint n = 0;

  while (modes != NULL && modes[n] != NULL)
    n++;
  return n;
}

MemlaneMethod
memlane_method_usual (void)
{
  return (MemlaneMethod) {
    .workload = memlane_workload_find ("vector-add"), .reuse = 1, .streams = 8, .chunks = 8,
    .seed = 20180501, /* the day of the article that started this */
    .precision = 0.20, .cell_seconds = 0.25, .rounds = 12,
  };
}

MemlanePlan *
memlane_plan_new (void)
{
  MemlanePlan *plan = g_new0 (MemlanePlan, 1);

  plan->method = memlane_method_usual ();
  plan->modes = all_modes (plan->method.workload);
  plan->first_log2 = 10;
  plan->last_log2 = 20;
  return plan;
}

MemlanePlan *
memlane_plan_of_sample (const MemlaneMethod *method, const MemlaneMode *mode, guint log2_elements)
{
  const MemlaneMethod none = { NULL };
  const MemlaneMethod *asked = method != NULL ? method : &none;
  MemlanePlan *plan = memlane_plan_new ();
  MemlaneMethod *filled = &plan->method;

  filled->workload = asked->workload != NULL ? asked->workload : filled->workload;
  filled->reuse = asked->reuse > 0 ? asked->reuse : filled->reuse;
  filled->streams = asked->streams > 0 ? asked->streams : filled->streams;
  filled->chunks = asked->chunks > 0 ? asked->chunks : filled->chunks;
  filled->seed = asked->seed > 0 ? asked->seed : filled->seed;
  plan->modes[0] = mode;
  plan->modes[1] = NULL;
  plan->first_log2 = plan->last_log2 = log2_elements;
  return plan;
}

void
memlane_plan_free (MemlanePlan *plan)
{
  if (plan == NULL)
    return;
  g_free (plan->modes);
  g_free (plan);
}

MemlanePlan *
memlane_plan_copy (const MemlanePlan *plan)
{
  MemlanePlan *copy = g_memdup2 (plan, sizeof *plan);

  copy->modes = g_memdup2 (plan->modes, (count_modes (plan->modes) + 1) * sizeof *plan->modes);
  return copy;
}

static char *
list_mode_ids (void)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? ", " : "", modes[i].id);
  return g_string_free (g_steal_pointer (&ids), FALSE);
}

gboolean
memlane_plan_set_modes (MemlanePlan *plan, const char *list, GError **error)
{
  g_auto (GStrv) ids = NULL;
  g_autofree const MemlaneMode **chosen = NULL;
  guint n;

  if (strcmp (list, "all") == 0)
    {
      g_free (plan->modes);
      plan->modes = all_modes (plan->method.workload);
      return TRUE;
    }

  ids = g_strsplit (list, ",", -1);
  n = g_strv_length (ids);
  chosen = g_new0 (const MemlaneMode *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const char *id = g_strstrip (ids[i]);

      chosen[i] = memlane_mode_find (id);
      if (chosen[i] == NULL)
        {
          g_autofree char *known = list_mode_ids ();

          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "unknown mode \"%s\": expected all, or some of %s", id, known);
          return FALSE;
        }
      for (guint j = 0; j < i; j++)
        if (chosen[j] == chosen[i])
          {
            g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "mode \"%s\" is named twice", id);
            return FALSE;
          }
    }
  if (n == 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "no modes: expected all, or a comma-separated list");
      return FALSE;
    }
  g_free (plan->modes);
  plan->modes = g_steal_pointer (&chosen);
  return TRUE;
}

static gboolean
parse_log2 (const char *text, guint *value)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, &number, NULL))
    return FALSE;
  *value = (guint) number;
  return TRUE;
}

gboolean
memlane_plan_set_sizes (MemlanePlan *plan, const char *range, GError **error)
{
  g_auto (GStrv) ends = g_strsplit (range, ":", -1);
  guint n = g_strv_length (ends), first, last;

  if (n < 1 || n > 2 || !parse_log2 (ends[0], &first) || !parse_log2 (ends[n - 1], &last))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "sizes \"%s\": expected FIRST:LAST or one size, as powers of two from %d to %d, such as 10:20", range,
                   MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2);
      return FALSE;
    }
  if (first > last)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "sizes \"%s\": the first is the larger one; expected %u:%u", range,
                   last, first);
      return FALSE;
    }
  plan->first_log2 = first;
  plan->last_log2 = last;
  return TRUE;
}

guint
memlane_plan_count_cells (const MemlanePlan *plan)
{
  return count_modes (plan->modes) * (plan->last_log2 - plan->first_log2 + 1);
}

const MemlaneMode *
memlane_plan_get_cell (const MemlanePlan *plan, guint number, guint *log2_elements)
{
  guint n_modes = count_modes (plan->modes);

  *log2_elements = plan->first_log2 + number / n_modes;
  return plan->modes[number % n_modes];
}
