/* size.h: the size of a vector: the logarithm to base 2 of its elements, a whole number or not
 *
 * SPDX-License-Identifier: MIT
 *
 * A double holds it so well that the elements come back, up to 2^40 of them. Two vectors have equal
 * sizes where they have as many elements.
 */
#pragma once

#include <glib.h>

#define MEMLANE_LARGEST_LOG2 34 /* 64 GiB a vector; what a machine has no room for says so */
#include <math.h>

/* 100000 is 16.6 and some more. */
static inline double
memlane_size_of (guint64 elements)
{
  return log2 ((double) elements);
}

static inline guint64
memlane_size_elements (double size)
{
  return (guint64) llround (exp2 (size));
}

static inline gboolean
memlane_size_is_power (double size)
{
  return size == floor (size);
}

/* "2^20", or "100000" of a size that is no power of two. (transfer full) */
static inline char *
memlane_size_format (double size)
{
  if (memlane_size_is_power (size))
    return g_strdup_printf ("2^%.0f", size);
  return g_strdup_printf ("%" G_GUINT64_FORMAT, memlane_size_elements (size));
}
