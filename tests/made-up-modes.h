/* made-up-modes.h: the registry with six more modes of known parts, for a program that is linked with --wrap of its two functions
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <string.h>

#include "mode/mode.h"

#define MADE_UP_MODES 6 /* more than 32 in all */

const MemlaneMode *__real_memlane_mode_list (guint *n);
const MemlaneMode *__wrap_memlane_mode_list (guint *n);
const MemlaneMode *__wrap_memlane_mode_find (const char *id);

/* Each is one row: "pinned" under another name. */
const MemlaneMode *
__wrap_memlane_mode_list (guint *n)
{
  static const char *const ids[MADE_UP_MODES]
      = { "made-up-a", "made-up-b", "made-up-c", "made-up-d", "made-up-e", "made-up-f" };
  static MemlaneMode modes[MEMLANE_MOST_MODES];
  static gsize is_made;
  const MemlaneMode *real = __real_memlane_mode_list (n);

  g_assert_cmpuint (*n + MADE_UP_MODES, <=, MEMLANE_MOST_MODES);
  if (g_once_init_enter (&is_made))
    {
      memcpy (modes, real, *n * sizeof *modes);
      for (guint i = 0; i < MADE_UP_MODES; i++)
        for (guint k = 0; k < *n; k++)
          if (strcmp (real[k].id, "pinned") == 0)
            {
              modes[*n + i] = real[k];
              modes[*n + i].id = ids[i];
            }
      g_once_init_leave (&is_made, 1);
    }
  *n += MADE_UP_MODES;
  return modes;
}

const MemlaneMode *
__wrap_memlane_mode_find (const char *id)
{
  guint n;
  const MemlaneMode *modes = __wrap_memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (modes[i].id, id) == 0)
      return &modes[i];
  return NULL;
}
