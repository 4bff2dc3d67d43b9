/* models.c: everything that a window shows and does, without the window
 *
 * SPDX-License-Identifier: MIT
 */
#include "models.h"

#include "base/owns.h"

MemlaneModels *
memlane_models_new (const char *run_folder)
{
  MemlaneModels *self = g_new0 (MemlaneModels, 1);

  self->runs = memlane_run_store_new (run_folder);
  self->bench = memlane_bench_new ();
  self->devices = memlane_device_choice_new (self->bench);
  self->plan = memlane_plan_model_new ();
  self->view = memlane_view_model_new (self->runs);
  self->decider = memlane_decider_new (self->runs, self->view);
  self->sweep = memlane_sweep_job_new (self->bench, self->devices, self->plan, self->view,
                                       self->runs);
  self->traces = memlane_trace_store_new (self->bench);
  self->experiments = memlane_experiment_store_new (self->bench, self->devices, self->plan,
                                                    self->view, self->runs, self->traces);
  return self;
}

void
memlane_models_start (MemlaneModels *self)
{
  memlane_run_store_load (self->runs);
  memlane_device_choice_look (self->devices);
}

void
memlane_models_stop (MemlaneModels *self)
{
  memlane_bench_stop (self->bench);
  memlane_trace_store_stop (self->traces);
}

static gboolean
is_busy (gpointer data)
{
  MemlaneModels *self = data;

  return memlane_device_choice_is_asking (self->devices)
         || memlane_trace_store_is_busy (self->traces);
}

void
memlane_models_shut_down (MemlaneModels *self)
{
  memlane_trace_store_stop (self->traces);
  memlane_device_choice_stop (self->devices);
  memlane_bench_shut_down (self->bench);
  memlane_workers_end (); /* the device may be being asked */
  memlane_bench_wait (is_busy, self);
  memlane_run_store_forget_removed (self->runs);
  memlane_run_store_flush (self->runs);
  g_settings_sync ();
}

MEMLANE_DEFINE_FREE (MemlaneModels, void memlane_models_free (MemlaneModels *data),
                     OWNS (experiments, g_object_unref) OWNS (traces, g_object_unref)
                     OWNS (sweep, g_object_unref) OWNS (decider, g_object_unref)
                     OWNS (view, g_object_unref) OWNS (plan, g_object_unref)
                     OWNS (devices, g_object_unref) OWNS (bench, g_object_unref)
                     OWNS (runs, g_object_unref))
