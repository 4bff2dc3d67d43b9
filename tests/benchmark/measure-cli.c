/* measure-cli.c: what a command costs: processor time and the largest resident set
 *
 * SPDX-License-Identifier: MIT
 *
 * measure-cli PROGRAM ARGUMENT...  runs it once in a folder of its own, which is gone afterwards, and prints one line on standard output.
 * No limit is checked here: a busy machine must not fail. The exit status is the program's.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int
remove_one (const char *path, const struct stat *status, int type, struct FTW *where)
{
  return remove (path);
}

static double
seconds_of (struct timeval time)
{
  return time.tv_sec + time.tv_usec / 1e6;
}

int
main (int argc, char **argv)
{
  char folder[] = "/tmp/memlane-benchmark-XXXXXX";
  struct rusage usage;
  struct timespec start, end;
  int status = 0;
  pid_t child;

  if (argc < 2 || mkdtemp (folder) == NULL)
    return 1;
  clock_gettime (CLOCK_MONOTONIC, &start);
  child = fork ();
  if (child == 0)
    {
      if (chdir (folder) != 0 || setenv ("XDG_STATE_HOME", folder, 1) != 0)
        _exit (127);
      execv (argv[1], argv + 1);
      _exit (127);
    }
  if (child < 0 || wait4 (child, &status, 0, &usage) != child)
    {
      fprintf (stderr, "measure-cli: %s\n", strerror (errno));
      return 1;
    }
  clock_gettime (CLOCK_MONOTONIC, &end);
  nftw (folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  printf ("user+sys %.2f s, wall %.2f s, peak resident %.0f MiB, exit status %d:",
          seconds_of (usage.ru_utime) + seconds_of (usage.ru_stime),
          (end.tv_sec - start.tv_sec) + (end.tv_nsec - start.tv_nsec) / 1e9, usage.ru_maxrss / 1024.0,
          WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status));
  for (int i = 2; i < argc; i++)
    printf (" %s", argv[i]);
  printf ("\n");
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}
