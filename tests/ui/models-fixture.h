/* models-fixture.h: what tests ask of the models of a window
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "model/models.h"

/* Why the chosen device cannot run @mode in the plan's workload. */
static inline const char *
models_get_objection (MemlaneModels *models, const char *mode)
{
  return memlane_device_choice_get_mode_objection (models->devices, models->plan->workload, mode);
}

static inline MemlaneModeSet *
models_get_plan (MemlaneModels *models)
{
  return models->plan->modes;
}

typedef void (*ModelsNotice) (gpointer object, const char *sentence, gboolean trouble, gpointer data);

/* Whatever device, view, sweep and runs tell the person. */
static inline void
models_hear_notices (MemlaneModels *models, ModelsNotice notice, gpointer data)
{
  g_signal_connect (models->devices, "notice", G_CALLBACK (notice), data);
  g_signal_connect (models->view, "notice", G_CALLBACK (notice), data);
  g_signal_connect (models->sweep, "notice", G_CALLBACK (notice), data);
  g_signal_connect (models->runs, "notice", G_CALLBACK (notice), data);
}

/* Frees @models and fails if anybody else holds one of them. */
static inline void
models_assert_freed (MemlaneModels *models)
{
  gpointer objects[] = { models->runs, models->bench, models->devices, models->plan, models->view, models->sweep, models->traces,
                         models->experiments };

  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    g_object_add_weak_pointer (objects[i], &objects[i]);
  memlane_models_free (models);
  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    if (objects[i] != NULL)
      g_error ("%s is still held", G_OBJECT_TYPE_NAME (objects[i]));
}
