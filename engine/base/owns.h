/* owns.h: the end of a structure, told by its fields
 *
 * SPDX-License-Identifier: MIT
 *
 * The lists of fields have no commas: OWNS (name, g_free) OWNS (runs, g_ptr_array_unref). In them
 * self is the structure.
 */
#pragma once

#include <glib.h>

/* @release frees what the field points to, unless it is NULL; the field becomes NULL. */
#define OWNS(field, release) g_clear_pointer (&self->field, release);

/* Defines a function, "void person_clear (Person *data)" or with gpointer data: releases the fields
 * of a @Type. */
#define MEMLANE_DEFINE_CLEAR(Type, function, fields) \
  function \
  { \
    Type *self = data; \
\
    fields \
  }

/* The same, and frees the @Type; NULL is left alone. */
#define MEMLANE_DEFINE_FREE(Type, function, fields) \
  function \
  { \
    Type *self = data; \
\
    if (self == NULL) \
      return; \
    fields \
    g_free (self); \
  }

/* Defines TYPE_ref () and TYPE_unref () of a @Type with an int ref_count, for any thread; NULL is
 * left alone. The last unref frees as above. */
#define MEMLANE_DEFINE_REF(Type, type, fields) \
  Type * \
  type##_ref (Type *self) \
  { \
    if (self != NULL) \
      g_atomic_int_inc (&self->ref_count); \
    return self; \
  } \
\
  void \
  type##_unref (Type *self) \
  { \
    if (self == NULL || !g_atomic_int_dec_and_test (&self->ref_count)) \
      return; \
    fields \
    g_free (self); \
  }

/* Defines @vfunc, the dispose or finalize of @Type: releases the fields and goes on to the parent.
 * WATCHES () is a weak pointer; other statements may stand between them. */
#define WATCHES(field) g_clear_weak_pointer (&self->field);
#define MEMLANE_DEFINE_RELEASE(Type, type, vfunc, fields) \
  static void \
  vfunc (GObject *object) \
  { \
    Type *self = (Type *) object; \
\
    fields \
    G_OBJECT_CLASS (type##_parent_class)->vfunc (object); \
  }

/* Gives the text at @at, which its structure owns, another value (nullable). Returns whether that
 * is a change. */
static inline gboolean
memlane_text_set (char **at, const char *text)
{
  char *before = *at;

  if (g_strcmp0 (before, text) == 0)
    return FALSE;
  *at = g_strdup (text); /* may be a part of what was there */
  g_free (before);
  return TRUE;
}
