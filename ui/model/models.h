/* models.h: everything that a window shows and does, without the window
 *
 * SPDX-License-Identifier: MIT
 *
 * The window owns one and hands each of its parts the objects which that part uses. Main thread
 * only.
 */
#pragma once

#include "decider.h"
#include "experiment-store.h"
#include "sweep-job.h"
#include "trace-store.h"

typedef struct
{
  MemlaneRunStore *runs;
  MemlaneBench *bench;
  MemlaneDeviceChoice *devices;
  MemlanePlanModel *plan;
  MemlaneViewModel *view;
  MemlaneDecider *decider;
  MemlaneSweepJob *sweep;
  MemlaneTraceStore *traces;
  MemlaneExperimentStore *experiments;
} MemlaneModels;

/* @run_folder: NULL for the default. Nothing is read before start(). */
MemlaneModels *memlane_models_new (const char *run_folder);
/* Lists devices and reads runs in the background. */
void memlane_models_start (MemlaneModels *self);
/* Stops whatever measures or reads traces. */
void memlane_models_stop (MemlaneModels *self);
/* For closing the window: shuts the bench down, waits for the workers by running the main context,
 * keeps what was measured, writes index and settings. */
void memlane_models_shut_down (MemlaneModels *self);
void memlane_models_free (MemlaneModels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneModels, memlane_models_free)
