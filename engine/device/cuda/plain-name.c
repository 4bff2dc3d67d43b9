/* plain-name.c: kernels' names without C++'s mangling
 *
 * SPDX-License-Identifier: MIT
 */
#include "cupti-trace.h"

#include <string.h>

/* Of "_ZN7memlane12quads_kernelI..." the last identifier before the template's arguments or the function's: lengths stand before names.
 * What does not look like that stays as it is. */
char *
memlane_trace_plain_name (const char *name)
{
  const char *p = name, *found = NULL;
  gsize length = 0;

  if (!g_str_has_prefix (name, "_Z"))
    return g_strdup (name);
  p += 2;
  while (*p == 'N' || *p == 'L' || *p == 'K')
    p++;
  while (g_ascii_isdigit (*p))
    {
      guint64 n = 0;

      for (; g_ascii_isdigit (*p) && n < 1000; p++)
        n = n * 10 + (guint64) (*p - '0');
      if (n == 0 || n > strlen (p))
        break;
      found = p;
      length = n;
      p += n;
    }
  return found != NULL ? g_strndup (found, length) : g_strdup (name);
}
