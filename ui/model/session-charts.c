/* session-charts.c: the chosen modes, and the charts of the shown runs
 *
 * SPDX-License-Identifier: MIT
 */
#include "session-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "analysis/same-machine.h"
#include "run-item.h"

/* --- modes ------------------------------------------------------------------------------------------------------------ */

gboolean
memlane_session_get_mode (MemlaneSession *self, const char *mode)
{
  const MemlaneMode *known = memlane_mode_find (mode);

  return known != NULL && g_hash_table_contains (self->modes, known);
}

static void
modes_changed (MemlaneSession *self)
{
  memlane_session_keep_modes (self);
  memlane_session_say_modes_changed (self);
  memlane_session_say_charts_changed (self);
}

void
memlane_session_set_mode (MemlaneSession *self, const char *mode, gboolean chosen)
{
  const MemlaneMode *known = memlane_mode_find (mode);

  if (known == NULL || g_hash_table_contains (self->modes, known) == !!chosen)
    return;
  if (chosen)
    g_hash_table_add (self->modes, (gpointer) known);
  else
    g_hash_table_remove (self->modes, known);
  modes_changed (self);
}

void
memlane_session_set_all_modes (MemlaneSession *self, gboolean chosen)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  if (g_hash_table_size (self->modes) == (chosen ? n : 0))
    return;
  g_hash_table_remove_all (self->modes);
  for (guint i = 0; i < n && chosen; i++)
    g_hash_table_add (self->modes, (gpointer) &modes[i]);
  modes_changed (self);
}

/* --- charts ------------------------------------------------------------------------------------------------------------- */

static gboolean
has_workload (GPtrArray *items, const char *workload)
{
  for (guint i = 0; i < items->len; i++)
    {
      const MemlaneRun *run = ((MemlaneRunItem *) items->pdata[i])->run;

      for (guint k = 0; k < run->cells->len; k++)
        if (g_str_equal (((MemlaneCell *) run->cells->pdata[k])->workload, workload))
          return TRUE;
    }
  return FALSE;
}

MemlaneChart *
memlane_session_build_chart (MemlaneSession *self, MemlaneQuantity quantity)
{
  g_autoptr (GPtrArray) items = memlane_run_store_get_shown (self->store);
  g_autofree MemlaneChartRun *runs = g_new0 (MemlaneChartRun, items->len + 1);
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  gboolean time = quantity == MEMLANE_QUANTITY_TIME;
  MemlaneChartOptions options = {
    .workload = self->workload->id,
    .phase = time ? self->time_phase : self->phase,
    .quantity = self->comparing ? MEMLANE_QUANTITY_RATIO : quantity,
    .log_values = time ? self->log_time : self->log_bandwidth,
    .ceilings = self->show_ceilings,
    .published = self->show_published ? memlane_session_get_published (self) : NULL,
  };

  for (guint i = 0; i < items->len; i++)
    runs[i] = (MemlaneChartRun) { ((MemlaneRunItem *) items->pdata[i])->run, memlane_run_item_get_name (items->pdata[i]) };
  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (self->modes, &modes[i]))
      g_ptr_array_add (ids, (gpointer) modes[i].id);
  g_ptr_array_add (ids, NULL);
  options.modes = (const char *const *) ids->pdata;
  if (self->live != NULL)
    {
      /* The axis stands still while the curves grow. */
      options.first_log2 = self->plan_first;
      options.last_log2 = self->plan_last;
    }
  else if (items->len > 0 && !has_workload (items, self->workload->id))
    options.workload = NULL; /* a file of another workload was opened: better that than an empty page */
  return memlane_chart_build (runs, items->len, &options);
}

const MemlanePublished *
memlane_session_get_published (MemlaneSession *self)
{
  g_autoptr (GError) error = NULL;

  if (self->published_tried)
    return self->published;
  self->published_tried = TRUE;
  self->published = memlane_published_read_default (&error);
  if (self->published == NULL)
    memlane_session_tell (self, TRUE, _("The published figures cannot be shown: %s"), error->message);
  return self->published;
}

/* "driver: 580 and 570": at most so many characters; longer ones are told by their label alone. */
#define MOST_OF_ONE 48
/* Of all of them, so that the whole sentence has about 200. */
#define MOST_OF_ALL 130

/* Those of the machine come first. (transfer full) */
static char *
join_differences (GPtrArray *differences, gboolean in_full)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < differences->len; i++)
    {
      const char *difference = differences->pdata[i], *colon = strchr (difference, ':');
      gboolean whole = in_full || colon == NULL || g_utf8_strlen (difference, -1) <= MOST_OF_ONE;
      g_autofree char *part = whole ? g_strdup (difference) : g_strndup (difference, (gsize) (colon - difference));

      if (!in_full && i > 0 && g_utf8_strlen (text->str, -1) + g_utf8_strlen (part, -1) > MOST_OF_ALL)
        break;
      g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", part);
    }
  if (i < differences->len)
    g_string_append_printf (text, ngettext ("; and %u more", "; and %u more", differences->len - i), differences->len - i);
  return g_string_free (text, FALSE);
}

char *
memlane_session_describe_comparison (MemlaneSession *self, gboolean in_full)
{
  g_autoptr (GPtrArray) items = memlane_run_store_get_shown (self->store);
  g_autoptr (MemlaneMachineComparison) comparison = NULL;
  g_autofree char *differences = NULL;

  if (!self->comparing || items->len < 2)
    return NULL;
  comparison = memlane_machine_compare (((MemlaneRunItem *) items->pdata[0])->run, ((MemlaneRunItem *) items->pdata[1])->run);
  differences = join_differences (comparison->differences, in_full);
  switch (comparison->verdict)
    {
    case MEMLANE_MACHINE_SAME:
      if (*differences == '\0')
        return g_strdup (_("Both runs are of the same machine."));
      return g_strdup_printf (_("Both runs are of the same machine, measured in another way: %s."), differences);
    case MEMLANE_MACHINE_DIFFERENT:
      return g_strdup_printf (_("The runs are of different machines: %s."), differences);
    case MEMLANE_MACHINE_UNKNOWN:
    default:
      return g_strdup (_("Nothing tells whether both runs are of the same machine: an environment is missing."));
    }
}
