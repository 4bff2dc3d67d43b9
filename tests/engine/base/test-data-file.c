/* test-data-file.c: which of several data files is taken
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gstdio.h>

#include "base/data-file.h"

static void
test_order (void)
{
  g_autofree char *own = g_dir_make_tmp ("memlane-data-XXXXXX", NULL), *folder = g_build_filename (own, "recordings", NULL);
  g_autofree char *path = g_build_filename (folder, "mine.csv", NULL), *found = NULL, *other = NULL;
  g_autofree char *packed = NULL, *both = NULL, *found_packed = NULL;
  g_autoptr (GPtrArray) folders = NULL, files = NULL;

  g_mkdir (folder, 0700);
  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
  g_assert_null (memlane_data_find ("recordings/mine.csv"));

  g_setenv ("MEMLANE_DATA_DIR", own, TRUE);
  found = memlane_data_find ("recordings/mine.csv");
  g_assert_cmpstr (found, ==, path);
  folders = memlane_data_list_folders (NULL);
  g_assert_cmpstr (folders->pdata[0], ==, own);
  /* A packed one counts by its name without .gz, and once. */
  packed = g_build_filename (folder, "packed.csv.gz", NULL);
  g_assert_true (g_file_set_contents (packed, "x", 1, NULL));
  both = g_strconcat (path, ".gz", NULL);
  g_assert_true (g_file_set_contents (both, "x", 1, NULL));
  found_packed = memlane_data_find ("recordings/packed.csv");
  g_assert_true (g_str_has_prefix (packed, found_packed));
  files = memlane_data_list_files ("recordings", "ed.csv");
  g_assert_cmpuint (files->len, ==, 1);
  g_assert_cmpstr (files->pdata[0], ==, packed);
  g_clear_pointer (&files, g_ptr_array_unref);
  files = memlane_data_list_files ("recordings", "mine.csv");
  g_assert_cmpuint (files->len, ==, 1);
  g_assert_cmpstr (files->pdata[0], ==, path);
  (void) g_unlink (packed);
  (void) g_unlink (both);

  /* What the own folder lacks is found elsewhere: here in the source tree. */
  other = memlane_data_find ("devices/h200.device");
  g_assert_nonnull (other);
  g_assert_false (g_str_has_prefix (other, own));
  g_unsetenv ("MEMLANE_DATA_DIR");

  g_unlink (path);
  g_rmdir (folder);
  g_rmdir (own);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data-file/order", test_order);
  return g_test_run ();
}
