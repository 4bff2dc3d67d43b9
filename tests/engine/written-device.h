/* written-device.h: a simulated device that a test describes itself
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib/gstdio.h>
#include <string.h>

/* Writes a profile that is based on the H200's, with @rest in its group [device] and after it.
 * Returns the device's id; written_device_free() removes the file. */
static inline char *
written_device_new (const char *rest)
{
  g_autofree char *text = g_strconcat ("[device]\nbased_on=h200\n", rest, "\n", NULL), *path = NULL;
  int file = g_file_open_tmp ("memlane-XXXXXX.device", &path, NULL);

  g_assert_cmpint (file, >=, 0);
  g_assert_true (g_close (file, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return g_strconcat ("simulated:", path, NULL);
}

static inline void
written_device_free (char *id)
{
  g_assert_cmpint (g_unlink (id + strlen ("simulated:")), ==, 0);
  g_free (id);
}
