/* facts.c: the names of machines
 *
 * SPDX-License-Identifier: MIT
 */
#include "facts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_MACHINES 3 /* that are named */

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
describe_machine (const MemlaneRun *run)
{
  const char *device = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_DEVICE_NAME);
  const char *driver = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_DRIVER);
  const char *date = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_DATE);
  g_autofree char *name = memlane_facts_name_device (device != NULL ? device : run->device != NULL ? run->device : "");
  GString *text = g_string_new (name);

  if (driver != NULL)
    {
      g_string_append (text, text->len > 0 ? " · " : "");
      g_string_append_printf (text, _("driver %s"), driver);
    }
  if (date != NULL)
    g_string_append_printf (text, "%s%.*s", text->len > 0 ? " · " : "", (int) strcspn (date, "T"), date); /* the day is enough */
  return g_string_free (text, FALSE);
}

char *
memlane_facts_describe (const MemlaneRun *const *runs, guint n_runs)
{
  g_autoptr(GPtrArray) machines = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n_runs; i++)
    {
      g_autofree char *machine = describe_machine (runs[i]);

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
