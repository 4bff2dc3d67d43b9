/* cli-machines.c: the runs of a folder, one a machine: which machines differ from the others, and why
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/size.h"

/* Two files of one GPU are no two machines. */
static void
say_twins (const MemlaneFleet *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  MEMLANE_FOR_EACH (const MemlaneFleetMachine, machine, self->machines)
    {
      const char *uuid = memlane_environment_get_text (machine->environment, MEMLANE_ENVIRONMENT_UUID);
      const MemlaneFleetMachine *first = uuid != NULL ? g_hash_table_lookup (seen, uuid) : NULL;

      if (first != NULL)
        g_printerr ("%s and %s are one GPU, %s\n", first->name, machine->name, uuid);
      else if (uuid != NULL)
        g_hash_table_insert (seen, (gpointer) uuid, (gpointer) machine);
    }
}

/* "PCIe lanes: 8, not 16" (transfer full) */
static char *
format_reasons (const MemlaneFleetMachine *machine)
{
  GString *text = g_string_new (NULL);

  MEMLANE_FOR_EACH_IN (const MemlaneFleetReason, reason, machine->reasons)
    g_string_append_printf (text, "%s%s: %s, not %s", text->len > 0 ? "; " : "", reason->label, reason->own, reason->usual);
  if (machine->host > 0)
    g_string_append_printf (text, "%sits host takes %.2f times as long", text->len > 0 ? "; " : "", machine->host);
  if (text->len == 0)
    g_string_append (text, "nothing in its environment tells");
  return g_string_free (text, FALSE);
}

int
cli_compare_machines (const char *folder, double allowed, gboolean is_gate, gboolean json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneFleet) fleet = memlane_fleet_read (folder, allowed, NULL, &error);
  CliTable *table;
  gboolean slow = FALSE;

  if (fleet == NULL)
    return cli_fail (CLI_USAGE, "%s", error->message);
  for (guint i = 0; i < fleet->refused->len; i++)
    g_printerr ("left out: %s\n", (const char *) fleet->refused->pdata[i]);
  if (fleet->n_tests == 0)
    return cli_fail (CLI_NOTHING, "%s: found %u runs, expected %d of one cell, each with rounds beside it and at least %d of them", folder,
                     fleet->machines->len, MEMLANE_FLEET_LEAST_MACHINES, MEMLANE_FLEET_LEAST_ROUNDS);
  table = cli_table_new (9, "MACHINE", "WORKLOAD", "MODE", "SIZE", "TIME", "USUAL", "CHANGE", "CELLS", "REASON");
  MEMLANE_FOR_EACH (const MemlaneFleetMachine, machine, fleet->different)
    {
      g_autofree char *size = memlane_size_format (machine->cell->log2_elements), *time = memlane_summary_format_time (machine->ns);
      g_autofree char *usual = memlane_summary_format_time (exp (machine->cell->middle));
      g_autofree char *change = g_strdup_printf ("%+.1f %%", expm1 (machine->change) * 100);
      g_autofree char *reason = format_reasons (machine), *n = g_strdup_printf ("%u", machine->differs);

      slow |= machine->change > 0;
      cli_table_add (table, machine->name, machine->cell->workload, machine->cell->mode, size, time, usual, change, n, reason);
    }
  if (json)
    cli_table_print_json (table, "machine workload mode size time usual change #cells reason");
  else if (fleet->different->len > 0)
    cli_table_print (table);
  else
    cli_table_free (table);
  g_printerr ("%u machines, %u cells each at most: %u differ by more than %g %%, by %u tests that hold 95 %% together\n",
              fleet->machines->len, fleet->cells->len, fleet->different->len, allowed * 100, fleet->n_tests);
  if (fleet->refused->len > 0)
    g_printerr ("%u files were left out\n", fleet->refused->len);
  say_twins (fleet);
  cli_fleet_say_missing (folder);
  return is_gate && slow ? CLI_SLOW : CLI_OK;
}
