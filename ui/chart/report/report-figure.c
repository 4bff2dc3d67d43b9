/* report-figure.c: a chart as SVG inside a page that holds others
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "chart/export.h"
#include "chart/markup.h"
#include "report-private.h"

#define WIDTH 1000
#define HEIGHT 600

/* Cairo names glyphs and clips alike in each document: in one page each figure needs names of its own. And the words of a figure stand
 * below it: in it, too, they would be a tooltip over all of it. */
static char *
fit_into_page (const char *svg, const char *prefix, GError **error)
{
  g_autoptr (GRegex) words = g_regex_new ("<title>[^<]*</title>\\s*<desc>[^<]*</desc>\\s*", 0, 0, error);
  g_autoptr (GRegex) ids = words != NULL ? g_regex_new ("(\\bid=\"|href=\"#|url\\(#)", G_REGEX_OPTIMIZE, 0, error) : NULL;
  g_autofree char *replacement = g_strconcat ("\\1", prefix, NULL);
  g_autofree char *silent = ids != NULL ? g_regex_replace_literal (words, svg, -1, 0, "", 0, error) : NULL;

  return silent != NULL ? g_regex_replace (ids, silent, -1, 0, replacement, 0, error) : NULL;
}

static gboolean
add_svg (MemlaneReportPart *part, const MemlaneChart *chart, MemlaneStyleKind kind, GError **error)
{
  const MemlaneView view = MEMLANE_VIEW_FIT;
  const MemlaneStyle *style = memlane_style_get (kind);
  g_autoptr (GBytes) bytes = memlane_export_to_bytes (chart, &view, style, MEMLANE_EXPORT_SVG, WIDTH, HEIGHT, 1, error);
  g_autofree char *document = NULL, *prefix = g_strdup_printf ("f%u-", part->figures++), *svg = NULL;
  const char *root;

  if (bytes == NULL)
    return FALSE;
  document = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  root = strstr (document, "<svg "); /* without the declaration of a document */
  svg = fit_into_page (root != NULL ? root : document, prefix, error);
  if (svg == NULL)
    return FALSE;
  g_string_append_printf (part->html, "<div class=\"%s\" role=\"img\" aria-label=\"", style->dark ? "dark" : "light");
  memlane_markup_append (part->html, chart->title);
  g_string_append (part->html, "\">");
  g_string_append (part->html, svg);
  g_string_append (part->html, "</div>\n");
  return TRUE;
}

gboolean
memlane_report_add_figure (MemlaneReportPart *part, const MemlaneChart *chart, GError **error)
{
  g_autofree char *words = chart->trouble != NULL ? g_strdup (chart->trouble) : memlane_chart_describe (chart);

  g_string_append (part->html, "<figure>\n");
  if (chart->trouble == NULL
      && (!add_svg (part, chart, MEMLANE_STYLE_SCREEN, error) || !add_svg (part, chart, MEMLANE_STYLE_DARK, error)))
    return FALSE;
  g_string_append (part->html, "<figcaption>");
  memlane_markup_append (part->html, words);
  g_string_append (part->html, "</figcaption>\n</figure>\n");
  return TRUE;
}
