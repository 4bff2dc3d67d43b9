/* keys.h: the values of a key file with texts in several languages, read strictly: experiments and lessons
 *
 * SPDX-License-Identifier: MIT
 *
 * FALSE with MEMLANE_FILE_ERROR_BAD, "NAME:LINE: [GROUP] KEY: found X, expected Y", refuses the file. Any thread.
 */
#pragma once

#include "base/key-file.h"

G_BEGIN_DECLS

#define MEMLANE_KEYS_MOST 64 /* parts of a list */

typedef struct
{
  const char *name; /* of the file, for messages */
  GKeyFile *file;
  MemlaneKeyLines *lines;
  const char *language; /* NULL: the person's */
} MemlaneKeys;

/* @name, @first_group and @language must outlive @self. close() in any case. */
gboolean memlane_keys_open (MemlaneKeys *self, const char *text, gsize length, const char *name, const char *first_group,
                            const char *language, GError **error);
void memlane_keys_close (MemlaneKeys *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MemlaneKeys, memlane_keys_close)

/* Always FALSE. @key: NULL for the whole group. */
gboolean memlane_keys_refuse (const MemlaneKeys *reader, const char *group, const char *key, GError **error, const char *format, ...)
  G_GNUC_PRINTF (5, 6);
/* Refuses keys that are neither in @keys nor, with or without a language, in @texts. */
gboolean memlane_keys_check (const MemlaneKeys *reader, const char *group, const char *const *keys, const char *const *texts,
                             GError **error);

/* *@value (transfer full) (nullable): without blanks around it. FALSE: too long, or (@needed) missing. */
gboolean memlane_keys_get (const MemlaneKeys *reader, const char *group, const char *key, gboolean needed, char **value, GError **error);
/* In the reader's language. Every language is checked, so that no file is refused in one and accepted in another. */
gboolean memlane_keys_text (const MemlaneKeys *reader, const char *group, const char *key, gboolean needed, char **value, GError **error);
/* *@value stays as it is without such a key. */
gboolean memlane_keys_number (const MemlaneKeys *reader, const char *group, const char *key, guint least, guint most, guint *value,
                              GError **error);
/* "a;b;c", blanks around each taken off; an empty one is refused. *@list (transfer full): never NULL. */
gboolean memlane_keys_split (const MemlaneKeys *reader, const char *group, const char *key, const char *text, char ***list,
                             GError **error);
gboolean memlane_keys_list (const MemlaneKeys *reader, const char *group, const char *key, gboolean needed, char ***list, GError **error);
/* Refuses a list that has in some language more or fewer parts than in English. */
gboolean memlane_keys_check_list (const MemlaneKeys *reader, const char *group, const char *key, GError **error);

/* Reads a file of at most MEMLANE_EXPERIMENT_MAX_BYTES. */
gboolean memlane_keys_read (const char *path, char **text, gsize *length, GError **error);

G_END_DECLS
