/* fail.c: errors in one expression
 *
 * SPDX-License-Identifier: MIT
 */
#include "fail.h"

G_DEFINE_QUARK (memlane-file-error-quark, memlane_file_error)

gboolean
memlane_fail (GError **error, GQuark domain, int code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    g_propagate_error (error, g_error_new_valist (domain, code, format, arguments));
  va_end (arguments);
  return FALSE;
}
