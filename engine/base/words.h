/* words.h: a word for each value of an enum, and back
 *
 * SPDX-License-Identifier: MIT
 *
 * The words stand in the order of the enum, @n of them, and are static.
 */
#pragma once

#include <string.h>

#include <glib.h>

/* Lists what @word is for i from 0 to @n - 1: "one, two, three". (transfer full) */
#define MEMLANE_LIST(n, word) \
  ({ \
    GString *list_ = g_string_new (NULL); \
    for (guint i = 0; i < (n); i++) \
      g_string_append_printf (list_, "%s%s", i > 0 ? ", " : "", (word)); \
    g_string_free (list_, FALSE); \
  })

/* Defines @function, "const char *kind_name (Kind value)". A value that has no word is "?". */
#define MEMLANE_DEFINE_NAMES(function, Type, n, ...) \
  const char * \
  function (Type value) \
  { \
    static const char *const names[] = { __VA_ARGS__ }; \
\
    G_STATIC_ASSERT (G_N_ELEMENTS (names) == (n)); \
    return (guint) value < G_N_ELEMENTS (names) ? names[value] : "?"; \
  }

/* Defines TYPE_name () like that, and "gboolean TYPE_parse (const char *word, Type *value)": FALSE
 * for an unknown word. */
#define MEMLANE_DEFINE_WORDS(Type, type, n, ...) \
  MEMLANE_DEFINE_NAMES (type##_name, Type, n, __VA_ARGS__) \
\
  gboolean \
  type##_parse (const char *word, Type *value) \
  { \
    for (guint i = 0; i < (n); i++) \
      if (strcmp (word, type##_name ((Type) i)) == 0) \
        { \
          *value = (Type) i; \
          return TRUE; \
        } \
    return FALSE; \
  }
