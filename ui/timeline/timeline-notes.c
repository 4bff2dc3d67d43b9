/* timeline-notes.c: how a trace was recorded and what is missing in it, in words
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-notes.h"

#include <glib/gi18n-lib.h>

#include "model/sentence.h"
#include "model/trace-item.h"

static void
add_line (GString *text, const char *title, const char *words)
{
  g_autofree char *sentence = memlane_sentence_new (words);
  g_autofree char *line = NULL;

  if (sentence == NULL || *sentence == '\0')
    return;
  line = title != NULL ? g_markup_printf_escaped ("<b>%s</b>  %s\n", title, sentence) : g_markup_printf_escaped ("%s\n", sentence);
  g_string_append (text, line);
}

static void
add_device (GString *text, const MemlaneTraceInfo *info)
{
  g_autofree char *words = NULL;

  if (info->device_name == NULL)
    return;
  if (info->simulated)
    words = g_strdup_printf (_("%s: SIMULATED, computed from a profile and not measured"), info->device_name);
  else if (info->device != NULL)
    words = g_strdup_printf ("%s (%s)", info->device_name, info->device);
  add_line (text, _("Device"), words != NULL ? words : info->device_name);
}

static void
add_cell (GString *text, const MemlaneTrace *trace, const MemlaneTraceInfo *info)
{
  g_autofree char *mode = memlane_trace_item_describe (trace);
  GString *words = g_string_new (mode);

  if (info->workload != NULL)
    g_string_append_printf (words, "%s%s", words->len > 0 ? " · " : "", info->workload);
  if (info->reuse > 1)
    g_string_append_printf (words, ngettext (" · %u kernel launch for each transfer", " · %u kernel launches for each transfer",
                                             info->reuse), info->reuse);
  if (info->streams > 0)
    g_string_append_printf (words, ngettext (" · %u stream", " · %u streams", info->streams), info->streams);
  if (info->chunks > 0)
    g_string_append_printf (words, ngettext (" · %u chunk", " · %u chunks", info->chunks), info->chunks);
  add_line (text, _("Cell"), words->str);
  g_string_free (words, TRUE);
}

static void
add_count (GString *text, const char *format, guint64 count)
{
  g_autofree char *number = g_strdup_printf ("%'" G_GUINT64_FORMAT, count);
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);
  g_autofree char *words = g_strconcat (parts[0], number, parts[1], NULL);

  if (count > 0)
    add_line (text, NULL, words);
}

char *
memlane_timeline_notes_new (const MemlaneTrace *trace, const char *name)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  GString *text = g_string_new (NULL);

  if (name != NULL)
    {
      g_autofree char *title = g_markup_printf_escaped ("<big><b>%s</b></big>\n", name);

      g_string_append (text, title);
    }
  add_device (text, info);
  add_cell (text, trace, info);
  add_line (text, _("Date"), info->date);
  add_line (text, _("Source"), info->source);
  add_line (text, _("Method"), info->method);
  add_line (text, _("Overhead"), info->overhead);
  add_count (text, _("%s records were lost while recording: what is shown is not complete."), info->dropped);
  add_count (text, _("%s records of the file mean nothing to Memlane and are not shown."), info->skipped);
  for (guint i = 0; i < info->notes->len; i++)
    add_line (text, NULL, info->notes->pdata[i]);
  if (text->len > 0)
    g_string_truncate (text, text->len - 1); /* the last line's end */
  return g_string_free (text, FALSE);
}
