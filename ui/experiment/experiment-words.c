/* experiment-words.c: verdicts and figures of experiments, in words
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-words.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "chart/answer-words.h"
#include "chart/scale.h"
#include "model/sentence.h"
#include "parts/widgets.h"

#define WIDE 0.1 /* of the median */

void
memlane_experiment_words_show (GtkLabel *label, const char *text)
{
  g_autofree char *set = memlane_words_typeset (text != NULL ? text : "");

  gtk_label_set_text (label, set);
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL && *text != '\0');
}

/* --- verdicts --------------------------------------------------------------------------------- */

char *
memlane_experiment_words_verdict (MemlaneVerdict verdict)
{
  return memlane_sentence_new (g_dgettext (GETTEXT_PACKAGE, memlane_verdict_title (verdict)));
}

const char *
memlane_experiment_words_icon (MemlaneVerdict verdict)
{
  static const char *const icons[MEMLANE_N_VERDICTS] = { "object-select-symbolic",
                                                         "window-close-symbolic",
                                                         "memlane-info-symbolic" };

  return icons[verdict];
}

const char *
memlane_experiment_words_class (MemlaneVerdict verdict)
{
  static const char *const classes[MEMLANE_N_VERDICTS] = { "success", "error", "warning" };

  return classes[verdict];
}

void
memlane_experiment_words_color (GtkWidget *widget, MemlaneVerdict verdict)
{
  for (MemlaneVerdict each = 0; each < MEMLANE_N_VERDICTS; each++)
    memlane_widget_set_class (widget, memlane_experiment_words_class (each), each == verdict);
}

/* --- figures ---------------------------------------------------------------------------------- */

MemlaneCertainty
memlane_experiment_words_certainty (const MemlaneValue *value)
{
  if (value->kind != MEMLANE_VALUE_TIME && value->kind != MEMLANE_VALUE_NUMBER)
    return MEMLANE_CERTAIN;
  if (value->loose)
    return MEMLANE_LOOSE;
  return fmax (value->high - value->median, value->median - value->low)
                 > WIDE * fabs (value->median)
             ? MEMLANE_WIDE
             : MEMLANE_CERTAIN;
}

/* "± " or "≈ " before an uncertain figure, "" before others. */
static const char *
get_mark (MemlaneCertainty certainty)
{
  static const char *const marks[] = { "", "± ", "≈ " };

  return marks[certainty];
}

const char *
memlane_experiment_words_explain (MemlaneCertainty certainty)
{
  switch (certainty)
    {
    case MEMLANE_WIDE:
      return _("± The 95 % interval reaches more than 10 % from the median");
    case MEMLANE_LOOSE:
      return _("≈ Fewer than six samples, which differ. Their range is shown instead of a 95 % "
                "interval.");
    case MEMLANE_CERTAIN:
    default:
      return NULL;
    }
}

/* In the person's language, but for names of CUDA's. */
static const char *
get_word (const MemlaneValue *value)
{
  const char *title = memlane_word_title (value->word);

  return title != NULL ? g_dgettext (GETTEXT_PACKAGE, title) : value->word;
}

char *
memlane_experiment_words_short (const MemlaneValue *value)
{
  g_autofree char *typed = value->kind == MEMLANE_VALUE_NONE ? g_strdup ("–")
                           : value->kind == MEMLANE_VALUE_WORD
                               ? g_strdup (get_word (value))
                               : memlane_value_to_text (value, FALSE, TRUE);
  g_autofree char *text = memlane_words_typeset (typed);

  return g_strconcat (get_mark (memlane_experiment_words_certainty (value)), text, NULL);
}

/* The same figure without its interval, of which one end stands for it. */
static char *
format_end (const MemlaneValue *value, double end)
{
  MemlaneValue alone = { .kind = value->kind, .median = end, .low = end, .high = end };

  return memlane_value_to_text (&alone, FALSE, TRUE);
}

char *
memlane_experiment_words_value (const MemlaneValue *value, const char *unit)
{
  g_autofree char *median = NULL, *low = NULL, *high = NULL, *marked = NULL;

  if (value->kind == MEMLANE_VALUE_WORD)
    return g_strdup (get_word (value));
  if (value->kind == MEMLANE_VALUE_NONE)
    return memlane_sentence_new (
        value->why != NULL ? value->why
                           : g_dgettext (GETTEXT_PACKAGE, memlane_doubt_title (value->doubt)));
  median = memlane_value_to_text (value, FALSE, TRUE);
  marked = g_strconcat (get_mark (memlane_experiment_words_certainty (value)), median,
                        unit != NULL && value->kind == MEMLANE_VALUE_NUMBER ? " " : "",
                        unit != NULL && value->kind == MEMLANE_VALUE_NUMBER ? unit : "", NULL);
  low = format_end (value, value->low);
  high = format_end (value, value->high);
  if (g_str_equal (low, median) && g_str_equal (high, median))
    return g_steal_pointer (&marked);
  if (value->loose)
    /* Translators: a figure, and the smallest and the largest of its samples */
    return g_strdup_printf (_("%s (all samples: %s to %s)"), marked, low, high);
  /* Translators: a figure and the ends of its interval: "5.77 ms (5.76 ms to 5.79 ms)" */
  return g_strdup_printf (_("%s (%s to %s)"), marked, low, high);
}

/* --- predictions ------------------------------------------------------------------------------ */

static char *
tell_choice (MemlaneExperimentItem *item, const MemlaneExperimentResult *result)
{
  char **choices = result->experiment->prediction.choices;
  int choice = item->choice, right = result->right_choice;
  g_autofree char *mine = choice >= 0 ? memlane_words_typeset (choices[choice]) : NULL;
  g_autofree char *correct = right >= 0 ? memlane_words_typeset (choices[right]) : NULL;

  if (right < 0 && choice < 0)
    return g_strdup (_("These figures do not decide which answer is correct."));
  if (right < 0)
    return g_strdup_printf (
        _("You predicted “%s”. These figures do not decide which answer is correct."), mine);
  if (choice < 0)
    return g_strdup_printf (_("Correct answer: “%s”."), correct);
  if (choice == right)
    return g_strdup_printf (_("Your prediction “%s” was correct."), mine);
  return g_strdup_printf (_("You predicted “%s”. Correct answer: “%s”."), mine, correct);
}

char *
memlane_experiment_words_prediction (MemlaneExperimentItem *item)
{
  const MemlaneExperimentResult *result = item->result;

  return result != NULL && result->experiment->prediction.choices != NULL
             ? tell_choice (item, result)
             : NULL;
}
