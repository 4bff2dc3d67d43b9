/* decide-answers.h: sentences below each other, each of which can be selected
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#define MEMLANE_TYPE_DECIDE_ANSWERS (memlane_decide_answers_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDecideAnswers, memlane_decide_answers, MEMLANE, DECIDE_ANSWERS, AdwBin)

/* @sentences (element-type utf8) (nullable). The rows are made once they are in a window, and those
 * that stay the same are left alone. The first of many sentences have rows, and a last row brings
 * the next ones. */
void memlane_decide_answers_set (MemlaneDecideAnswers *self, GPtrArray *sentences);
/* for assistive technology */
void memlane_decide_answers_set_name (MemlaneDecideAnswers *self, const char *name);

/* The same for the list inside an expander, "@title (15)". One without sentences is not seen. */
void memlane_decide_expander_set (GtkExpander *expander, const char *title, GPtrArray *sentences);
