/* test-recording.c: files of the recorder, whole, torn and wrong
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include <glib/gstdio.h>

#include "base/file-error.h"
#include "trace/record.h"
#include "trace/trace.h"

static GByteArray *
begin (void)
{
  GByteArray *file = g_byte_array_new ();
  const MemlaneRecord header = { .type = MEMLANE_RECORD_HEADER, .address = MEMLANE_RECORD_MAGIC };

  g_byte_array_append (file, (const guint8 *) &header, sizeof header);
  return file;
}

static void
add (GByteArray *file, const MemlaneRecord *record)
{
  g_byte_array_append (file, (const guint8 *) record, sizeof *record);
}

static void
add_text (GByteArray *file, guint8 type, guint32 name, const char *text)
{
  const MemlaneRecord record = { .type = type, .name = name, .bytes = strlen (text) };
  guint8 padded[640] = { 0 };

  memcpy (padded, text, strlen (text));
  add (file, &record);
  g_byte_array_append (file, padded, (guint) ((strlen (text) + 63) / 64 * 64));
}

static void
add_copy (GByteArray *file, guint32 correlation, guint64 start, guint64 hash)
{
  const MemlaneRecord place = { .type = MEMLANE_RECORD_PLACE, .correlation = correlation, .name = 3, .bytes = 4096,
                                .address = 0x1000, .hash = hash, .start = hash };
  const MemlaneRecord call = { .type = MEMLANE_RECORD_CALL, .correlation = correlation, .name = 1, .start = start, .end = start + 50 };
  const MemlaneRecord copy = { .type = MEMLANE_RECORD_COPY, .correlation = correlation, .start = start + 10, .end = start + 40,
                               .bytes = 4096,
                               .way = MEMLANE_TRACE_WAY_TO_DEVICE, .source = MEMLANE_TRACE_MEMORY_PAGEABLE,
                               .destination = MEMLANE_TRACE_MEMORY_DEVICE, .stream = 7 };

  add (file, &place);
  add (file, &call);
  add (file, &copy);
}

/* Writes and reads; @second (nullable): of another process. */
static MemlaneTrace *
read_back (const GByteArray *file, gsize bytes, const GByteArray *second, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-recording-XXXXXX", NULL);
  g_autofree char *one = g_build_filename (folder, "process.1", NULL), *two = g_build_filename (folder, "process.2", NULL);
  char *paths[] = { one, second != NULL ? two : NULL, NULL };
  MemlaneTrace *trace;

  g_assert_true (g_file_set_contents (one, (const char *) file->data, (gssize) bytes, NULL));
  if (second != NULL)
    g_assert_true (g_file_set_contents (two, (const char *) second->data, second->len, NULL));
  trace = memlane_trace_read_recording (paths, error);
  g_unlink (one);
  g_unlink (two);
  g_rmdir (folder);
  return trace;
}

static GByteArray *
make (guint n)
{
  GByteArray *file = begin ();
  const MemlaneRecord end = { .type = MEMLANE_RECORD_END };

  add_text (file, MEMLANE_RECORD_NAME, 1, "cudaMemcpyAsync_ptsz_v7000");
  add_text (file, MEMLANE_RECORD_DEVICE, 0, "NVIDIA L4");
  add_text (file, MEMLANE_RECORD_SITE, 3, "/no/such/object+0x12\n/no/such/other+0x34\n");
  for (guint i = 0; i < n; i++)
    add_copy (file, i + 1, 1000 + 100 * i, 5);
  add (file, &end);
  return file;
}

static void
test_whole (void)
{
  g_autoptr (GByteArray) file = make (3), second = make (2);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = read_back (file, file->len, second, &error);
  guint n, repeated = 0;
  guint8 flags;
  const MemlaneTraceEvent *events;

  g_assert_no_error (error);
  events = memlane_trace_get_events (trace, &n);
  g_assert_cmpuint (n, ==, 10);
  g_assert_cmpuint (memlane_trace_count_kind (trace, MEMLANE_TRACE_COPY, &flags), ==, 5);
  g_assert_cmpint (events[0].start, ==, 0);
  g_assert_cmpuint (memlane_trace_get_info (trace)->notes->len, ==, 0);
  g_assert_cmpstr (memlane_trace_get_info (trace)->device_name, ==, "NVIDIA L4");
  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_CALL)
      g_assert_cmpstr (memlane_trace_get_name (trace, events[i].name), ==, "cudaMemcpyAsync (object+0x12)");
    else
      repeated += (events[i].flags & MEMLANE_TRACE_REPEATED) != 0;
  g_assert_cmpuint (repeated, ==, 3); /* all but the first of each process */
}

/* Ranges from their two records; one that began before the recording is left out. The name of a second kind of GPU leaves none. */
static void
test_ranges (void)
{
  g_autoptr (GByteArray) file = make (3), other = begin ();
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  MemlaneRecord range = { .type = MEMLANE_RECORD_RANGE, .correlation = 2, .start = 1250, .count = 2 };
  const MemlaneTraceEvent *events;
  guint n;

  add (other, &range);
  range.correlation = 1;
  add (other, &range);
  add_text (other, MEMLANE_RECORD_RANGE, 0, "step");
  {
    MemlaneRecord *text = (MemlaneRecord *) (gpointer) (other->data + other->len) - 2;

    text->correlation = text->count = 1;
    text->start = 1050;
  }
  add_text (other, MEMLANE_RECORD_DEVICE, 0, "NVIDIA H200");
  trace = read_back (file, file->len, other, &error);
  g_assert_no_error (error);
  events = memlane_trace_get_events (trace, &n);
  g_assert_cmpuint (n, ==, 7);
  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_OTHER)
      {
        g_assert_cmpstr (memlane_trace_get_name (trace, events[i].name), ==, "step");
        g_assert_cmpint (events[i].start, ==, 50);
        g_assert_cmpint (events[i].duration, ==, 200);
      }
  g_assert_cmpuint (memlane_trace_count_kind (trace, MEMLANE_TRACE_OTHER, NULL), ==, 1);
  g_assert_null (memlane_trace_get_info (trace)->device_name);
}

/* A program that does not look at its errors: what failed is said. */
static void
test_failed (void)
{
  g_autoptr (GByteArray) file = make (4);
  g_autoptr (MemlaneTrace) trace = NULL;

  for (guint i = 0; i < file->len / sizeof (MemlaneRecord); i++)
    {
      MemlaneRecord *record = (MemlaneRecord *) (gpointer) file->data + i;

      record->count = record->type == MEMLANE_RECORD_CALL && record->correlation > 2;
    }
  trace = read_back (file, file->len, NULL, NULL);
  g_assert_nonnull (trace);
  g_assert_cmpuint (memlane_trace_get_info (trace)->notes->len, ==, 1);
  g_assert_true (g_str_has_prefix (memlane_trace_get_info (trace)->notes->pdata[0], "2 calls of CUDA failed in the program, the first of "
                                                                                    "them cudaMemcpyAsync"));
}

/* Whatever is torn off, the rest is read, and said to have no end. */
static void
test_torn (void)
{
  g_autoptr (GByteArray) file = make (20);

  for (gsize bytes = 64; bytes < file->len; bytes += 40)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneTrace) trace = read_back (file, bytes, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (memlane_trace_get_info (trace)->notes->len, ==, 1);
    }
}

static void
check_refused (GByteArray *file, const char *says)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (read_back (file, file->len, NULL, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  if (strstr (error->message, says) == NULL)
    g_error ("\"%s\" does not say \"%s\"", error->message, says);
}

static void
test_wrong (void)
{
  g_autoptr (GByteArray) file = make (2), no_header = g_byte_array_new (), unknown = begin (), longest = begin (), untimed = begin ();
  const MemlaneRecord strange = { .type = 77 }, text = { .type = MEMLANE_RECORD_NAME, .bytes = G_MAXUINT64 };
  const MemlaneRecord backwards = { .type = MEMLANE_RECORD_COPY, .start = 50, .end = 40 };
  const MemlaneRecord enums = { .type = MEMLANE_RECORD_COPY, .start = 40, .end = 50, .way = 200, .source = 200 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;

  g_byte_array_append (no_header, file->data + 64, file->len - 64);
  check_refused (no_header, "expected a recording");
  add (unknown, &strange);
  check_refused (unknown, "unknown kind");
  add (longest, &text);
  check_refused (longest, "too long");
  add (untimed, &backwards);
  add (untimed, &enums);
  trace = read_back (untimed, untimed->len, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (memlane_trace_get_info (trace)->dropped, ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording/whole", test_whole);
  g_test_add_func ("/recording/ranges", test_ranges);
  g_test_add_func ("/recording/failed", test_failed);
  g_test_add_func ("/recording/torn", test_torn);
  g_test_add_func ("/recording/wrong", test_wrong);
  return g_test_run ();
}
