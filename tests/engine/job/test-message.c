/* test-message.c: the page of the protocol is the table of messages; `test-message --print` prints it
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "job/message.h"

#define BEGIN "<!-- the table: printed by test-message --print -->\n"
#define END "<!-- its end -->\n"

static void describe_members (GString *text, const MemlaneRecord *record, GPtrArray *records);

static void
describe_words (GString *text, const MemlaneMember *member)
{
  for (guint i = 0; i <= member->most; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", member->get_word (i));
}

static void
describe_kind (GString *text, const MemlaneMember *member)
{
  static const struct
  {
    const char *before, *after; /* after NULL: without the range */
  } kinds[] = {
    [MEMLANE_MEMBER_TEXT] = { "text, ", " characters" },
    [MEMLANE_MEMBER_NAME] = { "name" },
    [MEMLANE_MEMBER_TITLE] = { "title" },
    [MEMLANE_MEMBER_INTEGER] = { "whole number, ", "" },
    [MEMLANE_MEMBER_NUMBER] = { "number, ", "" },
    [MEMLANE_MEMBER_FLAG] = { "flag" },
    [MEMLANE_MEMBER_MODE] = { "id of a mode" },
    [MEMLANE_MEMBER_MODES] = { "list of ids of modes" },
    [MEMLANE_MEMBER_WORKLOAD] = { "id of a workload" },
    [MEMLANE_MEMBER_ENVIRONMENT] = { "object (engine/result/environment.h)" },
    [MEMLANE_MEMBER_RECORD] = { "object" },
    [MEMLANE_MEMBER_POINTER] = { "object" },
    [MEMLANE_MEMBER_RECORDS] = { "list of ", " objects" },
  };
  const char *before = member->kind < G_N_ELEMENTS (kinds) ? kinds[member->kind].before : NULL;

  if (member->kind == MEMLANE_MEMBER_DOCUMENT)
    g_string_append_printf (text, "text of at most %g bytes", member->most);
  else if (member->kind == MEMLANE_MEMBER_WORD)
    describe_words (text, member);
  else if (before != NULL && kinds[member->kind].after == NULL)
    g_string_append (text, before);
  else if (before != NULL)
    g_string_append_printf (text, "%s%g to %g%s", before, member->least, member->most,
                            kinds[member->kind].after);
  else
    {
      g_assert_cmpint (member->kind, ==, MEMLANE_MEMBER_ARRAY);
      if (member->count < 0)
        g_string_append (text, "as many as count, or missing; ");
      else
        g_string_append_printf (text, "%g to %g; ", member->least, member->most);
      g_string_append (text, member->record->n_members > 1 ? "each a list in this order"
                                                           : "each a number");
    }
}

/* "key (kind), ..."; the members of structs come after, each once. */
static void
describe_members (GString *text, const MemlaneRecord *record, GPtrArray *records)
{
  for (guint i = 0; i < record->n_members; i++)
    {
      const MemlaneMember *member = &record->members[i];

      if (member->key == NULL)
        continue;
      g_string_append_printf (text, "%s`%s` (", i > 0 ? ", " : "", member->key);
      describe_kind (text, member);
      g_string_append_c (text, ')');
      if (member->record != NULL && !g_ptr_array_find (records, member, NULL))
        g_ptr_array_add (records, (gpointer) member);
    }
}

static void
describe_requests (GString *text, guint32 requests)
{
  const char *between = "";

  if (requests == G_MAXUINT32)
    g_string_append (text, "all");
  for (guint i = 0; requests != G_MAXUINT32 && i < MEMLANE_N_MESSAGES; i++)
    if ((requests & (1u << i)) != 0)
      {
        g_string_append_printf (text, "%s%s", between, memlane_messages[i].name);
        between = ", ";
      }
}

static char *
describe (void)
{
  g_autoptr (GPtrArray) records = g_ptr_array_new ();
  GString *text = g_string_new (BEGIN);

  for (guint answers = 0; answers < 2; answers++)
    {
      g_string_append (text, answers ? "\n| answer | to | after | most | members | |\n|---|---|---|---|---|---|\n"
                                     : "| request | members | |\n|---|---|---|\n");
      for (guint i = 0; i < MEMLANE_N_MESSAGES; i++)
        {
          const MemlaneMessageRow *row = &memlane_messages[i];

          if (row->is_answer != (gboolean) answers)
            continue;
          g_string_append_printf (text, "| `%s` | ", row->name);
          if (answers)
            {
              describe_requests (text, row->to);
              g_string_append_printf (text, " | %s | ", row->after < MEMLANE_N_MESSAGES ? memlane_messages[row->after].name : "");
              g_string_append_printf (text, row->most < G_MAXUINT ? "%u | " : "| ", row->most);
            }
          describe_members (text, &row->record, records);
          g_string_append_printf (text, " | %s |\n", row->meaning);
        }
    }
  g_string_append (text, "\n| object | members |\n|---|---|\n");
  for (guint i = 0; i < records->len; i++)
    {
      const MemlaneMember *member = records->pdata[i];

      if (member->record->n_members == 1)
        continue;
      g_string_append_printf (text, "| `%s` | ", member->key);
      describe_members (text, member->record, records);
      g_string_append (text, " |\n");
    }
  g_string_append (text, END);
  return g_string_free (text, FALSE);
}

static void
test_page (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "engine", "job", "README.md", NULL);
  g_autofree char *page = NULL, *table = describe ();
  g_autofree char *head = g_strdup_printf ("# The worker and its protocol, version %d\n", MEMLANE_WORKER_PROTOCOL);

  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  g_assert_true (g_str_has_prefix (page, head));
  if (strstr (page, table) == NULL)
    g_error ("%s: its table is not that of message.c; expected:\n%s", path, table);
}

/* Every request and answer is described: a name of its own, and a place in the order of answers. */
static void
test_rows (void)
{
  for (guint i = 0; i < MEMLANE_N_MESSAGES; i++)
    {
      g_assert_nonnull (memlane_messages[i].name);
      g_assert_nonnull (memlane_messages[i].meaning);
      g_assert_cmpint (memlane_messages[i].is_answer, ==, i >= MEMLANE_MESSAGE_HELLO);
      g_assert_cmpint (memlane_messages[i].to != 0, ==, memlane_messages[i].is_answer);
      for (guint k = 0; k < i; k++)
        g_assert_cmpstr (memlane_messages[i].name, !=, memlane_messages[k].name);
    }
}

/* A run's id becomes the name of its journal and of its file. */
static void
test_run_id (void)
{
  static const char *const ids[] = { "20261124T100000.000Z-cuda-0", "../../victim", ".hidden", "/etc/passwd", "a b" };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (MemlaneRun) run = memlane_run_new (ids[i], "cuda:0", "cuda");
      MemlaneMessage message = { .type = MEMLANE_MESSAGE_RUN, .run = run }, read;
      g_autofree char *line = NULL;
      g_autoptr (GError) error = NULL;

      run->environment = memlane_environment_new (json_object_new ());
      line = memlane_message_write (&message);
      if (memlane_message_read (&read, line, strlen (line) - 1, TRUE, "the worker", &error))
        memlane_message_clear (&read);
      if (i == 0)
        g_assert_no_error (error);
      else
        g_assert_nonnull (strstr (error->message, "id: expected 1 to 200 letters, digits"));
    }
}

/* A word of a finding goes into reports as it is. */
static void
test_word (void)
{
  static const struct
  {
    const char *word;
    gboolean is_taken;
  } cases[] = { { "not-yet", TRUE }, { "<script>alert(1)</script>", FALSE }, { "a|b", FALSE }, { "`", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = g_strdup_printf ("{\"type\":\"finding\",\"step\":\"s\",\"name\":\"n\",\"value\":{\"kind\":%d,"
                                               "\"count\":1,\"median\":0,\"low\":0,\"high\":0,\"word\":\"%s\",\"doubt\":0}}",
                                               MEMLANE_VALUE_WORD, cases[i].word);
      MemlaneMessage message;
      g_autoptr (GError) error = NULL;
      gboolean done = memlane_message_read (&message, line, strlen (line), TRUE, "the worker", &error);

      g_assert_true (done == cases[i].is_taken);
      if (done)
        memlane_message_clear (&message);
    }
}

int
main (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], "--print") == 0)
    {
      g_autofree char *table = describe ();

      fputs (table, stdout);
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/message/rows", test_rows);
  g_test_add_func ("/message/run-id", test_run_id);
  g_test_add_func ("/message/word", test_word);
  g_test_add_func ("/message/page", test_page);
  return g_test_run ();
}
