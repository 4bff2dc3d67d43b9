/* trace-file.h: the file that Memlane writes of a trace, and reads as the same trace
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <string.h>

#include <glib/gstdio.h>

#include "engine/same-trace.h"

/* The file without Memlane's version. (transfer full) */
static char *
write_trace (const MemlaneTrace *trace)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-json-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "t.json", NULL), *written = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) back = NULL;
  g_autoptr (GString) text = NULL;
  char *version;

  g_assert_true (memlane_trace_write_json (trace, path, &error));
  g_assert_no_error (error);
  back = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (is_same_trace (trace, back));
  g_assert_true (g_file_get_contents (path, &written, NULL, NULL));
  g_unlink (path);
  g_rmdir (folder);
  text = g_string_new (g_strchomp (written));
  version = strstr (text->str, "Memlane ") + strlen ("Memlane ");
  g_string_erase (text, version - text->str, (gssize) strspn (version, ".0123456789"));
  return g_strdup (text->str);
}
