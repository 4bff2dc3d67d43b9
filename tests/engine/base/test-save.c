/* test-save.c: whose a replaced file is, and what it may do
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/save.h"

#define NOBODY 65534

static gboolean lacks_proc;

/* In place of libc's, for the whole program. */
int
access (const char *path, int mode)
{
  if (!lacks_proc || strncmp (path, "/proc", 5) != 0)
    return faccessat (AT_FDCWD, path, mode, 0);
  errno = ENOENT;
  return -1;
}

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

/* The permissions of the old file stay; what would run with its owner's or group's rights does not.
 */
static void
test_permissions (Fixture *self, gconstpointer data)
{
  static const mode_t modes[][2]
      = { { 0600, 0600 }, { 0640, 0640 }, { 06777, 0777 }, { 01664, 0664 } };

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
  g_assert_cmpint (memlane_save_try_file (self->folder, "new", 3), ==, EISDIR);
  umask (old);
}

/* Root saves over somebody's file: it stays theirs. Others cannot give it back, so they are
 * refused. */
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

/* A link that somebody else put into a folder for everybody is not followed, where the kernel
 * protects from it. */
static void
test_foreign_link (Fixture *self, gconstpointer data)
{
  g_autofree char *link = g_build_filename (self->folder, "link.csv", NULL), *protected = NULL;

  if (geteuid () != 0
      || !g_file_get_contents ("/proc/sys/fs/protected_symlinks", &protected, NULL, NULL)
      || *protected != '1')
    return;
  g_assert_cmpint (g_chmod (self->folder, 01777), ==, 0);
  g_assert_cmpint (symlink ("x.csv", link), ==, 0);
  g_assert_cmpint (memlane_save_try_file (link, "own", 3), ==, 0);
  g_assert_cmpint (lchown (link, NOBODY, NOBODY), ==, 0);
  g_assert_cmpint (memlane_save_try_file (link, "new", 3), ==, EACCES);
  check_text (self->path, "own");
  g_assert_cmpint (g_unlink (link), ==, 0);
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* A file on its way has no name. Without /proc, by which it gets one, it has a name from the
 * start. */
static void
test_on_its_way (Fixture *self, gconstpointer data)
{
  /* Not each file system has such files. */
  int unnamed = open (self->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

  for (guint i = unnamed >= 0 ? 0 : 1; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      MemlaneSave *save;

      lacks_proc = i > 0;
      save = memlane_save_prepare (self->path, "new", 3, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (count_files (self->folder), ==, 1 + i);
      g_assert_true (memlane_save_commit (save, &error));
      check_text (self->path, "new");
      memlane_save_free (save);
    }
  lacks_proc = FALSE;
  if (unnamed >= 0)
    close (unnamed);
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
  ADD ("on-its-way", test_on_its_way);
  return g_test_run ();
}
