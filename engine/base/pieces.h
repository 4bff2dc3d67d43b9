/* pieces.h: the pieces of a large vector that stand for all of it, where moving and comparing every
 * byte would only take time
 *
 * SPDX-License-Identifier: MIT
 *
 * A simulated device's times do not depend on its bytes. Of vectors above MEMLANE_PIECES_ABOVE it
 * may move, and the reference hold and compare, the first MEMLANE_PIECE_BYTES of every
 * MEMLANE_PIECE_STRIDE bytes: one byte in 256, in each chunk of 256 KiB and more.
 */
#pragma once

#include <glib.h>

#define MEMLANE_PIECES_ABOVE ((gsize) 1 << 20) /* bytes of one vector */
#define MEMLANE_PIECE_STRIDE ((gsize) 256 << 10)
#define MEMLANE_PIECE_BYTES ((gsize) 1 << 10)

/* Begin with zeros. */
typedef struct
{
  gsize at, bytes;
} MemlanePiece;

/* The next piece of [@offset, @offset + @bytes) of a vector; @at counts from @offset. FALSE: there
 * is none left. */
static inline gboolean
memlane_piece_next (MemlanePiece *self, gsize offset, gsize bytes)
{
  gsize place;

  self->at += self->bytes;
  place = (offset + self->at) % MEMLANE_PIECE_STRIDE;
  if (place >= MEMLANE_PIECE_BYTES)
    {
      self->at += MEMLANE_PIECE_STRIDE - place;
      place = 0;
    }
  if (self->at >= bytes)
    return FALSE;
  self->bytes = MIN (MEMLANE_PIECE_BYTES - place, bytes - self->at);
  return TRUE;
}
