/* plan.c: what a sweep measures
 *
 * SPDX-License-Identifier: MIT
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/owns.h"
#include "base/size.h"
#include "result/statistics.h"

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
memlane_plan_of_sample (const MemlaneMethod *method, const MemlaneMode *mode, double log2_elements)
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

MEMLANE_DEFINE_FREE (MemlanePlan, void memlane_plan_free (MemlanePlan *data), OWNS (modes, g_free) OWNS (sizes, g_free))

MemlanePlan *
memlane_plan_copy (const MemlanePlan *plan)
{
  MemlanePlan *copy = g_memdup2 (plan, sizeof *plan);

  copy->modes = g_memdup2 (plan->modes, (count_modes (plan->modes) + 1) * sizeof *plan->modes);
  copy->sizes = g_memdup2 (plan->sizes, plan->n_sizes * sizeof *plan->sizes);
  return copy;
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
          g_autoptr (GString) known = g_string_new (NULL);
          guint n_known;
          const MemlaneMode *modes = memlane_mode_list (&n_known);

          for (guint k = 0; k < n_known; k++)
            g_string_append_printf (known, "%s%s", k > 0 ? ", " : "", modes[k].id);
          return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "unknown mode \"%s\": expected all, or some of %s", id,
                               known->str);
        }
      for (guint j = 0; j < i; j++)
        if (chosen[j] == chosen[i])
          return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "mode \"%s\" is named twice", id);
    }
  if (n == 0)
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "no modes: expected all, or a comma-separated list");
  g_free (plan->modes);
  plan->modes = g_steal_pointer (&chosen);
  return TRUE;
}

static gboolean
parse_log2 (const char *text, double *value)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, &number, NULL))
    return FALSE;
  *value = (double) number;
  return TRUE;
}

gboolean
memlane_plan_set_sizes (MemlanePlan *plan, const char *range, GError **error)
{
  g_auto (GStrv) ends = g_strsplit (range, ":", -1);
  guint n = g_strv_length (ends);
  double first, last;

  if (n < 1 || n > 2 || !parse_log2 (ends[0], &first) || !parse_log2 (ends[n - 1], &last))
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "sizes \"%s\": expected FIRST:LAST or one size, as powers of two from %d to %d, such as 10:20", range,
                         MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2);
  if (first > last)
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "sizes \"%s\": the first is the larger one; expected %.0f:%.0f",
                         range, last, first);
  plan->first_log2 = first;
  plan->last_log2 = last;
  g_clear_pointer (&plan->sizes, g_free);
  plan->n_sizes = 0;
  return TRUE;
}

/* The elements that @text stands for; 0: it is no size. */
static double
read_elements (const char *text)
{
  static const struct { const char *suffix; double elements; } units[] = {
    { "", 1 }, { "k", 1e3 }, { "K", 1e3 }, { "M", 1e6 }, { "G", 1e9 }, { "B", 1 / 4. }, { "KiB", 256 }, { "MiB", 262144 },
    { "GiB", 268435456 }, { "KB", 250 }, { "kB", 250 }, { "MB", 250e3 }, { "GB", 250e6 },
  };
  gboolean is_power = g_str_has_prefix (text, "2^");
  char *end;
  double number = g_ascii_strtod (is_power ? text + 2 : text, &end);

  if (!g_ascii_isdigit (is_power ? text[2] : text[0]) || !(number > 0))
    return 0;
  if (*end == '\0' && (is_power || number <= MEMLANE_LARGEST_LOG2))
    return exp2 (number);
  if (*end == '\0' && number < 100)
    return 0; /* more likely an exponent that is too large; 99 floats are 396B */
  for (guint i = 0; i < G_N_ELEMENTS (units) && !is_power; i++)
    if (strcmp (end, units[i].suffix) == 0)
      return number * units[i].elements;
  return 0;
}

gboolean
memlane_plan_read_size (const char *text, double *log2_elements, GError **error)
{
  const double elements = read_elements (text);

  if (!(elements >= exp2 (MEMLANE_SMALLEST_LOG2)) || !(elements <= exp2 (MEMLANE_LARGEST_LOG2)) || elements != floor (elements))
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "found \"%s\", expected a vector of 2^%d to 2^%d floats: 20, 2^20, 100000, 1M or 4MiB", text,
                         MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2);
  *log2_elements = memlane_size_of ((guint64) elements);
  return TRUE;
}

gboolean
memlane_plan_set_size_list (MemlanePlan *plan, const char *list, guint per_octave, GError **error)
{
  g_auto (GStrv) items = g_strsplit (list, ",", -1);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (MemlanePlan) range = memlane_plan_new ();
  gboolean are_powers = TRUE;
  guint n = 0;

  for (char **item = items; *item != NULL; item++)
    {
      const guint steps = MAX (per_octave, 1);
      double size;

      if (strchr (g_strstrip (*item), ':') == NULL)
        {
          if (!memlane_plan_read_size (*item, &size, error))
            {
              g_prefix_error (error, "sizes \"%s\": ", list);
              return FALSE;
            }
          g_array_append_val (sizes, size);
          continue;
        }
      if (!memlane_plan_set_sizes (range, *item, error))
        return FALSE;
      for (guint i = 0; i <= steps * (guint) (range->last_log2 - range->first_log2); i++)
        {
          size = memlane_size_of (memlane_size_elements (range->first_log2 + (double) i / steps));
          g_array_append_val (sizes, size);
        }
    }
  g_array_sort (sizes, memlane_compare_doubles);
  for (guint i = 0; i < sizes->len; i++)
    if (n == 0 || g_array_index (sizes, double, i) != g_array_index (sizes, double, n - 1))
      g_array_index (sizes, double, n++) = g_array_index (sizes, double, i);
  if (n == 0 || n > MEMLANE_MOST_SIZES)
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "sizes \"%s\": found %u sizes, expected 1 to %d", list, n,
                         MEMLANE_MOST_SIZES);
  plan->first_log2 = g_array_index (sizes, double, 0);
  plan->last_log2 = g_array_index (sizes, double, n - 1);
  for (guint i = 0; i < n; i++)
    are_powers = are_powers && g_array_index (sizes, double, i) == plan->first_log2 + i;
  g_free (plan->sizes);
  plan->n_sizes = are_powers && memlane_size_is_power (plan->first_log2) ? 0 : n;
  plan->sizes = g_memdup2 (sizes->data, plan->n_sizes * sizeof (double));
  return TRUE;
}

guint
memlane_plan_count_sizes (const MemlanePlan *plan)
{
  return plan->sizes != NULL ? plan->n_sizes : (guint) (plan->last_log2 - plan->first_log2) + 1;
}

double
memlane_plan_get_size (const MemlanePlan *plan, guint index)
{
  return plan->sizes != NULL ? plan->sizes[index] : plan->first_log2 + index;
}

guint
memlane_plan_count_cells (const MemlanePlan *plan)
{
  return count_modes (plan->modes) * memlane_plan_count_sizes (plan);
}

guint
memlane_plan_get_size_index (const MemlanePlan *plan, guint number)
{
  return number / count_modes (plan->modes);
}

const MemlaneMode *
memlane_plan_get_cell (const MemlanePlan *plan, guint number, double *log2_elements)
{
  *log2_elements = memlane_plan_get_size (plan, memlane_plan_get_size_index (plan, number));
  return plan->modes[number % count_modes (plan->modes)];
}
