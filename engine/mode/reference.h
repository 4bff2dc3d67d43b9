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
  gboolean is_hollow; /* addresses with no bytes behind them: see memlane_reference_new_hollow() */
} MemlaneReference;

/* NULL with MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY when the host has no room, or G_IO_ERROR_CANCELLED (large ones take seconds). */
MemlaneReference *memlane_reference_new (gsize elements, guint64 seed, GCancellable *cancellable, GError **error);
/* For a simulated device without bytes, which is asked for times alone: a recipe with it checks nothing, and a cell takes no more samples
 * than it needs to be like a long one. NULL: no room for so many addresses. */
MemlaneReference *memlane_reference_new_hollow (gsize elements);
void memlane_reference_free (MemlaneReference *self);

#define MEMLANE_FILL_BYTE 0x5a
#define MEMLANE_POISON_BYTE 0xff /* all bits set: a NaN in every float */

/* The first of @elements floats that is not bit for bit as expected (NULL: every byte is MEMLANE_FILL_BYTE), in words. (transfer full),
 * NULL: all are. */
char *memlane_describe_mismatch (const float *found, const float *expected, gsize elements);

G_END_DECLS
