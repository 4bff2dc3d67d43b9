/* key-file.h: where each group and key of a key file stands, and what stands twice: GKeyFile tells
 * neither
 *
 * SPDX-License-Identifier: MIT
 *
 * Values are GKeyFile's matter: a reader checks the lines, then loads the text with it.
 * Of two lines with the same key GKeyFile takes the last and says nothing. Any thread.
 */
#pragma once

#include <glib.h>

typedef struct _MemlaneKeyLines MemlaneKeyLines;

/* @first_group (a literal): the group that a file begins with, for messages. */
MemlaneKeyLines *memlane_key_lines_new (const char *text, gsize length, const char *first_group);
void memlane_key_lines_free (MemlaneKeyLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneKeyLines, memlane_key_lines_free)

/* FALSE with MEMLANE_FILE_ERROR_BAD, "NAME:LINE: found X, expected Y", for the first line that is
 * wrong. Such a line is no text, longer than 20,000 bytes, or neither comment nor [GROUP] nor
 * KEY=VALUE in a group. A group or a key that stands twice is wrong, too.
 * At most 1,000 groups and 1,000 keys of a group are read: the tables of GKeyFile have no seed. */
gboolean memlane_key_lines_check (const MemlaneKeyLines *self, const char *name, GError **error);
/* The line (from 1) of @key, or, where there is none and for NULL, of @group; 1 when that is
 * missing, too. */
guint memlane_key_lines_find (const MemlaneKeyLines *self, const char *group, const char *key);
