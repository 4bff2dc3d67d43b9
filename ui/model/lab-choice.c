/* lab-choice.c: what the stream laboratory is asked for: a plan, and which two traces of it are set
 * side by side
 *
 * SPDX-License-Identifier: MIT
 */
#include "lab-choice.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char *const titles[] = {
  N_("Depth-first with breadth-first"),     N_("With and without the inserted command"),
  N_("Blocking with non-blocking streams"), N_("Page-locked with pageable memory"),
  N_("With and without priorities"),
};

G_STATIC_ASSERT (G_N_ELEMENTS (titles) == MEMLANE_LAB_N_COMPARISONS);

const char *
memlane_lab_comparison_get_title (MemlaneLabComparison comparison)
{
  return _(titles[comparison]);
}

/* --- presets ---------------------------------------------------------------------------------- */

const MemlaneLabPreset memlane_lab_presets[MEMLANE_LAB_N_PRESETS] = {
  /* Kernels as long as a copy, so that there is something to hide. */
  { N_("Depth-first or breadth-first"),
    { MEMLANE_LAB_COMPARE_ORDERS,
      { .log2_elements = 22, .streams = 2, .chunks = 4, .reuse = 16 } } },
  { N_("Five commands that serialise streams"),
    { MEMLANE_LAB_COMPARE_BETWEEN,
      { .log2_elements = 22,
        .streams = 2,
        .chunks = 4,
        .reuse = 1,
        .between = MEMLANE_LAB_DEFAULT_STREAM } } },
  { N_("A callback in each stream"),
    { MEMLANE_LAB_COMPARE_ORDERS,
      { .log2_elements = 20, .streams = 4, .chunks = 8, .reuse = 1, .host_functions = TRUE } } },
  /* Kernels longer than the copies up, or none would find another pending. */
  { N_("Priorities"),
    { MEMLANE_LAB_COMPARE_PRIORITIES,
      { .log2_elements = 23,
        .streams = 2,
        .chunks = 2,
        .reuse = 100,
        .order = MEMLANE_LAB_BREADTH_FIRST,
        .priorities = TRUE } } },
};

/* Whether two choices record the same plans on both tracks. */
static gboolean
is_same (const MemlaneLabChoice *one, const MemlaneLabChoice *other)
{
  for (guint i = 0; i < 2; i++)
    {
      const MemlaneLabPlan a = memlane_lab_choice_get_plan (one, i),
                           b = memlane_lab_choice_get_plan (other, i);

      if (memcmp (&a, &b, sizeof a) != 0)
        return FALSE;
    }
  return one->comparison == other->comparison;
}

guint
memlane_lab_preset_find (const MemlaneLabChoice *choice)
{
  guint i;

  for (i = 0; i < MEMLANE_LAB_N_PRESETS && !is_same (choice, &memlane_lab_presets[i].choice); i++)
    ;
  return i;
}

/* --- the two traces --------------------------------------------------------------------------- */

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
      return track == 0
                 ? _("Nothing inserted")
                 : g_dgettext (GETTEXT_PACKAGE, memlane_lab_between_words (plan.between)->title);
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
  if (choice->comparison == MEMLANE_LAB_COMPARE_BETWEEN
      && choice->plan.between == MEMLANE_LAB_NOTHING)
    return _("Choose an inserted command, or compare something else");
  if (choice->comparison == MEMLANE_LAB_COMPARE_PRIORITIES
      && MIN (choice->plan.streams, choice->plan.chunks) < 2)
    return _("Priorities take two streams, and a chunk for each");
  return NULL;
}

/* --- by control ------------------------------------------------------------------------------- */

#define AT(member) G_STRUCT_OFFSET (MemlaneLabChoice, member)

static const gsize members[MEMLANE_LAB_N_CONTROLS] = {
  [MEMLANE_LAB_COMPARISON] = AT (comparison),
  [MEMLANE_LAB_ORDER] = AT (plan.order),
  [MEMLANE_LAB_BETWEEN] = AT (plan.between),
  [MEMLANE_LAB_SIZE] = AT (plan.log2_elements),
  [MEMLANE_LAB_STREAMS] = AT (plan.streams),
  [MEMLANE_LAB_CHUNKS] = AT (plan.chunks),
  [MEMLANE_LAB_REUSE] = AT (plan.reuse),
  [MEMLANE_LAB_PAGEABLE] = AT (plan.pageable),
  [MEMLANE_LAB_NON_BLOCKING] = AT (plan.non_blocking),
  [MEMLANE_LAB_PRIORITIES] = AT (plan.priorities),
  [MEMLANE_LAB_HOST_FUNCTIONS] = AT (plan.host_functions),
};

guint *
memlane_lab_choice_at (MemlaneLabChoice *choice, MemlaneLabControl control)
{
  return G_STRUCT_MEMBER_P (choice, members[control]);
}

char *
memlane_lab_choice_to_text (MemlaneLabChoice *choice)
{
  GString *text = g_string_new (NULL);

  for (MemlaneLabControl i = 0; i < MEMLANE_LAB_N_CONTROLS; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", *memlane_lab_choice_at (choice, i));
  return g_string_free (text, FALSE);
}

gboolean
memlane_lab_choice_from_text (MemlaneLabChoice *choice, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  MemlaneLabChoice read = { 0 };
  guint64 number;

  if (g_strv_length (words) != MEMLANE_LAB_N_CONTROLS)
    return FALSE;
  for (MemlaneLabControl i = 0; i < MEMLANE_LAB_N_CONTROLS; i++)
    if (g_ascii_string_to_unsigned (words[i], 10, 0, i < MEMLANE_LAB_PAGEABLE ? G_MAXUINT : 1,
                                    &number, NULL))
      *memlane_lab_choice_at (&read, i) = (guint) number;
    else
      return FALSE;
  if (read.comparison >= MEMLANE_LAB_N_COMPARISONS
      || !memlane_lab_plan_check (&read.plan, &read.plan, NULL))
    return FALSE;
  *choice = read;
  return TRUE;
}
