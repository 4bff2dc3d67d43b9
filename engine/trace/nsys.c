/* nsys.c: what Nsight Systems exports as a trace
 *
 * SPDX-License-Identifier: MIT
 *
 * The tables and their columns: Nsight Systems' user guide, "SQLite Schema Reference". A table is
 * there if it has rows.
 */
#include "trace.h"

#include "base/file-error.h"
#include "base/hash.h"

#ifdef MEMLANE_HAVE_SQLITE

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "base/reader-limits.h"
#include "builder.h"

#define STEPS 10000         /* of SQLite between two looks at the time and at whoever cancels */
#define MOST_LOOKS 2000000  /* a file that takes longer was made to do so */
#define MOST_TEXT (1 << 20) /* bytes of one text: a longer one is refused before it is read */
#define LONGEST_NAME 4096   /* bytes that are kept of a text */
#define TOO_MANY "found more rows and texts than a file of this size has"
#define LEAST_ROW 4         /* bytes: cell pointer, length, rowid, header */
#define MOST_GPUS 64
#define NVTX_TRACK 1
#define NOT_READY 600     /* cudaErrorNotReady: a query's answer, no failure */
/* ENUM_CUPTI_SYNC_TYPE: a stream waits for an event; the others let the host wait */
#define STREAM_WAITS 2
#define BY_PREFETCH 1     /* ENUM_CUDA_UNIF_MEM_MIGRATION: what the program asked for */

typedef struct
{
  const char *path;
  sqlite3 *database;
  GCancellable *cancellable;
  MemlaneTraceBuilder *builder;
  GHashTable *names; /* gint64 of StringIds -> text (owned) */
  /* gint64 of process and correlation -> our number of it, shifted, and whether the call goes on at
   * once */
  GHashTable *calls;
  guint32 last_correlation;
  guint n_looks;
  guint64 skipped;
  /* of rows and texts: pages that a file shares between rows would multiply them */
  gint64 rows_left, bytes_left;
} Reader;

/* The columns of every query below; 0 or NULL stands for what a table lacks. */
enum
{
  START, END, PROCESS, CORRELATION, STREAM, BYTES, NAME, WHAT, SOURCE, DESTINATION, TEXT
};

static const struct
{
  const char *table, *columns;
  MemlaneTraceKind kind;
} tables[] = {
  /* calls first: copies ask them whether they wait */
  { "CUPTI_ACTIVITY_KIND_RUNTIME",
    "start, end, globalTid, correlationId, NULL, 0, nameId, returnValue, 0, 0, NULL",
    MEMLANE_TRACE_CALL },
  { "CUPTI_ACTIVITY_KIND_MEMCPY",
    "start, end, globalPid, correlationId, streamId, bytes, copyKind, migrationCause, srcKind, "
    "dstKind, NULL",
    MEMLANE_TRACE_COPY },
  { "CUPTI_ACTIVITY_KIND_MEMSET",
    "start, end, globalPid, correlationId, streamId, bytes, NULL, 0, 0, memKind, NULL",
    MEMLANE_TRACE_MEMSET },
  { "CUPTI_ACTIVITY_KIND_KERNEL",
    "start, end, globalPid, correlationId, streamId, 0, shortName, 0, 0, 0, NULL",
    MEMLANE_TRACE_KERNEL },
  { "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "start, end, globalPid, correlationId, streamId, 0, NULL, syncType, 0, 0, NULL",
    MEMLANE_TRACE_SYNCHRONISATION },
  { "CUDA_UM_GPU_PAGE_FAULT_EVENTS",
    "start, end, globalPid, NULL, NULL, 0, NULL, numberOfPageFaults, 2, 0, NULL",
    MEMLANE_TRACE_FAULT },
  { "CUDA_UM_CPU_PAGE_FAULT_EVENTS", "start, start, globalPid, NULL, NULL, 0, NULL, 1, 0, 0, NULL",
    MEMLANE_TRACE_FAULT },
  { "NVTX_EVENTS", "start, ifnull(end, start), globalTid, NULL, NULL, 0, textId, 0, 0, 0, text",
    MEMLANE_TRACE_OTHER },
};

/* ENUM_CUDA_MEM_KIND, which is one lower than CUPTI's own. */
static const guint8 memories[] = {
  MEMLANE_TRACE_MEMORY_PAGEABLE, MEMLANE_TRACE_MEMORY_PINNED,  MEMLANE_TRACE_MEMORY_DEVICE,
  MEMLANE_TRACE_MEMORY_DEVICE,   MEMLANE_TRACE_MEMORY_MANAGED, MEMLANE_TRACE_MEMORY_DEVICE,
  MEMLANE_TRACE_MEMORY_MANAGED,
};

/* ENUM_CUDA_MEMCPY_OPER; from 11 on pages migrate. */
#define FIRST_MIGRATION 11
static const guint8 ways[] = {
  MEMLANE_TRACE_WAY_NONE,      MEMLANE_TRACE_WAY_TO_DEVICE, MEMLANE_TRACE_WAY_TO_HOST,
  MEMLANE_TRACE_WAY_TO_DEVICE, MEMLANE_TRACE_WAY_TO_HOST,   MEMLANE_TRACE_WAY_ON_DEVICE,
  MEMLANE_TRACE_WAY_ON_DEVICE, MEMLANE_TRACE_WAY_ON_DEVICE, MEMLANE_TRACE_WAY_ON_DEVICE,
  MEMLANE_TRACE_WAY_ON_HOST,   MEMLANE_TRACE_WAY_TO_PEER,   MEMLANE_TRACE_WAY_TO_DEVICE,
  MEMLANE_TRACE_WAY_TO_HOST,   MEMLANE_TRACE_WAY_TO_PEER,
};

static gboolean
refuse (Reader *self, GError **error, const char *why)
{
  if (!g_cancellable_set_error_if_cancelled (self->cancellable, error))
    g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s: %s", self->path,
                 self->n_looks > MOST_LOOKS ? "takes too long to read" : why);
  return FALSE;
}

static int
look_cb (void *user_data)
{
  Reader *self = user_data;

  return g_cancellable_is_cancelled (self->cancellable) || ++self->n_looks > MOST_LOOKS;
}

/* Whether @name is a table with rows and columns of its own. A view and a generated column compute,
 * perhaps for ever: no other way stops them within one call of a function. */
static gboolean
has_table (Reader *self, const char *name)
{
  static const char text[] = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 "
                             "AND name = ?1 AND NOT EXISTS"
                             " (SELECT 1 FROM pragma_table_xinfo (?1) WHERE hidden IN (2, 3))";
  sqlite3_stmt *query = NULL;
  gboolean has = FALSE;

  if (sqlite3_prepare_v2 (self->database, text, -1, &query, NULL) == SQLITE_OK)
    {
      sqlite3_bind_text (query, 1, name, -1, SQLITE_STATIC);
      has = sqlite3_step (query) == SQLITE_ROW;
    }
  sqlite3_finalize (query);
  return has;
}

/* Whether another row may come: nobody has cancelled, and the file has room for it. */
static gboolean
next_row (Reader *self, sqlite3_stmt *query, int *step)
{
  *step = g_cancellable_is_cancelled (self->cancellable) ? SQLITE_INTERRUPT : sqlite3_step (query);
  return *step == SQLITE_ROW && self->rows_left-- > 0 && self->bytes_left >= 0;
}

/* (transfer full) (nullable): what is kept of a text */
static char *
dup_text (Reader *self, sqlite3_stmt *row, int column)
{
  const char *text = (const char *) sqlite3_column_text (row, column);
  gsize length = text != NULL ? strnlen (text, LONGEST_NAME) : 0;

  self->bytes_left -= (gint64) length;
  return text != NULL ? g_utf8_make_valid (text, (gssize) length) : NULL;
}

static gboolean
read_names (Reader *self, GError **error)
{
  sqlite3_stmt *row = NULL;
  gboolean ok = TRUE;
  int step = SQLITE_DONE;

  if (!has_table (self, "StringIds"))
    return refuse (self, error,
                   "found no table StringIds, expected what nsys export --type sqlite writes");
  if (sqlite3_prepare_v2 (self->database, "SELECT id, value FROM StringIds", -1, &row, NULL)
      == SQLITE_OK)
    while (next_row (self, row, &step)
           && g_hash_table_size (self->names) < MEMLANE_TRACE_MOST_RECORDS)
      {
        gint64 id = sqlite3_column_int64 (row, 0);

        g_hash_table_insert (self->names, g_memdup2 (&id, sizeof id), dup_text (self, row, 1));
      }
  else
    step = SQLITE_ERROR;
  if (step != SQLITE_DONE)
    ok = refuse (self, error, step == SQLITE_ROW ? TOO_MANY : sqlite3_errmsg (self->database));
  sqlite3_finalize (row);
  return ok;
}

/* (transfer full): the name of @row's event. */
static char *
name_of (Reader *self, sqlite3_stmt *row, MemlaneTraceKind kind)
{
  g_autofree char *own = dup_text (self, row, TEXT);
  gint64 id = sqlite3_column_int64 (row, NAME);
  const char *text = own == NULL && sqlite3_column_type (row, NAME) != SQLITE_NULL
                         ? g_hash_table_lookup (self->names, &id)
                         : own;

  if (kind == MEMLANE_TRACE_COPY) /* its column has the way */
    return g_strdup ("cudaMemcpy");
  if (text == NULL && kind == MEMLANE_TRACE_MEMSET)
    return g_strdup ("cudaMemset");
  return memlane_trace_plain_name (text != NULL ? text : "");
}

/* One number for a call and what it issued: correlations begin anew in each process. @is_async: of
 * the call; NULL asks for it. */
static guint32
correlate (Reader *self, sqlite3_stmt *row, const gboolean *is_async, gboolean *was_async)
{
  gint64 key = (sqlite3_column_int64 (row, PROCESS) >> 24 & 0xffffff) << 32
               | (sqlite3_column_int64 (row, CORRELATION) & 0xffffffff);
  guint found;

  if (sqlite3_column_type (row, CORRELATION) == SQLITE_NULL)
    return 0;
  found = GPOINTER_TO_UINT (g_hash_table_lookup (self->calls, &key));
  if (found == 0)
    {
      found = ++self->last_correlation << 1 | (is_async != NULL && *is_async);
      g_hash_table_insert (self->calls, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (found));
    }
  if (was_async != NULL)
    *was_async = found & 1;
  return found >> 1;
}

static guint8
memory_of (sqlite3_stmt *row, int column)
{
  gint64 kind = sqlite3_column_int64 (row, column);

  return sqlite3_column_type (row, column) != SQLITE_NULL && kind >= 0
                 && kind < (gint64) G_N_ELEMENTS (memories)
             ? memories[kind]
             : MEMLANE_TRACE_MEMORY_UNKNOWN;
}

static void
complete_copy (Reader *self, sqlite3_stmt *row, MemlaneTraceEvent *event)
{
  gint64 way = sqlite3_column_int64 (row, NAME);
  gboolean is_async = FALSE;

  event->way = way >= 0 && way < (gint64) G_N_ELEMENTS (ways) ? ways[way] : MEMLANE_TRACE_WAY_NONE;
  event->source = memory_of (row, SOURCE);
  event->destination = memory_of (row, DESTINATION);
  if (way >= FIRST_MIGRATION)
    {
      event->kind = MEMLANE_TRACE_MIGRATION;
      event->stream = MEMLANE_TRACE_NO_STREAM;
      event->source = event->destination = MEMLANE_TRACE_MEMORY_MANAGED;
      event->flags = sqlite3_column_int64 (row, WHAT) == BY_PREFETCH ? MEMLANE_TRACE_PREFETCHED : 0;
      return;
    }
  event->correlation = correlate (self, row, NULL, &is_async);
  if (is_async)
    event->flags |= MEMLANE_TRACE_ASYNC;
  if ((event->way == MEMLANE_TRACE_WAY_TO_DEVICE && event->source == MEMLANE_TRACE_MEMORY_PAGEABLE)
      || (event->way == MEMLANE_TRACE_WAY_TO_HOST
          && event->destination == MEMLANE_TRACE_MEMORY_PAGEABLE))
    event->flags |= MEMLANE_TRACE_STAGED;
}

/* Reads the fields of @row besides its times, by its kind. */
static void
complete (Reader *self, sqlite3_stmt *row, const char *name, MemlaneTraceEvent *event)
{
  gint64 what = sqlite3_column_int64 (row, WHAT);
  gboolean is_async = strstr (name, "Async") != NULL;

  if (event->kind == MEMLANE_TRACE_COPY)
    complete_copy (self, row, event);
  else if (event->kind == MEMLANE_TRACE_FAULT)
    {
      event->count = (guint32) CLAMP (what, 0, G_MAXUINT32);
      event->flags = sqlite3_column_int64 (row, SOURCE) != 0 ? MEMLANE_TRACE_ON_DEVICE : 0;
    }
  else if (event->kind == MEMLANE_TRACE_OTHER)
    event->stream = NVTX_TRACK;
  else
    event->correlation = correlate (self, row, event->kind == MEMLANE_TRACE_CALL ? &is_async : NULL,
                                    NULL);
  if (event->kind == MEMLANE_TRACE_CALL && what != 0 && what != NOT_READY)
    event->flags = MEMLANE_TRACE_FAILED;
  else if (event->kind == MEMLANE_TRACE_MEMSET)
    event->destination = memory_of (row, DESTINATION);
  else if (event->kind == MEMLANE_TRACE_SYNCHRONISATION && what == STREAM_WAITS)
    event->flags = MEMLANE_TRACE_ON_DEVICE;
}

static gboolean
add_row (Reader *self, sqlite3_stmt *row, MemlaneTraceKind kind, GError **error)
{
  g_autofree char *name = name_of (self, row, kind);
  gint64 start = sqlite3_column_int64 (row, START), end = sqlite3_column_int64 (row, END),
         bytes = sqlite3_column_int64 (row, BYTES);
  gint64 stream = sqlite3_column_type (row, STREAM) != SQLITE_NULL
                      ? sqlite3_column_int64 (row, STREAM)
                      : MEMLANE_TRACE_NO_STREAM;
  MemlaneTraceEvent event = { .start = start,
                              .bytes = (guint64) MAX (bytes, 0),
                              .kind = (guint8) kind,
                              .stream = (guint32) CLAMP (stream, 0, MEMLANE_TRACE_NO_STREAM) };

  if (memlane_trace_builder_get_n_events (self->builder) >= MEMLANE_TRACE_MOST_RECORDS)
    return refuse (self, error, "found too many events; record a part of the program");
  if (start < 0 || end < start || end >= MEMLANE_TRACE_LATEST_NS || bytes < 0)
    {
      self->skipped++;
      return TRUE;
    }
  event.duration = end - start;
  complete (self, row, name, &event);
  event.name = memlane_trace_builder_intern (self->builder, name, -1);
  return memlane_trace_builder_add (self->builder, &event, error);
}

static gboolean
read_table (Reader *self, guint index, GError **error)
{
  g_autofree char *text = g_strdup_printf (
      "SELECT %s FROM %s%s", tables[index].columns, tables[index].table,
      tables[index].kind == MEMLANE_TRACE_OTHER ? " WHERE eventType IN (34, 59, 60)" : "");
  sqlite3_stmt *row = NULL;
  int step = sqlite3_prepare_v2 (self->database, text, -1, &row, NULL);
  gboolean ok = TRUE;

  if (step == SQLITE_OK)
    while (ok && next_row (self, row, &step))
      ok = add_row (self, row, tables[index].kind, error);
  if (ok && step != SQLITE_DONE)
    {
      g_autofree char *why = g_strdup_printf ("%s: %s", tables[index].table,
                                              step == SQLITE_ROW ? TOO_MANY
                                                                 : sqlite3_errmsg (self->database));

      ok = refuse (self, error, why);
    }
  sqlite3_finalize (row);
  return ok;
}

static void
read_devices (Reader *self)
{
  sqlite3_stmt *row = NULL;
  int n = 0, step;

  if (has_table (self, "TARGET_INFO_GPU")
      && sqlite3_prepare_v2 (self->database, "SELECT name FROM TARGET_INFO_GPU", -1, &row, NULL)
             == SQLITE_OK)
    for (; n < MOST_GPUS && next_row (self, row, &step); n++)
      {
        g_autofree char *name = dup_text (self, row, 0);

        memlane_trace_builder_add_device (self->builder, name != NULL ? name : "");
      }
  if (n > 1)
    memlane_trace_builder_add_note (
        self->builder, "the machine has %d GPUs; streams of the same number share a lane", n);
  sqlite3_finalize (row);
}

static gboolean
read_tables (Reader *self, MemlaneTraceProgress progress, gpointer user_data, GError **error)
{
  guint n_found = 0;

  if (!read_names (self, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      if (has_table (self, tables[i].table))
        {
          if (!read_table (self, i, error))
            return FALSE;
          n_found += tables[i].kind != MEMLANE_TRACE_OTHER;
        }
      else if (tables[i].kind == MEMLANE_TRACE_COPY)
        memlane_trace_builder_add_note (self->builder, "the export has no copies");
      if (progress != NULL)
        progress ((double) (i + 1) / G_N_ELEMENTS (tables), user_data);
    }
  if (n_found == 0)
    return refuse (self, error,
                   "found no CUDA in it; record the program with nsys profile --trace=cuda,nvtx");
  read_devices (self);
  return TRUE;
}

static MemlaneTrace *
finish (Reader *self, GError **error)
{
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (self->builder);

  info->source = g_strdup ("Nsight Systems");
  info->skipped = self->skipped;
  memlane_trace_builder_name_track (self->builder, NVTX_TRACK, "NVTX");
  memlane_trace_builder_add_note (
      self->builder,
      "Nsight Systems does not tell which copies repeat the same bytes, nor from which line");
  memlane_trace_builder_begin_at_zero (self->builder);
  return memlane_trace_builder_finish (g_steal_pointer (&self->builder), error);
}

MemlaneTrace *
memlane_trace_read_nsys (const char *path, MemlaneTraceProgress progress, gpointer user_data,
                         GCancellable *cancellable, GError **error)
{
  Reader self = { .path = path,
                  .cancellable = cancellable,
                  .builder = memlane_trace_builder_new () };
  MemlaneTrace *trace = NULL;
  struct stat info = { 0 };

  (void) stat (path, &info);
  self.bytes_left = info.st_size;
  self.rows_left = info.st_size / LEAST_ROW;
  self.names = g_hash_table_new_full (memlane_hash_int64, g_int64_equal, g_free, g_free);
  self.calls = g_hash_table_new_full (memlane_hash_int64, g_int64_equal, g_free, NULL);
  if (sqlite3_open_v2 (path, &self.database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL)
      != SQLITE_OK)
    refuse (&self, error,
            self.database != NULL ? sqlite3_errmsg (self.database) : "not enough memory");
  else
    {
      /* The file's own functions, triggers and views do not run. */
      sqlite3_db_config (self.database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
      sqlite3_db_config (self.database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
      sqlite3_limit (self.database, SQLITE_LIMIT_LENGTH, MOST_TEXT);
      sqlite3_progress_handler (self.database, STEPS, look_cb, &self);
      if (read_tables (&self, progress, user_data, error))
        trace = finish (&self, error);
    }
  sqlite3_close (self.database);
  memlane_trace_builder_free (self.builder);
  g_hash_table_unref (self.names);
  g_hash_table_unref (self.calls);
  return trace;
}

#else

MemlaneTrace *
memlane_trace_read_nsys (const char *path, MemlaneTraceProgress progress G_GNUC_UNUSED,
                         gpointer user_data G_GNUC_UNUSED, GCancellable *cancellable G_GNUC_UNUSED,
                         GError **error)
{
  g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD,
               "%s: an export of Nsight Systems, which this Memlane cannot read: it was built "
               "without SQLite",
               path);
  return NULL;
}

#endif
