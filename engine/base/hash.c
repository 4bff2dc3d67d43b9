/* hash.c: hashes for tables whose keys come from files
 *
 * SPDX-License-Identifier: MIT
 *
 * The bytes are the digits of a number to a secret base, modulo a prime (J. L. Carter, M. N.
 * Wegman: Universal classes of hash functions, 1979). Nobody who lacks the base can write many keys
 * of one hash.
 */
#include "hash.h"

#include <string.h>

#define PRIME 0x7fffffffu /* 2^31 - 1 */

/* The same as long as the process lives. */
static guint64
get_base (void)
{
  static gsize base;

  if (g_once_init_enter (&base))
    g_once_init_leave (&base, (gsize) g_random_int_range (256, PRIME));
  return base;
}

static guint
hash_bytes (const guchar *bytes, gsize length)
{
  const guint64 base = get_base ();
  guint64 hash = 1;

  for (gsize i = 0; i < length; i++)
    hash = (hash * base + bytes[i]) % PRIME;
  return (guint) hash;
}

guint
memlane_hash_text (gconstpointer text)
{
  return hash_bytes (text, strlen (text));
}

guint
memlane_hash_int64 (gconstpointer number)
{
  return hash_bytes (number, sizeof (gint64));
}

guint
memlane_hash_number (gconstpointer number)
{
  return hash_bytes ((const guchar *) &number, sizeof number);
}
