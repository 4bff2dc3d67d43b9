/* cli-modes.c: memlane-cli modes
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

static int
run (int argc, char **argv)
{
  g_autofree char *asked = NULL, *id = NULL;
  const GOptionEntry entries[] = {
    { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked, "The device to ask; see memlane-cli devices", "ID" },
    { NULL },
  };
  g_auto (GStrv) positional = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneDeviceInfo) info = NULL;
  CliTable *table;
  const MemlaneMode *modes;
  guint n;
  int status;

  if (!cli_options_parse (&cli_modes, entries, argc, argv, 0, &positional, &status))
    return status;
  id = cli_device_choose (asked, FALSE, &status);
  if (id == NULL)
    return status;
  info = memlane_device_describe (id, &error);
  if (info == NULL)
    return cli_fail (cli_device_status (id), "device %s cannot be used: %s", id, error->message);

  modes = memlane_mode_list (&n);
  table = cli_table_new (3, "ID", "SUPPORTED", "REASON");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *reason = NULL;
      gboolean is_supported = memlane_mode_is_supported (&modes[i], info, &reason);

      cli_table_add (table, modes[i].id, is_supported ? "yes" : "no", is_supported ? NULL : reason);
    }
  cli_table_print (table);
  return CLI_OK;
}

const CliCommand cli_modes = {
  .name = "modes",
  .summary = "List the memory modes, and which of them a device supports",
  .description =
    "A mode says where the host's vectors live, how the kernel reaches them and how\n"
    "the bytes travel. The ids are what memlane-cli sweep --modes takes, separated by\n"
    "commas. A mode that the device does not support is a row in the CSV, too.\n"
    "\n"
    "Example:\n"
    "  memlane-cli modes --device cuda:0",
  .run = run,
};
