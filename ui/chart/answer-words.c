/* answer-words.c: the analysis' answers as the person reads them
 *
 * SPDX-License-Identifier: MIT
 */
#include "answer-words.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "chart-words.h"
#include "scale.h"

static char *
show_modes (const char *ids)
{
  g_auto (GStrv) parts = g_strsplit (ids, ", ", -1);
  GString *titles = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *title = memlane_chart_mode_label (parts[i], NULL);

      g_string_append_printf (titles, "%s%s", i > 0 ? "; " : "", title); /* titles have commas */
    }
  return g_string_free (titles, FALSE);
}

/* NULL: a kind of number that the figures have no unit for. */
static char *
show_number (MemlaneFactKind kind, double number)
{
  if (kind == MEMLANE_FACT_NS)
    return memlane_unit_format (MEMLANE_UNIT_TIME, number, TRUE);
  if (kind == MEMLANE_FACT_BYTES)
    return memlane_unit_format (MEMLANE_UNIT_BYTES, number, TRUE);
  if (kind == MEMLANE_FACT_BANDWIDTH)
    return memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, number, TRUE);
  if (kind == MEMLANE_FACT_SIZE && number >= 1 && log2 (number) == floor (log2 (number)))
    return memlane_unit_format_power ((guint) log2 (number));
  return NULL;
}

/* Unknown, negative and unbounded numbers are the engine's to word: they have no place on an axis. */
static gboolean
is_plain (const MemlaneEstimate *number)
{
  return isfinite (number->value) && isfinite (number->low) && isfinite (number->high) && number->low > 0;
}

static char *
show_fact (const MemlaneFact *fact, gpointer user_data)
{
  const MemlaneEstimate *number = &fact->number;
  g_autofree char *value = NULL, *low = NULL, *high = NULL;

  if (fact->kind == MEMLANE_FACT_MODE || fact->kind == MEMLANE_FACT_MODES)
    return show_modes (fact->text != NULL ? fact->text : "");
  if (fact->kind == MEMLANE_FACT_WORD && fact->text != NULL && *fact->text != '\0')
    return g_strdup (g_dgettext (GETTEXT_PACKAGE, fact->text));
  if (fact->text != NULL || !is_plain (number))
    return memlane_fact_format (fact);
  value = show_number (fact->kind, number->value);
  low = show_number (fact->kind, number->low);
  high = show_number (fact->kind, number->high);
  if (value == NULL || low == NULL || high == NULL)
    return memlane_fact_format (fact);
  if (strcmp (low, value) == 0 && strcmp (high, value) == 0)
    return g_steal_pointer (&value);
  /* Translators: a value and its 95 % interval: "10.4 µs (10.2 µs to 10.9 µs)". */
  return g_strdup_printf (_("%s (%s to %s)"), value, low, high);
}

static const char *
translate (const char *text)
{
  return *text != '\0' ? g_dgettext (GETTEXT_PACKAGE, text) : text;
}

char *
memlane_answer_to_words (const MemlaneAnswer *answer)
{
  return memlane_answer_format (answer, translate, show_fact, NULL);
}
