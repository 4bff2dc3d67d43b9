/* test-trace-json.c: Chrome trace JSON: which files are read and which are refused, progress and cancelling
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "trace/builder.h"
#include "trace/trace.h"
#include "engine/cases.h"
#include "engine/trace-file.h"

/* Reads bytes as a file of that content. */
static MemlaneTrace *
read_bytes (const void *bytes, gsize size, MemlaneTraceProgress progress, gpointer user_data, GCancellable *cancellable, GError **error)
{
  int fd = memfd_create ("trace", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  MemlaneTrace *trace;

  g_assert_cmpint (fd, >=, 0);
  for (gsize done = 0; done < size;)
    {
      ssize_t written = write (fd, (const char *) bytes + done, size - done);

      g_assert_cmpint (written, >, 0);
      done += (gsize) written;
    }
  trace = memlane_trace_read_json (path, progress, user_data, cancellable, error);
  close (fd);
  return trace;
}

static MemlaneTrace *
read_text (const char *text, GError **error)
{
  return read_bytes (text, strlen (text), NULL, NULL, NULL, error);
}

/* Why it is refused, or the file that Memlane writes of it. */
static char *
answer_trace (const char *asked)
{
  g_autoptr (GString) text = g_string_new (asked);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;

  g_string_replace (text, "HEAD", "{\"otherData\":{\"memlane\":1},\"traceEvents\":[", 1);
  trace = read_text (text->str, &error);
  if (trace != NULL)
    return write_trace (trace);
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  g_assert_true (g_str_has_prefix (error->message, "/proc/self/fd/"));
  return g_strdup (strchr (error->message, ':') + 1);
}

static void
test_files_read (void)
{
  check_cases ("trace", "read.txt", answer_trace);
}

/* A million brackets deep, in both shapes, and strings without end. */
static void
test_depth (void)
{
  const gsize n = 1000000;
  g_autofree char *arrays = g_malloc (n), *string = g_malloc (3 * n);
  g_autoptr (GString) objects = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  memset (arrays, '[', n);
  g_assert_null (read_bytes (arrays, n, NULL, NULL, NULL, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  g_clear_error (&error);
  g_string_append (objects, "{\"traceEvents\":[{\"args\":");
  for (gsize i = 0; i < n; i++)
    g_string_append (objects, "{\"a\":");
  g_assert_null (read_bytes (objects->str, objects->len, NULL, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "found more than 64 levels of nesting"));
  g_clear_error (&error);
  memset (string, 'x', 3 * n);
  memcpy (string, "[{\"name\":\"", 10);
  g_assert_null (read_bytes (string, 3 * n, NULL, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "a string of more than"));
}

static void
test_files (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) empty = memlane_trace_builder_finish (memlane_trace_builder_new (), NULL);

  g_assert_null (memlane_trace_read_json ("/nowhere/at/all.json", NULL, NULL, NULL, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
  g_assert_nonnull (strstr (error->message, g_strerror (ENOENT)));
  g_clear_error (&error);
  g_assert_null (memlane_trace_read_json ("/", NULL, NULL, NULL, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
  g_clear_error (&error);
  g_assert_false (memlane_trace_write_json (empty, "/nowhere/at/all.json", &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
  g_clear_error (&error);
  g_assert_false (memlane_trace_write_json (empty, "/dev/full", &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
}

/* Every field at its ends, names with everything in them, an empty trace, lost records. */
static void
test_trips (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (builder);
  g_autoptr (MemlaneTrace) empty = memlane_trace_builder_finish (memlane_trace_builder_new (), NULL), trace = NULL;
  g_autofree char *written_empty = write_trace (empty), *written = NULL;
  const char *const names[] = { "plain", "\"quoted\\\"", "line\nbreak\ttab\x01", "größe 大小 \xf0\x9f\x98\x80", "" };
  const MemlaneTraceStream stream = { .number = 13, .is_default = TRUE, .non_blocking = TRUE, .priority = -5 };

  for (guint kind = 0; kind < MEMLANE_TRACE_N_KINDS; kind++)
    for (guint i = 0; i < 40; i++)
      {
        const MemlaneTraceEvent event = {
          .start = (gint64) i * 999 - 500,
          .duration = (gint64) i * i * i,
          .bytes = i % 3 == 0 ? G_MAXUINT64 : i,
          .correlation = i % 5 == 0 ? G_MAXUINT32 : i % 4,
          .name = memlane_trace_builder_intern (builder, names[i % G_N_ELEMENTS (names)], -1),
          .stream = i % 7 == 0 ? MEMLANE_TRACE_NO_STREAM : i % 7 == 1 ? G_MAXUINT32 - 1 : 13,
          .count = i % 2 == 0 ? G_MAXUINT32 : 0,
          .kind = (guint8) kind,
          .way = (guint8) (i % MEMLANE_TRACE_N_WAYS),
          .source = (guint8) (i % MEMLANE_TRACE_N_MEMORIES),
          .destination = (guint8) (i / 2 % MEMLANE_TRACE_N_MEMORIES),
          .flags = (guint8) (i * 7),
        };

        g_assert_true (memlane_trace_builder_add (builder, &event, NULL));
      }
  memlane_trace_builder_add_stream (builder, &stream);
  memlane_trace_builder_name_track (builder, 13, "a \"track\"");
  memlane_trace_builder_add_note (builder, "first: %d %%", 7);
  memlane_trace_builder_add_note (builder, "second");
  info->device = g_strdup ("simulated:h200");
  info->environment = g_strdup ("{\"a\": \"b\\n\"}\n");
  info->overhead = g_strdup ("some");
  info->simulated = TRUE;
  info->elements = G_MAXUINT64;
  info->streams = 3;
  info->dropped = 12345678901234567890u;
  info->skipped = 7;
  info->traced_ns = 1234.56789012345;
  info->untraced_ns = 1e-300;
  trace = memlane_trace_builder_finish (builder, NULL);
  written = write_trace (trace);
  g_assert_false (is_same_trace (trace, empty));
}

/* As PyTorch packs its profiles; and one that is torn. A stream that stands for all of them is none. */
static void
test_packed (void)
{
  static const char text[] = "[{\"ph\":\"X\",\"cat\":\"cuda_sync\",\"name\":\"wait\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":2,"
                             "\"args\":{\"stream\":4294967295}}]";
  g_autofree char *folder = g_dir_make_tmp ("memlane-packed-XXXXXX", NULL), *path = g_build_filename (folder, "t.json.gz", NULL);
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  char packed[500];
  gsize read, written;
  guint n;

  g_assert_cmpint (g_converter_convert (G_CONVERTER (compressor), text, sizeof text - 1, packed, sizeof packed, G_CONVERTER_INPUT_AT_END,
                                        &read, &written, &error), ==, G_CONVERTER_FINISHED);
  for (guint torn = 0; torn < 2; torn++)
    {
      g_assert_true (g_file_set_contents (path, packed, (gssize) (torn ? written / 2 : written), NULL));
      trace = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
      if (torn)
        break;
      g_assert_no_error (error);
      g_assert_cmpuint (memlane_trace_get_events (trace, &n)->stream, ==, MEMLANE_TRACE_NO_STREAM);
      g_assert_cmpuint (n, ==, 1);
      g_clear_pointer (&trace, memlane_trace_unref);
    }
  g_assert_null (trace);
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  unlink (path);
  rmdir (folder);
}

/* --- progress --------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  double last;
  guint calls;
  GCancellable *cancellable; /* cancelled at the third call */
} Watch;

static void
on_progress (double part, gpointer user_data)
{
  Watch *watch = user_data;

  g_assert_cmpfloat (part, >=, watch->last);
  g_assert_cmpfloat (part, <=, 1);
  watch->last = part;
  if (++watch->calls == 3 && watch->cancellable != NULL)
    g_cancellable_cancel (watch->cancellable);
}

static void
test_progress (void)
{
  g_autoptr (GString) text = g_string_new ("{\"traceEvents\":[");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  Watch watch = { 0 }, cancelling = { .cancellable = cancellable };

  for (guint i = 0; i < 40000; i++)
    g_string_append_printf (text, "%s{\"ph\":\"X\",\"ts\":%u,\"dur\":0.5,\"name\":\"x\"}", i > 0 ? "," : "", i);
  g_string_append (text, "]}");
  trace = read_bytes (text->str, text->len, on_progress, &watch, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (watch.last, ==, 1);
  g_assert_cmpuint (watch.calls, >, 4);
  g_assert_null (read_bytes (text->str, text->len, on_progress, &cancelling, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (cancelling.calls, ==, 3);
}

typedef struct
{
  GCancellable *cancellable;
  clockid_t clock;   /* of the thread that reads */
  double cancelled;  /* seconds of it when it was cancelled */
} Canceller;

static double
get_seconds (clockid_t clock)
{
  struct timespec now;

  g_assert_cmpint (clock_gettime (clock, &now), ==, 0);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static gpointer
cancel_soon (gpointer data)
{
  Canceller *self = data;

  g_usleep (G_USEC_PER_SEC / 10);
  self->cancelled = get_seconds (self->clock);
  g_cancellable_cancel (self->cancellable);
  return NULL;
}

/* Reads @path and cancels while it does. It may work for 0.2 s more, not counting what other processes take. */
static void
check_stops (const char *path)
{
  Canceller canceller = { .cancellable = g_cancellable_new () };
  g_autoptr (GError) error = NULL;
  GThread *thread;

  g_assert_cmpint (pthread_getcpuclockid (pthread_self (), &canceller.clock), ==, 0);
  thread = g_thread_new ("cancel", cancel_soon, &canceller);
  g_assert_null (memlane_trace_read_json (path, NULL, NULL, canceller.cancellable, &error));
  g_thread_join (thread);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpfloat (get_seconds (canceller.clock) - canceller.cancelled, <, 0.2);
  g_object_unref (canceller.cancellable);
}

/* A pipe without a writer, 64 MiB that are plain, and as many that are packed. */
static void
test_stops (void)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-stops-XXXXXX", NULL), *pipe = g_build_filename (folder, "pipe.json", NULL);
  g_autofree char *plain = g_build_filename (folder, "plain.json", NULL), *packed = g_build_filename (folder, "t.json.gz", NULL);
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1);
  g_autoptr (GFile) file = g_file_new_for_path (packed);
  g_autoptr (GOutputStream) stream = NULL;
  g_autoptr (GOutputStream) into = NULL;
  g_autoptr (GString) text = g_string_new ("{\"traceEvents\":[");
  g_autoptr (GError) error = NULL;

  while (text->len < 64 << 20)
    g_string_append (text, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1},");
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  check_stops (pipe);
  g_assert_true (g_file_set_contents_full (plain, text->str, (gssize) text->len, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  check_stops (plain);
  into = G_OUTPUT_STREAM (g_file_create (file, G_FILE_CREATE_NONE, NULL, &error));
  g_assert_no_error (error);
  stream = g_converter_output_stream_new (into, G_CONVERTER (compressor));
  g_assert_true (g_output_stream_write_all (stream, text->str, text->len, NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  check_stops (packed);
  g_unlink (pipe);
  g_unlink (plain);
  g_unlink (packed);
  g_rmdir (folder);
}

/* Names that an ordinary hash takes for the same: 65,536 of them would be compared 2 * 10^9 times. */
static void
test_colliding_names (void)
{
  g_autoptr (GString) text = g_string_new ("{\"traceEvents\":[");
  gint64 begun = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  guint n;

  for (guint i = 0; i < 65536; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      g_string_append (text, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"");
      for (guint k = 0; k < 16; k++)
        g_string_append (text, (i >> k & 1) != 0 ? "Az" : "BY");
      g_string_append_printf (text, "\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":1,\"args\":{\"stream\":7}}", 2 * i);
    }
  g_string_append (text, "]}");
  trace = read_bytes (text->str, text->len, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  memlane_trace_get_events (trace, &n);
  g_assert_cmpuint (n, ==, 65536);
  g_assert_cmpfloat ((double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC, <, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-json/read", test_files_read);
  g_test_add_func ("/trace-json/depth", test_depth);
  g_test_add_func ("/trace-json/files", test_files);
  g_test_add_func ("/trace-json/trips", test_trips);
  g_test_add_func ("/trace-json/packed", test_packed);
  g_test_add_func ("/trace-json/progress", test_progress);
  g_test_add_func ("/trace-json/stops", test_stops);
  g_test_add_func ("/trace-json/colliding-names", test_colliding_names);
  return g_test_run ();
}
