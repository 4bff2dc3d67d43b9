/* keys.h: the values of a key file with texts in several languages, read strictly: experiments,
 * lessons, device profiles
 *
 * SPDX-License-Identifier: MIT
 *
 * FALSE with MEMLANE_FILE_ERROR_BAD, "NAME:LINE: [GROUP] KEY: found X, expected Y", refuses the
 * file. Any thread.
 */
#pragma once

#include "key-file.h"

#define MEMLANE_KEYS_MOST 64 /* parts of a list */

typedef struct
{
  const char *name; /* of the file, for messages */
  GKeyFile *file;
  MemlaneKeyLines *lines;
  const char *language; /* NULL: the person's */
  gboolean all_translated; /* each text is in the languages of the title in the first group, too */
  const char *first_group;
} MemlaneKeys;

typedef enum
{
  /* char *: without blanks around it, of at most 16,000 bytes; NULL without such a key */
  MEMLANE_KEY_VALUE,
  /* char *: the same in the reader's language. Every language is checked, so that no file is
   * refused in one alone */
  MEMLANE_KEY_TEXT,
  /* char **: "a;b;c", blanks around each taken off; an empty one is refused. Never NULL */
  MEMLANE_KEY_LIST,
  /* char **: the same in the reader's language, with as many parts in each language as in
   * English */
  MEMLANE_KEY_TEXTS,
  MEMLANE_KEY_NUMBER,  /* guint, whole; without such a key it stays as it is, like the next two */
  MEMLANE_KEY_DECIMAL, /* double */
  MEMLANE_KEY_INTEGER, /* int, whole, perhaps below 0 */
  MEMLANE_KEY_BYTES,   /* guint64, whole */
  MEMLANE_KEY_FLAG,    /* gboolean: true or false */
  MEMLANE_KEY_BIT,     /* guint, of which true sets the bit @most, and false clears it */
  MEMLANE_KEY_ELSEWHERE, /* it may stand there; memlane_keys_get() reads it */
} MemlaneKeyKind;

/* A key that a group may have. A table of them ends with {0}. */
typedef struct
{
  const char *key;
  MemlaneKeyKind kind;
  glong offset; /* of the field in the structure that is filled */
  gboolean needed;
  double least, most; /* NUMBER, DECIMAL, INTEGER, BYTES */
} MemlaneKey;

/* @name, @first_group and @language must outlive @self. close() in any case. */
gboolean memlane_keys_open (MemlaneKeys *self, const char *text, gsize length, const char *name,
                            const char *first_group, const char *language, GError **error);
void memlane_keys_close (MemlaneKeys *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MemlaneKeys, memlane_keys_close)

/* Always FALSE. @key: NULL for the whole group. */
gboolean memlane_keys_refuse (const MemlaneKeys *reader, const char *group, const char *key,
                              GError **error, const char *format, ...) G_GNUC_PRINTF (5, 6);
/* Refuses keys that are not in @keys. */
gboolean memlane_keys_check (const MemlaneKeys *reader, const char *group, const MemlaneKey *keys,
                             GError **error);
/* Reads @keys, which are checked, into the fields of @to. After FALSE it owns what was read until
 * then. */
gboolean memlane_keys_fill (const MemlaneKeys *reader, const char *group, const MemlaneKey *keys,
                            gpointer to, GError **error);
/* *@value (transfer full) (nullable): a VALUE. FALSE: it is too long, or (@needed) missing. */
gboolean memlane_keys_get (const MemlaneKeys *reader, const char *group, const char *key,
                           gboolean needed, char **value, GError **error);
/* A NUMBER. */
gboolean memlane_keys_number (const MemlaneKeys *reader, const char *group, const char *key,
                              guint least, guint most, guint *value, GError **error);

/* Reads a file of at most MEMLANE_KEYS_MOST_BYTES. */
gboolean memlane_keys_read (const char *path, char **text, gsize *length, GError **error);
/* Defines @function, which reads all files of @list, paths (transfer full), into an array in the
 * order of @compare. *@problems (optional) (transfer full) (element-type utf8): a sentence for each
 * file that is refused. */
#define MEMLANE_DEFINE_LIST(function, Type, read, unref, list, compare)                            \
  GPtrArray *function (const char *language, GPtrArray **problems)                                 \
  {                                                                                                \
    g_autoptr (GPtrArray) paths = (list), refused = g_ptr_array_new_with_free_func (g_free);       \
    GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) unref);                      \
                                                                                                   \
    for (guint i = 0; i < paths->len; i++)                                                         \
      {                                                                                            \
        g_autoptr (GError) problem = NULL;                                                         \
        Type *one = read (paths->pdata[i], language, &problem);                                    \
                                                                                                   \
        g_ptr_array_add (one != NULL ? all : refused,                                              \
                         one != NULL ? (gpointer) one : g_strdup (problem->message));              \
      }                                                                                            \
    g_ptr_array_sort (all, compare);                                                               \
    if (problems != NULL)                                                                          \
      *problems = g_steal_pointer (&refused);                                                      \
    return all;                                                                                    \
  }
