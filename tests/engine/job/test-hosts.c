/* test-hosts.c: the file of hosts, and the ids of their devices
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/cases.h"
#include "job/hosts.h"

static GPtrArray *
parse (const char *text, GError **error)
{
  return memlane_hosts_parse (text, strlen (text), "hosts", error);
}

static char *
answer_hosts (const char *asked)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) hosts = parse (asked, &error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (g_str_has_prefix (asked, "split "))
    {
      g_autofree char *device = g_strndup (asked + 6, strlen (asked) - 7), *host = NULL;
      const char *id = memlane_host_split (device, &host);

      g_assert_cmpstr (memlane_host_split (device, NULL), ==, id);
      return g_strdup_printf ("'%s' of %s", id, host != NULL ? host : "this machine");
    }
  if (hosts == NULL)
    {
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      return g_strdup (error->message);
    }
  for (guint i = 0; i < hosts->len; i++)
    {
      const MemlaneHost *host = hosts->pdata[i];
      g_autofree char *words = g_strjoinv (" | ", host->words);

      g_string_append_printf (text, "%s%s: %s: %s", i > 0 ? "\n" : "", host->name, host->command, words);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_texts (void)
{
  check_cases ("job", "hosts.txt", answer_hosts);
}

static void
test_limits (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = g_strnfill (201, 'n'), *command = g_strnfill (2001, 'c');
  g_autofree char *large = g_strnfill (256 * 1024 + 1, '#');
  g_autoptr (GPtrArray) hosts = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < MEMLANE_MOST_HOSTS; i++)
    g_string_append_printf (text, "[n%u]\ncommand=x\n", i);
  hosts = parse (text->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hosts->len, ==, MEMLANE_MOST_HOSTS);
  g_string_append (text, "[another]\ncommand=x\n");
  g_assert_null (parse (text->str, &error));
  g_assert_nonnull (strstr (error->message, "at most 100"));
  g_clear_error (&error);

  g_assert_null (memlane_host_new (name, "x", &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  g_clear_error (&error);
  g_assert_null (memlane_host_new ("n", command, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
  g_clear_error (&error);
  g_assert_null (memlane_host_new ("", "x", &error));
  g_clear_error (&error);
  g_assert_null (parse (large, &error));
  g_assert_nonnull (strstr (error->message, "larger file"));
}

/* Written and read again; a missing file is none, an unreadable one is an error, an unknown host is named. */
static void
test_file (void)
{
  static const char text[] = "[b]\ncommand=sh -c 'a  b' \"c;d\" '#'\n[a]\ncommand=x\\ty\n";
  g_autofree char *prepared = NULL;
  g_autoptr (GPtrArray) empty = NULL;
  g_autoptr (GPtrArray) hosts = NULL, again = NULL, none = memlane_hosts_read (NULL);
  g_autofree char *path = g_build_filename (g_get_user_config_dir (), "memlane", "hosts", NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;

  g_assert_nonnull (none);
  g_assert_cmpuint (none->len, ==, 0);
  prepared = memlane_hosts_prepare (&error);
  g_assert_no_error (error);
  g_assert_cmpstr (prepared, ==, path);
  empty = memlane_hosts_read (&error); /* it explains itself, and names no host */
  g_assert_no_error (error);
  g_assert_cmpuint (empty->len, ==, 0);
  hosts = parse (text, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  again = memlane_hosts_read (&error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const MemlaneHost *one = hosts->pdata[i], *other = again->pdata[i];

      g_assert_cmpstr (one->name, ==, other->name);
      g_assert_cmpstr (one->command, ==, other->command);
    }
  words = memlane_host_get_words ("b", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (words[2], ==, "a  b");
  g_assert_null (memlane_host_get_words ("c", &error));
  g_assert_nonnull (strstr (error->message, "unknown host \"c\""));
  g_clear_error (&error);

  g_unlink (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  g_assert_null (memlane_hosts_read (&error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
  g_assert_nonnull (strstr (error->message, path));
  g_rmdir (path);
  g_clear_error (&error);

  /* A pipe without a writer, which would block for ever, and one that never ends. */
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (memlane_hosts_read (&error));
  g_assert_nonnull (strstr (error->message, "expected a file"));
  g_clear_error (&error);
  g_unlink (path);
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  g_assert_null (memlane_hosts_read (&error));
  g_assert_nonnull (strstr (error->message, "expected a file"));
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-hosts-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hosts/texts", test_texts);
  g_test_add_func ("/hosts/limits", test_limits);
  g_test_add_func ("/hosts/file", test_file);
  status = g_test_run ();
  g_rmdir (folder);
  return status;
}
