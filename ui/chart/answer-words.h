/* answer-words.h: the analysis' answers as the person reads them: translated, with titles of modes and units
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "memlane.h"

G_BEGIN_DECLS

/* (transfer full): the sentence; modes by their titles, sizes as "2²⁰", intervals in brackets. */
char *memlane_answer_to_words (const MemlaneAnswer *answer);

G_END_DECLS
