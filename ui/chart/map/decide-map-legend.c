/* decide-map-legend.c: which modes and which hatches occur in a map, and what they mean
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-map-private.h"

#include <glib/gi18n-lib.h>

#define MOST_SHARE_RIGHT 0.36 /* of the figure's width */
#define MOST_SHARE_BELOW 0.34 /* of its height */
#define LOOSE_PITCH 1.6       /* lines from one entry to the next, where there is room */
#define TIGHT_PITCH 1.15

typedef struct
{
  gboolean is_heading;
  int mode;
  MemlaneMapCertainty certainty;
  char *text; /* owned */
} Entry;

static void
clear_entry (gpointer data)
{
  g_free (((Entry *) data)->text);
}

static void
add (GArray *entries, gboolean is_heading, int mode, MemlaneMapCertainty certainty, char *text)
{
  Entry entry = { is_heading, mode, certainty, text };

  g_array_append_val (entries, entry);
}

/* Only what occurs. */
static GArray *
collect_entries (const MemlaneDecideMap *self, gboolean headings)
{
  static const char *const meanings[] = {
    [MEMLANE_MAP_TIED] = N_ ("tied with others of its kind"),
    [MEMLANE_MAP_OPEN] = N_ ("tied with another kind"),
    [MEMLANE_MAP_UNTOLD] = N_ ("cannot be told"),
  };
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint32 modes = 0;
  gboolean occurs[G_N_ELEMENTS (meanings)] = { FALSE }, first = TRUE;

  g_array_set_clear_func (entries, clear_entry);
  for (guint i = 0; i < self->decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneMapCell cell = memlane_map_cell (self, i, j);

        occurs[cell.certainty] = TRUE;
        if (cell.mode >= 0)
          modes |= 1u << cell.mode;
      }
  if (headings && modes != 0)
    add (entries, TRUE, -1, MEMLANE_MAP_CERTAIN, g_strdup (_("Fastest mode")));
  for (guint i = 0; i < self->decision->n_modes; i++)
    if ((modes >> i & 1) != 0)
      add (entries, FALSE, (int) i, MEMLANE_MAP_CERTAIN, memlane_map_mode_title ((int) i));
  for (guint i = MEMLANE_MAP_TIED; i < G_N_ELEMENTS (meanings); i++)
    {
      if (!occurs[i])
        continue;
      if (headings && first)
        add (entries, TRUE, -1, MEMLANE_MAP_CERTAIN, g_strdup (_("Not certain")));
      first = FALSE;
      add (entries, FALSE, -1, i, g_strdup (_(meanings[i])));
    }
  return entries;
}

/* --- arranging: the same steps measure and place ------------------------------------------------------------------- */

typedef struct
{
  MemlaneDecideMap *self;
  const GArray *entries;
  guint n;              /* of them are shown; then a word on the others */
  double x, y, width;   /* where the legend begins, and what it may take */
  double pitch;
  gboolean place;
} Job;

static double
sample_width (const MemlaneDecideMap *self)
{
  return round (2.2 * self->em);
}

static double
text_gap (const MemlaneDecideMap *self)
{
  return round (0.6 * self->em);
}

static char *
count_others (const Job *job)
{
  guint others = 0;

  for (guint i = job->n; i < job->entries->len; i++)
    others += !g_array_index (job->entries, Entry, i).is_heading;
  return g_strdup_printf (ngettext ("%u more", "%u more", others), others);
}

static PangoLayout *
make_label (const Job *job, guint i, double *width)
{
  const Entry *entry = i < job->n ? &g_array_index (job->entries, Entry, i) : NULL;
  g_autofree char *others = entry == NULL ? count_others (job) : NULL;
  PangoLayout *layout = memlane_map_make_text (job->self, 1, FALSE, entry != NULL ? entry->text : others);

  memlane_figure_measure_text (layout, width, NULL);
  return layout;
}

static gboolean
has_sample (const Job *job, guint i)
{
  return i < job->n && !g_array_index (job->entries, Entry, i).is_heading;
}

/* Takes @label over. */
static void
place_entry (const Job *job, guint i, PangoLayout *label, double x, double y)
{
  MemlaneDecideMap *self = job->self;
  const Entry *entry = i < job->n ? &g_array_index (job->entries, Entry, i) : NULL;
  MemlaneMapRole role = entry == NULL ? MEMLANE_MAP_MORE : entry->is_heading ? MEMLANE_MAP_HEADING : MEMLANE_MAP_LEGEND;
  double height, indent = 0;

  if (has_sample (job, i))
    {
      double sample = MIN (round (1.45 * self->em), job->pitch - 2);
      MemlaneMapCell cell = { { round (x), round (y + (job->pitch - sample) / 2), sample_width (self), sample }, entry->mode,
                              entry->certainty };

      g_array_append_val (self->samples, cell);
      indent = sample_width (self) + text_gap (self);
    }
  memlane_figure_limit_text (label, job->x + job->width - x - indent);
  memlane_figure_measure_text (label, NULL, &height);
  memlane_map_place_text (self, role, label, x + indent, y + (job->pitch - height) / 2,
                          role == MEMLANE_MAP_LEGEND ? &self->style.text : &self->style.faint);
}

static double
entry_width (const Job *job, guint i, double label)
{
  return ceil (label + (has_sample (job, i) ? sample_width (job->self) + text_gap (job->self) : 0));
}

/* One below the other. Returns the height; *@width: of the widest. */
static double
arrange_column (const Job *job, double *width)
{
  double y = job->y;

  *width = 0;
  for (guint i = 0; i < job->n + (job->n < job->entries->len); i++)
    {
      double own;
      PangoLayout *label = make_label (job, i, &own);

      if (i > 0 && i < job->n && g_array_index (job->entries, Entry, i).is_heading)
        y += 0.5 * job->pitch;
      *width = MAX (*width, entry_width (job, i, own));
      if (job->place)
        place_entry (job, i, label, job->x, y);
      else
        g_object_unref (label);
      y += job->pitch;
    }
  return y - job->y;
}

/* One beside the other, row by row. Returns the height. */
static double
arrange_rows (const Job *job)
{
  double x = job->x, y = job->y;

  for (guint i = 0; i < job->n + (job->n < job->entries->len); i++)
    {
      double own, width;
      PangoLayout *label = make_label (job, i, &own);

      width = entry_width (job, i, own);
      if (x > job->x && x + width > job->x + job->width)
        {
          x = job->x;
          y += job->pitch;
        }
      if (job->place)
        place_entry (job, i, label, x, y);
      else
        g_object_unref (label);
      x += width + round (1.6 * job->self->em);
    }
  return y + job->pitch - job->y;
}

/* --- planning ------------------------------------------------------------------------------------------------------- */

static double
right_pitch (const MemlaneDecideMap *self, gboolean headings)
{
  return round (self->line * (headings ? LOOSE_PITCH : TIGHT_PITCH));
}

static double
below_pitch (const MemlaneDecideMap *self)
{
  return round (self->line * 1.25);
}

static gboolean
plan_right (MemlaneDecideMap *self, double height, gboolean headings, gboolean cut, MemlaneMapLegend *plan)
{
  g_autoptr (GArray) entries = collect_entries (self, headings);
  Job job = { self, entries, entries->len, 0, 0, floor (self->width * MOST_SHARE_RIGHT), right_pitch (self, headings), FALSE };

  if (self->width < 34 * self->em || self->width < self->height)
    return FALSE;
  for (; job.n > 0; job.n--)
    {
      plan->height = arrange_column (&job, &plan->width);
      plan->width = MIN (plan->width, job.width);
      if (plan->height <= height)
        break;
      if (!cut)
        return FALSE;
    }
  plan->side = MEMLANE_MAP_LEGEND_RIGHT;
  plan->headings = headings;
  plan->entries = job.n;
  return job.n > 0;
}

static gboolean
plan_below (MemlaneDecideMap *self, gboolean cut, MemlaneMapLegend *plan)
{
  g_autoptr (GArray) entries = collect_entries (self, FALSE);
  Job job = { self, entries, entries->len, 0, 0, self->width - 2 * self->pad, below_pitch (self), FALSE };

  if (job.width < sample_width (self) + 4 * self->em)
    return FALSE;
  for (; job.n > 0; job.n--)
    {
      plan->height = arrange_rows (&job);
      if (plan->height <= self->height * MOST_SHARE_BELOW)
        break;
      if (!cut)
        return FALSE;
    }
  plan->side = MEMLANE_MAP_LEGEND_BELOW;
  plan->headings = FALSE;
  plan->entries = job.n;
  plan->width = job.width;
  return job.n > 0;
}

MemlaneMapLegend
memlane_map_plan_legend (MemlaneDecideMap *self, double height)
{
  MemlaneMapLegend plan = { MEMLANE_MAP_LEGEND_NONE };

  if (plan_right (self, height, TRUE, FALSE, &plan) || plan_right (self, height, FALSE, FALSE, &plan) || plan_below (self, FALSE, &plan)
      || plan_right (self, height, FALSE, TRUE, &plan) || plan_below (self, TRUE, &plan))
    return plan;
  return (MemlaneMapLegend){ MEMLANE_MAP_LEGEND_NONE };
}

void
memlane_map_place_legend (MemlaneDecideMap *self, const MemlaneMapLegend *plan, double x, double y)
{
  g_autoptr (GArray) entries = collect_entries (self, plan->headings);
  Job job = { self, entries, plan->entries, x, y, plan->width, 0, TRUE };
  double width;

  job.pitch = plan->side == MEMLANE_MAP_LEGEND_RIGHT ? right_pitch (self, plan->headings) : below_pitch (self);
  if (plan->side == MEMLANE_MAP_LEGEND_RIGHT)
    arrange_column (&job, &width);
  else
    arrange_rows (&job);
}
