/* fail.h: errors in one expression: return memlane_fail (error, ...)
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "file-error.h"

/* Sets @error, which may be NULL, as g_set_error() does. What the message quotes has no control
 * character left, and that of a file no newline. Always FALSE; for a pointer: return memlane_fail
 * (...), NULL. */
gboolean memlane_fail (GError **error, GQuark domain, int code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* The same with MEMLANE_FILE_ERROR_BAD: what was read is wrong. */
#define memlane_refuse(error, ...)                                                                 \
  memlane_fail (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, __VA_ARGS__)
/* The same with MEMLANE_FILE_ERROR_IO: it could not be read or written. */
#define memlane_fail_io(error, ...)                                                                \
  memlane_fail (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, __VA_ARGS__)
