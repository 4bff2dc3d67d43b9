/* facts.c: what a run's environment tells a figure
 *
 * SPDX-License-Identifier: MIT
 */
#include "facts.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/json-tree.h"

#define MOST_MACHINES 3 /* that are named */

/* (nullable) (transfer none): @object's member, if it is an object itself. */
static JsonObject *
find_object (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static char *
find_text (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;
  const char *text = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;

  return text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

static double
find_number (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
  double number = type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double (node) : NAN;

  return isfinite (number) && number > 0 ? number : NAN;
}

void
memlane_facts_read (const MemlaneRun *run, MemlaneFacts *facts)
{
  g_autoptr(JsonNode) root = run->environment != NULL ? memlane_json_tree_read (run->environment, -1, run->id, NULL) : NULL;
  JsonObject *environment = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;

  *facts = (MemlaneFacts) { .link_bandwidth = NAN, .link_generation = NAN, .link_width = NAN, .memory_bandwidth = NAN,
                            .l2_bytes = NAN };
  facts->simulated = g_strcmp0 (run->device_kind, "simulated") == 0;
  if (environment != NULL)
    {
      JsonObject *device = find_object (environment, "device"), *link = find_object (environment, "link");
      JsonNode *simulated = device != NULL ? json_object_get_member (device, "simulated") : NULL;

      facts->device = find_text (device, "name");
      facts->driver = find_text (device, "driver");
      facts->date = find_text (environment, "date");
      if (simulated != NULL && JSON_NODE_HOLDS_VALUE (simulated) && json_node_get_boolean (simulated))
        facts->simulated = TRUE;
      facts->link_bandwidth = find_number (link, "bandwidth_bytes_per_s");
      facts->link_generation = find_number (link, "generation");
      facts->link_width = find_number (link, "width");
      facts->l2_bytes = find_number (device, "l2_bytes");
      facts->memory_bandwidth = find_number (device, "memory_bandwidth_bytes_per_s");
    }
  if (facts->device == NULL && run->device != NULL && *run->device != '\0')
    facts->device = g_strdup (run->device);
  if (facts->date != NULL && strchr (facts->date, 'T') != NULL)
    *strchr (facts->date, 'T') = '\0'; /* the day is enough */
}

void
memlane_facts_clear (MemlaneFacts *facts)
{
  g_clear_pointer (&facts->device, g_free);
  g_clear_pointer (&facts->driver, g_free);
  g_clear_pointer (&facts->date, g_free);
}

/* --- in words ---------------------------------------------------------------------------------------------------- */

/* The profiles of data/devices that differ from the H200's by that. Takes @name. (transfer full) */
static char *
name_engines (char *name)
{
  /* Translators: {device} is the name of a simulated device */
  static const char *const templates[] = { N_("{device} with one copy engine"), N_("{device} with two copy engines"),
                                           N_("{device} with three copy engines") };

  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    {
      const char *ending = templates[i] + strlen ("{device}");
      GString *text;

      if (!g_str_has_suffix (name, ending))
        continue;
      name[strlen (name) - strlen (ending)] = '\0';
      text = g_string_new (g_dgettext (GETTEXT_PACKAGE, templates[i]));
      g_string_replace (text, "{device}", name, 1);
      g_free (name);
      return g_string_free (text, FALSE);
    }
  return name;
}

char *
memlane_facts_name_model (const char *name)
{
  static const char simulated[] = " (simulated)"; /* so profiles end their names */
  static const char noisy[] = ", noise as recorded"; /* and so those of --noise recorded, before that */
  g_autofree char *plain = g_strdup (name);

  if (g_str_has_suffix (plain, simulated))
    plain[strlen (plain) - strlen (simulated)] = '\0';
  if (!g_str_has_suffix (plain, noisy))
    return name_engines (g_steal_pointer (&plain));
  plain[strlen (plain) - strlen (noisy)] = '\0';
  plain = name_engines (plain);
  /* Translators: the name of a simulated device whose times vary as those of the recorded GPU did */
  return g_strdup_printf (_("%s, noise as recorded"), plain);
}

char *
memlane_facts_name_device (const char *name)
{
  g_autofree char *plain = memlane_facts_name_model (name);

  if (!g_str_has_suffix (name, " (simulated)"))
    return g_strdup (name);
  /* Translators: the name of a device */
  return g_strdup_printf (_("%s (simulated)"), plain);
}

static char *
describe_machine (const MemlaneFacts *facts)
{
  g_autofree char *name = facts->device != NULL ? memlane_facts_name_device (facts->device) : NULL;
  GString *text = g_string_new (name);

  if (facts->driver != NULL)
    {
      g_string_append (text, text->len > 0 ? " · " : "");
      g_string_append_printf (text, _("driver %s"), facts->driver);
    }
  if (facts->date != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", facts->date);
  return g_string_free (text, FALSE);
}

char *
memlane_facts_describe (const MemlaneFacts *facts, guint n_facts)
{
  g_autoptr(GPtrArray) machines = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n_facts; i++)
    {
      g_autofree char *machine = describe_machine (&facts[i]);

      if (*machine != '\0' && !g_ptr_array_find_with_equal_func (machines, machine, g_str_equal, NULL))
        g_ptr_array_add (machines, g_steal_pointer (&machine));
    }
  for (guint i = 0; i < MIN (machines->len, MOST_MACHINES); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " | " : "", (const char *) machines->pdata[i]);
  if (machines->len > MOST_MACHINES)
    {
      guint more = machines->len - MOST_MACHINES;

      g_string_append (text, " | ");
      g_string_append_printf (text, ngettext ("%u more", "%u more", more), more);
    }
  return g_string_free (text, FALSE);
}
