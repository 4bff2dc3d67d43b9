/* reference.c: the seeded data of a run, and what a device must make of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/owns.h"
#include "base/pieces.h"
#include "device/device.h"
#include "kernels/reference.h"

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

/* Random sign and mantissa, exponents -8..7: finite, as are all sums, and hardly a bit to compress. */
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
  memlane_reference_add (self->sum + first + begin, self->input[0] + first + begin, self->input[1] + first + begin, end - begin);
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
          fill_stretch (self, first, piece.at / sizeof (float), (piece.at + piece.bytes) / sizeof (float), seed);
    }
  return TRUE;
}

static MemlaneReference *
reference_new (gsize elements, gboolean of_pieces, guint64 seed, GCancellable *cancellable, GError **error)
{
  MemlaneReference *self = g_new0 (MemlaneReference, 1);

  self->elements = elements;
  self->is_of_pieces = of_pieces;
  self->input[0] = allocate (elements);
  self->input[1] = allocate (elements);
  self->sum = allocate (elements);
  self->scratch = allocate (elements);
  if (self->input[0] == NULL || self->input[1] == NULL || self->sum == NULL || self->scratch == NULL)
    g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                 "malloc (4 x %" G_GSIZE_FORMAT " bytes): out of memory for the reference data; choose a smaller size",
                 elements * sizeof (float));
  else if (fill_all (self, seed, cancellable, error))
    return self;
  memlane_reference_free (self);
  return NULL;
}

MemlaneReference *
memlane_reference_new (gsize elements, guint64 seed, GCancellable *cancellable, GError **error)
{
  return reference_new (elements, FALSE, seed, cancellable, error);
}

MemlaneReference *
memlane_reference_new_of_pieces (gsize elements, guint64 seed, GCancellable *cancellable, GError **error)
{
  return reference_new (elements, TRUE, seed, cancellable, error);
}

MEMLANE_DEFINE_FREE (MemlaneReference, void memlane_reference_free (MemlaneReference *data), OWNS (input[0], free) OWNS (input[1], free)
                     OWNS (sum, free) OWNS (scratch, free))

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
  return g_strdup_printf ("element %" G_GSIZE_FORMAT " of the result is 0x%08x%s, expected 0x%08x", where, found_bits,
                          found_bits == 0xffffffffu ? " (never written)" : "", expected_bits);
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
  return elements - 1 + find_mismatch (found + elements - 1, expected != NULL ? expected + elements - 1 : NULL, 1);
}

char *
memlane_reference_describe_mismatch (const MemlaneReference *self, const float *found, const float *expected, gsize elements, guint check)
{
  MemlanePiece piece = { 0, 0 };

  if (!self->is_of_pieces || elements * sizeof (float) <= MEMLANE_PIECES_ABOVE)
    {
      gsize where;

      if (elements * sizeof (float) <= MEMLANE_WHOLE_CHECK_BYTES || check % MEMLANE_WHOLE_CHECK_EVERY == 0)
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
