/* cost.h: what an input costs: bytes that are allocated at one time, allocations, and comparisons of text
 *
 * SPDX-License-Identifier: MIT
 *
 * AddressSanitizer tells of each. Without it nothing is counted, and no cost is judged. No clock is read.
 */
#pragma once

#include <glib.h>
#include <stddef.h>

#define FUZZ_MOST_BYTES (4 << 20)  /* for an input without any bytes; */
#define FUZZ_MOST_BYTES_A_BYTE 100 /* and more for each byte of it */
#define FUZZ_MOST_WORK 50000       /* allocations and comparisons, likewise */
#define FUZZ_MOST_WORK_A_BYTE 10

static gint64 fuzz_bytes, fuzz_peak, fuzz_work;
static gboolean fuzz_is_counted;

/* In libasan, where that is linked. */
int __sanitizer_install_malloc_and_free_hooks (void (*allocated) (const volatile void *, size_t),
                                               void (*freed) (const volatile void *)) __attribute__ ((weak));
size_t __sanitizer_get_allocated_size (const volatile void *block) __attribute__ ((weak));
void __sanitizer_weak_hook_strcmp (void *caller, const char *one, const char *other, int result);
void __sanitizer_weak_hook_memcmp (void *caller, const void *one, const void *other, size_t n, int result);

static void
note_allocated (const volatile void *block, size_t size)
{
  fuzz_bytes += (gint64) size;
  fuzz_peak = MAX (fuzz_peak, fuzz_bytes);
  fuzz_work++;
}

static void
note_freed (const volatile void *block)
{
  if (block != NULL)
    fuzz_bytes -= (gint64) __sanitizer_get_allocated_size (block);
}

/* libasan calls these two by name. */
void
__sanitizer_weak_hook_strcmp (void *caller, const char *one, const char *other, int result)
{
  fuzz_work++;
}

void
__sanitizer_weak_hook_memcmp (void *caller, const void *one, const void *other, size_t n, int result)
{
  fuzz_work++;
}

/* Counts from zero. */
static void
fuzz_begin_cost (void)
{
  static gboolean is_installed;

  if (!is_installed && __sanitizer_install_malloc_and_free_hooks != NULL)
    fuzz_is_counted = __sanitizer_install_malloc_and_free_hooks (note_allocated, note_freed) > 0;
  is_installed = TRUE;
  fuzz_bytes = fuzz_peak = fuzz_work = 0;
}

/* Fails if an input of @size bytes has cost more than is in proportion. The first one may load what all others share. */
static void
fuzz_check_cost (gsize size)
{
  static gboolean is_warm;
  gint64 most_bytes = FUZZ_MOST_BYTES + FUZZ_MOST_BYTES_A_BYTE * (gint64) size;
  gint64 most_work = FUZZ_MOST_WORK + FUZZ_MOST_WORK_A_BYTE * (gint64) size;

  if (is_warm && (fuzz_peak > most_bytes || fuzz_work > most_work))
    g_error ("an input of %" G_GSIZE_FORMAT " bytes took %" G_GINT64_FORMAT " bytes, expected at most %" G_GINT64_FORMAT
             "; %" G_GINT64_FORMAT " allocations and comparisons, expected at most %" G_GINT64_FORMAT,
             size, fuzz_peak, most_bytes, fuzz_work, most_work);
  is_warm = TRUE;
}
