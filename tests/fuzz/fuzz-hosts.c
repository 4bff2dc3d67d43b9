/* fuzz-hosts.c: whatever bytes a file of hosts holds, reading it ends, with hosts or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * A host that was read can be made again from its name and its command, with the same words.
 */
#include "fuzz.h"
#include "job/hosts.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = g_strndup ((const char *) data, size); /* with a 0 behind it */
  g_autoptr (GPtrArray) hosts = NULL;

  fuzz_begin ();
  memcpy (copy, data, size);
  hosts = memlane_hosts_parse (copy, size, "fuzz", &error);
  if (hosts == NULL)
    {
      fuzz_check_refusal (error, "fuzz");
      return 0;
    }
  if (error != NULL || hosts->len > MEMLANE_MOST_HOSTS)
    g_error ("hosts and a message, or too many hosts");
  for (guint i = 0; i < hosts->len; i++)
    {
      const MemlaneHost *host = hosts->pdata[i];
      g_autoptr (MemlaneHost) again = memlane_host_new (host->name, host->command, &error);
      g_autofree char *device = g_strconcat (host->name, "/cuda:0", NULL), *name = NULL;

      if (again == NULL)
        g_error ("what was read is refused: %s", error->message);
      if (!g_strv_equal ((const char *const *) host->words, (const char *const *) again->words) || host->words[0] == NULL)
        g_error ("other words of \"%s\"", host->command);
      if (strcmp (memlane_host_split (device, &name), "cuda:0") != 0 || g_strcmp0 (name, host->name) != 0)
        g_error ("\"%s\" is not taken apart", device);
    }
  return 0;
}
