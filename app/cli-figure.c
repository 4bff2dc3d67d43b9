/* cli-figure.c: options that all commands with a figure have
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#ifdef MEMLANE_HAVE_CHART

#include "chart/export.h"

static gboolean
set_wrong (GError **error, const char *option, const char *found, const char *expected)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: found \"%s\", expected %s", option, found, expected);
  return FALSE;
}

gboolean
cli_figure_style (const char *option, const char *text, const MemlaneStyle **style, GError **error)
{
  g_autoptr (GString) known = NULL;

  *style = text != NULL ? memlane_style_find (text) : memlane_style_get (MEMLANE_STYLE_SCREEN);
  if (*style != NULL)
    return TRUE;
  known = g_string_new ("one of ");
  for (int i = 0; i < MEMLANE_N_STYLES; i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", memlane_style_get ((MemlaneStyleKind) i)->name);
  return set_wrong (error, option, text, known->str);
}

gboolean
cli_figure_size (const char *option, const char *text, guint *width, guint *height, GError **error)
{
  g_auto (GStrv) parts = NULL;
  g_autofree char *expected = NULL;
  guint64 w, h;

  if (text == NULL)
    return TRUE;
  parts = g_strsplit (text, "x", -1);
  if (g_strv_length (parts) == 2
      && g_ascii_string_to_unsigned (parts[0], 10, MEMLANE_EXPORT_LEAST, MEMLANE_EXPORT_MOST, &w, NULL)
      && g_ascii_string_to_unsigned (parts[1], 10, MEMLANE_EXPORT_LEAST_HEIGHT, MEMLANE_EXPORT_MOST, &h, NULL))
    {
      *width = (guint) w;
      *height = (guint) h;
      return TRUE;
    }
  expected = g_strdup_printf ("WIDTHxHEIGHT in pixels, such as 1280x720, from %dx%d to %dx%d", MEMLANE_EXPORT_LEAST,
                              MEMLANE_EXPORT_LEAST_HEIGHT, MEMLANE_EXPORT_MOST, MEMLANE_EXPORT_MOST);
  return set_wrong (error, option, text, expected);
}

#else

typedef int memlane_no_figures; /* a file of C is never empty */

#endif
