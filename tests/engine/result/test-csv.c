/* test-csv.c: CSV out and in: round trips, a decimal comma, every kind of bad file
 *
 * SPDX-License-Identifier: MIT
 */
#include <locale.h>
#include <stdlib.h>

#include <glib/gstdio.h>

#include "base/each.h"
#include "base/json.h"
#include "comma-locale.h"
#include "result/columns.h"
#include "result/csv.h"
#include "engine/cases.h"
#include "engine/sample-run.h"
#include "engine/set-environment.h"
#include "csv-columns.h"
#include "packed-file.h"

#define OLD_PREFIX "r,cuda:0,cuda,vector-add,pinned,10,1024,4096,1,,,"
#define PREFIX OLD_PREFIX "none,,"
#define GOOD PREFIX "upload,device,10,100,90,110,80,95,105,120,8192,81920000000,ok,,,sampling"
#define GOOD_ROW GOOD "\n"
/* Before there were backgrounds. */
#define IDLE_COLUMNS                                                                            \
  "samples,estimate_ns,low_ns,high_ns,min_ns,q1_ns,q3_ns,max_ns,bytes_moved,bandwidth_bytes_"   \
  "per_s,status,detail,rounds,interval"
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

static void
set_rounds (MemlaneFigure *figure, guint n, const MemlaneRound *rounds)
{
  figure->n_rounds = n;
  figure->rounds = g_memdup2 (rounds, n * sizeof *rounds);
}

static void
round_trip (guint32 first_seed, guint n)
{
  g_autofree char *one = in_folder ("one.csv"), *two = in_folder ("two.csv"),
                  *beside = in_folder ("one.environment.json");

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

/* --- rounds ----------------------------------------------------------------------------------- */

#define ROUNDS_HEADER ROUNDS_COLUMNS "\n"
#define TWO PREFIX "upload,device,5,100,90,110,80,95,105,120,8192,81920000000,ok,,2,other-sweeps"
#define TWO_ROUNDS_ROW TWO "\n"

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

  return memlane_cell_find (g_ptr_array_index (run->cells, 0), MEMLANE_PHASE_UPLOAD,
                            MEMLANE_CLOCK_DEVICE);
}

/* --- what tables say: csv.txt and csv-fields.txt ---------------------------------------------- */

/* Replaces the words for first lines and rows. */
static void
expand (GString *text)
{
  static const char *const words[][2] = {
    { "OLDEST_HEADER", NULL }, { "OLDEST_ROUNDS", OLD_CSV_KEY "round,place,samples,median_ns" },
    { "OLD_HEADER", OLD_CSV_COLUMNS }, { "OLD_ROUNDS", OLD_ROUNDS_COLUMNS },
    { "IDLE_HEADER", OLD_CSV_KEY IDLE_COLUMNS },
    { "IDLE_ROUNDS", OLD_CSV_KEY "round,place,samples,estimate_ns,host_pair_ns,host_launch_ns,"
                                 "host_copy_ns,format" },
    { "HEADER", CSV_COLUMNS }, { "ROUNDS", ROUNDS_COLUMNS }, { "GOOD", GOOD }, { "TWO", TWO },
  };
  const gsize oldest = strlen (OLD_CSV_COLUMNS) - strlen (",rounds");
  g_autofree char *header = g_strndup (OLD_CSV_COLUMNS, oldest);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_string_replace (text, words[i][0], words[i][1] != NULL ? words[i][1] : header, 0);
}

/* Appends the file at @path without its first line; it is removed. Nothing where there is none. */
static void
append_rows (GString *text, const char *path)
{
  g_autofree char *written = NULL;

  if (g_file_get_contents (path, &written, NULL, NULL))
    g_string_append (text, strchr (written, '\n') + 1);
  g_unlink (path);
}

static char *
answer_table (const char *asked)
{
  g_autoptr (GString) text = g_string_new (asked), rows = g_string_new (NULL);
  g_autoptr (GString) rounds = g_string_new (NULL);
  g_autofree char *path = in_folder ("again.csv"), *beside = memlane_csv_rounds_path (path);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  char *behind;

  expand (text);
  behind = strstr (text->str, "---\n");
  if (behind != NULL)
    *behind = '\0';
  runs = read_both (text->str, behind != NULL ? behind + strlen ("---\n") : NULL, &error);
  if (runs == NULL)
    {
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      g_assert_cmpuint (strlen (error->message), <, 600);
      return g_strdup (error->message + strlen (folder) + strlen ("/"));
    }
  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    {
      g_assert_true (memlane_csv_write (run, path, NULL));
      append_rows (rows, path);
      append_rows (rounds, beside);
    }
  if (rounds->len > 0)
    g_string_append_printf (rows, "---\n%s", rounds->str);
  g_string_truncate (rows, rows->len - 1);
  return g_string_free (g_steal_pointer (&rows), FALSE);
}

/* "FROM -> TO": of a good row. */
static char *
answer_change (const char *asked)
{
  g_autofree char *line = g_strndup (asked, strlen (asked) - 1);
  g_auto (GStrv) parts = g_strsplit (line, " -> ", 2);
  g_autoptr (GString) text = g_string_new (HEADER GOOD_ROW);

  g_assert_cmpuint (g_string_replace (text, parts[0], parts[1], 1), ==, 1);
  return answer_table (text->str);
}

static void
test_tables (void)
{
  check_cases ("result", "csv.txt", answer_table);
}

static void
test_fields (void)
{
  check_cases ("result", "csv-fields.txt", answer_change);
}

/* The elapsed time and its rounds are read; other phases are passed over, whatever they contain. */
static void
test_elapsed_rounds (void)
{
  g_autofree char *path = in_folder ("both.csv");
  const char *table = HEADER TWO_ROUNDS_ROW PREFIX
      "upload,host,nonsense\n" PREFIX "elapsed,host,5,100,90,110,80,95,105,120,8192,81920000000,"
                                      "noisy,\"of two\nlines, quoted\",2,other-sweeps\n";
  const char *rounds = ROUNDS_HEADER PREFIX
      "upload,device,1,3,2,90,,,,3\n" PREFIX "elapsed,host,1,3,2,90,,,,3\n" PREFIX
      "upload,device,nonsense\n" PREFIX "elapsed,host,2,4,3,91.5,,,,3\n";
  g_autoptr (GPtrArray) all = read_both (table, rounds, NULL), runs = NULL;
  g_autoptr (GError) error = NULL;
  const MemlaneFigure *elapsed;

  g_assert_null (all);
  runs = memlane_csv_read_elapsed (path, &error);
  g_assert_no_error (error);
  g_assert_null (get_upload (runs));
  elapsed = memlane_cell_find (((MemlaneRun *) runs->pdata[0])->cells->pdata[0],
                               MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  g_assert_cmpuint (elapsed->n_rounds, ==, 2);
  g_assert_cmpstr (elapsed->detail, ==, "of two\nlines, quoted");
  g_assert_cmpfloat (elapsed->rounds[0].median, ==, 90);
  g_assert_cmpfloat (elapsed->rounds[1].median, ==, 91.5);
}

/* gzip may have packed both tables: a name without .gz finds them, and so does the one with. A
 * damaged one is refused. */
static void
test_packed (void)
{
  g_autofree char *path = in_folder ("packed.csv"), *beside = memlane_csv_rounds_path (path);
  g_autofree char *packed = g_strconcat (path, ".gz", NULL),
                  *of_packed = memlane_csv_rounds_path (packed);
  g_autofree char *rounds = g_strconcat (beside, ".gz", NULL), *bytes = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL, again = NULL;
  gsize length;

  g_assert_cmpstr (of_packed, ==, beside);
  pack_file (packed, HEADER, TWO_ROUNDS_ROW, 1);
  pack_file (rounds, ROUNDS_HEADER PREFIX "upload,device,1,3,2,90,,,,3\n",
             PREFIX "upload,device,4,9,3,110.5,,,,3\n", 1);
  g_cancellable_cancel (cancellable);
  g_assert_null (memlane_csv_read (path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
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

/* The headers are a contract, and columns.c has them. */
static void
test_columns (void)
{
  static const struct { MemlaneTable table; gboolean old; const char *header;
  } cases[] = {
    { MEMLANE_TABLE_RUNS, FALSE, CSV_COLUMNS },
    { MEMLANE_TABLE_RUNS, TRUE, OLD_CSV_COLUMNS },
    { MEMLANE_TABLE_ROUNDS, FALSE, ROUNDS_COLUMNS },
    { MEMLANE_TABLE_ROUNDS, TRUE, OLD_ROUNDS_COLUMNS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *expected = g_strconcat (cases[i].header, "\n", NULL);
      g_autoptr (GString) header = g_string_new (NULL);

      memlane_table_append_header (header, cases[i].table, cases[i].old);
      g_assert_cmpstr (header->str, ==, expected);
    }
}

/* The description for CSV on the Web has the columns of the table: names, types, words, units. */
static void
test_metadata (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "schemas",
                                            "memlane.csv-metadata.json", NULL);
  g_autofree char *text = get_contents (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = memlane_json_tree_read (text, -1, path, &error);
  JsonArray *array;
  MemlaneColumn columns[MEMLANE_MOST_COLUMNS];
  guint n = memlane_table_columns (MEMLANE_TABLE_RUNS, columns);

  g_assert_no_error (error);
  array = memlane_json_get_array (
      memlane_json_get_object (json_node_get_object (root), "tableSchema"), "columns");
  g_assert_cmpuint (json_array_get_length (array), ==, n);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *column = json_array_get_object_element (array, i),
                 *type = memlane_json_get_object (column, "datatype");
      const MemlaneMember *member = columns[i].member;
      const char *base = memlane_json_get_text (type != NULL ? type : column,
                                                type != NULL ? "base" : "datatype");
      const char *expected
          = member->kind == MEMLANE_MEMBER_INTEGER ? "integer"
            : member->kind == MEMLANE_MEMBER_NUMBER || member->kind == MEMLANE_MEMBER_BANDWIDTH
                ? "number"
                : "string";

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

/* A table of Memlane 0.2 is written again as that version wrote it. */
static void
test_older (void)
{
  static const char table[] = OLD_CSV_COLUMNS "\n" OLD_PREFIX
    "upload,device,5,100.1,90,110,80,95,105,120,8192,81838161838,ok,,2\n"
    OLD_PREFIX "elapsed,,,,,,,,,,,,unsupported,why,\n";
  static const char rounds[] = OLD_ROUNDS_COLUMNS "\n" OLD_PREFIX "upload,device,1,3,2,90,,,\n"
    OLD_PREFIX "upload,device,4,9,3,110.5,31,3500,90\n";
  g_autofree char *path = in_folder ("old.csv"), *beside = memlane_csv_rounds_path (path);
  g_autofree char *table_again = NULL, *rounds_again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = read_both (table, rounds, &error);

  g_assert_no_error (error);
  g_assert_true (memlane_csv_write_as (runs->pdata[0], path, TRUE, &error));
  g_assert_no_error (error);
  table_again = get_contents (path);
  rounds_again = get_contents (beside);
  g_assert_cmpstr (table_again, ==, table);
  g_assert_cmpstr (rounds_again, ==, rounds);
}

static void
test_decimal_comma_locale (void)
{
  static const char *const installed[]
      = { "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8", "es_ES.UTF-8", "pt_BR.UTF-8" };
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
test_samples (void)
{
  g_autoptr (MemlaneRun) run = memlane_run_new ("r", "cuda:0", "cuda");
  MemlaneCell *cell = memlane_cell_new ("vector-add", "pinned", 10);
  static const double samples[] = { 3, 1.5, 2 };
  static const MemlaneSampleMark marks[] = { { 1, 1980, 50.5 }, { 2, 1755, 60 }, { 1, 0, 7 } };
  g_autofree char *path = in_folder ("samples.csv"), *text = NULL;
  MemlaneStatistics s;

  memlane_statistics_compute (samples, 3, &s);
  memlane_cell_add_figure (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, &s, 0,
                           MEMLANE_STATUS_OK, NULL)
      ->samples = g_memdup2 (samples, sizeof samples);
  memlane_cell_add_figure (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE, &s, 0,
                           MEMLANE_STATUS_OK, NULL); /* not kept */
  g_ptr_array_add (run->cells, cell);
  g_assert_true (memlane_csv_write_samples (run, path, NULL));
  text = get_contents (path);
  g_assert_cmpstr (text, ==,
                   CSV_KEY "round,place,"
                           "set,sm_mhz,time_ns,sample,ns\n" PREFIX "upload,device,,,,,,1,3\n" PREFIX
                           "upload,device,,,,,,2,1.5\n" PREFIX "upload,device,,,,,,3,2\n");

  /* Two rounds: the first took two samples, the second, which is the run's third, took one. */
  g_clear_pointer (&text, g_free);
  set_rounds (
      (MemlaneFigure *) memlane_cell_find (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE), 2,
      (const MemlaneRound[]){ { 1, 7, 2, 2.25 }, { 3, 9, 1, 2 } });
  g_assert_true (memlane_csv_write_samples (run, path, NULL));
  text = get_contents (path);
  g_assert_true (g_str_has_suffix (text, PREFIX "upload,device,1,7,,,,1,3\n" PREFIX
                                                "upload,device,1,7,,,,2,1.5\n" PREFIX
                                                "upload,device,3,9,,,,1,2\n"));

  /* Where each stood; no clock was told for the last. */
  g_clear_pointer (&text, g_free);
  ((MemlaneFigure *) memlane_cell_find (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE))->marks =
    g_memdup2 (marks, sizeof marks);
  g_assert_true (memlane_csv_write_samples (run, path, NULL));
  text = get_contents (path);
  g_assert_true (g_str_has_suffix (text, PREFIX "upload,device,1,7,1,1980,51,1,3\n" PREFIX
                                                "upload,device,1,7,2,1755,60,2,1.5\n" PREFIX
                                                "upload,device,3,9,1,,7,1,2\n"));
}

static GPtrArray *
read_text (const char *text, gssize length, GError **error)
{
  g_autofree char *path = in_folder ("in.csv");

  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return memlane_csv_read (path, NULL, error);
}

/* Cut off anywhere, and with bytes that are no text. */
static void
test_bad_files (void)
{
  static const struct
  {
    const char *text;
    gsize length;
    const char *said;
  } binary[] = {
    { "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, "in.csv:1: column run: found" },
    { "\xff\xfer\0u\0n\0", 8,
      "in.csv:1: column run: found a NUL byte, expected text (a binary file, or UTF-16?)" },
    { HEADER GOOD_ROW "r,cuda:0\0,cuda\n", sizeof HEADER GOOD_ROW "r,cuda:0\0,cuda\n" - 1,
      "in.csv:3: column device: found a NUL byte, expected text" },
  };
  g_autoptr (GError) error = NULL;

  for (gsize cut = 1; cut < strlen (HEADER GOOD_ROW); cut++)
    {
      g_assert_null (read_text (HEADER GOOD_ROW, (gssize) cut, &error));
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      g_clear_error (&error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (binary); i++)
    {
      g_assert_null (read_text (binary[i].text, (gssize) binary[i].length, &error));
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      g_assert_nonnull (strstr (error->message, binary[i].said));
      g_clear_error (&error);
    }
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
  refused_early (text->str, text->len,
                 ":2: column run: found a field of 100000 bytes, expected at most 65536");

  /* an opening quote that swallows all lines behind it */
  g_string_assign (text, HEADER PREFIX "upload,device,,,,,,,,,,,error,\"");
  while (text->len < size)
    g_string_append (text, "r,cuda:0,cuda,and so on and on\n");
  refused_early (text->str, text->len, ":2: column detail: found a row of 1048576 bytes or more");
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
  static const char *const names[][2] = { { "/a/OUT.csv", "/a/OUT.environment.json" },
                                          { "OUT.CSV", "OUT.environment.json" },
                                          { "a.b", "a.b.environment.json" },
                                          { "dir/.csv", "dir/.csv.environment.json" },
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
      g_assert_cmpstr (
          memlane_environment_get_json (((MemlaneRun *) g_ptr_array_index (runs, 0))->environment),
          ==, cases[i].kept ? cases[i].text : NULL);
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
      g_assert_cmpint (((MemlaneRun *) g_ptr_array_index (runs, 0))->environment != NULL, ==,
                       cases[i].kept);
    }
}

/* A hostile one costs the environment, never the table and never the program. */
static void
test_environment_limits (void)
{
  g_autoptr (MemlaneRun) run = sample_run (1, 3);
  g_autofree char *path = in_folder ("limits.csv"), *beside = in_folder ("limits.environment.json");
  g_autofree char *name = g_strnfill (100000, 'n'), *nested = g_strnfill (100000, '['),
                  *padding = g_strnfill (300000, ' ');
  g_autofree char *long_name = g_strdup_printf (
      "{ \"device\": { \"name\": \"%s\" }, \"method\": { \"statement\": \"%.1000s\" } }", name,
      name);
  g_autofree char *deep = g_strdup_printf ("{ \"a\": %s", nested),
                  *large = g_strdup_printf ("{ %s }", padding);
  g_autofree char *deep_said
      = g_strdup_printf ("%s:1:71: found more than 64 levels of nesting, expected fewer: "
                         "no file of Memlane nests so deep",
                         beside);
  g_autofree char *large_said = g_strdup_printf (
      "cannot read %s: found a larger file, expected at most 262144 bytes", beside);
  const char *refused[][2] = { { deep, deep_said }, { large, large_said } };
  g_autoptr (MemlaneEnvironment) environment = NULL;
  const char *text;
  g_autofree char *cut = g_strdup_printf ("%.197s...\"", name),
                  *statement = g_strdup_printf ("\"%.1000s\"", name);

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

int
main (int argc, char **argv)
{
  g_autofree char *remove = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("memlane-csv-XXXXXX", NULL);
  g_test_add_func ("/result/csv/round-trip", test_round_trip);
  g_test_add_func ("/result/csv/decimal-comma-locale", test_decimal_comma_locale);
  g_test_add_func ("/result/csv/samples", test_samples);
  g_test_add_func ("/result/csv/tables", test_tables);
  g_test_add_func ("/result/csv/fields", test_fields);
  g_test_add_func ("/result/csv/packed", test_packed);
  g_test_add_func ("/result/csv/elapsed-rounds", test_elapsed_rounds);
  g_test_add_func ("/result/csv/columns", test_columns);
  g_test_add_func ("/result/csv/metadata", test_metadata);
  g_test_add_func ("/result/csv/older", test_older);
  g_test_add_func ("/result/csv/bad-files", test_bad_files);
  g_test_add_func ("/result/csv/monsters", test_monsters);
  g_test_add_func ("/result/csv/environment", test_environment);
  g_test_add_func ("/result/csv/environment-limits", test_environment_limits);
  result = g_test_run ();
  remove = g_strdup_printf ("rm -rf '%s'", folder);
  if (system (remove) != 0)
    g_printerr ("%s is left\n", folder);
  g_free (folder);
  return result;
}
