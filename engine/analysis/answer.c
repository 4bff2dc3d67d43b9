/* answer.c: sentences with named figures
 *
 * SPDX-License-Identifier: MIT
 */
#include "answer.h"

#include <string.h>

#include "base/strict-text.h"
#include "base/each.h"
#include "base/owns.h"

static void
clear_value (gpointer data)
{
  MemlaneFact *fact = data;

  g_free ((char *) fact->text);
  g_clear_pointer (&fact->list, g_ptr_array_unref);
}

MEMLANE_DEFINE_FREE (MemlaneAnswer, void memlane_answer_free (MemlaneAnswer *data),
                     OWNS (values, g_array_unref))

GPtrArray *
memlane_answers_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_answer_free);
}

MemlaneAnswer *
memlane_answer_say_facts (GPtrArray *answers, MemlaneAnswerKind kind, const char *format,
                          const MemlaneFact *facts)
{
  MemlaneAnswer *answer = g_new0 (MemlaneAnswer, 1);

  answer->kind = kind;
  answer->format = format;
  answer->values = g_array_new (FALSE, FALSE, sizeof (MemlaneFact));
  g_array_set_clear_func (answer->values, clear_value);
  for (; facts->name != NULL; facts++)
    {
      MemlaneFact fact = *facts;

      if (fact.text != NULL) /* a cell's detail may have lines; a sentence has none */
        fact.text = g_strdelimit (g_strdup (fact.text), "\r\n", ' ');
      if (fact.list != NULL)
        g_ptr_array_ref (fact.list);
      g_array_append_val (answer->values, fact);
    }
  if (answers != NULL)
    g_ptr_array_add (answers, answer);
  return answer;
}

static const MemlaneFact *
find (const MemlaneAnswer *answer, const char *name)
{
  MEMLANE_FOR_EACH_IN (const MemlaneFact, value, answer->values)
    if (strcmp (value->name, name) == 0)
      return value;
  return NULL;
}

/* --- values as text --------------------------------------------------------------------------- */

/* Many of these are counts: no zeros behind the point. */
static char *
format_digits (double number)
{
  char *text = memlane_digits_format (number + 0.0, FALSE); /* no "-0" */

  if (strchr (text, '.') != NULL && strchr (text, 'e') == NULL)
    {
      char *end = text + strlen (text) - 1;

      while (*end == '0')
        *end-- = '\0';
      if (*end == '.')
        *end = '\0';
    }
  return text;
}

typedef struct
{
  MemlaneFactKind kind;
  double least, scale;
  const char *suffix;
} Unit;

/* The first whose @least is reached. */
static const Unit units[] = {
  { MEMLANE_FACT_NS, 1e9, 1e9, " s" },
  { MEMLANE_FACT_NS, 1e6, 1e6, " ms" },
  { MEMLANE_FACT_NS, 1e3, 1e3, " us" },
  { MEMLANE_FACT_NS, 0, 1, " ns" },
  { MEMLANE_FACT_BYTES, 1 << 30, 1 << 30, " GiB" },
  { MEMLANE_FACT_BYTES, 1 << 20, 1 << 20, " MiB" },
  { MEMLANE_FACT_BYTES, 1 << 10, 1 << 10, " KiB" },
  { MEMLANE_FACT_BYTES, 0, 1, " bytes" },
  { MEMLANE_FACT_BANDWIDTH, 1e12, 1e12, " TB/s" },
  { MEMLANE_FACT_BANDWIDTH, 1e9, 1e9, " GB/s" },
  { MEMLANE_FACT_BANDWIDTH, 1e6, 1e6, " MB/s" },
  { MEMLANE_FACT_BANDWIDTH, 0, 1e3, " kB/s" },
  { MEMLANE_FACT_PERCENT, 0, 0.01, " %" },
};

/* In the unit that fits @of; *@suffix receives it. */
static char *
format_number (MemlaneFactKind kind, double number, double of, const char **suffix)
{
  *suffix = "";
  /* tenths of a percent are the finest that anything here tells */
  if (kind == MEMLANE_FACT_PERCENT)
    number = round (number * 1000) / 1000;
  else if (kind == MEMLANE_FACT_COUNT || kind == MEMLANE_FACT_FACTOR)
    number = fabs (number) < 0.01 ? 0 : number;
  if (kind == MEMLANE_FACT_SIZE)
    {
      g_autofree char *digits = format_digits (log2 (number));

      /* a size that was measured */
      if (strchr (digits, '.') != NULL && fabs (number - round (number)) < 1e-6 * number
          && number < 1e15)
        return g_strdup_printf ("%.0f", number);
      return g_strconcat ("2^", digits, NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].kind == kind && fabs (of) >= units[i].least)
      {
        *suffix = units[i].suffix;
        return format_digits (number / units[i].scale);
      }
  return format_digits (number);
}

static gboolean
is_text (MemlaneFactKind kind)
{
  return kind == MEMLANE_FACT_MODE || kind == MEMLANE_FACT_MODES || kind == MEMLANE_FACT_TEXT
         || kind == MEMLANE_FACT_WORD;
}

/* "pinned, streams and stream-ordered" */
static char *
format_list (const char *ids)
{
  const char *last = strrchr (ids, ',');

  return last != NULL ? g_strdup_printf ("%.*s and%s", (int) (last - ids), ids, last + 1)
                      : g_strdup (ids);
}

char *
memlane_differences_format (const GPtrArray *list)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < list->len; i++)
    {
      char **part = list->pdata[i];

      g_string_append_printf (text, "%s%s: %s and %s", i > 0 ? "; " : "", part[0], part[1],
                              part[2]);
    }
  return g_string_free (text, FALSE);
}

char *
memlane_fact_format (const MemlaneFact *value)
{
  const MemlaneEstimate *number = &value->number;
  double of = number->value != 0 || !isfinite (number->high) ? number->value : number->high;
  g_autofree char *text = NULL, *low = NULL, *high = NULL;
  const char *unit;

  if (value->kind == MEMLANE_FACT_MODES && value->text != NULL)
    return format_list (value->text);
  if (value->kind == MEMLANE_FACT_LIST)
    return memlane_differences_format (value->list);
  if (is_text (value->kind))
    return g_strdup (value->text != NULL ? value->text : "");
  if (isnan (number->value))
    return g_strdup ("?");
  text = format_number (value->kind, number->value, of, &unit);
  low = format_number (value->kind, number->low, of, &unit);
  high = format_number (value->kind, number->high, of, &unit);
  if (number->low == number->high || (strcmp (low, text) == 0 && strcmp (high, text) == 0))
    return g_strconcat (text, unit, NULL);
  if (!isfinite (number->high) && !isfinite (number->low))
    return g_strdup_printf ("%s%s (not bounded)", text, unit);
  if (!isfinite (number->high))
    return g_strdup_printf ("%s%s (at least %s)", text, unit, low);
  if (!isfinite (number->low))
    return g_strdup_printf ("%s%s (at most %s)", text, unit, high);
  return g_strdup_printf ("%s%s (%s to %s)", text, unit, low, high);
}

/* Appends @format, translated, with the facts of @answer. Words may name facts, too. */
static void
append_format (GString *text, const MemlaneAnswer *answer, const char *format,
               MemlaneTranslate translate, MemlaneShowFact show, gpointer user_data)
{
  while (*format != '\0')
    {
      const char *end = *format == '{' ? strchr (format, '}') : NULL;
      g_autofree char *name = end != NULL ? g_strndup (format + 1, (gsize) (end - format - 1))
                                          : NULL;
      const MemlaneFact *value = name != NULL ? find (answer, name) : NULL;

      if (value != NULL)
        {
          g_autofree char *shown = NULL;

          if (show != NULL)
            shown = show (value, user_data);
          else if (value->kind == MEMLANE_FACT_WORD && translate != NULL && value->text != NULL)
            shown = g_strdup (translate (value->text));
          else
            shown = memlane_fact_format (value);
          if (value->kind == MEMLANE_FACT_WORD)
            append_format (text, answer, shown, translate, show, user_data);
          else
            g_string_append (text, shown);
          format = end + 1;
        }
      else
        g_string_append_c (text, *format++);
    }
}

char *
memlane_answer_format (const MemlaneAnswer *answer, MemlaneTranslate translate,
                       MemlaneShowFact show, gpointer user_data)
{
  GString *text = g_string_new (NULL);

  append_format (text, answer, translate != NULL ? translate (answer->format) : answer->format,
                 translate, show, user_data);
  return g_string_free (text, FALSE);
}
