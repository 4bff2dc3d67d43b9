/* test-experiment-format.c: an experiment's file is taken whole or refused with its line and the reason
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <string.h>

#include "analysis/published.h"
#include "base/each.h"
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

/* --- what is refused ------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *text, *message;
} refused[] = {
  { "", "f:1: the group [Experiment] is missing" },
  { "title=T\n", "f:1: found 'title=T' before the first group" },
  { "[Experiment]\nrubbish\n", "f:2: found 'rubbish', expected KEY=VALUE" },
  { "[Experiment\n", "f:1: found '[Experiment', expected [GROUP]" },
  { "[Experiment]\n[Experiment]\n", "f:2: [Experiment stands twice, first in line 1" },
  { "[Experiment]\ntitle=T\ntitle=U\n", "f:3: title stands twice, first in line 2" },
  { "[Experiment]\ntitle=\xff\n", "f:2: found bytes that are no text" },
  { "[Experiment]\ntitle=T\nquestion=Q\nclaim=C\n" SWEEP CHECK, "f:1: [Experiment]: the key explanation is missing" },
  { HEAD "colour=red\n" SWEEP CHECK, "f:6: [Experiment] colour: unknown key, expected one of title, question" },
  { HEAD "source[de]=000\n" SWEEP CHECK, "f:6: [Experiment] source[de]: unknown key" },
  { HEAD "fault[de]=x\n" SWEEP CHECK, "f:6: [Experiment] fault[de]: expected the key fault, in English, too" },
  { HEAD "number=0\n" SWEEP CHECK, "f:6: [Experiment] number: found '0', expected a whole number from 1 to 9999" },
  { HEAD "fault= \n" SWEEP CHECK, "f:6: [Experiment] fault: expected 1 to 16000 bytes" },
  { HEAD "fault=a\\qb\n" SWEEP CHECK, "f:6: [Experiment] fault: " },
  { HEAD "verdict=d\n" SWEEP CHECK, "f:6: [Experiment] verdict: there is no [Check d]" },
  { HEAD SWEEP CHECK "requires=d\n", "f:12: [Check c] requires: there is no [Check d] before this one" },
  { HEAD SWEEP CHECK "requires=c\n", "f:12: [Check c] requires: there is no [Check c] before this one" },
  { HEAD SWEEP CHECK "cite=article 1\n", "f:12: [Check c] cite: found 'article 1', expected ARTICLE:LINE" },
  { HEAD "verdict=c\n[Lab l]\ncopy-engines=1\n[Check c]\nclaim=X\ntest=l:efficiency < 1\n",
    "f:6: [Experiment] verdict: [Check c] looks at a simulated device of its own" },
  { HEAD "[Lab l]\ncopy-engines=1\n[Check c]\nclaim=X\ntest=l:efficiency < 1\n", "f:1: [Experiment]: every check looks at a simulated" },
  { HEAD "[Procedure p]\nprocedure=methods\nsize=10\nsizes=10:12\n" CHECK, "f:9: [Procedure p] sizes: expected size or sizes, not both" },
  { HEAD "[Procedure p]\nprocedure=callbacks\nsizes=10:28\n" CHECK, "f:8: [Procedure p] sizes: found size 28, expected at most 24" },
  { HEAD "[Procedure p]\nprocedure=device-query\nsizes=10:12\n" CHECK, "f:8: [Procedure p] sizes: procedure device-query has no such" },
  { HEAD "[Procedure p]\nprocedure=methods\nsizes=10:12\n[Check c]\nclaim=X\ntest=p:memlane < 1us\n",
    "f:11: [Check c] test: found 'p:memlane', expected @SIZE behind it" },
  { HEAD "[Procedure p]\nprocedure=methods\nsizes=10:12\n[Check c]\nclaim=X\ntest=p:memlane@13 < 1us\n",
    "f:11: [Check c] test: found 'p:memlane@13': [Procedure p] has sizes 10 to 12 alone" },
  { HEAD "after=a\n" SWEEP CHECK, "f:6: [Experiment] after: unknown key" },
  { HEAD "supported=It is {nothing}.\n" SWEEP CHECK, "f:6: [Experiment] supported: there is no [Figure nothing]" },
  { HEAD "timeline=s\n" SWEEP CHECK, "f:6: [Experiment] timeline: found 's', expected at most two steps that record" },
  { HEAD "picture=a;;b\n" SWEEP CHECK, "f:6: [Experiment] picture: found an empty part" },
  { HEAD "[Sweeps s]\n" CHECK, "f:6: [Sweeps s]: unknown group" },
  { HEAD "[Sweep]\n" CHECK, "f:6: [Sweep]: unknown group" },
  { HEAD "[Sweep S!]\n" CHECK, "f:6: [Sweep S!]: expected small letters, digits and dashes" },
  { HEAD CHECK, "f:1: [Experiment]: nothing is measured" },
  { HEAD SWEEP, "f:1: [Experiment]: nothing is claimed" },
  { HEAD "[Sweep s]\nsizes=10\n" CHECK, "f:6: [Sweep s]: the key modes is missing" },
  { HEAD "[Sweep s]\nmodes=abacus\nsizes=10\n" CHECK, "f:7: [Sweep s] modes: unknown mode \"abacus\"" },
  { HEAD "[Sweep s]\nmodes=pinned;pinned\nsizes=10\n" CHECK, "f:7: [Sweep s] modes: mode \"pinned\" is named twice" },
  { HEAD "[Sweep s]\nmodes=pinned\nsizes=10:99\n" CHECK, "f:8: [Sweep s] sizes: sizes \"10:99\": expected FIRST:LAST" },
  { HEAD "[Sweep s]\nmodes=pinned\nsizes=2\n" CHECK, "f:8: [Sweep s] sizes: sizes \"2\"" },
  { HEAD "[Sweep s]\nmodes=pinned\nsizes=12:10\n" CHECK, "f:8: [Sweep s] sizes: sizes \"12:10\": the first is the larger one" },
  { HEAD "[Sweep s]\nmodes=pinned\nsizes=10\nworkload=juggle\n" CHECK, "f:9: [Sweep s] workload: unknown workload 'juggle'" },
  { HEAD "[Sweep s]\nmodes=pinned\nsizes=10\nreuse=0\n" CHECK, "f:9: [Sweep s] reuse: found '0'" },
  { HEAD "[Sweep s]\nmodes=pinned\nsizes=10\nstreams=99\n" CHECK, "f:9: [Sweep s] streams: found '99'" },
  { HEAD "[Sweep s]\nmodes=pinned\nsizes=10\nprecision=-1\n" CHECK, "f:9: [Sweep s] precision: found '-1', expected a number" },
  { HEAD SWEEP "[Sweep s2]\nmodes=pinned\nsizes=11\n" CHECK, "f:10: [Sweep s2] modes: pinned is measured at these sizes by [Sweep s]" },
  { HEAD SWEEP "[Trace s]\nmode=pinned\nsize=10\n" CHECK, "f:9: [Trace s]: there is a step 's' already" },
  { HEAD SWEEP "[Trace t]\nmode=pinned\nsize=10:11\n" CHECK, "f:11: [Trace t] size: expected one mode and one size" },
  { HEAD SWEEP "[Trace t]\nmode=pinned\nsize=10\ncopy-engines=4\n" CHECK, "f:12: [Trace t] copy-engines: found '4'" },
  { HEAD SWEEP "[Lab l]\norder=sideways\n" CHECK, "f:10: [Lab l] order: found 'sideways', expected depth-first" },
  { HEAD SWEEP "[Lab l]\nbetween=tea\n" CHECK, "f:10: [Lab l] between: found 'tea'" },
  { HEAD SWEEP "[Lab l]\npageable=maybe\n" CHECK, "f:10: [Lab l] pageable: found 'maybe', expected true or false" },
  { HEAD SWEEP "[Procedure p]\nprocedure=levitate\n" CHECK, "f:10: [Procedure p] procedure: unknown procedure 'levitate'" },
  { HEAD SWEEP "[Procedure p]\nprocedure=waiting\nsize=10\n" CHECK, "f:11: [Procedure p] size: procedure waiting has no such option" },
  { HEAD SWEEP "[Procedure p]\nprocedure=round-trips\nbytes=1\n" CHECK, "f:11: [Procedure p] bytes: found '1'" },
  { HEAD SWEEP "[Check c]\nclaim=X\ntest=\n", "f:11: [Check c] test: expected 1 to 16000 bytes" },
  { HEAD SWEEP CHECK "[Figure g]\ntitle=G\nvalue=pinned/elapsed\n", "f:14: [Figure g] value: found 'pinned/elapsed', expected @SIZE" },
  { HEAD SWEEP CHECK "[Figure g]\ntitle=G\nvalue=pinned/elapsed@10:12\n", "f:14: [Figure g] value: a figure has one size" },
  { HEAD SWEEP CHECK "[Figure g]\ntitle=G\nvalue=pinned/elapsed@10\nunit=x\n", "f:15: [Figure g] unit: only a number has a unit" },
  { HEAD SWEEP CHECK "[Figure g]\ntitle=G\nvalue=pinned/elapsed@10\npublished=3\n",
    "f:15: [Figure g] published: found '3', expected a time, such as 5.7688 ms, as the value is" },
  { HEAD SWEEP CHECK "[Table t]\ntitle=G\ncolumns=pinned/elapsed\nsizes=10:13\n", "f:14: [Table t] columns: found 'pinned/elapsed@" },
  { HEAD SWEEP CHECK "[Table t]\ntitle=G\ncolumns=;\nsizes=10:12\n", "f:14: [Table t] columns: found an empty part" },
  { HEAD SWEEP CHECK "[Predict]\nquestion=Q\n",
    "f:12: [Predict] answers: found 0, expected one for each of the 0 choices, and two at least" },
  { HEAD SWEEP CHECK "[Predict]\nquestion=Q\nchoices=a;b\nanswers=c\n", "f:15: [Predict] answers: found 1, expected one for each" },
  { HEAD SWEEP CHECK "[Predict]\nquestion=Q\nchoices=a;b\nanswers=c;!d\n", "f:15: [Predict] answers: there is no [Check !d]" },
  { HEAD SWEEP CHECK "[Predict]\nquestion=Q\nchoices=a;b\nchoices[de]=a\nanswers=c;!c\n", "f:15: [Predict] choices[de]: found 1 choices" },
  { HEAD SWEEP CHECK "[Predict]\nquestion=Q\ncurve=pinned/elapsed\n", "f:14: [Predict] curve: unknown key" },
};

/* Tests of a check over SWEEP, in line 11. */
static const struct
{
  const char *test, *message;
} tests[] = {
  { "pinned/elapsed@10", "the test ends too early, expected <, >, within, is or is-not" },
  { "pinned/elapsed@10 <", "found 'the end', expected a figure or a number" },
  { "< pinned/elapsed@10", "found '<', expected a figure or a number" },
  { "pinned/elapsed@10 = 5us", "found '=', expected <, >, within" },
  { "pinned/elapsed@10 < 5", "'<' has a time on one side and a number or a word on the other" },
  { "pinned/elapsed@10 < 5us 6us", "found '6us', expected the end" },
  { "pinned/elapsed@10 is fast", "'is' compares words, and this is none" },
  { "pinned/elapsed@10 within 1us", "found 'the end', expected a time" },
  { "pinned/elapsed@10 within 2us 1us", "the bounds of within stand the wrong way round" },
  { "pinned/elapsed@10 + 3 < 5us", "'3' is a number: it does not add to what stands before" },
  { "3 / pinned/elapsed@10 < 5", "a number cannot be divided by a time" },
  { "pinned/elapsed@10:11 < pageable/elapsed@10:12", "found 'pageable/elapsed@10:12', expected the sizes that stand before: 10:11" },
  { "pinned/elapsed@9 < 5us", "found 'pinned/elapsed@9': [Sweep s] has sizes 10 to 12 alone" },
  { "pinned/elapsed@x < 5us", "found 'pinned/elapsed@x', expected a size or FIRST:LAST behind the @" },
  { "mapped/elapsed@10 < 5us", "[Sweep s] has no mode 'mapped'" },
  { "pinned/waiting@10 < 5us", "unknown phase 'waiting'" },
  { "pinned/elapsed/sun@10 < 5us", "unknown clock 'sun'" },
  { "pinned@10 < 5us", "expected MODE/PHASE or MODE/PHASE/CLOCK" },
  { "t:pinned/elapsed@10 < 5us", "there is no step 't'" },
  { "p:device@10 is waits", "only a sweep's figures, or those of a procedure with sizes, have sizes" },
  { "p:nothing is waits", "procedure waiting finds no 'nothing'" },
  { "p:device is", "the test ends too early, expected a word" },
  { "p:device < 5", "found '<', expected is or is-not" },
  { "p:device / p:query is x", "a word cannot be divided" },
  { "1e3us < 5us", "found '1e3us'" },
};

static void
assert_refused (const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperiment) experiment = parse (text, "C", &error);

  if (experiment != NULL)
    g_error ("taken, although \"%s\":\n%s", message, text);
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  if (strstr (error->message, message) == NULL)
    g_error ("\"%s\" does not say \"%s\"", error->message, message);
}

static void
test_refused (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    assert_refused (refused[i].text, refused[i].message);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *text = g_strconcat (HEAD SWEEP "[Check c]\nclaim=X\ntest=", tests[i].test,
                                           "\n[Procedure p]\nprocedure=waiting\n", NULL);
      g_autofree char *message = g_strconcat ("f:11: [Check c] test: ", NULL);

      assert_refused (text, message);
      assert_refused (text, tests[i].message);
    }
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
  for (guint i = 0; i < list->len; i++)
    {
      const MemlaneExperiment *experiment = list->pdata[i];

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

  for (guint i = 0; i < list->len; i++)
    {
      const MemlaneExperiment *experiment = list->pdata[i];

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
  for (guint i = 0; i < list->len; i++)
    {
      const MemlaneExperiment *experiment = list->pdata[i];

      for (guint k = 0; k < experiment->checks->len; k++)
        {
          const MemlaneExperimentCheck *check = experiment->checks->pdata[k];
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
  for (guint i = 0; i < experiment->figures->len; i++)
    {
      const MemlaneExperimentFigure *figure = experiment->figures->pdata[i];
      MemlaneValueKind kind;
      double there;

      if (figure->published != NULL && memlane_parse_quantity (figure->published, &kind, &there) && kind == MEMLANE_VALUE_TIME
          && ABS (there - value) < value * 1e-6)
        return TRUE;
    }
  for (guint i = 0; i < experiment->tables->len; i++)
    {
      const MemlaneExperimentTable *table = experiment->tables->pdata[i];

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

      for (guint k = 0; k < list->len; k++)
        {
          const MemlaneExperiment *experiment = list->pdata[k];
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
