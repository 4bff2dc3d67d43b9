/* cli-devices.c: memlane-cli devices
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

static int
run (int argc, char **argv)
{
  const GOptionEntry entries[] = { { NULL } };
  g_auto (GStrv) positional = NULL;
  g_autoptr (GPtrArray) listings = NULL;
  CliTable *table;
  int status;

  if (!cli_options_parse (&cli_devices, entries, argc, argv, 0, &positional, &status))
    return status;

  cli_mention_journals ();
  listings = memlane_device_list ();
  table = cli_table_new (4, "ID", "KIND", "NAME", "WHY IT CANNOT BE USED");
  for (guint i = 0; i < listings->len; i++)
    {
      const MemlaneDeviceListing *listing = listings->pdata[i];
      cli_table_add (table, listing->id, listing->kind, listing->name, listing->reason);
    }
  cli_table_print (table);
  return CLI_OK;
}

const CliCommand cli_devices = {
  .name = "devices",
  .summary = "List the devices to measure on, and why one cannot be used",
  .description =
    "The ids are what --device takes. cuda:N is a GPU of this machine, by the driver's\n"
    "number. simulated:NAME is a model of a GPU: it moves every byte and adds every\n"
    "number for real, but takes its times from a profile that was fitted to a recorded\n"
    "run. A profile of your own is simulated:/PATH/TO/FILE.device. The first usable\n"
    "GPU is the default, else simulated:h200.",
  .run = run,
};
