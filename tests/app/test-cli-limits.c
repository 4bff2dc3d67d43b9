/* test-cli-limits.c: a file of each limit and one more is refused in words, within 200 MiB
 *
 * SPDX-License-Identifier: MIT
 *
 * The limits are those of engine/base/reader-limits.h and of the manual, row by row. Counts of one row of a table (reuse, streams, chunks,
 * rounds) and the cutting of an environment's texts are in tests/engine/result/test-csv.c; published figures, which no command opens by
 * name, in analysis/test-published.c.
 */
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/reader-limits.h"
#include "cli-fixture.h"
#include "device/simulated/profile.h"
#include "experiment/experiment.h"
#include "result/csv.h"
#include "job/hosts.h"
#include "csv-columns.h"
#include "packed-file.h"

#define MOST_MEMORY_KIB (200 << 10)
#define ROUND "r,cuda:0,cuda,vector-add,pinned,10,1024,4096,1,,,none,,elapsed,host,"
#define ROW ROUND "1,1,1,1,1,1,1,1,,,ok,"
#define TABLE CSV_COLUMNS "\n" ROUND "5,100,90,110,80,95,105,120,,,ok,,2,other-sweeps\n"

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

/* @before, and @n lines of @format, which has one %u. */
static void
save_numbered (Fixture *self, const char *name, const char *before, const char *format, guint n)
{
  g_autofree char *path = in_folder (self, name);
  g_autoptr (GString) text = g_string_new (before);
  const char *place = strstr (format, "%u");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%.*s%u%s", (int) (place - format), format, i, place + 2);
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
}

/* Of @bytes, but for @begin all holes. */
static void
save_sparse (Fixture *self, const char *name, const char *begin, gint64 bytes)
{
  g_autofree char *path = in_folder (self, name);

  g_assert_true (g_file_set_contents (path, begin, -1, NULL));
  g_assert_cmpint (truncate (path, bytes), ==, 0);
}

/* A copy of @table, with rounds whose second line has more bytes, unpacked, than any table may have. */
static void
save_bomb (Fixture *self, const char *table, const char *copy, const char *rounds)
{
  g_autofree char *from = in_folder (self, table), *to = in_folder (self, copy), *path = in_folder (self, rounds);
  g_autofree char *text = NULL, *piece = g_strnfill (1 << 20, 'x');

  g_assert_true (g_file_get_contents (from, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (to, text, -1, NULL));
  pack_file (path, ROUNDS_COLUMNS "\n\"", piece, (MEMLANE_CSV_MOST_BYTES >> 20) + 1);
}

/* Whatever a reader takes is seen in the largest size of the children. What it took is printed, and not judged: the machine may be busy. */
#define REFUSED(self, said, ...) \
  G_STMT_START \
  { \
    gint64 begun = g_get_monotonic_time (); \
    struct rusage usage; \
    RUN (self, __VA_ARGS__); \
    begun = g_get_monotonic_time () - begun; \
    g_assert_cmpint ((self)->status, >=, 1); \
    g_assert_cmpint ((self)->status, <=, 2); \
    assert_contains ((self)->err, said); \
    getrusage (RUSAGE_CHILDREN, &usage); /* the largest child so far */ \
    g_assert_cmpint (usage.ru_maxrss, <, MOST_MEMORY_KIB); \
    g_test_message ("%.2f s, at most %ld MiB so far: %s", (double) begun / 1e6, usage.ru_maxrss >> 10, said); \
  } \
  G_STMT_END

static void
test_csv (Fixture *self, gconstpointer data)
{
  g_autoptr (GString) runs = g_string_new (CSV_COLUMNS "\n");
  g_autofree char *path = in_folder (self, "runs.csv");

  save_sparse (self, "bytes.csv", CSV_COLUMNS "\n", (gint64) MEMLANE_CSV_MOST_BYTES + 1);
  REFUSED (self, "bytes.csv: found more than 512 MiB, expected a smaller table", "decide", "bytes.csv");
  save_repeated (self, "field.csv", CSV_COLUMNS "\n" ROW, "x", MEMLANE_CSV_LONGEST_FIELD + 1, "\n");
  REFUSED (self, "field.csv:2: column detail: found a field of 65537 bytes, expected at most 65536", "decide", "field.csv");
  save_repeated (self, "row.csv", CSV_COLUMNS "\n" ROW "\"", "x\n", MEMLANE_CSV_LONGEST_ROW / 2, "\"\n");
  REFUSED (self, "row.csv:2: column detail: found a row of 1048576 bytes or more", "decide", "row.csv");
  save_repeated (self, "name.csv", CSV_COLUMNS "\n", "n", MEMLANE_CSV_LONGEST_NAME, ROW ",,sampling\n");
  REFUSED (self, "name.csv:2: column run: found 'nnnn", "decide", "name.csv");
  assert_contains (self->err, "expected a name of at most 200 characters");
  for (guint i = 0; i <= MEMLANE_CSV_MOST_RUNS; i++)
    g_string_append_printf (runs, "r%u%s,,sampling\n", i, &ROW[1]);
  g_assert_true (g_file_set_contents (path, runs->str, -1, NULL));
  REFUSED (self, "runs.csv:10002: column run: found 'r10000', expected at most 10000 runs in one file", "decide", "runs.csv");
}

/* Beside a table that is whole. */
static void
test_rounds (Fixture *self, gconstpointer data)
{
  save_repeated (self, "t.csv", TABLE, "", 0, "");
  save_sparse (self, "t.rounds.csv", ROUNDS_COLUMNS "\n", (gint64) MEMLANE_CSV_MOST_BYTES + 1);
  REFUSED (self, "t.rounds.csv: found more than 512 MiB, expected a smaller table", "decide", "t.csv");
  save_bomb (self, "t.csv", "b.csv", "b.rounds.csv.gz");
  REFUSED (self, "b.rounds.csv:2: column run: found a row of 1048576 bytes or more", "decide", "b.csv");
  save_repeated (self, "t.rounds.csv", ROUNDS_COLUMNS "\n" ROUND, "1", MEMLANE_CSV_LONGEST_FIELD + 1, ",3,2,90,,,,3\n");
  REFUSED (self, "t.rounds.csv:2: column round: found a field of 65537 bytes, expected at most 65536", "decide", "t.csv");
  save_repeated (self, "t.rounds.csv", ROUNDS_COLUMNS "\n\"", "r\n", MEMLANE_CSV_LONGEST_ROW / 2, "\"");
  REFUSED (self, "t.rounds.csv:2: column run: found a row of 1048576 bytes or more", "decide", "t.csv");
  save_repeated (self, "t.rounds.csv", ROUNDS_COLUMNS "\n" ROUND "65,3,2,90,,,,3\n", "", 0, "");
  REFUSED (self, "t.rounds.csv:2: column round: found '65', expected at most 64", "decide", "t.csv");
  save_repeated (self, "t.rounds.csv", ROUNDS_COLUMNS "\n", ROUND "1,3,2,90,,,,3\n" ROUND "2,3,2,90,,,,3\n" ROUND "3,3,2,90,,,,3\n", 1,
                 "");
  REFUSED (self, "t.rounds.csv:4: column round: found '3', expected no more rounds than the table beside it says", "decide", "t.csv");
}

/* The environment costs itself: its table is read all the same. */
static void
test_environment (Fixture *self, gconstpointer data)
{
  struct rusage usage;

  save_repeated (self, "t.csv", TABLE, "", 0, "");
  save_repeated (self, "t.environment.json", "{\"device\":{\"name\":\"Long\"}", " ", MEMLANE_ENVIRONMENT_MOST_BYTES, "}");
  RUN (self, "decide", "t.csv");
  g_assert_cmpint (self->status, ==, 0);
  assert_contains (self->err, "note: cannot read t.environment.json: found a larger file, expected at most 262144 bytes; the run is");
  g_assert_null (strstr (self->out, "Long"));
  getrusage (RUSAGE_CHILDREN, &usage);
  g_assert_cmpint (usage.ru_maxrss, <, MOST_MEMORY_KIB);
}

/* A whole cell, and holes behind it. */
static void
test_journal (Fixture *self, gconstpointer data)
{
  g_autofree char *journals = in_folder (self, "state/memlane/journals"), *large = g_build_filename (journals, "large.journal", NULL);

  g_assert_cmpint (g_mkdir_with_parents (journals, 0700), ==, 0);
  save_repeated (self, "state/memlane/journals/large.journal", JOURNAL_RUN, JOURNAL_CELL ("pinned", "1", "ok"), 1, "");
  g_assert_cmpint (truncate (large, 3 << 20), ==, 0); /* a torn line */
  RUN (self, "recover");
  assert_contains (self->out, "\nevil  ");
  g_assert_cmpstr (self->err, ==, "");
  g_assert_cmpint (truncate (large, 200 << 20), ==, 0);
  RUN (self, "recover", "evil", "-c", "x.csv"); /* the cells before the damage */
  g_assert_cmpint (self->status, ==, 0);
  assert_contains (self->err, "found a line of more than 4 MiB");
}

static void
test_hosts (Fixture *self, gconstpointer data)
{
  g_autofree char *config = in_folder (self, "config/memlane");
  g_autoptr (GString) hosts = g_string_new (NULL);

  g_assert_cmpint (g_mkdir_with_parents (config, 0700), ==, 0);
  for (guint i = 0; i <= MEMLANE_MOST_HOSTS; i++)
    g_string_append_printf (hosts, "[h%u]\ncommand=x\n", i);
  save_repeated (self, "config/memlane/hosts", hosts->str, "", 0, "");
  REFUSED (self, "hosts:201: found another host, expected at most 100", "devices", "--host", "h1");
  save_repeated (self, "config/memlane/hosts", "[h]\ncommand=x\n", "\n", 256 << 10, "");
  REFUSED (self, "hosts: found a larger file, expected at most 262144 bytes", "devices", "--host", "h1");
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

#define DEVICE "[device]\nbased_on=h200\nname=x\n"
#define SWEEP_ON(name) "sweep", "-d", "simulated:./" name ".device", "-m", "pinned", "-s", "10", "-c", "x.csv"

static void
test_key_files (Fixture *self, gconstpointer data)
{
  save_sparse (self, "bytes.experiment", "[Experiment]\n", MEMLANE_KEYS_MOST_BYTES + 1);
  REFUSED (self, "expected at most", "experiment", "run", "./bytes.experiment");
  save_repeated (self, "line.experiment", "[Experiment]\ntitle=", "x", MEMLANE_KEY_FILE_LONGEST_LINE, "\n");
  REFUSED (self, "line.experiment:2: found a line of 20006 bytes, expected at most 20000", "experiment", "run", "./line.experiment");
  save_numbered (self, "keys.experiment", "[Experiment]\n", "key%u=1\n", MEMLANE_KEY_FILE_MOST_KEYS + 1);
  REFUSED (self, "keys.experiment:1002: found another key of the group, expected at most 1000",
           "experiment", "run", "./keys.experiment");
  save_numbered (self, "groups.experiment", "[Experiment]\n", "[Step s%u]\n", MEMLANE_KEY_FILE_MOST_GROUPS);
  REFUSED (self, "groups.experiment:1001: found another group, expected at most 1000", "experiment", "run", "./groups.experiment");
  save_repeated (self, "text.experiment", "[Experiment]\nnumber=1\ntitle=", "x", 16001, "\n");
  REFUSED (self, "text.experiment:3: [Experiment] title: expected 1 to 16000 bytes", "experiment", "run", "./text.experiment");
  save_sparse (self, "bytes.device", "[device]\n", MEMLANE_PROFILE_MAX_BYTES + 1);
  REFUSED (self, "expected at most 4194304 bytes", SWEEP_ON ("bytes"));
  save_repeated (self, "name.device", "[device]\nname=", "x", MEMLANE_PROFILE_LONGEST_NAME + 1, "\n");
  REFUSED (self, "name.device:2: [device] name: expected at most 200 characters", SWEEP_ON ("name"));
  save_repeated (self, "sizes.device", DEVICE "[recorded fill reuse=1]\nlog2=1", ";2", 64, "\npinned/elapsed/host=1/1\n");
  REFUSED (self, "[recorded fill reuse=1]: expected the recorded sizes", SWEEP_ON ("sizes"));
  save_repeated (self, "call.device", DEVICE "[cost]\nlaunch=1000000001\n", "", 0, "");
  REFUSED (self, "[cost] launch: expected nanoseconds from 0 to 1e9", SWEEP_ON ("call"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add ("/cli/limits/" path, Fixture, NULL, make_folder, function, tear_down)
  ADD ("csv", test_csv);
  ADD ("rounds", test_rounds);
  ADD ("environment", test_environment);
  ADD ("journal", test_journal);
  ADD ("hosts", test_hosts);
  ADD ("trace", test_trace);
  ADD ("key-files", test_key_files);
  return g_test_run ();
}
