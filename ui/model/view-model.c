/* view-model.c: what the figures show: which runs, modes and phase, and the charts built of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "view-model.h"

#include <glib/gi18n-lib.h>

#include "fields.h"
#include "memlane.h"
#include "base/each.h"

#define AT(field) G_STRUCT_OFFSET (MemlaneViewModel, field)
#define KEPT (MEMLANE_FIELD_WRITABLE | MEMLANE_FIELD_KEPT)
#define AXES 0, MEMLANE_AXIS_AUTOMATIC
#define PHASES 0, MEMLANE_N_PHASES - 1, MEMLANE_PHASE_ELAPSED

static const MemlaneField fields[] = {
  { "shown-workload", MEMLANE_FIELD_WORKLOAD, AT (workload), KEPT, 0, 0, 0 },
  { "phase", MEMLANE_FIELD_PHASE, AT (phase), KEPT, PHASES },
  { "time-phase", MEMLANE_FIELD_PHASE, AT (time_phase), KEPT, PHASES },
  { "count", MEMLANE_FIELD_ENUM, AT (count), KEPT, 0, MEMLANE_N_COUNTS - 1,
    MEMLANE_COUNT_TRANSFER },
  { "uses", MEMLANE_FIELD_COUNT, AT (uses), KEPT, 1, MEMLANE_MOST_USES, 1 },
  { "bandwidth-axis", MEMLANE_FIELD_ENUM, AT (bandwidth_axis), KEPT, AXES, MEMLANE_AXIS_LOG },
  { "time-axis", MEMLANE_FIELD_ENUM, AT (time_axis), KEPT, AXES, MEMLANE_AXIS_LOG },
  { "show-published", MEMLANE_FIELD_FLAG, AT (show_published), KEPT, 0, 1, FALSE },
  { "show-ceilings", MEMLANE_FIELD_FLAG, AT (show_ceilings), KEPT, 0, 1, TRUE },
};

gboolean
memlane_view_model_has_curves (MemlaneViewModel *self, MemlaneRunItem *item)
{
  const MemlaneRun *run = item->run;

  return run == NULL || run->cells->len == 0
         || memlane_run_item_has_workload (item, self->workload->id);
}

const MemlaneWorkload *
memlane_view_model_follow_opened (MemlaneViewModel *self, GPtrArray *items)
{
  const MemlaneWorkload *before = self->workload, *first = NULL;

  MEMLANE_FOR_EACH (MemlaneRunItem, item, items)
    {
      if (memlane_run_item_has_workload (item, self->workload->id))
        return NULL;
      if (first == NULL && item->run != NULL && item->run->cells->len > 0)
        {
          const MemlaneCell *cell = item->run->cells->pdata[0];

          first = memlane_workload_find (cell->workload);
        }
    }
  if (first == NULL)
    return NULL;
  g_object_set (self, "shown-workload", first->id, NULL);
  return before;
}

void
memlane_view_model_follow_sweep (MemlaneViewModel *self, const MemlanePlan *plan)
{
  self->first_log2 = plan != NULL ? plan->first_log2 : 0;
  self->last_log2 = plan != NULL ? plan->last_log2 : 0;
  if (plan != NULL)
    g_object_set (self, "shown-workload", plan->method.workload->id, NULL);
  memlane_merger_poke (&self->changed);
}

GPtrArray *
memlane_view_model_get_drawn (MemlaneViewModel *self)
{
  GPtrArray *runs = memlane_run_store_get_shown (self->runs);

  for (guint i = runs->len; i > 0; i--)
    if (!memlane_run_item_has_workload (runs->pdata[i - 1], self->workload->id))
      g_ptr_array_remove_index (runs, i - 1);
  return runs;
}

/* While a sweep goes on it comes first, then the complete runs: the first is what a chart speaks
 * of. */
static int
compare_items (gconstpointer a, gconstpointer b)
{
  const MemlaneRunItem *items[] = { *(MemlaneRunItem *const *) a, *(MemlaneRunItem *const *) b };
  int rank[G_N_ELEMENTS (items)];
  guint n_measured;
  guint n_planned;

  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    rank[i] = items[i]->kind == MEMLANE_RUN_LIVE                             ? 0
              : memlane_run_is_whole (items[i]->run, &n_measured, &n_planned) ? 1
                                                                               : 2;
  return rank[0] - rank[1];
}

/* Whether the run is pale while a sweep goes on, which is then what is looked at: a run of the
 * person, or one that came with Memlane. */
static gboolean
is_behind (const GPtrArray *items, const MemlaneRunItem *item)
{
  const MemlaneRunItem *first = items->pdata[0];

  return first->kind == MEMLANE_RUN_LIVE && !first->beside && !item->pinned
         && (item->kind == MEMLANE_RUN_KEPT || item->kind == MEMLANE_RUN_RECORDED);
}

MemlaneChart *
memlane_view_model_build_chart (MemlaneViewModel *self, MemlaneQuantity quantity, const char *mode)
{
  g_autoptr (GPtrArray) drawn = memlane_view_model_get_drawn (self),
                        shown = memlane_run_store_get_shown (self->runs);
  GPtrArray *items = drawn->len > 0 ? drawn : shown;
  g_autofree MemlaneChartRun *runs = g_new0 (MemlaneChartRun, items->len + 1);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  gboolean time = quantity != MEMLANE_QUANTITY_BANDWIDTH;
  MemlaneChart *chart;
  MemlaneChartOptions options = {
    .workload = self->workload->id,
    .phase = time ? self->time_phase : self->phase,
    .quantity = quantity,
    .axis = (MemlaneAxis) (time ? self->time_axis : self->bandwidth_axis),
    .ceiling = self->show_ceilings,
    .count = (MemlaneCount) self->count,
    .uses = self->uses,
    .published = self->show_published ? memlane_view_model_get_published (self) : NULL,
  };

  if (quantity != MEMLANE_QUANTITY_RATIO)
    {
      g_ptr_array_sort (items, compare_items); /* stable since GLib 2.32 */
      if (self->alone)
        g_ptr_array_set_size (items, MIN (items->len, 1));
    }
  for (guint i = 0; i < items->len; i++)
    {
      MemlaneRunItem *item = items->pdata[i];

      runs[i] = (MemlaneChartRun) { item->run, memlane_run_item_get_name (item),
                                   is_behind (items, item) };
    }
  MEMLANE_FOR_EACH_OF (const MemlaneMode, each, n, memlane_mode_list (&n))
    if (mode != NULL ? g_str_equal (mode, each->id) : memlane_mode_set_has (self->modes, each->id))
      g_ptr_array_add (ids, (gpointer) each->id);
  g_ptr_array_add (ids, NULL);
  options.modes = (const char *const *) ids->pdata;
  if (self->last_log2 > 0)
    {
      options.first_log2 = self->first_log2;
      options.last_log2 = self->last_log2;
    }
  chart = memlane_chart_build (runs, items->len, &options);
  if (mode == NULL)
    self->logarithmic[time] = chart->value_scale == MEMLANE_SCALE_LOG10;
  return chart;
}

void
memlane_view_model_set_alone (MemlaneViewModel *self, gboolean alone)
{
  self->alone = alone;
  memlane_merger_poke (&self->changed);
}

gboolean
memlane_view_model_is_logarithmic (MemlaneViewModel *self, const char *property)
{
  return self->logarithmic[g_str_equal (property, "time-axis")];
}

const MemlanePublished *
memlane_view_model_get_published (MemlaneViewModel *self)
{
  g_autoptr (GError) error = NULL;

  if (self->published_tried)
    return self->published;
  self->published_tried = TRUE;
  self->published = memlane_published_read_default (&error);
  if (self->published != NULL)
    return self->published;
  memlane_say_notice (self, TRUE, _("The published figures cannot be shown: %s"), error->message);
  return NULL;
}

/* --- life ------------------------------------------------------------------------------------- */

static void
poke (MemlaneViewModel *self)
{
  memlane_merger_poke (&self->changed);
}

MEMLANE_DEFINE_OBJECT (MemlaneViewModel, memlane_view_model,
                       g_clear_handle_id (&self->changed.source, g_source_remove);
                       OWNS (modes, g_object_unref) OWNS (runs, g_object_unref)
                           OWNS (settings, g_object_unref) OWNS (published, memlane_published_free),
                       memlane_fields_install (G_OBJECT_CLASS (klass), fields,
                                               G_N_ELEMENTS (fields));
                       memlane_signal_add (klass, "changed", 0);
                       memlane_signal_add (klass, "notice", 2, G_TYPE_STRING,
                                           G_TYPE_BOOLEAN);)

/* Takes over the two axes that version 0.1.0 kept as booleans. */
static void
take_over_axes (void)
{
  static const char *const axes[][2] = { { "log-bandwidth", "bandwidth-axis" },
                                         { "log-time", "time-axis" } };
  g_autoptr (GSettingsSchema) schema = memlane_settings_find_schema ();
  g_autoptr (GSettings) settings = schema != NULL ? g_settings_new_full (schema, NULL, NULL) : NULL;

  for (guint i = 0; settings != NULL && i < G_N_ELEMENTS (axes)
                    && g_settings_schema_has_key (schema, axes[i][0]);
       i++)
    {
      g_autoptr (GVariant) old = g_settings_get_user_value (settings, axes[i][0]);

      if (old != NULL)
        g_settings_set_int (settings, axes[i][1],
                            g_variant_get_boolean (old) ? MEMLANE_AXIS_LOG : MEMLANE_AXIS_LINEAR);
      g_settings_reset (settings, axes[i][0]);
    }
}

MemlaneViewModel *
memlane_view_model_new (MemlaneRunStore *runs)
{
  MemlaneViewModel *self = g_object_new (MEMLANE_TYPE_VIEW_MODEL, NULL);

  self->changed = (MemlaneMerger) { .object = self };
  memlane_fields_init (self);
  self->modes = memlane_mode_set_new ();
  g_signal_connect (self, "notify", G_CALLBACK (poke), NULL);
  self->runs = g_object_ref (runs);
  take_over_axes ();
  self->settings = memlane_fields_keep (self, (const char *const[]) { "shown-modes", NULL });
  if (self->settings != NULL)
    memlane_mode_set_keep (self->modes, self->settings, "shown-modes");
  memlane_follow (self, (const MemlaneFollowed[]) {
    { runs, "changed", G_CALLBACK (poke) },
    { self->modes, "changed", G_CALLBACK (poke) },
    { NULL },
  });
  return self;
}
