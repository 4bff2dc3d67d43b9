/* host-memory.c: how much of the machine's memory can be had now
 *
 * SPDX-License-Identifier: MIT
 */
#include "host-memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

guint64
memlane_host_memory_get_available (void)
{
  FILE *file = fopen ("/proc/meminfo", "re");
  char line[128];
  guint64 kib = 0;

  if (file == NULL)
    return 0;
  while (fgets (line, sizeof line, file) != NULL)
    if (g_str_has_prefix (line, "MemAvailable:"))
      {
        kib = g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10);
        break;
      }
  fclose (file);
  return kib * 1024;
}

guint64
memlane_host_memory_get_lockable (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_MEMLOCK, &limit) != 0)
    return 0;
  return limit.rlim_cur == RLIM_INFINITY ? G_MAXUINT64 : limit.rlim_cur;
}
