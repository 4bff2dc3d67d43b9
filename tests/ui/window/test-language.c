/* test-language.c: in a Chinese locale the application's texts, the engine's and the plural ones are Chinese
 *
 * SPDX-License-Identifier: MIT
 *
 * The machine need not have the locale: it is made here, from the sources of the package "locales".
 */
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <locale.h>

#include "chart/answer-words.h"
#include "chart/scale.h"
#include "chart/timeline/timeline.h"
#include "parts/size-spin.h"
#include "window/application.h"
#include "trace/builder.h"
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
  const MemlaneMode *mode = memlane_mode_find ("pinned");

  g_assert_cmpstr (_("Bandwidth"), ==, "带宽");
  g_assert_cmpstr (C_("modes", "All"), ==, "全选");
  g_assert_cmpstr (ngettext ("%d measurement", "%d measurements", 2), ==, "%d 个测量点");
  for (guint i = 0; i < G_N_ELEMENTS (destinations); i++) /* the page switcher has no room for "(M)" */
    g_assert_null (strchr (g_dgettext (GETTEXT_PACKAGE, destinations[i]), '('));
  g_assert_true (is_chinese (g_dgettext (GETTEXT_PACKAGE, mode->title)));
  g_assert_true (is_chinese (g_dgettext (GETTEXT_PACKAGE, mode->summary)));
  g_assert_true (is_chinese (g_dgettext (GETTEXT_PACKAGE, memlane_workload_find ("vector-add")->title)));
}

/* The notes of Decide say what differs between two runs. */
static void
test_differences (void)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (MemlaneFact));
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  const char *rounds[] = { "rounds", "12", "1", NULL }, *driver[] = { "driver", "580", "not recorded", NULL };
  MemlaneFact fact = { .name = "ways", .kind = MEMLANE_FACT_LIST, .list = list };
  MemlaneAnswer answer = { MEMLANE_ANSWER_BASIS, "{ways}", values };
  g_autofree char *words = NULL;

  g_ptr_array_add (list, rounds);
  g_ptr_array_add (list, driver);
  g_array_append_val (values, fact);
  words = memlane_answer_to_words (&answer);
  g_assert_cmpstr (words, ==, "轮数：12 与 1；驱动程序：580 与 未记录");
}

/* Memlane's own recorders are said in Chinese, those of a foreign file as it names them. */
static void
test_sources (void)
{
  static const char *const sources[][2] = {
    { "CUPTI, in the program", "0 个事件 · 录制自：程序内的 CUPTI" },
    { "CUDA events", "0 个事件 · 录制自：CUDA 事件" },
    { "simulated device", "0 个事件 · 录制自：模拟设备" },
    { "Open", "0 个事件 · 录制自：Open" }, /* a text of the window, too */
  };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneTrace) trace = NULL;
      g_autofree char *words = NULL;

      memlane_trace_builder_get_info (builder)->source = g_strdup (sources[i][0]);
      trace = memlane_trace_builder_finish (builder, &error);
      g_assert_no_error (error);
      words = memlane_timeline_info (trace);
      g_assert_cmpstr (words, ==, sources[i][1]);
    }
}

/* Runs last, because it leaves English behind. */
static void
test_english_first (void)
{
  g_autoptr (MemlaneApplication) application = NULL;

  g_setenv ("LANGUAGE", "fr:en_GB:zh_CN", TRUE);
  application = memlane_application_new ();
  setlocale (LC_ALL, "");
  g_assert_cmpstr (_("Bandwidth"), ==, "Bandwidth");
  g_assert_cmpstr (ngettext ("%d cell", "%d cells", 1), ==, "%d cell");
  g_assert_cmpstr (ngettext ("%d measurement", "%d measurements", 2), ==, "%d measurements");
}

static gboolean
is_raised (gunichar c)
{
  return c == 0x2070 || c == 0xb9 || c == 0xb2 || c == 0xb3 || (c >= 0x2074 && c <= 0x2079);
}

/* The one font that all superscripts of @layout are drawn from, as text. */
static char *
find_raised_font (PangoLayout *layout)
{
  PangoLayoutIter *iter = pango_layout_get_iter (layout);
  const char *text = pango_layout_get_text (layout);
  char *found = NULL;

  do
    {
      PangoLayoutRun *run = pango_layout_iter_get_run_readonly (iter);
      g_autofree char *font = NULL;

      if (run == NULL)
        continue;
      PangoFontDescription *described = pango_font_describe (run->item->analysis.font);
      font = pango_font_description_to_string (described);
      pango_font_description_free (described);
      for (const char *at = text + run->item->offset; at < text + run->item->offset + run->item->length; at = g_utf8_next_char (at))
        if (is_raised (g_utf8_get_char (at)))
          {
            if (found == NULL)
              found = g_strdup (font);
            g_assert_cmpstr (font, ==, found); /* "2²" from one font and "⁰" from another */
          }
    }
  while (pango_layout_iter_next_run (iter));
  pango_layout_iter_free (iter);
  if (found == NULL)
    g_error ("no superscript in \"%s\"", text);
  return found;
}

/* In a label and in a size field, whatever language the font is asked in: Noto Sans CJK has 1 to 4 only. */
static void
test_superscripts (void)
{
  static const char *const languages[] = { "en", "zh-cn" };
  g_autoptr (GError) error = NULL;

  g_assert_true (g_application_register (g_application_get_default (), NULL, &error)); /* starts up */
  g_assert_no_error (error);
  for (guint language = 0; language < G_N_ELEMENTS (languages); language++)
    {
      GtkWidget *label = g_object_ref_sink (gtk_label_new (NULL));
      GtkWidget *spin = g_object_ref_sink (gtk_spin_button_new_with_range (10, 26, 1));
      g_autofree char *first = NULL;

      gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), FALSE);
      memlane_size_spin_init (GTK_SPIN_BUTTON (spin));
      pango_context_set_language (gtk_widget_get_pango_context (label), pango_language_from_string (languages[language]));
      pango_context_set_language (gtk_widget_get_pango_context (spin), pango_language_from_string (languages[language]));
      for (guint log2 = 10; log2 <= 26; log2++)
        {
          g_autofree char *power = memlane_unit_format_power (log2), *text = g_strdup_printf ("%s 个浮点数", power);
          g_autoptr (PangoLayout) field = NULL;
          g_autofree char *of_label = NULL, *of_field = NULL;

          gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), log2);
          field = gtk_widget_create_pango_layout (spin, gtk_editable_get_text (GTK_EDITABLE (spin)));
          gtk_label_set_text (GTK_LABEL (label), text);
          of_label = find_raised_font (gtk_label_get_layout (GTK_LABEL (label)));
          of_field = find_raised_font (field);
          if (first == NULL)
            first = g_strdup (of_label);
          g_assert_cmpstr (of_label, ==, first);
          g_assert_cmpstr (of_field, ==, first);
        }
      g_test_message ("%s: superscripts of %s", languages[language], first);
      g_object_unref (spin);
      g_object_unref (label);
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
  g_test_add_func ("/language/differences", test_differences);
  g_test_add_func ("/language/sources", test_sources);
  g_test_add_func ("/language/superscripts", test_superscripts);
  g_test_add_func ("/language/english-first", test_english_first);
  result = g_test_run ();
  g_spawn_sync (NULL, (char **) remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  return result;
}
