/* measure.c: one round of a plan, cell by cell, in the calling thread
 *
 * SPDX-License-Identifier: MIT
 */
#include "measure.h"

#include "base/each.h"
#include "base/fail.h"
#include "base/pieces.h"
#include "base/size.h"
#include "cell.h"
#include "device/affinity.h"
#include "environment.h"
#include "measure-floors.h"

static char *
make_run_id (const char *device_id, const char *workload)
{
  g_autoptr (GDateTime) time = g_date_time_new_now_utc ();
  g_autofree char *stamp = g_date_time_format (time, "%Y%m%dT%H%M%S");
  g_autofree char *base = g_path_get_basename (device_id);
  g_autofree char *id = g_strdup_printf ("%s.%03dZ-%s-%s", stamp, g_date_time_get_microsecond (time) / 1000, base, workload);

  /* One word in every shell and file system. */
  return g_strcanon (g_steal_pointer (&id), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", '-');
}

/* The data for one size. A size that the host has no room for costs its own cells, not the run. */
static MemlaneReference *
make_reference (MemlaneDevice *device, gboolean of_pieces, double log2_elements, guint64 seed, GCancellable *cancellable, GError **error)
{
  const gsize elements = memlane_size_elements (log2_elements);
  guint64 needed = 4 * sizeof (float) * elements, available, lockable;

  if (of_pieces)
    needed /= MEMLANE_PIECE_STRIDE / MEMLANE_PIECE_BYTES;
  memlane_device_get_host_memory (device, &available, &lockable);
  if (available > 0 && needed > available)
    return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                         "not tried: the reference data takes %" G_GUINT64_FORMAT " MiB, and %" G_GUINT64_FORMAT
                         " MiB of host memory are free; choose a smaller size", needed >> 20, available >> 20), NULL;
  return of_pieces ? memlane_reference_new_of_pieces (elements, seed, cancellable, error)
                   : memlane_reference_new (elements, seed, cancellable, error);
}

/* Describes a device that has left its idle state. (transfer full) */
static MemlaneEnvironment *
describe_surroundings (MemlaneDevice *device, const MemlanePlan *plan, gboolean of_pieces, const char *affinity)
{
  g_autoptr (GError) error = NULL;
  MemlaneSurroundings surroundings = {
    .affinity = affinity, .verifies_pieces = of_pieces && sizeof (float) * exp2 (plan->last_log2) > MEMLANE_PIECES_ABOVE,
  };

  if (!memlane_device_get_state (device, &surroundings.state, &error))
    surroundings.no_state = error->message;
  memlane_measure_floors (device, &surroundings.floors);
  return memlane_environment_describe (device, plan, &surroundings);
}

/* --- rounds ------------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneDevice *device;
  const MemlanePlan *plan;
  GCancellable *cancellable;
  cpu_set_t before;
  MemlaneRun *run;             /* its id and environment, and what is told */
  double begun;                /* device clock, before the first cell */
  gboolean of_pieces;          /* the device moves pieces of large vectors, and no more of the reference is made */
  MemlaneReference *reference; /* for the largest size so far; smaller ones are its beginning */
  double log2_reference;       /* 0: there is none */
  MemlaneHostProber *prober;   /* NULL: the device has no noise */
  GError *no_data;             /* why there is none for the sizes beyond */
} Measuring;

static void
begin (Measuring *self, MemlaneMeasureFunc tell, gpointer user_data)
{
  const MemlaneDeviceInfo *info = memlane_device_get_info (self->device);
  g_autofree char *run_id = make_run_id (info->id, self->plan->method.workload->id);
  g_autofree char *affinity = memlane_affinity_bind_thread (info, &self->before);

  self->run = memlane_run_new (run_id, info->id, info->kind);
  /* Scattered pieces change their places, so all of them are moved. */
  self->of_pieces = memlane_device_move_pieces (self->device, !self->plan->method.workload->of_pieces);
  memlane_measure_warm_up (self->device);
  self->run->environment = describe_surroundings (self->device, self->plan, self->of_pieces, affinity);
  tell (self->run, NULL, 0, NULL, user_data);
  if (!info->exact)
    self->prober = memlane_host_prober_new (self->device);
  self->begun = memlane_device_clock (self->device);
}

/* Takes what is left of @self. */
static MemlaneRun *
end (Measuring *self)
{
  memlane_device_move_pieces (self->device, FALSE); /* as whoever has it next expects */
  memlane_host_prober_free (self->prober);
  memlane_reference_free (self->reference);
  g_clear_error (&self->no_data);
  memlane_affinity_restore_thread (&self->before);
  return self->run;
}

/* The data of a round are made once, for its largest size: it is random which one comes first. A size that the host has no room for costs
 * its own cells, not the others. */
static void
make_references (Measuring *self, const GArray *order)
{
  guint largest = 0;

  for (guint i = 0; i < order->len; i++)
    largest = MAX (largest, memlane_plan_get_size_index (self->plan, g_array_index (order, guint, i)));
  for (guint i = largest + 1; i-- > 0 && self->reference == NULL;)
    {
      const double size = memlane_plan_get_size (self->plan, i);

      g_clear_error (&self->no_data);
      self->reference = make_reference (self->device, self->of_pieces, size, self->plan->method.seed, self->cancellable, &self->no_data);
      if (self->reference != NULL)
        self->log2_reference = size;
    }
}

static MemlaneCell *
measure_cell (Measuring *self, const MemlaneMode *mode, double log2_elements)
{
  const MemlaneMethod *method = &self->plan->method;
  MemlaneCell *cell;

  if (log2_elements > self->log2_reference)
    {
      cell = memlane_cell_new (method->workload->id, mode->id, log2_elements);
      cell->reuse = MAX (method->reuse, 1);
      cell->status = memlane_status_from_error (self->no_data);
      cell->detail = g_strdup (self->no_data->message);
      return cell;
    }
  cell = memlane_measure_cell (self->device, method, mode, log2_elements, self->reference, self->cancellable);
  /* From here on the marks' times are those since the first cell began. */
  MEMLANE_FOR_EACH (MemlaneFigure, figure, cell->figures)
    for (guint k = 0; figure->marks != NULL && k < figure->statistics.count; k++)
      figure->marks[k].time -= self->begun;
  return cell;
}

MemlaneRun *
memlane_measure_round (MemlaneDevice *device, const MemlanePlan *plan, const GArray *order, MemlaneMeasureFunc tell, gpointer user_data,
                       GCancellable *cancellable)
{
  Measuring self = { .device = device, .plan = plan, .cancellable = cancellable };
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  begin (&self, tell, user_data);
  make_references (&self, order);
  for (guint place = 0; place < order->len && !g_cancellable_is_cancelled (cancellable) && !memlane_device_is_lost (device); place++)
    {
      guint number = g_array_index (order, guint, place);
      double log2_elements;
      const MemlaneMode *mode = memlane_plan_get_cell (plan, number, &log2_elements);
      MemlaneHostProbe host = { { 0 } };
      MemlaneCell *cell;

      if (!g_hash_table_add (seen, GUINT_TO_POINTER (number)) && memlane_device_get_info (device)->exact)
        continue; /* another visit would see the same again */
      if (self.prober != NULL)
        memlane_host_prober_run (self.prober, &host);
      tell (self.run, mode, log2_elements, NULL, user_data);
      cell = measure_cell (&self, mode, log2_elements);
      cell->host = host;
      g_ptr_array_add (self.run->cells, cell);
      tell (self.run, mode, log2_elements, cell, user_data);
    }
  return end (&self);
}
