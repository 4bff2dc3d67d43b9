/* test-cli-limits.c: a file of each limit and one more is refused in words, within 200 MiB
 *
 * SPDX-License-Identifier: MIT
 *
 * The limits are those of engine/base/reader-limits.h and of the manual. What only a part of a file can exceed - a name, a text, a count
 * of a row - is tested beside its reader: tests/engine/result/test-csv.c, base/test-json-tree.c, device/test-profile.c.
 */
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/reader-limits.h"
#include "cli-fixture.h"
#include "device/simulated/profile.h"
#include "experiment/experiment.h"
#include "result/csv.h"

#define MOST_MEMORY_KIB (200 << 10)
#define ROW "r,cuda:0,cuda,vector-add,pinned,10,1024,4096,1,,,elapsed,host,1,1,1,1,1,1,1,1,,,ok,"

/* @before, @n times @piece, @after. */
static void
save_repeated (Fixture *self, const char *name, const char *before, const char *piece, guint n, const char *after)
{
  g_autofree char *path = in_folder (self, name);
  GString *text = g_string_new (before);

  for (guint i = 0; i < n; i++)
    g_string_append (text, piece);
  g_string_append (text, after);
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  g_string_free (text, TRUE);
}

/* Of @bytes, but for @begin all holes. */
static void
save_sparse (Fixture *self, const char *name, const char *begin, gint64 bytes)
{
  g_autofree char *path = in_folder (self, name);

  g_assert_true (g_file_set_contents (path, begin, -1, NULL));
  g_assert_cmpint (truncate (path, bytes), ==, 0);
}

/* Whatever a reader takes is seen in the largest size of the children. */
#define REFUSED(self, said, ...) \
  G_STMT_START \
  { \
    struct rusage usage; \
    RUN (self, __VA_ARGS__); \
    g_assert_cmpint ((self)->status, >=, 1); \
    g_assert_cmpint ((self)->status, <=, 2); \
    assert_contains ((self)->err, said); \
    getrusage (RUSAGE_CHILDREN, &usage); /* the largest child so far */ \
    g_assert_cmpint (usage.ru_maxrss, <, MOST_MEMORY_KIB); \
  } \
  G_STMT_END

static void
test_csv (Fixture *self, gconstpointer data)
{
  g_autoptr (GString) runs = g_string_new (MEMLANE_CSV_COLUMNS "\n");
  g_autofree char *path = in_folder (self, "runs.csv");

  save_sparse (self, "bytes.csv", MEMLANE_CSV_COLUMNS "\n", (gint64) MEMLANE_CSV_MOST_BYTES + 1);
  REFUSED (self, "bytes.csv: found more than 512 MiB, expected a smaller table", "decide", "bytes.csv");
  save_repeated (self, "field.csv", MEMLANE_CSV_COLUMNS "\n" ROW, "x", MEMLANE_CSV_LONGEST_FIELD + 1, "\n");
  REFUSED (self, "field.csv:2: column detail: found a field of 65537 bytes, expected at most 65536", "decide", "field.csv");
  save_repeated (self, "row.csv", MEMLANE_CSV_COLUMNS "\n" ROW "\"", "x\n", MEMLANE_CSV_LONGEST_ROW / 2, "\"\n");
  REFUSED (self, "row.csv:2: column detail: found a row of 1048576 bytes or more", "decide", "row.csv");
  save_repeated (self, "name.csv", MEMLANE_CSV_COLUMNS "\n", "n", MEMLANE_CSV_LONGEST_NAME, ROW ",\n");
  REFUSED (self, "name.csv:2: column run: found 'nnnn", "decide", "name.csv");
  assert_contains (self->err, "expected a name of at most 200 characters");
  for (guint i = 0; i <= MEMLANE_CSV_MOST_RUNS; i++)
    g_string_append_printf (runs, "r%u%s,\n", i, &ROW[1]);
  g_assert_true (g_file_set_contents (path, runs->str, -1, NULL));
  REFUSED (self, "runs.csv:10002: column run: found 'r10000', expected at most 10000 runs in one file", "decide", "runs.csv");
}

static void
test_trace (Fixture *self, gconstpointer data)
{
  save_sparse (self, "bytes.json", "[", (gint64) MEMLANE_TRACE_MOST_BYTES + 1);
  REFUSED (self, "bytes.json:1:1: found more than 1024 MiB, expected a smaller trace", "trace", "--input", "bytes.json");
  save_repeated (self, "deep.json", "{\"a\":", "[", MEMLANE_JSON_MOST_DEPTH + 1, "");
  REFUSED (self, "deep.json:1:69: found more than 64 levels of nesting", "trace", "--input", "deep.json");
  save_repeated (self, "string.json", "[{\"name\":\"", "x", MEMLANE_JSON_LONGEST_STRING + 1, "\"}]");
  REFUSED (self, "found a string of more than 1048576 bytes", "trace", "--input", "string.json");
  save_repeated (self, "records.json", "[{\"ph\":\"M\"}", ",{\"ph\":\"M\"}", MEMLANE_TRACE_MOST_RECORDS, "]");
  REFUSED (self, "found more than 4000000 records, expected fewer", "trace", "--input", "records.json");
}

static void
test_key_files (Fixture *self, gconstpointer data)
{
  save_sparse (self, "bytes.experiment", "[Experiment]\n", MEMLANE_EXPERIMENT_MAX_BYTES + 1);
  REFUSED (self, "expected at most", "experiment", "run", "./bytes.experiment");
  save_repeated (self, "line.experiment", "[Experiment]\ntitle=", "x", MEMLANE_KEY_FILE_LONGEST_LINE, "\n");
  REFUSED (self, "line.experiment:2: found a line of 20006 bytes, expected at most 20000", "experiment", "run", "./line.experiment");
  save_sparse (self, "bytes.device", "[device]\n", MEMLANE_PROFILE_MAX_BYTES + 1);
  REFUSED (self, "expected a device profile of at most 1048576 bytes", "sweep", "-d", "simulated:./bytes.device", "-m", "pinned", "-s",
           "10", "-c", "x.csv");
  save_repeated (self, "name.device", "[device]\nname=", "x", MEMLANE_PROFILE_LONGEST_NAME + 1, "\n");
  REFUSED (self, "name.device: [device] name: expected 1 to 200 characters of text", "sweep", "-d", "simulated:./name.device", "-m",
           "pinned", "-s", "10", "-c", "x.csv");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add ("/cli/limits/" path, Fixture, NULL, make_folder, function, tear_down)
  ADD ("csv", test_csv);
  ADD ("trace", test_trace);
  ADD ("key-files", test_key_files);
  return g_test_run ();
}
