/* fake-program.c: a program that uses CUDA as far as its recorder can see
 *
 * SPDX-License-Identifier: MIT
 *
 *     fake-program COPIES [STATUS | kill]
 *
 * Loads what CUDA_INJECTION64_PATH names, as libcuda would, then makes COPIES copies of 1 MiB: every third one of bytes that have changed.
 * "kill" ends it by SIGKILL in the middle. It prints what it reads on standard input.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES (1 << 20)

int
main (int argc, char **argv)
{
  const char *injection = getenv ("CUDA_INJECTION64_PATH"), *cupti = getenv ("MEMLANE_CUPTI"), *ranges = getenv ("NVTX_INJECTION64_PATH");
  void *nvtx = ranges != NULL ? dlopen (ranges, RTLD_NOW) : NULL;
  int (*begin_nvtx) (void *) = nvtx != NULL ? (int (*) (void *)) dlsym (nvtx, "InitializeInjectionNvtx2") : NULL;
  void *recorder = injection != NULL ? dlopen (injection, RTLD_NOW) : NULL, *fake = cupti != NULL ? dlopen (cupti, RTLD_NOW) : NULL;
  int (*begin) (void) = recorder != NULL ? (int (*) (void)) dlsym (recorder, "InitializeInjection") : NULL;
  void (*play) (uint32_t, uint64_t, const void *, size_t) = NULL;
  char *memory = calloc (1, BYTES), line[200];
  int n = argc > 1 ? atoi (argv[1]) : 0;

  if (fake != NULL)
    play = (void (*) (uint32_t, uint64_t, const void *, size_t)) dlsym (fake, "fake_cupti_play");
  if (getenv ("FAKE_LIBCUDA") != NULL)
    dlopen (getenv ("FAKE_LIBCUDA"), RTLD_NOW);
  if (n > 0 && begin_nvtx != NULL && begin_nvtx (&n) != 1) /* a program may begin a range before it uses CUDA */
    return 98;
  if (memory == NULL || (n > 0 && (begin == NULL || play == NULL || begin () != 1)))
    return 99;
  while (fgets (line, sizeof line, stdin) != NULL)
    fputs (line, stdout);
  for (int i = 0; i < n; i++)
    {
      if (i % 3 == 0)
        memory[BYTES / 2]++;
      play ((uint32_t) (10 * i + 1), UINT64_C (1000000) + (uint64_t) i * 2000, memory, BYTES);
    }
  if (argc > 2 && strcmp (argv[2], "kill") == 0)
    raise (SIGKILL);
  free (memory);
  return argc > 2 ? atoi (argv[2]) : 0;
}
