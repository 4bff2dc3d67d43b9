/* reference.h: the seeded data of a run, and what a device must make of them
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The seeded data that all recipes of a sweep work on: finite, incompressible. Plain host memory, read only but for scratch. */
typedef struct
{
  gsize elements;
  float *input[2];
  float *sum;     /* sum[i] = input[0][i] + input[1][i] */
  float *scratch; /* for the one who measures */
  gboolean is_of_pieces; /* of large vectors the pieces alone are there: base/pieces.h */
} MemlaneReference;

/* NULL with MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY when the host has no room, or G_IO_ERROR_CANCELLED (large ones take seconds). */
MemlaneReference *memlane_reference_new (gsize elements, guint64 seed, GCancellable *cancellable, GError **error);
/* As memlane_reference_new(), for a device that moves the pieces of large vectors alone: beyond MEMLANE_PIECES_ABOVE bytes nothing else is
 * there, and memlane_reference_describe_mismatch() compares nothing else. */
MemlaneReference *memlane_reference_new_of_pieces (gsize elements, guint64 seed, GCancellable *cancellable, GError **error);
void memlane_reference_free (MemlaneReference *self);

#define MEMLANE_FILL_BYTE 0x5a
#define MEMLANE_POISON_BYTE 0xff /* all bits set: a NaN in every float */

#define MEMLANE_WHOLE_CHECK_BYTES ((gsize) 256 << 10) /* longer vectors are compared whole in every fifth check alone */
#define MEMLANE_WHOLE_CHECK_EVERY 5

/* As memlane_describe_mismatch(), of what @self holds. @check: the number of the check, from 0, of the same vector. Those whose number is
 * no multiple of five compare one float of each KiB of a long vector, and its first and last one. Which one is random in each KiB and each
 * check. So a wrong stretch of 2 KiB is always found, and what is wrong at every n-th float, too. Less is found by the whole checks. */
char *memlane_reference_describe_mismatch (const MemlaneReference *self, const float *found, const float *expected, gsize elements,
                                           guint check);
/* The first of @elements floats that is not bit for bit as expected (NULL: every byte is MEMLANE_FILL_BYTE), in words. (transfer full),
 * NULL: all are. */
char *memlane_describe_mismatch (const float *found, const float *expected, gsize elements);

G_END_DECLS
