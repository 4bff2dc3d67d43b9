/* fake-program.c: a program that uses CUDA as far as its recorder can see
 *
 * SPDX-License-Identifier: MIT
 *
 *     fake-program COPIES [STATUS | HOW]
 *
 * Loads what CUDA_INJECTION64_PATH names, as libcuda would, then makes COPIES copies of 1 MiB: every third one of bytes that have changed.
 * It prints what it reads on standard input. HOW it ends: "same": as
 * usual, and no byte changes, a millisecond apart; "kill" by SIGKILL after the recorder had time
 * to write, "term" by SIGTERM, "segv" and "null" by SIGSEGV, "abort", "_exit", "quick_exit"; "fork",
 * "fork__exit", "fork_exec": a child of it ends by exit(), _exit() or another program first; "hole": its
 * last copy reads memory with a hole; "late": takes 2 s more before its second copy with
 * page-locked memory; "freed": with 1 if the memory that it freed is still locked.
 */
#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES (1 << 20)

static int
end (const char *how, void *fake, void (*play) (uint32_t, uint64_t, const void *, size_t))
{
  int (*is_locked) (void) = (int (*) (void)) dlsym (RTLD_DEFAULT, "fake_cuda_is_locked");
  char *hole;

  if (strcmp (how, "kill") == 0)
    {
      sleep (2);
      raise (SIGKILL);
    }
  if (strcmp (how, "term") == 0)
    raise (SIGTERM);
  if (strcmp (how, "abort") == 0)
    abort ();
  if (strcmp (how, "_exit") == 0)
    _exit (7);
  if (strcmp (how, "quick_exit") == 0)
    quick_exit (7);
  if (strcmp (how, "segv") == 0)
    raise (SIGSEGV);
  if (strcmp (how, "null") == 0)
    *(volatile int *) NULL = 1;
  if (strncmp (how, "fork", 4) == 0)
    {
      pid_t child = fork ();

      if (child == 0 && strcmp (how, "fork_exec") == 0)
        execlp ("true", "true", (char *) NULL);
      if (child == 0 && strcmp (how, "fork__exit") == 0)
        _exit (0);
      if (child == 0)
        exit (0);
      wait (NULL);
    }
  if (strcmp (how, "hole") == 0)
    {
      hole = mmap (NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      munmap (hole + BYTES / 2, 4 * 4096);
      play (99991, UINT64_C (900000000), hole, BYTES);
    }
  if (strcmp (how, "freed") == 0)
    return is_locked != NULL ? is_locked () : 2;
  return atoi (how);
}

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
  const char *trial = getenv ("MEMLANE_TRIAL");
  bool is_late = argc > 2 && strcmp (argv[2], "late") == 0 && trial != NULL
                 && strcmp (trial, "pin") == 0;
  int n = argc > 1 ? atoi (argv[1]) : 0;

  if (fake != NULL)
    play = (void (*) (uint32_t, uint64_t, const void *, size_t)) dlsym (fake, "fake_cupti_play");
  if (getenv ("FAKE_LIBCUDA") != NULL)
    dlopen (getenv ("FAKE_LIBCUDA"), RTLD_NOW | RTLD_GLOBAL);
  if (n > 0 && begin_nvtx != NULL && begin_nvtx (&n) != 1) /* a program may begin a range before it uses CUDA */
    return 98;
  if (memory == NULL || (n > 0 && (begin == NULL || play == NULL || begin () != 1)))
    return 99;
  while (fgets (line, sizeof line, stdin) != NULL)
    fputs (line, stdout);
  for (int i = 0; i < n; i++)
    {
      if (i % 3 == 0 && (argc < 3 || strcmp (argv[2], "same") != 0))
        memory[BYTES / 2]++;
      play ((uint32_t) (10 * i + 1), UINT64_C (1000000) + (uint64_t) i * 2000, memory, BYTES);
      if (argc > 2 && strcmp (argv[2], "same") == 0)
        usleep (1000);
      if (i == 0 && is_late)
        sleep (2);
    }
  free (memory);
  return argc > 2 ? end (argv[2], fake, play) : 0;
}
