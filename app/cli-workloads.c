/* cli-workloads.c: memlane-cli workloads
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

static int
run (int argc, char **argv)
{
  const GOptionEntry entries[] = { { NULL } };
  g_auto (GStrv) positional = NULL;
  const MemlaneWorkload *workloads;
  CliTable *table;
  guint n;
  int status;

  if (!cli_options_parse (&cli_workloads, entries, argc, argv, 0, &positional, &status))
    return status;

  workloads = memlane_workload_list (&n);
  table = cli_table_new (2, "ID", "WHAT IT DOES");
  for (guint i = 0; i < n; i++)
    cli_table_add (table, workloads[i].id, workloads[i].summary);
  cli_table_print (table);
  return CLI_OK;
}

const CliCommand cli_workloads = {
  .name = "workloads",
  .summary = "List what can be done with the vectors: the addition, and the copies one by one",
  .description =
    "The ids are what memlane-cli sweep --workload takes. Not every workload makes\n"
    "sense in every mode; such a cell is a row that says \"unsupported\" and why.",
  .run = run,
};
