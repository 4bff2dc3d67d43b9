/* test-csv.c: CSV out and in: round trips, a decimal comma, every kind of bad file, files that cannot be written
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/json.h"
#include "comma-locale.h"
#include "result/columns.h"
#include "result/csv.h"
#include "engine/sample-run.h"
#include "engine/set-environment.h"
#include "csv-columns.h"
#include "packed-file.h"

#define OLD_PREFIX "r,cuda:0,cuda,vector-add,pinned,10,1024,4096,1,,,"
#define PREFIX OLD_PREFIX "none,,"
#define GOOD_ROW PREFIX "upload,device,10,100,90,110,80,95,105,120,8192,81920000000,ok,,,sampling\n"
#define HEADER CSV_COLUMNS "\n"

static char *folder;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static char *
get_contents (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

static guint
count_files (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
set_rounds (MemlaneFigure *figure, guint n, const MemlaneRound *rounds)
{
  figure->n_rounds = n;
  figure->rounds = g_memdup2 (rounds, n * sizeof *rounds);
}

static void
round_trip (guint32 first_seed, guint n)
{
  g_autofree char *one = in_folder ("one.csv"), *two = in_folder ("two.csv"), *beside = in_folder ("one.environment.json");

  for (guint32 seed = first_seed; seed < first_seed + n; seed++)
    {
      g_autoptr (MemlaneRun) run = sample_run (seed, 1 + seed % 50);
      g_autoptr (GPtrArray) runs = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *a = NULL, *b = NULL;

      if (seed % 3 == 0)
        set_environment (run, "{ \"device\": { \"id\": \"%s\" } }\n", run->device);
      g_unlink (beside);
      g_assert_true (memlane_csv_write (run, one, &error));
      g_assert_no_error (error);
      runs = memlane_csv_read (one, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (runs->len, ==, 1);
      assert_same_run (run, g_ptr_array_index (runs, 0));

      g_assert_true (memlane_csv_write (g_ptr_array_index (runs, 0), two, &error));
      a = get_contents (one);
      b = get_contents (two);
      g_assert_cmpstr (a, ==, b);
    }
}

static void
test_round_trip (void)
{
  round_trip (1, 60);
}

/* --- rounds ---------------------------------------------------------------------------------------------------------------- */

#define ROUNDS_HEADER ROUNDS_COLUMNS "\n"
/* Of tables from before the host was probed. */
#define OLDEST_ROUNDS_HEADER OLD_CSV_KEY "round,place,samples,median_ns\n"
#define TWO_ROUNDS_ROW PREFIX "upload,device,5,100,90,110,80,95,105,120,8192,81920000000,ok,,2,other-sweeps\n"

/* Reads TABLE beside which stands @rounds (NULL: nothing does). */
static GPtrArray *
read_both (const char *table, const char *rounds, GError **error)
{
  g_autofree char *path = in_folder ("both.csv"), *beside = memlane_csv_rounds_path (path);

  g_assert_true (g_file_set_contents (path, table, -1, NULL));
  if (rounds != NULL)
    g_assert_true (g_file_set_contents (beside, rounds, -1, NULL));
  else
    g_unlink (beside);
  return memlane_csv_read (path, NULL, error);
}

static const MemlaneFigure *
get_upload (GPtrArray *runs)
{
  const MemlaneRun *run = g_ptr_array_index (runs, 0);

  return memlane_cell_find (g_ptr_array_index (run->cells, 0), MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE);
}

/* The elapsed time and its rounds are read; other phases are passed over, whatever they contain. */
static void
test_elapsed_rounds (void)
{
  g_autofree char *path = in_folder ("both.csv");
  const char *table = HEADER TWO_ROUNDS_ROW PREFIX "upload,host,nonsense\n"
    PREFIX "elapsed,host,5,100,90,110,80,95,105,120,8192,81920000000,noisy,\"of two\nlines, quoted\",2,other-sweeps\n";
  const char *rounds = ROUNDS_HEADER PREFIX "upload,device,1,3,2,90,,,,3\n" PREFIX "elapsed,host,1,3,2,90,,,,3\n"
    PREFIX "upload,device,nonsense\n" PREFIX "elapsed,host,2,4,3,91.5,,,,3\n";
  g_autoptr (GPtrArray) all = read_both (table, rounds, NULL), runs = NULL;
  g_autoptr (GError) error = NULL;
  const MemlaneFigure *elapsed;

  g_assert_null (all);
  runs = memlane_csv_read_elapsed (path, &error);
  g_assert_no_error (error);
  g_assert_null (get_upload (runs));
  elapsed = memlane_cell_find (((MemlaneRun *) runs->pdata[0])->cells->pdata[0], MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  g_assert_cmpuint (elapsed->n_rounds, ==, 2);
  g_assert_cmpstr (elapsed->detail, ==, "of two\nlines, quoted");
  g_assert_cmpfloat (elapsed->rounds[0].median, ==, 90);
  g_assert_cmpfloat (elapsed->rounds[1].median, ==, 91.5);
}

/* Windows' editors end lines in CR LF: both tables are read as with LF, and with the rounds of another run alone. */
static void
read_crlf (const char *table, const char *rounds)
{
  g_autoptr (GString) crlf_table = g_string_new (table), crlf_rounds = g_string_new (rounds);
  g_autoptr (GPtrArray) runs = NULL, stale = NULL;
  g_autoptr (GError) error = NULL;

  g_string_replace (crlf_table, "\n", "\r\n", 0);
  g_string_replace (crlf_rounds, "\n", "\r\n", 0);
  runs = read_both (crlf_table->str, crlf_rounds->str, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (get_upload (runs)->rounds[1].median, ==, 110.5);
  g_string_replace (crlf_rounds, "\nr,", "\nolder,", 0);
  stale = read_both (crlf_table->str, crlf_rounds->str, &error);
  g_assert_no_error (error);
  g_assert_null (get_upload (stale)->rounds);
}

static void
test_rounds (void)
{
  static const struct
  {
    const char *rows, *said;
  } bad[] = {
    { PREFIX "upload,device,1,3,2,90,,,,3\n",
      ":2: column round: found the end of the file, expected 2 rounds of vector-add, pinned, 2^10" },
    { PREFIX "upload,device,2,3,2,90,,,,3\n" PREFIX "upload,device,1,3,2,90,,,,3\n", ":3: column round: found '1', expected at least 3" },
    { PREFIX "upload,device,1,3,2,90,,,,3\n" PREFIX "upload,device,2,3,2,90,,,,3\n" PREFIX "upload,device,3,3,2,90,,,,3\n",
      ":4: column round: found '3', expected no more rounds than the table" },
    { PREFIX "upload,device,65,3,2,90,,,,3\n", "column round: found '65', expected at most 64" },
    { PREFIX "upload,device,1,0,2,90,,,,3\n", "column place: found '0', expected at least 1" },
    { PREFIX "upload,device,1,3,6,90,,,,3\n", "column samples: found '6', expected at most 5" },
    { PREFIX "upload,device,1,3,2,79,,,,3\n", "column estimate_ns: found '79', expected a time from min_ns to max_ns" },
    { PREFIX "upload,device,1,3,2,9,0,,,3,\n", "column 24: found one more field" },
    { PREFIX "upload,device,1,3,2,90,x,,,3\n", "column host_pair_ns: found 'x', expected a number" },
    { PREFIX "upload,device,1,3,2,90,,,\n", "column format: found the end of the line after 22 fields, expected 23" },
    { PREFIX "upload,device,1,3,2,90,,,,4\n", "column format: found '4', expected at most 3" },
    { PREFIX "upload,host,1,3,2,90,,,,3\n", "column phase: found 'upload', expected a row with rounds" },
    { "r,cuda:0,cuda,vector-add,mapped,10,1024,4096,1,,,none,,upload,device,1,3,2,90,,,,3\n",
      "column mode: found 'mapped', expected a cell of" },
  };
  g_autoptr (GPtrArray) runs = NULL, again = NULL, without = NULL, stale = NULL, old = NULL;
  g_autofree char *path = in_folder ("again.csv"), *beside = memlane_csv_rounds_path (path), *text = NULL;
  const MemlaneFigure *upload;
  g_autoptr (GError) error = NULL;

  runs = read_both (HEADER TWO_ROUNDS_ROW,
                    ROUNDS_HEADER PREFIX "upload,device,1,3,2,90,,,,3\n" PREFIX "upload,device,4,9,3,110.5,31,3500,90,3\n",
                    &error);
  g_assert_no_error (error);
  upload = get_upload (runs);
  g_assert_cmpuint (upload->n_rounds, ==, 2);
  g_assert_cmpuint (upload->rounds[1].round, ==, 4);
  g_assert_cmpuint (upload->rounds[1].place, ==, 9);
  g_assert_cmpuint (upload->rounds[1].samples, ==, 3);
  g_assert_cmpfloat (upload->rounds[1].median, ==, 110.5);
  g_assert_cmpfloat (upload->rounds[0].host.ns[MEMLANE_PROBE_PAIR], ==, 0);
  g_assert_cmpfloat (upload->rounds[1].host.ns[MEMLANE_PROBE_PAIR], ==, 31);
  g_assert_cmpfloat (upload->rounds[1].host.ns[MEMLANE_PROBE_COPY], ==, 90);

  read_crlf (HEADER TWO_ROUNDS_ROW, ROUNDS_HEADER PREFIX "upload,device,1,3,2,90,,,,3\n" PREFIX "upload,device,4,9,3,110.5,31,3500,90,3\n");

  /* What was read is written again the same, beside the table. */
  g_assert_true (memlane_csv_write (g_ptr_array_index (runs, 0), path, &error));
  text = get_contents (beside);
  g_assert_cmpstr (text, ==, ROUNDS_HEADER PREFIX "upload,device,1,3,2,90,,,,3\n" PREFIX "upload,device,4,9,3,110.5,31,3500,90,3\n");
  again = memlane_csv_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (get_upload (again)->rounds[0].median, ==, 90);

  /* Not there: the count is known, the rounds are not. Of another run: as if it was not there. */
  without = read_both (HEADER TWO_ROUNDS_ROW, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (get_upload (without)->n_rounds, ==, 2);
  g_assert_null (get_upload (without)->rounds);
  old = read_both (HEADER TWO_ROUNDS_ROW,
                   OLDEST_ROUNDS_HEADER OLD_PREFIX "upload,device,1,3,2,90\n" OLD_PREFIX "upload,device,4,9,3,110.5\n", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (get_upload (old)->rounds[1].median, ==, 110.5);
  stale = read_both (HEADER TWO_ROUNDS_ROW, ROUNDS_HEADER "older" PREFIX "upload,device,1,3,2,90,,,,3\n", &error);
  g_assert_no_error (error);
  g_assert_null (get_upload (stale)->rounds);

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *rounds = g_strconcat (ROUNDS_HEADER, bad[i].rows, NULL);
      g_autoptr (GError) refusal = NULL;

      g_assert_null (read_both (HEADER TWO_ROUNDS_ROW, rounds, &refusal));
      g_assert_error (refusal, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      g_test_message ("%s", refusal->message);
      g_assert_nonnull (strstr (refusal->message, "both.rounds.csv:"));
      g_assert_nonnull (strstr (refusal->message, bad[i].said));
    }
  g_assert_null (read_both (HEADER TWO_ROUNDS_ROW, HEADER, &error));
  g_assert_nonnull (strstr (error->message, "both.rounds.csv:1: column round: found 'samples', expected 'round'"));
}

/* gzip may have packed both tables: a name without .gz finds them, and so does the one with. A damaged one is refused. */
static void
test_packed (void)
{
  g_autofree char *path = in_folder ("packed.csv"), *beside = memlane_csv_rounds_path (path);
  g_autofree char *packed = g_strconcat (path, ".gz", NULL), *of_packed = memlane_csv_rounds_path (packed);
  g_autofree char *rounds = g_strconcat (beside, ".gz", NULL), *bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL, again = NULL;
  gsize length;

  g_assert_cmpstr (of_packed, ==, beside);
  pack_file (packed, HEADER, TWO_ROUNDS_ROW, 1);
  pack_file (rounds, ROUNDS_HEADER PREFIX "upload,device,1,3,2,90,,,,3\n", PREFIX "upload,device,4,9,3,110.5,,,,3\n", 1);
  runs = memlane_csv_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (get_upload (runs)->rounds[1].median, ==, 110.5);
  again = memlane_csv_read (packed, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (get_upload (again)->rounds[0].median, ==, 90);

  /* A table that is not packed counts first. */
  g_assert_true (g_file_set_contents (beside, ROUNDS_HEADER "nonsense\n", -1, NULL));
  g_assert_null (memlane_csv_read (path, NULL, &error));
  g_assert_nonnull (strstr (error->message, "packed.rounds.csv:2: "));
  g_clear_error (&error);
  (void) g_unlink (beside);

  g_assert_true (g_file_get_contents (rounds, &bytes, &length, NULL));
  for (gsize cut = 2; cut < length; cut += 7)
    {
      g_assert_true (g_file_set_contents (rounds, bytes, (gssize) cut, NULL));
      g_assert_null (memlane_csv_read (path, NULL, &error));
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      g_assert_nonnull (strstr (error->message, "packed.rounds.csv: found damaged gzip data"));
      g_clear_error (&error);
    }
  (void) g_unlink (rounds);
  (void) g_unlink (packed);
}

/* A detail is free text, so what another program has put there is written so that no spreadsheet runs it. */
static void
test_formulas (void)
{
  static const struct { const char *read, *written; } details[] = {
    { "=1+1", ",'=1+1,,\n" }, { "+1", ",'+1,,\n" }, { "-1", ",'-1,,\n" }, { "@SUM(A1)", ",'@SUM(A1),,\n" }, { "\t=1", ",'\t=1,,\n" },
    { "\"=1,\"\"2\"", ",\"'=1,\"\"2\",,\n" }, { "1=1", ",1=1,,\n" }, { "'=1", ",'=1,,\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (details); i++)
    {
      g_autofree char *table = g_strdup_printf (HEADER PREFIX "upload,device,,,,,,,,,,,error,%s,,\n", details[i].read);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) runs = read_both (table, NULL, &error);
      g_autofree char *path = in_folder ("formulas.csv"), *text = NULL;

      g_assert_no_error (error);
      g_assert_true (memlane_csv_write (g_ptr_array_index (runs, 0), path, &error));
      text = get_contents (path);
      g_test_message ("%s", text);
      g_assert_true (g_str_has_suffix (text, details[i].written));
    }
}

/* The headers are a contract, and columns.c has them. */
static void
test_columns (void)
{
  static const struct { MemlaneTable table; gboolean old; const char *header; } cases[] = {
    { MEMLANE_TABLE_RUNS, FALSE, CSV_COLUMNS }, { MEMLANE_TABLE_RUNS, TRUE, OLD_CSV_COLUMNS },
    { MEMLANE_TABLE_ROUNDS, FALSE, ROUNDS_COLUMNS }, { MEMLANE_TABLE_ROUNDS, TRUE, OLD_ROUNDS_COLUMNS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *header = memlane_table_header (cases[i].table, cases[i].old);

      g_assert_cmpstr (header, ==, cases[i].header);
    }
}

/* The description for CSV on the Web has the columns of the table: names, types, words, units. */
static void
test_metadata (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "schemas", "memlane.csv-metadata.json", NULL);
  g_autofree char *text = get_contents (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = memlane_json_tree_read (text, -1, path, &error);
  JsonArray *array;
  MemlaneColumn columns[MEMLANE_MOST_COLUMNS];
  guint n = memlane_table_columns (MEMLANE_TABLE_RUNS, columns);

  g_assert_no_error (error);
  array = memlane_json_get_array (memlane_json_get_object (json_node_get_object (root), "tableSchema"), "columns");
  g_assert_cmpuint (json_array_get_length (array), ==, n);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *column = json_array_get_object_element (array, i), *type = memlane_json_get_object (column, "datatype");
      const MemlaneMember *member = columns[i].member;
      const char *base = memlane_json_get_text (type != NULL ? type : column, type != NULL ? "base" : "datatype");
      const char *expected = member->kind == MEMLANE_MEMBER_INTEGER ? "integer"
                             : member->kind == MEMLANE_MEMBER_NUMBER || member->kind == MEMLANE_MEMBER_BANDWIDTH ? "number" : "string";

      g_assert_cmpstr (memlane_json_get_text (column, "name"), ==, member->column);
      g_assert_cmpstr (base, ==, expected);
      g_assert_cmpstr (memlane_json_get_text (column, "schema:unitText"), ==, member->unit);
      if (member->kind == MEMLANE_MEMBER_WORD)
        {
          g_autoptr (GString) words = g_string_new (NULL);

          for (guint word = 0; word <= (guint) member->most; word++)
            g_string_append_printf (words, "%s%s", word > 0 ? "|" : "", member->get_word (word));
          g_assert_cmpstr (memlane_json_get_text (type, "format"), ==, words->str);
        }
    }
}

#define OLD_ROW OLD_PREFIX "upload,device,5,100.123,90,110,80,95,105,120,8192,81819362184.51305,ok,"

/* Tables of Memlane 0.2, and of before there were rounds: 26 and 25 columns. */
static void
test_older (void)
{
  g_autofree char *oldest = g_strndup (OLD_CSV_COLUMNS, strlen (OLD_CSV_COLUMNS) - strlen (",rounds"));
  g_autofree char *first = g_strconcat (oldest, "\n" OLD_ROW "\n", NULL), *longer = g_strconcat (oldest, "\n" OLD_ROW ",\n", NULL);
  g_autofree char *path = in_folder ("old.csv"), *beside = memlane_csv_rounds_path (path), *table = NULL, *rounds = NULL;
  const char *old = OLD_CSV_COLUMNS "\n" OLD_ROW ",2\n" OLD_PREFIX "elapsed,,,,,,,,,,,,unsupported,why,\n";
  const char *old_rounds = OLD_ROUNDS_COLUMNS "\n" OLD_PREFIX "upload,device,1,3,2,90,,,\n"
    OLD_PREFIX "upload,device,4,9,3,110.5,31,3500,90\n";
  g_autoptr (GPtrArray) runs = NULL, one = NULL;
  g_autoptr (GError) error = NULL;

  runs = read_both (first, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (get_upload (runs)->n_rounds, ==, 0);
  g_assert_cmpint (get_upload (runs)->statistics.interval, ==, MEMLANE_INTERVAL_SAMPLING);
  g_assert_cmpfloat (get_upload (runs)->statistics.median, ==, 100.1);
  g_assert_null (read_both (longer, NULL, &error));
  g_assert_nonnull (strstr (error->message, ":2: column 26: found one more field, '', expected 25"));
  g_clear_error (&error);
  g_assert_null (read_both (OLD_CSV_COLUMNS "\n" OLD_ROW "\n", NULL, &error));
  g_assert_nonnull (strstr (error->message, ":2: column rounds: found the end of the line after 25 fields, expected 26"));
  g_clear_error (&error);
  g_assert_null (read_both (OLD_CSV_COLUMNS "\n" OLD_PREFIX "upload,device,5,x,,,,,,,,,ok,,\n", NULL, &error));
  g_assert_nonnull (strstr (error->message, ":2: column median_ns: found 'x', expected a number"));
  g_clear_error (&error);
  g_assert_null (read_both (OLD_CSV_COLUMNS ",interval\n", NULL, &error));
  g_assert_nonnull (strstr (error->message, ":1: column 27: found one more column, 'interval', expected 26"));
  g_clear_error (&error);
  g_assert_null (read_both (CSV_KEY "samples,median_ns,low_ns\n", NULL, &error));
  g_assert_nonnull (strstr (error->message, ":1: column ci95_low_ns: found 'low_ns', expected 'ci95_low_ns'"));
  g_clear_error (&error);

  one = read_both (old, old_rounds, &error);
  g_assert_no_error (error);
  g_assert_cmpint (get_upload (one)->statistics.interval, ==, MEMLANE_INTERVAL_OTHER_SWEEPS);
  g_assert_cmpfloat (get_upload (one)->rounds[1].median, ==, 110.5);
  g_assert_true (memlane_csv_write_as (one->pdata[0], path, TRUE, &error));
  g_assert_no_error (error);
  table = get_contents (path);
  rounds = get_contents (beside);
  g_assert_cmpstr (table, ==, OLD_CSV_COLUMNS "\n" OLD_PREFIX "upload,device,5,100.1,90,110,80,95,105,120,8192,81838161838,ok,,2\n"
                   OLD_PREFIX "elapsed,,,,,,,,,,,,unsupported,why,\n");
  g_assert_cmpstr (rounds, ==, old_rounds);
}

/* Tables from before the columns beside and busy are of an idle device; what is written has them. Cells of one mode and size with other
 * backgrounds are others. */
static void
test_beside (void)
{
  const char *idle = OLD_CSV_KEY "samples,estimate_ns,low_ns,high_ns,min_ns,q1_ns,q3_ns,max_ns,bytes_moved,bandwidth_bytes_per_s,status,"
                     "detail,rounds,interval\n" OLD_PREFIX "upload,device,5,100,90,110,80,95,105,120,8192,81920000000,ok,,2,other-sweeps\n";
  const char *idle_rounds = OLD_CSV_KEY "round,place,samples,estimate_ns,host_pair_ns,host_launch_ns,host_copy_ns,format\n" OLD_PREFIX
                            "upload,device,1,3,2,90,,,,3\n" OLD_PREFIX "upload,device,4,9,3,110.5,31,3500,90,3\n";
  const char *busy = HEADER GOOD_ROW OLD_PREFIX "compute,50,upload,device,10,100,90,110,80,95,105,120,8192,81920000000,ok,,,sampling\n"
                     OLD_PREFIX "compute,50,background,device,10,100,90,110,80,95,105,120,,,ok,,,sampling\n"
                     OLD_PREFIX "copies-up,,background_alone,device,10,100,90,110,80,95,105,120,4194304,41943040000000,ok,,,sampling\n";
  g_autofree char *path = in_folder ("busy.csv"), *text = NULL;
  g_autoptr (GPtrArray) runs = NULL, again = NULL;
  g_autoptr (GError) error = NULL;
  const MemlaneCell *cell;

  runs = read_both (idle, idle_rounds, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (get_upload (runs)->rounds[1].median, ==, 110.5);
  cell = ((MemlaneRun *) runs->pdata[0])->cells->pdata[0];
  g_assert_cmpint (cell->beside, ==, MEMLANE_BESIDE_NONE);
  g_assert_true (memlane_csv_write (runs->pdata[0], path, &error));
  text = get_contents (path);
  g_assert_cmpstr (text, ==, HEADER TWO_ROUNDS_ROW);

  again = read_both (busy, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (((MemlaneRun *) again->pdata[0])->cells->len, ==, 3);
  cell = ((MemlaneRun *) again->pdata[0])->cells->pdata[1];
  g_assert_cmpint (cell->beside, ==, MEMLANE_BESIDE_COMPUTE);
  g_assert_cmpuint (cell->busy, ==, 50);
  g_assert_true (memlane_csv_write (again->pdata[0], path, &error));
  g_free (text);
  text = get_contents (path);
  g_assert_cmpstr (text, ==, busy);
}

/* A row of a cell without figures has a clock, as all others do. */
static void
test_unsupported (void)
{
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  const char *text = HEADER PREFIX "elapsed,host,,,,,,,,,,,unsupported,why,,\n";
  g_autofree char *path = in_folder ("unsupported.csv"), *again = NULL;
  const MemlaneCell *cell;

  runs = read_both (text, NULL, &error);
  g_assert_no_error (error);
  cell = ((MemlaneRun *) runs->pdata[0])->cells->pdata[0];
  g_assert_cmpuint (cell->figures->len, ==, 0);
  g_assert_cmpint (cell->status, ==, MEMLANE_STATUS_UNSUPPORTED);
  g_assert_cmpstr (cell->detail, ==, "why");
  g_assert_true (memlane_csv_write (runs->pdata[0], path, NULL));
  again = get_contents (path);
  g_assert_cmpstr (again, ==, text);
}

static void
test_decimal_comma_locale (void)
{
  static const char *const installed[] = { "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8", "es_ES.UTF-8", "pt_BR.UTF-8" };
  gboolean found = FALSE;
  char shown[8];

  for (guint i = 0; i < G_N_ELEMENTS (installed) && !found; i++)
    found = setlocale (LC_NUMERIC, installed[i]) != NULL;
  if (!found)
    {
      g_autofree char *root = in_folder ("locale");

      found = make_comma_locale (root);
    }
  g_assert_true (found);
  g_snprintf (shown, sizeof shown, "%.1f", 0.5);
  g_assert_cmpstr (shown, ==, "0,5"); /* or this test would prove nothing */

  round_trip (1000, 15);
  setlocale (LC_NUMERIC, "C");
  g_unsetenv ("LOCPATH");
}

static void
test_text (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("r", "cuda:0", "cuda");
  g_autoptr (MemlaneCell) cell = memlane_cell_new ("vector-add", "streams-depth", 10);
  MemlaneStatistics s = { 10, 1000, 990.5, 1010.25, 980, 995, 1005, 0.1 + 0.2 + 2000 };
  MemlaneStatistics one = { 1, 3000, 3000, 3000, 3000, 3000, 3000, 3000 };
  g_autoptr (GString) text = g_string_new (NULL);

  cell->streams = 4;
  cell->chunks = 8;
  memlane_cell_add_figure (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, &s, 8192, MEMLANE_STATUS_OK, NULL);
  memlane_cell_add_figure (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE, NULL, 0, MEMLANE_STATUS_TIMEOUT, "late, twice");
  memlane_cell_add_figure (cell, MEMLANE_PHASE_FIRST, MEMLANE_CLOCK_HOST, &one, 0, MEMLANE_STATUS_OK, NULL);
  memlane_csv_append_cell (text, run, cell);
#define CELL "r,cuda:0,cuda,vector-add,streams-depth,10,1024,4096,1,4,8,none,,"
  g_assert_cmpstr (text->str, ==,
                   CELL "upload,device,10,1000,990.5,1010.2,980,995,1005,2000.3,8192,8192000000,ok,,,sampling\n"
                   CELL "kernel,device,,,,,,,,,,,timeout,\"late, twice\",,\n"
                   CELL "first,host,1,3000,3000,3000,3000,3000,3000,3000,,,ok,,,sampling\n");

  /* A cell that says more than its figures has a row of its own, in the place of elapsed. */
  cell->status = MEMLANE_STATUS_MISMATCH;
  cell->detail = g_strdup ("c[3] is 1");
  g_string_truncate (text, 0);
  memlane_csv_append_cell (text, run, cell);
  g_assert_nonnull (strstr (text->str, "late, twice\",,\n" CELL "elapsed,,,,,,,,,,,,mismatch,c[3] is 1,,\n" CELL "first,"));

  g_clear_pointer (&cell, memlane_cell_unref);
  cell = memlane_cell_new ("vector-add", "mapped", 0);
  cell->status = MEMLANE_STATUS_UNSUPPORTED;
  cell->detail = g_strdup ("canMapHostMemory is 0 on this device");
  g_string_truncate (text, 0);
  memlane_csv_append_cell (text, run, cell);
  g_assert_cmpstr (text->str, ==,
                   "r,cuda:0,cuda,vector-add,mapped,0,1,4,1,,,none,,elapsed,host,"
                   ",,,,,,,,,,unsupported,canMapHostMemory is 0 on this device,,\n");
}

static void
test_samples (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("r", "cuda:0", "cuda");
  MemlaneCell *cell = memlane_cell_new ("vector-add", "pinned", 10);
  static const double samples[] = { 3, 1.5, 2 };
  static const MemlaneSampleMark marks[] = { { 1, 1980, 50.5 }, { 2, 1755, 60 }, { 1, 0, 7 } };
  g_autofree char *path = in_folder ("samples.csv"), *text = NULL;
  MemlaneStatistics s;

  memlane_statistics_compute (samples, 3, &s);
  memlane_cell_add_figure (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, &s, 0, MEMLANE_STATUS_OK, NULL)->samples =
    g_memdup2 (samples, sizeof samples);
  memlane_cell_add_figure (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE, &s, 0, MEMLANE_STATUS_OK, NULL); /* not kept */
  g_ptr_array_add (run->cells, cell);
  g_assert_true (memlane_csv_write_samples (run, path, NULL));
  text = get_contents (path);
  g_assert_cmpstr (text, ==,
                   CSV_KEY "round,place,"
                   "set,sm_mhz,time_ns,sample,ns\n"
                   PREFIX "upload,device,,,,,,1,3\n" PREFIX "upload,device,,,,,,2,1.5\n" PREFIX "upload,device,,,,,,3,2\n");

  /* Two rounds: the first took two samples, the second, which is the run's third, took one. */
  g_clear_pointer (&text, g_free);
  set_rounds ((MemlaneFigure *) memlane_cell_find (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE), 2,
              (const MemlaneRound[]) { { 1, 7, 2, 2.25 }, { 3, 9, 1, 2 } });
  g_assert_true (memlane_csv_write_samples (run, path, NULL));
  text = get_contents (path);
  g_assert_true (g_str_has_suffix (text, PREFIX "upload,device,1,7,,,,1,3\n" PREFIX "upload,device,1,7,,,,2,1.5\n"
                                         PREFIX "upload,device,3,9,,,,1,2\n"));

  /* Where each stood; no clock was told for the last. */
  g_clear_pointer (&text, g_free);
  ((MemlaneFigure *) memlane_cell_find (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE))->marks =
    g_memdup2 (marks, sizeof marks);
  g_assert_true (memlane_csv_write_samples (run, path, NULL));
  text = get_contents (path);
  g_assert_true (g_str_has_suffix (text, PREFIX "upload,device,1,7,1,1980,51,1,3\n" PREFIX "upload,device,1,7,2,1755,60,2,1.5\n"
                                         PREFIX "upload,device,3,9,1,,7,1,2\n"));
}

static GPtrArray *
read_text (const char *text, gssize length, GError **error)
{
  g_autofree char *path = in_folder ("in.csv");

  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return memlane_csv_read (path, NULL, error);
}

/* @text is refused, and the message is FILE:@line: column ..., with @said in it. */
static void
refused (const char *text, gssize length, guint line, const char *said)
{
  g_autofree char *path = in_folder ("in.csv"), *start = g_strdup_printf ("%s:%u: column ", path, line);
  g_autoptr (GError) error = NULL;
  GPtrArray *runs = read_text (text, length, &error);

  g_assert_null (runs);
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  g_test_message ("%s", error->message);
  if (!g_str_has_prefix (error->message, start) || strstr (error->message, said) == NULL)
    g_error ("expected %s...%s, found %s", start, said, error->message);
  g_assert_cmpuint (strlen (error->message), <, 600);
}

/* The good row with the text @from replaced. */
static char *
changed (const char *from, const char *to)
{
  GString *text = g_string_new (HEADER GOOD_ROW);

  g_assert_cmpuint (g_string_replace (text, from, to, 1), ==, 1);
  return g_string_free (text, FALSE);
}

static void
test_bad_fields (void)
{
  static const struct { const char *from, *to, *said; } cases[] = {
    { ",100,90,", ",\"3,14\",90,", "column estimate_ns: found '3,14' with a decimal comma, expected a number, with '.' as in 3.14" },
    { ",10,1024", ",\"10,0\",1024", "column log2_elements: found '10,0' with a decimal comma" },
    { ",100,90,", ",3,14,90,", "column 30: found one more field, '', expected 29 (a decimal comma? numbers are written with '.'" },
    { ",ok,", ",ok,,,,", "column 30: found one more field" },
    { ",ok,", "", "column bandwidth_bytes_per_s: found '81920000000" },
    { ",ok,", ",ok", "column interval: found the end of the line after 28 fields, expected 29" },
    { "r,cuda:0", ",cuda:0", "column run: found nothing, expected a name" },
    { "r,cuda:0", "\xff\xfe,cuda:0", "column run: found '\xef\xbf\xbd\xef\xbf\xbd', expected UTF-8 text" },
    { "r,cuda:0", "a\tb,cuda:0", "column run: found 'a\\x09b', expected a name without control characters" },
    { ",cuda:0,", ",,", "column device: found nothing, expected a name" },
    { ",cuda,", ",opencl,", "column device_kind: found 'opencl', expected cuda or simulated" },
    { ",vector-add,", ",Vector Add,", "column workload: found 'Vector Add', expected a name of a-z" },
    { ",pinned,", ",pin_ned,", "column mode: found 'pin_ned', expected a name of a-z" },
    { ",pinned,", ", pinned,", "column mode: found ' pinned', expected a name of a-z" },
    { ",10,1024", ",61,1024", "column log2_elements: found '61', expected a number from 0 to 60" },
    { ",10,1024", ",-1,1024", "column log2_elements: found '-1', expected a number that is not negative" },
    { ",10,1024", ",,1024", "column log2_elements: found nothing, expected a number" },
    { ",1024,", ",1023,", "column elements: found '1023', expected 1024, 2 to the log2_elements" },
    { ",1024,", ",99999999999999999999,", "column elements: found '99999999999999999999', expected at most 18446744073709551615" },
    { ",4096,", ",8192,", "column bytes: found '8192', expected 4096, 4 for each element" },
    { ",4096,1,", ",4096,0,", "column reuse: found '0', expected at least 1" },
    { ",4096,1,", ",4096,4294967296,", "column reuse: found '4294967296', expected at most 1000000" },
    { ",1,,,none", ",1,0,,none", "column streams: found '0', expected at least 1, or nothing" },
    { ",1,,,none", ",1,,x,none", "column chunks: found 'x', expected a whole number" },
    { ",1,,,none", ",1,2,,none", "column streams: found '2', expected nothing, as there are no chunks" },
    { ",pinned,10,1024,4096,1,,", ",streams-x,10,1024,4096,1,1025,", "column streams: found '1025', expected at most 1024" },
    { ",pinned,10,1024,4096,1,,,", ",streams-x,10,1024,4096,1,1,65537,", "column chunks: found '65537', expected at most 65536" },
    { ",none,,", ",idle,,", "column beside: found 'idle', expected none, compute, copies-up, copies-down or both" },
    { ",none,,", ",none,50,", "column busy: found '50', expected nothing, as beside is none" },
    { ",none,,", ",compute,,", "column busy: found nothing, expected 1 to 100, as beside is compute" },
    { ",none,,", ",compute,101,", "column busy: found '101', expected at most 100" },
    { "r,cuda:0", "=1+1,cuda:0", "column run: found '=1+1', expected a name that no spreadsheet takes for a formula" },
    { "r,cuda:0", "@x,cuda:0", "column run: found '@x', expected a name that no spreadsheet takes for a formula" },
    { ",cuda:0,", ",-1/cuda:0,", "column device: found '-1/cuda:0', expected a name that no spreadsheet takes for a formula" },
    { ",pinned,", ",-2-3,", "column mode: found '-2-3', expected a name of a-z" },
    { "r,cuda:0", "\xc2\x9b" "31mx,cuda:0", "column run: found '\\u009b31mx', expected a name without control characters" },
    { "r,cuda:0", "a\xe2\x80\xae" "b,cuda:0", "column run: found 'a\\u202eb', expected a name without control characters" },
    { "r,cuda:0", "a\x7f,cuda:0", "column run: found 'a\\x7f', expected a name without control characters" },
    { ",cuda:0,", ",simulated:h200,", "column device_kind: found 'cuda', expected simulated, as device says" },
    { ",cuda:0,", ",host-1/simulated:h200,", "column device_kind: found 'cuda', expected simulated, as device says" },
    { ",8192,8", ",1,8", "column bytes_moved: found '1', expected 4096 times 1, 2 or 3, once or times reuse" },
    { ",8192,8", ",18446744073709551615,8", "column bytes_moved: found '18446744073709551615', expected at most 9007199254740992" },
    { ",8192,8", ",16384,8", "column bytes_moved: found '16384', expected 4096 times" },
    { ",device,10,", ",device,1,", "column min_ns: found '80', expected the same as estimate_ns, as there is one sample" },
    { ",upload,", ",uplaod,", "column phase: found 'uplaod', expected alloc, host_write" },
    { ",device,10", ",gpu,10", "column clock: found 'gpu', expected issue, device or host" },
    { ",device,10", ",,10", "column clock: found nothing, expected issue, device or host" },
    { ",upload,device,10", ",elapsed,,10", "column samples: found '10', expected nothing, as clock is empty" },
    { ",upload,device,", ",first,device,", "column clock: found 'device', expected host, as phase is first" },
    { ",upload,device,", ",first,host,", "column samples: found '10', expected at most 1" },
    { ",device,10", ",device,0", "column samples: found '0', expected at least 1, or nothing" },
    { ",device,10", ",device,", "column estimate_ns: found '100', expected nothing, as samples is empty" },
    { ",device,10", ",device,1e3", "column samples: found '1e3', expected a whole number" },
    { ",100,90,", ",,90,", "column estimate_ns: found nothing, expected a number" },
    { ",100,90,", ",nan,90,", "column estimate_ns: found 'nan', expected a number" },
    { ",100,90,", ",inf,90,", "column estimate_ns: found 'inf', expected a number" },
    { ",100,90,", ",1e999,90,", "column estimate_ns: found '1e999', expected a number that a double can hold" },
    { ",100,90,", ",0x64,90,", "column estimate_ns: found '0x64', expected a number" },
    { ",100,90,", ",100 ,90,", "column estimate_ns: found '100 ', expected a number" },
    { ",100,90,", ",100us,90,", "column estimate_ns: found '100us', expected a number" },
    { ",100,90,", ",1.0.0,90,", "column estimate_ns: found '1.0.0', expected a number" },
    { ",100,90,", ",-100,90,", "column estimate_ns: found '-100', expected a number that is not negative" },
    { ",100,90,", ",100,101,", "column low_ns: found '101', expected at most estimate_ns" },
    { ",110,", ",99,", "column high_ns: found '99', expected at least estimate_ns" },
    { ",80,95,", ",96,95,", "column min_ns: found '96', expected at most q1_ns" },
    { ",80,95,", ",80,101,", "column q1_ns: found '101', expected at most estimate_ns" },
    { ",105,120,", ",99,120,", "column q3_ns: found '99', expected at least estimate_ns" },
    { ",105,120,", ",105,104,", "column max_ns: found '104', expected at least q3_ns" },
    { ",8192,8", ",0,8", "column bytes_moved: found '0', expected at least 1" },
    { ",8192,8", ",,8", "column bandwidth_bytes_per_s: found '81920000000', expected nothing" },
    { ",81920000000,", ",,", "column bandwidth_bytes_per_s: found nothing, expected a number" },
    { ",81920000000,", ",81.92,", "column bandwidth_bytes_per_s: found '81.92', expected 81920000000, bytes_moved by estimate_ns" },
    { ",sampling", ",", "column interval: found nothing, expected sampling, other-sweeps or exact" },
    { ",sampling", ",ci95", "column interval: found 'ci95', expected sampling, other-sweeps or exact" },
    { ",ok,,", ",ok,,0", "column rounds: found '0', expected at least 1, or nothing" },
    { ",ok,,", ",ok,,65", "column rounds: found '65', expected at most 64" },
    { ",ok,,", ",ok,,11", "column rounds: found '11', expected no more than samples" },
    { ",ok,", ",OK,", "column status: found 'OK', expected ok, noisy" },
    { ",ok,", ",ok,\xc3\x28", "column detail: found '\xef\xbf\xbd(', expected UTF-8 text" },
    { ",ok,", ",ok,a\"b", "column detail: found a quote inside a field" },
    { ",ok,", ",ok,\"a\"b", "column detail: found a quote inside a field or text behind a closing quote" },
    { ",ok,", ",ok,\"never", "column detail: found the end of the file inside a quoted field, expected the closing quote" },
    { ",upload,", ",upl\roaded,", "column clock: found the end of the line after 14 fields" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = NULL;

      if (strcmp (cases[i].to, "") == 0)
        {
          /* One field fewer: seen when the line ends, before its fields are judged. */
          refused (HEADER "r,cuda:0\n", -1, 2, "column device_kind: found the end of the line after 2 fields, expected 29");
          continue;
        }
      text = changed (cases[i].from, cases[i].to);
      if (strcmp (cases[i].to, ",ok,,,,") == 0 || strcmp (cases[i].to, ",3,14,90,") == 0)
        refused (text, -1, 2, "column 30: found one more field");
      else if (strcmp (cases[i].to, ",ok") == 0)
        refused (text, -1, 2, "after 28 fields, expected 29");
      else
        refused (text, -1, 2, cases[i].said);
    }
}

static void
test_bad_headers (void)
{
  refused ("", 0, 1, "column run: found an empty file, expected the header line run,device,");
  refused (HEADER, -1, 2, "column run: found the end of the file, expected at least one row");
  refused ("run,device,device_kind,workload,modes,x\n", -1, 1, "column mode: found 'modes', expected 'mode'");
  refused ("run,device\n", -1, 1, "column device_kind: found the end of the line after 2 fields, expected 29");
  refused (CSV_COLUMNS ",more\n" GOOD_ROW, -1, 1, "column 30: found one more column, 'more', expected 29");
  refused ("run;device;device_kind\n", -1, 1, "(columns are separated by ',', not by ';')");
  refused ("\n" HEADER GOOD_ROW, -1, 1, "found an empty line, expected 29 fields");
  refused (GOOD_ROW, -1, 1, "column run: found 'r', expected 'run'");
  refused ("[\"a\", 1]\n", -1, 1, "column run: found a quote inside a field");
  refused ("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, 1, "column run: found");
  refused ("\xff\xfer\0u\0n\0", 8, 1, "column run: found a NUL byte, expected text (a binary file, or UTF-16?)");
}

static void
test_bad_files (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  /* cut off anywhere */
  refused (HEADER GOOD_ROW PREFIX "elapsed,host,10,1", -1, 3,
           "found the end of the file inside the line, expected 29 fields and a newline");
  refused (CSV_COLUMNS, -1, 1, "found the end of the file inside the line");
  for (gsize cut = 1; cut < strlen (HEADER GOOD_ROW); cut++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_text (HEADER GOOD_ROW, (gssize) cut, &error));
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
    }

  /* rows that contradict each other */
  refused (HEADER GOOD_ROW GOOD_ROW, -1, 3, "column clock: found 'device', expected one row for each phase and clock");
  refused (HEADER GOOD_ROW "r,cuda:1,cuda" "," "vector-add,pinned,10,1024,4096,1,,,none,,elapsed,,,,,,,,,,,,error,,,\n", -1, 3,
           "column device: found 'cuda:1', expected 'cuda:0', as in the first row of this run");
  refused (HEADER PREFIX "elapsed,,,,,,,,,,,,error,a,,\n" PREFIX "elapsed,,,,,,,,,,,,error,b,,\n", -1, 3,
           "expected one row without samples");
  refused (HEADER GOOD_ROW "r,cuda:0,cuda,vector-add,mapped,10,1024,4096,1,,,none,,elapsed,,,,,,,,,,,,error,,,\n" PREFIX
                           "elapsed,,,,,,,,,,,,error,,,\n", -1, 4, "side by side, not a second time");
  refused (HEADER GOOD_ROW HEADER GOOD_ROW, -1, 3, "column run: found 'run', expected a run's row, not the header again");
  refused (HEADER GOOD_ROW "\n" GOOD_ROW, -1, 3, "found an empty line");
  refused (HEADER "\r" GOOD_ROW, -1, 2, "found a carriage return inside the line");

  /* the line counts newlines inside quotes */
  refused (HEADER PREFIX "upload,device,,,,,,,,,,,error,\"two\nlines\",,\n" PREFIX "nothing\n", -1, 4, "after 14 fields");

  /* NUL bytes */
  g_string_append (text, HEADER GOOD_ROW);
  g_string_append_len (text, "r,cuda:0\0", 9);
  g_string_append (text, ",cuda\n");
  refused (text->str, (gssize) text->len, 3, "column device: found a NUL byte, expected text");
}

/* Returns the bytes that this process has read of files. */
static guint64
count_read (void)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/io", &text, NULL, NULL));
  return g_ascii_strtoull (strstr (text, "rchar: ") + strlen ("rchar: "), NULL, 10);
}

/* Refused after a look at its first bytes, however long it is. */
static void
refused_early (const char *text, gsize length, const char *said)
{
  g_autofree char *path = in_folder ("in.csv");
  g_autoptr (GError) error = NULL;
  guint64 before;

  g_assert_true (g_file_set_contents (path, text, (gssize) length, NULL));
  before = count_read ();
  g_assert_null (memlane_csv_read (path, NULL, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, said));
  g_assert_cmpuint (strlen (error->message), <, 600);
  g_assert_cmpuint (count_read () - before, <=, 3 * 1024 * 1024);
}

static void
test_monsters (void)
{
  gsize size = 10 * 1000 * 1000;
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_set_size (text, size);
  memset (text->str, ',', size);
  refused_early (text->str, size, "column run: found '', expected 'run'");
  g_string_prepend (text, CSV_COLUMNS ",");
  refused_early (text->str, text->len, "column 30: found one more column");
  g_string_erase (text, 0, strlen (CSV_COLUMNS));
  g_string_prepend (text, HEADER);
  refused_early (text->str, text->len, ":2: column 30: found one more field");

  memset (text->str + strlen (HEADER), 'x', size);
  refused_early (text->str, text->len, ":2: column run: found a row of 1048576 bytes or more");
  text->str[strlen (HEADER) + 100000] = ',';
  refused_early (text->str, text->len, ":2: column run: found a field of 100000 bytes, expected at most 65536");

  /* an opening quote that swallows all lines behind it */
  g_string_assign (text, HEADER PREFIX "upload,device,,,,,,,,,,,error,\"");
  while (text->len < size)
    g_string_append (text, "r,cuda:0,cuda,and so on and on\n");
  refused_early (text->str, text->len, ":2: column detail: found a row of 1048576 bytes or more");
}

static void
test_accepted (void)
{
  g_autoptr (GPtrArray) plain = NULL, windows = NULL, two = NULL, newer = NULL, forms = NULL, single = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *crlf = NULL;
  g_autoptr (GString) text = g_string_new (HEADER GOOD_ROW);
  const MemlaneRun *run;

  plain = read_text (text->str, -1, &error);
  g_assert_no_error (error);

  g_string_replace (text, "\n", "\r\n", 0);
  g_string_prepend (text, "\xef\xbb\xbf");
  windows = read_text (text->str, -1, &error);
  g_assert_no_error (error);
  assert_same_run (g_ptr_array_index (plain, 0), g_ptr_array_index (windows, 0));

  two = read_text (HEADER GOOD_ROW
                   "s,simulated:h200,simulated,vector-add,pinned,10,1024,4096,1,,,none,,elapsed,"
                   ",,,,,,,,,,,cancelled,stopped,,\n", -1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (two->len, ==, 2);
  run = g_ptr_array_index (two, 1);
  g_assert_cmpstr (run->device_kind, ==, "simulated");
  g_assert_cmpstr (((MemlaneCell *) g_ptr_array_index (run->cells, 0))->detail, ==, "stopped");

  crlf = changed ("vector-add,pinned", "a-workload-of-2031,mode-9");
  newer = read_text (crlf, -1, &error);
  g_assert_no_error (error);

  forms = read_text (HEADER PREFIX "upload,\"device\",10,1e2,9.0E+1,110.,80,95,105,120,8192,8.192e10,ok,\"a \"\"b\"\"\",,sampling\n",
                     -1, &error);
  g_assert_no_error (error);
  run = g_ptr_array_index (forms, 0);
  g_assert_cmpstr (((MemlaneCell *) g_ptr_array_index (run->cells, 0))->detail, ==, "a \"b\"");

  /* A sweep that was stopped early: one sample, known to a tick of the clock. */
  single = read_text (HEADER PREFIX "upload,device,1,100,99.5,100.5,100,100,100,100,8192,8.192e10,ok,,,sampling\n", -1, &error);
  g_assert_no_error (error);
}

static void
test_environment (void)
{
  g_autoptr (MemlaneRun) run = sample_run (1, 3);
  g_autofree char *path = in_folder ("e.csv"), *beside = in_folder ("e.environment.json");
  static const struct { const char *text; gboolean kept; } cases[] = {
    { "{}", TRUE },
    { "{ \"device\": { \"id\": \"simulated:h200\" } }", TRUE },
    { "{ \"device\": { \"id\": \"cuda:7\" } }", FALSE }, /* of a table that once had this name */
    { "{ \"device\": 3, \"x\": [1, 2] }", TRUE },
    { "{ \"format\": 3 }", TRUE },
    { "{ \"format\": 4 }", FALSE }, /* of a newer Memlane */
    { "[]", FALSE },
    { "{", FALSE },
    { "", FALSE },
    { "{ \"device\": { \"id\": \"\xff\" } }", FALSE },
  };
  static const char *const names[][2] = { { "/a/OUT.csv", "/a/OUT.environment.json" }, { "OUT.CSV", "OUT.environment.json" },
                                          { "a.b", "a.b.environment.json" }, { "dir/.csv", "dir/.csv.environment.json" },
                                          { ".csv", ".csv.environment.json" } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *made = memlane_csv_environment_path (names[i][0]);

      g_assert_cmpstr (made, ==, names[i][1]);
    }
  g_assert_true (memlane_csv_write (run, path, NULL));
  g_assert_false (g_file_test (beside, G_FILE_TEST_EXISTS));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) runs = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (beside, cases[i].text, -1, NULL));
      runs = memlane_csv_read (path, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (memlane_environment_get_json (((MemlaneRun *) g_ptr_array_index (runs, 0))->environment), ==,
                       cases[i].kept ? cases[i].text : NULL);
    }

  /* A host's device: the worker there knows it without the host. */
  for (guint i = 1; i < 3; i++)
    {
      g_autoptr (GPtrArray) runs = NULL;

      g_free (run->device);
      run->device = g_strdup ("gpu1/simulated:h200");
      g_assert_true (memlane_csv_write (run, path, NULL));
      g_assert_true (g_file_set_contents (beside, cases[i].text, -1, NULL));
      runs = memlane_csv_read (path, NULL, NULL);
      g_assert_nonnull (runs);
      g_assert_cmpint (((MemlaneRun *) g_ptr_array_index (runs, 0))->environment != NULL, ==, cases[i].kept);
    }
}

/* A hostile one costs the environment, never the table and never the program. */
static void
test_environment_limits (void)
{
  g_autoptr (MemlaneRun) run = sample_run (1, 3);
  g_autofree char *path = in_folder ("limits.csv"), *beside = in_folder ("limits.environment.json");
  g_autofree char *name = g_strnfill (100000, 'n'), *nested = g_strnfill (100000, '['), *padding = g_strnfill (300000, ' ');
  g_autofree char *long_name = g_strdup_printf ("{ \"device\": { \"name\": \"%s\" }, \"method\": { \"statement\": \"%.1000s\" } }",
                                                name, name);
  g_autofree char *deep = g_strdup_printf ("{ \"a\": %s", nested), *large = g_strdup_printf ("{ %s }", padding);
  g_autofree char *deep_said = g_strdup_printf ("%s:1:71: found more than 64 levels of nesting, expected fewer: "
                                                "no file of Memlane nests so deep", beside);
  g_autofree char *large_said = g_strdup_printf ("cannot read %s: found a larger file, expected at most 262144 bytes", beside);
  const char *refused[][2] = { { deep, deep_said }, { large, large_said } };
  g_autoptr (MemlaneEnvironment) environment = NULL;
  const char *text;
  g_autofree char *cut = g_strdup_printf ("%.197s...\"", name), *statement = g_strdup_printf ("\"%.1000s\"", name);

  g_assert_true (memlane_csv_write (run, path, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GPtrArray) runs = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (beside, refused[i][0], -1, NULL));
      g_assert_null (memlane_environment_read (beside, &error));
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      g_assert_cmpstr (error->message, ==, refused[i][1]);
      runs = memlane_csv_read (path, NULL, NULL);
      g_assert_null (((MemlaneRun *) g_ptr_array_index (runs, 0))->environment);
    }
  g_assert_true (g_file_set_contents (beside, long_name, -1, NULL));
  environment = memlane_environment_read (beside, NULL);
  text = memlane_environment_get_json (environment);
  g_assert_nonnull (strstr (text, cut));
  g_assert_nonnull (strstr (text, statement));
  g_assert_cmpuint (strlen (text), <, 1400);
}

static void
cannot_write (const MemlaneRun *run, const char *path, const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *said = g_strdup_printf ("cannot write %s: %s", path, reason);

  g_assert_false (memlane_csv_write (run, path, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
  g_assert_cmpstr (error->message, ==, said);
}

static void
test_unwritable (void)
{
  g_autoptr (MemlaneRun) run = sample_run (3, 40);
  g_autofree char *missing = in_folder ("missing/a.csv"), *file = in_folder ("file"), *below = in_folder ("file/a.csv");
  g_autofree char *closed = in_folder ("closed"), *inside = in_folder ("closed/a.csv"), *kept = in_folder ("closed/kept.csv");
  g_autofree char *kept_text = NULL;
  g_autoptr (GError) error = NULL;
  struct rlimit limit, small;

  cannot_write (run, missing, g_strerror (ENOENT));
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  cannot_write (run, below, g_strerror (ENOTDIR));
  cannot_write (run, folder, g_strerror (EISDIR));
  cannot_write (run, "/dev/full", g_strerror (ENOSPC));
  g_assert_null (memlane_csv_read (missing, NULL, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
  g_assert_nonnull (strstr (error->message, missing));
  g_clear_error (&error);
  g_assert_null (memlane_csv_read (folder, NULL, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);

  /* A disk that fills up on the way, by the limit on a file's size: what was there stays, nothing new stands beside. */
  g_mkdir (closed, 0700);
  g_assert_true (g_file_set_contents (kept, "kept", 4, NULL));
  set_environment (run, "{}");
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &limit);
  small = limit;
  small.rlim_cur = 4096;
  setrlimit (RLIMIT_FSIZE, &small);
  cannot_write (run, kept, g_strerror (EFBIG));
  setrlimit (RLIMIT_FSIZE, &limit);
  kept_text = get_contents (kept);
  g_assert_cmpstr (kept_text, ==, "kept");
  g_assert_cmpuint (count_files (closed), ==, 1);

  /* No right to write into the folder. Root has all rights, so it hands them in for a moment. */
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
  g_assert_cmpint (g_chmod (closed, 0555), ==, 0);
  if (geteuid () != 0 || seteuid (65534) == 0)
    {
      cannot_write (run, inside, g_strerror (EACCES));
      if (getuid () == 0)
        g_assert_cmpint (seteuid (0), ==, 0);
    }
  g_chmod (closed, 0700);
  g_assert_cmpuint (count_files (closed), ==, 1);
}

static void
test_targets (void)
{
  g_autoptr (MemlaneRun) run = sample_run (5, 3);
  g_autofree char *real = in_folder ("real.csv"), *alias = in_folder ("alias.csv"), *pipe_path = in_folder ("pipe"), *text = NULL;
  g_autofree char *from_pipe = NULL, *standard = in_folder ("standard.csv"), *from_standard = NULL;
  g_autoptr (GError) error = NULL;
  struct stat info;
  int fd, kept;
  gssize n;

  /* A link stays a link, a file keeps its mode. */
  g_assert_true (g_file_set_contents (real, "old", 3, NULL));
  g_chmod (real, 0640);
  g_assert_cmpint (symlink ("real.csv", alias), ==, 0);
  g_assert_true (memlane_csv_write (run, alias, &error));
  g_assert_true (g_file_test (alias, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (stat (real, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 07777, ==, 0640);
  text = get_contents (real);

  /* A pipe gets the text, and no environment. */
  set_environment (run, "{}");
  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  fd = open (pipe_path, O_RDWR);
  g_assert_true (memlane_csv_write (run, pipe_path, &error));
  from_pipe = g_malloc0 (100000);
  n = read (fd, from_pipe, 99999);
  g_assert_cmpint (n, ==, strlen (text));
  g_assert_cmpstr (from_pipe, ==, text);
  close (fd);

  fflush (stdout);
  kept = dup (STDOUT_FILENO);
  fd = open (standard, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2 (fd, STDOUT_FILENO);
  g_assert_true (memlane_csv_write (run, "-", &error));
  dup2 (kept, STDOUT_FILENO);
  close (kept);
  close (fd);
  from_standard = get_contents (standard);
  g_assert_cmpstr (from_standard, ==, text);
  g_assert_false (g_file_test ("-.environment.json", G_FILE_TEST_EXISTS));
}

static void
test_large (void)
{
  g_autofree char *path = in_folder ("large.csv");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  gsize rows = g_test_perf () ? 1000000 : 50000, written = 0;
  FILE *file = fopen (path, "w");
  gint64 began;

  fputs (HEADER, file);
  for (gsize cell = 0; written < rows; cell++)
    for (int clock = 0; clock < 10 && written < rows; clock++, written++)
      fprintf (file, "20261121T101400Z-h200-vector-add,cuda:0,cuda,vector-add,m-%zu,20,1048576,4194304,1,,,none,,%s,%s,57,"
               "12345.678901234567,"
               "12300.125,12400.0625,12000.123456789,12200.123456,12500.654321,15000.123,8388608,%.17g,ok,,,sampling\n", cell,
               memlane_phase_name ((MemlanePhase) (clock % 5)), memlane_clock_name ((MemlaneClock) (clock / 5)),
               8388608 / 12345.678901234567 * 1e9);
  fclose (file);

  began = g_get_monotonic_time ();
  runs = memlane_csv_read (path, NULL, &error);
  g_assert_no_error (error);
  g_test_minimized_result ((double) (g_get_monotonic_time () - began) / 1e6, "%zu rows in %.2f s", rows,
                           (double) (g_get_monotonic_time () - began) / 1e6);
  g_assert_cmpuint (((MemlaneRun *) g_ptr_array_index (runs, 0))->cells->len, ==, (rows + 9) / 10);

  g_cancellable_cancel (cancellable);
  g_assert_null (memlane_csv_read (path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_autofree char *remove = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("memlane-csv-XXXXXX", NULL);
  g_test_add_func ("/result/csv/text", test_text);
  g_test_add_func ("/result/csv/round-trip", test_round_trip);
  g_test_add_func ("/result/csv/decimal-comma-locale", test_decimal_comma_locale);
  g_test_add_func ("/result/csv/samples", test_samples);
  g_test_add_func ("/result/csv/rounds", test_rounds);
  g_test_add_func ("/result/csv/packed", test_packed);
  g_test_add_func ("/result/csv/elapsed-rounds", test_elapsed_rounds);
  g_test_add_func ("/result/csv/columns", test_columns);
  g_test_add_func ("/result/csv/metadata", test_metadata);
  g_test_add_func ("/result/csv/older", test_older);
  g_test_add_func ("/result/csv/unsupported", test_unsupported);
  g_test_add_func ("/result/csv/formulas", test_formulas);
  g_test_add_func ("/result/csv/beside", test_beside);
  g_test_add_func ("/result/csv/bad-fields", test_bad_fields);
  g_test_add_func ("/result/csv/bad-headers", test_bad_headers);
  g_test_add_func ("/result/csv/bad-files", test_bad_files);
  g_test_add_func ("/result/csv/monsters", test_monsters);
  g_test_add_func ("/result/csv/accepted", test_accepted);
  g_test_add_func ("/result/csv/environment", test_environment);
  g_test_add_func ("/result/csv/environment-limits", test_environment_limits);
  g_test_add_func ("/result/csv/unwritable", test_unwritable);
  g_test_add_func ("/result/csv/targets", test_targets);
  g_test_add_func ("/result/csv/large", test_large);
  result = g_test_run ();
  remove = g_strdup_printf ("rm -rf '%s'", folder);
  if (system (remove) != 0)
    g_printerr ("%s is left\n", folder);
  g_free (folder);
  return result;
}
