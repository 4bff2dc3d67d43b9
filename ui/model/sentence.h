/* sentence.h: a message of the engine as a sentence of its own
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

/* "cannot write /x: No space left" -> "Cannot write /x: ...". The engine's messages begin in lower
 * case, since they may follow a colon. A message that begins with a name ("cuMemAlloc failed",
 * "simulated:x: ...", "run.csv:3: ...") stays as it is. NULL gives NULL. (transfer full) */
char *memlane_sentence_new (const char *message);
