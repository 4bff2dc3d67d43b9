/* recipe.c: preparing, finishing and checking the samples of one workload in one mode at one size
 *
 * SPDX-License-Identifier: MIT
 */
#include "recipe.h"

#include <stdlib.h>
#include <string.h>

#include "base/owns.h"
#include "base/pieces.h"
#include "device/device.h"
#include "kernels/reference.h"
#include "transfer.h"

static void
lay_out (MemlaneRecipe *self, const MemlaneMethod *method, const MemlaneMode *mode, gsize elements,
         const MemlaneReference *reference)
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
memlane_method_find_need (const MemlaneMethod *method, const MemlaneMode *mode, guint64 elements,
                          MemlaneNeed *need)
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
memlane_recipe_new (MemlaneDevice *device, const MemlaneMethod *method, const MemlaneMode *mode,
                    gsize elements, const MemlaneReference *reference, GError **error)
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
    self->checks[i].vector = self->checks[i].is_input ? &self->buffers->input[0]
                                                      : &self->buffers->output;
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneRecipe, void memlane_recipe_free (MemlaneRecipe *data),
                     OWNS (buffers, memlane_buffers_free))

gboolean
memlane_recipe_has_host_inputs (const MemlaneRecipe *self)
{
  return (self->shape.inputs > 0 && (self->shape.inputs_on & MEMLANE_ON_HOST))
         || self->settles_on_device;
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

/* The host writes @plain into a vector's host side, or reads it from there; a pool piece by
 * piece. */
static gboolean
access_host_side (MemlaneRecipe *self, gboolean write, float *host, float *plain, GError **error)
{
  MemlaneDevice *device = self->buffers->device;
  const MemlaneScatter *scatter = self->buffers->scatter;

  for (guint i = 0; i < (scatter != NULL ? scatter->n : 1); i++)
    {
      gsize in_vector = 0, in_pool = 0;
      gsize elements = scatter != NULL
                           ? memlane_scatter_get_piece (scatter, i, &in_vector, &in_pool)
                           : self->elements;

      if (!(write ? memlane_device_host_write (device, host + in_pool, plain + in_vector,
                                               elements * sizeof (float), error)
                  : memlane_device_host_read (device, plain + in_vector, host + in_pool,
                                              elements * sizeof (float), error)))
        return FALSE;
    }
  return TRUE;
}

gboolean
memlane_recipe_write_inputs (MemlaneRecipe *self, GError **error)
{
  MemlaneBuffers *buffers = self->buffers;

  for (guint i = 0; i < buffers->shape.inputs; i++)
    if ((buffers->input[i].on & MEMLANE_ON_HOST)
        && !access_host_side (self, TRUE, buffers->input[i].host, self->reference->input[i], error))
      return FALSE;
  if (self->settles_on_device)
    return access_host_side (self, TRUE, buffers->output.host, (float *) self->output_content,
                             error);
  return TRUE;
}

gboolean
memlane_recipe_settle (MemlaneRecipe *self, GError **error)
{
  MemlaneBuffers *buffers = self->buffers;
  MemlaneDevice *device = buffers->device;

  if (self->inputs_preloaded)
    for (guint i = 0; i < buffers->shape.inputs; i++)
      if (!memlane_device_memcpy (device, buffers->input[i].buffer, self->reference->input[i],
                                  self->bytes, MEMLANE_COPY_TO_DEVICE, error))
        return FALSE;
  if (self->output_content != NULL && buffers->output.buffer != NULL
      && !memlane_device_memcpy (device, buffers->output.buffer, self->output_content, self->bytes,
                                 MEMLANE_COPY_TO_DEVICE, error))
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
         || memlane_buffers_allocate_lead (self->buffers,
                                           self->mode->reach == MEMLANE_REACH_DEVICE_COPY, error);
}

static gboolean
poison_buffer (MemlaneRecipe *self, void *buffer, gboolean *queued, GError **error)
{
  *queued = TRUE;
  return memlane_device_memset_async (self->buffers->device, buffer, MEMLANE_POISON_BYTE,
                                      self->bytes, NULL, error);
}

/* Fills what a sample is to write with NaNs: a sample that does not write it cannot pass by an
 * earlier one's result. */
static gboolean
poison_results (MemlaneRecipe *self, gboolean on_device_too, gboolean *queued, GError **error)
{
  for (guint i = 0; i < self->n_checks; i++)
    {
      const MemlaneCheck *check = &self->checks[i];

      if (check->is_poisoned && !check->in_buffer
          && !memlane_device_host_fill (self->buffers->device, check->vector->host,
                                        MEMLANE_POISON_BYTE, self->buffers->host_bytes, error))
        return FALSE;
      if (check->is_poisoned && check->in_buffer && on_device_too && check->vector->buffer != NULL
          && !(check->vector->on & MEMLANE_ON_PEER)
          && !poison_buffer (self, check->vector->buffer, queued, error))
        return FALSE;
    }
  /* The kernel's result on the device as well, or the copy home would bring an earlier kernel's. */
  if (on_device_too && self->output_content == NULL && (self->buffers->output.on & MEMLANE_ON_HOST)
      && self->buffers->output.buffer != NULL)
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
      if (!memlane_device_mem_prefetch_async (buffers->device, buffers->output.host,
                                              buffers->host_bytes, MEMLANE_LOCATION_DEVICE,
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
    return memlane_device_stream_synchronize (self->buffers->device,
                                              memlane_buffers_stream (self->buffers), error);
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
      const float *found = check->in_buffer || scatter != NULL ? self->reference->scratch
                                                               : check->vector->host;

      if (check->in_buffer
          && !memlane_device_memcpy (self->buffers->device, self->reference->scratch,
                                     check->vector->buffer != NULL ? check->vector->buffer
                                                                   : check->vector->kernel,
                                     self->bytes, MEMLANE_COPY_TO_HOST, error))
        return FALSE;
      for (guint k = 0; scatter != NULL && k < scatter->n; k++)
        {
          gsize in_vector, in_pool,
              elements = memlane_scatter_get_piece (scatter, k, &in_vector, &in_pool);

          memcpy (self->reference->scratch + in_vector,
                  (const float *) check->vector->host + in_pool, elements * sizeof (float));
        }
      *mismatch = memlane_reference_describe_mismatch (self->reference, found, check->expected,
                                                       self->elements, number);
      if (*mismatch != NULL)
        return TRUE;
    }
  return TRUE;
}

gboolean
memlane_recipe_read_output (MemlaneRecipe *self, GError **error)
{
  return access_host_side (self, FALSE, self->buffers->output.host, self->reference->scratch,
                           error);
}

/* --- the data of a run ------------------------------------------------------------------------ */

#define CHECK_BLOCK ((gsize) 256) /* floats: a page has four */

/* SplitMix64 (Steele, Lea & Flood 2014): every seed gives a full-period stream;
 * two words of output per step need no state but a counter. */
static inline guint64
mix (guint64 x)
{
  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* Random sign and mantissa, exponents -8..7: finite, as are all sums, and hardly a bit to
 * compress. */
static inline guint32
finite_bits (guint32 bits)
{
  guint32 exponent = 127 - 8 + ((bits >> 23) & 15);

  return (bits & 0x807fffffu) | exponent << 23;
}

/* Elements @begin (even) to @end of what @seed stands for. */
static void
fill (float *values, gsize begin, gsize end, guint64 seed)
{
  guint32 *words = (guint32 *) values;

  for (gsize i = begin; i < end; i += 2)
    {
      guint64 two = mix (seed + (i / 2 + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

      words[i] = finite_bits ((guint32) two);
      if (i + 1 < end)
        words[i + 1] = finite_bits ((guint32) (two >> 32));
    }
}

static float *
allocate (gsize elements)
{
  void *memory = NULL;

  return posix_memalign (&memory, 4096, elements * sizeof (float)) == 0 ? memory : NULL;
}

/* So many elements between two looks at the cancellable: some ten milliseconds. */
#define PIECE ((gsize) 1 << 20)

static void
fill_stretch (MemlaneReference *self, gsize first, gsize begin, gsize end, guint64 seed)
{
  fill (self->input[0] + first, begin, end, mix (seed + first));
  fill (self->input[1] + first, begin, end, mix (seed + first + 1));
  memlane_reference_add (self->sum + first + begin, self->input[0] + first + begin,
                         self->input[1] + first + begin, end - begin);
}

/* The first stretch is whole: it is all that smaller vectors have. */
static gboolean
fill_all (MemlaneReference *self, guint64 seed, GCancellable *cancellable, GError **error)
{
  for (gsize first = 0; first < self->elements; first += PIECE)
    {
      gsize count = MIN (PIECE, self->elements - first);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!self->is_of_pieces || first == 0)
        fill_stretch (self, first, 0, count, seed);
      else
        for (MemlanePiece piece = { 0, 0 }; memlane_piece_next (&piece, 0, count * sizeof (float));)
          fill_stretch (self, first, piece.at / sizeof (float),
                        (piece.at + piece.bytes) / sizeof (float), seed);
    }
  return TRUE;
}

MemlaneReference *
memlane_reference_new (gsize elements, gboolean of_pieces, guint64 seed, GCancellable *cancellable,
                       GError **error)
{
  MemlaneReference *self = g_new0 (MemlaneReference, 1);

  self->elements = elements;
  self->is_of_pieces = of_pieces;
  self->input[0] = allocate (elements);
  self->input[1] = allocate (elements);
  self->sum = allocate (elements);
  self->scratch = allocate (elements);
  if (self->input[0] == NULL || self->input[1] == NULL || self->sum == NULL
      || self->scratch == NULL)
    g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                 "malloc (4 x %" G_GSIZE_FORMAT
                 " bytes): out of memory for the reference data; choose a smaller size",
                 elements * sizeof (float));
  else if (fill_all (self, seed, cancellable, error))
    return self;
  memlane_reference_free (self);
  return NULL;
}

MEMLANE_DEFINE_FREE (MemlaneReference, void memlane_reference_free (MemlaneReference *data),
                     OWNS (input[0], free) OWNS (input[1], free) OWNS (sum, free)
                         OWNS (scratch, free))

/* Returns the first element of @found that is wrong; elements if none is. */
static gsize
find_mismatch (const float *found, const float *expected, gsize elements)
{
  const guchar *bytes = (const guchar *) found;

  if (expected != NULL)
    {
      /* Bit for bit: sums of two floats are exact IEEE results on both sides. */
      if (memcmp (found, expected, elements * sizeof (float)) == 0)
        return elements;
      for (gsize i = 0; i < elements; i++)
        if (memcmp (&found[i], &expected[i], sizeof (float)) != 0)
          return i;
    }
  for (gsize i = 0; i < elements * sizeof (float); i++)
    if (bytes[i] != MEMLANE_FILL_BYTE)
      return i / sizeof (float);
  return elements;
}

static char *
describe_element (const float *found, const float *expected, gsize where)
{
  guint32 found_bits, expected_bits = MEMLANE_FILL_BYTE * 0x01010101u;

  memcpy (&found_bits, &found[where], sizeof found_bits);
  if (expected != NULL)
    memcpy (&expected_bits, &expected[where], sizeof expected_bits);
  return g_strdup_printf ("element %" G_GSIZE_FORMAT " of the result is 0x%08x%s, expected 0x%08x",
                          where, found_bits, found_bits == 0xffffffffu ? " (never written)" : "",
                          expected_bits);
}

char *
memlane_describe_mismatch (const float *found, const float *expected, gsize elements)
{
  gsize where = find_mismatch (found, expected, elements);

  return where < elements ? describe_element (found, expected, where) : NULL;
}

/* As find_mismatch(), of one float of each block, the first and the last. */
static gsize
find_sampled_mismatch (const float *found, const float *expected, gsize elements, guint check)
{
  const guint64 seed = mix (check);

  for (gsize begin = 0; begin < elements; begin += CHECK_BLOCK)
    {
      gsize where = begin + mix (seed + begin) % MIN (CHECK_BLOCK, elements - begin);

      if (find_mismatch (found + where, expected != NULL ? expected + where : NULL, 1) == 0)
        return where;
    }
  if (find_mismatch (found, expected, 1) == 0)
    return 0;
  return elements - 1
         + find_mismatch (found + elements - 1, expected != NULL ? expected + elements - 1 : NULL,
                          1);
}

char *
memlane_reference_describe_mismatch (const MemlaneReference *self, const float *found,
                                     const float *expected, gsize elements, guint check)
{
  MemlanePiece piece = { 0, 0 };

  if (!self->is_of_pieces || elements * sizeof (float) <= MEMLANE_PIECES_ABOVE)
    {
      gsize where;

      if (elements * sizeof (float) <= MEMLANE_WHOLE_CHECK_BYTES
          || check % MEMLANE_WHOLE_CHECK_EVERY == 0)
        return memlane_describe_mismatch (found, expected, elements);
      where = find_sampled_mismatch (found, expected, elements, check);
      return where < elements ? describe_element (found, expected, where) : NULL;
    }
  while (memlane_piece_next (&piece, 0, elements * sizeof (float)))
    {
      gsize first = piece.at / sizeof (float), n = piece.bytes / sizeof (float);
      gsize where = find_mismatch (found + first, expected != NULL ? expected + first : NULL, n);

      if (where < n)
        return describe_element (found, expected, first + where);
    }
  return NULL;
}
