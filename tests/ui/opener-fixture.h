/* opener-fixture.h: a program that writes down which file the desktop opens with it
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "ui-test.h"

/* Makes it the one for @type. Returns the file that will contain the URI. The desktop's database is read once, so call it first. */
static inline char *
opener_install (const char *type)
{
  char *log = ui_test_path ("opened.txt");
  g_autofree char *desktop = ui_test_path ("share/applications/memlane-test-opener.desktop");
  g_autofree char *list = ui_test_path ("config/mimeapps.list");
  g_autofree char *folder = g_path_get_dirname (desktop);
  g_autofree char *script = ui_test_path ("opener");
  g_autofree char *entry = NULL;
  g_autofree char *text = NULL;
  g_autofree char *defaults = NULL;

  text = g_strdup_printf ("#!/bin/sh\necho \"$1\" >'%s.part'\nmv '%s.part' '%s'\n", log, log, log);
  entry = g_strdup_printf ("[Desktop Entry]\nType=Application\nName=Opener\nExec=%s %%u\nMimeType=%s;\n",
                           script, type);
  defaults = g_strdup_printf ("[Default Applications]\n%s=memlane-test-opener.desktop\n", type);
  g_assert_true (g_file_set_contents_full (script, text, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (desktop, entry, -1, NULL));
  g_assert_true (g_file_set_contents (list, defaults, -1, NULL));
  return log;
}

static inline gboolean
opener_has_opened (gpointer log)
{
  return g_file_test (log, G_FILE_TEST_EXISTS);
}
