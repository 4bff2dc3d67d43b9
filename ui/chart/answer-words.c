/* answer-words.c: the analysis' answers as the person reads them
 *
 * SPDX-License-Identifier: MIT
 */
#include "answer-words.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/strict-text.h"
#include "chart-words.h"
#include "chart.h"
#include "scale.h"

char *
memlane_words_typeset (const char *text)
{
  GString *set = g_string_new (NULL);

  for (const char *p = text; *p != '\0';)
    {
      char *end;

      if (p[0] == '2' && p[1] == '^' && g_ascii_isdigit (p[2])
          && (p == text || !g_ascii_isalnum (p[-1])))
        {
          g_autofree char *power = memlane_unit_format_power (
              (guint) g_ascii_strtoull (p + 2, &end, 10));

          g_string_append (set, power);
          p = end;
        }
      else
        g_string_append_c (set, *p++);
    }
  return g_string_free (set, FALSE);
}

static char *
show_modes (const char *ids)
{
  g_auto (GStrv) parts = g_strsplit (ids, ", ", -1);
  GString *titles = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *title = memlane_chart_mode_label (parts[i], NULL);

      /* Translators: what stands between the names of a list, and before the last of them */
      memlane_words_join (titles, parts[i + 1] != NULL ? C_("list", ", ") : C_("list", " and "),
                          "%s", title);
    }
  return g_string_free (titles, FALSE);
}

/* A size between two powers of two is a count: "2^12.8" would stand beside 2²⁰. */
static gboolean
is_counted (const MemlaneEstimate *number)
{
  const double numbers[] = { number->value, number->low, number->high };
  int exponent;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (isfinite (numbers[i]) && frexp (numbers[i], &exponent) != 0.5)
      return TRUE;
  return FALSE;
}

static char *
show_magnitude (MemlaneFactKind kind, double number, gboolean counted)
{
  MemlaneFact fact = { .kind = kind, .number = { number, number, number } };

  if (kind == MEMLANE_FACT_NS)
    return memlane_unit_format (MEMLANE_UNIT_TIME, number, TRUE);
  if (kind == MEMLANE_FACT_BYTES)
    return memlane_unit_format (MEMLANE_UNIT_BYTES, number, TRUE);
  if (kind == MEMLANE_FACT_BANDWIDTH)
    return memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, number, TRUE);
  if (kind == MEMLANE_FACT_SIZE)
    return counted ? g_strdup_printf ("%.0f", memlane_digits_round (number))
                   : memlane_unit_format (MEMLANE_UNIT_ELEMENTS, number, TRUE);
  return memlane_fact_format (&fact); /* a count, a percentage, a factor */
}

static char *
show_number (MemlaneFactKind kind, double number, gboolean counted)
{
  g_autofree char *magnitude = show_magnitude (kind, fabs (number), counted);

  return g_strconcat (number < 0 && strpbrk (magnitude, "123456789") != NULL ? "−" : "", magnitude,
                      NULL);
}

/* --- what differs between two runs ------------------------------------------------------------ */

/* Ids tell a reader nothing: their label alone is shown. */
static const char *const of_ids[] = {
  "UUID of the device", "calibrated from", "commit", "boot", "seed", NULL
};

/* Translates words of the engine and gives sizes a unit; names stay as they are. (transfer full) */
static char *
translate_value (const char *label, const char *value)
{
  static const char *const words[] = { NC_ ("machine", "not recorded"),
                                       NC_ ("machine", "simulated"), NC_ ("machine", "cuda") };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (words[i], value))
      return g_strdup (g_dpgettext2 (GETTEXT_PACKAGE, "machine", words[i]));
  if (g_str_equal (label, "device memory"))
    return memlane_unit_format (MEMLANE_UNIT_BYTES, g_ascii_strtod (value, NULL), TRUE);
  return g_str_equal (label, "device") ? memlane_facts_name_device (value) : g_strdup (value);
}

char *
memlane_words_of_difference (char *const *difference)
{
  const char *title = g_dpgettext2 (GETTEXT_PACKAGE, "machine", difference[0]);
  g_autofree char *one = translate_value (difference[0], difference[1]);
  g_autofree char *other = translate_value (difference[0], difference[2]);

  if (g_strv_contains (of_ids, difference[0]))
    return g_strdup (title);
  /* Translators: what differs between two runs: "driver: 580 and 570" */
  return g_strdup_printf (_("%s: %s and %s"), title, one, other);
}

/* Shows the differences that the engine lists. (transfer full) */
static char *
show_differences (const GPtrArray *list)
{
  GString *shown = g_string_new (NULL);

  for (guint i = 0; i < list->len; i++)
    {
      g_autofree char *words = memlane_words_of_difference (list->pdata[i]);

      /* Translators: between two things in a list */
      memlane_words_join (shown, C_("list", "; "), "%s", words);
    }
  return g_string_free (shown, FALSE);
}

/* The engine calls phases by their ids and types sizes. */
static char *
show_text (const MemlaneFact *fact)
{
  MemlanePhase phase;

  if (g_str_equal (fact->name, "phase") && memlane_phase_parse (fact->text, &phase))
    return g_strdup (memlane_chart_phase_title (phase));
  return g_str_equal (fact->name, "sizes") ? memlane_words_typeset (fact->text)
                                           : g_strdup (fact->text);
}

static char *
show_fact (const MemlaneFact *fact, gpointer user_data)
{
  const MemlaneEstimate *number = &fact->number;
  gboolean counted = fact->kind == MEMLANE_FACT_SIZE && is_counted (number);
  g_autofree char *value = NULL, *low = NULL, *high = NULL;

  if (fact->kind == MEMLANE_FACT_MODE || fact->kind == MEMLANE_FACT_MODES)
    return show_modes (fact->text != NULL ? fact->text : "");
  if (fact->kind == MEMLANE_FACT_LIST)
    return show_differences (fact->list);
  if (fact->kind == MEMLANE_FACT_WORD && fact->text != NULL && *fact->text != '\0')
    return g_strdup (g_dgettext (GETTEXT_PACKAGE, fact->text));
  if (fact->kind == MEMLANE_FACT_TEXT && fact->text != NULL)
    return show_text (fact);
  if (fact->text != NULL || !isfinite (number->value))
    return memlane_fact_format (fact);
  value = show_number (fact->kind, number->value, counted);
  low = show_number (fact->kind, number->low, counted);
  high = show_number (fact->kind, number->high, counted);
  if (number->low == number->high || (strcmp (low, value) == 0 && strcmp (high, value) == 0))
    return g_steal_pointer (&value);
  if (!isfinite (number->low) && !isfinite (number->high))
    /* Translators: a value whose 95 % interval has no end on either side */
    return g_strdup_printf (_("%s (not bounded)"), value);
  if (!isfinite (number->high))
    /* Translators: a value and the lower end of its 95 % interval, which has no upper one */
    return g_strdup_printf (_("%s (at least %s)"), value, low);
  if (!isfinite (number->low))
    /* Translators: a value and the upper end of its 95 % interval, which has no lower one */
    return g_strdup_printf (_("%s (at most %s)"), value, high);
  /* Translators: a value and its 95 % interval: "10.4 µs (10.2 µs to 10.9 µs)". */
  return g_strdup_printf (_("%s (%s to %s)"), value, low, high);
}

const char *
memlane_words_translate (const char *text)
{
  return *text != '\0' ? g_dgettext (GETTEXT_PACKAGE, text) : text;
}

char *
memlane_answer_to_words (const MemlaneAnswer *answer)
{
  return memlane_answer_format (answer, memlane_words_translate, show_fact, NULL);
}

char *
memlane_answers_to_words (const MemlaneAnswer *const *answers, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *words = answers[i] != NULL ? memlane_answer_to_words (answers[i]) : NULL;

      if (words != NULL)
        memlane_words_join (text, " ", "%s", words);
    }
  return g_string_free (text, FALSE);
}
