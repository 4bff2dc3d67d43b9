/* fail.c: errors in one expression
 *
 * SPDX-License-Identifier: MIT
 */
#include "fail.h"

#include <string.h>

#include "strict-text.h"

G_DEFINE_QUARK (memlane-file-error-quark, memlane_file_error)

gboolean
memlane_fail (GError **error, GQuark domain, int code, const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autoptr (GString) safe = NULL;
  va_list arguments;

  if (error == NULL)
    return FALSE;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  safe = g_string_sized_new (strlen (message));
  memlane_text_append_printable (safe, message, strlen (message), domain != MEMLANE_FILE_ERROR);
  g_set_error_literal (error, domain, code, safe->str);
  return FALSE;
}
