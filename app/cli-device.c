/* cli-device.c: which device a command works on, and what is said of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"
#include "base/device-id.h"
#include "base/each.h"
#include "base/fail.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MPOL_BIND 2 /* <numaif.h>, which is not everywhere */

static const MemlaneDeviceListing *
find_listing (GPtrArray *listings, const char *id)
{
  MEMLANE_FOR_EACH (const MemlaneDeviceListing, listing, listings)
    if (strcmp (listing->id, id) == 0)
      return listing;
  return NULL;
}

/* Why there is no GPU: the first reason that a CUDA row gives. */
static const char *
find_reason (GPtrArray *listings)
{
  MEMLANE_FOR_EACH (const MemlaneDeviceListing, listing, listings)
    if (listing->reason != NULL && !memlane_device_kind_is_simulated (listing->kind))
      return listing->reason;
  return NULL;
}

static gboolean
is_gpu (const MemlaneDeviceListing *listing)
{
  return listing->reason == NULL && !memlane_device_kind_is_simulated (listing->kind);
}

/* The ids of all that can be used, or of the GPUs among them. (transfer full) */
static char *
list_usable (GPtrArray *listings, gboolean gpus, const char *separator)
{
  GString *known = g_string_new (NULL);

  MEMLANE_FOR_EACH (const MemlaneDeviceListing, listing, listings)
    if (gpus ? is_gpu (listing) : listing->reason == NULL)
      g_string_append_printf (known, "%s%s", known->len > 0 ? separator : "", listing->id);
  return g_string_free (known, FALSE);
}

/* A simulated device is never named without saying so. */
static void
say_device (const char *id, const char *name, gboolean is_simulated, const char *why)
{
  g_printerr ("device: %s%s [%s]%s%s\n", name,
              is_simulated && strstr (name, "(simulated)") == NULL ? " (simulated)" : "", id,
              why != NULL ? " - " : "", why != NULL ? why : "");
}

/* (transfer none) (nullable): the first that can be used. */
static const MemlaneDeviceListing *
find_gpu (GPtrArray *listings)
{
  MEMLANE_FOR_EACH (const MemlaneDeviceListing, candidate, listings)
    if (is_gpu (candidate))
      return candidate;
  return NULL;
}

/* The same rule as memlane_device_open (NULL): the first GPU that can be used, else the simulated
 * H200. */
static char *
choose_default (GPtrArray *listings, gboolean quiet)
{
  const MemlaneDeviceListing *gpu = find_gpu (listings),
                             *listing = gpu != NULL ? gpu
                                                    : find_listing (listings, "simulated:h200");
  const char *id = listing != NULL ? listing->id : "simulated:h200",
             *reason = find_reason (listings);
  g_autofree char *why = g_strconcat ("no GPU here", reason != NULL ? ": " : NULL, reason, NULL);

  if (!quiet)
    say_device (id, listing != NULL ? listing->name : "H200", gpu == NULL,
                gpu == NULL ? why : NULL);
  return g_strdup (id);
}

/* --- asking workers --------------------------------------------------------------------------- */

static GAsyncResult *finished; /* and not taken yet */

void
cli_wait_done (GObject *source, GAsyncResult *result, gpointer unused)
{
  finished = g_object_ref (result);
}

gpointer
cli_wait (GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  while (finished == NULL)
    g_main_context_iteration (NULL, TRUE);
  result = g_steal_pointer (&finished);
  return g_task_propagate_pointer (G_TASK (result), error);
}

MemlaneRun *
cli_sweep_wait (MemlaneSweep *sweep, GCancellable *cancellable, GError **error)
{
  memlane_sweep_run_async (sweep, cancellable, cli_wait_done, NULL);
  return cli_wait (error);
}

GPtrArray *
cli_device_list (const char *host)
{
  memlane_devices_list_async (host, NULL, cli_wait_done, NULL);
  return cli_wait (NULL);
}

/* --- choosing --------------------------------------------------------------------------------- */

gboolean
cli_host_check (const char *host, int *status)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) hosts = memlane_hosts_read (&error);
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; hosts != NULL && i < hosts->len; i++)
    {
      const MemlaneHost *other = hosts->pdata[i];

      if (strcmp (other->name, host) == 0)
        return TRUE;
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", other->name);
    }
  if (hosts == NULL)
    *status = cli_fail (CLI_USAGE, "%s", error->message);
  else
    *status = cli_fail (
        CLI_USAGE, "unknown host \"%s\": expected one of the file %s/memlane/hosts, which names %s",
        host, g_get_user_config_dir (), known->len > 0 ? known->str : "none");
  return FALSE;
}

char *
cli_device_choose (const char *asked, gboolean quiet, int *status)
{
  g_autofree char *host = NULL, *known = NULL;
  const char *local = asked != NULL ? memlane_host_split (asked, &host) : "", *reason = NULL;
  gboolean is_simulated = g_str_has_prefix (local, "simulated:");
  g_autoptr (GPtrArray) listings = NULL;
  const MemlaneDeviceListing *listing;

  if (host != NULL) /* its device is asked when it is used */
    {
      if (!cli_host_check (host, status))
        return NULL;
      if (!quiet)
        g_printerr ("device: %s on %s%s\n", local, host, is_simulated ? " (simulated)" : "");
      return g_strdup (asked);
    }
  /* A driver that hangs is no business of a simulated device. */
  listings = is_simulated ? memlane_device_list_simulated () : cli_device_list (NULL);
  if (asked == NULL)
    return choose_default (listings, quiet);
  listing = find_listing (listings, asked);
  /* A profile file is known to its reader only. */
  if (listing != NULL ? listing->reason == NULL : is_simulated && strchr (asked, '/') != NULL)
    {
      if (!quiet)
        say_device (asked, listing != NULL ? listing->name : "profile of your own", is_simulated,
                    NULL);
      return g_strdup (asked);
    }
  known = list_usable (listings, FALSE, ", ");
  if (g_str_has_prefix (asked, "cuda:")
      && g_ascii_string_to_unsigned (asked + strlen ("cuda:"), 10, 0, G_MAXINT, NULL, NULL))
    reason = find_reason (listings);
  if (listing != NULL)
    *status = cli_fail (CLI_NOTHING, "device %s cannot be used: %s", asked, listing->reason);
  else if (reason != NULL)
    *status = cli_fail (CLI_NOTHING, "device %s cannot be used: %s; there is: %s", asked, reason,
                        known);
  else
    *status = cli_fail (
        CLI_USAGE, "unknown device \"%s\": expected one of %s, or simulated:/PATH/TO/FILE.device",
        asked, known);
  return NULL;
}

char *
cli_device_choose_gpu (int *status)
{
  g_autoptr (GPtrArray) listings = cli_device_list (NULL);
  const MemlaneDeviceListing *listing = find_gpu (listings);
  const char *reason = find_reason (listings);

  if (listing == NULL)
    *status = cli_fail (CLI_NOTHING,
                        "no GPU here%s%s; --device simulated:h200 shows a simulated one",
                        reason != NULL ? ": " : "", reason != NULL ? reason : "");
  return listing != NULL ? g_strdup (listing->id) : NULL;
}

char *
cli_device_list_gpus (const char *host)
{
  g_autoptr (GPtrArray) listings = cli_device_list (host);

  return list_usable (listings, TRUE, ",");
}

gboolean
cli_noise_check (const char *asked, const char *device, GError **error)
{
  if (asked == NULL)
    return TRUE;
  if (strcmp (asked, "recorded") != 0)
    return cli_refuse (error, "--noise: found \"%s\", expected recorded", asked);
  return (device != NULL && g_str_has_prefix (memlane_host_split (device, NULL), "simulated:"))
         || cli_refuse (error, "--noise: %s varies by itself; expected a simulated device, such as "
                        "--device simulated:h200", device != NULL ? device : "a GPU");
}

void
cli_parse_processors (const char *list, cpu_set_t *set)
{
  g_auto (GStrv) ranges = g_strsplit (list, ",", -1);

  CPU_ZERO (set);
  for (guint i = 0; ranges[i] != NULL; i++)
    {
      char *end;
      guint64 from = g_ascii_strtoull (ranges[i], &end, 10),
              to = *end == '-' ? g_ascii_strtoull (end + 1, NULL, 10) : from;

      for (guint64 cpu = from; end != ranges[i] && cpu <= to && cpu < CPU_SETSIZE; cpu++)
        CPU_SET (cpu, set);
    }
}

gboolean
cli_bind_to_node (int node, gboolean memory, GError **error)
{
  g_autofree char *path = g_strdup_printf ("/sys/devices/system/node/node%d/cpulist", node),
                  *list = NULL;
  unsigned long mask = 1UL << (node & 63);
  cpu_set_t set;

  if (!g_file_get_contents (path, &list, NULL, error))
    return FALSE;
  cli_parse_processors (list, &set);
  return (sched_setaffinity (0, sizeof set, &set) == 0
          && (!memory || syscall (SYS_set_mempolicy, MPOL_BIND, &mask, 8 * sizeof mask) == 0))
         || memlane_fail (error, G_IO_ERROR, (int) g_io_error_from_errno (errno),
                          "cannot be bound to NUMA node %d: %s", node, g_strerror (errno));
}

int
cli_device_status (const char *id)
{
  /* A profile file that is refused is a refused input; a device that does not open is one on which
   * nothing can be measured. */
  return g_str_has_prefix (id, "simulated:") && strchr (id, '/') != NULL ? CLI_USAGE : CLI_NOTHING;
}
