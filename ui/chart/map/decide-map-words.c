/* decide-map-words.c: a map of decisions in words
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-map.h"

#include <glib/gi18n-lib.h>

#include "chart/answer-words.h"
#include "chart/chart-words.h"
#include "chart/chart.h"
#include "chart/scale.h"
#include "memlane.h"

/* --- headings --------------------------------------------------------------------------------- */

char *
memlane_map_title (const MemlaneDecision *decision)
{
  g_autofree char *workload = memlane_chart_workload_title (
      decision->workload != NULL ? decision->workload : "");

  return g_strdup_printf ("%s%s%s", _("Mode to use"), *workload != '\0' ? " · " : "", workload);
}

char *
memlane_map_subtitle (const MemlaneDecision *decision)
{
  const MemlaneRun *run = decision->run;
  g_autofree char *machine = memlane_facts_describe (&run, 1),
                  *count = memlane_chart_count_title (decision->count, decision->uses);
  g_autofree char *background = memlane_chart_background_title (decision->background->beside,
                                                                decision->background->busy);
  GString *text = g_string_new (NULL);

  if (decision->has_reuse) /* else its name says its direction */
    g_string_append (text,
                     g_dgettext (GETTEXT_PACKAGE, memlane_direction_title (decision->direction)));
  memlane_words_join (text, " · ", "%s", count);
  if (decision->background->beside != MEMLANE_BESIDE_NONE)
    memlane_words_join (text, " · ", "%s", background);
  if (*machine != '\0')
    memlane_words_join (text, " · ", "%s", machine);
  return g_string_free (text, FALSE);
}

char *
memlane_map_explain (const MemlaneDecision *decision)
{
  char *text = memlane_answers_to_words ((const MemlaneAnswer *const *) decision->notes->pdata,
                                         decision->notes->len);

  if (*text != '\0')
    return text;
  g_free (text);
  return g_strdup (_("Not enough data."));
}

/* --- one cell --------------------------------------------------------------------------------- */

/* "Mapped 40.2 µs"; without the time where it has no prediction. */
static char *
format_mode (const MemlanePlace *place, int mode, double *ns)
{
  g_autofree char *title = memlane_chart_mode_label (place->decision->modes[mode].id, NULL),
                  *time = NULL;
  MemlaneForecast forecast;

  *ns = NAN;
  if (!memlane_decision_forecast (place->decision, (guint) mode, place->log2_elements, place->reuse,
                                  &forecast))
    return g_steal_pointer (&title);
  *ns = forecast.ns.value;
  time = memlane_unit_format (MEMLANE_UNIT_TIME, forecast.ns.value, TRUE);
  /* Translators: a memory mode and its time: "Mapped: 40.2 µs". */
  return g_strdup_printf (C_("mode and time", "%s: %s"), title, time);
}

char *
memlane_decide_map_read (const MemlaneDecision *decision, guint column, guint row)
{
  const MemlaneChoice *choice = memlane_decision_get (decision, column, row);
  MemlanePlace place;
  double own, other;
  g_autofree char *power = NULL, *bytes = NULL, *first = NULL, *next = NULL;
  const char *separator = C_("list", "; ");
  GString *text = g_string_new (NULL);

  if (choice == NULL)
    return g_string_free (text, FALSE);
  place = memlane_decision_locate (decision, decision->columns[column], decision->rows[row]);
  power = memlane_unit_format_power (decision->columns[column]);
  bytes = memlane_unit_format (MEMLANE_UNIT_BYTES,
                               sizeof (float) * exp2 (decision->columns[column]), TRUE);
  /* Translators: a cell of the map: "4096 pieces of 16 KiB: " and then the modes. */
  if (decision->by_pieces != NULL)
    g_string_append_printf (text,
                            ngettext ("%u piece of %s", "%u pieces of %s", decision->rows[row]),
                            decision->rows[row], bytes);
  else /* Translators: a cell of the map: "2¹⁴ floats (64 KiB), reuse 8: " and then the modes. */
    g_string_append_printf (text, _("%s floats (%s), reuse %u"), power, bytes, decision->rows[row]);
  g_string_append (text, C_("list", ": "));
  first = choice->choice >= 0 ? format_mode (&place, choice->choice, &own)
                              : g_strdup (_("not enough data"));
  g_string_append (text, first);
  if (choice->choice < 0)
    return g_string_free (text, FALSE);
  if (choice->rival >= 0)
    next = format_mode (&place, choice->rival, &other);
  if (next != NULL && (choice->ties >> choice->rival & 1) == 0)
    memlane_words_join (text, separator, _("then %s (%.0f %% slower)"), next,
                        100 * (other / own - 1));
  else if (next != NULL) /* a tie: the choice is simpler, not faster */
    memlane_words_join (text, separator, "%s", next);
  if (choice->open)
    memlane_words_join (text, separator, "%s", _("a wrong choice costs more than 5 % on average"));
  else if (choice->alike)
    memlane_words_join (text, separator, "%s", _("they tie within 3 %"));
  return g_string_free (text, FALSE);
}

/* --- the whole map ---------------------------------------------------------------------------- */

static gboolean
is_same_row (const MemlaneDecision *decision, guint a, guint b)
{
  for (guint i = 0; i < decision->n_columns; i++)
    if (memlane_decision_get (decision, i, a)->choice
        != memlane_decision_get (decision, i, b)->choice)
      return FALSE;
  return TRUE;
}

/* "2¹⁴", of pieces "16 KiB" */
static char *
format_column (const MemlaneDecision *decision, guint column)
{
  return decision->by_pieces != NULL
             ? memlane_unit_format (MEMLANE_UNIT_BYTES,
                                    sizeof (float) * exp2 (decision->columns[column]), TRUE)
             : memlane_unit_format_power (decision->columns[column]);
}

/* "Mapped at 2¹⁰ to 2¹⁴, Pinned at 2¹⁵" */
static void
append_row (const MemlaneDecision *decision, guint row, GString *text)
{
  for (guint first = 0, next; first < decision->n_columns; first = next)
    {
      int mode = memlane_decision_get (decision, first, row)->choice;
      g_autofree char *title = mode >= 0 ? memlane_chart_mode_label (decision->modes[mode].id, NULL)
                                         : g_strdup (_("not enough data"));
      g_autofree char *from = format_column (decision, first), *to = NULL;

      for (next = first + 1; next < decision->n_columns
                             && memlane_decision_get (decision, next, row)->choice == mode;)
        next++;
      to = format_column (decision, next - 1);
      g_string_append (text, first > 0 ? C_("list", "; ") : " ");
      if (next - first > 1) /* Translators: a memory mode, and the sizes at which it is fastest. */
        g_string_append_printf (text, _("%s at %s to %s"), title, from, to);
      else
        g_string_append_printf (text, _("%s at %s"), title, from);
    }
  g_string_append (text, ".");
}

static void
append_certainty (const MemlaneDecision *decision, GString *text)
{
  guint open = 0, all = decision->n_columns * decision->n_rows;

  for (guint i = 0; i < all; i++)
    open += decision->map[i].choice >= 0 && decision->map[i].open;
  memlane_words_join (text, " ",
                      _("In %u of %u cells a wrong choice costs more than 5 %% on average."), open,
                      all);
}

char *
memlane_decide_map_describe (const MemlaneDecision *decision)
{
  g_autofree char *title = memlane_map_title (decision),
                  *subtitle = memlane_map_subtitle (decision);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s · %s%s%s.", title, subtitle, decision->simulated ? " · " : "",
                          decision->simulated ? C_("figure", "SIMULATED") : "");
  if (decision->n_columns == 0)
    {
      g_autofree char *why = memlane_map_explain (decision);

      g_string_append_printf (text, " %s", why);
      return g_string_free (text, FALSE);
    }
  for (guint first = 0, next; first < decision->n_rows; first = next)
    {
      for (next = first + 1; next < decision->n_rows && is_same_row (decision, first, next);)
        next++;
      g_string_append (text, " ");
      if (next - first > 1)
        g_string_append_printf (
            text, decision->by_pieces != NULL ? _("%u to %u pieces:") : _("Reuse %u to %u:"),
            decision->rows[first], decision->rows[next - 1]);
      else
        g_string_append_printf (text,
                                decision->by_pieces != NULL ? _("%u pieces:") : _("Reuse %u:"),
                                decision->rows[first]);
      append_row (decision, first, text);
    }
  append_certainty (decision, text);
  return g_string_free (text, FALSE);
}
