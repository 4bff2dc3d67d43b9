/* fuzz-nsys.c: whatever an export of Nsight Systems holds, reading it ends, with a trace or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * An input is a row of choices: which tables there are, with which columns, and what their rows say. Flipped bytes of a database are hardly
 * ever one.
 */
#include <sqlite3.h>

#include "trace-oracles.h"

static const struct
{
  const char *name, *columns; /* those of text begin with a capital */
} tables[] = {
  { "StringIds", "id Value" },
  { "TARGET_INFO_GPU", "id Name" },
  { "CUPTI_ACTIVITY_KIND_RUNTIME", "start end globalTid correlationId nameId returnValue" },
  { "CUPTI_ACTIVITY_KIND_MEMCPY",
    "start end streamId correlationId globalPid bytes copyKind srcKind dstKind migrationCause" },
  { "CUPTI_ACTIVITY_KIND_MEMSET", "start end streamId correlationId globalPid bytes memKind" },
  { "CUPTI_ACTIVITY_KIND_KERNEL", "start end streamId correlationId globalPid shortName" },
  { "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "start end streamId correlationId globalPid syncType" },
  { "CUDA_UM_GPU_PAGE_FAULT_EVENTS", "start end globalPid numberOfPageFaults" },
  { "CUDA_UM_CPU_PAGE_FAULT_EVENTS", "start globalPid" },
  { "NVTX_EVENTS", "start end eventType globalTid textId Text" },
};

static char *folder, *database, *file;

static void
clean_up (void)
{
  (void) unlink (database);
  (void) unlink (file);
  (void) rmdir (folder);
}

static void
make_files (void)
{
  folder = fuzz_make_folder ();
  database = g_build_filename (folder, "t.sqlite", NULL);
  file = g_build_filename (folder, "t.json", NULL);
  atexit (clean_up);
}

static void
add_value (GString *sql, FuzzChoices *choices, const char *column)
{
  guint kind = fuzz_choose (choices, 32);

  if (kind == 0)
    g_string_append (sql, "NULL");
  else if (kind == 1)
    g_string_append (sql, "'text'");
  else if (kind == 2)
    g_string_append (sql, "x'ff00c3'");
  else if (kind == 3)
    g_string_append (sql, "1e300");
  else if (g_ascii_isupper (*column))
    {
      char *quoted = sqlite3_mprintf ("%Q", fuzz_choose_text (choices));

      g_string_append (sql, quoted);
      sqlite3_free (quoted);
    }
  else if (strcmp (column, "start") == 0 || strcmp (column, "end") == 0)
    g_string_append_printf (sql, "%" G_GINT64_FORMAT, (gint64) ((guint64) fuzz_choose_number (choices) + (*column == 'e' ? 1000 : 0)));
  else if (strcmp (column, "eventType") == 0)
    g_string_append_printf (sql, "%u", 34 + 25 * fuzz_choose (choices, 2));
  else if (strcmp (column, "bytes") == 0)
    g_string_append_printf (sql, "%" G_GINT64_FORMAT, fuzz_choose_number (choices));
  else
    g_string_append_printf (sql, "%d", (int) fuzz_choose (choices, 16) - 1);
}

static void
add_table (GString *sql, FuzzChoices *choices, guint index)
{
  g_auto (GStrv) columns = g_strsplit (tables[index].columns, " ", -1);
  guint n = g_strv_length (columns), odd = fuzz_choose (choices, 64), n_rows = fuzz_choose (choices, 12);

  g_string_append_printf (sql, "CREATE TABLE %s (", tables[index].name);
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (sql, "%s%s%s", i > 0 ? ", " : "", odd == i + 1 ? "other" : "", columns[i]);
      if (odd == 32 + i && i > 0)
        g_string_append_printf (sql, " AS (%s || 'x')", columns[0]);
    }
  g_string_append (sql, ");");
  for (guint row = 0; row < n_rows && odd < 32; row++)
    {
      g_string_append_printf (sql, "INSERT INTO %s VALUES (", tables[index].name);
      for (guint i = 0; i < n; i++)
        {
          g_string_append (sql, i > 0 ? ", " : "");
          add_value (sql, choices, columns[i]);
        }
      g_string_append (sql, ");");
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  FuzzChoices choices = { data, size, 0 };
  g_autoptr (GString) sql = g_string_new ("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;");
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  sqlite3 *made = NULL;
  char *why = NULL;

  fuzz_begin ();
  load_advice_runs ();
  if (file == NULL)
    make_files ();
  (void) unlink (database);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (i == 0 || fuzz_choose (&choices, 8) > 0)
      add_table (sql, &choices, i);
  g_string_append (sql, "COMMIT;");
  if (sqlite3_open (database, &made) != SQLITE_OK || sqlite3_exec (made, sql->str, NULL, NULL, &why) != SQLITE_OK)
    g_error ("%s: %s", why, sql->str);
  sqlite3_close (made);
  trace = memlane_trace_read_json (database, NULL, NULL, NULL, &error);
  if (trace == NULL)
    fuzz_check_refusal (error, database);
  else
    check_trace (trace, file);
  return 0;
}
