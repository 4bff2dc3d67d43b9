/* fuzz.h: what the harnesses share
 *
 * SPDX-License-Identifier: MIT
 *
 * Each fuzz-NAME.c is one libFuzzer entry point (tests/fuzz/run), and with replay.c an ordinary test of its corpus. A broken promise ends
 * the program by g_error(); so does what GLib calls critical.
 */
#pragma once

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file-error.h"
#include "base/strict-text.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* By abort(), which libFuzzer takes for a finding; GLib's own way out is a trap, which it does not. */
G_GNUC_UNUSED static void
fuzz_fail (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  if ((level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)) == 0)
    return;
  g_printerr ("%s: %s\n", domain != NULL ? domain : "fuzz", message);
  abort ();
}

G_GNUC_UNUSED static void
fuzz_begin (void)
{
  g_log_set_default_handler (fuzz_fail, NULL);
}

/* A file in memory, at its begin; close it. */
G_GNUC_UNUSED static int
fuzz_open (const void *data, gsize size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);

  if (fd < 0 || write (fd, data, size) != (ssize_t) size || lseek (fd, 0, SEEK_SET) != 0)
    g_error ("no memory file");
  return fd;
}

/* A folder of its own in memory where that can be, for readers that want a path; (transfer full). */
G_GNUC_UNUSED static char *
fuzz_make_folder (void)
{
  const char *memory = g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm" : "/tmp";
  char *folder = g_build_filename (memory, "memlane-fuzz-XXXXXX", NULL);

  if (g_mkdtemp (folder) == NULL)
    g_error ("no folder");
  return folder;
}

G_GNUC_UNUSED static void
fuzz_put (const char *path, const guint8 *data, gsize size)
{
  (void) unlink (path); /* GLib 2.74 leaves the rest of a longer file there */
  if (!g_file_set_contents_full (path, (const char *) data, (gssize) size, G_FILE_SET_CONTENTS_NONE, 0600, NULL))
    g_error ("cannot write %s", path);
}

/* A refusal is one: of the right kind, in words, and not too long. */
G_GNUC_UNUSED static void
fuzz_check_refusal (const GError *error, const char *prefix)
{
  if (error == NULL || !g_str_has_prefix (error->message, prefix) || !memlane_text_is_printable (error->message)
      || strlen (error->message) > 2000)
    g_error ("a bad message: %s", error != NULL ? error->message : "none");
}

/* The bytes of an input as choices, one after the other; then zeroes. */
typedef struct
{
  const guint8 *data;
  gsize size, at;
} FuzzChoices;

G_GNUC_UNUSED static guint
fuzz_choose (FuzzChoices *self, guint n)
{
  return self->at < self->size ? self->data[self->at++] % n : 0;
}

/* A number: mostly a small one, now and then an edge of a type. */
G_GNUC_UNUSED static gint64
fuzz_choose_number (FuzzChoices *self)
{
  static const gint64 edges[] = {
    -1, 0, 1, G_MAXINT32, (gint64) G_MAXUINT32, (gint64) G_MAXUINT32 + 1, 1999999999999999999, 2000000000000000000,
    2305843009213693951, G_MAXINT64, G_MININT64,
  };
  guint kind = fuzz_choose (self, 16);

  if (kind == 0)
    return edges[fuzz_choose (self, G_N_ELEMENTS (edges))];
  return (gint64) fuzz_choose (self, 256) << (kind % 4 * 5);
}

/* A text: a name of CUDA's, or one that means ill. */
G_GNUC_UNUSED static const char *
fuzz_choose_text (FuzzChoices *self)
{
  static const char *const texts[] = {
    "cudaMemcpyAsync_v3020", "cudaLaunchKernel_v7000", "cudaMalloc_v3020", "cudaFree_v3020", "cudaDeviceSynchronize_v3020",
    "cudaMemcpy_v3020", "solve", "step", "", "\x1b[2J", "\xe2\x80\xae", "a\nb", "\xff\xfe", "=1+1", "</script>", "Az", "BY", "%s%n",
  };

  return texts[fuzz_choose (self, G_N_ELEMENTS (texts))];
}
