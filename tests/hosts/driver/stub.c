/* stub.c: a libcuda.so.1 that misbehaves as $MEMLANE_STUB says: hang, crash, refuse, nonsense
 *
 * SPDX-License-Identifier: MIT
 *
 * CUDA's runtime opens it by its name, asks for each function and calls cuInit first.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cuInit (unsigned flags);
int cuDriverGetVersion (int *version);
int cuDeviceGetCount (int *count);
int cuGetProcAddress_v2 (const char *name, void **function, int version, unsigned long flags, int *status);
int cuGetProcAddress (const char *name, void **function, int version, unsigned long flags);

static int
is (const char *kind)
{
  const char *asked = getenv ("MEMLANE_STUB");

  return asked != NULL && strcmp (asked, kind) == 0;
}

int
cuInit (unsigned flags)
{
  while (is ("hang"))
    pause ();
  if (is ("crash"))
    abort ();
  return is ("refuse") ? 999 : is ("nonsense") ? -123456 : 0;
}

int
cuDriverGetVersion (int *version)
{
  *version = 13020;
  return 0;
}

int
cuDeviceGetCount (int *count)
{
  *count = -7;
  return 0;
}

static int
do_nothing (void)
{
  return 999;
}

int
cuGetProcAddress_v2 (const char *name, void **function, int version, unsigned long flags, int *status)
{
  static const struct
  {
    const char *name;
    void *function;
  } known[] = {
    { "cuInit", (void *) cuInit }, { "cuDriverGetVersion", (void *) cuDriverGetVersion }, { "cuDeviceGetCount", (void *) cuDeviceGetCount },
    { "cuGetProcAddress", (void *) cuGetProcAddress_v2 }, { "cuGetProcAddress_v2", (void *) cuGetProcAddress_v2 },
  };

  *function = (void *) do_nothing;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (known[i].name, name) == 0)
      *function = known[i].function;
  if (status != NULL)
    *status = 0;
  return 0;
}

int
cuGetProcAddress (const char *name, void **function, int version, unsigned long flags)
{
  return cuGetProcAddress_v2 (name, function, version, flags, NULL);
}
