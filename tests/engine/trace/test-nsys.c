/* test-nsys.c: exports of Nsight Systems, made here with the columns that it writes
 *
 * SPDX-License-Identifier: MIT
 */
#include <sqlite3.h>

#include "base/each.h"
#include "trace/trace.h"
#include "engine/cases.h"
#include "engine/trace-file.h"

/* Columns beyond those that are read are left out, as older versions do. */
#define SCHEMA \
  "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);" \
  "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);" \
  "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER," \
  " returnValue INTEGER);" \
  "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER," \
  " bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER, migrationCause INTEGER);" \
  "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER," \
  " shortName INTEGER);" \
  "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, streamId INTEGER, correlationId INTEGER," \
  " globalPid INTEGER, syncType INTEGER);" \
  "CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER, end INTEGER, globalPid INTEGER, numberOfPageFaults INTEGER);" \
  "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, globalTid INTEGER, textId INTEGER, text TEXT);"

/* Two processes (1 and 2) with the same correlation; times from 1 ms on. */
#define ROWS \
  "INSERT INTO StringIds VALUES (1, 'cudaMemcpyAsync_v3020'), (2, 'cudaLaunchKernel_v7000'), (3, 'solve'), (4, 'step');" \
  "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA L4');" \
  "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000000, 1010000, (1 << 24) | 7, 5, 1, 0)," \
  " (1020000, 1021000, (1 << 24) | 7, 6, 2, 0), (1000500, 1001000, (2 << 24) | 9, 5, 2, 1);" \
  "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1002000, 1009000, 7, 5, 1 << 24, 4096, 1, 0, 2, NULL)," \
  " (1040000, 1041000, 7, NULL, 1 << 24, 65536, 11, 4, 4, 2), (1042000, 1043000, 7, NULL, 1 << 24, 65536, 12, 4, 4, 1);" \
  "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1022000, 1050000, 7, 6, 1 << 24, 3);" \
  "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1023000, 1051000, 4294967295, NULL, 1 << 24, 4);" \
  "INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (1039000, 1039500, 1 << 24, 12);" \
  "INSERT INTO NVTX_EVENTS VALUES (1000000, 1060000, 59, (1 << 24) | 7, 4, NULL), (1000001, NULL, 34, (1 << 24) | 7, NULL, 'mark')," \
  " (0, NULL, 75, (1 << 24) | 7, NULL, 'a domain');"

/* Writes @sql's database and reads it as a trace. */
static MemlaneTrace *
read_export (const char *sql, GCancellable *cancellable, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-nsys-XXXXXX", NULL), *path = g_build_filename (folder, "t.sqlite", NULL);
  sqlite3 *database = NULL;
  MemlaneTrace *trace;
  char *why = NULL;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  sqlite3_exec (database, sql, NULL, NULL, &why);
  g_assert_cmpstr (why, ==, NULL);
  sqlite3_close (database);
  trace = memlane_trace_read_json (path, NULL, NULL, cancellable, error);
  g_unlink (path);
  g_rmdir (folder);
  return trace;
}

/* Why it is refused, or the file that Memlane writes of it. */
static char *
answer_export (const char *asked)
{
  g_autoptr (GString) sql = g_string_new (asked);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;

  g_string_replace (sql, "SCHEMA", SCHEMA, 1);
  g_string_replace (sql, "ROWS", ROWS, 1);
  trace = read_export (sql->str, NULL, &error);
  if (trace != NULL)
    return write_trace (trace);
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  return g_strdup (strstr (error->message, "t.sqlite: ") + strlen ("t.sqlite: "));
}

static void
test_exports (void)
{
  check_cases ("trace", "nsys.txt", answer_export);
}

/* Cut off anywhere, or overwritten in its pages, it is refused or read; nothing else happens. */
static void
test_torn (void)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-nsys-XXXXXX", NULL), *path = g_build_filename (folder, "t.sqlite", NULL);
  g_autofree char *whole = NULL;
  sqlite3 *database = NULL;
  gsize length, n_read = 0;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, SCHEMA ROWS, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (database);
  g_assert_true (g_file_get_contents (path, &whole, &length, NULL));
  for (gsize at = 100; at < length; at += 997)
    for (guint cut = 0; cut < 2; cut++)
      {
        g_autofree char *other = g_memdup2 (whole, length);
        g_autoptr (MemlaneTrace) trace = NULL;

        other[at] = (char) ~other[at];
        g_assert_true (g_file_set_contents (path, other, cut ? (gssize) at : (gssize) length, NULL));
        trace = memlane_trace_read_json (path, NULL, NULL, NULL, NULL);
        n_read += trace != NULL;
      }
  g_assert_cmpuint (n_read, >, 0);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  /* a million rows: SQLite is asked to stop in the middle */
  g_assert_null (read_export (SCHEMA "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 300000)"
                                     " INSERT INTO StringIds SELECT id, 'name' FROM n;",
                              cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Of a text 4 kB are kept, and of a machine 64 GPUs. */
static void
test_long (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace
    = read_export (SCHEMA ROWS "UPDATE StringIds SET value = printf ('%.*c', 100000, 'x') WHERE id = 3;"
                               "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 300)"
                               " INSERT INTO TARGET_INFO_GPU SELECT id, 'GPU ' || id FROM n;",
                   NULL, &error);
  gboolean told = FALSE;
  guint n;

  g_assert_no_error (error);
  memlane_trace_get_events (trace, &n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (strlen (memlane_trace_get_name (trace, memlane_trace_get_events (trace, &n)[i].name)), <=, 4096);
  MEMLANE_FOR_EACH (const char, note, memlane_trace_get_info (trace)->notes)
    told |= strstr (note, "64 GPUs") != NULL;
  g_assert_true (told);
}

/* A file whose leaves stand for several rows each: it has not as many bytes as they say. */
static void
test_shared_pages (void)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-nsys-XXXXXX", NULL), *path = g_build_filename (folder, "t.sqlite", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  sqlite3 *database = NULL;
  guint n_shared = 0;
  gsize length;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, "PRAGMA page_size = 65536;" SCHEMA ROWS
                                 "WITH RECURSIVE n (id) AS (SELECT 10 UNION ALL SELECT id + 1 FROM n WHERE id < 400)"
                                 " INSERT INTO StringIds SELECT id, printf ('%.*c', 30000, 'x') FROM n;", NULL, NULL, NULL), ==,
                   SQLITE_OK);
  sqlite3_close (database);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  /* Every interior page (5) of a table: all its cells point to its first child. Keep one child's pages, cut off the others. */
  for (gsize page = 65536; page + 65536 <= length; page += 65536)
    if (bytes[page] == 5)
      {
        guint cells = (guint) (guchar) bytes[page + 3] << 8 | (guchar) bytes[page + 4];

        for (guint i = 1; i < cells; i++)
          {
            gsize first = page + ((gsize) (guchar) bytes[page + 12] << 8 | (guchar) bytes[page + 13]);
            gsize cell = page + ((gsize) (guchar) bytes[page + 12 + 2 * i] << 8 | (guchar) bytes[page + 13 + 2 * i]);

            memcpy (bytes + cell, bytes + first, 4);
            n_shared++;
          }
      }
  g_assert_cmpuint (n_shared, >, 50);
  g_assert_true (g_file_set_contents (path, bytes, 8 * 65536, NULL));
  trace = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  g_assert_null (trace);
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nsys/exports", test_exports);
  g_test_add_func ("/nsys/long", test_long);
  g_test_add_func ("/nsys/shared-pages", test_shared_pages);
  g_test_add_func ("/nsys/torn", test_torn);
  g_test_add_func ("/nsys/cancelled", test_cancelled);
  return g_test_run ();
}
