/* chart-words.c: titles, labels, and why there is no curve
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "mode/mode.h"
#include "mode/workload.h"

const char *
memlane_chart_phase_title (MemlanePhase phase)
{
  static const char *const titles[MEMLANE_N_PHASES] = {
    [MEMLANE_PHASE_ALLOC] = N_("allocation"),
    [MEMLANE_PHASE_HOST_WRITE] = N_("host writes"),
    [MEMLANE_PHASE_UPLOAD] = N_("upload (host to device)"),
    [MEMLANE_PHASE_KERNEL] = N_("kernel"),
    [MEMLANE_PHASE_DOWNLOAD] = N_("download (device to host)"),
    [MEMLANE_PHASE_ELAPSED] = N_("elapsed"),
    [MEMLANE_PHASE_HOST_READ] = N_("host reads"),
    [MEMLANE_PHASE_FREE] = N_("release"),
    [MEMLANE_PHASE_FIRST] = N_("first sample"),
  };

  g_return_val_if_fail ((guint) phase < MEMLANE_N_PHASES, "");
  return _(titles[phase]);
}

const char *
memlane_chart_quantity_title (MemlaneQuantity quantity)
{
  switch (quantity)
    {
    case MEMLANE_QUANTITY_BANDWIDTH:
      return _("bandwidth");
    case MEMLANE_QUANTITY_TIME:
      return _("time");
    case MEMLANE_QUANTITY_RATIO:
    default:
      return _("ratio of times");
    }
}

char *
memlane_chart_workload_title (const char *workload)
{
  const MemlaneWorkload *known = memlane_workload_find (workload);

  return g_strdup (known != NULL ? g_dgettext (GETTEXT_PACKAGE, known->title) : workload);
}

char *
memlane_chart_make_label (const char *mode, const char *whose)
{
  const MemlaneMode *known = memlane_mode_find (mode);
  const char *title = known != NULL ? g_dgettext (GETTEXT_PACKAGE, known->title) : mode;

  return whose != NULL ? g_strdup_printf ("%s · %s", title, whose) : g_strdup (title);
}

char *
memlane_chart_make_title (const MemlaneChart *chart, const MemlaneChartRun *runs, guint n_runs)
{
  g_autofree char *workload = memlane_chart_workload_title (chart->workload);
  g_autofree char *what = NULL;
  const char *names[2];

  if (chart->quantity != MEMLANE_QUANTITY_RATIO || n_runs < 2)
    what = g_strdup (memlane_chart_quantity_title (chart->quantity));
  else
    {
      for (guint i = 0; i < 2; i++)
        names[i] = runs[i].name != NULL && *runs[i].name != '\0' ? runs[i].name : runs[i].run->id;
      /* Translators: a ratio of times: the second run's over the first's. */
      what = g_strdup_printf (_("time of %s over %s"), names[1], names[0]);
    }
  return g_strdup_printf ("%s%s%s · %s", workload, *workload != '\0' ? " · " : "", memlane_chart_phase_title (chart->phase), what);
}

/* --- why there is no curve --------------------------------------------------------------------------------------------------- */

static char *
explain_failure (const MemlaneCell *cell)
{
  if (cell->detail != NULL && *cell->detail != '\0')
    return g_strdup_printf (_("No cell could be measured. %s at 2^%u: %s."), cell->mode, cell->log2_elements, cell->detail);
  return g_strdup_printf (_("No cell could be measured. %s at 2^%u: %s."), cell->mode, cell->log2_elements,
                          memlane_status_name (cell->status));
}

char *
memlane_chart_explain (const MemlaneChart *chart, const MemlaneFindings *findings)
{
  g_autofree char *workload = memlane_chart_workload_title (chart->workload);
  const char *phase = memlane_chart_phase_title (chart->phase);

  if (findings->runs == 0)
    return g_strdup (_("No run is shown. Press Run to measure, or open a CSV."));
  if (chart->quantity == MEMLANE_QUANTITY_RATIO && findings->runs < 2)
    return g_strdup (_("A ratio compares two runs. Show a second one."));
  if (findings->cells == 0)
    return g_strdup (_("Nothing is measured yet. The curves appear here as the cells end."));
  if (findings->of_workload == 0)
    return g_strdup_printf (_("The runs shown have no cell of “%s”. Choose another workload, or show another run."), workload);
  if (findings->of_modes == 0)
    return g_strdup (_("None of the modes that were measured is switched on. Switch one on."));
  if (findings->measured == 0)
    return findings->failed != NULL ? explain_failure (findings->failed) : g_strdup (_("No cell could be measured."));
  if (findings->with_phase == 0)
    return g_strdup_printf (_("No cell of “%s” has the phase “%s”. Choose another phase; every workload has “%s”."), workload,
                            phase, memlane_chart_phase_title (MEMLANE_PHASE_ELAPSED));
  if (findings->with_bytes == 0)
    return g_strdup_printf (_("The phase “%s” moves no bytes, so it has no bandwidth. Choose time instead."), phase);
  if (chart->quantity == MEMLANE_QUANTITY_RATIO)
    return g_strdup (_("The two runs have no measured cell in common. Compare runs with the same modes and sizes."));
  return g_strdup (_("No cell has a time that could be drawn. Measure again."));
}
