/* trace-item.c: a recorded trace in the window's list
 *
 * SPDX-License-Identifier: MIT
 */
#include "trace-item.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "chart/scale.h"
#include "memlane.h"
#include "fields.h"

MEMLANE_DEFINE_OBJECT (MemlaneTraceItem, memlane_trace_item,
                       OWNS (trace, memlane_trace_unref) OWNS (name, g_free) OWNS (path, g_free)
                           OWNS (subtitle, g_free)
                               OWNS (words, g_strfreev) for (guint i = 0; i < MEMLANE_N_CHANGES;
                                                             i++)
                                   g_clear_pointer (&self->trials[i], memlane_trial_free);
                       , )

/* --- words ------------------------------------------------------------------------------------ */

const char *
memlane_trace_item_get_mode_title (const char *id)
{
  const MemlaneMode *mode = id != NULL ? memlane_mode_find (id) : NULL;

  if (mode != NULL)
    return g_dgettext (GETTEXT_PACKAGE, mode->title);
  if (g_strcmp0 (id, "lab-depth-first") == 0)
    return _("Stream laboratory (depth-first)");
  if (g_strcmp0 (id, "lab-breadth-first") == 0)
    return _("Stream laboratory (breadth-first)");
  return NULL;
}

char *
memlane_trace_item_describe (const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  const char *known = memlane_trace_item_get_mode_title (info->mode),
             *title = known != NULL ? known : info->mode;
  const double log2 = memlane_trace_info_size (info);
  g_autofree char *size = log2 > 0 ? memlane_unit_format_power (log2) : NULL;

  if (title == NULL || size == NULL)
    return g_strdup (title != NULL ? title : "");
  return g_strdup_printf ("%s · %s", title, size);
}

/* "2026-11-21T10:14:00Z" in the person's time, "2026-11-21 11:14"; what is no date stays as it
 * is. */
static char *
format_date (const char *date)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_iso8601 (date, NULL);
  g_autoptr (GDateTime) local = moment != NULL ? g_date_time_to_local (moment) : NULL;

  return local != NULL ? g_date_time_format (local, "%Y-%m-%d %H:%M") : g_strdup (date);
}

static void
append (GString *text, const char *part)
{
  if (part != NULL && *part != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", part);
}

static char *
make_subtitle (MemlaneTraceItem *self)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (self->trace);
  g_autofree char *date = info->date != NULL ? format_date (info->date) : NULL;
  g_autofree char *device = NULL, *events = NULL;
  GString *text = g_string_new (NULL);
  guint n;

  if (info->device_name != NULL)
    device = info->simulated ? g_strdup_printf (_("%s, SIMULATED"), info->device_name)
                             : g_strdup (info->device_name);
  append (text, device);
  append (text, date);
  memlane_trace_get_events (self->trace, &n);
  events = g_strdup_printf (ngettext ("%'u event", "%'u events", n), n);
  append (text, events);
  return g_string_free (text, FALSE);
}

/* --- life ------------------------------------------------------------------------------------- */

MemlaneTraceItem *
memlane_trace_item_new (MemlaneTrace *trace, const char *name, const char *path)
{
  MemlaneTraceItem *self = g_object_new (MEMLANE_TYPE_TRACE_ITEM, NULL);

  self->trace = memlane_trace_ref (trace);
  self->path = g_strdup (path);
  if (name != NULL)
    self->name = g_strdup (name);
  else
    self->name = memlane_trace_item_describe (trace);
  if (path != NULL && *self->name == '\0') /* it does not say what it is of */
    {
      g_free (self->name);
      self->name = g_filename_display_basename (path);
    }
  self->subtitle = make_subtitle (self);
  return self;
}

void
memlane_trace_item_set_name (MemlaneTraceItem *self, const char *name)
{
  char *copy = g_strdup (name);

  g_free (self->name);
  self->name = copy;
}
