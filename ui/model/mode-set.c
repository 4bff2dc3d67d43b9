/* mode-set.c: some of the modes: those to measure, or those to show
 *
 * SPDX-License-Identifier: MIT
 */
#include "mode-set.h"

#include "memlane.h"
#include "fields.h"
#include "base/each.h"

struct _MemlaneModeSet
{
  GObject parent_instance;

  guint64 modes;       /* a bit each, in the registry's order */
  GSettings *settings; /* (owned) (nullable) */
  const char *key;
};

/* 0: there is no such mode. */
static guint64
get_bit (const char *id)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n), *mode = memlane_mode_find (id);

  return mode != NULL ? G_GUINT64_CONSTANT (1) << (mode - modes) : 0;
}

static guint64
get_all (void)
{
  guint n;

  (void) memlane_mode_list (&n);
  return (G_GUINT64_CONSTANT (1) << n) - 1;
}

static void
keep (MemlaneModeSet *self)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  if (self->modes == get_all ()) /* a mode that comes later is among them, too */
    g_strv_builder_add (ids, "all");
  else
    MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n))
      if (memlane_mode_set_has (self, mode->id))
        g_strv_builder_add (ids, mode->id);
  list = g_strv_builder_end (ids);
  g_settings_set_strv (self->settings, self->key, (const char *const *) list);
}

static void
set (MemlaneModeSet *self, guint64 modes)
{
  if (self->modes == modes)
    return;
  self->modes = modes;
  if (self->settings != NULL)
    keep (self);
  memlane_say_changed (self);
}

void
memlane_mode_set_keep (MemlaneModeSet *self, GSettings *settings, const char *key)
{
  g_auto (GStrv) ids = g_settings_get_strv (settings, key);

  g_set_object (&self->settings, settings);
  self->key = key;
  if (g_strv_contains ((const char *const *) ids, "all"))
    return;
  self->modes = 0;
  for (char **id = ids; *id != NULL; id++)
    self->modes |= get_bit (*id);
}

gboolean
memlane_mode_set_has (MemlaneModeSet *self, const char *id)
{
  return (self->modes & get_bit (id)) != 0;
}

gboolean
memlane_mode_set_is_empty (MemlaneModeSet *self)
{
  return self->modes == 0;
}

void
memlane_mode_set_put (MemlaneModeSet *self, const char *id, gboolean wanted)
{
  set (self, wanted ? self->modes | get_bit (id) : self->modes & ~get_bit (id));
}

void
memlane_mode_set_put_all (MemlaneModeSet *self, gboolean wanted)
{
  set (self, wanted ? get_all () : 0);
}

MEMLANE_DEFINE_OBJECT (MemlaneModeSet, memlane_mode_set, OWNS (settings, g_object_unref),
                       memlane_signal_add (klass, "changed", 0);)

MemlaneModeSet *
memlane_mode_set_new (void)
{
  MemlaneModeSet *self = g_object_new (MEMLANE_TYPE_MODE_SET, NULL);

  self->modes = get_all ();
  return self;
}
