/* profile-keys.h: the keys of a profile's file but for costs; for profile-*.c alone
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "profile.h"

G_BEGIN_DECLS

typedef enum { KEY_STRING, KEY_BOOLEAN, KEY_INT, KEY_UINT64, KEY_DOUBLE, KEY_CAPABILITY, KEY_BASE } MemlaneProfileKeyType;

typedef struct
{
  const char *group, *key;
  MemlaneProfileKeyType type;
  gsize offset;   /* in MemlaneProfile; KEY_CAPABILITY: the bit; KEY_BASE: none, it is followed and not kept */
  double low, high; /* of a number */
  const char *doc;
  gboolean optional; /* not written while it has its default, 0 or FALSE */
} MemlaneProfileKey;

#define MEMLANE_PROFILE_MANY 1.8e19 /* as high: any 64-bit number */

extern const MemlaneProfileKey memlane_profile_keys[];
extern const guint memlane_profile_n_keys;

/* Sets "FILE: [GROUP] KEY: EXPECTED"; always FALSE. */
gboolean memlane_profile_refuse (GError **error, const char *file, const char *group, const char *key, const char *format, ...)
  G_GNUC_PRINTF (5, 6);

G_END_DECLS
