/* set-environment.h: gives a run an environment by its JSON
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "result/environment.h"

/* @format NULL, or a text that cannot be read: the run has none afterwards. */
static inline void G_GNUC_PRINTF (2, 3) G_GNUC_UNUSED
set_environment (MemlaneRun *run, const char *format, ...)
{
  g_autofree char *json = NULL;
  va_list arguments;

  va_start (arguments, format);
  json = format != NULL ? g_strdup_vprintf (format, arguments) : NULL;
  va_end (arguments);
  memlane_environment_unref (run->environment);
  run->environment = json != NULL ? memlane_environment_parse (json, -1, "test", NULL) : NULL;
}
