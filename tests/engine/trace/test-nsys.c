/* test-nsys.c: exports of Nsight Systems, made here with the columns that it writes
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <sqlite3.h>

#include "base/each.h"
#include "trace/trace.h"

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

static const MemlaneTraceEvent *
find (const MemlaneTrace *trace, MemlaneTraceKind kind, guint nth)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    if (events[i].kind == kind && nth-- == 0)
      return &events[i];
  return NULL;
}

static void
check_name (const MemlaneTrace *trace, const MemlaneTraceEvent *event, const char *name)
{
  g_assert_nonnull (event);
  g_assert_cmpstr (memlane_trace_get_name (trace, event->name), ==, name);
}

static void
test_whole (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = read_export (SCHEMA ROWS, NULL, &error);
  const MemlaneTraceEvent *copy, *call, *kernel;
  guint n;

  g_assert_no_error (error);
  memlane_trace_get_events (trace, &n);
  g_assert_cmpuint (n, ==, 11);
  g_assert_cmpstr (memlane_trace_get_info (trace)->device_name, ==, "NVIDIA L4");
  copy = find (trace, MEMLANE_TRACE_COPY, 0);
  g_assert_cmpint (copy->start, ==, 2000);
  g_assert_cmpint (copy->duration, ==, 7000);
  g_assert_cmpuint (copy->bytes, ==, 4096);
  g_assert_cmpuint (copy->way, ==, MEMLANE_TRACE_WAY_TO_DEVICE);
  g_assert_cmpuint (copy->source, ==, MEMLANE_TRACE_MEMORY_PAGEABLE);
  g_assert_cmpuint (copy->destination, ==, MEMLANE_TRACE_MEMORY_DEVICE);
  g_assert_cmpuint (copy->flags, ==, MEMLANE_TRACE_ASYNC | MEMLANE_TRACE_STAGED);
  g_assert_cmpuint (copy->stream, ==, 7);

  call = find (trace, MEMLANE_TRACE_CALL, 0);
  check_name (trace, call, "cudaMemcpyAsync");
  g_assert_cmpuint (call->correlation, ==, copy->correlation);
  call = find (trace, MEMLANE_TRACE_CALL, 1);
  check_name (trace, call, "cudaLaunchKernel");
  g_assert_cmpuint (call->flags, ==, MEMLANE_TRACE_FAILED);
  g_assert_cmpuint (call->correlation, !=, copy->correlation); /* of another process */
  kernel = find (trace, MEMLANE_TRACE_KERNEL, 0);
  check_name (trace, kernel, "solve");

  g_assert_cmpuint (find (trace, MEMLANE_TRACE_MIGRATION, 0)->flags, ==, 0);
  g_assert_cmpuint (find (trace, MEMLANE_TRACE_MIGRATION, 1)->flags, ==, MEMLANE_TRACE_PREFETCHED);
  g_assert_cmpuint (find (trace, MEMLANE_TRACE_FAULT, 0)->count, ==, 12);
  g_assert_cmpuint (find (trace, MEMLANE_TRACE_SYNCHRONISATION, 0)->stream, ==, MEMLANE_TRACE_NO_STREAM);
  check_name (trace, find (trace, MEMLANE_TRACE_OTHER, 0), "step");
  check_name (trace, find (trace, MEMLANE_TRACE_OTHER, 1), "mark");
  g_assert_null (find (trace, MEMLANE_TRACE_OTHER, 2)); /* a domain's name is no event */
}

/* Each is refused with a reason, or read without what is wrong. */
static void
test_wrong (void)
{
  static const struct
  {
    const char *sql, *reason; /* NULL: it is read */
  } cases[] = {
    { "CREATE TABLE a (b);", "no table StringIds" },
    { "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);", "no CUDA" },
    { "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER);",
      "CUPTI_ACTIVITY_KIND_KERNEL: no such column" },
    { "CREATE VIEW StringIds AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 'x' AS value FROM n;",
      "no table StringIds" },
    /* Generated columns: one that computes for hours, one that is a megabyte in each row, one that is stored. */
    { "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT AS (instr (printf ('%.*c', 10000, 'x'),"
      " printf ('%.*c', 5000, 'x') || 'y' || id))); INSERT INTO StringIds (id) VALUES (1), (2), (3);", "no table StringIds" },
    { "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT AS (printf ('%.*c', 1000000, 'x') || id));"
      "INSERT INTO StringIds (id) VALUES (1), (2), (3);", "no table StringIds" },
    { "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT AS ('a' || id) STORED); INSERT INTO StringIds (id) VALUES (1);",
      "no table StringIds" },
    { SCHEMA ROWS "DROP TABLE TARGET_INFO_GPU; CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT AS ('a' || id));", NULL },
    { SCHEMA ROWS "INSERT INTO StringIds VALUES (9, zeroblob(3000000));", "too big" },
    { SCHEMA ROWS "DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;", NULL },
    { SCHEMA ROWS "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = -5; UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = -1, end = 'x';", NULL },
    { SCHEMA ROWS "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 9223372036854775807, srcKind = -1, dstKind = 99;", NULL },
    { SCHEMA ROWS "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = 9223372036854775807, nameId = NULL, correlationId = 'text';", NULL },
    { SCHEMA ROWS "UPDATE NVTX_EVENTS SET text = x'ff00fe', textId = NULL; UPDATE StringIds SET value = x'c328';", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneTrace) trace = read_export (cases[i].sql, NULL, &error);

      if (cases[i].reason == NULL)
        g_assert_no_error (error);
      else
        {
          g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
          if (strstr (error->message, cases[i].reason) == NULL)
            g_error ("found \"%s\", expected \"%s\" in it", error->message, cases[i].reason);
        }
    }
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

  g_assert_no_error (error);
  g_assert_cmpuint (strlen (memlane_trace_get_name (trace, find (trace, MEMLANE_TRACE_KERNEL, 0)->name)), <=, 4096);
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
  g_test_add_func ("/nsys/whole", test_whole);
  g_test_add_func ("/nsys/wrong", test_wrong);
  g_test_add_func ("/nsys/long", test_long);
  g_test_add_func ("/nsys/shared-pages", test_shared_pages);
  g_test_add_func ("/nsys/torn", test_torn);
  g_test_add_func ("/nsys/cancelled", test_cancelled);
  return g_test_run ();
}
