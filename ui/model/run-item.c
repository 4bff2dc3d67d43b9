/* run-item.c: one run in the Runs list
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-item.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "memlane.h"
#include "chart/chart-words.h"
#include "fields.h"
#include "base/each.h"

#define AT(field) G_STRUCT_OFFSET (MemlaneRunItem, field)

static const MemlaneField fields[] = {
  { "name", MEMLANE_FIELD_TEXT, AT (name), 0, 0, 0, 0 },
  { "subtitle", MEMLANE_FIELD_TEXT, AT (subtitle), 0, 0, 0, 0 },
  { "shown", MEMLANE_FIELD_FLAG, AT (shown), 0, 0, 1, FALSE },
  { "pinned", MEMLANE_FIELD_FLAG, AT (pinned), 0, 0, 1, FALSE },
  { "kind", MEMLANE_FIELD_ENUM, AT (kind), 0, 0, MEMLANE_RUN_RECORDED, 0 },
  { "loading", MEMLANE_FIELD_FLAG, AT (loading), 0, 0, 1, FALSE },
  { "problem", MEMLANE_FIELD_TEXT, AT (problem), 0, 0, 0, 0 },
};

/* --- facts ------------------------------------------------------------------------------------ */

void
memlane_run_facts_clear (MemlaneRunFacts *facts)
{
  g_free (facts->device);
  *facts = (MemlaneRunFacts) { .cells = -1 };
}

/* Counts the measurements, without those that were cancelled. */
static int
count_measured (const MemlaneRun *run)
{
  guint measured;
  guint planned;

  memlane_run_is_whole (run, &measured, &planned);
  return (int) MIN (measured, G_MAXINT);
}

void
memlane_run_facts_take (MemlaneRunFacts *facts, const MemlaneRun *run)
{
  const char *date = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_DATE);
  const char *name = memlane_environment_get_text (run->environment,
                                                   MEMLANE_ENVIRONMENT_DEVICE_NAME);
  g_autoptr (GDateTime) when = date != NULL ? g_date_time_new_from_iso8601 (date, NULL) : NULL;

  *facts = (MemlaneRunFacts) {
    .device = g_strdup (name != NULL ? name : run->device),
    .simulated = memlane_run_is_simulated (run),
    .when = when != NULL ? g_date_time_to_unix (when) : 0,
    .cells = count_measured (run),
  };
}

char *
memlane_describe_device (const char *name, gboolean simulated)
{
  g_autofree char *plain = simulated ? memlane_facts_name_model (name) : g_strdup (name);

  if (!simulated)
    return g_steal_pointer (&plain);
  /* Translators: %s is a device, "H200" */
  return g_strdup_printf (_("Simulated %s"),
                          g_str_has_prefix (plain, "NVIDIA ") ? plain + strlen ("NVIDIA ") : plain);
}

static char *
format_time (gint64 when, const char *format)
{
  g_autoptr (GDateTime) time = when > 0 ? g_date_time_new_from_unix_local (when) : NULL;

  return time != NULL ? g_date_time_format (time, format) : NULL;
}

/* "10:14 Simulated H200" (transfer full) */
static char *
name_facts (const MemlaneRunFacts *facts)
{
  /* of another day, too, it says which */
  g_autofree char *time = format_time (facts->when, "%m-%d %H:%M");
  g_autofree char *device = memlane_describe_device (
      facts->device != NULL ? facts->device : _("Run"), facts->simulated);

  return time != NULL ? g_strdup_printf ("%s %s", time, device) : g_steal_pointer (&device);
}

/* --- the item --------------------------------------------------------------------------------- */

/* When a file was opened or written is not when its run was measured. */
static gboolean
has_date (MemlaneRunItem *self)
{
  return (self->run != NULL
          && memlane_environment_get_text (self->run->environment, MEMLANE_ENVIRONMENT_DATE)
                 != NULL)
         || self->kind == MEMLANE_RUN_LIVE
         || (self->run == NULL && self->kind != MEMLANE_RUN_OPENED);
}

static void
renew_subtitle (MemlaneRunItem *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *time = has_date (self)       ? format_time (self->facts.when, "%Y-%m-%d %H:%M")
                         : self->run != NULL ? g_strdup (_("date not recorded"))
                                             : NULL; /* unknown while it is hidden */

  /* The name that a run is given begins with it. */
  g_autofree char *said = has_date (self) ? format_time (self->facts.when, "%m-%d %H:%M") : NULL;

  if (self->facts.device != NULL)
    {
      /* A word in capitals at the end says that it is simulated. */
      g_autofree char *name = self->facts.simulated ? memlane_facts_name_model (self->facts.device)
                                                    : g_strdup (self->facts.device);

      g_string_append (text, name);
    }
  if (time != NULL && (said == NULL || !g_str_has_prefix (memlane_run_item_get_name (self), said)))
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", time);
  if (self->facts.cells >= 0)
    {
      g_string_append (text, text->len > 0 ? " · " : "");
      g_string_append_printf (
          text, ngettext ("%d measurement", "%d measurements", (gulong) self->facts.cells),
          self->facts.cells);
    }
  if (self->facts.simulated)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", _("SIMULATED"));
  memlane_field_set_text (self, "subtitle", &self->subtitle, text->str);
}

MemlaneRunItem *
memlane_run_item_new (MemlaneRunKind kind, const char *path, const char *part,
                      const char *default_name)
{
  MemlaneRunItem *self = g_object_new (MEMLANE_TYPE_RUN_ITEM, NULL);

  self->facts.cells = -1;
  self->kind = kind;
  self->path = g_strdup (path);
  self->part = g_strdup (part);
  self->default_name = g_strdup (default_name);
  return self;
}

void
memlane_run_item_set_place (MemlaneRunItem *self, MemlaneRunKind kind, const char *path)
{
  char *copy = g_strdup (path);

  g_free (self->path);
  self->path = copy;
  self->kind = kind;
  g_object_notify (G_OBJECT (self), "kind");
}

void
memlane_run_item_set_name (MemlaneRunItem *self, const char *name)
{
  g_autofree char *stripped = name != NULL ? g_strstrip (g_strdup (name)) : NULL;
  const char *wanted = stripped != NULL && *stripped != '\0'
                               && g_strcmp0 (stripped, self->default_name) != 0
                           ? stripped
                           : NULL;

  memlane_field_set_text (self, "name", &self->name, wanted);
}

void
memlane_run_item_set_loading (MemlaneRunItem *self, gboolean loading)
{
  memlane_field_set_flag (self, "loading", &self->loading, loading);
}

void
memlane_run_item_set_problem (MemlaneRunItem *self, const char *problem)
{
  memlane_field_set_text (self, "problem", &self->problem, problem);
}

void
memlane_run_item_take_facts (MemlaneRunItem *self, MemlaneRunFacts *facts)
{
  if (facts->when == 0)
    facts->when = self->facts.when;
  if (facts->cells < 0)
    facts->cells = self->facts.cells;
  memlane_run_facts_clear (&self->facts);
  self->facts = *facts;
  *facts = (MemlaneRunFacts) { .cells = -1 };
  if (self->default_name == NULL)
    {
      self->default_name = name_facts (&self->facts);
      if (self->name == NULL)
        g_object_notify (G_OBJECT (self), "name");
    }
  renew_subtitle (self);
}

void
memlane_run_item_set_run (MemlaneRunItem *self, MemlaneRun *run)
{
  MemlaneRunFacts facts = { .cells = -1 };

  if (run != NULL)
    memlane_run_ref (run);
  g_clear_pointer (&self->run, memlane_run_unref);
  self->run = run; /* before the subtitle, which says its date */
  if (run == NULL)
    return;
  memlane_run_facts_take (&facts, run);
  memlane_run_item_take_facts (self, &facts);
}

void
memlane_run_item_grown (MemlaneRunItem *self)
{
  if (self->run != NULL)
    self->facts.cells = count_measured (self->run);
  renew_subtitle (self);
}

MEMLANE_DEFINE_OBJECT (MemlaneRunItem, memlane_run_item,
                       OWNS (name, g_free) OWNS (default_name, g_free) OWNS (subtitle, g_free)
                           OWNS (problem, g_free) OWNS (path, g_free) OWNS (part, g_free)
                               OWNS (journal, g_free) memlane_run_facts_clear (&self->facts);
                       OWNS (run, memlane_run_unref),
                       memlane_fields_install (G_OBJECT_CLASS (klass), fields,
                                               G_N_ELEMENTS (fields));)

const char *
memlane_run_item_get_name (MemlaneRunItem *self)
{
  return self->name != NULL ? self->name : self->default_name != NULL ? self->default_name : "";
}

void
memlane_run_item_set_shown (MemlaneRunItem *self, gboolean shown)
{
  /* the store hears it, and reads the file */
  memlane_field_set_flag (self, "shown", &self->shown, !!shown);
}

void
memlane_run_item_set_pinned (MemlaneRunItem *self, gboolean pinned)
{
  memlane_field_set_flag (self, "pinned", &self->pinned, !!pinned);
}

gboolean
memlane_run_item_has_workload (MemlaneRunItem *self, const char *workload)
{
  if (self->run != NULL)
    MEMLANE_FOR_EACH (const MemlaneCell, cell, self->run->cells)
      if (g_strcmp0 (cell->workload, workload) == 0)
        return TRUE;
  return FALSE;
}
