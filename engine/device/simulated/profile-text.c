/* profile-text.c: a profile's file, written with its documentation
 *
 * SPDX-License-Identifier: MIT
 */
#include "profile-keys.h"

#include "base/strict-text.h"

#define IN(member) G_STRUCT_OFFSET (MemlaneProfile, member)

static gboolean
append_key (const MemlaneProfile *self, const MemlaneProfileKey *key, GString *text)
{
  gconstpointer at = G_STRUCT_MEMBER_P (self, key->type == KEY_CAPABILITY ? 0 : key->offset);
  gboolean said;

  /* Optional keys are there only when they say something; in_order_engines when it is not what the engine count implies. */
  switch (key->type)
    {
    case KEY_STRING:
      said = *(char *const *) at != NULL;
      break;
    case KEY_BOOLEAN:
      said = *(const gboolean *) at != (key->offset == IN (in_order_engines) && self->info.copy_engines <= 1);
      break;
    case KEY_UINT64:
      said = *(const guint64 *) at != (key->offset == IN (noise_seed) ? 1 : 0);
      break;
    case KEY_DOUBLE:
      said = *(const double *) at != 0;
      break;
    case KEY_BASE: /* all that it gave is written here */
      said = FALSE;
      break;
    case KEY_INT:
    case KEY_CAPABILITY:
    default:
      said = TRUE;
      break;
    }
  if (!said && (key->optional || key->type == KEY_STRING))
    return FALSE;

  if (key->doc != NULL)
    g_string_append_printf (text, "# %s\n", key->doc);
  g_string_append_printf (text, "%s=", key->key);
  switch (key->type)
    {
    case KEY_STRING:
      {
        /* Escaped as GKeyFile does it. */
        g_autoptr (GKeyFile) escaper = g_key_file_new ();
        g_autofree char *escaped = NULL;
        g_key_file_set_string (escaper, "g", "k", *(char *const *) at);
        escaped = g_key_file_get_value (escaper, "g", "k", NULL);
        g_string_append (text, escaped);
        break;
      }
    case KEY_BOOLEAN:
      g_string_append (text, *(const gboolean *) at ? "true" : "false");
      break;
    case KEY_CAPABILITY:
      g_string_append (text, (self->info.capabilities & (MemlaneCapabilities) key->offset) != 0 ? "true" : "false");
      break;
    case KEY_INT:
      g_string_append_printf (text, "%d", *(const int *) at);
      break;
    case KEY_UINT64:
      g_string_append_printf (text, "%" G_GUINT64_FORMAT, *(const guint64 *) at);
      break;
    case KEY_DOUBLE:
    case KEY_BASE:
    default:
      memlane_text_append_number (text, *(const double *) at);
      break;
    }
  g_string_append_c (text, '\n');
  return TRUE;
}

static void
append_group (const MemlaneProfile *self, const char *group, GString *text)
{
  gsize start = text->len;
  gboolean any = FALSE;

  g_string_append_printf (text, "\n[%s]\n", group);
  for (guint i = 0; i < memlane_profile_n_keys; i++)
    if (strcmp (memlane_profile_keys[i].group, group) == 0)
      any |= append_key (self, &memlane_profile_keys[i], text);
  if (!any)
    g_string_truncate (text, start);
}

static void
append_list (GString *text, const char *key, const double *numbers, guint n)
{
  g_string_append_printf (text, "%s=", key);
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (text, ';');
      memlane_text_append_number (text, numbers[i]);
    }
  g_string_append_c (text, '\n');
}

char *
memlane_profile_to_text (const MemlaneProfile *self)
{
  GString *text = g_string_new (
    "# A device profile of Memlane: what one simulated device can do, and what everything costs there.\n"
    "# SPDX-License-Identifier: MIT\n"
    "#\n"
    "# Times are nanoseconds, sizes bytes, bandwidths bytes per second; decimal points whatever the locale. Every key and every group but\n"
    "# [device] may be left out: a host constant has a default, a curve falls back as its comment says. Unknown keys are refused.\n"
    "#\n"
    "# With based_on=NAME in [device] a profile says only what is different: the rest is taken from NAME.device, which lies beside it or\n"
    "# among the installed ones. One that states asyncEngineCount states in_order_engines, too, or gets what the count implies.\n"
    "#\n"
    "# A curve is a table over the bytes of one buffer or one operation: bytes ascend, ns never descend. Between two knots the cost is\n"
    "# interpolated in log-log space; below the first it is the first value; beyond the last it grows linearly with the slope of the last\n"
    "# two. (host): the call blocks the host for so long. (device): it occupies its engine for so long.\n"
    "#\n"
    "# Small allocations share chunks of 2 MiB, as the driver lets them: device memory, page-locked memory, write-combined memory and\n"
    "# the second device's have chunks of their own, and one page-locked chunk is never given back. There malloc.* is what an allocation\n"
    "# costs that begins a chunk or is too large to share one, free.* a release that empties one or was too large; all others cost\n"
    "# share.take and share.return. Pageable, managed, registered and stream-ordered memory pays its curve each time.\n");
  guint n;
  const MemlaneProfileTerm *terms = memlane_profile_host_list (&n);

  append_group (self, "device", text);
  append_group (self, "link", text);
  append_group (self, "implicit-sync", text);
  append_group (self, "noise", text);
  append_group (self, "trouble", text);

  g_string_append (text, "\n[host]\n");
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, "# %s\n%s=", terms[i].doc, terms[i].name);
      memlane_text_append_number (text, self->host[i]);
      g_string_append_c (text, '\n');
    }

  terms = memlane_profile_curve_list (&n);
  for (guint i = 0; i < n; i++)
    {
      const MemlaneCostCurve *curve = &self->curves[i];
      const char *lead = curve->n > 0 ? "" : "# ";

      g_string_append_printf (text, "\n%s[curve %s]\n# %s\n", lead, terms[i].name, terms[i].doc);
      if (curve->n > 0)
        {
          append_list (text, "bytes", curve->bytes, curve->n);
          append_list (text, "ns", curve->ns, curve->n);
        }
      else if (terms[i].fallback != NULL)
        g_string_append_printf (text, "# left out: as %s\n", terms[i].fallback);
      else
        {
          g_string_append (text, "# left out: ");
          memlane_text_append_number (text, terms[i].latency_ns);
          g_string_append (text, " + bytes x ");
          memlane_text_append_number (text, terms[i].ns_per_byte);
          g_string_append_c (text, '\n');
        }
    }
  return g_string_free (text, FALSE);
}

gboolean
memlane_profile_save (const MemlaneProfile *self, const char *path, GError **error)
{
  g_autofree char *text = memlane_profile_to_text (self);
  g_autoptr (GError) problem = NULL;

  if (g_file_set_contents (path, text, -1, &problem)) /* writes beside and renames */
    return TRUE;
  return memlane_profile_refuse (error, path, NULL, NULL, "cannot be written: %s", problem->message);
}
