/* file-faults.c: preloaded, makes the n-th call that changes a file fail
 *
 * SPDX-License-Identifier: MIT
 *
 * FAULT_AT=N counts opens for writing, writes to ordinary files, fsync, fdatasync, rename, mkdir, ftruncate, unlink and closes of what was
 * written. FAULT_KIND: an errno (ENOSPC, EIO, EINTR as numbers), "full" (ENOSPC from the n-th on), "short" (half of a write), "kill"
 * (SIGKILL at the call), "hang" (for ever). At the end FAULT_LOG receives how many calls there were.
 */
#undef _FILE_OFFSET_BITS /* open and open64 both are to be had */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int count; /* atomic */
static int at, code;
static enum { ERROR, FULL, SHORT, KILL, HANG } kind;

__attribute__ ((constructor)) static void
begin (void)
{
  const char *n = getenv ("FAULT_AT"), *name = getenv ("FAULT_KIND");

  at = n != NULL ? atoi (n) : 0;
  name = name != NULL ? name : "";
  kind = strcmp (name, "full") == 0 ? FULL : strcmp (name, "short") == 0 ? SHORT : strcmp (name, "kill") == 0 ? KILL
         : strcmp (name, "hang") == 0 ? HANG : ERROR;
  code = kind == ERROR && atoi (name) > 0 ? atoi (name) : ENOSPC;
}

__attribute__ ((destructor)) static void
end (void)
{
  const char *path = getenv ("FAULT_LOG");
  FILE *file = path != NULL ? fopen (path, "w") : NULL;

  if (file == NULL)
    return;
  fprintf (file, "%d\n", count);
  fclose (file);
}

/* Whether this call is the one; errno is set. */
static int
strikes (void)
{
  int n = __atomic_add_fetch (&count, 1, __ATOMIC_SEQ_CST);

  if (at == 0 || (n != at && !(kind == FULL && n > at)))
    return 0;
  if (kind == KILL)
    kill (getpid (), SIGKILL);
  while (kind == HANG)
    pause ();
  errno = code;
  return 1;
}

static int
is_written (int fd)
{
  struct stat info;

  return fd > 2 && fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && (fcntl (fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

#define REAL(result, name, ...) \
  static result (*real) (__VA_ARGS__); \
  if (real == NULL) \
    real = (result (*) (__VA_ARGS__)) dlsym (RTLD_NEXT, name)

ssize_t
write (int fd, const void *data, size_t length)
{
  REAL (ssize_t, "write", int, const void *, size_t);
  if (is_written (fd) && strikes ())
    return kind == SHORT && length > 1 ? real (fd, data, length / 2) : -1;
  return real (fd, data, length);
}

#define OPEN(name) \
  int name (const char *path, int flags, ...) \
  { \
    va_list arguments; \
    mode_t mode; \
    REAL (int, #name, const char *, int, ...); \
    va_start (arguments, flags); \
    mode = va_arg (arguments, mode_t); \
    va_end (arguments); \
    if ((flags & O_ACCMODE) != O_RDONLY && strncmp (path, "/dev/", 5) != 0 && strncmp (path, "/proc/", 6) != 0 && strikes () \
        && kind != SHORT) \
      return -1; \
    return real (path, flags, mode); \
  }
OPEN (open)
OPEN (open64)

#define ON_DESCRIPTOR(name) \
  int name (int fd) \
  { \
    REAL (int, #name, int); \
    return strikes () && kind != SHORT ? -1 : real (fd); \
  }
ON_DESCRIPTOR (fsync)
ON_DESCRIPTOR (fdatasync)

#define TRUNCATE(name, type) \
  int name (int fd, type length) \
  { \
    REAL (int, #name, int, type); \
    return strikes () && kind != SHORT ? -1 : real (fd, length); \
  }
TRUNCATE (ftruncate, off_t)
TRUNCATE (ftruncate64, off64_t)

int
close (int fd)
{
  REAL (int, "close", int);
  if (is_written (fd) && strikes () && kind != SHORT)
    {
      real (fd);
      errno = code;
      return -1;
    }
  return real (fd);
}

int
rename (const char *from, const char *to)
{
  REAL (int, "rename", const char *, const char *);
  return strikes () && kind != SHORT ? -1 : real (from, to);
}

int
mkdir (const char *path, mode_t mode)
{
  REAL (int, "mkdir", const char *, mode_t);
  return strikes () && kind != SHORT ? -1 : real (path, mode);
}

int
unlink (const char *path)
{
  REAL (int, "unlink", const char *);
  return strikes () && kind != SHORT ? -1 : real (path);
}
