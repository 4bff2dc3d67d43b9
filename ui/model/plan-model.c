/* plan-model.c: what the next sweep measures: workload, modes, sizes, method
 *
 * SPDX-License-Identifier: MIT
 */
#include "plan-model.h"

#include "fields.h"
#include "base/each.h"

#define AT(field) G_STRUCT_OFFSET (MemlanePlanModel, field)
#define SIZES MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2
#define KEPT (MEMLANE_FIELD_WRITABLE | MEMLANE_FIELD_KEPT)

static const MemlaneField fields[] = {
  { "workload", MEMLANE_FIELD_WORKLOAD, AT (workload), KEPT, 0, 0, 0 },
  { "first-log2", MEMLANE_FIELD_COUNT, AT (first_log2), KEPT, SIZES, 10 },
  { "last-log2", MEMLANE_FIELD_COUNT, AT (last_log2), KEPT, SIZES, 20 },
  { "sizes", MEMLANE_FIELD_TEXT, AT (sizes), KEPT, 0, 0, 0 },
  { "per-octave", MEMLANE_FIELD_COUNT, AT (per_octave), KEPT, 1, MEMLANE_MOST_PER_OCTAVE, 1 },
  { "precision", MEMLANE_FIELD_NUMBER, AT (precision), KEPT, 0.0001, 1, 0.2 },
  { "cell-seconds", MEMLANE_FIELD_NUMBER, AT (cell_seconds), KEPT, 0.001, 3600, 0.25 },
  { "rounds", MEMLANE_FIELD_COUNT, AT (rounds), KEPT, 1, MEMLANE_MOST_ROUNDS, 12 },
  { "reuse", MEMLANE_FIELD_COUNT, AT (reuse), KEPT, 1, MEMLANE_MOST_REUSE, 1 },
  { "streams", MEMLANE_FIELD_COUNT, AT (streams), KEPT, 1, MEMLANE_MOST_STREAMS, 8 },
  { "chunks", MEMLANE_FIELD_COUNT, AT (chunks), KEPT, 1, MEMLANE_MOST_PIECES, 8 },
  { "beside", MEMLANE_FIELD_COUNT, AT (beside), KEPT, 0, MEMLANE_N_BESIDES - 1, 0 },
  { "busy", MEMLANE_FIELD_COUNT, AT (busy), KEPT, 1, 100, 100 },
};

MemlanePlan *
memlane_plan_model_make (MemlanePlanModel *self)
{
  MemlanePlan *plan = memlane_plan_new ();
  g_autofree char *range = g_strdup_printf ("%u:%u", self->first_log2, self->last_log2);
  guint chosen = 0;

  MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n))
    if (memlane_mode_set_has (self->modes, mode->id))
      plan->modes[chosen++] = mode;
  plan->modes[chosen] = NULL;
  plan->method.workload = self->workload;
  if (self->sizes == NULL || *self->sizes == '\0'
      || !memlane_plan_set_size_list (plan, self->sizes, self->per_octave, NULL))
    memlane_plan_set_size_list (plan, range, self->per_octave, NULL);
  plan->method.precision = self->precision;
  plan->method.cell_seconds = self->cell_seconds;
  plan->method.rounds = self->rounds;
  plan->method.reuse = self->reuse;
  plan->method.streams = self->streams;
  plan->method.chunks = self->chunks;
  plan->method.beside = self->beside;
  plan->method.busy = self->beside == MEMLANE_BESIDE_COMPUTE ? self->busy : 0;
  return plan;
}

static void
notify (GObject *object, GParamSpec *pspec)
{
  MemlanePlanModel *self = MEMLANE_PLAN_MODEL (object);

  if (self->first_log2 > self->last_log2)
    {
      gboolean first = g_str_equal (pspec->name, "first-log2");

      g_object_set (self, first ? "last-log2" : "first-log2",
                    first ? self->first_log2 : self->last_log2, NULL);
    }
  memlane_say_changed (self);
}

MEMLANE_DEFINE_OBJECT (MemlanePlanModel, memlane_plan_model,
                       OWNS (modes, g_object_unref) OWNS (settings, g_object_unref)
                           OWNS (sizes, g_free),
                       G_OBJECT_CLASS (klass)->notify = notify;
                       memlane_fields_install (G_OBJECT_CLASS (klass), fields,
                                               G_N_ELEMENTS (fields));
                       memlane_signal_add (klass, "changed", 0);)

MemlanePlanModel *
memlane_plan_model_new (void)
{
  MemlanePlanModel *self = g_object_new (MEMLANE_TYPE_PLAN_MODEL, NULL);

  memlane_fields_init (self);
  self->modes = memlane_mode_set_new ();
  g_signal_connect_object (self->modes, "changed", G_CALLBACK (memlane_say_changed), self,
                           G_CONNECT_SWAPPED);
  self->settings = memlane_fields_keep (self, (const char *const[]) { "modes", NULL });
  if (self->settings != NULL)
    memlane_mode_set_keep (self->modes, self->settings, "modes");
  return self;
}
