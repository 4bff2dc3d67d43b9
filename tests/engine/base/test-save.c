/* test-save.c: whose a replaced file is, and what it may do
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/save.h"

#define NOBODY 65534

typedef struct
{
  char *folder, *path;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("memlane-save-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "x.csv", NULL);
  g_assert_true (g_file_set_contents (self->path, "old", -1, NULL));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (g_unlink (self->path), ==, 0);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0); /* nothing else was left in it */
  g_free (self->folder);
  g_free (self->path);
}

static struct stat
get_info (const char *path)
{
  struct stat info;

  g_assert_cmpint (stat (path, &info), ==, 0);
  return info;
}

static void
check_text (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

/* The permissions of the old file stay; what would run with its owner's or group's rights does not. */
static void
test_permissions (Fixture *self, gconstpointer data)
{
  static const mode_t modes[][2] = { { 0600, 0600 }, { 0640, 0640 }, { 06777, 0777 }, { 01664, 0664 } };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_assert_cmpint (g_chmod (self->path, modes[i][0]), ==, 0);
      g_assert_cmpint (memlane_save_try_file (self->path, "new", 3), ==, 0);
      g_assert_cmpint (get_info (self->path).st_mode & 07777, ==, modes[i][1]);
    }
}

/* A file that is not replaced has the permissions that the umask leaves. */
static void
test_new (Fixture *self, gconstpointer data)
{
  mode_t old = umask (027);

  g_assert_cmpint (g_unlink (self->path), ==, 0);
  g_assert_cmpint (memlane_save_try_file (self->path, "new", 3), ==, 0);
  g_assert_cmpint (get_info (self->path).st_mode & 07777, ==, 0640);
  umask (old);
}

/* Root saves over somebody's file: it stays theirs. Others cannot give it back, so they are refused. */
static void
test_owner (Fixture *self, gconstpointer data)
{
  if (geteuid () != 0)
    return;
  g_assert_cmpint (chown (self->path, NOBODY, NOBODY), ==, 0);
  g_assert_cmpint (g_chmod (self->path, 06666), ==, 0);
  g_assert_cmpint (memlane_save_try_file (self->path, "new", 3), ==, 0);
  g_assert_cmpint (get_info (self->path).st_uid, ==, NOBODY);
  g_assert_cmpint (get_info (self->path).st_gid, ==, NOBODY);
  g_assert_cmpint (get_info (self->path).st_mode & 07777, ==, 0666);

  g_assert_cmpint (chown (self->path, 0, 0), ==, 0);
  g_assert_cmpint (g_chmod (self->folder, 0777), ==, 0);
  g_assert_cmpint (seteuid (NOBODY), ==, 0);
  g_assert_cmpint (memlane_save_try_file (self->path, "mine", 4), ==, EPERM);
  g_assert_cmpint (seteuid (0), ==, 0);
  check_text (self->path, "new");
  g_assert_cmpint (get_info (self->path).st_uid, ==, 0);
}

/* A link that somebody else put into a folder for everybody is not followed, where the kernel protects from it. */
static void
test_foreign_link (Fixture *self, gconstpointer data)
{
  g_autofree char *link = g_build_filename (self->folder, "link.csv", NULL), *protected = NULL;

  if (geteuid () != 0 || !g_file_get_contents ("/proc/sys/fs/protected_symlinks", &protected, NULL, NULL) || *protected != '1')
    return;
  g_assert_cmpint (g_chmod (self->folder, 01777), ==, 0);
  g_assert_cmpint (symlink ("x.csv", link), ==, 0);
  g_assert_cmpint (memlane_save_try_file (link, "own", 3), ==, 0);
  g_assert_cmpint (lchown (link, NOBODY, NOBODY), ==, 0);
  g_assert_cmpint (memlane_save_try_file (link, "new", 3), ==, EACCES);
  check_text (self->path, "own");
  g_assert_cmpint (g_unlink (link), ==, 0);
}

#define ADD(name, test) g_test_add ("/save/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("permissions", test_permissions);
  ADD ("new", test_new);
  ADD ("owner", test_owner);
  ADD ("foreign-link", test_foreign_link);
  return g_test_run ();
}
