/* recipe.c: preparing, finishing and checking the samples of one workload in one mode at one size
 *
 * SPDX-License-Identifier: MIT
 */
#include "recipe.h"

#include <string.h>

#include "base/owns.h"
#include "transfer.h"

static void
lay_out (MemlaneRecipe *self, const MemlaneMethod *method, const MemlaneMode *mode, gsize elements, const MemlaneReference *reference)
{
  self->workload = method->workload;
  self->mode = mode;
  self->reference = reference;
  self->elements = elements;
  self->bytes = elements * sizeof (float);
  self->reuse = MAX (method->reuse, 1);
  self->streams = MAX (method->streams, 1);
  self->chunks = MAX (method->chunks, 1);
  self->cold_cache = method->cold_cache;
  self->shape.input_memory = mode->input_memory;
  self->shape.output_memory = mode->output_memory;
  self->shape.chunks = 1;
  self->finish_waits = TRUE;
  method->workload->lay_out (self);
}

void
memlane_method_find_need (const MemlaneMethod *method, const MemlaneMode *mode, guint64 elements, MemlaneNeed *need)
{
  const MemlaneReference none = { 0 };
  MemlaneRecipe recipe = { 0 };

  *need = (MemlaneNeed) { 0 };
  if (memlane_workload_find_objection (method->workload, mode) != NULL)
    return;
  lay_out (&recipe, method, mode, elements, &none);
  memlane_shape_find_need (&recipe.shape, mode, elements, need);
}

MemlaneRecipe *
memlane_recipe_new (MemlaneDevice *device, const MemlaneMethod *method, const MemlaneMode *mode, gsize elements,
                    const MemlaneReference *reference, GError **error)
{
  MemlaneRecipe *self = g_new0 (MemlaneRecipe, 1);

  g_assert (elements <= reference->elements);
  lay_out (self, method, mode, elements, reference);
  self->buffers = memlane_buffers_new (device, mode, &self->shape, elements, self->reuse, error);
  if (self->buffers == NULL)
    {
      memlane_recipe_free (self);
      return NULL;
    }
  self->buffers->kernel = self->kernel | (mode->shaped_kernel ? MEMLANE_KERNEL_SHAPED : 0);
  /* The layout could only name the vectors by place: they exist from now on. */
  for (guint i = 0; i < self->n_checks; i++)
    self->checks[i].vector = self->checks[i].is_input ? &self->buffers->input[0] : &self->buffers->output;
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneRecipe, void memlane_recipe_free (MemlaneRecipe *data), OWNS (buffers, memlane_buffers_free))

gboolean
memlane_recipe_has_host_inputs (const MemlaneRecipe *self)
{
  return (self->shape.inputs > 0 && self->shape.inputs_on_host) || self->settles_on_device;
}

guint
memlane_recipe_get_streams (const MemlaneRecipe *self)
{
  return self->mode->transfer->lanes == MEMLANE_LANES_MANY ? self->buffers->shape.lanes : 0;
}

guint
memlane_recipe_get_chunks (const MemlaneRecipe *self)
{
  if (self->buffers->scatter != NULL)
    return self->buffers->scatter->n;
  return self->mode->transfer->lanes == MEMLANE_LANES_MANY ? self->buffers->n_chunks : 0;
}

/* The host writes @plain into a vector's host side, or reads it from there; a pool piece by piece. */
static gboolean
access_host_side (MemlaneRecipe *self, gboolean write, float *host, float *plain, GError **error)
{
  MemlaneDevice *device = self->buffers->device;
  const MemlaneScatter *scatter = self->buffers->scatter;

  for (guint i = 0; i < (scatter != NULL ? scatter->n : 1); i++)
    {
      gsize in_vector = 0, in_pool = 0;
      gsize elements = scatter != NULL ? memlane_scatter_get_piece (scatter, i, &in_vector, &in_pool) : self->elements;

      if (!(write ? memlane_device_host_write (device, host + in_pool, plain + in_vector, elements * sizeof (float), error)
                  : memlane_device_host_read (device, plain + in_vector, host + in_pool, elements * sizeof (float), error)))
        return FALSE;
    }
  return TRUE;
}

gboolean
memlane_recipe_write_inputs (MemlaneRecipe *self, GError **error)
{
  MemlaneBuffers *buffers = self->buffers;

  for (guint i = 0; i < buffers->shape.inputs; i++)
    if (buffers->input[i].on_host
        && !access_host_side (self, TRUE, buffers->input[i].host, self->reference->input[i], error))
      return FALSE;
  if (self->settles_on_device)
    return access_host_side (self, TRUE, buffers->output.host, (float *) self->output_content, error);
  return TRUE;
}

gboolean
memlane_recipe_settle (MemlaneRecipe *self, GError **error)
{
  MemlaneBuffers *buffers = self->buffers;
  MemlaneDevice *device = buffers->device;

  if (self->inputs_preloaded)
    for (guint i = 0; i < buffers->shape.inputs; i++)
      if (!memlane_device_memcpy (device, buffers->input[i].buffer, self->reference->input[i], self->bytes, MEMLANE_COPY_TO_DEVICE, error))
        return FALSE;
  if (self->output_content != NULL && buffers->output.buffer != NULL
      && !memlane_device_memcpy (device, buffers->output.buffer, self->output_content, self->bytes, MEMLANE_COPY_TO_DEVICE, error))
    return FALSE;
  if (self->mode->transfer->settle != NULL && !self->mode->transfer->settle (buffers, error))
    return FALSE;
  return memlane_device_synchronize (device, error);
}

static gboolean
has_lead_in (const MemlaneRecipe *self)
{
  for (guint i = 0; i < self->n_steps; i++)
    if (self->steps[i].lead_in != NULL)
      return TRUE;
  return FALSE;
}

gboolean
memlane_recipe_allocate_lead_in (MemlaneRecipe *self, GError **error)
{
  return !has_lead_in (self)
         || memlane_buffers_allocate_lead (self->buffers, self->mode->reach == MEMLANE_REACH_DEVICE_COPY, error);
}

static gboolean
poison_buffer (MemlaneRecipe *self, void *buffer, gboolean *queued, GError **error)
{
  *queued = TRUE;
  return memlane_device_memset_async (self->buffers->device, buffer, MEMLANE_POISON_BYTE, self->bytes, NULL, error);
}

/* Fills what a sample is to write with NaNs: a sample that does not write it cannot pass by an earlier one's result. */
static gboolean
poison_results (MemlaneRecipe *self, gboolean on_device_too, gboolean *queued, GError **error)
{
  for (guint i = 0; i < self->n_checks; i++)
    {
      const MemlaneCheck *check = &self->checks[i];

      if (check->is_poisoned && !check->in_buffer
          && !memlane_device_host_fill (self->buffers->device, check->vector->host, MEMLANE_POISON_BYTE, self->buffers->host_bytes, error))
        return FALSE;
      if (check->is_poisoned && check->in_buffer && on_device_too && check->vector->buffer != NULL && !check->vector->on_peer
          && !poison_buffer (self, check->vector->buffer, queued, error))
        return FALSE;
    }
  /* The kernel's result on the device as well, or the copy home would bring an earlier kernel's. */
  if (on_device_too && self->output_content == NULL && self->buffers->output.on_host && self->buffers->output.buffer != NULL)
    return poison_buffer (self, self->buffers->output.buffer, queued, error);
  return TRUE;
}

gboolean
memlane_recipe_prepare (MemlaneRecipe *self, gboolean will_verify, GError **error)
{
  MemlaneBuffers *buffers = self->buffers;
  gboolean queued = FALSE;

  if (self->mode->transfer->prepare != NULL && !self->mode->transfer->prepare (buffers, error))
    return FALSE;
  if (!self->inputs_are_new && !memlane_recipe_write_inputs (self, error))
    return FALSE;
  self->inputs_are_new = FALSE;
  if (!poison_results (self, will_verify, &queued, error))
    return FALSE;
  if (self->settles_on_device)
    {
      if (!memlane_device_mem_prefetch_async (buffers->device, buffers->output.host, buffers->host_bytes, MEMLANE_LOCATION_DEVICE,
                                              memlane_buffers_stream (buffers), error))
        return FALSE;
      queued = TRUE;
    }
  if (queued && !memlane_device_synchronize (buffers->device, error))
    return FALSE;
  if (self->cold_cache && !memlane_device_flush_cache (buffers->device, error))
    return FALSE;
  if (self->mode->transfer->before_sample != NULL)
    self->mode->transfer->before_sample (buffers);
  return TRUE;
}

gboolean
memlane_recipe_issue (MemlaneRecipe *self, const MemlaneStep *step, GError **error)
{
  for (guint i = 0; i < step->repeats; i++)
    if (!step->issue (self->buffers, error))
      return FALSE;
  return TRUE;
}

gboolean
memlane_recipe_finish (MemlaneRecipe *self, GError **error)
{
  if (!self->finish_waits)
    return TRUE;
  if (self->buffers->shape.lanes == 1)
    return memlane_device_stream_synchronize (self->buffers->device, memlane_buffers_stream (self->buffers), error);
  return memlane_device_synchronize (self->buffers->device, error);
}

gboolean
memlane_recipe_verify (MemlaneRecipe *self, char **mismatch, GError **error)
{
  const guint number = self->n_verified++;

  *mismatch = NULL;
  for (guint i = 0; i < self->n_checks; i++)
    {
      const MemlaneCheck *check = &self->checks[i];
      const MemlaneScatter *scatter = check->in_buffer ? NULL : self->buffers->scatter;
      const float *found = check->in_buffer || scatter != NULL ? self->reference->scratch : check->vector->host;

      if (check->in_buffer
          && !memlane_device_memcpy (self->buffers->device, self->reference->scratch,
                                     check->vector->buffer != NULL ? check->vector->buffer : check->vector->kernel, self->bytes,
                                     MEMLANE_COPY_TO_HOST, error))
        return FALSE;
      for (guint k = 0; scatter != NULL && k < scatter->n; k++)
        {
          gsize in_vector, in_pool, elements = memlane_scatter_get_piece (scatter, k, &in_vector, &in_pool);

          memcpy (self->reference->scratch + in_vector, (const float *) check->vector->host + in_pool, elements * sizeof (float));
        }
      *mismatch = memlane_reference_describe_mismatch (self->reference, found, check->expected, self->elements, number);
      if (*mismatch != NULL)
        return TRUE;
    }
  return TRUE;
}

gboolean
memlane_recipe_read_output (MemlaneRecipe *self, GError **error)
{
  return access_host_side (self, FALSE, self->buffers->output.host, self->reference->scratch, error);
}
