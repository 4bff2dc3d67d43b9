/* hash.c: hashes for tables whose keys come from files
 *
 * SPDX-License-Identifier: MIT
 *
 * J.-P. Aumasson, D. J. Bernstein: SipHash, a fast short-input PRF (2012), with one round a word and three at the end.
 */
#include "hash.h"

#include <string.h>

typedef struct
{
  guint64 v[4];
} State;

static inline guint64
rotate (guint64 word, guint bits)
{
  return word << bits | word >> (64 - bits);
}

static inline void
mix (State *s)
{
  s->v[0] += s->v[1];
  s->v[2] += s->v[3];
  s->v[1] = rotate (s->v[1], 13) ^ s->v[0];
  s->v[3] = rotate (s->v[3], 16) ^ s->v[2];
  s->v[0] = rotate (s->v[0], 32) + s->v[3];
  s->v[2] += s->v[1];
  s->v[1] = rotate (s->v[1], 17) ^ s->v[2];
  s->v[3] = rotate (s->v[3], 21) ^ s->v[0];
  s->v[2] = rotate (s->v[2], 32);
}

static inline void
take_word (State *s, guint64 word)
{
  s->v[3] ^= word;
  mix (s);
  s->v[0] ^= word;
}

/* The two words of the seed; the same as long as the process lives. */
static const guint64 *
get_seed (void)
{
  static guint64 seed[2];
  static gsize is_drawn;

  if (g_once_init_enter (&is_drawn))
    {
      for (guint i = 0; i < G_N_ELEMENTS (seed); i++)
        seed[i] = (guint64) g_random_int () << 32 | g_random_int ();
      g_once_init_leave (&is_drawn, 1);
    }
  return seed;
}

static guint
hash_bytes (const char *bytes, gsize length)
{
  const guint64 *seed = get_seed ();
  State s = { { seed[0] ^ 0x736f6d6570736575, seed[1] ^ 0x646f72616e646f6d, seed[0] ^ 0x6c7967656e657261,
                seed[1] ^ 0x7465646279746573 } };
  guint64 word, last = (guint64) length << 56;
  gsize at;

  for (at = 0; at + sizeof word <= length; at += sizeof word)
    {
      memcpy (&word, bytes + at, sizeof word);
      take_word (&s, word);
    }
  for (gsize i = 0; at + i < length; i++)
    last |= (guint64) (guchar) bytes[at + i] << (8 * i);
  take_word (&s, last);
  s.v[2] ^= 0xff;
  for (guint i = 0; i < 3; i++)
    mix (&s);
  return (guint) (s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3]);
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
  return hash_bytes ((const char *) &number, sizeof number);
}
