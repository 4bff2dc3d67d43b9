/* each.h: one way to walk an array, and one to search it
 *
 * SPDX-License-Identifier: MIT
 *
 * MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells) runs the statement behind it for each
 * pointer of a GPtrArray. MEMLANE_FOR_EACH_IN does so for the elements of a GArray, where @item
 * points into it. MEMLANE_FOR_EACH_ENTRY does for those of a hash table, whose @key and @value are
 * gpointers. The array or table must not change meanwhile.
 *
 * MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n)) does so for the array
 * that a call returns; the call sets @n.
 *
 * MEMLANE_FIND_FIRST (n, i, items[i] < value) is the first i below n for which the condition is
 * false; n: it is true of all. The items must be in order, so that it is true up to some place and
 * false from there on.
 */
#pragma once

#include <glib.h>

static inline gpointer
memlane_array_end (gpointer data, guint n, gsize size)
{
  return n > 0 ? (char *) data + n * size : data;
}

#define MEMLANE_FOR_EACH(Type, item, array)                                                        \
  for (Type **item##_at = (Type **) (array)->pdata,                                                \
            **item##_end = memlane_array_end (item##_at, (array)->len, sizeof (gpointer)), *item;  \
       item##_at < item##_end && ((item = *item##_at), TRUE); item##_at++)

#define MEMLANE_FOR_EACH_IN(Type, item, array)                                                     \
  for (Type *item = (gpointer) (array)->data,                                                      \
            *item##_end = memlane_array_end ((array)->data, (array)->len, sizeof (Type));          \
       item < item##_end; item++)

#define MEMLANE_FOR_EACH_OF(Type, item, n, array)                                                  \
  for (guint n = 0, item##_on = TRUE; item##_on; item##_on = FALSE)                                \
    for (Type *item = (array),                                                                     \
              *item##_end = memlane_array_end ((gpointer) item, n, sizeof (*item));                \
         item < item##_end; item++)

#define MEMLANE_FOR_EACH_ENTRY(table, key, value)                                                  \
  for (GHashTableIter key##_at,                                                                    \
       *key##_on = (g_hash_table_iter_init (&key##_at, (table)), &key##_at);                       \
       key##_on != NULL; key##_on = NULL)                                                          \
    for (gpointer key, value; g_hash_table_iter_next (&key##_at, &key, &value);)

#define MEMLANE_FIND_FIRST(n, i, is_before) \
  ({ \
    guint low_ = 0, high_ = (n); \
    while (low_ < high_) \
      { \
        const guint i = low_ + (high_ - low_) / 2; \
        if (is_before) \
          low_ = i + 1; \
        else \
          high_ = i; \
      } \
    low_; \
  })

/* Orders of numbers, for qsort() and g_array_sort(). */
static inline int
memlane_compare_doubles (const void *a, const void *b)
{
  double one = *(const double *) a, other = *(const double *) b;

  return (one > other) - (one < other);
}

static inline int
memlane_compare_ids (const void *a, const void *b)
{
  guint32 one = *(const guint32 *) a, other = *(const guint32 *) b;

  return (one > other) - (one < other);
}

/* Defines @function, an order for g_array_sort(): by the @keys of a @Type, the first first, as
 * RISING (start) FALLING (duration). In them one and other are the two. The same for a GPtrArray by
 * MEMLANE_DEFINE_ORDER_OF_POINTERS(). */
#define MEMLANE_DEFINE_ORDER_FROM(function, Type, from, keys) \
  static int \
  function (gconstpointer a, gconstpointer b) \
  { \
    const Type *one = from a; \
    const Type *other = from b; \
\
    keys \
    return 0; \
  }
#define MEMLANE_DEFINE_ORDER(function, Type, keys)                                                 \
  MEMLANE_DEFINE_ORDER_FROM (function, Type, , keys)
#define MEMLANE_DEFINE_ORDER_OF_POINTERS(function, Type, keys)                                     \
  MEMLANE_DEFINE_ORDER_FROM (function, Type, *(Type *const *), keys)
#define RISING(key) \
  if (one->key != other->key) \
    return one->key < other->key ? -1 : 1;
#define FALLING(key) \
  if (one->key != other->key) \
    return one->key > other->key ? -1 : 1;
