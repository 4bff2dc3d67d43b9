/* lab-choice.c: what the stream laboratory is asked for: a plan, and which two traces of it are set side by side
 *
 * SPDX-License-Identifier: MIT
 */
#include "lab-choice.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

static const char *const titles[] = {
  N_("Depth-first with breadth-first"), N_("With and without the inserted command"), N_("Blocking with non-blocking streams"),
  N_("Page-locked with pageable memory"), N_("With and without priorities"),
};

G_STATIC_ASSERT (G_N_ELEMENTS (titles) == MEMLANE_LAB_N_COMPARISONS);

const char *
memlane_lab_comparison_get_title (MemlaneLabComparison comparison)
{
  return _(titles[comparison]);
}

/* --- presets ------------------------------------------------------------------------------------------------------ */

const MemlaneLabPreset memlane_lab_presets[MEMLANE_LAB_N_PRESETS] = {
  /* Kernels as long as a copy, so that there is something to hide. */
  { N_("Depth-first or breadth-first"),
    { MEMLANE_LAB_COMPARE_ORDERS, { .log2_elements = 22, .streams = 2, .chunks = 4, .reuse = 16 } } },
  { N_("Five commands that serialise streams"),
    { MEMLANE_LAB_COMPARE_BETWEEN,
      { .log2_elements = 22, .streams = 2, .chunks = 4, .reuse = 1, .between = MEMLANE_LAB_DEFAULT_STREAM } } },
  { N_("A callback in each stream"),
    { MEMLANE_LAB_COMPARE_ORDERS, { .log2_elements = 20, .streams = 4, .chunks = 8, .reuse = 1, .host_functions = TRUE } } },
  /* Kernels longer than the copies up, or none would find another pending. */
  { N_("Priorities"),
    { MEMLANE_LAB_COMPARE_PRIORITIES,
      { .log2_elements = 23, .streams = 2, .chunks = 2, .reuse = 100, .order = MEMLANE_LAB_BREADTH_FIRST, .priorities = TRUE } } },
};

/* Whether two choices record the same plans on both tracks. */
static gboolean
is_same (const MemlaneLabChoice *one, const MemlaneLabChoice *other)
{
  if (one->comparison != other->comparison)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      MemlaneLabPlan a = memlane_lab_choice_get_plan (one, i), b = memlane_lab_choice_get_plan (other, i);

      if (a.order != b.order || a.between != b.between || a.log2_elements != b.log2_elements || a.streams != b.streams
          || a.chunks != b.chunks || a.reuse != b.reuse || !a.pageable != !b.pageable || !a.non_blocking != !b.non_blocking
          || !a.priorities != !b.priorities || !a.host_functions != !b.host_functions)
        return FALSE;
    }
  return TRUE;
}

guint
memlane_lab_preset_find (const MemlaneLabChoice *choice)
{
  guint i;

  for (i = 0; i < MEMLANE_LAB_N_PRESETS && !is_same (choice, &memlane_lab_presets[i].choice); i++)
    ;
  return i;
}

/* --- the two traces ------------------------------------------------------------------------------------------------- */

MemlaneLabPlan
memlane_lab_choice_get_plan (const MemlaneLabChoice *choice, guint track)
{
  MemlaneLabPlan plan = choice->plan;
  gboolean second = track > 0;

  switch (choice->comparison)
    {
    case MEMLANE_LAB_COMPARE_BETWEEN:
      if (!second)
        plan.between = MEMLANE_LAB_NOTHING;
      break;
    case MEMLANE_LAB_COMPARE_STREAMS:
      plan.non_blocking = second;
      break;
    case MEMLANE_LAB_COMPARE_MEMORY:
      plan.pageable = second;
      break;
    case MEMLANE_LAB_COMPARE_PRIORITIES:
      plan.priorities = second;
      break;
    case MEMLANE_LAB_COMPARE_ORDERS:
    case MEMLANE_LAB_N_COMPARISONS:
    default:
      plan.order = second ? MEMLANE_LAB_BREADTH_FIRST : MEMLANE_LAB_DEPTH_FIRST;
      break;
    }
  return plan;
}

const char *
memlane_lab_choice_get_name (const MemlaneLabChoice *choice, guint track)
{
  MemlaneLabPlan plan = memlane_lab_choice_get_plan (choice, track);

  switch (choice->comparison)
    {
    case MEMLANE_LAB_COMPARE_BETWEEN:
      return track == 0 ? _("Nothing inserted") : g_dgettext (GETTEXT_PACKAGE, memlane_lab_between_words (plan.between)->title);
    case MEMLANE_LAB_COMPARE_STREAMS:
      return track == 0 ? _("Blocking streams") : _("Non-blocking streams");
    case MEMLANE_LAB_COMPARE_MEMORY:
      return track == 0 ? _("Page-locked memory") : _("Pageable memory");
    case MEMLANE_LAB_COMPARE_PRIORITIES:
      return track == 0 ? _("Equal priorities") : _("Last stream first");
    case MEMLANE_LAB_COMPARE_ORDERS:
    case MEMLANE_LAB_N_COMPARISONS:
    default:
      return g_dgettext (GETTEXT_PACKAGE, memlane_lab_order_words (plan.order)->title);
    }
}

const char *
memlane_lab_choice_get_objection (const MemlaneLabChoice *choice)
{
  if (choice->comparison == MEMLANE_LAB_COMPARE_BETWEEN && choice->plan.between == MEMLANE_LAB_NOTHING)
    return _("Choose an inserted command, or compare something else");
  if (choice->comparison == MEMLANE_LAB_COMPARE_PRIORITIES && MIN (choice->plan.streams, choice->plan.chunks) < 2)
    return _("Priorities take two streams, and a chunk for each");
  return NULL;
}

/* --- settings --------------------------------------------------------------------------------------------------------- */

#define FORMAT "%u %u %u %u %u %u %u %u %u %u %u"

char *
memlane_lab_choice_to_text (const MemlaneLabChoice *choice)
{
  const MemlaneLabPlan *plan = &choice->plan;

  return g_strdup_printf (FORMAT, (guint) choice->comparison, (guint) plan->order, (guint) plan->between, plan->log2_elements,
                          plan->streams, plan->chunks, plan->reuse, plan->pageable != 0, plan->non_blocking != 0, plan->priorities != 0,
                          plan->host_functions != 0);
}

gboolean
memlane_lab_choice_from_text (MemlaneLabChoice *choice, const char *text)
{
  guint n[11];
  MemlaneLabPlan plan;

  if (sscanf (text, FORMAT, &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &n[9], &n[10]) != G_N_ELEMENTS (n)
      || n[0] >= MEMLANE_LAB_N_COMPARISONS)
    return FALSE;
  plan = (MemlaneLabPlan) {
    .order = (MemlaneLabOrder) n[1],
    .between = (MemlaneLabBetween) n[2],
    .log2_elements = n[3],
    .streams = n[4],
    .chunks = n[5],
    .reuse = n[6],
    .pageable = n[7] != 0,
    .non_blocking = n[8] != 0,
    .priorities = n[9] != 0,
    .host_functions = n[10] != 0,
  };
  if (!memlane_lab_plan_check (&plan, &plan, NULL))
    return FALSE;
  choice->comparison = (MemlaneLabComparison) n[0];
  choice->plan = plan;
  return TRUE;
}
