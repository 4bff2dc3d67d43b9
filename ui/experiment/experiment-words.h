/* experiment-words.h: verdicts and figures of experiments, in words
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "model/experiment-item.h"

/* @text in @label, typeset; NULL or "": the label is not seen. */
void memlane_experiment_words_show (GtkLabel *label, const char *text);

/* "Refuted on this device". (transfer full) */
char *memlane_experiment_words_verdict (MemlaneVerdict verdict);
/* Icon and style class that go with it. */
const char *memlane_experiment_words_icon (MemlaneVerdict verdict);
const char *memlane_experiment_words_class (MemlaneVerdict verdict);
/* Gives @widget the class of @verdict, and takes those of the others away. */
void memlane_experiment_words_color (GtkWidget *widget, MemlaneVerdict verdict);

/* How sure a figure is. */
typedef enum
{
  MEMLANE_CERTAIN,
  MEMLANE_WIDE,  /* its interval is wider than 10 % of the median to one side */
  MEMLANE_LOOSE, /* fewer than six samples, which differ: no 95 % interval */
} MemlaneCertainty;
MemlaneCertainty memlane_experiment_words_certainty (const MemlaneValue *value);
/* Explains the mark before an uncertain figure ("±", "≈"); NULL: it has none. */
const char *memlane_experiment_words_explain (MemlaneCertainty certainty);

/* "≈ 5.77 ms", of one that is missing "–". (transfer full) */
char *memlane_experiment_words_short (const MemlaneValue *value);
/* "5.77 ms (5.76 to 5.79)"; of one that is missing the reason. @unit (nullable): of a number.
 * (transfer full) */
char *memlane_experiment_words_value (const MemlaneValue *value, const char *unit);

/* Judges a prediction: right, wrong, how far off; NULL while there is no result. (transfer full) */
char *memlane_experiment_words_prediction (MemlaneExperimentItem *item);
