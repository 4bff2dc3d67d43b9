/* reference.c: the host reference of each kernel
 *
 * SPDX-License-Identifier: MIT
 */
#include "reference.h"

#include <string.h>

/* Under the address sanitizer each array is checked as a whole, not at each element: that was half
 * of what the tests cost. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>

#define UNCHECKED __attribute__ ((noinline, no_sanitize ("address", "undefined")))

static void
check (const float *array, size_t n)
{
  const volatile char *bad = __asan_region_is_poisoned ((void *) array, n * sizeof *array);

  if (bad != NULL)
    (void) *bad; /* reported here */
}
#else
#define UNCHECKED
#define check(array, n)
#endif

UNCHECKED static void
add (float *restrict out, const float *restrict a, const float *restrict b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    out[i] = a[i] + b[i];
}

void
memlane_reference_add (float *restrict out, const float *restrict a, const float *restrict b,
                       size_t n)
{
  check (out, n);
  check (a, n);
  check (b, n);
  add (out, a, b, n);
}

void
memlane_reference_copy (float *restrict out, const float *restrict a, size_t n)
{
  memcpy (out, a, n * sizeof *out);
}
