/* times.h: processor time of a thread, and the middle of many such times
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>
#include <stdlib.h>
#include <time.h>

/* Milliseconds of this thread on a processor: what others do on the machine does not count. */
static inline double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec / 1e6;
}

static inline int
compare_times (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Sorts them. */
static inline void
print_times (const char *what, double *times, guint n)
{
  qsort (times, n, sizeof *times, compare_times);
  g_print ("%-48s median %7.2f ms  best %7.2f ms  worst %7.2f ms\n", what, times[n / 2], times[0], times[n - 1]);
}
