/* answer-words.h: the analysis' answers as the person reads them: translated, with titles of modes
 * and units
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "memlane.h"

/* (transfer full): the sentence; modes by their titles, sizes as "2²⁰", intervals in brackets. */
char *memlane_answer_to_words (const MemlaneAnswer *answer);
/* (transfer full): those of @answers that are not NULL, one behind the other. */
char *memlane_answers_to_words (const MemlaneAnswer *const *answers, guint n);
/* @text in the person's language, as the engine asks for it; "" is "". (transfer none) */
const char *memlane_words_translate (const char *text);
/* Sets powers as people read them: "2^20" is 2²⁰. (transfer full) */
char *memlane_words_typeset (const char *text);
/* Translates what the engine says of two runs, "driver: 580 and 570". (transfer full) */
char *memlane_words_of_difference (char *const *difference);
