/* test-language.c: in a Chinese locale the application's texts, the engine's and the plural ones are Chinese
 *
 * SPDX-License-Identifier: MIT
 *
 * The machine need not have the locale: it is made here, from the sources of the package "locales".
 */
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <locale.h>

#include "window/application.h"
#include "memlane.h"

#define LOCALE "zh_CN.UTF-8"

static void
make_locale (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, LOCALE, NULL);
  const char *argv[] = { "localedef", "-i", "zh_CN", "-f", "UTF-8", path, NULL };
  g_autoptr (GError) error = NULL;
  int status = -1;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
}

static gboolean
is_chinese (const char *text)
{
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_get_script (g_utf8_get_char (at)) == G_UNICODE_SCRIPT_HAN)
      return TRUE;
  return FALSE;
}

static void
test_texts (void)
{
  static const char *const destinations[] = { "_Measure", "T_imeline", "_Decide", "E_xperiments" };
  const MemlaneMode *modes;
  const MemlaneWorkload *workloads;
  guint n;

  g_assert_cmpstr (_("Bandwidth"), ==, "带宽");
  g_assert_cmpstr (C_("modes", "All"), ==, "全选");
  g_assert_cmpstr (ngettext ("%d cell", "%d cells", 2), ==, "%d 个测量点");
  for (guint i = 0; i < G_N_ELEMENTS (destinations); i++) /* the page switcher has no room for "(M)" */
    g_assert_null (strchr (g_dgettext (GETTEXT_PACKAGE, destinations[i]), '('));
  modes = memlane_mode_list (&n);
  for (guint i = 0; i < n; i++)
    {
      g_assert_true (is_chinese (g_dgettext (GETTEXT_PACKAGE, modes[i].title)));
      g_assert_true (is_chinese (g_dgettext (GETTEXT_PACKAGE, modes[i].summary)));
      g_assert_true (is_chinese (g_dgettext (GETTEXT_PACKAGE, modes[i].look_for)));
    }
  workloads = memlane_workload_list (&n);
  for (guint i = 0; i < n; i++)
    {
      g_assert_true (is_chinese (g_dgettext (GETTEXT_PACKAGE, workloads[i].title)));
      g_assert_true (is_chinese (g_dgettext (GETTEXT_PACKAGE, workloads[i].summary)));
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-language-XXXXXX", NULL);
  g_autoptr (MemlaneApplication) application = NULL;
  const char *remove[] = { "rm", "-rf", folder, NULL };
  int result;

  make_locale (folder);
  g_setenv ("LOCPATH", folder, TRUE);
  g_setenv ("LC_ALL", LOCALE, TRUE);
  g_unsetenv ("LANGUAGE");
  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (setlocale (LC_ALL, ""));
  application = memlane_application_new (); /* tells gettext where the catalogues are */
  g_test_add_func ("/language/texts", test_texts);
  result = g_test_run ();
  g_spawn_sync (NULL, (char **) remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  return result;
}
