/* hash.h: hashes for tables whose keys come from files
 *
 * SPDX-License-Identifier: MIT
 *
 * SipHash-1-3 with a seed that each process draws. Nobody who writes a file can foresee which keys
 * collide, so a table of n words takes time in proportion to n. g_str_hash() has no seed. Any
 * thread.
 */
#pragma once

#include <glib.h>

guint memlane_hash_text (gconstpointer text);     /* a string; with g_str_equal() */
guint memlane_hash_int64 (gconstpointer number);  /* gint64 *; with g_int64_equal() */
guint memlane_hash_number (gconstpointer number); /* GUINT_TO_POINTER(); with NULL */
