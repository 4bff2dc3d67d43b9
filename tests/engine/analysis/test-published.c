/* test-published.c: the figures of others, and what is wrong in a file of them
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "result/csv.h"
#include "analysis/published.h"

#define HEADER "source,device,workload,mode,log2_elements,phase,clock,value_ns,bytes,note\n"

static char *folder;

static char *
write_file (const char *text, gssize length)
{
  char *path = g_build_filename (folder, "published.csv", NULL);

  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return path;
}

static void
test_shipped (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "published.csv", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlanePublished) published = memlane_published_read (path, &error);
  const MemlanePublishedFigure *figure;

  g_assert_no_error (error);
  g_assert_cmpuint (published->figures->len, ==, 29);
  g_assert_cmpuint (published->skipped, ==, 8); /* modes and phases of their own */
  figure = published->figures->pdata[1];
  g_assert_cmpstr (figure->source, ==, "001_b8c2d35c1d79a831.txt");
  g_assert_cmpstr (figure->device, ==, "laptop GPU of 2018 (not named)");
  g_assert_cmpstr (figure->workload, ==, "vector-add");
  g_assert_cmpstr (figure->mode, ==, "mapped");
  g_assert_cmpuint (figure->log2_elements, ==, 10);
  g_assert_cmpint (figure->phase, ==, MEMLANE_PHASE_ELAPSED);
  g_assert_cmpint (figure->clock, ==, MEMLANE_CLOCK_HOST);
  g_assert_cmpfloat (figure->value_ns, ==, 3000);
  g_assert_cmpuint (figure->bytes, ==, 4096);
  g_assert_cmpstr (figure->note, ==, "table says us");
}

static void
test_default (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlanePublished) published = NULL;
  g_autofree char *path = write_file (HEADER "us,them,fill,pinned,4,upload,device,2.5,64,\r\n", -1);

  g_setenv ("MEMLANE_DATA_DIR", folder, TRUE);
  published = memlane_published_read_default (&error);
  g_unsetenv ("MEMLANE_DATA_DIR");
  g_assert_no_error (error);
  g_assert_cmpuint (published->figures->len, ==, 1);
  g_assert_null (((MemlanePublishedFigure *) published->figures->pdata[0])->note);
  g_unlink (path);
}

static void
test_bad (void)
{
  static const struct { const char *text; guint line; } cases[] = {
    { "", 1 },
    { "a,b\n", 1 },
    { "source,device,workload,mode,log2,phase,clock,value_ns,bytes,note\n", 1 },
    { HEADER "us,them,fill,pinned,4,upload,device,2,5,64,\n", 2 },
    { HEADER "us,them,fill,pinned,4,upload,device,2\n", 2 },
    { HEADER "us,them,fill,pinned,4,upload,device,0,64,\n", 2 },
    { HEADER "us,them,fill,pinned,4,upload,device,nan,64,\n", 2 },
    { HEADER "us,them,fill,pinned,4,upload,device,1e999,64,\n", 2 },
    { HEADER "us,them,fill,pinned,4,upload,wall,2,64,\n", 2 },
    { HEADER "us,them,fill,pinned,61,upload,device,2,64,\n", 2 },
    { HEADER "us,them,fill,pinned,4,upload,device,2,63,\n", 2 },
    { HEADER ",them,fill,pinned,4,upload,device,2,64,\n", 2 },
    { HEADER "\n", 2 },
    { HEADER "us,them,fill,pinned,4,upload,device,2,64,a comma, \"open\n", 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = write_file (cases[i].text, -1);
      g_autofree char *place = g_strdup_printf ("published.csv:%u: found '", cases[i].line);
      g_autoptr (GError) error = NULL;

      g_assert_null (memlane_published_read (path, &error));
      g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, place));
    }
}

static void
test_large (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = write_file (HEADER, -1);

  g_assert_cmpint (truncate (path, (16 << 20) + 1), ==, 0);
  g_assert_null (memlane_published_read (path, &error));
  g_assert_nonnull (strstr (error->message, "expected at most 16777216 bytes"));
}

static void
test_absent (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "none.csv", NULL);

  g_assert_null (memlane_published_read (path, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
  g_clear_error (&error);
  g_assert_null (memlane_published_read (folder, &error));
  g_assert_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO);
}

int
main (int argc, char **argv)
{
  int status;
  g_autofree char *path = NULL;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("memlane-published-XXXXXX", NULL);
  path = g_build_filename (folder, "published.csv", NULL);
  g_test_add_func ("/published/shipped", test_shipped);
  g_test_add_func ("/published/default", test_default);
  g_test_add_func ("/published/bad", test_bad);
  g_test_add_func ("/published/large", test_large);
  g_test_add_func ("/published/absent", test_absent);
  status = g_test_run ();
  g_unlink (path);
  g_rmdir (folder);
  g_free (folder);
  return status;
}
