/* mode-set.c: some of the modes: those to measure, or those to show
 *
 * SPDX-License-Identifier: MIT
 */
#include "mode-set.h"

#include "memlane.h"
#include "fields.h"

struct _MemlaneModeSet
{
  GObject parent_instance;

  GHashTable *modes;   /* (element-type MemlaneMode) */
  GSettings *settings; /* (owned) (nullable) */
  const char *key;
};

G_DEFINE_FINAL_TYPE (MemlaneModeSet, memlane_mode_set, G_TYPE_OBJECT)

static void
keep (MemlaneModeSet *self)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  if (self->settings == NULL)
    return;
  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (self->modes, &modes[i]))
      g_ptr_array_add (ids, (gpointer) modes[i].id);
  if (ids->len == n) /* a mode that comes later is among them, too */
    {
      g_ptr_array_set_size (ids, 0);
      g_ptr_array_add (ids, (gpointer) "all");
    }
  g_ptr_array_add (ids, NULL);
  g_settings_set_strv (self->settings, self->key, (const char *const *) ids->pdata);
}

static void
say_changed (MemlaneModeSet *self)
{
  keep (self);
  memlane_say_changed (self);
}

static void
fill (MemlaneModeSet *self)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    g_hash_table_add (self->modes, (gpointer) &modes[i]);
}

void
memlane_mode_set_keep (MemlaneModeSet *self, GSettings *settings, const char *key)
{
  g_auto (GStrv) ids = g_settings_get_strv (settings, key);

  g_set_object (&self->settings, settings);
  self->key = key;
  if (g_strv_contains ((const char *const *) ids, "all"))
    return;
  g_hash_table_remove_all (self->modes);
  for (char **id = ids; *id != NULL; id++)
    {
      const MemlaneMode *mode = memlane_mode_find (*id);

      if (mode != NULL)
        g_hash_table_add (self->modes, (gpointer) mode);
    }
}

gboolean
memlane_mode_set_has (MemlaneModeSet *self, const char *id)
{
  const MemlaneMode *mode = memlane_mode_find (id);

  return mode != NULL && g_hash_table_contains (self->modes, mode);
}

gboolean
memlane_mode_set_is_empty (MemlaneModeSet *self)
{
  return g_hash_table_size (self->modes) == 0;
}

void
memlane_mode_set_put (MemlaneModeSet *self, const char *id, gboolean wanted)
{
  const MemlaneMode *mode = memlane_mode_find (id);

  if (mode != NULL && (wanted ? g_hash_table_add (self->modes, (gpointer) mode) : g_hash_table_remove (self->modes, mode)))
    say_changed (self);
}

void
memlane_mode_set_put_all (MemlaneModeSet *self, gboolean wanted)
{
  guint n;

  (void) memlane_mode_list (&n);
  if (g_hash_table_size (self->modes) == (wanted ? n : 0))
    return;
  if (wanted)
    fill (self);
  else
    g_hash_table_remove_all (self->modes);
  say_changed (self);
}

MEMLANE_DEFINE_RELEASE (MemlaneModeSet, memlane_mode_set, finalize, OWNS (modes, g_hash_table_unref) OWNS (settings, g_object_unref))

static void
memlane_mode_set_class_init (MemlaneModeSetClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  memlane_signal_add (klass, "changed", 0);
}

static void
memlane_mode_set_init (MemlaneModeSet *self)
{
  self->modes = g_hash_table_new (NULL, NULL);
  fill (self);
}

MemlaneModeSet *
memlane_mode_set_new (void)
{
  return g_object_new (MEMLANE_TYPE_MODE_SET, NULL);
}
