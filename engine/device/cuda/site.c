/* site.c: the place in somebody else's program that calls CUDA
 *
 * SPDX-License-Identifier: MIT
 *
 * Unwinding a stack takes some microseconds, and a loop makes the same call again and again. So
 * the places on the stack where the return addresses were found are kept. If a call comes from the
 * same depth of the same thread and the same addresses lie there, it is the same place.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "recorder.h"

#define SKIPPED_FRAMES 2  /* ours; CUPTI's have no names of the program */
#define MOST_BYTES 65536  /* of the stack, from here to the outermost return address */
#define N_BUCKETS 256     /* a power of two */
#define N_WAYS 8          /* places of one depth */

typedef struct
{
  pthread_t thread;
  const char *here;
  unsigned n;
  uint32_t at[MEMLANE_SITE_FRAMES]; /* bytes from @here */
  void *frames[MEMLANE_SITE_FRAMES];
} Unwound;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Unwound known[N_BUCKETS][N_WAYS];
static unsigned next_way[N_BUCKETS];

static bool
is_same (const Unwound *one, pthread_t thread, const char *here)
{
  if (one->n == 0 || one->here != here || !pthread_equal (one->thread, thread))
    return false;
  for (unsigned i = 0; i < one->n; i++)
    if (memcmp (here + one->at[i], &one->frames[i], sizeof one->frames[i]) != 0)
      return false;
  return true;
}

/* Finds where on the stack the addresses lie; false: somewhere else. */
static bool
find_addresses (Unwound *one)
{
  size_t at = 0;

  for (unsigned i = 0; i < one->n; i++, at += sizeof (void *))
    {
      while (at < MOST_BYTES && memcmp (one->here + at, &one->frames[i], sizeof (void *)) != 0)
        at += sizeof (void *);
      if (at >= MOST_BYTES)
        return false;
      one->at[i] = (uint32_t) at;
    }
  return true;
}

__attribute__ ((noinline)) unsigned
memlane_site_find (void **frames)
{
  const char *here = __builtin_frame_address (0);
  void *all[MEMLANE_SITE_FRAMES + SKIPPED_FRAMES];
  pthread_t thread = pthread_self ();
  unsigned bucket = (unsigned) (((uintptr_t) here >> 4) % N_BUCKETS);
  Unwound one = { .thread = thread, .here = here };
  int n;

  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < N_WAYS; i++)
    if (is_same (&known[bucket][i], thread, here))
      {
        one = known[bucket][i];
        pthread_mutex_unlock (&lock);
        memcpy (frames, one.frames, one.n * sizeof *frames);
        return one.n;
      }
  pthread_mutex_unlock (&lock);
  n = backtrace (all, MEMLANE_SITE_FRAMES + SKIPPED_FRAMES) - SKIPPED_FRAMES;
  if (n <= 0)
    return 0;
  one.n = (unsigned) n;
  memcpy (one.frames, all + SKIPPED_FRAMES, one.n * sizeof *one.frames);
  memcpy (frames, one.frames, one.n * sizeof *frames);
  if (find_addresses (&one))
    {
      pthread_mutex_lock (&lock);
      known[bucket][next_way[bucket]++ % N_WAYS] = one;
      pthread_mutex_unlock (&lock);
    }
  return one.n;
}

void
memlane_site_describe (void *const *frames, unsigned n, char *text, size_t most)
{
  size_t length = 0;

  text[0] = '\0';
  for (unsigned i = 0; i < n && length + 512 < most; i++)
    {
      const char *call = (const char *) frames[i] - 1; /* a frame is where the call returns to */
      Dl_info info;

      if (dladdr (call, &info) != 0 && info.dli_fname != NULL)
        length += (size_t) snprintf (text + length, most - length, "%.400s+0x%zx\n", info.dli_fname,
                                     (size_t) (call - (const char *) info.dli_fbase));
    }
}
