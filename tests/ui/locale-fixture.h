/* locale-fixture.h: a test once more in another language: `test-wall zh_CN`
 *
 * SPDX-License-Identifier: MIT
 *
 * The locale is made for the test, and goes with it.
 */
#pragma once

#include <locale.h>

#include "ui-test.h"

/* In $LOCPATH, which ends with the test's own home. */
static void
make_locale (const char *language)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-wall-XXXXXX", NULL), *name = g_strconcat (language, ".UTF-8", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  const char *argv[] = { "localedef", "-i", language, "-f", "UTF-8", path, NULL };
  g_autoptr (GError) error = NULL;
  int status = -1;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_setenv ("LOCPATH", folder, TRUE);
  g_setenv ("LC_ALL", name, TRUE);
  g_unsetenv ("LANGUAGE");
}

/* ui_test_init(), in the language that the first argument names; without one in English. */
static void
locale_init (int *argc, char ***argv)
{
  const char *language = *argc > 1 && (*argv)[1][0] != '-' ? (*argv)[1] : NULL;

  if (language != NULL)
    {
      make_locale (language);
      (*argv)[1] = (*argv)[0];
      ++*argv;
      --*argc;
    }
  ui_test_init (argc, argv);
  if (language != NULL)
    g_assert_nonnull (setlocale (LC_ALL, "")); /* the other tests are English */
}

static int
locale_run (void)
{
  const char *remove[] = { "rm", "-rf", g_getenv ("LOCPATH"), NULL };
  int result = ui_test_run ();

  if (remove[2] != NULL && strstr (remove[2], "memlane-wall-") != NULL)
    g_spawn_sync (NULL, (char **) remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  return result;
}
