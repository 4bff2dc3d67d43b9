/* cli-recover.c: memlane-cli recover, what runs that died have left in the journal
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

#include "base/each.h"

/* "2026-11-23 22:40", of the clock here; (transfer full) */
static char *
format_date (gint64 seconds)
{
  g_autoptr (GDateTime) when = g_date_time_new_from_unix_local (seconds);

  /* NULL: beyond the year 9999 */
  return when != NULL ? g_date_time_format (when, "%Y-%m-%d %H:%M") : g_strdup ("unknown");
}

void
cli_mention_journals (void)
{
  g_autoptr (GPtrArray) entries = memlane_journal_list ();
  guint runs = 0, cells = 0;
  gint64 newest = 0;

  MEMLANE_FOR_EACH (const MemlaneJournalEntry, entry, entries)
    {
      if (entry->cells == 0)
        continue;
      runs++;
      cells += entry->cells;
      newest = MAX (newest, entry->modified);
    }
  if (runs == 1)
    {
      g_autofree char *date = format_date (newest);

      g_printerr ("an interrupted run of %s holds %u cells: memlane-cli recover\n", date, cells);
    }
  else if (runs > 1)
    g_printerr ("%u interrupted runs hold %u cells: memlane-cli recover\n", runs, cells);
}

static int
list_journals (GPtrArray *entries)
{
  CliTable *table;

  if (entries->len == 0)
    {
      g_printerr ("there is nothing to recover\n");
      return CLI_OK;
    }
  table = cli_table_new (4, "RUN", "CELLS", "LAST WRITTEN", "FILE");
  MEMLANE_FOR_EACH (const MemlaneJournalEntry, entry, entries)
    {
      g_autofree char *date = format_date (entry->modified);
      g_autofree char *cells = g_strdup_printf ("%u", entry->cells);

      cli_table_add (table, entry->run, cells, date, entry->path);
    }
  cli_table_print (table);
  MEMLANE_FOR_EACH (const MemlaneJournalEntry, entry, entries)
    if (entry->problem != NULL && entry->cells == 0)
      g_printerr ("%s cannot be read: %s\n", entry->run, entry->problem);
    else if (entry->problem != NULL)
      g_printerr ("%s is damaged after its first %u cells, which --csv writes: %s\n", entry->run,
                  entry->cells, entry->problem);
  return CLI_OK;
}

static const MemlaneJournalEntry *
find_journal (GPtrArray *entries, const char *name)
{
  g_autofree char *path = g_canonicalize_filename (name, NULL);

  MEMLANE_FOR_EACH (const MemlaneJournalEntry, entry, entries)
    if (strcmp (entry->run, name) == 0 || strcmp (entry->path, path) == 0)
      return entry;
  return NULL;
}

static int
write_journal (const MemlaneJournalEntry *entry, const char *csv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneRun) run = NULL;
  CliCount count;

  if (!cli_output_check (csv, CLI_FILE_RUNS, &error)
      || !cli_output_check_cells (csv, entry->cells, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  run = memlane_journal_read (entry->path, &error);
  if (run == NULL)
    return cli_fail (CLI_USAGE, "the journal of run %s cannot be read: %s", entry->run,
                     entry->problem != NULL ? entry->problem : error->message);
  if (run->cells->len == 0)
    return cli_fail (CLI_NOTHING,
                     "run %s holds no finished cell; memlane-cli recover %s --discard removes it",
                     entry->run, entry->run);
  if (!memlane_csv_write (run, csv, &error))
    return cli_fail (CLI_NOTHING, "%s. The journal keeps the run.", error->message);
  cli_count_cells (run, &count);
  g_printerr ("%u cells of run %s: %s\n", run->cells->len, entry->run,
              strcmp (csv, "-") == 0 ? "standard output" : csv);
  if (entry->problem != NULL)
    g_printerr (
        "its journal stays, for what comes after them is damaged: %s; --discard removes it\n",
        entry->problem);
  else if (!memlane_journal_discard (entry->path, &error))
    g_printerr ("the run is safe, but its journal cannot be removed: %s\n", error->message);
  return CLI_OK;
}

static char *csv;
static gboolean discard;
static const GOptionEntry options[] = {
  { "csv", 'c', 0, G_OPTION_ARG_FILENAME, &csv,
    "Write what the run holds to F (- is standard output), then drop its journal", "F" },
  { "discard", 0, 0, G_OPTION_ARG_NONE, &discard, "Drop the journal without writing it", NULL },
  { NULL },
};

static int
run (char **positional)
{
  g_autoptr (GPtrArray) journals = NULL;
  g_autoptr (GError) error = NULL;
  const MemlaneJournalEntry *entry;

  if (csv != NULL && discard)
    return cli_fail (CLI_USAGE, "recover: expected either --csv F or --discard, not both");
  if (positional[0] == NULL && (csv != NULL || discard))
    return cli_fail (CLI_USAGE,
                     "recover: which run? expected its name; memlane-cli recover lists them");
  journals = memlane_journal_list ();
  if (positional[0] == NULL)
    return list_journals (journals);

  entry = find_journal (journals, positional[0]);
  /* A file that the list leaves out says why. */
  if (entry == NULL && g_file_test (positional[0], G_FILE_TEST_EXISTS))
    {
      g_autoptr (MemlaneRun) left_out = memlane_journal_read (positional[0], &error);

      if (left_out == NULL)
        return cli_fail (CLI_USAGE, "recover: %s", error->message);
    }
  if (entry == NULL)
    return cli_fail (CLI_USAGE,
                     "recover: no interrupted run \"%s\"; memlane-cli recover lists them",
                     positional[0]);
  if (csv == NULL && !discard)
    return cli_fail (CLI_USAGE,
                     "recover: expected --csv F to write the run, or --discard to drop it");
  if (csv != NULL)
    return write_journal (entry, csv);
  if (!memlane_journal_discard (entry->path, &error))
    return cli_fail (CLI_NOTHING, "the journal of run %s cannot be removed: %s", entry->run,
                     error->message);
  return CLI_OK;
}

const CliCommand cli_recover = {
  .name = "recover",
  .arguments = "[RUN]",
  .summary = "List the runs that were cut short, or write one to a CSV",
  .options = options,
  .most_arguments = 1,
  .run = run,
  .writes = TRUE,
};
