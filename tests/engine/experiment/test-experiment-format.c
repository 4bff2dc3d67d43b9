/* test-experiment-format.c: an experiment's file is taken whole or refused with its line and the reason
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <string.h>

#include "analysis/published.h"
#include "base/each.h"
#include "engine/cases.h"
#include "experiment/expression.h"
#include "experiment/procedure/procedure.h"

#define HEAD "[Experiment]\ntitle=T\nquestion=Q\nclaim=C\nexplanation=E\n"
#define SWEEP "[Sweep s]\nmodes=pageable;pinned\nsizes=10:12\n"
#define CHECK "[Check c]\nclaim=X\ntest=pinned/elapsed@10:12 < pageable/elapsed@10:12\n"

static MemlaneExperiment *
parse (const char *text, const char *language, GError **error)
{
  return memlane_experiment_parse (text, strlen (text), "f", language, error);
}

/* --- what is refused -------------------------------------------------------------------------- */

static char *
answer_file (const char *asked)
{
  g_autoptr (GString) text = g_string_new (asked);
  g_autoptr (GError) error = NULL;

  g_string_replace (text, "HEAD\n", HEAD, 0);
  g_string_replace (text, "SWEEP\n", SWEEP, 0);
  g_string_replace (text, "CHECK\n", CHECK, 0);
  g_assert_null (parse (text->str, "C", &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  return g_strdup (error->message);
}

static void
test_refused (void)
{
  check_cases ("experiment", "refused.txt", answer_file);
}

/* --- what is taken --------------------------------------------------------------------------------------------------------- */

static void
test_taken (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperiment) experiment
    = parse ("# a remark\n\n" HEAD "title[zh_CN]=\xe9\xa2\x98\nnumber=7\nverdict=c\n" SWEEP CHECK
             "[Check d]\nclaim=Y\ntest=  pinned/alloc@10 + pinned/free@10 - 5us / pageable/elapsed@10   within 0.5 2 \n"
             "[Procedure p]\nprocedure=waiting\n[Check e]\nclaim=Z\ntest=p:device is-not returns\n"
             "[Figure g]\ntitle=G\nvalue=pinned/elapsed@10 / pageable/elapsed@10\nunit=times\npublished=1.5\n"
             "[Table t]\ntitle=T\ncolumns=pinned/elapsed;pageable/kernel/device\nsizes=10:12\npublished=001\n"
             "[Predict]\nquestion=P\nchoices=a;b;\nanswers=c;!c\n", "C", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (experiment->title, ==, "T");
  g_assert_cmpuint (experiment->number, ==, 7);
  g_assert_cmpuint (experiment->steps->len, ==, 2);
  g_assert_cmpuint (experiment->checks->len, ==, 3);
  g_assert_cmpuint (g_strv_length (experiment->verdict), ==, 1);
  g_assert_cmpuint (g_strv_length (experiment->prediction.choices), ==, 2);
  g_assert_true (memlane_experiment_has_cells (experiment));
  g_assert_cmpstr (((MemlaneExperimentStep *) experiment->steps->pdata[0])->summary, ==,
                   "vector-add: pageable, pinned; 2^10 to 2^12 floats");
}

static void
test_language (void)
{
  const char *text = HEAD "title[zh_CN]=\xe9\xa2\x98\n" SWEEP CHECK;
  g_autoptr (MemlaneExperiment) english = parse (text, "C", NULL);
  g_autoptr (MemlaneExperiment) chinese = parse (text, "zh_CN", NULL);
  g_autoptr (MemlaneExperiment) french = parse (text, "fr", NULL);

  g_assert_cmpstr (english->title, ==, "T");
  g_assert_cmpstr (chinese->title, ==, "\xe9\xa2\x98");
  g_assert_cmpstr (chinese->question, ==, "Q");
  g_assert_cmpstr (french->title, ==, "T");
}

static void
test_ten_megabytes (void)
{
  g_autoptr (GString) text = g_string_new (HEAD);
  g_autofree char *folder = g_dir_make_tmp ("memlane-experiment-XXXXXX", NULL), *path = g_build_filename (folder, "big.experiment", NULL);
  g_autoptr (GError) read_error = NULL, line_error = NULL;
  g_autofree char *line = NULL;

  while (text->len < 10 << 20)
    g_string_append (text, "# ten megabytes of remarks, none of which says anything\n");
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  g_assert_null (memlane_experiment_read (path, "C", &read_error));
  g_assert_nonnull (strstr (read_error->message, "expected at most 262144 bytes"));
  /* One line of it. */
  g_string_assign (text, HEAD "fault=");
  line = g_strnfill (30000, 'x');
  g_string_append (text, line);
  g_assert_null (parse (text->str, "C", &line_error));
  g_assert_nonnull (strstr (line_error->message, "f:6: found a line of 30006 bytes, expected at most 20000"));
  g_unlink (path);
  g_rmdir (folder);
}

/* --- the files that come along ---------------------------------------------------------------------------------------------------- */

/* Whatever may be translated is. */
static void
assert_translated (const char *path)
{
  static const char *const texts[] = { "title", "question", "claim", "published-on", "published-differs", "explanation", "since",
                                       "fault", "cure", "choices", "supported", "refuted", "shows" };
  static const char *const forbidden[] = {
    "写结合", "可共享", "托管", "总线", "中转", "锁页", "收支平衡", "内存拷贝",
  };
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) groups = NULL;

  g_assert_true (g_key_file_load_from_file (file, path, G_KEY_FILE_KEEP_TRANSLATIONS, NULL));
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    for (guint k = 0; k < G_N_ELEMENTS (texts); k++)
      {
        g_autofree char *own = g_key_file_get_string (file, groups[i], texts[k], NULL);
        g_autofree char *key = g_strdup_printf ("%s[zh_CN]", texts[k]);
        g_autofree char *theirs = g_key_file_get_string (file, groups[i], key, NULL);

        /* A call's or an attribute's name, and a device's, is the same in every language. */
        if (own == NULL || (k == 0 && strchr (own, ' ') == NULL) || g_strcmp0 (texts[k], "published-on") == 0)
          continue;
        if (theirs == NULL)
          g_error ("%s: [%s] %s is not in Chinese", path, groups[i], texts[k]);
        /* the window's words for the same things are others */
        for (guint m = 0; m < G_N_ELEMENTS (forbidden); m++)
          if (strstr (theirs, forbidden[m]) != NULL)
            g_error ("%s: [%s] %s says %s", path, groups[i], texts[k], forbidden[m]);
      }
}

static void
test_all_installed (void)
{
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) list = memlane_experiment_list ("C", &problems);
  guint numbered = 0;

  g_assert_cmpuint (problems->len, ==, 0);
  MEMLANE_FOR_EACH (const MemlaneExperiment, experiment, list)
    {
      if (experiment->number == 0)
        continue;
      g_assert_cmpuint (experiment->number, ==, ++numbered);
      g_assert_true (experiment->since != NULL || experiment->source == NULL);
      g_assert_nonnull (experiment->supported);
      g_assert_nonnull (experiment->refuted);
      g_assert_nonnull (experiment->prediction.choices);
      g_assert_cmpuint (experiment->fault == NULL, ==, experiment->cure == NULL);
      assert_translated (experiment->path);
      {
        g_autofree char *number = g_strdup_printf ("%u", numbered);
        g_autoptr (MemlaneExperiment) found = memlane_experiment_find (number, "zh_CN", NULL);

        g_assert_cmpstr (found->name, ==, experiment->name);
      }
    }
  g_assert_cmpuint (numbered, ==, 28);
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (memlane_experiment_find ("perpetual-motion", "C", &error));
    g_assert_error (error, MEMLANE_EXPERIMENT_ERROR, MEMLANE_EXPERIMENT_ERROR_UNKNOWN);
    g_assert_nonnull (strstr (error->message, "expected a number, a file, or one of pageable-copy, pinned-copy"));
  }
}

/* --- an experiment agrees with itself -------------------------------------------------------- */

/* Adds what the expression @text names: "trips:pinned/copies". */
static void
add_references (GHashTable *set, const char *text)
{
  g_autoptr (GRegex) reference = g_regex_new ("[a-z0-9-]+:[A-Za-z][^\\s@;]*", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  g_regex_match (reference, text, 0, &match);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL))
    g_hash_table_add (set, g_match_info_fetch (match, 0));
}

static const MemlaneExperimentCheck *
find_check (const MemlaneExperiment *experiment, const char *id)
{
  MEMLANE_FOR_EACH (const MemlaneExperimentCheck, check, experiment->checks)
    if (g_str_equal (check->id, id))
      return check;
  return NULL;
}

/* What picture, verdict and the verdict's sentences are of. */
static GHashTable *
list_shown (const MemlaneExperiment *experiment)
{
  GHashTable *set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const gboolean chosen = experiment->picture[0] != NULL;
  g_autofree char *picture = g_strjoinv (";", experiment->picture);
  g_autofree char *names = g_strdup_printf (";%s;", picture);

  MEMLANE_FOR_EACH (const MemlaneExperimentFigure, figure, experiment->figures)
    {
      g_autofree char *name = g_strdup_printf (";%s;", figure->id);
      g_autofree char *braces = g_strdup_printf ("{%s}", figure->id);

      if (!chosen || strstr (names, name) != NULL
          || (experiment->supported != NULL && strstr (experiment->supported, braces) != NULL)
          || (experiment->refuted != NULL && strstr (experiment->refuted, braces) != NULL))
        add_references (set, figure->value);
    }
  MEMLANE_FOR_EACH (const MemlaneExperimentTable, table, experiment->tables)
    {
      g_autofree char *name = g_strdup_printf (";%s", table->id);

      for (guint i = 0; table->columns[i] != NULL && (!chosen || strstr (names, name) != NULL); i++)
        add_references (set, table->columns[i]);
    }
  for (guint i = 0; experiment->picture[i] != NULL; i++)
    if (find_check (experiment, experiment->picture[i]) != NULL)
      add_references (set, find_check (experiment, experiment->picture[i])->test);
  for (guint i = 0; experiment->verdict[i] != NULL; i++)
    add_references (set, find_check (experiment, experiment->verdict[i])->test);
  return set;
}

/* The correct answer is judged by what the picture and the verdict show, and by nothing else: an answer of another
 * process or of another call would contradict them. In both languages. */
static void
test_agrees (void)
{
  static const char *const languages[] = { "C", "zh_CN" };
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "experiments", NULL);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *file;
  guint n = 0;

  while ((file = g_dir_read_name (folder)) != NULL)
    for (guint i = 0; i < G_N_ELEMENTS (languages) && g_str_has_suffix (file, ".experiment"); i++)
      {
        g_autofree char *whole = g_build_filename (path, file, NULL);
        g_autofree char *text = NULL;
        g_autoptr (GError) error = NULL;
        g_autoptr (MemlaneExperiment) experiment = NULL;
        g_autoptr (GHashTable) shown = NULL;

        g_assert_true (g_file_get_contents (whole, &text, NULL, NULL));
        experiment = memlane_experiment_parse (text, strlen (text), whole, languages[i], &error);
        g_assert_no_error (error);
        MEMLANE_FOR_EACH (const MemlaneExperimentStep, step, experiment->steps)
          g_assert_null (strstr (step->summary, "2^size")); /* progress shows it */
        shown = list_shown (experiment);
        g_assert_nonnull (experiment->prediction.choices);
        for (guint k = 0; experiment->prediction.answers[k] != NULL; k++)
          {
            const char *answer = experiment->prediction.answers[k];
            g_autoptr (GHashTable) asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
            GHashTableIter each;
            gpointer name;

            add_references (asked, find_check (experiment, answer + (answer[0] == '!'))->test);
            g_hash_table_iter_init (&each, asked);
            while (g_hash_table_iter_next (&each, &name, NULL))
              if (!g_hash_table_contains (shown, name))
                g_error ("%s, answer %s: %s is neither in the picture nor in the verdict", file, answer, (char *) name);
          }
        n++;
      }
  g_assert_cmpuint (n, ==, 2 * 28);
}

/* The format's page names every procedure and all that it finds. */
static void
test_page (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "experiments", "README.md", NULL);
  g_autofree char *page = NULL;
  guint n;
  const MemlaneProcedure *const *procedures = memlane_procedure_list (&n);

  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *row = g_strdup_printf ("\n| `%s`: %s |", procedures[i]->id, procedures[i]->summary);
      const char *at = strstr (page, row);

      if (at == NULL)
        g_error ("README.md has no row \"%s\"", row);
      {
        const MemlaneStepOutputs *outputs = &procedures[i]->outputs;
        g_autofree char *all = g_strdup_printf ("%s %s %s", outputs->times != NULL ? outputs->times : "",
                                                outputs->numbers != NULL ? outputs->numbers : "",
                                                outputs->words != NULL ? outputs->words : "");
        g_auto (GStrv) names = g_strsplit (all, " ", -1);

        for (guint k = 0; names[k] != NULL; k++)
          {
            g_auto (GStrv) parts = g_strsplit (names[k], "/", 2);
            g_autofree char *line = g_strndup (at + 1, strcspn (at + 1, "\n"));

            /* "launch" and "/returned" may stand apart. */
            if (strstr (line, names[k]) == NULL
                && (parts[1] == NULL || strstr (line, parts[0]) == NULL || strstr (line, parts[1]) == NULL))
              g_error ("README.md does not name %s of %s", names[k], procedures[i]->id);
          }
      }
    }
}

static const MemlaneExperimentCheck *
find_installed_check (GPtrArray *list, const char *reference)
{
  g_auto (GStrv) parts = g_strsplit (reference, ":", 2);

  MEMLANE_FOR_EACH (const MemlaneExperiment, experiment, list)
    {
      for (guint k = 0; strcmp (experiment->name, parts[0]) == 0 && k < experiment->checks->len; k++)
        if (strcmp (((MemlaneExperimentCheck *) experiment->checks->pdata[k])->id, parts[1]) == 0)
          return experiment->checks->pdata[k];
    }
  return NULL;
}

/* "| 001:299 | claim | `a:b`, `c:d` |": every check is there; returns "001:299 a:b", ... */
static void
read_claim (const char *line, GPtrArray *list, GHashTable *claims, guint *n)
{
  g_auto (GStrv) cells = g_strsplit (line, " | ", 3), references = NULL;

  g_assert_cmpuint (g_strv_length (cells), ==, 3);
  references = g_strsplit (cells[2], "`", -1);
  g_assert_cmpuint (g_strv_length (references), >=, 3);
  for (guint i = 1; references[i] != NULL; i += 2)
    {
      if (find_installed_check (list, references[i]) == NULL)
        g_error ("claims.md: \"%s\": there is no check %s", cells[1], references[i]);
      g_hash_table_add (claims, g_strdup_printf ("%s %s", cells[0] + strlen ("| "), references[i]));
    }
  (*n)++;
}

/* Every line of the table of claims names checks that there are, and every check that cites an article stands in it under that line. */
static void
test_claims (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "doc", "claims.md", NULL), *page = NULL;
  g_autoptr (GPtrArray) list = memlane_experiment_list ("C", NULL);
  g_autoptr (GHashTable) claims = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) lines = NULL;
  guint of_article[5] = { 0 };
  const char *begin, *end;

  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  begin = strstr (page, "# The claims of the articles\n");
  g_assert_nonnull (begin);
  end = strstr (begin, "What no experiment tests");
  g_assert_nonnull (end);
  page[end - page] = '\0';
  lines = g_strsplit (begin, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_regex_match_simple ("^\\| 00[0-4]:[0-9]+ \\|", lines[i], 0, 0))
      read_claim (lines[i], list, claims, &of_article[lines[i][4] - '0']);
    else
      g_assert_false (g_str_has_prefix (lines[i], "| 0"));
  for (guint i = 0; i < G_N_ELEMENTS (of_article); i++)
    g_assert_cmpuint (of_article[i], >, 0);
  MEMLANE_FOR_EACH (const MemlaneExperiment, experiment, list)
    {
      MEMLANE_FOR_EACH (const MemlaneExperimentCheck, check, experiment->checks)
        {
          g_autofree char *claim = g_strdup_printf ("%s %s:%s", check->cite, experiment->name, check->id);

          if (check->cite != NULL && !g_hash_table_contains (claims, claim))
            g_error ("claims.md has no claim \"%s\"", claim);
        }
    }
}

/* Whether @experiment shows the published @value, ns, in a figure or in a table. */
static gboolean
shows (const MemlaneExperiment *experiment, const char *source, const char *mode, const char *phase, guint log2_elements, double value)
{
  MEMLANE_FOR_EACH (const MemlaneExperimentFigure, figure, experiment->figures)
    {
      MemlaneValueKind kind;
      double there;

      if (figure->published != NULL && memlane_parse_quantity (figure->published, &kind, &there) && kind == MEMLANE_VALUE_TIME
          && ABS (there - value) < value * 1e-6)
        return TRUE;
    }
  MEMLANE_FOR_EACH (const MemlaneExperimentTable, table, experiment->tables)
    {
      for (guint k = 0; table->source != NULL && g_str_has_prefix (source, table->source) && table->columns[k] != NULL; k++)
        {
          g_auto (GStrv) parts = g_strsplit_set (table->columns[k], ":/", -1);
          guint n = g_strv_length (parts);

          if (n >= 2 && strcmp (parts[n - 2], mode) == 0 && strcmp (parts[n - 1], phase) == 0 && log2_elements >= table->first_log2
              && log2_elements <= table->last_log2)
            return TRUE;
        }
    }
  return FALSE;
}

/* No figure of published.csv is left out, and where one is shown it is told what differs. */
static void
test_published (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "published.csv", NULL), *text = NULL;
  g_autoptr (GPtrArray) list = memlane_experiment_list ("C", NULL);
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 1; lines[i][0] != '\0'; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);
      double value = g_ascii_strtod (fields[7], NULL);
      guint log2_elements = (guint) g_ascii_strtoull (fields[4], NULL, 10);
      gboolean is_shown = FALSE;

      MEMLANE_FOR_EACH (const MemlaneExperiment, experiment, list)
        {
          g_autofree char *article = g_strndup (fields[0], 3);

          if (experiment->source == NULL || strstr (experiment->source, article) == NULL
              || !shows (experiment, fields[0], fields[3], fields[5], log2_elements, value))
            continue;
          is_shown = TRUE;
          g_assert_nonnull (experiment->published_on);
          g_assert_nonnull (experiment->published_differs);
        }
      if (!is_shown)
        g_error ("published.csv:%u: no experiment shows \"%s\"", i + 1, lines[i]);
      n++;
    }
  g_assert_cmpuint (n, ==, 37);
}

static void
test_not_a_file (void)
{
  static const char *const paths[] = { "/nowhere/x.experiment", "/tmp/", "/dev/zero" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (memlane_experiment_read (paths[i], "C", &error));
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *data = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", NULL);

  g_setenv ("MEMLANE_DATA_DIR", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experiment-format/refused", test_refused);
  g_test_add_func ("/experiment-format/taken", test_taken);
  g_test_add_func ("/experiment-format/claims", test_claims);
  g_test_add_func ("/experiment-format/published", test_published);
  g_test_add_func ("/experiment-format/language", test_language);
  g_test_add_func ("/experiment-format/ten-megabytes", test_ten_megabytes);
  g_test_add_func ("/experiment-format/all-installed", test_all_installed);
  g_test_add_func ("/experiment-format/agrees", test_agrees);
  g_test_add_func ("/experiment-format/page", test_page);
  g_test_add_func ("/experiment-format/not-a-file", test_not_a_file);
  return g_test_run ();
}
