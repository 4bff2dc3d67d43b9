/* file-error.h: the one error domain for every file that is read or written
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MEMLANE_FILE_ERROR (memlane_file_error_quark ())
typedef enum
{
  MEMLANE_FILE_ERROR_BAD, /* refused: "FILE:LINE: found X, expected Y" */
  /* cannot be read or written; the message holds the system's reason and the path */
  MEMLANE_FILE_ERROR_IO,
} MemlaneFileError;
GQuark memlane_file_error_quark (void);

G_END_DECLS
