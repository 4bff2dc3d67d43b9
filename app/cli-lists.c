/* cli-lists.c: memlane-cli devices, modes, workloads: what there is to choose from
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include "base/each.h"

static char *host, *asked;
static gboolean json;

static const GOptionEntry devices_options[] = {
  { "host", 0, 0, G_OPTION_ARG_FILENAME, &host,
    "The devices of that host; see memlane-cli worker --help", "HOST" },
  CLI_JSON_ENTRY (json),
  { NULL },
};

static int
list_devices (char **positional)
{
  g_autoptr (GPtrArray) listings = NULL;
  CliTable *table;
  int status;

  if (host != NULL && !cli_host_check (host, &status))
    return status;
  cli_mention_journals ();
  listings = cli_device_list (host);
  table = cli_table_new (4, "ID", "KIND", "NAME", "WHY IT CANNOT BE USED");
  MEMLANE_FOR_EACH (const MemlaneDeviceListing, listing, listings)
    cli_table_add (table, listing->id, listing->kind, listing->name, listing->reason);
  cli_table_show (table, json, "devices", "id kind name reason");
  return CLI_OK;
}

const CliCommand cli_devices = {
  .name = "devices",
  .summary = "List the devices to measure on, and why one cannot be used",
  .options = devices_options,
  .run = list_devices,
};

static const GOptionEntry modes_options[] = {
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked, "The device to ask; see memlane-cli devices",
    "ID" },
  CLI_JSON_ENTRY (json),
  { NULL },
};

static int
list_modes (char **positional)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneDeviceInfo) info = NULL;
  CliTable *table;
  int status;
  g_autofree char *id = cli_device_choose (asked, json, &status);

  if (id == NULL)
    return status;
  memlane_devices_describe_async (id, NULL, cli_wait_done, NULL);
  info = cli_wait (&error);
  if (info == NULL)
    return cli_fail (cli_device_status (id), "device %s cannot be used: %s", id, error->message);

  table = cli_table_new (8, "ID", "SUPPORTED", "REASON", NULL, NULL, NULL, NULL, NULL);
  MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n))
    {
      g_autofree char *reason = memlane_capabilities_explain_missing (mode->needs, info);

      cli_table_add (table, mode->id, reason == NULL ? "yes" : "no", reason, mode->title,
                     memlane_family_id (mode->family), mode->summary, mode->calls, mode->look_for);
    }
  cli_table_show (table, json, "modes", "id ?supported reason title family summary calls look_for");
  return CLI_OK;
}

const CliCommand cli_modes = {
  .name = "modes",
  .summary = "List the memory modes, and which of them a device supports",
  .options = modes_options,
  .run = list_modes,
};

static const GOptionEntry workloads_options[] = { CLI_JSON_ENTRY (json), { NULL } };

static int
list_workloads (char **positional)
{
  CliTable *table = cli_table_new (3, "ID", "WHAT IT DOES", NULL);

  MEMLANE_FOR_EACH_OF (const MemlaneWorkload, workload, n, memlane_workload_list (&n))
    cli_table_add (table, workload->id, workload->summary, workload->title);
  cli_table_show (table, json, "workloads", "id summary title");
  return CLI_OK;
}

const CliCommand cli_workloads = {
  .name = "workloads",
  .summary = "List what can be done with the vectors: the addition, and the copies one by one",
  .options = workloads_options,
  .run = list_workloads,
};
