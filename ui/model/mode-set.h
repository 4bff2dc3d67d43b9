/* mode-set.h: some of the modes: those to measure, or those to show
 *
 * SPDX-License-Identifier: MIT
 *
 * GObject without GTK, main thread only. All modes are in a new set. Signal "changed": a mode came
 * or went.
 */
#pragma once

#include <gio/gio.h>

#define MEMLANE_TYPE_MODE_SET (memlane_mode_set_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneModeSet, memlane_mode_set, MEMLANE, MODE_SET, GObject)

MemlaneModeSet *memlane_mode_set_new (void);
/* Restores the set from @key of @settings, and keeps it there from now on. @key: static */
void memlane_mode_set_keep (MemlaneModeSet *self, GSettings *settings, const char *key);

gboolean memlane_mode_set_has (MemlaneModeSet *self, const char *mode);
gboolean memlane_mode_set_is_empty (MemlaneModeSet *self);
/* An unknown id changes nothing. */
void memlane_mode_set_put (MemlaneModeSet *self, const char *mode, gboolean wanted);
void memlane_mode_set_put_all (MemlaneModeSet *self, gboolean wanted);
