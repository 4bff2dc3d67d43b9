/* host-memory.c: how much of the machine's memory can be had now
 *
 * SPDX-License-Identifier: MIT
 */
#include "host-memory.h"

#include <string.h>
#include <sys/resource.h>

/* The number behind @key ("": at the beginning) in @file of a control group; G_MAXUINT64: there is
 * none, or no limit. */
static guint64
read_number (const char *group, const char *file, const char *key)
{
  g_autofree char *path = g_build_filename (group, file, NULL), *text = NULL;
  const char *at;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (at = strstr (text, key)) == NULL
      || !g_ascii_isdigit (at[strlen (key)]))
    return G_MAXUINT64;
  return g_ascii_strtoull (at + strlen (key), NULL, 10);
}

/* Pages of files that nobody uses would give way. */
guint64
memlane_host_memory_limit_by_group (guint64 available)
{
  const char *root = g_getenv ("MEMLANE_CGROUP"); /* for tests */
  g_autofree char *text = NULL, *group = NULL;
  const char *name = g_file_get_contents ("/proc/self/cgroup", &text, NULL, NULL)
                         ? strstr (text, "0::/")
                         : NULL;
  guint64 most, used, idle;

  if (root == NULL)
    root = "/sys/fs/cgroup";
  group = g_build_filename (root, name != NULL ? g_strchomp ((char *) name + 3) : "", NULL);
  for (const char *at = g_file_test (group, G_FILE_TEST_IS_DIR) ? group : root;; at = root)
    {
      most = read_number (at, "memory.max", "");
      used = read_number (at, "memory.current", "");
      idle = read_number (at, "memory.stat", "\ninactive_file ");
      if (idle != G_MAXUINT64 && used != G_MAXUINT64)
        used -= MIN (used, idle);
      if (most != G_MAXUINT64 && used != G_MAXUINT64)
        available = MIN (available, most - MIN (used, most));
      if (at == root)
        return available;
    }
}

guint64
memlane_host_memory_get_available (void)
{
  g_autofree char *text = NULL;
  const char *line = g_file_get_contents ("/proc/meminfo", &text, NULL, NULL)
                         ? strstr (text, "MemAvailable:")
                         : NULL;

  return memlane_host_memory_limit_by_group (
      line != NULL ? g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10) * 1024 : 0);
}

guint64
memlane_host_memory_get_lockable (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_MEMLOCK, &limit) != 0)
    return 0;
  return limit.rlim_cur == RLIM_INFINITY ? G_MAXUINT64 : limit.rlim_cur;
}
